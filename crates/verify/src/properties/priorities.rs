//! The ports of P are in C, and P has one priority per port.

use acrasin_runtime::exclusion::Exclusion;
use acrasin_runtime::exclusion::local::{Memory, Message};
use acrasin_runtime::{CriticalSection, World};

use super::{Property, each_node};

/// Only candidates have a priority in a round, and only one (Algorithm 2). So |C| = |P| implies that every candidate
/// has a priority.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PrioritiesOfCandidates;

impl<E, S> Property<E, S> for PrioritiesOfCandidates
where
    E: Exclusion<Memory = Memory, Message = Message>,
    S: CriticalSection,
{
    fn name(&self) -> &'static str {
        "P has one priority per candidate"
    }
    fn source(&self) -> &'static str {
        "Algorithm 2"
    }
    fn check(&self, world: &World<E, S>) -> Result<(), String> {
        each_node(world, |_, memory| {
            let pairs = &memory.priorities;
            let stranger = pairs.iter().any(|(port, _)| !memory.candidates().contains(port));
            // The pairs are sorted by port.
            let twice = pairs.iter().zip(pairs.iter().skip(1)).any(|(one, next)| one.0 == next.0);
            (stranger || twice).then(|| format!("C={} P={pairs:?}", memory.candidates()))
        })
    }
}
