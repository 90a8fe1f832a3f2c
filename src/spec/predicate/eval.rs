//! Predicates of a row, value by value: what is left to filter by. Shares no step with the ranges.

use core::cmp::Ordering;

use crate::kind::Kind;
use crate::kind::code;
use crate::spec::KeySpec;
use crate::spec::predicate::MAX_PREDICATE_FIELDS;
use crate::spec::predicate::Op;
use crate::spec::predicate::Predicate;
use crate::spec::predicate::PredicateError;
use crate::spec::predicate::check::check_row;
use crate::spec::predicate::check::deeper;
use crate::spec::predicate::check::kind;
use crate::spec::predicate::check::told;
use crate::spec::predicate::cut;
use crate::spec::predicate::cut::begins_with;
use crate::spec::predicate::number::Integer;
use crate::spec::predicate::number::Number;
use crate::spec::predicate::number::cmp_floats;
use crate::spec::predicate::truth::named;
use crate::value::Value;
use crate::value::compare::compare;

/// True, false, or unknown.
type Truth = Option<bool>;

fn and(a: Truth, b: Truth) -> Truth {
    match (a, b) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    }
}

fn not(a: Truth) -> Truth {
    a.map(|a| !a)
}

fn or(a: Truth, b: Truth) -> Truth {
    not(and(not(a), not(b)))
}

impl<'s> KeySpec<'s> {
    /// What a predicate comes to for a row, one value for each field: true, false, or unknown
    /// (`None`). A row is selected when it is `Some(true)`.
    ///
    /// # Errors
    /// [`Error::WrongArity`](crate::Error::WrongArity) for a row of another length; else what is wrong with a condition or a
    /// value that was looked at. A condition that can't change the outcome any more is not looked
    /// at.
    ///
    /// ```
    /// use isotone::{AscNullsLast, Predicate, Type, Value, key_spec};
    /// let spec = key_spec![Type::I32 => AscNullsLast];
    /// let predicate = Predicate::ne(0, Value::I32(1));
    /// assert_eq!(spec.eval(&predicate, &[Value::I32(2)])?, Some(true));
    /// assert_eq!(spec.eval(&predicate, &[Value::I32(1)])?, Some(false));
    /// assert_eq!(spec.eval(&predicate, &[Value::Null])?, None);
    /// # Ok::<(), isotone::PredicateError>(())
    /// ```
    pub fn eval(&self, predicate: &Predicate<'_>, row: &[Value<'_>]) -> Result<Truth, PredicateError> {
        self.check_arity(row.len())?;
        Row { spec: self, row }.of(predicate, 0)
    }

    /// Whether a predicate selects a key. Reads no further than the last field that has a
    /// condition.
    ///
    /// # Errors
    /// As [`field`](Self::field) and [`eval`](Self::eval).
    ///
    /// ```
    /// use isotone::{Asc, Predicate, Type, Value, key_spec};
    /// let spec = key_spec![Type::U8 => Asc, Type::Str => Asc];
    /// let key = [7, b'a', b'b', 0, 0];
    /// assert!(spec.matches(&Predicate::starts_with(1, Value::str("a")), &key)?);
    /// assert!(!spec.matches(&Predicate::starts_with(1, Value::str("b")), &key)?);
    /// # Ok::<(), isotone::PredicateError>(())
    /// ```
    pub fn matches<'k>(&self, predicate: &Predicate<'_>, key: &'k [u8]) -> Result<bool, PredicateError>
    where
        's: 'k,
    {
        let fields = mentioned(predicate, 0)?;
        let mut row = [Value::Null; MAX_PREDICATE_FIELDS];
        let mut reader = self.reader(key)?;
        for (field, slot) in row.iter_mut().enumerate().take(self.arity()) {
            match fields.checked_shr(u32::try_from(field).unwrap_or(u32::MAX)) {
                None | Some(0) => break,
                Some(rest) if rest & 1 == 1 => *slot = reader.value()?,
                Some(_) => reader.skip()?,
            }
        }
        Ok(Row { spec: self, row: &row }.of(predicate, 0)? == Some(true))
    }
}

/// The fields that have a condition; a bit for each.
fn mentioned(predicate: &Predicate<'_>, depth: usize) -> Result<u32, PredicateError> {
    match predicate {
        Predicate::And(parts) | Predicate::Or(parts) => {
            let depth = deeper(depth)?;
            parts.iter().try_fold(0, |fields, part| Ok(fields | mentioned(part, depth)?))
        }
        Predicate::Not(part) => mentioned(part, deeper(depth)?),
        _ => Ok(named(predicate)),
    }
}

struct Row<'r, 's, 'v> {
    spec: &'r KeySpec<'s>,
    row: &'r [Value<'v>],
}

impl<'s, 'v> Row<'_, 's, 'v> {
    fn of(&self, predicate: &Predicate<'_>, depth: usize) -> Result<Truth, PredicateError> {
        Ok(match *predicate {
            Predicate::True => Some(true),
            Predicate::False => Some(false),
            Predicate::Unknown => None,
            Predicate::Compare { field, op, ref value } => self.compared(field, op, value)?,
            Predicate::In { field, values } => {
                let mut any = Some(false);
                for value in values {
                    any = or(any, self.compared(field, Op::Eq, value)?);
                    if any == Some(true) {
                        break;
                    }
                }
                any
            }
            Predicate::Between { field, ref lower, ref upper } => {
                and(self.compared(field, Op::Ge, lower)?, self.compared(field, Op::Le, upper)?)
            }
            Predicate::IsNull { field } => Some(self.field(field)?.1.is_null()),
            Predicate::IsNotNull { field } => Some(!self.field(field)?.1.is_null()),
            Predicate::StartsWith { field, ref front } => {
                let (_, value) = self.field(field)?;
                match (value, front) {
                    (Value::Null, _) | (_, Value::Null) => None,
                    (Value::Bytes(_), Value::Bytes(_)) | (Value::Str(_), Value::Str(_)) => {
                        Some(begins_with(value, front))
                    }
                    _ => return Err(PredicateError::TypeMismatch { field }),
                }
            }
            Predicate::Row { fields, op, values } => self.rows(fields, op, values)?,
            Predicate::And(parts) => {
                let depth = deeper(depth)?;
                let mut all = Some(true);
                for part in parts {
                    all = and(all, self.of(part, depth)?);
                    if all == Some(false) {
                        break;
                    }
                }
                all
            }
            Predicate::Or(parts) => {
                let depth = deeper(depth)?;
                let mut any = Some(false);
                for part in parts {
                    any = or(any, self.of(part, depth)?);
                    if any == Some(true) {
                        break;
                    }
                }
                any
            }
            Predicate::Not(part) => not(self.of(part, deeper(depth)?)?),
        })
    }

    fn field(&self, field: usize) -> Result<(Kind<'s>, &Value<'v>), PredicateError> {
        let kind = kind(self.spec, field)?;
        self.row.get(field).map(|value| (kind, value)).ok_or(PredicateError::NoSuchField { field })
    }

    fn compared(&self, field: usize, op: Op, constant: &Value<'_>) -> Result<Truth, PredicateError> {
        Ok(self.ordering(field, constant)?.map(|ordering| op.holds(ordering)))
    }

    /// How the field's value stands to a constant; unknown with a null.
    fn ordering(&self, field: usize, constant: &Value<'_>) -> Result<Option<Ordering>, PredicateError> {
        let (kind, value) = self.field(field)?;
        if value.is_null() || constant.is_null() {
            return Ok(None);
        }
        if constant.code() == Some(kind.code()) {
            // Values of these kinds compare even where they can't be written. (Those of a known
            // collation do too, but to check them takes a collation.)
            if matches!(kind.code(), code::FIXED | code::DECIMAL) {
                cut::check(kind, constant).map_err(|invalid| told(invalid, field))?;
            }
            return compare(kind, value, constant).map(Some).map_err(|invalid| told(invalid, field));
        }
        let mismatch = PredicateError::TypeMismatch { field };
        if value.code() != Some(kind.code()) {
            return Err(mismatch);
        }
        let ordering = match (value, constant) {
            (Value::F32(a), Value::F64(b)) => Some(cmp_floats((*a).into(), *b)),
            (Value::F64(a), Value::F32(b)) => Some(cmp_floats(*a, (*b).into())),
            _ => match (Integer::of(value), Integer::of(constant)) {
                (Some(a), _) => Number::of(constant).map(|b| a.cmp(b)),
                (None, Some(b)) => Number::of(value).map(|a| b.cmp(a).reverse()),
                (None, None) => None,
            },
        };
        ordering.map(Some).ok_or(mismatch)
    }

    fn rows(&self, fields: &[usize], op: Op, values: &[Value<'_>]) -> Result<Truth, PredicateError> {
        check_row(fields, values)?;
        let mut equal = Some(true);
        for (field, value) in fields.iter().zip(values) {
            let ordering = self.ordering(*field, value)?;
            match (op, ordering) {
                (Op::Eq | Op::Ne, _) => equal = and(equal, ordering.map(Ordering::is_eq)),
                (_, Some(Ordering::Equal)) => {}
                (_, ordering) => return Ok(ordering.map(|ordering| op.holds(ordering))),
            }
        }
        Ok(equal.map(|equal| op.holds(if equal { Ordering::Equal } else { Ordering::Less })))
    }
}
