//! Rounds in which many pairs interact at the same time: random matchings.
//!
//! | module | what |
//! |---|---|
//! | `complete` | every agent is matched, by counts |
//! | `graph` | a maximal matching of a graph, one state an agent |

mod complete;
mod graph;

pub use complete::{Matched, MatchedPopulation};
pub use graph::MatchedGraph;

/// Steps of one call: looks at edges, agents that are shuffled, or kinds of pairs that are drawn. The slowest take a
/// quarter of a microsecond, so that a call takes some milliseconds.
pub(in crate::uniform) const AT_ONCE: usize = 1 << 16;
