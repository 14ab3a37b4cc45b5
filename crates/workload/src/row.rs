//! Requests for benchmarks, and their rows.

use std::fmt;

use acrasin_engine::round::{MemoryLimit, TooLarge};

use crate::work::{Unit, Workload};

/// A request for benchmarks.
#[derive(Clone, Debug)]
pub struct Ask {
    /// The identifiers of the requested families; empty for all.
    pub families: Vec<&'static str>,
    /// The requested numbers of nodes; empty for the sizes of each family.
    pub nodes: Vec<u64>,
    /// Whether to include the sizes and variants that take long.
    pub full: bool,
    /// The seed of all draws.
    pub seed: u64,
    /// The memory limit of one row.
    pub memory: MemoryLimit,
    /// Whether to check in every round that lock sets are disjoint.
    pub check: bool,
    /// The number of rounds before the first sample, for rows that have rounds. Default: [`WARM_UP`](crate::WARM_UP).
    pub warm_up: u64,
}

/// A family of workloads: one kind of work at several sizes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WorkloadFamily {
    /// The name, as in the specification of the benchmarks.
    pub id: &'static str,
    /// A one-line description.
    pub summary: &'static str,
    /// The unit of work: times are reported per unit.
    pub unit: Unit,
    /// The default numbers of nodes, which are rounded to sizes that can be built.
    pub sizes: &'static [u64],
    /// Larger numbers of nodes, which take long and are only built if [`Ask::full`] is set.
    pub long_sizes: &'static [u64],
}

/// Rows whose samples are interleaved: one family at one size.
#[derive(Debug)]
pub struct WorkloadGroup {
    /// The family of workloads.
    pub family: &'static WorkloadFamily,
    /// The requested number of nodes.
    pub nodes: u64,
    /// The rows whose samples are interleaved.
    pub rows: Vec<WorkloadRow>,
}

/// One implementation of the work of a group.
pub struct WorkloadRow {
    /// The rung, and the parameters that distinguish the row.
    pub variant: String,
    /// Whether the row is the naive loop, the baseline of the other rows.
    pub naive: bool,
    /// Whether the row uses more than one thread.
    pub parallel: bool,
    /// Whether the result of the row is the same for any number of threads.
    pub reproducible: bool,
    build: Build,
}

type Build = Box<dyn Fn() -> Result<Box<dyn Workload>, AskError> + Send + Sync>;

impl WorkloadRow {
    /// A row that uses several threads, and whose result does not depend on their number. `build` must return the same
    /// work every time.
    pub fn new(
        variant: impl Into<String>,
        build: impl Fn() -> Result<Box<dyn Workload>, AskError> + Send + Sync + 'static,
    ) -> Self {
        Self {
            variant: variant.into(),
            naive: false,
            parallel: true,
            reproducible: true,
            build: Box::new(build),
        }
    }

    /// Marks this row as the naive loop, on one thread.
    #[must_use]
    pub fn naive(self) -> Self {
        Self { naive: true, parallel: false, ..self }
    }

    /// Marks this row as using one thread only.
    #[must_use]
    pub fn alone(self) -> Self {
        Self { parallel: false, ..self }
    }

    /// Replaces the name of the row.
    pub(crate) fn named(self, variant: String) -> Self {
        Self { variant, ..self }
    }

    /// Marks the result as dependent on the order of the threads.
    pub(crate) fn unordered(self) -> Self {
        Self { reproducible: false, ..self }
    }

    /// Builds the work and warms it up. Every call returns the same work.
    ///
    /// # Errors
    ///
    /// [`AskError`] if the size is not possible, or needs more memory than the limit. In both cases nothing large has
    /// been allocated.
    pub fn build(&self) -> Result<Box<dyn Workload>, AskError> {
        (self.build)()
    }
}

impl fmt::Debug for WorkloadRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.variant)
    }
}

/// The error of a request with a size that is not possible.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AskError {
    message: String,
}

impl AskError {
    /// An error with a message, which should name the accepted sizes.
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
