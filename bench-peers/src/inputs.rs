//! What the works work on. Leaked once, so that every subject can hold it.

/// The row of W1: `(i64, 12-byte str, u64)`, the last one descending where a subject can.
pub(crate) const ID: i64 = 42;
pub(crate) const NAME: &str = "Ada Lovelace";
/// Twelve bytes too, not all of them ASCII.
pub(crate) const NAME_UTF8: &str = "Ada Łovelac";
pub(crate) const SEQ: u64 = 7_000_000_000;
/// The row of W7.
pub(crate) const FIXED: (u64, i32, f64, u16) = (7_000_000_000, -7, 1.5, 3);

pub(crate) struct Blob {
    pub(crate) work: &'static str,
    pub(crate) bytes: &'static [u8],
}

/// Bytes that are no zero, or a zero in so many of a hundred places, scattered.
pub(crate) fn scattered(len: usize, percent: usize) -> Vec<u8> {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let byte = |i: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        if (state % 100) < percent as u64 { 0 } else { b'a' + u8::try_from(i % 26).unwrap() }
    };
    (0..len).map(byte).collect()
}

/// The byte strings of W2 to W5.
pub(crate) fn blobs() -> [Blob; 4] {
    let blob = |work, bytes: Vec<u8>| Blob { work, bytes: bytes.leak() };
    [
        blob("W2", scattered(31, 0)),
        blob("W4", scattered(1024, 0)),
        blob("W5", scattered(1024, 10)),
        blob("W5b", vec![0; 1024]),
    ]
}

/// More bytes than any cache holds, read in pieces of 1 KiB one after another.
pub(crate) fn stream() -> &'static [u8] {
    scattered(1 << 16, 0).repeat(1 << 10).leak()
}

/// A room of its own for a subject, away from the others'.
pub(crate) fn room(len: usize) -> &'static mut [u8] {
    &mut vec![0; len + 192].leak()[128..128 + len]
}
