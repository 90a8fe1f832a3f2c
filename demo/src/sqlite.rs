//! SQLite, which sorts the original values by its own rules and knows nothing of keys.

use anyhow::Context;
use anyhow::Result;
use rusqlite::Connection;
use rusqlite::ToSql;
use rusqlite::params_from_iter;
use rusqlite::types::ToSqlOutput;
use rusqlite::types::ValueRef;

use crate::table::Index;
use crate::table::Plain;
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
