//! The life of an index: which one it is, where a page of it ended, and how it becomes another.

#[cfg(feature = "rekey")]
pub(crate) mod checkpoint;
pub(crate) mod contract;
#[cfg(feature = "cursor")]
pub(crate) mod cursor;
pub(crate) mod plan;
#[cfg(feature = "rekey")]
pub(crate) mod rekey;
