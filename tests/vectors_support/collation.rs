//! Collation: rows of the Go library and of a MariaDB server. Every row is read by its documented
//! form; what it says is checked by [`claims`].

#[path = "collation_claims.rs"]
mod claims;

use std::panic::AssertUnwindSafe;
use std::panic::catch_unwind;
use std::sync::Mutex;
use std::thread;

use crate::vectors_support::folder::Folder;
use crate::vectors_support::folder::Row;
use crate::vectors_support::report::Report;
use crate::vectors_support::report::Sheet;
use crate::vectors_support::text::same;
use crate::vectors_support::text::unhex;

/// What a row says.
pub(crate) enum Claim<'t> {
    /// The Go library's keys of a text; a key of `None` where the text is refused.
    Key { profile: &'static str, text: Vec<u8>, key: Option<Vec<u8>>, total: Option<Vec<u8>> },
    /// SHA-256 over the keys of all scalars.
    Sum { profile: &'static str, sha256: [u8; 32] },
    /// A text that a server took.
    Text { text: &'t [u8] },
    /// The server's weights of a text, level by level.
    Weights { tailoring: &'static str, text: &'t [u8], levels: [Vec<u8>; 3] },
    /// The server's dense ranks of all texts.
    Order { collation: &'static str, texts: &'t [Vec<u8>], ranks: Vec<usize> },
    /// SHA-256 over the server's images of all scalars.
    Scalars { tailoring: &'static str, sha256: [u8; 32] },
}

/// `collation.tsv` and `collation-sums.tsv`.
pub(crate) fn schottky(folder: &Folder, report: &mut Report) {
    file(folder, report, ("schottky", "collation.tsv"), |row| {
        let [profile, text, key, total] = row.cells()?;
        Ok(Claim::Key { profile, text: unhex(text)?, key: image(key)?, total: image(total)? })
    });
    file(folder, report, ("schottky", "collation-sums.tsv"), |row| {
        let [profile, sum] = row.cells()?;
        Ok(Claim::Sum { profile, sha256: sha256(sum)? })
    });
}

/// All files of the server. Its texts are what the others speak of.
pub(crate) fn mariadb(folder: &Folder, report: &mut Report) {
    let texts = texts(folder, report);
    file(folder, report, ("mariadb", "weights.tsv"), |row| {
        let [tailoring, id, primary, secondary, tertiary] = row.cells()?;
        let text =
            id.parse().ok().and_then(|id: usize| texts.get(id)).ok_or_else(|| format!("no text of id {id:?}"))?;
        Ok(Claim::Weights { tailoring, text, levels: [unhex(primary)?, unhex(secondary)?, unhex(tertiary)?] })
    });
    file(folder, report, ("mariadb", "order.tsv"), |row| {
        let [collation, ranks] = row.cells()?;
        let ranks = ranks.split(',').map(|rank| rank.parse().ok()).collect::<Option<Vec<usize>>>();
        let ranks = ranks.ok_or("a rank is no number")?;
        same("number of ranks", &ranks.len(), &texts.len())?;
        Ok(Claim::Order { collation, texts: &texts, ranks })
    });
    file(folder, report, ("mariadb", "scalars.tsv"), |row| {
        let [tailoring, sum] = row.cells()?;
        Ok(Claim::Scalars { tailoring, sha256: sha256(sum)? })
    });
}

fn file<'t>(
    folder: &Folder,
    report: &mut Report,
    (set, name): (&str, &str),
    read: impl Fn(&Row) -> Result<Claim<'t>, String> + Sync,
) {
    let Some((table, mut sheet)) = folder.table(set, name, report) else { return };
    let rows: Vec<Row> = table.rows().collect();
    let outcomes = on_all_cores(&rows, |row| {
        let check = || claims::check(&read(row).map_err(|why| format!("can't be read: {why}"))?);
        catch_unwind(AssertUnwindSafe(check)).unwrap_or_else(|_| Err("panicked".to_owned()))
    });
    for (row, outcome) in rows.iter().zip(outcomes) {
        sheet.row(row.line, || outcome);
    }
    report.add(sheet);
}

/// Some rows speak of a million keys: they are checked side by side.
fn on_all_cores<T: Sync, R: Send>(items: &[T], check: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let (next, done) = (Mutex::new(items.iter().enumerate()), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let Some((at, item)) = next.lock().ok().and_then(|mut items| items.next()) else { return };
                    let result = check(item);
                    if let Ok(mut done) = done.lock() {
                        done.push((at, result));
                    }
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_default();
    done.sort_by_key(|(at, _)| *at);
    assert_eq!(done.len(), items.len(), "every row was checked");
    done.into_iter().map(|(_, result)| result).collect()
}

/// The texts by their ids, which are 0, 1, 2 and so on.
fn texts(folder: &Folder, report: &mut Report) -> Vec<Vec<u8>> {
    let Some((table, mut sheet)) = folder.table("mariadb", "texts.tsv", report) else { return Vec::new() };
    let mut texts = Vec::new();
    for row in table.rows() {
        read_text(&mut sheet, &row, &mut texts);
    }
    report.add(sheet);
    texts
}

fn read_text(sheet: &mut Sheet, row: &Row, texts: &mut Vec<Vec<u8>>) {
    sheet.row(row.line, || {
        let [id, text] = row.cells()?;
        same("can't be read: id", &id, &texts.len().to_string().as_str())?;
        let text = unhex(text)?;
        texts.push(text.clone());
        claims::check(&Claim::Text { text: &text })
    });
}

/// An image in hex, or nothing where the text is refused.
fn image(text: &str) -> Result<Option<Vec<u8>>, String> {
    match text.strip_prefix('!') {
        Some("InvalidValue") => Ok(None),
        Some(other) => Err(format!("unknown error {other:?}")),
        None => unhex(text).map(Some),
    }
}

fn sha256(text: &str) -> Result<[u8; 32], String> {
    unhex(text)?.try_into().map_err(|_| format!("{text:?} is no SHA-256"))
}
