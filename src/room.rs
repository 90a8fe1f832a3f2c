//! Room lent by growable buffers: a key is appended whole or not at all.

use arrayvec::ArrayVec;

use crate::builder::Builder;
use crate::error::Error;

mod sealed {
    pub trait Sealed {}
    impl<const N: usize> Sealed for arrayvec::ArrayVec<u8, N> {}
    #[cfg(feature = "alloc")]
    impl Sealed for alloc::vec::Vec<u8> {}
    #[cfg(feature = "bytes")]
    impl Sealed for bytes::BytesMut {}
}

/// A buffer that can lend the room behind its bytes: [`ArrayVec<u8, N>`], and under features
/// `Vec<u8>` and `bytes::BytesMut`.
pub trait Lend: sealed::Sealed {
    #[doc(hidden)]
    fn lend_len(&self) -> usize;
    #[doc(hidden)]
    fn lend_spare(&self) -> usize;
    /// Zeroes this many bytes of spare capacity and appends them; gives all bytes.
    #[doc(hidden)]
    fn lend_zeroed(&mut self, room: usize) -> &mut [u8];
    #[doc(hidden)]
    fn lend_cut(&mut self, len: usize);
    #[doc(hidden)]
    fn lend_bytes(&self) -> &[u8];
}

impl<const N: usize> Lend for ArrayVec<u8, N> {
    fn lend_len(&self) -> usize {
        self.len()
    }
    fn lend_spare(&self) -> usize {
        self.remaining_capacity()
    }
    fn lend_zeroed(&mut self, room: usize) -> &mut [u8] {
        const ZEROS: [u8; 64] = [0; 64];
        let mut left = room;
        while left > 0 {
            let some = ZEROS.get(..left.min(ZEROS.len())).unwrap_or(&ZEROS);
            if self.try_extend_from_slice(some).is_err() {
                break;
            }
            left = left.saturating_sub(some.len());
        }
        self.as_mut_slice()
    }
    fn lend_cut(&mut self, len: usize) {
        self.truncate(len);
    }
    fn lend_bytes(&self) -> &[u8] {
        self
    }
}

#[cfg(feature = "alloc")]
impl Lend for alloc::vec::Vec<u8> {
    fn lend_len(&self) -> usize {
        self.len()
    }
    fn lend_spare(&self) -> usize {
        self.capacity().saturating_sub(self.len())
    }
    fn lend_zeroed(&mut self, room: usize) -> &mut [u8] {
        // Within capacity, so nothing is allocated.
        self.resize(self.len().saturating_add(room), 0);
        self
    }
    fn lend_cut(&mut self, len: usize) {
        self.truncate(len);
    }
    fn lend_bytes(&self) -> &[u8] {
        self
    }
}

#[cfg(feature = "bytes")]
impl Lend for bytes::BytesMut {
    fn lend_len(&self) -> usize {
        self.len()
    }
    fn lend_spare(&self) -> usize {
        self.capacity().saturating_sub(self.len())
    }
    fn lend_zeroed(&mut self, room: usize) -> &mut [u8] {
        self.resize(self.len().saturating_add(room), 0);
        self
    }
    fn lend_cut(&mut self, len: usize) {
        self.truncate(len);
    }
    fn lend_bytes(&self) -> &[u8] {
        self
    }
}

/// Lent room. Dropped, it leaves the buffer `len` bytes long: as it was, until a key is whole.
struct Lent<'v, V: Lend> {
    buffer: &'v mut V,
    len: usize,
}

impl<V: Lend> Drop for Lent<'_, V> {
    fn drop(&mut self) {
        self.buffer.lend_cut(self.len);
    }
}

/// Appends a key to `buffer`: the whole key that `write` builds, or nothing. Gives the appended
/// bytes.
///
/// At most `room` bytes of the capacity that is there are zeroed and lent; the buffer is never
/// grown. Reserve first: [`Error::ShortBuffer`] says how much the key needs.
///
/// # Errors
/// The builder's first error; the buffer then holds what it held before.
///
/// ```
/// use arrayvec::ArrayVec;
/// use isotone::{Asc, Error, append};
/// let mut row: ArrayVec<u8, 16> = ArrayVec::new();
/// row.push(0x2a); // whatever comes before the key
/// let key = append(&mut row, 12, |key| {
///     key.u16(7, Asc).str("ab", Asc);
/// })?;
/// assert_eq!(key, [0, 7, 0x61, 0x62, 0, 0]);
/// let full = append(&mut row, 12, |key| {
///     key.u128(7, Asc);
/// });
/// assert_eq!(full.unwrap_err(), Error::ShortBuffer { needed: 16, available: 9 });
/// assert_eq!(row.len(), 7);
/// # Ok::<(), Error>(())
/// ```
pub fn append<V: Lend>(buffer: &mut V, room: usize, write: impl FnOnce(&mut Builder<'_>)) -> Result<&[u8], Error> {
    let len = buffer.lend_len();
    let room = room.min(buffer.lend_spare());
    {
        let mut lent = Lent { buffer: &mut *buffer, len };
        let free = lent.buffer.lend_zeroed(room).get_mut(len..).unwrap_or(&mut []);
        let mut key = Builder::new(free);
        write(&mut key);
        let written = key.key()?.len();
        // In range: both lie within the buffer.
        lent.len = len.wrapping_add(written);
    }
    Ok(buffer.lend_bytes().get(len..).unwrap_or(&[]))
}
