//! [`Process`]: the trait that engines implement.

use std::borrow::Cow;
use std::io;

use crate::checkpoint::RestoreError;
use crate::condition::Condition;
use crate::ending::{Ending, Quiescence};
use crate::progress::{Measure, Progress};

/// Bounds of one call of [`Process::advance`]; the first one that is reached ends the call. All are totals
/// since the start of the run.
///
/// ```
/// use acrasin_process::RunBound;
///
/// let bound = RunBound { interactions: 1000, ..RunBound::NONE };
/// assert_eq!((bound.rounds, bound.time), (u64::MAX, f64::INFINITY));
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RunBound {
    /// The number of interactions of two agents.
    pub interactions: u64,
    /// The number of complete rounds.
    pub rounds: u64,
    /// The number of steps; in a reaction network, reactions.
    pub steps: u64,
    /// Time in the unit of the rates.
    pub time: f64,
}

impl RunBound {
    /// No bound: only the condition of the call ends it.
    pub const NONE: Self =
        Self { interactions: u64::MAX, rounds: u64::MAX, steps: u64::MAX, time: f64::INFINITY };

    /// Lowers the bound of the given counter to at most `count`. Has no effect for `Locks`.
    #[must_use]
    #[inline]
    pub fn with_at_most(mut self, measure: Measure, count: u64) -> Self {
        let bound = match measure {
            Measure::Interactions => &mut self.interactions,
            Measure::Rounds => &mut self.rounds,
            Measure::Steps | Measure::Reactions => &mut self.steps,
            Measure::Locks => return self,
        };
        *bound = count.min(*bound);
        self
    }
}

/// The result of one call of [`Process::advance`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Advance {
    /// A bound is reached, or the process returns early and can be advanced again.
    Advanced,
    /// The condition of the call holds.
    Held,
    /// Nothing can happen any more.
    Quiescent,
    /// An invariant is violated, or a step is not possible.
    Violated,
}

/// Whether external changes, such as crashes, joins and corruptions, are still to come.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Expected {
    /// No changes are to come.
    #[default]
    Nothing,
    /// Faults at random times. They do not delay a stop condition.
    Faults,
    /// Faults at given times. No stop condition on states holds before them.
    DatedFaults,
}

/// A figure of a record that only this process can provide.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Metric {
    /// Whether the figure describes the graph, rather than the work that was done.
    pub is_of_graph: bool,
    /// The name in tables, unique within its section.
    pub key: &'static str,
    /// The name in texts for people.
    pub label: &'static str,
    /// The value at the end of the run.
    pub value: u64,
}

/// A simulation that can be advanced and observed. Every engine implements it, and drivers need nothing else.
///
/// A driver calls [`advance`](Self::advance) for some milliseconds at a time, so it may hold a process as `dyn
/// Process`. A run is a function of the start and the seed of the process: bounds and conditions do not change the run,
/// they only divide it into calls.
///
/// ```
/// use std::borrow::Cow;
///
/// use acrasin_process::{Advance, Condition, Process, Progress, RunBound};
///
/// /// One more agent is infected in each interaction.
/// struct Epidemic([u64; 2]);
///
/// impl Process for Epidemic {
///     fn progress(&self) -> Progress {
///         Progress { steps: self.0[1], interactions: self.0[1], ..Progress::START }
///     }
///
///     fn counts(&self) -> Cow<'_, [u64]> {
///         Cow::Borrowed(&self.0)
///     }
///
///     fn advance(&mut self, bound: &RunBound, condition: Option<&dyn Condition>) -> Advance {
///         loop {
///             if condition.is_some_and(|condition| condition.holds(&self.0)) {
///                 return Advance::Held;
///             }
///             match self.0 {
///                 [0, _] => return Advance::Quiescent,
///                 [_, infected] if infected >= bound.interactions => return Advance::Advanced,
///                 [healthy, infected] => self.0 = [healthy - 1, infected + 1],
///             }
///         }
///     }
///
///     fn digest(&self) -> u128 {
///         u128::from(self.0[0]) << 64 | u128::from(self.0[1])
///     }
/// }
///
/// let mut epidemic = Epidemic([10, 0]);
/// let bound = RunBound { interactions: 4, ..RunBound::NONE };
/// assert_eq!(epidemic.advance(&bound, None), Advance::Advanced);
/// assert_eq!(*epidemic.counts(), [6, 4]);
/// assert_eq!(epidemic.advance(&RunBound::NONE, None), Advance::Quiescent);
/// ```
pub trait Process {
    /// The counters of the run since its start.
    fn progress(&self) -> Progress;

    /// The number of entities in each class, in the order of the names that the model gives. Cost: up to
    /// O(entities) if the process does not keep the counts.
    fn counts(&self) -> Cow<'_, [u64]>;

    /// The work so far, in steps of one node. Every step and every round increases it. A driver uses it to decide when
    /// to check the clock.
    fn effort(&self) -> u64 {
        let progress = self.progress();
        progress.steps.saturating_add(progress.rounds)
    }

    /// The counter in which samples and budgets are measured.
    fn unit(&self) -> Measure {
        Measure::Interactions
    }

    /// The approximate number of [units](Self::unit) that take some milliseconds; at least 1.
    fn stride(&self) -> u64 {
        1 << 16
    }

    /// Advances until `condition` holds or a bound is reached, whichever comes first. The condition is
    /// evaluated at once and whenever counts have changed, but not before the last [dated
    /// fault](Expected::DatedFaults).
    fn advance(&mut self, bound: &RunBound, condition: Option<&dyn Condition>) -> Advance;

    /// Whether a condition is given, and holds now.
    #[inline(always)]
    fn meets(&self, condition: Option<&dyn Condition>) -> bool {
        condition.is_some_and(|condition| condition.holds(&self.counts()))
    }

    /// The ending, if the process decides it itself: an algorithm has terminated, or a step has failed. Stop
    /// conditions on counts belong to the stop rule. Evaluated between two calls of [`advance`](Self::advance).
    fn ending(&self) -> Option<Ending> {
        None
    }

    /// The ending after [`Advance::Quiescent`] or [`Advance::Violated`] if no stop condition holds.
    fn obstacle(&self) -> Ending {
        Ending::Quiescent(Quiescence::NoInteraction)
    }

    /// Whether no later step can change a state; `None` if this cannot be decided. Cost: up to O(edges).
    fn is_silent(&self) -> Option<bool> {
        None
    }

    /// Whether the protocol has reached its purpose, and no later step can undo this. `None` if this cannot be decided.
    fn is_stable(&self) -> Option<bool> {
        None
    }

    /// Whether external changes are still to come.
    fn expected(&self) -> Expected {
        Expected::Nothing
    }

    /// The number of edges, if the process keeps a list of them.
    fn edge_count(&self) -> Option<u64> {
        None
    }

    /// The number of agents with a number and a state each; 0 where agents are only counted.
    fn numbered(&self) -> u64 {
        0
    }

    /// The class of the agent with this number.
    ///
    /// # Panics
    ///
    /// The number is not below [`numbered`](Self::numbered).
    fn state(&self, agent: u64) -> u16 {
        panic!("agent {agent} has no number")
    }

    /// The number of agents that each scheduled fault has affected, in the order of the faults.
    fn affected(&self) -> Vec<u64> {
        Vec::new()
    }

    /// Figures for the record that only this process can provide.
    fn metrics(&self) -> Vec<Metric> {
        Vec::new()
    }

    /// The transitions that have occurred, as text of at most `lines` lines. Empty if the protocol lists its
    /// transitions beforehand.
    fn transitions(&self, lines: usize) -> String {
        let _ = lines;
        String::new()
    }

    /// The state as a checkpoint; `None` if processes of this kind cannot be saved. Equal states give equal
    /// bytes.
    ///
    /// [`restore`](Self::restore) on a process of the same plan and seed continues the run with the steps that
    /// this process would make.
    fn save(&self) -> Option<Vec<u8>> {
        None
    }

    /// Replaces the state by that of a checkpoint. `self` is a process of the same plan and seed, and may have
    /// advanced.
    ///
    /// # Errors
    ///
    /// Processes of this kind cannot be saved, or the bytes are not a checkpoint of this run. The process is
    /// then unchanged.
    fn restore(&mut self, checkpoint: &[u8]) -> Result<(), RestoreError> {
        let _ = checkpoint;
        Err(RestoreError::Unsupported)
    }

    /// Ends the run with the ending that was `reached`; called once. Some violations are found only here; then the
    /// returned ending differs.
    ///
    /// # Errors
    ///
    /// The recording of the run cannot be written.
    fn finish(&mut self, reached: Ending) -> io::Result<Ending> {
        Ok(reached)
    }

    /// A digest of the state: of everything that the rest of the run depends on.
    fn digest(&self) -> u128;
}
