//! The table that the demo prints, and the same as JSON.

use std::fmt;
use std::time::Duration;
use std::time::Instant;

use anyhow::Result;
use isotone::IndexContract;
use serde_json::Value as Json;
use serde_json::json;

use crate::scan::Walk;
use crate::table::Index;
use crate::table::Table;

/// The rows that an answer must have.
pub(crate) struct Reference<'t> {
    /// Their ids, in order.
    pub(crate) rows: Vec<u64>,
    pub(crate) table: &'t Table,
}

/// What one way of answering a question came to.
pub(crate) struct Line {
    engine: &'static str,
    path: &'static str,
    /// Rows and bytes that the engine returned; not known of SQLite.
    returned: Option<(usize, usize)>,
    /// Ids of the rows of the answer.
    answer: Vec<u64>,
    /// Over those rows of the answer.
    sha256: [u8; 32],
    verdict: Verdict,
}

enum Verdict {
    /// What the others are held against.
    Reference,
    Agrees,
    Differs(String),
}

impl Line {
    pub(crate) fn reference(reference: &Reference<'_>) -> Self {
        Line {
            engine: "SQLite",
            path: "its own sort",
            returned: None,
            answer: reference.rows.clone(),
            sha256: reference.table.digest(&reference.rows),
            verdict: Verdict::Reference,
        }
    }

    /// Holds the rows of a walk against the reference, one by one.
    pub(crate) fn of(engine: &'static str, path: &'static str, walk: &Walk, reference: &Reference<'_>) -> Self {
        let verdict = match difference(&walk.answer, &reference.rows) {
            None => Verdict::Agrees,
            Some(difference) => Verdict::Differs(difference),
        };
        Line {
            engine,
            path,
            returned: Some((walk.rows, walk.bytes)),
            answer: walk.answer.clone(),
            sha256: reference.table.digest(&walk.answer),
            verdict,
        }
    }

    /// One line for two walks that came to the same; that of the one which did not agree; or, where
    /// only the rows that the engine returned are different, a line that says so.
    pub(crate) fn merge(self, other: Line) -> Self {
        if !self.agrees() {
            return self;
        }
        if !other.agrees() || self.returned == other.returned {
            return other;
        }
        let verdict = Verdict::Differs(format!("{:?} before, of rows and bytes returned", self.returned));
        Line { verdict, ..other }
    }

    /// Says of which pages a difference is.
    pub(crate) fn with_page_size(mut self, size: usize) -> Self {
        if let Verdict::Differs(difference) = &mut self.verdict {
            difference.push_str(&format!(" (pages of {size})"));
        }
        self
    }

    pub(crate) fn path(&self) -> &'static str {
        self.path
    }

    fn to_json(&self) -> Json {
        json!({
            "engine": self.engine,
            "path": self.path,
            "returned": self.returned.map(|(rows, bytes)| json!({ "rows": rows, "bytes": bytes })),
            "rows": self.answer.len(),
            "sha256": hex(&self.sha256),
            "agrees": self.agrees(),
            "first_difference": match &self.verdict {
                Verdict::Differs(difference) => Some(difference),
                _ => None,
            },
        })
    }

    pub(crate) fn agrees(&self) -> bool {
        !matches!(self.verdict, Verdict::Differs(_))
    }
}

/// Where two answers differ first.
fn difference(found: &[u64], expected: &[u64]) -> Option<String> {
    let same = found.iter().zip(expected).take_while(|(a, b)| a == b).count();
    match (found.get(same), expected.get(same)) {
        (None, None) => None,
        (Some(found), Some(expected)) => Some(format!("answer row {same} is row {found}, not {expected}")),
        (Some(found), None) => Some(format!("answer row {same}, row {found}, is too many")),
        (None, Some(expected)) => Some(format!("answer row {same}, row {expected}, is missing")),
    }
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A contract as its bytes, and as what they say.
pub(crate) fn contract_json(index: &Index) -> Result<Json> {
    let bytes = index.contract()?;
    let contract = IndexContract::from_bytes(&bytes)?;
    let fields = contract.field_ids().zip(contract.key_spec().kinds());
    let fields = fields.map(|(id, (kind, order))| {
        json!({ "id": String::from_utf8_lossy(id), "kind": format!("{kind:?}"), "order": format!("{order:?}") })
    });
    Ok(json!({
        "hex": hex(&bytes),
        "index": String::from_utf8_lossy(contract.id()),
        "generation": contract.generation(),
        "fields": fields.collect::<Vec<_>>(),
        "order_by": index.order_by,
        "shards": index.shards.map(|shards| shards.count()),
    }))
}

/// One question and all its answers.
pub(crate) struct Section {
    index: &'static str,
    generation: u64,
    title: &'static str,
    sql: &'static str,
    range: String,
    pub(crate) lines: Vec<Line>,
}

impl Section {
    pub(crate) fn new(index: &Index, title: &'static str, sql: &'static str, range: String, lines: Vec<Line>) -> Self {
        Section { index: index.name, generation: index.generation, title, sql, range, lines }
    }

    /// Ids of the rows that a path found, from the least to the greatest.
    pub(crate) fn rows_of(&self, path: &str) -> Option<Vec<u64>> {
        let mut rows = self.lines.iter().find(|line| line.path == path)?.answer.clone();
        rows.sort_unstable();
        Some(rows)
    }

    pub(crate) fn title(&self) -> &'static str {
        self.title
    }

    pub(crate) fn to_json(&self) -> Json {
        json!({
            "index": self.index,
            "generation": self.generation,
            "question": self.title,
            "sql": self.sql,
            "range": self.range,
            "answers": self.lines.iter().map(Line::to_json).collect::<Vec<_>>(),
        })
    }

    pub(crate) fn disagreements(&self) -> usize {
        self.lines.iter().filter(|line| !line.agrees()).count()
    }
}

impl fmt::Display for Section {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Section { index, generation, title, sql, range, .. } = self;
        writeln!(f, "{index}@{generation}: {title}\n  {sql}\n  {range}")?;
        writeln!(f, "  engine  path          rows returned  key+value bytes  answer rows  agrees")?;
        self.lines.iter().try_for_each(|line| writeln!(f, "  {line}"))
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:6}  {:12}", self.engine, self.path)?;
        match self.returned {
            Some((rows, bytes)) => write!(f, "  {rows:13}  {bytes:15}")?,
            None => write!(f, "  {:>13}  {:>15}", "-", "-")?,
        }
        write!(f, "  {:11}  ", self.answer.len())?;
        match &self.verdict {
            Verdict::Reference => f.write_str("(reference)"),
            Verdict::Agrees => f.write_str("yes"),
            Verdict::Differs(difference) => write!(f, "NO: {difference}"),
        }
    }
}

/// Says on stderr what is going on, once a second, when it takes longer than that.
pub(crate) struct Progress {
    start: Instant,
    told: Instant,
}

impl Progress {
    pub(crate) fn start() -> Self {
        let now = Instant::now();
        Progress { start: now, told: now }
    }

    pub(crate) fn at(&mut self, what: fmt::Arguments<'_>) {
        if self.told.elapsed() > Duration::from_secs(1) {
            self.told = Instant::now();
            eprintln!("{:.0?}: {what}", self.start.elapsed());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static TABLE: Table = Table { name: "it", columns: "", rows: vec![] };

    fn reference(rows: &[u64]) -> Reference<'static> {
        Reference { rows: rows.to_vec(), table: &TABLE }
    }

    fn walk(answer: &[u64]) -> Walk {
        Walk { rows: answer.len(), bytes: 10, answer: answer.to_vec(), last: vec![] }
    }

    #[test]
    fn every_kind_of_difference_is_found() {
        for (found, said) in [
            (&[4, 5, 6][..], None),
            (&[4, 6, 5], Some("answer row 1 is row 6, not 5")),
            (&[4, 5], Some("answer row 2, row 6, is missing")),
            (&[4, 5, 6, 6], Some("answer row 3, row 6, is too many")),
            (&[], Some("answer row 0, row 4, is missing")),
        ] {
            let line = Line::of("it", "a path", &walk(found), &reference(&[4, 5, 6]));
            assert_eq!(line.agrees(), said.is_none());
            assert!(line.to_string().ends_with(said.unwrap_or("yes")), "{line}");
        }
    }

    #[test]
    fn merging_keeps_what_differs() {
        let of = |answer: &[u64]| Line::of("it", "a path", &walk(answer), &reference(&[1, 2])).with_page_size(7);
        assert!(of(&[1, 2]).merge(of(&[1, 2])).agrees());
        assert!(of(&[1]).merge(of(&[1, 2])).to_string().ends_with("row 2, is missing (pages of 7)"));
        assert!(!of(&[1, 2]).merge(of(&[2])).agrees());
        let more = Walk { rows: 3, ..walk(&[1, 2]) };
        assert!(!of(&[1, 2]).merge(Line::of("it", "a path", &more, &reference(&[1, 2]))).agrees());
    }
}
