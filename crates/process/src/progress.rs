//! [`Progress`]: the counters of a run, and bounds on them.

use serde::{Deserialize, Serialize};

/// Counters of a run so far. A counter that a process does not have stays 0.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Progress {
    /// The number of complete rounds, or waves.
    pub rounds: u64,
    /// The number of executed steps of the process: actions, activations, reactions, steps of a chain.
    pub steps: u64,
    /// The number of interactions of two agents.
    pub interactions: u64,
    /// The number of completed Locks.
    pub locks: u64,
    /// The elapsed time in the unit of the rates; `None` where time is not continuous.
    pub time: Option<f64>,
    /// The fraction of the nearest bound, or of the algorithm's work, from 0 to 1; `None` if neither is known.
    pub fraction: Option<f64>,
}

impl Progress {
    /// The counters before the first step.
    pub const START: Self =
        Self { rounds: 0, steps: 0, interactions: 0, locks: 0, time: None, fraction: None };
}

/// One of the integer counters of [`Progress`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Measure {
    /// The counter [`Progress::rounds`].
    Rounds,
    /// The counter [`Progress::steps`].
    Steps,
    /// The counter [`Progress::steps`] of a reaction network.
    Reactions,
    /// The counter [`Progress::interactions`].
    Interactions,
    /// The counter [`Progress::locks`].
    Locks,
}

impl Measure {
    /// The plural noun by which messages name the counter.
    #[must_use]
    pub fn noun(self) -> &'static str {
        match self {
            Self::Rounds => "rounds",
            Self::Steps => "steps",
            Self::Reactions => "reactions",
            Self::Interactions => "interactions",
            Self::Locks => "Locks",
        }
    }
}

/// A value of a [`Measure`] that ends a run.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopBound {
    /// The run ends when a counter reaches this value.
    Count(Measure, u64),
    /// The run ends when continuous time reaches this value.
    Time(f64),
}

impl Measure {
    /// The singular noun for one unit of the bounded quantity. Films name their steps by it.
    #[must_use]
    pub fn singular(self) -> &'static str {
        match self {
            Self::Rounds => "round",
            Self::Steps => "step",
            Self::Reactions => "reaction",
            Self::Interactions => "interaction",
            Self::Locks => "Lock",
        }
    }
}

impl StopBound {
    /// The noun by which messages name the bounded quantity.
    #[must_use]
    pub fn noun(self) -> &'static str {
        match self {
            Self::Count(measure, _) => measure.noun(),
            Self::Time(_) => "time",
        }
    }

    /// Whether a run has reached the bound.
    #[must_use]
    #[inline]
    pub fn is_reached(self, progress: &Progress) -> bool {
        match self {
            Self::Count(measure, bound) => progress.count(measure) >= bound,
            Self::Time(bound) => progress.time.is_some_and(|time| time >= bound),
        }
    }

    /// The fraction of the bound that is reached, from 0 up; 1 for a bound of 0.
    #[must_use]
    pub fn fraction(self, progress: &Progress) -> f64 {
        let (now, bound) = match self {
            Self::Count(measure, bound) => (progress.count(measure) as f64, bound as f64),
            Self::Time(bound) => (progress.time.unwrap_or(0.0), bound),
        };
        if bound == 0.0 { 1.0 } else { now / bound }
    }
}

impl Progress {
    /// Whether all counters are 0.
    #[must_use]
    #[inline]
    pub fn is_at_start(&self) -> bool {
        self.steps == 0 && self.interactions == 0
    }

    /// The value of a counter.
    #[must_use]
    #[inline]
    pub fn count(&self, measure: Measure) -> u64 {
        match measure {
            Measure::Rounds => self.rounds,
            Measure::Steps | Measure::Reactions => self.steps,
            Measure::Interactions => self.interactions,
            Measure::Locks => self.locks,
        }
    }
}
