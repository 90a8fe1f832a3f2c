//! Lists and records: values one after another.
//!
//! # Layout
//! - list: for each element `01` and its payload, or `02` for a null; then `00`
//! - record: its attributes' fields, each with its own order and tag
//!
//! # Why this orders
//! A list that ends (`00`) is below one that goes on, and a null (`02`) above any element (`01`),
//! as PostgreSQL sorts them; each part ends by itself, so the first difference decides.

use core::fmt;

use crate::kind::FieldKinds;
use crate::kind::Kind;
use crate::order::Flip;
use crate::raw::input::Input;
use crate::value::Lying;
use crate::value::Value;
use crate::value::take::take;
use crate::value::take::take_field;

/// Values given by the caller, or lying in a key.
#[derive(Clone, Copy)]
pub(crate) enum Seq<'v> {
    Given(&'v [Value<'v>]),
    Lying(Lying<'v>),
}

/// A list: elements of one kind, nulls among them. `Copy`; borrows its parts.
///
/// ```
/// use isotone::{AscNullsFirst, Builder, Decoder, Kind, ListView, Value, kind, Type};
/// const INTS: Kind<'static> = kind!(Type::List(&Type::I32));
/// let parts = [Value::I32(7), Value::Null];
/// let mut room = [0u8; 16];
/// let mut key = Builder::new(&mut room);
/// key.value(INTS, &ListView::new(&parts).into(), AscNullsFirst);
/// let key = key.finish()?;
/// assert_eq!(key, [0x01, 0x01, 0x80, 0, 0, 0x07, 0x02, 0x00]);
///
/// let list = Decoder::new(key).list(INTS, AscNullsFirst)?.unwrap();
/// assert!(list.iter().eq(parts));
/// # Ok::<(), isotone::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct ListView<'v>(pub(crate) Seq<'v>);

/// A record: one value for each attribute. `Copy`; borrows its parts.
#[derive(Clone, Copy)]
pub struct RecordView<'v>(pub(crate) Seq<'v>);

impl<'v> ListView<'v> {
    /// A list of the caller's values, all of one kind, or null.
    pub const fn new(values: &'v [Value<'v>]) -> Self {
        ListView(Seq::Given(values))
    }

    /// The elements in order.
    pub fn iter(&self) -> ListIter<'v> {
        match &self.0 {
            Seq::Given(values) => ListIter(Elements::Given(values.iter())),
            Seq::Lying(lying) => ListIter(Elements::of_lying(lying)),
        }
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }
}

impl<'v> RecordView<'v> {
    /// A record of the caller's values, one for each attribute.
    pub const fn new(values: &'v [Value<'v>]) -> Self {
        RecordView(Seq::Given(values))
    }

    /// The attributes' values in order.
    pub fn iter(&self) -> RecordIter<'v> {
        RecordIter(match &self.0 {
            Seq::Given(values) => Attributes::Given(values.iter()),
            Seq::Lying(lying) => Attributes::Lying {
                input: Input::new(lying.raw(), 0),
                kinds: lying.kind().attributes(),
                flip: lying.flip,
            },
        })
    }
}

impl<'v> IntoIterator for ListView<'v> {
    type Item = Value<'v>;
    type IntoIter = ListIter<'v>;
    fn into_iter(self) -> ListIter<'v> {
        self.iter()
    }
}

impl<'v> IntoIterator for RecordView<'v> {
    type Item = Value<'v>;
    type IntoIter = RecordIter<'v>;
    fn into_iter(self) -> RecordIter<'v> {
        self.iter()
    }
}

#[derive(Clone)]
pub(crate) enum Elements<'v> {
    Given(core::slice::Iter<'v, Value<'v>>),
    Lying { input: Input<'v>, element: Kind<'v>, flip: Flip },
    Ended,
}

impl<'v> Elements<'v> {
    pub(crate) fn of_lying(lying: &Lying<'v>) -> Self {
        match lying.kind().element() {
            Some(element) => Elements::Lying { input: Input::new(lying.raw(), 0), element, flip: lying.flip },
            None => Elements::Ended,
        }
    }

    pub(crate) fn next(&mut self) -> Option<Value<'v>> {
        let next = match self {
            Elements::Given(values) => values.next().copied(),
            // The bytes were checked when the view was made, so none of this fails.
            Elements::Lying { input, element, flip } => match input.byte(*flip) {
                Ok(1) => take(input, *element, *flip).ok(),
                Ok(2) => Some(Value::Null),
                _ => None,
            },
            Elements::Ended => None,
        };
        if next.is_none() {
            *self = Elements::Ended;
        }
        next
    }
}

/// Iterates over the elements of a list or an array.
#[derive(Clone)]
pub struct ListIter<'v>(pub(crate) Elements<'v>);

impl<'v> Iterator for ListIter<'v> {
    type Item = Value<'v>;
    fn next(&mut self) -> Option<Value<'v>> {
        self.0.next()
    }
}

impl core::iter::FusedIterator for ListIter<'_> {}

#[derive(Clone)]
enum Attributes<'v> {
    Given(core::slice::Iter<'v, Value<'v>>),
    Lying { input: Input<'v>, kinds: FieldKinds<'v>, flip: Flip },
}

/// Iterates over the values of a record.
#[derive(Clone)]
pub struct RecordIter<'v>(Attributes<'v>);

impl<'v> Iterator for RecordIter<'v> {
    type Item = Value<'v>;
    fn next(&mut self) -> Option<Value<'v>> {
        match &mut self.0 {
            Attributes::Given(values) => values.next().copied(),
            Attributes::Lying { input, kinds, flip } => {
                let (kind, order) = kinds.next()?;
                // Checked when the view was made.
                take_field(input, kind, order, *flip).ok()
            }
        }
    }
}

impl core::iter::FusedIterator for RecordIter<'_> {}

impl fmt::Debug for ListView<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl fmt::Debug for RecordView<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Record")?;
        f.debug_list().entries(self.iter()).finish()
    }
}

impl PartialEq for ListView<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Eq for ListView<'_> {}

impl PartialEq for RecordView<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Eq for RecordView<'_> {}
