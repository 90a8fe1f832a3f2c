//! Storage for lists of ranges, lent by the caller, and how it is filled: counted first, then
//! written, so that what does not fit is not begun.

use core::cmp::Ordering;

use crate::range::ByteRange;
use crate::range::start_bytes;

/// Where the ends of one range of a [`RangeList`](crate::RangeList) lie. Storage; says nothing by itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct RangeSlot {
    pub(super) start: Stretch,
    pub(super) end: Option<Stretch>,
}

/// A stretch of a list's bytes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Stretch {
    from: usize,
    to: usize,
}

impl Stretch {
    pub(super) fn of(self, bytes: &[u8]) -> &[u8] {
        bytes.get(self.from..self.to).unwrap_or(&[])
    }

    fn of_mut(self, bytes: &mut [u8]) -> &mut [u8] {
        bytes.get_mut(self.from..self.to).unwrap_or(&mut [])
    }
}

impl RangeSlot {
    /// A slot that holds nothing yet, in a `const` too.
    pub const NEW: RangeSlot = RangeSlot { start: Stretch { from: 0, to: 0 }, end: None };

    pub(super) fn range(self, bytes: &[u8]) -> ByteRange<&[u8]> {
        ByteRange::new(self.start.of(bytes), self.end.map(|end| end.of(bytes)))
    }
}

/// Storage for a [`RangeList`](crate::RangeList): a slot for each range, and the bytes of their ends.
///
/// ```
/// use isotone::{RangeRoom, RangeSlot};
/// let (mut slots, mut bytes) = ([RangeSlot::NEW; 8], [0u8; 256]);
/// let room = RangeRoom::new(&mut slots, &mut bytes);
/// # let _ = room;
/// ```
#[derive(Debug)]
pub struct RangeRoom<'b> {
    pub(super) slots: &'b mut [RangeSlot],
    pub(super) bytes: &'b mut [u8],
}

impl<'b> RangeRoom<'b> {
    /// Lends slots and bytes.
    pub const fn new(slots: &'b mut [RangeSlot], bytes: &'b mut [u8]) -> Self {
        RangeRoom { slots, bytes }
    }

    /// How many ranges there are slots for.
    pub const fn slots(&self) -> usize {
        self.slots.len()
    }

    /// How many bytes there are for the ranges' ends.
    pub const fn bytes(&self) -> usize {
        self.bytes.len()
    }
}

/// Slots and bytes of a fixed size, to lend as a [`RangeRoom`].
///
/// ```
/// use isotone::{ByteRange, RangeBuffer, RangeList};
/// let mut buffer = RangeBuffer::<4, 64>::new();
/// let ranges = [ByteRange::new(&b"k"[..], None), ByteRange::new(&b"a"[..], Some(&b"b"[..]))];
/// let list = RangeList::collect(ranges, buffer.room())?;
/// assert_eq!(list.len(), 2);
/// assert!(list.contains(b"ab") && !list.contains(b"b") && list.contains(b"z"));
/// # Ok::<(), isotone::ShortStorage>(())
/// ```
#[derive(Clone, Debug)]
pub struct RangeBuffer<const SLOTS: usize, const BYTES: usize> {
    slots: [RangeSlot; SLOTS],
    bytes: [u8; BYTES],
}

impl<const SLOTS: usize, const BYTES: usize> RangeBuffer<SLOTS, BYTES> {
    /// An empty buffer, in a `const` or a `static` too.
    pub const fn new() -> Self {
        RangeBuffer { slots: [RangeSlot::NEW; SLOTS], bytes: [0; BYTES] }
    }

    /// Lends all of it.
    pub const fn room(&mut self) -> RangeRoom<'_> {
        RangeRoom::new(&mut self.slots, &mut self.bytes)
    }
}

impl<const SLOTS: usize, const BYTES: usize> Default for RangeBuffer<SLOTS, BYTES> {
    fn default() -> Self {
        Self::new()
    }
}

/// The lent storage does not hold the ranges. Nothing was written to it: lend as much as is needed
/// and ask again, once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[error("storage of {lent_slots} slots and {lent_bytes} bytes is too small, {slots} and {bytes} are needed")]
pub struct ShortStorage {
    /// Slots that are enough.
    pub slots: usize,
    /// Bytes that are enough.
    pub bytes: usize,
    /// Slots that were lent.
    pub lent_slots: usize,
    /// Bytes that were lent.
    pub lent_bytes: usize,
}

/// A place among all byte strings: the bytes, or the bytes and a zero, which is the next place.
#[derive(Clone, Copy)]
pub(crate) struct Pos<'a> {
    bytes: &'a [u8],
    zero: bool,
}

impl<'a> Pos<'a> {
    pub(crate) const fn new(bytes: &'a [u8], zero: bool) -> Self {
        Pos { bytes, zero }
    }

    pub(crate) const fn at(bytes: &'a [u8]) -> Self {
        Pos::new(bytes, false)
    }

    pub(crate) fn start<B: AsRef<[u8]>>(range: &'a ByteRange<B>) -> Self {
        Pos { bytes: range.start(), zero: range.excludes_start() }
    }

    pub(crate) fn len(&self) -> usize {
        // In range: a slice is at most isize::MAX long.
        self.bytes.len().wrapping_add(usize::from(self.zero))
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = u8> + use<'a> {
        start_bytes(self.bytes, self.zero).copied()
    }

    /// The bytes, and zeros without end.
    pub(crate) fn padded(&self) -> impl Iterator<Item = u8> + use<'a> {
        self.iter().chain(core::iter::repeat(0))
    }

    pub(crate) fn write(&self, room: &mut [u8]) {
        for (to, from) in room.iter_mut().zip(self.iter()) {
            *to = from;
        }
    }
}

impl PartialEq for Pos<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Pos<'_> {}

impl PartialOrd for Pos<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Pos<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        if self.zero || other.zero { self.iter().cmp(other.iter()) } else { self.bytes.cmp(other.bytes) }
    }
}

/// A list that is being built: counted first, then written. Ranges come in order, one at a time.
pub(crate) struct Build<'b> {
    pub(super) room: RangeRoom<'b>,
    pub(super) count: usize,
    used: usize,
    open: RangeSlot,
}

impl<'b> Build<'b> {
    /// Only counts.
    pub(crate) const fn counting() -> Build<'static> {
        Build::new(RangeRoom { slots: &mut [], bytes: &mut [] })
    }

    /// Writes. The storage must have been measured.
    pub(crate) const fn new(room: RangeRoom<'b>) -> Self {
        Build { room, count: 0, used: 0, open: RangeSlot::NEW }
    }

    /// How many ranges there are so far.
    pub(crate) const fn count(&self) -> usize {
        self.count
    }

    /// Whether `room` holds what was counted.
    pub(crate) fn fits(&self, room: &RangeRoom<'_>) -> Result<(), ShortStorage> {
        let (lent_slots, lent_bytes) = (room.slots(), room.bytes());
        if self.count <= lent_slots && self.used <= lent_bytes {
            return Ok(());
        }
        Err(ShortStorage { slots: self.count, bytes: self.used, lent_slots, lent_bytes })
    }

    /// Begins the next range; gives the place of its start, which is empty where it only counts.
    pub(crate) fn start(&mut self, len: usize) -> &mut [u8] {
        self.count = self.count.saturating_add(1);
        let start = Stretch { from: self.used, to: self.used.saturating_add(len) };
        self.open = RangeSlot { start, end: None };
        self.settle();
        start.of_mut(self.room.bytes)
    }

    /// Sets the end of the range that was begun last, in place of an earlier one; gives its place.
    pub(crate) fn end(&mut self, len: Option<usize>) -> &mut [u8] {
        let from = self.open.start.to;
        self.open.end = len.map(|len| Stretch { from, to: from.saturating_add(len) });
        self.settle();
        self.open.end.unwrap_or_default().of_mut(self.room.bytes)
    }

    fn settle(&mut self) {
        self.used = self.open.end.unwrap_or(self.open.start).to;
        if let Some(slot) = self.count.checked_sub(1).and_then(|i| self.room.slots.get_mut(i)) {
            *slot = self.open;
        }
    }

    /// Adds a whole range, if it is not left out.
    pub(crate) fn push(&mut self, start: Pos<'_>, end: Option<Pos<'_>>, keep: bool) {
        if keep {
            start.write(self.start(start.len()));
            let place = self.end(end.map(|end| end.len()));
            if let Some(end) = end {
                end.write(place);
            }
        }
    }
}

/// Runs `fill` to count, then again to write.
pub(crate) fn build(room: RangeRoom<'_>, fill: impl Fn(&mut Build<'_>)) -> Result<Build<'_>, ShortStorage> {
    let mut count = Build::counting();
    fill(&mut count);
    count.fits(&room)?;
    let mut build = Build::new(room);
    fill(&mut build);
    Ok(build)
}
