//! The random regular graphs of the workloads.

use std::num::NonZeroU32;

use acrasin_runtime::{Topology, TopologyError};

use acrasin_engine::draw::{Draws, Purpose};

/// A random graph in which every node has degree `2 * cycles`: the union of that many edge-disjoint random
/// Hamiltonian cycles.
///
/// The distribution is contiguous with that of the uniform random regular graph (Kim and Wormald 2001). The graph is
/// connected, and drawn in O(nodes).
///
/// # Errors
///
/// There are more nodes than a [`Topology`] can have.
///
/// # Panics
///
/// Panics if there are fewer than `8 * cycles` nodes: then disjoint cycles are hard to find by chance.
pub(crate) fn random_cycles(nodes: u32, cycles: u16, draws: Draws) -> Result<Topology, TopologyError> {
    assert!(
        nodes >= 8 * u32::from(cycles),
        "a graph of {nodes} nodes is too small for {cycles} disjoint cycles"
    );
    let degree = usize::from(2 * cycles);
    let mut neighbours: Vec<u32> = vec![u32::MAX; nodes as usize * degree];
    let mut edges = Vec::with_capacity(nodes as usize * usize::from(cycles));
    let mut attempt = 0;
    for cycle in 0..usize::from(cycles) {
        let order = loop {
            let stream = draws.stream(Purpose::Initial, attempt);
            attempt += 1;
            let taken = |a: u32, b: u32| neighbours[a as usize * degree..][..2 * cycle].contains(&b);
            if let Some(order) = random_order(nodes, stream, taken) {
                break order;
            }
        };
        for (i, &node) in order.iter().enumerate() {
            let next = order[(i + 1) % order.len()];
            edges.push((node, next));
            neighbours[node as usize * degree + 2 * cycle] = next;
            neighbours[next as usize * degree + 2 * cycle + 1] = node;
        }
    }
    Topology::from_edges(nodes, 2 * cycles, &edges)
}

/// The nodes in a random cyclic order in which no two consecutive nodes are a `taken` pair. `None` if the draws reach a
/// dead end.
fn random_order(
    nodes: u32,
    stream: acrasin_engine::draw::Stream,
    taken: impl Fn(u32, u32) -> bool,
) -> Option<Vec<u32>> {
    const TRIES: usize = 1000;
    let mut order: Vec<u32> = (0..nodes).collect();
    let mut index = 0;
    for at in 1..nodes {
        let left = NonZeroU32::new(nodes - at).expect("at is below the number of nodes");
        let mut tries = 0..TRIES;
        let chosen = loop {
            tries.next()?;
            let chosen = at + stream.below(index, left);
            index += 1;
            if !taken(order[at as usize - 1], order[chosen as usize]) {
                break chosen;
            }
        };
        order.swap(at as usize, chosen as usize);
    }
    let (first, last) = (*order.first()?, *order.last()?);
    (!taken(last, first)).then_some(order)
}

#[cfg(test)]
mod tests {
    use acrasin_runtime::NodeId;

    use super::*;

    #[test]
    fn every_node_has_the_degree_and_seeds_differ() {
        for (nodes, cycles) in [(32, 4), (1000, 4), (8, 1), (40, 2)] {
            // `from_edges` refuses loops and repeated edges.
            let graph = random_cycles(nodes, cycles, Draws::new(1)).unwrap();
            for node in 0..nodes {
                assert_eq!(graph.degree(NodeId(node)), 2 * cycles);
            }
            let other = random_cycles(nodes, cycles, Draws::new(2)).unwrap();
            assert_ne!(graph.edges(), other.edges());
            assert_eq!(graph.edges(), random_cycles(nodes, cycles, Draws::new(1)).unwrap().edges());
        }
    }
}
