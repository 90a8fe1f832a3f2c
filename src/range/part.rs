//! Ranges in parts: for scans that run side by side, and for splitting a table before it is filled.

use crate::error::Error;
use crate::range::ByteRange;
use crate::range::algebra::start;
use crate::range::list::RangeList;
use crate::range::storage::Build;
use crate::range::storage::Pos;
use crate::range::storage::RangeRoom;
use crate::range::storage::ShortStorage;
use crate::range::storage::build;

/// How many bytes behind those that both ends share are looked at to find a place between them.
const WINDOW: usize = 15;

impl<B: AsRef<[u8]>> ByteRange<B> {
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

impl<'b> RangeList<'b> {
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
