//! Checkpoints of the offline engine: what a copy has seen, as bytes that are stored with each batch.
//!
//! # Layout
//! `4f 4b 52 01`; SHA-256 of both contracts as blobs; seven u64 big-endian: rows, written,
//! duplicates, undecodable, refused, conflicts, first fault; one byte, `01` when all rows were
//! read; the digest of the rows read so far; the last key read, to the end.
//!
//! The digest of rows is a chain, so that it can go on from a checkpoint: from 32 zero bytes, each
//! row makes it SHA-256 of itself, blob key, blob value (a blob is its u32 big-endian length, then
//! its bytes).

use sha2::Digest;
use sha2::Sha256;

use crate::index::map::KeyMap;
use crate::index::rekey::RekeyError;

pub(super) const MAGIC: [u8; 4] = *b"OKR\x01";
pub(super) const COUNTS: usize = 7;
/// Everything but the last key.
pub(super) const HEAD: usize = 4 + 32 + 8 * COUNTS + 1 + 32;

/// What a copy has seen so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Tallies {
    /// Rows read from the source.
    pub rows: u64,
    /// Rows that are in the target now.
    pub written: u64,
    /// Rows whose key is the one before, passed over.
    pub duplicates: u64,
    /// Rows whose key is none of the source layout, passed over.
    pub undecodable: u64,
    /// Rows with a null that the target can't hold, passed over.
    pub refused: u64,
    /// Rows whose target key was taken by another value.
    pub conflicts: u64,
    /// Number of the first row that was passed over or conflicted, from 1; 0 when there was none.
    pub first_fault: u64,
}

impl Tallies {
    /// Whether every row read was written.
    pub const fn is_clean(&self) -> bool {
        self.first_fault == 0 && self.rows == self.written
    }

    pub(super) fn fault(&mut self) {
        if self.first_fault == 0 {
            self.first_fault = self.rows;
        }
    }
}

/// A checkpoint, read: what was stored with the last commit.
#[derive(Clone, Copy, Debug)]
pub struct Checkpoint<'c> {
    pub(super) tallies: Tallies,
    pub(super) digest: [u8; 32],
    pub(super) complete: bool,
    last_key: &'c [u8],
}

impl<'c> Checkpoint<'c> {
    /// Checks a stored checkpoint against the plan that it was made under.
    ///
    /// # Errors
    /// [`RekeyError::InvalidCheckpoint`].
    pub fn from_bytes<R, S>(plan: &impl KeyMap, bytes: &'c [u8]) -> Result<Self, RekeyError<R, S>> {
        Self::read(plan, bytes).ok_or(RekeyError::InvalidCheckpoint)
    }

    fn read(plan: &impl KeyMap, bytes: &'c [u8]) -> Option<Self> {
        let rest = bytes.strip_prefix(&MAGIC)?.strip_prefix(&plan_digest(plan))?;
        let (mut counts, mut rest) = ([0u64; COUNTS], rest);
        for count in &mut counts {
            let (eight, more) = rest.split_first_chunk::<8>()?;
            (*count, rest) = (u64::from_be_bytes(*eight), more);
        }
        let ([complete], rest) = rest.split_first_chunk::<1>()?;
        let (digest, last_key) = rest.split_first_chunk::<32>()?;
        let [rows, written, duplicates, undecodable, refused, conflicts, first_fault] = counts;
        let tallies = Tallies { rows, written, duplicates, undecodable, refused, conflicts, first_fault };
        (*complete <= 1).then_some(Checkpoint { tallies, digest: *digest, complete: *complete == 1, last_key })
    }

    /// What the copy had seen.
    pub const fn tallies(&self) -> Tallies {
        self.tallies
    }

    /// Whether all rows had been read.
    pub const fn is_complete(&self) -> bool {
        self.complete
    }

    /// The last source key that was read; `None` before the first. Rows after it are still to come.
    pub fn last_key(&self) -> Option<&'c [u8]> {
        (self.tallies.rows > 0).then_some(self.last_key)
    }

    /// Digest of the source rows read: of the whole source when complete.
    pub const fn source_digest(&self) -> [u8; 32] {
        self.digest
    }
}

/// The digest after one more row.
pub(super) fn chain(digest: &[u8; 32], key: &[u8], value: &[u8]) -> [u8; 32] {
    let mut next = Sha256::new();
    next.update(digest);
    for blob in [key, value] {
        put_blob(&mut next, blob);
    }
    next.finalize().into()
}

/// Adds a row's digest to a sum of them, modulo 2^256, big-endian: the same in any order.
pub(super) fn add_row(sum: &mut [u8; 32], key: &[u8], value: &[u8]) {
    let mut carry = 0u16;
    for (byte, more) in sum.iter_mut().zip(chain(&[0; 32], key, value)).rev() {
        // In range: at most 255 + 255 + 1.
        let all = u16::from(*byte).wrapping_add(u16::from(more)).wrapping_add(carry);
        let [high, low] = all.to_be_bytes();
        (*byte, carry) = (low, u16::from(high));
    }
}

fn put_blob(digest: &mut Sha256, bytes: &[u8]) {
    digest.update(u32::try_from(bytes.len()).unwrap_or(u32::MAX).to_be_bytes());
    digest.update(bytes);
}

/// Stands for a plan: a checkpoint of any other is refused.
pub(super) fn plan_digest(plan: &impl KeyMap) -> [u8; 32] {
    let mut digest = Sha256::new();
    put_blob(&mut digest, plan.source().as_bytes());
    put_blob(&mut digest, plan.target().as_bytes());
    digest.finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_carry_and_forget_the_order() {
        let halves = |bytes: [u8; 32]| {
            let (high, low) = bytes.split_first_chunk::<16>().unwrap();
            (u128::from_be_bytes(*high), u128::from_be_bytes(*low.first_chunk().unwrap()))
        };
        let rows: [(&[u8], &[u8]); 5] = [(b"a", b"1"), (b"b", b""), (b"", b"c"), (b"d", b"2"), (b"a", b"1")];
        let (mut there, mut back) = ([0; 32], [0; 32]);
        let (mut high, mut low, mut carries) = (0u128, 0u128, 0u32);
        for (key, value) in rows {
            add_row(&mut there, key, value);
            let (more_high, more_low) = halves(chain(&[0; 32], key, value));
            let carry;
            (low, carry) = low.overflowing_add(more_low);
            high = high.wrapping_add(more_high).wrapping_add(u128::from(carry));
            carries += u32::from(carry);
        }
        assert!(carries > 0, "rows whose digests carry");
        assert_eq!(halves(there), (high, low));
        rows.iter().rev().for_each(|(key, value)| add_row(&mut back, key, value));
        assert_eq!(back, there);
    }
}
