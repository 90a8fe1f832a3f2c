//! Buffers, sizes, prefixes: what an engine touches.

use isotone::Asc;
use isotone::AscNullsLast;
use isotone::Builder;
use isotone::Desc;
use isotone::Error;
use isotone::Field;
use isotone::FieldOrder;
use isotone::KeySpec;
use isotone::Kind;
use isotone::ListView;
use isotone::Type;
use isotone::Value;
use isotone::key_spec;
use isotone::kind;
use isotone::size;

use crate::key;

/// A value of every kind without parts.
fn values() -> Vec<(Kind<'static>, Value<'static>)> {
    use isotone::Value as V;
    vec![
        (Kind::BOOL, V::Bool(true)),
        (Kind::I8, V::I8(1)),
        (Kind::I16, V::I16(1)),
        (Kind::I32, V::I32(1)),
        (Kind::I64, V::I64(1)),
        (Kind::I128, V::I128(1)),
        (Kind::U8, V::U8(1)),
        (Kind::U16, V::U16(1)),
        (Kind::U32, V::U32(1)),
        (Kind::U64, V::U64(1)),
        (Kind::U128, V::U128(1)),
        (Kind::F32, V::F32(1.0)),
        (Kind::F64, V::F64(1.0)),
        (Kind::BYTES, V::bytes(b"a\0b")),
        (Kind::STR, V::str("\0")),
        (kind!(Type::Fixed(3)), V::fixed(b"abc")),
        (Kind::DECIMAL, V::Decimal(isotone::Decimal::from_parts(-120, 7))),
        (Kind::DATE, V::Date(isotone::Date::MAX)),
        (Kind::TIME, V::Time(isotone::Time::MAX)),
        (Kind::TIMETZ, V::TimeTz(isotone::ZonedTime::new(0, -5))),
        (Kind::TIMESTAMP, V::Timestamp(isotone::Timestamp::MIN)),
        (Kind::DURATION, V::Duration(isotone::MicroDuration::MAX)),
        (Kind::INTERVAL, isotone::Interval::new(1, 2, 3).into()),
        (Kind::UUID, V::Uuid(isotone::Uuid::new([7; 16]))),
        (Kind::MAC48, V::Mac48(isotone::Mac48::new([7; 6]))),
        (Kind::MAC64, V::Mac64(isotone::Mac64::new([7; 8]))),
        (Kind::LSN, V::Lsn(isotone::Lsn::new(7))),
        (Kind::ENUM, V::Enum(isotone::EnumRank::new(7))),
        (Kind::IP, V::Ip(std::net::Ipv6Addr::LOCALHOST.into())),
        (Kind::BITS, V::Bits(isotone::BitsView::new(b"\xa0", 3).expect("bits"))),
        (kind!(Type::List(&Type::I8)), V::List(ListView::new(&[V::Null, V::I8(0), V::Null]))),
    ]
}

/// In every smaller buffer: nothing written, and the error stays.
#[test]
fn b148_nothing_is_written_on_failure() {
    for (kind, value) in values() {
        for order in (0..6).filter_map(FieldOrder::from_code) {
            let whole = key(|k| k.value(kind, &value, order));
            for n in 0..whole.len() {
                let mut room = vec![0xa5; n];
                let mut k = Builder::new(&mut room);
                k.value(kind, &value, order);
                let error = Some(Error::ShortBuffer { needed: whole.len(), available: n });
                assert_eq!((k.err(), k.len()), (error, 0));
                k.null(6u8);
                assert_eq!(k.err(), error);
                assert!(room.iter().all(|b| *b == 0xa5));
            }
        }
    }
}

/// What is said before is what is written, nulls and both directions included.
#[test]
fn b149_sizes_are_exact() {
    for (kind, value) in values() {
        for order in (0..6).filter_map(FieldOrder::from_code) {
            let written = key(|k| k.value(kind, &value, order)).len();
            let tag = if order.is_nullable() { size::TAG } else { 0 };
            assert_eq!(Ok(written), size::value(kind, &value).map(|n| n + tag), "{value:?} under {order:?}");
        }
    }
    assert_eq!(key(|k| k.null(AscNullsLast)).len(), size::TAG);
    let widths = [
        (Kind::BOOL, size::BOOL),
        (Kind::I8, size::I8),
        (Kind::I16, size::I16),
        (Kind::I32, size::I32),
        (Kind::I64, size::I64),
        (Kind::I128, size::I128),
        (Kind::F32, size::F32),
        (Kind::F64, size::F64),
        (Kind::DATE, size::DATE),
        (Kind::TIME, size::TIME),
        (Kind::TIMETZ, size::TIMETZ),
        (Kind::TIMESTAMP, size::TIMESTAMP),
        (Kind::DURATION, size::DURATION),
        (Kind::INTERVAL, size::INTERVAL),
        (Kind::UUID, size::UUID),
        (Kind::MAC48, size::MAC48),
        (Kind::MAC64, size::MAC64),
        (Kind::LSN, size::LSN),
        (Kind::ENUM, size::ENUM),
    ];
    for (kind, width) in widths {
        assert_eq!(kind.fixed_size(), Some(width), "{kind:?}");
    }
    // Without looking at the bytes, a maximum; looking at them, the size.
    for text in [&b""[..], b"\0\0\0", b"abc", b"a\0"] {
        assert_eq!(key(|k| k.bytes(text, Asc)).len(), size::bytes(text));
        assert!(size::bytes(text) <= size::bytes_max(text.len()));
    }
    assert_eq!(size::bytes(&[0; 300]), size::bytes_max(300));
    assert_eq!(size::bytes_max(usize::MAX), usize::MAX);
    let worst = "::/128".parse::<isotone::IpPrefix>().expect("a prefix");
    assert_eq!(size::ip_prefix(worst), size::IP_MAX);
    assert_eq!(size::str("a\0"), 5);
    assert_eq!(size::decimal(&isotone::Decimal::from(120)), Some(8));
}

/// 300 zeros take 603 bytes under a tag, and that is known before.
#[test]
fn b151_encoded_sizes_are_known() {
    const SPEC: KeySpec<'static> = key_spec![Type::Bytes => AscNullsLast];
    let zeros = [0; 300];
    assert_eq!(SPEC.size(&[Value::bytes(&zeros)]), Ok(603));
    assert_eq!(
        SPEC.encode(&[Value::bytes(&zeros)], &mut [0; 511]),
        Err(Error::ShortBuffer { needed: 603, available: 511 })
    );
}

/// A prefix extractor takes whole fields of anything, or says that there are none.
#[test]
fn b153_prefix_extractor() {
    const PAIR: [Field<'static>; 2] = [Field::not_null(Type::Str, Asc), Field::new(Type::U8, AscNullsLast)];
    const SPEC: KeySpec<'static> = key_spec![Type::Str => Desc, Type::Record(&PAIR) => Asc, Type::U8 => Asc];
    let stored = key(|k| {
        k.str("ab", Desc).record(Asc, |f| {
            f.str("c", Asc).u8(None, AscNullsLast);
        });
        k.u8(9, Asc)
    });
    for n in 0..=3 {
        let len = SPEC.prefix_len(&stored, n).expect("whole fields");
        // The prefix of a prefix is itself, and the same for whatever follows.
        assert_eq!(SPEC.prefix_len(&stored[..len], n), Some(len));
        assert_eq!(SPEC.prefix_len(&[&stored[..len], &[0xff; 9]].concat(), n), Some(len));
        for cut in 0..len {
            assert_eq!(SPEC.prefix_len(&stored[..cut], n), None, "{n} fields in {cut} bytes");
        }
    }
    assert_eq!(SPEC.prefix_len(&stored, 4), None);
    for odd in [&[][..], &[0xff], &[0xff, 0xfe], &[0x9e]] {
        assert_eq!(SPEC.prefix_len(odd, 1), None);
        assert_eq!(SPEC.prefix_len(odd, 0), Some(0));
    }
    // Range ends are asked about too.
    let mut room = [0; 64];
    let range = SPEC.prefix_range(&["ab".into()], &mut room).expect("a range");
    assert_eq!(SPEC.prefix_len(range.start(), 1), Some(range.start().len()));
    assert_eq!(SPEC.prefix_len(range.end().expect("an end"), 1), None);
}
