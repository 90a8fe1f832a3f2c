//! Thirty-two bytes in a vector, where the machine is found to have AVX2 when the program runs, and
//! sixty-four where it has AVX-512.

use core::arch::x86_64::__m256i;
use core::arch::x86_64::__m512i;
use core::arch::x86_64::_mm512_cvtepu8_epi16;
use core::arch::x86_64::_mm512_maskz_compress_epi8;
use core::arch::x86_64::_mm512_or_si512;
use core::arch::x86_64::_mm512_set1_epi16;
use core::arch::x86_64::_pdep_u64;

use fearless_simd::Level;
use fearless_simd::Simd;
use fearless_simd::SimdBase;
use fearless_simd::SimdInt;
use fearless_simd::SimdInto;
use fearless_simd::SimdMask;
use fearless_simd::kernel;
use fearless_simd::u8x16;
use fearless_simd::u8x32;
use fearless_simd::u8x64;
use fearless_simd::x86::Avx2;
use fearless_simd::x86::Avx512;

use crate::raw::block;
use crate::raw::lanes::AHEAD;
use crate::raw::lanes::BLOCK;
use crate::raw::lanes::Lanes;
use crate::raw::lanes::SPREAD;

/// Fewer bytes than these are not worth asking the machine for.
const WORTH: usize = 128;

/// Proof that the machine has AVX2.
#[derive(Clone, Copy)]
pub(crate) struct Wide(Avx2);

impl Wide {
    /// The wide lanes, if so many bytes are worth it and the machine has them.
    #[inline(always)]
    pub(crate) fn worth(len: usize) -> Option<Wide> {
        if len < WORTH { None } else { Level::new().as_avx2().map(Wide) }
    }

    #[inline(always)]
    fn splat(self, byte: u8) -> u8x32<Avx2> {
        u8x32::splat(self.0, byte)
    }

    /// Eight bytes, and the eight behind them.
    #[inline(always)]
    fn sixteen(self, raw: &[u8; AHEAD], word: usize) -> Option<u8x16<Avx2>> {
        // In range: of the few words of a block.
        let bytes = raw.get(word.wrapping_mul(8)..)?.first_chunk::<16>()?;
        Some(u8x16::load_array_ref(self.0, bytes))
    }

    /// The table's places for the lowest eight of `bits`.
    #[inline(always)]
    fn places(self, table: &'static [[u8; 16]; 256], bits: u64) -> u8x16<Avx2> {
        // In range: the table has one for each byte.
        let places = table.get((bits & 0xff) as usize).unwrap_or(&[NONE; 16]);
        u8x16::load_array_ref(self.0, places)
    }
}

/// Whether any of the bytes, a multiple of `W`, equals `ZERO`.
#[inline(always)]
fn any<const ZERO: u8, const W: usize, S: Simd, V>(simd: S, mut bytes: &[u8]) -> bool
where
    V: SimdInt<S> + SimdBase<S, Element = u8, Array = [u8; W]>,
{
    const { assert!(ZERO == 0 || ZERO == 0xff) };
    // The least of all bytes, or the greatest, is enough to know.
    let mut most = V::splat(simd, !ZERO);
    while let Some((chunk, rest)) = bytes.split_first_chunk::<W>() {
        let chunk = V::load_array_ref(simd, chunk);
        most = if ZERO == 0 { most.min(chunk) } else { most.max(chunk) };
        bytes = rest;
    }
    most.simd_eq(V::splat(simd, ZERO)).any_true()
}

/// Copies equally many bytes, a multiple of `W`, each complemented if `FLIP`; says whether any of them
/// equals `ZERO`. Each is loaded once for both.
#[inline(always)]
fn copy_any<const ZERO: u8, const FLIP: bool, const W: usize, S: Simd, V>(simd: S, to: &mut [u8], from: &[u8]) -> bool
where
    V: SimdInt<S> + SimdBase<S, Element = u8, Array = [u8; W]>,
{
    const { assert!(ZERO == 0 || ZERO == 0xff) };
    let (ones, mut most) = (V::splat(simd, 0xff), V::splat(simd, !ZERO));
    let (mut to, mut from) = (to, from);
    while let (Some((slot, more)), Some((chunk, rest))) =
        (core::mem::take(&mut to).split_first_chunk_mut::<W>(), from.split_first_chunk::<W>())
    {
        let chunk = V::load_array_ref(simd, chunk);
        most = if ZERO == 0 { most.min(chunk) } else { most.max(chunk) };
        if FLIP { chunk ^ ones } else { chunk }.store_array(slot);
        (to, from) = (more, rest);
    }
    most.simd_eq(V::splat(simd, ZERO)).any_true()
}

impl Lanes for Wide {
    #[inline(always)]
    fn matches(self, block: &[u8; BLOCK], byte: u8) -> u64 {
        let splat = self.splat(byte);
        let (mut bits, mut shift) = (0u64, 0u32);
        let mut rest: &[u8] = block;
        while let Some((bytes, tail)) = rest.split_first_chunk::<32>() {
            bits |= u8x32::load_array_ref(self.0, bytes).simd_eq(splat).to_bitmask().wrapping_shl(shift);
            shift = shift.wrapping_add(32);
            rest = tail;
        }
        bits
    }

    #[inline(always)]
    fn any<const ZERO: u8, const N: usize>(self, bytes: &[u8; N]) -> bool {
        const { assert!(N.is_multiple_of(32)) };
        any::<ZERO, 32, _, u8x32<Avx2>>(self.0, bytes)
    }

    #[inline(always)]
    fn copy_any<const ZERO: u8, const FLIP: bool, const N: usize>(self, to: &mut [u8; N], from: &[u8; N]) -> bool {
        const { assert!(N.is_multiple_of(32)) };
        copy_any::<ZERO, FLIP, 32, _, u8x32<Avx2>>(self.0, to, from)
    }

    #[inline(always)]
    fn copy<const N: usize>(self, to: &mut [u8; N], from: &[u8; N], mask: u8) {
        const { assert!(N.is_multiple_of(32)) };
        let splat = self.splat(mask);
        let (mut to, mut from): (&mut [u8], &[u8]) = (to, from);
        while let (Some((slot, more)), Some((bytes, tail))) =
            (core::mem::take(&mut to).split_first_chunk_mut::<32>(), from.split_first_chunk::<32>())
        {
            (u8x32::load_array_ref(self.0, bytes) ^ splat).store_array(slot);
            (to, from) = (more, tail);
        }
    }

    #[inline(always)]
    fn spread(self, room: &mut [u8; SPREAD], raw: &[u8; AHEAD], zeros: u64, mask: u8, escape: u8) -> Option<usize> {
        // A place that is none gives a zero byte, so an escape is zero on the way.
        let (masks, escapes) = (u8x16::splat(self.0, mask ^ escape), u8x16::splat(self.0, escape));
        let (mut zeros, mut to) = (zeros, 0usize);
        for word in 0..BLOCK / 8 {
            let bytes = self.sixteen(raw, word)? ^ masks;
            let spread = bytes.swizzle_dyn_within_blocks(self.places(&SPREADS, zeros)) ^ escapes;
            spread.store_array(room.get_mut(to & 127..)?.first_chunk_mut::<16>()?);
            // In range: sixteen bytes at most for each of eight words.
            to = to.wrapping_add(8).wrapping_add((zeros & 0xff).count_ones() as usize);
            zeros >>= 8;
        }
        Some(to)
    }

    #[inline(always)]
    fn gather(self, room: &mut [u8; AHEAD], raw: &[u8; AHEAD], escapes: u64, mask: u8) -> Option<usize> {
        let masks = u8x16::splat(self.0, mask);
        let (mut escapes, mut to) = (escapes, 0usize);
        for word in 0..BLOCK / 8 {
            let bytes = self.sixteen(raw, word)? ^ masks;
            let gathered = bytes.swizzle_dyn_within_blocks(self.places(&GATHERS, escapes));
            gathered.store_array(room.get_mut(to & 63..)?.first_chunk_mut::<16>()?);
            // In range: eight bytes at most for each of eight words.
            to = to.wrapping_add(8).wrapping_sub((escapes & 0xff).count_ones() as usize);
            escapes >>= 8;
        }
        Some(to)
    }
}

/// A place to take a byte from that is none.
const NONE: u8 = 0x80;

/// For each byte of bits: all eight bytes, and none behind those whose bit is set.
static SPREADS: [[u8; 16]; 256] = table(true);

/// For each byte of bits: the bytes whose bit is not set.
static GATHERS: [[u8; 16]; 256] = table(false);

#[expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "runs when compiling, or does not compile"
)]
const fn table(spread: bool) -> [[u8; 16]; 256] {
    let mut table = [[0; 16]; 256];
    let mut bits = 0usize;
    while bits < 256 {
        let (mut from, mut to) = (0u8, 0);
        while from < 8 {
            let set = bits >> from & 1 == 1;
            if spread || !set {
                table[bits][to] = from;
                to += 1;
            }
            if spread && set {
                table[bits][to] = NONE;
                to += 1;
            }
            from += 1;
        }
        bits += 1;
    }
    table
}

/// Proof that the machine has the AVX-512 of Intel's Ice Lake or AMD's Zen 4 too: there, bytes are moved
/// to their places by one instruction.
#[derive(Clone, Copy)]
pub(crate) struct Widest(Wide, Avx512);

impl Widest {
    /// As [`Wide::worth`].
    #[inline(always)]
    pub(crate) fn worth(len: usize) -> Option<Widest> {
        if len < WORTH {
            return None;
        }
        let level = Level::new();
        Some(Widest(Wide(level.as_avx2()?), level.as_avx512()?))
    }
}

impl Lanes for Widest {
    #[inline(always)]
    fn matches(self, block: &[u8; BLOCK], byte: u8) -> u64 {
        // By halves, as `spread` takes them: from one load they would be put together again byte by byte.
        self.0.matches(block, byte)
    }

    #[inline(always)]
    fn any<const ZERO: u8, const N: usize>(self, bytes: &[u8; N]) -> bool {
        const { assert!(N.is_multiple_of(64)) };
        any::<ZERO, 64, _, u8x64<Avx512>>(self.1, bytes)
    }

    #[inline(always)]
    fn copy_any<const ZERO: u8, const FLIP: bool, const N: usize>(self, to: &mut [u8; N], from: &[u8; N]) -> bool {
        if N.is_multiple_of(64) {
            copy_any::<ZERO, FLIP, 64, _, u8x64<Avx512>>(self.1, to, from)
        } else {
            self.0.copy_any::<ZERO, FLIP, N>(to, from)
        }
    }

    #[inline(always)]
    fn copy<const N: usize>(self, to: &mut [u8; N], from: &[u8; N], mask: u8) {
        self.0.copy(to, from, mask);
    }

    #[inline(always)]
    fn spread(self, room: &mut [u8; SPREAD], raw: &[u8; AHEAD], zeros: u64, mask: u8, escape: u8) -> Option<usize> {
        let masks = self.0.splat(mask);
        let (mut zeros, mut to) = (zeros, 0usize);
        for half in raw.chunks_exact(32).take(BLOCK / 32) {
            let bytes = u8x32::load_array_ref(self.0.0, half.first_chunk()?) ^ masks;
            let spread: u8x64<Avx512> =
                spread_half(self.1, bytes.into(), zeros & 0xffff_ffff, escape).simd_into(self.1);
            spread.store_array(room.get_mut(to & 127..)?.first_chunk_mut()?);
            // In range: sixty-four bytes at most for each of two halves.
            to = to.wrapping_add(32).wrapping_add((zeros & 0xffff_ffff).count_ones() as usize);
            zeros >>= 32;
        }
        Some(to)
    }

    #[inline(always)]
    fn gather(self, room: &mut [u8; AHEAD], raw: &[u8; AHEAD], escapes: u64, mask: u8) -> Option<usize> {
        let bytes = u8x64::load_array_ref(self.1, raw.first_chunk()?) ^ u8x64::splat(self.1, mask);
        let gathered: u8x64<Avx512> = gather_block(self.1, bytes.into(), escapes).simd_into(self.1);
        gathered.store_array(room.first_chunk_mut()?);
        Some(escapes.count_zeros() as usize)
    }
}

kernel!(
    /// Thirty-two bytes, and `escape` behind those whose bit is set.
    #[inline(always)]
    fn spread_half(avx512: Avx512, bytes: __m256i, zeros: u64, escape: u8) -> __m512i {
        // Each byte with an escape behind it, of which those that are wanted stay.
        let escapes = _mm512_set1_epi16(i16::from_le_bytes([0, escape]));
        let pairs = _mm512_or_si512(_mm512_cvtepu8_epi16(bytes), escapes);
        let stay = _pdep_u64(zeros, 0xaaaa_aaaa_aaaa_aaaa) | 0x5555_5555_5555_5555;
        _mm512_maskz_compress_epi8(stay, pairs)
    }
);

kernel!(
    /// Sixty-four bytes, without those whose bit is set.
    #[inline(always)]
    fn gather_block(avx512: Avx512, bytes: __m512i, escapes: u64) -> __m512i {
        _mm512_maskz_compress_epi8(!escapes, bytes)
    }
);

/// [`block::copy_clean`] in each way that bytes can lie and be stored, compiled for both lanes. It is called
/// for every long field, and what it is given comes in registers, not in a closure: a seventh of the time.
macro_rules! copies {
    ($($zero:literal $flip:literal $wide:ident $widest:ident;)*) => {
        $(
            kernel!(
                fn $wide(avx2: Avx2, room: &mut [u8], raw: &[u8]) -> usize {
                    block::copy_clean::<$zero, $flip>(Wide(avx2), room, raw)
                }
            );
            kernel!(
                fn $widest(avx512: Avx512, avx2: Avx2, room: &mut [u8], raw: &[u8]) -> usize {
                    block::copy_clean::<$zero, $flip>(Widest(Wide(avx2), avx512), room, raw)
                }
            );
        )*

        impl Wide {
            /// [`block::copy_clean`] by these lanes.
            #[inline(always)]
            pub(crate) fn copy_clean<const ZERO: u8, const FLIP: bool>(self, room: &mut [u8], raw: &[u8]) -> usize {
                match (ZERO, FLIP) {
                    $(($zero, $flip) => $wide(self.0, room, raw),)*
                    _ => 0,
                }
            }
        }

        impl Widest {
            /// [`block::copy_clean`] by these lanes.
            #[inline(always)]
            pub(crate) fn copy_clean<const ZERO: u8, const FLIP: bool>(self, room: &mut [u8], raw: &[u8]) -> usize {
                match (ZERO, FLIP) {
                    $(($zero, $flip) => $widest(self.1, self.0.0, room, raw),)*
                    _ => 0,
                }
            }
        }
    };
}

copies! {
    0x00 false copy copy_widest;
    0x00 true copy_flipped copy_widest_flipped;
    0xff false copy_ones copy_widest_ones;
    0xff true copy_ones_flipped copy_widest_ones_flipped;
}

/// What else `block` does, compiled for both lanes.
macro_rules! entries {
    ($($lanes:ident $token:tt;)*) => {
        $(
            impl $lanes {
                /// [`block::scan`] by these lanes.
                #[inline(always)]
                pub(crate) fn scan<const ZERO: u8>(self, raw: &[u8]) -> (usize, usize) {
                    self.$token.vectorize(
                        #[inline(always)]
                        || block::scan::<ZERO>(self, raw),
                    )
                }

                /// [`block::escape_from`] by these lanes.
                #[inline(always)]
                pub(crate) fn escape_from<const ZERO: u8>(
                    self,
                    room: &mut [u8],
                    raw: &[u8],
                    at: usize,
                    mask: u8,
                    escape: u8,
                ) -> usize {
                    self.$token.vectorize(
                        #[inline(always)]
                        || block::escape_from::<ZERO>(self, room, raw, at, mask, escape),
                    )
                }

                /// [`block::unescape`] by these lanes.
                #[inline(always)]
                pub(crate) fn unescape<const ZERO: u8>(self, room: &mut [u8], raw: &[u8]) {
                    self.$token.vectorize(
                        #[inline(always)]
                        || block::unescape::<ZERO>(self, room, raw),
                    );
                }
            }
        )*
    };
}

entries! {
    Wide 0;
    Widest 1;
}
