//! Errors of the readers of files.

use std::error::Error;
use std::fmt;

/// The largest number of characters of offending text in a message.
const SHOWN: usize = 60;

/// The error of a file that is not accepted: the position, the offending text, and the text that would be accepted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadError(Box<ErrorDetail>);

/// The content of an error. It is boxed so that the results of readers stay small.
#[derive(Clone, PartialEq, Eq, Debug)]
struct ErrorDetail {
    place: Location,
    problem: String,
    found: Option<String>,
    accepted: String,
}

/// A position in a file; lines and columns count from 1, columns in bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Location {
    pub(crate) file: String,
    pub(crate) line: Option<u64>,
    pub(crate) column: Option<u64>,
}

impl ReadError {
    pub(crate) fn new(place: Location, problem: impl Into<String>, accepted: impl Into<String>) -> Self {
        Self(Box::new(ErrorDetail { place, problem: problem.into(), found: None, accepted: accepted.into() }))
    }

    pub(crate) fn of_file(file: &str, problem: impl Into<String>, accepted: impl Into<String>) -> Self {
        Self::new(Location { file: file.to_owned(), line: None, column: None }, problem, accepted)
    }

    /// Adds the offending text, shortened if it is long.
    pub(crate) fn found_text(mut self, found: &str) -> Self {
        let mut shown = String::new();
        for c in found.chars().take(SHOWN) {
            // Backticks surround the text, so its quotes need no escape.
            if matches!(c, '"' | '\'') { shown.push(c) } else { shown.extend(c.escape_debug()) }
        }
        if found.chars().nth(SHOWN).is_some() {
            shown.push_str("...");
        }
        self.0.found = Some(shown);
        self
    }

    /// The name of the file, as given by the caller.
    #[must_use]
    pub fn file(&self) -> &str {
        &self.0.place.file
    }

    /// The line, from 1; `None` if the error concerns the whole file.
    #[must_use]
    pub fn line(&self) -> Option<u64> {
        self.0.place.line
    }

    /// The column in bytes, from 1, if it is known.
    #[must_use]
    pub fn column(&self) -> Option<u64> {
        self.0.place.column
    }

    /// The problem in words, without its position in the file.
    #[must_use]
    pub fn problem(&self) -> &str {
        &self.0.problem
    }

    /// The offending text, escaped and shortened, if there is one.
    #[must_use]
    pub fn found(&self) -> Option<&str> {
        self.0.found.as_deref()
    }

    /// The text that would be accepted instead.
    #[must_use]
    pub fn accepted(&self) -> &str {
        &self.0.accepted
    }

    /// The position, the problem and the offending text, without the accepted text.
    #[must_use]
    pub fn fault(&self) -> String {
        let Location { file, line, column } = &self.0.place;
        let place: String = line.iter().chain(column).map(|number| format!(":{number}")).collect();
        let found = self.found().map(|found| format!(": `{found}`")).unwrap_or_default();
        format!("{file}{place}: {}{found}", self.0.problem)
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; accepted: {}", self.fault(), self.0.accepted)
    }
}

impl Error for ReadError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_has_place_problem_text_and_advice() {
        let place = Location { file: "a.txt".to_owned(), line: Some(3), column: Some(5) };
        let error = ReadError::new(place, "not a number", "digits").found_text("x\ty");
        assert_eq!(error.to_string(), "a.txt:3:5: not a number: `x\\ty`; accepted: digits");
        assert_eq!((error.file(), error.line(), error.column()), ("a.txt", Some(3), Some(5)));
        assert_eq!(
            (error.problem(), error.found(), error.accepted()),
            ("not a number", Some("x\\ty"), "digits")
        );
        let quotes = ReadError::of_file("a", "p", "q").found_text("\"it's\\\"\u{7}");
        assert_eq!(quotes.found(), Some("\"it's\\\\\"\\u{7}"));
        let whole = ReadError::of_file("a.txt", "empty file", "text");
        assert_eq!(whole.to_string(), "a.txt: empty file; accepted: text");
    }

    #[test]
    fn long_text_is_shortened() {
        let error = ReadError::of_file("a", "p", "q").found_text(&"é".repeat(61));
        assert_eq!(error.found().unwrap(), format!("{}...", "é".repeat(60)));
        let error = ReadError::of_file("a", "p", "q").found_text(&"é".repeat(60));
        assert_eq!(error.found().unwrap(), "é".repeat(60));
    }
}
