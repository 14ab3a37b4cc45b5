//! The time-varying graph `G = (V, E, T, ρ)`: the ports that carry an edge now, and the unread disconnection
//! detector of each node.
//!
//! - [`Topology`]: ports, edge instances, `connect` and `disconnect`.
//! - [`CandidateEdge`]: an edge that may exist.
//! - [`TopologyError`]: errors of a change that is not allowed.
//! - [`dynamics`](mod@dynamics): adversaries that change the graph while an algorithm runs.

mod candidate;
pub mod dynamics;
mod error;
mod graph;

pub use candidate::CandidateEdge;
pub use error::TopologyError;
pub use graph::{Edge, Link, Topology, Traffic};
