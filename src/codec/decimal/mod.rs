//! Decimals of any precision, in the order of their numbers, with both infinities and one NaN.
//!
//! # Layout
//! One class byte: `00` −infinity, `01` negative, `02` zero, `03` positive, `04` infinity, `05` NaN.
//! Behind `03` comes the magnitude, behind `01` the magnitude with every byte complemented:
//! 1. the adjusted exponent, which is the power of ten of the first digit, as an `i32` payload
//! 2. each digit plus one (`01` to `0a`), from the first to the last that is not zero
//! 3. `00`
//!
//! So 123.45 is `03 80 00 00 02 02 03 04 05 06 00`. A number has one encoding, however it was spelled.
//!
//! # Why this orders
//! Of two magnitudes the one with the higher first digit's power is greater. At the same power the
//! digits compare one by one, with no length before them, and where one magnitude ends inside the
//! other its `00` is below any digit. Complementing turns that round for negative numbers. Since
//! every magnitude ends by itself, none is a prefix of another.
//!
//! ```
//! use isotone::{AscNullsFirst, Builder, Decimal};
//! let mut room = [0u8; 24];
//! let mut key = Builder::new(&mut room);
//! key.decimal(Decimal::parse("123.45")?, AscNullsFirst);
//! assert_eq!(key.finish()?, [1, 3, 0x80, 0, 0, 2, 2, 3, 4, 5, 6, 0]);
//! let mut key = Builder::new(&mut room);
//! key.decimal(Decimal::from_parts(-120, -5), AscNullsFirst);
//! assert_eq!(key.finish()?, [1, 1, 0x80, 0, 0, 2, 0xfd, 0xfc, 0xff]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod compare;
mod digits;
mod display;
mod parse;
mod payload;

pub use digits::DigitIter;
pub use parse::ParseDecimalError;

use crate::codec::decimal::digits::DIGITS_128;
use crate::codec::decimal::digits::Digits;
use crate::codec::decimal::digits::without_zeros;

/// Bytes of a payload that has digits, but for these: class, exponent and end.
const AROUND: usize = 6;

/// A borrowed decimal: made from text, from a coefficient and an exponent, or lying in a key.
///
/// It is a number and nothing else: `100`, `1e2` and `+0100.00` are equal and share a key, and its
/// text is the canonical one, not the one it was parsed from. Keep the display scale beside the key
/// if you need it back. The order is PostgreSQL's for `numeric`: −infinity, the finite numbers,
/// infinity, NaN; and NaN is equal to itself.
///
/// ```
/// use isotone::Decimal;
/// let price = Decimal::parse("+0123.4500")?;
/// assert_eq!(price, Decimal::from_parts(12_345, -2));
/// assert_eq!(price.to_string(), "12345e-2");
/// assert_eq!(price.to_scaled(4), Some(1_234_500));
/// assert!(price < Decimal::from(124) && Decimal::INFINITY < Decimal::NAN);
/// # Ok::<(), isotone::ParseDecimalError>(())
/// ```
#[derive(Clone, Copy)]
pub struct Decimal<'a> {
    class: Class,
    /// Power of ten of the first digit; 0 where there are no digits.
    adjusted: i64,
    digits: Digits<'a>,
}

/// The class byte.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
enum Class {
    NegInfinity = 0x00,
    Negative = 0x01,
    Zero = 0x02,
    Positive = 0x03,
    Infinity = 0x04,
    Nan = 0x05,
}

impl<'a> Decimal<'a> {
    /// Less than every finite number.
    pub const NEG_INFINITY: Decimal<'static> = Decimal::special(Class::NegInfinity);
    /// Zero.
    pub const ZERO: Decimal<'static> = Decimal::special(Class::Zero);
    /// Greater than every finite number.
    pub const INFINITY: Decimal<'static> = Decimal::special(Class::Infinity);
    /// Greater than everything else, and equal to itself.
    pub const NAN: Decimal<'static> = Decimal::special(Class::Nan);

    /// Most bytes of a payload whose coefficient fits 128 bits, tag not counted.
    pub const MAX_SIZE_128: usize = AROUND + DIGITS_128;

    const fn special(class: Class) -> Decimal<'static> {
        Decimal { class, adjusted: 0, digits: Digits::Number(0, 0) }
    }

    /// `coefficient` × 10^`exponent`. A number of a fixed scale has it negated as its exponent: the
    /// cents of 123.45 are `from_parts(12_345, -2)`.
    ///
    /// With an exponent close to `i32::MAX` the number may be too large for a key; see
    /// [`is_valid`](Self::is_valid).
    pub const fn from_parts(coefficient: i128, exponent: i32) -> Decimal<'static> {
        Decimal::of(coefficient < 0, coefficient.unsigned_abs(), exponent)
    }

    const fn of(negative: bool, magnitude: u128, exponent: i32) -> Decimal<'static> {
        let Some(power) = magnitude.checked_ilog10() else { return Decimal::ZERO };
        let class = if negative { Class::Negative } else { Class::Positive };
        let (number, zeros) = without_zeros(magnitude);
        // In range: an i32 and at most 38; and 1 to 39 digits.
        let adjusted = (exponent as i64).wrapping_add(power as i64);
        let [count, ..] = power.wrapping_add(1).wrapping_sub(zeros).to_le_bytes();
        Decimal { class, adjusted, digits: Digits::Number(number, count) }
    }

    /// Whether this can be written: always, unless it is a finite number whose
    /// [`adjusted`](Self::adjusted) exponent does not fit an `i32`, which only
    /// [`from_parts`](Self::from_parts) can make. Writing it is an
    /// [`Error::InvalidValue`](crate::Error::InvalidValue).
    #[inline]
    pub const fn is_valid(&self) -> bool {
        self.adjusted <= i32::MAX as i64
    }

    /// Whether this is below zero, −infinity included.
    #[inline]
    pub const fn is_negative(&self) -> bool {
        matches!(self.class, Class::Negative | Class::NegInfinity)
    }

    /// Whether this is zero.
    #[inline]
    pub const fn is_zero(&self) -> bool {
        matches!(self.class, Class::Zero)
    }

    /// Whether this is a number: neither an infinity nor NaN.
    #[inline]
    pub const fn is_finite(&self) -> bool {
        matches!(self.class, Class::Negative | Class::Zero | Class::Positive)
    }

    /// Whether this is an infinity of either sign.
    #[inline]
    pub const fn is_infinite(&self) -> bool {
        matches!(self.class, Class::NegInfinity | Class::Infinity)
    }

    /// Whether this is not a number.
    #[inline]
    pub const fn is_nan(&self) -> bool {
        matches!(self.class, Class::Nan)
    }

    /// The significant digits, 0 to 9 each: from the first to the last that is not zero. None for
    /// zero and for what is not finite.
    #[inline]
    pub fn digits(&self) -> DigitIter<'a> {
        self.digits.iter()
    }

    /// Number of [`digits`](Self::digits).
    #[inline]
    pub const fn digit_count(&self) -> usize {
        self.digits.count()
    }

    /// Power of ten of the first digit: 2 for 123.45. 0 where there are no digits.
    #[inline]
    pub const fn adjusted(&self) -> i64 {
        self.adjusted
    }

    /// Power of ten of the last digit: -2 for 123.45. 0 where there are no digits.
    #[inline]
    pub const fn exponent(&self) -> i64 {
        match self.digit_count() {
            0 => 0,
            n => self.adjusted.saturating_sub_unsigned(n.saturating_sub(1) as u64),
        }
    }

    /// The shortest coefficient and its exponent, where they fit; what
    /// [`from_parts`](Self::from_parts) takes. `None` too for what is not finite.
    pub fn to_parts(&self) -> Option<(i128, i32)> {
        if !self.is_finite() {
            return None;
        }
        let mut coefficient = 0i128;
        for digit in self.digits() {
            let digit = i128::from(digit);
            // Downwards if negative: the least i128 has no positive counterpart.
            let next = coefficient.checked_mul(10)?;
            coefficient = if self.is_negative() { next.checked_sub(digit)? } else { next.checked_add(digit)? };
        }
        Some((coefficient, i32::try_from(self.exponent()).ok()?))
    }

    /// The number × 10^`scale`, where that is a whole number and fits: 12345 for 123.45 at scale 2.
    /// `None` too for what is not finite.
    pub fn to_scaled(&self, scale: i32) -> Option<i128> {
        let (coefficient, exponent) = self.to_parts()?;
        if coefficient == 0 {
            return Some(0);
        }
        // A negative power would cut off a digit that is not zero.
        let zeros = u32::try_from(i64::from(exponent).checked_add(i64::from(scale))?).ok()?;
        coefficient.checked_mul(10i128.checked_pow(zeros)?)
    }
}

macro_rules! from_integers {
    ($($int:ident)*) => {$(
        impl From<$int> for Decimal<'_> {
            #[inline]
            fn from(value: $int) -> Self {
                Decimal::from_parts(value.into(), 0)
            }
        }
    )*};
}

from_integers! { i8 i16 i32 i64 i128 u8 u16 u32 u64 }

impl From<u128> for Decimal<'_> {
    #[inline]
    fn from(value: u128) -> Self {
        Decimal::of(false, value, 0)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::hash_map::DefaultHasher;
    use std::format;
    use std::prelude::v1::*;
    use std::vec;

    use super::*;
    use crate::error::Error;
    use crate::order::Flip;
    use crate::raw::input::Input;
    use crate::raw::input::Take;
    use crate::raw::sink::Count;
    use crate::raw::sink::Payload;
    use crate::raw::sink::Room;
    use core::cmp::Ordering;
    use core::hash::Hash;
    use core::hash::Hasher;

    pub(super) fn bytes(value: Decimal<'_>, flip: Flip) -> Vec<u8> {
        let mut room = vec![0xaa; value.size().unwrap()];
        value.put(&mut Room::new(&mut room), flip).unwrap();
        room
    }

    pub(super) fn take(key: &[u8], flip: Flip) -> Result<Decimal<'_>, Error> {
        Decimal::take(&mut Input::new(key, 0), flip)
    }

    #[track_caller]
    pub(super) fn dec(text: &str) -> Decimal<'_> {
        Decimal::parse(text).unwrap()
    }

    fn hash(value: Decimal<'_>) -> u64 {
        let mut hasher = DefaultHasher::new();
        value.hash(&mut hasher);
        hasher.finish()
    }

    /// What holds for every pair, in both directions, from text and from a key.
    #[track_caller]
    pub(super) fn check_pair(a: Decimal<'_>, b: Decimal<'_>, want: Ordering) {
        for flip in [Flip::No, Flip::Yes] {
            let (key_a, key_b) = (bytes(a, flip), bytes(b, flip));
            let order = if flip == Flip::No { want } else { want.reverse() };
            assert_eq!(key_a.cmp(&key_b), order, "{a} {b}");
            assert!(want.is_eq() || !key_a.starts_with(&key_b) && !key_b.starts_with(&key_a), "{a} {b}");
            let (lying_a, lying_b) = (take(&key_a, flip).unwrap(), take(&key_b, flip).unwrap());
            for a in [a, lying_a] {
                for b in [b, lying_b] {
                    assert_eq!(a.cmp(&b), want, "{a} {b}");
                    assert_eq!(a == b, want.is_eq());
                    assert!(want.is_ne() || hash(a) == hash(b));
                }
            }
        }
    }

    /// What holds for every value.
    #[track_caller]
    pub(super) fn check(value: Decimal<'_>) {
        let text = value.to_string();
        assert_eq!(value.text_len(), text.len());
        let mut out = vec![0xaa; text.len()];
        out.pop();
        let short = Error::ShortBuffer { needed: text.len(), available: out.len() };
        assert_eq!(value.write_to(&mut out), Err(short));
        assert!(out.iter().all(|b| *b == 0xaa));
        out.extend([0xaa; 2]);
        assert_eq!(value.write_to(&mut out).unwrap(), text);
        assert_eq!(out.last(), Some(&0xaa));
        assert_eq!(dec(&text), value);

        let mut count = Count(0);
        value.put(&mut count, Flip::No).unwrap();
        assert_eq!(value.size(), Ok(count.0));

        for flip in [Flip::No, Flip::Yes] {
            let key = bytes(value, flip);
            let mut with_more = key.clone();
            with_more.extend([0x01, 0x00, 0xff]);
            let mut input = Input::new(&with_more, 0);
            let read = Decimal::take(&mut input, flip).unwrap();
            assert_eq!(input.pos(), key.len());
            assert_eq!(read, value);
            assert!(read.digits().eq(value.digits()));
            assert_eq!(read.digits().len(), value.digit_count());
            assert_eq!(read.digits().count(), value.digit_count());
            assert_eq!((read.adjusted(), read.exponent()), (value.adjusted(), value.exponent()));
            assert_eq!(read.to_string(), text);
            assert_eq!(read.to_parts(), value.to_parts());
            for again in [Flip::No, Flip::Yes] {
                assert_eq!(bytes(read, again), bytes(value, again));
            }
        }
        if let Some((coefficient, exponent)) = value.to_parts() {
            let parts = Decimal::from_parts(coefficient, exponent);
            assert_eq!(parts, value);
            assert_eq!(bytes(parts, Flip::No), bytes(value, Flip::No));
            assert_eq!(parts.to_string(), text);
        }
    }

    #[test]
    fn order_is_that_of_scaled_integers() {
        let numbers: Vec<(i128, i32)> = (-130..=130)
            .step_by(7)
            .chain([-100, -10, -1, 0, 1, 10, 100])
            .flat_map(|c| (-2..=2).map(move |e| (c, e)))
            .collect();
        let scaled = |(c, e): (i128, i32)| c * 10i128.pow(u32::try_from(e + 2).unwrap());
        for a in &numbers {
            let value = Decimal::from_parts(a.0, a.1);
            assert_eq!(value.to_scaled(2), Some(scaled(*a)));
            let text = format!("{}e{}", a.0, a.1);
            check_pair(value, dec(&text), Ordering::Equal);
            for b in &numbers {
                check_pair(value, Decimal::from_parts(b.0, b.1), scaled(*a).cmp(&scaled(*b)));
            }
        }
    }

    #[test]
    fn integers_are_their_text() {
        let mut all = vec![0i128, i128::MIN, i128::MAX, u64::MAX as i128, u64::MAX as i128 + 1];
        for power in 0..=38u32 {
            let n = 10i128.pow(power);
            all.extend([n - 1, n, n + 1, n / 2, 1 - n, -n, -1 - n]);
        }
        for n in all {
            let value = Decimal::from(n);
            check(value);
            check_pair(value, dec(&n.to_string()), Ordering::Equal);
            assert_eq!(value.to_scaled(0), Some(n));
            assert!(value.size().unwrap() <= Decimal::MAX_SIZE_128);
        }
        assert_eq!(Decimal::from(i128::MIN).size(), Ok(Decimal::MAX_SIZE_128));
        assert_eq!(Decimal::from(u128::MAX), dec(&u128::MAX.to_string()));
        assert_eq!(Decimal::from(u128::MAX).to_parts(), None);
        assert_eq!(Decimal::from(i64::MIN), dec("-9223372036854775808"));
        assert_eq!(Decimal::from(u64::MAX), dec("18446744073709551615"));
    }

    #[test]
    fn parts_fit_or_are_none() {
        assert_eq!(dec("1819487610").to_parts(), Some((181_948_761, 1)));
        assert_eq!(dec("2.000").to_parts(), Some((2, 0)));
        assert_eq!(dec("-170141183460469231731687303715884105728").to_parts(), Some((i128::MIN, 0)));
        assert_eq!(dec("170141183460469231731687303715884105728").to_parts(), None);
        assert_eq!(dec("123.45").to_scaled(1), None);
        assert_eq!(dec("123.45").to_scaled(2), Some(12_345));
        assert_eq!(dec("12e3").to_scaled(-3), Some(12));
        assert_eq!(dec("12e3").to_scaled(-4), None);
        assert_eq!(dec("1e38").to_scaled(0), Some(10i128.pow(38)));
        assert_eq!(dec("1e39").to_scaled(0), None);
        assert_eq!(dec("1e2147483647").to_scaled(i32::MAX), None);
        assert_eq!(dec("0e5").to_scaled(i32::MIN), Some(0));
        for word in [Decimal::NAN, Decimal::INFINITY, Decimal::NEG_INFINITY] {
            assert_eq!((word.to_parts(), word.to_scaled(0)), (None, None));
        }
    }

    #[test]
    fn classes_are_told_apart() {
        let [nan, inf, neg, zero] = [Decimal::NAN, Decimal::INFINITY, Decimal::NEG_INFINITY, Decimal::ZERO];
        for value in [nan, inf, neg, zero] {
            check(value);
            assert!(value.is_valid());
            assert_eq!((value.digit_count(), value.adjusted(), value.exponent()), (0, 0, 0));
        }
        assert!(nan.is_nan() && !nan.is_finite() && !nan.is_infinite() && !nan.is_negative());
        assert!(inf.is_infinite() && !inf.is_negative() && neg.is_infinite() && neg.is_negative());
        assert!(zero.is_zero() && zero.is_finite() && !zero.is_negative());
        assert!(dec("-1").is_negative() && dec("-1").is_finite() && !dec("-1").is_zero());
        assert_eq!(dec("123.45").digits().collect::<Vec<u8>>(), [1, 2, 3, 4, 5]);
        assert_eq!((dec("123.45").adjusted(), dec("123.45").exponent()), (2, -2));
    }
}
