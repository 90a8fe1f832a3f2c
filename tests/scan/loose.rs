//! Loose scans, against all rows grouped by their values.

use std::collections::BTreeMap;

use isotone::ByteRange;
use isotone::Error;
use isotone::Field;
use isotone::KeySpec;
use isotone::Keyed;
use isotone::LooseScan;
use isotone::ScanError;
use isotone::Seek;
use isotone::Type;
use isotone::Value;

use crate::model::Broken;
use crate::model::Cell;
use crate::model::Draw;
use crate::model::Table;
use crate::model::compare;

type Rows = BTreeMap<Vec<u8>, Vec<Cell>>;

/// Values of three fields, each ascending.
struct Domain {
    types: [Type<'static>; 3],
    values: [&'static [Value<'static>]; 3],
}

fn texts() -> Domain {
    const TEXTS: [&str; 5] = ["", "\0", "a", "a\0", "b"];
    static VALUES: std::sync::OnceLock<Vec<Value<'static>>> = std::sync::OnceLock::new();
    Domain {
        types: [Type::Str, Type::I16, Type::U8],
        values: [
            VALUES.get_or_init(|| TEXTS.map(Value::from).to_vec()),
            &[Value::I16(-1), Value::I16(0), Value::I16(255)],
            &[Value::U8(0), Value::U8(254), Value::U8(255)],
        ],
    }
}

/// Keys full of `ff`, whose prefixes have nothing above them.
fn bytes() -> Domain {
    const BYTES: &[Value<'static>] = &[Value::U8(0), Value::U8(1), Value::U8(254), Value::U8(255)];
    Domain { types: [Type::U8; 3], values: [BYTES; 3] }
}

/// About a third of all rows there are.
fn draw_rows(draw: &mut Draw, domain: &Domain, spec: KeySpec<'_>, orders: [u8; 3]) -> Rows {
    let cells = |field: usize| {
        let nulls = (orders[field] < 4).then_some(None);
        (0..domain.values[field].len()).map(Some).chain(nulls).collect::<Vec<Cell>>()
    };
    let mut rows = Rows::new();
    for a in cells(0) {
        for b in cells(1) {
            for c in cells(2) {
                if draw.one_in(3) {
                    let row = [a, b, c];
                    let value = |(cell, values): (&Cell, &&[Value<'static>])| cell.map_or(Value::Null, |i| values[i]);
                    let values: Vec<_> = row.iter().zip(&domain.values).map(value).collect();
                    let mut room = [0u8; 64];
                    rows.insert(spec.encode(&values, &mut room).unwrap().to_vec(), row.to_vec());
                }
            }
        }
    }
    rows
}

/// The rows of a range by their values, grouped by their first fields, in order: of each group its
/// first or its last.
fn grouped(rows: &Rows, range: &ByteRange<Vec<u8>>, orders: [u8; 3], fields: usize, last: bool) -> Vec<Vec<Cell>> {
    let mut kept: Vec<_> = rows.iter().filter(|(key, _)| range.contains(key)).map(|(_, row)| row.clone()).collect();
    kept.sort_by(|a, b| compare(a, b, &orders));
    if last {
        kept.reverse();
    }
    kept.dedup_by(|a, b| a[..fields] == b[..fields]);
    if last {
        kept.reverse();
    }
    kept
}

/// Whether the scan's next row is taken from the back.
fn run(
    scan: &mut LooseScan<'_, &mut Table<'_, Vec<Cell>>>,
    mut back: impl FnMut() -> bool,
) -> Result<Vec<Vec<Cell>>, ScanError<Broken>> {
    let (mut head, mut tail) = (vec![], vec![]);
    loop {
        let from_back = back();
        let Some(row) = (if from_back { scan.next_back() } else { scan.next() }) else { break };
        (if from_back { &mut tail } else { &mut head }).push(row?.1.clone());
    }
    assert!(scan.next().is_none() && scan.next_back().is_none());
    tail.reverse();
    head.extend(tail);
    Ok(head)
}

fn orders() -> impl Iterator<Item = [u8; 3]> {
    (0..6).flat_map(|a| (0..6).flat_map(move |b| (0..6).map(move |c| [a, b, c])))
}

fn fields(domain: &Domain, orders: [u8; 3]) -> [Field<'static>; 3] {
    [0, 1, 2].map(|i| Field::from_code(domain.types[i], orders[i]))
}

#[test]
fn each_prefix_once_in_every_order() {
    let mut draw = Draw(7);
    for domain in [texts(), bytes()] {
        for orders in orders() {
            let mut layout = [0u8; 64];
            let unscoped = KeySpec::describe(&fields(&domain, orders), &mut layout).unwrap();
            let scope: &[u8] = [&[][..], &[7, 0xff], &[0xff]][draw.below(3)];
            let spec = unscoped.under(scope);
            let mut rows = draw_rows(&mut draw, &domain, spec, orders);
            let keys: Vec<_> = rows.keys().cloned().collect();
            let mut ends = [0u8; 8];
            let all = spec.prefix_range(&[], &mut ends).unwrap();
            if !scope.is_empty() {
                // Other tenants' rows, which a scan that left the scope would stumble over.
                rows.insert(vec![0], vec![]);
                rows.insert(vec![8], vec![]);
            }
            let mut ranges = vec![owned(&all)];
            ranges.extend((0..3).map(|_| owned(&draw.range(&keys).intersect(&all))));
            for range in ranges {
                for (number, last) in (0..=3).flat_map(|n| [(n, false), (n, true)]) {
                    let expected = grouped(&rows, &range, orders, number, last);
                    for direction in 0..3 {
                        let mut table = Table::new(&rows);
                        let mut room = [0xaa; 64];
                        let make = if last { LooseScan::last_rows } else { LooseScan::first_rows };
                        let mut scan = make(&mut table, spec, number, range.as_ref(), &mut room).unwrap();
                        let got = run(&mut scan, || direction == 1 || direction == 2 && draw.one_in(2)).unwrap();
                        assert_eq!(got, expected, "{orders:?} {scope:?} {range:?} {number} {last} {direction}");
                        // A group that need not be entered twice costs one seek, and the end one more.
                        let near = number == 3 || (direction == 0 && !last) || (direction == 1 && last);
                        let most = expected.len() * if near { 1 } else { 2 } + 1;
                        assert!(table.seeks <= most, "{} seeks for {} rows", table.seeks, expected.len());
                    }
                }
            }
        }
    }
}

fn owned(range: &ByteRange<&[u8]>) -> ByteRange<Vec<u8>> {
    let end = range.end().map(<[u8]>::to_vec);
    if range.is_empty() {
        ByteRange::EMPTY
    } else if range.excludes_start() {
        ByteRange::after(range.start().to_vec(), end)
    } else {
        ByteRange::new(range.start().to_vec(), end)
    }
}

const SPEC: KeySpec<'static> = isotone::key_spec![Type::Str => isotone::Asc, Type::U8 => isotone::Asc];

/// Three prefixes of two rows each.
fn small() -> BTreeMap<Vec<u8>, u8> {
    let mut rows = BTreeMap::new();
    for text in ["fan", "light", "pump"] {
        for n in [1, 2] {
            rows.insert(SPEC.encode(&[text.into(), Value::U8(n)], &mut [0; 16]).unwrap().to_vec(), n);
        }
    }
    rows
}

#[test]
fn engine_errors_come_through_and_end_the_scan() {
    let rows = small();
    for fails_at in 1..=7 {
        for back in [false, true] {
            let mut table = Table { fails_at: Some(fails_at), ..Table::new(&rows) };
            let mut room = [0u8; 16];
            let range = ByteRange::new(&[][..], None);
            let mut scan = LooseScan::first_rows(&mut table, SPEC, 1, range, &mut room).unwrap();
            let mut step = || if back { scan.next_back() } else { scan.next() };
            // A first row costs two seeks going backward; another seek finds that there are no more.
            let (each, all) = if back { (2, 7) } else { (1, 4) };
            for _ in 0..((fails_at - 1) / each).min(3) {
                assert!(step().unwrap().is_ok());
            }
            let fails = fails_at <= all;
            assert_eq!(step(), fails.then_some(Err(ScanError::Engine(Broken(fails_at)))));
            assert_eq!(step(), None);
        }
    }
}

#[test]
fn malformed_keys_are_reported() {
    let mut rows = small();
    let bad = b"\0\x01gas".to_vec();
    rows.insert(bad.clone(), 0);
    let wrong = SPEC.skip(&bad, 1).unwrap_err();
    assert_eq!(wrong, Error::InvalidEscape { at: 1 });
    let (mut room, range) = ([0u8; 16], ByteRange::new(&[][..], None));
    let mut scan = LooseScan::first_rows(Table::new(&rows), SPEC, 1, range, &mut room).unwrap();
    assert_eq!(scan.next(), Some(Err(ScanError::Key(wrong))));
    assert_eq!(scan.next(), None);
    let mut scan = LooseScan::last_rows(Table::new(&rows), SPEC, 1, range, &mut room).unwrap();
    assert!((0..3).all(|_| scan.next_back().unwrap().is_ok()));
    assert_eq!(scan.next_back(), Some(Err(ScanError::Key(wrong))));
    assert_eq!(scan.next_back(), None);
    // Bytes behind the last field are only seen where all fields are looked at.
    let long = BTreeMap::from([(b"fan\0\0\x01\x02".to_vec(), 0)]);
    for (fields, wrong) in [(1, None), (2, Some(ScanError::Key(Error::TrailingBytes { at: 6 })))] {
        let mut scan = LooseScan::first_rows(Table::new(&long), SPEC, fields, range, &mut room).unwrap();
        assert_eq!(scan.next().unwrap().err(), wrong);
    }
    // Another tenant's row in a range that goes beyond the scope.
    let mut scan = LooseScan::first_rows(Table::new(&rows), SPEC.under(b"z"), 1, range, &mut room).unwrap();
    assert_eq!(scan.next(), Some(Err(ScanError::Key(Error::MalformedKey { at: 0 }))));
    let most = LooseScan::first_rows(Table::new(&rows), SPEC, 3, range, &mut room).err();
    assert_eq!(most, Some(Error::InvalidPrefixLength { most: 2, got: 3 }));
}

/// An engine that always gives the same row.
struct Stuck;

impl Seek for Stuck {
    type Row = [u8; 5];
    type Error = Broken;
    fn first(&mut self, _: ByteRange<&[u8]>) -> Result<Option<[u8; 5]>, Broken> {
        Ok(Some(*b"fa\0\0\x01"))
    }
    fn last(&mut self, _: ByteRange<&[u8]>) -> Result<Option<[u8; 5]>, Broken> {
        Ok(Some(*b"fa\0\0\x01"))
    }
}

#[test]
fn an_engine_that_ignores_its_range_does_not_go_on_for_ever() {
    for fields in 0..=2 {
        let (mut room, range) = ([0u8; 16], ByteRange::new(&[][..], None));
        let scan = LooseScan::first_rows(Stuck, SPEC, fields, range, &mut room).unwrap();
        let rows: Vec<_> = scan.take(3).collect();
        assert_eq!(rows[0].unwrap().key(), b"fa\0\0\x01");
        assert_eq!(rows.get(1), (fields > 0).then_some(&Err(ScanError::OutOfOrder)));
        let scan = LooseScan::last_rows(Stuck, SPEC, fields, range, &mut room).unwrap();
        assert_eq!(scan.rev().take(3).count(), if fields > 0 { 2 } else { 1 });
    }
}

#[test]
fn short_rooms_are_named() {
    let rows = small();
    let range = || ByteRange::new(&[][..], None);
    for available in 0..=16 {
        for back in [false, true] {
            let mut room = vec![0u8; available];
            let scan = LooseScan::first_rows(Table::new(&rows), SPEC, 1, range(), &mut room).unwrap();
            let found: Vec<_> = if back { scan.rev().collect() } else { scan.collect() };
            let good = found.iter().take_while(|row| row.is_ok()).count();
            // What a prefix takes: text and its end.
            let sizes: [usize; 3] = if back { [4 + 2, 5 + 2, 3 + 2] } else { [3 + 2, 5 + 2, 4 + 2] };
            let fits = sizes.iter().take_while(|size| **size <= available).count();
            assert_eq!(good, fits, "{available} {back}");
            let short =
                sizes.get(fits).map(|needed| Err(ScanError::Key(Error::ShortBuffer { needed: *needed, available })));
            assert_eq!(found.get(good), short.as_ref());
        }
    }
    // From both ends: what the other end holds is not overwritten.
    for (available, fits) in [(11, false), (12, false), (13, true), (64, true)] {
        let mut room = vec![0u8; available];
        let mut scan = LooseScan::first_rows(Table::new(&rows), SPEC, 1, range(), &mut room).unwrap();
        assert_eq!(scan.next().unwrap().unwrap().0[..3], *b"fan");
        assert_eq!(scan.next_back().unwrap().unwrap().0[..3], *b"pum");
        match scan.next().unwrap() {
            Ok((key, _)) => assert!(fits && key.starts_with(b"light")),
            Err(error) => {
                assert_eq!((error, fits), (ScanError::Key(Error::ShortBuffer { needed: 7 + 6, available }), false));
            }
        }
        assert!(scan.next().is_none());
    }
    for available in 0..16 {
        let mut room = vec![0u8; available];
        let mut scan = LooseScan::first_rows(Table::new(&rows), SPEC, 1, range(), &mut room).unwrap();
        let both = [scan.next(), scan.next_back()].into_iter().flatten().filter(Result::is_ok).count();
        assert_eq!(both, [5, 11].iter().filter(|needed| **needed <= available).count());
    }
}

/// An engine whose row is gone when it is asked for again.
struct Removed;

impl Seek for Removed {
    type Row = (Vec<u8>, ());
    type Error = Broken;
    fn first(&mut self, _: ByteRange<&[u8]>) -> Result<Option<Self::Row>, Broken> {
        Ok(Some((b"fan\0\0\x01".to_vec(), ())))
    }
    fn last(&mut self, _: ByteRange<&[u8]>) -> Result<Option<Self::Row>, Broken> {
        Ok(None)
    }
}

#[test]
fn a_row_that_is_removed_meanwhile_stands_for_its_prefix() {
    let mut room = [0u8; 16];
    let range = ByteRange::new(&[][..], None);
    let mut scan = LooseScan::last_rows(Removed, SPEC, 1, range, &mut room).unwrap();
    assert_eq!(scan.next().unwrap().unwrap().key(), b"fan\0\0\x01");
}
