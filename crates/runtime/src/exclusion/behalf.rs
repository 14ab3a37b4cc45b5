//! [`Behalf`]: whose critical section a message is about.

use crate::node::NodeId;

/// Whose critical section a message is about, as far as the message says it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Behalf {
    /// If this node [asks](super::Vocabulary::asks_for) at the moment, for itself or for another: the one for whom it asks in the end.
    pub asker: Option<NodeId>,
    /// If not, this node.
    pub client: NodeId,
    /// Whether the asker has got with it what it asked for.
    pub is_served: bool,
}

/// Whose section a message is about, from the message, its sender and its receiver.
pub type BehalfOf<M> = fn(M, NodeId, NodeId) -> Behalf;

impl Behalf {
    /// Of the section of this node, whoever asks.
    #[must_use]
    pub const fn of(client: NodeId) -> Self {
        Self { asker: None, client, is_served: false }
    }
}
