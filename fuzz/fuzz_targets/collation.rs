//! Two texts under any collation of `uca14`, and any bytes read back as a key of it.
#![no_main]

#[path = "bodies/mod.rs"]
mod bodies;

libfuzzer_sys::fuzz_target!(|data: &[u8]| bodies::collation::run(data));
