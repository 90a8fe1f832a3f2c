//! What the demo asks of an engine, and how it reads an answer off one.

use std::ops::Bound;
use std::ops::ControlFlow;
use std::ops::RangeBounds;

use anyhow::Context;
use anyhow::Result;
use anyhow::ensure;
use isotone::Direction;
use isotone::Predicate;
use isotone::RangeList;
use isotone::Value;

use crate::table::Index;
use crate::table::Table;

/// A row as an engine holds it: a key, and the id of the row that it belongs to.
pub(crate) struct Entry<'a> {
    pub(crate) key: &'a [u8],
    pub(crate) id: u64,
    /// What else lies in the value, where the engine has room for it.
    pub(crate) payload: Option<&'a [u8]>,
    /// Bytes of the whole value.
    pub(crate) value_len: usize,
}

/// An ordered store of keys.
pub(crate) trait Engine {
    const NAME: &'static str;
    /// Whether it can be read backward.
    const BACKWARD: bool;

    /// Gives the entries of a range to `each`, in order, until there are no more or it breaks.
    fn scan<'k>(
        &self,
        range: impl RangeBounds<&'k [u8]>,
        direction: Direction,
        each: impl FnMut(Entry<'_>) -> Result<ControlFlow<()>>,
    ) -> Result<()>;
}

/// A caller's own condition on the values of a key, in the order of the index that was asked.
pub(crate) type Keep = fn(&[Value<'_>]) -> bool;

/// Which rows of a range are part of the answer.
#[derive(Clone, Copy)]
pub(crate) enum Filter<'p> {
    All,
    Keep(Keep),
    Predicate(&'p Predicate<'p>),
}

/// Every row.
pub(crate) const EVERYTHING: (Bound<&[u8]>, Bound<&[u8]>) = (Bound::Unbounded, Bound::Unbounded);

/// No key of the demo has more fields.
const MOST_FIELDS: usize = 8;

/// What was read: how much the engine returned, and which rows of it are the answer.
#[derive(Default)]
pub(crate) struct Walk {
    pub(crate) rows: usize,
    /// Bytes of the keys and the values that the engine returned.
    pub(crate) bytes: usize,
    /// Ids of the rows of the answer, in the order they came.
    pub(crate) answer: Vec<u64>,
    /// Key of the last row of the answer.
    pub(crate) last: Vec<u8>,
}

impl Walk {
    /// Adds what was read behind this.
    pub(crate) fn extend(&mut self, more: Walk) {
        self.rows = self.rows.saturating_add(more.rows);
        self.bytes = self.bytes.saturating_add(more.bytes);
        self.answer.extend(more.answer);
        self.last = more.last;
    }

    /// The answer in the order of the index, whichever way it was read.
    pub(crate) fn in_order(mut self, direction: Direction) -> Self {
        if direction == Direction::Backward {
            self.answer.reverse();
        }
        self
    }
}

/// Reads an index off an engine.
pub(crate) struct Source<'a, E> {
    pub(crate) engine: &'a E,
    pub(crate) index: &'a Index,
    pub(crate) table: &'a Table,
    /// Where the fields lie that conditions name: those of the first generation.
    pub(crate) fields: &'a [usize],
}

impl<E: Engine> Source<'_, E> {
    /// Reads a range until `limit` rows were kept. Every row that the engine returns is decoded, and
    /// must be what was written.
    pub(crate) fn read<'k>(
        &self,
        range: impl RangeBounds<&'k [u8]>,
        direction: Direction,
        limit: usize,
        filter: Filter<'_>,
    ) -> Result<Walk> {
        let mut walk = Walk::default();
        self.engine
            .scan(range, direction, |entry| {
                let mut room = [Value::Null; MOST_FIELDS];
                let values = self
                    .index
                    .spec
                    .decode(entry.key, &mut room)
                    .with_context(|| format!("reading the key {}", self.index.spec.display(entry.key)))?;
                self.check(&entry, values)?;
                walk.rows = walk.rows.saturating_add(1);
                walk.bytes = walk.bytes.saturating_add(entry.key.len()).saturating_add(entry.value_len);
                if self.keeps(filter, values)? {
                    walk.answer.push(entry.id);
                    walk.last.clear();
                    walk.last.extend_from_slice(entry.key);
                }
                Ok(if walk.answer.len() < limit { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
            })
            .with_context(|| format!("reading {} off {}", self.index.name, E::NAME))?;
        Ok(walk)
    }

    /// Reads all ranges of a list.
    pub(crate) fn read_list(&self, list: RangeList<'_>, direction: Direction, filter: Filter<'_>) -> Result<Walk> {
        let mut walk = Walk::default();
        let mut ranges = list.iter();
        while let Some(range) = match direction {
            Direction::Forward => ranges.next(),
            Direction::Backward => ranges.next_back(),
        } {
            walk.extend(self.read(range.slices(), direction, usize::MAX, filter)?);
        }
        Ok(walk)
    }

    fn keeps(&self, filter: Filter<'_>, values: &[Value<'_>]) -> Result<bool> {
        match filter {
            Filter::All => Ok(true),
            Filter::Predicate(predicate) => Ok(self.index.spec.eval(predicate, values)? == Some(true)),
            Filter::Keep(keep) => {
                let mut asked = [Value::Null; MOST_FIELDS];
                for (to, field) in asked.iter_mut().zip(self.fields) {
                    *to = *values.get(*field).context("a condition names a field that the key lacks")?;
                }
                Ok(keep(asked.get(..self.fields.len()).unwrap_or(&asked)))
            }
        }
    }

    fn check(&self, entry: &Entry<'_>, values: &[Value<'_>]) -> Result<()> {
        let row = self.table.row(entry.id)?;
        ensure!(
            values == self.index.values(row)?,
            "row {} does not hold what the key {} says",
            entry.id,
            self.index.spec.display(entry.key)
        );
        ensure!(entry.payload.is_none_or(|payload| payload == row.payload), "row {} has another payload", entry.id);
        Ok(())
    }
}
