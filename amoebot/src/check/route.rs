//! Runs that an exploration has found, by the moves that they take; and taken again in one frame.

use crate::model::id::AmoebotId;
use crate::model::system::System;

/// A run in the graph of an exploration. With the same starts, algorithm and adversary it leads to the same state again.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Route {
    /// From which start, in the order in which the exploration was given them, from 0.
    pub start: usize,
    /// Which of the moves from each state it takes: its position in the order in which the exploration lists them, from 0; of the
    /// concurrency framework a digest of the move.
    pub moves: Vec<u32>,
}

/// One step of a run that was taken again. Amoebots keep their numbers, and cells their coordinates.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Retraced<M> {
    /// The step in words.
    pub what: String,
    /// The system after it.
    pub system: System<M>,
}

/// Systems that follow each other, where every step is one of all amoebots: which of them it changed.
pub(super) fn by_changes<M: Clone + PartialEq>(
    start: System<M>,
    systems: impl Iterator<Item = System<M>>,
    step: &str,
) -> Vec<Retraced<M>> {
    let mut before = start;
    let mut retraced = |system: System<M>| {
        let changed = changed(&before, &system);
        let numbers: Vec<String> = changed.iter().map(ToString::to_string).collect();
        let what = match &numbers[..] {
            [] => format!("{step} without a change"),
            [one] => format!("{step} that changes amoebot {one}"),
            _ => format!("{step} that changes amoebots {}", numbers.join(", ")),
        };
        before = system.clone();
        Retraced { what, system }
    };
    systems.map(&mut retraced).collect()
}

/// The amoebots that differ in their cells or their memory.
#[must_use]
pub fn changed<M: PartialEq>(before: &System<M>, after: &System<M>) -> Vec<AmoebotId> {
    let is_changed = |id: &AmoebotId| before.amoebot(*id) != after.amoebot(*id);
    after.ids().filter(is_changed).collect()
}
