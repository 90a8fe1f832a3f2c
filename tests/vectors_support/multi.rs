//! Several columns: rows of values, and their ranks under many `ORDER BY`s.

use isotone::FieldOrder;
use isotone::KeySpec;
use isotone::Type;
use isotone::Value;

use crate::vectors_support::folder::Folder;
use crate::vectors_support::folder::Table;
use crate::vectors_support::laws::encoded;
use crate::vectors_support::laws::ordered;
use crate::vectors_support::laws::spec;
use crate::vectors_support::names;
use crate::vectors_support::report::Outcome;
use crate::vectors_support::report::Report;
use crate::vectors_support::report::Sheet;
use crate::vectors_support::report::Verdict;
use crate::vectors_support::text::same;

use crate::vectors_support::values::component;

/// The tables of today, with their columns as the README gives them.
const TABLES: [(&str, &str); 2] = [
    ("multi_a", "id\ta:int4\tb:text\tc:float8\td:numeric\te:bool\tf:timestamptz"),
    ("multi_b", "id\ta:bytea\tb:text\tc:interval\td:inet\te:int4_array\tf:numrange\tg:varbit"),
];

/// A column's name, and its type if that is known.
type Named = (&'static str, Option<Type<'static>>);

/// The rows of a table, by their ids. Of a column of unknown type the values are null.
struct Rows {
    columns: Vec<Named>,
    values: Vec<Vec<Value<'static>>>,
}

/// Every `NAME.rows.tsv` with its `NAME.orders.tsv`.
pub(crate) fn tables(folder: &Folder, report: &mut Report) {
    let files = folder.names("pg18");
    let here = files.iter().filter_map(|file| file.strip_suffix(".rows.tsv").or(file.strip_suffix(".orders.tsv")));
    let mut names: Vec<&str> = here.chain(TABLES.map(|(name, _)| name)).collect();
    names.sort_unstable();
    names.dedup();
    for name in names {
        let mut rows = None;
        if let Some((table, mut sheet)) = folder.table("pg18", &format!("{name}.rows.tsv"), report) {
            rows = read_rows(&mut sheet, name, &table);
            report.add(sheet);
        }
        if let Some((table, mut sheet)) = folder.table("pg18", &format!("{name}.orders.tsv"), report) {
            match &rows {
                Some(rows) => table.rows().for_each(|row| {
                    sheet.row(row.line, || {
                        let [orders, ranks] = row.cells()?;
                        one_order(rows, orders, ranks)
                    });
                }),
                None => sheet.fault(0, "there are no rows to order"),
            }
            report.add(sheet);
        }
    }
}

/// The rows, in the order of their ids, which are 0, 1, 2 and so on.
fn read_rows(sheet: &mut Sheet, name: &str, table: &Table) -> Option<Rows> {
    let known = TABLES.iter().find(|(table, _)| *table == name).map(|(_, columns)| *columns);
    let Some(columns) = table.header("columns").or(known) else {
        sheet.fault(0, "can't be read: no header names the columns");
        return None;
    };
    let columns: Vec<Named> = columns
        .split('\t')
        .skip(1)
        .map(|column| column.split_once(':').map_or((column, None), |(name, ty)| (name, names::pg(ty))))
        .collect();
    let mut found: Vec<(usize, Vec<Value<'static>>)> = Vec::new();
    for row in table.rows() {
        sheet.row(row.line, || {
            let [id, components @ ..] = row.cells.as_slice() else { return Err("no id".to_owned()) };
            same("can't be read: number of values", &components.len(), &columns.len())?;
            let id = id.parse().map_err(|_| format!("can't be read: id {id:?}"))?;
            let values = columns.iter().zip(components).map(|((column, ty), text)| match ty {
                Some(ty) if *text != "\\N" => {
                    component(ty, text).map_err(|why| format!("can't be read: {column}: {}", why.told()))
                }
                _ => Ok(Value::Null),
            });
            found.push((id, values.collect::<Result<_, String>>()?));
            let known = columns.iter().all(|(_, ty)| ty.is_some());
            Ok(if known { Verdict::Checked } else { Verdict::NotKnown })
        });
    }
    found.sort_by_key(|(id, _)| *id);
    if let Some((at, (id, _))) = found.iter().enumerate().find(|(at, (id, _))| at != id) {
        sheet.fault(0, &format!("can't be read: id {id} where {at} is due"));
        return None;
    }
    Some(Rows { columns, values: found.into_iter().map(|(_, values)| values).collect() })
}

/// One `ORDER BY`: all keys under the spec of its columns sort exactly by the ranks.
fn one_order(rows: &Rows, orders: &str, ranks: &str) -> Outcome {
    let mut fields: Vec<(Type<'static>, FieldOrder)> = Vec::new();
    let mut picked: Vec<usize> = Vec::new();
    for field in orders.split(',') {
        let parts: Vec<&str> = field.split(':').collect();
        let [name, direction, nulls] = parts[..] else { return Err(format!("can't be read: {field:?}")) };
        let at = rows.columns.iter().position(|(column, _)| *column == name);
        let at = at.ok_or_else(|| format!("can't be read: no column {name:?}"))?;
        let Some(ty) = rows.columns[at].1 else { return Ok(Verdict::NotKnown) };
        fields.push((ty, names::sql_order(direction, nulls)?));
        picked.push(at);
    }
    let ranks = ranks.split(',').map(|rank| rank.parse().ok().filter(|rank| *rank > 0));
    let ranks: Vec<usize> = ranks.collect::<Option<_>>().ok_or("can't be read: a rank is no number from 1")?;
    same("can't be read: number of ranks", &ranks.len(), &rows.values.len())?;

    let spec = spec(&fields)?;
    let mut keys: Vec<(usize, usize, Vec<Value<'static>>, Vec<u8>)> = Vec::new();
    for (id, (rank, values)) in ranks.into_iter().zip(&rows.values).enumerate() {
        let values: Vec<Value<'static>> = picked.iter().map(|at| values[*at]).collect();
        let key = encoded(&spec, &values).and_then(|key| reread(&spec, &values, &key).map(|()| key));
        keys.push((rank, id, values, key.map_err(|fault| format!("row {id}: {fault}"))?));
    }
    keys.sort_by_key(|(rank, id, ..)| (*rank, *id));
    for pair in keys.windows(2) {
        let [(a_rank, a_id, a, a_key), (b_rank, b_id, b, b_key)] = pair else { continue };
        ordered(&spec, a_rank.cmp(b_rank), (a_key, a), (b_key, b))
            .map_err(|fault| format!("row {a_id} of rank {a_rank} beside row {b_id} of rank {b_rank}: {fault}"))?;
    }
    Ok(Verdict::Checked)
}

/// A whole key reads back as its values, and its fields end where its prefixes do.
fn reread(spec: &KeySpec<'static>, values: &[Value<'static>], key: &[u8]) -> Result<(), String> {
    let mut read = vec![Value::Null; values.len()];
    spec.decode(key, &mut read).map_err(|error| format!("decode: {error:?}"))?;
    same("values read back", &read.as_slice(), &values)?;
    let mut ends = vec![0; values.len()];
    spec.offsets(key, &mut ends).map_err(|error| format!("offsets: {error:?}"))?;
    for (at, end) in ends.iter().enumerate() {
        let prefix = spec.size(&values[..=at]);
        same("end of a field beside the size of its prefix", &Ok(*end), &prefix)?;
    }
    Ok(())
}
