//! Keys of plain ASCII text, the quick way: every letter has one weight on each level, so each
//! level's place in the key is known before anything is written, and a letter costs one load and
//! one store a level.
//!
//! Nothing here decides an order: a text that needs more than that (a letter without weights, a
//! sequence such as the Czech `ch`, a space under the server's padding) is left to `uca.rs`, and
//! the tests hold both ways to the same bytes.

use crate::collation::data::BEGINS;
use crate::collation::data::LOOK;
use crate::collation::image::END;
use crate::collation::image::SECOND_TAIL;
use crate::collation::image::SPACE;
use crate::collation::image::THIRD_TAIL;
use crate::collation::image::is_padded;
use crate::collation::profile::Accent;
use crate::collation::profile::Algorithm;
use crate::collation::profile::Case;
use crate::collation::profile::CollationProfile;
use crate::collation::profile::Comparison;
use crate::collation::table::Row;

/// A text all of whose letters are plain under a profile.
pub(super) struct Ascii<'t> {
    row: &'static Row,
    text: &'t [u8],
    /// What ends the first level, two bytes or three.
    end: [u8; 2],
    more: Option<u8>,
    /// Letters whose weights are kept on the second and third level; `None` without that level.
    second: Option<&'t [u8]>,
    third: Option<&'t [u8]>,
}

/// Where a level lies in the row's entry of a letter.
const FIRST: u32 = 0;
const SECOND: u32 = 16;
const THIRD: u32 = 32;

/// Texts of more letters with a sequence among them are left to `uca.rs`.
const ROOM: usize = 64;
/// The first letter that stands for a sequence.
const JOINED: u8 = 0x80;

/// Room for the letters of a text in which some are joined.
pub(super) type Joined = [u8; ROOM];
pub(super) const NO_LETTERS: Joined = [0; ROOM];

/// What the row says of a letter.
#[inline(always)]
fn found(row: &Row, letter: u8) -> u64 {
    row.ascii.get(usize::from(letter)).copied().unwrap_or(LOOK)
}

/// Two bytes of a letter's weights, as an image has them.
#[inline(always)]
fn weight(row: &Row, letter: u8, level: u32) -> [u8; 2] {
    let [first, second, ..] = (found(row, letter) >> level).to_le_bytes();
    [first, second]
}

impl<'t> Ascii<'t> {
    /// The text, if it is plain. What the profile cuts from its end is to be cut before.
    #[inline]
    pub(super) fn new(
        profile: CollationProfile,
        row: &'static Row,
        text: &'t str,
        room: &'t mut Joined,
    ) -> Option<Self> {
        let Algorithm::Uca = profile.algorithm() else { return None };
        let mut text = text.as_bytes();
        let (end, more) = if is_padded(profile) { (SPACE, Some(END)) } else { ([0, 0], None) };
        let (mut all, mut marks, mut rest) = (0, 0, text);
        while let Some((eight, more)) = rest.split_first_chunk::<8>() {
            // Most other text is known by its first letters.
            if !eight.is_ascii() {
                return None;
            }
            for letter in eight {
                marks |= found(row, *letter);
            }
            rest = more;
        }
        for letter in rest {
            all |= letter;
            marks |= found(row, *letter);
        }
        if all >= JOINED || more.is_some() && text.contains(&b' ') {
            return None;
        }
        if marks & LOOK != 0 {
            text = join(row, text, room)?;
        }
        let server = profile.comparison() == Comparison::Server;
        let kept = |level, tail| {
            if !server {
                return Some(text);
            }
            let last = text.iter().rposition(|letter| weight(row, *letter, level) != tail);
            text.get(..last.map_or(0, |last| last.saturating_add(1)))
        };
        let second = if profile.accent() == Accent::Sensitive { kept(SECOND, SECOND_TAIL) } else { None };
        let third = if profile.case() == Case::Sensitive { kept(THIRD, THIRD_TAIL) } else { None };
        Some(Self { row, text, end, more, second, third })
    }

    /// The exact number of bytes of the key.
    #[inline]
    pub(super) fn size(&self) -> usize {
        let level = |letters: Option<&[u8]>| letters.map_or(0, |l| l.len().saturating_mul(2).saturating_add(2));
        let first = self.text.len().saturating_mul(2).saturating_add(if self.more.is_some() { 3 } else { 2 });
        first.saturating_add(level(self.second)).saturating_add(level(self.third))
    }

    /// Writes the key to the front of a room that has at least its size.
    #[inline]
    pub(super) fn write(&self, mut room: &mut [u8]) {
        self.level::<FIRST>(&mut room, self.text);
        put(&mut room, self.end);
        if let Some(more) = self.more {
            put(&mut room, [more]);
        }
        if let Some(letters) = self.second {
            self.level::<SECOND>(&mut room, letters);
            put(&mut room, [0, 0]);
        }
        if let Some(letters) = self.third {
            self.level::<THIRD>(&mut room, letters);
            put(&mut room, [0, 0]);
        }
    }

    #[inline(always)]
    fn level<const LEVEL: u32>(&self, room: &mut &mut [u8], letters: &[u8]) {
        let own = take(room, letters.len().saturating_mul(2)).unwrap_or(&mut []);
        for (slot, letter) in own.chunks_exact_mut(2).zip(letters) {
            if let Some(slot) = slot.first_chunk_mut() {
                *slot = weight(self.row, *letter, LEVEL);
            }
        }
    }

    /// The exact number of bytes of the key as an escaped payload (FORMAT §2.2).
    #[inline]
    pub(super) fn field_size(&self) -> usize {
        let level = |letters: Option<&[u8]>| letters.map_or(0, |l| l.len().saturating_mul(3).saturating_add(4));
        // A primary has no zero byte: only `00 00` at its end grows, and the padded end has none
        // either.
        let end = if self.more.is_some() { 3 } else { 4 };
        let first = self.text.len().saturating_mul(2).saturating_add(end);
        first.saturating_add(level(self.second)).saturating_add(level(self.third)).saturating_add(2)
    }

    /// Writes the key as an escaped payload, each byte turned over by `flip`, to the front of a
    /// room of its size.
    #[inline]
    pub(super) fn write_field(&self, mut room: &mut [u8], flip: u8) {
        let mark = 0xff ^ flip;
        if let Some(own) = take(&mut room, self.text.len().saturating_mul(2)) {
            for (slot, letter) in own.chunks_exact_mut(2).zip(self.text) {
                if let Some(slot) = slot.first_chunk_mut() {
                    *slot = weight(self.row, *letter, FIRST).map(|byte| byte ^ flip);
                }
            }
        }
        match self.more {
            Some(more) => {
                let [a, b] = self.end;
                put(&mut room, [a ^ flip, b ^ flip, more ^ flip]);
            }
            None => put(&mut room, [flip, mark, flip, mark]),
        }
        if let Some(letters) = self.second {
            self.level_field::<SECOND>(&mut room, letters, flip);
        }
        if let Some(letters) = self.third {
            self.level_field::<THIRD>(&mut room, letters, flip);
        }
        put(&mut room, [flip; 2]);
    }

    #[inline(always)]
    fn level_field<const LEVEL: u32>(&self, room: &mut &mut [u8], letters: &[u8], flip: u8) {
        let mark = 0xff ^ flip;
        let own = take(room, letters.len().saturating_mul(3)).unwrap_or(&mut []);
        for (slot, letter) in own.chunks_exact_mut(3).zip(letters) {
            let [_, low] = weight(self.row, *letter, LEVEL);
            if let Some(slot) = slot.first_chunk_mut() {
                *slot = [flip, mark, low ^ flip];
            }
        }
        put(room, [flip, mark, flip, mark]);
    }
}

/// The letters of a text, each sequence of two as a letter of its own; `None` if a letter lacks a
/// weight, or there are too many. The generator makes sure that every sequence has plain weights.
#[inline(never)]
fn join<'t>(row: &Row, mut text: &[u8], room: &'t mut Joined) -> Option<&'t [u8]> {
    let mut count = 0usize;
    while let Some((first, rest)) = text.split_first() {
        let marks = found(row, *first) & (LOOK | BEGINS);
        (text, *room.get_mut(count)?) = match (marks, rest.split_first()) {
            (LOOK, _) => return None,
            (0 | BEGINS, _) | (_, None) => (rest, *first),
            (_, Some((second, more))) => {
                match row.joins.iter().zip(JOINED..).find(|(pair, _)| **pair == [*first, *second]) {
                    Some((_, joined)) => (more, joined),
                    None => (rest, *first),
                }
            }
        };
        count = count.wrapping_add(1);
    }
    room.get(..count)
}

/// Cuts bytes off the front of a room.
#[inline]
fn take<'o>(room: &mut &'o mut [u8], size: usize) -> Option<&'o mut [u8]> {
    let (own, rest) = core::mem::take(room).split_at_mut_checked(size)?;
    *room = rest;
    Some(own)
}

/// Puts bytes at the front of a room and cuts them off.
#[inline]
fn put<const N: usize>(room: &mut &mut [u8], bytes: [u8; N]) {
    if let Some((own, rest)) = core::mem::take(room).split_first_chunk_mut() {
        *own = bytes;
        *room = rest;
    }
}
