//! Several amoebots act in one step, without locks: the synchronous and the k-isolated adversary.
//!
//! A round has two phases, as in the canonical model. First every amoebot that acts looks at the system as it is and
//! computes; then all effects are done, one after the other in the order of the identities. An effect that is not
//! possible any more, such as a second expansion into one cell, fails and changes nothing: of those that collide exactly
//! one succeeds, here the one with the smallest identity. [Explorations](crate::check::simultaneous) let each of them succeed.
//!
//! Algorithms that are right one amoebot at a time can be wrong here. That is what locks are for.

use std::fmt::Debug;

use crate::model::id::AmoebotId;
use acrasin_runtime::choice::{Choices, Decision, pick_index};

use crate::algorithm::{ActionError, Algorithm, Effects, FailedAction, View, enabled_actions};
use crate::model::operation::{Movement, OperationError};
use crate::model::system::System;
use crate::run::affected::{Affected, is_enabled};
use crate::run::enabled::EnabledSet;

/// Who may act in one round.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Concurrency {
    /// Every amoebot that is enabled.
    Synchronous,
    /// As many of the enabled as can be added in a random order, if no amoebot is within this distance of another one,
    /// counted in steps from neighbour to neighbour. With 0 it is every amoebot; with 2 closed neighbourhoods are disjoint.
    Isolated(u32),
}

/// What happened so far.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Counts {
    /// Rounds.
    pub rounds: u64,
    /// Completed actions.
    pub actions: u64,
    /// Movements; a handover is two.
    pub moves: u64,
    /// Actions that failed: alone they would not have, if the algorithm is valid.
    pub failures: u64,
    /// The most amoebots that acted in a round.
    pub width: usize,
    /// How many acted in the last round.
    pub last_width: usize,
}

/// A run in rounds.
///
/// ```
/// use acrasin_amoebot::run::simultaneous::{Concurrency, Rounds};
/// use acrasin_amoebot::{Cell, Direction, Erosion, start};
/// use acrasin_amoebot::library::erosion::Memory;
/// use acrasin_runtime::Seeded;
///
/// // Two candidates that act at once both erode: no amoebot is left.
/// let pair = Erosion::start(&start::line(Cell::ORIGIN, Direction::East, 2)?, &[])?;
/// let leaders = |concurrency| {
///     let mut rounds = Rounds::new(&Erosion, pair.clone(), concurrency);
///     assert!(rounds.run(100, &mut Seeded::new(1)));
///     rounds.system().ids().filter(|id| *rounds.system().memory(*id) == Memory::Leader).count()
/// };
/// assert_eq!(leaders(Concurrency::Synchronous), 0);
/// assert_eq!(leaders(Concurrency::Isolated(2)), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Rounds<'a, A: Algorithm> {
    algorithm: &'a A,
    system: System<A::Memory>,
    concurrency: Concurrency,
    /// Who is enabled, once a round has asked.
    known: Option<Known>,
    has_terminated: bool,
    failed: Option<FailedAction>,
    counts: Counts,
}

/// An amoebot that acts in a round, and the effects of its action.
pub(crate) struct Computed<M, L> {
    pub(crate) id: AmoebotId,
    action: L,
    pub(crate) effects: Result<Effects<M>, ActionError>,
}

impl<M, L: Debug> Computed<M, L> {
    /// The failure of the action where the amoebot acts alone; `None` if the action can be done.
    pub(crate) fn failed(&self, system: &System<M>) -> Option<FailedAction> {
        let error = match &self.effects {
            Ok(effects) => effects.failure(system, self.id)?.into(),
            Err(error) => *error,
        };
        Some(FailedAction::of(system, self.id, &self.action, error))
    }
}

/// Who is enabled, kept from round to round: after one only those are asked whom it may have enabled or disabled.
#[derive(Clone, Debug)]
struct Known {
    enabled: EnabledSet,
    affected: Affected,
    /// Who can still be added to those who act; empty between rounds.
    left: EnabledSet,
}

impl<'a, A: Algorithm> Rounds<'a, A> {
    /// At the start. O(1).
    #[must_use]
    pub fn new(algorithm: &'a A, system: System<A::Memory>, concurrency: Concurrency) -> Self {
        let counts = Counts::default();
        Self { algorithm, system, concurrency, known: None, has_terminated: false, failed: None, counts }
    }

    /// The system now.
    #[must_use]
    pub fn system(&self) -> &System<A::Memory> {
        &self.system
    }

    /// What happened so far.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// The first action that would fail if its amoebot acted alone.
    #[must_use]
    pub fn failed(&self) -> Option<&FailedAction> {
        self.failed.as_ref()
    }

    /// Runs until no amoebot is enabled or an action [has failed](Self::failed), but at most so many rounds; tells whether no
    /// amoebot is enabled.
    pub fn run(&mut self, most: u64, choices: &mut dyn Choices) -> bool {
        for _ in 0..most {
            if self.has_terminated || self.failed.is_some() {
                break;
            }
            self.round(choices);
        }
        // The last round may have left no amoebot.
        self.has_terminated = self.known().enabled.is_empty();
        self.has_terminated
    }

    /// Who is enabled now: every amoebot is asked. O(n).
    pub(crate) fn look(&self) -> EnabledSet {
        let mut enabled = EnabledSet::none_of(self.system.len());
        for id in self.system.ids() {
            enabled.set(id, is_enabled(self.algorithm, &self.system, id));
        }
        enabled
    }

    fn known(&mut self) -> &mut Known {
        if self.known.is_none() {
            let n = self.system.len();
            let (affected, left) = (Affected::none_of(n), EnabledSet::none_of(n));
            self.known = Some(Known { enabled: self.look(), affected, left });
        }
        self.known.as_mut().expect("it was asked")
    }

    /// One round, if any amoebot is enabled. The first asks every amoebot, the others those near who has acted; for isolation
    /// at distance k there are as many looks more as there are amoebots within it of those who act.
    pub fn round(&mut self, choices: &mut dyn Choices) {
        let mut acting = self.known().enabled.ids().to_vec();
        if acting.is_empty() {
            self.has_terminated = true;
            return;
        }
        acting.sort_unstable();
        if let Concurrency::Isolated(distance) = self.concurrency {
            acting = self.isolated(&acting, distance, choices);
        }
        self.act(&acting, choices);
    }

    /// The actions of these enabled amoebots in one round: every amoebot looks before any amoebot acts.
    pub(crate) fn compute(
        &self,
        acting: &[AmoebotId],
        choices: &mut dyn Choices,
    ) -> Vec<Computed<A::Memory, A::Action>> {
        let of_amoebot = |&id: &AmoebotId| {
            let view = View::of(&self.system, id);
            let actions: Vec<A::Action> = enabled_actions(self.algorithm, view).collect();
            let chosen = pick_index(choices, actions.len(), Decision::Action);
            let action = actions[chosen.expect("it is enabled")];
            Computed { id, action, effects: self.algorithm.execute(action, &view, choices) }
        };
        acting.iter().map(of_amoebot).collect()
    }

    /// A round in which these act, who are all enabled.
    fn act(&mut self, acting: &[AmoebotId], choices: &mut dyn Choices) {
        let computed = self.compute(acting, choices);
        self.counts.rounds += 1;
        self.counts.last_width = acting.len();
        self.counts.width = self.counts.width.max(acting.len());
        if self.failed.is_none() {
            self.failed = computed.iter().find_map(|computed| computed.failed(&self.system));
        }
        for Computed { id, effects, .. } in computed {
            match effects.and_then(|effects| Ok(self.apply(id, effects)?)) {
                Ok(moves) => {
                    self.counts.actions += 1;
                    self.counts.moves += moves;
                }
                Err(_) => self.counts.failures += 1,
            }
        }
        if let Some(Known { enabled, affected, .. }) = &mut self.known {
            while let Some(who) = affected.pop() {
                enabled.set(who, is_enabled(self.algorithm, &self.system, who));
            }
        }
    }

    /// Does the effects of an action; how many movements they are.
    fn apply(&mut self, id: AmoebotId, effects: Effects<A::Memory>) -> Result<u64, OperationError> {
        let moves = effects.movement().map_or(0, Movement::moves);
        let effects = effects.resolved(&self.system, id)?;
        let Some(Known { affected, .. }) = &mut self.known else {
            effects.apply(&mut self.system);
            return Ok(moves);
        };
        let changed: Vec<AmoebotId> = effects.changed().collect();
        affected.add_of(&self.system, &changed, &effects);
        effects.apply(&mut self.system);
        Ok(moves)
    }

    /// A maximal set of the enabled with no amoebot within the distance of another.
    fn isolated(
        &mut self,
        enabled: &[AmoebotId],
        distance: u32,
        choices: &mut dyn Choices,
    ) -> Vec<AmoebotId> {
        let mut acting = Vec::new();
        let known = self.known.as_mut().expect("it was asked");
        let mut left = std::mem::replace(&mut known.left, EnabledSet::none_of(0));
        for id in enabled {
            left.set(*id, true);
        }
        while let Some(picked) = pick_index(choices, left.ids().len(), Decision::Activation) {
            let id = left.ids()[picked];
            acting.push(id);
            left.set(id, false);
            for near in self.within(id, distance) {
                left.set(near, false);
            }
        }
        self.known.as_mut().expect("it was asked").left = left;
        acting.sort_unstable();
        acting
    }

    /// Every amoebot within a distance of an amoebot.
    pub(crate) fn within(&self, id: AmoebotId, distance: u32) -> Vec<AmoebotId> {
        let mut found = vec![id];
        let mut done = 0;
        for _ in 0..distance {
            let ring = done..found.len();
            done = found.len();
            for at in ring {
                for near in self.system.neighbours(found[at]) {
                    if !found.contains(&near) {
                        found.push(near);
                    }
                }
            }
        }
        found
    }
}
