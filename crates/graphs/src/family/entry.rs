//! A graph family by name: all that is said of it, once.

use acrasin_catalogue::parameter::{Kind, Parameter, ParameterError as Misfit, Values};

use crate::graph::Graph;
use crate::parameter::ParameterError;

/// A graph family as the catalogue has it: by name, with what it takes.
///
/// ```
/// use acrasin_catalogue::parameter::{Value, Values};
/// use acrasin_graphs::family::line;
///
/// let ring = line::RING.of(Values::default().with("nodes", Value::Count(30)))?;
/// assert_eq!(ring.build(0).unwrap().edges().len(), 30);
/// assert_eq!((ring.size().nodes, ring.size().edges), (30, 30));
/// # Ok::<(), acrasin_catalogue::parameter::ParameterError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The word in a scenario: `RandomRegular`.
    pub name: &'static str,
    /// What it is called in a sentence, as in [`ParameterError::model`]: `random regular`.
    pub title: &'static str,
    /// One line.
    pub summary: &'static str,
    /// What can be written for it, in order.
    pub parameters: &'static [Parameter],
    /// Whether the graph depends on the seed.
    pub draws: bool,
    /// How large the graph will be. O(1).
    pub size: fn(&Values) -> Size,
    /// The graph of what was written: all that must be is, and everything is of its kind. One that does not draw ignores
    /// the seed.
    pub make: fn(&Values, u64) -> Result<Graph, ParameterError>,
    /// Where its nodes are in the plane, x and y by number, of a graph that `make` accepts; `None` of a family whose nodes are
    /// nowhere.
    pub points: Option<Points>,
    /// What is known of every graph of the family: engines and pictures go by it.
    pub form: FamilyForm,
}

/// What is known of every graph of a family.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FamilyForm {
    /// Nothing.
    Other,
    /// Every two nodes are adjacent.
    Complete,
    /// A path, in the order of the numbers.
    Path,
    /// A ring, in the order of the numbers.
    Ring,
    /// All nodes are adjacent to node 0 alone.
    Star,
    /// `rows` times `columns` nodes, row by row: each adjacent to those beside, above and below it, on triangles also to those of one
    /// diagonal.
    Rows {
        /// Whether there are diagonals.
        is_triangular: bool,
        /// Whether opposite sides are joined.
        is_torus: bool,
    },
}

/// Where the nodes of a graph are, x and y by number: of what was written, and of a seed.
pub type Points = fn(&Values, u64) -> Vec<[f64; 2]>;

impl Entry {
    /// The family with these parameters.
    ///
    /// # Errors
    ///
    /// A parameter that is missing, of another kind, or unknown. Whether it is in range, [`Family::build`] says.
    pub fn of(&self, values: Values) -> Result<Family, Misfit> {
        values.checked(self.parameters)?;
        Ok(Family { entry: *self, values })
    }
}

/// A graph family with its parameters.
#[derive(Clone, Debug)]
pub struct Family {
    entry: Entry,
    values: Values,
}

impl Family {
    /// The entry that it was made of.
    #[must_use]
    pub fn entry(&self) -> &Entry {
        &self.entry
    }

    /// Its parameters.
    #[must_use]
    pub fn values(&self) -> &Values {
        &self.values
    }

    /// The graph. A family that does not draw ignores the seed.
    ///
    /// # Errors
    ///
    /// A parameter that is out of range.
    pub fn build(&self, seed: u64) -> Result<Graph, ParameterError> {
        (self.entry.make)(&self.values, seed)
    }

    /// Where the nodes of the graph of this seed are in the plane, if the family places them.
    #[must_use]
    pub fn points(&self, seed: u64) -> Option<Vec<[f64; 2]>> {
        Some((self.entry.points?)(&self.values, seed))
    }

    /// Nodes and expected edges of the graph, before it is built.
    #[must_use]
    pub fn size(&self) -> Size {
        (self.entry.size)(&self.values)
    }
}

/// How large a graph is, perhaps too large to be made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Size {
    /// Its nodes.
    pub nodes: u128,
    /// Its edges, as many as are expected.
    pub edges: u128,
}

impl Size {
    /// So many nodes, and so many edges for each of them.
    #[must_use]
    pub fn of(nodes: u64, edges_per_node: u64) -> Self {
        let nodes = u128::from(nodes);
        Self { nodes, edges: nodes * u128::from(edges_per_node) }
    }

    /// So many nodes, and every pair an edge with this probability.
    #[must_use]
    pub fn of_pairs(nodes: u64, probability: f64) -> Self {
        let real = nodes as f64;
        Self { nodes: nodes.into(), edges: (real * real / 2.0 * probability.min(1.0)) as u128 }
    }
}

/// The number of nodes.
pub(super) const NODES: Parameter = Parameter::required("nodes", Kind::Count, "number of nodes");
