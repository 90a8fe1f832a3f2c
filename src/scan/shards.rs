//! Hash shards for write-hot keys: keys that grow in one place, such as by time, are spread over a
//! fixed number of places, and scans put back together.
//!
//! # Layout
//! A stored key is the scope, if any, then the shard, then the key as it was:
//!
//! | part | bytes |
//! |---|---|
//! | scope | those of [`Shards::under`], else none |
//! | shard | unsigned, big-endian; 1 byte for up to 256 shards, 2 bytes for more |
//! | key | unchanged |
//!
//! The shard is the hash modulo the number of shards. The hash is taken over the whole key, or
//! over the bytes of its first fields ([`Shards::by_fields`], the spec's scope included): FNV-1a of
//! 64 bits, then the finalizer of MurmurHash3, all modulo 2^64:
//!
//! ```text
//! h = cbf29ce484222325
//! for each byte b:  h = (h ^ b) * 100000001b3
//! h = (h ^ h >> 33) * ff51afd7ed558ccd
//! h = (h ^ h >> 33) * c4ceb9fe1a85ec53
//! h =  h ^ h >> 33
//! ```
//!
//! | bytes | hash | of 16 shards |
//! |---|---|---|
//! | none | `efd01f60ba992926` | 6 |
//! | `00` | `b9034ad37056f5fb` | 11 |
//! | `61` | `82a2a958a9bece5b` | 11 |
//! | `66 6f 6f 62 61 72` | `2c22194922d1672b` | 11 |
//! | `70 75 6d 70 00 00`, then eight `00` | `11bf31aad2219d14` | 4 |
//!
//! This is frozen: stored keys depend on it. FNV-1a alone would not do, since its lowest bit is only
//! the parity of the bytes' lowest bits.
//!
//! # Limits
//! The number of shards, the scope and the hashed fields belong to the stored keys: keep them
//! beside the index's layout. Another number means writing every key again. The hash has no secret:
//! who can choose keys can choose them for one shard. A scan over a range costs a seek in each
//! shard, unless the hashed fields are all given: then it needs one shard only.

use crate::error::Error;
use crate::spec::KeySpec;

/// A fixed number of shards, and what a key's shard depends on.
///
/// ```
/// use std::collections::BTreeMap;
/// use std::convert::Infallible;
/// use isotone::{Asc, ByteRange, KeySpec, Keyed, Lane, Merge, ScanError, Shards, Type, Value, key_spec};
///
/// const SPEC: KeySpec<'static> = key_spec![Type::U64 => Asc]; // a time
/// const SHARDS: Shards<'static> = Shards::new(4).unwrap();
///
/// let mut map = BTreeMap::new();
/// for time in 0..100 {
///     // The key goes behind the room that is left for the shard.
///     let mut room = [0u8; 16];
///     let gap = SHARDS.prefix_len();
///     let len = gap + SPEC.encode(&[Value::U64(time)], &mut room[gap..])?.len();
///     SHARDS.fill_prefix(&mut room[..len])?;
///     map.insert(room[..len].to_vec(), time);
/// }
///
/// // Back in the order of time: one range and one scan for each shard, merged.
/// let (mut ends, mut fan) = ([0u8; 16], [0u8; 128]);
/// let range = SPEC.tuple_range(
///     &[],
///     std::ops::Bound::Included(&[Value::U64(40)]),
///     std::ops::Bound::Excluded(&[Value::U64(60)]),
///     &mut ends,
/// )?;
/// let lanes: Vec<_> = SHARDS
///     .fan_out(range, &mut fan)?
///     .map(|range| Lane::new(map.range::<[u8], _>(range).map(Ok::<_, Infallible>)))
///     .collect();
/// let times: Vec<u64> =
///     Merge::ascending(SHARDS, lanes).map(|row| row.map(|row| *row.into_row().1)).collect::<Result<_, _>>()?;
/// assert!(times.into_iter().eq(40..60));
/// # Ok::<(), ScanError<Infallible>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shards<'s> {
    count: u16,
    scope: &'s [u8],
    by: Option<(KeySpec<'s>, usize)>,
}

impl<'s> Shards<'s> {
    /// This many shards, chosen by the whole key. `None` for none.
    ///
    /// ```
    /// use isotone::Shards;
    /// assert_eq!(Shards::new(256).unwrap().prefix_len(), 1);
    /// assert_eq!(Shards::new(257).unwrap().prefix_len(), 2);
    /// assert!(Shards::new(0).is_none());
    /// ```
    pub const fn new(count: u16) -> Option<Self> {
        if count == 0 { None } else { Some(Shards { count, scope: &[], by: None }) }
    }

    /// The same shards, chosen by the first `fields` fields of keys of `spec`: keys that agree in
    /// them share a shard, and a scan that gives them all needs only [`range_in`](Self::range_in)
    /// the shard of its prefix.
    ///
    /// ```
    /// use isotone::{Asc, Shards, Type, Value, key_spec};
    /// let spec = key_spec![Type::Str => Asc, Type::U64 => Asc];
    /// let shards = Shards::new(16).unwrap().by_fields(spec, 1);
    /// let mut room = [0u8; 32];
    /// let shard = shards.shard_of(spec.encode_prefix(&["pump".into()], &mut room)?)?;
    /// let key = spec.encode(&["pump".into(), Value::U64(7)], &mut room)?;
    /// assert_eq!(shards.shard_of(key)?, shard);
    /// # Ok::<(), isotone::Error>(())
    /// ```
    pub const fn by_fields<'p>(self, spec: KeySpec<'p>, fields: usize) -> Shards<'p>
    where
        's: 'p,
    {
        Shards { count: self.count, scope: self.scope, by: Some((spec, fields)) }
    }

    /// The same shards, all behind `prefix`: a tenant's or a table's bytes. It is not hashed, and
    /// takes the place of an earlier one. No range leaves it.
    ///
    /// To put the tenant behind the shard instead, give the key's spec a scope.
    ///
    /// ```
    /// use isotone::Shards;
    /// let shards = Shards::new(16).unwrap().under(&[7, 1]);
    /// assert_eq!(shards.write_key(b"foobar", &mut [0; 16])?, b"\x07\x01\x0bfoobar");
    /// # Ok::<(), isotone::Error>(())
    /// ```
    pub const fn under<'p>(self, prefix: &'p [u8]) -> Shards<'p>
    where
        's: 'p,
    {
        Shards { count: self.count, scope: prefix, by: self.by }
    }

    /// Number of shards. They are numbered from 0.
    ///
    /// ```
    /// assert_eq!(isotone::Shards::new(16).unwrap().count(), 16);
    /// ```
    #[inline]
    pub const fn count(&self) -> u16 {
        self.count
    }

    /// The bytes before every shard; none unless [`under`](Self::under) was called.
    ///
    /// ```
    /// assert_eq!(isotone::Shards::new(16).unwrap().under(b"tenant").scope(), b"tenant");
    /// ```
    pub const fn scope(&self) -> &'s [u8] {
        self.scope
    }

    /// Bytes before each key: the scope, and 1 or 2 for the shard.
    ///
    /// ```
    /// assert_eq!(isotone::Shards::new(16).unwrap().under(b"tenant").prefix_len(), 7);
    /// ```
    #[inline]
    pub const fn prefix_len(&self) -> usize {
        self.scope.len().saturating_add(self.width())
    }

    const fn width(&self) -> usize {
        if self.count <= 256 { 1 } else { 2 }
    }

    /// The hash that chooses a shard, of any bytes. Frozen.
    ///
    /// ```
    /// use isotone::Shards;
    /// assert_eq!(Shards::hash(b"foobar"), 0x2c22194922d1672b);
    /// assert_eq!(Shards::new(16).unwrap().shard_of(b"foobar")?, 0x2b % 16);
    /// # Ok::<(), isotone::Error>(())
    /// ```
    pub const fn hash(bytes: &[u8]) -> u64 {
        let (mut hash, mut rest) = (0xcbf2_9ce4_8422_2325u64, bytes);
        while let Some((byte, more)) = rest.split_first() {
            hash = (hash ^ *byte as u64).wrapping_mul(0x0100_0000_01b3);
            rest = more;
        }
        hash = (hash ^ (hash >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
        hash = (hash ^ (hash >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
        hash ^ (hash >> 33)
    }

    /// The shard of a key, or of a prefix of one that has all the hashed fields. Without
    /// [`by_fields`](Self::by_fields) any bytes have one.
    ///
    /// ```
    /// use isotone::Shards;
    /// let shards = Shards::new(1000).unwrap();
    /// assert_eq!(shards.shard_of(b"foobar")?, 275);
    /// assert_eq!(shards.shard_of(b"a")?, 315);
    /// # Ok::<(), isotone::Error>(())
    /// ```
    ///
    /// # Errors
    /// With `by_fields` as [`KeySpec::skip`].
    pub fn shard_of(&self, key: &[u8]) -> Result<u16, Error> {
        let hashed = match self.by {
            Some((spec, fields)) => key.get(..spec.skip(key, fields)?).unwrap_or(key),
            None => key,
        };
        // In range: the count is not zero, and what is left is below it.
        let shard = Self::hash(hashed).checked_rem(u64::from(self.count)).unwrap_or(0);
        Ok(u16::try_from(shard).unwrap_or(0))
    }

    /// Writes `key` behind its scope and shard to the front of `room`: the key to store.
    ///
    /// ```
    /// let shards = isotone::Shards::new(1000).unwrap();
    /// assert_eq!(shards.write_key(b"a", &mut [0; 8])?, [0x01, 0x3b, b'a']);
    /// # Ok::<(), isotone::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::ShortBuffer`] when `room` is too short; else as [`shard_of`](Self::shard_of).
    /// `room` is unchanged then.
    pub fn write_key<'r>(&self, key: &[u8], room: &'r mut [u8]) -> Result<&'r [u8], Error> {
        let shard = self.shard_of(key)?;
        let needed = self.prefix_len().saturating_add(key.len());
        let short = Error::ShortBuffer { needed, available: room.len() };
        let room = room.get_mut(..needed).ok_or(short)?;
        let (prefix, rest) = room.split_at_mut_checked(self.prefix_len()).ok_or(short)?;
        self.put_prefix(shard, prefix);
        rest.copy_from_slice(key);
        Ok(room)
    }

    /// Writes scope and shard before a key that already lies in `room`, behind
    /// [`prefix_len`](Self::prefix_len) bytes and up to its end. Gives the shard. Saves the copy
    /// that [`write_key`](Self::write_key) makes.
    ///
    /// ```
    /// let shards = isotone::Shards::new(16).unwrap();
    /// let mut room = *b"?foobar";
    /// assert_eq!(shards.fill_prefix(&mut room)?, 11);
    /// assert_eq!(&room, b"\x0bfoobar");
    /// # Ok::<(), isotone::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::ShortBuffer`] when `room` is shorter than the prefix; else as
    /// [`shard_of`](Self::shard_of). `room` is unchanged then.
    pub fn fill_prefix(&self, room: &mut [u8]) -> Result<u16, Error> {
        let short = Error::ShortBuffer { needed: self.prefix_len(), available: room.len() };
        let (prefix, key) = room.split_at_mut_checked(self.prefix_len()).ok_or(short)?;
        let shard = self.shard_of(key)?;
        self.put_prefix(shard, prefix);
        Ok(shard)
    }

    /// Fills a slice of the prefix's length.
    pub(super) fn put_prefix(&self, shard: u16, prefix: &mut [u8]) {
        let number = shard.to_be_bytes();
        let number = if self.width() == 1 { number.get(1..).unwrap_or(&number) } else { &number };
        for (to, from) in prefix.iter_mut().zip(self.scope.iter().chain(number)) {
            *to = *from;
        }
    }

    /// Takes scope and shard off a stored key: gives the shard and the key. Does not look into the
    /// key; [`check`](Self::check) does.
    ///
    /// ```
    /// use isotone::{Error, Shards};
    /// let shards = Shards::new(16).unwrap();
    /// assert_eq!(shards.split(b"\x0bfoobar")?, (11, &b"foobar"[..]));
    /// assert_eq!(shards.split(b"\x10foobar"), Err(Error::MalformedKey { at: 0 }));
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::MalformedKey`] at 0 when it does not begin with the scope, at the shard when there
    /// is no such shard; [`Error::TruncatedKey`] when it ends before the key.
    pub fn split<'k>(&self, stored: &'k [u8]) -> Result<(u16, &'k [u8]), Error> {
        let at = self.scope.len();
        let Some(rest) = stored.strip_prefix(self.scope) else {
            let cut = self.scope.starts_with(stored);
            return Err(if cut { Error::TruncatedKey { at: stored.len() } } else { Error::MalformedKey { at: 0 } });
        };
        let (number, key) = rest.split_at_checked(self.width()).ok_or(Error::TruncatedKey { at: stored.len() })?;
        let shard = number.iter().fold(0u16, |shard, byte| shard << 8 | u16::from(*byte));
        if shard < self.count { Ok((shard, key)) } else { Err(Error::MalformedKey { at }) }
    }

    /// Takes scope and shard off a stored key, as [`split`](Self::split), and checks that the shard
    /// is the key's own: a key in another's shard would never be found by its prefix.
    ///
    /// ```
    /// use isotone::{Error, Shards};
    /// let shards = Shards::new(16).unwrap();
    /// assert_eq!(shards.check(b"\x0bfoobar")?, (11, &b"foobar"[..]));
    /// assert_eq!(shards.check(b"\x0cfoobar"), Err(Error::MalformedKey { at: 0 }));
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// As `split`; [`Error::MalformedKey`] at the shard when it is another; with
    /// [`by_fields`](Self::by_fields) as [`KeySpec::skip`], at offsets into the key.
    pub fn check<'k>(&self, stored: &'k [u8]) -> Result<(u16, &'k [u8]), Error> {
        let (shard, key) = self.split(stored)?;
        if self.shard_of(key)? == shard { Ok((shard, key)) } else { Err(Error::MalformedKey { at: self.scope.len() }) }
    }
}
