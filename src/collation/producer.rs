//! The names of a profile: the producer string that goes into a layout descriptor, and Schottky's
//! own.
//!
//! # Layout
//! `uca14;14.0.0;C;NAME`, at most 44 bytes of ASCII, where C is `schottky` or `server` and NAME
//! `TAILORING_PAD_ACCENT_CASE`, `simple_case`, `binary_pad` or `binary_nopad` (FORMAT §4).

use core::fmt;

use crate::collation::profile::Accent;
use crate::collation::profile::Algorithm;
use crate::collation::profile::Case;
use crate::collation::profile::CollationProfile;
use crate::collation::profile::Comparison;
use crate::collation::profile::Padding;
use crate::collation::profile::Tailoring;

/// The version of the Unicode data behind every profile of this producer.
pub const UNICODE_VERSION: &str = "14.0.0";

const PREFIX: &str = "uca14;14.0.0;";
const SCHOTTKY: &str = "schottky;";
const SERVER: &str = "server;";
const SIMPLE_CASE: &str = "simple_case";
const BINARY_PAD: &str = "binary_pad";
const BINARY_NOPAD: &str = "binary_nopad";

/// Room for any name: the longest is `uca14;14.0.0;schottky;vietnamese_nopad_as_cs`, 44 bytes.
const ROOM: usize = 48;

/// A profile's name, held inline: nothing is allocated, and a `const` can hold one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct ProfileName {
    bytes: [u8; ROOM],
    len: usize,
}

impl ProfileName {
    const EMPTY: Self = Self { bytes: [0; ROOM], len: 0 };

    const fn push(mut self, part: &str) -> Self {
        let mut rest = part.as_bytes();
        // Waits for 1.87: `copy_from_slice` in a `const`. Every name fits, which the tests hold for
        // all of them; one that did not would stay short.
        while let Some((byte, more)) = rest.split_first() {
            if let Some((_, room)) = self.bytes.split_at_mut_checked(self.len) {
                if let Some((slot, _)) = room.split_first_mut() {
                    *slot = *byte;
                    self.len = self.len.saturating_add(1);
                }
            }
            rest = more;
        }
        self
    }

    /// The name as ASCII bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8] {
        match self.bytes.split_at_checked(self.len) {
            Some((name, _)) => name,
            None => &[],
        }
    }

    /// The name as text.
    #[must_use]
    pub const fn as_str(&self) -> &str {
        match core::str::from_utf8(self.as_bytes()) {
            Ok(name) => name,
            Err(_) => "",
        }
    }
}

impl fmt::Debug for ProfileName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl fmt::Display for ProfileName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl CollationProfile {
    /// The producer string to persist beside the keys.
    ///
    /// ```
    /// use isotone::collation::{Accent, Case, CollationProfile, Comparison, Padding, ProfileName, Tailoring};
    ///
    /// const SWEDISH: CollationProfile = CollationProfile::uca(
    ///     Tailoring::Swedish, Padding::Space, Accent::Sensitive, Case::Sensitive, Comparison::Server,
    /// );
    /// const NAME: ProfileName = SWEDISH.producer();
    /// assert_eq!(NAME.as_str(), "uca14;14.0.0;server;swedish_pad_as_cs");
    /// assert_eq!(CollationProfile::from_producer(NAME.as_str()), Some(SWEDISH));
    /// ```
    #[must_use]
    pub const fn producer(self) -> ProfileName {
        let [comparison, name, padding, suffix] = self.parts();
        ProfileName::EMPTY.push(PREFIX).push(comparison).push(name).push(padding).push(suffix)
    }

    /// What follows the front of a producer string.
    const fn parts(self) -> [&'static str; 4] {
        let comparison = match self.comparison() {
            Comparison::Schottky => SCHOTTKY,
            Comparison::Server => SERVER,
        };
        match (self.algorithm(), self.padding()) {
            (Algorithm::SimpleCase, _) => [comparison, SIMPLE_CASE, "", ""],
            (Algorithm::Binary, Padding::Space) => [comparison, BINARY_PAD, "", ""],
            (Algorithm::Binary, Padding::None) => [comparison, BINARY_NOPAD, "", ""],
            (Algorithm::Uca, Padding::Space) => [comparison, self.tailoring().name(), "_pad", self.suffix()],
            (Algorithm::Uca, Padding::None) => [comparison, self.tailoring().name(), "_nopad", self.suffix()],
        }
    }

    /// Whether this is its producer string; looks for no profile.
    pub(super) fn is_producer(self, producer: &str) -> bool {
        let rest = self
            .parts()
            .iter()
            .try_fold(producer.strip_prefix(PREFIX), |rest, part| rest.map(|rest| rest.strip_prefix(part)));
        rest.flatten().is_some_and(str::is_empty)
    }

    /// The profile of a producer string, which must be exactly one that
    /// [`producer`](Self::producer) gives.
    #[must_use]
    pub fn from_producer(producer: &str) -> Option<Self> {
        let rest = producer.strip_prefix(PREFIX)?;
        if let Some(name) = rest.strip_prefix(SERVER) {
            return Self::from_parts(name, Comparison::Server);
        }
        match rest.strip_prefix(SCHOTTKY)? {
            SIMPLE_CASE => Some(Self::SIMPLE_CASE),
            BINARY_PAD => Some(Self::BINARY),
            BINARY_NOPAD => Some(Self::BINARY_NOPAD),
            name => Self::from_parts(name, Comparison::Schottky),
        }
    }

    /// `TAILORING_PAD_ACCENT_CASE`
    fn from_parts(name: &str, comparison: Comparison) -> Option<Self> {
        let (head, accent, case) = strip_suffix(name)?;
        let (tailoring, padding) = match head.strip_suffix("_nopad") {
            Some(tailoring) => (tailoring, Padding::None),
            None => (head.strip_suffix("_pad")?, Padding::Space),
        };
        Some(Self::uca(Tailoring::from_name(tailoring)?, padding, accent, case, comparison))
    }

    /// Schottky's name of this behaviour, such as `uca14_swedish_nopad_as_cs`, whatever the
    /// comparison.
    #[must_use]
    pub const fn schottky_name(self) -> ProfileName {
        match (self.algorithm(), self.padding()) {
            (Algorithm::SimpleCase, _) => ProfileName::EMPTY.push("simple_case"),
            (Algorithm::Binary, Padding::Space) => ProfileName::EMPTY.push("binary"),
            (Algorithm::Binary, Padding::None) => ProfileName::EMPTY.push("binary_nopad"),
            (Algorithm::Uca, padding) => {
                let name = ProfileName::EMPTY.push("uca14_").push(self.tailoring().name());
                let name = match padding {
                    Padding::Space => name,
                    Padding::None => name.push("_nopad"),
                };
                name.push(self.suffix())
            }
        }
    }

    /// The profile of one of Schottky's names, with Schottky's comparison.
    #[must_use]
    pub fn from_schottky_name(name: &str) -> Option<Self> {
        match name {
            "simple_case" => return Some(Self::SIMPLE_CASE),
            "binary" => return Some(Self::BINARY),
            "binary_nopad" => return Some(Self::BINARY_NOPAD),
            _ => {}
        }
        let (head, accent, case) = strip_suffix(name.strip_prefix("uca14_")?)?;
        let (tailoring, padding) = match head.strip_suffix("_nopad") {
            Some(tailoring) => (tailoring, Padding::None),
            None => (head, Padding::Space),
        };
        Some(Self::uca(Tailoring::from_name(tailoring)?, padding, accent, case, Comparison::Schottky))
    }

    const fn suffix(self) -> &'static str {
        match (self.accent(), self.case()) {
            (Accent::Insensitive, Case::Insensitive) => "_ai_ci",
            (Accent::Insensitive, Case::Sensitive) => "_ai_cs",
            (Accent::Sensitive, Case::Insensitive) => "_as_ci",
            (Accent::Sensitive, Case::Sensitive) => "_as_cs",
        }
    }
}

impl fmt::Display for CollationProfile {
    /// The producer string.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.producer(), f)
    }
}

/// Takes `_as_cs` and the like off the end of a name.
pub(super) fn strip_suffix(name: &str) -> Option<(&str, Accent, Case)> {
    let (head, case) = match name.strip_suffix("_ci") {
        Some(head) => (head, Case::Insensitive),
        None => (name.strip_suffix("_cs")?, Case::Sensitive),
    };
    match head.strip_suffix("_ai") {
        Some(head) => Some((head, Accent::Insensitive, case)),
        None => Some((head.strip_suffix("_as")?, Accent::Sensitive, case)),
    }
}
