//! From text to collation elements: the longest sequence first, no normalization, one pass, nothing
//! on the heap.
//!
//! Elements are made in chunks of a fixed size. Each scalar looks at most two scalars ahead, and
//! what it looked at is either taken or looked at once more, so a text of any content costs a fixed
//! amount for each scalar.

use core::iter::Take;
use core::str::Chars;

use crate::codec::text::TextChars;
use crate::codec::text::TextView;
use crate::collation::data::BEGINS;
use crate::collation::data::LOOK;
use crate::collation::out::Weight;
use crate::collation::table::MOST;
use crate::collation::table::Meaning;
use crate::collation::table::PRIMARY;
use crate::collation::table::Row;
use crate::collation::table::SECONDARY;
use crate::collation::table::SPECIAL;
use crate::collation::table::expansion;
use crate::collation::table::meaning;
use crate::collation::table::triple;

/// Weights of a level in a chunk: a longer text is gone through once for each level.
pub(super) const CHUNK: usize = 64;

/// A place in a text: gives its scalars one by one.
pub(super) trait Scalars: Clone {
    /// The next scalar.
    fn next(&mut self) -> Option<u32>;

    /// The bytes ahead where they lie in memory as they are, else nothing.
    fn bytes(&self) -> &[u8];

    /// Moves past `count` bytes of `bytes`, all ASCII.
    fn skip(&mut self, count: usize);
}

/// A place in a `str`.
#[derive(Clone)]
pub(super) struct Text<'t>(Chars<'t>);

impl<'t> Text<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self(text.chars())
    }
}

impl Scalars for Text<'_> {
    #[inline]
    fn next(&mut self) -> Option<u32> {
        self.0.next().map(u32::from)
    }

    #[inline]
    fn bytes(&self) -> &[u8] {
        self.0.as_str().as_bytes()
    }

    #[inline]
    fn skip(&mut self, count: usize) {
        if let Some(rest) = self.0.as_str().get(count..) {
            self.0 = rest.chars();
        }
    }
}

/// A place in a text that lies escaped or complemented in a key.
#[derive(Clone)]
pub(super) struct Lying<'k>(Take<TextChars<'k>>);

impl<'k> Lying<'k> {
    /// The first `count` scalars of a text.
    pub(super) fn new(text: TextView<'k>, count: usize) -> Self {
        Self(text.chars().take(count))
    }
}

impl Scalars for Lying<'_> {
    #[inline]
    fn next(&mut self) -> Option<u32> {
        self.0.next().map(u32::from)
    }

    fn bytes(&self) -> &[u8] {
        &[]
    }

    fn skip(&mut self, _count: usize) {}
}

/// How many weights there are on the first, second and third level.
type Counts = [usize; 3];

/// The counts after as many more weights on each level. No overflow: the caller has a text of that
/// many letters.
#[inline]
fn moved(counts: Counts, more: usize) -> Counts {
    counts.map(|count| count.wrapping_add(more))
}

/// The weights of some elements, level by level. None is zero.
pub(super) struct Chunk {
    levels: [[Weight; CHUNK]; 3],
    counts: Counts,
}

impl Chunk {
    #[inline]
    pub(super) const fn new() -> Self {
        Self { levels: [[[0; 2]; CHUNK]; 3], counts: [0; 3] }
    }

    /// The weights of a level, from zero to two.
    #[inline]
    pub(super) fn level(&self, level: usize) -> &[Weight] {
        let (Some(weights), Some(count)) = (self.levels.get(level), self.counts.get(level)) else { return &[] };
        weights.get(..*count).unwrap_or(&[])
    }

    /// Drops what is here and takes weights from the text until it ends (`false`) or the chunk may
    /// be full (`true`).
    ///
    /// The place in the text and the counts live in local variables all along: handed out by
    /// reference they would be kept in memory, and each letter would wait for the one before.
    #[inline]
    pub(super) fn fill<S: Scalars>(&mut self, row: &Row, place: &mut S) -> bool {
        let (mut text, mut counts) = (place.clone(), [0usize; 3]);
        let more = loop {
            if text.bytes().first().is_some_and(u8::is_ascii) {
                let taken = self.ascii(row, counts, text.bytes());
                text.skip(taken);
                counts = moved(counts, taken);
            }
            let [p, s, t] = counts;
            if p.max(s).max(t) > const { CHUNK - MOST } {
                break true;
            }
            let Some(scalar) = text.next() else { break false };
            let entry = row.entry(scalar);
            if entry < SPECIAL {
                counts = self.push(counts, entry);
            } else if let Some(elements) = expansion(entry) {
                for element in elements {
                    counts = self.push(counts, *element);
                }
            } else {
                (counts, text) = self.special(scalar, entry, counts, text);
            }
        };
        (*place, self.counts) = (text, counts);
        more
    }

    /// Takes ASCII letters, as long as there is room and no sequence can begin; tells how many.
    #[inline]
    fn ascii(&mut self, row: &Row, counts: Counts, text: &[u8]) -> usize {
        let mut taken = 0usize;
        // No overflow: what was taken is in the text.
        while self.block::<8>(row, counts, text, &mut taken) {}
        while self.block::<4>(row, counts, text, &mut taken) {}
        while self.block::<1>(row, counts, text, &mut taken) {}
        taken
    }

    /// Stores the weights of `N` letters, if that many ASCII letters follow and there is room, and
    /// moves past those before the first that lacks a weight or may begin a sequence with what
    /// follows it; `true` if there is no such letter.
    #[inline(always)]
    fn block<const N: usize>(&mut self, row: &Row, counts: Counts, text: &[u8], taken: &mut usize) -> bool {
        let [p, s, t] = &mut self.levels;
        let [np, ns, nt] = moved(counts, *taken);
        let (Some((letters, rest)), Some(p), Some(s), Some(t)) = (
            text.get(*taken..).and_then(|text| text.split_first_chunk::<N>()),
            p.get_mut(np..).and_then(|p| p.first_chunk_mut::<N>()),
            s.get_mut(ns..).and_then(|s| s.first_chunk_mut::<N>()),
            t.get_mut(nt..).and_then(|t| t.first_chunk_mut::<N>()),
        ) else {
            return false;
        };
        if !letters.is_ascii() {
            return false;
        }
        let (mut plain, mut good, mut last) = (true, 0usize, 0);
        for ((letter, p), (s, t)) in letters.iter().zip(p).zip(s.iter_mut().zip(t)) {
            last = row.ascii.get(usize::from(*letter)).copied().unwrap_or(LOOK);
            plain &= last & LOOK == 0;
            good = good.wrapping_add(usize::from(plain));
            let [p0, p1, s0, s1, t0, t1, ..] = last.to_le_bytes();
            (*p, *s, *t) = ([p0, p1], [s0, s1], [t0, t1]);
        }
        if plain && last & BEGINS != 0 && rest.first().is_some_and(|next| *next >= 0x80) {
            (plain, good) = (false, good.wrapping_sub(1));
        }
        *taken = taken.wrapping_add(good);
        plain
    }

    /// Adds the weights of one element that are not zero; gives the new counts.
    #[inline]
    fn push(&mut self, [np, ns, nt]: Counts, element: u32) -> Counts {
        let [p, s, t] = &mut self.levels;
        // An element has 16, 9 and 5 bits.
        let [wp, ws, wt] = [element >> PRIMARY, element >> SECONDARY & 0x1ff, element & 0x1f];
        let stored = |weight: u32| {
            let [_, _, high, low] = weight.to_be_bytes();
            [high, low]
        };
        // A zero stays behind the end of its level and is written over. The remainders change
        // nothing, since the caller leaves room; they tell the compiler so.
        if let (Some(p), Some(s), Some(t)) = (p.get_mut(np % CHUNK), s.get_mut(ns % CHUNK), t.get_mut(nt % CHUNK)) {
            (*p, *s, *t) = (stored(wp), stored(ws), stored(wt));
        }
        // No overflow: the caller leaves room for what it adds.
        let next = |count: usize, weight: u32| count.wrapping_add(usize::from(weight != 0));
        [next(np, wp), next(ns, ws), next(nt, wt)]
    }

    /// An entry that is not one element.
    #[inline(never)]
    fn special<S: Scalars>(&mut self, scalar: u32, entry: u32, counts: Counts, text: S) -> (Counts, S) {
        let Meaning::Starter(starter) = meaning(scalar, entry) else {
            return (self.plain(scalar, entry, counts), text);
        };
        let mut second = text.clone();
        if let Some(next) = second.next() {
            if starter.triples {
                let mut third = second.clone();
                if let Some(entry) = third.next().and_then(|last| triple([scalar, next, last])) {
                    return (self.plain(scalar, entry, counts), third);
                }
            }
            if let Some(entry) = starter.pair(next) {
                return (self.plain(scalar, entry, counts), second);
            }
        }
        (self.plain(scalar, starter.own, counts), text)
    }

    /// An entry that begins no sequence.
    #[inline]
    fn plain(&mut self, scalar: u32, entry: u32, counts: Counts) -> Counts {
        if entry < SPECIAL {
            return self.push(counts, entry);
        }
        match meaning(scalar, entry) {
            Meaning::Element(element) => self.push(counts, element),
            Meaning::Expansion(elements) => elements.iter().fold(counts, |counts, e| self.push(counts, *e)),
            Meaning::Implicit(elements) => elements.iter().fold(counts, |counts, e| self.push(counts, *e)),
            // A starter's own entry and a sequence's are never starters: the generator makes them
            // from element lists.
            Meaning::Starter(_) => counts,
        }
    }
}
