//! Integers of 8 to 128 bits, signed and unsigned, and bool.
//!
//! # Layout
//! - bool: `00` false, `01` true
//! - unsigned: big-endian
//! - signed: big-endian with the top bit flipped, so -1i32 is `7f ff ff ff` and 0i32 `80 00 00 00`
//!
//! # Why this orders
//! Big-endian bytes compare as the number does. Flipping the top bit adds half the range, which
//! moves the least value to zero without changing who is larger.
//!
//! ```
//! use isotone::{Asc, Builder, Desc};
//! let mut room = [0u8; 6];
//! let mut key = Builder::new(&mut room);
//! key.i32(-1, Asc).u16(1, Desc);
//! assert_eq!(key.finish()?, [0x7f, 0xff, 0xff, 0xff, 0xff, 0xfe]);
//! # Ok::<(), isotone::Error>(())
//! ```

use crate::error::Error;
use crate::order::Flip;
use crate::raw::input::Input;
use crate::raw::input::Take;
use crate::raw::sink::Invalid;
use crate::raw::sink::Payload;
use crate::raw::sink::Sink;

impl Payload for bool {
    #[inline(always)]
    fn put<S: Sink>(&self, sink: &mut S, flip: Flip) -> Result<(), Invalid> {
        sink.put([u8::from(*self)], flip);
        Ok(())
    }
}

impl Take<'_> for bool {
    #[inline(always)]
    fn take(input: &mut Input<'_>, flip: Flip) -> Result<Self, Error> {
        match input.byte(flip)? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(input.malformed()),
        }
    }
}

macro_rules! integers {
    ($($int:ident ^ $bias:expr;)*) => {$(
        impl Payload for $int {
            #[inline(always)]
            fn put<S: Sink>(&self, sink: &mut S, flip: Flip) -> Result<(), Invalid> {
                sink.put((*self ^ $bias).to_be_bytes(), flip);
                Ok(())
            }
        }

        impl Take<'_> for $int {
            #[inline(always)]
            fn take(input: &mut Input<'_>, flip: Flip) -> Result<Self, Error> {
                Ok($int::from_be_bytes(input.array(flip)?) ^ $bias)
            }
        }
    )*};
}

integers! {
    u8 ^ 0; u16 ^ 0; u32 ^ 0; u64 ^ 0; u128 ^ 0;
    i8 ^ i8::MIN; i16 ^ i16::MIN; i32 ^ i32::MIN; i64 ^ i64::MIN; i128 ^ i128::MIN;
}

#[cfg(test)]
mod tests {
    use std::prelude::v1::*;
    use std::vec;

    use super::*;
    use crate::raw::sink::Room;

    fn bytes<P: Payload>(value: P) -> Vec<u8> {
        let mut room = vec![0xaa; value.size().unwrap()];
        value.put(&mut Room::new(&mut room), Flip::No).unwrap();
        room
    }

    #[test]
    fn every_i16_is_in_order() {
        let mut last: Option<Vec<u8>> = None;
        for v in i16::MIN..=i16::MAX {
            let now = bytes(v);
            assert!(last.as_ref() < Some(&now));
            assert_eq!(i16::take(&mut Input::new(&now, 0), Flip::No), Ok(v));
            last = Some(now);
        }
    }

    #[test]
    fn reject_other_bools() {
        for b in 2..=255u8 {
            assert_eq!(bool::take(&mut Input::new(&[b], 0), Flip::No), Err(Error::MalformedKey { at: 0 }));
        }
    }
}
