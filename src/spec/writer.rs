//! Writes a key under a spec: the caller gives values, the spec gives order, kind and arity.

use core::net::IpAddr;

use crate::builder::Builder;
use crate::builder::Fields;
use crate::builder::Mark;
use crate::codec::bits::BitsView;
use crate::codec::decimal::Decimal;
use crate::codec::ident::EnumRank;
use crate::codec::ident::Lsn;
use crate::codec::ident::Mac48;
use crate::codec::ident::Mac64;
use crate::codec::ident::Uuid;
use crate::codec::net::Ip;
use crate::codec::net::IpPrefix;
use crate::codec::net::Network;
use crate::codec::temporal::Date;
use crate::codec::temporal::IntervalScalar;
use crate::codec::temporal::MicroDuration;
use crate::codec::temporal::Time;
use crate::codec::temporal::Timestamp;
use crate::codec::temporal::ZonedTime;
use crate::codec::text::ByteSource;
use crate::codec::text::TextSource;
use crate::error::Error;
use crate::kind::Kind;
use crate::kind::code;
use crate::kind::front::Ahead;
use crate::order::FieldOrder;
use crate::order::Nullable;
use crate::spec::KeySpec;
use crate::table::for_each_scalar;
use crate::value::Value;
use crate::value::collated;

/// Writes the fields of a key under a [`KeySpec`], in order. Like a [`Builder`], but each field's
/// kind must be the spec's ([`Error::TypeMismatch`]), and its order is.
///
/// ```
/// use isotone::{AscNullsLast, Desc, Type, key_spec};
/// let spec = key_spec![Type::Str => AscNullsLast, Type::I64 => Desc];
/// let mut room = [0u8; 32];
/// let mut key = spec.writer(&mut room);
/// key.str("Ada").i64(7);
/// assert_eq!(key.finish()?.len(), 1 + 5 + 8);
/// # Ok::<(), isotone::Error>(())
/// ```
#[derive(Debug)]
pub struct SpecWriter<'s, 'b> {
    key: Builder<'b>,
    ahead: Ahead<'s>,
    field: usize,
    arity: usize,
}

impl<'s> KeySpec<'s> {
    /// Writes a key from the front of `room`, behind the spec's scope.
    #[inline(always)]
    pub fn writer<'b>(&self, room: &'b mut [u8]) -> SpecWriter<'s, 'b> {
        let key = Builder::under(room, self.scope());
        SpecWriter { key, ahead: self.ahead(), field: 0, arity: self.arity() }
    }
}

macro_rules! spec_scalars {
    (; $($name:ident $code:ident $payload:ty, $given:ty, |$v:ident| $into:expr, |$p:ident| $from:expr, $doc:literal;)*) => {
        $(
            #[doc = $doc]
            #[inline(always)]
            pub fn $name(&mut self, value: impl Nullable<$given, FieldOrder>) -> &mut Self {
                if let Some(order) = self.next_order(code::$code) {
                    self.key.scalar::<$payload>(value.into_option().map(|$v: $given| $into), order);
                }
                self
            }
        )*
    };
}

/// A place in a key that a [`SpecWriter`] can come back to.
#[derive(Clone, Copy)]
pub struct SpecMark<'s> {
    mark: Mark,
    ahead: Ahead<'s>,
    field: usize,
}

impl<'s, 'b> SpecWriter<'s, 'b> {
    for_each_scalar! { spec_scalars ; }

    /// Bytes of any length.
    #[inline(always)]
    pub fn bytes(&mut self, value: impl ByteSource<FieldOrder>) -> &mut Self {
        self.view(code::BYTES, value)
    }

    /// UTF-8 text of any length.
    #[inline(always)]
    pub fn str(&mut self, value: impl TextSource<FieldOrder>) -> &mut Self {
        if let Some(order) = self.next_order(code::STR) {
            self.key.bytes(value.view(), order);
        }
        self
    }

    /// Bytes that another producer made to sort as they are.
    #[inline]
    pub fn opaque(&mut self, value: impl ByteSource<FieldOrder>) -> &mut Self {
        self.view(code::OPAQUE, value)
    }

    /// A comparison image that a collation producer made. In a deterministic field of a known
    /// producer it must be the image of a text with that text behind it, else
    /// [`Error::InvalidValue`].
    #[inline]
    pub fn collated(&mut self, image: impl ByteSource<FieldOrder>) -> &mut Self {
        if let Some((kind, order)) = self.next(code::COLLATED) {
            match image.view() {
                Some(image) if !collated::is_written(kind, image) => {
                    let at = self.key.len();
                    self.key.fail(Error::InvalidValue { at });
                }
                image => {
                    self.key.bytes(image, order);
                }
            }
        }
        self
    }

    /// Fixed bytes; of another width than the spec's, [`Error::InvalidValue`].
    #[inline]
    pub fn fixed<const N: usize>(&mut self, value: impl Nullable<[u8; N], FieldOrder>) -> &mut Self {
        if let Some((kind, order)) = self.next(code::FIXED) {
            if kind.fixed_size() == Some(N) {
                self.key.fixed(value.into_option(), order);
            } else {
                self.key.fail(Error::InvalidValue { at: self.key.len() });
            }
        }
        self
    }

    /// A decimal of any precision.
    #[inline]
    pub fn decimal<'v>(&mut self, value: impl Nullable<Decimal<'v>, FieldOrder>) -> &mut Self {
        if let Some(order) = self.next_order(code::DECIMAL) {
            self.key.decimal(value.into_option(), order);
        }
        self
    }

    /// A bit string.
    #[inline]
    pub fn bits<'v>(&mut self, value: impl Nullable<BitsView<'v>, FieldOrder>) -> &mut Self {
        if let Some(order) = self.next_order(code::BITS) {
            self.key.bits(value.into_option(), order);
        }
        self
    }

    /// A null, where the field's order has a place for one.
    #[inline]
    pub fn null(&mut self) -> &mut Self {
        self.value(&Value::Null)
    }

    /// A value of the field's kind, or null: composites too, whose parts are checked against the kind.
    pub fn value(&mut self, value: &Value<'_>) -> &mut Self {
        let field = self.field;
        if let Some((kind, order)) = self.next_any() {
            let was_ok = self.key.is_ok();
            self.key.spec_field(kind, order, value);
            if was_ok {
                self.key.name_field(field);
            }
        }
        self
    }

    /// A whole key as an escaped field. Its fields are what `fill` writes: reading does not look
    /// inside, and nor does this.
    pub fn nested(&mut self, fill: impl FnOnce(&mut Fields<'_, 'b>)) -> &mut Self {
        if let Some(order) = self.next_order(code::NESTED) {
            self.key.nested(order, fill);
        }
        self
    }

    #[inline(always)]
    fn view(&mut self, code: u8, value: impl ByteSource<FieldOrder>) -> &mut Self {
        if let Some(order) = self.next_order(code) {
            self.key.bytes(value.view(), order);
        }
        self
    }

    /// The key that is being written.
    #[cfg(any(feature = "uca14", feature = "icu"))]
    #[inline(always)]
    pub(crate) fn key(&mut self) -> &mut Builder<'b> {
        &mut self.key
    }

    /// The next field's order; it must be of this kind.
    #[inline(always)]
    fn next_order(&mut self, code: u8) -> Option<FieldOrder> {
        // In range: counts calls.
        let count = self.field.wrapping_add(1);
        if let Some(order) = self.ahead.next_order(code) {
            self.field = count;
            return Some(order);
        }
        let (ahead, order) = self.ahead.order_behind(self.field, code, self.arity);
        (self.ahead, self.field) = (ahead, count);
        match order {
            Ok(order) => Some(order),
            Err(error) => {
                self.key.fail(error);
                None
            }
        }
    }

    /// The next field, which must be of this kind.
    pub(crate) fn next(&mut self, code: u8) -> Option<(Kind<'s>, FieldOrder)> {
        let kind = self.ahead.peek(self.field).map(|(kind, _)| kind);
        self.next_order(code).and_then(|order| Some((kind?, order)))
    }

    /// The next field, of whatever kind.
    fn next_any(&mut self) -> Option<(Kind<'s>, FieldOrder)> {
        let next = self.ahead.next(self.field);
        // In range: counts calls.
        self.field = self.field.wrapping_add(1);
        if next.is_none() {
            self.key.fail(Error::WrongArity { expected: self.arity, got: self.field });
        }
        next
    }

    /// A boundary after the fields written so far.
    pub fn mark(&self) -> SpecMark<'s> {
        SpecMark { mark: self.key.mark(), ahead: self.ahead, field: self.field }
    }

    /// Goes back to a mark of this writer; drops the fields and any error behind it. A mark whose
    /// place is gone is [`Error::InvalidValue`], as for [`Builder::truncate`].
    pub fn truncate(&mut self, mark: SpecMark<'s>) {
        if self.key.back_to(mark.mark) {
            (self.ahead, self.field) = (mark.ahead, mark.field);
        }
    }

    /// The first error, if there was one.
    pub fn err(&self) -> Option<Error> {
        self.key.err()
    }

    /// Number of fields written.
    pub fn fields(&self) -> usize {
        self.field
    }

    /// The whole fields written so far: a key, or a prefix of one.
    ///
    /// # Errors
    /// The first error.
    pub fn prefix(&self) -> Result<&[u8], Error> {
        self.key.key()
    }

    /// The whole key.
    ///
    /// # Errors
    /// The first error; [`Error::WrongArity`] when fields are missing.
    #[inline]
    pub fn finish(self) -> Result<&'b [u8], Error> {
        let key = self.key.finish()?;
        if self.field == self.arity {
            Ok(key)
        } else {
            Err(Error::WrongArity { expected: self.arity, got: self.field })
        }
    }
}
