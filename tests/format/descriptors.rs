//! §6: layout descriptors.

use isotone::Asc;
use isotone::AscNullsLast;
use isotone::Desc;
use isotone::DescNullsFirst;
use isotone::Error;
use isotone::Field;
use isotone::KeySpec;
use isotone::Kind;
use isotone::MAX_DEPTH;
use isotone::Type;
use isotone::key_spec;
use isotone::kind;
use proptest::collection::vec;
use proptest::prelude::*;

use crate::checker::check;
use crate::declared;
use crate::support::generate;
use crate::support::ladders::unhex;
use crate::support::model::Attr;
use crate::support::model::Ty;
use crate::support::model::layout;

/// Stored bytes: what the crate says of them is what the checker says, and an accepted descriptor is
/// the one that its own fields make.
#[track_caller]
fn judge(bytes: &[u8]) -> Result<Vec<Attr>, Error> {
    let expected = check(bytes);
    let spec = KeySpec::from_layout(bytes);
    match (&spec, &expected) {
        (Ok(spec), Ok(fields)) => {
            assert_eq!(layout(fields), bytes, "accepted and re-described");
            assert_eq!((spec.layout(), spec.arity()), (bytes, fields.len()));
            assert_eq!(spec.kinds().count(), fields.len());
            for ((kind, order), (ty, code)) in spec.kinds().zip(fields) {
                assert_eq!([&[kind.code()], kind.params()].concat(), ty.describe());
                assert_eq!(order.code(), *code);
                parts(kind, ty);
            }
        }
        _ => assert_eq!(spec.map(|_| ()), expected.clone().map(|_| ()), "{bytes:02x?}"),
    }
    expected
}

/// A kind's parts are its type's.
fn parts(kind: Kind<'_>, ty: &Ty) {
    assert_eq!(Kind::from_description(&ty.describe()), Ok(kind));
    assert_eq!(kind.width(), if let Ty::Fixed(width) = ty { Some(*width) } else { None });
    let collated =
        if let Ty::Collated(deterministic, producer) = ty { Some((*deterministic, &**producer)) } else { None };
    assert_eq!(kind.is_deterministic().zip(kind.producer()), collated);
    let inner: &[Attr] = if let Ty::Nested(inner) | Ty::Record(inner) = ty { inner } else { &[] };
    assert_eq!(kind.attributes().count(), inner.len());
    for ((kind, order), (ty, code)) in kind.attributes().zip(inner) {
        assert_eq!(order.code(), *code);
        parts(kind, ty);
    }
    match ty {
        Ty::List(element) | Ty::Array(element) | Ty::Range(element) | Ty::Multirange(element) => {
            parts(kind.element().expect("an element"), element);
        }
        _ => assert_eq!(kind.element(), None),
    }
}

/// The table of kinds, each with its parameters.
#[test]
fn every_kind_as_the_table_says() {
    let simple = [
        (Type::Bool, "01"),
        (Type::Bytes, "10"),
        (Type::Str, "11"),
        (Type::I64, "20"),
        (Type::I8, "21"),
        (Type::I16, "22"),
        (Type::I32, "23"),
        (Type::I128, "24"),
        (Type::U64, "28"),
        (Type::U8, "29"),
        (Type::U16, "2a"),
        (Type::U32, "2b"),
        (Type::U128, "2c"),
        (Type::F32, "30"),
        (Type::F64, "31"),
        (Type::Decimal, "38"),
        (Type::Date, "40"),
        (Type::Time, "41"),
        (Type::TimeTz, "42"),
        (Type::Timestamp, "43"),
        (Type::Duration, "44"),
        (Type::Interval, "45"),
        (Type::Uuid, "50"),
        (Type::Mac48, "51"),
        (Type::Mac64, "52"),
        (Type::Lsn, "53"),
        (Type::Enum, "54"),
        (Type::Ip, "60"),
        (Type::IpPrefix, "61"),
        (Type::Network, "62"),
        (Type::Bits, "76"),
    ];
    const INNER: [Field<'static>; 2] = [Field::new(Type::U8, DescNullsFirst), Field::not_null(Type::Fixed(2), Asc)];
    let with_parameters = [
        (Type::Opaque(b""), "12 00000000"),
        (Type::Opaque(&[0xff, 0]), "12 00000002 ff00"),
        (Type::Fixed(1), "13 0001"),
        (Type::Fixed(65_535), "13 ffff"),
        (Type::Collated { deterministic: false, producer: "" }, "14 00 00000000"),
        (Type::Collated { deterministic: true, producer: "\u{e9}" }, "14 01 00000002 c3a9"),
        (Type::Nested(&INNER), "70 00000006 2902 13040002"),
        (Type::Record(&INNER), "71 00000006 2902 13040002"),
        (Type::List(&Type::Str), "72 11"),
        (Type::Array(&Type::Fixed(3)), "73 13 0003"),
        (Type::Range(&Type::Date), "74 40"),
        (Type::Multirange(&Type::I8), "75 21"),
        (Type::List(&Type::Array(&Type::Record(&INNER))), "72 73 71 00000006 2902 13040002"),
    ];
    for (ty, hex) in simple.into_iter().chain(with_parameters) {
        let expected = unhex(hex);
        assert_eq!(Kind::described_len(&ty), Ok(expected.len()));
        let mut room = [0xa5; 40];
        let kind = Kind::describe(&ty, &mut room).expect("a kind");
        assert_eq!([&[kind.code()], kind.params()].concat(), expected, "{ty:?}");
        for n in 0..expected.len() {
            let mut room = [0; 40];
            let short = Error::ShortBuffer { needed: expected.len(), available: n };
            assert_eq!(Kind::describe(&ty, &mut room[..n]), Err(short));
            // A kind that ends too early ends at its length, unless a length in it says too much.
            let error = Kind::from_description(&expected[..n]).expect_err("cut");
            assert!(matches!(error, Error::InvalidLayout { at } if at <= n), "{error:?}");
        }
        let long = [&expected[..], &[0x01]].concat();
        assert_eq!(Kind::from_description(&long), Err(Error::InvalidLayout { at: expected.len() }));
        for order in 0..=5 {
            let field = [Field::from_code(ty, order)];
            let stored = [unhex("4f4b02"), vec![expected[0], order], expected[1..].to_vec()].concat();
            let mut room = [0; 40];
            let spec = KeySpec::describe(&field, &mut room).expect("a spec");
            if !matches!((ty, order), (Type::Bytes | Type::I64, 4 | 5)) {
                assert_eq!(spec.layout(), stored);
            }
            assert_eq!(KeySpec::layout_len(&field), Ok(spec.layout().len()));
            assert_eq!(spec, KeySpec::from_layout(spec.layout()).expect("its own layout"));
            judge(spec.layout()).expect("accepted");
        }
        for order in [6, 7, 255] {
            let mut room = [0; 40];
            assert_eq!(
                KeySpec::describe(&[Field::from_code(ty, order)], &mut room),
                Err(Error::InvalidLayout { at: 4 })
            );
        }
    }
}

#[test]
fn declared_specs_equal_stored_ones() {
    const V1: KeySpec<'static> =
        key_spec![Type::Bytes => Asc, Type::Bytes => Desc, Type::I64 => Asc, Type::I64 => Desc];
    assert_eq!(V1.layout(), unhex("4f4b01 10112021"));
    const MIXED: KeySpec<'static> = key_spec![Type::Bytes => Asc, Type::I64 => AscNullsLast];
    assert_eq!(MIXED.layout(), unhex("4f4b02 1004 2001"));
    const POINT: [Field<'static>; 2] = [Field::new(Type::F64, AscNullsLast), Field::not_null(Type::Fixed(2), Desc)];
    const DEEP: KeySpec<'static> = key_spec![Type::List(&Type::Nested(&POINT)) => DescNullsFirst];
    assert_eq!(DEEP.layout(), unhex("4f4b02 7202 70 00000006 3101 13050002"));
    for spec in [V1, MIXED, DEEP] {
        let stored = spec.layout().to_vec();
        assert_eq!(KeySpec::from_layout(&stored), Ok(spec));
        assert_eq!(spec.require_layout(&stored), Ok(()));
        judge(&stored).expect("accepted");
    }
    const KIND: Kind<'static> = kind!(Type::List(&Type::Nested(&POINT)));
    assert_eq!(DEEP.kind(0).map(|(kind, order)| (kind, order.code())), Some((KIND, 2)));
    assert_eq!(DEEP.kind(1), None);
}

#[test]
fn another_layout_is_told_apart() {
    const SPEC: KeySpec<'static> = key_spec![Type::Str => AscNullsLast, Type::U8 => Asc];
    let mismatch = |hex: &str| SPEC.require_layout(&unhex(hex));
    assert_eq!(mismatch("4f4b02 1101 2904"), Ok(()));
    assert_eq!(mismatch("4f4b02 1101 2905"), Err(Error::LayoutMismatch { at: 6 }));
    assert_eq!(mismatch("4f4b02 1101"), Err(Error::LayoutMismatch { at: 5 }));
    assert_eq!(mismatch("4f4b02 1101 2904 01 00"), Err(Error::LayoutMismatch { at: 7 }));
    assert_eq!(mismatch("4f4b01 10"), Err(Error::LayoutMismatch { at: 2 }));
    assert_eq!(mismatch("4f4b02 11"), Err(Error::InvalidLayout { at: 4 }));
    assert_eq!(mismatch("4f4b03"), Err(Error::UnsupportedKeyFormat { byte: 3 }));
}

/// Every rule of the error paragraph, at its place.
#[test]
fn each_error_at_its_byte() {
    let at = |hex: &str, at: usize| assert_eq!(judge(&unhex(hex)), Err(Error::InvalidLayout { at }), "{hex}");
    // Magic and version.
    at("", 0);
    at("4f", 1);
    at("4f4b", 2);
    at("504b01 10", 0);
    at("4f4c01 10", 0);
    at("00", 0);
    for byte in (0..=255).filter(|b| !matches!(b, 1 | 2)) {
        assert_eq!(judge(&[0x4f, 0x4b, byte, 0x10]), Err(Error::UnsupportedKeyFormat { byte }));
    }
    assert_eq!(judge(&unhex("4f4b01")), Err(Error::EmptySpec));
    assert_eq!(judge(&unhex("4f4b02")), Err(Error::EmptySpec));
    // Version 1.
    at("4f4b01 12", 3);
    at("4f4b01 10 22", 4);
    // Kind, order.
    at("4f4b02 00 04", 3);
    at("4f4b02 0104 77 04", 5);
    at("4f4b02 01 06", 4);
    at("4f4b02 0104 11 ff", 6);
    // Width.
    at("4f4b02 1304 0000", 5);
    // Lengths that say too much, at their first byte.
    at("4f4b02 1204 00000001", 5);
    at("4f4b02 1204 ffffffff 61", 5);
    at("4f4b02 1404 00 00000002 61", 6);
    at("4f4b02 7104 00000003 0104", 5);
    at("4f4b02 7104 00000008 7204 70 00000003 0104", 12);
    at("4f4b02 7104 00000008 7004 00000003 0104", 11);
    // A layout of no fields, at its length.
    at("4f4b02 7004 00000000", 5);
    at("4f4b02 7104 00000000", 5);
    at("4f4b02 7204 71 00000000", 6);
    // An inner layout that ends too early, where a byte is missing.
    at("4f4b02 7104 00000001 01", 10);
    at("4f4b02 7104 00000001 01 0104", 10);
    at("4f4b02 7104 00000003 1304 00 0104", 12);
    // Inside.
    at("4f4b02 7104 00000002 0106", 10);
    at("4f4b02 7204 00", 5);
    at("4f4b02 7204 13 0000", 6);
    at("4f4b02 7204 14 02 00000000", 6);
    // Ill-formed UTF-8, at the start of the sequence.
    at("4f4b02 1404 00 00000001 ff", 10);
    at("4f4b02 1404 01 00000004 61e28261", 11);
    at("4f4b02 1404 01 00000003 6162c3", 12);
    // What version 1 can say.
    at("4f4b02 1004", 2);
    at("4f4b02 1005 2004 2005", 2);
    assert!(judge(&unhex("4f4b02 1005 2004 2005 0104")).is_ok());
    assert!(judge(&unhex("4f4b02 1000")).is_ok());
    // The first byte that is wrong is the one named.
    at("4f4b02 0106 1304 0000", 4);
    at("4f4b02 1004 2004 20", 8);
}

/// A chain of so many composites around a bool, and where the byte of each kind lies.
fn chain(depth: usize, how: usize) -> (Ty, Vec<usize>) {
    let (mut ty, mut places) = (Ty::Bool, vec![0]);
    for level in 0..depth {
        let record = how == 1 || how == 2 && level % 2 == 0;
        ty = match (record, level % 4) {
            (true, 0 | 1) => Ty::Record(vec![(ty, 4)]),
            (true, _) => Ty::Nested(vec![(ty, 4)]),
            (false, 0) => Ty::List(ty.into()),
            (false, 1) => Ty::Array(ty.into()),
            (false, 2) => Ty::Range(ty.into()),
            (false, _) => Ty::Multirange(ty.into()),
        };
        // A record's length stands before its attribute's kind byte; an order behind it.
        let before = if record { 5 } else { 1 };
        places.iter_mut().for_each(|at| *at += before);
        if record {
            // The order of what is inside follows its kind byte and moves what is deeper.
            let inner = places.len() - 1;
            places[..inner].iter_mut().for_each(|at| *at += 1);
        }
        places.push(0);
    }
    places.reverse();
    (ty, places)
}

#[test]
fn sixteen_composites_and_no_more() {
    assert_eq!(MAX_DEPTH, 16);
    for how in 0..3 {
        for depth in [1, 2, 15, 16, 17, 18] {
            let (ty, places) = chain(depth, how);
            let fields = [(ty, 4)];
            let stored = layout(&fields);
            // A whole layout has the magic before it and one order behind its first kind.
            let place = |n: usize| if n == 0 { 3 } else { 4 + places[n] };
            let expected = if depth <= 16 { Ok(()) } else { Err(Error::InvalidLayout { at: place(17) }) };
            assert_eq!(stored[place(depth)], 0x01, "the place of the bool");
            assert_eq!(judge(&stored).map(|_| ()), expected, "{depth} of {how}");
            let declared = declared::fields(&fields);
            let mut room = [0; 400];
            assert_eq!(KeySpec::describe(declared, &mut room).map(|_| ()), expected, "declared");
            let ty = declared[0].ty();
            let kind = Kind::describe(&ty, &mut room).map(|_| ());
            assert_eq!(kind, expected.map_err(|_| Error::InvalidLayout { at: places[17] }));
        }
    }
}

#[test]
fn no_fields_is_an_empty_spec() {
    assert_eq!(KeySpec::describe(&[], &mut [0; 8]), Err(Error::EmptySpec));
    let none = [Field::not_null(Type::Record(&[]), Asc)];
    assert_eq!(KeySpec::describe(&none, &mut [0; 16]), Err(Error::InvalidLayout { at: 5 }));
    let zero = [Field::not_null(Type::Fixed(0), Asc)];
    assert_eq!(KeySpec::describe(&zero, &mut [0; 16]), Err(Error::InvalidLayout { at: 5 }));
}

fn specs() -> impl Strategy<Value = Vec<Attr>> {
    vec(generate::attr(3), 1..4)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn drawn_specs(fields in specs()) {
        let stored = layout(&fields);
        prop_assert_eq!(judge(&stored), Ok(fields.clone()));
        let declared = declared::fields(&fields);
        prop_assert_eq!(KeySpec::layout_len(declared), Ok(stored.len()));
        let mut room = vec![0xa5; stored.len()];
        let described = KeySpec::describe(declared, &mut room).expect("a spec");
        prop_assert_eq!(described, KeySpec::from_layout(&stored).expect("a spec"));
        for n in [0, 1, stored.len() / 2, stored.len() - 1] {
            let short = Error::ShortBuffer { needed: stored.len(), available: n };
            assert_eq!(KeySpec::describe(declared, &mut vec![0; n]), Err(short));
        }
    }

    /// Cut at every byte: the length, or a length field that now says too much, or a shorter layout.
    #[test]
    fn cut_at_every_byte(fields in specs()) {
        let stored = layout(&fields);
        for n in 0..stored.len() {
            let _ = judge(&stored[..n]);
        }
    }

    /// Every byte changed: no panic, the checker's error, and what is accepted is canonical.
    #[test]
    fn every_byte_changed(fields in specs(), seed in any::<u8>()) {
        let stored = layout(&fields);
        for at in 0..stored.len() {
            let mut changed = stored.clone();
            for byte in [stored[at] ^ 1, stored[at] ^ 4, stored[at].wrapping_add(1), stored[at].wrapping_sub(1), 0, 0x10, 0x13, 0x14, 0x71, 0x72, 0xff, seed] {
                changed[at] = byte;
                let _ = judge(&changed);
            }
        }
    }

    #[test]
    fn any_bytes(tail in vec(prop_oneof![0..6u8, 0x10..0x15u8, 0x70..0x77u8, any::<u8>()], 0..24), version in 0..4u8) {
        let _ = judge(&[&[0x4f, 0x4b, version], &tail[..]].concat());
    }
}

/// A layout with no lengths in it, cut anywhere but between fields, ends at its own length.
#[test]
fn a_layout_that_ends_too_early() {
    let stored = unhex("4f4b02 1301 0002 7204 73 13 0003 1101");
    for n in 0..stored.len() {
        let expected = match n {
            3 => Err(Error::EmptySpec),
            7 | 13 => Ok(()),
            n => Err(Error::InvalidLayout { at: n }),
        };
        assert_eq!(judge(&stored[..n]).map(|_| ()), expected, "{n}");
    }
}
