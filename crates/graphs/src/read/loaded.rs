//! The results of readers: [`Loaded`] and [`ListedGraph`].

use super::ReadError;
use crate::graph::{Graph, NodeLabels};
use crate::limits::{EDGES_MAX, NODES_MAX};

/// A graph from a file, and notes on content that the graph does not represent.
#[derive(Clone, PartialEq, Debug)]
pub struct Loaded {
    /// The graph without self-loops and repeated edges.
    pub graph: Graph,
    /// Notes on content of the file that the graph does not represent.
    pub notes: ReadNotes,
    /// The positions of the nodes in the plane, by node number, y upwards. `None` if the file gives no positions.
    pub positions: Option<Vec<[f64; 2]>>,
}

/// The content of a file that a simple undirected graph does not represent.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub struct ReadNotes {
    /// The number of edges from a node to itself, which are dropped.
    pub self_loops_dropped: u64,
    /// The number of edges between two nodes that an earlier edge joins, in either direction. Each pair of nodes is
    /// kept once.
    pub duplicates_merged: u64,
    /// The number of pairs of nodes that several edges join.
    pub repeated_pairs: u64,
    /// Whether the file declares some or all of its edges directed. A simple graph keeps them without direction.
    pub was_directed: bool,
    /// Whether the file declares some edges directed and others undirected.
    pub was_mixed: bool,
    /// The attributes of edges that the reader ignored, in words, if any.
    pub ignored: Option<&'static str>,
    /// The number of the line that was read as names of columns, if any.
    pub header_line: Option<u64>,
    /// Whether the first edge of a table joins two names that occur nowhere else, as names of columns would.
    pub first_edge_stands_alone: bool,
}

impl ReadNotes {
    /// Notes for users of the simple graph, one sentence each; empty if the graph represents the whole file.
    #[must_use]
    pub fn sentences(&self) -> Vec<String> {
        let mut sentences = self.of_every_use();
        if self.repeated_pairs > 0 {
            let pairs = self.repeated_pairs;
            sentences.push(match (self.was_directed, self.was_mixed) {
                (_, true) => match pairs {
                    1 => "1 pair of nodes has several edges, which count once".to_owned(),
                    _ => format!("{pairs} pairs of nodes have several edges, which count once"),
                },
                (true, false) => match pairs {
                    1 => "1 pair of nodes has several directed edges, which count once".to_owned(),
                    _ => format!("{pairs} pairs of nodes have several directed edges, which count once"),
                },
                (false, false) => match pairs {
                    1 => "1 edge is listed more than once and counts once".to_owned(),
                    _ => format!("{pairs} edges are listed more than once and count once"),
                },
            });
        }
        if self.was_directed {
            sentences.push("its directed edges are used in both directions".to_owned());
        }
        sentences
    }

    /// Notes that hold for the simple graph and for the listed edges.
    fn of_every_use(&self) -> Vec<String> {
        let &Self { self_loops_dropped, ignored, header_line, first_edge_stands_alone, .. } = self;
        let notes = [
            header_line.map(|line| format!("line {line} is read as the names of the columns")),
            first_edge_stands_alone.then(|| {
                "its first edge joins two names that occur nowhere else; names of columns need a # before them".to_owned()
            }),
            match self_loops_dropped {
                0 => None,
                1 => Some("1 edge from a node to itself is left out".to_owned()),
                _ => Some(format!("{self_loops_dropped} edges from a node to itself are left out")),
            },
            ignored.map(|what| format!("{what} are ignored")),
        ];
        notes.into_iter().flatten().collect()
    }
}

/// Whether the edges of a file have directions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EdgeDirections {
    /// The file declares them: each edge leads from its first end to its second.
    Declared,
    /// The file does not declare them. The first end of each edge is the one written first.
    AsWritten,
    /// The file declares all edges undirected.
    Undirected,
    /// The file declares some edges directed and others undirected.
    Mixed,
}

impl EdgeDirections {
    /// The directions of a file that declares for each edge whether it is directed.
    pub(super) fn of_each(has_direction: &[bool]) -> Self {
        match (has_direction.contains(&true), has_direction.contains(&false)) {
            (true, true) => Self::Mixed,
            (true, false) => Self::Declared,
            (false, _) => Self::Undirected,
        }
    }
}

/// The edges of a file as they are listed there, including repeated edges and self-loops.
#[derive(Clone, PartialEq, Debug)]
pub struct ListedGraph {
    pub(super) nodes: u64,
    /// Pairs of first end and second end.
    pub(super) edges: Vec<(u32, u32)>,
    /// The weights by edge; `None` if they were not requested.
    pub(super) weights: Option<Vec<f64>>,
    pub(super) labels: Option<NodeLabels>,
    pub(super) directions: EdgeDirections,
    /// Whether each edge has a direction, for [mixed](EdgeDirections::Mixed) directions; else empty.
    pub(super) has_direction: Vec<bool>,
    pub(super) notes: ReadNotes,
    pub(super) positions: Option<Vec<[f64; 2]>>,
}

impl ListedGraph {
    /// The simple graph of the edges; `file` is the name for errors. O(edges log edges).
    ///
    /// # Errors
    ///
    /// Refuses more nodes or edges than the limits allow.
    pub fn simple(self, file: &str) -> Result<Loaded, ReadError> {
        let Self { nodes, mut edges, labels, directions, mut notes, positions, .. } = self;
        let read = edges.len();
        edges.retain(|(u, v)| u != v);
        notes.self_loops_dropped += (read - edges.len()) as u64;
        for edge in &mut edges {
            *edge = (edge.0.min(edge.1), edge.0.max(edge.1));
        }
        edges.sort_unstable();
        let proper = edges.len();
        notes.repeated_pairs = edges.chunk_by(|a, b| a == b).filter(|equal| equal.len() > 1).count() as u64;
        edges.dedup();
        notes.duplicates_merged += (proper - edges.len()) as u64;
        notes.was_mixed = directions == EdgeDirections::Mixed;
        notes.was_directed = notes.was_mixed || directions == EdgeDirections::Declared;
        let graph = Graph::new(nodes, edges).and_then(|graph| graph.with_labels(labels));
        let accepted = || format!("1 to {NODES_MAX} nodes, up to {EDGES_MAX} edges");
        let graph = graph.map_err(|error| ReadError::of_file(file, error.to_string(), accepted()))?;
        Ok(Loaded { graph, notes, positions })
    }

    /// The number of nodes.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Whether the edges have directions.
    #[must_use]
    pub fn directions(&self) -> EdgeDirections {
        self.directions
    }

    /// All edges except self-loops, first end first, with whole weights. The weight is 1 if weights were not
    /// requested.
    ///
    /// If `directed`, an edge without direction is listed once for each direction. Whole weights up to 2^32 are
    /// unchanged. Others are scaled by a power of two so that they add up to at most 2^62, and rounded: ratios are
    /// exact to 2^-52 of the sum. O(edges).
    #[must_use]
    pub fn arcs(&self, directed: bool) -> Vec<([u32; 2], u64)> {
        let weights = self.weights.as_deref().map(whole);
        self.each_arc(directed, |edge| weights.as_ref().map_or(1, |weights| weights[edge]))
    }

    /// All edges except self-loops as in [`arcs`](Self::arcs), with weights as in the file.
    #[must_use]
    pub fn decimal_arcs(&self, directed: bool) -> Vec<([u32; 2], f64)> {
        self.each_arc(directed, |edge| self.weights.as_ref().map_or(1.0, |weights| weights[edge]))
    }

    fn each_arc<W>(&self, directed: bool, weight: impl Fn(usize) -> W) -> Vec<([u32; 2], W)> {
        let arcs = self.edges.iter().enumerate().filter(|(_, (u, v))| u != v);
        arcs.flat_map(|(edge, &(u, v))| {
            let back = (directed && !self.has_direction(edge)).then(|| ([v, u], weight(edge)));
            std::iter::once(([u, v], weight(edge))).chain(back)
        })
        .collect()
    }

    /// Whether an edge leads only from its first end to its second, if directions are used.
    fn has_direction(&self, edge: usize) -> bool {
        match self.directions {
            EdgeDirections::Declared | EdgeDirections::AsWritten => true,
            EdgeDirections::Undirected => false,
            EdgeDirections::Mixed => self.has_direction[edge],
        }
    }

    /// Notes for users of [`arcs`](Self::arcs), one sentence each. O(edges log edges).
    #[must_use]
    pub fn sentences(&self, directed: bool) -> Vec<String> {
        self.sentences_with(
            directed,
            if self.weights.is_some() { Repeated::AddUp } else { Repeated::EachCounts },
        )
    }

    /// Notes for users of distinct [`arcs`](Self::arcs), one sentence each. O(edges log edges).
    #[must_use]
    pub fn sentences_of_distinct(&self, directed: bool) -> Vec<String> {
        self.sentences_with(directed, Repeated::CountOnce)
    }

    fn sentences_with(&self, directed: bool, use_of_repeated: Repeated) -> Vec<String> {
        let mut notes = self.notes;
        notes.self_loops_dropped = self.edges.iter().filter(|(u, v)| u == v).count() as u64;
        let mut sentences = notes.of_every_use();
        let key = |(edge, &(u, v)): (usize, &(u32, u32))| {
            let keeps_order = directed && self.has_direction(edge);
            if keeps_order { (u, v, true) } else { (u.min(v), u.max(v), false) }
        };
        let proper = self.edges.iter().enumerate().filter(|(_, (u, v))| u != v);
        let mut edges: Vec<(u32, u32, bool)> = proper.map(key).collect();
        edges.sort_unstable();
        let all = edges.len();
        edges.dedup();
        let repeated = all - edges.len();
        if repeated > 0 {
            let edges = match repeated {
                1 => "1 edge repeats an earlier one".to_owned(),
                _ => format!("{repeated} edges repeat an earlier one"),
            };
            sentences.push(edges + use_of_repeated.words(repeated));
        }
        match self.directions {
            EdgeDirections::Undirected if directed => {
                sentences.push("its edges have no direction: each is used in both".to_owned());
            }
            EdgeDirections::Mixed if directed => {
                sentences.push("its edges without direction are used in both".to_owned());
            }
            EdgeDirections::Declared | EdgeDirections::Mixed if !directed => {
                sentences.push("its directed edges are used in both directions".to_owned());
            }
            _ => {}
        }
        sentences
    }
}

/// The way in which repeated edges of a list are counted.
#[derive(Clone, Copy)]
enum Repeated {
    CountOnce,
    EachCounts,
    AddUp,
}

impl Repeated {
    /// The end of the sentence about repeated edges, singular or plural.
    fn words(self, edges: usize) -> &'static str {
        match self {
            Self::CountOnce if edges == 1 => " and counts once",
            Self::CountOnce => " and count once",
            Self::EachCounts => "; each counts",
            Self::AddUp => "; their weights add up",
        }
    }
}

/// Proportional whole weights: unchanged if all are whole and at most 2^32, else scaled and rounded. Positive weights
/// stay positive.
fn whole(weights: &[f64]) -> Vec<u64> {
    const WHOLE_MAX: f64 = 4_294_967_296.0;
    if weights.iter().all(|weight| weight.fract() == 0.0 && *weight <= WHOLE_MAX) {
        return weights.iter().map(|&weight| weight as u64).collect();
    }
    let sum: f64 = weights.iter().sum();
    // The sum stays below 2^62: at most 2^61 of weights, plus what rounding up adds for at most 2^27 edges.
    let power = 60 - libm::ilogb(sum);
    let scaled = |weight: f64| libm::scalbn(weight, power).round() as u64;
    weights.iter().map(|&weight| scaled(weight).max(u64::from(weight > 0.0))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_keep_their_ratios() {
        assert_eq!(whole(&[3.0, 0.0, 4_294_967_296.0]), [3, 0, 1 << 32]);
        assert_eq!(whole(&[0.5, 1.5, 0.0]), [1 << 58, 3 << 58, 0]);
        for (weights, scale) in
            [([0.1, 0.2, 0.7], 1.0), ([1e-300, 2e-300, 7e-300], 1e-299), ([1e17, 2e17, 7e17], 1e18)]
        {
            let found = whole(&weights);
            let sum = found.iter().sum::<u64>() as f64;
            for (&found, weight) in found.iter().zip(weights) {
                assert!((found as f64 / sum - weight / scale).abs() < 1e-15, "{weights:?}");
            }
            assert!(sum <= (1_u64 << 62) as f64);
        }
        // A tiny positive weight must not become 0: rare is not impossible.
        assert_eq!(whole(&[0.5, 5e-324])[1], 1);
        assert_eq!(whole(&[0.0, 0.0]), [0, 0]);
    }

    #[test]
    fn sentences_say_what_each_use_does() {
        let listed = |directions, weights| ListedGraph {
            nodes: 3,
            edges: vec![(0, 1), (1, 0), (0, 1), (2, 2)],
            weights,
            labels: None,
            directions,
            has_direction: vec![true, true, false, true],
            notes: ReadNotes::default(),
            positions: None,
        };
        let left_out = "1 edge from a node to itself is left out";
        let both = "its directed edges are used in both directions";
        let simple = listed(EdgeDirections::Declared, None).simple("f").unwrap().notes.sentences();
        assert_eq!(simple, [left_out, "1 pair of nodes has several directed edges, which count once", both]);
        let unstated = listed(EdgeDirections::AsWritten, None).simple("f").unwrap().notes.sentences();
        assert_eq!(unstated, [left_out, "1 edge is listed more than once and counts once"]);
        let declared = listed(EdgeDirections::Declared, None);
        assert_eq!(declared.sentences(true), [left_out, "1 edge repeats an earlier one; each counts"]);
        assert_eq!(declared.arcs(true), [([0, 1], 1), ([1, 0], 1), ([0, 1], 1)]);
        let weighted = listed(EdgeDirections::Declared, Some(vec![1.0, 2.0, 3.0, 4.0]));
        assert_eq!(
            weighted.sentences(false),
            [left_out, "2 edges repeat an earlier one; their weights add up", both]
        );
        assert_eq!(weighted.arcs(false), [([0, 1], 1), ([1, 0], 2), ([0, 1], 3)]);
        let undirected = listed(EdgeDirections::Undirected, None);
        assert_eq!(undirected.arcs(true).len(), 6);
        assert_eq!(
            undirected.sentences(true),
            [
                left_out,
                "2 edges repeat an earlier one; each counts",
                "its edges have no direction: each is used in both"
            ]
        );
        let mixed = listed(EdgeDirections::Mixed, None);
        assert_eq!(mixed.arcs(true), [([0, 1], 1), ([1, 0], 1), ([0, 1], 1), ([1, 0], 1)]);
        assert_eq!(mixed.arcs(false).len(), 3);
        assert_eq!(mixed.sentences(true), [left_out, "its edges without direction are used in both"]);
        assert_eq!(mixed.sentences(false), [left_out, "2 edges repeat an earlier one; each counts", both]);
        assert_eq!(
            declared.sentences_of_distinct(true),
            [left_out, "1 edge repeats an earlier one and counts once"]
        );
        let simple = mixed.simple("f").unwrap().notes.sentences();
        assert_eq!(simple, [left_out, "1 pair of nodes has several edges, which count once", both]);
    }
}
