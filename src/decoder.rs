//! Reads keys: typed fields, one after another, borrowed from the key.

use core::net::IpAddr;

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
use crate::codec::text::TextView;
use crate::error::Error;
use crate::kind::Kind;
use crate::order::AnyOrder;
use crate::order::FieldOrder;
use crate::order::Flip;
use crate::order::NullOrder;
use crate::raw::input::Input;
use crate::raw::input::Take;
use crate::raw::view::ByteView;
use crate::table::for_each_scalar;
use crate::value::Value;
use crate::value::array::ArrayView;
use crate::value::range::MultirangeView;
use crate::value::range::RangeView;
use crate::value::seq::ListView;
use crate::value::seq::RecordView;
use crate::value::take::is_null;
use crate::value::take::take;
use crate::value::take::walk_field;

/// Reads the fields of a key in order. Borrows the key; never copies and never allocates.
///
/// Under an [`Order`](crate::Order) reading gives an `Option`, under a [`NotNull`](crate::NotNull)
/// the value itself. A read that fails leaves the decoder where it was. Reading accepts exactly
/// what writing can emit: what decodes re-encodes to the same bytes.
///
/// ```
/// use isotone::{Asc, AscNullsLast, Builder, Decoder, DescNullsFirst};
/// let mut room = [0u8; 64];
/// let mut key = Builder::new(&mut room);
/// key.i64(42, AscNullsLast).str("Ada", DescNullsFirst).u64(7, Asc);
///
/// let mut d = Decoder::new(key.finish()?);
/// assert_eq!(d.i64(AscNullsLast)?, Some(42));
/// assert_eq!(d.str(DescNullsFirst)?.unwrap(), "Ada");
/// assert_eq!(d.remaining(), 8);
/// assert_eq!(d.u64(Asc)?, 7);
/// d.finish()?;
/// # Ok::<(), isotone::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Decoder<'k> {
    input: Input<'k>,
}

macro_rules! read_scalars {
    ($($name:ident $code:ident $payload:ty, $given:ty, |$v:ident| $into:expr, |$p:ident| $from:expr, $doc:literal;)*) => {
        $(
            #[doc = $doc]
            #[inline]
            pub fn $name<O: AnyOrder>(&mut self, order: O) -> Result<O::Read<$given>, Error> {
                self.field(order, |input, flip| {
                    let $p = <$payload>::take(input, flip)?;
                    Ok($from)
                })
            }
        )*
    };
}

macro_rules! read_composites {
    ($($name:ident $variant:ident $view:ident, $doc:literal;)*) => {
        $(
            #[doc = $doc]
            ///
            /// `kind` is the field's own kind, not its element's; of another kind,
            /// [`Error::MalformedKey`].
            pub fn $name<O: AnyOrder>(&mut self, kind: Kind<'k>, order: O) -> Result<O::Read<$view<'k>>, Error> {
                self.field(order, |input, flip| match take(input, kind, flip)? {
                    Value::$variant(view) => Ok(view),
                    _ => Err(input.malformed()),
                })
            }
        )*
    };
}

/// Begins a field and reads its tag, if its order has one: the flip of a value, nothing for a null.
#[inline(always)]
fn begin<O: AnyOrder>(input: &mut Input<'_>, order: O) -> Result<Option<Flip>, Error> {
    input.begin_field();
    let order: FieldOrder = order.check(input.pos())?;
    Ok(if is_null(input, order, Flip::No)? { None } else { Some(order.flip()) })
}

impl<'k> Decoder<'k> {
    /// Reads from the front of `key`.
    #[inline(always)]
    pub fn new(key: &'k [u8]) -> Self {
        Decoder { input: Input::new(key, 0) }
    }

    /// Reads from byte `offset` of `key`, which should be where a field starts.
    #[inline(always)]
    pub fn at(key: &'k [u8], offset: usize) -> Self {
        Decoder { input: Input::new(key, offset) }
    }

    /// Offset of the next field, in bytes from the start of the key.
    #[inline]
    pub fn offset(&self) -> usize {
        self.input.pos()
    }

    /// Number of bytes that were not read yet.
    #[inline]
    pub fn remaining(&self) -> usize {
        self.input.rest().len()
    }

    /// Says that the key ends here.
    ///
    /// # Errors
    /// [`Error::TrailingBytes`] when bytes are left.
    #[inline]
    pub fn finish(self) -> Result<(), Error> {
        if self.remaining() == 0 { Ok(()) } else { Err(Error::TrailingBytes { at: self.offset() }) }
    }

    /// Reads a field. What `take` does is written out where it is called, so it should be small.
    #[inline(always)]
    pub(crate) fn field<T, O: AnyOrder>(
        &mut self,
        order: O,
        take: impl FnOnce(&mut Input<'k>, Flip) -> Result<T, Error>,
    ) -> Result<O::Read<T>, Error> {
        let mut input = self.input;
        let read = match begin(&mut input, order)? {
            Some(flip) => O::present(take(&mut input, flip)?),
            // A NOT NULL order has no tag, so this is not reached for one.
            None => O::null().ok_or_else(|| input.malformed())?,
        };
        self.input = input;
        Ok(read)
    }

    for_each_scalar! { read_scalars }

    /// Bytes of any length, as a view of the key.
    #[inline(always)]
    pub fn bytes<O: AnyOrder>(&mut self, order: O) -> Result<O::Read<ByteView<'k>>, Error> {
        // As `field`, but not left to the compiler to write out here.
        let mut input = self.input;
        let read = match begin(&mut input, order)? {
            Some(flip) => O::present(input.escaped(flip)?),
            None => O::null().ok_or_else(|| input.malformed())?,
        };
        self.input = input;
        Ok(read)
    }

    /// UTF-8 text of any length, as a view of the key. Bytes that are not UTF-8 are
    /// [`Error::MalformedKey`].
    #[inline(always)]
    pub fn str<O: AnyOrder>(&mut self, order: O) -> Result<O::Read<TextView<'k>>, Error> {
        let mut input = self.input;
        let read = match begin(&mut input, order)? {
            Some(flip) => O::present(TextView::take(&mut input, flip)?),
            None => O::null().ok_or_else(|| input.malformed())?,
        };
        self.input = input;
        Ok(read)
    }

    /// Bytes of any length, copied to the front of `out` while their end is looked for: one pass over
    /// them, where [`bytes`](Self::bytes) and a copy are two. What `out` holds behind them, and after an
    /// error, is left open.
    ///
    /// # Errors
    /// As [`bytes`](Self::bytes); [`Error::ShortBuffer`] with their exact number when `out` is shorter.
    ///
    /// ```
    /// use isotone::{Builder, Decoder, Desc, Error};
    /// let mut room = [0u8; 16];
    /// let mut key = Builder::new(&mut room);
    /// key.bytes(b"a\0b", Desc);
    /// let mut d = Decoder::new(key.finish()?);
    /// assert_eq!(d.bytes_to(Desc, &mut [0; 2]), Err(Error::ShortBuffer { needed: 3, available: 2 }));
    /// assert_eq!(d.bytes_to(Desc, &mut [0; 8])?, b"a\0b");
    /// d.finish()?;
    /// # Ok::<(), Error>(())
    /// ```
    #[inline(always)]
    pub fn bytes_to<'o, O: AnyOrder>(&mut self, order: O, out: &'o mut [u8]) -> Result<O::Read<&'o [u8]>, Error> {
        // As `field`, but not left to the compiler to write out here.
        let mut input = self.input;
        let read = match begin(&mut input, order)? {
            Some(flip) => O::present(input.escaped_to(flip, out)?),
            None => O::null().ok_or_else(|| input.malformed())?,
        };
        self.input = input;
        Ok(read)
    }

    /// UTF-8 text of any length, copied to the front of `out`, as [`bytes_to`](Self::bytes_to): a `&str`
    /// whatever its direction and whatever it holds.
    ///
    /// # Errors
    /// As [`bytes_to`](Self::bytes_to); [`Error::MalformedKey`] for bytes that are not UTF-8.
    ///
    /// ```
    /// use isotone::{Builder, Decoder, Desc};
    /// let mut room = [0u8; 16];
    /// let mut key = Builder::new(&mut room);
    /// key.str("Grace", Desc);
    /// assert_eq!(Decoder::new(key.finish()?).str_to(Desc, &mut [0; 8])?, "Grace");
    /// # Ok::<(), isotone::Error>(())
    /// ```
    #[inline]
    pub fn str_to<'o, O: AnyOrder>(&mut self, order: O, out: &'o mut [u8]) -> Result<O::Read<&'o str>, Error> {
        self.field(order, |input, flip| {
            let malformed = input.malformed();
            core::str::from_utf8(input.escaped_to(flip, out)?).map_err(|_| malformed)
        })
    }

    /// Bytes of another producer, as a view of the key.
    #[inline]
    pub fn opaque<O: AnyOrder>(&mut self, order: O) -> Result<O::Read<ByteView<'k>>, Error> {
        self.bytes(order)
    }

    /// A comparison image of a collation producer, as a view of the key.
    #[inline]
    pub fn collated<O: AnyOrder>(&mut self, order: O) -> Result<O::Read<ByteView<'k>>, Error> {
        self.bytes(order)
    }

    /// The bytes of a nested key, as a view. To read its fields, give a [`Decoder`] its
    /// [`as_slice`](ByteView::as_slice), or a copy in a buffer of yours.
    #[inline]
    pub fn nested<O: AnyOrder>(&mut self, order: O) -> Result<O::Read<ByteView<'k>>, Error> {
        self.bytes(order)
    }

    /// Exactly `N` bytes.
    #[inline]
    pub fn fixed<const N: usize, O: AnyOrder>(&mut self, order: O) -> Result<O::Read<[u8; N]>, Error> {
        self.field(order, |input, flip| input.array(flip))
    }

    /// A decimal of any precision, as a view of the key.
    #[inline]
    pub fn decimal<O: AnyOrder>(&mut self, order: O) -> Result<O::Read<Decimal<'k>>, Error> {
        self.field(order, Decimal::take)
    }

    /// A bit string, as a view of the key.
    #[inline]
    pub fn bits<O: AnyOrder>(&mut self, order: O) -> Result<O::Read<BitsView<'k>>, Error> {
        self.field(order, BitsView::take)
    }

    /// A value of any kind.
    pub fn value<O: AnyOrder>(&mut self, kind: Kind<'k>, order: O) -> Result<O::Read<Value<'k>>, Error> {
        self.field(order, |input, flip| take(input, kind, flip))
    }

    read_composites! {
        record Record RecordView, "A record, as a view of the key.";
        list List ListView, "A list, as a view of the key.";
        array Array ArrayView, "An array, as a view of the key.";
        range Range RangeView, "A range, as a view of the key.";
        multirange Multirange MultirangeView, "A multirange, as a view of the key.";
    }

    /// A null: moves over its tag, or fails where a value stands.
    ///
    /// # Errors
    /// [`Error::MalformedKey`] where the next field is not null.
    pub fn null<O: NullOrder>(&mut self, order: O) -> Result<(), Error> {
        let mut input = self.input;
        input.begin_field();
        let order = order.check(input.pos())?;
        if is_null(&mut input, order, Flip::No)? {
            self.input = input;
            return Ok(());
        }
        Err(input.malformed())
    }

    /// Passes over a field of this kind. Accepts what reading it accepts, UTF-8 of text apart.
    #[inline]
    pub fn skip<O: AnyOrder>(&mut self, kind: Kind<'_>, order: O) -> Result<(), Error> {
        let mut input = self.input;
        input.begin_field();
        let order = order.check(input.pos())?;
        walk_field(&mut input, kind, order, Flip::No, false)?;
        self.input = input;
        Ok(())
    }
}
