//! The kinds that are one Rust type each, listed once for everything that has a method a kind.

/// Calls `$then!` with `$args` and every row: method, kind code, payload type, what the caller
/// gives and gets, how the one becomes the other, and documentation.
macro_rules! for_each_scalar {
    ($then:ident $($args:tt)*) => {
        $then! { $($args)*
            bool BOOL bool, bool, |v| v, |p| p, "A bool: 1 byte, `00` or `01`.";
            u8 U8 u8, u8, |v| v, |p| p, "An unsigned integer: 1 byte.";
            u16 U16 u16, u16, |v| v, |p| p, "An unsigned integer: 2 bytes, big-endian.";
            u32 U32 u32, u32, |v| v, |p| p, "An unsigned integer: 4 bytes, big-endian.";
            u64 U64 u64, u64, |v| v, |p| p, "An unsigned integer: 8 bytes, big-endian.";
            u128 U128 u128, u128, |v| v, |p| p, "An unsigned integer: 16 bytes, big-endian.";
            i8 I8 i8, i8, |v| v, |p| p, "A signed integer: 1 byte, top bit flipped.";
            i16 I16 i16, i16, |v| v, |p| p, "A signed integer: 2 bytes, big-endian, top bit flipped.";
            i32 I32 i32, i32, |v| v, |p| p, "A signed integer: 4 bytes, big-endian, top bit flipped.";
            i64 I64 i64, i64, |v| v, |p| p, "A signed integer: 8 bytes, big-endian, top bit flipped.";
            i128 I128 i128, i128, |v| v, |p| p, "A signed integer: 16 bytes, big-endian, top bit flipped.";
            f32 F32 f32, f32, |v| v, |p| p, "A float: 4 bytes. `-0` is `+0`; every NaN is one value, the greatest.";
            f64 F64 f64, f64, |v| v, |p| p, "A float: 8 bytes. `-0` is `+0`; every NaN is one value, the greatest.";
            date DATE Date, Date, |v| v, |p| p, "A date: 4 bytes, days since 2000-01-01.";
            time TIME Time, Time, |v| v, |p| p, "A time of day: 8 bytes, microseconds since midnight.";
            timetz TIMETZ ZonedTime, ZonedTime, |v| v, |p| p, "A time of day with an offset: 12 bytes; the instant decides first.";
            timestamp TIMESTAMP Timestamp, Timestamp, |v| v, |p| p, "A point in time: 8 bytes, microseconds since 2000-01-01 00:00:00 UTC.";
            duration DURATION MicroDuration, MicroDuration, |v| v, |p| p, "A span of time: 8 bytes, microseconds.";
            interval INTERVAL IntervalScalar, IntervalScalar, |v| v, |p| p, "An interval as its comparison scalar: 16 bytes. One month equals thirty days.";
            uuid UUID Uuid, Uuid, |v| v, |p| p, "A UUID: its 16 bytes in display order.";
            mac48 MAC48 Mac48, Mac48, |v| v, |p| p, "An EUI-48 address: its 6 bytes in display order.";
            mac64 MAC64 Mac64, Mac64, |v| v, |p| p, "An EUI-64 address: its 8 bytes in display order.";
            lsn LSN Lsn, Lsn, |v| v, |p| p, "A log sequence number: 8 bytes, big-endian.";
            enum_rank ENUM EnumRank, EnumRank, |v| v, |p| p, "The immutable rank of an enum label: 4 bytes, big-endian.";
            ip IP Ip, IpAddr, |v| Ip(v), |p| p.0, "An IP address: family, escaped address, length, address.";
            ip_prefix IP_PREFIX IpPrefix, IpPrefix, |v| v, |p| p, "An address with a prefix length and host bits.";
            network NETWORK Network, Network, |v| v, |p| p, "An address with a prefix length and no host bits.";
        }
    };
}

pub(crate) use for_each_scalar;
