//! How the offline engine makes target keys, and a verification that needs no way back.

use core::convert::Infallible;

use crate::error::Error;
use crate::index::checkpoint::Checkpoint;
use crate::index::checkpoint::add_row;
use crate::index::checkpoint::chain;
use crate::index::contract::IndexContract;
use crate::index::plan::ReindexPlan;
use crate::index::rekey::Passed;
use crate::index::rekey::RekeyError;
use crate::index::rekey::Verified;

/// How rows of one generation of an index become rows of a later one: what [`Rekey`](crate::Rekey)
/// copies by. [`ReindexPlan`] moves fields; `Recollation` makes collated fields again; a program may
/// have its own.
///
/// A checkpoint is bound to the two contracts. A program's own map must make the same key of the
/// same row, always.
pub trait KeyMap {
    /// The contract that keys are read under.
    fn source(&self) -> IndexContract<'_>;

    /// The contract that keys are written under.
    fn target(&self) -> IndexContract<'_>;

    /// Writes the target's key of a source row to the front of `room`.
    ///
    /// # Errors
    /// [`Error::ShortBuffer`] with the exact size stops a copy. Any other error means that this row
    /// can't be carried over: [`Error::NullInNotNull`] is counted as refused, the rest as
    /// undecodable. The room is unchanged then.
    fn rekey<'r>(&self, key: &[u8], value: &[u8], room: &'r mut [u8]) -> Result<&'r [u8], Error>;

    /// Verifies a target, opened again, where there is no way back from its keys: makes every
    /// source row's key again, and compares the rows so made, as a whole, with all rows of the
    /// target. Both are given in key order; `room` is lent for one target key.
    ///
    /// [`Verified::ready`] says that the copy was complete and clean, that `source` is what it
    /// read, that the target's keys are in order and valid, and that it holds exactly the rows
    /// made, each as often. [`Verified::first_difference`] is the number of the first target row
    /// that is out of order or invalid: a row that is missing, changed or too many shows in
    /// `ready` only. Rows are compared as sums of SHA-256 digests, modulo 2^256: proof against
    /// accidents, not against a forger who chooses the rows.
    ///
    /// # Errors
    /// [`RekeyError::Read`] when either can't be read, [`RekeyError::InvalidCheckpoint`],
    /// [`RekeyError::Room`] when `room` is too short.
    fn verify_forward<K, V, T, W, R>(
        &self,
        checkpoint: &[u8],
        source: impl IntoIterator<Item = Result<(K, V), R>>,
        target: impl IntoIterator<Item = Result<(T, W), R>>,
        room: &mut [u8],
    ) -> Result<Verified, RekeyError<R, Infallible>>
    where
        Self: Sized,
        K: AsRef<[u8]>,
        V: AsRef<[u8]>,
        T: AsRef<[u8]>,
        W: AsRef<[u8]>,
    {
        let copied = Checkpoint::from_bytes(self, checkpoint)?;
        let (mut read, mut made, mut missing) = ([0u8; 32], [0u8; 32], false);
        for row in source {
            let (key, value) = row.map_err(RekeyError::Read)?;
            read = chain(&read, key.as_ref(), value.as_ref());
            match self.rekey(key.as_ref(), value.as_ref(), room) {
                Ok(key) => add_row(&mut made, key, value.as_ref()),
                Err(error @ Error::ShortBuffer { .. }) => return Err(RekeyError::Room(error)),
                Err(_) => missing = true,
            }
        }
        let (mut found, mut passed) = ([0u8; 32], Passed::new());
        for row in target {
            let (key, value) = row.map_err(RekeyError::Read)?;
            add_row(&mut found, key.as_ref(), value.as_ref());
            let valid = self.target().key_spec().check(key.as_ref()).is_ok();
            passed.row(key, value.as_ref(), valid);
        }
        let same = !missing && read == copied.source_digest() && made == found;
        let verified = passed.verified(&copied);
        Ok(Verified { ready: verified.ready && same, ..verified })
    }
}

impl KeyMap for ReindexPlan<'_> {
    fn source(&self) -> IndexContract<'_> {
        ReindexPlan::source(self)
    }

    fn target(&self) -> IndexContract<'_> {
        ReindexPlan::target(self)
    }

    fn rekey<'r>(&self, key: &[u8], _value: &[u8], room: &'r mut [u8]) -> Result<&'r [u8], Error> {
        ReindexPlan::rekey(self, key, room)
    }
}
