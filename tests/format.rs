//! `FORMAT.md` byte for byte: its tables and examples, written and read, and its layout descriptors
//! with the place of every error.
#![expect(
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test that fails may panic"
)]

mod support;

#[path = "format/checker.rs"]
mod checker;
#[path = "format/declared.rs"]
mod declared;
#[path = "format/descriptors.rs"]
mod descriptors;
#[path = "format/examples.rs"]
mod examples;
