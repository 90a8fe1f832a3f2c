//! Integers, floats and decimals compared as the numbers they are, nothing rounded.

use core::cmp::Ordering;

use crate::codec::decimal::Decimal;
use crate::kind::code;
use crate::value::Value;

/// An integer of any kind. Zero is not negative.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Integer {
    negative: bool,
    magnitude: u128,
}

/// A number of any kind, as exactly as it takes to compare it with integers.
#[derive(Clone, Copy)]
pub(super) enum Number {
    /// The integer next to it on the side of zero, and whether anything is behind the point. The
    /// sign is the number's: that of -0.5 is negative.
    Finite { negative: bool, whole: u128, fraction: bool },
    /// Further from zero than any integer of 128 bits; infinities too.
    Huge { negative: bool },
    /// Above everything.
    Nan,
}

impl Integer {
    pub(super) const fn new(negative: bool, magnitude: u128) -> Self {
        Integer { negative: negative && magnitude != 0, magnitude }
    }

    pub(super) const fn is_negative(self) -> bool {
        self.negative
    }

    pub(super) fn of(value: &Value<'_>) -> Option<Integer> {
        let signed = |v: i128| Integer::new(v < 0, v.unsigned_abs());
        let unsigned = |v: u128| Integer::new(false, v);
        Some(match *value {
            Value::I8(v) => signed(v.into()),
            Value::I16(v) => signed(v.into()),
            Value::I32(v) => signed(v.into()),
            Value::I64(v) => signed(v.into()),
            Value::I128(v) => signed(v),
            Value::U8(v) => unsigned(v.into()),
            Value::U16(v) => unsigned(v.into()),
            Value::U32(v) => unsigned(v.into()),
            Value::U64(v) => unsigned(v.into()),
            Value::U128(v) => unsigned(v),
            _ => return None,
        })
    }

    fn signed(self) -> Option<i128> {
        if self.negative { 0i128.checked_sub_unsigned(self.magnitude) } else { i128::try_from(self.magnitude).ok() }
    }

    fn unsigned(self) -> Option<u128> {
        if self.negative { None } else { Some(self.magnitude) }
    }

    /// The value of an integer kind; `None` where it is out of its range.
    pub(super) fn value(self, kind: u8) -> Option<Value<'static>> {
        Some(match kind {
            code::I8 => Value::I8(self.signed()?.try_into().ok()?),
            code::I16 => Value::I16(self.signed()?.try_into().ok()?),
            code::I32 => Value::I32(self.signed()?.try_into().ok()?),
            code::I64 => Value::I64(self.signed()?.try_into().ok()?),
            code::I128 => Value::I128(self.signed()?),
            code::U8 => Value::U8(self.unsigned()?.try_into().ok()?),
            code::U16 => Value::U16(self.unsigned()?.try_into().ok()?),
            code::U32 => Value::U32(self.unsigned()?.try_into().ok()?),
            code::U64 => Value::U64(self.unsigned()?.try_into().ok()?),
            code::U128 => Value::U128(self.unsigned()?),
            _ => return None,
        })
    }

    pub(super) fn decimal(self) -> Option<Decimal<'static>> {
        if self.negative { self.signed().map(|v| Decimal::from_parts(v, 0)) } else { Some(self.magnitude.into()) }
    }

    /// The double next to it on the side of zero, and whether that is the integer.
    pub(super) fn to_f64(self) -> (f64, bool) {
        let (bits, exact) = float_bits(self.magnitude, 52, 1023);
        let float = f64::from_bits(bits);
        (if self.negative { -float } else { float }, exact)
    }

    /// The float next to it on the side of zero, and whether that is the integer.
    pub(super) fn to_f32(self) -> (f32, bool) {
        let (bits, exact) = float_bits(self.magnitude, 23, 127);
        let float = f32::from_bits(u32::try_from(bits).unwrap_or(0));
        (if self.negative { -float } else { float }, exact)
    }

    /// How this integer stands to a number.
    pub(super) fn cmp(self, number: Number) -> Ordering {
        match number {
            Number::Nan | Number::Huge { negative: false } => Ordering::Less,
            Number::Huge { negative: true } => Ordering::Greater,
            Number::Finite { negative, whole, fraction } => {
                let whole = Integer::new(negative, whole);
                let side = if negative { Ordering::Greater } else { Ordering::Less };
                self.cmp_integer(whole).then(if fraction { side } else { Ordering::Equal })
            }
        }
    }

    fn cmp_integer(self, other: Integer) -> Ordering {
        match (self.negative, other.negative) {
            (false, false) => self.magnitude.cmp(&other.magnitude),
            (true, true) => other.magnitude.cmp(&self.magnitude),
            (false, true) => Ordering::Greater,
            (true, false) => Ordering::Less,
        }
    }
}

/// The bits of a float with so many bits of fraction, cut towards zero; whether nothing was cut.
fn float_bits(magnitude: u128, fraction: u32, bias: u32) -> (u64, bool) {
    let Some(top) = magnitude.checked_ilog2() else { return (0, true) };
    // In range: at most 127 places, and at most 52 bits and one are left after the shift.
    let (cut, kept) = match top.checked_sub(fraction) {
        Some(cut) => (cut, magnitude >> cut),
        None => (0, magnitude << fraction.wrapping_sub(top)),
    };
    let exponent = u64::from(top.wrapping_add(bias)) << fraction;
    let fraction_bits = u64::try_from(kept).unwrap_or(0) & (1u64 << fraction).wrapping_sub(1);
    (exponent | fraction_bits, cut == 0 || kept << cut == magnitude)
}

impl Number {
    pub(super) fn of(value: &Value<'_>) -> Option<Number> {
        Some(match value {
            Value::F32(v) => Number::of_f64((*v).into()),
            Value::F64(v) => Number::of_f64(*v),
            Value::Decimal(v) => Number::of_decimal(v),
            other => {
                let Integer { negative, magnitude } = Integer::of(other)?;
                Number::Finite { negative, whole: magnitude, fraction: false }
            }
        })
    }

    fn of_f64(v: f64) -> Number {
        let negative = v.is_sign_negative();
        if v.is_nan() {
            return Number::Nan;
        }
        if v == 0.0 {
            return Number::Finite { negative: false, whole: 0, fraction: false };
        }
        let bits = v.to_bits();
        // In range: eleven bits less their bias.
        let exponent = i64::try_from(bits >> 52 & 0x7ff).unwrap_or(0).wrapping_sub(1023);
        let mantissa = u128::from(bits & ((1 << 52) - 1) | 1 << 52);
        match u32::try_from(exponent) {
            Err(_) => Number::Finite { negative, whole: 0, fraction: true },
            Ok(e @ 0..=52) => {
                // In range: 0 to 52 places.
                let behind = 52u32.wrapping_sub(e);
                let whole = mantissa >> behind;
                Number::Finite { negative, whole, fraction: whole << behind != mantissa }
            }
            // In range: at most 75 places, for 53 bits.
            Ok(e @ 53..=127) => Number::Finite { negative, whole: mantissa << e.wrapping_sub(52), fraction: false },
            Ok(_) => Number::Huge { negative },
        }
    }

    fn of_decimal(v: &Decimal<'_>) -> Number {
        let negative = v.is_negative();
        if v.is_nan() {
            return Number::Nan;
        }
        if v.is_infinite() {
            return Number::Huge { negative };
        }
        if v.is_zero() {
            return Number::Finite { negative: false, whole: 0, fraction: false };
        }
        if v.adjusted() < 0 {
            return Number::Finite { negative, whole: 0, fraction: true };
        }
        let mut digits = v.digits();
        let mut whole = 0u128;
        for _ in 0..=v.adjusted() {
            let digit = digits.next().unwrap_or(0);
            // Overflows after 39 digits, however large the exponent.
            match whole.checked_mul(10).and_then(|whole| whole.checked_add(digit.into())) {
                Some(more) => whole = more,
                None => return Number::Huge { negative },
            }
        }
        Number::Finite { negative, whole, fraction: digits.next().is_some() }
    }
}

/// Compares two floats in the order of keys: zeros are equal, NaN is equal to itself and greatest.
pub(super) fn cmp_floats(a: f64, b: f64) -> Ordering {
    a.partial_cmp(&b).unwrap_or_else(|| a.is_nan().cmp(&b.is_nan()))
}
