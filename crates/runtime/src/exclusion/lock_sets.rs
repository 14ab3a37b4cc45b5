//! [`LockSets`]: algorithms that lock a node together with its neighbours.

use super::{Exclusion, Role};
use crate::port::{Port, PortsRef};

/// An algorithm in which a holder also locks neighbours and knows them by their ports. Sections on pairs and groups,
/// and amoebots, need it.
pub trait LockSets: Exclusion {
    /// The ports of the lock set according to the node's memory. Meaningful while the node is
    /// [`Status::Holding`](super::Status::Holding).
    fn lock_set<'m>(&self, memory: &'m Self::Memory) -> PortsRef<'m>;
    /// The port of the neighbour that has locked this node (0: the node itself), if any.
    fn locked_by(&self, memory: &Self::Memory) -> Option<Port>;
    /// The side of a Lock or Unlock on which a message travels.
    fn role(&self, message: Self::Message) -> Role;

    /// The ports of the competitors that this member serves before the neighbour on `port`. `None` if the member does
    /// not make that neighbour wait. Used to find the holder for which a caller would wait forever.
    fn kept_behind<'m>(&self, _memory: &'m Self::Memory, _port: Port) -> Option<PortsRef<'m>> {
        None
    }
}
