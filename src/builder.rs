//! Writes keys: typed fields, one after another, into a caller's buffer.

pub(crate) mod common;
pub(crate) mod elements;
pub(crate) mod put;

use core::net::IpAddr;

use crate::builder::common::rarer_fields;
use crate::builder::elements::Elements;
use crate::builder::put::fill_array;
use crate::builder::put::fill_elements;
use crate::builder::put::fill_record;
use crate::builder::put::put_composite;
use crate::builder::put::put_field;
use crate::builder::put::put_view;
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
use crate::codec::text::Fixed;
use crate::codec::text::TextSource;
use crate::error::Error;
use crate::kind::Kind;
use crate::kind::code;
use crate::kind::front::Front;
use crate::order::AnyOrder;
use crate::order::FieldOrder;
use crate::order::Flip;
use crate::order::NullOrder;
use crate::order::Nullable;
use crate::raw::out::Door;
use crate::raw::out::Place;
use crate::raw::sink::Payload;
use crate::raw::view::ByteView;
use crate::table::for_each_scalar;
use crate::value::Value;
use crate::value::array::Dimension;
use crate::value::put::TypedField;

/// Writes fields into a buffer that the caller lends. Never grows it and never allocates.
///
/// Every field is written whole or not at all. The first error is kept, later calls pass by, and
/// [`finish`](Self::finish) reports it; bytes past the last whole field are then as they were
/// (behind a composite that failed half-way there may be leftovers). After a short buffer the calls
/// that follow only measure, so that [`Error::ShortBuffer`]'s `needed` is enough for the whole key:
/// grow once and build again.
///
/// Each method takes a value and an order. Under an [`Order`](crate::Order), which has a place for
/// nulls, it takes an `Option` too.
///
/// ```
/// use isotone::{AscNullsLast, Builder, Desc, DescNullsFirst, Error};
/// let mut room = [0u8; 64];
/// let mut key = Builder::new(&mut room);
/// key.i64(42, AscNullsLast);
/// let account = key.mark();
/// key.str("Ada", DescNullsFirst).u64(7, Desc);
/// assert_eq!(key.key()?.len(), 9 + 6 + 8);
/// key.truncate(account);
/// key.str(None::<&str>, DescNullsFirst).u64(8, Desc);
/// assert_eq!(key.finish()?.len(), 9 + 1 + 8);
///
/// let mut small = [0u8; 10];
/// let mut key = Builder::new(&mut small);
/// key.i64(42, AscNullsLast).str("Ada", DescNullsFirst).u64(7, Desc);
/// assert_eq!(key.finish(), Err(Error::ShortBuffer { needed: 23, available: 10 }));
/// # Ok::<(), Error>(())
/// ```
pub struct Builder<'b> {
    door: Door<'b>,
}

/// A field boundary in a [`Builder`], to come back to.
#[derive(Clone, Copy)]
pub struct Mark(Place);

/// The fields of a record or a nested key that is being written, given to a closure. Has the
/// methods of [`Builder`] that write.
pub struct Fields<'d, 'b> {
    door: &'d mut Door<'b>,
    flip: Flip,
}

macro_rules! write_scalars {
    ($flip:expr; $($name:ident $code:ident $payload:ty, $given:ty, |$v:ident| $into:expr, |$p:ident| $from:expr, $doc:literal;)*) => {
        $(
            #[doc = $doc]
            #[inline]
            pub fn $name<O: AnyOrder>(&mut self, value: impl Nullable<$given, O>, order: O) -> &mut Self {
                let flip = $flip(self);
                put_field::<$payload>(self.door(), value.into_option().map(|$v: $given| $into), order, flip);
                self
            }
        )*
    };
}

macro_rules! write_methods {
    ($flip:expr) => {
        for_each_scalar! { write_scalars $flip; }

        /// Bytes of any length, escaped: length + zeros + 2 bytes.
        #[inline(always)]
        pub fn bytes<O: AnyOrder>(&mut self, value: impl ByteSource<O>, order: O) -> &mut Self {
            let flip = $flip(self);
            put_view(self.door(), value.view(), order, flip);
            self
        }

        /// UTF-8 text of any length, escaped: length + zeros + 2 bytes. Compares by scalar values,
        /// as PostgreSQL's collation `C` does.
        #[inline(always)]
        pub fn str<O: AnyOrder>(&mut self, value: impl TextSource<O>, order: O) -> &mut Self {
            let flip = $flip(self);
            put_view(self.door(), value.view(), order, flip);
            self
        }

        /// Bytes that another producer made to sort as they are; escaped like [`bytes`](Self::bytes).
        #[inline]
        pub fn opaque<O: AnyOrder>(&mut self, value: impl ByteSource<O>, order: O) -> &mut Self {
            self.bytes(value, order)
        }

        /// A comparison image that a collation producer made; escaped like [`bytes`](Self::bytes).
        #[inline]
        pub fn collated<O: AnyOrder>(&mut self, image: impl ByteSource<O>, order: O) -> &mut Self {
            self.bytes(image, order)
        }

        /// Exactly `N` bytes as they are: no escaping, so hashes and packed numbers cost no scan.
        #[inline]
        pub fn fixed<const N: usize, O: AnyOrder>(&mut self, value: impl Nullable<[u8; N], O>, order: O) -> &mut Self {
            const { assert!(N > 0 && N <= u16::MAX as usize, "fixed bytes are 1 to 65535 wide") };
            let flip = $flip(self);
            put_field(self.door(), value.into_option(), order, flip);
            self
        }

        /// A decimal of any precision: 1 byte, or 6 + significant digits.
        #[inline]
        pub fn decimal<'v, O: AnyOrder>(&mut self, value: impl Nullable<Decimal<'v>, O>, order: O) -> &mut Self {
            let flip = $flip(self);
            put_field(self.door(), value.into_option(), order, flip);
            self
        }

        /// A bit string: its bytes escaped, then the number of bits used in the last one.
        #[inline]
        pub fn bits<'v, O: AnyOrder>(&mut self, value: impl Nullable<BitsView<'v>, O>, order: O) -> &mut Self {
            let flip = $flip(self);
            put_field(self.door(), value.into_option(), order, flip);
            self
        }

        /// A null: its tag alone. A null under a stored code 4 or 5 is [`Error::InvalidValue`].
        #[inline]
        pub fn null<O: NullOrder>(&mut self, order: O) -> &mut Self {
            let flip = $flip(self);
            put_field(self.door(), None::<u8>, order, flip);
            self
        }

        /// A value of any kind. One of another kind, or a null where none may stand, is
        /// [`Error::InvalidValue`].
        pub fn value<O: AnyOrder>(&mut self, kind: Kind<'_>, value: &Value<'_>, order: O) -> &mut Self {
            let flip = $flip(self);
            let door = self.door();
            match order.check(door.at()) {
                Ok(order) => door.put_untyped(TypedField { kind, order, value }, kind, flip),
                Err(error) => door.fail(error),
            }
            self
        }

        /// A record: the fields that `fill` writes, inline, each under its own order.
        pub fn record<O: AnyOrder>(&mut self, order: O, fill: impl FnOnce(&mut Fields<'_, 'b>)) -> &mut Self {
            let flip = $flip(self);
            put_composite(self.door(), order, flip, |door, flip| fill_record(door, flip, fill));
            self
        }

        /// A list: the elements that `fill` writes, inline, one byte each and one to end.
        pub fn list<O: AnyOrder>(&mut self, order: O, fill: impl FnOnce(&mut Elements<'_, 'b>)) -> &mut Self {
            let flip = $flip(self);
            put_composite(self.door(), order, flip, |door, flip| {
                fill_elements(door, flip, fill);
            });
            self
        }

        /// An array: the elements that `fill` writes in row-major order, then its dimensions. They
        /// must fit the number of elements.
        pub fn array<O: AnyOrder>(
            &mut self,
            dimensions: &[Dimension],
            order: O,
            fill: impl FnOnce(&mut Elements<'_, 'b>),
        ) -> &mut Self {
            let flip = $flip(self);
            put_composite(self.door(), order, flip, |door, flip| fill_array(door, flip, dimensions, fill));
            self
        }

        /// A whole key as an escaped field (Schottky's `Tuple`): the fields that `fill` writes,
        /// escaped where they lie when it is done.
        pub fn nested<O: AnyOrder>(&mut self, order: O, fill: impl FnOnce(&mut Fields<'_, 'b>)) -> &mut Self {
            let outer = $flip(self);
            let door = self.door();
            match order.check(door.at()) {
                Ok(order) => {
                    let flip = order.flip().then(outer);
                    door.nested(order.present_tag(), outer, flip, |door| {
                        fill(&mut Fields { door, flip: Flip::No });
                    });
                }
                Err(error) => door.fail(error),
            }
            self
        }
    };
}

impl<'b> Builder<'b> {
    /// Writes from the front of `room`.
    #[inline(always)]
    pub fn new(room: &'b mut [u8]) -> Self {
        Builder { door: Door::new(room) }
    }

    #[inline(always)]
    pub(crate) fn door(&mut self) -> &mut Door<'b> {
        &mut self.door
    }

    #[inline(always)]
    pub(crate) fn flip(&self) -> Flip {
        Flip::No
    }

    write_methods! { Self::flip }

    /// Bytes written so far; whole fields only.
    #[inline]
    pub fn len(&self) -> usize {
        self.door.pos()
    }

    /// Whether nothing has been written.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes of the buffer that are left.
    #[inline]
    pub fn remaining(&self) -> usize {
        self.door.capacity().saturating_sub(self.door.pos())
    }

    /// The first error, if there was one.
    #[inline]
    pub fn err(&self) -> Option<Error> {
        self.door.error()
    }

    /// A boundary after the fields written so far: their bytes are the prefix of every key that
    /// begins with them.
    #[inline]
    pub fn mark(&self) -> Mark {
        Mark(self.door.place())
    }

    /// Goes back to a mark of this builder: drops the fields written since, and any error behind
    /// it. A mark stays good as long as the builder has not gone back to before it; one whose place
    /// is gone is [`Error::InvalidValue`], and nothing is dropped.
    #[inline]
    pub fn truncate(&mut self, mark: Mark) {
        self.door.back_to(&mark.0);
    }

    /// As [`truncate`](Self::truncate); says whether the mark was good.
    pub(crate) fn back_to(&mut self, mark: Mark) -> bool {
        self.door.back_to(&mark.0)
    }

    /// Starts a new key in the same buffer; drops any error.
    #[inline]
    pub fn reset(&mut self) {
        self.door.reset();
    }

    /// The key so far, to put it somewhere and go on.
    ///
    /// # Errors
    /// The first error since the builder was made or [`reset`](Self::reset).
    #[inline]
    pub fn key(&self) -> Result<&[u8], Error> {
        match self.door.error() {
            None => Ok(self.door.written()),
            Some(error) => Err(error),
        }
    }

    /// The key, as a slice of the buffer.
    ///
    /// # Errors
    /// The first error since the builder was made or [`reset`](Self::reset).
    #[inline]
    pub fn finish(self) -> Result<&'b [u8], Error> {
        match self.door.error() {
            None => Ok(self.door.into_written()),
            Some(error) => Err(error),
        }
    }

    /// The key, and the rest of the buffer behind it.
    ///
    /// # Errors
    /// The first error since the builder was made or [`reset`](Self::reset).
    #[inline]
    pub fn finish_parts(self) -> Result<(&'b mut [u8], &'b mut [u8]), Error> {
        match self.door.error() {
            None => Ok(self.door.into_parts()),
            Some(error) => Err(error),
        }
    }

    /// Writes a field under a spec: a value of another kind is [`Error::TypeMismatch`] there.
    pub(crate) fn spec_field(&mut self, kind: Kind<'_>, order: FieldOrder, value: &Value<'_>) {
        let (tag, flip) = (order.present_tag(), order.flip());
        match (value, kind.code()) {
            (Value::Str(v), code::STR) => self.door.view_field(tag, v.bytes(), Flip::No, flip),
            (Value::Bytes(v), code::BYTES) => self.door.view_field(tag, *v, Flip::No, flip),
            _ => self.door.put(TypedField { kind, order, value }, Flip::No),
        }
    }

    /// Writes values from the front of `values` as far as [`rarer_fields`] does; gives how many, and
    /// the fields that are left.
    #[inline(always)]
    pub(crate) fn common_fields(&mut self, front: Front, values: &[Value<'_>]) -> (usize, Front) {
        let (written, done, front) = rarer_fields(self.door.spare(), front, values);
        self.door.wrote(written);
        (done, front)
    }

    /// Whether nothing has failed.
    #[inline(always)]
    pub(crate) fn is_ok(&self) -> bool {
        self.door.is_ok()
    }

    /// Writes behind a spec's scope.
    #[inline(always)]
    pub(crate) fn under(room: &'b mut [u8], scope: &[u8]) -> Self {
        // Put in here, and not made elsewhere, the builder stays out of memory.
        let mut key = Builder::new(room);
        if !scope.is_empty() {
            key.raw(scope);
        }
        key
    }

    /// Appends bytes that were checked to be whole fields.
    #[inline(always)]
    pub(crate) fn raw(&mut self, fields: &[u8]) {
        self.door.put(Fixed(fields.into()), Flip::No);
    }

    /// Writes a field of a scalar whose order is known only when running.
    #[inline(always)]
    pub(crate) fn scalar<P: Payload + Copy>(&mut self, scalar: Option<P>, order: FieldOrder) {
        if scalar.is_some_and(|scalar| self.door.scalar(order, scalar)) {
            return;
        }
        put_field(&mut self.door, scalar, order, Flip::No);
    }

    /// Writes behind the first `written` bytes of `room`, which were checked to be whole fields.
    #[inline]
    pub(crate) fn behind(room: &'b mut [u8], written: usize) -> Self {
        Builder { door: Door::behind(room, written) }
    }

    /// Drops the last `n` bytes: a text's end, which leaves its front.
    pub(crate) fn drop_last(&mut self, n: usize) {
        self.door.drop_last(n);
    }

    /// Gives the field's index to a type mismatch that was just latched.
    #[inline(always)]
    pub(crate) fn name_field(&mut self, field: usize) {
        if !self.door.is_ok() {
            self.door.name_field(field);
        }
    }

    /// Latches an error that a layer above found.
    #[inline(always)]
    pub(crate) fn fail(&mut self, error: Error) {
        self.door.fail(error);
    }
}

impl<'b> Fields<'_, 'b> {
    #[inline(always)]
    pub(crate) fn door(&mut self) -> &mut Door<'b> {
        self.door
    }

    #[inline(always)]
    pub(crate) fn flip(&self) -> Flip {
        self.flip
    }

    write_methods! { Self::flip }
}

impl core::fmt::Debug for Builder<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Builder")
            .field("key", &ByteView::new(self.door.written()))
            .field("remaining", &self.remaining())
            .field("err", &self.err())
            .finish()
    }
}
