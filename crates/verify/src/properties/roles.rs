//! A, C and H are pairwise disjoint; H ≠ {} only while C ≠ {}; the lock's owner is in none of them.

use acrasin_runtime::exclusion::Exclusion;
use acrasin_runtime::exclusion::local::{Memory, Message};
use acrasin_runtime::{CriticalSection, World};

use super::{Property, each_node};

/// A node has at most one of the roles applicant, candidate, and on hold. Nodes are on hold only while there are
/// candidates. The owner of the lock has none of the three roles (Table 1).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RolesApart;

impl<E, S> Property<E, S> for RolesApart
where
    E: Exclusion<Memory = Memory, Message = Message>,
    S: CriticalSection,
{
    fn name(&self) -> &'static str {
        "A, C, H and the lock's owner apart"
    }
    fn source(&self) -> &'static str {
        "Table 1"
    }
    fn check(&self, world: &World<E, S>) -> Result<(), String> {
        each_node(world, |_, memory| {
            let (candidates, applicants) = (memory.candidates(), memory.applicants());
            let (on_hold, lock) = (memory.on_hold(), memory.lock);
            let apart = candidates.is_disjoint(applicants)
                && candidates.is_disjoint(on_hold)
                && applicants.is_disjoint(on_hold);
            let waits_for_a_node = on_hold.is_empty() || !candidates.is_empty();
            let sets = [candidates, applicants, on_hold];
            let owner_apart = lock.is_none_or(|port| sets.iter().all(|set| !set.contains(port)));
            (!(apart && waits_for_a_node && owner_apart))
                .then(|| format!("C={candidates} A={applicants} H={on_hold} lock={lock:?}"))
        })
    }
}
