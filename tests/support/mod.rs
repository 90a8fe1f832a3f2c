//! What the test suites share: an owned model of types and values, its order and its bytes written
//! out from the rules a second time, generators, and the eight laws.
#![allow(dead_code, reason = "each suite uses a part of it")]
#![expect(
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test that fails may panic, and its model is plain arithmetic on small numbers"
)]

pub(crate) mod bytes;
pub(crate) mod edges;
#[path = "gen.rs"]
pub(crate) mod generate;
pub(crate) mod ladders;
pub(crate) mod laws;
pub(crate) mod model;
pub(crate) mod nudge;
pub(crate) mod order;
pub(crate) mod paths;
pub(crate) mod read;
