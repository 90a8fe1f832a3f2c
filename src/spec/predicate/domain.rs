//! What lies between two places: whether any value does, and how many.
//!
//! Ranges are the fewest possible because of this: two of them are one when no value lies between.
//! A place where that can't be told, in composites and networks, counts as inhabited unless its
//! two ends are the same bytes.

use core::net::IpAddr;
use core::net::Ipv4Addr;
use core::net::Ipv6Addr;

use crate::codec::bits::BitsView;
use crate::codec::decimal::Decimal;
use crate::codec::temporal::Date;
use crate::codec::temporal::IntervalScalar;
use crate::codec::temporal::Time;
use crate::codec::temporal::Timestamp;
use crate::kind::Kind;
use crate::kind::code;
use crate::order::FieldOrder;
use crate::order::Flip;
use crate::raw::sink::Payload;
use crate::raw::sink::Room;
use crate::raw::view::ByteView;
use crate::spec::predicate::cut::Cut;
use crate::spec::predicate::cut::Span;
use crate::spec::predicate::cut::begins_with;
use crate::spec::predicate::cut::text_bytes;
use crate::spec::predicate::edge;
use crate::value::Value;
use crate::value::put::Typed;

/// Largest width of a payload that is taken as a number.
const WIDEST: usize = 16;

/// A kind whose payloads are numbers of a fixed width.
#[derive(Clone, Copy)]
pub(super) struct Scalars {
    width: usize,
    /// Which of the numbers are values, from and to, in ascending order.
    valid: [(u128, u128); 3],
    /// Whether all of those are values, or only those can be.
    all: bool,
}

/// An interval that holds nothing.
const NONE: (u128, u128) = (1, 0);

/// The payload of a signed integer of so many bits.
const fn signed(bits: u32, v: i128) -> u128 {
    u128::from_be_bytes(v.wrapping_add(1i128 << bits.wrapping_sub(1)).to_be_bytes())
}

/// The largest number of so many bytes.
fn largest(width: usize) -> u128 {
    (0..width).fold(0, |number, _| number << 8 | 0xff)
}

impl Scalars {
    pub(super) fn of(kind: Kind<'_>) -> Option<Scalars> {
        let width = kind.fixed_size().filter(|width| *width <= WIDEST)?;
        let last = largest(width);
        let (days, micros, span) = (|v: i32| signed(32, v.into()), |v: i64| signed(64, v.into()), |v| signed(128, v));
        let infinite = |min, max| [(0, 0), (min, max), (last, last)];
        let valid = match kind.code() {
            code::BOOL => [(0, 1), NONE, NONE],
            code::F32 => [(0x007f_ffff, 0x7fff_fffe), (1 << 31, 0xff80_0000), (last, last)],
            code::F64 => {
                [(0x000f_ffff_ffff_ffff, 0x7fff_ffff_ffff_fffe), (1 << 63, 0xfff0_0000_0000_0000), (last, last)]
            }
            code::DATE => infinite(days(Date::MIN.days()), days(Date::MAX.days())),
            code::TIMESTAMP => infinite(micros(Timestamp::MIN.micros()), micros(Timestamp::MAX.micros())),
            code::INTERVAL => infinite(span(IntervalScalar::MIN.micros()), span(IntervalScalar::MAX.micros())),
            code::TIME => [(micros(Time::MIN.micros()), micros(Time::MAX.micros())), NONE, NONE],
            _ => [(0, last), NONE, NONE],
        };
        Some(Scalars { width, valid, all: kind.code() != code::TIMETZ })
    }

    pub(super) const fn width(&self) -> usize {
        self.width
    }

    fn number(&self, kind: Kind<'_>, value: &Value<'_>) -> u128 {
        let mut room = [0u8; WIDEST];
        let at = WIDEST.saturating_sub(self.width);
        // Valid: constants are checked before they are looked at.
        let _ = Typed { kind, value }.put(&mut Room::new(room.get_mut(at..).unwrap_or(&mut [])), Flip::No);
        u128::from_be_bytes(room)
    }

    /// The values in a span as numbers: up to three intervals, from and to, in ascending order.
    pub(super) fn stretches(self, kind: Kind<'_>, span: &Span<'_>) -> impl DoubleEndedIterator<Item = (u128, u128)> {
        let low = match &span.low {
            Cut::Bottom => Some(0),
            Cut::Below(value) => Some(self.number(kind, value)),
            Cut::Above(value) => self.number(kind, value).checked_add(1),
            Cut::Front(_) | Cut::Past(_) | Cut::Top => None,
        };
        let high = match &span.high {
            Cut::Top => Some(largest(self.width)),
            Cut::Above(value) => Some(self.number(kind, value)),
            Cut::Below(value) => self.number(kind, value).checked_sub(1),
            Cut::Front(_) | Cut::Past(_) | Cut::Bottom => None,
        };
        let bounds = low.zip(high);
        self.valid.into_iter().filter_map(move |(from, to)| {
            let (low, high) = bounds?;
            Some((from.max(low), to.min(high))).filter(|(from, to)| from <= to)
        })
    }

    /// How many values a span holds; saturates.
    pub(super) fn count(self, kind: Kind<'_>, span: &Span<'_>) -> Option<u128> {
        let sum = |sum: u128, (from, to): (u128, u128)| sum.saturating_add(to.saturating_sub(from)).saturating_add(1);
        if self.all { Some(self.stretches(kind, span).fold(0, sum)) } else { None }
    }
}

/// Whether any value lies in a span between two places, the first of them below the second.
pub(super) fn inhabited(kind: Kind<'_>, order: FieldOrder, span: &Span<'_>) -> bool {
    if let Some(scalars) = Scalars::of(kind) {
        return scalars.stretches(kind, span).next().is_some();
    }
    let (low, high) = (&span.low, &span.high);
    match kind.code() {
        code::BYTES | code::OPAQUE | code::COLLATED | code::NESTED => texts(low, high, LAST_BYTE, bytes_rise),
        code::STR => texts(low, high, LAST_CHAR, chars_rise),
        code::FIXED => fixed(low, high),
        code::DECIMAL => decimals(low, high),
        code::IP => ips(low, high),
        code::BITS => bits(low, high),
        _ => edge::differ(kind, order, span),
    }
}

/// Of bytes and of text. `rises` says whether a text is the first behind all that begin with a front.
fn texts(low: &Cut<'_>, high: &Cut<'_>, last: &[u8], rises: fn(&Value<'_>, &Value<'_>) -> bool) -> bool {
    match (low, high) {
        (Cut::Bottom, Cut::Below(w) | Cut::Front(w)) => text_bytes(w).is_some_and(|w| !w.is_empty()),
        // The next text is the same with a zero behind it.
        (Cut::Above(v), Cut::Below(w) | Cut::Front(w)) => {
            let longer = |v: ByteView<'_>, w: ByteView<'_>| v.len().checked_add(1) == Some(w.len());
            let next = |v, w: ByteView<'_>| longer(v, w) && w.iter().last() == Some(0);
            !(begins_with(w, v) && text_bytes(v).zip(text_bytes(w)).is_some_and(|(v, w)| next(v, w)))
        }
        (Cut::Past(front), Cut::Below(w) | Cut::Front(w)) => !rises(front, w),
        (Cut::Past(front), Cut::Top) => raised_len(front, last) > 0,
        // Behind all that begin with the longer front, some must begin with the shorter.
        (Cut::Past(a), Cut::Past(b)) if begins_with(a, b) => raised_len(a, last) > text_bytes(b).map_or(0, |b| b.len()),
        // Everything else holds the value at one of its ends, or that with a zero behind it.
        _ => true,
    }
}

/// Length of a front without the greatest units it ends with: its last unit can be raised then.
fn raised_len(front: &Value<'_>, last: &[u8]) -> usize {
    let Some(bytes) = text_bytes(front) else { return 0 };
    let mut kept = 0usize;
    let mut matched = 0usize;
    for (at, byte) in bytes.iter().enumerate() {
        matched = if last.get(matched) == Some(&byte) { matched.saturating_add(1) } else { 0 };
        if matched == last.len() {
            matched = 0;
        } else if matched == 0 {
            kept = at.saturating_add(1);
        }
    }
    kept
}

/// The greatest byte, and the greatest scalar value in UTF-8.
const LAST_BYTE: &[u8] = &[0xff];
const LAST_CHAR: &[u8] = &[0xf4, 0x8f, 0xbf, 0xbf];

fn bytes_rise(front: &Value<'_>, w: &Value<'_>) -> bool {
    let kept = raised_len(front, LAST_BYTE);
    let Some((front, w)) = text_bytes(front).zip(text_bytes(w)) else { return false };
    rise(front.iter(), w.iter(), w.len() == kept, |byte| byte.checked_add(1))
}

fn chars_rise(front: &Value<'_>, w: &Value<'_>) -> bool {
    let (Value::Str(v), Value::Str(w)) = (front, w) else { return false };
    let kept = raised_len(front, LAST_CHAR);
    let same = w.chars().count();
    let mut len = 0usize;
    let front = v.chars().take_while(|c| {
        // In range: the length of the text so far.
        len = len.wrapping_add(c.len_utf8());
        len <= kept
    });
    let count = front.count();
    // The step over the surrogates.
    let next = |c: char| if c == '\u{d7ff}' { Some('\u{e000}') } else { char::from_u32(u32::from(c).checked_add(1)?) };
    rise(v.chars(), w.chars(), same == count, next)
}

/// Whether `w`, of the right length, is `front` cut there with its last unit raised by one.
fn rise<T: PartialEq + Copy>(
    front: impl Iterator<Item = T>,
    w: impl Iterator<Item = T>,
    right_length: bool,
    next: impl Fn(T) -> Option<T>,
) -> bool {
    let mut raised = false;
    for (a, b) in front.zip(w) {
        if raised {
            return false;
        }
        if a != b {
            raised = next(a) == Some(b);
            if !raised {
                return false;
            }
        }
    }
    raised && right_length
}

/// Of bytes of one width that is too large for a number.
fn fixed<'v>(low: &Cut<'v>, high: &Cut<'v>) -> bool {
    let view = |value: &Value<'v>| if let Value::Fixed(v) = value { *v } else { ByteView::new(&[]) };
    let all = |value: &Value<'v>, byte: u8| view(value).iter().all(|b| b == byte);
    match (low, high) {
        (Cut::Bottom, Cut::Below(w)) => !all(w, 0),
        (Cut::Above(v), Cut::Top) => !all(v, 0xff),
        (Cut::Above(v), Cut::Below(w)) => {
            let mut pairs = view(v).iter().zip(view(w)).skip_while(|(a, b)| a == b);
            let raised = pairs.next().is_some_and(|(a, b)| a.checked_add(1) == Some(b));
            !(raised && pairs.all(|pair| pair == (0xff, 0)))
        }
        _ => true,
    }
}

/// Any two finite decimals have others between them, but there is a last one before zero on either
/// side.
fn decimals<'v>(low: &Cut<'v>, high: &Cut<'v>) -> bool {
    let decimal = |value: &Value<'v>| if let Value::Decimal(v) = value { Some(*v) } else { None };
    let tiny = |v: &Decimal<'_>| v.adjusted() == i32::MIN.into() && v.digits().eq([1]);
    match (low, high) {
        (Cut::Bottom, Cut::Below(w)) => decimal(w) != Some(Decimal::NEG_INFINITY),
        (Cut::Above(v), Cut::Top) => decimal(v) != Some(Decimal::NAN),
        (Cut::Above(v), Cut::Below(w)) => match (decimal(v), decimal(w)) {
            (Some(v), Some(w)) => {
                let ends = v == Decimal::INFINITY && w == Decimal::NAN;
                !(ends || v.is_zero() && tiny(&w) || w.is_zero() && tiny(&v))
            }
            _ => true,
        },
        _ => true,
    }
}

/// IPv4, then IPv6.
fn ips(low: &Cut<'_>, high: &Cut<'_>) -> bool {
    let ip = |value: &Value<'_>| if let Value::Ip(v) = value { Some(*v) } else { None };
    let next = |v: IpAddr| match v {
        IpAddr::V4(v) => Some(match u32::from(v).checked_add(1) {
            Some(v) => IpAddr::V4(Ipv4Addr::from(v)),
            None => IpAddr::V6(Ipv6Addr::UNSPECIFIED),
        }),
        IpAddr::V6(v) => u128::from(v).checked_add(1).map(|v| IpAddr::V6(Ipv6Addr::from(v))),
    };
    match (low, high) {
        (Cut::Bottom, Cut::Below(w)) => ip(w) != Some(IpAddr::V4(Ipv4Addr::UNSPECIFIED)),
        (Cut::Above(v), Cut::Top) => ip(v).and_then(next).is_some(),
        (Cut::Above(v), Cut::Below(w)) => ip(v).and_then(next) != ip(w),
        _ => true,
    }
}

/// The next bit string is the same with a zero bit behind it.
fn bits<'v>(low: &Cut<'v>, high: &Cut<'v>) -> bool {
    let bits = |value: &Value<'v>| if let Value::Bits(v) = value { Some(*v) } else { None };
    let next = |v: BitsView<'_>, w: BitsView<'_>| {
        let mut rest = w.iter();
        v.len_bits().checked_add(1) == Some(w.len_bits())
            && v.iter().all(|bit| rest.next() == Some(bit))
            && rest.next() == Some(false)
    };
    match (low, high) {
        (Cut::Bottom, Cut::Below(w)) => bits(w).is_some_and(|w| !w.is_empty()),
        (Cut::Above(v), Cut::Below(w)) => !bits(v).zip(bits(w)).is_some_and(|(v, w)| next(v, w)),
        _ => true,
    }
}
