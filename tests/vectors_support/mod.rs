//! What the vector tests stand on: reading the files, rebuilding the values, the laws, the report.

pub(crate) mod collation;
pub(crate) mod composites;
pub(crate) mod decode;
pub(crate) mod folder;
pub(crate) mod json;
pub(crate) mod laws;
pub(crate) mod literals;
pub(crate) mod multi;
pub(crate) mod names;
pub(crate) mod pg18;
pub(crate) mod rejected;
pub(crate) mod report;
pub(crate) mod schottky;
pub(crate) mod text;
pub(crate) mod typed;
pub(crate) mod values;
