//! Holds the committed tables, and the library on them, to the committed data files.

use std::path::Path;

use isotone::collation::Accent;
use isotone::collation::Algorithm;
use isotone::collation::Case;
use isotone::collation::CollationProfile;
use isotone::collation::Collator;
use isotone::collation::Comparison;
use isotone::collation::Padding;

use crate::emit;
use crate::parse::Element;
use crate::parse::Mapping;
use crate::parse::Source;
use crate::tables;

fn source() -> Source {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/unicode14");
    Source::read(&folder).unwrap_or_else(|why| panic!("{why}"))
}

#[test]
fn the_committed_tables_are_what_the_data_give() {
    let source = source();
    let tables = tables::Tables::build(&source).unwrap();
    assert!(tables.bytes() <= 220_000, "{}", tables.bytes());
    let committed = Path::new(env!("CARGO_MANIFEST_DIR")).join("../src/collation/data.rs");
    assert!(std::fs::read_to_string(committed).unwrap() == emit::rust(&tables), "run isotone-tools unicode14");
    // Nothing in it depends on an address or a hash seed.
    assert!(emit::rust(&tables::Tables::build(&source).unwrap()) == emit::rust(&tables));
}

/// FORMAT §4 word for word: no tables, no chunks, no quick way.
fn image(source: &Source, profile: CollationProfile, text: &str) -> Vec<u8> {
    let schottky = profile.comparison() == Comparison::Schottky;
    let text = match profile.padding() {
        Padding::Space if schottky => text.trim_end_matches(' '),
        _ => text,
    };
    match profile.algorithm() {
        Algorithm::Uca => levels(profile, &elements(source, profile.tailoring().name(), text)),
        Algorithm::SimpleCase => {
            let upper = |c: char| *source.uppercase.get(&u32::from(c)).unwrap_or(&u32::from(c)) + 1;
            text.chars().flat_map(|c| upper(c).to_be_bytes().into_iter().skip(1)).chain([0, 0, 0]).collect()
        }
        Algorithm::Binary => {
            let escaped = |byte: u8| if byte == 0 { vec![0, 0xff] } else { vec![byte] };
            text.bytes().flat_map(escaped).chain([0, 0]).collect()
        }
    }
}

fn elements(source: &Source, tailoring: &str, text: &str) -> Vec<Element> {
    let none = Mapping::default();
    let own = source.tailorings.get(tailoring).unwrap_or(&none);
    let scalars: Vec<u32> = text.chars().map(u32::from).collect();
    let (mut at, mut out) = (0, Vec::new());
    while at < scalars.len() {
        let found = [3, 2, 1].into_iter().find_map(|width| {
            let part = scalars.get(at..at + width)?;
            let list = if let [one] = part {
                own.single.get(one).or_else(|| source.root.single.get(one))
            } else {
                own.sequence.get(part).or_else(|| source.root.sequence.get(part))
            };
            list.map(|list| (width, list.clone()))
        });
        let (width, list) = found.unwrap_or_else(|| (1, source.implicit(scalars[at])));
        at += width;
        out.extend(list);
    }
    out
}

fn levels(profile: CollationProfile, elements: &[Element]) -> Vec<u8> {
    let server = profile.comparison() == Comparison::Server;
    let mut p: Vec<u16> = elements.iter().map(|e| e.0).filter(|w| *w != 0).collect();
    let mut s: Vec<u16> = elements.iter().map(|e| e.1).filter(|w| *w != 0).collect();
    let mut t: Vec<u16> = elements.iter().map(|e| e.2).filter(|w| *w != 0).collect();
    let trim = |weights: &mut Vec<u16>, tail: u16| {
        while server && weights.last() == Some(&tail) {
            weights.pop();
        }
    };
    trim(&mut s, 0x20);
    trim(&mut t, 2);
    let mut out = Vec::new();
    if server && profile.padding() == Padding::Space {
        trim(&mut p, 0x209);
        for (at, weight) in p.iter().enumerate() {
            out.extend(weight.to_be_bytes());
            if *weight == 0x209 {
                let next = p[at..].iter().find(|w| **w != 0x209).unwrap();
                out.push(if *next < 0x209 { 1 } else { 3 });
            }
        }
        out.extend([2, 9, 2]);
    } else {
        out.extend(p.iter().flat_map(|w| w.to_be_bytes()).chain([0, 0]));
    }
    if profile.accent() == Accent::Sensitive {
        out.extend(s.iter().flat_map(|w| w.to_be_bytes()).chain([0, 0]));
    }
    if profile.case() == Case::Sensitive {
        out.extend(t.iter().flat_map(|w| w.to_be_bytes()).chain([0, 0]));
    }
    out
}

#[test]
fn random_texts_give_the_images_of_the_format() {
    let source = source();
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut below = |end: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as usize % end
    };
    // Scalars that some sequence holds, and those that a tailoring moves: where the rules meet.
    let mappings = || std::iter::once(&source.root).chain(source.tailorings.values());
    let mut odd: Vec<u32> = mappings().flat_map(|m| m.sequence.keys().flatten().copied()).collect();
    odd.extend(source.tailorings.values().flat_map(|m| m.single.keys().copied()));
    let profiles: Vec<CollationProfile> =
        CollationProfile::all(Comparison::Schottky).chain(CollationProfile::all(Comparison::Server)).collect();
    for profile in profiles {
        let collator = Collator::new(profile);
        for round in 0..300 {
            let long = if round % 10 == 0 { 300 } else { 12 };
            let (count, kind) = (below(long), below(4));
            let text: String = (0..count)
                .filter_map(|_| match (kind, below(4)) {
                    (0, _) => char::from_u32(below(128) as u32),
                    (1, 0 | 1) | (2, 0..=2) => char::from_u32(odd[below(odd.len())]),
                    (_, 0) => Some(' '),
                    (_, 1) => char::from_u32(below(0x250) as u32),
                    (_, 2) => char::from_u32(below(0x3_2000) as u32),
                    _ => char::from_u32(below(0x11_0000) as u32),
                })
                .collect();
            let text = if round % 3 == 0 { format!("{text}   ") } else { text };
            let mut out = vec![0; collator.max_total_key_size(text.len())];
            let key = collator.key(&*text, &mut out).unwrap().to_vec();
            assert_eq!(key, image(&source, profile, &text), "{profile} {text:?}");
            let total = collator.total_key(&*text, &mut out).unwrap();
            assert_eq!(collator.text(total).unwrap(), *text, "{profile} {text:?}");
        }
    }
}
