//! Ranges against predicates over rows, and against the bytes that `FORMAT.md` §3 gives.

use std::cmp::Ordering;
use std::ops::Bound;
use std::ops::RangeBounds;

use arbitrary::Result;
use arbitrary::Unstructured;
use isotone::ByteRange;
use isotone::Error;
use isotone::Kind;
use isotone::Value;
use isotone::prefix_upper_bound;

use super::generate;
use super::model::compare;
use super::model::compare_rows;
use super::reference;
use super::spec::Table;
use super::store::Store;

/// The least bytes above all that begin with `bytes`.
fn succ(mut bytes: Vec<u8>) -> Option<Vec<u8>> {
    while bytes.last() == Some(&0xff) {
        bytes.pop();
    }
    *bytes.last_mut()? += 1;
    Some(bytes)
}

/// Both ends as §3's table has them: no start is above everything, no end is infinite.
struct Ends {
    start: Option<Vec<u8>>,
    end: Option<Vec<u8>>,
}

/// Asks one question of the table.
pub(crate) fn check<'v>(u: &mut Unstructured<'_>, table: &Table<'v>, store: &'v Store<'v>) -> Result<()> {
    let arity = table.kinds.len();
    let question = u.int_in_range(0..=4)?;
    let most = if question == 0 { arity } else { arity - 1 };
    let n = u.int_in_range(0..=most)?;
    let prefix: Vec<Value<'v>> =
        if u.ratio(3, 4)? { table.any_row(u)?.to_vec() } else { generate::row(u, table.spec.kinds(), store)? };
    let prefix = &prefix[..n];
    match question {
        0 => prefix_range(table, prefix),
        1 => field_range(u, table, prefix, store)?,
        2 => tuple_range(u, table, prefix, store)?,
        3 => starts_with_range(u, table, prefix, store)?,
        _ => after_prefix(u, table)?,
    }
    Ok(())
}

/// Whether a row has these first fields.
fn has(table: &Table<'_>, row: &[Value<'_>], prefix: &[Value<'_>]) -> bool {
    compare_rows(&table.kinds[..prefix.len()], row, prefix) == Ordering::Equal
}

fn prefix_range(table: &Table<'_>, prefix: &[Value<'_>]) {
    let start = table.bytes(prefix);
    let ends = Ends { end: succ(start.clone()), start: Some(start) };
    let size = table.spec.range_size(prefix, &[], &[]).expect("a prefix of values");
    check_range(table, ends, size, |room| table.spec.prefix_range(prefix, room), |row| has(table, row, prefix));
    let long = [prefix, &table.rows[0], &[Value::Null]].concat();
    let wrong = Error::InvalidPrefixLength { most: table.kinds.len(), got: long.len() };
    assert_eq!(table.spec.prefix_range(&long, &mut []).err(), Some(wrong));
}

fn field_range<'v>(
    u: &mut Unstructured<'_>,
    table: &Table<'v>,
    prefix: &[Value<'v>],
    store: &'v Store<'v>,
) -> Result<()> {
    let n = prefix.len();
    let (kind, order) = table.kinds[n];
    let [mut lower, mut upper] = generate::bounds(u, kind, store)?;
    // Bounds that rows lie on.
    for bound in [&mut lower, &mut upper] {
        if let Bound::Included(value) | Bound::Excluded(value) = bound {
            let known = table.any_row(u)?[n];
            if !known.is_null() && u.ratio(1, 2)? {
                *value = known;
            }
        }
    }
    let (first, last) = if matches!(order.code(), 2 | 3 | 5) { (&upper, &lower) } else { (&lower, &upper) };
    let shared = table.bytes(prefix);
    let tag = if order.code() < 4 { vec![1 - (order.code() & 1)] } else { Vec::new() };
    let with = |value: &Value<'_>| [shared.clone(), reference::field(kind, order, value)].concat();
    let ends = Ends {
        start: match first {
            Bound::Included(value) => Some(with(value)),
            Bound::Excluded(value) => succ(with(value)),
            Bound::Unbounded => Some([&*shared, &tag].concat()),
        },
        end: match last {
            Bound::Included(value) => succ(with(value)),
            Bound::Excluded(value) => Some(with(value)),
            Bound::Unbounded => succ([&*shared, &tag].concat()),
        },
    };
    let given = |bound: &Bound<Value<'v>>| match bound {
        Bound::Included(value) | Bound::Excluded(value) => vec![*value],
        Bound::Unbounded => Vec::new(),
    };
    let size = table.spec.range_size(prefix, &given(&lower), &given(&upper)).expect("bounds of the field's kind");
    let inside = |row: &[Value<'_>]| {
        let value = &row[n];
        has(table, row, prefix) && !value.is_null() && above(kind, value, &lower) && below(kind, value, &upper)
    };
    check_range(table, ends, size, |room| table.spec.field_range(prefix, lower, upper, room), inside);
    let null = table.spec.field_range(prefix, Bound::Included(Value::Null), upper, &mut []).err();
    assert_eq!(null, Some(Error::InvalidValue { at: shared.len() }));
    Ok(())
}

fn above(kind: Kind<'_>, value: &Value<'_>, lower: &Bound<Value<'_>>) -> bool {
    match lower {
        Bound::Included(bound) => compare(kind, value, bound).is_ge(),
        Bound::Excluded(bound) => compare(kind, value, bound).is_gt(),
        Bound::Unbounded => true,
    }
}

fn below(kind: Kind<'_>, value: &Value<'_>, upper: &Bound<Value<'_>>) -> bool {
    match upper {
        Bound::Included(bound) => compare(kind, value, bound).is_le(),
        Bound::Excluded(bound) => compare(kind, value, bound).is_lt(),
        Bound::Unbounded => true,
    }
}

fn tuple_range<'v>(
    u: &mut Unstructured<'_>,
    table: &Table<'v>,
    prefix: &[Value<'v>],
    store: &'v Store<'v>,
) -> Result<()> {
    let n = prefix.len();
    let mut endpoint = || {
        let row =
            if u.ratio(3, 4)? { table.any_row(u)?.to_vec() } else { generate::row(u, table.spec.kinds(), store)? };
        let len = u.int_in_range(1..=table.kinds.len() - n)?;
        let values = store.values(row[n..n + len].to_vec());
        Ok(match u.int_in_range(0..=4)? {
            0 | 1 => Bound::Included(values),
            2 | 3 => Bound::Excluded(values),
            _ => Bound::Unbounded,
        })
    };
    let (first, last): (Bound<&[Value<'v>]>, Bound<&[Value<'v>]>) = (endpoint()?, endpoint()?);
    let with = |values: &[Value<'_>]| table.bytes(&[prefix, values].concat());
    let shared = table.bytes(prefix);
    let ends = Ends {
        start: match first {
            Bound::Included(values) => Some(with(values)),
            Bound::Excluded(values) => succ(with(values)),
            Bound::Unbounded => Some(shared.clone()),
        },
        end: match last {
            Bound::Included(values) => succ(with(values)),
            Bound::Excluded(values) => Some(with(values)),
            Bound::Unbounded => succ(shared),
        },
    };
    let place = |row: &[Value<'_>], values: &[Value<'_>]| compare_rows(&table.kinds[n..], &row[n..], values);
    let inside = |row: &[Value<'_>]| {
        let above = match first {
            Bound::Included(values) => place(row, values).is_ge(),
            Bound::Excluded(values) => place(row, values).is_gt(),
            Bound::Unbounded => true,
        };
        let below = match last {
            Bound::Included(values) => place(row, values).is_le(),
            Bound::Excluded(values) => place(row, values).is_lt(),
            Bound::Unbounded => true,
        };
        has(table, row, prefix) && above && below
    };
    let given = |bound: Bound<&'v [Value<'v>]>| match bound {
        Bound::Included(values) | Bound::Excluded(values) => values,
        Bound::Unbounded => &[],
    };
    let size = table.spec.range_size(prefix, given(first), given(last)).expect("values of the fields' kinds");
    check_range(table, ends, size, |room| table.spec.tuple_range(prefix, first, last, room), inside);
    let none = Error::InvalidTupleLength { most: table.kinds.len() - n, got: 0 };
    assert_eq!(table.spec.tuple_range(prefix, first, Bound::Excluded(&[]), &mut []).err(), Some(none));
    Ok(())
}

fn starts_with_range<'v>(
    u: &mut Unstructured<'_>,
    table: &Table<'v>,
    prefix: &[Value<'v>],
    store: &'v Store<'v>,
) -> Result<()> {
    let n = prefix.len();
    let (kind, order) = table.kinds[n];
    let known = table.any_row(u)?[n];
    let value = if known.is_null() || u.ratio(1, 4)? { generate::value(u, kind, store)? } else { known };
    let front = match value {
        Value::Bytes(bytes) => {
            let cut = u.int_in_range(0..=bytes.len())?;
            Value::bytes(store.bytes(bytes.iter().take(cut).collect()))
        }
        Value::Str(text) => {
            let cut = u.int_in_range(0..=text.len())?;
            Value::str(store.text(text.chars().take(cut).collect()))
        }
        other => {
            let refused = table.spec.starts_with_range(prefix, other, &mut []).err();
            assert_eq!(refused, Some(Error::TypeMismatch { field: n }));
            return Ok(());
        }
    };
    let bytes_of = |value: &Value<'_>| -> Option<Vec<u8>> {
        match value {
            Value::Bytes(bytes) => Some(bytes.iter().collect()),
            Value::Str(text) => Some(text.chars().collect::<String>().into_bytes()),
            _ => None,
        }
    };
    let mut start = [table.bytes(prefix), reference::field(kind, order, &front)].concat();
    start.truncate(start.len() - 2);
    let ends = Ends { end: succ(start.clone()), start: Some(start) };
    let wanted = bytes_of(&front).expect("bytes or text");
    let inside = |row: &[Value<'_>]| {
        has(table, row, prefix) && bytes_of(&row[n]).is_some_and(|bytes| bytes.starts_with(&wanted))
    };
    let size = table.spec.range_size(prefix, &[front], &[front]).expect("a value of the field's kind");
    check_range(table, ends, size, |room| table.spec.starts_with_range(prefix, front, room), inside);
    Ok(())
}

/// The next distinct prefix after a key's.
fn after_prefix(u: &mut Unstructured<'_>, table: &Table<'_>) -> Result<()> {
    let at = u.choose_index(table.keys.len())?;
    let (row, key) = (&table.rows[at], &table.keys[at]);
    let n = u.int_in_range(0..=table.kinds.len())?;
    let ends = Ends { start: succ(table.bytes(&row[..n])), end: succ(table.spec.scope().to_vec()) };
    let size = 2 * key.len();
    let inside = |other: &[Value<'_>]| compare_rows(&table.kinds[..n], other, &row[..n]).is_gt();
    check_range(table, ends, size, |room| table.spec.after_prefix(key, n, room), inside);
    Ok(())
}

/// A range against the bytes it should have and the rows it should hold.
fn check_range<F>(table: &Table<'_>, ends: Ends, size: usize, make: F, inside: impl Fn(&[Value<'_>]) -> bool)
where
    F: for<'b> Fn(&'b mut [u8]) -> std::result::Result<ByteRange<&'b [u8]>, Error>,
{
    let mut room = vec![0xaa; size];
    let range = make(&mut room).expect("as much room as the size says is enough");
    match &ends.start {
        Some(start) if ends.end.as_ref().is_none_or(|end| start < end) => {
            assert!(!range.is_empty() && !range.excludes_start());
            assert_eq!((range.start(), range.end()), (&**start, ends.end.as_deref()), "the bytes of both ends");
        }
        _ => assert!(range.is_empty(), "no start, or one that is not below the end, is empty"),
    }
    for (row, key) in table.rows.iter().zip(&table.keys) {
        assert_eq!(
            range.contains(key),
            inside(row),
            "a key is in the range exactly when its row satisfies the predicate"
        );
        assert_eq!(RangeBounds::<[u8]>::contains(&range, &**key), range.contains(key));
        assert_eq!(RangeBounds::<&[u8]>::contains(&range.slices(), &&**key), range.contains(key));
        check_resume(table, &range, key);
    }
    // Less room is refused, and the error says how much would have been enough.
    for less in [size / 2, size.saturating_sub(1)] {
        let mut room = vec![0xaa; less];
        if let Err(error) = make(&mut room) {
            let Error::ShortBuffer { needed, available } = error else { panic!("not a matter of room: {error}") };
            assert!(available == less && needed > less && needed <= size, "{needed} bytes of {size}");
            make(&mut vec![0xaa; needed]).expect("as much as was said to be needed");
        }
    }
}

/// What is left after a key and what comes before it, with the key itself, are the range.
fn check_resume(table: &Table<'_>, range: &ByteRange<&[u8]>, key: &[u8]) {
    let (after, before) = (table.spec.resume_after(range, key), table.spec.resume_before(range, key));
    if !range.contains(key) {
        assert_eq!((after.err(), before.err()), (Some(Error::CursorOutsideRange), Some(Error::CursorOutsideRange)));
        return;
    }
    let (after, before) = (after.expect("it is inside"), before.expect("it is inside"));
    assert!(before.intersect(&after).is_empty());
    assert_eq!(after.intersect(range), after);
    assert_eq!(before.intersect(range), before);
    let mut next = vec![0xaa; key.len() + 1];
    if !after.is_empty() {
        assert_eq!(after.write_start(&mut next), Ok(&*[key, &[0]].concat()));
    }
    for other in &table.keys {
        assert_eq!(after.contains(other), range.contains(other) && &**other > key);
        assert_eq!(before.contains(other), range.contains(other) && &**other < key);
    }
    let mut room = vec![0xaa; key.len()];
    assert_eq!(prefix_upper_bound(key, &mut room), Ok(succ(key.to_vec()).as_deref()));
}
