//! Predicates as ranges of keys.

use core::ops::Deref;

use crate::range::list::RangeList;
use crate::range::storage::Build;
use crate::range::storage::RangeRoom;
use crate::range::storage::ShortStorage;
use crate::spec::KeySpec;
use crate::spec::predicate::Predicate;
use crate::spec::predicate::PredicateError;
use crate::spec::predicate::check::kind;
use crate::spec::predicate::cut::order;
use crate::spec::predicate::cut::place;
use crate::spec::predicate::truth::Facts;
use crate::spec::predicate::walk::Stop;
use crate::spec::predicate::walk::Walk;
use crate::value::Value;

/// The ranges of a predicate: a [`RangeList`], and whether it is exact.
///
/// Every key that the predicate selects lies in the ranges. Where they are not
/// [exact](Self::is_exact), other keys do too: keep a row when the predicate says so of it
/// ([`KeySpec::matches`], [`KeySpec::eval`]).
#[derive(Clone, Copy, Debug)]
pub struct PredicateRanges<'b> {
    list: RangeList<'b>,
    exact: bool,
    left: u32,
}

impl<'b> PredicateRanges<'b> {
    /// Whether the ranges hold no key that the predicate does not select.
    pub const fn is_exact(&self) -> bool {
        self.exact
    }

    /// Indexes of the fields whose conditions the ranges do not settle everywhere, in order: what
    /// is left to filter by. None where the ranges are exact.
    ///
    /// ```
    /// use isotone::{Asc, Predicate, RangeBuffer, Type, Value, key_spec};
    /// let spec = key_spec![Type::I32 => Asc, Type::I32 => Asc];
    /// let predicate = Predicate::And(&[Predicate::gt(0, Value::I32(5)), Predicate::eq(1, Value::I32(3))]);
    /// let mut buffer = RangeBuffer::<4, 64>::new();
    /// let ranges = spec.ranges(&predicate, buffer.room())?;
    /// assert!(ranges.left().eq([1]));
    /// let mut room = [0u8; 8];
    /// for (b, selected) in [(3, true), (4, false)] {
    ///     let key = spec.encode(&[Value::I32(6), Value::I32(b)], &mut room)?;
    ///     assert!(ranges.contains(key));
    ///     assert_eq!(spec.matches(&predicate, key)?, selected);
    /// }
    /// # Ok::<(), isotone::PredicateError>(())
    /// ```
    pub fn left(&self) -> impl Iterator<Item = usize> + use<> {
        let left = self.left;
        (0..u32::BITS).filter(move |field| left >> field & 1 != 0).filter_map(|field| usize::try_from(field).ok())
    }

    /// The ranges.
    pub const fn list(&self) -> RangeList<'b> {
        self.list
    }
}

impl<'b> Deref for PredicateRanges<'b> {
    type Target = RangeList<'b>;

    fn deref(&self) -> &RangeList<'b> {
        &self.list
    }
}

/// How far [`KeySpec::ranges_within`] goes for ranges that hold fewer keys too many.
///
/// ```
/// use isotone::{Asc, Limits, Predicate, RangeBuffer, Type, Value, key_spec};
/// // The first field is not asked about: one range of all keys, or one for each of its values.
/// let spec = key_spec![Type::Bool => Asc, Type::I32 => Asc];
/// let predicate = Predicate::eq(1, Value::I32(7));
/// let mut buffer = RangeBuffer::<8, 64>::new();
/// let ranges = spec.ranges(&predicate, buffer.room())?;
/// assert_eq!((ranges.len(), ranges.is_exact()), (2, true));
/// let ranges = spec.ranges_within(&predicate, Limits { values: 1, ..Limits::NONE }, buffer.room())?;
/// assert_eq!((ranges.len(), ranges.is_exact()), (1, false));
/// # Ok::<(), isotone::PredicateError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Conditions on fields from this index on are left to filter by.
    pub fields: usize,
    /// Between two constants, at most so many values of a field are taken one by one, for the sake
    /// of the fields behind it; a larger interval is kept whole. Each makes at least one range as a
    /// rule, so it is never more than there are slots, and none is taken so where the ranges would
    /// not fit otherwise. Kinds of a fixed width of at most 16 bytes have such values; `timetz` has
    /// not.
    pub values: usize,
    /// At most so many times a constant is looked at.
    pub steps: usize,
}

impl Limits {
    /// All fields, as many values as there are slots, and [`Limits::STEPS`].
    pub const NONE: Limits = Limits { fields: usize::MAX, values: usize::MAX, steps: Limits::STEPS };

    /// The steps that are allowed unless others are asked for: about a second's worth.
    pub const STEPS: usize = 1 << 24;
}

impl Default for Limits {
    fn default() -> Self {
        Limits::NONE
    }
}

impl<'s> KeySpec<'s> {
    /// The ranges of the keys that a predicate selects: sorted, disjoint, and as few as there can
    /// be. In each gap between two of them lies a key that is left out (of composites, networks and
    /// prefixes, where it is not told whether a value lies between two others: bytes that might be
    /// one).
    ///
    /// They are exact where they can be. A condition can't be covered behind a field of which
    /// neither one value nor a few are asked for: the ranges then hold all keys that the conditions
    /// up to that field leave, and [`is_exact`](PredicateRanges::is_exact) says so.
    ///
    /// Nothing is written unless the ranges fit.
    ///
    /// # Errors
    /// [`PredicateError`]; after [`PredicateError::Storage`], lend what it says.
    ///
    /// ```
    /// use isotone::{Asc, AscNullsLast, Predicate, PredicateError, RangeBuffer, ShortStorage, Type, Value, key_spec};
    /// let spec = key_spec![Type::U8 => Asc, Type::I16 => AscNullsLast];
    /// // a IN (1, 2) AND b BETWEEN 3 AND 4
    /// let values = [Value::U8(1), Value::U8(2)];
    /// let parts = [Predicate::is_in(0, &values), Predicate::between(1, Value::I16(3), Value::I16(4))];
    /// let mut buffer = RangeBuffer::<2, 64>::new();
    /// let ranges = spec.ranges(&Predicate::And(&parts), buffer.room())?;
    /// assert_eq!(ranges.get(0).unwrap().start(), [1, 0, 0x80, 3]);
    /// assert_eq!(ranges.get(0).unwrap().end().unwrap(), [1, 0, 0x80, 5]);
    /// assert_eq!(ranges.len(), 2);
    ///
    /// let mut small = RangeBuffer::<1, 64>::new();
    /// let short = ShortStorage { slots: 2, bytes: 16, lent_slots: 1, lent_bytes: 64 };
    /// let error = spec.ranges(&Predicate::And(&parts), small.room()).unwrap_err();
    /// assert_eq!(error, PredicateError::Storage(short));
    ///
    /// // No u8 is -1, and all are above it: no cast, no wrap.
    /// let none = spec.ranges(&Predicate::eq(0, Value::I64(-1)), buffer.room())?;
    /// assert!(none.is_empty() && none.is_exact());
    /// # Ok::<(), PredicateError>(())
    /// ```
    pub fn ranges<'b>(
        &self,
        predicate: &Predicate<'_>,
        room: RangeRoom<'b>,
    ) -> Result<PredicateRanges<'b>, PredicateError> {
        self.ranges_within(predicate, Limits::NONE, room)
    }

    /// As [`ranges`](Self::ranges), within limits.
    ///
    /// # Errors
    /// As [`ranges`](Self::ranges).
    pub fn ranges_within<'b>(
        &self,
        predicate: &Predicate<'_>,
        limits: Limits,
        room: RangeRoom<'b>,
    ) -> Result<PredicateRanges<'b>, PredicateError> {
        let facts = Facts::check(self, predicate)?;
        let many = limits.values.min(room.slots());
        if many > 1 {
            // Counted and dropped where it takes more ranges than there are slots.
            let counted = self.walk(&facts, limits, many, room.slots(), Build::counting());
            if counted.is_ok_and(|count| count.build.fits(&room).is_ok()) {
                return self.written(&facts, limits, many, room);
            }
        }
        let count = self.walk(&facts, limits, 1, usize::MAX, Build::counting()).map_err(stopped)?;
        count.build.fits(&room)?;
        self.written(&facts, limits, 1, room)
    }

    fn written<'b>(
        &self,
        facts: &Facts<'_, '_>,
        limits: Limits,
        values: usize,
        room: RangeRoom<'b>,
    ) -> Result<PredicateRanges<'b>, PredicateError> {
        let Walk { build, exact, left, .. } =
            self.walk(facts, limits, values, usize::MAX, Build::new(room)).map_err(stopped)?;
        Ok(PredicateRanges { list: build.finish(), exact, left })
    }

    fn walk<'w, 'f, 'p, 'b>(
        &self,
        facts: &'w Facts<'f, 'p>,
        limits: Limits,
        values: usize,
        slots: usize,
        build: Build<'b>,
    ) -> Result<Walk<'w, 'f, 'p, 'b>, Stop>
    where
        's: 'w,
    {
        facts.steps.set(limits.steps);
        let fields = facts.fields().min(limits.fields);
        // In range: a length.
        let values = values as u128;
        let spec: KeySpec<'w> = *self;
        let mut walk = Walk { spec, facts, fields, values, slots, build, open: false, exact: true, left: 0 };
        walk.run()?;
        Ok(walk)
    }

    /// Sorts constants in the natural order of a field's kind, for a long
    /// [`Predicate::In`]. Nulls come first; a list with one is not searched by halves, and selects
    /// what it does without unless it is under a NOT.
    ///
    /// # Errors
    /// [`PredicateError::NoSuchField`]. Constants that do not compare with the field's kind end up
    /// anywhere.
    ///
    /// ```
    /// use isotone::{Asc, Type, Value, key_spec};
    /// let spec = key_spec![Type::U8 => Asc];
    /// let mut values = [Value::U8(9), Value::I32(-1), Value::U8(3)];
    /// spec.sort_values(0, &mut values)?;
    /// assert_eq!(values, [Value::I32(-1), Value::U8(3), Value::U8(9)]);
    /// # Ok::<(), isotone::PredicateError>(())
    /// ```
    pub fn sort_values(&self, field: usize, values: &mut [Value<'_>]) -> Result<(), PredicateError> {
        let kind = kind(self, field)?;
        values.sort_unstable_by(|a, b| match (place(kind, *a), place(kind, *b)) {
            (Some(a), Some(b)) => order(kind, &a.low(), &b.low()).then_with(|| order(kind, &a.high(), &b.high())),
            (a, b) => a.is_some().cmp(&b.is_some()),
        });
        Ok(())
    }
}

fn stopped(stop: Stop) -> PredicateError {
    match stop {
        Stop::Steps => PredicateError::TooComplex,
        Stop::Slots => PredicateError::Storage(ShortStorage { slots: 0, bytes: 0, lent_slots: 0, lent_bytes: 0 }),
    }
}
