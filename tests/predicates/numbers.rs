//! Numbers of one type compared with fields of another.

use std::cmp::Ordering;

use isotone::Decimal;
use isotone::Field;
use isotone::KeySpec;
use isotone::Op;
use isotone::Predicate;
use isotone::RangeBuffer;
use isotone::Type;
use isotone::Value;
use proptest::prelude::*;

pub(crate) const OPS: [Op; 6] = [Op::Eq, Op::Ne, Op::Lt, Op::Le, Op::Gt, Op::Ge];

fn holds(op: Op, ordering: Ordering) -> bool {
    match op {
        Op::Eq => ordering.is_eq(),
        Op::Ne => ordering.is_ne(),
        Op::Lt => ordering.is_lt(),
        Op::Le => ordering.is_le(),
        Op::Gt => ordering.is_gt(),
        Op::Ge => ordering.is_ge(),
    }
}

pub(crate) fn with_field(ty: Type<'_>, order: u8, run: impl FnOnce(&KeySpec<'_>)) {
    let mut layout = [0u8; 64];
    run(&KeySpec::describe(&[Field::from_code(ty, order)], &mut layout).unwrap());
}

/// Whether the ranges of a comparison, and its outcome, are right for one value.
fn assert_stands(ty: Type<'_>, order: u8, value: Value<'_>, constant: Value<'_>, ordering: Ordering) {
    with_field(ty, order, |spec| {
        let (mut room, mut null_room) = ([0u8; 64], [0u8; 8]);
        let key = spec.encode(&[value], &mut room).unwrap();
        let null = spec.encode(&[Value::Null], &mut null_room).ok();
        for op in OPS {
            let predicate = Predicate::Compare { field: 0, op, value: constant };
            let wanted = holds(op, ordering);
            let mut buffer = RangeBuffer::<2, 128>::new();
            let ranges = spec.ranges(&predicate, buffer.room()).unwrap();
            assert_eq!(ranges.contains(key), wanted, "{value:?} {op:?} {constant:?} {order} {ranges:?}");
            assert_eq!(spec.eval(&predicate, &[value]), Ok(Some(wanted)), "{value:?} {op:?} {constant:?}");
            assert!(ranges.is_exact() && !null.is_some_and(|null| ranges.contains(null)));
        }
    });
}

macro_rules! every_integer {
    ($($variant:ident $int:ident)*) => {
        /// The least, the greatest and some between, of every integer kind.
        fn integers() -> Vec<(Type<'static>, Value<'static>, (bool, u128))> {
            let mut all = Vec::new();
            $(for v in [$int::MIN, $int::MIN + 1, 0, 1, 2, 127, $int::MAX - 1, $int::MAX] {
                let positive = u128::try_from(v);
                let negative = positive.is_err();
                let magnitude = positive.unwrap_or_else(|_| i128::try_from(v).unwrap().unsigned_abs());
                all.push((Type::$variant, Value::$variant(v), (negative, magnitude)));
            })*
            all
        }
    };
}

every_integer! { I8 i8 I16 i16 I32 i32 I64 i64 I128 i128 U8 u8 U16 u16 U32 u32 U64 u64 U128 u128 }

fn cmp_integers((a_negative, a): (bool, u128), (b_negative, b): (bool, u128)) -> Ordering {
    match (a_negative, b_negative) {
        (true, true) => b.cmp(&a),
        (false, false) => a.cmp(&b),
        (true, false) => Ordering::Less,
        (false, true) => Ordering::Greater,
    }
}

/// Integers of any width and sign against integer fields of any width and sign: never a cast.
#[test]
fn integers_compare_as_the_numbers_they_are() {
    let all = integers();
    for (i, (ty, value, a)) in all.iter().enumerate() {
        for (_, constant, b) in &all {
            assert_stands(*ty, (i % 6) as u8, *value, *constant, cmp_integers(*a, *b));
        }
    }
}

/// Against decimal fields too, whatever the width.
#[test]
fn integers_compare_with_decimals() {
    for (_, constant, (negative, magnitude)) in integers() {
        let own = match i128::try_from(magnitude) {
            Ok(v) => Decimal::from_parts(if negative { -v } else { v }, 0),
            Err(_) if negative => Decimal::from_parts(i128::MIN, 0),
            Err(_) => Decimal::from(magnitude),
        };
        for (value, ordering) in
            [(own, Ordering::Equal), (Decimal::NAN, Ordering::Greater), (Decimal::NEG_INFINITY, Ordering::Less)]
        {
            assert_stands(Type::Decimal, 0, Value::Decimal(value), constant, ordering);
        }
        let text = format!("{}{magnitude}.5", if negative { "-" } else { "" });
        let beside = if negative { Ordering::Less } else { Ordering::Greater };
        let value = Decimal::parse(&text).unwrap();
        assert_stands(Type::Decimal, 2, Value::Decimal(value), constant, beside);
        // And the other way round: a field of integers, a constant beside one of them.
        for (ty, field, own) in integers().into_iter().step_by(3) {
            let ordering = cmp_integers(own, (negative, magnitude)).then(beside.reverse());
            assert_stands(ty, 5, field, Value::Decimal(value), ordering);
        }
    }
}

/// An exact comparison of a double with an integer, by its floor.
fn cmp_f64(float: f64, integer: i128) -> Ordering {
    if float.is_nan() || float >= 1e38 {
        return Ordering::Greater;
    }
    if float <= -1e38 {
        return Ordering::Less;
    }
    let floor = float.floor();
    (floor as i128).cmp(&integer).then(if float > floor { Ordering::Greater } else { Ordering::Equal })
}

fn floats() -> impl Strategy<Value = f64> {
    let special = vec![
        0.0,
        -0.0,
        0.5,
        -0.5,
        1.0,
        255.0,
        255.5,
        -128.5,
        9_007_199_254_740_992.0,
        9.3e18,
        -9.3e18,
        5e-324,
        1.7e308,
    ];
    prop_oneof![
        prop::sample::select(special),
        prop::sample::select(vec![f64::INFINITY, f64::NEG_INFINITY, f64::NAN]),
        any::<i64>().prop_map(|v| v as f64),
        (-2000i32..2000).prop_map(|v| f64::from(v) / 8.0),
        any::<f32>().prop_map(f64::from),
    ]
}

fn near_powers() -> impl Strategy<Value = i128> {
    let power =
        |(bits, by, negative): (u32, i128, bool)| if negative { -(1i128 << bits) + by } else { (1i128 << bits) + by };
    prop_oneof![(0u32..120, -3i128..4, any::<bool>()).prop_map(power), -300i128..300]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, ..ProptestConfig::default() })]

    #[test]
    fn floats_compare_as_the_numbers_they_are(float in floats(), integer in near_powers(), order in 0u8..6) {
        // One that is drawn, and the one that the integer is rounded to.
        for float in [float, integer as f64] {
            let ordering = cmp_f64(float, integer);
            assert_stands(Type::F64, order, Value::F64(float), Value::I128(integer), ordering);
            assert_stands(Type::I128, order, Value::I128(integer), Value::F64(float), ordering.reverse());
        }
        let ordering = cmp_f64(float, integer);
        if let Ok(small) = i8::try_from(integer) {
            assert_stands(Type::I8, order, Value::I8(small), Value::F64(float), ordering.reverse());
        }
        if let Ok(unsigned) = u64::try_from(integer) {
            assert_stands(Type::U64, order, Value::U64(unsigned), Value::F64(float), ordering.reverse());
        }
        for single in [float as f32, integer as f32] {
            let ordering = cmp_f64(single.into(), integer);
            assert_stands(Type::F32, order, Value::F32(single), Value::I128(integer), ordering);
            assert_stands(Type::I128, order, Value::I128(integer), Value::F32(single), ordering.reverse());
        }
    }

    #[test]
    fn floats_of_two_widths_compare_exactly(a in floats(), b in floats(), near in -2i64..3, order in 0u8..6) {
        let single = a as f32;
        // The double itself, another, and those beside the single.
        let beside = f64::from_bits(f64::from(single).to_bits().wrapping_add_signed(near));
        for double in [a, b, beside] {
            let wide = f64::from(single);
            let ordering = wide.partial_cmp(&double).unwrap_or_else(|| wide.is_nan().cmp(&double.is_nan()));
            assert_stands(Type::F32, order, Value::F32(single), Value::F64(double), ordering);
            assert_stands(Type::F64, order, Value::F64(double), Value::F32(single), ordering.reverse());
        }
    }
}
