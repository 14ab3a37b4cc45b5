//! Rounds in which many pairs interact at the same time: random matchings.
//!
//! | module | what |
//! |---|---|
//! | `complete` | everybody is matched, by counts |
//! | `graph` | a maximal matching of a graph, one state an agent |

mod complete;
mod graph;

pub use complete::{Matched, MatchedPopulation};
pub use graph::MatchedGraph;
