//! What a predicate comes to when only the first fields of a key are known, and those only as far
//! as which constants they lie between.

use core::cell;

use arrayvec::ArrayVec;

use crate::kind::Kind;
use crate::order::FieldOrder;
use crate::spec::predicate::Op;
use crate::spec::predicate::Predicate;
use crate::spec::predicate::cut::Place;
use crate::spec::predicate::cut::Span;
use crate::spec::predicate::cut::front_span;
use crate::spec::predicate::cut::order;
use crate::spec::predicate::cut::place;
use crate::value::Value;

/// The outcomes that are possible.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Truths(u8);

impl Truths {
    pub(super) const TRUE: Truths = Truths(1);
    pub(super) const FALSE: Truths = Truths(2);
    pub(super) const UNKNOWN: Truths = Truths(4);
    pub(super) const ANY: Truths = Truths(7);

    pub(super) const fn of(truth: bool) -> Truths {
        if truth { Truths::TRUE } else { Truths::FALSE }
    }

    pub(super) fn may_be(self, other: Truths) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether only one outcome is left.
    pub(super) const fn is_settled(self) -> bool {
        self.0.is_power_of_two()
    }

    fn or_else(self, other: Truths) -> Truths {
        Truths(self.0 | other.0)
    }

    fn if_any(self, outcome: bool) -> Truths {
        if outcome { self } else { Truths(0) }
    }

    fn not(self) -> Truths {
        let (was_true, was_false) = (self.may_be(Truths::TRUE), self.may_be(Truths::FALSE));
        Truths(self.0 & Truths::UNKNOWN.0)
            .or_else(Truths::FALSE.if_any(was_true))
            .or_else(Truths::TRUE.if_any(was_false))
    }

    fn and(self, other: Truths) -> Truths {
        let both = |truths: Truths| self.may_be(truths) && other.may_be(truths);
        let either = |truths: Truths| self.may_be(truths) || other.may_be(truths);
        let not_false = Truths::TRUE.or_else(Truths::UNKNOWN);
        Truths::TRUE
            .if_any(both(Truths::TRUE))
            .or_else(Truths::FALSE.if_any(either(Truths::FALSE)))
            .or_else(Truths::UNKNOWN.if_any(both(not_false) && either(Truths::UNKNOWN)))
    }

    fn or(self, other: Truths) -> Truths {
        self.not().and(other.not()).not()
    }
}

/// What is known of a field: it is null, or lies between two neighbouring places of constants.
#[derive(Clone, Copy)]
pub(super) enum Cell<'v> {
    Null,
    Span(Span<'v>),
}

/// The one value of a field.
#[derive(Clone, Copy)]
pub(super) enum At<'v> {
    Null,
    Value(Value<'v>),
    /// The payload as a number.
    Number {
        number: u128,
        width: usize,
    },
}

/// What is known of a field and of those before it.
#[derive(Clone, Copy)]
pub(super) struct Node<'n, 'v> {
    pub(super) up: Option<&'n Node<'n, 'v>>,
    pub(super) field: usize,
    pub(super) kind: Kind<'n>,
    pub(super) order: FieldOrder,
    pub(super) cell: Cell<'v>,
    /// The value, where there is only one, or one was taken.
    pub(super) at: Option<At<'v>>,
}

/// Lists of constants that are known to be sorted, each with its field; longer ones than
/// [`SEARCHED`].
pub(super) type Sorted<'f, 'p> = ArrayVec<(usize, &'f [Value<'p>]), 8>;

/// Lists up to this length are looked through.
pub(super) const SEARCHED: usize = 8;

/// A predicate that was checked, and what was found out about it.
pub(super) struct Facts<'f, 'p> {
    pub(super) predicate: &'f Predicate<'p>,
    pub(super) sorted: Sorted<'f, 'p>,
    /// A bit for each field that has a condition.
    pub(super) mentioned: u32,
    /// How many more constants may be looked at.
    pub(super) steps: cell::Cell<usize>,
}

impl<'f, 'p> Facts<'f, 'p> {
    /// The fields up to the last that has a condition.
    pub(super) fn fields(&self) -> usize {
        usize::try_from(u32::BITS.saturating_sub(self.mentioned.leading_zeros())).unwrap_or(0)
    }

    pub(super) fn mentions(&self, field: usize) -> bool {
        self.mentioned & bit(field) != 0
    }

    pub(super) fn spend(&self, steps: usize) {
        self.steps.set(self.steps.get().saturating_sub(steps));
    }

    pub(super) fn is_sorted(&self, field: usize, values: &[Value<'_>]) -> bool {
        values.len() > SEARCHED && self.sorted.iter().any(|(f, v)| *f == field && core::ptr::eq(*v, values))
    }

    /// The outcomes that are possible, the fields behind `node` being unknown.
    pub(super) fn truths(&self, node: Option<&Node<'_, '_>>) -> Truths {
        self.of(self.predicate, node)
    }

    fn of(&self, predicate: &Predicate<'_>, node: Option<&Node<'_, '_>>) -> Truths {
        match *predicate {
            Predicate::True => Truths::TRUE,
            Predicate::False => Truths::FALSE,
            Predicate::Unknown => Truths::UNKNOWN,
            Predicate::Compare { field, op, value } => self.compared(node, field, op, value),
            Predicate::In { field, values } => self.listed(node, field, values),
            Predicate::Between { field, lower, upper } => {
                self.compared(node, field, Op::Ge, lower).and(self.compared(node, field, Op::Le, upper))
            }
            Predicate::IsNull { field } => is_null(node, field),
            Predicate::IsNotNull { field } => is_null(node, field).not(),
            Predicate::StartsWith { front: Value::Null, .. } => Truths::UNKNOWN,
            Predicate::StartsWith { field, front } => {
                self.known(node, field, |kind, span| Truths::of(lies_in(kind, span, &front_span(front))))
            }
            Predicate::Row { fields, op, values } => self.rows(node, fields, op, values),
            Predicate::And(parts) => {
                parts
                    .iter()
                    .try_fold(Truths::TRUE, |all, part| not_settled(all.and(self.of(part, node)), Truths::FALSE))
            }
            .unwrap_or_else(|settled| settled),
            Predicate::Or(parts) => {
                parts.iter().try_fold(Truths::FALSE, |any, part| not_settled(any.or(self.of(part, node)), Truths::TRUE))
            }
            .unwrap_or_else(|settled| settled),
            Predicate::Not(part) => self.of(part, node).not(),
        }
    }

    /// The fields whose conditions are not settled and still matter; a bit for each.
    pub(super) fn unsettled(&self, node: Option<&Node<'_, '_>>) -> u32 {
        self.unsettled_in(self.predicate, node)
    }

    fn unsettled_in(&self, predicate: &Predicate<'_>, node: Option<&Node<'_, '_>>) -> u32 {
        if self.of(predicate, node).is_settled() {
            return 0;
        }
        match *predicate {
            Predicate::And(parts) | Predicate::Or(parts) => {
                parts.iter().fold(0, |fields, part| fields | self.unsettled_in(part, node))
            }
            Predicate::Not(part) => self.unsettled_in(part, node),
            Predicate::Row { fields, .. } => {
                fields.iter().filter(|f| find(node, **f).is_none()).fold(0, |fields, f| fields | bit(*f))
            }
            _ => named(predicate),
        }
    }

    /// What a condition on a field comes to: unknown of a null, anything where the field is not
    /// known.
    fn known(
        &self,
        node: Option<&Node<'_, '_>>,
        field: usize,
        of: impl FnOnce(Kind<'_>, &Span<'_>) -> Truths,
    ) -> Truths {
        self.spend(1);
        match find(node, field) {
            None => Truths::ANY,
            Some(Node { cell: Cell::Null, .. }) => Truths::UNKNOWN,
            Some(Node { cell: Cell::Span(span), kind, .. }) => of(*kind, span),
        }
    }

    fn compared(&self, node: Option<&Node<'_, '_>>, field: usize, op: Op, value: Value<'_>) -> Truths {
        if value.is_null() {
            return Truths::UNKNOWN;
        }
        self.known(node, field, |kind, span| {
            let holds = place(kind, value).is_some_and(|place| match (op, place) {
                (Op::Eq | Op::Ne, Place::Gap(_)) => false,
                _ => lies_in(kind, span, &place.span(op)),
            });
            if op == Op::Ne { Truths::of(!holds) } else { Truths::of(holds) }
        })
    }

    fn listed(&self, node: Option<&Node<'_, '_>>, field: usize, values: &[Value<'_>]) -> Truths {
        if values.is_empty() {
            return Truths::FALSE;
        }
        if values.iter().all(Value::is_null) {
            return Truths::UNKNOWN;
        }
        self.known(node, field, |kind, span| {
            let equals = |value: &Value<'_>| match place(kind, *value) {
                Some(place @ Place::At(_)) => lies_in(kind, span, &place.span(Op::Eq)),
                _ => false,
            };
            if self.is_sorted(field, values) {
                let above =
                    |value: &Value<'_>| place(kind, *value).is_some_and(|p| order(kind, &p.high(), &span.low).is_le());
                let first = values.get(values.partition_point(above));
                return Truths::of(first.is_some_and(equals));
            }
            self.spend(values.len());
            let found = values.iter().any(equals);
            let nulls = values.iter().any(Value::is_null);
            if found || !nulls { Truths::of(found) } else { Truths::UNKNOWN }
        })
    }

    fn rows(&self, node: Option<&Node<'_, '_>>, fields: &[usize], op: Op, values: &[Value<'_>]) -> Truths {
        let pairs = fields.iter().zip(values);
        match op {
            Op::Eq => pairs.fold(Truths::TRUE, |all, (f, v)| all.and(self.compared(node, *f, Op::Eq, *v))),
            Op::Ne => pairs.fold(Truths::FALSE, |any, (f, v)| any.or(self.compared(node, *f, Op::Ne, *v))),
            _ => {
                for (field, value) in pairs {
                    let below = self.compared(node, *field, Op::Lt, *value);
                    if below == Truths::TRUE {
                        return Truths::of(matches!(op, Op::Lt | Op::Le));
                    }
                    if below != Truths::FALSE {
                        return below;
                    }
                    if self.compared(node, *field, Op::Gt, *value) == Truths::TRUE {
                        return Truths::of(matches!(op, Op::Gt | Op::Ge));
                    }
                }
                Truths::of(matches!(op, Op::Le | Op::Ge))
            }
        }
    }
}

/// Goes on unless the outcome can't change any more.
fn not_settled(truths: Truths, settled: Truths) -> Result<Truths, Truths> {
    if truths == settled { Err(truths) } else { Ok(truths) }
}

pub(super) fn bit(field: usize) -> u32 {
    u32::try_from(field).ok().and_then(|field| 1u32.checked_shl(field)).unwrap_or(0)
}

/// The fields that a condition names itself; a bit for each.
pub(super) fn named(predicate: &Predicate<'_>) -> u32 {
    match *predicate {
        Predicate::Compare { field, .. }
        | Predicate::In { field, .. }
        | Predicate::Between { field, .. }
        | Predicate::IsNull { field }
        | Predicate::IsNotNull { field }
        | Predicate::StartsWith { field, .. } => bit(field),
        Predicate::Row { fields, .. } => fields.iter().fold(0, |all, field| all | bit(*field)),
        _ => 0,
    }
}

fn is_null(node: Option<&Node<'_, '_>>, field: usize) -> Truths {
    find(node, field).map_or(Truths::ANY, |node| Truths::of(matches!(node.cell, Cell::Null)))
}

/// What is known of a field.
fn find<'a, 'n, 'v>(node: Option<&'a Node<'n, 'v>>, field: usize) -> Option<&'a Node<'n, 'v>> {
    let mut next = node;
    while let Some(node) = next {
        if node.field == field {
            return Some(node);
        }
        next = node.up;
    }
    None
}

/// Whether a cell lies in an interval. It lies in it, or outside: all ends of intervals are ends of
/// cells.
fn lies_in(kind: Kind<'_>, cell: &Span<'_>, span: &Span<'_>) -> bool {
    order(kind, &span.low, &cell.low).is_le() && order(kind, &cell.high, &span.high).is_le()
}
