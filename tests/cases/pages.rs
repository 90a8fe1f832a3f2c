//! Cursors and pages.

use std::collections::BTreeSet;

use isotone::Asc;
use isotone::ByteRange;
use isotone::Desc;
use isotone::Error;
use isotone::FieldOrder;
use isotone::KeySpec;
use isotone::Type;
use isotone::Value;
use isotone::key_spec;

use crate::key;

/// All keys of a range, page by page; backwards from the end.
fn pages(spec: &KeySpec<'_>, keys: &BTreeSet<Vec<u8>>, size: usize, back: bool) -> Vec<Vec<Vec<u8>>> {
    let mut room = [0; 64];
    let range = spec.prefix_range(&[], &mut room).expect("a range");
    let mut pages: Vec<Vec<Vec<u8>>> = Vec::new();
    loop {
        let last = pages.last().and_then(|page| page.last()).cloned().unwrap_or_default();
        let rest = match (pages.is_empty(), back) {
            (true, _) => range,
            (false, false) => spec.resume_after(&range, &last).expect("a key of the range"),
            (false, true) => spec.resume_before(&range, &last).expect("a key of the range"),
        };
        let found = keys.range::<[u8], _>(rest).cloned();
        let page: Vec<Vec<u8>> = if back { found.rev().take(size).collect() } else { found.take(size).collect() };
        if page.is_empty() {
            return pages;
        }
        pages.push(page);
        assert!(pages.len() <= keys.len(), "a page repeats");
    }
}

/// A key that others extend is left behind alone; its extensions come next.
#[test]
fn b72_b76_after_a_key_that_others_extend() {
    // Lists: [1], [1, 1], [1, 2]. As keys none begins another, but as byte strings a bound might.
    const SPEC: KeySpec<'static> = key_spec![Type::Str => Asc, Type::Str => Asc];
    let rows = [("1", "1"), ("1", "10"), ("2", "2")];
    let keys: BTreeSet<Vec<u8>> = rows.iter().map(|(a, b)| key(|k| k.str(a, Asc).str(b, Asc))).collect();
    let expected: Vec<Vec<Vec<u8>>> = keys.iter().map(|key| vec![key.clone()]).collect();
    assert_eq!(pages(&SPEC, &keys, 1, false), expected);

    // After a key, against after everything that begins with it.
    let map = BTreeSet::from([vec![1], vec![1, 1], vec![1, 2], vec![2]]);
    let after = |range: ByteRange<&[u8]>| map.range::<[u8], _>(range).cloned().collect::<Vec<_>>();
    assert_eq!(after(ByteRange::after(&[1], None)), [vec![1, 1], vec![1, 2], vec![2]]);
    const BYTE: KeySpec<'static> = key_spec![Type::U8 => Asc, Type::Bytes => Asc];
    let mut room = [0; 8];
    assert_eq!(after(BYTE.after_prefix(&[1], 1, &mut room).expect("a field")), [vec![2]]);
}

/// A walk goes on from the last value to the nulls, and from the nulls to the first value.
#[test]
fn b78_pages_cross_the_nulls() {
    for order in (0..4).filter_map(FieldOrder::from_code) {
        let layout = [0x4f, 0x4b, 2, 0x29, order.code()];
        let spec = KeySpec::from_layout(&layout).expect("a layout");
        let keys: BTreeSet<Vec<u8>> = [Some(1), None, Some(2)].iter().map(|v| key(|k| k.u8(*v, order))).collect();
        let expected: Vec<Vec<Vec<u8>>> = keys.iter().map(|key| vec![key.clone()]).collect();
        assert_eq!(pages(&spec, &keys, 1, false), expected);
        assert_eq!(pages(&spec, &keys, 1, true), expected.into_iter().rev().collect::<Vec<_>>());
    }
}

/// Rows that tie on the first field are all seen: the cursor is the whole key. Backwards, every
/// field turns round.
#[test]
fn b80_b81_ties_and_backwards() {
    const SPEC: KeySpec<'static> = key_spec![Type::Str => Desc, Type::U8 => Asc];
    let rows = [("b", 1), ("b", 2), ("b", 3), ("a", 1)];
    let keys: Vec<Vec<u8>> = rows.iter().map(|(name, id)| key(|k| k.str(name, Desc).u8(*id, Asc))).collect();
    assert!(keys.is_sorted());
    let set: BTreeSet<Vec<u8>> = keys.iter().cloned().collect();
    assert_eq!(pages(&SPEC, &set, 2, false).concat(), keys);
    let backwards: Vec<Vec<u8>> = keys.into_iter().rev().collect();
    assert_eq!(pages(&SPEC, &set, 2, true).concat(), backwards);
    // A cursor of the first field alone is no key.
    let mut room = [0; 16];
    let range = SPEC.prefix_range(&[], &mut room).expect("a range");
    let half = key(|k| k.str("b", Desc));
    assert_eq!(SPEC.resume_after(&range, &half), Err(Error::TruncatedKey { at: half.len() }));
}

/// The cursor is the key's own bytes, so rows that differ in their last microsecond differ in it.
#[test]
fn b83_no_precision_is_lost() {
    const SPEC: KeySpec<'static> = key_spec![Type::Timestamp => Desc];
    let keys: BTreeSet<Vec<u8>> = [30_061_789, 30_061_788, 30_061_000]
        .iter()
        .map(|us| key(|k| k.timestamp(isotone::Timestamp::from_micros(*us), Desc)))
        .collect();
    assert_eq!(pages(&SPEC, &keys, 1, false).len(), 3);
}

/// A key of another order is refused, or lies outside; it never gives a wrong page quietly.
#[test]
fn b84_a_cursor_of_another_layout() {
    const SPEC: KeySpec<'static> = key_spec![Type::U8 => Asc, Type::Str => Asc];
    // "x" and 1 of the layout (str, u8) are, as this one, 0x78, an empty text, and a byte too many.
    let other = key(|k| k.str("x", Asc).u8(1, Asc));
    let mut room = [0; 16];
    let range = SPEC.prefix_range(&[Value::U8(1)], &mut room).expect("a range");
    assert_eq!(SPEC.resume_after(&range, &other), Err(Error::TrailingBytes { at: 3 }));
    let outside = key(|k| k.u8(2, Asc).str("x", Asc));
    assert_eq!(SPEC.resume_after(&range, &outside), Err(Error::CursorOutsideRange));
}
