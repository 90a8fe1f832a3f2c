//! Reading a total key back: where its image ends, and whether that is the image of its text.
//!
//! A key is read where it lies, escaped, complemented or both, in no memory of its own. Each pass
//! is linear.

use crate::codec::text::TextView;
use crate::collation::collator::Collator;
use crate::collation::collator::with_image;
use crate::collation::image::ABOVE;
use crate::collation::image::BELOW;
use crate::collation::image::END;
use crate::collation::image::SPACE;
use crate::collation::image::is_padded;
use crate::collation::out::Against;
use crate::collation::out::Field;
use crate::collation::profile::Accent;
use crate::collation::profile::Algorithm;
use crate::collation::profile::Case;
use crate::collation::profile::CollationProfile;
use crate::error::Error;
use crate::kind::Kind;
use crate::raw::view::ByteIter;
use crate::raw::view::ByteView;

impl Collator {
    /// Where the image ends that these bytes begin with, in bytes; `None` if they begin with none.
    pub fn image_end<'k>(&self, bytes: impl Into<ByteView<'k>>) -> Option<usize> {
        let all = bytes.into();
        let mut bytes = Levels(all.iter());
        match self.profile().algorithm() {
            Algorithm::Uca => {
                if is_padded(self.profile()) {
                    bytes.padded()?;
                } else {
                    bytes.plain()?;
                }
                if let Accent::Sensitive = self.profile().accent() {
                    bytes.plain()?;
                }
                if let Case::Sensitive = self.profile().case() {
                    bytes.plain()?;
                }
            }
            Algorithm::SimpleCase => while [bytes.byte()?, bytes.byte()?, bytes.byte()?] != [0; 3] {},
            Algorithm::Binary => bytes.escaped()?,
        }
        Some(all.len().saturating_sub(bytes.0.len()))
    }

    /// The text of a total key, as it lies in a field or plain: a view of the same bytes.
    ///
    /// # Errors
    /// [`Error::MalformedKey`] at 0 if these are not the bytes that [`total_key`](Self::total_key)
    /// makes of a text: the image is not the one of the text, the text is not UTF-8 or not
    /// escaped as it must be, or something follows it.
    ///
    /// ```
    /// use isotone::collation::{CollationProfile, Collator};
    ///
    /// let collator = Collator::new(CollationProfile::from_server_name("utf8mb4_uca1400_ai_ci").unwrap());
    /// let mut room = [0; 64];
    /// let key = collator.total_key("Ábel", &mut room)?;
    /// assert_eq!(collator.text(key)?, "Ábel");
    /// assert!(collator.text(&key[1..]).is_err());
    /// # Ok::<(), isotone::Error>(())
    /// ```
    pub fn text<'k>(&self, total_key: impl Into<ByteView<'k>>) -> Result<TextView<'k>, Error> {
        self.read(total_key.into()).ok_or(Error::MalformedKey { at: 0 })
    }

    pub(super) fn read<'k>(&self, total_key: ByteView<'k>) -> Option<TextView<'k>> {
        if let Some(text) = self.guess(total_key) {
            return Some(text);
        }
        let (image, tail) = total_key.split_at(self.image_end(total_key)?);
        let text = TextView::check(tail.unescape()?)?;
        let mut against = Against::new(image.iter());
        with_image!(self, text, |image| image.say(&mut against));
        if against.finish().is_eq() { Some(text) } else { None }
    }

    /// The quick way, for a field of a text without U+0000: takes for the text what stands between
    /// the last level's end and its own, and makes the image of that as it would lie. If it does
    /// lie there, these are the bytes that the text is written as, and so no others'.
    fn guess<'k>(&self, total_key: ByteView<'k>) -> Option<TextView<'k>> {
        let (raw, flip) = total_key.lying()?;
        let (zero, mark) = (flip.mask(), 0xff ^ flip.mask());
        let body = raw.strip_suffix(&[zero, mark, zero, mark])?;
        let [space, half] = SPACE.map(|byte| byte ^ zero);
        let end = match (is_padded(self.profile()), self.profile().accent(), self.profile().case()) {
            (true, Accent::Insensitive, Case::Insensitive) => {
                body.windows(3).rposition(|end| end == [space, half, END ^ zero])?.saturating_add(3)
            }
            _ => body.iter().rposition(|byte| *byte == zero)?.saturating_add(2),
        };
        let (lies, text) = body.split_at_checked(end)?;
        let text = TextView::check(ByteView::fixed(text, flip))?;
        let mut room = [0; SHORT];
        // Two more: a piece is put with an end behind it, whose place the next piece takes.
        let mut field = Field { out: room.get_mut(..end.saturating_add(2))?, len: 0, flip };
        with_image!(self, text, |image| image.say(&mut field));
        // What does not fit is counted and not written.
        if field.len == end && field.out.get(..end)? == lies { Some(text) } else { None }
    }
}

/// Images up to this size, as they lie, are read the quick way.
const SHORT: usize = 512;

impl Kind<'_> {
    /// The profile of collated text whose producer is known; `None` for other kinds and producers.
    ///
    /// ```
    /// use isotone::collation::{CollationProfile, Collator};
    /// use isotone::{Type, kind};
    ///
    /// let kind = kind!(Type::Collated { deterministic: false, producer: "uca14;14.0.0;schottky;simple_case" });
    /// assert_eq!(kind.collation(), Some(CollationProfile::SIMPLE_CASE));
    /// ```
    pub fn collation(&self) -> Option<CollationProfile> {
        CollationProfile::from_producer(self.producer()?)
    }
}

/// The bytes of an image, level after level.
struct Levels<'k>(ByteIter<'k>);

impl Levels<'_> {
    fn byte(&mut self) -> Option<u8> {
        self.0.next()
    }

    /// Passes a level that ends in two zeros.
    fn plain(&mut self) -> Option<()> {
        while [self.byte()?, self.byte()?] != [0; 2] {}
        Some(())
    }

    /// Passes a level that ends in a space.
    fn padded(&mut self) -> Option<()> {
        loop {
            if [self.byte()?, self.byte()?] == SPACE {
                match self.byte()? {
                    END => return Some(()),
                    BELOW | ABOVE => {}
                    _ => return None,
                }
            }
        }
    }

    /// Passes escaped bytes with their end.
    fn escaped(&mut self) -> Option<()> {
        loop {
            if self.byte()? == 0 {
                match self.byte()? {
                    0 => return Some(()),
                    0xff => {}
                    _ => return None,
                }
            }
        }
    }
}
