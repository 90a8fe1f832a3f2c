//! Checks layout descriptors: `FORMAT.md` §6.

use crate::error::Error;
use crate::kind::MAX_DEPTH;
use crate::kind::code;
use crate::kind::is_simple;

/// What is wrong with a descriptor, as a `const fn` can say it.
type Checked<T> = Result<T, Error>;

/// Checks a whole descriptor, v1 or v2: `FORMAT.md` §6.
pub(crate) const fn check_descriptor(bytes: &[u8]) -> Checked<()> {
    let mut at = 0;
    while at < 2 {
        match byte_at(bytes, at, bytes.len()) {
            Ok(b'O') if at == 0 => {}
            Ok(b'K') if at == 1 => {}
            Ok(_) => return Err(Error::InvalidLayout { at: 0 }),
            Err(e) => return Err(e),
        }
        at = at.saturating_add(1);
    }
    let version = match byte_at(bytes, 2, bytes.len()) {
        Ok(version) => version,
        Err(e) => return Err(e),
    };
    if version != 1 && version != 2 {
        return Err(Error::UnsupportedKeyFormat { byte: version });
    }
    if bytes.len() == 3 {
        return Err(Error::EmptySpec);
    }
    at = 3;
    let mut plain = true;
    while at < bytes.len() {
        let kind = match byte_at(bytes, at, bytes.len()) {
            Ok(kind) => kind,
            Err(e) => return Err(e),
        };
        if version == 1 {
            if !matches!(kind, 0x10 | 0x11 | 0x20 | 0x21) {
                return Err(Error::InvalidLayout { at });
            }
            at = at.saturating_add(1);
        } else {
            let order_at = at.saturating_add(1);
            at = match check_field(bytes, at, bytes.len(), 0) {
                Ok(next) => next,
                Err(e) => return Err(e),
            };
            let tagless = matches!(byte_at(bytes, order_at, bytes.len()), Ok(4 | 5));
            plain = plain && tagless && matches!(kind, code::BYTES | code::I64);
        }
    }
    if version == 2 && plain { Err(Error::InvalidLayout { at: 2 }) } else { Ok(()) }
}

/// The byte at `at`, which must lie before `end`; else the descriptor, or the inner layout, ends
/// too early: its end is the place.
const fn byte_at(bytes: &[u8], at: usize, end: usize) -> Checked<u8> {
    match bytes.split_at_checked(at) {
        Some((_, rest)) if at < end => match rest.first() {
            Some(byte) => Ok(*byte),
            None => Err(Error::InvalidLayout { at: bytes.len() }),
        },
        // FORMAT §6 names the descriptor's length; an inner layout that ends too early is read
        // the same way: the place where a byte is missing.
        _ => Err(Error::InvalidLayout { at: if end < bytes.len() { end } else { bytes.len() } }),
    }
}

/// A field at `at`: kind, order, parameters. Gives where the next one starts.
const fn check_field(bytes: &[u8], at: usize, end: usize, depth: usize) -> Checked<usize> {
    let kind = match check_code(bytes, at, end, depth) {
        Ok(kind) => kind,
        Err(e) => return Err(e),
    };
    let order_at = at.saturating_add(1);
    match byte_at(bytes, order_at, end) {
        Ok(order) if order <= 5 => {}
        Ok(_) => return Err(Error::InvalidLayout { at: order_at }),
        Err(e) => return Err(e),
    }
    check_params(bytes, kind, at.saturating_add(2), end, depth)
}

/// The kind code at `at`, under `depth` composites.
const fn check_code(bytes: &[u8], at: usize, end: usize, depth: usize) -> Checked<u8> {
    let kind = match byte_at(bytes, at, end) {
        Ok(kind) => kind,
        Err(e) => return Err(e),
    };
    let known = is_simple(kind)
        || matches!(
            kind,
            code::OPAQUE
                | code::FIXED
                | code::COLLATED
                | code::NESTED
                | code::RECORD
                | code::LIST
                | code::ARRAY
                | code::RANGE
                | code::MULTIRANGE
        );
    if known && depth <= MAX_DEPTH { Ok(kind) } else { Err(Error::InvalidLayout { at }) }
}

const fn check_params(bytes: &[u8], kind: u8, at: usize, end: usize, depth: usize) -> Checked<usize> {
    match kind {
        code::FIXED => {
            let (high, low) = match (byte_at(bytes, at, end), byte_at(bytes, at.saturating_add(1), end)) {
                (Ok(high), Ok(low)) => (high, low),
                (Err(e), _) | (_, Err(e)) => return Err(e),
            };
            if high == 0 && low == 0 {
                return Err(Error::InvalidLayout { at });
            }
            Ok(at.saturating_add(2))
        }
        code::OPAQUE => check_blob(bytes, at, end),
        code::COLLATED => {
            match byte_at(bytes, at, end) {
                Ok(0 | 1) => {}
                Ok(_) => return Err(Error::InvalidLayout { at }),
                Err(e) => return Err(e),
            }
            let at = at.saturating_add(1);
            let next = match check_blob(bytes, at, end) {
                Ok(next) => next,
                Err(e) => return Err(e),
            };
            let start = at.saturating_add(4);
            let producer = match bytes.split_at_checked(next) {
                Some((head, _)) => match head.split_at_checked(start) {
                    Some((_, producer)) => producer,
                    None => return Err(Error::InvalidLayout { at }),
                },
                None => return Err(Error::InvalidLayout { at }),
            };
            match core::str::from_utf8(producer) {
                Ok(_) => Ok(next),
                Err(e) => Err(Error::InvalidLayout { at: start.saturating_add(e.valid_up_to()) }),
            }
        }
        code::NESTED | code::RECORD => {
            let next = match check_blob(bytes, at, end) {
                Ok(next) => next,
                Err(e) => return Err(e),
            };
            let mut field = at.saturating_add(4);
            if field == next {
                return Err(Error::InvalidLayout { at });
            }
            while field < next {
                field = match check_field(bytes, field, next, depth.saturating_add(1)) {
                    Ok(next) => next,
                    Err(e) => return Err(e),
                };
            }
            Ok(next)
        }
        code::LIST | code::ARRAY | code::RANGE | code::MULTIRANGE => {
            let depth = depth.saturating_add(1);
            match check_code(bytes, at, end, depth) {
                Ok(element) => check_params(bytes, element, at.saturating_add(1), end, depth),
                Err(e) => Err(e),
            }
        }
        _ => Ok(at),
    }
}

/// A u32 length at `at` and that many bytes; gives their end.
const fn check_blob(bytes: &[u8], at: usize, end: usize) -> Checked<usize> {
    let mut len = 0usize;
    let mut i = 0;
    while i < 4 {
        match byte_at(bytes, at.saturating_add(i), end) {
            Ok(byte) => len = len.wrapping_shl(8) | byte as usize,
            Err(e) => return Err(e),
        }
        i = i.saturating_add(1);
    }
    let start = at.saturating_add(4);
    if len > end.saturating_sub(start) {
        return Err(Error::InvalidLayout { at });
    }
    Ok(start.saturating_add(len))
}

/// Checks a kind's description: its code and its parameters, and nothing after.
pub(super) const fn check_kind(bytes: &[u8]) -> Checked<()> {
    let end = bytes.len();
    let code = match check_code(bytes, 0, end, 0) {
        Ok(code) => code,
        Err(e) => return Err(e),
    };
    match check_params(bytes, code, 1, end, 0) {
        Ok(at) if at == end => Ok(()),
        Ok(at) => Err(Error::InvalidLayout { at }),
        Err(e) => Err(e),
    }
}
