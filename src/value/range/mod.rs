//! PostgreSQL's ranges and multiranges.
//!
//! # Layout
//! - range: `00` for the empty range; else the lower bound, `01` unbounded or `02`, element, `00`
//!   inclusive / `01` exclusive; then the upper bound, `00`, element, `00` exclusive / `01`
//!   inclusive, or `01` unbounded
//! - multirange: its ranges one after another, then `00`
//!
//! # Why this orders
//! Empty is least; a lower bound's element decides before its inclusion, which puts `[1` below
//! `(1`; an upper bound that is exclusive is below one that is inclusive, and unbounded above both.

pub(crate) mod walk;
pub(crate) mod write;

use core::cmp::Ordering;
use core::fmt;
use core::ops::Bound;

use crate::kind::Kind;
use crate::order::Flip;
use crate::raw::input::Input;
use crate::raw::sink::Invalid;
use crate::value::Lying;
use crate::value::Value;
use crate::value::compare::compare;
use crate::value::put::bound_value;
use crate::value::take;

/// A range as a caller gives it: two bounds, or empty. Judged and made canonical when written.
#[derive(Clone, Copy, Debug)]
pub enum SqlRange<'v> {
    /// The range that holds nothing.
    Empty,
    /// From a lower to an upper bound.
    Bounds(Bound<Value<'v>>, Bound<Value<'v>>),
}

impl<'v> SqlRange<'v> {
    /// A range between two bounds, as they are.
    pub const fn new(lower: Bound<Value<'v>>, upper: Bound<Value<'v>>) -> Self {
        SqlRange::Bounds(lower, upper)
    }

    /// The bounds; `None` for the empty range.
    pub const fn bounds(&self) -> Option<(Bound<Value<'v>>, Bound<Value<'v>>)> {
        match self {
            SqlRange::Empty => None,
            SqlRange::Bounds(lower, upper) => Some((*lower, *upper)),
        }
    }
}

macro_rules! from_ranges {
    ($($range:ty: $r:ident => $lower:expr, $upper:expr;)*) => {$(
        impl<'v, T: Into<Value<'v>>> From<$range> for SqlRange<'v> {
            fn from($r: $range) -> Self {
                SqlRange::Bounds($lower, $upper)
            }
        }
    )*};
}

from_ranges! {
    core::ops::Range<T>: r => Bound::Included(r.start.into()), Bound::Excluded(r.end.into());
    core::ops::RangeFrom<T>: r => Bound::Included(r.start.into()), Bound::Unbounded;
    core::ops::RangeTo<T>: r => Bound::Unbounded, Bound::Excluded(r.end.into());
    core::ops::RangeToInclusive<T>: r => Bound::Unbounded, Bound::Included(r.end.into());
    (Bound<T>, Bound<T>): r => r.0.map(Into::into), r.1.map(Into::into);
}

/// A range. `Copy`; borrows its bounds.
///
/// ```
/// use isotone::{AscNullsFirst, Builder, Decoder, Kind, RangeView, SqlRange, Type, Value, kind};
/// const INTS: Kind<'static> = kind!(Type::Range(&Type::I32));
/// let given = SqlRange::from(1i32..4);
/// let mut room = [0u8; 32];
/// let mut key = Builder::new(&mut room);
/// key.value(INTS, &RangeView::new(&given).into(), AscNullsFirst);
/// let key = key.finish()?;
/// assert_eq!(key, [0x01, 0x02, 0x80, 0, 0, 0x01, 0x00, 0x00, 0x80, 0, 0, 0x04, 0x00]);
///
/// let range = Decoder::new(key).range(INTS, AscNullsFirst)?.unwrap();
/// assert!(range.contains(Kind::I32, &Value::I32(3)));
/// assert!(!range.contains(Kind::I32, &Value::I32(4)));
/// # Ok::<(), isotone::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct RangeView<'v>(Repr<'v>);

#[derive(Clone, Copy)]
enum Repr<'v> {
    Given(&'v SqlRange<'v>),
    Lying(Lying<'v>),
}

impl<'v> RangeView<'v> {
    /// A range that the caller gives.
    pub const fn new(range: &'v SqlRange<'v>) -> Self {
        RangeView(Repr::Given(range))
    }

    pub(crate) fn lying(lying: Lying<'v>) -> Self {
        RangeView(Repr::Lying(lying))
    }

    /// The range's bounds; `None` for the empty range. One that lies in a key is canonical: of a
    /// discrete kind it includes its lower and excludes its upper bound.
    pub fn bounds(&self) -> Option<(Bound<Value<'v>>, Bound<Value<'v>>)> {
        match &self.0 {
            Repr::Given(range) => range.bounds(),
            Repr::Lying(lying) => {
                let element = lying.kind().element()?;
                read_bounds(&mut Input::new(lying.raw(), 0), element, lying.flip)
            }
        }
    }

    /// The bounds as they are written; those that lie in a key are.
    pub(super) fn written(&self, element: Kind<'_>) -> Result<Option<Bounds<'v>>, Invalid> {
        match &self.0 {
            Repr::Given(range) => write::canonical(element, range),
            Repr::Lying(_) => Ok(self.bounds()),
        }
    }

    /// The range as it lies in a key, if it does.
    pub(super) fn as_lying(&self) -> Option<&Lying<'v>> {
        match &self.0 {
            Repr::Given(_) => None,
            Repr::Lying(lying) => Some(lying),
        }
    }

    /// Whether the range holds nothing, under its element kind.
    pub fn is_empty(&self, element: Kind<'_>) -> bool {
        match &self.0 {
            Repr::Given(range) => matches!(write::canonical(element, range), Ok(None)),
            Repr::Lying(_) => self.bounds().is_none(),
        }
    }

    /// Whether the range holds an element of this kind; a null is in no range.
    pub fn contains(&self, element: Kind<'_>, value: &Value<'_>) -> bool {
        let Some((lower, upper)) = self.bounds() else { return false };
        let above = match &lower {
            Bound::Unbounded => Ok(Ordering::Greater),
            Bound::Included(l) => compare(element, value, l),
            Bound::Excluded(l) => compare(element, value, l).map(|o| o.then(Ordering::Less)),
        };
        let below = match &upper {
            Bound::Unbounded => Ok(Ordering::Less),
            Bound::Included(u) => compare(element, value, u),
            Bound::Excluded(u) => compare(element, value, u).map(|o| o.then(Ordering::Greater)),
        };
        !value.is_null() && above.is_ok_and(Ordering::is_ge) && below.is_ok_and(Ordering::is_le)
    }
}

/// A multirange: ranges in ascending order, apart from each other. `Copy`; borrows its parts.
#[derive(Clone, Copy)]
pub struct MultirangeView<'v>(Many<'v>);

#[derive(Clone, Copy)]
enum Many<'v> {
    Given(&'v [SqlRange<'v>]),
    Lying(Lying<'v>),
}

impl<'v> MultirangeView<'v> {
    /// A multirange of the caller's ranges, which must be in order and apart.
    pub const fn new(ranges: &'v [SqlRange<'v>]) -> Self {
        MultirangeView(Many::Given(ranges))
    }

    pub(crate) fn lying(lying: Lying<'v>) -> Self {
        MultirangeView(Many::Lying(lying))
    }

    /// The multirange as it lies in a key, if it does.
    pub(super) fn as_lying(&self) -> Option<&Lying<'v>> {
        match &self.0 {
            Many::Given(_) => None,
            Many::Lying(lying) => Some(lying),
        }
    }

    /// The ranges in order.
    pub fn iter(&self) -> MultirangeIter<'v> {
        MultirangeIter(match &self.0 {
            Many::Given(ranges) => Ranges::Given(ranges.iter()),
            Many::Lying(lying) => Ranges::Lying(Input::new(lying.raw(), 0), *lying),
        })
    }

    /// Whether there are no ranges.
    pub fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }

    /// Whether one of the ranges holds an element of this kind.
    pub fn contains(&self, element: Kind<'_>, value: &Value<'_>) -> bool {
        self.iter().any(|range| RangeView::new(&range).contains(element, value))
    }
}

impl<'v> IntoIterator for MultirangeView<'v> {
    type Item = SqlRange<'v>;
    type IntoIter = MultirangeIter<'v>;
    fn into_iter(self) -> MultirangeIter<'v> {
        self.iter()
    }
}

#[derive(Clone)]
enum Ranges<'v> {
    Given(core::slice::Iter<'v, SqlRange<'v>>),
    Lying(Input<'v>, Lying<'v>),
}

/// Iterates over the ranges of a multirange.
#[derive(Clone)]
pub struct MultirangeIter<'v>(Ranges<'v>);

impl<'v> Iterator for MultirangeIter<'v> {
    type Item = SqlRange<'v>;

    fn next(&mut self) -> Option<SqlRange<'v>> {
        match &mut self.0 {
            Ranges::Given(ranges) => ranges.next().copied(),
            Ranges::Lying(input, lying) => {
                // The end, `00`, reads as an empty range would.
                let (lower, upper) = read_bounds(input, lying.kind().element()?, lying.flip)?;
                Some(SqlRange::Bounds(lower, upper))
            }
        }
    }
}

/// Both bounds of a range that is not empty.
pub(super) type Bounds<'v> = (Bound<Value<'v>>, Bound<Value<'v>>);

/// The bounds of a range in checked bytes; `None` for the empty one.
fn read_bounds<'k>(
    input: &mut Input<'k>,
    element: Kind<'k>,
    flip: Flip,
) -> Option<(Bound<Value<'k>>, Bound<Value<'k>>)> {
    let lower = match input.byte(flip).ok()? {
        1 => Bound::Unbounded,
        2 => {
            let value = take::take(input, element, flip).ok()?;
            if input.byte(flip).ok()? == 0 { Bound::Included(value) } else { Bound::Excluded(value) }
        }
        _ => return None,
    };
    let upper = match input.byte(flip).ok()? {
        0 => {
            let value = take::take(input, element, flip).ok()?;
            if input.byte(flip).ok()? == 0 { Bound::Excluded(value) } else { Bound::Included(value) }
        }
        _ => Bound::Unbounded,
    };
    Some((lower, upper))
}

impl fmt::Display for SqlRange<'_> {
    /// `[1, 4)`, `(, 4]`, or `empty`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SqlRange::Bounds(lower, upper) = self else { return f.write_str("empty") };
        f.write_str(if matches!(lower, Bound::Included(_)) { "[" } else { "(" })?;
        if let Some(value) = bound_value(lower) {
            write!(f, "{value}")?;
        }
        f.write_str(", ")?;
        if let Some(value) = bound_value(upper) {
            write!(f, "{value}")?;
        }
        f.write_str(if matches!(upper, Bound::Included(_)) { "]" } else { ")" })
    }
}

impl fmt::Display for RangeView<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.bounds() {
            None => SqlRange::Empty.fmt(f),
            Some((lower, upper)) => SqlRange::Bounds(lower, upper).fmt(f),
        }
    }
}

impl fmt::Debug for RangeView<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.bounds(), f)
    }
}

impl fmt::Debug for MultirangeView<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}
