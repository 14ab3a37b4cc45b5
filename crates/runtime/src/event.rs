//! Events that observers of a run receive.

use crate::exclusion::{Anomaly, Exclusion};
use crate::node::NodeId;
use crate::port::PortSet;
use crate::section::CriticalSection;

/// An event inside a step. Observers get shared references; a run does not depend on its observers.
pub enum Event<'a, E: Exclusion, S: CriticalSection> {
    /// A node executed an action.
    Executed {
        /// The node.
        node: NodeId,
        /// The action.
        action: E::Action,
    },
    /// A message is in transit.
    Sent {
        /// The sender.
        from: NodeId,
        /// The receiver; the sender itself for a message on port 0.
        to: NodeId,
        /// The message.
        message: E::Message,
    },
    /// An action reported a note, which only its algorithm defines.
    Noted {
        /// The node.
        node: NodeId,
        /// The note.
        note: E::Note,
    },
    /// A Lock succeeded.
    Granted {
        /// The holder.
        node: NodeId,
        /// The ports of its lock set, 0 among them.
        lock_set: &'a PortSet,
    },
    /// A critical section ran.
    Entered {
        /// The holder.
        node: NodeId,
        /// The outcome of the section.
        outcome: &'a S::Outcome,
    },
    /// An Unlock is complete.
    Released {
        /// The node.
        node: NodeId,
    },
    /// An edge appeared.
    Connected {
        /// One end of the edge.
        a: NodeId,
        /// The other end.
        b: NodeId,
    },
    /// An edge vanished.
    Disconnected {
        /// One end of the edge.
        a: NodeId,
        /// The other end.
        b: NodeId,
        /// The messages in transit that were lost.
        lost: u32,
        /// The messages of executions that span time that had not left yet. They are discarded.
        unsent: u32,
    },
    /// A call was ignored, or a message came from the wrong node.
    Anomaly {
        /// The node.
        node: NodeId,
        /// The anomaly.
        anomaly: Anomaly,
    },
}
