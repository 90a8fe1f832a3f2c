//! Exact sizes of payloads in bytes, before building. A field is its payload, and one byte more
//! under an [`Order`](crate::Order), whose tag it has; a null is its tag alone.
//!
//! ```
//! use isotone::{Builder, DescNullsLast, size};
//! let mut room = [0u8; 32];
//! let mut key = Builder::new(&mut room);
//! key.bytes(b"a\0b", DescNullsLast).i64(1, DescNullsLast);
//! assert_eq!(key.len(), size::TAG + size::bytes(b"a\0b") + size::TAG + size::I64);
//! ```

use core::net::IpAddr;

use crate::codec::bits::BitsView;
use crate::codec::decimal::Decimal;
use crate::codec::net::Ip;
use crate::codec::net::IpPrefix;
use crate::error::Error;
use crate::kind::Kind;
use crate::raw::sink::Count;
use crate::raw::sink::Payload;
use crate::raw::sink::escaped_size;
use crate::raw::view::ByteView;
use crate::value::Value;
use crate::value::put::put;

/// The presence tag of a nullable field.
pub const TAG: usize = 1;
/// A bool.
pub const BOOL: usize = 1;
/// An `i8` or `u8`.
pub const I8: usize = 1;
/// An `i16` or `u16`.
pub const I16: usize = 2;
/// An `i32` or `u32`.
pub const I32: usize = 4;
/// An `i64` or `u64`.
pub const I64: usize = 8;
/// An `i128` or `u128`.
pub const I128: usize = 16;
/// An `f32`.
pub const F32: usize = 4;
/// An `f64`.
pub const F64: usize = 8;
/// A date.
pub const DATE: usize = 4;
/// A time of day.
pub const TIME: usize = 8;
/// A time of day with an offset.
pub const TIMETZ: usize = 12;
/// A point in time.
pub const TIMESTAMP: usize = 8;
/// A span of time.
pub const DURATION: usize = 8;
/// An interval.
pub const INTERVAL: usize = 16;
/// A UUID.
pub const UUID: usize = 16;
/// An EUI-48 address.
pub const MAC48: usize = 6;
/// An EUI-64 address.
pub const MAC64: usize = 8;
/// A log sequence number.
pub const LSN: usize = 8;
/// An enum's rank.
pub const ENUM: usize = 4;
/// The most that any address, prefix or network takes: IPv6 with every escaped byte zero.
pub const IP_MAX: usize = 1 + 2 * 16 + 2 + 1 + 16;

/// Bytes, text, or anything else that is held escaped: length + zeros + 2. Looks at every byte.
pub fn bytes<'v>(value: impl Into<ByteView<'v>>) -> usize {
    escaped_size(value.into())
}

/// Text: length of its UTF-8 + zeros + 2. Looks at every byte.
pub fn str(value: &str) -> usize {
    bytes(value.as_bytes())
}

/// The most that `len` escaped bytes take, without looking at them: 2 × length + 2. Saturates.
pub const fn bytes_max(len: usize) -> usize {
    len.saturating_mul(2).saturating_add(2)
}

/// A decimal: 1, or 6 + significant digits. `None` when it can't be written, its adjusted exponent
/// being outside `i32`.
pub fn decimal(value: &Decimal<'_>) -> Option<usize> {
    value.size().ok()
}

/// An IP address.
pub fn ip(value: IpAddr) -> usize {
    Ip(value).size().unwrap_or(IP_MAX)
}

/// An address with a prefix length.
pub fn ip_prefix(value: IpPrefix) -> usize {
    value.size().unwrap_or(IP_MAX)
}

/// A bit string.
pub fn bits(value: &BitsView<'_>) -> usize {
    value.size().unwrap_or(0)
}

/// A value of any kind.
///
/// # Errors
/// [`Error::InvalidValue`] at 0 for a value that its kind does not allow or a null,
/// [`Error::TypeMismatch`] of field 0 for one of another kind.
pub fn value(kind: Kind<'_>, value: &Value<'_>) -> Result<usize, Error> {
    let mut count = Count(0);
    put(&mut count, kind, value, crate::order::Flip::No).map_err(|e| e.told(0, 0))?;
    Ok(count.0)
}
