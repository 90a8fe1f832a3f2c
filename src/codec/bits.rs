//! Bit strings of any length.
//!
//! # Layout
//! The bits packed into bytes, high bit first, unused low bits zero; these escaped as in `FORMAT.md`
//! §2.2 with their `00 00`; then one byte, the number of bits used in the last byte: 1 to 8, and 0
//! only for the empty string. So 101 is `a0 00 00 03`.
//!
//! # Why this orders
//! Bit strings compare bit by bit, and where one ends inside the other the shorter is less. Packed
//! bytes compare in that way but for zeros at the end, which look like padding: equal bytes then
//! differ only in how much of the last one counts, and more is greater.
//!
//! ```
//! use isotone::{Asc, BitsView, Builder};
//! let mut room = [0u8; 8];
//! let mut key = Builder::new(&mut room);
//! key.bits(BitsView::new(&[0b1010_0000], 3).unwrap(), Asc);
//! assert_eq!(key.finish()?, [0xa0, 0x00, 0x00, 0x03]);
//! # Ok::<(), isotone::Error>(())
//! ```

use core::cmp::Ordering;
use core::fmt;

use crate::error::Error;
use crate::order::Flip;
use crate::raw::input::Input;
use crate::raw::input::Take;
use crate::raw::sink::Invalid;
use crate::raw::sink::Payload;
use crate::raw::sink::Sink;
use crate::raw::view::ByteIter;
use crate::raw::view::ByteView;

/// A borrowed bit string: packed bytes of the caller, or a field that lies in a key.
///
/// Its order is PostgreSQL's for `bit` and `varbit`: bit by bit, and a string that is the beginning
/// of another is less.
///
/// ```
/// use isotone::BitsView;
/// let bits = BitsView::new(&[0b1010_0000], 3).unwrap();
/// assert_eq!(bits.len_bits(), 3);
/// assert_eq!(bits.get(2), Some(true));
/// assert_eq!(bits.to_string(), "101");
/// assert!(bits < BitsView::new(&[0b1010_0000], 4).unwrap());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct BitsView<'k> {
    bytes: ByteView<'k>,
    /// Bits used in the last byte: 1 to 8; 0 exactly when there is no byte.
    used: u8,
}

impl<'k> BitsView<'k> {
    /// The first `bits` bits of `bytes`, the high bit of the first byte first. `None` unless
    /// `bytes` is exactly as long as they need and the bits past the end are zero.
    pub const fn new(bytes: &'k [u8], bits: usize) -> Option<Self> {
        if bytes.len() != bits.div_ceil(8) {
            return None;
        }
        let [low, ..] = bits.to_le_bytes();
        let used = match low % 8 {
            0 if bits != 0 => 8,
            some => some,
        };
        match bytes.last() {
            Some(last) if past(*last, used) != 0 => None,
            _ => Some(BitsView { bytes: ByteView::new(bytes), used }),
        }
    }

    /// Number of bits.
    #[inline]
    pub const fn len_bits(&self) -> usize {
        // Saturates only where a 32-bit machine holds more than half a gigabyte of bits.
        self.bytes.len().saturating_sub(1).saturating_mul(8).saturating_add(self.used as usize)
    }

    /// Whether there are no bits.
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// The packed bytes: high bit first, unused low bits of the last one zero.
    #[inline]
    pub const fn bytes(&self) -> ByteView<'k> {
        self.bytes
    }

    /// Bit `i`, from 0; `None` past the end. Walks the bytes where zeros among them lie escaped.
    pub fn get(&self, i: usize) -> Option<bool> {
        if i >= self.len_bits() {
            return None;
        }
        let byte = match self.bytes.unescaped() {
            Some((raw, flip)) => raw.get(i / 8)? ^ flip.mask(),
            None => self.bytes.iter().nth(i / 8)?,
        };
        Some(byte & (0x80 >> (i % 8)) != 0)
    }

    /// The bits, one after another.
    #[inline]
    pub fn iter(&self) -> BitIter<'k> {
        BitIter { bytes: self.bytes.iter(), byte: 0, at: 0, left: self.len_bits() }
    }
}

/// The bits of the last byte that are not used.
#[inline(always)]
const fn past(last: u8, used: u8) -> u8 {
    // A shift by all eight bits leaves none.
    match last.checked_shl(used as u32) {
        Some(past) => past,
        None => 0,
    }
}

impl Payload for BitsView<'_> {
    #[inline]
    fn put<S: Sink>(&self, sink: &mut S, flip: Flip) -> Result<(), Invalid> {
        sink.put_escaped(self.bytes, flip);
        sink.put([self.used], flip);
        Ok(())
    }
}

impl<'k> Take<'k> for BitsView<'k> {
    fn take(input: &mut Input<'k>, flip: Flip) -> Result<Self, Error> {
        let bytes = input.escaped(flip)?;
        let used = input.byte(flip)?;
        let last = match bytes.unescaped() {
            Some((raw, inner)) => raw.last().map(|b| b ^ inner.mask()),
            None => bytes.iter().last(),
        };
        let canonical = match last {
            Some(last) => (1..=8).contains(&used) && past(last, used) == 0,
            None => used == 0,
        };
        if canonical { Ok(BitsView { bytes, used }) } else { Err(input.malformed()) }
    }
}

/// Iterates over the bits of a [`BitsView`].
#[derive(Clone, Debug)]
pub struct BitIter<'k> {
    bytes: ByteIter<'k>,
    byte: u8,
    /// Bits of `byte` that were given out, 0 to 8; no byte is held at 0.
    at: u8,
    left: usize,
}

impl Iterator for BitIter<'_> {
    type Item = bool;

    #[inline]
    fn next(&mut self) -> Option<bool> {
        self.left = self.left.checked_sub(1)?;
        if self.at % 8 == 0 {
            self.byte = self.bytes.next()?;
            self.at = 0;
        }
        let bit = self.byte & (0x80 >> self.at) != 0;
        // In range: it was at most 7.
        self.at = self.at.wrapping_add(1);
        Some(bit)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for BitIter<'_> {}
impl core::iter::FusedIterator for BitIter<'_> {}

impl<'k> IntoIterator for BitsView<'k> {
    type Item = bool;
    type IntoIter = BitIter<'k>;

    fn into_iter(self) -> BitIter<'k> {
        self.iter()
    }
}

impl Ord for BitsView<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.bytes.cmp(&other.bytes).then(self.used.cmp(&other.used))
    }
}

impl PartialOrd for BitsView<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for BitsView<'_> {
    /// A `0` or `1` for each bit.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter().try_for_each(|bit| f.write_str(if bit { "1" } else { "0" }))
    }
}

impl fmt::Debug for BitsView<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BitsView({self})")
    }
}

#[cfg(test)]
mod tests {
    use std::prelude::v1::*;
    use std::vec;

    use super::*;
    use crate::raw::sink::Room;

    fn bytes(value: BitsView<'_>, flip: Flip) -> Vec<u8> {
        let mut room = vec![0xaa; value.size().unwrap()];
        value.put(&mut Room::new(&mut room), flip).unwrap();
        room
    }

    fn pack(bits: &[bool]) -> Vec<u8> {
        bits.chunks(8).map(|c| c.iter().zip(0..).map(|(bit, i)| if *bit { 0x80 >> i } else { 0u8 }).sum()).collect()
    }

    /// Every string of these lengths whose bits a counter gives.
    fn strings() -> Vec<Vec<bool>> {
        let mut all = Vec::new();
        for len in 0..=10usize {
            all.extend((0..1usize << len).map(|v| (0..len).rev().map(|i| v >> i & 1 == 1).collect::<Vec<bool>>()));
        }
        for len in [15, 16, 17, 24, 25, 64, 65] {
            all.push(vec![false; len]);
            all.push(vec![true; len]);
            all.push((0..len).rev().map(|i| i == 0).collect());
            all.push((0..len).map(|i| i == 0).collect());
        }
        all
    }

    #[test]
    fn vectors() {
        let of = |b: &[u8], n| bytes(BitsView::new(b, n).unwrap(), Flip::No);
        assert_eq!(of(&[], 0), [0, 0, 0]);
        assert_eq!(of(&[0xa0], 3), [0xa0, 0, 0, 3]);
        assert_eq!(of(&[0], 1), [0, 0xff, 0, 0, 1]);
        assert_eq!(of(&[0xff], 8), [0xff, 0, 0, 8]);
        assert_eq!(bytes(BitsView::new(&[0xa0], 3).unwrap(), Flip::Yes), [0x5f, 0xff, 0xff, 0xfc]);
    }

    #[test]
    fn order_is_the_lexicographic_order_of_bits() {
        let strings = strings();
        let packed: Vec<Vec<u8>> = strings.iter().map(|b| pack(b)).collect();
        for flip in [Flip::No, Flip::Yes] {
            let mut sorted: Vec<_> = strings
                .iter()
                .zip(&packed)
                .map(|(bits, packed)| {
                    let view = BitsView::new(packed, bits.len()).unwrap();
                    (bits, view, bytes(view, flip))
                })
                .collect();
            sorted.sort();
            for pair in sorted.windows(2) {
                let [(_, a, lesser), (_, b, greater)] = pair else { continue };
                assert!(a < b && a != b, "{a} {b}");
                let (lesser, greater) = if flip == Flip::No { (lesser, greater) } else { (greater, lesser) };
                assert!(lesser < greater, "{a} {b}");
                assert!(!greater.starts_with(lesser), "{a} {b}");
            }
        }
    }

    #[test]
    fn reads_back_in_every_way() {
        for bits in strings() {
            let packed = pack(&bits);
            let plain = BitsView::new(&packed, bits.len()).unwrap();
            for flip in [Flip::No, Flip::Yes] {
                let key = bytes(plain, flip);
                let mut input = Input::new(&key, 0);
                let lying = BitsView::take(&mut input, flip).unwrap();
                assert!(input.rest().is_empty());
                assert_eq!(lying, plain);
                assert_eq!(bytes(lying, Flip::Yes), bytes(plain, Flip::Yes));
                for view in [plain, lying] {
                    assert_eq!(view.len_bits(), bits.len());
                    assert_eq!(view.is_empty(), bits.is_empty());
                    assert_eq!(view.iter().len(), bits.len());
                    assert!(view.iter().eq(bits.iter().copied()));
                    assert!((0..bits.len()).map(|i| view.get(i)).eq(bits.iter().map(|b| Some(*b))));
                    assert_eq!(view.get(bits.len()), None);
                    assert_eq!(view.bytes(), packed[..]);
                }
            }
        }
    }

    #[test]
    fn reject_what_is_not_packed() {
        assert!(BitsView::new(&[], 1).is_none());
        assert!(BitsView::new(&[0], 0).is_none());
        assert!(BitsView::new(&[0], 9).is_none());
        assert!(BitsView::new(&[0, 0], 8).is_none());
        assert!(BitsView::new(&[0], usize::MAX).is_none());
        assert!(BitsView::new(&[0b0010_0000], 2).is_none());
        assert!(BitsView::new(&[1], 7).is_none());
        assert!(BitsView::new(&[1], 8).is_some());
    }

    #[test]
    fn reject_what_writing_does_not_emit() {
        let take = |key: &[u8]| BitsView::take(&mut Input::new(key, 0), Flip::No).map(|b| b.len_bits());
        assert_eq!(take(&[0xa0, 0, 0, 3]), Ok(3));
        let malformed = Err(Error::MalformedKey { at: 0 });
        assert_eq!(take(&[0, 0, 1]), malformed); // no byte, yet a bit
        assert_eq!(take(&[0xa0, 0, 0, 0]), malformed); // a byte, yet no bit
        assert_eq!(take(&[0, 0xff, 0, 0, 0]), malformed);
        assert_eq!(take(&[0xa0, 0, 0, 2]), malformed); // a bit past the end
        assert_eq!(take(&[0xa0, 0, 0, 9]), malformed);
        assert_eq!(take(&[0xa0, 0, 0, 0xff]), malformed);
        assert_eq!(take(&[0, 0xff, 1, 0, 0, 7]), malformed);
        assert_eq!(take(&[0, 1, 3]), Err(Error::InvalidEscape { at: 1 }));
        assert_eq!(take(&[0xa0, 0, 0]), Err(Error::TruncatedKey { at: 3 }));
    }

    #[test]
    fn hostile_bytes_fail_or_are_canonical() {
        for bits in
            [&[][..], &[false], &[true; 8], &[false; 17], &[true, false, true, false, false, false, false, false, true]]
        {
            let packed = pack(bits);
            for flip in [Flip::No, Flip::Yes] {
                let key = bytes(BitsView::new(&packed, bits.len()).unwrap(), flip);
                for cut in 0..key.len() {
                    let cut_at = Err(Error::TruncatedKey { at: cut });
                    assert_eq!(BitsView::take(&mut Input::new(&key[..cut], 0), flip), cut_at);
                }
                for at in 0..key.len() {
                    for byte in 0..=255 {
                        let mut bad = key.clone();
                        bad[at] = byte;
                        let mut input = Input::new(&bad, 0);
                        if let Ok(read) = BitsView::take(&mut input, flip) {
                            assert_eq!(bytes(read, flip), input.since(0));
                        }
                    }
                }
            }
        }
    }
}
