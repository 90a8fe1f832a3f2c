//! The byte loop that speed is measured in: shared by the benches, and by `bench-peers`.

/// Escapes one byte after another into `out`, each XORed with `mask`, without a branch on its value:
/// a byte and an escape, whose place the next byte takes unless the byte was a zero. Gives how many
/// bytes that took, the end included.
#[inline]
pub(crate) fn byte_loop(out: &mut [u8], value: &[u8], mask: u8) -> usize {
    let mut at = 0;
    for byte in value {
        let two = &mut out[at..at + 2];
        two[0] = byte ^ mask;
        two[1] = !mask;
        at += 1 + usize::from(*byte == 0);
    }
    out[at..at + 2].copy_from_slice(&[mask, mask]);
    at + 2
}
