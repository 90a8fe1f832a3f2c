//! Collation names of MariaDB and MySQL, resolved to profiles that sort as the MariaDB server does.
//! A name is never replaced by one that is merely near.

use crate::collation::producer::strip_suffix;
use crate::collation::profile::Accent;
use crate::collation::profile::Case;
use crate::collation::profile::CollationProfile;
use crate::collation::profile::Comparison;
use crate::collation::profile::Padding;
use crate::collation::profile::Tailoring;

/// Why a collation name has no profile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NameError {
    /// Not a `uca1400` or `0900` name: older Unicode data, another character set, or no collation
    /// at all. Convert the column, or keep such an index in the database that defines the
    /// collation.
    #[error("not a uca1400 or 0900 collation, the only families with frozen data here")]
    OtherFamily,
    /// A `0900` name whose language has no tailoring among the `uca1400` collations (`ja`, `ru`,
    /// `zh` and others).
    #[error("a 0900 collation whose language has no uca1400 tailoring")]
    NoTailoring,
    /// Padded binary and simple case: Schottky has them ([`CollationProfile::BINARY`],
    /// [`CollationProfile::SIMPLE_CASE`]), but not in the server's order, which pads the shorter
    /// text where Schottky cuts trailing spaces.
    #[error("a padded collation without UCA weights: the server's order of it is not offered")]
    NoServerOrder,
}

/// Languages in `0900` names that have a tailoring here.
const LANGUAGES: [(&str, Tailoring); 20] = [
    ("cs", Tailoring::Czech),
    ("da", Tailoring::Danish),
    ("de_pb", Tailoring::German2),
    ("eo", Tailoring::Esperanto),
    ("es", Tailoring::Spanish),
    ("es_trad", Tailoring::Spanish2),
    ("et", Tailoring::Estonian),
    ("hr", Tailoring::Croatian),
    ("hu", Tailoring::Hungarian),
    ("is", Tailoring::Icelandic),
    ("la", Tailoring::Roman),
    ("lt", Tailoring::Lithuanian),
    ("lv", Tailoring::Latvian),
    ("pl", Tailoring::Polish),
    ("ro", Tailoring::Romanian),
    ("sk", Tailoring::Slovak),
    ("sl", Tailoring::Slovenian),
    ("sv", Tailoring::Swedish),
    ("tr", Tailoring::Turkish),
    ("vi", Tailoring::Vietnamese),
];

/// Languages in `0900` names of MySQL that have none.
const UNTAILORED: [&str; 10] = ["bg", "bs", "gl", "ja", "mn_cyrl", "nb", "nn", "ru", "sr_latn", "zh"];

/// The longest name that is looked at.
const LONGEST: usize = 64;

impl CollationProfile {
    /// The profile with the server's order for a collation name of MariaDB or MySQL, in any case of
    /// letters. Two families are known:
    ///
    /// - `uca1400_…`, MariaDB's own, bare or after `utf8mb4_` or `utf8mb3_`:
    ///   `[TAILORING_][nopad_](ai|as)_(ci|cs)`, 184 names;
    /// - `utf8mb4_…0900_…`, MySQL's, as MariaDB takes them: its collations without padding. **MySQL 8
    ///   itself builds these on Unicode 9.0.0 data and on other tailorings**: for text that the two
    ///   versions weigh differently its order is not this one. `utf8mb4_0900_bin` and MariaDB's
    ///   `utf8mb4_nopad_bin` compare UTF-8 as it is, which is [`BINARY_NOPAD`](Self::BINARY_NOPAD).
    ///
    /// # Errors
    /// [`NameError`] says why the name is not one of these families.
    ///
    /// ```
    /// use isotone::collation::{CollationProfile, NameError};
    ///
    /// let swedish = CollationProfile::from_server_name("utf8mb4_uca1400_swedish_as_cs").unwrap();
    /// assert_eq!(swedish.producer().as_str(), "uca14;14.0.0;server;swedish_pad_as_cs");
    /// let root = CollationProfile::from_server_name("utf8mb4_0900_ai_ci").unwrap();
    /// assert_eq!(root.producer().as_str(), "uca14;14.0.0;server;root_nopad_ai_ci");
    /// assert_eq!(CollationProfile::from_server_name("utf8mb4_general_ci"), Err(NameError::OtherFamily));
    /// ```
    pub fn from_server_name(name: &str) -> Result<Self, NameError> {
        let mut room = [0; LONGEST];
        let name = lower(name, &mut room).ok_or(NameError::OtherFamily)?;
        let charset = ["utf8mb4_", "utf8mb3_"].iter().find_map(|set| name.strip_prefix(set));
        if let Some(rest) = charset.unwrap_or(name).strip_prefix("uca1400_") {
            return uca1400(rest).ok_or(NameError::OtherFamily);
        }
        match name.strip_prefix("utf8mb4_") {
            Some("0900_bin" | "nopad_bin") => Ok(Self::BINARY_NOPAD),
            Some("ja_0900_as_cs_ks") => Err(NameError::NoTailoring),
            Some("bin" | "general1400_as_ci") => Err(NameError::NoServerOrder),
            Some(rest) => uca0900(rest),
            None => Err(NameError::OtherFamily),
        }
    }
}

/// `[TAILORING_][nopad_](ai|as)_(ci|cs)`
fn uca1400(name: &str) -> Option<CollationProfile> {
    // What precedes the sensitivities may be nothing at all: give it the underscore that it then
    // lacks.
    let (head, accent, case) = match name {
        "ai_ci" => ("", Accent::Insensitive, Case::Insensitive),
        "ai_cs" => ("", Accent::Insensitive, Case::Sensitive),
        "as_ci" => ("", Accent::Sensitive, Case::Insensitive),
        "as_cs" => ("", Accent::Sensitive, Case::Sensitive),
        _ => strip_suffix(name).filter(|(head, ..)| !head.is_empty())?,
    };
    let (head, padding) = match head.strip_suffix("nopad") {
        Some("") => ("", Padding::None),
        Some(head) => (head.strip_suffix('_').filter(|head| !head.is_empty())?, Padding::None),
        None => (head, Padding::Space),
    };
    let tailoring = match head {
        "" => Tailoring::Root,
        "root" => return None,
        name => Tailoring::from_name(name)?,
    };
    Some(CollationProfile::uca(tailoring, padding, accent, case, Comparison::Server))
}

/// `[LANGUAGE_]0900_(ai_ci|as_ci|as_cs)`, with `as_ci` for the root only.
fn uca0900(name: &str) -> Result<CollationProfile, NameError> {
    let (head, accent, case) = strip_suffix(name).ok_or(NameError::OtherFamily)?;
    let language = match head.strip_suffix("0900").ok_or(NameError::OtherFamily)? {
        "" => None,
        language => Some(language.strip_suffix('_').ok_or(NameError::OtherFamily)?),
    };
    let known = match (accent, case) {
        (Accent::Insensitive, Case::Sensitive) => false,
        (Accent::Sensitive, Case::Insensitive) => language.is_none(),
        _ => true,
    };
    if !known {
        return Err(NameError::OtherFamily);
    }
    let tailoring = match language {
        None => Tailoring::Root,
        Some(language) => match LANGUAGES.iter().find(|(name, _)| *name == language) {
            Some((_, tailoring)) => *tailoring,
            None if UNTAILORED.contains(&language) => return Err(NameError::NoTailoring),
            None => return Err(NameError::OtherFamily),
        },
    };
    Ok(CollationProfile::uca(tailoring, Padding::None, accent, case, Comparison::Server))
}

/// The name in lower case, in a buffer of the caller's.
fn lower<'r>(name: &str, room: &'r mut [u8; LONGEST]) -> Option<&'r str> {
    let room = room.get_mut(..name.len())?;
    room.copy_from_slice(name.as_bytes());
    room.make_ascii_lowercase();
    core::str::from_utf8(room).ok()
}
