//! The indexes in fjall, an LSM tree on disk.
//!
//! Each generation of an index is a keyspace; a value is the row's id, 4 bytes, and the rest of the
//! row. What the keys mean lies beside them, in a keyspace of its own: under the index's name the
//! contract of its current generation, and how many shards it has, when it has them.

use std::collections::HashMap;
use std::path::Path;

use anyhow::Context;
use anyhow::Result;
use anyhow::ensure;
use fjall::Database;
use fjall::Keyspace;
use fjall::KeyspaceCreateOptions;
use fjall::PersistMode;
use isotone::IndexContract;

use crate::stored::Stored;
use crate::table::Index;
use crate::table::Table;

/// Keyspace of what is known of the indexes.
const META: &str = "meta";
/// Small, so that the data lies in tables on disk and not only in memory.
const MEMTABLE_BYTES: u64 = 256 * 1024;
const ROWS_PER_BATCH: usize = 1000;

fn options() -> KeyspaceCreateOptions {
    KeyspaceCreateOptions::default().max_memtable_size(MEMTABLE_BYTES)
}

/// The store, opened, and the indexes that were asked for.
pub(crate) struct Store {
    db: Database,
    meta: Keyspace,
    indexes: HashMap<&'static str, Stored>,
}

/// Creates the store at `path`, writes the keys and values of every index, and closes it.
pub(crate) fn write(path: &Path, indexes: &[Index], tables: &[Table]) -> Result<()> {
    let db = Database::builder(path).open().context("creating the store")?;
    let meta = db.keyspace(META, options)?;
    for index in indexes {
        let table = index.table_of(tables)?;
        meta.insert(index.name, index.contract()?)?;
        if let Some(shards) = index.shards {
            meta.insert(shards_of(index), shards.count().to_be_bytes())?;
        }
        let keyspace = keyspace(&db, index)?;
        write_rows(&db, &keyspace, index, table).with_context(|| format!("writing {}", index.name))?;
    }
    db.persist(PersistMode::SyncAll).context("syncing the store")
}

fn keyspace(db: &Database, index: &Index) -> Result<Keyspace> {
    Ok(db.keyspace(&format!("{}@{}", index.name, index.generation), options)?)
}

fn shards_of(index: &Index) -> String {
    format!("{}/shards", index.name)
}

/// Where the checkpoint of a re-keying lies that is under way.
fn checkpoint_of(target: &Index) -> String {
    format!("{}@{}/checkpoint", target.name, target.generation)
}

/// A row's value: its id, and the rest of it.
pub(crate) fn value(id: u32, payload: &[u8]) -> Vec<u8> {
    [&id.to_be_bytes()[..], payload].concat()
}

fn write_rows(db: &Database, keyspace: &Keyspace, index: &Index, table: &Table) -> Result<()> {
    let (mut key, mut sharded) = (Vec::new(), Vec::new());
    let mut ids = 0u32..;
    for rows in table.rows.chunks(ROWS_PER_BATCH) {
        let mut batch = db.batch();
        for (row, id) in rows.iter().zip(&mut ids) {
            let mut key = index.key(row, &mut key)?;
            if let Some(shards) = index.shards {
                sharded.resize(shards.prefix_len().saturating_add(key.len()), 0);
                key = shards.write_key(key, &mut sharded).context("choosing a shard")?;
            }
            batch.insert(keyspace, key, value(id, &row.payload));
        }
        batch.commit()?;
    }
    Ok(())
}

impl Store {
    /// Opens the store. Every index in it must be the one that is expected: the same name,
    /// generation, fields and shards.
    pub(crate) fn open(path: &Path, indexes: &[Index]) -> Result<Self> {
        let db = Database::builder(path).open().context("opening the store")?;
        let meta = db.keyspace(META, options)?;
        let mut store = Store { db, meta, indexes: HashMap::new() };
        for index in indexes {
            store.require(index).with_context(|| format!("opening {}", index.name))?;
            let stored = Stored::new(keyspace(&store.db, index)?, index.shards);
            store.indexes.insert(index.name, stored);
        }
        Ok(store)
    }

    /// Says that an index, as stored, is the one that is expected.
    pub(crate) fn require(&self, index: &Index) -> Result<()> {
        let stored = self.meta.get(index.name)?.context("there is no contract")?;
        let expected = index.contract()?;
        IndexContract::from_bytes(&stored)?.require_same(&IndexContract::from_bytes(&expected)?)?;
        let shards = self.meta.get(shards_of(index))?;
        let expected = index.shards.map(|shards| shards.count().to_be_bytes());
        ensure!(shards.as_deref() == expected.as_ref().map(|count| &count[..]), "another number of shards");
        Ok(())
    }

    pub(crate) fn index(&self, index: &Index) -> Result<&Stored> {
        self.indexes.get(index.name).with_context(|| format!("the store has no index {}", index.name))
    }

    pub(crate) fn db(&self) -> &Database {
        &self.db
    }

    /// Overwrites what is known of an index, to see that it is noticed.
    pub(crate) fn set_contract(&self, index: &Index, contract: &[u8]) -> Result<()> {
        Ok(self.meta.insert(index.name, contract)?)
    }

    /// The keyspace of a generation that is being built: not yet the index's current one.
    pub(crate) fn next_generation(&self, target: &Index) -> Result<Stored> {
        Ok(Stored::new(keyspace(&self.db, target)?, target.shards))
    }

    /// What the last commit of a re-keying left.
    pub(crate) fn checkpoint(&self, target: &Index) -> Result<Option<Vec<u8>>> {
        Ok(self.meta.get(checkpoint_of(target))?.map(|bytes| bytes.to_vec()))
    }

    /// Makes rows of a new generation durable, and the checkpoint with them: all or nothing.
    pub(crate) fn commit(
        &self,
        target: &Index,
        rows: impl IntoIterator<Item = (Vec<u8>, Vec<u8>)>,
        checkpoint: &[u8],
    ) -> Result<()> {
        let keyspace = keyspace(&self.db, target)?;
        let mut batch = self.db.batch().durability(Some(PersistMode::SyncAll));
        rows.into_iter().for_each(|(key, value)| batch.insert(&keyspace, key, value));
        batch.insert(&self.meta, checkpoint_of(target), checkpoint);
        Ok(batch.commit()?)
    }

    /// Makes a generation the index's current one. Its checkpoint is of no more use.
    pub(crate) fn switch(&self, target: &Index) -> Result<()> {
        let mut batch = self.db.batch().durability(Some(PersistMode::SyncAll));
        batch.insert(&self.meta, target.name, target.contract()?);
        batch.remove(&self.meta, checkpoint_of(target));
        Ok(batch.commit()?)
    }
}
