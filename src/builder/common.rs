//! Values under a spec, written to free room without a builder as long as nothing is wrong with them
//! and they fit.

use crate::codec::net::Ip;
use crate::kind::code;
use crate::kind::front::Brief;
use crate::kind::front::Front;
use crate::raw::free::put_bytes;
use crate::raw::free::put_scalar;
use crate::raw::free::put_short;
use crate::value::Value;

/// Bytes and values that were written, and the fields that are left.
pub(crate) type Done = (usize, usize, Front);

/// Writes values from the front of `values` to the front of `free` as the fields of `front`, as far as
/// [`common_field`] does. What comes next is [`rarer_fields`]' to write.
#[inline(always)]
pub(crate) fn common_fields(free: &mut [u8], front: Front, values: &[Value<'_>]) -> Done {
    fields::<false>(free, front, values)
}

/// As [`common_fields`], but of all kinds that have no parts. What comes next is
/// [`Builder::spec_field`](crate::Builder)'s to write or to refuse.
#[inline(never)]
pub(crate) fn rarer_fields(free: &mut [u8], front: Front, values: &[Value<'_>]) -> Done {
    fields::<true>(free, front, values)
}

#[inline(always)]
fn fields<const RARER: bool>(free: &mut [u8], mut front: Front, values: &[Value<'_>]) -> Done {
    let (mut written, mut done) = (0usize, 0usize);
    for value in values {
        let (brief, rest) = front.split();
        let n = match common_field(free, written, brief, value) {
            None if RARER => free.get_mut(written..).and_then(|free| rarer_field(free, brief, value)),
            n => n,
        };
        let Some(n) = n else { break };
        // In range: within `free`, and counts values.
        (front, written, done) = (rest, written.wrapping_add(n), done.wrapping_add(1));
    }
    (written, done, front)
}

/// The value as it is where it is of the field's kind, written by `$put` under its order; else nothing.
macro_rules! try_kinds {
    ($brief:ident $value:ident: $($variant:ident $code:ident |$v:ident, $order:ident| $put:expr;)*) => {
        $(if let (Some($order), Value::$variant($v)) = ($brief.order(code::$code), $value) {
            return $put;
        })*
    };
}

/// Writes one value of the commonest kinds, plain, from `at` on; gives how many bytes that takes. `None`, and nothing written, where it is another, or not the field's, or does not fit.
#[inline(always)]
fn common_field(room: &mut [u8], at: usize, brief: Brief, value: &Value<'_>) -> Option<usize> {
    // One comparison after another takes less than two jumps by tables.
    try_kinds! { brief value:
        I64 I64 |v, order| put_scalar(room, at, order, *v);
        Str STR |v, order| put_short(room.get_mut(at..)?, order, v.bytes());
        U64 U64 |v, order| put_scalar(room, at, order, *v);
        Bytes BYTES |v, order| put_short(room.get_mut(at..)?, order, *v);
        I32 I32 |v, order| put_scalar(room, at, order, *v);
        U32 U32 |v, order| put_scalar(room, at, order, *v);
    }
    None
}

/// As [`common_field`], of the numbers alone.
#[inline(always)]
pub(crate) fn common_number(room: &mut [u8], brief: Brief, value: &Value<'_>) -> Option<usize> {
    try_kinds! { brief value:
        I64 I64 |v, order| put_scalar(room, 0, order, *v);
        U64 U64 |v, order| put_scalar(room, 0, order, *v);
        I32 I32 |v, order| put_scalar(room, 0, order, *v);
        U32 U32 |v, order| put_scalar(room, 0, order, *v);
    }
    None
}

/// What [`common_field`] leaves over: nulls, longer bytes, and all other kinds without parts.
#[inline(never)]
pub(crate) fn rarer_field(free: &mut [u8], brief: Brief, value: &Value<'_>) -> Option<usize> {
    match value {
        Value::Null => {
            *free.first_mut()? = brief.shape().null_tag()?;
            Some(1)
        }
        Value::Bool(v) => put_scalar(free, 0, brief.order(code::BOOL)?, *v),
        Value::I8(v) => put_scalar(free, 0, brief.order(code::I8)?, *v),
        Value::I16(v) => put_scalar(free, 0, brief.order(code::I16)?, *v),
        Value::I128(v) => put_scalar(free, 0, brief.order(code::I128)?, *v),
        Value::U8(v) => put_scalar(free, 0, brief.order(code::U8)?, *v),
        Value::U16(v) => put_scalar(free, 0, brief.order(code::U16)?, *v),
        Value::U128(v) => put_scalar(free, 0, brief.order(code::U128)?, *v),
        Value::F32(v) => put_scalar(free, 0, brief.order(code::F32)?, *v),
        Value::F64(v) => put_scalar(free, 0, brief.order(code::F64)?, *v),
        Value::Str(v) => put_bytes(free, brief.order(code::STR)?, v.bytes()),
        Value::Bytes(v) => put_bytes(free, brief.order(code::BYTES)?, *v),
        Value::Opaque(v) => put_bytes(free, brief.order(code::OPAQUE)?, *v),
        Value::Nested(v) => put_bytes(free, brief.order(code::NESTED)?, *v),
        Value::Decimal(v) => put_scalar(free, 0, brief.order(code::DECIMAL)?, *v),
        Value::Date(v) => put_scalar(free, 0, brief.order(code::DATE)?, *v),
        Value::Time(v) => put_scalar(free, 0, brief.order(code::TIME)?, *v),
        Value::TimeTz(v) => put_scalar(free, 0, brief.order(code::TIMETZ)?, *v),
        Value::Timestamp(v) => put_scalar(free, 0, brief.order(code::TIMESTAMP)?, *v),
        Value::Duration(v) => put_scalar(free, 0, brief.order(code::DURATION)?, *v),
        Value::Interval(v) => put_scalar(free, 0, brief.order(code::INTERVAL)?, *v),
        Value::Uuid(v) => put_scalar(free, 0, brief.order(code::UUID)?, *v),
        Value::Mac48(v) => put_scalar(free, 0, brief.order(code::MAC48)?, *v),
        Value::Mac64(v) => put_scalar(free, 0, brief.order(code::MAC64)?, *v),
        Value::Lsn(v) => put_scalar(free, 0, brief.order(code::LSN)?, *v),
        Value::Enum(v) => put_scalar(free, 0, brief.order(code::ENUM)?, *v),
        Value::Ip(v) => put_scalar(free, 0, brief.order(code::IP)?, Ip(*v)),
        Value::IpPrefix(v) => put_scalar(free, 0, brief.order(code::IP_PREFIX)?, *v),
        Value::Network(v) => put_scalar(free, 0, brief.order(code::NETWORK)?, *v),
        Value::Bits(v) => put_scalar(free, 0, brief.order(code::BITS)?, *v),
        // What is left asks for its kind's parameters.
        _ => None,
    }
}
