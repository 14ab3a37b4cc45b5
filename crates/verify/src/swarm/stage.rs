//! [`SwarmStage`]: the world of a run with its checks and counters.

use acrasin_runtime::choice::Recorded;
use acrasin_runtime::exclusion::{Call, Exclusion};
use acrasin_runtime::scheduler::Scheduler;
use acrasin_runtime::{Choices, Demand, LockOnly, NodeId, Port, Setup, Step, StepError, StepOf, Timing};
use acrasin_runtime::{Topology, World};

use super::coverage::{NodeEvents, Situation};
use super::start::SwarmStart;
use super::tape::Tape;
use super::{Coverage, SwarmFailure, SwarmFigures, SwarmWorld, Swarmed, SystemUnderTest, Traced};

/// An initial world in which no node calls Lock on its own.
///
/// # Panics
///
/// Panics if an assumption of the algorithm does not hold. Plans are adapted to the algorithm, and starts are checked
/// when they are read.
pub(super) fn world<E: Swarmed>(
    subject: &SystemUnderTest<E>,
    start: &SwarmStart,
    topology: Topology,
    timing: Timing,
) -> SwarmWorld<E> {
    let exclusion = subject.exclusion(start);
    let seating = exclusion.seating(&topology, start.seed);
    let setup = Setup {
        exclusion,
        section: LockOnly,
        states: vec![Demand::Times(0); topology.node_count() as usize],
        topology,
        lock_set: start.lock_set,
        timing,
    };
    World::with_knowledge(setup, &seating).expect("a start has what the algorithm assumes")
}

/// A stage at the start of a list of steps, which records the steps.
pub(super) fn stage<'a, E: Swarmed>(
    start: &SwarmStart,
    subject: &'a SystemUnderTest<E>,
) -> SwarmStage<'a, E> {
    let topology = Topology::from_edges(start.nodes, start.ports, &start.edges);
    let topology = topology.expect("checked where it was read");
    let world = world(subject, start, topology, start.drain.timing());
    SwarmStage::new(subject, world, start.drain.scheduler(), true)
}

/// Applies steps, and counts, checks and records them.
pub(super) struct SwarmStage<'a, E: Swarmed> {
    pub(super) world: SwarmWorld<E>,
    pub(super) subject: &'a SystemUnderTest<E>,
    scheduler: Box<dyn Scheduler<E, LockOnly>>,
    turn: Vec<StepOf<E>>,
    pub(super) figures: SwarmFigures,
    pub(super) coverage: Coverage,
    marks: Vec<NodeEvents>,
    /// The steps so far; `None` if steps are not recorded.
    pub(super) trace: Option<Vec<Traced<E>>>,
    /// The first failure; no step may be applied after it.
    pub(super) failure: Option<SwarmFailure>,
}

/// The facts about a step for the coverage, which must be determined before the step is taken.
enum StepEffects<E: Exclusion> {
    Nothing,
    Executes(NodeId, E::Action, Situation),
    /// An edge vanishes. For each end: the node, whether a message in transit is lost, and whether an unsent one is
    /// discarded.
    Vanishes([(NodeId, bool, bool); 2]),
    Appears([NodeId; 2]),
}

impl<'a, E: Swarmed> SwarmStage<'a, E> {
    pub(super) fn new(
        subject: &'a SystemUnderTest<E>,
        world: SwarmWorld<E>,
        scheduler: Box<dyn Scheduler<E, LockOnly>>,
        is_traced: bool,
    ) -> Self {
        let marks = vec![NodeEvents::default(); world.topology().node_count() as usize];
        let failure = subject.check(&world).err().map(SwarmFailure::Property);
        Self {
            world,
            subject,
            scheduler,
            turn: Vec::new(),
            figures: SwarmFigures::default(),
            coverage: Coverage::default(),
            marks,
            trace: is_traced.then(Vec::new),
            failure,
        }
    }

    /// Applies a step, counts it, and checks the promises and properties afterwards.
    ///
    /// # Errors
    ///
    /// [`StepError`] if the step is not possible. The world is then unchanged.
    pub(super) fn apply(&mut self, step: &StepOf<E>, choices: &mut dyn Choices) -> Result<(), StepError> {
        let seen = self.look_at(step);
        match &mut self.trace {
            None => self.world.apply(step, choices, &mut self.figures)?,
            Some(trace) => {
                let mut recorded = Recorded::new(choices);
                self.world.apply(step, &mut recorded, &mut self.figures)?;
                trace.push(Traced { step: *step, picks: recorded.take() });
            }
        }
        self.figures.steps += 1;
        self.scheduler.applied(&self.world, step);
        match seen {
            StepEffects::Nothing => {}
            StepEffects::Executes(node, action, situation) => {
                self.marks[node.index()] = NodeEvents::default();
                self.coverage.executed::<E>(action, situation);
            }
            StepEffects::Vanishes(ends) => {
                for (end, lost, discarded) in ends {
                    let mark = &mut self.marks[end.index()];
                    mark.lost |= lost;
                    mark.discarded |= discarded;
                }
            }
            StepEffects::Appears(ends) => ends.iter().for_each(|end| self.marks[end.index()].appeared = true),
        }
        if let Some(violation) = self.world.violation() {
            self.failure = Some(SwarmFailure::Promise(violation.clone()));
        } else if let Err(broken) = self.subject.check(&self.world) {
            self.failure = Some(SwarmFailure::Property(broken));
        }
        Ok(())
    }

    /// Replaces the scheduler, at the end of the first phase.
    pub(super) fn hand_over(&mut self, scheduler: Box<dyn Scheduler<E, LockOnly>>) {
        self.scheduler = scheduler;
    }

    /// Takes one turn of the scheduler, up to the first failure.
    pub(super) fn advance(&mut self, choices: &mut dyn Choices) {
        let mut turn = std::mem::take(&mut self.turn);
        turn.clear();
        self.scheduler.plan(&self.world, choices, &mut turn);
        for step in &turn {
            self.apply(step, choices).unwrap_or_else(|error| panic!("planned step {step}: {error}"));
            if self.failure.is_some() {
                break;
            }
        }
        self.turn = turn;
    }

    /// Adds the figures of the second phase: the steps after number `start`, in `turns` turns.
    pub(super) fn drained(&mut self, start: u64, turns: u64) {
        let steps = self.figures.steps - start;
        self.figures.drain_steps += steps;
        self.figures.drain_turns += turns;
        self.figures.drain_steps_max = self.figures.drain_steps_max.max(steps);
    }

    fn look_at(&self, step: &StepOf<E>) -> StepEffects<E> {
        let exclusion = self.world.exclusion();
        let (node, action, port) = match *step {
            Step::Lock { node, .. } => (node, exclusion.calls(Call::Lock), None),
            Step::Unlock { node } => (node, exclusion.calls(Call::Unlock), None),
            Step::Act { node, action } => (node, action, None),
            Step::Receive { node, port, message } => (node, exclusion.receives(message), Some(port)),
            Step::Leave { .. } => return StepEffects::Nothing,
            Step::Connect { a, b, .. } => return StepEffects::Appears([a, b]),
            Step::Disconnect { node, port } => return self.look_at_edge(node, port),
        };
        // A list of steps may name nodes that do not exist.
        let Some(&mark) = self.marks.get(node.index()) else { return StepEffects::Nothing };
        StepEffects::Executes(node, action, Situation::of(&self.world, node, port, mark))
    }

    fn look_at_edge(&self, node: NodeId, port: Port) -> StepEffects<E> {
        let is_node = node.index() < self.marks.len();
        let link = if is_node { self.world.topology().link(node, port) } else { None };
        let Some(link) = link else { return StepEffects::Nothing };
        let ends = [(node, port), (link.peer, link.peer_port.into())];
        let lost = ends
            .iter()
            .any(|&(end, port)| self.world.in_transit(end).iter().any(|envelope| envelope.port == port));
        StepEffects::Vanishes(ends.map(|(end, port)| {
            (end, lost, self.world.unsent(end).iter().any(|&(sent_by, _)| sent_by == port))
        }))
    }
}

/// Applies the possible steps up to the first failure. Returns the number of steps that were not possible.
pub(super) fn apply_all<E: Swarmed>(stage: &mut SwarmStage<'_, E>, steps: &[Traced<E>]) -> usize {
    let mut skipped = 0;
    for Traced { step, picks } in steps {
        if stage.failure.is_some() {
            break;
        }
        skipped += usize::from(stage.apply(step, &mut Tape::given(picks)).is_err());
    }
    skipped
}
