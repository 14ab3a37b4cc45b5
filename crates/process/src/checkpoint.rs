//! [`RestoreError`]: errors of restoring a checkpoint.

use std::fmt;

/// Reasons why a process cannot continue from a checkpoint.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum RestoreError {
    /// Processes of this kind cannot be saved.
    Unsupported,
    /// The bytes are not a checkpoint of this run: the sentence that says why.
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
