//! Rounds of random matchings, in which many pairs interact at the same time.
//!
//! | module | what |
//! |---|---|
//! | `complete` | matchings of all agents, simulated by counts |
//! | `graph` | maximal matchings of a graph, with one stored state per agent |

mod complete;
mod graph;

pub use complete::{Matched, MatchedPopulation};
pub use graph::MatchedGraph;

/// The number of steps of one call: edges examined, agents shuffled, or kinds of pairs drawn. The slowest kind of step
/// takes a quarter of a microsecond, so a call takes up to 16 milliseconds.
pub(in crate::uniform) const AT_ONCE: usize = 1 << 16;
