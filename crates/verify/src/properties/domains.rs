//! Every port set in a node's memory contains only ports with an edge, or ports whose disconnection the node has not
//! read.

use acrasin_runtime::exclusion::Exclusion;
use acrasin_runtime::exclusion::local::{Memory, Message};
use acrasin_runtime::{CriticalSection, World};

use super::{Property, each_node};

/// The domains of Table 1, "⊆ `N[u]`", except for ports in D: a memory contains a port without an edge only until the
/// detector is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KnownPorts;

impl<E, S> Property<E, S> for KnownPorts
where
    E: Exclusion<Memory = Memory, Message = Message>,
    S: CriticalSection,
{
    fn name(&self) -> &'static str {
        "memories name live ports, modulo D"
    }
    fn source(&self) -> &'static str {
        "Table 1"
    }
    fn check(&self, world: &World<E, S>) -> Result<(), String> {
        each_node(world, |node, memory| {
            let mut known = world.topology().closed_neighbourhood(node);
            known.extend_from(world.topology().detector(node));
            let initiator = [memory.lock_set(), memory.replied(), memory.won(), memory.lost()];
            let participant = [memory.on_hold(), memory.applicants(), memory.candidates()];
            let mut sets = initiator.into_iter().chain(participant);
            let stranger = sets.any(|set| !set.is_subset(known.as_ports()))
                || memory.lock.is_some_and(|port| !known.contains(port))
                || memory.priorities.iter().any(|(port, _)| !known.contains(port));
            stranger.then(|| format!("{memory:?}, but N and D have {known} only"))
        })
    }
}
