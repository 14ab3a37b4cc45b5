//! Rounds of a run as lines of a counterexample.

use super::acts::acts;
use super::route::{Retraced, changed};
use crate::algorithm::Algorithm;
use crate::model::id::AmoebotId;
use crate::model::system::System;

/// Lists the rounds of a run: the system after each round, with the amoebots that changed and their actions.
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

/// The action of an amoebot in a round. The action was enabled before the round, and its outcome agrees with the state
/// after the round of the amoebots that it changed. `None` if only actions of other amoebots changed this one.
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
