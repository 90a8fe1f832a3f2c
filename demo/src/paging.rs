//! Reads a range page by page, as a service does that keeps nothing between pages but the last key.

use anyhow::Context;
use anyhow::Result;
use anyhow::ensure;
use isotone::ByteRange;
use isotone::Direction;

use crate::scan::Engine;
use crate::scan::Filter;
use crate::scan::Source;
use crate::scan::Walk;

/// All pages of `size` rows, one after another. Backward pages begin at the range's end; their rows
/// come out in the order they were read.
pub(crate) fn walk<E: Engine>(
    source: &Source<'_, E>,
    range: &ByteRange<&[u8]>,
    direction: Direction,
    size: usize,
    filter: Filter<'_>,
) -> Result<Walk> {
    let spec = source.index.spec;
    let mut whole = Walk::default();
    let mut cursor: Option<Vec<u8>> = None;
    loop {
        let rest = match (&cursor, direction) {
            (None, _) => *range,
            (Some(key), Direction::Forward) => spec.resume_after(range, key).context("resuming after a key")?,
            (Some(key), Direction::Backward) => spec.resume_before(range, key).context("resuming before a key")?,
        };
        let page = source.read(rest.slices(), direction, size, filter)?;
        let found = page.answer.len();
        whole.extend(page);
        // A short page is the last one.
        if found < size {
            return Ok(whole);
        }
        ensure!(whole.answer.len() <= source.table.rows.len(), "pages go round and round");
        cursor = Some(whole.last.clone());
    }
}
