//! The one error of the kernel and the schema: what went wrong, and where.
//!
//! Offsets are bytes from the start of the key, buffer or descriptor that the call was given.

/// Why a key could not be written, read, bounded or described.
///
/// `Copy` and three words large; it never owns anything. Offsets named `at` count bytes from the
/// start of the key (or of the descriptor, where the variant says so).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The caller's buffer is too small. `needed` bytes are enough for the whole key or range that
    /// was being written, `available` were lent: grow to `needed` and build again, once.
    #[error("buffer of {available} bytes is too short, {needed} are needed")]
    ShortBuffer {
        /// Bytes that are enough for everything the caller asked for.
        needed: usize,
        /// Bytes that the caller lent.
        available: usize,
    },
    /// A stored order code is none of 0 to 5 (`FORMAT.md` §1).
    #[error("order code {code} of the field at byte {at} is not one of 0 to 5")]
    InvalidOrder {
        /// The code as given.
        code: u8,
        /// Where the field would have started.
        at: usize,
    },
    /// A value lies outside its kind's domain, a null stands where none is allowed, or a composite
    /// breaks a rule of its kind. The field that would have started at `at` was not written.
    #[error("invalid value for the field at byte {at}")]
    InvalidValue {
        /// Where the field would have started.
        at: usize,
    },
    /// The bytes of the field that starts at `at` are not what writing can emit.
    #[error("malformed field at byte {at}")]
    MalformedKey {
        /// The first byte of the top-level field.
        at: usize,
    },
    /// In escaped bytes, `00` is followed by something other than `00` or `ff`.
    #[error("invalid escape at byte {at}")]
    InvalidEscape {
        /// The byte after the `00`.
        at: usize,
    },
    /// The key ends inside a field.
    #[error("key ends inside a field, at byte {at}")]
    TruncatedKey {
        /// The key's length.
        at: usize,
    },
    /// Bytes are left after the last field.
    #[error("trailing bytes from byte {at} on")]
    TrailingBytes {
        /// The first byte that is left.
        at: usize,
    },
    /// A key layout needs at least one field.
    #[error("a key layout needs at least one field")]
    EmptySpec,
    /// A whole key has another number of values than the spec has fields.
    #[error("expected {expected} values, got {got}")]
    WrongArity {
        /// Fields of the spec.
        expected: usize,
        /// Values given, or slots lent for reading.
        got: usize,
    },
    /// More prefix values than this call can take: at most `most`, which is the number of fields,
    /// or one less where a field must be left to bound.
    #[error("a prefix of {got} values, where at most {most} fit")]
    InvalidPrefixLength {
        /// The most values that this call takes.
        most: usize,
        /// Values given.
        got: usize,
    },
    /// A tuple endpoint has no values, or more than there are fields after the prefix.
    #[error("a tuple endpoint of {got} values, where 1 to {most} fit")]
    InvalidTupleLength {
        /// Fields after the prefix.
        most: usize,
        /// Values given.
        got: usize,
    },
    /// A value's type is not the kind of its field.
    #[error("value does not match the kind of field {field}")]
    TypeMismatch {
        /// Index of the field in the spec, from 0.
        field: usize,
    },
    /// A key to resume at does not lie in the range being resumed.
    #[error("the key to resume at is outside the range")]
    CursorOutsideRange,
    /// A layout descriptor breaks a rule of `FORMAT.md` §6.
    #[error("invalid layout descriptor at byte {at}")]
    InvalidLayout {
        /// The first byte of the descriptor that is wrong; its length if it ends too early.
        at: usize,
    },
    /// The descriptor is of a version that this library does not know.
    #[error("unsupported key format {byte}")]
    UnsupportedKeyFormat {
        /// The version byte.
        byte: u8,
    },
    /// A stored layout is valid but not the one required. Keys under it must not be read or mixed
    /// with keys of this spec: open the right index or re-key it.
    #[error("stored layout differs from the required one at byte {at}")]
    LayoutMismatch {
        /// The first byte that differs, in either descriptor.
        at: usize,
    },
    /// An index contract breaks a rule of `FORMAT.md` §7.
    #[error("invalid index contract at byte {at}")]
    InvalidContract {
        /// The first byte of the contract that is wrong; its length if it ends too early. A blob
        /// that breaks a rule is wrong at the first byte of its length.
        at: usize,
    },
    /// A stored contract is valid but not the one expected. Open the right index, or re-key it.
    #[error("stored index contract differs from the expected one: {0}")]
    ContractMismatch(Difference),
    /// Bytes are no page cursor of the form that this call expects, or its seal or key is not
    /// valid. A sealed cursor of another scope is this too: it can't be told from a forgery.
    #[error("invalid page cursor")]
    InvalidCursor,
    /// A page cursor of another contract, snapshot, range or direction.
    #[error("page cursor belongs to another query")]
    CursorScopeMismatch,
    /// A plan to re-key one index into another one with another id.
    #[error("source and target are different indexes")]
    DifferentIndex,
    /// A plan to re-key into a generation that is not later than the source's.
    #[error("target generation {target} is not later than source generation {source_generation}")]
    InvalidGeneration {
        /// Generation of the source.
        source_generation: u64,
        /// Generation of the target.
        target: u64,
    },
    /// A plan whose target field has no source field of the same id and kind; or one side has
    /// fields that the other lacks, or more than a plan can hold.
    #[error("target field {field} has no counterpart of its kind in the source")]
    IncompatibleFields {
        /// Index of the target field, from 0; the target's number of fields when the source has more.
        field: usize,
    },
    /// A source row holds a null where the target's field is NOT NULL.
    #[error("null in source for target field {field}, which is NOT NULL")]
    NullInNotNull {
        /// Index of the target field, from 0.
        field: usize,
    },
}

/// The first difference between two index contracts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum Difference {
    /// The index ids differ.
    #[error("another index")]
    Index,
    /// The generations differ.
    #[error("generation {stored}, expected {expected}")]
    Generation {
        /// As stored.
        stored: u64,
        /// As expected.
        expected: u64,
    },
    /// The ids of a field differ.
    #[error("id of field {0}")]
    FieldId(usize),
    /// The kinds of a field differ, or their parameters.
    #[error("kind of field {0}")]
    Kind(usize),
    /// A field of collated text has another producer, or another version of one.
    #[error("collation of field {0}")]
    Collation(usize),
    /// The orders of a field differ.
    #[error("order of field {0}")]
    Order(usize),
    /// All fields that both have are the same, but one has more.
    #[error("{stored} fields, expected {expected}")]
    FieldCount {
        /// As stored.
        stored: usize,
        /// As expected.
        expected: usize,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn error_stays_small() {
        // Generations are eight bytes wide wherever they are counted.
        assert!(size_of::<Error>() <= 3 * size_of::<u64>());
    }
}
