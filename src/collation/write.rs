//! Images and total keys written straight into a key: measured, claimed, filled, without a scratch
//! buffer between.

use crate::codec::text::TextView;
use crate::collation::ascii::NO_LETTERS;
use crate::collation::collator::Collator;
use crate::collation::collator::with_image;
use crate::collation::image::Image;
use crate::collation::out::Escaping;
use crate::collation::out::Field;
use crate::collation::out::FieldSize;
use crate::collation::out::Out;
use crate::collation::out::escaped;
use crate::collation::place::Produce;
use crate::collation::place::Slot;
use crate::collation::uca::Scalars;
use crate::error::Error;
use crate::order::Flip;
use crate::raw::out::Door;
use crate::raw::sink::Invalid;
use crate::raw::sink::Payload;
use crate::raw::sink::Sink;
use crate::raw::sink::escaped_size;
use crate::raw::view::ByteView;

impl Produce for Collator {
    fn is_named(&self, producer: &str) -> bool {
        self.profile().is_producer(producer)
    }

    #[inline]
    fn put(&self, door: &mut Door<'_>, slot: Slot, text: TextView<'_>) {
        if let Some(ascii) = self.ascii(text, &mut { NO_LETTERS }) {
            let plain = text.as_str().unwrap_or_default().as_bytes();
            // Behind the image, in place of the end: the text escaped twice. It has no zero.
            let more = if slot.total { escaped_size(ByteView::new(plain)).saturating_add(2) } else { 0 };
            let size = ascii.field_size();
            let fill = |room: &mut [u8]| {
                ascii.write_field(room, slot.flip.mask());
                if !slot.total {
                    return size;
                }
                let mut field = Field { out: room, len: size.saturating_sub(2), flip: slot.flip };
                escaped(plain, &mut field);
                end(field)
            };
            if door.direct(slot.tag, slot.outer, size.saturating_add(more), fill) {
                return;
            }
        }
        with_image!(self, text, |image| {
            let most = self.max_field_size(&image, slot, text);
            put_image(door, slot, most, &image);
        });
    }

    fn key<'b>(&self, text: TextView<'_>, total: bool, room: &'b mut [u8]) -> Result<&'b [u8], Error> {
        if total { self.total_key(text, room) } else { Collator::key(self, text, room) }
    }

    fn text<'k>(&self, total_key: ByteView<'k>) -> Option<TextView<'k>> {
        self.read(total_key)
    }
}

impl Collator {
    /// At most this many bytes has the payload of a field.
    #[inline]
    fn max_field_size<S: Scalars>(&self, image: &Image<'_, S>, slot: Slot, text: TextView<'_>) -> usize {
        let image = image.most_escaped().unwrap_or_else(|| self.max_key_size(text.len()).saturating_mul(2));
        // The text escaped twice, its end too, and the payload's end.
        let text = if slot.total { text.len().saturating_mul(3).saturating_add(4) } else { 0 };
        image.saturating_add(text).saturating_add(2)
    }
}

/// Writes a field whose payload has at most `most` bytes.
#[inline]
fn put_image<S: Scalars>(door: &mut Door<'_>, slot: Slot, most: usize, image: &Image<'_, S>) {
    let payload = ImagePayload { image, total: slot.total };
    // Measured only where the room is not enough for certain.
    let most = if door.free() > most {
        most
    } else {
        let mut size = FieldSize(2);
        payload.say(&mut size);
        size.0
    };
    let fill = |room: &mut [u8]| {
        let mut field = Field { out: room, len: 0, flip: slot.flip };
        payload.say(&mut field);
        end(field)
    };
    if !door.direct(slot.tag, slot.outer, most, fill) {
        door.field(slot.tag, &payload, slot.outer, slot.flip);
    }
}

/// Ends an escaped payload; tells its bytes.
#[inline]
fn end(field: Field<'_>) -> usize {
    let Field { out, len, flip } = field;
    if let Some(end) = out.get_mut(len..).and_then(|rest| rest.first_chunk_mut::<2>()) {
        *end = [flip.mask(); 2];
    }
    len.saturating_add(2)
}

/// The payload of a field of collated text.
struct ImagePayload<'i, 't, S> {
    image: &'i Image<'t, S>,
    total: bool,
}

impl<S: Scalars> ImagePayload<'_, '_, S> {
    #[inline]
    fn say<O: Out>(&self, out: &mut O) {
        if self.total {
            self.image.say_total(out);
        } else {
            self.image.say(out);
        }
    }
}

impl<S: Scalars> Payload for ImagePayload<'_, '_, S> {
    fn put<K: Sink>(&self, sink: &mut K, flip: Flip) -> Result<(), Invalid> {
        self.say(&mut Escaping { sink, flip });
        sink.put([0; 2], flip);
        Ok(())
    }
}
