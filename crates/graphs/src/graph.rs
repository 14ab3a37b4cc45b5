//! [`Graph`]: a simple undirected graph, and the names of its nodes.

use acrasin_catalogue::counted;
use std::error::Error;
use std::fmt;

use xxhash_rust::xxh3::Xxh3;

use crate::limits::{EDGES_MAX, NODES_MAX};

/// A simple undirected graph on the nodes `0..nodes`.
///
/// Edges are pairs `(u, v)` with `u < v`, sorted and unique. A graph read from a file may carry the names of its
/// nodes in that file.
///
/// ```
/// use acrasin_graphs::Graph;
///
/// let triangle = Graph::new(3, vec![(0, 1), (0, 2), (1, 2)])?;
/// assert_eq!(triangle.degrees(), [2, 2, 2]);
/// assert_eq!(triangle.adjacency().neighbours(1), [0, 2]);
/// assert!(Graph::new(3, vec![(1, 1)]).is_err());
/// # Ok::<(), acrasin_graphs::GraphError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Graph {
    nodes: u32,
    edges: Vec<(u32, u32)>,
    labels: Option<NodeLabels>,
}

/// The names of nodes in the file they come from, by node number.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum NodeLabels {
    /// The names are consecutive numbers from `first`.
    Counted {
        /// The number that names node 0.
        first: u64,
        /// The number of nodes.
        nodes: u32,
    },
    /// All names are numbers, in increasing order.
    Numbers(Vec<u64>),
    /// At least one name is not a number, or has leading zeros. The order is by value if all are digits, else by
    /// bytes.
    Names(Vec<String>),
}

impl NodeLabels {
    /// The name of node `node`.
    ///
    /// # Panics
    ///
    /// Panics if there is no such node.
    #[must_use]
    pub fn of(&self, node: u32) -> String {
        match self {
            Self::Counted { first, nodes } => {
                assert!(node < *nodes, "node {node} of {nodes}");
                (first + u64::from(node)).to_string()
            }
            Self::Numbers(numbers) => numbers[node as usize].to_string(),
            Self::Names(names) => names[node as usize].clone(),
        }
    }

    /// The number of nodes with names.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Counted { nodes, .. } => *nodes as usize,
            Self::Numbers(numbers) => numbers.len(),
            Self::Names(names) => names.len(),
        }
    }

    /// Whether no node has a name.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the names, or `None` if every node is named by its number.
    pub(crate) fn unless_trivial(self) -> Option<Self> {
        match &self {
            Self::Counted { first: 0, .. } => None,
            Self::Numbers(numbers) if numbers.iter().zip(0..).all(|(&number, node)| number == node) => None,
            _ => Some(self),
        }
    }
}

impl Graph {
    /// Creates a graph from its sorted edges. O(edges).
    ///
    /// # Errors
    ///
    /// Refuses a graph without nodes, with more than [`NODES_MAX`] nodes, or with more than [`EDGES_MAX`] edges.
    /// Refuses an edge that is a self-loop, names a missing node, does not have the smaller node first, or is not above
    /// the previous edge.
    pub fn new(nodes: u64, edges: Vec<(u32, u32)>) -> Result<Self, GraphError> {
        let nodes =
            u32::try_from(nodes).ok().filter(|nodes| (1..=NODES_MAX).contains(nodes)).ok_or_else(|| {
                GraphError(format!("a graph of {}; accepted: 1 to {NODES_MAX}", counted(nodes, "node")))
            })?;
        if edges.len() as u64 > EDGES_MAX {
            return Err(GraphError(format!("a graph of {} edges; accepted: up to {EDGES_MAX}", edges.len())));
        }
        for &(u, v) in &edges {
            if u >= v || v >= nodes {
                return Err(GraphError(format!(
                    "edge ({u}, {v}) in a graph of {}; accepted: (u, v) with u < v < {nodes}",
                    counted(nodes, "node")
                )));
            }
        }
        if let Some(pair) = edges.windows(2).find(|pair| pair[0] >= pair[1]) {
            let ((u, v), (x, y)) = (pair[0], pair[1]);
            return Err(GraphError(format!(
                "edge ({x}, {y}) follows edge ({u}, {v}); accepted: edges in increasing order, each once"
            )));
        }
        Ok(Self { nodes, edges, labels: None })
    }

    /// Creates a graph from edges in any order, each in either direction. O(edges log edges).
    ///
    /// # Errors
    ///
    /// As [`Graph::new`], except for order and direction: a self-loop, a repeated edge, a missing node, too many nodes
    /// or edges.
    pub fn from_unsorted(nodes: u64, mut edges: Vec<(u32, u32)>) -> Result<Self, GraphError> {
        for edge in &mut edges {
            *edge = (edge.0.min(edge.1), edge.0.max(edge.1));
        }
        edges.sort_unstable();
        Self::new(nodes, edges)
    }

    /// Adds the names of the nodes.
    ///
    /// # Errors
    ///
    /// Refuses a number of names other than the number of nodes.
    pub fn with_labels(mut self, labels: Option<NodeLabels>) -> Result<Self, GraphError> {
        if let Some(labels) = &labels
            && labels.len() != self.nodes as usize
        {
            return Err(GraphError(format!(
                "{} names; accepted: {}, one per node",
                labels.len(),
                self.nodes
            )));
        }
        self.labels = labels;
        Ok(self)
    }

    /// The number of nodes, at least 1.
    #[must_use]
    pub fn nodes(&self) -> u32 {
        self.nodes
    }

    /// The edges in increasing order, each with the smaller node first.
    #[must_use]
    pub fn edges(&self) -> &[(u32, u32)] {
        &self.edges
    }

    /// The names of the nodes in their file; `None` if they are named by their numbers.
    #[must_use]
    pub fn labels(&self) -> Option<&NodeLabels> {
        self.labels.as_ref()
    }

    /// The name of a node: its label, or its number.
    ///
    /// # Panics
    ///
    /// Panics if there is no such node.
    #[must_use]
    pub fn label(&self, node: u32) -> String {
        assert!(node < self.nodes, "node {node} of a graph of {} nodes", self.nodes);
        self.labels.as_ref().map_or_else(|| node.to_string(), |labels| labels.of(node))
    }

    /// The degree of every node. O(nodes + edges).
    #[must_use]
    pub fn degrees(&self) -> Vec<u32> {
        let mut degrees = vec![0; self.nodes as usize];
        for &(u, v) in &self.edges {
            degrees[u as usize] += 1;
            degrees[v as usize] += 1;
        }
        degrees
    }

    /// The largest degree. O(nodes + edges).
    #[must_use]
    pub fn degree_max(&self) -> u32 {
        self.degrees().into_iter().max().unwrap_or(0)
    }

    /// Builds the neighbour lists in two flat arrays. O(nodes + edges).
    #[must_use]
    pub fn adjacency(&self) -> Adjacency {
        let mut offsets = Vec::with_capacity(self.nodes as usize + 1);
        let mut total = 0;
        offsets.push(0);
        for degree in self.degrees() {
            total += degree;
            offsets.push(total);
        }
        let mut next = offsets.clone();
        let mut neighbours = vec![0; total as usize];
        // Smaller neighbours first, then larger ones: with sorted edges each list is sorted.
        for &(u, v) in &self.edges {
            neighbours[next[v as usize] as usize] = u;
            next[v as usize] += 1;
        }
        for &(u, v) in &self.edges {
            neighbours[next[u as usize] as usize] = v;
            next[u as usize] += 1;
        }
        Adjacency { offsets, neighbours }
    }

    /// Whether every node can be reached from every other. O(nodes + edges).
    #[must_use]
    pub fn is_connected(&self) -> bool {
        let adjacency = self.adjacency();
        let mut seen = vec![false; self.nodes as usize];
        let mut open = vec![0];
        let mut reached = 1;
        seen[0] = true;
        while let Some(node) = open.pop() {
            for &neighbour in adjacency.neighbours(node) {
                if !std::mem::replace(&mut seen[neighbour as usize], true) {
                    reached += 1;
                    open.push(neighbour);
                }
            }
        }
        reached == self.nodes
    }

    /// A 128-bit digest (XXH3) of the number of nodes and the edges, without names. The same on every platform.
    #[must_use]
    pub fn digest(&self) -> u128 {
        let mut hasher = Xxh3::new();
        hasher.update(&self.nodes.to_le_bytes());
        for &(u, v) in &self.edges {
            hasher.update(&u.to_le_bytes());
            hasher.update(&v.to_le_bytes());
        }
        hasher.digest128()
    }
}

/// The neighbour lists of a graph in two arrays.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Adjacency {
    offsets: Vec<u32>,
    neighbours: Vec<u32>,
}

impl Adjacency {
    /// The neighbours of `node`, increasing.
    ///
    /// # Panics
    ///
    /// Panics if there is no such node.
    #[must_use]
    pub fn neighbours(&self, node: u32) -> &[u32] {
        let node = node as usize;
        &self.neighbours[self.offsets[node] as usize..self.offsets[node + 1] as usize]
    }
}

/// Errors of constructing a [`Graph`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GraphError(String);

impl fmt::Display for GraphError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for GraphError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn graphs_that_are_not_simple_are_refused() {
        for (nodes, edges, reason) in [
            (0, vec![], "a graph of 0 nodes"),
            (u64::from(NODES_MAX) + 1, vec![], "67108865 nodes"),
            (u64::MAX, vec![], "18446744073709551615 nodes"),
            (3, vec![(1, 1)], "edge (1, 1)"),
            (3, vec![(1, 0)], "edge (1, 0)"),
            (3, vec![(0, 3)], "edge (0, 3)"),
            (3, vec![(0, 1), (0, 1)], "edge (0, 1) follows edge (0, 1)"),
            (3, vec![(1, 2), (0, 1)], "edge (0, 1) follows edge (1, 2)"),
        ] {
            let error = Graph::new(nodes, edges).unwrap_err().to_string();
            assert!(error.contains(reason) && error.contains("accepted"), "{error}");
        }
        assert_eq!(Graph::new(u64::from(NODES_MAX), vec![]).unwrap().nodes(), NODES_MAX);
        assert!(Graph::from_unsorted(3, vec![(1, 0), (0, 1)]).is_err());
        assert_eq!(Graph::from_unsorted(3, vec![(2, 1), (1, 0)]).unwrap().edges(), [(0, 1), (1, 2)]);
    }

    #[test]
    fn neighbour_lists_are_sorted_and_hold_each_edge_twice() {
        let graph = Graph::from_unsorted(5, vec![(3, 0), (1, 3), (4, 3), (0, 1)]).unwrap();
        let adjacency = graph.adjacency();
        let lists: Vec<&[u32]> = (0..5).map(|node| adjacency.neighbours(node)).collect();
        assert_eq!(lists, [&[1, 3][..], &[0, 3], &[], &[0, 1, 4], &[3]]);
        assert_eq!(graph.degrees(), [2, 2, 0, 3, 1]);
        assert_eq!(graph.degree_max(), 3);
    }

    #[test]
    fn connected_and_not() {
        assert!(Graph::new(1, vec![]).unwrap().is_connected());
        assert!(!Graph::new(2, vec![]).unwrap().is_connected());
        assert!(Graph::new(3, vec![(0, 2), (1, 2)]).unwrap().is_connected());
        assert!(!Graph::new(4, vec![(0, 1), (2, 3)]).unwrap().is_connected());
    }

    #[test]
    fn the_digest_sees_nodes_and_edges() {
        let path = Graph::new(3, vec![(0, 1), (1, 2)]).unwrap();
        assert_eq!(path.digest(), path.clone().digest());
        assert_ne!(path.digest(), Graph::new(4, vec![(0, 1), (1, 2)]).unwrap().digest());
        assert_ne!(path.digest(), Graph::new(3, vec![(0, 1), (0, 2)]).unwrap().digest());
    }

    #[test]
    fn names_fit_the_nodes() {
        let graph = Graph::new(2, vec![(0, 1)]).unwrap();
        assert_eq!(graph.label(1), "1");
        assert!(graph.clone().with_labels(Some(NodeLabels::Numbers(vec![7]))).is_err());
        let named = graph.with_labels(Some(NodeLabels::Numbers(vec![7, 9]))).unwrap();
        assert_eq!(named.label(1), "9");
    }
}
