//! A decimal's bytes: size, put and take.

use crate::codec::decimal::AROUND;
use crate::codec::decimal::Class;
use crate::codec::decimal::Decimal;
use crate::codec::decimal::digits::Digits;
use crate::codec::decimal::digits::expand;
use crate::codec::decimal::digits::last;
use crate::error::Error;
use crate::order::Flip;
use crate::raw::input::Input;
use crate::raw::input::Take;
use crate::raw::sink::Invalid;
use crate::raw::sink::Payload;
use crate::raw::sink::Sink;

impl Payload for Decimal<'_> {
    #[inline]
    fn put<S: Sink>(&self, sink: &mut S, flip: Flip) -> Result<(), Invalid> {
        let within = match self.class {
            Class::Negative => flip.then(Flip::Yes),
            Class::Positive => flip,
            flat => {
                sink.put([flat as u8], flip);
                return Ok(());
            }
        };
        let adjusted = i32::try_from(self.adjusted).map_err(|_| Invalid::Value)?;
        sink.put([self.class as u8], flip);
        adjusted.put(sink, within)?;
        self.digits.put(sink, within);
        sink.put([0], within);
        Ok(())
    }

    /// Known without saying anything.
    #[inline]
    fn size(&self) -> Result<usize, Invalid> {
        match self.digit_count() {
            _ if !self.is_valid() => Err(Invalid::Value),
            0 => Ok(1),
            // In range: a length fits 63 bits.
            digits => Ok(digits.wrapping_add(AROUND)),
        }
    }
}

impl<'k> Take<'k> for Decimal<'k> {
    fn take(input: &mut Input<'k>, flip: Flip) -> Result<Self, Error> {
        let (class, within) = match input.byte(flip)? {
            0x00 => return Ok(Decimal::NEG_INFINITY),
            0x01 => (Class::Negative, flip.then(Flip::Yes)),
            0x02 => return Ok(Decimal::ZERO),
            0x03 => (Class::Positive, flip),
            0x04 => return Ok(Decimal::INFINITY),
            0x05 => return Ok(Decimal::NAN),
            _ => return Err(input.malformed()),
        };
        let adjusted = i32::take(input, within)?;
        // A digit byte is 01 to 0a; the first and the last one are not zeros.
        let no_digit = |b: &u8| (b ^ within.mask()).wrapping_sub(1) > 9;
        let rest = input.rest();
        let raw = input.slice(rest.iter().position(no_digit).unwrap_or(rest.len()))?;
        let zero = 0x01 ^ within.mask();
        if raw.first() == Some(&zero) {
            return Err(input.malformed());
        }
        if input.byte(within)? != 0 || raw.last().is_none_or(|last| *last == zero) {
            return Err(input.malformed());
        }
        Ok(Decimal { class, adjusted: adjusted.into(), digits: Digits::Lying(raw, within) })
    }
}

impl Digits<'_> {
    /// Says the digit bytes.
    #[inline]
    fn put<S: Sink>(&self, sink: &mut S, flip: Flip) {
        match *self {
            Digits::Text(..) => {
                let (whole, fraction) = self.sides();
                put_ascii(whole, sink, flip);
                put_ascii(fraction, sink, flip);
            }
            Digits::Number(n, count) => {
                let bytes = expand(n).map(|digit| digit.wrapping_add(1));
                sink.put_slice(last(&bytes, count), flip);
            }
            Digits::Lying(raw, inner) => sink.put_slice(raw, flip.then(inner)),
        }
    }
}

/// Says digits of text in few and wide steps.
#[inline]
fn put_ascii<S: Sink>(text: &[u8], sink: &mut S, flip: Flip) {
    let mut rest = text;
    macro_rules! put {
        ($again:ident $word:ident) => {
            $again let Some((ascii, more)) = rest.split_first_chunk::<{ size_of::<$word>() }>() {
                // In range: `0` to `9` become 1 to 10 in each byte, so no byte borrows.
                let less = $word::from_ne_bytes([b'0' - 1; size_of::<$word>()]);
                sink.put($word::from_ne_bytes(*ascii).wrapping_sub(less).to_ne_bytes(), flip);
                rest = more;
            }
        };
    }
    put!(while u64);
    put!(if u32);
    put!(if u16);
    put!(if u8);
    // Nothing is left: fewer than eight digits are at most four, two and one.
    let _ = rest;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::decimal::tests::bytes;
    use crate::codec::decimal::tests::check;
    use crate::codec::decimal::tests::dec;
    use crate::codec::decimal::tests::take;
    use crate::raw::sink::Room;

    #[test]
    fn vectors() {
        let of = |text| bytes(dec(text), Flip::No);
        assert_eq!(of("123.45"), [3, 0x80, 0, 0, 2, 2, 3, 4, 5, 6, 0]);
        assert_eq!(of("-0.00120"), [1, 0x80, 0, 0, 2, 0xfd, 0xfc, 0xff]);
        assert_eq!(of("255"), [3, 0x80, 0, 0, 2, 3, 6, 6, 0]);
        assert_eq!(of("0.01111"), [3, 0x7f, 0xff, 0xff, 0xfe, 2, 2, 2, 2, 0]);
        assert_eq!(of("0.02"), [3, 0x7f, 0xff, 0xff, 0xfe, 3, 0]);
        assert_eq!(bytes(dec("-0.00120"), Flip::Yes), [0xfe, 0x7f, 0xff, 0xff, 0xfd, 2, 3, 0]);
        for (text, class) in [("-Infinity", 0), ("0", 2), ("Infinity", 4), ("+Infinity", 4), ("NaN", 5), ("-NaN", 5)] {
            assert_eq!(of(text), [class]);
            assert_eq!(bytes(dec(text), Flip::Yes), [!class]);
        }
        assert!(size_of::<Decimal<'_>>() <= 48);
    }

    #[test]
    fn reject_numbers_too_large_for_a_key() {
        assert!(Decimal::from_parts(1, i32::MAX).is_valid());
        check(Decimal::from_parts(1, i32::MAX));
        check(Decimal::from_parts(i128::MIN, i32::MAX - 38));
        check(Decimal::from_parts(i128::MAX, i32::MIN));
        for over in [Decimal::from_parts(10, i32::MAX), Decimal::from_parts(i128::MIN, i32::MAX - 37)] {
            assert!(!over.is_valid());
            let mut room = [0xaa; 64];
            assert_eq!(over.size(), Err(Invalid::Value));
            assert_eq!(over.put(&mut Room::new(&mut room), Flip::No), Err(Invalid::Value));
            assert_eq!(room, [0xaa; 64]);
        }
        let over = Decimal::from_parts(10, i32::MAX);
        assert!(dec("9e2147483647") < over && over < Decimal::INFINITY);
        assert_eq!(Decimal::from_parts(0, i32::MAX), Decimal::ZERO);
    }

    #[test]
    fn reject_what_writing_does_not_emit() {
        let fault = |key: &[u8]| take(key, Flip::No).unwrap_err();
        let malformed = Error::MalformedKey { at: 0 };
        assert_eq!(fault(&[6]), malformed);
        assert_eq!(fault(&[0xff]), malformed);
        assert_eq!(fault(&[3, 0x80, 0, 0, 0, 0]), malformed); // no digits
        assert_eq!(fault(&[3, 0x80, 0, 0, 0, 1, 2, 0]), malformed); // a zero first
        assert_eq!(fault(&[3, 0x80, 0, 0, 0, 2, 1, 0]), malformed); // a zero last
        assert_eq!(fault(&[3, 0x80, 0, 0, 0, 1, 0]), malformed);
        assert_eq!(fault(&[3, 0x80, 0, 0, 0, 2, 0x0b, 2, 0]), malformed);
        assert_eq!(fault(&[3, 0x80, 0, 0, 0, 0xff, 0]), malformed);
        assert_eq!(fault(&[3, 0x80, 0, 0, 0, 2, 0x0b]), malformed);
        assert_eq!(fault(&[1, 0x80, 0, 0, 0, 0xfd, 0xf4, 0xfd, 0xff]), malformed);
        assert_eq!(fault(&[1, 0x80, 0, 0, 0, 0xff]), malformed);
        assert_eq!(fault(&[]), Error::TruncatedKey { at: 0 });
        assert_eq!(fault(&[3]), Error::TruncatedKey { at: 1 });
        assert_eq!(fault(&[3, 0x80, 0, 0, 0]), Error::TruncatedKey { at: 5 });
        assert_eq!(fault(&[3, 0x80, 0, 0, 0, 2]), Error::TruncatedKey { at: 6 });
        assert_eq!(fault(&[1, 0x80, 0, 0, 0, 0xfd, 0]), malformed); // the end is complemented, too
    }

    #[test]
    fn hostile_bytes_fail_or_are_canonical() {
        for text in ["-Infinity", "-120.5e-9", "-1", "0", "10203.04", "9", "1234567890123456789", "Infinity", "NaN"] {
            for flip in [Flip::No, Flip::Yes] {
                let key = bytes(dec(text), flip);
                for cut in 0..key.len() {
                    assert_eq!(take(&key[..cut], flip), Err(Error::TruncatedKey { at: cut }));
                }
                for (at, byte) in (0..key.len()).flat_map(|at| (0..=255).map(move |byte| (at, byte))) {
                    let mut bad = key.clone();
                    bad[at] = byte;
                    let mut input = Input::new(&bad, 0);
                    if let Ok(read) = Decimal::take(&mut input, flip) {
                        assert_eq!(bytes(read, flip), input.since(0));
                        assert_eq!(read == dec(text), bad == key);
                    }
                }
            }
        }
    }
}
