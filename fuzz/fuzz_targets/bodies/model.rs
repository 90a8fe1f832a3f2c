//! A plain evaluator: how values order, said over values and never over bytes. `FORMAT.md` §1 and §2.

use std::cmp::Ordering;
use std::net::IpAddr;
use std::ops::Bound;

use isotone::Date;
use isotone::Decimal;
use isotone::FieldOrder;
use isotone::Kind;
use isotone::SqlRange;
use isotone::Value;

/// Both bounds of a range that is not empty, as they are written.
pub(crate) type Bounds<'v> = (Bound<Value<'v>>, Bound<Value<'v>>);

/// Two values of one field, nulls among them.
pub(crate) fn compare_fields(kind: Kind<'_>, order: FieldOrder, a: &Value<'_>, b: &Value<'_>) -> Ordering {
    let nulls_first = matches!(order.code(), 0 | 2);
    match (a.is_null(), b.is_null()) {
        (true, true) => Ordering::Equal,
        (true, false) if nulls_first => Ordering::Less,
        (true, false) => Ordering::Greater,
        (false, true) if nulls_first => Ordering::Greater,
        (false, true) => Ordering::Less,
        (false, false) if matches!(order.code(), 2 | 3 | 5) => compare(kind, b, a),
        (false, false) => compare(kind, a, b),
    }
}

/// Two rows, or the fields that both of them have.
pub(crate) fn compare_rows(kinds: &[(Kind<'_>, FieldOrder)], a: &[Value<'_>], b: &[Value<'_>]) -> Ordering {
    let fields = kinds.iter().zip(a.iter().zip(b));
    fields.fold(Ordering::Equal, |so_far, ((kind, order), (a, b))| {
        so_far.then_with(|| compare_fields(*kind, *order, a, b))
    })
}

/// Two values of one kind, neither null.
pub(crate) fn compare(kind: Kind<'_>, a: &Value<'_>, b: &Value<'_>) -> Ordering {
    match (a, b) {
        (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
        (Value::I8(a), Value::I8(b)) => a.cmp(b),
        (Value::I16(a), Value::I16(b)) => a.cmp(b),
        (Value::I32(a), Value::I32(b)) => a.cmp(b),
        (Value::I64(a), Value::I64(b)) => a.cmp(b),
        (Value::I128(a), Value::I128(b)) => a.cmp(b),
        (Value::U8(a), Value::U8(b)) => a.cmp(b),
        (Value::U16(a), Value::U16(b)) => a.cmp(b),
        (Value::U32(a), Value::U32(b)) => a.cmp(b),
        (Value::U64(a), Value::U64(b)) => a.cmp(b),
        (Value::U128(a), Value::U128(b)) => a.cmp(b),
        (Value::F32(a), Value::F32(b)) => floats(f64::from(*a), f64::from(*b)),
        (Value::F64(a), Value::F64(b)) => floats(*a, *b),
        (Value::Bytes(a), Value::Bytes(b))
        | (Value::Opaque(a), Value::Opaque(b))
        | (Value::Collated(a), Value::Collated(b))
        | (Value::Fixed(a), Value::Fixed(b))
        | (Value::Nested(a), Value::Nested(b)) => a.iter().cmp(b.iter()),
        (Value::Str(a), Value::Str(b)) => a.chars().cmp(b.chars()),
        (Value::Decimal(a), Value::Decimal(b)) => decimals(a, b),
        (Value::Date(a), Value::Date(b)) => a.days().cmp(&b.days()),
        (Value::Time(a), Value::Time(b)) => a.micros().cmp(&b.micros()),
        (Value::TimeTz(a), Value::TimeTz(b)) => {
            let rank = |t: &isotone::ZonedTime| {
                (t.local_micros() - i64::from(t.east_seconds()) * 1_000_000, -t.east_seconds())
            };
            rank(a).cmp(&rank(b))
        }
        (Value::Timestamp(a), Value::Timestamp(b)) => a.micros().cmp(&b.micros()),
        (Value::Duration(a), Value::Duration(b)) => a.micros().cmp(&b.micros()),
        (Value::Interval(a), Value::Interval(b)) => a.micros().cmp(&b.micros()),
        (Value::Uuid(a), Value::Uuid(b)) => a.cmp(b),
        (Value::Mac48(a), Value::Mac48(b)) => a.cmp(b),
        (Value::Mac64(a), Value::Mac64(b)) => a.cmp(b),
        (Value::Lsn(a), Value::Lsn(b)) => a.cmp(b),
        (Value::Enum(a), Value::Enum(b)) => a.cmp(b),
        (Value::Ip(a), Value::Ip(b)) => (a.is_ipv6(), a).cmp(&(b.is_ipv6(), b)),
        (Value::IpPrefix(a), Value::IpPrefix(b)) => prefixes(a.addr(), a.prefix_len(), b.addr(), b.prefix_len()),
        (Value::Network(a), Value::Network(b)) => {
            let (a, b) = (a.prefix(), b.prefix());
            prefixes(a.addr(), a.prefix_len(), b.addr(), b.prefix_len())
        }
        (Value::Bits(a), Value::Bits(b)) => a.iter().cmp(b.iter()),
        (Value::Record(a), Value::Record(b)) => {
            let kinds: Vec<_> = kind.attributes().collect();
            let (a, b): (Vec<_>, Vec<_>) = (a.iter().collect(), b.iter().collect());
            compare_rows(&kinds, &a, &b)
        }
        (Value::List(a), Value::List(b)) => elements(kind, a.iter(), b.iter()),
        (Value::Array(a), Value::Array(b)) => {
            let (dims_a, dims_b): (Vec<_>, Vec<_>) = (a.dimensions().collect(), b.dimensions().collect());
            elements(kind, a.iter(), b.iter())
                .then(dims_a.len().cmp(&dims_b.len()))
                .then(dims_a.iter().map(|d| d.len).cmp(dims_b.iter().map(|d| d.len)))
                .then(dims_a.iter().map(|d| d.lower).cmp(dims_b.iter().map(|d| d.lower)))
        }
        (Value::Range(a), Value::Range(b)) => {
            let element = kind.element().expect("a range has an element");
            let form = |bounds: Option<Bounds<'_>>| bounds.is_some();
            let (a, b) = (written(element, a.bounds()), written(element, b.bounds()));
            match (a, b) {
                (Some(a), Some(b)) => bounds(element, &a, &b),
                (a, b) => form(a).cmp(&form(b)),
            }
        }
        (Value::Multirange(a), Value::Multirange(b)) => {
            let element = kind.element().expect("a multirange has an element");
            let all = |m: &isotone::MultirangeView<'_>| m.iter().count();
            let pairs = a.iter().zip(b.iter()).map(|(a, b)| {
                let a = written(element, a.bounds()).expect("no range of a multirange is empty");
                let b = written(element, b.bounds()).expect("no range of a multirange is empty");
                bounds(element, &a, &b)
            });
            pairs.fold(Ordering::Equal, Ordering::then).then(all(a).cmp(&all(b)))
        }
        _ => panic!("two values of {kind:?}: {a:?}, {b:?}"),
    }
}

/// NaN is one value and the greatest; the zeros are one.
fn floats(a: f64, b: f64) -> Ordering {
    a.partial_cmp(&b).unwrap_or_else(|| a.is_nan().cmp(&b.is_nan()))
}

fn decimals(a: &Decimal<'_>, b: &Decimal<'_>) -> Ordering {
    let class = |d: &Decimal<'_>| match (d.is_nan(), d.is_infinite(), d.is_negative(), d.is_zero()) {
        (true, ..) => 5,
        (_, true, true, _) => 0,
        (_, true, false, _) => 4,
        (_, _, _, true) => 2,
        (_, _, negative, _) => {
            if negative {
                1
            } else {
                3
            }
        }
    };
    let magnitude = || a.adjusted().cmp(&b.adjusted()).then_with(|| a.digits().cmp(b.digits()));
    match (class(a), class(b)) {
        (1, 1) => magnitude().reverse(),
        (3, 3) => magnitude(),
        (a, b) => a.cmp(&b),
    }
}

fn prefixes(a: IpAddr, a_len: u8, b: IpAddr, b_len: u8) -> Ordering {
    let masked = |addr: IpAddr, len: u8| match addr {
        IpAddr::V4(v4) => u128::from(v4.to_bits() & u32::MAX.checked_shl(32 - u32::from(len)).unwrap_or(0)),
        IpAddr::V6(v6) => v6.to_bits() & u128::MAX.checked_shl(128 - u32::from(len)).unwrap_or(0),
    };
    let rank = |addr: IpAddr, len| (addr.is_ipv6(), masked(addr, len), len, addr);
    rank(a, a_len).cmp(&rank(b, b_len))
}

/// A list that ends is below one that goes on; a null is above any element.
fn elements<'v>(kind: Kind<'_>, a: impl Iterator<Item = Value<'v>>, b: impl Iterator<Item = Value<'v>>) -> Ordering {
    let element = kind.element().expect("a list has an element");
    let nulls_last = FieldOrder::from_code(1).expect("a code");
    let (a, b): (Vec<_>, Vec<_>) = (a.collect(), b.collect());
    let pairs = a.iter().zip(&b).map(|(a, b)| compare_fields(element, nulls_last, a, b));
    pairs.fold(Ordering::Equal, Ordering::then).then(a.len().cmp(&b.len()))
}

fn bounds(element: Kind<'_>, a: &Bounds<'_>, b: &Bounds<'_>) -> Ordering {
    // Unbounded is lowest below and highest above; of equal values `[` is below `(`, `)` below `]`.
    let lower = match (&a.0, &b.0) {
        (Bound::Unbounded, Bound::Unbounded) => Ordering::Equal,
        (Bound::Unbounded, _) => Ordering::Less,
        (_, Bound::Unbounded) => Ordering::Greater,
        (a, b) => {
            let excluded = |b: &Bound<Value<'_>>| matches!(b, Bound::Excluded(_));
            compare(element, &value(a), &value(b)).then(excluded(a).cmp(&excluded(b)))
        }
    };
    lower.then_with(|| match (&a.1, &b.1) {
        (Bound::Unbounded, Bound::Unbounded) => Ordering::Equal,
        (Bound::Unbounded, _) => Ordering::Greater,
        (_, Bound::Unbounded) => Ordering::Less,
        (a, b) => {
            let included = |b: &Bound<Value<'_>>| matches!(b, Bound::Included(_));
            compare(element, &value(a), &value(b)).then(included(a).cmp(&included(b)))
        }
    })
}

/// The value of a bound that has one.
fn value<'v>(bound: &Bound<Value<'v>>) -> Value<'v> {
    match bound {
        Bound::Included(value) | Bound::Excluded(value) => *value,
        Bound::Unbounded => Value::Null,
    }
}

fn written<'v>(element: Kind<'_>, given: Option<Bounds<'v>>) -> Option<Bounds<'v>> {
    let (lower, upper) = given?;
    canonical(element, &SqlRange::Bounds(lower, upper)).expect("only ranges that can be written are compared")
}

/// A range as it is written: `Ok(None)` is the empty one, `Err` what can't be written.
pub(crate) fn canonical<'v>(element: Kind<'_>, range: &SqlRange<'v>) -> Result<Option<Bounds<'v>>, ()> {
    let SqlRange::Bounds(lower, upper) = range else { return Ok(None) };
    let empty = |lower: &Bound<Value<'v>>, upper: &Bound<Value<'v>>| {
        if matches!(lower, Bound::Unbounded) || matches!(upper, Bound::Unbounded) {
            return Ok(false);
        }
        match compare(element, &value(lower), &value(upper)) {
            Ordering::Less => Ok(false),
            Ordering::Equal => Ok(!matches!((lower, upper), (Bound::Included(_), Bound::Included(_)))),
            Ordering::Greater => Err(()),
        }
    };
    if empty(lower, upper)? {
        return Ok(None);
    }
    let lower = match lower {
        Bound::Excluded(v) => match successor(v)? {
            Some(next) => Bound::Included(next),
            None => *lower,
        },
        _ => *lower,
    };
    let upper = match upper {
        Bound::Included(v) => match successor(v)? {
            Some(next) => Bound::Excluded(next),
            None => *upper,
        },
        _ => *upper,
    };
    Ok(if empty(&lower, &upper)? { None } else { Some((lower, upper)) })
}

/// The next value of a discrete kind. `Ok(None)` where there is no such thing, `Err` where it
/// leaves the kind.
fn successor<'v>(value: &Value<'v>) -> Result<Option<Value<'v>>, ()> {
    macro_rules! next {
        ($($variant:ident)*) => {
            match value {
                $(Value::$variant(v) => v.checked_add(1).map(|v| Some(Value::$variant(v))).ok_or(()),)*
                Value::Date(d) if matches!(d.days(), i32::MIN | i32::MAX) => Ok(None),
                Value::Date(d) if d.days() == 2_145_031_948 => Err(()),
                Value::Date(d) => Ok(Some(Value::Date(Date::from_days(d.days() + 1)))),
                _ => Ok(None),
            }
        };
    }
    next!(I8 I16 I32 I64 I128 U8 U16 U32 U64 U128)
}

/// Whether a multirange may hold `next` behind a range that ends with `last`.
pub(crate) fn apart(element: Kind<'_>, last: &Bound<Value<'_>>, next: &Bound<Value<'_>>) -> bool {
    match (last, next) {
        (Bound::Unbounded, _) | (_, Bound::Unbounded) => false,
        (last, next) => match compare(element, &value(last), &value(next)) {
            Ordering::Less => true,
            Ordering::Equal => matches!((last, next), (Bound::Excluded(_), Bound::Excluded(_))),
            Ordering::Greater => false,
        },
    }
}
