//! Index contracts: which index, which generation, which fields. `FORMAT.md` §7.
//!
//! # Layout
//! `4f 4b 43 01`; generation, u64 big-endian; then blobs, each a u32 big-endian length and that
//! many bytes: index id, layout descriptor, and one field id for each top-level field.

use crate::codec::text::Fixed;
use crate::error::Difference;
use crate::error::Error;
use crate::kind::Kind;
use crate::kind::code;
use crate::order::Flip;
use crate::raw::out::Door;
use crate::spec::KeySpec;

const MAGIC: [u8; 4] = *b"OKC\x01";
/// Magic and generation.
const HEAD: usize = 12;

/// Which index an engine's keys belong to: its id, its generation, its layout, and an id for each
/// field. Borrowed from its bytes, which are stored beside the index. `Copy`, no heap.
///
/// Ids are any bytes but none; field ids are distinct. They are what stays the same when fields
/// move, so that [`ReindexPlan`](crate::ReindexPlan) can match them.
///
/// ```
/// use isotone::{Asc, IndexContract, Type, key_spec};
/// let spec = key_spec![Type::Bytes => Asc];
/// let mut room = [0u8; 64];
/// let contract = IndexContract::new(b"readings", 1, &spec, &[b"device"], &mut room)?;
/// let stored = contract.as_bytes();
/// assert_eq!(stored.len(), 42);
///
/// let opened = IndexContract::from_bytes(stored)?;
/// opened.require_same(&contract)?;
/// assert_eq!(opened.generation(), 1);
/// assert_eq!(opened.key_spec(), spec);
/// # Ok::<(), isotone::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct IndexContract<'c> {
    bytes: &'c [u8],
    generation: u64,
    id: &'c [u8],
    spec: KeySpec<'c>,
    /// Where the field ids begin.
    fields: usize,
}

/// How a stored index stands to the one expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Compatibility {
    /// The same index, generation and fields.
    Same,
    /// The same index, but something differs behind this many leading fields that are the same:
    /// scans of their prefixes, and reading those fields, mean what they did.
    ReadablePrefix {
        /// Leading fields of the same id, kind and order; at least 1.
        fields: usize,
        /// What differs first.
        difference: Difference,
    },
    /// Nothing of the stored keys can be relied on: rebuild, or re-key.
    NeedsRekeying {
        /// What differs first.
        difference: Difference,
    },
}

impl<'c> IndexContract<'c> {
    /// Writes a contract to the front of `room`. [`size`](Self::size) says how much that takes.
    ///
    /// # Errors
    /// [`Error::InvalidContract`] for an empty id, or a field id that is empty or used twice, at
    /// the byte of the contract where it would stand; [`Error::WrongArity`] when there is not one
    /// id a field; [`Error::ShortBuffer`].
    pub fn new(
        id: &[u8],
        generation: u64,
        spec: &KeySpec<'_>,
        field_ids: &[&[u8]],
        room: &'c mut [u8],
    ) -> Result<Self, Error> {
        if field_ids.len() != spec.arity() {
            return Err(Error::WrongArity { expected: spec.arity(), got: field_ids.len() });
        }
        let mut out = Door::new(room);
        out.put(MAGIC, Flip::No);
        out.put(generation, Flip::No);
        put_blob(&mut out, id);
        put_blob(&mut out, spec.layout());
        field_ids.iter().for_each(|id| put_blob(&mut out, id));
        match out.error() {
            None => Self::from_bytes(out.into_written()),
            Some(error) => Err(error),
        }
    }

    /// Size of a contract in bytes.
    pub fn size(id: &[u8], spec: &KeySpec<'_>, field_ids: &[&[u8]]) -> usize {
        let blobs = [id, spec.layout()];
        let blobs = blobs.iter().chain(field_ids);
        blobs.fold(HEAD, |sum, blob| sum.saturating_add(4).saturating_add(blob.len()))
    }

    /// Checks a stored contract. Takes time in the square of its number of fields, each id being
    /// compared with those before it, and no memory.
    ///
    /// # Errors
    /// [`Error::InvalidContract`] for any fault, the layout's included, with the first byte that
    /// is wrong.
    pub fn from_bytes(bytes: &'c [u8]) -> Result<Self, Error> {
        let ended = Error::InvalidContract { at: bytes.len() };
        for (at, want) in MAGIC.iter().enumerate() {
            match bytes.get(at) {
                Some(byte) if byte == want => {}
                Some(_) => return Err(Error::InvalidContract { at }),
                None => return Err(ended),
            }
        }
        let (_, rest) = bytes.split_first_chunk::<4>().ok_or(ended)?;
        let (generation, _) = rest.split_first_chunk::<8>().ok_or(ended)?;
        let (id, layout_at) = blob(bytes, HEAD)?;
        if id.is_empty() {
            return Err(Error::InvalidContract { at: HEAD });
        }
        let (layout, fields) = blob(bytes, layout_at)?;
        let spec = KeySpec::from_layout(layout).map_err(|error| {
            let inside = match error {
                Error::InvalidLayout { at } => at,
                Error::UnsupportedKeyFormat { .. } => 2,
                _ => layout.len(),
            };
            Error::InvalidContract { at: layout_at.saturating_add(4).saturating_add(inside) }
        })?;
        let contract = IndexContract { bytes, generation: u64::from_be_bytes(*generation), id, spec, fields };
        let mut at = fields;
        for n in 0..spec.arity() {
            let (field_id, next) = blob(bytes, at)?;
            let twice = contract.field_ids().take(n).any(|earlier| earlier == field_id);
            if field_id.is_empty() || twice {
                return Err(Error::InvalidContract { at });
            }
            at = next;
        }
        if at == bytes.len() { Ok(contract) } else { Err(Error::InvalidContract { at }) }
    }

    /// The contract's bytes, to be stored beside the index.
    pub const fn as_bytes(&self) -> &'c [u8] {
        self.bytes
    }

    /// The index's id.
    pub const fn id(&self) -> &'c [u8] {
        self.id
    }

    /// The index's generation: it rises with each rebuild or re-keying.
    pub const fn generation(&self) -> u64 {
        self.generation
    }

    /// The layout of the index's keys.
    pub const fn key_spec(&self) -> KeySpec<'c> {
        self.spec
    }

    /// The same, where it lies.
    #[inline(always)]
    pub(super) const fn spec_ref(&self) -> &KeySpec<'c> {
        &self.spec
    }

    /// The ids of the fields, in order.
    pub fn field_ids(&self) -> FieldIds<'c> {
        FieldIds { bytes: self.bytes, at: self.fields, left: self.spec.arity() }
    }

    /// Says that this contract, as stored, is the one expected.
    ///
    /// # Errors
    /// [`Error::ContractMismatch`] with the first difference.
    pub fn require_same(&self, expected: &IndexContract<'_>) -> Result<(), Error> {
        match self.difference(expected) {
            None => Ok(()),
            Some(difference) => Err(Error::ContractMismatch(difference)),
        }
    }

    /// How far this contract, as stored, can be used where `expected` is wanted.
    pub fn diff(&self, expected: &IndexContract<'_>) -> Compatibility {
        let Some(difference) = self.difference(expected) else { return Compatibility::Same };
        let (same, _) = self.fields_in_common(expected);
        if self.id == expected.id && same > 0 {
            Compatibility::ReadablePrefix { fields: same, difference }
        } else {
            Compatibility::NeedsRekeying { difference }
        }
    }

    /// The first difference: index, generation, then field by field id, kind, order.
    fn difference(&self, expected: &IndexContract<'_>) -> Option<Difference> {
        if self.id != expected.id {
            return Some(Difference::Index);
        }
        if self.generation != expected.generation {
            return Some(Difference::Generation { stored: self.generation, expected: expected.generation });
        }
        let (_, difference) = self.fields_in_common(expected);
        difference
    }

    /// How many leading fields are the same, and the first difference behind them.
    fn fields_in_common(&self, expected: &IndexContract<'_>) -> (usize, Option<Difference>) {
        let ours = self.field_ids().zip(self.spec.kinds());
        let theirs = expected.field_ids().zip(expected.spec.kinds());
        let mut n = 0usize;
        for ((our_id, (our_kind, our_order)), (their_id, (their_kind, their_order))) in ours.zip(theirs) {
            if our_id != their_id {
                return (n, Some(Difference::FieldId(n)));
            }
            if our_kind != their_kind {
                return (n, Some(kinds_differ(our_kind, their_kind, n)));
            }
            if our_order != their_order {
                return (n, Some(Difference::Order(n)));
            }
            n = n.saturating_add(1);
        }
        let (stored, expected) = (self.spec.arity(), expected.spec.arity());
        (n, (stored != expected).then_some(Difference::FieldCount { stored, expected }))
    }
}

fn kinds_differ(ours: Kind<'_>, theirs: Kind<'_>, field: usize) -> Difference {
    let both_collated = ours.code() == code::COLLATED && theirs.code() == code::COLLATED;
    if both_collated && ours.is_deterministic() == theirs.is_deterministic() {
        Difference::Collation(field)
    } else {
        Difference::Kind(field)
    }
}

/// A blob's length and bytes. One over 4 GiB says a length that can't be there, and is refused when
/// the contract is checked.
fn put_blob(out: &mut Door<'_>, bytes: &[u8]) {
    out.put(u32::try_from(bytes.len()).unwrap_or(u32::MAX), Flip::No);
    out.put(Fixed(bytes.into()), Flip::No);
}

/// The blob at `at`, and where it ends.
fn blob(bytes: &[u8], at: usize) -> Result<(&[u8], usize), Error> {
    let ended = Error::InvalidContract { at: bytes.len() };
    let (len, rest) = bytes.get(at..).and_then(|rest| rest.split_first_chunk::<4>()).ok_or(ended)?;
    let len = usize::try_from(u32::from_be_bytes(*len)).map_err(|_| Error::InvalidContract { at })?;
    let blob = rest.get(..len).ok_or(Error::InvalidContract { at })?;
    Ok((blob, at.saturating_add(4).saturating_add(len)))
}

/// Iterates over the field ids of a contract.
#[derive(Clone, Debug)]
pub struct FieldIds<'c> {
    bytes: &'c [u8],
    at: usize,
    left: usize,
}

impl<'c> Iterator for FieldIds<'c> {
    type Item = &'c [u8];

    fn next(&mut self) -> Option<&'c [u8]> {
        self.left = self.left.checked_sub(1)?;
        let (id, next) = blob(self.bytes, self.at).ok()?;
        self.at = next;
        Some(id)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, Some(self.left))
    }
}

impl core::fmt::Debug for IndexContract<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("IndexContract")
            .field("id", &self.id.escape_ascii())
            .field("generation", &self.generation)
            .field("spec", &self.spec)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::prelude::v1::*;
    use std::vec;

    use super::*;
    use crate::key_spec;
    use crate::kind::types::Type;
    use crate::order::NotNull::Asc;
    use crate::order::NotNull::Desc;

    fn contract<'r>(spec: &KeySpec<'_>, ids: &[&[u8]], room: &'r mut [u8]) -> IndexContract<'r> {
        IndexContract::new(b"readings", 1, spec, ids, room).unwrap()
    }

    #[test]
    fn format_example() {
        let mut room = [0xaa; 64];
        let c = contract(&key_spec![Type::Bytes => Asc], &[b"device"], &mut room);
        let mut want = b"OKC\x01\0\0\0\0\0\0\0\x01\0\0\0\x08readings\0\0\0\x04OK\x01\x10\0\0\0\x06device".to_vec();
        assert_eq!(c.as_bytes(), want);
        assert_eq!(IndexContract::size(b"readings", &c.key_spec(), &[b"device"]), want.len());
        want[5] = 1;
        assert_eq!(IndexContract::from_bytes(&want).unwrap().generation(), 1 << 48 | 1);
    }

    #[test]
    fn every_truncation_and_change_is_refused_or_another_contract() {
        let mut room = [0u8; 128];
        let spec = key_spec![Type::Bytes => Asc, Type::I64 => Desc];
        let whole = contract(&spec, &[b"a", b"bb"], &mut room).as_bytes();
        for end in 0..whole.len() {
            let cut = IndexContract::from_bytes(&whole[..end]);
            assert!(matches!(cut, Err(Error::InvalidContract { .. })), "{end}");
        }
        for at in 0..whole.len() {
            for bit in 0..8 {
                let mut other = whole.to_vec();
                other[at] ^= 1 << bit;
                if let Ok(c) = IndexContract::from_bytes(&other) {
                    assert!(c.require_same(&IndexContract::from_bytes(whole).unwrap()).is_err(), "{at}");
                }
            }
        }
        let mut longer = whole.to_vec();
        longer.push(0);
        let trailing = Error::InvalidContract { at: whole.len() };
        assert_eq!(IndexContract::from_bytes(&longer).unwrap_err(), trailing);
    }

    #[test]
    fn reject_ids_that_say_nothing() {
        let spec = key_spec![Type::Bytes => Asc, Type::I64 => Desc];
        let make = |id: &[u8], ids: &[&[u8]]| {
            let mut room = vec![0; 128];
            IndexContract::new(id, 1, &spec, ids, &mut room).map(|_| ()).unwrap_err()
        };
        assert_eq!(make(b"", &[b"a", b"b"]), Error::InvalidContract { at: 12 });
        assert_eq!(make(b"i", &[b"a", b"a"]), Error::InvalidContract { at: 31 });
        assert_eq!(make(b"i", &[b"a", b""]), Error::InvalidContract { at: 31 });
        assert_eq!(make(b"i", &[b"a"]), Error::WrongArity { expected: 2, got: 1 });
        let mut small = [0u8; 20];
        let short = IndexContract::new(b"i", 1, &spec, &[b"a", b"b"], &mut small).unwrap_err();
        assert_eq!(short, Error::ShortBuffer { needed: 36, available: 20 });
    }

    #[test]
    fn differences_are_named() {
        const FIRST: Type<'static> = Type::Collated { deterministic: true, producer: "p1" };
        const OTHER: Type<'static> = Type::Collated { deterministic: true, producer: "p2" };
        let base = key_spec![Type::Bytes => Asc, FIRST => Asc];
        let ids: [&[u8]; 2] = [b"a", b"b"];
        let (mut room, mut other) = ([0u8; 128], [0u8; 128]);
        let stored = contract(&base, &ids, &mut room);
        let mut differs = |id: &[u8], generation, spec: KeySpec<'static>, ids: &[&[u8]]| {
            let expected = IndexContract::new(id, generation, &spec, ids, &mut other).unwrap();
            let Err(Error::ContractMismatch(d)) = stored.require_same(&expected) else { std::panic!("same") };
            (d, stored.diff(&expected))
        };
        let prefix = |fields, difference| (difference, Compatibility::ReadablePrefix { fields, difference });
        let rekey = |difference| (difference, Compatibility::NeedsRekeying { difference });
        assert_eq!(differs(b"x", 1, base, &ids), rekey(Difference::Index));
        let generation = Difference::Generation { stored: 1, expected: 2 };
        assert_eq!(differs(b"readings", 2, base, &ids), prefix(2, generation));
        assert_eq!(differs(b"readings", 1, base, &[b"a", b"c"]), prefix(1, Difference::FieldId(1)));
        let spec = key_spec![Type::Str => Asc, FIRST => Asc];
        assert_eq!(differs(b"readings", 1, spec, &ids), rekey(Difference::Kind(0)));
        let spec = key_spec![Type::Bytes => Asc, OTHER => Asc];
        assert_eq!(differs(b"readings", 1, spec, &ids), prefix(1, Difference::Collation(1)));
        let spec = key_spec![Type::Bytes => Asc, FIRST => Desc];
        assert_eq!(differs(b"readings", 1, spec, &ids), prefix(1, Difference::Order(1)));
        let spec = key_spec![Type::Bytes => Asc];
        let count = Difference::FieldCount { stored: 2, expected: 1 };
        assert_eq!(differs(b"readings", 1, spec, &[b"a"]), prefix(1, count));
        assert_eq!(stored.diff(&stored), Compatibility::Same);
    }
}
