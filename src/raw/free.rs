//! Fields at the front of free room, without a door: a whole field, or nothing and what it would take.

use crate::order::FieldOrder;
use crate::order::Flip;
use crate::raw::long;
use crate::raw::short;
use crate::raw::short::SHORT;
use crate::raw::sink::Payload;
use crate::raw::sink::Room;
use crate::raw::sink::Sink;
use crate::raw::sink::escaped_size;
use crate::raw::view::ByteView;

/// A scalar as a field from `at` on, whose order is known only when running; gives how many
/// bytes that takes. `None`, and nothing written, where it is not valid or does not fit.
#[inline(always)]
pub(crate) fn put_scalar(room: &mut [u8], at: usize, order: FieldOrder, scalar: impl Payload) -> Option<usize> {
    let (before, width) = (order.tag_len(), scalar.size().ok()?);
    // In range: a few bytes.
    let size = before.wrapping_add(width);
    // A sum that wraps round lies before `at`, which is no range.
    let field = room.get_mut(at..at.wrapping_add(size))?;
    // A tag that is none is written over, which takes less than asking whether there is one.
    if let Some(slot) = field.first_mut() {
        *slot = order.tag_or_any();
    }
    // Valid: its size was told.
    let _ = scalar.put(&mut Room::new(field.get_mut(before..)?), order.flip());
    Some(size)
}

/// A field of short bytes without a zero, as [`put_scalar`]; `None` for others too.
#[inline(always)]
pub(crate) fn put_short(free: &mut [u8], order: FieldOrder, view: ByteView<'_>) -> Option<usize> {
    match view.unescaped() {
        Some((raw, Flip::No)) => {
            let mask = order.flip().mask();
            short::put(free, order.present_tag(), raw, 0, mask, mask)
        }
        _ => None,
    }
}

/// A field of any bytes, as [`put_scalar`].
#[inline(always)]
pub(crate) fn put_bytes(free: &mut [u8], order: FieldOrder, view: ByteView<'_>) -> Option<usize> {
    let room = free.len();
    let n = put_view(free, order.present_tag(), view, order.flip());
    (n <= room).then_some(n)
}

/// A field of any bytes, all of it or nothing. Gives how many bytes it takes, which is how many it
/// took where these are free.
#[inline(never)]
pub(crate) fn put_view(free: &mut [u8], tag: Option<u8>, view: ByteView<'_>, flip: Flip) -> usize {
    match view.unescaped() {
        Some((raw, inner)) if raw.len() > SHORT => put_long(free, tag, raw, inner, flip),
        _ => None,
    }
    .unwrap_or_else(|| put_measured(free, tag, view, flip))
}

/// A field of many plain bytes where even the most that they can take is free, else nothing.
#[inline(always)]
fn put_long(free: &mut [u8], tag: Option<u8>, raw: &[u8], inner: Flip, flip: Flip) -> Option<usize> {
    let before = usize::from(tag.is_some());
    let (head, body) = free.split_at_mut_checked(before)?;
    let n = long::put(body, raw, inner, flip)?;
    if let (Some(tag), Some(slot)) = (tag, head.first_mut()) {
        *slot = tag;
    }
    // In range: within the room.
    Some(n.wrapping_add(before))
}

/// The same for any bytes and any room: in one pass over them where even the most that they can take
/// is free, else they are measured first.
#[inline(never)]
fn put_measured(free: &mut [u8], tag: Option<u8>, view: ByteView<'_>, flip: Flip) -> usize {
    let before = usize::from(tag.is_some());
    let (head, body) = free.split_at_mut_checked(before).unwrap_or((&mut [], &mut []));
    // Twice the longest slice and two is more than an address can say.
    let most = view.len().saturating_mul(2).saturating_add(2);
    let body = if most <= body.len() {
        body
    } else {
        let size = escaped_size(view);
        match body.get_mut(..size) {
            Some(body) => body,
            None => return size.saturating_add(before),
        }
    };
    if let (Some(tag), Some(slot)) = (tag, head.first_mut()) {
        *slot = tag;
    }
    let mut room = Room::new(body);
    room.put_escaped(view, flip);
    room.pos().wrapping_add(before)
}
