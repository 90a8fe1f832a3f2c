//! Keys of several fields: where errors of reading say the fault is, and that all ways to write one agree.

use isotone::Decoder;
use isotone::Error;
use isotone::FieldOrder;
use isotone::KeySpec;
use isotone::Kind;
use isotone::SpecWriter;
use isotone::Value;
use proptest::collection::vec;
use proptest::prelude::*;

use crate::support::bytes;
use crate::support::generate;
use crate::support::model::Attr;
use crate::support::model::Held;
use crate::support::model::V;
use crate::support::model::hold;
use crate::support::model::layout;
use crate::support::paths;

/// Reads field by field, each from bytes that begin with it, and moves its error to where it lies.
fn by_field(kinds: &[(Kind<'_>, FieldOrder)], key: &[u8]) -> Result<Vec<usize>, Error> {
    let mut ends = Vec::new();
    let mut at = 0;
    for (kind, order) in kinds {
        let mut field = Decoder::new(&key[at..]);
        field.value(*kind, *order).map_err(|error| match error {
            Error::MalformedKey { at: 0 } => Error::MalformedKey { at },
            Error::InvalidEscape { at: inside } => Error::InvalidEscape { at: at + inside },
            Error::TruncatedKey { at: inside } => Error::TruncatedKey { at: at + inside },
            error => panic!("{error:?} of one field"),
        })?;
        at += field.offset();
        ends.push(at);
    }
    if at == key.len() { Ok(ends) } else { Err(Error::TrailingBytes { at }) }
}

/// All ways to read a key under a spec find the same fault at the same place, and behind a scope the
/// same place further on.
fn read(spec: &KeySpec<'_>, key: &[u8]) {
    let kinds: Vec<(Kind<'_>, FieldOrder)> = spec.kinds().collect();
    let expected = by_field(&kinds, key);
    let mut values = vec![Value::Null; kinds.len()];
    assert_eq!(spec.decode(key, &mut values).map(|_| ()), expected.clone().map(|_| ()), "decode {key:02x?}");
    assert_eq!(spec.check(key), expected.clone().map(|_| ()), "check {key:02x?}");

    let mut reader = spec.reader(key).expect("no scope");
    let read = kinds.iter().try_for_each(|_| reader.value().map(|_| ())).and_then(|()| reader.finish());
    assert_eq!(read, expected.clone().map(|_| ()), "reader {key:02x?}");
    if let Ok(ends) = &expected {
        let mut slots = vec![0; kinds.len()];
        assert_eq!(spec.offsets(key, &mut slots), Ok(&ends[..]));
        for (n, end) in ends.iter().enumerate() {
            assert_eq!(spec.skip(key, n + 1), Ok(*end));
            assert_eq!(spec.prefix_len(&key[..*end], n + 1), Some(*end));
            assert_eq!(spec.field(&key[..*end], n), Ok(values[n]));
        }
    }

    let scope = [9, 0, 0xff];
    let moved = expected.map(|_| ()).map_err(|error| match error {
        Error::MalformedKey { at } => Error::MalformedKey { at: at + 3 },
        Error::InvalidEscape { at } => Error::InvalidEscape { at: at + 3 },
        Error::TruncatedKey { at } => Error::TruncatedKey { at: at + 3 },
        Error::TrailingBytes { at } => Error::TrailingBytes { at: at + 3 },
        error => error,
    });
    let scoped = [&scope, key].concat();
    assert_eq!(spec.under(&scope).check(&scoped), moved, "under a scope");
    assert_eq!(spec.under(&scope).decode(&scoped, &mut vec![Value::Null; kinds.len()]).map(|_| ()), moved);
}

fn rows(most: usize) -> impl Strategy<Value = (Vec<Attr>, Vec<V>)> {
    vec(generate::attr(1), 1..=most).prop_flat_map(|fields| {
        let row: Vec<BoxedStrategy<V>> = fields.iter().map(|(ty, order)| generate::nullable(ty, *order)).collect();
        (Just(fields), row)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn faults_are_where_their_field_is((fields, row) in rows(3), seed in any::<u64>(), more in vec(any::<u8>(), 0..3)) {
        let layout = layout(&fields);
        let spec = KeySpec::from_layout(&layout).expect("the model's layout");
        let key = bytes::key(&fields, &row).expect("a row that can be written");
        read(&spec, &key);
        read(&spec, &[&key[..], &more[..]].concat());
        for n in 0..key.len().min(80) {
            read(&spec, &key[..n]);
            let mut changed = key.clone();
            changed[n] ^= 1 << (seed >> (n % 16) & 7);
            read(&spec, &changed);
            changed[n] = [0, 1, 0xfe, 0xff][(seed as usize >> (n % 32)) % 4];
            read(&spec, &changed);
        }
    }
}

fn put(key: &mut SpecWriter<'_, '_>, kinds: &[(Kind<'_>, FieldOrder)], values: &[Value<'_>], typed: bool) {
    for ((kind, _), value) in kinds.iter().zip(values) {
        if typed {
            paths::write_spec(key, *kind, value);
        } else {
            key.value(value);
        }
    }
}

/// All ways to write a key under a spec, whole or from some field on, give the same bytes and name the
/// same field.
fn write(spec: &KeySpec<'_>, values: &[Value<'_>], key: &[u8]) {
    let kinds: Vec<(Kind<'_>, FieldOrder)> = spec.kinds().collect();
    let mut ends = vec![0; kinds.len()];
    spec.offsets(key, &mut ends).expect("a key");
    let mut room = vec![0xaa; key.len()];
    assert_eq!(spec.encode(values, &mut room), Ok(key));
    assert_eq!(spec.size(values), Ok(key.len()));
    for available in [0, key.len() / 2, key.len() - 1] {
        let short = Error::ShortBuffer { needed: key.len(), available };
        assert_eq!(spec.encode(values, &mut vec![0xaa; available]), Err(short));
        assert_eq!(spec.skip(&key[..available], kinds.len()), Err(Error::TruncatedKey { at: available }));
    }
    for n in 0..=kinds.len() {
        let end = n.checked_sub(1).map_or(0, |last| ends[last]);
        let mut room = vec![0xaa; key.len()];
        assert_eq!(spec.encode_prefix(&values[..n], &mut room), Ok(&key[..end]));
        assert_eq!(spec.encode_from(n, end, &values[n..], &mut room), Ok(key));

        let mut writer = spec.writer(&mut room);
        put(&mut writer, &kinds[..n], &values[..n], n % 2 == 0);
        let mark = writer.mark();
        for typed in [false, true] {
            writer.truncate(mark);
            put(&mut writer, &kinds[n..], &values[n..], typed);
            assert_eq!(writer.prefix(), Ok(key));
        }
        assert_eq!(writer.finish(), Ok(key));

        if n < kinds.len() {
            let mut wrong = values.to_vec();
            wrong[n] = if kinds[n].0 == Kind::BOOL { Value::U8(0) } else { Value::Bool(false) };
            let mismatch = Err(Error::TypeMismatch { field: n });
            assert_eq!(spec.encode(&wrong, &mut vec![0xaa; key.len() + 9]), mismatch);
            assert_eq!(spec.encode_prefix(&wrong[..=n], &mut vec![0xaa; key.len() + 9]), mismatch);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// More fields than a spec has at hand, too.
    #[test]
    fn keys_are_the_same_by_every_way((fields, row) in rows(20)) {
        let layout = layout(&fields);
        let spec = KeySpec::from_layout(&layout).expect("the model's layout");
        let key = bytes::key(&fields, &row).expect("a row that can be written");
        read(&spec, &key);
        let held = hold(&fields, &row);
        let values: Vec<Value<'_>> = held.iter().map(Held::value).collect();
        write(&spec, &values, &key);
        let mut reader = spec.reader(&key).expect("no scope");
        for ((kind, _), value) in spec.kinds().zip(&values) {
            assert_eq!(paths::read_spec(&mut reader, kind).as_ref(), Ok(value));
        }
        assert_eq!(reader.finish(), Ok(()));
    }
}

/// `MalformedKey` at the first byte of the top-level field however deep the fault lies,
/// `InvalidEscape` at the wrong byte, `TruncatedKey` at the key's length, `TrailingBytes` at the first.
#[test]
fn each_error_at_its_place() {
    use isotone::Asc;
    use isotone::AscNullsLast;
    use isotone::Desc;
    use isotone::Field;
    use isotone::Type;
    use isotone::key_spec;

    const INNER: [Field<'static>; 2] =
        [Field::new(Type::Bool, AscNullsLast), Field::not_null(Type::List(&Type::Str), Desc)];
    const SPEC: KeySpec<'static> =
        key_spec![Type::U16 => Asc, Type::Record(&INNER) => Desc, Type::Bytes => AscNullsLast];
    // u16 7, record (true, ["a"]) inside out twice, bytes 61 00.
    let key = [0, 7, 0xff, 0xfe, 0x01, 0x61, 0, 0, 0, 0, 0x61, 0, 0xff, 0, 0];
    let decode = |key: &[u8]| SPEC.decode(key, &mut [Value::Null; 3]).map(|_| ());
    assert_eq!(SPEC.check(&key), Ok(()));
    assert_eq!(decode(&key), Ok(()));

    let fault = |at: usize, byte: u8, error: Error| {
        let mut changed = key;
        changed[at] = byte;
        assert_eq!(SPEC.check(&changed), Err(error), "byte {at} as {byte:02x}");
        assert_eq!(decode(&changed), Err(error), "byte {at} as {byte:02x}");
    };
    fault(2, 0x7f, Error::MalformedKey { at: 2 }); // the inner field's tag
    fault(3, 0xfd, Error::MalformedKey { at: 2 }); // the bool
    fault(4, 0x03, Error::MalformedKey { at: 2 }); // the list's marker
    fault(5, 0xe9, Error::MalformedKey { at: 2 }); // no UTF-8
    fault(7, 0x07, Error::InvalidEscape { at: 7 });
    fault(9, 0x02, Error::MalformedKey { at: 9 }); // the bytes' tag
    fault(12, 0x01, Error::InvalidEscape { at: 12 });
    fault(14, 0xff, Error::TruncatedKey { at: 15 });
    for n in 0..key.len() {
        assert_eq!(SPEC.check(&key[..n]), Err(Error::TruncatedKey { at: n }));
    }
    let long = [&key[..], &[0, 0]].concat();
    assert_eq!(SPEC.check(&long), Err(Error::TrailingBytes { at: 15 }));
}
