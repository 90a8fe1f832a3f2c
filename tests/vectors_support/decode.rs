//! Bytes that the Go library read: valid keys, cuts, bit flips, junk. We read the same value and
//! leave the same bytes, or find them malformed too.

use isotone::Decoder;
use isotone::Error;
use isotone::FieldOrder;
use isotone::Kind;
use isotone::Type;
use isotone::Value;

use crate::vectors_support::folder::Folder;
use crate::vectors_support::folder::Row;
use crate::vectors_support::laws::Column;
use crate::vectors_support::laws::encoded;
use crate::vectors_support::names;
use crate::vectors_support::report::Outcome;
use crate::vectors_support::report::Report;
use crate::vectors_support::report::Verdict;
use crate::vectors_support::schottky::Columns;
use crate::vectors_support::text::same;
use crate::vectors_support::text::same_bytes;
use crate::vectors_support::text::unhex;
use crate::vectors_support::typed;
use crate::vectors_support::values::NoValue;
use crate::vectors_support::values::scalar;

/// `decode.tsv`.
pub(crate) fn inputs(folder: &Folder, report: &mut Report) {
    let Some((table, mut sheet)) = folder.table("schottky", "decode.tsv", report) else { return };
    let mut columns = Columns::default();
    for row in table.rows() {
        sheet.row(row.line, || input(&mut columns, &row));
    }
    report.add(sheet);
}

fn input(columns: &mut Columns, row: &Row) -> Outcome {
    let [name, order, bytes, due, left] = row.cells()?;
    let order = names::order(order)?;
    let bytes = unhex(bytes)?;
    // A null without a kind: whatever is no null is then malformed.
    if name == "null" {
        let mut d = Decoder::new(&bytes);
        let (read, left) =
            (d.null(order).is_ok(), if due == "NULL" { left.to_owned() } else { bytes.len().to_string() });
        same("Decoder::null", &read, &(due == "NULL"))?;
        same("bytes left", &d.remaining().to_string(), &left)?;
        return Ok(Verdict::Checked);
    }
    let Some((ty, column)) = columns.get(name)? else { return Ok(Verdict::NotKnown) };
    match due.strip_prefix('!') {
        Some("Malformed") => malformed(column, order, &bytes)?,
        Some(other) => return Err(format!("can't be read: unknown error {other:?}")),
        None => {
            let left: usize = left.parse().map_err(|_| format!("can't be read: {left:?} bytes left"))?;
            let used = bytes.len().checked_sub(left).ok_or("can't be read: more bytes left than there were")?;
            let value = match due {
                "NULL" => Value::Null,
                text => scalar(ty, text).map_err(NoValue::told)?,
            };
            valid(column, order, &bytes, used, &value)?;
            told(ty, column, order, &bytes, due)?;
        }
    }
    Ok(Verdict::Checked)
}

/// Every way of reading gives the value and ends in the same place; the value gives the bytes back.
fn valid(column: &Column, order: FieldOrder, bytes: &[u8], used: usize, due: &Value<'_>) -> Result<(), String> {
    let (kind, spec) = (column.kind, column.spec(order)?);
    let mut d = Decoder::new(bytes);
    let value = d.value(kind, order).map(|value| value.unwrap_or(Value::Null));
    same("Decoder::value", &value, &Ok(*due))?;
    same("where Decoder::value ends", &d.offset(), &used)?;
    let mut d = Decoder::new(bytes);
    same("Decoder's own method", &typed::read(&mut d, kind, order), &Ok(*due))?;
    same("where Decoder's own method ends", &d.offset(), &used)?;
    let mut d = Decoder::new(bytes);
    same("skip", &d.skip(kind, order), &Ok(()))?;
    same("where skip ends", &d.offset(), &used)?;
    same("field", &spec.field(bytes, 0), &Ok(*due))?;
    same("prefix_len", &spec.prefix_len(bytes, 1), &Some(used))?;
    let whole = match bytes.len() > used {
        true => Err(Error::TrailingBytes { at: used }),
        false => Ok(()),
    };
    same("check of a whole key", &spec.check(bytes), &whole)?;
    same_bytes("what was read, encoded again", &encoded(spec, &[value.unwrap_or(*due)])?, &bytes[..used])
}

/// Every way of reading refuses the bytes, says where, and stays where it was.
fn malformed(column: &Column, order: FieldOrder, bytes: &[u8]) -> Result<(), String> {
    let (kind, spec) = (column.kind, column.spec(order)?);
    let mut d = Decoder::new(bytes);
    let read = d.value(kind, order);
    let Err(error) = read else { return Err(format!("read as {read:?}, where it is malformed")) };
    let placed = match error {
        Error::MalformedKey { at } => at == 0,
        Error::TruncatedKey { at } => at == bytes.len(),
        Error::InvalidEscape { at } => at > 0 && at < bytes.len(),
        _ => false,
    };
    if !placed {
        return Err(format!("{error:?} is no error of {} malformed bytes", bytes.len()));
    }
    same("where a failed read leaves the decoder", &d.offset(), &0)?;
    same("Decoder's own method", &typed::read(&mut d, kind, order), &Err(error))?;
    same("field", &spec.field(bytes, 0), &Err(error))?;
    same("check", &spec.check(bytes), &Err(error))?;
    // UTF-8 apart, skip refuses what reading refuses: of text, what is wrong as bytes.
    let skipped = if kind == Kind::STR { d.clone().bytes(order).map(|_| ()) } else { Err(error) };
    same("skip", &d.skip(kind, order), &skipped)?;
    same("skip under the spec", &spec.skip(bytes, 1).map(|_| ()), &skipped)
}

/// Where the README says how a value is spelled, it is spelled so to the letter.
fn told(ty: &Type<'static>, column: &Column, order: FieldOrder, bytes: &[u8], due: &str) -> Result<(), String> {
    let read = Decoder::new(bytes).value(column.kind, order).ok().flatten();
    let text = match (ty, read) {
        (Type::Decimal, Some(Value::Decimal(v))) => v.to_string(),
        (Type::F32, Some(Value::F32(v))) if !v.is_nan() => format!("{:08x}", v.to_bits()),
        (Type::F64, Some(Value::F64(v))) if !v.is_nan() => format!("{:016x}", v.to_bits()),
        _ => return Ok(()),
    };
    same("spelling", &text.as_str(), &due)
}
