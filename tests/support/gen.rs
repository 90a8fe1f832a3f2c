//! Generators: types of any shape, and values that lie close together. Uniform draws hardly ever
//! meet a boundary, so most values come from the edges or are one step from another value.

use std::ops::Bound;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use crate::support::bytes::at;
use crate::support::bytes::payload;
use crate::support::bytes::settled;
use crate::support::edges;
use crate::support::model::Attr;
use crate::support::model::Ends;
use crate::support::model::Ty;
use crate::support::model::V;
use crate::support::nudge::nudge;
use crate::support::nudge::shaped;
use crate::support::order;

/// Types without parts.
pub(crate) fn simple() -> impl Strategy<Value = Ty> {
    select(scalars())
}

/// Every type without parts, once.
pub(crate) fn scalars() -> Vec<Ty> {
    vec![
        Ty::Bool,
        Ty::Bytes,
        Ty::Str,
        Ty::Opaque(vec![]),
        Ty::Opaque(b"p1".to_vec()),
        Ty::Fixed(1),
        Ty::Fixed(3),
        Ty::Fixed(16),
        Ty::Fixed(300),
        Ty::Collated(false, String::new()),
        // Any bytes are a value only under a producer that is not known.
        Ty::Collated(true, "uca14;14.0.0;server;root_pad".into()),
        Ty::I8,
        Ty::I16,
        Ty::I32,
        Ty::I64,
        Ty::I128,
        Ty::U8,
        Ty::U16,
        Ty::U32,
        Ty::U64,
        Ty::U128,
        Ty::F32,
        Ty::F64,
        Ty::Decimal,
        Ty::Date,
        Ty::Time,
        Ty::TimeTz,
        Ty::Timestamp,
        Ty::Duration,
        Ty::Interval,
        Ty::Uuid,
        Ty::Mac48,
        Ty::Mac64,
        Ty::Lsn,
        Ty::Enum,
        Ty::Ip,
        Ty::IpPrefix,
        Ty::Network,
        Ty::Bits,
    ]
}

/// Types of at most `depth` composites inside each other.
pub(crate) fn ty(depth: u32) -> BoxedStrategy<Ty> {
    if depth == 0 {
        return simple().boxed();
    }
    let inner = ty(depth - 1);
    let attr = (inner.clone(), 0..6u8);
    prop_oneof![
        3 => inner.clone(),
        1 => vec(attr.clone(), 1..4).prop_map(Ty::Record),
        1 => vec(attr, 1..3).prop_map(Ty::Nested),
        1 => inner.clone().prop_map(|ty| Ty::List(ty.into())),
        1 => inner.clone().prop_map(|ty| Ty::Array(ty.into())),
        1 => inner.clone().prop_map(|ty| Ty::Range(ty.into())),
        1 => inner.prop_map(|ty| Ty::Multirange(ty.into())),
    ]
    .boxed()
}

/// A field: a type and an order code.
pub(crate) fn attr(depth: u32) -> impl Strategy<Value = Attr> {
    (ty(depth), 0..6u8)
}

/// A value that can be written, never null.
pub(crate) fn value(ty: &Ty) -> BoxedStrategy<V> {
    let this = ty.clone();
    let base = match ty {
        Ty::Record(fields) => {
            let fields: Vec<BoxedStrategy<V>> = fields.iter().map(|(ty, order)| nullable(ty, *order)).collect();
            fields.prop_map(V::Many).boxed()
        }
        Ty::Nested(fields) => {
            let inner = value(&Ty::Record(fields.clone()));
            let record = Ty::Record(fields.clone());
            let key = inner.prop_map(move |v| V::Bytes(payload(&record, &v).expect("a record that can be written")));
            prop_oneof![3 => key, 1 => pool(ty)].boxed()
        }
        Ty::List(element) => vec(nullable(element, 1), 0..4).prop_map(V::Many).boxed(),
        Ty::Array(element) => {
            (vec(nullable(element, 1), 0..5), any::<u64>()).prop_map(|(values, seed)| shaped(values, seed)).boxed()
        }
        Ty::Range(element) => range(element).prop_map(|ends| V::Range(Box::new(ends))).boxed(),
        Ty::Multirange(element) => {
            let element = (**element).clone();
            vec(range(&element), 0..4).prop_map(move |ranges| V::Multi(apart(&element, ranges))).boxed()
        }
        ty => pool(ty),
    };
    prop_oneof![
        1 => base.clone(),
        1 => (base, any::<u64>()).prop_map(move |(v, seed)| nudge(&this, &v, seed)),
    ]
    .boxed()
}

/// One of a type's edges.
fn pool(ty: &Ty) -> BoxedStrategy<V> {
    select(edges::of(ty).concat()).boxed()
}

/// A value, or a null where the order has a place for one.
pub(crate) fn nullable(ty: &Ty, order: u8) -> BoxedStrategy<V> {
    if order < 4 { prop_oneof![4 => value(ty), 1 => Just(V::Null)].boxed() } else { value(ty) }
}

/// A value that need not be one that can be written: out of its domain, of the wrong width, with
/// nulls, bounds, dimensions and ranges as they come.
pub(crate) fn wild(ty: &Ty) -> BoxedStrategy<V> {
    let around =
        |edges: &'static [i64]| (select(edges), -2..=2i64).prop_map(|(v, by)| V::Int(v.saturating_add(by).into()));
    match ty {
        Ty::Date => {
            let days = select(vec![i32::MIN, -2_451_545, 0, 2_145_031_948, i32::MAX]);
            (days, -2..=2i32).prop_map(|(v, by)| V::Int(v.saturating_add(by).into())).boxed()
        }
        Ty::Time => around(&[i64::MIN, 0, 86_400_000_000, i64::MAX]).boxed(),
        Ty::Timestamp => around(&[i64::MIN, -211_813_488_000_000_000, 0, 9_223_371_331_199_999_999, i64::MAX]).boxed(),
        Ty::TimeTz => {
            let local = around(&[0, 86_400_000_000]);
            let east = (select(vec![-57_599, 0, 57_599, i32::MIN]), -1..=1i32);
            (local, east)
                .prop_map(|(local, (east, by))| match local {
                    V::Int(local) => V::TimeTz(local as i64, east.saturating_add(by)),
                    other => other,
                })
                .boxed()
        }
        Ty::Interval => {
            let scalars = vec![i128::MIN, -5_761_043_574_840_054_775_807, 0, 5_761_043_572_161_654_775_806, i128::MAX];
            (select(scalars), -2..=2i128).prop_map(|(v, by)| V::Int(v.saturating_add(by))).boxed()
        }
        Ty::Fixed(width) => {
            let width = usize::from(*width);
            vec(any::<u8>(), width.saturating_sub(1)..width + 2).prop_map(V::Bytes).boxed()
        }
        Ty::Record(fields) => {
            let fields: Vec<BoxedStrategy<V>> = fields.iter().map(|(ty, _)| wild_or_null(ty)).collect();
            (fields, 0..8usize)
                .prop_map(|(values, n)| V::Many(if n == 0 { values[..values.len() - 1].to_vec() } else { values }))
                .boxed()
        }
        Ty::List(element) => vec(wild_or_null(element), 0..3).prop_map(V::Many).boxed(),
        Ty::Array(element) => {
            let dims = vec((0..4u32, select(vec![1, 0, i32::MIN, i32::MAX - 3, i32::MAX - 1, i32::MAX])), 0..8);
            (vec(wild_or_null(element), 0..4), dims).prop_map(|(values, dims)| V::Array(values, dims)).boxed()
        }
        Ty::Range(element) => wild_range(element).prop_map(|ends| V::Range(Box::new(ends))).boxed(),
        Ty::Multirange(element) => vec(wild_range(element), 0..3).prop_map(V::Multi).boxed(),
        ty => value(ty),
    }
}

fn wild_or_null(ty: &Ty) -> BoxedStrategy<V> {
    prop_oneof![1 => Just(V::Null), 3 => wild(ty), 3 => value(ty)].boxed()
}

fn wild_range(element: &Ty) -> BoxedStrategy<Ends> {
    let bound = |v: BoxedStrategy<V>| {
        let bounds = (v, 0..7u8);
        bounds.prop_map(|(v, how)| match how {
            0 => Bound::Unbounded,
            1..=3 => Bound::Included(v),
            _ => Bound::Excluded(v),
        })
    };
    let one = wild_or_null(element);
    let same = (one.clone(), 0..4u8).prop_map(|(v, how)| {
        let side = |excluded: bool, v: V| if excluded { Bound::Excluded(v) } else { Bound::Included(v) };
        Some((side(how & 1 == 0, v.clone()), side(how & 2 == 0, v)))
    });
    prop_oneof![1 => Just(None), 2 => same, 4 => (bound(one.clone()), bound(one)).prop_map(Some)].boxed()
}

/// Two values, most often one step from each other.
pub(crate) fn pair(ty: &Ty) -> BoxedStrategy<(V, V)> {
    let this = ty.clone();
    prop_oneof![
        2 => (value(ty), any::<u64>()).prop_map(move |(v, seed)| (v.clone(), nudge(&this, &v, seed))),
        1 => (value(ty), value(ty)),
    ]
    .boxed()
}

fn bound(element: &Ty) -> BoxedStrategy<Bound<V>> {
    let element = value(element);
    prop_oneof![
        3 => element.clone().prop_map(Bound::Included),
        3 => element.prop_map(Bound::Excluded),
        1 => Just(Bound::Unbounded),
    ]
    .boxed()
}

/// A range that can be written.
fn range(element: &Ty) -> BoxedStrategy<Ends> {
    let element = element.clone();
    let ends = (bound(&element), bound(&element), any::<u64>(), 0..4u8);
    ends.prop_map(move |(a, b, seed, how)| {
        // Now and then the second bound is one step from the first.
        let b = match at(&a) {
            Some(v) if how == 0 => Bound::Excluded(nudge(&element, v, seed)),
            _ => b,
        };
        let turned = match (at(&a), at(&b)) {
            (Some(x), Some(y)) => order::values(&element, x, y).is_gt(),
            _ => false,
        };
        let ends = Some(if turned { (b, a) } else { (a, b) });
        if settled(&element, &ends).is_some() { ends } else { None }
    })
    .boxed()
}

/// Those of the ranges that are in order and apart when taken from the least.
fn apart(element: &Ty, mut ranges: Vec<Ends>) -> Vec<Ends> {
    let ty = Ty::Range(Box::new(element.clone()));
    let one = |ends: &Ends| V::Range(Box::new(ends.clone()));
    ranges.sort_by(|a, b| order::values(&ty, &one(a), &one(b)));
    let many = Ty::Multirange(Box::new(element.clone()));
    let mut kept: Vec<Ends> = Vec::new();
    for ends in ranges {
        kept.push(ends);
        if payload(&many, &V::Multi(kept.clone())).is_none() {
            kept.pop();
        }
    }
    kept
}
