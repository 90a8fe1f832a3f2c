//! Types, fields and values from a fuzzer's bytes. Values are ones that can be written, with many ties
//! and near misses among them; running out of bytes gives the first choice everywhere.

use std::net::IpAddr;

use arbitrary::Result;
use arbitrary::Unstructured;
use isotone::ArrayView;
use isotone::BitsView;
use isotone::Date;
use isotone::Decimal;
use isotone::Dimension;
use isotone::EnumRank;
use isotone::Field;
use isotone::Interval;
use isotone::IntervalScalar;
use isotone::IpPrefix;
use isotone::Kind;
use isotone::ListView;
use isotone::Lsn;
use isotone::Mac48;
use isotone::Mac64;
use isotone::MicroDuration;
use isotone::MultirangeView;
use isotone::RangeView;
use isotone::RecordView;
use isotone::SqlRange;
use isotone::Time;
use isotone::Timestamp;
use isotone::Type;
use isotone::Uuid;
use isotone::Value;
use isotone::ZonedTime;

use super::kinds;
use super::model;
use super::store::Store;

/// A declared type under at most `depth` more composites.
pub(crate) fn ty<'v>(u: &mut Unstructured<'_>, store: &'v Store<'v>, depth: usize) -> Result<Type<'v>> {
    let inner = |u: &mut Unstructured<'_>| Ok(store.ty(ty(u, store, depth.saturating_sub(1))?));
    Ok(match u.int_in_range(0..=if depth == 0 { 12 } else { 19 })? {
        0..=9 => *u.choose(kinds::SIMPLE)?,
        10 => Type::Fixed(u.int_in_range(1..=9)?),
        11 => Type::Opaque(store.bytes(small_bytes(u)?)),
        12 => Type::Collated { deterministic: u.arbitrary()?, producer: store.text(small_text(u)?) },
        13 => Type::Nested(store.fields(fields(u, store, depth - 1, 3)?)),
        14 => Type::Record(store.fields(fields(u, store, depth - 1, 3)?)),
        15 | 16 => Type::List(inner(u)?),
        17 => Type::Array(inner(u)?),
        18 => Type::Range(inner(u)?),
        _ => Type::Multirange(inner(u)?),
    })
}

/// One to `most` fields in any of the six orders.
pub(crate) fn fields<'v>(
    u: &mut Unstructured<'_>,
    store: &'v Store<'v>,
    depth: usize,
    most: usize,
) -> Result<Vec<Field<'v>>> {
    let n = u.int_in_range(1..=most)?;
    (0..n).map(|_| Ok(Field::from_code(ty(u, store, depth)?, u.int_in_range(0..=5)?))).collect()
}

/// A value, or one time in eight a null where `nullable`.
pub(crate) fn nullable<'v>(
    u: &mut Unstructured<'_>,
    kind: Kind<'v>,
    nullable: bool,
    store: &'v Store<'v>,
) -> Result<Value<'v>> {
    if nullable && u.ratio(1, 8)? { Ok(Value::Null) } else { value(u, kind, store) }
}

/// A row: one value for each field.
pub(crate) fn row<'v>(
    u: &mut Unstructured<'_>,
    kinds: impl Iterator<Item = (Kind<'v>, isotone::FieldOrder)>,
    store: &'v Store<'v>,
) -> Result<Vec<Value<'v>>> {
    kinds.map(|(kind, order)| nullable(u, kind, order.is_nullable(), store)).collect()
}

/// A value of this kind that can be written.
pub(crate) fn value<'v>(u: &mut Unstructured<'_>, kind: Kind<'v>, store: &'v Store<'v>) -> Result<Value<'v>> {
    Ok(match kind {
        Kind::BOOL => Value::Bool(u.arbitrary()?),
        Kind::I8 => Value::I8(pick(u, &[0, 1, -1, i8::MAX, i8::MIN])?),
        Kind::I16 => Value::I16(pick(u, &[0, 1, -1, 256, i16::MAX, i16::MIN])?),
        Kind::I32 => Value::I32(pick(u, &[0, 1, -1, 255, 256, i32::MAX, i32::MIN])?),
        Kind::I64 => Value::I64(pick(u, &[0, 1, -1, -256, i64::MAX, i64::MIN])?),
        Kind::I128 => Value::I128(pick(u, &[0, 1, -1, i128::MAX, i128::MIN])?),
        Kind::U8 => Value::U8(pick(u, &[0, 1, 2, 0x80, 0xfe, 0xff])?),
        Kind::U16 => Value::U16(pick(u, &[0, 1, 255, 256, u16::MAX])?),
        Kind::U32 => Value::U32(pick(u, &[0, 1, 255, 256, u32::MAX])?),
        Kind::U64 => Value::U64(pick(u, &[0, 1, 255, 256, u64::MAX])?),
        Kind::U128 => Value::U128(pick(u, &[0, 1, 255, 256, u128::MAX])?),
        Kind::F32 => Value::F32(pick(u, &[0.0, -0.0, 1.0, f32::NAN, f32::INFINITY, -1.5, f32::from_bits(1)])?),
        Kind::F64 => Value::F64(pick(u, &[0.0, -0.0, 1.0, f64::NAN, f64::NEG_INFINITY, -1.5, f64::from_bits(1)])?),
        Kind::BYTES => Value::bytes(store.bytes(small_bytes(u)?)),
        Kind::STR => Value::str(store.text(small_text(u)?)),
        Kind::DECIMAL => Value::Decimal(decimal(u, store)?),
        Kind::DATE => {
            let any = Date::from_days(u.arbitrary()?);
            let edges = [Date::from_days(0), Date::MIN, Date::MAX, Date::INFINITY, Date::NEG_INFINITY];
            Value::Date(if u.ratio(1, 2)? || !any.is_valid() { *u.choose(&edges)? } else { any })
        }
        Kind::TIME => Value::Time(Time::from_micros(u.int_in_range(0..=86_400_000_000)?)),
        Kind::TIMETZ => {
            // Whole hours on both sides give the same instant in many ways.
            let (hour, east) = (u.int_in_range(0..=24)?, u.int_in_range(-15..=15)?);
            let odd = i64::from(hour < 24 && u.ratio(1, 4)?);
            Value::TimeTz(ZonedTime::new(hour * 3_600_000_000 + odd, east * 3600 + i32::from(u.ratio(1, 4)?)))
        }
        Kind::TIMESTAMP => {
            let any = Timestamp::from_micros(u.arbitrary()?);
            let edges = [Timestamp::from_micros(0), Timestamp::MIN, Timestamp::MAX, Timestamp::INFINITY];
            Value::Timestamp(if u.ratio(1, 2)? || !any.is_valid() { *u.choose(&edges)? } else { any })
        }
        Kind::DURATION => Value::Duration(MicroDuration::from_micros(pick(u, &[0, 1, -1, i64::MAX, i64::MIN])?)),
        Kind::INTERVAL => {
            let any = Interval::new(pick(u, &[0, 1, -1, i32::MAX])?, pick(u, &[0, 30, -30, i32::MIN])?, u.arbitrary()?);
            let edges = [IntervalScalar::INFINITY, IntervalScalar::MIN, IntervalScalar::MAX];
            Value::Interval(if u.ratio(1, 4)? { *u.choose(&edges)? } else { any.scalar() })
        }
        Kind::UUID => Value::Uuid(Uuid::new(array(u)?)),
        Kind::MAC48 => Value::Mac48(Mac48::new(array(u)?)),
        Kind::MAC64 => Value::Mac64(Mac64::new(array(u)?)),
        Kind::LSN => Value::Lsn(Lsn::new(pick(u, &[0, 1, 1 << 32, u64::MAX])?)),
        Kind::ENUM => Value::Enum(EnumRank::new(pick(u, &[0, 1, 256, u32::MAX])?)),
        Kind::IP => Value::Ip(prefix(u)?.addr()),
        Kind::IP_PREFIX => Value::IpPrefix(prefix(u)?),
        Kind::NETWORK => Value::Network(prefix(u)?.network()),
        Kind::BITS => {
            let mut bytes = small_bytes(u)?;
            let unused = if bytes.is_empty() { 0 } else { u.int_in_range(0..=7)? };
            if let Some(last) = bytes.last_mut() {
                *last &= 0xff << unused;
            }
            let bits = bytes.len() * 8 - unused;
            Value::Bits(BitsView::new(store.bytes(bytes), bits).expect("no bit past the end"))
        }
        _ => composed(u, kind, store)?,
    })
}

fn composed<'v>(u: &mut Unstructured<'_>, kind: Kind<'v>, store: &'v Store<'v>) -> Result<Value<'v>> {
    Ok(match kind.code() {
        0x12 => Value::Opaque(store.bytes(small_bytes(u)?).into()),
        0x14 => Value::Collated(store.bytes(small_bytes(u)?).into()),
        0x70 => Value::Nested(store.bytes(small_bytes(u)?).into()),
        0x13 => {
            let width = kind.width().expect("fixed bytes have a width");
            let bytes = (0..width).map(|_| pick(u, &[0, 1, 0xff])).collect::<Result<_>>()?;
            Value::fixed(store.bytes(bytes))
        }
        0x71 => Value::Record(RecordView::new(store.values(row(u, kind.attributes(), store)?))),
        0x72 => Value::List(ListView::new(store.values(elements(u, kind, store)?))),
        0x73 => {
            let values = elements(u, kind, store)?;
            let dimensions = dimensions(u, values.len())?;
            Value::Array(ArrayView::new(store.values(values), store.dimensions(dimensions)))
        }
        0x74 => {
            let element = kind.element().expect("a range has an element");
            let range = range(u, element, store)?;
            let fits = model::canonical(element, &range).is_ok();
            Value::Range(RangeView::new(store.range(if fits { range } else { SqlRange::Empty })))
        }
        0x75 => Value::Multirange(MultirangeView::new(store.ranges(ranges(u, kind, store)?))),
        code => panic!("a kind that the targets do not know: {code:#x}"),
    })
}

fn elements<'v>(u: &mut Unstructured<'_>, kind: Kind<'v>, store: &'v Store<'v>) -> Result<Vec<Value<'v>>> {
    let element = kind.element().expect("a list has an element");
    let n = u.int_in_range(0..=4)?;
    (0..n).map(|_| nullable(u, element, true, store)).collect()
}

fn dimensions(u: &mut Unstructured<'_>, count: usize) -> Result<Vec<Dimension>> {
    if count == 0 {
        return Ok(Vec::new());
    }
    let rank = u.int_in_range(1..=6)?;
    let (mut left, mut lens) = (count, vec![1; rank]);
    for len in &mut lens {
        let divisors: Vec<usize> = (1..=left).rev().filter(|d| left % d == 0).collect();
        *len = *u.choose(&divisors)?;
        left /= *len;
    }
    // Whatever is left over goes to the last dimension.
    lens[rank - 1] *= left;
    lens.iter()
        .map(|len| {
            let len = u32::try_from(*len).expect("at most 4");
            let lower: i32 = pick(u, &[1, 0, -1, i32::MIN])?;
            Ok(Dimension { len, lower: lower.min(i32::MAX - 4) })
        })
        .collect()
}

/// Two bounds of any kind, in any order.
pub(crate) fn bounds<'v>(
    u: &mut Unstructured<'_>,
    kind: Kind<'v>,
    store: &'v Store<'v>,
) -> Result<[std::ops::Bound<Value<'v>>; 2]> {
    let mut bound = || {
        Ok(match u.int_in_range(0..=4)? {
            0 | 1 => std::ops::Bound::Included(value(u, kind, store)?),
            2 | 3 => std::ops::Bound::Excluded(value(u, kind, store)?),
            _ => std::ops::Bound::Unbounded,
        })
    };
    Ok([bound()?, bound()?])
}

fn range<'v>(u: &mut Unstructured<'_>, element: Kind<'v>, store: &'v Store<'v>) -> Result<SqlRange<'v>> {
    let [lower, upper] = bounds(u, element, store)?;
    let as_given = SqlRange::Bounds(lower, upper);
    Ok(if model::canonical(element, &as_given).is_ok() { as_given } else { SqlRange::Bounds(upper, lower) })
}

fn ranges<'v>(u: &mut Unstructured<'_>, kind: Kind<'v>, store: &'v Store<'v>) -> Result<Vec<SqlRange<'v>>> {
    let element = kind.element().expect("a multirange has an element");
    let n = u.int_in_range(0..=3)?;
    let mut kept: Vec<SqlRange<'v>> = Vec::new();
    for _ in 0..n {
        let candidate = range(u, element, store)?;
        let Ok(Some((lower, _))) = model::canonical(element, &candidate) else { continue };
        let last = kept.last().and_then(|last| model::canonical(element, last).ok().flatten());
        if last.is_none_or(|(_, upper)| model::apart(element, &upper, &lower)) {
            kept.push(candidate);
        }
    }
    Ok(kept)
}

/// One of these, or anything at all.
fn pick<'a, T: arbitrary::Arbitrary<'a> + Copy>(u: &mut Unstructured<'a>, edges: &[T]) -> Result<T> {
    if u.ratio(3, 4)? { Ok(*u.choose(edges)?) } else { u.arbitrary() }
}

fn array<const N: usize>(u: &mut Unstructured<'_>) -> Result<[u8; N]> {
    let mut out = [0; N];
    for byte in &mut out {
        *byte = pick(u, &[0, 1, 0xff])?;
    }
    Ok(out)
}

/// Few bytes, most of them the ones that encodings trip over; now and then more than a vector's worth.
fn small_bytes(u: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    let n = if u.ratio(1, 8)? { u.int_in_range(0..=150)? } else { u.int_in_range(0..=4)? };
    (0..n).map(|_| pick(u, &[0, 1, 0x61, 0xfe, 0xff])).collect()
}

fn small_text(u: &mut Unstructured<'_>) -> Result<String> {
    let n = if u.ratio(1, 8)? { u.int_in_range(0..=50)? } else { u.int_in_range(0..=4)? };
    (0..n).map(|_| pick(u, &['a', '\0', '\u{1}', '\u{7f}', 'é', '\u{ffff}', '\u{10ffff}'])).collect()
}

fn decimal<'v>(u: &mut Unstructured<'_>, store: &'v Store<'v>) -> Result<Decimal<'v>> {
    let special = [Decimal::ZERO, Decimal::NAN, Decimal::INFINITY, Decimal::NEG_INFINITY];
    Ok(match u.int_in_range(0..=5)? {
        0 => *u.choose(&special)?,
        1 => {
            Some(Decimal::from_parts(u.arbitrary()?, u.arbitrary()?)).filter(Decimal::is_valid).unwrap_or(Decimal::ZERO)
        }
        2 => Decimal::from_parts(pick(u, &[1, 10, 100, -1, -10])?, u.int_in_range(-3..=3)?),
        _ => {
            let mut text = (*u.choose(&["", "-", "+"])?).to_owned();
            let digits = |u: &mut Unstructured<'_>| -> Result<String> {
                let n = u.int_in_range(1..=5)?;
                (0..n).map(|_| u.choose(&['0', '1', '9', '5']).copied()).collect()
            };
            text += &digits(u)?;
            if u.arbitrary()? {
                text += ".";
                text += &digits(u)?;
            }
            if u.arbitrary()? {
                text += *u.choose(&["e1", "E-2", "e+00", "e2147483640", "e-2147483640"])?;
            }
            Decimal::parse(store.text(text)).expect("within the grammar and the exponents")
        }
    })
}

fn prefix(u: &mut Unstructured<'_>) -> Result<IpPrefix> {
    let (addr, width) =
        if u.arbitrary()? { (IpAddr::from(array::<4>(u)?), 32) } else { (IpAddr::from(array::<16>(u)?), 128) };
    Ok(IpPrefix::new(addr, u.int_in_range(0..=width)?).expect("within the width"))
}
