//! [`SwarmGraph`]: the initial graphs of swarm runs.

use std::fmt;

use acrasin_catalogue::counted;

/// A graph family with its size. Nodes are numbered from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SwarmGraph {
    /// A path with this many nodes.
    Path(u32),
    /// A ring with this many nodes, at least 3.
    Ring(u32),
    /// A star around node 0 with this many nodes in all.
    Star(u32),
    /// A complete graph with this many nodes.
    Complete(u32),
    /// A wheel: node 0 is adjacent to all nodes of a ring. At least 5 nodes in all.
    Wheel(u32),
    /// A square grid with these rows and columns.
    Grid(u32, u32),
    /// A torus with these rows and columns, at least 3 each.
    Torus(u32, u32),
    /// A random graph with this many nodes and at most this many edges: see
    /// [`SwarmPlan::edges`](super::SwarmPlan::edges).
    Random(u32, u32),
}

impl SwarmGraph {
    /// The number of nodes.
    #[must_use]
    pub fn nodes(self) -> u32 {
        match self {
            Self::Path(nodes)
            | Self::Ring(nodes)
            | Self::Star(nodes)
            | Self::Complete(nodes)
            | Self::Wheel(nodes)
            | Self::Random(nodes, _) => nodes,
            Self::Grid(rows, columns) | Self::Torus(rows, columns) => rows * columns,
        }
    }

    /// The edges, without repetition. For random graphs, `below` draws a uniform number below its argument.
    pub(super) fn edges(self, mut below: impl FnMut(u32) -> u32) -> Vec<(u32, u32)> {
        match self {
            Self::Path(nodes) => (1..nodes).map(|node| (node - 1, node)).collect(),
            Self::Ring(nodes) => (0..nodes).map(|node| (node, (node + 1) % nodes)).collect(),
            Self::Star(nodes) => (1..nodes).map(|node| (0, node)).collect(),
            Self::Complete(nodes) => (0..nodes).flat_map(|a| (a + 1..nodes).map(move |b| (a, b))).collect(),
            Self::Wheel(nodes) => {
                let spokes = (1..nodes).map(|node| (0, node));
                spokes.chain((1..nodes).map(|node| (node, node % (nodes - 1) + 1))).collect()
            }
            Self::Grid(rows, columns) => {
                let right = (0..rows).flat_map(|r| (1..columns).map(move |c| (r, c - 1, r, c)));
                let down = (1..rows).flat_map(|r| (0..columns).map(move |c| (r - 1, c, r, c)));
                right.chain(down).map(|(r, c, s, d)| (r * columns + c, s * columns + d)).collect()
            }
            Self::Torus(rows, columns) => {
                let cells = (0..rows).flat_map(|r| (0..columns).map(move |c| (r, c)));
                let number = |r: u32, c: u32| (r % rows) * columns + c % columns;
                cells
                    .flat_map(|(r, c)| [(number(r, c), number(r, c + 1)), (number(r, c), number(r + 1, c))])
                    .collect()
            }
            Self::Random(nodes, edges) => {
                let mut chosen = Vec::new();
                for _ in 0..edges {
                    let (a, b) = (below(nodes), below(nodes));
                    let edge = (a.min(b), a.max(b));
                    if a != b && !chosen.contains(&edge) {
                        chosen.push(edge);
                    }
                }
                chosen
            }
        }
    }
}

impl fmt::Display for SwarmGraph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Path(nodes) => write!(f, "path of {nodes}"),
            Self::Ring(nodes) => write!(f, "ring of {nodes}"),
            Self::Star(nodes) => write!(f, "star of {nodes}"),
            Self::Complete(nodes) => write!(f, "complete graph of {nodes}"),
            Self::Wheel(nodes) => write!(f, "wheel of {nodes}"),
            Self::Grid(rows, columns) => write!(f, "{rows}x{columns} grid"),
            Self::Torus(rows, columns) => write!(f, "{rows}x{columns} torus"),
            Self::Random(nodes, edges) => {
                write!(f, "random graph of {nodes} nodes, at most {}", counted(*edges, "edge"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use acrasin_runtime::Topology;

    #[test]
    fn families_have_their_edges() {
        let cases = [
            (SwarmGraph::Path(2), 1, 1),
            (SwarmGraph::Path(12), 11, 2),
            (SwarmGraph::Ring(3), 3, 2),
            (SwarmGraph::Star(12), 11, 11),
            (SwarmGraph::Complete(8), 28, 7),
            (SwarmGraph::Wheel(5), 8, 4),
            (SwarmGraph::Grid(2, 4), 10, 3),
            (SwarmGraph::Grid(3, 4), 17, 4),
            (SwarmGraph::Torus(3, 3), 18, 4),
            (SwarmGraph::Torus(3, 4), 24, 4),
        ];
        for (graph, edges, degree) in cases {
            let built = Topology::from_edges(graph.nodes(), 12, &graph.edges(|_| unreachable!())).unwrap();
            assert_eq!((built.edge_count(), built.degree_max()), (edges, degree), "{graph}");
        }
    }

    #[test]
    fn a_random_graph_is_simple() {
        let mut state = 1_u32;
        let edges = SwarmGraph::Random(5, 40).edges(|bound| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) % bound
        });
        assert!(edges.len() >= 8, "{edges:?}");
        assert!(Topology::from_edges(5, 4, &edges).is_ok());
    }
}
