//! Ranges of keys: half-open, over bytes, knowing nothing of types. `FORMAT.md` §3.

mod algebra;
pub(crate) mod list;
mod part;
pub(crate) mod separator;
pub(crate) mod storage;

use core::cmp::Ordering;
use core::fmt;
use core::ops::Bound;
use core::ops::RangeBounds;

use arrayvec::ArrayVec;

use crate::error::Error;

/// A range of keys, `[start, end)` with `end` possibly infinite, or empty. Holds its ends as `B`:
/// borrowed (`&[u8]`) or owned (`ArrayVec`, and under features `Vec<u8>` and `bytes::Bytes`).
///
/// One set of keys has one form: whatever holds no key is the empty range, and two ranges are equal
/// when their byte forms are.
///
/// As `RangeBounds<[u8]>` it goes to `BTreeMap::range` and heed; [`slices`](Self::slices) goes to
/// fjall, redb and sled. Engines are never handed an empty key: a range from the beginning reports
/// `Unbounded`, the empty range `[00]..[00)`.
///
/// ```
/// use std::collections::BTreeMap;
/// use isotone::ByteRange;
/// let map = BTreeMap::from([(b"a".to_vec(), 1), (b"b".to_vec(), 2), (b"c".to_vec(), 3)]);
/// let range = ByteRange::new(&b"b"[..], None);
/// let found: Vec<_> = map.range::<[u8], _>(range).map(|(_, v)| *v).collect();
/// assert_eq!(found, [2, 3]);
/// assert!(range.contains(b"bb"));
/// ```
#[derive(Clone, Copy)]
pub struct ByteRange<B>(Repr<B>);

#[derive(Clone, Copy)]
enum Repr<B> {
    Empty,
    /// From `start`, or from the first key above it, to before `end`.
    Span {
        start: B,
        after: bool,
        end: Option<B>,
    },
}

/// What the empty range reports as both of its ends.
const NOTHING: &[u8] = &[0];

/// Bytes of a start: the key itself, or the key and a zero, which is the next one.
fn start_bytes(start: &[u8], after: bool) -> impl Iterator<Item = &u8> {
    start.iter().chain(after.then_some(&0))
}

impl<B: AsRef<[u8]>> ByteRange<B> {
    /// The range that holds no key.
    pub const EMPTY: ByteRange<B> = ByteRange(Repr::Empty);

    /// The keys from `start` to before `end`, or to the last where there is no end. Empty when
    /// `start` is not below `end`.
    pub fn new(start: B, end: Option<B>) -> Self {
        Self::span(start, false, end)
    }

    /// The keys above `key` and before `end`: its byte form starts at `key` followed by `00`.
    pub fn after(key: B, end: Option<B>) -> Self {
        Self::span(key, true, end)
    }

    /// The same, of ends that are known to be in order: what was just written is not read again.
    #[inline(always)]
    pub(crate) const fn in_order(start: B, end: Option<B>) -> Self
    where
        B: Copy,
    {
        ByteRange(Repr::Span { start, after: false, end })
    }

    fn span(start: B, after: bool, end: Option<B>) -> Self {
        let empty = end.as_ref().is_some_and(|end| {
            let (start, end) = (start.as_ref(), end.as_ref());
            // An end above `start` is not above `start 00` only where it is that.
            start >= end || after && end.split_last() == Some((&0, start))
        });
        ByteRange(if empty { Repr::Empty } else { Repr::Span { start, after, end } })
    }

    /// Whether no key lies in the range.
    pub const fn is_empty(&self) -> bool {
        matches!(self.0, Repr::Empty)
    }

    /// The start: the least key of the range, or the one just below it where
    /// [`excludes_start`](Self::excludes_start). `[00]` for the empty range.
    pub fn start(&self) -> &[u8] {
        match &self.0 {
            Repr::Empty => NOTHING,
            Repr::Span { start, .. } => start.as_ref(),
        }
    }

    /// Whether the range begins after its start, as one that resumes after a key does.
    pub const fn excludes_start(&self) -> bool {
        matches!(self.0, Repr::Span { after: true, .. })
    }

    /// The end, which is not in the range; `None` when it goes on to the last key. `[00]` for the
    /// empty range.
    pub fn end(&self) -> Option<&[u8]> {
        match &self.0 {
            Repr::Empty => Some(NOTHING),
            Repr::Span { end, .. } => end.as_ref().map(B::as_ref),
        }
    }

    /// Writes the start's byte form to the front of `room`: a start that is excluded is followed
    /// by `00`.
    ///
    /// # Errors
    /// [`Error::ShortBuffer`] when `room` is too short; it is unchanged then.
    pub fn write_start<'r>(&self, room: &'r mut [u8]) -> Result<&'r [u8], Error> {
        let start = self.start();
        let needed = start.len().saturating_add(usize::from(self.excludes_start()));
        let short = Error::ShortBuffer { needed, available: room.len() };
        let room = room.get_mut(..needed).ok_or(short)?;
        for (to, from) in room.iter_mut().zip(start_bytes(start, self.excludes_start())) {
            *to = *from;
        }
        Ok(room)
    }

    /// Whether `key` lies in the range.
    pub fn contains(&self, key: &[u8]) -> bool {
        match &self.0 {
            Repr::Empty => false,
            Repr::Span { start, after, end } => {
                let below = match start.as_ref().cmp(key) {
                    Ordering::Less => true,
                    Ordering::Equal => !after,
                    Ordering::Greater => false,
                };
                below && end.as_ref().is_none_or(|end| key < end.as_ref())
            }
        }
    }

    /// The same range, borrowed.
    pub fn as_ref(&self) -> ByteRange<&[u8]> {
        ByteRange(match &self.0 {
            Repr::Empty => Repr::Empty,
            Repr::Span { start, after, end } => {
                Repr::Span { start: start.as_ref(), after: *after, end: end.as_ref().map(B::as_ref) }
            }
        })
    }

    /// The keys that lie in both ranges.
    pub fn intersect<'a, C: AsRef<[u8]>>(&'a self, other: &'a ByteRange<C>) -> ByteRange<&'a [u8]> {
        let (a, b) = (self.as_ref(), other.as_ref());
        let (
            Repr::Span { start: a_start, after: a_after, end: a_end },
            Repr::Span { start: b_start, after: b_after, end: b_end },
        ) = (a.0, b.0)
        else {
            return ByteRange::EMPTY;
        };
        let (start, after) = match start_bytes(a_start, a_after).cmp(start_bytes(b_start, b_after)) {
            Ordering::Less => (b_start, b_after),
            _ => (a_start, a_after),
        };
        let end = match (a_end, b_end) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        ByteRange::span(start, after, end)
    }

    /// The range as bounds over `&[u8]`, for fjall, redb and sled.
    pub fn slices(&self) -> SliceRange<'_> {
        let start = match self.start() {
            [] if !self.excludes_start() => Bound::Unbounded,
            // The first key above the empty one; engines are never handed the empty one.
            [] => Bound::Included(NOTHING),
            start if self.excludes_start() => Bound::Excluded(start),
            start => Bound::Included(start),
        };
        SliceRange { start, end: self.end().map_or(Bound::Unbounded, Bound::Excluded) }
    }

    /// The range as a pair of bounds, for an engine that takes only those, such as redb's next
    /// interface.
    pub fn bounds(&self) -> (Bound<&[u8]>, Bound<&[u8]>) {
        let SliceRange { start, end } = self.slices();
        (start, end)
    }

    /// The same range with its ends held inline.
    ///
    /// # Errors
    /// [`Error::ShortBuffer`] when an end is longer than `N` bytes.
    pub fn to_inline<const N: usize>(&self) -> Result<ByteRange<ArrayVec<u8, N>>, Error> {
        let needed = self.start().len().max(self.end().map_or(0, <[u8]>::len));
        let short = Error::ShortBuffer { needed, available: N };
        let inline = |bytes: &[u8]| ArrayVec::try_from(bytes).map_err(|_| short);
        Ok(ByteRange(match &self.0 {
            Repr::Empty => Repr::Empty,
            Repr::Span { start, after, end } => Repr::Span {
                start: inline(start.as_ref())?,
                after: *after,
                end: end.as_ref().map(|end| inline(end.as_ref())).transpose()?,
            },
        }))
    }

    /// The same range with its ends held in vectors.
    #[cfg(feature = "alloc")]
    pub fn to_vecs(&self) -> ByteRange<alloc::vec::Vec<u8>> {
        self.as_ref().map(<[u8]>::to_vec)
    }

    /// The same range with its ends held in [`bytes::Bytes`].
    #[cfg(feature = "bytes")]
    pub fn to_bytes(&self) -> ByteRange<bytes::Bytes> {
        self.as_ref().map(bytes::Bytes::copy_from_slice)
    }
}

impl<'a> ByteRange<&'a [u8]> {
    /// The part of the range after `key`; borrows `key`. Empty when nothing is left.
    pub(crate) fn resume_after(self, key: &'a [u8]) -> Self {
        match self.0 {
            Repr::Empty => ByteRange::EMPTY,
            Repr::Span { end, .. } => ByteRange::after(key, end),
        }
    }

    /// The part of the range before `key`; borrows `key`.
    pub(crate) fn resume_before(self, key: &'a [u8]) -> Self {
        match self.0 {
            Repr::Empty => ByteRange::EMPTY,
            Repr::Span { start, after, .. } => ByteRange::span(start, after, Some(key)),
        }
    }

    #[cfg(feature = "alloc")]
    fn map<C>(self, own: impl Fn(&'a [u8]) -> C) -> ByteRange<C> {
        ByteRange(match self.0 {
            Repr::Empty => Repr::Empty,
            Repr::Span { start, after, end } => Repr::Span { start: own(start), after, end: end.map(own) },
        })
    }
}

impl<B: AsRef<[u8]>> RangeBounds<[u8]> for ByteRange<B> {
    fn start_bound(&self) -> Bound<&[u8]> {
        self.slices().start
    }

    fn end_bound(&self) -> Bound<&[u8]> {
        self.slices().end
    }
}

impl<B: AsRef<[u8]>, C: AsRef<[u8]>> PartialEq<ByteRange<C>> for ByteRange<B> {
    fn eq(&self, other: &ByteRange<C>) -> bool {
        let (a_after, b_after) = (self.excludes_start(), other.excludes_start());
        self.is_empty() == other.is_empty()
            && start_bytes(self.start(), a_after).eq(start_bytes(other.start(), b_after))
            && self.end() == other.end()
    }
}

impl<B: AsRef<[u8]>> Eq for ByteRange<B> {}

impl<B: AsRef<[u8]>> fmt::Debug for ByteRange<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("empty");
        }
        f.write_str("[")?;
        start_bytes(self.start(), self.excludes_start()).try_for_each(|b| write!(f, "{b:02x}"))?;
        f.write_str("..")?;
        match self.end() {
            Some(end) => end.iter().try_for_each(|b| write!(f, "{b:02x}"))?,
            None => f.write_str("∞")?,
        }
        f.write_str(")")
    }
}

/// A [`ByteRange`] as bounds over `&[u8]`; see [`ByteRange::slices`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SliceRange<'a> {
    start: Bound<&'a [u8]>,
    end: Bound<&'a [u8]>,
}

impl<'a> RangeBounds<&'a [u8]> for SliceRange<'a> {
    fn start_bound(&self) -> Bound<&&'a [u8]> {
        self.start.as_ref()
    }

    fn end_bound(&self) -> Bound<&&'a [u8]> {
        self.end.as_ref()
    }
}

/// Turns bytes into the least bytes above everything that begins with them, where they are: drops
/// trailing `ff` and adds one to the last byte left. Gives the new length; `None` when there is no
/// such bound, the bytes being all `ff`, or none.
pub(crate) fn succ_in_place(bytes: &mut [u8]) -> Option<usize> {
    let last = bytes.iter().rposition(|b| *b != 0xff)?;
    let byte = bytes.get_mut(last)?;
    // In range: the byte is not ff, and a slice's index plus one is at most its length.
    *byte = byte.wrapping_add(1);
    Some(last.wrapping_add(1))
}

/// The least bytes above everything that begins with `prefix`, written to `room`; `None` when there
/// is no such bound, because `prefix` is all `ff`, or empty.
///
/// ```
/// use isotone::prefix_upper_bound;
/// let mut room = [0u8; 4];
/// assert_eq!(prefix_upper_bound(&[0x03, 0xaa, 0xff], &mut room)?, Some(&[0x03, 0xab][..]));
/// assert_eq!(prefix_upper_bound(&[0xff, 0xff], &mut room)?, None);
/// assert_eq!(prefix_upper_bound(&[], &mut room)?, None);
/// # Ok::<(), isotone::Error>(())
/// ```
///
/// # Errors
/// [`Error::ShortBuffer`] when the bound does not fit; `room` is unchanged then.
pub fn prefix_upper_bound<'r>(prefix: &[u8], room: &'r mut [u8]) -> Result<Option<&'r [u8]>, Error> {
    let Some(last) = prefix.iter().rposition(|b| *b != 0xff) else { return Ok(None) };
    // In range: at most the prefix's length.
    let needed = last.wrapping_add(1);
    let short = Error::ShortBuffer { needed, available: room.len() };
    let room = room.get_mut(..needed).ok_or(short)?;
    room.copy_from_slice(prefix.get(..needed).unwrap_or(&[]));
    Ok(succ_in_place(room).and_then(|n| room.get(..n)))
}
