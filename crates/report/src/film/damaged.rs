//! [`Damaged`]: errors of reading a film.

use std::fmt;

/// The error for a damaged film: one line with the kind and position of the damage.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Damaged(String);

impl Damaged {
    pub(super) fn in_chunk(chunk: usize, what: impl Into<String>) -> Self {
        Self(format!("the film is damaged: chunk {chunk}: {}", what.into()))
    }

    pub(super) fn in_head(what: impl fmt::Display) -> Self {
        Self(format!("the film is damaged: head: {what}"))
    }
}

impl fmt::Display for Damaged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Damaged {}
