//! A population protocol as a transition function, in the textbook's model: two agents at a time, drawn uniformly.
//!
//! `00_exact_majority.ron` is the same protocol as a file: run under locks on a torus, and checked for every input.
//!
//! `cargo run -p acrasin-examples --bin 00_exact_majority` prints:
//!
//! ```text
//! 55 to 45: all of them say yes after 3244 interactions
//! ```

use acrasin::prelude::*;

/// A vote, and whether it is strong. Strong votes cancel in pairs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Vote {
    yes: bool,
    strong: bool,
}

/// Exact majority on any graph: the remaining strong votes walk through the graph and convert the weak ones.
struct Majority;

impl Protocol for Majority {
    type State = Vote;
    type Output = bool;

    fn transition(&self, initiator: Vote, responder: Vote) -> (Vote, Vote) {
        let weak = |vote: Vote| Vote { strong: false, ..vote };
        match (initiator.strong, responder.strong) {
            (true, true) if initiator.yes != responder.yes => (weak(initiator), weak(responder)),
            (true, false) => (weak(initiator), initiator),
            (false, true) => (responder, weak(responder)),
            _ => (initiator, responder),
        }
    }

    fn output(&self, vote: Vote) -> bool {
        vote.yes
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let vote = |yes| Vote { yes, strong: true };
    let votes = [vec![vote(true); 55], vec![vote(false); 45]].concat();
    let mut population = UniformPairs::complete(&Majority, votes)?;
    let agreed = population.run_until(10_000_000, &mut Seeded::new(1), |population| {
        population.states().iter().all(|vote| vote.yes)
    });
    assert!(agreed, "no majority after ten million interactions");
    println!("55 to 45: all of them say yes after {} interactions", population.interactions());
    Ok(())
}
