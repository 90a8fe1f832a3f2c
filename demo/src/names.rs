//! Words of many languages, sorted under two collations. A real server says the ranks; `data/README.md`
//! says which.

use anyhow::Context;
use anyhow::Result;
use anyhow::ensure;
use isotone::Asc;
use isotone::ByteRange;
use isotone::Desc;
use isotone::Direction;
use isotone::Type;
use isotone::Value;
use isotone::collation::CollationProfile;
use isotone::collation::Collator;
use isotone::key_spec;

use crate::check::Places;
use crate::noaa::verified;
use crate::report::Line;
use crate::report::Reference;
use crate::report::Section;
use crate::scan::Engine;
use crate::scan::Filter;
use crate::scan::Source;
use crate::scan::Walk;
use crate::sqlite::Sqlite;
use crate::table::Cell;
use crate::table::Index;
use crate::table::Plain;
use crate::table::Row;
use crate::table::Table;

const TEXT: &str = include_str!("../data/names.tsv");
const SHA256: &str = "1be8aea09c0e641ca02f0ee64aef52fca8351180d463cd6ec272b7a98d9355c1";

/// A collation as the server names it, and as a layout has it.
struct Collation {
    server_name: &'static str,
    producer: &'static str,
}

const SWEDISH: Collation =
    Collation { server_name: "utf8mb4_uca1400_swedish_as_cs", producer: "uca14;14.0.0;server;swedish_pad_as_cs" };

/// No language's own, and neither accents nor case count.
const LOOSE: Collation =
    Collation { server_name: "utf8mb4_uca1400_ai_ci", producer: "uca14;14.0.0;server;root_pad_ai_ci" };

impl Collation {
    fn collator(&self) -> Result<Collator> {
        let profile = CollationProfile::from_server_name(self.server_name)?;
        let producer = profile.producer();
        ensure!(producer.as_str() == self.producer, "{} is {}", self.server_name, producer.as_str());
        Ok(Collator::new(profile))
    }

    /// A word's image, which is what sorts; and its rank, which is what SQLite gets. What is read here
    /// lives as long as the program.
    fn cell(&self, word: &str, rank: &str) -> Result<Cell> {
        let collator = self.collator()?;
        let mut image = vec![0; collator.key_size(word)?];
        collator.key(word, &mut image)?;
        let image: &'static [u8] = image.leak();
        Ok(Cell { value: Value::Collated(image.into()), plain: Plain::Int(rank.parse()?) })
    }
}

/// In Swedish order; words that the collation holds equal by number.
pub(crate) const IN_SWEDISH: Index = Index {
    name: "swedish",
    generation: 1,
    table: "names",
    spec: key_spec![
        Type::Collated { deterministic: false, producer: SWEDISH.producer } => Asc,
        Type::U64 => Asc,
    ],
    fields: &["name", "number"],
    cells: &[1, 3],
    order_by: "swedish, number",
    shards: None,
};

/// By letters only, backward; words that the collation holds equal by number.
pub(crate) const LOOSELY: Index = Index {
    name: "loose",
    spec: key_spec![
        Type::Collated { deterministic: false, producer: LOOSE.producer } => Desc,
        Type::U64 => Asc,
    ],
    cells: &[2, 3],
    order_by: "loose DESC, number",
    ..IN_SWEDISH
};

pub(crate) fn names() -> Result<Table> {
    verified("names.tsv", TEXT, SHA256)?;
    let mut lines = TEXT.lines();
    let header = lines.next().map(|header| header.split('\t').collect::<Vec<_>>());
    let expected = [SWEDISH.server_name, LOOSE.server_name];
    ensure!(header.is_some_and(|header| header.ends_with(&expected)), "names.tsv has another header");
    let rows = lines.zip(0u64..).map(|(line, number)| {
        let fields: Vec<_> = line.split('\t').collect();
        let [hex, swedish, loose] = fields[..] else { anyhow::bail!("{} fields, not 3", fields.len()) };
        let word = from_hex(hex)?;
        let cells = vec![Cell::text(word), SWEDISH.cell(word, swedish)?, LOOSE.cell(word, loose)?, Cell::u64(number)?];
        Ok(Row { cells, payload: word.into() })
    });
    let rows = rows.zip(2..).map(|(row, line): (Result<_>, _)| row.with_context(|| format!("names.tsv, line {line}")));
    Ok(Table {
        name: "names",
        columns: "name TEXT NOT NULL, swedish INTEGER NOT NULL, loose INTEGER NOT NULL, number INTEGER NOT NULL",
        rows: rows.collect::<Result<_>>()?,
    })
}

fn from_hex(hex: &str) -> Result<&'static str> {
    let digits: Vec<_> = hex.chars().map(|digit| digit.to_digit(16)).collect::<Option<_>>().context("no hex")?;
    let bytes = digits.chunks(2).map(|two| match two {
        [high, low] => u8::try_from(high.wrapping_mul(16) | low).ok(),
        _ => None,
    });
    let bytes: Vec<u8> = bytes.collect::<Option<_>>().context("half a byte")?;
    Ok(String::from_utf8(bytes)?.leak())
}

/// Looks each word up: all that the server holds equal to it must come, and no other.
pub(crate) fn section(places: &Places<'_>, sqlite: &Sqlite) -> Result<Section> {
    let &Places { index, table, stored, frozen, .. } = places;
    let rank = index.order_by.split([' ', ',']).next().context("no order")?;
    let reference = Reference { rows: sqlite.equals(index, rank)?, table };
    let lines = vec![
        Line::reference(&reference),
        Line::of("fjall", "lookups", &lookups(&places.source(stored))?, &reference),
        Line::of("fst", "lookups", &lookups(&places.source(frozen))?, &reference),
    ];
    let sql = "name COLLATE … = each of the names, by the server's ranks";
    Ok(Section::new(index, "each name, and all that equal it", sql, format!("{:?}", index.spec), lines))
}

fn lookups<E: Engine>(source: &Source<'_, E>) -> Result<Walk> {
    let mut all = Walk::default();
    for row in &source.table.rows {
        let values = source.index.values(row)?;
        let name = values.get(..1).context("no name")?;
        let mut room = vec![0; source.index.spec.range_size(name, &[], &[])?];
        let range: ByteRange<&[u8]> = source.index.spec.prefix_range(name, &mut room)?;
        all.extend(source.read(range.slices(), Direction::Forward, usize::MAX, Filter::All)?);
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_collations_are_told_apart() {
        let table = names().unwrap();
        assert_eq!(table.rows.len(), 400);
        let differ = |a: usize, b: usize| {
            let equal = |cell: usize| {
                let image = |row: usize| table.rows[row].cells[cell].value;
                image(a) == image(b)
            };
            (!equal(1), !equal(2))
        };
        // a, A, á.
        assert_eq!((differ(1, 2), differ(1, 3)), ((true, false), (true, false)));
        assert!(from_hex("6").is_err() && from_hex("zz").is_err() && from_hex("ff").is_err());
    }
}
