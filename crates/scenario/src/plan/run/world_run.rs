//! Rung F4: every message and every action, in the turns of a scheduler.

use std::borrow::Cow;
use std::io;

use acrasin_process::{Awaited, Condition, Ending, Measure, Process, Progress, Quiescence, RunBound};
use acrasin_report::record::{Figure, Section};
use acrasin_report::spans::Spans;
use acrasin_runtime::execution::{Advance, Execution};
use acrasin_runtime::pack::{PackError, Saved as _};
use acrasin_runtime::{Seeded, World};
use acrasin_verify::replay::{Recorder, ReplayEnd};

use super::super::schedule::{self, FairnessBound};
use super::algorithm::{Entries as _, RunAlgorithm};
use super::figures::WorldFigures;
use super::filmed::WorldFilm;
use super::locked;
use super::locked_process::LockedProcess;
use super::observers::Observers;
use super::prepared_run::PreparedRun;
use super::state_counts::{CountedSection, StateCounts};
use crate::limits::CONFIGURATION_BYTES;
use crate::run::saved::{SavedProcess, save_and_restore};
use crate::run::{
    Filmed, Finished, Job, Proceed, RunControl, RunError, called_off, free, has_time_for_figures,
};

/// A run on rung F4: a world and its scheduler.
struct WorldRun<'a, E: RunAlgorithm, S: CountedSection> {
    execution: Execution<E, S>,
    choices: Seeded,
    observers: Observers<'a, E, S>,
    priorities: Option<u32>,
    is_dead: bool,
    watch: &'a dyn RunControl,
    cut: Proceed,
    is_cut_short: bool,
}

pub(super) fn run<E: RunAlgorithm, S: CountedSection>(
    beginning: PreparedRun<'_, E, S>,
    mut job: Job<'_>,
) -> Result<Finished, RunError> {
    let header = beginning.header();
    let PreparedRun { plan, graph, ports, world, choices, tally, priorities, .. } = beginning;
    let nodes = graph.nodes();
    let before = job.recorded_before();
    let recorder = job.record.take().map(|sink| match before {
        Some(steps) => Ok(Recorder::continued(sink, steps)),
        None => Recorder::under(world.exclusion(), sink, &header),
    });
    let recorder = recorder.transpose().map_err(RunError::recording)?;
    let stepwise = plan.schedule.is_stepwise();
    let disturbances = schedule::disturbances(&plan.disturbances, world.topology(), stepwise);
    let mut execution = Execution::new(world, E::scheduler(&plan.schedule));
    if let Some(contacts) = graph.contacts() {
        execution = execution.with_dynamics(Box::new(contacts.timetable()));
    }
    for disturbance in disturbances {
        execution = execution.with_dynamics(disturbance);
    }
    if let Some(rounds) = plan.rule.least(Measure::Rounds) {
        execution = execution.with_last_round(rounds);
    }
    let bound = plan.bound.turns(stepwise, nodes, graph.edges_max(), ports);
    if let Some(fairness) = FairnessBound::start(bound) {
        execution = execution.with_fairness(fairness);
    }
    let eye = job.watch.eye();
    let film = eye.map(|eye| WorldFilm::new((plan, graph, job.seed), execution.world(), Some(eye)));
    let observers = Observers { recorder, film, ..Observers::new(execution.world(), tally) };
    let mut run = WorldRun {
        execution,
        choices,
        observers,
        priorities,
        is_dead: false,
        watch: job.watch,
        is_cut_short: false,
        cut: Proceed::Continue,
    };
    #[cfg(test)]
    crate::run::probe::visit(&mut run);
    let finished = locked::drive((plan, graph), &job, &mut run);
    free(run, job.watch);
    finished
}

impl<E: RunAlgorithm, S: CountedSection> Process for WorldRun<'_, E, S> {
    // Inlined: a turn can be a single step, so a call between two turns would be costly.
    #[inline(always)]
    fn progress(&self) -> Progress {
        let Self { execution, observers: Observers { tally, locks, .. }, .. } = self;
        Progress {
            rounds: execution.rounds(),
            steps: execution.world().steps(),
            interactions: tally.interactions(),
            locks: locks.granted(),
            ..Progress::START
        }
    }

    #[inline(always)]
    fn counts(&self) -> Cow<'_, [u64]> {
        Cow::Borrowed(self.observers.tally.counts())
    }

    #[inline(always)]
    fn effort(&self) -> u64 {
        self.execution.world().steps()
    }

    fn unit(&self) -> Measure {
        Measure::Steps
    }

    /// Executes one turn of the scheduler, unless the condition holds already.
    #[inline(always)]
    fn advance(&mut self, _: &RunBound, condition: Option<&dyn Condition>) -> Advance {
        if self.meets(condition) {
            return Advance::Held;
        }
        let Self { execution, choices, observers, watch, cut, .. } = self;
        let proceeds = || {
            *cut = watch.verdict();
            *cut == Proceed::Continue
        };
        let advance = execution.advance_while(choices, observers, proceeds).unwrap_or(Advance::Advanced);
        if let (Advance::Quiescent, Some(film)) = (advance, &mut observers.film)
            && execution.world().outstanding() > 0
        {
            film.failed();
        }
        advance
    }

    /// The ending if the run control interrupted the last turn.
    #[inline(always)]
    fn ending(&self) -> Option<Ending> {
        (self.cut != Proceed::Continue).then(|| called_off(self.cut, Awaited::StopCondition))
    }

    fn obstacle(&self) -> Ending {
        let violation = self.execution.world().violation();
        violation
            .map_or(Ending::Quiescent(Quiescence::NoNodeActs), |broken| Ending::Violated(broken.to_string()))
    }

    fn finish(&mut self, reached: Ending) -> io::Result<Ending> {
        let Self { execution, observers, is_dead, .. } = self;
        if let Some(recorder) = observers.recorder.take() {
            recorder
                .end(&ReplayEnd::of(execution.world(), reached.to_string()).with_ending(reached.clone()))?;
        }
        *is_dead = reached.is_at_rest();
        self.is_cut_short = reached.is_cut_short();
        Ok(reached)
    }

    fn digest(&self) -> u128 {
        self.execution.world().digest().0
    }

    save_and_restore!();
}

impl<E: RunAlgorithm, S: CountedSection> SavedProcess for WorldRun<'_, E, S> {
    const KIND: &'static str = "world";

    fn save_state(&self, into: &mut Vec<u8>) -> bool {
        self.choices.save(into);
        self.observers.save(into);
        self.execution.save(into)
    }

    fn load_state(&mut self, from: &mut &[u8]) -> Result<(), PackError> {
        self.cut = Proceed::Continue;
        self.choices.load(from)?;
        self.observers.load(from)?;
        self.execution.load(from)?;
        self.observers.tally.check(S::agents(self.execution.world().states()))
    }
}

impl<E: RunAlgorithm, S: CountedSection> LockedProcess for WorldRun<'_, E, S> {
    #[inline(always)]
    fn turns(&self) -> u64 {
        self.execution.turns()
    }

    #[inline(always)]
    fn tally(&self) -> &StateCounts {
        &self.observers.tally
    }

    #[inline(always)]
    fn agents(&self) -> &[u16] {
        S::agents(self.execution.world().states())
    }

    #[inline(always)]
    fn is_active(&self) -> bool {
        !self.execution.world().active().is_empty()
    }

    fn outstanding(&self) -> u64 {
        self.execution.world().outstanding().into()
    }

    fn sections(&self, work: Section, trace: Vec<Figure>) -> Vec<Section> {
        let Self { execution, observers: Observers { locks, messages, entries, .. }, .. } = self;
        let world = execution.world();
        let figures = WorldFigures {
            world,
            priorities: self.priorities,
            locks: locks.section(world),
            messages,
            entries: entries.section(),
            rounds: Some(execution.rounds()),
            refused: Some(execution.refused()),
            fairness: execution.fairness(),
            has_time: &|| has_time_for_figures(self.watch, self.is_cut_short),
        };
        figures.sections(work, trace)
    }

    fn inside(&self) -> Option<Spans> {
        self.observers.entries.inside()
    }

    fn filmed(&mut self, show: &mut dyn FnMut(&mut dyn Filmed)) -> bool {
        let Self { execution, observers: Observers { film, locks, .. }, .. } = self;
        let Some(film) = film else { return false };
        show(&mut film.shot(execution.world(), locks));
        true
    }

    fn configuration(&self) -> Option<String> {
        let world = self.execution.world();
        (self.is_dead || world.violation().is_some()).then(|| shown(world))
    }
}

/// The configuration in the terms of the paper, cut to [`CONFIGURATION_BYTES`](crate::limits::CONFIGURATION_BYTES).
pub(super) fn shown<E: RunAlgorithm, S: CountedSection>(world: &World<E, S>) -> String {
    cut(format!("{world:?}"), CONFIGURATION_BYTES)
}

fn cut(mut text: String, most: usize) -> String {
    if text.len() > most {
        text.truncate((0..=most).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0));
        text.push_str("\n...\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_past_its_limit_and_never_inside_a_character() {
        assert_eq!(cut("abc".to_owned(), 3), "abc");
        assert_eq!(cut("abcd".to_owned(), 3), "abc\n...\n");
        assert_eq!(cut("abé".to_owned(), 3), "ab\n...\n");
    }
}
