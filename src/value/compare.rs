//! Orders two values of one kind exactly as their payloads would, without writing them.

use core::cmp::Ordering;
use core::ops::Bound;

use crate::codec::net::Ip;
use crate::kind::Kind;
use crate::kind::code;
use crate::order::FieldOrder;
use crate::order::Flip;
use crate::order::Order;
use crate::raw::sink::Invalid;
use crate::raw::sink::Payload;
use crate::raw::sink::Room;
use crate::raw::view::ByteView;
use crate::value::Lying;
use crate::value::Value;
use crate::value::array::ArrayView;
use crate::value::put::Typed;
use crate::value::put::bound_value;
use crate::value::range::SqlRange;
use crate::value::range::write::canonical;
use crate::value::range::write::is_discrete;
use crate::value::seq::ListView;
use crate::value::seq::RecordView;
use crate::value::seq::Seq;

/// Largest payload that is compared through its bytes: an IPv6 prefix, all its bytes escaped.
const SMALL: usize = 56;

/// Compares two payloads; both must be of `kind` and not null.
pub(crate) fn compare(kind: Kind<'_>, a: &Value<'_>, b: &Value<'_>) -> Result<Ordering, Invalid> {
    for value in [a, b] {
        if value.code() != Some(kind.code()) {
            return Err(if value.is_null() { Invalid::Value } else { Invalid::Type });
        }
    }
    if let (Some(a), Some(b)) = (lying(a), lying(b)) {
        if a.kind() == kind && b.kind() == kind {
            return Ok(compare_lying(a, b));
        }
    }
    Ok(match (a, b) {
        (Value::Bytes(a), Value::Bytes(b))
        | (Value::Opaque(a), Value::Opaque(b))
        | (Value::Collated(a), Value::Collated(b))
        | (Value::Fixed(a), Value::Fixed(b))
        | (Value::Nested(a), Value::Nested(b)) => a.cmp(b),
        (Value::Str(a), Value::Str(b)) => a.cmp(b),
        (Value::Decimal(a), Value::Decimal(b)) => a.cmp(b),
        (Value::Bits(a), Value::Bits(b)) => a.cmp(b),
        (Value::Ip(a), Value::Ip(b)) => small(&Ip(*a), &Ip(*b))?,
        (Value::IpPrefix(a), Value::IpPrefix(b)) => small(a, b)?,
        (Value::Network(a), Value::Network(b)) => small(a, b)?,
        (Value::List(a), Value::List(b)) => elements(kind, a.iter(), b.iter())?,
        (Value::Record(a), Value::Record(b)) => record(kind, a.iter(), b.iter())?,
        (Value::Array(a), Value::Array(b)) => {
            let by_elements = elements(kind, a.iter(), b.iter())?;
            let lens = |v: &ArrayView<'_>| v.dimensions().map(|d| d.len).fold((0u8, [0u32; 6]), push);
            let lowers = |v: &ArrayView<'_>| v.dimensions().map(|d| d.lower).fold((0u8, [0i32; 6]), push);
            by_elements.then_with(|| lens(a).cmp(&lens(b))).then_with(|| lowers(a).cmp(&lowers(b)))
        }
        (Value::Range(a), Value::Range(b)) => {
            let element = kind.element().ok_or(Invalid::Type)?;
            ranges(element, a.written(element)?, b.written(element)?)?
        }
        (Value::Multirange(a), Value::Multirange(b)) => {
            let element = kind.element().ok_or(Invalid::Type)?;
            let (mut a, mut b) = (a.iter(), b.iter());
            loop {
                let ordering = match (a.next(), b.next()) {
                    (None, None) => return Ok(Ordering::Equal),
                    (None, Some(_)) => Ordering::Less,
                    (Some(_), None) => Ordering::Greater,
                    (Some(a), Some(b)) => ranges(element, canonical(element, &a)?, canonical(element, &b)?)?,
                };
                if ordering.is_ne() {
                    return Ok(ordering);
                }
            }
        }
        _ => scalar(kind, a, b)?,
    })
}

/// A composite that lies in a key.
fn lying<'a, 'v>(value: &'a Value<'v>) -> Option<&'a Lying<'v>> {
    match value {
        Value::Record(RecordView(Seq::Lying(lying))) | Value::List(ListView(Seq::Lying(lying))) => Some(lying),
        Value::Array(array) => array.as_lying(),
        Value::Range(range) => range.as_lying(),
        Value::Multirange(ranges) => ranges.as_lying(),
        _ => None,
    }
}

/// Compares two payloads of one kind as they lie. They were checked to be canonical, and none is a
/// prefix of another, so their bytes decide, complemented where they lie so.
fn compare_lying(a: &Lying<'_>, b: &Lying<'_>) -> Ordering {
    ByteView::fixed(a.raw(), a.flip).cmp(&ByteView::fixed(b.raw(), b.flip))
}

fn push<T: Copy>((n, mut all): (u8, [T; 6]), one: T) -> (u8, [T; 6]) {
    if let Some(slot) = all.get_mut(usize::from(n)) {
        *slot = one;
    }
    (n.saturating_add(1), all)
}

/// Two values of a kind that has a fixed width.
fn scalar(kind: Kind<'_>, a: &Value<'_>, b: &Value<'_>) -> Result<Ordering, Invalid> {
    small(&Typed { kind, value: a }, &Typed { kind, value: b })
}

/// Two payloads of at most [`SMALL`] bytes.
fn small<A: Payload, B: Payload>(a: &A, b: &B) -> Result<Ordering, Invalid> {
    let (mut room_a, mut room_b) = ([0u8; SMALL], [0u8; SMALL]);
    // Payloads of one kind are never prefixes of each other, so the zeros behind them don't matter.
    a.put(&mut Room::new(&mut room_a), Flip::No)?;
    b.put(&mut Room::new(&mut room_b), Flip::No)?;
    Ok(room_a.cmp(&room_b))
}

fn elements<'v>(
    kind: Kind<'_>,
    mut a: impl Iterator<Item = Value<'v>>,
    mut b: impl Iterator<Item = Value<'v>>,
) -> Result<Ordering, Invalid> {
    let element = kind.element().ok_or(Invalid::Type)?;
    loop {
        let ordering = match (a.next(), b.next()) {
            (None, None) => return Ok(Ordering::Equal),
            (None, Some(_)) => Ordering::Less,
            (Some(_), None) => Ordering::Greater,
            (Some(a), Some(b)) => nullable(element, FieldOrder::nullable(Order::AscNullsLast), &a, &b)?,
        };
        if ordering.is_ne() {
            return Ok(ordering);
        }
    }
}

fn record<'v>(
    kind: Kind<'_>,
    mut a: impl Iterator<Item = Value<'v>>,
    mut b: impl Iterator<Item = Value<'v>>,
) -> Result<Ordering, Invalid> {
    for (kind, order) in kind.attributes() {
        let (Some(a), Some(b)) = (a.next(), b.next()) else { return Err(Invalid::Value) };
        let ordering = nullable(kind, order, &a, &b)?;
        if ordering.is_ne() {
            return Ok(ordering);
        }
    }
    if a.next().is_some() || b.next().is_some() { Err(Invalid::Value) } else { Ok(Ordering::Equal) }
}

/// Two fields under one order.
fn nullable(kind: Kind<'_>, order: FieldOrder, a: &Value<'_>, b: &Value<'_>) -> Result<Ordering, Invalid> {
    let nulls_first = order.nulls_first();
    let null = |first: bool| if first { Ordering::Less } else { Ordering::Greater };
    match (a.is_null(), b.is_null()) {
        (false, false) if order.is_descending() => compare(kind, b, a),
        (false, false) => compare(kind, a, b),
        (true, true) => nulls_first.map(|_| Ordering::Equal).ok_or(Invalid::Value),
        (true, false) => nulls_first.map(null).ok_or(Invalid::Value),
        (false, true) => nulls_first.map(|first| null(first).reverse()).ok_or(Invalid::Value),
    }
}

type Bounds<'v> = Option<(Bound<Value<'v>>, Bound<Value<'v>>)>;

/// Two ranges as they are written.
fn ranges(element: Kind<'_>, a: Bounds<'_>, b: Bounds<'_>) -> Result<Ordering, Invalid> {
    let ((a_lower, a_upper), (b_lower, b_upper)) = match (a, b) {
        (None, None) => return Ok(Ordering::Equal),
        (None, Some(_)) => return Ok(Ordering::Less),
        (Some(_), None) => return Ok(Ordering::Greater),
        (Some(a), Some(b)) => (a, b),
    };
    let lower = match (bound_value(&a_lower), bound_value(&b_lower)) {
        (None, None) => Ordering::Equal,
        (None, Some(_)) => Ordering::Less,
        (Some(_), None) => Ordering::Greater,
        (Some(a), Some(b)) => {
            let excluded = |bound: &Bound<Value<'_>>| matches!(bound, Bound::Excluded(_));
            compare(element, a, b)?.then(excluded(&a_lower).cmp(&excluded(&b_lower)))
        }
    };
    let upper = match (bound_value(&a_upper), bound_value(&b_upper)) {
        (None, None) => Ordering::Equal,
        (None, Some(_)) => Ordering::Greater,
        (Some(_), None) => Ordering::Less,
        (Some(a), Some(b)) => {
            let included = |bound: &Bound<Value<'_>>| matches!(bound, Bound::Included(_));
            compare(element, a, b)?.then(included(&a_upper).cmp(&included(&b_upper)))
        }
    };
    Ok(lower.then(upper))
}

/// Bounds as they would be written, as far as that needs no kind: discrete ones made canonical, and
/// those that meet without both being included told to be empty.
fn settled(bounds: Bounds<'_>) -> Bounds<'_> {
    let (lower, upper) = bounds?;
    let value = bound_value(&lower).or(bound_value(&upper));
    let Some(code) = value.and_then(Value::code) else { return Some((lower, upper)) };
    let kind = Kind::from_parts(code, &[]);
    if is_discrete(kind) {
        return canonical(kind, &SqlRange::Bounds(lower, upper)).unwrap_or(Some((lower, upper)));
    }
    let meet = match (bound_value(&lower), bound_value(&upper)) {
        (Some(l), Some(u)) => equal(l, u),
        _ => false,
    };
    let both_included = matches!((&lower, &upper), (Bound::Included(_), Bound::Included(_)));
    if meet && !both_included { None } else { Some((lower, upper)) }
}

/// Whether two values are of one type and equal; parts of composites likewise.
pub(crate) fn equal(a: &Value<'_>, b: &Value<'_>) -> bool {
    if a.code() != b.code() {
        return false;
    }
    if let (Some(a), Some(b)) = (lying(a), lying(b)) {
        if a.kind() == b.kind() {
            return compare_lying(a, b).is_eq();
        }
    }
    let same_bound = |a: &Bound<Value<'_>>, b: &Bound<Value<'_>>| match (a, b) {
        (Bound::Included(a), Bound::Included(b)) | (Bound::Excluded(a), Bound::Excluded(b)) => equal(a, b),
        (Bound::Unbounded, Bound::Unbounded) => true,
        _ => false,
    };
    let same_range = |a: Bounds<'_>, b: Bounds<'_>| match (settled(a), settled(b)) {
        (None, None) => true,
        (Some(a), Some(b)) => same_bound(&a.0, &b.0) && same_bound(&a.1, &b.1),
        _ => false,
    };
    match (a, b) {
        (Value::Null, _) => true,
        // These may hold what no key can, which still equals itself.
        (Value::Date(a), Value::Date(b)) => a == b,
        (Value::Time(a), Value::Time(b)) => a == b,
        (Value::TimeTz(a), Value::TimeTz(b)) => a == b,
        (Value::Timestamp(a), Value::Timestamp(b)) => a == b,
        (Value::Interval(a), Value::Interval(b)) => a == b,
        (Value::List(a), Value::List(b)) => a == b,
        (Value::Record(a), Value::Record(b)) => a == b,
        (Value::Array(a), Value::Array(b)) => a == b,
        (Value::Range(a), Value::Range(b)) => same_range(a.bounds(), b.bounds()),
        (Value::Multirange(a), Value::Multirange(b)) => {
            let (mut a, mut b) = (a.iter(), b.iter());
            loop {
                match (a.next(), b.next()) {
                    (None, None) => return true,
                    (Some(a), Some(b)) if same_range(a.bounds(), b.bounds()) => {}
                    _ => return false,
                }
            }
        }
        // Of what is left no kind but fixed bytes has parameters, and their length is compared.
        _ => compare(Kind::from_parts(a.code().unwrap_or(code::BOOL), &[]), a, b) == Ok(Ordering::Equal),
    }
}
