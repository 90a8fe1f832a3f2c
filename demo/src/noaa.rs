//! Real observations of the weather, from NOAA; `data/README.md` says whence.

use anyhow::Context;
use anyhow::Result;
use anyhow::ensure;
use isotone::Asc;
use isotone::AscNullsFirst;
use isotone::Desc;
use isotone::DescNullsLast;
use isotone::Type;
use isotone::key_spec;
use sha2::Digest;
use sha2::Sha256;

use crate::report::hex;
use crate::table::Cell;
use crate::table::Index;
use crate::table::Row;
use crate::table::Table;

/// A file, compiled in, and the SHA-256 that it must have.
struct File {
    name: &'static str,
    text: &'static str,
    sha256: &'static str,
    header: &'static str,
}

const DAILY: File = File {
    name: "noaa-daily.csv",
    text: include_str!("../data/noaa-daily.csv"),
    sha256: "27219f1ca8dbd94c9b6f4b9f4f52ab2f1eb33dfdcf719cd9fc6481ed50b74549",
    header: "location,date,precipitation,temp_max,temp_min,wind,weather",
};

const HOURLY: File = File {
    name: "noaa-hourly.csv",
    text: include_str!("../data/noaa-hourly.csv"),
    sha256: "1dd5f65fcb4362ff44ffc79c8f4920394148a2f3216f7af1dfde1a77d9f3ff1a",
    header: "station,hour_utc,temp_f,wind_gust_mph,pressure_hpa,visibility_mi",
};

/// Location, the latest day first.
pub(crate) const DAYS: Index = Index {
    name: "days",
    generation: 1,
    table: "daily",
    spec: key_spec![Type::Str => Asc, Type::Date => Desc],
    fields: &["location", "date"],
    cells: &[0, 1],
    order_by: "location, date DESC",
    shards: None,
};

/// Location, weather, the wettest day first, the latest day first.
pub(crate) const RAIN: Index = Index {
    name: "rain",
    generation: 1,
    table: "daily",
    spec: key_spec![
        Type::Str => Asc,
        Type::Str => Asc,
        Type::Decimal => Desc,
        Type::Date => Desc,
    ],
    fields: &["location", "weather", "precipitation", "date"],
    cells: &[0, 2, 3, 1],
    order_by: "location, weather, precipitation DESC, date DESC",
    shards: None,
};

/// Station, the strongest gust first and hours without one last, hour.
pub(crate) const GUSTS: Index = Index {
    name: "gusts",
    generation: 1,
    table: "hourly",
    spec: key_spec![
        Type::Str => Asc,
        Type::F64 => DescNullsLast,
        Type::Timestamp => Asc,
    ],
    fields: &["station", "gust", "hour"],
    cells: &[0, 2, 1],
    order_by: "station, gust DESC NULLS LAST, hour",
    shards: None,
};

/// Station, hours without a pressure first and then the lowest, the latest hour first.
pub(crate) const PRESSURES: Index = Index {
    name: "pressures",
    generation: 1,
    table: "hourly",
    spec: key_spec![
        Type::Str => Asc,
        Type::Decimal => AscNullsFirst,
        Type::Timestamp => Desc,
    ],
    fields: &["station", "pressure", "hour"],
    cells: &[0, 3, 1],
    order_by: "station, pressure ASC NULLS FIRST, hour DESC",
    shards: None,
};

/// The same hours, by the hour and not by the station; hours without a gust come first, the weakest next.
pub(crate) const GUSTS_BY_HOUR: Index = Index {
    generation: 2,
    spec: key_spec![
        Type::Timestamp => Desc,
        Type::F64 => AscNullsFirst,
        Type::Str => Desc,
    ],
    fields: &["hour", "gust", "station"],
    cells: &[1, 2, 0],
    order_by: "hour DESC, gust ASC NULLS FIRST, station DESC",
    ..GUSTS
};

pub(crate) fn daily() -> Result<Table> {
    let rows = DAILY.rows(|line, [location, date, precipitation, _, _, _, weather]| {
        let cells = vec![Cell::text(location), Cell::date(date)?, Cell::text(weather), Cell::decimal(precipitation)?];
        Ok(Row { cells, payload: line.into() })
    })?;
    Ok(Table {
        name: "daily",
        columns: "location TEXT NOT NULL, date TEXT NOT NULL, weather TEXT NOT NULL, precipitation REAL NOT NULL",
        rows,
    })
}

pub(crate) fn hourly() -> Result<Table> {
    let rows = HOURLY.rows(|line, [station, hour, _, gust, pressure, _]| {
        let cells = vec![
            Cell::text(station),
            Cell::timestamp(hour)?,
            if gust == "NA" { Cell::NULL } else { Cell::f64(gust)? },
            if pressure == "NA" { Cell::NULL } else { Cell::decimal(pressure)? },
        ];
        Ok(Row { cells, payload: line.into() })
    })?;
    Ok(Table { name: "hourly", columns: "station TEXT NOT NULL, hour TEXT NOT NULL, gust REAL, pressure REAL", rows })
}

/// Says that a file is the one that `data/README.md` tells of.
pub(crate) fn verified(name: &str, text: &str, sha256: &str) -> Result<()> {
    let found = hex(&Sha256::digest(text));
    ensure!(found == sha256, "{name} has SHA-256 {found}, not {sha256}");
    Ok(())
}

impl File {
    /// Checks the file, then makes a row of each line behind the header. No field of these files is
    /// quoted.
    fn rows<const N: usize>(&self, row: impl Fn(&'static str, [&'static str; N]) -> Result<Row>) -> Result<Vec<Row>> {
        verified(self.name, self.text, self.sha256)?;
        let mut lines = self.text.lines().enumerate();
        let header = lines.next().map(|(_, header)| header);
        ensure!(header == Some(self.header), "{} has another header: {header:?}", self.name);
        let rows = lines.map(|(i, line)| {
            let fields: Vec<_> = line.split(',').collect();
            let count = fields.len();
            let fields = fields.try_into().ok().with_context(|| format!("{count} fields, not {N}"));
            fields
                .and_then(|fields| row(line, fields))
                .with_context(|| format!("{}, line {}", self.name, i.saturating_add(1)))
        });
        rows.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Plain;

    #[test]
    fn every_observation_is_read() {
        assert_eq!(daily().unwrap().rows.len(), 2922);
        let hourly = hourly().unwrap();
        assert_eq!(hourly.rows.len(), 26_115);
        let missing =
            |cell: usize| hourly.rows.iter().filter(|row| matches!(row.cells[cell].plain, Plain::Null)).count();
        assert_eq!((missing(2), missing(3)), (20_778, 2_729));
    }

    #[test]
    fn a_changed_file_is_refused() {
        let text = "location,date,precipitation,temp_max,temp_min,wind,weather\n";
        let changed = File { text, ..DAILY };
        let refused = changed.rows(|_, [_]| Ok(Row { cells: vec![], payload: vec![] }));
        assert!(refused.is_err_and(|error| error.to_string().contains("SHA-256")));
    }
}
