//! Dates, times, timestamps, durations and intervals, in PostgreSQL's units and order.
//!
//! # Layout
//! One number each, in the signed payload of its width (big-endian, top bit flipped):
//! - date: `i32`, days since 2000-01-01
//! - time: `i64`, microseconds since midnight
//! - timestamp: `i64`, microseconds since 2000-01-01 00:00:00 (with a time zone: in UTC)
//! - duration: `i64`, microseconds
//! - timetz: `i64`, the instant as microseconds since midnight in UTC (local − east·10⁶), then `i32`,
//!   the seconds west of UTC (−east)
//! - interval: `i128`, µs + 86 400 000 000·(days + 30·months)
//!
//! The least and the greatest number of a date, timestamp or interval are −infinity and infinity.
//!
//! # Why this orders
//! The numbers compare as the values do. Of two times of day at one instant the one further east is
//! less, as in PostgreSQL. An interval is the length that PostgreSQL compares: a month is thirty days
//! and a day is 24 hours, so 1 month, 30 days and 720 hours are one key by design. The largest finite
//! length takes 73 bits, so nothing overflows.
//!
//! ```
//! use isotone::{AscNullsFirst, Builder, ZonedTime};
//! let mut room = [0u8; 13];
//! let mut key = Builder::new(&mut room);
//! key.timetz(ZonedTime::new(10 * 3_600_000_000, 2 * 3600), AscNullsFirst); // 10:00+02
//! assert_eq!(key.finish()?, [1, 0x80, 0, 0, 6, 0xb4, 0x9d, 0x20, 0, 0x7f, 0xff, 0xe3, 0xe0]);
//! # Ok::<(), isotone::Error>(())
//! ```

mod civil;
mod date;
mod display;
mod duration;
mod interval;
mod payload;
mod time;
mod timestamp;

pub use date::Date;
pub use duration::MicroDuration;
pub use interval::Interval;
pub use interval::IntervalScalar;
pub use time::Time;
pub use time::ZonedTime;
pub use timestamp::Timestamp;

/// Microseconds of a second.
const SECOND: i64 = 1_000_000;
/// Microseconds of a day.
const DAY: i64 = 86_400 * SECOND;

/// A value lies outside the domain of the type it was to become.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[error("value is outside the domain of the type")]
pub struct OutOfDomain;
