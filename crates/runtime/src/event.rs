//! What observers of a run are told.

use crate::exclusion::{Anomaly, Exclusion};
use crate::node::NodeId;
use crate::port::PortSet;
use crate::section::CriticalSection;

/// Something that happened. Observers get shared references; a run does not depend on whether anybody looks.
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
    /// An action announced something of its algorithm's own.
    Noted {
        /// Where.
        node: NodeId,
        /// What.
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
        /// What the section reports.
        outcome: &'a S::Outcome,
    },
    /// An Unlock is complete.
    Released {
        /// The node.
        node: NodeId,
    },
    /// An edge appeared.
    Connected {
        /// One end.
        a: NodeId,
        /// The other.
        b: NodeId,
    },
    /// An edge vanished.
    Disconnected {
        /// One end.
        a: NodeId,
        /// The other.
        b: NodeId,
        /// The messages in transit that were lost.
        lost: u32,
        /// The messages of executions that span time that had not left yet, and never do.
        unsent: u32,
    },
    /// A call was ignored, or a message came from the wrong node.
    Anomaly {
        /// Where.
        node: NodeId,
        /// What.
        anomaly: Anomaly,
    },
}
