//! What is filmed.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The head of a film. Its fields are those of `FILM.md`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Head {
    /// The version of the format: 1.
    pub film: u32,
    /// `population`, `amoebots` or `cells`.
    pub kind: String,
    /// What the scenario is called.
    pub title: String,
    /// Names and values.
    pub facts: Vec<(String, String)>,
    /// What whoever looks at it should know.
    pub notes: Vec<String>,
    /// How many nodes there are.
    pub nodes: u32,
    /// The last moment.
    pub steps: u64,
    /// Steps between two frames, at least 1.
    pub every: u64,
    /// How many frames there are.
    pub frames: u64,
    /// What a step is called.
    pub time: String,
    /// What is known of each node.
    pub columns: Vec<Column>,
    /// The labels of steps.
    pub actions: Vec<String>,
    /// Why an action is enabled, in words.
    pub guards: BTreeMap<String, String>,
    /// The kinds of messages.
    pub messages: Vec<String>,
    /// Where nodes are drawn.
    pub picture: Picture,
    /// What nodes are called in their file.
    pub labels: Option<Vec<String>>,
    /// Counts over time.
    pub counts: Counts,
    /// The index.
    pub chunks: Vec<Chunk>,
}

impl Head {
    /// Of a film of these nodes that has no frames yet.
    #[must_use]
    pub fn new(kind: &str, nodes: u32, columns: Vec<Column>) -> Self {
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
            picture: Picture::default(),
            labels: None,
            counts: Counts::default(),
            chunks: Vec::new(),
        }
    }

    /// The position of a column.
    #[must_use]
    pub fn column(&self, key: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.key == key)
    }
}

/// What is known of each node.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Column {
    /// What programs call it.
    pub key: String,
    /// What people call it.
    pub name: String,
    /// Which values it has.
    pub kind: Kind,
    /// The names of the classes, of a class.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<String>,
    /// What it belongs to: `memory`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<String>,
}

impl Column {
    /// A column of numbers, nodes or words.
    #[must_use]
    pub fn new(key: impl Into<String>, name: impl Into<String>, kind: Kind) -> Self {
        Self { key: key.into(), name: name.into(), kind, values: Vec::new(), of: None }
    }

    /// A column of classes.
    #[must_use]
    pub fn class(
        key: impl Into<String>,
        name: impl Into<String>,
        values: impl IntoIterator<Item = String>,
    ) -> Self {
        Self { values: values.into_iter().collect(), ..Self::new(key, name, Kind::Class) }
    }

    /// The same, of the memory of a node.
    #[must_use]
    pub fn of_memory(mut self) -> Self {
        self.of = Some("memory".to_owned());
        self
    }
}

/// Which values a column has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// One of a list of names.
    Class,
    /// A number.
    Number,
    /// A node, or none.
    Node,
    /// A text.
    Word,
}

/// Where nodes are drawn.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Picture {
    /// `triangular`, where nodes are on cells.
    pub lattice: Option<String>,
    /// Of nodes that stay: x and y by turns.
    pub positions: Option<Vec<f64>>,
    /// Whether positions are columns.
    pub moving: bool,
    /// Cells that do not act.
    pub objects: Vec<(i32, i32)>,
    /// What they are called.
    pub object: String,
    /// Cells of land.
    pub land: Vec<(i32, i32)>,
    /// Cells of a gap.
    pub gap: Vec<(i32, i32)>,
    /// Columns and rows of a torus.
    pub wraps: Option<(u32, u32)>,
}

/// Counts over time.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Counts {
    /// What is counted.
    pub names: Vec<String>,
    /// When.
    pub step: Vec<u64>,
    /// How many; one row a moment.
    pub values: Vec<Vec<u64>>,
}

/// One entry of the index.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Chunk {
    /// Its first frame.
    pub first: u64,
    /// How many frames it has.
    pub frames: u64,
    /// The union of their flags.
    pub flags: u8,
    /// CRC-32 of its bytes after inflation.
    pub check: u32,
}
