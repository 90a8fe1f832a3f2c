//! Tables of original values, and the indexes over them.

use anyhow::Context;
use anyhow::Result;
use isotone::Date;
use isotone::Decimal;
use isotone::IndexContract;
use isotone::KeySpec;
use isotone::Shards;
use isotone::Time;
use isotone::Timestamp;
use isotone::Value;
use sha2::Digest;
use sha2::Sha256;

/// One value of a row, said twice: to isotone, and to SQLite.
#[derive(Clone, Copy)]
pub(crate) struct Cell {
    pub(crate) value: Value<'static>,
    pub(crate) plain: Plain,
}

/// A value as its source says it. SQLite gets this and knows nothing of keys.
#[derive(Clone, Copy)]
pub(crate) enum Plain {
    Null,
    Int(i64),
    Real(f64),
    Text(&'static str),
}

impl Cell {
    pub(crate) const NULL: Cell = Cell { value: Value::Null, plain: Plain::Null };

    pub(crate) fn text(text: &'static str) -> Self {
        Cell { value: text.into(), plain: Plain::Text(text) }
    }

    pub(crate) fn u8(n: u8) -> Self {
        Cell { value: n.into(), plain: Plain::Int(n.into()) }
    }

    pub(crate) fn i64(n: i64) -> Self {
        Cell { value: n.into(), plain: Plain::Int(n) }
    }

    pub(crate) fn u64(n: u64) -> Result<Self> {
        let int = i64::try_from(n).with_context(|| format!("{n} is too large for SQLite"))?;
        Ok(Cell { value: n.into(), plain: Plain::Int(int) })
    }

    pub(crate) fn f64(text: &str) -> Result<Self> {
        let n: f64 = text.parse().with_context(|| format!("{text:?} is no number"))?;
        Ok(Cell { value: n.into(), plain: Plain::Real(n) })
    }

    pub(crate) fn decimal(text: &'static str) -> Result<Self> {
        let n = Decimal::parse(text).with_context(|| format!("{text:?} is no decimal"))?;
        Ok(Cell { value: n.into(), ..Cell::f64(text)? })
    }

    pub(crate) fn date(text: &'static str) -> Result<Self> {
        let date = parse_date(text).with_context(|| format!("{text:?} is no date"))?;
        Ok(Cell { value: date.into(), plain: Plain::Text(text) })
    }

    pub(crate) fn timestamp(text: &'static str) -> Result<Self> {
        let instant = parse_timestamp(text).with_context(|| format!("{text:?} is no UTC timestamp"))?;
        Ok(Cell { value: instant.into(), plain: Plain::Text(text) })
    }
}

/// `2013-01-31`
fn parse_date(text: &str) -> Option<Date> {
    let mut parts = text.split('-');
    let date = Date::from_ymd(number(&mut parts)?, number(&mut parts)?, number(&mut parts)?);
    if parts.next().is_none() { date } else { None }
}

/// `2013-01-31T06:00:00Z`
fn parse_timestamp(text: &str) -> Option<Timestamp> {
    let (date, time) = text.strip_suffix('Z')?.split_once('T')?;
    let mut parts = time.split(':');
    let time = Time::from_hms(number(&mut parts)?, number(&mut parts)?, number(&mut parts)?, 0)?;
    if parts.next().is_none() { Timestamp::from_date_time(parse_date(date)?, time) } else { None }
}

fn number<'a, T: std::str::FromStr>(parts: &mut impl Iterator<Item = &'a str>) -> Option<T> {
    parts.next()?.parse().ok()
}

/// A row: what can be indexed, and the rest of it as bytes.
pub(crate) struct Row {
    pub(crate) cells: Vec<Cell>,
    pub(crate) payload: Vec<u8>,
}

/// Rows in the order they came. A row's id is its place here.
pub(crate) struct Table {
    pub(crate) name: &'static str,
    /// Columns of the cells, as SQLite declares them.
    pub(crate) columns: &'static str,
    pub(crate) rows: Vec<Row>,
}

impl Table {
    pub(crate) fn row(&self, id: u64) -> Result<&Row> {
        let row = usize::try_from(id).ok().and_then(|id| self.rows.get(id));
        row.with_context(|| format!("{} has no row {id}", self.name))
    }

    /// SHA-256 over rows in the order of their ids: each is its id, 8 bytes, the length of its payload, 8
    /// bytes, and its payload. An id that is none of the table's counts with an empty payload.
    pub(crate) fn digest(&self, ids: &[u64]) -> [u8; 32] {
        let mut digest = Sha256::new();
        for id in ids {
            let payload = self.row(*id).map_or(&[][..], |row| &row.payload);
            digest.update(id.to_be_bytes());
            digest.update(payload.len().to_be_bytes());
            digest.update(payload);
        }
        digest.finalize().into()
    }
}

/// An index over a table.
#[derive(Clone, Copy)]
pub(crate) struct Index {
    pub(crate) name: &'static str,
    /// Rises with each re-keying.
    pub(crate) generation: u64,
    /// Name of the table.
    pub(crate) table: &'static str,
    /// What the keys' bytes mean.
    pub(crate) spec: KeySpec<'static>,
    /// Ids of the fields: the names of their columns.
    pub(crate) fields: &'static [&'static str],
    /// Which cell each field of the key holds.
    pub(crate) cells: &'static [usize],
    /// The same order as SQL says it.
    pub(crate) order_by: &'static str,
    /// Over how many places its keys are spread, when they are.
    pub(crate) shards: Option<Shards<'static>>,
}

impl Index {
    /// The table that this is an index over.
    pub(crate) fn table_of<'t>(&self, tables: &'t [Table]) -> Result<&'t Table> {
        let table = tables.iter().find(|table| table.name == self.table);
        table.with_context(|| format!("{} is an index over no table", self.name))
    }

    /// What is stored beside the index: its name, its generation, and what its keys mean.
    pub(crate) fn contract(&self) -> Result<Vec<u8>> {
        let (id, ids) = (self.name.as_bytes(), self.fields.iter().map(|id| id.as_bytes()).collect::<Vec<_>>());
        let mut room = vec![0; IndexContract::size(id, &self.spec, &ids)];
        IndexContract::new(id, self.generation, &self.spec, &ids, &mut room)
            .with_context(|| format!("writing the contract of {}", self.name))?;
        Ok(room)
    }

    /// Where the fields of another generation lie in this one.
    pub(crate) fn places_of(&self, other: &Index) -> Result<Vec<usize>> {
        let places = other.fields.iter().map(|id| self.fields.iter().position(|field| field == id));
        places.collect::<Option<_>>().with_context(|| format!("{} has other fields now", self.name))
    }

    /// The values of a row's key, from the row.
    pub(crate) fn values(&self, row: &Row) -> Result<Vec<Value<'static>>> {
        let cells = self.cells.iter().map(|cell| row.cells.get(*cell).map(|cell| cell.value));
        cells.collect::<Option<_>>().with_context(|| format!("index {} names a cell that the row lacks", self.name))
    }

    /// Writes a row's key to `key`, which grows as it must, and gives it.
    pub(crate) fn key<'b>(&self, row: &Row, key: &'b mut Vec<u8>) -> Result<&'b [u8]> {
        let values = self.values(row)?;
        let size = self.spec.size(&values).with_context(|| format!("sizing a key of {}", self.name))?;
        key.resize(key.len().max(size), 0);
        self.spec.encode(&values, key).with_context(|| format!("writing a key of {}", self.name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_as_written_and_nothing_else_is() {
        assert_eq!(parse_date("2013-01-31").unwrap().to_string(), "2013-01-31");
        assert_eq!(parse_timestamp("2013-01-31T06:05:04Z").unwrap().to_string(), "2013-01-31 06:05:04");
        for bad in ["", "2013", "2013-02-30", "2013-01-31-01", "NA"] {
            assert!(parse_date(bad).is_none(), "{bad}");
        }
        for bad in ["2013-01-31T06:00:00", "2013-01-31T06:00Z", "2013-01-31 06:00:00Z", "2013-01-31T25:00:00Z"] {
            assert!(parse_timestamp(bad).is_none(), "{bad}");
        }
    }

    #[test]
    fn both_sayings_of_a_cell_are_one_value() {
        let cell = Cell::decimal("1012.30").unwrap();
        assert_eq!(cell.value, Value::Decimal(Decimal::from_parts(10_123, -1)));
        assert!(matches!(cell.plain, Plain::Real(n) if n == 1012.3));
        assert!(Cell::f64("NA").is_err() && Cell::decimal("NA").is_err());
    }
}
