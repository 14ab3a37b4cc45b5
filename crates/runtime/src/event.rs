//! Events that observers of a run receive.

use crate::exclusion::{Anomaly, Exclusion};
use crate::node::NodeId;
use crate::port::PortSet;
use crate::section::CriticalSection;

/// An event inside a step. Observers get shared references; a run does not depend on its observers.
pub enum Event<'a, E: Exclusion, S: CriticalSection> {
    /// A node executed an action.
    Executed {
        /// The node that executed the action.
        node: NodeId,
        /// The executed action.
        action: E::Action,
    },
    /// A message was sent and is now in transit.
    Sent {
        /// The sender.
        from: NodeId,
        /// The receiver; the sender itself for a message on port 0.
        to: NodeId,
        /// The message.
        message: E::Message,
    },
    /// An action reported a note. Each algorithm defines its own notes.
    Noted {
        /// The node that executed the action.
        node: NodeId,
        /// The reported note.
        note: E::Note,
    },
    /// A Lock succeeded.
    Granted {
        /// The node whose Lock succeeded.
        node: NodeId,
        /// The ports of its lock set, 0 among them.
        lock_set: &'a PortSet,
    },
    /// A holder ran its critical section.
    Entered {
        /// The holder that ran it.
        node: NodeId,
        /// The outcome of the section.
        outcome: &'a S::Outcome,
    },
    /// An Unlock is complete.
    Released {
        /// The node that called Unlock.
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
        /// The number of messages in transit that were lost.
        lost: u32,
        /// The number of discarded messages that had not left yet. Only executions in several steps have such messages.
        unsent: u32,
    },
    /// A node ignored a call, or received a message that its algorithm excludes.
    Anomaly {
        /// The node that ignored the call or received the message.
        node: NodeId,
        /// The kind of anomaly.
        anomaly: Anomaly,
    },
}
