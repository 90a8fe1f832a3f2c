//! Conditions over the fields of a key, in SQL's three-valued logic, and the ranges of keys that
//! hold them.

mod check;
mod cut;
mod domain;
mod edge;
mod eval;
mod nearest;
mod number;
mod ranges;
mod truth;
mod walk;

pub use ranges::Limits;
pub use ranges::PredicateRanges;

use core::cmp::Ordering;

use crate::error::Error;
use crate::range::storage::ShortStorage;
use crate::value::Value;

/// At most this many [`Predicate::And`], [`Or`](Predicate::Or) and [`Not`](Predicate::Not) enclose
/// a condition.
pub const MAX_PREDICATE_DEPTH: usize = 32;

/// Conditions name only fields with an index below this.
pub const MAX_PREDICATE_FIELDS: usize = 32;

/// A condition over the fields of a key: a tree that borrows its parts, usable in a `const`.
///
/// Its outcome is true, false or unknown, as in SQL: comparing with a null, or a null with
/// anything, is unknown, NOT of unknown is unknown, and only true selects a row. Values compare in
/// their natural order (that of [`KeySpec`](crate::KeySpec)'s bytes), whatever the field's
/// direction; NaN is equal to itself and above every other number.
///
/// **Constants** are of the field's kind, or numbers that compare exactly with it: an integer of
/// any width and sign with any integer, float or decimal field, a float with an integer or float
/// field, a decimal with an integer field. None is ever converted: `-1` is below all values of an
/// unsigned field, `2^40` above all of an `i32`, and `2.5` between 2 and 3. Anything else is
/// [`PredicateError::TypeMismatch`], a value outside its own kind's domain
/// [`PredicateError::InvalidValue`].
///
/// ```
/// use isotone::{AscNullsLast, Desc, Op, Predicate, RangeBuffer, Type, Value, key_spec};
/// let spec = key_spec![Type::Str => AscNullsLast, Type::I32 => Desc];
/// // device IN ('fan', 'pump') AND at >= 5
/// const WANTED: Predicate<'static> = Predicate::And(&[
///     Predicate::is_in(0, &[Value::str("fan"), Value::str("pump")]),
///     Predicate::ge(1, Value::I32(5)),
/// ]);
/// let mut buffer = RangeBuffer::<8, 256>::new();
/// let ranges = spec.ranges(&WANTED, buffer.room())?;
/// assert_eq!(ranges.len(), 2);
/// assert!(ranges.is_exact());
///
/// let mut room = [0u8; 32];
/// assert!(ranges.contains(spec.encode(&["pump".into(), Value::I32(9)], &mut room)?));
/// assert!(!ranges.contains(spec.encode(&["pump".into(), Value::I32(4)], &mut room)?));
/// assert!(!ranges.contains(spec.encode(&[Value::Null, Value::I32(9)], &mut room)?));
/// # Ok::<(), isotone::PredicateError>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Predicate<'p> {
    /// Always true.
    True,
    /// Always false.
    False,
    /// Always unknown: SQL's NULL as a condition.
    Unknown,
    /// The field, compared with a constant.
    Compare {
        /// Index of the field, from 0.
        field: usize,
        /// Which comparison.
        op: Op,
        /// The constant; with a null the outcome is unknown.
        value: Value<'p>,
    },
    /// The field equals one of the constants. With a null among them the outcome is true or
    /// unknown, so that NOT of it selects nothing. Of no constants it is false.
    ///
    /// A list in ascending order, as [`KeySpec::sort_values`](crate::KeySpec::sort_values) leaves
    /// it, is searched by halves; one that is not takes time in its length squared.
    In {
        /// Index of the field, from 0.
        field: usize,
        /// The constants.
        values: &'p [Value<'p>],
    },
    /// Lower ≤ field AND field ≤ upper.
    Between {
        /// Index of the field, from 0.
        field: usize,
        /// The least value that is included.
        lower: Value<'p>,
        /// The greatest value that is included.
        upper: Value<'p>,
    },
    /// The field is null. True or false, never unknown.
    IsNull {
        /// Index of the field, from 0.
        field: usize,
    },
    /// The field is not null. True or false, never unknown.
    IsNotNull {
        /// Index of the field, from 0.
        field: usize,
    },
    /// The field, of kind bytes or str, begins with a constant of its kind.
    StartsWith {
        /// Index of the field, from 0.
        field: usize,
        /// The front; with a null the outcome is unknown.
        front: Value<'p>,
    },
    /// Fields compared with constants as SQL compares rows: `(a, b) < (1, 2)`. The first pair that
    /// is not equal decides; if it has a null, the outcome is unknown. `=` and `<>` compare pair by
    /// pair: any pair that differs decides, whatever nulls the others have.
    Row {
        /// Indexes of the fields, in any order.
        fields: &'p [usize],
        /// Which comparison.
        op: Op,
        /// As many constants.
        values: &'p [Value<'p>],
    },
    /// All of them; of none it is true.
    And(&'p [Predicate<'p>]),
    /// Any of them; of none it is false.
    Or(&'p [Predicate<'p>]),
    /// The opposite; of unknown, unknown.
    Not(&'p Predicate<'p>),
}

/// A comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// `=`
    Eq,
    /// `<>`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
}

impl Op {
    /// Whether the comparison holds of two that stand so.
    pub(crate) const fn holds(self, ordering: Ordering) -> bool {
        match self {
            Op::Eq => ordering.is_eq(),
            Op::Ne => ordering.is_ne(),
            Op::Lt => ordering.is_lt(),
            Op::Le => ordering.is_le(),
            Op::Gt => ordering.is_gt(),
            Op::Ge => ordering.is_ge(),
        }
    }
}

macro_rules! comparisons {
    ($($name:ident $op:ident $sign:literal;)*) => {$(
        #[doc = concat!("Field `", $sign, "` value.")]
        pub const fn $name(field: usize, value: Value<'p>) -> Self {
            Predicate::Compare { field, op: Op::$op, value }
        }
    )*};
}

/// Conditions by name, in a `const` too.
impl<'p> Predicate<'p> {
    comparisons! { eq Eq "="; ne Ne "<>"; lt Lt "<"; le Le "<="; gt Gt ">"; ge Ge ">="; }

    /// Field IN (values).
    pub const fn is_in(field: usize, values: &'p [Value<'p>]) -> Self {
        Predicate::In { field, values }
    }

    /// Field BETWEEN lower AND upper, both included.
    pub const fn between(field: usize, lower: Value<'p>, upper: Value<'p>) -> Self {
        Predicate::Between { field, lower, upper }
    }

    /// Field IS NULL.
    pub const fn is_null(field: usize) -> Self {
        Predicate::IsNull { field }
    }

    /// Field IS NOT NULL.
    pub const fn is_not_null(field: usize) -> Self {
        Predicate::IsNotNull { field }
    }

    /// Field begins with a text or bytes.
    pub const fn starts_with(field: usize, front: Value<'p>) -> Self {
        Predicate::StartsWith { field, front }
    }

    /// (fields) op (values).
    ///
    /// ```
    /// use isotone::{Asc, Desc, Op, Predicate, RangeBuffer, Type, Value, key_spec};
    /// // (a, b) > (1, 2) over mixed directions: a = 1 AND b > 2, then a > 1.
    /// let spec = key_spec![Type::I32 => Asc, Type::I32 => Desc];
    /// let values = [Value::I32(1), Value::I32(2)];
    /// let mut buffer = RangeBuffer::<2, 32>::new();
    /// let ranges = spec.ranges(&Predicate::row(&[0, 1], Op::Gt, &values), buffer.room())?;
    /// assert_eq!((ranges.len(), ranges.is_exact()), (2, true));
    /// # Ok::<(), isotone::PredicateError>(())
    /// ```
    pub const fn row(fields: &'p [usize], op: Op, values: &'p [Value<'p>]) -> Self {
        Predicate::Row { fields, op, values }
    }
}

/// Why a predicate could not be evaluated, or made into ranges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum PredicateError {
    /// The spec has no such field, or it is not below [`MAX_PREDICATE_FIELDS`].
    #[error("no field {field} to put a condition on")]
    NoSuchField {
        /// The index as given.
        field: usize,
    },
    /// A constant, or a row's value, is of a type that does not compare with the field's kind.
    #[error("value does not compare with the kind of field {field}")]
    TypeMismatch {
        /// Index of the field, from 0.
        field: usize,
    },
    /// A constant lies outside its own kind's domain, so that it has no place in the order.
    #[error("invalid value for field {field}")]
    InvalidValue {
        /// Index of the field, from 0.
        field: usize,
    },
    /// A row comparison has no fields, or not as many values.
    #[error("a row comparison of {fields} fields with {values} values")]
    RowLength {
        /// Fields given.
        fields: usize,
        /// Values given.
        values: usize,
    },
    /// More than [`MAX_PREDICATE_DEPTH`] conditions enclose another.
    #[error("more than {MAX_PREDICATE_DEPTH} conditions enclose another")]
    TooDeep,
    /// Finding the ranges would take more than [`Limits::steps`] steps. Ask for less: fewer
    /// [`Limits::fields`], or sorted lists.
    #[error("the ranges of this predicate take too many steps to find")]
    TooComplex,
    /// The lent storage does not hold the ranges.
    #[error(transparent)]
    Storage(#[from] ShortStorage),
    /// The key or the row is none of the spec's.
    #[error(transparent)]
    Key(#[from] Error),
}
