//! Counts rows file by file, keeps the first faults of each, and tells it all in one table.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::panic::AssertUnwindSafe;
use std::panic::catch_unwind;

use crate::vectors_support::folder::Folder;

/// How many faults of a file are told in full.
const TOLD: usize = 12;

/// What a row came to, when nothing is wrong with it.
pub(crate) enum Verdict {
    /// It was checked and agrees.
    Checked,
    /// It is of a kind that the library or the test does not know.
    NotKnown,
    /// It agrees only under a difference that is documented; counted under this name.
    Apart(String),
}

/// A verdict, or what is wrong with the row.
pub(crate) type Outcome = Result<Verdict, String>;

/// The rows of one file.
pub(crate) struct Sheet {
    name: String,
    checked: usize,
    not_known: usize,
    apart: BTreeMap<String, usize>,
    faults: usize,
    told: Vec<String>,
    note: String,
}

impl Sheet {
    /// An empty sheet for `set/file`.
    pub(crate) fn new(name: impl Into<String>) -> Self {
        Sheet {
            name: name.into(),
            checked: 0,
            not_known: 0,
            apart: BTreeMap::new(),
            faults: 0,
            told: Vec::new(),
            note: String::new(),
        }
    }

    /// Counts a row. A panic inside is a fault of the row.
    pub(crate) fn row(&mut self, line: usize, check: impl FnOnce() -> Outcome) {
        let outcome = catch_unwind(AssertUnwindSafe(check)).unwrap_or_else(|panic| {
            let said = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
            Err(format!("panicked: {}", said.unwrap_or("no message")))
        });
        match outcome {
            Ok(Verdict::Checked) => self.checked += 1,
            Ok(Verdict::NotKnown) => self.not_known += 1,
            Ok(Verdict::Apart(name)) => *self.apart.entry(name).or_default() += 1,
            Err(fault) => self.fault(line, &fault),
        }
    }

    /// A row that can't be read gives nothing; one that can is yet to be counted.
    pub(crate) fn read<T>(&mut self, line: usize, read: Result<T, String>) -> Option<T> {
        read.map_err(|why| self.fault(line, &format!("can't be read: {why}"))).ok()
    }

    /// A fault at a line; line 0 is the file as a whole.
    pub(crate) fn fault(&mut self, line: usize, fault: &str) {
        self.faults += 1;
        if self.told.len() < TOLD {
            self.told.push(format!("{}:{line}: {fault}", self.name));
        }
    }

    /// Counts rows that are of no known kind.
    pub(crate) fn not_known(&mut self, rows: usize) {
        self.not_known += rows;
    }

    /// Says something about the file as a whole.
    pub(crate) fn note(&mut self, note: &str) {
        self.note = note.to_owned();
    }

    fn is_untouched(&self) -> bool {
        self.checked + self.not_known + self.faults == 0 && self.apart.is_empty()
    }
}

/// The files of one test.
pub(crate) struct Report {
    title: &'static str,
    /// Of the committed copy no file may be missing or empty.
    complete: bool,
    sheets: Vec<Sheet>,
}

impl Report {
    /// A report on a set in this folder.
    pub(crate) fn new(title: &'static str, folder: &Folder) -> Self {
        Report { title, complete: folder.is_committed(), sheets: Vec::new() }
    }

    /// Takes up a file that was read.
    pub(crate) fn add(&mut self, mut sheet: Sheet) {
        if sheet.is_untouched() && sheet.note.is_empty() {
            sheet.note("no rows");
            if self.complete {
                sheet.fault(0, "the committed file has no rows");
            }
        }
        self.sheets.push(sheet);
    }

    /// Takes up a file that is not there.
    pub(crate) fn absent(&mut self, name: String) {
        let mut sheet = Sheet::new(name);
        sheet.note("absent");
        if self.complete {
            sheet.fault(0, "the committed file is absent");
        }
        self.sheets.push(sheet);
    }

    /// Prints the table, and fails if there is a fault, or a row of no known kind.
    pub(crate) fn finish(self) {
        let faults: usize = self.sheets.iter().map(|s| s.faults).sum();
        let not_known: usize = self.sheets.iter().map(|s| s.not_known).sum();
        // Shown even without `--nocapture` when the test fails.
        println!("{}", self.table());
        if faults > 0 {
            let told: Vec<&str> = self.sheets.iter().flat_map(|s| &s.told).map(String::as_str).collect();
            panic!("{faults} faults, of which:\n{}", told.join("\n"));
        }
        if not_known > 0 {
            panic!("{not_known} rows of kinds that are not known");
        }
    }

    fn table(&self) -> String {
        let width = self.sheets.iter().map(|s| s.name.len()).max().unwrap_or(0).max(24);
        let mut out = format!("\n{:<width$}  {:>7}  {:>9}  {:>6}\n", self.title, "checked", "not known", "faults");
        for s in &self.sheets {
            let line = format!("{:<width$}  {:>7}  {:>9}  {:>6}  {}", s.name, s.checked, s.not_known, s.faults, s.note);
            let _ = writeln!(out, "{}", line.trim_end());
            for (name, n) in &s.apart {
                let _ = writeln!(out, "    and {n} apart: {name}");
            }
        }
        let sum = |of: fn(&Sheet) -> usize| self.sheets.iter().map(of).sum::<usize>();
        let (checked, not_known, faults) = (sum(|s| s.checked), sum(|s| s.not_known), sum(|s| s.faults));
        let _ = write!(out, "{:<width$}  {checked:>7}  {not_known:>9}  {faults:>6}", "together");
        out
    }
}
