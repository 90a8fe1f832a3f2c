//! What the collation tests share: the committed vectors, texts near every rule, and the rules of
//! escaping written out once more.
#![allow(dead_code, reason = "each suite uses a part of it")]
#![allow(
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test that fails may panic"
)]

use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering;
use std::thread;

/// A file of the committed vectors.
pub(crate) fn vectors(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors").join(name);
    fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The rows of a table, without its header, as cells.
pub(crate) fn rows(text: &str) -> impl Iterator<Item = Vec<&str>> {
    text.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t').collect())
}

#[track_caller]
pub(crate) fn unhex(text: &str) -> Vec<u8> {
    assert!(text.len() % 2 == 0, "odd hex {text}");
    (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).unwrap()).collect()
}

/// Spreads work over the machine's cores.
pub(crate) fn parallel<T: Sync>(work: &[T], each: impl Fn(&T) + Sync) {
    let next = AtomicUsize::new(0);
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(item) = work.get(next.fetch_add(1, Ordering::Relaxed)) {
                    each(item);
                }
            });
        }
    });
}

/// A small generator of numbers, the same on every run.
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % end
    }
}

/// Pieces near every rule: sequences and their halves, variable and ignorable scalars, spaces,
/// expansions, implicit weights, all lengths of UTF-8.
#[rustfmt::skip]
const PIECES: [&str; 64] = [
    "a", "A", "b", "c", "ch", "cH", "h", "l", "l·", "L", "ll", "z", "zs", "s", "ß", "n", "nj", "d", "dž", "ž", "k", "i",
    "I", "ı", "y", "j", "u", "aa", "Å", "ä", "é", "ễ", " ", "  ", "     ", "\t", "\u{3000}", "\u{a0}", "-", "_", "0",
    "9", "\0", "\u{1}", "\u{7f}", "\u{301}", "\u{302}\u{301}", "\u{e40}ก", "\u{e44}", "ก", "\u{fb2}\u{f71}\u{f80}",
    "\u{fb2}\u{f71}", "\u{f71}\u{f72}", "\u{cc6}\u{cc2}\u{cd5}", "\u{dd9}\u{dcf}\u{dca}", "漢", "한", "\u{fdfa}",
    "\u{17000}", "\u{18d80}", "\u{2f800}", "\u{1f600}", "\u{e0100}", "\u{10ffff}",
];

/// A text of at most so many pieces, now and then of few different ones.
pub(crate) fn text(numbers: &mut Numbers, most: usize) -> String {
    let (count, narrow) = (numbers.below(most + 1), numbers.below(4));
    (0..count).map(|_| PIECES[numbers.below(if narrow == 0 { 8 } else { PIECES.len() })]).collect()
}

/// FORMAT §2.2.
pub(crate) fn escape(bytes: &[u8]) -> Vec<u8> {
    let mut out: Vec<u8> = bytes.iter().flat_map(|b| if *b == 0 { vec![0, 0xff] } else { vec![*b] }).collect();
    out.extend([0, 0]);
    out
}

pub(crate) fn flipped(bytes: &[u8]) -> Vec<u8> {
    bytes.iter().map(|byte| !byte).collect()
}
