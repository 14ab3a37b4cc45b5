//! METIS graph files: a header, then one line per node with its neighbours.
//!
//! The header is `nodes edges [fmt [constraints]]`. The three digits of `fmt` say what each line contains. The first:
//! whether the line starts with the size of the node. The second: whether weights of the node follow; their number is
//! `constraints`, by default 1. The third: whether each neighbour is followed by the weight of the edge. All these
//! values are checked to be numbers; sizes and weights of nodes are otherwise ignored.
//!
//! Nodes are counted from 1 and labelled with these numbers. Lines that start with `%` are comments; a blank line is a
//! node without neighbours. Each edge is listed by both its ends. The format has no self-loops and no parallel edges:
//! they are errors.

use super::loaded::EdgeDirections;
use super::text::empty;
use super::{ListedGraph, Loaded, ReadError, ReadNotes, TextLine};
use crate::graph::NodeLabels;
use crate::limits::{EDGES_MAX, NODES_MAX};
use acrasin_catalogue::counted;

/// The largest number of weights of a node, more than any use of the format.
const CONSTRAINTS_MAX: u64 = 64;

/// Reads a METIS graph. O(edges log edges).
///
/// # Errors
///
/// As for [`list`].
pub fn parse(text: &str, name: &str) -> Result<Loaded, ReadError> {
    list(text, name, false)?.simple(name)
}

/// Reads the edges of a METIS graph, each from its smaller end, with their weights if `has_weights`. O(edges log
/// edges).
///
/// # Errors
///
/// Refuses a wrong header, a number of nodes or edges other than the header says, a neighbour that does not exist, a
/// self-loop, and a repeated neighbour. Refuses an edge that only one of its ends lists, or to which they give
/// different weights. With `has_weights` also a header without edge weights.
pub fn list(text: &str, name: &str, has_weights: bool) -> Result<ListedGraph, ReadError> {
    let mut lines = TextLine::all(text).filter(|line| !line.text.trim_start().starts_with('%'));
    let header =
        lines.find(|line| !line.text.trim().is_empty()).ok_or_else(|| empty(name, "it has no header"))?;
    let header_line = header;
    let header = MetisHeader::read(header, name)?;
    if has_weights && !header.edge_weights {
        return Err(header_line.error(name, "a graph whose edges have no weights", "a fmt that ends with 1"));
    }
    let mut arcs: Vec<ListedArc> = Vec::new();
    let mut node = 0;
    for line in lines {
        if node == header.nodes {
            if line.text.trim().is_empty() {
                continue;
            }
            let problem = format!("an extra line after {}", counted(header.nodes, "node"));
            return Err(line.error(name, problem, "one line for each node of the header"));
        }
        header.read_node(line, name, node, &mut arcs)?;
        node += 1;
        if arcs.len() as u64 > 2 * header.edges {
            let problem = format!("more than the {} of the header", counted(header.edges, "edge"));
            return Err(line.error(name, problem, "each edge on the lines of both its ends, and no other"));
        }
    }
    if node != header.nodes {
        let problem = format!("the file ends after {node} of {}", counted(header.nodes, "node"));
        return Err(ReadError::of_file(name, problem, "one line for each node of the header"));
    }
    let arcs = header.edges_of(arcs, name)?;
    let weights = has_weights.then(|| arcs.iter().map(|arc| arc.weight as f64).collect());
    let notes = ReadNotes { ignored: header.ignored(has_weights), ..ReadNotes::default() };
    Ok(ListedGraph {
        nodes: node.into(),
        edges: arcs.into_iter().map(|arc| (arc.from, arc.to)).collect(),
        weights,
        labels: Some(NodeLabels::Counted { first: 1, nodes: node }),
        has_direction: Vec::new(),
        directions: EdgeDirections::Undirected,
        notes,
        positions: None,
    })
}

/// An edge as listed by one of its ends.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct ListedArc {
    from: u32,
    to: u32,
    line: u64,
    /// The weight; 1 if edges have none.
    weight: u64,
}

struct MetisHeader {
    nodes: u32,
    edges: u64,
    columns_before: u64,
    edge_weights: bool,
}

impl MetisHeader {
    fn read(line: TextLine<'_>, name: &str) -> Result<Self, ReadError> {
        let fields: Vec<&str> = line.text.split_whitespace().collect();
        let (nodes, edges, rest) = match fields[..] {
            [nodes, edges, ref rest @ ..] if rest.len() <= 2 => (nodes, edges, rest),
            _ => return Err(line.error(name, "an invalid header", "nodes edges [fmt [constraints]]")),
        };
        let nodes = line.number(name, nodes, 1..=NODES_MAX.into(), "a number of nodes")? as u32;
        let edges = line.number(name, edges, 0..=EDGES_MAX, "a number of edges")?;
        let format = rest.first().copied().unwrap_or("0");
        if format.len() > 3 || !format.bytes().all(|digit| digit == b'0' || digit == b'1') {
            return Err(line.field_error(name, format, "not a METIS fmt", "up to three digits 0 or 1"));
        }
        let digit = |from_right: usize| format.bytes().rev().nth(from_right) == Some(b'1');
        let constraints = match rest.get(1) {
            Some(field) => line.number(name, field, 0..=CONSTRAINTS_MAX, "a number of weights per node")?,
            None => 1,
        };
        let weights = if digit(1) { constraints } else { 0 };
        Ok(Self { nodes, edges, columns_before: u64::from(digit(2)) + weights, edge_weights: digit(0) })
    }

    fn ignored(&self, has_weights: bool) -> Option<&'static str> {
        match (self.edge_weights && !has_weights, self.columns_before > 0) {
            (true, true) => Some("weights of nodes and edges"),
            (true, false) => Some("weights of edges"),
            (false, true) => Some("weights of nodes"),
            (false, false) => None,
        }
    }

    fn read_node(
        &self,
        line: TextLine<'_>,
        name: &str,
        from: u32,
        arcs: &mut Vec<ListedArc>,
    ) -> Result<(), ReadError> {
        let mut fields = line.text.split_whitespace();
        let weight = |field: Option<&str>| {
            let field = field
                .ok_or_else(|| line.error(name, "a missing weight", "the columns of the header's fmt"))?;
            line.number(name, field, 0..=u64::MAX, "a weight")
        };
        for _ in 0..self.columns_before {
            weight(fields.next())?;
        }
        while let Some(field) = fields.next() {
            let to = line.number(name, field, 1..=self.nodes.into(), "a node")? as u32 - 1;
            if to == from {
                let problem = "a node that is its own neighbour";
                return Err(line.field_error(name, field, problem, "another node: METIS has no self-loops"));
            }
            let weight = if self.edge_weights { weight(fields.next())? } else { 1 };
            arcs.push(ListedArc { from, to, line: line.number, weight });
        }
        Ok(())
    }

    /// The edges, after checks that both ends list each one and that their number is that of the header.
    fn edges_of(&self, mut arcs: Vec<ListedArc>, name: &str) -> Result<Vec<ListedArc>, ReadError> {
        let error = |arc: ListedArc, problem: String, accepted: &str| {
            let neighbour = (arc.to + 1).to_string();
            TextLine { number: arc.line, text: &neighbour }.error(name, problem, accepted)
        };
        arcs.sort_unstable();
        if let Some(pair) =
            arcs.windows(2).find(|pair| (pair[0].from, pair[0].to) == (pair[1].from, pair[1].to))
        {
            let problem = format!("node {} lists a neighbour twice", pair[1].from + 1);
            return Err(error(pair[1], problem, "each neighbour once: METIS has no parallel edges"));
        }
        for &arc in &arcs {
            let Ok(back) = arcs.binary_search_by_key(&(arc.to, arc.from), |arc| (arc.from, arc.to)) else {
                let problem = format!("node {} lists a neighbour that does not list it", arc.from + 1);
                return Err(error(arc, problem, "each edge on the lines of both its ends"));
            };
            if arcs[back].weight != arc.weight {
                let problem =
                    format!("node {} and its neighbour give their edge different weights", arc.from + 1);
                return Err(error(arc, problem, "the same weight of an edge on the lines of both its ends"));
            }
        }
        if arcs.len() as u64 != 2 * self.edges {
            let problem = format!("{}, the header says {}", counted(arcs.len() / 2, "edge"), self.edges);
            return Err(ReadError::of_file(
                name,
                problem,
                "as many edges as the header says, each counted once",
            ));
        }
        arcs.retain(|arc| arc.from < arc.to);
        Ok(arcs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_combination_of_weights_gives_the_same_graph() {
        let expected = [(0, 1), (0, 2), (2, 3)];
        for text in [
            "4 3\n2 3\n1\n1 4\n3\n",
            "% c\n4 3 0\n% c\n2 3\n1\n1 4\n3\n\n",
            "4 3 1\n2 9 3 8\n1 9\n1 8 4 7\n3 7\n",
            "4 3 011 2\n5 5 2 9 3 8\n5 5 1 9\n5 5 1 8 4 7\n5 5 3 7\n",
            "4 3 100\n6 2 3\n6 1\n6 1 4\n6 3\n",
            "4 3 110\n6 5 2 3\n6 5 1\n6 5 1 4\n6 5 3\n",
        ] {
            let Loaded { graph, notes, .. } = parse(text, "f").unwrap();
            assert_eq!(graph.edges(), expected);
            let ignored = match (text.contains('9'), text.contains('5') || text.contains('6')) {
                (true, true) => Some("weights of nodes and edges"),
                (true, false) => Some("weights of edges"),
                (false, true) => Some("weights of nodes"),
                (false, false) => None,
            };
            assert_eq!(notes.ignored, ignored, "{text}");
            assert_eq!(graph.label(0), "1");
            match list(text, "f", true) {
                Ok(listed) => {
                    assert_eq!(listed.arcs(false), [([0, 1], 9), ([0, 2], 8), ([2, 3], 7)]);
                    assert_eq!(listed.arcs(true)[..2], [([0, 1], 9), ([1, 0], 9)]);
                }
                Err(error) => assert_eq!(error.problem(), "a graph whose edges have no weights"),
            }
        }
        let graph = parse("3 1\n2\n1\n\n", "f").unwrap().graph;
        assert_eq!((graph.nodes(), graph.edges()), (3, &[(0, 1)][..]));
    }

    #[test]
    fn refused() {
        for (text, message) in [
            ("", "f: empty file: it has no header"),
            ("3\n", "f:1: an invalid header: `3`"),
            ("0 0\n", "f:1:1: not a number of nodes: `0`; accepted: a whole number from 1 to 67108864"),
            (
                "1000000000000000000000000000000 1\n",
                "f:1:1: not a number of nodes: `1000000000000000000000000000000`; accepted: a whole number from 1 to",
            ),
            ("2 1 2\n2\n1\n", "f:1:5: not a METIS fmt: `2`"),
            ("2 1\n2\n1\n1\n", "f:4: an extra line after 2 nodes: `1`"),
            ("3 1\n2\n1", "f: the file ends after 2 of 3 nodes"),
            ("2 1\n3\n1\n", "f:2:1: not a node: `3`; accepted: a whole number from 1 to 2"),
            ("2 1\n2 x\n1\n", "f:2:3: not a node: `x`"),
            ("2 1\n1\n1\n", "f:2:1: a node that is its own neighbour: `1`"),
            ("2 2\n2 2\n1 1\n", "f:2: node 1 lists a neighbour twice: `2`"),
            ("3 1\n2\n\n1\n", "f:2: node 1 lists a neighbour that does not list it: `2`"),
            ("3 2\n2\n1\n\n", "f: 1 edge, the header says 2"),
            ("3 1\n2 3\n1\n1\n", "f:3: more than the 1 edge of the header"),
            ("2 1 1\n2 5\n1\n", "f:3: a missing weight: `1`"),
            ("2 1 1\n2 y\n1 5\n", "f:2:3: not a weight: `y`"),
            ("2 1 1\n2 4\n1 5\n", "f:2: node 1 and its neighbour give their edge different weights: `2`"),
        ] {
            let error = parse(text, "f").unwrap_err().to_string();
            assert!(error.starts_with(message), "{error}\n{message}");
        }
    }
}
