//! A scheduler with its parameters resolved.

use std::fmt;
use std::sync::Arc;

use acrasin_engine::Rung;
use acrasin_runtime::exclusion::Exclusion;
use acrasin_runtime::scheduler::{
    Activation, Asynchronous, RoundRobin, Scheduler, SemiSynchronous, Sequential, Turns,
};
use acrasin_runtime::{CriticalSection, Timing};

use super::any::AnyScheduler;

/// A scheduler with checked parameters. Any number of runs can start from it.
#[derive(Clone)]
pub struct Schedule {
    scheduler: Option<Arc<dyn AnyScheduler>>,
    words: String,
    is_bounded: bool,
    rounds: Option<Activation>,
    /// The rung that has its own driver for the schedule.
    driven_by: Option<Rung>,
    form: Option<SchedulerConstructor>,
}

/// A scheduler that runs under any mutual exclusion algorithm, by its constructor.
#[derive(Clone, Debug)]
pub(super) enum SchedulerConstructor {
    Sequential,
    RoundRobin,
    SemiSynchronous(Activation),
    Asynchronous,
}

impl Schedule {
    /// Creates a schedule that reports describe by `words`.
    #[must_use]
    pub fn new(scheduler: impl AnyScheduler + 'static, words: impl Into<String>) -> Self {
        Self {
            scheduler: Some(Arc::new(scheduler)),
            words: words.into(),
            is_bounded: false,
            rounds: None,
            driven_by: None,
            form: None,
        }
    }

    /// Requires a bound of weak fairness, with a default. Without a bound, this scheduler could permanently prevent a
    /// node from acting.
    #[must_use]
    pub fn bounded(self) -> Self {
        Self { is_bounded: true, ..self }
    }

    /// A schedule without single actions, for which this rung has its own driver.
    pub(super) fn driven_by(rung: Rung, words: &str) -> Self {
        Self {
            scheduler: None,
            words: words.to_owned(),
            is_bounded: false,
            rounds: None,
            driven_by: Some(rung),
            form: None,
        }
    }

    /// Adds the constructor for runs under any mutual exclusion algorithm.
    pub(super) fn under_any(self, form: SchedulerConstructor) -> Self {
        Self { form: Some(form), ..self }
    }

    /// The scheduler for an algorithm other than local mutual exclusion, if this schedule supports all algorithms.
    pub(crate) fn under<E: Exclusion, S: CriticalSection>(&self) -> Option<Box<dyn Scheduler<E, S>>>
    where
        E::Action: 'static,
    {
        Some(match self.form.as_ref()? {
            SchedulerConstructor::Sequential => Box::new(Sequential::<E::Action>::new()),
            SchedulerConstructor::RoundRobin => Box::new(RoundRobin::<E::Action>::new()),
            SchedulerConstructor::SemiSynchronous(activation) => {
                Box::new(SemiSynchronous::<E::Action>::new(activation.clone()))
            }
            SchedulerConstructor::Asynchronous => Box::new(Asynchronous::<E::Action>::new()),
        })
    }

    /// Whether the schedule also runs under algorithms other than local mutual exclusion.
    pub(crate) fn runs_under_any(&self) -> bool {
        self.form.is_some()
    }

    /// Lets rungs F2 and F3 run the schedule, in rounds of macro activations of these nodes.
    #[must_use]
    pub fn in_rounds(self, rounds: Activation) -> Self {
        Self { rounds: Some(rounds), ..self }
    }

    /// Replaces the description in reports.
    pub(super) fn called(self, words: String) -> Self {
        Self { words, ..self }
    }

    /// The description in reports.
    #[must_use]
    pub fn words(&self) -> &str {
        &self.words
    }

    /// The scheduler before its first turn.
    ///
    /// # Panics
    ///
    /// Panics for a schedule for which a rung has its own driver; a plan uses it on that rung only.
    pub(crate) fn scheduler(&self) -> &Arc<dyn AnyScheduler> {
        self.scheduler.as_ref().expect("no scheduler of single actions")
    }

    /// Whether a rung can run the schedule.
    pub(crate) fn runs_on(&self, rung: Rung) -> bool {
        match rung {
            Rung::F0 | Rung::F1 => self.driven_by == Some(rung),
            Rung::F2 | Rung::F3 => self.rounds.is_some(),
            Rung::F4 => self.scheduler.is_some(),
        }
    }

    /// Whether the schedule is weakly fair only under a bound.
    pub(crate) fn is_bounded(&self) -> bool {
        self.is_bounded
    }

    /// The active nodes in a round of rungs F2 and F3.
    pub(crate) fn rounds(&self) -> Option<&Activation> {
        self.rounds.as_ref()
    }

    /// The timing of messages: whether they leave a node at once or one by one.
    pub(crate) fn timing(&self) -> Timing {
        self.scheduler.as_ref().map_or(Timing::AtOnce, |scheduler| scheduler.of_locks().timing())
    }

    /// Whether a turn is one step.
    pub(crate) fn is_stepwise(&self) -> bool {
        self.scheduler.as_ref().is_some_and(|scheduler| scheduler.of_locks().turns() == Turns::Steps)
    }
}

impl fmt::Debug for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Schedule").field("words", &self.words).finish_non_exhaustive()
    }
}
