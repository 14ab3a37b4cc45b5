//! [`Condition`]: a condition on counts; [`StopCondition`]: a stop condition of a user's crate.

use std::fmt;
use std::sync::Arc;

use crate::progress::Progress;

/// A condition on how many entities are in each counted class.
///
/// ```
/// use acrasin_process::Condition;
///
/// /// Half of the agents or more are in state 1.
/// struct Half;
///
/// impl Condition for Half {
///     fn holds(&self, counts: &[u64]) -> bool {
///         2 * counts[1] >= counts.iter().sum()
///     }
/// }
/// assert!(Half.holds(&[3, 3]) && Half.possible(&[0, 0], &[9, 9]));
/// ```
pub trait Condition {
    /// Whether the condition holds for these counts.
    fn holds(&self, counts: &[u64]) -> bool;

    /// Whether the condition can begin to hold only at an interaction that takes an agent from a state and leaves at
    /// most one agent in it. `false` is always correct; `true` saves evaluations after all other interactions.
    fn is_of_last_agents(&self) -> bool {
        false
    }

    /// Whether the condition can hold for some counts between `least` and `most`, class by class. `true` is always
    /// correct. A run asks once for many interactions in a row; if the answer is `false`, it does not evaluate the
    /// condition at each of them.
    fn possible(&self, _least: &[u64], _most: &[u64]) -> bool {
        true
    }
}

/// A stop condition that a user's crate defines.
///
/// ```
/// use acrasin_process::{Progress, StopCondition};
///
/// // Five interactions of each agent.
/// let met = StopCondition::of_progress(|progress, counts| {
///     progress.interactions >= 5 * counts.iter().sum::<u64>()
/// });
/// assert!(met.holds(&Progress { interactions: 50, ..Progress::START }, &[4, 6]));
/// assert!(!met.holds(&Progress { interactions: 49, ..Progress::START }, &[4, 6]));
/// ```
#[derive(Clone)]
pub enum StopCondition {
    /// A condition on counts. It ends the run at the interaction at which it begins to hold.
    Counts(Arc<dyn Condition + Send + Sync>),
    /// A condition on progress and counts. The condition is evaluated before the first step. From then on it is
    /// evaluated after each turn under locks, after each round of a process in rounds, and otherwise once every n
    /// interactions of n agents. The times of evaluation do not depend on samples and pictures.
    Progress(ProgressCondition),
}

/// Whether a condition holds for this progress and these counts.
pub type ProgressCondition = Arc<dyn Fn(&Progress, &[u64]) -> bool + Send + Sync>;

impl StopCondition {
    /// Creates a stop condition on counts.
    pub fn of_counts(condition: impl Condition + Send + Sync + 'static) -> Self {
        Self::Counts(Arc::new(condition))
    }

    /// Creates a stop condition on progress and counts.
    pub fn of_progress(holds: impl Fn(&Progress, &[u64]) -> bool + Send + Sync + 'static) -> Self {
        Self::Progress(Arc::new(holds))
    }

    /// Whether the condition holds for this progress and these counts.
    #[must_use]
    pub fn holds(&self, progress: &Progress, counts: &[u64]) -> bool {
        match self {
            Self::Counts(condition) => condition.holds(counts),
            Self::Progress(holds) => holds(progress, counts),
        }
    }
}

/// Compares identities: a condition is equal to its clones.
impl PartialEq for StopCondition {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Counts(one), Self::Counts(other)) => Arc::ptr_eq(one, other),
            (Self::Progress(one), Self::Progress(other)) => Arc::ptr_eq(one, other),
            _ => false,
        }
    }
}

impl fmt::Debug for StopCondition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Counts(_) => "Counts(..)",
            Self::Progress(_) => "Progress(..)",
        })
    }
}
