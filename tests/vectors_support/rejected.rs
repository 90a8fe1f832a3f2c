//! Inputs that a PostgreSQL 18 server refuses. What its types do not hold, ours do not hold either:
//! the value is built as far as the library lets it, and every way of writing it must refuse. Where
//! the two part, [`LIMITS`] and [`SYNTAX`] say so and why; the report counts both, and what is in neither fails.

use isotone::Builder;
use isotone::Date;
use isotone::Decoder;
use isotone::Error;
use isotone::IpPrefix;
use isotone::Kind;
use isotone::Network;
use isotone::Time;
use isotone::Timestamp;
use isotone::Type;
use isotone::Value;
use isotone::ZonedTime;

use crate::vectors_support::folder::Folder;
use crate::vectors_support::laws::Column;
use crate::vectors_support::laws::key_of;
use crate::vectors_support::literals::literal;
use crate::vectors_support::names;
use crate::vectors_support::names::ORDERS;
use crate::vectors_support::report::Outcome;
use crate::vectors_support::report::Report;
use crate::vectors_support::report::Verdict;
use crate::vectors_support::schottky::refuse;
use crate::vectors_support::text::same;
use crate::vectors_support::text::unhex;
use crate::vectors_support::values::Built;
use crate::vectors_support::values::NoValue;
use crate::vectors_support::values::unreadable;

/// Where PostgreSQL refuses an input and the library has nothing to refuse.
struct Difference {
    /// Names of types, without a declared length; `*` is any.
    types: &'static [&'static str],
    sqlstate: &'static str,
    /// What the message contains.
    message: &'static str,
    reason: &'static str,
}

impl Difference {
    const fn new(
        types: &'static [&'static str],
        sqlstate: &'static str,
        message: &'static str,
        reason: &'static str,
    ) -> Self {
        Difference { types, sqlstate, message, reason }
    }

    /// The reason why this input is in the list, if it is.
    fn find(list: &[Difference], ty: &str, sqlstate: &str, message: &str) -> Option<&'static str> {
        let of_type = |d: &Difference| d.types.iter().any(|name| *name == ty || *name == "*");
        list.iter().find(|d| of_type(d) && d.sqlstate == sqlstate && message.contains(d.message)).map(|d| d.reason)
    }
}

/// Limits of the server that keys don't have: the value is written, and obeys the laws.
const LIMITS: [Difference; 6] = [
    Difference::new(&["numeric"], "22003", "overflow", "exponents of 32 bits fit a key"),
    Difference::new(&["numeric"], "22003", "out of range", "exponents of 32 bits fit a key"),
    Difference::new(&["numeric"], "22P02", "NaN\"", "a key's grammar gives NaN a sign, and drops it"),
    Difference::new(&["bit", "varbit"], "22026", "does not match type", "a key declares no length of bits"),
    Difference::new(&["varbit", "text"], "22001", "too long", "a key declares no length"),
    Difference::new(&["text"], "22021", "0x00", "text in a key may hold U+0000"),
];

const TEMPORAL: &[&str] = &["date", "time", "timetz", "timestamp", "timestamptz", "interval"];

/// SQL's text alone, which the library never reads: it takes numbers, bytes, bits and parts. This
/// counts only for inputs that the readers of this test can't take apart either: where there is a
/// value, the library must refuse it.
const SYNTAX: [Difference; 12] = [
    Difference::new(&["*"], "22P02", "invalid input", "no reader of SQL's literals"),
    Difference::new(&["*"], "22P02", "malformed", "no reader of SQL's literals of composites"),
    Difference::new(&["bit", "varbit"], "22P02", "not a valid", "bits are given as bytes"),
    Difference::new(&["float4", "float8"], "22003", "out of range", "floats are rounded by the caller"),
    Difference::new(&["macaddr", "macaddr8"], "22003", "octet", "addresses are given as bytes"),
    Difference::new(&["bytea"], "22023", "hexadecimal", "bytes are given as bytes"),
    Difference::new(TEMPORAL, "22007", "invalid", "times are given as counts of units"),
    Difference::new(TEMPORAL, "22008", "out of range", "fields that only the server's parser knows"),
    Difference::new(TEMPORAL, "22009", "displacement", "zones that only the server's parser knows"),
    Difference::new(&["interval"], "22015", "out of range", "fields that only the server's parser knows"),
    Difference::new(&["*"], "22P03", "", "no reader of the server's wire format"),
    Difference::new(&["*"], "08P01", "", "no reader of the server's wire format"),
];

/// `rejected.tsv`.
pub(crate) fn inputs(folder: &Folder, report: &mut Report) {
    let Some((table, mut sheet)) = folder.table("pg18", "rejected.tsv", report) else { return };
    for row in table.rows() {
        sheet.row(row.line, || {
            let [name, input, state, message] = row.cells()?;
            one(name, input, state, message)
        });
    }
    report.add(sheet);
}

fn one(name: &'static str, input: &'static str, state: &str, message: &str) -> Outcome {
    // A declared length, as in `bit(13)` or `numeric(5,2)`, is the server's own.
    let base = name.split('(').next().unwrap_or(name);
    let base = if base == "bit13" { "bit" } else { base };
    let Some(ty) = names::pg(base) else { return Ok(Verdict::NotKnown) };
    let column = Column::new(ty)?;
    let value = wire(&ty, state, input).unwrap_or_else(|| literal(&ty, input));
    match value {
        Err(NoValue::Refused(_)) => {
            if matches!(ty, Type::Network) {
                host_bits(input)?;
            }
            Ok(Verdict::Checked)
        }
        Err(NoValue::Unreadable(why)) => match Difference::find(&SYNTAX, base, state, message) {
            Some(reason) => Ok(Verdict::Apart(format!("SQL text only: {reason}"))),
            None => Err(format!("can't be read, and is in no list of differences: {why}")),
        },
        Ok(value) if refused(&column, &value)? => Ok(Verdict::Checked),
        Ok(value) => {
            let reason = Difference::find(&LIMITS, base, state, message)
                .ok_or_else(|| format!("{value:?} was written, which PostgreSQL refuses: {message}"))?;
            for order in ORDERS {
                key_of(&column, order, &value)?;
            }
            Ok(Verdict::Apart(format!("PostgreSQL-only limit: {reason}")))
        }
    }
}

/// Whether a value is refused in all six orders and in every way; half a refusal is a fault.
fn refused(column: &Column, value: &Value<'static>) -> Result<bool, String> {
    let is_refused = |order| {
        let mut key = Builder::new(&mut []);
        key.value(column.kind, value, order);
        matches!(key.err(), Some(Error::InvalidValue { .. }))
    };
    if !ORDERS.into_iter().any(is_refused) {
        return Ok(false);
    }
    for order in ORDERS {
        refuse(column, order, value, "InvalidValue").map_err(|fault| format!("{order:?}: {fault}"))?;
    }
    Ok(true)
}

/// A network that is refused for its host bits is a prefix that can be written; as a network its
/// bytes are malformed.
fn host_bits(input: &str) -> Result<(), String> {
    let Ok(prefix) = input.parse::<IpPrefix>() else { return Ok(()) };
    same("Network::new", &Network::new(prefix.addr(), prefix.prefix_len()), &None)?;
    for order in ORDERS {
        let mut room = [0; 64];
        let mut key = Builder::new(&mut room);
        key.ip_prefix(prefix, order);
        let key = key.finish().map_err(|error| format!("{order:?}: {error:?}"))?;
        let read = Decoder::new(key).network(order);
        same("prefix read as a network", &read, &Err(Error::MalformedKey { at: 0 }))?;
        same("prefix passed over as a network", &Decoder::new(key).skip(Kind::NETWORK, order).is_err(), &true)?;
    }
    Ok(())
}

/// A value from the server's binary form, of the types whose form is of fixed width, and of text;
/// `None` when the input is SQL text.
fn wire(ty: &Type<'static>, state: &str, input: &str) -> Option<Built> {
    let bytes = unhex(input).ok()?;
    let value = match (ty, bytes.len()) {
        _ if matches!(state, "22P03" | "08P01") => return Some(Err(unreadable(input))),
        (Type::Date, 4) => Value::Date(Date::from_days(i32::from_be_bytes(bytes.try_into().ok()?))),
        (Type::Time, 8) => Value::Time(Time::from_micros(i64::from_be_bytes(bytes.try_into().ok()?))),
        (Type::Timestamp, 8) => Value::Timestamp(Timestamp::from_micros(i64::from_be_bytes(bytes.try_into().ok()?))),
        (Type::TimeTz, 12) => {
            let (local, west) = bytes.split_at(8);
            let west = i32::from_be_bytes(west.try_into().ok()?);
            Value::TimeTz(ZonedTime::new(i64::from_be_bytes(local.try_into().ok()?), west.wrapping_neg()))
        }
        // Text that is refused for its encoding can only have been given as bytes.
        (Type::Str, _) if state == "22021" => match std::str::from_utf8(bytes.leak()) {
            Ok(text) => Value::str(text),
            Err(error) => return Some(Err(NoValue::Refused(error.to_string()))),
        },
        _ => return None,
    };
    Some(Ok(value))
}
