//! Errors of graph families and mobility models.

use std::error::Error;
use std::fmt;

/// The error of a parameter that a graph family or a mobility model does not accept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GraphParameterError {
    model: &'static str,
    parameter: &'static str,
    found: String,
    accepted: String,
}

impl GraphParameterError {
    /// Creates an error from the model, the parameter, its value, and the accepted values.
    #[must_use]
    pub fn new(
        model: &'static str,
        parameter: &'static str,
        found: impl fmt::Display,
        accepted: impl Into<String>,
    ) -> Self {
        Self { model, parameter, found: found.to_string(), accepted: accepted.into() }
    }

    /// The name of the graph family or of the mobility model, such as `ring` or `random waypoint`.
    #[must_use]
    pub fn model(&self) -> &'static str {
        self.model
    }

    /// The parameter, or the product of parameters, that is refused.
    #[must_use]
    pub fn parameter(&self) -> &'static str {
        self.parameter
    }

    /// The refused value, as text.
    #[must_use]
    pub fn found(&self) -> &str {
        &self.found
    }

    /// The accepted values, as the message lists them.
    #[must_use]
    pub fn accepted(&self) -> &str {
        &self.accepted
    }
}

impl fmt::Display for GraphParameterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} = {}; accepted: {}", self.model, self.parameter, self.found, self.accepted)
    }
}

impl Error for GraphParameterError {}
