//! Every type over its ladder of edges.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use isotone::Desc;
use isotone::DescNullsLast;
use isotone::Field;
use isotone::Kind;
use isotone::Type;
use isotone::Value;
use isotone::kind;

use crate::support::bytes;
use crate::support::edges;
use crate::support::generate::scalars;
use crate::support::laws::Laws;
use crate::support::laws::orders;
use crate::support::model;
use crate::support::model::Attr;
use crate::support::model::Held;
use crate::support::model::Ty;
use crate::support::model::V;
use crate::support::order;
use crate::support::paths;
use crate::support::read;

/// All laws over a type's ladder; the bytes are the model's, and so is what is read back.
fn climb(ty: &Ty) {
    let description = ty.describe();
    let laws = Laws::new(model::kind(&description));
    let rungs = edges::of(ty);
    let held: Vec<Vec<Held<'_>>> = rungs.iter().map(|rung| rung.iter().map(|v| Held::new(ty, v)).collect()).collect();
    let values: Vec<Vec<Value<'_>>> = held.iter().map(|rung| rung.iter().map(Held::value).collect()).collect();

    // The mutations of a long ladder are made on some of its values.
    let every = rungs.len() / 64 + 1;
    for (n, (rung, values)) in rungs.iter().zip(&values).enumerate() {
        for (v, value) in rung.iter().zip(values) {
            laws.value(value);
            paths::agree(&laws, value);
            for order in orders() {
                let attr: Attr = (ty.clone(), order.code());
                let field = laws.field(order, value);
                assert_eq!(Some(&field), bytes::field(&attr, v).as_ref(), "the model's bytes of {v:?}");
                let (back, _) = laws.read(order, &field).expect("what was written reads");
                assert!(read::is(ty, v, &back), "{v:?} read back as {back:?}");
                if n % every == 0 {
                    laws.hostile(order, value);
                }
            }
            laws.pair(value, &Value::Null, Ordering::Less);
            laws.pair(&values[0], value, Ordering::Equal);
        }
        assert!(rung.iter().all(|v| order::values(ty, &rung[0], v).is_eq()), "the oracle on {rung:?}");
    }
    laws.value(&Value::Null);
    paths::agree(&laws, &Value::Null);
    laws.pair(&Value::Null, &Value::Null, Ordering::Equal);

    let ladder: Vec<Value<'_>> = values.iter().map(|rung| rung[0]).collect();
    laws.ladder(&ladder);
    for (a, b) in (0..ladder.len()).flat_map(|a| (a + 1..ladder.len()).map(move |b| (a, b))) {
        let expected = order::values(ty, &rungs[a][0], &rungs[b][0]);
        assert_eq!(expected, Ordering::Less, "the oracle on {:?} and {:?}", rungs[a][0], rungs[b][0]);
        // All pairs of a short ladder, near and some far pairs of a long one.
        if ladder.len() < 40 || b - a < 3 || (a * 7 + b) % (ladder.len() / 8) == 0 {
            laws.pair(&ladder[a], &ladder[b], expected);
            laws.pair(&ladder[b], &ladder[a], expected.reverse());
        }
    }
}

fn list(element: Ty) -> Ty {
    Ty::List(element.into())
}

fn array(element: Ty) -> Ty {
    Ty::Array(element.into())
}

fn range(element: Ty) -> Ty {
    Ty::Range(element.into())
}

fn multirange(element: Ty) -> Ty {
    Ty::Multirange(element.into())
}

#[test]
fn every_type_without_parts() {
    scalars().iter().for_each(climb);
}

#[test]
fn records_of_mixed_orders() {
    climb(&Ty::Record(vec![(Ty::I8, 4)]));
    climb(&Ty::Record(vec![(Ty::I32, 1), (Ty::Str, 1), (Ty::Decimal, 1)]));
    climb(&Ty::Record(vec![(Ty::Bytes, 2), (Ty::F64, 5), (Ty::Bool, 3)]));
    climb(&Ty::Record(vec![(Ty::Network, 0), (Ty::Bits, 3), (Ty::Interval, 4)]));
}

#[test]
fn lists_of_anything() {
    for element in [Ty::Bool, Ty::U8, Ty::I32, Ty::Bytes, Ty::Str, Ty::Decimal, Ty::TimeTz, Ty::Ip, Ty::Bits] {
        climb(&list(element));
    }
}

#[test]
fn arrays_of_anything() {
    for element in [Ty::I32, Ty::Str, Ty::Decimal] {
        climb(&array(element));
    }
}

#[test]
fn ranges_of_discrete_and_other_kinds() {
    for element in [Ty::I8, Ty::I64, Ty::I128, Ty::U8, Ty::U128, Ty::Date] {
        climb(&range(element));
    }
    for element in [
        Ty::Decimal,
        Ty::F64,
        Ty::Str,
        Ty::Timestamp,
        Ty::Duration,
        Ty::Lsn,
        Ty::Enum,
        Ty::IpPrefix,
        Ty::Bits,
        Ty::Bool,
    ] {
        climb(&range(element));
    }
    for element in [Ty::I32, Ty::U16, Ty::Date, Ty::Decimal, Ty::Str] {
        climb(&multirange(element));
    }
}

#[test]
fn nested_keys_hold_any_bytes() {
    climb(&Ty::Nested(vec![(Ty::I32, 1), (Ty::Str, 2)]));
}

#[test]
fn composites_inside_each_other() {
    climb(&list(list(Ty::U8)));
    climb(&list(Ty::Record(vec![(Ty::U8, 5), (Ty::Str, 0)])));
    climb(&Ty::Record(vec![(list(Ty::I8), 2), (range(Ty::I32), 5)]));
    climb(&Ty::Record(vec![(Ty::Record(vec![(array(Ty::Str), 3)]), 5), (multirange(Ty::U8), 2)]));
    climb(&array(range(Ty::Date)));
    climb(&range(list(Ty::U8)));
    climb(&multirange(Ty::Record(vec![(Ty::U8, 2), (Ty::Bool, 5)])));
    climb(&range(range(Ty::I32)));
    climb(&list(Ty::Nested(vec![(Ty::Bytes, 5)])));
    climb(&list(multirange(Ty::F32)));
}

/// Values strictly ascending, by order, neighbours and no prefix; each reads back.
fn walk<'v>(kind: Kind<'static>, values: impl Iterator<Item = Value<'v>>) {
    let laws = Laws::new(kind);
    let values: Vec<Value<'_>> = values.collect();
    laws.ladder(&values);
    for order in orders() {
        for value in &values {
            let key = laws.field(order, value);
            assert_eq!(laws.read(order, &key), Ok((*value, key.len())));
        }
    }
}

#[test]
fn all_small_integers() {
    walk(Kind::BOOL, [false, true].into_iter().map(Value::Bool));
    walk(Kind::I8, (i8::MIN..=i8::MAX).map(Value::I8));
    walk(Kind::U8, (u8::MIN..=u8::MAX).map(Value::U8));
    walk(Kind::I16, (i16::MIN..=i16::MAX).map(Value::I16));
    walk(Kind::U16, (u16::MIN..=u16::MAX).map(Value::U16));
}

/// Every string of at most four of these bytes, in order: each before those that it begins.
fn strings(alphabet: &[u8], most: usize) -> Vec<Vec<u8>> {
    let mut all = vec![Vec::new()];
    if most > 0 {
        let tails = strings(alphabet, most - 1);
        all.extend(alphabet.iter().flat_map(|b| tails.iter().map(|tail| [&[*b], &tail[..]].concat())));
    }
    all
}

#[test]
fn all_short_strings_over_the_marks() {
    let all = strings(&[0x00, 0x01, 0xfe, 0xff], 4);
    assert_eq!(all.len(), 341);
    walk(Kind::BYTES, all.iter().map(|s| Value::bytes(s)));
    let all = strings(&[0x00, 0x01, 0x61, 0x7f], 4);
    let texts: Vec<&str> = all.iter().map(|s| std::str::from_utf8(s).expect("ascii")).collect();
    walk(Kind::STR, texts.into_iter().map(Value::str));
}

#[test]
fn all_short_bit_strings() {
    let ty = Ty::Bits;
    let all: Vec<V> = strings(&[0, 1], 11).iter().map(|s| V::Bits(s.iter().map(|b| *b == 1).collect())).collect();
    let held: Vec<Held<'_>> = all.iter().map(|v| Held::new(&ty, v)).collect();
    walk(Kind::BITS, held.iter().map(Held::value));
}

/// Every string of at most three of these bytes, in order: whatever decodes is canonical, and no
/// field is a prefix of another.
#[test]
fn all_short_fields_over_the_marks() {
    let all = strings(&[0, 1, 2, 3, 4, 5, 6, 0x0a, 0x7f, 0x80, 0xf9, 0xfb, 0xfc, 0xfd, 0xfe, 0xff], 3);
    let simple = [Kind::BOOL, Kind::U8, Kind::I16, Kind::BYTES, Kind::STR, Kind::DECIMAL, Kind::BITS, Kind::IP_PREFIX];
    let composite = [
        kind!(Type::List(&Type::Bool)),
        kind!(Type::List(&Type::List(&Type::Bool))),
        kind!(Type::Array(&Type::U8)),
        kind!(Type::Range(&Type::U8)),
        kind!(Type::Multirange(&Type::Range(&Type::Bool))),
        kind!(Type::Record(&[Field::new(Type::Bool, DescNullsLast), Field::not_null(Type::Bool, Desc)])),
    ];
    for kind in simple.into_iter().chain(composite) {
        let laws = Laws::new(kind);
        for order in orders() {
            let fields: BTreeSet<&[u8]> = all.iter().filter_map(|s| Some(&s[..laws.read(order, s).ok()?.1])).collect();
            for (field, next) in fields.iter().zip(fields.iter().skip(1)) {
                assert!(!next.starts_with(field), "{kind:?} under {order:?}: {field:02x?} begins {next:02x?}");
            }
        }
    }
}
