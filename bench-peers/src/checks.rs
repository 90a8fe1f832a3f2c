//! Whether a peer's keys sort as the values do, and whether none begins another: a key that fails
//! either is fast at something else.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use arrow_array::ArrayRef;
use arrow_row::RowConverter;

use crate::peers::PEERS;
use crate::peers::Row;
use crate::peers::arrow_bytes;
use crate::peers::arrow_rows;

const NAMES: [&str; 13] =
    ["", "\0", "\0\0", "\0\u{1}", "\u{1}", "a", "a\0", "a\0b", "a\u{1}", "ab", "b", "Ada Lovelace", "é"];
const IDS: [i64; 7] = [i64::MIN, -256, -1, 0, 1, 255, i64::MAX];
const SEQS: [u64; 4] = [0, 1, 255, u64::MAX];

fn rows() -> Vec<Row<'static>> {
    let mut rows = Vec::new();
    for id in IDS {
        for name in NAMES {
            rows.extend(SEQS.map(|seq| (id, name, seq)));
        }
    }
    rows
}

/// What is wrong with a peer's rows and with its byte strings, under `name/row` and `name/bytes`.
pub(crate) fn faults() -> BTreeMap<String, String> {
    let rows = rows();
    let blobs = NAMES.map(str::as_bytes);
    let mut faults = BTreeMap::new();
    let mut tell = |name: &str, of: &str, fault: Option<String>| {
        if let Some(fault) = fault {
            faults.insert(format!("{name}/{of}"), fault);
        }
    };
    for peer in PEERS {
        let row = |row: &Row<'_>| {
            let mut key = Vec::new();
            (peer.row)(*row, &mut key);
            key
        };
        let keys: Vec<Vec<u8>> = rows.iter().map(row).collect();
        tell(peer.name, "row", fault(&rows, &keys, peer.descends));
        let blob = |bytes: &[u8]| {
            let mut key = Vec::new();
            (peer.bytes)(bytes, false, &mut key);
            key
        };
        tell(peer.name, "bytes", faulty(&blobs, &blobs.map(blob), |a, b| a.cmp(b)));
    }
    let (converter, columns) = arrow_rows(&rows);
    tell("arrow-row", "row", fault(&rows, &arrow_keys(&converter, &columns), true));
    let (converter, columns) = arrow_bytes(&blobs, false);
    tell("arrow-row", "bytes", faulty(&blobs, &arrow_keys(&converter, &columns), |a, b| a.cmp(b)));
    faults
}

fn arrow_keys(converter: &RowConverter, columns: &[ArrayRef]) -> Vec<Vec<u8>> {
    converter.convert_columns(columns).unwrap().iter().map(|row| row.as_ref().to_vec()).collect()
}

fn fault(rows: &[Row<'_>], keys: &[Vec<u8>], descends: bool) -> Option<String> {
    faulty(rows, keys, |a, b| {
        let last = if descends { b.2.cmp(&a.2) } else { a.2.cmp(&b.2) };
        (a.0, a.1).cmp(&(b.0, b.1)).then(last)
    })
}

fn faulty<V: std::fmt::Debug>(values: &[V], keys: &[Vec<u8>], cmp: impl Fn(&V, &V) -> Ordering) -> Option<String> {
    for (a, key_a) in values.iter().zip(keys) {
        for (b, key_b) in values.iter().zip(keys) {
            let order = cmp(a, b);
            if key_a.cmp(key_b) != order {
                return Some(format!("order: {a:?} and {b:?}"));
            }
            if order.is_ne() && key_b.starts_with(key_a) {
                return Some(format!("prefix: {a:?} begins {b:?}"));
            }
        }
    }
    None
}
