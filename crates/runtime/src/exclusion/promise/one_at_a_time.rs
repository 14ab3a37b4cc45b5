//! [`OneAtATime`]: global mutual exclusion.

use crate::exclusion::{Anomaly, Exclusion, Guarantee, InitialKnowledge, Promise, Status, Violation};
use crate::node::NodeId;
use crate::port::{Port, PortSet};
use crate::topology::Topology;

/// At most one node is inside, in the whole graph. This node therefore counts as the holder of every node, and its
/// section may touch all its neighbours.
#[derive(Clone, Debug)]
pub struct OneAtATime {
    holder: Option<NodeId>,
    /// The number of nodes inside: at most one, unless the promise is broken.
    holders: u32,
    nodes: u32,
    violation: Option<Violation>,
}

impl OneAtATime {
    fn enter(&mut self, node: NodeId) {
        self.holders += 1;
        match self.holder {
            Some(first) => {
                self.violation.get_or_insert(Violation::TwoHolders { first, second: node });
            }
            None => self.holder = Some(node),
        }
    }
}

impl<E: Exclusion> Promise<E> for OneAtATime {
    const GUARANTEE: Guarantee = Guarantee::OneAtATime;

    fn new(topology: &Topology, _seating: &InitialKnowledge) -> Self {
        Self { holder: None, holders: 0, nodes: topology.node_count(), violation: None }
    }

    fn violation(&self) -> Option<&Violation> {
        self.violation.as_ref()
    }

    fn holders(&self) -> u32 {
        self.holders
    }

    fn held(&self) -> u32 {
        if self.holder.is_some() { self.nodes } else { 0 }
    }

    fn holder_of(&self, _node: NodeId) -> Option<NodeId> {
        self.holder
    }

    fn members(
        _exclusion: &E,
        (node, _): (NodeId, &E::Memory),
        topology: &Topology,
        into: &mut Vec<(Port, NodeId)>,
    ) {
        into.extend(topology.links(node).map(|(port, link)| (port.into(), link.peer)));
    }

    fn granted(
        &mut self,
        node: NodeId,
        _returned: &PortSet,
        _topology: &Topology,
        _lock: impl Fn(NodeId) -> Option<Port>,
    ) {
        self.enter(node);
    }

    fn releasing(&mut self, node: NodeId, _members: &[(Port, NodeId)]) {
        self.holders = self.holders.saturating_sub(1);
        if self.holder == Some(node) {
            self.holder = None;
        }
    }

    fn met(&mut self, node: NodeId, anomaly: Anomaly) {
        if anomaly == Anomaly::OffLink {
            self.violation.get_or_insert(Violation::OffLink { node });
        }
    }

    fn restore(&mut self) {
        (self.holder, self.holders, self.violation) = (None, 0, None);
    }

    fn restore_status(&mut self, node: NodeId, status: Status, _topology: &Topology) {
        if status == Status::Holding {
            self.enter(node);
        }
    }

    fn assume_rest(&mut self, other: &Self) {
        self.clone_from(other);
    }

    fn bytes(&self) -> usize {
        0
    }
}
