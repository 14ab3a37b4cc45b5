//! [`AtLeastAtMost`]: bounds on how many nodes of each closed neighbourhood are in their critical sections at once.

use crate::exclusion::{Anomaly, Bounds, Exclusion, Guarantee, InitialKnowledge, Promise, Status, Violation};
use crate::node::NodeId;
use crate::port::{Port, PortSet};
use crate::topology::Topology;

/// At least l and at most k nodes of each closed neighbourhood are inside, where each node has its own (l, k).
/// A node is inside from the grant of its Lock until its Unlock is complete, and from the start if its memory
/// says so. A holder holds only itself, unless the algorithm [holds neighbours](Exclusion::holds_neighbours).
///
/// An algorithm with this promise assumes [bounds](crate::exclusion::Given::bounds) and a static graph.
#[derive(Clone, Debug)]
pub struct AtLeastAtMost {
    bounds: Vec<Bounds>,
    inside: Vec<bool>,
    /// The number of nodes inside each closed neighbourhood.
    around: Vec<u32>,
    holders: u32,
    violation: Option<Violation>,
}

impl AtLeastAtMost {
    /// Records whether a node is inside now. Returns whether that has changed.
    fn set(&mut self, node: NodeId, inside: bool, topology: &Topology) -> bool {
        let before = std::mem::replace(&mut self.inside[node.index()], inside);
        if before == inside {
            return false;
        }
        for near in near(node, topology) {
            let around = &mut self.around[near.index()];
            *around = if inside { *around + 1 } else { *around - 1 };
        }
        self.holders = if inside { self.holders + 1 } else { self.holders - 1 };
        true
    }

    /// Checks the closed neighbourhoods that contain a node.
    fn check(&mut self, node: NodeId, topology: &Topology) {
        for near in near(node, topology) {
            let (inside, bounds) = (self.around[near.index()], self.bounds[near.index()]);
            if inside < bounds.least || inside > bounds.most {
                self.violation.get_or_insert(Violation::OutsideBounds { node: near, inside, bounds });
            }
        }
    }
}

fn near(node: NodeId, topology: &Topology) -> impl Iterator<Item = NodeId> + '_ {
    std::iter::once(node).chain(topology.links(node).map(|(_, link)| link.peer))
}

fn is_inside(status: Status) -> bool {
    matches!(status, Status::Holding | Status::Releasing)
}

impl<E: Exclusion> Promise<E> for AtLeastAtMost {
    const GUARANTEE: Guarantee = Guarantee::AtLeastAtMost;

    fn new(topology: &Topology, knowledge: &InitialKnowledge) -> Self {
        let nodes = topology.node_count() as usize;
        let (inside, around) = (vec![false; nodes], vec![0; nodes]);
        Self { bounds: knowledge.bounds.clone(), inside, around, holders: 0, violation: None }
    }

    fn violation(&self) -> Option<&Violation> {
        self.violation.as_ref()
    }

    fn holders(&self) -> u32 {
        self.holders
    }

    fn held(&self) -> u32 {
        self.holders
    }

    fn holder_of(&self, node: NodeId) -> Option<NodeId> {
        self.inside[node.index()].then_some(node)
    }

    fn members(
        exclusion: &E,
        (node, _): (NodeId, &E::Memory),
        topology: &Topology,
        into: &mut Vec<(Port, NodeId)>,
    ) {
        if exclusion.holds_neighbours() {
            into.extend(topology.links(node).map(|(port, link)| (port.into(), link.peer)));
        }
    }

    fn acted(
        &mut self,
        exclusion: &E,
        (node, memory): (NodeId, &E::Memory),
        _lock_before: Option<Port>,
        topology: &Topology,
    ) {
        if self.set(node, is_inside(exclusion.status(memory)), topology) {
            self.check(node, topology);
        }
    }

    fn met(&mut self, node: NodeId, anomaly: Anomaly) {
        let violation = match anomaly {
            Anomaly::NoSuchGrant => Violation::NoSuchGrant { node },
            Anomaly::NothingToRaise => Violation::NothingToRaise { node },
            _ => return,
        };
        self.violation.get_or_insert(violation);
    }

    fn granted(&mut self, _: NodeId, _: &PortSet, _: &Topology, _: impl Fn(NodeId) -> Option<Port>) {}

    fn releasing(&mut self, _node: NodeId, _members: &[(Port, NodeId)]) {}

    fn restore(&mut self) {
        self.inside.fill(false);
        self.around.fill(0);
        (self.holders, self.violation) = (0, None);
    }

    fn restore_status(&mut self, node: NodeId, status: Status, topology: &Topology) {
        self.set(node, is_inside(status), topology);
    }

    fn assume_rest(&mut self, other: &Self) {
        self.inside.clone_from(&other.inside);
        self.around.clone_from(&other.around);
        (self.holders, self.violation) = (other.holders, other.violation.clone());
    }

    fn bytes(&self) -> usize {
        self.bounds.capacity() * size_of::<Bounds>()
            + self.inside.capacity()
            + self.around.capacity() * size_of::<u32>()
    }
}
