//! Keys of texts under one profile, written into the caller's room.

use core::cmp::Ordering;

use crate::codec::text::TextView;
use crate::collation::ascii::Ascii;
use crate::collation::ascii::Joined;
use crate::collation::ascii::NO_LETTERS;
use crate::collation::image::Image;
use crate::collation::out::Against;
use crate::collation::out::FieldSize;
use crate::collation::out::Front;
use crate::collation::profile::Algorithm;
use crate::collation::profile::CollationProfile;
use crate::collation::profile::Comparison;
use crate::collation::profile::Padding;
use crate::collation::table::Row;
use crate::collation::table::row;
use crate::collation::text::Utf8;
use crate::collation::uca::Lying;
use crate::collation::uca::Text;
use crate::error::Error;
use crate::raw::sink::Count;
use crate::raw::view::ByteView;

/// Makes keys under one [`CollationProfile`]. Two words, `Copy`, `Sync`, and a `const` can hold
/// one.
///
/// A *key* is the comparison image: texts that the collation holds equal share it. A *total key* is
/// the image followed by the text, escaped: it breaks ties by bytes and gives the text back. Both
/// compare as plain bytes. [`Builder::collate`](crate::Builder::collate) and its like write them
/// straight into a key; here they go into a buffer of their own, as for the bounds of a range.
///
/// ```
/// use isotone::collation::{CollationProfile, Collator};
///
/// let profile = CollationProfile::from_server_name("utf8mb4_uca1400_ai_ci").unwrap();
/// let collator = Collator::new(profile);
/// let (mut a, mut b) = ([0; 32], [0; 32]);
/// assert_eq!(collator.key("Ábel", &mut a), collator.key("abel ", &mut b));
/// assert!(collator.key("abel", &mut a)? < collator.key("Abelard", &mut b)?);
/// # Ok::<(), isotone::Error>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Collator {
    profile: CollationProfile,
    row: &'static Row,
}

/// Does something with the image of a text, which is of one type or another as the text lies.
macro_rules! with_image {
    ($collator:expr, $text:expr, |$image:ident| $then:expr) => {
        match $text.as_str() {
            Some(text) => {
                let mut $image = $collator.image_of(text);
                $image.weigh();
                $then
            }
            None => {
                let mut $image = $collator.image_of_lying($text);
                $image.weigh();
                $then
            }
        }
    };
}
pub(super) use with_image;

impl Collator {
    /// A collator of this profile.
    #[must_use]
    pub const fn new(profile: CollationProfile) -> Self {
        Self { profile, row: row(profile.tailoring()) }
    }

    /// The profile.
    #[must_use]
    pub const fn profile(&self) -> CollationProfile {
        self.profile
    }

    /// At most this many bytes has the key of a text of `text` bytes, known without looking at it.
    #[must_use]
    pub const fn max_key_size(&self, text: usize) -> usize {
        // A scalar has at most 8 weights on a level, and those in 3 bytes of UTF-8: 16 bytes, and
        // one more if a space is among them. Nothing is wider for each byte of text.
        match self.profile.algorithm() {
            Algorithm::Uca => text.saturating_mul(18).saturating_add(9),
            Algorithm::SimpleCase => text.saturating_mul(3).saturating_add(3),
            Algorithm::Binary => text.saturating_mul(2).saturating_add(2),
        }
    }

    /// At most this many bytes has the total key of a text of `text` bytes.
    #[must_use]
    pub const fn max_total_key_size(&self, text: usize) -> usize {
        self.max_key_size(text).saturating_add(text.saturating_mul(2)).saturating_add(2)
    }

    /// The exact number of bytes of the key.
    ///
    /// # Errors
    /// [`Error::InvalidValue`] at 0 for bytes that are not UTF-8.
    pub fn key_size<'t>(&self, text: impl Utf8<'t>) -> Result<usize, Error> {
        let text = text.utf8()?;
        if let Some(ascii) = self.ascii(text, &mut { NO_LETTERS }) {
            return Ok(ascii.size());
        }
        let mut size = Count(0);
        with_image!(self, text, |image| image.say(&mut size));
        Ok(size.0)
    }

    /// Writes the key to the front of `out` and returns it.
    ///
    /// # Errors
    /// [`Error::InvalidValue`] at 0 for bytes that are not UTF-8, and [`Error::ShortBuffer`]; `out`
    /// is then unchanged.
    #[inline]
    pub fn key<'t, 'o>(&self, text: impl Utf8<'t>, out: &'o mut [u8]) -> Result<&'o [u8], Error> {
        let text = text.utf8()?;
        if let Some(ascii) = self.ascii(text, &mut { NO_LETTERS }) {
            let (needed, available) = (ascii.size(), out.len());
            let room = out.get_mut(..needed).ok_or(Error::ShortBuffer { needed, available })?;
            ascii.write(room);
            return Ok(room);
        }
        let fits = out.len() >= self.max_key_size(text.len());
        with_image!(self, text, |image| fill(out, fits, |size| image.say(size), |room| image.say(room)))
    }

    /// The exact number of bytes of the total key.
    ///
    /// # Errors
    /// [`Error::InvalidValue`] at 0 for bytes that are not UTF-8.
    pub fn total_key_size<'t>(&self, text: impl Utf8<'t>) -> Result<usize, Error> {
        let text = text.utf8()?;
        let mut size = Count(0);
        with_image!(self, text, |image| image.say_total(&mut size));
        Ok(size.0)
    }

    /// Writes the total key, the image and then the text escaped as in FORMAT §2.2, to the front of
    /// `out` and returns it.
    ///
    /// # Errors
    /// As [`key`](Self::key).
    pub fn total_key<'t, 'o>(&self, text: impl Utf8<'t>, out: &'o mut [u8]) -> Result<&'o [u8], Error> {
        let text = text.utf8()?;
        let fits = out.len() >= self.max_total_key_size(text.len());
        with_image!(self, text, |image| fill(out, fits, |size| image.say_total(size), |room| image.say_total(room)))
    }

    /// The exact number of bytes that [`Builder::collate`](crate::Builder::collate) writes, tag
    /// apart: the key as an escaped payload.
    ///
    /// # Errors
    /// [`Error::InvalidValue`] at 0 for bytes that are not UTF-8.
    pub fn field_size<'t>(&self, text: impl Utf8<'t>) -> Result<usize, Error> {
        let text = text.utf8()?;
        if let Some(ascii) = self.ascii(text, &mut { NO_LETTERS }) {
            return Ok(ascii.field_size());
        }
        let mut size = FieldSize(2);
        with_image!(self, text, |image| image.say(&mut size));
        Ok(size.0)
    }

    /// The exact number of bytes that [`Builder::collate_total`](crate::Builder::collate_total)
    /// writes, tag apart.
    ///
    /// # Errors
    /// [`Error::InvalidValue`] at 0 for bytes that are not UTF-8.
    pub fn total_field_size<'t>(&self, text: impl Utf8<'t>) -> Result<usize, Error> {
        let text = text.utf8()?;
        let mut size = FieldSize(2);
        with_image!(self, text, |image| image.say_total(&mut size));
        Ok(size.0)
    }

    /// How the key of `text` stands to a key, as it lies in a field or plain: nothing is written.
    ///
    /// # Errors
    /// [`Error::InvalidValue`] at 0 for bytes that are not UTF-8.
    pub fn compare<'t, 'k>(&self, text: impl Utf8<'t>, key: impl Into<ByteView<'k>>) -> Result<Ordering, Error> {
        let text = text.utf8()?;
        let mut against = Against::new(key.into().iter());
        with_image!(self, text, |image| image.say(&mut against));
        Ok(against.finish())
    }

    /// The text, if the quick way is open to it.
    #[inline]
    pub(super) fn ascii<'t>(&self, text: TextView<'t>, room: &'t mut Joined) -> Option<Ascii<'t>> {
        Ascii::new(self.profile, self.row, self.trimmed(text.as_str()?), room)
    }

    #[inline]
    fn trimmed<'t>(&self, text: &'t str) -> &'t str {
        if self.cuts_spaces() && text.ends_with(' ') { text.trim_end_matches(' ') } else { text }
    }

    #[inline]
    pub(super) fn image_of<'t>(&self, text: &'t str) -> Image<'t, Text<'t>> {
        Image::new(self.profile, self.row, TextView::new(text), Text::new(self.trimmed(text)))
    }

    pub(super) fn image_of_lying<'t>(&self, text: TextView<'t>) -> Image<'t, Lying<'t>> {
        let count = if self.cuts_spaces() {
            let last = text.chars().enumerate().filter(|(_, scalar)| *scalar != ' ').last();
            last.map_or(0, |(at, _)| at.saturating_add(1))
        } else {
            usize::MAX
        };
        Image::new(self.profile, self.row, text, Lying::new(text, count))
    }

    /// Whether trailing spaces leave the text before anything else.
    const fn cuts_spaces(&self) -> bool {
        matches!((self.profile.comparison(), self.profile.padding()), (Comparison::Schottky, Padding::Space))
    }
}

/// Writes all of it or nothing.
#[inline]
fn fill(
    out: &mut [u8],
    fits: bool,
    size: impl FnOnce(&mut Count),
    write: impl FnOnce(&mut Front<'_>),
) -> Result<&[u8], Error> {
    if !fits {
        let (mut needed, available) = (Count(0), out.len());
        size(&mut needed);
        if needed.0 > available {
            return Err(Error::ShortBuffer { needed: needed.0, available });
        }
    }
    let mut room = Front { out, len: 0 };
    write(&mut room);
    let Front { out, len } = room;
    Ok(out.get(..len).unwrap_or(&[]))
}
