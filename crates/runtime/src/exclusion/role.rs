//! [`Role`]: the side of a Lock or Unlock on which a message travels.

/// The side of a Lock or Unlock on which a message travels over an edge.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Role {
    /// Sent by a node that runs its own Lock or Unlock, to a member of its lock set.
    Initiator,
    /// The reply of a member.
    Participant,
}
