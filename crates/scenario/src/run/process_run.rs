//! A process with its stop rule and its presentation.

use std::borrow::Cow;

use acrasin_process::{
    Advance, Awaited, Condition, Ending, Expected, Goal, Measure, Process, Progress, Quiescence, RunBound,
    StopBound, StopCondition, StopGoal, StopRule,
};
use acrasin_protocols::uniform::Silent;
use acrasin_report::record::Section;
use acrasin_report::spans::Spans;

use super::{CountConditions, Filmed, RunError, RunState, SavedNumbers, Snapshot, push_option};
use crate::limits::RESUMED_COUNT;
use crate::predicate::BoundPredicate;

/// Interactions between two tests of silence, for a process without a list of edges.
const SILENCE_EVERY: u64 = 1 << 12;

/// The stop condition of a process: a stop rule, with the context of its goals.
pub(crate) trait ProcessStop<P: ?Sized> {
    /// The ending, if the run is at its end. Evaluated between any two calls of the process.
    fn ending(&mut self, process: &P, progress: &Progress) -> Option<Ending>;

    /// The ending of a process with [no next step](Advance::Quiescent); `None` to continue.
    fn quiescent(&self, process: &P) -> Option<Ending>;

    /// The fraction of the nearest bound that is reached, between 0 and 1; `None` without bounds.
    fn fraction(&self, process: &P, progress: &Progress) -> Option<f64>;

    /// The event that was not reached if a limit or the run control ends the run.
    fn awaited(&self) -> Awaited;

    /// The bound of the next call, or the ending if no further call is possible.
    fn bound(&mut self, process: &P, progress: &Progress) -> Result<RunBound, Ending>;

    /// A condition that ends a call.
    fn condition(&self) -> Option<&dyn Condition> {
        None
    }

    /// Saves the state on which later answers depend.
    fn save(&self, into: &mut Vec<u64>);

    /// Restores the state that [`save`](Self::save) wrote; `None` if the numbers are not those of this run.
    fn restore(&mut self, from: &mut SavedNumbers<'_>) -> Option<()>;

    /// The maximum number of units of one call; `stride` is the number that the process suggests.
    fn stride(&self, stride: u64) -> u64 {
        stride
    }
}

/// The presentation of a process: sections, pictures, films.
pub(crate) trait Presentation<P: Process + ?Sized> {
    /// The figures of the record, once the run is finished.
    fn sections(&self, process: &P) -> Vec<Section>;

    /// The counts for a row of the series.
    #[inline(always)]
    fn counts<'p>(&self, process: &'p P) -> Cow<'p, [u64]> {
        process.counts()
    }

    /// Passes the current configuration to `show`, node by node. Returns false, without calling `show`, if nodes are
    /// not distinct.
    fn filmed(&mut self, process: &mut P, show: &mut dyn FnMut(&mut dyn Filmed)) -> bool {
        let _ = (process, show);
        false
    }

    /// The singular noun for a step in a film of counts alone, and the number of steps so far.
    fn film_step(&self, process: &P) -> (&'static str, u64) {
        let unit = process.unit();
        (unit.singular(), process.progress().count(unit))
    }

    /// A snapshot of the process; `None` if there is nothing to draw.
    fn snapshot(&self, process: &P, name: String) -> Option<Snapshot> {
        let _ = (process, name);
        None
    }

    /// The completed fraction of the run, if it is known from more than its bounds.
    fn fraction(&self, process: &P, progress: &Progress) -> Option<f64> {
        let _ = (process, progress);
        None
    }

    /// The maximum number of steps of the next call.
    #[inline(always)]
    fn reach(&self, progress: &Progress) -> u64 {
        let _ = progress;
        u64::MAX
    }

    /// Observes the process after a call. The call started at step `before` and could run up to step `most`.
    ///
    /// # Errors
    ///
    /// The recording of the run cannot be written.
    #[inline(always)]
    fn observe(&mut self, process: &P, before: u64, most: u64) -> Result<(), RunError> {
        let _ = (process, before, most);
        Ok(())
    }

    /// An ending that takes precedence over the stop rule.
    #[inline(always)]
    fn ending(&mut self, process: &P, progress: &Progress) -> Option<Ending> {
        let _ = (process, progress);
        None
    }

    /// Ends the run, and returns its final ending. Called once.
    ///
    /// # Errors
    ///
    /// The recording of the run cannot be written.
    fn finish(&mut self, process: &mut P, reached: Ending) -> Result<Ending, RunError> {
        process.finish(reached).map_err(RunError::recording)
    }

    /// The spans of time in which each node was in its critical section, if they are kept.
    fn inside(&self, process: &P) -> Option<Spans> {
        let _ = process;
        None
    }

    /// The last configuration as text, if the run ended in a deadlock or a violation.
    fn configuration(&self, process: &P) -> Option<String> {
        let _ = process;
        None
    }
}

/// A process that is advanced until its stop rule ends it.
pub(crate) struct ProcessRun<'a, P: ?Sized, S, V> {
    pub(crate) process: &'a mut P,
    pub(crate) view: V,
    stop: S,
    /// The number of calls of the process, including calls in which only time advances.
    calls: u64,
    /// The time of the next sample.
    to_sample: f64,
}

impl<'a, P: Process + ?Sized, S: ProcessStop<P>, V: Presentation<P>> ProcessRun<'a, P, S, V> {
    pub(crate) fn new(process: &'a mut P, stop: S, view: V) -> Self {
        Self { process, view, stop, calls: 0, to_sample: f64::INFINITY }
    }

    // Inlined: it is called once per turn of a world, which can be a single step, so a call would double the cost.
    #[inline(always)]
    pub(crate) fn progress(&self) -> Progress {
        self.process.progress()
    }

    pub(crate) fn fraction(&self, progress: &Progress) -> Option<f64> {
        let bounded = self.stop.fraction(self.process, progress);
        bounded.into_iter().chain(self.view.fraction(self.process, progress)).reduce(f64::max)
    }

    /// The effort of the run so far, in steps of one node.
    #[inline(always)]
    pub(crate) fn effort(&self) -> u64 {
        self.process.effort().saturating_add(self.calls)
    }

    /// The maximum number of units of a call.
    #[inline(always)]
    pub(crate) fn stride(&self) -> u64 {
        self.stop.stride(self.process.stride())
    }

    #[inline(always)]
    pub(crate) fn ending(&mut self, progress: &Progress) -> Option<Ending> {
        let Self { process, view, stop, .. } = self;
        // A chain of closures would create and drop an absent ending after every turn.
        if let Some(ending) = view.ending(process, progress) {
            return Some(ending);
        }
        if let Some(ending) = process.ending() {
            return Some(ending);
        }
        stop.ending(process, progress)
    }

    /// The bound of the next call, at most `most` units; or the ending, if the process cannot advance.
    #[inline(always)]
    pub(crate) fn bound(&mut self, most: u64) -> Result<RunBound, Ending> {
        let progress = self.process.progress();
        let bound = self.stop.bound(self.process, &progress)?;
        let bound = RunBound { time: bound.time.min(self.to_sample), ..bound };
        let most = most.min(self.view.reach(&progress));
        let unit = self.process.unit();
        Ok(bound.with_at_most(unit, progress.count(unit).saturating_add(most.max(1))))
    }

    /// Advances by at most `most` units; returns the ending if the process cannot advance.
    #[inline(always)]
    pub(crate) fn advance(&mut self, most: u64) -> Result<Option<Ending>, RunError> {
        self.calls += 1;
        let before = self.process.progress().steps;
        let bound = match self.bound(most) {
            Ok(bound) => bound,
            Err(ending) => return Ok(Some(ending)),
        };
        let advance = self.process.advance(&bound, self.stop.condition());
        self.view.observe(self.process, before, bound.steps.saturating_sub(before))?;
        Ok(match advance {
            Advance::Advanced | Advance::Held => None,
            // An ending of the process itself is evaluated after samples and pictures.
            Advance::Quiescent | Advance::Violated if self.process.ending().is_some() => None,
            Advance::Quiescent => self.stop.quiescent(self.process),
            Advance::Violated => Some(self.process.obstacle()),
        })
    }

    /// Sets the time of the next sample, which no later call exceeds.
    pub(crate) fn stop_at(&mut self, time: f64) {
        self.to_sample = time;
    }

    /// The state of the run. The number of calls and the numbers of the stop rule are appended to `driver`. `None` if
    /// the process cannot be saved.
    pub(super) fn save(&self, mut driver: Vec<u64>) -> Option<RunState> {
        let process = self.process.save()?;
        driver.push(self.calls);
        self.stop.save(&mut driver);
        Some(RunState::new(&driver, process))
    }

    /// Continues from a saved state; `driver` are the remaining numbers, after those of the driver itself.
    ///
    /// # Errors
    ///
    /// The state is that of another run.
    pub(super) fn restore(
        &mut self,
        state: &RunState,
        driver: &mut SavedNumbers<'_>,
    ) -> Result<(), RunError> {
        let of_driver = driver.number().and_then(|calls| {
            self.calls = calls;
            self.stop.restore(driver)
        });
        if of_driver.is_none() || !driver.is_empty() {
            return Err(RunError::resumed("the state of its driver belongs to another run"));
        }
        self.process.restore(state.process()).map_err(|error| RunError::resumed(error.to_string()))?;
        let Progress { rounds, steps, interactions, locks, .. } = self.process.progress();
        let counters = [rounds, steps, interactions, locks, self.process.effort(), self.calls];
        if counters.iter().any(|&counter| counter > RESUMED_COUNT) {
            return Err(RunError::resumed("it has counts that no run reaches"));
        }
        Ok(())
    }

    #[inline(always)]
    pub(crate) fn counts(&self) -> Cow<'_, [u64]> {
        self.view.counts(self.process)
    }

    pub(crate) fn snapshot(&self, name: String) -> Option<Snapshot> {
        self.view.snapshot(self.process, name)
    }

    pub(crate) fn film_step(&self) -> (&'static str, u64) {
        self.view.film_step(self.process)
    }

    pub(crate) fn filmed(&mut self, show: &mut dyn FnMut(&mut dyn Filmed)) -> bool {
        self.view.filmed(self.process, show)
    }

    pub(crate) fn awaited(&self) -> Awaited {
        self.stop.awaited()
    }

    pub(crate) fn finish(&mut self, reached: Ending) -> Result<Ending, RunError> {
        self.view.finish(self.process, reached)
    }
}

/// The stop rule of a process whose counts decide most goals.
pub(crate) struct CountStop<'a> {
    rule: &'a StopRule<BoundPredicate>,
    conditions: &'a CountConditions,
    /// Decides silence from counts, if there is a table.
    silent: Option<&'a Silent>,
    /// The number of agents or molecules at the start.
    entities: u64,
    /// The numbers of interactions at which silence and stability are tested next.
    next_silence: u64,
    next_stability: u64,
    /// The number of rounds or interactions at which conditions on progress are evaluated next; `None` without such
    /// conditions.
    next_progress: Option<u64>,
}

impl<'a> CountStop<'a> {
    /// Creates the stop rule for a process at its start.
    pub(crate) fn new(
        process: &(impl Process + ?Sized),
        (rule, conditions): (&'a StopRule<BoundPredicate>, &'a CountConditions),
        silent: Option<&'a Silent>,
    ) -> Self {
        let entities = process.counts().iter().sum();
        let next_progress = rule.has_progress_condition().then_some(0);
        Self { rule, conditions, silent, entities, next_silence: 0, next_stability: 0, next_progress }
    }

    /// Whether nothing can change any more. Counts are tested at every call. The test of m edges is made only once in 2
    /// m interactions.
    fn is_silent(&mut self, process: &(impl Process + ?Sized), progress: &Progress) -> bool {
        if self.silent.is_some_and(|silent| silent.holds(&process.counts())) {
            return true;
        }
        // In continuous time silence is tested at every call, because interactions do not measure it.
        if progress.time.is_none() && progress.interactions < self.next_silence {
            return false;
        }
        self.next_silence =
            progress.interactions + process.edge_count().map_or(SILENCE_EVERY, |edges| 2 * edges);
        process.is_silent() == Some(true)
    }

    /// The counter that decides when conditions on progress are evaluated.
    fn progress_measure(process: &(impl Process + ?Sized)) -> Measure {
        if process.unit() == Measure::Rounds { Measure::Rounds } else { Measure::Interactions }
    }

    /// Whether conditions on progress must be evaluated now: after each round, or once every n interactions.
    fn is_progress_due(&mut self, process: &(impl Process + ?Sized), progress: &Progress) -> bool {
        let Some(next) = &mut self.next_progress else { return false };
        let measure = Self::progress_measure(process);
        let now = progress.count(measure);
        let is_due = now >= *next;
        if is_due {
            *next = now + if measure == Measure::Rounds { 1 } else { self.entities.max(1) };
        }
        is_due
    }

    /// The ending of a silent run: `Reached` if silence is a stop condition, otherwise `Quiescent`. `None` if a fault,
    /// a trace end, a condition on progress, or a bound other than one on reactions is still ahead.
    fn silent_ending(&self, process: &(impl Process + ?Sized), progress: &Progress) -> Option<Ending> {
        let is_in_time = progress.time.is_some();
        if self.rule.wants(|goal| matches!(goal, StopGoal::Silent)) {
            return Some(Ending::Reached(if is_in_time { Goal::NoReaction } else { Goal::Silent }));
        }
        let of_reactions = |bound| matches!(bound, StopBound::Count(Measure::Reactions, _));
        let is_open = self.rule.trace_end.is_none()
            && self.rule.bounds().all(of_reactions)
            && self.next_progress.is_none()
            && process.expected() == Expected::Nothing;
        let of = if is_in_time { Quiescence::NoReaction } else { Quiescence::NoInteraction };
        is_open.then_some(Ending::Quiescent(of))
    }
}

impl<P: Process + ?Sized> ProcessStop<P> for CountStop<'_> {
    fn ending(&mut self, process: &P, progress: &Progress) -> Option<Ending> {
        let is_progress_due = self.is_progress_due(process, progress);
        let Self { rule, conditions, entities, next_stability, .. } = self;
        rule.ending(progress, |position, goal| match goal {
            StopGoal::Own { condition: StopCondition::Progress(holds), .. } => {
                is_progress_due && holds(progress, &process.counts())
            }
            StopGoal::Settled => {
                let is_due = progress.interactions >= *next_stability;
                if is_due {
                    *next_stability = progress.interactions + *entities;
                }
                is_due && process.is_stable() == Some(true)
            }
            _ if process.expected() == Expected::DatedFaults => false,
            goal => conditions
                .holds_at(position, &process.counts())
                .unwrap_or_else(|| matches!(goal, StopGoal::Silent) && process.is_silent() == Some(true)),
        })
    }

    /// The ending of a process without a next step. `None` with a trace, whose rounds continue without contacts.
    fn quiescent(&self, process: &P) -> Option<Ending> {
        self.rule.trace_end.is_none().then(|| process.obstacle())
    }

    fn fraction(&self, _: &P, progress: &Progress) -> Option<f64> {
        self.rule.fraction(progress)
    }

    fn awaited(&self) -> Awaited {
        self.rule.awaited
    }

    fn bound(&mut self, process: &P, progress: &Progress) -> Result<RunBound, Ending> {
        if process.expected() != Expected::DatedFaults && self.is_silent(process, progress) {
            self.silent_ending(process, progress).map_or(Ok(()), Err)?;
        }
        let least = |measure| self.rule.least(measure).unwrap_or(u64::MAX);
        let bound = RunBound {
            interactions: least(Measure::Interactions),
            rounds: least(Measure::Rounds),
            steps: least(Measure::Reactions).min(least(Measure::Steps)),
            time: self.rule.earliest(),
        };
        // No call goes past the next evaluation, so its moment does not depend on other bounds.
        let next = self.next_progress.unwrap_or(u64::MAX);
        let bound = bound.with_at_most(Self::progress_measure(process), next);
        Ok(if process.unit() == Measure::Rounds {
            // A round of contacts with a rate can have any number of interactions.
            bound.with_at_most(Measure::Interactions, progress.interactions.saturating_add(process.stride()))
        } else {
            bound
        })
    }

    fn condition(&self) -> Option<&dyn Condition> {
        self.conditions.any()
    }

    fn save(&self, into: &mut Vec<u64>) {
        into.extend([self.next_silence, self.next_stability]);
        push_option(into, self.next_progress);
    }

    fn restore(&mut self, from: &mut SavedNumbers<'_>) -> Option<()> {
        (self.next_silence, self.next_stability) = (from.number()?, from.number()?);
        self.next_progress = from.option()?;
        Some(())
    }

    fn stride(&self, stride: u64) -> u64 {
        if self.rule.wants(|goal| matches!(goal, StopGoal::Settled)) {
            stride.min(self.entities)
        } else {
            stride
        }
    }
}
