//! Who acts next: `scheduler: …`, `fairness: …`, `disturbances: […]`.

use serde::{Deserialize, Serialize};

use super::quantity::{Count, Probability};

/// Who chooses the next step, and how much happens in it.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub enum Scheduler {
    /// One step at a time: a uniformly chosen node that has an enabled step takes one of its own, uniformly chosen, unless
    /// an adversary chooses.
    Sequential {
        /// Who chooses instead of the uniform draw.
        adversary: Option<Adversary>,
    },
    /// Node after node, each enabled node one action.
    RoundRobin,
    /// Rounds: each node of a set of enabled nodes executes one action.
    SemiSynchronous {
        /// Which enabled nodes act in a round.
        activation: ActiveNodes,
    },
    /// An execution takes time: its messages leave one by one, and edges change meanwhile.
    Asynchronous {
        /// Who chooses instead of the uniform draw.
        adversary: Option<Adversary>,
    },
    /// Waves: in each every node has one turn, in a random order, and nodes whose closed neighbourhoods are disjoint act
    /// at the same time. Rung F1, and nothing else.
    Waves,
}

/// Which enabled nodes act in a semi-synchronous round: `activation`.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, Serialize)]
pub enum ActiveNodes {
    /// Each with this probability, independently.
    Random(Probability),
    /// All of them.
    All,
    /// An adversary chooses the set.
    Adversary(Adversary),
}

/// A chooser that does its worst within the bounds of weak fairness.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub enum Adversary {
    /// The newest message is received first.
    NewestFirst,
    /// One node does nothing as long as fairness allows.
    Starve {
        /// The node, from 0.
        node: Count,
    },
    /// Every node has a random priority and the highest acts; priorities change a few times at random moments
    /// (probabilistic concurrency testing).
    RandomPriorities {
        /// How many times.
        changes: Count,
    },
}

/// The bound within which every continuously enabled action runs (weak fairness).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
pub enum Fairness {
    /// A bound that fits the scheduler; reported with the result.
    #[default]
    Auto,
    /// Within so many turns of the scheduler.
    Within(Count),
    /// No bound; refused together with an adversary.
    Unbounded,
}

/// What the topology adversary does to the edges, besides what the topology itself says.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub enum Disturbance {
    /// Every edge vanishes with this probability in each round, and comes back likewise.
    Churn {
        /// Per edge and round.
        rate: Probability,
    },
    /// A random set of links is cut one by one and restored in another order.
    Swizzle {
        /// How many links.
        links: Count,
        /// Rounds from one swizzle to the next.
        every: Count,
    },
}
