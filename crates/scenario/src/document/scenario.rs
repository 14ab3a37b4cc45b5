//! All fields of a scenario.

use serde::{Deserialize, Serialize};

use super::catalogue_ref::CatalogueRef;
use super::lock::{LockSettings, PortCount};
use super::quantity::Seed;
use super::rung::RungSetting;
use super::scheduler::{Disturbance, FairnessSetting, FaultSetting};
use super::stop::{Observe, RunLimits, StopSetting};
use super::work::Work;

/// A scenario as written. Each number is within the range of its type; fields are not yet checked against each other.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// A title of one line for the report.
    pub title: Option<String>,
    /// The seed of all random draws; if it is missing, one is drawn and printed.
    pub seed: Option<Seed>,
    /// The interaction graph: a graph family of the catalogue with its parameters, and for random families optionally a
    /// seed of its own; or one of [`TopologySource`](super::TopologySource).
    pub topology: CatalogueRef,
    /// The number Δ of ports of every node.
    #[serde(default)]
    pub ports: PortCount,
    /// The options of the lock layer.
    #[serde(default)]
    pub lock: LockSettings,
    /// The mutual exclusion algorithm, from the catalogue; by default local mutual exclusion with the rules of `lock`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exclusion: Option<CatalogueRef>,
    /// The level of detail at which the lock algorithm is executed.
    #[serde(default)]
    pub rung: RungSetting,
    /// The scheduler, from the catalogue. `UniformPairs` is the default for a protocol on the complete graph without
    /// fields about locks; otherwise a scheduler must be written.
    pub scheduler: CatalogueRef,
    /// The bound on how long an enabled action can wait.
    #[serde(default)]
    pub fairness: FairnessSetting,
    /// Changes of the edges in addition to those of the topology.
    #[serde(default)]
    pub disturbances: Vec<Disturbance>,
    /// Faults of agents.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<FaultSetting>,
    /// The work of the nodes.
    pub work: Work,
    /// Conditions that end the run as done.
    #[serde(default)]
    pub stop: Vec<StopSetting>,
    /// Limits that end the run as unfinished.
    #[serde(default)]
    pub limits: RunLimits,
    /// The data to record.
    #[serde(default)]
    pub observe: Observe,
}
