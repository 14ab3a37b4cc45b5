//! [`Role`]: on whose behalf a message travels.

/// On whose behalf a message travels over an edge.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Role {
    /// From a node that runs its own Lock or Unlock to a member of its lock set.
    Initiator,
    /// The reply of a member.
    Participant,
}
