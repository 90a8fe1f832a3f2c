//! The comparison image of a text: its weights, level after level, in either comparison (FORMAT
//! §4).
//!
//! # Layout
//! Schottky, swedish_pad_as_cs, "Å": `P 23 8d · 00 00 · S 00 20 · 00 00 · T 00 09 · 00 00`
//!
//! # Why this orders
//! A level's weights are never zero, so `00 00` ends a level before anything that it could go on
//! with: the shorter level sorts first, and later levels are compared only where the earlier ones
//! are equal. With the server's padding a space sorts against whatever follows: each space weight
//! is followed by `01` or `03`, as the next other weight is below or above it, and the level ends
//! as if in a space followed by `02`, in the middle.

use crate::codec::text::TextView;
use crate::collation::out::Out;
use crate::collation::out::Weight;
use crate::collation::out::escaped;
use crate::collation::out::escaped_text;
use crate::collation::profile::Accent;
use crate::collation::profile::Algorithm;
use crate::collation::profile::Case;
use crate::collation::profile::CollationProfile;
use crate::collation::profile::Comparison;
use crate::collation::profile::Padding;
use crate::collation::table::Row;
use crate::collation::table::uppercase;
use crate::collation::uca::CHUNK;
use crate::collation::uca::Chunk;
use crate::collation::uca::Scalars;

/// The primary weight of a space, and what follows one in a padded level of the server's
/// comparison.
pub(super) const SPACE: Weight = [0x02, 0x09];
pub(super) const BELOW: u8 = 1;
pub(super) const END: u8 = 2;
pub(super) const ABOVE: u8 = 3;
/// The server drops these from the end of the second and third level.
pub(super) const SECOND_TAIL: Weight = [0x00, 0x20];
pub(super) const THIRD_TAIL: Weight = [0x00, 0x02];

/// Whether the first level is padded as the server does.
#[inline]
pub(super) fn is_padded(profile: CollationProfile) -> bool {
    profile.comparison() == Comparison::Server && profile.padding() == Padding::Space
}

/// How a level ends.
#[derive(Clone, Copy)]
enum Rule {
    /// As it is.
    Plain,
    /// Without its trailing weights of this value.
    Trim(Weight),
    /// Padded as the server does.
    Pad,
}

/// A text ready to be said more than once: its weights are known, all of them or those of its
/// beginning.
pub(super) struct Image<'t, S> {
    profile: CollationProfile,
    row: &'static Row,
    /// The whole text, for a total key.
    text: TextView<'t>,
    /// What counts of it.
    counts: S,
    first: Chunk,
    rest: S,
    more: bool,
}

impl<'t, S: Scalars> Image<'t, S> {
    /// Of `text`, of which `counts` is left when the profile has cut it; not weighed yet: the
    /// weights are large, and this is best done where they stay.
    #[inline]
    pub(super) fn new(profile: CollationProfile, row: &'static Row, text: TextView<'t>, counts: S) -> Self {
        Self { profile, row, text, rest: counts.clone(), counts, first: Chunk::new(), more: false }
    }

    /// Weighs the text, once.
    #[inline]
    pub(super) fn weigh(&mut self) {
        // Only the UCA has weights.
        if let Algorithm::Uca = self.profile.algorithm() {
            self.more = self.first.fill(self.row, &mut self.rest);
        }
    }

    /// Says the image. Each call says the same bytes.
    #[inline]
    pub(super) fn say<O: Out>(&self, out: &mut O) {
        match self.profile.algorithm() {
            Algorithm::Uca => self.levels(out),
            Algorithm::SimpleCase => simple_case(self.counts.clone(), out),
            Algorithm::Binary => binary(self.counts.clone(), out),
        }
    }

    /// Says the total key: the image, then the text escaped.
    #[inline]
    pub(super) fn say_total<O: Out>(&self, out: &mut O) {
        self.say(out);
        escaped_text(self.text, out);
    }

    /// At most this many bytes has the image escaped, as far as the weights tell.
    #[inline]
    pub(super) fn most_escaped(&self) -> Option<usize> {
        if self.more || !matches!(self.profile.algorithm(), Algorithm::Uca) {
            return None;
        }
        let level = |number| self.first.level(number).len().saturating_mul(3).saturating_add(4);
        // A weight has at most one zero byte, and a space no zero but a byte behind it.
        let second = if self.profile.accent() == Accent::Sensitive { level(1) } else { 0 };
        let third = if self.profile.case() == Case::Sensitive { level(2) } else { 0 };
        Some(level(0).saturating_add(second).saturating_add(third))
    }

    #[inline]
    fn levels<O: Out>(&self, out: &mut O) {
        let server = self.profile.comparison() == Comparison::Server;
        let trim = |weight| if server { Rule::Trim(weight) } else { Rule::Plain };
        self.level(0, if is_padded(self.profile) { Rule::Pad } else { Rule::Plain }, out);
        if self.profile.accent() == Accent::Sensitive {
            self.level(1, trim(SECOND_TAIL), out);
        }
        if self.profile.case() == Case::Sensitive {
            self.level(2, trim(THIRD_TAIL), out);
        }
    }

    #[inline(always)]
    fn level<O: Out>(&self, number: usize, rule: Rule, out: &mut O) {
        let mut level = Level { rule, held: 0 };
        level.chunk(self.first.level(number), out);
        if self.more {
            self.long(level, number, out);
        }
        if let Rule::Pad = rule {
            out.put(&[SPACE[0], SPACE[1], END]);
        } else {
            out.end();
        }
    }

    /// Goes through what the first chunk did not hold, for one level.
    #[inline(never)]
    fn long<O: Out>(&self, mut level: Level, number: usize, out: &mut O) {
        let (mut chunk, mut text, mut more) = (Chunk::new(), self.rest.clone(), true);
        while more {
            more = chunk.fill(self.row, &mut text);
            level.chunk(chunk.level(number), out);
        }
    }
}

/// One level on its way out.
struct Level {
    rule: Rule,
    /// Weights held back: trailing ones, as long as nothing else follows.
    held: usize,
}

impl Level {
    #[inline]
    fn chunk<O: Out>(&mut self, weights: &[Weight], out: &mut O) {
        match self.rule {
            Rule::Plain => out.weights(weights),
            Rule::Trim(weight) => self.trim(weight, weights, out),
            Rule::Pad => {
                if self.held > 0 || weights.iter().fold(false, |any, weight| any | (*weight == SPACE)) {
                    self.spaces(weights, out);
                } else {
                    out.weights(weights);
                }
            }
        }
    }

    #[inline]
    fn trim<O: Out>(&mut self, weight: Weight, weights: &[Weight], out: &mut O) {
        let body = weights.iter().rposition(|w| *w != weight).map_or(0, |last| last.saturating_add(1));
        let (body, tail) = weights.split_at_checked(body).unwrap_or((weights, &[]));
        if !body.is_empty() {
            for _ in 0..core::mem::take(&mut self.held) {
                out.put(&weight);
            }
            out.weights(body);
        }
        self.held = self.held.saturating_add(tail.len());
    }

    #[inline(never)]
    fn spaces<O: Out>(&mut self, weights: &[Weight], out: &mut O) {
        let mut words = Gathered { room: [0; 3 * CHUNK], len: 0, out };
        for weight in weights {
            if *weight == SPACE {
                self.held = self.held.saturating_add(1);
                continue;
            }
            let side = if *weight < SPACE { BELOW } else { ABOVE };
            for _ in 0..core::mem::take(&mut self.held) {
                words.put([SPACE[0], SPACE[1], side]);
            }
            words.put(*weight);
        }
        words.say();
    }
}

/// Bytes that are said together: the words between spaces are short.
struct Gathered<'o, O> {
    room: [u8; 3 * CHUNK],
    len: usize,
    out: &'o mut O,
}

impl<O: Out> Gathered<'_, O> {
    #[inline(always)]
    fn put<const N: usize>(&mut self, bytes: [u8; N]) {
        if self.len > const { 3 * CHUNK - N } {
            self.say();
        }
        if let Some(slot) = self.room.get_mut(self.len..).and_then(|room| room.first_chunk_mut()) {
            *slot = bytes;
        }
        // In range: there was room.
        self.len = self.len.wrapping_add(N);
    }

    fn say(&mut self) {
        self.out.put(self.room.get(..self.len).unwrap_or(&[]));
        self.len = 0;
    }
}

/// Says the simple case image: each scalar's uppercase + 1 in three bytes, then three zeros.
fn simple_case<S: Scalars, O: Out>(mut text: S, out: &mut O) {
    const ROOM: usize = 32;
    let mut more = true;
    while more {
        let mut room = [[0; 3]; ROOM];
        let mut count = 0usize;
        for slot in &mut room {
            let Some(scalar) = text.next() else {
                more = false;
                break;
            };
            let [_, unit @ ..] = uppercase(scalar).saturating_add(1).to_be_bytes();
            *slot = unit;
            count = count.saturating_add(1);
        }
        out.put(room.get(..count).unwrap_or(&[]).as_flattened());
    }
    out.put(&[0; 3]);
}

/// Says the binary image: the UTF-8, escaped.
fn binary<S: Scalars, O: Out>(mut text: S, out: &mut O) {
    if !text.bytes().is_empty() {
        return escaped(text.bytes(), out);
    }
    while let Some(scalar) = text.next() {
        let mut room = [0; 4];
        // Never the default: a text has no other scalars.
        let utf8 = char::from_u32(scalar).unwrap_or_default().encode_utf8(&mut room);
        out.put(if scalar == 0 { &[0, 0xff] } else { utf8.as_bytes() });
    }
    out.put(&[0, 0]);
}
