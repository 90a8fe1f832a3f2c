//! Bounds and what lies between them.

use std::collections::BTreeMap;
use std::ops::Bound;
use std::ops::Bound::Excluded;
use std::ops::Bound::Included;
use std::ops::Bound::Unbounded;

use isotone::Asc;
use isotone::AscNullsFirst;
use isotone::AscNullsLast;
use isotone::ByteRange;
use isotone::Desc;
use isotone::DescNullsLast;
use isotone::FieldOrder;
use isotone::KeySpec;
use isotone::Op;
use isotone::Predicate;
use isotone::RangeBuffer;
use isotone::Type;
use isotone::Value;
use isotone::key_spec;
use isotone::prefix_upper_bound;
use isotone::shortest_separator;
use isotone::truncate_lower_str;
use isotone::truncate_upper;
use isotone::truncate_upper_str;

use crate::key;
use crate::unhex;

fn succ(prefix: &str) -> Option<Vec<u8>> {
    let mut room = [0; 8];
    prefix_upper_bound(&unhex(prefix), &mut room).expect("room").map(<[u8]>::to_vec)
}

/// A carry drops what it carries over.
#[test]
fn b56_b57_carries() {
    for (prefix, bound) in [
        ("03 aa ff", "03 ab"),
        ("61 ff", "62"),
        ("61 62 ff", "61 63"),
        ("00 ff ff", "01"),
        ("61", "62"),
        ("fe ff", "ff"),
    ] {
        assert_eq!(succ(prefix), Some(unhex(bound)), "{prefix}");
    }
    assert_eq!((succ("ff"), succ("ff ff ff"), succ("")), (None, None, None));
}

/// Keys that go on with `ff` lie in their prefix's range.
#[test]
fn b59_no_ff_sentinel() {
    const SPEC: KeySpec<'static> = key_spec![Type::U8 => Asc, Type::Fixed(3) => Asc];
    let mut room = [0; 16];
    let range = SPEC.prefix_range(&[Value::U8(b'P')], &mut room).expect("a range");
    assert!(range.contains(b"P\xff\xff\x01") && range.contains(b"P\xff\xff\xff") && !range.contains(b"Q"));
}

/// An end of `00` is an end, and no end is no end.
#[test]
fn b60_no_zero_sentinel() {
    let map = BTreeMap::from([(b"/x".to_vec(), 1), (b"/y".to_vec(), 2)]);
    let count = |range: ByteRange<&[u8]>| map.range::<[u8], _>(range).count();
    assert_eq!(count(ByteRange::new(b"/x", Some(b"/y"))), 1);
    assert_eq!(count(ByteRange::new(b"/x", None)), 2);
    assert_eq!(count(ByteRange::new(b"", Some(&[0]))), 0);
    assert_eq!(count(ByteRange::EMPTY), 0);
}

/// Equality with a text does not take in texts that go on with a NUL.
#[test]
fn b62_equality_is_exact() {
    for order in [4, 5] {
        let layout = [0x4f, 0x4b, 2, 0x11, order];
        let spec = KeySpec::from_layout(&layout).expect("a layout");
        let mut room = [0; 32];
        let range = spec.prefix_range(&["foo".into()], &mut room).expect("a range");
        let has = |text: &str| range.contains(&key(|k| k.str(text, FieldOrder::from_code(order).expect("an order"))));
        assert!(has("foo"));
        for other in ["foo\0bar", "foo\0", "foo\u{1}", "fop", "fo"] {
            assert!(!has(other), "{other:?} under {order}");
        }
    }
}

/// Equal first fields, and a front inside the next one, are two questions.
#[test]
fn b63_two_kinds_of_prefix() {
    const SPEC: KeySpec<'static> = key_spec![Type::Str => AscNullsFirst, Type::Str => AscNullsFirst];
    let (mut whole, mut front) = ([0; 64], [0; 64]);
    let equal = SPEC.prefix_range(&["c".into(), "a".into()], &mut whole).expect("a range");
    let starts = SPEC.starts_with_range(&["c".into()], "a".into(), &mut front).expect("a range");
    assert_eq!(
        (equal.start(), equal.end()),
        (&unhex("01 63 00 00 01 61 00 00")[..], Some(&unhex("01 63 00 00 01 61 00 01")[..]))
    );
    assert_eq!(
        (starts.start(), starts.end()),
        (&unhex("01 63 00 00 01 61")[..], Some(&unhex("01 63 00 00 01 62")[..]))
    );
    let has = |range: &ByteRange<&[u8]>| {
        ["a", "ab", "b"].map(|b| range.contains(&key(|k| k.str("c", AscNullsFirst).str(b, AscNullsFirst))))
    };
    assert_eq!((has(&equal), has(&starts)), ([true, false, false], [true, true, false]));
}

fn strings(most: usize) -> Vec<Vec<u8>> {
    let mut all = vec![Vec::new()];
    if most > 0 {
        let tails = strings(most - 1);
        all.extend([0, 1, 0xfe, 0xff].iter().flat_map(|b| tails.iter().map(|tail| [&[*b], &tail[..]].concat())));
    }
    all
}

/// Fronts with zeros and `ff` in them, both directions, against every short string.
#[test]
fn b64_fronts_of_any_bytes() {
    let all = strings(4);
    assert_eq!(all.len(), 341);
    for order in (0..6).filter_map(FieldOrder::from_code) {
        let layout = [0x4f, 0x4b, 2, 0x10, order.code(), 0x01, 4];
        let spec = KeySpec::from_layout(&layout).expect("a layout");
        let keys: Vec<Vec<u8>> = all.iter().map(|s| key(|k| k.bytes(s, order).bool(false, Asc))).collect();
        for front in all.iter().filter(|front| front.len() <= 3) {
            let mut room = [0; 32];
            let range = spec.starts_with_range(&[], Value::bytes(front), &mut room).expect("a range");
            for (s, key) in all.iter().zip(&keys) {
                assert_eq!(range.contains(key), s.starts_with(front), "{s:02x?} by {front:02x?} under {order:?}");
            }
        }
    }
}

fn field(order: u8, lower: Bound<i32>, upper: Bound<i32>) -> (Vec<Option<i32>>, String) {
    let layout = [0x4f, 0x4b, 2, 0x23, order];
    let spec = KeySpec::from_layout(&layout).expect("a layout");
    let mut room = [0; 32];
    let range = spec.field_range(&[], lower.map(Value::I32), upper.map(Value::I32), &mut room).expect("a range");
    let mut keys = BTreeMap::new();
    for v in [Some(1), Some(2), Some(3), Some(4), Some(5)].into_iter().chain((order < 4).then_some(None)) {
        let order = FieldOrder::from_code(order).expect("an order");
        keys.insert(key(|k| k.i32(v, order)), v);
    }
    (keys.range::<[u8], _>(range).map(|(_, v)| *v).collect(), format!("{range:?}"))
}

/// The direction says which end a bound is; a null lies in no interval.
#[test]
fn b66_b67_intervals_under_every_order() {
    let (found, bytes) = field(3, Included(2), Unbounded);
    assert_eq!(found, [Some(5), Some(4), Some(3), Some(2)]);
    assert_eq!(bytes, "[00..007ffffffe)");
    let (found, bytes) = field(3, Unbounded, Excluded(4));
    assert_eq!(found, [Some(3), Some(2), Some(1)]);
    assert_eq!(bytes, "[007ffffffc..01)");
    for order in 0..6 {
        let expect = |wanted: &[i32]| {
            let mut wanted: Vec<Option<i32>> = wanted.iter().copied().map(Some).collect();
            if matches!(order, 2 | 3 | 5) {
                wanted.reverse();
            }
            wanted
        };
        for v in [1, 3, 5] {
            let below: Vec<i32> = (1..v).collect();
            let above: Vec<i32> = (v + 1..6).collect();
            assert_eq!(field(order, Unbounded, Excluded(v)).0, expect(&below), "< {v} under {order}");
            assert_eq!(
                field(order, Unbounded, Included(v)).0,
                expect(&[&below[..], &[v]].concat()),
                "<= {v} under {order}"
            );
            assert_eq!(field(order, Included(v), Included(v)).0, expect(&[v]), "= {v} under {order}");
            assert_eq!(
                field(order, Included(v), Unbounded).0,
                expect(&[&[v], &above[..]].concat()),
                ">= {v} under {order}"
            );
            assert_eq!(field(order, Excluded(v), Unbounded).0, expect(&above), "> {v} under {order}");
        }
        assert_eq!(field(order, Unbounded, Unbounded).0, expect(&[1, 2, 3, 4, 5]), "IS NOT NULL under {order}");
        assert!(field(order, Excluded(3), Excluded(3)).0.is_empty());
        assert!(field(order, Included(4), Included(3)).0.is_empty());
    }
}

/// A row comparison over mixed directions is more than one interval.
#[test]
fn b69_rows_over_mixed_directions() {
    const SPEC: KeySpec<'static> = key_spec![Type::I32 => Asc, Type::I32 => Desc];
    let values = [Value::I32(1), Value::I32(2)];
    let mut buffer = RangeBuffer::<4, 64>::new();
    let ranges = SPEC.ranges(&Predicate::row(&[0, 1], Op::Gt, &values), buffer.room()).expect("ranges");
    assert_eq!((ranges.len(), ranges.is_exact()), (2, true));
    let found = [(1, 3), (1, 2), (1, 1), (2, 0)].map(|(a, b)| ranges.contains(&key(|k| k.i32(a, Asc).i32(b, Desc))));
    assert_eq!(found, [true, false, false, true]);
}

/// Rows after (1,2) have (2,1) among them: bounds compare the whole, not part by part.
#[test]
fn b70_lexicographic() {
    const SPEC: KeySpec<'static> = key_spec![Type::I32 => Asc, Type::I32 => Asc];
    let at: &[Value<'_>] = &[Value::I32(1), Value::I32(2)];
    let mut room = [0; 32];
    let after = SPEC.tuple_range(&[], Excluded(at), Unbounded, &mut room).expect("a range");
    assert_eq!(
        [(1, 2), (2, 1), (1, 3), (1, 1)].map(|(a, b)| after.contains(&key(|k| k.i32(a, Asc).i32(b, Asc)))),
        [false, true, true, false]
    );
}

/// A bound is bytes, not a key; what prints it does not expect one.
#[test]
fn b73_bounds_are_not_keys() {
    const SPEC: KeySpec<'static> = key_spec![Type::U32 => Asc, Type::Str => DescNullsLast];
    let mut room = [0; 32];
    let range = SPEC.prefix_range(&[Value::U32(255)], &mut room).expect("a range");
    assert_eq!(range.end(), Some(&unhex("00 00 01")[..]));
    assert!(SPEC.check(range.start()).is_err());
    for bytes in [range.start(), range.end().expect("an end"), b"", &[0xff; 40]] {
        assert!(!SPEC.display(bytes).to_string().is_empty());
    }
}

/// A cut maximum is rounded up, by scalar values where it is text, or there is none.
#[test]
fn b75_cut_statistics() {
    let mut room = [0; 32];
    assert_eq!(truncate_upper(&[0xff; 17], 16, &mut room), Ok(None));
    assert_eq!(truncate_upper(b"pumpkin", 4, &mut room), Ok(Some(&b"pumq"[..])));
    assert_eq!(truncate_upper_str("\u{ff}x", 2, &mut room), Ok(Some("\u{100}")));
    assert_eq!(truncate_upper_str("\u{d7ff}x", 3, &mut room), Ok(Some("\u{e000}")));
    assert_eq!(truncate_upper_str("\u{10ffff}x", 4, &mut room), Ok(None));
    assert_eq!(truncate_lower_str("a\u{ff}", 2), "a");
}

/// A separator lies between its neighbours, and may be the front of the next.
#[test]
fn b154_separators() {
    let mut room = [0; 16];
    assert_eq!(shortest_separator(b"P1K1", b"P2K2", &mut room), Ok(Some(&b"P2"[..])));
    let all = strings(3);
    for (a, b) in all.iter().flat_map(|a| all.iter().map(move |b| (a, b))) {
        match shortest_separator(a, b, &mut room).expect("room") {
            Some(s) => assert!(&a[..] <= s && s < &b[..], "{a:02x?} {s:02x?} {b:02x?}"),
            None => assert!(a >= b),
        }
    }
}

/// The same condition with nulls last and first: the nulls' own band is untouched.
#[test]
fn is_not_null_leaves_out_exactly_the_nulls() {
    const SPEC: KeySpec<'static> = key_spec![Type::Str => AscNullsLast];
    let mut room = [0; 8];
    let range = SPEC.field_range(&[], Unbounded, Unbounded, &mut room).expect("a range");
    assert!(range.contains(&key(|k| k.str("", AscNullsLast))));
    assert!(!range.contains(&key(|k| k.null(AscNullsLast))));
}
