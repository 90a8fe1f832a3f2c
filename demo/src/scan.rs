//! What the demo asks of an engine, and how it reads an answer off one.

use std::ops::Bound;
use std::ops::ControlFlow;
use std::ops::RangeBounds;

use anyhow::Context;
use anyhow::Result;
use anyhow::ensure;
use isotone::Value;

use crate::table::Index;
use crate::table::Table;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    Forward,
    Backward,
}

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

/// A caller's own condition on the values of a key.
pub(crate) type Keep = fn(&[Value<'_>]) -> bool;

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

/// Reads an index off an engine.
pub(crate) struct Source<'a, E> {
    pub(crate) engine: &'a E,
    pub(crate) index: &'a Index,
    pub(crate) table: &'a Table,
}

impl<E: Engine> Source<'_, E> {
    /// Reads a range until `limit` rows were kept. Every row that the engine returns is decoded, and
    /// must be what was written.
    pub(crate) fn read<'k>(
        &self,
        range: impl RangeBounds<&'k [u8]>,
        direction: Direction,
        limit: usize,
        keep: Keep,
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
                if keep(values) {
                    walk.answer.push(entry.id);
                    walk.last.clear();
                    walk.last.extend_from_slice(entry.key);
                }
                Ok(if walk.answer.len() < limit { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
            })
            .with_context(|| format!("reading {} off {}", self.index.name, E::NAME))?;
        Ok(walk)
    }

    fn check(&self, entry: &Entry<'_>, values: &[Value<'_>]) -> Result<()> {
        let id = usize::try_from(entry.id)?;
        let row = self.table.rows.get(id).with_context(|| format!("there is no row {id}"))?;
        ensure!(
            values == self.index.values(row)?,
            "row {id} does not hold what the key {} says",
            self.index.spec.display(entry.key)
        );
        ensure!(entry.payload.is_none_or(|payload| payload == row.payload), "row {id} has another payload");
        Ok(())
    }
}
