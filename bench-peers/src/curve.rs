//! How the cost grows: with the bytes of a value, and (not at all) with the keys built before.

use std::hint::black_box;

use isotone::Asc;
use isotone::Builder;

use crate::inputs::ID;
use crate::inputs::NAME;
use crate::inputs::SEQ;
use crate::inputs::room;
use crate::inputs::scattered;
use crate::isotone_works::memcpy;
use crate::isotone_works::w1;
use crate::report::Built;
use crate::report::Point;
use crate::timing;
use crate::timing::Subject;

/// Lengths from nothing to 1 MiB.
pub(crate) fn sizes(rounds: usize) -> Vec<Point> {
    let lengths = [0, 1, 4, 16, 64, 256, 1 << 10, 1 << 12, 1 << 14, 1 << 16, 1 << 18, 1 << 20];
    let point = |bytes: usize| {
        let put = |percent: usize| {
            let (value, out): (&[u8], _) = (scattered(bytes, percent).leak(), room(2 * bytes + 2));
            Subject::new("isotone", move || {
                let mut key = Builder::new(out);
                key.bytes(black_box(value), Asc);
                let _ = black_box(key.finish());
            })
        };
        let mut subjects = [put(0), put(10), memcpy(scattered(bytes, 0).leak())];
        let figures = timing::rounds(&mut subjects, rounds.min(31));
        let [isotone, isotone_10_percent_zeros, memcpy] = [0, 1, 2].map(|i: usize| timing::median(figures[i].clone()));
        Point { bytes, isotone, isotone_10_percent_zeros, memcpy }
    };
    lengths.into_iter().map(point).collect()
}

/// W1 in a room that so many keys were built in.
pub(crate) fn built_before() -> Vec<Built> {
    let out = room(64);
    let mut subject = [Subject::new("isotone", move || {
        black_box(w1(black_box(ID), black_box(NAME), black_box(SEQ), out));
    })];
    let (mut built, mut list) = (0u64, Vec::new());
    let again = room(64);
    for keys in [0u64, 1_000, 1_000_000, 30_000_000] {
        while built < keys {
            black_box(w1(black_box(ID), black_box(NAME), black_box(built), again));
            built += 1;
        }
        let figures = timing::rounds(&mut subject, 31);
        list.push(Built { keys, ns: timing::median(figures[0].clone()) });
    }
    list
}
