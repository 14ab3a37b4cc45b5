//! The common interface of processes under locks, on every rung.

use acrasin_process::Process;
use acrasin_report::record::{Figure, Section};
use acrasin_report::spans::Spans;

use super::state_counts::StateCounts;
use crate::film::NodeLock;
use crate::run::Filmed;

/// A process under locks. A call makes one turn: a turn of a scheduler, or a whole round. A turn that finds the process
/// quiescent is not counted.
pub(super) trait LockedProcess: Process {
    /// The number of turns so far, including turns that choose no node.
    fn turns(&self) -> u64;

    /// The counts that the critical sections reported.
    fn tally(&self) -> &StateCounts;

    /// The states of the agents; empty if no protocol runs.
    fn agents(&self) -> &[u16];

    /// Whether some node can act now.
    fn is_active(&self) -> bool;

    /// Nodes that have called Lock and have not completed Unlock.
    fn outstanding(&self) -> u64;

    /// The sections of the rung: work (added to `work`), Locks, the graph (added to `trace`), memory and digests.
    fn sections(&self, work: Section, trace: Vec<Figure>) -> Vec<Section>;

    /// The position of each node in its Lock; `None` if no node is in a Lock between turns.
    fn standings(&self) -> Option<Vec<NodeLock>> {
        None
    }

    /// Passes the current configuration to `show` if the process films its own steps, and returns whether it does.
    fn filmed(&mut self, show: &mut dyn FnMut(&mut dyn Filmed)) -> bool {
        let _ = show;
        false
    }

    /// The current edges; `None` for a static graph.
    fn edges(&self) -> Option<Vec<(u32, u32)>> {
        None
    }

    /// The intervals in which each node was inside, if they are kept.
    fn inside(&self) -> Option<Spans> {
        None
    }

    /// The last configuration, if it is a dead end or breaks a promise.
    fn configuration(&self) -> Option<String> {
        None
    }
}
