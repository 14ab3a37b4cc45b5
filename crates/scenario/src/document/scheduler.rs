//! Who acts next: `scheduler: …`, `fairness: …`, `disturbances: […]`. Schedulers and adversaries are chosen by name.

use serde::{Deserialize, Serialize};

use super::named::Named;
use super::quantity::{Count, Probability};

/// Which enabled nodes act in a semi-synchronous round: `activation`.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
pub enum ActiveNodes {
    /// Each with this probability, independently.
    Random(Probability),
    /// All of them.
    All,
    /// An adversary of the catalogue chooses the set.
    Adversary(Named),
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

/// A fault: what happens to agents without their doing, under `scheduler: UniformPairs`.
///
/// Each kind says when: after each interaction with the probability `rate`, or after the numbers `at` of interactions. It happens to
/// `agents` agents each time, different ones, uniformly random; to one if that is not written.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "what all kinds have in common is said above")]
pub enum Fault {
    /// They stop, and are not counted any more.
    Crash {
        rate: Option<Probability>,
        #[serde(default)]
        at: Vec<Count>,
        agents: Option<Count>,
    },
    /// They leave.
    Leave {
        rate: Option<Probability>,
        #[serde(default)]
        at: Vec<Count>,
        agents: Option<Count>,
    },
    /// They join.
    Join {
        /// In this state.
        state: String,
        rate: Option<Probability>,
        #[serde(default)]
        at: Vec<Count>,
        agents: Option<Count>,
    },
    /// Their states are overwritten at random.
    Corrupt {
        /// By one of these; by any of all if it is not written.
        states: Option<Vec<String>>,
        rate: Option<Probability>,
        #[serde(default)]
        at: Vec<Count>,
        agents: Option<Count>,
    },
}

/// When a fault happens, and to how many.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Moments<'a> {
    pub(crate) rate: Option<Probability>,
    pub(crate) at: &'a [Count],
    pub(crate) agents: Option<Count>,
}

impl Fault {
    pub(crate) fn moments(&self) -> Moments<'_> {
        let (Self::Crash { rate, at, agents }
        | Self::Leave { rate, at, agents }
        | Self::Join { rate, at, agents, .. }
        | Self::Corrupt { rate, at, agents, .. }) = self;
        Moments { rate: *rate, at, agents: *agents }
    }
}
