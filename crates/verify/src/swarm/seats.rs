//! Initial knowledge of nodes, in addition to their ports. The knowledge is drawn from the seed, so seed and graph
//! suffice to reproduce it.

use std::num::NonZeroU32;

use acrasin_runtime::choice::derived_seed;
use acrasin_runtime::exclusion::critical_section::{LocalSections, Scheme};
use acrasin_runtime::exclusion::{Bounds, InitialKnowledge, RootedTree};
use acrasin_runtime::{Choices as _, Decision, NodeId, Seeded, Topology};

/// The maximum number of times that the set of processes inside at the start is drawn, until suitable bounds exist for
/// it. On a wheel about every second draw has such bounds.
const DRAWS_MAX: u32 = 1 << 10;

/// Draws the initial knowledge of one run.
struct KnowledgeDraws(Seeded);

impl KnowledgeDraws {
    fn new(seed: u64) -> Self {
        Self(Seeded::new(derived_seed(seed, 3)))
    }

    /// Draws uniformly below `bound`, which must not be 0.
    fn below(&mut self, bound: usize) -> usize {
        let bound = u32::try_from(bound).ok().and_then(NonZeroU32::new).expect("something to choose from");
        self.0.pick(bound, Decision::Initial) as usize
    }

    /// Draws uniformly from `least..=most`.
    fn between(&mut self, least: u32, most: u32) -> u32 {
        least + self.below((most - least + 1) as usize) as u32
    }
}

/// The tree of shortest paths to node 0; empty if the graph is not connected.
pub(super) fn shortest_ways(topology: &Topology) -> InitialKnowledge {
    grown(topology, NodeId(0), |_| 0)
}

/// A random spanning tree with a random root; every spanning tree is possible. Empty if the graph is not connected.
/// Cost: O(nodes * edges).
pub(super) fn random_tree(topology: &Topology, seed: u64) -> InitialKnowledge {
    let mut draw = KnowledgeDraws::new(seed);
    let root = NodeId(draw.below(topology.node_count() as usize) as u32);
    grown(topology, root, |ways| draw.below(ways))
}

/// Grows a tree from `root`. `pick` chooses the next edge by its index: given n, it returns a number below n. The edges
/// are sorted by the order in which their inner ends were reached.
fn grown(topology: &Topology, root: NodeId, mut pick: impl FnMut(usize) -> usize) -> InitialKnowledge {
    let nodes = topology.node_count() as usize;
    let mut fathers: Vec<Option<u32>> = vec![None; nodes];
    let mut reached = vec![root];
    while reached.len() < nodes {
        let ways = reached.iter().flat_map(|&at| topology.links(at).map(move |(_, link)| (at, link.peer)));
        let ways: Vec<(NodeId, NodeId)> = ways.filter(|(_, to)| !reached.contains(to)).collect();
        if ways.is_empty() {
            return InitialKnowledge::default();
        }
        let (father, node) = ways[pick(ways.len())];
        fathers[node.index()] = Some(father.0);
        reached.push(node);
    }
    InitialKnowledge::from_tree(RootedTree::new(&fathers).expect("one root, and no way goes round"))
}

/// Draws which processes are inside at the start, and bounds for each node under which every process can enter or
/// leave. The leader is node 0.
pub(super) fn random_bounds(sections: LocalSections, topology: &Topology, seed: u64) -> InitialKnowledge {
    let mut draw = KnowledgeDraws::new(seed);
    let nodes = topology.node_count() as usize;
    let leader = (sections.scheme() == Scheme::Leader).then_some(NodeId(0));
    for _ in 0..DRAWS_MAX {
        let inside: Vec<bool> = (0..nodes)
            .map(|_| match sections.scheme() {
                Scheme::Inclusion => draw.below(4) > 0,
                Scheme::Exclusion => draw.below(4) == 0,
                Scheme::Home | Scheme::Leader => draw.below(2) == 0,
            })
            .collect();
        let counted = topology.nodes().map(|node| {
            let near = topology.links(node).filter(|(_, link)| inside[link.peer.index()]).count() as u32;
            (near + u32::from(inside[node.index()]), u32::from(topology.degree(node)) + 1)
        });
        let counted: Vec<(u32, u32)> = counted.collect();
        let bounds = counted.into_iter().map(|(now, all)| bounds(sections.scheme(), now, all, &mut draw));
        if let Some(bounds) = bounds.collect() {
            return InitialKnowledge { bounds, inside, leader, ..InitialKnowledge::default() };
        }
    }
    InitialKnowledge::default()
}

/// Draws bounds for a neighbourhood of `all` processes of which `now` are inside; `None` if no bounds fit.
fn bounds(scheme: Scheme, now: u32, all: u32, draw: &mut KnowledgeDraws) -> Option<Bounds> {
    let (least, most) = match scheme {
        Scheme::Inclusion => (draw.between(0, now.min(all - 1)), all),
        Scheme::Exclusion => (0, draw.between(now.max(1), all)),
        Scheme::Home => {
            let least = if now == 0 { 0 } else { draw.between(0, now - 1) };
            (least, if now == all { all } else { draw.between(now + 1, all) })
        }
        // The bounds are strict and at least three apart, since all nodes are near the leader.
        Scheme::Leader => {
            if now == 0 || now == all || all < 3 {
                return None;
            }
            let least = draw.between(0, (now - 1).min(all - 3));
            (least, draw.between((now + 1).max(least + 3), all))
        }
    };
    Some(Bounds { least, most })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use acrasin_runtime::exclusion::Exclusion as _;

    use super::*;

    #[test]
    fn every_tree_of_three_nodes_is_drawn() {
        let triangle = Topology::from_edges(3, 2, &[(0, 1), (0, 2), (1, 2)]).unwrap();
        let drawn = (0..200).map(|seed| random_tree(&triangle, seed).tree.unwrap());
        let fathers = drawn.map(|tree| (0..3).map(|node| tree.father(NodeId(node))).collect::<Vec<_>>());
        assert_eq!(fathers.collect::<BTreeSet<_>>().len(), 9, "Cayley");
    }

    #[test]
    fn a_graph_in_two_parts_has_no_tree() {
        assert_eq!(
            random_tree(&Topology::from_edges(3, 2, &[(0, 1)]).unwrap(), 1),
            InitialKnowledge::default()
        );
    }

    #[test]
    fn drawn_bounds_fit() {
        let wheel = [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (2, 3), (3, 4), (1, 4)];
        let wheel = Topology::from_edges(5, 4, &wheel).unwrap();
        for scheme in [Scheme::Inclusion, Scheme::Exclusion, Scheme::Home, Scheme::Leader] {
            let sections = LocalSections::new(scheme);
            let mut seen = BTreeSet::new();
            for seed in 0..100 {
                let seating = random_bounds(sections, &wheel, seed);
                assert_eq!(sections.check_start(&wheel, &seating), Ok(()), "{scheme:?} {seating:?}");
                seen.extend(seating.bounds.iter().map(|bounds| (bounds.least, bounds.most)));
            }
            assert!(seen.len() >= 3, "{scheme:?}: {seen:?}");
        }
    }
}
