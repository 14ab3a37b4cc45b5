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
//! and locked. So in every reachable state, for every expansion by which another amoebot comes beside an amoebot, the
//! amoebot is asked what it does before and after: before is what it sees under its locks. All that it does before it
//! must do after, too; but for an expansion into the cell of the newcomer, which fails in time and counts as nothing.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::model::id::AmoebotId;
use acrasin_explore::Moves;
use acrasin_runtime::choice::Enumerated;

use super::limits::{ExploreError, Limits};
use super::packed::{Form, Packing, Unpacked};
use super::search::{Halt, States, search, way_on};
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
    pub examples: Vec<(Configuration<M>, AmoebotId)>,
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
    id: AmoebotId,
    done: &Behaviour<A>,
) -> bool {
    let mut locked: Vec<AmoebotId> = std::iter::once(id).chain(system.neighbours(id)).collect();
    locked.sort_unstable();
    let me = locked.binary_search(&id).expect("it locks itself");
    let alone = System::new(locked.iter().map(|near| system.amoebot(*near).clone()).collect())
        .and_then(|alone| alone.with_object(system.object().iter().copied()))
        .expect("a part of a system");
    behaviour(algorithm, View::of(&alone, AmoebotId(me as u32))) != *done
}

/// Checks the conventions in all states that are reachable from some systems, one amoebot acting at a time.
///
/// # Errors
///
/// More than `states_max` states, or amoebots too far apart.
pub fn conventions<A: Algorithm<Memory: Send + Sync> + Sync>(
    algorithm: &A,
    starts: impl IntoIterator<Item = System<A::Memory>>,
    states_max: usize,
) -> Result<Conventions<A::Memory>, ExploreError> {
    let limits = Limits { states_max, bytes_max: u64::MAX / 2, outcomes_max: usize::MAX, bytes_owned: 0 };
    let all = AllStates { algorithm, packing: Packing::new(Form::Anonymous, 0), seen: Seen::default() };
    let halt = Halt::at(limits);
    let mut starts = starts.into_iter();
    let met = search(&all, &mut |into| all.packing.pack_next(&mut starts, into), &halt, &|_, _| {})?;
    let mut examples = Vec::new();
    for (_, state) in met.kept() {
        let system = all.packing.system(state);
        for id in system.ids() {
            for (next, movement) in all.completed(&system, id, behaviour(algorithm, View::of(&system, id))) {
                for (acting, is_same) in all.compared(&system, &next, id, movement) {
                    if !is_same && examples.len() < EXAMPLES_MAX {
                        examples.push((next.numbered_configuration(), acting));
                    }
                }
            }
        }
        if examples.len() == EXAMPLES_MAX {
            break;
        }
    }
    let count = |seen: &AtomicUsize| seen.load(Ordering::Relaxed);
    Ok(Conventions {
        states: met.graph().len(),
        compared: count(&all.seen.compared),
        aborted: count(&all.seen.aborted),
        looked_beyond: count(&all.seen.looked_beyond),
        moved: count(&all.seen.moved),
        not_monotone: count(&all.seen.not_monotone),
        examples,
    })
}

/// What was seen in all states.
#[derive(Default)]
struct Seen {
    compared: AtomicUsize,
    aborted: AtomicUsize,
    looked_beyond: AtomicUsize,
    moved: AtomicUsize,
    not_monotone: AtomicUsize,
}

fn more(seen: &AtomicUsize, by: usize) {
    seen.fetch_add(by, Ordering::Relaxed);
}

/// All states that are reachable if one amoebot acts at a time.
struct AllStates<'a, A: Algorithm> {
    algorithm: &'a A,
    packing: Packing<A::Memory>,
    seen: Seen,
}

impl<A: Algorithm<Memory: Send + Sync> + Sync> AllStates<'_, A> {
    /// The systems after all that an amoebot does, with the movement; without what is aborted.
    fn completed<'s>(
        &self,
        system: &'s System<A::Memory>,
        id: AmoebotId,
        done: Behaviour<A>,
    ) -> impl Iterator<Item = (System<A::Memory>, Option<Movement>)> + use<'s, A> {
        done.into_iter().flat_map(|(_, effects)| effects).filter_map(move |effects| {
            let effects = effects.ok()?;
            let (mut next, movement) = (system.clone(), effects.movement());
            effects.apply(&mut next, id).ok()?;
            Some((next, movement))
        })
    }

    /// For those to whom a newcomer has come by Expand: whether they do the same as before.
    fn compared(
        &self,
        before: &System<A::Memory>,
        after: &System<A::Memory>,
        newcomer: AmoebotId,
        movement: Option<Movement>,
    ) -> Vec<(AmoebotId, bool)> {
        if !matches!(movement, Some(Movement::Expand(_))) {
            return Vec::new();
        }
        let is_new_to = |id: &AmoebotId| before.neighbours(*id).all(|near| near != newcomer);
        let acting = after.neighbours(newcomer).filter(is_new_to);
        acting.map(|id| (id, does_the_same(self.algorithm, before, after, id))).collect()
    }
}

/// Whether an amoebot does after another one has come all that it does before; but for an expansion into a cell that is
/// occupied by then.
fn does_the_same<A: Algorithm>(
    algorithm: &A,
    before: &System<A::Memory>,
    after: &System<A::Memory>,
    id: AmoebotId,
) -> bool {
    let blind = behaviour(algorithm, View::of(before, id));
    let seen = behaviour(algorithm, View::of(after, id));
    let fails = |effects: &Result<Effects<A::Memory>, ActionError>| {
        let movement = effects.as_ref().ok().and_then(Effects::movement);
        movement
            .is_some_and(|movement| matches!(after.moved(id, movement), Err(OperationError::Occupied { .. })))
    };
    blind.iter().all(|(action, effects)| {
        effects.iter().all(fails) || seen.iter().any(|(other, seen)| other == action && seen == effects)
    })
}

impl<A: Algorithm<Memory: Send + Sync> + Sync> States for AllStates<'_, A> {
    fn expand(&self, state: &[u8], halt: &Halt<'_>, moves: &mut Moves) -> Result<(), ExploreError> {
        let system = self.packing.system(state);
        let before = Unpacked { system: &system, packed: state };
        let (mut listed, mut not_monotone) = (0, 0);
        for id in system.ids() {
            let done = behaviour(self.algorithm, View::of(&system, id));
            more(&self.seen.looked_beyond, usize::from(looks_beyond(self.algorithm, &system, id, &done)));
            let attempts: usize = done.iter().map(|(_, effects)| effects.len()).sum();
            let first = listed;
            for (next, movement) in self.completed(&system, id, done) {
                way_on(moves, listed, (self, halt), |into| self.packing.pack(&next, Some(&before), into))?;
                listed += 1;
                more(&self.seen.moved, usize::from(movement.is_some()));
                let compared = self.compared(&system, &next, id, movement);
                more(&self.seen.compared, compared.len());
                not_monotone += compared.iter().filter(|(_, is_same)| !is_same).count();
            }
            more(&self.seen.aborted, attempts - (listed - first));
        }
        if not_monotone > 0 {
            more(&self.seen.not_monotone, not_monotone);
            moves.keep();
        }
        Ok(())
    }

    fn bytes(&self) -> u64 {
        self.packing.bytes()
    }
}
