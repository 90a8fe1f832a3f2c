//! An engine, drawn numbers, and rows that are compared by their values.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::ops::RangeBounds;

use isotone::ByteRange;
use isotone::Seek;

/// Xorshift: the same numbers in every run.
pub(crate) struct Draw(pub(crate) u64);

impl Draw {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 16
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.next() % u64::try_from(n).unwrap()).unwrap()
    }

    pub(crate) fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// A range over some of these keys, some of their fronts, or none.
    pub(crate) fn range(&mut self, keys: &[Vec<u8>]) -> ByteRange<Vec<u8>> {
        let mut at = |keys: &[Vec<u8>]| {
            let mut key = if keys.is_empty() { vec![] } else { keys[self.below(keys.len())].clone() };
            if self.one_in(3) {
                key.truncate(self.below(key.len() + 1));
            }
            key
        };
        let (start, end) = (at(keys), at(keys));
        let end = if self.one_in(3) { None } else { Some(end) };
        if self.one_in(3) { ByteRange::after(start, end) } else { ByteRange::new(start, end) }
    }
}

/// How the engine of these tests fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Broken(pub(crate) usize);

/// An engine over rows in memory, which counts its seeks and fails at one of them.
pub(crate) struct Table<'t, V> {
    pub(crate) rows: &'t BTreeMap<Vec<u8>, V>,
    pub(crate) seeks: usize,
    pub(crate) fails_at: Option<usize>,
}

impl<'t, V> Table<'t, V> {
    pub(crate) fn new(rows: &'t BTreeMap<Vec<u8>, V>) -> Self {
        Table { rows, seeks: 0, fails_at: None }
    }

    fn seek(&mut self, range: ByteRange<&[u8]>) -> Result<(), Broken> {
        assert!(!range.is_empty(), "an engine is never asked about an empty range");
        assert_ne!(range.start_bound(), std::ops::Bound::Included(&[][..]), "nor given an empty key");
        self.seeks += 1;
        if self.fails_at == Some(self.seeks) { Err(Broken(self.seeks)) } else { Ok(()) }
    }
}

impl<'t, V> Seek for Table<'t, V> {
    type Row = (&'t Vec<u8>, &'t V);
    type Error = Broken;

    fn first(&mut self, range: ByteRange<&[u8]>) -> Result<Option<Self::Row>, Broken> {
        self.seek(range)?;
        Ok(self.rows.range::<[u8], _>(range).next())
    }

    fn last(&mut self, range: ByteRange<&[u8]>) -> Result<Option<Self::Row>, Broken> {
        self.seek(range)?;
        Ok(self.rows.range::<[u8], _>(range).next_back())
    }
}

/// A field's value as its place among the values of its domain, which ascend; `None` is null.
pub(crate) type Cell = Option<usize>;

/// How two rows compare under these order codes, field by field.
pub(crate) fn compare(a: &[Cell], b: &[Cell], orders: &[u8]) -> Ordering {
    let fields = a.iter().zip(b).zip(orders);
    fields.fold(Ordering::Equal, |so_far, ((a, b), order)| {
        let nulls_first = matches!(order, 0 | 2);
        let descending = matches!(order, 2 | 3 | 5);
        so_far.then(match (a, b) {
            (Some(a), Some(b)) if descending => b.cmp(a),
            (Some(a), Some(b)) => a.cmp(b),
            (None, None) => Ordering::Equal,
            (None, Some(_)) if nulls_first => Ordering::Less,
            (Some(_), None) if !nulls_first => Ordering::Less,
            _ => Ordering::Greater,
        })
    })
}
