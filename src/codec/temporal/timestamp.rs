//! An instant.

use crate::codec::temporal::DAY;
use crate::codec::temporal::SECOND;
use crate::codec::temporal::date::Date;
use crate::codec::temporal::time::Time;

/// An instant, or a date and time of day without a zone: microseconds since 2000-01-01 00:00:00, in
/// UTC if there is a zone; or an infinity.
///
/// Any number can be held; writing one that is not [valid](Self::is_valid) is an
/// [`Error::InvalidValue`](crate::Error::InvalidValue). No time zone is ever looked up here.
///
/// ```
/// use isotone::Timestamp;
/// let t = Timestamp::from_unix_secs(1_700_000_000).unwrap();
/// assert_eq!(t.to_string(), "2023-11-14 22:13:20");
/// assert_eq!(Timestamp::from_unix_nanos(-1), Timestamp::from_unix_micros(-1)); // down, not to zero
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(pub(super) i64);

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
    pub const UNIX_EPOCH: Timestamp = Timestamp(-Timestamp::EPOCH_UNIX_MICROS);
    /// Microseconds from 1970-01-01 00:00:00 to 2000-01-01 00:00:00.
    pub const EPOCH_UNIX_MICROS: i64 = Date::EPOCH_UNIX_DAYS as i64 * DAY;

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
        match micros.checked_sub(Timestamp::EPOCH_UNIX_MICROS) {
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
            Some(time) => time.0.div_euclid(SECOND).checked_add(Timestamp::EPOCH_UNIX_MICROS / SECOND),
            None => None,
        }
    }

    /// Microseconds since 1970-01-01 00:00:00 UTC; `None` for an infinity or an invalid instant,
    /// and for the last 30 years before [`MAX`](Self::MAX), which don't fit.
    pub const fn to_unix_micros(self) -> Option<i64> {
        match self.finite() {
            Some(time) => time.0.checked_add(Timestamp::EPOCH_UNIX_MICROS),
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

#[cfg(test)]
mod tests {
    use super::*;

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
    }

    #[test]
    fn timestamps_are_days_and_times_of_day() {
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
}
