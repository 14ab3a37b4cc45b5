//! Runs of a plan: the start, and the choice of the engine.

use std::io::Write;

use acrasin_amoebot::System;
use acrasin_amoebot::algorithm::erased::AnyMemory;
use acrasin_amoebot::run::concurrent::{MessageLocks, TryLocks};
use acrasin_amoebot::run::execution;
use acrasin_runtime::Topology;
use acrasin_runtime::choice::Seeded;
use acrasin_runtime::exclusion::InitialKnowledge;
use acrasin_verify::replay::{self, ReplayEnd, ReplayFile, StepReader};

use super::AmoebotPlan;
use super::action_replay::ActionReplay;
use super::activation_run::{ActivationRun, adversary};
use super::chain;
use super::checkpoints::{self, Checkpoint};
use super::concurrent_run::AtOnce;
use super::engine::{Engine, EngineProcess, labels};
use super::exclusion::{below, carrying, seats};
use super::process::drive;
use super::recording::{ActionRecorder, RecordingLine};
use super::rounds::InRounds;
use super::scenario::{AmoebotStop, ExecutionKind, LocksSetting, MessageScheduler};
use super::synchronous;
use super::tiles::InTiles;
use super::waves::InWaves;
use crate::exclusion::{SeatedAlgorithm, SeatedVisitor};
use crate::run::{Finished, Job, JobReplayError, RunControl, RunError, free};
use acrasin_amoebot::algorithm::description::AnyDescription;
use acrasin_amoebot::algorithm::description::{Description, Placement};
use acrasin_amoebot::library::catalogue::Visitor;

impl AmoebotPlan {
    /// Runs the plan with the seed of the job. The same plan and seed give the same record, counts and pictures.
    ///
    /// Random draws are made in this order: cells, orientations, steps of the run.
    ///
    /// # Errors
    ///
    /// The growth of a random start ends too early, the algorithm refuses the start, or a chain leaves the largest
    /// grid.
    pub fn run(&self, job: &Job<'_>) -> Result<Finished, RunError> {
        self.run_recorded(job, None)
    }

    /// Runs the plan and writes every completed action to a sink, one per line, in an order in which they can be
    /// replayed. Rounds without locks and chains have no such order. For them a checkpoint is written with each sample.
    /// The actions of runs with locks, and of waves and tiles of up to 2^14 amoebots, are written at the end. Larger
    /// runs are written while they run, and keep no log.
    ///
    /// # Errors
    ///
    /// As for [`run`](Self::run); also, the sink fails.
    pub fn run_recorded(
        &self,
        job: &Job<'_>,
        sink: Option<Box<dyn Write + '_>>,
    ) -> Result<Finished, RunError> {
        let mut choices = Seeded::new(job.seed);
        let placement = self.placement(&mut choices).map_err(|message| Self::drawn(job.seed, message))?;
        if self.algorithm.chain().is_some() {
            return chain::run(self, job, &placement, &mut choices, sink);
        }
        if self.algorithm.synchronous().is_some() {
            return synchronous::run(self, job, &placement, sink);
        }
        let run = RunVisitor { plan: self, job, placement: &placement, choices: &mut choices, sink };
        // Sequential executions, waves and tiles run with the types of the algorithm, for speed; the rest is compiled
        // once for all algorithms.
        let finished = match self.execution {
            ExecutionKind::Sequential { .. } | ExecutionKind::Waves | ExecutionKind::Tiles => self.visit(run),
            ExecutionKind::Rounds(_) | ExecutionKind::Concurrent { .. } => {
                self.erased(|subject| run.erased(subject))
            }
        };
        finished.expect("an algorithm has actions, steps of a chain or rounds")
    }
}

impl AmoebotPlan {
    /// Whether a recording has checkpoints instead of actions: for amoebots that act simultaneously without locks, for
    /// chains, and for synchronous rounds of other models.
    pub(crate) fn has_checkpoints(&self) -> bool {
        matches!(self.execution, ExecutionKind::Rounds(_)) || self.algorithm.any().is_none()
    }

    /// Whether amoebots lock others before they act.
    pub(crate) fn has_locks(&self) -> bool {
        matches!(
            self.execution,
            ExecutionKind::Concurrent { .. } | ExecutionKind::Waves | ExecutionKind::Tiles
        )
    }

    /// Whether several amoebots can be inside their actions at the same time, so that there are more steps than
    /// completed actions.
    pub(crate) fn is_concurrent(&self) -> bool {
        matches!(self.execution, ExecutionKind::Concurrent { .. })
    }

    /// Replays the actions of a recording from the start of its seed and compares the end. The plan must be made from
    /// the scenario of its header.
    ///
    /// Also returns the end that the file records. The end is absent if the run control ends the replay earlier, or if
    /// an action is impossible; in the latter case the outcome is `not reproduced`.
    ///
    /// # Errors
    ///
    /// The file is malformed, or no start can be drawn from its seed.
    pub fn replay(
        mut self,
        file: ReplayFile<'_>,
        watch: &dyn RunControl,
    ) -> Result<(Finished, Option<ReplayEnd>), JobReplayError> {
        if let Some(start) = file.header().check {
            return self.replay_check(file, start, watch);
        }
        if self.has_checkpoints() {
            return self.replay_checkpoints(file, watch);
        }
        let seed = file.header().seed;
        // The file determines the end. Under every engine it is a sequence of actions.
        (self.stop, self.steps_max) = (AmoebotStop::Terminated, None);
        // A step is an action here, not a wave or a window.
        self.counts_every = self.count as u64;
        let mut lines = file.steps().map_err(replay::ReplayError::from)?;
        let mut choices = Seeded::new(seed);
        let placement = self.placement(&mut choices).map_err(|message| Self::drawn(seed, message))?;
        let job = Job { seed, repetition: 0, watch, record: None };
        let finished = self
            .erased(|subject| self.replay_actions(subject, &job, &placement, &mut lines))
            .ok_or_else(|| Self::drawn(seed, "a step of a Markov chain is not an action"))??;
        Ok((finished, lines.end().cloned()))
    }
}

impl AmoebotPlan {
    /// Repeats a run and compares it with the checkpoints of its recording.
    fn replay_checkpoints(
        mut self,
        file: ReplayFile<'_>,
        watch: &dyn RunControl,
    ) -> Result<(Finished, Option<ReplayEnd>), JobReplayError> {
        let seed = file.header().seed;
        let stop = if let AmoebotStop::Steps(steps) = self.stop { *steps } else { u64::MAX };
        let most = stop.min(self.steps_max.unwrap_or(u64::MAX));
        // The file determines the end.
        (self.stop, self.steps_max) = (AmoebotStop::Terminated, None);
        let mut lines = file.steps().map_err(replay::ReplayError::from)?;
        let mut choices = Seeded::new(seed);
        let placement = self.placement(&mut choices).map_err(|message| Self::drawn(seed, message))?;
        let job = Job { seed, repetition: 0, watch, record: None };
        let finished = if self.algorithm.chain().is_some() {
            chain::replay(&self, &job, &placement, &mut choices, (&mut lines, most))
        } else if self.algorithm.synchronous().is_some() {
            synchronous::replay(&self, &job, &placement, (&mut lines, most))
        } else {
            let again = |subject: &AnyDescription<'_>| {
                self.replay_rounds(subject, &job, &placement, &mut choices, (&mut lines, most))
            };
            self.erased(again).expect("an algorithm has actions, steps of a chain or rounds")
        };
        let finished = finished?;
        Ok((finished, lines.end().cloned()))
    }

    /// Repeats recorded rounds. `lines` are the lines of the recording and the maximum number of steps of the run.
    fn replay_rounds(
        &self,
        subject: &AnyDescription<'_>,
        job: &Job<'_>,
        placement: &Placement,
        choices: &mut Seeded,
        lines: (&mut StepReader<'_, Checkpoint>, u64),
    ) -> Result<Finished, JobReplayError> {
        let system = subject.begin(placement).map_err(|message| Self::drawn(job.seed, message))?;
        let ExecutionKind::Rounds(concurrency) = self.execution else {
            unreachable!("other recordings have actions")
        };
        let mut rounds = InRounds::new(subject, system, concurrency, choices);
        checkpoints::compared(
            self,
            job,
            EngineProcess::new(self, job.watch, subject, &mut rounds, None),
            lines,
        )
    }

    /// Repeats recorded actions.
    fn replay_actions(
        &self,
        subject: &AnyDescription<'_>,
        job: &Job<'_>,
        placement: &Placement,
        lines: &mut StepReader<'_, RecordingLine>,
    ) -> Result<Finished, JobReplayError> {
        let system = subject.begin(placement).map_err(|message| Self::drawn(job.seed, message))?;
        let mut again =
            ActionReplay::new(subject, system, lines).filmed(job.watch.eye().is_some(), self.has_locks());
        let finished = drive(self, job, &mut EngineProcess::new(self, job.watch, subject, &mut again, None))?;
        match again.fault.take() {
            Some(fault) => Err(fault.into()),
            None => Ok(finished),
        }
    }
}

struct RunVisitor<'a> {
    plan: &'a AmoebotPlan,
    job: &'a Job<'a>,
    placement: &'a Placement,
    choices: &'a mut Seeded,
    /// The sink of the recorded actions, if any.
    sink: Option<Box<dyn Write + 'a>>,
}

impl Visitor for RunVisitor<'_> {
    type Output = Result<Finished, RunError>;

    fn visit<S: Description>(self, subject: &S) -> Self::Output {
        match self.plan.execution {
            ExecutionKind::Sequential { activation, fairness } => {
                let run = execution::SequentialExecution::new(subject.algorithm(), self.start(subject)?);
                let adversary = adversary(activation, fairness);
                let one_by_one = ActivationRun { run, adversary, choices: self.choices, kept: None };
                perform(self.plan, self.job, subject, one_by_one, self.sink)
            }
            ExecutionKind::Waves => {
                let waves = InWaves::new(subject, self.start(subject)?, self.job.seed, self.sink.is_some());
                perform(self.plan, self.job, subject, waves, self.sink)
            }
            ExecutionKind::Tiles => {
                let tiles = InTiles::new(subject, self.start(subject)?, self.job.seed, self.sink.is_some());
                perform(self.plan, self.job, subject, tiles, self.sink)
            }
            ExecutionKind::Rounds(_) | ExecutionKind::Concurrent { .. } => {
                unreachable!("these run type-erased")
            }
        }
    }
}

impl RunVisitor<'_> {
    /// The system at the start.
    ///
    /// # Errors
    ///
    /// The algorithm refuses the start.
    fn start<S: Description>(&self, subject: &S) -> Result<System<S::Memory>, RunError> {
        subject.begin(self.placement).map_err(|message| AmoebotPlan::drawn(self.job.seed, message))
    }

    /// Runs an execution in which several amoebots act at once.
    fn erased(self, subject: &AnyDescription<'_>) -> Result<Finished, RunError> {
        let system = self.start(subject)?;
        let Self { plan, job, choices, sink, .. } = self;
        let is_seen = job.watch.eye().is_some();
        match plan.execution {
            ExecutionKind::Sequential { .. } | ExecutionKind::Waves | ExecutionKind::Tiles => {
                unreachable!("these know their types")
            }
            ExecutionKind::Rounds(concurrency) => {
                let mut rounds = InRounds::new(subject, system, concurrency, choices);
                match sink {
                    None => perform(plan, job, subject, rounds, None),
                    Some(sink) => {
                        let process = EngineProcess::new(plan, job.watch, subject, &mut rounds, None);
                        let finished = checkpoints::recorded(plan, job, process, sink);
                        free(rounds, job.watch);
                        finished
                    }
                }
            }
            ExecutionKind::Concurrent { locks: LocksSetting::TryLocks } => {
                let locks = TryLocks::new(system.len());
                let at_once = AtOnce::new(subject, system, locks, choices).seen(is_seen);
                perform(plan, job, subject, at_once, sink)
            }
            ExecutionKind::Concurrent { locks: LocksSetting::Messages { scheduler } } => {
                let Some(exclusion) = &plan.exclusion else {
                    let locks = MessageLocks::new(&system, below(scheduler));
                    let at_once = AtOnce::new(subject, system, locks, choices).seen(is_seen);
                    return perform(plan, job, subject, at_once, sink);
                };
                let seats = seats(exclusion, &system)
                    .map_err(|error| AmoebotPlan::drawn(job.seed, error.to_string()))?;
                let carried = Carried { plan, job, subject, system, seats, scheduler, choices, sink };
                exclusion.seated(carried).map_err(drop).expect("the plan has none of local mutual exclusion")
            }
        }
    }
}

/// A visitor that runs amoebots under a mutual exclusion algorithm other than local mutual exclusion.
struct Carried<'a> {
    plan: &'a AmoebotPlan,
    job: &'a Job<'a>,
    subject: &'a AnyDescription<'a>,
    system: System<AnyMemory>,
    seats: (Topology, InitialKnowledge),
    scheduler: MessageScheduler,
    choices: &'a mut Seeded,
    sink: Option<Box<dyn Write + 'a>>,
}

impl SeatedVisitor for Carried<'_> {
    type Output = Result<Finished, RunError>;

    fn visit<E: SeatedAlgorithm>(self, exclusion: E) -> Self::Output {
        let Self { plan, job, subject, system, seats, scheduler, choices, sink } = self;
        let locks = carrying(exclusion, seats, scheduler)
            .map_err(|error| AmoebotPlan::drawn(job.seed, error.to_string()))?;
        let at_once = AtOnce::new(subject, system, locks, choices).seen(job.watch.eye().is_some());
        perform(plan, job, subject, at_once, sink)
    }
}

fn perform<S: Description>(
    plan: &AmoebotPlan,
    job: &Job<'_>,
    subject: &S,
    mut engine: impl Engine<S>,
    sink: Option<Box<dyn Write + '_>>,
) -> Result<Finished, RunError> {
    let finished = performed(plan, job, subject, &mut engine, sink);
    free(engine, job.watch);
    finished
}

/// Drives an engine to the end of its run. Compiled once for all engines of an algorithm.
fn performed<S: Description>(
    plan: &AmoebotPlan,
    job: &Job<'_>,
    subject: &S,
    engine: &mut dyn Engine<S>,
    sink: Option<Box<dyn Write + '_>>,
) -> Result<Finished, RunError> {
    let before = job.recorded_before();
    let recorder = sink.map(|sink| match before {
        Some(steps) => Ok(ActionRecorder::continued(sink, steps, labels(subject))),
        None => ActionRecorder::new(sink, &plan.header.source.header(job.seed), labels(subject)),
    });
    let recorder = recorder.transpose().map_err(RunError::recording)?;
    drive(plan, job, &mut EngineProcess::new(plan, job.watch, subject, engine, recorder))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use acrasin_report::record::Exit;

    use super::*;
    use crate::ScenarioFile;
    use crate::amoebot::no_roots::NoRoots;
    use crate::plan::Unwatched;

    /// There are roots during the run, but not at its end.
    #[test]
    fn what_should_be_at_no_moment_ends_a_run_at_its_next_picture() {
        let word = |execution: &str, pictures: &str| {
            let text = format!(
                "(seed: 1, amoebots: (algorithm: Hexagon, start: Line(count: 12)), execution: {execution}, \
                 observe: (pictures_at: {pictures}))"
            );
            let Ok(ScenarioFile::Amoebots(document)) = ScenarioFile::parse(&text, "x.ron", &[]) else {
                panic!("a scenario of amoebots")
            };
            let plan = AmoebotPlan::new(&document, Path::new("")).unwrap();
            let job = Job { seed: 1, repetition: 0, watch: &Unwatched, record: None };
            let mut choices = Seeded::new(1);
            let placement = plan.placement(&mut choices).unwrap();
            let run = RunVisitor {
                plan: &plan,
                job: &job,
                placement: &placement,
                choices: &mut choices,
                sink: None,
            };
            let finished = match plan.execution {
                ExecutionKind::Rounds(_) => run.erased(&NoRoots.any()).unwrap(),
                _ => run.visit(&NoRoots).unwrap(),
            };
            let outcome = finished.record.outcome();
            (outcome.word.clone(), outcome.reason.clone(), outcome.exit)
        };
        for (execution, moments) in
            [("Sequential()", "[20, 60, 100]"), ("Rounds(Isolated(1))", "[5]"), ("Waves", "[3, 6, 9, 12]")]
        {
            let (broken, reason, exit) = word(execution, moments);
            assert_eq!((broken.as_str(), exit), ("violation", Exit::Failed), "{execution}");
            assert!(reason.ends_with("roots") && !reason.starts_with('0'), "{execution}: {reason}");
            assert_eq!(word(execution, "[]").0, "terminated", "{execution}");
        }
    }
}
