//! Failures of reading a text. They have a span of bytes, but no line and column yet.

use std::fmt::{self, Display};
use std::ops::{Deref, Range};

use acrasin_catalogue::counted;
pub(crate) use acrasin_protocols::predicate::{disturbs, quoted};
use serde::de::{self, Expected, Unexpected};

/// A range of bytes of the effective text.
pub(crate) type ByteSpan = Range<usize>;

/// A failure, which becomes a [`crate::DocumentError`] once the source is known. It is one pointer wide, so that the
/// results of all decoding functions stay small.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DecodeFailure(Box<FailureParts>);

/// The kind of a failure, for code that depends on it. Code never compares messages.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) enum DecodeFailureKind {
    /// The field of this name is required and not written.
    MissingField(String),
    /// A name that is not one of the known ones.
    UnknownName,
    /// A value of a kind that is not accepted.
    WrongKind,
    /// Any other failure.
    #[default]
    Other,
}

/// The parts of a [`DecodeFailure`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct FailureParts {
    pub(crate) kind: DecodeFailureKind,
    /// The position of the refused text; `None` until a caller that knows it adds it (see [`DecodeFailure::at`]).
    pub(crate) span: Option<ByteSpan>,
    /// The message; empty as long as only the accepted values are known.
    pub(crate) message: String,
    pub(crate) accepted: Option<String>,
    pub(crate) hint: Option<String>,
}

impl Deref for DecodeFailure {
    type Target = FailureParts;

    fn deref(&self) -> &FailureParts {
        &self.0
    }
}

impl DecodeFailure {
    pub(crate) fn new(span: ByteSpan, message: impl Into<String>) -> Self {
        Self(Box::new(FailureParts { span: Some(span), message: message.into(), ..Default::default() }))
    }

    #[cold]
    fn placeless(message: impl Into<String>, accepted: Option<String>) -> Self {
        Self(Box::new(FailureParts { message: message.into(), accepted, ..Default::default() }))
    }

    /// The failure for a name that is not one of `known`; `what` is the kind of entity that the name should refer to.
    #[cold]
    pub(crate) fn unknown(what: &str, name: &str, known: &[&str]) -> Self {
        let hint = nearest(name, known.iter().copied());
        Self::placeless(format!("unknown {what} {}", quoted(name)), Some(listed(known)))
            .of_kind(DecodeFailureKind::UnknownName)
            .hinting(hint)
    }

    /// The failure for a required field that is not written.
    #[cold]
    pub(crate) fn missing(field: &str) -> Self {
        Self::placeless(format!("missing field `{field}`"), None)
            .of_kind(DecodeFailureKind::MissingField(field.to_owned()))
    }

    /// Replaces the message.
    pub(crate) fn worded(mut self, message: String) -> Self {
        self.0.message = message;
        self
    }

    pub(crate) fn of_kind(mut self, kind: DecodeFailureKind) -> Self {
        self.0.kind = kind;
        self
    }

    /// Whether the failure is about a missing field. A misspelt name elsewhere would then explain the mistake better.
    pub(crate) fn is_masking(&self) -> bool {
        matches!(self.kind, DecodeFailureKind::MissingField(_))
    }

    /// Whether the failure is about an unknown name that is similar to a known one.
    pub(crate) fn is_misspelt(&self) -> bool {
        self.kind == DecodeFailureKind::UnknownName && self.hint.is_some()
    }

    pub(crate) fn into_parts(self) -> FailureParts {
        *self.0
    }

    pub(crate) fn accepting(mut self, accepted: impl Into<String>) -> Self {
        self.0.accepted = Some(accepted.into());
        self
    }

    pub(crate) fn hinting(mut self, hint: Option<String>) -> Self {
        self.0.hint = hint.or(self.0.hint);
        self
    }

    /// Moves the span by `by` bytes, to its position in a longer text.
    pub(crate) fn moved(mut self, by: usize) -> Self {
        self.0.span = self.0.span.map(|span| span.start + by..span.end + by);
        self
    }

    /// Sets the span, unless a more exact one is known.
    pub(crate) fn at(mut self, span: &ByteSpan) -> Self {
        self.0.span.get_or_insert_with(|| span.clone());
        self
    }
}

/// The hint "did you mean `x`?" for the candidate that is most similar to `written`, if one is similar enough.
pub(crate) fn nearest<'c>(written: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<String> {
    // The distance is quadratic in the length; no name is that long.
    if written.chars().count() > 64 {
        return None;
    }
    let lower = written.to_lowercase();
    let near = candidates
        .into_iter()
        .filter(|candidate| candidate.len() <= 256)
        .map(|candidate| (strsim::damerau_levenshtein(&lower, &candidate.to_lowercase()), candidate))
        .min_by_key(|&(distance, _)| distance)?;
    let longest = lower.chars().count().max(near.1.chars().count());
    // A letter of another alphabet that looks like a Latin one.
    let foreign = written.chars().find(|c| c.is_alphabetic() && !c.is_ascii()).filter(|_| near.1.is_ascii());
    let foreign = foreign.map(|c| format!(" `{c}` is U+{:04X}", u32::from(c))).unwrap_or_default();
    (near.0 <= 1.max(longest / 3) && near.0 < longest).then(|| format!("did you mean `{}`?{foreign}", near.1))
}

/// The expected value in words, without the names of Rust's number types.
pub(crate) fn in_words(expected: &dyn Expected) -> String {
    let expected = expected.to_string();
    let bits = |name: &str| expected.strip_prefix(name)?.parse::<u32>().ok().filter(|bits| *bits <= 64);
    match (bits("u"), bits("i"), &*expected) {
        (Some(bits), ..) => format!("a whole number from 0 to {}", u64::MAX >> (64 - bits)),
        (_, Some(bits), _) => {
            let most = i64::MAX >> (64 - bits);
            format!("a whole number from {} to {most}", -most - 1)
        }
        (.., "f32" | "f64") => "a number".to_owned(),
        _ => expected,
    }
}

/// Names as a list for a message.
pub(crate) fn listed(names: &[&str]) -> String {
    names.join(", ")
}

impl Display for DecodeFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for DecodeFailure {}

impl de::Error for DecodeFailure {
    fn custom<T: Display>(message: T) -> Self {
        Self::placeless(message.to_string(), None)
    }

    fn invalid_type(_: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::placeless("", Some(in_words(expected)))
    }

    /// If `unexpected` is `Unexpected::Other`, it contains the whole message, and `expected` describes the accepted
    /// values.
    fn invalid_value(unexpected: Unexpected<'_>, expected: &dyn Expected) -> Self {
        let message = match unexpected {
            Unexpected::Other(message) => message.to_owned(),
            Unexpected::Unsigned(number) => format!("`{number}` is out of range"),
            Unexpected::Signed(number) => format!("`{number}` is out of range"),
            Unexpected::Float(number) => format!("`{number}` is out of range"),
            other => format!("found {other}"),
        };
        Self::placeless(message, Some(in_words(expected)))
    }

    fn invalid_length(length: usize, expected: &dyn Expected) -> Self {
        Self::placeless(format!("found {}", counted(length, "value")), Some(in_words(expected)))
    }

    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> Self {
        Self::unknown("name", variant, expected)
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Self {
        let failure = Self::unknown("field", field, expected);
        if expected.is_empty() { failure.accepting("no field") } else { failure }
    }

    fn missing_field(field: &'static str) -> Self {
        Self::missing(field)
    }

    fn duplicate_field(field: &'static str) -> Self {
        Self::placeless(format!("field `{field}` is written twice"), None)
    }
}
