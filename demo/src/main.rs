//! isotone on real engines and real data: builds composite keys, writes them to fjall and to an fst,
//! asks both a fixed set of questions in several ways, pages through answers while others write, turns
//! two indexes into other layouts and asks again, sorts names under two collations. SQLite, which sorts
//! the original values by its own rules, says what the answers are. What must be refused is tried too.
//!
//! Prints a table, and with `--report FILE` writes a report as JSON. Ends with an exit code other than
//! 0 unless all answers agree, row by row, and all is refused that must be.

mod check;
mod cursors;
mod demo;
mod distinct;
mod frozen;
mod hand;
mod names;
mod noaa;
mod paging;
mod queries;
mod refusals;
mod rekey;
mod rekeyed;
mod report;
mod run;
mod scan;
mod sqlite;
mod store;
mod stored;
mod table;
mod telemetry;

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use anyhow::Result;

const USAGE: &str = "usage: isotone-demo [--report FILE]";

fn main() -> Result<ExitCode> {
    let Some(report) = arguments(std::env::args_os().skip(1)) else {
        eprintln!("{USAGE}");
        return Ok(ExitCode::from(2));
    };
    let dir = tempfile::Builder::new().prefix("isotone-demo-").tempdir().context("making a temporary directory")?;
    let outcome = run::run(dir.path(), &mut io::stdout().lock())?;
    dir.close().context("removing the temporary directory")?;
    if let Some(path) = report {
        let report = serde_json::to_string_pretty(&outcome.report)?;
        fs::write(&path, report + "\n").with_context(|| format!("writing {}", path.display()))?;
    }
    Ok(if outcome.disagreements == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Where the report goes, if anywhere. Nothing for arguments that are not understood.
fn arguments(mut given: impl Iterator<Item = OsString>) -> Option<Option<PathBuf>> {
    let report = match given.next() {
        None => return Some(None),
        Some(flag) if flag == "--report" => given.next()?,
        Some(_) => return None,
    };
    given.next().is_none().then_some(Some(report.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_report_can_be_asked_for() {
        let parse = |given: &[&str]| arguments(given.iter().map(OsString::from));
        assert_eq!(parse(&[]), Some(None));
        assert_eq!(parse(&["--report", "a.json"]), Some(Some("a.json".into())));
        for bad in [&["--report"][..], &["a.json"], &["--report", "a", "b"], &["--help"]] {
            assert_eq!(parse(bad), None, "{bad:?}");
        }
    }
}
