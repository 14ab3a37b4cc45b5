//! The trait of network constructors: a transition function on two agents and their edge.

use std::fmt::Debug;

/// A protocol in which the edge between two agents also has a state: active or not.
pub trait Constructor {
    /// The state of an agent.
    type State: Copy + Eq + Debug;

    /// The initial state of every agent; initially no edge is active.
    fn start(&self) -> Self::State;

    /// The states of initiator and responder after they interact, and whether the edge between them is active
    /// afterwards.
    fn transition(
        &self,
        initiator: Self::State,
        responder: Self::State,
        is_active: bool,
    ) -> (Self::State, Self::State, bool);
}
