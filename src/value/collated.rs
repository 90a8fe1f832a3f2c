//! Collated text whose producer is known here. Without feature `uca14` none is.

use crate::codec::text::TextView;
use crate::kind::Kind;
use crate::raw::view::ByteView;

/// Whether a value may stand in a field of this kind of collated text: in a deterministic field of a
/// known producer only what the producer makes of a text, elsewhere any bytes.
#[cfg(feature = "uca14")]
pub(crate) fn is_written(kind: Kind<'_>, value: ByteView<'_>) -> bool {
    match (kind.is_deterministic(), kind.collation()) {
        (Some(true), Some(_)) => text(kind, value).is_some(),
        _ => true,
    }
}

#[cfg(not(feature = "uca14"))]
pub(crate) const fn is_written(_kind: Kind<'_>, _value: ByteView<'_>) -> bool {
    true
}

/// The text of a deterministic field of a known producer.
#[cfg(feature = "uca14")]
pub(crate) fn text<'k>(kind: Kind<'_>, value: ByteView<'k>) -> Option<TextView<'k>> {
    if kind.is_deterministic()? { crate::collation::Collator::new(kind.collation()?).text(value).ok() } else { None }
}

#[cfg(not(feature = "uca14"))]
pub(crate) const fn text<'k>(_kind: Kind<'_>, _value: ByteView<'k>) -> Option<TextView<'k>> {
    None
}
