//! Byte strings of at most 32 bytes without a zero: loaded whole into a few words, which are tested
//! and stored again. No loop, no call.

use crate::raw::lanes::xor;

/// Longest string that is written this way.
pub(crate) const SHORT: usize = 32;

/// Whether any of the bytes of either is `want`: one test for both.
#[inline(always)]
fn any<const N: usize>(first: &[u8; N], last: &[u8; N], want: u8) -> bool {
    first.iter().zip(last).fold(false, |any, (a, b)| any | (*a == want) | (*b == want))
}

/// Stores a tag if there is one, the bytes of `raw` XORed with `mask`, and twice `end`, each of them
/// `00` or `ff`, at the front of `free`. Gives how many bytes that took; `None`, and nothing stored, when `raw` is longer than
/// [`SHORT`], holds a byte `zero`, or does not fit.
#[inline(always)]
pub(crate) fn put(free: &mut [u8], tag: Option<u8>, raw: &[u8], zero: u8, mask: u8, end: u8) -> Option<usize> {
    let n = raw.len();
    let before = usize::from(tag.is_some());
    // In range: three more than a slice can be long; at most 35 where it is used.
    let size = n.wrapping_add(2).wrapping_add(before);
    if n > SHORT || free.len() < size {
        return None;
    }
    let (field, _) = free.split_at_mut_checked(size)?;
    let (head, rest) = field.split_at_mut_checked(before)?;
    let (body, tail) = rest.split_at_mut_checked(n)?;
    // Two chunks that meet or overlap in the middle cover everything between.
    macro_rules! two_chunks {
        ($width:literal) => {{
            let (first, last) = (raw.first_chunk::<$width>()?, raw.last_chunk::<$width>()?);
            if any(first, last, zero) {
                return None;
            }
            let (first, last) = (xor(*first, mask), xor(*last, mask));
            *body.first_chunk_mut::<$width>()? = first;
            *body.last_chunk_mut::<$width>()? = last;
        }};
    }
    if n >= 16 {
        two_chunks!(16);
    } else if n >= 8 {
        two_chunks!(8);
    } else if n >= 4 {
        two_chunks!(4);
    } else if n >= 2 {
        two_chunks!(2);
    } else if n == 1 {
        two_chunks!(1);
    }
    if let (Some(tag), Some(slot)) = (tag, head.first_mut()) {
        *slot = tag;
    }
    *tail.first_chunk_mut::<2>()? = i16::from(i8::from_ne_bytes([end])).to_ne_bytes();
    Some(size)
}

/// Copies equally long bytes, each XORed with `mask`; few of them without a loop.
#[inline(always)]
pub(crate) fn copy(to: &mut [u8], from: &[u8], mask: u8) {
    macro_rules! two_chunks {
        ($width:literal) => {
            if let (Some(first), Some(last)) = (from.first_chunk::<$width>(), from.last_chunk::<$width>()) {
                let (first, last) = (xor(*first, mask), xor(*last, mask));
                if let Some(to) = to.first_chunk_mut::<$width>() {
                    *to = first;
                }
                if let Some(to) = to.last_chunk_mut::<$width>() {
                    *to = last;
                }
            }
        };
    }
    match from.len() {
        0..=3 | 33.. => {
            for (to, from) in to.iter_mut().zip(from) {
                *to = from ^ mask;
            }
        }
        4..=7 => two_chunks!(4),
        8..=15 => two_chunks!(8),
        _ => two_chunks!(16),
    }
}

#[cfg(test)]
mod tests {
    use std::prelude::v1::*;
    use std::vec;

    use super::*;

    #[test]
    fn copies_any_length() {
        for n in 0..=100u8 {
            let from: Vec<u8> = (0..n).collect();
            for mask in [0, 0xff] {
                let mut to = vec![0xaa; from.len()];
                copy(&mut to, &from, mask);
                assert_eq!(to, from.iter().map(|b| b ^ mask).collect::<Vec<u8>>());
            }
        }
    }

    #[test]
    fn stores_all_or_nothing() {
        for n in 0..=40u8 {
            let raw: Vec<u8> = (1..=n).collect();
            let n = raw.len();
            for mask in [0u8, 0xff] {
                for tag in [None, Some(1u8)] {
                    let size = n + 2 + usize::from(tag.is_some());
                    let mut want: Vec<u8> = tag.into_iter().chain(raw.iter().map(|b| b ^ mask)).collect();
                    want.extend([mask; 2]);
                    for room in [size.saturating_sub(1), size, size + 5] {
                        let mut free = vec![0xaa; room];
                        let put = put(&mut free, tag, &raw, 0, mask, mask);
                        if n > SHORT || room < size {
                            assert_eq!(put, None);
                            assert_eq!(free, vec![0xaa; room]);
                        } else {
                            assert_eq!(put, Some(size));
                            assert_eq!(free[..size], want);
                            assert_eq!(free[size..], vec![0xaa; room - size]);
                        }
                    }
                    for at in 0..n.min(SHORT) {
                        let mut other = raw.clone();
                        other[at] = 0;
                        let mut free = vec![0xaa; 64];
                        assert_eq!(super::put(&mut free, tag, &other, 0, mask, mask), None);
                        assert_eq!(free, vec![0xaa; 64]);
                    }
                }
            }
        }
    }
}
