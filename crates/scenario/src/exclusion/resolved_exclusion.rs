//! A mutual exclusion algorithm with its parameters resolved.

use std::fmt;
use std::sync::Arc;

use acrasin_catalogue::parameter::ParameterError;
use acrasin_runtime::Topology;
use acrasin_runtime::exclusion::critical_section::{LocalSections, Scheme};
use acrasin_runtime::exclusion::tree_token::TreeToken;
use acrasin_runtime::exclusion::{AlgorithmLabels, AssumptionError, Assumptions, InitialKnowledge};
use acrasin_verify::locks::Explored;
use acrasin_verify::properties::CheckedExclusion;
use acrasin_verify::replay::StepCodec;

/// An algorithm whose nodes receive initial knowledge beyond the graph.
pub(crate) trait SeatedAlgorithm:
    StepCodec + CheckedExclusion + Explored + AlgorithmLabels + 'static
{
}

/// A visitor of the algorithm that a scenario chose, compiled once for each algorithm.
pub(crate) trait SeatedVisitor: Sized {
    /// The result of the visit.
    type Output;

    /// Called once, with the concrete type of the algorithm.
    fn visit<E: SeatedAlgorithm>(self, exclusion: E) -> Self::Output;
}

/// Defines the algorithms that scenarios run, one line each.
macro_rules! algorithms {
    ($($(#[$doc:meta])* $name:ident($algorithm:ty);)*) => {
        /// The algorithms that scenarios run.
        #[derive(Clone, PartialEq, Eq, Debug)]
        #[non_exhaustive]
        pub enum AnyExclusion {
            /// Local mutual exclusion. The field `lock: …` has its options.
            Local,
            $($(#[$doc])* $name($algorithm),)*
        }

        $(impl SeatedAlgorithm for $algorithm {})*

        impl AnyExclusion {
            /// Calls a visitor with the algorithm. For local mutual exclusion it returns the visitor without calling
            /// it.
            fn seated<V: SeatedVisitor>(&self, visitor: V) -> Result<V::Output, V> {
                match self {
                    Self::Local => Err(visitor),
                    $(Self::$name(exclusion) => Ok(visitor.visit(exclusion.clone())),)*
                }
            }
        }
    };
}

algorithms! {
    /// A token that travels along a tree.
    TreeToken(TreeToken);
    /// Local critical sections.
    CriticalSections(LocalSections);
}

type Seats = dyn Fn(&Topology) -> Result<InitialKnowledge, ParameterError> + Send + Sync;

/// An algorithm with checked parameters and the initial knowledge of its nodes.
#[derive(Clone)]
pub struct ResolvedExclusion {
    algorithm: AnyExclusion,
    words: String,
    seats: Arc<Seats>,
}

impl ResolvedExclusion {
    /// Creates an algorithm. `words` is its description in reports; `seats` computes the initial knowledge of the nodes
    /// of a graph.
    #[must_use]
    pub fn new(
        algorithm: AnyExclusion,
        words: impl Into<String>,
        seats: impl Fn(&Topology) -> Result<InitialKnowledge, ParameterError> + Send + Sync + 'static,
    ) -> Self {
        Self { algorithm, words: words.into(), seats: Arc::new(seats) }
    }

    /// Local mutual exclusion.
    #[must_use]
    pub fn local() -> Self {
        Self::new(AnyExclusion::Local, "local mutual exclusion", |_| Ok(InitialKnowledge::default()))
    }

    /// Whether the algorithm is local mutual exclusion.
    #[must_use]
    pub fn is_local(&self) -> bool {
        self.algorithm == AnyExclusion::Local
    }

    /// Calls a visitor with the algorithm. For local mutual exclusion it returns the visitor without calling it.
    pub(crate) fn seated<V: SeatedVisitor>(&self, visitor: V) -> Result<V::Output, V> {
        self.algorithm.seated(visitor)
    }

    /// Whether the algorithm assumes that all nodes continue: because of its bounds, a node that stops can leave others
    /// waiting.
    pub(crate) fn needs_all_to_go_on(&self) -> bool {
        matches!(self.algorithm, AnyExclusion::CriticalSections(_))
    }

    /// Whether nodes that stop after some Locks can leave others waiting forever under this scheme.
    pub(crate) fn may_leave_waiting(&self) -> bool {
        matches!(&self.algorithm, AnyExclusion::CriticalSections(sections) if sections.scheme() == Scheme::Leader)
    }

    /// Lets nodes hold their neighbours while they are in their critical sections. Interactions need this, because they
    /// change the states of neighbours.
    #[must_use]
    pub(crate) fn for_interactions(mut self) -> Self {
        if let AnyExclusion::CriticalSections(sections) = self.algorithm {
            let sections = sections.with_held_neighbours();
            self.words = sections.rules().expect("the schemes have words");
            self.algorithm = AnyExclusion::CriticalSections(sections);
        }
        self
    }

    /// The description of the algorithm in reports.
    #[must_use]
    pub fn words(&self) -> &str {
        &self.words
    }

    /// The initial knowledge of the nodes of a graph.
    ///
    /// # Errors
    ///
    /// A parameter does not fit the graph.
    pub fn seating(&self, topology: &Topology) -> Result<InitialKnowledge, ParameterError> {
        (self.seats)(topology)
    }

    /// The assumptions of the algorithm about its environment; none for local mutual exclusion.
    #[must_use]
    pub fn assumes(&self) -> Assumptions {
        struct Assumes;
        impl SeatedVisitor for Assumes {
            type Output = Assumptions;
            fn visit<E: SeatedAlgorithm>(self, exclusion: E) -> Assumptions {
                exclusion.assumes()
            }
        }
        self.seated(Assumes).unwrap_or(Assumptions::NONE)
    }

    /// Checks that the algorithm runs on a graph with this initial knowledge.
    ///
    /// # Errors
    ///
    /// The first assumption that does not hold.
    pub fn check_start(
        &self,
        topology: &Topology,
        seating: &InitialKnowledge,
    ) -> Result<(), AssumptionError> {
        struct Start<'a>(&'a Topology, &'a InitialKnowledge);
        impl SeatedVisitor for Start<'_> {
            type Output = Result<(), AssumptionError>;
            fn visit<E: SeatedAlgorithm>(self, exclusion: E) -> Self::Output {
                exclusion.check_start(self.0, self.1)
            }
        }
        self.seated(Start(topology, seating)).unwrap_or(Ok(()))
    }
}

impl fmt::Debug for ResolvedExclusion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ResolvedExclusion").field("algorithm", &self.algorithm).finish_non_exhaustive()
    }
}
