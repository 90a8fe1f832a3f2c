//! Which behaviour: algorithm × tailoring × padding × accents × case × comparison, and its names.
//!
//! A profile decides the bytes of a key and so their order. It is stored with the keys as its
//! producer string, and two profiles are one exactly when those strings are equal.

/// How a text becomes weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Algorithm {
    /// The Unicode Collation Algorithm over the 14.0.0 table, without normalization.
    Uca,
    /// The simple uppercase of each scalar.
    SimpleCase,
    /// The UTF-8 itself.
    Binary,
}

/// Whether trailing spaces count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Padding {
    /// `PAD SPACE`: texts that differ in trailing spaces are equal.
    Space,
    /// `NO PAD`: every space counts.
    None,
}

/// Whether accents make a difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Accent {
    /// `_ai`
    Insensitive,
    /// `_as`
    Sensitive,
}

/// Whether case makes a difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Case {
    /// `_ci`
    Insensitive,
    /// `_cs`
    Sensitive,
}

/// Which of the two orders over the same weights (FORMAT §4).
///
/// They agree on every text in the `NO PAD` profiles but `ai_cs`. Elsewhere:
///
/// - **Padding.** Schottky cuts U+0020 from the end of the text and then sorts the shorter first.
///   The server goes on comparing with spaces: what weighs less than a space, such as a tab, sorts
///   *below* the end of the text, and every scalar that weighs as a space does, such as U+3000, is
///   padding too.
/// - **`ai_cs`.** Case is compared after the letters with accents left out, and an accent has a
///   case weight of its own. Schottky counts it; the server drops such weights from the end.
///
/// ```
/// use isotone::collation::{CollationProfile, Collator, Comparison};
///
/// let keys = |name: &str, comparison, text: &str| {
///     let profile = CollationProfile::from_schottky_name(name).unwrap().with_comparison(comparison).unwrap();
///     let mut out = [0; 64];
///     Collator::new(profile).key(text, &mut out).unwrap().to_vec()
/// };
/// let [schottky, server] = [Comparison::Schottky, Comparison::Server];
/// let padded = "uca14_root_ai_ci";
/// assert!(keys(padded, schottky, "a") < keys(padded, schottky, "a\t"));
/// assert!(keys(padded, server, "a") > keys(padded, server, "a\t"));
/// assert!(keys(padded, schottky, "a") != keys(padded, schottky, "a\u{3000}"));
/// assert!(keys(padded, server, "a") == keys(padded, server, "a\u{3000}"));
/// let ai_cs = "uca14_root_nopad_ai_cs";
/// assert!(keys(ai_cs, schottky, "a") != keys(ai_cs, schottky, "á"));
/// assert!(keys(ai_cs, server, "a") == keys(ai_cs, server, "á"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// The bytes of the Go library's `Collator`.
    Schottky,
    /// The order of a MariaDB server, text for text. UCA only.
    Server,
}

macro_rules! tailorings {
    ($($variant:ident $name:literal,)*) => {
        /// Whose alphabet: the root of the table, or one of the tailorings, named as MariaDB names
        /// them.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Tailoring {
            $(#[doc = concat!("`", $name, "`")] $variant,)*
        }

        impl Tailoring {
            /// The root, then the others by name.
            pub const ALL: [Self; 23] = [$(Self::$variant,)*];

            /// The name as it stands in a producer string.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// The tailoring of this name, exactly so spelled.
            #[must_use]
            pub fn from_name(name: &str) -> Option<Self> {
                match name { $($name => Some(Self::$variant),)* _ => None }
            }
        }
    };
}

tailorings! {
    Root "root",
    Croatian "croatian",
    Czech "czech",
    Danish "danish",
    Esperanto "esperanto",
    Estonian "estonian",
    German2 "german2",
    Hungarian "hungarian",
    Icelandic "icelandic",
    Latvian "latvian",
    Lithuanian "lithuanian",
    Persian "persian",
    Polish "polish",
    Roman "roman",
    Romanian "romanian",
    Sinhala "sinhala",
    Slovak "slovak",
    Slovenian "slovenian",
    Spanish "spanish",
    Spanish2 "spanish2",
    Swedish "swedish",
    Turkish "turkish",
    Vietnamese "vietnamese",
}

/// A combination that no collation has: see [`CollationProfile::new`] for the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no collation has this combination of algorithm, tailoring, padding, sensitivities and comparison")]
pub struct InvalidProfile;

/// One behaviour of the frozen producer. Only valid combinations exist: 187 with Schottky's
/// comparison, 184 with the server's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct CollationProfile {
    algorithm: Algorithm,
    tailoring: Tailoring,
    padding: Padding,
    accent: Accent,
    case: Case,
    comparison: Comparison,
}

impl CollationProfile {
    /// Simple uppercase, padded.
    pub const SIMPLE_CASE: Self = Self {
        algorithm: Algorithm::SimpleCase,
        accent: Accent::Sensitive,
        ..Self::uca(Tailoring::Root, Padding::Space, Accent::Sensitive, Case::Insensitive, Comparison::Schottky)
    };
    /// UTF-8 without its trailing spaces.
    pub const BINARY: Self = Self::binary(Padding::Space);
    /// UTF-8.
    pub const BINARY_NOPAD: Self = Self::binary(Padding::None);

    /// A UCA profile: all of them are valid.
    #[must_use]
    pub const fn uca(
        tailoring: Tailoring,
        padding: Padding,
        accent: Accent,
        case: Case,
        comparison: Comparison,
    ) -> Self {
        Self { algorithm: Algorithm::Uca, tailoring, padding, accent, case, comparison }
    }

    const fn binary(padding: Padding) -> Self {
        let plain = Self::uca(Tailoring::Root, padding, Accent::Insensitive, Case::Insensitive, Comparison::Schottky);
        Self { algorithm: Algorithm::Binary, ..plain }
    }

    /// Any combination, checked: simple case is padded, accent- but not case-sensitive; binary has
    /// no sensitivities; both are root only and have Schottky's comparison only.
    ///
    /// # Errors
    /// [`InvalidProfile`] for any other combination.
    pub const fn new(
        algorithm: Algorithm,
        tailoring: Tailoring,
        padding: Padding,
        accent: Accent,
        case: Case,
        comparison: Comparison,
    ) -> Result<Self, InvalidProfile> {
        let plain = matches!((tailoring, comparison), (Tailoring::Root, Comparison::Schottky));
        let valid = match algorithm {
            Algorithm::Uca => true,
            Algorithm::SimpleCase => {
                plain && matches!((padding, accent, case), (Padding::Space, Accent::Sensitive, Case::Insensitive))
            }
            Algorithm::Binary => plain && matches!((accent, case), (Accent::Insensitive, Case::Insensitive)),
        };
        if valid { Ok(Self { algorithm, tailoring, padding, accent, case, comparison }) } else { Err(InvalidProfile) }
    }

    /// The same behaviour under another comparison.
    ///
    /// # Errors
    /// [`InvalidProfile`]: only UCA profiles have the server's.
    pub const fn with_comparison(self, comparison: Comparison) -> Result<Self, InvalidProfile> {
        Self::new(self.algorithm, self.tailoring, self.padding, self.accent, self.case, comparison)
    }

    /// Every profile of one comparison: the UCA ones by tailoring, padding, accents and case, then
    /// simple case and binary.
    pub fn all(comparison: Comparison) -> impl Iterator<Item = Self> + Clone {
        let others: &[Self] = match comparison {
            Comparison::Schottky => &[Self::SIMPLE_CASE, Self::BINARY, Self::BINARY_NOPAD],
            Comparison::Server => &[],
        };
        let uca = Tailoring::ALL.into_iter().flat_map(move |tailoring| {
            (0u8..8).map(move |bits| {
                let padding = if bits & 4 == 0 { Padding::Space } else { Padding::None };
                let accent = if bits & 2 == 0 { Accent::Insensitive } else { Accent::Sensitive };
                let case = if bits & 1 == 0 { Case::Insensitive } else { Case::Sensitive };
                Self::uca(tailoring, padding, accent, case, comparison)
            })
        });
        uca.chain(others.iter().copied())
    }

    /// How a text becomes weights.
    #[must_use]
    pub const fn algorithm(self) -> Algorithm {
        self.algorithm
    }

    /// Whose alphabet.
    #[must_use]
    pub const fn tailoring(self) -> Tailoring {
        self.tailoring
    }

    /// Whether trailing spaces count.
    #[must_use]
    pub const fn padding(self) -> Padding {
        self.padding
    }

    /// Whether accents make a difference.
    #[must_use]
    pub const fn accent(self) -> Accent {
        self.accent
    }

    /// Whether case makes a difference.
    #[must_use]
    pub const fn case(self) -> Case {
        self.case
    }

    /// Which of the two orders.
    #[must_use]
    pub const fn comparison(self) -> Comparison {
        self.comparison
    }
}
