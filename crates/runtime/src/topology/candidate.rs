//! [`CandidateEdge`]: an edge that may exist.

use crate::node::NodeId;
use crate::port::Port;

/// An edge that may exist, with the ports that it uses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CandidateEdge {
    /// One end of the edge and its port.
    pub a: (NodeId, Port),
    /// The other end of the edge and its port.
    pub b: (NodeId, Port),
}
