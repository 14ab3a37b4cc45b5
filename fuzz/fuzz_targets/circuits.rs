//! Beeps reach the pins that flooding reaches.
#![no_main]
#![allow(unused, reason = "the modules also have tests")]

#[path = "../../crates/circuits/tests/circuits.rs"]
mod circuits;
#[path = "../../crates/circuits/tests/structures.rs"]
mod structures;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| circuits::agrees_with_flooding(bytes));
