//! Network constructors: agents and the edges between them have states, and build a graph.
//!
//! Each pair of agents has an edge that is active or not. When two agents interact, the new states of both agents and
//! of their edge depend on the three old states ([`Constructor`]). A [`Network`] runs a constructor on the complete
//! graph under the uniform scheduler. [`Links`] are the active edges, with tests for their shape. Source: Michail,
//! Spirakis, "Simple and efficient local codes for distributed stable network construction", PODC 2014, Distributed
//! Computing 29 (2016).
//!
//! ```
//! use acrasin_protocols::network::{GlobalStar, Network};
//!
//! let mut network = Network::new(&GlobalStar, 20, 1)?;
//! assert!(network.run_until(|network| network.links().is_spanning_star(), 100_000));
//! assert_eq!(network.links().count(), 19);
//! # Ok::<(), acrasin_protocols::uniform_pairs::PopulationError>(())
//! ```

mod constructor;
mod cycle_cover;
mod global_line;
mod global_star;
mod links;
mod population;
mod shape;

pub use constructor::Constructor;
pub use cycle_cover::CycleCover;
pub use global_line::{GlobalLine, OnLine};
pub use global_star::{GlobalStar, OnStar};
pub use links::Links;
pub use population::{MAX_AGENTS, Network};
