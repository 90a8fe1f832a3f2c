//! Where the bytes of an image go, piece by piece: counted, into a buffer, escaped into a field, or
//! against other bytes.

use core::cmp::Ordering;

use crate::codec::text::TextView;
use crate::order::Flip;
use crate::raw::short;
use crate::raw::sink::Count;
use crate::raw::sink::Sink;
use crate::raw::sink::count;
use crate::raw::sink::escape;

/// A weight as it stands in an image.
pub(super) type Weight = [u8; 2];

/// Hears the bytes of an image in order, in pieces of any size.
pub(super) trait Out {
    /// The next bytes.
    fn put(&mut self, bytes: &[u8]);

    /// The next weights of a level, none of them zero: the same as their bytes. Who escapes zeros
    /// knows more about pairs than about bytes: most second and third weights are a zero and
    /// another byte.
    #[inline]
    fn weights(&mut self, weights: &[Weight]) {
        self.put(weights.as_flattened());
    }

    /// The two zeros that end a level.
    #[inline]
    fn end(&mut self) {
        self.put(&[0, 0]);
    }
}

/// Says bytes escaped as in FORMAT §2.2, with their end.
pub(super) fn escaped<O: Out>(bytes: &[u8], out: &mut O) {
    let mut parts = bytes.split(|byte| *byte == 0);
    if let Some(first) = parts.next() {
        out.put(first);
    }
    for part in parts {
        out.put(&[0, 0xff]);
        out.put(part);
    }
    out.put(&[0, 0]);
}

/// The same for a text, however it lies.
pub(super) fn escaped_text<O: Out>(text: TextView<'_>, out: &mut O) {
    match text.as_str() {
        Some(text) => escaped(text.as_bytes(), out),
        None => {
            for byte in text.bytes() {
                out.put(if byte == 0 { &[0, 0xff] } else { core::slice::from_ref(&byte) });
            }
            out.put(&[0, 0]);
        }
    }
}

impl Out for Count {
    #[inline]
    fn put(&mut self, bytes: &[u8]) {
        self.0 = self.0.saturating_add(bytes.len());
    }
}

/// Fills the front of a slice that is large enough.
pub(super) struct Front<'o> {
    pub(super) out: &'o mut [u8],
    pub(super) len: usize,
}

impl Out for Front<'_> {
    #[inline]
    fn put(&mut self, bytes: &[u8]) {
        let end = self.len.saturating_add(bytes.len());
        if let Some(room) = self.out.get_mut(self.len..end) {
            short::copy(room, bytes, 0);
            self.len = end;
        }
    }
}

/// Escapes into any sink of the kernel, without the end.
pub(super) struct Escaping<'s, S> {
    pub(super) sink: &'s mut S,
    pub(super) flip: Flip,
}

impl<S: Sink> Out for Escaping<'_, S> {
    fn put(&mut self, bytes: &[u8]) {
        let mut parts = bytes.split(|byte| *byte == 0);
        if let Some(first) = parts.next() {
            self.sink.put_slice(first, self.flip);
        }
        for part in parts {
            self.sink.put([0, 0xff], self.flip);
            self.sink.put_slice(part, self.flip);
        }
    }
}

/// Counts the bytes of an escaped payload, without its end.
pub(super) struct FieldSize(pub(super) usize);

impl Out for FieldSize {
    #[inline]
    fn put(&mut self, bytes: &[u8]) {
        self.0 = self.0.saturating_add(bytes.len()).saturating_add(count(bytes, 0));
    }
}

/// Fills a field's room with an escaped payload, without its end, for which there is room too.
/// Knows weights, which makes it quicker than [`Escaping`].
pub(super) struct Field<'o> {
    pub(super) out: &'o mut [u8],
    pub(super) len: usize,
    pub(super) flip: Flip,
}

impl Out for Field<'_> {
    #[inline]
    fn put(&mut self, bytes: &[u8]) {
        let (room, mask) = (self.out.get_mut(self.len..).unwrap_or(&mut []), self.flip.mask());
        let len =
            short::put(room, None, bytes, 0, mask, mask).unwrap_or_else(|| escape(room, bytes, Flip::No, self.flip));
        // The end that comes with it is written over by what follows.
        self.len = self.len.saturating_add(len.saturating_sub(2));
    }

    #[inline]
    fn weights(&mut self, weights: &[Weight]) {
        match weights.first() {
            Some([0, _]) if is_narrow(weights) => {
                let room = self.out.get_mut(self.len..).unwrap_or(&mut []);
                escape_narrow(room, weights, self.flip.mask());
                self.len = self.len.saturating_add(weights.len().saturating_mul(3));
            }
            _ => self.put(weights.as_flattened()),
        }
    }

    #[inline]
    fn end(&mut self) {
        let (zero, mark) = (self.flip.mask(), 0xff ^ self.flip.mask());
        if let Some(end) = self.out.get_mut(self.len..).and_then(|room| room.first_chunk_mut()) {
            *end = [zero, mark, zero, mark];
        }
        self.len = self.len.saturating_add(4);
    }
}

/// Whether every first byte is zero: looked at four weights at a time.
#[inline]
fn is_narrow(weights: &[Weight]) -> bool {
    let fours = weights.chunks_exact(4);
    let rest = fours.remainder().iter().fold(0, |any, [high, _]| any | high);
    let all =
        fours.filter_map(|four| four.as_flattened().first_chunk()).fold(0, |any, four| any | u64::from_le_bytes(*four));
    rest == 0 && all & 0x00ff_00ff_00ff_00ff == 0
}

/// Escapes weights whose first bytes are zero, and no others: three bytes for each, twelve at a
/// time.
#[inline]
fn escape_narrow(room: &mut [u8], weights: &[Weight], flip: u8) {
    let fours = weights.chunks_exact(4);
    // In range: no more bytes than three for each weight, which fit in the room.
    let (body, rest) = room.split_at_mut_checked((weights.len() / 4).wrapping_mul(12)).unwrap_or_default();
    let flips = u64::from_ne_bytes([flip; 8]);
    for (slot, [_, second]) in rest.chunks_exact_mut(3).zip(fours.remainder()) {
        if let Some(slot) = slot.first_chunk_mut() {
            *slot = [flip, 0xff ^ flip, second ^ flip];
        }
    }
    for (slot, four) in body.chunks_exact_mut(12).zip(fours) {
        let (Some((low, high)), Some(four)) = (slot.split_first_chunk_mut(), four.as_flattened().first_chunk()) else {
            return;
        };
        // `00 a 00 b 00 c 00 d` becomes `00 ff a 00 ff b 00 ff` and `c 00 ff d`.
        let four = u64::from_le_bytes(*four);
        let front = (four & 0xff00) << 8 | (four & 0xff00_0000) << 16 | 0xff00_00ff_0000_ff00;
        let back = four >> 40 & 0xff | four >> 56 << 24 | 0xff_0000;
        *low = (front ^ flips).to_le_bytes();
        if let (Some(high), Some(back)) = (high.first_chunk_mut::<4>(), (back ^ flips).to_le_bytes().first_chunk()) {
            *high = *back;
        }
    }
}

/// Compares what is put with other bytes.
pub(super) struct Against<I> {
    other: I,
    found: Ordering,
}

impl<I: Iterator<Item = u8>> Against<I> {
    pub(super) const fn new(other: I) -> Self {
        Self { other, found: Ordering::Equal }
    }

    /// How all that was put compares with all the others.
    pub(super) fn finish(mut self) -> Ordering {
        self.found.then_with(|| if self.other.next().is_some() { Ordering::Less } else { Ordering::Equal })
    }
}

impl<I: Iterator<Item = u8>> Out for Against<I> {
    fn put(&mut self, bytes: &[u8]) {
        if self.found.is_ne() {
            return;
        }
        for byte in bytes {
            self.found = self.other.next().map_or(Ordering::Greater, |other| byte.cmp(&other));
            if self.found.is_ne() {
                return;
            }
        }
    }
}
