//! Nulls and direction.

use isotone::Asc;
use isotone::AscNullsFirst;
use isotone::AscNullsLast;
use isotone::Decoder;
use isotone::Desc;
use isotone::DescNullsFirst;
use isotone::DescNullsLast;
use isotone::Error;
use isotone::KeySpec;
use isotone::Order;
use isotone::Predicate;
use isotone::RangeBuffer;
use isotone::Type;
use isotone::Value;
use isotone::key_spec;

use crate::key;
use crate::unhex;

fn sorted(order: Order, values: &[Option<i32>]) -> Vec<Option<i32>> {
    let mut values = values.to_vec();
    values.sort_by_key(|v| key(|k| k.i32(*v, order)));
    values
}

/// Where nulls stand is one thing, direction another.
#[test]
fn b44_direction_leaves_nulls_alone() {
    let (min, max) = (Some(i32::MIN), Some(i32::MAX));
    let all = [max, None, Some(1), min, Some(2)];
    assert_eq!(sorted(AscNullsFirst, &all), [None, min, Some(1), Some(2), max]);
    assert_eq!(sorted(AscNullsLast, &all), [min, Some(1), Some(2), max, None]);
    assert_eq!(sorted(DescNullsFirst, &all), [None, max, Some(2), Some(1), min]);
    assert_eq!(sorted(DescNullsLast, &all), [max, Some(2), Some(1), min, None]);
}

/// `ORDER BY a ASC NULLS FIRST, b DESC NULLS LAST`: each field has its own placement.
#[test]
fn b45_placement_is_the_fields_own() {
    let mut rows = [(Some(1), None), (None, Some(1)), (Some(1), Some(2)), (None, None), (Some(1), Some(1))];
    rows.sort_by_key(|(a, b)| key(|k| k.i32(*a, AscNullsFirst).i32(*b, DescNullsLast)));
    assert_eq!(rows, [(None, Some(1)), (None, None), (Some(1), Some(2)), (Some(1), Some(1)), (Some(1), None)]);
}

/// No order is meant when none is said: every call names one, and they all differ.
#[test]
fn b46_no_hidden_default() {
    let all = [AscNullsFirst, AscNullsLast, DescNullsFirst, DescNullsLast];
    let lists: Vec<Vec<Option<i32>>> = all.iter().map(|order| sorted(*order, &[None, Some(1), Some(2)])).collect();
    for (i, a) in lists.iter().enumerate() {
        assert!(lists.iter().skip(i + 1).all(|b| a != b));
    }
    let codes: Vec<u8> = all.iter().map(|order| *order as u8).collect();
    assert_eq!(codes, [0, 1, 2, 3]);
    assert_eq!((Asc as u8, Desc as u8), (4, 5));
}

/// The direction comes from the schema: no call under it can forget it.
#[test]
fn b50_descending_by_schema() {
    const SPEC: KeySpec<'static> = key_spec![Type::Str => DescNullsLast];
    let encode = |text: &str| SPEC.encode(&[text.into()], &mut [0; 32]).expect("a key").to_vec();
    assert!(encode("zebra") < encode("alpha"));
    let mut room = [0; 32];
    let mut writer = SPEC.writer(&mut room);
    writer.str("zebra");
    assert_eq!(writer.finish(), Ok(&encode("zebra")[..]));
}

/// Whatever was written descending is read, skipped and shown descending.
#[test]
fn b51_b52_both_sides_agree_on_direction() {
    for (write, other) in [(Asc, Desc), (Desc, Asc)] {
        let stored = key(|k| {
            k.bits(isotone::BitsView::new(&[0b1010_0000], 3).expect("bits"), write).opaque(b"image", write).i8(5, write)
        });
        let mut d = Decoder::new(&stored);
        assert_eq!(d.bits(write).expect("bits").to_string(), "101");
        assert_eq!(d.opaque(write).expect("bytes"), *b"image");
        assert_eq!((d.i8(write), d.remaining()), (Ok(5), 0));
        // Read the other way round it is something else, or nothing.
        let wrong = Decoder::new(&stored).bits(other).map(|bits| bits.to_string());
        assert_ne!(wrong, Ok("101".to_string()));
        let mut s = Decoder::new(&stored);
        assert_eq!(s.skip(isotone::Kind::BITS, write), Ok(()));
        assert_eq!(s.offset(), 4);
    }
}

/// Comparing with a null selects nothing; IS NULL is a condition of its own.
#[test]
fn b54_null_equals_nothing() {
    const SPEC: KeySpec<'static> = key_spec![Type::I32 => DescNullsFirst];
    let stored: Vec<Vec<u8>> = [None, Some(1), Some(2)].iter().map(|v| key(|k| k.i32(*v, DescNullsFirst))).collect();
    let found = |predicate: Predicate<'_>| -> Vec<bool> {
        let mut buffer = RangeBuffer::<4, 64>::new();
        let ranges = SPEC.ranges(&predicate, buffer.room()).expect("ranges");
        stored.iter().map(|key| ranges.contains(key)).collect()
    };
    assert_eq!(found(Predicate::eq(0, Value::Null)), [false; 3]);
    assert_eq!(found(Predicate::gt(0, Value::Null)), [false; 3]);
    assert_eq!(found(Predicate::Not(&Predicate::gt(0, Value::Null))), [false; 3]);
    assert_eq!(found(Predicate::is_null(0)), [true, false, false]);
    // As a bound it is an error, as a prefix it is IS NULL.
    let mut room = [0; 32];
    let bound = std::ops::Bound::Excluded(Value::Null);
    let range = SPEC.field_range(&[], bound, std::ops::Bound::Unbounded, &mut room);
    assert_eq!(range, Err(Error::InvalidValue { at: 0 }));
    let null = SPEC.prefix_range(&[Value::Null], &mut room).expect("a range");
    assert_eq!(stored.iter().map(|key| null.contains(key)).collect::<Vec<_>>(), [true, false, false]);
}

/// A tag read under the other placement is found by what is left over.
#[test]
fn b55_tag_under_another_order() {
    let stored = unhex("00 80 00 00 01");
    let mut d = Decoder::new(&stored);
    assert_eq!(d.i32(AscNullsLast), Ok(Some(1)));
    assert_eq!(d.finish(), Ok(()));
    let mut d = Decoder::new(&stored);
    assert_eq!(d.i32(AscNullsFirst), Ok(None));
    assert_eq!(d.remaining(), 4);
    assert_eq!(d.finish(), Err(Error::TrailingBytes { at: 1 }));
    const FIRST: KeySpec<'static> = key_spec![Type::I32 => AscNullsFirst];
    assert_eq!(FIRST.decode(&stored, &mut [Value::Null]), Err(Error::TrailingBytes { at: 1 }));
}
