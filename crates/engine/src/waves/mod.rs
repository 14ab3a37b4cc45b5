//! F1: disjoint lock sets, without messages.
//!
//! What the lock layer guarantees is that a node acts alone with its closed neighbourhood. Here that is all that is
//! executed. In a *wave* every node has one turn, in an order drawn from seed and wave, and enters its critical section
//! if it wants to; nodes whose closed neighbourhoods are disjoint from those of all earlier unfinished ones act at the
//! same time. The outcome is that of the order, bit for bit, for every number of threads.
//!
//! - [`Task`] is what a node does, on what it [`Held`]s; [`Section`] makes one of any critical section of the runtime.
//! - [`PairTable`] is a task that is only a table of pairs of states: [`Waves::meet`] runs it at twice the speed.
//! - [`CompletePairs`] are waves of pairs on the complete graph, which is no list of edges.
//! - [`Waves`] runs waves. [`Scheme`] says how nodes that may act at the same time are found: by cutting the graph into
//!   tiles where it has locality, by competing for closed neighbourhoods elsewhere.
//! - [`Journal`] is what a wave writes down; [`replay`](fn@replay) runs an order one node after another: the oracle.
//! - [`workload`] has what waves are tested and measured with.
//!
//! # Why an order
//!
//! Colouring a graph, or letting threads take locks as they come, also keeps neighbours apart. But then either the order
//! is the same in every wave, or the outcome depends on the threads. A random order that is computed, not stored, costs
//! less than a nanosecond a node; see [`Waves`] for what it promises.

mod batches;
mod check;
mod complete;
mod encounters;
mod journal;
mod neighbourhoods;
mod order;
mod pattern;
mod permutation;
mod replay;
mod run;
mod scheme;
mod task;
mod tiles;
mod tiling;
mod turns;
mod wave;
pub mod workload;

#[cfg(test)]
mod tests;

pub use complete::CompletePairs;
pub use encounters::{PairTable, count_states};
pub use journal::{Entries, Journal, Order};
pub use replay::replay;
pub use run::Waves;
pub use scheme::{Cost, Scheme, SchemeError};
pub use task::{Held, Section, Task};
pub use wave::{Effort, Wave};
