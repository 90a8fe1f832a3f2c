//! Short bounds, against every candidate there is.
//!
//! Keys are made of a few bytes; the candidates also have one byte for each gap between those, its
//! least. Any other byte of a gap compares with all the keys as that one does, so a bound that no
//! candidate beats is beaten by no bytes at all.

use isotone::Error;
use isotone::short_successor;
use isotone::shortest_separator;
use isotone::truncate_lower;
use isotone::truncate_lower_str;
use isotone::truncate_upper;
use isotone::truncate_upper_str;

/// Key bytes, the same with a byte for each gap, and the longest key.
const ALPHABETS: [(&[u8], &[u8], usize); 2] = [
    (&[0x00, 0x01, 0x03, 0xfe, 0xff], &[0x00, 0x01, 0x02, 0x03, 0x04, 0xfe, 0xff], 3),
    (&[0x00, 0x7f, 0xff], &[0x00, 0x01, 0x7f, 0x80, 0xff], 4),
];

/// All strings over an alphabet, the shortest first, and of one length in order.
fn strings<T: Copy>(alphabet: &[T], longest: usize) -> Vec<Vec<T>> {
    let mut all = vec![vec![]];
    let mut from = 0;
    for _ in 0..longest {
        let to = all.len();
        for i in from..to {
            for letter in alphabet {
                let mut longer = all[i].clone();
                longer.push(*letter);
                all.push(longer);
            }
        }
        from = to;
    }
    all
}

fn separator(a: &[u8], b: &[u8]) -> Option<Vec<u8>> {
    let mut room = vec![0xaa; a.len()];
    shortest_separator(a, b, &mut room).unwrap().map(<[u8]>::to_vec)
}

#[test]
fn separator_is_the_least_of_the_shortest() {
    let mut shorter = 0;
    for (letters, candidates, longest) in ALPHABETS {
        let (keys, candidates) = (strings(letters, longest), strings(candidates, longest));
        for a in &keys {
            for b in &keys {
                let best = candidates.iter().find(|s| a <= *s && *s < b);
                assert_eq!(separator(a, b).as_ref(), best, "{a:02x?} {b:02x?}");
                shorter += usize::from(best.is_some_and(|s| s.len() < a.len()));
            }
        }
    }
    assert!(shorter > 1000, "only {shorter} were shorter");
}

#[test]
fn successor_is_the_least_of_the_shortest() {
    for (letters, candidates, longest) in ALPHABETS {
        let candidates = strings(candidates, longest);
        for a in strings(letters, longest) {
            let best = candidates.iter().find(|s| a <= **s).unwrap();
            assert_eq!(short_successor(&a, &mut vec![0xaa; a.len()]).unwrap(), best, "{a:02x?}");
        }
    }
}

#[test]
fn cut_bounds_are_the_nearest_that_fit() {
    for (letters, candidates, longest) in ALPHABETS {
        let mut candidates = strings(candidates, longest);
        candidates.sort();
        for key in strings(letters, longest) {
            for most in 0..=longest + 1 {
                let fitting = || candidates.iter().filter(|s| s.len() <= most);
                let upper = fitting().find(|s| **s >= key).map(Vec::as_slice);
                let mut room = vec![0xaa; most];
                assert_eq!(truncate_upper(&key, most, &mut room).unwrap(), upper, "{key:02x?} {most}");
                // The least candidate of a gap does not stand for the greatest: no gap reaches a front.
                let lower = fitting().rfind(|s| **s <= key).unwrap();
                assert_eq!(truncate_lower(&key, most), lower, "{key:02x?} {most}");
            }
        }
    }
}

#[test]
fn known_cases() {
    // A separator may equal the first field of what it precedes.
    assert_eq!(separator(b"P1K1", b"P2K2").unwrap(), b"P2");
    // An empty key is only separated by itself; and only it gives an empty bound.
    assert_eq!(separator(b"", b"a").unwrap(), b"");
    assert_eq!(separator(b"", b""), None);
    assert_eq!(separator(b"a", b""), None);
    assert_eq!(separator(b"a", b"a\0").unwrap(), b"a");
    assert_eq!(separator(&[1, 0xff, 0xff, 5], &[2]).unwrap(), [1, 0xff, 0xff, 5]);
    assert_eq!(separator(&[1, 0xff, 4, 5], &[2]).unwrap(), [1, 0xff, 5]);
    assert_eq!(short_successor(b"", &mut []).unwrap(), b"");
    // Seventeen ff have no upper bound of sixteen bytes.
    let mut room = [0u8; 32];
    assert_eq!(truncate_upper(&[0xff; 17], 16, &mut room), Ok(None));
    assert_eq!(truncate_upper(&[0xff; 17], 17, &mut room), Ok(Some(&[0xff; 17][..])));
    assert_eq!(truncate_upper(b"a", 0, &mut room), Ok(None));
    assert_eq!(truncate_upper(b"", 0, &mut room), Ok(Some(&[][..])));
    assert_eq!(truncate_upper_str("\u{ff}\u{ff}", 3, &mut room), Ok(Some("\u{100}")));
    assert_eq!(truncate_upper_str("\u{d7ff}\u{d7ff}", 5, &mut room), Ok(Some("\u{e000}")));
    assert_eq!(truncate_upper_str("\u{10ffff}\u{10ffff}", 7, &mut room), Ok(None));
    assert_eq!(truncate_upper_str("a\u{10ffff}\u{10ffff}", 8, &mut room), Ok(Some("b")));
    assert_eq!(truncate_upper_str("a", 0, &mut room), Ok(None));
}

/// Scalar values on both sides of every step of UTF-8.
const SCALARS: [char; 11] =
    ['\0', 'a', '\u{7f}', '\u{80}', '\u{ff}', '\u{7ff}', '\u{d7ff}', '\u{e000}', '\u{ffff}', '\u{10000}', '\u{10ffff}'];

#[test]
fn text_bounds_are_the_nearest_that_fit() {
    let mut with_next = SCALARS.to_vec();
    with_next.extend(['\u{1}', 'b', '\u{81}', '\u{100}', '\u{800}', '\u{e001}', '\u{10001}']);
    let text = |scalars: &Vec<char>| scalars.iter().collect::<String>();
    let mut candidates: Vec<_> = strings(&with_next, 3).iter().map(text).collect();
    candidates.sort();
    let (mut raised, mut none) = (0, 0);
    for key in strings(&SCALARS, 3).iter().map(text) {
        let from = candidates.partition_point(|s| *s < key);
        for most in 0..=key.len() + 1 {
            let upper = candidates[from..].iter().find(|s| s.len() <= most).map(String::as_str);
            let mut room = vec![0xaa; most];
            assert_eq!(truncate_upper_str(&key, most, &mut room).unwrap(), upper, "{key:?} {most}");
            raised += usize::from(upper.is_some_and(|s| *s != key));
            none += usize::from(upper.is_none());
            let lower = truncate_lower_str(&key, most);
            let next = key[lower.len()..].chars().next();
            assert!(key.starts_with(lower) && lower.len() <= most, "{key:?} {most}");
            assert!(next.is_none_or(|next| lower.len() + next.len_utf8() > most), "{key:?} {most}");
        }
    }
    assert!(raised > 1000 && none > 1000, "{raised} raised, {none} without a bound");
}

/// A call in a room that is longer than needed, then in each that is shorter.
fn in_every_room(call: impl Fn(&mut [u8]) -> Result<usize, Error>) {
    let needed = call(&mut [0xaa; 16]).unwrap();
    for available in 0..needed {
        let mut room = vec![0xaa; available];
        assert_eq!(call(&mut room), Err(Error::ShortBuffer { needed, available }));
        assert_eq!(room, vec![0xaa; available]);
    }
    assert_eq!(call(&mut vec![0xaa; needed]), Ok(needed));
}

#[test]
fn short_rooms_are_named_and_left_alone() {
    in_every_room(|room| shortest_separator(b"abcdef", b"abz", room).map(|s| s.unwrap().len()));
    in_every_room(|room| shortest_separator(b"abc", b"abcd", room).map(|s| s.unwrap().len()));
    in_every_room(|room| short_successor(&[0xff, 0xff, 7, 0], room).map(<[u8]>::len));
    in_every_room(|room| truncate_upper(b"pumpkin", 4, room).map(|s| s.unwrap().len()));
    in_every_room(|room| truncate_upper(b"pumpkin", 16, room).map(|s| s.unwrap().len()));
    in_every_room(|room| truncate_upper_str("pump\u{ff}kin", 6, room).map(|s| s.unwrap().len()));
    in_every_room(|room| truncate_upper_str("pump\u{ff}kin", 16, room).map(|s| s.unwrap().len()));
}
