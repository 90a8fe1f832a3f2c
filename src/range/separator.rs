//! Short bounds for what an engine keeps beside its keys: separators between blocks, and cut
//! minima and maxima in statistics.
//!
//! All of them are bounds, not keys: they sort right and say nothing else, so never decode one.
//! Each is exact. Of all byte strings that would do, a separator is one of the shortest and of
//! those the least; a cut upper bound is the least that fits. They know bytes in unsigned order,
//! as all keys here are compared, and no types.
//!
//! A bound is empty only where the key it bounds is empty, or was cut to nothing. Keys of a spec
//! never are.

use crate::error::Error;
use crate::range::prefix_upper_bound;

/// A shortest `s` with `a` ≤ `s` < `b`, written to `room`: what an index block keeps to tell a
/// block that ends with `a` from the next, which begins with `b`. Of the shortest it is the least.
/// `None` when `a` is not below `b`.
///
/// It may equal the first whole fields of `b`, as below, where no key of `a`'s block begins with
/// them: it stands for a place in the order, and a filter by prefix must not be asked about it.
///
/// `room` of as many bytes as `a` has is always enough.
///
/// ```
/// use isotone::shortest_separator;
/// let mut room = [0u8; 8];
/// assert_eq!(shortest_separator(b"P1K1", b"P2K2", &mut room)?, Some(&b"P2"[..]));
/// assert_eq!(shortest_separator(b"abcdef", b"abz", &mut room)?, Some(&b"abd"[..]));
/// // "abd" is not below "abd": one byte more.
/// assert_eq!(shortest_separator(b"abcdef", b"abd", &mut room)?, Some(&b"abce"[..]));
/// assert_eq!(shortest_separator(b"ab", b"ab\0", &mut room)?, Some(&b"ab"[..]));
/// assert_eq!(shortest_separator(b"b", b"a", &mut room)?, None);
/// # Ok::<(), isotone::Error>(())
/// ```
///
/// # Errors
/// [`Error::ShortBuffer`] when the separator does not fit; `room` is unchanged then.
pub fn shortest_separator<'r>(a: &[u8], b: &[u8], room: &'r mut [u8]) -> Result<Option<&'r [u8]>, Error> {
    if a >= b {
        return Ok(None);
    }
    let same = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    // Nothing shorter than the common part and one byte will do, unless it is all of `a`: cut there
    // and raised, `a` would be above `b`.
    let (Some(low), Some(high)) = (a.get(same), b.get(same)) else { return Ok(Some(fill(a, room)?)) };
    // In range: the shared part and one byte more are still part of `b`.
    let next = same.wrapping_add(1);
    // Raised here it is below `b`, or equal to its front, which is below when more follows.
    let raise_here = low.checked_add(1).is_some_and(|raised| raised < *high) || b.len() > next;
    raise(a, if raise_here { same } else { next }, room).map(Some)
}

/// A shortest `s` ≥ `a`, written to `room`: what an index block keeps behind its last block. Of the
/// shortest it is the least; `a` itself where it is all `ff`.
///
/// ```
/// use isotone::short_successor;
/// let mut room = [0u8; 4];
/// assert_eq!(short_successor(b"pump", &mut room)?, b"q");
/// assert_eq!(short_successor(&[0xff, 0x07, 0x01], &mut room)?, [0xff, 0x08]);
/// assert_eq!(short_successor(&[0xff, 0xff], &mut room)?, [0xff, 0xff]);
/// # Ok::<(), isotone::Error>(())
/// ```
///
/// # Errors
/// [`Error::ShortBuffer`] when the successor does not fit; `room` is unchanged then.
pub fn short_successor<'r>(a: &[u8], room: &'r mut [u8]) -> Result<&'r [u8], Error> {
    raise(a, 0, room)
}

/// The greatest bytes ≤ `key` of at most `max_len` bytes: its front. A lower bound, included.
///
/// ```
/// use isotone::truncate_lower;
/// assert_eq!(truncate_lower(b"pumpkin", 4), b"pump");
/// assert_eq!(truncate_lower(b"pump", 16), b"pump");
/// ```
pub fn truncate_lower(key: &[u8], max_len: usize) -> &[u8] {
    key.get(..max_len).unwrap_or(key)
}

/// The least bytes ≥ `key` of at most `max_len` bytes, written to `room`: an upper bound,
/// included. It is `key` itself where that fits, and only then exact. `None` when there is none,
/// because the first `max_len` bytes are all `ff`: keep the whole key then, or no bound.
///
/// Cutting alone gives no upper bound: the front of a key is below the key.
///
/// ```
/// use isotone::truncate_upper;
/// let mut room = [0u8; 4];
/// assert_eq!(truncate_upper(b"pumpkin", 4, &mut room)?, Some(&b"pumq"[..]));
/// assert_eq!(truncate_upper(&[0x61, 0xff, 0xff, 0x00], 3, &mut room)?, Some(&b"b"[..]));
/// assert_eq!(truncate_upper(&[0xff; 17], 4, &mut room)?, None);
/// # Ok::<(), isotone::Error>(())
/// ```
///
/// # Errors
/// [`Error::ShortBuffer`] when the bound does not fit; `room` is unchanged then.
pub fn truncate_upper<'r>(key: &[u8], max_len: usize, room: &'r mut [u8]) -> Result<Option<&'r [u8]>, Error> {
    match key.get(..max_len) {
        Some(front) if front.len() < key.len() => prefix_upper_bound(front, room),
        _ => Ok(Some(fill(key, room)?)),
    }
}

/// The longest front of `text` of at most `max_len` bytes that is still text: cut between scalar
/// values. A lower bound, included.
///
/// ```
/// use isotone::truncate_lower_str;
/// assert_eq!(truncate_lower_str("pumpä", 5), "pump");
/// assert_eq!(truncate_lower_str("pumpä", 6), "pumpä");
/// ```
pub fn truncate_lower_str(text: &str, max_len: usize) -> &str {
    // At most three steps: a scalar value is at most four bytes.
    (0..=max_len.min(text.len())).rev().find_map(|len| text.get(..len)).unwrap_or("")
}

/// The least text ≥ `text` of at most `max_len` bytes of UTF-8, written to `room`: an upper bound,
/// included. It is `text` itself where that fits, and only then exact. `None` when there is none:
/// keep the whole text then, or no bound.
///
/// The last scalar value that leaves room for it is raised to the next one, and the rest is
/// dropped. Surrogates are stepped over, `U+10FFFF` has no next, and where the next takes more
/// bytes than there are (`U+007F` to `U+0080`) the value before it is raised.
///
/// ```
/// use isotone::truncate_upper_str;
/// let mut room = [0u8; 4];
/// assert_eq!(truncate_upper_str("pumpkin", 4, &mut room)?, Some("pumq"));
/// assert_eq!(truncate_upper_str("\u{ff}\u{ff}", 2, &mut room)?, Some("\u{100}"));
/// assert_eq!(truncate_upper_str("\u{d7ff}x", 3, &mut room)?, Some("\u{e000}"));
/// assert_eq!(truncate_upper_str("a\u{7f}x", 2, &mut room)?, Some("b"));
/// assert_eq!(truncate_upper_str("\u{10ffff}x", 4, &mut room)?, None);
/// # Ok::<(), isotone::Error>(())
/// ```
///
/// # Errors
/// [`Error::ShortBuffer`] when the bound does not fit; `room` is unchanged then.
pub fn truncate_upper_str<'r>(text: &str, max_len: usize, room: &'r mut [u8]) -> Result<Option<&'r str>, Error> {
    let available = room.len();
    let front = truncate_lower_str(text, max_len);
    let (kept, raised) = if front.len() == text.len() {
        (text, None)
    } else {
        let raised = front.char_indices().rev().find_map(|(at, scalar)| {
            // A range of char steps over the surrogates.
            let next = (scalar..=char::MAX).nth(1)?;
            let fits = at.checked_add(next.len_utf8())? <= max_len;
            if fits { Some((front.get(..at)?, next)) } else { None }
        });
        let Some((kept, next)) = raised else { return Ok(None) };
        (kept, Some(next))
    };
    let needed = kept.len().saturating_add(raised.map_or(0, char::len_utf8));
    let short = Error::ShortBuffer { needed, available };
    let room = room.get_mut(..needed).ok_or(short)?;
    let (start, last) = room.split_at_mut_checked(kept.len()).ok_or(short)?;
    start.copy_from_slice(kept.as_bytes());
    if let Some(next) = raised {
        last.copy_from_slice(next.encode_utf8(&mut [0; 4]).as_bytes());
    }
    Ok(core::str::from_utf8(room).ok())
}

/// The least of the shortest bytes ≥ `a` that keep its first `from` bytes: cut behind the first
/// byte from there on that can be raised, and raised there. `a` itself where that is not shorter.
fn raise<'r>(a: &[u8], from: usize, room: &'r mut [u8]) -> Result<&'r [u8], Error> {
    let at = a.iter().enumerate().skip(from).find(|(_, byte)| **byte != 0xff);
    // In range: a slice's index plus one is at most its length.
    let cut = at.map_or(a.len(), |(at, _)| at.wrapping_add(1));
    let room = fill(a.get(..cut).unwrap_or(a), room)?;
    if cut < a.len() {
        if let Some(last) = room.last_mut() {
            // In range: it is not ff.
            *last = last.wrapping_add(1);
        }
    }
    Ok(room)
}

fn fill<'r>(bytes: &[u8], room: &'r mut [u8]) -> Result<&'r mut [u8], Error> {
    let short = Error::ShortBuffer { needed: bytes.len(), available: room.len() };
    let room = room.get_mut(..bytes.len()).ok_or(short)?;
    room.copy_from_slice(bytes);
    Ok(room)
}
