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

use core::cmp::Ordering;
use core::fmt;
use core::fmt::Write;
use core::hash::Hash;
use core::hash::Hasher;

use crate::error::Error;
use crate::order::Flip;
use crate::raw::input::Input;
use crate::raw::input::Take;
use crate::raw::sink::Invalid;
use crate::raw::sink::Payload;
use crate::raw::sink::Sink;

/// Bytes of a payload that has digits, but for these: class, exponent and end.
const AROUND: usize = 6;

/// Most digits of a coefficient of 128 bits, signed or not.
const DIGITS_128: usize = 39;
/// Room for them in groups of eight.
const PLACES_128: usize = 40;

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

/// The digits from the first to the last that is not zero: some if the class is negative or
/// positive, else none.
#[derive(Clone, Copy)]
enum Digits<'a> {
    /// ASCII, with a point at this index, or its length if there is none.
    Text(&'a [u8], usize),
    /// A number that ten does not divide, and how many digits it has; zero has none.
    Number(u128, u8),
    /// Digit bytes of a key, complemented if the flip says so.
    Lying(&'a [u8], Flip),
}

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
    /// [`from_parts`](Self::from_parts) can make. Writing it is an [`Error::InvalidValue`].
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
        DigitIter(match self.digits {
            Digits::Text(..) => {
                let (whole, fraction) = self.digits.sides();
                Places::Text(whole, fraction)
            }
            Digits::Number(n, count) => Places::Number(expand(n), count),
            Digits::Lying(raw, flip) => Places::Lying(raw, flip),
        })
    }

    /// Number of [`digits`](Self::digits).
    #[inline]
    pub const fn digit_count(&self) -> usize {
        match self.digits {
            // The point is no digit.
            Digits::Text(text, point) => text.len().saturating_sub((point < text.len()) as usize),
            Digits::Number(_, count) => count as usize,
            Digits::Lying(raw, _) => raw.len(),
        }
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

    /// Number of bytes of the canonical text.
    pub fn text_len(&self) -> usize {
        let sign = usize::from(self.is_negative());
        match self.word() {
            Some(word) => word.len(),
            None => {
                let exponent = self.exponent();
                let power = exponent.unsigned_abs().checked_ilog10().unwrap_or(0) as usize;
                let minus = usize::from(exponent < 0);
                // Sign and digits, `e`, the exponent's sign and digits.
                let exponent = minus.saturating_add(power).saturating_add(2);
                sign.saturating_add(self.digit_count()).saturating_add(exponent)
            }
        }
    }

    /// Writes the canonical text to the front of `out` and returns it: the shortest coefficient and
    /// its exponent, as in `-12e2`, `12e-4`, `5e0`; or `0`, `Infinity`, `-Infinity`, `NaN`. It
    /// [parses](Self::parse) back to the same number.
    ///
    /// # Errors
    /// [`Error::ShortBuffer`] when `out` is shorter than [`text_len`](Self::text_len); nothing is
    /// written then.
    pub fn write_to<'o>(&self, out: &'o mut [u8]) -> Result<&'o str, Error> {
        let needed = self.text_len();
        let short = Error::ShortBuffer { needed, available: out.len() };
        let out = out.get_mut(..needed).ok_or(short)?;
        // In range: the text is exactly as long as was told.
        let _ = self.write_text(&mut Front(&mut *out));
        // Valid: the text is ASCII.
        Ok(core::str::from_utf8(out).unwrap_or_default())
    }

    /// The text of what has no digits.
    const fn word(&self) -> Option<&'static str> {
        match self.class {
            Class::NegInfinity => Some("-Infinity"),
            Class::Zero => Some("0"),
            Class::Infinity => Some("Infinity"),
            Class::Nan => Some("NaN"),
            Class::Negative | Class::Positive => None,
        }
    }

    /// The canonical text.
    fn write_text<W: Write>(&self, out: &mut W) -> fmt::Result {
        if let Some(word) = self.word() {
            return out.write_str(word);
        }
        if self.is_negative() {
            out.write_str("-")?;
        }
        let mut digits = self.digits();
        let mut chunk = [0u8; 64];
        while digits.len() > 0 {
            let mut len = 0usize;
            for (slot, digit) in chunk.iter_mut().zip(&mut digits) {
                *slot = digit.wrapping_add(b'0');
                len = len.wrapping_add(1);
            }
            let ascii = chunk.get(..len).unwrap_or(&[]);
            // Valid: digits are ASCII.
            out.write_str(core::str::from_utf8(ascii).unwrap_or_default())?;
        }
        write!(out, "e{}", self.exponent())
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

/// The number without the zeros at its end, and how many they were.
const fn without_zeros(mut n: u128) -> (u128, u32) {
    let mut zeros = 0u32;
    while n > u64::MAX as u128 {
        if n % 10 != 0 {
            return (n, zeros);
        }
        (n, zeros) = (n / 10, zeros.wrapping_add(1));
    }
    // Most coefficients are this small, and shorter division is faster.
    let [mut low, _] = words(n);
    while low != 0 && low % 10 == 0 {
        (low, zeros) = (low / 10, zeros.wrapping_add(1));
    }
    (low as u128, zeros)
}

/// The lower and the upper word.
const fn words(n: u128) -> [u64; 2] {
    let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = n.to_le_bytes();
    [u64::from_le_bytes([a, b, c, d, e, f, g, h]), u64::from_le_bytes([i, j, k, l, m, n, o, p])]
}

/// The digits of a number, 0 to 9 each, at the end of the array.
#[inline]
fn expand(mut n: u128) -> [u8; PLACES_128] {
    let mut out = [0u8; PLACES_128];
    let mut rooms = out.rchunks_exact_mut(8);
    let mut put = |group| {
        if let Some(room) = rooms.next() {
            room.copy_from_slice(&eight_digits(group));
        }
    };
    while n > u64::MAX as u128 {
        // In range: a remainder is less than 10^8.
        let [group, _] = words(n % 100_000_000);
        put(group);
        n /= 100_000_000;
    }
    let [mut low, _] = words(n);
    while low != 0 {
        put(low % 100_000_000);
        low /= 100_000_000;
    }
    out
}

/// The eight digits of a number below 10^8, all at once: halved into lanes of four digits, of two,
/// of one, each time by multiplying with a reciprocal that is exact for so small a number.
#[inline(always)]
const fn eight_digits(n: u64) -> [u8; 8] {
    // In range: no lane ever reaches into the next one.
    let fours = (n / 10_000) | (n % 10_000) << 32;
    let upper = (fours.wrapping_mul(10_486) >> 20) & 0x7f_0000_007f;
    let twos = upper | fours.wrapping_sub(upper.wrapping_mul(100)) << 16;
    let upper = (twos.wrapping_mul(103) >> 10) & 0x000f_000f_000f_000f;
    let ones = upper | twos.wrapping_sub(upper.wrapping_mul(10)) << 8;
    ones.to_le_bytes()
}

impl<'a> Digits<'a> {
    /// The text before and after its point.
    #[inline]
    fn sides(&self) -> (&'a [u8], &'a [u8]) {
        match *self {
            Digits::Text(text, point) => {
                let (whole, fraction) = text.split_at_checked(point).unwrap_or((text, &[]));
                (whole, fraction.get(1..).unwrap_or(&[]))
            }
            _ => (&[], &[]),
        }
    }

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

/// The last `count` digits.
#[inline(always)]
fn last(digits: &[u8; PLACES_128], count: u8) -> &[u8] {
    // In range: at most 39 of 40.
    digits.get(PLACES_128.wrapping_sub(count as usize)..).unwrap_or(&[])
}

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

/// Iterates over the significant digits of a [`Decimal`], 0 to 9 each.
#[derive(Clone)]
pub struct DigitIter<'a>(Places<'a>);

#[derive(Clone)]
enum Places<'a> {
    Text(&'a [u8], &'a [u8]),
    /// As many as are left, at the end.
    Number([u8; PLACES_128], u8),
    Lying(&'a [u8], Flip),
}

impl Iterator for DigitIter<'_> {
    type Item = u8;

    #[inline]
    fn next(&mut self) -> Option<u8> {
        // In range: a digit in ASCII is at least `0`, and a digit byte at least 1.
        match &mut self.0 {
            Places::Text(whole, fraction) => {
                let half = if whole.is_empty() { fraction } else { whole };
                let (first, rest) = half.split_first()?;
                *half = rest;
                Some(first.wrapping_sub(b'0'))
            }
            Places::Number(digits, left) => {
                let digit = last(digits, *left).first()?;
                *left = left.wrapping_sub(1);
                Some(*digit)
            }
            Places::Lying(raw, flip) => {
                let (first, rest) = raw.split_first()?;
                *raw = rest;
                Some((first ^ flip.mask()).wrapping_sub(1))
            }
        }
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = match &self.0 {
            Places::Text(whole, fraction) => whole.len().saturating_add(fraction.len()),
            Places::Number(_, left) => usize::from(*left),
            Places::Lying(raw, _) => raw.len(),
        };
        (left, Some(left))
    }
}

impl ExactSizeIterator for DigitIter<'_> {}
impl core::iter::FusedIterator for DigitIter<'_> {}

impl fmt::Debug for DigitIter<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}

/// Writes to the front of a slice.
struct Front<'o>(&'o mut [u8]);

impl Write for Front<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let (head, rest) = core::mem::take(&mut self.0).split_at_mut_checked(text.len()).ok_or(fmt::Error)?;
        head.copy_from_slice(text.as_bytes());
        self.0 = rest;
        Ok(())
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

impl<'a> TryFrom<&'a str> for Decimal<'a> {
    type Error = ParseDecimalError;

    /// As [`parse`](Decimal::parse).
    #[inline]
    fn try_from(text: &'a str) -> Result<Self, ParseDecimalError> {
        Decimal::parse(text)
    }
}

impl Ord for Decimal<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        let magnitude = || self.adjusted.cmp(&other.adjusted).then_with(|| self.digits().cmp(other.digits()));
        self.class.cmp(&other.class).then_with(|| match self.class {
            Class::Negative => magnitude().reverse(),
            Class::Positive => magnitude(),
            _ => Ordering::Equal,
        })
    }
}

impl PartialOrd for Decimal<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Decimal<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.digit_count() == other.digit_count() && self.cmp(other).is_eq()
    }
}

impl Eq for Decimal<'_> {}

impl Hash for Decimal<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.class.hash(state);
        self.adjusted.hash(state);
        self.digits().for_each(|digit| state.write_u8(digit));
        // Ends the digits, so that a hash of several decimals tells where one ends.
        state.write_u8(0xff);
    }
}

impl fmt::Display for Decimal<'_> {
    /// The canonical text; see [`write_to`](Decimal::write_to).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_text(f)
    }
}

impl fmt::Debug for Decimal<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Decimal({self})")
    }
}

#[cfg(test)]
mod tests {
    use std::format;
    use std::prelude::v1::*;
    use std::vec;

    use super::*;
    use crate::raw::sink::Count;
    use crate::raw::sink::Room;
    use std::collections::hash_map::DefaultHasher;

    fn bytes(value: Decimal<'_>, flip: Flip) -> Vec<u8> {
        let mut room = vec![0xaa; value.size().unwrap()];
        value.put(&mut Room::new(&mut room), flip).unwrap();
        room
    }

    fn take(key: &[u8], flip: Flip) -> Result<Decimal<'_>, Error> {
        Decimal::take(&mut Input::new(key, 0), flip)
    }

    #[track_caller]
    fn dec(text: &str) -> Decimal<'_> {
        Decimal::parse(text).unwrap()
    }

    fn hash(value: Decimal<'_>) -> u64 {
        let mut hasher = DefaultHasher::new();
        value.hash(&mut hasher);
        hasher.finish()
    }

    /// What holds for every pair, in both directions, from text and from a key.
    #[track_caller]
    fn check_pair(a: Decimal<'_>, b: Decimal<'_>, want: Ordering) {
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
    fn check(value: Decimal<'_>) {
        let text = value.to_string();
        assert_eq!(value.text_len(), text.len());
        let mut out = vec![0xaa; text.len() + 1];
        assert_eq!(value.write_to(&mut out).unwrap(), text);
        assert_eq!(out.last(), Some(&0xaa));
        let short = Error::ShortBuffer { needed: text.len(), available: text.len() - 1 };
        assert_eq!(value.write_to(&mut vec![0; text.len() - 1]), Err(short));
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
    fn one_number_is_one_key() {
        let groups = [
            &["100", "1e2", "+0100.00", "1000e-1", "0.1e3", ".1E+3", "100."][..],
            &["0", "-0", "0.00", "+.0", "0e999999999999999999999999999999999999999999", "-0e-99999999999", "000"],
            &["NaN", "+NaN", "-NaN"],
            &["-12.5e3", "-12500", "-0000012500.000"],
            &["1", "1.0", "1.", "01", "10e-1", "1e0", "1e-0", "1E+000000000000000000000000000000000000000000"],
        ];
        for group in groups {
            for a in group {
                check(dec(a));
                for b in group {
                    check_pair(dec(a), dec(b), Ordering::Equal);
                }
            }
        }
    }

    #[test]
    fn numbers_are_in_order() {
        let sorted = [
            "-Infinity",
            "-1e2147483647",
            "-1e100",
            "-100.01",
            "-100",
            "-99.9",
            "-2",
            "-1.00000000000000000000000000000000000000000001",
            "-1",
            "-0.02",
            "-0.01111",
            "-9e-2147483648",
            "-1e-2147483648",
            "0",
            "1e-2147483648",
            "1.1e-2147483648",
            "9e-2147483648",
            "0.01111",
            "0.02",
            "0.1",
            "1",
            "1.00000000000000000000000000000000000000000001",
            "1.01",
            "1.1",
            "2",
            "9",
            "9.9",
            "10",
            "99",
            "100",
            "100.01",
            "255",
            "256",
            "1e100",
            "1e2147483647",
            "9.99e2147483647",
            "Infinity",
            "NaN",
        ];
        for (i, a) in sorted.iter().enumerate() {
            check(dec(a));
            for (j, b) in sorted.iter().enumerate() {
                check_pair(dec(a), dec(b), i.cmp(&j));
            }
        }
    }

    #[test]
    fn order_is_that_of_scaled_integers() {
        let numbers: Vec<(i128, i32)> = (-130..=130)
            .step_by(7)
            .chain([-100, -10, -1, 0, 1, 10, 100])
            .flat_map(|c| (-2..=2).map(move |e| (c, e)))
            .collect();
        let scaled = |(c, e): (i128, i32)| c * 10i128.pow((e + 2) as u32);
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
    fn eight_digits_are_the_remainders() {
        let by_division = |n: u64| [7, 6, 5, 4, 3, 2, 1, 0].map(|place| (n / 10u64.pow(place) % 10) as u8);
        // Each lane's reciprocal on every number that it can meet.
        for n in 0..10_000 {
            for n in [n, n * 10_000, n * 10_000 + 9_999 - n, n * 10_000 + 9_999] {
                assert_eq!(eight_digits(n), by_division(n), "{n}");
            }
        }
        assert_eq!(expand(u128::MAX).map(|d| d + b'0'), *b"0340282366920938463463374607431768211455");
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
            assert_eq!(value.adjusted(), at as i64 - 1);
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
