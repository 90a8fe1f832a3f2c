//! The works, as isotone does them, and `memcpy` of what comes out.

use std::hint::black_box;
use std::ops::Bound;

use isotone::Asc;
use isotone::Builder;
use isotone::Decoder;
use isotone::Desc;
use isotone::IndexContract;
use isotone::KeySpec;
use isotone::ReindexPlan;
use isotone::Type;
use isotone::Value;
use isotone::key_spec;

use crate::inputs::FIXED;
use crate::inputs::ID;
use crate::inputs::NAME;
use crate::inputs::NAME_UTF8;
use crate::inputs::SEQ;
use crate::inputs::blobs;
use crate::inputs::room;
use crate::inputs::stream;
use crate::report::Work;
use crate::timing::Subject;

const SPEC: KeySpec<'static> = key_spec![Type::I64 => Asc, Type::Str => Asc, Type::U64 => Desc];

pub(crate) fn w1<'r>(id: i64, name: &str, seq: u64, room: &'r mut [u8]) -> &'r [u8] {
    let mut key = Builder::new(room);
    key.i64(id, Asc).str(name, Asc).u64(seq, Desc);
    key.finish().unwrap()
}

pub(crate) fn works() -> Vec<Work> {
    let mut works = vec![w1_encode()];
    works.extend(blob_works());
    works.extend([w4_stream(), w6("W6", NAME), w6("W6u", NAME_UTF8)]);
    works.extend([w7(), w8()]);
    works.extend(w9());
    works.extend([w10(), w11(), w12(), w13()]);
    works
}

pub(crate) fn leaked(bytes: &[u8]) -> &'static [u8] {
    bytes.to_vec().leak()
}

pub(crate) fn memcpy(bytes: &'static [u8]) -> Subject {
    let to = room(bytes.len());
    Subject::new("memcpy", move || {
        let bytes = black_box(bytes);
        to[..bytes.len()].copy_from_slice(bytes);
        black_box(&mut *to);
    })
}

fn w1_encode() -> Work {
    let key = leaked(w1(ID, NAME, SEQ, room(64)));
    let out = room(64);
    Work::new("W1", "encode (i64, 12-byte str, u64)")
        .subject(memcpy(key))
        .subject(Subject::new("isotone", move || {
            black_box(w1(black_box(ID), black_box(NAME), black_box(SEQ), out));
        }))
        .reach("isotone", "memcpy", 1.25)
        .reach("isotone", "fastest peer", 1.0 / 3.0)
}

fn put(name: &str, bytes: &'static [u8], descending: bool) -> Subject {
    let out = room(2 * bytes.len() + 2);
    Subject::new(name, move || {
        let mut key = Builder::new(out);
        if descending {
            key.bytes(black_box(bytes), Desc);
        } else {
            key.bytes(black_box(bytes), Asc);
        }
        let _ = black_box(key.finish());
    })
}

fn blob_works() -> Vec<Work> {
    let mut works = Vec::new();
    for blob in blobs() {
        let bytes = blob.bytes;
        let title = match blob.work {
            "W2" => "encode 31 bytes",
            "W4" => "encode 1 KiB without zeros",
            "W5" => "encode 1 KiB, 10 % zeros",
            _ => "encode 1 KiB of zeros",
        };
        let (asc, desc) = if blob.work == "W2" { ("W2", "W3") } else { (blob.work, "") };
        let mut up = Work::new(asc, title).subject(memcpy(bytes)).subject(put("isotone", bytes, false));
        match blob.work {
            "W2" => up = up.reach("isotone", "memcpy", 1.3),
            "W4" => {
                up = up.subject(put("isotone, descending", bytes, true));
                up = up.reach("isotone", "memcpy", 1.4).reach("isotone, descending", "memcpy", 1.4);
            }
            "W5" => up = up.subject(put("isotone, descending", bytes, true)).reach("isotone", "byte loop", 0.4),
            _ => up = up.subject(put("isotone, descending", bytes, true)).reach("isotone", "byte loop", 0.1),
        }
        works.push(up);
        if desc == "W3" {
            let down = Work::new("W3", "encode 31 bytes, descending").subject(memcpy(bytes));
            let down = down.subject(put("isotone", bytes, true)).subject(put("isotone, ascending", bytes, false));
            works.push(down.reach("isotone", "memcpy", 1.3).reach("isotone", "isotone, ascending", 1.1));
        }
    }
    works
}

/// Values that are in no cache: each turn takes the next KiB.
fn w4_stream() -> Work {
    let all = stream();
    let pieces = || {
        let mut at = 0;
        move || {
            at = (at + 1024) % all.len();
            &all[at..at + 1024]
        }
    };
    let (mut next, to) = (pieces(), room(1024));
    let copied = Subject::new("memcpy", move || {
        to.copy_from_slice(black_box(next()));
        black_box(&mut *to);
    });
    let (mut next, out) = (pieces(), room(2050));
    let put = Subject::new("isotone", move || {
        let mut key = Builder::new(out);
        key.bytes(black_box(next()), Asc);
        let _ = black_box(key.finish());
    });
    Work::new("W4s", "encode 1 KiB streaming from memory").subject(copied).subject(put).reach("isotone", "memcpy", 1.1)
}

fn w6(id: &'static str, name: &'static str) -> Work {
    let ascii = name.is_ascii();
    let title = if ascii { "decode W1, ASCII text checked" } else { "decode W1, other text checked" };
    let key = leaked(w1(ID, name, SEQ, room(64)));
    // The text stays a view of the key, which knows that it was checked.
    let view = Subject::new("isotone", move || {
        let mut fields = Decoder::new(black_box(key));
        black_box((fields.i64(Asc).unwrap(), fields.str(Asc).unwrap(), fields.u64(Desc).unwrap()));
        fields.finish().unwrap();
    });
    let text = Subject::new("isotone, as &str", move || {
        let mut fields = Decoder::new(black_box(key));
        let (id, name, seq) = (fields.i64(Asc).unwrap(), fields.str(Asc).unwrap(), fields.u64(Desc).unwrap());
        black_box((id, name.as_str().unwrap(), seq));
        fields.finish().unwrap();
    });
    let bytes = Subject::new("isotone, as bytes", move || {
        let mut fields = Decoder::new(black_box(key));
        black_box((fields.i64(Asc).unwrap(), fields.bytes(Asc).unwrap(), fields.u64(Desc).unwrap()));
        fields.finish().unwrap();
    });
    let limit = if ascii { 0.5 } else { 0.9 };
    Work::new(id, title)
        .subject(memcpy(key))
        .subject(view)
        .subject(text)
        .subject(bytes)
        .reach("isotone", "by hand", limit)
}

pub(crate) fn fixed(values: (u64, i32, f64, u16), room: &mut [u8]) -> &[u8] {
    let mut key = Builder::new(room);
    key.u64(values.0, Asc).i32(values.1, Asc).f64(values.2, Asc).u16(values.3, Desc);
    key.finish().unwrap()
}

fn w7() -> Work {
    let key = leaked(fixed(FIXED, room(32)));
    let out = room(32);
    Work::new("W7", "encode (u64, i32, f64, u16)")
        .subject(memcpy(key))
        .subject(Subject::new("isotone", move || {
            black_box(fixed(black_box(FIXED), out));
        }))
        .reach("isotone", "by hand", 1.1)
}

fn w8() -> Work {
    let key = leaked(fixed(FIXED, room(32)));
    let read = Subject::new("isotone", move || {
        let mut fields = Decoder::new(black_box(key));
        let numbers = (fields.u64(Asc).unwrap(), fields.i32(Asc).unwrap());
        black_box((numbers, fields.f64(Asc).unwrap(), fields.u16(Desc).unwrap()));
        fields.finish().unwrap();
    });
    Work::new("W8", "decode (u64, i32, f64, u16)").subject(memcpy(key)).subject(read).reach("isotone", "by hand", 1.1)
}

fn w9() -> Vec<Work> {
    let mut works = Vec::new();
    for (id, title, work) in [("W9", "read 1 KiB", "W4"), ("W9z", "read 1 KiB, 10 % zeros", "W5")] {
        let bytes = blobs().into_iter().find(|blob| blob.work == work).unwrap().bytes;
        let key = |descending: bool| {
            let mut key = Builder::new(room(2050));
            if descending {
                key.bytes(bytes, Desc)
            } else {
                key.bytes(bytes, Asc)
            };
            leaked(key.finish().unwrap())
        };
        let (up, down) = (key(false), key(true));
        let (then, out, out_down) = (room(1024), room(1024), room(1024));
        let mut work = Work::new(id, title)
            .subject(memcpy(bytes))
            .subject(Subject::new("isotone, borrowed", move || {
                black_box(Decoder::new(black_box(up)).bytes(Asc).unwrap());
            }))
            .subject(Subject::new("isotone, borrowed, then copied", move || {
                let view = Decoder::new(black_box(up)).bytes(Asc).unwrap();
                let _ = black_box(view.copy_to(then));
            }))
            .subject(Subject::new("isotone, copied out", move || {
                let _ = black_box(Decoder::new(black_box(up)).bytes_to(Asc, out));
            }))
            .subject(Subject::new("isotone, descending, copied out", move || {
                let _ = black_box(Decoder::new(black_box(down)).bytes_to(Desc, out_down));
            }));
        if id == "W9" {
            work = work.reach("isotone, borrowed", "memcpy", 0.5).reach("isotone, copied out", "memcpy", 1.1);
        }
        works.push(work);
    }
    works
}

fn w10() -> Work {
    let (out, again, third, fourth) = (room(64), room(64), room(64), room(64));
    let declared = Subject::new("writer of a declared spec", move || {
        let mut key = SPEC.writer(out);
        key.i64(black_box(ID)).str(black_box(NAME)).u64(black_box(SEQ));
        let _ = black_box(key.finish());
    });
    let stored = KeySpec::from_layout(leaked(SPEC.layout())).unwrap();
    let read = Subject::new("writer of a stored spec", move || {
        let mut key = black_box(&stored).writer(again);
        key.i64(black_box(ID)).str(black_box(NAME)).u64(black_box(SEQ));
        let _ = black_box(key.finish());
    });
    let values = [Value::I64(ID), Value::str(NAME), Value::U64(SEQ)];
    let encode = Subject::new("encode(&[Value])", move || {
        let _ = black_box(SPEC.encode(black_box(&values), third));
    });
    let build = Subject::new("Builder", move || {
        black_box(w1(black_box(ID), black_box(NAME), black_box(SEQ), fourth));
    });
    Work::new("W10", "encode W1 under a KeySpec")
        .subject(build)
        .subject(declared)
        .subject(read)
        .subject(encode)
        .reach("writer of a declared spec", "Builder", 1.6)
        .reach("writer of a stored spec", "Builder", 1.6)
        .reach("encode(&[Value])", "Builder", 2.5)
}

fn w11() -> Work {
    let prefix = [Value::I64(ID), Value::str(NAME)];
    let bounds = (Bound::Included(Value::U64(SEQ)), Bound::Excluded(Value::U64(SEQ + 1_000)));
    let (out, once) = (room(128), room(64));
    let both = Subject::new("field_range", move || {
        let (lower, upper) = black_box(bounds);
        let _ = black_box(SPEC.field_range(black_box(&prefix), lower, upper, out));
    });
    let once = Subject::new("encode_prefix", move || {
        let _ = black_box(SPEC.encode_prefix(black_box(&prefix), once));
    });
    Work::new("W11", "both ends of a range over W1's last field").subject(once).subject(both).reach(
        "field_range",
        "encode_prefix",
        2.2,
    )
}

fn w12() -> Work {
    const TARGET: KeySpec<'static> = key_spec![Type::Str => Desc, Type::I64 => Asc, Type::U64 => Asc];
    let ids: [&[u8]; 3] = [b"id", b"name", b"seq"];
    let moved: [&[u8]; 3] = [b"name", b"id", b"seq"];
    let source = IndexContract::new(b"ix", 1, &SPEC, &ids, room(256)).unwrap();
    let target = IndexContract::new(b"ix", 2, &TARGET, &moved, room(256)).unwrap();
    let plan = ReindexPlan::new(source, target).unwrap();
    let key = leaked(w1(ID, NAME, SEQ, room(64)));
    let (out, to) = (room(64), room(64));
    let rekey = Subject::new("rekey", move || {
        let _ = black_box(plan.rekey(black_box(key), out));
    });
    let floor = Subject::new("offsets and memcpy", move || {
        let key = black_box(key);
        let mut ends = [0; 3];
        let _ = black_box(SPEC.offsets(key, &mut ends));
        to[..key.len()].copy_from_slice(key);
        black_box(&mut *to);
    });
    Work::new("W12", "re-key W1 into another order of fields").subject(memcpy(key)).subject(floor).subject(rekey).reach(
        "rekey",
        "offsets and memcpy",
        1.5,
    )
}

fn w13() -> Work {
    let key = leaked(w1(ID, NAME, SEQ, room(64)));
    let skip = Subject::new("isotone", move || {
        let _ = black_box(SPEC.skip(black_box(key), 3));
    });
    Work::new("W13", "skip three fields of W1").subject(memcpy(key)).subject(skip)
}
