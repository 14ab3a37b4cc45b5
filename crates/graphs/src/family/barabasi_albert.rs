//! Barabási-Albert graphs: preferential attachment.

use acrasin_catalogue::parameter::{Parameter, ParameterKind, Values};
use rand::{RngExt as _, SeedableRng as _};
use rand_pcg::Pcg64;

use super::entry::{FamilyEntry, FamilyForm, FamilySize, NODES};
use super::size::{built, edge_count, node_count};
use crate::graph::Graph;
use crate::parameter::GraphParameterError;

/// The parameters of a Barabási-Albert graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BarabasiAlbert {
    /// The number of nodes.
    pub nodes: u64,
    /// The number of distinct older nodes that each new node links to.
    pub links: u64,
}

/// The catalogue entry of [`barabasi_albert`].
pub const BARABASI_ALBERT: FamilyEntry = FamilyEntry {
    name: "BarabasiAlbert",
    title: "barabasi-albert",
    summary: "each new node links to older ones in proportion to degree",
    parameters: &[
        NODES,
        Parameter::required(
            "links",
            ParameterKind::Count,
            "the number of older nodes that each new one links to",
        ),
    ],
    draws: true,
    size: |values| {
        let BarabasiAlbert { nodes, links } = BarabasiAlbert::of(values);
        FamilySize::of(nodes, links)
    },
    make: |values, seed| barabasi_albert(BarabasiAlbert::of(values), seed),
    form: FamilyForm::Other,
    points: None,
};

impl BarabasiAlbert {
    fn of(values: &Values) -> Self {
        Self { nodes: values.count_of("nodes"), links: values.count_of("links") }
    }
}

/// A graph grown by preferential attachment (Barabási and Albert 1999).
///
/// The graph starts as a star of `links + 1` nodes. Each further node links to `links` distinct older ones, each drawn
/// with probability proportional to its degree. The graph is connected and has `links · (nodes - links)` edges.
/// Expected O(nodes · links).
///
/// # Errors
///
/// Refuses 0 links, links that are not below the number of nodes, and more than
/// [`EDGES_MAX`](crate::limits::EDGES_MAX) edges.
pub fn barabasi_albert(parameters: BarabasiAlbert, seed: u64) -> Result<Graph, GraphParameterError> {
    const NAME: &str = BARABASI_ALBERT.title;
    let nodes = node_count(NAME, parameters.nodes, 2)?;
    let links = parameters.links;
    if links == 0 || links >= u64::from(nodes) {
        return Err(GraphParameterError::new(
            NAME,
            "links",
            links,
            format!("1 to nodes - 1 = {}", nodes - 1),
        ));
    }
    edge_count(NAME, u128::from(links) * u128::from(u64::from(nodes) - links))?;
    let mut random = Pcg64::seed_from_u64(seed);
    let edge_total = links * (u64::from(nodes) - links);
    let mut edges: Vec<(u32, u32)> = Vec::with_capacity(edge_total as usize);
    // Both ends of every edge: a uniform entry is a node with probability proportional to its degree.
    let mut ends: Vec<u32> = Vec::with_capacity(2 * edge_total as usize);
    let mut join = |older: u32, newer: u32, ends: &mut Vec<u32>| {
        edges.push((older, newer));
        ends.extend([older, newer]);
    };
    // The graph starts as a star: with fewer edges a new node could not find enough distinct neighbours.
    let links = links as u32;
    for leaf in 1..=links {
        join(0, leaf, &mut ends);
    }
    let mut chosen = Vec::with_capacity(links as usize);
    for newer in links + 1..nodes {
        chosen.clear();
        while chosen.len() < links as usize {
            let older = ends[random.random_range(0..ends.len() as u64) as usize];
            if !chosen.contains(&older) {
                chosen.push(older);
            }
        }
        for &older in &chosen {
            join(older, newer, &mut ends);
        }
    }
    Ok(built(Graph::from_unsorted(u64::from(nodes), edges)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::{ODDS_ONE_IN_A_MILLION, standard_score};

    #[test]
    fn each_node_links_to_distinct_older_ones() {
        for nodes in 2..12 {
            for links in 1..nodes {
                let graph = barabasi_albert(BarabasiAlbert { nodes, links }, 5).unwrap();
                assert!(graph.is_connected());
                assert_eq!(graph.edges().len() as u64, links * (nodes - links));
                for node in links + 1..nodes {
                    let older = graph.edges().iter().filter(|&&(_, newer)| u64::from(newer) == node).count();
                    assert_eq!(older as u64, links);
                }
            }
        }
    }

    /// Of many nodes, a share 2 / (m + 2) keeps degree m (Bollobas, Riordan, Spencer and Tusnady 2001).
    #[test]
    fn the_share_of_lowest_degrees_is_that_of_preferential_attachment() {
        let (nodes, links) = (20_000, 2);
        let lowest = |graph: &Graph| graph.degrees().iter().filter(|&&degree| degree == links).count() as f64;
        let score = |count: f64| standard_score(count, 0.5 * 20_000.0, 0.25 * 20_000.0);
        for seed in 0..5 {
            let graph = barabasi_albert(BarabasiAlbert { nodes, links: links.into() }, seed).unwrap();
            assert!(score(lowest(&graph)).abs() < ODDS_ONE_IN_A_MILLION, "{}", score(lowest(&graph)));
        }
        // The control attaches to older nodes uniformly, where the share tends to 1 / (m + 1).
        let mut random = Pcg64::seed_from_u64(1);
        let mut edges = vec![(0, 1), (0, 2)];
        for node in 3..nodes as u32 {
            let first = random.random_range(0..node);
            let second = (first + random.random_range(1..node)) % node;
            edges.extend([(first, node), (second, node)]);
        }
        let uniform = Graph::from_unsorted(nodes, edges).unwrap();
        assert!(score(lowest(&uniform)).abs() > ODDS_ONE_IN_A_MILLION);
    }

    #[test]
    fn refused_parameters() {
        for (nodes, links, message) in [
            (1, 1, "barabasi-albert: nodes = 1; accepted: 2 to 67108864"),
            (9, 0, "barabasi-albert: links = 0; accepted: 1 to nodes - 1 = 8"),
            (9, 9, "barabasi-albert: links = 9; accepted: 1 to nodes - 1 = 8"),
        ] {
            let error = barabasi_albert(BarabasiAlbert { nodes, links }, 1).unwrap_err();
            assert_eq!(error.to_string(), message);
        }
        assert_eq!(
            barabasi_albert(BarabasiAlbert { nodes: 1 << 26, links: 3 }, 1).unwrap_err().parameter(),
            "edges"
        );
    }
}
