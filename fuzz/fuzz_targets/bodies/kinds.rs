//! The kinds: their codes, those that every input is read under, and the way back to a declared type.

use isotone::Decoder;
use isotone::Error;
use isotone::Field;
use isotone::FieldOrder;
use isotone::Kind;
use isotone::NotNull;
use isotone::Order;
use isotone::Type;
use isotone::Value;
use isotone::kind;

use super::store::Store;

macro_rules! simple {
    ($($ty:ident = $code:literal, $kind:ident, $read:ident;)*) => {
        /// The types that have no parameters.
        pub(crate) const SIMPLE: &[Type<'static>] = &[$(Type::$ty),*];

        /// The kind code of `FORMAT.md` §6.
        pub(crate) fn code(ty: &Type<'_>) -> u8 {
            match ty {
                $(Type::$ty => $code,)*
                Type::Opaque(_) => 0x12,
                Type::Fixed(_) => 0x13,
                Type::Collated { .. } => 0x14,
                Type::Nested(_) => 0x70,
                Type::Record(_) => 0x71,
                Type::List(_) => 0x72,
                Type::Array(_) => 0x73,
                Type::Range(_) => 0x74,
                Type::Multirange(_) => 0x75,
                _ => panic!("a type that the targets do not know: {ty:?}"),
            }
        }

        fn simple_type(code: u8) -> Option<Type<'static>> {
            match code {
                $($code => Some(Type::$ty),)*
                _ => None,
            }
        }

        /// Reads a field through the decoder's own method of its kind; `None` where it has none.
        pub(crate) fn read_typed<'k>(
            d: &mut Decoder<'k>,
            kind: Kind<'k>,
            order: FieldOrder,
        ) -> Option<Result<Option<Value<'k>>, Error>> {
            Some(match kind {
                $(Kind::$kind => d.$read(order).map(|v| v.map(|v| Value::$ty(v.into()))),)*
                _ => match kind.code() {
                    0x12 => d.opaque(order).map(|v| v.map(Value::Opaque)),
                    0x14 => d.collated(order).map(|v| v.map(Value::Collated)),
                    0x70 => d.nested(order).map(|v| v.map(Value::Nested)),
                    0x71 => d.record(kind, order).map(|v| v.map(Value::Record)),
                    0x72 => d.list(kind, order).map(|v| v.map(Value::List)),
                    0x73 => d.array(kind, order).map(|v| v.map(Value::Array)),
                    0x74 => d.range(kind, order).map(|v| v.map(Value::Range)),
                    0x75 => d.multirange(kind, order).map(|v| v.map(Value::Multirange)),
                    _ => return None,
                },
            })
        }

        const SIMPLE_KINDS: &[Kind<'static>] = &[$(Kind::$kind),*];
    };
}

simple! {
    Bool = 0x01, BOOL, bool;
    Bytes = 0x10, BYTES, bytes;
    Str = 0x11, STR, str;
    I64 = 0x20, I64, i64;
    I8 = 0x21, I8, i8;
    I16 = 0x22, I16, i16;
    I32 = 0x23, I32, i32;
    I128 = 0x24, I128, i128;
    U64 = 0x28, U64, u64;
    U8 = 0x29, U8, u8;
    U16 = 0x2a, U16, u16;
    U32 = 0x2b, U32, u32;
    U128 = 0x2c, U128, u128;
    F32 = 0x30, F32, f32;
    F64 = 0x31, F64, f64;
    Decimal = 0x38, DECIMAL, decimal;
    Date = 0x40, DATE, date;
    Time = 0x41, TIME, time;
    TimeTz = 0x42, TIMETZ, timetz;
    Timestamp = 0x43, TIMESTAMP, timestamp;
    Duration = 0x44, DURATION, duration;
    Interval = 0x45, INTERVAL, interval;
    Uuid = 0x50, UUID, uuid;
    Mac48 = 0x51, MAC48, mac48;
    Mac64 = 0x52, MAC64, mac64;
    Lsn = 0x53, LSN, lsn;
    Enum = 0x54, ENUM, enum_rank;
    Ip = 0x60, IP, ip;
    IpPrefix = 0x61, IP_PREFIX, ip_prefix;
    Network = 0x62, NETWORK, network;
    Bits = 0x76, BITS, bits;
}

const PAIR: [Field<'static>; 2] =
    [Field::new(Type::I32, Order::DescNullsFirst), Field::not_null(Type::Str, NotNull::Desc)];
const DEEP: [Field<'static>; 2] =
    [Field::new(Type::Record(&PAIR), Order::DescNullsLast), Field::new(Type::List(&Type::Bool), Order::AscNullsLast)];

/// Kinds with parameters that every input is read under, beside those without.
const COMPOSED: &[Kind<'static>] = &[
    kind!(Type::Opaque(b"producer 1")),
    kind!(Type::Fixed(1)),
    kind!(Type::Fixed(5)),
    kind!(Type::Collated { deterministic: false, producer: "unknown" }),
    kind!(Type::Nested(&PAIR)),
    kind!(Type::Record(&PAIR)),
    kind!(Type::Record(&DEEP)),
    kind!(Type::List(&Type::U8)),
    kind!(Type::List(&Type::Str)),
    kind!(Type::List(&Type::List(&Type::Decimal))),
    kind!(Type::List(&Type::Record(&PAIR))),
    kind!(Type::Array(&Type::Bool)),
    kind!(Type::Array(&Type::Bytes)),
    kind!(Type::Range(&Type::I8)),
    kind!(Type::Range(&Type::F32)),
    kind!(Type::Range(&Type::Date)),
    kind!(Type::Range(&Type::Str)),
    kind!(Type::Range(&Type::Range(&Type::U8))),
    kind!(Type::Multirange(&Type::U8)),
    kind!(Type::Multirange(&Type::Decimal)),
    kind!(Type::Multirange(&Type::Record(&PAIR))),
];

/// All kinds that every input is read under.
pub(crate) fn all() -> impl Iterator<Item = Kind<'static>> {
    SIMPLE_KINDS.iter().chain(COMPOSED).copied()
}

/// The six orders.
pub(crate) fn orders() -> impl Iterator<Item = FieldOrder> {
    (0..6).filter_map(FieldOrder::from_code)
}

/// Whether reading checks text in this kind, which skipping does not.
pub(crate) fn has_text(kind: Kind<'_>) -> bool {
    match kind.code() {
        0x11 | 0x14 => true,
        0x71 => kind.attributes().any(|(kind, _)| has_text(kind)),
        _ => kind.element().is_some_and(has_text),
    }
}

/// The declared type that a kind came from.
pub(crate) fn type_of<'v>(kind: Kind<'v>, store: &'v Store<'v>) -> Type<'v> {
    if let Some(simple) = simple_type(kind.code()) {
        return simple;
    }
    let element = || store.ty(type_of(kind.element().expect("it has an element"), store));
    let fields = || {
        let fields = kind.attributes().map(|(kind, order)| Field::from_code(type_of(kind, store), order.code()));
        store.fields(fields.collect())
    };
    match kind.code() {
        0x12 => Type::Opaque(&kind.params()[4..]),
        0x13 => Type::Fixed(kind.width().expect("fixed bytes have a width")),
        0x14 => Type::Collated {
            deterministic: kind.is_deterministic().expect("collated text says so"),
            producer: kind.producer().expect("collated text has a producer"),
        },
        0x70 => Type::Nested(fields()),
        0x71 => Type::Record(fields()),
        0x72 => Type::List(element()),
        0x73 => Type::Array(element()),
        0x74 => Type::Range(element()),
        0x75 => Type::Multirange(element()),
        code => panic!("a kind that the targets do not know: {code:#x}"),
    }
}
