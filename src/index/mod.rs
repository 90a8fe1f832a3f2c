//! The life of an index: which one it is, where a page of it ended, and how it becomes another.

#[cfg(feature = "rekey")]
pub(crate) mod checkpoint;
pub(crate) mod contract;
#[cfg(feature = "cursor")]
pub(crate) mod cursor;
#[cfg(feature = "rekey")]
pub(crate) mod map;
pub(crate) mod plan;
#[cfg(all(feature = "rekey", any(feature = "uca14", feature = "icu")))]
pub(crate) mod recollate;
#[cfg(feature = "rekey")]
pub(crate) mod rekey;
