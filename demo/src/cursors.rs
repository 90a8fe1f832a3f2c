//! Pages by cursor tokens under a snapshot, while other writes go on in the same keyspace: before each
//! page its first row is removed from the index, and behind each page a row is written.

use std::collections::BTreeMap;

use anyhow::Context;
use anyhow::Result;
use anyhow::bail;
use anyhow::ensure;
use fjall::Snapshot;
use isotone::ByteRange;
use isotone::Date;
use isotone::Direction;
use isotone::IndexContract;
use isotone::Page;
use isotone::PageScope;
use isotone::Timestamp;
use isotone::Value;

use crate::check::Places;
use crate::check::page_sizes;
use crate::queries::Query;
use crate::report::Line;
use crate::report::Progress;
use crate::report::Reference;
use crate::report::Section;
use crate::scan::EVERYTHING;
use crate::scan::Filter;
use crate::scan::Source;
use crate::scan::Walk;
use crate::sqlite::Sqlite;
use crate::store;
use crate::stored::Stored;
use crate::table::Index;

/// What seals the tokens that leave the service.
pub(crate) const SECRET: &[u8] = b"the demo's own secret";

/// How a token is made.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Plain,
    Sealed,
}

impl Form {
    pub(crate) fn issue(self, scope: &PageScope<'_>, last: &[u8]) -> Result<Vec<u8>> {
        let mut room = vec![0; PageScope::token_size(last.len())];
        let page = match self {
            Form::Plain => scope.issue(last, &mut room)?,
            Form::Sealed => scope.issue_sealed(SECRET, last, &mut room)?,
        };
        let Page::At(token) = page else { bail!("no token was issued") };
        Ok(token.to_vec())
    }

    pub(crate) fn resume<'t>(self, scope: &PageScope<'t>, page: Page<'t>) -> Result<ByteRange<&'t [u8]>> {
        Ok(match self {
            Form::Plain => scope.resume(page)?,
            Form::Sealed => scope.resume_sealed(SECRET, page)?,
        })
    }
}

/// The id of a snapshot, as tokens have it.
pub(crate) fn id(snapshot: &Snapshot) -> [u8; 8] {
    snapshot.seqno().to_be_bytes()
}

/// Pages through the rows of a question, both ways, in both forms of token. All pages must see the rows
/// as they were before the first write. Says what was written in the meantime.
pub(crate) fn section(
    query: &Query,
    places: &Places<'_>,
    snapshot: &Snapshot,
    sqlite: &Sqlite,
    progress: &mut Progress,
) -> Result<(Section, Writes)> {
    let &Places { index, table, .. } = places;
    let mut room = vec![0; query.range_size(&index.spec).context("sizing the range")?];
    let range = query.range(&index.spec, &mut room).context("making the range")?;
    let reference = Reference { rows: sqlite.answer(index, query.sql)?, table };
    let contract = index.contract()?;
    let contract = IndexContract::from_bytes(&contract)?;

    let stored = places.stored.at(snapshot);
    let source = places.source(&stored);
    let filter = Filter::Keep(query.residual);
    let mut writes = Writes::new(index, places.stored, &stored)?;
    let mut lines = vec![Line::reference(&reference)];
    for (path, form, direction) in [
        ("plain fwd", Form::Plain, Direction::Forward),
        ("plain back", Form::Plain, Direction::Backward),
        ("sealed fwd", Form::Sealed, Direction::Forward),
        ("sealed back", Form::Sealed, Direction::Backward),
    ] {
        let scope = PageScope::new(contract, &id(snapshot), range, direction);
        for size in page_sizes(reference.rows.len()) {
            progress.at(format_args!("{}, {path} by {size}", query.name));
            let walk = walk(&source, &scope, form, direction, size, filter, &mut writes);
            let walk = walk.with_context(|| format!("{path} by {size}"))?.in_order(direction);
            let line = Line::of("fjall", path, &walk, &reference).with_page_size(size);
            match lines.pop_if(|line| line.path() == path) {
                Some(before) => lines.push(before.merge(line)),
                None => lines.push(line),
            }
        }
    }
    let range = format!("{range:?}, snapshot {}", snapshot.seqno());
    Ok((Section::new(index, query.name, query.sql, range, lines), writes))
}

/// All pages of `size` rows, one after another. Nothing is kept between two of them but the token.
fn walk(
    source: &Source<'_, Stored>,
    scope: &PageScope<'_>,
    form: Form,
    direction: Direction,
    size: usize,
    filter: Filter<'_>,
    writes: &mut Writes,
) -> Result<Walk> {
    let mut whole = Walk::default();
    let mut token: Option<Vec<u8>> = None;
    loop {
        let rest = form.resume(scope, token.as_deref().map_or(Page::Start, Page::At))?;
        writes.remove_first(source.engine, &rest, direction)?;
        let page = source.read(rest.slices(), direction, size, filter)?;
        let found = page.answer.len();
        whole.extend(page);
        // A short page is the last one.
        if found < size {
            ensure!(form.resume(scope, Page::Finished)?.is_empty(), "there are pages behind the last one");
            return Ok(whole);
        }
        ensure!(whole.answer.len() <= source.table.rows.len(), "pages go round and round");
        token = Some(form.issue(scope, &whole.last)?);
        writes.write_beside(&whole.last)?;
    }
}

/// What others write in the meantime, and what the index must hold in the end.
pub(crate) struct Writes {
    index: Index,
    stored: Stored,
    rows: BTreeMap<Vec<u8>, Vec<u8>>,
    inserted: usize,
    updated: usize,
    removed: usize,
}

impl Writes {
    fn new(index: &Index, live: &Stored, snapshot: &Stored) -> Result<Self> {
        let rows = snapshot.rows(EVERYTHING, Direction::Forward);
        let rows = rows.map(|row| row.map(|(key, value)| (key.to_vec(), value.to_vec())));
        let stored = Stored::new(live.keyspace().clone(), None);
        Ok(Writes { index: *index, stored, rows: rows.collect::<Result<_, _>>()?, inserted: 0, updated: 0, removed: 0 })
    }

    /// Removes what the snapshot has next.
    fn remove_first(&mut self, snapshot: &Stored, rest: &ByteRange<&[u8]>, direction: Direction) -> Result<()> {
        let Some(row) = snapshot.rows(rest.slices(), direction).next() else { return Ok(()) };
        let (key, _) = row?;
        self.stored.keyspace().remove(&*key)?;
        self.removed = self.removed.saturating_add(usize::from(self.rows.remove(&*key).is_some()));
        Ok(())
    }

    /// Writes a row whose last field is one more than in `key`.
    fn write_beside(&mut self, key: &[u8]) -> Result<()> {
        let mut room = [Value::Null; 8];
        let values = self.index.spec.decode(key, &mut room)?;
        let mut values = values.to_vec();
        let last = values.last_mut().context("a key without values")?;
        *last = match *last {
            Value::U64(n) => Value::U64(n.saturating_add(1)),
            Value::Date(date) => Date::from_days(date.days().saturating_add(1)).into(),
            Value::Timestamp(hour) => Timestamp::from_micros(hour.micros().saturating_add(1)).into(),
            _ => bail!("a last field that the demo does not know"),
        };
        let mut room = vec![0; self.index.spec.size(&values)?];
        let key = self.index.spec.encode(&values, &mut room)?;
        let value = store::value(u32::MAX, b"written in the meantime");
        self.stored.keyspace().insert(key, &*value)?;
        match self.rows.insert(key.to_vec(), value) {
            Some(_) => self.updated = self.updated.saturating_add(1),
            None => self.inserted = self.inserted.saturating_add(1),
        }
        Ok(())
    }

    /// Says what was written, once the index holds that and nothing else.
    pub(crate) fn check(&self) -> Result<String> {
        let Writes { inserted, updated, removed, .. } = self;
        ensure!(*inserted > 0 && *removed > 0, "nothing was written in the meantime");
        let live = self.stored.rows(EVERYTHING, Direction::Forward);
        let live = live.map(|row| row.map(|(key, value)| (key.to_vec(), value.to_vec())));
        let live: BTreeMap<_, _> = live.collect::<Result<_, _>>()?;
        ensure!(live == self.rows, "{} does not hold what was written in the meantime", self.index.name);
        Ok(format!("in the meantime {inserted} rows inserted, {updated} changed, {removed} removed; no page saw it"))
    }
}
