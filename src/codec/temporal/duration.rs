//! An elapsed time.

use core::time::Duration;

use crate::codec::temporal::OutOfDomain;

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
pub struct MicroDuration(pub(super) i64);

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

impl TryFrom<Duration> for MicroDuration {
    type Error = OutOfDomain;

    /// Exact: a fraction of a microsecond is refused rather than dropped, as is what exceeds `i64`.
    fn try_from(duration: Duration) -> Result<Self, OutOfDomain> {
        if duration.subsec_nanos() % 1000 != 0 {
            return Err(OutOfDomain);
        }
        i64::try_from(duration.as_micros()).map(MicroDuration).map_err(|_| OutOfDomain)
    }
}

impl TryFrom<MicroDuration> for Duration {
    type Error = OutOfDomain;

    /// A negative duration is refused.
    fn try_from(duration: MicroDuration) -> Result<Self, OutOfDomain> {
        u64::try_from(duration.0).map(Duration::from_micros).map_err(|_| OutOfDomain)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_convert_exactly_or_not_at_all() {
        let try_from = |d: Duration| MicroDuration::try_from(d).map(MicroDuration::micros);
        assert_eq!(try_from(Duration::new(1, 500_000)), Ok(1_000_500));
        assert_eq!(try_from(Duration::from_nanos(1)), Err(OutOfDomain));
        assert_eq!(try_from(Duration::MAX), Err(OutOfDomain));
        assert_eq!(try_from(Duration::from_micros(i64::MAX as u64)), Ok(i64::MAX));
        assert_eq!(try_from(Duration::from_micros(1 << 63)), Err(OutOfDomain));
        assert_eq!(Duration::try_from(MicroDuration(3)), Ok(Duration::from_micros(3)));
        assert_eq!(Duration::try_from(MicroDuration(-1)), Err(OutOfDomain));
    }
}
