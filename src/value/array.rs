//! PostgreSQL's arrays: elements in row-major order, then their dimensions.
//!
//! # Layout
//! The elements as a list; the rank, one byte, 0 to 6; for rank 2 and up the length of each
//! dimension as `u32`; the lower bound of each dimension as `i32`.
//!
//! # Why this orders
//! PostgreSQL compares elements first, then their number, then the number of dimensions, then each
//! dimension's length and lower bound. The list's end settles the number of elements, which for
//! rank 1 is the length.

use core::fmt;

use crate::error::Error;
use crate::kind::Kind;
use crate::order::Flip;
use crate::raw::input::Input;
use crate::raw::input::Take;
use crate::raw::sink::Invalid;
use crate::raw::sink::Payload;
use crate::raw::sink::Sink;
use crate::value::Lying;
use crate::value::Value;
use crate::value::put::put_list;
use crate::value::put::put_lying;
use crate::value::seq::Elements;
use crate::value::seq::ListIter;
use crate::value::take::walk_list;

/// Most dimensions of an array, as in PostgreSQL.
pub const MAX_RANK: usize = 6;

/// One dimension of an array: how many, and the index of the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Dimension {
    /// Number of elements along this dimension; at least 1.
    pub len: u32,
    /// Index of the first; 1 unless said otherwise. `lower + len` is at most `i32::MAX`.
    pub lower: i32,
}

impl Dimension {
    /// A dimension whose indexes begin at 1.
    pub const fn new(len: u32) -> Self {
        Dimension { len, lower: 1 }
    }
}

/// An array with its dimensions. `Copy`; borrows its parts.
///
/// ```
/// use isotone::{ArrayView, Asc, Builder, Decoder, Dimension, Kind, Type, Value, kind};
/// const INTS: Kind<'static> = kind!(Type::Array(&Type::I32));
/// let values = [Value::I32(1), Value::I32(2)];
/// let dims = [Dimension::new(1), Dimension::new(2)];
/// let mut room = [0u8; 64];
/// let mut key = Builder::new(&mut room);
/// key.value(INTS, &ArrayView::new(&values, &dims).into(), Asc);
/// let array = Decoder::new(key.finish()?).array(INTS, Asc)?;
/// assert_eq!(array.rank(), 2);
/// assert!(array.dimensions().eq(dims));
/// assert!(array.iter().eq(values));
/// # Ok::<(), isotone::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct ArrayView<'v>(Repr<'v>);

#[derive(Clone, Copy)]
enum Repr<'v> {
    Given(&'v [Value<'v>], &'v [Dimension]),
    Lying(Lying<'v>),
}

impl<'v> ArrayView<'v> {
    /// An array of the caller's values in row-major order, under these dimensions. Whether they
    /// fit together is checked when it is written.
    pub const fn new(values: &'v [Value<'v>], dimensions: &'v [Dimension]) -> Self {
        ArrayView(Repr::Given(values, dimensions))
    }

    pub(crate) fn lying(lying: Lying<'v>) -> Self {
        ArrayView(Repr::Lying(lying))
    }

    /// The array as it lies in a key, if it does.
    pub(super) fn as_lying(&self) -> Option<&Lying<'v>> {
        match &self.0 {
            Repr::Given(..) => None,
            Repr::Lying(lying) => Some(lying),
        }
    }

    /// The elements in row-major order.
    pub fn iter(&self) -> ListIter<'v> {
        ListIter(match &self.0 {
            Repr::Given(values, _) => Elements::Given(values.iter()),
            Repr::Lying(lying) => Elements::of_lying(lying),
        })
    }

    /// Number of dimensions, 0 to 6; 0 exactly for the array of no elements.
    pub fn rank(&self) -> usize {
        self.dimensions().len
    }

    /// The dimensions, outermost first.
    pub fn dimensions(&self) -> Dimensions<'v> {
        match &self.0 {
            Repr::Given(_, dimensions) => Dimensions {
                given: dimensions,
                rest: Input::new(&[], 0),
                lens: None,
                flip: Flip::No,
                count: 0,
                len: dimensions.len(),
            },
            Repr::Lying(lying) => {
                let mut input = Input::new(lying.raw(), 0);
                // Checked when the view was made, so neither fails.
                let count = walk_list(&mut input, lying.kind(), lying.flip, false).unwrap_or(0);
                let rank = usize::from(input.byte(lying.flip).unwrap_or(0)).min(MAX_RANK);
                let lens = (rank >= 2).then_some(input);
                if rank >= 2 {
                    // In range: at most six times four.
                    let _ = input.slice(rank.wrapping_mul(4));
                }
                let count = u32::try_from(count).unwrap_or(u32::MAX);
                Dimensions { given: &[], rest: input, lens, flip: lying.flip, count, len: rank }
            }
        }
    }
}

impl<'v> IntoIterator for ArrayView<'v> {
    type Item = Value<'v>;
    type IntoIter = ListIter<'v>;
    fn into_iter(self) -> ListIter<'v> {
        self.iter()
    }
}

/// Iterates over an array's dimensions.
#[derive(Clone, Debug)]
pub struct Dimensions<'v> {
    given: &'v [Dimension],
    /// Lower bounds.
    rest: Input<'v>,
    /// Lengths; none are stored for rank 1, whose length is `count`.
    lens: Option<Input<'v>>,
    flip: Flip,
    count: u32,
    len: usize,
}

impl Iterator for Dimensions<'_> {
    type Item = Dimension;

    fn next(&mut self) -> Option<Dimension> {
        self.len = self.len.checked_sub(1)?;
        if let Some((first, rest)) = self.given.split_first() {
            self.given = rest;
            return Some(*first);
        }
        let len = match &mut self.lens {
            Some(lens) => u32::take(lens, self.flip).ok()?,
            None => self.count,
        };
        Some(Dimension { len, lower: i32::take(&mut self.rest, self.flip).ok()? })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.len, Some(self.len))
    }
}

impl ExactSizeIterator for Dimensions<'_> {}

/// Whether the dimensions fit `count` elements and each other.
fn fit(count: usize, mut dimensions: impl Iterator<Item = Dimension>) -> bool {
    let mut product: Option<u64> = None;
    let whole = dimensions.try_for_each(|d| {
        let end = i64::from(d.lower).checked_add(i64::from(d.len))?;
        let so_far = product.unwrap_or(1).checked_mul(u64::from(d.len))?;
        product = Some(so_far);
        (d.len >= 1 && end <= i64::from(i32::MAX)).then_some(())
    });
    // Rank 0 has no product and no elements.
    whole.is_some() && u64::try_from(count) == Ok(product.unwrap_or(0))
}

pub(crate) fn put<S: Sink>(sink: &mut S, kind: Kind<'_>, array: &ArrayView<'_>, flip: Flip) -> Result<(), Invalid> {
    let (values, dimensions) = match &array.0 {
        Repr::Lying(lying) => return put_lying(sink, kind, lying, flip),
        Repr::Given(values, dimensions) => (*values, *dimensions),
    };
    if dimensions.len() > MAX_RANK || !fit(values.len(), dimensions.iter().copied()) {
        return Err(Invalid::Value);
    }
    put_list(sink, kind, values, flip)?;
    put_dimensions(sink, dimensions, flip)
}

/// What follows the elements, as a payload of its own.
pub(crate) struct DimensionTail<'a>(pub(crate) &'a [Dimension]);

impl Payload for DimensionTail<'_> {
    fn put<S: Sink>(&self, sink: &mut S, flip: Flip) -> Result<(), Invalid> {
        put_dimensions(sink, self.0, flip)
    }
}

fn put_dimensions<S: Sink>(sink: &mut S, dimensions: &[Dimension], flip: Flip) -> Result<(), Invalid> {
    let rank = u8::try_from(dimensions.len()).map_err(|_| Invalid::Value)?;
    sink.put([rank], flip);
    if rank >= 2 {
        for d in dimensions {
            d.len.put(sink, flip)?;
        }
    }
    for d in dimensions {
        d.lower.put(sink, flip)?;
    }
    Ok(())
}

/// Whether dimensions may be written behind `count` elements.
pub(crate) fn dimensions_fit(count: usize, dimensions: &[Dimension]) -> bool {
    dimensions.len() <= MAX_RANK && fit(count, dimensions.iter().copied())
}

pub(crate) fn walk(input: &mut Input<'_>, kind: Kind<'_>, flip: Flip, text: bool) -> Result<(), Error> {
    let count = walk_list(input, kind, flip, text)?;
    let rank = usize::from(input.byte(flip)?);
    if rank > MAX_RANK {
        return Err(input.malformed());
    }
    let mut dims = [Dimension { len: 0, lower: 0 }; MAX_RANK];
    let dims = dims.get_mut(..rank).ok_or_else(|| input.malformed())?;
    for d in dims.iter_mut() {
        d.len = match rank {
            1 => u32::try_from(count).map_err(|_| input.malformed())?,
            _ => u32::take(input, flip)?,
        };
    }
    for d in dims.iter_mut() {
        d.lower = i32::take(input, flip)?;
    }
    if fit(count, dims.iter().copied()) { Ok(()) } else { Err(input.malformed()) }
}

impl fmt::Debug for ArrayView<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Array")?;
        f.debug_list().entries(self.dimensions()).finish()?;
        f.debug_list().entries(self.iter()).finish()
    }
}

impl PartialEq for ArrayView<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.dimensions().eq(other.dimensions()) && self.iter().eq(other.iter())
    }
}

impl Eq for ArrayView<'_> {}
