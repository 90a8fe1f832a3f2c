//! One file per family: its layout and why it orders, size, fill, take, and tests.

pub(crate) mod bits;
pub(crate) mod decimal;
pub(crate) mod float;
pub(crate) mod ident;
pub(crate) mod int;
pub(crate) mod net;
pub(crate) mod temporal;
pub(crate) mod text;
