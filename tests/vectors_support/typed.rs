//! Writes and reads values through the methods that are named for their types, composites through
//! closures: the way of a caller who knows the types.

use isotone::Builder;
use isotone::Decoder;
use isotone::Dimension;
use isotone::Elements;
use isotone::Error;
use isotone::FieldOrder;
use isotone::Fields;
use isotone::Kind;
use isotone::Value;

/// Calls `$then!` with the kinds that are one plain value each: variant, method, kind.
macro_rules! plain_kinds {
    ($then:ident $($args:tt)*) => {
        $then! { $($args)*;
            Bool bool BOOL, I8 i8 I8, I16 i16 I16, I32 i32 I32, I64 i64 I64, I128 i128 I128,
            U8 u8 U8, U16 u16 U16, U32 u32 U32, U64 u64 U64, U128 u128 U128, F32 f32 F32, F64 f64 F64,
            Date date DATE, Time time TIME, TimeTz timetz TIMETZ, Timestamp timestamp TIMESTAMP,
            Duration duration DURATION, Interval interval INTERVAL,
            Uuid uuid UUID, Mac48 mac48 MAC48, Mac64 mac64 MAC64, Lsn lsn LSN, Enum enum_rank ENUM,
            Ip ip IP, IpPrefix ip_prefix IP_PREFIX, Network network NETWORK,
            Str str STR, Bytes bytes BYTES, Decimal decimal DECIMAL, Bits bits BITS
        }
    };
}

macro_rules! write_field {
    ($to:ident $kind:ident $value:ident $order:ident; $($variant:ident $method:ident $code:ident),*) => {
        match $value {
            $(Value::$variant(v) => $to.$method(*v, $order),)*
            Value::Null => $to.null($order),
            Value::Record(record) => $to.record($order, |to| {
                for ((kind, order), value) in $kind.attributes().zip(record.iter()) {
                    attribute(to, kind, &value, order);
                }
            }),
            Value::List(list) => $to.list($order, |to| elements(to, $kind, list.iter())),
            Value::Array(array) => {
                let dimensions: Vec<Dimension> = array.dimensions().collect();
                $to.array(&dimensions, $order, |to| elements(to, $kind, array.iter()))
            }
            // Ranges have no method of their own.
            other => $to.value($kind, other, $order),
        }
    };
}

macro_rules! write_element {
    ($to:ident $kind:ident $value:ident; $($variant:ident $method:ident $code:ident),*) => {
        match $value {
            $(Value::$variant(v) => $to.$method(*v),)*
            Value::Null => $to.null(),
            Value::Record(record) => $to.record(|to| {
                for ((kind, order), value) in $kind.attributes().zip(record.iter()) {
                    attribute(to, kind, &value, order);
                }
            }),
            Value::List(list) => $to.list(|to| elements(to, $kind, list.iter())),
            Value::Array(array) => {
                let dimensions: Vec<Dimension> = array.dimensions().collect();
                $to.array(&dimensions, |to| elements(to, $kind, array.iter()))
            }
            other => $to.value($kind, other),
        }
    };
}

macro_rules! read_field {
    ($from:ident $kind:ident $order:ident; $($variant:ident $method:ident $code:ident),*) => {
        match $kind {
            $(Kind::$code => $from.$method($order).map(|v| v.map_or(Value::Null, Value::$variant)),)*
            kind => match kind.code() {
                0x71 => $from.record(kind, $order).map(Value::from),
                0x72 => $from.list(kind, $order).map(Value::from),
                0x73 => $from.array(kind, $order).map(Value::from),
                0x74 => $from.range(kind, $order).map(Value::from),
                0x75 => $from.multirange(kind, $order).map(Value::from),
                _ => $from.value(kind, $order).map(|v| v.unwrap_or(Value::Null)),
            },
        }
    };
}

/// Writes a field.
pub(crate) fn write(to: &mut Builder<'_>, kind: Kind<'_>, value: &Value<'_>, order: FieldOrder) {
    plain_kinds!(write_field to kind value order);
}

fn attribute(to: &mut Fields<'_, '_>, kind: Kind<'_>, value: &Value<'_>, order: FieldOrder) {
    plain_kinds!(write_field to kind value order);
}

fn elements<'v>(to: &mut Elements<'_, '_>, kind: Kind<'_>, values: impl Iterator<Item = Value<'v>>) {
    let Some(kind) = kind.element() else { return };
    for value in values {
        let value = &value;
        plain_kinds!(write_element to kind value);
    }
}

/// Reads a field; null is [`Value::Null`].
pub(crate) fn read<'k>(from: &mut Decoder<'k>, kind: Kind<'k>, order: FieldOrder) -> Result<Value<'k>, Error> {
    plain_kinds!(read_field from kind order)
}
