//! The same keys in an fst: a read-only index, one file each, with the row's id as its value.

use std::fs;
use std::fs::File;
use std::io::BufWriter;
use std::io::Write;
use std::ops::Bound;
use std::ops::ControlFlow;
use std::ops::RangeBounds;
use std::path::Path;

use anyhow::Context;
use anyhow::Result;
use anyhow::bail;
use fst::IntoStreamer;
use fst::Map;
use fst::MapBuilder;
use fst::Streamer;
use isotone::Direction;

use crate::scan::EVERYTHING;
use crate::scan::Engine;
use crate::scan::Entry;

/// An index, loaded from its file.
pub(crate) struct Frozen(Map<Vec<u8>>);

/// Freezes all that `engine` holds into a file. The fst itself insists that keys come in order.
pub(crate) fn save(path: &Path, engine: &impl Engine) -> Result<()> {
    let mut builder = MapBuilder::new(BufWriter::new(File::create(path)?))?;
    engine.scan(EVERYTHING, Direction::Forward, |entry| {
        builder.insert(entry.key, entry.id)?;
        Ok(ControlFlow::Continue(()))
    })?;
    builder.into_inner()?.flush().with_context(|| format!("saving {}", path.display()))
}

impl Frozen {
    /// Loads a file and checks that it is whole.
    pub(crate) fn load(path: &Path) -> Result<Self> {
        let map = Map::new(fs::read(path)?).with_context(|| format!("loading {}", path.display()))?;
        map.as_fst().verify()?;
        Ok(Frozen(map))
    }

    /// Number of keys.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Size of the file in bytes.
    pub(crate) fn size(&self) -> usize {
        self.0.as_fst().size()
    }
}

impl Engine for Frozen {
    const NAME: &'static str = "fst";
    const BACKWARD: bool = false;

    fn scan<'k>(
        &self,
        range: impl RangeBounds<&'k [u8]>,
        direction: Direction,
        mut each: impl FnMut(Entry<'_>) -> Result<ControlFlow<()>>,
    ) -> Result<()> {
        if direction == Direction::Backward {
            bail!("an fst is read forward only");
        }
        let stream = self.0.range();
        let stream = match range.start_bound() {
            Bound::Included(key) => stream.ge(key),
            Bound::Excluded(key) => stream.gt(key),
            Bound::Unbounded => stream,
        };
        let stream = match range.end_bound() {
            Bound::Included(key) => stream.le(key),
            Bound::Excluded(key) => stream.lt(key),
            Bound::Unbounded => stream,
        };
        let mut stream = stream.into_stream();
        while let Some((key, id)) = stream.next() {
            if each(Entry { key, id, payload: None, value_len: size_of_val(&id) })?.is_break() {
                break;
            }
        }
        Ok(())
    }
}
