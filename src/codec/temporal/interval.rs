//! An interval of months, days and microseconds, and the length it stands for.

use core::cmp::Ordering;
use core::hash::Hash;
use core::hash::Hasher;

use crate::codec::temporal::DAY;
use crate::codec::temporal::duration::MicroDuration;

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
    pub(super) months: i32,
    pub(super) days: i32,
    pub(super) micros: i64,
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

impl From<MicroDuration> for Interval {
    /// The same length, all of it in microseconds.
    #[inline]
    fn from(duration: MicroDuration) -> Self {
        Interval::new(0, 0, duration.0)
    }
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
pub struct IntervalScalar(pub(super) i128);

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

impl From<Interval> for IntervalScalar {
    #[inline]
    fn from(interval: Interval) -> Self {
        interval.scalar()
    }
}
