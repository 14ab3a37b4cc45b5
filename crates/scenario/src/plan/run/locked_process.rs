//! The common interface of processes under locks, on every rung.

use acrasin_process::Process;
use acrasin_report::record::{Figure, Section};
use acrasin_report::spans::Spans;

use super::tally::Tally;
use crate::film::Standing;
use crate::run::Filmed;

/// A process under locks: a call is one turn, that of a scheduler or a whole round. A turn that finds the process
/// quiescent does not count.
pub(super) trait LockedProcess: Process {
    /// Turns so far: in some of them perhaps no node is chosen.
    fn turns(&self) -> u64;

    /// The counts that its critical sections reported.
    fn tally(&self) -> &Tally;

    /// The states of the agents; empty if no protocol runs.
    fn agents(&self) -> &[u16];

    /// Whether some node can act now.
    fn is_active(&self) -> bool;

    /// Nodes that have called Lock and have not completed Unlock.
    fn outstanding(&self) -> u64;

    /// The sections of the rung: `work`, to which the work of nodes is added, Locks, the graph, which gets `trace`,
    /// memory and digests.
    fn sections(&self, work: Section, trace: Vec<Figure>) -> Vec<Section>;

    /// The progress of each node in its Lock, by number; `None` where no node is in a Lock between turns.
    fn standings(&self) -> Option<Vec<Standing>> {
        None
    }

    /// Shows the process as it is now, where it films its own steps; whether it does.
    fn filmed(&mut self, show: &mut dyn FnMut(&mut dyn Filmed)) -> bool {
        let _ = show;
        false
    }

    /// The edges now; `None` of a graph that stays as it is.
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
