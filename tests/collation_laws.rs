//! What holds for every profile and any text: one image on every way, exact sizes, whole or nothing,
//! order, and no key read back that would not be written.
#![expect(clippy::arithmetic_side_effects, clippy::unwrap_used, reason = "a test that fails may panic")]

mod collation_support;

use std::cmp::Ordering;

use isotone::Asc;
use isotone::Builder;
use isotone::Decoder;
use isotone::Desc;
use isotone::Error;
use isotone::FieldOrder;
use isotone::collation::CollationProfile;
use isotone::collation::Collator;
use isotone::collation::Comparison;

use crate::collation_support::Numbers;
use crate::collation_support::escape;
use crate::collation_support::flipped;
use crate::collation_support::text;

fn profiles() -> Vec<CollationProfile> {
    CollationProfile::all(Comparison::Schottky).chain(CollationProfile::all(Comparison::Server)).collect()
}

fn key(collator: &Collator, text: &str) -> Vec<u8> {
    let mut out = vec![0xaa; collator.max_key_size(text.len())];
    collator.key(text, &mut out).unwrap().to_vec()
}

fn total_key(collator: &Collator, text: &str) -> Vec<u8> {
    [key(collator, text), escape(text.as_bytes())].concat()
}

/// Writes a field: the image, or the total key.
type Write = fn(&mut Builder<'_>, &Collator, &str, FieldOrder);

const WRITES: [Write; 2] = [
    |key, collator, text, order| {
        key.collate(collator, text, order);
    },
    |key, collator, text, order| {
        key.collate_total(collator, text, order);
    },
];

/// What a field should be, byte for byte.
fn field(bytes: &[u8], order: FieldOrder) -> Vec<u8> {
    let payload = if order.is_descending() { flipped(&escape(bytes)) } else { escape(bytes) };
    let tag = if order.is_nullable() { vec![1 - (order.code() & 1)] } else { vec![] };
    [tag, payload].concat()
}

#[test]
fn one_image_on_every_way() {
    let mut numbers = Numbers(0x1507_02e5);
    for (at, profile) in profiles().into_iter().enumerate() {
        let collator = Collator::new(profile);
        for round in 0..40 {
            let text = text(&mut numbers, if round % 20 == at % 20 { 400 } else { 24 });
            let key = key(&collator, &text);
            let total = [&key[..], &escape(text.as_bytes())].concat();
            assert_eq!(collator.key_size(&*text), Ok(key.len()), "{profile} {text:?}");
            assert_eq!(collator.compare(&*text, &key[..]), Ok(Ordering::Equal), "{profile} {text:?}");
            assert_eq!(collator.total_key_size(text.as_bytes()), Ok(total.len()));
            let mut out = vec![0xaa; total.len()];
            assert_eq!(collator.total_key(&*text, &mut out).unwrap(), total, "{profile} {text:?}");
            assert_eq!(collator.text(&total[..]).unwrap(), *text, "{profile} {text:?}");
            assert_eq!(collator.image_end(&total[..]), Some(key.len()));

            // A text that lies complemented, and escaped where it holds U+0000.
            let mut lying = vec![0; 2 * text.len() + 2];
            let mut plain = Builder::new(&mut lying);
            plain.str(&text, Desc);
            let view = Decoder::new(plain.finish().unwrap()).str(Desc).unwrap();
            assert_eq!(collator.key(view, &mut out).unwrap(), key, "{profile} {text:?}");
            assert_eq!(collator.total_key(view, &mut out).unwrap(), total, "{profile} {text:?}");
            assert_eq!(collator.key_size(view), Ok(key.len()));

            let sizes = [collator.field_size(&*text), collator.total_field_size(view)];
            for code in 0..6 {
                let order = FieldOrder::from_code(code).unwrap();
                for ((write, bytes), size) in WRITES.iter().zip([&key, &total]).zip(sizes) {
                    let due = field(bytes, order);
                    assert_eq!(size, Ok(due.len() - usize::from(order.is_nullable())), "{profile} {text:?}");
                    // Room for certain, room for exactly this, and a byte between.
                    for spare in [0, 1, if code == 3 { 20 * due.len() } else { 2 }] {
                        let mut room = vec![0xaa; due.len() + spare];
                        let mut key = Builder::new(&mut room);
                        write(&mut key, &collator, &text, order);
                        assert_eq!(key.finish().unwrap(), due, "{profile} {text:?}");
                        assert!(room[due.len()..].iter().all(|b| *b == 0xaa), "{profile} {text:?}");
                    }
                }
                let mut room = vec![0; 2 * total.len() + 3];
                let mut fields = Builder::new(&mut room);
                fields.collate_total(&collator, view, order);
                let fields = fields.finish().unwrap();
                assert_eq!(fields, field(&total, order), "{profile} {text:?}");
                let read = Decoder::new(fields).collated_text(&collator, order).unwrap().unwrap();
                assert_eq!(read, *text, "{profile} {text:?}");
                assert_eq!(
                    read.as_str().is_some(),
                    (!order.is_descending() && !text.contains('\0')) || text.is_empty()
                );
            }
        }
    }
}

#[test]
fn keys_compare_as_texts_and_end_where_they_end() {
    let mut numbers = Numbers(77);
    for profile in profiles() {
        let collator = Collator::new(profile);
        for _ in 0..60 {
            let (a, b) = (text(&mut numbers, 5), text(&mut numbers, 5));
            let (ka, kb) = (key(&collator, &a), key(&collator, &b));
            assert_eq!(collator.compare(&*a, &kb[..]), Ok(ka.cmp(&kb)), "{profile} {a:?} {b:?}");
            // No image is a prefix of another: what follows never decides.
            assert!(ka == kb || !kb.starts_with(&ka), "{profile} {a:?} {b:?}");
            let joined = [&ka[..], &kb[..]].concat();
            assert_eq!(collator.image_end(&joined[..]), Some(ka.len()));
            for cut in 0..ka.len() {
                assert_eq!(collator.image_end(&ka[..cut]), None, "{profile} {a:?}");
            }
            // Images first, bytes of the text where they tie, in either direction, whatever follows.
            let due = ka.cmp(&kb).then(a.as_bytes().cmp(b.as_bytes()));
            for after in [&[][..], &[0; 9], &[0xff; 9]] {
                let build = |text: &str, order: FieldOrder| {
                    let mut room = vec![0; 2 * collator.max_total_key_size(text.len()) + 16];
                    let mut key = Builder::new(&mut room);
                    key.collate_total(&collator, text, order);
                    [key.finish().unwrap(), after].concat()
                };
                assert_eq!(build(&a, Asc.into()).cmp(&build(&b, Asc.into())), due, "{profile} {a:?} {b:?}");
                let descending = build(&a, Desc.into()).cmp(&build(&b, Desc.into()));
                assert_eq!(descending, due.reverse(), "{profile} {a:?} {b:?}");
            }
        }
    }
}

#[test]
fn whole_or_nothing() {
    let mut numbers = Numbers(3);
    for profile in profiles() {
        let collator = Collator::new(profile);
        for text in ["Ada", "žluťoučký kůň ", "", &text(&mut numbers, 30)] {
            let mut full = vec![0; 2 * collator.max_total_key_size(text.len()) + 16];
            for way in [
                |c: &Collator, t: &str, out: &mut [u8]| c.key(t, out).map(<[u8]>::len),
                |c: &Collator, t: &str, out: &mut [u8]| c.total_key(t, out).map(<[u8]>::len),
            ] {
                let needed = way(&collator, text, &mut full).unwrap();
                for available in 0..needed {
                    let mut out = vec![0xaa; available];
                    assert_eq!(way(&collator, text, &mut out), Err(Error::ShortBuffer { needed, available }));
                    assert!(out.iter().all(|byte| *byte == 0xaa), "{profile} {text:?}");
                }
                let mut out = vec![0xaa; needed + 7];
                assert_eq!(way(&collator, text, &mut out), Ok(needed));
                assert_eq!((&out[..needed], &out[needed..]), (&full[..needed], &[0xaa; 7][..]), "{profile} {text:?}");
            }
            for (write, code) in WRITES.iter().flat_map(|write| [(write, 0), (write, 5)]) {
                let order = FieldOrder::from_code(code).unwrap();
                let build = |room: &mut [u8]| {
                    let mut key = Builder::new(room);
                    key.u16(7, Asc);
                    write(&mut key, &collator, text, order);
                    key.u8(9, Asc);
                    key.finish().map(<[u8]>::len)
                };
                let needed = build(&mut full).unwrap();
                for available in 0..needed {
                    let mut room = vec![0xaa; available];
                    assert_eq!(build(&mut room), Err(Error::ShortBuffer { needed, available }), "{profile} {text:?}");
                    // Whole fields stand, and nothing of what did not fit.
                    let whole = if available < 2 {
                        0
                    } else if available + 1 < needed {
                        2
                    } else {
                        needed - 1
                    };
                    assert_eq!(room[..whole], full[..whole]);
                    assert!(room[whole..].iter().all(|byte| *byte == 0xaa), "{profile} {text:?} {available}");
                }
            }
        }
    }
}

#[test]
fn what_reads_back_is_what_is_written() {
    let mut numbers = Numbers(9);
    for profile in profiles() {
        let collator = Collator::new(profile);
        for text in ["a b  ", "\u{0}x", "a\u{2}\t\u{2}b", &text(&mut numbers, 4)] {
            let total = total_key(&collator, text);
            for cut in 0..total.len() {
                assert_eq!(collator.text(&total[..cut]), Err(Error::MalformedKey { at: 0 }));
            }
            for more in [0, 1, 0xff] {
                let longer = [&total[..], &[more]].concat();
                assert_eq!(collator.text(&longer[..]), Err(Error::MalformedKey { at: 0 }));
            }
            for at in 0..total.len() {
                for change in [0x01, 0x80, 0xff, total[at]] {
                    let mut changed = total.clone();
                    changed[at] ^= change;
                    let read = collator.text(&changed[..]);
                    if let Ok(text) = read {
                        assert_eq!(total_key(&collator, &text.to_string()), changed, "{profile} {text:?}");
                    }
                    // The same in a key, where errors say which field.
                    for order in [Asc, Desc] {
                        let key = [vec![7], field(&changed, order.into()), vec![9]].concat();
                        let mut fields = Decoder::at(&key, 1);
                        assert_eq!(fields.collated_text(&collator, order).is_ok(), read.is_ok());
                        if read.is_err() {
                            let refused = fields.collated_text(&collator, order);
                            assert_eq!(refused, Err(Error::MalformedKey { at: 1 }));
                            assert_eq!(fields.collated(order).unwrap(), *changed);
                        }
                        assert_eq!(fields.u8(Asc), Ok(9));
                    }
                }
            }
        }
    }
}

#[test]
fn ill_formed_text_is_refused() {
    for profile in profiles() {
        let collator = Collator::new(profile);
        for bytes in [&b"\xff"[..], b"a\x80", b"\xc0\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"caf\xc3"] {
            let (mut out, refused) = ([0xaa; 256], Error::InvalidValue { at: 0 });
            assert_eq!(collator.key(bytes, &mut out), Err(refused));
            assert_eq!(collator.key_size(bytes), Err(refused));
            assert_eq!(collator.total_key(bytes, &mut out), Err(refused));
            assert_eq!(collator.total_field_size(bytes), Err(refused));
            assert_eq!(collator.compare(bytes, b""), Err(refused));
            assert_eq!(out, [0xaa; 256]);
            let whole = [key(&collator, ""), escape(bytes)].concat();
            assert_eq!(collator.text(&whole[..]), Err(Error::MalformedKey { at: 0 }));
        }
    }
}

#[test]
fn small_shared_and_const() {
    const fn shared<T: Copy + Sync + Send + 'static>() {}
    shared::<Collator>();
    assert!(size_of::<Collator>() <= 16);
    const COLLATOR: Collator = Collator::new(CollationProfile::SIMPLE_CASE);
    assert_eq!(key(&COLLATOR, "a"), [0, 0, 0x42, 0, 0, 0]);
}

#[test]
fn long_runs_of_spaces_across_chunks() {
    for profile in profiles() {
        let collator = Collator::new(profile);
        for before in [0, 1, 54, 55, 56, 57, 62, 63, 64, 65, 130] {
            for spaces in [0, 1, 7, 8, 63, 64, 65, 200] {
                for after in ["", "a", "\t", "\u{1}", "\u{1} b", &"x \t y".repeat(40)] {
                    let text = format!("{}{}{after}", "é".repeat(before), " ".repeat(spaces));
                    let total = total_key(&collator, &text);
                    assert_eq!(collator.text(&total[..]).unwrap(), *text, "{profile} {before} {spaces} {after:?}");
                }
            }
        }
    }
}
