//! What engines are helped with: short bounds, loose scans, and shards put back together. Each is
//! held against a brute-force answer: all candidate bounds, or all rows grouped and sorted by their
//! values, which a model compares without looking at a key.
#![expect(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::unwrap_used, reason = "tests")]

#[path = "scan/loose.rs"]
mod loose;
#[path = "scan/merge.rs"]
mod merge;
#[path = "scan/model.rs"]
mod model;
#[path = "scan/separators.rs"]
mod separators;
#[path = "scan/shards.rs"]
mod shards;
