//! SQLite, which sorts the original values by its own rules and knows nothing of keys.

use anyhow::Context;
use anyhow::Result;
use isotone::Direction;
use rusqlite::Connection;
use rusqlite::ToSql;
use rusqlite::params_from_iter;
use rusqlite::types::ToSqlOutput;
use rusqlite::types::Value;
use rusqlite::types::ValueRef;

use crate::table::Index;
use crate::table::Plain;
use crate::table::Row;
use crate::table::Table;

impl ToSql for Plain {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Plain::Null => ValueRef::Null,
            Plain::Int(n) => ValueRef::Integer(*n),
            Plain::Real(n) => ValueRef::Real(*n),
            Plain::Text(text) => ValueRef::Text(text.as_bytes()),
        }))
    }
}

/// A database in memory.
pub(crate) struct Sqlite(Connection);

impl Sqlite {
    pub(crate) fn load(tables: &[Table]) -> Result<Self> {
        let mut db = Connection::open_in_memory()?;
        let transaction = db.transaction()?;
        for table in tables {
            load(&transaction, table).with_context(|| format!("loading {} into SQLite", table.name))?;
        }
        transaction.commit()?;
        Ok(Sqlite(db))
    }

    /// Ids of the rows that satisfy a condition, in the order of an index.
    pub(crate) fn answer(&self, index: &Index, condition: &str) -> Result<Vec<u64>> {
        let sql = format!("SELECT id FROM {} WHERE {condition} ORDER BY {}", index.table, index.order_by);
        let mut statement = self.0.prepare(&sql).with_context(|| sql.clone())?;
        let ids = statement.query_map([], |row| row.get::<_, i64>(0))?;
        ids.map(|id| Ok(u64::try_from(id?)?)).collect()
    }

    /// For each row, in the order they came: ids of the rows with the same rank.
    pub(crate) fn equals(&self, index: &Index, rank: &str) -> Result<Vec<u64>> {
        let table = index.table;
        let sql = format!(
            "SELECT b.id FROM {table} AS a JOIN {table} AS b ON a.{rank} = b.{rank} ORDER BY a.number, b.number"
        );
        let mut statement = self.0.prepare(&sql).with_context(|| sql.clone())?;
        let ids = statement.query_map([], |row| row.get::<_, i64>(0))?;
        ids.map(|id| Ok(u64::try_from(id?)?)).collect()
    }

    /// The distinct values of an index's first fields, in its order.
    pub(crate) fn distinct(&self, index: &Index, fields: usize) -> Result<Vec<Vec<Value>>> {
        let (columns, order_by) = (columns(index, fields), first_terms(index, fields));
        let sql = format!("SELECT DISTINCT {columns} FROM {} ORDER BY {order_by}", index.table);
        let mut statement = self.0.prepare(&sql).with_context(|| sql.clone())?;
        let rows = statement.query_map([], |row| (0..fields).map(|n| row.get(n)).collect::<rusqlite::Result<_>>())?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// Ids of the first row, or of the last, for each distinct value of an index's first fields.
    pub(crate) fn one_of_each(&self, index: &Index, fields: usize, end: Direction) -> Result<Vec<u64>> {
        let wanted = match end {
            Direction::Forward => "1",
            Direction::Backward => "rows",
        };
        let (columns, Index { table, order_by, .. }) = (columns(index, fields), index);
        let sql = format!(
            "SELECT id FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY {columns} ORDER BY {order_by}) AS place, \
             COUNT(*) OVER (PARTITION BY {columns}) AS rows FROM {table}) WHERE place = {wanted} ORDER BY {order_by}"
        );
        let mut statement = self.0.prepare(&sql).with_context(|| sql.clone())?;
        let ids = statement.query_map([], |row| row.get::<_, i64>(0))?;
        ids.map(|id| Ok(u64::try_from(id?)?)).collect()
    }
}

/// The first fields of an index, as SQL names them.
fn columns(index: &Index, fields: usize) -> String {
    let columns: Vec<_> = index.fields.iter().take(fields).copied().collect();
    columns.join(", ")
}

/// The order of the first fields of an index.
fn first_terms(index: &Index, fields: usize) -> String {
    let terms: Vec<_> = index.order_by.split(", ").take(fields).collect();
    terms.join(", ")
}

/// The values of a row's first fields in an index, as SQLite has them.
pub(crate) fn values(index: &Index, row: &Row, fields: usize) -> Result<Vec<Value>> {
    let cells = index.cells.iter().take(fields).map(|cell| row.cells.get(*cell));
    let values = cells.map(|cell| {
        cell.map(|cell| match cell.plain {
            Plain::Null => Value::Null,
            Plain::Int(n) => Value::Integer(n),
            Plain::Real(n) => Value::Real(n),
            Plain::Text(text) => Value::Text(text.to_owned()),
        })
    });
    values.collect::<Option<_>>().context("a row lacks a cell")
}

fn load(db: &Connection, table: &Table) -> Result<()> {
    db.execute(&format!("CREATE TABLE {} (id INTEGER PRIMARY KEY, {})", table.name, table.columns), [])?;
    let Some(first) = table.rows.first() else { return Ok(()) };
    let places = vec!["?"; first.cells.len()].join(", ");
    let mut insert = db.prepare(&format!("INSERT INTO {} VALUES (?, {places})", table.name))?;
    for (row, id) in table.rows.iter().zip(0i64..) {
        let cells = row.cells.iter().map(|cell| cell.plain);
        insert.execute(params_from_iter(std::iter::once(Plain::Int(id)).chain(cells)))?;
    }
    Ok(())
}
