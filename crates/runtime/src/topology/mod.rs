//! The time-varying graph `G = (V, E, T, ρ)`: which ports carry an edge now, and what each node's disconnection
//! detector has not yet reported.
//!
//! - [`Topology`]: ports, edge instances, `connect` and `disconnect`.
//! - [`CandidateEdge`]: an edge that may exist.
//! - [`TopologyError`]: why a change is not allowed.
//! - [`dynamics`](mod@dynamics): adversaries that change the graph while an algorithm runs.

mod candidate;
pub mod dynamics;
mod error;
mod graph;

pub use candidate::CandidateEdge;
pub use error::TopologyError;
pub use graph::{Edge, Link, Topology, Traffic};
