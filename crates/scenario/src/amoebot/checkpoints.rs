//! Recordings of runs that are not sequences of actions: rounds without locks, and Markov chains. A run is determined
//! by its seed, so only checkpoints are recorded, one `[step, "digest"]` per line. A replay repeats the run and
//! compares it at each checkpoint.

use std::io::{self, Write};

use acrasin_process::{Ending, ReplayFinding};
use acrasin_runtime::Digest;
use acrasin_verify::replay::{self, ReplayEnd, StepReader, StepWriter};

use super::AmoebotPlan;
use super::process::{AmoebotProcess, StepObserver, drive_observed};
use crate::run::{Finished, Job, JobReplayError, RunError, free};

/// A line of a recording: a step, and the digest of the configuration after it.
pub(super) type Checkpoint = (u64, String);

struct WrittenCheckpoints<'a> {
    writer: StepWriter<Box<dyn Write + 'a>>,
    /// Steps between two checkpoints.
    every: u64,
    last: Option<u64>,
}

struct ComparedCheckpoints<'a, 'r> {
    lines: &'a mut StepReader<'r, Checkpoint>,
    /// The next checkpoint of the run; `None` after the last one.
    next: Option<Checkpoint>,
    /// The maximum number of steps between two checkpoints, and of the whole run.
    most: (u64, u64),
    fault: Option<replay::ReplayError>,
    /// The first difference from the recording.
    differs: Option<String>,
}

impl ComparedCheckpoints<'_, '_> {
    /// Reads the next checkpoint; `from` is the step of the previous one.
    fn read(&mut self, from: u64) {
        let most = from.saturating_add(self.most.0).min(self.most.1);
        self.next = match self.lines.next() {
            // A damaged step number would let the run continue without end.
            Some(Ok((wanted, _))) if wanted > most => {
                let place = self.lines.place();
                self.differs = Some(format!("{place}: step {wanted} is recorded, expected up to {most}"));
                None
            }
            Some(Ok(next)) => Some(next),
            Some(Err(error)) => {
                self.fault = Some(error.into());
                None
            }
            None => None,
        };
    }

    /// Compares the run with the next checkpoint, if that belongs to this step.
    fn reached(&mut self, steps: u64, digest: Digest, has_moved: bool) {
        while let Some((wanted, recorded)) = &self.next {
            match steps {
                _ if steps < *wanted && has_moved => return,
                _ if steps == *wanted && digest.to_string() == *recorded => self.read(steps),
                _ => {
                    let place = self.lines.place();
                    self.differs = Some(if steps == *wanted {
                        format!("{place}: digest {digest} after step {steps}, recorded {recorded}")
                    } else {
                        format!("{place}: the run is at step {steps}, recorded {wanted}")
                    });
                    self.next = None;
                }
            }
        }
    }
}

/// Runs a process and writes its checkpoints to a recording.
pub(super) fn recorded(
    plan: &AmoebotPlan,
    job: &Job<'_>,
    mut process: impl AmoebotProcess,
    sink: Box<dyn Write + '_>,
) -> Result<Finished, RunError> {
    let every = plan.counts_every.max(1);
    let mut written = if let Some(steps) = job.recorded_before() {
        WrittenCheckpoints { writer: StepWriter::continued(sink, steps), every, last: None }
    } else {
        let writer = StepWriter::new(sink, &plan.header.source.header(job.seed));
        let mut written =
            WrittenCheckpoints { writer: writer.map_err(RunError::recording)?, every, last: None };
        written.write(0, Digest(process.digest())).map_err(RunError::recording)?;
        written
    };
    let finished = drive_observed(plan, job, &mut process, Some(&mut written))?;
    written.conclude(&process, finished.record.ending()).map_err(RunError::recording)?;
    free(process, job.watch);
    Ok(finished)
}

/// Repeats a run and compares it with its checkpoints. `stop` is the number of steps after which the scenario ends a
/// run.
pub(super) fn compared(
    plan: &AmoebotPlan,
    job: &Job<'_>,
    mut process: impl AmoebotProcess,
    (lines, stop): (&mut StepReader<'_, Checkpoint>, u64),
) -> Result<Finished, JobReplayError> {
    let most = (plan.counts_every.max(1), stop);
    let mut compared = ComparedCheckpoints { lines, next: None, most, fault: None, differs: None };
    compared.read(0);
    compared.reached(0, Digest(process.digest()), true);
    let finished = drive_observed(plan, job, &mut process, Some(&mut compared));
    match compared.fault.take() {
        Some(fault) => Err(fault.into()),
        None => Ok(finished?),
    }
}

impl WrittenCheckpoints<'_> {
    fn write(&mut self, steps: u64, digest: Digest) -> io::Result<()> {
        if self.last.replace(steps) == Some(steps) {
            return Ok(());
        }
        self.writer.step(&(steps, digest.to_string()))
    }

    /// Writes the end of the run.
    fn conclude(mut self, process: &dyn AmoebotProcess, ending: &Ending) -> io::Result<()> {
        let (steps, digest) = (process.progress().steps, Digest(process.digest()));
        // If the run was continued, the last checkpoint may have been written by the previous process.
        if !steps.is_multiple_of(self.every) {
            self.write(steps, digest)?;
        }
        let words = format!("{}: {ending}", ending.word());
        self.writer.end(&ReplayEnd::new(0, digest, words).with_ending(ending.clone()))
    }
}

impl StepObserver for WrittenCheckpoints<'_> {
    fn distance(&self, steps: u64) -> u64 {
        self.every - steps % self.every
    }

    fn observe(&mut self, process: &dyn AmoebotProcess, before: u64, _: u64) -> io::Result<()> {
        let steps = process.progress().steps;
        if steps > before && steps.is_multiple_of(self.every) {
            self.write(steps, Digest(process.digest()))
        } else {
            Ok(())
        }
    }
}

impl StepObserver for ComparedCheckpoints<'_, '_> {
    fn distance(&self, steps: u64) -> u64 {
        self.next.as_ref().map_or(0, |(next, _)| next - steps)
    }

    fn observe(&mut self, process: &dyn AmoebotProcess, before: u64, most: u64) -> io::Result<()> {
        let steps = process.progress().steps;
        let is_there = self.next.as_ref().is_some_and(|(next, _)| *next == steps);
        let has_moved = steps > before || most == 0;
        if is_there || !has_moved {
            self.reached(steps, Digest(process.digest()), has_moved);
        }
        Ok(())
    }

    /// A replay is over at the last checkpoint.
    fn over(&self) -> Option<Ending> {
        let reason = || "the recording has no end".to_owned();
        self.next.is_none().then(|| Ending::Replayed(ReplayFinding::NotReproduced, reason()))
    }

    fn ending(&self, reached: &Ending, digest: Digest) -> Option<Ending> {
        let Self { lines, next, differs, .. } = self;
        if let Some((wanted, _)) = next {
            let reason = || format!("the run ends before step {wanted}, which is recorded");
            return (!reached.is_cut_short())
                .then(|| Ending::Replayed(ReplayFinding::NotReproduced, reason()));
        }
        Some(match (differs, lines.end()) {
            (Some(why), _) => Ending::Replayed(ReplayFinding::NotReproduced, why.clone()),
            (None, Some(end)) if digest == end.digest => {
                let said = &end.outcome;
                let reason =
                    format!("the recorded run is reproduced to digest {digest}; recorded ending: {said}");
                Ending::Replayed(ReplayFinding::Reproduced, reason)
            }
            (None, Some(ReplayEnd { digest: recorded, .. })) => {
                let reason =
                    format!("the run ends in another configuration: digest {digest}, recorded {recorded}");
                Ending::Replayed(ReplayFinding::NotReproduced, reason)
            }
            (None, None) => reached.clone(),
        })
    }
}
