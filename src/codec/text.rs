//! Bytes and text of any length, and whatever else is held as an escaped byte string.
//!
//! # Layout
//! `00` becomes `00 ff`, every other byte is copied, `00 00` ends the payload.
//!
//! # Why this orders
//! A shorter value meets the end, `00 00`, where a longer one has `00 ff` or a byte above `00`, and
//! both are greater. No payload is a prefix of another, so complementing all of it turns the order
//! round exactly.
//!
//! ```
//! use isotone::{Asc, Builder};
//! let mut room = [0u8; 8];
//! let mut key = Builder::new(&mut room);
//! key.str("a\0b", Asc);
//! assert_eq!(key.finish()?, [0x61, 0x00, 0xff, 0x62, 0x00, 0x00]);
//! # Ok::<(), isotone::Error>(())
//! ```

use core::cmp::Ordering;
use core::fmt;

use crate::error::Error;
use crate::order::AnyOrder;
use crate::order::Flip;
use crate::order::NullOrder;
use crate::raw::input::Input;
use crate::raw::input::Take;
use crate::raw::sink::Invalid;
use crate::raw::sink::Payload;
use crate::raw::sink::Sink;
use crate::raw::view::ByteIter;
use crate::raw::view::ByteView;

impl Payload for ByteView<'_> {
    #[inline(always)]
    fn put<S: Sink>(&self, sink: &mut S, flip: Flip) -> Result<(), Invalid> {
        sink.put_escaped(*self, flip);
        Ok(())
    }
}

impl<'k> Take<'k> for ByteView<'k> {
    #[inline(always)]
    fn take(input: &mut Input<'k>, flip: Flip) -> Result<Self, Error> {
        input.escaped(flip)
    }
}

/// Fixed bytes: as they are, complemented when descending. Their width is the schema's to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fixed<'v>(pub(crate) ByteView<'v>);

impl Payload for Fixed<'_> {
    #[inline(always)]
    fn put<S: Sink>(&self, sink: &mut S, flip: Flip) -> Result<(), Invalid> {
        match self.0.unescaped() {
            Some((raw, inner)) => sink.put_slice(raw, flip.then(inner)),
            None => self.0.iter().for_each(|b| sink.put([b], flip)),
        }
        Ok(())
    }
}

impl<const N: usize> Payload for [u8; N] {
    #[inline(always)]
    fn put<S: Sink>(&self, sink: &mut S, flip: Flip) -> Result<(), Invalid> {
        sink.put(*self, flip);
        Ok(())
    }
}

impl<const N: usize> Take<'_> for [u8; N] {
    #[inline(always)]
    fn take(input: &mut Input<'_>, flip: Flip) -> Result<Self, Error> {
        input.array(flip)
    }
}

/// Text as it lies in a key, or plain: UTF-8 that was checked once, when it was read.
///
/// ```
/// use isotone::{Asc, Builder, Decoder, Desc};
/// let mut room = [0u8; 32];
/// let mut key = Builder::new(&mut room);
/// key.str("Ada", Asc).str("Grace", Desc);
/// let mut d = Decoder::new(key.finish()?);
/// assert_eq!(d.str(Asc)?.as_str(), Some("Ada")); // lies there as it is
/// let grace = d.str(Desc)?;
/// assert_eq!(grace.as_str(), None); // complemented
/// assert_eq!(grace, *"Grace");
/// assert_eq!(grace.copy_to(&mut [0u8; 8])?, "Grace");
/// # Ok::<(), isotone::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct TextView<'k>(Text<'k>);

#[derive(Clone, Copy)]
enum Text<'k> {
    Plain(&'k str),
    Lying(ByteView<'k>),
}

impl<'k> TextView<'k> {
    /// A view of plain text.
    #[inline(always)]
    pub const fn new(text: &'k str) -> Self {
        TextView(Text::Plain(text))
    }

    /// Checks that the bytes are UTF-8.
    #[inline(always)]
    pub(crate) fn check(bytes: ByteView<'k>) -> Option<Self> {
        match bytes.as_slice() {
            Some(plain) => utf8(plain).map(TextView::new),
            None if is_utf8(bytes.iter()) => Some(TextView(Text::Lying(bytes))),
            None => None,
        }
    }

    /// The text as a `&str` where it lies as it is: plain, or ascending without U+0000.
    #[inline(always)]
    pub const fn as_str(&self) -> Option<&'k str> {
        match self.0 {
            Text::Plain(text) => Some(text),
            Text::Lying(bytes) => match bytes.as_slice() {
                // Valid: it was checked when the view was made.
                Some(bytes) => match core::str::from_utf8(bytes) {
                    Ok(text) => Some(text),
                    Err(_) => None,
                },
                None => None,
            },
        }
    }

    /// The text's UTF-8.
    #[inline(always)]
    pub fn bytes(&self) -> ByteView<'k> {
        match self.0 {
            Text::Plain(text) => ByteView::new(text.as_bytes()),
            Text::Lying(bytes) => bytes,
        }
    }

    /// Number of bytes of the text's UTF-8.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.bytes().len()
    }

    /// Whether the text is empty.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The scalars of the text, one after another.
    #[inline]
    pub fn chars(&self) -> TextChars<'k> {
        TextChars(self.bytes().iter())
    }

    /// Whether the text begins with this one.
    pub fn starts_with(&self, front: &str) -> bool {
        self.bytes().starts_with(front.as_bytes())
    }

    /// Copies the text to the front of `out` and returns it.
    ///
    /// # Errors
    /// [`Error::ShortBuffer`] when `out` is shorter than [`len`](Self::len); nothing is written then.
    pub fn copy_to<'o>(&self, out: &'o mut [u8]) -> Result<&'o str, Error> {
        let bytes = self.bytes().copy_to(out)?;
        // Valid: it was checked when the view was made.
        Ok(core::str::from_utf8(bytes).unwrap_or_default())
    }

    /// The text as an owned string.
    #[cfg(feature = "alloc")]
    pub fn to_owned_string(&self) -> alloc::string::String {
        self.chars().collect()
    }
}

/// Out of line, and small enough to come back in registers: a view put together from it need not
/// pass through memory.
#[inline(never)]
fn utf8(bytes: &[u8]) -> Option<&str> {
    core::str::from_utf8(bytes).ok()
}

/// Whether the bytes are UTF-8, looked at sixty-four at a time.
#[inline(never)]
fn is_utf8(mut bytes: ByteIter<'_>) -> bool {
    let mut chunk = [0u8; 64];
    let mut kept = 0usize;
    loop {
        let mut len = kept;
        for (slot, byte) in chunk.iter_mut().skip(kept).zip(&mut bytes) {
            *slot = byte;
            len = len.saturating_add(1);
        }
        let seen = chunk.get(..len).unwrap_or(&[]);
        kept = match core::str::from_utf8(seen) {
            Ok(_) => 0,
            // The end of the chunk cuts a sequence: at most three bytes stay for the next one.
            Err(e) if e.error_len().is_none() && len == chunk.len() => {
                let valid = e.valid_up_to();
                chunk.copy_within(valid.., 0);
                len.saturating_sub(valid)
            }
            Err(_) => return false,
        };
        if len < chunk.len() {
            return true;
        }
    }
}

impl<'k> Take<'k> for TextView<'k> {
    #[inline(always)]
    fn take(input: &mut Input<'k>, flip: Flip) -> Result<Self, Error> {
        // What was seen to be ASCII needs no second look.
        match input.escaped_ascii(flip)? {
            (bytes, true) => Ok(TextView(Text::Lying(bytes))),
            (bytes, false) => TextView::check(bytes).ok_or_else(|| input.malformed()),
        }
    }
}

impl Payload for TextView<'_> {
    #[inline(always)]
    fn put<S: Sink>(&self, sink: &mut S, flip: Flip) -> Result<(), Invalid> {
        sink.put_escaped(self.bytes(), flip);
        Ok(())
    }
}

/// Iterates over the scalars of a [`TextView`].
#[derive(Clone, Debug)]
pub struct TextChars<'k>(ByteIter<'k>);

impl Iterator for TextChars<'_> {
    type Item = char;

    fn next(&mut self) -> Option<char> {
        let first = self.0.next()?;
        let more = match first {
            0x00..=0x7f => return Some(char::from(first)),
            0xc0..=0xdf => 1u8,
            0xe0..=0xef => 2,
            _ => 3,
        };
        let mut scalar = u32::from(first) & (0x3f >> more);
        for _ in 0..more {
            scalar = scalar << 6 | (u32::from(self.0.next()?) & 0x3f);
        }
        char::from_u32(scalar)
    }
}

impl<'k> From<&'k str> for TextView<'k> {
    #[inline(always)]
    fn from(text: &'k str) -> Self {
        TextView::new(text)
    }
}

impl Ord for TextView<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.bytes().cmp(&other.bytes())
    }
}

impl PartialOrd for TextView<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for TextView<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.bytes() == other.bytes()
    }
}

impl Eq for TextView<'_> {}

impl core::hash::Hash for TextView<'_> {
    fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
        self.bytes().hash(state);
    }
}

impl PartialOrd<str> for TextView<'_> {
    fn partial_cmp(&self, other: &str) -> Option<Ordering> {
        Some(self.cmp(&TextView::new(other)))
    }
}

impl PartialEq<str> for TextView<'_> {
    fn eq(&self, other: &str) -> bool {
        *self == TextView::new(other)
    }
}

impl PartialEq<&str> for TextView<'_> {
    fn eq(&self, other: &&str) -> bool {
        *self == TextView::new(other)
    }
}

impl fmt::Display for TextView<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.as_str() {
            Some(text) => f.pad(text),
            None => self.chars().try_for_each(|c| fmt::Write::write_char(f, c)),
        }
    }
}

impl fmt::Debug for TextView<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("\"")?;
        for c in self.chars() {
            write!(f, "{}", c.escape_debug())?;
        }
        f.write_str("\"")
    }
}

mod sealed {
    use crate::codec::text::TextView;
    use crate::raw::view::ByteView;

    pub trait Bytes {}
    impl<T: AsRef<[u8]> + ?Sized> Bytes for &T {}
    impl Bytes for ByteView<'_> {}
    impl<T: AsRef<[u8]> + ?Sized> Bytes for Option<&T> {}
    impl Bytes for Option<ByteView<'_>> {}

    pub trait Text {}
    impl<T: AsRef<str> + ?Sized> Text for &T {}
    impl Text for TextView<'_> {}
    impl<T: AsRef<str> + ?Sized> Text for Option<&T> {}
    impl Text for Option<TextView<'_>> {}
}

/// What a field of bytes can be written from: anything that is `AsRef<[u8]>`, by reference, or a
/// [`ByteView`]; under a nullable order also an `Option` of either.
pub trait ByteSource<O>: sealed::Bytes {
    #[doc(hidden)]
    fn view(&self) -> Option<ByteView<'_>>;
}

/// What a field of text can be written from: anything that is `AsRef<str>`, by reference, or a
/// [`TextView`]; under a nullable order also an `Option` of either.
pub trait TextSource<O>: sealed::Text {
    #[doc(hidden)]
    fn text(&self) -> Option<TextView<'_>>;
    #[doc(hidden)]
    #[inline(always)]
    fn view(&self) -> Option<ByteView<'_>> {
        self.text().map(|text| text.bytes())
    }
}

impl<O: AnyOrder, T: AsRef<[u8]> + ?Sized> ByteSource<O> for &T {
    #[inline(always)]
    fn view(&self) -> Option<ByteView<'_>> {
        Some(ByteView::new((**self).as_ref()))
    }
}

impl<O: AnyOrder> ByteSource<O> for ByteView<'_> {
    #[inline(always)]
    fn view(&self) -> Option<ByteView<'_>> {
        Some(*self)
    }
}

impl<O: NullOrder, T: AsRef<[u8]> + ?Sized> ByteSource<O> for Option<&T> {
    #[inline(always)]
    fn view(&self) -> Option<ByteView<'_>> {
        self.map(|bytes| ByteView::new(bytes.as_ref()))
    }
}

impl<O: NullOrder> ByteSource<O> for Option<ByteView<'_>> {
    #[inline(always)]
    fn view(&self) -> Option<ByteView<'_>> {
        *self
    }
}

impl<O: AnyOrder, T: AsRef<str> + ?Sized> TextSource<O> for &T {
    #[inline(always)]
    fn text(&self) -> Option<TextView<'_>> {
        Some(TextView::new((**self).as_ref()))
    }
}

impl<O: AnyOrder> TextSource<O> for TextView<'_> {
    #[inline(always)]
    fn text(&self) -> Option<TextView<'_>> {
        Some(*self)
    }
}

impl<O: NullOrder, T: AsRef<str> + ?Sized> TextSource<O> for Option<&T> {
    #[inline(always)]
    fn text(&self) -> Option<TextView<'_>> {
        self.map(|text| TextView::new(text.as_ref()))
    }
}

impl<O: NullOrder> TextSource<O> for Option<TextView<'_>> {
    #[inline(always)]
    fn text(&self) -> Option<TextView<'_>> {
        *self
    }
}

#[cfg(test)]
mod tests {
    use std::prelude::v1::*;

    use super::*;

    #[test]
    fn utf8_is_checked_across_chunks() {
        for pad in 0..130usize {
            for text in ["é", "€", "😀", "a"] {
                let mut plain = "x".repeat(pad);
                plain.push_str(text);
                plain.push_str("tail");
                let flipped: Vec<u8> = plain.bytes().map(|b| !b).collect();
                let view = ByteView::fixed(&flipped, Flip::Yes);
                let read = TextView::check(view).unwrap();
                assert_eq!(read, *plain);
                assert_eq!(read.chars().collect::<String>(), plain);
                assert_eq!(read.to_string(), plain);
                for cut in 1..text.len() {
                    let end = pad + cut;
                    assert!(TextView::check(ByteView::fixed(&flipped[..end], Flip::Yes)).is_none());
                }
            }
        }
        let surrogates = [0xed, 0xa0, 0xbe, 0xed, 0xb5, 0xaf].map(|b: u8| !b);
        assert!(TextView::check(ByteView::fixed(&surrogates, Flip::Yes)).is_none());
    }
}
