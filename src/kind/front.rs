//! The next fields of a layout at hand, a byte each: what is asked of every field of every key, without
//! reading the descriptor again.

use crate::error::Error;
use crate::kind::FieldKinds;
use crate::kind::Kind;
use crate::kind::code;
use crate::kind::is_simple;
use crate::order::FieldOrder;

/// A field's kind code and order in a byte; zero where there is no field.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Brief(u8);

impl Brief {
    /// What stands for a kind under its first order.
    #[inline(always)]
    const fn first(code: u8) -> u8 {
        let below = CODES & (1u128.wrapping_shl(code as u32)).wrapping_sub(1);
        // In range: forty kinds of six orders each, from one on.
        let [kind, ..] = below.count_ones().to_le_bytes();
        kind.wrapping_mul(FieldOrder::COUNT).wrapping_add(1)
    }

    #[inline(always)]
    const fn new(code: u8, order: FieldOrder) -> Brief {
        Brief(Brief::first(code).wrapping_add(order.index()))
    }

    /// The field's order, if it is of the kind with this code.
    #[inline(always)]
    pub(crate) const fn order(self, code: u8) -> Option<FieldOrder> {
        FieldOrder::from_index(self.0.wrapping_sub(Brief::first(code)))
    }

    /// Kind and order, if the kind has no parameters.
    #[inline]
    pub(crate) fn simple(self) -> Option<(Kind<'static>, FieldOrder)> {
        let code = KINDS.get(usize::from(self.0)).copied().filter(|code| is_simple(*code))?;
        Some((Kind::from_parts(code, &[]), self.order(code)?))
    }

    /// How the field lies.
    #[inline(always)]
    pub(crate) fn shape(self) -> Shape {
        SHAPES.get(usize::from(self.0)).copied().unwrap_or(Shape(0))
    }
}

/// The next fields, the very next in the lowest byte; at most [`MOST`](Front::MOST).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Front(u64);

impl Front {
    /// As many as it holds.
    const MOST: u32 = 8;

    pub(crate) const fn of(mut kinds: FieldKinds<'_>) -> Front {
        let (mut front, mut n) = (0u64, 0u32);
        while let (true, Some(((kind, order), rest))) = (n < Front::MOST, kinds.split_first()) {
            front |= (Brief::new(kind.code(), order).0 as u64).wrapping_shl(n.wrapping_mul(8));
            kinds = rest;
            n = n.wrapping_add(1);
        }
        Front(front)
    }

    /// The next field and those behind it.
    #[inline(always)]
    pub(crate) const fn split(self) -> (Brief, Front) {
        let [next, ..] = self.0.to_le_bytes();
        (Brief(next), Front(self.0 >> 8))
    }

    /// What is left behind `n` fields.
    #[inline(always)]
    pub(crate) fn behind(self, n: usize) -> Front {
        let bits = u32::try_from(n).ok().and_then(|n| n.checked_mul(8));
        Front(bits.and_then(|bits| self.0.checked_shr(bits)).unwrap_or(0))
    }

    /// Whether it holds no more fields; the layout may.
    #[inline(always)]
    pub(crate) const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// The fields of a layout that are still to come. The descriptor is read only where the front has
/// run out or a kind's parameters are asked for; until then its place stays behind.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ahead<'s> {
    pub(crate) front: Front,
    descriptor: &'s [u8],
    /// How many bytes of the descriptor are of earlier fields, none before it is read, and how many
    /// fields those are.
    read: usize,
    at: usize,
}

impl<'s> Ahead<'s> {
    /// The fields of a descriptor, of which the front is known.
    #[inline(always)]
    pub(crate) const fn new(front: Front, descriptor: &'s [u8]) -> Self {
        Ahead { front, descriptor, read: 0, at: 0 }
    }

    /// The next field's order, if it is at hand and of the kind with this code. Passes over it then.
    #[inline(always)]
    pub(crate) fn next_order(&mut self, code: u8) -> Option<FieldOrder> {
        let (brief, front) = self.front.split();
        let order = brief.order(code)?;
        self.front = front;
        Some(order)
    }

    /// Puts fields at hand where the front has run out; the next one has index `field`.
    #[inline]
    pub(crate) fn fill(&mut self, field: usize) {
        if self.front.is_empty() {
            self.front = Front::of(self.kinds(field));
        }
    }

    /// Kind and order of the next field, which has index `field`. Passes over it.
    pub(crate) fn next(&mut self, field: usize) -> Option<(Kind<'s>, FieldOrder)> {
        let (brief, front) = self.front.split();
        self.front = front;
        if let Some(next) = brief.simple() {
            return Some(next);
        }
        let (next, rest) = self.kinds(field).split_first()?;
        self.read_to(rest, field.wrapping_add(1));
        Some(next)
    }

    /// The order of the next field, which has index `field` of `arity` and is not at hand, or not of
    /// this kind, or not there. Passes over it. Takes and gives values, which so stay out of memory
    /// elsewhere.
    #[cold]
    #[inline(never)]
    pub(crate) fn order_behind(mut self, field: usize, code: u8, arity: usize) -> (Self, Result<FieldOrder, Error>) {
        self.fill(field);
        let order = match self.next(field) {
            Some((kind, order)) if kind.code() == code => Ok(order),
            Some(_) => Err(Error::TypeMismatch { field }),
            // In range: counts calls.
            None => Err(Error::WrongArity { expected: arity, got: field.wrapping_add(1) }),
        };
        (self, order)
    }

    /// Kind and order of the next field, which has index `field`.
    pub(crate) fn peek(&mut self, field: usize) -> Option<(Kind<'s>, FieldOrder)> {
        let (brief, _) = self.front.split();
        brief.simple().or_else(|| self.kinds(field).split_first().map(|(next, _)| next))
    }

    /// The fields that were not read yet.
    fn begun(&self) -> FieldKinds<'s> {
        let kinds = FieldKinds::of_descriptor(self.descriptor);
        match self.descriptor.get(self.read..) {
            Some(rest) if self.read > 0 => FieldKinds { rest, ..kinds },
            _ => kinds,
        }
    }

    /// The fields from `field` on.
    fn kinds(&mut self, field: usize) -> FieldKinds<'s> {
        let mut kinds = self.begun();
        while let (true, Some((_, rest))) = (self.at < field, kinds.split_first()) {
            kinds = rest;
            self.read_to(rest, self.at.wrapping_add(1));
        }
        kinds
    }

    /// Notes that the fields before the one of index `at` were read. In range: counts fields.
    fn read_to(&mut self, rest: FieldKinds<'s>, at: usize) {
        (self.read, self.at) = (self.descriptor.len().saturating_sub(rest.rest.len()), at);
    }
}

/// How a field lies, as far as passing over it goes.
#[derive(Clone, Copy)]
pub(crate) struct Shape(u8);

impl Shape {
    /// Payloads that are escaped, among the widths.
    const ESCAPED: u8 = 31;
    const WIDTH: u8 = 31;
    const TAG: u8 = 0x20;
    const NULL: u8 = 0x40;
    const DOWN: u8 = 0x80;

    const fn new(code: u8, order: FieldOrder) -> Shape {
        let payload = match code {
            code::STR | code::BYTES | code::OPAQUE | code::COLLATED | code::NESTED => Shape::ESCAPED,
            // Any bytes of their width are a value.
            code::I8 | code::U8 => 1,
            code::I16 | code::U16 => 2,
            code::I32 | code::U32 | code::ENUM => 4,
            code::I64 | code::U64 | code::LSN | code::MAC64 => 8,
            code::MAC48 => 6,
            code::I128 | code::U128 | code::UUID => 16,
            _ => 0,
        };
        let tag = match order.null_tag() {
            None => 0,
            Some(0) => Shape::TAG,
            Some(_) => Shape::TAG | Shape::NULL,
        };
        Shape(payload | tag | if order.is_descending() { Shape::DOWN } else { 0 })
    }

    /// The tag of a null, if there is a tag.
    #[inline(always)]
    pub(crate) const fn null_tag(self) -> Option<u8> {
        if self.0 & Shape::TAG == 0 { None } else { Some((self.0 & Shape::NULL != 0) as u8) }
    }

    #[inline(always)]
    pub(crate) const fn is_descending(self) -> bool {
        self.0 & Shape::DOWN != 0
    }

    #[inline(always)]
    pub(crate) const fn is_escaped(self) -> bool {
        self.0 & Shape::WIDTH == Shape::ESCAPED
    }

    /// How wide all payloads are, any bytes of that width being one; zero for other kinds.
    #[inline(always)]
    pub(crate) const fn width(self) -> usize {
        (self.0 & Shape::WIDTH) as usize
    }
}

/// A bit for each kind code.
const CODES: u128 = {
    let (mut codes, mut rest) = (0u128, code::ALL);
    while let [code, more @ ..] = rest {
        codes |= 1u128.wrapping_shl(*code as u32);
        rest = more;
    }
    codes
};

/// The kind codes of all fields that there are.
static KINDS: [u8; 256] = {
    let mut kinds = [0u8; 256];
    let mut rest = code::ALL;
    while let [code, more @ ..] = rest {
        let (_, slots) = kinds.split_at_mut(Brief::first(*code) as usize);
        if let Some(slots) = slots.first_chunk_mut::<{ FieldOrder::COUNT as usize }>() {
            *slots = [*code; FieldOrder::COUNT as usize];
        }
        rest = more;
    }
    kinds
};

/// The shapes of all fields that there are.
static SHAPES: [Shape; 256] = {
    let mut shapes = [Shape(0); 256];
    let mut rest = code::ALL;
    while let [code, more @ ..] = rest {
        let mut order = 0u8;
        while let Some(next) = FieldOrder::from_index(order) {
            let (_, slots) = shapes.split_at_mut(Brief::new(*code, next).0 as usize);
            if let Some(slot) = slots.first_mut() {
                *slot = Shape::new(*code, next);
            }
            order = order.wrapping_add(1);
        }
        rest = more;
    }
    shapes
};

#[cfg(test)]
mod tests {
    use std::prelude::v1::*;
    use std::vec;

    use super::*;

    #[test]
    fn briefs_are_told_apart() {
        let mut seen = [false; 256];
        for code in code::ALL {
            for order in (0..=5).map(|code| FieldOrder::from_code(code).unwrap()) {
                let brief = Brief::new(*code, order);
                assert!(brief.0 > 0 && !seen[usize::from(brief.0)]);
                seen[usize::from(brief.0)] = true;
                assert_eq!(brief.order(*code), Some(order));
                assert!(code::ALL.iter().all(|other| other == code || brief.order(*other).is_none()));
                let simple = brief.simple();
                assert_eq!(simple.is_some(), is_simple(*code));
                assert!(simple.is_none_or(|(kind, told)| (kind.code(), told) == (*code, order)));
                let (shape, kind) = (brief.shape(), Kind::from_parts(*code, &[]));
                assert_eq!(shape.null_tag(), order.null_tag());
                assert_eq!(shape.is_descending(), order.is_descending());
                if shape.width() > 0 && !shape.is_escaped() {
                    assert_eq!(kind.fixed_size(), Some(shape.width()));
                }
            }
        }
        assert!(code::ALL.iter().all(|code| Brief(0).order(*code).is_none()));
        assert_eq!(Brief(0).shape().width(), 0);
        assert_eq!(Brief(0).shape().null_tag(), None);
    }

    #[test]
    fn parameters_are_found_behind_fields_that_were_not_read() {
        let layout = [b'O', b'K', 2, code::U8, 4, code::FIXED, 1, 0, 9, code::U8, 4];
        let mut ahead = Ahead::new(Front::of(FieldKinds::of_descriptor(&layout)), &layout);
        assert!(ahead.next_order(code::U8).is_some());
        for _ in 0..3 {
            assert_eq!(ahead.peek(1).map(|(kind, _)| kind.width()), Some(Some(9)));
        }
        assert_eq!(ahead.next(1).map(|(kind, _)| kind.width()), Some(Some(9)));
        assert_eq!(ahead.next(2).map(|(kind, _)| kind), Some(Kind::U8));
    }

    #[test]
    fn fields_come_in_order_however_they_are_asked_for() {
        // Twenty fields, each third one with parameters.
        let mut layout = vec![b'O', b'K', 2];
        for n in 0..20u8 {
            match n % 3 {
                0 => layout.extend([code::FIXED, n % 6, 0, n + 1]),
                1 => layout.extend([code::STR, n % 6]),
                _ => layout.extend([code::U16, n % 6]),
            }
        }
        let v1 = [b'O', b'K', 1, 0x10, 0x21, 0x20, 0x11, 0x10, 0x10, 0x20, 0x21, 0x21, 0x10];
        for layout in [layout.as_slice(), v1.as_slice()] {
            let fields: Vec<_> = FieldKinds::of_descriptor(layout).collect();
            for every in 1..5usize {
                let mut ahead = Ahead::new(Front::of(FieldKinds::of_descriptor(layout)), layout);
                for (n, (kind, order)) in fields.iter().enumerate() {
                    assert_eq!(ahead.peek(n), Some((*kind, *order)));
                    ahead.fill(n);
                    if n % every == 0 {
                        assert_eq!(ahead.next(n), Some((*kind, *order)));
                    } else {
                        assert_eq!(ahead.next_order(kind.code()), Some(*order));
                    }
                }
                ahead.fill(fields.len());
                assert!(ahead.front.is_empty());
                assert_eq!(ahead.next(fields.len()), None);
            }
            let front = Front::of(FieldKinds::of_descriptor(layout));
            assert_eq!(front.behind(3), front.split().1.split().1.split().1);
            assert!(front.behind(8).is_empty() && front.behind(usize::MAX).is_empty());
        }
    }
}
