//! [`Failure`]: errors that end a command.

use std::fmt;
use std::io;
use std::path::Path;

use acrasin_output::OutputError;
use acrasin_report::record::Exit;
use acrasin_scenario::plan::JobReplayError;
use acrasin_scenario::{DocumentError, Proceed, RunError};
use acrasin_verify::FileError;

/// An error that ends a command: a message and an exit code.
///
/// ```
/// use acrasin_cli::Failure;
///
/// let failure = Failure::usage("--record cannot be combined with --reps 2").accepting("--reps 1");
/// assert_eq!(failure.to_string(), "error: --record cannot be combined with --reps 2\n = accepted: --reps 1");
/// assert_eq!(failure.exit_code(), 2);
/// ```
#[derive(Debug)]
pub struct Failure {
    message: String,
    exit_code: u8,
}

/// The exit code for wrong usage or invalid input.
const BAD_INPUT: u8 = 2;
/// The exit code for a command that failed for reasons other than its input.
const FAILED: u8 = 1;

impl Failure {
    /// An error of the command line. `message` is one sentence without a full stop.
    #[must_use]
    pub fn usage(message: impl fmt::Display) -> Self {
        Self { message: format!("error: {message}"), exit_code: BAD_INPUT }
    }

    /// An error of the machine, such as a full disk while output is written.
    #[must_use]
    pub fn of_machine(message: impl fmt::Display) -> Self {
        Self { message: format!("error: {message}"), exit_code: FAILED }
    }

    /// The error that the time limit was reached before there was a result.
    #[must_use]
    pub fn out_of_time(message: impl fmt::Display) -> Self {
        Self { exit_code: Exit::BudgetExhausted.code(), ..Self::of_machine(message) }
    }

    /// The error of another rank of an MPI job, with the exit code and the message that this rank has sent.
    #[must_use]
    pub(crate) fn of_rank(rank: usize, exit_code: u8, message: &str) -> Self {
        let message = message.strip_prefix("error: ").unwrap_or(message);
        Self { message: format!("error: rank {rank}: {message}"), exit_code }
    }

    /// An error of opening or creating a file, before anything was done. `task` is a participle: `written`, `read`.
    #[must_use]
    pub fn of_path(path: &Path, task: &str, error: &io::Error) -> Self {
        Self::usage(format_args!("{} cannot be {task}: {error}", path.display()))
    }

    /// Adds a line with the accepted values.
    #[must_use]
    pub fn accepting(mut self, accepted: impl fmt::Display) -> Self {
        self.message += &format!("\n = accepted: {accepted}");
        self
    }

    /// Adds a hint on what the user can do.
    #[must_use]
    pub fn hinting(mut self, hint: impl fmt::Display) -> Self {
        self.message += &format!("\n = {hint}");
        self
    }

    /// Combines two failures into one. Its exit code is the larger one.
    #[must_use]
    pub fn and(self, other: &Self) -> Self {
        let message = format!("{}\n{}", self.message, other.message);
        Self { message, exit_code: self.exit_code.max(other.exit_code) }
    }

    /// The exit code of the command: 1 or 2, or 3 or 130 if it was ended early.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        self.exit_code
    }
}

/// Writes `error: message`, and further lines that begin with ` = `.
impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Failure {}

impl From<DocumentError> for Failure {
    fn from(error: DocumentError) -> Self {
        // The text already begins with `error: `.
        Self { message: error.to_string(), exit_code: BAD_INPUT }
    }
}

impl From<OutputError> for Failure {
    fn from(error: OutputError) -> Self {
        let is_there = error.is_refusal() && error.kind() == io::ErrorKind::AlreadyExists;
        let mut failure =
            if error.is_refusal() { Self::usage(error.message()) } else { Self::of_machine(error.message()) };
        if let Some(accepted) = error.accepted() {
            failure =
                failure.accepting(format_args!("{accepted}{}", if is_there { ", or --force" } else { "" }));
        }
        match error.hint() {
            Some(hint) => failure.hinting(hint),
            None => failure,
        }
    }
}

impl From<FileError> for Failure {
    fn from(error: FileError) -> Self {
        Self::usage(error)
    }
}

impl From<JobReplayError> for Failure {
    /// A malformed file is bad input. A replay that ends in another configuration is a failure of the run.
    fn from(error: JobReplayError) -> Self {
        match error {
            JobReplayError::Stopped(Proceed::OutOfTime) => Self::out_of_time(error),
            JobReplayError::Stopped(_) => {
                Self { exit_code: Exit::Interrupted.code(), ..Self::of_machine(error) }
            }
            error if error.is_malformed() => Self::usage(error),
            error => Self::of_machine(error),
        }
    }
}

impl From<RunError> for Failure {
    /// A seed that draws an unsuitable graph is an error of the scenario; a full disk is not.
    fn from(error: RunError) -> Self {
        if error.is_recording() { Self::of_machine(error) } else { Self::usage(error) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use acrasin_scenario::Document;

    #[test]
    fn an_error_in_a_scenario_is_printed_as_it_is() {
        let error = Document::parse("(", "x.ron").unwrap_err();
        let text = error.to_string();
        assert!(text.starts_with("error: "), "{text}");
        assert_eq!(Failure::from(error).to_string(), text);
    }
}
