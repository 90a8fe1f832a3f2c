//! Answers one question in every way, on every engine.

use std::ops::Bound;

use anyhow::Context;
use anyhow::Result;
use isotone::ByteRange;

use crate::frozen::Frozen;
use crate::paging;
use crate::queries::Query;
use crate::report::Line;
use crate::report::Progress;
use crate::report::Section;
use crate::scan::Direction;
use crate::scan::EVERYTHING;
use crate::scan::Engine;
use crate::scan::Source;
use crate::sqlite::Sqlite;
use crate::store::Stored;
use crate::table::Index;
use crate::table::Table;

/// An index, and the places where it lies.
pub(crate) struct Places<'a> {
    pub(crate) index: &'a Index,
    pub(crate) table: &'a Table,
    pub(crate) stored: &'a Stored,
    pub(crate) frozen: &'a Frozen,
}

/// One answer, and what it has to be.
struct Check<'a> {
    query: &'a Query,
    range: ByteRange<&'a [u8]>,
    reference: &'a [u64],
}

pub(crate) fn section(query: &Query, places: &Places<'_>, sqlite: &Sqlite, progress: &mut Progress) -> Result<Section> {
    let &Places { index, table, stored, frozen } = places;
    let spec = index.spec;
    let mut room = vec![0; query.range_size(&spec).context("sizing the range")?];
    let range = query.range(&spec, &mut room).context("making the range")?;
    let reference = sqlite.answer(index, query.sql)?;
    let check = Check { query, range, reference: &reference };

    let mut lines = vec![Line::reference(&reference)];
    check.on(&Source { engine: stored, index, table }, progress, &mut lines)?;
    check.on(&Source { engine: frozen, index, table }, progress, &mut lines)?;
    Ok(Section { title: format!("{}: {}", index.name, query.name), sql: query.sql, range: format!("{range:?}"), lines })
}

impl Check<'_> {
    fn on<E: Engine>(&self, source: &Source<'_, E>, progress: &mut Progress, lines: &mut Vec<Line>) -> Result<()> {
        let Check { query, range, reference } = *self;
        let everything = source.read(EVERYTHING, Direction::Forward, usize::MAX, query.keep)?;
        lines.push(Line::of(E::NAME, "full scan", &everything, reference));

        let (start, end) = (query.hand)();
        let by_hand = (as_slice(&start), as_slice(&end));
        let by_hand = source.read(by_hand, Direction::Forward, usize::MAX, query.residual)?;
        lines.push(Line::of(E::NAME, "hand bounds", &by_hand, reference));

        let ours = source.read(range.slices(), Direction::Forward, usize::MAX, query.residual)?;
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
        for size in [1, 5, 7, reference.len().saturating_add(1)] {
            progress.at(format_args!("{}, {}, {path} by {size}", query.name, E::NAME));
            let walk = paging::walk(source, range, direction, size, query.residual);
            let mut walk = walk.with_context(|| format!("{path} by {size} on {}", E::NAME))?;
            if direction == Direction::Backward {
                walk.answer.reverse();
            }
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
