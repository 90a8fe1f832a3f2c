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
use icu_locale_core::Locale;

/// What about a locale is not accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refused {
    /// It is not well-formed BCP-47.
    #[error("not a well-formed locale")]
    Locale,
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

/// The kinds of order that the data hold beside each language's own, by language.
const KINDS: [(&str, &[&str]); 13] = [
    ("ar", &["compat"]),
    ("bn", &["trad"]),
    ("de", &["phonebk"]),
    ("es", &["trad"]),
    ("fi", &["trad"]),
    ("ja", &["unihan"]),
    ("kn", &["trad"]),
    ("ko", &["unihan"]),
    ("si", &["dict"]),
    ("sv", &["trad"]),
    ("und", &["emoji", "eor"]),
    ("vi", &["trad"]),
    ("zh", &["pinyin", "stroke", "unihan", "zhuyin"]),
];

/// Languages for which CLDR says that the root's order is theirs.
const AS_ROOT: [&str; 16] =
    ["und", "ca", "de", "en", "fr", "ga", "id", "it", "lb", "ms", "nl", "pt", "st", "sw", "xh", "zu"];

/// A locale with nothing in it that the engine would pass over.
pub(super) struct IcuLocale {
    locale: Locale,
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
        let mut options = CollatorOptions::default();
        for (key, value) in extensions.unicode.keywords.iter() {
            // A bare keyword means `true`.
            let value = value.to_string();
            match (key.as_str(), value.as_str()) {
                ("co", kind) => known(&locale, kind)?,
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
        Ok(Self { locale, options })
    }

    pub(super) fn preferences(&self) -> CollatorPreferences {
        CollatorPreferences::from(&self.locale)
    }

    pub(super) const fn options(&self) -> CollatorOptions {
        self.options
    }

    /// Whether the locale may sort as the root does.
    pub(super) fn is_as_root(&self) -> bool {
        AS_ROOT.contains(&self.locale.id.language.as_str())
    }

    /// Language, script and kind of order alone, which say what data the engine takes.
    pub(super) fn bare_preferences(&self) -> CollatorPreferences {
        let mut bare = self.locale.clone();
        bare.extensions.unicode.keywords.retain_by_key(|key| key.as_str() == "co");
        CollatorPreferences::from(&bare)
    }

    /// The canonical spelling.
    pub(super) fn canonical(&self) -> String {
        self.locale.to_string()
    }
}

fn known(locale: &Locale, kind: &str) -> Result<(), Refused> {
    let language = locale.id.language.as_str();
    let kinds = KINDS.iter().find(|(name, _)| *name == language).map_or(&[][..], |(_, kinds)| kinds);
    // A language's own order, which every language has.
    if kind == "standard" || kinds.contains(&kind) { Ok(()) } else { Err(Refused::Kind) }
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
