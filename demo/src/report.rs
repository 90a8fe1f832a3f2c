//! The table that the demo prints.

use std::fmt;
use std::time::Duration;
use std::time::Instant;

use crate::scan::Walk;

/// What one way of answering a question came to.
pub(crate) struct Line {
    engine: &'static str,
    path: &'static str,
    /// Rows and bytes that the engine returned; not known of SQLite.
    returned: Option<(usize, usize)>,
    answer: usize,
    verdict: Verdict,
}

enum Verdict {
    /// What the others are held against.
    Reference,
    Agrees,
    Differs(String),
}

impl Line {
    pub(crate) fn reference(answer: &[u64]) -> Self {
        Line {
            engine: "SQLite",
            path: "its own sort",
            returned: None,
            answer: answer.len(),
            verdict: Verdict::Reference,
        }
    }

    /// Holds the rows of a walk against the reference, one by one.
    pub(crate) fn of(engine: &'static str, path: &'static str, walk: &Walk, reference: &[u64]) -> Self {
        let verdict = match difference(&walk.answer, reference) {
            None => Verdict::Agrees,
            Some(difference) => Verdict::Differs(difference),
        };
        Line { engine, path, returned: Some((walk.rows, walk.bytes)), answer: walk.answer.len(), verdict }
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

/// One question and all its answers.
pub(crate) struct Section {
    pub(crate) title: String,
    pub(crate) sql: &'static str,
    pub(crate) range: String,
    pub(crate) lines: Vec<Line>,
}

impl Section {
    pub(crate) fn disagreements(&self) -> usize {
        self.lines.iter().filter(|line| !line.agrees()).count()
    }
}

impl fmt::Display for Section {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}\n  {}\n  {}", self.title, self.sql, self.range)?;
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
        write!(f, "  {:11}  ", self.answer)?;
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
            let line = Line::of("it", "a path", &walk(found), &[4, 5, 6]);
            assert_eq!(line.agrees(), said.is_none());
            assert!(line.to_string().ends_with(said.unwrap_or("yes")), "{line}");
        }
    }

    #[test]
    fn merging_keeps_what_differs() {
        let of = |answer: &[u64]| Line::of("it", "a path", &walk(answer), &[1, 2]).with_page_size(7);
        assert!(of(&[1, 2]).merge(of(&[1, 2])).agrees());
        assert!(of(&[1]).merge(of(&[1, 2])).to_string().ends_with("row 2, is missing (pages of 7)"));
        assert!(!of(&[1, 2]).merge(of(&[2])).agrees());
        let more = Walk { rows: 3, ..walk(&[1, 2]) };
        assert!(!of(&[1, 2]).merge(Line::of("it", "a path", &more, &[1, 2])).agrees());
    }
}
