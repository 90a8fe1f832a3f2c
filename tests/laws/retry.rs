//! One retry: after a short buffer the error says what the whole key needs, however it is nested.

use isotone::Builder;
use isotone::Elements;
use isotone::Error;
use isotone::Fields;
use proptest::collection::vec;
use proptest::prelude::*;

use crate::support::bytes;
use crate::support::generate;
use crate::support::laws::JUNK;
use crate::support::model::Attr;
use crate::support::model::Held;
use crate::support::model::Ty;
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
    let escaped = |bytes: Vec<u8>| bytes::payload(&Ty::Bytes, &V::Bytes(bytes)).unwrap_or_default();
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
                let leaf = Op::Field((Ty::Bytes, 4), leaf.clone());
                one_retry(&[leaf.clone(), deep(depth, flips, &leaf), leaf]);
            }
        }
    }
}
