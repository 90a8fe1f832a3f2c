//! Many bytes at once: thirty-two to a vector where the machine is asked when running (`simd`), sixteen
//! where the target has them without asking, eight to a word elsewhere. All say the same, and tests
//! hold them against the definition.

#[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
pub(crate) use crate::raw::lanes::words::Words as Here;

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) use crate::raw::lanes::vectors::Vectors as Here;

/// Bytes in a block.
pub(crate) const BLOCK: usize = 64;
/// A block and as many bytes behind it as may be read, or written over, with it.
pub(crate) const AHEAD: usize = BLOCK + 32;
/// A block of zeros escaped, and as many bytes behind it as may be written over.
pub(crate) const SPREAD: usize = 2 * BLOCK + 32;

/// What is done with many bytes at once. Lengths are multiples of 32 everywhere.
pub(crate) trait Lanes: Copy {
    /// One bit for each byte of the block that equals `byte`, the first byte's lowest.
    fn matches(self, block: &[u8; BLOCK], byte: u8) -> u64;

    /// Whether any of the bytes equals `ZERO`, which is `00` or `ff`.
    fn any<const ZERO: u8, const N: usize>(self, bytes: &[u8; N]) -> bool;

    /// Copies the bytes, each complemented if `FLIP`; says whether any of them equals `ZERO`.
    fn copy_any<const ZERO: u8, const FLIP: bool, const N: usize>(self, to: &mut [u8; N], from: &[u8; N]) -> bool;

    /// Copies the bytes, each XORed with `mask`.
    fn copy<const N: usize>(self, to: &mut [u8; N], from: &[u8; N], mask: u8);

    /// Stores the bytes of a block, each XORed with `mask`, and `escape` behind those whose bit is set
    /// in `zeros`. Gives how many bytes that are; some behind them are written over. Or does nothing,
    /// where these lanes have no better way than one zero after another.
    #[inline(always)]
    fn spread(self, _: &mut [u8; SPREAD], _: &[u8; AHEAD], _zeros: u64, _mask: u8, _escape: u8) -> Option<usize> {
        None
    }

    /// Stores the bytes of a block, each XORed with `mask`, but those whose bit is set in `escapes`.
    /// Gives how many bytes that are; some behind them are written over. Or does nothing, as
    /// [`spread`](Self::spread).
    #[inline(always)]
    fn gather(self, _: &mut [u8; AHEAD], _: &[u8; AHEAD], _escapes: u64, _mask: u8) -> Option<usize> {
        None
    }
}

/// Sixteen bytes in a vector, by instructions that every x86-64 with floats has.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) mod vectors {
    use safe_arch::bitxor_m128i;
    use safe_arch::cmp_eq_mask_i8_m128i;
    use safe_arch::load_unaligned_m128i;
    use safe_arch::m128i;
    use safe_arch::max_u8_m128i;
    use safe_arch::min_u8_m128i;
    use safe_arch::move_mask_i8_m128i;
    use safe_arch::set_splat_i8_m128i;
    use safe_arch::store_unaligned_m128i;

    use crate::raw::lanes::BLOCK;
    use crate::raw::lanes::Lanes;

    #[derive(Clone, Copy)]
    pub(crate) struct Vectors;

    #[inline(always)]
    fn splat(byte: u8) -> m128i {
        set_splat_i8_m128i(i8::from_ne_bytes([byte]))
    }

    /// One bit for each byte that equals `splat`'s, the first byte's lowest.
    #[inline(always)]
    fn equal(bytes: m128i, splat: m128i) -> u64 {
        // Sixteen bits are set at most, none of them the sign.
        u64::from(move_mask_i8_m128i(cmp_eq_mask_i8_m128i(bytes, splat)).unsigned_abs())
    }

    impl Lanes for Vectors {
        #[inline(always)]
        fn matches(self, block: &[u8; BLOCK], byte: u8) -> u64 {
            let splat = splat(byte);
            let (mut bits, mut shift) = (0u64, 0u32);
            let mut rest: &[u8] = block;
            while let Some((bytes, tail)) = rest.split_first_chunk::<16>() {
                bits |= equal(load_unaligned_m128i(bytes), splat).wrapping_shl(shift);
                shift = shift.wrapping_add(16);
                rest = tail;
            }
            bits
        }

        #[inline(always)]
        fn any<const ZERO: u8, const N: usize>(self, bytes: &[u8; N]) -> bool {
            const { assert!((ZERO == 0 || ZERO == 0xff) && N % 16 == 0) };
            // The least of all bytes, or the greatest, is enough to know.
            let mut most = splat(!ZERO);
            let mut rest: &[u8] = bytes;
            while let Some((bytes, tail)) = rest.split_first_chunk::<16>() {
                let bytes = load_unaligned_m128i(bytes);
                most = if ZERO == 0 { min_u8_m128i(most, bytes) } else { max_u8_m128i(most, bytes) };
                rest = tail;
            }
            equal(most, splat(ZERO)) != 0
        }

        #[inline(always)]
        fn copy_any<const ZERO: u8, const FLIP: bool, const N: usize>(self, to: &mut [u8; N], from: &[u8; N]) -> bool {
            const { assert!((ZERO == 0 || ZERO == 0xff) && N % 16 == 0) };
            // Each is loaded once for both.
            let (ones, mut most) = (splat(0xff), splat(!ZERO));
            let (mut to, mut from): (&mut [u8], &[u8]) = (to, from);
            while let (Some((slot, more)), Some((bytes, tail))) =
                (core::mem::take(&mut to).split_first_chunk_mut::<16>(), from.split_first_chunk::<16>())
            {
                let bytes = load_unaligned_m128i(bytes);
                most = if ZERO == 0 { min_u8_m128i(most, bytes) } else { max_u8_m128i(most, bytes) };
                store_unaligned_m128i(slot, if FLIP { bitxor_m128i(bytes, ones) } else { bytes });
                (to, from) = (more, tail);
            }
            equal(most, splat(ZERO)) != 0
        }

        #[inline(always)]
        fn copy<const N: usize>(self, to: &mut [u8; N], from: &[u8; N], mask: u8) {
            const { assert!(N % 16 == 0) };
            let splat = splat(mask);
            let (mut to, mut from): (&mut [u8], &[u8]) = (to, from);
            while let (Some((slot, more)), Some((bytes, tail))) =
                (core::mem::take(&mut to).split_first_chunk_mut::<16>(), from.split_first_chunk::<16>())
            {
                store_unaligned_m128i(slot, bitxor_m128i(load_unaligned_m128i(bytes), splat));
                (to, from) = (more, tail);
            }
        }
    }
}

/// Eight bytes in a word.
#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "sse2"))))]
pub(crate) mod words {
    use crate::raw::lanes::BLOCK;
    use crate::raw::lanes::Lanes;
    use crate::raw::lanes::word_matches;
    use crate::raw::lanes::zero_bytes;

    #[derive(Clone, Copy)]
    pub(crate) struct Words;

    impl Lanes for Words {
        #[inline(always)]
        fn matches(self, block: &[u8; BLOCK], byte: u8) -> u64 {
            let want = u64::from_ne_bytes([byte; 8]);
            let (mut bits, mut shift) = (0u64, 0u32);
            let mut rest: &[u8] = block;
            while let Some((word, tail)) = rest.split_first_chunk::<8>() {
                bits |= word_matches(u64::from_le_bytes(*word) ^ want).wrapping_shl(shift);
                shift = shift.wrapping_add(8);
                rest = tail;
            }
            bits
        }

        #[inline(always)]
        fn any<const ZERO: u8, const N: usize>(self, bytes: &[u8; N]) -> bool {
            const { assert!((ZERO == 0 || ZERO == 0xff) && N % 8 == 0) };
            let want = u64::from_ne_bytes([ZERO; 8]);
            let mut hits = 0u64;
            let mut rest: &[u8] = bytes;
            while let Some((word, tail)) = rest.split_first_chunk::<8>() {
                hits |= zero_bytes(u64::from_le_bytes(*word) ^ want);
                rest = tail;
            }
            hits != 0
        }

        #[inline(always)]
        fn copy_any<const ZERO: u8, const FLIP: bool, const N: usize>(self, to: &mut [u8; N], from: &[u8; N]) -> bool {
            self.copy(to, from, if FLIP { 0xff } else { 0 });
            self.any::<ZERO, N>(from)
        }

        #[inline(always)]
        fn copy<const N: usize>(self, to: &mut [u8; N], from: &[u8; N], mask: u8) {
            for (to, from) in to.iter_mut().zip(from) {
                *to = from ^ mask;
            }
        }
    }
}

/// Every byte XORed with `mask`, `00` or `ff`, in words where the width is one.
#[inline(always)]
pub(crate) fn xor<const N: usize>(mut bytes: [u8; N], mask: u8) -> [u8; N] {
    // A sign is soon spread over a word, any byte is not.
    let sign = i8::from_ne_bytes([mask]);
    // Loops, as `map` over an array is not always inlined.
    let rest = if N <= 16 {
        let mut words = bytes.chunks_exact_mut(8);
        for word in words.by_ref().filter_map(<[u8]>::first_chunk_mut::<8>) {
            *word = (u64::from_ne_bytes(*word) ^ u64::from_ne_bytes(i64::from(sign).to_ne_bytes())).to_ne_bytes();
        }
        let mut words = words.into_remainder().chunks_exact_mut(4);
        for word in words.by_ref().filter_map(<[u8]>::first_chunk_mut::<4>) {
            *word = (u32::from_ne_bytes(*word) ^ u32::from_ne_bytes(i32::from(sign).to_ne_bytes())).to_ne_bytes();
        }
        words.into_remainder()
    } else {
        bytes.as_mut_slice()
    };
    for byte in rest {
        *byte ^= mask;
    }
    bytes
}

/// A word whose lowest set bit is in the first zero byte of `word` (little-endian), and which is
/// zero when there is none.
#[inline(always)]
pub(crate) const fn zero_bytes(word: u64) -> u64 {
    word.wrapping_sub(0x0101_0101_0101_0101) & !word & 0x8080_8080_8080_8080
}

/// One bit for each zero byte of a word; eight bits.
#[inline(always)]
pub(crate) const fn word_matches(word: u64) -> u64 {
    // Gathers the lowest bits of eight bytes into the top byte.
    zero_ones(word).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

/// How many bytes of a word are zero.
#[inline(always)]
pub(crate) const fn word_zeros(word: u64) -> u64 {
    // At most eight: the sum of all bytes comes out in the top one.
    zero_ones(word).wrapping_mul(0x0101_0101_0101_0101) >> 56
}

/// A one for each byte that is zero, and a zero for every other.
#[inline(always)]
const fn zero_ones(word: u64) -> u64 {
    const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    // The top bit of each byte says that the byte is not zero; no byte carries into the next.
    let not_zero = (word & LOW).wrapping_add(LOW) | word | LOW;
    !not_zero >> 7
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Holds one module's functions against their definitions.
    macro_rules! says_what_it_should {
        ($name:ident, $lanes:expr) => {
            #[test]
            fn $name() {
                let Some(lanes) = $lanes else { return };
                for fill in [0u8, 1, 0x7f, 0x80, 0xfe, 0xff] {
                    for at in 0..BLOCK {
                        for byte in 0..=255u8 {
                            let mut block = [fill; BLOCK];
                            block[at] = byte;
                            for want in [0u8, 1, 0x80, 0xff, byte] {
                                let bits = (0..BLOCK).fold(0u64, |bits, i| bits | u64::from(block[i] == want) << i);
                                assert_eq!(lanes.matches(&block, want), bits);
                            }
                            assert_eq!(lanes.any::<0, BLOCK>(&block), block.contains(&0));
                            assert_eq!(lanes.any::<0xff, BLOCK>(&block), block.contains(&0xff));
                            for mask in [0, 0xff] {
                                let mut copied = [0xaa; BLOCK];
                                lanes.copy(&mut copied, &block, mask);
                                assert_eq!(copied, block.map(|b| b ^ mask));
                            }
                            let mut copied = [0xaa; BLOCK];
                            let found = [
                                (lanes.copy_any::<0, false, BLOCK>(&mut copied, &block), copied, 0, 0),
                                (lanes.copy_any::<0xff, false, BLOCK>(&mut copied, &block), copied, 0xff, 0),
                                (lanes.copy_any::<0, true, BLOCK>(&mut copied, &block), copied, 0, 0xff),
                                (lanes.copy_any::<0xff, true, BLOCK>(&mut copied, &block), copied, 0xff, 0xff),
                            ];
                            for (any, copied, zero, mask) in found {
                                assert_eq!((any, copied), (block.contains(&zero), block.map(|b| b ^ mask)));
                            }
                        }
                    }
                }
                // Every pattern of two bytes beside each other, which could carry into one another.
                for pair in 0..=u16::MAX {
                    let mut block = [7; BLOCK];
                    for at in [0, 7, 15, 31, 62] {
                        block[at..at + 2].copy_from_slice(&pair.to_be_bytes());
                    }
                    for want in [0u8, 0xff] {
                        let bits = (0..BLOCK).fold(0u64, |bits, i| bits | u64::from(block[i] == want) << i);
                        assert_eq!(lanes.matches(&block, want), bits);
                    }
                }
            }
        };
    }

    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    says_what_it_should!(vectors_agree_with_bytes, Some(vectors::Vectors));
    says_what_it_should!(words_agree_with_bytes, Some(words::Words));
    #[cfg(all(feature = "simd", target_arch = "x86_64"))]
    says_what_it_should!(wide_lanes_agree_with_bytes, crate::raw::wide::Wide::worth(usize::MAX));
    #[cfg(all(feature = "simd", target_arch = "x86_64"))]
    says_what_it_should!(widest_lanes_agree_with_bytes, crate::raw::wide::Widest::worth(usize::MAX));

    #[test]
    fn zeros_of_a_word_are_counted() {
        for bits in 0..=255u64 {
            for fill in [1u64, 0x80, 0xff] {
                let word = (0..8).fold(0u64, |word, i| word | (((1 - (bits >> i & 1)) * fill) << (8 * i)));
                assert_eq!(word_zeros(word), u64::from(bits.count_ones()));
                assert_eq!(word_matches(word), bits);
                assert_eq!(zero_bytes(word) == 0, bits == 0);
                assert!(bits == 0 || zero_bytes(word).trailing_zeros() / 8 == bits.trailing_zeros());
            }
        }
    }
}
