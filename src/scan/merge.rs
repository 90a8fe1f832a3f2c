//! Shards' scans back into one, in key order, forward or backward.
//!
//! A tree of losers: each row costs one comparison a level, so four over sixteen shards, and the
//! tree lies in the lanes themselves. Comparisons are of whole keys, behind the shard prefix.
//!
//! Each lane is read one row ahead. A lane that fails ends the merge, since going on would leave
//! out its rows: the error comes right behind the row before it in that lane.

use core::iter::FusedIterator;
use core::ops::DerefMut;

use crate::scan::Keyed;
use crate::scan::ScanError;
use crate::scan::Shards;

/// One shard's scan, with the row that was read ahead.
///
/// Its rows must be in the merge's direction: for a backward merge give a backward scan.
///
/// ```
/// use std::convert::Infallible;
/// use isotone::Lane;
/// let rows = [b"\x00a", b"\x00b"].map(Ok::<_, Infallible>);
/// let lane = Lane::new(rows.into_iter());
/// # let _: Lane<_, &[u8; 2]> = lane;
/// ```
#[derive(Clone, Debug)]
pub struct Lane<I, R> {
    rows: I,
    head: Option<ShardRow<R>>,
    /// The lane that lost at the tree's node of this lane's number; the winner at node 0.
    loser: usize,
}

/// A node that no lane has come to.
const VACANT: usize = usize::MAX;

impl<I, R> Lane<I, R> {
    /// A lane over a shard's scan, which gives rows or the engine's errors.
    ///
    /// ```
    /// use std::collections::BTreeMap;
    /// use std::convert::Infallible;
    /// use isotone::Lane;
    /// let map = BTreeMap::from([(b"\x00a".to_vec(), 1)]);
    /// let lane = Lane::new(map.range::<[u8], _>(..).map(Ok::<_, Infallible>));
    /// # let _ = lane;
    /// ```
    pub const fn new<E>(rows: I) -> Self
    where
        I: Iterator<Item = Result<R, E>>,
    {
        Lane { rows, head: None, loser: VACANT }
    }
}

/// A row of a shard whose key is the key as it was before it was sharded.
///
/// ```
/// use std::convert::Infallible;
/// use isotone::{Keyed, Lane, Merge, ScanError, Shards};
/// let shards = Shards::new(16).unwrap();
/// let lanes = [Lane::new([Ok::<_, Infallible>((b"\x0bfoobar", 7))].into_iter())];
/// let row = Merge::ascending(shards, Vec::from(lanes)).next().unwrap()?;
/// assert_eq!(row.key(), b"foobar");
/// assert_eq!(row.shard(), 11);
/// assert_eq!(row.stored_key(), b"\x0bfoobar");
/// assert_eq!(row.into_row().1, 7);
/// # Ok::<(), ScanError<Infallible>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShardRow<R> {
    row: R,
    shard: u16,
    prefix: usize,
}

impl<R> ShardRow<R> {
    /// The shard that the row lies in.
    pub const fn shard(&self) -> u16 {
        self.shard
    }

    /// The engine's row.
    pub const fn row(&self) -> &R {
        &self.row
    }

    /// The engine's row.
    pub fn into_row(self) -> R {
        self.row
    }
}

impl<R: Keyed> ShardRow<R> {
    /// The key as it is stored, with scope and shard.
    pub fn stored_key(&self) -> &[u8] {
        self.row.key()
    }
}

impl<R: Keyed> Keyed for ShardRow<R> {
    fn key(&self) -> &[u8] {
        self.row.key().get(self.prefix..).unwrap_or(&[])
    }
}

/// The rows of some shards in key order, each once, with the shard prefix taken off.
///
/// It takes the lanes in whatever holds a slice of them: `&mut [Lane]`, an `ArrayVec`, a `Vec`; or
/// some of the shards only. Equal keys, which shards of one index never have, come in the lanes'
/// order forward and in reverse backward.
///
/// A lane's error, a key that is not under the shards' prefix, and a lane that runs against the
/// direction end the merge: the error comes right behind the row before it in its lane, and then
/// nothing.
///
/// ```
/// use std::convert::Infallible;
/// use isotone::{Keyed, Lane, Merge, ScanError, Shards};
/// let shards = Shards::new(2).unwrap();
/// let scan = |rows: [&'static [u8]; 2]| Lane::new(rows.into_iter().map(Ok::<_, Infallible>));
/// let mut lanes = [scan([b"\x00d", b"\x00a"]), scan([b"\x01c", b"\x01b"])];
/// let merged = Merge::descending(shards, &mut lanes[..]);
/// let keys: Vec<u8> = merged.map(|row| row.map(|row| row.key()[0])).collect::<Result<_, _>>()?;
/// assert_eq!(keys, *b"dcba");
/// # Ok::<(), ScanError<Infallible>>(())
/// ```
#[derive(Debug)]
pub struct Merge<'s, L, E> {
    lanes: L,
    shards: Shards<'s>,
    backward: bool,
    state: State,
    /// Found when the row before it was taken.
    fault: Option<ScanError<E>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Start,
    Running,
    Done,
}

impl<'s, L, E> Merge<'s, L, E> {
    /// Merges lanes whose rows ascend.
    ///
    /// ```
    /// use std::convert::Infallible;
    /// use isotone::{Keyed, Lane, Merge, ScanError, Shards};
    /// let shards = Shards::new(2).unwrap();
    /// let scan = |rows: [&'static [u8]; 2]| Lane::new(rows.into_iter().map(Ok::<_, Infallible>));
    /// let lanes = vec![scan([b"\x00a", b"\x00d"]), scan([b"\x01b", b"\x01c"])];
    /// let merged = Merge::ascending(shards, lanes);
    /// let keys: Vec<u8> = merged.map(|row| row.map(|row| row.key()[0])).collect::<Result<_, _>>()?;
    /// assert_eq!(keys, *b"abcd");
    /// # Ok::<(), ScanError<Infallible>>(())
    /// ```
    pub const fn ascending<I, R>(shards: Shards<'s>, lanes: L) -> Self
    where
        L: DerefMut<Target = [Lane<I, R>]>,
        I: Iterator<Item = Result<R, E>>,
    {
        Merge { lanes, shards, backward: false, state: State::Start, fault: None }
    }

    /// Merges lanes whose rows descend: what [`ascending`](Self::ascending) gives, in reverse.
    ///
    /// ```
    /// use std::convert::Infallible;
    /// use isotone::{Lane, Merge, ScanError, Shards};
    /// let shards = Shards::new(2).unwrap();
    /// // A forward scan, where a backward one is due.
    /// let lanes = vec![Lane::new([b"\x00a", b"\x00d"].into_iter().map(Ok::<_, Infallible>))];
    /// let mut merged = Merge::descending(shards, lanes);
    /// assert!(merged.next().unwrap().is_ok());
    /// assert_eq!(merged.next().unwrap().unwrap_err(), ScanError::OutOfOrder);
    /// assert!(merged.next().is_none());
    /// ```
    pub const fn descending<I, R>(shards: Shards<'s>, lanes: L) -> Self
    where
        L: DerefMut<Target = [Lane<I, R>]>,
        I: Iterator<Item = Result<R, E>>,
    {
        Merge { lanes, shards, backward: true, state: State::Start, fault: None }
    }

    /// The next row of a lane.
    fn pull<I, R>(&mut self, lane: usize) -> Result<Option<ShardRow<R>>, ScanError<E>>
    where
        L: DerefMut<Target = [Lane<I, R>]>,
        I: Iterator<Item = Result<R, E>>,
        R: Keyed,
    {
        let Some(row) = self.lanes.get_mut(lane).and_then(|lane| lane.rows.next()) else { return Ok(None) };
        let row = row.map_err(ScanError::Engine)?;
        let (shard, _) = self.shards.split(row.key())?;
        Ok(Some(ShardRow { row, shard, prefix: self.shards.prefix_len() }))
    }

    /// Whether lane `a`'s row comes before lane `b`'s. A lane without rows comes last.
    fn is_before<I, R>(&self, a: usize, b: usize) -> bool
    where
        L: DerefMut<Target = [Lane<I, R>]>,
        R: Keyed,
    {
        let head = |lane: usize| self.lanes.get(lane).and_then(|lane| lane.head.as_ref());
        match (head(a), head(b)) {
            (Some(first), Some(second)) => {
                let ordering = first.key().cmp(second.key()).then(a.cmp(&b));
                if self.backward { ordering.is_gt() } else { ordering.is_lt() }
            }
            (head, None) => head.is_some(),
            (None, Some(_)) => false,
        }
    }

    /// Plays lane `winner` up the tree. Its leaf is node `count + winner`; a node's parent is half
    /// its number, and where it stops without a parent it is the winner of all.
    fn play<I, R>(&mut self, mut winner: usize)
    where
        L: DerefMut<Target = [Lane<I, R>]>,
        R: Keyed,
    {
        // In range: a lane takes bytes, so there are fewer than half of all addresses.
        let mut node = self.lanes.len().wrapping_add(winner) / 2;
        while node > 0 {
            let loser = self.lanes.get(node).map_or(VACANT, |lane| lane.loser);
            let vacant = loser == VACANT;
            if vacant || self.is_before(loser, winner) {
                if let Some(lane) = self.lanes.get_mut(node) {
                    lane.loser = winner;
                }
                if vacant {
                    return;
                }
                winner = loser;
            }
            node /= 2;
        }
        if let Some(root) = self.lanes.first_mut() {
            root.loser = winner;
        }
    }

    /// Reads the first row of every lane.
    fn start<I, R>(&mut self) -> Result<(), ScanError<E>>
    where
        L: DerefMut<Target = [Lane<I, R>]>,
        I: Iterator<Item = Result<R, E>>,
        R: Keyed,
    {
        for lane in 0..self.lanes.len() {
            let head = self.pull(lane)?;
            if let Some(lane) = self.lanes.get_mut(lane) {
                (lane.head, lane.loser) = (head, VACANT);
            }
        }
        for lane in 0..self.lanes.len() {
            self.play(lane);
        }
        Ok(())
    }

    /// Takes the next row and reads its lane's next one.
    fn take<I, R>(&mut self) -> Option<ShardRow<R>>
    where
        L: DerefMut<Target = [Lane<I, R>]>,
        I: Iterator<Item = Result<R, E>>,
        R: Keyed,
    {
        let winner = self.lanes.first()?.loser;
        let row = self.lanes.get_mut(winner)?.head.take()?;
        match self.pull(winner) {
            Ok(Some(next)) if self.runs_back(&row, &next) => self.fault = Some(ScanError::OutOfOrder),
            Ok(next) => {
                if let Some(lane) = self.lanes.get_mut(winner) {
                    lane.head = next;
                }
                self.play(winner);
            }
            Err(fault) => self.fault = Some(fault),
        }
        Some(row)
    }

    fn runs_back<R: Keyed>(&self, row: &ShardRow<R>, next: &ShardRow<R>) -> bool {
        let ordering = row.key().cmp(next.key());
        if self.backward { ordering.is_lt() } else { ordering.is_gt() }
    }
}

impl<L, I, R, E> Iterator for Merge<'_, L, E>
where
    L: DerefMut<Target = [Lane<I, R>]>,
    I: Iterator<Item = Result<R, E>>,
    R: Keyed,
{
    type Item = Result<ShardRow<R>, ScanError<E>>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(fault) = self.fault.take() {
            self.state = State::Done;
            return Some(Err(fault));
        }
        match self.state {
            State::Done => return None,
            State::Start => {
                if let Err(fault) = self.start() {
                    self.state = State::Done;
                    return Some(Err(fault));
                }
                self.state = State::Running;
            }
            State::Running => {}
        }
        let row = self.take();
        if row.is_none() {
            self.state = State::Done;
        }
        row.map(Ok)
    }
}

impl<L, I, R, E> FusedIterator for Merge<'_, L, E>
where
    L: DerefMut<Target = [Lane<I, R>]>,
    I: Iterator<Item = Result<R, E>>,
    R: Keyed,
{
}
