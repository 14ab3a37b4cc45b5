//! L without D is exactly the closed neighbourhood that has persisted since InitLock.

use acrasin_runtime::exclusion::Exclusion;
use acrasin_runtime::exclusion::local::{Memory, Message};
use acrasin_runtime::{CriticalSection, Status, World};

use super::{Property, each_node};

/// While a node waits, L without the ports in D is the node itself and the neighbours connected without interruption
/// since InitLock (Lemma 4.5). A Lock that succeeds now must return this set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PersistentLockSet;

impl<E, S> Property<E, S> for PersistentLockSet
where
    E: Exclusion<Memory = Memory, Message = Message>,
    S: CriticalSection,
{
    fn name(&self) -> &'static str {
        "L without D is the persistent closed neighbourhood"
    }
    fn source(&self) -> &'static str {
        "Lemma 4.5"
    }
    fn check(&self, world: &World<E, S>) -> Result<(), String> {
        each_node(world, |node, memory| {
            if world.status(node) != Status::Waiting {
                return None;
            }
            let mut seen = memory.lock_set().to_set();
            seen.subtract(world.topology().detector(node));
            let persistent = world.persistent_lock_set(node)?;
            (seen != persistent).then(|| format!("L without D is {seen}, persistent is {persistent}"))
        })
    }
}
