//! Time of a collation key for each character of short names, all levels, as a multiple of what a
//! branch-free byte loop takes to escape one byte in the same run: that is how fast the plain text
//! would go into a key.
//!
//! ```text
//! cargo bench --features uca14,icu --bench collation              # the table
//! cargo bench --features uca14,icu --bench collation -- --test    # only runs each act once
//! ```
#![allow(
    clippy::arithmetic_side_effects,
    clippy::cast_precision_loss,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a bench whose result is wrong must stop"
)]

use std::hint::black_box;
use std::time::Instant;

use isotone::Asc;
use isotone::Builder;
use isotone::Decoder;
use isotone::collation::CollationProfile;
use isotone::collation::Collator;
#[cfg(feature = "icu")]
use isotone::collation::icu::IcuCollator;

#[path = "shared/byte_loop.rs"]
mod byte_loop;

const PRODUCERS: [&str; 7] = [
    "schottky;root_pad_as_cs",
    "server;root_pad_as_cs",
    "server;root_nopad_as_cs",
    "schottky;swedish_pad_as_cs",
    "schottky;czech_pad_as_cs",
    "schottky;danish_pad_as_cs",
    "schottky;vietnamese_pad_as_cs",
];

const ASCII: [&str; 8] = [
    "Christiansen",
    "Featherstone",
    "Wallingbrook",
    "abercrombies",
    "Montgomeries",
    "Throckmorton",
    "Schoonmakers",
    "Hollingsword",
];
const VIETNAMESE: [&str; 8] = [
    "Nguyễn Thị Hằng",
    "Trần Đức Lương",
    "Phạm Quốc Khánh",
    "Đặng Thùy Trâm",
    "Hồ Xuân Hương",
    "Lê Hữu Trác",
    "Võ Nguyên Giáp",
    "Bùi Thị Xuân",
];
const GREEK: [&str; 8] =
    ["Παπαδόπουλος", "Κωνσταντίνος", "Αλεξανδρίδης", "Οικονομίδης", "Χατζηδάκης", "Δημητρίου", "Θεοδωράκης", "Καβάφης"];

/// The least time of several rounds for one call of each, in nanoseconds. The two take turns, so
/// that a busy neighbour slows both.
fn time(rounds: u32, unit: &mut dyn FnMut() -> usize, call: &mut dyn FnMut() -> usize) -> (f64, f64) {
    let mut best = (f64::MAX, f64::MAX);
    let round = |call: &mut dyn FnMut() -> usize, calls: u32| {
        let start = Instant::now();
        for _ in 0..calls {
            black_box(call());
        }
        start.elapsed().as_nanos() as f64 / f64::from(calls)
    };
    for _ in 0..rounds {
        best.0 = best.0.min(round(unit, 50));
        best.1 = best.1.min(round(call, 200));
    }
    best
}

fn collated(collator: &Collator, name: &str, room: &mut [u8]) -> usize {
    let mut key = Builder::new(room);
    key.collate(collator, black_box(name), Asc);
    key.finish().unwrap().len()
}

fn collated_total(collator: &Collator, name: &str, room: &mut [u8]) -> usize {
    let mut key = Builder::new(room);
    key.collate_total(collator, black_box(name), Asc);
    key.finish().unwrap().len()
}

fn names(rounds: u32) {
    let mut zeros = [0x61u8; 1024];
    zeros.iter_mut().step_by(10).for_each(|byte| *byte = 0);
    let mut escaped = [0; 4096];
    let mut unit = || byte_loop::byte_loop(&mut escaped, black_box(&zeros), 0);
    let (mut out, mut small) = ([0; 4096], [0; 200]);
    for (name, words) in [("ascii", ASCII), ("vietnamese", VIETNAMESE), ("greek", GREEK)] {
        let letters: usize = words.iter().map(|word| word.chars().count()).sum();
        let mut row = |what: &str, call: &mut dyn FnMut() -> usize| {
            let (unit, call) = time(rounds, &mut unit, call);
            let (unit, call) = (unit / 1024.0, call / letters as f64);
            println!("{name:10} {what:44} {call:6.2} ns a letter  {:6.1} x  (byte loop {unit:.2} ns)", call / unit);
        };
        for producer in PRODUCERS {
            let profile = CollationProfile::from_producer(&format!("uca14;14.0.0;{producer}")).unwrap();
            let collator = Collator::new(profile);
            row(&format!("{producer} key"), &mut || {
                words.iter().map(|w| collator.key(black_box(*w), &mut out).unwrap().len()).sum()
            });
            row(&format!("{producer} field"), &mut || words.iter().map(|w| collated(&collator, w, &mut out)).sum());
            row(&format!("{producer} field, small room"), &mut || {
                words.iter().map(|w| collated(&collator, w, &mut small)).sum()
            });
        }
        let collator = Collator::new(CollationProfile::from_producer("uca14;14.0.0;server;root_pad_as_cs").unwrap());
        row("server;root_pad_as_cs total field", &mut || {
            words.iter().map(|w| collated_total(&collator, w, &mut out)).sum()
        });
        let keys: Vec<Vec<u8>> = words
            .iter()
            .map(|w| {
                let len = collated_total(&collator, w, &mut out);
                out[..len].to_vec()
            })
            .collect();
        row("server;root_pad_as_cs text back", &mut || {
            keys.iter().map(|k| Decoder::new(black_box(k)).collated_text(&collator, Asc).unwrap().len()).sum()
        });
        row("server;root_pad_as_cs size", &mut || {
            words.iter().map(|w| collator.field_size(black_box(*w)).unwrap()).sum()
        });
        #[cfg(feature = "icu")]
        for locale in ["und", "sv", "vi", "el"] {
            let collator = IcuCollator::new(locale).unwrap();
            row(&format!("icu {locale} key"), &mut || {
                words.iter().map(|w| collator.key(black_box(*w), &mut out).unwrap().len()).sum()
            });
        }
    }
}

/// Linear in the text, whatever it is.
fn long_texts(most: usize) {
    let collator = Collator::new(CollationProfile::from_producer("uca14;14.0.0;server;root_pad_as_cs").unwrap());
    for copies in [1_000, 10_000, 100_000].into_iter().filter(|copies| *copies <= most) {
        for text in ["a", "é", " ", "\u{fdfa}", "l", "\u{fb2}\u{f71}", "\u{0}", "\u{301}", "한", "\u{e40}"] {
            let long = text.repeat(copies);
            let mut room = vec![0; 20 * long.len() + 64];
            let start = Instant::now();
            black_box(collator.key(&*long, &mut room).unwrap());
            print!("{text:?} {:.1}  ", start.elapsed().as_nanos() as f64 / copies as f64);
        }
        println!("ns for each of {copies} copies");
    }
    #[cfg(feature = "icu")]
    for bytes in [1_024, 4_096, 16_384, 65_536].into_iter().filter(|bytes| *bytes <= most) {
        let collator = IcuCollator::new("und").unwrap().with_max_text(bytes);
        for text in ["a", "é", "\u{301}", "\u{323}\u{301}", "\u{301}\u{323}", "\u{f71}\u{f72}", "\u{fb2}\u{f71}"] {
            let long = text.repeat(bytes / text.len());
            let start = Instant::now();
            black_box(collator.key_size(&*long).unwrap());
            print!("{text:?} {:.1}  ", start.elapsed().as_micros());
        }
        println!("µs for {bytes} bytes, icu");
    }
}

fn run(test: bool) {
    names(if test { 1 } else { 150 });
    long_texts(if test { 1_024 } else { usize::MAX });
}

fn main() {
    run(std::env::args().any(|arg| arg == "--test"));
}
