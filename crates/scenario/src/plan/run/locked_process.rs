//! The common interface of processes under locks, on every rung.

use acrasin_process::Process;
use acrasin_report::record::{Figure, Section};
use acrasin_report::spans::Spans;

use super::state_counts::StateCounts;
use crate::film::NodeLock;
use crate::run::Filmed;

/// A process under locks. Each call of `advance` makes one turn: a turn of a scheduler, or a whole round. A turn that
/// finds the process quiescent is not counted.
pub(super) trait LockedProcess: Process {
    /// The number of turns so far, including turns that choose no node.
    fn turns(&self) -> u64;

    /// The counts that the critical sections reported.
    fn tally(&self) -> &StateCounts;

    /// The states of the agents; empty if no protocol runs.
    fn agents(&self) -> &[u16];

    /// Whether some node can act now.
    fn is_active(&self) -> bool;

    /// The number of nodes that have called Lock and have not completed Unlock.
    fn outstanding(&self) -> u64;

    /// The sections of this rung: `work` with added figures, Locks, `trace` with figures of the graph, memory and
    /// digests.
    fn sections(&self, work: Section, trace: Vec<Figure>) -> Vec<Section>;

    /// The position of each node in its Lock; `None` on rungs where no node is in a Lock between turns.
    fn standings(&self) -> Option<Vec<NodeLock>> {
        None
    }

    /// If the process films its own steps, passes the current configuration to `show` and returns true.
    fn filmed(&mut self, show: &mut dyn FnMut(&mut dyn Filmed)) -> bool {
        let _ = show;
        false
    }

    /// The current edges; `None` for a static graph.
    fn edges(&self) -> Option<Vec<(u32, u32)>> {
        None
    }

    /// The spans of time in which each node was in its critical section, if they are kept.
    fn inside(&self) -> Option<Spans> {
        None
    }

    /// The last configuration as text, if it is a dead end or violates an invariant.
    fn configuration(&self) -> Option<String> {
        None
    }
}
