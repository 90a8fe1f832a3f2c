//! Long byte strings by the widest lanes that there are.

use crate::order::Flip;
use crate::raw::block;
use crate::raw::lanes::Here;
#[cfg(all(feature = "simd", target_arch = "x86_64"))]
use crate::raw::wide::Wide;
#[cfg(all(feature = "simd", target_arch = "x86_64"))]
use crate::raw::wide::Widest;

/// Returns what a function of `block` gives by the first lanes of a list that are worth it for so many
/// bytes, and that the machine has.
macro_rules! try_lanes {
    ($len:expr, $lanes:ident $name:ident::<$($of:ident),+> $given:tt) => {
        #[cfg(all(feature = "simd", target_arch = "x86_64"))]
        if let Some(lanes) = $lanes::worth($len) {
            return lanes.$name::<$($of),+> $given;
        }
    };
}

/// As [`escape`], where even the most that it can take is free; else `None`, and nothing is written.
#[inline(always)]
pub(crate) fn put(room: &mut [u8], raw: &[u8], inner: Flip, flip: Flip) -> Option<usize> {
    let most = raw.len().saturating_mul(2).saturating_add(2);
    if room.len() < most { None } else { Some(escape(room, raw, inner, flip)) }
}

/// Escapes `raw`, which stands for its complement if `inner` says so, into the front of `room`, which
/// has room for all of it, and ends it. Returns how many bytes that took; writes nothing behind them.
#[inline(always)]
pub(crate) fn escape(room: &mut [u8], raw: &[u8], inner: Flip, flip: Flip) -> usize {
    let (mask, escape_as) = (flip.then(inner).mask(), !flip.mask());
    // An instruction less for each vector that is not complemented.
    let clean = match (inner, mask) {
        (Flip::No, 0) => copy_clean::<0, false>(room, raw),
        (Flip::No, _) => copy_clean::<0, true>(room, raw),
        (Flip::Yes, 0) => copy_clean::<0xff, false>(room, raw),
        (Flip::Yes, _) => copy_clean::<0xff, true>(room, raw),
    };
    let n = match inner {
        _ if clean == raw.len() => clean,
        Flip::No => escape_from::<0>(room, raw, clean, mask, escape_as),
        Flip::Yes => escape_from::<0xff>(room, raw, clean, mask, escape_as),
    };
    block::end(room, n, flip.mask())
}

/// [`block::copy_clean`] by the widest lanes.
#[inline(always)]
pub(crate) fn copy_clean<const ZERO: u8, const FLIP: bool>(room: &mut [u8], raw: &[u8]) -> usize {
    try_lanes!(raw.len(), Widest copy_clean::<ZERO, FLIP>(room, raw));
    try_lanes!(raw.len(), Wide copy_clean::<ZERO, FLIP>(room, raw));
    copy_clean_here::<ZERO, FLIP>(room, raw)
}

/// Out of line, as there are four of it.
#[inline(never)]
fn copy_clean_here<const ZERO: u8, const FLIP: bool>(room: &mut [u8], raw: &[u8]) -> usize {
    block::copy_clean::<ZERO, FLIP>(Here, room, raw)
}

#[inline(never)]
fn escape_from<const ZERO: u8>(room: &mut [u8], raw: &[u8], at: usize, mask: u8, escape: u8) -> usize {
    try_lanes!(raw.len(), Widest escape_from::<ZERO>(room, raw, at, mask, escape));
    try_lanes!(raw.len(), Wide escape_from::<ZERO>(room, raw, at, mask, escape));
    block::escape_from::<ZERO>(Here, room, raw, at, mask, escape)
}

/// Looks for the first zero that its escape does not follow; `ZERO` as it lies, the escape being
/// its complement. Gives its offset, or the length where there is none, and the number of escaped
/// zeros before it.
#[inline(always)]
pub(crate) fn scan<const ZERO: u8>(raw: &[u8]) -> (usize, usize) {
    try_lanes!(raw.len(), Widest scan::<ZERO>(raw));
    try_lanes!(raw.len(), Wide scan::<ZERO>(raw));
    scan_here::<ZERO>(raw)
}

/// Apart from the wide lanes, which so need few registers.
#[cfg_attr(all(feature = "simd", target_arch = "x86_64"), inline(never))]
#[cfg_attr(not(all(feature = "simd", target_arch = "x86_64")), inline(always))]
fn scan_here<const ZERO: u8>(raw: &[u8]) -> (usize, usize) {
    block::scan::<ZERO>(Here, raw)
}

/// Takes the escapes out of `raw` into `room`, which is exactly as long as the outcome. `ZERO` is
/// how a zero lies in `raw`; every byte is XORed with it.
#[inline(always)]
pub(crate) fn unescape<const ZERO: u8>(room: &mut [u8], raw: &[u8]) {
    try_lanes!(raw.len(), Widest unescape::<ZERO>(room, raw));
    try_lanes!(raw.len(), Wide unescape::<ZERO>(room, raw));
    block::unescape::<ZERO>(Here, room, raw);
}

#[cfg(test)]
mod tests {
    #![expect(clippy::arithmetic_side_effects, reason = "helpers of tests, which may panic")]

    use std::prelude::v1::*;
    use std::vec;

    use super::*;
    use crate::raw::lanes::Lanes;
    use crate::raw::lanes::words::Words;

    /// Bytes with a zero in some of `of` places, by a fixed sequence.
    fn bytes(len: usize, some: u32, of: u32, seed: u32) -> Vec<u8> {
        let mut state = seed.wrapping_mul(2) | 1;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            state
        };
        (0..len).map(|_| if next() % of < some { 0 } else { u8::try_from(next() % 255 + 1).unwrap() }).collect()
    }

    /// Byte by byte, as the layout says.
    fn escaped(value: &[u8]) -> Vec<u8> {
        value.iter().flat_map(|b| if *b == 0 { vec![0, 0xff] } else { vec![*b] }).collect()
    }

    fn complement(bytes: &[u8]) -> Vec<u8> {
        bytes.iter().map(|b| !b).collect()
    }

    /// All three, through what `act` does with them, against the definition.
    fn check(lanes: impl Lanes, value: &[u8]) {
        for (zero, mask) in [(0, 0), (0, 0xff), (0xffu8, 0), (0xff, 0xffu8)] {
            let raw = if zero == 0 { value.to_vec() } else { complement(value) };
            // What is written is the value's escaped form, under the mask and what lay under.
            let down = mask ^ zero == 0xff;
            let want = if down { complement(&escaped(value)) } else { escaped(value) };
            let mut room = vec![0xaa; want.len() + 8];
            let (field, behind) = room.split_at_mut(want.len() + 1);
            let escape = if down { 0 } else { 0xff };
            let n = match zero {
                0 => block::escape_from::<0>(lanes, field, &raw, 0, mask, escape),
                _ => block::escape_from::<0xff>(lanes, field, &raw, 0, mask, escape),
            };
            assert_eq!(field.get(..n), Some(&want[..]), "{value:02x?}");
            assert_eq!(behind, [0xaa; 7]);

            let clean = value.iter().take_while(|b| **b != 0).count();
            let mut room = vec![0xaa; value.len() + 7];
            let (field, behind) = room.split_at_mut(value.len());
            let n = match (zero, mask) {
                (0, 0) => block::copy_clean::<0, false>(lanes, field, &raw),
                (0, _) => block::copy_clean::<0, true>(lanes, field, &raw),
                (_, 0) => block::copy_clean::<0xff, false>(lanes, field, &raw),
                _ => block::copy_clean::<0xff, true>(lanes, field, &raw),
            };
            assert!(n <= clean && (n == value.len() || n + 256 > clean || n + 256 > value.len()));
            assert_eq!(field.get(..n), want.get(..n));
            assert_eq!(behind, [0xaa; 7]);
        }
        for zero in [0, 0xffu8] {
            let lying = if zero == 0 { escaped(value) } else { complement(&escaped(value)) };
            let mut room = vec![0xaa; value.len() + 7];
            let (out, behind) = room.split_at_mut(value.len());
            let zeros = value.iter().filter(|b| **b == 0).count();
            // An end behind it, and whatever follows; or nothing.
            for follows in [&[][..], &[0, 0], &[0, 0, 0, 0xff, 7], &[0, 1], &[0]] {
                let key: Vec<u8> = lying.iter().copied().chain(follows.iter().map(|b| b ^ zero)).collect();
                let want = (lying.len(), zeros);
                match zero {
                    0 => assert_eq!(block::scan::<0>(lanes, &key), want, "{key:02x?}"),
                    _ => assert_eq!(block::scan::<0xff>(lanes, &key), want, "{key:02x?}"),
                }
            }
            match zero {
                0 => block::unescape::<0>(lanes, out, &lying),
                _ => block::unescape::<0xff>(lanes, out, &lying),
            }
            assert_eq!((&*out, &*behind), (value, &[0xaa; 7][..]));
        }
    }

    /// Every length around the sizes that are taken at once, with few zeros and many.
    fn check_all(lanes: impl Lanes) {
        for len in (0..200).chain([255, 256, 257, 319, 320, 511, 512, 513, 600, 700]) {
            for (some, of) in [(0, 1), (1, 1), (1, 2), (1, 10), (9, 10), (1, 40), (1, 300)] {
                for seed in 0..3 {
                    check(lanes, &bytes(len, some, of, seed));
                }
            }
        }
    }

    #[test]
    fn bytes_that_every_machine_has() {
        check_all(Here);
    }

    #[test]
    fn words() {
        check_all(Words);
    }

    /// Says nothing where the machine has no wide lanes.
    #[cfg(all(feature = "simd", target_arch = "x86_64"))]
    #[test]
    fn wide_lanes() {
        if let Some(wide) = Wide::worth(usize::MAX) {
            check_all(wide);
        }
        if let Some(widest) = Widest::worth(usize::MAX) {
            check_all(widest);
        }
    }

    #[test]
    fn whichever_are_chosen() {
        for len in (0..300).chain([511, 512, 700, 2000]) {
            for (some, of) in [(0, 1), (1, 10), (1, 100), (1, 1)] {
                let value = bytes(len, some, of, 1);
                let want = [escaped(&value), vec![0, 0]].concat();
                for (inner, raw) in [(Flip::No, value.clone()), (Flip::Yes, complement(&value))] {
                    for (flip, want) in [(Flip::No, want.clone()), (Flip::Yes, complement(&want))] {
                        let mut room = vec![0xaa; 2 * len + 2];
                        let n = put(&mut room, &raw, inner, flip).unwrap();
                        assert_eq!(room.get(..n), Some(&want[..]));
                        let mut room = vec![0xaa; 2 * len + 1];
                        assert_eq!(put(&mut room, &raw, inner, flip), None);
                        assert_eq!(room, vec![0xaa; 2 * len + 1]);
                        let zero = flip.mask();
                        let ends = if zero == 0 { scan::<0>(&want) } else { scan::<0xff>(&want) };
                        let zeros = value.iter().filter(|b| **b == 0).count();
                        assert_eq!(ends, (n - 2, zeros));
                        let mut out = vec![0xaa; len];
                        let lying = want.get(..n - 2).unwrap();
                        if zero == 0 {
                            unescape::<0>(&mut out, lying)
                        } else {
                            unescape::<0xff>(&mut out, lying)
                        }
                        assert_eq!(out, value);
                    }
                }
            }
        }
    }
}
