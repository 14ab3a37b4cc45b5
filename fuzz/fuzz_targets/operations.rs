//! Operations of amoebots do what the table of the model says, or nothing.
#![no_main]
#![allow(unused, reason = "the module also has tests")]

#[path = "../../amoebot/tests/operations.rs"]
mod operations;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| operations::do_what_the_table_says(bytes));
