//! R ⊆ L; the ports of W are in L, and W has one result per port.

use acrasin_runtime::exclusion::Exclusion;
use acrasin_runtime::exclusion::local::{Memory, Message};
use acrasin_runtime::{CriticalSection, World};

use super::{Property, each_node};

/// Only members of the lock set answer, and only once (Algorithm 1). So |W| = |L| implies that all members have
/// answered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RepliesOfLockSet;

impl<E, S> Property<E, S> for RepliesOfLockSet
where
    E: Exclusion<Memory = Memory, Message = Message>,
    S: CriticalSection,
{
    fn name(&self) -> &'static str {
        "R and W answer L"
    }
    fn source(&self) -> &'static str {
        "Algorithm 1"
    }
    fn check(&self, world: &World<E, S>) -> Result<(), String> {
        each_node(world, |_, memory| {
            let (lock_set, replied) = (memory.lock_set(), memory.replied());
            let (won, lost) = (memory.won(), memory.lost());
            let right = replied.is_subset(lock_set)
                && won.is_subset(lock_set)
                && lost.is_subset(lock_set)
                && won.is_disjoint(lost);
            (!right).then(|| format!("L={lock_set} R={replied} won={won} lost={lost}"))
        })
    }
}
