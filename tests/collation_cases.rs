//! Faults with collated text that others shipped, kept out. Each test is named by the number of its
//! entry in the log of such faults that the project keeps; what the entry says is said again in one
//! line.
#![expect(clippy::unwrap_used, reason = "a test that fails may panic")]

mod collation_support;

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::ops::Bound;

use isotone::Asc;
use isotone::ByteView;
use isotone::Difference;
use isotone::Error;
use isotone::Field;
use isotone::IndexContract;
use isotone::KeySpec;
use isotone::Type;
use isotone::Value;
use isotone::collation::CollationProfile;
use isotone::collation::Collator;
use isotone::key_spec;

use crate::collation_support::escape;

fn collator(name: &str) -> Collator {
    Collator::new(CollationProfile::from_server_name(name).unwrap())
}

fn key(collator: &Collator, text: &str) -> Vec<u8> {
    collator.key(text, &mut vec![0; collator.max_key_size(text.len())]).unwrap().to_vec()
}

fn total_key(collator: &Collator, text: &str) -> Vec<u8> {
    collator.total_key(text, &mut vec![0; collator.max_total_key_size(text.len())]).unwrap().to_vec()
}

/// Rows vanished after a library update reordered text under a stored index.
#[test]
fn b119_another_version_is_another_layout() {
    fn layout(producer: &str) -> Vec<u8> {
        let fields = [Field::not_null(Type::Collated { deterministic: false, producer }, Asc)];
        KeySpec::describe(&fields, &mut [0; 128]).unwrap().layout().to_vec()
    }
    let (stored, here) = (layout("uca14;14.0.0;server;root_pad_ai_ci"), layout("uca14;15.0.0;server;root_pad_ai_ci"));
    let (stored, here) = (KeySpec::from_layout(&stored).unwrap(), KeySpec::from_layout(&here).unwrap());
    assert!(matches!(here.require_layout(stored.layout()), Err(Error::LayoutMismatch { .. })));
    let ids: [&[u8]; 1] = [b"name"];
    let (mut a, mut b) = ([0; 256], [0; 256]);
    let stored = IndexContract::new(b"people", 1, &stored, &ids, &mut a).unwrap();
    let expected = IndexContract::new(b"people", 1, &here, &ids, &mut b).unwrap();
    let refused = stored.require_same(&expected);
    assert_eq!(refused.err(), Some(Error::ContractMismatch(Difference::Collation(0))));
    // And no collator of one version writes under the other's name.
    let collator = collator("utf8mb4_uca1400_ai_ci");
    let mut room = [0; 64];
    let mut key = here.writer(&mut room);
    key.collate(&collator, "Ada");
    assert_eq!(key.finish(), Err(Error::TypeMismatch { field: 0 }));
}

/// A library's sort keys and its compare function disagreed, so that abbreviated keys sorted wrong.
#[test]
fn b120_there_is_one_authority() {
    let words =
        ["Straße", "Strasse", "strasse", "Strassen", "Stra\u{df}en", "Müller", "Mueller", "Muller", "muller", ""];
    for profile in CollationProfile::all(isotone::collation::Comparison::Server) {
        let collator = Collator::new(profile);
        for a in words {
            for b in words {
                let (a_key, b_key) = (key(&collator, a), key(&collator, b));
                assert_eq!(collator.compare(a, &b_key[..]), Ok(a_key.cmp(&b_key)), "{profile} {a} {b}");
            }
        }
    }
}

/// A unique violation could not say which value was there: the key held the image alone.
#[test]
fn b121_the_text_can_be_kept() {
    let collator = collator("utf8mb4_uca1400_ai_ci");
    assert_eq!(key(&collator, "ASDF"), key(&collator, "asdf"));
    let stored = total_key(&collator, "asdf");
    let image = collator.image_end(&stored[..]).unwrap();
    assert_eq!(stored[..image], key(&collator, "ASDF"));
    assert_eq!(collator.text(&stored[..]).unwrap(), "asdf");
}

/// Texts that differ only where the collation does not look: one key, or each its own.
#[test]
fn b122_equal_or_told_apart() {
    let collator = collator("utf8mb4_uca1400_ai_ci");
    let texts = ["a", "A", "á", "a\u{301}"];
    let images: BTreeSet<Vec<u8>> = texts.iter().map(|text| key(&collator, text)).collect();
    assert_eq!(images.len(), 1);
    // By the bytes that were given, which nobody normalized.
    let totals: BTreeSet<Vec<u8>> = texts.iter().map(|text| total_key(&collator, text)).collect();
    let read: Vec<String> = totals.iter().map(|key| collator.text(&key[..]).unwrap().to_string()).collect();
    assert_eq!(read, ["A", "a", "a\u{301}", "á"]);
}

const WHOLE: KeySpec<'static> =
    key_spec![Type::Collated { deterministic: false, producer: "uca14;14.0.0;server;root_pad_ai_ci" } => Asc];

/// Bounds on a column that an index held cut short lost rows. Here the whole text is in the key.
#[test]
fn b124_bounds_of_whole_texts() {
    let collator = collator("utf8mb4_uca1400_ai_ci");
    let found = |low: &str, high: Option<&str>, rows: &[&'static str]| -> Vec<&'static str> {
        let (mut a, mut b, mut ends) = ([0; 64], [0; 64], [0; 256]);
        let low = Bound::Excluded(WHOLE.collate(0, &collator, low, &mut a).unwrap());
        let high = high.map(|high| WHOLE.collate(0, &collator, high, &mut b).unwrap());
        let range = WHOLE.field_range(&[], low, high.map_or(Bound::Unbounded, Bound::Excluded), &mut ends).unwrap();
        rows.iter().copied().filter(|row| range.contains(&escape(&key(&collator, row)))).collect()
    };
    assert_eq!(found("ÿ", Some("ÿÿc"), &["ÿ", "ÿÿ", "ÿÿ0", "ÿÿc"]), ["ÿÿ", "ÿÿ0"]);
    assert_eq!(found("aa", None, &["a", "aa", "aaa"]), ["aaa"]);
    assert_eq!(found("aabb", Some("aabd"), &["aabb", "aabc", "aabbz", "aabd"]), ["aabc", "aabbz"]);
    assert_eq!(found("", None, &["", " ", " x", "x"]), [" x", "x"]);
}

/// A range of sort keys was taken for the texts that begin with a letter.
#[test]
fn b125_no_fronts() {
    let czech = collator("utf8mb4_uca1400_czech_ai_ci");
    let (c, ch, h) = (key(&czech, "c"), key(&czech, "ch"), key(&czech, "h"));
    assert!(!ch.starts_with(&c[..2]) && c < h && h < ch);
    // A text of ignorables has the image of none at all.
    assert_eq!(key(&czech, "\u{1}\u{2}"), key(&czech, ""));
    let mut room = [0; 64];
    let front = Value::Collated(ByteView::new(&c));
    assert_eq!(WHOLE.starts_with_range(&[], front, &mut room), Err(Error::TypeMismatch { field: 0 }));
}

/// A bound made by adding one to a byte was compared by a locale's rules.
#[test]
fn b126_bounds_are_bytes() {
    let (row, bound) = ("cov-prefix-9/alpha", "cov-prefix-:");
    assert_eq!(row.cmp(bound), Ordering::Less);
    let collator = collator("utf8mb4_uca1400_ai_ci");
    assert_eq!(collator.compare(row, &key(&collator, bound)[..]), Ok(Ordering::Greater));
    // So the plain text has a field of its own, whose fronts are ranges.
    let (spec, mut room) = (key_spec![Type::Str => Asc], [0; 64]);
    let range = spec.starts_with_range(&[], "cov-prefix-9".into(), &mut room).unwrap();
    assert_eq!(range.end(), Some(&b"cov-prefix-:"[..]));
    assert!(range.contains(&escape(row.as_bytes())));
}

/// Surrogates in UTF-8 were repaired on the way through, and the key was another one.
#[test]
fn b128_nothing_is_repaired() {
    let pair = [0xed, 0xa0, 0xbe, 0xed, 0xb5, 0xaf];
    let collator = collator("utf8mb4_uca1400_as_cs");
    let mut room = [0xaa; 64];
    assert_eq!(collator.key(&pair[..], &mut room), Err(Error::InvalidValue { at: 0 }));
    assert_eq!(room, [0xaa; 64]);
    // Not even with the image of the scalar that the pair stands for.
    let wrong = [key(&collator, "\u{1fd6f}"), escape(&pair)].concat();
    assert_eq!(collator.text(&wrong[..]), Err(Error::MalformedKey { at: 0 }));
}
