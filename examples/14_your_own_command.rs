//! The whole `acrasin` command with user-defined additions: a protocol and a graph family that scenarios can name
//! like the built-in ones.
//!
//! `cargo run -p acrasin-examples --bin 14_your_own_command -- list protocols` lists the protocol:
//!
//! ```text
//! …
//! protocol  maximum                       the later of two letters wins; states a, b, c, d
//! …
//! ```
//!
//! `list graphs` has the graph family. `run`, `check`, records and plots know them as well. Amoebot algorithms,
//! schedulers, adversaries and stop conditions are added the same way, by `Catalogue::with_amoebots`, `with_scheduler`,
//! `with_adversary` and `with_stop`.

use acrasin::graphs::family::{self, barabasi_albert::*, line};
use acrasin::{prelude::*, protocols::library, scenario::Catalogue};

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

const MAXIMUM: library::ProtocolEntry =
    library::ProtocolEntry::new("maximum", "the later of two letters wins", "a, b, c, d", |_| {
        library::ProtocolInstance::of(&Maximum, |agents| vec![agents - 1, 0, 0, 1])
    });

const TREE: family::FamilyEntry = family::FamilyEntry {
    name: "RandomTree",
    title: "random tree",
    summary: "each new node links to an older one in proportion to degree",
    draws: true,
    make: |values, seed| barabasi_albert(BarabasiAlbert { nodes: values.count_of("nodes"), links: 1 }, seed),
    ..line::PATH
};

fn main() -> std::process::ExitCode {
    let catalogue = Catalogue::shipped().with_protocol(MAXIMUM).expect("a new name");
    acrasin::cli::main(&catalogue.with_family(TREE).expect("a new name"))
}
