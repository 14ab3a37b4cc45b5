//! [`RestoreError`]: errors of restoring a checkpoint.

use std::fmt;

/// Reasons why a process cannot continue from a checkpoint.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum RestoreError {
    /// The process is of a kind that cannot be saved.
    Unsupported,
    /// The bytes are not a checkpoint of this run. The text says why, as a sentence.
    Refused(String),
}

impl fmt::Display for RestoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unsupported => f.write_str("runs of this kind cannot be saved and restored"),
            Self::Refused(sentence) => f.write_str(sentence),
        }
    }
}

impl std::error::Error for RestoreError {}
