//! graph6 and digraph6: the adjacency matrix in printable characters (McKay).
//!
//! One line: the number of nodes, then the upper triangle of the matrix column by column, six bits per character. The
//! optional header `>>graph6<<` is accepted. A line of digraph6 starts with `&`, optionally after `>>digraph6<<`. It
//! has the whole matrix row by row: an entry is an edge from its row to its column.

use super::loaded::EdgeDirections;
use super::text::empty;
use super::{ListedGraph, Loaded, ReadError, ReadNotes, TextLine};
use crate::limits::GRAPH6_NODES_MAX;
use acrasin_catalogue::counted;

/// Reads one graph6 or digraph6 graph as a simple graph. O(nodes²).
///
/// # Errors
///
/// As for [`list`].
pub fn parse(text: &str, name: &str) -> Result<Loaded, ReadError> {
    list(text, name, false)?.simple(name)
}

/// Reads the edges of one graph6 or digraph6 graph. O(nodes²).
///
/// # Errors
///
/// Refuses a character outside `?` to `~`, a length that does not fit the number of nodes, and bits set after the last
/// entry. Also refuses 0 nodes, more than [`GRAPH6_NODES_MAX`] nodes, a second graph, and `has_weights`.
pub fn list(text: &str, name: &str, has_weights: bool) -> Result<ListedGraph, ReadError> {
    let mut lines = TextLine::all(text).filter(|line| !line.text.trim().is_empty());
    let line = lines.next().ok_or_else(|| empty(name, "it has no graph"))?;
    let code = line.text.trim();
    let without_header = [">>graph6<<", ">>digraph6<<"].iter().find_map(|header| code.strip_prefix(header));
    let code = without_header.unwrap_or(code);
    let is_directed = code.starts_with('&');
    let code = code.strip_prefix('&').unwrap_or(code);
    if has_weights {
        return Err(line.error(
            name,
            "a format without weights",
            "an edge list, Matrix Market, METIS or DOT",
        ));
    }
    if let Some((at, wrong)) = code.char_indices().find(|(_, c)| !('?'..='~').contains(c)) {
        let field = &code[at..at + wrong.len_utf8()];
        return Err(line.field_error(name, field, "not a graph6 character", "characters from `?` to `~`"));
    }
    if let Some(second) = lines.next() {
        return Err(second.error(name, "a second graph", "one graph per file"));
    }
    let nodes = nodes_of(code).ok_or_else(|| line.error(name, "no number of nodes", "a graph6 line"))?;
    if !(1..=u64::from(GRAPH6_NODES_MAX)).contains(&nodes) {
        let accepted = format!("1 to {GRAPH6_NODES_MAX} nodes; an edge list suits larger graphs");
        return Err(line.error(name, format!("a graph6 graph of {nodes} nodes"), accepted));
    }
    let entries = if is_directed { nodes * nodes } else { nodes * (nodes - 1) / 2 };
    let size_length = if code.starts_with('~') { 4 } else { 1 };
    let expected = size_length as u64 + entries.div_ceil(6);
    if code.len() as u64 != expected {
        let problem = format!("{} for {}", counted(code.len(), "character"), counted(nodes, "node"));
        return Err(line.error(name, problem, counted(expected, "character")));
    }
    let padding = (entries.div_ceil(6) * 6 - entries) as u32;
    if let Some(last) = code.bytes().last().filter(|_| entries > 0)
        && (last - b'?') & ((1 << padding) - 1) != 0
    {
        let problem = "bits set after the last entry";
        return Err(line.field_error(name, &code[code.len() - 1..], problem, "zeros"));
    }
    let (nodes_each, matrix) = (nodes as u32, &code.as_bytes()[size_length..]);
    let edges = if is_directed {
        let rows = (0..nodes_each).flat_map(|row| (0..nodes_each).map(move |column| (row, column)));
        set_entries(rows, matrix)
    } else {
        // The upper triangle, column by column, each from the first row.
        let columns = (1..nodes_each).flat_map(|column| (0..column).map(move |row| (row, column)));
        set_entries(columns, matrix)
    };
    Ok(ListedGraph {
        nodes,
        edges,
        weights: None,
        labels: None,
        has_direction: Vec::new(),
        directions: if is_directed { EdgeDirections::Declared } else { EdgeDirections::Undirected },
        notes: ReadNotes::default(),
        positions: None,
    })
}

/// The set entries of a matrix in valid characters of the right number: six entries per character, the highest bit
/// first.
fn set_entries(entries: impl Iterator<Item = (u32, u32)>, matrix: &[u8]) -> Vec<(u32, u32)> {
    let bits = matrix.iter().flat_map(|byte| (0..6).rev().map(move |bit| (byte - b'?') >> bit & 1));
    entries.zip(bits).filter_map(|(pair, bit)| (bit == 1).then_some(pair)).collect()
}

/// The number of nodes that a code of valid characters begins with; `None` if the number is malformed.
fn nodes_of(code: &str) -> Option<u64> {
    let bits = |bytes: &[u8]| bytes.iter().fold(0, |number, byte| number << 6 | u64::from(byte - b'?'));
    match code.as_bytes() {
        // The longest form is reserved for sizes that do not fit in the middle one.
        [b'~', b'~', six @ ..] => Some(bits(six.get(..6)?)).filter(|&nodes| nodes >= 63 << 12),
        [b'~', three @ ..] => Some(bits(three.get(..3)?)),
        [one, ..] => Some(bits(&[*one])),
        [] => None,
    }
}

#[cfg(test)]
mod tests {
    use petgraph::graph::UnGraph;
    use petgraph::graph6::ToGraph6 as _;

    use super::*;
    use crate::family::gnp::{Gnp, gnp};

    #[test]
    fn known_graphs() {
        // From the definition of the format: n = 5, edges 0-2, 0-4, 1-3, 3-4.
        let graph = parse(">>graph6<<DQc\n", "f").unwrap().graph;
        assert_eq!((graph.nodes(), graph.edges()), (5, &[(0, 2), (0, 4), (1, 3), (3, 4)][..]));
        assert_eq!(parse("@", "f").unwrap().graph.nodes(), 1);
        assert_eq!(parse("C~\r\n\n", "f").unwrap().graph.edges().len(), 6);
    }

    #[test]
    fn digraph6_keeps_directions() {
        // From the definition of the format: n = 5, arcs 0->2, 0->4, 3->1, 3->4.
        for text in ["&DI?AO?\n", ">>digraph6<<&DI?AO?"] {
            let listed = list(text, "f", false).unwrap();
            let arcs: Vec<[u32; 2]> = listed.arcs(true).into_iter().map(|(ends, _)| ends).collect();
            assert_eq!(arcs, [[0, 2], [0, 4], [3, 1], [3, 4]]);
            assert_eq!(parse(text, "f").unwrap().graph.edges(), [(0, 2), (0, 4), (1, 3), (3, 4)]);
        }
        let error = parse("&DI?AO", "f").unwrap_err();
        assert_eq!(error.to_string(), "f:1: 5 characters for 5 nodes: `&DI?AO`; accepted: 6 characters");
        assert!(list("DQc", "f", true).is_err());
        assert_eq!(list("DQc", "f", false).unwrap().arcs(true).len(), 8);
    }

    #[test]
    fn graphs_written_by_petgraph_are_read_back() {
        for nodes in [2, 7, 62, 63, 64, 200] {
            let graph = gnp(Gnp { nodes, probability: 0.3 }, nodes).unwrap();
            let mut other = UnGraph::<(), ()>::from_edges(graph.edges());
            while other.node_count() < nodes as usize {
                other.add_node(());
            }
            assert_eq!(parse(&other.graph6_string(), "f").unwrap().graph, graph);
        }
    }

    #[test]
    fn refused() {
        for (text, message) in [
            ("\n", "f: empty file: it has no graph"),
            ("D Q", "f:1:2: not a graph6 character: ` `; accepted: characters from `?` to `~`"),
            ("Dé", "f:1:2: not a graph6 character: `é`"),
            ("DQc\nDQc\n", "f:2: a second graph: `DQc`"),
            (">>graph6<<", "f:1: no number of nodes: `>>graph6<<`"),
            ("~~??", "f:1: no number of nodes"),
            ("~~?????D", "f:1: no number of nodes"),
            ("?", "f:1: a graph6 graph of 0 nodes: `?`; accepted: 1 to 8192 nodes"),
            ("~@??", "f:1: 4 characters for 4096 nodes: `~@??`; accepted: 1397764 characters"),
            ("~A??", "f:1: 4 characters for 8192 nodes: `~A??`; accepted: 5591727 characters"),
            ("~A?@", "f:1: a graph6 graph of 8193 nodes"),
            ("~~~~~~~~", "f:1: a graph6 graph of 68719476735 nodes"),
            ("DQ", "f:1: 2 characters for 5 nodes: `DQ`; accepted: 3 characters"),
            ("DQcc", "f:1: 4 characters for 5 nodes"),
            ("DQd", "f:1:3: bits set after the last entry: `d`; accepted: zeros"),
        ] {
            let error = parse(text, "f").unwrap_err().to_string();
            assert!(error.starts_with(message), "{error}\n{message}");
        }
    }
}
