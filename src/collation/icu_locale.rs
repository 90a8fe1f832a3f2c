//! Which locales and options the `icu` producer takes, and their one spelling in a producer string.
//!
//! The engine looks at the language, at `co`, `kf` and `kn`, and is silent about what it does not
//! know. A stored name must mean one order, so everything that it would pass over is refused here.

use alloc::string::String;

use icu_collator::CollatorPreferences;
use icu_collator::options::AlternateHandling;
use icu_collator::options::CaseLevel;
use icu_collator::options::CollatorOptions;
use icu_collator::options::Strength;
use icu_collator::provider::Baked;
use icu_collator::provider::CollationMetadataV1;
use icu_locale_core::Locale;
use icu_provider::DataIdentifierBorrowed;
use icu_provider::DataLocale;
use icu_provider::DataMarkerAttributes;
use icu_provider::DataProvider;
use icu_provider::DataRequest;
use icu_provider::marker::DataMarkerExt as _;

/// What about a locale is not accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refused {
    /// It is not well-formed BCP-47.
    #[error("not a well-formed locale")]
    Locale,
    /// A variant that sets nothing here.
    #[error("a variant that sets nothing here")]
    Variant,
    /// The data have no order of this kind (`-u-co-`) for the language.
    #[error("no order of this kind (-u-co-) for the language")]
    Kind,
    /// The data have no order for this language in this script, and the engine would sort as `und`
    /// without a word. Say `und` where that is what is wanted; codes are ISO 639's shortest, and
    /// current (`sv` for `swe`, `he` for `iw`).
    #[error("no order for this language and script: say `und` for the root's")]
    Language,
    /// A keyword other than `co`, `ks`, `ka`, `kc`, `kf`, `kn`, or an extension other than `-u-`.
    #[error("a keyword or extension that sets nothing here")]
    Keyword,
    /// A value that the keyword does not have.
    #[error("a value that the keyword does not have")]
    Value,
}

/// Languages in Latin script for which CLDR says that the root's order is theirs.
const AS_ROOT: [&str; 15] = ["ca", "de", "en", "fr", "ga", "id", "it", "lb", "ms", "nl", "pt", "st", "sw", "xh", "zu"];

/// Languages whose orders the data keep under the script, and the script itself.
const IN_HAN: [&str; 3] = ["und", "yue", "zh"];

/// A locale with nothing in it that the engine would pass over.
pub(super) struct IcuLocale {
    locale: Locale,
    preferences: CollatorPreferences,
    options: CollatorOptions,
}

impl IcuLocale {
    pub(super) fn parse(text: &str) -> Result<Self, Refused> {
        let locale = Locale::try_from_str(text).map_err(|_| Refused::Locale)?;
        let extensions = &locale.extensions;
        let others = extensions.transform.is_empty() && extensions.private.is_empty() && extensions.other.is_empty();
        if !others || !extensions.unicode.attributes.is_empty() {
            return Err(Refused::Keyword);
        }
        let (mut options, mut kind) = (CollatorOptions::default(), None);
        for (key, value) in extensions.unicode.keywords.iter() {
            // A bare keyword means `true`.
            let value = value.to_string();
            match (key.as_str(), value.as_str()) {
                // The language's own order, which is the one without a kind.
                ("co", "standard") => {}
                ("co", "") => return Err(Refused::Kind),
                ("co", _) => kind = Some(value),
                ("ks", value) => options.strength = Some(strength(value)?),
                ("ka", "noignore") => options.alternate_handling = Some(AlternateHandling::NonIgnorable),
                ("ka", "shifted") => options.alternate_handling = Some(AlternateHandling::Shifted),
                ("kc", "" | "true") => options.case_level = Some(CaseLevel::On),
                ("kc", "false") => options.case_level = Some(CaseLevel::Off),
                // The engine reads these two from the locale.
                ("kf", "upper" | "lower" | "false") | ("kn", "" | "true" | "false") => {}
                ("ka" | "kc" | "kf" | "kn", _) => return Err(Refused::Value),
                _ => return Err(Refused::Keyword),
            }
        }
        let mut preferences = CollatorPreferences::from(&locale);
        if kind.is_none() {
            preferences.collation_type = None;
        }
        let asked = CollationMetadataV1::make_locale(preferences.locale_preferences);
        if locale.id.variants.len() > usize::from(asked.variant.is_some()) {
            return Err(Refused::Variant);
        }
        check(asked, kind.as_deref())?;
        Ok(Self { locale, preferences, options })
    }

    pub(super) const fn preferences(&self) -> CollatorPreferences {
        self.preferences
    }

    pub(super) const fn options(&self) -> CollatorOptions {
        self.options
    }

    /// The canonical spelling.
    pub(super) fn canonical(&self) -> String {
        self.locale.to_string()
    }
}

/// Refuses what the engine would pass over: asks its data, as it does, where they have what is asked
/// for.
fn check(asked: DataLocale, kind: Option<&str>) -> Result<(), Refused> {
    let none = if kind.is_some() { Refused::Kind } else { Refused::Language };
    let found = found(asked, kind.unwrap_or_default()).ok_or(none)?;
    if found.variant != asked.variant {
        return Err(Refused::Variant);
    }
    let language = asked.language.as_str();
    let is_taken = match (found.language.is_unknown(), found.script) {
        (false, _) => true,
        (true, Some(script)) => IN_HAN.contains(&language) && asked.script.is_none_or(|asked| asked == script),
        (true, None) if language == "und" => asked.script.is_none(),
        (true, None) => {
            let latin = asked.script.is_none_or(|script| script.as_str() == "Latn");
            kind.is_none() && latin && AS_ROOT.contains(&language)
        }
    };
    if is_taken { Ok(()) } else { Err(none) }
}

/// The locale that the data have for one that is asked for: it, or what it falls back to.
fn found(asked: DataLocale, kind: &str) -> Option<DataLocale> {
    let attributes = DataMarkerAttributes::try_from_str(kind).ok()?;
    let id = DataIdentifierBorrowed::for_marker_attributes_and_locale(attributes, &asked);
    let request = DataRequest { id, ..DataRequest::default() };
    let response = DataProvider::<CollationMetadataV1>::load(&Baked, request).ok()?;
    Some(response.metadata.locale.unwrap_or(asked))
}

fn strength(value: &str) -> Result<Strength, Refused> {
    match value {
        "level1" => Ok(Strength::Primary),
        "level2" => Ok(Strength::Secondary),
        "level3" => Ok(Strength::Tertiary),
        "level4" => Ok(Strength::Quaternary),
        "identic" => Ok(Strength::Identical),
        _ => Err(Refused::Value),
    }
}
