//! The ends of a range: written where all is common and fits, and settled.

use crate::builder::common::common_fields;
use crate::builder::common::common_number;
use crate::builder::common::rarer_field;
use crate::kind::front::Brief;
use crate::kind::front::Front;
use crate::order::Flip;
use crate::range::ByteRange;
use crate::range::succ_in_place;
use crate::raw::sink::copy;
use crate::value::Value;

/// Writes both ends of a range where the prefix is of the commonest kinds, plain, and all fits; what
/// follows it in each is written by `first` and `last`. Gives the length of each.
#[inline(always)]
pub(super) fn common_ends(
    front: Front,
    prefix: &[Value<'_>],
    room: &mut [u8],
    first: impl FnOnce(&mut [u8], Front) -> Option<usize>,
    last: impl FnOnce(&mut [u8], Front) -> Option<usize>,
) -> Option<[usize; 2]> {
    let (shared, done, front) = common_fields(room, front, prefix);
    if done != prefix.len() {
        return None;
    }
    let (begun, rest) = room.split_at_mut_checked(shared)?;
    let start = first(rest, front)?;
    let (_, rest) = rest.split_at_mut_checked(start)?;
    // What both ends begin with is written once and copied.
    let (again, rest) = rest.split_at_mut_checked(shared)?;
    copy(again, begun, Flip::No);
    let end = last(rest, front)?;
    // In range: within the room.
    Some([shared.wrapping_add(start), shared.wrapping_add(end)])
}

/// The range between two ends that lie one behind the other.
#[inline(always)]
pub(super) fn parted(
    room: &mut [u8],
    [start, end]: [usize; 2],
    start_succ: bool,
    end_succ: bool,
    in_order: bool,
) -> ByteRange<&[u8]> {
    let (start, rest) = room.split_at_mut_checked(start).unwrap_or_default();
    let (end, _) = rest.split_at_mut_checked(end).unwrap_or_default();
    settled(start, start_succ, end, end_succ, in_order)
}

/// Writes one value, or gives up, as for a null, which bounds nothing; gives how many bytes. Numbers,
/// which are most of what is bounded, need no registers of their own here.
#[inline(never)]
pub(super) fn put_one(room: &mut [u8], brief: Brief, value: &Value<'_>) -> Option<usize> {
    match common_number(room, brief, value) {
        None if !value.is_null() => rarer_field(room, brief, value),
        n => n,
    }
}

/// Whether the one is known to be below the other without looking at bytes, of which neither is then
/// the front of the other.
#[inline(always)]
pub(super) fn is_less(low: &Value<'_>, high: &Value<'_>) -> bool {
    match (low, high) {
        (Value::I64(low), Value::I64(high)) => low < high,
        (Value::U64(low), Value::U64(high)) => low < high,
        (Value::I32(low), Value::I32(high)) => low < high,
        (Value::U32(low), Value::U32(high)) => low < high,
        (Value::Date(low), Value::Date(high)) => low < high,
        (Value::Timestamp(low), Value::Timestamp(high)) => low < high,
        _ => false,
    }
}

/// The range between two ends that were written. `in_order` says that the start is known to be below
/// the end: bytes that were just written are slow to read in other pieces.
#[inline(always)]
pub(super) fn settled<'b>(
    start: &'b mut [u8],
    start_succ: bool,
    end: &'b mut [u8],
    end_succ: bool,
    in_order: bool,
) -> ByteRange<&'b [u8]> {
    match settle(start, start_succ) {
        Some(start) if in_order => ByteRange::in_order(start, settle(end, end_succ)),
        Some(start) => ByteRange::new(start, settle(end, end_succ)),
        None => ByteRange::EMPTY,
    }
}

/// The end as it is, or above everything that begins with it.
fn settle(bytes: &mut [u8], succ: bool) -> Option<&[u8]> {
    if succ {
        let n = succ_in_place(bytes)?;
        bytes.get(..n)
    } else {
        Some(bytes)
    }
}
