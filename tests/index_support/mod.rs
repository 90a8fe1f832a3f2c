//! What the tests of the offline engine share: a source of rows, and a store that can die.
#![allow(clippy::arithmetic_side_effects, clippy::unwrap_used, reason = "tests")]

use std::collections::BTreeMap;
use std::convert::Infallible;

use isotone::Inserted;
use isotone::KeyMap;
use isotone::Rekey;
use isotone::RekeyError;
use isotone::RekeySink;
use isotone::Tallies;

/// A store that can die at any call: rows since the last commit are lost with it.
#[derive(Clone, Default)]
pub(crate) struct Store {
    pub(crate) durable: BTreeMap<Vec<u8>, Vec<u8>>,
    pub(crate) checkpoint: Option<Vec<u8>>,
    pub(crate) pending: Vec<(Vec<u8>, Vec<u8>)>,
    pub(crate) calls_left: Option<usize>,
    pub(crate) commits: usize,
}

#[derive(Debug, PartialEq)]
pub(crate) struct Died;

impl Store {
    fn call(&mut self) -> Result<(), Died> {
        match &mut self.calls_left {
            Some(0) => Err(Died),
            Some(n) => {
                *n -= 1;
                Ok(())
            }
            None => Ok(()),
        }
    }
}

impl RekeySink for Store {
    type Error = Died;

    fn insert(&mut self, key: &[u8], value: &[u8]) -> Result<Inserted, Died> {
        self.call()?;
        let earlier = self.pending.iter().find(|(k, _)| k == key).map(|(_, v)| v);
        match earlier.or(self.durable.get(key)) {
            Some(there) if there == value => Ok(Inserted::Same),
            Some(_) => Ok(Inserted::Other),
            None => {
                self.pending.push((key.to_vec(), value.to_vec()));
                Ok(Inserted::New)
            }
        }
    }

    fn commit(&mut self, checkpoint: &[u8]) -> Result<(), Died> {
        self.call()?;
        self.durable.extend(self.pending.drain(..));
        self.checkpoint = Some(checkpoint.to_vec());
        self.commits += 1;
        Ok(())
    }
}

pub(crate) type Rows = BTreeMap<Vec<u8>, Vec<u8>>;

pub(crate) fn feed<'r>(
    rows: &'r Rows,
    after: Option<&[u8]>,
) -> impl Iterator<Item = Result<(&'r [u8], &'r [u8]), Infallible>> + use<'r> {
    let after = after.map(<[u8]>::to_vec);
    rows.iter().filter(move |(k, _)| after.as_ref().is_none_or(|a| *k > a)).map(|(k, v)| Ok((&k[..], &v[..])))
}

/// Copies `rows` into `store`, and whenever that dies goes on from what is durable: with as many
/// calls as `lives` says, then with no limit.
#[track_caller]
pub(crate) fn copy_through_deaths(
    plan: &impl KeyMap,
    rows: &Rows,
    store: &mut Store,
    batch: u64,
    lives: &[usize],
) -> Tallies {
    let mut lives = lives.iter();
    loop {
        let mut state = [0; 512];
        let checkpoint = store.checkpoint.clone();
        let rekey = match &checkpoint {
            Some(stored) => Rekey::resume::<Infallible, Died>(plan, stored, &mut state).unwrap(),
            None => Rekey::start(plan, &mut state),
        };
        let rest = feed(rows, rekey.last_key());
        match rekey.copy(rest, store, batch, &mut [0; 256]) {
            Ok(tallies) => return tallies,
            Err(error) => assert_eq!(error, RekeyError::Sink(Died)),
        }
        // What was not committed is gone, and the process with it.
        store.pending.clear();
        store.calls_left = lives.next().copied();
    }
}
