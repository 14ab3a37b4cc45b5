//! Population protocols: definition, analysis, exact simulation, and a library of protocols from the literature.
//!
//! A population protocol is a transition function on pairs of states ([`Protocol`]). Two agents that meet apply this
//! function. A scheduler decides which agents meet: uniformly random pairs ([`uniform_pairs`]), or neighbours under a
//! lock. A protocol with a short list of states is a [`Table`], whether it came from the [`library`], from a file
//! ([`TableSpec`]) or from Rust ([`FiniteProtocol`]).
//!
//! [`uniform_pairs`] is the plain reference that faster simulators are compared with, and [`exact`] gives the numbers
//! for small populations without any sampling.
//!
//! ```
//! use acrasin_protocols::{Table, exact::ExactChain, library::ApproximateMajority};
//!
//! let table = Table::compile(&ApproximateMajority)?;
//! // 6 agents for A, 4 for B, no agent undecided; uniformly random ordered pairs.
//! let chain = ExactChain::explore(&table, &[6, 4, 0])?;
//! let time = chain.hitting(|counts| counts.contains(&10))?;
//! assert!((time.mean - 35.2453).abs() < 1e-4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Where to read next: [`protocol`] has the trait, [`table`] the rules of a file. [`analysis`] finds reachable states
//! and conserved quantities, and [`mod@predicate`] reads claims about counts. [`library`] has the built-in protocols.
//! [`lazy`] is for protocols with too many states for a table, [`network`] for protocols that build a graph, and
//! [`lazy_library`] has both by name.

pub mod analysis;
pub mod exact;
pub mod group;
pub mod lazy;
pub mod lazy_library;
pub mod library;
pub mod locked;
pub mod mean_field;
mod name;
pub mod network;
pub mod predicate;
pub mod protocol;
pub mod reactions;
pub mod table;
pub mod tuple;
pub mod uniform;
pub mod uniform_pairs;

pub use group::GroupRule;
pub use locked::{Interactions, LockedInteraction, Way};
pub use protocol::{FiniteProtocol, Protocol, WeightedOutcomes};
pub use table::{Missing, Rule, Table, TableError, TableErrorKind, TableSpec, WeightedOutcome};
pub use uniform_pairs::UniformPairs;

/// The text of `scenarios/approximate-majority-mobility.ron`: approximate majority among people who walk around and
/// meet. The text is compiled into the program, so that the scenario runs without a file.
pub const APPROXIMATE_MAJORITY_MOBILITY: &str =
    include_str!("../scenarios/approximate-majority-mobility.ron");

/// The hasher of maps, without a random seed, so that equal inputs give equal runs. No result depends on the order of a
/// map.
pub(crate) type SeedlessHasher = std::hash::BuildHasherDefault<std::hash::DefaultHasher>;
