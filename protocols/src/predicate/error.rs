//! [`PredicateError`]: errors of parsing and binding predicates.

use std::fmt;
use std::ops::Range;

/// An error in a predicate, with its position in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PredicateError {
    span: Range<usize>,
    message: String,
    accepted: String,
    hint: Option<String>,
}

impl PredicateError {
    pub(super) fn new(span: Range<usize>, message: impl Into<String>, accepted: impl Into<String>) -> Self {
        Self { span, message: message.into(), accepted: accepted.into(), hint: None }
    }

    pub(super) fn hinting(mut self, hint: Option<String>) -> Self {
        self.hint = hint;
        self
    }

    /// The byte range of the fault; empty at the end of the predicate.
    #[must_use]
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// The fault, in one sentence.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The accepted values, as the message lists them.
    #[must_use]
    pub fn accepted(&self) -> &str {
        &self.accepted
    }

    /// A suggestion that may correct the fault, if there is one.
    #[must_use]
    pub fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }
}

/// The text "did you mean `x`?" with the name nearest to `written`, if one is near.
pub(super) fn suggestion(written: &str, names: &[&str]) -> Option<String> {
    crate::name::suggestion(written, names.iter().copied())
}

/// Whether a character affects a terminal or is invisible: control characters, marks that change the direction of
/// writing, and characters without width.
#[must_use]
pub fn disturbs(c: char) -> bool {
    let has_no_width = matches!(c, '\u{AD}' | '\u{200B}'..='\u{200D}' | '\u{2060}'..='\u{2064}' | '\u{FEFF}');
    let changes_direction =
        matches!(c, '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}');
    c.is_control() || has_no_width || changes_direction
}

/// A piece of a text for a message, in backquotes: at most 60 characters on one line, without characters that
/// [disturb](disturbs()) a terminal.
#[must_use]
pub fn quoted(text: &str) -> String {
    let mut short = String::new();
    for (index, c) in text.chars().enumerate() {
        if index == 60 {
            short.push('…');
            break;
        }
        if disturbs(c) || c != ' ' && c.is_whitespace() {
            short.extend(c.escape_default());
        } else {
            short.push(c);
        }
    }
    format!("`{short}`")
}

impl std::error::Error for PredicateError {}

impl fmt::Display for PredicateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {}; accepted: {}", self.message, self.span.start, self.accepted)?;
        self.hint.as_ref().map_or(Ok(()), |hint| write!(f, "; {hint}"))
    }
}
