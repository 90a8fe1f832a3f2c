//! isotone beside the crates that make ordered keys too, beside code written by hand, and beside
//! `memcpy` of the same bytes: every work of every subject in one run, taking turns.
//!
//! `cargo run --release -p bench-peers` prints one table. `--json FILE` writes what was measured,
//! `--svg FILE` draws it, `--from FILE` draws or prints an earlier run instead of measuring.
//! `--acts` lists every work with its subjects; `--act WORK/SUBJECT --times N` does one of them so
//! often and measures nothing, for a tool that counts instructions.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "a measurement that can't be made should stop"
)]

mod by_hand;
mod checks;
mod curve;
mod inputs;
mod isotone_works;
mod peers;
mod picture;
mod report;
mod timing;

use std::env;
use std::fs;
use std::process::exit;

use crate::report::Report;
use crate::report::Work;

fn main() {
    let (mut json, mut svg, mut from, mut rounds, mut only) = (None, None, None, 101usize, None);
    let (mut act, mut times) = (None, 1u32);
    let mut args = env::args().skip(1);
    while let Some(arg) = args.next() {
        let mut value = || args.next().unwrap_or_else(|| usage(&arg));
        match arg.as_str() {
            "--json" => json = Some(value()),
            "--svg" => svg = Some(value()),
            "--from" => from = Some(value()),
            "--only" => only = Some(value()),
            "--act" => act = Some(value()),
            "--acts" => return works().iter().for_each(|work| println!("{}", work.acts().join("\n"))),
            "--times" => times = value().parse().unwrap_or_else(|_| usage(&arg)),
            "--rounds" => rounds = value().parse().unwrap_or_else(|_| usage(&arg)),
            // What `cargo bench` adds.
            "--bench" => {}
            _ => usage(&arg),
        }
    }
    if let Some(act) = act {
        let done = works().iter_mut().any(|work| work.act(&act, times));
        if !done {
            usage(&act);
        }
        return;
    }
    let report = match from {
        Some(file) => serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap(),
        None => measure(rounds, only.as_deref()),
    };
    print!("{}", report.table());
    if let Some(file) = json {
        fs::write(file, serde_json::to_string_pretty(&report).unwrap() + "\n").unwrap();
    }
    if let Some(file) = svg {
        fs::write(file, picture::draw(&report)).unwrap();
    }
}

fn works() -> Vec<Work> {
    let mut works = isotone_works::works();
    peers::add_to(&mut works);
    by_hand::add_to(&mut works);
    works
}

fn measure(rounds: usize, only: Option<&str>) -> Report {
    let faults = checks::faults();
    let mut works = works();
    works.retain(|work| only.is_none_or(|only| work.id == only));
    let measured = works.into_iter().map(|work| report::measured(work, rounds, &faults)).collect();
    Report {
        date: today(),
        machine: format!("{} shared {} cores", std::thread::available_parallelism().unwrap(), env::consts::ARCH),
        profile: "release as cargo has it, no LTO, baseline instructions".to_owned(),
        rounds,
        works: measured,
        curve: curve::sizes(rounds),
        built_before: curve::built_before(),
    }
}

/// The day, in UTC.
fn today() -> String {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    // Days to a date, after Howard Hinnant's `civil_from_days`.
    let z = i64::try_from(now.as_secs() / 86_400).unwrap() + 719_468;
    let era = z / 146_097;
    let day_of_era = z % 146_097;
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    format!("{year}-{month:02}-{day:02}")
}

fn usage(arg: &str) -> ! {
    eprintln!("what is {arg}? known: --json FILE, --svg FILE, --from FILE, --only WORK, --rounds N");
    exit(2)
}
