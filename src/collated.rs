//! Fields of collated text in the kernel's and the schema's own writers and readers.

use crate::builder::Builder;
use crate::builder::Fields;
use crate::builder::elements::Elements;
use crate::builder::put::put_null;
use crate::codec::text::TextSource;
use crate::codec::text::TextView;
use crate::collation::Producer;
use crate::collation::place::Produce;
use crate::collation::place::Slot;
use crate::decoder::Decoder;
use crate::error::Error;
use crate::kind::Kind;
use crate::kind::code;
use crate::order::AnyOrder;
use crate::order::FieldOrder;
use crate::order::Flip;
use crate::order::Order;
use crate::raw::out::Door;
use crate::raw::view::ByteView;
use crate::spec::KeySpec;
use crate::spec::SpecReader;
use crate::spec::SpecWriter;
use crate::value::Value;

/// A field, under the flip around it.
#[inline]
fn put_field<P: Produce>(
    door: &mut Door<'_>,
    producer: &P,
    text: Option<TextView<'_>>,
    order: impl AnyOrder,
    outer: Flip,
    total: bool,
) {
    match (order.check(door.at()), text) {
        (Ok(order), Some(text)) => {
            let slot = Slot { tag: order.present_tag(), outer, flip: order.flip().then(outer), total };
            producer.put(door, slot, text);
        }
        (Ok(order), None) => put_null(door, order, outer),
        (Err(error), _) => door.fail(error),
    }
}

macro_rules! field_methods {
    ($writer:ident<$($life:lifetime),+>) => {
        /// Fields of collated text.
        impl $writer<$($life),+> {
            /// Text as its comparison image under a collation, straight into the key: texts that
            /// the collation holds equal share it. See [`collation`](crate::collation).
            #[inline]
            pub fn collate<P: Producer, O: AnyOrder>(
                &mut self,
                producer: &P,
                text: impl TextSource<O>,
                order: O,
            ) -> &mut Self {
                let flip = self.flip();
                put_field(self.door(), producer, text.text(), order, flip, false);
                self
            }

            /// Text as its comparison image and then the text, which breaks ties by bytes and can
            /// be read back.
            #[inline]
            pub fn collate_total<P: Producer, O: AnyOrder>(
                &mut self,
                producer: &P,
                text: impl TextSource<O>,
                order: O,
            ) -> &mut Self {
                let flip = self.flip();
                put_field(self.door(), producer, text.text(), order, flip, true);
                self
            }
        }
    };
}

field_methods!(Builder<'_>);
field_methods!(Fields<'_, '_>);

/// Elements of collated text.
impl Elements<'_, '_> {
    /// Text as its comparison image under a collation.
    pub fn collate<P: Producer>(&mut self, producer: &P, text: impl TextSource<Order>) -> &mut Self {
        self.put_collated(producer, text.text(), false)
    }

    /// Text as its comparison image and then the text.
    pub fn collate_total<P: Producer>(&mut self, producer: &P, text: impl TextSource<Order>) -> &mut Self {
        self.put_collated(producer, text.text(), true)
    }

    fn put_collated<P: Produce>(&mut self, producer: &P, text: Option<TextView<'_>>, total: bool) -> &mut Self {
        match text {
            Some(text) => self.place(code::COLLATED, |door, flip| {
                producer.put(door, Slot { tag: Some(1), outer: flip, flip, total }, text);
            }),
            None => self.null(),
        }
    }
}

impl<'k> Decoder<'k> {
    /// The text of a deterministic field of collated text, as a view of the key.
    ///
    /// # Errors
    /// [`Error::MalformedKey`] where the field is not what this producer writes: its image is not
    /// the one of its text. As [`collated`](Self::collated) it can still be read.
    #[inline]
    pub fn collated_text<P: Producer, O: AnyOrder>(
        &mut self,
        producer: &P,
        order: O,
    ) -> Result<O::Read<TextView<'k>>, Error> {
        self.field(order, |input, flip| {
            let total_key = input.escaped(flip)?;
            producer.text(total_key).ok_or_else(|| input.malformed())
        })
    }
}

/// Fields of collated text.
impl SpecWriter<'_, '_> {
    /// Text under a collation, which must be the field's: the layout says whether the text follows
    /// its image. Another producer than the layout's is [`Error::TypeMismatch`].
    pub fn collate<P: Producer>(&mut self, producer: &P, text: impl TextSource<FieldOrder>) -> &mut Self {
        let field = self.fields();
        if let Some((kind, order)) = self.next(code::COLLATED) {
            match form(kind, producer) {
                Some(total) => put_field(self.key().door(), producer, text.text(), order, Flip::No, total),
                None => self.key().fail(Error::TypeMismatch { field }),
            }
        }
        self
    }
}

impl<'s, 'k> SpecReader<'s, 'k>
where
    's: 'k,
{
    /// The text of a deterministic field of collated text, as a view of the key.
    ///
    /// # Errors
    /// [`Error::TypeMismatch`] where the field is non-deterministic, and so holds no text, or has
    /// another producer; else as [`Decoder::collated_text`].
    pub fn collated_text<P: Producer>(&mut self, producer: &P) -> Result<Option<TextView<'k>>, Error> {
        let (kind, _) = self.peek()?;
        if form(kind, producer) != Some(true) {
            return Err(Error::TypeMismatch { field: self.fields() });
        }
        self.next(code::COLLATED, |key, order| key.collated_text(producer, order))
    }
}

impl KeySpec<'_> {
    /// The value of field `n`, from 0, for a text under a collation, which must be the field's: its
    /// image, or its total key where the layout says so. For keys made of values, bounds of ranges,
    /// and comparisons.
    ///
    /// # Errors
    /// [`Error::InvalidPrefixLength`] when there is no such field; [`Error::TypeMismatch`] when it
    /// is of another kind or has another producer; [`Error::InvalidValue`] for a text that the
    /// producer refuses; [`Error::ShortBuffer`].
    ///
    /// ```
    /// use core::ops::Bound;
    /// use isotone::collation::{CollationProfile, Collator};
    /// use isotone::{Asc, KeySpec, Type, key_spec};
    ///
    /// const NAMES: KeySpec<'static> = key_spec![
    ///     Type::Collated { deterministic: false, producer: "uca14;14.0.0;server;root_pad_ai_ci" } => Asc,
    /// ];
    /// let collator = Collator::new(NAMES.kind(0).and_then(|(kind, _)| kind.collation()).unwrap());
    /// let mut room = [0u8; 64];
    /// let mut key = NAMES.writer(&mut room);
    /// key.collate(&collator, "Ábel");
    /// let key = key.finish()?;
    ///
    /// let (mut low, mut high, mut ends) = ([0u8; 64], [0u8; 64], [0u8; 256]);
    /// let low = Bound::Included(NAMES.collate(0, &collator, "abel", &mut low)?);
    /// let high = Bound::Excluded(NAMES.collate(0, &collator, "b", &mut high)?);
    /// assert!(NAMES.field_range(&[], low, high, &mut ends)?.contains(key));
    /// # Ok::<(), isotone::Error>(())
    /// ```
    pub fn collate<'b, P: Producer>(
        &self,
        n: usize,
        producer: &P,
        text: impl TextSource<FieldOrder>,
        room: &'b mut [u8],
    ) -> Result<Value<'b>, Error> {
        let most = self.arity().saturating_sub(1);
        let (kind, _) = self.kind(n).ok_or(Error::InvalidPrefixLength { most, got: n })?;
        let total = form(kind, producer).ok_or(Error::TypeMismatch { field: n })?;
        match text.text() {
            Some(text) => Ok(Value::Collated(ByteView::new(producer.key(text, total, room)?))),
            None => Ok(Value::Null),
        }
    }
}

/// Whether a kind of this producer is deterministic; `None` for any other kind.
fn form<P: Produce>(kind: Kind<'_>, producer: &P) -> Option<bool> {
    if producer.is_named(kind.producer()?) { kind.is_deterministic() } else { None }
}
