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
#[path = "../../benches/shared/byte_loop.rs"]
mod byte_loop;
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
        profile: profile(),
        rounds,
        works: measured,
        curve: curve::sizes(rounds),
        built_before: curve::built_before(),
    }
}

fn profile() -> String {
    let lanes = if cfg!(feature = "simd") { "isotone with feature simd" } else { "isotone without features" };
    format!("release as cargo has it, no LTO, no target-cpu; {lanes}")
}

/// The day, in UTC.
fn today() -> String {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    isotone::Date::from_unix_days(i32::try_from(now.as_secs() / 86_400).unwrap()).unwrap().to_string()
}

fn usage(arg: &str) -> ! {
    eprintln!(
        "what is {arg}? known: --json FILE, --svg FILE, --from FILE, --only WORK, --rounds N, --acts, --act WORK/SUBJECT, --times N"
    );
    exit(2)
}
