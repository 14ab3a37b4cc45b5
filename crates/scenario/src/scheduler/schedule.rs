//! A scheduler that an entry has made.

use std::fmt;
use std::sync::Arc;

use acrasin_engine::Rung;
use acrasin_runtime::exclusion::Exclusion;
use acrasin_runtime::scheduler::{
    Activation, Asynchronous, RoundRobin, Scheduler, SemiSynchronous, Sequential, Turns,
};
use acrasin_runtime::{CriticalSection, Timing};

use super::any::AnyScheduler;

/// A scheduler with checked parameters, from which any number of runs start.
#[derive(Clone)]
pub struct Schedule {
    scheduler: Option<Arc<dyn AnyScheduler>>,
    words: String,
    is_bounded: bool,
    rounds: Option<Activation>,
    /// The rung that has a driver of its own for it.
    driven_by: Option<Rung>,
    form: Option<Form>,
}

/// A scheduler that runs under any mutual exclusion algorithm, by what makes it.
#[derive(Clone, Debug)]
pub(super) enum Form {
    Sequential,
    RoundRobin,
    SemiSynchronous(Activation),
    Asynchronous,
}

impl Schedule {
    /// This scheduler, and what it is called in a report.
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

    /// The same, under a bound of weak fairness unless one is written: it could keep a node from acting for ever.
    #[must_use]
    pub fn bounded(self) -> Self {
        Self { is_bounded: true, ..self }
    }

    /// One without single actions, for which this rung has a driver of its own.
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

    /// The same, which runs under any algorithm.
    pub(super) fn under_any(self, form: Form) -> Self {
        Self { form: Some(form), ..self }
    }

    /// It for another algorithm than local mutual exclusion, if it has a form for every one.
    pub(crate) fn under<E: Exclusion, S: CriticalSection>(&self) -> Option<Box<dyn Scheduler<E, S>>>
    where
        E::Action: 'static,
    {
        Some(match self.form.as_ref()? {
            Form::Sequential => Box::new(Sequential::<E::Action>::new()),
            Form::RoundRobin => Box::new(RoundRobin::<E::Action>::new()),
            Form::SemiSynchronous(activation) => {
                Box::new(SemiSynchronous::<E::Action>::new(activation.clone()))
            }
            Form::Asynchronous => Box::new(Asynchronous::<E::Action>::new()),
        })
    }

    /// Whether it runs under other algorithms than local mutual exclusion, too.
    pub(crate) fn runs_under_any(&self) -> bool {
        self.form.is_some()
    }

    /// The same, whose rounds rungs F2 and F3 run, too: of macro activations, with these active nodes.
    #[must_use]
    pub fn in_rounds(self, rounds: Activation) -> Self {
        Self { rounds: Some(rounds), ..self }
    }

    /// The same scheduler, called by other words.
    pub(super) fn called(self, words: String) -> Self {
        Self { words, ..self }
    }

    /// What it is called in a report.
    #[must_use]
    pub fn words(&self) -> &str {
        &self.words
    }

    /// The scheduler before its first turn.
    ///
    /// # Panics
    ///
    /// Panics for those that a rung drives: a plan has them on that rung only.
    pub(crate) fn scheduler(&self) -> &Arc<dyn AnyScheduler> {
        self.scheduler.as_ref().expect("no scheduler of single actions")
    }

    /// Whether a rung has what it needs of it.
    pub(crate) fn runs_on(&self, rung: Rung) -> bool {
        match rung {
            Rung::F0 | Rung::F1 => self.driven_by == Some(rung),
            Rung::F2 | Rung::F3 => self.rounds.is_some(),
            Rung::F4 => self.scheduler.is_some(),
        }
    }

    /// Whether it is weakly fair within a bound only.
    pub(crate) fn is_bounded(&self) -> bool {
        self.is_bounded
    }

    /// Which nodes are active in a round of rungs F2 and F3.
    pub(crate) fn rounds(&self) -> Option<&Activation> {
        self.rounds.as_ref()
    }

    /// When messages leave.
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
