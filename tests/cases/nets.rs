//! Addresses and identifiers.

use std::cmp::Ordering;
use std::net::IpAddr;
use std::net::Ipv4Addr;

use isotone::Asc;
use isotone::IpPrefix;
use isotone::Uuid;

use crate::ascending;
use crate::key;

fn prefix(text: &str) -> IpPrefix {
    text.parse().expect("a prefix")
}

#[test]
fn b99_host_bits_and_lengths() {
    let all = ["10.0.0.1/8", "10.0.0.0/16", "10.0.0.1/16", "10.0.0.0/24", "::/0", "::ffff:10.0.0.0/120"].map(prefix);
    ascending(&all, |k, v, order| k.ip_prefix(v, order));
}

/// PostgreSQL's rule on addresses of six bits: common bits, length, address.
fn rule(a: (u8, u8), b: (u8, u8)) -> Ordering {
    let common = a.1.min(b.1);
    let front = |addr: u8| u32::from(addr) >> (6 - common);
    front(a.0).cmp(&front(b.0)).then(a.1.cmp(&b.1)).then(a.0.cmp(&b.0))
}

/// Every pair of prefixes that differ in six bits around a byte boundary. What holds for six bits
/// here holds for any: the codec knows no other difference than bits, length and the byte they fall in.
#[test]
fn b99_b100_all_six_bit_prefixes() {
    // The six bits lie across the second and third byte.
    let all: Vec<(u8, u8)> = (0..=6).flat_map(|len| (0..64).map(move |addr| (addr, len))).collect();
    let keys: Vec<Vec<u8>> = all
        .iter()
        .map(|(addr, len)| {
            let bits = 0x0a00_0000 | u32::from(*addr) << 13;
            let prefix = IpPrefix::new(Ipv4Addr::from_bits(bits).into(), 13 + len).expect("a length that fits");
            key(|k| k.ip_prefix(prefix, Asc))
        })
        .collect();
    for (a, key_a) in all.iter().zip(&keys) {
        for (b, key_b) in all.iter().zip(&keys) {
            assert_eq!(key_a.cmp(key_b), rule(*a, *b), "{a:?} and {b:?}");
        }
    }
    // One total order, of the type as of its keys.
    let pair = [prefix("10.1.2.128/25"), prefix("10.1.3.0/24")];
    ascending(&pair, |k, v, order| k.ip_prefix(v, order));
    assert!(pair[0] < pair[1]);
    let same_base =
        ["192.0.2.0/28", "192.0.2.0/29", "192.0.2.0/30", "192.0.2.0/31", "192.0.2.0/32", "192.0.2.1/32"].map(prefix);
    ascending(&same_base, |k, v, order| k.ip_prefix(v, order));
    assert!(same_base.is_sorted());
}

/// An address without a length has all of it, not none.
#[test]
fn b102_no_mask_is_the_full_one() {
    assert_eq!(prefix("1.2.3.4"), prefix("1.2.3.4/32"));
    assert_ne!(prefix("1.2.3.4"), prefix("1.2.3.4/0"));
    let addr: IpAddr = Ipv4Addr::new(1, 2, 3, 4).into();
    assert_eq!(key(|k| k.ip(addr, Asc)), key(|k| k.ip_prefix(prefix("1.2.3.4"), Asc)));
}

#[test]
fn b103_numbers_in_network_order() {
    ascending(&["10.220.1.20", "10.220.1.120", "192.168.0.1", "255.255.255.0"].map(prefix), |k, v, order| {
        k.ip_prefix(v, order)
    });
}

/// Plain bytes, unsigned, the first shown first.
#[test]
fn b105_b106_uuids_are_bytes() {
    let uuid = |high: u128| Uuid::new((high << 96).to_be_bytes());
    ascending(&[uuid(0x7fff_ffff), uuid(0x8000_0000), uuid(0xffff_ffff)], |k, v, order| k.uuid(v, order));
    let mut bytes = [0x41; 16];
    bytes[15] = 0x7f;
    let next = Uuid::new((u128::from_be_bytes(bytes) + 1).to_be_bytes());
    ascending(&[Uuid::new(bytes), next], |k, v, order| k.uuid(v, order));
}
