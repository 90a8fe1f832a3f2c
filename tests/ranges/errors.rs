//! What ranges refuse, and how they say it.

use std::ops::Bound::Excluded;
use std::ops::Bound::Included;
use std::ops::Bound::Unbounded;

use isotone::Asc;
use isotone::AscNullsLast;
use isotone::ByteRange;
use isotone::Date;
use isotone::Desc;
use isotone::Error;
use isotone::Field;
use isotone::KeySpec;
use isotone::Type;
use isotone::Value;
use isotone::key_spec;

const SPEC: KeySpec<'static> = key_spec![Type::U8 => AscNullsLast, Type::Str => Desc, Type::Date => Asc];
const ONE: Value<'static> = Value::U8(1);
const A: Value<'static> = Value::str("a");
const DAY: Value<'static> = Value::Date(Date::MIN);
const NO_DAY: Value<'static> = Value::Date(Date::from_days(i32::MIN + 1));

#[test]
fn too_many_prefix_values() {
    let mut room = [0; 64];
    let too_many = |most, got| Err(Error::InvalidPrefixLength { most, got });
    assert!(SPEC.prefix_range(&[ONE, A, DAY], &mut room).is_ok());
    assert_eq!(SPEC.prefix_range(&[ONE, A, DAY, ONE], &mut room), too_many(3, 4));
    assert!(SPEC.field_range(&[ONE, A], Unbounded, Unbounded, &mut room).is_ok());
    assert_eq!(SPEC.field_range(&[ONE, A, DAY], Unbounded, Unbounded, &mut room), too_many(2, 3));
    assert_eq!(SPEC.field_range(&[ONE; 5], Unbounded, Unbounded, &mut room), too_many(2, 5));
    assert_eq!(SPEC.starts_with_range(&[ONE, A, DAY], A, &mut room), too_many(2, 3));
    assert_eq!(SPEC.tuple_range(&[ONE, A, DAY, ONE], Unbounded, Unbounded, &mut room), too_many(3, 4));
    assert_eq!(SPEC.range_size(&[ONE, A, DAY, ONE], &[], &[]), Err(Error::InvalidPrefixLength { most: 3, got: 4 }));
    assert!(SPEC.after_prefix(&[1], 4, &mut room).is_err());
}

#[test]
fn tuples_of_no_values_or_too_many() {
    let mut room = [0; 64];
    let wrong = |most, got| Err(Error::InvalidTupleLength { most, got });
    let none: &[Value<'_>] = &[];
    let (two, three): (&[Value<'_>], &[Value<'_>]) = (&[A, DAY], &[A, DAY, ONE]);
    assert_eq!(SPEC.tuple_range(&[ONE], Included(none), Unbounded, &mut room), wrong(2, 0));
    assert_eq!(SPEC.tuple_range(&[ONE], Unbounded, Excluded(none), &mut room), wrong(2, 0));
    assert_eq!(SPEC.tuple_range(&[ONE], Excluded(three), Unbounded, &mut room), wrong(2, 3));
    assert_eq!(SPEC.tuple_range(&[ONE, A, DAY], Included(two), Unbounded, &mut room), wrong(0, 2));
    assert!(SPEC.tuple_range(&[ONE], Included(two), Excluded(two), &mut room).is_ok());
    // With no field left, both ends unbounded are the prefix itself.
    let whole = SPEC.tuple_range(&[ONE, A, DAY], Unbounded, Unbounded, &mut room).map(|range| range.is_empty());
    assert_eq!(whole, Ok(false));
}

/// Both ends given, of commoner kinds and rarer ones, under every order.
#[test]
fn nulls_bound_nothing_under_any_order() {
    let mut room = [0; 64];
    for (ty, value) in [(Type::I64, Value::I64(1)), (Type::Str, A), (Type::U8, ONE), (Type::Date, DAY)] {
        for code in 0..=5 {
            // Behind a prefix of a common kind the ends are written without a builder.
            let (mut layout, fields) = ([0; 16], [Field::not_null(Type::U64, Asc), Field::from_code(ty, code)]);
            let spec = KeySpec::describe(&fields, &mut layout).expect("two fields");
            for (lower, upper) in [(value, Value::Null), (Value::Null, value), (Value::Null, Value::Null)] {
                for bounds in [(Included(lower), Included(upper)), (Excluded(lower), Excluded(upper))] {
                    let range = spec.field_range(&[Value::U64(1)], bounds.0, bounds.1, &mut room);
                    assert_eq!(range, Err(Error::InvalidValue { at: 8 }));
                }
            }
            assert!(spec.field_range(&[Value::U64(1)], Included(value), Included(value), &mut room).is_ok());
        }
    }
}

#[test]
fn nulls_are_no_bounds_and_values_must_fit() {
    let mut room = [0; 64];
    let invalid = |at| Err(Error::InvalidValue { at });
    for bound in [Included(Value::Null), Excluded(Value::Null)] {
        assert_eq!(SPEC.field_range(&[], bound, Unbounded, &mut room), invalid(0));
        assert_eq!(SPEC.field_range(&[], Unbounded, bound, &mut room), invalid(0));
        assert_eq!(SPEC.field_range(&[ONE], bound, bound, &mut room), invalid(2));
        assert_eq!(SPEC.field_range(&[ONE, A], Unbounded, bound, &mut room), invalid(2 + 3));
    }
    // Null is a position in a tuple and a value of a prefix, where the field has a place for it.
    let (null, a_null): (&[Value<'_>], &[Value<'_>]) = (&[Value::Null], &[Value::Null, A]);
    assert!(SPEC.tuple_range(&[], Included(null), Excluded(a_null), &mut room).is_ok());
    assert!(SPEC.prefix_range(&[Value::Null, A], &mut room).is_ok());
    assert_eq!(SPEC.prefix_range(&[ONE, Value::Null], &mut room), invalid(2));
    assert_eq!(SPEC.tuple_range(&[ONE], Included(null), Unbounded, &mut room), invalid(2));
    assert_eq!(SPEC.field_range(&[ONE, A], Included(NO_DAY), Unbounded, &mut room), invalid(5));
    assert_eq!(SPEC.field_range(&[ONE, A], Unbounded, Excluded(NO_DAY), &mut room), invalid(5));
    assert_eq!(SPEC.prefix_range(&[ONE, A, NO_DAY], &mut room), invalid(5));
    // Offsets count the scope.
    let scoped = SPEC.under(&[9, 9, 9]);
    assert_eq!(scoped.field_range(&[ONE, A], Included(NO_DAY), Unbounded, &mut room), invalid(8));
    assert_eq!(scoped.field_range(&[ONE], Included(Value::Null), Unbounded, &mut room), invalid(5));
}

#[test]
fn values_of_another_kind() {
    let mut room = [0; 64];
    let other = |field| Err(Error::TypeMismatch { field });
    assert_eq!(SPEC.prefix_range(&[Value::I8(1)], &mut room), other(0));
    assert_eq!(SPEC.prefix_range(&[ONE, ONE], &mut room), other(1));
    assert_eq!(SPEC.field_range(&[ONE], Included(ONE), Unbounded, &mut room), other(1));
    assert_eq!(SPEC.field_range(&[ONE], Included(A), Excluded(ONE), &mut room), other(1));
    let mixed: &[Value<'_>] = &[A, A];
    assert_eq!(SPEC.tuple_range(&[ONE], Included(mixed), Unbounded, &mut room), other(2));
    assert_eq!(SPEC.tuple_range(&[ONE], Unbounded, Excluded(mixed), &mut room), other(2));
    assert_eq!(SPEC.range_size(&[ONE], &[A], &[ONE]), Err(Error::TypeMismatch { field: 1 }));
}

#[test]
fn only_bytes_and_text_have_fronts() {
    const INNER: [Field<'static>; 1] = [Field::not_null(Type::Str, Asc)];
    const OTHERS: [KeySpec<'static>; 8] = [
        key_spec![Type::Opaque(b"p") => Asc],
        key_spec![Type::Collated { deterministic: true, producer: "" } => Asc],
        key_spec![Type::Collated { deterministic: false, producer: "x" } => Desc],
        key_spec![Type::Fixed(1) => Asc],
        key_spec![Type::Nested(&INNER) => Asc],
        key_spec![Type::Record(&INNER) => Asc],
        key_spec![Type::List(&Type::Str) => Asc],
        key_spec![Type::Bits => Asc],
    ];
    let mut room = [0; 64];
    for spec in OTHERS {
        for front in [
            A,
            Value::bytes(b"a"),
            Value::Opaque(b"a"[..].into()),
            Value::Collated(b"a"[..].into()),
            Value::fixed(b"a"),
        ] {
            assert_eq!(
                spec.starts_with_range(&[], front, &mut room),
                Err(Error::TypeMismatch { field: 0 }),
                "{spec:?}"
            );
        }
    }
    for front in [ONE, Value::bytes(b"a"), Value::Null] {
        assert_eq!(SPEC.starts_with_range(&[ONE], front, &mut room), Err(Error::TypeMismatch { field: 1 }));
    }
    assert_eq!(SPEC.starts_with_range(&[], A, &mut room), Err(Error::TypeMismatch { field: 0 }));
}

#[test]
fn cursors_are_whole_keys_inside_their_range() {
    let mut room = [0; 64];
    let range = SPEC.prefix_range(&[ONE], &mut room).expect("a range");
    let mut other = [0; 64];
    let key = SPEC.encode(&[ONE, A, DAY], &mut other).expect("a key");
    assert!(SPEC.resume_after(&range, key).expect("inside").excludes_start());
    let before = SPEC.resume_before(&range, key).expect("inside");
    assert_eq!((before.start(), before.end()), (range.start(), Some(key)));

    let mut outside = [0; 64];
    for values in [[Value::U8(2), A, DAY], [Value::U8(0), A, DAY], [Value::Null, A, DAY]] {
        let key = SPEC.encode(&values, &mut outside).expect("a key");
        assert_eq!(SPEC.resume_after(&range, key), Err(Error::CursorOutsideRange));
        assert_eq!(SPEC.resume_before(&range, key), Err(Error::CursorOutsideRange));
        assert_eq!(SPEC.resume_after(&ByteRange::EMPTY, key), Err(Error::CursorOutsideRange));
    }
    // Its own error comes first where it is no key.
    let cut = &key[..key.len() - 1];
    assert_eq!(SPEC.resume_after(&range, cut), Err(Error::TruncatedKey { at: cut.len() }));
    let long = [key, &[0]].concat();
    assert_eq!(SPEC.resume_before(&range, &long), Err(Error::TrailingBytes { at: key.len() }));
    assert_eq!(SPEC.resume_after(&range, &[2]), Err(Error::MalformedKey { at: 0 }));
    assert_eq!(SPEC.resume_after(&range, &[]), Err(Error::TruncatedKey { at: 0 }));
    // A resumed range does not hold the key that it resumes at.
    let rest = SPEC.resume_after(&range, key).expect("inside");
    assert_eq!(SPEC.resume_after(&rest, key), Err(Error::CursorOutsideRange));
}

/// A key whose text is no UTF-8 is no key of the spec, though skipping passes over it.
#[test]
fn cursors_are_checked_as_text() {
    let mut room = [0; 64];
    const TEXT: KeySpec<'static> = key_spec![Type::Str => Asc];
    let all = TEXT.prefix_range(&[], &mut room).expect("a range");
    let key = [0xff, 0, 0];
    assert_eq!(TEXT.skip(&key, 1), Ok(3));
    assert_eq!(TEXT.resume_after(&all, &key), Err(Error::MalformedKey { at: 0 }));
}

#[test]
fn after_prefix_needs_whole_fields() {
    let mut room = [0; 64];
    assert_eq!(SPEC.after_prefix(&[0], 1, &mut room), Err(Error::TruncatedKey { at: 1 }));
    assert_eq!(SPEC.after_prefix(&[0, 1, 0x9e], 2, &mut room), Err(Error::TruncatedKey { at: 3 }));
    // A prefix that is there is enough.
    let range = SPEC.after_prefix(&[0, 1], 1, &mut room).expect("one field");
    assert_eq!((range.start(), range.end()), (&[0, 2][..], None));
    assert_eq!(SPEC.after_prefix(&[0, 1], 0, &mut room), Ok(ByteRange::EMPTY));
    let scoped = SPEC.under(&[7]);
    assert_eq!(scoped.after_prefix(&[8, 0, 1], 1, &mut room), Err(Error::MalformedKey { at: 0 }));
    let range = scoped.after_prefix(&[7, 0, 1], 1, &mut room).expect("one field");
    assert_eq!((range.start(), range.end()), (&[7, 0, 2][..], Some(&[8][..])));
}
