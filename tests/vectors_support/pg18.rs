//! PostgreSQL's types one by one, and the golden bytes of the composites, which have its forms.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use isotone::FieldOrder;
use isotone::Type;

use crate::vectors_support::folder::Folder;
use crate::vectors_support::folder::Table;
use crate::vectors_support::laws::Column;
use crate::vectors_support::laws::Ranked;
use crate::vectors_support::laws::key_of;
use crate::vectors_support::laws::sorted;
use crate::vectors_support::names;
use crate::vectors_support::names::ORDERS;
use crate::vectors_support::report::Outcome;
use crate::vectors_support::report::Report;
use crate::vectors_support::report::Sheet;
use crate::vectors_support::report::Verdict;
use crate::vectors_support::text::same_bytes;
use crate::vectors_support::text::unhex;
use crate::vectors_support::values::NoValue;
use crate::vectors_support::values::component;

/// The files of today.
const TYPES: [&str; 36] = [
    "bit",
    "bit13",
    "bool",
    "bytea",
    "cidr",
    "date",
    "enum",
    "float4",
    "float8",
    "float8_array",
    "inet",
    "int2",
    "int4",
    "int4_array",
    "int4multirange",
    "int4range",
    "int8",
    "interval",
    "macaddr",
    "macaddr8",
    "numeric",
    "numeric_array",
    "nummultirange",
    "numrange",
    "pg_lsn",
    "row_int4_text_numeric",
    "row_nested",
    "text",
    "text_array",
    "time",
    "timestamp",
    "timestamptz",
    "timetz",
    "tsrange",
    "uuid",
    "varbit",
];

/// Every file of one type.
pub(crate) fn types(folder: &Folder, report: &mut Report) {
    let files = folder.names("pg18");
    let mut names: Vec<&str> = files.iter().filter_map(|file| file.strip_suffix(".tsv")).collect();
    // Several columns and refused inputs have tests of their own.
    names.retain(|name| *name != "rejected" && !name.ends_with(".rows") && !name.ends_with(".orders"));
    names.extend(TYPES.iter().filter(|name| !files.contains(&format!("{name}.tsv"))));
    names.sort_unstable();
    for name in names {
        let Some((table, mut sheet)) = folder.table("pg18", &format!("{name}.tsv"), report) else { continue };
        match names::pg(name) {
            Some(ty) => one_type(&mut sheet, ty, &table),
            None => {
                sheet.note("unknown type");
                sheet.not_known(table.rows().count());
            }
        }
        report.add(sheet);
    }
}

fn one_type(sheet: &mut Sheet, ty: Type<'static>, table: &Table) {
    let column = match Column::new(ty) {
        Ok(column) => column,
        Err(fault) => return sheet.fault(0, &fault),
    };
    let mut rows: Vec<Ranked> = Vec::new();
    for row in table.rows() {
        let read = row.cells().and_then(|[rank, _text, components]| {
            let rank = rank.parse().ok().filter(|rank| *rank > 0).ok_or_else(|| format!("rank {rank:?}"))?;
            let value = component(&ty, components).map_err(NoValue::told)?;
            Ok(Ranked { line: row.line, rank, value })
        });
        rows.extend(sheet.read(row.line, read));
    }
    let ranks: BTreeSet<usize> = rows.iter().map(|row| row.rank).collect();
    for (what, found) in [("values", rows.len()), ("ranks", ranks.len())] {
        if table.promised(what).is_some_and(|due| due != found) {
            sheet.fault(0, &format!("{found} {what}, which are not those that the header speaks of"));
        }
    }
    // The keys of a row in all six orders; of one that fails there are none.
    let mut keys: BTreeMap<usize, Vec<(FieldOrder, Vec<u8>)>> = BTreeMap::new();
    for row in &rows {
        sheet.row(row.line, || {
            let all = ORDERS.into_iter().map(|order| Ok((order, key_of(&column, order, &row.value)?)));
            keys.insert(row.line, all.collect::<Result<_, String>>()?);
            Ok(Verdict::Checked)
        });
    }
    for order in ORDERS {
        let with_keys = rows.iter().filter_map(|row| {
            let (_, key) = keys.get(&row.line)?.iter().find(|(o, _)| *o == order)?;
            Some((row, key.as_slice()))
        });
        sorted(sheet, &column, order, &with_keys.collect::<Vec<_>>());
    }
}

/// The bytes of the composites: written, read back, and the same under a tag or complemented in
/// the other orders.
pub(crate) fn golden(folder: &Folder, report: &mut Report) {
    let Some((table, mut sheet)) = folder.table("format", "composites.tsv", report) else { return };
    let mut columns: BTreeMap<&str, (Type<'static>, Column)> = BTreeMap::new();
    for row in table.rows() {
        sheet.row(row.line, || {
            let [name, components, payload] = row.cells()?;
            if !columns.contains_key(name) {
                let Some(ty) = names::pg(name) else { return Ok(Verdict::NotKnown) };
                columns.insert(name, (ty, Column::new(ty)?));
            }
            let (ty, column) = columns.get(name).ok_or("no column")?;
            golden_row(ty, column, components, &unhex(payload)?)
        });
    }
    report.add(sheet);
}

fn golden_row(ty: &Type<'static>, column: &Column, components: &'static str, payload: &[u8]) -> Outcome {
    let value = component(ty, components).map_err(NoValue::told)?;
    for order in ORDERS {
        let mut due = payload.to_vec();
        if order.is_descending() {
            due.iter_mut().for_each(|byte| *byte = !*byte);
        }
        if let Some(nulls_first) = order.nulls_first() {
            due.insert(0, u8::from(nulls_first));
        }
        same_bytes(&format!("{order:?}"), &key_of(column, order, &value)?, &due)?;
    }
    Ok(Verdict::Checked)
}
