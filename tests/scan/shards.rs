//! Shard prefixes: the frozen hash, the layout, the spread, and ranges that stay in their shards.

use isotone::Asc;
use isotone::ByteRange;
use isotone::Desc;
use isotone::Error;
use isotone::KeySpec;
use isotone::Shards;
use isotone::Type;
use isotone::Value;
use isotone::key_spec;

use crate::model::Draw;

/// Counts of shards, on both sides of where the prefix grows.
const COUNTS: [u16; 7] = [1, 2, 16, 256, 257, 1000, 65535];

/// Bytes, their hash, and their shard of each of `COUNTS`. Computed apart from this crate, from the
/// description of the layout. Rows are added and never changed: stored keys depend on them.
fn frozen() -> Vec<(Vec<u8>, u64, [u16; 7])> {
    let all_bytes: Vec<u8> = (0..=255).collect();
    let rows: [(&[u8], u64, [u16; 7]); 11] = [
        (b"", 0xefd0_1f60_ba99_2926, [0, 0, 6, 38, 255, 342, 62192]),
        (&[0x00], 0xb903_4ad3_7056_f5fb, [0, 1, 11, 251, 192, 267, 27177]),
        (b"a", 0x82a2_a958_a9be_ce5b, [0, 1, 11, 91, 114, 315, 42005]),
        (&[0x80], 0xfde6_0e75_2877_1881, [0, 1, 1, 129, 7, 881, 19796]),
        (&[0xff], 0x1bbd_5c81_3c69_a8d7, [0, 1, 7, 215, 34, 295, 23935]),
        (b"foobar", 0x2c22_1949_22d1_672b, [0, 1, 11, 43, 153, 275, 53095]),
        (&all_bytes, 0x2067_db6d_bd4e_fa06, [0, 0, 6, 6, 120, 366, 45866]),
        (&[0xff; 32], 0x29f3_19ab_625b_d1a6, [0, 0, 6, 166, 41, 414, 30624]),
        (b"pump\0\0\0\0\0\0\0\0\0\0", 0x11bf_31aa_d221_9d14, [0, 0, 4, 20, 238, 812, 45727]),
        (b"pump\0\0\0\0\0\0\0\0\0\x01", 0xfacd_4b81_bdd9_6702, [0, 0, 2, 2, 193, 370, 27435]),
        (b"\x7f\xff\xff\xff\xff\xff\xff\xff", 0xec95_5921_1635_08be, [0, 0, 14, 190, 70, 870, 25770]),
    ];
    rows.into_iter().map(|(bytes, hash, shards)| (bytes.to_vec(), hash, shards)).collect()
}

#[test]
fn the_hash_is_frozen() {
    for (bytes, hash, of) in frozen() {
        assert_eq!(Shards::hash(&bytes), hash, "{bytes:02x?}");
        for (count, shard) in COUNTS.into_iter().zip(of) {
            assert_eq!(Shards::new(count).unwrap().shard_of(&bytes), Ok(shard), "{bytes:02x?} of {count}");
        }
    }
}

#[test]
fn a_stored_key_is_scope_shard_key() {
    for scope in [&[][..], b"tenant", &[0xff, 0xff]] {
        for (bytes, _, of) in frozen() {
            for (count, shard) in COUNTS.into_iter().zip(of) {
                let shards = Shards::new(count).unwrap().under(scope);
                let number = shard.to_be_bytes();
                let stored = [scope, if count <= 256 { &number[1..] } else { &number }, &bytes].concat();
                assert_eq!(shards.prefix_len(), stored.len() - bytes.len());

                let mut room = vec![0xaa; stored.len() + 3];
                assert_eq!(shards.write_key(&bytes, &mut room).unwrap(), stored);
                assert!(room.ends_with(&[0xaa; 3]));
                let mut room = [&vec![0xaa; shards.prefix_len()], &bytes[..]].concat();
                assert_eq!(shards.fill_prefix(&mut room), Ok(shard));
                assert_eq!(room, stored);
                assert_eq!(shards.split(&stored), Ok((shard, &bytes[..])));
                assert_eq!(shards.check(&stored), Ok((shard, &bytes[..])));
            }
        }
    }
}

#[test]
fn what_is_no_stored_key_is_refused() {
    let shards = Shards::new(300).unwrap().under(b"ab");
    let stored = shards.write_key(b"foobar", &mut [0; 16]).unwrap().to_vec();
    for cut in 0..4 {
        assert_eq!(shards.split(&stored[..cut]), Err(Error::TruncatedKey { at: cut }));
    }
    assert_eq!(shards.split(b"ac\0\0key"), Err(Error::MalformedKey { at: 0 }));
    assert_eq!(shards.split(b"b"), Err(Error::MalformedKey { at: 0 }));
    assert_eq!(shards.split(b"ab\x01\x2bkey"), Ok((299, &b"key"[..])));
    assert_eq!(shards.split(b"ab\x01\x2ckey"), Err(Error::MalformedKey { at: 2 }));
    assert_eq!(shards.split(b"ab\xff\xffkey"), Err(Error::MalformedKey { at: 2 }));
    // Every other shard than the key's own: it splits, and does not check.
    for shard in 0..300u16 {
        let mut other = stored.clone();
        other[2..4].copy_from_slice(&shard.to_be_bytes());
        assert!(shards.split(&other).is_ok());
        assert_eq!(shards.check(&other).is_ok(), other == stored);
    }
    let short = |needed, available| Err(Error::ShortBuffer { needed, available });
    for available in 0..10 {
        let mut room = vec![0xaa; available];
        assert_eq!(shards.write_key(b"foobar", &mut room).map(<[u8]>::len), short(10, available));
        assert_eq!(room, vec![0xaa; available]);
    }
    assert_eq!(shards.fill_prefix(&mut [0; 3]).map(usize::from), short(4, 3));
}

const SPEC: KeySpec<'static> = key_spec![Type::Str => Desc, Type::U16 => Asc];

#[test]
fn keys_that_share_the_hashed_fields_share_a_shard() {
    let shards = Shards::new(64).unwrap().by_fields(SPEC, 1);
    let mut used = std::collections::BTreeSet::new();
    for name in 0..100 {
        let text = format!("device {name}");
        let mut room = [0; 64];
        let prefix = SPEC.encode_prefix(&[text.as_str().into()], &mut room).unwrap().to_vec();
        let shard = shards.shard_of(&prefix).unwrap();
        assert_eq!(u64::from(shard), Shards::hash(&prefix) % 64);
        used.insert(shard);
        for n in [0, 7, 65535] {
            let key = SPEC.encode(&[text.as_str().into(), Value::U16(n)], &mut room).unwrap();
            assert_eq!(shards.shard_of(key), Ok(shard));
        }
    }
    assert!(used.len() > 40, "only {} of 64 shards", used.len());
    // Hashed with the whole key they would not.
    assert_ne!(Shards::hash(b"\x9e\xff\xff\0\0") % 64, Shards::hash(b"\x9e\xff\xff\0\x01") % 64);
    assert_eq!(shards.shard_of(b"\x9e"), Err(Error::TruncatedKey { at: 1 }));
    assert_eq!(shards.fill_prefix(&mut [0xaa, 0x9e]), Err(Error::TruncatedKey { at: 1 }));
    let too_many = Shards::new(64).unwrap().by_fields(SPEC, 3);
    assert_eq!(too_many.shard_of(b""), Err(Error::InvalidPrefixLength { most: 2, got: 3 }));
    // A spec's own scope is hashed with the fields, the shards' scope is not.
    let scoped = Shards::new(64).unwrap().by_fields(SPEC.under(b"t"), 1).under(b"x");
    assert_eq!(u64::from(scoped.shard_of(b"t\x9e\xff\xff").unwrap()), Shards::hash(b"t\x9e\xff\xff") % 64);
}

#[test]
fn keys_that_grow_are_spread_evenly() {
    // How a key is made of the number of its row.
    let makers: [fn(u64) -> Vec<u8>; 8] = [
        |n| n.to_be_bytes().to_vec(),
        |n| (1_700_000_000_000_000 + n * 1_000_000).to_be_bytes().to_vec(),
        |n| (n * 2).to_be_bytes().to_vec(),
        |n| (n << 20).to_be_bytes().to_vec(),
        |n| (!n).to_be_bytes().to_vec(),
        |n| f64::from(u32::try_from(n).unwrap()).to_bits().to_be_bytes().to_vec(),
        |n| format!("device {n}").into_bytes(),
        // Seven bits a byte, each even: FNV-1a alone would put them all in shards of one parity.
        |n| [28, 21, 14, 7, 0].map(|shift| u8::try_from(n >> shift & 0x7f).unwrap() << 1).to_vec(),
    ];
    const EACH: usize = 256;
    for (maker, make) in makers.into_iter().enumerate() {
        for count in [2, 3, 16, 64, 100, 256] {
            let shards = Shards::new(count).unwrap();
            let mut rows = vec![0; usize::from(count)];
            for n in 0..u64::from(count) * 256 {
                rows[usize::from(shards.shard_of(&make(n)).unwrap())] += 1;
            }
            // Six standard deviations of a fair draw.
            let (least, most) = (*rows.iter().min().unwrap(), *rows.iter().max().unwrap());
            assert!(EACH - 6 * 16 < least && most < EACH + 6 * 16, "maker {maker}, {count}: {least} to {most}");
        }
    }
}

#[test]
fn ranges_hold_what_they_hold_in_their_own_shard() {
    let mut draw = Draw(11);
    let keys: Vec<Vec<u8>> =
        (0..40).map(|_| (0..draw.below(4)).map(|_| [0, 1, 0x61, 0xfe, 0xff][draw.below(5)]).collect()).collect();
    for scope in [&[][..], b"t", &[0xff]] {
        for count in [1, 3, 256, 300] {
            let shards = Shards::new(count).unwrap().under(scope);
            let mut stored = vec![];
            for number in [0, 1, 2, 255, 299] {
                for key in keys.iter().filter(|_| number < count) {
                    let number = number.to_be_bytes();
                    stored.push([scope, if count <= 256 { &number[1..] } else { &number }, key].concat());
                }
            }
            // Neighbours of the whole set.
            let beside = [&b"s\xff"[..], b"t", b"u", b"", b"\xfe\xff"].map(<[u8]>::to_vec);
            let beside = beside.iter().filter(|bytes| shards.split(bytes).is_err());
            for i in 0..100 {
                let range = if i == 0 { ByteRange::new(vec![], None) } else { draw.range(&keys) };
                let size = shards.range_size(range.as_ref());
                for shard in [0, 2, 255, 299].into_iter().filter(|shard| *shard < count) {
                    let mut room = vec![0xaa; size];
                    let within = shards.range_in(shard, range.as_ref(), &mut room).unwrap();
                    for stored in &stored {
                        let (its, key) = shards.split(stored).unwrap();
                        let expected = its == shard && range.contains(key);
                        assert_eq!(within.contains(stored), expected, "{count} {shard} {range:?} {stored:02x?}");
                    }
                    for bytes in beside.clone() {
                        assert!(!within.contains(bytes), "{range:?} {bytes:02x?}");
                    }
                    if let Some(available) = size.checked_sub(1) {
                        let short = shards.range_in(shard, range.as_ref(), &mut room[..available]).err();
                        assert_eq!(short, Some(Error::ShortBuffer { needed: size, available }));
                    }
                }
                let none = shards.range_in(count, range.as_ref(), &mut [0; 64]).err();
                assert_eq!(none, Some(Error::InvalidValue { at: scope.len() }));
            }
        }
    }
}

#[test]
fn a_fan_has_a_range_for_each_shard() {
    let mut draw = Draw(13);
    let keys: Vec<Vec<u8>> = (0u8..20).map(|n| vec![n * 10, 0xff - n]).collect();
    for count in [1, 2, 5, 256, 257] {
        let shards = Shards::new(count).unwrap().under(b"t");
        for _ in 0..20 {
            let range = draw.range(&keys);
            let size = shards.fan_out_size(range.as_ref());
            assert_eq!(size, shards.range_size(range.as_ref()) * usize::from(count));
            let mut room = vec![0xaa; size];
            let fan = shards.fan_out(range.as_ref(), &mut room).unwrap();
            assert_eq!(fan.len(), usize::from(count));
            let ranges: Vec<_> = fan.collect();
            assert_eq!(ranges.len(), usize::from(count));
            for (shard, found) in (0..count).zip(&ranges) {
                let mut room = [0; 32];
                assert_eq!(*found, shards.range_in(shard, range.as_ref(), &mut room).unwrap());
            }
            if let Some(available) = size.checked_sub(1) {
                let short = shards.fan_out(range.as_ref(), &mut room[..available]).err();
                assert_eq!(short, Some(Error::ShortBuffer { needed: size, available }));
            }
        }
    }
}
