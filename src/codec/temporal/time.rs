//! A time of day, with and without a zone.

use core::cmp::Ordering;

use crate::codec::temporal::DAY;
use crate::codec::temporal::SECOND;

/// A time of day without a zone: microseconds since midnight, 24:00:00 included.
///
/// Any number can be held; writing one that is not [valid](Self::is_valid) is an
/// [`Error::InvalidValue`](crate::Error::InvalidValue).
///
/// ```
/// use isotone::Time;
/// let time = Time::from_hms(9, 30, 0, 0).unwrap();
/// assert_eq!(time.micros(), 34_200_000_000);
/// assert_eq!(time.to_string(), "09:30:00");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(pub(super) i64);

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

/// A time of day at an offset from UTC: PostgreSQL's `timetz`.
///
/// Ordered by the instant, and at one instant the one further east first. Any numbers can be held;
/// writing a value that is not [valid](Self::is_valid) is an
/// [`Error::InvalidValue`](crate::Error::InvalidValue).
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
    pub(super) micros: i64,
    pub(super) east: i32,
}

impl ZonedTime {
    /// The farthest offset either way, in seconds: 15:59:59.
    pub const MAX_EAST_SECONDS: i32 = 16 * 3600 - 1;

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
        Time(self.micros).is_valid() && self.east >= -Self::MAX_EAST_SECONDS && self.east <= Self::MAX_EAST_SECONDS
    }

    /// What is compared, most significant first. Wide enough for what is not valid, too.
    #[inline]
    fn rank(self) -> (i128, i64) {
        // In range: both products and the difference fit 66 bits.
        let east = i128::from(self.east).wrapping_mul(i128::from(SECOND));
        (i128::from(self.micros).wrapping_sub(east), i64::from(self.east).wrapping_neg())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_made_of_parts() {
        assert_eq!(Time::from_hms(23, 59, 59, 999_999), Some(Time(DAY - 1)));
        assert_eq!(Time::from_hms(24, 0, 0, 0), Some(Time::MAX));
        for (h, m, s, us) in [(24, 0, 0, 1), (25, 0, 0, 0), (0, 60, 0, 0), (0, 0, 60, 0), (0, 0, 0, 1_000_000)] {
            assert_eq!(Time::from_hms(h, m, s, us), None);
        }
    }
}
