//! Loose index scans: one row of each distinct prefix, without reading the others.

use anyhow::Context;
use anyhow::Result;
use isotone::ByteRange;
use isotone::Direction;
use isotone::LooseScan;
use isotone::Seek;

use crate::check::Places;
use crate::report::Line;
use crate::report::Reference;
use crate::report::Section;
use crate::scan::Walk;
use crate::sqlite;
use crate::sqlite::Sqlite;
use crate::stored::Stored;
use crate::stored::entry;

/// One question: the distinct values of an index's first fields.
pub(crate) struct Distinct {
    pub(crate) name: &'static str,
    pub(crate) index: &'static str,
    /// How many fields.
    pub(crate) fields: usize,
}

pub(crate) const QUESTIONS: [Distinct; 4] = [
    Distinct { name: "distinct tenants", index: "readings", fields: 1 },
    Distinct { name: "distinct devices of each tenant", index: "readings", fields: 2 },
    Distinct { name: "distinct kinds of weather at each place", index: "rain", fields: 2 },
    Distinct { name: "distinct gusts at each station, none included", index: "gusts", fields: 2 },
];

/// Counts what the engine is asked.
struct Counted<'s> {
    stored: &'s Stored,
    walk: &'s mut Walk,
}

impl Counted<'_> {
    fn count(&mut self, row: Option<<&Stored as Seek>::Row>) -> Option<<&Stored as Seek>::Row> {
        if let Some((key, value)) = &row {
            self.walk.rows = self.walk.rows.saturating_add(1);
            self.walk.bytes = self.walk.bytes.saturating_add(key.len()).saturating_add(value.len());
        }
        row
    }
}

impl Seek for Counted<'_> {
    type Row = (fjall::UserKey, fjall::UserValue);
    type Error = fjall::Error;

    fn first(&mut self, range: ByteRange<&[u8]>) -> fjall::Result<Option<Self::Row>> {
        let row = self.stored.first(range)?;
        Ok(self.count(row))
    }

    fn last(&mut self, range: ByteRange<&[u8]>) -> fjall::Result<Option<Self::Row>> {
        let row = self.stored.last(range)?;
        Ok(self.count(row))
    }
}

/// Asks for the first row of each distinct prefix and for the last, both ways. What is held against
/// SQLite are the rows by which its window functions say the same; and the distinct values, by their
/// places in what `SELECT DISTINCT` gives.
pub(crate) fn section(question: &Distinct, places: &Places<'_>, sqlite: &Sqlite) -> Result<Section> {
    let &Places { index, table, .. } = places;
    let mut lines = Vec::new();
    for (end, paths) in
        [(Direction::Forward, ["first, fwd", "first, back"]), (Direction::Backward, ["last, fwd", "last, back"])]
    {
        let reference = Reference { rows: sqlite.one_of_each(index, question.fields, end)?, table };
        lines.push(Line::reference(&reference));
        for (direction, path) in [Direction::Forward, Direction::Backward].into_iter().zip(paths) {
            let walk = scan(question, places, end, direction)?.in_order(direction);
            lines.push(Line::of("fjall", path, &walk, &reference));
            if end == Direction::Forward {
                let distinct = sqlite.distinct(index, question.fields)?;
                let found = walk.answer.iter().map(|id| {
                    let values = sqlite::values(index, table.row(*id)?, question.fields)?;
                    let place = distinct.iter().position(|there| *there == values);
                    Ok(place.and_then(|place| u64::try_from(place).ok()).unwrap_or(u64::MAX))
                });
                let walk = Walk { answer: found.collect::<Result<_>>()?, ..walk };
                let reference = Reference { rows: (0..).take(distinct.len()).collect(), table };
                lines.push(Line::of("fjall", "its values", &walk, &reference));
            }
        }
    }
    let range = format!("loose scan of {} of {} rows, {} fields", index.name, table.rows.len(), question.fields);
    let sql = "SELECT DISTINCT; the first and the last row of each PARTITION";
    Ok(Section::new(index, question.name, sql, range, lines))
}

fn scan(question: &Distinct, places: &Places<'_>, end: Direction, direction: Direction) -> Result<Walk> {
    let &Places { index, stored, .. } = places;
    let (mut walk, mut room) = (Walk::default(), [0; 128]);
    let everything = ByteRange::new(&[][..], None);
    let source = Counted { stored, walk: &mut walk };
    let rows = match end {
        Direction::Forward => LooseScan::first_rows(source, index.spec, question.fields, everything, &mut room),
        Direction::Backward => LooseScan::last_rows(source, index.spec, question.fields, everything, &mut room),
    };
    let mut rows = rows.context("beginning a loose scan")?;
    let mut answer = Vec::new();
    while let Some(row) = match direction {
        Direction::Forward => rows.next(),
        Direction::Backward => rows.next_back(),
    } {
        let (key, value) = row.context("seeking the next prefix")?;
        answer.push(entry(&key, &value)?.id);
    }
    Ok(Walk { answer, ..walk })
}
