//! [`TableError`]: errors of protocols as tables.

use std::fmt;

use crate::name::{Accepted, quoted};

/// The kinds of faults in a protocol.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum TableErrorKind {
    /// There is no state.
    NoStates,
    /// There are more states, rules or outcomes than a limit allows.
    TooMany,
    /// A name that cannot be used in a rule.
    BadName,
    /// Two states have the same name.
    DuplicateState,
    /// A rule or an output names a state that is not in the list.
    UnknownState,
    /// The text of a rule does not have the form `A + B -> C + D`.
    Syntax,
    /// A one-way rule changes the initiator.
    InitiatorChanges,
    /// Two rules give different outcomes for the same ordered pair.
    Conflict,
    /// Some ordered pairs have no rule, and there is no default.
    NotTotal,
    /// A randomised rule has no outcome.
    NoOutcome,
    /// A weight is 0, or a sum of weights does not fit in 32 bits.
    BadWeight,
    /// An outcome is listed twice in one rule.
    DuplicateOutcome,
}

/// The error of a refused protocol: the rule, the fault, and the accepted values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableError(Box<TableErrorDetails>);

#[derive(Clone, PartialEq, Eq, Debug)]
struct TableErrorDetails {
    kind: TableErrorKind,
    rule: Option<usize>,
    /// The rule, or the position in a protocol without written rules, as `Display` shows it; `None` if the fault
    /// concerns the whole protocol.
    place: Option<String>,
    other_rule: Option<usize>,
    column: Option<usize>,
    value: String,
    message: String,
    accepted: Accepted,
}

impl TableError {
    pub(super) fn new(
        kind: TableErrorKind,
        value: &str,
        message: impl Into<String>,
        accepted: impl Into<Accepted>,
    ) -> Self {
        Self(Box::new(TableErrorDetails {
            kind,
            rule: None,
            place: None,
            other_rule: None,
            column: None,
            value: quoted(value),
            message: message.into(),
            accepted: accepted.into(),
        }))
    }

    /// Sets the text at fault and the position of the character in it, counted from 1.
    pub(super) fn at_column(mut self, text: &str, column: usize) -> Self {
        self.0.value = quoted(text);
        self.0.column = Some(column);
        self
    }

    pub(super) fn in_rule(mut self, index: usize, rule: &impl fmt::Display) -> Self {
        self.0.rule = Some(index);
        self.about(rule.to_string())
    }

    /// Sets the position of a fault in a protocol without written rules.
    pub(super) fn about(mut self, place: String) -> Self {
        self.0.place = Some(place);
        self
    }

    pub(super) fn with_other_rule(mut self, index: usize) -> Self {
        self.0.other_rule = Some(index);
        self
    }

    /// The kind of fault.
    #[must_use]
    pub fn kind(&self) -> TableErrorKind {
        self.0.kind
    }

    /// The rule at fault, counted from 0; `None` if the fault is not in a rule.
    #[must_use]
    pub fn rule(&self) -> Option<usize> {
        self.0.rule
    }

    /// The earlier rule that contradicts the rule at fault, counted from 0; `None` for other faults.
    #[must_use]
    pub fn other_rule(&self) -> Option<usize> {
        self.0.other_rule
    }

    /// The position in [`value`](Self::value), a text of the rule, at which the fault was detected: in characters, from
    /// 1. `None` if it is unknown.
    #[must_use]
    pub fn column(&self) -> Option<usize> {
        self.0.column
    }

    /// The part of the input at fault, shortened if it is long.
    #[must_use]
    pub fn value(&self) -> &str {
        &self.0.value
    }

    /// The accepted values, as the message lists them.
    #[must_use]
    pub fn accepted(&self) -> &str {
        &self.0.accepted.values
    }

    /// A suggestion that may correct the fault, if there is one.
    #[must_use]
    pub fn hint(&self) -> Option<&str> {
        self.0.accepted.hint.as_deref()
    }

    /// The fault with its position, without the accepted values.
    #[must_use]
    pub fn fault(&self) -> String {
        let TableErrorDetails { rule, place, column, value, message, .. } = &*self.0;
        let Some(place) = place else { return message.clone() };
        let rule = rule.map(|rule| format!("rule {} ", rule + 1)).unwrap_or_default();
        let column = column.map(|column| format!(", column {column} of {value:?}")).unwrap_or_default();
        format!("{rule}{place}{column}: {message}")
    }
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.fault())?;
        match &self.0.accepted {
            accepted if accepted.values.is_empty() => Ok(()),
            accepted => write!(f, " (accepted: {accepted})"),
        }
    }
}

impl std::error::Error for TableError {}
