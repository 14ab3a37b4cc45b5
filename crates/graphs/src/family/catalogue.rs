//! All families as one value, and their descriptions.

use super::barabasi_albert::{BarabasiAlbert, barabasi_albert};
use super::geometric::{Geometric, random_geometric};
use super::gnp::{Gnp, gnp};
use super::lattice::{Sides, grid, torus};
use super::line::{complete, path, ring, star};
use super::regular::{Regular, random_regular};
use super::triangular::{triangular, triangular_torus};
use crate::graph::Graph;
use crate::parameter::ParameterError;

/// A graph family with its parameters.
///
/// ```
/// use acrasin_graphs::Family;
///
/// assert_eq!(Family::Ring { nodes: 30 }.build(0)?.edges().len(), 30);
/// let error = Family::Ring { nodes: 2 }.build(0).unwrap_err();
/// assert_eq!(error.to_string(), "ring: nodes = 2; accepted: 3 to 67108864");
/// # Ok::<(), acrasin_graphs::ParameterError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
#[allow(missing_docs, reason = "the fields are the parameters of the functions that the variants name")]
#[non_exhaustive]
pub enum Family {
    /// [`path`]
    Path { nodes: u64 },
    /// [`ring`]
    Ring { nodes: u64 },
    /// [`star`]
    Star { nodes: u64 },
    /// [`complete`]
    Complete { nodes: u64 },
    /// [`grid`]
    Grid { rows: u64, columns: u64 },
    /// [`torus`]
    Torus { rows: u64, columns: u64 },
    /// [`triangular`]
    Triangular { rows: u64, columns: u64 },
    /// [`triangular_torus`]
    TriangularTorus { rows: u64, columns: u64 },
    /// [`random_regular`]
    RandomRegular { nodes: u64, degree: u64 },
    /// [`gnp`]
    Gnp { nodes: u64, probability: f64 },
    /// [`barabasi_albert`]
    BarabasiAlbert { nodes: u64, links: u64 },
    /// [`random_geometric`]
    RandomGeometric { nodes: u64, radius: f64 },
}

impl Family {
    /// The graph of these parameters. A family that does not draw ignores the seed.
    ///
    /// # Errors
    ///
    /// Those of the function that the variant names.
    pub fn build(self, seed: u64) -> Result<Graph, ParameterError> {
        match self {
            Self::Path { nodes } => path(nodes),
            Self::Ring { nodes } => ring(nodes),
            Self::Star { nodes } => star(nodes),
            Self::Complete { nodes } => complete(nodes),
            Self::Grid { rows, columns } => grid(Sides { rows, columns }),
            Self::Torus { rows, columns } => torus(Sides { rows, columns }),
            Self::Triangular { rows, columns } => triangular(Sides { rows, columns }),
            Self::TriangularTorus { rows, columns } => triangular_torus(Sides { rows, columns }),
            Self::RandomRegular { nodes, degree } => random_regular(Regular { nodes, degree }, seed),
            Self::Gnp { nodes, probability } => gnp(Gnp { nodes, probability }, seed),
            Self::BarabasiAlbert { nodes, links } => barabasi_albert(BarabasiAlbert { nodes, links }, seed),
            Self::RandomGeometric { nodes, radius } => random_geometric(Geometric { nodes, radius }, seed),
        }
    }

    /// Nodes and expected edges of the graph, before it is built; saturating. O(1).
    ///
    /// ```
    /// assert_eq!(acrasin_graphs::Family::Torus { rows: 6, columns: 6 }.size(), (36, 72));
    /// ```
    #[must_use]
    pub fn size(self) -> (u128, u128) {
        let line = |nodes: u64| (u128::from(nodes), u128::from(nodes));
        let lattice = |rows: u64, columns: u64, edges_per_node: u128| {
            let nodes = u128::from(rows) * u128::from(columns);
            (nodes, nodes.saturating_mul(edges_per_node))
        };
        let product = |nodes: u64, degree: u64| (u128::from(nodes), u128::from(nodes) * u128::from(degree));
        let pairs = |nodes: u64, share: f64| {
            let nodes = nodes as f64;
            (nodes as u128, (nodes * nodes / 2.0 * share.min(1.0)) as u128)
        };
        // Every family by its name: one without an estimate does not compile.
        match self {
            Self::Path { nodes } | Self::Ring { nodes } | Self::Star { nodes } => line(nodes),
            Self::Complete { nodes } => pairs(nodes, 1.0),
            Self::Grid { rows, columns } | Self::Torus { rows, columns } => lattice(rows, columns, 2),
            Self::Triangular { rows, columns } | Self::TriangularTorus { rows, columns } => {
                lattice(rows, columns, 3)
            }
            Self::RandomRegular { nodes, degree } => {
                let (nodes, ends) = product(nodes, degree);
                (nodes, ends / 2)
            }
            Self::BarabasiAlbert { nodes, links } => product(nodes, links),
            Self::Gnp { nodes, probability } => pairs(nodes, probability),
            Self::RandomGeometric { nodes, radius } => pairs(nodes, std::f64::consts::PI * radius * radius),
        }
    }

    /// Name, parameters and a line of description.
    #[must_use]
    pub fn description(&self) -> &'static Description {
        let place = match self {
            Self::Path { .. } => 0,
            Self::Ring { .. } => 1,
            Self::Star { .. } => 2,
            Self::Complete { .. } => 3,
            Self::Grid { .. } => 4,
            Self::Torus { .. } => 5,
            Self::Triangular { .. } => 6,
            Self::TriangularTorus { .. } => 7,
            Self::RandomRegular { .. } => 8,
            Self::Gnp { .. } => 9,
            Self::BarabasiAlbert { .. } => 10,
            Self::RandomGeometric { .. } => 11,
        };
        &families()[place]
    }
}

/// What a list of families says about one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Description {
    /// The name, as in [`ParameterError::model`].
    pub name: &'static str,
    /// The names of the parameters.
    pub parameters: &'static [&'static str],
    /// Whether the graph depends on the seed.
    pub random: bool,
    /// One line: what it is, and which parameters it accepts.
    pub line: &'static str,
}

/// All families, deterministic ones first.
#[must_use]
pub fn families() -> &'static [Description] {
    const NODES: &[&str] = &["nodes"];
    const SIDES: &[&str] = &["rows", "columns"];
    const fn fixed(
        name: &'static str,
        parameters: &'static [&'static str],
        line: &'static str,
    ) -> Description {
        Description { name, parameters, random: false, line }
    }
    const fn drawn(
        name: &'static str,
        parameters: &'static [&'static str],
        line: &'static str,
    ) -> Description {
        Description { name, parameters, random: true, line }
    }
    &const {
        [
            fixed("path", NODES, "nodes in a line"),
            fixed("ring", NODES, "nodes in a circle; at least 3"),
            fixed("star", NODES, "node 0 adjacent to all others; at least 2 nodes"),
            fixed("complete", NODES, "every two nodes adjacent; at most 16384 nodes"),
            fixed("grid", SIDES, "square lattice, open boundary, degree up to 4"),
            fixed("torus", SIDES, "square lattice without boundary, degree 4; sides at least 3"),
            fixed("triangular", SIDES, "rhombic patch of the triangular lattice, degree up to 6"),
            fixed(
                "triangular torus",
                SIDES,
                "triangular lattice without boundary, degree 6; sides at least 3",
            ),
            drawn(
                "random regular",
                &["nodes", "degree"],
                "every node of the same degree; nodes * degree even",
            ),
            drawn("gnp", &["nodes", "probability"], "every pair an edge with the probability, independently"),
            drawn(
                "barabasi-albert",
                &["nodes", "links"],
                "each new node links to older ones in proportion to degree",
            ),
            drawn(
                "random geometric",
                &["nodes", "radius"],
                "nodes in the unit square, adjacent within the radius",
            ),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One of each family, with parameters `times` as large; 0 is refused by all.
    fn each(times: u32) -> [Family; 12] {
        let (of, share) = (|whole| u64::from(times * whole), |real| f64::from(times) * real);
        let (nodes, rows, columns) = (of(40), of(5), of(8));
        [
            Family::Path { nodes },
            Family::Ring { nodes },
            Family::Star { nodes },
            Family::Complete { nodes },
            Family::Grid { rows, columns },
            Family::Torus { rows, columns },
            Family::Triangular { rows, columns },
            Family::TriangularTorus { rows, columns },
            Family::RandomRegular { nodes, degree: of(3) },
            Family::Gnp { nodes, probability: share(0.1) },
            Family::BarabasiAlbert { nodes, links: of(2) },
            Family::RandomGeometric { nodes, radius: share(0.2) },
        ]
    }

    /// The digests of seed 1. A change here is a change of every result that uses the family: say so in the change log.
    #[test]
    fn golden_digests() {
        let digests: Vec<String> =
            each(1).iter().map(|family| format!("{:032x}", family.build(1).unwrap().digest())).collect();
        assert_eq!(digests, GOLDEN);
    }

    const GOLDEN: [&str; 12] = [
        "12d949123e0d2cb8cf7ad5c554a12b8f",
        "fe2ff9208c37f8605a3881e2dc1ea86d",
        "dc5ae95adf2ff4c6be339ae679f6deaa",
        "ac2af8dbd5df5e8d04af0f6e95bc4098",
        "d99ab5832f7a9f639dfb14cf131a2613",
        "0a33bae07ddc5710cfeb2f3c8a86b7a5",
        "37d754aa25ae9636931af3525729fe43",
        "4b587ada1176d3dbc384ebb7b46f8dbc",
        "e4b9c5999f490c088c66f75e2748e6d6",
        "8a3d0729b9f12639fa2ab8d20f91c894",
        "e47949d2baecc4fe246a9362d815a869",
        "bb3ef70e96676169475e02aacfe6ce5d",
    ];

    /// Memory is estimated from these.
    #[test]
    fn no_graph_is_much_larger_than_its_estimate() {
        for family in each(1).into_iter().chain(each(3)) {
            let graph = family.build(1).unwrap();
            let (nodes, edges) = family.size();
            assert_eq!(u128::from(graph.nodes()), nodes, "{family:?}");
            let drawn = graph.edges().len() as f64;
            assert!(drawn <= edges as f64 * 1.3 && edges > 0, "{family:?}: {drawn} of about {edges}");
        }
    }

    #[test]
    fn the_seed_matters_exactly_where_the_list_says() {
        for family in each(1) {
            let (one, two) = (family.build(1).unwrap(), family.build(2).unwrap());
            assert_eq!(one, family.build(1).unwrap());
            assert_eq!(one != two, family.description().random, "{family:?}");
        }
    }

    #[test]
    fn the_list_names_every_family_once_and_as_its_errors_do() {
        let names: Vec<&str> = each(1).iter().map(|family| family.description().name).collect();
        assert_eq!(names, families().iter().map(|family| family.name).collect::<Vec<_>>());
        for (family, wrong) in each(1).into_iter().zip(each(0)) {
            let error: ParameterError = wrong.build(0).unwrap_err();
            assert_eq!(error.model(), family.description().name);
            assert!(family.description().parameters.contains(&error.parameter()));
        }
    }
}
