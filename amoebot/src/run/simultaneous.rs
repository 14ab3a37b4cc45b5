//! Several amoebots act in one step, without locks: the synchronous and k-isolated adversaries.
//!
//! A round has two phases, as in the canonical model. First every acting amoebot reads the current system and computes.
//! Then all effects are applied, in the order of identities. An action whose effects are no longer possible, such as a
//! second expansion into one cell, fails and changes nothing. So exactly one of the colliding amoebots succeeds, here
//! the one with the smallest identity. [Explorations](crate::check::simultaneous) try every possible winner.
//!
//! Algorithms that are correct sequentially can fail in such rounds; therefore locks are needed.

use std::fmt::Debug;

use crate::model::id::AmoebotId;
use acrasin_runtime::choice::{Choices, Decision, pick_index};
use acrasin_runtime::{Pack as _, PackError, pack_fields};

use crate::algorithm::{ActionError, Algorithm, Effects, FailedAction, View, enabled_actions};
use crate::model::operation::{Movement, OperationError};
use crate::model::system::System;
use crate::run::affected::{Affected, is_enabled};
use crate::run::enabled::EnabledSet;

/// The choice of enabled amoebots that act in one round.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Concurrency {
    /// All enabled amoebots act.
    Synchronous,
    /// A maximal set, chosen in random order, in which no two amoebots are within this distance, counted in steps
    /// between neighbours. With 0 all enabled amoebots act; with 2 the closed neighbourhoods of the actors are
    /// disjoint.
    Isolated(u32),
}

/// Counters of a run in rounds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct RoundCounts {
    /// The number of completed rounds.
    pub rounds: u64,
    /// The number of completed actions.
    pub actions: u64,
    /// The number of movements; a handover is two.
    pub moves: u64,
    /// The number of failed actions. If the algorithm is valid, each action would have succeeded alone.
    pub failures: u64,
    /// The maximum number of amoebots that acted in a round.
    pub width: usize,
    /// The number of amoebots that acted in the last round.
    pub last_width: usize,
}

pack_fields!(RoundCounts { rounds, actions, moves, failures, width, last_width });

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
    /// The enabled set; `None` before the first round.
    known: Option<KnownEnabled>,
    has_terminated: bool,
    failed: Option<FailedAction>,
    counts: RoundCounts,
}

/// An amoebot that acts in a round, and the effects of its action.
pub(crate) struct Computed<M, L> {
    pub(crate) id: AmoebotId,
    action: L,
    pub(crate) effects: Result<Effects<M>, ActionError>,
}

impl<M, L: Debug> Computed<M, L> {
    /// The error that the action would have if its amoebot acted alone; `None` if it would succeed.
    pub(crate) fn failed(&self, system: &System<M>) -> Option<FailedAction> {
        let error = match &self.effects {
            Ok(effects) => effects.failure(system, self.id)?.into(),
            Err(error) => *error,
        };
        Some(FailedAction::of(system, self.id, &self.action, error))
    }
}

/// The enabled set, kept from round to round. Before a round, only the guards that the last round may have affected are
/// evaluated again.
#[derive(Clone, Debug)]
struct KnownEnabled {
    enabled: EnabledSet,
    affected: Affected,
    /// The amoebots that can still join the acting set; empty between rounds.
    left: EnabledSet,
}

/// Whether the loop over many amoebots may continue at position `at`. Calls `goes_on` once per 64 amoebots.
fn is_time(at: usize, goes_on: &dyn Fn() -> bool) -> bool {
    at % 64 != 63 || goes_on()
}

impl<'a, A: Algorithm> Rounds<'a, A> {
    /// Starts a run from this system. O(1).
    #[must_use]
    pub fn new(algorithm: &'a A, system: System<A::Memory>, concurrency: Concurrency) -> Self {
        let counts = RoundCounts::default();
        Self { algorithm, system, concurrency, known: None, has_terminated: false, failed: None, counts }
    }

    /// Appends the state. Returns `false` if memories cannot be saved, or if an action has failed, since the run is
    /// then over.
    pub fn save(&self, into: &mut Vec<u8>) -> bool {
        self.counts.pack(into);
        self.has_terminated.pack(into);
        let mut memory = |memory: &A::Memory, into: &mut Vec<u8>| self.algorithm.save_memory(memory, into);
        self.failed.is_none() && self.system.save(&mut memory, into)
    }

    /// Restores the state that [`save`](Self::save) wrote for a run from the same start.
    ///
    /// # Errors
    ///
    /// [`PackError`] if `from` does not begin with such a state. The run is then unusable until a load succeeds.
    pub fn load(&mut self, from: &mut &[u8]) -> Result<(), PackError> {
        self.counts.unpack_into(from)?;
        self.has_terminated.unpack_into(from)?;
        // Acting amoebots are sorted, so the order of the enabled set does not matter.
        self.known = None;
        self.system.load(&mut |from| self.algorithm.load_memory(from), from)
    }

    /// The amoebots in their current state.
    #[must_use]
    pub fn system(&self) -> &System<A::Memory> {
        &self.system
    }

    /// The counters so far.
    #[must_use]
    pub fn counts(&self) -> RoundCounts {
        self.counts
    }

    /// The first action that would fail if its amoebot acted alone.
    #[must_use]
    pub fn failed(&self) -> Option<&FailedAction> {
        self.failed.as_ref()
    }

    /// Runs at most `most` rounds, until no amoebot is enabled or an action [has failed](Self::failed). Returns whether
    /// no amoebot is enabled.
    pub fn run(&mut self, most: u64, choices: &mut (impl Choices + Clone)) -> bool {
        self.run_while(most, choices, &|| true)
    }

    /// Like [`run`](Self::run), but also ends once `goes_on` returns false. That function is called about once per 64
    /// amoebots. A round whose amoebots have not begun to act is then discarded, and its draws are undone in `choices`.
    pub fn run_while(
        &mut self,
        most: u64,
        choices: &mut (impl Choices + Clone),
        goes_on: &dyn Fn() -> bool,
    ) -> bool {
        for _ in 0..most {
            if self.has_terminated || self.failed.is_some() {
                break;
            }
            let before = choices.clone();
            if self.round_while(choices, goes_on).is_none() {
                *choices = before;
                return false;
            }
        }
        // After the last round no amoebot may be enabled.
        self.has_terminated = self.known(goes_on).is_some_and(|known| known.enabled.is_empty());
        self.has_terminated
    }

    /// Computes the enabled set from all guards. O(n).
    pub(crate) fn look(&self) -> EnabledSet {
        let mut enabled = EnabledSet::none_of(self.system.len());
        for id in self.system.ids() {
            enabled.set(id, is_enabled(self.algorithm, &self.system, id));
        }
        enabled
    }

    /// The enabled set of the current system. `None` once `goes_on` returns false.
    fn known(&mut self, goes_on: &dyn Fn() -> bool) -> Option<&mut KnownEnabled> {
        let n = self.system.len();
        let known = self.known.get_or_insert_with(|| {
            let (enabled, left) = (EnabledSet::none_of(n), EnabledSet::none_of(n));
            KnownEnabled { enabled, affected: Affected::all_of(n), left }
        });
        for evaluated in 0.. {
            if !is_time(evaluated, goes_on) {
                return None;
            }
            let Some(who) = known.affected.pop() else { break };
            known.enabled.set(who, is_enabled(self.algorithm, &self.system, who));
        }
        self.known.as_mut()
    }

    /// Executes one round, if any amoebot is enabled. The first round evaluates all guards, later rounds only those
    /// near the last actors. Isolation at distance k also visits every amoebot within k of an actor.
    pub fn round(&mut self, choices: &mut dyn Choices) {
        self.round_while(choices, &|| true);
    }

    /// Executes one round. Returns `None`, with nothing changed but `choices`, once `goes_on` returns false before the
    /// amoebots act.
    fn round_while(&mut self, choices: &mut dyn Choices, goes_on: &dyn Fn() -> bool) -> Option<()> {
        let mut acting = self.known(goes_on)?.enabled.ids().to_vec();
        if acting.is_empty() {
            self.has_terminated = true;
            return Some(());
        }
        acting.sort_unstable();
        if let Concurrency::Isolated(distance) = self.concurrency {
            acting = self.isolated(&acting, distance, choices, goes_on)?;
        }
        self.act(&acting, choices, goes_on)
    }

    /// Computes the actions of these enabled amoebots in one round. All amoebots read before any of them acts. `None`
    /// once `goes_on` returns false.
    pub(crate) fn compute(
        &self,
        acting: &[AmoebotId],
        choices: &mut dyn Choices,
        goes_on: &dyn Fn() -> bool,
    ) -> Option<Vec<Computed<A::Memory, A::Action>>> {
        let mut of_amoebot = |&id: &AmoebotId| {
            let view = View::new(&self.system, id);
            let actions: Vec<A::Action> = enabled_actions(self.algorithm, view).collect();
            let chosen = pick_index(choices, actions.len(), Decision::Action);
            let action = actions[chosen.expect("it is enabled")];
            Computed { id, action, effects: self.algorithm.execute(action, &view, choices) }
        };
        let mut computed = Vec::with_capacity(acting.len());
        for id in acting {
            if !is_time(computed.len(), goes_on) {
                return None;
            }
            computed.push(of_amoebot(id));
        }
        Some(computed)
    }

    /// Executes a round in which these enabled amoebots act. Returns `None` once `goes_on` returns false before they
    /// act.
    fn act(
        &mut self,
        acting: &[AmoebotId],
        choices: &mut dyn Choices,
        goes_on: &dyn Fn() -> bool,
    ) -> Option<()> {
        let computed = self.compute(acting, choices, goes_on)?;
        for (at, computed) in computed.iter().enumerate() {
            if !is_time(at, goes_on) {
                self.failed = None;
                return None;
            }
            self.failed = self.failed.take().or_else(|| computed.failed(&self.system));
        }
        self.counts.rounds += 1;
        self.counts.last_width = acting.len();
        self.counts.width = self.counts.width.max(acting.len());
        for (at, Computed { id, effects, .. }) in computed.into_iter().enumerate() {
            // A round that acts is completed. The next one evaluates all guards if there is no time to collect those
            // that change.
            if self.known.is_some() && !is_time(at, goes_on) {
                self.known = None;
            }
            match effects.and_then(|effects| Ok(self.apply(id, effects)?)) {
                Ok(moves) => {
                    self.counts.actions += 1;
                    self.counts.moves += moves;
                }
                Err(_) => self.counts.failures += 1,
            }
        }
        Some(())
    }

    /// Applies the effects of an action; returns the number of movements.
    fn apply(&mut self, id: AmoebotId, effects: Effects<A::Memory>) -> Result<u64, OperationError> {
        let moves = effects.movement().map_or(0, Movement::moves);
        let effects = effects.resolved(&self.system, id)?;
        let Some(KnownEnabled { affected, .. }) = &mut self.known else {
            effects.apply(&mut self.system);
            return Ok(moves);
        };
        let changed: Vec<AmoebotId> = effects.changed().collect();
        affected.add_of(&self.system, &changed, &effects);
        effects.apply(&mut self.system);
        Ok(moves)
    }

    /// A maximal subset in random order in which no two amoebots are within the distance of isolation. `None` once
    /// `goes_on` returns false.
    fn isolated(
        &mut self,
        enabled: &[AmoebotId],
        distance: u32,
        choices: &mut dyn Choices,
        goes_on: &dyn Fn() -> bool,
    ) -> Option<Vec<AmoebotId>> {
        let mut acting = Vec::new();
        let known = self.known.as_mut().expect("it was asked");
        let mut left = std::mem::replace(&mut known.left, EnabledSet::none_of(0));
        for id in enabled {
            left.set(*id, true);
        }
        let mut is_cut = false;
        while let Some(picked) = pick_index(choices, left.ids().len(), Decision::Activation) {
            if !is_time(acting.len(), goes_on) {
                is_cut = true;
                break;
            }
            let id = left.ids()[picked];
            acting.push(id);
            left.set(id, false);
            for near in self.within(id, distance) {
                left.set(near, false);
            }
        }
        if is_cut {
            left = EnabledSet::none_of(self.system.len());
        }
        self.known.as_mut().expect("it was asked").left = left;
        acting.sort_unstable();
        (!is_cut).then_some(acting)
    }

    /// All amoebots within a distance of an amoebot, itself included.
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
