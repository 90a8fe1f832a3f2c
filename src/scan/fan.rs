//! A range of keys as ranges of stored keys, one in each shard.
//!
//! Both ends take the shard's prefix; an end that is infinite becomes the prefix's own, so that no
//! scan runs into the next shard. A range that resumes after a key still does, in every shard.

use core::iter::FusedIterator;

use crate::error::Error;
use crate::range::ByteRange;
use crate::range::prefix_upper_bound;
use crate::scan::Shards;

impl<'s> Shards<'s> {
    /// A range of keys as the range of stored keys in one shard. No range leaves its shard.
    ///
    /// Both ends are written into `room`; [`range_size`](Self::range_size) says how much it takes.
    /// With it one small buffer serves all shards, where an engine's scan does not borrow its
    /// bounds; [`fan_out`](Self::fan_out) has all of them at once.
    ///
    /// ```
    /// use isotone::{ByteRange, Shards};
    /// let shards = Shards::new(16).unwrap();
    /// let mut room = [0u8; 8];
    /// let range = shards.range_in(3, ByteRange::new(&b"a"[..], None), &mut room)?;
    /// assert_eq!((range.start(), range.end()), (&b"\x03a"[..], Some(&b"\x04"[..])));
    /// # Ok::<(), isotone::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::ShortBuffer`] when `room` is too short, [`Error::InvalidValue`] at the shard when
    /// there is no such shard.
    pub fn range_in<'b>(
        &self,
        shard: u16,
        range: ByteRange<&[u8]>,
        room: &'b mut [u8],
    ) -> Result<ByteRange<&'b [u8]>, Error> {
        if shard >= self.count() {
            return Err(Error::InvalidValue { at: self.scope().len() });
        }
        let needed = self.range_size(range);
        let short = Error::ShortBuffer { needed, available: room.len() };
        let room = room.get_mut(..needed).ok_or(short)?;
        if range.is_empty() {
            return Ok(ByteRange::EMPTY);
        }
        let prefix = self.prefix_len();
        let (start, end) = room.split_at_mut_checked(prefix.saturating_add(range.start().len())).ok_or(short)?;
        let (scoped, key) = start.split_at_mut_checked(prefix).ok_or(short)?;
        self.put_prefix(shard, scoped);
        key.copy_from_slice(range.start());
        let end: Option<&[u8]> = match range.end() {
            Some(last) => {
                let (scoped_end, key) = end.split_at_mut_checked(prefix).ok_or(short)?;
                scoped_end.copy_from_slice(scoped);
                key.copy_from_slice(last);
                Some(end)
            }
            // Without a bound only where all that follows begins with the prefix, which is all ff.
            None => prefix_upper_bound(scoped, end)?,
        };
        let start = &*start;
        Ok(if range.excludes_start() { ByteRange::after(start, end) } else { ByteRange::new(start, end) })
    }

    /// The most that both ends of a range take in one shard, in bytes.
    ///
    /// ```
    /// use isotone::{ByteRange, Shards};
    /// let shards = Shards::new(16).unwrap();
    /// assert_eq!(shards.range_size(ByteRange::new(&b"ab"[..], Some(b"c"))), (1 + 2) + (1 + 1));
    /// ```
    pub fn range_size(&self, range: ByteRange<&[u8]>) -> usize {
        if range.is_empty() {
            return 0;
        }
        let both = range.start().len().saturating_add(range.end().map_or(0, <[u8]>::len));
        self.prefix_len().saturating_mul(2).saturating_add(both)
    }

    /// Bytes that [`fan_out`](Self::fan_out) takes for a range: a [`range_size`](Self::range_size)
    /// for each shard.
    ///
    /// ```
    /// use isotone::{ByteRange, Shards};
    /// let shards = Shards::new(16).unwrap();
    /// assert_eq!(shards.fan_out_size(ByteRange::new(&b"ab"[..], Some(b"c"))), 16 * 5);
    /// ```
    pub fn fan_out_size(&self, range: ByteRange<&[u8]>) -> usize {
        self.range_size(range).saturating_mul(usize::from(self.count()))
    }

    /// A range of keys as one range of stored keys for each shard, in the shards' order. Their
    /// scans, put together by a [`Merge`](crate::Merge), give the range's rows in order.
    ///
    /// All ends are written into `room`; [`fan_out_size`](Self::fan_out_size) says how much it takes.
    ///
    /// ```
    /// use isotone::{ByteRange, Shards};
    /// let shards = Shards::new(3).unwrap();
    /// let mut room = [0u8; 32];
    /// let ranges: Vec<_> = shards.fan_out(ByteRange::new(b"a", Some(b"b")), &mut room)?.collect();
    /// assert_eq!(ranges[2], ByteRange::new(b"\x02a", Some(b"\x02b")));
    /// assert_eq!(ranges.len(), 3);
    /// # Ok::<(), isotone::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::ShortBuffer`] when `room` is too short.
    pub fn fan_out<'b>(&self, range: ByteRange<&'b [u8]>, room: &'b mut [u8]) -> Result<FanOut<'b>, Error>
    where
        's: 'b,
    {
        let needed = self.fan_out_size(range);
        if room.len() < needed {
            return Err(Error::ShortBuffer { needed, available: room.len() });
        }
        Ok(FanOut { shards: *self, range, room, shard: 0 })
    }
}

/// One range of stored keys for each shard, from shard 0 on; see [`Shards::fan_out`].
///
/// ```
/// use isotone::{ByteRange, FanOut, Shards};
/// let mut room = [0u8; 32];
/// let mut ranges: FanOut<'_> = Shards::new(3).unwrap().fan_out(ByteRange::new(b"", None), &mut room)?;
/// assert_eq!(ranges.len(), 3);
/// assert_eq!(ranges.nth(1), Some(ByteRange::new(&[1][..], Some(&[2][..]))));
/// assert_eq!(ranges.len(), 1);
/// # Ok::<(), isotone::Error>(())
/// ```
#[derive(Debug)]
pub struct FanOut<'b> {
    shards: Shards<'b>,
    range: ByteRange<&'b [u8]>,
    room: &'b mut [u8],
    shard: u16,
}

impl<'b> Iterator for FanOut<'b> {
    type Item = ByteRange<&'b [u8]>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.shard >= self.shards.count() {
            return None;
        }
        let (room, rest) = core::mem::take(&mut self.room).split_at_mut_checked(self.shards.range_size(self.range))?;
        self.room = rest;
        let range = self.shards.range_in(self.shard, self.range, room).ok()?;
        // In range: it is below the count.
        self.shard = self.shard.wrapping_add(1);
        Some(range)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = usize::from(self.shards.count().saturating_sub(self.shard));
        (left, Some(left))
    }
}

impl ExactSizeIterator for FanOut<'_> {}
impl FusedIterator for FanOut<'_> {}
