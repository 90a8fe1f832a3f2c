//! Says the bytes of a value under a kind.

use core::ops::Bound;

use crate::codec::net::Ip;
use crate::codec::text::Fixed;
use crate::kind::FieldKinds;
use crate::kind::Kind;
use crate::order::FieldOrder;
use crate::order::Flip;
use crate::raw::sink::Invalid;
use crate::raw::sink::Payload;
use crate::raw::sink::Sink;
use crate::value::Lying;
use crate::value::Value;
use crate::value::array;
use crate::value::collated;
use crate::value::range::write;
use crate::value::seq::Seq;

/// A value with the kind that it is written under; its payload, no tag.
#[derive(Clone, Copy)]
pub(crate) struct Typed<'a, 'v> {
    pub(crate) kind: Kind<'a>,
    pub(crate) value: &'a Value<'v>,
}

impl Payload for Typed<'_, '_> {
    #[inline(always)]
    fn put<S: Sink>(&self, sink: &mut S, flip: Flip) -> Result<(), Invalid> {
        put(sink, self.kind, self.value, flip)
    }
}

/// A whole field: tag and payload, or a null's tag.
#[derive(Clone, Copy)]
pub(crate) struct TypedField<'a, 'v> {
    pub(crate) kind: Kind<'a>,
    pub(crate) order: FieldOrder,
    pub(crate) value: &'a Value<'v>,
}

impl Payload for TypedField<'_, '_> {
    #[inline(always)]
    fn put<S: Sink>(&self, sink: &mut S, flip: Flip) -> Result<(), Invalid> {
        put_field(sink, self.kind, self.order, self.value, flip)
    }
}

/// Says a field; `flip` is the one around it, which its tag is under too.
#[inline(always)]
pub(crate) fn put_field<S: Sink>(
    sink: &mut S,
    kind: Kind<'_>,
    order: FieldOrder,
    value: &Value<'_>,
    flip: Flip,
) -> Result<(), Invalid> {
    if value.is_null() {
        let tag = order.null_tag().ok_or(Invalid::Value)?;
        sink.put([tag], flip);
        return Ok(());
    }
    if let Some(tag) = order.present_tag() {
        sink.put([tag], flip);
    }
    put(sink, kind, value, order.flip().then(flip))
}

/// Says the payload of `value`, which must be of `kind` and not null.
#[inline]
pub(crate) fn put<S: Sink>(sink: &mut S, kind: Kind<'_>, value: &Value<'_>, flip: Flip) -> Result<(), Invalid> {
    if value.code() != Some(kind.code()) {
        return Err(if value.is_null() { Invalid::Value } else { Invalid::Type });
    }
    match value {
        Value::Null => Err(Invalid::Value),
        Value::Bool(v) => v.put(sink, flip),
        Value::I8(v) => v.put(sink, flip),
        Value::I16(v) => v.put(sink, flip),
        Value::I32(v) => v.put(sink, flip),
        Value::I64(v) => v.put(sink, flip),
        Value::I128(v) => v.put(sink, flip),
        Value::U8(v) => v.put(sink, flip),
        Value::U16(v) => v.put(sink, flip),
        Value::U32(v) => v.put(sink, flip),
        Value::U64(v) => v.put(sink, flip),
        Value::U128(v) => v.put(sink, flip),
        Value::F32(v) => v.put(sink, flip),
        Value::F64(v) => v.put(sink, flip),
        Value::Bytes(v) | Value::Opaque(v) | Value::Nested(v) => v.put(sink, flip),
        Value::Collated(v) => {
            // Judged once: whoever stores has measured before.
            if !S::MEASURED && !collated::is_written(kind, *v) {
                return Err(Invalid::Value);
            }
            v.put(sink, flip)
        }
        Value::Str(v) => v.put(sink, flip),
        Value::Fixed(v) => {
            if kind.fixed_size() != Some(v.len()) {
                return Err(Invalid::Value);
            }
            Fixed(*v).put(sink, flip)
        }
        Value::Decimal(v) => v.put(sink, flip),
        Value::Date(v) => v.put(sink, flip),
        Value::Time(v) => v.put(sink, flip),
        Value::TimeTz(v) => v.put(sink, flip),
        Value::Timestamp(v) => v.put(sink, flip),
        Value::Duration(v) => v.put(sink, flip),
        Value::Interval(v) => v.put(sink, flip),
        Value::Uuid(v) => v.put(sink, flip),
        Value::Mac48(v) => v.put(sink, flip),
        Value::Mac64(v) => v.put(sink, flip),
        Value::Lsn(v) => v.put(sink, flip),
        Value::Enum(v) => v.put(sink, flip),
        Value::Ip(v) => Ip(*v).put(sink, flip),
        Value::IpPrefix(v) => v.put(sink, flip),
        Value::Network(v) => v.put(sink, flip),
        Value::Bits(v) => v.put(sink, flip),
        Value::Record(v) => put_seq(sink, kind, &v.0, flip, put_record),
        Value::List(v) => put_seq(sink, kind, &v.0, flip, put_list),
        Value::Array(v) => array::put(sink, kind, v, flip),
        Value::Range(v) => write::put(sink, kind, v, flip),
        Value::Multirange(v) => write::put_many(sink, kind, v, flip),
    }
}

/// A composite that lies in a key under the same kind is copied, complemented where flips differ.
pub(crate) fn put_lying<S: Sink>(sink: &mut S, kind: Kind<'_>, lying: &Lying<'_>, flip: Flip) -> Result<(), Invalid> {
    if lying.kind() != kind {
        return Err(Invalid::Type);
    }
    sink.put_slice(lying.raw(), flip.then(lying.flip));
    Ok(())
}

fn put_seq<S: Sink>(
    sink: &mut S,
    kind: Kind<'_>,
    seq: &Seq<'_>,
    flip: Flip,
    put: impl Fn(&mut S, Kind<'_>, &[Value<'_>], Flip) -> Result<(), Invalid>,
) -> Result<(), Invalid> {
    match seq {
        Seq::Given(values) => put(sink, kind, values, flip),
        Seq::Lying(lying) => put_lying(sink, kind, lying, flip),
    }
}

/// As many values as attributes, each under its own order.
fn put_record<S: Sink>(sink: &mut S, kind: Kind<'_>, values: &[Value<'_>], flip: Flip) -> Result<(), Invalid> {
    let mut attributes: FieldKinds<'_> = kind.attributes();
    for value in values {
        let (kind, order) = attributes.next().ok_or(Invalid::Value)?;
        put_field(sink, kind, order, value, flip)?;
    }
    if attributes.next().is_some() { Err(Invalid::Value) } else { Ok(()) }
}

/// `01` and the element, or `02` for a null; `00` ends it.
pub(crate) fn put_list<S: Sink>(sink: &mut S, kind: Kind<'_>, values: &[Value<'_>], flip: Flip) -> Result<(), Invalid> {
    let element = kind.element().ok_or(Invalid::Type)?;
    for value in values {
        if value.is_null() {
            sink.put([2], flip);
        } else {
            sink.put([1], flip);
            put(sink, element, value, flip)?;
        }
    }
    sink.put([0], flip);
    Ok(())
}

/// A bound's value, when it has one.
pub(crate) fn bound_value<'a, 'v>(bound: &'a Bound<Value<'v>>) -> Option<&'a Value<'v>> {
    match bound {
        Bound::Included(value) | Bound::Excluded(value) => Some(value),
        Bound::Unbounded => None,
    }
}
