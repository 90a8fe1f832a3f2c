//! Long byte strings, sixty-four bytes at a time: which of them are zero, as bits, and from that
//! where everything goes. Nothing here waits for a byte that was just written.

use crate::raw::lanes::AHEAD;
use crate::raw::lanes::BLOCK;
use crate::raw::lanes::Lanes;
use crate::raw::lanes::SPREAD;
use crate::raw::lanes::word_matches;

/// Bytes that are looked at together where no zero is expected.
const STRIDE: usize = 256;

/// More zeros than this in a block are taken byte by byte: copies of gaps would overlap too much.
const DENSE: u32 = 24;

/// Copies bytes up to a zero, or to less than [`STRIDE`] before one. Gives how many. `ZERO` is how a
/// zero lies in `raw`; every byte is complemented if `FLIP`.
#[inline(always)]
pub(crate) fn copy_clean<const ZERO: u8, const FLIP: bool>(lanes: impl Lanes, room: &mut [u8], raw: &[u8]) -> usize {
    match raw.len() {
        STRIDE.. => copy_all::<ZERO, FLIP, STRIDE>(lanes, room, raw),
        BLOCK.. => copy_all::<ZERO, FLIP, BLOCK>(lanes, room, raw),
        _ => copy_all::<ZERO, FLIP, 32>(lanes, room, raw),
    }
}

/// Copies whole chunks without a zero, and then the last chunk again with what is left before it.
#[inline(always)]
fn copy_all<const ZERO: u8, const FLIP: bool, const N: usize>(lanes: impl Lanes, room: &mut [u8], raw: &[u8]) -> usize {
    let at = copy_chunks::<ZERO, FLIP, N>(lanes, room, raw, 0);
    match raw.len().checked_sub(N) {
        Some(last) if last < at && at < raw.len() => {
            // In range: the last chunk ends where the bytes do.
            if copy_chunks::<ZERO, FLIP, N>(lanes, room, raw, last) == last { at } else { raw.len() }
        }
        _ => at,
    }
}

/// Copies whole chunks without a zero, from `at` on; gives where they end.
#[inline(always)]
fn copy_chunks<const ZERO: u8, const FLIP: bool, const N: usize>(
    lanes: impl Lanes,
    room: &mut [u8],
    raw: &[u8],
    mut at: usize,
) -> usize {
    let (Some(room), Some(raw)) = (room.get_mut(at..), raw.get(at..)) else { return at };
    for (to, from) in room.chunks_exact_mut(N).zip(raw.chunks_exact(N)) {
        let (Some(to), Some(from)) = (to.first_chunk_mut::<N>(), from.first_chunk::<N>()) else { break };
        // Stored before it is known whether it may stay: if not, it is written over.
        if lanes.copy_any::<ZERO, FLIP, N>(to, from) {
            break;
        }
        // In range: within a slice.
        at = at.wrapping_add(N);
    }
    at
}

#[inline(always)]
fn chunk<const N: usize>(bytes: &[u8], at: usize) -> Option<&[u8; N]> {
    bytes.get(at..)?.first_chunk::<N>()
}

#[inline(always)]
fn chunk_mut<const N: usize>(bytes: &mut [u8], at: usize) -> Option<&mut [u8; N]> {
    bytes.get_mut(at..)?.first_chunk_mut::<N>()
}

/// Escapes `raw` into the front of `room`, which has room for all of it and one byte more, and writes
/// nothing behind it; the first `at` bytes hold no zero and lie there already. Returns how many bytes
/// it took. `ZERO` is how a zero lies in `raw`, and every byte is XORed with `mask`, `00` or `ff`;
/// `escape` is stored as it is.
#[inline(always)]
pub(crate) fn escape_from<const ZERO: u8>(
    lanes: impl Lanes,
    room: &mut [u8],
    raw: &[u8],
    at: usize,
    mask: u8,
    escape: u8,
) -> usize {
    let (mut read, mut written, mut clean) = (at, at, false);
    // In range throughout: both stay within their slices, which are at most isize::MAX long.
    loop {
        if clean {
            // Long runs without a zero are passed faster.
            while let (Some(from), Some(to)) = (chunk::<STRIDE>(raw, read), chunk_mut::<STRIDE>(room, written)) {
                if lanes.any::<ZERO, STRIDE>(from) {
                    break;
                }
                lanes.copy(to, from, mask);
                (read, written) = (read.wrapping_add(STRIDE), written.wrapping_add(STRIDE));
            }
        }
        // Where the field goes on for longer than a copy may run over, a block is escaped in place.
        let (Some(from), Some(to)) = (chunk::<AHEAD>(raw, read), chunk_mut::<SPREAD>(room, written)) else { break };
        let n = escape_block::<ZERO>(lanes, to, from, mask, escape);
        clean = n == BLOCK;
        (read, written) = (read.wrapping_add(BLOCK), written.wrapping_add(n));
        if n == 2 * BLOCK {
            // So are long runs of zeros.
            while let (Some(from), Some(to)) = (chunk::<BLOCK>(raw, read), chunk_mut::<{ 2 * BLOCK }>(room, written)) {
                if lanes.matches(from, ZERO) != u64::MAX {
                    break;
                }
                fill_escaped(to, ZERO ^ mask, escape);
                (read, written) = (read.wrapping_add(BLOCK), written.wrapping_add(2 * BLOCK));
            }
        }
    }
    while let Some(rest) = raw.get(read..).filter(|rest| !rest.is_empty()) {
        if rest.len() <= SHORT {
            return escape_bytes(room, written, rest, ZERO, mask, escape);
        }
        let (mut from, mut to) = ([!ZERO; AHEAD], [0; SPREAD]);
        let n = rest.len().min(BLOCK);
        if let (Some(from), Some(rest)) = (from.get_mut(..n), rest.get(..n)) {
            from.copy_from_slice(rest);
        }
        // The filling is no zero, so it takes as many bytes as it is long.
        let len = escape_block::<ZERO>(lanes, &mut to, &from, mask, escape).wrapping_sub(BLOCK.wrapping_sub(n));
        if let (Some(room), Some(to)) = (room.get_mut(written..).and_then(|r| r.get_mut(..len)), to.get(..len)) {
            room.copy_from_slice(to);
        }
        (read, written) = (read.wrapping_add(n), written.wrapping_add(len));
    }
    written
}

/// Tails up to this long are taken byte by byte.
const SHORT: usize = 24;

/// Byte by byte, from `written` on; gives where it ends.
#[inline(always)]
pub(crate) fn escape_bytes(room: &mut [u8], written: usize, raw: &[u8], zero: u8, mask: u8, escape: u8) -> usize {
    let mut n = written;
    for byte in raw {
        // Each byte and an escape behind it; the next byte takes the escape's place unless the byte
        // was a zero. There is room for one byte more than all of them.
        if let Some([first, second]) = room.get_mut(n..).and_then(|r| r.first_chunk_mut::<2>()) {
            (*first, *second) = (byte ^ mask, escape);
        }
        // In range: within the room.
        n = n.wrapping_add(1).wrapping_add(usize::from(*byte == zero));
    }
    n
}

/// Ends what takes `n` bytes, with twice the byte that a zero lies as. Gives how many it takes then.
#[inline(always)]
pub(crate) fn end(room: &mut [u8], n: usize, zero: u8) -> usize {
    if let Some(end) = room.get_mut(n..).and_then(|r| r.first_chunk_mut::<2>()) {
        *end = [zero; 2];
    }
    // In range: within the buffer.
    n.wrapping_add(2)
}

/// Copies `N` bytes from `from` on to `to` on, each XORed with `mask`. Does nothing where they are
/// not all there; callers see to it that they are.
#[inline(always)]
fn copy<const N: usize>(lanes: impl Lanes, room: &mut [u8], to: usize, raw: &[u8], from: usize, mask: u8) {
    if let (Some(source), Some(target)) = (chunk::<N>(raw, from), chunk_mut::<N>(room, to)) {
        lanes.copy(target, source, mask);
    }
}

/// A block of nothing but zeros, escaped.
#[inline(always)]
fn fill_escaped(room: &mut [u8; 2 * BLOCK], zero: u8, escape: u8) {
    for (i, slot) in room.iter_mut().enumerate() {
        *slot = if i & 1 == 0 { zero } else { escape };
    }
}

/// Escapes one block. Returns how many bytes it took, 64 to 128; up to 32 behind them are written
/// over.
#[inline(always)]
fn escape_block<const ZERO: u8>(
    lanes: impl Lanes,
    room: &mut [u8; SPREAD],
    raw: &[u8; AHEAD],
    mask: u8,
    escape: u8,
) -> usize {
    let Some(block) = raw.first_chunk::<BLOCK>() else { return BLOCK };
    let mut zeros = lanes.matches(block, ZERO);
    if zeros == 0 {
        copy::<BLOCK>(lanes, room, 0, raw, 0, mask);
        return BLOCK;
    }
    if zeros == u64::MAX {
        if let Some(room) = room.first_chunk_mut::<{ 2 * BLOCK }>() {
            fill_escaped(room, ZERO ^ mask, escape);
        }
        return 2 * BLOCK;
    }
    if let Some(n) = lanes.spread(room, raw, zeros, mask, escape) {
        return n;
    }
    if zeros.count_ones() > DENSE {
        return escape_bytes(room, 0, block, ZERO, mask, escape);
    }
    // In range throughout: the one is at most 64, the other at most 64 and the zeros, of which not
    // all are. The masks say so to the compiler; a copy from past the block is written over.
    let (mut from, mut to) = (0usize, 0usize);
    while zeros != 0 {
        let at = zeros.trailing_zeros() as usize;
        copy::<32>(lanes, room, to & 127, raw, from & 63, mask);
        let gap = at.wrapping_sub(from);
        if gap >= 32 {
            copy::<32>(lanes, room, to.wrapping_add(32) & 127, raw, from.wrapping_add(32) & 63, mask);
        }
        // The gap and its zero, then the zero's escape.
        to = to.wrapping_add(gap).wrapping_add(1);
        if let Some(slot) = room.get_mut(to & 127) {
            *slot = escape;
        }
        to = to.wrapping_add(1);
        from = at.wrapping_add(1);
        zeros &= zeros.wrapping_sub(1);
    }
    copy::<32>(lanes, room, to & 127, raw, from & 63, mask);
    if from < 32 {
        copy::<32>(lanes, room, to.wrapping_add(32) & 127, raw, from.wrapping_add(32) & 63, mask);
    }
    to.wrapping_add(BLOCK).wrapping_sub(from)
}

/// Looks for the first zero that its escape does not follow; `ZERO` as it lies, the escape being
/// its complement. Gives its offset, or the length where there is none, and the number of escaped
/// zeros before it.
#[inline(always)]
pub(crate) fn scan<const ZERO: u8>(lanes: impl Lanes, raw: &[u8]) -> (usize, usize) {
    let (mut at, mut zeros, mut clean) = (0usize, 0usize, true);
    // In range throughout: offsets within a slice.
    'blocks: loop {
        if clean {
            at = pass::<ZERO, STRIDE>(lanes, raw, at);
        }
        for _ in 0..STRIDE / BLOCK {
            let Some(block) = chunk::<BLOCK>(raw, at) else { break 'blocks };
            let found = lanes.matches(block, ZERO);
            clean = found == 0;
            if !clean {
                let Some(next) = chunk::<BLOCK>(raw, at.wrapping_add(1)) else { break 'blocks };
                // An escape is no zero, so every zero opens an escape, or is the end.
                let wrong = found & !lanes.matches(next, !ZERO);
                if wrong != 0 {
                    return (at.wrapping_add(wrong.trailing_zeros() as usize), escaped(found, wrong, zeros));
                }
                zeros = zeros.wrapping_add(found.count_ones() as usize);
            }
            at = at.wrapping_add(BLOCK);
        }
    }
    // A block or less is left: the last block again, what was seen of it already being left out. Where
    // all was seen, the shift wraps and leaves nothing out; but then that block held no zero, as one
    // with a zero is passed only where a byte follows it.
    if let (Some(start), Some(block)) = (raw.len().checked_sub(BLOCK), raw.last_chunk::<BLOCK>()) {
        let found = lanes.matches(block, ZERO) & u64::MAX.wrapping_shl(shift(at.wrapping_sub(start)));
        // No escape follows the last byte.
        let wrong = found & !(lanes.matches(block, !ZERO) >> 1);
        let end = if wrong == 0 { raw.len() } else { start.wrapping_add(wrong.trailing_zeros() as usize) };
        return (end, escaped(found, wrong, zeros));
    }
    while let Some(word) = chunk::<8>(raw, at) {
        let mut hits = word_matches(u64::from_le_bytes(*word) ^ u64::from_ne_bytes([ZERO; 8]));
        while hits != 0 {
            let zero = at.wrapping_add(hits.trailing_zeros() as usize);
            if raw.get(zero.wrapping_add(1)) != Some(&!ZERO) {
                return (zero, zeros);
            }
            zeros = zeros.wrapping_add(1);
            hits &= hits.wrapping_sub(1);
        }
        at = at.wrapping_add(8);
    }
    while let Some(byte) = raw.get(at) {
        if *byte == ZERO {
            if raw.get(at.wrapping_add(1)) != Some(&!ZERO) {
                return (at, zeros);
            }
            zeros = zeros.wrapping_add(1);
        }
        at = at.wrapping_add(1);
    }
    (at, zeros)
}

/// Passes over whole chunks without a zero, from `at` on; gives where they end.
#[inline(always)]
fn pass<const ZERO: u8, const N: usize>(lanes: impl Lanes, raw: &[u8], mut at: usize) -> usize {
    for chunk in raw.get(at..).unwrap_or(&[]).chunks_exact(N).filter_map(<[u8]>::first_chunk::<N>) {
        if lanes.any::<ZERO, N>(chunk) {
            break;
        }
        // In range: within a slice.
        at = at.wrapping_add(N);
    }
    at
}

/// A distance within a block, to shift by.
#[inline(always)]
fn shift(bytes: usize) -> u32 {
    u32::try_from(bytes).unwrap_or(0)
}

/// The `zeros` so far and those of a block that come before the first `wrong` one.
#[inline(always)]
fn escaped(found: u64, wrong: u64, zeros: usize) -> usize {
    let before = found & wrong.wrapping_sub(1) & !wrong;
    // In range: counts bytes of a slice.
    zeros.wrapping_add(before.count_ones() as usize)
}

/// Takes the escapes out of `raw` into `room`, which is exactly as long as the outcome. `ZERO` is
/// how a zero lies in `raw`; every byte is XORed with it.
#[inline(always)]
pub(crate) fn unescape<const ZERO: u8>(lanes: impl Lanes, room: &mut [u8], raw: &[u8]) {
    // `cut` says that the next byte is the escape of the last one.
    let (mut read, mut written, mut cut) = (0usize, 0usize, false);
    // In range throughout: offsets within slices.
    while let (Some(from), Some(to)) = (chunk::<AHEAD>(raw, read), chunk_mut::<AHEAD>(room, written)) {
        let (gave, cuts) = unescape_block::<ZERO>(lanes, to, from, cut);
        (read, written, cut) = (read.wrapping_add(BLOCK), written.wrapping_add(gave), cuts);
    }
    while let Some(rest) = raw.get(read..).filter(|rest| !rest.is_empty()) {
        if rest.len() <= SHORT {
            unescape_bytes(room, written, rest.get(usize::from(cut)..).unwrap_or(&[]), ZERO);
            return;
        }
        let (mut from, mut to) = ([!ZERO; AHEAD], [0; AHEAD]);
        let n = rest.len().min(BLOCK);
        if let (Some(from), Some(rest)) = (from.get_mut(..n), rest.get(..n)) {
            from.copy_from_slice(rest);
        }
        let (gave, cuts) = unescape_block::<ZERO>(lanes, &mut to, &from, cut);
        // The filling is no zero, so it gave as many bytes as it is long.
        let gave = gave.wrapping_sub(BLOCK.wrapping_sub(n));
        if let (Some(room), Some(to)) = (room.get_mut(written..).and_then(|r| r.get_mut(..gave)), to.get(..gave)) {
            room.copy_from_slice(to);
        }
        (read, written, cut) = (read.wrapping_add(n), written.wrapping_add(gave), cuts);
    }
}

/// Byte by byte, to `written` on. Gives where it ended.
#[inline(always)]
fn unescape_bytes(room: &mut [u8], written: usize, raw: &[u8], zero: u8) -> usize {
    let (mut from, mut to) = (0usize, written);
    while let (Some(byte), Some(slot)) = (raw.get(from), room.get_mut(to)) {
        *slot = byte ^ zero;
        // In range: within the slices, and one.
        from = from.wrapping_add(1).wrapping_add(usize::from(*byte == zero));
        to = to.wrapping_add(1);
    }
    to
}

/// Takes the escapes out of one block, whose first byte is one if `cut`. Returns how many bytes it
/// gave, and whether its last byte's escape is the next block's first; up to 32 behind them are
/// written over.
#[inline(always)]
fn unescape_block<const ZERO: u8>(
    lanes: impl Lanes,
    room: &mut [u8; AHEAD],
    raw: &[u8; AHEAD],
    cut: bool,
) -> (usize, bool) {
    let mask = ZERO;
    let Some(block) = raw.first_chunk::<BLOCK>() else { return (BLOCK, false) };
    let mut zeros = lanes.matches(block, ZERO);
    let escapes = zeros << 1 | u64::from(cut);
    let cuts = zeros >> 63 == 1;
    if escapes == 0 && zeros == 0 {
        copy::<BLOCK>(lanes, room, 0, raw, 0, mask);
        return (BLOCK, false);
    }
    if zeros ^ escapes == u64::MAX {
        // Nothing but escaped zeros.
        if let Some(room) = room.first_chunk_mut::<{ BLOCK / 2 }>() {
            *room = [ZERO ^ mask; BLOCK / 2];
        }
        return (BLOCK / 2, cuts);
    }
    if let Some(n) = lanes.gather(room, raw, escapes, mask) {
        return (n, cuts);
    }
    if zeros.count_ones() > DENSE / 2 {
        return (unescape_bytes(room, 0, block.get(usize::from(cut)..).unwrap_or(&[]), ZERO), cuts);
    }
    // In range throughout: the one is at most 65, the other at most 64.
    let (mut from, mut to) = (usize::from(cut), 0usize);
    while zeros != 0 {
        let at = zeros.trailing_zeros() as usize;
        copy::<32>(lanes, room, to & 63, raw, from & 63, mask);
        let gap = at.wrapping_sub(from);
        if gap >= 32 {
            copy::<32>(lanes, room, to.wrapping_add(32) & 63, raw, from.wrapping_add(32) & 63, mask);
        }
        // The gap and its zero; the escape is passed over.
        to = to.wrapping_add(gap).wrapping_add(1);
        from = at.wrapping_add(2);
        zeros &= zeros.wrapping_sub(1);
    }
    if from >= BLOCK {
        return (to, cuts);
    }
    copy::<32>(lanes, room, to & 63, raw, from & 63, mask);
    if from < 32 {
        copy::<32>(lanes, room, to.wrapping_add(32) & 63, raw, from.wrapping_add(32) & 63, mask);
    }
    (to.wrapping_add(BLOCK).wrapping_sub(from), cuts)
}

#[cfg(test)]
mod tests {
    use std::prelude::v1::*;
    use std::vec;

    use super::*;
    use crate::raw::lanes::Here;

    #[test]
    fn scan_stops_at_the_first_zero_without_its_escape() {
        for len in [0usize, 1, 63, 64, 65, 127, 128, 129, 200, 257, 400] {
            for at in 0..len {
                for every in [2usize, 3, 64, 1000] {
                    // Escapes all along, but none at `at`.
                    let mut raw = vec![7u8; len];
                    for i in (0..len.saturating_sub(1)).step_by(every) {
                        (raw[i], raw[i + 1]) = (0, 0xff);
                    }
                    raw[at] = 0;
                    if let Some(next) = raw.get_mut(at + 1) {
                        *next = 1;
                    }
                    let first = (0..len).find(|i| raw[*i] == 0 && raw.get(i + 1) != Some(&0xff)).unwrap();
                    let zeros = raw[..first].iter().filter(|b| **b == 0).count();
                    assert_eq!(scan::<0>(Here, &raw), (first, zeros));
                    let flipped: Vec<u8> = raw.iter().map(|b| !b).collect();
                    assert_eq!(scan::<0xff>(Here, &flipped), (first, zeros));
                    raw.truncate(first);
                    assert_eq!(scan::<0>(Here, &raw), (first, zeros));
                }
            }
        }
    }
}
