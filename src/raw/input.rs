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
        let wants = u64::from_ne_bytes([flip.mask(); 8]);
        // The first words are looked at here: most fields are short and hold no zero but their end.
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
                return Ok((self.ended(at, 0, flip), seen & 0x8080_8080_8080_8080 == 0));
            }
            seen |= word;
            at = at.wrapping_add(8);
            if at >= 32 {
                break;
            }
        }
        let (end, zeros) = find_end(rest, at, flip);
        if rest.get(end.wrapping_add(1)) != Some(&flip.mask()) {
            return Err(not_ended(*self, end));
        }
        Ok((self.ended(end, zeros, flip), false))
    }

    /// Moves behind an end that stands `at` bytes ahead.
    #[inline(always)]
    fn ended(&mut self, at: usize, zeros: usize, flip: Flip) -> ByteView<'k> {
        let raw = self.rest().get(..at).unwrap_or(&[]);
        self.pos = self.pos.wrapping_add(at).wrapping_add(2);
        ByteView::escaped(raw, zeros, flip)
    }
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
}
