//! Protocols with too many states for a table: states are numbered when they first occur.
//!
//! A [`Protocol`](crate::Protocol) is a function on a type of states. The type may have 10^9 values, but only a few
//! thousand occur in a run. A [`Discovery`] numbers these in the order in which they first occur, and caches the result
//! of each pair in rows that grow on demand. A [`LazyPopulation`] of agents runs on a discovery, on the complete graph
//! or on the edges of any other graph.
//!
//! ```
//! use acrasin_protocols::{lazy, library::{Contest, LeaderRole}};
//!
//! // 131072 states: a table of all pairs would take 64 GiB.
//! let contest = Contest::new(u16::MAX)?;
//! let discovery = lazy::Discovery::new(&contest);
//! let start = vec![contest.start(); 1000];
//! let mut population = lazy::LazyPopulation::complete(&discovery, &start, 1)?;
//! assert!(population.run_until_count(|rival| rival.role == LeaderRole::Leader, |leaders| leaders == 1, 10_000_000));
//! assert!(discovery.state_count() < 10_000);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod discovery;
mod memory;
mod population;

pub use discovery::{Discovery, MetPairs};
pub use memory::{Memory, MemoryRows};
pub(crate) use population::ChangeSearch;
pub use population::LazyPopulation;
