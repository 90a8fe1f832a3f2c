//! The offline engine: copies a frozen snapshot of an index to another layout, so that it can be
//! killed and resumed at every batch, and verifies the outcome row by row before it says so.

use crate::error::Error;
use crate::index::checkpoint::Checkpoint;
use crate::index::checkpoint::HEAD;
use crate::index::checkpoint::MAGIC;
use crate::index::checkpoint::Tallies;
use crate::index::checkpoint::chain;
use crate::index::checkpoint::plan_digest;
use crate::index::map::KeyMap;
use crate::index::plan::ReindexPlan;

/// Where the engine writes: the target's own store, which must be empty when a copy starts.
pub trait RekeySink {
    /// The store's error.
    type Error;

    /// Adds a row, unless there is one with this key already.
    ///
    /// # Errors
    /// The store's; the copy then stops. Nothing is lost: it resumes from the last commit.
    fn insert(&mut self, key: &[u8], value: &[u8]) -> Result<Inserted, Self::Error>;

    /// Makes all rows since the last commit durable, and `checkpoint` with them: all or nothing.
    ///
    /// # Errors
    /// The store's; the copy then stops, and resumes from the commit before.
    fn commit(&mut self, checkpoint: &[u8]) -> Result<(), Self::Error>;
}

/// What a sink found where a row goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Inserted {
    /// Nothing; the row is there now.
    New,
    /// The same row. A store whose commits are not atomic finds it after a crash.
    Same,
    /// Another value under the key, which was left as it is. The copy will not be ready.
    Other,
}

/// Why a copy or a verification stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RekeyError<R, S> {
    /// The source's, or the target's, rows could not be read.
    #[error("reading rows failed")]
    Read(R),
    /// The sink failed. Open the target again, and resume from the checkpoint that it holds.
    #[error("writing to the target failed")]
    Sink(S),
    /// A row came after one with a greater key, or after resuming at or before the last key.
    #[error("row {row} is out of order")]
    OutOfOrder {
        /// Number of the row, from 1.
        row: u64,
    },
    /// A checkpoint that is malformed, or belongs to another plan.
    #[error("checkpoint does not belong to this plan")]
    InvalidCheckpoint,
    /// Lent memory is too short for a key of this size.
    #[error(transparent)]
    Room(Error),
}

/// A copy under way, or done: everything a checkpoint holds, in memory that the caller lends. Its
/// plan is a [`ReindexPlan`], or any other [`KeyMap`].
#[derive(Debug)]
pub struct Rekey<'p, 'm, M = ReindexPlan<'p>> {
    plan: &'p M,
    tallies: Tallies,
    digest: [u8; 32],
    complete: bool,
    /// A checkpoint, of which the last key is kept up to date.
    state: &'m mut [u8],
    /// Length of the last key; `None` before the first row.
    last: Option<usize>,
}

impl Rekey<'_, '_> {
    /// Size of a checkpoint whose last key has this many bytes.
    pub const fn state_size(key_len: usize) -> usize {
        HEAD.saturating_add(key_len)
    }
}

impl<'p, 'm, M: KeyMap> Rekey<'p, 'm, M> {
    /// Starts a copy into an empty target. `state` is lent for checkpoints; it must hold
    /// [`state_size`](Rekey::state_size) of the longest source key.
    pub fn start(plan: &'p M, state: &'m mut [u8]) -> Self {
        Rekey { plan, tallies: Tallies::default(), digest: [0; 32], complete: false, state, last: None }
    }

    /// Goes on from the checkpoint that the target holds.
    ///
    /// # Errors
    /// [`RekeyError::InvalidCheckpoint`] when it is not one of this plan, [`RekeyError::Room`] when
    /// `state` is too short for it.
    pub fn resume<R, S>(plan: &'p M, checkpoint: &[u8], state: &'m mut [u8]) -> Result<Self, RekeyError<R, S>> {
        let stored = Checkpoint::from_bytes(plan, checkpoint)?;
        let short = Error::ShortBuffer { needed: checkpoint.len(), available: state.len() };
        state.get_mut(..checkpoint.len()).ok_or(RekeyError::Room(short))?.copy_from_slice(checkpoint);
        let last = stored.last_key().map(<[u8]>::len);
        let Checkpoint { tallies, digest, complete, .. } = stored;
        Ok(Rekey { plan, tallies, digest, complete, state, last })
    }

    /// The last source key that was read: the rows to give [`copy`](Self::copy) come after it.
    pub fn last_key(&self) -> Option<&[u8]> {
        self.state.get(HEAD..).and_then(|keys| keys.get(..self.last?))
    }

    /// Reads `rows`, which are the source's after [`last_key`](Self::last_key) in key order, and
    /// writes them re-keyed to `sink`, committing every `batch` rows (a few more where rows of one key
    /// would be parted) and at the end. `room` is lent
    /// for one target key.
    ///
    /// A row that can't be carried over is counted and passed over; see [`Tallies`]. Gives what the
    /// whole copy has seen, earlier runs included.
    ///
    /// # Errors
    /// [`RekeyError`]: the copy is then where its last commit left it, and can be resumed from the
    /// checkpoint that the sink holds.
    pub fn copy<K: AsRef<[u8]>, V: AsRef<[u8]>, R, S: RekeySink>(
        mut self,
        rows: impl IntoIterator<Item = Result<(K, V), R>>,
        sink: &mut S,
        batch: u64,
        room: &mut [u8],
    ) -> Result<Tallies, RekeyError<R, S::Error>> {
        let mut uncommitted = 0u64;
        self.complete = false;
        let mut resumed = self.last.is_some();
        for row in rows {
            let (key, value) = row.map_err(RekeyError::Read)?;
            let (key, value) = (key.as_ref(), value.as_ref());
            // Never between two rows of one key: a copy that resumes after it would miss the second.
            if uncommitted >= batch && self.last_key() != Some(key) {
                sink.commit(self.checkpoint()).map_err(RekeyError::Sink)?;
                uncommitted = 0;
            }
            self.tallies.rows = self.tallies.rows.saturating_add(1);
            let order = self.last_key().map(|last| key.cmp(last));
            let late = match order {
                Some(core::cmp::Ordering::Less) => true,
                Some(core::cmp::Ordering::Equal) => resumed,
                _ => false,
            };
            if late {
                return Err(RekeyError::OutOfOrder { row: self.tallies.rows });
            }
            resumed = false;
            self.digest = chain(&self.digest, key, value);
            if order == Some(core::cmp::Ordering::Equal) {
                self.tallies.duplicates = self.tallies.duplicates.saturating_add(1);
                self.tallies.fault();
            } else {
                self.keep(key).map_err(RekeyError::Room)?;
                self.carry(key, value, sink, room)?;
            }
            uncommitted = uncommitted.saturating_add(1);
        }
        self.complete = true;
        self.keep_head().map_err(RekeyError::Room)?;
        sink.commit(self.checkpoint()).map_err(RekeyError::Sink)?;
        Ok(self.tallies)
    }

    /// Writes one row to the target.
    fn carry<R, S: RekeySink>(
        &mut self,
        key: &[u8],
        value: &[u8],
        sink: &mut S,
        room: &mut [u8],
    ) -> Result<(), RekeyError<R, S::Error>> {
        let checked = self.plan.source().key_spec().check(key);
        let rekeyed = match checked.and_then(|()| self.plan.rekey(key, value, room)) {
            Ok(rekeyed) => rekeyed,
            Err(error @ Error::ShortBuffer { .. }) => return Err(RekeyError::Room(error)),
            Err(error) => {
                let count = match error {
                    Error::NullInNotNull { .. } => &mut self.tallies.refused,
                    _ => &mut self.tallies.undecodable,
                };
                *count = count.saturating_add(1);
                self.tallies.fault();
                return Ok(());
            }
        };
        match sink.insert(rekeyed, value).map_err(RekeyError::Sink)? {
            Inserted::New | Inserted::Same => self.tallies.written = self.tallies.written.saturating_add(1),
            Inserted::Other => {
                self.tallies.conflicts = self.tallies.conflicts.saturating_add(1);
                self.tallies.fault();
            }
        }
        Ok(())
    }

    /// Keeps the last key where the checkpoint has it.
    fn keep(&mut self, key: &[u8]) -> Result<(), Error> {
        let needed = Rekey::state_size(key.len());
        let short = Error::ShortBuffer { needed, available: self.state.len() };
        self.state.get_mut(HEAD..needed).ok_or(short)?.copy_from_slice(key);
        self.last = Some(key.len());
        Ok(())
    }

    fn keep_head(&self) -> Result<(), Error> {
        let short = Error::ShortBuffer { needed: HEAD, available: self.state.len() };
        if self.state.len() < HEAD { Err(short) } else { Ok(()) }
    }

    /// The checkpoint as it would be stored now.
    fn checkpoint(&mut self) -> &[u8] {
        let Tallies { rows, written, duplicates, undecodable, refused, conflicts, first_fault } = self.tallies;
        let counts = [rows, written, duplicates, undecodable, refused, conflicts, first_fault];
        let plan = plan_digest(self.plan);
        let head = MAGIC.into_iter().chain(plan).chain(counts.into_iter().flat_map(u64::to_be_bytes));
        let head = head.chain([u8::from(self.complete)]).chain(self.digest);
        for (slot, byte) in self.state.iter_mut().zip(head) {
            *slot = byte;
        }
        self.state.get(..Rekey::state_size(self.last.unwrap_or(0))).unwrap_or(&[])
    }
}

/// What a verification found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verified {
    /// Whether the target holds exactly the source's rows: the copy was complete and clean, every
    /// target row is in order and valid and is its source's, and there are as many.
    pub ready: bool,
    /// Rows of the target.
    pub rows: u64,
    /// Digest of the source's rows, in source order, as the copy read them.
    pub source_digest: [u8; 32],
    /// Digest of the target's rows, in target order.
    pub target_digest: [u8; 32],
    /// Number of the first target row that is out of order, malformed, or not its source's, from
    /// 1; 0 when there is none.
    pub first_difference: u64,
}

/// The rows of a target that a verification has passed. They are compared by their chain; the key
/// before is needed only for order.
pub(super) struct Passed<K> {
    rows: u64,
    digest: [u8; 32],
    first_difference: u64,
    last: Option<K>,
}

impl<K: AsRef<[u8]>> Passed<K> {
    pub(super) const fn new() -> Self {
        Passed { rows: 0, digest: [0; 32], first_difference: 0, last: None }
    }

    /// Passes the next row; `is_due` says whether it should be there, its place apart.
    pub(super) fn row(&mut self, key: K, value: &[u8], is_due: bool) {
        self.rows = self.rows.saturating_add(1);
        self.digest = chain(&self.digest, key.as_ref(), value);
        let in_order = self.last.as_ref().is_none_or(|last| last.as_ref() < key.as_ref());
        if !(in_order && is_due) && self.first_difference == 0 {
            self.first_difference = self.rows;
        }
        self.last = Some(key);
    }

    /// What is known after the last row.
    pub(super) fn verified(self, copied: &Checkpoint<'_>) -> Verified {
        let tallies = copied.tallies();
        let whole = copied.is_complete() && tallies.is_clean() && self.rows == tallies.rows;
        Verified {
            ready: whole && self.first_difference == 0,
            rows: self.rows,
            source_digest: copied.source_digest(),
            target_digest: self.digest,
            first_difference: self.first_difference,
        }
    }
}

impl ReindexPlan<'_> {
    /// Verifies a target, opened again, row by row: `rows` are all its rows in key order, and
    /// `source` says whether the frozen source has exactly this row. `checkpoint` is what the
    /// target holds; `room` is lent for one source key.
    ///
    /// # Errors
    /// [`RekeyError::Read`] when either can't be read, [`RekeyError::InvalidCheckpoint`],
    /// [`RekeyError::Room`] when `room` is too short for a source key.
    pub fn verify<K: AsRef<[u8]>, V: AsRef<[u8]>, R>(
        &self,
        checkpoint: &[u8],
        rows: impl IntoIterator<Item = Result<(K, V), R>>,
        mut source: impl FnMut(&[u8], &[u8]) -> Result<bool, R>,
        room: &mut [u8],
    ) -> Result<Verified, RekeyError<R, core::convert::Infallible>> {
        let copied = Checkpoint::from_bytes(self, checkpoint)?;
        let back = self.inverse();
        let mut passed = Passed::new();
        for row in rows {
            let (key, value) = row.map_err(RekeyError::Read)?;
            let valid = self.target().key_spec().check(key.as_ref());
            let same = match valid.and_then(|()| back.rekey(key.as_ref(), room)) {
                Ok(source_key) => source(source_key, value.as_ref()).map_err(RekeyError::Read)?,
                Err(error @ Error::ShortBuffer { .. }) => return Err(RekeyError::Room(error)),
                Err(_) => false,
            };
            passed.row(key, value.as_ref(), same);
        }
        Ok(passed.verified(&copied))
    }
}
