//! `acrasin run --checkpoint` and `--resume`: checkpoints of a run.
//!
//! A checkpoint has three parts: `run` has the scenario, files and seed of the run as JSON; `driver` and `process` are
//! the [`RunState`](acrasin_scenario::RunState). A run that continues plans the scenario file again, so the file must
//! be unchanged.
//!
//! | module | contents |
//! |---|---|
//! | `origin` | scenario, files and seed of a run, and how two runs differ |
//! | `keeper` | when checkpoints are written, and writing them |
//! | `recorded` | the recording of a run with checkpoints |

mod keeper;
mod origin;
mod recorded;

use std::path::{Path, PathBuf};

use acrasin_output::{Generation, newest_generation};
use acrasin_process::CheckpointParts;
use acrasin_scenario::RunState;

pub(crate) use keeper::RunCheckpoints;
pub(crate) use origin::RunOrigin;
pub(crate) use recorded::{RecordingMark, RecordingPart};

use crate::Failure;
use crate::arguments::RunArguments;
use crate::output::Verbosity;

/// The name of the checkpoint's part with the [`RunOrigin`].
const RUN: &str = "run";

/// A checkpoint from which a run continues.
#[derive(Debug)]
pub(crate) struct ResumedRun {
    path: PathBuf,
    /// Whether the newest file is damaged or missing, so that the previous one is used.
    is_previous: bool,
    pub(crate) origin: RunOrigin,
    state: RunState,
}

impl ResumedRun {
    /// Reads the checkpoint at `path`, or the previous one if that file is damaged or missing.
    pub(crate) fn read(path: &Path, verbosity: Verbosity) -> Result<Self, Failure> {
        let decode = |file: &mut std::fs::File, length: u64| {
            let mut parts = CheckpointParts::read(file, length).map_err(|error| error.to_string())?;
            let origin = parts.part(RUN).and_then(RunOrigin::from_json);
            origin.zip(RunState::from_parts(&mut parts)).ok_or("it is not a checkpoint of a run".to_owned())
        };
        let Generation { value: (origin, state), passed_over } = newest_generation(path, decode)?;
        if let Some(sentence) = &passed_over {
            verbosity.say(format_args!("note: {sentence}"));
        }
        Ok(Self { path: path.to_owned(), is_previous: passed_over.is_some(), origin, state })
    }

    /// The recording of the saved run, if it has one.
    pub(crate) fn recording(&self) -> Option<&RecordingMark> {
        self.origin.recording.as_ref()
    }

    /// Refuses `--record` with another file than that of the saved run.
    pub(crate) fn refuse_other_recording(&self, record: Option<&Path>) -> Result<(), Failure> {
        let Some(target) = record else { return Ok(()) };
        match self.recording() {
            Some(mark) if mark.is_at(target) => Ok(()),
            Some(mark) => {
                let file = mark.file.display();
                Err(Failure::usage(format_args!(
                    "the saved run is recorded in {file}, not in {}",
                    target.display()
                ))
                .accepting(format_args!("--record {file}, or no --record")))
            }
            None => Err(Failure::usage("the saved run is not recorded, so its first steps are missing")
                .accepting("no --record; or the run from its start, with --record and --checkpoint")),
        }
    }

    /// Refuses a run whose scenario, files or seed differ from those of the checkpoint.
    pub(crate) fn refuse_other(&self, run: &RunOrigin) -> Result<(), Failure> {
        let Some(difference) = self.origin.difference(run) else { return Ok(()) };
        let path = self.path.display();
        Err(Failure::usage(format_args!("{path} is a checkpoint of another run: {difference}"))
            .accepting("the scenario, files, --set and --seed of the saved run; or no --resume"))
    }
}

/// The scenario, overrides and seed of a run: from the command line, or from the checkpoint that is continued.
pub(crate) struct RunSource {
    pub(crate) scenario: Option<PathBuf>,
    pub(crate) set: Vec<(String, String)>,
    pub(crate) seed: Option<u64>,
}

impl RunSource {
    pub(crate) fn new(arguments: &RunArguments, resumed: Option<&ResumedRun>) -> Self {
        let RunArguments { scenario, set, seed, .. } = arguments;
        let origin = resumed.map(|resumed| &resumed.origin);
        Self {
            scenario: scenario.clone().or_else(|| origin?.scenario()),
            set: if set.is_empty() {
                origin.map_or_else(Vec::new, |origin| origin.set.clone())
            } else {
                set.clone()
            },
            seed: seed.or_else(|| Some(origin?.seed)),
        }
    }
}

/// Refuses flags that cannot be combined with checkpoints.
pub(crate) fn refuse_flags(arguments: &RunArguments) -> Result<(), Failure> {
    let flag = match (&arguments.resume, &arguments.checkpoint) {
        (Some(_), _) => "--resume",
        (None, Some(_)) => "--checkpoint",
        (None, None) if arguments.every.is_some() => {
            return Err(Failure::usage("--every is given, but neither --checkpoint nor --resume")
                .accepting("--every with --checkpoint FILE or --resume FILE"));
        }
        (None, None) => return Ok(()),
    };
    if arguments.reps > 1 {
        let reps = arguments.reps;
        return Err(Failure::usage(format_args!("{flag} cannot be combined with --reps {reps}"))
            .accepting("--reps 1")
            .hinting(format_args!(
                "`acrasin sweep SCENARIO --reps {reps} -o rows.jsonl` keeps each run that ends; the same command runs the rest"
            )));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use acrasin_process::Progress;
    use acrasin_scenario::{CheckpointKeeper as _, Proceed, ScenarioFile};

    use super::*;
    use crate::machine::Stopwatch;

    fn state(byte: u8) -> RunState {
        let mut parts = CheckpointParts::default();
        parts.push("driver", vec![0; 16]);
        parts.push("process", vec![byte; 40]);
        RunState::from_parts(&mut parts).unwrap()
    }

    /// Every bit flip and every truncation of the newest checkpoint leads to the one before, and is refused without it.
    #[test]
    fn every_bit_and_every_length_of_a_checkpoint() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("c");
        let file =
            ScenarioFile::parse("(amoebots: (algorithm: Hexagon, start: Line(count: 4)))", "a.ron", &[])
                .unwrap();
        let origin = RunOrigin::new((Some(Path::new("a.ron")), &file, Path::new("")), &[], 5);
        let checkpoints =
            RunCheckpoints::new(&target, false, None, origin, None, Stopwatch::start()).unwrap();
        for steps in [1, 2] {
            assert!(checkpoints.is_due(Proceed::Interrupted));
            checkpoints.keep(&Progress { steps, ..Progress::START }, state(steps as u8));
        }
        checkpoints.close().unwrap();
        let read = || ResumedRun::read(&target, Verbosity::Quiet);
        let before = fs::read(folder.path().join("c.previous")).unwrap();
        let sound = fs::read(&target).unwrap();
        assert_eq!((read().unwrap().is_previous, read().unwrap().state), (false, state(2)));
        assert!((500..4000).contains(&sound.len()), "{} bytes", sound.len());
        let mut damaged: Vec<Vec<u8>> = (0..sound.len()).map(|length| sound[..length].to_vec()).collect();
        damaged.extend((0..8 * sound.len()).map(|bit| {
            let mut flipped = sound.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            flipped
        }));
        damaged.push([&sound[..], b"x"].concat());
        for bytes in &damaged {
            fs::write(&target, bytes).unwrap();
            let resumed = read().unwrap();
            assert_eq!((resumed.is_previous, resumed.state), (true, state(1)));
        }
        fs::remove_file(folder.path().join("c.previous")).unwrap();
        for bytes in damaged.iter().step_by(7) {
            fs::write(&target, bytes).unwrap();
            read().unwrap_err();
        }
        // A sound file is read with or without the one before.
        fs::write(&target, before).unwrap();
        assert_eq!(read().unwrap().state, state(1));
    }
}
