//! Sequential executions: one amoebot acts at a time.

use crate::model::id::AmoebotId;
use acrasin_runtime::choice::{Choices, Decision, pick_index};
use acrasin_runtime::pack::{Pack, PackError, Saved as _, pack_bits, unpack_bits};
use acrasin_runtime::pack_fields;

use crate::algorithm::{
    ActionError, ActionOrder, Algorithm, FailedAction, View, enabled_actions, first_enabled_action,
};
use crate::model::operation::Movement;
use crate::model::system::System;
use crate::run::affected::{Affected, is_enabled};
use crate::run::enabled::EnabledSet;
use crate::run::pending::RoundPending;

/// The adversary of the canonical model, which controls the timing of activations.
pub trait Adversary {
    /// The amoebot to activate next, enabled or not. Called only while some amoebot is enabled.
    fn next(&mut self, enabled: &EnabledSet, choices: &mut dyn Choices) -> AmoebotId;

    /// Appends the state on which later activations depend. Returns `false` if this adversary cannot be saved; its runs
    /// then have no checkpoints.
    fn save(&self, into: &mut Vec<u8>) -> bool {
        let _ = into;
        false
    }

    /// Restores the state that [`save`](Self::save) wrote, for a run of this many amoebots.
    ///
    /// # Errors
    ///
    /// [`PackError`] if `from` does not begin with such a state.
    fn load(&mut self, amoebots: usize, from: &mut &[u8]) -> Result<(), PackError> {
        let _ = (amoebots, from);
        Err(PackError)
    }
}

/// Implements saving for an adversary without a state.
macro_rules! save_nothing {
    () => {
        fn save(&self, _into: &mut Vec<u8>) -> bool {
            true
        }

        fn load(&mut self, _amoebots: usize, _from: &mut &[u8]) -> Result<(), PackError> {
            Ok(())
        }
    };
}

impl<A: Adversary + ?Sized> Adversary for Box<A> {
    fn next(&mut self, enabled: &EnabledSet, choices: &mut dyn Choices) -> AmoebotId {
        (**self).next(enabled, choices)
    }

    fn save(&self, into: &mut Vec<u8>) -> bool {
        (**self).save(into)
    }

    fn load(&mut self, amoebots: usize, from: &mut &[u8]) -> Result<(), PackError> {
        (**self).load(amoebots, from)
    }
}

/// Activates an amoebot drawn uniformly, enabled or not, like the scheduler of AmoebotSim. Fair with probability 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Uniform;

impl Adversary for Uniform {
    fn next(&mut self, enabled: &EnabledSet, choices: &mut dyn Choices) -> AmoebotId {
        let picked = pick_index(choices, enabled.amoebots(), Decision::Activation);
        AmoebotId(picked.expect("a system has an amoebot") as u32)
    }

    save_nothing!();
}

/// Activates an enabled amoebot, drawn uniformly. The actions have the same distribution as under [`Uniform`], but no
/// activation is without effect.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct UniformEnabled;

impl Adversary for UniformEnabled {
    fn next(&mut self, enabled: &EnabledSet, choices: &mut dyn Choices) -> AmoebotId {
        let picked = pick_index(choices, enabled.ids().len(), Decision::Activation);
        enabled.ids()[picked.expect("asked while an amoebot is enabled")]
    }

    save_nothing!();
}

/// Activates every amoebot in turn, in the order of identities, enabled or not.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RoundRobinActivation {
    next: u32,
}

impl Adversary for RoundRobinActivation {
    fn next(&mut self, enabled: &EnabledSet, _: &mut dyn Choices) -> AmoebotId {
        let id = AmoebotId(self.next % enabled.amoebots() as u32);
        self.next = id.0 + 1;
        id
    }

    fn save(&self, into: &mut Vec<u8>) -> bool {
        self.next.pack(into);
        true
    }

    fn load(&mut self, amoebots: usize, from: &mut &[u8]) -> Result<(), PackError> {
        self.next.unpack_into(from)?;
        if self.next as usize <= amoebots { Ok(()) } else { Err(PackError) }
    }
}

/// Activates the amoebot that a function returns. If the choice depends on more than the enabled set, call
/// [`SequentialExecution::activate`] directly.
#[derive(Clone, Copy, Debug)]
pub struct FromFn<F>(pub F);

impl<F: FnMut(&EnabledSet) -> AmoebotId> Adversary for FromFn<F> {
    fn next(&mut self, enabled: &EnabledSet, _: &mut dyn Choices) -> AmoebotId {
        (self.0)(enabled)
    }
}

/// Counters of a sequential execution.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct SequentialCounts {
    /// The number of activations, including those of disabled amoebots.
    pub activations: u64,
    /// The number of completed actions.
    pub actions: u64,
    /// The number of movements; a handover is two.
    pub moves: u64,
    /// The number of aborted actions: an operation failed, or the algorithm does not define the step.
    pub failures: u64,
    /// The number of completed asynchronous rounds: a round ends once every amoebot that was enabled at its start has
    /// since completed an action or been disabled.
    pub rounds: u64,
    /// The number of completed rounds as AmoebotSim counts them: each ends once every amoebot has been activated at
    /// least once.
    pub sweeps: u64,
}

pack_fields!(SequentialCounts { activations, actions, moves, failures, rounds, sweeps });

/// The result of an activation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Activated<L> {
    /// No action was enabled; nothing happened.
    Disabled,
    /// An action was completed.
    Completed {
        /// The label of the action.
        action: L,
        /// The movement of the action, if it has one.
        movement: Option<Movement>,
    },
    /// An action was aborted and changed nothing.
    Aborted {
        /// The label of the action.
        action: L,
        /// The reason for the abort.
        error: ActionError,
    },
}

/// An execution of an algorithm under sequential activation.
///
/// ```
/// use acrasin_amoebot::run::execution::{SequentialExecution, RoundRobinActivation};
/// use acrasin_amoebot::{Cell, Direction, Hexagon, start};
/// use acrasin_runtime::Seeded;
///
/// let line = start::line(Cell::ORIGIN, Direction::West, 7)?;
/// let mut execution = SequentialExecution::new(&Hexagon, Hexagon::start(&line, 0, &[])?);
/// assert!(execution.run(10_000, &mut RoundRobinActivation::default(), &mut Seeded::new(1)));
/// let mut hexagon = start::spiral(Cell::ORIGIN, Direction::East, 7)?;
/// hexagon.sort();
/// assert_eq!(execution.system().cells(), hexagon);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct SequentialExecution<'a, A: Algorithm> {
    algorithm: &'a A,
    system: System<A::Memory>,
    enabled: EnabledSet,
    pending: RoundPending,
    activated: Vec<bool>,
    not_activated: usize,
    counts: SequentialCounts,
    failed: Option<FailedAction>,
    /// The amoebots that the current action changes.
    changed: Vec<AmoebotId>,
    /// The amoebots whose guards the current action may affect.
    affected: Affected,
}

impl<'a, A: Algorithm> SequentialExecution<'a, A> {
    /// Starts an execution from this system. O(n).
    #[must_use]
    pub fn new(algorithm: &'a A, system: System<A::Memory>) -> Self {
        let n = system.len();
        let mut enabled = EnabledSet::none_of(n);
        for id in system.ids() {
            enabled.set(id, is_enabled(algorithm, &system, id));
        }
        Self {
            algorithm,
            system,
            pending: RoundPending::new(&enabled),
            enabled,
            activated: vec![false; n],
            not_activated: n,
            counts: SequentialCounts::default(),
            failed: None,
            changed: Vec::new(),
            affected: Affected::none_of(n),
        }
    }

    /// Appends the state. Returns `false` if memories cannot be saved, or if an action has failed, since the run is
    /// then over.
    pub fn save(&self, into: &mut Vec<u8>) -> bool {
        self.counts.pack(into);
        self.enabled.save(into);
        self.pending.save(into);
        pack_bits(&self.activated, into);
        let mut memory = |memory: &A::Memory, into: &mut Vec<u8>| self.algorithm.save_memory(memory, into);
        self.failed.is_none() && self.system.save(&mut memory, into)
    }

    /// Restores the state that [`save`](Self::save) wrote for an execution from the same start.
    ///
    /// # Errors
    ///
    /// [`PackError`] if `from` does not begin with such a state. The execution is then unusable until a load succeeds.
    pub fn load(&mut self, from: &mut &[u8]) -> Result<(), PackError> {
        self.counts.unpack_into(from)?;
        self.enabled.load(from)?;
        self.pending.load(from)?;
        unpack_bits(&mut self.activated, from)?;
        self.not_activated = self.activated.iter().filter(|activated| !**activated).count();
        self.system.load(&mut |from| self.algorithm.load_memory(from), from)
    }

    /// The amoebots in their current state.
    #[must_use]
    pub fn system(&self) -> &System<A::Memory> {
        &self.system
    }

    /// The algorithm of the run.
    #[must_use]
    pub fn algorithm(&self) -> &'a A {
        self.algorithm
    }

    /// The counters so far.
    #[must_use]
    pub fn counts(&self) -> SequentialCounts {
        self.counts
    }

    /// The first action that was aborted; `None` for a run without errors.
    #[must_use]
    pub fn failed(&self) -> Option<&FailedAction> {
        self.failed.as_ref()
    }

    /// The amoebots that have an enabled action now.
    #[must_use]
    pub fn enabled(&self) -> &EnabledSet {
        &self.enabled
    }

    /// The bytes that the execution takes, without heap storage that memories own.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let changed = self.changed.capacity() * size_of::<AmoebotId>() + self.affected.bytes();
        let marks = self.activated.capacity() + self.pending.bytes();
        self.system.bytes() + self.enabled.bytes() + changed + marks
    }

    /// Whether no action is enabled: the execution is over.
    #[must_use]
    pub fn has_terminated(&self) -> bool {
        self.enabled.is_empty()
    }

    /// Activates one amoebot, which executes one enabled action if it has any. The algorithm's order chooses the
    /// action, or a draw with [`Decision::Action`]. O(1) except at the end of a round.
    ///
    /// # Panics
    ///
    /// Panics if there is no such amoebot.
    pub fn activate(&mut self, id: AmoebotId, choices: &mut dyn Choices) -> Activated<A::Action> {
        self.counts.activations += 1;
        self.count_sweep(id);
        if !self.enabled.contains(id) {
            return Activated::Disabled;
        }
        let action = self.choose_action(id, choices);
        match self.execute(id, action, choices) {
            Ok(movement) => Activated::Completed { action, movement },
            Err(error) => {
                self.counts.failures += 1;
                if self.failed.is_none() {
                    self.failed = Some(FailedAction::of(&self.system, id, action, error));
                }
                Activated::Aborted { action, error }
            }
        }
    }

    fn choose_action(&self, id: AmoebotId, choices: &mut dyn Choices) -> A::Action {
        let view = View::new(&self.system, id);
        if self.algorithm.order() == ActionOrder::AsListed {
            let first = first_enabled_action(self.algorithm, &view);
            return first.expect("an enabled amoebot has an enabled action");
        }
        let actions: Vec<A::Action> = enabled_actions(self.algorithm, view).collect();
        actions[pick_index(choices, actions.len(), Decision::Action).expect("at least one action")]
    }

    fn execute(
        &mut self,
        id: AmoebotId,
        action: A::Action,
        choices: &mut dyn Choices,
    ) -> Result<Option<Movement>, ActionError> {
        let effects = self.algorithm.execute(action, &View::new(&self.system, id), choices)?;
        let movement = effects.movement();
        let effects = effects.resolved(&self.system, id)?;
        self.changed.clear();
        self.changed.extend(effects.changed());
        self.affected.add_of(&self.system, &self.changed, &effects);
        effects.apply(&mut self.system);
        self.counts.actions += 1;
        self.counts.moves += movement.map_or(0, Movement::moves);
        self.pending.settle(id);
        while let Some(who) = self.affected.pop() {
            let is_enabled = is_enabled(self.algorithm, &self.system, who);
            if is_enabled != self.enabled.contains(who) {
                self.enabled.set(who, is_enabled);
                if !is_enabled {
                    self.pending.settle(who);
                }
            }
        }
        if self.pending.left() == 0 {
            self.counts.rounds += 1;
            self.pending.begin(&self.enabled);
        }
        Ok(movement)
    }

    fn count_sweep(&mut self, id: AmoebotId) {
        if !std::mem::replace(&mut self.activated[id.index()], true) {
            self.not_activated -= 1;
        }
        if self.not_activated == 0 {
            self.counts.sweeps += 1;
            self.activated.fill(false);
            self.not_activated = self.activated.len();
        }
    }

    /// Activates amoebots, at most `most` times, until no action is enabled or an action is aborted. Returns whether no
    /// action is enabled at the end.
    pub fn run(
        &mut self,
        most: u64,
        adversary: &mut (impl Adversary + ?Sized),
        choices: &mut dyn Choices,
    ) -> bool {
        for _ in 0..most {
            if self.has_terminated() || self.failed.is_some() {
                break;
            }
            let id = adversary.next(&self.enabled, choices);
            self.activate(id, choices);
        }
        self.has_terminated()
    }
}
