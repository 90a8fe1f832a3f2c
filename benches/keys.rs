//! What a user does with keys, each act beside the same act written by hand and beside a `memcpy` of
//! the payload, which is the floor.
//!
//! ```text
//! cargo bench --bench keys              # times, in ns
//! cargo bench --bench keys -- --test    # only runs each act once, and checks its result
//! ```
#![expect(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "by hand means plain indexing, and a bench whose result is wrong must stop"
)]

use std::hint::black_box;
use std::ops::Bound;

use criterion::BenchmarkId;
use criterion::Criterion;
use criterion::Throughput;
use criterion::criterion_group;
use criterion::criterion_main;
use isotone::Asc;
use isotone::AscNullsFirst;
use isotone::Builder;
use isotone::Decoder;
use isotone::Desc;
use isotone::DescNullsFirst;
use isotone::KeySpec;
use isotone::NotNull;
use isotone::Type;
use isotone::Value;
use isotone::key_spec;

#[path = "shared/byte_loop.rs"]
mod byte_loop;

/// A signed id, a name of 12 bytes, and a sequence number that comes newest first.
const SPEC: KeySpec<'static> =
    key_spec![Type::I64 => AscNullsFirst, Type::Str => AscNullsFirst, Type::U64 => DescNullsFirst];
const ID: i64 = -42_000_017;
const NAME: &str = "sensor-00042";
const SEQ: u64 = 9_840;

/// The same key by hand: what an expert writes for exactly this layout.
mod by_hand {
    pub(crate) use super::byte_loop::byte_loop;

    /// Searches for zeros, and copies what lies between them at once.
    #[inline]
    pub(crate) fn escaped(out: &mut [u8], value: &[u8], mask: u8) -> usize {
        let (mut at, mut rest) = (0, value);
        loop {
            let run = memchr::memchr(0, rest).unwrap_or(rest.len());
            let (plain, tail) = rest.split_at(run);
            out[at..at + run].copy_from_slice(plain);
            if mask != 0 {
                out[at..at + run].iter_mut().for_each(|b| *b ^= mask);
            }
            at += run;
            if tail.is_empty() {
                break;
            }
            out[at..at + 2].copy_from_slice(&[mask, !mask]);
            at += 2;
            rest = &tail[1..];
        }
        out[at..at + 2].copy_from_slice(&[mask, mask]);
        at + 2
    }

    /// Tag and id, tag and name.
    #[inline]
    pub(crate) fn front(out: &mut [u8], id: i64, name: &str) -> usize {
        out[0] = 1;
        out[1..9].copy_from_slice(&(id ^ i64::MIN).to_be_bytes());
        out[9] = 1;
        10 + escaped(&mut out[10..], name.as_bytes(), 0)
    }

    #[inline]
    pub(crate) fn build(out: &mut [u8], id: i64, name: &str, seq: u64) -> usize {
        let at = front(out, id, name);
        out[at] = 1;
        out[at + 1..at + 9].copy_from_slice(&(!seq).to_be_bytes());
        at + 9
    }

    /// Checks whatever the crate's own reading checks.
    #[inline]
    pub(crate) fn read(key: &[u8]) -> Option<(i64, &str, u64)> {
        let (id, rest) = key.strip_prefix(&[1])?.split_first_chunk::<8>()?;
        let rest = rest.strip_prefix(&[1])?;
        let end = memchr::memchr(0, rest)?;
        let (name, rest) = rest.split_at(end);
        let (seq, rest) = rest.strip_prefix(&[0, 0, 1])?.split_first_chunk::<8>()?;
        let name = std::str::from_utf8(name).ok()?;
        rest.is_empty().then_some((i64::from_be_bytes(*id) ^ i64::MIN, name, !u64::from_be_bytes(*seq)))
    }
}

fn build(room: &mut [u8], id: i64, name: &str, seq: u64) -> usize {
    let mut key = Builder::new(room);
    key.i64(id, AscNullsFirst).str(name, AscNullsFirst).u64(seq, DescNullsFirst);
    key.finish().expect("room enough").len()
}

fn read(key: &[u8]) -> Option<(i64, &str, u64)> {
    let mut d = Decoder::new(key);
    let id = d.i64(AscNullsFirst).ok()??;
    let name = d.str(AscNullsFirst).ok()??.as_str()?;
    let seq = d.u64(DescNullsFirst).ok()??;
    d.finish().ok()?;
    Some((id, name, seq))
}

/// Encoding a row: the builder, both ways of a spec, by hand, and the floor.
fn build_a_composite_key(c: &mut Criterion) {
    let (mut room, mut expected) = ([0xaa; 64], [0x55; 64]);
    let len = by_hand::build(&mut expected, ID, NAME, SEQ);
    let expected = &expected[..len];
    let row = [Value::I64(ID), Value::str(NAME), Value::U64(SEQ)];
    let n = build(&mut room, ID, NAME, SEQ);
    assert_eq!(&room[..n], expected);
    assert_eq!(SPEC.encode(&row, &mut room), Ok(expected));

    let mut group = c.benchmark_group("build a composite key");
    group.bench_function("Builder", |b| {
        b.iter(|| build(black_box(&mut room), black_box(ID), black_box(NAME), black_box(SEQ)));
    });
    group.bench_function("KeySpec::writer", |b| {
        b.iter(|| {
            let mut key = SPEC.writer(black_box(&mut room));
            key.i64(black_box(ID)).str(black_box(NAME)).u64(black_box(SEQ));
            key.finish().expect("room enough").len()
        });
    });
    group.bench_function("KeySpec::encode", |b| {
        b.iter(|| SPEC.encode(black_box(&row), black_box(&mut room)).expect("room enough").len());
    });
    group.bench_function("by hand", |b| {
        b.iter(|| by_hand::build(black_box(&mut room), black_box(ID), black_box(NAME), black_box(SEQ)));
    });
    group.bench_function("memcpy", |b| {
        b.iter(|| black_box(&mut room)[..expected.len()].copy_from_slice(black_box(expected)));
    });
}

/// Decoding it again, its text checked to be UTF-8.
fn read_a_composite_key(c: &mut Criterion) {
    let mut room = [0xaa; 64];
    let len = build(&mut room, ID, NAME, SEQ);
    let key = &room[..len];
    assert_eq!(read(key), Some((ID, NAME, SEQ)));
    assert_eq!(by_hand::read(key), read(key));
    let mut values = [Value::Null; 3];
    assert_eq!(SPEC.decode(key, &mut values).map(<[_]>::len), Ok(3));

    let mut group = c.benchmark_group("read a composite key");
    group.bench_function("Decoder", |b| b.iter(|| read(black_box(key)).is_some()));
    group.bench_function("KeySpec::reader", |b| {
        b.iter(|| {
            let mut fields = SPEC.reader(black_box(key)).expect("a key");
            let (id, name, seq) = (fields.i64(), fields.str(), fields.u64());
            black_box((id.expect("an id"), name.expect("a name"), seq.expect("a number")));
            fields.finish()
        });
    });
    group.bench_function("KeySpec::decode", |b| {
        b.iter(|| SPEC.decode(black_box(key), black_box(&mut [Value::Null; 3])).map(<[_]>::len));
    });
    group.bench_function("by hand", |b| b.iter(|| by_hand::read(black_box(key)).is_some()));
    let mut copy = [0; 64];
    group.bench_function("memcpy", |b| {
        b.iter(|| black_box(&mut copy)[..key.len()].copy_from_slice(black_box(key)));
    });
}

/// Both ends of a range over the last field, behind a prefix of the first two.
fn bound_a_field(c: &mut Criterion) {
    let prefix = [Value::I64(ID), Value::str(NAME)];
    let (lower, upper) = (Bound::Included(Value::U64(SEQ)), Bound::Excluded(Value::U64(SEQ + 1_000)));
    let mut room = [0xaa; 128];
    let (mut start, mut end) = ([0; 64], [0; 64]);
    // Descending: from behind the upper bound to behind the lower one.
    let bounds_by_hand = |start: &mut [u8], end: &mut [u8], id, name, seq: u64| {
        let from = by_hand::build(start, id, name, seq + 1_000 - 1);
        let to = by_hand::build(end, id, name, seq - 1);
        (from, to)
    };
    let (from, to) = bounds_by_hand(&mut start, &mut end, ID, NAME, SEQ);
    let range = SPEC.field_range(&prefix, lower, upper, &mut room).expect("room enough");
    assert_eq!((range.start(), range.end()), (&start[..from], Some(&end[..to])));

    let mut group = c.benchmark_group("bound a field");
    group.bench_function("KeySpec::field_range", |b| {
        b.iter(|| {
            let room = black_box(&mut room);
            SPEC.field_range(black_box(&prefix), black_box(lower), black_box(upper), room).expect("room").is_empty()
        });
    });
    group.bench_function("KeySpec::encode_prefix, once", |b| {
        b.iter(|| SPEC.encode_prefix(black_box(&prefix), black_box(&mut room)).expect("room enough").len());
    });
    group.bench_function("by hand", |b| {
        b.iter(|| {
            let (id, name, seq) = (black_box(ID), black_box(NAME), black_box(SEQ));
            bounds_by_hand(black_box(&mut start), black_box(&mut end), id, name, seq)
        });
    });
    group.bench_function("memcpy", |b| {
        b.iter(|| {
            let out = black_box(&mut room);
            out[..from].copy_from_slice(black_box(&start[..from]));
            out[from..from + to].copy_from_slice(black_box(&end[..to]));
        });
    });
}

/// Byte strings: short, long, and as bad as they can be.
fn write_bytes(c: &mut Criterion) {
    let one_in_ten = |i: usize| if i % 10 == 7 { 0 } else { 0x61 };
    let inputs: [(&str, Vec<u8>); 4] = [
        ("31 B", (1..32).collect()),
        ("1 KiB, no zeros", (0..1024).map(|i| if i % 2 == 0 { 0x61 } else { 0xff }).collect()),
        ("1 KiB, 10 % zeros", (0..1024).map(one_in_ten).collect()),
        ("1 KiB, all zeros", vec![0; 1024]),
    ];
    for (order, word) in [(Asc, "ascending"), (Desc, "descending")] {
        let mask = if order == Desc { 0xff } else { 0 };
        let mut group = c.benchmark_group(format!("write bytes {word}"));
        for (name, value) in &inputs {
            let mut room = vec![0xaa; 2 * value.len() + 4];
            let mut expected = vec![0x55; room.len()];
            let len = by_hand::escaped(&mut expected, value, mask);
            let n = bytes(&mut room, value, order);
            assert_eq!(room[..n], expected[..len]);
            assert_eq!(room[n..].iter().find(|b| **b != 0xaa), None);
            let n = by_hand::byte_loop(&mut room, value, mask);
            assert_eq!(room[..n], expected[..len]);

            group.throughput(Throughput::Bytes(value.len().try_into().expect("short")));
            group.bench_function(BenchmarkId::new("Builder", name), |b| {
                b.iter(|| bytes(black_box(&mut room), black_box(value), order));
            });
            group.bench_function(BenchmarkId::new("by hand", name), |b| {
                b.iter(|| by_hand::escaped(black_box(&mut room), black_box(value), mask));
            });
            group.bench_function(BenchmarkId::new("byte loop", name), |b| {
                b.iter(|| by_hand::byte_loop(black_box(&mut room), black_box(value), mask));
            });
            group.bench_function(BenchmarkId::new("memcpy", name), |b| {
                b.iter(|| black_box(&mut room)[..value.len()].copy_from_slice(black_box(value)));
            });
        }
    }
}

#[inline]
fn bytes(room: &mut [u8], value: &[u8], order: NotNull) -> usize {
    let mut key = Builder::new(room);
    key.bytes(value, order);
    key.finish().expect("room enough").len()
}

criterion_group!(keys, build_a_composite_key, read_a_composite_key, bound_a_field, write_bytes);
criterion_main!(keys);
