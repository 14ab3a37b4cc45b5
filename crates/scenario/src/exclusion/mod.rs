//! Mutual exclusion algorithms by name: `exclusion: …` in a scenario.
//!
//! An [`ExclusionEntry`] is a name with its parameters. Their values make a [`ResolvedExclusion`]: the algorithm, and
//! the initial knowledge of its nodes on any graph.

mod bounds;
mod catalogue;
mod chosen;
mod critical_sections;
mod entry;
mod interior;
mod local;
mod tree_token;

pub use catalogue::Exclusions;
pub use chosen::{AnyExclusion, ResolvedExclusion};
pub(crate) use chosen::{SeatedAlgorithm, SeatedVisitor};
pub use entry::{ExclusionEntry, ExclusionSite};
