//! A day.

use crate::codec::temporal::civil;

/// A day, counted from 2000-01-01 in the proleptic Gregorian calendar; or an infinity.
///
/// Any number can be held; writing one that is not [valid](Self::is_valid) is an
/// [`Error::InvalidValue`](crate::Error::InvalidValue).
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
pub struct Date(pub(super) i32);

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
    pub const UNIX_EPOCH: Date = Date(-Date::EPOCH_UNIX_DAYS);
    /// Days from 1970-01-01 to 2000-01-01.
    pub const EPOCH_UNIX_DAYS: i32 = 10_957;

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
        match days.checked_sub(Date::EPOCH_UNIX_DAYS) {
            Some(days) => Date(days).finite(),
            None => None,
        }
    }

    /// Days since 1970-01-01; `None` for an infinity or an invalid day.
    pub const fn to_unix_days(self) -> Option<i32> {
        match self.finite() {
            Some(date) => date.0.checked_add(Date::EPOCH_UNIX_DAYS),
            None => None,
        }
    }

    /// The day of a year, month (from 1) and day of the month (from 1); `None` if there is no such
    /// day or it is outside [`MIN`](Self::MIN) to [`MAX`](Self::MAX). Year 0 is 1 BC.
    pub const fn from_ymd(year: i32, month: u8, day: u8) -> Option<Date> {
        match civil::days(year, month, day) {
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
        if self.is_finite() { Some(civil::ymd(self.0 as i64)) } else { None }
    }

    /// This if it is finite and valid.
    const fn finite(self) -> Option<Date> {
        if self.is_finite() && self.is_valid() { Some(self) } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_have_a_year_a_month_and_a_day() {
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
    fn unix_days_know_their_ends() {
        assert_eq!(Date::MAX.to_unix_days().and_then(Date::from_unix_days), Some(Date::MAX));
        assert_eq!(Date::MIN.to_unix_days().and_then(Date::from_unix_days), Some(Date::MIN));
        // Neither may come out as an infinity.
        assert_eq!(Date::from_unix_days(i32::MIN + Date::EPOCH_UNIX_DAYS), None);
        assert_eq!(Date::from_unix_days(i32::MIN), None);
        assert_eq!(Date::from_unix_days(i32::MAX), None);
        assert_eq!(Date::INFINITY.to_unix_days(), None);
    }
}
