//! Collated text in keys: written straight into them, read back, held to its producer by the
//! schema, and checked where the format says that it is.
#![expect(clippy::arithmetic_side_effects, clippy::unwrap_used, reason = "a test that fails may panic")]

mod collation_support;

use std::ops::Bound;

use isotone::Asc;
use isotone::AscNullsLast;
use isotone::Builder;
use isotone::ByteView;
use isotone::Decoder;
use isotone::Desc;
use isotone::DescNullsFirst;
use isotone::Error;
use isotone::Field;
use isotone::FieldOrder;
use isotone::KeySpec;
use isotone::ListView;
use isotone::Type;
use isotone::Value;
use isotone::collation::Accent;
use isotone::collation::Case;
use isotone::collation::CollationProfile;
use isotone::collation::Collator;
use isotone::collation::Comparison;
use isotone::collation::Padding;
use isotone::collation::ProfileName;
use isotone::collation::Tailoring;
use isotone::key_spec;
use isotone::kind;

use crate::collation_support::escape;

const SWEDISH: CollationProfile = CollationProfile::uca(
    Tailoring::Swedish,
    Padding::Space,
    Accent::Insensitive,
    Case::Insensitive,
    Comparison::Server,
);
const PRODUCER: ProfileName = SWEDISH.producer();
const IMAGE: Type<'static> = Type::Collated { deterministic: false, producer: PRODUCER.as_str() };
const TOTAL: Type<'static> = Type::Collated { deterministic: true, producer: PRODUCER.as_str() };
const UNKNOWN: Type<'static> = Type::Collated { deterministic: true, producer: "uca14;14.0.0;server;swedish" };
const COLLATOR: Collator = Collator::new(SWEDISH);
const OTHER: Collator = Collator::new(CollationProfile::SIMPLE_CASE);

const SPEC: KeySpec<'static> = key_spec![TOTAL => DescNullsFirst, Type::U8 => Asc];

fn total_key(text: &str) -> Vec<u8> {
    let mut room = vec![0; COLLATOR.max_total_key_size(text.len())];
    COLLATOR.total_key(text, &mut room).unwrap().to_vec()
}

/// A total key with the image of one text and the bytes of another.
fn wrong_key() -> Vec<u8> {
    let mut room = [0; 64];
    [COLLATOR.key("ada", &mut room).unwrap(), &escape(b"eda")].concat()
}

fn key(write: impl FnOnce(&mut Builder<'_>)) -> Vec<u8> {
    let mut room = [0; 512];
    let mut key = Builder::new(&mut room);
    write(&mut key);
    key.finish().unwrap().to_vec()
}

#[test]
fn a_layout_knows_its_profile() {
    let (kind, order) = SPEC.kind(0).unwrap();
    assert_eq!((kind.collation(), kind.is_deterministic()), (Some(SWEDISH), Some(true)));
    assert_eq!(order, DescNullsFirst.into());
    assert_eq!(kind!(UNKNOWN).collation(), None);
    assert_eq!(kind!(Type::Str).collation(), None);
    assert_eq!(kind!(Type::Opaque(b"uca14;14.0.0;schottky;simple_case")).collation(), None);
}

#[test]
fn written_and_read_under_a_spec() {
    let mut room = [0; 256];
    let names = ["Adam", "adam", "Äsa", "Zorn", "Åke", "Öberg", "ådahl", "zorn  ", "Z\u{0}orn"];
    let mut keys = Vec::new();
    for (at, name) in (0..).zip(names) {
        let mut writer = SPEC.writer(&mut room);
        writer.collate(&COLLATOR, name).u8(at);
        keys.push(writer.finish().unwrap().to_vec());
    }
    let mut writer = SPEC.writer(&mut room);
    writer.collate(&COLLATOR, None::<&str>).u8(0);
    let null = writer.finish().unwrap();
    assert_eq!(null, [0, 0]);
    assert_eq!(SPEC.reader(null).unwrap().collated_text(&COLLATOR), Ok(None));

    for ((at, name), key) in (0..).zip(names).zip(&keys) {
        let total = total_key(name);
        let value = SPEC.collate(0, &COLLATOR, name, &mut room).unwrap();
        assert_eq!(value, Value::Collated(ByteView::new(&total)));
        let mut again = [0; 256];
        assert_eq!(SPEC.encode(&[value, Value::U8(at)], &mut again).unwrap(), key);
        assert_eq!(SPEC.size(&[value, Value::U8(at)]), Ok(key.len()));

        let mut reader = SPEC.reader(key).unwrap();
        assert_eq!(reader.clone().collated().unwrap().unwrap(), *total);
        assert_eq!(reader.collated_text(&COLLATOR).unwrap().unwrap(), *name);
        assert_eq!(reader.u8(), Ok(Some(at)));
        reader.finish().unwrap();
        let mut values = [Value::Null; 2];
        assert_eq!(SPEC.decode(key, &mut values).unwrap(), [value, Value::U8(at)]);
        SPEC.check(key).unwrap();
    }
    // Descending by the Swedish alphabet, and by bytes where the collation holds two equal.
    let mut sorted: Vec<&str> = (0..names.len()).map(|at| names[at]).collect();
    sorted.sort_by_key(|name| &keys[names.iter().position(|n| n == name).unwrap()]);
    assert_eq!(sorted, ["Öberg", "Äsa", "Åke", "ådahl", "zorn  ", "Zorn", "Z\u{0}orn", "adam", "Adam"]);
}

#[test]
fn another_producer_is_a_type_mismatch() {
    let mut room = [0; 256];
    let wrong = |field| Error::TypeMismatch { field };
    let mismatch = |field| Err(wrong(field));
    let mut writer = SPEC.writer(&mut room);
    writer.collate(&OTHER, "Ada");
    assert_eq!(writer.finish().map(<[u8]>::len), mismatch(0));
    let mut writer = SPEC.writer(&mut room);
    writer.collate(&COLLATOR, "Ada").collate(&COLLATOR, "Ada");
    assert_eq!(writer.finish().map(<[u8]>::len), mismatch(1));
    let unknown = key_spec![UNKNOWN => Asc];
    let mut writer = unknown.writer(&mut room);
    writer.collate(&COLLATOR, "Ada");
    assert_eq!(writer.finish().map(<[u8]>::len), mismatch(0));
    // The comparison is a part of the name.
    let schottky = Collator::new(SWEDISH.with_comparison(Comparison::Schottky).unwrap());
    let mut writer = SPEC.writer(&mut room);
    writer.collate(&schottky, "Ada");
    assert_eq!(writer.finish().map(<[u8]>::len), mismatch(0));

    assert_eq!(SPEC.collate(0, &OTHER, "Ada", &mut room), Err(wrong(0)));
    assert_eq!(SPEC.collate(1, &COLLATOR, "Ada", &mut room), Err(wrong(1)));
    assert_eq!(SPEC.collate(2, &COLLATOR, "Ada", &mut room), Err(Error::InvalidPrefixLength { most: 1, got: 2 }));
    assert_eq!(SPEC.collate(0, &COLLATOR, None::<&str>, &mut room), Ok(Value::Null));
    let needed = total_key("Ada").len();
    let short = Err(Error::ShortBuffer { needed, available: 3 });
    assert_eq!(SPEC.collate(0, &COLLATOR, "Ada", &mut room[..3]), short);

    let key = key(|key| {
        key.collate_total(&COLLATOR, "Ada", DescNullsFirst).u8(1, Asc);
    });
    let mut reader = SPEC.reader(&key).unwrap();
    assert_eq!(reader.collated_text(&OTHER), Err(Error::TypeMismatch { field: 0 }));
    assert_eq!(reader.collated_text(&COLLATOR).unwrap().unwrap(), "Ada");
    assert_eq!(reader.collated_text(&COLLATOR), Err(Error::TypeMismatch { field: 1 }));
}

/// The layout says whether the text is there.
#[test]
fn an_image_alone_has_no_text() {
    let spec = key_spec![Type::U8 => Asc, IMAGE => Asc];
    let (mut room, mut image) = ([0; 256], [0; 64]);
    let mut writer = spec.writer(&mut room);
    writer.u8(3).collate(&COLLATOR, "ÅKE");
    let key = writer.finish().unwrap();
    let image = COLLATOR.key("åke", &mut image).unwrap();
    assert_eq!(key, [&[3], &escape(image)[..]].concat());
    let mut reader = spec.reader(key).unwrap();
    reader.u8().unwrap();
    assert_eq!(reader.collated_text(&COLLATOR), Err(Error::TypeMismatch { field: 1 }));
    assert_eq!(reader.collated().unwrap().unwrap(), *image);
    // Nothing to check it against: any bytes are an image.
    let any = [Value::U8(3), Value::Collated(ByteView::new(b"no image"))];
    let key = spec.encode(&any, &mut room).unwrap();
    let mut values = [Value::Null; 2];
    assert_eq!(spec.decode(key, &mut values).unwrap(), any);
}

#[test]
fn a_wrong_image_is_found_by_decode_and_as_text_only() {
    let wrong = wrong_key();
    let spec = key_spec![Type::U8 => Asc, TOTAL => AscNullsLast, Type::U8 => Asc];
    for bytes in [&wrong[..], b"", b"no image", &total_key("ada")[1..]] {
        let key = key(|key| {
            key.u8(1, Asc).collated(bytes, AscNullsLast).u8(2, Asc);
        });
        let mut values = [Value::Null; 3];
        let malformed = Error::MalformedKey { at: 1 };
        assert_eq!(spec.check(&key), Err(malformed));
        assert_eq!(spec.decode(&key, &mut values), Err(malformed));
        let mut reader = spec.reader(&key).unwrap();
        reader.u8().unwrap();
        assert_eq!(reader.collated_text(&COLLATOR), Err(malformed));
        // As opaque bytes it reads, and everything that skips goes by.
        assert_eq!(reader.value().unwrap(), Value::Collated(ByteView::new(bytes)));
        assert_eq!(spec.field(&key, 1).unwrap(), Value::Collated(ByteView::new(bytes)));
        assert_eq!(spec.skip(&key, 3), Ok(key.len()));
        assert_eq!(spec.prefix_len(&key, 2), Some(key.len() - 1));
        assert_eq!(spec.offsets(&key, &mut [0; 3]).unwrap()[2], key.len());
        let (kind, order) = spec.kind(1).unwrap();
        let mut fields = Decoder::at(&key, 1);
        fields.skip(kind, order).unwrap();
        assert_eq!(fields.u8(Asc), Ok(2));
        // Unknown to the schema, the same bytes are a value.
        let unknown = key_spec![Type::U8 => Asc, UNKNOWN => AscNullsLast, Type::U8 => Asc];
        unknown.check(&key).unwrap();
        assert_eq!(unknown.decode(&key, &mut values).unwrap()[1], Value::Collated(ByteView::new(bytes)));
    }
}

/// What can't be read back can't be written.
#[test]
fn a_wrong_image_is_not_written() {
    let wrong = wrong_key();
    let (value, mut room) = (Value::Collated(ByteView::new(&wrong)), [0xaa; 256]);
    let invalid = Error::InvalidValue { at: 0 };
    let one = key_spec![TOTAL => Asc];
    assert_eq!(one.encode(&[value], &mut room), Err(invalid));
    assert_eq!(one.size(&[value]), Err(invalid));
    assert_eq!(one.compare(b"", &[value]), Err(invalid));
    assert_eq!(one.prefix_range(&[value], &mut room), Err(invalid));
    assert_eq!(one.field_range(&[], Bound::Included(value), Bound::Unbounded, &mut room), Err(invalid));
    let mut writer = one.writer(&mut room);
    writer.collated(&wrong);
    assert_eq!(writer.finish(), Err(invalid));
    let mut writer = one.writer(&mut room);
    writer.collated(&total_key("ada"));
    assert!(writer.finish().is_ok());
    let mut writer = key_spec![TOTAL => AscNullsLast].writer(&mut room);
    writer.collated(None::<ByteView<'_>>);
    assert_eq!(writer.finish(), Ok(&[1][..]));

    // Nor inside a composite.
    let list = key_spec![Type::U8 => Asc, Type::List(&TOTAL) => Asc];
    let (right, values) = (total_key("ada"), [value]);
    let given = [Value::U8(1), Value::List(ListView::new(&values))];
    assert_eq!(list.encode(&given, &mut room), Err(Error::InvalidValue { at: 1 }));
    let values = [Value::Collated(ByteView::new(&right))];
    let given = [Value::U8(1), Value::List(ListView::new(&values))];
    list.check(list.encode(&given, &mut room).unwrap()).unwrap();
}

#[test]
fn inside_composites() {
    let list = kind!(Type::List(&TOTAL));
    let spec = key_spec![Type::List(&TOTAL) => Desc];
    let names = ["Öst", "", "ast", "A\u{0}b"];
    let key = key(|key| {
        key.list(Desc, |list| {
            for name in names {
                list.collate_total(&COLLATOR, name);
            }
            list.collate_total(&COLLATOR, None::<&str>);
        });
    });
    spec.check(&key).unwrap();
    let read = Decoder::new(&key).list(list, Desc).unwrap();
    let values: Vec<Value<'_>> = read.iter().collect();
    for (name, value) in names.iter().zip(&values) {
        let Value::Collated(total) = value else { panic!("{value:?}") };
        assert_eq!(COLLATOR.text(*total).unwrap(), **name);
    }
    assert_eq!(values[4], Value::Null);
    let mut room = [0; 512];
    assert_eq!(spec.encode(&[Value::List(read)], &mut room).unwrap(), key);

    // An element of another kind, and one that is not its text's.
    let mut mixed = Builder::new(&mut room);
    mixed.list(Asc, |list| {
        list.collate(&COLLATOR, "a").str("a");
    });
    assert_eq!(mixed.finish(), Err(Error::InvalidValue { at: 0 }));
    let wrong = self::key(|key| {
        key.u8(0, Asc).list(Desc, |list| {
            list.collate_total(&COLLATOR, "a").collated(&wrong_key());
        });
    });
    let malformed = Error::MalformedKey { at: 1 };
    assert_eq!(Decoder::at(&wrong, 1).list(list, Desc), Err(malformed));
    assert!(Decoder::at(&wrong, 1).skip(list, Desc).is_ok());
    assert_eq!(key_spec![Type::U8 => Asc, Type::List(&TOTAL) => Desc].check(&wrong), Err(malformed));
}

/// A nested key is opaque: nothing in it is looked at.
#[test]
fn inside_nested_keys() {
    const INNER: [Field<'static>; 1] = [Field::not_null(TOTAL, Asc)];
    let spec = key_spec![Type::Nested(&INNER) => Asc];
    let wrong = key(|key| {
        key.nested(Asc, |inner| {
            inner.collated(&wrong_key(), Asc);
        });
    });
    spec.check(&wrong).unwrap();
    let right = key(|key| {
        key.nested(Asc, |inner| {
            inner.collate_total(&COLLATOR, "Ada", Asc);
        });
    });
    let mut room = [0; 128];
    let inner = Decoder::new(&right).nested(Asc).unwrap().copy_to(&mut room).unwrap();
    assert_eq!(Decoder::new(inner).collated_text(&COLLATOR, Asc).unwrap(), "Ada");
}

#[test]
fn collated_text_has_no_fronts() {
    let (mut room, mut image) = ([0; 128], [0; 64]);
    for ty in [IMAGE, TOTAL, UNKNOWN] {
        let fields = [Field::new(ty, AscNullsLast)];
        let mut layout = [0; 128];
        let spec = KeySpec::describe(&fields, &mut layout).unwrap();
        let front = Value::Collated(ByteView::new(COLLATOR.key("A", &mut image).unwrap()));
        for front in ["A".into(), front, Value::bytes(b"A")] {
            assert_eq!(spec.starts_with_range(&[], front, &mut room), Err(Error::TypeMismatch { field: 0 }));
        }
    }
}

#[test]
fn ranges_between_texts() {
    let spec = key_spec![IMAGE => Desc, Type::U8 => Asc];
    let (mut low, mut high, mut ends) = ([0; 64], [0; 64], [0; 256]);
    let low = Bound::Included(spec.collate(0, &COLLATOR, "b", &mut low).unwrap());
    let high = Bound::Excluded(spec.collate(0, &COLLATOR, "ö", &mut high).unwrap());
    let range = spec.field_range(&[], low, high, &mut ends).unwrap();
    for (name, within) in [("A", false), ("B", true), ("Zorn", true), ("Åke", true), ("ä", true), ("Ö", false)] {
        let key = key(|key| {
            key.collate(&COLLATOR, name, Desc).u8(1, Asc);
        });
        assert_eq!(range.contains(&key), within, "{name}");
    }
}

#[test]
fn printed_as_text_where_it_is_known() {
    let key = key(|key| {
        key.collate_total(&COLLATOR, "Åsa \"A\"", DescNullsFirst).u8(1, Asc);
    });
    assert_eq!(SPEC.display(&key).to_string(), r#"("Åsa \"A\"", 1)"#);
    let unknown = key_spec![UNKNOWN => DescNullsFirst, Type::U8 => Asc];
    assert!(unknown.display(&key).to_string().starts_with("(x'"));
    let wrong = self::key(|key| {
        key.collated(b"\x01", DescNullsFirst).u8(1, Asc);
    });
    assert_eq!(SPEC.display(&wrong).to_string(), "(x'01', 1)");
}

#[test]
fn orders_codes_and_errors_are_the_kernels() {
    let mut room = [0xaa; 128];
    let mut key = Builder::new(&mut room);
    key.collate(&COLLATOR, "a", 6u8).collate(&COLLATOR, "b", Asc);
    assert_eq!(key.finish(), Err(Error::InvalidOrder { code: 6, at: 0 }));
    let mut key = Builder::new(&mut room);
    key.u8(1, Asc).collate(&COLLATOR, None::<&str>, 4u8);
    assert_eq!(key.finish(), Err(Error::InvalidValue { at: 1 }));
    assert_eq!(room[1..], [0xaa; 127]);
    let key = self::key(|key| {
        key.collate(&COLLATOR, None::<&str>, FieldOrder::from(AscNullsLast));
    });
    assert_eq!(key, [1]);
    assert_eq!(Decoder::new(&key).collated_text(&COLLATOR, AscNullsLast), Ok(None));
    assert_eq!(Decoder::new(&[2]).collated_text(&COLLATOR, AscNullsLast), Err(Error::MalformedKey { at: 0 }));
    assert_eq!(Decoder::new(&[0, 5]).collated_text(&COLLATOR, AscNullsLast), Err(Error::TruncatedKey { at: 2 }));
    assert_eq!(Decoder::new(&[0, 1]).collated_text(&COLLATOR, Asc), Err(Error::InvalidEscape { at: 1 }));
}
