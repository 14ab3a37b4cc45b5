//! Initial knowledge of one node ([`NodeInput`]) and of all nodes ([`InitialKnowledge`]).

use std::fmt;

use crate::node::NodeId;
use crate::port::{Port, PortSet};
use crate::topology::Topology;

/// The knowledge of all nodes at the start, in addition to their ports; empty by default.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct InitialKnowledge {
    /// A rooted spanning tree of the graph; `None` if nodes know of no tree.
    pub tree: Option<RootedTree>,
    /// For each node, the bounds on how many nodes of its closed neighbourhood are inside at once.
    pub bounds: Vec<Bounds>,
    /// For each node, whether it is inside at the start. If empty, no node is.
    pub inside: Vec<bool>,
    /// The node that helps its neighbours when all of them would wait forever; `None` for no leader.
    pub leader: Option<NodeId>,
}

impl InitialKnowledge {
    /// Creates knowledge that contains only a rooted tree.
    #[must_use]
    pub fn from_tree(tree: RootedTree) -> Self {
        Self { tree: Some(tree), ..Self::default() }
    }

    /// Creates knowledge of equal bounds for each of `nodes` nodes, all outside at the start.
    #[must_use]
    pub fn from_bounds(nodes: u32, bounds: Bounds) -> Self {
        Self { bounds: vec![bounds; nodes as usize], ..Self::default() }
    }

    fn starts_inside(&self, node: NodeId) -> bool {
        self.inside.get(node.index()).copied().unwrap_or(false)
    }
}

/// A node's identifier: its number in the graph.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Identifier(pub u32);

impl fmt::Display for Identifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The minimum and maximum number of nodes of a closed neighbourhood that may be inside at once: the paper's (l, k).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Bounds {
    /// The lower bound, `l`.
    pub least: u32,
    /// The upper bound, `k`.
    pub most: u32,
}

/// The knowledge that an algorithm requires at the start, in addition to a node's ports; see [`NodeInput`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Given {
    /// The node's own identifier, and those of its neighbours.
    pub identifiers: bool,
    /// The port of the node's father in a rooted spanning tree, or the fact that the node is the root.
    pub tree: bool,
    /// The minimum and maximum number of nodes of the node's closed neighbourhood that may be inside at once.
    pub bounds: bool,
    /// Whether the node is inside at the start, and which of its neighbours are.
    pub start: bool,
    /// The neighbour that is the leader, if any, and whether the leader is at most two edges away.
    pub leader: bool,
}

impl Given {
    /// Anonymous nodes without knowledge.
    pub const NOTHING: Self =
        Self { identifiers: false, tree: false, bounds: false, start: false, leader: false };
}

/// The knowledge of one node at the start. It contains only what the algorithm declares that it needs.
#[derive(Clone, Copy, Debug)]
pub struct NodeInput<'a> {
    node: NodeId,
    given: Given,
    topology: &'a Topology,
    knowledge: &'a InitialKnowledge,
}

impl<'a> NodeInput<'a> {
    /// Creates the knowledge of a node, restricted to the parts that the algorithm declares in `given`.
    #[must_use]
    pub fn new(
        node: NodeId,
        given: Given,
        (topology, knowledge): (&'a Topology, &'a InitialKnowledge),
    ) -> Self {
        Self { node, given, topology, knowledge }
    }

    /// Port 0 and the ports that carry an edge.
    #[must_use]
    pub fn ports(self) -> PortSet {
        self.topology.closed_neighbourhood(self.node)
    }

    /// The node's own identifier, if identifiers are declared.
    #[must_use]
    pub fn identifier(self) -> Option<Identifier> {
        self.given.identifiers.then_some(Identifier(self.node.0))
    }

    /// The identifiers of the neighbours with the ports that lead to them, in the order of the ports. Empty if
    /// identifiers are not declared.
    pub fn neighbours(self) -> impl Iterator<Item = (Identifier, Port)> + 'a {
        let links = self.given.identifiers.then(|| self.topology.links(self.node)).into_iter().flatten();
        links.map(|(port, link)| (Identifier(link.peer.0), port.into()))
    }

    /// The port of the father in the tree; `None` at the root, or if no tree is declared.
    #[must_use]
    pub fn father(self) -> Option<Port> {
        let father = self.knowledge.tree.as_ref().filter(|_| self.given.tree)?.father(self.node)?;
        self.topology.port_towards(self.node, father).map(Port::from)
    }

    /// Whether the node is the root of the tree; false if no tree is declared.
    #[must_use]
    pub fn is_root(self) -> bool {
        let tree = self.knowledge.tree.as_ref().filter(|_| self.given.tree);
        tree.is_some_and(|tree| tree.root() == self.node)
    }

    /// (l, k), if bounds are declared.
    #[must_use]
    pub fn bounds(self) -> Option<Bounds> {
        self.knowledge.bounds.get(self.node.index()).copied().filter(|_| self.given.bounds)
    }

    /// Whether the node behind a port (for port 0 the node itself) is inside at the start. False if the start
    /// is not declared.
    #[must_use]
    pub fn starts_inside(self, port: Port) -> bool {
        self.given.start && self.behind(port).is_some_and(|node| self.knowledge.starts_inside(node))
    }

    /// The port of the leader, 0 at the leader itself; `None` if the leader is farther away or leaders are not
    /// declared.
    #[must_use]
    pub fn leader(self) -> Option<Port> {
        let leader = self.knowledge.leader.filter(|_| self.given.leader)?;
        if leader == self.node {
            return Some(Port::SELF);
        }
        self.topology.port_towards(self.node, leader).map(Port::from)
    }

    /// Whether the leader is at most two edges away. False if there is no leader or leaders are not declared. Cost:
    /// O(degree²).
    #[must_use]
    pub fn is_near_leader(self) -> bool {
        let Some(leader) = self.knowledge.leader.filter(|_| self.given.leader) else { return false };
        let is_next = |node| node == leader || self.topology.adjacent(node, leader);
        is_next(self.node) || self.topology.links(self.node).any(|(_, link)| is_next(link.peer))
    }

    fn behind(self, port: Port) -> Option<NodeId> {
        if port.is_self() {
            Some(self.node)
        } else {
            self.topology.link(self.node, port).map(|link| link.peer)
        }
    }
}

/// A rooted tree over all nodes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RootedTree {
    root: NodeId,
    fathers: Vec<Option<NodeId>>,
}

impl RootedTree {
    /// Creates the tree in which `fathers[v]` is the father of node v, `None` only for the root. Cost: O(nodes).
    ///
    /// ```
    /// use acrasin_runtime::exclusion::{RootedTree, TreeError};
    /// use acrasin_runtime::NodeId;
    /// let path = RootedTree::new(&[None, Some(0), Some(1)])?;
    /// assert_eq!((path.root(), path.father(NodeId(2))), (NodeId(0), Some(NodeId(1))));
    /// assert_eq!(RootedTree::new(&[None, Some(2), Some(1)]), Err(TreeError::Cycle { node: 1 }));
    /// # Ok::<(), TreeError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// No root or several, a father that does not exist, or a cycle.
    pub fn new(fathers: &[Option<u32>]) -> Result<Self, TreeError> {
        let nodes = fathers.len() as u32;
        let mut roots = (0..nodes).filter(|&node| fathers[node as usize].is_none());
        let root = roots.next();
        if let (Some(root), Some(other)) = (root, roots.next()) {
            return Err(TreeError::TwoRoots { first: root, second: other });
        }
        // The number of the walk that visited each node: a walk that returns to itself has found a cycle.
        let mut met = vec![u32::MAX; fathers.len()];
        for start in 0..nodes {
            let mut at = start;
            while met[at as usize] == u32::MAX {
                met[at as usize] = start;
                let Some(father) = fathers[at as usize] else { break };
                if father >= nodes {
                    return Err(TreeError::NoSuchFather { node: at, father });
                }
                if met[father as usize] == start {
                    let cycle = TreeError::Cycle { node: father };
                    return Err(root.map_or(TreeError::NoRoot { node: father }, |_| cycle));
                }
                at = father;
            }
        }
        // Without a root some walk has found a cycle, unless there is no node.
        let root = root.ok_or(TreeError::NoNode)?;
        let fathers = fathers.iter().map(|father| father.map(NodeId)).collect();
        Ok(Self { root: NodeId(root), fathers })
    }

    /// The root of the tree.
    #[must_use]
    pub fn root(&self) -> NodeId {
        self.root
    }

    /// The father of a node; `None` for the root.
    #[must_use]
    pub fn father(&self, node: NodeId) -> Option<NodeId> {
        self.fathers[node.index()]
    }

    /// The number of nodes.
    #[must_use]
    pub fn node_count(&self) -> u32 {
        self.fathers.len() as u32
    }
}

/// Errors of a list of fathers that is not a rooted tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum TreeError {
    /// There is no node.
    NoNode,
    /// Every node has a father.
    NoRoot {
        /// A node whose fathers lead back to it.
        node: u32,
    },
    /// Two nodes have no father.
    TwoRoots {
        /// One node without a father.
        first: u32,
        /// Another node without a father.
        second: u32,
    },
    /// A father is not a node.
    NoSuchFather {
        /// The node with that father.
        node: u32,
        /// The father as given.
        father: u32,
    },
    /// The fathers of a node lead back to it.
    Cycle {
        /// The node on the cycle.
        node: u32,
    },
}

impl fmt::Display for TreeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoNode => f.write_str("a tree needs a root, but there are no nodes"),
            Self::NoRoot { node } => write!(
                f,
                "a tree has one node without a father, its root; here every node has a father, and the fathers of node {node} lead back to it"
            ),
            Self::TwoRoots { first, second } => {
                write!(f, "a tree has one root, but neither node {first} nor node {second} has a father")
            }
            Self::NoSuchFather { node, father } => {
                write!(f, "the father of node {node} is {father}, which does not exist")
            }
            Self::Cycle { node } => write!(f, "the fathers of node {node} lead back to it: not a tree"),
        }
    }
}

impl std::error::Error for TreeError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_that_are_no_trees_are_refused() {
        assert_eq!(RootedTree::new(&[]), Err(TreeError::NoNode));
        assert_eq!(RootedTree::new(&[Some(1), Some(0)]), Err(TreeError::NoRoot { node: 0 }));
        let away = [Some(1), Some(2), Some(3), Some(2)];
        assert_eq!(RootedTree::new(&away), Err(TreeError::NoRoot { node: 2 }));
        assert_eq!(RootedTree::new(&[Some(2), Some(0)]), Err(TreeError::NoSuchFather { node: 0, father: 2 }));
        let two = Err(TreeError::TwoRoots { first: 1, second: 2 });
        assert_eq!(RootedTree::new(&[Some(1), None, None]), two);
        let none = Err(TreeError::NoSuchFather { node: 1, father: 2 });
        assert_eq!(RootedTree::new(&[None, Some(2)]), none);
        assert_eq!(RootedTree::new(&[None, Some(1)]), Err(TreeError::Cycle { node: 1 }));
        assert_eq!(RootedTree::new(&[Some(3), Some(3), Some(0), None]).unwrap().root(), NodeId(3));
    }

    #[test]
    fn a_seat_answers_what_is_declared_and_no_more() {
        let path = Topology::from_edges(3, 2, &[(0, 1), (1, 2)]).unwrap();
        let bounds = vec![Bounds { least: 0, most: 1 }; 3];
        let tree = Some(RootedTree::new(&[None, Some(0), Some(1)]).unwrap());
        let knowledge =
            InitialKnowledge { tree, bounds, inside: vec![false, false, true], leader: Some(NodeId(2)) };
        let all = Given { identifiers: true, tree: true, bounds: true, start: true, leader: true };
        let input = |node, given| NodeInput::new(NodeId(node), given, (&path, &knowledge));
        let (middle, root) = (input(1, all), input(0, all));
        assert_eq!((middle.identifier(), middle.father()), (Some(Identifier(1)), Some(Port(1))));
        assert!(middle.neighbours().eq([(Identifier(0), Port(1)), (Identifier(2), Port(2))]));
        assert_eq!((root.father(), root.is_root(), middle.is_root()), (None, true, false));
        assert_eq!(middle.bounds(), Some(Bounds { least: 0, most: 1 }));
        let anonymous = input(1, Given::NOTHING);
        assert_eq!((anonymous.identifier(), anonymous.father(), anonymous.bounds()), (None, None, None));
        assert_eq!((anonymous.neighbours().count(), anonymous.ports().len()), (0, 3));
        assert!(!input(0, Given::NOTHING).is_root());
        let inside = |input: NodeInput<'_>| [0, 1, 2].map(|port| input.starts_inside(Port(port)));
        assert_eq!((inside(middle), inside(anonymous)), ([false, false, true], [false; 3]));
        let leaders =
            |given| [0, 1, 2].map(|node| (input(node, given).leader(), input(node, given).is_near_leader()));
        assert_eq!(leaders(all), [(None, true), (Some(Port(2)), true), (Some(Port::SELF), true)]);
        assert_eq!(leaders(Given::NOTHING), [(None, false); 3]);
    }
}
