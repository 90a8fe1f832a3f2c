//! Lists, arrays, ranges, records.

use std::ops::Bound;
use std::ops::Bound::Excluded;
use std::ops::Bound::Included;
use std::ops::Bound::Unbounded;

use isotone::ArrayView;
use isotone::Asc;
use isotone::AscNullsLast;
use isotone::Decoder;
use isotone::Desc;
use isotone::Dimension;
use isotone::Field;
use isotone::Kind;
use isotone::ListView;
use isotone::RangeView;
use isotone::RecordView;
use isotone::SqlRange;
use isotone::Type;
use isotone::Value;
use isotone::kind;

use crate::ascending;
use crate::key;

const BYTES: Kind<'static> = kind!(Type::List(&Type::I8));
const TEXTS: Kind<'static> = kind!(Type::List(&Type::Str));

fn lists(kind: Kind<'static>, all: &[&[Value<'_>]]) {
    let values: Vec<Value<'_>> = all.iter().map(|list| ListView::new(list).into()).collect();
    ascending(&values, |k, v, order| k.value(kind, &v, order));
    for (list, value) in all.iter().zip(&values) {
        let stored = key(|k| k.value(kind, value, Desc));
        let read = Decoder::new(&stored).list(kind, Desc).expect("a list");
        assert!(read.iter().eq(list.iter().copied()), "{list:?} read back as {read:?}");
    }
}

/// An element that looks like the end of the list, and lists that others begin.
#[test]
fn b37_elements_like_markers() {
    let v = Value::I8;
    lists(BYTES, &[&[], &[v(-128)], &[v(-127)], &[v(0)], &[v(1)], &[v(1), v(2)], &[v(1), v(2), v(3)], &[v(2)]]);
    const OF_BYTES: Kind<'static> = kind!(Type::List(&Type::Bytes));
    lists(
        OF_BYTES,
        &[
            &[Value::bytes(&[])],
            &[Value::bytes(&[0])],
            &[Value::bytes(&[0, 1])],
            &[Value::bytes(&[1])],
            &[Value::bytes(&[1, 0])],
            &[Value::bytes(&[2])],
        ],
    );
}

/// How many nulls there are counts, and comes back; a null is above every element.
#[test]
fn b107_b108_b109_nulls_and_empty_lists() {
    let null = Value::Null;
    lists(BYTES, &[&[], &[Value::I8(127)], &[Value::I8(127), null], &[null], &[null, Value::I8(1)], &[null, null]]);
    lists(TEXTS, &[&[], &[Value::str("")], &[Value::str(""), Value::str("")], &[null], &[null, null]]);
    assert_eq!(key(|k| k.value(TEXTS, &ListView::new(&[]).into(), AscNullsLast)), [0, 0]);
}

/// Elements decide before their number, and their number before any dimension.
#[test]
fn b111_elements_before_dimensions() {
    const INTS: Kind<'static> = kind!(Type::Array(&Type::I32));
    let (nine, one_two) = ([Value::I32(9)], [Value::I32(1), Value::I32(2)]);
    let (single, flat) = ([Dimension::new(1)], [Dimension::new(2)]);
    let (tall, wide) = ([Dimension::new(2), Dimension::new(1)], [Dimension::new(1), Dimension::new(2)]);
    let shifted = [Dimension { len: 2, lower: 2 }];
    let arrays = [
        ArrayView::new(&[], &[]),
        ArrayView::new(&one_two[..1], &single),
        ArrayView::new(&one_two, &flat),
        ArrayView::new(&one_two, &shifted),
        ArrayView::new(&one_two, &wide),
        ArrayView::new(&one_two, &tall),
        ArrayView::new(&nine, &single),
    ];
    let values = arrays.map(Value::from);
    ascending(&values, |k, v, order| k.value(INTS, &v, order));
    // Rank 0 has no elements, and one without elements no rank.
    for (values, dims) in [(&one_two[..], &[][..]), (&[][..], &flat[..]), (&[][..], &[Dimension::new(0)][..])] {
        let mut room = [0; 64];
        let mut k = isotone::Builder::new(&mut room);
        k.value(INTS, &ArrayView::new(values, dims).into(), Asc);
        assert_eq!(k.finish(), Err(isotone::Error::InvalidValue { at: 0 }));
    }
}

/// A bound's value decides before its kind; at one value, inclusion.
#[test]
fn b112_bound_values_first() {
    const DECIMALS: Kind<'static> = kind!(Type::Range(&Type::Decimal));
    let n = |v: i32| Value::Decimal(v.into());
    let range = |lower: Bound<i32>, upper: Bound<i32>| SqlRange::new(lower.map(n), upper.map(n));
    let all = [
        SqlRange::Empty,
        range(Unbounded, Excluded(6)),
        range(Unbounded, Included(6)),
        range(Unbounded, Unbounded),
        range(Included(1), Excluded(2)),
        range(Included(1), Included(2)),
        range(Included(1), Unbounded),
        range(Excluded(1), Included(2)),
        range(Excluded(1), Excluded(6)),
        range(Included(5), Excluded(6)),
        range(Included(5), Unbounded),
    ];
    let values: Vec<Value<'_>> = all.iter().map(|range| RangeView::new(range).into()).collect();
    ascending(&values, |k, v, order| k.value(DECIMALS, &v, order));
    assert!(
        RangeView::new(&all[8]).contains(Kind::DECIMAL, &n(5))
            && !RangeView::new(&all[8]).contains(Kind::DECIMAL, &n(1))
    );
}

/// The second attribute decides where the first ties, at every depth, and earlier columns before.
#[test]
fn b114_ties_go_on() {
    const DUCK: [Field<'static>; 2] = [Field::new(Type::Str, AscNullsLast), Field::not_null(Type::Str, Desc)];
    const RECORD: Kind<'static> = kind!(Type::Record(&DUCK));
    let rows = [
        [Value::str("duck"), Value::str("goose")],
        [Value::str("duck"), Value::str("")],
        [Value::str("dull"), Value::str("x")],
        [Value::Null, Value::str("y")],
    ];
    let values = rows.each_ref().map(|row| Value::from(RecordView::new(row)));
    ascending(&values, |k, v, order| k.value(RECORD, &v, order));

    const DEEP: Kind<'static> =
        kind!(Type::List(&Type::List(&Type::List(&Type::List(&Type::List(&Type::List(&Type::U8)))))));
    let none = Value::from(ListView::new(&[]));
    let one = [none];
    let two = [Value::from(ListView::new(&one))];
    let three = [Value::from(ListView::new(&two))];
    let deep = [none, ListView::new(&one).into(), ListView::new(&two).into(), ListView::new(&three).into()];
    ascending(&deep, |k, v, order| k.value(DEEP, &v, order));
    ascending(&[(1, 3), (2, 0)], |k, (id, n), order| k.u8(id, order).value(DEEP, &deep[n], order));
}
