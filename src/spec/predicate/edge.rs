//! The ends of ranges as bytes, said by the spec's own encoders.

use core::cmp::Ordering;

use crate::kind::Kind;
use crate::order::FieldOrder;
use crate::order::Flip;
use crate::raw::sink::Invalid;
use crate::raw::sink::Payload;
use crate::raw::sink::Sink;
use crate::raw::view::ByteView;
use crate::spec::predicate::cut::Cut;
use crate::spec::predicate::cut::STRETCH;
use crate::spec::predicate::cut::Span;
use crate::spec::predicate::cut::Stretch;
use crate::spec::predicate::cut::text_bytes;
use crate::spec::predicate::truth::At;
use crate::spec::predicate::truth::Cell;
use crate::spec::predicate::truth::Node;
use crate::value::Value;
use crate::value::put::put_field;

/// An end of a range: bytes, or the least bytes above all that begin with them.
#[derive(Clone, Copy)]
pub(super) struct Edge<'e, 'v> {
    scope: &'e [u8],
    path: Option<&'e Node<'e, 'v>>,
    tail: Option<(Kind<'e>, FieldOrder, Tail<'v>)>,
    above: bool,
}

/// What of a field an end holds.
#[derive(Clone, Copy)]
enum Tail<'v> {
    /// The tag of a value, if the order has one.
    Present,
    /// All of it.
    Whole(Value<'v>),
    /// The front of a text or byte string, without its end.
    Front(Value<'v>),
}

impl<'e, 'v> Edge<'e, 'v> {
    /// The ends of all keys in a scope.
    pub(super) const fn of_all(scope: &'e [u8]) -> (Self, Self) {
        let edge = Edge { scope, path: None, tail: None, above: false };
        (edge, Edge { above: true, ..edge })
    }

    /// The ends of the keys of a node, in key order.
    pub(super) fn of_node(scope: &'e [u8], node: &'e Node<'e, 'v>) -> (Self, Self) {
        match (&node.cell, node.at) {
            (Cell::Span(span), None) => Edge::of_span(scope, node.up, node.kind, node.order, span),
            _ => {
                let edge = Edge { scope, path: Some(node), tail: None, above: false };
                (edge, Edge { above: true, ..edge })
            }
        }
    }

    fn of_span(
        scope: &'e [u8],
        path: Option<&'e Node<'e, 'v>>,
        kind: Kind<'e>,
        order: FieldOrder,
        span: &Span<'v>,
    ) -> (Self, Self) {
        let descending = order.is_descending();
        let edge = |cut: &Cut<'v>| {
            let (tail, above) = match cut {
                Cut::Bottom => (Tail::Present, descending),
                Cut::Below(value) => (Tail::Whole(*value), descending),
                Cut::Front(front) => (Tail::Front(*front), descending),
                Cut::Above(value) => (Tail::Whole(*value), !descending),
                Cut::Past(front) => (Tail::Front(*front), !descending),
                Cut::Top => (Tail::Present, !descending),
            };
            Edge { scope, path, tail: Some((kind, order, tail)), above }
        };
        let (low, high) = (edge(&span.low), edge(&span.high));
        if descending { (high, low) } else { (low, high) }
    }

    /// Length in bytes; `None` where nothing is above.
    pub(super) fn len(&self) -> Option<usize> {
        let mut settle = Settle { len: 0, kept: 0 };
        // Valid: constants are checked before any edge is made of them.
        let _ = self.put(&mut settle, Flip::No);
        if self.above { Some(settle.kept).filter(|kept| *kept > 0) } else { Some(settle.len) }
    }

    /// Writes the end, which is as long as `room` is.
    pub(super) fn write(&self, room: &mut [u8]) {
        let mut fill = Fill { room, at: 0 };
        let _ = self.put(&mut fill, Flip::No);
        if let (true, Some(last)) = (self.above, fill.room.last_mut()) {
            // In range: the length ends with a byte that is not ff.
            *last = last.wrapping_add(1);
        }
    }

    /// Some of the bytes of an end of this length.
    fn stretch(&self, from: usize, len: usize) -> Stretch {
        let mut stretch = Stretch::of(self, from);
        stretch.cut(len.saturating_sub(from));
        if self.above && len.saturating_sub(from) <= STRETCH {
            stretch.raise();
        }
        stretch
    }
}

/// Whether the two ends of a span are different bytes, the first below the second.
pub(super) fn differ(kind: Kind<'_>, order: FieldOrder, span: &Span<'_>) -> bool {
    let (start, end) = Edge::of_span(&[], None, kind, order, span);
    let (Some(start_len), end_len) = (start.len(), end.len()) else { return false };
    let Some(end_len) = end_len else { return true };
    let mut at = 0usize;
    loop {
        let (a, b) = (start.stretch(at, start_len), end.stretch(at, end_len));
        match a.bytes().cmp(b.bytes()) {
            Ordering::Equal if a.bytes().len() == STRETCH => at = at.saturating_add(STRETCH),
            ordering => return ordering.is_lt(),
        }
    }
}

impl Payload for Edge<'_, '_> {
    fn put<S: Sink>(&self, sink: &mut S, flip: Flip) -> Result<(), Invalid> {
        sink.put_slice(self.scope, flip);
        if let Some(path) = self.path {
            put_path(sink, path)?;
        }
        let Some((kind, order, tail)) = &self.tail else { return Ok(()) };
        match tail {
            Tail::Present => put_tag(sink, order.present_tag()),
            Tail::Whole(value) => put_field(sink, *kind, *order, value, flip)?,
            Tail::Front(front) => {
                put_tag(sink, order.present_tag());
                for byte in text_bytes(front).ok_or(Invalid::Type)? {
                    sink.put([byte], order.flip());
                    if byte == 0 {
                        sink.put([0xff], order.flip());
                    }
                }
            }
        }
        Ok(())
    }
}

fn put_tag<S: Sink>(sink: &mut S, tag: Option<u8>) {
    if let Some(tag) = tag {
        sink.put([tag], Flip::No);
    }
}

/// Says the fields up to a node, each of which has one value.
fn put_path<S: Sink>(sink: &mut S, node: &Node<'_, '_>) -> Result<(), Invalid> {
    if let Some(up) = node.up {
        put_path(sink, up)?;
    }
    match &node.at {
        Some(At::Null) => put_field(sink, node.kind, node.order, &Value::Null, Flip::No),
        Some(At::Value(value)) => put_field(sink, node.kind, node.order, value, Flip::No),
        Some(At::Number { number, width }) => {
            put_tag(sink, node.order.present_tag());
            let bytes = number.to_be_bytes();
            let from = bytes.len().saturating_sub(*width);
            sink.put_slice(bytes.get(from..).unwrap_or(&[]), node.order.flip());
            Ok(())
        }
        None => Err(Invalid::Value),
    }
}

/// Counts bytes, and those up to the last that is not ff.
struct Settle {
    len: usize,
    kept: usize,
}

impl Settle {
    fn byte(&mut self, byte: u8) {
        self.len = self.len.saturating_add(1);
        if byte != 0xff {
            self.kept = self.len;
        }
    }
}

/// Stores bytes as far as there is room.
struct Fill<'r> {
    room: &'r mut [u8],
    at: usize,
}

impl Fill<'_> {
    fn byte(&mut self, byte: u8) {
        if let Some(slot) = self.room.get_mut(self.at) {
            *slot = byte;
            self.at = self.at.saturating_add(1);
        }
    }
}

macro_rules! byte_sinks {
    ($($sink:ty)*) => {$(
        impl Sink for $sink {
            fn put<const N: usize>(&mut self, bytes: [u8; N], flip: Flip) {
                self.put_slice(&bytes, flip);
            }

            fn put_slice(&mut self, bytes: &[u8], flip: Flip) {
                for byte in bytes {
                    self.byte(byte ^ flip.mask());
                }
            }

            fn put_escaped(&mut self, view: ByteView<'_>, flip: Flip) {
                for byte in view {
                    self.byte(byte ^ flip.mask());
                    if byte == 0 {
                        self.byte(0xff ^ flip.mask());
                    }
                }
                self.put_slice(&[0; 2], flip);
            }
        }
    )*};
}

byte_sinks! { Settle Fill<'_> Stretch }
