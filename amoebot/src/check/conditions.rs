//! Whether an algorithm meets the conventions of the concurrency framework, on all states of small systems.
//!
//! The framework's theorem needs three (Daymude, Richa, Scheideler, DISC 2021). An algorithm declares those that it meets,
//! [`Algorithm::conventions`], and what is declared can be compared with what is found, [`Conventions::broken`].
//!
//! | convention | here |
//! |---|---|
//! | validity: alone, an enabled action succeeds | checked: [`Conventions::aborted`] |
//! | phase structure: compute from what is locked, then at most one movement | the one movement by construction of [`Effects`]; checked: [`Conventions::looked_beyond`] |
//! | monotonicity: who arrives while an amoebot acts changes neither what is enabled nor what it does | checked: [`Conventions::not_monotone`] |
//!
//! What an amoebot does in its compute phase must follow from itself and its neighbours, whom it has locked. So each one
//! is asked again in a system of these alone. An algorithm that looks further looks as if it had moved already, which
//! comes second.
//!
//! Who arrives while an amoebot holds its locks arrives by Expand: in a handover its partner would have been a neighbour,
//! and locked. So in every reachable state, for every expansion by which somebody comes beside an amoebot, the amoebot is
//! asked what it does before and after: before is what it sees under its locks. All that it does before it must do
//! after, too; but for an expansion into the cell of the newcomer, which fails in time and counts as nothing.

use std::hash::BuildHasher as _;

use acrasin_runtime::NodeId;
use acrasin_runtime::choice::Enumerated;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

use super::limits::ExploreError;
use crate::FixedHasher;
use crate::algorithm::{ActionError, Algorithm, Convention, Effects, View, enabled_actions};
use crate::model::operation::{Movement, OperationError};
use crate::model::system::{Configuration, System};

/// Examples that are kept.
pub const EXAMPLES_MAX: usize = 64;

/// What was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Conventions<M> {
    /// Reachable states, amoebots being anonymous.
    pub states: usize,
    /// Arrivals for which what an amoebot does was compared.
    pub compared: usize,
    /// Enabled actions that were aborted.
    pub aborted: usize,
    /// Amoebots, over all states, that would do something else if others than their neighbours were not there.
    pub looked_beyond: usize,
    /// Actions with a movement that were completed.
    pub moved: usize,
    /// Comparisons in which the newcomer made a difference.
    pub not_monotone: usize,
    /// The first of those, at most [`EXAMPLES_MAX`]: the state with the newcomer, its amoebots in the order of the state
    /// before, and the position of the amoebot that acts.
    pub examples: Vec<(Configuration<M>, NodeId)>,
}

impl<M> Conventions<M> {
    /// Whether all that the framework asks for is met in all states.
    #[must_use]
    pub fn are_met(&self) -> bool {
        self.broken(Convention::FRAMEWORK).is_empty()
    }

    /// Whether this one is met in all states.
    #[must_use]
    pub fn meets(&self, convention: Convention) -> bool {
        let against = match convention {
            Convention::Validity => self.aborted,
            Convention::PhaseStructure => self.looked_beyond,
            Convention::Monotonicity => self.not_monotone,
            Convention::Static => self.moved,
        };
        against == 0
    }

    /// Those of the declared ones that are not met: none if the declaration is right.
    #[must_use]
    pub fn broken(&self, declared: &[Convention]) -> Vec<Convention> {
        declared.iter().copied().filter(|convention| !self.meets(*convention)).collect()
    }
}

/// What an amoebot does: for each action that is enabled and each outcome of its draws, the effects.
type Behaviour<A> =
    Vec<(<A as Algorithm>::Action, Vec<Result<Effects<<A as Algorithm>::Memory>, ActionError>>)>;

fn behaviour<A: Algorithm>(algorithm: &A, view: View<'_, A::Memory>) -> Behaviour<A> {
    let effects = |action| {
        let (mut outcomes, mut effects) = (Enumerated::new(), Vec::new());
        loop {
            effects.push(algorithm.execute(action, &view, &mut outcomes));
            if !outcomes.advance() {
                break effects;
            }
        }
    };
    enabled_actions(algorithm, view).map(|action| (action, effects(action))).collect()
}

/// Whether an amoebot does something else without all those who are not its neighbours.
fn looks_beyond<A: Algorithm>(
    algorithm: &A,
    system: &System<A::Memory>,
    id: NodeId,
    done: &Behaviour<A>,
) -> bool {
    let mut locked: Vec<NodeId> = std::iter::once(id).chain(system.neighbours(id)).collect();
    locked.sort_unstable();
    let me = locked.binary_search(&id).expect("it locks itself");
    let alone = System::new(locked.iter().map(|near| system.amoebot(*near).clone()).collect())
        .and_then(|alone| alone.with_object(system.object().iter().copied()))
        .expect("a part of a system");
    behaviour(algorithm, View::of(&alone, NodeId(me as u32))) != *done
}

/// Checks the conventions in all states that are reachable from some systems, one amoebot acting at a time.
///
/// # Errors
///
/// More than `states_max` states, or amoebots too far apart.
pub fn conventions<A: Algorithm>(
    algorithm: &A,
    starts: impl IntoIterator<Item = System<A::Memory>>,
    states_max: usize,
) -> Result<Conventions<A::Memory>, ExploreError> {
    let mut states: Vec<Configuration<A::Memory>> = Vec::new();
    let mut index: HashTable<usize> = HashTable::new();
    let mut insert = |system: &System<A::Memory>, states: &mut Vec<Configuration<A::Memory>>| {
        let state = system.configuration().normal_form()?;
        let hash = |state: &Configuration<A::Memory>| FixedHasher::default().hash_one(state);
        let entry = index.entry(hash(&state), |at| states[*at] == state, |at| hash(&states[*at]));
        if let Entry::Vacant(vacant) = entry {
            if states.len() == states_max {
                return Err(ExploreError::TooManyStates { limit: states_max });
            }
            vacant.insert(states.len());
            states.push(state);
        }
        Ok(())
    };
    for start in starts {
        insert(&start, &mut states)?;
    }
    let mut found = Conventions {
        states: 0,
        compared: 0,
        aborted: 0,
        looked_beyond: 0,
        moved: 0,
        not_monotone: 0,
        examples: Vec::new(),
    };
    while found.states < states.len() {
        let state = states[found.states].clone();
        found.states += 1;
        let system = state.system();
        for id in system.ids() {
            let done = behaviour(algorithm, View::of(&system, id));
            found.looked_beyond += usize::from(looks_beyond(algorithm, &system, id, &done));
            for (_, effects) in done {
                for effects in effects {
                    let mut next = system.clone();
                    let movement = effects.as_ref().ok().and_then(Effects::movement);
                    if effects.and_then(|effects| Ok(effects.apply(&mut next, id)?)).is_err() {
                        found.aborted += 1;
                        continue;
                    }
                    insert(&next, &mut states)?;
                    found.moved += usize::from(movement.is_some());
                    if let Some(Movement::Expand(_)) = movement {
                        found.arrival(algorithm, &system, &next, id);
                    }
                }
            }
        }
    }
    Ok(found)
}

impl<M: Clone + Eq> Conventions<M> {
    /// Compares what those do to whom `newcomer` has come.
    fn arrival<A: Algorithm<Memory = M>>(
        &mut self,
        algorithm: &A,
        before: &System<M>,
        after: &System<M>,
        newcomer: NodeId,
    ) {
        for id in after.neighbours(newcomer).filter(|id| before.neighbours(*id).all(|near| near != newcomer))
        {
            let blind = behaviour(algorithm, View::of(before, id));
            let seen = behaviour(algorithm, View::of(after, id));
            let fails = |effects: &Result<Effects<M>, ActionError>| {
                let movement = effects.as_ref().ok().and_then(Effects::movement);
                movement.is_some_and(|movement| {
                    matches!(after.moved(id, movement), Err(OperationError::Occupied { .. }))
                })
            };
            let same = blind.iter().all(|(action, effects)| {
                effects.iter().all(fails)
                    || seen.iter().any(|(other, seen)| other == action && seen == effects)
            });
            self.compared += 1;
            if !same {
                self.not_monotone += 1;
                if self.examples.len() < EXAMPLES_MAX {
                    self.examples.push((after.numbered_configuration(), id));
                }
            }
        }
    }
}
