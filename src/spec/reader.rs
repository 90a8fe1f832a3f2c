//! Reads a key under a spec: the caller names kinds, the spec gives orders.

use core::net::IpAddr;

use crate::codec::bits::BitsView;
use crate::codec::decimal::Decimal;
use crate::codec::ident::EnumRank;
use crate::codec::ident::Lsn;
use crate::codec::ident::Mac48;
use crate::codec::ident::Mac64;
use crate::codec::ident::Uuid;
use crate::codec::net::IpPrefix;
use crate::codec::net::Network;
use crate::codec::temporal::Date;
use crate::codec::temporal::IntervalScalar;
use crate::codec::temporal::MicroDuration;
use crate::codec::temporal::Time;
use crate::codec::temporal::Timestamp;
use crate::codec::temporal::ZonedTime;
use crate::codec::text::TextView;
use crate::decoder::Decoder;
use crate::error::Error;
use crate::kind::Kind;
use crate::kind::code;
use crate::kind::front::Ahead;
use crate::order::FieldOrder;
use crate::raw::view::ByteView;
use crate::spec::KeySpec;
use crate::table::for_each_scalar;
use crate::value::Value;
use crate::value::array::ArrayView;
use crate::value::range::MultirangeView;
use crate::value::range::RangeView;
use crate::value::seq::ListView;
use crate::value::seq::RecordView;

/// Reads the fields of a key under a [`KeySpec`], in order. Each field gives an `Option`; under a
/// NOT NULL order it is never `None`.
///
/// A read that fails leaves the reader where it was.
///
/// ```
/// use isotone::{AscNullsLast, Desc, Type, key_spec};
/// let spec = key_spec![Type::Str => AscNullsLast, Type::I64 => Desc];
/// let mut room = [0u8; 32];
/// let mut key = spec.writer(&mut room);
/// key.str("Ada").i64(7);
/// let mut fields = spec.reader(key.finish()?)?;
/// assert_eq!(fields.str()?.unwrap(), "Ada");
/// assert_eq!(fields.i64()?, Some(7));
/// fields.finish()?;
/// # Ok::<(), isotone::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct SpecReader<'s, 'k> {
    key: Decoder<'k>,
    ahead: Ahead<'s>,
    field: usize,
    arity: usize,
}

impl<'s> KeySpec<'s> {
    /// Reads a key from its front, behind the spec's scope.
    ///
    /// # Errors
    /// [`Error::MalformedKey`] at 0 when the key does not begin with the scope,
    /// [`Error::TruncatedKey`] when it is only part of it.
    #[inline]
    pub fn reader<'k>(&self, key: &'k [u8]) -> Result<SpecReader<'s, 'k>, Error> {
        let start = self.input(key)?.pos();
        Ok(SpecReader { key: Decoder::at(key, start), ahead: self.ahead(), field: 0, arity: self.arity() })
    }
}

macro_rules! spec_scalars {
    (; $($name:ident $code:ident $payload:ty, $given:ty, |$v:ident| $into:expr, |$p:ident| $from:expr, $doc:literal;)*) => {
        $(
            #[doc = $doc]
            #[inline(always)]
            pub fn $name(&mut self) -> Result<Option<$given>, Error> {
                self.next(code::$code, |key, order| key.$name(order))
            }
        )*
    };
}

macro_rules! spec_composites {
    ($($name:ident $code:ident $view:ident, $doc:literal;)*) => {
        $(
            #[doc = $doc]
            #[inline]
            pub fn $name(&mut self) -> Result<Option<$view<'k>>, Error> {
                let (kind, _) = self.peek()?;
                self.next(code::$code, |key, order| key.$name(kind, order))
            }
        )*
    };
}

impl<'s, 'k> SpecReader<'s, 'k>
where
    's: 'k,
{
    for_each_scalar! { spec_scalars ; }

    /// Bytes of any length, as a view of the key.
    #[inline(always)]
    pub fn bytes(&mut self) -> Result<Option<ByteView<'k>>, Error> {
        self.next(code::BYTES, |key, order| key.bytes(order))
    }

    /// UTF-8 text of any length, as a view of the key.
    #[inline(always)]
    pub fn str(&mut self) -> Result<Option<TextView<'k>>, Error> {
        self.next(code::STR, |key, order| key.str(order))
    }

    /// Bytes of any length, copied to the front of `out`: [`Decoder::bytes_to`].
    ///
    /// ```
    /// use isotone::{Asc, DescNullsFirst, Type, key_spec};
    /// let spec = key_spec![Type::Bytes => Asc, Type::Str => DescNullsFirst];
    /// let (mut room, mut out) = ([0u8; 16], [0u8; 8]);
    /// let key = spec.encode(&[b"a\0b".into(), "Ada".into()], &mut room)?;
    /// let mut fields = spec.reader(key)?;
    /// assert_eq!(fields.bytes_to(&mut out)?, Some(&b"a\0b"[..]));
    /// assert_eq!(fields.str_to(&mut out)?, Some("Ada"));
    /// fields.finish()?;
    /// # Ok::<(), isotone::Error>(())
    /// ```
    #[inline]
    pub fn bytes_to<'o>(&mut self, out: &'o mut [u8]) -> Result<Option<&'o [u8]>, Error> {
        self.next(code::BYTES, |key, order| key.bytes_to(order, out))
    }

    /// UTF-8 text of any length, copied to the front of `out`: [`Decoder::str_to`].
    #[inline]
    pub fn str_to<'o>(&mut self, out: &'o mut [u8]) -> Result<Option<&'o str>, Error> {
        self.next(code::STR, |key, order| key.str_to(order, out))
    }

    /// Bytes of another producer, as a view of the key.
    #[inline]
    pub fn opaque(&mut self) -> Result<Option<ByteView<'k>>, Error> {
        self.next(code::OPAQUE, |key, order| key.opaque(order))
    }

    /// A comparison image of a collation producer, as a view of the key.
    #[inline]
    pub fn collated(&mut self) -> Result<Option<ByteView<'k>>, Error> {
        self.next(code::COLLATED, |key, order| key.collated(order))
    }

    /// The bytes of a nested key, as a view.
    #[inline]
    pub fn nested(&mut self) -> Result<Option<ByteView<'k>>, Error> {
        self.next(code::NESTED, |key, order| key.nested(order))
    }

    /// A decimal of any precision, as a view of the key.
    #[inline]
    pub fn decimal(&mut self) -> Result<Option<Decimal<'k>>, Error> {
        self.next(code::DECIMAL, |key, order| key.decimal(order))
    }

    /// A bit string, as a view of the key.
    #[inline]
    pub fn bits(&mut self) -> Result<Option<BitsView<'k>>, Error> {
        self.next(code::BITS, |key, order| key.bits(order))
    }

    /// Fixed bytes; of another width than the spec's, [`Error::TypeMismatch`].
    #[inline]
    pub fn fixed<const N: usize>(&mut self) -> Result<Option<[u8; N]>, Error> {
        let (kind, _) = self.peek()?;
        if kind.fixed_size() != Some(N) {
            return Err(Error::TypeMismatch { field: self.field });
        }
        self.next(code::FIXED, |key, order| key.fixed(order))
    }

    spec_composites! {
        record RECORD RecordView, "A record, as a view of the key.";
        list LIST ListView, "A list, as a view of the key.";
        array ARRAY ArrayView, "An array, as a view of the key.";
        range RANGE RangeView, "A range, as a view of the key.";
        multirange MULTIRANGE MultirangeView, "A multirange, as a view of the key.";
    }

    /// A field of any kind; null is [`Value::Null`].
    #[inline]
    pub fn value(&mut self) -> Result<Value<'k>, Error> {
        let (kind, order) = self.peek()?;
        let value = self.key.value(kind, order)?;
        self.advance();
        Ok(value.unwrap_or(Value::Null))
    }

    /// Passes over a field of any kind.
    #[inline]
    pub fn skip(&mut self) -> Result<(), Error> {
        let (kind, order) = self.peek()?;
        self.key.skip(kind, order)?;
        self.advance();
        Ok(())
    }

    /// Offset of the next field, in bytes from the start of the key.
    pub fn offset(&self) -> usize {
        self.key.offset()
    }

    /// Number of bytes that were not read yet.
    pub fn remaining(&self) -> usize {
        self.key.remaining()
    }

    /// Number of fields read.
    pub fn fields(&self) -> usize {
        self.field
    }

    /// Says that the key ends here, with all its fields read.
    ///
    /// # Errors
    /// [`Error::WrongArity`] when fields were not read, [`Error::TrailingBytes`] when bytes are left.
    pub fn finish(self) -> Result<(), Error> {
        if self.field != self.arity {
            return Err(Error::WrongArity { expected: self.arity, got: self.field });
        }
        self.key.finish()
    }

    #[inline(always)]
    pub(crate) fn peek(&mut self) -> Result<(Kind<'s>, FieldOrder), Error> {
        let wrong = Error::WrongArity { expected: self.arity, got: self.field.saturating_add(1) };
        self.ahead.peek(self.field).ok_or(wrong)
    }

    #[inline(always)]
    fn advance(&mut self) {
        self.ahead.next(self.field);
        self.field = self.field.saturating_add(1);
    }

    #[inline(always)]
    pub(crate) fn next<T>(
        &mut self,
        code: u8,
        read: impl FnOnce(&mut Decoder<'k>, FieldOrder) -> Result<Option<T>, Error>,
    ) -> Result<Option<T>, Error> {
        let mut ahead = self.ahead;
        let order = match ahead.next_order(code) {
            Some(order) => order,
            None => {
                let order;
                (ahead, order) = ahead.order_behind(self.field, code, self.arity);
                order?
            }
        };
        let value = read(&mut self.key, order)?;
        self.ahead = ahead;
        // In range: counts fields.
        self.field = self.field.wrapping_add(1);
        Ok(value)
    }
}
