//! What the library cannot make.

use std::fmt;
use std::ops::RangeInclusive;

use crate::name;

/// The kind of fault in a request to the library.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum CatalogueErrorKind {
    /// No protocol has this name.
    UnknownProtocol,
    /// The protocol takes no parameter of this name.
    UnknownParameter,
    /// The value of a parameter is outside its range.
    OutOfRange,
    /// A protocol of this name is in the catalogue already.
    NameTaken,
}

/// Why the library could not make a protocol.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CatalogueError {
    kind: CatalogueErrorKind,
    value: String,
    message: String,
    accepted: String,
}

impl CatalogueError {
    pub(super) fn new(kind: CatalogueErrorKind, value: &str, message: String, accepted: String) -> Self {
        Self { kind, value: name::quoted(value), message, accepted }
    }

    /// What kind of fault it is.
    #[must_use]
    pub fn kind(&self) -> CatalogueErrorKind {
        self.kind
    }

    /// The name or value at fault, cut if it is long.
    #[must_use]
    pub fn value(&self) -> &str {
        &self.value
    }

    /// What would be accepted.
    #[must_use]
    pub fn accepted(&self) -> &str {
        &self.accepted
    }
}

impl fmt::Display for CatalogueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (accepted: {})", self.message, self.accepted)
    }
}

impl std::error::Error for CatalogueError {}

/// The value, if it is in the range.
pub(super) fn in_range(
    protocol: &str,
    parameter: &str,
    value: i64,
    range: RangeInclusive<i64>,
) -> Result<i64, CatalogueError> {
    if range.contains(&value) {
        return Ok(value);
    }
    let message = format!("{protocol}: the parameter `{parameter}` is {value}");
    let accepted = format!("{} to {}", range.start(), range.end());
    Err(CatalogueError::new(CatalogueErrorKind::OutOfRange, &value.to_string(), message, accepted))
}
