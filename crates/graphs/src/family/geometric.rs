//! Random geometric graphs: nodes in the unit square, adjacent if they are close.

use acrasin_catalogue::parameter::{Parameter, ParameterKind, Values};
use rand::{RngExt as _, SeedableRng as _};
use rand_pcg::Pcg64;

use super::entry::{FamilyEntry, FamilyForm, FamilySize, NODES};
use super::line::pairs;
use super::size::{built, edge_count, node_count};
use crate::cells::{Point, SquareField, pairs_in_range};
use crate::graph::Graph;
use crate::parameter::GraphParameterError;

/// The parameters of a random geometric graph.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Geometric {
    /// The number of nodes.
    pub nodes: u64,
    /// The largest distance between adjacent nodes, as a fraction of the side of the square.
    pub radius: f64,
}

/// The catalogue entry of [`random_geometric`].
pub const RANDOM_GEOMETRIC: FamilyEntry = FamilyEntry {
    name: "RandomGeometric",
    title: "random geometric",
    summary: "nodes in the unit square, adjacent within the radius",
    parameters: &[
        NODES,
        Parameter::required(
            "radius",
            ParameterKind::Positive,
            "the largest distance between adjacent nodes, as a fraction of the side of the square",
        ),
    ],
    draws: true,
    size: |values| {
        let Geometric { nodes, radius } = Geometric::of(values);
        FamilySize::of_pairs(nodes, std::f64::consts::PI * radius * radius)
    },
    make: |values, seed| random_geometric(Geometric::of(values), seed),
    form: FamilyForm::Other,
    points: Some(|values, seed| random_geometric_points(Geometric::of(values), seed)),
};

impl Geometric {
    fn of(values: &Values) -> Self {
        Self {
            nodes: values.count_of("nodes"),
            radius: values.positive("radius").expect("it must be written"),
        }
    }
}

/// Nodes placed independently and uniformly in the unit square; two are adjacent if their distance is at most the
/// radius (Gilbert 1961).
///
/// Neighbours are searched by a grid of cells: expected O(nodes + edges).
///
/// # Errors
///
/// Refuses a radius that is not a finite number of at least 0, and parameters for too many edges. The expected number
/// of edges, at most `pairs · π · radius²`, plus eight standard deviations must not exceed
/// [`EDGES_MAX`](crate::limits::EDGES_MAX).
pub fn random_geometric(parameters: Geometric, seed: u64) -> Result<Graph, GraphParameterError> {
    const NAME: &str = RANDOM_GEOMETRIC.title;
    let nodes = node_count(NAME, parameters.nodes, 1)?;
    let radius = parameters.radius;
    if !(radius.is_finite() && radius >= 0.0) {
        return Err(GraphParameterError::new(
            NAME,
            "radius",
            radius,
            "0 or more, as a fraction of the side of the square",
        ));
    }
    let mean = pairs(nodes) as f64 * (std::f64::consts::PI * radius * radius).min(1.0);
    // Edges are not independent: the spread of the mean degree adds to that of the count.
    let spread = mean.sqrt() + mean / f64::from(nodes).sqrt();
    edge_count(NAME, ((mean + 8.0 * spread) as u128).min(pairs(nodes)))?;
    let points = positions(nodes, seed);
    let mut edges = Vec::new();
    pairs_in_range(SquareField { side: 1.0, range: radius }, &points, |u, v| edges.push((u, v)));
    Ok(built(Graph::from_unsorted(nodes.into(), edges)))
}

/// The positions of the nodes of [`random_geometric`] in the unit square, x and y by node number.
///
/// # Panics
///
/// Panics if there are more nodes than [`random_geometric`] accepts.
#[must_use]
pub fn random_geometric_points(parameters: Geometric, seed: u64) -> Vec<[f64; 2]> {
    let nodes = u32::try_from(parameters.nodes).expect("as many nodes as a graph may have");
    positions(nodes, seed).into_iter().map(|Point { x, y }| [x, y]).collect()
}

fn positions(nodes: u32, seed: u64) -> Vec<Point> {
    let mut random = Pcg64::seed_from_u64(seed);
    (0..nodes).map(|_| Point { x: random.random(), y: random.random() }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::{ODDS_ONE_IN_A_MILLION, standard_score};

    #[test]
    fn adjacent_means_in_range() {
        for radius in [0.0, 0.01, 0.2, 0.7, 1.3, 50.0] {
            for seed in 0..4 {
                let points = positions(60, seed);
                let graph = random_geometric(Geometric { nodes: 60, radius }, seed).unwrap();
                for u in 0..60 {
                    for v in u + 1..60 {
                        let (p, q) = (points[u as usize], points[v as usize]);
                        let square = (p.x - q.x) * (p.x - q.x) + (p.y - q.y) * (p.y - q.y);
                        assert_eq!(graph.edges().contains(&(u, v)), square <= radius * radius);
                    }
                }
            }
        }
    }

    /// Two uniform points of the unit square are within `r <= 1` with probability pi r^2 - 8 r^3 / 3 + r^4 / 2.
    #[test]
    fn pairs_are_in_range_as_often_as_uniform_points() {
        let (runs, radius) = (20_000, 0.3f64);
        let probability =
            std::f64::consts::PI * radius.powi(2) - 8.0 / 3.0 * radius.powi(3) + 0.5 * radius.powi(4);
        // One pair per graph, so that trials are independent.
        let close = |points: &[Point]| {
            let mut found = 0;
            pairs_in_range(SquareField { side: 1.0, range: radius }, points, |_, _| found += 1);
            found
        };
        let mean = f64::from(runs) * probability;
        let variance = mean * (1.0 - probability);
        let total: u32 = (0..u64::from(runs as u32)).map(|seed| close(&positions(2, seed))).sum();
        assert!(standard_score(total.into(), mean, variance).abs() < ODDS_ONE_IN_A_MILLION);
        // The control squares the coordinates, which crowds points in a corner.
        let crowded = |seed| -> Vec<Point> {
            positions(2, seed)
                .into_iter()
                .map(|point| Point { x: point.x * point.x, y: point.y * point.y })
                .collect()
        };
        let biased: u32 = (0..u64::from(runs as u32)).map(|seed| close(&crowded(seed))).sum();
        assert!(standard_score(biased.into(), mean, variance).abs() > ODDS_ONE_IN_A_MILLION);
    }

    #[test]
    fn refused_parameters() {
        for radius in [-0.1, f64::NAN, f64::INFINITY] {
            let error = random_geometric(Geometric { nodes: 9, radius }, 1).unwrap_err();
            assert_eq!(error.parameter(), "radius");
        }
        let error = random_geometric(Geometric { nodes: 1 << 20, radius: 0.1 }, 1).unwrap_err();
        assert_eq!(error.parameter(), "edges");
    }
}
