//! The schema: what a key's bytes mean.
//!
//! A [`KeySpec`] is a checked layout descriptor. It writes and reads whole keys, prefixes and
//! single fields, and turns conditions into ranges; order, kind and arity come from it, so that a
//! caller can't get them wrong.

mod display;
mod ends;
mod keys;
pub(crate) mod predicate;
mod ranges;
mod reader;
mod writer;

pub use display::DisplayKey;
pub use reader::SpecReader;
pub use writer::SpecMark;
pub use writer::SpecWriter;

use crate::error::Error;
use crate::kind::FieldKinds;
use crate::kind::Kind;
use crate::kind::check::check_descriptor;
use crate::kind::describe::Describe;
use crate::kind::front::Ahead;
use crate::kind::front::Front;
use crate::kind::types::Field;
use crate::order::FieldOrder;

/// The layout of an index's keys: kinds and orders of its fields, in order.
///
/// It *is* a checked layout descriptor (`FORMAT.md` §6): borrowed bytes, `Copy`, no heap. Declare
/// one in a `const` with [`key_spec!`](crate::key_spec!), or check stored bytes with
/// [`from_layout`](Self::from_layout). Two specs are equal when their descriptors are, byte for
/// byte (and their scopes, see [`under`](Self::under)).
///
/// ```
/// use core::ops::Bound;
/// use isotone::{AscNullsLast, Desc, Error, KeySpec, Type, Value, key_spec};
///
/// const READINGS: KeySpec<'static> = key_spec![
///     Type::Str => AscNullsLast,       // device
///     Type::I64 => Desc,               // microseconds since 1970, newest first
///     Type::U32 => isotone::Asc,       // sequence number
/// ];
///
/// let mut room = [0u8; 64];
/// let key = READINGS.encode(&["pump".into(), Value::I64(4), Value::U32(1)], &mut room)?;
///
/// let mut values = [Value::Null; 3];
/// assert_eq!(READINGS.decode(key, &mut values)?[1], Value::I64(4));
///
/// // All readings of the pump with -2 <= time < 5.
/// let mut ends = [0u8; 64];
/// let bounds = (Bound::Included(Value::I64(-2)), Bound::Excluded(Value::I64(5)));
/// let range = READINGS.field_range(&["pump".into()], bounds.0, bounds.1, &mut ends)?;
/// assert!(range.contains(key));
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct KeySpec<'s> {
    layout: &'s [u8],
    scope: &'s [u8],
    arity: usize,
    /// The first fields, which follow from the layout.
    front: Front,
}

impl<'s> KeySpec<'s> {
    /// Checks a stored layout descriptor.
    ///
    /// # Errors
    /// [`Error::UnsupportedKeyFormat`] for another version, [`Error::EmptySpec`] for no fields,
    /// [`Error::InvalidLayout`] at the first byte that is wrong.
    pub const fn from_layout(layout: &'s [u8]) -> Result<Self, Error> {
        if let Err(error) = check_descriptor(layout) {
            return Err(error);
        }
        let (mut arity, mut kinds) = (0usize, FieldKinds::of_descriptor(layout));
        while let Some((_, rest)) = kinds.split_first() {
            // In range: each field took a byte of the descriptor.
            arity = arity.wrapping_add(1);
            kinds = rest;
        }
        Ok(KeySpec { layout, scope: &[], arity, front: Front::of(FieldKinds::of_descriptor(layout)) })
    }

    /// Describes `fields` in `room` and gives the spec that borrows it.
    /// [`layout_len`](Self::layout_len) says how much room that takes.
    ///
    /// # Errors
    /// [`Error::ShortBuffer`] when `room` is too short; else as
    /// [`from_layout`](Self::from_layout), at the byte of the descriptor that would be wrong.
    ///
    /// ```
    /// use isotone::{Asc, Desc, Field, KeySpec, Type};
    /// let fields = [Field::not_null(Type::Bytes, Asc), Field::not_null(Type::I64, Desc)];
    /// let mut room = [0u8; 16];
    /// let spec = KeySpec::describe(&fields, &mut room)?;
    /// assert_eq!(spec.layout(), [0x4f, 0x4b, 0x01, 0x10, 0x21]);
    /// # Ok::<(), isotone::Error>(())
    /// ```
    pub const fn describe(fields: &[Field<'_>], room: &'s mut [u8]) -> Result<Self, Error> {
        let available = room.len();
        let needed = match Describe::layout(fields, room) {
            Ok(needed) => needed,
            Err(error) => return Err(error),
        };
        match room.split_at_checked(needed) {
            Some((layout, _)) => KeySpec::from_layout(layout),
            None => Err(Error::ShortBuffer { needed, available }),
        }
    }

    /// Length of the descriptor of `fields`, in bytes.
    ///
    /// # Errors
    /// [`Error::InvalidLayout`] where more than [`MAX_DEPTH`](crate::MAX_DEPTH) composites enclose
    /// a kind.
    pub const fn layout_len(fields: &[Field<'_>]) -> Result<usize, Error> {
        Describe::layout(fields, &mut [])
    }

    /// The layout descriptor. Keep it beside the index, never in the keys.
    #[inline]
    pub const fn layout(&self) -> &'s [u8] {
        self.layout
    }

    /// Says that a stored descriptor is this spec's.
    ///
    /// # Errors
    /// As [`from_layout`](Self::from_layout) when it is no descriptor at all; else
    /// [`Error::LayoutMismatch`] at the first byte that differs.
    pub fn require_layout(&self, stored: &[u8]) -> Result<(), Error> {
        KeySpec::from_layout(stored)?;
        if stored == self.layout {
            return Ok(());
        }
        let same = stored.iter().zip(self.layout).take_while(|(a, b)| a == b).count();
        Err(Error::LayoutMismatch { at: same })
    }

    /// Number of fields.
    #[inline]
    pub const fn arity(&self) -> usize {
        self.arity
    }

    /// Kind and order of every field.
    #[inline]
    pub const fn kinds(&self) -> FieldKinds<'s> {
        FieldKinds::of_descriptor(self.layout)
    }

    /// Every field, the first ones at hand.
    #[inline(always)]
    const fn ahead(&self) -> Ahead<'s> {
        Ahead::new(self.front, self.layout)
    }

    /// Kind and order of field `n`, from 0.
    pub fn kind(&self, n: usize) -> Option<(Kind<'s>, FieldOrder)> {
        self.kinds().nth(n)
    }

    /// The same spec with `prefix` before every key and bound: a tenant's or a table's bytes.
    /// Reading checks and strips them, and no range leaves them: where a range would go on to the
    /// last key it ends at the prefix's own end.
    ///
    /// `prefix` must be of one length for all tenants, or otherwise no prefix of another's. It
    /// takes the place of an earlier scope.
    ///
    /// ```
    /// use isotone::{Asc, Type, Value, key_spec};
    /// let spec = key_spec![Type::U8 => Asc].under(&[7, 1]);
    /// let mut room = [0u8; 8];
    /// assert_eq!(spec.encode(&[Value::U8(9)], &mut room)?, [7, 1, 9]);
    /// let all = spec.prefix_range(&[], &mut room)?;
    /// assert_eq!((all.start(), all.end()), (&[7, 1][..], Some(&[7, 2][..])));
    /// # Ok::<(), isotone::Error>(())
    /// ```
    pub const fn under<'p>(&self, prefix: &'p [u8]) -> KeySpec<'p>
    where
        's: 'p,
    {
        KeySpec { layout: self.layout, scope: prefix, arity: self.arity, front: self.front }
    }

    /// The bytes before every key; none unless [`under`](Self::under) was called.
    pub const fn scope(&self) -> &'s [u8] {
        self.scope
    }
}

impl core::fmt::Debug for KeySpec<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("KeySpec")?;
        f.debug_list().entries(self.kinds()).finish()
    }
}

/// A [`KeySpec`] declared from [`Type`](crate::Type)s and orders when compiling. What breaks a rule
/// does not compile.
///
/// ```
/// use isotone::{AscNullsLast, Desc, Field, KeySpec, Type, key_spec};
/// const POINT: [Field<'static>; 2] = [
///     Field::new(Type::F64, AscNullsLast),
///     Field::new(Type::F64, AscNullsLast),
/// ];
/// const SPEC: KeySpec<'static> = key_spec![
///     Type::Uuid => Desc,
///     Type::Record(&POINT) => AscNullsLast,
/// ];
/// assert_eq!(SPEC.arity(), 2);
/// ```
///
/// ```compile_fail
/// const NONE: isotone::KeySpec<'static> = isotone::key_spec![isotone::Type::Fixed(0) => isotone::Asc];
/// ```
#[macro_export]
macro_rules! key_spec {
    ($($ty:expr => $order:expr),+ $(,)?) => {{
        const FIELDS: &[$crate::Field<'static>] = &[$($crate::Field::from_code($ty, $order as u8)),+];
        const LAYOUT: [u8; $crate::__private::layout_len(FIELDS)] = $crate::__private::layout(FIELDS);
        const SPEC: $crate::KeySpec<'static> = $crate::__private::spec(&LAYOUT);
        SPEC
    }};
}
