//! [`Naming`]: renames nodes and their ports.

use crate::node::NodeId;
use crate::port::{Port, PortNames};
use crate::step::{LockSetRequest, Step};
use crate::topology::CandidateEdge;

/// A renaming: a permutation of the nodes and, for each node, a permutation of its ports that keeps port 0.
///
/// The algorithms are anonymous, so a renamed world behaves as before. If a step leads from configuration C to C', the
/// renamed step leads from the renamed C to the renamed C'.
///
/// ```
/// use acrasin_runtime::{Naming, NodeId, Port};
/// let ports = vec![Port(0), Port(1)];
/// let swap = Naming::new(vec![NodeId(1), NodeId(0)], vec![ports.clone(), ports]).unwrap();
/// assert_eq!(swap.node(NodeId(0)), NodeId(1));
/// assert!(swap.then(&swap).is_identity());
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Naming {
    /// The new name of each node, and the node with each new name.
    nodes: Vec<NodeId>,
    old_nodes: Vec<NodeId>,
    /// The new port for each old node and old port, and the old port for each old node and new port.
    ports: Vec<Vec<Port>>,
    old_ports: Vec<Vec<Port>>,
}

impl Naming {
    /// Creates a renaming: `nodes[v]` is the new name of node v, and `ports[v][p]` the new number of its port p. Ports
    /// beyond the end of a list keep their numbers. Returns `None` unless each list is a permutation of its indices,
    /// there is one list of ports per node, and port 0 keeps its number.
    #[must_use]
    pub fn new(nodes: Vec<NodeId>, ports: Vec<Vec<Port>>) -> Option<Self> {
        let old_nodes = inverse(&nodes, NodeId::index, |node| NodeId(node as u32))?;
        let old_ports: Option<Vec<Vec<Port>>> = ports
            .iter()
            .map(|ports| inverse(ports, |port| usize::from(port.0), |p| Port(p as u16)))
            .collect();
        let selves = ports.iter().all(|ports| ports.first().is_none_or(|port| port.is_self()));
        (selves && ports.len() == nodes.len()).then_some(())?;
        Some(Self { nodes, old_nodes, ports, old_ports: old_ports? })
    }

    /// Creates the renaming that keeps every name, for this number of nodes.
    #[must_use]
    pub fn identity(nodes: u32) -> Self {
        let nodes: Vec<NodeId> = (0..nodes).map(NodeId).collect();
        let ports = vec![Vec::new(); nodes.len()];
        Self { old_nodes: nodes.clone(), nodes, old_ports: ports.clone(), ports }
    }

    /// Whether every node and port keeps its name.
    #[must_use]
    pub fn is_identity(&self) -> bool {
        let same_ports = |ports: &Vec<Port>| ports.iter().zip(0..).all(|(port, old)| port.0 == old);
        self.nodes.iter().zip(0..).all(|(node, old)| node.0 == old) && self.ports.iter().all(same_ports)
    }

    /// The new name of a node.
    #[must_use]
    pub fn node(&self, node: NodeId) -> NodeId {
        self.nodes[node.index()]
    }

    /// The node with this new name.
    #[must_use]
    pub fn old_node(&self, new: NodeId) -> NodeId {
        self.old_nodes[new.index()]
    }

    /// The new numbers of the ports of a node, which is given by its old name.
    #[must_use]
    pub fn ports(&self, node: NodeId) -> PortNames<'_> {
        PortNames::new(&self.ports[node.index()])
    }

    /// The edge under the new names, the smaller node first.
    #[must_use]
    pub fn edge(&self, edge: CandidateEdge) -> CandidateEdge {
        ordered([edge.a, edge.b].map(|(node, port)| (self.node(node), self.ports(node).port(port))))
    }

    /// The edge under the old names, given under the new ones.
    #[must_use]
    pub fn old_edge(&self, new: CandidateEdge) -> CandidateEdge {
        ordered([new.a, new.b].map(|(node, port)| {
            let old = self.old_node(node);
            (old, PortNames::new(&self.old_ports[old.index()]).port(port))
        }))
    }

    /// A step under the new names.
    #[must_use]
    pub fn step<A, M>(&self, step: Step<A, M>) -> Step<A, M> {
        let end = |node: NodeId, port: Port| (self.node(node), self.ports(node).port(port));
        match step {
            Step::Lock { node, claim: LockSetRequest::Pair(port) } => {
                let (node, port) = end(node, port);
                Step::Lock { node, claim: LockSetRequest::Pair(port) }
            }
            Step::Lock { node, claim } => Step::Lock { node: self.node(node), claim },
            Step::Unlock { node } => Step::Unlock { node: self.node(node) },
            Step::Act { node, action } => Step::Act { node: self.node(node), action },
            Step::Receive { node, port, message } => {
                let (node, port) = end(node, port);
                Step::Receive { node, port, message }
            }
            Step::Leave { node, port, message } => {
                let (node, port) = end(node, port);
                Step::Leave { node, port, message }
            }
            Step::Connect { a, a_port, b, b_port } => {
                let ((a, a_port), (b, b_port)) = (end(a, a_port), end(b, b_port));
                Step::Connect { a, a_port, b, b_port }
            }
            Step::Disconnect { node, port } => {
                let (node, port) = end(node, port);
                Step::Disconnect { node, port }
            }
        }
    }

    /// The composition of two renamings: first `self`, then `next`.
    ///
    /// # Panics
    ///
    /// Panics unless both are for the same number of nodes.
    #[must_use]
    pub fn then(&self, next: &Self) -> Self {
        assert_eq!(self.nodes.len(), next.nodes.len(), "as many nodes");
        let nodes = self.nodes.iter().map(|&node| next.node(node)).collect();
        let ports = self.nodes.iter().zip(&self.ports).map(|(&middle, ports)| {
            let after = next.ports(middle);
            let count = ports.len().max(next.ports[middle.index()].len());
            (0..count as u16).map(|port| after.port(PortNames::new(ports).port(Port(port)))).collect()
        });
        Self::new(nodes, ports.collect()).expect("permutations, one after the other")
    }

    /// The renaming back to the old names.
    #[must_use]
    pub fn inverse(&self) -> Self {
        let of_old = |lists: &[Vec<Port>]| -> Vec<Vec<Port>> {
            self.old_nodes.iter().map(|old| lists[old.index()].clone()).collect()
        };
        Self {
            nodes: self.old_nodes.clone(),
            old_nodes: self.nodes.clone(),
            ports: of_old(&self.old_ports),
            old_ports: of_old(&self.ports),
        }
    }
}

fn ordered(mut ends: [(NodeId, Port); 2]) -> CandidateEdge {
    ends.sort_unstable();
    CandidateEdge { a: ends[0], b: ends[1] }
}

/// The inverse of a permutation; `None` if the list is not a permutation.
fn inverse<T: Copy>(list: &[T], number: impl Fn(T) -> usize, name: impl Fn(usize) -> T) -> Option<Vec<T>> {
    let mut inverse = vec![None; list.len()];
    for (old, &new) in list.iter().enumerate() {
        let place = inverse.get_mut(number(new)).filter(|place| place.is_none())?;
        *place = Some(name(old));
    }
    inverse.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::port::PortSet;

    fn naming(nodes: &[u32], ports: &[&[u16]]) -> Option<Naming> {
        let ports = ports.iter().map(|ports| ports.iter().copied().map(Port).collect());
        Naming::new(nodes.iter().copied().map(NodeId).collect(), ports.collect())
    }

    #[test]
    fn lists_that_are_no_permutations_are_refused() {
        assert!(naming(&[1, 0], &[&[0, 2, 1], &[]]).is_some());
        assert!(naming(&[1, 1], &[&[], &[]]).is_none(), "a node twice");
        assert!(naming(&[1, 2], &[&[], &[]]).is_none(), "a node that does not exist");
        assert!(naming(&[1, 0], &[&[]]).is_none(), "ports of one node only");
        assert!(naming(&[1, 0], &[&[0, 1, 1], &[]]).is_none(), "a port twice");
        assert!(naming(&[1, 0], &[&[1, 0], &[]]).is_none(), "port 0 is the node itself");
    }

    #[test]
    fn there_and_back_is_nothing() {
        let turn = naming(&[1, 2, 0], &[&[0, 2, 1], &[0, 1, 3, 2], &[]]).unwrap();
        let back = turn.inverse();
        assert!(turn.then(&back).is_identity() && back.then(&turn).is_identity());
        assert!(!turn.is_identity() && Naming::identity(3).is_identity());
        let thrice = turn.then(&turn).then(&turn);
        assert_eq!(thrice.node(NodeId(0)), NodeId(0));
        // Port 2 of node 0 becomes port 1; node 1 then keeps port 1, and node 2 keeps all its ports.
        assert_eq!(thrice.ports(NodeId(0)).port(Port(2)), Port(1));
        assert_eq!(turn.ports(NodeId(1)).set(&PortSet::from_iter([Port(0), Port(2)])).to_string(), "{0,3}");
        let edge = CandidateEdge { a: (NodeId(0), Port(1)), b: (NodeId(2), Port(2)) };
        // Node 2 becomes node 0, so the ends change places.
        assert_eq!(turn.edge(edge), CandidateEdge { a: (NodeId(0), Port(2)), b: (NodeId(1), Port(2)) });
        assert_eq!(turn.old_edge(turn.edge(edge)), edge);
        let step = Step::<(), u8>::Lock { node: NodeId(1), claim: LockSetRequest::Pair(Port(2)) };
        assert_eq!(turn.step(step), Step::Lock { node: NodeId(2), claim: LockSetRequest::Pair(Port(3)) });
        assert_eq!(back.step(turn.step(step)), step);
    }
}
