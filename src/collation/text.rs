//! What a text is given as.

use crate::codec::text::TextView;
use crate::error::Error;
use crate::raw::view::ByteView;

/// A text: a `&str` or a [`TextView`] of a key, or bytes, which are checked to be UTF-8.
pub trait Utf8<'t>: private::Sealed {
    #[doc(hidden)]
    fn utf8(self) -> Result<TextView<'t>, Error>;
}

impl<'t> Utf8<'t> for &'t str {
    #[inline]
    fn utf8(self) -> Result<TextView<'t>, Error> {
        Ok(TextView::new(self))
    }
}

impl<'t> Utf8<'t> for TextView<'t> {
    #[inline]
    fn utf8(self) -> Result<TextView<'t>, Error> {
        Ok(self)
    }
}

impl<'t> Utf8<'t> for &'t [u8] {
    #[inline]
    fn utf8(self) -> Result<TextView<'t>, Error> {
        ByteView::new(self).utf8()
    }
}

impl<'t> Utf8<'t> for ByteView<'t> {
    #[inline]
    fn utf8(self) -> Result<TextView<'t>, Error> {
        TextView::check(self).ok_or(Error::InvalidValue { at: 0 })
    }
}

mod private {
    pub trait Sealed {}
    impl Sealed for &str {}
    impl Sealed for &[u8] {}
    impl Sealed for crate::raw::view::ByteView<'_> {}
    impl Sealed for crate::codec::text::TextView<'_> {}
}
