//! §1 to §3 and §5: fields, ranges, and every worked example.

use std::ops::Bound;
use std::ops::Bound::Excluded;
use std::ops::Bound::Included;
use std::ops::Bound::Unbounded;

use isotone::Asc;
use isotone::Builder;
use isotone::ByteRange;
use isotone::Decoder;
use isotone::Desc;
use isotone::Error;
use isotone::FieldOrder;
use isotone::KeySpec;
use isotone::Type;
use isotone::Value;
use isotone::key_spec;
use isotone::prefix_upper_bound;

use crate::support::bytes;
use crate::support::ladders::unhex;
use crate::support::laws::Laws;
use crate::support::model::Ends;
use crate::support::model::Held;
use crate::support::model::Net;
use crate::support::model::Ty;
use crate::support::model::V;
use crate::support::model::kind;
use crate::support::paths;
use crate::support::read;

const ASC_NULLS_FIRST: u8 = 0;
const ASC_NULLS_LAST: u8 = 1;
const DESC_NULLS_FIRST: u8 = 2;
const DESC_NULLS_LAST: u8 = 3;
const ASC: u8 = 4;

/// One row: written in every way, read in every way, and written by the model.
#[track_caller]
fn example(ty: &Ty, v: &V, order: u8, hex: &str) {
    let expected = unhex(hex);
    let description = ty.describe();
    let laws = Laws::new(kind(&description));
    let held = Held::new(ty, v);
    let value = held.value();
    let order = FieldOrder::from_code(order).expect("an order");
    assert_eq!(laws.field(order, &value), expected, "written");
    assert_eq!(bytes::field(&(ty.clone(), order.code()), v), Some(expected.clone()), "by the model");
    let (back, end) = laws.read(order, &expected).expect("reads");
    assert_eq!(end, expected.len());
    assert!(read::is(ty, v, &back), "read as {back:?}");
    laws.value(&value);
    laws.hostile(order, &value);
    paths::agree(&laws, &value);
}

fn list(element: Ty) -> Ty {
    Ty::List(element.into())
}

fn range(lower: Bound<V>, upper: Bound<V>) -> Ends {
    Some((lower, upper))
}

#[test]
fn section_5_scalars() {
    example(&Ty::I64, &V::Int(42), ASC_NULLS_LAST, "00 80 00 00 00 00 00 00 2a");
    example(&Ty::Str, &V::Str("Ada".into()), DESC_NULLS_FIRST, "01 be 9b 9e ff ff");
    example(&Ty::Bytes, &V::Bytes(vec![0x61, 0, 0x62]), DESC_NULLS_LAST, "00 9e ff 00 9d ff ff");
    example(&Ty::F64, &V::F64(-1.5), ASC_NULLS_FIRST, "01 40 07 ff ff ff ff ff ff");
    example(&Ty::Decimal, &V::Dec("123.45".into()), ASC_NULLS_FIRST, "01 03 80 00 00 02 02 03 04 05 06 00");
    example(&Ty::Decimal, &V::Dec("-0.00120".into()), ASC_NULLS_FIRST, "01 01 80 00 00 02 fd fc ff");
    let ten = V::TimeTz(36_000_000_000, 7200);
    example(&Ty::TimeTz, &ten, ASC_NULLS_FIRST, "01 80 00 00 06 b4 9d 20 00 7f ff e3 e0");
    let month = "01 80 00 00 00 00 00 00 00 00 00 02 5b 7f 3d 40 00";
    example(&Ty::Interval, &V::Span(1, 0, 0), ASC_NULLS_FIRST, month);
    let net = V::Net(Net { v6: false, addr: 0xc000_0201, len: 24 });
    example(&Ty::IpPrefix, &net, ASC_NULLS_FIRST, "01 04 c0 00 ff 02 00 00 18 c0 00 02 01");
}

#[test]
fn section_5_composites() {
    let ints = list(Ty::I32);
    example(&ints, &V::Many(vec![V::Int(7), V::Null]), ASC_NULLS_FIRST, "01 01 80 00 00 07 02 00");
    let array = Ty::Array(Ty::I32.into());
    let flat = V::Array(vec![V::Int(7)], vec![(1, 1)]);
    example(&array, &flat, ASC_NULLS_FIRST, "01 01 80 00 00 07 00 01 80 00 00 01");
    let deep = V::Array(vec![V::Int(1), V::Int(2)], vec![(1, 1), (2, 1)]);
    let hex = "01 80 00 00 01 01 80 00 00 02 00 02 00 00 00 01 00 00 00 02 80 00 00 01 80 00 00 01";
    example(&array, &deep, ASC, hex);
    example(&array, &V::Array(vec![], vec![]), ASC_NULLS_FIRST, "01 00 00");

    let ints = Ty::Range(Ty::I32.into());
    let closed = V::Range(range(Included(V::Int(1)), Excluded(V::Int(4))).into());
    example(&ints, &closed, ASC_NULLS_FIRST, "01 02 80 00 00 01 00 00 80 00 00 04 00");
    let open = V::Range(range(Included(V::Int(1)), Unbounded).into());
    example(&ints, &open, DESC_NULLS_LAST, "00 fd 7f ff ff fe ff fe");
    let many =
        V::Multi(vec![range(Included(V::Uint(1)), Excluded(V::Uint(2))), range(Included(V::Uint(5)), Unbounded)]);
    example(&Ty::Multirange(Ty::U8.into()), &many, ASC_NULLS_FIRST, "01 02 01 00 00 02 00 02 05 00 01 00");
    example(&Ty::Bits, &V::Bits(vec![true, false, true]), ASC_NULLS_FIRST, "01 a0 00 00 03");

    let fields = vec![(Ty::I32, ASC_NULLS_LAST), (Ty::Str, ASC_NULLS_LAST), (Ty::Str, ASC_NULLS_LAST)];
    let row = V::Many(vec![V::Int(1), V::Null, V::Str("a".into())]);
    let hex = "00 ff 7f ff ff fe fe ff 9e ff ff";
    example(&Ty::Record(fields.clone()), &row, DESC_NULLS_LAST, hex);
    let key = V::Bytes(bytes::payload(&Ty::Record(fields.clone()), &row).expect("a row"));
    let hex = "00 ff 00 7f ff 00 ff 00 fe fe ff 00 9e ff 00 ff 00 ff ff";
    example(&Ty::Nested(fields), &key, DESC_NULLS_LAST, hex);
}

#[test]
fn section_5_orderkey_v1() {
    const SPEC: KeySpec<'static> =
        key_spec![Type::Bytes => Asc, Type::Bytes => Asc, Type::I64 => Desc, Type::I64 => Asc];
    let hex = "74 33 00 00 70 75 6d 70 00 00 7f ff ff ff ff ff ff ff 80 00 00 00 00 00 00 01";
    let expected = unhex(hex);
    let mut room = [0; 64];
    let mut key = Builder::new(&mut room);
    key.bytes(b"t3", Asc).bytes(b"pump", Asc).i64(0, Desc).i64(1, Asc);
    assert_eq!(key.finish(), Ok(&expected[..]));
    let values = [Value::bytes(b"t3"), Value::bytes(b"pump"), Value::I64(0), Value::I64(1)];
    assert_eq!(SPEC.encode(&values, &mut room), Ok(&expected[..]));
    assert_eq!(SPEC.decode(&expected, &mut [Value::Null; 4]), Ok(&values[..]));
    let mut d = Decoder::new(&expected);
    assert_eq!(d.bytes(Asc).expect("bytes"), *b"t3");
    assert_eq!(d.bytes(Asc).expect("bytes"), *b"pump");
    assert_eq!((d.i64(Desc), d.i64(Asc)), (Ok(0), Ok(1)));
    assert_eq!(d.finish(), Ok(()));
}

/// The table of §1: tags, and what direction does to them and to the payload.
#[test]
fn section_1_orders() {
    type Row = (u8, &'static [u8], Option<&'static [u8]>);
    let table: [Row; 6] = [
        (0, &[1, 0x12, 0x34], Some(&[0])),
        (1, &[0, 0x12, 0x34], Some(&[1])),
        (2, &[1, 0xed, 0xcb], Some(&[0])),
        (3, &[0, 0xed, 0xcb], Some(&[1])),
        (4, &[0x12, 0x34], None),
        (5, &[0xed, 0xcb], None),
    ];
    for (code, present, null) in table {
        let order = FieldOrder::from_code(code).expect("an order");
        let mut room = [0; 4];
        let mut key = Builder::new(&mut room);
        key.u16(0x1234, order);
        assert_eq!(key.finish(), Ok(present));
        let mut key = Builder::new(&mut room);
        key.null(code);
        assert_eq!(key.finish(), null.ok_or(Error::InvalidValue { at: 0 }));
        assert_eq!(Decoder::new(present).u16(code), Ok(Some(0x1234)));
        match null {
            Some(null) => assert_eq!(Decoder::new(null).u16(code), Ok(None)),
            None => assert_eq!(Decoder::new(&[]).u16(code), Err(Error::TruncatedKey { at: 0 })),
        }
        assert_eq!((order.is_nullable(), order.nulls_first().is_some()), (null.is_some(), null.is_some()));
        if code < 4 {
            for tag in 2..=255u8 {
                assert_eq!(Decoder::new(&[tag, 0x12, 0x34]).u16(code), Err(Error::MalformedKey { at: 0 }));
            }
        }
    }
}

/// The last column of the same table: where nulls and values end up.
#[test]
fn section_1_sorted() {
    let expect: [(u8, [Option<u8>; 3]); 4] = [
        (0, [None, Some(1), Some(2)]),
        (1, [Some(1), Some(2), None]),
        (2, [None, Some(2), Some(1)]),
        (3, [Some(2), Some(1), None]),
    ];
    for (code, expected) in expect {
        let key = |v: Option<u8>| {
            let mut room = [0; 2];
            let mut key = Builder::new(&mut room);
            key.u8(v, code);
            key.finish().expect("room").to_vec()
        };
        let mut rows = [Some(2), None, Some(1)];
        rows.sort_by_key(|v| key(*v));
        assert_eq!(rows, expected, "order {code}");
    }
}

#[track_caller]
fn ends(range: Result<ByteRange<&[u8]>, Error>, start: &str, end: Option<&str>) {
    let range = range.expect("a range");
    assert!(!range.is_empty());
    assert_eq!(range.start(), unhex(start), "start");
    assert_eq!(range.end(), end.map(unhex).as_deref(), "end");
    assert!(!range.excludes_start());
}

/// Each cell of the table of §3, under a tagged and a tagless order in both directions, behind the
/// prefix 7.
#[test]
fn section_3_bounds() {
    let (two, five) = (Value::I8(2), Value::I8(5));
    let prefix = [Value::U8(7)];
    let mut room = [0; 32];
    let mut field = |order: u8, lower, upper, start: &str, end: Option<&str>| {
        let layout = [0x4f, 0x4b, 2, 0x29, 4, 0x21, order];
        let spec = KeySpec::from_layout(&layout).expect("a layout");
        ends(spec.field_range(&prefix, lower, upper, &mut room), start, end);
    };
    let included = (Included(two), Included(five));
    let excluded = (Excluded(two), Excluded(five));
    // Tagged ascending: t is 01 with nulls first, 00 with nulls last.
    field(0, included.0, included.1, "07 01 82", Some("07 01 86"));
    field(0, excluded.0, excluded.1, "07 01 83", Some("07 01 85"));
    field(0, Unbounded, Unbounded, "07 01", Some("07 02"));
    field(1, included.0, included.1, "07 00 82", Some("07 00 86"));
    field(1, Unbounded, excluded.1, "07 00", Some("07 00 85"));
    field(1, excluded.0, Unbounded, "07 00 83", Some("07 01"));
    // Descending: the bounds change sides.
    field(2, included.0, included.1, "07 01 7a", Some("07 01 7e"));
    field(2, Unbounded, excluded.1, "07 01 7b", Some("07 02"));
    field(3, excluded.0, excluded.1, "07 00 7b", Some("07 00 7d"));
    field(3, included.0, Unbounded, "07 00", Some("07 00 7e"));
    // Tagless: t is nothing.
    field(4, included.0, included.1, "07 82", Some("07 86"));
    field(4, Unbounded, Unbounded, "07", Some("08"));
    field(4, Unbounded, included.1, "07", Some("07 86"));
    field(5, excluded.0, Unbounded, "07", Some("07 7d"));
    field(5, Unbounded, excluded.1, "07 7b", Some("08"));
    field(5, included.0, included.1, "07 7a", Some("07 7e"));
}

#[test]
fn section_3_bounds_without_a_prefix() {
    const LAST: KeySpec<'static> = key_spec![Type::U8 => Asc, Type::U8 => isotone::AscNullsLast];
    let mut room = [0; 32];
    ends(LAST.prefix_range(&[], &mut room), "", None);
    ends(LAST.prefix_range(&[Value::U8(7)], &mut room), "07", Some("08"));
    ends(LAST.prefix_range(&[Value::U8(255)], &mut room), "ff", None);
    ends(LAST.prefix_range(&[Value::U8(255), Value::Null], &mut room), "ff 01", Some("ff 02"));
    ends(LAST.prefix_range(&[Value::U8(7), Value::U8(255)], &mut room), "07 00 ff", Some("07 01"));
    ends(LAST.field_range(&[], Unbounded, Unbounded, &mut room), "", None);
    ends(LAST.field_range(&[], Unbounded, Included(Value::U8(255)), &mut room), "", None);
    ends(LAST.field_range(&[], Excluded(Value::U8(7)), Unbounded, &mut room), "08", None);
    let above_all = LAST.field_range(&[], Excluded(Value::U8(255)), Unbounded, &mut room);
    assert_eq!(above_all, Ok(ByteRange::EMPTY));
    let reversed = LAST.field_range(&[], Included(Value::U8(8)), Included(Value::U8(7)), &mut room);
    assert_eq!(reversed, Ok(ByteRange::EMPTY));
    let seven: &[Value<'_>] = &[Value::U8(7)];
    let seven_null: &[Value<'_>] = &[Value::U8(7), Value::Null];
    ends(LAST.tuple_range(&[], Included(seven), Included(seven), &mut room), "07", Some("08"));
    ends(LAST.tuple_range(&[], Excluded(seven), Unbounded, &mut room), "08", None);
    ends(LAST.tuple_range(&[], Unbounded, Excluded(seven_null), &mut room), "", Some("07 01"));
    ends(LAST.tuple_range(seven, Unbounded, Unbounded, &mut room), "07", Some("08"));
}

#[test]
fn section_3_starts_with() {
    let mut room = [0; 32];
    for (code, start, end) in
        [(0, "01 61 00 ff", "01 61 01"), (3, "00 9e ff 00", "00 9e ff 01"), (4, "61 00 ff", "61 01")]
    {
        let layout = [0x4f, 0x4b, 2, 0x10, code, 0x01, 4];
        let spec = KeySpec::from_layout(&layout).expect("a layout");
        ends(spec.starts_with_range(&[], Value::bytes(b"a\0"), &mut room), start, Some(end));
    }
    const DESCENDING: KeySpec<'static> = key_spec![Type::Str => Desc];
    ends(DESCENDING.starts_with_range(&[], "".into(), &mut room), "", None);
    ends(DESCENDING.starts_with_range(&[], "a".into(), &mut room), "9e", Some("9f"));
    ends(DESCENDING.starts_with_range(&[], "\0".into(), &mut room), "ff 00", Some("ff 01"));
}

#[test]
fn section_3_succ() {
    let mut room = [0; 4];
    for (prefix, bound) in [
        ("61", Some("62")),
        ("61 ff", Some("62")),
        ("61 ff ff", Some("62")),
        ("00", Some("01")),
        ("ff 00", Some("ff 01")),
    ] {
        assert_eq!(prefix_upper_bound(&unhex(prefix), &mut room), Ok(bound.map(unhex).as_deref()));
    }
    for none in ["", "ff", "ff ff"] {
        assert_eq!(prefix_upper_bound(&unhex(none), &mut room), Ok(None));
    }
}

/// §2 in single fields: each row of its table at a boundary, and the forms that reading refuses.
#[test]
fn section_2_refused_forms() {
    let refuse = |ty: Ty, hex: &str, error: Error| {
        let description = ty.describe();
        let bytes = unhex(hex);
        let laws = Laws::new(kind(&description));
        let asc = FieldOrder::from_code(ASC).expect("an order");
        assert_eq!(laws.read(asc, &bytes).map(|(v, _)| format!("{v:?}")), Err(error), "{ty:?} {hex}");
        // The same complemented, and behind a tag.
        let turned: Vec<u8> = [0].into_iter().chain(bytes.iter().map(|b| !b)).collect();
        let moved = match error {
            Error::InvalidEscape { at } => Error::InvalidEscape { at: at + 1 },
            Error::TruncatedKey { at } => Error::TruncatedKey { at: at + 1 },
            error => error,
        };
        let last = FieldOrder::from_code(DESC_NULLS_LAST).expect("an order");
        assert_eq!(laws.read(last, &turned).map(|(v, _)| format!("{v:?}")), Err(moved), "{ty:?} {hex} turned");
    };
    let malformed = Error::MalformedKey { at: 0 };
    refuse(Ty::Bool, "02", malformed);
    refuse(Ty::F64, "7f ff ff ff ff ff ff ff", malformed); // -0
    refuse(Ty::F64, "ff f8 00 00 00 00 00 01", malformed); // another NaN
    refuse(Ty::F64, "00 07 ff ff ff ff ff ff", malformed); // a negative NaN
    refuse(Ty::F32, "7f ff ff ff", malformed);
    refuse(Ty::Bytes, "61 00 01", Error::InvalidEscape { at: 2 });
    refuse(Ty::Bytes, "61 00", Error::TruncatedKey { at: 2 });
    refuse(Ty::Str, "c3 00 00", malformed);
    refuse(Ty::Str, "ed a0 80 00 00", malformed);
    for decimal in [
        "06",
        "03 80 00 00 00 00",
        "03 80 00 00 00 01 02 00",
        "03 80 00 00 00 02 01 00",
        "03 80 00 00 00 0b 00",
        "01 80 00 00 00 ff",
    ] {
        refuse(Ty::Decimal, decimal, malformed);
    }
    refuse(Ty::Decimal, "03 80 00 00 00 02", Error::TruncatedKey { at: 6 });
    refuse(Ty::Date, "00 00 00 01", malformed);
    refuse(Ty::Date, "ff da 97 0d", malformed); // one day past the last
    refuse(Ty::Date, "7f da 97 a6", malformed); // one before the first
    refuse(Ty::Time, "7f ff ff ff ff ff ff ff", malformed);
    refuse(Ty::Time, "80 00 00 14 1d d7 60 01", malformed);
    refuse(Ty::TimeTz, "80 00 00 00 00 00 00 00 80 00 e1 00", malformed); // 16 hours west
    refuse(Ty::Timestamp, "00 00 00 00 00 00 00 01", malformed);
    refuse(Ty::Interval, "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 01", malformed);
    refuse(Ty::IpPrefix, "05 00 00 00 00 00 00 00", malformed);
    refuse(Ty::IpPrefix, "04 0a 00 00 09 0a 00 00 00", malformed); // two bytes are due
    refuse(Ty::IpPrefix, "04 0b 00 00 08 0a 00 00 00", malformed); // another network
    refuse(Ty::IpPrefix, "04 0a 00 00 21 0a 00 00 00", malformed);
    refuse(Ty::Ip, "04 0a 00 00 08 0a 00 00 00", malformed); // not the full length
    refuse(Ty::Network, "04 0a 00 00 08 0a 00 00 01", malformed); // a host bit
    refuse(Ty::Bits, "a0 00 00 02", malformed); // a bit past the end
    refuse(Ty::Bits, "a0 00 00 00", malformed);
    refuse(Ty::Bits, "00 00 01", malformed);
    refuse(Ty::Bits, "a0 00 00 09", malformed);
    refuse(list(Ty::U8), "03", malformed);
    refuse(Ty::Array(Ty::U8.into()), "00 01 80 00 00 01", malformed); // rank 1 of nothing
    refuse(Ty::Array(Ty::U8.into()), "01 07 00 00", malformed); // rank 0 of one
    refuse(Ty::Array(Ty::U8.into()), "01 07 00 07", malformed);
    refuse(Ty::Array(Ty::U8.into()), "01 07 00 01 ff ff ff ff", malformed); // lower + 1 above the greatest
    refuse(Ty::Array(Ty::U8.into()), "01 07 00 02 00 00 00 01 00 00 00 02 80 00 00 01 80 00 00 01", malformed);
    refuse(Ty::Range(Ty::U8.into()), "03", malformed);
    refuse(Ty::Range(Ty::U8.into()), "02 05 01 01", malformed); // a discrete lower bound that excludes
    refuse(Ty::Range(Ty::U8.into()), "01 00 05 01", malformed); // a discrete upper bound that includes
    refuse(Ty::Range(Ty::U8.into()), "02 05 00 00 05 00", malformed); // empty in another form
    refuse(Ty::Range(Ty::Bool.into()), "02 01 00 00 00 00", malformed); // lower above upper
    refuse(Ty::Multirange(Ty::U8.into()), "02 01 00 00 02 00 02 02 00 01 00", malformed); // ranges that touch
    refuse(Ty::Multirange(Ty::U8.into()), "01 01 02 05 00 01 00", malformed); // behind an unbounded one
}
