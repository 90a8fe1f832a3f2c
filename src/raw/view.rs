//! Bytes as they lie in a key, or plain: a `Copy` view that knows its length and reads either way.
//!
//! # Layout
//! In an escaped field `00` is written `00 ff`, every other byte is copied, and `00 00` ends it; a
//! descending field complements all of it. The view holds what lies between, without the end.

use core::cmp::Ordering;
use core::fmt;

use crate::error::Error;
use crate::order::Flip;
use crate::raw::block;

/// How the raw bytes of a view stand for its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Plain,
    Flipped,
    Escaped,
    EscapedFlipped,
}

/// A borrowed byte string: plain bytes of the caller, or bytes that lie escaped or complemented in
/// a key. Knows its length, iterates, compares, copies out, and is accepted by a builder again.
///
/// Two views are equal when the bytes they stand for are, however they lie.
///
/// ```
/// use isotone::{Builder, ByteView, Decoder, Desc};
/// let mut room = [0u8; 16];
/// let mut key = Builder::new(&mut room);
/// key.bytes(b"a\0b", Desc);
/// let key = key.finish()?;
/// assert_eq!(key, [0x9e, 0xff, 0x00, 0x9d, 0xff, 0xff]);
///
/// let view: ByteView<'_> = Decoder::new(key).bytes(Desc)?;
/// assert_eq!(view.len(), 3);
/// assert_eq!(view, *b"a\0b");
/// assert!(view.as_slice().is_none()); // complemented: not lying there as it is
/// let mut out = [0u8; 8];
/// assert_eq!(view.copy_to(&mut out)?, b"a\0b");
/// # Ok::<(), isotone::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct ByteView<'k> {
    raw: &'k [u8],
    len: usize,
    form: Form,
}

impl<'k> ByteView<'k> {
    /// A view of plain bytes.
    #[inline(always)]
    pub const fn new(bytes: &'k [u8]) -> Self {
        ByteView { raw: bytes, len: bytes.len(), form: Form::Plain }
    }

    /// Bytes that lie in a key unescaped, complemented if `flip` says so.
    #[inline(always)]
    pub(crate) fn fixed(raw: &'k [u8], flip: Flip) -> Self {
        let form = match flip {
            Flip::No => Form::Plain,
            Flip::Yes => Form::Flipped,
        };
        ByteView { raw, len: raw.len(), form }
    }

    /// The inside of an escaped payload: every zero of the value has its `ff`, and there are
    /// `zeros` of them.
    #[inline(always)]
    pub(crate) fn escaped(raw: &'k [u8], zeros: usize, flip: Flip) -> Self {
        let form = match flip {
            Flip::No => Form::Escaped,
            Flip::Yes => Form::EscapedFlipped,
        };
        ByteView { raw, len: raw.len().saturating_sub(zeros), form }
    }

    /// Number of bytes of the value.
    #[inline(always)]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether the value has no bytes.
    #[inline(always)]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The value as a slice where it lies as it is: plain, or ascending with nothing escaped.
    #[inline(always)]
    pub fn as_slice(&self) -> Option<&'k [u8]> {
        match self.form {
            Form::Plain => Some(self.raw),
            Form::Escaped if self.raw.len() == self.len => Some(self.raw),
            _ if self.len == 0 => Some(&[]),
            _ => None,
        }
    }

    /// The raw bytes and the flip, when the value lies there byte for byte.
    #[inline(always)]
    pub(crate) fn unescaped(&self) -> Option<(&'k [u8], Flip)> {
        match self.form {
            Form::Plain => Some((self.raw, Flip::No)),
            Form::Flipped => Some((self.raw, Flip::Yes)),
            Form::Escaped if self.raw.len() == self.len => Some((self.raw, Flip::No)),
            Form::EscapedFlipped if self.raw.len() == self.len => Some((self.raw, Flip::Yes)),
            _ => None,
        }
    }

    /// The bytes of the value, one after another.
    #[inline]
    pub fn iter(&self) -> ByteIter<'k> {
        let (flip, escaped) = match self.form {
            Form::Plain => (Flip::No, false),
            Form::Flipped => (Flip::Yes, false),
            Form::Escaped => (Flip::No, true),
            Form::EscapedFlipped => (Flip::Yes, true),
        };
        ByteIter { raw: self.raw, left: self.len, flip, escaped }
    }

    /// Whether the value begins with these bytes.
    pub fn starts_with(&self, front: &[u8]) -> bool {
        self.len >= front.len() && self.iter().zip(front).all(|(byte, want)| byte == *want)
    }

    /// Copies the value to the front of `out` and returns it.
    ///
    /// # Errors
    /// [`Error::ShortBuffer`] when `out` is shorter than [`len`](Self::len); nothing is written then.
    #[inline]
    pub fn copy_to<'o>(&self, out: &'o mut [u8]) -> Result<&'o [u8], Error> {
        let short = Error::ShortBuffer { needed: self.len, available: out.len() };
        let out = out.get_mut(..self.len).ok_or(short)?;
        match self.unescaped() {
            Some((raw, Flip::No)) => out.copy_from_slice(raw),
            Some((raw, Flip::Yes)) => {
                for (to, from) in out.iter_mut().zip(raw) {
                    *to = !from;
                }
            }
            None => unescape(self.raw, self.iter().flip, out),
        }
        Ok(out)
    }

    /// The value as an owned vector.
    #[cfg(feature = "alloc")]
    pub fn to_vec(&self) -> alloc::vec::Vec<u8> {
        let mut v = alloc::vec![0; self.len];
        // In range: the vector is exactly as long as the value.
        let _ = self.copy_to(&mut v);
        v
    }
}

/// Copies an escaped run to `out`, which is exactly as long as its value.
fn unescape(raw: &[u8], flip: Flip, out: &mut [u8]) {
    let (read, written) = match flip {
        Flip::No => block::unescape::<0>(out, raw),
        Flip::Yes => block::unescape::<0xff>(out, raw),
    };
    let mut rest = raw.get(read..).unwrap_or(&[]);
    for slot in out.iter_mut().skip(written) {
        let Some((first, more)) = rest.split_first() else { return };
        *slot = first ^ flip.mask();
        rest = if *slot == 0 { more.get(1..).unwrap_or(&[]) } else { more };
    }
}

/// A word whose lowest set bit is in the first zero byte of `word` (little-endian), and which is
/// zero when there is none.
#[inline(always)]
pub(crate) const fn zero_bytes(word: u64) -> u64 {
    word.wrapping_sub(0x0101_0101_0101_0101) & !word & 0x8080_8080_8080_8080
}

/// Iterates over the bytes of a [`ByteView`].
#[derive(Clone, Debug)]
pub struct ByteIter<'k> {
    raw: &'k [u8],
    left: usize,
    flip: Flip,
    escaped: bool,
}

impl Iterator for ByteIter<'_> {
    type Item = u8;

    #[inline]
    fn next(&mut self) -> Option<u8> {
        let (first, rest) = self.raw.split_first()?;
        let byte = first ^ self.flip.mask();
        self.raw = if self.escaped && byte == 0 { rest.get(1..).unwrap_or(&[]) } else { rest };
        self.left = self.left.saturating_sub(1);
        Some(byte)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for ByteIter<'_> {}
impl core::iter::FusedIterator for ByteIter<'_> {}

impl<'k> IntoIterator for ByteView<'k> {
    type Item = u8;
    type IntoIter = ByteIter<'k>;

    fn into_iter(self) -> ByteIter<'k> {
        self.iter()
    }
}

impl<'k> From<&'k [u8]> for ByteView<'k> {
    #[inline(always)]
    fn from(bytes: &'k [u8]) -> Self {
        ByteView::new(bytes)
    }
}

impl<'k, const N: usize> From<&'k [u8; N]> for ByteView<'k> {
    #[inline(always)]
    fn from(bytes: &'k [u8; N]) -> Self {
        ByteView::new(bytes)
    }
}

impl Ord for ByteView<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.as_slice(), other.as_slice()) {
            (Some(a), Some(b)) => a.cmp(b),
            _ => self.iter().cmp(other.iter()),
        }
    }
}

impl PartialOrd for ByteView<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for ByteView<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.len == other.len && self.cmp(other) == Ordering::Equal
    }
}

impl Eq for ByteView<'_> {}

impl core::hash::Hash for ByteView<'_> {
    fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
        state.write_usize(self.len);
        self.iter().for_each(|b| state.write_u8(b));
    }
}

impl PartialOrd<[u8]> for ByteView<'_> {
    fn partial_cmp(&self, other: &[u8]) -> Option<Ordering> {
        Some(self.cmp(&ByteView::new(other)))
    }
}

impl PartialEq<[u8]> for ByteView<'_> {
    fn eq(&self, other: &[u8]) -> bool {
        *self == ByteView::new(other)
    }
}

impl PartialEq<&[u8]> for ByteView<'_> {
    fn eq(&self, other: &&[u8]) -> bool {
        *self == ByteView::new(other)
    }
}

impl<const N: usize> PartialEq<[u8; N]> for ByteView<'_> {
    fn eq(&self, other: &[u8; N]) -> bool {
        *self == ByteView::new(other)
    }
}

impl<const N: usize> PartialEq<&[u8; N]> for ByteView<'_> {
    fn eq(&self, other: &&[u8; N]) -> bool {
        *self == ByteView::new(*other)
    }
}

impl fmt::Debug for ByteView<'_> {
    /// Lower-case hex, as `61_00_62` would be read: `ByteView(610062)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ByteView(")?;
        for byte in self.iter() {
            write!(f, "{byte:02x}")?;
        }
        f.write_str(")")
    }
}

#[cfg(test)]
mod tests {
    use std::prelude::v1::*;

    use super::*;

    #[test]
    fn all_forms_read_the_same() {
        let value = [0x61, 0x00, 0xff, 0x00, 0x00, 0x62];
        let escaped = [0x61, 0x00, 0xff, 0xff, 0x00, 0xff, 0x00, 0xff, 0x62];
        let flip = |bytes: &[u8]| bytes.iter().map(|b| !b).collect::<Vec<u8>>();
        let (value_flipped, escaped_flipped) = (flip(&value), flip(&escaped));
        let forms = [
            ByteView::new(&value),
            ByteView::fixed(&value_flipped, Flip::Yes),
            ByteView::escaped(&escaped, 3, Flip::No),
            ByteView::escaped(&escaped_flipped, 3, Flip::Yes),
        ];
        for view in forms {
            assert_eq!(view.len(), 6);
            assert_eq!(view, value);
            assert!(view.starts_with(&value[..2]) && view.starts_with(&value) && view.starts_with(&[]));
            assert!(!view.starts_with(&[0x61, 0x01]) && !view.starts_with(&[0; 7]));
            assert!(view < value[1..][1..] && view > value[..5]);
            let mut out = [0xaa; 8];
            assert_eq!(view.copy_to(&mut out).unwrap(), value);
            assert_eq!(out.get(6..), Some(&[0xaa, 0xaa][..]));
            let mut small = [0xaa; 5];
            let short = Error::ShortBuffer { needed: 6, available: 5 };
            assert_eq!(view.copy_to(&mut small), Err(short));
            assert_eq!(small, [0xaa; 5]);
            for other in forms {
                assert_eq!(view.cmp(&other), Ordering::Equal);
            }
        }
    }
}
