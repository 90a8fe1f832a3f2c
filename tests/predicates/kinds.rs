//! What is particular to a kind: numbers of another type, neighbours, composites.

use std::net::IpAddr;

use isotone::ArrayView;
use isotone::Asc;
use isotone::AscNullsFirst;
use isotone::BitsView;
use isotone::Date;
use isotone::Decimal;
use isotone::Desc;
use isotone::Dimension;
use isotone::EnumRank;
use isotone::Field;
use isotone::IntervalScalar;
use isotone::IpPrefix;
use isotone::KeySpec;
use isotone::ListView;
use isotone::MicroDuration;
use isotone::Network;
use isotone::Op;
use isotone::Predicate;
use isotone::RangeBuffer;
use isotone::RangeView;
use isotone::RecordView;
use isotone::SqlRange;
use isotone::Time;
use isotone::Timestamp;
use isotone::Type;
use isotone::Uuid;
use isotone::Value;
use isotone::ZonedTime;

use crate::numbers::OPS;
use crate::numbers::with_field;

/// How many ranges two values make, with a field behind them or without.
fn ranges_of(ty: Type<'_>, order: u8, values: &[Value<'_>]) -> usize {
    let mut layout = [0u8; 64];
    let fields = [Field::from_code(ty, order), Field::not_null(Type::U8, Asc)];
    let spec = KeySpec::describe(&fields, &mut layout).unwrap();
    let mut buffer = RangeBuffer::<4, 512>::new();
    let ranges = spec.ranges(&Predicate::is_in(0, values), buffer.room()).unwrap();
    assert!(ranges.is_exact());
    ranges.len()
}

/// Two values that have none between them are one range, and what is below the least or above the
/// greatest is none; two that have one between them are two ranges.
#[test]
fn neighbours_are_one_range() {
    let (d, t, ts) = (Date::from_days, Time::from_micros, Timestamp::from_micros);
    let ip = |text: &str| Value::Ip(text.parse::<IpAddr>().unwrap());
    let dec = |text: &'static str| Value::Decimal(Decimal::parse(text).unwrap());
    let bits = |bytes: &'static [u8], n| Value::Bits(BitsView::new(bytes, n).unwrap());
    let f = |v: f64| Value::F64(v);
    let tiny = f64::from_bits(1);
    let wide = [
        [7u8; 20],
        {
            let mut v = [7u8; 20];
            v[19] = 8;
            v
        },
        {
            let mut v = [7u8; 20];
            v[19] = 9;
            v
        },
    ];
    let carried = [
        {
            let mut v = [7u8; 20];
            v[18..].fill(0xff);
            v
        },
        {
            let mut v = [7u8; 20];
            v[17] = 8;
            v[18..].fill(0);
            v
        },
    ];
    let neighbours: Vec<(Type<'_>, [Value<'_>; 2])> = vec![
        (Type::Bool, [Value::Bool(false), Value::Bool(true)]),
        (Type::I16, [Value::I16(-1), Value::I16(0)]),
        (Type::U16, [Value::U16(0x01ff), Value::U16(0x0200)]),
        (Type::U128, [Value::U128(u128::MAX - 1), Value::U128(u128::MAX)]),
        (Type::F64, [f(f64::NEG_INFINITY), f(f64::MIN)]),
        (Type::F64, [f(-tiny), f(0.0)]),
        (Type::F64, [f(-0.0), f(tiny)]),
        (Type::F64, [f(f64::MAX), f(f64::INFINITY)]),
        (Type::F64, [f(f64::INFINITY), f(f64::NAN)]),
        (Type::F32, [Value::F32(-f32::from_bits(1)), Value::F32(0.0)]),
        (Type::F32, [Value::F32(f32::INFINITY), Value::F32(f32::NAN)]),
        (Type::F32, [Value::F32(f32::NEG_INFINITY), Value::F32(f32::MIN)]),
        (Type::Decimal, [dec("Infinity"), dec("NaN")]),
        (Type::Decimal, [dec("0"), dec("1e-2147483648")]),
        (Type::Decimal, [dec("-1e-2147483648"), dec("0")]),
        (Type::Date, [Value::Date(Date::NEG_INFINITY), Value::Date(Date::MIN)]),
        (Type::Date, [Value::Date(d(-1)), Value::Date(d(0))]),
        (Type::Date, [Value::Date(Date::MAX), Value::Date(Date::INFINITY)]),
        (Type::Timestamp, [Value::Timestamp(Timestamp::NEG_INFINITY), Value::Timestamp(Timestamp::MIN)]),
        (Type::Timestamp, [Value::Timestamp(Timestamp::MAX), Value::Timestamp(Timestamp::INFINITY)]),
        (Type::Timestamp, [Value::Timestamp(ts(-1)), Value::Timestamp(ts(0))]),
        (Type::Time, [Value::Time(t(0)), Value::Time(t(1))]),
        (Type::TimeTz, [ZonedTime::new(0, 0), ZonedTime::new(1_000_000, 1)].map(Value::TimeTz)),
        (Type::Interval, [IntervalScalar::NEG_INFINITY, IntervalScalar::MIN].map(Value::Interval)),
        (Type::Interval, [IntervalScalar::MAX, IntervalScalar::INFINITY].map(Value::Interval)),
        (Type::Duration, [MicroDuration::from_micros(-1), MicroDuration::from_micros(0)].map(Value::Duration)),
        (Type::Enum, [Value::Enum(EnumRank::new(255)), Value::Enum(EnumRank::new(256))]),
        (
            Type::Uuid,
            [Value::Uuid(Uuid::new([0xff; 16])), {
                let mut v = [0xff; 16];
                v[15] = 0xfe;
                Value::Uuid(Uuid::new(v))
            }],
        ),
        (Type::Ip, [ip("10.0.0.255"), ip("10.0.1.0")]),
        (Type::Ip, [ip("255.255.255.255"), ip("::")]),
        (Type::Bits, [bits(&[0b1010_0000], 3), bits(&[0b1010_0000], 4)]),
        (Type::Bits, [bits(&[0b1010_0000], 8), bits(&[0b1010_0000, 0], 9)]),
        (Type::Str, [Value::str("a"), Value::str("a\0")]),
        (Type::Opaque(b"x"), [Value::Opaque(b"\xff".into()), Value::Opaque(b"\xff\0".into())]),
        (Type::Fixed(20), [Value::fixed(&wide[0]), Value::fixed(&wide[1])]),
        (Type::Fixed(20), [Value::fixed(&carried[0]), Value::fixed(&carried[1])]),
        (Type::Fixed(2), [Value::fixed(b"a\xff"), Value::fixed(b"b\0")]),
    ];
    let apart: Vec<(Type<'_>, [Value<'_>; 2])> = vec![
        (Type::U16, [Value::U16(0x01ff), Value::U16(0x0201)]),
        (Type::F64, [f(-tiny), f(tiny)]),
        (Type::F64, [f(f64::MAX), f(f64::NAN)]),
        (Type::F32, [Value::F32(f32::MAX), Value::F32(f32::NAN)]),
        (Type::F32, [Value::F32(f32::NEG_INFINITY), Value::F32(f32::NAN)]),
        (Type::Decimal, [dec("-Infinity"), dec("-9e2147483647")]),
        (Type::Decimal, [dec("9e2147483647"), dec("Infinity")]),
        (Type::Decimal, [dec("0"), dec("1.1e-2147483648")]),
        (Type::Decimal, [dec("-2e-2147483648"), dec("0")]),
        (Type::Decimal, [dec("1"), dec("1.000000000000000000000000000001")]),
        (Type::Date, [Value::Date(Date::NEG_INFINITY), Value::Date(d(Date::MIN.days() + 1))]),
        (Type::Date, [Value::Date(Date::NEG_INFINITY), Value::Date(Date::INFINITY)]),
        (Type::Timestamp, [Value::Timestamp(ts(Timestamp::MAX.micros() - 1)), Value::Timestamp(Timestamp::INFINITY)]),
        (Type::Interval, [IntervalScalar::NEG_INFINITY, IntervalScalar::INFINITY].map(Value::Interval)),
        (Type::Ip, [ip("255.255.255.254"), ip("::")]),
        (Type::Ip, [ip("::ffff"), ip("::1:1")]),
        (Type::Bits, [bits(&[0b1010_0000], 3), bits(&[0b1011_0000], 4)]),
        (Type::Bits, [bits(&[0b1010_0000], 3), bits(&[0b1010_0000], 5)]),
        (Type::Str, [Value::str("a"), Value::str("a\u{1}")]),
        (Type::Bytes, [Value::bytes(b"a"), Value::bytes(b"b")]),
        (Type::Fixed(20), [Value::fixed(&wide[0]), Value::fixed(&wide[2])]),
        (Type::Fixed(20), [Value::fixed(&wide[0]), Value::fixed(&carried[1])]),
    ];
    for order in 0..6 {
        for (ty, pair) in &neighbours {
            assert_eq!(ranges_of(*ty, order, pair), 1, "{ty:?} {pair:?} {order}");
        }
        for (ty, pair) in &apart {
            assert_eq!(ranges_of(*ty, order, pair), 2, "{ty:?} {pair:?} {order}");
        }
    }
}

/// Below the least value there is nothing, and above the greatest: a comparison that says so is
/// empty, and one that says all but that is everything.
#[test]
fn nothing_lies_beyond_the_ends() {
    let least: Vec<(Type<'_>, Value<'_>)> = vec![
        (Type::I64, Value::I64(i64::MIN)),
        (Type::F32, Value::F32(f32::NEG_INFINITY)),
        (Type::F64, Value::F64(f64::NEG_INFINITY)),
        (Type::Decimal, Value::Decimal(Decimal::NEG_INFINITY)),
        (Type::Str, Value::str("")),
        (Type::Bytes, Value::bytes(b"")),
        (Type::Fixed(20), Value::fixed(&[0; 20])),
        (Type::Date, Value::Date(Date::NEG_INFINITY)),
        (Type::Time, Value::Time(Time::MIN)),
        (Type::Timestamp, Value::Timestamp(Timestamp::NEG_INFINITY)),
        (Type::Interval, Value::Interval(IntervalScalar::NEG_INFINITY)),
        (Type::Ip, Value::Ip(IpAddr::from([0u8; 4]))),
        (Type::Bits, Value::Bits(BitsView::new(&[], 0).unwrap())),
    ];
    let greatest: Vec<(Type<'_>, Value<'_>)> = vec![
        (Type::U8, Value::U8(255)),
        (Type::Bool, Value::Bool(true)),
        (Type::F32, Value::F32(f32::NAN)),
        (Type::F64, Value::F64(f64::NAN)),
        (Type::Decimal, Value::Decimal(Decimal::NAN)),
        (Type::Fixed(20), Value::fixed(&[0xff; 20])),
        (Type::Date, Value::Date(Date::INFINITY)),
        (Type::Time, Value::Time(Time::MAX)),
        (Type::Timestamp, Value::Timestamp(Timestamp::INFINITY)),
        (Type::Interval, Value::Interval(IntervalScalar::INFINITY)),
        (Type::Ip, Value::Ip(IpAddr::from([0xffu8; 16]))),
    ];
    for order in 0..6 {
        let ends = least.iter().map(|end| (end, Op::Lt)).chain(greatest.iter().map(|end| (end, Op::Gt)));
        for ((ty, value), op) in ends {
            with_field(*ty, order, |spec| {
                let beyond = Predicate::Compare { field: 0, op, value: *value };
                let mut buffer = RangeBuffer::<1, 64>::new();
                assert!(spec.ranges(&beyond, buffer.room()).unwrap().is_empty(), "{ty:?} {order}");
                // NOT of it is all values: with the nulls, all keys, and so one range.
                let all = [Predicate::Not(&beyond), Predicate::is_null(0)];
                let ranges = spec.ranges(&Predicate::Or(&all), buffer.room()).unwrap();
                assert_eq!((ranges.len(), ranges.is_exact()), (1, true), "{ty:?} {order}");
            });
        }
    }
    // A front of nothing but the greatest unit has nothing behind it.
    for (ty, front) in [(Type::Bytes, Value::bytes(b"\xff\xff")), (Type::Str, Value::str("\u{10ffff}"))] {
        with_field(ty, 4, |spec| {
            let behind = [Predicate::gt(0, front), Predicate::Not(&Predicate::starts_with(0, front))];
            let mut buffer = RangeBuffer::<1, 64>::new();
            assert!(spec.ranges(&Predicate::And(&behind), buffer.room()).unwrap().is_empty());
        });
    }
}

/// Holds ranges against the evaluator for every comparison among some values.
fn check_members(ty: Type<'_>, values: &[Value<'_>]) {
    for order in 0..6u8 {
        with_field(ty, order, |spec| {
            let mut keys: Vec<(Vec<u8>, Value<'_>)> =
                values.iter().map(|v| (spec.encode(&[*v], &mut [0u8; 256]).unwrap().to_vec(), *v)).collect();
            keys.sort_by(|a, b| a.0.cmp(&b.0));
            for constant in values {
                for op in OPS {
                    for other in values {
                        let parts = [Predicate::Compare { field: 0, op, value: *constant }, Predicate::eq(0, *other)];
                        for predicate in [Predicate::Or(&parts), Predicate::Not(&Predicate::Or(&parts)), parts[0]] {
                            let mut buffer = RangeBuffer::<8, 1024>::new();
                            let ranges = spec.ranges(&predicate, buffer.room()).unwrap();
                            assert!(ranges.is_exact());
                            for (key, value) in &keys {
                                let wanted = spec.eval(&predicate, &[*value]).unwrap() == Some(true);
                                let hits = ranges.iter().filter(|range| range.contains(key)).count();
                                assert_eq!(hits, usize::from(wanted), "{predicate:?} {value:?} {ranges:?}");
                                assert_eq!(spec.matches(&predicate, key), Ok(wanted));
                            }
                            for (a, b) in ranges.iter().zip(ranges.iter().skip(1)) {
                                assert!(a.end().unwrap() < b.start(), "{predicate:?} {ranges:?}");
                            }
                            assert!(ranges.iter().all(|range| !range.is_empty()));
                        }
                    }
                }
            }
        });
    }
}

#[test]
fn zoned_times() {
    let zoned = |local, east| Value::TimeTz(ZonedTime::new(local, east));
    check_members(
        Type::TimeTz,
        &[zoned(0, 0), zoned(0, 1), zoned(1_000_000, 1), zoned(86_400_000_000, -57_599), zoned(0, 57_599)],
    );
}

#[test]
fn composites_and_networks() {
    static POINT: [Field<'static>; 2] = [Field::not_null(Type::U8, Asc), Field::new(Type::U8, AscNullsFirst)];
    let pairs = [
        [Value::U8(1), Value::Null],
        [Value::U8(1), Value::U8(0xff)],
        [Value::U8(2), Value::U8(0)],
        [Value::U8(2), Value::U8(1)],
    ];
    let records: Vec<_> = pairs.iter().map(|pair| Value::Record(RecordView::new(pair))).collect();
    check_members(Type::Record(&POINT), &records);

    let lists: [&[Value<'_>]; 4] = [&[], &[Value::U8(0)], &[Value::U8(0), Value::Null], &[Value::U8(1)]];
    let lists: Vec<_> = lists.iter().map(|values| Value::List(ListView::new(values))).collect();
    check_members(Type::List(&Type::U8), &lists);

    let dimension = [Dimension::new(2)];
    let (one, two) = ([Value::U8(0), Value::U8(0)], [Value::U8(0), Value::U8(1)]);
    let arrays = [ArrayView::new(&[], &[]), ArrayView::new(&one, &dimension), ArrayView::new(&two, &dimension)];
    check_members(Type::Array(&Type::U8), &arrays.map(Value::Array));

    let ranges = [
        SqlRange::Empty,
        SqlRange::from(1u8..4),
        SqlRange::new(std::ops::Bound::Included(Value::U8(1)), std::ops::Bound::Included(Value::U8(4))),
        SqlRange::from(1u8..),
    ];
    let ranges: Vec<_> = ranges.iter().map(|range| Value::Range(RangeView::new(range))).collect();
    check_members(Type::Range(&Type::U8), &ranges);

    let ip = |text: &str| text.parse::<IpAddr>().unwrap();
    let prefixes = [("10.0.0.1", 24), ("10.0.0.2", 24), ("10.0.0.255", 24), ("10.0.1.0", 24), ("::", 0)];
    let prefixes: Vec<_> =
        prefixes.iter().map(|(text, len)| IpPrefix::new(ip(text), *len).unwrap()).map(Value::IpPrefix).collect();
    check_members(Type::IpPrefix, &prefixes);
    let networks = [("10.0.0.0", 24), ("10.0.0.0", 25), ("10.0.1.0", 24), ("::", 0)];
    let networks: Vec<_> =
        networks.iter().map(|(text, len)| Network::new(ip(text), *len).unwrap()).map(Value::Network).collect();
    check_members(Type::Network, &networks);

    // Below the least composite there are no bytes in a descending field: no range, and no gap.
    let empty = Value::List(ListView::new(&[]));
    let mut layout = [0u8; 32];
    let fields = [Field::not_null(Type::List(&Type::U8), Desc)];
    let spec = KeySpec::describe(&fields, &mut layout).unwrap();
    let mut buffer = RangeBuffer::<1, 64>::new();
    assert!(spec.ranges(&Predicate::lt(0, empty), buffer.room()).unwrap().is_empty());
    assert_eq!(spec.ranges(&Predicate::ge(0, empty), buffer.room()).unwrap().len(), 1);
}
