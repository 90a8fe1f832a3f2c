//! A position in a key being read. Takes look first, check, and move last.

use crate::error::Error;
use crate::order::Flip;
use crate::raw::lanes::xor;
use crate::raw::lanes::zero_bytes;
use crate::raw::long;
use crate::raw::view::ByteView;

/// Where reading stands: the whole key, the next byte, and the field that errors name.
///
/// Invariant: `pos <= key.len()`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Input<'k> {
    key: &'k [u8],
    pos: usize,
    field: usize,
}

/// A value that can be read from its payload.
pub(crate) trait Take<'k>: Sized {
    /// Reads the payload under `flip`, and accepts exactly what writing emits.
    fn take(input: &mut Input<'k>, flip: Flip) -> Result<Self, Error>;
}

impl<'k> Input<'k> {
    /// Reads `key` from byte `pos` on; beyond the end is the end.
    #[inline(always)]
    pub(crate) fn new(key: &'k [u8], pos: usize) -> Self {
        let pos = pos.min(key.len());
        Input { key, pos, field: pos }
    }

    #[inline(always)]
    pub(crate) fn pos(&self) -> usize {
        self.pos
    }

    #[inline(always)]
    pub(crate) fn rest(&self) -> &'k [u8] {
        self.key.get(self.pos..).unwrap_or(&[])
    }

    /// Says that a top-level field starts here.
    #[inline(always)]
    pub(crate) fn begin_field(&mut self) {
        self.field = self.pos;
    }

    /// The field is not what writing emits.
    #[cold]
    pub(crate) fn malformed(&self) -> Error {
        Error::MalformedKey { at: self.field }
    }

    #[cold]
    pub(crate) fn truncated(&self) -> Error {
        Error::TruncatedKey { at: self.key.len() }
    }

    /// The key's bytes since `from`.
    #[inline(always)]
    pub(crate) fn since(&self, from: usize) -> &'k [u8] {
        self.key.get(from..self.pos).unwrap_or(&[])
    }

    /// The next `N` bytes, complemented if `flip` says so.
    #[inline(always)]
    pub(crate) fn array<const N: usize>(&mut self, flip: Flip) -> Result<[u8; N], Error> {
        match self.rest().first_chunk::<N>() {
            Some(bytes) => {
                // In range: the bytes are there.
                self.pos = self.pos.wrapping_add(N);
                Ok(xor(*bytes, flip.mask()))
            }
            None => Err(self.truncated()),
        }
    }

    /// The next byte.
    #[inline(always)]
    pub(crate) fn byte(&mut self, flip: Flip) -> Result<u8, Error> {
        let [byte] = self.array::<1>(flip)?;
        Ok(byte)
    }

    /// The next `n` bytes as they lie.
    #[inline(always)]
    pub(crate) fn slice(&mut self, n: usize) -> Result<&'k [u8], Error> {
        match self.rest().get(..n) {
            Some(bytes) => {
                self.pos = self.pos.wrapping_add(n);
                Ok(bytes)
            }
            None => Err(self.truncated()),
        }
    }

    /// An escaped payload with its end.
    #[inline(always)]
    pub(crate) fn escaped(&mut self, flip: Flip) -> Result<ByteView<'k>, Error> {
        Ok(self.escaped_ascii(flip)?.0)
    }

    /// An escaped payload with its end, and whether it was seen to be all ASCII: only short ones
    /// without a zero are looked at so.
    #[inline(always)]
    pub(crate) fn escaped_ascii(&mut self, flip: Flip) -> Result<(ByteView<'k>, bool), Error> {
        let rest = self.rest();
        // Most fields are short and hold no zero but their end.
        match near_end(rest, flip) {
            Ok((end, ascii)) => Ok((self.ended(end, 0, flip), ascii)),
            Err(at) => {
                let (end, zeros) = find_end(rest, at, flip);
                if rest.get(end.wrapping_add(1)) != Some(&flip.mask()) {
                    return Err(not_ended(*self, end));
                }
                Ok((self.ended(end, zeros, flip), false))
            }
        }
    }

    /// The value of an escaped payload, copied to the front of `out` while its end is looked for. What
    /// `out` holds behind it, and after an error, is left open.
    #[inline(always)]
    pub(crate) fn escaped_to<'o>(&mut self, flip: Flip, out: &'o mut [u8]) -> Result<&'o [u8], Error> {
        let rest = self.rest();
        let (end, zeros) = copied(rest, out, flip);
        if rest.get(end.wrapping_add(1)) != Some(&flip.mask()) {
            return Err(not_ended(*self, end));
        }
        // In range: the zeros' escapes come before the end.
        let len = end.wrapping_sub(zeros);
        let short = Error::ShortBuffer { needed: len, available: out.len() };
        let out = out.get(..len).ok_or(short)?;
        self.ended(end, zeros, flip);
        Ok(out)
    }

    /// Moves behind an end that stands `at` bytes ahead.
    #[inline(always)]
    fn ended(&mut self, at: usize, zeros: usize, flip: Flip) -> ByteView<'k> {
        let raw = self.rest().get(..at).unwrap_or(&[]);
        self.pos = self.pos.wrapping_add(at).wrapping_add(2);
        ByteView::escaped(raw, zeros, flip)
    }
}

/// Where the payload ends, and whether it is all ASCII, if its end is among the first few words and no
/// zero before it; else how many bytes hold no zero.
#[inline(always)]
fn near_end(rest: &[u8], flip: Flip) -> Result<(usize, bool), usize> {
    let wants = u64::from_ne_bytes([flip.mask(); 8]);
    let (mut at, mut seen) = (0usize, 0u64);
    while let Some(word) = rest.get(at..).and_then(|r| r.first_chunk::<8>()) {
        let word = u64::from_le_bytes(*word) ^ wants;
        let hit = zero_bytes(word);
        if hit != 0 {
            at = at.wrapping_add((hit.trailing_zeros() / 8) as usize);
            if rest.get(at.wrapping_add(1)) != Some(&flip.mask()) {
                break;
            }
            // The bytes before the zero are those below the lowest bit that is set.
            seen |= word & hit.wrapping_sub(1) & !hit;
            return Ok((at, seen & 0x8080_8080_8080_8080 == 0));
        }
        seen |= word;
        at = at.wrapping_add(8);
        if at >= 32 {
            break;
        }
    }
    Err(at)
}

/// Finds the end of a payload as [`find_end`], and copies its value to the front of `out`, if it has an
/// end and fits. Takes and gives values, so that the input stays out of memory.
#[inline(never)]
fn copied(rest: &[u8], out: &mut [u8], flip: Flip) -> (usize, usize) {
    let (clean, (end, zeros)) = match (near_end(rest, flip), flip) {
        (Ok((end, _)), _) => (0, (end, 0)),
        (Err(_), Flip::No) => copied_end::<0, false>(rest, out, flip),
        (Err(_), Flip::Yes) => copied_end::<0xff, true>(rest, out, flip),
    };
    // In range: before the end, as no zero was copied, and the zeros' escapes come before it too.
    let len = end.wrapping_sub(zeros);
    if let (Some(rest), Some(out)) = (rest.get(clean..end), out.get_mut(clean..len)) {
        // It is exactly as long.
        let _ = ByteView::escaped(rest, zeros, flip).copy_to(out);
    }
    (end, zeros)
}

/// Copies bytes up to a zero, or to some before one, and then finds the end. Gives how many it copied,
/// and what [`find_end`] does.
#[inline(always)]
fn copied_end<const ZERO: u8, const FLIP: bool>(rest: &[u8], out: &mut [u8], flip: Flip) -> (usize, (usize, usize)) {
    let clean = long::copy_clean::<ZERO, FLIP>(out, rest);
    (clean, find_end(rest, clean, flip))
}

/// Where the first zero is that its escape does not follow, or the length where there is none, and how
/// many escaped zeros come before it; none does before `at`.
#[inline(never)]
fn find_end(rest: &[u8], at: usize, flip: Flip) -> (usize, usize) {
    let ahead = rest.get(at..).unwrap_or(&[]);
    let (end, zeros) = match flip {
        Flip::No => long::scan::<0>(ahead),
        Flip::Yes => long::scan::<0xff>(ahead),
    };
    // In range: within a slice.
    (at.wrapping_add(end), zeros)
}

/// What is wrong where a zero, or the key's end, is followed by no second zero.
#[cold]
#[inline(never)]
fn not_ended(input: Input<'_>, end: usize) -> Error {
    // In range: offsets within a slice, and one.
    match input.rest().get(end.wrapping_add(1)) {
        Some(_) => Error::InvalidEscape { at: input.pos.wrapping_add(end).wrapping_add(1) },
        None => input.truncated(),
    }
}

#[cfg(test)]
mod tests {
    use std::prelude::v1::*;
    use std::vec;

    use super::*;

    #[test]
    fn escaped_finds_its_end_and_its_faults() {
        let mut input = Input::new(&[9, 0x61, 0, 0xff, 0x62, 0, 0, 7], 1);
        assert_eq!(input.escaped(Flip::No).unwrap(), *b"a\0b");
        assert_eq!(input.rest(), [7]);

        let fault = |bytes: &[u8]| Input::new(bytes, 0).escaped(Flip::No).unwrap_err();
        assert_eq!(fault(&[]), Error::TruncatedKey { at: 0 });
        assert_eq!(fault(&[0x61]), Error::TruncatedKey { at: 1 });
        assert_eq!(fault(&[0x61, 0]), Error::TruncatedKey { at: 2 });
        assert_eq!(fault(&[0x61, 0, 1]), Error::InvalidEscape { at: 2 });
        assert_eq!(fault(&[1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0xfe]), Error::InvalidEscape { at: 10 });
    }

    #[test]
    fn copying_says_what_borrowing_says() {
        for len in (0..70).chain([127, 128, 200, 255, 256, 257, 300, 511, 512, 600]) {
            for every in [1, 2, 40, 300, 1000] {
                for flip in [Flip::No, Flip::Yes] {
                    let value: Vec<u8> =
                        (1..=len).map(|i: usize| if i % every == 0 { 0 } else { i.to_le_bytes()[0] | 1 }).collect();
                    let mut key = vec![0; 2 * value.len() + 2];
                    let n = long::put(&mut key, &value, Flip::No, flip).unwrap();
                    key.truncate(n);
                    for follows in [&[][..], &[0], &[0xff, 0, 0], &[7; 300]] {
                        let key = [&key, follows].concat();
                        let mut input = Input::new(&key, 0);
                        for room in [0, value.len().saturating_sub(1), value.len(), value.len() + 300] {
                            let (mut at, mut out) = (input, vec![0xaa; room]);
                            let copied = at.escaped_to(flip, &mut out);
                            if room < value.len() {
                                let short = Error::ShortBuffer { needed: value.len(), available: room };
                                assert_eq!((copied, at.pos()), (Err(short), 0));
                            } else {
                                assert_eq!((copied, at.pos()), (Ok(value.as_slice()), n));
                            }
                        }
                        // What is cut off, or has another end, is the same error.
                        for cut in [0, 1, n / 2, n - 2, n - 1] {
                            let mut cut_input = Input::new(key.get(..cut).unwrap(), 0);
                            let want = cut_input.escaped(flip).map(|_| ());
                            assert_eq!(
                                Input::new(key.get(..cut).unwrap(), 0).escaped_to(flip, &mut [0; 900]).map(|_| ()),
                                want
                            );
                        }
                        let mut wrong = key.clone();
                        wrong[n - 1] ^= 0x55;
                        let want = Input::new(&wrong, 0).escaped(flip).map(|_| ());
                        assert!(want.is_err());
                        assert_eq!(Input::new(&wrong, 0).escaped_to(flip, &mut [0; 900]).map(|_| ()), want);
                        assert_eq!(input.escaped(flip).unwrap(), value[..]);
                    }
                }
            }
        }
    }
}
