//! What a producer of comparison images does for a field, whichever it is.

use crate::codec::text::TextView;
use crate::error::Error;
use crate::order::Flip;
use crate::raw::out::Door;
use crate::raw::view::ByteView;

/// A producer of comparison images: `Collator`, or `icu::IcuCollator`.
#[expect(private_bounds, reason = "sealed: what a producer must keep to can't be checked from outside")]
pub trait Producer: Produce {}

impl<P: Produce> Producer for P {}

/// What a producer does for a field.
pub(crate) trait Produce {
    /// Whether this is the producer of that string.
    fn is_named(&self, producer: &str) -> bool;

    /// Writes the image of a text, or its total key, as a field or an element.
    fn put(&self, door: &mut Door<'_>, slot: Slot, text: TextView<'_>);

    /// Writes the image of a text, or its total key, to the front of `room`.
    fn key<'b>(&self, text: TextView<'_>, total: bool, room: &'b mut [u8]) -> Result<&'b [u8], Error>;

    /// The text of a total key; `None` if it is not what this producer writes.
    fn text<'k>(&self, total_key: ByteView<'k>) -> Option<TextView<'k>>;
}

/// Where an image goes.
#[derive(Clone, Copy)]
pub(crate) struct Slot {
    /// The byte before it, under the flip around the field.
    pub(crate) tag: Option<u8>,
    pub(crate) outer: Flip,
    pub(crate) flip: Flip,
    /// Whether the text follows its image.
    pub(crate) total: bool,
}

/// So that producers of different types can be in one list.
impl<P: Produce + ?Sized> Produce for &P {
    fn is_named(&self, producer: &str) -> bool {
        (**self).is_named(producer)
    }

    fn put(&self, door: &mut Door<'_>, slot: Slot, text: TextView<'_>) {
        (**self).put(door, slot, text);
    }

    fn key<'b>(&self, text: TextView<'_>, total: bool, room: &'b mut [u8]) -> Result<&'b [u8], Error> {
        (**self).key(text, total, room)
    }

    fn text<'k>(&self, total_key: ByteView<'k>) -> Option<TextView<'k>> {
        (**self).text(total_key)
    }
}
