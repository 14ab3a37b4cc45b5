//! The actions that amoebots can take in a system, with all outcomes of their draws.

use acrasin_runtime::choice::Enumerated;

use super::limits::ExploreError;
use crate::algorithm::{Algorithm, View, enabled_actions};
use crate::model::id::AmoebotId;
use crate::model::operation::Movement;
use crate::model::system::System;

/// An action of an amoebot, given by its position in the algorithm's list, with one outcome of its draws.
pub(super) struct Act<M> {
    pub(super) id: AmoebotId,
    pub(super) action: usize,
    /// The system after the action and its number of movements; `None` if the action is aborted.
    pub(super) done: Option<(System<M>, u16)>,
}

/// Lists all actions and outcomes of these amoebots, in a fixed order.
pub(super) fn acts<A: Algorithm>(
    algorithm: &A,
    system: &System<A::Memory>,
    ids: impl Iterator<Item = AmoebotId>,
    each: &mut dyn FnMut(Act<A::Memory>) -> Result<(), ExploreError>,
) -> Result<(), ExploreError> {
    for id in ids {
        let view = View::new(system, id);
        for action in enabled_actions(algorithm, view) {
            let position = algorithm.actions().iter().position(|listed| *listed == action);
            let position = position.expect("an enabled action is in the list");
            // One iteration per outcome of the draws.
            let mut outcomes = Enumerated::new();
            loop {
                let mut next = system.clone();
                let done = algorithm.execute(action, &view, &mut outcomes).and_then(|effects| {
                    let moves = effects.movement().map_or(0, Movement::moves) as u16;
                    effects.apply(&mut next, id)?;
                    Ok(moves)
                });
                each(Act { id, action: position, done: done.ok().map(|moves| (next, moves)) })?;
                if !outcomes.advance() {
                    break;
                }
            }
        }
    }
    Ok(())
}
