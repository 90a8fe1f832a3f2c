//! Answers one question in every way, on every engine.

use std::ops::Bound;

use anyhow::Context;
use anyhow::Result;
use isotone::ByteRange;
use isotone::Direction;
use isotone::KeySpec;
use isotone::Predicate;
use isotone::PredicateError;
use isotone::PredicateRanges;
use isotone::RangeRoom;
use isotone::RangeSlot;

use crate::frozen::Frozen;
use crate::paging;
use crate::queries::Arena;
use crate::queries::Query;
use crate::queries::Question;
use crate::report::Line;
use crate::report::Progress;
use crate::report::Reference;
use crate::report::Section;
use crate::scan::EVERYTHING;
use crate::scan::Engine;
use crate::scan::Filter;
use crate::scan::Source;
use crate::sqlite::Sqlite;
use crate::stored::Stored;
use crate::table::Index;
use crate::table::Table;

/// An index, and the places where it lies.
pub(crate) struct Places<'a> {
    pub(crate) index: &'a Index,
    pub(crate) table: &'a Table,
    pub(crate) stored: &'a Stored,
    pub(crate) frozen: &'a Frozen,
    /// Where the fields lie that the questions name.
    pub(crate) fields: Vec<usize>,
}

impl Places<'_> {
    pub(crate) fn source<'s, E>(&'s self, engine: &'s E) -> Source<'s, E> {
        Source { engine, index: self.index, table: self.table, fields: &self.fields }
    }
}

/// Pages of these sizes must all come to the same; the last is one more than the answer has rows.
pub(crate) fn page_sizes(rows: usize) -> [usize; 4] {
    [1, 5, 7, rows.saturating_add(1)]
}

/// One answer, and what it has to be.
struct Check<'a> {
    query: &'a Query,
    range: ByteRange<&'a [u8]>,
    reference: &'a Reference<'a>,
}

/// Asks a question that one range answers.
pub(crate) fn section(query: &Query, places: &Places<'_>, sqlite: &Sqlite, progress: &mut Progress) -> Result<Section> {
    let &Places { index, table, stored, frozen, .. } = places;
    let spec = index.spec;
    let mut room = vec![0; query.range_size(&spec).context("sizing the range")?];
    let range = query.range(&spec, &mut room).context("making the range")?;
    let reference = Reference { rows: sqlite.answer(index, query.sql)?, table };
    let check = Check { query, range, reference: &reference };
    let mut storage = Storage::default();
    let ranges = storage.ranges(&spec, &query.wanted).context("making the predicate's ranges")?;

    let mut lines = vec![Line::reference(&reference)];
    check.on(&places.source(stored), progress, &mut lines)?;
    by_predicate(&places.source(stored), &query.wanted, &ranges, &reference, &mut lines)?;
    check.on(&places.source(frozen), progress, &mut lines)?;
    by_predicate(&places.source(frozen), &query.wanted, &ranges, &reference, &mut lines)?;
    Ok(Section::new(index, query.name, query.sql, format!("{range:?}"), lines))
}

/// Asks a question that is a predicate, of whatever generation of the index.
pub(crate) fn question(question: &Question, places: &Places<'_>, sqlite: &Sqlite) -> Result<Section> {
    let &Places { index, table, stored, frozen, .. } = places;
    let arena = Arena::new();
    let wanted = arena.moved(&question.wanted, &places.fields)?;
    let mut storage = Storage::default();
    let ranges = storage.ranges(&index.spec, &wanted).context("making the predicate's ranges")?;
    let reference = Reference { rows: sqlite.answer(index, question.sql)?, table };

    let keep = Filter::Keep(question.keep);
    let mut lines = vec![Line::reference(&reference)];
    let everything = places.source(stored).read(EVERYTHING, Direction::Forward, usize::MAX, keep)?;
    lines.push(Line::of(Stored::NAME, "full scan", &everything, &reference));
    by_predicate(&places.source(stored), &wanted, &ranges, &reference, &mut lines)?;
    let everything = places.source(frozen).read(EVERYTHING, Direction::Forward, usize::MAX, keep)?;
    lines.push(Line::of(Frozen::NAME, "full scan", &everything, &reference));
    by_predicate(&places.source(frozen), &wanted, &ranges, &reference, &mut lines)?;
    Ok(Section::new(index, question.name, question.sql, describe(&ranges, index), lines))
}

/// Reads the ranges of a predicate, and filters where they are not exact.
fn by_predicate<E: Engine>(
    source: &Source<'_, E>,
    wanted: &Predicate<'_>,
    ranges: &PredicateRanges<'_>,
    reference: &Reference<'_>,
    lines: &mut Vec<Line>,
) -> Result<()> {
    let filter = if ranges.is_exact() { Filter::All } else { Filter::Predicate(wanted) };
    let walk = source.read_list(ranges.list(), Direction::Forward, filter)?;
    lines.push(Line::of(E::NAME, "pred. fwd", &walk, reference));
    if E::BACKWARD {
        let walk = source.read_list(ranges.list(), Direction::Backward, filter)?.in_order(Direction::Backward);
        lines.push(Line::of(E::NAME, "pred. back", &walk, reference));
    }
    Ok(())
}

/// Says how many ranges there are, which is the first, and what is left to filter by.
fn describe(ranges: &PredicateRanges<'_>, index: &Index) -> String {
    let count = match ranges.len() {
        1 => "1 range".to_owned(),
        n => format!("{n} ranges"),
    };
    let first = ranges.get(0).map_or(String::new(), |range| format!(", the first {range:?}"));
    let left: Vec<_> = ranges.left().filter_map(|field| index.fields.get(field).copied()).collect();
    let left = if ranges.is_exact() { "exact".to_owned() } else { format!("to be filtered by {}", left.join(", ")) };
    format!("{count}, {left}{first}")
}

/// What a predicate's ranges are written into.
#[derive(Default)]
struct Storage {
    slots: Vec<RangeSlot>,
    bytes: Vec<u8>,
}

impl Storage {
    /// Lends a little, and as much as is needed when that is too little.
    fn ranges(&mut self, spec: &KeySpec<'_>, wanted: &Predicate<'_>) -> Result<PredicateRanges<'_>> {
        self.slots.resize(64, RangeSlot::NEW);
        self.bytes.resize(4096, 0);
        match spec.ranges(wanted, RangeRoom::new(&mut self.slots, &mut self.bytes)) {
            Ok(_) => {}
            Err(PredicateError::Storage(short)) => {
                self.slots.resize(short.slots, RangeSlot::NEW);
                self.bytes.resize(short.bytes, 0);
            }
            Err(error) => return Err(error.into()),
        }
        Ok(spec.ranges(wanted, RangeRoom::new(&mut self.slots, &mut self.bytes))?)
    }
}

impl Check<'_> {
    fn on<E: Engine>(&self, source: &Source<'_, E>, progress: &mut Progress, lines: &mut Vec<Line>) -> Result<()> {
        let Check { query, range, reference } = *self;
        let (keep, residual) = (Filter::Keep(query.keep), Filter::Keep(query.residual));
        let everything = source.read(EVERYTHING, Direction::Forward, usize::MAX, keep)?;
        lines.push(Line::of(E::NAME, "full scan", &everything, reference));

        let (start, end) = (query.hand)();
        let by_hand = (as_slice(&start), as_slice(&end));
        let by_hand = source.read(by_hand, Direction::Forward, usize::MAX, residual)?;
        lines.push(Line::of(E::NAME, "hand bounds", &by_hand, reference));

        let ours = source.read(range.slices(), Direction::Forward, usize::MAX, residual)?;
        lines.push(Line::of(E::NAME, "isotone", &ours, reference));

        lines.push(self.pages(source, "pages fwd", Direction::Forward, progress)?);
        if E::BACKWARD {
            lines.push(self.pages(source, "pages back", Direction::Backward, progress)?);
        }
        Ok(())
    }

    /// Walks the range in pages of several sizes, each of which must come to the same.
    fn pages<E: Engine>(
        &self,
        source: &Source<'_, E>,
        path: &'static str,
        direction: Direction,
        progress: &mut Progress,
    ) -> Result<Line> {
        let Check { query, range, reference } = self;
        let mut lines: Option<Line> = None;
        for size in page_sizes(reference.rows.len()) {
            progress.at(format_args!("{}, {}, {path} by {size}", query.name, E::NAME));
            let walk = paging::walk(source, range, direction, size, Filter::Keep(query.residual));
            let walk = walk.with_context(|| format!("{path} by {size} on {}", E::NAME))?.in_order(direction);
            let line = Line::of(E::NAME, path, &walk, reference).with_page_size(size);
            lines = Some(match lines {
                Some(before) => before.merge(line),
                None => line,
            });
        }
        lines.context("there are no page sizes")
    }
}

fn as_slice(bound: &Bound<Vec<u8>>) -> Bound<&[u8]> {
    bound.as_ref().map(Vec::as_slice)
}
