//! Algebra of ranges, exact over all byte strings: union, intersection, difference, complement.
//!
//! Everything here is about bytes. A key lies in the outcome exactly when it should, whatever the
//! key: also one that no spec could have written.

use crate::error::Error;
use crate::range::ByteRange;
use crate::range::NOTHING;
use crate::range::Repr;
use crate::range::list::RangeList;
use crate::range::storage::Pos;
use crate::range::storage::RangeRoom;
use crate::range::storage::ShortStorage;
use crate::range::storage::build;

impl<B: AsRef<[u8]>> ByteRange<B> {
    /// The keys that lie in either range: one range and the empty one where they overlap or touch,
    /// else both in ascending order.
    ///
    /// ```
    /// use isotone::ByteRange;
    /// let range = |start, end| ByteRange::<&[u8]>::new(start, Some(end));
    /// assert_eq!(range(b"m", b"p").union(&range(b"a", b"m")), [range(b"a", b"p"), ByteRange::EMPTY]);
    /// assert_eq!(range(b"m", b"p").union(&range(b"a", b"b")), [range(b"a", b"b"), range(b"m", b"p")]);
    /// ```
    pub fn union<'a, C: AsRef<[u8]>>(&'a self, other: &'a ByteRange<C>) -> [ByteRange<&'a [u8]>; 2] {
        let (a, b) = (self.as_ref(), other.as_ref());
        if a.is_empty() || b.is_empty() {
            return [if a.is_empty() { b } else { a }, ByteRange::EMPTY];
        }
        let in_order = start(&a) <= start(&b);
        let (first, last) = if in_order { (a, b) } else { (b, a) };
        let apart = first.end_slice().is_some_and(|end| Pos::at(end) < start(&last));
        if apart {
            return [first, last];
        }
        let end = match (first.end_slice(), last.end_slice()) {
            (Some(a), Some(b)) => Some(a.max(b)),
            _ => None,
        };
        [first.with_end(end), ByteRange::EMPTY]
    }

    /// The keys that lie in this range but not in the other: those before it, and those after it.
    /// Either part may be empty.
    ///
    /// `room` is used only where `other` excludes its start, whose byte form the first part then
    /// ends with.
    ///
    /// # Errors
    /// [`Error::ShortBuffer`] when `room` is too short for that end.
    ///
    /// ```
    /// use isotone::ByteRange;
    /// let range = |start, end| ByteRange::<&[u8]>::new(start, Some(end));
    /// let (all, done) = (range(b"a", b"z"), range(b"f", b"h"));
    /// assert_eq!(all.subtract(&done, &mut [])?, [range(b"a", b"f"), range(b"h", b"z")]);
    /// # Ok::<(), isotone::Error>(())
    /// ```
    pub fn subtract<'a, C: AsRef<[u8]>>(
        &'a self,
        other: &'a ByteRange<C>,
        room: &'a mut [u8],
    ) -> Result<[ByteRange<&'a [u8]>; 2], Error> {
        let (a, b) = (self.as_ref(), other.as_ref());
        if b.is_empty() {
            return Ok([a, ByteRange::EMPTY]);
        }
        let before = if start(&b) <= start(&a) {
            ByteRange::EMPTY
        } else if a.end_slice().is_some_and(|end| Pos::at(end) <= start(&b)) {
            a
        } else if b.excludes_start() {
            a.with_end(Some(other.write_start(room)?))
        } else {
            a.with_end(Some(b.start_slice()))
        };
        let after = match b.end_slice() {
            None => ByteRange::EMPTY,
            Some(end) if Pos::at(end) <= start(&a) => a,
            Some(end) => a.with_start(end),
        };
        Ok([before, after])
    }

    /// The keys that do not lie in the range: those before it, and those after it.
    ///
    /// # Errors
    /// As [`subtract`](Self::subtract).
    ///
    /// ```
    /// use isotone::ByteRange;
    /// let [before, after] = ByteRange::new(&b"f"[..], Some(&b"h"[..])).complement(&mut [])?
    ///     .map(|range| range.to_inline::<1>().unwrap());
    /// assert!(before.contains(b"") && before.contains(b"ezz") && !before.contains(b"f"));
    /// assert!(after.contains(b"h") && after.contains(&[0xff; 9]));
    /// # Ok::<(), isotone::Error>(())
    /// ```
    pub fn complement<'a>(&'a self, room: &'a mut [u8]) -> Result<[ByteRange<&'a [u8]>; 2], Error> {
        const ALL: &ByteRange<&[u8]> = &ByteRange::ALL;
        ALL.subtract(self, room)
    }
}

impl ByteRange<&[u8]> {
    /// Every key there is.
    pub const ALL: ByteRange<&'static [u8]> = ByteRange(Repr::Span { start: &[], after: false, end: None });
}

impl<'b> RangeList<'b> {
    /// The keys that lie in either list.
    ///
    /// # Errors
    /// [`ShortStorage`], here and in the methods below.
    ///
    /// ```
    /// use isotone::{ByteRange, RangeBuffer, RangeList};
    /// let range = |start, end| ByteRange::<&[u8]>::new(start, Some(end));
    /// let (mut a, mut b) = (RangeBuffer::<2, 16>::new(), RangeBuffer::<2, 16>::new());
    /// let a = RangeList::collect([range(b"a", b"c"), range(b"m", b"p")], a.room())?;
    /// let b = RangeList::collect([range(b"b", b"d"), range(b"x", b"z")], b.room())?;
    /// let mut room = RangeBuffer::<4, 16>::new();
    /// let both = |list: RangeList<'_>| list.iter().map(|r| (r.start()[0], r.end().unwrap()[0])).collect::<Vec<_>>();
    /// assert_eq!(both(a.union(&b, room.room())?), [(b'a', b'd'), (b'm', b'p'), (b'x', b'z')]);
    /// assert_eq!(both(a.intersect(&b, room.room())?), [(b'b', b'c')]);
    /// assert_eq!(both(a.subtract(&b, room.room())?), [(b'a', b'b'), (b'm', b'p')]);
    /// assert_eq!(both(a.complement(&range(b"a", b"z"), room.room())?), [(b'c', b'm'), (b'p', b'z')]);
    /// # Ok::<(), isotone::ShortStorage>(())
    /// ```
    pub fn union<'r>(&self, other: &RangeList<'_>, room: RangeRoom<'r>) -> Result<RangeList<'r>, ShortStorage> {
        sweep(self.iter(), other.iter(), |a, b| a || b, room)
    }

    /// The keys that lie in both lists.
    ///
    /// # Errors
    /// [`ShortStorage`].
    pub fn intersect<'r>(&self, other: &RangeList<'_>, room: RangeRoom<'r>) -> Result<RangeList<'r>, ShortStorage> {
        sweep(self.iter(), other.iter(), |a, b| a && b, room)
    }

    /// The keys that lie in this list but not in the other.
    ///
    /// # Errors
    /// [`ShortStorage`].
    pub fn subtract<'r>(&self, other: &RangeList<'_>, room: RangeRoom<'r>) -> Result<RangeList<'r>, ShortStorage> {
        sweep(self.iter(), other.iter(), |a, b| a && !b, room)
    }

    /// The keys of `within` that do not lie in the list. Of an index, `within` is the range of all
    /// its keys; of everything there is, [`ByteRange::ALL`].
    ///
    /// # Errors
    /// [`ShortStorage`].
    pub fn complement<'r, B: AsRef<[u8]>>(
        &self,
        within: &ByteRange<B>,
        room: RangeRoom<'r>,
    ) -> Result<RangeList<'r>, ShortStorage> {
        let within = core::iter::once(within.as_ref()).filter(|range| !range.is_empty());
        sweep(self.iter(), within, |a, within| within && !a, room)
    }
}

/// Walks over the ends of two lists, and keeps what `keep` says of being in the one and in the
/// other. What is in neither is never kept.
fn sweep<'a, 'r>(
    a: impl Iterator<Item = ByteRange<&'a [u8]>> + Clone,
    b: impl Iterator<Item = ByteRange<&'a [u8]>> + Clone,
    keep: impl Fn(bool, bool) -> bool,
    room: RangeRoom<'r>,
) -> Result<RangeList<'r>, ShortStorage> {
    let list = build(room, |build| {
        let (mut a, mut b) = (Ends::new(a.clone()), Ends::new(b.clone()));
        let mut kept = false;
        while let Some(next) = nearest(a.next, b.next) {
            a.pass(next);
            b.pass(next);
            let keeps = keep(a.inside, b.inside);
            if keeps && !kept {
                next.write(build.start(next.len()));
            } else if kept && !keeps {
                next.write(build.end(Some(next.len())));
            }
            kept = keeps;
        }
    })?;
    Ok(list.finish())
}

fn nearest<'a>(a: Option<Pos<'a>>, b: Option<Pos<'a>>) -> Option<Pos<'a>> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

/// The ends of sorted ranges, one after another.
struct Ends<'a, I> {
    ranges: I,
    /// The end of the range that was begun, if it has one.
    end: Option<Pos<'a>>,
    next: Option<Pos<'a>>,
    inside: bool,
}

impl<'a, I: Iterator<Item = ByteRange<&'a [u8]>>> Ends<'a, I> {
    fn new(ranges: I) -> Self {
        let mut ends = Ends { ranges, end: None, next: None, inside: false };
        ends.begin();
        ends
    }

    fn begin(&mut self) {
        let range = self.ranges.next();
        self.next = range.map(|range| start(&range));
        self.end = range.and_then(|range| range.end_slice()).map(Pos::at);
    }

    /// Passes over all ends at this place: where two ranges touch there are two.
    fn pass(&mut self, place: Pos<'a>) {
        while self.next.is_some_and(|next| next <= place) {
            if self.inside {
                self.begin();
            } else {
                self.next = self.end;
            }
            self.inside = !self.inside;
        }
    }
}

impl<'a> ByteRange<&'a [u8]> {
    pub(super) fn start_slice(&self) -> &'a [u8] {
        match self.0 {
            Repr::Span { start, .. } => start,
            Repr::Empty => NOTHING,
        }
    }

    pub(super) fn end_slice(&self) -> Option<&'a [u8]> {
        match self.0 {
            Repr::Span { end, .. } => end,
            Repr::Empty => Some(NOTHING),
        }
    }

    /// The same start, and another end.
    pub(super) fn with_end(&self, end: Option<&'a [u8]>) -> Self {
        ByteRange::span(self.start_slice(), self.excludes_start(), end)
    }

    /// The same end, and another start.
    pub(super) fn with_start(&self, start: &'a [u8]) -> Self {
        ByteRange::new(start, self.end_slice())
    }
}

pub(super) fn start<'a>(range: &ByteRange<&'a [u8]>) -> Pos<'a> {
    Pos::new(range.start_slice(), range.excludes_start())
}
