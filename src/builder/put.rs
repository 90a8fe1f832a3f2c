//! How a field is written: its order checked, its tag, its payload.

use crate::builder::Fields;
use crate::builder::elements::Elements;
use crate::error::Error;
use crate::order::AnyOrder;
use crate::order::FieldOrder;
use crate::order::Flip;
use crate::raw::out::Door;
use crate::raw::sink::Payload;
use crate::raw::view::ByteView;
use crate::value::array::Dimension;
use crate::value::array::DimensionTail;
use crate::value::array::dimensions_fit;

/// A null's tag, or nothing where a null may not stand.
#[inline(always)]
pub(crate) fn put_null(door: &mut Door<'_>, order: FieldOrder, outer: Flip) {
    match order.null_tag() {
        Some(tag) => door.put([tag], outer),
        None => door.fail(Error::InvalidValue { at: door.at() }),
    }
}

/// A field whose payload is one piece, under the flip around it.
#[inline(always)]
pub(super) fn put_field<P: Payload>(door: &mut Door<'_>, payload: Option<P>, order: impl AnyOrder, outer: Flip) {
    match order.check(door.at()) {
        Ok(order) => match payload {
            Some(payload) => door.field(order.present_tag(), payload, outer, order.flip().then(outer)),
            None => put_null(door, order, outer),
        },
        Err(error) => door.fail(error),
    }
}

/// A field of escaped bytes, under the flip around it.
#[inline(always)]
pub(super) fn put_view(door: &mut Door<'_>, view: Option<ByteView<'_>>, order: impl AnyOrder, outer: Flip) {
    match order.check(door.at()) {
        Ok(order) => match view {
            Some(view) => door.view_field(order.present_tag(), view, outer, order.flip().then(outer)),
            None => put_null(door, order, outer),
        },
        Err(error) => door.fail(error),
    }
}

/// Begins a composite field; `fill` gets the payload's flip.
#[inline]
pub(super) fn put_composite<'b>(
    door: &mut Door<'b>,
    order: impl AnyOrder,
    outer: Flip,
    fill: impl FnOnce(&mut Door<'b>, Flip),
) {
    match order.check(door.at()) {
        Ok(order) => {
            let flip = order.flip().then(outer);
            door.composite(order.present_tag(), outer, |door| fill(door, flip));
        }
        Err(error) => door.fail(error),
    }
}

pub(super) fn fill_record<'b>(door: &mut Door<'b>, flip: Flip, fill: impl FnOnce(&mut Fields<'_, 'b>)) {
    let start = door.progress();
    fill(&mut Fields { door, flip });
    // A record has at least one attribute.
    if door.is_ok() && door.progress() == start {
        door.fail(Error::InvalidValue { at: door.at() });
    }
}

pub(super) fn fill_elements<'b>(door: &mut Door<'b>, flip: Flip, fill: impl FnOnce(&mut Elements<'_, 'b>)) -> usize {
    let mut elements = Elements::new(door, flip);
    fill(&mut elements);
    let count = elements.count();
    door.put([0], flip);
    count
}

pub(super) fn fill_array<'b>(
    door: &mut Door<'b>,
    flip: Flip,
    dimensions: &[Dimension],
    fill: impl FnOnce(&mut Elements<'_, 'b>),
) {
    let count = fill_elements(door, flip, fill);
    if dimensions_fit(count, dimensions) {
        door.put(DimensionTail(dimensions), flip);
    } else {
        door.fail(Error::InvalidValue { at: door.at() });
    }
}
