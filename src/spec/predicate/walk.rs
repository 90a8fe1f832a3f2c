//! Walks over the cells of a predicate's constants in key order, and keeps those that it holds in.
//!
//! The constants of a field divide its values into cells: each constant, and what lies between two
//! of them. In one cell every condition on the field has one outcome. Where the outcome of the
//! whole is then settled, the cell is kept or left out; where it is not, and the cell is one value,
//! the next field's cells are walked below it. A cell of many values can't be divided by a later
//! field: it is kept whole, and the ranges cover the predicate but are not exact.
//!
//! Kept cells that follow one another are one range. So there are as few ranges as there can be:
//! between two of them lies a cell that was left out, and values in it.

use crate::kind::Kind;
use crate::order::FieldOrder;
use crate::range::storage::Build;
use crate::spec::KeySpec;
use crate::spec::predicate::cut::Cut;
use crate::spec::predicate::cut::Span;
use crate::spec::predicate::cut::order as order_cuts;
use crate::spec::predicate::domain::Scalars;
use crate::spec::predicate::domain::inhabited;
use crate::spec::predicate::edge::Edge;
use crate::spec::predicate::nearest::Nearest;
use crate::spec::predicate::truth::At;
use crate::spec::predicate::truth::Cell;
use crate::spec::predicate::truth::Facts;
use crate::spec::predicate::truth::Node;
use crate::spec::predicate::truth::Truths;

/// Why a walk ended early.
pub(super) enum Stop {
    /// No steps are left.
    Steps,
    /// There are more ranges than slots.
    Slots,
}

/// A walk, and what it has found so far.
pub(super) struct Walk<'w, 'f, 'p, 'b> {
    pub(super) spec: KeySpec<'w>,
    pub(super) facts: &'w Facts<'f, 'p>,
    /// How many fields are looked at.
    pub(super) fields: usize,
    /// A cell of at most so many values is walked value by value.
    pub(super) values: u128,
    /// Ends the walk when there are more ranges.
    pub(super) slots: usize,
    pub(super) build: Build<'b>,
    /// Whether what was kept last can go on.
    pub(super) open: bool,
    pub(super) exact: bool,
    pub(super) left: u32,
}

impl<'p> Walk<'_, '_, 'p, '_> {
    pub(super) fn run(&mut self) -> Result<(), Stop> {
        let truths = self.facts.truths(None);
        if !truths.may_be(Truths::TRUE) {
            return Ok(());
        }
        if truths != Truths::TRUE {
            if self.fields > 0 {
                return self.visit(None, 0);
            }
            self.exact = false;
            self.left |= self.facts.unsettled(None);
        }
        self.keep(Edge::of_all(self.spec.scope()));
        Ok(())
    }

    /// Walks over the cells of a field whose forerunners are known.
    fn visit(&mut self, up: Option<&Node<'_, 'p>>, field: usize) -> Result<(), Stop> {
        let Some((kind, order)) = self.spec.kind(field) else { return Ok(()) };
        let mut cells = Cells::new(kind, order);
        while let Some(cell) = cells.next(self.facts, field) {
            self.step()?;
            self.cell(Node { up, field, kind, order, cell, at: only(kind, &cell) })?;
        }
        Ok(())
    }

    fn cell(&mut self, node: Node<'_, 'p>) -> Result<(), Stop> {
        let truths = self.facts.truths(Some(&node));
        let next = node.field.saturating_add(1);
        if !truths.may_be(Truths::TRUE) {
            self.open = false;
        } else if truths == Truths::TRUE {
            self.keep(Edge::of_node(self.spec.scope(), &node));
        } else if next >= self.fields {
            self.cover(&node);
        } else if node.at.is_some() {
            self.visit(Some(&node), next)?;
        } else if let Some(scalars) = self.few(&node) {
            self.each(&node, scalars, next)?;
        } else {
            let found = self.survey(&node, next)?;
            match (found.may_be(Truths::TRUE), found.is_settled()) {
                (true, true) => self.keep(Edge::of_node(self.spec.scope(), &node)),
                (true, false) => self.cover(&node),
                (false, _) => self.open = false,
            }
        }
        if self.build.count() > self.slots { Err(Stop::Slots) } else { Ok(()) }
    }

    /// The values of a cell as numbers, if they are few enough to be walked one by one.
    fn few(&self, node: &Node<'_, '_>) -> Option<Scalars> {
        let Cell::Span(span) = &node.cell else { return None };
        let scalars = Scalars::of(node.kind)?;
        let count = scalars.count(node.kind, span)?;
        Some(scalars).filter(|_| count <= self.values)
    }

    /// Walks below each value of a cell, in key order.
    fn each(&mut self, node: &Node<'_, 'p>, scalars: Scalars, next: usize) -> Result<(), Stop> {
        let Cell::Span(span) = &node.cell else { return Ok(()) };
        let (descending, width) = (node.order.is_descending(), scalars.width());
        let mut stretches = scalars.stretches(node.kind, span);
        while let Some((from, to)) = if descending { stretches.next_back() } else { stretches.next() } {
            let mut numbers = from..=to;
            while let Some(number) = if descending { numbers.next_back() } else { numbers.next() } {
                self.step()?;
                self.visit(Some(&Node { at: Some(At::Number { number, width }), ..*node }), next)?;
            }
        }
        Ok(())
    }

    /// What the predicate comes to over all values of the fields from `field` on: true, not, or
    /// either.
    fn survey(&self, up: &Node<'_, 'p>, field: usize) -> Result<Truths, Stop> {
        if field >= self.fields {
            return Ok(Truths::ANY);
        }
        if !self.facts.mentions(field) {
            return self.survey(up, field.saturating_add(1));
        }
        let Some((kind, order)) = self.spec.kind(field) else { return Ok(Truths::ANY) };
        let mut cells = Cells::new(kind, order);
        let mut found = None;
        while let Some(cell) = cells.next(self.facts, field) {
            self.step()?;
            let node = Node { up: Some(up), field, kind, order, cell, at: None };
            let truths = self.facts.truths(Some(&node));
            let below = if !truths.may_be(Truths::TRUE) {
                Truths::FALSE
            } else if truths == Truths::TRUE {
                Truths::TRUE
            } else {
                self.survey(&node, field.saturating_add(1))?
            };
            if !below.is_settled() || *found.get_or_insert(below) != below {
                return Ok(Truths::ANY);
            }
        }
        Ok(found.unwrap_or(Truths::FALSE))
    }

    /// Keeps a cell that later conditions would divide.
    fn cover(&mut self, node: &Node<'_, 'p>) {
        self.exact = false;
        self.left |= self.facts.unsettled(Some(node));
        self.keep(Edge::of_node(self.spec.scope(), node));
    }

    /// Goes on with the range, or begins one.
    fn keep(&mut self, (start, end): (Edge<'_, 'p>, Edge<'_, 'p>)) {
        if !self.open {
            // Something is above: the cell has values.
            start.write(self.build.start(start.len().unwrap_or(0)));
        }
        let len = end.len();
        end.write(self.build.end(len));
        self.open = true;
    }

    fn step(&self) -> Result<(), Stop> {
        self.facts.spend(1);
        if self.facts.steps.get() == 0 { Err(Stop::Steps) } else { Ok(()) }
    }
}

/// The one value of a cell, where it is a constant or null.
fn only<'v>(kind: Kind<'_>, cell: &Cell<'v>) -> Option<At<'v>> {
    match cell {
        Cell::Null => Some(At::Null),
        Cell::Span(Span { low: Cut::Below(low) | Cut::Front(low), high: Cut::Above(high) })
            if order_cuts(kind, &Cut::Below(*low), &Cut::Below(*high)).is_eq() =>
        {
            Some(At::Value(*low))
        }
        Cell::Span(_) => None,
    }
}

/// The cells of a field in key order; none without values.
struct Cells<'w, 'v> {
    kind: Kind<'w>,
    order: FieldOrder,
    /// Nulls that come first, then values, then nulls that come last.
    stage: Stage<'v>,
}

enum Stage<'v> {
    NullFirst,
    Values(Cut<'v>),
    NullLast,
    Done,
}

impl<'w, 'v> Cells<'w, 'v> {
    fn new(kind: Kind<'w>, order: FieldOrder) -> Self {
        let stage = if order.nulls_first() == Some(true) { Stage::NullFirst } else { Stage::values(order) };
        Cells { kind, order, stage }
    }

    fn next(&mut self, facts: &Facts<'_, 'v>, field: usize) -> Option<Cell<'v>> {
        loop {
            match self.stage {
                Stage::NullFirst => {
                    self.stage = Stage::values(self.order);
                    return Some(Cell::Null);
                }
                Stage::Values(Cut::Top) if !self.order.is_descending() => self.end_values(),
                Stage::Values(Cut::Bottom) if self.order.is_descending() => self.end_values(),
                Stage::Values(from) => {
                    let down = self.order.is_descending();
                    let to = Nearest::find(facts, self.kind, field, from, down);
                    self.stage = Stage::Values(to);
                    let span = if down { Span { low: to, high: from } } else { Span { low: from, high: to } };
                    if inhabited(self.kind, self.order, &span) {
                        return Some(Cell::Span(span));
                    }
                }
                Stage::NullLast => {
                    self.stage = Stage::Done;
                    return Some(Cell::Null);
                }
                Stage::Done => return None,
            }
        }
    }

    fn end_values(&mut self) {
        self.stage = if self.order.nulls_first() == Some(false) { Stage::NullLast } else { Stage::Done };
    }
}

impl Stage<'_> {
    fn values(order: FieldOrder) -> Self {
        Stage::Values(if order.is_descending() { Cut::Top } else { Cut::Bottom })
    }
}
