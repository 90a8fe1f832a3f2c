//! The only code that moves along a caller's bytes: one door out, one position in, and the view
//! that both share.

pub(crate) mod block;
pub(crate) mod free;
pub(crate) mod input;
pub(crate) mod lanes;
pub(crate) mod long;
pub(crate) mod out;
pub(crate) mod short;
pub(crate) mod sink;
pub(crate) mod view;
// What the feature asks for.
#[clippy::msrv = "1.89"]
#[cfg(all(feature = "simd", target_arch = "x86_64"))]
pub(crate) mod wide;
