//! Compares what the crate read with a model value, through the views that a user has.

use std::ops::Bound;

use isotone::SqlRange;
use isotone::Value;

use crate::support::bytes::canonical_text;
use crate::support::bytes::scalar;
use crate::support::bytes::settled;
use crate::support::model::Ends;
use crate::support::model::Ty;
use crate::support::model::V;

/// Whether `read` is what `v` must read back as: canonical ranges, one zero, one NaN, an interval's
/// scalar, a decimal's canonical text; else the value itself.
pub(crate) fn is(ty: &Ty, v: &V, read: &Value<'_>) -> bool {
    match (ty, v, read) {
        (_, V::Null, Value::Null) => true,
        (_, V::Bool(a), Value::Bool(b)) => a == b,
        (_, V::Int(a), Value::I8(b)) => *a == i128::from(*b),
        (_, V::Int(a), Value::I16(b)) => *a == i128::from(*b),
        (_, V::Int(a), Value::I32(b)) => *a == i128::from(*b),
        (_, V::Int(a), Value::I64(b)) => *a == i128::from(*b),
        (_, V::Int(a), Value::I128(b)) => a == b,
        (_, V::Uint(a), Value::U8(b)) => *a == u128::from(*b),
        (_, V::Uint(a), Value::U16(b)) => *a == u128::from(*b),
        (_, V::Uint(a), Value::U32(b)) => *a == u128::from(*b),
        (_, V::Uint(a), Value::U64(b)) => *a == u128::from(*b),
        (_, V::Uint(a), Value::U128(b)) => a == b,
        (_, V::F32(a), Value::F32(b)) => {
            canonical(f64::from(*a)) == canonical(f64::from(*b)) && !is_negative_zero(f64::from(*b))
        }
        (_, V::F64(a), Value::F64(b)) => canonical(*a) == canonical(*b) && !is_negative_zero(*b),
        (Ty::Bytes, V::Bytes(a), Value::Bytes(b))
        | (Ty::Opaque(_), V::Bytes(a), Value::Opaque(b))
        | (Ty::Collated(..), V::Bytes(a), Value::Collated(b))
        | (Ty::Fixed(_), V::Bytes(a), Value::Fixed(b))
        | (Ty::Nested(_), V::Bytes(a), Value::Nested(b)) => {
            let mut out = vec![0; b.len()];
            let copied = b.copy_to(&mut out).is_ok_and(|copy| copy == a);
            copied && b.iter().eq(a.iter().copied()) && b.iter().len() == a.len() && b.as_slice().is_none_or(|s| s == a)
        }
        (_, V::Bytes(a), Value::Uuid(b)) => *a == b.bytes(),
        (_, V::Bytes(a), Value::Mac48(b)) => *a == b.bytes(),
        (_, V::Bytes(a), Value::Mac64(b)) => *a == b.bytes(),
        (_, V::Str(a), Value::Str(b)) => {
            let mut out = vec![0; b.len()];
            let copied = b.copy_to(&mut out).is_ok_and(|copy| copy == a);
            copied && b.chars().eq(a.chars()) && b.as_str().is_none_or(|s| s == a)
        }
        (_, V::Dec(a), Value::Decimal(b)) => canonical_text(a) == b.to_string(),
        (_, V::Int(a), Value::Date(b)) => *a == i128::from(b.days()) && b.is_valid(),
        (_, V::Int(a), Value::Time(b)) => *a == i128::from(b.micros()) && b.is_valid(),
        (_, V::TimeTz(local, east), Value::TimeTz(b)) => (*local, *east) == (b.local_micros(), b.east_seconds()),
        (_, V::Int(a), Value::Timestamp(b)) => *a == i128::from(b.micros()) && b.is_valid(),
        (_, V::Int(a), Value::Duration(b)) => *a == i128::from(b.micros()),
        (Ty::Interval, v, Value::Interval(b)) => scalar(v) == b.micros(),
        (_, V::Uint(a), Value::Lsn(b)) => *a == u128::from(b.get()),
        (_, V::Uint(a), Value::Enum(b)) => *a == u128::from(b.get()),
        (Ty::Ip, V::Net(a), Value::Ip(b)) => a.v6 == b.is_ipv6() && a.addr == address(*b),
        (Ty::IpPrefix, V::Net(a), Value::IpPrefix(b)) => {
            a.v6 == b.addr().is_ipv6() && a.addr == address(b.addr()) && a.len == b.prefix_len()
        }
        (Ty::Network, V::Net(a), Value::Network(b)) => {
            a.v6 == b.prefix().addr().is_ipv6()
                && a.addr == address(b.prefix().addr())
                && a.len == b.prefix().prefix_len()
        }
        (Ty::Bits, V::Bits(a), Value::Bits(b)) => {
            b.len_bits() == a.len()
                && b.iter().eq(a.iter().copied())
                && (0..=a.len()).all(|i| b.get(i) == a.get(i).copied())
        }
        (Ty::Record(attributes), V::Many(a), Value::Record(b)) => {
            a.len() == b.iter().count() && attributes.iter().zip(a).zip(b.iter()).all(|(((ty, _), a), b)| is(ty, a, &b))
        }
        (Ty::List(element), V::Many(a), Value::List(b)) => each(element, a, b.iter()) && a.is_empty() == b.is_empty(),
        (Ty::Array(element), V::Array(a, dims), Value::Array(b)) => {
            let same = b.dimensions().map(|d| (d.len, d.lower)).eq(dims.iter().copied());
            same && b.rank() == dims.len() && each(element, a, b.iter())
        }
        (Ty::Range(element), V::Range(a), Value::Range(b)) => ends(element, a, b.bounds()),
        (Ty::Multirange(element), V::Multi(a), Value::Multirange(b)) => {
            a.len() == b.iter().count()
                && a.is_empty() == b.is_empty()
                && a.iter().zip(b.iter()).all(|(a, b)| ends(element, a, SqlRange::bounds(&b)))
        }
        _ => false,
    }
}

fn canonical(v: f64) -> Option<f64> {
    (!v.is_nan()).then_some(v)
}

fn is_negative_zero(v: f64) -> bool {
    v == 0.0 && v.is_sign_negative()
}

fn address(addr: std::net::IpAddr) -> u128 {
    match addr {
        std::net::IpAddr::V4(v4) => v4.to_bits().into(),
        std::net::IpAddr::V6(v6) => v6.to_bits(),
    }
}

fn each<'v>(element: &Ty, a: &[V], b: impl Iterator<Item = Value<'v>> + Clone) -> bool {
    a.len() == b.clone().count() && a.iter().zip(b).all(|(a, b)| is(element, a, &b))
}

fn ends(element: &Ty, a: &Ends, b: Option<(Bound<Value<'_>>, Bound<Value<'_>>)>) -> bool {
    let bound = |a: &Bound<V>, b: &Bound<Value<'_>>| match (a, b) {
        (Bound::Included(a), Bound::Included(b)) | (Bound::Excluded(a), Bound::Excluded(b)) => is(element, a, b),
        (Bound::Unbounded, Bound::Unbounded) => true,
        _ => false,
    };
    match (settled(element, a), b) {
        (Some(None), None) => true,
        (Some(Some(a)), Some(b)) => bound(&a.0, &b.0) && bound(&a.1, &b.1),
        _ => false,
    }
}
