//! Topologies that are not graph families of the catalogue: `topology: …`.

use serde::{Deserialize, Serialize};

use super::quantity::{Count, NonNegative, Positive, Seed};

/// A topology that is not a graph family: a graph from a file, or a graph that changes with time.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "the sizes are self-explanatory; the other fields are documented")]
pub enum TopologySource {
    /// A graph read from a file.
    File {
        /// The path of the file, relative to the folder of the scenario.
        path: String,
        /// The format; by default that of the file's extension.
        format: Option<GraphFormat>,
    },
    /// Recorded contacts: the graph changes with time according to the file.
    Contacts {
        /// The path of the file, relative to the folder of the scenario; a `.gz` file is decompressed.
        path: String,
        /// The format of a line.
        format: ContactFormat,
        /// The treatment of a contact that is listed twice for the same time.
        #[serde(default)]
        duplicates: Duplicates,
        /// The treatment of a contact of a node with itself.
        #[serde(default)]
        self_contacts: SelfContacts,
        /// The treatment of lines out of order.
        #[serde(default)]
        unsorted: Unsorted,
        /// The number of rounds per step of the trace. A step is one resolution of `Instants`, or one second of
        /// `Intervals`.
        rounds_per_step: Count,
    },
    /// Random waypoint walkers in a square. Two walkers are adjacent while their distance is at most `range`.
    Mobility {
        nodes: Count,
        /// Side of the square, in metres.
        side: Positive,
        /// Largest distance of two adjacent nodes, in metres.
        range: Positive,
        /// The lowest and the highest speed of a walk, in metres per second. Speeds are drawn uniformly between them.
        speed: (Positive, Positive),
        /// The longest rest at a waypoint, in seconds.
        pause: NonNegative,
        /// Time between two updates of the distances, in seconds.
        step: Positive,
        /// Length of the trace, in seconds.
        duration: Positive,
        /// The number of rounds per step of the walkers.
        rounds_per_step: Count,
        seed: Option<Seed>,
    },
}

impl TopologySource {
    /// The names of the variants.
    pub const NAMES: &[&str] = &["File", "Contacts", "Mobility"];

    /// Whether the graph changes with time.
    #[must_use]
    pub fn is_trace(&self) -> bool {
        !matches!(self, Self::File { .. })
    }

    /// The path of the file that the topology is read from, if there is one.
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
    /// Two node names per line, `#` comments (SNAP).
    EdgeList,
    /// METIS adjacency lists.
    Metis,
    /// Matrix Market coordinates.
    MatrixMarket,
    /// A graph6 file with one graph.
    Graph6,
    /// Graphviz DOT.
    Dot,
}

/// The format of a line of a contact file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub enum ContactFormat {
    /// `t i j`: i and j were in contact during the `resolution` seconds that end at t.
    Instants {
        /// The length of a contact, in seconds.
        resolution: Count,
    },
    /// `start end i j`: i and j were in contact from `start` to `end`, in seconds.
    Intervals,
}

/// The treatment of a contact that is listed twice for the same time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
pub enum Duplicates {
    /// An error that names the line.
    #[default]
    Refuse,
    /// Both lines are one contact.
    Merge,
}

/// The treatment of a contact of a node with itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
pub enum SelfContacts {
    /// An error that names the line.
    #[default]
    Refuse,
    /// The line is ignored.
    Drop,
}

/// The treatment of lines that are not in order of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
pub enum Unsorted {
    /// An error that names the line.
    #[default]
    Refuse,
    /// The lines are sorted.
    Sort,
}
