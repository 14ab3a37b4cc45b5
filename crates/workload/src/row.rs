//! What is asked for, and the rows that are the answer.

use std::fmt;

use acrasin_engine::round::{MemoryLimit, TooLarge};

use crate::work::{Unit, Work};

/// What a benchmark asks for.
#[derive(Clone, Debug)]
pub struct Ask {
    /// Identifiers of families; all of them if there is none.
    pub families: Vec<&'static str>,
    /// Numbers of nodes; each family's own if there is none.
    pub nodes: Vec<u64>,
    /// The long sizes and variants, too.
    pub full: bool,
    /// What all draws start from.
    pub seed: u64,
    /// What one row may take.
    pub memory: MemoryLimit,
    /// Check in every round that lock sets are disjoint.
    pub check: bool,
    /// Rounds before the first sample of rows that have rounds: [`WARM_UP`](crate::WARM_UP) unless asked otherwise.
    pub warm_up: u64,
}

/// A family of workloads: one kind of work at several sizes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Family {
    /// Its name, as in the specification of the benchmarks.
    pub id: &'static str,
    /// One line.
    pub summary: &'static str,
    /// What the time is divided by.
    pub unit: Unit,
    /// Numbers of nodes, to be rounded to what can be built.
    pub sizes: &'static [u64],
    /// More of them, for whoever has the time.
    pub long_sizes: &'static [u64],
}

/// Rows whose samples are taken in turn: one family at one size.
#[derive(Debug)]
pub struct Group {
    /// The family.
    pub family: &'static Family,
    /// The number of nodes asked for.
    pub nodes: u64,
    /// The rows.
    pub rows: Vec<Row>,
}

/// One way to do the work.
pub struct Row {
    /// What is special about it: rung, parameters.
    pub variant: String,
    /// Whether it is the naive loop that the others are compared with.
    pub naive: bool,
    /// Whether it uses more than one thread.
    pub parallel: bool,
    /// Whether its result is the same for any number of threads.
    pub reproducible: bool,
    build: Build,
}

type Build = Box<dyn Fn() -> Result<Box<dyn Work>, AskError> + Send + Sync>;

impl Row {
    /// A row that uses threads and whose result does not depend on their number. `build` gives the same every time.
    pub fn new(
        variant: impl Into<String>,
        build: impl Fn() -> Result<Box<dyn Work>, AskError> + Send + Sync + 'static,
    ) -> Self {
        Self {
            variant: variant.into(),
            naive: false,
            parallel: true,
            reproducible: true,
            build: Box::new(build),
        }
    }

    /// The naive loop: one thread, no cleverness.
    #[must_use]
    pub fn naive(self) -> Self {
        Self { naive: true, parallel: false, ..self }
    }

    /// One thread does it all.
    #[must_use]
    pub fn alone(self) -> Self {
        Self { parallel: false, ..self }
    }

    /// The same under another name.
    pub(crate) fn named(self, variant: String) -> Self {
        Self { variant, ..self }
    }

    /// The result depends on who comes first.
    pub(crate) fn unordered(self) -> Self {
        Self { reproducible: false, ..self }
    }

    /// Builds the work and warms it up. The result is a function of the row: every call gives the same.
    ///
    /// # Errors
    ///
    /// [`AskError`] if the size cannot be, or needs more memory than the limit; nothing large has been allocated then.
    pub fn build(&self) -> Result<Box<dyn Work>, AskError> {
        (self.build)()
    }
}

impl fmt::Debug for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.variant)
    }
}

/// A size that cannot be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AskError {
    message: String,
}

impl AskError {
    /// With a message that says what would be accepted.
    pub fn new(message: impl fmt::Display) -> Self {
        Self { message: message.to_string() }
    }
}

impl From<TooLarge> for AskError {
    fn from(error: TooLarge) -> Self {
        Self::new(error)
    }
}

impl fmt::Display for AskError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for AskError {}
