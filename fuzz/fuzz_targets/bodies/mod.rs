//! What the fuzz targets do, apart from libFuzzer: `tests/corpus.rs` runs the same functions over the
//! committed corpora, so that ordinary `cargo test` replays them.
#![allow(dead_code, reason = "each target uses its own part")]

pub(crate) mod collation;
pub(crate) mod decode_any;
pub(crate) mod family_laws;
pub(crate) mod generate;
pub(crate) mod kinds;
#[path = "../../../tests/support/laws.rs"]
pub(crate) mod laws;
pub(crate) mod model;
pub(crate) mod queries;
pub(crate) mod reference;
pub(crate) mod spec;
pub(crate) mod store;
