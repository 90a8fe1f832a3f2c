//! Makes the collated fields of an index again, under other collations or other data.

use crate::builder::Builder;
use crate::codec::text::TextView;
#[cfg(feature = "uca14")]
use crate::collation::Collator;
use crate::collation::Producer;
use crate::collation::icu_key;
use crate::decoder::Decoder;
use crate::error::Error;
use crate::index::contract::IndexContract;
use crate::index::map::KeyMap;
use crate::index::plan::ReindexPlan;
use crate::index::plan::is_movable;
use crate::index::plan::move_field;
use crate::index::plan::moved_len;
use crate::kind::Kind;
use crate::order::FieldOrder;
use crate::raw::view::ByteView;

/// How the keys of an index become keys under other collations: what [`Rekey`](crate::Rekey) copies
/// by after a change of a collation's data. `Copy`, no heap.
///
/// Fields are matched by their ids, as by [`ReindexPlan`], and may change their places, directions
/// and null placements. A field of the same kind is moved. A deterministic field of collated text is
/// made again, from the text behind its image, where the target has another producer, or holds the
/// image alone. The old producer is not needed: an `icu` image ends in its first `00`, whatever the
/// data were. Where the old producer is at hand, old images are checked.
///
/// ```
/// use isotone::collation::{CollationProfile, Collator, Producer};
/// use isotone::{Asc, IndexContract, KeyMap, Recollation, Type, Value, key_spec};
///
/// const fn name(producer: &'static str) -> Type<'static> {
///     Type::Collated { deterministic: true, producer }
/// }
/// const OLD: &str = "uca14;14.0.0;server;root_pad_as_cs";
/// const NEW: &str = "uca14;14.0.0;server;swedish_pad_as_cs";
/// let (old, new) = (key_spec![name(OLD) => Asc], key_spec![name(NEW) => Asc]);
/// let (mut a, mut b) = ([0u8; 128], [0u8; 128]);
/// let source = IndexContract::new(b"people", 1, &old, &[b"name"], &mut a)?;
/// let target = IndexContract::new(b"people", 2, &new, &[b"name"], &mut b)?;
///
/// let root = Collator::new(CollationProfile::from_producer(OLD).unwrap());
/// let swedish = Collator::new(CollationProfile::from_producer(NEW).unwrap());
/// let producers: [&dyn Producer; 1] = [&swedish];
/// let plan = Recollation::new(source, target, &producers)?;
///
/// let (mut from, mut to, mut due) = ([0u8; 64], [0u8; 64], [0u8; 64]);
/// let mut key = old.writer(&mut from);
/// key.collate(&root, "Ärlig");
/// let made = plan.rekey(key.finish()?, b"", &mut to)?;
/// let mut key = new.writer(&mut due);
/// key.collate(&swedish, "Ärlig");
/// assert_eq!(made, key.finish()?);
/// # Ok::<(), isotone::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Recollation<'c> {
    plan: ReindexPlan<'c>,
    producers: &'c [&'c dyn Producer],
}

impl<'c> Recollation<'c> {
    /// Matches the fields of two contracts of one index by their ids. `producers` are those of the
    /// target's fields that are made again, and, if there are any, of the source's.
    ///
    /// # Errors
    /// As [`ReindexPlan::new`]. [`Error::IncompatibleFields`] is also the answer where a field can't
    /// be made again: its source holds no text, or is neither of `uca14`, of `icu`, nor of a given
    /// producer; or its target's producer is not given.
    pub fn new(
        source: IndexContract<'c>,
        target: IndexContract<'c>,
        producers: &'c [&'c dyn Producer],
    ) -> Result<Self, Error> {
        let plan = ReindexPlan::matched(source, target, |from, to| from == to || can_make(from, to, producers))?;
        Ok(Recollation { plan, producers })
    }

    /// One target field of a key whose fields end at `ends`.
    fn part<'k>(&self, key: &'k [u8], ends: &[usize], field: usize) -> Result<Part<'k, 'c>, Error> {
        let none = Error::IncompatibleFields { field };
        let n = self.plan.source_field(field).ok_or(none)?;
        let (from, from_order) = self.plan.source().key_spec().kind(n).ok_or(none)?;
        let (to, order) = self.plan.target().key_spec().kind(field).ok_or(none)?;
        let start = n.checked_sub(1).and_then(|before| ends.get(before)).copied().unwrap_or(0);
        let bytes = key.get(start..ends.get(n).copied().unwrap_or(start)).unwrap_or(&[]);
        if from == to {
            let movable = is_movable(bytes, from_order, order);
            let moved = Part::Moved { field: bytes, was: from_order, to: order };
            return if movable { Ok(moved) } else { Err(Error::NullInNotNull { field }) };
        }
        let image = Decoder::at(key, start).collated(from_order)?;
        let text = match image {
            Some(image) => Some(self.text(from, image).ok_or(Error::MalformedKey { at: start })?),
            None if order.is_nullable() => None,
            None => return Err(Error::NullInNotNull { field }),
        };
        let producer = to.producer().and_then(|name| named(self.producers, name)).ok_or(none)?;
        Ok(Part::Made { producer, text, order, total: to.is_deterministic() == Some(true), start })
    }

    /// The text behind an image.
    fn text<'k>(&self, kind: Kind<'c>, total_key: ByteView<'k>) -> Option<TextView<'k>> {
        if let Some(old) = named(self.producers, kind.producer()?) {
            return old.text(total_key);
        }
        #[cfg(feature = "uca14")]
        if let Some(profile) = kind.collation() {
            return Collator::new(profile).text(total_key).ok();
        }
        icu_key::split(total_key).map(|(_, text)| text)
    }
}

impl KeyMap for Recollation<'_> {
    fn source(&self) -> IndexContract<'_> {
        self.plan.source()
    }

    fn target(&self) -> IndexContract<'_> {
        self.plan.target()
    }

    fn rekey<'r>(&self, key: &[u8], _value: &[u8], room: &'r mut [u8]) -> Result<&'r [u8], Error> {
        let mut ends = [0usize; ReindexPlan::MAX_FIELDS];
        let ends = self.plan.source().key_spec().offsets(key, &mut ends)?;
        // Each field is read, and each image measured, once.
        let (mut parts, mut needed) = ([const { None }; ReindexPlan::MAX_FIELDS], 0usize);
        for (field, slot) in parts.iter_mut().enumerate().take(ends.len()) {
            let part = self.part(key, ends, field)?;
            let size = part.size()?;
            needed = needed.saturating_add(size);
            *slot = Some((part, size));
        }
        let short = Error::ShortBuffer { needed, available: room.len() };
        let room = room.get_mut(..needed).ok_or(short)?;
        let mut rest = &mut *room;
        for (part, size) in parts.iter().flatten() {
            // In range: the sum of these sizes was asked for.
            let Some((head, tail)) = core::mem::take(&mut rest).split_at_mut_checked(*size) else { break };
            part.write(head)?;
            rest = tail;
        }
        Ok(room)
    }
}

impl core::fmt::Debug for Recollation<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_tuple("Recollation").field(&self.plan).finish()
    }
}

/// The producer of that string among these.
fn named<'c>(producers: &'c [&'c dyn Producer], name: &str) -> Option<&'c dyn Producer> {
    producers.iter().find(|producer| producer.is_named(name)).copied()
}

/// Whether a field of the one kind can be made of one of the other.
fn can_make(from: Kind<'_>, to: Kind<'_>, producers: &[&dyn Producer]) -> bool {
    let (Some(old), Some(new)) = (from.producer(), to.producer()) else { return false };
    let splits = named(producers, old).is_some() || is_frozen(from) || icu_key::producer_locale(old).is_some();
    from.is_deterministic() == Some(true)
        && to.is_deterministic().is_some()
        && splits
        && named(producers, new).is_some()
}

#[cfg(feature = "uca14")]
fn is_frozen(kind: Kind<'_>) -> bool {
    kind.collation().is_some()
}

#[cfg(not(feature = "uca14"))]
const fn is_frozen(_kind: Kind<'_>) -> bool {
    false
}

/// One field on its way.
enum Part<'k, 'c> {
    Moved { field: &'k [u8], was: FieldOrder, to: FieldOrder },
    Made { producer: &'c dyn Producer, text: Option<TextView<'k>>, order: FieldOrder, total: bool, start: usize },
}

impl Part<'_, '_> {
    /// How many bytes it takes.
    fn size(&self) -> Result<usize, Error> {
        match self {
            Part::Moved { field, was, to } => Ok(moved_len(field, *was, *to)),
            Part::Made { start, .. } => match self.write(&mut []) {
                Err(Error::ShortBuffer { needed, .. }) => Ok(needed),
                // Where the source's field begins, not the part.
                Err(Error::InvalidValue { .. }) => Err(Error::InvalidValue { at: *start }),
                other => other.map(|()| 0),
            },
        }
    }

    /// Writes it to a room of its size.
    fn write(&self, room: &mut [u8]) -> Result<(), Error> {
        match self {
            Part::Moved { field, was, to } => move_field(field, *was, *to, room),
            Part::Made { producer, text, order, total, .. } => {
                let mut key = Builder::new(room);
                if *total {
                    key.collate_total(producer, *text, *order);
                } else {
                    key.collate(producer, *text, *order);
                }
                key.finish()?;
            }
        }
        Ok(())
    }
}
