//! The days of the proleptic Gregorian calendar, counted from 2000-01-01.

/// Days from 0000-03-01 to 2000-01-01. Counted from there a leap day is the last day of a year, of
/// four years, and of four centuries.
const FROM_MARCH: i64 = 730_425;
/// Days in four hundred years.
const ERA: i64 = 146_097;

/// Year, month and day of the month of a day counted from 2000-01-01.
#[expect(clippy::arithmetic_side_effects, reason = "days is an i32, so all of it is far inside i64")]
#[expect(clippy::cast_possible_truncation, reason = "years of an i32 of days, months, and days of a month")]
#[expect(clippy::cast_sign_loss, reason = "months and days of a month")]
pub(super) const fn ymd(days: i64) -> (i32, u8, u8) {
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
pub(super) const fn days(year: i32, month: u8, day: u8) -> Option<i64> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::temporal::date::Date;

    #[test]
    fn civil_days_walk_the_calendar() {
        // Every day of 800 years about the epoch and about the year 0, and the days at both ends.
        for start in [-2_451_545i64, -740_000, -150_000, Date::MAX.0 as i64 - 292_194] {
            let mut last = ymd(start - 1);
            for n in start..start + 292_195 {
                let (y, m, d) = ymd(n);
                assert_eq!(days(y, m, d), Some(n));
                let next = match last {
                    (ly, 12, 31) => (ly + 1, 1, 1),
                    (ly, lm, ld) if days(ly, lm, ld + 1).is_some() => (ly, lm, ld + 1),
                    (ly, lm, _) => (ly, lm + 1, 1),
                };
                assert_eq!((y, m, d), next);
                last = next;
            }
        }
    }
}
