//! Errors in a scenario, with their positions.

use std::fmt::{self, Write as _};
use std::ops::Range;

use super::failure::{DecodeFailure, FailureParts, disturbs, nearest};
use crate::limits::EXCERPT_WIDTH;

/// A position in a scenario: a line and column of the file, or a column of an override (`--set`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    set: Option<usize>,
    line: u32,
    column: u32,
    length: u32,
}

impl Place {
    /// The position of a range of bytes of `text`. A range past the end gives the position just after the last
    /// character.
    pub(crate) fn new(text: &str, span: Range<usize>, set: Option<usize>) -> Self {
        let mut start = span.start.min(text.len());
        while !text.is_char_boundary(start) {
            start -= 1;
        }
        let line_start = text[..start].rfind('\n').map_or(0, |newline| newline + 1);
        let rest = &text[start..];
        let line_rest = rest.find('\n').map_or(rest, |newline| &rest[..newline]);
        let length = line_rest.char_indices().take_while(|&(at, _)| start + at < span.end).count();
        // A scenario is at most 2^20 bytes long.
        Self {
            set,
            line: 1 + text[..line_start].matches('\n').count() as u32,
            column: 1 + text[line_start..start].chars().count() as u32,
            length: length as u32,
        }
    }

    /// The number of the override, from 0, if the position is in an override.
    #[must_use]
    pub fn set(&self) -> Option<usize> {
        self.set
    }

    /// The line, from 1; always 1 in an override of one line.
    #[must_use]
    pub fn line(&self) -> u32 {
        self.line
    }

    /// The column, from 1, in characters (a tab is one character).
    #[must_use]
    pub fn column(&self) -> u32 {
        self.column
    }

    /// The length in characters; 0 at the end of the text.
    #[must_use]
    pub fn length(&self) -> u32 {
        self.length
    }
}

/// An error in a scenario: its position, a message, the accepted values, and a guess at the intended value.
/// [`fmt::Display`] prints all of these on several lines, with a caret under the position.
#[derive(Debug, Clone)]
pub struct DocumentError(Box<DocumentErrorDetails>);

#[derive(Debug, Clone)]
struct DocumentErrorDetails {
    file: String,
    set: Option<String>,
    place: Option<(Place, String)>,
    message: String,
    accepted: Option<String>,
    hint: Option<String>,
    /// Whether the error is about a missing field, so that an error about a misspelt name should replace it.
    is_masking: bool,
}

impl DocumentError {
    /// An error about a whole file, such as one that cannot be opened.
    pub(crate) fn of_file(file: &str, message: impl Into<String>) -> Self {
        Self(Box::new(DocumentErrorDetails {
            file: file.to_owned(),
            set: None,
            place: None,
            message: message.into(),
            accepted: None,
            hint: None,
            is_masking: false,
        }))
    }

    pub(crate) fn at(
        file: &str,
        set: Option<String>,
        place: Place,
        line: &str,
        failure: DecodeFailure,
    ) -> Self {
        let is_masking = failure.is_masking();
        let FailureParts { message, accepted, hint, .. } = failure.into_parts();
        let (file, place) = (file.to_owned(), Some((place, line.to_owned())));
        Self(Box::new(DocumentErrorDetails { file, set, place, message, accepted, hint, is_masking }))
    }

    /// Whether the error is about a missing field. A misspelt name elsewhere would then explain the mistake better.
    pub(crate) fn is_masking(&self) -> bool {
        self.0.is_masking
    }

    /// Sets the description of accepted values.
    #[must_use]
    pub fn accepting(mut self, accepted: impl Into<String>) -> Self {
        self.0.accepted = Some(accepted.into());
        self
    }

    /// Rewrites the message.
    pub(crate) fn in_words(mut self, words: impl Fn(&str) -> String) -> Self {
        self.0.message = words(&self.0.message);
        self
    }

    /// Adds a hint, such as "did you mean `ring`?".
    #[must_use]
    pub fn hinting(mut self, hint: impl Into<String>) -> Self {
        self.0.hint = Some(hint.into());
        self
    }

    /// Adds the accepted values, unless they are empty, and the hint from an error of another crate.
    pub(crate) fn advising(mut self, accepted: &str, hint: Option<&str>) -> Self {
        self.0.accepted =
            Some(accepted.to_owned()).filter(|accepted| !accepted.is_empty()).or(self.0.accepted);
        self.0.hint = hint.map(str::to_owned).or(self.0.hint);
        self
    }

    /// Adds a hint with the candidate that is most similar to `written`, if one is similar enough.
    #[must_use]
    pub fn suggesting<'c>(mut self, written: &str, candidates: impl IntoIterator<Item = &'c str>) -> Self {
        self.0.hint = nearest(written, candidates).or(self.0.hint);
        self
    }

    /// The file name as given.
    #[must_use]
    pub fn file(&self) -> &str {
        &self.0.file
    }

    /// The override (`key=value`) that contains the error, if the error is not in the file.
    #[must_use]
    pub fn set(&self) -> Option<&str> {
        self.0.set.as_deref()
    }

    /// The position, unless the error is about the whole file.
    #[must_use]
    pub fn place(&self) -> Option<&Place> {
        self.0.place.as_ref().map(|(place, _)| place)
    }

    /// The line in the file (or override), from 1.
    #[must_use]
    pub fn line(&self) -> Option<u32> {
        self.place().map(Place::line)
    }

    /// The column in the file (or override), from 1, in characters.
    #[must_use]
    pub fn column(&self) -> Option<u32> {
        self.place().map(Place::column)
    }

    /// The message: one sentence without the position.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// The accepted values.
    #[must_use]
    pub fn accepted(&self) -> Option<&str> {
        self.0.accepted.as_deref()
    }

    /// A guess at the intended value, as a sentence.
    #[must_use]
    pub fn hint(&self) -> Option<&str> {
        self.0.hint.as_deref()
    }
}

impl std::error::Error for DocumentError {}

impl fmt::Display for DocumentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let report = &*self.0;
        let (message, accepted) = split_accepted(&report.message, report.accepted.as_deref());
        write!(f, "error: {}", clean(message))?;
        let file = clean(&report.file);
        let mut margin = 1;
        match (&report.place, &report.set) {
            (None, _) => write!(f, "\n --> {file}")?,
            (Some((place, line)), set) => {
                let number = if set.is_some() { String::new() } else { place.line.to_string() };
                margin = number.len().max(1);
                let blank = " ".repeat(margin);
                match set {
                    Some(_) => write!(f, "\n{blank}--> --set, for {file}")?,
                    None => write!(f, "\n{blank}--> {file}:{}:{}", place.line, place.column)?,
                }
                let (shown, under) = excerpt(line, place);
                write!(f, "\n{blank} |\n{number:margin$} | {shown}\n{blank} | {under}")?;
            }
        }
        let blank = " ".repeat(margin);
        if let Some(accepted) = accepted {
            write!(f, "\n{blank} = accepted: {}", clean(accepted))?;
        }
        if let Some(hint) = &report.hint {
            write!(f, "\n{blank} = {}", clean(hint))?;
        }
        Ok(())
    }
}

/// Separates the message from the accepted values. Other crates write both on one line, `what is wrong (accepted: …)`;
/// these values are more exact than those in `accepted`.
fn split_accepted<'e>(message: &'e str, accepted: Option<&'e str>) -> (&'e str, Option<&'e str>) {
    match message.strip_suffix(')').and_then(|line| line.split_once(" (accepted: ")) {
        Some((what, own)) => (what, Some(own)),
        None => (message, accepted),
    }
}

/// The part of a line around a position, and a line of carets to print below it.
fn excerpt(line: &str, place: &Place) -> (String, String) {
    let column = place.column as usize - 1;
    let length = (place.length as usize).max(1);
    // Show the text before the place only if there is room for the place itself.
    let first =
        if column + length.min(EXCERPT_WIDTH / 2) <= EXCERPT_WIDTH { 0 } else { column - EXCERPT_WIDTH / 3 };
    let mut shown = String::new();
    let mut under = String::new();
    if first > 0 {
        shown.push('…');
        under.push(' ');
    }
    for c in line.chars().skip(first).take(column - first) {
        shown.push(visible(c));
        under.push(if c == '\t' { '\t' } else { ' ' });
    }
    let mut rest = line.chars().skip(column);
    let room = EXCERPT_WIDTH - (column - first);
    shown.extend(rest.by_ref().take(room).map(visible));
    if rest.next().is_some() {
        shown.push('…');
    }
    let _ = write!(under, "{}", "^".repeat(length.min(room)));
    (shown, under)
}

fn clean(text: &str) -> String {
    text.chars().map(visible).collect()
}

/// Replaces a control character, which could affect a terminal, by a visible one.
fn visible(c: char) -> char {
    if disturbs(c) && c != '\t' { '\u{FFFD}' } else { c }
}
