//! A user-defined population protocol: implement one trait, and run it under locks on any graph.
//!
//! Every agent learns the largest badge number of a torus and the distance to its owner. The protocol is written as
//! if two agents met in isolation. Local mutual exclusion makes that true while all of them act at once.
//!
//! `cargo run -p acrasin-examples --bin 02_your_own_protocol` prints:
//!
//! ```text
//! 64 nodes know badge 63 and the way to it after 6058 rounds and 68599 messages
//! ```

use std::error::Error;

use acrasin::graphs::family::lattice::{Sides, torus};
use acrasin::protocols::{Interactions, Protocol, Way};
use acrasin::runtime::exclusion::local::Local;
use acrasin::runtime::execution::{Advance, Execution};
use acrasin::runtime::scheduler::{Activation, SemiSynchronous};
use acrasin::runtime::{FixedProbability, Seeded, Setup, Timing, Topology, World};

/// The badge number that an agent has heard of, and over how many handshakes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Heard {
    badge: u32,
    handshakes: u32,
}

/// The largest badge wins; for equal badges, the fewest handshakes.
struct Rumour;

impl Rumour {
    fn hears(own: Heard, other: Heard) -> Heard {
        let told = Heard { handshakes: other.handshakes + 1, ..other };
        let better = told.badge > own.badge || (told.badge == own.badge && told.handshakes < own.handshakes);
        if better { told } else { own }
    }
}

impl Protocol for Rumour {
    type State = Heard;
    type Output = u32;

    fn transition(&self, initiator: Heard, responder: Heard) -> (Heard, Heard) {
        (Self::hears(initiator, responder), Self::hears(responder, initiator))
    }

    fn output(&self, state: Heard) -> u32 {
        state.badge
    }
}

const SIDE: u32 = 8;

/// The distance of two nodes of the torus.
fn distance(a: u32, b: u32) -> u32 {
    let around = |x: u32, y: u32| x.abs_diff(y).min(SIDE - x.abs_diff(y));
    around(a / SIDE, b / SIDE) + around(a % SIDE, b % SIDE)
}

fn main() -> Result<(), Box<dyn Error>> {
    let graph = torus(Sides { rows: SIDE.into(), columns: SIDE.into() })?;
    // 13 and 64 are coprime, so every badge occurs once.
    let badges: Vec<u32> = (0..graph.nodes()).map(|node| node * 13 % graph.nodes()).collect();
    let owner = badges.iter().position(|&badge| badge == graph.nodes() - 1).ok_or("no largest badge")? as u32;
    let way = Way::AnyLocked;
    let world = World::new(Setup {
        exclusion: Local::new(4),
        section: Interactions::new(Rumour, way),
        topology: Topology::from_edges(graph.nodes(), 4, graph.edges())?,
        states: badges.iter().map(|&badge| Heard { badge, handshakes: 0 }).collect(),
        lock_set: way.lock_set(),
        timing: Timing::AtOnce,
    });
    let scheduler = SemiSynchronous::new(Activation::Random(FixedProbability::HALF));
    let mut execution = Execution::new(world, Box::new(scheduler));
    let mut choices = Seeded::new(7);
    let expected: Vec<Heard> = (0..graph.nodes())
        .map(|node| Heard { badge: graph.nodes() - 1, handshakes: distance(node, owner) })
        .collect();
    while execution.world().states() != expected {
        assert_eq!(execution.advance(&mut choices, &mut ()), Advance::Advanced);
        assert!(execution.rounds() < 1_000_000, "the rumour does not spread");
    }
    println!(
        "{} nodes know badge {} and the way to it after {} rounds and {} messages",
        graph.nodes(),
        graph.nodes() - 1,
        execution.rounds(),
        execution.world().messages_sent()
    );
    Ok(())
}
