//! The questions that the demo asks, each said in several ways that know nothing of each other: to
//! isotone as a range and as a predicate, in hand-written bytes, as a condition on decoded values, and
//! in SQL.

mod arrivals;
mod moved;
mod predicates;
mod readings;
mod weather;

use std::ops::Bound;

use isotone::ByteRange;
use isotone::Error;
use isotone::KeySpec;
use isotone::Predicate;
use isotone::Value;

use crate::hand::Hand;
use crate::scan::Keep;

pub(crate) use moved::Arena;

/// One question that is a predicate: what any question is to a generation that it was not made for.
#[derive(Clone, Copy)]
pub(crate) struct Question {
    pub(crate) name: &'static str,
    /// Name of the index that answers it.
    pub(crate) index: &'static str,
    /// The question, over the fields of the index's first generation.
    pub(crate) wanted: Predicate<'static>,
    /// The same, asked of every row of the index.
    pub(crate) keep: Keep,
    /// The same in SQL.
    pub(crate) sql: &'static str,
}

/// One question that one range answers, if need be with a filter.
#[derive(Clone, Copy)]
pub(crate) struct Query {
    pub(crate) name: &'static str,
    /// Name of the index that answers it.
    pub(crate) index: &'static str,
    /// What the first fields of the key equal.
    pub(crate) prefix: &'static [Value<'static>],
    /// What the fields after them satisfy.
    pub(crate) condition: Condition,
    /// The whole question, over the fields of the index's first generation.
    pub(crate) wanted: Predicate<'static>,
    /// What no range can say, and is asked of every row of the range.
    pub(crate) residual: Keep,
    /// The whole question, asked of every row of the index.
    pub(crate) keep: Keep,
    /// The range, written by hand.
    pub(crate) hand: fn() -> Hand,
    /// The whole question in SQL.
    pub(crate) sql: &'static str,
}

/// What isotone makes a range of, behind the prefix.
#[derive(Clone, Copy)]
pub(crate) enum Condition {
    /// Nothing more.
    Any,
    /// The next field lies between two values.
    Between(Bound<Value<'static>>, Bound<Value<'static>>),
    /// The next fields lie between two places of the index.
    Tuples(Bound<&'static [Value<'static>]>, Bound<&'static [Value<'static>]>),
    /// The next field, a text, begins so.
    StartsWith(&'static str),
}

/// Every row of the range.
const ALL: Keep = |_| true;

/// All questions that one range answers.
pub(crate) fn all() -> impl Iterator<Item = &'static Query> {
    const READINGS: &[Query] = &readings::QUERIES;
    const WEATHER: &[Query] = &weather::QUERIES;
    const ARRIVALS: &[Query] = &arrivals::QUERIES;
    READINGS.iter().chain(WEATHER).chain(ARRIVALS)
}

/// All questions that take more than one range, or that only a predicate says.
pub(crate) fn predicates() -> impl Iterator<Item = &'static Question> {
    const PREDICATES: &[Question] = &predicates::QUESTIONS;
    PREDICATES.iter()
}

impl Query {
    /// The same question as a predicate.
    pub(crate) fn question(&self) -> Question {
        let Query { name, index, wanted, keep, sql, .. } = *self;
        Question { name, index, wanted, keep, sql }
    }

    /// Room that is enough for the range, in bytes.
    pub(crate) fn range_size(&self, spec: &KeySpec<'_>) -> Result<usize, Error> {
        match &self.condition {
            Condition::Any => spec.range_size(self.prefix, &[], &[]),
            Condition::Between(lower, upper) => spec.range_size(self.prefix, one_or_none(lower), one_or_none(upper)),
            Condition::Tuples(first, last) => spec.range_size(self.prefix, some_or_none(*first), some_or_none(*last)),
            Condition::StartsWith(front) => {
                let front = [Value::str(front)];
                spec.range_size(self.prefix, &front, &front)
            }
        }
    }

    /// The keys of the range. Borrows `room`.
    pub(crate) fn range<'b>(&self, spec: &KeySpec<'_>, room: &'b mut [u8]) -> Result<ByteRange<&'b [u8]>, Error> {
        match self.condition {
            Condition::Any => spec.prefix_range(self.prefix, room),
            Condition::Between(lower, upper) => spec.field_range(self.prefix, lower, upper, room),
            Condition::Tuples(first, last) => spec.tuple_range(self.prefix, first, last, room),
            Condition::StartsWith(front) => spec.starts_with_range(self.prefix, Value::str(front), room),
        }
    }
}

fn one_or_none<T>(bound: &Bound<T>) -> &[T] {
    some_or_none(bound.as_ref().map(std::slice::from_ref))
}

fn some_or_none<T>(bound: Bound<&[T]>) -> &[T] {
    match bound {
        Bound::Included(values) | Bound::Excluded(values) => values,
        Bound::Unbounded => &[],
    }
}
