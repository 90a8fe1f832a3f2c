//! The elements of a list or an array, written one by one.

use crate::builder::Fields;
use crate::builder::put::fill_array;
use crate::builder::put::fill_elements;
use crate::builder::put::fill_record;
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
use crate::order::Flip;
use crate::order::Order;
use crate::raw::out::Door;
use crate::raw::sink::Invalid;
use crate::raw::sink::Payload;
use crate::raw::sink::Sink;
use crate::table::for_each_scalar;
use crate::value::Value;
use crate::value::array::Dimension;
use crate::value::put::Typed;
use core::net::IpAddr;

/// The elements of a list or an array that is being written, given to a closure. Each method
/// writes one element; all must be of one kind, or null. Of composites and fixed bytes only that much
/// is checked: that their own parts are of one kind, and of one width, is the caller's to keep. A
/// [`Value`] under a [`Kind`] is checked to the last part.
pub struct Elements<'d, 'b> {
    door: &'d mut Door<'b>,
    flip: Flip,
    kind: Option<u8>,
    count: usize,
}

macro_rules! write_elements {
    (; $($name:ident $code:ident $payload:ty, $given:ty, |$v:ident| $into:expr, |$p:ident| $from:expr, $doc:literal;)*) => {
        $(
            #[doc = $doc]
            #[inline]
            pub fn $name(&mut self, $v: $given) -> &mut Self {
                self.element(code::$code, $into)
            }
        )*
    };
}

/// A payload behind the byte that says an element is there.
struct Marked<P>(P);

impl<P: Payload> Payload for Marked<P> {
    #[inline(always)]
    fn put<S: Sink>(&self, sink: &mut S, flip: Flip) -> Result<(), Invalid> {
        sink.put([1], flip);
        self.0.put(sink, flip)
    }
}

impl<'d, 'b> Elements<'d, 'b> {
    pub(super) fn new(door: &'d mut Door<'b>, flip: Flip) -> Self {
        Elements { door, flip, kind: None, count: 0 }
    }

    /// Elements written so far, nulls among them.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    for_each_scalar! { write_elements ; }

    /// Bytes of any length.
    #[inline]
    pub fn bytes(&mut self, value: impl ByteSource<Order>) -> &mut Self {
        self.optional(code::BYTES, value.view())
    }

    /// UTF-8 text of any length.
    #[inline]
    pub fn str(&mut self, value: impl TextSource<Order>) -> &mut Self {
        self.optional(code::STR, value.view())
    }

    /// Bytes that another producer made to sort as they are.
    #[inline]
    pub fn opaque(&mut self, value: impl ByteSource<Order>) -> &mut Self {
        self.optional(code::OPAQUE, value.view())
    }

    /// A comparison image that a collation producer made.
    #[inline]
    pub fn collated(&mut self, image: impl ByteSource<Order>) -> &mut Self {
        self.optional(code::COLLATED, image.view())
    }

    /// Exactly `N` bytes as they are; the same `N` for all elements, which is the caller's to keep.
    #[inline]
    pub fn fixed<const N: usize>(&mut self, value: [u8; N]) -> &mut Self {
        const { assert!(N > 0 && N <= u16::MAX as usize, "fixed bytes are 1 to 65535 wide") };
        self.element(code::FIXED, value)
    }

    /// A decimal of any precision.
    #[inline]
    pub fn decimal(&mut self, value: Decimal<'_>) -> &mut Self {
        self.element(code::DECIMAL, value)
    }

    /// A bit string.
    #[inline]
    pub fn bits(&mut self, value: BitsView<'_>) -> &mut Self {
        self.element(code::BITS, value)
    }

    /// A null element: one byte, above every other.
    #[inline]
    pub fn null(&mut self) -> &mut Self {
        self.count = self.count.saturating_add(1);
        self.door.put([2], self.flip);
        self
    }

    /// A value of any kind, or null.
    pub fn value(&mut self, kind: Kind<'_>, value: &Value<'_>) -> &mut Self {
        if value.is_null() {
            return self.null();
        }
        self.begin(kind.code());
        self.door.put_untyped(Marked(Typed { kind, value }), kind, self.flip);
        self
    }

    /// A record; see [`Builder::record`](crate::Builder::record).
    pub fn record(&mut self, fill: impl FnOnce(&mut Fields<'_, 'b>)) -> &mut Self {
        self.composite(code::RECORD, |door, flip| fill_record(door, flip, fill))
    }

    /// A list; see [`Builder::list`](crate::Builder::list).
    pub fn list(&mut self, fill: impl FnOnce(&mut Elements<'_, 'b>)) -> &mut Self {
        self.composite(code::LIST, |door, flip| {
            fill_elements(door, flip, fill);
        })
    }

    /// An array; see [`Builder::array`](crate::Builder::array).
    pub fn array(&mut self, dimensions: &[Dimension], fill: impl FnOnce(&mut Elements<'_, 'b>)) -> &mut Self {
        self.composite(code::ARRAY, |door, flip| fill_array(door, flip, dimensions, fill))
    }

    /// A whole key as an escaped element; see [`Builder::nested`](crate::Builder::nested).
    pub fn nested(&mut self, fill: impl FnOnce(&mut Fields<'_, 'b>)) -> &mut Self {
        self.begin(code::NESTED);
        let flip = self.flip;
        self.door.nested(Some(1), flip, flip, |door| fill(&mut Fields { door, flip: Flip::No }));
        self
    }

    #[inline(always)]
    fn element<P: Payload>(&mut self, code: u8, payload: P) -> &mut Self {
        self.begin(code);
        self.door.put(Marked(payload), self.flip);
        self
    }

    #[inline(always)]
    fn optional<P: Payload>(&mut self, code: u8, payload: Option<P>) -> &mut Self {
        match payload {
            Some(payload) => self.element(code, payload),
            None => self.null(),
        }
    }

    fn composite(&mut self, code: u8, fill: impl FnOnce(&mut Door<'b>, Flip)) -> &mut Self {
        self.place(code, |door, flip| door.composite(Some(1), flip, |door| fill(door, flip)))
    }

    /// An element that `put` writes whole, with the byte that says it is there.
    #[inline]
    pub(crate) fn place(&mut self, code: u8, put: impl FnOnce(&mut Door<'b>, Flip)) -> &mut Self {
        self.begin(code);
        put(self.door, self.flip);
        self
    }

    /// Counts an element, and refuses one of another kind than those before.
    #[inline(always)]
    fn begin(&mut self, code: u8) {
        if *self.kind.get_or_insert(code) != code {
            self.door.fail(Error::InvalidValue { at: self.door.at() });
        }
        self.count = self.count.saturating_add(1);
    }
}
