//! A second writer, as plain as `FORMAT.md` itself: payloads ascending, complemented afterwards, and
//! every part in a vector of its own.

use std::net::IpAddr;
use std::ops::Bound;

use isotone::Decimal;
use isotone::Field;
use isotone::FieldOrder;
use isotone::IpPrefix;
use isotone::Kind;
use isotone::Type;
use isotone::Value;

use super::model;

/// A whole field under one of the six orders.
pub(crate) fn field(kind: Kind<'_>, order: FieldOrder, value: &Value<'_>) -> Vec<u8> {
    let (nulls_last, tagged) = (order.code() & 1, order.code() < 4);
    if value.is_null() {
        assert!(tagged, "a null needs a tag");
        return vec![nulls_last];
    }
    let mut out = Vec::new();
    if tagged {
        out.push(1 - nulls_last);
    }
    let payload = payload(kind, value);
    let mask = if matches!(order.code(), 2 | 3 | 5) { 0xff } else { 0 };
    out.extend(payload.iter().map(|b| b ^ mask));
    out
}

/// A payload, ascending.
pub(crate) fn payload(kind: Kind<'_>, value: &Value<'_>) -> Vec<u8> {
    match value {
        Value::Null => panic!("a null has no payload"),
        Value::Bool(v) => vec![u8::from(*v)],
        Value::U8(v) => vec![*v],
        Value::U16(v) => v.to_be_bytes().into(),
        Value::U32(v) => v.to_be_bytes().into(),
        Value::U64(v) => v.to_be_bytes().into(),
        Value::U128(v) => v.to_be_bytes().into(),
        Value::I8(v) => signed((*v).into(), 1),
        Value::I16(v) => signed((*v).into(), 2),
        Value::I32(v) => signed((*v).into(), 4),
        Value::I64(v) => signed((*v).into(), 8),
        Value::I128(v) => signed(*v, 16),
        Value::F32(v) => {
            let bits = v.to_bits();
            let out = match (v.is_nan(), *v == 0.0, bits >> 31) {
                (true, ..) => u32::MAX,
                (_, true, _) => 1 << 31,
                (.., 1) => !bits,
                _ => bits | 1 << 31,
            };
            out.to_be_bytes().into()
        }
        Value::F64(v) => {
            let bits = v.to_bits();
            let out = match (v.is_nan(), *v == 0.0, bits >> 63) {
                (true, ..) => u64::MAX,
                (_, true, _) => 1 << 63,
                (.., 1) => !bits,
                _ => bits | 1 << 63,
            };
            out.to_be_bytes().into()
        }
        Value::Bytes(v) | Value::Opaque(v) | Value::Collated(v) | Value::Nested(v) => escaped(v.iter()),
        Value::Str(v) => escaped(v.chars().collect::<String>().bytes()),
        Value::Fixed(v) => v.iter().collect(),
        Value::Decimal(v) => decimal(v),
        Value::Date(v) => signed(v.days().into(), 4),
        Value::Time(v) => signed(v.micros().into(), 8),
        Value::Timestamp(v) => signed(v.micros().into(), 8),
        Value::Duration(v) => signed(v.micros().into(), 8),
        Value::Interval(v) => signed(v.micros(), 16),
        Value::TimeTz(v) => {
            let (local, east) = (i128::from(v.local_micros()), i128::from(v.east_seconds()));
            [signed(local - east * 1_000_000, 8), signed(-east, 4)].concat()
        }
        Value::Uuid(v) => <[u8; 16]>::from(*v).into(),
        Value::Mac48(v) => <[u8; 6]>::from(*v).into(),
        Value::Mac64(v) => <[u8; 8]>::from(*v).into(),
        Value::Lsn(v) => u64::from(*v).to_be_bytes().into(),
        Value::Enum(v) => u32::from(*v).to_be_bytes().into(),
        Value::Ip(v) => network(IpPrefix::from(*v)),
        Value::IpPrefix(v) => network(*v),
        Value::Network(v) => network(v.prefix()),
        Value::Bits(v) => {
            let bits: Vec<bool> = v.iter().collect();
            let byte =
                |chunk: &[bool]| chunk.iter().enumerate().fold(0, |byte, (i, bit)| byte | u8::from(*bit) << (7 - i));
            let mut out = escaped(bits.chunks(8).map(byte));
            out.push(bits.chunks(8).last().map_or(0, |last| last.len().try_into().expect("at most 8")));
            out
        }
        Value::Record(v) => {
            let parts: Vec<_> = v.iter().collect();
            assert_eq!(parts.len(), kind.attributes().count());
            kind.attributes().zip(&parts).flat_map(|((kind, order), part)| field(kind, order, part)).collect()
        }
        Value::List(v) => list(kind, v.iter()),
        Value::Array(v) => {
            let dimensions: Vec<_> = v.dimensions().collect();
            let mut out = list(kind, v.iter());
            out.push(dimensions.len().try_into().expect("at most 6"));
            if dimensions.len() >= 2 {
                dimensions.iter().for_each(|d| out.extend(d.len.to_be_bytes()));
            }
            dimensions.iter().for_each(|d| out.extend(signed(d.lower.into(), 4)));
            out
        }
        Value::Range(v) => {
            let element = kind.element().expect("a range has an element");
            let range = v.bounds().map_or(isotone::SqlRange::Empty, |(l, u)| isotone::SqlRange::Bounds(l, u));
            range_payload(element, &range)
        }
        Value::Multirange(v) => {
            let element = kind.element().expect("a multirange has an element");
            let mut out: Vec<u8> = v.iter().flat_map(|range| range_payload(element, &range)).collect();
            out.push(0);
            out
        }
        _ => panic!("a kind that the reference does not know: {kind:?}"),
    }
}

/// Two's complement of this width, big-endian, top bit flipped.
fn signed(v: i128, width: usize) -> Vec<u8> {
    let mut out = v.to_be_bytes()[16 - width..].to_vec();
    out[0] ^= 0x80;
    out
}

fn escaped(bytes: impl Iterator<Item = u8>) -> Vec<u8> {
    let mut out = Vec::new();
    for byte in bytes {
        out.push(byte);
        if byte == 0 {
            out.push(0xff);
        }
    }
    out.extend([0, 0]);
    out
}

fn decimal(v: &Decimal<'_>) -> Vec<u8> {
    if !v.is_finite() || v.is_zero() {
        return vec![if v.is_nan() {
            5
        } else if v.is_zero() {
            2
        } else if v.is_negative() {
            0
        } else {
            4
        }];
    }
    let mut magnitude = signed(v.adjusted().into(), 4);
    magnitude.extend(v.digits().map(|d| d + 1));
    magnitude.push(0);
    let (class, mask) = if v.is_negative() { (1, 0xff) } else { (3, 0) };
    let mut out = vec![class];
    out.extend(magnitude.iter().map(|b| b ^ mask));
    out
}

fn network(v: IpPrefix) -> Vec<u8> {
    let (family, addr): (u8, Vec<u8>) = match v.addr() {
        IpAddr::V4(v4) => (4, v4.octets().into()),
        IpAddr::V6(v6) => (6, v6.octets().into()),
    };
    let bits = usize::from(v.prefix_len());
    let kept = (0..bits.div_ceil(8)).map(|i| {
        let left = bits - i * 8;
        if left >= 8 { addr[i] } else { addr[i] & !(0xff >> left) }
    });
    let mut out = vec![family];
    out.extend(escaped(kept));
    out.push(v.prefix_len());
    out.extend(addr.iter());
    out
}

fn list<'v>(kind: Kind<'_>, values: impl Iterator<Item = Value<'v>>) -> Vec<u8> {
    let element = kind.element().expect("a list has an element");
    let mut out = Vec::new();
    for value in values {
        if value.is_null() {
            out.push(2);
        } else {
            out.push(1);
            out.extend(payload(element, &value));
        }
    }
    out.push(0);
    out
}

fn range_payload(element: Kind<'_>, range: &isotone::SqlRange<'_>) -> Vec<u8> {
    let Some((lower, upper)) = model::canonical(element, range).expect("only what can be written") else {
        return vec![0];
    };
    let mut out = Vec::new();
    match &lower {
        Bound::Unbounded => out.push(1),
        Bound::Included(v) | Bound::Excluded(v) => {
            out.push(2);
            out.extend(payload(element, v));
            out.push(u8::from(matches!(lower, Bound::Excluded(_))));
        }
    }
    match &upper {
        Bound::Unbounded => out.push(1),
        Bound::Included(v) | Bound::Excluded(v) => {
            out.push(0);
            out.extend(payload(element, v));
            out.push(u8::from(matches!(upper, Bound::Included(_))));
        }
    }
    out
}

/// The layout descriptor of `fields`: `FORMAT.md` §6.
pub(crate) fn descriptor(fields: &[Field<'_>]) -> Vec<u8> {
    let v1 = fields.iter().all(|f| matches!(f.ty(), Type::Bytes | Type::I64) && matches!(f.order_code(), 4 | 5));
    if v1 {
        let code = |f: &Field<'_>| if f.ty() == Type::Bytes { 0x10 } else { 0x20 } + f.order_code() - 4;
        return b"OK\x01".iter().copied().chain(fields.iter().map(code)).collect();
    }
    [b"OK\x02".to_vec(), inner(fields)].concat()
}

fn inner(fields: &[Field<'_>]) -> Vec<u8> {
    fields
        .iter()
        .flat_map(|f| [vec![super::kinds::code(&f.ty()), f.order_code()], parameters(&f.ty())].concat())
        .collect()
}

/// The parameters that follow a kind's code.
pub(crate) fn parameters(ty: &Type<'_>) -> Vec<u8> {
    let blob = |bytes: &[u8]| [&u32::try_from(bytes.len()).expect("short").to_be_bytes(), bytes].concat();
    match ty {
        Type::Opaque(producer) => blob(producer),
        Type::Fixed(width) => width.to_be_bytes().into(),
        Type::Collated { deterministic, producer } => {
            [vec![u8::from(*deterministic)], blob(producer.as_bytes())].concat()
        }
        Type::Nested(fields) | Type::Record(fields) => blob(&inner(fields)),
        Type::List(element) | Type::Array(element) | Type::Range(element) | Type::Multirange(element) => {
            [vec![super::kinds::code(element)], parameters(element)].concat()
        }
        _ => Vec::new(),
    }
}
