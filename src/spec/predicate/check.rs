//! Checks a predicate against a spec before anything is made of it.

use core::cell;

use crate::kind::Kind;
use crate::kind::code;
use crate::raw::sink::Invalid;
use crate::spec::KeySpec;
use crate::spec::predicate::MAX_PREDICATE_DEPTH;
use crate::spec::predicate::MAX_PREDICATE_FIELDS;
use crate::spec::predicate::Predicate;
use crate::spec::predicate::PredicateError;
use crate::spec::predicate::cut;
use crate::spec::predicate::cut::order;
use crate::spec::predicate::cut::place;
use crate::spec::predicate::truth::Facts;
use crate::spec::predicate::truth::SEARCHED;
use crate::spec::predicate::truth::Sorted;
use crate::spec::predicate::truth::named;
use crate::value::Value;

impl<'f, 'p> Facts<'f, 'p> {
    /// What there is to know about a predicate, or why it is none of this spec's.
    pub(super) fn check(spec: &KeySpec<'_>, predicate: &'f Predicate<'p>) -> Result<Self, PredicateError> {
        let mut facts = Facts { predicate, sorted: Sorted::new(), mentioned: 0, steps: cell::Cell::new(0) };
        facts.part(spec, predicate, 0)?;
        Ok(facts)
    }

    fn part(&mut self, spec: &KeySpec<'_>, predicate: &'f Predicate<'p>, depth: usize) -> Result<(), PredicateError> {
        self.mentioned |= named(predicate);
        match predicate {
            Predicate::True | Predicate::False | Predicate::Unknown => Ok(()),
            Predicate::Compare { field, value, .. } => constant(kind(spec, *field)?, *field, value),
            Predicate::In { field, values } => {
                let kind = kind(spec, *field)?;
                values.iter().try_for_each(|value| constant(kind, *field, value))?;
                if values.len() > SEARCHED && is_sorted(kind, values) {
                    // No room means that the list is looked through.
                    let _ = self.sorted.try_push((*field, values));
                }
                Ok(())
            }
            Predicate::Between { field, lower, upper } => {
                let kind = kind(spec, *field)?;
                constant(kind, *field, lower)?;
                constant(kind, *field, upper)
            }
            Predicate::IsNull { field } | Predicate::IsNotNull { field } => kind(spec, *field).map(|_| ()),
            Predicate::StartsWith { field, front } => {
                let kind = kind(spec, *field)?;
                let fits = front.is_null() || front.code() == Some(kind.code());
                match kind.code() {
                    code::BYTES | code::STR if fits => Ok(()),
                    _ => Err(PredicateError::TypeMismatch { field: *field }),
                }
            }
            Predicate::Row { fields, values, .. } => {
                check_row(fields, values)?;
                fields.iter().zip(*values).try_for_each(|(field, value)| constant(kind(spec, *field)?, *field, value))
            }
            Predicate::And(parts) | Predicate::Or(parts) => {
                let depth = deeper(depth)?;
                parts.iter().try_for_each(|part| self.part(spec, part, depth))
            }
            Predicate::Not(part) => self.part(spec, part, deeper(depth)?),
        }
    }
}

/// The depth of what stands inside, if it may.
pub(super) fn deeper(depth: usize) -> Result<usize, PredicateError> {
    if depth < MAX_PREDICATE_DEPTH { Ok(depth.saturating_add(1)) } else { Err(PredicateError::TooDeep) }
}

pub(super) fn check_row(fields: &[usize], values: &[Value<'_>]) -> Result<(), PredicateError> {
    if fields.is_empty() || fields.len() != values.len() {
        return Err(PredicateError::RowLength { fields: fields.len(), values: values.len() });
    }
    Ok(())
}

/// The kind of a field that a condition names.
pub(super) fn kind<'s>(spec: &KeySpec<'s>, field: usize) -> Result<Kind<'s>, PredicateError> {
    let named = if field < MAX_PREDICATE_FIELDS { spec.kind(field) } else { None };
    named.map(|(kind, _)| kind).ok_or(PredicateError::NoSuchField { field })
}

fn constant(kind: Kind<'_>, field: usize, value: &Value<'_>) -> Result<(), PredicateError> {
    cut::check(kind, value).map_err(|invalid| told(invalid, field))
}

pub(super) fn told(invalid: Invalid, field: usize) -> PredicateError {
    match invalid {
        Invalid::Value => PredicateError::InvalidValue { field },
        Invalid::Type => PredicateError::TypeMismatch { field },
    }
}

/// Whether constants ascend and none is null.
fn is_sorted(kind: Kind<'_>, values: &[Value<'_>]) -> bool {
    values.is_sorted_by(|a, b| match (place(kind, *a), place(kind, *b)) {
        (Some(a), Some(b)) => order(kind, &a.low(), &b.low()).is_le() && order(kind, &a.high(), &b.high()).is_le(),
        _ => false,
    })
}
