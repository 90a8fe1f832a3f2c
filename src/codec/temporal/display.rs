//! The texts of them all, as PostgreSQL writes them.

use core::fmt;

use crate::codec::temporal::civil;
use crate::codec::temporal::date::Date;
use crate::codec::temporal::duration::MicroDuration;
use crate::codec::temporal::interval::Interval;
use crate::codec::temporal::interval::IntervalScalar;
use crate::codec::temporal::time::Time;
use crate::codec::temporal::time::ZonedTime;
use crate::codec::temporal::timestamp::Timestamp;

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
                let era = day(f, civil::ymd(date.0.into()))?;
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
    use std::string::ToString;

    use super::*;
    use crate::codec::temporal::DAY;

    #[test]
    fn texts_are_postgresqls() {
        assert_eq!(Date::MIN.to_string(), "4714-11-24 BC");
        assert_eq!(Date::MAX.to_string(), "5874897-12-31");
        assert_eq!(Date::from_ymd(0, 2, 29).unwrap().to_string(), "0001-02-29 BC");
        assert_eq!(Timestamp(Timestamp::MIN.0 + 1).to_string(), "4714-11-24 00:00:00.000001 BC");
        assert_eq!(Timestamp::NEG_INFINITY.to_string(), "-infinity");
        assert_eq!(ZonedTime::new(DAY, -ZonedTime::MAX_EAST_SECONDS).to_string(), "24:00:00-15:59:59");
        assert_eq!(ZonedTime::new(1, -12_600).to_string(), "00:00:00.000001-03:30");
        assert_eq!(ZonedTime::new(1, 3605).to_string(), "00:00:00.000001+01:00:05");
        assert_eq!(Interval::new(0, 0, 0).to_string(), "00:00:00");
        assert_eq!(Interval::new(-13, 1, 1_500_000).to_string(), "-1 years -1 mons +1 day 00:00:01.5");
        assert_eq!(Interval::new(0, -1, 0).to_string(), "-1 days");
        assert_eq!(Interval::new(0, -1, 1).to_string(), "-1 days +00:00:00.000001");
        assert_eq!(MicroDuration(-1).to_string(), "-00:00:00.000001");
        assert_eq!(format!("{:?}", IntervalScalar(0)), "IntervalScalar(00:00:00)");
    }

    #[test]
    fn every_number_has_a_text() {
        let days = [i32::MIN, i32::MIN + 1, -1, 0, 1, i32::MAX - 1, i32::MAX];
        for v in [i64::MIN, i64::MIN + 1, -1, 0, 1, i64::MAX - 1, i64::MAX] {
            for n in days {
                let _ = format!("{} {} {}", Timestamp(v), Time(v), MicroDuration(v));
                let _ = format!("{} {} {}", Date(n), ZonedTime::new(v, n), Interval::new(n, n, v));
            }
        }
        let _ = format!("{} {}", IntervalScalar(i128::MIN + 1), IntervalScalar(i128::MAX - 1));
    }
}
