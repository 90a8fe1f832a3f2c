//! The bytes of `FORMAT.md` §1 and §2 a second time: slow, plain, and from the page alone.

use std::cmp::Ordering;
use std::ops::Bound;

use crate::support::model::Attr;
use crate::support::model::Ends;
use crate::support::model::Ty;
use crate::support::model::V;
use crate::support::model::pack;
use crate::support::order;

/// A decimal's parts: the number is ±digits × 10^exponent, zero where there are no digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Number {
    NegInfinity,
    Finite { negative: bool, digits: Vec<u8>, exponent: i128 },
    Infinity,
    Nan,
}

/// Reads a decimal's text; it must be one.
pub(crate) fn number(text: &str) -> Number {
    let unsigned = text.trim_start_matches(['+', '-']);
    let negative = text.starts_with('-');
    match unsigned {
        "Infinity" if negative => return Number::NegInfinity,
        "Infinity" => return Number::Infinity,
        "NaN" => return Number::Nan,
        _ => {}
    }
    let (coefficient, written) = match unsigned.split_once(['e', 'E']) {
        Some((coefficient, exponent)) => (coefficient, exponent.parse::<i128>().expect("an exponent")),
        None => (unsigned, 0),
    };
    let (whole, fraction) = coefficient.split_once('.').unwrap_or((coefficient, ""));
    let all = format!("{whole}{fraction}");
    let trimmed = all.trim_end_matches('0');
    let exponent = written - fraction.len() as i128 + (all.len() - trimmed.len()) as i128;
    let digits: Vec<u8> = trimmed.trim_start_matches('0').bytes().map(|b| b - b'0').collect();
    Number::Finite { negative: negative && !digits.is_empty(), digits, exponent }
}

/// The canonical text of a decimal.
pub(crate) fn canonical_text(text: &str) -> String {
    match number(text) {
        Number::NegInfinity => "-Infinity".into(),
        Number::Infinity => "Infinity".into(),
        Number::Nan => "NaN".into(),
        Number::Finite { digits, .. } if digits.is_empty() => "0".into(),
        Number::Finite { negative, digits, exponent } => {
            let digits: String = digits.iter().map(|d| char::from(d + b'0')).collect();
            format!("{}{digits}e{exponent}", if negative { "-" } else { "" })
        }
    }
}

fn escaped(bytes: &[u8]) -> Vec<u8> {
    let mut out: Vec<u8> = bytes.iter().flat_map(|b| if *b == 0 { vec![0, 0xff] } else { vec![*b] }).collect();
    out.extend([0, 0]);
    out
}

fn complemented(bytes: Vec<u8>) -> Vec<u8> {
    bytes.into_iter().map(|b| !b).collect()
}

/// A signed number in `width` bytes, top bit flipped; `None` where it does not fit.
fn signed(v: i128, width: usize) -> Option<Vec<u8>> {
    let bits = 8 * width as u32;
    if width < 16 && (v < -(1 << (bits - 1)) || v >= 1 << (bits - 1)) {
        return None;
    }
    let mut bytes = v.to_be_bytes()[16 - width..].to_vec();
    bytes[0] ^= 0x80;
    Some(bytes)
}

fn unsigned(v: u128, width: usize) -> Option<Vec<u8>> {
    let fits = width == 16 || v >> (8 * width) == 0;
    fits.then(|| v.to_be_bytes()[16 - width..].to_vec())
}

fn float(bits: u64, width: usize, nan: bool, zero: bool) -> Vec<u8> {
    if nan {
        return vec![0xff; width];
    }
    let mut bytes = bits.to_be_bytes()[8 - width..].to_vec();
    if zero {
        bytes[0] = 0;
    }
    if bytes[0] & 0x80 != 0 {
        bytes = complemented(bytes);
    } else {
        bytes[0] ^= 0x80;
    }
    bytes
}

fn decimal(text: &str) -> Option<Vec<u8>> {
    Some(match number(text) {
        Number::NegInfinity => vec![0],
        Number::Infinity => vec![4],
        Number::Nan => vec![5],
        Number::Finite { digits, .. } if digits.is_empty() => vec![2],
        Number::Finite { negative, digits, exponent } => {
            let mut magnitude = signed(exponent + digits.len() as i128 - 1, 4)?;
            magnitude.extend(digits.iter().map(|d| d + 1));
            magnitude.push(0);
            if negative { [vec![1], complemented(magnitude)].concat() } else { [vec![3], magnitude].concat() }
        }
    })
}

/// Least and greatest scalar of a temporal kind, and whether its extremes are infinities.
fn in_domain(v: i128, min: i128, max: i128, width: usize, infinities: bool) -> Option<Vec<u8>> {
    let bits = 8 * width as u32;
    let (least, greatest) =
        if width == 16 { (i128::MIN, i128::MAX) } else { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) };
    let infinite = infinities && (v == least || v == greatest);
    if infinite || (min..=max).contains(&v) { signed(v, width) } else { None }
}

/// An interval's scalar, from its parts or as given.
pub(crate) fn scalar(v: &V) -> i128 {
    match v {
        V::Int(scalar) => *scalar,
        V::Span(i32::MIN, i32::MIN, i64::MIN) => i128::MIN,
        V::Span(i32::MAX, i32::MAX, i64::MAX) => i128::MAX,
        V::Span(months, days, micros) => {
            i128::from(*micros) + 86_400_000_000 * (i128::from(*days) + 30 * i128::from(*months))
        }
        _ => panic!("{v:?} is no interval"),
    }
}

const DATE_MIN: i128 = -2_451_545;
const DATE_MAX: i128 = 2_145_031_949 - 1;

/// The ascending payload, or `None` where writing it is refused as an invalid value.
pub(crate) fn payload(ty: &Ty, v: &V) -> Option<Vec<u8>> {
    match (ty, v) {
        (_, V::Null) => None,
        (Ty::Bool, V::Bool(v)) => Some(vec![u8::from(*v)]),
        (Ty::I8, V::Int(v)) => signed(*v, 1),
        (Ty::I16, V::Int(v)) => signed(*v, 2),
        (Ty::I32, V::Int(v)) => signed(*v, 4),
        (Ty::I64 | Ty::Duration, V::Int(v)) => signed(*v, 8),
        (Ty::I128, V::Int(v)) => signed(*v, 16),
        (Ty::U8, V::Uint(v)) => unsigned(*v, 1),
        (Ty::U16, V::Uint(v)) => unsigned(*v, 2),
        (Ty::U32 | Ty::Enum, V::Uint(v)) => unsigned(*v, 4),
        (Ty::U64 | Ty::Lsn, V::Uint(v)) => unsigned(*v, 8),
        (Ty::U128, V::Uint(v)) => unsigned(*v, 16),
        (Ty::F32, V::F32(v)) => Some(float(v.to_bits().into(), 4, v.is_nan(), *v == 0.0)),
        (Ty::F64, V::F64(v)) => Some(float(v.to_bits(), 8, v.is_nan(), *v == 0.0)),
        (Ty::Bytes | Ty::Opaque(_) | Ty::Collated(..) | Ty::Nested(_), V::Bytes(v)) => Some(escaped(v)),
        (Ty::Str, V::Str(v)) => Some(escaped(v.as_bytes())),
        (Ty::Fixed(width), V::Bytes(v)) => (v.len() == usize::from(*width)).then(|| v.clone()),
        (Ty::Uuid | Ty::Mac48 | Ty::Mac64, V::Bytes(v)) => Some(v.clone()),
        (Ty::Decimal, V::Dec(text)) => decimal(text),
        (Ty::Date, V::Int(v)) => in_domain(*v, DATE_MIN, DATE_MAX, 4, true),
        (Ty::Time, V::Int(v)) => in_domain(*v, 0, 86_400_000_000, 8, false),
        (Ty::Timestamp, V::Int(v)) => in_domain(*v, -211_813_488_000_000_000, 9_223_371_331_200_000_000 - 1, 8, true),
        (Ty::TimeTz, V::TimeTz(local, east)) => {
            let valid = (0..=86_400_000_000).contains(local) && (-57_599..=57_599).contains(east);
            let utc = i128::from(*local) - i128::from(*east) * 1_000_000;
            if valid { Some([signed(utc, 8)?, signed(-i128::from(*east), 4)?].concat()) } else { None }
        }
        (Ty::Interval, v) => {
            let (min, max) = (-5_761_043_574_840_054_775_808 + 1, 5_761_043_572_161_654_775_807 - 1);
            in_domain(scalar(v), min, max, 16, true)
        }
        (Ty::Ip | Ty::IpPrefix | Ty::Network, V::Net(net)) => {
            let valid = match ty {
                Ty::Ip => net.len == net.width(),
                Ty::Network => net.masked() == net.addr,
                _ => net.len <= net.width(),
            };
            let bytes = |addr: u128| addr.to_be_bytes()[16 - usize::from(net.width()) / 8..].to_vec();
            let shown = &bytes(net.masked())[..usize::from(net.len.div_ceil(8))];
            let family = if net.v6 { 6 } else { 4 };
            valid.then(|| [vec![family], escaped(shown), vec![net.len], bytes(net.addr)].concat())
        }
        (Ty::Record(fields), V::Many(values)) => {
            if fields.len() == values.len() {
                key(fields, values)
            } else {
                None
            }
        }
        (Ty::List(element), V::Many(values)) => list(element, values),
        (Ty::Array(element), V::Array(values, dims)) => array(element, values, dims),
        (Ty::Range(element), V::Range(ends)) => Some(match settled(element, ends)? {
            None => vec![0],
            Some(bounds) => range(element, &bounds)?,
        }),
        (Ty::Multirange(element), V::Multi(ranges)) => multirange(element, ranges),
        (Ty::Bits, V::Bits(bits)) => {
            let used = if bits.is_empty() { 0 } else { (bits.len() - 1) % 8 + 1 };
            Some([escaped(&pack(bits)), vec![used as u8]].concat())
        }
        (ty, v) => panic!("{v:?} is no {ty:?}"),
    }
}

fn list(element: &Ty, values: &[V]) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    for v in values {
        match v {
            V::Null => out.push(2),
            v => {
                out.push(1);
                out.extend(payload(element, v)?);
            }
        }
    }
    out.push(0);
    Some(out)
}

fn array(element: &Ty, values: &[V], dims: &[(u32, i32)]) -> Option<Vec<u8>> {
    let product: u128 = if dims.is_empty() { 0 } else { dims.iter().map(|(len, _)| u128::from(*len)).product() };
    let each = dims.iter().all(|(len, lower)| *len >= 1 && i64::from(*lower) + i64::from(*len) <= i64::from(i32::MAX));
    if dims.len() > 6 || product != values.len() as u128 || !each {
        return None;
    }
    let mut out = list(element, values)?;
    out.push(dims.len() as u8);
    if dims.len() >= 2 {
        dims.iter().for_each(|(len, _)| out.extend(len.to_be_bytes()));
    }
    for (_, lower) in dims {
        out.extend(signed((*lower).into(), 4)?);
    }
    Some(out)
}

/// A range's bounds as they are stored: `Some(None)` for the empty range, `None` where refused.
pub(crate) fn settled(element: &Ty, ends: &Ends) -> Option<Ends> {
    let Some((lower, upper)) = ends else { return Some(None) };
    for v in [at(lower), at(upper)].into_iter().flatten() {
        payload(element, v)?;
    }
    if is_empty(element, lower, upper)? {
        return Some(None);
    }
    let mut bounds = (lower.clone(), upper.clone());
    if let Bound::Excluded(v) = lower {
        if let Some(next) = next(element, v)? {
            bounds.0 = Bound::Included(next);
        }
    }
    if let Bound::Included(v) = upper {
        if let Some(next) = next(element, v)? {
            bounds.1 = Bound::Excluded(next);
        }
    }
    Some(if is_empty(element, &bounds.0, &bounds.1)? { None } else { Some(bounds) })
}

pub(crate) fn at(bound: &Bound<V>) -> Option<&V> {
    match bound {
        Bound::Included(v) | Bound::Excluded(v) => Some(v),
        Bound::Unbounded => None,
    }
}

/// Whether nothing lies between; `None` where the lower bound is above the upper one.
fn is_empty(element: &Ty, lower: &Bound<V>, upper: &Bound<V>) -> Option<bool> {
    let (Some(l), Some(u)) = (at(lower), at(upper)) else { return Some(false) };
    match order::values(element, l, u) {
        Ordering::Less => Some(false),
        Ordering::Equal => Some(!matches!((lower, upper), (Bound::Included(_), Bound::Included(_)))),
        Ordering::Greater => None,
    }
}

/// The next value of a discrete kind: `Some(None)` where it stays as given, `None` where there is none.
fn next(element: &Ty, v: &V) -> Option<Option<V>> {
    let next = match (element, v) {
        (Ty::Date, V::Int(v)) if *v == i128::from(i32::MIN) || *v == i128::from(i32::MAX) => return Some(None),
        (Ty::Date, V::Int(DATE_MAX)) => return None,
        (Ty::I8 | Ty::I16 | Ty::I32 | Ty::I64 | Ty::I128 | Ty::Date, V::Int(v)) => V::Int(v.checked_add(1)?),
        (Ty::U8 | Ty::U16 | Ty::U32 | Ty::U64 | Ty::U128, V::Uint(v)) => V::Uint(v.checked_add(1)?),
        _ => return Some(None),
    };
    payload(element, &next)?;
    Some(Some(next))
}

fn range(element: &Ty, (lower, upper): &(Bound<V>, Bound<V>)) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    match lower {
        Bound::Unbounded => out.push(1),
        Bound::Included(v) => out.extend([vec![2], payload(element, v)?, vec![0]].concat()),
        Bound::Excluded(v) => out.extend([vec![2], payload(element, v)?, vec![1]].concat()),
    }
    match upper {
        Bound::Unbounded => out.push(1),
        Bound::Excluded(v) => out.extend([vec![0], payload(element, v)?, vec![0]].concat()),
        Bound::Included(v) => out.extend([vec![0], payload(element, v)?, vec![1]].concat()),
    }
    Some(out)
}

fn multirange(element: &Ty, ranges: &[Ends]) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    let mut last: Option<Bound<V>> = None;
    for ends in ranges {
        let bounds = settled(element, ends)??;
        if let Some(last) = &last {
            let apart = match order::values(element, at(last)?, at(&bounds.0)?) {
                Ordering::Less => true,
                Ordering::Equal => matches!((last, &bounds.0), (Bound::Excluded(_), Bound::Excluded(_))),
                Ordering::Greater => false,
            };
            if !apart {
                return None;
            }
        }
        out.extend(range(element, &bounds)?);
        last = Some(bounds.1);
    }
    out.push(0);
    Some(out)
}

/// A field: its tag, if the order has one, and the payload; or a null's tag.
pub(crate) fn field((ty, order): &Attr, v: &V) -> Option<Vec<u8>> {
    let (present, null) = match order {
        0 | 2 => (Some(1), Some(0)),
        1 | 3 => (Some(0), Some(1)),
        _ => (None, None),
    };
    if *v == V::Null {
        return Some(vec![null?]);
    }
    let payload = payload(ty, v)?;
    let payload = if matches!(order, 2 | 3 | 5) { complemented(payload) } else { payload };
    Some(present.into_iter().chain(payload).collect())
}

/// Fields one after another: a key, a prefix of one, a record's payload.
pub(crate) fn key(fields: &[Attr], values: &[V]) -> Option<Vec<u8>> {
    let parts: Option<Vec<Vec<u8>>> = fields.iter().zip(values).map(|(f, v)| field(f, v)).collect();
    Some(parts?.concat())
}
