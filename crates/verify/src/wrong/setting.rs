//! [`Setting`]: small instances for the catalogue, as constants.

use std::fmt;

use acrasin_runtime::exclusion::local::{Local, SelfMessages};
use acrasin_runtime::{Demand, LockOnly, LockSetRule, Timing};

use crate::locks::{Budget, Instance, Rewiring};

/// A small graph with the calls of its nodes and the possible graph changes. Together with rules it forms an
/// [`Instance`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Setting {
    /// The initial edges, between nodes numbered from 0.
    pub edges: &'static [(u32, u32)],
    /// The number of ports of each node, Δ.
    pub ports: u16,
    /// The number of Lock calls of each node, one element per node.
    pub demands: &'static [Demand],
    /// The maximum number of edges that vanish.
    pub disconnections: u8,
    /// The maximum number of edges that appear, between any two nodes and on any open ports.
    pub connections: u8,
    /// Whether messages leave one by one, with other steps in between (asynchronous executions).
    pub asynchronous: bool,
    /// Whether a Lock asks for only one neighbour.
    pub pairs: bool,
    /// Whether self-messages travel as messages instead of being handled inside the action that sends them.
    pub sent: bool,
    /// The number of priorities, K, at least 2.
    pub priorities: u32,
    /// Whether nodes also call Lock when they are not idle and Unlock when they do not hold.
    pub misuse: bool,
}

const ONCE: Demand = Demand::Times(1);
const NEVER: Demand = Demand::Times(0);

impl Setting {
    /// Two nodes and one edge; node 0 calls Lock once. K = 2, the graph is static, messages leave at once, and
    /// self-messages are handled in memory.
    pub const EDGE: Self = Self {
        edges: &[(0, 1)],
        ports: 1,
        demands: &[ONCE, NEVER],
        disconnections: 0,
        connections: 0,
        asynchronous: false,
        pairs: false,
        sent: false,
        priorities: 2,
        misuse: false,
    };
    /// Two nodes and one edge; node 0 calls Lock repeatedly, without limit.
    pub const EDGE_AGAIN: Self = Self { demands: &[Demand::Forever, NEVER], ..Self::EDGE };
    /// Two nodes and one edge; both nodes call Lock once.
    pub const EDGE_BOTH: Self = Self { demands: &[ONCE, ONCE], ..Self::EDGE };
    /// Two nodes and one edge; both nodes call Lock repeatedly, without limit.
    pub const EDGE_CYCLIC: Self = Self { demands: &[Demand::Forever, Demand::Forever], ..Self::EDGE };
    /// A path of three nodes. The ends call Lock without limit, the middle node once. A Lock asks for one neighbour.
    pub const PATH_PAIRS: Self = Self {
        edges: &[(0, 1), (1, 2)],
        ports: 2,
        demands: &[Demand::Forever, ONCE, Demand::Forever],
        pairs: true,
        ..Self::EDGE
    };

    /// Sets how many edges may vanish and appear.
    #[must_use]
    pub const fn changing(self, disconnections: u8, connections: u8) -> Self {
        Self { disconnections, connections, ..self }
    }

    /// Lets nodes make calls that the rules ignore.
    #[must_use]
    pub const fn misused(self) -> Self {
        Self { misuse: true, ..self }
    }

    /// Makes self-messages travel as messages.
    #[must_use]
    pub const fn sent(self) -> Self {
        Self { sent: true, ..self }
    }

    /// The right rules for this setting; `None` if K is below 2.
    #[must_use]
    pub fn local(&self) -> Option<Local> {
        let self_messages = if self.sent { SelfMessages::Sent } else { SelfMessages::InMemory };
        Local::new(self.ports).with_self_messages(self_messages).with_priorities(self.priorities)
    }

    /// The instance that this setting and the rules `exclusion` form.
    #[must_use]
    pub fn instance<E>(&self, exclusion: E) -> Instance<E, LockOnly> {
        Instance {
            ports: self.ports,
            lock_set: if self.pairs { LockSetRule::Pair } else { LockSetRule::Neighbourhood },
            timing: if self.asynchronous { Timing::OneByOne } else { Timing::AtOnce },
            disconnections: Budget::Times(self.disconnections.into()),
            connections: Budget::Times(self.connections.into()),
            rewiring: Rewiring::AnyEdges,
            misuse: self.misuse,
            ..Instance::new(exclusion, LockOnly, self.edges, self.demands.to_vec())
        }
    }
}

/// Writes `0-1 1-2, calls 1 0 ∞, 1 off 1 on, misuse`: all values that distinguish settings.
impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.edges.is_empty() {
            f.write_str("no edge")?;
        }
        for (place, (a, b)) in self.edges.iter().enumerate() {
            write!(f, "{}{a}-{b}", if place == 0 { "" } else { " " })?;
        }
        f.write_str(", calls")?;
        for demand in self.demands {
            match demand {
                Demand::Times(times) => write!(f, " {times}")?,
                Demand::Forever => f.write_str(" ∞")?,
                Demand::Outings(times) => write!(f, " -{times}")?,
            }
        }
        if self.disconnections > 0 || self.connections > 0 {
            write!(f, ", {} off {} on", self.disconnections, self.connections)?;
        }
        if self.priorities != 2 {
            write!(f, ", K = {}", self.priorities)?;
        }
        for (there, name) in [
            (self.asynchronous, "asynchronous"),
            (self.pairs, "pairs"),
            (self.sent, "self-messages sent"),
            (self.misuse, "misuse"),
        ] {
            if there {
                write!(f, ", {name}")?;
            }
        }
        Ok(())
    }
}
