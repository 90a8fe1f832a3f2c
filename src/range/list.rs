//! Lists of ranges in order.

use core::fmt;
use core::iter::FusedIterator;

use crate::range::ByteRange;
use crate::range::storage::Build;
use crate::range::storage::Pos;
use crate::range::storage::RangeRoom;
use crate::range::storage::RangeSlot;
use crate::range::storage::ShortStorage;
use crate::range::storage::build;

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

impl<'b> Build<'b> {
    /// What was written.
    pub(crate) fn finish(self) -> RangeList<'b> {
        let RangeRoom { slots, bytes } = self.room;
        RangeList { slots: slots.get(..self.count).unwrap_or(&[]), bytes }
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
