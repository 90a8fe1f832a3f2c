//! Scans that engines lack: the rows of each distinct prefix, and one ordered scan over shards.
//!
//! They stand on [`Seek`] and on plain iterators, which an engine's user supplies in a few lines,
//! and know no engine. Nothing is allocated: bounds go to a caller's buffer, rows stay whatever
//! the engine gives. An engine's errors come through as they are, and a scan ends after an error:
//! begin a new one behind the last row that came.

mod fan;
mod loose;
mod merge;
mod shards;

pub use fan::FanOut;
pub use loose::LooseScan;
pub use merge::Lane;
pub use merge::Merge;
pub use merge::ShardRow;
pub use shards::Shards;

use crate::error::Error;
use crate::range::ByteRange;

/// A row of an engine: whatever holds a key. Pairs of a key and anything do, and plain keys.
///
/// ```
/// use isotone::Keyed;
/// assert_eq!((b"key", 7).key(), b"key");
/// assert_eq!((&vec![1u8, 2], "value").key(), [1, 2]);
/// assert_eq!((&b"key"[..]).key(), b"key");
///
/// struct Entry {
///     bytes: [u8; 8],
///     key_len: usize,
/// }
/// impl Keyed for Entry {
///     fn key(&self) -> &[u8] {
///         &self.bytes[..self.key_len]
///     }
/// }
/// assert_eq!(Entry { bytes: *b"key=val.", key_len: 3 }.key(), b"key");
/// ```
pub trait Keyed {
    /// The row's key. The same bytes each time.
    fn key(&self) -> &[u8];
}

impl<K: AsRef<[u8]>, V> Keyed for (K, V) {
    fn key(&self) -> &[u8] {
        self.0.as_ref()
    }
}

impl<K: Keyed + ?Sized> Keyed for &K {
    fn key(&self) -> &[u8] {
        (**self).key()
    }
}

impl Keyed for [u8] {
    fn key(&self) -> &[u8] {
        self
    }
}

impl<const N: usize> Keyed for [u8; N] {
    fn key(&self) -> &[u8] {
        self
    }
}

impl<const N: usize> Keyed for arrayvec::ArrayVec<u8, N> {
    fn key(&self) -> &[u8] {
        self
    }
}

#[cfg(feature = "alloc")]
impl Keyed for alloc::vec::Vec<u8> {
    fn key(&self) -> &[u8] {
        self
    }
}

#[cfg(feature = "bytes")]
impl Keyed for bytes::Bytes {
    fn key(&self) -> &[u8] {
        self
    }
}

/// An ordered store that can be asked for the ends of a range. Implement it on a handle of an
/// engine: a table, a snapshot, an iterator that seeks. Where other writers go on, take a
/// snapshot.
///
/// A range is never empty, and goes to most engines as it is ([`ByteRange`] says how). An engine
/// that seeks by bytes seeks to the start's byte form, [`ByteRange::write_start`], and compares
/// what it finds with the end.
///
/// ```
/// use std::collections::BTreeMap;
/// use std::convert::Infallible;
/// use isotone::{ByteRange, Seek};
///
/// struct Table<'t>(&'t BTreeMap<Vec<u8>, u32>);
///
/// impl<'t> Seek for Table<'t> {
///     type Row = (&'t Vec<u8>, &'t u32);
///     type Error = Infallible;
///     fn first(&mut self, range: ByteRange<&[u8]>) -> Result<Option<Self::Row>, Infallible> {
///         Ok(self.0.range::<[u8], _>(range).next())
///     }
///     fn last(&mut self, range: ByteRange<&[u8]>) -> Result<Option<Self::Row>, Infallible> {
///         Ok(self.0.range::<[u8], _>(range).next_back())
///     }
/// }
///
/// let map = BTreeMap::from([(b"a".to_vec(), 1), (b"b".to_vec(), 2)]);
/// let below_b = ByteRange::new(&b""[..], Some(b"b"));
/// assert_eq!(Table(&map).last(below_b)?, Some((&b"a".to_vec(), &1)));
/// # Ok::<(), Infallible>(())
/// ```
pub trait Seek {
    /// What is found: a key, and what belongs to it.
    type Row: Keyed;
    /// How the engine fails.
    type Error;

    /// The first row in the range.
    ///
    /// # Errors
    /// The engine's.
    fn first(&mut self, range: ByteRange<&[u8]>) -> Result<Option<Self::Row>, Self::Error>;

    /// The last row in the range.
    ///
    /// # Errors
    /// The engine's.
    fn last(&mut self, range: ByteRange<&[u8]>) -> Result<Option<Self::Row>, Self::Error>;
}

impl<S: Seek + ?Sized> Seek for &mut S {
    type Row = S::Row;
    type Error = S::Error;

    fn first(&mut self, range: ByteRange<&[u8]>) -> Result<Option<S::Row>, S::Error> {
        (**self).first(range)
    }

    fn last(&mut self, range: ByteRange<&[u8]>) -> Result<Option<S::Row>, S::Error> {
        (**self).last(range)
    }
}

/// Why a scan stopped.
///
/// ```
/// use isotone::{Error, ScanError};
/// let stopped = ScanError::<std::io::Error>::from(Error::TruncatedKey { at: 3 });
/// assert_eq!(stopped.to_string(), "key ends inside a field, at byte 3");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum ScanError<E> {
    /// The engine failed.
    #[error(transparent)]
    Engine(E),
    /// A stored key is not one of this index, at an offset into it; or the scan's buffer is too
    /// short.
    #[error(transparent)]
    Key(#[from] Error),
    /// The engine gave a row that is not in the range it was asked for, or a shard's rows run
    /// against the merge's direction.
    #[error("the engine gave a row out of order")]
    OutOfOrder,
}
