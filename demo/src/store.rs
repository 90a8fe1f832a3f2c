//! The indexes in fjall, an LSM tree on disk.
//!
//! Each index is a keyspace; a value is the row's id, 4 bytes, and the rest of the row. What the
//! keys mean lies beside them, in a keyspace of its own.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::ops::RangeBounds;
use std::path::Path;

use anyhow::Context;
use anyhow::Result;
use anyhow::ensure;
use fjall::Database;
use fjall::Keyspace;
use fjall::KeyspaceCreateOptions;
use fjall::PersistMode;
use isotone::Error;

use crate::scan::Direction;
use crate::scan::Engine;
use crate::scan::Entry;
use crate::table::Index;
use crate::table::Table;

/// Keyspace of the layout descriptors, under the names of their indexes.
const LAYOUTS: &str = "layouts";
/// Small, so that the data lies in tables on disk and not only in memory.
const MEMTABLE_BYTES: u64 = 256 * 1024;
const ROWS_PER_BATCH: usize = 1000;

fn options() -> KeyspaceCreateOptions {
    KeyspaceCreateOptions::default().max_memtable_size(MEMTABLE_BYTES)
}

/// Creates the store at `path`, writes the keys and values of every index, and closes it.
pub(crate) fn write(path: &Path, indexes: &[Index], tables: &[Table]) -> Result<()> {
    let db = Database::builder(path).open().context("creating the store")?;
    let layouts = db.keyspace(LAYOUTS, options)?;
    for index in indexes {
        let table = index.table_of(tables)?;
        layouts.insert(index.name, index.spec.layout())?;
        let keyspace = db.keyspace(index.name, options)?;
        write_rows(&db, &keyspace, index, table).with_context(|| format!("writing {}", index.name))?;
    }
    db.persist(PersistMode::SyncAll).context("syncing the store")
}

fn write_rows(db: &Database, keyspace: &Keyspace, index: &Index, table: &Table) -> Result<()> {
    let mut key = Vec::new();
    let mut ids = 0u32..;
    for rows in table.rows.chunks(ROWS_PER_BATCH) {
        let mut batch = db.batch();
        for (row, id) in rows.iter().zip(&mut ids) {
            let value = [&id.to_be_bytes()[..], &row.payload].concat();
            batch.insert(keyspace, index.key(row, &mut key)?, value);
        }
        batch.commit()?;
    }
    Ok(())
}

/// The store, opened to be read.
pub(crate) struct Store {
    keyspaces: HashMap<&'static str, Stored>,
}

/// One index of the store.
pub(crate) struct Stored(Keyspace);

impl Store {
    /// Opens the store and checks that every index in it has the layout that its spec says, and that
    /// under no other spec it would be opened.
    pub(crate) fn open(path: &Path, indexes: &[Index]) -> Result<Self> {
        let db = Database::builder(path).open().context("opening the store")?;
        let layouts = db.keyspace(LAYOUTS, options)?;
        let mut keyspaces = HashMap::new();
        for index in indexes {
            let layout = layouts.get(index.name)?.with_context(|| format!("{} has no layout", index.name))?;
            index.spec.require_layout(&layout).with_context(|| format!("{} can't be read", index.name))?;
            for other in indexes.iter().filter(|other| other.spec != index.spec) {
                let refused = matches!(other.spec.require_layout(&layout), Err(Error::LayoutMismatch { .. }));
                ensure!(refused, "{} was to be opened as {}", index.name, other.name);
            }
            keyspaces.insert(index.name, Stored(db.keyspace(index.name, options)?));
        }
        Ok(Store { keyspaces })
    }

    pub(crate) fn index(&self, index: &Index) -> Result<&Stored> {
        self.keyspaces.get(index.name).with_context(|| format!("the store has no index {}", index.name))
    }
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
        let mut entries = self.0.range(range);
        while let Some(entry) = match direction {
            Direction::Forward => entries.next(),
            Direction::Backward => entries.next_back(),
        } {
            let (key, value) = entry.into_inner()?;
            let (id, payload) = value.split_first_chunk().context("a value is too short to hold a row's id")?;
            let id = u32::from_be_bytes(*id).into();
            if each(Entry { key: &key, id, payload: Some(payload), value_len: value.len() })?.is_break() {
                break;
            }
        }
        Ok(())
    }
}
