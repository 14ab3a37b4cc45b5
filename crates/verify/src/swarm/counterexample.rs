//! A run that fails, as a list of steps from an empty graph.

use acrasin_runtime::exclusion::local::{Action, Local, Message, SelfMessages};
use acrasin_runtime::{LockSetRule, Seeded, Step, Topology};

use super::plan::{Drain, drain_seed};
use super::run::{drain, traced};
use super::shorten::shorten;
use super::stage::{self, Stage};
use super::stream::shrink_stream;
use super::tape::Tape;
use super::{Effort, Failure, Kind, Plan, Run, Subject};
use crate::locks::narrate;

/// A step and the choices made inside it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Traced {
    /// What happens.
    pub step: Step<Action, Message>,
    /// The priorities drawn.
    pub picks: Vec<u32>,
}

/// What a list of steps starts from: nodes without edges, all memories initial.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Start {
    /// Of the run that failed; what follows the steps is drawn from it.
    pub seed: u64,
    /// The number of nodes.
    pub nodes: u32,
    /// Δ.
    pub ports: u16,
    /// K.
    pub priorities: u32,
    /// How a node's messages to itself travel.
    pub self_messages: SelfMessages,
    /// What a Lock asks for that the steps do not make.
    pub lock_set: LockSetRule,
    /// Who acts after the steps; decides when messages leave, too.
    pub drain: Drain,
}

impl Start {
    pub(super) fn of(plan: &Plan) -> Self {
        Self {
            seed: plan.seed,
            nodes: plan.graph.nodes(),
            ports: plan.ports,
            priorities: plan.priorities,
            self_messages: plan.self_messages,
            lock_set: plan.lock_set,
            drain: plan.drain,
        }
    }

    pub(super) fn local(&self) -> Local {
        Local::new(self.ports)
            .with_self_messages(self.self_messages)
            .with_priorities(self.priorities)
            .expect("checked where it was read")
    }

    pub(super) fn stage<'a>(&self, subject: &'a Subject) -> Stage<'a> {
        let topology = Topology::new(self.nodes, self.ports).expect("checked where it was read");
        let world = stage::world(subject, self.local(), topology, self.lock_set, self.drain.timing());
        Stage::new(subject, world, self.drain.scheduler(), true)
    }
}

/// A failing run made small.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counterexample {
    pub(super) start: Start,
    pub(super) steps: Vec<Traced>,
    pub(super) kind: Kind,
    /// How it fails, in words.
    pub(super) outcome: String,
    pub(super) stream: Option<Vec<u32>>,
}

impl Counterexample {
    /// What the steps start from.
    #[must_use]
    pub fn start(&self) -> &Start {
        &self.start
    }

    /// The steps, the edges of the start among them as connections.
    #[must_use]
    pub fn steps(&self) -> &[Traced] {
        &self.steps
    }

    /// The kind of failure.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.kind.clone()
    }

    /// How it fails, in words.
    #[must_use]
    pub fn outcome(&self) -> &str {
        &self.outcome
    }

    /// The shrunk stream of picks with which the plan of the seed fails, for [`run_with`](super::run_with); `None` if
    /// this was read from a file.
    #[must_use]
    pub fn stream(&self) -> Option<&[u32]> {
        self.stream.as_deref()
    }

    /// Runs the steps under any rules: steps that cannot happen are passed over, and then everything must be served.
    #[must_use]
    pub fn again(&self, subject: &Subject) -> Again {
        let mut stage = self.start.stage(subject);
        let skipped = apply_all(&mut stage, &self.steps);
        if stage.failure.is_none() {
            drain(&mut stage, self.start.drain, &mut Seeded::new(drain_seed(self.start.seed)));
        }
        Again { skipped, failure: stage.failure }
    }

    /// The steps in the paper's words under any rules, and the configuration they lead to. Steps that cannot happen are
    /// passed over.
    ///
    /// Nodes are called `a`, `b`, ...: [`node_name`](crate::locks::node_name).
    #[must_use]
    pub fn tell(&self, subject: &Subject) -> Told {
        let mut stage = self.start.stage(subject);
        apply_all(&mut stage, &self.steps);
        let taken = stage.trace.take().unwrap_or_default();
        let taken: Vec<_> = taken.into_iter().map(|Traced { step, picks }| (step, picks)).collect();
        let mut world = self.start.stage(subject).world;
        let steps = narrate(&mut world, &taken);
        Told { steps, configuration: format!("{world:?}") }
    }
}

/// A failing run in words.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Told {
    /// What happens, one line a step.
    pub steps: Vec<String>,
    /// The memories, messages and edges after the last step.
    pub configuration: String,
}

/// What came of [`Counterexample::again`].
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Again {
    /// Steps that could not happen.
    pub skipped: usize,
    /// What went wrong.
    pub failure: Option<Failure>,
}

impl Again {
    /// Whether it failed, and in this way.
    #[must_use]
    pub fn fails_as(&self, kind: Kind) -> bool {
        self.failure.as_ref().map(Failure::kind) == Some(kind)
    }
}

/// Applies the steps that can happen until one fails, and counts those that cannot.
pub(super) fn apply_all(stage: &mut Stage<'_>, steps: &[Traced]) -> usize {
    let mut skipped = 0;
    for Traced { step, picks } in steps {
        if stage.failure.is_some() {
            break;
        }
        skipped += usize::from(stage.apply(step, &mut Tape::given(picks)).is_err());
    }
    skipped
}

/// Makes a failing run small: first its stream of picks, then the list of its steps. What is left fails in the same
/// way. The same run gives the same result.
///
/// `None` if `run` has not failed, or does not fail again under these rules.
#[must_use]
pub fn shrink(subject: &Subject, run: &Run, effort: Effort) -> Option<Counterexample> {
    let kind = run.failure.as_ref()?.kind();
    let stream = shrink_stream(subject, &run.plan, &run.picks, &kind, effort)?;
    let (again, steps) = traced(subject, &run.plan, &stream);
    let outcome = again.failure.filter(|failure| failure.kind() == kind)?.to_string();
    let whole = Counterexample { start: Start::of(&run.plan), steps, kind, outcome, stream: Some(stream) };
    Some(shorten(subject, whole, effort))
}
