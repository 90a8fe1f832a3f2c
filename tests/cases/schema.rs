//! Layouts, contracts, versions.

use isotone::Asc;
use isotone::AscNullsFirst;
use isotone::Compatibility;
use isotone::Desc;
use isotone::EnumRank;
use isotone::Error;
use isotone::IndexContract;
use isotone::KeySpec;
use isotone::Type;
use isotone::Value;
use isotone::key_spec;

use crate::ascending;
use crate::key;
use crate::unhex;

/// The same bytes are keys of several layouts: only the stored layout says which.
#[test]
fn b129_b133_bytes_say_nothing_of_their_schema() {
    const A: KeySpec<'static> = key_spec![Type::Bytes => AscNullsFirst, Type::Fixed(4) => Asc];
    const B: KeySpec<'static> = key_spec![Type::U16 => Asc, Type::U16 => Asc, Type::U16 => Asc, Type::U8 => Asc];
    let bytes = unhex("01 00 00 04 03 02 01");
    assert_eq!((A.check(&bytes), B.check(&bytes)), (Ok(()), Ok(())));
    assert!(matches!(A.require_layout(B.layout()), Err(Error::LayoutMismatch { .. })));
    assert_eq!(A.require_layout(A.layout()), Ok(()));
}

/// The order that a layout declares is the order of the engine's map.
#[test]
fn b130_declared_order_is_the_engines() {
    const SPEC: KeySpec<'static> = key_spec![Type::I16 => Desc, Type::Str => AscNullsFirst];
    let mut rows = vec![(1, Some("b")), (-1, None), (1, None), (2, Some("")), (-1, Some("a")), (1, Some("a"))];
    let by_key: Vec<(i16, Option<&str>)> = {
        let encode = |(n, text): (i16, Option<&str>)| {
            SPEC.encode(&[Value::I16(n), text.into()], &mut [0; 32]).expect("a key").to_vec()
        };
        let map: std::collections::BTreeMap<_, _> = rows.iter().map(|row| (encode(*row), *row)).collect();
        map.into_values().collect()
    };
    rows.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    assert_eq!(by_key, rows);
}

fn contract<'c>(spec: &KeySpec<'_>, generation: u64, fields: &[&[u8]], room: &'c mut [u8]) -> IndexContract<'c> {
    IndexContract::new(b"readings", generation, spec, fields, room).expect("a contract")
}

/// Keys of another era are told apart by the contract, field by field.
#[test]
fn b132_b136_another_contract_is_refused() {
    const OLD: KeySpec<'static> = key_spec![Type::Str => Asc, Type::U32 => Asc];
    const TURNED: KeySpec<'static> = key_spec![Type::Str => Asc, Type::U32 => Desc];
    const LONGER: KeySpec<'static> = key_spec![Type::Str => Asc, Type::U32 => Asc, Type::U8 => Asc];
    let (mut a, mut b, mut c, mut d, mut e) = ([0; 128], [0; 128], [0; 128], [0; 128], [0; 128]);
    let old = contract(&OLD, 1, &[b"device", b"at"], &mut a);
    assert_eq!(old.diff(&contract(&OLD, 1, &[b"device", b"at"], &mut b)), Compatibility::Same);
    for other in [
        contract(&OLD, 2, &[b"device", b"at"], &mut b),
        contract(&TURNED, 1, &[b"device", b"at"], &mut c),
        contract(&OLD, 1, &[b"at", b"device"], &mut d),
        contract(&LONGER, 1, &[b"device", b"at", b"row"], &mut e),
    ] {
        assert!(matches!(old.require_same(&other), Err(Error::ContractMismatch { .. })));
        assert_ne!(old.diff(&other), Compatibility::Same);
    }
}

/// An enum sorts by its rank, not by its name or its place.
#[test]
fn b135_ranks_leave_room() {
    let open = EnumRank::new(1 << 16);
    let closed = EnumRank::new(2 << 16);
    let paused = EnumRank::new(3 << 15);
    ascending(&[EnumRank::new(0), open, paused, closed, EnumRank::new(u32::MAX)], |k, v, order| k.enum_rank(v, order));
    assert_eq!(key(|k| k.enum_rank(paused, Asc)), [0, 1, 0x80, 0]);
}

/// A field more, less, or in another place is another layout.
#[test]
fn b136_edited_field_lists() {
    const OLD: KeySpec<'static> = key_spec![Type::Str => Asc, Type::U32 => Asc];
    for new in [
        key_spec![Type::Str => Asc],
        key_spec![Type::U32 => Asc, Type::Str => Asc],
        key_spec![Type::Str => Asc, Type::U32 => Asc, Type::U8 => Asc],
        key_spec![Type::Str => Asc, Type::I32 => Asc],
        key_spec![Type::Str => Asc, Type::U32 => Desc],
    ] {
        assert!(matches!(OLD.require_layout(new.layout()), Err(Error::LayoutMismatch { .. })));
        assert_ne!(OLD, new);
    }
    let stored = key(|k| k.str("a", Asc).u32(7, Asc));
    const LONGER: KeySpec<'static> = key_spec![Type::Str => Asc, Type::U32 => Asc, Type::U8 => Asc];
    const SHORTER: KeySpec<'static> = key_spec![Type::Str => Asc];
    assert_eq!(LONGER.check(&stored), Err(Error::TruncatedKey { at: 7 }));
    assert_eq!(SHORTER.check(&stored), Err(Error::TrailingBytes { at: 3 }));
}
