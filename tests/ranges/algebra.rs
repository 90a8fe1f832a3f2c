//! `ByteRange` and `prefix_upper_bound` against sets of short byte strings.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::ops::Bound;
use std::ops::RangeBounds;

use isotone::ByteRange;
use isotone::Error;
use isotone::prefix_upper_bound;

/// Every string of at most `most` of these bytes, in order.
fn strings(alphabet: &[u8], most: usize) -> Vec<Vec<u8>> {
    let mut all = vec![Vec::new()];
    if most > 0 {
        let tails = strings(alphabet, most - 1);
        all.extend(alphabet.iter().flat_map(|b| tails.iter().map(|tail| [&[*b], &tail[..]].concat())));
    }
    all
}

const ALPHABET: [u8; 3] = [0x00, 0x01, 0xff];

/// A range as it was made, and the keys of the universe that lie in it by the definition.
struct Known<'a> {
    range: ByteRange<&'a [u8]>,
    start: Vec<u8>,
    end: Option<&'a [u8]>,
    keys: Vec<usize>,
}

/// All ranges with ends of at most two bytes, over the strings of at most three: two different sets
/// of byte strings with such ends differ in one of those.
fn all_ranges<'a>(ends: &'a [Vec<u8>], universe: &[Vec<u8>]) -> Vec<Known<'a>> {
    let mut all = Vec::new();
    for start in ends {
        for after in [false, true] {
            for end in ends.iter().map(|end| Some(&end[..])).chain([None]) {
                let range = if after { ByteRange::after(&start[..], end) } else { ByteRange::new(&start[..], end) };
                let start = [&start[..], if after { &[0] } else { &[] }].concat();
                let inside = |key: &Vec<u8>| *key >= start && end.is_none_or(|end| &key[..] < end);
                let keys = (0..universe.len()).filter(|i| inside(&universe[*i])).collect();
                all.push(Known { range, start, end, keys });
            }
        }
    }
    all
}

#[test]
fn ranges_are_the_sets_that_they_say() {
    let (ends, universe) = (strings(&ALPHABET, 2), strings(&ALPHABET, 3));
    let owned: BTreeMap<Vec<u8>, usize> = universe.iter().cloned().zip(0..).collect();
    let borrowed: BTreeMap<&[u8], usize> = universe.iter().map(|key| &key[..]).zip(0..).collect();
    for known in all_ranges(&ends, &universe) {
        let range = known.range;
        let found: Vec<usize> = (0..universe.len()).filter(|i| range.contains(&universe[*i])).collect();
        assert_eq!(found, known.keys, "{range:?} contains");
        assert_eq!(range.is_empty(), known.keys.is_empty());
        // Both forms that engines take. Neither panics, and neither hands over an empty key.
        assert!(owned.range::<[u8], _>(range).map(|(_, i)| *i).eq(known.keys.iter().copied()), "{range:?}");
        assert!(borrowed.range::<&[u8], _>(range.slices()).map(|(_, i)| *i).eq(known.keys.iter().copied()));
        assert!(owned.range::<[u8], _>(range).rev().map(|(_, i)| *i).eq(known.keys.iter().rev().copied()));
        for bound in [range.start_bound(), range.end_bound()] {
            let key = match bound {
                Bound::Included(key) | Bound::Excluded(key) => key,
                Bound::Unbounded => continue,
            };
            assert!(!key.is_empty(), "{range:?} hands over an empty key");
        }
        let slices = range.slices();
        assert_eq!(
            (range.start_bound(), range.end_bound()),
            (slices.start_bound().cloned(), slices.end_bound().cloned())
        );

        let (mut exact, mut short) = (vec![0xa5; known.start.len()], vec![0xa5; known.start.len().saturating_sub(1)]);
        if range.is_empty() {
            assert_eq!(
                (range.start_bound(), range.end_bound()),
                (Bound::Included(&[0][..]), Bound::Excluded(&[0][..]))
            );
            assert_eq!((range.start(), range.end(), range.excludes_start()), (&[0][..], Some(&[0][..]), false));
            continue;
        }
        assert_eq!(range.end(), known.end);
        assert_eq!(range.write_start(&mut exact), Ok(&known.start[..]));
        if !known.start.is_empty() {
            let error = Error::ShortBuffer { needed: known.start.len(), available: short.len() };
            assert_eq!(range.write_start(&mut short), Err(error));
            assert!(short.iter().all(|b| *b == 0xa5));
        }
    }
}

#[test]
fn equality_and_intersection_are_those_of_sets() {
    let (ends, universe) = (strings(&ALPHABET, 2), strings(&ALPHABET, 3));
    let all = all_ranges(&ends, &universe);
    assert_eq!(all.len(), 364);
    for a in &all {
        for b in &all {
            assert_eq!(a.range == b.range, a.keys == b.keys, "{:?} and {:?}", a.range, b.range);
            let both = a.range.intersect(&b.range);
            // The keys are runs, so the common ones are those from the later start to the nearer end.
            let common = match (a.keys.first().max(b.keys.first()), a.keys.last().min(b.keys.last())) {
                _ if a.keys.is_empty() || b.keys.is_empty() => 0..0,
                (Some(first), Some(last)) if first <= last => *first..*last + 1,
                _ => 0..0,
            };
            assert_eq!(both.is_empty(), common.is_empty(), "{:?} and {:?}", a.range, b.range);
            for edge in [common.start.wrapping_sub(1), common.start, common.end.wrapping_sub(1), common.end] {
                if let Some(key) = universe.get(edge) {
                    assert_eq!(both.contains(key), common.contains(&edge), "{key:02x?} in {both:?}");
                }
            }
        }
    }
}

#[test]
fn held_inline_or_borrowed_is_the_same() {
    let (ends, universe) = (strings(&ALPHABET, 2), strings(&ALPHABET, 2));
    for known in all_ranges(&ends, &universe) {
        let inline = known.range.to_inline::<2>().expect("ends of at most two bytes");
        assert!(inline == known.range && known.range == inline.as_ref());
        assert_eq!(inline.is_empty(), known.range.is_empty());
        let too_long = known.range.start().len().max(known.range.end().map_or(0, <[u8]>::len)) > 1;
        match known.range.to_inline::<1>() {
            Ok(inline) => assert!(known.range.is_empty() || !too_long && inline == known.range),
            Err(error) => assert!(too_long && error == Error::ShortBuffer { needed: 2, available: 1 }),
        }
    }
    let long = ByteRange::new(&[1, 2, 3][..], None);
    assert_eq!(long.to_inline::<2>().err(), Some(Error::ShortBuffer { needed: 3, available: 2 }));
}

/// The bound by the definition: the least of all strings above whatever begins with `prefix`.
#[test]
fn upper_bounds_by_brute_force() {
    let all = strings(&[0x00, 0x01, 0x7f, 0xfe, 0xff], 4);
    for prefix in all.iter().filter(|s| s.len() <= 3) {
        let mut room = [0xa5; 3];
        let bound = prefix_upper_bound(prefix, &mut room).expect("room");
        for s in &all {
            let inside = s >= prefix && bound.is_none_or(|bound| &s[..] < bound);
            assert_eq!(inside, s.starts_with(prefix), "{s:02x?} under {prefix:02x?}");
        }
        if let Some(bound) = bound.map(<[u8]>::to_vec) {
            for n in 0..bound.len() {
                let mut room = vec![0xa5; n];
                let short = Error::ShortBuffer { needed: bound.len(), available: n };
                assert_eq!(prefix_upper_bound(prefix, &mut room), Err(short));
                assert!(room.iter().all(|b| *b == 0xa5));
            }
            // Bytes behind the bound are left alone.
            assert!(room[bound.len()..].iter().all(|b| *b == 0xa5));
        }
    }
}

/// All prefixes of one and two bytes: the bound is the next string of at most two bytes that does
/// not begin with the prefix, and there is none exactly when there is no bound.
#[test]
fn upper_bounds_of_all_short_prefixes() {
    let bytes: Vec<u8> = (0..=255).collect();
    let all = strings(&bytes, 2);
    assert!(all.is_sorted());
    let mut room = [0; 2];
    for (at, prefix) in all.iter().enumerate() {
        let next = all[at..].iter().find(|s| !s.starts_with(prefix));
        assert_eq!(prefix_upper_bound(prefix, &mut room), Ok(next.map(|s| &s[..])));
    }
}

/// Ranges of one form are equal however they were come by.
#[test]
fn one_set_of_keys_has_one_form() {
    let distinct: BTreeSet<String> = [
        ByteRange::new(&b"a"[..], Some(&b"a"[..])),
        ByteRange::new(&b"b"[..], Some(&b"a"[..])),
        ByteRange::after(&b"a"[..], Some(&b"a\0"[..])),
        ByteRange::new(&b""[..], Some(&b""[..])),
        ByteRange::EMPTY,
    ]
    .iter()
    .map(|range| format!("{range:?}"))
    .collect();
    assert_eq!(distinct.len(), 1, "{distinct:?}");
    assert_eq!(ByteRange::after(&b"a"[..], None), ByteRange::new(&b"a\0"[..], None));
    assert_eq!(ByteRange::after(&b""[..], None), ByteRange::new(&b"\0"[..], None));
    assert_ne!(ByteRange::after(&b""[..], None), ByteRange::new(&b""[..], None));
}
