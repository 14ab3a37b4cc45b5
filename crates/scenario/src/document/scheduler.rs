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
