//! All fields of a scenario.

use serde::{Deserialize, Serialize};

use super::lock::{Lock, Ports};
use super::named::Named;
use super::quantity::Seed;
use super::rung::Rung;
use super::scheduler::{Disturbance, Fairness, Fault};
use super::stop::{Limits, Observe, Stop};
use super::work::Work;

/// A scenario as it was written. Numbers are in their own ranges; whether the parts fit together is
/// not yet known.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// One line for the report.
    pub title: Option<String>,
    /// What all draws start from; if it is not written, it is drawn and printed.
    pub seed: Option<Seed>,
    /// Who can meet whom: a graph family of the catalogue with its parameters and, if it draws, a seed of its own; or one of
    /// [`Topology`](super::Topology).
    pub topology: Named,
    /// The number Δ of ports of every node.
    #[serde(default)]
    pub ports: Ports,
    /// How nodes lock their surroundings.
    #[serde(default)]
    pub lock: Lock,
    /// The mutual exclusion algorithm: one of the catalogue. Local mutual exclusion, with the rules of `lock`, if none is
    /// written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exclusion: Option<Named>,
    /// How much of the lock algorithm is executed.
    #[serde(default)]
    pub rung: Rung,
    /// Who acts next: a scheduler of the catalogue. Where a protocol runs on the complete graph and nothing is about locks, a
    /// document that is read without one has `UniformPairs`.
    pub scheduler: Named,
    /// How long an enabled action can be passed over.
    #[serde(default)]
    pub fairness: Fairness,
    /// What happens to the edges besides.
    #[serde(default)]
    pub disturbances: Vec<Disturbance>,
    /// What happens to agents without their doing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<Fault>,
    /// What the nodes do.
    pub work: Work,
    /// What ends the run as done.
    #[serde(default)]
    pub stop: Vec<Stop>,
    /// What ends the run as unfinished.
    #[serde(default)]
    pub limits: Limits,
    /// What is recorded.
    #[serde(default)]
    pub observe: Observe,
}
