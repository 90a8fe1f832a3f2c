//! Bytes, escapes, prefix-freedom, and text.

use isotone::Asc;
use isotone::AscNullsFirst;
use isotone::AscNullsLast;
use isotone::Decoder;
use isotone::Desc;
use isotone::DescNullsFirst;
use isotone::Error;
use isotone::KeySpec;
use isotone::Type;
use isotone::Value;
use isotone::key_spec;

use crate::ascending;
use crate::key;
use crate::unhex;

/// A NUL is a character like any other.
#[test]
fn b32_nul_inside() {
    let stored = key(|k| k.str("a\0b", AscNullsFirst).u8(7, Asc));
    assert_eq!(stored, unhex("01 61 00 ff 62 00 00 07"));
    let mut d = Decoder::new(&stored);
    assert_eq!(d.str(AscNullsFirst).expect("text").expect("not null"), "a\0b");
    assert_eq!(d.u8(Asc), Ok(7));
    ascending(&["", "\0", "\0\0", "\0\u{1}", "a", "a\0", "a\0b", "a\u{1}"], |k, v, order| k.str(v, order));
}

/// What follows a string does not run into it.
#[test]
fn b33_the_next_field_stays_apart() {
    for order in [Asc, Desc] {
        let first = key(|k| k.bytes(b"a", order).u64(5, Asc));
        let second = key(|k| k.bytes(b"a\0", order).u64(1, Asc));
        assert_eq!(first < second, order == Asc);
    }
}

/// The shorter string is not the smaller one.
#[test]
fn b34_no_length_first() {
    ascending(&[&b"AA"[..], b"B"], |k, v, order| k.bytes(v, order));
    ascending(&["aa", "b"], |k, v, order| k.str(v, order));
}

/// An escape that the input cuts, in both directions.
#[test]
fn b38_cut_escapes() {
    let truncated = |bytes: &str| {
        let bytes = unhex(bytes);
        (Decoder::new(&bytes).bytes(AscNullsFirst).map(|_| ()), Err(Error::TruncatedKey { at: bytes.len() }))
    };
    for bytes in ["01 61", "01 00", "01 61 00 ff", "01"] {
        let (read, expected) = truncated(bytes);
        assert_eq!(read, expected, "{bytes}");
    }
    assert_eq!(Decoder::new(&unhex("01 00 01")).bytes(AscNullsFirst), Err(Error::InvalidEscape { at: 2 }));
    assert_eq!(Decoder::new(&unhex("01 00 fe")).bytes(AscNullsFirst), Err(Error::InvalidEscape { at: 2 }));
    assert_eq!(Decoder::new(&unhex("02")).bytes(AscNullsFirst), Err(Error::MalformedKey { at: 0 }));
    // The descending twins.
    assert_eq!(Decoder::new(&unhex("ff")).bytes(Desc), Err(Error::TruncatedKey { at: 1 }));
    assert_eq!(Decoder::new(&unhex("ff fe")).bytes(Desc), Err(Error::InvalidEscape { at: 1 }));
    assert_eq!(Decoder::new(&unhex("9e ff 01")).bytes(Desc), Err(Error::InvalidEscape { at: 2 }));
    assert!(Decoder::new(&unhex("9e ff 00 ff ff")).bytes(Desc).is_ok());
}

/// Bounds are as long as their values: nothing is padded.
#[test]
fn b41_no_padding() {
    assert_eq!(key(|k| k.str("v-10012", Asc)).len(), 7 + 2);
    ascending(&["alic", "alice", "alice\0", "alice\0\0", "alice "], |k, v, order| k.str(v, order));
}

#[test]
fn b42_bytes_are_unsigned() {
    ascending(&[&[0x7f][..], &[0x80], &[0xff]], |k, v, order| k.bytes(v, order));
}

/// Nothing, null and a single zero are three keys, in a list as well.
#[test]
fn b48_empty_is_not_null() {
    assert_eq!(key(|k| k.str("", AscNullsFirst)), unhex("01 00 00"));
    assert_eq!(key(|k| k.str(None::<&str>, AscNullsFirst)), unhex("00"));
    assert_eq!(key(|k| k.str("\0", AscNullsFirst)), unhex("01 00 ff 00 00"));
    let list = |write: fn(&mut isotone::Elements<'_, '_>)| key(|k| k.list(Asc, write));
    let keys = [
        list(|_| {}),
        list(|e| {
            e.str("");
        }),
        list(|e| {
            e.str("\0");
        }),
        list(|e| {
            e.null();
        }),
    ];
    assert!(keys.is_sorted(), "{keys:02x?}");
    let nested = |text: Option<&str>| {
        key(|k| {
            k.nested(DescNullsFirst, |f| {
                f.str(text, AscNullsLast);
            })
        })
    };
    let distinct = [nested(None), nested(Some("")), nested(Some("\0"))];
    assert!(distinct[0] != distinct[1] && distinct[1] != distinct[2] && distinct[0] != distinct[2]);
}

/// A comparison image reads as bytes, is no text, and carries its producer in the layout.
#[test]
fn b119_b121_images_are_opaque() {
    const A: KeySpec<'static> = key_spec![Type::Collated { deterministic: false, producer: "p;1" } => Desc];
    const B: KeySpec<'static> = key_spec![Type::Collated { deterministic: false, producer: "p;2" } => Desc];
    const C: KeySpec<'static> = key_spec![Type::Collated { deterministic: true, producer: "p;1" } => Desc];
    assert!(matches!(A.require_layout(B.layout()), Err(Error::LayoutMismatch { .. })));
    assert!(matches!(A.require_layout(C.layout()), Err(Error::LayoutMismatch { .. })));
    let mut room = [0; 32];
    let image = Value::Collated(b"\xff\x00\x01"[..].into());
    let stored = A.encode(&[image], &mut room).expect("an image");
    assert_eq!(stored, unhex("00 ff 00 fe ff ff"));
    // Reading, skipping and descending all work on what is no UTF-8.
    assert_eq!(A.decode(stored, &mut [Value::Null]), Ok(&[image][..]));
    assert_eq!(A.skip(stored, 1), Ok(6));
    let mut other = [0; 32];
    assert_eq!(A.encode(&["text".into()], &mut other), Err(Error::TypeMismatch { field: 0 }));
    assert_eq!(A.encode(&[Value::Collated(b""[..].into())], &mut other), Ok(&[0xff, 0xff][..]));
}

/// A front of a text is not a front of its image.
#[test]
fn b125_no_fronts_of_images() {
    const SPEC: KeySpec<'static> = key_spec![Type::Collated { deterministic: true, producer: "p" } => Asc];
    let mut room = [0; 32];
    for front in [Value::str("c"), Value::Collated(b"c"[..].into())] {
        assert_eq!(SPEC.starts_with_range(&[], front, &mut room), Err(Error::TypeMismatch { field: 0 }));
    }
}

/// The bound above a prefix is one of bytes, which only bytes compare with.
#[test]
fn b126_bounds_are_of_bytes() {
    const SPEC: KeySpec<'static> = key_spec![Type::Str => Asc];
    let mut room = [0; 64];
    let range = SPEC.starts_with_range(&[], "cov-prefix-9".into(), &mut room).expect("a range");
    assert_eq!((range.start(), range.end()), (&b"cov-prefix-9"[..], Some(&b"cov-prefix-:"[..])));
    assert!(range.contains(&key(|k| k.str("cov-prefix-9/alpha", Asc))));
}

/// Text is checked and never repaired; bytes keep whatever they were given.
#[test]
fn b128_no_repair() {
    let halves = unhex("ed a0 be ed b5 af");
    let stored = key(|k| k.bytes(&halves, Asc));
    assert_eq!(Decoder::new(&stored).bytes(Asc).expect("bytes"), halves[..]);
    assert_eq!(Decoder::new(&stored).str(Asc), Err(Error::MalformedKey { at: 0 }));
    for text in ["c3", "c3 28", "e2 82", "f4 90 80 80", "f0 9f 92", "80", "c0 80", "ff"] {
        for order in [Asc, Desc] {
            let stored = key(|k| k.bytes(&unhex(text), order));
            assert_eq!(Decoder::new(&stored).str(order), Err(Error::MalformedKey { at: 0 }), "{text}");
        }
    }
}
