//! `acrasin run --checkpoint` and `--resume`: checkpoints of a run.
//!
//! A checkpoint has three parts: `run` has the scenario, files and seed of the run as JSON; `driver` and `process` are the
//! [`RunState`](acrasin_scenario::RunState). The plan is made again from the scenario file, which must be
//! unchanged.
//!
//! | module | contents |
//! |---|---|
//! | `origin` | scenario, files and seed of a run, and how two runs differ |
//! | `keeper` | the moments at which checkpoints are written |

mod keeper;
mod origin;

use std::path::{Path, PathBuf};

use acrasin_output::{Generation, newest_generation};
use acrasin_process::CheckpointParts;
use acrasin_scenario::RunState;

pub(crate) use keeper::RunCheckpoints;
pub(crate) use origin::RunOrigin;

use crate::Failure;
use crate::arguments::RunArguments;
use crate::output::Verbosity;

/// The name of the part with the [`RunOrigin`].
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
    /// Reads the checkpoint at `path`, or the one before it.
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

    /// Refuses a run that is made from something else.
    pub(crate) fn refuse_other(&self, run: &RunOrigin) -> Result<(), Failure> {
        let Some(difference) = self.origin.difference(run) else { return Ok(()) };
        let path = self.path.display();
        Err(Failure::usage(format_args!("{path} is a checkpoint of another run: {difference}"))
            .accepting("the scenario, files, --set and --seed of the saved run; or no --resume"))
    }
}

/// The scenario, overrides and seed of a run: those of the command, or else of the checkpoint.
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

/// Refuses flags that do not go together with checkpoints.
pub(crate) fn refuse_flags(arguments: &RunArguments) -> Result<(), Failure> {
    let flag = match (&arguments.resume, &arguments.checkpoint) {
        (Some(_), _) => "--resume",
        (None, Some(_)) => "--checkpoint",
        (None, None) if arguments.every.is_some() => {
            return Err(Failure::usage("--every is the time between two checkpoints")
                .accepting("--checkpoint FILE or --resume FILE with it"));
        }
        (None, None) => return Ok(()),
    };
    if arguments.reps > 1 {
        return Err(Failure::usage(format_args!("{flag} is for a single run")).accepting("--reps 1"));
    }
    if arguments.record.is_some() {
        return Err(Failure::usage(format_args!("a run with {flag} cannot be recorded yet"))
            .accepting(format_args!("--record without {flag}, or {flag} without --record")));
    }
    Ok(())
}
