//! What of a given range is written: judged as given, made canonical, judged again.

use core::cmp::Ordering;
use core::ops::Bound;

use crate::codec::temporal::Date;
use crate::kind::Kind;
use crate::kind::code;
use crate::order::Flip;
use crate::raw::sink::Invalid;
use crate::raw::sink::Payload;
use crate::raw::sink::Sink;
use crate::value::Value;
use crate::value::compare::compare;
use crate::value::put;
use crate::value::put::Typed;
use crate::value::put::bound_value;
use crate::value::put::put_lying;
use crate::value::range::Bounds;
use crate::value::range::Many;
use crate::value::range::MultirangeView;
use crate::value::range::RangeView;
use crate::value::range::Repr;
use crate::value::range::SqlRange;

/// The bounds that are written: judged as given, then discrete ones made `[)`, then judged again.
/// `None` for the empty range.
pub(crate) fn canonical<'v>(element: Kind<'_>, range: &SqlRange<'v>) -> Result<Option<Bounds<'v>>, Invalid> {
    let SqlRange::Bounds(lower, upper) = range else { return Ok(None) };
    if is_empty(element, lower, upper)? {
        for value in [bound_value(lower), bound_value(upper)].into_iter().flatten() {
            // Nothing of these bounds is written, but what can't be written is refused all the same.
            Typed { kind: element, value }.size()?;
        }
        return Ok(None);
    }
    if !is_discrete(element) {
        return Ok(Some((*lower, *upper)));
    }
    let lower = match lower {
        Bound::Excluded(value) => next(element, value)?.map_or(*lower, Bound::Included),
        _ => *lower,
    };
    let upper = match upper {
        Bound::Included(value) => next(element, value)?.map_or(*upper, Bound::Excluded),
        _ => *upper,
    };
    Ok(if is_empty(element, &lower, &upper)? { None } else { Some((lower, upper)) })
}

/// Whether nothing lies between the bounds. A lower bound above the upper one is refused.
fn is_empty(element: Kind<'_>, lower: &Bound<Value<'_>>, upper: &Bound<Value<'_>>) -> Result<bool, Invalid> {
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
