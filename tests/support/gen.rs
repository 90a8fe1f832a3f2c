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
use crate::support::model::Net;
use crate::support::model::Ty;
use crate::support::model::V;
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
        Ty::Collated(true, "uca14;14.0.0;server;root_pad_as_cs".into()),
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

/// Gives elements one or more dimensions.
fn shaped(values: Vec<V>, seed: u64) -> V {
    let n = values.len() as u32;
    let lower = [1, 0, -1, i32::MIN, i32::MAX - n as i32][(seed % 5) as usize];
    let dims = match (n, seed / 5 % 4) {
        (0, _) => vec![],
        (n, 0) => vec![(1, lower), (n, 1)],
        (4, 1) => vec![(2, lower), (2, 0)],
        (n, 2) => vec![(1, 1), (1, 0), (n, lower)],
        (n, _) => vec![(n, lower)],
    };
    V::Array(values, dims)
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

/// A value one step from `v`, or `v` where that step leaves the type.
pub(crate) fn nudge(ty: &Ty, v: &V, seed: u64) -> V {
    let next = step(ty, v, seed);
    if fits(ty, &next) && payload(ty, &next).is_some() { next } else { v.clone() }
}

/// Whether the crate's own type of a number can hold it.
fn fits(ty: &Ty, v: &V) -> bool {
    match (ty, v) {
        (Ty::Network, V::Net(net)) => net.masked() == net.addr,
        (Ty::Ip, V::Net(net)) => net.len == net.width(),
        _ => true,
    }
}

fn step(ty: &Ty, v: &V, seed: u64) -> V {
    let (how, more) = (seed % 8, seed / 8);
    match v {
        V::Null => V::Null,
        V::Bool(v) => V::Bool(!v),
        V::Int(v) => V::Int(match how {
            0 => v.wrapping_add(1),
            1 => v.wrapping_sub(1),
            2 => !*v,
            _ => v ^ 1 << (more % 32),
        }),
        V::Uint(v) => V::Uint(match how {
            0 => v.wrapping_add(1),
            1 => v.wrapping_sub(1),
            _ => v ^ 1 << (more % 32),
        }),
        V::F32(v) => V::F32(match how {
            0 | 1 => edges::step32(*v, edges::Step::Up),
            2 | 3 => edges::step32(*v, edges::Step::Down),
            _ => f32::from_bits(v.to_bits() ^ 1 << (more % 32)),
        }),
        V::F64(v) => V::F64(match how {
            0 | 1 => edges::step64(*v, edges::Step::Up),
            2 | 3 => edges::step64(*v, edges::Step::Down),
            _ => f64::from_bits(v.to_bits() ^ 1 << (more % 64)),
        }),
        V::Bytes(v) if matches!(ty, Ty::Fixed(_) | Ty::Uuid | Ty::Mac48 | Ty::Mac64) => {
            V::Bytes(bytes(v, 4 + 2 * (how % 2), more))
        }
        V::Bytes(v) => V::Bytes(bytes(v, how, more)),
        V::Str(v) => V::Str(text(v, how, more)),
        V::Dec(v) => V::Dec(decimal(v, how)),
        V::TimeTz(local, east) => match how {
            0 => V::TimeTz(local + 1, *east),
            1 => V::TimeTz(*local, east + 1),
            // The same instant in another zone.
            2 => V::TimeTz(local + 1_000_000, east + 1),
            3 => V::TimeTz(local - 3_600_000_000, east - 3600),
            _ => V::TimeTz(local - 1, *east),
        },
        V::Span(months, days, micros) => match how {
            0 => V::Span(months.wrapping_add(1), *days, *micros),
            1 => V::Span(*months, days.wrapping_add(1), *micros),
            2 => V::Span(months.wrapping_add(1), days.wrapping_sub(30), *micros),
            3 => V::Span(*months, days.wrapping_sub(1), micros.wrapping_add(86_400_000_000)),
            4 => V::Span(*months, *days, micros.wrapping_sub(1)),
            _ => V::Span(*months, *days, micros.wrapping_add(1)),
        },
        V::Net(net) => V::Net(network(ty, *net, how, more)),
        V::Bits(v) => {
            let mut v = v.clone();
            match how {
                0 | 1 => v.push(how == 0),
                2 => drop(v.pop()),
                _ if v.is_empty() => v.push(false),
                _ => {
                    let at = more as usize % v.len();
                    v[at] = !v[at];
                }
            }
            V::Bits(v)
        }
        V::Many(values) => match ty {
            Ty::Record(fields) => {
                let mut values = values.clone();
                let at = more as usize % fields.len();
                values[at] = part(&fields[at].0, fields[at].1, &values[at], how, more / 8);
                V::Many(values)
            }
            _ => V::Many(sequence(ty.element(), values, how, more)),
        },
        V::Array(values, dims) => {
            let mut dims = dims.clone();
            match (how, dims.first_mut()) {
                (0, Some((_, lower))) => *lower = lower.wrapping_add(1),
                (1, _) => return shaped(values.clone(), more),
                (2, _) => return shaped(sequence(ty.element(), values, more % 8, more / 8), more),
                _ => return V::Array(sequence(ty.element(), values, 7, more), dims),
            }
            V::Array(values.clone(), dims)
        }
        V::Range(ends) => V::Range(Box::new(end(ty.element(), ends, how, more))),
        V::Multi(ranges) => {
            let mut ranges = ranges.clone();
            if how == 0 || ranges.is_empty() {
                ranges.pop();
            } else {
                let at = more as usize % ranges.len();
                ranges[at] = end(ty.element(), &ranges[at], how, more / 8);
            }
            V::Multi(ranges)
        }
    }
}

fn bytes(v: &[u8], how: u64, more: u64) -> Vec<u8> {
    let marks = [0x00, 0x01, 0xfe, 0xff];
    let mut v = v.to_vec();
    match how {
        0..=2 => v.push(marks[more as usize % 4]),
        3 => drop(v.pop()),
        _ if v.is_empty() => v.push(0),
        4 => {
            let at = more as usize % v.len();
            v[at] = marks[more as usize / 64 % 4];
        }
        5 => v.insert(more as usize % v.len(), 0),
        _ => {
            let at = more as usize % v.len();
            v[at] ^= 1 << (more / 64 % 8);
        }
    }
    v
}

fn text(v: &str, how: u64, more: u64) -> String {
    let marks = ['\0', '\u{1}', 'a', '\u{e9}', '\u{ffff}', '\u{10ffff}'];
    let mut v: Vec<char> = v.chars().collect();
    let mark = marks[more as usize % marks.len()];
    match how {
        0..=3 => v.push(mark),
        4 => drop(v.pop()),
        _ if v.is_empty() => v.push(mark),
        _ => {
            let at = more as usize / 8 % v.len();
            v[at] = mark;
        }
    }
    v.into_iter().collect()
}

/// Another spelling of a decimal, or one digit more.
fn decimal(v: &str, how: u64) -> String {
    if v.ends_with(['y', 'N']) {
        return v.trim_start_matches(['-', '+']).into();
    }
    let (coefficient, exponent) = v.split_once(['e', 'E']).unwrap_or((v, "0"));
    let point = if coefficient.contains('.') { "" } else { "." };
    match how {
        0 => format!("{coefficient}{point}0e{exponent}"),
        1 => format!("{coefficient}{point}01E{exponent}"),
        2 => format!("{coefficient}{point}9e{exponent}"),
        3 => format!("{coefficient}e{}", exponent.parse::<i64>().unwrap_or(0).wrapping_add(1)),
        4 if v.starts_with('-') => v[1..].into(),
        4 | 5 => format!("-{}", v.trim_start_matches(['-', '+'])),
        _ => format!("{coefficient}{point}000000000000000000000000000000000000000000001e{exponent}"),
    }
}

fn network(ty: &Ty, mut net: Net, how: u64, more: u64) -> Net {
    let width = u64::from(net.width());
    match how {
        0 | 1 if *ty != Ty::Ip => net.len = (more % (width + 1)) as u8,
        2 => net = Net { v6: true, addr: 0xffff_0000_0000 | net.addr & 0xffff_ffff, len: 128 },
        _ => net.addr ^= 1 << (more % width),
    }
    if *ty == Ty::Network {
        net.addr = net.masked();
    }
    net
}

fn part(ty: &Ty, order: u8, v: &V, how: u64, seed: u64) -> V {
    match v {
        V::Null => edges::few(ty, 3)[seed as usize % 2].clone(),
        _ if how == 0 && order < 4 => V::Null,
        v => nudge(ty, v, seed),
    }
}

fn sequence(element: &Ty, values: &[V], how: u64, more: u64) -> Vec<V> {
    let mut values = values.to_vec();
    match how {
        0 => values.push(V::Null),
        1 => drop(values.pop()),
        2 => values.extend(values.first().cloned()),
        _ if values.is_empty() => {}
        _ => {
            let at = more as usize % values.len();
            values[at] = part(element, 1, &values[at], more / 8 % 4, more / 64);
        }
    }
    values
}

/// Moves an end of a range, or turns it between included and excluded.
fn end(element: &Ty, ends: &Ends, how: u64, more: u64) -> Ends {
    let turned = |bound: &Bound<V>| match bound {
        Bound::Included(v) => Bound::Excluded(v.clone()),
        Bound::Excluded(v) => Bound::Included(v.clone()),
        Bound::Unbounded => Bound::Unbounded,
    };
    let moved = |bound: &Bound<V>| bound.as_ref().map(|v| nudge(element, v, more));
    let (lower, upper) = ends.as_ref()?;
    match how {
        0 => Some((Bound::Unbounded, upper.clone())),
        1 => Some((lower.clone(), Bound::Unbounded)),
        2 => Some((turned(lower), upper.clone())),
        3 => Some((lower.clone(), turned(upper))),
        4 => Some((moved(lower), upper.clone())),
        5 => Some((lower.clone(), moved(upper))),
        _ => Some((turned(lower), turned(upper))),
    }
}
