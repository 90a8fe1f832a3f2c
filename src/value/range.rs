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

use core::cmp::Ordering;
use core::fmt;
use core::ops::Bound;

use crate::codec::temporal::Date;
use crate::error::Error;
use crate::kind::Kind;
use crate::kind::code;
use crate::order::Flip;
use crate::raw::input::Input;
use crate::raw::input::Take;
use crate::raw::sink::Invalid;
use crate::raw::sink::Payload;
use crate::raw::sink::Sink;
use crate::value::Lying;
use crate::value::Value;
use crate::value::compare::compare;
use crate::value::put;
use crate::value::put::Typed;
use crate::value::put::bound_value;
use crate::value::put::put_lying;
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

    /// Whether the range holds nothing, under its element kind.
    pub fn is_empty(&self, element: Kind<'_>) -> bool {
        match &self.0 {
            Repr::Given(range) => matches!(canonical(element, range), Ok(None)),
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

type Bounds<'v> = (Bound<Value<'v>>, Bound<Value<'v>>);

/// The bounds that are written: judged as given, then discrete ones made `[)`, then judged again.
/// `None` for the empty range.
pub(crate) fn canonical<'v>(element: Kind<'_>, range: &SqlRange<'v>) -> Result<Option<Bounds<'v>>, Invalid> {
    let SqlRange::Bounds(lower, upper) = range else { return Ok(None) };
    if is_empty(element, lower, upper)? {
        return Ok(None);
    }
    let lower = match lower {
        Bound::Excluded(value) => match next(element, value)? {
            Some(next) => Bound::Included(next),
            None => *lower,
        },
        _ => *lower,
    };
    let upper = match upper {
        Bound::Included(value) => match next(element, value)? {
            Some(next) => Bound::Excluded(next),
            None => *upper,
        },
        _ => *upper,
    };
    Ok(if is_empty(element, &lower, &upper)? { None } else { Some((lower, upper)) })
}

/// Whether nothing lies between the bounds. A lower bound above the upper one is refused.
fn is_empty(element: Kind<'_>, lower: &Bound<Value<'_>>, upper: &Bound<Value<'_>>) -> Result<bool, Invalid> {
    for value in [bound_value(lower), bound_value(upper)].into_iter().flatten() {
        // A bound that can't be written is refused even where the range turns out to be empty.
        Typed { kind: element, value }.size()?;
    }
    let (Some(l), Some(u)) = (bound_value(lower), bound_value(upper)) else { return Ok(false) };
    match compare(element, l, u)? {
        Ordering::Greater => Err(Invalid::Value),
        Ordering::Less => Ok(false),
        Ordering::Equal => Ok(!matches!((lower, upper), (Bound::Included(_), Bound::Included(_)))),
    }
}

/// The next value of a discrete kind; `None` where the kind is not discrete or the date is infinite.
fn next<'v>(element: Kind<'_>, value: &Value<'v>) -> Result<Option<Value<'v>>, Invalid> {
    macro_rules! next {
        ($($variant:ident)*) => {
            match value {
                $(Value::$variant(v) => v.checked_add(1).map(Value::$variant).ok_or(Invalid::Value).map(Some),)*
                Value::Date(v) if !v.is_finite() => Ok(None),
                Value::Date(v) => {
                    let next = v.days().checked_add(1).map(Date::from_days).filter(|d| d.is_valid() && d.is_finite());
                    next.map(Value::Date).ok_or(Invalid::Value).map(Some)
                }
                _ => Ok(None),
            }
        };
    }
    if is_discrete(element) { next!(I8 I16 I32 I64 I128 U8 U16 U32 U64 U128) } else { Ok(None) }
}

/// The kinds whose ranges are made canonical.
pub(crate) fn is_discrete(element: Kind<'_>) -> bool {
    matches!(
        element.code(),
        code::I8
            | code::I16
            | code::I32
            | code::I64
            | code::I128
            | code::U8
            | code::U16
            | code::U32
            | code::U64
            | code::U128
            | code::DATE
    )
}

pub(crate) fn put<S: Sink>(sink: &mut S, kind: Kind<'_>, range: &RangeView<'_>, flip: Flip) -> Result<(), Invalid> {
    let element = kind.element().ok_or(Invalid::Type)?;
    match &range.0 {
        Repr::Lying(lying) => put_lying(sink, kind, lying, flip),
        Repr::Given(range) => match canonical(element, range)? {
            None => {
                sink.put([0], flip);
                Ok(())
            }
            Some(bounds) => put_bounds(sink, element, &bounds, flip),
        },
    }
}

fn put_bounds<S: Sink>(sink: &mut S, element: Kind<'_>, bounds: &Bounds<'_>, flip: Flip) -> Result<(), Invalid> {
    let (lower, upper) = bounds;
    match bound_value(lower) {
        None => sink.put([1], flip),
        Some(value) => {
            sink.put([2], flip);
            put::put(sink, element, value, flip)?;
            sink.put([u8::from(matches!(lower, Bound::Excluded(_)))], flip);
        }
    }
    match bound_value(upper) {
        None => sink.put([1], flip),
        Some(value) => {
            sink.put([0], flip);
            put::put(sink, element, value, flip)?;
            sink.put([u8::from(matches!(upper, Bound::Included(_)))], flip);
        }
    }
    Ok(())
}

pub(crate) fn put_many<S: Sink>(
    sink: &mut S,
    kind: Kind<'_>,
    ranges: &MultirangeView<'_>,
    flip: Flip,
) -> Result<(), Invalid> {
    let element = kind.element().ok_or(Invalid::Type)?;
    let given = match &ranges.0 {
        Many::Lying(lying) => return put_lying(sink, kind, lying, flip),
        Many::Given(ranges) => *ranges,
    };
    let mut last: Option<Bound<Value<'_>>> = None;
    for range in given {
        let bounds = canonical(element, range)?.ok_or(Invalid::Value)?;
        if let Some(last) = &last {
            // FORMAT §2.6 judges the bounds as they are written, made canonical: ranges that touch
            // are one range.
            let (Some(upper), Some(lower)) = (bound_value(last), bound_value(&bounds.0)) else {
                return Err(Invalid::Value);
            };
            let apart = match compare(element, upper, lower)? {
                Ordering::Less => true,
                Ordering::Equal => matches!((last, &bounds.0), (Bound::Excluded(_), Bound::Excluded(_))),
                Ordering::Greater => false,
            };
            if !apart {
                return Err(Invalid::Value);
            }
        }
        put_bounds(sink, element, &bounds, flip)?;
        last = Some(bounds.1);
    }
    sink.put([0], flip);
    Ok(())
}

/// One bound as it lies: the raw element and whether it is included; `None` when unbounded.
type RawBound<'k> = Option<(&'k [u8], bool)>;

/// Compares two payloads of one kind as they lie under one flip.
fn raw_cmp(a: &[u8], b: &[u8], flip: Flip) -> Ordering {
    match flip {
        Flip::No => a.cmp(b),
        // No payload is a prefix of another, so complementing reverses exactly.
        Flip::Yes => b.cmp(a),
    }
}

pub(crate) fn walk(input: &mut Input<'_>, kind: Kind<'_>, flip: Flip, text: bool) -> Result<(), Error> {
    let element = kind.element().ok_or_else(|| input.malformed())?;
    match input.byte(flip)? {
        0 => Ok(()),
        first => walk_bounds(input, first, element, flip, text).map(|_| ()),
    }
}

/// Passes over a range that is not empty, behind its first byte.
fn walk_bounds<'k>(
    input: &mut Input<'k>,
    first: u8,
    element: Kind<'_>,
    flip: Flip,
    text: bool,
) -> Result<(RawBound<'k>, RawBound<'k>), Error> {
    let lower = match first {
        1 => None,
        2 => Some(walk_bound(input, element, flip, text, 0)?),
        _ => return Err(input.malformed()),
    };
    let upper = match input.byte(flip)? {
        0 => Some(walk_bound(input, element, flip, text, 1)?),
        1 => None,
        _ => return Err(input.malformed()),
    };
    if let (Some((l, l_included)), Some((u, u_included))) = (lower, upper) {
        match raw_cmp(l, u, flip) {
            Ordering::Less => {}
            Ordering::Equal if l_included && u_included => {}
            _ => return Err(input.malformed()),
        }
    }
    Ok((lower, upper))
}

/// A bound's element and its inclusion byte, where `included` says yes.
fn walk_bound<'k>(
    input: &mut Input<'k>,
    element: Kind<'_>,
    flip: Flip,
    text: bool,
    included: u8,
) -> Result<(&'k [u8], bool), Error> {
    let from = input.pos();
    take::walk(input, element, flip, text)?;
    let raw = input.since(from);
    let byte = input.byte(flip)?;
    if byte > 1 {
        return Err(input.malformed());
    }
    // Finite discrete bounds are written inclusive below and exclusive above: `00` either way.
    if byte != 0 && is_discrete(element) {
        let infinite = element.code() == code::DATE
            && Date::take(&mut Input::new(raw, 0), flip).is_ok_and(|date| !date.is_finite());
        if !infinite {
            return Err(input.malformed());
        }
    }
    Ok((raw, byte == included))
}

pub(crate) fn walk_many(input: &mut Input<'_>, kind: Kind<'_>, flip: Flip, text: bool) -> Result<(), Error> {
    let element = kind.element().ok_or_else(|| input.malformed())?;
    let mut last: Option<RawBound<'_>> = None;
    loop {
        let first = input.byte(flip)?;
        if first == 0 {
            return Ok(());
        }
        let (lower, upper) = walk_bounds(input, first, element, flip, text)?;
        if let Some(last) = last {
            let (Some((u, u_included)), Some((l, l_included))) = (last, lower) else {
                return Err(input.malformed());
            };
            match raw_cmp(u, l, flip) {
                Ordering::Less => {}
                Ordering::Equal if !u_included && !l_included => {}
                _ => return Err(input.malformed()),
            }
        }
        last = Some(upper);
    }
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
