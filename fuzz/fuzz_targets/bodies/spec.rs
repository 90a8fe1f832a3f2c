//! Random layouts, rows and ranges, against the plain evaluator: a key lies in a range exactly when its
//! row satisfies the predicate, and everything that a spec says of a key agrees.

use std::cmp::Ordering;

use arbitrary::Result;
use arbitrary::Unstructured;
use isotone::Error;
use isotone::Field;
use isotone::FieldOrder;
use isotone::KeySpec;
use isotone::Kind;
use isotone::Value;

use super::decode_any::check_key;
use super::generate;
use super::model::compare_rows;
use super::queries;
use super::reference;
use super::store::Store;

/// A layout, and rows with the keys that the plain writer makes of them.
pub(crate) struct Table<'v> {
    pub(crate) spec: KeySpec<'v>,
    pub(crate) kinds: Vec<(Kind<'v>, FieldOrder)>,
    pub(crate) rows: Vec<Vec<Value<'v>>>,
    pub(crate) keys: Vec<Vec<u8>>,
}

impl<'v> Table<'v> {
    /// The bytes of the first fields of a key, its scope before them.
    pub(crate) fn bytes(&self, values: &[Value<'_>]) -> Vec<u8> {
        let fields =
            self.kinds.iter().zip(values).flat_map(|((kind, order), value)| reference::field(*kind, *order, value));
        self.spec.scope().iter().copied().chain(fields).collect()
    }

    pub(crate) fn any_row(&self, u: &mut Unstructured<'_>) -> Result<&[Value<'v>]> {
        u.choose(&self.rows).map(Vec::as_slice)
    }
}

pub(crate) fn run(data: &[u8]) {
    let store = Store::new();
    let mut u = Unstructured::new(data);
    // Out of bytes is no error: whatever was built by then was checked.
    let _ = check(&mut u, &store);
}

fn check<'v>(u: &mut Unstructured<'_>, store: &'v Store<'v>) -> Result<()> {
    let depth = u.int_in_range(0..=2)?;
    let fields = generate::fields(u, store, depth, 4)?;
    let table = table(u, store, &fields)?;
    for (row, key) in table.rows.iter().zip(&table.keys) {
        check_row(&table, row, key);
        check_key(&table.spec, key);
    }
    check_rooms(&table);
    check_order(&table);
    check_tails(&table);
    for _ in 0..4 {
        queries::check(u, &table, store)?;
    }
    Ok(())
}

fn table<'v>(u: &mut Unstructured<'_>, store: &'v Store<'v>, fields: &[Field<'v>]) -> Result<Table<'v>> {
    let layout = store.bytes(reference::descriptor(fields));
    let spec = KeySpec::from_layout(layout).expect("a layout of declared types is valid");
    let mut room = vec![0; layout.len()];
    assert_eq!(KeySpec::describe(fields, &mut room), Ok(spec), "the layout is the plain writer's");
    let scope: &[u8] = u.choose(&[&[][..], &[], &[0x61], &[0x10, 0xff], &[0xff, 0xff]])?;
    let spec = spec.under(store.bytes(scope.to_vec()));
    let kinds: Vec<_> = spec.kinds().collect();

    let mut rows: Vec<Vec<Value<'v>>> = Vec::new();
    for _ in 0..u.int_in_range(1..=6)? {
        let mut row = generate::row(u, spec.kinds(), store)?;
        // A front that another row has too: prefixes must select more than one.
        if let Some(other) = rows.last().filter(|_| u.arbitrary().unwrap_or(false)) {
            let shared = u.int_in_range(0..=row.len())?;
            row[..shared].copy_from_slice(&other[..shared]);
        }
        rows.push(row);
    }
    let mut table = Table { spec, kinds, rows, keys: Vec::new() };
    table.keys = table.rows.iter().map(|row| table.bytes(row)).collect();
    Ok(table)
}

/// One row and its key: however it is written, it is the plain writer's, and it reads back.
fn check_row(table: &Table<'_>, row: &[Value<'_>], key: &[u8]) {
    let (spec, arity) = (&table.spec, table.kinds.len());
    let mut room = vec![0xaa; key.len()];
    assert_eq!(spec.encode(row, &mut room), Ok(key), "{row:?} under {spec:?}");
    room.fill(0xaa);
    let mut writer = spec.writer(&mut room);
    for (n, value) in row.iter().enumerate() {
        assert_eq!(writer.fields(), n);
        writer.value(value);
        assert_eq!(writer.prefix(), Ok(&*table.bytes(&row[..=n])));
    }
    assert_eq!(writer.finish(), Ok(key), "the writer");

    let mut slots = vec![Value::Null; arity];
    assert_eq!(spec.decode(key, &mut slots), Ok(row), "decode");
    let mut ends = vec![0; arity];
    let ends = spec.offsets(key, &mut ends).expect("it is a key").to_vec();
    for n in 0..=arity {
        let prefix = table.bytes(&row[..n]);
        assert_eq!(n.checked_sub(1).map_or(spec.scope().len(), |n| ends[n]), prefix.len());
        assert_eq!(spec.encode_prefix(&row[..n], &mut room), Ok(&*prefix));
        assert_eq!(spec.size(&row[..n]), Ok(prefix.len()));
        assert_eq!(spec.skip(key, n), Ok(prefix.len()));
        assert_eq!(spec.prefix_len(key, n), Some(prefix.len()));
        room[..prefix.len()].copy_from_slice(&prefix);
        room[prefix.len()..].fill(0xaa);
        assert_eq!(spec.encode_from(n, prefix.len(), &row[n..], &mut room), Ok(key));
        if n < arity {
            assert_eq!(spec.field(key, n), Ok(row[n]));
            let wrong = Error::WrongArity { expected: arity, got: n };
            assert_eq!(spec.encode(&row[..n], &mut room), Err(wrong));
        }
    }
}

/// With every smaller room: the error says what is enough, and only whole fields were written.
fn check_rooms(table: &Table<'_>) {
    let (row, key) = (&table.rows[0], &table.keys[0]);
    let ends: Vec<usize> = (0..=row.len()).map(|n| table.bytes(&row[..n]).len()).collect();
    for available in (0..key.len()).step_by((key.len() / 32).max(1)) {
        let mut room = vec![0xaa; available];
        let short = Error::ShortBuffer { needed: key.len(), available };
        assert_eq!(table.spec.encode(row, &mut room), Err(short));
        let whole = ends.iter().rev().find(|end| **end <= available).copied().unwrap_or(0);
        assert_eq!(room[..whole], key[..whole]);
        assert!(room[whole..].iter().all(|b| *b == 0xaa), "past the last whole field nothing changes");
    }
}

/// Keys sort as rows do, by every way of asking.
fn check_order(table: &Table<'_>) {
    for (a, key_a) in table.rows.iter().zip(&table.keys) {
        for (b, key_b) in table.rows.iter().zip(&table.keys) {
            let order = compare_rows(&table.kinds, a, b);
            assert_eq!(key_a.cmp(key_b), order, "keys sort as their rows");
            assert_eq!(table.spec.compare(key_a, b), Ok(order), "a key against values");
            for n in 0..a.len() {
                assert_eq!(table.spec.compare(key_a, &b[..n]), Ok(compare_rows(&table.kinds[..n], a, b)));
            }
            assert_eq!(a == b, order == Ordering::Equal, "values are equal when their keys are");
        }
    }
}

/// Fixed tails split off, and fixed layouts say their size.
fn check_tails(table: &Table<'_>) {
    let arity = table.kinds.len();
    let widths = table.kinds.iter().map(|(kind, order)| kind.fixed_size().filter(|_| order.code() >= 4));
    let widths: Vec<Option<usize>> = widths.collect();
    let whole: Option<usize> = widths.iter().copied().sum();
    assert_eq!(table.spec.fixed_size(), whole.map(|sum| sum + table.spec.scope().len()));
    for key in &table.keys {
        assert!(table.spec.fixed_size().is_none_or(|size| size == key.len()));
        for n in 0..=arity {
            let tail: Option<usize> = widths[arity - n..].iter().copied().sum();
            match (table.spec.split_tail(key, n), tail) {
                (Ok(split), Some(tail)) => assert_eq!(split, key.split_at(key.len() - tail)),
                (Err(Error::TypeMismatch { field }), None) => assert!(field >= arity - n && widths[field].is_none()),
                (split, tail) => panic!("a tail of {tail:?} bytes was split as {split:?}"),
            }
        }
    }
}
