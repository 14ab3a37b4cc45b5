//! [`RunCheckpoints`]: decides when checkpoints are written, and writes them.

#![allow(
    clippy::disallowed_types,
    reason = "the time between two checkpoints needs a clock; no result depends on it"
)]

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use acrasin_output::Generations;
use acrasin_process::{CheckpointParts, Progress};
use acrasin_scenario::{CheckpointKeeper, Proceed, RunState};

use super::{RUN, RecordingPart, ResumedRun, RunOrigin};
use crate::Failure;
use crate::machine::{Stopwatch, WorkBefore};

/// The time between two checkpoints, unless the user sets it.
const EVERY: Duration = Duration::from_secs(600);

/// The checkpoints of the run that a command executes.
#[derive(Debug)]
pub(crate) struct RunCheckpoints {
    target: PathBuf,
    every: Duration,
    origin: RunOrigin,
    resumed: Option<RunState>,
    /// The recording of the run, which checkpoints name; `None` if the run is not recorded.
    recording: Option<RecordingPart>,
    recorded_steps: u64,
    stopwatch: Stopwatch,
    written: Mutex<CheckpointWork>,
    has_failed: AtomicBool,
}

#[derive(Debug)]
struct CheckpointWork {
    /// The files of the newest and the previous checkpoint; `None` once the run is over.
    generations: Option<Generations>,
    /// The time at which the last checkpoint was written; `None` if one is due immediately.
    last: Option<Instant>,
    /// The number of steps at the newest checkpoint.
    step: Option<u64>,
    failure: Option<Failure>,
    /// The time at which the current checkpoint became due.
    due: Option<Instant>,
    cost: CheckpointCost,
}

/// The size and time of all checkpoints of a run.
#[derive(Clone, Copy, Debug, Default)]
struct CheckpointCost {
    count: u32,
    /// The size of the largest checkpoint, in bytes.
    bytes: usize,
    /// The total time for saving the run and writing the files.
    time: Duration,
}

impl RunCheckpoints {
    /// Reserves the file for checkpoints, without writing one.
    pub(crate) fn new(
        target: &Path,
        is_forced: bool,
        every: Option<Duration>,
        origin: RunOrigin,
        resumed: Option<ResumedRun>,
        stopwatch: Stopwatch,
    ) -> Result<Self, Failure> {
        let continues = resumed.as_ref().filter(|resumed| resumed.path == target);
        let is_previous = continues.is_some_and(|resumed| resumed.is_previous);
        // If the run continues from the previous file, the newest one is a damaged checkpoint, which may be replaced.
        let is_ours = CheckpointParts::are_begun_by;
        let mut generations = Generations::new(target, is_forced || is_previous, is_ours)?;
        if is_previous {
            generations = generations.with_damaged_newest();
        }
        let before = resumed.as_ref().map(|resumed| resumed.origin.before);
        let before = before.map_or_else(WorkBefore::default, |before| WorkBefore {
            resumptions: before.resumptions + 1,
            ..before
        });
        let is_there = continues.is_some() && !is_previous;
        let written = CheckpointWork {
            generations: Some(generations),
            last: is_there.then(Instant::now),
            step: is_there.then_some(before.steps),
            failure: None,
            due: None,
            cost: CheckpointCost::default(),
        };
        Ok(Self {
            target: target.to_owned(),
            every: every.unwrap_or(EVERY),
            origin: origin.after(before),
            recorded_steps: resumed.as_ref().and_then(ResumedRun::recording).map_or(0, |mark| mark.steps),
            recording: None,
            resumed: resumed.map(|resumed| resumed.state),
            stopwatch,
            written: Mutex::new(written),
            has_failed: AtomicBool::new(false),
        })
    }

    /// Makes checkpoints name the recording of the run.
    pub(crate) fn with_recording(self, recording: Option<RecordingPart>) -> Self {
        Self { recording, ..self }
    }

    /// A note for the user if the file already has a checkpoint, which this run will replace.
    pub(crate) fn replaced(&self) -> Option<String> {
        let is_there = std::fs::metadata(&self.target).is_ok_and(|metadata| metadata.len() > 0);
        let path = self.target.display();
        (is_there && self.resumed.is_none()).then(|| {
            format!("note: {path} exists already: it becomes {path}.previous, and the second checkpoint replaces it")
        })
    }

    /// Whether a checkpoint could not be written.
    pub(crate) fn has_failed(&self) -> bool {
        self.has_failed.load(Ordering::Relaxed)
    }

    /// The work done for the run before this process, if the run continues from a checkpoint.
    pub(crate) fn before(&self) -> Option<WorkBefore> {
        Some(self.origin.before).filter(|before| before.resumptions > 0)
    }

    /// A sentence about the cost of the checkpoints, if there are any.
    pub(crate) fn cost(&self) -> Option<String> {
        let CheckpointCost { count, bytes, time } = self.written().cost;
        let seconds = time.as_secs_f64();
        (count > 0).then(|| format!("{count} checkpoints of up to {bytes} bytes took {seconds:.3} s"))
    }

    /// Releases the file after the run, for other processes. Returns the error of the last checkpoint.
    pub(crate) fn close(&self) -> Result<(), Failure> {
        let mut written = self.written();
        written.generations = None;
        written.failure.take().map_or(Ok(()), Err)
    }

    /// A sentence about the newest checkpoint, with the command that continues the run.
    pub(crate) fn continuation(&self, folder: Option<&Path>) -> Option<String> {
        let step = self.written().step?;
        let folder = folder.map_or_else(String::new, |folder| format!(" -o {}", quoted(folder)));
        Some(format!(
            "the run is saved at step {step}; to continue it: acrasin run --resume {}{folder}",
            quoted(&self.target)
        ))
    }

    fn written(&self) -> MutexGuard<'_, CheckpointWork> {
        self.written.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl CheckpointKeeper for RunCheckpoints {
    fn resumed(&self) -> Option<&RunState> {
        self.resumed.as_ref()
    }

    fn recorded_steps(&self) -> u64 {
        self.recorded_steps
    }

    fn is_due(&self, proceed: Proceed) -> bool {
        if self.has_failed() {
            return false;
        }
        let mut written = self.written();
        let is_due = written.last.is_none_or(|last| last.elapsed() >= self.every);
        let is_due = is_due || proceed != Proceed::Continue;
        written.due = is_due.then(Instant::now);
        is_due
    }

    fn keep(&self, progress: &Progress, state: RunState) {
        let (wall, cpu) = self.stopwatch.elapsed();
        let before = self.origin.before;
        let work = WorkBefore {
            steps: progress.steps,
            wall: before.wall + wall,
            cpu: cpu.map(|cpu| cpu + before.cpu.unwrap_or_default()),
            resumptions: before.resumptions,
        };
        // The recording must be on the disk before a checkpoint names its length.
        let recording = match self.recording.as_ref().map(RecordingPart::mark).transpose() {
            Ok(recording) => recording,
            Err(failure) => {
                self.written().failure = Some(failure);
                self.has_failed.store(true, Ordering::Relaxed);
                return;
            }
        };
        let mut parts = CheckpointParts::default();
        parts.push(RUN, self.origin.to_json(progress, work, recording.as_ref()));
        state.add_to(&mut parts);
        let head = parts.head();
        let mut written = self.written();
        let Some(generations) = &mut written.generations else { return };
        match generations.keep(std::iter::once(&head[..]).chain(parts.bodies())) {
            Ok(()) => {
                written.step = Some(progress.steps);
                let bytes = head.len() + parts.bodies().map(<[u8]>::len).sum::<usize>();
                let CheckpointCost { count, bytes: most, time } = written.cost;
                let time = time + written.due.map_or(Duration::ZERO, |due| due.elapsed());
                written.cost = CheckpointCost { count: count + 1, bytes: most.max(bytes), time };
            }
            Err(error) => {
                let path = self.target.display();
                let hint = format!("the run was ended; {path} or {path}.previous is from an earlier step");
                let failure = Failure::from(error);
                written.failure = Some(if written.step.is_some() { failure.hinting(hint) } else { failure });
                self.has_failed.store(true, Ordering::Relaxed);
            }
        }
        // The interval starts at the end of the write, so that slow writes do not follow each other immediately.
        written.last = Some(Instant::now());
    }
}

/// A path, quoted for a shell.
fn quoted(path: &Path) -> String {
    let path = path.to_string_lossy();
    let is_plain = |c: char| c.is_alphanumeric() || "._-/+,@%:=".contains(c);
    if !path.is_empty() && path.chars().all(is_plain) && !path.starts_with('-') {
        path.into_owned()
    } else {
        format!("'{}'", path.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_quoted_for_a_shell() {
        for (path, word) in
            [("a/run.ckpt", "a/run.ckpt"), ("my run", "'my run'"), ("it's", r"'it'\''s'"), ("$x", "'$x'")]
        {
            assert_eq!(quoted(Path::new(path)), word);
        }
    }
}
