//! Scheduling: `scheduler: …`, `fairness: …`, `disturbances: […]`. Schedulers and adversaries are chosen by name.

use serde::{Deserialize, Serialize};

use super::catalogue_ref::CatalogueRef;
use super::quantity::{Count, Probability};

/// The enabled nodes that act in a semi-synchronous round: `activation`.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
pub enum ActiveNodesSetting {
    /// Each enabled node with this probability, independently.
    Random(Probability),
    /// All enabled nodes.
    All,
    /// An adversary of the catalogue chooses the set.
    Adversary(CatalogueRef),
}

/// The bound within which every continuously enabled action is executed (weak fairness).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
pub enum FairnessSetting {
    /// A bound that depends on the scheduler; the record names it.
    #[default]
    Auto,
    /// Within this number of turns of the scheduler.
    Within(Count),
    /// No bound; refused together with an adversary.
    Unbounded,
}

/// Changes of edges by the topology adversary, in addition to those of the topology itself.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub enum Disturbance {
    /// Each present edge vanishes with this probability in each round, and each absent one returns with the same
    /// probability.
    Churn {
        /// Probability per edge and round.
        rate: Probability,
    },
    /// A random set of edges is removed one by one, and restored in another order.
    Swizzle {
        /// The number of edges in the set.
        links: Count,
        /// The number of rounds from one swizzle to the next.
        every: Count,
    },
}

/// A fault of agents under `scheduler: UniformPairs`.
///
/// A fault happens after each interaction with probability `rate`, or after the numbers of interactions that `at`
/// lists. Each time it affects `agents` distinct agents, drawn uniformly; one by default.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "the shared fields are documented above")]
pub enum FaultSetting {
    /// Agents crash: they stop, and are not counted any more.
    Crash {
        rate: Option<Probability>,
        #[serde(default)]
        at: Vec<Count>,
        agents: Option<Count>,
    },
    /// Agents leave the population.
    Leave {
        rate: Option<Probability>,
        #[serde(default)]
        at: Vec<Count>,
        agents: Option<Count>,
    },
    /// Agents join the population.
    Join {
        /// The state of the agents that join.
        state: String,
        rate: Option<Probability>,
        #[serde(default)]
        at: Vec<Count>,
        agents: Option<Count>,
    },
    /// The states of agents are overwritten at random.
    Corrupt {
        /// The states to draw from; all states by default.
        states: Option<Vec<String>>,
        rate: Option<Probability>,
        #[serde(default)]
        at: Vec<Count>,
        agents: Option<Count>,
    },
}

/// The times of a fault, and the number of agents that it affects.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Moments<'a> {
    pub(crate) rate: Option<Probability>,
    pub(crate) at: &'a [Count],
    pub(crate) agents: Option<Count>,
}

impl FaultSetting {
    pub(crate) fn moments(&self) -> Moments<'_> {
        let (Self::Crash { rate, at, agents }
        | Self::Leave { rate, at, agents }
        | Self::Join { rate, at, agents, .. }
        | Self::Corrupt { rate, at, agents, .. }) = self;
        Moments { rate: *rate, at, agents: *agents }
    }
}
