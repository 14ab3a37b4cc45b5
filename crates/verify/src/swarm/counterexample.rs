//! [`Counterexample`]: a failing run as a list of steps from an empty graph.

use acrasin_process::Ending;
use acrasin_runtime::Seeded;
use acrasin_runtime::exclusion::{Exclusion, InitialKnowledge};

use super::plan::drain_seed;
use super::run::drain;
use super::stage::{apply_all, stage};
use super::start::seated;
use super::{FailureKind, SwarmFailure, SwarmStart, Swarmed, SystemUnderTest, Traced};
use crate::locks::narrate;
use crate::wrong::Wrong;

/// A failing run, shrunk to few steps: its start, its steps and its failure.
#[derive(Clone, Debug)]
pub struct Counterexample<E: Exclusion = Wrong> {
    pub(super) start: SwarmStart,
    pub(super) steps: Vec<Traced<E>>,
    pub(super) kind: FailureKind,
    /// The failure at the end of the run.
    pub(super) ending: Ending,
    pub(super) stream: Option<Vec<u32>>,
}

impl<E: Exclusion> PartialEq for Counterexample<E> {
    fn eq(&self, other: &Self) -> bool {
        let Self { start, steps, kind, ending, stream } = self;
        (start, steps, kind, ending, stream)
            == (&other.start, &other.steps, &other.kind, &other.ending, &other.stream)
    }
}

impl<E: Swarmed> Counterexample<E> {
    /// The initial configuration of the run.
    #[must_use]
    pub fn start(&self) -> &SwarmStart {
        &self.start
    }

    /// The initial knowledge of the nodes, in addition to their ports; empty if the graph violates the algorithm's
    /// assumptions.
    #[must_use]
    pub fn seating(&self, subject: &SystemUnderTest<E>) -> InitialKnowledge {
        seated(&subject.exclusion(&self.start), &self.start).map(|(_, seating)| seating).unwrap_or_default()
    }

    /// The steps. If the run can add edges, the initial edges are included as connections.
    #[must_use]
    pub fn steps(&self) -> &[Traced<E>] {
        &self.steps
    }

    /// The kind of the failure, which shrinking has preserved.
    #[must_use]
    pub fn kind(&self) -> FailureKind {
        self.kind.clone()
    }

    /// The failure at the end of the run.
    #[must_use]
    pub fn ending(&self) -> &Ending {
        &self.ending
    }

    /// The shrunk stream of picks with which the seed's plan fails, for [`run_with`](super::run_with); `None` if the
    /// counterexample was read from a file.
    #[must_use]
    pub fn stream(&self) -> Option<&[u32]> {
        self.stream.as_deref()
    }

    /// Runs the steps under the rules of `subject`, and skips impossible ones. Then continues without disturbances
    /// until every call must have been served.
    #[must_use]
    pub fn again(&self, subject: &SystemUnderTest<E>) -> CounterexampleReplay {
        let mut stage = stage(&self.start, subject);
        let skipped = apply_all(&mut stage, &self.steps);
        if stage.failure.is_none() {
            drain(&mut stage, self.start.drain, &mut Seeded::new(drain_seed(self.start.seed)));
        }
        CounterexampleReplay { skipped, failure: stage.failure }
    }

    /// Runs the steps under the rules of `subject`, and returns them in the notation of the paper with the final
    /// configuration. Impossible steps are skipped.
    ///
    /// Nodes are called `a`, `b`, ...: [`node_name`](crate::locks::node_name).
    #[must_use]
    pub fn tell(&self, subject: &SystemUnderTest<E>) -> CounterexampleText {
        let mut taking = stage(&self.start, subject);
        apply_all(&mut taking, &self.steps);
        let taken = taking.trace.take().unwrap_or_default();
        let taken: Vec<_> = taken.into_iter().map(|Traced { step, picks }| (step, picks)).collect();
        let mut world = stage(&self.start, subject).world;
        let steps = narrate(&mut world, &taken);
        CounterexampleText { steps, configuration: format!("{world:?}") }
    }
}

/// A failing run as text.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct CounterexampleText {
    /// The steps, one line each.
    pub steps: Vec<String>,
    /// The memories, messages and edges after the last step.
    pub configuration: String,
}

/// The result of [`Counterexample::again`].
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct CounterexampleReplay {
    /// The number of steps that were not possible.
    pub skipped: usize,
    /// The failure; `None` if the run did not fail.
    pub failure: Option<SwarmFailure>,
}

impl CounterexampleReplay {
    /// Whether the run failed with this kind of failure.
    #[must_use]
    pub fn fails_as(&self, kind: FailureKind) -> bool {
        self.failure.as_ref().map(SwarmFailure::kind) == Some(kind)
    }
}
