//! F4: macro activations of the reference, [`World`].
//!
//! This rung is slow, but follows the paper literally. Every action is one step of the runtime, and every promise is
//! checked after each step. Tests compare the faster rungs with it, configuration by configuration.

use std::num::NonZeroU32;

use acrasin_runtime::choice::{Choices, Decision};
use acrasin_runtime::exclusion::Role;
use acrasin_runtime::exclusion::local::{Action, Local, LockNote, Message, State};
use acrasin_runtime::section::Demand;
use acrasin_runtime::world::Envelope;
use acrasin_runtime::{
    CriticalSection, Event, LockOnly, LockSetRequest, LockSetRule, NodeId, Observer, Port, Setup, Status,
    Step, StepError, StepOf, Timing, Topology, Violation, World,
};

use crate::draw::{Draws, Priorities, Purpose, Stream};
use crate::round::{ActiveNodes, Figures, Wanting};

/// Runs rounds of macro activations on a [`World`], with the draws of the other rungs.
///
/// ```
/// use acrasin_engine::draw::Priorities;
/// use acrasin_engine::reference::Reference;
/// use acrasin_engine::{ActiveNodes, Draws, Lattice, LatticeKind, Wanting};
///
/// let torus = Lattice::new(LatticeKind::Square, 4, 4)?.topology()?;
/// let priorities = Priorities::new(17).unwrap();
/// let mut reference = Reference::new(torus, Draws::new(1), priorities, Wanting::Always);
/// for _ in 0..200 {
///     reference.round(&ActiveNodes::All)?;
/// }
/// assert!(reference.figures().grants > 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Reference<S: CriticalSection = LockOnly> {
    world: World<Local, S>,
    draws: Draws,
    priorities: Priorities,
    demand: CallSource,
    figures: Figures,
    /// The nodes that act in the round, and whether each would call Lock or Unlock at its start.
    acting: Vec<(NodeId, bool)>,
    /// The messages that the acting node receives, with keys that sort them as a macro activation does. A key has the
    /// kind of message in its upper half and the port in its lower half.
    due: Vec<(u32, Message)>,
}

/// The source of calls to Lock.
#[derive(Clone, Copy, Debug)]
enum CallSource {
    Rule(Wanting),
    Section,
}

impl Reference {
    /// Starts a run that only locks and unlocks, with the repaired rules and locks on closed neighbourhoods.
    #[must_use]
    pub fn new(topology: Topology, draws: Draws, priorities: Priorities, wanting: Wanting) -> Self {
        let states = vec![Demand::Forever; topology.node_count() as usize];
        let mut reference =
            Self::with_section(topology, draws, priorities, LockOnly, states, LockSetRule::Neighbourhood);
        reference.demand = CallSource::Rule(wanting);
        reference
    }
}

impl<S: CriticalSection> Reference<S> {
    /// Starts rounds in which the section decides which nodes call Lock and what happens under the locks.
    ///
    /// # Panics
    ///
    /// Panics unless `states` has one entry per node.
    #[must_use]
    pub fn with_section(
        topology: Topology,
        draws: Draws,
        priorities: Priorities,
        section: S,
        states: Vec<S::State>,
        lock_set: LockSetRule,
    ) -> Self {
        let exclusion = Local::new(topology.ports())
            .with_priorities(priorities.bound())
            .expect("K is at least 2 in every `Priorities`");
        let world =
            World::new(Setup { exclusion, section, topology, states, lock_set, timing: Timing::AtOnce });
        Self {
            world,
            draws,
            priorities,
            demand: CallSource::Section,
            figures: Figures::default(),
            acting: Vec::new(),
            due: Vec::new(),
        }
    }

    /// The underlying world, with memories, graph and messages in transit.
    #[must_use]
    pub fn world(&self) -> &World<Local, S> {
        &self.world
    }

    /// The number of rounds so far, which is also the number of the next round.
    #[must_use]
    pub fn round_number(&self) -> u64 {
        self.figures.rounds
    }

    /// The figures, summed over all rounds.
    #[must_use]
    pub fn figures(&self) -> Figures {
        self.figures
    }

    /// Changes the graph between two rounds, by [`Step::Connect`] or [`Step::Disconnect`].
    ///
    /// # Errors
    ///
    /// The change is not possible in the current graph.
    ///
    /// # Panics
    ///
    /// Panics if the step is not a change of the graph.
    pub fn change(&mut self, step: &StepOf<Local>) -> Result<(), StepError> {
        assert!(step.actor().is_none(), "{step} is not a change of the graph");
        self.world.apply(step, &mut NoDraws, &mut ())
    }

    /// Runs one round and returns its figures.
    ///
    /// # Errors
    ///
    /// The first broken promise of the lock layer.
    pub fn round(&mut self, activation: &ActiveNodes<'_>) -> Result<Figures, Violation> {
        let round = self.figures.rounds;
        let (before, priorities) = (self.world.messages_sent(), self.draws.stream(Purpose::Priority, round));
        let mut counted = FigureCounter(Figures { rounds: 1, ..Figures::default() });
        self.choose_acting(activation, round);
        let acting = std::mem::take(&mut self.acting);
        for &(node, calls) in &acting {
            self.activate((node, calls), (round, before), priorities, &mut counted);
        }
        counted.0.activations = acting.len() as u64;
        self.acting = acting;
        self.figures += counted.0;
        self.world.check().map(|()| counted.0)
    }

    /// Runs one round of single actions: each active node executes at most one action.
    ///
    /// The candidates are messages in transit by port (requests before replies), enabled checks, and the node's call.
    /// Each candidate has the same probability ([`Purpose::Action`]). The choice depends on the configuration at the
    /// start of the round.
    ///
    /// # Errors
    ///
    /// The first broken promise of the lock layer.
    pub fn round_of_single_actions(&mut self, activation: &ActiveNodes<'_>) -> Result<Figures, Violation> {
        let round = self.figures.rounds;
        let mut counted = FigureCounter(Figures { rounds: 1, ..Figures::default() });
        self.choose_acting(activation, round);
        counted.0.activations = self.acting.len() as u64;
        let steps: Vec<_> =
            self.acting.iter().filter_map(|&(node, calls)| self.choose(node, calls, round)).collect();
        for step in &steps {
            let node = step.actor().expect("the graph does not change in a round");
            counted.0.calls += u64::from(matches!(step, Step::Lock { .. }));
            if matches!(step, Step::Unlock { .. }) {
                let mut draws = self.draws.stream(Purpose::Section, round).of_node(node.0);
                self.step(step, &mut draws, &mut counted);
            } else {
                let priorities = self.draws.stream(Purpose::Priority, round);
                self.step(step, &mut self.draw(node, priorities), &mut counted);
            }
        }
        self.figures += counted.0;
        self.world.check().map(|()| counted.0)
    }

    fn choose(&self, node: NodeId, call: bool, round: u64) -> Option<StepOf<Local>> {
        let mut inbox = self.world.in_transit(node).to_vec();
        inbox.sort_unstable_by_key(|envelope| (envelope.port, envelope.message.role() == Role::Participant));
        let mut actions = Vec::new();
        self.world.enabled_actions(node, &mut actions);
        let count = (inbox.len() + actions.len() + usize::from(call)) as u32;
        let stream = self.draws.stream(Purpose::Action, round);
        let index = stream.below(u64::from(node.0), NonZeroU32::new(count)?) as usize;
        Some(if let Some(&Envelope { port, message, .. }) = inbox.get(index) {
            Step::Receive { node, port, message }
        } else if let Some(&action) = actions.get(index - inbox.len()) {
            Step::Act { node, action }
        } else if self.world.status(node) == Status::Holding {
            Step::Unlock { node }
        } else {
            Step::Lock { node, claim: self.claim(node, round) }
        })
    }

    fn draw(&self, node: NodeId, stream: Stream) -> PriorityDraw {
        PriorityDraw { node: node.0, priorities: self.priorities, stream }
    }

    fn claim(&self, node: NodeId, round: u64) -> LockSetRequest {
        let mut partner = self.draws.stream(Purpose::Partner, round).of_node(node.0);
        self.world.pick_claim(node, &mut partner)
    }

    /// Selects the active nodes, and determines which of them would call Lock or Unlock in the configuration at the
    /// start of the round.
    fn choose_acting(&mut self, activation: &ActiveNodes<'_>, round: u64) {
        let demand = self.draws.stream(Purpose::Demand, round);
        let (world, demanded) = (&self.world, self.demand);
        let calls = |node: NodeId| match (demanded, world.status(node)) {
            (CallSource::Rule(wanting), Status::Idle) => wanting.wants(demand, node.0),
            (CallSource::Rule(_), Status::Holding) => true,
            (CallSource::Section, Status::Idle | Status::Holding) => world.has_call(node),
            _ => false,
        };
        let acting = &mut self.acting;
        acting.clear();
        let active = activation.in_round(self.draws, round);
        active.for_each(world.topology().node_count(), |node| acting.push((node, calls(node))));
    }

    fn activate(
        &mut self,
        (node, calls): (NodeId, bool),
        (round, before): (u64, u64),
        priorities: Stream,
        counted: &mut FigureCounter,
    ) {
        let mut draw = self.draw(node, priorities);
        let status = self.world.status(node);
        if self.world.acts_unasked(node) && !self.world.topology().detector(node).is_empty() {
            self.act(node, Action::CleanUp, &mut draw, counted);
        }
        let mut due = std::mem::take(&mut self.due);
        due.clear();
        let memory = self.world.memory(node);
        for &envelope in self.world.in_transit(node) {
            if envelope.sequence() < before {
                let place: u32 = match envelope.message {
                    Message::RequestLock(_) if memory.candidates().contains(envelope.port) => 0,
                    Message::SetLock => 1,
                    Message::ReleaseLock => 2,
                    Message::Prepare => 3,
                    Message::RequestLock(_) => 4,
                    Message::Ready | Message::Win(_) | Message::AckLock | Message::AckUnlock => 5,
                };
                due.push((place << 16 | u32::from(envelope.port.0), envelope.message));
            }
        }
        due.sort_unstable_by_key(|&(place, _)| place);
        for &(place, message) in &due {
            self.step(&Step::Receive { node, port: Port(place as u16), message }, &mut draw, counted);
        }
        self.due = due;
        // A shortcut: most nodes can only receive.
        if self.world.acts_unasked(node) {
            self.act(node, Action::CheckPriorities, &mut draw, counted);
        }
        match status {
            Status::Idle => {
                if calls {
                    counted.0.calls += 1;
                    let claim = self.claim(node, round);
                    self.step(&Step::Lock { node, claim }, &mut draw, counted);
                }
            }
            Status::Holding => {
                if calls {
                    let mut draws = self.draws.stream(Purpose::Section, round).of_node(node.0);
                    self.step(&Step::Unlock { node }, &mut draws, counted);
                }
            }
            Status::Waiting | Status::Releasing if self.world.acts_unasked(node) => {
                // The state determines the only check that can be enabled.
                let memory = self.world.memory(node);
                let check = match memory.state {
                    State::Prepare => Action::CheckStart,
                    State::Compete => Action::CheckWin,
                    State::Win => Action::CheckDone,
                    State::Unlock => Action::CheckUnlocked,
                    State::Idle | State::Locked => return,
                };
                self.act(node, check, &mut draw, counted);
            }
            Status::Waiting | Status::Releasing => {}
        }
    }

    /// Executes an action if its guard holds.
    fn act(&mut self, node: NodeId, action: Action, draw: &mut PriorityDraw, counted: &mut FigureCounter) {
        let disconnected = !self.world.topology().detector(node).is_empty();
        if self.world.exclusion().guard(self.world.memory(node), disconnected, action) {
            self.step(&Step::Act { node, action }, draw, counted);
        }
    }

    fn step(&mut self, step: &StepOf<Local>, choices: &mut dyn Choices, counted: &mut FigureCounter) {
        let applied = self.world.apply(step, choices, counted);
        applied.unwrap_or_else(|error| panic!("{step} was found possible: {error}"));
    }
}

/// The source of the priority that a node draws in a round. Actions make no other draws.
struct PriorityDraw {
    node: u32,
    priorities: Priorities,
    stream: Stream,
}

impl Choices for PriorityDraw {
    fn pick(&mut self, bound: NonZeroU32, why: Decision) -> u32 {
        assert_eq!(
            (bound.get(), why),
            (self.priorities.bound(), Decision::Priority),
            "the only draw of an action"
        );
        self.priorities.draw(self.stream, self.node)
    }
}

/// The source of choices for steps that make no draws.
struct NoDraws;

impl Choices for NoDraws {
    fn pick(&mut self, _bound: NonZeroU32, why: Decision) -> u32 {
        unreachable!("a change of the graph draws for {why:?}")
    }
}

/// Counts the events of the world.
struct FigureCounter(Figures);

impl<S: CriticalSection> Observer<Local, S> for FigureCounter {
    fn event(&mut self, event: &Event<'_, Local, S>) {
        match event {
            Event::Sent { from, to, .. } => {
                self.0.messages += 1;
                self.0.self_messages += u64::from(from == to);
            }
            Event::Noted { note: LockNote::Trial, .. } => self.0.trials += 1,
            Event::Noted { note: LockNote::LateRejection, .. } => self.0.late_rejections += 1,
            Event::Granted { .. } => self.0.grants += 1,
            Event::Released { .. } => self.0.releases += 1,
            _ => {}
        }
    }
}
