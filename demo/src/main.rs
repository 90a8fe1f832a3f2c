//! isotone on real engines and real data: builds composite keys, writes them to fjall and to an fst,
//! and asks both a fixed set of questions in several ways. SQLite, which sorts the original values by
//! its own rules, says what the answers are.
//!
//! Prints a table. Ends with an exit code other than 0 unless all answers agree, row by row.

mod check;
mod frozen;
mod hand;
mod noaa;
mod paging;
mod queries;
mod report;
mod scan;
mod sqlite;
mod store;
mod table;
mod telemetry;

use std::collections::HashMap;
use std::io;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use anyhow::Context;
use anyhow::Result;

use crate::check::Places;
use crate::frozen::Frozen;
use crate::queries::Query;
use crate::report::Progress;
use crate::report::Section;
use crate::sqlite::Sqlite;
use crate::store::Store;
use crate::table::Index;
use crate::table::Table;

const INDEXES: [Index; 5] = [telemetry::READINGS, noaa::DAYS, noaa::RAIN, noaa::GUSTS, noaa::PRESSURES];

fn main() -> Result<ExitCode> {
    let dir = tempfile::Builder::new().prefix("isotone-demo-").tempdir().context("making a temporary directory")?;
    let disagreements = run(dir.path(), queries::all(), &mut io::stdout().lock())?;
    dir.close().context("removing the temporary directory")?;
    Ok(if disagreements == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Builds everything in `dir`, asks all questions, and prints to `out`. Gives the number of answers
/// that disagree.
fn run<'q>(dir: &Path, queries: impl Iterator<Item = &'q Query>, out: &mut impl Write) -> Result<usize> {
    let mut progress = Progress::start();
    let demo = Demo::build(dir, &mut progress)?;
    writeln!(out, "index           keys  fst bytes  layout")?;
    for index in &INDEXES {
        let frozen = demo.frozen(index)?;
        writeln!(out, "{:12} {:7}  {:9}  {:?}", index.name, frozen.len(), frozen.size(), index.spec)?;
    }

    let (mut asked, mut answers, mut disagreements) = (0usize, 0usize, 0usize);
    for query in queries {
        let section = demo.ask(query, &mut progress).with_context(|| format!("asking {:?}", query.name))?;
        write!(out, "\n{section}")?;
        asked = asked.saturating_add(1);
        answers = answers.saturating_add(section.lines.len());
        disagreements = disagreements.saturating_add(section.disagreements());
    }
    match disagreements {
        0 => writeln!(out, "\n{asked} questions, {answers} answers: all agree")?,
        _ => writeln!(out, "\n{asked} questions, {answers} answers: {disagreements} DISAGREE")?,
    }
    Ok(disagreements)
}

/// The data, everywhere it is.
struct Demo {
    tables: [Table; 3],
    store: Store,
    /// By the names of their indexes.
    frozen: HashMap<&'static str, Frozen>,
    sqlite: Sqlite,
}

impl Demo {
    fn build(dir: &Path, progress: &mut Progress) -> Result<Self> {
        let tables = [telemetry::readings()?, noaa::daily()?, noaa::hourly()?];
        let path = dir.join("fjall");
        progress.at(format_args!("writing to fjall"));
        store::write(&path, &INDEXES, &tables)?;
        let store = Store::open(&path, &INDEXES)?;

        let mut frozen = HashMap::new();
        for index in &INDEXES {
            progress.at(format_args!("freezing {}", index.name));
            let path = dir.join(index.name).with_extension("fst");
            frozen::save(&path, store.index(index)?)?;
            frozen.insert(index.name, Frozen::load(&path)?);
        }

        progress.at(format_args!("loading SQLite"));
        let sqlite = Sqlite::load(&tables)?;
        Ok(Demo { tables, store, frozen, sqlite })
    }

    fn frozen(&self, index: &Index) -> Result<&Frozen> {
        self.frozen.get(index.name).with_context(|| format!("{} is not frozen", index.name))
    }

    fn ask(&self, query: &Query, progress: &mut Progress) -> Result<Section> {
        let index = INDEXES.iter().find(|index| index.name == query.index);
        let index = index.with_context(|| format!("there is no index {}", query.index))?;
        let table = index.table_of(&self.tables)?;
        let places = Places { index, table, stored: self.store.index(index)?, frozen: self.frozen(index)? };
        check::section(query, &places, &self.sqlite, progress)
    }
}

#[cfg(test)]
mod tests {
    use std::ops::Bound::Excluded;
    use std::ops::Bound::Included;

    use isotone::Value::I64;

    use super::*;
    use crate::queries::Condition;

    #[test]
    fn a_wrong_bound_is_found() {
        let right = *queries::all().find(|query| query.name == "time interval [-2, 4)").unwrap();
        let by_hand = Query { hand: hand::whole_seconds, ..right };
        let ours = Query { condition: Condition::Between(Included(I64(-2)), Included(I64(4))), ..right };
        let scan = Query { keep: |_| false, ..right };
        let sql = Query { sql: "TRUE", ..right };
        let order = Query { condition: Condition::Between(Included(I64(-3)), Excluded(I64(3))), ..right };
        // Full scan, hand bounds, isotone, pages forward, and on fjall pages back too.
        let asked = [(right, 0), (by_hand, 2), (ours, 5), (scan, 2), (sql, 9), (order, 5)];

        let dir = tempfile::tempdir().unwrap();
        let mut progress = Progress::start();
        let demo = Demo::build(dir.path(), &mut progress).unwrap();
        for (i, (query, disagreements)) in asked.iter().enumerate() {
            let section = demo.ask(query, &mut progress).unwrap();
            assert_eq!(section.lines.len(), 10);
            assert_eq!(section.disagreements(), *disagreements, "question {i}:\n{section}");
        }
    }
}
