//! Types and values as plain owned data, independent of the crate's own, and how they become them.

use std::cell::OnceCell;
use std::net::IpAddr;
use std::net::Ipv4Addr;
use std::net::Ipv6Addr;
use std::ops::Bound;

use isotone::ArrayView;
use isotone::BitsView;
use isotone::ByteView;
use isotone::Date;
use isotone::Decimal;
use isotone::Dimension;
use isotone::EnumRank;
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
use isotone::Network;
use isotone::RangeView;
use isotone::RecordView;
use isotone::SqlRange;
use isotone::TextView;
use isotone::Time;
use isotone::Timestamp;
use isotone::Uuid;
use isotone::Value;
use isotone::ZonedTime;

/// A type, with its parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Ty {
    Bool,
    Bytes,
    Str,
    Opaque(Vec<u8>),
    Fixed(u16),
    Collated(bool, String),
    I8,
    I16,
    I32,
    I64,
    I128,
    U8,
    U16,
    U32,
    U64,
    U128,
    F32,
    F64,
    Decimal,
    Date,
    Time,
    TimeTz,
    Timestamp,
    Duration,
    Interval,
    Uuid,
    Mac48,
    Mac64,
    Lsn,
    Enum,
    Ip,
    IpPrefix,
    Network,
    Nested(Vec<Attr>),
    Record(Vec<Attr>),
    List(Box<Ty>),
    Array(Box<Ty>),
    Range(Box<Ty>),
    Multirange(Box<Ty>),
    Bits,
}

/// A type and an order code.
pub(crate) type Attr = (Ty, u8);

/// A value of some type, or null.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum V {
    Null,
    Bool(bool),
    /// Signed integers; days, microseconds; an interval's scalar.
    Int(i128),
    /// Unsigned integers, log positions, ranks.
    Uint(u128),
    F32(f32),
    F64(f64),
    /// Whatever is bytes: also uuids, MAC addresses, fixed bytes, images, nested keys.
    Bytes(Vec<u8>),
    Str(String),
    /// A decimal as text.
    Dec(String),
    /// Local microseconds, seconds east.
    TimeTz(i64, i32),
    /// Months, days, microseconds.
    Span(i32, i32, i64),
    Net(Net),
    /// A list's elements, a record's attributes.
    Many(Vec<V>),
    /// Elements, and length and lower bound of each dimension.
    Array(Vec<V>, Vec<(u32, i32)>),
    Range(Box<Ends>),
    Multi(Vec<Ends>),
    Bits(Vec<bool>),
}

/// An address, at the low end of the bits, and a prefix length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Net {
    pub(crate) v6: bool,
    pub(crate) addr: u128,
    pub(crate) len: u8,
}

/// The two ends of a range; `None` is the empty one.
pub(crate) type Ends = Option<(Bound<V>, Bound<V>)>;

impl Net {
    pub(crate) fn width(&self) -> u8 {
        if self.v6 { 128 } else { 32 }
    }

    /// The address with the bits past the prefix length cleared.
    pub(crate) fn masked(&self) -> u128 {
        let host = u32::from(self.width() - self.len);
        if host == 128 { 0 } else { self.addr >> host << host }
    }

    fn ip(&self) -> IpAddr {
        if self.v6 { Ipv6Addr::from_bits(self.addr).into() } else { Ipv4Addr::from_bits(self.addr as u32).into() }
    }

    fn prefix(&self) -> IpPrefix {
        IpPrefix::new(self.ip(), self.len).expect("a length that fits")
    }
}

impl Ty {
    /// The kind code of `FORMAT.md` §6.
    pub(crate) fn code(&self) -> u8 {
        match self {
            Ty::Bool => 0x01,
            Ty::Bytes => 0x10,
            Ty::Str => 0x11,
            Ty::Opaque(_) => 0x12,
            Ty::Fixed(_) => 0x13,
            Ty::Collated(..) => 0x14,
            Ty::I64 => 0x20,
            Ty::I8 => 0x21,
            Ty::I16 => 0x22,
            Ty::I32 => 0x23,
            Ty::I128 => 0x24,
            Ty::U64 => 0x28,
            Ty::U8 => 0x29,
            Ty::U16 => 0x2a,
            Ty::U32 => 0x2b,
            Ty::U128 => 0x2c,
            Ty::F32 => 0x30,
            Ty::F64 => 0x31,
            Ty::Decimal => 0x38,
            Ty::Date => 0x40,
            Ty::Time => 0x41,
            Ty::TimeTz => 0x42,
            Ty::Timestamp => 0x43,
            Ty::Duration => 0x44,
            Ty::Interval => 0x45,
            Ty::Uuid => 0x50,
            Ty::Mac48 => 0x51,
            Ty::Mac64 => 0x52,
            Ty::Lsn => 0x53,
            Ty::Enum => 0x54,
            Ty::Ip => 0x60,
            Ty::IpPrefix => 0x61,
            Ty::Network => 0x62,
            Ty::Nested(_) => 0x70,
            Ty::Record(_) => 0x71,
            Ty::List(_) => 0x72,
            Ty::Array(_) => 0x73,
            Ty::Range(_) => 0x74,
            Ty::Multirange(_) => 0x75,
            Ty::Bits => 0x76,
        }
    }

    /// Kind byte and parameters, as in a descriptor.
    pub(crate) fn describe(&self) -> Vec<u8> {
        let mut out = vec![self.code()];
        self.params(&mut out);
        out
    }

    fn params(&self, out: &mut Vec<u8>) {
        let blob = |out: &mut Vec<u8>, bytes: &[u8]| {
            out.extend((bytes.len() as u32).to_be_bytes());
            out.extend(bytes);
        };
        match self {
            Ty::Opaque(producer) => blob(out, producer),
            Ty::Fixed(width) => out.extend(width.to_be_bytes()),
            Ty::Collated(deterministic, producer) => {
                out.push(u8::from(*deterministic));
                blob(out, producer.as_bytes());
            }
            Ty::Nested(fields) | Ty::Record(fields) => blob(out, &inner_layout(fields)),
            Ty::List(element) | Ty::Array(element) | Ty::Range(element) | Ty::Multirange(element) => {
                out.push(element.code());
                element.params(out);
            }
            _ => {}
        }
    }

    /// Whether reading a field of this type checks UTF-8, which skipping it does not.
    pub(crate) fn has_text(&self) -> bool {
        match self {
            Ty::Str => true,
            Ty::Record(fields) => fields.iter().any(|(ty, _)| ty.has_text()),
            Ty::List(element) | Ty::Array(element) | Ty::Range(element) | Ty::Multirange(element) => element.has_text(),
            _ => false,
        }
    }

    /// The element's type of a list, array, range or multirange.
    pub(crate) fn element(&self) -> &Ty {
        match self {
            Ty::List(element) | Ty::Array(element) | Ty::Range(element) | Ty::Multirange(element) => element,
            _ => panic!("{self:?} has no elements"),
        }
    }
}

fn inner_layout(fields: &[Attr]) -> Vec<u8> {
    let mut out = Vec::new();
    for (ty, order) in fields {
        out.extend([ty.code(), *order]);
        ty.params(&mut out);
    }
    out
}

/// A whole descriptor: version 1 where it can say the fields, else 2.
pub(crate) fn layout(fields: &[Attr]) -> Vec<u8> {
    let v1 = |(ty, order): &Attr| match (ty, order) {
        (Ty::Bytes, 4 | 5) => Some(0x10 | (order & 1)),
        (Ty::I64, 4 | 5) => Some(0x20 | (order & 1)),
        _ => None,
    };
    match fields.iter().map(v1).collect::<Option<Vec<u8>>>() {
        Some(fields) => [b"OK\x01", &fields[..]].concat(),
        None => [b"OK\x02", &inner_layout(fields)[..]].concat(),
    }
}

/// The crate's kind of a description.
#[track_caller]
pub(crate) fn kind(description: &[u8]) -> Kind<'_> {
    Kind::from_description(description).expect("a description that the model made")
}

/// Holds what the crate's [`Value`] of a model value borrows.
pub(crate) struct Held<'a> {
    ty: &'a Ty,
    source: &'a V,
    kids: Vec<Held<'a>>,
    packed: Vec<u8>,
    dimensions: Vec<Dimension>,
    values: OnceCell<Vec<Value<'a>>>,
    ranges: OnceCell<Vec<SqlRange<'a>>>,
}

fn end(bound: &Bound<V>) -> Option<&V> {
    match bound {
        Bound::Included(v) | Bound::Excluded(v) => Some(v),
        Bound::Unbounded => None,
    }
}

/// Bits packed into bytes, high bit first.
pub(crate) fn pack(bits: &[bool]) -> Vec<u8> {
    let byte = |chunk: &[bool]| chunk.iter().enumerate().fold(0, |b, (i, bit)| b | u8::from(*bit) << (7 - i));
    bits.chunks(8).map(byte).collect()
}

impl<'a> Held<'a> {
    pub(crate) fn new(ty: &'a Ty, source: &'a V) -> Self {
        let ends = |ends: &'a Ends| ends.iter().flat_map(|(l, u)| [end(l), end(u)]).flatten();
        let kids = match (ty, source) {
            (Ty::Record(fields), V::Many(vs)) => fields
                .iter()
                .zip(vs)
                .map(|((ty, _), v)| Held::new(ty, v))
                .chain(vs.iter().skip(fields.len()).map(|v| Held::new(ty, v)))
                .collect(),
            (_, V::Many(vs) | V::Array(vs, _)) => vs.iter().map(|v| Held::new(ty.element(), v)).collect(),
            (_, V::Range(range)) => ends(range).map(|v| Held::new(ty.element(), v)).collect(),
            (_, V::Multi(ranges)) => ranges.iter().flat_map(ends).map(|v| Held::new(ty.element(), v)).collect(),
            _ => Vec::new(),
        };
        let packed = if let V::Bits(bits) = source { pack(bits) } else { Vec::new() };
        let dimensions = match source {
            V::Array(_, dims) => dims.iter().map(|(len, lower)| Dimension { len: *len, lower: *lower }).collect(),
            _ => Vec::new(),
        };
        Held { ty, source, kids, packed, dimensions, values: OnceCell::new(), ranges: OnceCell::new() }
    }

    fn values(&'a self) -> &'a [Value<'a>] {
        self.values.get_or_init(|| self.kids.iter().map(Held::value).collect())
    }

    fn ranges(&'a self, ranges: &'a [Ends]) -> &'a [SqlRange<'a>] {
        self.ranges.get_or_init(|| {
            let mut values = self.values().iter();
            let mut next = |bound: &Bound<V>| bound.as_ref().map(|_| *values.next().expect("a kid for each end"));
            let range = |ends: &Ends| match ends {
                None => SqlRange::Empty,
                Some((l, u)) => SqlRange::new(next(l), next(u)),
            };
            ranges.iter().map(range).collect()
        })
    }

    /// The value under the crate's own types.
    pub(crate) fn value(&'a self) -> Value<'a> {
        match (self.ty, self.source) {
            (_, V::Null) => Value::Null,
            (Ty::Bool, V::Bool(v)) => Value::Bool(*v),
            (Ty::I8, V::Int(v)) => Value::I8(fits(*v)),
            (Ty::I16, V::Int(v)) => Value::I16(fits(*v)),
            (Ty::I32, V::Int(v)) => Value::I32(fits(*v)),
            (Ty::I64, V::Int(v)) => Value::I64(fits(*v)),
            (Ty::I128, V::Int(v)) => Value::I128(*v),
            (Ty::U8, V::Uint(v)) => Value::U8(fits(*v)),
            (Ty::U16, V::Uint(v)) => Value::U16(fits(*v)),
            (Ty::U32, V::Uint(v)) => Value::U32(fits(*v)),
            (Ty::U64, V::Uint(v)) => Value::U64(fits(*v)),
            (Ty::U128, V::Uint(v)) => Value::U128(*v),
            (Ty::F32, V::F32(v)) => Value::F32(*v),
            (Ty::F64, V::F64(v)) => Value::F64(*v),
            (Ty::Bytes, V::Bytes(v)) => Value::bytes(v),
            (Ty::Opaque(_), V::Bytes(v)) => Value::Opaque(ByteView::new(v)),
            (Ty::Collated(..), V::Bytes(v)) => Value::Collated(ByteView::new(v)),
            (Ty::Fixed(_), V::Bytes(v)) => Value::fixed(v),
            (Ty::Nested(_), V::Bytes(v)) => Value::Nested(ByteView::new(v)),
            (Ty::Uuid, V::Bytes(v)) => Value::Uuid(Uuid::new(v[..].try_into().expect("16 bytes"))),
            (Ty::Mac48, V::Bytes(v)) => Value::Mac48(Mac48::new(v[..].try_into().expect("6 bytes"))),
            (Ty::Mac64, V::Bytes(v)) => Value::Mac64(Mac64::new(v[..].try_into().expect("8 bytes"))),
            (Ty::Str, V::Str(v)) => Value::Str(TextView::new(v)),
            (Ty::Decimal, V::Dec(v)) => Value::Decimal(Decimal::parse(v).expect("a decimal")),
            (Ty::Date, V::Int(v)) => Value::Date(Date::from_days(fits(*v))),
            (Ty::Time, V::Int(v)) => Value::Time(Time::from_micros(fits(*v))),
            (Ty::TimeTz, V::TimeTz(local, east)) => Value::TimeTz(ZonedTime::new(*local, *east)),
            (Ty::Timestamp, V::Int(v)) => Value::Timestamp(Timestamp::from_micros(fits(*v))),
            (Ty::Duration, V::Int(v)) => Value::Duration(MicroDuration::from_micros(fits(*v))),
            (Ty::Interval, V::Int(v)) => Value::Interval(IntervalScalar::from_micros(*v)),
            (Ty::Interval, V::Span(months, days, micros)) => Interval::new(*months, *days, *micros).into(),
            (Ty::Lsn, V::Uint(v)) => Value::Lsn(Lsn::new(fits(*v))),
            (Ty::Enum, V::Uint(v)) => Value::Enum(EnumRank::new(fits(*v))),
            (Ty::Ip, V::Net(net)) => Value::Ip(net.ip()),
            (Ty::IpPrefix, V::Net(net)) => Value::IpPrefix(net.prefix()),
            (Ty::Network, V::Net(net)) => Value::Network(Network::new(net.ip(), net.len).expect("no host bits")),
            (Ty::Bits, V::Bits(bits)) => Value::Bits(BitsView::new(&self.packed, bits.len()).expect("packed")),
            (Ty::List(_), V::Many(_)) => Value::List(ListView::new(self.values())),
            (Ty::Record(_), V::Many(_)) => Value::Record(RecordView::new(self.values())),
            (Ty::Array(_), V::Array(..)) => Value::Array(ArrayView::new(self.values(), &self.dimensions)),
            (Ty::Range(_), V::Range(range)) => {
                Value::Range(RangeView::new(&self.ranges(std::slice::from_ref(&**range))[0]))
            }
            (Ty::Multirange(_), V::Multi(ranges)) => Value::Multirange(MultirangeView::new(self.ranges(ranges))),
            (ty, v) => panic!("{v:?} is no {ty:?}"),
        }
    }
}

#[track_caller]
fn fits<T: TryFrom<S>, S: Copy + std::fmt::Debug>(v: S) -> T {
    T::try_from(v).unwrap_or_else(|_| panic!("{v:?} does not fit its type"))
}

/// A row of model values under fields, held.
pub(crate) fn hold<'a>(fields: &'a [Attr], row: &'a [V]) -> Vec<Held<'a>> {
    fields.iter().zip(row).map(|((ty, _), v)| Held::new(ty, v)).collect()
}
