//! Single cases: the bytes of ranges, limits, errors, long lists.

use std::ops::Bound;

use isotone::Asc;
use isotone::AscNullsLast;
use isotone::Date;
use isotone::Desc;
use isotone::DescNullsFirst;
use isotone::Error;
use isotone::Field;
use isotone::KeySpec;
use isotone::Limits;
use isotone::MAX_PREDICATE_DEPTH;
use isotone::MAX_PREDICATE_FIELDS;
use isotone::Op;
use isotone::Predicate;
use isotone::PredicateError;
use isotone::RangeBuffer;
use isotone::RangeRoom;
use isotone::RangeSlot;
use isotone::Type;
use isotone::Value;
use isotone::key_spec;

/// Parts of a predicate that is built in a test. Leaked.
fn list(values: &[Value<'static>]) -> &'static [Value<'static>] {
    Vec::leak(values.to_vec())
}

fn not(part: Predicate<'static>) -> Predicate<'static> {
    Predicate::Not(Box::leak(Box::new(part)))
}

/// One condition has the very range that the spec has a method for.
#[test]
fn one_condition_has_the_bytes_of_the_specs_own_range() {
    for (order, scope) in (0..6u8).flat_map(|order| [&b""[..], b"\x07", b"\xff"].map(|scope| (order, scope))) {
        let fields = [Field::not_null(Type::U8, Asc), Field::from_code(Type::Str, order)];
        let mut layout = [0u8; 32];
        let spec = KeySpec::describe(&fields, &mut layout).unwrap().under(scope);
        let first = Value::U8(9);
        let mut buffer = RangeBuffer::<1, 64>::new();
        let mut same = |predicate: Predicate<'_>, own: &dyn Fn(&mut [u8]) -> Vec<Vec<u8>>| {
            let ranges = spec.ranges(&predicate, buffer.room()).unwrap();
            let ends: Vec<_> = ranges
                .iter()
                .flat_map(|range| [Some(range.start().to_vec()), range.end().map(<[u8]>::to_vec)])
                .collect();
            let own: Vec<_> = own(&mut [0u8; 64]);
            assert_eq!(ends.into_iter().flatten().collect::<Vec<_>>(), own, "{predicate:?} {order} {scope:?}");
            assert!(ranges.is_exact());
        };
        macro_rules! own {
            ($room:ident => $range:expr) => {
                &|$room| {
                    let range = $range.unwrap();
                    [Some(range.start()), range.end()].into_iter().flatten().map(<[u8]>::to_vec).collect()
                }
            };
        }
        same(Predicate::True, own!(room => spec.prefix_range(&[], room)));
        same(Predicate::eq(0, first), own!(room => spec.prefix_range(&[first], room)));
        same(
            Predicate::gt(0, first),
            own!(room => spec.field_range(&[], Bound::Excluded(first), Bound::Unbounded, room)),
        );

        let second = Value::str("a\0");
        let both = [Predicate::eq(0, first), Predicate::eq(1, second)];
        same(Predicate::And(&both), own!(room => spec.prefix_range(&[first, second], room)));
        let bounds = [
            (Op::Lt, Bound::Unbounded, Bound::Excluded(second)),
            (Op::Le, Bound::Unbounded, Bound::Included(second)),
            (Op::Gt, Bound::Excluded(second), Bound::Unbounded),
            (Op::Ge, Bound::Included(second), Bound::Unbounded),
        ];
        for (op, lower, upper) in bounds {
            let both = [Predicate::eq(0, first), Predicate::Compare { field: 1, op, value: second }];
            same(Predicate::And(&both), own!(room => spec.field_range(&[first], lower, upper, room)));
        }
        let both = [Predicate::eq(0, first), Predicate::between(1, second, Value::str("b"))];
        let (lower, upper) = (Bound::Included(second), Bound::Included(Value::str("b")));
        same(Predicate::And(&both), own!(room => spec.field_range(&[first], lower, upper, room)));
        let both = [Predicate::eq(0, first), Predicate::starts_with(1, second)];
        same(Predicate::And(&both), own!(room => spec.starts_with_range(&[first], second, room)));
        if order < 4 {
            let both = [Predicate::eq(0, first), Predicate::is_null(1)];
            same(Predicate::And(&both), own!(room => spec.prefix_range(&[first, Value::Null], room)));
            let both = [Predicate::eq(0, first), Predicate::is_not_null(1)];
            let (lower, upper) = (Bound::Unbounded, Bound::Unbounded);
            same(Predicate::And(&both), own!(room => spec.field_range(&[first], lower, upper, room)));
        }
    }
}

/// Three lists multiply; neighbours in the last field are one range.
#[test]
fn lists_over_leading_fields_multiply() {
    let spec = key_spec![Type::I32 => Asc, Type::Str => AscNullsLast, Type::I16 => Desc];
    let (a, b) = ([Value::I32(7), Value::I32(1)], ["x".into(), Value::Null, "y".into()]);
    let c = [Value::I16(3), Value::I16(4), Value::I16(6)];
    let parts = [Predicate::is_in(0, &a), Predicate::is_in(1, &b), Predicate::is_in(2, &c)];
    let mut buffer = RangeBuffer::<8, 512>::new();
    let ranges = spec.ranges(&Predicate::And(&parts), buffer.room()).unwrap();
    // 2 × 2 × 2: null equals nothing, and 3 and 4 are neighbours.
    assert_eq!((ranges.len(), ranges.is_exact()), (8, true));
    let mut room = [0u8; 32];
    let key = spec.encode(&[Value::I32(1), "x".into(), Value::I16(4)], &mut room).unwrap();
    assert_eq!(ranges.iter().position(|range| range.contains(key)), Some(1));
}

/// What SQL says of nulls, spelled out.
#[test]
fn nulls_are_unknown() {
    let spec = key_spec![Type::I32 => AscNullsLast, Type::I32 => DescNullsFirst];
    let (one, two, null) = (Value::I32(1), Value::I32(2), Value::Null);
    let with_null = list(&[one, null]);
    let rows: [(Predicate<'static>, [Value<'static>; 2], Option<bool>); 18] = [
        (Predicate::eq(0, null), [one, one], None),
        (Predicate::ne(0, null), [one, one], None),
        (Predicate::eq(0, null), [null, one], None),
        (Predicate::lt(0, one), [null, one], None),
        (Predicate::is_in(0, with_null), [one, one], Some(true)),
        (Predicate::is_in(0, with_null), [two, one], None),
        (not(Predicate::is_in(0, with_null)), [two, one], None),
        (Predicate::is_in(0, &[]), [null, one], Some(false)),
        (Predicate::between(0, two, null), [one, one], Some(false)),
        (not(Predicate::between(0, two, null)), [one, one], Some(true)),
        (Predicate::between(0, two, null), [two, one], None),
        (Predicate::row(&[0, 1], Op::Lt, list(&[two, null])), [one, one], Some(true)),
        (Predicate::row(&[0, 1], Op::Lt, list(&[two, null])), [two, one], None),
        (Predicate::row(&[0, 1], Op::Eq, list(&[two, null])), [one, one], Some(false)),
        (Predicate::row(&[0, 1], Op::Eq, list(&[two, null])), [two, one], None),
        (Predicate::row(&[0, 1], Op::Ge, list(&[two, two])), [null, two], None),
        (Predicate::row(&[1, 0], Op::Ge, list(&[two, two])), [null, two], None),
        (Predicate::row(&[1, 0], Op::Ge, list(&[one, two])), [null, two], Some(true)),
    ];
    for (predicate, row, truth) in rows {
        assert_eq!(spec.eval(&predicate, &row).unwrap(), truth, "{predicate:?} {row:?}");
        let mut buffer = RangeBuffer::<8, 256>::new();
        let ranges = spec.ranges(&predicate, buffer.room()).unwrap();
        let mut room = [0u8; 16];
        let key = spec.encode(&row, &mut room).unwrap();
        // Whether the first field alone can decide.
        let leads = !matches!(predicate, Predicate::Row { fields: [1, 0], .. });
        assert_eq!(ranges.is_exact(), leads, "{predicate:?} {ranges:?}");
        assert_eq!(ranges.contains(key), truth == Some(true), "{predicate:?} {row:?} {ranges:?}");
    }
}

/// `cases.md` B69.
#[test]
fn rows_over_mixed_directions() {
    let spec = key_spec![Type::I8 => Asc, Type::I8 => Desc];
    let values = [Value::I8(1), Value::I8(2)];
    let mut buffer = RangeBuffer::<2, 16>::new();
    let ranges = spec.ranges(&Predicate::row(&[0, 1], Op::Gt, &values), buffer.room()).unwrap();
    // (1, 3), (1, 2), (1, 1), (2, 0): the first and the last.
    let keys = [[0x81, 0x7c], [0x81, 0x7d], [0x81, 0x7e], [0x82, 0x7f]];
    assert_eq!(keys.map(|key| ranges.contains(&key)), [true, false, false, true]);
    let ends: Vec<_> = ranges.iter().map(|r| (r.start().to_vec(), r.end().map(<[u8]>::to_vec))).collect();
    assert_eq!(ends, [(vec![0x81], Some(vec![0x81, 0x7d])), (vec![0x82], None)]);
}

/// Values of a leading field that is not asked about are taken one by one, as far as slots go.
#[test]
fn a_leading_field_of_few_values_is_skipped_over() {
    let spec = key_spec![Type::Bool => AscNullsLast, Type::U8 => Asc, Type::I64 => Asc];
    let predicate =
        Predicate::And(&[Predicate::between(1, Value::U8(7), Value::U8(9)), Predicate::eq(2, Value::I64(5))]);
    let count = |slots: usize, limits: Limits| {
        let (mut slots, mut bytes) = (vec![RangeSlot::NEW; slots], [0u8; 1000]);
        let ranges = spec.ranges_within(&predicate, limits, RangeRoom::new(&mut slots, &mut bytes)).unwrap();
        (ranges.len(), ranges.is_exact(), ranges.left().collect::<Vec<_>>())
    };
    // (false, true, null) × (7, 8, 9).
    assert_eq!(count(9, Limits::NONE), (9, true, vec![]));
    assert_eq!(count(64, Limits { values: 2, ..Limits::NONE }), (9, true, vec![]));
    // All values and those of null, whose ranges are found below it: 7, 8 and 9 are one each.
    assert_eq!(count(8, Limits::NONE), (4, false, vec![1, 2]));
    assert_eq!(count(64, Limits { values: 1, ..Limits::NONE }), (4, false, vec![1, 2]));
    // Without the last field: (false, true, null).
    assert_eq!(count(64, Limits { fields: 2, ..Limits::NONE }), (3, false, vec![2]));
    assert_eq!(count(64, Limits { fields: 0, ..Limits::NONE }), (1, false, vec![1, 2]));
}

/// Values one by one across a gap in a kind's domain, in either direction.
#[test]
fn values_are_taken_in_key_order() {
    let after = Date::from_days(Date::MIN.days() + 1);
    for order in 0..6u8 {
        let mut layout = [0u8; 32];
        let fields = [Field::from_code(Type::Date, order), Field::not_null(Type::U8, Asc)];
        let spec = KeySpec::describe(&fields, &mut layout).unwrap();
        let parts = [Predicate::le(0, Value::Date(after)), Predicate::eq(1, Value::U8(7))];
        let mut buffer = RangeBuffer::<3, 64>::new();
        let ranges = spec.ranges(&Predicate::And(&parts), buffer.room()).unwrap();
        assert_eq!((ranges.len(), ranges.is_exact()), (3, true));
        assert!(ranges.iter().zip(ranges.iter().skip(1)).all(|(a, b)| a.end().unwrap() < b.start()), "{ranges:?}");
        for (day, selected) in [(Date::NEG_INFINITY, true), (Date::MIN, true), (after, true), (Date::INFINITY, false)] {
            let mut room = [0u8; 8];
            let key = spec.encode(&[Value::Date(day), Value::U8(7)], &mut room).unwrap();
            assert_eq!(ranges.contains(key), selected, "{day:?} {order}");
        }
    }
}

#[test]
fn a_condition_behind_an_interval_is_left_to_filter() {
    let spec = key_spec![Type::I64 => Asc, Type::I64 => Asc, Type::I64 => Asc];
    let parts = [
        Predicate::between(0, Value::I64(1), Value::I64(10)),
        Predicate::eq(1, Value::I64(3)),
        Predicate::lt(2, Value::I64(0)),
    ];
    let mut buffer = RangeBuffer::<4, 256>::new();
    let ranges = spec.ranges(&Predicate::And(&parts[..2]), buffer.room()).unwrap();
    // (1, 3), what lies between 1 and 10, (10, 3); with more slots the eight between, one by one.
    assert_eq!((ranges.len(), ranges.is_exact(), ranges.left().collect::<Vec<_>>()), (3, false, vec![1]));
    let mut buffer = RangeBuffer::<10, 512>::new();
    let ranges = spec.ranges(&Predicate::And(&parts), buffer.room()).unwrap();
    assert_eq!((ranges.len(), ranges.is_exact(), ranges.left().count()), (10, true, 0));
    // A condition that always holds, or never does, divides nothing.
    let never = Predicate::And(&[Predicate::lt(1, Value::I64(3)), Predicate::gt(1, Value::I64(3))]);
    let always = Predicate::Or(&[Predicate::lt(1, Value::I64(3)), Predicate::ge(1, Value::I64(3))]);
    for (part, len) in [(never, 0), (always, 1)] {
        let both = [parts[0], part];
        let mut buffer = RangeBuffer::<1, 64>::new();
        let ranges = spec.ranges(&Predicate::And(&both), buffer.room()).unwrap();
        assert_eq!((ranges.len(), ranges.is_exact()), (len, true));
    }
    // Such an interval ends the range before it.
    let between = [Predicate::gt(0, Value::I64(1)), Predicate::lt(0, Value::I64(100)), never];
    let around = [Predicate::le(0, Value::I64(1)), Predicate::And(&between), Predicate::ge(0, Value::I64(100))];
    let mut buffer = RangeBuffer::<2, 64>::new();
    let ranges = spec.ranges(&Predicate::Or(&around), buffer.room()).unwrap();
    assert_eq!((ranges.len(), ranges.is_exact()), (2, true));
}

/// A sorted list is searched by halves and gives what it gives in any order.
#[test]
fn long_lists() {
    let spec = key_spec![Type::U16 => AscNullsLast, Type::Str => Desc];
    let mixed: Vec<Value<'_>> = (0..600i64)
        .map(|i| {
            if i % 5 == 0 {
                Value::I64(i * 997 % 1500 - 40)
            } else {
                Value::U16(u16::try_from(i * 7919 % 3001).unwrap())
            }
        })
        .collect();
    let mut sorted = mixed.clone();
    spec.sort_values(0, &mut sorted).unwrap();
    let mut expected: Vec<i64> = mixed
        .iter()
        .map(|v| {
            if let Value::I64(v) = v {
                *v
            } else if let Value::U16(v) = v {
                i64::from(*v)
            } else {
                -1
            }
        })
        .filter(|v| *v >= 0)
        .collect();
    expected.sort_unstable();
    expected.dedup();
    let runs = 1 + expected.windows(2).filter(|pair| pair[1] != pair[0] + 1).count();
    let (mut slots, mut more) = (vec![RangeSlot::NEW; 700], vec![RangeSlot::NEW; 700]);
    let (mut bytes, mut more_bytes) = (vec![0u8; 9000], vec![0u8; 9000]);
    let plain = spec.ranges(&Predicate::is_in(0, &mixed), RangeRoom::new(&mut slots, &mut bytes)).unwrap();
    let halved = spec.ranges(&Predicate::is_in(0, &sorted), RangeRoom::new(&mut more, &mut more_bytes)).unwrap();
    assert_eq!(plain.list(), halved.list());
    assert_eq!(halved.len(), runs);
    for v in 0..3100u16 {
        let mut room = [0u8; 16];
        let key = spec.encode(&[Value::U16(v), "".into()], &mut room).unwrap();
        assert_eq!(halved.contains(key), expected.binary_search(&v.into()).is_ok(), "{v}");
    }
    // Under NOT, and more of them than are remembered.
    let listed = Predicate::is_in(0, &sorted);
    let nots = [Predicate::Not(&listed); 12];
    let (mut slots, mut bytes) = (vec![RangeSlot::NEW; 700], vec![0u8; 9000]);
    let none = spec.ranges(&Predicate::And(&nots), RangeRoom::new(&mut slots, &mut bytes)).unwrap();
    assert!(none.is_exact());
    assert_eq!(
        (0..3100u16).filter(|v| none.contains(&[&[0], &v.to_be_bytes()[..], &[0xff; 2]].concat())).count(),
        3100 - expected.iter().filter(|v| **v < 3100).count()
    );
    // Descending, the search goes the other way.
    let spec = key_spec![Type::U16 => DescNullsFirst];
    let (mut slots, mut bytes) = (vec![RangeSlot::NEW; 700], vec![0u8; 9000]);
    let down = spec.ranges(&Predicate::is_in(0, &sorted), RangeRoom::new(&mut slots, &mut bytes)).unwrap();
    assert_eq!(down.len(), runs);
    // With a null it is not searched by halves, and selects the same.
    let mut with_null = sorted.clone();
    with_null.insert(0, Value::Null);
    let (mut slots, mut bytes) = (vec![RangeSlot::NEW; 700], vec![0u8; 9000]);
    let ranges = spec.ranges(&Predicate::is_in(0, &with_null), RangeRoom::new(&mut slots, &mut bytes)).unwrap();
    assert_eq!(ranges.len(), runs);
    let not = Predicate::Not(&Predicate::is_in(0, &with_null));
    let mut buffer = RangeBuffer::<0, 0>::new();
    assert!(spec.ranges(&not, buffer.room()).unwrap().is_empty());
}

#[test]
fn what_is_wrong_is_said() {
    let spec = key_spec![Type::I32 => Asc, Type::Str => AscNullsLast, Type::Decimal => Asc, Type::F64 => Asc];
    let row = [Value::I32(1), "a".into(), Value::Decimal(1.into()), Value::F64(0.0)];
    let mut room = [0u8; 64];
    let key = spec.encode(&row, &mut room).unwrap();
    let (text, float) = (Value::str("1"), Value::F64(1.5));
    let cases = [
        (Predicate::eq(4, Value::Null), PredicateError::NoSuchField { field: 4 }),
        (Predicate::is_null(usize::MAX), PredicateError::NoSuchField { field: usize::MAX }),
        (Predicate::eq(0, text), PredicateError::TypeMismatch { field: 0 }),
        (Predicate::eq(1, Value::I32(1)), PredicateError::TypeMismatch { field: 1 }),
        (Predicate::eq(2, float), PredicateError::TypeMismatch { field: 2 }),
        (Predicate::eq(3, Value::Decimal(1.into())), PredicateError::TypeMismatch { field: 3 }),
        (Predicate::starts_with(0, Value::I32(1)), PredicateError::TypeMismatch { field: 0 }),
        (Predicate::starts_with(1, Value::bytes(b"a")), PredicateError::TypeMismatch { field: 1 }),
        (Predicate::is_in(0, list(&[Value::I32(9), text])), PredicateError::TypeMismatch { field: 0 }),
        (Predicate::between(0, Value::I32(0), text), PredicateError::TypeMismatch { field: 0 }),
        (Predicate::row(&[], Op::Eq, &[]), PredicateError::RowLength { fields: 0, values: 0 }),
        (Predicate::row(&[0, 1], Op::Eq, list(&[text])), PredicateError::RowLength { fields: 2, values: 1 }),
        (Predicate::row(&[0, 9], Op::Eq, list(&[Value::I32(1), text])), PredicateError::NoSuchField { field: 9 }),
    ];
    let mut buffer = RangeBuffer::<8, 256>::new();
    for (predicate, error) in cases {
        let not = Predicate::Not(&predicate);
        assert_eq!(spec.ranges(&not, buffer.room()).unwrap_err(), error, "{predicate:?}");
        assert_eq!(spec.eval(&not, &row).unwrap_err(), error, "{predicate:?}");
        assert_eq!(spec.matches(&not, key).unwrap_err(), error, "{predicate:?}");
    }
    let outside = key_spec![Type::Fixed(3) => Asc, Type::Time => Asc];
    let values = [
        (Predicate::lt(0, Value::fixed(b"ab")), PredicateError::InvalidValue { field: 0 }),
        (Predicate::lt(1, Value::Time(isotone::Time::from_micros(-1))), PredicateError::InvalidValue { field: 1 }),
    ];
    for (predicate, error) in values {
        assert_eq!(outside.ranges(&predicate, buffer.room()).unwrap_err(), error);
    }
    assert_eq!(
        spec.eval(&Predicate::True, &row[..3]),
        Err(PredicateError::Key(Error::WrongArity { expected: 4, got: 3 }))
    );
    let broken = spec.matches(&Predicate::is_null(1), &[0x80, 0, 0, 1, 7]);
    assert_eq!(broken, Err(PredicateError::Key(Error::MalformedKey { at: 4 })));
    // No further than the last field that is asked about.
    assert_eq!(spec.matches(&Predicate::eq(0, Value::I32(1)), &[0x80, 0, 0, 1, 7]), Ok(true));
    let other = [Value::I64(1), row[1], row[2], row[3]];
    assert_eq!(spec.eval(&Predicate::eq(0, Value::I32(1)), &other), Err(PredicateError::TypeMismatch { field: 0 }));
    assert_eq!(spec.eval(&Predicate::eq(0, Value::U8(1)), &other), Err(PredicateError::TypeMismatch { field: 0 }));
}

#[test]
fn depth_and_fields_are_bounded() {
    fn nested(depth: usize, run: &mut dyn FnMut(&Predicate<'_>), inner: &Predicate<'_>) {
        match depth.checked_sub(1) {
            Some(depth) if depth % 2 == 0 => nested(depth, run, &Predicate::Not(inner)),
            Some(depth) => nested(depth, run, &Predicate::And(std::slice::from_ref(inner))),
            None => run(inner),
        }
    }
    let spec = key_spec![Type::Bool => Asc];
    let leaf = Predicate::eq(0, Value::Bool(true));
    for (depth, fits) in [(MAX_PREDICATE_DEPTH, true), (MAX_PREDICATE_DEPTH + 1, false), (3000, false)] {
        let mut ran = false;
        let mut check = |predicate: &Predicate<'_>| {
            ran = true;
            let mut buffer = RangeBuffer::<2, 8>::new();
            let outcomes = [
                spec.ranges(predicate, buffer.room()).map(|ranges| ranges.len() == 1),
                spec.eval(predicate, &[Value::Bool(false)]).map(|truth| truth.is_some()),
                spec.matches(predicate, &[1]).map(|_| true),
            ];
            assert_eq!(outcomes, [if fits { Ok(true) } else { Err(PredicateError::TooDeep) }; 3], "{depth}");
        };
        nested(depth, &mut check, &leaf);
        assert!(ran);
    }

    let fields = [Field::not_null(Type::Bool, Asc); MAX_PREDICATE_FIELDS + 1];
    let mut layout = [0u8; 100];
    let spec = KeySpec::describe(&fields, &mut layout).unwrap();
    let (last, beyond) = (MAX_PREDICATE_FIELDS - 1, MAX_PREDICATE_FIELDS);
    let mut buffer = RangeBuffer::<1, 128>::new();
    let all: Vec<_> = (0..=last).map(|field| Predicate::eq(field, Value::Bool(field % 3 == 0))).collect();
    let ranges = spec.ranges(&Predicate::And(&all), buffer.room()).unwrap();
    let key: Vec<u8> = (0..=last).map(|field| u8::from(field % 3 == 0)).collect();
    assert_eq!((ranges.is_exact(), ranges.get(0).unwrap().start()), (true, &key[..]));
    assert_eq!(spec.matches(&Predicate::And(&all), &[&key[..], &[0]].concat()), Ok(true));
    let error = PredicateError::NoSuchField { field: beyond };
    assert_eq!(spec.ranges(&Predicate::is_null(beyond), buffer.room()).unwrap_err(), error);
}

/// Every clause about three fields of twenty-four: what would take forever is given up.
#[test]
fn what_takes_too_long_is_refused() {
    let fields = [Field::not_null(Type::Bool, Asc); 24];
    let mut layout = [0u8; 100];
    let spec = KeySpec::describe(&fields, &mut layout).unwrap();
    let clauses: Vec<_> = (0..22)
        .map(|i| [(0, true), (1, false), (2, i % 2 == 0)].map(|(by, truth)| Predicate::eq(i + by, Value::Bool(truth))))
        .collect();
    let ors: Vec<_> = clauses.iter().map(|clause| Predicate::Or(clause)).collect();
    let limits = Limits { steps: 100_000, ..Limits::NONE };
    let mut buffer = RangeBuffer::<100, 4096>::new();
    let error = spec.ranges_within(&Predicate::And(&ors), limits, buffer.room()).unwrap_err();
    assert_eq!(error, PredicateError::TooComplex);
    // Fewer fields are few enough.
    let limits = Limits { fields: 6, ..limits };
    let ranges = spec.ranges_within(&Predicate::And(&ors), limits, buffer.room()).unwrap();
    assert!(!ranges.is_exact() && !ranges.is_empty());
}
