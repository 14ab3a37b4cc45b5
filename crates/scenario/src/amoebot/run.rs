//! A run of an algorithm: sequential, or concurrent; and what those in waves and in rounds have in common with it.

use acrasin_amoebot::System;
use acrasin_amoebot::concurrent::{self, Concurrent, MessageLocks, TryLocks};
use acrasin_amoebot::execution::{self, RoundRobin, Uniform, UniformEnabled};
use acrasin_amoebot::picture::Picture;
use acrasin_report::record::{Exit, Figure, Outcome, Section, SectionName};
use acrasin_report::series::Series;
use acrasin_runtime::choice::{Choices, Seeded};
use acrasin_runtime::exclusion::local::Local;
use acrasin_runtime::lock::Outside;
use acrasin_runtime::scheduler;

use super::AmoebotPlan;
use super::figures::{Course, Over, drive, outcome, picture};
use super::scenario::{Activation, Execution, Locks, Scheduler};
use super::subject::{Ground, Subject, Visitor};
use super::{chain, rounds, waves};
use crate::plan::{Finished, Job, RunError};

impl AmoebotPlan {
    /// Runs the plan with the seed of the job. The same plan and seed give the same record, counts and pictures.
    ///
    /// Draws are made in the order: cells, orientations, run.
    ///
    /// # Errors
    ///
    /// A blob that dies out or that the algorithm refuses; a chain that leaves the largest grid; a job that wants every
    /// step recorded, which there is not of amoebots.
    pub fn run(&self, job: &Job<'_>) -> Result<Finished, RunError> {
        if job.record.is_some() {
            return Err(Self::drawn(job.seed, "steps are recorded of population protocols only"));
        }
        let mut choices = Seeded::new(job.seed);
        let ground = self.ground(&mut choices).map_err(|message| Self::drawn(job.seed, message))?;
        let run = Run { plan: self, job, ground: &ground, choices: &mut choices };
        match self.algorithm.visit(run) {
            Some(finished) => finished,
            None => chain::run(self, job, &ground, &mut choices),
        }
    }
}

struct Run<'a> {
    plan: &'a AmoebotPlan,
    job: &'a Job<'a>,
    ground: &'a Ground,
    choices: &'a mut Seeded,
}

impl Visitor for Run<'_> {
    type Output = Result<Finished, RunError>;

    fn visit<S: Subject>(self, subject: &S) -> Self::Output {
        let Run { plan, job, ground, choices } = self;
        match plan.execution {
            Execution::Waves => return waves::run(subject, plan, job, ground),
            Execution::Rounds(concurrency) => {
                return rounds::run(subject, plan, job, (ground, concurrency), choices);
            }
            Execution::Sequential { .. } | Execution::Concurrent { .. } => {}
        }
        let system = subject.start(ground).map_err(|message| AmoebotPlan::drawn(job.seed, message))?;
        let start = drawn(subject, &system);
        match plan.execution {
            Execution::Sequential { activation } => {
                let run = execution::Execution::new(subject, system);
                let mut course =
                    Sequential { subject, run, activation, turn: RoundRobin::default(), choices };
                let (end, series) = drive(plan, job, &mut course)?;
                let run = &course.run;
                let outcome = outcome(end, plan, || subject.is_finished(run.system()));
                Ok(over(
                    subject,
                    plan,
                    job,
                    outcome,
                    series,
                    run.system(),
                    start,
                    sequential(run),
                    Vec::new(),
                ))
            }
            Execution::Concurrent { locks } => {
                let before = system.clone();
                let n = system.len();
                match locks {
                    Locks::TryLocks => {
                        let run = Concurrent::new(subject, system, TryLocks::new(n));
                        together(subject, plan, job, run, before, start, choices, |_| None)
                    }
                    Locks::Messages { scheduler } => {
                        let locks = MessageLocks::new(&system, below(scheduler));
                        let run = Concurrent::new(subject, system, locks);
                        together(subject, plan, job, run, before, start, choices, |locks| {
                            Some(messages(locks))
                        })
                    }
                }
            }
            Execution::Waves | Execution::Rounds(_) => unreachable!("they are over"),
        }
    }
}

/// Who acts in the world of the lock algorithm.
fn below(scheduler: Scheduler) -> Box<dyn scheduler::Scheduler<Local, Outside<()>>> {
    match scheduler {
        Scheduler::Sequential => Box::new(scheduler::Sequential::new()),
        Scheduler::Asynchronous => Box::new(scheduler::Asynchronous::new()),
        Scheduler::NewestFirst => Box::new(scheduler::NewestFirst::new()),
    }
}

pub(super) fn names<S: Subject>() -> Vec<String> {
    S::STATES.iter().map(|name| (*name).to_owned()).collect()
}

pub(super) fn states<S: Subject>(subject: &S, system: &System<S::Memory>) -> Vec<u64> {
    let mut counts = vec![0; S::STATES.len()];
    for id in system.ids() {
        counts[subject.state(system.memory(id))] += 1;
    }
    counts
}

pub(super) fn drawn<S: Subject>(subject: &S, system: &System<S::Memory>) -> Option<Picture> {
    let amoebots = system.ids().map(|id| (system.body(id), subject.state(system.memory(id))));
    picture(amoebots, &names::<S>(), system.object())
}

#[allow(
    clippy::too_many_arguments,
    reason = "what two ways of running have in common, named where it is made"
)]
pub(super) fn over<S: Subject>(
    subject: &S,
    plan: &AmoebotPlan,
    job: &Job<'_>,
    outcome: Outcome,
    series: Series,
    system: &System<S::Memory>,
    start: Option<Picture>,
    work: Section,
    mut further: Vec<Section>,
) -> Finished {
    let mut section = Section::of(SectionName::States);
    for (name, count) in names::<S>().into_iter().zip(states(subject, system)) {
        section.push(Figure::new(name.as_str(), name.as_str(), count));
    }
    let expanded = system.ids().filter(|id| !system.body(*id).is_contracted()).count();
    section.push(Figure::new("expanded", "expanded", expanded as u64));
    further.push(section);
    Over {
        plan,
        job,
        outcome,
        series,
        work,
        further,
        cells: system.cells(),
        unlike_edges: None,
        digest: system.configuration().digest().to_string(),
        pictures: [start, drawn(subject, system)],
    }
    .finish()
}

struct Sequential<'a, S: Subject> {
    subject: &'a S,
    run: execution::Execution<'a, S>,
    activation: Activation,
    turn: RoundRobin,
    choices: &'a mut Seeded,
}

impl<S: Subject> Course for Sequential<'_, S> {
    fn advance(&mut self, steps: u64) -> Result<(), String> {
        match self.activation {
            Activation::Uniform => self.run.run(steps, &mut Uniform, self.choices),
            Activation::UniformEnabled => self.run.run(steps, &mut UniformEnabled, self.choices),
            Activation::RoundRobin => self.run.run(steps, &mut self.turn, self.choices),
        };
        Ok(())
    }

    fn steps(&self) -> u64 {
        self.run.counts().activations
    }

    fn rounds_and_locks(&self) -> (u64, u64) {
        (self.run.counts().rounds, 0)
    }

    fn has_terminated(&self) -> bool {
        self.run.has_terminated()
    }

    fn columns(&self) -> Vec<String> {
        names::<S>()
    }

    fn counts(&self) -> Vec<u64> {
        states(self.subject, self.run.system())
    }
}

fn sequential<S: Subject>(run: &execution::Execution<'_, S>) -> Section {
    let counts = run.counts();
    let mut work = Section::of(SectionName::Work);
    work.push(Figure::new("activations", "activations", counts.activations));
    work.push(Figure::new("actions", "completed actions", counts.actions));
    work.push(Figure::new("moves", "moves", counts.moves));
    work.push(Figure::new("failures", "aborted actions", counts.failures));
    work.push(Figure::new("rounds", "asynchronous rounds", counts.rounds));
    work.push(Figure::new("sweeps", "rounds of everybody activated", counts.sweeps));
    work
}

/// A concurrent run; a step is one of an amoebot or of the locks.
struct Together<'a, S: Subject, L> {
    subject: &'a S,
    run: Concurrent<'a, S, L>,
    steps: u64,
    choices: &'a mut Seeded,
}

impl<S: Subject, L: concurrent::Locks> Course for Together<'_, S, L> {
    fn advance(&mut self, steps: u64) -> Result<(), String> {
        for _ in 0..steps {
            if self.run.has_terminated() {
                break;
            }
            let choices: &mut dyn Choices = self.choices;
            self.run.run(1, &mut UniformEnabled, choices);
            self.steps += 1;
        }
        Ok(())
    }

    fn steps(&self) -> u64 {
        self.steps
    }

    fn rounds_and_locks(&self) -> (u64, u64) {
        (0, self.run.counts().locks)
    }

    fn has_terminated(&self) -> bool {
        self.run.has_terminated()
    }

    fn columns(&self) -> Vec<String> {
        names::<S>()
    }

    fn counts(&self) -> Vec<u64> {
        states(self.subject, self.run.system())
    }
}

/// The outcome of a run with locks: whatever was reached, actions that failed or have no serial order are failures.
pub(super) fn judged(reached: Outcome, invalid: u64, is_same: Option<bool>) -> Outcome {
    if is_same == Some(false) {
        let reason = "the same actions, one after the other in the order of the locks, end otherwise";
        return Outcome::new("not serial", reason, Exit::Failed);
    }
    if invalid > 0 {
        let reason = format!("{invalid} actions were aborted that locks should have kept possible");
        return Outcome::new("violation", reason, Exit::Failed);
    }
    reached
}

#[allow(
    clippy::too_many_arguments,
    reason = "what two kinds of locks have in common, named where it is made"
)]
fn together<S: Subject, L: concurrent::Locks>(
    subject: &S,
    plan: &AmoebotPlan,
    job: &Job<'_>,
    run: Concurrent<'_, S, L>,
    before: System<S::Memory>,
    start: Option<Picture>,
    choices: &mut Seeded,
    further: impl FnOnce(&L) -> Option<Section>,
) -> Result<Finished, RunError> {
    let mut course = Together { subject, run, steps: 0, choices };
    let (end, series) = drive(plan, job, &mut course)?;
    let (run, counts) = (&course.run, course.run.counts());
    // Inside an action others are locked, and the log does not have it yet.
    let replayed = (run.inside() == 0).then(|| run.log().replay(subject, before));
    let is_same = replayed.map(|replayed| replayed.is_ok_and(|system| &system == run.system()));
    let reached = outcome(end, plan, || subject.is_finished(run.system()));
    let outcome = judged(reached, counts.invalid, is_same);

    let mut work = Section::of(SectionName::Work);
    work.push(Figure::new("steps", "steps of amoebots and locks", course.steps));
    work.push(Figure::new("amoebot_steps", "steps of amoebots", counts.steps));
    work.push(Figure::new("actions", "completed actions", counts.actions));
    work.push(Figure::new("moves", "moves", counts.moves));
    work.push(Figure::new("expand_failures", "failed expansions", counts.expand_failures));
    work.push(Figure::new("invalid", "aborted against the rules", counts.invalid));
    work.push(Figure::new("width", "most inside an action at once", counts.width as u64).unit("amoebots"));
    let is_same = is_same.map_or(acrasin_report::value::Value::Missing, Into::into);
    work.push(Figure::new("replayed", "one after the other: the same end", is_same));
    let mut locks = Section::of(SectionName::Locks);
    locks.push(Figure::new("completed", "completed", counts.locks));
    locks.push(Figure::new("failures", "failed", counts.lock_failures));
    locks.push(Figure::new("waits", "steps spent waiting", counts.waits));
    locks.push(Figure::new("awakenings", "aborted to wake others", counts.awakenings));
    locks.push(Figure::new("disabled", "aborted as nothing was enabled", counts.disabled));
    let sections = [locks].into_iter().chain(further(run.locks())).collect();
    Ok(over(subject, plan, job, outcome, series, run.system(), start, work, sections))
}

fn messages(locks: &MessageLocks) -> Section {
    let mut section = Section::of(SectionName::Messages);
    section.push(Figure::new("sent", "sent", locks.world().messages_sent()));
    section.push(Figure::new("steps", "steps of the lock algorithm", locks.world().steps()));
    section
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_of_locks_go_before_what_was_reached() {
        let word = |invalid, is_same| {
            let judged = judged(Outcome::new("terminated", "", Exit::Done), invalid, is_same);
            (judged.word.clone(), judged.exit)
        };
        assert_eq!(word(0, Some(true)), ("terminated".into(), Exit::Done));
        assert_eq!(word(0, None), ("terminated".into(), Exit::Done));
        assert_eq!(word(2, Some(true)), ("violation".into(), Exit::Failed));
        assert_eq!(word(0, Some(false)), ("not serial".into(), Exit::Failed));
    }
}
