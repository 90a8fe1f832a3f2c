//! Loose index scan: one row of each distinct prefix, by seeking past all others.
//!
//! Devices of a table of readings, the newest reading of each, the tenants that have rows: a full
//! scan would read every row, this one reads one or two for each distinct prefix. It pays where
//! many rows share a prefix; where most prefixes have one row, a plain scan is faster.
//!
//! Behind a row the scan seeks to the least bytes above all keys with its prefix, and going
//! backward to the prefix itself. Both are exact, so no row is read twice and none is missed. Only
//! the prefix's fields of a key are looked at.

use core::iter::FusedIterator;

use crate::error::Error;
use crate::range::ByteRange;
use crate::range::prefix_upper_bound;
use crate::scan::Keyed;
use crate::scan::ScanError;
use crate::scan::Seek;
use crate::spec::KeySpec;

/// One row for each distinct prefix of some fields among the rows of a range, in key order; from
/// the back, in reverse. Nulls equal nulls, as everywhere in keys.
///
/// Costs one seek a prefix for its first row going forward or its last going backward, two for the
/// others. After an error the scan is over: [`Error::ShortBuffer`] comes with what would have been
/// enough for this row, in place of the row.
///
/// ```
/// use std::collections::BTreeMap;
/// use std::convert::Infallible;
/// use isotone::{Asc, AscNullsLast, ByteRange, KeySpec, LooseScan, ScanError, Seek, Type, Value, key_spec};
///
/// struct Table<'t>(&'t BTreeMap<Vec<u8>, i32>);
///
/// impl<'t> Seek for Table<'t> {
///     type Row = (&'t Vec<u8>, &'t i32);
///     type Error = Infallible;
///     fn first(&mut self, range: ByteRange<&[u8]>) -> Result<Option<Self::Row>, Infallible> {
///         Ok(self.0.range::<[u8], _>(range).next())
///     }
///     fn last(&mut self, range: ByteRange<&[u8]>) -> Result<Option<Self::Row>, Infallible> {
///         Ok(self.0.range::<[u8], _>(range).next_back())
///     }
/// }
///
/// const READINGS: KeySpec<'static> = key_spec![Type::Str => AscNullsLast, Type::I64 => Asc];
/// let (mut map, mut room) = (BTreeMap::new(), [0u8; 64]);
/// for (device, time, reading) in [("fan", 1, 10), ("fan", 2, 11), ("pump", 1, 20), ("pump", 9, 21)] {
///     let key = READINGS.encode(&[device.into(), Value::I64(time)], &mut room)?;
///     map.insert(key.to_vec(), reading);
/// }
///
/// // The latest reading of each device, from one buffer for the seeks.
/// let (mut ends, mut seeks) = ([0u8; 64], [0u8; 64]);
/// let all = READINGS.prefix_range(&[], &mut ends)?;
/// let latest = LooseScan::last_rows(Table(&map), READINGS, 1, all, &mut seeks)?;
/// let latest: Vec<i32> = latest.map(|row| row.map(|(_, v)| *v)).collect::<Result<_, _>>()?;
/// assert_eq!(latest, [11, 21]);
/// # Ok::<(), ScanError<Infallible>>(())
/// ```
#[derive(Debug)]
pub struct LooseScan<'a, S> {
    source: S,
    spec: KeySpec<'a>,
    fields: usize,
    pick: Pick,
    left: Left<'a>,
    done: bool,
}

/// Which row of each prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pick {
    First,
    Last,
}

impl<'a, S: Seek> LooseScan<'a, S> {
    /// The first row in the range of each distinct prefix of `fields` fields.
    ///
    /// With no fields all keys have one prefix: this is the range's first row. `room` keeps the
    /// place between two calls: as many bytes as the longest prefix, its scope included, are enough
    /// for one direction, twice as many for both.
    ///
    /// # Errors
    /// [`Error::InvalidPrefixLength`] for more fields than there are.
    ///
    /// ```
    /// # use std::collections::BTreeMap;
    /// # use std::convert::Infallible;
    /// # use isotone::{Asc, ByteRange, LooseScan, ScanError, Seek, Type, key_spec};
    /// # struct Table<'t>(&'t BTreeMap<[u8; 2], ()>);
    /// # impl<'t> Seek for Table<'t> {
    /// #     type Row = (&'t [u8; 2], &'t ());
    /// #     type Error = Infallible;
    /// #     fn first(&mut self, range: ByteRange<&[u8]>) -> Result<Option<Self::Row>, Infallible> {
    /// #         Ok(self.0.iter().find(|(key, _)| range.contains(&key[..])))
    /// #     }
    /// #     fn last(&mut self, range: ByteRange<&[u8]>) -> Result<Option<Self::Row>, Infallible> {
    /// #         Ok(self.0.iter().rfind(|(key, _)| range.contains(&key[..])))
    /// #     }
    /// # }
    /// let map = BTreeMap::from([([1, 5], ()), ([1, 6], ()), ([2, 0], ()), ([2, 9], ())]);
    /// let spec = key_spec![Type::U8 => Asc, Type::U8 => Asc];
    /// let mut room = [0u8; 1];
    /// // A range that begins inside a prefix: its first row in the range.
    /// let range = ByteRange::new(&[1, 6][..], None);
    /// let mut rows = LooseScan::first_rows(Table(&map), spec, 1, range, &mut room)?;
    /// assert_eq!(rows.next().transpose()?.unwrap().0, &[1, 6]);
    /// assert_eq!(rows.next().transpose()?.unwrap().0, &[2, 0]);
    /// assert!(rows.next().is_none());
    /// # Ok::<(), ScanError<Infallible>>(())
    /// ```
    pub fn first_rows(
        source: S,
        spec: KeySpec<'a>,
        fields: usize,
        range: ByteRange<&'a [u8]>,
        room: &'a mut [u8],
    ) -> Result<Self, Error> {
        Self::new(source, spec, fields, range, room, Pick::First)
    }

    /// The last row in the range of each distinct prefix of `fields` fields; else as
    /// [`first_rows`](Self::first_rows). Take it from the back (`rev`) where the order of the
    /// prefixes does not matter: that saves a seek for each.
    ///
    /// # Errors
    /// [`Error::InvalidPrefixLength`] for more fields than there are.
    ///
    /// ```
    /// # use std::collections::BTreeMap;
    /// # use std::convert::Infallible;
    /// # use isotone::{Asc, ByteRange, LooseScan, ScanError, Seek, Type, key_spec};
    /// # struct Table<'t>(&'t BTreeMap<[u8; 2], ()>);
    /// # impl<'t> Seek for Table<'t> {
    /// #     type Row = (&'t [u8; 2], &'t ());
    /// #     type Error = Infallible;
    /// #     fn first(&mut self, range: ByteRange<&[u8]>) -> Result<Option<Self::Row>, Infallible> {
    /// #         Ok(self.0.iter().find(|(key, _)| range.contains(&key[..])))
    /// #     }
    /// #     fn last(&mut self, range: ByteRange<&[u8]>) -> Result<Option<Self::Row>, Infallible> {
    /// #         Ok(self.0.iter().rfind(|(key, _)| range.contains(&key[..])))
    /// #     }
    /// # }
    /// let map = BTreeMap::from([([1, 5], ()), ([1, 6], ()), ([2, 0], ()), ([2, 9], ())]);
    /// let spec = key_spec![Type::U8 => Asc, Type::U8 => Asc];
    /// let mut room = [0u8; 1];
    /// let range = ByteRange::new(&[][..], None);
    /// let rows = LooseScan::last_rows(Table(&map), spec, 1, range, &mut room)?;
    /// let keys: Vec<[u8; 2]> = rows.rev().map(|row| row.map(|(key, _)| *key)).collect::<Result<_, _>>()?;
    /// assert_eq!(keys, [[2, 9], [1, 6]]);
    /// # Ok::<(), ScanError<Infallible>>(())
    /// ```
    pub fn last_rows(
        source: S,
        spec: KeySpec<'a>,
        fields: usize,
        range: ByteRange<&'a [u8]>,
        room: &'a mut [u8],
    ) -> Result<Self, Error> {
        Self::new(source, spec, fields, range, room, Pick::Last)
    }

    fn new(
        source: S,
        spec: KeySpec<'a>,
        fields: usize,
        range: ByteRange<&'a [u8]>,
        room: &'a mut [u8],
        pick: Pick,
    ) -> Result<Self, Error> {
        if fields > spec.arity() {
            return Err(Error::InvalidPrefixLength { most: spec.arity(), got: fields });
        }
        let left = Left { range, room, front: None, back: None };
        Ok(LooseScan { source, spec, fields, pick, left, done: false })
    }

    /// Whether a prefix can have more than one row.
    fn groups(&self) -> bool {
        self.fields < self.spec.arity()
    }

    /// The front of a key that its group shares.
    fn prefix<'k>(&self, key: &'k [u8]) -> Result<&'k [u8], Error> {
        let at = self.spec.skip(key, self.fields)?;
        match key.split_at_checked(at) {
            // With all fields in the prefix, what follows them is no part of a key.
            Some((_, [_, ..])) if !self.groups() => Err(Error::TrailingBytes { at }),
            Some((prefix, _)) => Ok(prefix),
            None => Ok(key),
        }
    }

    fn take_front(&mut self) -> Result<Option<S::Row>, ScanError<S::Error>> {
        let Some(row) = first(&mut self.source, self.left.range())? else { return Ok(None) };
        self.done = !self.left.drop_front(self.prefix(row.key())?)?;
        if self.pick == Pick::First || !self.groups() {
            return Ok(Some(row));
        }
        // The prefix's rows go on to where the rest begins; where there is none, to the end.
        let rest = ByteRange::new(row.key(), self.left.end());
        let group = ByteRange::new(row.key(), self.left.front_bytes());
        let found = last(&mut self.source, rest.intersect(&group))?;
        // None only when the row was removed since: then it stands for its prefix.
        Ok(Some(found.unwrap_or(row)))
    }

    fn take_back(&mut self) -> Result<Option<S::Row>, ScanError<S::Error>> {
        let Some(row) = last(&mut self.source, self.left.range())? else { return Ok(None) };
        let prefix = self.prefix(row.key())?;
        let found = if self.pick == Pick::First && self.groups() {
            let group = ByteRange::new(prefix, None);
            first(&mut self.source, self.left.range().intersect(&group))?
        } else {
            None
        };
        self.left.drop_back(prefix)?;
        Ok(Some(found.unwrap_or(row)))
    }

    fn step(
        &mut self,
        take: impl FnOnce(&mut Self) -> Result<Option<S::Row>, ScanError<S::Error>>,
    ) -> Option<Result<S::Row, ScanError<S::Error>>> {
        if self.done {
            return None;
        }
        let row = take(self).transpose();
        if !matches!(row, Some(Ok(_))) {
            self.done = true;
        }
        row
    }
}

impl<S: Seek> Iterator for LooseScan<'_, S> {
    type Item = Result<S::Row, ScanError<S::Error>>;

    fn next(&mut self) -> Option<Self::Item> {
        self.step(Self::take_front)
    }
}

impl<S: Seek> DoubleEndedIterator for LooseScan<'_, S> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.step(Self::take_back)
    }
}

impl<S: Seek> FusedIterator for LooseScan<'_, S> {}

fn first<S: Seek>(source: &mut S, range: ByteRange<&[u8]>) -> Result<Option<S::Row>, ScanError<S::Error>> {
    if range.is_empty() {
        return Ok(None);
    }
    found(source.first(range), range)
}

fn last<S: Seek>(source: &mut S, range: ByteRange<&[u8]>) -> Result<Option<S::Row>, ScanError<S::Error>> {
    if range.is_empty() {
        return Ok(None);
    }
    found(source.last(range), range)
}

/// Holds the engine to its range: one that gives other rows could keep a scan going for ever.
fn found<R: Keyed, E>(row: Result<Option<R>, E>, range: ByteRange<&[u8]>) -> Result<Option<R>, ScanError<E>> {
    match row.map_err(ScanError::Engine)? {
        Some(row) if !range.contains(row.key()) => Err(ScanError::OutOfOrder),
        row => Ok(row),
    }
}

/// What is left of the range. Once a prefix was taken from the front the start lies at the front
/// of the room, and once one was taken from the back the end lies at its back.
#[derive(Debug)]
struct Left<'a> {
    range: ByteRange<&'a [u8]>,
    room: &'a mut [u8],
    front: Option<usize>,
    back: Option<usize>,
}

impl Left<'_> {
    fn front_bytes(&self) -> Option<&[u8]> {
        self.front.and_then(|n| self.room.get(..n))
    }

    fn end(&self) -> Option<&[u8]> {
        match self.back {
            Some(n) => self.room.get(self.room.len().saturating_sub(n)..),
            None => self.range.end(),
        }
    }

    fn range(&self) -> ByteRange<&[u8]> {
        match self.front_bytes() {
            Some(start) => ByteRange::new(start, self.end()),
            None if self.range.excludes_start() => ByteRange::after(self.range.start(), self.end()),
            None => ByteRange::new(self.range.start(), self.end()),
        }
    }

    /// Begins above all keys with this prefix. Where there can be none, says false and leaves no
    /// front.
    fn drop_front(&mut self, prefix: &[u8]) -> Result<bool, Error> {
        let available = self.room.len();
        let back = self.back.unwrap_or(0);
        let room = self.room.get_mut(..available.saturating_sub(back)).unwrap_or(&mut []);
        let start = prefix_upper_bound(prefix, room).map_err(|error| match error {
            Error::ShortBuffer { needed, .. } => Error::ShortBuffer { needed: needed.saturating_add(back), available },
            error => error,
        })?;
        self.front = start.map(<[u8]>::len);
        Ok(self.front.is_some())
    }

    /// Ends before all keys with this prefix.
    fn drop_back(&mut self, prefix: &[u8]) -> Result<(), Error> {
        let available = self.room.len();
        let needed = self.front.unwrap_or(0).saturating_add(prefix.len());
        if needed > available {
            return Err(Error::ShortBuffer { needed, available });
        }
        if let Some(end) = self.room.get_mut(available.saturating_sub(prefix.len())..) {
            end.copy_from_slice(prefix);
        }
        self.back = Some(prefix.len());
        Ok(())
    }
}
