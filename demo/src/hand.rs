//! The ranges of the questions, written by hand: what there was before. Knows nothing of isotone.
//!
//! A text is its bytes and `00 00`; a zero in it is `00 ff`. A signed number has its top bit flipped,
//! big-endian. A field that descends has every byte complemented. A field that may be null has a tag
//! before it.

use std::ops::Bound;
use std::ops::Bound::Excluded;
use std::ops::Bound::Included;
use std::ops::Bound::Unbounded;

/// Where a range starts and ends.
pub(crate) type Hand = (Bound<Vec<u8>>, Bound<Vec<u8>>);

fn span(start: impl Into<Vec<u8>>, end: impl Into<Vec<u8>>) -> Hand {
    (Included(start.into()), Excluded(end.into()))
}

fn i64_key(n: i64) -> [u8; 8] {
    (n ^ i64::MIN).to_be_bytes()
}

fn i32_desc(n: i32) -> [u8; 4] {
    (!(n ^ i32::MIN)).to_be_bytes()
}

pub(crate) fn every_reading() -> Hand {
    (Unbounded, Unbounded)
}

/// The last byte of a text's end goes up by one: above all keys that begin with the text.
pub(crate) fn one_device() -> Hand {
    span(b"t2\0\0pump\0\0", b"t2\0\0pump\0\x01")
}

/// Severity 3, descending, is `fc`.
const ALARMS: &[u8] = b"t2\0\0pump\0\0\xfc";

pub(crate) fn six_seconds() -> Hand {
    span([ALARMS, &i64_key(-2)].concat(), [ALARMS, &i64_key(4)].concat())
}

/// Not from above 4 to behind -2: some engines panic when a range ends before it starts.
pub(crate) fn nothing() -> Hand {
    span([0], [0])
}

/// Severities 3 and 2 are `fc` and `fd`; nothing below `fc` was ever written.
pub(crate) fn severe() -> Hand {
    span(b"t10\0\0pump\0\xffspare\0\0", b"t10\0\0pump\0\xffspare\0\0\xfe")
}

pub(crate) fn split_seconds() -> Hand {
    let start = [ALARMS, &i64_key(0), &6939u64.to_be_bytes()].concat();
    let end = [ALARMS, &i64_key(3), &4050u64.to_be_bytes()].concat();
    span(start, end)
}

pub(crate) fn whole_seconds() -> Hand {
    span([ALARMS, &i64_key(-1)].concat(), [ALARMS, &i64_key(2)].concat())
}

/// From behind the pump's severity 3 (`fc`) to the end of pump-2's severity 2 (`fd`).
pub(crate) fn between_devices() -> Hand {
    span(b"t1\0\0pump\0\0\xfd", b"t1\0\0pump-2\0\0\xfe")
}

/// No end of the text here: whatever follows `pump`.
pub(crate) fn pumps() -> Hand {
    span(b"t3\0\0pump", b"t3\0\0pumq")
}

pub(crate) fn one_tenant() -> Hand {
    span(b"t1\0\0", b"t1\0\x01")
}

/// Behind the shards the keys are time and number.
pub(crate) fn last_arrivals() -> Hand {
    span(i64_key(20), i64_key(21))
}

pub(crate) fn few_arrivals() -> Hand {
    span(i64_key(-2), i64_key(4))
}

pub(crate) fn split_arrivals() -> Hand {
    let end = [i64_key(0), 4050u64.to_be_bytes()].concat();
    span([i64_key(-1), 6939u64.to_be_bytes()].concat(), end)
}

/// The latest day comes first: 31 July 2013 is day 4960 since 2000, and 30 June day 4929.
pub(crate) fn one_month() -> Hand {
    let seattle = b"Seattle\0\0";
    span([&seattle[..], &i32_desc(4960)].concat(), [&seattle[..], &i32_desc(4929)].concat())
}

pub(crate) fn new_places() -> Hand {
    span(b"New", b"Nex")
}

pub(crate) fn sun_and_snow() -> Hand {
    span(b"New York\0\0s", b"New York\0\0t")
}

/// 32.0 is `03` for positive, the power of its first digit, 1, and the digits 3 and 2 as `04 03`, then
/// `00`; all complemented. The end leaves 20.3 out.
pub(crate) fn wet_days() -> Hand {
    span(
        b"Seattle\0\0rain\0\0\xfc\x7f\xff\xff\xfe\xfb\xfc\xff",
        b"Seattle\0\0rain\0\0\xfc\x7f\xff\xff\xfe\xfc\xfe\xfb\xff",
    )
}

pub(crate) fn one_station() -> Hand {
    span(b"LGA\0\0", b"LGA\0\x01")
}

/// Nulls last: tag `01` is a null, and `00` a gust.
pub(crate) fn no_gust() -> Hand {
    span(b"JFK\0\0\x01", b"JFK\0\0\x02")
}

pub(crate) fn any_gust() -> Hand {
    span(b"JFK\0\0\0", b"JFK\0\0\x01")
}

/// From the strongest to 40.2773, every hour of it. As a double that is `40 44 23 7e 90 ff 97 24`; with
/// its sign flipped and all complemented, `3f bb dc 81 6f 00 68 db`. The end is one more.
pub(crate) fn strong_gust() -> Hand {
    span(b"JFK\0\0\0", b"JFK\0\0\0\x3f\xbb\xdc\x81\x6f\x00\x68\xdc")
}

/// From behind every hour of 23.0156, which is `3f c8 fc 01 a3 6e 2e b1`, to the station's end.
pub(crate) fn weak_gust() -> Hand {
    span(b"EWR\0\0\0\x3f\xc8\xfc\x01\xa3\x6e\x2e\xb2", b"EWR\0\x01")
}

/// Microseconds since 2000: 1 and 8 March 2013 are days 4808 and 4815.
pub(crate) fn calm_week() -> Hand {
    let nulls = b"JFK\0\0\x01";
    let start = [&nulls[..], &i64_key(415_411_200_000_000)].concat();
    let end = [&nulls[..], &i64_key(416_016_000_000_000)].concat();
    span(start, end)
}

/// Nulls first: tag `01` is a pressure. 985 is power 2, digits 9 8 5; 1000.1 is power 3, digits
/// 1 0 0 0 1.
pub(crate) fn low_pressure() -> Hand {
    span(b"LGA\0\0\x01\x03\x80\0\0\x02\x0a\x09\x06\0", b"LGA\0\0\x01\x03\x80\0\0\x03\x02\x01\x01\x01\x02\0")
}

pub(crate) fn any_pressure() -> Hand {
    span(b"EWR\0\0\x01", b"EWR\0\0\x02")
}
