//! Values of every kind and order: the eight laws hold.
#![no_main]

#[path = "bodies/mod.rs"]
mod bodies;

libfuzzer_sys::fuzz_target!(|data: &[u8]| bodies::family_laws::run(data));
