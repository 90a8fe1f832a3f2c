//! `f32` and `f64` in their total order: −∞ … −0 = +0 … +∞, then every NaN as one value.
//!
//! # Layout
//! Any NaN is all `ff`. `-0` is written as `+0`. Otherwise, with the sign bit set all bits are
//! complemented, clear only the sign bit is; then big-endian, 4 or 8 bytes.
//!
//! # Why this orders
//! The bits of positive floats already compare as the numbers do. Negative ones run backwards, so
//! complementing turns them round, and the flipped sign bit puts them below the positive ones.
//! No number has all bits set after this (only NaNs would come there), so NaN is greatest, as in
//! PostgreSQL.
//!
//! ```
//! use isotone::{Asc, Builder};
//! let mut room = [0u8; 8];
//! let mut key = Builder::new(&mut room);
//! key.f64(-1.5, Asc);
//! assert_eq!(key.finish()?, [0x40, 0x07, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]);
//! # Ok::<(), isotone::Error>(())
//! ```

use crate::error::Error;
use crate::order::Flip;
use crate::raw::input::Input;
use crate::raw::input::Take;
use crate::raw::sink::Invalid;
use crate::raw::sink::Payload;
use crate::raw::sink::Sink;

macro_rules! floats {
    ($($float:ident $bits:ident $sign:literal;)*) => {$(
        impl Payload for $float {
            #[inline(always)]
            fn put<S: Sink>(&self, sink: &mut S, flip: Flip) -> Result<(), Invalid> {
                // Adding zero turns -0 into +0 and changes no other number.
                let bits = (*self + 0.0).to_bits();
                // All ones for a negative number, only the sign bit otherwise.
                let turned = if bits >> $sign == 0 { bits ^ (1 << $sign) } else { !bits };
                let bits = if self.is_nan() { $bits::MAX } else { turned };
                sink.put(bits.to_be_bytes(), flip);
                Ok(())
            }
        }

        impl Take<'_> for $float {
            #[inline(always)]
            fn take(input: &mut Input<'_>, flip: Flip) -> Result<Self, Error> {
                let turned = $bits::from_be_bytes(input.array(flip)?);
                if turned == $bits::MAX {
                    return Ok($float::NAN);
                }
                let bits = if turned >> $sign == 0 { !turned } else { turned ^ (1 << $sign) };
                let value = $float::from_bits(bits);
                if value.is_nan() || bits == 1 << $sign {
                    return Err(input.malformed());
                }
                Ok(value)
            }
        }
    )*};
}

floats! { f32 u32 31; f64 u64 63; }

#[cfg(test)]
mod tests {
    use std::prelude::v1::*;

    use super::*;
    use crate::raw::sink::Room;

    fn f64_bytes(value: f64) -> [u8; 8] {
        let mut room = [0xaa; 8];
        value.put(&mut Room::new(&mut room), Flip::No).unwrap();
        room
    }

    #[test]
    fn zeros_are_one_key_and_nans_are_one_key() {
        assert_eq!(f64_bytes(-0.0), f64_bytes(0.0));
        assert_eq!(f64_bytes(0.0), [0x80, 0, 0, 0, 0, 0, 0, 0]);
        for bits in [0x7ff8_0000_0000_0001, 0xfff8_0000_0000_0001, 0x7ff0_0000_0000_0001, u64::MAX] {
            assert_eq!(f64_bytes(f64::from_bits(bits)), [0xff; 8]);
        }
    }

    #[test]
    fn neighbours_are_in_order() {
        let mut v = 1.0f64;
        for _ in 0..1000 {
            assert!(f64_bytes(v) < f64_bytes(v.next_up()));
            assert!(f64_bytes(-v.next_up()) < f64_bytes(-v));
            v = v.next_up();
        }
        assert!(f64_bytes(1.0) < f64_bytes(1.0 + 2f64.powi(-30)));
        assert!(f64_bytes(f64::INFINITY) < f64_bytes(f64::NAN));
        assert!(f64_bytes(f64::NEG_INFINITY) < f64_bytes(f64::MIN));
    }

    #[test]
    fn reject_minus_zero_and_other_nans() {
        let take = |bytes: [u8; 8]| f64::take(&mut Input::new(&bytes, 0), Flip::No);
        assert!(take([0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]).is_err());
        assert!(take([0xff, 0xf8, 0, 0, 0, 0, 0, 1]).is_err());
        assert!(take([0, 7, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfe]).is_err());
        assert!(take([0xff; 8]).unwrap().is_nan());
    }
}
