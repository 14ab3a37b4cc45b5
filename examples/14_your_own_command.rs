//! The whole `acrasin` command with something of one's own: a protocol that scenarios name like those of the library.
//!
//! `cargo run -p acrasin-examples --bin 14_your_own_command -- list protocols` shows it; `run`, `check`, records and plots
//! know it, too. Amoebot algorithms are added the same way, by `Catalogue::with_amoebots`.

use acrasin::prelude::*;
use acrasin::protocols::library::{Entry, Instance};
use acrasin::scenario::Catalogue;

/// The later of two letters wins.
struct Maximum;

impl Protocol for Maximum {
    type State = u8;
    type Output = u8;

    fn transition(&self, initiator: u8, responder: u8) -> (u8, u8) {
        (initiator.max(responder), initiator.max(responder))
    }

    fn output(&self, state: u8) -> u8 {
        state
    }
}

impl FiniteProtocol for Maximum {
    fn states(&self) -> Vec<u8> {
        (0..4).collect()
    }

    fn state_name(&self, state: u8) -> String {
        ["a", "b", "c", "d"][usize::from(state)].to_owned()
    }

    fn output_name(&self, output: &u8) -> String {
        output.to_string()
    }
}

const MAXIMUM: Entry = Entry::new("maximum", "the later of two letters wins", "a, b, c, d", |_| {
    Ok(Instance::of(&Maximum, |agents| vec![agents - 1, 0, 0, 1]))
});

fn main() -> std::process::ExitCode {
    acrasin::cli::main(&Catalogue::shipped().with_protocol(MAXIMUM).expect("a new name"))
}
