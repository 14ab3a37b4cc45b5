//! All fields of a scenario.

use serde::{Deserialize, Serialize};

use super::lock::{Lock, Ports};
use super::protocol::Protocol;
use super::quantity::Seed;
use super::rung::Rung;
use super::scheduler::{Disturbance, Fairness, Scheduler};
use super::stop::{Limits, Observe, Stop};
use super::topology::Topology;
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
    /// Who can meet whom.
    pub topology: Topology,
    /// The number Δ of ports of every node.
    #[serde(default)]
    pub ports: Ports,
    /// How nodes lock their surroundings.
    #[serde(default)]
    pub lock: Lock,
    /// How much of the lock algorithm is executed.
    #[serde(default)]
    pub rung: Rung,
    /// Who acts next.
    pub scheduler: Scheduler,
    /// How long an enabled action can be passed over.
    #[serde(default)]
    pub fairness: Fairness,
    /// What happens to the edges besides.
    #[serde(default)]
    pub disturbances: Vec<Disturbance>,
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

impl Scenario {
    /// The data files that the scenario names: the path of each value, and the file, relative to the scenario's folder.
    #[must_use]
    pub fn files(&self) -> Vec<(&'static str, &str)> {
        let graph = match &self.topology {
            Topology::File { path, .. } | Topology::Contacts { path, .. } => Some(("topology.path", &**path)),
            _ => None,
        };
        let protocol = match &self.work {
            Work::Interactions { protocol: Protocol::File { path }, .. } => {
                Some(("work.protocol.path", &**path))
            }
            _ => None,
        };
        graph.into_iter().chain(protocol).collect()
    }
}
