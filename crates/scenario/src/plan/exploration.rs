//! What an exploration of a plan may do, and what it gives.

use acrasin_explore::Exploration;
use acrasin_runtime::exclusion::Stamps;
use acrasin_verify::locks::{Budget, Reductions, Rewiring};

/// What the adversary may do besides choosing who acts next, and what is left out because it adds nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Manner {
    /// How often an edge may vanish.
    pub disconnections: Budget,
    /// How often an edge may appear.
    pub connections: Budget,
    /// Which edges may appear.
    pub rewiring: Rewiring,
    /// Whether nodes also call Lock and Unlock out of turn: calls that the rules ignore.
    pub misuse: bool,
    /// What is left out.
    pub reductions: Reductions,
    /// How stamps of requests are taken.
    pub stamps: Stamps,
}

/// All answers about the runs of a plan, in words.
#[derive(Debug)]
#[non_exhaustive]
pub struct Explored {
    /// What was explored.
    pub exploration: Exploration,
    /// The answers.
    pub answers: Vec<Answer>,
}

/// What random walks have come to.
#[derive(Debug)]
#[non_exhaustive]
pub struct Walked {
    /// How many were begun.
    pub walks: u64,
    /// The steps of all of them.
    pub steps: u64,
    /// The first property that was seen broken. The run that is shown was made short, and need not be a shortest one.
    pub found: Option<Answer>,
}

/// A property and whether it holds.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Answer {
    /// The property.
    pub property: &'static str,
    /// The lemma it stands for.
    pub source: &'static str,
    /// Whether it holds.
    pub answered: Answered,
}

/// Whether a property holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answered {
    /// In every run.
    Holds,
    /// It does not.
    Broken(Box<Shown>),
    /// As far as was looked: the exploration is not complete.
    Open,
    /// It was not asked, and why.
    NotAsked(&'static str),
}

/// A run that shows that a property does not hold.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Shown {
    /// What is seen at its end.
    pub text: String,
    /// How many configurations and moves break the property.
    pub count: u64,
    /// The steps, a line each; no shorter run breaks the property.
    pub steps: Vec<String>,
    /// The steps from here on lead back to the configuration before them; the number of steps if there are none.
    pub round: usize,
    /// Whether a replay of the run fails again by itself: it ends dead, breaks a promise of the lock layer, or goes round while
    /// a node waits. An invariant is looked at again because the outcome names it; that success cannot be reached any more is
    /// not.
    pub fails_in_replay: bool,
    /// The configuration at the end.
    pub configuration: String,
    /// The run as a replay file.
    pub replay: Vec<u8>,
}
