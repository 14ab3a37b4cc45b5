//! [`Head`]: the description of a film.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The head of a film. `FILM.md` describes its fields.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Head {
    /// The version of the format.
    pub film: u32,
    /// `population`, `amoebots` or `cells`.
    pub kind: String,
    /// The title of the scenario.
    pub title: String,
    /// Facts about the run: names and values.
    pub facts: Vec<(String, String)>,
    /// Notes for the viewer.
    pub notes: Vec<String>,
    /// The number of nodes.
    pub nodes: u32,
    /// The step of the last frame.
    pub steps: u64,
    /// Steps between two frames, at least 1.
    pub every: u64,
    /// The number of frames.
    pub frames: u64,
    /// The noun for one step: `round`, `interaction`.
    pub time: String,
    /// The columns: one value per node each.
    pub columns: Vec<NodeColumn>,
    /// The names of actions, by index in the frames.
    pub actions: Vec<String>,
    /// The guards of actions in words, by name of the action.
    pub guards: BTreeMap<String, String>,
    /// The names of the kinds of messages.
    pub messages: Vec<String>,
    /// The positions of nodes.
    pub picture: NodePositions,
    /// The names of the nodes in the graph file.
    pub labels: Option<Vec<String>>,
    /// Counts over time.
    pub counts: CountSeries,
    /// The index of the chunks.
    pub chunks: Vec<Chunk>,
    /// The CRC-32 of the last configuration, written as a key frame with the words of the last chunk.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<u32>,
}

impl Head {
    /// The head of a film with these nodes and no frames yet.
    #[must_use]
    pub fn new(kind: &str, nodes: u32, columns: Vec<NodeColumn>) -> Self {
        Self {
            film: 2,
            kind: kind.to_owned(),
            title: String::new(),
            facts: Vec::new(),
            notes: Vec::new(),
            nodes,
            steps: 0,
            every: 1,
            frames: 0,
            time: "step".to_owned(),
            columns,
            actions: Vec::new(),
            guards: BTreeMap::new(),
            messages: Vec::new(),
            picture: NodePositions::default(),
            labels: None,
            counts: CountSeries::default(),
            chunks: Vec::new(),
            end: None,
        }
    }

    /// The index of a column.
    #[must_use]
    pub fn column(&self, key: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.key == key)
    }
}

/// A column of a film: one value per node.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct NodeColumn {
    /// The name of the column in options and in JSON, such as `state`.
    pub key: String,
    /// The name that is displayed.
    pub name: String,
    /// The type of values.
    pub kind: ColumnKind,
    /// The names of the classes, if values are classes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<String>,
    /// The group of the column: `memory`, or none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<String>,
}

impl NodeColumn {
    /// Creates a column of numbers, nodes or words.
    #[must_use]
    pub fn new(key: impl Into<String>, name: impl Into<String>, kind: ColumnKind) -> Self {
        Self { key: key.into(), name: name.into(), kind, values: Vec::new(), of: None }
    }

    /// Creates a column of classes; `values` are the names of the classes.
    #[must_use]
    pub fn class(
        key: impl Into<String>,
        name: impl Into<String>,
        values: impl IntoIterator<Item = String>,
    ) -> Self {
        Self { values: values.into_iter().collect(), ..Self::new(key, name, ColumnKind::Class) }
    }

    /// Marks the column as part of a node's memory.
    #[must_use]
    pub fn of_memory(mut self) -> Self {
        self.of = Some("memory".to_owned());
        self
    }
}

/// The type of the values of a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ColumnKind {
    /// One of a list of names.
    Class,
    /// A whole number within ±2^52.
    Number,
    /// The number of a node, or no node.
    Node,
    /// A text.
    Word,
}

/// The positions of nodes.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct NodePositions {
    /// `triangular` if nodes are on cells.
    pub lattice: Option<String>,
    /// The positions of fixed nodes: x and y alternate.
    pub positions: Option<Vec<f64>>,
    /// Whether nodes move. Their positions are then columns.
    pub moving: bool,
    /// Cells of objects that do not act.
    pub objects: Vec<(i32, i32)>,
    /// The name of the objects.
    pub object: String,
    /// Cells of land, in films of bridging.
    pub land: Vec<(i32, i32)>,
    /// Cells of the gap that amoebots bridge.
    pub gap: Vec<(i32, i32)>,
    /// The columns and rows of a torus.
    pub wraps: Option<(u32, u32)>,
}

/// Counts over time.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct CountSeries {
    /// The names of the counted classes.
    pub names: Vec<String>,
    /// The steps at which the counts were taken.
    pub step: Vec<u64>,
    /// The counts, one row for each of these steps.
    pub values: Vec<Vec<u64>>,
}

/// An entry of the chunk index.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Chunk {
    /// The number of the first frame of the chunk.
    pub first: u64,
    /// The number of frames of the chunk.
    pub frames: u64,
    /// The union of the flags of the frames.
    pub flags: u8,
    /// The CRC-32 of the inflated bytes of the chunk.
    pub check: u32,
}
