//! [`OutputError`]: errors of writing a file.

use std::fmt;
use std::io::{self, ErrorKind};
use std::path::Path;

/// The error for a file that cannot be written, with the accepted alternative if there is one.
///
/// ```
/// use std::io::ErrorKind;
///
/// let place = tempfile::tempdir().unwrap();
/// let error = acrasin_output::OutputFile::new(place.path(), true).unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::IsADirectory);
/// assert_eq!(error.accepted(), Some("the path of a file to write"));
/// ```
#[derive(Debug)]
pub struct OutputError {
    message: String,
    kind: ErrorKind,
    accepted: Option<&'static str>,
    hint: Option<String>,
    is_refusal: bool,
}

impl OutputError {
    /// The error for a path that is refused before anything is written.
    pub(crate) fn refusal(kind: ErrorKind, message: impl fmt::Display) -> Self {
        Self { message: message.to_string(), kind, accepted: None, hint: None, is_refusal: true }
    }

    /// The error for a path at which nothing can be created.
    pub(crate) fn of_path(path: &Path, error: &io::Error) -> Self {
        Self::refusal(error.kind(), format_args!("{} cannot be written: {error}", path.display()))
    }

    /// An I/O error while the file is written, or when it gets its final name.
    #[must_use]
    pub fn of_machine(path: &Path, error: &io::Error) -> Self {
        Self { is_refusal: false, ..Self::of_path(path, error) }
    }

    pub(crate) fn accepting(mut self, accepted: &'static str) -> Self {
        self.accepted = Some(accepted);
        self
    }

    pub(crate) fn hinting(mut self, hint: impl fmt::Display) -> Self {
        self.hint = Some(hint.to_string());
        self
    }

    /// The description of the error, with the path.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The accepted alternative, if known.
    #[must_use]
    pub fn accepted(&self) -> Option<&str> {
        self.accepted
    }

    /// A further hint, if there is one.
    #[must_use]
    pub fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }

    /// The kind of the error, as in the standard library.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// Whether the path was refused before anything was written. Otherwise an I/O error occurred.
    #[must_use]
    pub fn is_refusal(&self) -> bool {
        self.is_refusal
    }
}

/// Writes `MESSAGE (accepted: …; HINT)`.
impl fmt::Display for OutputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rest = match (self.accepted, &self.hint) {
            (Some(accepted), Some(hint)) => format!(" (accepted: {accepted}; {hint})"),
            (Some(accepted), None) => format!(" (accepted: {accepted})"),
            (None, Some(hint)) => format!(" ({hint})"),
            (None, None) => String::new(),
        };
        write!(f, "{}{rest}", self.message)
    }
}

impl std::error::Error for OutputError {}
