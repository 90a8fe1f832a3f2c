//! Reading decimals from text.

use crate::codec::decimal::Class;
use crate::codec::decimal::Decimal;
use crate::codec::decimal::digits::Digits;

/// Why a text is no decimal.
///
/// The grammar, in ASCII and exactly so spelled: `[+-]? (digits [. digits?] | . digits) ([eE] [+-]?
/// digits)?`, or `[+-]? Infinity`, or `[+-]? NaN`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum ParseDecimalError {
    /// The byte at `at` can't stand there, or the text ends too early.
    #[error("not a decimal from byte {at} on")]
    Syntax {
        /// The first byte that is wrong; the text's length if it ends too early.
        at: usize,
    },
    /// The power of ten of the first digit that is not zero does not fit an `i32`, so no key can
    /// hold the number. (Zero with any exponent is zero.)
    #[error("exponent at byte {at} is out of range")]
    Exponent {
        /// Where the exponent's digits start; the text's length if there are none.
        at: usize,
    },
}

impl<'a> Decimal<'a> {
    /// Reads a decimal from text and borrows its digits. Takes time linear in the text, whatever
    /// the exponent.
    ///
    /// # Errors
    /// [`ParseDecimalError`]: the grammar, the range, and where.
    ///
    /// ```
    /// use isotone::{Decimal, ParseDecimalError};
    /// assert_eq!(Decimal::parse("1e+"), Err(ParseDecimalError::Syntax { at: 3 }));
    /// assert_eq!(Decimal::parse("1e2147483648"), Err(ParseDecimalError::Exponent { at: 2 }));
    /// assert!(Decimal::parse("0.1e2147483648").is_ok());
    /// ```
    pub fn parse(text: &'a str) -> Result<Decimal<'a>, ParseDecimalError> {
        let text = text.as_bytes();
        let negative = text.first() == Some(&b'-');
        let at = usize::from(negative || text.first() == Some(&b'+'));
        let class = if negative { Class::Negative } else { Class::Positive };
        match tail(text, at).first() {
            Some(b'N') => return word(text, at, b"NaN").map(|()| Decimal::NAN),
            Some(b'I') => {
                let infinity = if negative { Decimal::NEG_INFINITY } else { Decimal::INFINITY };
                return word(text, at, b"Infinity").map(|()| infinity);
            }
            _ => {}
        }

        // In range, here and below: indices into the text.
        let whole = run(text, at);
        let point = at.wrapping_add(whole);
        let (end, fraction) = match text.get(point) {
            Some(b'.') => {
                let fraction = run(text, point.wrapping_add(1));
                (point.wrapping_add(1).wrapping_add(fraction), fraction)
            }
            _ => (point, 0),
        };
        if whole == 0 && fraction == 0 {
            return Err(ParseDecimalError::Syntax { at: end });
        }
        let (exponent, exponent_at) = exponent(text, end)?;

        let coefficient = text.get(at..end).unwrap_or(&[]);
        let not_zero = |b: &u8| (b'1'..=b'9').contains(b);
        let first = coefficient.iter().position(not_zero);
        let last = coefficient.iter().rposition(not_zero);
        let (Some(first), Some(last)) = (first, last) else { return Ok(Decimal::ZERO) };
        // In range: lengths fit 63 bits and the exponent was kept below 2^101.
        let power = match (whole as i128).wrapping_sub(first as i128) {
            // The point itself lies between, and is no digit.
            before if before > 0 => before.wrapping_sub(1),
            behind => behind,
        };
        let adjusted = exponent.wrapping_add(power);
        let adjusted = i32::try_from(adjusted).map_err(|_| ParseDecimalError::Exponent { at: exponent_at })?;
        let digits = coefficient.get(first..=last).unwrap_or(&[]);
        let point = whole.checked_sub(first).unwrap_or(digits.len()).min(digits.len());
        Ok(Decimal { class, adjusted: adjusted.into(), digits: Digits::Text(digits, point) })
    }
}

impl<'a> TryFrom<&'a str> for Decimal<'a> {
    type Error = ParseDecimalError;

    /// As [`parse`](Decimal::parse).
    #[inline]
    fn try_from(text: &'a str) -> Result<Self, ParseDecimalError> {
        Decimal::parse(text)
    }
}

/// The text from `at` on.
fn tail(text: &[u8], at: usize) -> &[u8] {
    text.get(at..).unwrap_or(&[])
}

/// How many digits stand at `at`.
fn run(text: &[u8], at: usize) -> usize {
    let text = tail(text, at);
    text.iter().position(|b| !b.is_ascii_digit()).unwrap_or(text.len())
}

/// The text from `at` on is this word, or where it stops being it.
fn word(text: &[u8], at: usize, word: &[u8]) -> Result<(), ParseDecimalError> {
    let text = tail(text, at);
    let same = text.iter().zip(word).take_while(|(a, b)| a == b).count();
    if text == word { Ok(()) } else { Err(ParseDecimalError::Syntax { at: at.saturating_add(same) }) }
}

/// The exponent that stands at `at`, or none, up to the end of the text; and where its digits start.
/// Beyond 2^97 it is only known to be so.
fn exponent(text: &[u8], at: usize) -> Result<(i128, usize), ParseDecimalError> {
    match text.get(at) {
        None => return Ok((0, at)),
        Some(b'e' | b'E') => {}
        Some(_) => return Err(ParseDecimalError::Syntax { at }),
    }
    // In range, here and below: indices into the text.
    let at = at.wrapping_add(1);
    let negative = text.get(at) == Some(&b'-');
    let at = at.wrapping_add(usize::from(negative || text.get(at) == Some(&b'+')));
    let digits = run(text, at);
    let end = at.wrapping_add(digits);
    if digits == 0 || end < text.len() {
        return Err(ParseDecimalError::Syntax { at: end });
    }
    let mut value = 0i128;
    for digit in tail(text, at) {
        if value < 1 << 97 {
            // In range: ten times less than 2^97, and a digit, is less than 2^101.
            value = value.wrapping_mul(10).wrapping_add(i128::from(digit.wrapping_sub(b'0')));
        }
    }
    Ok((if negative { value.wrapping_neg() } else { value }, at))
}

#[cfg(test)]
mod tests {
    use std::format;
    use std::prelude::v1::*;

    use super::*;
    use crate::codec::decimal::tests::check;
    use crate::codec::decimal::tests::check_pair;
    use crate::codec::decimal::tests::dec;
    use crate::raw::sink::Payload;
    use core::cmp::Ordering;

    #[test]
    fn exponents_are_bounded_by_the_first_digit() {
        let range = |text, at| assert_eq!(Decimal::parse(text), Err(ParseDecimalError::Exponent { at }), "{text}");
        for text in ["0.1e2147483648", "0.001e2147483650", "123e-2147483650", "1e-2147483648", "9999e2147483644"] {
            check(dec(text));
        }
        assert_eq!(dec("0.1e2147483648").adjusted(), 2_147_483_647);
        assert_eq!(dec("123e-2147483650").to_string(), "123e-2147483650");
        assert_eq!(dec("123e-2147483650").to_parts(), None);
        range("1e2147483648", 2);
        range("10e2147483647", 3);
        range("-0.1e2147483649", 5);
        range("1e-2147483649", 3);
        range("123e-2147483651", 5);
        range("1e+99999999999999999999999999999999999999999999999999", 3);
        range("1e-99999999999999999999999999999999999999999999999999", 3);
        range("1e9223372036854775808", 2);
        range("1e18446744073709551616", 2);
    }

    #[test]
    fn long_texts_work() {
        let mut digits = "1234567890".repeat(14_000);
        digits.push('7');
        let zeros = "0".repeat(150_000);
        for text in [
            digits.clone(),
            format!("-{digits}.{digits}"),
            format!("{zeros}{digits}{zeros}"),
            format!("{zeros}.{zeros}{digits}"),
            format!("-{zeros}1{zeros}.{zeros}2{zeros}"),
        ] {
            check(dec(&text));
        }
        check_pair(dec(&digits), dec(&format!("{digits}.{zeros}1")), Ordering::Less);
        check_pair(dec(&format!("{zeros}.{zeros}")), Decimal::ZERO, Ordering::Equal);
        assert_eq!(dec(&digits).size(), Ok(6 + 140_001));
        // A point at every place of digits that span a chunk.
        for at in 0..=40 {
            let (whole, fraction) = digits.split_at(at);
            let text = format!("{whole}.{}", &fraction[..40 - at]);
            let value = dec(&text);
            assert!(value.digits().eq(dec(&digits[..40]).digits()));
            assert_eq!(value.adjusted() + 1, i64::try_from(at).unwrap());
            check(value);
        }
    }

    #[test]
    fn reject_texts() {
        for (text, at) in [
            ("", 0),
            ("+", 1),
            ("-", 1),
            (".", 1),
            ("-.", 2),
            ("e5", 0),
            (".e5", 1),
            ("1e", 2),
            ("1e+", 3),
            ("1e-x", 3),
            ("1.2.3", 3),
            ("1e2e3", 3),
            ("1e2.0", 3),
            ("--1", 1),
            ("+-1", 1),
            (" 1", 0),
            ("1 ", 1),
            ("1_000", 1),
            ("1,5", 1),
            ("0x10", 1),
            ("\u{661}", 0),
            ("1\u{661}", 1),
            ("nan", 0),
            ("Nan", 2),
            ("NaNs", 3),
            ("Na", 2),
            ("inf", 0),
            ("infinity", 0),
            ("Inf", 3),
            ("INFINITY", 1),
            ("-Infinity ", 9),
            ("Infinitx", 7),
            ("1\0", 1),
        ] {
            assert_eq!(Decimal::parse(text), Err(ParseDecimalError::Syntax { at }), "{text:?}");
            assert!(Decimal::try_from(text).is_err());
        }
    }
}
