//! Bytes as they lie in a key, or plain: a `Copy` view that knows its length and reads either way.
//!
//! # Layout
//! In an escaped field `00` is written `00 ff`, every other byte is copied, and `00 00` ends it; a
//! descending field complements all of it. The view holds what lies between, without the end.

use core::cmp::Ordering;
use core::fmt;

use crate::error::Error;
use crate::order::Flip;
use crate::raw::long;

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
    flip: Flip,
    /// How many bytes follow each zero of the value: one for each time that it lies escaped.
    escapes: u8,
}

impl<'k> ByteView<'k> {
    /// A view of plain bytes.
    #[inline(always)]
    pub const fn new(bytes: &'k [u8]) -> Self {
        ByteView { raw: bytes, len: bytes.len(), flip: Flip::No, escapes: 0 }
    }

    /// Bytes that lie in a key unescaped, complemented if `flip` says so.
    #[inline(always)]
    pub(crate) fn fixed(raw: &'k [u8], flip: Flip) -> Self {
        ByteView { raw, len: raw.len(), flip, escapes: 0 }
    }

    /// The inside of an escaped payload: every zero of the value has its `ff`, and there are
    /// `zeros` of them.
    #[inline(always)]
    pub(crate) fn escaped(raw: &'k [u8], zeros: usize, flip: Flip) -> Self {
        ByteView { raw, len: raw.len().saturating_sub(zeros), flip, escapes: 1 }
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
    pub const fn as_slice(&self) -> Option<&'k [u8]> {
        match self.unescaped() {
            Some((raw, Flip::No)) => Some(raw),
            _ if self.len == 0 => Some(&[]),
            _ => None,
        }
    }

    /// The raw bytes and the flip, when the value lies there byte for byte.
    #[inline(always)]
    pub(crate) const fn unescaped(&self) -> Option<(&'k [u8], Flip)> {
        if self.raw.len() == self.len { Some((self.raw, self.flip)) } else { None }
    }

    /// The raw bytes and the flip that they lie under, when each zero of the value has its one escape.
    #[inline(always)]
    pub(crate) fn lying(&self) -> Option<(&'k [u8], Flip)> {
        if self.escapes == 1 { Some((self.raw, self.flip)) } else { None }
    }

    /// The bytes of the value, one after another.
    #[inline]
    pub fn iter(&self) -> ByteIter<'k> {
        ByteIter { raw: self.raw, left: self.len, flip: self.flip, escapes: self.escapes }
    }

    /// The first `n` bytes of the value, or as many as there are, and the others.
    #[cfg(any(test, feature = "uca14", feature = "icu"))]
    pub(crate) fn split_at(&self, n: usize) -> (ByteView<'k>, ByteView<'k>) {
        let n = n.min(self.len);
        let head = match self.unescaped() {
            Some(_) => n,
            None => {
                let mut iter = self.iter();
                if let Some(last) = n.checked_sub(1) {
                    let _ = iter.nth(last);
                }
                self.raw.len().saturating_sub(iter.raw.len())
            }
        };
        let (head, tail) = self.raw.split_at_checked(head).unwrap_or((self.raw, &[]));
        (ByteView { raw: head, len: n, ..*self }, ByteView { raw: tail, len: self.len.saturating_sub(n), ..*self })
    }

    /// The value that this one holds escaped, with its end and nothing behind it.
    #[cfg(any(test, feature = "uca14", feature = "icu"))]
    pub(crate) fn unescape(&self) -> Option<ByteView<'k>> {
        let (mut iter, mut len) = (self.iter(), 0usize);
        loop {
            let raw = iter.raw;
            if iter.next()? == 0 {
                match iter.next()? {
                    0xff => {}
                    0 if iter.left == 0 => {
                        let raw = self.raw.get(..self.raw.len().saturating_sub(raw.len()))?;
                        return Some(ByteView { raw, len, flip: self.flip, escapes: self.escapes.saturating_add(1) });
                    }
                    _ => return None,
                }
            }
            // In range: counts bytes of the value.
            len = len.wrapping_add(1);
        }
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
            None => match self.lying() {
                Some((raw, flip)) => unescape(raw, flip, out),
                None => out.iter_mut().zip(self.iter()).for_each(|(to, from)| *to = from),
            },
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
#[inline(never)]
fn unescape(raw: &[u8], flip: Flip, out: &mut [u8]) {
    match flip {
        Flip::No => long::unescape::<0>(out, raw),
        Flip::Yes => long::unescape::<0xff>(out, raw),
    }
}

/// Iterates over the bytes of a [`ByteView`].
#[derive(Clone, Debug)]
pub struct ByteIter<'k> {
    raw: &'k [u8],
    left: usize,
    flip: Flip,
    escapes: u8,
}

impl Iterator for ByteIter<'_> {
    type Item = u8;

    #[inline]
    fn next(&mut self) -> Option<u8> {
        let (first, rest) = self.raw.split_first()?;
        let byte = first ^ self.flip.mask();
        self.raw = if byte == 0 { rest.get(usize::from(self.escapes)..).unwrap_or(&[]) } else { rest };
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
            for n in 0..=8 {
                let (head, tail) = view.split_at(n);
                let (first, rest) = value.split_at(n.min(value.len()));
                assert_eq!((head, tail), (ByteView::new(first), ByteView::new(rest)));
                assert_eq!(tail.iter().len(), rest.len());
            }
        }
    }

    #[test]
    fn escaped_twice() {
        let escape = |bytes: &[u8]| {
            let mut out: Vec<u8> = bytes.iter().flat_map(|b| if *b == 0 { vec![0, 0xff] } else { vec![*b] }).collect();
            out.extend([0, 0]);
            out
        };
        for value in [&b""[..], b"a", b"\0", b"a\0\xffb\0\0", b"\0\0c"] {
            let (once, twice) = (escape(value), escape(&escape(value)));
            let flipped: Vec<u8> = twice.iter().map(|b| !b).collect();
            let inside = |raw| <[u8]>::strip_suffix(raw, &[0; 2]).or(raw.strip_suffix(&[0xff; 2])).unwrap();
            let zeros = once.iter().filter(|b| **b == 0).count();
            for outer in [
                ByteView::new(&once),
                ByteView::escaped(inside(&twice), zeros, Flip::No),
                ByteView::escaped(inside(&flipped), zeros, Flip::Yes),
            ] {
                assert_eq!(outer, *once);
                let inner = outer.unescape().unwrap();
                assert_eq!(inner, *value);
                assert_eq!(inner.copy_to(&mut [0xaa; 8]).unwrap(), value);
                assert_eq!(inner.split_at(1).1, *value.get(1..).unwrap_or(&[]));
                for cut in 0..outer.len() {
                    assert!(outer.split_at(cut).0.unescape().is_none());
                }
            }
        }
        for wrong in [&b""[..], b"\0", b"\0\x01", b"a\0\0a", b"\0\0\0", b"\0\0\0\0", b"\0\xff\0"] {
            assert!(ByteView::new(wrong).unescape().is_none(), "{wrong:02x?}");
        }
    }
}
