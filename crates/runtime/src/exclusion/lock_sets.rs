//! [`LockSets`]: algorithms that lock a node together with neighbours.

use super::{Exclusion, Role};
use crate::port::{Port, PortsRef};

/// An algorithm whose holder holds certain neighbours and knows them by port: what pairs, groups and amoebots need.
pub trait LockSets: Exclusion {
    /// The ports of the lock set, as far as the node knows: meaningful while it is
    /// [`Status::Holding`](super::Status::Holding).
    fn lock_set<'m>(&self, memory: &'m Self::Memory) -> PortsRef<'m>;
    /// The port whose owner has locked this node, if any.
    fn locked_by(&self, memory: &Self::Memory) -> Option<Port>;
    /// On whose behalf a message travels.
    fn role(&self, message: Self::Message) -> Role;

    /// Behind whom a member keeps the owner of `port` waiting: these competitors at the member are served before it.
    /// `None` if it keeps no node there waiting. Only a caller that would wait for ever asks.
    fn kept_behind<'m>(&self, _memory: &'m Self::Memory, _port: Port) -> Option<PortsRef<'m>> {
        None
    }
}
