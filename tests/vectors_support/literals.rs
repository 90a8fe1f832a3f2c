//! Reads SQL literals, as far as the refused inputs need it: what the server was asked to take,
//! before anyone judges it.

use std::ops::Bound;

use isotone::ArrayView;
use isotone::BitsView;
use isotone::Date;
use isotone::Decimal;
use isotone::Dimension;
use isotone::MultirangeView;
use isotone::RangeView;
use isotone::SqlRange;
use isotone::Time;
use isotone::Timestamp;
use isotone::Type;
use isotone::Value;
use isotone::ZonedTime;

use crate::vectors_support::text::keep;
use crate::vectors_support::text::keep_all;
use crate::vectors_support::values::Built;
use crate::vectors_support::values::NoValue;
use crate::vectors_support::values::int;
use crate::vectors_support::values::refused;
use crate::vectors_support::values::unreadable;

/// Microseconds of a second, and of a day.
const SECOND: i64 = 1_000_000;
const DAY: i64 = 86_400 * SECOND;

/// A value from an SQL literal, unjudged where the library's type can hold it.
pub(crate) fn literal(ty: &Type<'static>, text: &'static str) -> Built {
    Ok(match ty {
        Type::I16 => Value::I16(int(text)?),
        Type::I32 => Value::I32(int(text)?),
        Type::I64 => Value::I64(int(text)?),
        Type::Str => Value::str(text),
        Type::Decimal => Value::Decimal(Decimal::parse(text).map_err(|error| refused(text, error))?),
        Type::IpPrefix => Value::IpPrefix(text.parse().map_err(|error| refused(text, error))?),
        Type::Network => Value::Network(text.parse().map_err(|error| refused(text, error))?),
        Type::Date => Value::Date(Date::from_days(day(text)?)),
        Type::Time => Value::Time(Time::from_micros(clock(text)?)),
        Type::TimeTz => {
            let sign = text.find(['+', '-']).ok_or_else(|| unreadable(text))?;
            let (local, zone) = text.split_at(sign);
            Value::TimeTz(ZonedTime::new(clock(local)?, zone_seconds(zone)?))
        }
        Type::Timestamp => Value::Timestamp(Timestamp::from_micros(instant(text)?)),
        Type::Bits => Value::Bits(bits(text)?),
        Type::Array(element) => array(element, text)?,
        Type::Range(element) => {
            let (range, rest) = range(element, text)?;
            if !rest.is_empty() {
                return Err(unreadable(text));
            }
            RangeView::new(keep(range)).into()
        }
        Type::Multirange(element) => {
            let mut rest = text.strip_prefix('{').and_then(|t| t.strip_suffix('}')).ok_or_else(|| unreadable(text))?;
            let mut ranges = Vec::new();
            while !rest.is_empty() {
                let (one, behind) = range(element, rest)?;
                ranges.push(one);
                rest = behind.strip_prefix(',').unwrap_or(behind);
            }
            MultirangeView::new(keep_all(ranges)).into()
        }
        _ => return Err(unreadable(text)),
    })
}

/// A bit string as digits.
fn bits(text: &str) -> Result<BitsView<'static>, NoValue> {
    if text.bytes().any(|b| b != b'0' && b != b'1') {
        return Err(unreadable(text));
    }
    let pack = |bits: &[u8]| bits.iter().enumerate().fold(0, |byte, (i, bit)| byte | (bit & 1) << (7 - i));
    let packed: Vec<u8> = text.as_bytes().chunks(8).map(pack).collect();
    BitsView::new(packed.leak(), text.len()).ok_or_else(|| refused(text, "bits"))
}

/// `YYYY-MM-DD`, perhaps with ` BC`, as days since 2000-01-01. No such day is refused.
fn day(text: &str) -> Result<i32, NoValue> {
    let (date, bc) = match text.strip_suffix(" BC") {
        Some(date) => (date, true),
        None => (text, false),
    };
    let parts: Vec<&str> = date.split('-').collect();
    let [year, month, day] = parts[..] else { return Err(unreadable(text)) };
    let (year, month, day): (i32, u8, u8) = (int(year)?, int(month)?, int(day)?);
    let year = if bc { 1 - i64::from(year) } else { i64::from(year) };
    // The last day of a month is the day before the first of the next one.
    let next = if month == 12 { first_of(year + 1, 1) } else { first_of(year, month.saturating_add(1)) };
    let days = first_of(year, month) + i64::from(day) - 1;
    let known = (1..=12).contains(&month) && day >= 1 && days < next;
    let days = i32::try_from(days).ok().filter(|_| known);
    // The library's own calendar agrees, and gives out no day that can't be written.
    let theirs = i32::try_from(year).ok().and_then(|year| Date::from_ymd(year, month, day));
    let ours = days.map(Date::from_days).filter(|date| date.is_valid() && date.is_finite());
    assert_eq!(theirs, ours, "Date::from_ymd of {text:?}");
    days.ok_or_else(|| refused(text, "no such day"))
}

/// Days from 2000-01-01 to the first of a month. Counts leap days from a year that begins in March.
fn first_of(year: i64, month: u8) -> i64 {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let leaps = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    // 730,425 days lie between 0000-03-01 and 2000-01-01.
    365 * year + leaps + (153 * i64::from(month) + 2) / 5 - 730_425
}

/// `hh:mm`, `hh:mm:ss` or with a fraction, as microseconds. Minutes and seconds past 59 are refused.
fn clock(text: &str) -> Result<i64, NoValue> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let (hour, minute, second) = match whole.split(':').collect::<Vec<_>>()[..] {
        [hour, minute] => (int::<u8>(hour)?, int::<u8>(minute)?, 0),
        [hour, minute, second] => (int(hour)?, int(minute)?, int::<u8>(second)?),
        _ => return Err(unreadable(text)),
    };
    if fraction.len() > 6 || !fraction.bytes().all(|b| b.is_ascii_digit()) {
        return Err(unreadable(text));
    }
    let micro: u32 = format!("{fraction:0<6}").parse().map_err(|_| unreadable(text))?;
    let seconds = (i64::from(hour) * 60 + i64::from(minute)) * 60 + i64::from(second);
    let micros = seconds * SECOND + i64::from(micro);
    let micros = Some(micros).filter(|_| minute <= 59 && second <= 59);
    let theirs = Time::from_hms(hour, minute, second, micro);
    let ours = micros.map(Time::from_micros).filter(|time| time.is_valid());
    assert_eq!(theirs, ours, "Time::from_hms of {text:?}");
    micros.ok_or_else(|| refused(text, "no such minute or second"))
}

/// `+hh`, `+hh:mm` or `+hh:mm:ss`, as seconds east of UTC.
fn zone_seconds(text: &str) -> Result<i32, NoValue> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, text.strip_prefix('+').ok_or_else(|| unreadable(text))?),
    };
    let parts = digits.split(':').map(int::<u8>).collect::<Result<Vec<_>, _>>()?;
    if parts.len() > 3 {
        return Err(unreadable(text));
    }
    let seconds = parts.iter().zip([3600, 60, 1]).map(|(part, unit)| i32::from(*part) * unit).sum::<i32>();
    Ok(sign * seconds)
}

/// `day clock`, perhaps with a zone, perhaps with ` BC`, as microseconds since 2000-01-01 in UTC.
fn instant(text: &str) -> Result<i64, NoValue> {
    let (stamp, era) = match text.strip_suffix(" BC") {
        Some(stamp) => (stamp, " BC"),
        None => (text, ""),
    };
    let (date, time) = stamp.split_once(' ').ok_or_else(|| unreadable(text))?;
    let (time, zone) = match time.find(['+', '-']) {
        Some(sign) => (&time[..sign], zone_seconds(&time[sign..])?),
        None => (time, 0),
    };
    let micros = i128::from(day(&format!("{date}{era}"))?) * i128::from(DAY) + i128::from(clock(time)?)
        - i128::from(zone) * i128::from(SECOND);
    i64::try_from(micros).map_err(|error| refused(text, error))
}

/// An array without quotes: `{1,NULL}`, `{{1},{2}}`, `[0:1]={1,2}`.
fn array(element: &Type<'static>, text: &'static str) -> Built {
    let (lowers, mut rest) = match text.split_once('=') {
        Some((bounds, body)) => (lower_bounds(bounds)?, body),
        None => (Vec::new(), text),
    };
    let mut values = Vec::new();
    let mut lens: Vec<u32> = Vec::new();
    nest(element, &mut rest, 0, &mut values, &mut lens)?;
    if !rest.is_empty() || (!lowers.is_empty() && lowers.len() != lens.len()) {
        return Err(unreadable(text));
    }
    let lower = |i: usize| lowers.get(i).copied().unwrap_or(1);
    let mut dimensions: Vec<Dimension> =
        lens.iter().enumerate().map(|(i, len)| Dimension { len: *len, lower: lower(i) }).collect();
    if values.is_empty() {
        dimensions.clear();
    }
    Ok(ArrayView::new(keep_all(values), keep_all(dimensions)).into())
}

/// `[0:1][2:2]`: only where each dimension begins; how long it is says the body.
fn lower_bounds(text: &str) -> Result<Vec<i32>, NoValue> {
    let inside = text.strip_prefix('[').and_then(|t| t.strip_suffix(']')).ok_or_else(|| unreadable(text))?;
    inside.split("][").map(|pair| int(pair.split_once(':').ok_or_else(|| unreadable(text))?.0)).collect()
}

/// One level of braces. The first list of each level says how long that dimension is; whether the
/// others agree is for the library to find out.
fn nest(
    element: &Type<'static>,
    rest: &mut &'static str,
    depth: usize,
    values: &mut Vec<Value<'static>>,
    lens: &mut Vec<u32>,
) -> Result<(), NoValue> {
    let mut inside = rest.strip_prefix('{').ok_or_else(|| unreadable(rest))?;
    let first = lens.len() <= depth;
    if first {
        lens.push(0);
    }
    let mut len = 0;
    while !inside.starts_with('}') {
        if inside.starts_with('{') {
            nest(element, &mut inside, depth + 1, values, lens)?;
        } else {
            let end = inside.find([',', '}']).ok_or_else(|| unreadable(inside))?;
            let (one, behind) = inside.split_at(end);
            values.push(if one == "NULL" { Value::Null } else { literal(element, one)? });
            inside = behind;
        }
        len += 1;
        inside = inside.strip_prefix(',').unwrap_or(inside);
        if inside.is_empty() {
            return Err(unreadable(rest));
        }
    }
    if first {
        lens[depth] = len;
    }
    *rest = &inside[1..];
    Ok(())
}

/// A range without escapes, and what follows it: `[1,2)`, `(,"2000-01-01 00:00:00"]`, `empty`.
fn range(element: &Type<'static>, text: &'static str) -> Result<(SqlRange<'static>, &'static str), NoValue> {
    if let Some(rest) = text.strip_prefix("empty") {
        return Ok((SqlRange::Empty, rest));
    }
    let end = text.find([')', ']']).ok_or_else(|| unreadable(text))?;
    let (bounds, rest) = text.split_at(end);
    let inside = bounds.get(1..).ok_or_else(|| unreadable(text))?;
    let (lower, upper) = inside.split_once(',').ok_or_else(|| unreadable(text))?;
    let bound = |one: &'static str, inclusive: bool| -> Result<Bound<Value<'static>>, NoValue> {
        Ok(match one.trim_matches('"') {
            "" => Bound::Unbounded,
            one if inclusive => Bound::Included(literal(element, one)?),
            one => Bound::Excluded(literal(element, one)?),
        })
    };
    let lower_inclusive = match text.chars().next() {
        Some('[') => true,
        Some('(') => false,
        _ => return Err(unreadable(text)),
    };
    let range = SqlRange::new(bound(lower, lower_inclusive)?, bound(upper, rest.starts_with(']'))?);
    Ok((range, &rest[1..]))
}
