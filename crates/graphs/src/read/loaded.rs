//! What a reader returns.

use super::ReadError;
use crate::graph::{Graph, Labels};
use crate::limits::{EDGES_MAX, NODES_MAX};

/// A graph from a file, and what the reader left out.
#[derive(Clone, PartialEq, Debug)]
pub struct Loaded {
    /// The graph.
    pub graph: Graph,
    /// What the file holds beyond it.
    pub notes: ReadNotes,
    /// Where it says that the nodes are in the plane, by node number, y upwards; of all nodes or of none.
    pub positions: Option<Vec<[f64; 2]>>,
}

/// What a file holds that a simple undirected graph does not.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub struct ReadNotes {
    /// Edges from a node to itself, left out.
    pub self_loops_dropped: u64,
    /// Edges that repeat an earlier one, in the same or the other direction; each pair of nodes is kept once.
    pub duplicates_merged: u64,
    /// Whether the file declares its edges directed; they are kept without direction.
    pub was_directed: bool,
    /// Whether the file has weights or further columns, which were ignored.
    pub weights_ignored: bool,
}

impl ReadNotes {
    /// What the user should know, a sentence each; nothing if the file holds a simple undirected graph.
    #[must_use]
    pub fn sentences(&self) -> Vec<String> {
        let &Self { self_loops_dropped, duplicates_merged, was_directed, weights_ignored } = self;
        let notes = [
            (
                self_loops_dropped > 0,
                format!("{self_loops_dropped} edges from a node to itself are left out"),
            ),
            (
                duplicates_merged > 0,
                format!("{duplicates_merged} edges are listed more than once and count once"),
            ),
            (was_directed, "its directed edges are used in both directions".to_owned()),
            (weights_ignored, "weights or further columns are ignored".to_owned()),
        ];
        notes.into_iter().filter_map(|(holds, sentence)| holds.then_some(sentence)).collect()
    }
}

/// The pairs of a file and how they were read.
pub(super) struct Pairs {
    pub(super) nodes: u64,
    pub(super) pairs: Vec<(u32, u32)>,
    pub(super) labels: Option<Labels>,
    pub(super) notes: ReadNotes,
}

impl Pairs {
    /// The simple graph of the pairs; `file` is for errors.
    pub(super) fn into_loaded(mut self, file: &str) -> Result<Loaded, ReadError> {
        let read = self.pairs.len();
        self.pairs.retain(|(u, v)| u != v);
        self.notes.self_loops_dropped += (read - self.pairs.len()) as u64;
        for pair in &mut self.pairs {
            *pair = (pair.0.min(pair.1), pair.0.max(pair.1));
        }
        self.pairs.sort_unstable();
        let proper = self.pairs.len();
        self.pairs.dedup();
        self.notes.duplicates_merged += (proper - self.pairs.len()) as u64;
        let graph = Graph::new(self.nodes, self.pairs).and_then(|graph| graph.with_labels(self.labels));
        let accepted = || format!("1 to {NODES_MAX} nodes, up to {EDGES_MAX} edges");
        let graph = graph.map_err(|error| ReadError::of_file(file, error.to_string(), accepted()))?;
        Ok(Loaded { graph, notes: self.notes, positions: None })
    }
}
