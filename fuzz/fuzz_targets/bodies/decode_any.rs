//! Any bytes, read under every kind and order, under any layout, and as a layout.

use std::fmt::Write;

use arbitrary::Unstructured;
use isotone::Builder;
use isotone::Decoder;
use isotone::Error;
use isotone::Field;
use isotone::FieldOrder;
use isotone::KeySpec;
use isotone::Kind;
use isotone::Value;
use isotone::size;

use super::generate;
use super::kinds;
use super::reference;
use super::store::Store;

/// The first byte says how the rest is read.
pub(crate) fn run(data: &[u8]) {
    let Some((mode, rest)) = data.split_first() else { return };
    match mode % 5 {
        0 => kinds::all().for_each(|kind| kinds::orders().for_each(|order| check_field(kind, order, rest))),
        1 => one_kind(rest),
        2 => generated_layout(rest),
        3 => layout(rest, rest.len()),
        _ => given_layout(rest),
    }
}

/// Two bytes choose the kind and the order.
fn one_kind(data: &[u8]) {
    if let [kind, order, rest @ ..] = data {
        let n = kinds::all().count();
        let kind = kinds::all().nth(usize::from(*kind) % n).expect("within the list");
        check_field(kind, FieldOrder::from_code(order % 6).expect("a code"), rest);
    }
}

/// The front makes a layout, what is left is read under it.
fn generated_layout(data: &[u8]) {
    let store = Store::new();
    let mut u = Unstructured::new(data);
    let Ok(fields) = u.int_in_range(0..=3).and_then(|depth| generate::fields(&mut u, &store, depth, 4)) else { return };
    let key = u.take_rest();
    let layout = reference::descriptor(&fields);
    let spec = KeySpec::from_layout(&layout).expect("a layout of declared types is valid");
    check_key(&spec, key);
    check_key(&spec.under(&[0x61, 0xff]), &[&[0x61, 0xff], key].concat());
    let (kind, order) = spec.kind(0).expect("at least one field");
    check_field(kind, order, key);
}

/// A length, a descriptor behind the magic, and a key.
fn given_layout(data: &[u8]) {
    if let [len, rest @ ..] = data {
        let (head, key) = rest.split_at(rest.len().min((*len).into()));
        let bytes = [b"OK\x02", head, key].concat();
        layout(&bytes, 3 + head.len());
    }
}

/// Reads the front of `bytes` as a descriptor, and what follows as a key of that layout.
fn layout(bytes: &[u8], len: usize) {
    let (layout, key) = bytes.split_at(len);
    // Whatever it is, it is read without harm, and a fault lies within it.
    if let Err(Error::InvalidLayout { at }) = Kind::from_description(layout) {
        assert!(at <= layout.len());
    }
    let spec = match KeySpec::from_layout(layout) {
        Ok(spec) => spec,
        Err(Error::InvalidLayout { at }) => return assert!(at <= layout.len()),
        Err(Error::UnsupportedKeyFormat { byte }) => return assert!(layout[2] == byte && byte != 1 && byte != 2),
        Err(Error::EmptySpec) => return assert_eq!(layout.len(), 3),
        Err(other) => panic!("not an error of a descriptor: {other}"),
    };
    assert_eq!(spec.layout(), layout);
    assert_eq!(spec.arity(), spec.kinds().count());
    assert_eq!(spec.require_layout(layout), Ok(()));
    let _ = format!("{spec:?}");

    // One spec has exactly one descriptor: declared again, it comes out the same, twice.
    let store = Store::new();
    let again = spec.kinds().map(|(kind, order)| Field::from_code(kinds::type_of(kind, &store), order.code()));
    let fields: Vec<Field<'_>> = again.collect();
    assert_eq!(reference::descriptor(&fields), layout);
    let mut room = vec![0xaa; layout.len() + 2];
    assert_eq!(KeySpec::layout_len(&fields), Ok(layout.len()));
    assert_eq!(KeySpec::describe(&fields, &mut room).map(|spec| spec.layout().to_vec()), Ok(layout.to_vec()));
    for (kind, _) in spec.kinds() {
        let description = [&[kind.code()], kind.params()].concat();
        assert_eq!(Kind::from_description(&description), Ok(kind));
    }
    // No prefix of it is a descriptor of as many fields.
    for cut in 0..layout.len() {
        match KeySpec::from_layout(&layout[..cut]) {
            Ok(less) => assert!(less.arity() < spec.arity()),
            Err(Error::InvalidLayout { at }) => assert!(at <= cut),
            Err(Error::EmptySpec) => assert_eq!(cut, 3),
            Err(other) => panic!("not an error of a cut descriptor: {other}"),
        }
    }
    check_key(&spec, key);
}

/// Reads one field at the front of `bytes`.
pub(crate) fn check_field(kind: Kind<'_>, order: FieldOrder, bytes: &[u8]) {
    let mut read = Decoder::new(bytes);
    let value = read.value(kind, order);
    let mut skipped = Decoder::new(bytes);
    let skip = skipped.skip(kind, order);
    let mut typed = Decoder::new(bytes);
    if let Some(typed_value) = kinds::read_typed(&mut typed, kind, order) {
        assert_eq!(typed_value, value, "a kind's own method reads as the one for any kind");
        assert_eq!(typed.offset(), read.offset());
    }
    // The stored code of the order reads the same.
    assert_eq!(Decoder::new(bytes).value(kind, order.code()), value);

    let value = match value {
        Ok(value) => value.unwrap_or(Value::Null),
        Err(error) => {
            assert_eq!(read.offset(), 0, "a failed read moves nothing");
            check_error(error, bytes, 0);
            match skip {
                Ok(()) => {
                    assert!(kinds::has_text(kind), "{kind:?} skips what it does not read");
                    assert_eq!(error, Error::MalformedKey { at: 0 });
                }
                Err(other) => {
                    assert_eq!(skipped.offset(), 0);
                    check_error(other, bytes, 0);
                    // Text that is no UTF-8 may be seen before another fault.
                    assert!(error == other || kinds::has_text(kind) && error == Error::MalformedKey { at: 0 });
                }
            }
            return;
        }
    };
    let end = read.offset();
    assert_eq!((skip, skipped.offset()), (Ok(()), end), "what is read is skipped, as far");
    let field = &bytes[..end];
    assert_eq!(reference::field(kind, order, &value), field, "the plain writer writes what was read");
    if !value.is_null() {
        let tag = usize::from(order.is_nullable());
        assert_eq!(size::value(kind, &value), Ok(end - tag));
    }
    let mut room = vec![0xaa; end + 3];
    let mut key = Builder::new(&mut room);
    key.value(kind, &value, order);
    assert_eq!(key.finish(), Ok(field), "accepted, so it is written back to the same bytes");
    assert_eq!(room[end..], [0xaa; 3]);
    show(&value);
    for cut in cuts(end) {
        assert_eq!(Decoder::new(&bytes[..cut]).skip(kind, order), Err(Error::TruncatedKey { at: cut }));
        assert!(Decoder::new(&bytes[..cut]).value(kind, order).is_err());
    }
}

/// Reads `key` under a layout, in all the ways there are.
pub(crate) fn check_key(spec: &KeySpec<'_>, key: &[u8]) {
    show(&spec.display(key));
    let arity = spec.arity();
    let mut slots = vec![Value::Null; arity];
    let decoded = spec.decode(key, &mut slots).map(<[_]>::len);
    assert_eq!(spec.check(key), decoded.map(drop));
    let mut ends = vec![0; arity];
    let offsets = spec.offsets(key, &mut ends).map(<[_]>::to_vec);

    check_prefixes(spec, key);
    match decoded {
        Ok(_) => {
            let offsets = offsets.expect("what decodes has offsets");
            assert_eq!(offsets.last(), Some(&key.len()));
            let mut room = vec![0xaa; key.len() + 3];
            assert_eq!(spec.encode(&slots, &mut room), Ok(key), "accepted, so it is written back to the same bytes");
            assert_eq!(room[key.len()..], [0xaa; 3]);
            assert_eq!(spec.size(&slots), Ok(key.len()));
            assert_eq!(spec.compare(key, &slots), Ok(std::cmp::Ordering::Equal));
            let mut reader = spec.reader(key).expect("its scope was read before");
            for (n, (value, end)) in slots.iter().zip(&offsets).enumerate() {
                assert_eq!(spec.field(key, n), Ok(*value));
                assert_eq!(reader.value(), Ok(*value));
                assert_eq!(reader.offset(), *end);
            }
            assert_eq!(reader.finish(), Ok(()));
        }
        Err(error) => {
            check_error(error, key, key.len());
            let text = spec.kinds().any(|(kind, _)| kinds::has_text(kind));
            match offsets {
                Ok(_) => assert!(text && matches!(error, Error::MalformedKey { .. })),
                Err(other) => assert!(error == other || text && matches!(error, Error::MalformedKey { .. })),
            }
        }
    }
}

/// `prefix_len` answers for any bytes, and the same for a prefix and for what extends it.
fn check_prefixes(spec: &KeySpec<'_>, bytes: &[u8]) {
    let mut last = Some(spec.scope().len()).filter(|_| bytes.starts_with(spec.scope()));
    assert_eq!(spec.prefix_len(bytes, 0), last);
    for n in 1..=spec.arity() {
        let len = spec.prefix_len(bytes, n);
        assert_eq!(len, spec.skip(bytes, n).ok());
        if let Some(len) = len {
            assert!(last.is_some_and(|last| last < len), "a field has at least one byte");
            assert_eq!(spec.prefix_len(&bytes[..len], n), Some(len), "the prefix is its own prefix");
            assert_eq!(spec.prefix_len(&bytes[..len - 1], n), None);
            assert_eq!(spec.prefix_len(&[&bytes[..len], &[0xff, 0]].concat(), n), Some(len));
        }
        last = len;
    }
    assert_eq!(spec.prefix_len(bytes, spec.arity() + 1), None);
}

/// A fault of a key lies where `FORMAT.md` §1 says: at the top-level field, at the byte, or at the end.
fn check_error(error: Error, bytes: &[u8], last_field: usize) {
    match error {
        Error::MalformedKey { at } => assert!(at <= last_field && at <= bytes.len()),
        Error::InvalidEscape { at } => assert!(at >= 1 && matches!(bytes[at - 1], 0 | 0xff) && at < bytes.len()),
        Error::TruncatedKey { at } => assert_eq!(at, bytes.len()),
        Error::TrailingBytes { at } => assert!(at < bytes.len() && last_field > 0),
        other => panic!("not an error of a key: {other}"),
    }
    show(&error);
}

/// Printing never fails.
fn show(what: &(impl std::fmt::Display + std::fmt::Debug)) {
    let mut text = String::new();
    write!(text, "{what}").expect("printing never fails");
    assert!(!text.is_empty());
    write!(text, "{what:?}").expect("printing never fails");
}

/// All places to cut short bytes, some of long ones.
fn cuts(len: usize) -> impl Iterator<Item = usize> {
    (0..len).step_by((len / 32).max(1))
}
