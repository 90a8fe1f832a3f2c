//! What a field holds: kinds as they stand in a layout descriptor, and the types they are declared
//! from. `FORMAT.md` §6.
//!
//! A [`Type`] is what people write: a tree, usable in a `const`. A [`Kind`] is what everything
//! reads: one code and its parameter bytes, borrowed from a checked descriptor, so that it is
//! `Copy` and needs no heap however deep it nests.

pub(crate) mod check;
pub(crate) mod describe;
pub(crate) mod front;
pub(crate) mod types;

use crate::error::Error;
use crate::kind::check::check_kind;
use crate::kind::describe::Describe;
use crate::kind::types::Type;
use crate::order::FieldOrder;
use crate::order::NotNull;

/// At most this many composites (record, list, array, range, multirange, nested) enclose a kind.
pub const MAX_DEPTH: usize = 16;

macro_rules! codes {
    ($($name:ident = $code:literal;)*) => {
        /// Kind codes of `FORMAT.md` §6.
        pub(crate) mod code {
            $(pub(crate) const $name: u8 = $code;)*
            /// All of them.
            pub(crate) const ALL: &[u8] = &[$($code),*];
        }
    };
}

codes! {
    BOOL = 0x01;
    BYTES = 0x10; STR = 0x11; OPAQUE = 0x12; FIXED = 0x13; COLLATED = 0x14;
    I64 = 0x20; I8 = 0x21; I16 = 0x22; I32 = 0x23; I128 = 0x24;
    U64 = 0x28; U8 = 0x29; U16 = 0x2a; U32 = 0x2b; U128 = 0x2c;
    F32 = 0x30; F64 = 0x31; DECIMAL = 0x38;
    DATE = 0x40; TIME = 0x41; TIMETZ = 0x42; TIMESTAMP = 0x43; DURATION = 0x44; INTERVAL = 0x45;
    UUID = 0x50; MAC48 = 0x51; MAC64 = 0x52; LSN = 0x53; ENUM = 0x54;
    IP = 0x60; IP_PREFIX = 0x61; NETWORK = 0x62;
    NESTED = 0x70; RECORD = 0x71; LIST = 0x72; ARRAY = 0x73; RANGE = 0x74; MULTIRANGE = 0x75;
    BITS = 0x76;
}

/// A checked kind: its code and its parameters, exactly as in a descriptor.
///
/// Simple kinds are constants; others come from a spec's fields or from [`kind!`](crate::kind!).
///
/// ```
/// use isotone::{Kind, Type, kind};
/// const TAGS: Kind<'static> = kind!(Type::List(&Type::Str));
/// assert_eq!(TAGS.element(), Some(Kind::STR));
/// assert_eq!(Kind::I64.fixed_size(), Some(8));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Kind<'s> {
    code: u8,
    params: &'s [u8],
}

macro_rules! simple_kinds {
    ($($name:ident)*) => {
        /// The kinds that have no parameters.
        impl Kind<'_> {
            $(
                #[doc = concat!("The kind `", stringify!($name), "`.")]
                pub const $name: Kind<'static> = Kind { code: code::$name, params: &[] };
            )*
        }

        /// One bit for each kind code without parameters.
        const SIMPLE: u128 = 0 $(| 1 << code::$name)*;

        #[inline(always)]
        const fn is_simple(code: u8) -> bool {
            code < 128 && SIMPLE >> code & 1 == 1
        }

        impl core::fmt::Debug for Kind<'_> {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                match self.code {
                    $(code::$name => f.write_str(stringify!($name)),)*
                    code::OPAQUE => write!(f, "OPAQUE({:02x?})", self.params),
                    code::FIXED => write!(f, "FIXED({})", self.width().unwrap_or(0)),
                    code::COLLATED => f.debug_tuple("COLLATED").field(&self.producer().unwrap_or("")).finish(),
                    code::NESTED => f.debug_list().entries(self.attributes()).finish(),
                    code::RECORD => f.debug_set().entries(self.attributes()).finish(),
                    code => {
                        f.write_str(match code {
                            code::LIST => "LIST",
                            code::ARRAY => "ARRAY",
                            code::RANGE => "RANGE",
                            _ => "MULTIRANGE",
                        })?;
                        f.debug_list().entries(self.element()).finish()
                    }
                }
            }
        }
    };
}

simple_kinds! {
    BOOL BYTES STR
    I8 I16 I32 I64 I128 U8 U16 U32 U64 U128 F32 F64 DECIMAL
    DATE TIME TIMETZ TIMESTAMP DURATION INTERVAL
    UUID MAC48 MAC64 LSN ENUM IP IP_PREFIX NETWORK BITS
}

impl<'s> Kind<'s> {
    /// The kind code of `FORMAT.md` §6.
    #[inline(always)]
    pub const fn code(&self) -> u8 {
        self.code
    }

    /// The parameters, exactly as in a descriptor.
    pub const fn params(&self) -> &'s [u8] {
        self.params
    }

    /// Reads the kind at the front of a checked descriptor; gives it and what follows.
    #[inline(always)]
    const fn split(code: u8, rest: &'s [u8]) -> (Kind<'s>, &'s [u8]) {
        // Out of line only a number is found: what is put together here stays out of memory.
        let len = if has_params(code) { params_len(code, rest) } else { 0 };
        match rest.split_at_checked(len) {
            Some((params, rest)) => (Kind { code, params }, rest),
            None => (Kind { code, params: rest }, &[]),
        }
    }

    /// Width of the payload in bytes where it is the same for all values.
    #[inline]
    pub const fn fixed_size(&self) -> Option<usize> {
        Some(match self.code {
            code::BOOL | code::I8 | code::U8 => 1,
            code::I16 | code::U16 => 2,
            code::I32 | code::U32 | code::F32 | code::DATE | code::ENUM => 4,
            code::I64 | code::U64 | code::F64 | code::LSN | code::MAC64 => 8,
            code::TIME | code::TIMESTAMP | code::DURATION => 8,
            code::MAC48 => 6,
            code::TIMETZ => 12,
            code::I128 | code::U128 | code::UUID | code::INTERVAL => 16,
            code::FIXED => match self.width() {
                Some(width) => width as usize,
                None => return None,
            },
            _ => return None,
        })
    }

    /// Composites in each other that the kind is: none for a scalar, one for a list of scalars.
    pub(crate) fn depth(&self) -> usize {
        let inner = match self.element() {
            Some(element) => Some(element.depth()),
            None => self.attributes().map(|(kind, _)| kind.depth()).max(),
        };
        inner.map_or(0, |inner| inner.saturating_add(1))
    }

    /// Width of fixed bytes; `None` for other kinds.
    pub const fn width(&self) -> Option<u16> {
        match (self.code, self.params.first_chunk::<2>()) {
            (code::FIXED, Some(width)) => Some(u16::from_be_bytes(*width)),
            _ => None,
        }
    }

    /// The element's kind of a list, array, range or multirange; `None` for other kinds.
    #[inline]
    pub const fn element(&self) -> Option<Kind<'s>> {
        match (self.code, self.params.split_first()) {
            (code::LIST | code::ARRAY | code::RANGE | code::MULTIRANGE, Some((code, rest))) => {
                Some(Kind { code: *code, params: rest })
            }
            _ => None,
        }
    }

    /// The fields of a record, or of the key inside a nested field; nothing for other kinds.
    #[inline]
    pub const fn attributes(&self) -> FieldKinds<'s> {
        match (self.code, self.params.split_at_checked(4)) {
            (code::NESTED | code::RECORD, Some((_, fields))) => FieldKinds { rest: fields, v1: false },
            _ => FieldKinds { rest: &[], v1: false },
        }
    }

    /// The producer string of collated text; `None` for other kinds.
    pub const fn producer(&self) -> Option<&'s str> {
        match (self.code, self.params.split_at_checked(5)) {
            (code::COLLATED, Some((_, producer))) => match core::str::from_utf8(producer) {
                Ok(producer) => Some(producer),
                Err(_) => None,
            },
            _ => None,
        }
    }

    /// Whether collated text is followed by the text itself; `None` for other kinds.
    pub const fn is_deterministic(&self) -> Option<bool> {
        match (self.code, self.params.first()) {
            (code::COLLATED, Some(flag)) => Some(*flag == 1),
            _ => None,
        }
    }
}

/// Whether a known kind has parameters.
#[inline(always)]
const fn has_params(code: u8) -> bool {
    matches!(code, code::OPAQUE..=code::COLLATED | code::NESTED..=code::MULTIRANGE)
}

/// Length of the parameters of a kind, in checked bytes.
#[inline(never)]
const fn params_len(code: u8, rest: &[u8]) -> usize {
    let (mut code, mut at) = (code, 0usize);
    loop {
        let Some((_, tail)) = rest.split_at_checked(at) else { return rest.len() };
        let (before, blob) = match code {
            code::FIXED => return at.saturating_add(2),
            code::COLLATED => (1, true),
            code::OPAQUE | code::NESTED | code::RECORD => (0, true),
            code::LIST | code::ARRAY | code::RANGE | code::MULTIRANGE => (1, false),
            _ => return at,
        };
        if blob {
            let len = match tail.split_at_checked(before) {
                Some((_, tail)) => match tail.first_chunk::<4>() {
                    Some(len) => u32::from_be_bytes(*len) as usize,
                    None => return rest.len(),
                },
                None => return rest.len(),
            };
            return at.saturating_add(before).saturating_add(4).saturating_add(len);
        }
        match tail.first() {
            Some(element) => code = *element,
            None => return rest.len(),
        }
        at = at.saturating_add(1);
    }
}

/// The fields of a layout, in order: kind and order.
#[derive(Clone, Copy, Debug)]
pub struct FieldKinds<'s> {
    rest: &'s [u8],
    v1: bool,
}

impl<'s> FieldKinds<'s> {
    /// Over the fields of a checked descriptor.
    #[inline(always)]
    pub(crate) const fn of_descriptor(descriptor: &'s [u8]) -> Self {
        match descriptor.split_first_chunk::<3>() {
            Some(([_, _, 1], rest)) => FieldKinds { rest, v1: true },
            Some((_, rest)) => FieldKinds { rest, v1: false },
            None => FieldKinds { rest: &[], v1: false },
        }
    }

    /// The next field, in a `const` too.
    #[inline(always)]
    pub const fn split_first(self) -> Option<((Kind<'s>, FieldOrder), FieldKinds<'s>)> {
        if self.v1 {
            let Some((first, rest)) = self.rest.split_first() else { return None };
            let code = if *first < 0x20 { code::BYTES } else { code::I64 };
            let order = if *first & 1 == 0 { NotNull::Asc } else { NotNull::Desc };
            let field = (Kind { code, params: &[] }, FieldOrder::not_null(order));
            return Some((field, FieldKinds { rest, v1: true }));
        }
        let [first, order, rest @ ..] = self.rest else { return None };
        let Some(order) = FieldOrder::from_code(*order) else { return None };
        let (kind, rest) = Kind::split(*first, rest);
        Some(((kind, order), FieldKinds { rest, v1: false }))
    }
}

impl<'s> Iterator for FieldKinds<'s> {
    type Item = (Kind<'s>, FieldOrder);

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        let (field, rest) = self.split_first()?;
        *self = rest;
        Some(field)
    }
}

impl core::iter::FusedIterator for FieldKinds<'_> {}

impl<'s> Kind<'s> {
    /// Number of bytes that describe `ty`: its code and its parameters.
    ///
    /// # Errors
    /// [`Error::InvalidLayout`] where more than [`MAX_DEPTH`] composites enclose a kind.
    pub const fn described_len(ty: &Type<'_>) -> Result<usize, Error> {
        Describe::kind(ty, &mut [])
    }

    /// Writes the description of `ty` to `buf` and reads it back as a kind.
    ///
    /// # Errors
    /// [`Error::ShortBuffer`] when `buf` is too short, [`Error::InvalidLayout`] where the type
    /// breaks a rule, at the byte of its description that is wrong.
    pub const fn describe(ty: &Type<'_>, buf: &'s mut [u8]) -> Result<Kind<'s>, Error> {
        let available = buf.len();
        let needed = match Describe::kind(ty, buf) {
            Ok(needed) => needed,
            Err(e) => return Err(e),
        };
        match buf.split_at_checked(needed) {
            Some((bytes, _)) => Kind::from_description(bytes),
            None => Err(Error::ShortBuffer { needed, available }),
        }
    }

    /// Checks a kind as it stands in a descriptor: its code and its parameters, and nothing after.
    ///
    /// # Errors
    /// [`Error::InvalidLayout`] at the first byte that is wrong.
    pub const fn from_description(bytes: &'s [u8]) -> Result<Kind<'s>, Error> {
        if let Err(error) = check_kind(bytes) {
            return Err(error);
        }
        match bytes.split_first() {
            Some((code, params)) => Ok(Kind { code: *code, params }),
            None => Err(Error::InvalidLayout { at: 0 }),
        }
    }
}

/// A [`Kind`] made from a [`Type`] when compiling. A type that breaks a rule does not compile.
#[macro_export]
macro_rules! kind {
    ($ty:expr) => {{
        const TYPE: $crate::Type<'static> = $ty;
        const BYTES: [u8; $crate::__private::kind_len(&TYPE)] = $crate::__private::kind_bytes(&TYPE);
        const KIND: $crate::Kind<'static> = $crate::__private::kind(&BYTES);
        KIND
    }};
}

impl<'s> Kind<'s> {
    /// A kind from its parts, which were checked before.
    #[inline(always)]
    pub(crate) const fn from_parts(code: u8, params: &'s [u8]) -> Self {
        Kind { code, params }
    }
}
