//! Who can meet whom: `topology: …`, where it is no graph family of the catalogue.

use serde::{Deserialize, Serialize};

use super::quantity::{Count, NonNegative, Positive, Seed};

/// A topology that is no graph family: its graph is read, or changes with time.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "sizes that say themselves; the others are documented")]
pub enum Topology {
    /// A graph read from a file.
    File {
        /// Relative to the folder of the scenario.
        path: String,
        /// By the extension if it is not written.
        format: Option<GraphFormat>,
    },
    /// Recorded contacts: the graph changes with time as the file says.
    Contacts {
        /// Relative to the folder of the scenario; `.gz` is read as it is.
        path: String,
        /// What a line of the file says.
        format: ContactFormat,
        /// What to do with a contact that is listed twice for the same time.
        #[serde(default)]
        duplicates: Duplicates,
        /// What to do with a contact of somebody with themselves.
        #[serde(default)]
        self_contacts: SelfContacts,
        /// What to do with lines out of order.
        #[serde(default)]
        unsorted: Unsorted,
        /// Rounds that the algorithms run in one step of the trace (one resolution of `Instants`, one
        /// second of `Intervals`).
        rounds_per_step: Count,
    },
    /// Random waypoint walkers in a square, adjacent within a disc range: a graph that changes with time.
    Mobility {
        nodes: Count,
        /// Side of the square, metres.
        side: Positive,
        /// Largest distance of two adjacent nodes, metres.
        range: Positive,
        /// Slowest and fastest speed of a leg, metres per second; uniform between them.
        speed: (Positive, Positive),
        /// Rest at each waypoint, seconds.
        pause: NonNegative,
        /// Time between two looks at the distances, seconds.
        step: Positive,
        /// Length of the trace, seconds.
        duration: Positive,
        /// Rounds that the algorithms run in one step.
        rounds_per_step: Count,
        seed: Option<Seed>,
    },
}

impl Topology {
    /// Their names.
    pub const NAMES: &[&str] = &["File", "Contacts", "Mobility"];

    /// Whether the graph changes with time.
    #[must_use]
    pub fn is_trace(&self) -> bool {
        !matches!(self, Self::File { .. })
    }

    /// The file that it is read from, if it is.
    #[must_use]
    pub fn path(&self) -> Option<&str> {
        match self {
            Self::File { path, .. } | Self::Contacts { path, .. } => Some(path),
            Self::Mobility { .. } => None,
        }
    }
}

/// The format of a graph file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
pub enum GraphFormat {
    /// Two node names a line, `#` comments (SNAP).
    EdgeList,
    /// METIS adjacency lists.
    Metis,
    /// Matrix Market coordinates.
    MatrixMarket,
    /// graph6, one graph.
    Graph6,
    /// Graphviz DOT.
    Dot,
}

/// What a line of a contact file says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub enum ContactFormat {
    /// `t i j`: i and j were in contact during the `resolution` seconds that end at t.
    Instants {
        /// Seconds.
        resolution: Count,
    },
    /// `start end i j`: in contact from `start` to `end`, seconds.
    Intervals,
}

/// What to do with a contact that is listed twice for the same time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
pub enum Duplicates {
    /// An error with the line.
    #[default]
    Refuse,
    /// Both lines are one contact.
    Merge,
}

/// What to do with a contact of somebody with themselves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
pub enum SelfContacts {
    /// An error with the line.
    #[default]
    Refuse,
    /// The line is left out.
    Drop,
}

/// What to do with lines that are not in the order of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
pub enum Unsorted {
    /// An error with the line.
    #[default]
    Refuse,
    /// The lines are sorted.
    Sort,
}
