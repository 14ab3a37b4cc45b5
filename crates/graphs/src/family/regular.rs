//! Random regular graphs.

use acrasin_catalogue::parameter::{Parameter, ParameterKind, Values};
use rand::{RngExt as _, SeedableRng as _};
use rand_pcg::Pcg64;

use super::entry::{FamilyEntry, FamilyForm, FamilySize, NODES};
use super::size::{built, edge_count, node_count};
use crate::graph::Graph;
use crate::parameter::GraphParameterError;

/// The parameters of a random regular graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Regular {
    /// The number of nodes.
    pub nodes: u64,
    /// The degree of every node.
    pub degree: u64,
}

/// The catalogue entry of [`random_regular`].
pub const RANDOM_REGULAR: FamilyEntry = FamilyEntry {
    name: "RandomRegular",
    title: "random regular",
    summary: "a random graph in which every node has the same degree; nodes * degree must be even",
    parameters: &[NODES, Parameter::required("degree", ParameterKind::Count, "the degree of every node")],
    draws: true,
    size: |values| {
        let Regular { nodes, degree } = Regular::of(values);
        let ends = FamilySize::of(nodes, degree);
        FamilySize { edges: ends.edges / 2, ..ends }
    },
    make: |values, seed| random_regular(Regular::of(values), seed),
    form: FamilyForm::Other,
    points: None,
};

impl Regular {
    fn of(values: &Values) -> Self {
        Self { nodes: values.count_of("nodes"), degree: values.count_of("degree") }
    }
}

/// A random graph in which every node has the same degree.
///
/// Two free edge ends are drawn uniformly and joined, unless that would make a self-loop or a parallel edge. When no
/// two can be joined, the construction starts again (Steger and Wormald 1999). The distribution is invariant under
/// renaming of nodes. For degrees below the cube root of the number of nodes, it tends to the uniform one over all
/// regular graphs.
///
/// The graph need not be connected; for degree 3 or more it is, with probability tending to 1. If the degree is above
/// half the number of nodes, the complement is drawn. Expected O(nodes · degree²).
///
/// rustworkx-core is not used for this family. That crate pairs all ends at once, and then the remaining ones. This
/// closes too many triangles: 22 % more in a cubic graph of 400 nodes, see the tests.
///
/// # Errors
///
/// Refuses a degree that is not below the number of nodes, an odd product of the two (every edge has two ends), and
/// more than [`EDGES_MAX`](crate::limits::EDGES_MAX) edges.
pub fn random_regular(Regular { nodes, degree }: Regular, seed: u64) -> Result<Graph, GraphParameterError> {
    const NAME: &str = RANDOM_REGULAR.title;
    let nodes = node_count(NAME, nodes, 1)?;
    if degree >= u64::from(nodes) {
        return Err(GraphParameterError::new(NAME, "degree", degree, format!("less than nodes = {nodes}")));
    }
    let ends = u128::from(nodes) * u128::from(degree);
    if ends % 2 == 1 {
        let found = format!("{nodes} * {degree}");
        return Err(GraphParameterError::new(
            NAME,
            "nodes * degree",
            found,
            "an even product: every edge has two ends",
        ));
    }
    edge_count(NAME, ends / 2)?;
    let (degree, opposite) = (degree as u32, nodes - 1 - degree as u32);
    if opposite < degree {
        let drawn = draw(nodes, opposite, seed);
        let adjacency = drawn.adjacency();
        let mut edges = Vec::with_capacity((ends / 2) as usize);
        for u in 0..nodes {
            let mut missing = adjacency.neighbours(u).iter().peekable();
            for v in 0..nodes {
                if missing.next_if_eq(&&v).is_none() && u < v {
                    edges.push((u, v));
                }
            }
        }
        return Ok(built(Graph::new(nodes.into(), edges)));
    }
    Ok(draw(nodes, degree, seed))
}

fn draw(nodes: u32, degree: u32, seed: u64) -> Graph {
    let mut random = Pcg64::seed_from_u64(seed);
    loop {
        if let Some(edges) = join_ends(nodes, degree as usize, &mut random) {
            return built(Graph::from_unsorted(nodes.into(), edges));
        }
    }
}

/// Joins all edge ends at random; `None` if the remaining ends cannot be joined.
fn join_ends(nodes: u32, degree: usize, random: &mut Pcg64) -> Option<Vec<(u32, u32)>> {
    let mut free: Vec<u32> = (0..nodes).flat_map(|node| std::iter::repeat_n(node, degree)).collect();
    let mut edges = Vec::with_capacity(free.len() / 2);
    let mut joined = Joined { degree, counts: vec![0; nodes as usize], lists: vec![0; free.len()] };
    let mut misses = 0;
    while !free.is_empty() {
        let first = random.random_range(0..free.len() as u32) as usize;
        let other = random.random_range(0..free.len() as u32 - 1) as usize;
        let second = other + usize::from(other >= first);
        let (u, v) = (free[first], free[second]);
        if u != v && !joined.contains(u, v) {
            joined.insert(u, v);
            edges.push((u, v));
            free.swap_remove(first.max(second));
            free.swap_remove(first.min(second));
            misses = 0;
            continue;
        }
        misses += 1;
        // A node has at most `degree` neighbours. While more nodes are left than those and itself, some two can be
        // joined.
        if misses >= free.len() && free.len() <= degree * (degree + 1) {
            let mut left = free.clone();
            left.sort_unstable();
            left.dedup();
            let open = |(at, &u): (usize, &u32)| left[at + 1..].iter().any(|&v| !joined.contains(u, v));
            if !left.iter().enumerate().any(open) {
                return None;
            }
            misses = 0;
        }
    }
    Some(edges)
}

/// The neighbours joined so far: `degree` array elements per node, of which the first `counts` are used.
struct Joined {
    degree: usize,
    counts: Vec<u32>,
    lists: Vec<u32>,
}

impl Joined {
    fn contains(&self, u: u32, v: u32) -> bool {
        let (few, sought) = if self.counts[u as usize] <= self.counts[v as usize] { (u, v) } else { (v, u) };
        let start = few as usize * self.degree;
        self.lists[start..start + self.counts[few as usize] as usize].contains(&sought)
    }

    fn insert(&mut self, u: u32, v: u32) {
        for (node, neighbour) in [(u, v), (v, u)] {
            let count = &mut self.counts[node as usize];
            self.lists[node as usize * self.degree + *count as usize] = neighbour;
            *count += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use petgraph::graph::UnGraph;
    use rustworkx_core::generators::random_regular_graph;

    use super::*;
    use crate::statistics::{ODDS_ONE_IN_A_MILLION, chi_square_is_plausible, standard_score};

    #[test]
    fn every_node_has_the_degree() {
        for nodes in 1..14u64 {
            for degree in (0..nodes).filter(|degree| nodes * degree % 2 == 0) {
                for seed in 0..5 {
                    let graph = random_regular(Regular { nodes, degree }, seed).unwrap();
                    assert!(graph.degrees().iter().all(|&found| u64::from(found) == degree));
                }
            }
        }
    }

    /// The number of graphs, out of `runs`, in which each pair of nodes is an edge.
    fn pair_counts(runs: u64, mut draw: impl FnMut(u64) -> Graph) -> Vec<u64> {
        let mut counts = vec![0; 45];
        for seed in 0..runs {
            for &(u, v) in draw(seed).edges() {
                counts[(v * (v - 1) / 2 + u) as usize] += 1;
            }
        }
        counts
    }

    #[test]
    fn every_pair_is_an_edge_equally_often() {
        let runs = 3000;
        let drawn = pair_counts(runs, |seed| random_regular(Regular { nodes: 10, degree: 3 }, seed).unwrap());
        assert!(chi_square_is_plausible(&drawn, runs as f64 / 3.0));
        // The control swaps the ends of two edges of a fixed ring with chords. It is regular, but keeps most edges in
        // place.
        let biased = pair_counts(runs, |seed| {
            let mut edges: Vec<(u32, u32)> = (0..10).map(|v| (v, (v + 1) % 10)).collect();
            edges.extend((0..5).map(|v| (v, v + 5)));
            let (first, second) = ((seed % 5) as u32 + 10, (seed / 5 % 5) as u32 + 10);
            if first != second {
                let (one, other) = (edges[first as usize].1, edges[second as usize].1);
                edges[first as usize].1 = other;
                edges[second as usize].1 = one;
            }
            let fallback = Graph::from_unsorted(10, edges);
            fallback.unwrap_or_else(|_| crate::family::line::ring(10).unwrap())
        });
        assert!(!chi_square_is_plausible(&biased, runs as f64 / 3.0));
    }

    /// Triangles in a random cubic graph are asymptotically Poisson with mean (d - 1)^3 / 6 = 4/3 (Bollobas 1980).
    #[test]
    fn triangles_are_as_rare_as_they_should_be() {
        let triangles = |graph: &Graph| {
            let adjacency = graph.adjacency();
            let common = |&(u, v): &(u32, u32)| {
                adjacency.neighbours(u).iter().filter(|w| adjacency.neighbours(v).contains(w)).count()
            };
            graph.edges().iter().map(common).sum::<usize>() as f64 / 3.0
        };
        let runs = 1500;
        let total = |draw: fn(u64) -> Graph| (0..runs).map(|seed| triangles(&draw(seed))).sum::<f64>();
        let mean = 4.0 / 3.0 * runs as f64;
        let drawn = total(|seed| random_regular(Regular { nodes: 400, degree: 3 }, seed).unwrap());
        assert!(standard_score(drawn, mean, mean).abs() < ODDS_ONE_IN_A_MILLION, "{drawn} {mean}");
        // The control is the generator of rustworkx-core, which this one replaces.
        let biased = total(|seed| {
            let graph: UnGraph<(), ()> = random_regular_graph(400, 3, Some(seed), || (), || ()).unwrap();
            let edges = graph.raw_edges().iter();
            let edges = edges.map(|edge| (edge.source().index() as u32, edge.target().index() as u32));
            Graph::from_unsorted(400, edges.collect()).unwrap()
        });
        assert!(standard_score(biased, mean, mean) > ODDS_ONE_IN_A_MILLION, "{biased} {mean}");
    }

    /// Cubic graphs on 6 nodes: 60 prisms and 10 complete bipartite graphs. The distribution is not quite uniform on
    /// so few nodes, but both kinds occur, and the prism is by far the more frequent one.
    #[test]
    fn both_cubic_graphs_on_six_nodes_occur() {
        let bipartite = (0..700u64).filter(|&seed| {
            let graph = random_regular(Regular { nodes: 6, degree: 3 }, seed).unwrap();
            let adjacency = graph.adjacency();
            graph
                .edges()
                .iter()
                .all(|&(u, v)| adjacency.neighbours(u).iter().all(|w| !adjacency.neighbours(v).contains(w)))
        });
        let count = bipartite.count();
        assert!((50..200).contains(&count), "{count}");
    }

    #[test]
    fn refused_parameters() {
        for (nodes, degree, message) in [
            (0, 0, "random regular: nodes = 0; accepted: 1 to 67108864"),
            (4, 4, "random regular: degree = 4; accepted: less than nodes = 4"),
            (
                5,
                3,
                "random regular: nodes * degree = 5 * 3; accepted: an even product: every edge has two ends",
            ),
            (
                1 << 26,
                6,
                "random regular: edges = 201326592 (1536 MiB); accepted: up to 134217728 edges (1024 MiB)",
            ),
        ] {
            let error = random_regular(Regular { nodes, degree }, 1).unwrap_err();
            assert_eq!(error.to_string(), message);
        }
    }
}
