//! F1: disjoint lock sets, without messages.
//!
//! The lock layer guarantees that a node acts alone with its closed neighbourhood. F1 executes only this guarantee, not
//! the messages that provide it. In a *wave* every node has one turn, in an order drawn from seed and wave, and enters
//! its critical section if it wants to. A node acts at the same time as others if its closed neighbourhood is disjoint
//! from those of all earlier unfinished nodes. The result equals that of the sequential order, bit for bit, for every
//! number of threads.
//!
//! - [`WaveTask`] is the code that a node runs on the states to which it has access ([`Held`]); [`SectionTask`] makes a
//!   task of any critical section of the runtime.
//! - [`PairTable`] is a task in the form of a table of pairs of states; [`TaskWaves::meet`] runs it at twice the speed
//!   of other tasks.
//! - [`CompletePairs`] runs waves of pairs on the complete graph, without a list of edges.
//! - [`TaskWaves`] runs waves. [`WaveScheme`] selects how nodes that may act at the same time are found: by dividing
//!   the graph into tiles if it has locality, otherwise by competition for closed neighbourhoods.
//! - [`Journal`] records a wave; [`replay`](fn@replay) is the oracle, which runs the turns of an order one after
//!   another.
//! - [`workload`] has the task for tests and benchmarks.
//!
//! # States of your own
//!
//! A state is any type that is `Clone + Send + Sync`; nothing compares, hashes or prints it. This example spreads
//! heat over a torus in floating-point numbers, on all cores, with the same bits for every number of threads:
//!
//! ```
//! use acrasin_engine::draw::NodeDraws;
//! use acrasin_engine::waves::{Held, WaveTask, TaskWaves};
//! use acrasin_engine::{Draws, Lattice, LatticeKind};
//!
//! /// A node and its neighbours take their mean.
//! struct Level;
//!
//! impl WaveTask for Level {
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
//!     let mut waves = TaskWaves::new(Lattice::new(LatticeKind::Square, 10, 10)?, Draws::new(1));
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
//! F1 gives such states disjoint lock sets and an order that is possible with messages. It does not simulate messages
//! or count them, and the graph cannot change within a wave: for these use [`LockLayer`](acrasin_runtime::LockLayer).
//!
//! # Why an order
//!
//! Colouring the graph, or letting threads acquire locks, also prevents neighbours from acting at the same time. But
//! with a colouring the order is the same in every wave, and with locks of threads the result depends on timing. A
//! random order that is computed, not stored, costs less than a nanosecond per node; [`TaskWaves`] describes its
//! guarantees.

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
pub use journal::{EntryJournal, EntryOrder, Journal};
pub use replay::replay;
pub use run::TaskWaves;
pub use scheme::{Cost, SchemeError, WaveScheme};
pub use task::{Held, SectionTask, WaveTask};
pub use wave::{Wave, WaveEffort};
