//! A run that fails, as a list of steps from an empty graph.

use acrasin_process::Ending;
use acrasin_runtime::Seeded;
use acrasin_runtime::exclusion::{Exclusion, Seating};

use super::plan::drain_seed;
use super::run::drain;
use super::stage::{apply_all, stage};
use super::start::seated;
use super::{Failure, Kind, Start, Subject, Swarmed, Traced};
use crate::locks::narrate;
use crate::wrong::Wrong;

/// A failing run made small.
#[derive(Clone, Debug)]
pub struct Counterexample<E: Exclusion = Wrong> {
    pub(super) start: Start,
    pub(super) steps: Vec<Traced<E>>,
    pub(super) kind: Kind,
    /// How it fails.
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
    /// What the steps start from.
    #[must_use]
    pub fn start(&self) -> &Start {
        &self.start
    }

    /// What the nodes are given at the start beyond the graph; nothing if the graph is not one that the algorithm assumes.
    #[must_use]
    pub fn seating(&self, subject: &Subject<E>) -> Seating {
        seated(&subject.exclusion(&self.start), &self.start).map(|(_, seating)| seating).unwrap_or_default()
    }

    /// The steps, the edges of the start among them as connections if edges can connect.
    #[must_use]
    pub fn steps(&self) -> &[Traced<E>] {
        &self.steps
    }

    /// The kind of failure.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.kind.clone()
    }

    /// How it fails.
    #[must_use]
    pub fn ending(&self) -> &Ending {
        &self.ending
    }

    /// The shrunk stream of picks with which the plan of the seed fails, for [`run_with`](super::run_with); `None` if
    /// this was read from a file.
    #[must_use]
    pub fn stream(&self) -> Option<&[u32]> {
        self.stream.as_deref()
    }

    /// Runs the steps under any rules: steps that cannot happen are passed over, and then everything must be served.
    #[must_use]
    pub fn again(&self, subject: &Subject<E>) -> Again {
        let mut stage = stage(&self.start, subject);
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
    pub fn tell(&self, subject: &Subject<E>) -> Told {
        let mut taking = stage(&self.start, subject);
        apply_all(&mut taking, &self.steps);
        let taken = taking.trace.take().unwrap_or_default();
        let taken: Vec<_> = taken.into_iter().map(|Traced { step, picks }| (step, picks)).collect();
        let mut world = stage(&self.start, subject).world;
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
