//! Algebra of ranges, exact over all byte strings: union, intersection, difference, complement,
//! and splitting for scans that run side by side.
//!
//! Everything here is about bytes. A key lies in the outcome exactly when it should, whatever the
//! key: also one that no spec could have written.

use crate::error::Error;
use crate::range::ByteRange;
use crate::range::NOTHING;
use crate::range::Repr;
use crate::range::list::Build;
use crate::range::list::Pos;
use crate::range::list::RangeList;
use crate::range::list::RangeRoom;
use crate::range::list::ShortStorage;
use crate::range::list::build;

/// How many bytes behind those that both ends share are looked at to find a place between them.
const WINDOW: usize = 15;

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

    /// Part `i` of `n`, from 0: for the worker of that number. The parts of one `n` lie in
    /// ascending order and hold every key of the range once, so each worker can find its own
    /// without the others. A part that there are no bytes for is empty, as is one from `n` on.
    ///
    /// The places between are found by proportion, taking the bytes behind those that both ends
    /// share as a number; at most fifteen are looked at, and no more kept than are needed. They are
    /// bounds, not keys. Both ends lie in `room` or are the range's own.
    ///
    /// # Errors
    /// [`Error::ShortBuffer`] when `room` is too short: fifteen bytes and those that both ends
    /// share, twice, are always enough.
    ///
    /// ```
    /// use isotone::ByteRange;
    /// let range = ByteRange::new(&b"a"[..], Some(&b"e"[..]));
    /// let mut room = [0u8; 32];
    /// assert_eq!(range.part(0, 2, &mut room)?, ByteRange::new(&b"a"[..], Some(&b"c"[..])));
    /// assert_eq!(range.part(1, 2, &mut room)?, ByteRange::new(&b"c"[..], Some(&b"e"[..])));
    /// # Ok::<(), isotone::Error>(())
    /// ```
    pub fn part<'a>(&'a self, i: usize, n: usize, room: &'a mut [u8]) -> Result<ByteRange<&'a [u8]>, Error> {
        let whole = self.as_ref();
        let (first, last) = (Place::between(&whole, i, n), Place::between(&whole, i.saturating_add(1), n));
        if i >= n || last == Place::Start {
            return Ok(ByteRange::EMPTY);
        }
        let needed = first.len().saturating_add(last.len());
        let short = Error::ShortBuffer { needed, available: room.len() };
        let (start, rest) = room.split_at_mut_checked(first.len()).ok_or(short)?;
        let end = rest.get_mut(..last.len()).ok_or(short)?;
        first.write(start);
        last.write(end);
        let upper = if last == Place::End { whole } else { whole.with_end(Some(end)) };
        Ok(if first == Place::Start { upper } else { upper.with_start(start) })
    }

    /// Place `i` of the `n` − 1 that split the range into `n` parts, from 1: where
    /// [`part`](Self::part) `i` begins. For splitting a table before it is filled. `None` where no
    /// place is found there, or `i` is not from 1 to `n` − 1.
    ///
    /// # Errors
    /// [`Error::ShortBuffer`] when `room` is too short.
    ///
    /// ```
    /// use isotone::ByteRange;
    /// let all = ByteRange::<&[u8]>::ALL;
    /// let mut room = [0u8; 16];
    /// assert_eq!(all.split_point(1, 4, &mut room)?, Some(&[0x40][..]));
    /// assert_eq!(all.split_point(3, 4, &mut room)?, Some(&[0xc0][..]));
    /// # Ok::<(), isotone::Error>(())
    /// ```
    pub fn split_point<'r>(&self, i: usize, n: usize, room: &'r mut [u8]) -> Result<Option<&'r [u8]>, Error> {
        let whole = self.as_ref();
        let place = Place::between(&whole, i, n);
        if !matches!(place, Place::Inside { .. }) {
            return Ok(None);
        }
        let short = Error::ShortBuffer { needed: place.len(), available: room.len() };
        let room = room.get_mut(..place.len()).ok_or(short)?;
        place.write(room);
        Ok(Some(room))
    }

    /// All [`part`](Self::part)s of the range that are not empty, at most `n`, as a list of ranges
    /// that touch.
    ///
    /// # Errors
    /// [`ShortStorage`].
    ///
    /// ```
    /// use isotone::{ByteRange, RangeBuffer};
    /// let mut buffer = RangeBuffer::<3, 16>::new();
    /// let parts = ByteRange::new(&b"a"[..], Some(&b"d"[..])).split(3, buffer.room())?;
    /// assert!(parts.iter().map(|part| part.start().to_vec()).eq([b"a", b"b", b"c"]));
    /// # Ok::<(), isotone::ShortStorage>(())
    /// ```
    pub fn split<'r>(&self, n: usize, room: RangeRoom<'r>) -> Result<RangeList<'r>, ShortStorage> {
        let whole = self.as_ref();
        let list = build(room, |build| {
            for i in 0..n {
                push_part(build, &whole, Place::between(&whole, i, n), Place::between(&whole, i.saturating_add(1), n));
            }
        })?;
        Ok(list.finish())
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

    /// Part `i` of `n`, from 0: for the worker of that number. The parts of one `n` lie in
    /// ascending order and hold every key of the list once. Each range counts for the same, and is
    /// split in proportion as by [`ByteRange::part`]; a part is a run of ranges, cut at both ends.
    ///
    /// # Errors
    /// [`ShortStorage`].
    ///
    /// ```
    /// use isotone::{ByteRange, RangeBuffer, RangeList};
    /// let range = |start, end| ByteRange::<&[u8]>::new(start, Some(end));
    /// let (mut list, mut part) = (RangeBuffer::<3, 16>::new(), RangeBuffer::<3, 16>::new());
    /// let ranges = [range(b"a", b"b"), range(b"c", b"e"), range(b"f", b"g")];
    /// let list = RangeList::collect(ranges, list.room())?;
    /// assert!(list.part(0, 2, part.room())?.iter().eq([range(b"a", b"b"), range(b"c", b"d")]));
    /// assert!(list.part(1, 2, part.room())?.iter().eq([range(b"d", b"e"), range(b"f", b"g")]));
    /// # Ok::<(), isotone::ShortStorage>(())
    /// ```
    pub fn part<'r>(&self, i: usize, n: usize, room: RangeRoom<'r>) -> Result<RangeList<'r>, ShortStorage> {
        Ok(build(room, |build| self.push_parts(build, i, n))?.finish())
    }

    /// All [`part`](Self::part)s of the list, one after another, as a list whose ranges may touch.
    ///
    /// # Errors
    /// [`ShortStorage`].
    pub fn split<'r>(&self, n: usize, room: RangeRoom<'r>) -> Result<RangeList<'r>, ShortStorage> {
        Ok(build(room, |build| (0..n).for_each(|i| self.push_parts(build, i, n)))?.finish())
    }

    fn push_parts(&self, build: &mut Build<'_>, i: usize, n: usize) {
        if i >= n {
            return;
        }
        let (first, from) = self.share(i, n);
        let (last, to) = self.share(i.saturating_add(1), n);
        for at in first..=last {
            let Some(range) = self.get(at) else { return };
            let from = if at == first { Place::between(&range, from, n) } else { Place::Start };
            let to = if at == last { Place::between(&range, to, n) } else { Place::End };
            push_part(build, &range, from, to);
        }
    }

    /// Where the first `i` of `n` shares of the list end: in which range, and after how many
    /// `n`-ths of it.
    fn share(&self, i: usize, n: usize) -> (usize, usize) {
        // In range: two lengths multiplied fit 128 bits, and a quotient of i ≤ n is at most the
        // list's length. `n` is not zero: `i` was below it.
        let shares = (i as u128).wrapping_mul(self.len() as u128);
        let whole = shares.checked_div(n as u128).and_then(|whole| usize::try_from(whole).ok());
        let part = shares.checked_rem(n as u128).and_then(|part| usize::try_from(part).ok());
        (whole.unwrap_or(0), part.unwrap_or(0))
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
    fn start_slice(&self) -> &'a [u8] {
        match self.0 {
            Repr::Span { start, .. } => start,
            Repr::Empty => NOTHING,
        }
    }

    fn end_slice(&self) -> Option<&'a [u8]> {
        match self.0 {
            Repr::Span { end, .. } => end,
            Repr::Empty => Some(NOTHING),
        }
    }

    /// The same start, and another end.
    fn with_end(&self, end: Option<&'a [u8]>) -> Self {
        ByteRange::span(self.start_slice(), self.excludes_start(), end)
    }

    /// The same end, and another start.
    fn with_start(&self, start: &'a [u8]) -> Self {
        ByteRange::new(start, self.end_slice())
    }
}

fn start<'a>(range: &ByteRange<&'a [u8]>) -> Pos<'a> {
    Pos::new(range.start_slice(), range.excludes_start())
}

/// Adds the part of a range between two of its places, unless it is empty.
fn push_part<'a>(build: &mut Build<'_>, range: &ByteRange<&'a [u8]>, from: Place<'a>, to: Place<'a>) {
    if range.is_empty() || from == to || from == Place::End || to == Place::Start {
        return;
    }
    match from {
        Place::Inside { .. } => from.write(build.start(from.len())),
        _ => start(range).write(build.start(start(range).len())),
    }
    match (to, range.end_slice()) {
        (Place::Inside { .. }, _) => to.write(build.end(Some(to.len()))),
        (_, Some(end)) => Pos::at(end).write(build.end(Some(end.len()))),
        (_, None) => {}
    }
}

/// A place in a range.
#[derive(Clone, Copy)]
enum Place<'a> {
    Start,
    /// The first `shared` bytes of the start, with zeros where it is shorter, then digits.
    Inside {
        start: Pos<'a>,
        shared: usize,
        digits: [u8; WINDOW],
        kept: usize,
    },
    End,
}

impl PartialEq for Place<'_> {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Place::Start, Place::Start) | (Place::End, Place::End) => true,
            (Place::Inside { digits: a, .. }, Place::Inside { digits: b, .. }) => a == b,
            _ => false,
        }
    }
}

impl<'a> Place<'a> {
    /// `i` `n`-ths into a range: its start where nothing lies between that is above it.
    fn between(range: &ByteRange<&'a [u8]>, i: usize, n: usize) -> Place<'a> {
        if i == 0 || range.is_empty() {
            return Place::Start;
        }
        if i >= n {
            return Place::End;
        }
        let start = start(range);
        // No end is above all: as if it were all ff and then one more.
        let end = range.end_slice();
        let shared = match end {
            Some(end) => end.iter().zip(start.padded()).take_while(|(a, b)| **a == *b).count(),
            None => start.iter().take_while(|b| *b == 0xff).count(),
        };
        let low = number(start.padded().skip(shared));
        let high = match end {
            Some(end) => number(end.iter().copied().skip(shared).chain(core::iter::repeat(0))),
            None => 1 << (8 * WINDOW),
        };
        // In range, here and below: all are at most 2^120, `i` is below `n`, and both fit 64 bits.
        let width = high.saturating_sub(low);
        let (i, n) = (i as u128, n as u128);
        let (step, rest) = (width.checked_div(n).unwrap_or(0), width.checked_rem(n).unwrap_or(0));
        let place =
            low.wrapping_add(step.wrapping_mul(i)).wrapping_add(rest.wrapping_mul(i).checked_div(n).unwrap_or(0));
        // Whole bytes are dropped as long as a part stays right to one in 256.
        let mut unit = 1u128;
        while unit.wrapping_shl(16) <= step {
            unit = unit.wrapping_shl(8);
        }
        let place = place & !unit.wrapping_sub(1);
        if place <= low {
            return Place::Start;
        }
        let [_, digits @ ..] = place.to_be_bytes();
        let kept = digits.iter().rposition(|b| *b != 0).map_or(0, |last| last.wrapping_add(1));
        Place::Inside { start, shared, digits, kept }
    }

    fn len(&self) -> usize {
        match self {
            Place::Inside { shared, kept, .. } => shared.saturating_add(*kept),
            _ => 0,
        }
    }

    fn write(&self, room: &mut [u8]) {
        if let Place::Inside { start, shared, digits, .. } = self {
            for (to, from) in room.iter_mut().zip(start.padded().take(*shared).chain(*digits)) {
                *to = from;
            }
        }
    }
}

/// The first bytes as a number.
fn number(bytes: impl Iterator<Item = u8>) -> u128 {
    bytes.take(WINDOW).fold(0, |number, byte| number << 8 | u128::from(byte))
}
