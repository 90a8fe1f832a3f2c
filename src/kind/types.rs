//! Types and fields as people declare them.

use crate::kind::code;
use crate::order::NotNull;
use crate::order::Order;

/// A declared type: the tree that a schema is written in.
///
/// ```
/// use isotone::{AscNullsLast, Desc, KeySpec, Type, key_spec};
/// const READINGS: KeySpec<'static> = key_spec![
///     Type::Str => AscNullsLast,
///     Type::Timestamp => Desc,
///     Type::List(&Type::I32) => AscNullsLast,
/// ];
/// assert_eq!(READINGS.arity(), 3);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Type<'s> {
    /// `false`, then `true`; 1 byte.
    Bool,
    /// Any bytes, compared unsigned; length + zeros + 2 bytes.
    Bytes,
    /// UTF-8 text, compared by scalar values; length + zeros + 2 bytes.
    Str,
    /// Bytes of another producer that sort as they are. The parameter names the producer and its
    /// version, in any bytes, so that layouts differ where producers do.
    Opaque(&'s [u8]),
    /// Exactly this many bytes, at least 1; no escaping.
    Fixed(u16),
    /// Text as comparison images of a collation producer (`FORMAT.md` §4).
    Collated {
        /// Whether the text follows its image, which breaks ties by bytes and can be read back.
        deterministic: bool,
        /// The producer string, such as `uca14;14.0.0;server;root_pad_as_cs`.
        producer: &'s str,
    },
    /// 1 byte.
    I8,
    /// 2 bytes.
    I16,
    /// 4 bytes.
    I32,
    /// 8 bytes.
    I64,
    /// 16 bytes.
    I128,
    /// 1 byte.
    U8,
    /// 2 bytes.
    U16,
    /// 4 bytes.
    U32,
    /// 8 bytes.
    U64,
    /// 16 bytes.
    U128,
    /// 4 bytes; NaN is one value and the greatest.
    F32,
    /// 8 bytes; NaN is one value and the greatest.
    F64,
    /// Numbers of any precision; 1, or 6 + significant digits bytes.
    Decimal,
    /// Days since 2000-01-01; 4 bytes.
    Date,
    /// Microseconds since midnight; 8 bytes.
    Time,
    /// Time of day with an offset from UTC; 12 bytes.
    TimeTz,
    /// Microseconds since 2000-01-01 00:00:00 UTC; 8 bytes.
    Timestamp,
    /// Microseconds; 8 bytes.
    Duration,
    /// Months, days and microseconds as one scalar; 16 bytes.
    Interval,
    /// 16 bytes.
    Uuid,
    /// EUI-48; 6 bytes.
    Mac48,
    /// EUI-64; 8 bytes.
    Mac64,
    /// Log sequence number; 8 bytes.
    Lsn,
    /// Immutable rank of an enum label; 4 bytes.
    Enum,
    /// IPv4 or IPv6 address; 11 to 36 bytes with escapes.
    Ip,
    /// Address with a prefix length and host bits.
    IpPrefix,
    /// Address with a prefix length and no host bits.
    Network,
    /// A whole key as an escaped payload: costs a byte for every zero, at each level.
    Nested(&'s [Field<'s>]),
    /// Fields one after another, each with its own order; inline.
    Record(&'s [Field<'s>]),
    /// Any number of elements; one byte each and one to end.
    List(&'s Type<'s>),
    /// PostgreSQL's array: elements, then dimensions and lower bounds.
    Array(&'s Type<'s>),
    /// PostgreSQL's range over the element.
    Range(&'s Type<'s>),
    /// PostgreSQL's multirange over the element.
    Multirange(&'s Type<'s>),
    /// Bit string of any length.
    Bits,
}

/// A declared field: its type and its order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Field<'s> {
    pub(super) ty: Type<'s>,
    pub(super) order: u8,
}

impl<'s> Field<'s> {
    /// A nullable field.
    pub const fn new(ty: Type<'s>, order: Order) -> Self {
        Field { ty, order: order as u8 }
    }

    /// A NOT NULL field.
    pub const fn not_null(ty: Type<'s>, order: NotNull) -> Self {
        Field { ty, order: order as u8 }
    }

    /// A field under a stored order code; a code above 5 is found when a spec is made of it.
    pub const fn from_code(ty: Type<'s>, order: u8) -> Self {
        Field { ty, order }
    }

    /// The declared type.
    pub const fn ty(&self) -> Type<'s> {
        self.ty
    }

    /// The order code, unchecked.
    pub const fn order_code(&self) -> u8 {
        self.order
    }
}

impl<'s> Type<'s> {
    pub(crate) const fn code(&self) -> u8 {
        match self {
            Type::Bool => code::BOOL,
            Type::Bytes => code::BYTES,
            Type::Str => code::STR,
            Type::Opaque(_) => code::OPAQUE,
            Type::Fixed(_) => code::FIXED,
            Type::Collated { .. } => code::COLLATED,
            Type::I8 => code::I8,
            Type::I16 => code::I16,
            Type::I32 => code::I32,
            Type::I64 => code::I64,
            Type::I128 => code::I128,
            Type::U8 => code::U8,
            Type::U16 => code::U16,
            Type::U32 => code::U32,
            Type::U64 => code::U64,
            Type::U128 => code::U128,
            Type::F32 => code::F32,
            Type::F64 => code::F64,
            Type::Decimal => code::DECIMAL,
            Type::Date => code::DATE,
            Type::Time => code::TIME,
            Type::TimeTz => code::TIMETZ,
            Type::Timestamp => code::TIMESTAMP,
            Type::Duration => code::DURATION,
            Type::Interval => code::INTERVAL,
            Type::Uuid => code::UUID,
            Type::Mac48 => code::MAC48,
            Type::Mac64 => code::MAC64,
            Type::Lsn => code::LSN,
            Type::Enum => code::ENUM,
            Type::Ip => code::IP,
            Type::IpPrefix => code::IP_PREFIX,
            Type::Network => code::NETWORK,
            Type::Nested(_) => code::NESTED,
            Type::Record(_) => code::RECORD,
            Type::List(_) => code::LIST,
            Type::Array(_) => code::ARRAY,
            Type::Range(_) => code::RANGE,
            Type::Multirange(_) => code::MULTIRANGE,
            Type::Bits => code::BITS,
        }
    }
}
