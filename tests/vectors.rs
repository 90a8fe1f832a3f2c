//! Runs the vector sets: what PostgreSQL 18 sorts, what the Go library writes and reads, and the
//! golden bytes of the composites.
//!
//! The folder is the committed one, `tests/vectors`, or the one that `ISOTONE_VECTORS` names: any
//! other sets of the same form, with the same file names. A relative path is seen from the
//! package's root. Each set's `README.md` says what its columns mean.
//!
//! Every test prints a table: for each file how many rows were checked and how many it does not
//! know yet. A row that disagrees or can't be read fails, with its file and line. So does a row of
//! a kind that is not known. To see the tables of tests that pass:
//!
//! ```text
//! cargo test --test vectors -- --nocapture
//! ```
#![expect(
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "a test may panic; while it checks a row that is the row's fault, and told with its line"
)]

mod vectors_support;

use vectors_support::collation;
use vectors_support::composites;
use vectors_support::decode;
use vectors_support::folder::Folder;
use vectors_support::multi;
use vectors_support::pg18;
use vectors_support::rejected;
use vectors_support::report::Report;
use vectors_support::schottky;

/// What lies in the folder and belongs to no set.
#[test]
fn folder() {
    let folder = Folder::find();
    let mut report = Report::new("folder", &folder);
    folder.strangers(&mut report);
    report.finish();
}

/// One column of each type: same rank ⇔ same key, smaller rank ⇔ smaller key, in six orders.
#[test]
fn pg18_types() {
    let folder = Folder::find();
    let mut report = Report::new("pg18 types", &folder);
    pg18::types(&folder, &mut report);
    report.finish();
}

/// Several columns under many `ORDER BY`s.
#[test]
fn pg18_columns() {
    let folder = Folder::find();
    let mut report = Report::new("pg18 columns", &folder);
    multi::tables(&folder, &mut report);
    report.finish();
}

/// What the server refuses, the library refuses, apart from a list of differences.
#[test]
fn pg18_rejected() {
    let folder = Folder::find();
    let mut report = Report::new("pg18 rejected", &folder);
    rejected::inputs(&folder, &mut report);
    report.finish();
}

/// Same value, same bytes; what the Go library refuses to write is refused.
#[test]
fn schottky_fields() {
    let folder = Folder::find();
    let mut report = Report::new("schottky fields", &folder);
    schottky::fields(&folder, &mut report);
    report.finish();
}

/// Same bytes, same value and same bytes left, or malformed for both.
#[test]
fn schottky_decode() {
    let folder = Folder::find();
    let mut report = Report::new("schottky decode", &folder);
    decode::inputs(&folder, &mut report);
    report.finish();
}

/// Keys of several fields, where each field ends, and their upper bounds.
#[test]
fn schottky_composite() {
    let folder = Folder::find();
    let mut report = Report::new("schottky composite", &folder);
    composites::keys(&folder, &mut report);
    report.finish();
}

/// The bytes of the composites.
#[test]
fn format() {
    let folder = Folder::find();
    let mut report = Report::new("format", &folder);
    pg18::golden(&folder, &mut report);
    report.finish();
}

/// Collation keys of the Go library: every row, and all scalars under every profile.
#[test]
fn schottky_collation() {
    let folder = Folder::find();
    let mut report = Report::new("schottky collation", &folder);
    collation::schottky(&folder, &mut report);
    report.finish();
}

/// Weights and orders of a server: no text of any collation is excepted.
#[test]
fn mariadb() {
    let folder = Folder::find();
    let mut report = Report::new("mariadb", &folder);
    collation::mariadb(&folder, &mut report);
    report.finish();
}
