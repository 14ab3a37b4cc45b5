//! Applies a replay to a world.

use std::fmt;

use acrasin_runtime::choice::{ScriptFault, Scripted};
use acrasin_runtime::exclusion::Exclusion;
use acrasin_runtime::{CriticalSection, Digest, Observer, StepError, StepOf, World};

use super::{ReplayEnd, ReplayReader, RoundBegins};
use crate::file::FileError;
use crate::locks::Round;
use crate::words::StepCodec;

/// Errors of a replay: a malformed file, or a run that differs from the recorded one.
#[derive(Debug)]
#[non_exhaustive]
pub enum ReplayError {
    /// The file is malformed or cannot be read.
    File(FileError),
    /// A step is not possible: the scenario is not the recorded one, or the program has changed.
    Impossible {
        /// The position in the file, as `FILE:LINE`.
        place: String,
        /// The number of the step, counted from 1.
        number: u64,
        /// The step in the notation of the paper.
        step: String,
        /// The reason why the step is not possible.
        error: StepError,
    },
    /// A step made choices that differ from the recorded ones.
    Choices {
        /// The position in the file, as `FILE:LINE`.
        place: String,
        /// The number of the step, counted from 1.
        number: u64,
        /// The step in the notation of the paper.
        step: String,
        /// The first difference between the recorded choices and those of the replay.
        fault: ScriptFault,
    },
    /// The steps do not form the cycle that the file claims.
    Round {
        /// The position in the file, as `FILE:LINE`.
        place: String,
        /// The condition of a cycle that does not hold.
        what: String,
    },
    /// All steps were possible, but the final configuration differs.
    Digest {
        /// The position in the file, as `FILE:LINE`.
        place: String,
        /// The digest of the final configuration in the file.
        recorded: Digest,
        /// The digest at the end of the replay.
        replayed: Digest,
    },
    /// All steps were possible, but the broken promise of the lock layer differs from the recorded one.
    Violation {
        /// The position in the file, as `FILE:LINE`.
        place: String,
        /// The promise broken in the recorded run, if any.
        recorded: Option<String>,
        /// The promise broken in the replay, if any.
        replayed: Option<String>,
    },
}

impl ReplayError {
    /// Whether the file is malformed or unreadable, as opposed to a run that differs.
    #[must_use]
    pub fn is_malformed(&self) -> bool {
        matches!(self, Self::File(_))
    }
}

impl From<FileError> for ReplayError {
    fn from(error: FileError) -> Self {
        Self::File(error)
    }
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(error) => error.fmt(f),
            Self::Impossible { place, number, step, error } => {
                write!(f, "{place}: step {number} ({step}) cannot happen: {error}")
            }
            Self::Choices { place, number, step, fault } => {
                write!(f, "{place}: step {number} ({step}) made other choices than recorded: ")?;
                match fault {
                    ScriptFault::TooShort => f.write_str("more than the file has"),
                    ScriptFault::TooLong => f.write_str("fewer than the file has"),
                    ScriptFault::OutOfRange { pick, bound } => {
                        write!(f, "the file picks {pick}, but only 0 to {} exist", bound - 1)
                    }
                }
            }
            Self::Round { place, what } => write!(f, "{place}: {what}"),
            Self::Digest { place, recorded, replayed } => write!(
                f,
                "{place}: the replay ends in another configuration: digest {replayed}, recorded {recorded}"
            ),
            Self::Violation { place, recorded, replayed } => {
                let words = |violation: &Option<String>| violation.clone().unwrap_or("none".to_owned());
                let (recorded, replayed) = (words(recorded), words(replayed));
                write!(f, "{place}: the replay breaks another promise: {replayed}; recorded: {recorded}")
            }
        }
    }
}

impl std::error::Error for ReplayError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::File(error) => Some(error),
            Self::Impossible { error, .. } => Some(error),
            _ => None,
        }
    }
}

/// Checks the cycle of a replay while the steps of the replay are applied.
#[derive(Clone, Debug, Default)]
pub enum Rounded<E: Exclusion> {
    /// No cycle has begun yet, or the replay has none.
    #[default]
    Not,
    /// A cycle has begun, and its steps are being checked.
    Begun(Round<E>),
}

impl<E: StepCodec + Clone> Rounded<E> {
    /// Begins the cycle if the file marks this position as its start. Call this before each step is applied, and before
    /// the end.
    ///
    /// # Errors
    ///
    /// [`ReplayError::Round`] if the file begins a cycle here at a node that does not wait.
    pub fn before<S: CriticalSection + Clone>(
        &mut self,
        world: &World<E, S>,
        reader: &ReplayReader<'_, E>,
    ) -> Result<(), ReplayError> {
        if let (Self::Not, Some(RoundBegins { waits, .. })) = (&*self, reader.round()) {
            let begun = Round::begin(world, waits).map_err(|what| wrong(reader, what))?;
            *self = Self::Begun(begun);
        }
        Ok(())
    }

    /// Records a step in the cycle. Call this after each step.
    ///
    /// # Errors
    ///
    /// [`ReplayError::Round`] if the node no longer waits.
    pub fn after<S: CriticalSection>(
        &mut self,
        step: &StepOf<E>,
        world: &World<E, S>,
        reader: &ReplayReader<'_, E>,
    ) -> Result<(), ReplayError> {
        match self {
            Self::Not => Ok(()),
            Self::Begun(round) => round.step(step, world).map_err(|what| wrong(reader, what)),
        }
    }

    /// Checks that the cycle is closed, and returns whether there was one. Call this after the last step.
    ///
    /// # Errors
    ///
    /// [`ReplayError::Round`] if the steps are not a cycle, or the cycle is not weakly fair.
    pub fn end<S: CriticalSection + Clone>(
        mut self,
        world: &World<E, S>,
        reader: &ReplayReader<'_, E>,
    ) -> Result<bool, ReplayError> {
        self.before(world, reader)?;
        match self {
            Self::Not => Ok(false),
            Self::Begun(round) => round.end(world).map(|()| true).map_err(|what| wrong(reader, what)),
        }
    }
}

fn wrong<E: StepCodec>(reader: &ReplayReader<'_, E>, what: String) -> ReplayError {
    ReplayError::Round { place: format!("{}:{}", reader.name(), reader.line()), what }
}

/// Applies all steps of a replay to `world` and compares the end. `world` must be the initial world of the recorded
/// scenario. If the replay marks an infinite [cycle](Round), checks the cycle as well. The observer receives every
/// event and step, but no rounds, which belong to a scheduler and are not recorded.
///
/// # Errors
///
/// [`ReplayError`] at the first step that is malformed, not possible or makes other choices than recorded, or if the
/// end differs. The world then keeps the configuration at that point.
pub fn replay<E: StepCodec + Clone, S: CriticalSection + Clone>(
    world: &mut World<E, S>,
    reader: &mut ReplayReader<'_, E>,
    observer: &mut impl Observer<E, S>,
) -> Result<ReplayEnd, ReplayError> {
    let mut rounded = Rounded::Not;
    while let Some(entry) = reader.next() {
        let entry = entry?;
        rounded.before(world, reader)?;
        let place = || format!("{}:{}", reader.name(), entry.line);
        let mut script = Scripted::new(&entry.picks);
        world.apply(&entry.step, &mut script, observer).map_err(|error| ReplayError::Impossible {
            place: place(),
            number: reader.steps(),
            step: entry.step.to_string(),
            error,
        })?;
        if let Some(fault) = script.fault() {
            let (place, number, step) = (place(), reader.steps(), entry.step.to_string());
            return Err(ReplayError::Choices { place, number, step, fault });
        }
        rounded.after(&entry.step, world, reader)?;
        observer.step(&entry.step, &entry.picks);
    }
    let end = compare_end(world, reader)?;
    rounded.end(world, reader)?;
    Ok(end)
}

/// Compares the end of a replay with a world to which all its steps have been applied.
///
/// # Errors
///
/// [`ReplayError`] if the reader is not at the end, or if the configuration or the broken promise differs.
pub fn compare_end<E: StepCodec, S: CriticalSection>(
    world: &World<E, S>,
    reader: &ReplayReader<'_, E>,
) -> Result<ReplayEnd, ReplayError> {
    let place = format!("{}:{}", reader.name(), reader.line());
    let Some(recorded) = reader.end() else {
        // A reader returns its error only once.
        let what = "the end has not been read, or reading has failed before";
        return Err(FileError::new(reader.name(), reader.line(), what).into());
    };
    let replayed = ReplayEnd::of(world, recorded.outcome.clone());
    if replayed.digest != recorded.digest {
        return Err(ReplayError::Digest { place, recorded: recorded.digest, replayed: replayed.digest });
    }
    if replayed.violation != recorded.violation {
        let recorded = recorded.violation.clone();
        return Err(ReplayError::Violation { place, recorded, replayed: replayed.violation });
    }
    Ok(recorded.clone())
}
