//! IP addresses, addresses with a prefix length, and networks.
//!
//! # Layout
//! 1. the family: `04` or `06`
//! 2. the first ⌈length/8⌉ address bytes with the bits past the prefix length cleared, escaped as in
//!    `FORMAT.md` §2.2 with their `00 00`
//! 3. the prefix length, one byte
//! 4. all 4 or 16 address bytes, host bits included
//!
//! An `ip` is the same at full length, 32 or 128; in a `network` the host bits are zero. So
//! 192.0.2.1/24 is `04 c0 00 ff 02 00 00 18 c0 00 02 01`.
//!
//! # Why this orders
//! PostgreSQL compares the family, then the bits that both prefixes have, then the lengths, then the
//! whole addresses. A network is the beginning of the networks inside it: escaped bytes put it
//! before them, and where both end in one byte the cleared bits are no greater and the length
//! decides. What is left to differ then is host bits.
//!
//! ```
//! use isotone::{Asc, Builder, IpPrefix};
//! let mut room = [0u8; 16];
//! let mut key = Builder::new(&mut room);
//! let prefix: IpPrefix = "192.0.2.1/24".parse()?;
//! key.ip_prefix(prefix, Asc);
//! assert_eq!(key.finish()?, [0x04, 0xc0, 0, 0xff, 0x02, 0, 0, 24, 0xc0, 0, 0x02, 0x01]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use core::cmp::Ordering;
use core::fmt;
use core::net::IpAddr;
use core::net::Ipv4Addr;
use core::net::Ipv6Addr;
use core::str::FromStr;

use crate::error::Error;
use crate::order::Flip;
use crate::raw::input::Input;
use crate::raw::input::Take;
use crate::raw::sink::Invalid;
use crate::raw::sink::Payload;
use crate::raw::sink::Sink;
use crate::raw::view::ByteView;

const FAMILY_4: u8 = 0x04;
const FAMILY_6: u8 = 0x06;

/// Most payload bytes of an IPv4 address, prefix or network: family, four zeros escaped and their
/// end, length, address.
const MAX_SIZE_4: usize = 1 + (2 * 4 + 2) + 1 + 4;
/// The same of IPv6.
const MAX_SIZE_6: usize = 1 + (2 * 16 + 2) + 1 + 16;

/// An IP address and a prefix length, host bits included: PostgreSQL's `inet`.
///
/// Its order is PostgreSQL's: IPv4 before IPv6, then the bits of the prefix, then the shorter prefix
/// first, then the whole address. An IPv4-mapped IPv6 address is an IPv6 address.
///
/// ```
/// use core::net::IpAddr;
/// use isotone::IpPrefix;
/// let host: IpPrefix = "192.0.2.1/24".parse()?;
/// assert_eq!(host.network().to_string(), "192.0.2.0/24");
/// assert!(host.contains("192.0.2.200".parse::<IpAddr>()?));
/// assert!(IpPrefix::new(host.addr(), 33).is_none());
/// assert_eq!("::1".parse::<IpPrefix>()?.prefix_len(), 128); // no length: the full one
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct IpPrefix {
    addr: IpAddr,
    /// At most the width of the family.
    len: u8,
}

/// An IP network, whose host bits are zero: PostgreSQL's `cidr`. In the order of [`IpPrefix`].
///
/// ```
/// use isotone::Network;
/// let net: Network = "10.0.0.0/8".parse()?;
/// assert_eq!(net.prefix().prefix_len(), 8);
/// assert!("10.0.0.1/8".parse::<Network>().is_err());
/// # Ok::<(), isotone::ParseIpError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Network(IpPrefix);

/// The payload of an address alone: a prefix of full length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Ip(pub(crate) IpAddr);

/// Why a text is no [`IpPrefix`] or no [`Network`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum ParseIpError {
    /// What comes before the `/` is no IP address.
    #[error("not an IP address")]
    Address,
    /// What comes after the `/` is not a number from 0 to the width of the address, in decimal
    /// without leading zeros.
    #[error("not a prefix length of this address")]
    Length,
    /// A network has bits set past its prefix length.
    #[error("network has bits set past its prefix length")]
    HostBits,
}

impl IpPrefix {
    /// Most bytes of a payload with an IPv4 address, tag not counted.
    pub const MAX_SIZE_V4: usize = MAX_SIZE_4;
    /// Most bytes of any payload, tag not counted.
    pub const MAX_SIZE: usize = MAX_SIZE_6;

    /// An address with a prefix length; `None` when that is above 32 or 128.
    #[inline]
    pub const fn new(addr: IpAddr, len: u8) -> Option<IpPrefix> {
        if len <= width(addr) { Some(IpPrefix { addr, len }) } else { None }
    }

    /// The address, host bits included.
    #[inline(always)]
    pub const fn addr(&self) -> IpAddr {
        self.addr
    }

    /// The prefix length, 0 to 32 or 128.
    #[inline(always)]
    pub const fn prefix_len(&self) -> u8 {
        self.len
    }

    /// The same with its host bits cleared.
    #[inline]
    pub fn network(&self) -> Network {
        let bits = self.masked();
        let addr = match self.addr {
            // In range: the upper 32 of the 128 bits.
            IpAddr::V4(_) => IpAddr::V4(Ipv4Addr::from_bits((bits >> 96) as u32)),
            IpAddr::V6(_) => IpAddr::V6(Ipv6Addr::from_bits(bits)),
        };
        Network(IpPrefix { addr, len: self.len })
    }

    /// Whether the host bits are zero.
    #[inline]
    pub fn is_network(&self) -> bool {
        self.masked() == bits(self.addr)
    }

    /// Whether `addr` is of this family and has these prefix bits.
    #[inline]
    pub fn contains(&self, addr: IpAddr) -> bool {
        addr.is_ipv4() == self.addr.is_ipv4() && masked(bits(addr), self.len) == self.masked()
    }

    /// The prefix bits at the upper end, all others zero.
    #[inline(always)]
    fn masked(&self) -> u128 {
        masked(bits(self.addr), self.len)
    }

    /// What is compared, most significant first.
    #[inline(always)]
    fn rank(&self) -> (bool, u128, u8, u128) {
        (self.addr.is_ipv6(), self.masked(), self.len, bits(self.addr))
    }
}

impl Network {
    /// An address with a prefix length; `None` when that is above 32 or 128, or when a bit past it
    /// is set.
    #[inline]
    pub fn new(addr: IpAddr, len: u8) -> Option<Network> {
        IpPrefix::new(addr, len).filter(IpPrefix::is_network).map(Network)
    }

    /// The first address and the prefix length.
    #[inline(always)]
    pub const fn prefix(&self) -> IpPrefix {
        self.0
    }
}

/// Bits of an address.
#[inline(always)]
const fn width(addr: IpAddr) -> u8 {
    match addr {
        IpAddr::V4(_) => 32,
        IpAddr::V6(_) => 128,
    }
}

/// The address at the upper end of 128 bits.
#[inline(always)]
fn bits(addr: IpAddr) -> u128 {
    match addr {
        IpAddr::V4(v4) => u128::from(v4.to_bits()) << 96,
        IpAddr::V6(v6) => v6.to_bits(),
    }
}

/// The first `len` bits.
#[inline(always)]
const fn masked(bits: u128, len: u8) -> u128 {
    // A shift by all 128 bits leaves none, and so clears none.
    match u128::MAX.checked_shr(len as u32) {
        Some(host) => bits & !host,
        None => bits,
    }
}

impl Payload for IpPrefix {
    #[inline]
    fn put<S: Sink>(&self, sink: &mut S, flip: Flip) -> Result<(), Invalid> {
        let masked = self.masked().to_be_bytes();
        let prefix = masked.get(..usize::from(self.len.div_ceil(8))).unwrap_or(&masked);
        let family = if self.addr.is_ipv4() { FAMILY_4 } else { FAMILY_6 };
        sink.put([family], flip);
        sink.put_escaped(ByteView::new(prefix), flip);
        sink.put([self.len], flip);
        match self.addr {
            IpAddr::V4(v4) => sink.put(v4.octets(), flip),
            IpAddr::V6(v6) => sink.put(v6.octets(), flip),
        }
        Ok(())
    }
}

impl Take<'_> for IpPrefix {
    fn take(input: &mut Input<'_>, flip: Flip) -> Result<Self, Error> {
        let family = input.byte(flip)?;
        if family != FAMILY_4 && family != FAMILY_6 {
            return Err(input.malformed());
        }
        let prefix = input.escaped(flip)?;
        let len = input.byte(flip)?;
        let addr = match family {
            FAMILY_4 => IpAddr::from(input.array::<4>(flip)?),
            _ => IpAddr::from(input.array::<16>(flip)?),
        };
        let read = IpPrefix::new(addr, len).ok_or_else(|| input.malformed())?;
        // The escaped bits say nothing new: they must be what the address and the length give.
        let masked = read.masked().to_be_bytes();
        match masked.get(..usize::from(len.div_ceil(8))) {
            Some(want) if prefix == *want => Ok(read),
            _ => Err(input.malformed()),
        }
    }
}

impl Payload for Ip {
    #[inline]
    fn put<S: Sink>(&self, sink: &mut S, flip: Flip) -> Result<(), Invalid> {
        IpPrefix::from(self.0).put(sink, flip)
    }
}

impl Take<'_> for Ip {
    #[inline]
    fn take(input: &mut Input<'_>, flip: Flip) -> Result<Self, Error> {
        let IpPrefix { addr, len } = IpPrefix::take(input, flip)?;
        if len == width(addr) { Ok(Ip(addr)) } else { Err(input.malformed()) }
    }
}

impl Payload for Network {
    #[inline]
    fn put<S: Sink>(&self, sink: &mut S, flip: Flip) -> Result<(), Invalid> {
        self.0.put(sink, flip)
    }
}

impl Take<'_> for Network {
    #[inline]
    fn take(input: &mut Input<'_>, flip: Flip) -> Result<Self, Error> {
        let prefix = IpPrefix::take(input, flip)?;
        if prefix.is_network() { Ok(Network(prefix)) } else { Err(input.malformed()) }
    }
}

impl From<IpAddr> for IpPrefix {
    /// The address with its full length.
    #[inline]
    fn from(addr: IpAddr) -> Self {
        IpPrefix { addr, len: width(addr) }
    }
}

impl From<Network> for IpPrefix {
    #[inline]
    fn from(network: Network) -> Self {
        network.0
    }
}

impl From<IpAddr> for Network {
    /// The network of this one address.
    #[inline]
    fn from(addr: IpAddr) -> Self {
        Network(addr.into())
    }
}

impl TryFrom<IpPrefix> for Network {
    type Error = ParseIpError;

    /// [`ParseIpError::HostBits`] when a bit past the prefix length is set.
    #[inline]
    fn try_from(prefix: IpPrefix) -> Result<Self, ParseIpError> {
        if prefix.is_network() { Ok(Network(prefix)) } else { Err(ParseIpError::HostBits) }
    }
}

impl FromStr for IpPrefix {
    type Err = ParseIpError;

    /// An address, and perhaps `/` and a length; without it the full one.
    fn from_str(text: &str) -> Result<Self, ParseIpError> {
        let (addr, len) = match text.split_once('/') {
            Some((addr, len)) => (addr, Some(len)),
            None => (text, None),
        };
        let addr: IpAddr = addr.parse().map_err(|_| ParseIpError::Address)?;
        let Some(len) = len else { return Ok(addr.into()) };
        let plain = len.bytes().all(|b| b.is_ascii_digit()) && (len == "0" || !len.starts_with('0'));
        let len = len.parse().ok().filter(|_| plain);
        len.and_then(|len| IpPrefix::new(addr, len)).ok_or(ParseIpError::Length)
    }
}

impl FromStr for Network {
    type Err = ParseIpError;

    /// As [`IpPrefix`], and the host bits must be zero.
    fn from_str(text: &str) -> Result<Self, ParseIpError> {
        text.parse::<IpPrefix>()?.try_into()
    }
}

impl Ord for IpPrefix {
    fn cmp(&self, other: &Self) -> Ordering {
        self.rank().cmp(&other.rank())
    }
}

impl PartialOrd for IpPrefix {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for IpPrefix {
    /// The address and always the length: `192.0.2.1/24`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.addr, self.len)
    }
}

impl fmt::Debug for IpPrefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "IpPrefix({self})")
    }
}

impl fmt::Display for Network {
    /// The address and always the length: `192.0.2.0/24`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Network({self})")
    }
}

#[cfg(test)]
mod tests {
    use std::prelude::v1::*;
    use std::vec;

    use super::*;
    use crate::raw::sink::Room;

    fn bytes<P: Payload>(value: P, flip: Flip) -> Vec<u8> {
        let mut room = vec![0xaa; value.size().unwrap()];
        value.put(&mut Room::new(&mut room), flip).unwrap();
        room
    }

    #[track_caller]
    fn prefix(text: &str) -> IpPrefix {
        text.parse().unwrap()
    }

    /// Zeros, ones, and both, with every prefix length.
    fn all_lengths() -> Vec<IpPrefix> {
        let v4 =
            ["0.0.0.0", "0.0.0.1", "10.0.0.0", "10.0.0.1", "10.1.0.255", "128.0.0.0", "192.0.2.1", "255.255.255.255"];
        let v6 = [
            "::",
            "::1",
            "::ffff:10.0.0.0",
            "2001:db8::1",
            "8000::",
            "ff00:0:ff00::ff",
            "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
        ];
        let with = |text: &&str| {
            let addr: IpAddr = text.parse().unwrap();
            (0..=width(addr)).map(move |len| IpPrefix::new(addr, len).unwrap())
        };
        v4.iter().flat_map(with).chain(v6.iter().flat_map(with)).collect()
    }

    /// PostgreSQL's rule as its documentation tells it, on addresses of `width` bits.
    fn model(a: (u32, u8), b: (u32, u8), width: u8) -> Ordering {
        let head = |(addr, _): (u32, u8), n: u8| addr.checked_shr(width.saturating_sub(n).into()).unwrap_or(0);
        let both = a.1.min(b.1);
        head(a, both).cmp(&head(b, both)).then(a.1.cmp(&b.1)).then(a.0.cmp(&b.0))
    }

    #[test]
    fn vectors() {
        let host = prefix("192.0.2.1/24");
        assert_eq!(bytes(host, Flip::No), [4, 0xc0, 0, 0xff, 2, 0, 0, 24, 0xc0, 0, 2, 1]);
        let complement = [4, 0xc0, 0, 0xff, 2, 0, 0, 24, 0xc0, 0, 2, 1].map(|b: u8| !b);
        assert_eq!(bytes(host, Flip::Yes), complement);
        assert_eq!(bytes(prefix("10.1.2.3/0"), Flip::No), [4, 0, 0, 0, 10, 1, 2, 3]);
        assert_eq!(bytes(Ip("1.2.3.4".parse().unwrap()), Flip::No), [4, 1, 2, 3, 4, 0, 0, 32, 1, 2, 3, 4]);
        assert_eq!(bytes(prefix("::/128"), Flip::No).len(), IpPrefix::MAX_SIZE);
        assert_eq!(bytes(prefix("0.0.0.0/32"), Flip::No).len(), IpPrefix::MAX_SIZE_V4);
    }

    #[test]
    fn order_is_postgresqls_for_every_length() {
        let mut all = all_lengths();
        all.sort();
        for flip in [Flip::No, Flip::Yes] {
            let keys: Vec<_> = all.iter().map(|p| (*p, bytes(p, flip))).collect();
            for pair in keys.windows(2) {
                let [(a, lesser), (b, greater)] = pair else { continue };
                let (lesser, greater) = if flip == Flip::No { (lesser, greater) } else { (greater, lesser) };
                assert!(a < b && lesser < greater && !greater.starts_with(lesser), "{a} {b}");
            }
        }
        for pair in all.windows(2) {
            let [IpPrefix { addr: IpAddr::V4(a), len: m }, IpPrefix { addr: IpAddr::V4(b), len: n }] = pair else {
                continue;
            };
            assert_eq!(model((a.to_bits(), *m), (b.to_bits(), *n), 32), Ordering::Less);
        }
    }

    #[test]
    fn order_agrees_with_a_model_of_six_bits() {
        // Six bits across the edge of a byte: the model's address is bits 5 to 10 of an IPv4 one.
        let all: Vec<(u32, u8)> = (0..64).flat_map(|addr| (0..=6).map(move |len| (addr, len))).collect();
        let keys: Vec<_> = all
            .iter()
            .map(|(addr, len)| {
                let addr = IpAddr::V4(Ipv4Addr::from_bits(0xa000_0000 | addr << 21));
                bytes(IpPrefix::new(addr, 5 + len).unwrap(), Flip::No)
            })
            .collect();
        for (a, key_a) in all.iter().zip(&keys) {
            for (b, key_b) in all.iter().zip(&keys) {
                assert_eq!(key_a.cmp(key_b), model(*a, *b, 6), "{a:?} {b:?}");
            }
        }
    }

    #[test]
    fn order_of_the_cases() {
        let sorted = [
            "10.0.0.1/8",
            "10.0.0.0/16",
            "10.0.0.1/16",
            "10.0.0.0/24",
            "10.1.2.128/25",
            "10.1.3.0/24",
            "10.220.1.20",
            "10.220.1.120",
            "192.168.0.1",
            "255.255.255.0",
            "::/0",
            "::ffff:10.0.0.0/120",
        ];
        assert!(sorted.map(prefix).is_sorted_by(|a, b| a < b && bytes(a, Flip::No) < bytes(b, Flip::No)));
        assert_eq!(prefix("1.2.3.4"), prefix("1.2.3.4/32"));
        assert_ne!(prefix("1.2.3.4"), prefix("1.2.3.4/0"));
    }

    #[test]
    fn reads_back_as_what_it_is() {
        for value in all_lengths() {
            let full = value.len == width(value.addr);
            for flip in [Flip::No, Flip::Yes] {
                let key = bytes(value, flip);
                let at = |fits, read| if fits { Ok(read) } else { Err(Error::MalformedKey { at: 0 }) };
                assert_eq!(IpPrefix::take(&mut Input::new(&key, 0), flip), Ok(value));
                assert_eq!(Ip::take(&mut Input::new(&key, 0), flip), at(full, value).map(|v| Ip(v.addr)));
                let network = Network::take(&mut Input::new(&key, 0), flip);
                assert_eq!(network, at(value.is_network(), value).map(Network));
                assert_eq!(Network::try_from(value).is_ok(), network.is_ok());
            }
            assert_eq!(prefix(&value.to_string()), value);
            assert!(value.network().prefix().is_network());
            assert!(value.contains(value.addr) && value.contains(value.network().prefix().addr()));
            assert_eq!(value.network().prefix() == value, value.is_network());
        }
    }

    #[test]
    fn contains_looks_at_the_prefix() {
        let net = prefix("10.0.0.9/30");
        let inside = |text: &str| net.contains(text.parse().unwrap());
        assert!(inside("10.0.0.8") && inside("10.0.0.11"));
        assert!(!inside("10.0.0.7") && !inside("10.0.0.12") && !inside("::10.0.0.9"));
        assert!(prefix("::/0").contains("ff::1".parse().unwrap()));
        assert!(!prefix("::/0").contains("1.1.1.1".parse().unwrap()));
    }

    #[test]
    fn reject_texts() {
        let fault = |text: &str| text.parse::<IpPrefix>().unwrap_err();
        for text in ["", "/", "/8", "1.2.3/8", "1.2.3.4.5", "::g/1", " 1.2.3.4", "fe80::1%eth0"] {
            assert_eq!(fault(text), ParseIpError::Address, "{text}");
        }
        for text in
            ["1.2.3.4/", "1.2.3.4/33", "::/129", "::/256", "::/+1", "::/-1", "::/01", "::/00", "::/1/1", "::/ 1"]
        {
            assert_eq!(fault(text), ParseIpError::Length, "{text}");
        }
        for text in ["10.0.0.1/8", "10.0.0.1/31", "255.255.255.255/0", "::1/0", "2001:db8::1/32"] {
            assert_eq!(text.parse::<Network>(), Err(ParseIpError::HostBits), "{text}");
            assert_eq!(Network::new(prefix(text).addr, prefix(text).len), None);
        }
        assert_eq!(IpPrefix::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 33), None);
        assert_eq!(IpPrefix::new(IpAddr::V6(Ipv6Addr::LOCALHOST), 129), None);
    }

    #[test]
    fn reject_what_writing_does_not_emit() {
        let take = |key: &[u8]| IpPrefix::take(&mut Input::new(key, 0), Flip::No).map(|p| p.len);
        let malformed = Err(Error::MalformedKey { at: 0 });
        assert_eq!(take(&[4, 10, 0, 0, 8, 10, 1, 2, 3]), Ok(8));
        assert_eq!(take(&[5, 10, 0, 0, 8, 10, 1, 2, 3]), malformed); // no such family
        assert_eq!(take(&[4, 11, 0, 0, 8, 10, 1, 2, 3]), malformed); // not the address's bits
        assert_eq!(take(&[4, 10, 0, 0xff, 0, 0, 8, 10, 1, 2, 3]), malformed); // a byte too many
        assert_eq!(take(&[4, 0, 0, 8, 10, 1, 2, 3]), malformed); // a byte too few
        assert_eq!(take(&[4, 11, 0, 0, 7, 11, 1, 2, 3]), malformed); // a bit past the length
        assert_eq!(take(&[4, 1, 2, 3, 4, 0, 0, 33, 1, 2, 3, 4]), malformed);
        assert_eq!(take(&[4, 1, 2, 3, 4, 1, 0, 0, 40, 1, 2, 3, 4]), malformed);
        assert_eq!(take(&[4, 10, 0, 1]), Err(Error::InvalidEscape { at: 3 }));
        assert_eq!(take(&[4, 10, 0, 0, 8, 10, 1, 2]), Err(Error::TruncatedKey { at: 8 }));
    }

    #[test]
    fn hostile_bytes_fail_or_are_canonical() {
        for text in ["0.0.0.0/0", "10.0.2.1/24", "10.0.0.1/13", "0.0.0.255", "::/0", "2001:db8::1/50", "::"] {
            for flip in [Flip::No, Flip::Yes] {
                let key = bytes(prefix(text), flip);
                for cut in 0..key.len() {
                    let cut_at = Error::TruncatedKey { at: cut };
                    assert_eq!(IpPrefix::take(&mut Input::new(&key[..cut], 0), flip), Err(cut_at));
                }
                for at in 0..key.len() {
                    for byte in 0..=255 {
                        let mut bad = key.clone();
                        bad[at] = byte;
                        let mut input = Input::new(&bad, 0);
                        if let Ok(read) = IpPrefix::take(&mut input, flip) {
                            assert_eq!(bytes(read, flip), input.since(0));
                            assert_eq!(read == prefix(text), bad == key);
                        }
                        let mut input = Input::new(&bad, 0);
                        if let Ok(read) = Network::take(&mut input, flip) {
                            assert_eq!(bytes(read, flip), input.since(0));
                        }
                    }
                }
            }
        }
    }
}
