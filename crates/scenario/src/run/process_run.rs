//! A run of a process whose entities are counted, and its stop rule.

use std::borrow::Cow;

use acrasin_process::{
    Advance, Awaited, Condition as _, Ending, Expected, Goal, Measure, Process, Progress, Quiescence,
    RunBound, StopGoal, StopRule,
};
use acrasin_protocols::uniform::Silent;
use acrasin_report::record::Section;

use super::{CountConditions, Course, Filmed, RunError};
use crate::predicate::BoundPredicate;

/// Interactions between two looks whether nothing can change any more, where there is no list of edges to look at.
const SILENCE_EVERY: u64 = 1 << 12;

/// What a plan shows of a process.
pub(crate) trait Presentation<P: ?Sized> {
    /// The figures of the record.
    fn sections(&self, process: &P) -> Vec<Section>;

    /// The same run, to be observed node by node; `None` if nodes are not kept apart.
    fn filmed(&mut self, process: &P) -> Option<&mut dyn Filmed> {
        let _ = process;
        None
    }
}

/// A process that is advanced until its stop rule ends it.
pub(crate) struct ProcessRun<'a, P: ?Sized, V> {
    pub(crate) process: &'a mut P,
    rule: &'a StopRule<BoundPredicate>,
    conditions: &'a CountConditions,
    /// Silence by counts, where there is a table.
    silent: Option<&'a Silent>,
    view: V,
    /// Entities at the start.
    entities: u64,
    /// Calls of the process: some of them only let time pass.
    calls: u64,
    /// The time of the next sample.
    to_sample: f64,
    /// The numbers of interactions from which on silence and stability are decided next.
    next_silence: u64,
    next_stability: u64,
}

impl<'a, P: Process + ?Sized, V> ProcessRun<'a, P, V> {
    pub(crate) fn new(
        process: &'a mut P,
        (rule, conditions): (&'a StopRule<BoundPredicate>, &'a CountConditions),
        silent: Option<&'a Silent>,
        view: V,
    ) -> Self {
        let entities = process.counts().iter().sum();
        Self {
            process,
            rule,
            conditions,
            silent,
            view,
            entities,
            calls: 0,
            to_sample: f64::INFINITY,
            next_silence: 0,
            next_stability: 0,
        }
    }

    /// How many entities there are at the start.
    pub(crate) fn entities(&self) -> u64 {
        self.entities
    }

    /// How far the next call may advance the process, with at most `most` of its units; the ending, if nothing can follow.
    pub(crate) fn bound(&mut self, most: u64) -> Result<RunBound, Ending> {
        let progress = self.process.progress();
        if self.process.expected() != Expected::DatedFaults && self.is_silent(&progress) {
            self.silent_ending(&progress).map_or(Ok(()), Err)?;
        }
        let least = |measure| self.rule.least(measure).unwrap_or(u64::MAX);
        let bound = RunBound {
            interactions: least(Measure::Interactions),
            rounds: least(Measure::Rounds),
            steps: least(Measure::Reactions),
            time: self.rule.earliest().min(self.to_sample),
        };
        let unit = self.process.unit();
        let bound = bound.at_most(unit, progress.count(unit).saturating_add(most.max(1)));
        Ok(if unit == Measure::Rounds {
            // A round of contacts with a rate can have any number of interactions.
            bound.at_most(Measure::Interactions, progress.interactions.saturating_add(self.process.stride()))
        } else {
            bound
        })
    }

    /// Whether nothing can change any more: by counts; edge by edge once in twice as many interactions as there are edges.
    fn is_silent(&mut self, progress: &Progress) -> bool {
        if self.silent.is_some_and(|silent| silent.holds(self.process.counts())) {
            return true;
        }
        // In continuous time silence is decided at every call: there are no interactions to wait for.
        if progress.time.is_none() && progress.interactions < self.next_silence {
            return false;
        }
        self.next_silence =
            progress.interactions + self.process.edge_count().map_or(SILENCE_EVERY, |edges| 2 * edges);
        self.process.is_silent() == Some(true)
    }

    /// The ending of a silent run, unless a bound or a fault is still to come. Reactions do not come any more.
    fn silent_ending(&self, progress: &Progress) -> Option<Ending> {
        let is_in_time = progress.time.is_some();
        if self.rule.wants(|goal| matches!(goal, StopGoal::Silent)) {
            return Some(Ending::Reached(if is_in_time { Goal::NoReaction } else { Goal::Silent }));
        }
        let of_reactions = |bound| matches!(bound, acrasin_process::StopBound::Count(Measure::Reactions, _));
        let is_open = self.rule.trace_end.is_none()
            && self.rule.bounds().all(of_reactions)
            && self.process.expected() == Expected::Nothing;
        let of = if is_in_time { Quiescence::NoReaction } else { Quiescence::NoInteraction };
        is_open.then_some(Ending::Quiescent(of))
    }
}

impl<P: Process + ?Sized, V: Presentation<P>> Course for ProcessRun<'_, P, V> {
    type Error = RunError;

    fn at(&self) -> Progress {
        self.process.progress()
    }

    fn fraction(&self, at: &Progress) -> Option<f64> {
        self.rule.fraction(at)
    }

    fn effort(&self, at: &Progress) -> u64 {
        at.steps.saturating_add(at.rounds).saturating_add(self.calls)
    }

    fn stride(&self) -> u64 {
        let stride = self.process.stride();
        if self.rule.wants(|goal| matches!(goal, StopGoal::Settled)) {
            stride.min(self.entities)
        } else {
            stride
        }
    }

    fn ending(&mut self, at: &Progress) -> Option<Ending> {
        let Self { process, rule, conditions, entities, next_stability, .. } = self;
        let process = &**process;
        rule.ending(at, |position, goal| match goal {
            StopGoal::Settled => {
                let is_due = at.interactions >= *next_stability;
                if is_due {
                    *next_stability = at.interactions + *entities;
                }
                is_due && process.is_stable() == Some(true)
            }
            _ if process.expected() == Expected::DatedFaults => false,
            goal => conditions
                .holds_at(position, process.counts())
                .unwrap_or_else(|| matches!(goal, StopGoal::Silent) && process.is_silent() == Some(true)),
        })
    }

    fn advance(&mut self, most: u64) -> Result<Option<Ending>, RunError> {
        self.calls += 1;
        let bound = match self.bound(most) {
            Ok(bound) => bound,
            Err(ending) => return Ok(Some(ending)),
        };
        let condition = (!self.conditions.is_empty()).then_some(self.conditions as _);
        Ok(match self.process.advance(&bound, condition) {
            Advance::Advanced | Advance::Held => None,
            // The rounds of a trace go on without contacts.
            Advance::Quiescent if self.rule.trace_end.is_some() => None,
            Advance::Quiescent | Advance::Violated => Some(self.process.obstacle()),
        })
    }

    fn stop_at(&mut self, time: f64) {
        self.to_sample = time;
    }

    fn counts(&self) -> Cow<'_, [u64]> {
        Cow::Borrowed(self.process.counts())
    }

    fn beat(&self) -> (&'static str, u64) {
        let unit = self.process.unit();
        (unit.singular(), self.process.progress().count(unit))
    }

    fn filmed(&mut self) -> Option<&mut dyn Filmed> {
        self.view.filmed(self.process)
    }

    fn awaited(&self) -> Awaited {
        self.rule.awaited
    }

    fn sections(&self) -> Vec<Section> {
        self.view.sections(self.process)
    }
}
