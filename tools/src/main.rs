//! The programs behind the committed tables.
//!
//! `cargo run -p isotone-tools -- unicode14 tools/data/unicode14 src/collation [--check]` reads the
//! Unicode 14.0.0 files of the data folder and writes `data.rs`, the tables of the frozen collation
//! producer. The output depends on nothing but the four input files: the same input gives the same
//! bytes on any machine. With `--check` nothing is written; the program fails if the committed file
//! differs from what it would write.

#![expect(
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::indexing_slicing,
    reason = "a program of the workshop: what goes wrong stops it, and the check finds it"
)]

#[cfg(test)]
mod check;
mod emit;
mod parse;
mod tables;

use std::path::Path;
use std::process::ExitCode;

const USAGE: &str = "usage: isotone-tools unicode14 <data-dir> <out-dir> [--check]";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let done = match args.as_slice() {
        ["unicode14", data, out] => unicode14(Path::new(data), Path::new(out), false),
        ["unicode14", data, out, "--check"] => unicode14(Path::new(data), Path::new(out), true),
        _ => Err(USAGE.to_string()),
    };
    match done {
        Ok(report) => {
            println!("{report}");
            ExitCode::SUCCESS
        }
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

/// Builds the tables and writes them, or compares them with what is there.
fn unicode14(data: &Path, out: &Path, check: bool) -> Result<String, String> {
    let source = parse::Source::read(data)?;
    let tables = tables::Tables::build(&source)?;
    let text = emit::rust(&tables);
    let file = out.join("data.rs");
    if check {
        let there = std::fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
        if there != text {
            return Err(format!("{} is not what the data give: run without --check", file.display()));
        }
        Ok(format!("{} is up to date, {} table bytes", file.display(), tables.bytes()))
    } else {
        std::fs::write(&file, &text).map_err(|e| format!("{}: {e}", file.display()))?;
        Ok(tables.report())
    }
}
