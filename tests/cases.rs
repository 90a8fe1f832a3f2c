//! Faults that others shipped, kept out. Each test is named by the number of its entry in the log of
//! such faults that the project keeps; what the entry says is said again in one line.
//!
//! # What has its test elsewhere, or none
//! - B07, B98, B131: a change of bytes under stored keys. The layouts here have one meaning for ever;
//!   `b129_…` shows that another layout is refused, `tests/vectors.rs` that the bytes stay.
//! - B26, B28: compact integers. There are none: every integer has its full width.
//! - B80, B84, B86: page tokens that outlive their query. `tests/index.rs` (feature `cursor`); that a
//!   cursor is a whole key is `b76_…` here.
//! - B97: time zones. Nothing here converts; a timestamp is a number of microseconds.
//! - B115, B116, B117: JSON. There is no such kind.
//! - B119, B120, B122, B124: comparison images of text and the library that makes them. The images
//!   come from outside; that their producer is part of the layout is `b119_…`, that they are no text
//!   and have no fronts `b121_…` and `b125_…`.
//! - B135: ranks. An enum is its rank; that ranks keep gaps is the caller's, and documented.
//! - B151: an engine's limit on keys. Exact sizes and maxima are `b149_…`; a limit is the engine's.
//! - B152: bounds that are written to while a scan goes on. Bounds borrow their room, so that does
//!   not compile.
//! - B156: a comparator built wrong. There is none: bytes compare by `Ord`.
#![expect(
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test that fails may panic"
)]

#[path = "cases/api.rs"]
mod api;
#[path = "cases/composites.rs"]
mod composites;
#[path = "cases/hostile.rs"]
mod hostile;
#[path = "cases/nets.rs"]
mod nets;
#[path = "cases/numbers.rs"]
mod numbers;
#[path = "cases/orders.rs"]
mod orders;
#[path = "cases/pages.rs"]
mod pages;
#[path = "cases/ranges.rs"]
mod ranges;
#[path = "cases/schema.rs"]
mod schema;
#[path = "cases/strings.rs"]
mod strings;
#[path = "cases/times.rs"]
mod times;

use isotone::Builder;
use isotone::FieldOrder;

/// The key that `write` builds.
#[track_caller]
fn key(write: impl for<'a, 'b> FnOnce(&'a mut Builder<'b>) -> &'a mut Builder<'b>) -> Vec<u8> {
    let mut room = vec![0xa5; 4096];
    let mut key = Builder::new(&mut room);
    write(&mut key);
    key.finish().expect("a key").to_vec()
}

/// Keys of values in ascending order, strictly; in descending order too, and nothing is a prefix.
#[track_caller]
fn ascending<T: Copy + std::fmt::Debug>(
    values: &[T],
    write: impl for<'a, 'b> Fn(&'a mut Builder<'b>, T, FieldOrder) -> &'a mut Builder<'b>,
) {
    for order in (0..6).filter_map(FieldOrder::from_code) {
        let keys: Vec<Vec<u8>> = values.iter().map(|v| key(|key| write(key, *v, order))).collect();
        for (pair, keys) in values.windows(2).zip(keys.windows(2)) {
            assert_eq!(keys[0] < keys[1], !order.is_descending(), "{pair:?} under {order:?}");
            assert_ne!(keys[0], keys[1], "{pair:?}");
            assert!(!keys[1].starts_with(&keys[0]) && !keys[0].starts_with(&keys[1]), "{pair:?}");
        }
    }
}

fn unhex(hex: &str) -> Vec<u8> {
    let digits: Vec<u8> = hex.bytes().filter(u8::is_ascii_hexdigit).collect();
    let digit = |b: u8| char::from(b).to_digit(16).expect("a digit") as u8;
    digits.chunks(2).map(|pair| digit(pair[0]) << 4 | digit(pair[1])).collect()
}
