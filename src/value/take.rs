//! Reads a value of a kind, or passes over one. Work is linear in the bytes, and the stack grows
//! only with the kind's own depth, which a checked descriptor bounds.

use crate::codec::bits::BitsView;
use crate::codec::decimal::Decimal;
use crate::codec::ident::EnumRank;
use crate::codec::ident::Lsn;
use crate::codec::ident::Mac48;
use crate::codec::ident::Mac64;
use crate::codec::ident::Uuid;
use crate::codec::net::Ip;
use crate::codec::net::IpPrefix;
use crate::codec::net::Network;
use crate::codec::temporal::Date;
use crate::codec::temporal::IntervalScalar;
use crate::codec::temporal::MicroDuration;
use crate::codec::temporal::Time;
use crate::codec::temporal::Timestamp;
use crate::codec::temporal::ZonedTime;
use crate::codec::text::TextView;
use crate::error::Error;
use crate::kind::Kind;
use crate::kind::code;
use crate::order::FieldOrder;
use crate::order::Flip;
use crate::raw::input::Input;
use crate::raw::input::Take;
use crate::raw::view::ByteView;
use crate::value::Lying;
use crate::value::Value;
use crate::value::array;
use crate::value::array::ArrayView;
use crate::value::collated;
use crate::value::range::MultirangeView;
use crate::value::range::RangeView;
use crate::value::range::walk;
use crate::value::seq::ListView;
use crate::value::seq::RecordView;
use crate::value::seq::Seq;

/// Reads a field; `flip` is the one around it.
#[inline]
pub(crate) fn take_field<'k>(
    input: &mut Input<'k>,
    kind: Kind<'k>,
    order: FieldOrder,
    flip: Flip,
) -> Result<Value<'k>, Error> {
    if is_null(input, order, flip)? {
        return Ok(Value::Null);
    }
    take(input, kind, order.flip().then(flip))
}

/// Reads a field's tag, if its order has one; says whether the field is null.
#[inline(always)]
pub(crate) fn is_null(input: &mut Input<'_>, order: FieldOrder, flip: Flip) -> Result<bool, Error> {
    let Some(null) = order.null_tag() else { return Ok(false) };
    match input.byte(flip)? {
        tag if tag == null => Ok(true),
        tag if Some(tag) == order.present_tag() => Ok(false),
        _ => Err(input.malformed()),
    }
}

/// Reads a payload, and accepts exactly what writing emits.
#[inline]
pub(crate) fn take<'k>(input: &mut Input<'k>, kind: Kind<'k>, flip: Flip) -> Result<Value<'k>, Error> {
    Ok(match kind.code() {
        code::BOOL => Value::Bool(Take::take(input, flip)?),
        code::I8 => Value::I8(Take::take(input, flip)?),
        code::I16 => Value::I16(Take::take(input, flip)?),
        code::I32 => Value::I32(Take::take(input, flip)?),
        code::I64 => Value::I64(Take::take(input, flip)?),
        code::I128 => Value::I128(Take::take(input, flip)?),
        code::U8 => Value::U8(Take::take(input, flip)?),
        code::U16 => Value::U16(Take::take(input, flip)?),
        code::U32 => Value::U32(Take::take(input, flip)?),
        code::U64 => Value::U64(Take::take(input, flip)?),
        code::U128 => Value::U128(Take::take(input, flip)?),
        code::F32 => Value::F32(Take::take(input, flip)?),
        code::F64 => Value::F64(Take::take(input, flip)?),
        code::BYTES => Value::Bytes(input.escaped(flip)?),
        code::STR => Value::Str(Take::take(input, flip)?),
        code::OPAQUE => Value::Opaque(input.escaped(flip)?),
        code::COLLATED => Value::Collated(input.escaped(flip)?),
        code::NESTED => Value::Nested(input.escaped(flip)?),
        code::FIXED => {
            let width = kind.fixed_size().ok_or_else(|| input.malformed())?;
            Value::Fixed(ByteView::fixed(input.slice(width)?, flip))
        }
        code::DECIMAL => Value::Decimal(Take::take(input, flip)?),
        code::DATE => Value::Date(Take::take(input, flip)?),
        code::TIME => Value::Time(Take::take(input, flip)?),
        code::TIMETZ => Value::TimeTz(Take::take(input, flip)?),
        code::TIMESTAMP => Value::Timestamp(Take::take(input, flip)?),
        code::DURATION => Value::Duration(Take::take(input, flip)?),
        code::INTERVAL => Value::Interval(Take::take(input, flip)?),
        code::UUID => Value::Uuid(Take::take(input, flip)?),
        code::MAC48 => Value::Mac48(Take::take(input, flip)?),
        code::MAC64 => Value::Mac64(Take::take(input, flip)?),
        code::LSN => Value::Lsn(Take::take(input, flip)?),
        code::ENUM => Value::Enum(Take::take(input, flip)?),
        code::IP => Value::Ip(Ip::take(input, flip)?.0),
        code::IP_PREFIX => Value::IpPrefix(Take::take(input, flip)?),
        code::NETWORK => Value::Network(Take::take(input, flip)?),
        code::BITS => Value::Bits(Take::take(input, flip)?),
        composite => {
            let from = input.pos();
            walk(input, kind, flip, true)?;
            let lying = Lying::new(kind, input.since(from), flip);
            match composite {
                code::RECORD => Value::Record(RecordView(Seq::Lying(lying))),
                code::LIST => Value::List(ListView(Seq::Lying(lying))),
                code::ARRAY => Value::Array(ArrayView::lying(lying)),
                code::RANGE => Value::Range(RangeView::lying(lying)),
                _ => Value::Multirange(MultirangeView::lying(lying)),
            }
        }
    })
}

/// Passes over a field; `flip` is the one around it. With `text` off, text is not checked for
/// UTF-8, nor collated text for its image, as `skip` does.
#[inline]
pub(crate) fn walk_field(
    input: &mut Input<'_>,
    kind: Kind<'_>,
    order: FieldOrder,
    flip: Flip,
    text: bool,
) -> Result<(), Error> {
    if is_null(input, order, flip)? {
        return Ok(());
    }
    walk(input, kind, order.flip().then(flip), text)
}

/// Passes over a payload, with all the checks of reading it.
#[inline]
pub(crate) fn walk(input: &mut Input<'_>, kind: Kind<'_>, flip: Flip, text: bool) -> Result<(), Error> {
    match kind.code() {
        code::COLLATED if text => {
            let value = input.escaped(flip)?;
            if collated::is_written(kind, value) { Ok(()) } else { Err(input.malformed()) }
        }
        code::BYTES | code::OPAQUE | code::COLLATED | code::NESTED => pass::<ByteView<'_>>(input, flip),
        code::STR if text => pass::<TextView<'_>>(input, flip),
        code::STR => pass::<ByteView<'_>>(input, flip),
        code::BOOL => pass::<bool>(input, flip),
        code::F32 => pass::<f32>(input, flip),
        code::F64 => pass::<f64>(input, flip),
        code::DECIMAL => pass::<Decimal<'_>>(input, flip),
        code::DATE => pass::<Date>(input, flip),
        code::TIME => pass::<Time>(input, flip),
        code::TIMETZ => pass::<ZonedTime>(input, flip),
        code::TIMESTAMP => pass::<Timestamp>(input, flip),
        code::DURATION => pass::<MicroDuration>(input, flip),
        code::INTERVAL => pass::<IntervalScalar>(input, flip),
        code::UUID => pass::<Uuid>(input, flip),
        code::MAC48 => pass::<Mac48>(input, flip),
        code::MAC64 => pass::<Mac64>(input, flip),
        code::LSN => pass::<Lsn>(input, flip),
        code::ENUM => pass::<EnumRank>(input, flip),
        code::IP => pass::<Ip>(input, flip),
        code::IP_PREFIX => pass::<IpPrefix>(input, flip),
        code::NETWORK => pass::<Network>(input, flip),
        code::BITS => pass::<BitsView<'_>>(input, flip),
        code::RECORD => {
            for (kind, order) in kind.attributes() {
                walk_field(input, kind, order, flip, text)?;
            }
            Ok(())
        }
        code::LIST => walk_list(input, kind, flip, text).map(|_| ()),
        code::ARRAY => array::walk(input, kind, flip, text),
        code::RANGE => walk::walk(input, kind, flip, text),
        code::MULTIRANGE => walk::walk_many(input, kind, flip, text),
        // What is left are integers and fixed bytes: any bytes of their width are a value.
        _ => {
            let width = kind.fixed_size().ok_or_else(|| input.malformed())?;
            input.slice(width).map(|_| ())
        }
    }
}

#[inline(always)]
fn pass<'k, T: Take<'k>>(input: &mut Input<'k>, flip: Flip) -> Result<(), Error> {
    T::take(input, flip).map(|_| ())
}

/// Passes over a list; gives its number of elements.
pub(crate) fn walk_list(input: &mut Input<'_>, kind: Kind<'_>, flip: Flip, text: bool) -> Result<usize, Error> {
    let element = kind.element().ok_or_else(|| input.malformed())?;
    let mut n = 0usize;
    loop {
        match input.byte(flip)? {
            0 => return Ok(n),
            1 => walk(input, element, flip, text)?,
            2 => {}
            _ => return Err(input.malformed()),
        }
        // In range: each element took a byte of the key.
        n = n.wrapping_add(1);
    }
}
