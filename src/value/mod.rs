//! A value of any kind: what a schema writes, and what it and composite views read.
//!
//! Everything here is driven by a [`Kind`](crate::kind::Kind): [`put`] says a value's bytes,
//! [`take`] reads one and [`walk`](take::walk) passes over one, [`compare`] orders two as their
//! bytes would.

pub(crate) mod array;
pub(crate) mod collated;
pub(crate) mod compare;
pub(crate) mod put;
pub(crate) mod range;
pub(crate) mod seq;
pub(crate) mod take;

use core::net::IpAddr;

use crate::codec::bits::BitsView;
use crate::codec::decimal::Decimal;
use crate::codec::ident::EnumRank;
use crate::codec::ident::Lsn;
use crate::codec::ident::Mac48;
use crate::codec::ident::Mac64;
use crate::codec::ident::Uuid;
use crate::codec::net::IpPrefix;
use crate::codec::net::Network;
use crate::codec::temporal::Date;
use crate::codec::temporal::Interval;
use crate::codec::temporal::IntervalScalar;
use crate::codec::temporal::MicroDuration;
use crate::codec::temporal::Time;
use crate::codec::temporal::Timestamp;
use crate::codec::temporal::ZonedTime;
use crate::codec::text::TextView;
use crate::kind::Kind;
use crate::kind::code;
use crate::order::Flip;
use crate::raw::view::ByteView;
use crate::value::array::ArrayView;
use crate::value::range::MultirangeView;
use crate::value::range::RangeView;
use crate::value::seq::ListView;
use crate::value::seq::RecordView;

/// A value of any kind, or null. Borrows whatever has no fixed size.
///
/// Two values are equal when their keys are: `-0.0` equals `0.0`, NaN equals NaN, and it does not
/// matter whether a text or a list was given by the caller or lies in a key.
///
/// ```
/// use isotone::Value;
/// assert_eq!(Value::from(-0.0f64), Value::from(0.0f64));
/// assert_ne!(Value::from(1u8), Value::from(1u16)); // other kinds
/// assert_eq!(Value::from(None::<i32>), Value::Null);
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Value<'v> {
    /// SQL's NULL.
    Null,
    /// Kind `bool`.
    Bool(bool),
    /// Kind `i8`.
    I8(i8),
    /// Kind `i16`.
    I16(i16),
    /// Kind `i32`.
    I32(i32),
    /// Kind `i64`.
    I64(i64),
    /// Kind `i128`.
    I128(i128),
    /// Kind `u8`.
    U8(u8),
    /// Kind `u16`.
    U16(u16),
    /// Kind `u32`.
    U32(u32),
    /// Kind `u64`.
    U64(u64),
    /// Kind `u128`.
    U128(u128),
    /// Kind `f32`.
    F32(f32),
    /// Kind `f64`.
    F64(f64),
    /// Kind `bytes`.
    Bytes(ByteView<'v>),
    /// Kind `str`.
    Str(TextView<'v>),
    /// Kind `opaque`: bytes of another producer.
    Opaque(ByteView<'v>),
    /// Kind `collated text`: the comparison image, and the escaped text behind it when deterministic.
    Collated(ByteView<'v>),
    /// Kind `fixed bytes`: exactly as many as the schema says.
    Fixed(ByteView<'v>),
    /// Kind `decimal`.
    Decimal(Decimal<'v>),
    /// Kind `date`.
    Date(Date),
    /// Kind `time`.
    Time(Time),
    /// Kind `timetz`.
    TimeTz(ZonedTime),
    /// Kind `timestamp`.
    Timestamp(Timestamp),
    /// Kind `duration`.
    Duration(MicroDuration),
    /// Kind `interval`, as its comparison scalar.
    Interval(IntervalScalar),
    /// Kind `uuid`.
    Uuid(Uuid),
    /// Kind `mac48`.
    Mac48(Mac48),
    /// Kind `mac64`.
    Mac64(Mac64),
    /// Kind `lsn`.
    Lsn(Lsn),
    /// Kind `enum`.
    Enum(EnumRank),
    /// Kind `ip`.
    Ip(IpAddr),
    /// Kind `ip prefix`.
    IpPrefix(IpPrefix),
    /// Kind `network`.
    Network(Network),
    /// Kind `nested`: a whole key of the inner layout.
    Nested(ByteView<'v>),
    /// Kind `record`.
    Record(RecordView<'v>),
    /// Kind `list`.
    List(ListView<'v>),
    /// Kind `array`.
    Array(ArrayView<'v>),
    /// Kind `range`.
    Range(RangeView<'v>),
    /// Kind `multirange`.
    Multirange(MultirangeView<'v>),
    /// Kind `bit string`.
    Bits(BitsView<'v>),
}

/// A composite's payload as it lies in a key, checked when it was read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lying<'v> {
    params: &'v [u8],
    raw: &'v [u8],
    code: u8,
    pub(crate) flip: Flip,
}

impl<'v> Lying<'v> {
    pub(crate) fn new(kind: Kind<'v>, raw: &'v [u8], flip: Flip) -> Self {
        Lying { params: kind.params(), raw, code: kind.code(), flip }
    }

    pub(crate) fn kind(&self) -> Kind<'v> {
        Kind::from_parts(self.code, self.params)
    }

    pub(crate) fn raw(&self) -> &'v [u8] {
        self.raw
    }
}

impl<'v> Value<'v> {
    /// Whether this is [`Value::Null`].
    #[inline]
    pub const fn is_null(&self) -> bool {
        matches!(self, Value::Null)
    }

    /// Plain bytes.
    #[inline]
    pub const fn bytes(bytes: &'v [u8]) -> Self {
        Value::Bytes(ByteView::new(bytes))
    }

    /// Plain text.
    #[inline]
    pub const fn str(text: &'v str) -> Self {
        Value::Str(TextView::new(text))
    }

    /// Fixed bytes.
    #[inline]
    pub const fn fixed(bytes: &'v [u8]) -> Self {
        Value::Fixed(ByteView::new(bytes))
    }

    /// The kind code that this value goes with; `None` for null.
    pub(crate) const fn code(&self) -> Option<u8> {
        Some(match self {
            Value::Null => return None,
            Value::Bool(_) => code::BOOL,
            Value::I8(_) => code::I8,
            Value::I16(_) => code::I16,
            Value::I32(_) => code::I32,
            Value::I64(_) => code::I64,
            Value::I128(_) => code::I128,
            Value::U8(_) => code::U8,
            Value::U16(_) => code::U16,
            Value::U32(_) => code::U32,
            Value::U64(_) => code::U64,
            Value::U128(_) => code::U128,
            Value::F32(_) => code::F32,
            Value::F64(_) => code::F64,
            Value::Bytes(_) => code::BYTES,
            Value::Str(_) => code::STR,
            Value::Opaque(_) => code::OPAQUE,
            Value::Collated(_) => code::COLLATED,
            Value::Fixed(_) => code::FIXED,
            Value::Decimal(_) => code::DECIMAL,
            Value::Date(_) => code::DATE,
            Value::Time(_) => code::TIME,
            Value::TimeTz(_) => code::TIMETZ,
            Value::Timestamp(_) => code::TIMESTAMP,
            Value::Duration(_) => code::DURATION,
            Value::Interval(_) => code::INTERVAL,
            Value::Uuid(_) => code::UUID,
            Value::Mac48(_) => code::MAC48,
            Value::Mac64(_) => code::MAC64,
            Value::Lsn(_) => code::LSN,
            Value::Enum(_) => code::ENUM,
            Value::Ip(_) => code::IP,
            Value::IpPrefix(_) => code::IP_PREFIX,
            Value::Network(_) => code::NETWORK,
            Value::Nested(_) => code::NESTED,
            Value::Record(_) => code::RECORD,
            Value::List(_) => code::LIST,
            Value::Array(_) => code::ARRAY,
            Value::Range(_) => code::RANGE,
            Value::Multirange(_) => code::MULTIRANGE,
            Value::Bits(_) => code::BITS,
        })
    }
}

macro_rules! from_values {
    ($($from:ty => $variant:ident;)*) => {$(
        impl<'v> From<$from> for Value<'v> {
            #[inline(always)]
            fn from(value: $from) -> Self {
                Value::$variant(value)
            }
        }
    )*};
}

from_values! {
    bool => Bool; i8 => I8; i16 => I16; i32 => I32; i64 => I64; i128 => I128;
    u8 => U8; u16 => U16; u32 => U32; u64 => U64; u128 => U128; f32 => F32; f64 => F64;
    TextView<'v> => Str; Decimal<'v> => Decimal;
    Date => Date; Time => Time; ZonedTime => TimeTz; Timestamp => Timestamp;
    MicroDuration => Duration; IntervalScalar => Interval;
    Uuid => Uuid; Mac48 => Mac48; Mac64 => Mac64; Lsn => Lsn; EnumRank => Enum;
    IpAddr => Ip; IpPrefix => IpPrefix; Network => Network;
    RecordView<'v> => Record; ListView<'v> => List; ArrayView<'v> => Array;
    RangeView<'v> => Range; MultirangeView<'v> => Multirange; BitsView<'v> => Bits;
}

impl<'v> From<&'v str> for Value<'v> {
    #[inline(always)]
    fn from(text: &'v str) -> Self {
        Value::str(text)
    }
}

impl<'v> From<&'v [u8]> for Value<'v> {
    #[inline(always)]
    fn from(bytes: &'v [u8]) -> Self {
        Value::bytes(bytes)
    }
}

impl<'v, const N: usize> From<&'v [u8; N]> for Value<'v> {
    #[inline(always)]
    fn from(bytes: &'v [u8; N]) -> Self {
        Value::bytes(bytes)
    }
}

impl From<Interval> for Value<'_> {
    #[inline(always)]
    fn from(interval: Interval) -> Self {
        Value::Interval(interval.into())
    }
}

impl<'v, T: Into<Value<'v>>> From<Option<T>> for Value<'v> {
    #[inline(always)]
    fn from(value: Option<T>) -> Self {
        value.map_or(Value::Null, Into::into)
    }
}

impl PartialEq for Value<'_> {
    fn eq(&self, other: &Self) -> bool {
        compare::equal(self, other)
    }
}

impl Eq for Value<'_> {}
