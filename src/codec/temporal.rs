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

use core::cmp::Ordering;
use core::fmt;
use core::hash::Hash;
use core::hash::Hasher;

use crate::error::Error;
use crate::order::Flip;
use crate::raw::input::Input;
use crate::raw::input::Take;
use crate::raw::sink::Invalid;
use crate::raw::sink::Payload;
use crate::raw::sink::Sink;

const SECOND: i64 = 1_000_000;
const DAY: i64 = 86_400 * SECOND;

/// Days from 1970-01-01 to 2000-01-01.
const UNIX_DAYS: i32 = 10_957;
/// Microseconds from 1970-01-01 to 2000-01-01.
const UNIX_MICROS: i64 = UNIX_DAYS as i64 * DAY;

/// Offsets from UTC are less than 16 hours either way.
const MAX_EAST: i32 = 16 * 3600 - 1;

/// A value lies outside the domain of the type it was to become.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[error("value is outside the domain of the type")]
pub struct OutOfDomain;

/// A day, counted from 2000-01-01 in the proleptic Gregorian calendar; or an infinity.
///
/// Any number can be held; writing one that is not [valid](Self::is_valid) is an
/// [`Error::InvalidValue`].
///
/// ```
/// use isotone::Date;
/// let day = Date::from_ymd(2024, 2, 29).unwrap();
/// assert_eq!(day.days(), 8825);
/// assert_eq!(day.to_string(), "2024-02-29");
/// assert_eq!(Date::from_unix_days(0).unwrap().to_string(), "1970-01-01");
/// assert!(Date::NEG_INFINITY < Date::MIN && Date::MAX < Date::INFINITY);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date(i32);

/// A time of day without a zone: microseconds since midnight, 24:00:00 included.
///
/// Any number can be held; writing one that is not [valid](Self::is_valid) is an
/// [`Error::InvalidValue`].
///
/// ```
/// use isotone::Time;
/// let time = Time::from_hms(9, 30, 0, 0).unwrap();
/// assert_eq!(time.micros(), 34_200_000_000);
/// assert_eq!(time.to_string(), "09:30:00");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(i64);

/// A time of day at an offset from UTC: PostgreSQL's `timetz`.
///
/// Ordered by the instant, and at one instant the one further east first. Any numbers can be held;
/// writing a value that is not [valid](Self::is_valid) is an [`Error::InvalidValue`].
///
/// ```
/// use isotone::ZonedTime;
/// let noon = ZonedTime::new(12 * 3_600_000_000, 0);
/// let same = ZonedTime::new(13 * 3_600_000_000, 3600);
/// assert_eq!((noon.to_string(), same.to_string()), ("12:00:00+00".into(), "13:00:00+01".into()));
/// assert!(same < noon);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ZonedTime {
    micros: i64,
    east: i32,
}

/// An instant, or a date and time of day without a zone: microseconds since 2000-01-01 00:00:00, in
/// UTC if there is a zone; or an infinity.
///
/// Any number can be held; writing one that is not [valid](Self::is_valid) is an
/// [`Error::InvalidValue`]. No time zone is ever looked up here.
///
/// ```
/// use isotone::Timestamp;
/// let t = Timestamp::from_unix_secs(1_700_000_000).unwrap();
/// assert_eq!(t.to_string(), "2023-11-14 22:13:20");
/// assert_eq!(Timestamp::from_unix_nanos(-1), Timestamp::from_unix_micros(-1)); // down, not to zero
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

/// An elapsed time of either sign in microseconds. Every number is valid.
///
/// ```
/// use isotone::MicroDuration;
/// let d = MicroDuration::try_from(core::time::Duration::from_millis(1500))?;
/// assert_eq!(d.micros(), 1_500_000);
/// assert_eq!(d.to_string(), "00:00:01.5");
/// # Ok::<(), isotone::OutOfDomain>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MicroDuration(i64);

/// Months, days and microseconds: PostgreSQL's `interval`. All three minimal or all three maximal is
/// an infinity.
///
/// Compared, hashed and stored as its [`IntervalScalar`], so an interval is equal to others with
/// other parts, and the parts can't be had back from a key.
///
/// ```
/// use isotone::Interval;
/// assert_eq!(Interval::new(1, 0, 0), Interval::new(0, 30, 0));
/// assert_eq!(Interval::new(0, 30, 0), Interval::new(0, 0, 720 * 3_600_000_000));
/// assert!(Interval::new(-1, 31, 0) > Interval::new(0, 0, 0));
/// assert_eq!(Interval::new(14, 3, 4_000_000).to_string(), "1 year 2 mons 3 days 00:00:04");
/// ```
#[derive(Clone, Copy)]
pub struct Interval {
    months: i32,
    days: i32,
    micros: i64,
}

/// What intervals are compared by, and what a key of one reads back as: the length in microseconds,
/// with months of thirty days and days of 24 hours; or an infinity.
///
/// ```
/// use isotone::{Interval, IntervalScalar};
/// let month = IntervalScalar::from(Interval::new(1, 0, 0));
/// assert_eq!(month.micros(), 2_592_000_000_000);
/// assert_eq!(month.to_string(), "720:00:00");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct IntervalScalar(i128);

impl Date {
    /// Before every day.
    pub const NEG_INFINITY: Date = Date(i32::MIN);
    /// The first valid day: 4714-11-24 BC, Julian day 0.
    pub const MIN: Date = Date(-2_451_545);
    /// The last valid day: 5874897-12-31.
    pub const MAX: Date = Date(2_145_031_948);
    /// After every day.
    pub const INFINITY: Date = Date(i32::MAX);
    /// 1970-01-01.
    pub const UNIX_EPOCH: Date = Date(-UNIX_DAYS);
    /// Days from 1970-01-01 to 2000-01-01.
    pub const EPOCH_UNIX_DAYS: i32 = UNIX_DAYS;

    /// Days since 2000-01-01, unchecked; `i32::MIN` and `i32::MAX` are the infinities.
    #[inline(always)]
    pub const fn from_days(days: i32) -> Date {
        Date(days)
    }

    /// Days since 2000-01-01.
    #[inline(always)]
    pub const fn days(self) -> i32 {
        self.0
    }

    /// Whether this can be written: an infinity, or a day from [`MIN`](Self::MIN) to
    /// [`MAX`](Self::MAX).
    #[inline]
    pub const fn is_valid(self) -> bool {
        (self.0 >= Date::MIN.0 && self.0 <= Date::MAX.0) || !self.is_finite()
    }

    /// Whether this is no infinity.
    #[inline]
    pub const fn is_finite(self) -> bool {
        self.0 != i32::MIN && self.0 != i32::MAX
    }

    /// The day that is `days` after 1970-01-01; `None` outside [`MIN`](Self::MIN) to
    /// [`MAX`](Self::MAX).
    pub const fn from_unix_days(days: i32) -> Option<Date> {
        match days.checked_sub(UNIX_DAYS) {
            Some(days) => Date(days).finite(),
            None => None,
        }
    }

    /// Days since 1970-01-01; `None` for an infinity or an invalid day.
    pub const fn to_unix_days(self) -> Option<i32> {
        match self.finite() {
            Some(date) => date.0.checked_add(UNIX_DAYS),
            None => None,
        }
    }

    /// The day of a year, month (from 1) and day of the month (from 1); `None` if there is no such
    /// day or it is outside [`MIN`](Self::MIN) to [`MAX`](Self::MAX). Year 0 is 1 BC.
    pub const fn from_ymd(year: i32, month: u8, day: u8) -> Option<Date> {
        match civil_days(year, month, day) {
            Some(days) if days >= Date::MIN.0 as i64 && days <= Date::MAX.0 as i64 => {
                #[expect(clippy::cast_possible_truncation, reason = "lies between two numbers of i32")]
                let days = days as i32;
                Some(Date(days))
            }
            _ => None,
        }
    }

    /// Year, month and day of the month, from 1 each; year 0 is 1 BC. `None` for an infinity.
    pub const fn to_ymd(self) -> Option<(i32, u8, u8)> {
        if self.is_finite() { Some(civil(self.0 as i64)) } else { None }
    }

    /// This if it is finite and valid.
    const fn finite(self) -> Option<Date> {
        if self.is_finite() && self.is_valid() { Some(self) } else { None }
    }
}

impl Time {
    /// 00:00:00, the first valid time of day.
    pub const MIN: Time = Time(0);
    /// 24:00:00, the last valid time of day.
    pub const MAX: Time = Time(DAY);

    /// Microseconds since midnight, unchecked.
    #[inline(always)]
    pub const fn from_micros(micros: i64) -> Time {
        Time(micros)
    }

    /// Microseconds since midnight.
    #[inline(always)]
    pub const fn micros(self) -> i64 {
        self.0
    }

    /// Whether this can be written: from [`MIN`](Self::MIN) to [`MAX`](Self::MAX).
    #[inline]
    pub const fn is_valid(self) -> bool {
        self.0 >= Time::MIN.0 && self.0 <= Time::MAX.0
    }

    /// An hour below 24, a minute and a second below 60, and microseconds below a million, or
    /// 24:00:00; else `None`.
    pub const fn from_hms(hour: u8, minute: u8, second: u8, micro: u32) -> Option<Time> {
        if hour > 24 || minute > 59 || second > 59 || micro > 999_999 {
            return None;
        }
        // In range: each part is below its bound, so the sum is below 25 hours.
        let seconds = (hour as i64).wrapping_mul(60).wrapping_add(minute as i64);
        let seconds = seconds.wrapping_mul(60).wrapping_add(second as i64);
        let time = Time(seconds.wrapping_mul(SECOND).wrapping_add(micro as i64));
        if time.is_valid() { Some(time) } else { None }
    }
}

impl ZonedTime {
    /// The farthest offset either way, in seconds: 15:59:59.
    pub const MAX_EAST_SECONDS: i32 = MAX_EAST;

    /// Microseconds since midnight on the local clock, and how many seconds that clock is east of
    /// UTC (`+01` is 3600); unchecked.
    #[inline(always)]
    pub const fn new(local_micros: i64, east_seconds: i32) -> ZonedTime {
        ZonedTime { micros: local_micros, east: east_seconds }
    }

    /// Microseconds since midnight on the local clock.
    #[inline(always)]
    pub const fn local_micros(self) -> i64 {
        self.micros
    }

    /// The time of day on the local clock.
    #[inline(always)]
    pub const fn local(self) -> Time {
        Time(self.micros)
    }

    /// Seconds east of UTC.
    #[inline(always)]
    pub const fn east_seconds(self) -> i32 {
        self.east
    }

    /// Whether this can be written: a valid local [`Time`], less than 16 hours from UTC.
    #[inline]
    pub const fn is_valid(self) -> bool {
        Time(self.micros).is_valid() && self.east >= -MAX_EAST && self.east <= MAX_EAST
    }

    /// What is compared, most significant first. Wide enough for what is not valid, too.
    #[inline]
    fn rank(self) -> (i128, i64) {
        // In range: both products and the difference fit 66 bits.
        let east = i128::from(self.east).wrapping_mul(i128::from(SECOND));
        (i128::from(self.micros).wrapping_sub(east), i64::from(self.east).wrapping_neg())
    }
}

impl Timestamp {
    /// Before every instant.
    pub const NEG_INFINITY: Timestamp = Timestamp(i64::MIN);
    /// The first valid instant: 4714-11-24 00:00:00 BC.
    pub const MIN: Timestamp = Timestamp(-211_813_488_000_000_000);
    /// The last valid instant: 294276-12-31 23:59:59.999999.
    pub const MAX: Timestamp = Timestamp(9_223_371_331_199_999_999);
    /// After every instant.
    pub const INFINITY: Timestamp = Timestamp(i64::MAX);
    /// 1970-01-01 00:00:00.
    pub const UNIX_EPOCH: Timestamp = Timestamp(-UNIX_MICROS);
    /// Microseconds from 1970-01-01 00:00:00 to 2000-01-01 00:00:00.
    pub const EPOCH_UNIX_MICROS: i64 = UNIX_MICROS;

    /// Microseconds since 2000-01-01 00:00:00, unchecked; `i64::MIN` and `i64::MAX` are the
    /// infinities.
    #[inline(always)]
    pub const fn from_micros(micros: i64) -> Timestamp {
        Timestamp(micros)
    }

    /// Microseconds since 2000-01-01 00:00:00.
    #[inline(always)]
    pub const fn micros(self) -> i64 {
        self.0
    }

    /// Whether this can be written: an infinity, or from [`MIN`](Self::MIN) to [`MAX`](Self::MAX).
    #[inline]
    pub const fn is_valid(self) -> bool {
        (self.0 >= Timestamp::MIN.0 && self.0 <= Timestamp::MAX.0) || !self.is_finite()
    }

    /// Whether this is no infinity.
    #[inline]
    pub const fn is_finite(self) -> bool {
        self.0 != i64::MIN && self.0 != i64::MAX
    }

    /// The instant `secs` seconds after 1970-01-01 00:00:00 UTC; `None` outside [`MIN`](Self::MIN)
    /// to [`MAX`](Self::MAX).
    pub const fn from_unix_secs(secs: i64) -> Option<Timestamp> {
        match secs.checked_mul(SECOND) {
            Some(micros) => Timestamp::from_unix_micros(micros),
            None => None,
        }
    }

    /// The instant `micros` microseconds after 1970-01-01 00:00:00 UTC; `None` outside
    /// [`MIN`](Self::MIN) to [`MAX`](Self::MAX).
    pub const fn from_unix_micros(micros: i64) -> Option<Timestamp> {
        match micros.checked_sub(UNIX_MICROS) {
            Some(micros) => Timestamp(micros).finite(),
            None => None,
        }
    }

    /// The last microsecond that is not after `nanos` nanoseconds after 1970-01-01 00:00:00 UTC;
    /// `None` outside [`MIN`](Self::MIN) to [`MAX`](Self::MAX).
    pub fn from_unix_nanos(nanos: i128) -> Option<Timestamp> {
        Timestamp::from_unix_micros(i64::try_from(nanos.div_euclid(1000)).ok()?)
    }

    /// Whole seconds since 1970-01-01 00:00:00 UTC, rounded down (−0.5 s is second −1); `None` for
    /// an infinity or an invalid instant.
    pub const fn to_unix_secs(self) -> Option<i64> {
        match self.finite() {
            // Divided first, as the last instants don't fit in microseconds since 1970.
            Some(time) => time.0.div_euclid(SECOND).checked_add(UNIX_MICROS / SECOND),
            None => None,
        }
    }

    /// Microseconds since 1970-01-01 00:00:00 UTC; `None` for an infinity or an invalid instant,
    /// and for the last 30 years before [`MAX`](Self::MAX), which don't fit.
    pub const fn to_unix_micros(self) -> Option<i64> {
        match self.finite() {
            Some(time) => time.0.checked_add(UNIX_MICROS),
            None => None,
        }
    }

    /// A day and a time of day; `None` outside [`MIN`](Self::MIN) to [`MAX`](Self::MAX). 24:00:00 is
    /// midnight of the next day.
    pub const fn from_date_time(date: Date, time: Time) -> Option<Timestamp> {
        if !date.is_finite() || !time.is_valid() {
            return None;
        }
        match (date.0 as i64).checked_mul(DAY) {
            Some(midnight) => match midnight.checked_add(time.0) {
                Some(micros) => Timestamp(micros).finite(),
                None => None,
            },
            None => None,
        }
    }

    /// The day and the time of day; `None` for an infinity.
    pub fn to_date_time(self) -> Option<(Date, Time)> {
        // In range: an i64 of microseconds is fewer than 2^27 days.
        let days = i32::try_from(self.0.div_euclid(DAY)).ok()?;
        self.is_finite().then_some((Date(days), Time(self.0.rem_euclid(DAY))))
    }

    /// This if it is finite and valid.
    const fn finite(self) -> Option<Timestamp> {
        if self.is_finite() && self.is_valid() { Some(self) } else { None }
    }
}

impl MicroDuration {
    /// The least.
    pub const MIN: MicroDuration = MicroDuration(i64::MIN);
    /// Nothing.
    pub const ZERO: MicroDuration = MicroDuration(0);
    /// The greatest.
    pub const MAX: MicroDuration = MicroDuration(i64::MAX);

    /// Microseconds.
    #[inline(always)]
    pub const fn from_micros(micros: i64) -> MicroDuration {
        MicroDuration(micros)
    }

    /// Microseconds.
    #[inline(always)]
    pub const fn micros(self) -> i64 {
        self.0
    }
}

impl Interval {
    /// Less than every finite interval.
    pub const NEG_INFINITY: Interval = Interval::new(i32::MIN, i32::MIN, i64::MIN);
    /// Greater than every finite interval.
    pub const INFINITY: Interval = Interval::new(i32::MAX, i32::MAX, i64::MAX);

    /// From its parts. Every combination is valid.
    #[inline(always)]
    pub const fn new(months: i32, days: i32, micros: i64) -> Interval {
        Interval { months, days, micros }
    }

    /// The part in months.
    #[inline(always)]
    pub const fn months(self) -> i32 {
        self.months
    }

    /// The part in days.
    #[inline(always)]
    pub const fn days(self) -> i32 {
        self.days
    }

    /// The part in microseconds.
    #[inline(always)]
    pub const fn micros(self) -> i64 {
        self.micros
    }

    /// Whether this is no infinity.
    #[inline]
    pub const fn is_finite(self) -> bool {
        self.scalar().is_finite()
    }

    /// What this is compared by and stored as.
    #[inline]
    pub const fn scalar(self) -> IntervalScalar {
        match (self.months, self.days, self.micros) {
            (i32::MIN, i32::MIN, i64::MIN) => IntervalScalar::NEG_INFINITY,
            (i32::MAX, i32::MAX, i64::MAX) => IntervalScalar::INFINITY,
            (months, days, micros) => {
                // In range: 30·2^31 + 2^31 days of fewer than 2^37 µs, and 2^63 µs, are below 2^73.
                let days = (months as i128).wrapping_mul(30).wrapping_add(days as i128);
                IntervalScalar(days.wrapping_mul(DAY as i128).wrapping_add(micros as i128))
            }
        }
    }
}

impl IntervalScalar {
    /// Less than every finite length.
    pub const NEG_INFINITY: IntervalScalar = IntervalScalar(i128::MIN);
    /// The least finite length.
    pub const MIN: IntervalScalar = IntervalScalar(-5_761_043_574_840_054_775_807);
    /// The greatest finite length.
    pub const MAX: IntervalScalar = IntervalScalar(5_761_043_572_161_654_775_806);
    /// Greater than every finite length.
    pub const INFINITY: IntervalScalar = IntervalScalar(i128::MAX);

    /// A length in microseconds, unchecked; `i128::MIN` and `i128::MAX` are the infinities.
    #[inline(always)]
    pub const fn from_micros(micros: i128) -> IntervalScalar {
        IntervalScalar(micros)
    }

    /// The length in microseconds.
    #[inline(always)]
    pub const fn micros(self) -> i128 {
        self.0
    }

    /// Whether this can be written: an infinity, or the length of some finite interval, from
    /// [`MIN`](Self::MIN) to [`MAX`](Self::MAX).
    #[inline]
    pub const fn is_valid(self) -> bool {
        (self.0 >= IntervalScalar::MIN.0 && self.0 <= IntervalScalar::MAX.0) || !self.is_finite()
    }

    /// Whether this is no infinity.
    #[inline]
    pub const fn is_finite(self) -> bool {
        self.0 != i128::MIN && self.0 != i128::MAX
    }
}

macro_rules! scalars {
    ($($kind:ident($int:ty);)*) => {$(
        impl Payload for $kind {
            #[inline(always)]
            fn put<S: Sink>(&self, sink: &mut S, flip: Flip) -> Result<(), Invalid> {
                if self.is_valid() { self.0.put(sink, flip) } else { Err(Invalid::Value) }
            }
        }

        impl Take<'_> for $kind {
            #[inline(always)]
            fn take(input: &mut Input<'_>, flip: Flip) -> Result<Self, Error> {
                let read = $kind(<$int>::take(input, flip)?);
                if read.is_valid() { Ok(read) } else { Err(input.malformed()) }
            }
        }
    )*};
}

scalars! { Date(i32); Time(i64); Timestamp(i64); IntervalScalar(i128); }

impl Payload for MicroDuration {
    #[inline(always)]
    fn put<S: Sink>(&self, sink: &mut S, flip: Flip) -> Result<(), Invalid> {
        self.0.put(sink, flip)
    }
}

impl Take<'_> for MicroDuration {
    #[inline(always)]
    fn take(input: &mut Input<'_>, flip: Flip) -> Result<Self, Error> {
        i64::take(input, flip).map(MicroDuration)
    }
}

impl Payload for Interval {
    #[inline(always)]
    fn put<S: Sink>(&self, sink: &mut S, flip: Flip) -> Result<(), Invalid> {
        // Valid: the finite bounds are what the parts can reach.
        self.scalar().0.put(sink, flip)
    }
}

impl Payload for ZonedTime {
    #[inline(always)]
    fn put<S: Sink>(&self, sink: &mut S, flip: Flip) -> Result<(), Invalid> {
        if !self.is_valid() {
            return Err(Invalid::Value);
        }
        // In range: the local time is within a day and the offset within 16 hours.
        let utc = self.micros.wrapping_sub(i64::from(self.east).wrapping_mul(SECOND));
        let [a, b, c, d, e, f, g, h] = (utc ^ i64::MIN).to_be_bytes();
        let [i, j, k, l] = (self.east.wrapping_neg() ^ i32::MIN).to_be_bytes();
        sink.put([a, b, c, d, e, f, g, h, i, j, k, l], flip);
        Ok(())
    }
}

impl Take<'_> for ZonedTime {
    #[inline(always)]
    fn take(input: &mut Input<'_>, flip: Flip) -> Result<Self, Error> {
        let [a, b, c, d, e, f, g, h, i, j, k, l] = input.array::<12>(flip)?;
        let utc = i64::from_be_bytes([a, b, c, d, e, f, g, h]) ^ i64::MIN;
        let west = i32::from_be_bytes([i, j, k, l]) ^ i32::MIN;
        // In range: an i32 of seconds is below 2^51 µs. What overflows here is far outside a day.
        let east = i64::from(west).wrapping_neg().wrapping_mul(SECOND);
        let local = utc.saturating_add(east);
        let read = ZonedTime { micros: local, east: west.wrapping_neg() };
        if read.is_valid() { Ok(read) } else { Err(input.malformed()) }
    }
}

impl Ord for ZonedTime {
    fn cmp(&self, other: &Self) -> Ordering {
        self.rank().cmp(&other.rank())
    }
}

impl PartialOrd for ZonedTime {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Interval {
    fn cmp(&self, other: &Self) -> Ordering {
        self.scalar().cmp(&other.scalar())
    }
}

impl PartialOrd for Interval {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Interval {
    fn eq(&self, other: &Self) -> bool {
        self.scalar() == other.scalar()
    }
}

impl Eq for Interval {}

impl Hash for Interval {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.scalar().hash(state);
    }
}

impl From<Interval> for IntervalScalar {
    #[inline]
    fn from(interval: Interval) -> Self {
        interval.scalar()
    }
}

impl From<MicroDuration> for Interval {
    /// The same length, all of it in microseconds.
    #[inline]
    fn from(duration: MicroDuration) -> Self {
        Interval::new(0, 0, duration.0)
    }
}

impl TryFrom<core::time::Duration> for MicroDuration {
    type Error = OutOfDomain;

    /// Exact: a fraction of a microsecond is refused rather than dropped, as is what exceeds `i64`.
    fn try_from(duration: core::time::Duration) -> Result<Self, OutOfDomain> {
        if duration.subsec_nanos() % 1000 != 0 {
            return Err(OutOfDomain);
        }
        i64::try_from(duration.as_micros()).map(MicroDuration).map_err(|_| OutOfDomain)
    }
}

impl TryFrom<MicroDuration> for core::time::Duration {
    type Error = OutOfDomain;

    /// A negative duration is refused.
    fn try_from(duration: MicroDuration) -> Result<Self, OutOfDomain> {
        u64::try_from(duration.0).map(core::time::Duration::from_micros).map_err(|_| OutOfDomain)
    }
}

/// Days from 0000-03-01 to 2000-01-01. Counted from there a leap day is the last day of a year, of
/// four years, and of four centuries.
const FROM_MARCH: i64 = 730_425;
/// Days in four hundred years.
const ERA: i64 = 146_097;

/// Year, month and day of the month of a day counted from 2000-01-01.
#[expect(clippy::arithmetic_side_effects, reason = "days is an i32, so all of it is far inside i64")]
#[expect(clippy::cast_possible_truncation, reason = "years of an i32 of days, months, and days of a month")]
#[expect(clippy::cast_sign_loss, reason = "months and days of a month")]
const fn civil(days: i64) -> (i32, u8, u8) {
    let days = days + FROM_MARCH;
    let era = days.div_euclid(ERA);
    let of_era = days.rem_euclid(ERA);
    // A leap day less for each four years, but for each hundred, but for all four hundred.
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    // Five months from March on have 153 days, and again, and again.
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    ((era * 400 + year + next) as i32, month as u8, day as u8)
}

/// Days from 2000-01-01 to this day; `None` if there is no such day.
#[expect(clippy::arithmetic_side_effects, reason = "year is an i32, so all of it is far inside i64")]
const fn civil_days(year: i32, month: u8, day: u8) -> Option<i64> {
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let last = match month {
        2 => 28 + leap as u8,
        4 | 6 | 9 | 11 => 30,
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        _ => return None,
    };
    if day < 1 || day > last {
        return None;
    }
    // January and February count to the year before.
    let (year, month) = match month {
        1 | 2 => (year as i64 - 1, month as i64 + 9),
        _ => (year as i64, month as i64 - 3),
    };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * month + 2) / 5 + day as i64 - 1;
    Some(era * ERA + of_era * 365 + of_era / 4 - of_era / 100 + of_year - FROM_MARCH)
}

/// `HH:MM:SS`, and a fraction without zeros at its end.
fn clock(f: &mut fmt::Formatter<'_>, micros: u128) -> fmt::Result {
    let (seconds, mut fraction) = (micros / 1_000_000, micros % 1_000_000);
    write!(f, "{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)?;
    if fraction == 0 {
        return Ok(());
    }
    let mut width = 6usize;
    while fraction % 10 == 0 {
        fraction /= 10;
        width = width.saturating_sub(1);
    }
    write!(f, ".{fraction:0width$}")
}

/// A sign if negative, then as [`clock`].
fn signed_clock(f: &mut fmt::Formatter<'_>, micros: i128) -> fmt::Result {
    f.write_str(if micros < 0 { "-" } else { "" })?;
    clock(f, micros.unsigned_abs())
}

/// The day, but for the mark of an era that follows the time of day.
fn day(f: &mut fmt::Formatter<'_>, (year, month, day): (i32, u8, u8)) -> Result<&'static str, fmt::Error> {
    // In range: a day's year is far inside i32.
    let (shown, era) = if year > 0 { (year, "") } else { (1i32.wrapping_sub(year), " BC") };
    write!(f, "{shown:04}-{month:02}-{day:02}")?;
    Ok(era)
}

fn infinity(f: &mut fmt::Formatter<'_>, negative: bool) -> fmt::Result {
    f.write_str(if negative { "-infinity" } else { "infinity" })
}

impl fmt::Display for Date {
    /// As PostgreSQL does: `2024-02-29`, `0044-03-15 BC`, `infinity`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.to_ymd() {
            Some(ymd) => {
                let era = day(f, ymd)?;
                f.write_str(era)
            }
            None => infinity(f, self.0 < 0),
        }
    }
}

impl fmt::Display for Time {
    /// As PostgreSQL does: `09:30:00`, `23:59:59.5`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        signed_clock(f, self.0.into())
    }
}

impl fmt::Display for ZonedTime {
    /// As PostgreSQL does: `09:30:00+02`, `09:30:00-03:30`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.local().fmt(f)?;
        let east = self.east.unsigned_abs();
        write!(f, "{}{:02}", if self.east < 0 { '-' } else { '+' }, east / 3600)?;
        if east % 3600 != 0 {
            write!(f, ":{:02}", east / 60 % 60)?;
        }
        if east % 60 != 0 {
            write!(f, ":{:02}", east % 60)?;
        }
        Ok(())
    }
}

impl fmt::Display for Timestamp {
    /// As PostgreSQL does for one without a zone: `2024-02-29 09:30:00.5`, `infinity`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.to_date_time() {
            Some((date, time)) => {
                let era = day(f, civil(date.0.into()))?;
                write!(f, " {time}{era}")
            }
            None => infinity(f, self.0 < 0),
        }
    }
}

impl fmt::Display for MicroDuration {
    /// Hours, minutes, seconds: `-00:00:01.5`, `720:00:00`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        signed_clock(f, self.0.into())
    }
}

impl fmt::Display for IntervalScalar {
    /// Hours, minutes, seconds: `720:00:00`; or `infinity`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_finite() { signed_clock(f, self.0) } else { infinity(f, self.0 < 0) }
    }
}

impl fmt::Display for Interval {
    /// As PostgreSQL does: `1 year 2 mons -3 days +04:05:06`, `00:00:00`, `infinity`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.is_finite() {
            return infinity(f, self.months < 0);
        }
        let parts = [(self.months / 12, "year"), (self.months % 12, "mon"), (self.days, "day")];
        // A positive part behind a negative one shows its sign.
        let (mut space, mut negative) = ("", false);
        for (n, unit) in parts.into_iter().filter(|(n, _)| *n != 0) {
            let plus = if negative && n > 0 { "+" } else { "" };
            write!(f, "{space}{plus}{n} {unit}{}", if n == 1 { "" } else { "s" })?;
            (space, negative) = (" ", n < 0);
        }
        if self.micros == 0 && !space.is_empty() {
            return Ok(());
        }
        f.write_str(space)?;
        f.write_str(if negative && self.micros >= 0 { "+" } else { "" })?;
        signed_clock(f, self.micros.into())
    }
}

macro_rules! debug_as_displayed {
    ($($kind:ident)*) => {$(
        impl fmt::Debug for $kind {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($kind), "({})"), self)
            }
        }
    )*};
}

debug_as_displayed! { Date Time ZonedTime Timestamp MicroDuration Interval IntervalScalar }

#[cfg(test)]
mod tests {
    use std::format;
    use std::prelude::v1::*;
    use std::vec;

    use super::*;
    use crate::raw::sink::Room;
    use core::fmt::Debug;

    fn bytes<P: Payload>(value: P, flip: Flip) -> Vec<u8> {
        let mut room = vec![0xaa; value.size().unwrap()];
        value.put(&mut Room::new(&mut room), flip).unwrap();
        room
    }

    fn take<'k, T: Take<'k>>(key: &'k [u8], flip: Flip) -> Result<T, Error> {
        T::take(&mut Input::new(key, 0), flip)
    }

    /// The values are ascending and so are their keys; each reads back; cuts are truncated; a changed
    /// byte is malformed or another value.
    #[track_caller]
    fn check<T>(values: &[T])
    where
        T: Payload + for<'k> Take<'k> + Ord + Copy + Debug,
    {
        assert!(values.is_sorted_by(|a, b| a < b));
        for flip in [Flip::No, Flip::Yes] {
            for a in values {
                let key = bytes(a, flip);
                assert_eq!(take(&key, flip), Ok(*a));
                for cut in 0..key.len() {
                    assert_eq!(take::<T>(&key[..cut], flip), Err(Error::TruncatedKey { at: cut }));
                }
                for (at, byte) in (0..key.len()).flat_map(|at| (0..=255).map(move |byte| (at, byte))) {
                    let mut bad = key.clone();
                    bad[at] = byte;
                    match take::<T>(&bad, flip) {
                        Ok(read) => assert_eq!(bytes(read, flip), bad),
                        Err(e) => assert_eq!(e, Error::MalformedKey { at: 0 }),
                    }
                }
                for b in values {
                    let order = key.cmp(&bytes(b, flip));
                    assert_eq!(if flip == Flip::No { order } else { order.reverse() }, a.cmp(b), "{a:?} {b:?}");
                }
            }
        }
    }

    /// The value is not written, and the bytes it would have are not read.
    #[track_caller]
    fn reject<T>(value: T, plain: impl Payload)
    where
        T: Payload + for<'k> Take<'k> + PartialEq + Debug,
    {
        let mut room = [0xaa; 16];
        assert_eq!(value.put(&mut Room::new(&mut room), Flip::No), Err(Invalid::Value));
        assert_eq!(room, [0xaa; 16]);
        assert_eq!(value.size(), Err(Invalid::Value));
        for flip in [Flip::No, Flip::Yes] {
            assert_eq!(take::<T>(&bytes(&plain, flip), flip), Err(Error::MalformedKey { at: 0 }));
        }
    }

    #[test]
    fn vectors() {
        assert_eq!(bytes(Date::from_days(0), Flip::No), [0x80, 0, 0, 0]);
        assert_eq!(bytes(Date::from_days(-1), Flip::Yes), [0x80, 0, 0, 0]);
        assert_eq!(bytes(Time::MAX, Flip::No), [0x80, 0, 0, 0x14, 0x1d, 0xd7, 0x60, 0]);
        let ten = ZonedTime::new(36_000_000_000, 7200);
        assert_eq!(bytes(ten, Flip::No), [0x80, 0, 0, 6, 0xb4, 0x9d, 0x20, 0, 0x7f, 0xff, 0xe3, 0xe0]);
        let month = [0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0x5b, 0x7f, 0x3d, 0x40, 0];
        assert_eq!(bytes(Interval::new(1, 0, 0), Flip::No), month);
        assert_eq!(bytes(Interval::new(0, 30, 0).scalar(), Flip::No), month);
        assert_eq!(bytes(Interval::NEG_INFINITY, Flip::No), [0; 16]);
        assert_eq!(bytes(Interval::INFINITY, Flip::No), [0xff; 16]);
        assert_eq!(bytes(Timestamp::NEG_INFINITY, Flip::No), [0; 8]);
        assert_eq!(bytes(Timestamp::INFINITY, Flip::Yes), [0; 8]);
    }

    #[test]
    fn edges_are_in_order_and_read_back() {
        use IntervalScalar as S;
        let dates = [Date::MIN.0, Date::MIN.0 + 1, -UNIX_DAYS, -1, 0, 1, 255, 256, Date::MAX.0 - 1, Date::MAX.0];
        let dates = dates.map(Date);
        check(&dates);
        check(&[Date::NEG_INFINITY, Date::MIN, Date(0), Date::MAX, Date::INFINITY]);
        check(&[0, 1, 255, 256, 999_999, SECOND, DAY - 1, DAY].map(Time));
        let stamps =
            [Timestamp::MIN.0, Timestamp::MIN.0 + 1, -UNIX_MICROS, -1, 0, 1, Timestamp::MAX.0 - 1, Timestamp::MAX.0];
        let stamps = stamps.map(Timestamp);
        check(&stamps);
        check(&[Timestamp::NEG_INFINITY, Timestamp::MIN, Timestamp(0), Timestamp::MAX, Timestamp::INFINITY]);
        check(&[i64::MIN, i64::MIN + 1, -1, 0, 1, i64::MAX - 1, i64::MAX].map(MicroDuration));
        check(&[S::NEG_INFINITY, S::MIN, S(S::MIN.0 + 1), S(-1), S(0), S(1), S(S::MAX.0 - 1), S::MAX, S::INFINITY]);
        let zoned = |micros, east| ZonedTime::new(micros, east);
        check(&[
            zoned(0, MAX_EAST),
            zoned(1, MAX_EAST),
            zoned(3600 * SECOND, MAX_EAST),
            zoned(13 * 3600 * SECOND, 3600),
            zoned(12 * 3600 * SECOND, 0),
            zoned(11 * 3600 * SECOND, -3600),
            zoned(12 * 3600 * SECOND + 1, 0),
            zoned(DAY, 0),
        ]);
        check(&[zoned(0, 1), zoned(0, 0), zoned(0, -1), zoned(0, -MAX_EAST), zoned(DAY, -MAX_EAST)]);
    }

    #[test]
    fn reject_one_past_every_edge() {
        for days in [i32::MIN + 1, Date::MIN.0 - 1, Date::MAX.0 + 1, i32::MAX - 1] {
            reject(Date(days), days);
        }
        for micros in [i64::MIN, -1, DAY + 1, i64::MAX] {
            reject(Time(micros), micros);
        }
        for micros in [i64::MIN + 1, Timestamp::MIN.0 - 1, Timestamp::MAX.0 + 1, i64::MAX - 1] {
            reject(Timestamp(micros), micros);
        }
        for micros in [i128::MIN + 1, IntervalScalar::MIN.0 - 1, IntervalScalar::MAX.0 + 1, i128::MAX - 1] {
            reject(IntervalScalar(micros), micros);
        }
        // Each half as its own payload gives the bytes that are not to be read.
        struct Raw(i64, i32);
        impl Payload for Raw {
            fn put<S: Sink>(&self, sink: &mut S, flip: Flip) -> Result<(), Invalid> {
                self.0.put(sink, flip)?;
                self.1.put(sink, flip)
            }
        }
        for (micros, east) in [(-1, 0), (DAY + 1, 0), (0, MAX_EAST + 1), (0, -MAX_EAST - 1), (DAY + 1, -1), (-1, 1)] {
            reject(ZonedTime::new(micros, east), Raw(micros - i64::from(east) * SECOND, -east));
        }
        for (utc, west) in [(i64::MIN, i32::MIN), (i64::MIN, i32::MAX), (i64::MAX, i32::MIN), (i64::MAX, i32::MAX)] {
            for flip in [Flip::No, Flip::Yes] {
                let read = take::<ZonedTime>(&bytes(Raw(utc, west), flip), flip);
                assert_eq!(read, Err(Error::MalformedKey { at: 0 }));
            }
        }
        for (micros, east) in [(i64::MIN, i32::MIN), (i64::MAX, i32::MIN), (i64::MIN, i32::MAX), (0, i32::MIN)] {
            assert_eq!(ZonedTime::new(micros, east).size(), Err(Invalid::Value));
        }
    }

    #[test]
    fn zoned_times_sort_by_instant_then_east_first() {
        let mut all = Vec::new();
        for quarter in 0..=8 {
            for east in [-MAX_EAST, -7200, -3600, -1, 0, 1, 3600, 7200, MAX_EAST] {
                all.push(ZonedTime::new(quarter * 3600 * SECOND, east));
            }
        }
        for a in &all {
            for b in &all {
                let instant = |z: &ZonedTime| z.micros - i64::from(z.east) * SECOND;
                let want = instant(a).cmp(&instant(b)).then(b.east.cmp(&a.east));
                assert_eq!(a.cmp(b), want);
                assert_eq!(a == b, want.is_eq());
                assert_eq!(bytes(a, Flip::No).cmp(&bytes(b, Flip::No)), want);
            }
        }
    }

    #[test]
    fn intervals_equal_exactly_when_their_keys_do() {
        let parts = [
            (i32::MIN, i32::MIN, i64::MIN),
            (i32::MIN, i32::MIN, i64::MIN + 1),
            (i32::MIN, i32::MIN + 1, i64::MIN),
            (i32::MIN + 1, i32::MIN, i64::MIN),
            (i32::MIN, 0, 0),
            (-1, 31, 0),
            (0, 1, 0),
            (0, 0, DAY),
            (1, -30, 0),
            (0, 0, 0),
            (1, 0, 0),
            (0, 30, 0),
            (0, 0, 30 * DAY),
            (12 * 5000, 0, 0),
            (0, 0, i64::MAX),
            (12 * 178_000_000, 0, 0),
            (i32::MAX, i32::MAX, i64::MAX - 1),
            (i32::MAX, i32::MAX, i64::MAX),
        ];
        let all = parts.map(|(m, d, us)| Interval::new(m, d, us));
        for (i, a) in all.iter().enumerate() {
            assert!(a.scalar().is_valid());
            assert_eq!(a.is_finite(), i != 0 && i != all.len() - 1);
            assert_eq!(take(&bytes(a, Flip::Yes), Flip::Yes), Ok(a.scalar()));
            for b in &all {
                assert_eq!(bytes(a, Flip::No).cmp(&bytes(b, Flip::No)), a.cmp(b), "{a} {b}");
                assert_eq!(a == b, a.cmp(b).is_eq());
            }
        }
        assert_eq!(all[1].scalar(), IntervalScalar::MIN);
        assert_eq!(all[16].scalar(), IntervalScalar::MAX);
        assert!(all[5] == all[6] && all[6] == all[7] && all[8] == all[9] && all[10] == all[12]);
    }

    #[test]
    fn civil_days_walk_the_calendar() {
        // Every day of 800 years about the epoch and about the year 0, and the days at both ends.
        for start in [-2_451_545i64, -740_000, -150_000, Date::MAX.0 as i64 - 292_194] {
            let mut last = civil(start - 1);
            for days in start..start + 292_195 {
                let (y, m, d) = civil(days);
                assert_eq!(civil_days(y, m, d), Some(days));
                let next = match last {
                    (ly, 12, 31) => (ly + 1, 1, 1),
                    (ly, lm, ld) if civil_days(ly, lm, ld + 1).is_some() => (ly, lm, ld + 1),
                    (ly, lm, _) => (ly, lm + 1, 1),
                };
                assert_eq!((y, m, d), next);
                last = next;
            }
        }
        assert_eq!(Date::MAX.to_ymd(), Some((5_874_897, 12, 31)));
        assert_eq!(Date::MIN.to_ymd(), Some((-4713, 11, 24)));
        assert_eq!(Date::from_ymd(2000, 1, 1), Some(Date(0)));
        assert_eq!(Date::from_ymd(1970, 1, 1), Some(Date::UNIX_EPOCH));
        assert_eq!(Date::from_ymd(-4713, 11, 24), Some(Date::MIN));
        assert_eq!(Date::from_ymd(5_874_897, 12, 31), Some(Date::MAX));
        for (y, m, d) in [
            (-4713, 11, 23),
            (5_874_898, 1, 1),
            (i32::MIN, 1, 1),
            (i32::MAX, 12, 31),
            (2023, 2, 29),
            (1900, 2, 29),
            (2000, 2, 30),
            (2000, 4, 31),
            (2000, 0, 1),
            (2000, 13, 1),
            (2000, 1, 0),
            (2000, 1, 32),
            (2000, 255, 255),
        ] {
            assert_eq!(Date::from_ymd(y, m, d), None, "{y}-{m}-{d}");
        }
        assert!(Date::from_ymd(1600, 2, 29).is_some() && Date::from_ymd(0, 2, 29).is_some());
        assert_eq!(Date::INFINITY.to_ymd(), None);
    }

    #[test]
    fn unix_conversions_round_down_and_know_their_ends() {
        assert_eq!(Timestamp::from_unix_micros(0), Some(Timestamp::UNIX_EPOCH));
        for (nanos, micros, secs) in
            [(-1, -1, -1), (-1000, -1, -1), (-1001, -2, -1), (999, 0, 0), (-500_000_000, -500_000, -1)]
        {
            let t = Timestamp::from_unix_nanos(nanos).unwrap();
            assert_eq!(t.to_unix_micros(), Some(micros));
            assert_eq!(t.to_unix_secs(), Some(secs));
        }
        let secs = Timestamp::MAX.to_unix_secs().unwrap();
        assert!(Timestamp::from_unix_secs(secs).is_none()); // no i64 of microseconds since 1970
        let t = Timestamp::from_unix_secs(-2_000_000_000).unwrap();
        assert_eq!(t.to_unix_secs(), Some(-2_000_000_000));
        let first = Timestamp::MIN.to_unix_micros().unwrap();
        assert_eq!(Timestamp::from_unix_micros(first), Some(Timestamp::MIN));
        assert_eq!(Timestamp::from_unix_micros(first - 1), None);
        assert_eq!(Timestamp::MAX.to_unix_micros(), None);
        for t in [Timestamp::INFINITY, Timestamp::NEG_INFINITY, Timestamp(i64::MAX - 1)] {
            assert_eq!((t.to_unix_micros(), t.to_unix_secs()), (None, None));
        }
        assert_eq!(Timestamp::from_unix_secs(i64::MIN), None);
        assert_eq!(Timestamp::from_unix_micros(i64::MIN), None);
        assert_eq!(Timestamp::from_unix_nanos(i128::MAX), None);

        assert_eq!(Date::MAX.to_unix_days().and_then(Date::from_unix_days), Some(Date::MAX));
        assert_eq!(Date::MIN.to_unix_days().and_then(Date::from_unix_days), Some(Date::MIN));
        // Neither may come out as an infinity.
        assert_eq!(Date::from_unix_days(i32::MIN + UNIX_DAYS), None);
        assert_eq!(Date::from_unix_days(i32::MIN), None);
        assert_eq!(Date::from_unix_days(i32::MAX), None);
        assert_eq!(Date::INFINITY.to_unix_days(), None);

        let stamp = Timestamp::from_date_time(Date::UNIX_EPOCH, Time(1)).unwrap();
        assert_eq!(stamp.to_unix_micros(), Some(1));
        assert_eq!(stamp.to_date_time(), Some((Date::UNIX_EPOCH, Time(1))));
        assert_eq!(Timestamp(-1).to_date_time(), Some((Date(-1), Time(DAY - 1))));
        assert_eq!(Timestamp::from_date_time(Date(0), Time::MAX), Some(Timestamp(DAY)));
        assert_eq!(Timestamp::from_date_time(Date::MIN, Time::MIN), Some(Timestamp::MIN));
        assert_eq!(Timestamp::from_date_time(Date::MAX, Time::MIN), None);
        assert_eq!(Timestamp::from_date_time(Date::INFINITY, Time::MIN), None);
        assert_eq!(Timestamp::from_date_time(Date(0), Time(-1)), None);
        assert_eq!(Timestamp::INFINITY.to_date_time(), None);
    }

    #[test]
    fn durations_convert_exactly_or_not_at_all() {
        use core::time::Duration;
        let try_from = |d: Duration| MicroDuration::try_from(d).map(MicroDuration::micros);
        assert_eq!(try_from(Duration::new(1, 500_000)), Ok(1_000_500));
        assert_eq!(try_from(Duration::from_nanos(1)), Err(OutOfDomain));
        assert_eq!(try_from(Duration::MAX), Err(OutOfDomain));
        assert_eq!(try_from(Duration::from_micros(i64::MAX as u64)), Ok(i64::MAX));
        assert_eq!(try_from(Duration::from_micros(1 << 63)), Err(OutOfDomain));
        assert_eq!(Duration::try_from(MicroDuration(3)), Ok(Duration::from_micros(3)));
        assert_eq!(Duration::try_from(MicroDuration(-1)), Err(OutOfDomain));
    }

    #[test]
    fn times_are_made_of_parts() {
        assert_eq!(Time::from_hms(23, 59, 59, 999_999), Some(Time(DAY - 1)));
        assert_eq!(Time::from_hms(24, 0, 0, 0), Some(Time::MAX));
        for (h, m, s, us) in [(24, 0, 0, 1), (25, 0, 0, 0), (0, 60, 0, 0), (0, 0, 60, 0), (0, 0, 0, 1_000_000)] {
            assert_eq!(Time::from_hms(h, m, s, us), None);
        }
    }

    #[test]
    fn texts_are_postgresqls() {
        assert_eq!(Date::MIN.to_string(), "4714-11-24 BC");
        assert_eq!(Date::MAX.to_string(), "5874897-12-31");
        assert_eq!(Date::from_ymd(0, 2, 29).unwrap().to_string(), "0001-02-29 BC");
        assert_eq!(Timestamp(Timestamp::MIN.0 + 1).to_string(), "4714-11-24 00:00:00.000001 BC");
        assert_eq!(Timestamp::NEG_INFINITY.to_string(), "-infinity");
        assert_eq!(ZonedTime::new(DAY, -MAX_EAST).to_string(), "24:00:00-15:59:59");
        assert_eq!(ZonedTime::new(1, -12_600).to_string(), "00:00:00.000001-03:30");
        assert_eq!(ZonedTime::new(1, 3605).to_string(), "00:00:00.000001+01:00:05");
        assert_eq!(Interval::new(0, 0, 0).to_string(), "00:00:00");
        assert_eq!(Interval::new(-13, 1, 1_500_000).to_string(), "-1 years -1 mons +1 day 00:00:01.5");
        assert_eq!(Interval::new(0, -1, 0).to_string(), "-1 days");
        assert_eq!(Interval::new(0, -1, 1).to_string(), "-1 days +00:00:00.000001");
        assert_eq!(MicroDuration(-1).to_string(), "-00:00:00.000001");
        assert_eq!(format!("{:?}", IntervalScalar(0)), "IntervalScalar(00:00:00)");
        // Whatever a number says, it has a text.
        for v in [i64::MIN, i64::MIN + 1, i64::MAX - 1, i64::MAX] {
            let low = v as i32;
            let _ = format!("{} {} {}", Timestamp(v), Time(v), MicroDuration(v));
            let _ = format!("{} {} {}", Date(low), ZonedTime::new(v, low), Interval::new(low, low, v));
            let _ = format!("{}", IntervalScalar(i128::MAX - 1));
        }
    }
}
