//! Random layouts, rows and ranges: a key is in a range exactly when its row satisfies the predicate.
#![no_main]

#[path = "bodies/mod.rs"]
mod bodies;

libfuzzer_sys::fuzz_target!(|data: &[u8]| bodies::spec::run(data));
