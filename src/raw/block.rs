//! Long byte strings, sixty-four bytes at a time: which of them are zero, as bits, and from that
//! where everything goes. Nothing here waits for a byte that was just written.

/// Bytes in a block.
pub(crate) const BLOCK: usize = 64;
/// Bytes that are looked at together where no zero is expected.
const STRIDE: usize = 256;

/// One bit for each byte of the block that equals `byte`, the first byte's lowest.
#[inline(always)]
pub(crate) fn matches(block: &[u8; BLOCK], byte: u8) -> u64 {
    let want = u64::from_ne_bytes([byte; 8]);
    let (mut bits, mut shift) = (0u64, 0u32);
    let mut rest: &[u8] = block;
    // Waits for 1.88: `as_chunks` would say this without a remainder.
    while let Some((word, tail)) = rest.split_first_chunk::<8>() {
        bits |= word_matches(u64::from_le_bytes(*word) ^ want).wrapping_shl(shift);
        shift = shift.wrapping_add(8);
        rest = tail;
    }
    bits
}

/// One bit for each zero byte of a word; eight bits.
#[inline(always)]
const fn word_matches(word: u64) -> u64 {
    const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    // The top bit of each byte says that the byte is not zero; no byte carries into the next.
    let not_zero = (word & LOW).wrapping_add(LOW) | word | LOW;
    // Gathers the top bits of eight bytes into the top byte.
    (!not_zero >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

/// Whether any of the bytes equals `ZERO`, which is `00` or `ff`: their least or greatest then does.
#[inline(always)]
fn any<const ZERO: u8, const N: usize>(bytes: &[u8; N]) -> bool {
    const { assert!(ZERO == 0 || ZERO == 0xff) };
    if ZERO == 0 {
        bytes.iter().fold(0xff, |least: u8, b| least.min(*b)) == 0
    } else {
        bytes.iter().fold(0, |most: u8, b| most.max(*b)) == 0xff
    }
}

/// Copies `N` bytes from `from` on to `to` on, each XORed with `mask`. Does nothing where they are
/// not all there; callers ask only where they are.
#[inline(always)]
fn copy<const N: usize>(room: &mut [u8], to: usize, raw: &[u8], from: usize, mask: u8) {
    let source = raw.get(from..).and_then(|r| r.first_chunk::<N>());
    let target = room.get_mut(to..).and_then(|r| r.first_chunk_mut::<N>());
    if let (Some(source), Some(target)) = (source, target) {
        for (to, from) in target.iter_mut().zip(source) {
            *to = from ^ mask;
        }
    }
}

/// More zeros than this in a block are taken byte by byte: copies of gaps would overlap too much.
const DENSE: u32 = 12;

/// Escapes blocks from the front of `raw` into the front of `room`, which has room for all of it.
/// Returns how many bytes of each were used; what is left of `raw` is shorter than two blocks, so
/// that copies may run over into room that later bytes fill.
#[inline(always)]
pub(crate) fn escape<const ZERO: u8>(room: &mut [u8], raw: &[u8], mask: u8, escape: u8) -> (usize, usize) {
    let (mut read, mut written, mut clean) = (0usize, 0usize, true);
    let zero = ZERO;
    // In range throughout: both stay within their slices, which are at most isize::MAX long.
    while let Some(ahead) = raw.get(read..).and_then(|r| r.first_chunk::<{ 2 * BLOCK }>()) {
        // A stride is tried where the block before had no zero.
        if let (true, Some(stride)) = (clean, raw.get(read..).and_then(|r| r.first_chunk::<STRIDE>())) {
            if !any::<ZERO, STRIDE>(stride) {
                copy::<STRIDE>(room, written, raw, read, mask);
                (read, written) = (read.wrapping_add(STRIDE), written.wrapping_add(STRIDE));
                continue;
            }
        }
        let Some(block) = ahead.first_chunk::<BLOCK>() else { break };
        clean = !any::<ZERO, BLOCK>(block);
        if !clean {
            let mut zeros = matches(block, zero);
            let mut from = 0usize;
            if zeros == u64::MAX {
                if let Some(room) = room.get_mut(written..).and_then(|r| r.first_chunk_mut::<{ 2 * BLOCK }>()) {
                    for (i, slot) in room.iter_mut().enumerate() {
                        *slot = if i & 1 == 0 { zero ^ mask } else { escape };
                    }
                }
                (read, written) = (read.wrapping_add(BLOCK), written.wrapping_add(2 * BLOCK));
                continue;
            }
            if zeros.count_ones() > DENSE {
                written = escape_dense(room, written, block, zero, mask, escape);
                read = read.wrapping_add(BLOCK);
                continue;
            }
            while zeros != 0 {
                let at = zeros.trailing_zeros() as usize;
                copy::<32>(room, written, raw, read.wrapping_add(from), mask);
                if at.wrapping_sub(from) >= 32 {
                    copy::<32>(room, written.wrapping_add(32), raw, read.wrapping_add(from).wrapping_add(32), mask);
                }
                // The gap and its zero, then the zero's escape.
                written = written.wrapping_add(at).wrapping_sub(from).wrapping_add(1);
                if let Some(slot) = room.get_mut(written) {
                    *slot = escape;
                }
                written = written.wrapping_add(1);
                from = at.wrapping_add(1);
                zeros &= zeros.wrapping_sub(1);
            }
            copy::<BLOCK>(room, written, raw, read.wrapping_add(from), mask);
            written = written.wrapping_add(BLOCK).wrapping_sub(from);
        } else {
            copy::<BLOCK>(room, written, raw, read, mask);
            written = written.wrapping_add(BLOCK);
        }
        read = read.wrapping_add(BLOCK);
    }
    (read, written)
}

/// Escapes a block of many zeros into `room` from `written` on; gives where it ends.
#[inline(always)]
fn escape_dense(room: &mut [u8], written: usize, block: &[u8; BLOCK], zero: u8, mask: u8, escape: u8) -> usize {
    let mut written = written;
    let mut rest: &[u8] = block;
    while let Some((eight, tail)) = rest.split_first_chunk::<8>() {
        // Each byte and an escape behind it; the next byte takes the escape's place unless the byte
        // was a zero. In range: eight bytes take sixteen at most, and one more is written over.
        if let Some(room) = room.get_mut(written..).and_then(|r| r.first_chunk_mut::<17>()) {
            let mut n = 0usize;
            for byte in eight {
                if let Some([first, second]) = room.get_mut(n..).and_then(|r| r.first_chunk_mut::<2>()) {
                    (*first, *second) = (byte ^ mask, escape);
                }
                n = n.wrapping_add(1).wrapping_add(usize::from(*byte == zero));
            }
            written = written.wrapping_add(n);
        }
        rest = tail;
    }
    written
}

/// What ended a scan for the end of escaped bytes.
pub(crate) enum Stop {
    /// `00` at this offset is not followed by `ff`: the end, or a fault.
    At(usize),
    /// Fewer bytes are left than a block and one; the offset where they begin.
    Rest(usize),
}

/// Passes over whole blocks of escaped bytes; `zero` and `escape` as they lie. Gives where it
/// stopped, and the number of escaped zeros before that.
#[inline(always)]
pub(crate) fn scan<const ZERO: u8>(raw: &[u8]) -> (Stop, usize) {
    let (mut at, mut zeros, mut clean) = (0usize, 0usize, true);
    let (zero, escape) = (ZERO, !ZERO);
    loop {
        if let (true, Some(stride)) = (clean, raw.get(at..).and_then(|r| r.first_chunk::<STRIDE>())) {
            if !any::<ZERO, STRIDE>(stride) {
                at = at.wrapping_add(STRIDE);
                continue;
            }
        }
        let Some((block, behind)) = raw.get(at..).and_then(|r| r.split_first_chunk::<BLOCK>()) else {
            return (Stop::Rest(at), zeros);
        };
        clean = !any::<ZERO, BLOCK>(block);
        if clean {
            at = at.wrapping_add(BLOCK);
            continue;
        }
        let Some(next) = behind.first() else { return (Stop::Rest(at), zeros) };
        let found = matches(block, zero);
        let escapes = matches(block, escape) >> 1 | u64::from(*next == escape) << 63;
        // A zero's successor is never a zero that opens an escape, unless this is the end.
        let wrong = found & !escapes;
        if wrong != 0 {
            let first = wrong.trailing_zeros();
            let before = found & (1u64.wrapping_shl(first)).wrapping_sub(1);
            let at = at.wrapping_add(first as usize);
            return (Stop::At(at), zeros.wrapping_add(before.count_ones() as usize));
        }
        zeros = zeros.wrapping_add(found.count_ones() as usize);
        // A zero at the block's end has its escape in the next one: pass over it.
        at = at.wrapping_add(BLOCK).wrapping_add((found >> 63) as usize);
    }
}

/// Takes the escapes out of `raw`, from its front, into the front of `room`. Returns how many
/// bytes of each were used; what is left of `room` is shorter than two blocks.
#[inline(always)]
pub(crate) fn unescape<const ZERO: u8>(room: &mut [u8], raw: &[u8]) -> (usize, usize) {
    let (zero, mask) = (ZERO, ZERO);
    let (mut read, mut written) = (0usize, 0usize);
    while room.len().wrapping_sub(written) >= 2 * BLOCK {
        let Some(ahead) = raw.get(read..).and_then(|r| r.first_chunk::<{ 2 * BLOCK }>()) else { break };
        let Some(block) = ahead.first_chunk::<BLOCK>() else { break };
        if any::<ZERO, BLOCK>(block) {
            let mut zeros = matches(block, zero);
            let mut from = 0usize;
            if zeros == 0x5555_5555_5555_5555 {
                // Nothing but escaped zeros.
                if let Some(room) = room.get_mut(written..).and_then(|r| r.first_chunk_mut::<{ BLOCK / 2 }>()) {
                    *room = [zero ^ mask; BLOCK / 2];
                }
                (read, written) = (read.wrapping_add(BLOCK), written.wrapping_add(BLOCK / 2));
                continue;
            }
            if zeros.count_ones() > DENSE {
                while from < BLOCK {
                    let byte = block.get(from).copied().unwrap_or(zero);
                    if let Some(slot) = room.get_mut(written) {
                        *slot = byte ^ mask;
                    }
                    written = written.wrapping_add(1);
                    from = from.wrapping_add(1).wrapping_add(usize::from(byte == zero));
                }
                read = read.wrapping_add(from);
                continue;
            }
            while zeros != 0 {
                let at = zeros.trailing_zeros() as usize;
                copy::<32>(room, written, raw, read.wrapping_add(from), mask);
                if at.wrapping_sub(from) >= 32 {
                    copy::<32>(room, written.wrapping_add(32), raw, read.wrapping_add(from).wrapping_add(32), mask);
                }
                // The gap and its zero; the escape is passed over.
                written = written.wrapping_add(at).wrapping_sub(from).wrapping_add(1);
                from = at.wrapping_add(2);
                zeros &= zeros.wrapping_sub(1);
            }
            if from < BLOCK {
                copy::<BLOCK>(room, written, raw, read.wrapping_add(from), mask);
                written = written.wrapping_add(BLOCK).wrapping_sub(from);
                from = BLOCK;
            }
            // One more where the last byte of the block is a zero.
            read = read.wrapping_add(from);
        } else {
            copy::<BLOCK>(room, written, raw, read, mask);
            (read, written) = (read.wrapping_add(BLOCK), written.wrapping_add(BLOCK));
        }
    }
    (read, written)
}

#[cfg(test)]
mod tests {
    use std::prelude::v1::*;
    use std::vec;

    use super::*;

    #[test]
    fn bits_agree_with_bytes() {
        for fill in [0u8, 1, 0x7f, 0x80, 0xff] {
            for at in 0..BLOCK {
                for byte in [0u8, 1, 0x80, 0xff] {
                    let mut block = [fill; BLOCK];
                    block[at] = byte;
                    block[(at * 7 + 3) % BLOCK] = 0;
                    for want in [0u8, 1, 0x80, 0xff] {
                        let bits = (0..BLOCK).fold(0u64, |bits, i| bits | u64::from(block[i] == want) << i);
                        assert_eq!(matches(&block, want), bits);
                    }
                    assert_eq!(any::<0, BLOCK>(&block), block.contains(&0));
                    assert_eq!(any::<0xff, BLOCK>(&block), block.contains(&0xff));
                }
            }
        }
    }

    #[test]
    fn scan_stops_at_the_first_zero_without_its_escape() {
        for len in [0usize, 1, 63, 64, 65, 127, 128, 129, 200] {
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
                    let (stop, zeros) = scan::<0>(&raw);
                    let (Stop::At(end) | Stop::Rest(end)) = stop;
                    assert_eq!(zeros, raw[..end].iter().filter(|b| **b == 0).count());
                    match stop {
                        Stop::At(found) => assert_eq!(found, first),
                        Stop::Rest(from) => assert!(from <= first + 1 && len - from <= BLOCK),
                    }
                }
            }
        }
    }
}
