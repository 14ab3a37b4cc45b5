//! Named protocols without a table: protocols with too many states for a table, or with states of edges.
//!
//! Agents are counted by classes of states. A [`LazyModel`] defines the classes and the initial states, and runs
//! agents. A [`LazyEntry`] makes a model from parameters, and the [`LazyCatalogue`] lists the built-in entries.
//!
//! ```
//! use acrasin_catalogue::parameter::Values;
//! use acrasin_protocols::uniform::{Advance, Condition, RunBound};
//! use acrasin_protocols::lazy_library::{LazyCatalogue, LazyStart};
//!
//! /// One contender is left.
//! struct Elected;
//!
//! impl Condition for Elected {
//!     fn holds(&self, counts: &[u64]) -> bool {
//!         counts[0] == 1
//!     }
//! }
//!
//! let entry = *LazyCatalogue::shipped().find("junta-leader").unwrap();
//! let model = entry.build(&Values::default())?;
//! assert_eq!((model.classes()[0].as_str(), model.starts()), ("contender", &["contender"][..]));
//! let start = LazyStart { agents: vec![0; 200], edges: None };
//! model.run(&start, 1, &mut |agents| {
//!     let bound = RunBound { interactions: 1_000_000, ..RunBound::NONE };
//!     assert_eq!(agents.advance(&bound, Some(&Elected)), Advance::Held);
//! })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod built;
mod catalogue;
mod clocked_majority;
mod constructors;
mod entry;
mod junta_leader;
mod model;
mod state_classes;
mod two_hop_colouring;

pub use catalogue::LazyCatalogue;
pub use entry::{LazyEntry, MakeLazyModel};
pub use model::{LazyModel, LazyStart};
