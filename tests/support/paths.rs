//! Every way of writing and reading a value: by its kind's own method, as a [`Value`], through
//! closures, and under a spec. All must give the same bytes and the same values.

use arrayvec::ArrayVec;
use isotone::Asc;
use isotone::AscNullsFirst;
use isotone::AscNullsLast;
use isotone::Builder;
use isotone::ByteView;
use isotone::Decoder;
use isotone::Desc;
use isotone::DescNullsFirst;
use isotone::DescNullsLast;
use isotone::Dimension;
use isotone::Elements;
use isotone::Error;
use isotone::FieldOrder;
use isotone::Fields;
use isotone::Kind;
use isotone::NotNull;
use isotone::Order;
use isotone::SpecReader;
use isotone::SpecWriter;
use isotone::Value;
use isotone::append;

use crate::support::laws::JUNK;
use crate::support::laws::Laws;

/// An order as the type that says whether there is a null.
fn split(order: FieldOrder) -> Result<Order, NotNull> {
    match order.code() {
        0 => Ok(AscNullsFirst),
        1 => Ok(AscNullsLast),
        2 => Ok(DescNullsFirst),
        3 => Ok(DescNullsLast),
        4 => Err(Asc),
        _ => Err(Desc),
    }
}

fn array<const N: usize>(view: ByteView<'_>) -> [u8; N] {
    let mut out = [0; N];
    view.copy_to(&mut out).expect("a width that fits");
    out
}

/// Writes a value by the method of its kind; `$other` where there is none.
macro_rules! write_scalar {
    ($to:ident, $kind:ident, $value:ident, $other:expr $(, $order:ident)?) => {
        match $value {
            Value::Bool(v) => { $to.bool(*v $(, $order)?); }
            Value::I8(v) => { $to.i8(*v $(, $order)?); }
            Value::I16(v) => { $to.i16(*v $(, $order)?); }
            Value::I32(v) => { $to.i32(*v $(, $order)?); }
            Value::I64(v) => { $to.i64(*v $(, $order)?); }
            Value::I128(v) => { $to.i128(*v $(, $order)?); }
            Value::U8(v) => { $to.u8(*v $(, $order)?); }
            Value::U16(v) => { $to.u16(*v $(, $order)?); }
            Value::U32(v) => { $to.u32(*v $(, $order)?); }
            Value::U64(v) => { $to.u64(*v $(, $order)?); }
            Value::U128(v) => { $to.u128(*v $(, $order)?); }
            Value::F32(v) => { $to.f32(*v $(, $order)?); }
            Value::F64(v) => { $to.f64(*v $(, $order)?); }
            Value::Bytes(v) => { $to.bytes(*v $(, $order)?); }
            Value::Str(v) => { $to.str(*v $(, $order)?); }
            Value::Opaque(v) => { $to.opaque(*v $(, $order)?); }
            Value::Collated(v) => { $to.collated(*v $(, $order)?); }
            Value::Fixed(v) if v.len() == 1 => { $to.fixed(array::<1>(*v) $(, $order)?); }
            Value::Fixed(v) if v.len() == 3 => { $to.fixed(array::<3>(*v) $(, $order)?); }
            Value::Fixed(v) if v.len() == 16 => { $to.fixed(array::<16>(*v) $(, $order)?); }
            Value::Decimal(v) => { $to.decimal(*v $(, $order)?); }
            Value::Date(v) => { $to.date(*v $(, $order)?); }
            Value::Time(v) => { $to.time(*v $(, $order)?); }
            Value::TimeTz(v) => { $to.timetz(*v $(, $order)?); }
            Value::Timestamp(v) => { $to.timestamp(*v $(, $order)?); }
            Value::Duration(v) => { $to.duration(*v $(, $order)?); }
            Value::Interval(v) => { $to.interval(*v $(, $order)?); }
            Value::Uuid(v) => { $to.uuid(*v $(, $order)?); }
            Value::Mac48(v) => { $to.mac48(*v $(, $order)?); }
            Value::Mac64(v) => { $to.mac64(*v $(, $order)?); }
            Value::Lsn(v) => { $to.lsn(*v $(, $order)?); }
            Value::Enum(v) => { $to.enum_rank(*v $(, $order)?); }
            Value::Ip(v) => { $to.ip(*v $(, $order)?); }
            Value::IpPrefix(v) => { $to.ip_prefix(*v $(, $order)?); }
            Value::Network(v) => { $to.network(*v $(, $order)?); }
            Value::Bits(v) => { $to.bits(*v $(, $order)?); }
            Value::Nested(v) if is_key($kind, *v) => {
                let key: Vec<u8> = v.iter().collect();
                let mut inner = Decoder::new(&key);
                $to.nested($($order,)? |fields| {
                    for (kind, order) in $kind.attributes() {
                        let value = inner.value(kind, order).expect("checked").unwrap_or(Value::Null);
                        write_field(fields, kind, order, &value);
                    }
                });
            }
            _ => $other,
        }
    };
}

/// As [`write_scalar`], and composites through closures.
macro_rules! write_typed {
    ($to:ident, $kind:ident, $value:ident, $other:expr $(, $order:ident)?) => {
        match $value {
            Value::Record(v) => {
                $to.record($($order,)? |fields| {
                    for ((kind, order), value) in $kind.attributes().zip(v.iter()) {
                        write_field(fields, kind, order, &value);
                    }
                });
            }
            Value::List(v) => {
                let kind = $kind.element().expect("a list has elements");
                $to.list($($order,)? |elements| v.iter().for_each(|value| write_element(elements, kind, &value)));
            }
            Value::Array(v) => {
                let kind = $kind.element().expect("an array has elements");
                let dimensions: Vec<Dimension> = v.dimensions().collect();
                $to.array(&dimensions, $($order,)? |elements| v.iter().for_each(|value| write_element(elements, kind, &value)));
            }
            _ => write_scalar!($to, $kind, $value, $other $(, $order)?),
        }
    };
}

/// Whether bytes are one whole key of a nested kind's layout.
fn is_key(kind: Kind<'_>, bytes: ByteView<'_>) -> bool {
    let bytes: Vec<u8> = bytes.iter().collect();
    let mut inner = Decoder::new(&bytes);
    kind.attributes().all(|(kind, order)| inner.value(kind, order).is_ok()) && inner.finish().is_ok()
}

fn write_field(to: &mut Fields<'_, '_>, kind: Kind<'_>, order: FieldOrder, value: &Value<'_>) {
    if value.is_null() {
        to.null(order);
    } else {
        write_typed!(
            to,
            kind,
            value,
            {
                to.value(kind, value, order);
            },
            order
        );
    }
}

fn write_element(to: &mut Elements<'_, '_>, kind: Kind<'_>, value: &Value<'_>) {
    write_typed!(to, kind, value, {
        to.value(kind, value);
    });
}

/// Writes a field by its kind's own method, composites through closures.
pub(crate) fn write(to: &mut Builder<'_>, kind: Kind<'_>, order: FieldOrder, value: &Value<'_>) {
    match split(order) {
        Ok(order) if value.is_null() => {
            to.null(order);
        }
        Ok(order) => write_typed!(
            to,
            kind,
            value,
            {
                to.value(kind, value, order);
            },
            order
        ),
        Err(order) => write_typed!(
            to,
            kind,
            value,
            {
                to.value(kind, value, order);
            },
            order
        ),
    }
}

/// The same under a spec, which says the order.
pub(crate) fn write_spec(to: &mut SpecWriter<'_, '_>, kind: Kind<'_>, value: &Value<'_>) {
    write_scalar!(to, kind, value, {
        to.value(value);
    });
}

/// Reads a field by the method of its kind; `$wrap` makes an `Option` of what it gives.
macro_rules! read_typed {
    ($from:ident, $kind:ident, $order:ident, $wrap:expr) => {
        match $kind {
            Kind::BOOL => $from.bool($order).map($wrap).map(|v| v.map(Value::Bool)),
            Kind::I8 => $from.i8($order).map($wrap).map(|v| v.map(Value::I8)),
            Kind::I16 => $from.i16($order).map($wrap).map(|v| v.map(Value::I16)),
            Kind::I32 => $from.i32($order).map($wrap).map(|v| v.map(Value::I32)),
            Kind::I64 => $from.i64($order).map($wrap).map(|v| v.map(Value::I64)),
            Kind::I128 => $from.i128($order).map($wrap).map(|v| v.map(Value::I128)),
            Kind::U8 => $from.u8($order).map($wrap).map(|v| v.map(Value::U8)),
            Kind::U16 => $from.u16($order).map($wrap).map(|v| v.map(Value::U16)),
            Kind::U32 => $from.u32($order).map($wrap).map(|v| v.map(Value::U32)),
            Kind::U64 => $from.u64($order).map($wrap).map(|v| v.map(Value::U64)),
            Kind::U128 => $from.u128($order).map($wrap).map(|v| v.map(Value::U128)),
            Kind::F32 => $from.f32($order).map($wrap).map(|v| v.map(Value::F32)),
            Kind::F64 => $from.f64($order).map($wrap).map(|v| v.map(Value::F64)),
            Kind::BYTES => $from.bytes($order).map($wrap).map(|v| v.map(Value::Bytes)),
            Kind::STR => $from.str($order).map($wrap).map(|v| v.map(Value::Str)),
            Kind::DECIMAL => $from.decimal($order).map($wrap).map(|v| v.map(Value::Decimal)),
            Kind::DATE => $from.date($order).map($wrap).map(|v| v.map(Value::Date)),
            Kind::TIME => $from.time($order).map($wrap).map(|v| v.map(Value::Time)),
            Kind::TIMETZ => $from.timetz($order).map($wrap).map(|v| v.map(Value::TimeTz)),
            Kind::TIMESTAMP => $from.timestamp($order).map($wrap).map(|v| v.map(Value::Timestamp)),
            Kind::DURATION => $from.duration($order).map($wrap).map(|v| v.map(Value::Duration)),
            Kind::INTERVAL => $from.interval($order).map($wrap).map(|v| v.map(Value::Interval)),
            Kind::UUID => $from.uuid($order).map($wrap).map(|v| v.map(Value::Uuid)),
            Kind::MAC48 => $from.mac48($order).map($wrap).map(|v| v.map(Value::Mac48)),
            Kind::MAC64 => $from.mac64($order).map($wrap).map(|v| v.map(Value::Mac64)),
            Kind::LSN => $from.lsn($order).map($wrap).map(|v| v.map(Value::Lsn)),
            Kind::ENUM => $from.enum_rank($order).map($wrap).map(|v| v.map(Value::Enum)),
            Kind::IP => $from.ip($order).map($wrap).map(|v| v.map(Value::Ip)),
            Kind::IP_PREFIX => $from.ip_prefix($order).map($wrap).map(|v| v.map(Value::IpPrefix)),
            Kind::NETWORK => $from.network($order).map($wrap).map(|v| v.map(Value::Network)),
            Kind::BITS => $from.bits($order).map($wrap).map(|v| v.map(Value::Bits)),
            kind if kind.code() == 0x12 => $from.opaque($order).map($wrap).map(|v| v.map(Value::Opaque)),
            kind if kind.code() == 0x14 => $from.collated($order).map($wrap).map(|v| v.map(Value::Collated)),
            kind if kind.code() == 0x70 => $from.nested($order).map($wrap).map(|v| v.map(Value::Nested)),
            kind if kind.code() == 0x71 => $from.record(kind, $order).map($wrap).map(|v| v.map(Value::Record)),
            kind if kind.code() == 0x72 => $from.list(kind, $order).map($wrap).map(|v| v.map(Value::List)),
            kind if kind.code() == 0x73 => $from.array(kind, $order).map($wrap).map(|v| v.map(Value::Array)),
            kind if kind.code() == 0x74 => $from.range(kind, $order).map($wrap).map(|v| v.map(Value::Range)),
            kind if kind.code() == 0x75 => $from.multirange(kind, $order).map($wrap).map(|v| v.map(Value::Multirange)),
            kind => $from.value(kind, $order).map($wrap),
        }
    };
}

/// Reads a field by its kind's own method.
pub(crate) fn read<'k>(from: &mut Decoder<'k>, kind: Kind<'k>, order: FieldOrder) -> Result<Value<'k>, Error> {
    match split(order) {
        Ok(order) => read_typed!(from, kind, order, |v| v).map(|v| v.unwrap_or(Value::Null)),
        Err(order) => read_typed!(from, kind, order, Some).map(|v| v.unwrap_or(Value::Null)),
    }
}

/// The same under a spec.
pub(crate) fn read_spec<'k>(from: &mut SpecReader<'k, 'k>, kind: Kind<'k>) -> Result<Value<'k>, Error> {
    let read = match kind {
        Kind::BOOL => from.bool()?.map(Value::Bool),
        Kind::I8 => from.i8()?.map(Value::I8),
        Kind::I16 => from.i16()?.map(Value::I16),
        Kind::I32 => from.i32()?.map(Value::I32),
        Kind::I64 => from.i64()?.map(Value::I64),
        Kind::I128 => from.i128()?.map(Value::I128),
        Kind::U8 => from.u8()?.map(Value::U8),
        Kind::U16 => from.u16()?.map(Value::U16),
        Kind::U32 => from.u32()?.map(Value::U32),
        Kind::U64 => from.u64()?.map(Value::U64),
        Kind::U128 => from.u128()?.map(Value::U128),
        Kind::F32 => from.f32()?.map(Value::F32),
        Kind::F64 => from.f64()?.map(Value::F64),
        Kind::BYTES => from.bytes()?.map(Value::Bytes),
        Kind::STR => from.str()?.map(Value::Str),
        Kind::DECIMAL => from.decimal()?.map(Value::Decimal),
        Kind::DATE => from.date()?.map(Value::Date),
        Kind::TIME => from.time()?.map(Value::Time),
        Kind::TIMETZ => from.timetz()?.map(Value::TimeTz),
        Kind::TIMESTAMP => from.timestamp()?.map(Value::Timestamp),
        Kind::DURATION => from.duration()?.map(Value::Duration),
        Kind::INTERVAL => from.interval()?.map(Value::Interval),
        Kind::UUID => from.uuid()?.map(Value::Uuid),
        Kind::MAC48 => from.mac48()?.map(Value::Mac48),
        Kind::MAC64 => from.mac64()?.map(Value::Mac64),
        Kind::LSN => from.lsn()?.map(Value::Lsn),
        Kind::ENUM => from.enum_rank()?.map(Value::Enum),
        Kind::IP => from.ip()?.map(Value::Ip),
        Kind::IP_PREFIX => from.ip_prefix()?.map(Value::IpPrefix),
        Kind::NETWORK => from.network()?.map(Value::Network),
        Kind::BITS => from.bits()?.map(Value::Bits),
        kind if kind.code() == 0x12 => from.opaque()?.map(Value::Opaque),
        kind if kind.code() == 0x14 => from.collated()?.map(Value::Collated),
        kind if kind.code() == 0x70 => from.nested()?.map(Value::Nested),
        _ => Some(from.value()?),
    };
    Ok(read.unwrap_or(Value::Null))
}

/// Every path writes and reads one value alike, under all orders.
pub(crate) fn agree(laws: &Laws<'_>, value: &Value<'_>) {
    let kind = laws.kind;
    for order in Laws::orders_of(value) {
        let expected = laws.field(order, value);
        let spec = laws.spec(order);
        let size = expected.len();
        let check = |path: &str, written: Result<&[u8], Error>| {
            assert_eq!(written, Ok(&expected[..]), "{path}: {value:?} under {order:?}");
        };
        let mut room = vec![JUNK; size + 4];

        let mut key = Builder::new(&mut room);
        write(&mut key, kind, order, value);
        assert_eq!(key.len(), size);
        check("builder", key.finish());
        let mut key = Builder::new(&mut room);
        key.value(kind, value, order.code());
        check("stored code", key.finish());
        let mut key = spec.writer(&mut room);
        write_spec(&mut key, kind, value);
        check("writer", key.finish());
        let mut key = spec.writer(&mut room);
        key.value(value);
        check("writer, any kind", key.finish());
        check("encode", spec.encode(&[*value], &mut room));
        check("encode_prefix", spec.encode_prefix(&[*value], &mut room));
        check("encode_from", spec.encode_from(0, 0, &[*value], &mut room));
        let mut grown: ArrayVec<u8, 65_536> = ArrayVec::new();
        grown.push(JUNK);
        check(
            "append",
            append(&mut grown, size, |key| {
                key.value(kind, value, order);
            }),
        );

        let mut decoder = Decoder::new(&expected);
        assert_eq!(read(&mut decoder, kind, order), Ok(*value), "decoder under {order:?}");
        assert_eq!(decoder.finish(), Ok(()));
        let mut reader = spec.reader(&expected).expect("no scope");
        assert_eq!(read_spec(&mut reader, kind), Ok(*value), "reader under {order:?}");
        assert_eq!(reader.finish(), Ok(()));
        let mut reader = spec.reader(&expected).expect("no scope");
        assert_eq!((reader.skip(), reader.offset(), reader.remaining()), (Ok(()), size, 0));
        assert_eq!(spec.offsets(&expected, &mut [0]), Ok(&[size][..]));
    }
}
