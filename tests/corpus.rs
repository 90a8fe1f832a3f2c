//! Replays the committed fuzz corpora: the same functions that `cargo fuzz run` calls, over the seeds
//! under `fuzz/corpus`. A finding that was mended stays there as a seed.
#![expect(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test that fails may panic, and its model is plain arithmetic on small numbers"
)]

#[path = "../fuzz/fuzz_targets/bodies/mod.rs"]
mod bodies;

use std::fs;
use std::path::Path;

/// Runs `target` over each of its seeds; names the one that fails.
#[track_caller]
fn replay(target: &str, run: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(target);
    let mut seeds: Vec<_> = fs::read_dir(&folder)
        .expect("the corpus is committed")
        .map(|entry| entry.expect("a readable folder").path())
        .collect();
    seeds.sort();
    assert!(seeds.len() >= 24, "only {} seeds in {}", seeds.len(), folder.display());
    for seed in &seeds {
        let data = fs::read(seed).expect("a readable seed");
        println!("{}", seed.display());
        run(&data);
    }
}

#[test]
fn collation() {
    replay("collation", bodies::collation::run);
}

#[test]
fn decode_any() {
    replay("decode_any", bodies::decode_any::run);
}

#[test]
fn family_laws() {
    replay("family_laws", bodies::family_laws::run);
}

#[test]
fn spec() {
    replay("spec", bodies::spec::run);
}
