//! Who can meet whom: `topology: …`.

use serde::{Deserialize, Serialize};

use super::quantity::{Count, NonNegative, Positive, Probability, Seed};

/// The communication graph, fixed or changing with time.
///
/// Random families draw from their own `seed` if it is written, otherwise from the scenario's.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "sizes that say themselves; the others are documented")]
pub enum Topology {
    /// Nodes in a line.
    Path { nodes: Count },
    /// Nodes in a circle.
    Ring { nodes: Count },
    /// Node 0 adjacent to all others.
    Star { nodes: Count },
    /// Every two nodes adjacent.
    Complete { nodes: Count },
    /// Square lattice with open boundary.
    Grid { rows: Count, columns: Count },
    /// Square lattice without boundary.
    Torus { rows: Count, columns: Count },
    /// Rhombic patch of the triangular lattice.
    Triangular { rows: Count, columns: Count },
    /// Triangular lattice without boundary.
    TriangularTorus { rows: Count, columns: Count },
    /// Uniform among the graphs in which every node has `degree` neighbours.
    RandomRegular { nodes: Count, degree: Count, seed: Option<Seed> },
    /// Every pair an edge with `probability`, independently.
    Gnp { nodes: Count, probability: Probability, seed: Option<Seed> },
    /// Each new node links to `links` older ones, in proportion to their degree.
    BarabasiAlbert { nodes: Count, links: Count, seed: Option<Seed> },
    /// Nodes uniform in the unit square, adjacent within `radius`.
    RandomGeometric { nodes: Count, radius: Positive, seed: Option<Seed> },
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
