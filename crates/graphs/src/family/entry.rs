//! Catalogue entries of graph families.

use acrasin_catalogue::parameter::{Parameter, ParameterError as Misfit, ParameterKind, Values};

use crate::graph::Graph;
use crate::parameter::GraphParameterError;

/// The catalogue entry of a graph family: its name, its parameters and its generator.
///
/// ```
/// use acrasin_catalogue::parameter::{ParameterValue, Values};
/// use acrasin_graphs::family::line;
///
/// let ring = line::RING.of(Values::default().with("nodes", ParameterValue::Count(30)))?;
/// assert_eq!(ring.build(0).unwrap().edges().len(), 30);
/// assert_eq!((ring.size().nodes, ring.size().edges), (30, 30));
/// # Ok::<(), acrasin_catalogue::parameter::ParameterError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct FamilyEntry {
    /// The word in a scenario: `RandomRegular`.
    pub name: &'static str,
    /// The name in sentences and in [`GraphParameterError::model`]: `random regular`.
    pub title: &'static str,
    /// A one-line description for lists.
    pub summary: &'static str,
    /// The parameters of the family, in the order in which they are listed.
    pub parameters: &'static [Parameter],
    /// Whether the graph depends on the seed.
    pub draws: bool,
    /// The size of the graph before it is built. O(1).
    pub size: fn(&Values) -> FamilySize,
    /// Builds the graph from parameters and seed. The required parameters are present and all have their kinds.
    /// Families that do not draw ignore the seed.
    pub make: fn(&Values, u64) -> Result<Graph, GraphParameterError>,
    /// The positions of the nodes in the plane, for parameters that `make` accepts; `None` for families without
    /// positions.
    pub points: Option<Points>,
    /// The structure of every graph of the family, for engines and pictures.
    pub form: FamilyForm,
}

/// Known structure of every graph of a family.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FamilyForm {
    /// No known structure.
    Other,
    /// Every two nodes are adjacent.
    Complete,
    /// A path in the order of node numbers.
    Path,
    /// A ring in the order of node numbers.
    Ring,
    /// All nodes are adjacent only to node 0.
    Star,
    /// `rows` times `columns` nodes, numbered row by row. Each is adjacent to the next node in its row and in its
    /// column, and in triangular lattices also along one diagonal.
    Rows {
        /// Whether the lattice is triangular, with edges along one diagonal.
        is_triangular: bool,
        /// Whether opposite sides are joined, so that the lattice is a torus.
        is_torus: bool,
    },
}

/// The positions of the nodes, x and y by node number, as a function of parameters and seed.
pub type Points = fn(&Values, u64) -> Vec<[f64; 2]>;

impl FamilyEntry {
    /// Creates the family with these parameters.
    ///
    /// # Errors
    ///
    /// A parameter that is missing, of another kind, or unknown. [`Family::build`] checks ranges.
    pub fn of(&self, values: Values) -> Result<Family, Misfit> {
        values.checked(self.parameters)?;
        Ok(Family { entry: *self, values })
    }
}

/// A graph family with its parameters.
#[derive(Clone, Debug)]
pub struct Family {
    entry: FamilyEntry,
    values: Values,
}

impl Family {
    /// The catalogue entry of the family.
    #[must_use]
    pub fn entry(&self) -> &FamilyEntry {
        &self.entry
    }

    /// The parameters of the family, with their values.
    #[must_use]
    pub fn values(&self) -> &Values {
        &self.values
    }

    /// Builds the graph. A family that does not draw ignores the seed.
    ///
    /// # Errors
    ///
    /// A parameter that is out of range.
    pub fn build(&self, seed: u64) -> Result<Graph, GraphParameterError> {
        (self.entry.make)(&self.values, seed)
    }

    /// The positions of the nodes for this seed, if the family places them.
    #[must_use]
    pub fn points(&self, seed: u64) -> Option<Vec<[f64; 2]>> {
        Some((self.entry.points?)(&self.values, seed))
    }

    /// Nodes and expected edges of the graph, before it is built.
    #[must_use]
    pub fn size(&self) -> FamilySize {
        (self.entry.size)(&self.values)
    }
}

/// The size of a graph, possibly too large to be built.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FamilySize {
    /// The number of nodes.
    pub nodes: u128,
    /// The expected number of edges.
    pub edges: u128,
}

impl FamilySize {
    /// The size of a graph with `nodes` nodes and `edges_per_node` edges for each.
    #[must_use]
    pub fn of(nodes: u64, edges_per_node: u64) -> Self {
        let nodes = u128::from(nodes);
        Self { nodes, edges: nodes * u128::from(edges_per_node) }
    }

    /// The expected size of a graph with `nodes` nodes in which every pair is an edge with this probability.
    #[must_use]
    pub fn of_pairs(nodes: u64, probability: f64) -> Self {
        let real = nodes as f64;
        Self { nodes: nodes.into(), edges: (real * real / 2.0 * probability.min(1.0)) as u128 }
    }
}

/// The parameter for the number of nodes.
pub(super) const NODES: Parameter = Parameter::required("nodes", ParameterKind::Count, "number of nodes");
