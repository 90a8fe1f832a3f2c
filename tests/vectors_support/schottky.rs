//! The Go library's fields: what it writes is what we write, what it refuses we refuse.

use std::collections::BTreeMap;

use isotone::Builder;
use isotone::Decoder;
use isotone::Error;
use isotone::FieldOrder;
use isotone::Type;
use isotone::Value;

use crate::vectors_support::folder::Folder;
use crate::vectors_support::folder::Row;
use crate::vectors_support::laws::Column;
use crate::vectors_support::laws::built;
use crate::vectors_support::laws::encoded;
use crate::vectors_support::laws::key_of;
use crate::vectors_support::names;
use crate::vectors_support::report::Outcome;
use crate::vectors_support::report::Report;
use crate::vectors_support::report::Verdict;
use crate::vectors_support::text::same;
use crate::vectors_support::text::same_bytes;
use crate::vectors_support::text::unhex;
use crate::vectors_support::typed;
use crate::vectors_support::values::NoValue;
use crate::vectors_support::values::scalar;

/// The kinds that were met, by name; `None` for one that is not known.
#[derive(Default)]
pub(crate) struct Columns(BTreeMap<String, Option<(Type<'static>, Column)>>);

impl Columns {
    /// The column of a kind.
    pub(crate) fn get(&mut self, name: &str) -> Result<Option<&(Type<'static>, Column)>, String> {
        if !self.0.contains_key(name) {
            let column = names::schottky(name).map(|ty| Ok::<_, String>((ty, Column::new(ty)?))).transpose()?;
            self.0.insert(name.to_owned(), column);
        }
        Ok(self.0.get(name).and_then(Option::as_ref))
    }
}

/// `fields.tsv`.
pub(crate) fn fields(folder: &Folder, report: &mut Report) {
    let Some((table, mut sheet)) = folder.table("schottky", "fields.tsv", report) else { return };
    let mut columns = Columns::default();
    for row in table.rows() {
        sheet.row(row.line, || field(&mut columns, &row));
    }
    report.add(sheet);
}

fn field(columns: &mut Columns, row: &Row) -> Outcome {
    let [name, order, text, due] = row.cells()?;
    let order = names::order(order)?;
    if name == "null" {
        return null(columns, order, &unhex(due)?);
    }
    let Some((ty, column)) = columns.get(name)? else { return Ok(Verdict::NotKnown) };
    let value = scalar(ty, text);
    match (due.strip_prefix('!'), value) {
        (_, Err(NoValue::Unreadable(why))) => Err(format!("can't be read: {why}")),
        // There is no such value to be written, which is what `InvalidValue` means.
        (Some("InvalidValue"), Err(NoValue::Refused(_))) => Ok(Verdict::Checked),
        (Some(error), Err(NoValue::Refused(why))) => Err(format!("{why}, where {error} is due")),
        (Some(error), Ok(value)) => refuse(column, order, &value, error).map(|()| Verdict::Checked),
        (None, Err(NoValue::Refused(why))) => Err(format!("refused: {why}")),
        (None, Ok(value)) => {
            same_bytes("key", &key_of(column, order, &value)?, &unhex(due)?)?;
            Ok(Verdict::Checked)
        }
    }
}

/// A null's key under every kind that the test knows, and through the builder's own method.
fn null(columns: &mut Columns, order: FieldOrder, due: &[u8]) -> Outcome {
    let key = built(due.len(), |b| {
        b.null(order);
    })
    .map_err(|error| format!("Builder::null: {error:?}"))?;
    same_bytes("key of null", &key, due)?;
    let mut d = Decoder::new(&key);
    same("Decoder::null", &d.null(order), &Ok(()))?;
    same("bytes left", &d.remaining(), &0)?;
    for kind in ["bool", "str", "decimal", "network"] {
        let (_, column) = columns.get(kind)?.ok_or("unknown kind")?;
        same_bytes(kind, &encoded(column.spec(order)?, &[Value::Null])?, due)?;
    }
    Ok(Verdict::Checked)
}

/// A value is refused by every way of writing it, with nothing written.
pub(crate) fn refuse(column: &Column, order: FieldOrder, value: &Value<'_>, due: &str) -> Result<(), String> {
    let (kind, spec) = (column.kind, column.spec(order)?);
    let named = |what: &str, got: Option<Error>| {
        let name = |error| format!("{error:?}").chars().take_while(char::is_ascii_alphanumeric).collect::<String>();
        same(what, &got.map(name), &Some(due.to_owned()))
    };
    let write = |what: &str, untouched: bool, write: &dyn Fn(&mut Builder<'_>)| {
        let mut room = [0xa5; 64];
        let mut key = Builder::new(&mut room);
        write(&mut key);
        let (len, error) = (key.len(), key.err());
        named(what, error)?;
        same("bytes written", &len, &0)?;
        if untouched { same_bytes("room after a refusal", &room, &[0xa5; 64]) } else { Ok(()) }
    };
    write("Builder::value", true, &|b| {
        b.value(kind, value, order);
    })?;
    // Closures write as they go: behind what is taken back there may be leftovers.
    let whole = !matches!(value, Value::Record(_) | Value::List(_) | Value::Array(_));
    write("Builder's own method", whole, &|b| typed::write(b, kind, value, order))?;
    named("KeySpec::encode", spec.encode(&[*value], &mut [0; 64]).err())?;
    named("KeySpec::size", spec.size(&[*value]).err())?;
    named("KeySpec::compare", spec.compare(&[], &[*value]).err())?;
    named("size::value", isotone::size::value(kind, value).err())
}
