//! Interaction graphs and contact traces.
//!
//! A population protocol runs on a graph, whose edges are the possible interactions. This crate generates such graphs
//! and reads them from files. It also generates and reads *contact traces*, which are graphs that change with time:
//! lists of pairs of nodes with the start and end of each contact. The crate does not depend on agents, messages or
//! locks.
//!
//! ```
//! use acrasin_graphs::family::lattice::{Sides, torus};
//!
//! let torus = torus(Sides { rows: 6, columns: 6 })?;
//! assert_eq!((torus.nodes(), torus.edges().len(), torus.degree_max()), (36, 72, 4));
//! assert!(torus.is_connected());
//! # Ok::<(), acrasin_graphs::GraphParameterError>(())
//! ```
//!
//! - [`graph`]: a simple undirected graph, its flat adjacency, its digest.
//! - [`family`]: generators, each a function of its parameters and, where it draws, of a seed.
//! - [`read`] and [`mod@write`]: edge list and SNAP, METIS, Matrix Market, graph6 and digraph6, DOT; plain or `.gz`.
//! - [`trace`]: contact traces from files, and their schedule of topology changes step by step.
//! - [`mobility`]: random waypoint walkers with a disc range, as a trace.
//! - [`limits`]: every limit of this crate, with its reason.
//!
//! Equal parameters and seed give the same graph or trace on every platform. Draws come from explicitly seeded
//! generators. Floating-point operations are exact everywhere or computed in software. Bad input never panics: it is an
//! error that names the position, the value and the accepted values.

mod cells;
pub mod family;
pub mod graph;
pub mod limits;
pub mod mobility;
mod parameter;
pub mod read;
#[cfg(test)]
mod statistics;
pub mod trace;
pub mod write;

pub use family::Family;
pub use graph::{Adjacency, Graph, GraphError, NodeLabels};
pub use parameter::GraphParameterError;
pub use read::{FileFormat, Loaded, ReadError, ReadNotes};
pub use trace::{Contact, ContactSchedule, ContactTrace};
