//! The same keys from code that knows them: what an expert writes for one schema, and the loop over
//! bytes without branches.

use std::hint::black_box;

use memchr::memchr;

use crate::byte_loop::byte_loop;
use crate::inputs::FIXED;
use crate::inputs::ID;
use crate::inputs::NAME;
use crate::inputs::NAME_UTF8;
use crate::inputs::SEQ;
use crate::inputs::blobs;
use crate::inputs::room;
use crate::isotone_works::fixed;
use crate::isotone_works::leaked;
use crate::isotone_works::w1 as built;
use crate::report::Work;
use crate::timing::Subject;

const SIGN: u64 = 1 << 63;

fn w1<'r>(id: i64, name: &str, seq: u64, room: &'r mut [u8]) -> &'r [u8] {
    room[..8].copy_from_slice(&(id.cast_unsigned() ^ SIGN).to_be_bytes());
    let end = escaped(name.as_bytes(), &mut room[8..]) + 8;
    room[end..end + 8].copy_from_slice(&(!seq).to_be_bytes());
    &room[..end + 8]
}

/// Search, copy up to the zero, and again.
fn escaped(bytes: &[u8], room: &mut [u8]) -> usize {
    let (mut from, mut to) = (0, 0);
    while let Some(gap) = memchr(0, &bytes[from..]) {
        room[to..=to + gap].copy_from_slice(&bytes[from..=from + gap]);
        room[to + gap + 1] = 0xff;
        from += gap + 1;
        to += gap + 2;
    }
    let rest = &bytes[from..];
    room[to..to + rest.len()].copy_from_slice(rest);
    to += rest.len();
    room[to..to + 2].copy_from_slice(&[0, 0]);
    to + 2
}

fn read_w1(key: &[u8]) -> Option<(i64, &str, u64)> {
    let (id, rest) = key.split_first_chunk::<8>()?;
    let end = memchr(0, rest)?;
    let (name, rest) = rest.split_at(end);
    let (seq, rest) = rest.strip_prefix(&[0, 0])?.split_first_chunk::<8>()?;
    let name = std::str::from_utf8(name).ok()?;
    let id = (u64::from_be_bytes(*id) ^ SIGN).cast_signed();
    rest.is_empty().then_some((id, name, !u64::from_be_bytes(*seq)))
}

fn float(value: f64) -> u64 {
    if value.is_nan() {
        return u64::MAX;
    }
    let bits = (value + 0.0).to_bits();
    if bits & SIGN == 0 { bits | SIGN } else { !bits }
}

fn w7(values: (u64, i32, f64, u16), room: &mut [u8]) -> &[u8] {
    room[..8].copy_from_slice(&values.0.to_be_bytes());
    room[8..12].copy_from_slice(&(values.1 ^ i32::MIN).to_be_bytes());
    room[12..20].copy_from_slice(&float(values.2).to_be_bytes());
    room[20..22].copy_from_slice(&(!values.3).to_be_bytes());
    &room[..22]
}

fn read_w7(key: &[u8]) -> Option<(u64, i32, f64, u16)> {
    let (a, rest) = key.split_first_chunk::<8>()?;
    let (b, rest) = rest.split_first_chunk::<4>()?;
    let (c, rest) = rest.split_first_chunk::<8>()?;
    let (d, rest) = rest.split_first_chunk::<2>()?;
    let c = u64::from_be_bytes(*c);
    let float = if c == u64::MAX {
        f64::NAN
    } else {
        let value = f64::from_bits(if c & SIGN == 0 { !c } else { c ^ SIGN });
        if value.is_nan() || value.to_bits() == SIGN {
            return None;
        }
        value
    };
    let numbers = (u64::from_be_bytes(*a), i32::from_be_bytes(*b) ^ i32::MIN, float, !u16::from_be_bytes(*d));
    rest.is_empty().then_some(numbers)
}

pub(crate) fn add_to(works: &mut [Work]) {
    for work in works {
        match work.id {
            "W1" => {
                assert_eq!(w1(ID, NAME, SEQ, room(64)), built(ID, NAME, SEQ, room(64)));
                let out = room(64);
                work.add(Subject::new("by hand", move || {
                    black_box(w1(black_box(ID), black_box(NAME), black_box(SEQ), out));
                }));
            }
            "W2" | "W4" | "W5" | "W5b" => {
                let bytes = blobs().into_iter().find(|blob| blob.work == work.id).unwrap().bytes;
                let (out, again) = (room(2 * bytes.len() + 4), room(2 * bytes.len() + 4));
                assert_eq!(escaped(bytes, room(2 * bytes.len() + 4)), byte_loop(room(2 * bytes.len() + 4), bytes, 0));
                work.add(Subject::new("by hand", move || {
                    black_box(escaped(black_box(bytes), out));
                }));
                work.add(Subject::new("byte loop", move || {
                    black_box(byte_loop(again, black_box(bytes), 0));
                }));
            }
            "W3" => {
                let bytes = blobs()[0].bytes;
                let out = room(2 * bytes.len() + 4);
                work.add(Subject::new("byte loop", move || {
                    black_box(byte_loop(out, black_box(bytes), 0xff));
                }));
            }
            "W6" | "W6u" => {
                let name = if work.id == "W6" { NAME } else { NAME_UTF8 };
                let key = leaked(built(ID, name, SEQ, room(64)));
                assert_eq!(read_w1(key), Some((ID, name, SEQ)));
                work.add(Subject::new("by hand", move || {
                    black_box(read_w1(black_box(key)).unwrap());
                }));
            }
            "W7" => {
                assert_eq!(w7(FIXED, room(32)), fixed(FIXED, room(32)));
                let out = room(32);
                work.add(Subject::new("by hand", move || {
                    black_box(w7(black_box(FIXED), out));
                }));
            }
            "W8" => {
                let key = leaked(fixed(FIXED, room(32)));
                assert_eq!(read_w7(key), Some(FIXED));
                work.add(Subject::new("by hand", move || {
                    black_box(read_w7(black_box(key)).unwrap());
                }));
            }
            _ => {}
        }
    }
}
