//! The next place of a constant: where one cell ends and another begins.

use crate::kind::Kind;
use crate::spec::predicate::Predicate;
use crate::spec::predicate::cut::Cut;
use crate::spec::predicate::cut::front_span;
use crate::spec::predicate::cut::order;
use crate::spec::predicate::cut::place;
use crate::spec::predicate::truth::Facts;
use crate::value::Value;

/// Finds the place of a constant that comes next in one direction.
pub(super) struct Nearest<'a, 'f, 'p> {
    facts: &'a Facts<'f, 'p>,
    kind: Kind<'a>,
    field: usize,
    from: Cut<'p>,
    down: bool,
    best: Cut<'p>,
}

impl<'a, 'f, 'p> Nearest<'a, 'f, 'p> {
    pub(super) fn find(facts: &'a Facts<'f, 'p>, kind: Kind<'a>, field: usize, from: Cut<'p>, down: bool) -> Cut<'p> {
        let best = if down { Cut::Bottom } else { Cut::Top };
        if !facts.mentions(field) {
            return best;
        }
        let mut nearest = Nearest { facts, kind, field, from, down, best };
        nearest.look(facts.predicate);
        nearest.best
    }

    fn look(&mut self, predicate: &Predicate<'p>) {
        match *predicate {
            Predicate::Compare { field, value, .. } if field == self.field => self.constant(value),
            Predicate::Between { field, lower, upper } if field == self.field => {
                self.constant(lower);
                self.constant(upper);
            }
            Predicate::StartsWith { field, front } if field == self.field && !front.is_null() => {
                let span = front_span(front);
                self.offer(span.low);
                self.offer(span.high);
            }
            Predicate::In { field, values } if field == self.field => self.list(values),
            Predicate::Row { fields, values, .. } => {
                for (field, value) in fields.iter().zip(values) {
                    if *field == self.field {
                        self.constant(*value);
                    }
                }
            }
            Predicate::And(parts) | Predicate::Or(parts) => parts.iter().for_each(|part| self.look(part)),
            Predicate::Not(part) => self.look(part),
            _ => {}
        }
    }

    fn list(&mut self, values: &[Value<'p>]) {
        if !self.facts.is_sorted(self.field, values) {
            values.iter().for_each(|value| self.constant(*value));
            return;
        }
        // Constants whose places all lie on the wrong side, or at where the search began.
        let (kind, from, down) = (self.kind, self.from, self.down);
        let first = values.partition_point(|value| {
            place(kind, *value).is_some_and(|place| {
                if down { order(kind, &place.low(), &from).is_lt() } else { order(kind, &place.high(), &from).is_le() }
            })
        });
        let next = if down { first.checked_sub(1) } else { Some(first) };
        if let Some(value) = next.and_then(|next| values.get(next)) {
            self.constant(*value);
        }
    }

    fn constant(&mut self, value: Value<'p>) {
        let Some(place) = place(self.kind, value) else { return };
        let (near, far) = if self.down { (place.high(), place.low()) } else { (place.low(), place.high()) };
        if !self.offer(near) {
            self.offer(far);
        }
    }

    /// Takes a place that is nearer; says whether it lies in the right direction.
    fn offer(&mut self, cut: Cut<'p>) -> bool {
        self.facts.spend(1);
        let nearer = |a: &Cut<'_>, b: &Cut<'_>| {
            let ordering = order(self.kind, a, b);
            if self.down { ordering.is_gt() } else { ordering.is_lt() }
        };
        let ahead = nearer(&self.from, &cut);
        if ahead && nearer(&cut, &self.best) {
            self.best = cut;
        }
        ahead
    }
}
