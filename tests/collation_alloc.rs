//! The frozen producer never allocates: an allocator counts while texts of every kind are measured,
//! written, compared and read back under every profile.
#![expect(clippy::arithmetic_side_effects, clippy::unwrap_used, reason = "a test that fails may panic")]

mod alloc_support;

use std::cmp::Ordering;

use isotone::Asc;
use isotone::Builder;
use isotone::Decoder;
use isotone::Desc;
use isotone::KeySpec;
use isotone::Type;
use isotone::Value;
use isotone::collation::CollationProfile;
use isotone::collation::Collator;
use isotone::collation::Comparison;
use isotone::key_spec;

use crate::alloc_support::quiet;

const SPEC: KeySpec<'static> = key_spec![
    Type::Collated { deterministic: true, producer: "uca14;14.0.0;server;czech_pad_as_cs" } => Desc,
    Type::Collated { deterministic: false, producer: "uca14;14.0.0;server;czech_pad_as_cs" } => Asc,
];

fn by_itself(collator: &Collator, text: &str, out: &mut [u8]) {
    let size = collator.key_size(text).unwrap();
    assert_eq!(collator.key(text, out).unwrap().len(), size);
    assert!(collator.key(text, &mut []).is_err());
    let key = collator.key(text, out).unwrap();
    assert_eq!(collator.compare(text, key), Ok(Ordering::Equal));
    let size = collator.total_key_size(text.as_bytes()).unwrap();
    let total = collator.total_key(text, out).unwrap();
    assert_eq!(total.len(), size);
    assert_eq!(collator.text(total).unwrap(), *text);
}

fn in_keys(collator: &Collator, text: &str, out: &mut [u8]) {
    let size = collator.total_field_size(text).unwrap() + collator.field_size(text).unwrap();
    let mut key = Builder::new(out);
    key.collate_total(collator, text, Desc).collate(collator, text, Asc);
    key.list(Asc, |list| {
        list.collate_total(collator, text).collate_total(collator, None::<&str>);
    });
    assert!(key.err().is_none());
    key.reset();
    key.collate_total(collator, text, Desc).collate(collator, text, Asc);
    let key = key.finish().unwrap();
    assert_eq!(key.len(), size);
    let mut fields = Decoder::new(key);
    assert_eq!(fields.collated_text(collator, Desc).unwrap(), *text);
    let mut small = Builder::new(&mut []);
    small.collate_total(collator, text, Desc);
    assert!(small.finish().is_err());
}

fn under_a_spec(collator: &Collator, text: &str, out: &mut [u8]) {
    let mut key = SPEC.writer(out);
    key.collate(collator, text).collate(collator, text);
    let key = key.finish().unwrap();
    let mut values = [Value::Null; 2];
    let values = SPEC.decode(key, &mut values).unwrap();
    assert_eq!(SPEC.compare(key, values), Ok(Ordering::Equal));
    let mut reader = SPEC.reader(key).unwrap();
    assert_eq!(reader.collated_text(collator).unwrap().unwrap(), *text);
}

/// A field made again under another collation.
#[cfg(feature = "rekey")]
fn made_again(collator: &Collator, text: &str, out: &mut [u8]) {
    use isotone::IndexContract;
    use isotone::KeyMap;
    use isotone::Recollation;
    use isotone::collation::Producer;

    const ROOT: &str = "uca14;14.0.0;server;root_pad_as_cs";
    const OLD: KeySpec<'static> = key_spec![Type::Collated { deterministic: true, producer: ROOT } => Asc];
    const NEW: KeySpec<'static> =
        key_spec![Type::Collated { deterministic: true, producer: "uca14;14.0.0;server;czech_pad_as_cs" } => Desc];
    let (mut a, mut b) = ([0; 128], [0; 128]);
    let source = IndexContract::new(b"i", 1, &OLD, &[b"name"], &mut a).unwrap();
    let target = IndexContract::new(b"i", 2, &NEW, &[b"name"], &mut b).unwrap();
    let producers: [&dyn Producer; 1] = [collator];
    let plan = Recollation::new(source, target, &producers).unwrap();
    let (from, to) = out.split_at_mut(100_000);
    let root = Collator::new(CollationProfile::from_producer(ROOT).unwrap());
    let mut key = OLD.writer(from);
    key.collate(&root, text);
    assert!(plan.rekey(key.finish().unwrap(), b"", to).is_ok());
}

#[test]
fn nothing_is_allocated() {
    let long = "Příliš žluťoučký kůň 漢字 \u{301}\0 ".repeat(50);
    let mut out = vec![0; 200_000];
    let czech = Collator::new(CollationProfile::from_producer("uca14;14.0.0;server;czech_pad_as_cs").unwrap());
    quiet(|| {
        for profile in CollationProfile::all(Comparison::Schottky).chain(CollationProfile::all(Comparison::Server)) {
            let collator = Collator::new(profile);
            for text in ["", "Christiansen", "ch  ", "Nguyễn", &long] {
                by_itself(&collator, text, &mut out);
                in_keys(&collator, text, &mut out);
            }
        }
        for text in ["", "Christiansen", "ch  ", "Nguyễn", &long] {
            under_a_spec(&czech, text, &mut out);
            #[cfg(feature = "rekey")]
            made_again(&czech, text, &mut out);
        }
        assert!(CollationProfile::from_server_name("utf8mb4_uca1400_swedish_as_cs").is_ok());
    });
}
