//! Two texts under any profile, and any bytes as a total key.

use std::cmp::Ordering;

use isotone::Builder;
use isotone::Decoder;
use isotone::Error;
use isotone::FieldOrder;
use isotone::collation::CollationProfile;
use isotone::collation::Collator;
use isotone::collation::Comparison;

/// The first two bytes choose the profile, the third the order, the fourth where the bytes are cut in two.
pub(crate) fn run(data: &[u8]) {
    let [high, low, order, cut, bytes @ ..] = data else { return };
    let profiles = || CollationProfile::all(Comparison::Schottky).chain(CollationProfile::all(Comparison::Server));
    let at = usize::from(u16::from_be_bytes([*high, *low])) % profiles().count();
    let collator = Collator::new(profiles().nth(at).expect("within the list"));
    let order = FieldOrder::from_code(order % 6).expect("a code");

    hostile(&collator, bytes);
    let (a, b) = bytes.split_at(bytes.len().min((*cut).into()));
    // Bytes that are not UTF-8 become replacement characters, which have weights like any other.
    let (a, b) = (String::from_utf8_lossy(a), String::from_utf8_lossy(b));
    check_text(&collator, &a, order);
    check_pair(&collator, &a, &b, order);
}

/// What reads as a total key is what is written for its text.
fn hostile(collator: &Collator, bytes: &[u8]) {
    if let Ok(text) = collator.text(bytes) {
        assert_eq!(total_key(collator, &text.to_string()), bytes);
    }
    if std::str::from_utf8(bytes).is_err() {
        assert_eq!(collator.key_size(bytes), Err(Error::InvalidValue { at: 0 }));
    }
}

fn key(collator: &Collator, text: &str) -> Vec<u8> {
    let mut out = vec![0xaa; collator.max_key_size(text.len())];
    collator.key(text, &mut out).expect("room for the longest").to_vec()
}

fn total_key(collator: &Collator, text: &str) -> Vec<u8> {
    let mut out = vec![0xaa; collator.max_total_key_size(text.len())];
    collator.total_key(text, &mut out).expect("room for the longest").to_vec()
}

fn field(collator: &Collator, text: &str, order: FieldOrder) -> Vec<u8> {
    let mut room = vec![0xaa; 2 * collator.max_total_key_size(text.len()) + 3];
    let mut key = Builder::new(&mut room);
    key.collate_total(collator, text, order);
    key.finish().expect("room for the longest, all escaped").to_vec()
}

/// One text: sizes are exact, each way of lying gives the same bytes, and the text comes back.
fn check_text(collator: &Collator, text: &str, order: FieldOrder) {
    let (key, total, field) = (key(collator, text), total_key(collator, text), field(collator, text, order));
    assert_eq!(collator.key_size(text), Ok(key.len()));
    assert_eq!(collator.total_key_size(text), Ok(total.len()));
    assert_eq!(collator.total_field_size(text), Ok(field.len() - usize::from(order.is_nullable())));
    assert!(total.starts_with(&key));
    assert_eq!(collator.image_end(&total[..]), Some(key.len()));
    assert_eq!(collator.compare(text, &key[..]), Ok(Ordering::Equal));

    let read = Decoder::new(&field).collated_text(collator, order).expect("written here").expect("not null");
    assert_eq!(read, *text);
    // The view lies in the key, escaped twice and perhaps complemented: the general way, without the quick one.
    let mut out = vec![0xaa; total.len()];
    assert_eq!(collator.key(read, &mut out), Ok(&key[..]));
    assert_eq!(collator.total_key(read, &mut out), Ok(&total[..]));
    for available in [0, key.len() / 2, key.len() - 1] {
        let mut small = vec![0xaa; available];
        assert_eq!(collator.key(text, &mut small), Err(Error::ShortBuffer { needed: key.len(), available }));
        assert!(small.iter().all(|byte| *byte == 0xaa));
    }
}

/// Two texts: images first, then the bytes of the texts; no key begins another.
fn check_pair(collator: &Collator, a: &str, b: &str, order: FieldOrder) {
    let (ka, kb) = (key(collator, a), key(collator, b));
    assert_eq!(collator.compare(a, &kb[..]), Ok(ka.cmp(&kb)));
    assert!(ka == kb || !kb.starts_with(&ka) && !ka.starts_with(&kb));
    let due = ka.cmp(&kb).then(a.as_bytes().cmp(b.as_bytes()));
    let due = if order.is_descending() { due.reverse() } else { due };
    assert_eq!(field(collator, a, order).cmp(&field(collator, b, order)), due);
}
