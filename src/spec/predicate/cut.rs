//! Places between the values of a kind, and where a constant has its own.
//!
//! A constant that is a value of the kind has a place below it and one above it. One that is not,
//! such as -1 or 2.5 for an unsigned integer, has the same place for both: there is nothing between.
//! So every comparison is an interval between two places, and nothing is ever converted.

use core::cmp::Ordering;

use crate::kind::Kind;
use crate::kind::code;
use crate::order::Flip;
use crate::raw::sink::Invalid;
use crate::raw::sink::Payload;
use crate::raw::view::ByteView;
use crate::spec::predicate::Op;
use crate::spec::predicate::number::Integer;
use crate::spec::predicate::number::Number;
use crate::spec::predicate::number::cmp_floats;
use crate::value::Value;
use crate::value::put::Typed;

/// A place between the values of a kind, in their natural order.
#[derive(Clone, Copy)]
pub(super) enum Cut<'v> {
    /// Below all.
    Bottom,
    /// Just below a value.
    Below(Value<'v>),
    /// The same place, just below all that begin with a text or bytes; an end there is shorter.
    Front(Value<'v>),
    /// Just above a value.
    Above(Value<'v>),
    /// Just above all that begin with a text or bytes.
    Past(Value<'v>),
    /// Above all.
    Top,
}

/// The values between two places.
#[derive(Clone, Copy)]
pub(super) struct Span<'v> {
    pub(super) low: Cut<'v>,
    pub(super) high: Cut<'v>,
}

/// Where a constant stands among the values of a kind.
#[derive(Clone, Copy)]
pub(super) enum Place<'v> {
    /// It is one of them.
    At(Value<'v>),
    /// It is none of them, and would stand here.
    Gap(Cut<'v>),
}

impl<'v> Place<'v> {
    pub(super) fn low(self) -> Cut<'v> {
        match self {
            Place::At(value) => Cut::Below(value),
            Place::Gap(cut) => cut,
        }
    }

    pub(super) fn high(self) -> Cut<'v> {
        match self {
            Place::At(value) => Cut::Above(value),
            Place::Gap(cut) => cut,
        }
    }

    /// The values that stand so to the constant. `Ne` has two such intervals and is not asked for.
    pub(super) fn span(self, op: Op) -> Span<'v> {
        let (low, high) = match op {
            Op::Eq | Op::Ne => (self.low(), self.high()),
            Op::Lt => (Cut::Bottom, self.low()),
            Op::Le => (Cut::Bottom, self.high()),
            Op::Gt => (self.high(), Cut::Top),
            Op::Ge => (self.low(), Cut::Top),
        };
        Span { low, high }
    }
}

/// The values of a kind that begin with `front`.
pub(super) const fn front_span<'v>(front: Value<'v>) -> Span<'v> {
    Span { low: Cut::Front(front), high: Cut::Past(front) }
}

/// Says that a constant can be compared with a kind: it is one of its values, or a number that
/// compares exactly. A null can be compared with everything.
pub(super) fn check(kind: Kind<'_>, value: &Value<'_>) -> Result<(), Invalid> {
    if value.code() == Some(kind.code()) {
        return Typed { kind, value }.size().map(|_| ());
    }
    if value.is_null() || place(kind, *value).is_some() { Ok(()) } else { Err(Invalid::Type) }
}

/// Where a constant stands; `None` for a null, or what does not compare with the kind.
pub(super) fn place<'v>(kind: Kind<'_>, value: Value<'v>) -> Option<Place<'v>> {
    if value.code() == Some(kind.code()) {
        return Some(Place::At(value));
    }
    match kind.code() {
        code::I8..=code::I128 | code::I64 | code::U64..=code::U128 => {
            Some(in_integers(kind.code(), Number::of(&value)?))
        }
        code::DECIMAL => Some(Place::At(Value::Decimal(Integer::of(&value)?.decimal()?))),
        code::F32 => Some(match value {
            Value::F64(v) => in_f32(v),
            _ => {
                let integer = Integer::of(&value)?;
                let (float, exact) = integer.to_f32();
                beside(Value::F32(float), exact, integer.is_negative())
            }
        }),
        code::F64 => Some(match value {
            Value::F32(v) => Place::At(Value::F64(v.into())),
            _ => {
                let integer = Integer::of(&value)?;
                let (float, exact) = integer.to_f64();
                beside(Value::F64(float), exact, integer.is_negative())
            }
        }),
        _ => None,
    }
}

/// At a value, or beside it on the side away from zero.
fn beside<'v>(value: Value<'v>, exact: bool, negative: bool) -> Place<'v> {
    match (exact, negative) {
        (true, _) => Place::At(value),
        (false, true) => Place::Gap(Cut::Below(value)),
        (false, false) => Place::Gap(Cut::Above(value)),
    }
}

fn in_integers<'v>(kind: u8, number: Number) -> Place<'v> {
    let outside = |negative: bool| Place::Gap(if negative { Cut::Bottom } else { Cut::Top });
    match number {
        Number::Nan => outside(false),
        Number::Huge { negative } => outside(negative),
        Number::Finite { negative, whole, fraction } => match Integer::new(negative, whole).value(kind) {
            Some(value) => beside(value, !fraction, negative),
            None => outside(negative),
        },
    }
}

fn in_f32<'v>(v: f64) -> Place<'v> {
    #[expect(clippy::cast_possible_truncation, reason = "what the rounding loses is told from what it gives")]
    let rounded = v as f32;
    let value = Value::F32(rounded);
    match cmp_floats(v, rounded.into()) {
        Ordering::Equal => Place::At(value),
        Ordering::Less => Place::Gap(Cut::Below(value)),
        Ordering::Greater => Place::Gap(Cut::Above(value)),
    }
}

/// Orders two places. Places with no value between them may be equal or not.
pub(super) fn order(kind: Kind<'_>, a: &Cut<'_>, b: &Cut<'_>) -> Ordering {
    match (a, b) {
        (Cut::Bottom, Cut::Bottom) | (Cut::Top, Cut::Top) => Ordering::Equal,
        (Cut::Bottom, _) | (_, Cut::Top) => Ordering::Less,
        (_, Cut::Bottom) | (Cut::Top, _) => Ordering::Greater,
        (Cut::Below(a) | Cut::Front(a), Cut::Below(b) | Cut::Front(b)) => order_values(kind, a, b),
        (Cut::Above(a), Cut::Above(b)) => order_values(kind, a, b),
        (Cut::Below(a) | Cut::Front(a), Cut::Above(b)) => order_values(kind, a, b).then(Ordering::Less),
        (Cut::Above(a), Cut::Below(b) | Cut::Front(b)) => order_values(kind, a, b).then(Ordering::Greater),
        (Cut::Past(front), Cut::Below(v) | Cut::Front(v) | Cut::Above(v)) => past(kind, front, v),
        (Cut::Below(v) | Cut::Front(v) | Cut::Above(v), Cut::Past(front)) => past(kind, front, v).reverse(),
        // Of two fronts the longer one's end comes first where it begins with the other.
        (Cut::Past(a), Cut::Past(b)) => match (begins_with(a, b), begins_with(b, a)) {
            (true, true) => Ordering::Equal,
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
            (false, false) => order_values(kind, a, b),
        },
    }
}

/// How the end of all that begin with `front` stands to a place at `value`.
fn past(kind: Kind<'_>, front: &Value<'_>, value: &Value<'_>) -> Ordering {
    if begins_with(value, front) { Ordering::Greater } else { order_values(kind, front, value) }
}

/// The bytes of a value of kind bytes or str.
pub(super) fn text_bytes<'v>(value: &Value<'v>) -> Option<ByteView<'v>> {
    match value {
        Value::Bytes(v) | Value::Opaque(v) | Value::Collated(v) | Value::Nested(v) => Some(*v),
        Value::Str(v) => Some(v.bytes()),
        _ => None,
    }
}

pub(super) fn begins_with(value: &Value<'_>, front: &Value<'_>) -> bool {
    match (text_bytes(value), text_bytes(front)) {
        (Some(value), Some(front)) => match (value.as_slice(), front.as_slice()) {
            (Some(value), Some(front)) => value.starts_with(front),
            _ => value.len() >= front.len() && value.iter().zip(front.iter()).all(|(a, b)| a == b),
        },
        _ => false,
    }
}

/// Orders two values of a kind as their payloads are.
pub(super) fn order_values(kind: Kind<'_>, a: &Value<'_>, b: &Value<'_>) -> Ordering {
    macro_rules! directly {
        ($($variant:ident)*) => {
            match (a, b) {
                $((Value::$variant(a), Value::$variant(b)) => a.cmp(b),)*
                (Value::F32(a), Value::F32(b)) => cmp_floats((*a).into(), (*b).into()),
                (Value::F64(a), Value::F64(b)) => cmp_floats(*a, *b),
                _ => order_payloads(&Typed { kind, value: a }, &Typed { kind, value: b }),
            }
        };
    }
    directly! {
        Bool I8 I16 I32 I64 I128 U8 U16 U32 U64 U128
        Bytes Str Opaque Collated Nested Fixed Decimal
        Date Time Timestamp Duration Interval Uuid Mac48 Mac64 Lsn Enum
    }
}

/// Orders two payloads, however long, a stretch at a time.
pub(super) fn order_payloads<A: Payload, B: Payload>(a: &A, b: &B) -> Ordering {
    let mut at = 0usize;
    loop {
        let (stretch_a, stretch_b) = (Stretch::of(a, at), Stretch::of(b, at));
        let ordering = stretch_a.bytes().cmp(stretch_b.bytes());
        if ordering.is_ne() || stretch_a.len < STRETCH {
            return ordering;
        }
        at = at.saturating_add(STRETCH);
    }
}

/// How many bytes are compared at a time.
pub(super) const STRETCH: usize = 64;

/// Some of the bytes that a payload says. Its [`Sink`](crate::raw::sink::Sink) is with the other
/// ones that take a byte at a time.
pub(super) struct Stretch {
    skip: usize,
    buf: [u8; STRETCH],
    len: usize,
}

impl Stretch {
    pub(super) fn of<P: Payload>(payload: &P, from: usize) -> Stretch {
        let mut stretch = Stretch { skip: from, buf: [0; STRETCH], len: 0 };
        // Valid: constants are checked before they are compared.
        let _ = payload.put(&mut stretch, Flip::No);
        stretch
    }

    pub(super) fn bytes(&self) -> &[u8] {
        self.buf.get(..self.len).unwrap_or(&[])
    }

    /// Keeps at most so many bytes.
    pub(super) fn cut(&mut self, len: usize) {
        self.len = self.len.min(len);
    }

    /// Adds one to the last byte.
    pub(super) fn raise(&mut self) {
        if let Some(last) = self.len.checked_sub(1).and_then(|last| self.buf.get_mut(last)) {
            *last = last.wrapping_add(1);
        }
    }

    pub(super) fn byte(&mut self, byte: u8) {
        if self.skip > 0 {
            self.skip = self.skip.saturating_sub(1);
        } else if let Some(slot) = self.buf.get_mut(self.len) {
            *slot = byte;
            self.len = self.len.saturating_add(1);
        }
    }
}
