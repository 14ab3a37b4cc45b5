//! Every reader accepts or refuses any bytes. `ACRASIN_READER` names a reader; without it the first byte selects one.
#![no_main]
#![allow(unused, reason = "the module has more than the list of readers")]

#[path = "../../crates/cli/tests/command/readers.rs"]
mod readers;

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use readers::READERS;

static NAME: LazyLock<Option<String>> = LazyLock::new(|| std::env::var("ACRASIN_READER").ok());

fuzz_target!(|bytes: &[u8]| {
    if let Some(name) = &*NAME {
        let reader = READERS.iter().find(|reader| reader.0 == name);
        reader.expect("ACRASIN_READER must be the name of a reader").2(bytes);
    } else if let [first, rest @ ..] = bytes {
        READERS[usize::from(*first) % READERS.len()].2(rest);
    }
});
