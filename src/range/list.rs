//! Lists of ranges in storage that the caller lends: no heap, and nothing half done.

use core::fmt;
use core::iter::FusedIterator;

use crate::range::ByteRange;
use crate::range::start_bytes;

/// Where the ends of one range of a [`RangeList`] lie. Storage; says nothing by itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct RangeSlot {
    start: Stretch,
    end: Option<Stretch>,
}

/// A stretch of a list's bytes.
#[derive(Clone, Copy, Debug, Default)]
struct Stretch {
    from: usize,
    to: usize,
}

impl Stretch {
    fn of(self, bytes: &[u8]) -> &[u8] {
        bytes.get(self.from..self.to).unwrap_or(&[])
    }

    fn of_mut(self, bytes: &mut [u8]) -> &mut [u8] {
        bytes.get_mut(self.from..self.to).unwrap_or(&mut [])
    }
}

impl RangeSlot {
    /// A slot that holds nothing yet, in a `const` too.
    pub const NEW: RangeSlot = RangeSlot { start: Stretch { from: 0, to: 0 }, end: None };

    fn range(self, bytes: &[u8]) -> ByteRange<&[u8]> {
        ByteRange::new(self.start.of(bytes), self.end.map(|end| end.of(bytes)))
    }
}

/// Storage for a [`RangeList`]: a slot for each range, and the bytes of their ends.
///
/// ```
/// use isotone::{RangeRoom, RangeSlot};
/// let (mut slots, mut bytes) = ([RangeSlot::NEW; 8], [0u8; 256]);
/// let room = RangeRoom::new(&mut slots, &mut bytes);
/// # let _ = room;
/// ```
#[derive(Debug)]
pub struct RangeRoom<'b> {
    slots: &'b mut [RangeSlot],
    bytes: &'b mut [u8],
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

/// Ranges of keys in ascending order, none of them empty, no key in two of them. Borrows its
/// storage.
///
/// What unites, intersects, subtracts or complements gives the one shortest list of its keys: no
/// range ends where the next begins. Only what splits leaves ranges that touch.
///
/// Two lists are equal when their ranges are, byte for byte.
#[derive(Clone, Copy)]
pub struct RangeList<'b> {
    slots: &'b [RangeSlot],
    bytes: &'b [u8],
}

impl<'b> RangeList<'b> {
    /// The list that holds no key.
    pub const EMPTY: RangeList<'static> = RangeList { slots: &[], bytes: &[] };

    /// The shortest list that holds the keys of `ranges`, which may come in any order, overlap and
    /// be empty.
    ///
    /// # Errors
    /// [`ShortStorage`]; a slot for each range that is not empty, and the bytes of its ends, are
    /// needed.
    ///
    /// ```
    /// use isotone::{ByteRange, RangeBuffer, RangeList};
    /// let mut buffer = RangeBuffer::<3, 16>::new();
    /// let range = |start, end| ByteRange::<&[u8]>::new(start, Some(end));
    /// let list = RangeList::collect([range(b"m", b"p"), range(b"a", b"c"), range(b"c", b"d")], buffer.room())?;
    /// assert_eq!(list.iter().collect::<Vec<_>>(), [range(b"a", b"d"), range(b"m", b"p")]);
    /// # Ok::<(), isotone::ShortStorage>(())
    /// ```
    pub fn collect<B: AsRef<[u8]>, I>(ranges: I, room: RangeRoom<'b>) -> Result<RangeList<'b>, ShortStorage>
    where
        I: IntoIterator<Item = ByteRange<B>, IntoIter: Clone>,
    {
        let ranges = ranges.into_iter();
        let mut build = build(room, |build| {
            for range in ranges.clone() {
                build.push(Pos::start(&range), range.end().map(Pos::at), !range.is_empty());
            }
        })?;
        let bytes = &*build.room.bytes;
        let slots = build.room.slots.get_mut(..build.count).unwrap_or(&mut []);
        slots.sort_unstable_by(|a, b| a.start.of(bytes).cmp(b.start.of(bytes)));
        build.count = merge(slots, bytes);
        Ok(build.finish())
    }

    /// Number of ranges.
    pub const fn len(&self) -> usize {
        self.slots.len()
    }

    /// Whether no key lies in the list.
    pub const fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// Range `i`, from 0.
    pub fn get(&self, i: usize) -> Option<ByteRange<&'b [u8]>> {
        self.slots.get(i).map(|slot| slot.range(self.bytes))
    }

    /// The ranges in ascending order; from the back too.
    pub fn iter(&self) -> RangeIter<'b> {
        RangeIter { slots: self.slots.iter(), bytes: self.bytes }
    }

    /// Whether `key` lies in one of the ranges. Searches by halves.
    pub fn contains(&self, key: &[u8]) -> bool {
        let after = self.slots.partition_point(|slot| slot.start.of(self.bytes) <= key);
        after.checked_sub(1).and_then(|i| self.get(i)).is_some_and(|range| range.contains(key))
    }

    /// What is left of the list after `key`, for a page that follows it. Borrows `key`, which need
    /// not lie in the list.
    ///
    /// ```
    /// use isotone::{ByteRange, RangeBuffer, RangeList};
    /// let range = |start, end| ByteRange::<&[u8]>::new(start, Some(end));
    /// let mut buffer = RangeBuffer::<2, 16>::new();
    /// let list = RangeList::collect([range(b"a", b"c"), range(b"m", b"p")], buffer.room())?;
    /// assert!(list.after(b"b").eq([ByteRange::after(&b"b"[..], Some(b"c")), range(b"m", b"p")]));
    /// assert!(list.before(b"n").eq([range(b"a", b"c"), range(b"m", b"n")]));
    /// # Ok::<(), isotone::ShortStorage>(())
    /// ```
    pub fn after<'a>(&self, key: &'a [u8]) -> impl DoubleEndedIterator<Item = ByteRange<&'a [u8]>> + use<'a, 'b>
    where
        'b: 'a,
    {
        let bytes = self.bytes;
        let done = self.slots.partition_point(|slot| slot.end.is_some_and(|end| end.of(bytes) <= key));
        let rest = self.slots.get(done..).unwrap_or(&[]).iter().map(|slot| slot.range(bytes));
        let cut = |range: ByteRange<&'a [u8]>| if range.contains(key) { range.resume_after(key) } else { range };
        rest.map(cut).filter(|range| !range.is_empty())
    }

    /// What the list holds before `key`, in ascending order; reversed, for a page that precedes it.
    /// Borrows `key`, which need not lie in the list.
    pub fn before<'a>(&self, key: &'a [u8]) -> impl DoubleEndedIterator<Item = ByteRange<&'a [u8]>> + use<'a, 'b>
    where
        'b: 'a,
    {
        let bytes = self.bytes;
        let begun = self.slots.partition_point(|slot| slot.start.of(bytes) < key);
        let done = self.slots.get(..begun).unwrap_or(&[]).iter().map(|slot| slot.range(bytes));
        done.map(|range: ByteRange<&'a [u8]>| if range.contains(key) { range.resume_before(key) } else { range })
    }
}

impl fmt::Debug for RangeList<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl PartialEq<RangeList<'_>> for RangeList<'_> {
    fn eq(&self, other: &RangeList<'_>) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Eq for RangeList<'_> {}

impl<'b> IntoIterator for RangeList<'b> {
    type Item = ByteRange<&'b [u8]>;
    type IntoIter = RangeIter<'b>;

    fn into_iter(self) -> RangeIter<'b> {
        self.iter()
    }
}

impl<'b> IntoIterator for &RangeList<'b> {
    type Item = ByteRange<&'b [u8]>;
    type IntoIter = RangeIter<'b>;

    fn into_iter(self) -> RangeIter<'b> {
        self.iter()
    }
}

/// Iterates over the ranges of a [`RangeList`].
#[derive(Clone, Debug)]
pub struct RangeIter<'b> {
    slots: core::slice::Iter<'b, RangeSlot>,
    bytes: &'b [u8],
}

impl<'b> Iterator for RangeIter<'b> {
    type Item = ByteRange<&'b [u8]>;

    fn next(&mut self) -> Option<Self::Item> {
        self.slots.next().map(|slot| slot.range(self.bytes))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.slots.size_hint()
    }
}

impl DoubleEndedIterator for RangeIter<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.slots.next_back().map(|slot| slot.range(self.bytes))
    }
}

impl ExactSizeIterator for RangeIter<'_> {}
impl FusedIterator for RangeIter<'_> {}

/// Joins sorted ranges that overlap or touch; gives how many are left at the front.
fn merge(slots: &mut [RangeSlot], bytes: &[u8]) -> usize {
    let mut kept = 0usize;
    for i in 0..slots.len() {
        let Some(next) = slots.get(i).copied() else { break };
        let last = kept.checked_sub(1).and_then(|last| slots.get_mut(last));
        match last {
            Some(RangeSlot { end: None, .. }) => {}
            Some(RangeSlot { end: Some(end), .. }) if next.start.of(bytes) > end.of(bytes) => {
                put(slots, &mut kept, next);
            }
            Some(RangeSlot { end, .. }) => {
                if next.end.is_none_or(|more| end.is_some_and(|end| more.of(bytes) > end.of(bytes))) {
                    *end = next.end;
                }
            }
            None => put(slots, &mut kept, next),
        }
    }
    kept
}

fn put(slots: &mut [RangeSlot], kept: &mut usize, slot: RangeSlot) {
    if let Some(place) = slots.get_mut(*kept) {
        *place = slot;
    }
    // In range: at most one for each slot.
    *kept = kept.wrapping_add(1);
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
    fn partial_cmp(&self, other: &Self) -> Option<core::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Pos<'_> {
    fn cmp(&self, other: &Self) -> core::cmp::Ordering {
        if self.zero || other.zero { self.iter().cmp(other.iter()) } else { self.bytes.cmp(other.bytes) }
    }
}

/// A list that is being built: counted first, then written. Ranges come in order, one at a time.
pub(crate) struct Build<'b> {
    room: RangeRoom<'b>,
    count: usize,
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

    pub(crate) fn finish(self) -> RangeList<'b> {
        let RangeRoom { slots, bytes } = self.room;
        RangeList { slots: slots.get(..self.count).unwrap_or(&[]), bytes }
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
