//! The property that no reachable configuration is dead (Corollary 4.10). A dead configuration would violate lockout
//! freedom (Theorem 4.1).

use acrasin_runtime::exclusion::Exclusion;
use acrasin_runtime::{CriticalSection, World};

/// The name of the property in reports.
pub const NAME: &str = "no dead configuration";
/// The corollary of the paper that states the property.
pub const SOURCE: &str = "Corollary 4.10";

/// Checks that some node can act, or that no call is outstanding. `own` is the number of steps that the nodes can take.
///
/// # Errors
///
/// A description of the dead configuration.
pub fn check<E: Exclusion, S: CriticalSection>(world: &World<E, S>, own: usize) -> Result<(), String> {
    let outstanding = world.outstanding();
    if own > 0 || outstanding == 0 {
        return Ok(());
    }
    let calls = if outstanding == 1 { "one call is" } else { "calls are" };
    Err(format!("dead: no action is enabled, nothing is in transit, and {calls} outstanding ({outstanding})"))
}
