//! The eight laws for every family and kind, in all six orders: over hand-picked ladders of values,
//! exhaustively where that is cheap, and over drawn values that lie close together. What order the
//! values have comes from a model that knows nothing of keys (`support/order.rs`), their bytes from
//! a second writing of the format (`support/bytes.rs`).
#![expect(
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test that fails may panic"
)]

mod support;

#[path = "laws/buffers.rs"]
mod buffers;
#[path = "laws/drawn.rs"]
mod drawn;
#[path = "laws/families.rs"]
mod families;
#[path = "laws/places.rs"]
mod places;
#[path = "laws/retry.rs"]
mod retry;
