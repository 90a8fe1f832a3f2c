//! Passes over a range in a key, with all the checks of reading it.

use core::cmp::Ordering;

use crate::codec::temporal::Date;
use crate::error::Error;
use crate::kind::Kind;
use crate::kind::code;
use crate::order::Flip;
use crate::raw::input::Input;
use crate::raw::input::Take;
use crate::value::range::write::is_discrete;
use crate::value::take;

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
