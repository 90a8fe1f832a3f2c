//! Hand-picked values of every type, strictly ascending, on both sides of every boundary. A rung of
//! the ladder is one value in all its spellings. Composites are built rung by rung from their
//! parts, so that their order comes from how they are made and not from a comparison.

use std::ops::Bound;
use std::ops::Bound::Excluded;
use std::ops::Bound::Included;
use std::ops::Bound::Unbounded;

use crate::support::bytes::payload;
use crate::support::ladders::Rungs;
use crate::support::ladders::bits;
use crate::support::ladders::decimals;
use crate::support::ladders::each;
use crate::support::ladders::f32s;
use crate::support::ladders::f64s;
use crate::support::ladders::fixed;
use crate::support::ladders::intervals;
use crate::support::ladders::nets;
use crate::support::ladders::signed;
use crate::support::ladders::strings;
use crate::support::ladders::texts;
use crate::support::ladders::timestamps;
use crate::support::ladders::timetzs;
use crate::support::ladders::unsigned;
use crate::support::model::Attr;
use crate::support::model::Ends;
use crate::support::model::Ty;
use crate::support::model::V;
use crate::support::order;

/// The ladder of a type.
pub(crate) fn of(ty: &Ty) -> Rungs {
    match ty {
        Ty::Bool => each([V::Bool(false), V::Bool(true)]),
        Ty::I8 => signed(i8::MIN.into(), i8::MAX.into()),
        Ty::I16 => signed(i16::MIN.into(), i16::MAX.into()),
        Ty::I32 => signed(i32::MIN.into(), i32::MAX.into()),
        Ty::I64 | Ty::Duration => signed(i64::MIN.into(), i64::MAX.into()),
        Ty::I128 => signed(i128::MIN, i128::MAX),
        Ty::U8 => unsigned(u8::MAX.into()),
        Ty::U16 => unsigned(u16::MAX.into()),
        Ty::U32 | Ty::Enum => unsigned(u32::MAX.into()),
        Ty::U64 | Ty::Lsn => unsigned(u64::MAX.into()),
        Ty::U128 => unsigned(u128::MAX),
        Ty::F32 => f32s(),
        Ty::F64 => f64s(),
        Ty::Bytes | Ty::Opaque(_) | Ty::Collated(..) | Ty::Nested(_) => strings(),
        Ty::Fixed(width) => fixed((*width).into()),
        Ty::Uuid => fixed(16),
        Ty::Mac48 => fixed(6),
        Ty::Mac64 => fixed(8),
        Ty::Str => texts(),
        Ty::Decimal => decimals(),
        Ty::Date => each(
            [i32::MIN, -2_451_545, -2_451_544, -10_957, -1, 0, 1, 10_957, 2_145_031_947, 2_145_031_948, i32::MAX]
                .map(|d| V::Int(d.into())),
        ),
        Ty::Time => each([0, 1, 255, 256, 43_200_000_000, 86_399_999_999, 86_400_000_000].map(V::Int)),
        Ty::Timestamp => timestamps(),
        Ty::TimeTz => timetzs(),
        Ty::Interval => intervals(),
        Ty::Ip => nets(|net| net.len == net.width()),
        Ty::IpPrefix => nets(|_| true),
        Ty::Network => nets(|net| net.masked() == net.addr),
        Ty::Bits => bits(),
        Ty::Record(fields) => rows(fields).into_iter().map(|row| vec![V::Many(row)]).collect(),
        Ty::List(element) => each(sequences(&parts(element, 3), 3).into_iter().map(V::Many)),
        Ty::Array(element) => each(sequences(&parts(element, 2), 3).into_iter().flat_map(arrays)),
        Ty::Range(element) => {
            let rungs = ranges(element, &points(element));
            rungs.into_iter().map(|rung| rung.into_iter().map(|ends| V::Range(Box::new(ends))).collect()).collect()
        }
        Ty::Multirange(element) => {
            let rungs: Vec<Ends> =
                ranges(element, &points(element)).into_iter().skip(1).map(|rung| rung[0].clone()).collect();
            each(multiranges(element, &rungs).into_iter().map(V::Multi))
        }
    }
}

/// One spelling of each value, in order.
pub(crate) fn ladder(ty: &Ty) -> Vec<V> {
    of(ty).into_iter().map(|mut rung| rung.swap_remove(0)).collect()
}

/// At most `n` rungs, the least and the greatest among them.
pub(crate) fn few(ty: &Ty, n: usize) -> Vec<V> {
    let all = ladder(ty);
    let last = all.len() - 1;
    let mut picked: Vec<usize> = (0..n).map(|i| i * last / (n - 1).max(1)).collect();
    picked.dedup();
    picked.into_iter().map(|i| all[i].clone()).collect()
}

/// Some elements in order, and null behind them.
fn parts(element: &Ty, n: usize) -> Vec<V> {
    few(element, n).into_iter().chain([V::Null]).collect()
}

/// Every row whose attributes each have a few values, in index order.
pub(crate) fn rows(fields: &[Attr]) -> Vec<Vec<V>> {
    let Some(((ty, order), rest)) = fields.split_first() else { return vec![Vec::new()] };
    let mut first = few(ty, 3);
    if matches!(order, 2 | 3 | 5) {
        first.reverse();
    }
    match order {
        0 | 2 => first.insert(0, V::Null),
        1 | 3 => first.push(V::Null),
        _ => {}
    }
    let tails = rows(rest);
    first.iter().flat_map(|v| tails.iter().map(|tail| [std::slice::from_ref(v), &tail[..]].concat())).collect()
}

/// Every sequence of at most `most` of the elements: each before those that it begins.
fn sequences(elements: &[V], most: usize) -> Vec<Vec<V>> {
    let mut all = vec![Vec::new()];
    if let Some(rest) = most.checked_sub(1) {
        let tails = sequences(elements, rest);
        all.extend(
            elements.iter().flat_map(|v| tails.iter().map(|tail| [std::slice::from_ref(v), &tail[..]].concat())),
        );
    }
    all
}

/// An array of the elements under all shapes that fit, the fewest dimensions first.
fn arrays(elements: Vec<V>) -> Vec<V> {
    let max = |len: u32| i32::MAX - len as i32;
    let lowers = |len: u32| [i32::MIN, -1, 0, 1, max(len)];
    let shapes: Vec<Vec<(u32, i32)>> = match elements.len() as u32 {
        0 => vec![vec![]],
        n => {
            let flat = lowers(n).into_iter().map(|lower| vec![(n, lower)]);
            let pairs = (1..=n).filter(|len| n % len == 0).map(|len| (len, n / len));
            let deep = pairs.flat_map(|(a, b)| [vec![(a, 1), (b, 0)], vec![(a, 1), (b, 1)], vec![(a, 2), (b, 1)]]);
            flat.chain(deep).chain([vec![(1, 1); 5].into_iter().chain([(n, 1)]).collect()]).collect()
        }
    };
    shapes.into_iter().map(|dims| V::Array(elements.clone(), dims)).collect()
}

/// Elements for the ends of ranges; of a discrete kind they lie some steps apart.
fn points(element: &Ty) -> Vec<V> {
    match element {
        Ty::I8 | Ty::I16 | Ty::I32 | Ty::I64 | Ty::I128 | Ty::Date => [-9, 0, 9].map(V::Int).to_vec(),
        Ty::U8 | Ty::U16 | Ty::U32 | Ty::U64 | Ty::U128 => [3, 9, 200].map(V::Uint).to_vec(),
        _ => few(element, 3),
    }
}

/// Every range over the points, in order, in all spellings.
fn ranges(element: &Ty, points: &[V]) -> Vec<Vec<Ends>> {
    let step = |v: &V, by: i128| match v {
        V::Int(v) => Some(V::Int(v + by)),
        V::Uint(v) => Some(V::Uint(v.checked_add_signed(by)?)),
        _ => None,
    };
    let discrete = matches!(points.first(), Some(V::Int(_) | V::Uint(_)))
        && !matches!(element, Ty::Time | Ty::Timestamp | Ty::Duration | Ty::Lsn | Ty::Enum);
    let first = points[0].clone();
    let mut empty = vec![
        None,
        Some((Excluded(first.clone()), Excluded(first.clone()))),
        Some((Included(first.clone()), Excluded(first.clone()))),
        Some((Excluded(first.clone()), Included(first.clone()))),
    ];
    if discrete {
        empty.push(step(&first, 1).map(|next| (Excluded(first), Excluded(next))));
    }
    let lowers: Vec<Bound<&V>> =
        [Unbounded].into_iter().chain(points.iter().flat_map(|p| [Included(p), Excluded(p)])).collect();
    let uppers: Vec<Bound<&V>> = points.iter().flat_map(|p| [Excluded(p), Included(p)]).chain([Unbounded]).collect();
    let mut rungs = vec![empty];
    for lower in &lowers {
        for upper in &uppers {
            let apart = match (lower, upper) {
                (Included(l), Included(u)) => order::values(element, l, u).is_le(),
                (Included(l) | Excluded(l), Included(u) | Excluded(u)) => order::values(element, l, u).is_lt(),
                _ => true,
            };
            if !apart {
                continue;
            }
            let (lower, upper) = (lower.cloned(), upper.cloned());
            let mut rung = vec![Some((lower.clone(), upper.clone()))];
            if discrete {
                let other_lower = match &lower {
                    Included(v) => step(v, -1).map_or(Unbounded, Excluded),
                    Excluded(v) => step(v, 1).map_or(Unbounded, Included),
                    Unbounded => Unbounded,
                };
                let other_upper = match &upper {
                    Excluded(v) => step(v, -1).map_or(Unbounded, Included),
                    Included(v) => step(v, 1).map_or(Unbounded, Excluded),
                    Unbounded => Unbounded,
                };
                rung.extend([
                    Some((other_lower.clone(), upper)),
                    Some((lower, other_upper.clone())),
                    Some((other_lower, other_upper)),
                ]);
                rung.retain(|ends| {
                    payload(&Ty::Range(Box::new(element.clone())), &V::Range(Box::new(ends.clone())))
                        .is_some_and(|bytes| bytes != [0])
                });
            }
            rungs.push(rung);
        }
    }
    rungs
}

/// Every multirange of at most two of the ranges, in order.
fn multiranges(element: &Ty, ranges: &[Ends]) -> Vec<Vec<Ends>> {
    let ty = Ty::Multirange(Box::new(element.clone()));
    let mut all = vec![Vec::new()];
    for first in ranges {
        all.push(vec![first.clone()]);
        for second in ranges {
            let both = vec![first.clone(), second.clone()];
            if payload(&ty, &V::Multi(both.clone())).is_some() {
                all.push(both);
            }
        }
    }
    all
}
