//! Damaged and made-up keys.

use isotone::Asc;
use isotone::AscNullsLast;
use isotone::Builder;
use isotone::Decoder;
use isotone::Desc;
use isotone::DescNullsFirst;
use isotone::Error;
use isotone::Field;
use isotone::FieldOrder;
use isotone::KeySpec;
use isotone::Kind;
use isotone::Type;
use isotone::Value;
use isotone::key_spec;
use isotone::kind;
use isotone::size;

use crate::key;
use crate::unhex;

const INNER: [Field<'static>; 2] = [Field::new(Type::Decimal, AscNullsLast), Field::not_null(Type::Str, Desc)];
const EVERYTHING: KeySpec<'static> = key_spec![
    Type::Bool => Asc, Type::F64 => Desc, Type::Decimal => AscNullsLast, Type::Str => DescNullsFirst,
    Type::IpPrefix => Asc, Type::Bits => Desc, Type::Record(&INNER) => DescNullsFirst, Type::List(&Type::Range(&Type::I8)) => Asc,
    Type::Array(&Type::Nested(&INNER)) => Desc, Type::TimeTz => Asc,
];

/// A small generator of bytes, the same on every run.
struct Bytes(u64);

impl Bytes {
    fn next(&mut self) -> u8 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        // Half of the bytes are ones that mean something.
        let byte = (self.0 >> 56) as u8;
        if self.0 >> 40 & 1 == 0 { [0, 1, 2, 3, 4, 6, 0x80, 0xff][usize::from(byte & 7)] } else { byte }
    }
}

/// Any bytes, to every reader and printer: an answer, never a panic, and what is accepted is a key.
#[test]
fn b138_b139_any_bytes() {
    let mut bytes = Bytes(7);
    let kinds: Vec<(Kind<'_>, FieldOrder)> = EVERYTHING.kinds().collect();
    for n in 0..3000 {
        let key: Vec<u8> = (0..10 + n % 60).map(|_| bytes.next()).collect();
        assert!(!EVERYTHING.display(&key).to_string().is_empty());
        let _ = EVERYTHING.check(&key);
        for (kind, order) in &kinds {
            let mut d = Decoder::new(&key);
            if let Ok(Some(value)) = d.value(*kind, *order) {
                let mut room = vec![0; d.offset()];
                let mut again = Builder::new(&mut room);
                again.value(*kind, &value, *order);
                assert_eq!(again.finish(), Ok(&key[..d.offset()]));
                assert!(!value.to_string().is_empty());
            }
        }
    }
    for odd in ["a8 2a 00 91 8e d9", "", "00", "ff", "01 00 00 00 00"] {
        assert!(!EVERYTHING.display(&unhex(odd)).to_string().is_empty());
    }
}

/// Cut anywhere, a key is cut: only whole fields are a prefix.
#[test]
fn b140_cut_at_every_byte() {
    const SPEC: KeySpec<'static> =
        key_spec![Type::Str => DescNullsFirst, Type::Record(&INNER) => Asc, Type::I128 => Desc];
    let stored = key(|k| {
        k.str("a\0b", DescNullsFirst).record(Asc, |f| {
            f.decimal(isotone::Decimal::from(-1200), AscNullsLast).str("x", Desc);
        });
        k.i128(-1, Desc)
    });
    let mut ends = [0; 3];
    let ends = SPEC.offsets(&stored, &mut ends).expect("a key");
    for n in 0..stored.len() {
        assert_eq!(SPEC.check(&stored[..n]), Err(Error::TruncatedKey { at: n }));
        let whole = ends.iter().filter(|end| **end <= n).count();
        assert_eq!(SPEC.skip(&stored[..n], whole), Ok(if whole == 0 { 0 } else { ends[whole - 1] }));
        assert_eq!(SPEC.skip(&stored[..n], whole + 1), Err(Error::TruncatedKey { at: n }));
    }
}

/// No length is believed: what a key can make a reader do is bounded by its bytes.
#[test]
fn b142_no_claimed_lengths() {
    // An array that says 2^32 - 1 × 2^32 - 1 elements in 30 bytes.
    let array = unhex("00 02 ff ff ff ff ff ff ff ff 80 00 00 01 80 00 00 01");
    assert_eq!(Decoder::new(&array).array(kind!(Type::Array(&Type::U8)), Asc), Err(Error::MalformedKey { at: 0 }));
    let array = unhex("01 07 00 06 ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff 00 00 00 01");
    assert_eq!(
        Decoder::new(&array).array(kind!(Type::Array(&Type::U8)), Asc).map(|_| ()),
        Err(Error::TruncatedKey { at: 28 })
    );
    // A layout that says 4 GiB.
    assert_eq!(KeySpec::from_layout(&unhex("4f4b02 7004 ffffffff 01 04")), Err(Error::InvalidLayout { at: 5 }));
}

/// Nesting stops at a fixed depth, and an empty nested key grows quadratically, not more.
#[test]
fn b143_depth_is_bounded() {
    fn nest(fields: &mut isotone::Fields<'_, '_>, left: usize) {
        if let Some(left) = left.checked_sub(1) {
            fields.nested(AscNullsLast, |fields| nest(fields, left));
        }
    }
    let deep = |depth: usize| key(|k| k.nested(AscNullsLast, |fields| nest(fields, depth - 1))).len();
    assert_eq!([1, 2, 3, 4, 5].map(deep), [3, 9, 18, 30, 45]);
    assert_eq!([6, 16].map(deep), [63, 408]);
    let mut room = [0; 4096];
    let mut k = Builder::new(&mut room);
    k.nested(AscNullsLast, |fields| nest(fields, 16));
    assert_eq!(k.finish(), Err(Error::InvalidValue { at: 0 }));
    // A list of lists without end is malformed where its kind ends: reading goes as deep as the kind.
    let open = vec![1; 25_000];
    assert!(Decoder::new(&open).list(kind!(Type::List(&Type::List(&Type::Bool))), Asc).is_err());
    assert!(EVERYTHING.check(&open).is_err());
}

/// Plausible bytes that no writer makes.
#[test]
fn b144_not_canonical() {
    assert_eq!(Decoder::new(&[2]).bool(Asc), Err(Error::MalformedKey { at: 0 }));
    let network = key(|k| k.ip_prefix("10.0.0.1/8".parse::<isotone::IpPrefix>().expect("a prefix"), Asc));
    assert!(Decoder::new(&network).network(Asc).is_err());
    assert!(Decoder::new(&network).ip(Asc).is_err());
    let mut changed = network.clone();
    changed[1] ^= 1;
    assert!(Decoder::new(&changed).ip_prefix(Asc).is_err());
    // Every bit of a key of everything: an error, or another value.
    let stored = key(|k| {
        k.bool(true, Asc)
            .f64(-1.5, Desc)
            .decimal(isotone::Decimal::from(1205), AscNullsLast)
            .str("a\0", DescNullsFirst);
        k.ip_prefix("192.0.2.1/24".parse::<isotone::IpPrefix>().expect("a prefix"), Asc);
        k.bits(isotone::BitsView::new(&[0b1010_0000], 3).expect("bits"), Desc);
        k.record(DescNullsFirst, |f| {
            f.decimal(None, AscNullsLast).str("b", Desc);
        });
        let range = isotone::SqlRange::from(1i8..5);
        k.list(Asc, |e| {
            e.value(kind!(Type::Range(&Type::I8)), &isotone::RangeView::new(&range).into()).null();
        });
        k.array(&[isotone::Dimension::new(1)], Desc, |e| {
            e.nested(|f| {
                f.decimal(isotone::Decimal::ZERO, AscNullsLast).str("c", Desc);
            });
        });
        k.timetz(isotone::ZonedTime::new(1, 60), Asc)
    });
    let mut original = [Value::Null; 10];
    EVERYTHING.decode(&stored, &mut original).expect("a key");
    for bit in 0..8 * stored.len() {
        let mut changed = stored.clone();
        changed[bit / 8] ^= 0x80 >> (bit % 8);
        let mut values = [Value::Null; 10];
        if EVERYTHING.decode(&changed, &mut values).is_ok() {
            assert_ne!(values, original, "bit {bit}");
            let mut room = [0; 256];
            assert_eq!(EVERYTHING.encode(&values, &mut room), Ok(&changed[..]));
        }
    }
}

/// The typed and the untyped way write the same.
#[test]
fn b146_static_and_dynamic_agree() {
    const BOOLS: Kind<'static> = kind!(Type::List(&Type::Bool));
    for v in [true, false] {
        assert_eq!(key(|k| k.bool(v, Asc)), key(|k| k.value(Kind::BOOL, &Value::Bool(v), Asc)));
        let typed = key(|k| {
            k.list(Asc, |e| {
                e.bool(v).null();
            })
        });
        let values = [Value::Bool(v), Value::Null];
        assert_eq!(typed, key(|k| k.value(BOOLS, &isotone::ListView::new(&values).into(), Asc)));
    }
}

/// Skipping fails where reading does, and ends where it ends.
#[test]
fn b147_skip_agrees_with_reading() {
    let mut bytes = Bytes(99);
    let kinds: Vec<(Kind<'_>, FieldOrder)> =
        EVERYTHING.kinds().filter(|(kind, _)| *kind != Kind::STR && kind.code() != 0x71).collect();
    let mut accepted = 0;
    for n in 0..20_000 {
        let key: Vec<u8> = (0..1 + n % 24).map(|_| bytes.next()).collect();
        for (kind, order) in &kinds {
            let (mut reader, mut skipper) = (Decoder::new(&key), Decoder::new(&key));
            let read = reader.value(*kind, *order).map(|_| ());
            assert_eq!((skipper.skip(*kind, *order), skipper.offset()), (read, reader.offset()));
            accepted += usize::from(read.is_ok());
        }
    }
    assert!(accepted > 1000, "the bytes met some keys: {accepted}");
    assert_eq!(size::TAG, 1);
}
