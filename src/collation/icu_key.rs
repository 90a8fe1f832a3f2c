//! What can be said of an `icu` key without its engine, whatever data made it: FORMAT §4 and §6.

use crate::codec::text::TextView;
use crate::raw::view::ByteView;

/// The locale of a producer string `icu;CRATE;CLDR;UNICODE;LOCALE;PROBES;PRINT`; `None` for any
/// other string.
pub(crate) fn producer_locale(producer: &str) -> Option<&str> {
    let mut parts = producer.split(';');
    match ([(); 7].map(|()| parts.next()), parts.next()) {
        ([Some("icu"), Some(_), Some(_), Some(_), Some(locale), Some(_), Some(_)], None) => Some(locale),
        _ => None,
    }
}

/// Where an image ends: behind its first `00`.
pub(crate) fn image_end(bytes: ByteView<'_>) -> Option<usize> {
    bytes.iter().position(|byte| byte == 0).map(|last| last.saturating_add(1))
}

/// The image and the text of a total key; the image is not judged.
pub(crate) fn split<'k>(total_key: ByteView<'k>) -> Option<(ByteView<'k>, TextView<'k>)> {
    let (image, tail) = total_key.split_at(image_end(total_key)?);
    Some((image, TextView::check(tail.unescape()?)?))
}
