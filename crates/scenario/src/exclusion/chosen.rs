//! An algorithm that an entry has made.

use std::fmt;
use std::sync::Arc;

use acrasin_catalogue::parameter::ParameterError;
use acrasin_runtime::Topology;
use acrasin_runtime::exclusion::critical_section::LocalSections;
use acrasin_runtime::exclusion::tree_token::TreeToken;
use acrasin_runtime::exclusion::{Assumptions, Exclusion as _, Seating, Unmet};
use acrasin_verify::replay::Spelling as _;

/// The algorithms that scenarios run.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum AnyExclusion {
    /// Local mutual exclusion, with what `lock: …` says of it.
    Local,
    /// A token that travels along a tree.
    TreeToken(TreeToken),
    /// Local critical sections.
    CriticalSections(LocalSections),
}

type Seats = dyn Fn(&Topology) -> Result<Seating, ParameterError> + Send + Sync;

/// An algorithm with checked parameters, and what its nodes are given at the start.
#[derive(Clone)]
pub struct Chosen {
    algorithm: AnyExclusion,
    words: String,
    seats: Arc<Seats>,
}

impl Chosen {
    /// This algorithm, called by these words in a report; `seats` says what the nodes of a graph are given.
    #[must_use]
    pub fn new(
        algorithm: AnyExclusion,
        words: impl Into<String>,
        seats: impl Fn(&Topology) -> Result<Seating, ParameterError> + Send + Sync + 'static,
    ) -> Self {
        Self { algorithm, words: words.into(), seats: Arc::new(seats) }
    }

    /// The algorithm.
    #[must_use]
    pub fn algorithm(&self) -> AnyExclusion {
        self.algorithm.clone()
    }

    /// The same for sections that touch the neighbours of their node.
    #[must_use]
    pub(crate) fn for_interactions(mut self) -> Self {
        if let AnyExclusion::CriticalSections(sections) = self.algorithm {
            let sections = sections.holding_neighbours();
            self.words = sections.rules().expect("the schemes have words");
            self.algorithm = AnyExclusion::CriticalSections(sections);
        }
        self
    }

    /// What it is called in a report.
    #[must_use]
    pub fn words(&self) -> &str {
        &self.words
    }

    /// What the nodes of a graph are given.
    ///
    /// # Errors
    ///
    /// The parameter that does not fit the graph.
    pub fn seating(&self, topology: &Topology) -> Result<Seating, ParameterError> {
        (self.seats)(topology)
    }

    /// What it needs of its surroundings; of local mutual exclusion, nothing.
    #[must_use]
    pub fn assumes(&self) -> Assumptions {
        match &self.algorithm {
            AnyExclusion::Local => Assumptions::NONE,
            AnyExclusion::TreeToken(token) => token.assumes(),
            AnyExclusion::CriticalSections(sections) => sections.assumes(),
        }
    }

    /// Whether it runs on a graph with this seating.
    ///
    /// # Errors
    ///
    /// The first thing that does not fit.
    pub fn check_start(&self, topology: &Topology, seating: &Seating) -> Result<(), Unmet> {
        match &self.algorithm {
            AnyExclusion::Local => Ok(()),
            AnyExclusion::TreeToken(token) => token.check_start(topology, seating),
            AnyExclusion::CriticalSections(sections) => sections.check_start(topology, seating),
        }
    }
}

impl fmt::Debug for Chosen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Chosen").field("algorithm", &self.algorithm).finish_non_exhaustive()
    }
}
