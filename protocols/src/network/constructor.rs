//! What a network constructor is: a transition function on two agents and their edge.

use std::fmt::Debug;

/// A protocol in which the edge between two agents has a state, too: active or not.
pub trait Constructor {
    /// What an agent remembers.
    type State: Copy + Eq + Debug;

    /// How every agent starts; no edge is active then.
    fn start(&self) -> Self::State;

    /// The states of initiator and responder after they interact, and whether the edge between them is active then.
    fn transition(
        &self,
        initiator: Self::State,
        responder: Self::State,
        is_active: bool,
    ) -> (Self::State, Self::State, bool);
}
