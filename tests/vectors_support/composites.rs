//! Keys of several fields that the Go library wrote: their bytes, where each field ends, and the
//! least bytes above all that begin with them.

use isotone::Builder;
use isotone::FieldOrder;
use isotone::Kind;
use isotone::Type;
use isotone::Value;
use isotone::prefix_upper_bound;

use crate::vectors_support::folder::Folder;
use crate::vectors_support::laws::encoded;
use crate::vectors_support::laws::spec;
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

/// One field of a row.
struct Part {
    ty: Type<'static>,
    kind: Kind<'static>,
    order: FieldOrder,
    value: Value<'static>,
}

/// `composite.tsv`.
pub(crate) fn keys(folder: &Folder, report: &mut Report) {
    let Some((table, mut sheet)) = folder.table("schottky", "composite.tsv", report) else { return };
    let mut columns = Columns::default();
    for row in table.rows() {
        sheet.row(row.line, || {
            let [fields, ends, key, bound] = row.cells()?;
            let Some(parts) = parts(&mut columns, fields)? else { return Ok(Verdict::NotKnown) };
            one_key(&parts, &read_ends(ends)?, &unhex(key)?, bound)
        });
    }
    report.add(sheet);
}

/// The fields of a row; `None` if a kind is not known. A key of no fields is empty.
fn parts(columns: &mut Columns, fields: &'static str) -> Result<Option<Vec<Part>>, String> {
    let mut parts = Vec::new();
    for field in fields.split(" | ").filter(|_| !fields.is_empty()) {
        let (head, text) = match field.split_once('=') {
            Some((head, text)) => (head, Some(text)),
            None => (field, None),
        };
        let (kind, order) = head.split_once(':').ok_or_else(|| format!("can't be read: field {field:?}"))?;
        let order = names::order(order)?;
        // A null without a kind has the same bytes under any.
        let kind = if kind == "null" && text.is_none() { "bool" } else { kind };
        let Some((ty, column)) = columns.get(kind)? else { return Ok(None) };
        let value = match text {
            Some(text) => scalar(ty, text).map_err(NoValue::told)?,
            None => Value::Null,
        };
        parts.push(Part { ty: *ty, kind: column.kind, order, value });
    }
    Ok(Some(parts))
}

fn read_ends(ends: &str) -> Result<Vec<usize>, String> {
    let ends = ends.split(',').filter(|_| !ends.is_empty()).map(|end| end.parse().ok());
    ends.collect::<Option<_>>().ok_or_else(|| "can't be read: ends of the fields".to_owned())
}

fn one_key(parts: &[Part], ends: &[usize], key: &[u8], bound: &str) -> Outcome {
    same("number of ends beside number of fields", &ends.len(), &parts.len())?;
    let mut room = vec![0xa5; key.len()];
    let mut builder = Builder::new(&mut room);
    for (part, end) in parts.iter().zip(ends) {
        typed::write(&mut builder, part.kind, &part.value, part.order);
        same("end of a field in the builder", &builder.len(), end)?;
    }
    same_bytes("key", builder.finish().map_err(|error| format!("Builder: {error:?}"))?, key)?;

    let mut room = vec![0xa5; key.len()];
    let got = prefix_upper_bound(key, &mut room).map_err(|error| format!("prefix_upper_bound: {error:?}"))?;
    match bound {
        "none" => same("prefix_upper_bound", &got, &None)?,
        hex => same_bytes("prefix_upper_bound", got.ok_or("prefix_upper_bound: none")?, &unhex(hex)?)?,
    }
    // No spec has no fields.
    if !parts.is_empty() {
        under_a_spec(parts, ends, key)?;
    }
    Ok(Verdict::Checked)
}

fn under_a_spec(parts: &[Part], ends: &[usize], key: &[u8]) -> Result<(), String> {
    let fields: Vec<(Type<'static>, FieldOrder)> = parts.iter().map(|part| (part.ty, part.order)).collect();
    let values: Vec<Value<'static>> = parts.iter().map(|part| part.value).collect();
    let spec = spec(&fields)?;
    same_bytes("KeySpec::encode", &encoded(&spec, &values)?, key)?;
    let mut read = vec![Value::Null; parts.len()];
    spec.decode(key, &mut read).map_err(|error| format!("decode: {error:?}"))?;
    same("values read back", &read, &values)?;
    same_bytes("what was read, encoded again", &encoded(&spec, &read)?, key)?;
    let mut room = vec![0; parts.len()];
    same("offsets", &spec.offsets(key, &mut room), &Ok(ends))?;
    let mut room = vec![0xa5; key.len()];
    for n in 0..=parts.len() {
        let end = n.checked_sub(1).map_or(0, |last| ends[last]);
        same("skip", &spec.skip(key, n), &Ok(end))?;
        same("prefix_len", &spec.prefix_len(key, n), &Some(end))?;
        let prefix =
            spec.encode_prefix(&values[..n], &mut room).map_err(|error| format!("encode_prefix: {error:?}"))?;
        same_bytes("encode_prefix", prefix, &key[..end])?;
    }
    Ok(())
}
