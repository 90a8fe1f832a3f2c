//! Re-keys: turns keys of one layout into keys of another by moving and complementing fields,
//! without decoding values.

use crate::error::Error;
use crate::index::contract::IndexContract;
use crate::kind::Kind;
use crate::order::FieldOrder;
use crate::order::NotNull;
use crate::raw::short;

/// Most fields of a key that a plan can move.
const MAX_FIELDS: usize = 64;
/// As many field boundaries as most keys have: one more than fields.
const FEW: usize = 9;

/// How the keys of one generation of an index become those of a later one: the same fields, by id
/// and kind, in any order, each under any direction and null placement.
///
/// `Copy`, no heap, at most [`MAX_FIELDS`](Self::MAX_FIELDS) fields.
///
/// ```
/// use isotone::{Asc, AscNullsLast, Desc, DescNullsFirst, IndexContract, ReindexPlan, Type, key_spec};
/// let old = key_spec![Type::Str => AscNullsLast, Type::U8 => Asc];
/// let new = key_spec![Type::U8 => Desc, Type::Str => DescNullsFirst];
/// let (mut a, mut b) = ([0u8; 64], [0u8; 64]);
/// let source = IndexContract::new(b"ix", 1, &old, &[b"name", b"n"], &mut a)?;
/// let target = IndexContract::new(b"ix", 2, &new, &[b"n", b"name"], &mut b)?;
///
/// let plan = ReindexPlan::new(source, target)?;
/// let mut room = [0u8; 16];
/// let key = plan.rekey(&[0x00, b'a', 0, 0, 7], &mut room)?;
/// assert_eq!(key, [0xf8, 0x01, !b'a', 0xff, 0xff]);
/// let mut back = [0u8; 16];
/// assert_eq!(plan.inverse().rekey(key, &mut back)?, [0x00, b'a', 0, 0, 7]);
/// # Ok::<(), isotone::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct ReindexPlan<'c> {
    source: IndexContract<'c>,
    target: IndexContract<'c>,
    /// For each target field the source field that it is.
    from: [u8; MAX_FIELDS],
    /// For each source field the target field that it becomes.
    to: [u8; MAX_FIELDS],
    /// The orders of the source's fields and of the target's, at hand for every key.
    source_orders: [FieldOrder; MAX_FIELDS],
    target_orders: [FieldOrder; MAX_FIELDS],
    /// What every byte of a field is XORed with, by the target's fields and by the source's.
    masks: [u8; MAX_FIELDS],
    source_masks: [u8; MAX_FIELDS],
    /// Whether no field is nullable on either side: nothing is dropped or added then.
    plain: bool,
    /// How many fields become nullable and so get a tag, and how many lose theirs.
    added: u8,
    dropped: u8,
}

impl<'c> ReindexPlan<'c> {
    /// Most fields of a key that a plan can move.
    pub const MAX_FIELDS: usize = MAX_FIELDS;

    /// Matches the fields of two contracts of one index by their ids.
    ///
    /// # Errors
    /// [`Error::DifferentIndex`] when the index ids differ, [`Error::InvalidGeneration`] when the
    /// target's is not later, [`Error::IncompatibleFields`] with the first target field that has
    /// no source field of its id and kind.
    pub fn new(source: IndexContract<'c>, target: IndexContract<'c>) -> Result<Self, Error> {
        Self::matched(source, target, |from, to| from == to)
    }

    /// Matches the fields of one id where `fits` says so of the source's kind and the target's.
    pub(super) fn matched(
        source: IndexContract<'c>,
        target: IndexContract<'c>,
        fits: impl Fn(Kind<'c>, Kind<'c>) -> bool,
    ) -> Result<Self, Error> {
        if source.id() != target.id() {
            return Err(Error::DifferentIndex);
        }
        if target.generation() <= source.generation() {
            let (source_generation, target) = (source.generation(), target.generation());
            return Err(Error::InvalidGeneration { source_generation, target });
        }
        let mut plan = ReindexPlan {
            source,
            target,
            from: [0; MAX_FIELDS],
            to: [0; MAX_FIELDS],
            source_orders: orders(source),
            target_orders: orders(target),
            masks: [0; MAX_FIELDS],
            source_masks: [0; MAX_FIELDS],
            plain: [source, target].iter().all(|c| c.key_spec().kinds().all(|(_, order)| !order.is_nullable())),
            added: 0,
            dropped: 0,
        };
        let fields = target.field_ids().zip(target.key_spec().kinds());
        for (field, (id, (kind, order))) in fields.enumerate() {
            let none = Error::IncompatibleFields { field };
            let mut sources = source.field_ids().zip(source.key_spec().kinds());
            let n = sources.position(|(source_id, (source_kind, _))| source_id == id && fits(source_kind, kind));
            let n = n.ok_or(none)?;
            *plan.from.get_mut(field).ok_or(none)? = u8::try_from(n).map_err(|_| none)?;
            *plan.to.get_mut(n).ok_or(none)? = u8::try_from(field).map_err(|_| none)?;
            let was = plan.source_orders.get(n).ok_or(none)?;
            // In range: counts fields.
            match (was.is_nullable(), order.is_nullable()) {
                (false, true) => plan.added = plan.added.wrapping_add(1),
                (true, false) => plan.dropped = plan.dropped.wrapping_add(1),
                _ => {}
            }
            let mask = was.flip().then(order.flip()).mask();
            *plan.masks.get_mut(field).ok_or(none)? = mask;
            *plan.source_masks.get_mut(n).ok_or(none)? = mask;
        }
        let (has, wants) = (source.key_spec().arity(), target.key_spec().arity());
        if has == wants { Ok(plan) } else { Err(Error::IncompatibleFields { field: wants }) }
    }

    /// The contract that keys are read under.
    pub const fn source(&self) -> IndexContract<'c> {
        self.source
    }

    /// The contract that keys are written under.
    pub const fn target(&self) -> IndexContract<'c> {
        self.target
    }

    /// The way back: from the target's keys to the source's. A target that is nullable where the
    /// source is NOT NULL can hold keys that have no way back.
    pub const fn inverse(&self) -> ReindexPlan<'c> {
        ReindexPlan {
            source: self.target,
            target: self.source,
            from: self.to,
            to: self.from,
            source_orders: self.target_orders,
            target_orders: self.source_orders,
            masks: self.source_masks,
            source_masks: self.masks,
            plain: self.plain,
            added: self.dropped,
            dropped: self.added,
        }
    }

    /// Writes the target's key for a source key to the front of `room`.
    ///
    /// # Errors
    /// [`Error::MalformedKey`], [`Error::InvalidEscape`], [`Error::TruncatedKey`] and
    /// [`Error::TrailingBytes`] where `key` is none of the source's (text is not checked for UTF-8:
    /// it is not decoded); [`Error::NullInNotNull`] with the target field that can't hold its null;
    /// [`Error::ShortBuffer`] with the exact size. The room is unchanged then.
    #[inline]
    pub fn rekey<'r>(&self, key: &[u8], room: &'r mut [u8]) -> Result<&'r [u8], Error> {
        // Few fields are usual, and boundaries for them are soon laid out.
        if self.source.key_spec().arity() < FEW {
            self.move_fields::<FEW>(key, room)
        } else {
            self.move_many(key, room)
        }
    }

    /// Out of line, so that callers have one copy of the work in them, not two.
    #[inline(never)]
    fn move_many<'r>(&self, key: &[u8], room: &'r mut [u8]) -> Result<&'r [u8], Error> {
        self.move_fields::<{ MAX_FIELDS + 1 }>(key, room)
    }

    #[inline(always)]
    fn move_fields<'r, const N: usize>(&self, key: &[u8], room: &'r mut [u8]) -> Result<&'r [u8], Error> {
        // Where the fields begin, and behind the last one where it ends.
        let mut starts = [0usize; N];
        let (spec, arity) = (self.source.spec_ref(), self.source.spec_ref().arity());
        let ends = starts.get_mut(1..).and_then(|ends| ends.get_mut(..arity));
        spec.all_ends(key, ends.unwrap_or(&mut []))?;
        if self.dropped > 0 {
            self.check_nulls(key, &starts, arity)?;
        }
        // No more are dropped than the key has tags.
        let needed = key.len().saturating_add(usize::from(self.added)).saturating_sub(usize::from(self.dropped));
        let short = Error::ShortBuffer { needed, available: room.len() };
        let room = room.get_mut(..needed).ok_or(short)?;
        if self.plain {
            self.move_plain(key, &starts, arity, room);
        } else {
            self.move_tagged(key, &starts, arity, room);
        }
        Ok(room)
    }

    /// Looks for a null in a field that becomes NOT NULL.
    #[inline(never)]
    fn check_nulls(&self, key: &[u8], starts: &[usize], arity: usize) -> Result<(), Error> {
        for (field, (from, to)) in self.from.iter().zip(&self.target_orders).take(arity).enumerate() {
            let bytes = source(key, starts, *from).zip(self.source_orders.get(usize::from(*from)));
            if bytes.is_some_and(|(bytes, was)| !is_movable(bytes, *was, *to)) {
                return Err(Error::NullInNotNull { field });
            }
        }
        Ok(())
    }

    /// Moves fields that are all NOT NULL, before and after; `room` is as long as `key`, which is in
    /// no scope.
    #[inline(always)]
    fn move_plain(&self, key: &[u8], starts: &[usize], arity: usize, room: &mut [u8]) {
        let mut rest = room;
        let (Some(from), Some(masks)) = (self.from.get(..arity), self.masks.get(..arity)) else { return };
        for (from, mask) in from.iter().zip(masks) {
            let Some(field) = source(key, starts, *from) else { return };
            // In range: the fields are together as long as the key.
            let Some((head, tail)) = core::mem::take(&mut rest).split_at_mut_checked(field.len()) else { return };
            short::copy(head, field, *mask);
            rest = tail;
        }
    }

    /// Moves fields of any orders; `room` is as long as what comes out, and no null is in a field that
    /// becomes NOT NULL.
    #[inline(never)]
    fn move_tagged(&self, key: &[u8], starts: &[usize], arity: usize, room: &mut [u8]) {
        let mut rest = room;
        for (from, to) in self.from.iter().zip(&self.target_orders).take(arity) {
            let field = source(key, starts, *from).zip(self.source_orders.get(usize::from(*from)));
            let Some((field, was)) = field else { return };
            // In range: the room is as long as the fields with their tags.
            let len = moved_len(field, *was, *to);
            let Some((head, tail)) = core::mem::take(&mut rest).split_at_mut_checked(len) else { return };
            move_field(field, *was, *to, head);
            rest = tail;
        }
    }

    /// The source field that a target field is.
    #[cfg(all(feature = "rekey", any(feature = "uca14", feature = "icu")))]
    pub(super) fn source_field(&self, field: usize) -> Option<usize> {
        self.from.get(field).map(|n| usize::from(*n))
    }
}

/// The bytes of field `n` of a source key.
#[inline(always)]
fn source<'k>(key: &'k [u8], starts: &[usize], n: u8) -> Option<&'k [u8]> {
    let [start, end] = starts.get(usize::from(n)..)?.first_chunk::<2>()?;
    key.get(*start..*end)
}

/// Whether a field can go from the one order to the other: it is no null that becomes NOT NULL.
#[inline(always)]
pub(super) fn is_movable(field: &[u8], was: FieldOrder, to: FieldOrder) -> bool {
    to.is_nullable() || was.null_tag().is_none_or(|null| field.first() != Some(&null))
}

/// Length of a field under the other order.
#[inline(always)]
pub(super) fn moved_len(field: &[u8], was: FieldOrder, to: FieldOrder) -> usize {
    field.len().saturating_sub(was.tag_len()).saturating_add(to.tag_len())
}

/// Writes a field that can go there under the other order, to a room of its length.
#[inline(always)]
pub(super) fn move_field(field: &[u8], was: FieldOrder, to: FieldOrder, room: &mut [u8]) {
    let (Some((tag, payload)), Some((slot, body))) =
        (field.split_at_checked(was.tag_len()), room.split_at_mut_checked(to.tag_len()))
    else {
        return;
    };
    if let Some(slot) = slot.first_mut() {
        let present = tag.first().is_none_or(|tag| *tag == was.tag_or_any());
        *slot = if present { to.tag_or_any() } else { to.tag_or_any() ^ 1 };
    }
    short::copy(body, payload, was.flip().then(to.flip()).mask());
}

/// The orders of a contract's fields, as many as a plan can move.
fn orders(contract: IndexContract<'_>) -> [FieldOrder; MAX_FIELDS] {
    let mut orders = [FieldOrder::not_null(NotNull::Asc); MAX_FIELDS];
    for (slot, (_, order)) in orders.iter_mut().zip(contract.key_spec().kinds()) {
        *slot = order;
    }
    orders
}

impl core::fmt::Debug for ReindexPlan<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let fields = self.target.key_spec().arity();
        f.debug_struct("ReindexPlan")
            .field("source", &self.source)
            .field("target", &self.target)
            .field("from", &self.from.get(..fields).unwrap_or(&[]))
            .finish()
    }
}
