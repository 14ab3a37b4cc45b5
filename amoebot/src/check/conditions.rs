//! Checks the conventions of the concurrency framework in all states of small systems.
//!
//! The theorem of the framework requires three conventions (Daymude, Richa, Scheideler, DISC 2021). An algorithm
//! declares in [`Algorithm::conventions`] which of them it satisfies. [`Conventions::broken`] compares the declaration
//! with the result.
//!
//! | convention | here |
//! |---|---|
//! | validity: an enabled action succeeds if the amoebot acts alone | checked: [`Conventions::aborted`] |
//! | phase structure: compute from the locked amoebots, then at most one movement | the single movement by construction of [`Effects`]; checked: [`Conventions::looked_beyond`] |
//! | monotonicity: an amoebot that arrives during an action changes neither the enabled actions nor their effects | checked: [`Conventions::not_monotone`] |
//!
//! The compute phase of an amoebot may depend only on itself and its neighbours, which it has locked. So each amoebot
//! is evaluated again in a system that contains only itself and its neighbours. An algorithm that reads further acts as
//! if the amoebot had moved before computing, which violates the order of the phases.
//!
//! An amoebot that arrives next to a lock holder arrives by Expand: the partner of a handover would have been a
//! neighbour, and locked. So in every reachable state, each expansion next to an amoebot is tried. The effects of that
//! amoebot before the expansion, which it computes under its locks, are compared with its effects after the expansion.
//! Every effect must remain. The exception is an expansion into the cell of the arriving amoebot, which fails without
//! effect.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::model::id::AmoebotId;
use acrasin_explore::Moves;
use acrasin_runtime::choice::Enumerated;

use super::keeper::Unkept;
use super::limits::{CheckLimits, ExploreError};
use super::packed::{Equivalence, PackedSystem, Packing};
use super::search::{SearchStop, StateModel, search, way_on};
use crate::algorithm::{ActionError, Algorithm, Convention, Effects, View, enabled_actions};
use crate::model::operation::{Movement, OperationError};
use crate::model::system::{Configuration, System};

/// The maximum number of examples that are kept.
pub const EXAMPLES_MAX: usize = 64;

/// The results of the check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Conventions<M> {
    /// The number of reachable states, for anonymous amoebots.
    pub states: usize,
    /// The number of expansions next to an amoebot whose effects before and after were compared.
    pub compared: usize,
    /// The number of enabled actions that were aborted.
    pub aborted: usize,
    /// The number of amoebots, over all states, whose effects change if all amoebots but their neighbours are removed.
    pub looked_beyond: usize,
    /// The number of actions with a movement that were completed.
    pub moved: usize,
    /// The number of comparisons in which the arriving amoebot changed the effects.
    pub not_monotone: usize,
    /// The first comparisons in which the arriving amoebot changed the effects, at most [`EXAMPLES_MAX`]. Each has the
    /// state with that amoebot, its amoebots in the order of the previous state, and the position of the acting
    /// amoebot.
    pub examples: Vec<(Configuration<M>, AmoebotId)>,
}

impl<M> Conventions<M> {
    /// Whether all conventions of the framework hold in all states.
    #[must_use]
    pub fn are_met(&self) -> bool {
        self.broken(Convention::FRAMEWORK).is_empty()
    }

    /// Whether a convention holds in all states.
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

    /// The declared conventions that do not hold in all states; empty if the declaration is correct.
    #[must_use]
    pub fn broken(&self, declared: &[Convention]) -> Vec<Convention> {
        declared.iter().copied().filter(|convention| !self.meets(*convention)).collect()
    }
}

/// The possible effects of an amoebot: for each enabled action, one entry per outcome of its draws.
type PossibleEffects<A> =
    Vec<(<A as Algorithm>::Action, Vec<Result<Effects<<A as Algorithm>::Memory>, ActionError>>)>;

fn behaviour<A: Algorithm>(algorithm: &A, view: View<'_, A::Memory>) -> PossibleEffects<A> {
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

/// Whether the effects of an amoebot change if all amoebots but its neighbours are removed.
fn looks_beyond<A: Algorithm>(
    algorithm: &A,
    system: &System<A::Memory>,
    id: AmoebotId,
    done: &PossibleEffects<A>,
) -> bool {
    let mut locked: Vec<AmoebotId> = std::iter::once(id).chain(system.neighbours(id)).collect();
    locked.sort_unstable();
    let me = locked.binary_search(&id).expect("it locks itself");
    let alone = System::new(locked.iter().map(|near| system.amoebot(*near).clone()).collect())
        .and_then(|alone| alone.with_object(system.object().iter().copied()))
        .expect("a part of a system");
    behaviour(algorithm, View::new(&alone, AmoebotId(me as u32))) != *done
}

/// Checks the conventions in all states that are reachable from some systems by sequential schedules.
///
/// # Errors
///
/// There are more than `states_max` states, or the amoebots are too far apart.
pub fn conventions<A: Algorithm<Memory: Send + Sync> + Sync>(
    algorithm: &A,
    starts: impl IntoIterator<Item = System<A::Memory>>,
    states_max: usize,
) -> Result<Conventions<A::Memory>, ExploreError> {
    let limits =
        CheckLimits { states_max, bytes_max: u64::MAX / 2, outcomes_max: usize::MAX, bytes_owned: 0 };
    let all = AllStates {
        algorithm,
        packing: Packing::new(Equivalence::Anonymous, 0),
        seen: ConventionCounters::default(),
    };
    let stop = SearchStop::at(limits);
    let mut starts = starts.into_iter();
    let met = search(&all, &mut |into| all.packing.pack_next(&mut starts, into), &stop, (&Unkept, &|_| {}))?;
    let mut examples = Vec::new();
    for (_, state) in met.kept() {
        let system = all.packing.system(state);
        for id in system.ids() {
            for (next, movement) in all.completed(&system, id, behaviour(algorithm, View::new(&system, id))) {
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

/// Counters over all states.
#[derive(Default)]
struct ConventionCounters {
    compared: AtomicUsize,
    aborted: AtomicUsize,
    looked_beyond: AtomicUsize,
    moved: AtomicUsize,
    not_monotone: AtomicUsize,
}

fn more(seen: &AtomicUsize, by: usize) {
    seen.fetch_add(by, Ordering::Relaxed);
}

/// The model of all sequentially reachable states.
struct AllStates<'a, A: Algorithm> {
    algorithm: &'a A,
    packing: Packing<A::Memory>,
    seen: ConventionCounters,
}

impl<A: Algorithm<Memory: Send + Sync> + Sync> AllStates<'_, A> {
    /// The systems after each possible action of an amoebot, with the movements. Aborted actions are omitted.
    fn completed<'s>(
        &self,
        system: &'s System<A::Memory>,
        id: AmoebotId,
        done: PossibleEffects<A>,
    ) -> impl Iterator<Item = (System<A::Memory>, Option<Movement>)> + use<'s, A> {
        done.into_iter().flat_map(|(_, effects)| effects).filter_map(move |effects| {
            let effects = effects.ok()?;
            let (mut next, movement) = (system.clone(), effects.movement());
            effects.apply(&mut next, id).ok()?;
            Some((next, movement))
        })
    }

    /// The amoebots next to the cell into which an amoebot expanded, and for each whether its effects remained.
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
        acting.map(|id| (id, effects_remain(self.algorithm, before, after, id))).collect()
    }
}

/// Whether all effects of an amoebot remain after another amoebot has arrived, except an expansion into the newly
/// occupied cell.
fn effects_remain<A: Algorithm>(
    algorithm: &A,
    before: &System<A::Memory>,
    after: &System<A::Memory>,
    id: AmoebotId,
) -> bool {
    let blind = behaviour(algorithm, View::new(before, id));
    let seen = behaviour(algorithm, View::new(after, id));
    let fails = |effects: &Result<Effects<A::Memory>, ActionError>| {
        let movement = effects.as_ref().ok().and_then(Effects::movement);
        movement
            .is_some_and(|movement| matches!(after.moved(id, movement), Err(OperationError::Occupied { .. })))
    };
    blind.iter().all(|(action, effects)| {
        effects.iter().all(fails) || seen.iter().any(|(other, seen)| other == action && seen == effects)
    })
}

impl<A: Algorithm<Memory: Send + Sync> + Sync> StateModel for AllStates<'_, A> {
    fn expand(&self, state: &[u8], stop: &SearchStop<'_>, moves: &mut Moves) -> Result<(), ExploreError> {
        let system = self.packing.system(state);
        let before = PackedSystem { system: &system, packed: state };
        let (mut listed, mut not_monotone) = (0, 0);
        for id in system.ids() {
            let done = behaviour(self.algorithm, View::new(&system, id));
            more(&self.seen.looked_beyond, usize::from(looks_beyond(self.algorithm, &system, id, &done)));
            let attempts: usize = done.iter().map(|(_, effects)| effects.len()).sum();
            let first = listed;
            for (next, movement) in self.completed(&system, id, done) {
                way_on(moves, listed, (self, stop), |into| self.packing.pack(&next, Some(&before), into))?;
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
