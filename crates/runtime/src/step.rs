//! [`Step`]: everything that can happen next, as one flat enum.

use std::fmt;

use crate::exclusion::{AssumptionError, Exclusion};
use crate::node::NodeId;
use crate::pack_variants;
use crate::port::Port;

/// One step of a run. A run is a list of steps and of the choices made inside them. [`World::apply`] is the
/// only mutation.
///
/// [`World::apply`]: crate::World::apply
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step<A, M> {
    /// The node calls Lock.
    Lock {
        /// The node that calls Lock.
        node: NodeId,
        /// The lock set it asks for.
        claim: LockSetRequest,
    },
    /// The node runs its critical section and calls Unlock.
    Unlock {
        /// The node that calls Unlock.
        node: NodeId,
    },
    /// The node executes an action whose guard holds.
    Act {
        /// The node that acts.
        node: NodeId,
        /// The executed action.
        action: A,
    },
    /// The node receives a message that is in transit to it.
    Receive {
        /// The receiver.
        node: NodeId,
        /// The receiver's port.
        port: Port,
        /// The received message.
        message: M,
    },
    /// A message of the node's last execution leaves the node ([`Timing::OneByOne`](crate::Timing::OneByOne)).
    Leave {
        /// The sender.
        node: NodeId,
        /// The sender's port.
        port: Port,
        /// The message that leaves.
        message: M,
    },
    /// An edge appears.
    Connect {
        /// One end of the edge.
        a: NodeId,
        /// The port of `a`.
        a_port: Port,
        /// The other end.
        b: NodeId,
        /// The port of `b`.
        b_port: Port,
    },
    /// An edge vanishes, with all messages in transit on it.
    Disconnect {
        /// One end of the edge.
        node: NodeId,
        /// The port of `node`.
        port: Port,
    },
}

/// A step of a world that runs the algorithm `E`.
pub type StepOf<E> = Step<<E as Exclusion>::Action, <E as Exclusion>::Message>;

/// The lock set that a Lock asks for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LockSetRequest {
    /// The node and every neighbour that stays connected.
    Neighbourhood,
    /// The node and the neighbour on this port, if it stays connected.
    Pair(Port),
    /// The node alone: the pair of a node without neighbours.
    Alone,
}

pack_variants!(LockSetRequest { Neighbourhood, Pair(port), Alone });
pack_variants!(Step<A, M> {
    Lock { node, claim },
    Unlock { node },
    Act { node, action },
    Receive { node, port, message },
    Leave { node, port, message },
    Connect { a, a_port, b, b_port },
    Disconnect { node, port },
});

impl<A, M> Step<A, M> {
    /// The node that acts; `None` for a change of the graph.
    pub fn actor(&self) -> Option<NodeId> {
        match *self {
            Self::Lock { node, .. }
            | Self::Unlock { node }
            | Self::Act { node, .. }
            | Self::Receive { node, .. }
            | Self::Leave { node, .. } => Some(node),
            Self::Connect { .. } | Self::Disconnect { .. } => None,
        }
    }
}

/// Writes the step with the names of the paper, for instance `3 recv ready@1`.
impl<A: fmt::Display, M: fmt::Display> fmt::Display for Step<A, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lock { node, claim: LockSetRequest::Neighbourhood } => write!(f, "{node} Lock()"),
            Self::Lock { node, claim: LockSetRequest::Pair(port) } => {
                write!(f, "{node} Lock() with port {port} only")
            }
            Self::Lock { node, claim: LockSetRequest::Alone } => write!(f, "{node} Lock() alone"),
            Self::Unlock { node } => write!(f, "{node} Unlock()"),
            Self::Act { node, action } => write!(f, "{node} {action}"),
            Self::Receive { node, port, message } => write!(f, "{node} recv {message}@{port}"),
            Self::Leave { node, port, message } => write!(f, "{node} sends {message}@{port}"),
            Self::Connect { a, a_port, b, b_port } => write!(f, "connect {a}.{a_port}-{b}.{b_port}"),
            Self::Disconnect { node, port } => write!(f, "disconnect {node}.{port}"),
        }
    }
}

/// Errors of a step that cannot happen now. The world is unchanged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum StepError {
    /// The node does not exist.
    NoSuchNode(NodeId),
    /// The guard of the action is false.
    NotEnabled(NodeId),
    /// No such message is in transit to the node.
    NoSuchMessage(NodeId),
    /// The node is busy: not all messages of its last execution have left.
    Busy(NodeId),
    /// The port of a pair carries no edge.
    NoNeighbour(NodeId, Port),
    /// An older message in the same direction of the edge must be received first: channels are first in, first out.
    NotFirst(NodeId, Port),
    /// The algorithm assumes that such a step never happens.
    Assumption(AssumptionError),
    /// The graph does not allow the change.
    Topology(crate::topology::TopologyError),
}

impl From<crate::topology::TopologyError> for StepError {
    fn from(error: crate::topology::TopologyError) -> Self {
        Self::Topology(error)
    }
}

impl fmt::Display for StepError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchNode(node) => write!(f, "there is no node {node}"),
            Self::NotEnabled(node) => write!(f, "the action is not enabled at node {node}"),
            Self::NoSuchMessage(node) => write!(f, "no such message is in transit to node {node}"),
            Self::Busy(node) => write!(f, "node {node} is still sending the messages of its last action"),
            Self::NoNeighbour(node, port) => write!(f, "port {port} of node {node} carries no edge"),
            Self::NotFirst(node, port) => {
                write!(
                    f,
                    "an older message waits on port {port} of node {node}, and channels are first in, first out"
                )
            }
            Self::Assumption(unmet) => unmet.fmt(f),
            Self::Topology(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for StepError {}
