//! Faults that reviews found, each with the input that showed it.

use core::ops::Bound;

use isotone::Asc;
use isotone::Builder;
use isotone::Date;
use isotone::Decoder;
use isotone::Desc;
use isotone::Error;
use isotone::Field;
use isotone::KeySpec;
use isotone::Kind;
use isotone::RangeView;
use isotone::SqlRange;
use isotone::Type;
use isotone::Value;
use isotone::key_spec;

/// A value that the first difference decides before is still refused where it would stand.
#[test]
fn compare_says_where_a_refused_value_would_stand() {
    let spec = key_spec![Type::U64 => Asc, Type::U64 => Asc, Type::Date => Asc];
    let values = [Value::U64(1), Value::U64(2), Value::Date(Date::from_days(i32::MAX - 1))];
    let refused = Error::InvalidValue { at: 16 };
    assert_eq!(spec.encode(&values, &mut [0; 64]), Err(refused));
    for key in [&[][..], &[9; 8], &[9; 40]] {
        assert_eq!(spec.compare(key, &values), Err(refused));
    }
}

/// What is wrong first is what is named, also where something later is wrong too.
#[test]
fn describing_names_the_first_wrong_byte() {
    const U8: Type<'static> = Type::U8;
    const L4: Type<'static> = Type::List(&Type::List(&Type::List(&Type::List(&U8))));
    const L8: Type<'static> = Type::List(&Type::List(&Type::List(&Type::List(&L4))));
    const L12: Type<'static> = Type::List(&Type::List(&Type::List(&Type::List(&L8))));
    const L16: Type<'static> = Type::List(&Type::List(&Type::List(&Type::List(&L12))));
    const L17: Type<'static> = Type::List(&L16);
    let at = |fields: &[Field<'_>]| KeySpec::describe(fields, &mut [0; 128]).map(|_| ()).unwrap_err();
    let deep = Field::not_null(L17, Asc);
    assert_eq!(at(&[deep]), Error::InvalidLayout { at: 3 + 2 + 17 - 1 });
    assert_eq!(at(&[Field::not_null(Type::Fixed(0), Asc), deep]), Error::InvalidLayout { at: 5 });
    assert_eq!(at(&[Field::from_code(U8, 9), deep]), Error::InvalidLayout { at: 4 });
    assert!(KeySpec::describe(&[Field::not_null(L16, Asc)], &mut [0; 128]).is_ok());
}

/// Another tenant's key is no key of this scope, whatever is asked of it.
#[test]
fn splitting_a_tail_looks_at_the_scope() {
    let spec = key_spec![Type::U8 => Asc].under(&[7]);
    assert_eq!(spec.split_tail(&[7, 1], 1), Ok((&[7][..], &[1][..])));
    assert_eq!(spec.split_tail(&[9, 1], 1), Err(Error::MalformedKey { at: 0 }));
}

/// A value that no key can hold still equals itself.
#[test]
fn equality_is_reflexive_out_of_the_domain() {
    let date = Value::Date(Date::from_days(i32::MAX - 1));
    assert_eq!(date, date);
    assert_ne!(date, Value::Date(Date::from_days(0)));
}

/// Retrying with what was needed must be enough, for both ends.
#[test]
fn holding_a_range_inline_says_what_both_ends_need() {
    let range = isotone::ByteRange::new(&b"abcde"[..], Some(&b"abcdefghi"[..]));
    assert_eq!(range.to_inline::<4>().unwrap_err(), Error::ShortBuffer { needed: 9, available: 4 });
    assert!(range.to_inline::<9>().is_ok());
}

/// Ranges of ranges, sixteen deep, read from a key: comparing them looks at each byte once. Before,
/// the work grew sixfold a level, and this did not end.
#[test]
fn deep_ranges_in_a_key_compare_in_linear_time() {
    let levels = 14;
    let mut description = vec![0x74; levels];
    description.push(0x01);
    let kind = Kind::from_description(&description).unwrap();
    let mut payload = vec![0x01];
    for _ in 0..levels {
        // [x, x]: both ends included.
        payload = [&[2][..], &payload, &[0, 0], &payload, &[1]].concat();
    }
    let read = Decoder::new(&payload).range(kind, Asc).unwrap();
    let Some((Bound::Included(lower), Bound::Included(upper))) = read.bounds() else { panic!("bounds") };
    let element = kind.element().unwrap();
    assert!(read.contains(element, &lower) && read.contains(element, &upper));
    assert_eq!(Value::Range(read), Value::Range(read));
    let mut room = vec![0; payload.len() + 8];
    let mut key = Builder::new(&mut room);
    key.value(kind, &Value::Range(read), Desc);
    let key = key.finish().unwrap();
    assert!(key.iter().zip(&payload).all(|(a, b)| *a == !b) && key.len() == payload.len());
    let again = Decoder::new(key).range(kind, Desc).unwrap();
    assert_eq!(Value::Range(again), Value::Range(read));
}

/// A range that the caller gives is read back as it was made canonical.
#[test]
fn a_given_range_equals_what_it_is_read_back_as() {
    let given = SqlRange::new(Bound::Excluded(Value::I32(1)), Bound::Included(Value::I32(4)));
    let kind = isotone::kind!(Type::Range(&Type::I32));
    let mut room = [0; 32];
    let mut key = Builder::new(&mut room);
    key.value(kind, &RangeView::new(&given).into(), Asc);
    let read = Decoder::new(key.finish().unwrap()).value(kind, Asc).unwrap();
    assert_eq!(read, RangeView::new(&given).into());
}
