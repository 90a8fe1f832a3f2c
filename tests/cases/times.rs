//! Dates, times, intervals.

use isotone::Asc;
use isotone::Date;
use isotone::Decoder;
use isotone::Desc;
use isotone::Error;
use isotone::Interval;
use isotone::IntervalScalar;
use isotone::KeySpec;
use isotone::MicroDuration;
use isotone::Timestamp;
use isotone::Type;
use isotone::Value;
use isotone::ZonedTime;
use isotone::key_spec;

use crate::ascending;
use crate::key;

const DAY: i64 = 86_400_000_000;
const HOUR: i64 = 3_600_000_000;

fn interval(months: i32, days: i32, micros: i64) -> Vec<u8> {
    key(|k| k.interval(Interval::new(months, days, micros).scalar(), Asc))
}

/// Intervals of one length are one key, whatever their parts; the parts don't come back.
#[test]
fn b88_b90_one_length_one_key() {
    for (a, b) in [
        ((1, 0, 0), (0, 30, 0)),
        ((1, 0, 0), (0, 0, 720 * HOUR)),
        ((1, -30, 0), (0, 0, 0)),
        ((-1, 31, 0), (0, 1, 0)),
        ((-1, 0, DAY), (0, -29, 0)),
    ] {
        assert_eq!(interval(a.0, a.1, a.2), interval(b.0, b.1, b.2), "{a:?} and {b:?}");
        let values = [Value::from(Interval::new(a.0, a.1, a.2)), Value::from(Interval::new(b.0, b.1, b.2))];
        assert_eq!(values[0], values[1]);
        assert_eq!(Interval::new(a.0, a.1, a.2), Interval::new(b.0, b.1, b.2));
    }
    assert_ne!(interval(1, 0, 0), interval(0, 30, 1));
    let stored = interval(1, 0, 0);
    let read = Decoder::new(&stored).interval(Asc);
    assert_eq!(read, Ok(IntervalScalar::from_micros(i128::from(30 * DAY))));
}

/// No length overflows: the largest takes 73 bits of 128.
#[test]
fn b89_extremes() {
    let years = |n: i32| Interval::new(12 * n, 0, 0);
    let all = [
        Interval::NEG_INFINITY,
        Interval::new(i32::MIN, i32::MIN, i64::MIN + 1),
        years(-178_000_000),
        years(-5000),
        years(-292),
        Interval::new(0, 0, 0),
        years(292),
        years(5000),
        years(178_000_000),
        Interval::new(i32::MAX, i32::MAX, i64::MAX - 1),
        Interval::INFINITY,
    ];
    ascending(&all, |k, v, order| k.interval(v.scalar(), order));
    assert!(all.is_sorted());
    for v in [IntervalScalar::from_micros(i128::MIN + 1), IntervalScalar::from_micros(IntervalScalar::MAX.micros() + 1)]
    {
        let mut room = [0; 16];
        let mut k = isotone::Builder::new(&mut room);
        k.interval(v, Desc);
        assert_eq!(k.finish(), Err(Error::InvalidValue { at: 0 }));
    }
}

/// At one instant the zone further east comes first.
#[test]
fn b92_ties_run_west() {
    let time = |hour: i64, east: i32| ZonedTime::new(hour * HOUR, east * 3600);
    ascending(&[time(13, 1), time(12, 0), time(11, -1)], |k, v, order| k.timetz(v, order));
    assert!(time(13, 1) < time(12, 0));
}

/// Fractions are part of a number, not of a text.
#[test]
fn b94_fractions() {
    let at = |seconds: i64, micros: i64| isotone::Time::from_micros(9 * HOUR + seconds * 1_000_000 + micros);
    ascending(&[at(0, 0), at(0, 152_000), at(1, 70_000), at(1, 70_001)], |k, v, order| k.time(v, order));
    ascending(&[-1, 0, 1].map(MicroDuration::from_micros), |k, v, order| k.duration(v, order));
}

/// Instants before an epoch, split by flooring.
#[test]
fn b95_before_the_epoch() {
    let us = Timestamp::from_unix_micros;
    let all = [us(-1_000_000), us(-500_000), us(-1), us(0), us(1)].map(|t| t.expect("in domain"));
    ascending(&all, |k, v, order| k.timestamp(v, order));
    let last = Timestamp::from_unix_nanos(-1).expect("in domain");
    let (date, time) = last.to_date_time().expect("finite");
    assert_eq!((date.to_string(), time.to_string()), ("1969-12-31".into(), "23:59:59.999999".into()));
    assert_eq!(last.to_unix_secs(), Some(-1));
}

/// The epoch is the format's; a layout says what a number means.
#[test]
fn b98_the_epoch_is_fixed() {
    assert_eq!(key(|k| k.date(Date::from_ymd(2000, 1, 1).expect("a day"), Asc)), [0x80, 0, 0, 0]);
    assert_eq!(key(|k| k.date(Date::UNIX_EPOCH, Asc)), [0x7f, 0xff, 0xd5, 0x33]);
    const DATES: KeySpec<'static> = key_spec![Type::Date => Asc];
    const NUMBERS: KeySpec<'static> = key_spec![Type::I32 => Asc];
    assert!(DATES.require_layout(NUMBERS.layout()).is_err());
}
