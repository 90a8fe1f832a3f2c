//! Predicates as ranges, held against a plain model over all rows that its constants can tell
//! apart: membership, minimality, and what is left to filter.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "tests"
)]

#[path = "predicates/algebra.rs"]
mod algebra;
#[path = "predicates/cases.rs"]
mod cases;
#[path = "predicates/kinds.rs"]
mod kinds;
#[path = "predicates/model.rs"]
mod model;
#[path = "predicates/numbers.rs"]
mod numbers;

use std::collections::HashSet;

use isotone::ByteRange;
use isotone::Field;
use isotone::KeySpec;
use isotone::Limits;
use isotone::Op;
use isotone::Predicate;
use isotone::PredicateError;
use isotone::PredicateRanges;
use isotone::RangeBuffer;
use isotone::RangeRoom;
use isotone::RangeSlot;
use isotone::ShortStorage;
use isotone::Value;
use proptest::prelude::*;

use model::K;
use model::KINDS;
use model::M;
use model::NULL;
use model::P;
use model::Under;
use model::under;
use model::universe;

/// A predicate before it is known which kinds its fields have: constants by number.
#[derive(Clone, Debug)]
enum Shape {
    Leaf(u8, usize, [usize; 3]),
    Row(Vec<(usize, usize)>, Op),
    And(Vec<Shape>),
    Or(Vec<Shape>),
    Not(Box<Shape>),
}

fn op() -> impl Strategy<Value = Op> {
    prop::sample::select(vec![Op::Eq, Op::Ne, Op::Lt, Op::Le, Op::Gt, Op::Ge])
}

fn shape() -> impl Strategy<Value = Shape> {
    let leaf = prop_oneof![
        8 => (0u8..24, 0usize..3, prop::array::uniform3(0usize..64)).prop_map(|(what, f, ks)| Shape::Leaf(what, f, ks)),
        2 => (prop::collection::vec((0usize..3, 0usize..64), 1..4), op()).prop_map(|(pairs, op)| Shape::Row(pairs, op)),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            3 => prop::collection::vec(inner.clone(), 0..4).prop_map(Shape::And),
            3 => prop::collection::vec(inner.clone(), 0..4).prop_map(Shape::Or),
            2 => inner.prop_map(|part| Shape::Not(Box::new(part))),
        ]
    })
}

/// One in sixteen constants is null.
fn constant(kind: &Under, n: usize) -> K {
    if n % 16 == 15 { NULL } else { kind.pool[n % kind.pool.len()].clone() }
}

impl Shape {
    fn predicate(&self, kinds: &[Under]) -> P {
        match self {
            Shape::Leaf(what, field, ks) => {
                let field = field % kinds.len();
                let [a, b, c] = ks.map(|k| constant(&kinds[field], k));
                let is_text = matches!(a.model, M::Text(_));
                match what {
                    0 => P::True,
                    1 => P::False,
                    2 => P::Unknown,
                    3 | 4 => P::IsNull(field),
                    5 | 6 => P::IsNotNull(field),
                    7..=9 => P::In(field, vec![a, b, c]),
                    10 => P::In(field, vec![]),
                    11..=13 => P::Between(field, a, b),
                    14..=17 if is_text => P::Starts(field, a),
                    14 | 15 | 18 | 19 => P::Cmp(field, Op::Eq, a),
                    16 => P::Cmp(field, Op::Ne, a),
                    17 | 20 => P::Cmp(field, Op::Lt, a),
                    21 => P::Cmp(field, Op::Le, a),
                    22 => P::Cmp(field, Op::Gt, a),
                    _ => P::Cmp(field, Op::Ge, a),
                }
            }
            Shape::Row(pairs, op) => {
                let fields: Vec<_> = pairs.iter().map(|(field, _)| field % kinds.len()).collect();
                let ks = pairs.iter().zip(&fields).map(|((_, k), f)| constant(&kinds[*f], *k)).collect();
                P::Row(fields, *op, ks)
            }
            Shape::And(parts) => P::And(parts.iter().map(|part| part.predicate(kinds)).collect()),
            Shape::Or(parts) => P::Or(parts.iter().map(|part| part.predicate(kinds)).collect()),
            Shape::Not(part) => P::Not(Box::new(part.predicate(kinds))),
        }
    }
}

/// A row, its key, and how its values stand to the constants.
struct Row {
    model: Vec<M>,
    values: Vec<Value<'static>>,
    key: Vec<u8>,
    /// For each field which cell of the constants its value lies in, and whether it is the cell's
    /// only value, or one of `values` at most.
    cells: Vec<(Vec<u8>, bool)>,
}

/// How a value stands to the constants: two in one cell stand alike.
fn signature(value: &M, constants: &[(M, bool)]) -> Vec<u8> {
    if *value == M::Null {
        return vec![9];
    }
    let stands = |(constant, is_front): &(M, bool)| match (value, constant) {
        (M::Text(value), M::Text(front)) if *is_front && value.starts_with(front) => 7,
        _ => value.cmp(constant) as u8 & 3,
    };
    constants.iter().map(stands).collect()
}

/// Whether a value is alone in its cell, or there are few of them that can be taken one by one.
fn is_point(value: &M, kind: &Under, constants: &[(M, bool)], few: usize) -> bool {
    if *value == M::Null || constants.iter().any(|(constant, is_front)| !is_front && value == constant) {
        return true;
    }
    let (Some((min, max)), M::Num(n)) = (kind.whole, value) else { return false };
    let like =
        |v: &i128| *v >= min && *v <= max && signature(&M::Num(v * 1000), constants) == signature(value, constants);
    let (up, down) = ((n / 1000 + 1).., (0..).map(|i| n / 1000 - 1 - i));
    1 + up.take(few).take_while(like).count() + down.take(few).take_while(like).count() <= few
}

fn rows(spec: &KeySpec<'_>, kinds: &[Under], predicate: &P, few: usize) -> Vec<Row> {
    let mut rows = vec![Row { model: vec![], values: vec![], key: vec![], cells: vec![] }];
    for (field, kind) in kinds.iter().enumerate() {
        let constants = predicate.constants(field);
        let known: Vec<_> = constants.iter().map(|(constant, _)| constant.clone()).collect();
        let mut values = universe(kind, &known);
        if spec.kind(field).unwrap().1.is_nullable() {
            values.push(NULL);
        }
        let grown = rows.iter().flat_map(|row| {
            values.iter().map(|k| Row {
                model: [&row.model[..], std::slice::from_ref(&k.model)].concat(),
                values: [&row.values[..], &[k.value]].concat(),
                key: vec![],
                cells: [
                    &row.cells[..],
                    &[(signature(&k.model, &constants), is_point(&k.model, kind, &constants, few))],
                ]
                .concat(),
            })
        });
        rows = grown.collect();
    }
    for row in &mut rows {
        let mut room = [0u8; 128];
        row.key = spec.encode(&row.values, &mut room).unwrap().to_vec();
    }
    rows.sort_by(|a, b| a.key.cmp(&b.key));
    rows
}

/// What a row shares with others up to a field that is not divided: the values before it and its
/// cell there. All of it when there is no such field.
fn divided(row: &Row) -> (Vec<&M>, Option<&[u8]>) {
    let at = row.cells.iter().position(|(_, is_point)| !is_point);
    let before = at.unwrap_or(row.cells.len());
    (row.model[..before].iter().collect(), at.map(|at| &row.cells[at].0[..]))
}

/// Holds ranges against what the model says they are.
fn check(spec: &KeySpec<'_>, kinds: &[Under], predicate: &P, few: usize) {
    let real = predicate.real();
    let rows = rows(spec, kinds, predicate, few);
    let selected: Vec<bool> = rows.iter().map(|row| predicate.eval(&row.model) == Some(true)).collect();

    for (row, selects) in rows.iter().zip(&selected) {
        assert_eq!(spec.eval(&real, &row.values).unwrap(), predicate.eval(&row.model), "{predicate:?} {:?}", row.model);
        assert_eq!(spec.matches(&real, &row.key).unwrap(), *selects, "{predicate:?} {:?}", row.model);
    }

    // A key is covered when something is selected that it can't be told from.
    let told: HashSet<_> =
        rows.iter().zip(&selected).filter(|(_, selects)| **selects).map(|(row, _)| divided(row)).collect();
    let covered: Vec<bool> = rows.iter().map(|row| told.contains(&divided(row))).collect();

    let mut slots = vec![RangeSlot::NEW; rows.len() + 1];
    let mut bytes = vec![0u8; slots.len() * 128];
    let limits = Limits { values: few, ..Limits::NONE };
    let ranges = spec.ranges_within(&real, limits, RangeRoom::new(&mut slots, &mut bytes)).unwrap();

    for (row, covers) in rows.iter().zip(&covered) {
        assert_eq!(ranges.contains(&row.key), *covers, "{predicate:?} {:?} {ranges:?}", row.model);
        let found = ranges.iter().filter(|range| range.contains(&row.key)).count();
        assert_eq!(found, usize::from(*covers), "{predicate:?} {ranges:?}");
    }
    assert_eq!(ranges.is_exact(), covered == selected, "{predicate:?} {ranges:?}");

    // As many ranges as runs of keys: two that are one run would be one range.
    let runs = covered.iter().zip(std::iter::once(&false).chain(&covered)).filter(|(now, before)| **now && !**before);
    assert_eq!(ranges.len(), runs.count(), "{predicate:?} {ranges:?}");
    for pair in ranges.iter().collect::<Vec<_>>().windows(2) {
        assert!(pair[0].end().unwrap() < pair[1].start(), "{predicate:?} {ranges:?}");
    }
    assert!(ranges.iter().all(|range| !range.is_empty() && !range.excludes_start()));

    left(predicate, &rows, &selected, &ranges);
    storage(spec, &real, limits, &ranges);

    // The complement holds the other keys, and all of the scope is in one or the other.
    let mut room = [0u8; 64];
    let all = spec.prefix_range(&[], &mut room).unwrap();
    let (mut slots, mut bytes) = (vec![RangeSlot::NEW; rows.len() + 1], vec![0u8; rows.len() * 128 + 128]);
    let rest = ranges.complement(&all, RangeRoom::new(&mut slots, &mut bytes)).unwrap();
    for (row, covers) in rows.iter().zip(&covered) {
        assert_eq!(rest.contains(&row.key), !covers, "{predicate:?}");
    }
    for range in ranges.iter() {
        assert!(range.intersect(&all) == range, "leaves the scope: {predicate:?} {range:?}");
    }
}

/// What is left to filter: a row that is covered and not selected is selected when only those
/// fields change.
fn left(predicate: &P, rows: &[Row], selected: &[bool], ranges: &PredicateRanges<'_>) {
    let left: Vec<usize> = ranges.left().collect();
    assert_eq!(left.is_empty(), ranges.is_exact(), "{predicate:?}");
    let kept = |row: &Row| {
        let values: Vec<_> =
            row.model.iter().enumerate().filter(|(f, _)| !left.contains(f)).map(|(_, m)| m.clone()).collect();
        values
    };
    let reachable: HashSet<_> = rows.iter().zip(selected).filter(|(_, s)| **s).map(|(row, _)| kept(row)).collect();
    for (row, selects) in rows.iter().zip(selected) {
        if ranges.contains(&row.key) && !selects && left.len() == 1 {
            assert!(reachable.contains(&kept(row)), "{predicate:?} {left:?} {:?}", row.model);
        }
    }
}

/// With less storage than is needed nothing is written, and what is asked for is enough.
fn storage(spec: &KeySpec<'_>, real: &Predicate<'_>, limits: Limits, ranges: &PredicateRanges<'_>) {
    // With one value at a time there is no other way that takes less.
    let limits = Limits { values: 1, ..limits };
    let needed = match spec.ranges_within(real, limits, RangeRoom::new(&mut [], &mut [])) {
        Ok(none) => return assert!(none.is_empty() && ranges.is_empty()),
        Err(PredicateError::Storage(short)) => short,
        Err(other) => panic!("{other:?}"),
    };
    let mut slots = vec![RangeSlot::NEW; needed.slots];
    let mut bytes = vec![0xaa; needed.bytes];
    let whole = spec.ranges_within(real, limits, RangeRoom::new(&mut slots, &mut bytes)).unwrap();
    assert_eq!(whole.len(), needed.slots);
    let used = |range: ByteRange<&[u8]>| range.start().len() + range.end().map_or(0, <[u8]>::len);
    assert_eq!(whole.iter().map(used).sum::<usize>(), needed.bytes);

    for (lent_slots, lent_bytes) in [(needed.slots - 1, needed.bytes), (needed.slots, needed.bytes.saturating_sub(1))] {
        if (lent_slots, lent_bytes) == (needed.slots, needed.bytes) {
            continue;
        }
        let (mut slots, mut bytes) = (vec![RangeSlot::NEW; lent_slots], vec![0xaa; lent_bytes]);
        let untouched = format!("{slots:?}");
        let error = spec.ranges_within(real, limits, RangeRoom::new(&mut slots, &mut bytes)).unwrap_err();
        assert_eq!(error, PredicateError::Storage(ShortStorage { lent_slots, lent_bytes, ..needed }));
        assert_eq!(format!("{slots:?}"), untouched);
        assert!(bytes.iter().all(|b| *b == 0xaa));
    }
}

fn with_spec(kinds: &[Under], orders: &[u8], scope: &[u8], run: impl FnOnce(&KeySpec<'_>)) {
    let fields: Vec<_> = kinds.iter().zip(orders).map(|(kind, order)| Field::from_code(kind.ty, *order)).collect();
    let mut layout = [0u8; 64];
    run(&KeySpec::describe(&fields, &mut layout).unwrap().under(scope));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, ..ProptestConfig::default() })]

    #[test]
    fn ranges_are_what_the_model_says(
        shape in shape(),
        kinds in prop::collection::vec(0..KINDS, 1..4),
        orders in prop::array::uniform3(0u8..6),
        few in 1usize..3,
        scope in prop::sample::select(vec![&b""[..], b"\x07", b"\xff\xff", b"\0"]),
    ) {
        let kinds: Vec<_> = kinds.into_iter().map(under).collect();
        let predicate = shape.predicate(&kinds);
        with_spec(&kinds, &orders, scope, |spec| check(spec, &kinds, &predicate, few));
    }
}

/// Every condition on its own and under NOT, in all orders of every kind.
#[test]
fn every_condition_in_every_order() {
    for kind in (0..KINDS).map(under) {
        let mut leaves = vec![P::IsNull(0), P::IsNotNull(0), P::In(0, vec![]), P::In(0, vec![NULL])];
        for k in kind.pool.iter().chain([&NULL]) {
            let ops = [Op::Eq, Op::Ne, Op::Lt, Op::Le, Op::Gt, Op::Ge];
            leaves.extend(ops.map(|op| P::Cmp(0, op, k.clone())));
            leaves.extend(ops.map(|op| P::Row(vec![0], op, vec![k.clone()])));
            leaves.push(P::In(0, vec![k.clone(), kind.pool[0].clone(), NULL]));
            leaves.push(P::Between(0, kind.pool[1].clone(), k.clone()));
            if kind.whole.is_none() && kind.ty != isotone::Type::Decimal {
                leaves.push(P::Starts(0, k.clone()));
            }
        }
        for order in 0..6 {
            with_spec(std::slice::from_ref(&kind), &[order], b"", |spec| {
                for leaf in &leaves {
                    check(spec, std::slice::from_ref(&kind), leaf, 1);
                    check(spec, std::slice::from_ref(&kind), &P::Not(Box::new(leaf.clone())), 1);
                }
            });
        }
    }
}

/// Fronts inside fronts, and texts at their ends.
#[test]
fn fronts_of_fronts() {
    for kind in [under(5), under(6)] {
        let mut pool = kind.pool.clone();
        // Longer than the first text behind all that begin with "a".
        pool.push(model::text(kind.ty, b"b\0"));
        for (i, a) in pool.iter().enumerate() {
            for b in &pool[..=i] {
                let [starts_a, starts_b, is_b] =
                    [P::Starts(0, a.clone()), P::Starts(0, b.clone()), P::Cmp(0, Op::Eq, b.clone())];
                let not = |part: &P| P::Not(Box::new(part.clone()));
                let predicates = [
                    P::And(vec![starts_a.clone(), not(&starts_b)]),
                    P::And(vec![starts_b.clone(), not(&starts_a)]),
                    P::Or(vec![starts_a.clone(), P::Cmp(0, Op::Ge, b.clone())]),
                    P::Or(vec![starts_a.clone(), is_b]),
                    P::Or(vec![starts_a, starts_b]),
                ];
                for (order, predicate) in (0..6).flat_map(|order| predicates.iter().map(move |p| (order, p))) {
                    with_spec(std::slice::from_ref(&kind), &[order], b"", |spec| {
                        check(spec, std::slice::from_ref(&kind), predicate, 1);
                    });
                }
            }
        }
    }
}

/// Row comparisons of two fields, in all thirty-six orders.
#[test]
fn rows_in_every_pair_of_orders() {
    let kinds = [under(8), under(1)];
    let k = |f: usize, n: usize| kinds[f].pool[n].clone();
    let rows = [vec![k(0, 2), k(1, 3)], vec![k(0, 5), k(1, 5)], vec![k(0, 6), k(1, 3)], vec![k(0, 3), NULL]];
    for (first, second) in (0..6).flat_map(|a| (0..6).map(move |b| (a, b))) {
        with_spec(&kinds, &[first, second], b"", |spec| {
            for values in &rows {
                for op in [Op::Eq, Op::Ne, Op::Lt, Op::Le, Op::Gt, Op::Ge] {
                    check(spec, &kinds, &P::Row(vec![0, 1], op, values.clone()), 1);
                    let turned = P::Row(vec![1, 0], op, vec![values[1].clone(), values[0].clone()]);
                    check(spec, &kinds, &P::Not(Box::new(turned)), 1);
                }
            }
        });
    }
}

/// Rows with few distinct values, extremes and ties; the ranges of a whole table.
#[test]
fn a_buffer_on_the_stack_is_enough() {
    let kinds = [under(0), under(2)];
    with_spec(&kinds, &[1, 5], b"", |spec| {
        let mut buffer = RangeBuffer::<4, 64>::new();
        let ranges = spec.ranges(&Predicate::ge(1, Value::I32(-7)), buffer.room()).unwrap();
        // false, true, and no null: every u8 is above -7.
        assert!(ranges.is_exact());
        assert_eq!(ranges.len(), 1);
    });
}
