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
//! # States of your own
//!
//! A state is anything that is `Clone + Send + Sync`; nothing compares, hashes or prints it. Heat that spreads over a torus, in
//! floating-point numbers, on all cores, with the same bits for every number of threads:
//!
//! ```
//! use acrasin_engine::draw::NodeDraws;
//! use acrasin_engine::waves::{Held, Task, Waves};
//! use acrasin_engine::{Draws, Lattice, LatticeKind};
//!
//! /// A node and its neighbours take their mean.
//! struct Level;
//!
//! impl Task for Level {
//!     type State = f64;
//!     type Outcome = ();
//!     fn enter<H: Held<State = f64>>(&self, held: &mut H, _: &mut NodeDraws) {
//!         let sum: f64 = (1..=held.ports()).filter_map(|port| held.neighbour(port)).sum();
//!         let mean = (*held.own() + sum) / f64::from(1 + held.degree());
//!         *held.own_mut() = mean;
//!         for port in 1..=held.ports() {
//!             if let Some(neighbour) = held.neighbour_mut(port) {
//!                 *neighbour = mean;
//!             }
//!         }
//!     }
//! }
//!
//! let run = || -> Result<Vec<f64>, acrasin_engine::network::LatticeError> {
//!     let mut heat = vec![0.0; 100];
//!     heat[42] = 100.0;
//!     let mut waves = Waves::new(Lattice::new(LatticeKind::Square, 10, 10)?, Draws::new(1));
//!     for wave in 0..50 {
//!         waves.run(wave, &Level, &mut heat);
//!     }
//!     Ok(heat)
//! };
//! let heat = run()?;
//! assert!((heat.iter().sum::<f64>() - 100.0).abs() < 1e-9 && heat.iter().all(|level| (level - 1.0).abs() < 0.01));
//! assert_eq!(run()?, heat);
//! # Ok::<(), acrasin_engine::network::LatticeError>(())
//! ```
//!
//! F1 gives such states disjoint lock sets and an order that could have happened under the messages. It does not give the
//! messages, their number, or changes of the graph in the middle of a wave: [`LockLayer`](acrasin_runtime::LockLayer) does.
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
