//! Rebuilds values from their components.

use std::net::IpAddr;
use std::net::Ipv4Addr;
use std::net::Ipv6Addr;
use std::ops::Bound;

use isotone::ArrayView;
use isotone::BitsView;
use isotone::Date;
use isotone::Decimal;
use isotone::Dimension;
use isotone::EnumRank;
use isotone::Interval;
use isotone::IntervalScalar;
use isotone::IpPrefix;
use isotone::Lsn;
use isotone::Mac48;
use isotone::Mac64;
use isotone::MicroDuration;
use isotone::MultirangeView;
use isotone::Network;
use isotone::RangeView;
use isotone::RecordView;
use isotone::SqlRange;
use isotone::Time;
use isotone::Timestamp;
use isotone::Type;
use isotone::Uuid;
use isotone::Value;
use isotone::ZonedTime;

use crate::vectors_support::json::Json;
use crate::vectors_support::text::keep;
use crate::vectors_support::text::keep_all;
use crate::vectors_support::text::short;
use crate::vectors_support::text::unhex;

/// Why there is no value.
#[derive(Debug)]
pub(crate) enum NoValue {
    /// The text is not of the documented form.
    Unreadable(String),
    /// The text is of that form, and its type has no such value: the library's constructor refuses
    /// it, or the Rust type that the library takes can't hold it.
    Refused(String),
}

pub(crate) type Built = Result<Value<'static>, NoValue>;

impl NoValue {
    /// What happened, where either is a fault.
    pub(crate) fn told(self) -> String {
        match self {
            NoValue::Unreadable(why) => why,
            NoValue::Refused(why) => format!("refused: {why}"),
        }
    }
}

impl From<String> for NoValue {
    fn from(why: String) -> Self {
        NoValue::Unreadable(why)
    }
}

pub(crate) fn unreadable(text: &str) -> NoValue {
    NoValue::Unreadable(format!("{:?} is not of the documented form", short(text)))
}

pub(crate) fn refused(text: &str, why: impl std::fmt::Display) -> NoValue {
    NoValue::Refused(format!("{:?}: {why}", short(text)))
}

/// A value from its components: a scalar as it stands, a composite as JSON.
pub(crate) fn component(ty: &Type<'static>, text: &'static str) -> Built {
    match ty {
        Type::Record(_) | Type::Array(_) | Type::Range(_) | Type::Multirange(_) => json(ty, &Json::parse(text)?),
        _ => scalar(ty, text),
    }
}

fn json(ty: &Type<'static>, value: &Json) -> Built {
    match (ty, value) {
        (_, Json::Null) => Ok(Value::Null),
        (Type::Record(fields), Json::List(parts)) => {
            if parts.len() != fields.len() {
                return Err(format!("{} attributes where {} are due", parts.len(), fields.len()).into());
            }
            let values =
                fields.iter().zip(parts).map(|(field, part)| json(&field.ty(), part)).collect::<Result<_, _>>();
            Ok(RecordView::new(keep_all(values?)).into())
        }
        (Type::Array(element), Json::Object(_)) => {
            let values = value.get("elems")?.list()?.iter().map(|part| json(element, part)).collect::<Result<_, _>>();
            let dimensions = value.get("dims")?.list()?.iter().map(dimension).collect::<Result<_, _>>();
            Ok(ArrayView::new(keep_all(values?), keep_all(dimensions?)).into())
        }
        (Type::Range(element), Json::Object(_)) => Ok(RangeView::new(keep(range(element, value)?)).into()),
        (Type::Multirange(element), Json::List(parts)) => {
            let ranges = parts.iter().map(|part| range(element, part)).collect::<Result<_, _>>();
            Ok(MultirangeView::new(keep_all(ranges?)).into())
        }
        (_, Json::String(text)) => scalar(ty, text.clone().leak()),
        (_, other) => Err(format!("{other:?} stands for no {ty:?}").into()),
    }
}

fn dimension(pair: &Json) -> Result<Dimension, String> {
    match pair.list()? {
        [len, lower] => Ok(Dimension { len: len.number()?, lower: lower.number()? }),
        other => Err(format!("a dimension of {} numbers", other.len())),
    }
}

fn range(element: &Type<'static>, object: &Json) -> Result<SqlRange<'static>, NoValue> {
    if object.get("empty")?.bool()? {
        return Ok(SqlRange::Empty);
    }
    let bound = |value: &str, inclusive: &str| -> Result<Bound<Value<'static>>, NoValue> {
        let inclusive = object.get(inclusive)?.bool()?;
        Ok(match json(element, object.get(value)?)? {
            Value::Null => Bound::Unbounded,
            value if inclusive => Bound::Included(value),
            value => Bound::Excluded(value),
        })
    };
    Ok(SqlRange::new(bound("lower", "lower_inc")?, bound("upper", "upper_inc")?))
}

/// A scalar from its component.
pub(crate) fn scalar(ty: &Type<'static>, text: &'static str) -> Built {
    Ok(match ty {
        Type::Bool => Value::Bool(match text {
            "t" | "true" => true,
            "f" | "false" => false,
            _ => return Err(unreadable(text)),
        }),
        Type::I8 => Value::I8(int(text)?),
        Type::I16 => Value::I16(int(text)?),
        Type::I32 => Value::I32(int(text)?),
        Type::I64 => Value::I64(int(text)?),
        Type::I128 => Value::I128(int(text)?),
        Type::U8 => Value::U8(int(text)?),
        Type::U16 => Value::U16(int(text)?),
        Type::U32 => Value::U32(int(text)?),
        Type::U64 => Value::U64(int(text)?),
        Type::U128 => Value::U128(int(text)?),
        Type::F32 if text == "nan" => Value::F32(f32::NAN),
        Type::F64 if text == "nan" => Value::F64(f64::NAN),
        Type::F32 => Value::F32(f32::from_bits(u32::from_be_bytes(exact(text)?))),
        Type::F64 => Value::F64(f64::from_bits(u64::from_be_bytes(exact(text)?))),
        Type::Bytes => Value::bytes(unhex(text)?.leak()),
        Type::Str => match std::str::from_utf8(unhex(text)?.leak()) {
            Ok(text) => Value::str(text),
            Err(error) => return Err(refused(text, error)),
        },
        Type::Decimal => Value::Decimal(Decimal::parse(text).map_err(|error| refused(text, error))?),
        Type::Date => Value::Date(match text {
            "infinity" => Date::INFINITY,
            "-infinity" => Date::NEG_INFINITY,
            days => Date::from_days(int(days)?),
        }),
        Type::Time => Value::Time(Time::from_micros(int(text)?)),
        Type::TimeTz => {
            let [local, east] = numbers(text)?;
            Value::TimeTz(ZonedTime::new(int(local)?, int(east)?))
        }
        Type::Timestamp => Value::Timestamp(match text {
            "infinity" => Timestamp::INFINITY,
            "-infinity" => Timestamp::NEG_INFINITY,
            micros => Timestamp::from_micros(int(micros)?),
        }),
        Type::Duration => Value::Duration(MicroDuration::from_micros(int(text)?)),
        Type::Interval => match text {
            "infinity" => Interval::INFINITY.into(),
            "-infinity" => Interval::NEG_INFINITY.into(),
            // What is read back is the comparison scalar.
            scalar if !scalar.contains(',') => Value::Interval(IntervalScalar::from_micros(int(scalar)?)),
            _ => {
                let [months, days, micros] = numbers(text)?;
                Interval::new(int(months)?, int(days)?, int(micros)?).into()
            }
        },
        Type::Uuid => Value::Uuid(Uuid::new(exact(text)?)),
        Type::Mac48 => Value::Mac48(Mac48::new(exact(text)?)),
        Type::Mac64 => Value::Mac64(Mac64::new(exact(text)?)),
        Type::Lsn => Value::Lsn(Lsn::new(int(text)?)),
        // PostgreSQL's has the label and two more numbers behind the ordinal, which decides.
        Type::Enum => Value::Enum(EnumRank::new(int(text.split(',').next().unwrap_or(text))?)),
        Type::Ip => Value::Ip(text.parse().map_err(|error| refused(text, error))?),
        Type::IpPrefix => match wide(text)? {
            Some((addr, len)) => {
                IpPrefix::new(addr, len).map(Value::IpPrefix).ok_or_else(|| refused(text, "length"))?
            }
            None => Value::IpPrefix(text.parse().map_err(|error| refused(text, error))?),
        },
        Type::Network => match wide(text)? {
            Some((addr, len)) => {
                Network::new(addr, len).map(Value::Network).ok_or_else(|| refused(text, "host bits"))?
            }
            None => Value::Network(text.parse().map_err(|error| refused(text, error))?),
        },
        Type::Bits => {
            let [len, packed] = numbers(text)?;
            let bits = BitsView::new(unhex(packed)?.leak(), int(len)?);
            Value::Bits(bits.ok_or_else(|| refused(text, "bits past the end, or another length"))?)
        }
        other => return Err(NoValue::Unreadable(format!("no component form of {other:?}"))),
    })
}

/// A number in decimal. One that is too large for its Rust type is refused by it.
pub(crate) fn int<T: std::str::FromStr<Err = std::num::ParseIntError>>(text: &str) -> Result<T, NoValue> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(unreadable(text));
    }
    text.parse().map_err(|error| refused(text, error))
}

/// Parts with commas between them.
fn numbers<const N: usize>(text: &str) -> Result<[&str; N], NoValue> {
    text.split(',').collect::<Vec<_>>().try_into().map_err(|_| unreadable(text))
}

/// Exactly so many bytes in hex.
fn exact<const N: usize>(text: &str) -> Result<[u8; N], NoValue> {
    unhex(text)?.try_into().map_err(|_| unreadable(text))
}

/// PostgreSQL's components of an address: family, all its bytes in hex, prefix length.
fn wide(text: &str) -> Result<Option<(IpAddr, u8)>, NoValue> {
    let Ok([family, addr, len]) = numbers(text) else { return Ok(None) };
    let addr = match family {
        "4" => IpAddr::V4(Ipv4Addr::from(exact::<4>(addr)?)),
        "6" => IpAddr::V6(Ipv6Addr::from(exact::<16>(addr)?)),
        _ => return Err(unreadable(text)),
    };
    Ok(Some((addr, int(len)?)))
}
