//! Ranges by brute force: a key lies in a range exactly when its values satisfy the predicate, and
//! walks of every kind see every row once. `FORMAT.md` §3.
#![expect(
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test that fails may panic"
)]

mod support;

#[path = "ranges/algebra.rs"]
mod algebra;
#[path = "ranges/errors.rs"]
mod errors;
#[path = "ranges/predicate.rs"]
mod predicate;
#[path = "ranges/rows.rs"]
mod rows;
