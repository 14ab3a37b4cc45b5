//! [`LockSets`]: algorithms that lock a node together with its neighbours.

use super::{Exclusion, Role};
use crate::port::{Port, PortsRef};

/// An algorithm whose holder holds certain neighbours and knows them by port. Pairs, groups and amoebots need
/// it.
pub trait LockSets: Exclusion {
    /// The ports of the lock set according to the node's memory. Meaningful while the node is
    /// [`Status::Holding`](super::Status::Holding).
    fn lock_set<'m>(&self, memory: &'m Self::Memory) -> PortsRef<'m>;
    /// The port whose owner has locked this node, if any.
    fn locked_by(&self, memory: &Self::Memory) -> Option<Port>;
    /// The side of a Lock or Unlock on which a message travels.
    fn role(&self, message: Self::Message) -> Role;

    /// The competitors that this member serves before the owner of `port`. `None` if it keeps no node on that
    /// port waiting. Called only for a caller that would wait forever.
    fn kept_behind<'m>(&self, _memory: &'m Self::Memory, _port: Port) -> Option<PortsRef<'m>> {
        None
    }
}
