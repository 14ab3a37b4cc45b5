//! Writers of graph files.
//!
//! The readers of [`read`](crate::read) return the same graph.

use acrasin_catalogue::counted;
use std::error::Error;
use std::fmt::{self, Write as _};

use crate::graph::Graph;
use crate::read::edge_list::is_header;

/// Error: the format cannot represent the graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WriteError(String);

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for WriteError {}

/// Writes an edge list: a comment with the size, then one line per edge with the names of the nodes.
///
/// # Errors
///
/// Refuses a graph with an isolated node, which the format cannot represent ([`metis`] can), and a name that would
/// not be read back as one field.
///
/// ```
/// let ring = acrasin_graphs::family::line::ring(3).unwrap();
/// assert_eq!(acrasin_graphs::write::edge_list(&ring).unwrap(), "# 3 nodes, 3 edges\n0\t1\n0\t2\n1\t2\n");
/// ```
pub fn edge_list(graph: &Graph) -> Result<String, WriteError> {
    if let Some(isolated) = graph.degrees().iter().position(|&degree| degree == 0) {
        let name = graph.label(isolated as u32);
        return Err(WriteError(format!(
            "node {name} has no edges; accepted: no isolated nodes in an edge list (METIS can hold them)"
        )));
    }
    let names: Vec<String> = (0..graph.nodes()).map(|node| graph.label(node)).collect();
    let plain = |name: &str| {
        let separates = |c: char| c.is_whitespace() || matches!(c, ',' | ';' | '"' | '\0' | '\u{feff}');
        !name.is_empty() && name != "@" && !name.starts_with(['#', '%']) && !name.contains(separates)
    };
    if let Some(name) = names.iter().find(|name| !plain(name)) {
        return Err(WriteError(format!(
            "node name {name:?}; accepted: names without white space, commas, semicolons, quotes, no # or % in front, not @"
        )));
    }
    if let Some(&(u, v)) = graph.edges().first()
        && is_header(&[&names[u as usize], &names[v as usize]])
    {
        let (first, second) = (&names[u as usize], &names[v as usize]);
        return Err(WriteError(format!(
            "first edge {first:?} {second:?}; accepted: names that are not read as those of columns"
        )));
    }
    let mut text =
        format!("# {}, {}\n", counted(graph.nodes(), "node"), counted(graph.edges().len(), "edge"));
    for &(u, v) in graph.edges() {
        writeln!(text, "{}\t{}", names[u as usize], names[v as usize]).expect("a string can be written to");
    }
    Ok(text)
}

/// Writes a METIS file, including isolated nodes but without names. O(nodes + edges).
///
/// ```
/// let star = acrasin_graphs::family::line::star(3).unwrap();
/// assert_eq!(acrasin_graphs::write::metis(&star), "3 2\n2 3\n1\n1\n");
/// ```
#[must_use]
pub fn metis(graph: &Graph) -> String {
    let mut text = format!("{} {}\n", graph.nodes(), graph.edges().len());
    let adjacency = graph.adjacency();
    for node in 0..graph.nodes() {
        for (place, neighbour) in adjacency.neighbours(node).iter().enumerate() {
            let space = if place == 0 { "" } else { " " };
            write!(text, "{space}{}", neighbour + 1).expect("a string can be written to");
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::NodeLabels;

    #[test]
    fn graphs_that_an_edge_list_cannot_hold() {
        let isolated = Graph::new(3, vec![(0, 1)]).unwrap();
        assert!(edge_list(&isolated).unwrap_err().to_string().starts_with("node 2 has no edges; accepted"));
        for wrong in ["a b", "#a", "", "a,b", "a\n", "a\""] {
            let labels = NodeLabels::Names(vec!["x".to_owned(), wrong.to_owned()]);
            let graph = Graph::new(2, vec![(0, 1)]).unwrap().with_labels(Some(labels)).unwrap();
            assert!(edge_list(&graph).unwrap_err().to_string().contains("accepted"), "{wrong:?}");
        }
        let labels = NodeLabels::Names(vec!["source".to_owned(), "target".to_owned()]);
        let columns = Graph::new(2, vec![(0, 1)]).unwrap().with_labels(Some(labels)).unwrap();
        assert!(edge_list(&columns).unwrap_err().to_string().starts_with("first edge \"source\" \"target\""));
    }
}
