//! Routes: executions found by an exploration, as lists of moves to replay.

use super::acts::acts;
use crate::algorithm::Algorithm;
use crate::model::id::AmoebotId;
use crate::model::system::System;

/// An execution in the graph of an exploration. With the same starts, algorithm and adversary it replays to the
/// same state.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Route {
    /// The position of its start in the order given to the exploration, from 0.
    pub start: usize,
    /// The move taken in each state: its position in the exploration's list, from 0. For the concurrency
    /// framework it is a digest of the move.
    pub moves: Vec<u32>,
}

/// The moves of a route, and whether to stop now, which is asked before each successor of each state. A stopped replay
/// ends with `None`.
pub type RetraceMoves<'m> = (&'m mut dyn Iterator<Item = u32>, &'m (dyn Fn() -> bool + Sync));

/// One step of a replayed execution. Amoebots keep their identities, and cells their coordinates.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Retraced<M> {
    /// A description of the step.
    pub what: String,
    /// The system after it.
    pub system: System<M>,
}

/// Lists the rounds of a run: the system after each, with the amoebots that changed and their actions.
pub(super) fn by_changes<A: Algorithm>(
    algorithm: &A,
    start: System<A::Memory>,
    systems: impl Iterator<Item = System<A::Memory>>,
    step: &str,
) -> Vec<Retraced<A::Memory>> {
    let mut before = start;
    let mut retraced = |system: System<A::Memory>| {
        let changed = changed(&before, &system);
        let numbers: Vec<String> = changed.iter().map(ToString::to_string).collect();
        let mut what = match &numbers[..] {
            [] => format!("{step} without a change"),
            [one] => format!("{step} that changes amoebot {one}"),
            _ => format!("{step} that changes amoebots {}", numbers.join(", ")),
        };
        let acted = changed.iter().filter_map(|id| action_between(algorithm, &before, &system, *id));
        let acted: Vec<String> = acted.collect();
        if !acted.is_empty() {
            what += &format!(": {}", acted.join(", "));
        }
        before = system.clone();
        Retraced { what, system }
    };
    systems.map(&mut retraced).collect()
}

/// The action of an amoebot in a round: enabled before it, with an outcome that agrees with what the amoebot and those
/// changed by its action are after the round. `None` if only actions of others changed the amoebot.
fn action_between<A: Algorithm>(
    algorithm: &A,
    before: &System<A::Memory>,
    after: &System<A::Memory>,
    id: AmoebotId,
) -> Option<String> {
    let mut found = None;
    let listed = acts(algorithm, before, std::iter::once(id), &mut |act| {
        let is_it = |alone: &System<A::Memory>| {
            let changed = changed(before, alone);
            changed.contains(&id) && changed.iter().all(|one| alone.amoebot(*one) == after.amoebot(*one))
        };
        if found.is_none() && act.done.is_some_and(|(alone, _)| is_it(&alone)) {
            found = Some(format!("{id} {:?}", algorithm.actions()[act.action]));
        }
        Ok(())
    });
    listed.ok().and(found)
}

/// The amoebots whose cells or memory differ.
#[must_use]
pub fn changed<M: PartialEq>(before: &System<M>, after: &System<M>) -> Vec<AmoebotId> {
    let is_changed = |id: &AmoebotId| before.amoebot(*id) != after.amoebot(*id);
    after.ids().filter(is_changed).collect()
}
