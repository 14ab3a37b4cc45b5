//! The digest of a configuration.

use acrasin_process::Process;
use acrasin_runtime::Digest;

/// The digest of the current configuration, as records contain it for the last one.
///
/// ```
/// use acrasin_protocols::{Table, library::Fratricide, uniform::MatchedGraph};
/// use acrasin_scenario::plan::configuration_digest;
///
/// let table = Table::compile(&Fratricide)?;
/// let agents = |states| MatchedGraph::new(&table, states, vec![[0, 1], [1, 2]], 1);
/// let placed = |states| agents(states).map(|agents| configuration_digest(&agents));
/// assert_ne!(placed(&[0, 1, 1])?, placed(&[1, 0, 1])?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn configuration_digest(process: &(impl Process + ?Sized)) -> Digest {
    Digest(process.digest())
}
