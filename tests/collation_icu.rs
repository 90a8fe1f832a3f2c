//! The `icu` producer against its engine: key order is the engine's order, and its names mean one thing each.
#![expect(clippy::unwrap_used, reason = "a test that fails may panic")]

mod collation_support;

use std::collections::BTreeMap;

use icu_collator::CollatorBorrowed;
use icu_collator::CollatorPreferences;
use icu_collator::options::AlternateHandling;
use icu_collator::options::CaseLevel;
use icu_collator::options::CollatorOptions;
use icu_collator::options::Strength;
use icu_locale_core::Locale;
use isotone::Asc;
use isotone::Builder;
use isotone::ByteView;
use isotone::Decoder;
use isotone::Desc;
use isotone::Error;
use isotone::Field;
use isotone::KeySpec;
use isotone::Type;
use isotone::Value;
use isotone::collation::icu::IcuCollator;
use isotone::collation::icu::IcuError;
use isotone::collation::icu::Refused;

use crate::collation_support::escape;
use crate::collation_support::flipped;
use crate::collation_support::parallel;

/// Pairs for each profile.
const PAIRS: usize = 200_000;

/// A locale of every language that is tailored in a way of its own, and every option.
#[rustfmt::skip]
const PROFILES: [&str; 62] = [
    "und", "en", "en-US-posix", "fr-CA", "sv", "da", "de-u-co-phonebk", "de-AT-u-co-phonebk", "es", "es-u-co-trad",
    "cs", "hu", "hr", "pl", "tr", "lt", "et", "fi-u-co-trad", "sv-u-co-trad", "vi", "vi-u-co-trad", "cy", "ru", "uk",
    "sr", "el", "hy", "ka", "ar", "ar-u-co-compat", "fa", "ur", "he", "hi", "bn-u-co-trad", "si-u-co-dict",
    "kn-u-co-trad", "th", "lo", "my", "km", "ja", "ja-u-co-unihan", "ko", "ko-u-co-unihan", "zh", "zh-Hant",
    "zh-u-co-stroke", "zh-u-co-zhuyin", "zh-u-co-unihan", "und-u-co-emoji", "und-u-co-eor", "und-u-ks-level1",
    "sv-u-ks-level2", "und-u-ks-level4", "ja-u-ks-identic", "und-u-ka-shifted", "en-u-ka-shifted-ks-level4",
    "und-u-kc-ks-level1", "da-u-kf-lower", "und-u-kf-upper", "und-u-kn",
];

#[rustfmt::skip]
const PIECES: [&str; 72] = [
    "a", "A", "á", "a\u{301}", "å", "Å", "ä", "æ", "aa", "b", "c", "ch", "č", "d", "dž", "đ", "e", "é", "ê", "f", "h",
    "i", "ı", "I", "İ", "ll", "l", "n", "ñ", "nj", "o", "ö", "ø", "s", "š", "ß", "ss", "z", "ž", "zs", "ü", "y", "0",
    "1", "2", "10", " ", "-", "_", ",", "'", "\u{301}", "\u{323}", "\u{327}", "я", "й", "ё", "Я", "α", "ά", "ا", "ب",
    "क", "क्ष", "แก", "か", "ガ", "ー", "漢", "한", "👍🏽", "\u{200d}",
];

fn engine(locale: &str) -> CollatorBorrowed<'static> {
    let mut options = CollatorOptions::default();
    for (part, strength) in [
        ("level1", Strength::Primary),
        ("level2", Strength::Secondary),
        ("level4", Strength::Quaternary),
        ("identic", Strength::Identical),
    ] {
        if locale.contains(part) {
            options.strength = Some(strength);
        }
    }
    if locale.contains("shifted") {
        options.alternate_handling = Some(AlternateHandling::Shifted);
    }
    if locale.contains("-kc") {
        options.case_level = Some(CaseLevel::On);
    }
    let locale: Locale = locale.parse().unwrap();
    CollatorBorrowed::try_new(CollatorPreferences::from(&locale), options).unwrap()
}

#[test]
fn key_order_is_engine_order() {
    let work: Vec<(usize, &str)> = PROFILES.into_iter().enumerate().collect();
    parallel(&work, |(seed, locale)| {
        let (keys, engine) = (IcuCollator::new(locale).unwrap(), engine(locale));
        let mut state = 0x9e37_79b9_7f4a_7c15_u64 ^ (*seed as u64) << 32;
        let mut below = |end: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 11) as usize % end
        };
        let mut text = || -> String { (0..=below(5)).map(|_| PIECES[below(PIECES.len())]).collect() };
        let (mut a, mut b) = ([0; 1024], [0; 1024]);
        for _ in 0..PAIRS {
            let (x, y) = (text(), text());
            let order = keys.key(&*x, &mut a).unwrap().cmp(keys.key(&*y, &mut b).unwrap());
            assert_eq!(order, engine.compare(&x, &y), "{locale} {x:?} {y:?}");
        }
    });
}

#[test]
fn one_image_on_every_way_whole_or_nothing() {
    for locale in ["sv", "ja-u-ks-identic", "und-u-ka-shifted"] {
        let keys = IcuCollator::new(locale).unwrap();
        for text in ["", "Ärlig", &"žluťoučký kůň 漢字 ".repeat(40), "e\u{301}"] {
            let mut out = vec![0xaa; 16_384];
            let key = keys.key(text, &mut out).unwrap().to_vec();
            assert_eq!(keys.key_size(text), Ok(key.len()));
            assert!(key.ends_with(&[0]) && !key[..key.len() - 1].contains(&0));
            assert_eq!(keys.image_end(&[&key[..], &[7, 0]].concat()[..]), Some(key.len()));
            let total = keys.total_key(text.as_bytes(), &mut out).unwrap().to_vec();
            assert_eq!(total, [&key[..], text.as_bytes(), &[0, 0]].concat());
            assert_eq!(keys.total_key_size(text), Ok(total.len()));
            assert_eq!(keys.text(&total[..]).unwrap(), *text);
            for available in (0..key.len()).step_by(7) {
                let mut out = vec![0xaa; available];
                let short = Err(Error::ShortBuffer { needed: key.len(), available });
                assert_eq!(keys.key(text, &mut out), short);
                assert!(out.iter().all(|byte| *byte == 0xaa));
            }
            for at in 0..total.len().min(200) {
                let mut changed = total.clone();
                changed[at] ^= 1;
                if let Ok(text) = keys.text(&changed[..]) {
                    assert_eq!(keys.total_key(text, &mut out).unwrap(), changed);
                }
            }
            for order in [Asc, Desc] {
                let turned = |bytes: &[u8]| if order == Asc { escape(bytes) } else { flipped(&escape(bytes)) };
                let due = [turned(&key), turned(&total)].concat();
                let build = |room: &mut [u8]| {
                    let mut fields = Builder::new(room);
                    fields.collate(&keys, text, order).collate_total(&keys, text, order);
                    fields.finish().map(<[u8]>::to_vec)
                };
                assert_eq!(build(&mut out).unwrap(), due);
                let short = Error::ShortBuffer { needed: due.len(), available: due.len() - 1 };
                assert_eq!(build(&mut out[..due.len() - 1]), Err(short));
                let mut fields = Decoder::new(&due);
                assert_eq!(fields.collated(order).unwrap(), *key);
                let read = fields.collated_text(&keys, order).unwrap();
                assert_eq!(read, *text);
                // A text that lies in a key is a text like any other.
                assert_eq!(keys.key(read, &mut out).unwrap(), key);
            }
        }
    }
}

/// The layout names the engine and its data; a schema holds a field to that collator alone.
#[test]
fn fields_under_a_spec() {
    let (swedish, danish) = (IcuCollator::new("sv").unwrap(), IcuCollator::new("da").unwrap());
    let ty = Type::Collated { deterministic: true, producer: swedish.producer() };
    let (mut layout, mut room) = ([0; 256], [0; 256]);
    let fields = [Field::not_null(ty, Desc)];
    let spec = KeySpec::describe(&fields, &mut layout).unwrap();
    let mut key = spec.writer(&mut room);
    key.collate(&danish, "Åse");
    assert_eq!(key.finish(), Err(Error::TypeMismatch { field: 0 }));
    let mut key = spec.writer(&mut room);
    key.collate(&swedish, "Åse");
    let key = key.finish().unwrap();
    assert_eq!(spec.reader(key).unwrap().collated_text(&swedish).unwrap().unwrap(), "Åse");
    assert_eq!(spec.reader(key).unwrap().collated_text(&danish), Err(Error::TypeMismatch { field: 0 }));
    // To the schema itself the producer is unknown.
    let mut other = [0; 64];
    let any = spec.encode(&[Value::Collated(ByteView::new(b"any"))], &mut other).unwrap();
    assert_eq!(spec.check(any), Ok(()));
    assert_eq!(spec.reader(any).unwrap().collated_text(&swedish), Err(Error::MalformedKey { at: 0 }));
}

#[test]
fn refused_values() {
    let keys = IcuCollator::new("und").unwrap();
    let mut out = [0xaa; 64];
    assert_eq!(keys.key(&b"\xff"[..], &mut out), Err(Error::InvalidValue { at: 0 }));
    assert_eq!(keys.key(&*"a".repeat(IcuCollator::MAX_TEXT + 1), &mut out), Err(Error::InvalidValue { at: 0 }));
    assert_eq!(out, [0xaa; 64]);
    assert!(keys.key_size(&*"a".repeat(IcuCollator::MAX_TEXT)).is_ok());
    assert_eq!(keys.with_max_text(3).key_size("abcd"), Err(Error::InvalidValue { at: 0 }));
    // At the identical level, too, the engine leaves no zero of the text before the image's end.
    let identical = IcuCollator::new("und-u-ks-identic").unwrap();
    for text in ["\0", "a\0b", "\u{1}\0"] {
        let made = identical.key(text, &mut out).map(|key| key.iter().filter(|byte| **byte == 0).count());
        assert_eq!(made, Ok(1), "{text:?}");
    }
    // The limit is the reader's own.
    let (long, wide) = ("a".repeat(5000), IcuCollator::new("sv").unwrap().with_max_text(5000));
    let mut total = vec![0; 20_000];
    let total = wide.total_key(&*long, &mut total).unwrap();
    assert_eq!(wide.text(total).unwrap(), *long);
    assert_eq!(IcuCollator::open(wide.producer()).unwrap().text(total), Err(Error::MalformedKey { at: 0 }));
}

#[test]
fn refused_locales() {
    for (locale, why) in [
        ("", Refused::Locale),
        ("x", Refused::Locale),
        ("sv_", Refused::Locale),
        ("iw", Refused::Language),
        ("sh", Refused::Language),
        ("swe", Refused::Language),
        ("cmn", Refused::Language),
        ("xx", Refused::Language),
        ("xx-u-ks-level1-kn", Refused::Language),
        ("sv-Hant", Refused::Language),
        ("xx-Hant", Refused::Language),
        ("en-Hant", Refused::Language),
        ("de-Cyrl", Refused::Language),
        ("sv-Cyrl", Refused::Language),
        ("und-Cyrl", Refused::Language),
        ("de-Cyrl-u-co-phonebk", Refused::Kind),
        ("de-Hant-u-co-phonebk", Refused::Kind),
        ("sv-Hant-u-co-trad", Refused::Kind),
        ("ja-Hant-u-co-unihan", Refused::Kind),
        // It is what `zh-Hant` means; the kind has data for `zh` alone, and would set nothing.
        ("zh-Hant-u-co-stroke", Refused::Kind),
        ("xx-u-co-emoji", Refused::Kind),
        ("sv-posix", Refused::Variant),
        ("de-1996", Refused::Variant),
        ("en-US-posix-1996", Refused::Variant),
        ("ja-Latn", Refused::Language),
        ("ja-Latn-u-co-unihan", Refused::Kind),
        ("zh-Latn", Refused::Language),
        ("sv-u-co-nonsense", Refused::Kind),
        ("sv-u-co-phonebk", Refused::Kind),
        ("en-u-co-emoji", Refused::Kind),
        ("zh-u-co-big5han", Refused::Kind),
        ("de-u-co-search", Refused::Kind),
        ("ko-u-co-searchjl", Refused::Kind),
        ("und-u-co-ducet", Refused::Kind),
        ("sv-u-co", Refused::Kind),
        ("sv-u-ca-gregory", Refused::Keyword),
        ("sv-u-kb", Refused::Keyword),
        ("sv-u-kr-latn", Refused::Keyword),
        ("sv-u-kv-space", Refused::Keyword),
        ("sv-u-attr", Refused::Keyword),
        ("sv-t-en", Refused::Keyword),
        ("sv-x-mine", Refused::Keyword),
        ("sv-a-foo", Refused::Keyword),
        ("sv-u-ks-level5", Refused::Value),
        ("sv-u-ks", Refused::Value),
        ("sv-u-ka-blanked", Refused::Value),
        ("sv-u-kf-yes", Refused::Value),
        ("sv-u-kn-2", Refused::Locale),
        ("sv-u-kn-yes", Refused::Value),
    ] {
        assert_eq!(IcuCollator::new(locale).err(), Some(IcuError::Locale(why)), "{locale}");
    }
}

fn print(locale: &str) -> String {
    let made = IcuCollator::new(locale).map_err(|refused| (locale, refused));
    made.unwrap().producer().rsplit(';').next().unwrap().to_string()
}

/// Every code of two or three letters is a language with an order of its own, one that CLDR says
/// sorts as the root, or refused.
#[test]
fn languages_without_data_are_refused() {
    let (root, mut own, mut as_root) = (print("und"), Vec::new(), Vec::new());
    let letters = || 'a'..='z';
    let two = letters().flat_map(|a| letters().map(move |b| format!("{a}{b}")));
    let three = letters().flat_map(|a| letters().flat_map(move |b| letters().map(move |c| format!("{a}{b}{c}"))));
    for language in two.chain(three).filter(|language| language != "und") {
        match IcuCollator::new(&language) {
            Ok(made) if made.producer().ends_with(&root) => as_root.push(language),
            Ok(_) => own.push(language),
            Err(refused) => assert_eq!(refused, IcuError::Locale(Refused::Language), "{language}"),
        }
    }
    assert_eq!(as_root.join(" "), "ca de en fr ga id it lb ms nl pt st sw xh zu");
    let due = "af am ar as az be bg bn br bs cs cy da ee el eo es et fa fi fo fy gl gu ha he hi hr hu hy ig is ja ka kk \
        km kn ko ku ky lo lt lv mk ml mn mr mt my nb ne nn no om or pa pl ps ro ru si sk sl sq sr sv ta te th tk tn to tr \
        ug uk ur uz vi wo yo zh blo ceb chr dsb fil hsb kok nso yue";
    assert_eq!(own, due.split_whitespace().collect::<Vec<_>>());
}

#[test]
fn every_kind_is_an_order_of_its_own() {
    let mut seen = BTreeMap::new();
    for locale in [
        "ar",
        "ar-u-co-compat",
        "bn",
        "bn-u-co-trad",
        "de",
        "de-u-co-phonebk",
        "de-AT-u-co-phonebk",
        "es",
        "es-u-co-trad",
        "fi",
        "fi-u-co-trad",
        "ja",
        "ja-u-co-unihan",
        "kn",
        "kn-u-co-trad",
        "ko",
        "ko-u-co-unihan",
        "si",
        "si-u-co-dict",
        "sv",
        "sv-u-co-trad",
        "und-u-co-emoji",
        "und-u-co-eor",
        "vi",
        "vi-u-co-trad",
        "zh",
        "zh-u-co-stroke",
        "zh-u-co-unihan",
        "zh-u-co-zhuyin",
        "und-u-ks-level1",
        "und-u-ks-level2",
        "und-u-ks-identic",
        "und-u-ka-shifted",
        "und-u-kc",
        "und-u-kn",
        "und-u-kf-upper",
        "und-u-kf-lower",
    ] {
        if let Some(twin) = seen.insert(print(locale), locale) {
            // German has no tailoring of its own.
            panic!("{locale} orders as {twin}");
        }
    }
    for (locale, same) in [
        ("zh", "zh-Hans"),
        ("zh-Hant", "und-Hant"),
        ("sr", "sr-Cyrl"),
        ("sv", "sv-SE"),
        ("de", "de-Latn-CH"),
        ("vi", "vi-u-co-standard"),
        ("ee", "ee-u-co-standard"),
        ("de-u-co-phonebk", "de-Latn-u-co-phonebk"),
    ] {
        assert_eq!(print(locale), print(same), "{locale} {same}");
    }
    assert_ne!(print("sr-Latn"), print("sr"));
    assert_ne!(print("zh-Hant"), print("zh"));
    assert_ne!(print("en-US-posix"), print("en"));
    assert_eq!(print("zh"), print("zh-u-co-pinyin"));
    assert_eq!(print("sv"), print("sv-u-co-standard"));
    assert_eq!(print("de"), print("und"));
}

#[test]
fn producer_strings() {
    // Probes of one number are never changed: these are for good.
    for (locale, print) in [
        ("und", "3ae3351b171f7514f46c0b73d6be5a4e"),
        ("sv", "a674c85f5a5309bec0e0c660c6653178"),
        ("th", "cb6345eec129178074016d0da2b9af58"),
    ] {
        let due = format!("icu;2.4.0;49.0.0;18.0.0;{locale};1;{print}");
        assert_eq!(IcuCollator::new(locale).unwrap().producer(), due);
    }
    let keys = IcuCollator::new("SV-u-ks-level2-kn-true-co-TRAD").unwrap();
    let parts: Vec<&str> = keys.producer().split(';').collect();
    assert_eq!(parts[..6], ["icu", "2.4.0", "49.0.0", "18.0.0", "sv-u-co-trad-kn-ks-level2", "1"]);
    assert_eq!(parts[6].len(), 32);
    assert!(parts[6].bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte)));
    assert_eq!(IcuCollator::open(keys.producer()).unwrap().producer(), keys.producer());
    for stored in [
        keys.producer().replacen("2.4.0", "2.3.0", 1),
        keys.producer().replacen("49.0.0", "48.0.0", 1),
        keys.producer().replacen("18.0.0", "17.0.0", 1),
        keys.producer().replacen(";1;", ";2;", 1),
        keys.producer().replacen(parts[6], &"0".repeat(32), 1),
        keys.producer().replacen("sv-u", "SV-u", 1),
    ] {
        let Err(refused) = IcuCollator::open(&stored) else { panic!("{stored}") };
        let words = refused.to_string();
        assert!(words.contains(&stored) && words.contains(keys.producer()), "{words}");
        assert_eq!(refused, IcuError::OtherData { stored, here: keys.producer().to_string() });
    }
    for other in ["", "icu", "uca14;14.0.0;server;root_pad_ai_ci", "icu;1;2;3;sv;1", "icu;1;2;3;sv;1;0;0"] {
        assert_eq!(IcuCollator::open(other).err(), Some(IcuError::Producer), "{other}");
    }
    // Both sides are named even where the locale is not taken any more.
    let stored = "icu;1;2;3;sv-u-co-zz9;1;0".to_string();
    let here = "icu;2.4.0;49.0.0;18.0.0".to_string();
    assert_eq!(IcuCollator::open(&stored).err(), Some(IcuError::OtherData { stored, here }));
    let same = "icu;2.4.0;49.0.0;18.0.0;sv-u-co-zz9;1;0";
    assert_eq!(IcuCollator::open(same).err(), Some(IcuError::Locale(Refused::Kind)));
}

/// The pinned version in the manifest is the one in the producer string.
#[test]
fn the_engine_is_the_one_named() {
    let manifest = include_str!("../Cargo.toml");
    assert!(manifest.contains("icu_collator = { version = \"=2.4.0\""));
    assert!(manifest.contains("icu_collator_data = { version = \"=2.4.0\""));
}
