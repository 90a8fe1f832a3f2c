//! A position in a key being read. Takes look first, check, and move last.

use crate::error::Error;
use crate::order::Flip;
use crate::raw::block;
use crate::raw::block::Stop;
use crate::raw::view::ByteView;
use crate::raw::view::zero_bytes;

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
                Ok(bytes.map(|b| b ^ flip.mask()))
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
        let rest = self.rest();
        let wants = u64::from_ne_bytes([flip.mask(); 8]);
        // The first words are looked at here: most fields are short and hold no zero but their end.
        let mut at = 0usize;
        while let Some(word) = rest.get(at..).and_then(|r| r.first_chunk::<8>()) {
            let hit = zero_bytes(u64::from_le_bytes(*word) ^ wants);
            if hit != 0 {
                at = at.wrapping_add((hit.trailing_zeros() / 8) as usize);
                if rest.get(at.wrapping_add(1)) == Some(&flip.mask()) {
                    return Ok(self.ended(at, 0, flip));
                }
                break;
            }
            at = at.wrapping_add(8);
            if at >= 64 {
                break;
            }
        }
        let (at, zeros) = find_end(rest, at, flip);
        // In range: an offset in the rest, and two.
        match rest.get(at.wrapping_add(1)).map(|b| b ^ flip.mask()) {
            Some(0x00) => Ok(self.ended(at, zeros, flip)),
            Some(_) => Err(Error::InvalidEscape { at: self.pos.wrapping_add(at).wrapping_add(1) }),
            None => Err(self.truncated()),
        }
    }

    /// Moves behind an end that stands `at` bytes ahead.
    #[inline(always)]
    fn ended(&mut self, at: usize, zeros: usize, flip: Flip) -> ByteView<'k> {
        let raw = self.rest().get(..at).unwrap_or(&[]);
        self.pos = self.pos.wrapping_add(at).wrapping_add(2);
        ByteView::escaped(raw, zeros, flip)
    }
}

/// Offset of the first zero from `at` on, where none is before, that is not followed by its escape,
/// and the number of escapes before it. The length of `rest` when there is none.
#[inline(never)]
fn find_end(rest: &[u8], at: usize, flip: Flip) -> (usize, usize) {
    let (zero, escape) = (flip.mask(), 0xff ^ flip.mask());
    let ahead = rest.get(at..).unwrap_or(&[]);
    // In range throughout: offsets within a slice.
    let scanned = match flip {
        Flip::No => block::scan::<0>(ahead),
        Flip::Yes => block::scan::<0xff>(ahead),
    };
    let (from, mut zeros) = match scanned {
        (Stop::At(found), zeros) => return (at.wrapping_add(found), zeros),
        (Stop::Rest(from), zeros) => (at.wrapping_add(from), zeros),
    };
    let mut at = from;
    loop {
        match rest.get(at..) {
            Some([first, ..]) if *first != zero => at = at.wrapping_add(1),
            Some([_, second, ..]) if *second == escape => {
                zeros = zeros.wrapping_add(1);
                at = at.wrapping_add(2);
            }
            Some([_, ..]) => return (at, zeros),
            _ => return (rest.len(), zeros),
        }
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
