//! Mutual exclusion algorithms by name: `exclusion: …` in a scenario.
//!
//! An [`ExclusionEntry`] is a name with its parameters. From values of the parameters it makes a [`ResolvedExclusion`]:
//! the algorithm, and the initial knowledge of its nodes on any graph.

mod bounds;
mod catalogue;
mod critical_sections;
mod entry;
mod interior;
mod local;
mod resolved_exclusion;
mod tree_token;

pub use catalogue::Exclusions;
pub use entry::{ExclusionEntry, ExclusionSite};
pub use resolved_exclusion::{AnyExclusion, ResolvedExclusion};
pub(crate) use resolved_exclusion::{SeatedAlgorithm, SeatedVisitor};
