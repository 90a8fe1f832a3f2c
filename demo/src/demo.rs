//! The data, everywhere it is, and what is asked of it.

use std::collections::HashMap;
use std::path::Path;
use std::path::PathBuf;

use anyhow::Context;
use anyhow::Result;

use crate::check;
use crate::check::Places;
use crate::cursors;
use crate::distinct;
use crate::distinct::Distinct;
use crate::frozen;
use crate::frozen::Frozen;
use crate::names;
use crate::noaa;
use crate::queries::Query;
use crate::queries::Question;
use crate::rekey::Stop;
use crate::rekeyed;
use crate::rekeyed::Rekeyed;
use crate::report::Progress;
use crate::report::Section;
use crate::sqlite::Sqlite;
use crate::store;
use crate::store::Store;
use crate::table::Index;
use crate::table::Table;
use crate::telemetry;

/// All indexes, in their first generations. Questions name the fields of these.
pub(crate) const INDEXES: [Index; 8] = [
    telemetry::READINGS,
    telemetry::ARRIVALS,
    noaa::DAYS,
    noaa::RAIN,
    noaa::GUSTS,
    noaa::PRESSURES,
    names::IN_SWEDISH,
    names::LOOSELY,
];

/// The generations that the re-keying makes, and where it is stopped on the way.
pub(crate) const REKEYED: [(Index, &[Stop]); 2] = [
    (telemetry::READINGS_BY_TIME, &[Stop::Killed(3500), Stop::Insert(1501), Stop::Commit(2), Stop::Killed(1)]),
    (noaa::GUSTS_BY_HOUR, &[Stop::Commit(7), Stop::Killed(10_000)]),
];

pub(crate) struct Demo {
    path: PathBuf,
    tables: [Table; 4],
    pub(crate) indexes: Vec<Index>,
    store: Store,
    /// By the names of their indexes.
    frozen: HashMap<&'static str, Frozen>,
    sqlite: Sqlite,
}

/// The index of this name as it was first.
fn first_generation(name: &str) -> Result<&'static Index> {
    INDEXES.iter().find(|index| index.name == name).with_context(|| format!("there is no index {name}"))
}

impl Demo {
    /// Builds everything in `dir`.
    pub(crate) fn build(dir: &Path, progress: &mut Progress) -> Result<Self> {
        let tables = [telemetry::readings()?, noaa::daily()?, noaa::hourly()?, names::names()?];
        let path = dir.join("fjall");
        progress.at(format_args!("writing to fjall"));
        store::write(&path, &INDEXES, &tables)?;
        progress.at(format_args!("loading SQLite"));
        let sqlite = Sqlite::load(&tables)?;
        Self::open(path, tables, INDEXES.to_vec(), sqlite, progress)
    }

    /// Opens the store, where every index must be the one that is expected, and freezes what is in it.
    fn open(
        path: PathBuf,
        tables: [Table; 4],
        indexes: Vec<Index>,
        sqlite: Sqlite,
        progress: &mut Progress,
    ) -> Result<Self> {
        let store = Store::open(&path, &indexes)?;
        let mut frozen = HashMap::new();
        for index in &indexes {
            progress.at(format_args!("freezing {}", index.name));
            let path = path.with_file_name(format!("{}@{}.fst", index.name, index.generation));
            frozen::save(&path, store.index(index)?)?;
            frozen.insert(index.name, Frozen::load(&path)?);
        }
        Ok(Demo { path, tables, indexes, store, frozen, sqlite })
    }

    pub(crate) fn store(&self) -> &Store {
        &self.store
    }

    pub(crate) fn table(&self, index: &str) -> Result<&Table> {
        first_generation(index)?.table_of(&self.tables)
    }

    pub(crate) fn tables(&self) -> &[Table] {
        &self.tables
    }

    pub(crate) fn frozen(&self, index: &Index) -> Result<&Frozen> {
        self.frozen.get(index.name).with_context(|| format!("{} is not frozen", index.name))
    }

    /// The current generation of an index, and where it lies.
    fn places(&self, name: &str) -> Result<Places<'_>> {
        let index = self.indexes.iter().find(|index| index.name == name);
        let index = index.with_context(|| format!("there is no index {name}"))?;
        Ok(Places {
            index,
            table: index.table_of(&self.tables)?,
            stored: self.store.index(index)?,
            frozen: self.frozen(index)?,
            fields: index.places_of(first_generation(name)?)?,
        })
    }

    /// Asks a question that one range answers.
    pub(crate) fn ask(&self, query: &Query, progress: &mut Progress) -> Result<Section> {
        let section = check::section(query, &self.places(query.index)?, &self.sqlite, progress);
        section.with_context(|| format!("asking {:?}", query.name))
    }

    /// Asks a question that is a predicate.
    pub(crate) fn ask_predicate(&self, question: &Question, progress: &mut Progress) -> Result<Section> {
        progress.at(format_args!("{}", question.name));
        let section = check::question(question, &self.places(question.index)?, &self.sqlite);
        section.with_context(|| format!("asking {:?}", question.name))
    }

    /// Asks for distinct values.
    pub(crate) fn ask_distinct(&self, question: &Distinct, progress: &mut Progress) -> Result<Section> {
        progress.at(format_args!("{}", question.name));
        let section = distinct::section(question, &self.places(question.index)?, &self.sqlite);
        section.with_context(|| format!("asking {:?}", question.name))
    }

    /// Looks up each name under the collation of an index.
    pub(crate) fn ask_names(&self, index: &Index) -> Result<Section> {
        names::section(&self.places(index.name)?, &self.sqlite)
    }

    /// Pages through the rows of a question under a snapshot, in a store of its own: others write to it.
    /// Says what they wrote.
    pub(crate) fn page(&self, query: &Query, progress: &mut Progress) -> Result<(Section, String)> {
        let places = self.places(query.index)?;
        let path = self.path.with_file_name(format!("paged-{}", query.index));
        store::write(&path, &[*places.index], &self.tables)?;
        let store = Store::open(&path, &[*places.index])?;
        let places = Places { stored: store.index(places.index)?, ..places };
        let section = cursors::section(query, &places, &store.db().snapshot(), &self.sqlite, progress);
        let (section, writes) = section.with_context(|| format!("paging through {:?}", query.name))?;
        Ok((section, writes.check()?))
    }

    /// Re-keys indexes to their next generations, opens the store again under those, and freezes it anew.
    pub(crate) fn rekey(
        self,
        targets: &[(Index, &[Stop])],
        each: &mut dyn FnMut(&Rekeyed) -> Result<()>,
        progress: &mut Progress,
    ) -> Result<(Self, Vec<Rekeyed>)> {
        let Demo { path, tables, mut indexes, store, frozen, sqlite } = self;
        drop((store, frozen));
        let mut done = Vec::new();
        for (target, stops) in targets {
            progress.at(format_args!("re-keying {}", target.name));
            let table = target.table_of(&tables)?;
            let source = indexes.iter_mut().find(|index| index.name == target.name).context("there is no source")?;
            let rekeyed = rekeyed::rekey(&path, source, target, table, stops);
            let rekeyed = rekeyed.with_context(|| format!("re-keying {}", target.name))?;
            each(&rekeyed)?;
            *source = *target;
            done.push(rekeyed);
        }
        Ok((Self::open(path, tables, indexes, sqlite, progress)?, done))
    }
}

#[cfg(test)]
mod tests {
    use std::ops::Bound::Excluded;
    use std::ops::Bound::Included;

    use isotone::Predicate as P;
    use isotone::Value::I64;
    use isotone::Value::U8;

    use super::*;
    use crate::hand;
    use crate::queries;
    use crate::queries::Condition;

    #[test]
    fn a_wrong_bound_is_found() {
        let right = *queries::all().find(|query| query.name == "time interval [-2, 4)").unwrap();
        let by_hand = Query { hand: hand::whole_seconds, ..right };
        let ours = Query { condition: Condition::Between(Included(I64(-2)), Included(I64(4))), ..right };
        let scan = Query { keep: |_| false, ..right };
        let sql = Query { sql: "TRUE", ..right };
        let order = Query { condition: Condition::Between(Included(I64(-3)), Excluded(I64(3))), ..right };
        let wanted = Query { wanted: P::lt(3, I64(4)), ..right };
        // Full scan, hand bounds, isotone, pages forward, predicate, and on fjall pages and predicate back.
        let asked = [(right, 0), (by_hand, 2), (ours, 5), (scan, 2), (sql, 12), (order, 5), (wanted, 3)];

        let dir = tempfile::tempdir().unwrap();
        let mut progress = Progress::start();
        let demo = Demo::build(dir.path(), &mut progress).unwrap();
        for (i, (query, disagreements)) in asked.iter().enumerate() {
            let section = demo.ask(query, &mut progress).unwrap();
            assert_eq!(section.lines.len(), 13);
            assert_eq!(section.disagreements(), *disagreements, "question {i}:\n{section}");
        }
    }

    #[test]
    fn a_wrong_predicate_is_found() {
        let right = *queries::predicates().find(|question| question.name == "IN lists").unwrap();
        let wanted = Question { wanted: P::eq(2, U8(3)), ..right };
        let scan = Question { keep: |_| false, ..right };
        let sql = Question { sql: "FALSE", ..right };
        let dir = tempfile::tempdir().unwrap();
        let mut progress = Progress::start();
        let demo = Demo::build(dir.path(), &mut progress).unwrap();
        for (question, disagreements) in [(right, 0), (wanted, 3), (scan, 2), (sql, 5)] {
            let section = demo.ask_predicate(&question, &mut progress).unwrap();
            assert_eq!(section.disagreements(), disagreements, "{section}");
        }
    }
}
