//! Where a codec's bytes go: counted, tallied, stored, or compared. A codec says its bytes once;
//! its size, its writing and its comparison are that one saying heard by different sinks.

use core::cmp::Ordering;

use crate::error::Error;
use crate::order::Flip;
use crate::raw::block;
use crate::raw::lanes::word_zeros;
use crate::raw::lanes::xor;
use crate::raw::long;
use crate::raw::view::ByteView;

/// A value that its kind does not allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Invalid {
    /// Outside the domain, or a composite that breaks a rule.
    Value,
    /// Of another type than the kind.
    Type,
}

impl Invalid {
    /// What this is called outside: `field` is the field's index, `at` where it starts.
    pub(crate) fn told(self, field: usize, at: usize) -> Error {
        match self {
            Invalid::Value => Error::InvalidValue { at },
            Invalid::Type => Error::TypeMismatch { field },
        }
    }
}

/// Takes the bytes of a payload in order. Every byte is complemented when its flip says so.
pub(crate) trait Sink {
    /// Whether what is said was measured before, and so needs no second judgement.
    const MEASURED: bool = false;
    /// Bytes of a width that is known when compiling.
    fn put<const N: usize>(&mut self, bytes: [u8; N], flip: Flip);
    /// Bytes as they are.
    fn put_slice(&mut self, bytes: &[u8], flip: Flip);
    /// The view's value escaped, and its `00 00`.
    fn put_escaped(&mut self, view: ByteView<'_>, flip: Flip);
}

/// A value that can say the bytes of its payload.
pub(crate) trait Payload {
    /// Says the ascending bytes, each under `flip`. Says the same to every sink.
    fn put<S: Sink>(&self, sink: &mut S, flip: Flip) -> Result<(), Invalid>;

    /// Exact number of bytes.
    #[inline(always)]
    fn size(&self) -> Result<usize, Invalid> {
        let mut count = Count(0);
        self.put(&mut count, Flip::No)?;
        Ok(count.0)
    }
}

impl<P: Payload> Payload for &P {
    #[inline(always)]
    fn put<S: Sink>(&self, sink: &mut S, flip: Flip) -> Result<(), Invalid> {
        (**self).put(sink, flip)
    }
}

/// Counts.
pub(crate) struct Count(pub(crate) usize);

impl Sink for Count {
    #[inline(always)]
    fn put<const N: usize>(&mut self, _: [u8; N], _: Flip) {
        self.0 = self.0.saturating_add(N);
    }
    #[inline(always)]
    fn put_slice(&mut self, bytes: &[u8], _: Flip) {
        self.0 = self.0.saturating_add(bytes.len());
    }
    #[inline(always)]
    fn put_escaped(&mut self, view: ByteView<'_>, _: Flip) {
        self.0 = self.0.saturating_add(escaped_size(view));
    }
}

/// Exact size of the value escaped, its end included: length + zeros + 2.
#[inline(always)]
pub(crate) fn escaped_size(view: ByteView<'_>) -> usize {
    let escaped = match view.unescaped() {
        Some((raw, flip)) => raw.len().saturating_add(count(raw, flip.mask())),
        None => match view.lying() {
            // It lies escaped already.
            Some((raw, _)) => raw.len(),
            None => view.len().saturating_add(view.iter().filter(|b| *b == 0).count()),
        },
    };
    // Twice the longest slice and two is more than an address can say: no buffer has room for it.
    escaped.saturating_add(2)
}

/// How often `byte` stands in `raw`.
#[inline(always)]
pub(crate) fn count(raw: &[u8], byte: u8) -> usize {
    if raw.len() <= 32 { count_short(raw, byte) } else { count_long(raw, byte) }
}

#[inline(always)]
fn count_short(raw: &[u8], byte: u8) -> usize {
    let want = u64::from_ne_bytes([byte; 8]);
    let (mut zeros, mut rest) = (0u64, raw);
    while let Some((word, tail)) = rest.split_first_chunk::<8>() {
        zeros = zeros.wrapping_add(word_zeros(u64::from_le_bytes(*word) ^ want));
        rest = tail;
    }
    for b in rest {
        zeros = zeros.wrapping_add(u64::from(*b == byte));
    }
    // In range: at most 32.
    usize::try_from(zeros).unwrap_or(0)
}

#[inline(never)]
fn count_long(raw: &[u8], byte: u8) -> usize {
    // A sum of at most 255 ones fits a byte, which lets the compiler use byte lanes.
    raw.chunks(255).map(|chunk| usize::from(chunk.iter().fold(0u8, |n, b| n.wrapping_add(u8::from(*b == byte))))).sum()
}

/// Stores into room that was measured for exactly these bytes.
pub(crate) struct Room<'r> {
    room: &'r mut [u8],
    pos: usize,
}

impl<'r> Room<'r> {
    #[inline(always)]
    pub(crate) fn new(room: &'r mut [u8]) -> Self {
        Room { room, pos: 0 }
    }

    /// Bytes stored so far.
    #[inline(always)]
    pub(crate) fn pos(&self) -> usize {
        self.pos
    }
}

impl Sink for Room<'_> {
    const MEASURED: bool = true;

    #[inline(always)]
    fn put<const N: usize>(&mut self, bytes: [u8; N], flip: Flip) {
        if let Some(to) = self.room.get_mut(self.pos..).and_then(|r| r.first_chunk_mut::<N>()) {
            *to = xor(bytes, flip.mask());
        }
        self.pos = self.pos.wrapping_add(N);
    }

    #[inline(always)]
    fn put_slice(&mut self, bytes: &[u8], flip: Flip) {
        if let Some(to) = self.room.get_mut(self.pos..).and_then(|r| r.get_mut(..bytes.len())) {
            copy(to, bytes, flip);
        }
        self.pos = self.pos.wrapping_add(bytes.len());
    }

    #[inline(always)]
    fn put_escaped(&mut self, view: ByteView<'_>, flip: Flip) {
        let to = self.room.get_mut(self.pos..).unwrap_or(&mut []);
        let n = match view.unescaped() {
            Some((raw, inner)) => escape(to, raw, inner, flip),
            None => escape_lying(to, view, flip),
        };
        self.pos = self.pos.wrapping_add(n);
    }
}

/// Copies equally long slices, complementing on the way.
#[inline(always)]
pub(crate) fn copy(to: &mut [u8], from: &[u8], flip: Flip) {
    match flip {
        Flip::No if to.len() == from.len() => to.copy_from_slice(from),
        _ => {
            for (to, from) in to.iter_mut().zip(from) {
                *to = from ^ flip.mask();
            }
        }
    }
}

/// Escapes `raw`, which stands for its complement if `inner` says so, into the front of `to`, and
/// ends it. Returns how many bytes that took; `to` must have them all. Writes nothing behind them.
#[inline(always)]
pub(crate) fn escape(to: &mut [u8], raw: &[u8], inner: Flip, flip: Flip) -> usize {
    if raw.len() < 32 {
        let n = block::escape_bytes(to, 0, raw, inner.mask(), flip.then(inner).mask(), !flip.mask());
        block::end(to, n, flip.mask())
    } else {
        long::escape(to, raw, inner, flip)
    }
}

/// The same for a view that lies escaped elsewhere: what lies there is copied.
#[inline(never)]
fn escape_lying(to: &mut [u8], view: ByteView<'_>, flip: Flip) -> usize {
    let mut n = 0usize;
    match view.lying() {
        Some((raw, inner)) => {
            if let Some(to) = to.get_mut(..raw.len()) {
                copy(to, raw, flip.then(inner));
            }
            n = raw.len();
        }
        None => {
            for byte in view.iter() {
                n = block::escape_bytes(to, n, &[byte], 0, flip.mask(), 0xff ^ flip.mask());
            }
        }
    }
    block::end(to, n, flip.mask())
}

/// Escapes the first `n` bytes of `room` where they are, complemented if `flip` says so, and ends
/// them. `room` is exactly as long as the outcome. Works from the back, so that no byte is
/// overwritten before it was read.
pub(crate) fn escape_in_place(room: &mut [u8], n: usize, flip: Flip) {
    let (mut from, mut to) = (n, room.len());
    let mut push = |room: &mut [u8], byte: u8| {
        to = to.saturating_sub(1);
        if let Some(slot) = room.get_mut(to) {
            *slot = byte ^ flip.mask();
        }
    };
    push(room, 0);
    push(room, 0);
    while let Some(at) = from.checked_sub(1) {
        let byte = room.get(at).copied().unwrap_or(0);
        if byte == 0 {
            push(room, 0xff);
        }
        push(room, byte);
        from = at;
    }
}

/// How many bytes, and how many of them are `00` and `ff`: enough to know the size of the same
/// bytes escaped, in either direction, at any depth, without having them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) bytes: usize,
    zeros: usize,
    ones: usize,
}

impl Tally {
    pub(crate) fn of(bytes: &[u8]) -> Tally {
        Tally { bytes: bytes.len(), zeros: count(bytes, 0), ones: count(bytes, 0xff) }
    }

    /// So many bytes, of which nothing else is known or asked.
    #[inline(always)]
    pub(crate) fn sized(bytes: usize) -> Tally {
        Tally { bytes, zeros: 0, ones: 0 }
    }

    pub(crate) fn add(self, more: Tally) -> Tally {
        Tally {
            bytes: self.bytes.saturating_add(more.bytes),
            zeros: self.zeros.saturating_add(more.zeros),
            ones: self.ones.saturating_add(more.ones),
        }
    }

    /// The same bytes escaped and ended, then complemented if `flip` says so.
    pub(crate) fn escaped(self, flip: Flip) -> Tally {
        // Each zero gains an `ff`; the end is two more zeros.
        let bytes = self.bytes.saturating_add(self.zeros).saturating_add(2);
        let (zeros, ones) = (self.zeros.saturating_add(2), self.ones.saturating_add(self.zeros));
        Tally { bytes, zeros, ones }.flipped(flip)
    }

    fn flipped(self, flip: Flip) -> Tally {
        match flip {
            Flip::No => self,
            Flip::Yes => Tally { zeros: self.ones, ones: self.zeros, ..self },
        }
    }
}

impl Sink for Tally {
    fn put<const N: usize>(&mut self, bytes: [u8; N], flip: Flip) {
        *self = self.add(Tally::of(&bytes).flipped(flip));
    }
    fn put_slice(&mut self, bytes: &[u8], flip: Flip) {
        *self = self.add(Tally::of(bytes).flipped(flip));
    }
    fn put_escaped(&mut self, view: ByteView<'_>, flip: Flip) {
        let told = match view.unescaped() {
            Some((raw, inner)) => Tally::of(raw).flipped(inner).escaped(flip),
            None => match view.lying() {
                Some((raw, inner)) => {
                    let end = Tally { bytes: 2, zeros: 2, ones: 0 };
                    Tally::of(raw).flipped(inner).add(end).flipped(flip)
                }
                None => view.iter().fold(Tally::default(), |t, b| t.add(Tally::of(&[b]))).escaped(flip),
            },
        };
        *self = self.add(told);
    }
}

/// Compares the bytes of a key, from the front, with what it is told.
pub(crate) struct Compare<'k> {
    key: &'k [u8],
    /// How the key stands to what was told: `Less` where the key is smaller.
    pub(crate) ordering: Ordering,
}

impl<'k> Compare<'k> {
    pub(crate) fn new(key: &'k [u8]) -> Self {
        Compare { key, ordering: Ordering::Equal }
    }

    /// The bytes of the key that were not compared yet.
    pub(crate) fn rest(&self) -> &'k [u8] {
        self.key
    }

    #[inline]
    fn byte(&mut self, told: u8) {
        if self.ordering.is_eq() {
            match self.key.split_first() {
                Some((first, rest)) => {
                    self.ordering = first.cmp(&told);
                    self.key = rest;
                }
                None => self.ordering = Ordering::Less,
            }
        }
    }
}

impl Sink for Compare<'_> {
    #[inline]
    fn put<const N: usize>(&mut self, bytes: [u8; N], flip: Flip) {
        match self.key.split_first_chunk::<N>() {
            Some((head, rest)) if self.ordering.is_eq() => {
                self.ordering = head.cmp(&xor(bytes, flip.mask()));
                self.key = rest;
            }
            _ => self.put_slice(&bytes, flip),
        }
    }
    fn put_slice(&mut self, bytes: &[u8], flip: Flip) {
        for b in bytes {
            self.byte(b ^ flip.mask());
        }
    }
    fn put_escaped(&mut self, view: ByteView<'_>, flip: Flip) {
        for b in view.iter() {
            self.byte(b ^ flip.mask());
            if b == 0 {
                self.byte(0xff ^ flip.mask());
            }
            if self.ordering.is_ne() {
                return;
            }
        }
        self.put([0; 2], flip);
    }
}

#[cfg(test)]
mod tests {
    use std::prelude::v1::*;
    use std::vec;

    use super::*;

    /// The definition, byte by byte.
    fn model(value: &[u8], flip: Flip) -> Vec<u8> {
        let mut out = Vec::new();
        for b in value {
            out.push(*b);
            if *b == 0 {
                out.push(0xff);
            }
        }
        out.extend([0, 0]);
        out.iter().map(|b| b ^ flip.mask()).collect()
    }

    fn check(value: &[u8]) {
        let flipped: Vec<u8> = value.iter().map(|b| !b).collect();
        for flip in [Flip::No, Flip::Yes] {
            let want = model(value, flip);
            for view in [ByteView::new(value), ByteView::fixed(&flipped, Flip::Yes)] {
                assert_eq!(escaped_size(view), want.len());
                // One byte of junk on either side must survive.
                let mut buf = [&[0xaa], &want[..], &[0xaa]].concat();
                let (before, room) = buf.split_first_mut().unwrap();
                let (behind, room) = room.split_last_mut().unwrap();
                room.fill(0xaa);
                Room::new(room).put_escaped(view, flip);
                assert_eq!(room, want, "{value:02x?}");
                assert_eq!((*before, *behind), (0xaa, 0xaa));

                let body = want.strip_suffix(&[flip.mask(); 2]).unwrap();
                let zeros = value.iter().filter(|b| **b == 0).count();
                let lying = ByteView::escaped(body, zeros, flip);
                for again in [Flip::No, Flip::Yes] {
                    let mut out = vec![0xaa; want.len()];
                    Room::new(&mut out).put_escaped(lying, again);
                    assert_eq!(out, model(value, again));
                    let mut tally = Tally::default();
                    tally.put_escaped(lying, again);
                    assert_eq!(tally, Tally::of(&out));
                    let mut tally = Tally::default();
                    tally.put_escaped(view, again);
                    assert_eq!(tally, Tally::of(&out));
                }
                let mut cmp = Compare::new(&want);
                cmp.put_escaped(view, flip);
                assert_eq!((cmp.ordering, cmp.rest()), (Ordering::Equal, &[][..]));
            }
            let mut room = value.to_vec();
            room.resize(want.len(), 0xaa);
            escape_in_place(&mut room, value.len(), flip);
            assert_eq!(room, want);
        }
    }

    #[test]
    fn escaping_is_the_definition() {
        for len in 0..140usize {
            check(&vec![1; len]);
            check(&vec![0; len]);
            check(&vec![0xff; len]);
            for at in 0..len {
                let mut v = vec![1; len];
                v[at] = 0;
                check(&v);
                v[at] = 0xff;
                v[len - 1 - at] = 0;
                check(&v);
            }
        }
    }

    #[test]
    fn runs_of_zeros_are_escaped_as_the_definition_says() {
        for len in [128usize, 191, 192, 193, 255, 256, 300, 384, 385, 700] {
            for end in [len, len.saturating_sub(1), 256.min(len), 129.min(len), 64, 0] {
                let mut v = vec![0; len];
                check(&v);
                if let Some(byte) = v.get_mut(end) {
                    *byte = 7;
                }
                check(&v);
                v[end..].fill(0xff);
                check(&v);
            }
        }
    }

    #[test]
    fn count_agrees_with_filter() {
        for len in [0, 1, 7, 8, 31, 32, 33, 254, 255, 256, 511, 1024] {
            let v: Vec<u8> = [0, 1, 2].into_iter().cycle().take(len).collect();
            for byte in [0, 1, 2, 3] {
                assert_eq!(count(&v, byte), v.iter().filter(|b| **b == byte).count());
            }
        }
    }
}
