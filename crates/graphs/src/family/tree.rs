//! Uniformly random trees.

use rand::{RngExt as _, SeedableRng as _};
use rand_pcg::Pcg64;

use super::entry::{FamilyEntry, FamilyForm, FamilySize, NODES};
use super::size::{built, node_count};
use crate::graph::Graph;
use crate::parameter::GraphParameterError;

/// The catalogue entry of [`uniform_tree`].
pub const UNIFORM_TREE: FamilyEntry = FamilyEntry {
    name: "UniformTree",
    title: "uniform tree",
    summary: "a random tree, every tree on the nodes with the same probability; at least 2 nodes",
    parameters: &[NODES],
    draws: true,
    size: |values| FamilySize::of(values.count_of("nodes"), 1),
    make: |values, seed| uniform_tree(values.count_of("nodes"), seed),
    form: FamilyForm::Other,
    points: None,
};

/// A tree drawn uniformly from all n^(n-2) trees on n nodes: a random sequence of n - 2 nodes, decoded after Prüfer.
///
/// The largest degree is about ln n / ln ln n, and the diameter is of order √n. Cost: O(n log n).
///
/// # Errors
///
/// Refuses fewer than 2 nodes and more than [`NODES_MAX`](crate::limits::NODES_MAX).
pub fn uniform_tree(nodes: u64, seed: u64) -> Result<Graph, GraphParameterError> {
    let nodes = node_count(UNIFORM_TREE.title, nodes, 2)?;
    let mut random = Pcg64::seed_from_u64(seed);
    let code: Vec<u32> = (2..nodes).map(|_| random.random_range(0..nodes)).collect();
    Ok(built(Graph::new(nodes.into(), decoded(nodes, &code))))
}

/// The edges of the tree with this Prüfer sequence.
fn decoded(nodes: u32, code: &[u32]) -> Vec<(u32, u32)> {
    let mut left = vec![1_u32; nodes as usize];
    code.iter().for_each(|&node| left[node as usize] += 1);
    let mut edges = Vec::with_capacity(nodes as usize - 1);
    // Each step removes the smallest leaf. The next one is either its neighbour or further on.
    let mut next = left.iter().position(|&left| left == 1).expect("a tree has leaves") as u32;
    let mut leaf = next;
    for &node in code {
        edges.push((leaf.min(node), leaf.max(node)));
        left[node as usize] -= 1;
        if left[node as usize] == 1 && node < next {
            leaf = node;
        } else {
            next = (next + 1..nodes).find(|&node| left[node as usize] == 1).expect("two leaves are left");
            leaf = next;
        }
    }
    edges.push((leaf, nodes - 1));
    edges.sort_unstable();
    edges
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn sequences_and_trees_belong_together() {
        // An example of the literature: 4, 4, 4, 5 on six nodes, counted from 1.
        assert_eq!(decoded(6, &[3, 3, 3, 4]), [(0, 3), (1, 3), (2, 3), (3, 4), (4, 5)]);
        let mut trees: Vec<Vec<(u32, u32)>> =
            (0..125).map(|number| decoded(5, &[number % 5, number / 5 % 5, number / 25])).collect();
        trees.sort();
        trees.dedup();
        assert_eq!(trees.len(), 125, "Cayley: 5^3");
    }

    /// The 16 trees of four nodes, drawn 32 000 times: chi-square with 15 degrees of freedom, false alarm 1e-6 at 58.
    /// Trees that grow by attaching each node to a uniform older one are rejected.
    #[test]
    fn every_tree_is_as_probable() {
        let chi = |tree: &dyn Fn(u64) -> Vec<(u32, u32)>| {
            let mut counts = BTreeMap::new();
            for seed in 0..32_000 {
                let mut edges = tree(seed);
                edges.sort_unstable();
                *counts.entry(edges).or_insert(0_u32) += 1;
            }
            let missing = (16 - counts.len()) as f64 * 2_000.0;
            missing
                + counts.values().map(|&count| (f64::from(count) - 2_000.0).powi(2) / 2_000.0).sum::<f64>()
        };
        let drawn = chi(&|seed| uniform_tree(4, seed).unwrap().edges().to_vec());
        assert!(drawn < 58.0, "{drawn}");
        let grown = chi(&|seed| {
            let mut random = Pcg64::seed_from_u64(seed);
            (1..4).map(|node| (random.random_range(0..node), node)).collect()
        });
        assert!(grown > 58.0, "{grown}");
    }

    #[test]
    fn trees_are_connected() {
        for (nodes, seed) in [(2, 1), (3, 1), (1_000, 2), (100_000, 3)] {
            let tree = uniform_tree(nodes, seed).unwrap();
            assert_eq!(tree.edges().len() as u64, nodes - 1);
            assert!(tree.is_connected());
        }
    }
}
