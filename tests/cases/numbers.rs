//! Floats, decimals, integers.

use std::ops::Bound;

use isotone::Asc;
use isotone::AscNullsFirst;
use isotone::AscNullsLast;
use isotone::Decimal;
use isotone::Decoder;
use isotone::Desc;
use isotone::DescNullsFirst;
use isotone::Error;
use isotone::KeySpec;
use isotone::ParseDecimalError;
use isotone::Predicate;
use isotone::RangeBuffer;
use isotone::Type;
use isotone::Value;
use isotone::key_spec;

use crate::ascending;
use crate::key;
use crate::unhex;

/// The next float above a positive one.
fn next(v: f64) -> f64 {
    f64::from_bits(v.to_bits() + 1)
}

fn decimal(text: &str) -> Decimal<'_> {
    Decimal::parse(text).expect("a decimal")
}

/// The two zeros of a float are one key, and reading never gives the negative one.
#[test]
fn b01_two_zeros_one_key() {
    assert_eq!(key(|k| k.f64(0.0, AscNullsFirst)), unhex("01 80 00 00 00 00 00 00 00"));
    for (zero, minus) in [(Asc, Asc), (Desc, Desc)] {
        assert_eq!(key(|k| k.f64(0.0, zero)), key(|k| k.f64(-0.0, minus)));
        assert_eq!(key(|k| k.f32(0.0, zero)), key(|k| k.f32(-0.0, minus)));
        let stored = key(|k| k.f64(-0.0, zero).f32(-0.0, zero));
        let mut d = Decoder::new(&stored);
        assert!(d.f64(zero).expect("a zero").is_sign_positive());
        assert!(d.f32(zero).expect("a zero").is_sign_positive());
    }
}

/// Every NaN is one key and the greatest value, whatever its sign and payload; descending it leads.
#[test]
fn b03_every_nan_is_the_greatest() {
    for bits in [0xfff8_0000_0000_0001, 0x7ff8_0000_0000_0001, 0x7ff0_0000_0000_0001, 0xfff0_0000_0000_0001, u64::MAX] {
        let nan = f64::from_bits(bits);
        assert_eq!(key(|k| k.f64(nan, AscNullsFirst)), unhex("01 ff ff ff ff ff ff ff ff"));
        assert_eq!(key(|k| k.f64(nan, DescNullsFirst)), unhex("01 00 00 00 00 00 00 00 00"));
    }
    for bits in [0x7fc0_0001, 0xffc0_0000, 0x7f80_0001, 0xff80_0001, u32::MAX] {
        assert_eq!(key(|k| k.f32(f32::from_bits(bits), AscNullsFirst)), unhex("01 ff ff ff ff"));
    }
    ascending(&[f64::NEG_INFINITY, -1.0, 0.0, f64::INFINITY, f64::NAN], |k, v, order| k.f64(v, order));
}

/// Neighbours that differ in their low bits alone.
#[test]
fn b04_low_bits_decide() {
    ascending(&[1.0, next(1.0), 1.0 + 2f64.powi(-30), 1.0 + 2f64.powi(-29)], |k, v, order| k.f64(v, order));
    ascending(&[f64::from(1f32), f64::from(f32::from_bits(1f32.to_bits() + 1))], |k, v, order| k.f64(v, order));
    ascending(
        &[0xbf80_0001, 0xbf80_0000, 0xbf7f_ffff, 0x3f7f_ffff, 0x3f80_0000, 0x3f80_0001].map(f32::from_bits),
        |k, v, order| k.f32(v, order),
    );
    for base in [1.5f64, -1.5, 1e300, -1e-300] {
        for bit in 0..52 {
            let other = f64::from_bits(base.to_bits() ^ 1 << bit);
            let less = if other < base { [other, base] } else { [base, other] };
            ascending(&less, |k, v, order| k.f64(v, order));
        }
    }
}

/// Reading takes only what writing can make.
#[test]
fn b06_keys_that_no_writer_makes() {
    for payload in ["7f ff ff ff ff ff ff ff", "ff f8 00 00 00 00 00 01", "00 00 00 00 00 00 00 00"] {
        assert_eq!(Decoder::new(&unhex(payload)).f64(Asc), Err(Error::MalformedKey { at: 0 }));
    }
    for payload in ["7f ff ff ff", "ff c0 00 01", "00 00 00 00"] {
        assert_eq!(Decoder::new(&unhex(payload)).f32(Asc), Err(Error::MalformedKey { at: 0 }));
    }
}

/// Digits before any length, one unit for exponent and digits.
#[test]
fn b09_digits_before_lengths() {
    let key = |text| key(|k| k.decimal(decimal(text), AscNullsFirst));
    assert_eq!(key("0.01111"), unhex("01 03 7f ff ff fe 02 02 02 02 00"));
    assert_eq!(key("0.02"), unhex("01 03 7f ff ff fe 03 00"));
    ascending(&["0.01111", "0.02", "255", "256"], |k, v, order| k.decimal(decimal(v), order));
}

#[test]
fn b10_specials_in_their_order() {
    ascending(&["-Infinity", "-2", "2", "Infinity", "NaN"], |k, v, order| k.decimal(decimal(v), order));
}

/// One number, one key, however it is spelled.
#[test]
fn b11_spellings_share_a_key() {
    let key = |text| key(|k| k.decimal(decimal(text), AscNullsFirst));
    assert_eq!(key("100"), unhex("01 03 80 00 00 02 02 00"));
    for same in ["1e2", "+0100.00", "1000e-1", "0.1E3", "100.", "00100.0e0"] {
        assert_eq!(key(same), key("100"), "{same}");
    }
}

/// Scale is not kept: what reads back is the number in its canonical text.
#[test]
fn b13_scale_is_not_kept() {
    for (text, canonical) in [("1819487610", "181948761e1"), ("2.000", "2e0"), ("-12.5e3", "-125e2")] {
        let stored = key(|k| k.decimal(decimal(text), Asc));
        let read = Decoder::new(&stored).decimal(Asc).expect("a decimal");
        assert_eq!(read.to_string(), canonical);
        assert_eq!(read, decimal(text));
    }
}

/// Negative, zero, positive and null all differ.
#[test]
fn b15_zero_is_not_null() {
    ascending(&["-1.00", "0.00", "1.00", "100.00"], |k, v, order| k.decimal(decimal(v), order));
    let zero = key(|k| k.decimal(Decimal::ZERO, AscNullsFirst));
    assert_ne!(zero, key(|k| k.null(AscNullsFirst)));
    assert_ne!(zero, key(|k| k.null(AscNullsLast)));
}

/// An exponent costs no more bytes than it has digits.
#[test]
fn b16_huge_exponents_stay_small() {
    for text in ["1e1000000000", "1E2147483647", "1E-2147483648"] {
        let stored = key(|k| k.decimal(decimal(text), Asc));
        assert_eq!(stored.len(), 7);
        let shown = Decoder::new(&stored).decimal(Asc).expect("a decimal").to_string();
        assert!(shown.len() <= 14, "{shown}");
        assert_eq!(decimal(&shown), decimal(text));
    }
    let digits = "7".repeat(100_000);
    assert_eq!(decimal(&digits).digit_count(), 100_000);
}

/// The limit is on the power of the first digit, not on what is written.
#[test]
fn b17_limits_after_normalising() {
    for text in ["0.1e2147483648", "123e-2147483650", "10e2147483646", "0.00001e2147483652"] {
        let stored = key(|k| k.decimal(decimal(text), Asc));
        let shown = Decoder::new(&stored).decimal(Asc).expect("a decimal").to_string();
        assert_eq!(key(|k| k.decimal(decimal(&shown), Asc)), stored, "{text} by way of {shown}");
    }
    for (text, at) in [("1e2147483648", 2), ("10e2147483647", 3), ("0.1e-2147483648", 5), ("12e-2147483650", 4)] {
        assert_eq!(Decimal::parse(text), Err(ParseDecimalError::Exponent { at }), "{text}");
    }
    assert_eq!(decimal("0e999999999999"), Decimal::ZERO);
    // The same limit where a number is made from parts.
    assert!(Decimal::from_parts(9, i32::MAX).is_valid());
    let mut room = [0xa5; 64];
    let mut k = isotone::Builder::new(&mut room);
    k.u8(1, Asc).decimal(Decimal::from_parts(11, i32::MAX), Asc);
    assert_eq!(k.finish(), Err(Error::InvalidValue { at: 1 }));
    assert_eq!(room[1..], [0xa5; 63]);
}

#[test]
fn b19_damaged_decimals() {
    for bytes in ["01 03", "01 03 80 00 00 00", "01 03 80 00 00 00 02"] {
        let bytes = unhex(bytes);
        let cut = Err(Error::TruncatedKey { at: bytes.len() });
        assert_eq!(Decoder::new(&bytes).decimal(AscNullsFirst), cut);
    }
    for bytes in
        ["03 80 00 00 00 00", "03 80 00 00 00 01 00", "03 80 00 00 00 02 01 00", "03 80 00 00 00 0b 00", "06", "ff"]
    {
        let bytes = [&[1], &unhex(bytes)[..]].concat();
        assert_eq!(Decoder::new(&bytes).decimal(AscNullsFirst), Err(Error::MalformedKey { at: 0 }), "{bytes:02x?}");
    }
}

/// A buffer that held a longer text holds exactly the next one.
#[test]
fn b20_reused_output() {
    let stored =
        key(|k| k.decimal(decimal("-12.5e3"), Asc).decimal(decimal("7"), Asc).bytes(b"longer", Asc).bytes(b"x", Asc));
    let mut d = Decoder::new(&stored);
    let mut out = [0xa5; 16];
    assert_eq!(d.decimal(Asc).expect("a decimal").write_to(&mut out), Ok("-125e2"));
    assert_eq!(d.decimal(Asc).expect("a decimal").write_to(&mut out), Ok("7e0"));
    assert_eq!(d.bytes(Asc).expect("bytes").copy_to(&mut out), Ok(&b"longer"[..]));
    assert_eq!(d.bytes(Asc).expect("bytes").copy_to(&mut out), Ok(&b"x"[..]));
}

/// Signed numbers of every width, across zero.
#[test]
fn b23_b24_negative_numbers_come_first() {
    ascending(&[i8::MIN, -2, -1, 0, 1, i8::MAX], |k, v, order| k.i8(v, order));
    ascending(&[i16::MIN, -2, -1, 0, 1, i16::MAX], |k, v, order| k.i16(v, order));
    ascending(&[i32::MIN, -2, -1, 0, 1, i32::MAX], |k, v, order| k.i32(v, order));
    ascending(&[i64::MIN, -2, -1, 0, 1, 5, i64::MAX], |k, v, order| k.i64(v, order));
    ascending(&[i128::MIN, -2, -1, 0, 1, i128::MAX], |k, v, order| k.i128(v, order));
    let all: Vec<i16> = (i16::MIN..=i16::MAX).collect();
    ascending(&all, |k, v, order| k.i16(v, order));

    const SPEC: KeySpec<'static> = key_spec![Type::I64 => AscNullsLast];
    let mut room = [0; 64];
    let bounds = (Bound::Included(Value::I64(-10)), Bound::Included(Value::I64(10)));
    let range = SPEC.field_range(&[], bounds.0, bounds.1, &mut room).expect("a range");
    for v in -20..=20 {
        let stored = key(|k| k.i64(v, AscNullsLast));
        assert_eq!(range.contains(&stored), (-10..=10).contains(&v));
    }
}

/// Most significant byte first, on every machine.
#[test]
fn b25_big_endian() {
    ascending(&[255u64, 256, 65_535, 65_536, 20_000_000, u64::MAX], |k, v, order| k.u64(v, order));
    assert_eq!(key(|k| k.u64(0x0102_0304_0506_0708, Asc)), [1, 2, 3, 4, 5, 6, 7, 8]);
    assert_eq!(key(|k| k.u16(0x0102, Asc).u32(0x0304_0506, Asc)), [1, 2, 3, 4, 5, 6]);
    assert_eq!(key(|k| k.u128(1, Asc)), [&[0; 15], &[1][..]].concat());
    assert_eq!(key(|k| k.i16(0x0102, Asc)), [0x81, 2]);
}

/// A constant outside the field's domain gives nothing or everything, never another number.
#[test]
fn b29_constants_out_of_domain() {
    const SPEC: KeySpec<'static> = key_spec![Type::U64 => AscNullsLast];
    let all = [Some(0), Some(100), Some(u64::MAX), None];
    let selects = |predicate: Predicate<'_>| -> Vec<Option<u64>> {
        let mut buffer = RangeBuffer::<4, 64>::new();
        let ranges = SPEC.ranges(&predicate, buffer.room()).expect("ranges");
        assert!(ranges.is_exact());
        all.iter().copied().filter(|v| ranges.contains(&key(|k| k.u64(*v, AscNullsLast)))).collect()
    };
    let below = Predicate::lt(0, Value::I64(-100));
    assert!(selects(below).is_empty());
    assert_eq!(selects(Predicate::gt(0, Value::I64(-100))), all[..3]);
    assert_eq!(selects(Predicate::Or(&[below, Predicate::gt(0, Value::U64(100))])), [Some(u64::MAX)]);
    // The typed interval does not take it at all.
    let mut room = [0; 32];
    let range = SPEC.field_range(&[], Bound::Included(Value::I64(-100)), Bound::Unbounded, &mut room);
    assert_eq!(range, Err(Error::TypeMismatch { field: 0 }));
}

/// Big numbers of a float do not have a second, longer form that the short one begins.
#[test]
fn b40_no_form_begins_another() {
    let big = ["9007199254740992.0", "9007199254740993", "9007199254740994", "90071992547409930"];
    ascending(&big, |k, v, order| k.decimal(decimal(v), order));
}

/// The same number of three types is three kinds, never compared with each other.
#[test]
fn b137_a_field_has_one_type() {
    const SPEC: KeySpec<'static> = key_spec![Type::F64 => Asc];
    let mut room = [0; 16];
    for other in [Value::I64(0), Value::Decimal(Decimal::ZERO), Value::F32(0.0)] {
        assert_eq!(SPEC.encode(&[other], &mut room), Err(Error::TypeMismatch { field: 0 }));
    }
}
