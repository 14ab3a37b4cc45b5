//! Recordings of runs that are no actions one after the other: rounds without locks, and Markov chains. A run follows from its seed,
//! so what is recorded are checkpoints, `[step, "digest"]` a line: a replay makes the run again, and compares it at each.

use std::io::{self, Write};

use acrasin_amoebot::Cell;
use acrasin_amoebot::picture::{Picture, PictureError};
use acrasin_amoebot::start::Drawing;
use acrasin_report::record::{Exit, Outcome, Section};
use acrasin_runtime::Digest;
use acrasin_verify::replay::{self, End, Header, StepReader, StepWriter};

use super::AmoebotPlan;
use super::course::{AmoebotRun, Headway, drive};
use crate::run::{Filmed, Finished, Job, ReplayError, RunError};

/// One line.
pub(super) type Checkpoint = (u64, String);

/// A run that is recorded, or compared with its recording.
struct Checkpoints<'a, 'r, R> {
    run: R,
    kept: Kept<'a, 'r>,
}

enum Kept<'a, 'r> {
    Written(WrittenCheckpoints<'a>),
    Compared(ComparedCheckpoints<'a, 'r>),
}

struct WrittenCheckpoints<'a> {
    writer: StepWriter<Box<dyn Write + 'a>>,
    /// Steps between two checkpoints.
    every: u64,
    last: Option<u64>,
    fault: Option<io::Error>,
}

struct ComparedCheckpoints<'a, 'r> {
    lines: &'a mut StepReader<'r, Checkpoint>,
    /// The checkpoint that the run is to reach; `None` after the last one.
    next: Option<Checkpoint>,
    fault: Option<replay::ReplayError>,
    /// Why the run is another one.
    differs: Option<String>,
}

impl ComparedCheckpoints<'_, '_> {
    fn read(&mut self) {
        self.next = match self.lines.next() {
            Some(Ok(next)) => Some(next),
            Some(Err(error)) => {
                self.fault = Some(error.into());
                None
            }
            None => None,
        };
    }

    /// The run has come to so many steps.
    fn reached(&mut self, steps: u64, digest: &str, has_moved: bool) {
        while let Some((wanted, recorded)) = &self.next {
            match steps {
                _ if steps < *wanted && has_moved => return,
                _ if steps == *wanted && digest == recorded => self.read(),
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

impl<'a, 'r, R: AmoebotRun> Checkpoints<'a, 'r, R> {
    /// Writes the first line, and the start.
    fn written(run: R, sink: Box<dyn Write + 'a>, header: &Header, every: u64) -> io::Result<Self> {
        let writer = StepWriter::new(sink, header)?;
        let mut written = WrittenCheckpoints { writer, every: every.max(1), last: None, fault: None };
        written.write(0, &run.digest())?;
        Ok(Self { run, kept: Kept::Written(written) })
    }

    fn compared(run: R, lines: &'a mut StepReader<'r, Checkpoint>) -> Self {
        let mut compared = ComparedCheckpoints { lines, next: None, fault: None, differs: None };
        compared.read();
        compared.reached(0, &run.digest(), true);
        Self { run, kept: Kept::Compared(compared) }
    }

    /// Writes the end of the run.
    fn conclude(self, outcome: &Outcome) -> io::Result<()> {
        let Self { run, kept: Kept::Written(mut written) } = self else { return Ok(()) };
        written.write(run.headway().steps, &run.digest())?;
        let digest = Digest(u128::from_str_radix(&run.digest(), 16).expect("hexadecimal digits"));
        written.writer.end(&End::new(0, digest, format!("{}: {}", outcome.word, outcome.reason)))
    }

    /// Why the recording could not be written.
    fn take_fault(&mut self) -> Option<io::Error> {
        if let Kept::Written(written) = &mut self.kept { written.fault.take() } else { None }
    }

    /// What is wrong with the recording.
    fn take_malformed(&mut self) -> Option<replay::ReplayError> {
        if let Kept::Compared(compared) = &mut self.kept { compared.fault.take() } else { None }
    }
}

/// Makes a run, and writes its checkpoints.
pub(super) fn recorded(
    plan: &AmoebotPlan,
    job: &Job<'_>,
    run: impl AmoebotRun,
    sink: Box<dyn Write + '_>,
) -> Result<Finished, RunError> {
    let header = plan.source.header(job.seed);
    let run = Checkpoints::written(run, sink, &header, plan.counts_every);
    let mut run = run.map_err(RunError::recording)?;
    let finished = drive(plan, job, &mut run);
    if let Some(fault) = run.take_fault() {
        return Err(RunError::recording(fault));
    }
    let finished = finished?;
    run.conclude(finished.record.outcome()).map_err(RunError::recording)?;
    Ok(finished)
}

/// Makes a run again, and compares it with its checkpoints.
pub(super) fn compared(
    plan: &AmoebotPlan,
    job: &Job<'_>,
    run: impl AmoebotRun,
    lines: &mut StepReader<'_, Checkpoint>,
) -> Result<Finished, ReplayError> {
    let mut run = Checkpoints::compared(run, lines);
    let finished = drive(plan, job, &mut run);
    match run.take_malformed() {
        Some(fault) => Err(fault.into()),
        None => Ok(finished?),
    }
}

impl WrittenCheckpoints<'_> {
    fn write(&mut self, steps: u64, digest: &str) -> io::Result<()> {
        if self.last.replace(steps) == Some(steps) {
            return Ok(());
        }
        self.writer.step(&(steps, digest))
    }
}

impl<R: AmoebotRun> AmoebotRun for Checkpoints<'_, '_, R> {
    fn advance(&mut self, steps: u64) -> Result<(), String> {
        let now = self.run.headway().steps;
        let until = match &self.kept {
            Kept::Written(written) => written.every - now % written.every,
            Kept::Compared(compared) => compared.next.as_ref().map_or(0, |(next, _)| next - now),
        };
        self.run.advance(steps.min(until))?;
        let reached = self.run.headway();
        match &mut self.kept {
            Kept::Written(written) => {
                if reached.steps.is_multiple_of(written.every)
                    && let Err(error) = written.write(reached.steps, &self.run.digest())
                {
                    let message = error.to_string();
                    written.fault = Some(error);
                    return Err(message);
                }
            }
            Kept::Compared(compared) => {
                let is_there = compared.next.as_ref().is_some_and(|(next, _)| *next == reached.steps);
                let has_moved = reached.steps > now || steps == 0;
                if is_there || !has_moved {
                    compared.reached(reached.steps, &self.run.digest(), has_moved);
                }
            }
        }
        Ok(())
    }

    /// A replay is over at the last checkpoint.
    fn headway(&self) -> Headway {
        match &self.kept {
            Kept::Written(_) => self.run.headway(),
            Kept::Compared(compared) => {
                Headway { has_terminated: compared.next.is_none(), ..self.run.headway() }
            }
        }
    }

    fn look_back(&mut self, reached: Outcome) -> Outcome {
        let digest = self.run.digest();
        let Kept::Compared(ComparedCheckpoints { lines, next: None, differs, .. }) = &self.kept else {
            return self.run.look_back(reached);
        };
        match (differs, lines.end()) {
            (Some(why), _) => Outcome::new("not reproduced", why.clone(), Exit::Failed),
            (None, Some(end)) if digest == end.digest.to_string() => {
                let said = &end.outcome;
                let reason = format!(
                    "the recorded run is reproduced to digest {digest}; it says that it ended with: {said}"
                );
                Outcome::new("reproduced", reason, Exit::Done)
            }
            (None, Some(End { digest: recorded, .. })) => {
                let reason =
                    format!("the run ends in another configuration: digest {digest}, recorded {recorded}");
                Outcome::new("not reproduced", reason, Exit::Failed)
            }
            (None, None) => reached,
        }
    }

    fn width(&self) -> u64 {
        self.run.width()
    }

    fn is_finished(&self) -> bool {
        self.run.is_finished()
    }

    fn fault(&self) -> Option<String> {
        self.run.fault()
    }

    fn settled(&self) -> Option<f64> {
        self.run.settled()
    }

    fn columns(&self) -> Vec<String> {
        self.run.columns()
    }

    fn counts(&self) -> Vec<u64> {
        self.run.counts()
    }

    fn cells(&self) -> Vec<Cell> {
        self.run.cells()
    }

    fn picture(&self) -> Result<Picture, PictureError> {
        self.run.picture()
    }

    fn drawing(&self) -> Option<Drawing> {
        self.run.drawing()
    }

    fn filmed(&mut self) -> Option<&mut dyn Filmed> {
        self.run.filmed()
    }

    fn work(&self) -> Section {
        self.run.work()
    }

    fn further(&self) -> Vec<Section> {
        self.run.further()
    }

    fn unlike_edges(&self) -> Option<u64> {
        self.run.unlike_edges()
    }

    fn digest(&self) -> String {
        self.run.digest()
    }
}
