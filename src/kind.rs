//! What a field holds: kinds as they stand in a layout descriptor, and the types they are declared
//! from. `FORMAT.md` §6.
//!
//! A [`Type`] is what people write: a tree, usable in a `const`. A [`Kind`] is what everything
//! reads: one code and its parameter bytes, borrowed from a checked descriptor, so that it is
//! `Copy` and needs no heap however deep it nests.

use crate::error::Error;
use crate::order::FieldOrder;
use crate::order::NotNull;
use crate::order::Order;

/// At most this many composites (record, list, array, range, multirange, nested) enclose a kind.
pub const MAX_DEPTH: usize = 16;

macro_rules! codes {
    ($($name:ident = $code:literal;)*) => {
        /// Kind codes of `FORMAT.md` §6.
        pub(crate) mod code {
            $(pub(crate) const $name: u8 = $code;)*
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

/// A declared type: the tree that a schema is written in.
///
/// ```
/// use isotone::{AscNullsLast, Desc, KeySpec, Type, key_spec};
/// const READINGS: KeySpec<'static> = key_spec![
///     Type::Str => AscNullsLast,
///     Type::Timestamp => Desc,
///     Type::List(&Type::I32) => AscNullsLast,
/// ];
/// assert_eq!(READINGS.arity(), 3);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Type<'s> {
    /// `false`, then `true`; 1 byte.
    Bool,
    /// Any bytes, compared unsigned; length + zeros + 2 bytes.
    Bytes,
    /// UTF-8 text, compared by scalar values; length + zeros + 2 bytes.
    Str,
    /// Bytes of another producer that sort as they are. The parameter names the producer and its
    /// version, in any bytes, so that layouts differ where producers do.
    Opaque(&'s [u8]),
    /// Exactly this many bytes, at least 1; no escaping.
    Fixed(u16),
    /// Text as comparison images of a collation producer (`FORMAT.md` §4).
    Collated {
        /// Whether the text follows its image, which breaks ties by bytes and can be read back.
        deterministic: bool,
        /// The producer string, such as `uca14;14.0.0;server;root_pad_as_cs`.
        producer: &'s str,
    },
    /// 1 byte.
    I8,
    /// 2 bytes.
    I16,
    /// 4 bytes.
    I32,
    /// 8 bytes.
    I64,
    /// 16 bytes.
    I128,
    /// 1 byte.
    U8,
    /// 2 bytes.
    U16,
    /// 4 bytes.
    U32,
    /// 8 bytes.
    U64,
    /// 16 bytes.
    U128,
    /// 4 bytes; NaN is one value and the greatest.
    F32,
    /// 8 bytes; NaN is one value and the greatest.
    F64,
    /// Numbers of any precision; 1, or 6 + significant digits bytes.
    Decimal,
    /// Days since 2000-01-01; 4 bytes.
    Date,
    /// Microseconds since midnight; 8 bytes.
    Time,
    /// Time of day with an offset from UTC; 12 bytes.
    TimeTz,
    /// Microseconds since 2000-01-01 00:00:00 UTC; 8 bytes.
    Timestamp,
    /// Microseconds; 8 bytes.
    Duration,
    /// Months, days and microseconds as one scalar; 16 bytes.
    Interval,
    /// 16 bytes.
    Uuid,
    /// EUI-48; 6 bytes.
    Mac48,
    /// EUI-64; 8 bytes.
    Mac64,
    /// Log sequence number; 8 bytes.
    Lsn,
    /// Immutable rank of an enum label; 4 bytes.
    Enum,
    /// IPv4 or IPv6 address; 11 to 36 bytes with escapes.
    Ip,
    /// Address with a prefix length and host bits.
    IpPrefix,
    /// Address with a prefix length and no host bits.
    Network,
    /// A whole key as an escaped payload: costs a byte for every zero, at each level.
    Nested(&'s [Field<'s>]),
    /// Fields one after another, each with its own order; inline.
    Record(&'s [Field<'s>]),
    /// Any number of elements; one byte each and one to end.
    List(&'s Type<'s>),
    /// PostgreSQL's array: elements, then dimensions and lower bounds.
    Array(&'s Type<'s>),
    /// PostgreSQL's range over the element.
    Range(&'s Type<'s>),
    /// PostgreSQL's multirange over the element.
    Multirange(&'s Type<'s>),
    /// Bit string of any length.
    Bits,
}

/// A declared field: its type and its order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Field<'s> {
    ty: Type<'s>,
    order: u8,
}

impl<'s> Field<'s> {
    /// A nullable field.
    pub const fn new(ty: Type<'s>, order: Order) -> Self {
        Field { ty, order: order as u8 }
    }

    /// A NOT NULL field.
    pub const fn not_null(ty: Type<'s>, order: NotNull) -> Self {
        Field { ty, order: order as u8 }
    }

    /// A field under a stored order code; a code above 5 is found when a spec is made of it.
    pub const fn from_code(ty: Type<'s>, order: u8) -> Self {
        Field { ty, order }
    }

    /// The declared type.
    pub const fn ty(&self) -> Type<'s> {
        self.ty
    }

    /// The order code, unchecked.
    pub const fn order_code(&self) -> u8 {
        self.order
    }
}

impl<'s> Type<'s> {
    pub(crate) const fn code(&self) -> u8 {
        match self {
            Type::Bool => code::BOOL,
            Type::Bytes => code::BYTES,
            Type::Str => code::STR,
            Type::Opaque(_) => code::OPAQUE,
            Type::Fixed(_) => code::FIXED,
            Type::Collated { .. } => code::COLLATED,
            Type::I8 => code::I8,
            Type::I16 => code::I16,
            Type::I32 => code::I32,
            Type::I64 => code::I64,
            Type::I128 => code::I128,
            Type::U8 => code::U8,
            Type::U16 => code::U16,
            Type::U32 => code::U32,
            Type::U64 => code::U64,
            Type::U128 => code::U128,
            Type::F32 => code::F32,
            Type::F64 => code::F64,
            Type::Decimal => code::DECIMAL,
            Type::Date => code::DATE,
            Type::Time => code::TIME,
            Type::TimeTz => code::TIMETZ,
            Type::Timestamp => code::TIMESTAMP,
            Type::Duration => code::DURATION,
            Type::Interval => code::INTERVAL,
            Type::Uuid => code::UUID,
            Type::Mac48 => code::MAC48,
            Type::Mac64 => code::MAC64,
            Type::Lsn => code::LSN,
            Type::Enum => code::ENUM,
            Type::Ip => code::IP,
            Type::IpPrefix => code::IP_PREFIX,
            Type::Network => code::NETWORK,
            Type::Nested(_) => code::NESTED,
            Type::Record(_) => code::RECORD,
            Type::List(_) => code::LIST,
            Type::Array(_) => code::ARRAY,
            Type::Range(_) => code::RANGE,
            Type::Multirange(_) => code::MULTIRANGE,
            Type::Bits => code::BITS,
        }
    }
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
        if is_simple(code) {
            return (Kind { code, params: &[] }, rest);
        }
        Self::split_params(code, rest)
    }

    #[inline(never)]
    const fn split_params(code: u8, rest: &'s [u8]) -> (Kind<'s>, &'s [u8]) {
        match rest.split_at_checked(params_len(code, rest)) {
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

/// Length of the parameters of a kind, in checked bytes.
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
        let Some((first, rest)) = self.rest.split_first() else { return None };
        if self.v1 {
            let code = if *first < 0x20 { code::BYTES } else { code::I64 };
            let order = if *first & 1 == 0 { NotNull::Asc } else { NotNull::Desc };
            let field = (Kind { code, params: &[] }, FieldOrder::not_null(order));
            return Some((field, FieldKinds { rest, v1: true }));
        }
        let Some((order, rest)) = rest.split_first() else { return None };
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

/// Writes descriptors from declared fields; counts what does not fit.
pub(crate) struct Describe<'b> {
    buf: &'b mut [u8],
    len: usize,
    /// Where a kind stands too deep.
    too_deep: Option<usize>,
}

impl<'b> Describe<'b> {
    /// Writes the whole descriptor of `fields` and says how long it is, whether or not it fitted.
    pub(crate) const fn layout(fields: &[Field<'_>], buf: &'b mut [u8]) -> Checked<usize> {
        let mut out = Describe { buf, len: 0, too_deep: None };
        out.slice(b"OK");
        if is_v1(fields) {
            out.byte(1);
            let mut rest = fields;
            while let Some((field, more)) = rest.split_first() {
                let kind = if matches!(field.ty, Type::Bytes) { 0x10 } else { 0x20 };
                out.byte(kind | (field.order & 1));
                rest = more;
            }
        } else {
            out.byte(2);
            out.fields(fields, 0);
        }
        out.end()
    }

    /// Writes the kind of `ty`, code and parameters.
    pub(crate) const fn kind(ty: &Type<'_>, buf: &'b mut [u8]) -> Checked<usize> {
        let mut out = Describe { buf, len: 0, too_deep: None };
        out.byte(ty.code());
        out.params(ty, 0);
        out.end()
    }

    const fn end(self) -> Checked<usize> {
        match self.too_deep {
            Some(at) => Err(Error::InvalidLayout { at }),
            None => Ok(self.len),
        }
    }

    const fn byte(&mut self, byte: u8) {
        if let Some((_, room)) = self.buf.split_at_mut_checked(self.len) {
            if let Some((slot, _)) = room.split_first_mut() {
                *slot = byte;
            }
        }
        self.len = self.len.saturating_add(1);
    }

    const fn slice(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        while let Some((byte, more)) = rest.split_first() {
            self.byte(*byte);
            rest = more;
        }
    }

    const fn blob(&mut self, bytes: &[u8]) {
        self.slice(&length(bytes.len()));
        self.slice(bytes);
    }

    const fn fields(&mut self, fields: &[Field<'_>], depth: usize) {
        let mut rest = fields;
        while let Some((field, more)) = rest.split_first() {
            if depth > MAX_DEPTH && self.too_deep.is_none() {
                self.too_deep = Some(self.len);
            }
            self.byte(field.ty.code());
            self.byte(field.order);
            self.params(&field.ty, depth);
            rest = more;
        }
    }

    const fn params(&mut self, ty: &Type<'_>, depth: usize) {
        if depth > MAX_DEPTH {
            return;
        }
        match ty {
            Type::Opaque(producer) => self.blob(producer),
            Type::Fixed(width) => self.slice(&width.to_be_bytes()),
            Type::Collated { deterministic, producer } => {
                self.byte(*deterministic as u8);
                self.blob(producer.as_bytes());
            }
            Type::Nested(fields) | Type::Record(fields) => {
                let at = self.len;
                self.slice(&[0; 4]);
                self.fields(fields, depth.saturating_add(1));
                let len = self.len.saturating_sub(at).saturating_sub(4);
                if let Some((_, room)) = self.buf.split_at_mut_checked(at) {
                    if let Some(slot) = room.first_chunk_mut::<4>() {
                        *slot = length(len);
                    }
                }
            }
            Type::List(element) | Type::Array(element) | Type::Range(element) | Type::Multirange(element) => {
                let depth = depth.saturating_add(1);
                if depth > MAX_DEPTH && self.too_deep.is_none() {
                    self.too_deep = Some(self.len);
                }
                self.byte(element.code());
                self.params(element, depth);
            }
            _ => {}
        }
    }
}

/// A length as it is stored. Saturates: a descriptor over 4 GiB is then refused when it is checked.
#[expect(clippy::cast_possible_truncation, reason = "guarded by the comparison")]
const fn length(len: usize) -> [u8; 4] {
    if len > u32::MAX as usize { [0xff; 4] } else { (len as u32).to_be_bytes() }
}

/// Whether descriptor v1 can say these fields.
const fn is_v1(fields: &[Field<'_>]) -> bool {
    let mut rest = fields;
    while let Some((field, more)) = rest.split_first() {
        if !(matches!(field.ty, Type::Bytes | Type::I64) && matches!(field.order, 4 | 5)) {
            return false;
        }
        rest = more;
    }
    true
}

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
        let end = bytes.len();
        let code = match check_code(bytes, 0, end, 0) {
            Ok(code) => code,
            Err(e) => return Err(e),
        };
        match check_params(bytes, code, 1, end, 0) {
            Ok(at) if at == end => {}
            Ok(at) => return Err(Error::InvalidLayout { at }),
            Err(e) => return Err(e),
        }
        match bytes.split_first() {
            Some((_, params)) => Ok(Kind { code, params }),
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
