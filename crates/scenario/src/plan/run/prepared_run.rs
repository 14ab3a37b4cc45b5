//! [`PreparedRun`]: the world of a plan and a seed, before its first turn.

use acrasin_engine::Rung;
use acrasin_report::record::Manifest;
use acrasin_runtime::exclusion::InitialKnowledge;
use acrasin_runtime::{Seeded, World};
use acrasin_verify::replay::Header;

use super::super::interaction_graph::InteractionGraph;
use super::algorithm::RunAlgorithm;
use super::figures;
use super::state_counts::{CountedSection, StateCounts};
use crate::plan::Plan;

/// A prepared run, before its first turn.
pub(super) struct PreparedRun<'a, E: RunAlgorithm, S: CountedSection> {
    pub(super) plan: &'a Plan,
    pub(super) graph: &'a InteractionGraph,
    pub(super) ports: u16,
    pub(super) seed: u64,
    pub(super) world: World<E, S>,
    /// The initial knowledge of the nodes beyond the graph.
    pub(super) seating: InitialKnowledge,
    /// The number K of priorities, if the algorithm draws priorities.
    pub(super) priorities: Option<u32>,
    pub(super) choices: Seeded,
    pub(super) tally: StateCounts,
}

impl<E: RunAlgorithm, S: CountedSection> PreparedRun<'_, E, S> {
    /// The manifest of the run with the data of the plan.
    pub(super) fn manifest(&self) -> Manifest {
        figures::manifest(self.plan, self.seed, Rung::F4)
    }

    /// The first line of a recording.
    pub(super) fn header(&self) -> Header {
        self.plan.header.source.header(self.seed)
    }

    /// The header of a counterexample. It omits the folder of the scenario, so that its bytes do not depend on it.
    pub(super) fn header_of_counterexample(&self) -> Header {
        self.header().with_folder(None)
    }
}
