//! [`Execution`]: drives a [`World`], turn by turn.

mod saved;

pub use acrasin_process::Advance;

use std::num::NonZeroU32;

use crate::choice::{Choices, Decision};
use crate::exclusion::Exclusion;
use crate::node::NodeId;
use crate::scheduler::{Scheduler, Turns, WeaklyFair};
use crate::section::CriticalSection;
use crate::step::{Step, StepError, StepOf};
use crate::topology::dynamics::{Change, Dynamics, Moment};
use crate::world::{Observer, World};

/// The number of steps and sent messages between two calls of `proceeds` inside a turn. They take about a millisecond.
const STEPS_AT_ONCE: usize = 1 << 12;
const MESSAGES_AT_ONCE: u64 = 1 << 15;
/// The number of steps after which the number of sent messages is read again. On a dense graph, one step sends
/// thousands.
const STEPS_UNCOUNTED: usize = 1 << 6;

/// A world with the parts that decide its steps: a scheduler, adversaries over the graph, and possibly a bound that
/// makes the scheduler weakly fair.
///
/// ```
/// use acrasin_runtime::{
///     exclusion::local::Local, execution::{Advance, Execution}, scheduler::Sequential, Demand, LockOnly,
///     LockSetRule, Seeded, Setup, Timing, Topology, World,
/// };
/// let world = World::new(Setup {
///     exclusion: Local::new(2),
///     section: LockOnly,
///     topology: Topology::from_edges(3, 2, &[(0, 1), (1, 2), (0, 2)])?,
///     states: vec![Demand::Times(1); 3],
///     lock_set: LockSetRule::Neighbourhood,
///     timing: Timing::AtOnce,
/// });
/// let mut execution = Execution::new(world, Box::new(Sequential::new()));
/// let mut choices = Seeded::new(1);
/// while execution.advance(&mut choices, &mut ()) == Advance::Advanced {}
/// assert_eq!(execution.world().states(), [Demand::Times(0); 3]);
/// # Ok::<(), acrasin_runtime::TopologyError>(())
/// ```
pub struct Execution<E: Exclusion, S: CriticalSection> {
    world: World<E, S>,
    scheduler: Box<dyn Scheduler<E, S>>,
    dynamics: Vec<Box<dyn Dynamics>>,
    fairness: Option<WeaklyFair<E::Action>>,
    turns: u64,
    rounds: u64,
    /// The last round to which idle rounds are skipped.
    last_round: u64,
    round_begins: bool,
    round: RoundMarks,
    refused: u64,
    /// Whether a turn of the scheduler is one step.
    is_stepwise: bool,
    turn: Vec<StepOf<E>>,
    /// The number of steps at the end of `turn` that are not applied yet, because `proceeds` interrupted the turn.
    left: usize,
    changes: Vec<Change>,
    picks: Vec<u32>,
}

impl<E: Exclusion, S: CriticalSection> Execution<E, S> {
    /// Creates an execution of `world` under `scheduler`, on a static graph.
    ///
    /// # Panics
    ///
    /// Panics if the world was not set up with the timing that the scheduler needs.
    #[must_use]
    pub fn new(world: World<E, S>, scheduler: Box<dyn Scheduler<E, S>>) -> Self {
        assert_eq!(world.timing(), scheduler.timing(), "the world has the timing of its scheduler");
        let mut round = RoundMarks::new(world.topology().node_count());
        round.begin(world.active());
        Self {
            world,
            dynamics: Vec::new(),
            fairness: None,
            turns: 0,
            rounds: 0,
            last_round: u64::MAX,
            round_begins: true,
            round,
            refused: 0,
            is_stepwise: scheduler.turns() == Turns::Steps,
            turn: Vec::new(),
            left: 0,
            changes: Vec::new(),
            picks: Vec::new(),
            scheduler,
        }
    }

    /// Adds an adversary over the graph. Several adversaries act in the order in which they were added.
    ///
    /// # Panics
    ///
    /// Panics if the algorithm assumes a static graph. Check with [`Assumptions::check_changes`] beforehand.
    ///
    /// [`Assumptions::check_changes`]: crate::exclusion::Assumptions::check_changes
    #[must_use]
    pub fn with_dynamics(mut self, dynamics: Box<dyn Dynamics>) -> Self {
        if let Err(unmet) = self.world.exclusion().assumes().check_changes() {
            panic!("{unmet}");
        }
        self.dynamics.push(dynamics);
        self
    }

    /// Skips idle rounds at most up to round `rounds`, in which the caller ends or inspects the run.
    #[must_use]
    pub fn with_last_round(mut self, rounds: u64) -> Self {
        self.last_round = rounds;
        self
    }

    /// Makes the scheduler weakly fair within a bound.
    #[must_use]
    pub fn with_fairness(mut self, mut fairness: WeaklyFair<E::Action>) -> Self {
        fairness.start(&self.world, self.turns);
        self.fairness = Some(fairness);
        self
    }

    /// The world in its current configuration.
    #[must_use]
    pub fn world(&self) -> &World<E, S> {
        &self.world
    }

    /// The number of complete rounds so far.
    #[must_use]
    pub fn rounds(&self) -> u64 {
        self.rounds
    }

    /// The number of turns so far.
    #[must_use]
    pub fn turns(&self) -> u64 {
        self.turns
    }

    /// The number of edges that could not appear because an end has no open port or does not exist.
    #[must_use]
    pub fn refused(&self) -> u64 {
        self.refused
    }

    /// The fairness bound with its counters, if there is one.
    #[must_use]
    pub fn fairness(&self) -> Option<&WeaklyFair<E::Action>> {
        self.fairness.as_ref()
    }

    /// Advances one turn: first the graph changes, then the scheduler's steps happen.
    ///
    /// # Panics
    ///
    /// Panics if the scheduler plans a step that cannot happen, which is a bug of the scheduler.
    #[inline(always)] // As large as its only callee.
    pub fn advance(&mut self, choices: &mut dyn Choices, observer: &mut impl Observer<E, S>) -> Advance {
        self.advance_while(choices, observer, || true).expect("the turn is not cut")
    }

    /// Advances one turn, unless `proceeds` returns false before the turn is over. `proceeds` is called about once per
    /// thousand steps.
    ///
    /// Returns `None` if the turn was interrupted. An interrupted turn does not count yet, although its first steps
    /// have happened; the next call continues it.
    ///
    /// # Panics
    ///
    /// As [`advance`](Self::advance).
    pub fn advance_while(
        &mut self,
        choices: &mut dyn Choices,
        observer: &mut impl Observer<E, S>,
        mut proceeds: impl FnMut() -> bool,
    ) -> Option<Advance> {
        let rounds = !self.is_stepwise;
        let mut turn = std::mem::take(&mut self.turn);
        if self.left == 0 {
            self.change_graph(choices, observer);
            if self.world.active().is_empty() && !self.skip_to_next_change() {
                self.turn = turn;
                return Some(Advance::Quiescent);
            }
            turn.clear();
            self.scheduler.plan(&self.world, choices, &mut turn);
            if let Some(fairness) = &mut self.fairness {
                fairness.enforce(&self.world, self.turns, !rounds, choices, &mut turn);
            }
            self.left = turn.len();
        }
        let mut left = &turn[turn.len() - self.left..];
        let mut sent = self.world.messages_sent();
        let mut applied = 0;
        loop {
            let (steps, later) = left.split_at(left.len().min(STEPS_UNCOUNTED));
            for step in steps {
                self.apply(step, choices, observer)
                    .unwrap_or_else(|error| panic!("planned step {step}: {error}"));
            }
            if later.is_empty() {
                break;
            }
            applied += steps.len();
            if applied >= STEPS_AT_ONCE || self.world.messages_sent() - sent >= MESSAGES_AT_ONCE {
                if !proceeds() {
                    self.left = later.len();
                    self.turn = turn;
                    return None;
                }
                (applied, sent) = (0, self.world.messages_sent());
            }
            left = later;
        }
        (self.turn, self.left) = (turn, 0);
        self.turns += 1;
        self.round_begins = rounds || self.round.is_over();
        if self.round_begins {
            self.rounds = self.rounds.saturating_add(1);
            if !rounds {
                self.round.begin(self.world.active());
            }
            observer.round(&self.world, self.rounds);
        }
        Some(if self.world.violation().is_some() { Advance::Violated } else { Advance::Advanced })
    }

    /// Skips idle rounds, in which no node can act, until the next possible change of the graph. Returns false if the
    /// graph never changes again.
    fn skip_to_next_change(&mut self) -> bool {
        let next = self.dynamics.iter().filter_map(|dynamics| dynamics.next_change(self.rounds)).min();
        // The turn that follows is a round itself.
        if let Some(next) = next {
            self.rounds = self.rounds.max(next.min(self.last_round).saturating_sub(1));
        }
        next.is_some()
    }

    /// Applies a step from outside the scheduler, for instance a call of a library user.
    ///
    /// # Errors
    ///
    /// [`StepError`] if the step cannot happen now. The world is then unchanged.
    #[inline(always)] // Once for every step.
    pub fn apply(
        &mut self,
        step: &StepOf<E>,
        choices: &mut dyn Choices,
        observer: &mut impl Observer<E, S>,
    ) -> Result<(), StepError> {
        self.picks.clear();
        let mut tape = PickRecorder { inner: choices, picks: &mut self.picks };
        observer.before(&self.world, step);
        self.world.apply(step, &mut tape, observer)?;
        if let Some(fairness) = &mut self.fairness {
            fairness.applied(&self.world, step, self.turns);
        }
        if self.is_stepwise {
            self.scheduler.applied(&self.world, step);
            for node in self.world.touched() {
                if step.actor() == Some(node) || !self.world.is_active(node) {
                    self.round.acted(node);
                }
            }
        }
        observer.step(step, &self.picks);
        observer.after(&self.world, step);
        Ok(())
    }

    fn change_graph(&mut self, choices: &mut dyn Choices, observer: &mut impl Observer<E, S>) {
        if self.dynamics.is_empty() {
            return;
        }
        let moment = Moment { rounds: self.rounds, round_begins: self.round_begins };
        let mut changes = std::mem::take(&mut self.changes);
        for index in 0..self.dynamics.len() {
            changes.clear();
            self.dynamics[index].changes(self.world.topology(), moment, choices, &mut changes);
            for &change in &changes {
                match self.step_for(change) {
                    Ok(Some(step)) => {
                        if self.apply(&step, choices, observer).is_err() {
                            self.refused += 1;
                        }
                    }
                    Ok(None) => {}
                    Err(NoOpenPort) => self.refused += 1,
                }
            }
        }
        self.changes = changes;
    }

    /// The step that makes a change of the graph; `None` if the change would have no effect.
    fn step_for(&self, change: Change) -> Result<Option<StepOf<E>>, NoOpenPort> {
        let topology = self.world.topology();
        let (Change::Connect(edge) | Change::Disconnect(edge)) = change;
        if edge.a.max(edge.b).0 >= topology.node_count() {
            return Err(NoOpenPort);
        }
        Ok(match change {
            Change::Disconnect(edge) => topology
                .port_towards(edge.a, edge.b)
                .map(|port| Step::Disconnect { node: edge.a, port: port.into() }),
            Change::Connect(edge) if topology.adjacent(edge.a, edge.b) => None,
            Change::Connect(edge) => {
                let open = |node| topology.lowest_open_port(node).ok_or(NoOpenPort);
                let (a_port, b_port) = (open(edge.a)?.into(), open(edge.b)?.into());
                Some(Step::Connect { a: edge.a, a_port, b: edge.b, b_port })
            }
        })
    }
}

struct NoOpenPort;

/// Passes choices through and records those made inside one step.
struct PickRecorder<'a> {
    inner: &'a mut dyn Choices,
    picks: &'a mut Vec<u32>,
}

impl Choices for PickRecorder<'_> {
    fn pick(&mut self, bound: NonZeroU32, why: Decision) -> u32 {
        let pick = self.inner.pick(bound, why);
        self.picks.push(pick);
        pick
    }
}

/// The nodes that must still act, or become inactive, before this round of a step-by-step schedule ends.
struct RoundMarks {
    /// Whether the node was active when the round began, and has neither acted nor become inactive since.
    waits: Vec<bool>,
    left: u32,
}

impl RoundMarks {
    fn new(nodes: u32) -> Self {
        Self { waits: vec![false; nodes as usize], left: 0 }
    }

    fn begin(&mut self, active: &[NodeId]) {
        for node in active {
            self.waits[node.index()] = true;
        }
        self.left = active.len() as u32;
    }

    fn acted(&mut self, node: NodeId) {
        if std::mem::take(&mut self.waits[node.index()]) {
            self.left -= 1;
        }
    }

    fn is_over(&self) -> bool {
        self.left == 0
    }
}
