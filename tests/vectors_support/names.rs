//! Names of types and orders, as the sets spell them.

use isotone::Asc;
use isotone::AscNullsFirst;
use isotone::AscNullsLast;
use isotone::Desc;
use isotone::DescNullsFirst;
use isotone::DescNullsLast;
use isotone::Field;
use isotone::FieldOrder;
use isotone::Type;

use crate::vectors_support::text::keep;
use crate::vectors_support::text::keep_all;

/// All six orders, by their codes.
pub(crate) const ORDERS: [FieldOrder; 6] = [
    FieldOrder::nullable(AscNullsFirst),
    FieldOrder::nullable(AscNullsLast),
    FieldOrder::nullable(DescNullsFirst),
    FieldOrder::nullable(DescNullsLast),
    FieldOrder::not_null(Asc),
    FieldOrder::not_null(Desc),
];

/// An order by the name that it has in the library.
pub(crate) fn order(name: &str) -> Result<FieldOrder, String> {
    let found = ORDERS.into_iter().find(|order| format!("{order:?}") == name);
    found.ok_or_else(|| format!("unknown order {name:?}"))
}

/// A direction and a place for nulls as in `asc:nf`.
pub(crate) fn sql_order(direction: &str, nulls: &str) -> Result<FieldOrder, String> {
    Ok(FieldOrder::nullable(match (direction, nulls) {
        ("asc", "nf") => AscNullsFirst,
        ("asc", "nl") => AscNullsLast,
        ("desc", "nf") => DescNullsFirst,
        ("desc", "nl") => DescNullsLast,
        _ => return Err(format!("unknown order {direction}:{nulls}")),
    }))
}

/// A type by the name that the Go library's sets give it.
pub(crate) fn schottky(name: &str) -> Option<Type<'static>> {
    Some(match name {
        "bool" => Type::Bool,
        "bytes" => Type::Bytes,
        "str" => Type::Str,
        "i8" => Type::I8,
        "i16" => Type::I16,
        "i32" => Type::I32,
        "i64" => Type::I64,
        "i128" => Type::I128,
        "u8" => Type::U8,
        "u16" => Type::U16,
        "u32" => Type::U32,
        "u64" => Type::U64,
        "u128" => Type::U128,
        "f32" => Type::F32,
        "f64" => Type::F64,
        "decimal" => Type::Decimal,
        "date" => Type::Date,
        "time" => Type::Time,
        "timetz" => Type::TimeTz,
        "timestamp" => Type::Timestamp,
        "duration" => Type::Duration,
        "interval" => Type::Interval,
        "uuid" => Type::Uuid,
        "mac48" => Type::Mac48,
        "mac64" => Type::Mac64,
        "lsn" => Type::Lsn,
        "enum" => Type::Enum,
        "ip" => Type::Ip,
        "ip_prefix" => Type::IpPrefix,
        "network" => Type::Network,
        _ => return None,
    })
}

/// A type by its name in PostgreSQL, or by the name of its file: scalars, arrays as `T[]` or
/// `T_array`, ranges and multiranges of the built-in kinds, `row_A_B_…` of scalars, `row_nested`.
pub(crate) fn pg(name: &str) -> Option<Type<'static>> {
    if let Some(element) = name.strip_suffix("[]").or_else(|| name.strip_suffix("_array")) {
        return pg(element).map(|element| Type::Array(keep(element)));
    }
    if let Some(element) = name.strip_suffix("multirange").and_then(range_element) {
        return Some(Type::Multirange(keep(element)));
    }
    if let Some(element) = name.strip_suffix("range").and_then(range_element) {
        return Some(Type::Range(keep(element)));
    }
    match name.strip_prefix("row_") {
        Some("nested") => {
            let pair = record(vec![Type::I32, Type::F64]);
            Some(record(vec![Type::Bool, pair, Type::Array(&Type::I32)]))
        }
        // Only the names of scalars have no `_` but `pg_lsn`'s.
        Some(attributes) => attributes.split('_').map(pg_scalar).collect::<Option<Vec<_>>>().map(record),
        None => pg_scalar(name),
    }
}

/// A record whose attributes are ascending with nulls last, as PostgreSQL compares rows.
fn record(attributes: Vec<Type<'static>>) -> Type<'static> {
    Type::Record(keep_all(attributes.into_iter().map(|ty| Field::new(ty, AscNullsLast)).collect()))
}

/// What `int4range` and its like are ranges of, by what stands before `range`.
fn range_element(name: &str) -> Option<Type<'static>> {
    Some(match name {
        "int4" => Type::I32,
        "int8" => Type::I64,
        "num" => Type::Decimal,
        "ts" | "tstz" => Type::Timestamp,
        "date" => Type::Date,
        _ => return None,
    })
}

fn pg_scalar(name: &str) -> Option<Type<'static>> {
    Some(match name {
        "bool" => Type::Bool,
        "int2" => Type::I16,
        "int4" => Type::I32,
        "int8" => Type::I64,
        "float4" => Type::F32,
        "float8" => Type::F64,
        "numeric" => Type::Decimal,
        "text" => Type::Str,
        "bytea" => Type::Bytes,
        "date" => Type::Date,
        "time" => Type::Time,
        "timetz" => Type::TimeTz,
        "timestamp" | "timestamptz" => Type::Timestamp,
        "interval" => Type::Interval,
        "uuid" => Type::Uuid,
        "macaddr" => Type::Mac48,
        "macaddr8" => Type::Mac64,
        "pg_lsn" => Type::Lsn,
        "enum" => Type::Enum,
        "inet" => Type::IpPrefix,
        "cidr" => Type::Network,
        "varbit" => Type::Bits,
        // `bit`, and `bit13` for `bit(13)`.
        _ if name.strip_prefix("bit").is_some_and(|n| n.bytes().all(|b| b.is_ascii_digit())) => Type::Bits,
        _ => return None,
    })
}
