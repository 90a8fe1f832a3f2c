//! Text in any language: keys whose byte order is the order of a collation.
//!
//! # The promise
//! For one [`CollationProfile`], and any two texts a and b,
//!
//! ```text
//! key(a) < key(b)  ⇔  the collation sorts a before b        key(a) = key(b)  ⇔  it holds them equal
//! ```
//!
//! where the left sides compare bytes. The data never change: a key written today is the key of
//! every later version.
//!
//! # Two producers
//! [`Collator`] (feature `uca14`) is frozen, exact, and allocates nothing. `icu::IcuCollator`
//! (feature `icu`) has the order of every CLDR locale, as long as its data stay the same; it may
//! allocate, and needs Rust 1.88.
//!
//! # Fields
//! A field of [`Type::Collated`](crate::Type::Collated) holds a text's comparison image, or, when
//! it is deterministic, the image and then the text, which breaks ties and can be read back. Its
//! producer string, [`CollationProfile::producer`], is part of the layout, so that keys of two
//! orders never mix.
//!
//! ```
//! use isotone::collation::{CollationProfile, Collator, ProfileName, Tailoring};
//! use isotone::collation::{Accent, Case, Comparison, Padding};
//! use isotone::{Asc, KeySpec, Type, key_spec};
//!
//! const SWEDISH: CollationProfile = CollationProfile::uca(
//!     Tailoring::Swedish, Padding::Space, Accent::Insensitive, Case::Insensitive, Comparison::Server,
//! );
//! const PRODUCER: ProfileName = SWEDISH.producer();
//! const NAMES: KeySpec<'static> = key_spec![
//!     Type::Collated { deterministic: true, producer: PRODUCER.as_str() } => Asc,
//!     Type::U64 => Asc,
//! ];
//!
//! let collator = Collator::new(SWEDISH);
//! let build = |name: &str, room: &mut [u8]| -> Result<Vec<u8>, isotone::Error> {
//!     let mut key = NAMES.writer(room);
//!     key.collate(&collator, name).u64(7);
//!     Ok(key.finish()?.to_vec())
//! };
//! let mut room = [0u8; 256];
//! let (zebra, arlig) = (build("Zebra", &mut room)?, build("ärlig", &mut room)?);
//! assert!(zebra < arlig); // ä comes after z
//! let mut fields = NAMES.reader(&arlig)?;
//! assert_eq!(fields.collated_text(&collator)?.unwrap(), "ärlig");
//! # Ok::<(), isotone::Error>(())
//! ```
//!
//! # What is checked
//! A deterministic field of a known producer is checked when its text is read, and by
//! [`KeySpec::decode`](crate::KeySpec::decode) and [`check`](crate::KeySpec::check): the image must
//! be the one of the text. Such values are checked when they are written, too. An image without a
//! text can't be checked: a non-deterministic field is any bytes, as is a field of an unknown
//! producer. Known are the strings of `uca14` with that feature on; an `icu` producer is known to
//! its collator only, since a schema can't hold an engine.
//!
//! No part of a key is the key of a part of the text: a search for texts that begin with some
//! letters can't be made a range of such keys. Keep a second index of the plain text for that. The
//! guide (module `guide`, `docs/collation.md`) says more.

#[cfg(any(feature = "icu", feature = "rekey"))]
pub(crate) mod icu_key;
pub(crate) mod place;
mod text;

pub use place::Producer;
pub use text::Utf8;

#[cfg(feature = "uca14")]
mod ascii;
#[cfg(feature = "uca14")]
mod collator;
#[cfg(feature = "uca14")]
#[rustfmt::skip]
mod data;
#[cfg(feature = "uca14")]
mod image;
#[cfg(feature = "uca14")]
mod names;
#[cfg(feature = "uca14")]
mod out;
#[cfg(feature = "uca14")]
mod producer;
#[cfg(feature = "uca14")]
mod profile;
#[cfg(feature = "uca14")]
mod table;
#[cfg(feature = "uca14")]
mod uca;
#[cfg(feature = "uca14")]
mod verify;
#[cfg(feature = "uca14")]
mod write;

#[cfg(feature = "uca14")]
pub use collator::Collator;
#[cfg(feature = "uca14")]
pub use names::NameError;
#[cfg(feature = "uca14")]
pub use producer::ProfileName;
#[cfg(feature = "uca14")]
pub use producer::UNICODE_VERSION;
#[cfg(feature = "uca14")]
pub use profile::Accent;
#[cfg(feature = "uca14")]
pub use profile::Algorithm;
#[cfg(feature = "uca14")]
pub use profile::Case;
#[cfg(feature = "uca14")]
pub use profile::CollationProfile;
#[cfg(feature = "uca14")]
pub use profile::Comparison;
#[cfg(feature = "uca14")]
pub use profile::InvalidProfile;
#[cfg(feature = "uca14")]
pub use profile::Padding;
#[cfg(feature = "uca14")]
pub use profile::Tailoring;

#[cfg(feature = "icu")]
pub mod icu;
#[cfg(feature = "icu")]
mod icu_locale;
#[cfg(feature = "icu")]
mod probes;

#[cfg(feature = "uca14")]
#[doc = include_str!("../../docs/collation.md")]
pub mod guide {}
