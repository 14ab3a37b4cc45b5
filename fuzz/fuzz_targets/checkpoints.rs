//! A forged checkpoint of any kind of run is refused or continued. The first byte selects the kind.
#![no_main]
#![allow(unused, reason = "the module also has tests")]

#[path = "../../crates/scenario/tests/forged_checkpoints.rs"]
mod forged_checkpoints;

use std::sync::LazyLock;

use forged_checkpoints::Kind;
use libfuzzer_sys::fuzz_target;

/// The runs from whose checkpoints forgeries are made.
static KINDS: LazyLock<Vec<Kind>> = LazyLock::new(forged_checkpoints::kinds);

fuzz_target!(|bytes: &[u8]| {
    if let [first, rest @ ..] = bytes {
        KINDS[usize::from(*first) % KINDS.len()].forged_fate(rest);
    }
});
