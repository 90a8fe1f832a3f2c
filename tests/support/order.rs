//! The order of values from the rules alone: Rust's own order of numbers, characters and bytes,
//! exact arithmetic for decimals, PostgreSQL's rules for the rest. Knows nothing of keys.

use std::cmp::Ordering;
use std::ops::Bound;

use crate::support::bytes::Number;
use crate::support::bytes::at;
use crate::support::bytes::number;
use crate::support::bytes::scalar;
use crate::support::bytes::settled;
use crate::support::model::Attr;
use crate::support::model::Ends;
use crate::support::model::Net;
use crate::support::model::Ty;
use crate::support::model::V;

/// Two values of one type, neither of them null.
pub(crate) fn values(ty: &Ty, a: &V, b: &V) -> Ordering {
    match (a, b) {
        (V::Bool(a), V::Bool(b)) => a.cmp(b),
        (V::Uint(a), V::Uint(b)) => a.cmp(b),
        (V::F32(a), V::F32(b)) => floats((*a).into(), (*b).into()),
        (V::F64(a), V::F64(b)) => floats(*a, *b),
        (V::Bytes(a), V::Bytes(b)) => a.cmp(b),
        (V::Str(a), V::Str(b)) => a.chars().cmp(b.chars()),
        (V::Dec(a), V::Dec(b)) => numbers(&number(a), &number(b)),
        (V::TimeTz(a, a_east), V::TimeTz(b, b_east)) => {
            // The instant decides; at one instant, the zone further east comes first.
            let utc = |local: i64, east: i32| i128::from(local) - i128::from(east) * 1_000_000;
            utc(*a, *a_east).cmp(&utc(*b, *b_east)).then(b_east.cmp(a_east))
        }
        (V::Span(..), _) | (_, V::Span(..)) => scalar(a).cmp(&scalar(b)),
        (V::Int(a), V::Int(b)) => a.cmp(b),
        (V::Net(a), V::Net(b)) => nets(a, b),
        (V::Bits(a), V::Bits(b)) => a.cmp(b),
        (V::Many(a), V::Many(b)) => match ty {
            Ty::Record(attributes) => rows(attributes, a, b),
            _ => elements(ty.element(), a, b),
        },
        (V::Array(a, a_dims), V::Array(b, b_dims)) => {
            let lens = |dims: &[(u32, i32)]| dims.iter().map(|d| d.0).collect::<Vec<_>>();
            let lowers = |dims: &[(u32, i32)]| dims.iter().map(|d| d.1).collect::<Vec<_>>();
            elements(ty.element(), a, b)
                .then(a_dims.len().cmp(&b_dims.len()))
                .then(lens(a_dims).cmp(&lens(b_dims)))
                .then(lowers(a_dims).cmp(&lowers(b_dims)))
        }
        (V::Range(a), V::Range(b)) => {
            let settle = |ends: &Ends| settled(ty.element(), ends).expect("a range that can be written");
            ranges(ty.element(), &settle(a), &settle(b))
        }
        (V::Multi(a), V::Multi(b)) => {
            let settle = |ends: &Ends| settled(ty.element(), ends).expect("ranges that can be written");
            for (a, b) in a.iter().zip(b) {
                let ordering = ranges(ty.element(), &settle(a), &settle(b));
                if ordering.is_ne() {
                    return ordering;
                }
            }
            a.len().cmp(&b.len())
        }
        _ => panic!("{a:?} and {b:?} are not both {ty:?}"),
    }
}

/// NaN is one value and the greatest; both zeros are one value.
fn floats(a: f64, b: f64) -> Ordering {
    a.is_nan().cmp(&b.is_nan()).then_with(|| a.partial_cmp(&b).unwrap_or(Ordering::Equal))
}

fn numbers(a: &Number, b: &Number) -> Ordering {
    let class = |n: &Number| match n {
        Number::NegInfinity => 0,
        Number::Finite { negative: true, .. } => 1,
        Number::Finite { digits, .. } if digits.is_empty() => 2,
        Number::Finite { .. } => 3,
        Number::Infinity => 4,
        Number::Nan => 5,
    };
    class(a).cmp(&class(b)).then_with(|| match (a, b) {
        (
            Number::Finite { negative, digits: a, exponent: a_exponent },
            Number::Finite { digits: b, exponent: b_exponent, .. },
        ) if !a.is_empty() => {
            let ordering = magnitudes((a, *a_exponent), (b, *b_exponent));
            if *negative { ordering.reverse() } else { ordering }
        }
        _ => Ordering::Equal,
    })
}

/// Two numbers digits × 10^exponent, brought to one exponent and compared as integers. Where that
/// would take too many zeros, the one with more digits before the point is greater.
fn magnitudes((a, a_exponent): (&[u8], i128), (b, b_exponent): (&[u8], i128)) -> Ordering {
    if a_exponent.abs_diff(b_exponent) > 4096 {
        let whole = |digits: &[u8], exponent: i128| digits.len() as i128 + exponent;
        return whole(a, a_exponent).cmp(&whole(b, b_exponent)).then_with(|| a.cmp(b));
    }
    let least = a_exponent.min(b_exponent);
    let shifted = |digits: &[u8], exponent: i128| {
        let mut digits = digits.to_vec();
        digits.resize(digits.len() + (exponent - least) as usize, 0);
        digits
    };
    let (a, b) = (shifted(a, a_exponent), shifted(b, b_exponent));
    a.len().cmp(&b.len()).then_with(|| a.cmp(&b))
}

/// PostgreSQL's rule: the family, the bits that both prefixes have, the shorter prefix, the address.
fn nets(a: &Net, b: &Net) -> Ordering {
    let common = u32::from(a.len.min(b.len));
    let bits = |net: &Net| if common == 0 { 0 } else { net.addr >> (u32::from(net.width()) - common) };
    a.v6.cmp(&b.v6)
        .then_with(|| bits(a).cmp(&bits(b)))
        .then_with(|| a.len.cmp(&b.len))
        .then_with(|| a.addr.cmp(&b.addr))
}

/// Element by element, a null above all; then the shorter one first.
fn elements(element: &Ty, a: &[V], b: &[V]) -> Ordering {
    for (a, b) in a.iter().zip(b) {
        let ordering = fields(element, 1, a, b);
        if ordering.is_ne() {
            return ordering;
        }
    }
    a.len().cmp(&b.len())
}

/// Lower bounds first: nothing is below an unbounded one, and at one value `[` comes before `(`.
/// Upper bounds: nothing is above an unbounded one, and at one value `)` comes before `]`.
fn ranges(element: &Ty, a: &Ends, b: &Ends) -> Ordering {
    let ((a_lower, a_upper), (b_lower, b_upper)) = match (a, b) {
        (None, None) => return Ordering::Equal,
        (None, Some(_)) => return Ordering::Less,
        (Some(_), None) => return Ordering::Greater,
        (Some(a), Some(b)) => (a, b),
    };
    let bounds = |a: &Bound<V>, b: &Bound<V>, unbounded: Ordering, excluded: Ordering| match (at(a), at(b)) {
        (None, None) => Ordering::Equal,
        (None, Some(_)) => unbounded,
        (Some(_), None) => unbounded.reverse(),
        (Some(x), Some(y)) => values(element, x, y).then(match (a, b) {
            (Bound::Excluded(_), Bound::Included(_)) => excluded,
            (Bound::Included(_), Bound::Excluded(_)) => excluded.reverse(),
            _ => Ordering::Equal,
        }),
    };
    bounds(a_lower, b_lower, Ordering::Less, Ordering::Greater)
        .then_with(|| bounds(a_upper, b_upper, Ordering::Greater, Ordering::Less))
}

/// Two values, or nulls, under an order code.
pub(crate) fn fields(ty: &Ty, order: u8, a: &V, b: &V) -> Ordering {
    let nulls_first = order & 1 == 0;
    match (a, b) {
        (V::Null, V::Null) => Ordering::Equal,
        (V::Null, _) if nulls_first => Ordering::Less,
        (V::Null, _) => Ordering::Greater,
        (_, V::Null) if nulls_first => Ordering::Greater,
        (_, V::Null) => Ordering::Less,
        (a, b) if matches!(order, 2 | 3 | 5) => values(ty, b, a),
        (a, b) => values(ty, a, b),
    }
}

/// As many fields as the shorter row has, in index order.
pub(crate) fn rows(attributes: &[Attr], a: &[V], b: &[V]) -> Ordering {
    for ((ty, order), (a, b)) in attributes.iter().zip(a.iter().zip(b)) {
        let ordering = fields(ty, *order, a, b);
        if ordering.is_ne() {
            return ordering;
        }
    }
    Ordering::Equal
}
