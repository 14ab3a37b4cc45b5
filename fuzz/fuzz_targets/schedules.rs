//! Bytes decide every step of a world whose edges change. No promise breaks, and every request is served.
#![no_main]
#![allow(unused, reason = "the module also has tests")]

#[path = "../../crates/runtime/tests/any_schedule.rs"]
mod any_schedule;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| any_schedule::serves_every_request(bytes));
