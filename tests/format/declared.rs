//! Model types as the crate's declared ones, to compare Rust-declared specs with stored ones.

use isotone::Field;
use isotone::Type;

use crate::support::model::Attr;
use crate::support::model::Ty;

/// The declared type. What it borrows is leaked: tests make few of them.
pub(crate) fn ty(ty: &Ty) -> Type<'static> {
    match ty {
        Ty::Bool => Type::Bool,
        Ty::Bytes => Type::Bytes,
        Ty::Str => Type::Str,
        Ty::Opaque(producer) => Type::Opaque(producer.clone().leak()),
        Ty::Fixed(width) => Type::Fixed(*width),
        Ty::Collated(deterministic, producer) => {
            Type::Collated { deterministic: *deterministic, producer: producer.clone().leak() }
        }
        Ty::I8 => Type::I8,
        Ty::I16 => Type::I16,
        Ty::I32 => Type::I32,
        Ty::I64 => Type::I64,
        Ty::I128 => Type::I128,
        Ty::U8 => Type::U8,
        Ty::U16 => Type::U16,
        Ty::U32 => Type::U32,
        Ty::U64 => Type::U64,
        Ty::U128 => Type::U128,
        Ty::F32 => Type::F32,
        Ty::F64 => Type::F64,
        Ty::Decimal => Type::Decimal,
        Ty::Date => Type::Date,
        Ty::Time => Type::Time,
        Ty::TimeTz => Type::TimeTz,
        Ty::Timestamp => Type::Timestamp,
        Ty::Duration => Type::Duration,
        Ty::Interval => Type::Interval,
        Ty::Uuid => Type::Uuid,
        Ty::Mac48 => Type::Mac48,
        Ty::Mac64 => Type::Mac64,
        Ty::Lsn => Type::Lsn,
        Ty::Enum => Type::Enum,
        Ty::Ip => Type::Ip,
        Ty::IpPrefix => Type::IpPrefix,
        Ty::Network => Type::Network,
        Ty::Nested(inner) => Type::Nested(fields(inner)),
        Ty::Record(inner) => Type::Record(fields(inner)),
        Ty::List(element) => Type::List(leak(element)),
        Ty::Array(element) => Type::Array(leak(element)),
        Ty::Range(element) => Type::Range(leak(element)),
        Ty::Multirange(element) => Type::Multirange(leak(element)),
        Ty::Bits => Type::Bits,
    }
}

fn leak(element: &Ty) -> &'static Type<'static> {
    Box::leak(Box::new(ty(element)))
}

/// The declared fields.
pub(crate) fn fields(attrs: &[Attr]) -> &'static [Field<'static>] {
    attrs.iter().map(|(inner, order)| Field::from_code(ty(inner), *order)).collect::<Vec<_>>().leak()
}
