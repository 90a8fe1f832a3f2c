//! Re-keys an index to another layout while nobody writes: in batches that can be killed, verified row
//! by row before the new generation becomes the current one.

use std::collections::BTreeMap;
use std::error;
use std::fmt;
use std::ops::Bound;
use std::path::Path;

use anyhow::Context;
use anyhow::Result;
use anyhow::anyhow;
use anyhow::bail;
use anyhow::ensure;
use isotone::Checkpoint;
use isotone::Direction;
use isotone::IndexContract;
use isotone::Inserted;
use isotone::ReindexPlan;
use isotone::Rekey;
use isotone::RekeyError;
use isotone::RekeySink;
use isotone::Tallies;
use isotone::Verified;

use crate::scan::EVERYTHING;
use crate::store::Store;
use crate::stored::Stored;
use crate::table::Index;

/// Rows between two commits.
const BATCH: u64 = 1000;
/// No key of the demo is longer, in bytes.
const LONGEST_KEY: usize = 128;

/// Where a run of the copy is made to stop. All that it holds is dropped then, the store with it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Stop {
    Never,
    /// Killed when it asks for this row, from 1.
    Killed(u64),
    /// The store fails to take this row.
    Insert(u64),
    /// The store fails to make this batch durable.
    Commit(u64),
}

/// A fault that was asked for.
#[derive(Debug)]
pub(crate) struct Injected(Stop);

impl fmt::Display for Injected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Stop::Never => f.write_str("never stopped"),
            Stop::Killed(n) => write!(f, "killed at row {n} of this run"),
            Stop::Insert(n) => write!(f, "the store failed at insert {n} of this run"),
            Stop::Commit(n) => write!(f, "the store failed at commit {n} of this run"),
        }
    }
}

impl error::Error for Injected {}

/// The new generation in the store, and the rows of it that are not durable yet.
struct Target<'s> {
    store: &'s Store,
    index: &'s Index,
    stored: Stored,
    pending: BTreeMap<Vec<u8>, Vec<u8>>,
    stop: Stop,
    inserts: u64,
    commits: u64,
}

impl RekeySink for Target<'_> {
    type Error = anyhow::Error;

    fn insert(&mut self, key: &[u8], value: &[u8]) -> Result<Inserted> {
        self.inserts = self.inserts.saturating_add(1);
        if matches!(self.stop, Stop::Insert(n) if n == self.inserts) {
            bail!(Injected(self.stop));
        }
        if let Some(there) = self.pending.get(key) {
            return Ok(if there == value { Inserted::Same } else { Inserted::Other });
        }
        Ok(match self.stored.keyspace().get(key)? {
            Some(there) if &*there == value => Inserted::Same,
            Some(_) => Inserted::Other,
            None => {
                self.pending.insert(key.to_vec(), value.to_vec());
                Inserted::New
            }
        })
    }

    fn commit(&mut self, checkpoint: &[u8]) -> Result<()> {
        self.commits = self.commits.saturating_add(1);
        if matches!(self.stop, Stop::Commit(n) if n == self.commits) {
            bail!(Injected(self.stop));
        }
        self.store.commit(self.index, std::mem::take(&mut self.pending), checkpoint)
    }
}

/// Both contracts, to make a plan of.
pub(crate) struct Contracts {
    source: Vec<u8>,
    target: Vec<u8>,
}

impl Contracts {
    pub(crate) fn new(source: &Index, target: &Index) -> Result<Self> {
        Ok(Contracts { source: source.contract()?, target: target.contract()? })
    }

    pub(crate) fn plan(&self) -> Result<ReindexPlan<'_>> {
        let (source, target) = (IndexContract::from_bytes(&self.source)?, IndexContract::from_bytes(&self.target)?);
        Ok(ReindexPlan::new(source, target)?)
    }
}

/// Says the cause too.
fn explain<S: Into<anyhow::Error>>(error: RekeyError<anyhow::Error, S>) -> anyhow::Error {
    match error {
        RekeyError::Read(cause) => cause.context("reading rows"),
        RekeyError::Sink(cause) => cause.into().context("writing to the target"),
        RekeyError::OutOfOrder { row } => anyhow!("row {row} is out of order"),
        RekeyError::InvalidCheckpoint => anyhow!("the checkpoint does not belong to this plan"),
        RekeyError::Room(error) => anyhow!(error),
    }
}

/// Opens the store, starts the copy or goes on with it, and closes the store.
///
/// Whatever stops it, the copy is where its last commit left it.
pub(crate) fn copy(path: &Path, source: &Index, target: &Index, stop: Stop) -> Result<Tallies> {
    let store = Store::open(path, &[*source])?;
    let contracts = Contracts::new(source, target)?;
    let plan = contracts.plan().context("planning")?;
    let checkpoint = store.checkpoint(target)?;
    let mut state = vec![0; Rekey::state_size(LONGEST_KEY)];
    let rekey = match &checkpoint {
        Some(checkpoint) => Rekey::resume(&plan, checkpoint, &mut state).map_err(explain::<anyhow::Error>)?,
        None => Rekey::start(&plan, &mut state),
    };
    let after = rekey.last_key().map_or(Bound::Unbounded, Bound::Excluded);
    let rows = store.index(source)?.rows((after, Bound::Unbounded), Direction::Forward);
    let rows = rows.zip(1u64..).map(|(row, n)| match stop {
        Stop::Killed(at) if at == n => bail!(Injected(stop)),
        _ => Ok(row?),
    });
    let stored = store.next_generation(target)?;
    let mut target =
        Target { store: &store, index: target, stored, pending: BTreeMap::new(), stop, inserts: 0, commits: 0 };
    rekey.copy(rows, &mut target, BATCH, &mut [0; LONGEST_KEY]).map_err(explain)
}

/// How many rows the copy has behind it, as its last commit says.
pub(crate) fn progress(path: &Path, source: &Index, target: &Index) -> Result<u64> {
    let checkpoint = Store::open(path, &[*source])?.checkpoint(target)?.context("there is no checkpoint")?;
    let contracts = Contracts::new(source, target)?;
    let plan = contracts.plan()?;
    let checkpoint = Checkpoint::from_bytes(&plan, &checkpoint).map_err(explain::<anyhow::Error>)?;
    ensure!(!checkpoint.is_complete(), "the copy is done");
    Ok(checkpoint.tallies().rows)
}

/// Opens the store again and verifies the new generation against the old one, row by row.
pub(crate) fn verify(path: &Path, source: &Index, target: &Index) -> Result<Verified> {
    let store = Store::open(path, &[*source])?;
    let contracts = Contracts::new(source, target)?;
    let checkpoint = store.checkpoint(target)?.context("there is no checkpoint")?;
    let rows = store.next_generation(target)?.rows(EVERYTHING, Direction::Forward).map(|row| Ok(row?));
    let frozen = store.index(source)?;
    let has = |key: &[u8], value: &[u8]| Ok(frozen.keyspace().get(key)?.is_some_and(|there| &*there == value));
    contracts.plan()?.verify(&checkpoint, rows, has, &mut [0; LONGEST_KEY]).map_err(explain)
}

/// Makes the new generation the current one, unless it is not ready.
pub(crate) fn switch(path: &Path, source: &Index, target: &Index, verified: &Verified) -> Result<()> {
    ensure!(
        verified.ready,
        "the target is not ready: {} rows, first difference at row {}",
        verified.rows,
        verified.first_difference
    );
    Store::open(path, &[*source])?.switch(target)
}
