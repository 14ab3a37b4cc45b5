//! G(n, p): every pair is an edge, independently.

use acrasin_catalogue::parameter::{Parameter, ParameterKind, Values};
use rand::{RngExt as _, SeedableRng as _};
use rand_pcg::Pcg64;

use super::entry::{FamilyEntry, FamilyForm, FamilySize, NODES};
use super::line::{complete, pairs};
use super::size::{built, edge_count, node_count};
use crate::graph::Graph;
use crate::parameter::GraphParameterError;

/// The parameters of a G(n, p) graph.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Gnp {
    /// The number of nodes, `n`.
    pub nodes: u64,
    /// Probability `p` that a pair is an edge, in [0, 1].
    pub probability: f64,
}

/// The catalogue entry of [`gnp`].
pub const GNP: FamilyEntry = FamilyEntry {
    name: "Gnp",
    title: "gnp",
    summary: "every pair of nodes is an edge with the given probability, independently",
    parameters: &[
        NODES,
        Parameter::required(
            "probability",
            ParameterKind::Probability,
            "the probability that a pair is an edge",
        ),
    ],
    draws: true,
    size: |values| {
        let Gnp { nodes, probability } = Gnp::of(values);
        FamilySize::of_pairs(nodes, probability)
    },
    make: |values, seed| gnp(Gnp::of(values), seed),
    form: FamilyForm::Other,
    points: None,
};

impl Gnp {
    fn of(values: &Values) -> Self {
        Self {
            nodes: values.count_of("nodes"),
            probability: values.probability("probability").expect("it must be written"),
        }
    }
}

/// A graph in which each pair of nodes is an edge with the given probability, independently (Gilbert 1959).
///
/// The pairs are walked in order, and the gaps between edges are drawn from the geometric distribution (Batagelj and
/// Brandes 2005). So the cost is O(nodes + edges), not O(nodes²). The logarithm is computed in software, which gives
/// the same graph on every platform. A gap has 53 bits of resolution.
///
/// # Errors
///
/// Refuses a probability outside [0, 1], and parameters whose expected number of edges plus eight standard deviations
/// is above [`EDGES_MAX`](crate::limits::EDGES_MAX).
pub fn gnp(Gnp { nodes, probability }: Gnp, seed: u64) -> Result<Graph, GraphParameterError> {
    const NAME: &str = GNP.title;
    let nodes = node_count(NAME, nodes, 1)?;
    if !(0.0..=1.0).contains(&probability) {
        return Err(GraphParameterError::new(NAME, "probability", probability, "0 to 1"));
    }
    if probability == 1.0 {
        return complete(nodes.into());
    }
    let mean = pairs(nodes) as f64 * probability;
    let mut edges = Vec::with_capacity(edge_count(NAME, (mean + 8.0 * mean.sqrt()) as u128)?);
    if probability > 0.0 {
        let mut random = Pcg64::seed_from_u64(seed);
        let log_none = libm::log1p(-probability);
        // A uniform draw in (0, 1]; its logarithm is finite.
        walk(nodes, || (libm::log(1.0 - random.random::<f64>()) / log_none) as u64, &mut edges);
    }
    Ok(built(Graph::from_unsorted(nodes.into(), edges)))
}

/// Walks the pairs `(0, 1), (0, 2), (1, 2), (0, 3), ...`: repeatedly skips `gap()` pairs and takes one.
fn walk(nodes: u32, mut gap: impl FnMut() -> u64, edges: &mut Vec<(u32, u32)>) {
    let nodes = u64::from(nodes);
    let (mut u, mut v) = (0u64, 1u64);
    loop {
        u = u.saturating_add(gap());
        while u >= v {
            u -= v;
            v += 1;
            if v >= nodes {
                return;
            }
        }
        if v >= nodes {
            return;
        }
        edges.push((u as u32, v as u32));
        u += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::{ODDS_ONE_IN_A_MILLION, chi_square_is_plausible, standard_score};

    #[test]
    fn gaps_of_zero_take_every_pair_in_order() {
        let mut edges = Vec::new();
        walk(4, || 0, &mut edges);
        assert_eq!(edges, [(0, 1), (0, 2), (1, 2), (0, 3), (1, 3), (2, 3)]);
        edges.clear();
        walk(4, || 2, &mut edges);
        assert_eq!(edges, [(1, 2), (2, 3)]);
        edges.clear();
        walk(4, || u64::MAX, &mut edges);
        walk(1, || 0, &mut edges);
        assert_eq!(edges, []);
    }

    fn pair_counts(runs: u64, mut draw: impl FnMut(u64, &mut Vec<(u32, u32)>)) -> Vec<u64> {
        let mut counts = vec![0; 66];
        for seed in 0..runs {
            let mut edges = Vec::new();
            draw(seed, &mut edges);
            for (u, v) in edges {
                counts[(v * (v - 1) / 2 + u) as usize] += 1;
            }
        }
        counts
    }

    #[test]
    fn every_pair_is_an_edge_with_the_probability() {
        let runs = 20_000;
        for probability in [0.05, 0.3, 0.8] {
            let expected = runs as f64 * probability;
            // A binomial count varies less than a Poisson one: the statistic is scaled accordingly.
            let scaled = |counts: Vec<u64>| -> Vec<u64> {
                let spread = (1.0 - probability).sqrt();
                let scale = |count: u64| (expected + (count as f64 - expected) / spread).round() as u64;
                counts.into_iter().map(scale).collect()
            };
            let drawn = pair_counts(runs, |seed, edges| {
                edges.extend_from_slice(gnp(Gnp { nodes: 12, probability }, seed).unwrap().edges());
            });
            assert!(chi_square_is_plausible(&scaled(drawn), expected), "{probability}");
            // The control skips one pair too many in every second gap.
            let biased = pair_counts(runs, |seed, edges| {
                let mut random = Pcg64::seed_from_u64(seed);
                let log_none = libm::log1p(-probability);
                let gap = || {
                    let gap = (libm::log(1.0 - random.random::<f64>()) / log_none) as u64;
                    gap + u64::from(random.random_range(0..2) == 0)
                };
                walk(12, gap, edges);
            });
            assert!(!chi_square_is_plausible(&scaled(biased), expected), "{probability}");
        }
    }

    /// Compares the gaps with an independent sampler of the geometric distribution, by a two-sample test.
    #[test]
    fn gaps_follow_the_geometric_law_of_an_independent_library() {
        use rand_distr::{Distribution as _, Geometric};
        const CELLS: usize = 12;
        let (probability, draws) = (0.2, 60_000_u64);
        let histogram = |mut gap: Box<dyn FnMut() -> u64>| -> Vec<f64> {
            let mut counts = vec![0.0; CELLS];
            for _ in 0..draws {
                counts[(gap() as usize).min(CELLS - 1)] += 1.0;
            }
            counts
        };
        let (mut ours, mut theirs) = (Pcg64::seed_from_u64(1), Pcg64::seed_from_u64(2));
        let log_none = libm::log1p(-probability);
        let ours = histogram(Box::new(move || (libm::log(1.0 - ours.random::<f64>()) / log_none) as u64));
        let law = Geometric::new(probability).unwrap();
        let theirs = histogram(Box::new(move || law.sample(&mut theirs)));
        let chi =
            |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b).map(|(a, b)| (a - b) * (a - b) / (a + b)).sum() };
        // 99.9 % quantile of chi-square with 11 degrees of freedom.
        assert!(chi(&ours, &theirs) < 31.26, "{}", chi(&ours, &theirs));
        let mut biased = ours.clone();
        biased[0] += 0.01 * draws as f64;
        biased[1] -= 0.01 * draws as f64;
        assert!(chi(&biased, &theirs) > 31.26);
    }

    #[test]
    fn a_large_sparse_graph_has_the_expected_number_of_edges() {
        let probability = 4e-6;
        let mean = pairs(1_000_000) as f64 * probability;
        let graph = gnp(Gnp { nodes: 1_000_000, probability }, 3).unwrap();
        assert!(standard_score(graph.edges().len() as f64, mean, mean).abs() < ODDS_ONE_IN_A_MILLION);
        let biased = gnp(Gnp { nodes: 1_000_000, probability: 1.01 * probability }, 3).unwrap();
        assert!(standard_score(biased.edges().len() as f64, mean, mean).abs() > ODDS_ONE_IN_A_MILLION);
    }

    #[test]
    fn the_ends_of_the_interval_and_beyond() {
        assert_eq!(gnp(Gnp { nodes: 50, probability: 0.0 }, 1).unwrap().edges(), []);
        assert_eq!(gnp(Gnp { nodes: 50, probability: 1.0 }, 1), complete(50));
        assert_eq!(gnp(Gnp { nodes: 50, probability: f64::MIN_POSITIVE }, 1).unwrap().edges(), []);
        for probability in [-0.1, 1.5, f64::NAN, f64::INFINITY] {
            let error = gnp(Gnp { nodes: 50, probability }, 1).unwrap_err();
            assert_eq!((error.parameter(), error.accepted()), ("probability", "0 to 1"));
        }
        assert_eq!(gnp(Gnp { nodes: 1 << 26, probability: 0.5 }, 1).unwrap_err().parameter(), "edges");
    }
}
