//! Real locale order, on the ICU4X engine.
//!
//! # Layout
//! The engine's sort key, then one `00`. A total key goes on with the text, escaped as in FORMAT
//! §2.2.
//!
//! # Why this orders
//! The engine promises that its sort keys compare as it compares the texts. They hold no `00`,
//! which is checked for each, so the `00` at the end sorts a key before every longer one.
//!
//! # What it costs
//! **These keys die with their data.** Another version of the engine, of CLDR or of Unicode gives
//! other bytes for the same text. The producer string names all three, and a fingerprint;
//! [`IcuCollator::open`] refuses to go on under others. Keep the texts, so that the index can be
//! built again. This producer may allocate, inside the engine and when it reads back. And never use
//! the engine's own comparison beside keys: what is in an index is ordered by the keys alone.

use alloc::string::String;
use alloc::string::ToString as _;
use alloc::vec::Vec;

use icu_collator::CollatorBorrowed;
use sha2::Digest as _;

use crate::codec::text::TextView;
use crate::collation::icu_key;
use crate::collation::icu_locale::IcuLocale;
pub use crate::collation::icu_locale::Refused;
use crate::collation::place::Produce;
use crate::collation::place::Slot;
use crate::collation::probes::LIST;
use crate::collation::probes::PROBES;
use crate::collation::text::Utf8;
use crate::error::Error;
use crate::order::Flip;
use crate::raw::out::Door;
use crate::raw::sink::escape;
use crate::raw::sink::escaped_size;
use crate::raw::view::ByteView;

/// The version of the engine crate; the manifest pins it.
const CRATE: &str = "2.4.0";
/// Sort keys up to this size take one pass and no room of their own.
const SHORT: usize = 512;

/// Why a collator could not be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum IcuError {
    /// The locale is not accepted: what about it is wrong.
    #[error(transparent)]
    Locale(Refused),
    /// Not a producer string of this producer: keep the field opaque.
    #[error("not an icu producer string")]
    Producer,
    /// The keys were made with other data than are here. Rebuild the index with `here`, or open it
    /// with the program that has `stored`. Both are producer strings: engine, CLDR, Unicode,
    /// locale, probes, print.
    #[error("keys made with {stored}, but here is {here}: rebuild the index")]
    OtherData {
        /// The producer string that the index was made with.
        stored: String,
        /// The one that this program has for the same locale; its versions alone where it does not
        /// take that locale.
        here: String,
    },
    /// The engine has no data for this locale.
    #[error("no collation data for this locale")]
    NoData,
}

/// Makes keys in the order of one locale. See the module's words on what such keys are worth.
///
/// ```
/// use isotone::collation::icu::IcuCollator;
///
/// let swedish = IcuCollator::new("sv-u-ks-level2").unwrap();
/// let (mut a, mut b) = ([0; 64], [0; 64]);
/// assert!(swedish.key("zebra", &mut a)? < swedish.key("ärlig", &mut b)?);
/// assert!(swedish.producer().starts_with("icu;2.4.0;49.0.0;18.0.0;sv-u-ks-level2;1;"));
/// assert!(IcuCollator::new("sv-u-co-nonsense").is_err());
/// # Ok::<(), isotone::Error>(())
/// ```
pub struct IcuCollator {
    engine: CollatorBorrowed<'static>,
    producer: String,
    most: usize,
}

impl IcuCollator {
    /// Texts of more bytes are refused unless [`with_max_text`](Self::with_max_text) says
    /// otherwise: some sequences of marks cost the engine time that grows with the square of their
    /// length.
    pub const MAX_TEXT: usize = 4096;

    /// A collator for a BCP-47 locale, with its options as `-u-` keywords: `co` the kind of order,
    /// `ks` strength, `ka` alternate handling, `kc` case level, `kf` case first, `kn` numeric.
    ///
    /// # Errors
    /// [`IcuError::Locale`] for anything else in the locale, and for a language or a kind of order
    /// that the data do not have: an unknown one is never replaced by the root's.
    /// [`IcuError::NoData`].
    pub fn new(locale: &str) -> Result<Self, IcuError> {
        let locale = IcuLocale::parse(locale).map_err(IcuError::Locale)?;
        let engine = CollatorBorrowed::try_new(locale.preferences(), locale.options()).map_err(|_| IcuError::NoData)?;
        let mut found = Self { engine, producer: String::new(), most: Self::MAX_TEXT };
        found.producer = [versions(), locale.canonical(), LIST.to_string(), found.print()].join(";");
        Ok(found)
    }

    /// The collator of a stored producer string, if this program still makes the same keys.
    ///
    /// # Errors
    /// [`IcuError::OtherData`] names both sides if anything differs, whether or not this program
    /// takes the locale; [`IcuError::Producer`] for another producer's string; under the same
    /// versions, as [`new`](Self::new) for its locale.
    pub fn open(producer: &str) -> Result<Self, IcuError> {
        let locale = icu_key::producer_locale(producer).ok_or(IcuError::Producer)?;
        let here = match Self::new(locale) {
            Ok(here) if here.producer == producer => return Ok(here),
            Ok(here) => here.producer,
            Err(refused) if producer.starts_with(&versions()) => return Err(refused),
            Err(_) => versions(),
        };
        Err(IcuError::OtherData { stored: producer.to_string(), here })
    }

    /// The same collator with another limit on the bytes of a text. Set it wherever keys are read,
    /// too: the limit is no part of the producer string, and a longer text reads as malformed.
    #[must_use]
    pub fn with_max_text(self, most: usize) -> Self {
        Self { most, ..self }
    }

    /// The producer string to persist beside the keys.
    #[must_use]
    pub fn producer(&self) -> &str {
        &self.producer
    }

    /// The exact number of bytes of the key.
    ///
    /// # Errors
    /// [`Error::InvalidValue`] at 0 for bytes that are not UTF-8, a text above the limit, and an
    /// image with a `00` inside.
    pub fn key_size<'t>(&self, text: impl Utf8<'t>) -> Result<usize, Error> {
        self.with_image(text.utf8()?, |image, _| image.len())
    }

    /// Writes the key to the front of `out` and returns it.
    ///
    /// # Errors
    /// As [`key_size`](Self::key_size), and [`Error::ShortBuffer`]; `out` is then unchanged.
    pub fn key<'t, 'o>(&self, text: impl Utf8<'t>, out: &'o mut [u8]) -> Result<&'o [u8], Error> {
        self.with_image(text.utf8()?, |image, _| ByteView::new(image).copy_to(out))?
    }

    /// The exact number of bytes of the total key.
    ///
    /// # Errors
    /// As [`key_size`](Self::key_size).
    pub fn total_key_size<'t>(&self, text: impl Utf8<'t>) -> Result<usize, Error> {
        self.with_image(text.utf8()?, |image, text| total(image, text).len())
    }

    /// Writes the total key, the image and then the text escaped, to the front of `out` and returns
    /// it.
    ///
    /// # Errors
    /// As [`key`](Self::key).
    pub fn total_key<'t, 'o>(&self, text: impl Utf8<'t>, out: &'o mut [u8]) -> Result<&'o [u8], Error> {
        self.with_image(text.utf8()?, |image, text| ByteView::new(&total(image, text)).copy_to(out))?
    }

    /// The text of a total key, as it lies in a field or plain: a view of the same bytes.
    ///
    /// # Errors
    /// [`Error::MalformedKey`] at 0 if these are not the bytes that this producer makes of a text
    /// within the limit.
    pub fn text<'k>(&self, total_key: impl Into<ByteView<'k>>) -> Result<TextView<'k>, Error> {
        self.read(total_key.into()).ok_or(Error::MalformedKey { at: 0 })
    }

    /// Where the image ends that these bytes begin with, in bytes; `None` if they begin with none.
    pub fn image_end<'k>(&self, bytes: impl Into<ByteView<'k>>) -> Option<usize> {
        icu_key::image_end(bytes.into())
    }

    fn read<'k>(&self, total_key: ByteView<'k>) -> Option<TextView<'k>> {
        let (image, text) = icu_key::split(total_key)?;
        match self.with_image(text, |made, _| image == *made) {
            Ok(true) => Some(text),
            _ => None,
        }
    }

    /// Makes the image of a text and hands it on with the text.
    fn with_image<T>(&self, text: TextView<'_>, then: impl FnOnce(&[u8], &str) -> T) -> Result<T, Error> {
        let invalid = Error::InvalidValue { at: 0 };
        if text.len() > self.most {
            return Err(invalid);
        }
        let copied: String;
        let text = match text.as_str() {
            Some(text) => text,
            None => {
                copied = text.chars().collect();
                &copied
            }
        };
        let mut room = [0; SHORT];
        let (_, most) = room.split_last_mut().ok_or(invalid)?;
        // The rest of the room is zero, the first of which is the image's end.
        let (long, size);
        let image = match self.engine.write_sort_key_to(text, most) {
            Ok(size) => room.get(..=size),
            Err(short) => {
                size = short.length;
                let mut bytes = Vec::with_capacity(size.saturating_add(1));
                let Ok(()) = self.engine.write_sort_key_to(text, &mut bytes);
                bytes.push(0);
                long = bytes;
                Some(&*long)
            }
        };
        match image.and_then(|image| Some((image, image.split_last()?))) {
            Some((image, (_, inside))) if !inside.contains(&0) => Ok(then(image, text)),
            _ => Err(invalid),
        }
    }

    /// The first 32 hex digits of SHA-256 over the probes' images, each as a blob.
    fn print(&self) -> String {
        let mut hash = sha2::Sha256::new();
        for probe in PROBES {
            // A probe that has no image counts as an empty blob; the tests hold that there is none.
            let added = self.with_image(TextView::new(probe), |image, _| {
                hash.update(u32::try_from(image.len()).unwrap_or(u32::MAX).to_be_bytes());
                hash.update(image);
            });
            if added.is_err() {
                hash.update([0; 4]);
            }
        }
        let digits = |byte: u8| [byte >> 4, byte & 15].map(|digit| char::from_digit(digit.into(), 16).unwrap_or('0'));
        hash.finalize().into_iter().take(16).flat_map(digits).collect()
    }
}

/// The front of each producer string that is made here: producer, engine, CLDR, Unicode.
fn versions() -> String {
    ["icu", CRATE, icu_collator_data::cldr_tag!(), icu_collator_data::unicode_tag!()].join(";")
}

impl core::fmt::Debug for IcuCollator {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_tuple("IcuCollator").field(&self.producer).finish()
    }
}

impl Produce for IcuCollator {
    fn is_named(&self, producer: &str) -> bool {
        self.producer == producer
    }

    fn put(&self, door: &mut Door<'_>, slot: Slot, text: TextView<'_>) {
        let put = self.with_image(text, |image, text| {
            let whole: Vec<u8>;
            let bytes = if slot.total {
                whole = total(image, text);
                &whole
            } else {
                image
            };
            door.view_field(slot.tag, ByteView::new(bytes), slot.outer, slot.flip);
        });
        if put.is_err() {
            door.fail(Error::InvalidValue { at: door.at() });
        }
    }

    fn key<'b>(&self, text: TextView<'_>, total: bool, room: &'b mut [u8]) -> Result<&'b [u8], Error> {
        if total { self.total_key(text, room) } else { IcuCollator::key(self, text, room) }
    }

    fn text<'k>(&self, total_key: ByteView<'k>) -> Option<TextView<'k>> {
        self.read(total_key)
    }
}

fn total(image: &[u8], text: &str) -> Vec<u8> {
    let mut all = image.to_vec();
    all.resize(image.len().saturating_add(escaped_size(text.as_bytes().into())), 0);
    escape(all.get_mut(image.len()..).unwrap_or(&mut []), text.as_bytes(), Flip::No, Flip::No);
    all
}
