//! Which workloads there are, at which sizes, and how each row is built.

use std::fmt;

use super::{Unit, Work, lock_rounds, tasks};
use crate::round::{MemoryLimit, TooLarge};

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
    /// Rounds before the first sample of rows that have rounds: [`WARM_UP`](super::WARM_UP) unless asked otherwise.
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

/// All families.
pub const FAMILIES: &[Family] = &[
    Family {
        id: "L1",
        summary: "closed-neighbourhood tasks on a square torus: lock sets without messages",
        unit: Unit::Task,
        sizes: &[1 << 14, 1 << 20],
        long_sizes: &[],
    },
    Family {
        id: "M1",
        summary: "the lock protocol on a triangular torus, permanent demand",
        unit: Unit::Activation,
        sizes: &[10_000, 1_000_000],
        long_sizes: &[10_000_000],
    },
    Family {
        id: "M2",
        summary: "the lock protocol on a random 8-regular graph, permanent demand",
        unit: Unit::Activation,
        sizes: &[10_000, 1_000_000],
        long_sizes: &[],
    },
    Family {
        id: "M3",
        summary: "the lock protocol while edges come and go; half of the nodes active",
        unit: Unit::Activation,
        sizes: &[10_000, 1_000_000],
        long_sizes: &[],
    },
    Family {
        id: "M4",
        summary: "messages per Lock against demand and K; half of the nodes active; checks messages = d (6 + 2 T)",
        unit: Unit::Activation,
        sizes: &[128 * 128],
        long_sizes: &[],
    },
    Family {
        id: "P6",
        summary: "interactions with a random neighbour whose transition costs 10, 100, 1000 ns",
        unit: Unit::Interaction,
        sizes: &[1 << 20],
        long_sizes: &[],
    },
];

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
    pub(super) fn named(self, variant: String) -> Self {
        Self { variant, ..self }
    }

    /// The result depends on who comes first.
    pub(super) fn unordered(self) -> Self {
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

/// The groups that were asked for, in the order of [`FAMILIES`]. Nothing is built yet, but every size has been checked:
/// what does not fit is refused here, before anything runs.
///
/// # Errors
///
/// A size that a family cannot build, or that needs more memory than the limit.
pub fn groups(ask: &Ask) -> Result<Vec<Group>, AskError> {
    groups_of(FAMILIES, ask, rows)
}

/// The groups of these families that were asked for; `rows` makes the rows of a family at a size.
///
/// # Errors
///
/// Those of `rows`.
pub fn groups_of(
    families: &'static [Family],
    ask: &Ask,
    rows: impl Fn(&str, u64, &Ask) -> Result<Vec<Row>, AskError>,
) -> Result<Vec<Group>, AskError> {
    let mut groups = Vec::new();
    for family in families {
        if !ask.families.is_empty() && !ask.families.contains(&family.id) {
            continue;
        }
        let long = if ask.full { family.long_sizes } else { &[] };
        let own: Vec<u64> = family.sizes.iter().chain(long).copied().collect();
        for &nodes in if ask.nodes.is_empty() { &own } else { &ask.nodes } {
            let rows = rows(family.id, nodes, ask)
                .map_err(|error| AskError::new(format_args!("{} at {nodes} nodes: {error}", family.id)))?;
            groups.push(Group { family, nodes, rows });
        }
    }
    Ok(groups)
}

/// The naive loop of the message families is measured up to this many nodes: a round of a million takes it seconds.
const NAIVE_NODES_MAX: u64 = 20_000;

fn rows(family: &str, nodes: u64, ask: &Ask) -> Result<Vec<Row>, AskError> {
    match family {
        "L1" => tasks::closed_neighbourhoods(nodes, ask),
        "M1" => lock_rounds::permanent(nodes, NAIVE_NODES_MAX, ask),
        "M2" => lock_rounds::regular(nodes, NAIVE_NODES_MAX, ask),
        "M3" => lock_rounds::changing(nodes, ask),
        "M4" => lock_rounds::demands(nodes, ask),
        "P6" => tasks::interactions(nodes, ask),
        other => Err(AskError::new(format_args!("no family {other}"))),
    }
}
