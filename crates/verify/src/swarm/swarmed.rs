//! [`Swarmed`]: algorithms that swarm runs can test.

use acrasin_runtime::Topology;
use acrasin_runtime::exclusion::critical_section::{self, LocalSections};
use acrasin_runtime::exclusion::local::{Action, Local};
use acrasin_runtime::exclusion::tree_token::{self, TreeToken};
use acrasin_runtime::exclusion::{Exclusion, InitialKnowledge, Mutant};

use super::column::CoverageColumn;
use super::seats::{random_bounds, random_tree, shortest_ways};
use crate::properties::CheckedExclusion;
use crate::words::StepCodec;

/// An algorithm that swarm runs can test: its steps can be written, and it has properties to check.
pub trait Swarmed: StepCodec + CheckedExclusion + Clone + Send + Sync + 'static {
    /// The reason why an action can never be counted in a column under the right rules; `None` if it can, or if this is
    /// not known.
    #[must_use]
    fn impossible(_action: Self::Action, _column: CoverageColumn) -> Option<&'static str> {
        None
    }

    /// The initial knowledge of the nodes in the run of a seed. The default is the tree of shortest paths to node 0, if
    /// a tree is assumed. The result must be the same on every platform.
    #[must_use]
    fn seating(&self, topology: &Topology, _seed: u64) -> InitialKnowledge {
        if self.assumes().given.tree { shortest_ways(topology) } else { InitialKnowledge::default() }
    }
}

/// The reason why a column cannot occur on a static graph; `None` for [`CoverageColumn::Calm`].
fn impossible_at_rest(column: CoverageColumn) -> Option<&'static str> {
    (column != CoverageColumn::Calm).then_some("the graph does not change")
}

impl Swarmed for Local {
    fn impossible(action: Action, column: CoverageColumn) -> Option<&'static str> {
        match (column, action) {
            (CoverageColumn::Calm, Action::CleanUp) => {
                Some("CleanUp is enabled only if the detector reports a disconnection, D ≠ {}")
            }
            (CoverageColumn::ViaReused, Action::ReceivePrepare) => None,
            (CoverageColumn::ViaReused, Action::InitLock | Action::InitUnlock) => {
                Some("it receives no message")
            }
            (CoverageColumn::ViaReused, action) if Action::CHECKS.contains(&action) => {
                Some("it receives no message")
            }
            (CoverageColumn::ViaReused, _) => Some("only prepare can arrive by a port in D"),
            _ => None,
        }
    }
}

impl Swarmed for TreeToken {
    fn impossible(action: Self::Action, column: CoverageColumn) -> Option<&'static str> {
        let is_apart = action == tree_token::Action::Wake;
        impossible_at_rest(column).or(is_apart.then_some("a waiting node is served at the end of a step"))
    }

    fn seating(&self, topology: &Topology, seed: u64) -> InitialKnowledge {
        random_tree(topology, seed)
    }
}

impl Swarmed for LocalSections {
    fn impossible(action: Self::Action, column: CoverageColumn) -> Option<&'static str> {
        let is_apart = action == critical_section::Action::Change;
        impossible_at_rest(column).or(is_apart.then_some("guard and change are one step"))
    }

    fn seating(&self, topology: &Topology, seed: u64) -> InitialKnowledge {
        random_bounds(*self, topology, seed)
    }
}

/// For a mutant, the same actions and columns are impossible as for its original.
impl<E, A, P> Swarmed for Mutant<E, A, P>
where
    E: Swarmed,
    A: Clone + Send + Sync + 'static,
    P: 'static,
    Self: Exclusion<Memory = E::Memory, Message = E::Message, Action = E::Action, Note = E::Note>,
{
    fn impossible(action: E::Action, column: CoverageColumn) -> Option<&'static str> {
        E::impossible(action, column)
    }

    fn seating(&self, topology: &Topology, seed: u64) -> InitialKnowledge {
        self.original.seating(topology, seed)
    }
}
