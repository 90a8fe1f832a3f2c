//! One range, handed to every engine: `BTreeMap` in both `RangeBounds` forms, fjall and redb give the
//! same rows, forward and backward, and a page that resumes at a key goes on where the last one ended.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::BTreeMap;
use std::ops::Bound::Excluded;
use std::ops::Bound::Included;
use std::ops::Bound::Unbounded;

use isotone::Asc;
use isotone::AscNullsLast;
use isotone::ByteRange;
use isotone::DescNullsLast;
use isotone::Error;
use isotone::KeySpec;
use isotone::Type;
use isotone::Value::I64;
use isotone::Value::Null;
use isotone::Value::U16;
use isotone::key_spec;
use redb::ReadableDatabase;
use redb::ReadableTable;

/// Device, time (newest first, unknown last), number.
const SPEC: KeySpec<'static> = key_spec![
    Type::Str => AscNullsLast,
    Type::I64 => DescNullsLast,
    Type::U16 => Asc,
];

type Row = (Vec<u8>, u16);

/// What is asked of each engine: the rows of a range, forward or backward, in the order they come.
trait Engine {
    fn name(&self) -> &'static str;
    fn rows(&self, range: &ByteRange<&[u8]>, backward: bool) -> Vec<Row>;
}

fn in_order<T>(rows: impl DoubleEndedIterator<Item = T>, backward: bool, row: impl Fn(T) -> Row) -> Vec<Row> {
    if backward { rows.rev().map(row).collect() } else { rows.map(row).collect() }
}

/// Takes the range itself: `RangeBounds<[u8]>`.
struct Owned(BTreeMap<Vec<u8>, u16>);

impl Engine for Owned {
    fn name(&self) -> &'static str {
        "BTreeMap<Vec<u8>, _>"
    }

    fn rows(&self, range: &ByteRange<&[u8]>, backward: bool) -> Vec<Row> {
        in_order(self.0.range::<[u8], _>(*range), backward, |(key, n)| (key.clone(), *n))
    }
}

/// Takes the range's slices: `RangeBounds<&[u8]>`.
struct Borrowed<'k>(BTreeMap<&'k [u8], u16>);

impl Engine for Borrowed<'_> {
    fn name(&self) -> &'static str {
        "BTreeMap<&[u8], _>"
    }

    fn rows(&self, range: &ByteRange<&[u8]>, backward: bool) -> Vec<Row> {
        in_order(self.0.range(range.slices()), backward, |(key, n)| (key.to_vec(), *n))
    }
}

struct Fjall(fjall::Keyspace);

impl Engine for Fjall {
    fn name(&self) -> &'static str {
        "fjall"
    }

    fn rows(&self, range: &ByteRange<&[u8]>, backward: bool) -> Vec<Row> {
        in_order(self.0.range(range.slices()), backward, |entry| {
            let (key, n) = entry.into_inner().unwrap();
            (key.to_vec(), u16::from_be_bytes(n[..].try_into().unwrap()))
        })
    }
}

const TABLE: redb::TableDefinition<'_, &[u8], u16> = redb::TableDefinition::new("rows");

struct Redb(redb::Database);

impl Engine for Redb {
    fn name(&self) -> &'static str {
        "redb"
    }

    fn rows(&self, range: &ByteRange<&[u8]>, backward: bool) -> Vec<Row> {
        let table = self.0.begin_read().unwrap().open_table(TABLE).unwrap();
        let rows = ReadableTable::range(&table, range.slices()).unwrap();
        in_order(rows, backward, |row| {
            let (key, n) = row.unwrap();
            (key.value().to_vec(), n.value())
        })
    }
}

/// The values of a key, and the key.
struct Written {
    device: Option<&'static str>,
    at: Option<i64>,
    n: u16,
    key: Vec<u8>,
}

/// Three rows at each of eight times, unknown included, for each of five devices, unknown included;
/// numbers count up in no order of the keys.
fn written() -> Vec<Written> {
    let mut written = Vec::new();
    let mut numbers = 0u16..;
    for at in [Some(0), Some(-1), Some(i64::MAX), None, Some(-2), Some(3), Some(i64::MIN), Some(1)] {
        for device in [Some("pump"), Some("fan"), None, Some("pump\0"), Some("")] {
            for n in numbers.by_ref().take(3) {
                let mut room = [0; 32];
                let key = SPEC.encode(&[device.into(), at.into(), n.into()], &mut room).unwrap().to_vec();
                written.push(Written { device, at, n, key });
            }
        }
    }
    written
}

/// Calls `check` with each engine, filled with the same rows.
fn each_engine(written: &[Written], check: impl Fn(&dyn Engine)) {
    check(&Owned(written.iter().map(|row| (row.key.clone(), row.n)).collect()));
    check(&Borrowed(written.iter().map(|row| (&row.key[..], row.n)).collect()));

    let dir = tempfile::tempdir().unwrap();
    let db = fjall::Database::builder(dir.path().join("fjall")).open().unwrap();
    let keyspace = db.keyspace("rows", fjall::KeyspaceCreateOptions::default).unwrap();
    for row in written {
        keyspace.insert(&row.key, row.n.to_be_bytes()).unwrap();
    }
    check(&Fjall(keyspace));

    let db = redb::Database::create(dir.path().join("redb")).unwrap();
    let transaction = db.begin_write().unwrap();
    let mut table = transaction.open_table(TABLE).unwrap();
    for row in written {
        table.insert(&row.key[..], row.n).unwrap();
    }
    drop(table);
    transaction.commit().unwrap();
    check(&Redb(db));
}

/// Makes a range in the room it is given.
type MakeRange = fn(&mut [u8]) -> Result<ByteRange<&[u8]>, Error>;

/// A range, and the condition on values that it stands for.
struct Query {
    name: &'static str,
    range: MakeRange,
    holds: fn(&Written) -> bool,
    rows: usize,
}

const QUERIES: [Query; 10] = [
    Query { name: "everything", range: |room| SPEC.prefix_range(&[], room), holds: |_| true, rows: 120 },
    Query {
        name: "one device",
        range: |room| SPEC.prefix_range(&["pump".into()], room),
        holds: |row| row.device == Some("pump"),
        rows: 24,
    },
    Query {
        name: "no device",
        range: |room| SPEC.prefix_range(&[Null], room),
        holds: |row| row.device.is_none(),
        rows: 24,
    },
    Query {
        name: "interval [-2, 3)",
        range: |room| SPEC.field_range(&["pump".into()], Included(I64(-2)), Excluded(I64(3)), room),
        holds: |row| row.device == Some("pump") && row.at.is_some_and(|at| (-2..3).contains(&at)),
        rows: 12,
    },
    Query {
        name: "IS NOT NULL",
        range: |room| SPEC.field_range(&["fan".into()], Unbounded, Unbounded, room),
        holds: |row| row.device == Some("fan") && row.at.is_some(),
        rows: 21,
    },
    Query {
        name: "IS NULL",
        range: |room| SPEC.prefix_range(&["fan".into(), Null], room),
        holds: |row| row.device == Some("fan") && row.at.is_none(),
        rows: 3,
    },
    Query {
        name: "tuples that split a time",
        range: |room| {
            let (first, last) = ([I64(3), U16(76)], [I64(-1), U16(16)]);
            SPEC.tuple_range(&["pump".into()], Included(&first), Excluded(&last), room)
        },
        // Times descend and numbers ascend.
        holds: |row| {
            let after = row.at < Some(3) || row.at == Some(3) && row.n >= 76;
            let before = row.at > Some(-1) || row.at == Some(-1) && row.n < 16;
            row.device == Some("pump") && after && before
        },
        rows: 9,
    },
    Query {
        name: "from a device on",
        range: |room| SPEC.tuple_range(&[], Excluded(&["pump".into()]), Unbounded, room),
        holds: |row| matches!(row.device, None | Some("pump\0")),
        rows: 48,
    },
    Query {
        name: "starts with pump",
        range: |room| SPEC.starts_with_range(&[], "pump".into(), room),
        holds: |row| row.device.is_some_and(|device| device.starts_with("pump")),
        rows: 48,
    },
    Query {
        name: "nothing",
        range: |room| SPEC.field_range(&["pump".into()], Included(I64(3)), Excluded(I64(3)), room),
        holds: |_| false,
        rows: 0,
    },
];

/// The rows that satisfy a query, in the order of their keys.
fn expected(written: &[Written], query: &Query) -> Vec<Row> {
    let mut rows: Vec<_> =
        written.iter().filter(|row| (query.holds)(row)).map(|row| (row.key.clone(), row.n)).collect();
    rows.sort();
    rows
}

#[test]
fn the_same_query_gives_the_same_rows() {
    let written = written();
    each_engine(&written, |engine| {
        for query in &QUERIES {
            let mut expected = expected(&written, query);
            assert_eq!(expected.len(), query.rows, "{}", query.name);
            let mut room = [0; 64];
            let range = (query.range)(&mut room).unwrap();
            assert_eq!(engine.rows(&range, false), expected, "{}, {}", engine.name(), query.name);
            expected.reverse();
            assert_eq!(engine.rows(&range, true), expected, "{}, {} backward", engine.name(), query.name);
        }
    });
}

/// All rows of a range, in pages of `size` that know of each other only the last key.
fn pages(engine: &dyn Engine, range: ByteRange<&[u8]>, size: usize, backward: bool) -> Vec<Row> {
    let mut found: Vec<Row> = Vec::new();
    loop {
        let rest = match found.last() {
            None => range,
            Some((key, _)) if backward => SPEC.resume_before(&range, key).unwrap(),
            Some((key, _)) => SPEC.resume_after(&range, key).unwrap(),
        };
        let page: Vec<_> = engine.rows(&rest, backward).into_iter().take(size).collect();
        let whole = page.len() == size;
        found.extend(page);
        if !whole {
            return found;
        }
        assert!(found.len() <= 120, "pages go round and round");
    }
}

#[test]
fn every_page_resumes_where_the_last_one_ended() {
    let written = written();
    each_engine(&written, |engine| {
        for query in &QUERIES {
            let expected = expected(&written, query);
            let mut room = [0; 64];
            let range = (query.range)(&mut room).unwrap();
            for size in [1, 5, 7, expected.len() + 1] {
                let mut found = pages(engine, range, size, false);
                assert_eq!(found, expected, "{}, {} by {size}", engine.name(), query.name);
                found = pages(engine, range, size, true);
                found.reverse();
                assert_eq!(found, expected, "{}, {} by {size} backward", engine.name(), query.name);
            }
        }
    });
}

#[test]
fn an_owned_range_outlives_its_room_and_gives_the_same_rows() {
    let written = written();
    let map: BTreeMap<&[u8], u16> = written.iter().map(|row| (&row.key[..], row.n)).collect();
    for query in &QUERIES {
        let (vecs, inline) = {
            let mut room = [0; 64];
            let range = (query.range)(&mut room).unwrap();
            (range.to_vecs(), range.to_inline::<32>().unwrap())
        };
        let expected: Vec<_> = expected(&written, query).into_iter().map(|(_, n)| n).collect();
        let found: Vec<_> = map.range::<[u8], _>(vecs).map(|(_, n)| *n).collect();
        assert_eq!(found, expected, "{}", query.name);
        let found: Vec<_> = map.range(inline.slices()).map(|(_, n)| *n).collect();
        assert_eq!(found, expected, "{}", query.name);
    }
}

#[test]
fn a_key_from_elsewhere_does_not_resume() {
    let mut room = [0; 64];
    let range = SPEC.prefix_range(&["pump".into()], &mut room).unwrap();
    let mut room = [0; 32];
    let other = SPEC.encode(&["fan".into(), I64(0), U16(0)], &mut room).unwrap();
    assert_eq!(SPEC.resume_after(&range, other), Err(Error::CursorOutsideRange));
    assert_eq!(SPEC.resume_before(&range, other), Err(Error::CursorOutsideRange));
    assert_eq!(SPEC.resume_after(&range, &other[..4]), Err(Error::TruncatedKey { at: 4 }));
    let empty = ByteRange::EMPTY;
    assert_eq!(SPEC.resume_after(&empty, other), Err(Error::CursorOutsideRange));
}
