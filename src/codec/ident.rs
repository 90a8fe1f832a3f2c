//! Identifiers of fixed width: UUIDs, MAC addresses, log sequence numbers, and enum ranks.
//!
//! # Layout
//! - uuid, mac48, mac64: their 16, 6 or 8 bytes in network order, which is the order they are shown in
//! - lsn: 8 bytes, big-endian
//! - enum: the rank, 4 bytes, big-endian
//!
//! # Why this orders
//! The first byte shown is the most significant one, so bytes compare as the identifiers do in
//! PostgreSQL. Stores that look at a UUID's version or timestamp first, or at signed halves, use
//! another order, which this is not.
//!
//! ```
//! use isotone::{Asc, Builder, Desc, EnumRank, Lsn};
//! let mut room = [0u8; 12];
//! let mut key = Builder::new(&mut room);
//! key.lsn(Lsn::new(0x16_b374_d848), Asc).enum_rank(EnumRank::new(1), Desc);
//! assert_eq!(key.finish()?, [0, 0, 0, 0x16, 0xb3, 0x74, 0xd8, 0x48, 0xff, 0xff, 0xff, 0xfe]);
//! # Ok::<(), isotone::Error>(())
//! ```

use core::fmt;

use crate::error::Error;
use crate::order::Flip;
use crate::raw::input::Input;
use crate::raw::input::Take;
use crate::raw::sink::Invalid;
use crate::raw::sink::Payload;
use crate::raw::sink::Sink;

macro_rules! ids {
    ($($(#[$doc:meta])* $id:ident($inner:ty) $get:ident: $what:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $id($inner);

        impl $id {
            #[doc = concat!("Wraps ", $what, ".")]
            #[inline(always)]
            pub const fn new(value: $inner) -> Self {
                $id(value)
            }

            #[doc = concat!("Back to ", $what, ".")]
            #[inline(always)]
            pub const fn $get(self) -> $inner {
                self.0
            }
        }

        impl From<$inner> for $id {
            #[inline(always)]
            fn from(value: $inner) -> Self {
                $id(value)
            }
        }

        impl From<$id> for $inner {
            #[inline(always)]
            fn from(id: $id) -> Self {
                id.0
            }
        }

        impl fmt::Debug for $id {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($id), "({})"), self)
            }
        }

        impl Payload for $id {
            #[inline(always)]
            fn put<S: Sink>(&self, sink: &mut S, flip: Flip) -> Result<(), Invalid> {
                self.0.put(sink, flip)
            }
        }

        impl Take<'_> for $id {
            #[inline(always)]
            fn take(input: &mut Input<'_>, flip: Flip) -> Result<Self, Error> {
                <$inner>::take(input, flip).map($id)
            }
        }
    )*};
}

ids! {
    /// A UUID of any version, compared byte by byte as it is shown.
    ///
    /// ```
    /// let id = isotone::Uuid::new(0x550e8400_e29b_41d4_a716_446655440000u128.to_be_bytes());
    /// assert_eq!(id.to_string(), "550e8400-e29b-41d4-a716-446655440000");
    /// ```
    Uuid([u8; 16]) bytes: "the sixteen bytes in network order";
    /// A 48-bit MAC address (EUI-48), compared byte by byte as it is shown.
    ///
    /// ```
    /// let mac = isotone::Mac48::new([0x08, 0x00, 0x2b, 0x01, 0x02, 0x03]);
    /// assert_eq!(mac.to_string(), "08:00:2b:01:02:03");
    /// ```
    Mac48([u8; 6]) bytes: "the six bytes in network order";
    /// A 64-bit MAC address (EUI-64), compared byte by byte as it is shown.
    ///
    /// ```
    /// let mac = isotone::Mac64::new([0x08, 0x00, 0x2b, 0xff, 0xfe, 0x01, 0x02, 0x03]);
    /// assert_eq!(mac.to_string(), "08:00:2b:ff:fe:01:02:03");
    /// ```
    Mac64([u8; 8]) bytes: "the eight bytes in network order";
    /// A log sequence number: a byte position in a write-ahead log.
    ///
    /// ```
    /// assert_eq!(isotone::Lsn::new(0x16_b374_d848).to_string(), "16/B374D848");
    /// ```
    Lsn(u64) get: "the position";
    /// The rank of an enum's label among its labels.
    ///
    /// The rank is what is stored, so a label's rank must never change, and a retired one must not
    /// be given to another label, while a key that holds it exists. Neither the place of a label in
    /// its declaration nor its number in a catalogue is a rank: both move. Leave gaps between the
    /// ranks (multiples of 2^16, say), and give a label that is added between two others a rank
    /// between theirs. Where no gap is left, give out new ranks under a new generation of the index
    /// and rebuild it.
    ///
    /// ```
    /// use isotone::EnumRank;
    /// const OPEN: EnumRank = EnumRank::new(1 << 16);
    /// const CLOSED: EnumRank = EnumRank::new(2 << 16);
    /// // Added later:
    /// const PAUSED: EnumRank = EnumRank::new(OPEN.get() / 2 + CLOSED.get() / 2);
    /// assert!(OPEN < PAUSED && PAUSED < CLOSED);
    /// ```
    EnumRank(u32) get: "the rank";
}

/// Bytes in hex, with `sep` before the bytes of these indices.
fn hex(f: &mut fmt::Formatter<'_>, bytes: &[u8], sep: &str, before: fn(usize) -> bool) -> fmt::Result {
    for (i, byte) in bytes.iter().enumerate() {
        if before(i) {
            f.write_str(sep)?;
        }
        write!(f, "{byte:02x}")?;
    }
    Ok(())
}

impl fmt::Display for Uuid {
    /// Lower case with hyphens: `550e8400-e29b-41d4-a716-446655440000`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        hex(f, &self.0, "-", |i| matches!(i, 4 | 6 | 8 | 10))
    }
}

impl fmt::Display for Mac48 {
    /// Lower case with colons: `08:00:2b:01:02:03`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        hex(f, &self.0, ":", |i| i != 0)
    }
}

impl fmt::Display for Mac64 {
    /// Lower case with colons: `08:00:2b:ff:fe:01:02:03`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        hex(f, &self.0, ":", |i| i != 0)
    }
}

impl fmt::Display for Lsn {
    /// Both halves in upper-case hex: `16/B374D848`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:X}/{:X}", self.0 >> 32, self.0 & 0xffff_ffff)
    }
}

impl fmt::Display for EnumRank {
    /// The rank as a number.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

#[cfg(test)]
mod tests {
    use std::format;
    use std::prelude::v1::*;
    use std::vec;

    use super::*;
    use crate::raw::sink::Room;

    fn bytes<P: Payload>(value: P, flip: Flip) -> Vec<u8> {
        let mut room = vec![0xaa; value.size().unwrap()];
        value.put(&mut Room::new(&mut room), flip).unwrap();
        room
    }

    /// The values are ascending: so are their keys, each reads back, and every cut is truncated.
    #[track_caller]
    fn check<T>(values: &[T])
    where
        T: Payload + for<'k> Take<'k> + Ord + Copy + fmt::Debug,
    {
        for flip in [Flip::No, Flip::Yes] {
            for a in values {
                let key = bytes(a, flip);
                let mut input = Input::new(&key, 0);
                assert_eq!(T::take(&mut input, flip), Ok(*a));
                assert!(input.rest().is_empty());
                for cut in 0..key.len() {
                    let part = T::take(&mut Input::new(&key[..cut], 0), flip);
                    assert_eq!(part, Err(Error::TruncatedKey { at: cut }));
                }
                for b in values {
                    let order = key.cmp(&bytes(b, flip));
                    assert_eq!(if flip == Flip::No { order } else { order.reverse() }, a.cmp(b), "{a:?} {b:?}");
                }
            }
        }
        assert!(values.is_sorted_by(|a, b| a < b));
    }

    #[test]
    fn vectors_and_edges() {
        let uuid = Uuid::new(0x550e8400_e29b_41d4_a716_446655440000u128.to_be_bytes());
        assert_eq!(bytes(uuid, Flip::No), uuid.bytes());
        assert_eq!(uuid.to_string(), "550e8400-e29b-41d4-a716-446655440000");
        assert_eq!(format!("{uuid:?}"), "Uuid(550e8400-e29b-41d4-a716-446655440000)");
        let uuids = [0, 1, 0x7fff_ffff << 96, (0x8000_0000 << 96) - 1, 0x8000_0000 << 96, u128::MAX];
        check(&uuids.map(|v: u128| Uuid::new(v.to_be_bytes())));

        let mac = Mac48::new([0x08, 0, 0x2b, 1, 2, 3]);
        assert_eq!(bytes(mac, Flip::Yes), [0xf7, 0xff, 0xd4, 0xfe, 0xfd, 0xfc]);
        assert_eq!(mac.to_string(), "08:00:2b:01:02:03");
        check(&[Mac48::new([0; 6]), mac, Mac48::new([0x7f; 6]), Mac48::new([0x80; 6]), Mac48::new([0xff; 6])]);

        let mac = Mac64::new([0x08, 0, 0x2b, 0xff, 0xfe, 1, 2, 3]);
        assert_eq!(bytes(mac, Flip::No), mac.bytes());
        assert_eq!(mac.to_string(), "08:00:2b:ff:fe:01:02:03");
        check(&[Mac64::new([0; 8]), mac, Mac64::new([0x7f; 8]), Mac64::new([0x80; 8]), Mac64::new([0xff; 8])]);

        let lsns = [0, 1, 255, 256, u64::from(u32::MAX), 1 << 32, (1 << 63) - 1, 1 << 63, u64::MAX];
        assert_eq!(bytes(Lsn::new(0x16_b374_d848), Flip::No), [0, 0, 0, 0x16, 0xb3, 0x74, 0xd8, 0x48]);
        assert_eq!(lsns.map(|v| Lsn::new(v).to_string())[4..6], ["0/FFFFFFFF", "1/0"]);
        check(&lsns.map(Lsn::new));

        assert_eq!(bytes(EnumRank::new(1), Flip::Yes), [0xff, 0xff, 0xff, 0xfe]);
        check(&[0, 1, 255, 256, (1 << 31) - 1, 1 << 31, u32::MAX].map(EnumRank::new));
    }
}
