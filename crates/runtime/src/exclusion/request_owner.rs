//! [`RequestOwner`]: the node whose critical section a message is about.

use crate::node::NodeId;

/// The node whose critical section a message is about, as far as the message tells.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RequestOwner {
    /// If this node [asks](super::AlgorithmLabels::asks_for) now, for itself or for another node, the owner is the
    /// node for which it finally asks.
    pub asker: Option<NodeId>,
    /// The owner if `asker` does not ask.
    pub client: NodeId,
    /// Whether this message gives the asker what it asked for.
    pub is_served: bool,
}

/// Finds the owner of the section that a message is about from the message, its sender and its receiver.
pub type RequestOwnerOf<M> = fn(M, NodeId, NodeId) -> RequestOwner;

impl RequestOwner {
    /// The section of this node, regardless of which node asks.
    #[must_use]
    pub const fn new(client: NodeId) -> Self {
        Self { asker: None, client, is_served: false }
    }
}
