//! Any bytes, read under every kind and order: total, canonical, and `skip` agrees.
#![no_main]

#[path = "bodies/mod.rs"]
mod bodies;

libfuzzer_sys::fuzz_target!(|data: &[u8]| bodies::decode_any::run(data));
