//! The builder's promises: one retry after a short buffer, the first error, marks, closures that
//! fail or unwind half-way.

use std::panic::AssertUnwindSafe;
use std::panic::catch_unwind;

use isotone::Asc;
use isotone::AscNullsLast;
use isotone::Builder;
use isotone::Date;
use isotone::Desc;
use isotone::DescNullsFirst;
use isotone::Dimension;
use isotone::Elements;
use isotone::Error;
use isotone::FieldOrder;
use isotone::Fields;
use isotone::Kind;
use isotone::Value;
use proptest::collection::vec;
use proptest::prelude::*;

use crate::support::bytes;
use crate::support::generate;
use crate::support::laws::JUNK;
use crate::support::model::Attr;
use crate::support::model::Held;
use crate::support::model::V;
use crate::support::model::kind;

/// Something to write: a field at once, or a composite through closures.
#[derive(Clone, Debug)]
enum Op {
    Field(Attr, V),
    Record(u8, Vec<Op>),
    Nested(u8, Vec<Op>),
    Records(u8, Vec<Vec<Op>>),
    Keys(u8, Vec<Vec<Op>>),
}

fn ops(depth: u32) -> BoxedStrategy<Vec<Op>> {
    let field = generate::attr(1).prop_flat_map(|(ty, order)| {
        let value = generate::nullable(&ty, order);
        value.prop_map(move |v| Op::Field((ty.clone(), order), v))
    });
    if depth == 0 {
        return vec(field, 1..3).boxed();
    }
    let inner = ops(depth - 1);
    let op = prop_oneof![
        3 => field,
        1 => (0..6u8, inner.clone()).prop_map(|(order, ops)| Op::Record(order, ops)),
        3 => (0..6u8, inner.clone()).prop_map(|(order, ops)| Op::Nested(order, ops)),
        1 => (0..6u8, vec(inner.clone(), 0..3)).prop_map(|(order, ops)| Op::Records(order, ops)),
        1 => (0..6u8, vec(inner, 0..3)).prop_map(|(order, ops)| Op::Keys(order, ops)),
    ];
    vec(op, 1..4).boxed()
}

/// The bytes that operations stand for.
fn expected(ops: &[Op]) -> Vec<u8> {
    ops.iter().flat_map(one_expected).collect()
}

fn one_expected(op: &Op) -> Vec<u8> {
    let escaped =
        |bytes: Vec<u8>| bytes::payload(&crate::support::model::Ty::Bytes, &V::Bytes(bytes)).unwrap_or_default();
    let (order, payload) = match op {
        Op::Field(attr, v) => return bytes::field(attr, v).expect("a field that can be written"),
        Op::Record(order, ops) => (*order, expected(ops)),
        Op::Nested(order, ops) => (*order, escaped(expected(ops))),
        Op::Records(order, records) => {
            (*order, records.iter().flat_map(|ops| [vec![1], expected(ops)].concat()).chain([0]).collect())
        }
        Op::Keys(order, keys) => {
            (*order, keys.iter().flat_map(|ops| [vec![1], escaped(expected(ops))].concat()).chain([0]).collect())
        }
    };
    let tag: &[u8] = match order {
        0 | 2 => &[1],
        1 | 3 => &[0],
        _ => &[],
    };
    let flip = if matches!(order, 2 | 3 | 5) { 0xff } else { 0 };
    tag.iter().copied().chain(payload.into_iter().map(|b| b ^ flip)).collect()
}

macro_rules! write_op {
    ($to:ident, $op:ident) => {
        match $op {
            Op::Field((ty, order), v) => {
                let description = ty.describe();
                let held = Held::new(ty, v);
                $to.value(kind(&description), &held.value(), *order);
            }
            Op::Record(order, ops) => {
                $to.record(*order, |fields| ops.iter().for_each(|op| write_in(fields, op)));
            }
            Op::Nested(order, ops) => {
                $to.nested(*order, |fields| ops.iter().for_each(|op| write_in(fields, op)));
            }
            Op::Records(order, records) => {
                let each = |elements: &mut Elements<'_, '_>, ops: &[Op]| {
                    elements.record(|fields| ops.iter().for_each(|op| write_in(fields, op)));
                };
                $to.list(*order, |elements| records.iter().for_each(|ops| each(elements, ops)));
            }
            Op::Keys(order, keys) => {
                let each = |elements: &mut Elements<'_, '_>, ops: &[Op]| {
                    elements.nested(|fields| ops.iter().for_each(|op| write_in(fields, op)));
                };
                $to.list(*order, |elements| keys.iter().for_each(|ops| each(elements, ops)));
            }
        }
    };
}

fn write_in(to: &mut Fields<'_, '_>, op: &Op) {
    write_op!(to, op);
}

fn write(to: &mut Builder<'_>, op: &Op) {
    write_op!(to, op);
}

fn one_retry(ops: &[Op]) {
    let ends: Vec<usize> = ops.iter().scan(0, |end, op| Some((*end, *end += one_expected(op).len()).0)).collect();
    let whole = expected(ops);
    let mut room = vec![JUNK; whole.len()];
    let mut key = Builder::new(&mut room);
    ops.iter().for_each(|op| write(&mut key, op));
    assert_eq!(key.remaining(), 0);
    assert_eq!(key.finish(), Ok(&whole[..]));

    for n in (0..whole.len()).filter(|n| *n < 150 || whole.len() - n < 20) {
        let mut room = vec![JUNK; n];
        let mut key = Builder::new(&mut room);
        ops.iter().for_each(|op| write(&mut key, op));
        let short = Error::ShortBuffer { needed: whole.len(), available: n };
        assert_eq!(key.err(), Some(short), "room for {n} of {}", whole.len());
        assert_eq!(key.key(), Err(short));
        // The last field that fits whole is where it stopped.
        let failed = (0..ops.len()).find(|i| ends.get(i + 1).copied().unwrap_or(whole.len()) > n).expect("one fails");
        let len = ends[failed];
        assert_eq!(key.len(), len);
        assert_eq!(key.finish(), Err(short));
        assert_eq!(room[..len], whole[..len]);
        if let Op::Field(..) = ops[failed] {
            assert!(room[len..].iter().all(|b| *b == JUNK), "{:?} left something", ops[failed]);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// After a short buffer of any size, `needed` is exactly the whole key, nested keys in both
    /// directions at several depths included; whole fields stay and nothing else is written.
    #[test]
    fn needed_is_the_whole_key(ops in ops(3)) {
        one_retry(&ops);
    }
}

/// Zeros double at each level ascending, `ff` at each descending one.
#[test]
fn needed_of_nested_keys_at_every_depth() {
    fn deep(depth: usize, flips: usize, leaf: &Op) -> Op {
        match depth.checked_sub(1) {
            None => leaf.clone(),
            Some(depth) => {
                Op::Nested(if flips >> depth & 1 == 0 { 1 } else { 3 }, vec![leaf.clone(), deep(depth, flips, leaf)])
            }
        }
    }
    for leaf in [V::Bytes(vec![]), V::Bytes(vec![0, 0xff, 0, 7])] {
        for depth in 1..=5 {
            for flips in 0..1 << depth {
                let leaf = Op::Field((crate::support::model::Ty::Bytes, 4), leaf.clone());
                one_retry(&[leaf.clone(), deep(depth, flips, &leaf), leaf]);
            }
        }
    }
}

/// Whatever fails first is what is reported, with the place of its field.
#[test]
fn first_error_is_kept() {
    type Fails = (fn(&mut Builder<'_>), fn(usize) -> Error);
    let fails: [Fails; 7] = [
        (
            |key| {
                key.u8(1, 6u8);
            },
            |at| Error::InvalidOrder { code: 6, at },
        ),
        (
            |key| {
                key.null(4u8);
            },
            |at| Error::InvalidValue { at },
        ),
        (
            |key| {
                key.date(Date::from_days(i32::MAX - 1), Asc);
            },
            |at| Error::InvalidValue { at },
        ),
        (
            |key| {
                key.value(Kind::I8, &Value::Null, Asc);
            },
            |at| Error::InvalidValue { at },
        ),
        (
            |key| {
                key.value(Kind::I8, &Value::U8(1), Asc);
            },
            |at| Error::InvalidValue { at },
        ),
        (
            |key| {
                key.record(Asc, |_| {});
            },
            |at| Error::InvalidValue { at },
        ),
        (
            |key| {
                key.fixed([7; 99], Asc);
            },
            |at| Error::ShortBuffer { needed: at + 99, available: 64 },
        ),
    ];
    for (first, error) in &fails {
        for (second, _) in &fails[..6] {
            let mut room = [JUNK; 64];
            let mut key = Builder::new(&mut room);
            key.u16(0x0102, Asc);
            first(&mut key);
            assert_eq!(key.err(), Some(error(2)));
            second(&mut key);
            assert_eq!(key.err(), Some(error(2)));
            // A field that would fit is only counted after a short buffer, else nothing.
            key.str("x", Asc);
            let later = match error(2) {
                Error::ShortBuffer { needed, available } => Error::ShortBuffer { needed: needed + 3, available },
                error => error,
            };
            assert_eq!((key.err(), key.len(), key.key()), (Some(later), 2, Err(later)));
            assert_eq!(key.finish(), Err(later));
            assert_eq!(room[..2], [1, 2]);
            assert!(room[2..].iter().all(|b| *b == JUNK));
        }
    }
}

#[test]
fn a_composite_that_fails_is_taken_back_whole() {
    const BAD: Date = Date::from_days(i32::MIN + 1);
    let fails: [fn(&mut Builder<'_>); 9] = [
        |key| {
            key.record(Desc, |f| {
                f.u8(1, Asc).date(BAD, Asc).u8(2, Asc);
            });
        },
        |key| {
            key.list(Desc, |e| {
                e.date(Date::MIN).date(BAD);
            });
        },
        |key| {
            key.nested(AscNullsLast, |f| {
                f.str("a\0", Asc).record(Desc, |f| {
                    f.date(BAD, Asc);
                });
            });
        },
        |key| {
            key.record(AscNullsLast, |_| {});
        },
        |key| {
            key.list(Asc, |e| {
                e.record(|f| {
                    f.list(Desc, |e| {
                        e.u8(1).u16(1);
                    });
                });
            });
        },
        |key| {
            key.array(&[Dimension::new(3)], Asc, |e| {
                e.u8(1).u8(2);
            });
        },
        |key| {
            key.array(&[Dimension { len: 1, lower: i32::MAX }], Asc, |e| {
                e.u8(1);
            });
        },
        |key| {
            key.array(&[Dimension::new(1); 7], Asc, |e| {
                e.u8(1);
            });
        },
        |key| {
            key.nested(Asc, |f| {
                f.record(Asc, |f| {
                    f.null(4u8);
                });
            });
        },
    ];
    for (n, fail) in fails.iter().enumerate() {
        let mut room = [JUNK; 64];
        let mut key = Builder::new(&mut room);
        key.u32(7, Asc);
        fail(&mut key);
        assert_eq!(key.err(), Some(Error::InvalidValue { at: 4 }), "of composite {n}");
        assert_eq!(key.len(), 4);
        key.reset();
        // Clean again: a fault of the next field names the next field.
        fail(key.u8(1, Asc));
        assert_eq!(key.err(), Some(Error::InvalidValue { at: 1 }), "of composite {n}");
    }
}

/// A key inside a nested one may be empty; a record may not.
#[test]
fn empty_composites() {
    let mut room = [JUNK; 16];
    let mut key = Builder::new(&mut room);
    key.nested(AscNullsLast, |_| {}).list(AscNullsLast, |_| {}).array(&[], AscNullsLast, |_| {});
    assert_eq!(key.finish(), Ok(&[0, 0, 0, 0, 0, 0, 0, 0][..]));
}

fn nest(fields: &mut Fields<'_, '_>, left: usize, record: bool) {
    match (left.checked_sub(1), record) {
        (None, _) => {
            fields.u8(9, Asc);
        }
        (Some(left), true) => {
            fields.record(Desc, |fields| nest(fields, left, !record));
        }
        (Some(left), false) => {
            fields.nested(Desc, |fields| nest(fields, left, !record));
        }
    }
}

#[test]
fn sixteen_composites_and_no_more() {
    let mut room = [JUNK; 1024];
    for record in [false, true] {
        let mut key = Builder::new(&mut room);
        key.u8(1, Asc).record(Asc, |fields| nest(fields, 15, record));
        assert!(key.finish().is_ok());
        let mut key = Builder::new(&mut room);
        key.u8(1, Asc).record(Asc, |fields| nest(fields, 16, record));
        assert_eq!(key.finish(), Err(Error::InvalidValue { at: 1 }));
    }
}

#[test]
fn marks_go_back_to_field_boundaries() {
    let mut room = [JUNK; 12];
    let mut key = Builder::new(&mut room);
    let start = key.mark();
    key.u8(1, Asc);
    let one = key.mark();
    key.u16(2, Asc);
    let two = key.mark();
    assert_eq!(key.key(), Ok(&[1, 0, 2][..]));
    key.truncate(one);
    assert_eq!(key.key(), Ok(&[1][..]));
    // A mark whose place is gone is refused, and nothing is dropped.
    key.truncate(two);
    assert_eq!((key.len(), key.err()), (1, Some(Error::InvalidValue { at: 1 })));
    key.truncate(one);
    assert_eq!((key.len(), key.remaining()), (1, 11));
    key.str("longer than that", Asc);
    assert_eq!(key.err(), Some(Error::ShortBuffer { needed: 19, available: 12 }));
    key.truncate(one);
    assert_eq!(key.err(), None);
    // What was counted behind the mark is forgotten too.
    key.fixed([0; 12], Asc);
    assert_eq!(key.err(), Some(Error::ShortBuffer { needed: 13, available: 12 }));
    key.truncate(start);
    assert!(key.is_empty());
    key.u128(1, 77u8);
    assert_eq!(key.err(), Some(Error::InvalidOrder { code: 77, at: 0 }));
    key.reset();
    key.str("ab", DescNullsFirst);
    assert_eq!(key.finish(), Ok(&[1, !0x61, !0x62, 0xff, 0xff][..]));
    assert_eq!(room[5..], [JUNK; 7][..]);
}

/// Marks inside marks, gone back to over and over: good while their place stands, refused when it is
/// gone, though the key may be longer than it again.
#[test]
fn stale_marks_never_tear_a_field() {
    let mut room = [JUNK; 64];
    let mut key = Builder::new(&mut room);
    let start = key.mark();
    for outer in 0..3u8 {
        key.truncate(start);
        key.u8(outer, Asc);
        let mid = key.mark();
        let mut inner = mid;
        for i in 0..3u16 {
            key.truncate(mid);
            key.u16(i, Asc);
            inner = key.mark();
            for _ in 0..2 {
                key.truncate(inner);
                key.u32(9, Asc);
                assert_eq!(key.key().map(<[u8]>::len), Ok(7));
            }
        }
        key.truncate(start);
        key.i64(5, Asc);
        for stale in [mid, inner] {
            key.truncate(stale);
            assert_eq!((key.len(), key.err()), (8, Some(Error::InvalidValue { at: 8 })));
        }
    }
    key.reset();
    let old = {
        key.u8(1, Asc);
        key.mark()
    };
    key.reset();
    key.i64(5, Asc);
    key.truncate(old);
    assert_eq!(key.finish(), Err(Error::InvalidValue { at: 8 }));
}

#[test]
fn a_reused_prefix_makes_the_same_keys() {
    let mut room = [0; 64];
    let mut key = Builder::new(&mut room);
    key.i64(42, AscNullsLast);
    let account = key.mark();
    for n in 0..5u8 {
        key.truncate(account);
        key.nested(Desc, |fields| {
            fields.str("a\0b", Asc).u8(n, Desc);
        });
        let mut fresh = [0; 64];
        let mut other = Builder::new(&mut fresh);
        other.i64(42, AscNullsLast).nested(Desc, |fields| {
            fields.str("a\0b", Asc).u8(n, Desc);
        });
        assert_eq!(key.key(), other.finish());
    }
}

/// A panic in a closure leaves no composite open: the bytes are taken back, the error says where.
#[test]
fn unwinding_leaves_the_builder_clean() {
    let panics: [fn(&mut Builder<'_>); 4] = [
        |key| {
            key.record(Desc, |f| {
                f.u8(1, Asc).nested(Asc, |_| panic!("in a closure"));
            });
        },
        |key| {
            key.nested(Asc, |f| {
                f.u8(1, Asc).list(Asc, |_| panic!("in a closure"));
            });
        },
        |key| {
            key.list(Asc, |e| {
                e.u8(1).u8(2).record(|_| panic!("in a closure"));
            });
        },
        |key| {
            key.array(&[Dimension::new(1)], Asc, |e| {
                e.nested(|_| panic!("in a closure"));
            });
        },
    ];
    for panics in panics {
        let mut room = [JUNK; 64];
        let mut key = Builder::new(&mut room);
        key.u8(7, Asc);
        let mark = key.mark();
        let unwound = catch_unwind(AssertUnwindSafe(|| panics(&mut key)));
        assert!(unwound.is_err());
        assert_eq!((key.len(), key.err()), (1, Some(Error::InvalidValue { at: 1 })));
        key.truncate(mark);
        assert_eq!(key.err(), None);
        // No level is left open: a whole stack of them fits, and errors name this field.
        key.record(Asc, |fields| nest(fields, 15, true));
        assert_eq!(key.err(), None);
        let at = key.len();
        key.null(5u8);
        assert_eq!(key.err(), Some(Error::InvalidValue { at }));
    }
}

#[test]
fn every_order_code_above_five_is_refused() {
    let mut room = [JUNK; 8];
    for code in 6..=255u8 {
        let mut key = Builder::new(&mut room);
        key.u8(1, Asc).bytes(b"x", code);
        assert_eq!(key.finish(), Err(Error::InvalidOrder { code, at: 1 }));
        assert_eq!(FieldOrder::from_code(code), None);
    }
    assert_eq!(room[1..], [JUNK; 7]);
}
