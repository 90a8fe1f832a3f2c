//! One index of the store, to be read: as it is, as it was when a snapshot was taken, and out of its
//! shards.

use std::ops::Bound;
use std::ops::ControlFlow;
use std::ops::RangeBounds;

use anyhow::Context;
use anyhow::Result;
use anyhow::bail;
use fjall::Iter;
use fjall::Keyspace;
use fjall::Readable;
use fjall::Snapshot;
use fjall::UserKey;
use fjall::UserValue;
use isotone::ByteRange;
use isotone::Direction;
use isotone::Keyed;
use isotone::Lane;
use isotone::Merge;
use isotone::Seek;
use isotone::Shards;

use crate::scan::Engine;
use crate::scan::Entry;

/// One index of the store.
pub(crate) struct Stored {
    keyspace: Keyspace,
    shards: Option<Shards<'static>>,
    snapshot: Option<Snapshot>,
}

impl Stored {
    pub(crate) fn new(keyspace: Keyspace, shards: Option<Shards<'static>>) -> Self {
        Stored { keyspace, shards, snapshot: None }
    }

    /// The same index as it was when a snapshot was taken.
    pub(crate) fn at(&self, snapshot: &Snapshot) -> Self {
        Stored { keyspace: self.keyspace.clone(), shards: self.shards, snapshot: Some(snapshot.clone()) }
    }

    pub(crate) fn keyspace(&self) -> &Keyspace {
        &self.keyspace
    }

    /// The rows of a range as they are stored.
    pub(crate) fn rows<'k>(&self, range: impl RangeBounds<&'k [u8]>, direction: Direction) -> Rows {
        let rows = match &self.snapshot {
            Some(snapshot) => snapshot.range(&self.keyspace, range),
            None => self.keyspace.range(range),
        };
        Rows { rows, direction }
    }
}

/// Stored keys and values, in order.
pub(crate) struct Rows {
    rows: Iter,
    direction: Direction,
}

impl Iterator for Rows {
    type Item = fjall::Result<(UserKey, UserValue)>;

    fn next(&mut self) -> Option<Self::Item> {
        let row = match self.direction {
            Direction::Forward => self.rows.next(),
            Direction::Backward => self.rows.next_back(),
        };
        row.map(fjall::Guard::into_inner)
    }
}

impl Seek for &Stored {
    type Row = (UserKey, UserValue);
    type Error = fjall::Error;

    fn first(&mut self, range: ByteRange<&[u8]>) -> fjall::Result<Option<Self::Row>> {
        self.rows(range.slices(), Direction::Forward).next().transpose()
    }

    fn last(&mut self, range: ByteRange<&[u8]>) -> fjall::Result<Option<Self::Row>> {
        self.rows(range.slices(), Direction::Backward).next().transpose()
    }
}

/// What a stored row says, under a key that may be told from how it is stored.
pub(crate) fn entry<'a>(key: &'a [u8], value: &'a [u8]) -> Result<Entry<'a>> {
    let (id, payload) = value.split_first_chunk().context("a value is too short to hold a row's id")?;
    Ok(Entry { key, id: u32::from_be_bytes(*id).into(), payload: Some(payload), value_len: value.len() })
}

impl Engine for Stored {
    const NAME: &'static str = "fjall";
    const BACKWARD: bool = true;

    fn scan<'k>(
        &self,
        range: impl RangeBounds<&'k [u8]>,
        direction: Direction,
        mut each: impl FnMut(Entry<'_>) -> Result<ControlFlow<()>>,
    ) -> Result<()> {
        let Some(shards) = self.shards else {
            for row in self.rows(range, direction) {
                let (key, value) = row?;
                if each(entry(&key, &value)?)?.is_break() {
                    break;
                }
            }
            return Ok(());
        };
        let range = byte_range(&range)?;
        let mut room = vec![0; shards.fan_out_size(range)];
        let ranges = shards.fan_out(range, &mut room).context("fanning out")?;
        let lanes: Vec<_> = ranges.map(|range| Lane::new(self.rows(range.slices(), direction))).collect();
        let merged = match direction {
            Direction::Forward => Merge::ascending(shards, lanes),
            Direction::Backward => Merge::descending(shards, lanes),
        };
        for row in merged {
            let row = row.context("merging the shards")?;
            shards.check(row.stored_key()).context("finding a key in the shard of another")?;
            let (_, value) = row.row();
            if each(entry(row.key(), value)?)?.is_break() {
                break;
            }
        }
        Ok(())
    }
}

fn byte_range<'k>(bounds: &impl RangeBounds<&'k [u8]>) -> Result<ByteRange<&'k [u8]>> {
    let end = match bounds.end_bound() {
        Bound::Included(_) => bail!("a range that includes its end"),
        Bound::Excluded(end) => Some(*end),
        Bound::Unbounded => None,
    };
    Ok(match bounds.start_bound() {
        Bound::Included(start) => ByteRange::new(*start, end),
        Bound::Excluded(start) => ByteRange::after(*start, end),
        Bound::Unbounded => ByteRange::new(&[], end),
    })
}
