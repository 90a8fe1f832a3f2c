//! The builder's promises: the first error, marks, closures that fail or unwind half-way.

use std::panic::AssertUnwindSafe;
use std::panic::catch_unwind;

use isotone::Asc;
use isotone::AscNullsLast;
use isotone::Builder;
use isotone::Date;
use isotone::Desc;
use isotone::DescNullsFirst;
use isotone::Dimension;
use isotone::Error;
use isotone::FieldOrder;
use isotone::Fields;
use isotone::Kind;
use isotone::Value;
use proptest::collection::vec;
use proptest::prelude::*;

use crate::support::laws::JUNK;

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

/// What is done to a builder.
#[derive(Clone, Copy, Debug)]
enum Step {
    Write(usize),
    Mark,
    Back(usize),
    Reset,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        4 => (1..4usize).prop_map(Step::Write),
        2 => Just(Step::Mark),
        3 => any::<usize>().prop_map(Step::Back),
        1 => Just(Step::Reset),
    ];
    vec(step, 1..40)
}

/// A mark goes back to its fields as long as the builder has not been below its place since; else it
/// is an error and nothing moves. With more marks inside each other than the builder tells apart, a
/// good one may be refused, but a field is never cut.
fn follow(steps: &[Step], most_marks: usize, exact: bool) {
    let mut room = [JUNK; 256];
    let mut key = Builder::new(&mut room);
    let mut written: Vec<u8> = Vec::new();
    let mut marks: Vec<(isotone::Mark, Vec<u8>, bool)> = Vec::new();
    for (n, step) in steps.iter().enumerate() {
        match step {
            Step::Write(len) => {
                let byte = n as u8;
                match len {
                    1 => key.fixed([byte; 1], Asc),
                    2 => key.fixed([byte; 2], Asc),
                    _ => key.fixed([byte; 3], Asc),
                };
                written.extend(vec![byte; *len]);
            }
            Step::Mark if marks.len() < most_marks => marks.push((key.mark(), written.clone(), true)),
            Step::Back(at) if !marks.is_empty() => {
                let at = at % marks.len();
                let (mark, then, good) = marks[at].clone();
                key.truncate(mark);
                if key.err().is_none() {
                    assert!(good, "a mark whose place is gone was taken");
                    written = then;
                } else {
                    assert!(!good || !exact, "a good mark was refused");
                    assert_eq!(key.err(), Some(Error::InvalidValue { at: written.len() }));
                    assert_eq!(key.len(), written.len());
                    key.reset();
                    written.clear();
                }
                marks.iter_mut().for_each(|(_, then, good)| *good &= then.len() <= written.len());
            }
            Step::Reset => {
                key.reset();
                written.clear();
                marks.iter_mut().for_each(|(_, then, good)| *good &= then.is_empty());
            }
            _ => {}
        }
        assert_eq!(key.key(), Ok(&written[..]));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn marks_are_good_until_the_builder_is_below_them(steps in steps()) {
        follow(&steps, 5, true);
        follow(&steps, 30, false);
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
