//! [`RequestOwner`]: the node whose critical section a message is about.

use crate::node::NodeId;

/// The node whose critical section a message is about, or the node from whose requests that node can be found.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RequestOwner {
    /// A node that may [ask](super::AlgorithmLabels::asks_for) on behalf of others, if any. If this node asks now, the
    /// owner is the node at the end of the chain of nodes that ask for each other.
    pub asker: Option<NodeId>,
    /// The owner if `asker` does not ask.
    pub client: NodeId,
    /// Whether this message gives the asker what it asked for.
    pub is_served: bool,
}

/// A function of a message, its sender and its receiver. It returns the owner of the section that the message is about.
pub type RequestOwnerOf<M> = fn(M, NodeId, NodeId) -> RequestOwner;

impl RequestOwner {
    /// Creates an owner that is this node, regardless of other nodes' requests.
    #[must_use]
    pub const fn new(client: NodeId) -> Self {
        Self { asker: None, client, is_served: false }
    }
}
