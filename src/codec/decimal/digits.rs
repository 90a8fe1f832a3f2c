//! A decimal's digits: of a text, of a number, of a key.

use core::fmt;

use crate::order::Flip;

/// Most digits of a coefficient of 128 bits, signed or not.
pub(super) const DIGITS_128: usize = 39;
/// Room for them in groups of eight.
const PLACES_128: usize = 40;

/// The digits from the first to the last that is not zero: some if the class is negative or
/// positive, else none.
#[derive(Clone, Copy)]
pub(super) enum Digits<'a> {
    /// ASCII, with a point at this index, or its length if there is none.
    Text(&'a [u8], usize),
    /// A number that ten does not divide, and how many digits it has; zero has none.
    Number(u128, u8),
    /// Digit bytes of a key, complemented if the flip says so.
    Lying(&'a [u8], Flip),
}

impl<'a> Digits<'a> {
    /// The text before and after its point.
    #[inline]
    pub(super) fn sides(&self) -> (&'a [u8], &'a [u8]) {
        match *self {
            Digits::Text(text, point) => {
                let (whole, fraction) = text.split_at_checked(point).unwrap_or((text, &[]));
                (whole, fraction.get(1..).unwrap_or(&[]))
            }
            _ => (&[], &[]),
        }
    }

    /// Each digit, 0 to 9.
    #[inline]
    pub(super) fn iter(&self) -> DigitIter<'a> {
        DigitIter(match *self {
            Digits::Text(..) => {
                let (whole, fraction) = self.sides();
                Places::Text(whole, fraction)
            }
            Digits::Number(n, count) => Places::Number(expand(n), count),
            Digits::Lying(raw, flip) => Places::Lying(raw, flip),
        })
    }

    /// How many digits.
    #[inline]
    pub(super) const fn count(&self) -> usize {
        match *self {
            // The point is no digit.
            Digits::Text(text, point) => text.len().saturating_sub((point < text.len()) as usize),
            Digits::Number(_, count) => count as usize,
            Digits::Lying(raw, _) => raw.len(),
        }
    }
}

/// Iterates over the significant digits of a [`Decimal`](crate::Decimal), 0 to 9 each.
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

/// The number without the zeros at its end, and how many they were.
#[inline]
pub(super) const fn without_zeros(mut n: u128) -> (u128, u32) {
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
#[inline]
const fn words(n: u128) -> [u64; 2] {
    let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = n.to_le_bytes();
    [u64::from_le_bytes([a, b, c, d, e, f, g, h]), u64::from_le_bytes([i, j, k, l, m, n, o, p])]
}

/// The digits of a number, 0 to 9 each, at the end of the array.
#[inline]
pub(super) fn expand(mut n: u128) -> [u8; PLACES_128] {
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

/// The last `count` digits.
#[inline(always)]
pub(super) fn last(digits: &[u8; PLACES_128], count: u8) -> &[u8] {
    // In range: at most 39 of 40.
    digits.get(PLACES_128.wrapping_sub(count as usize)..).unwrap_or(&[])
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
