//! Routes: executions found by an exploration, as lists of moves to replay.

use crate::model::id::AmoebotId;
use crate::model::system::System;

/// An execution in the graph of an exploration. With the same starts, algorithm and adversary, a replay ends in the
/// same state.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Route {
    /// The position of the execution's start in the order given to the exploration, from 0.
    pub start: usize,
    /// The move taken in each state: its position in the exploration's list, from 0. For the concurrency
    /// framework it is a digest of the move.
    pub moves: Vec<u32>,
}

/// The moves of a route, and whether to stop now, which is evaluated before each successor of each state. A stopped
/// replay ends with `None`.
pub type RetraceMoves<'m> = (&'m mut dyn Iterator<Item = u32>, &'m (dyn Fn() -> bool + Sync));

/// One step of a replayed execution. Amoebots keep their identities, and cells their coordinates.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Retraced<M> {
    /// A description of the step.
    pub what: String,
    /// The system after the step.
    pub system: System<M>,
}

/// The amoebots whose cells or memory differ between the two systems.
#[must_use]
pub fn changed<M: PartialEq>(before: &System<M>, after: &System<M>) -> Vec<AmoebotId> {
    let is_changed = |id: &AmoebotId| before.amoebot(*id) != after.amoebot(*id);
    after.ids().filter(is_changed).collect()
}
