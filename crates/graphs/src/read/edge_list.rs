//! Edge lists, and the SNAP collection's form of them: one edge a line.
//!
//! A line is two names of nodes, separated by blanks, tabs, commas or semicolons, and perhaps further columns, which are
//! ignored. Lines that are blank or start with `#` or `%` are skipped. Names may be anything without separators; nodes
//! are numbered in increasing order of name, as numbers if all names are numbers, and keep their names as labels. A node
//! without edges cannot be written in this format, except by a self-loop.

use std::path::Path;

use super::loaded::Pairs;
use super::text::empty;
use super::{Line, Loaded, Names, ReadError, ReadNotes, bytes_of, text_of};
use crate::limits::EDGES_MAX;

/// Reads an edge list. O(edges log edges).
///
/// # Errors
///
/// Refuses a line with one name only, a text without edges, and more lines or nodes than the limits allow.
pub fn parse(text: &str, name: &str) -> Result<Loaded, ReadError> {
    let mut names = Names::default();
    let mut notes = ReadNotes::default();
    let mut lines = 0u64;
    for line in Line::all(text).filter(|line| !line.is_silent(&['#', '%'])) {
        let mut fields = line.fields();
        let (Some(first), Some(second)) = (fields.next(), fields.next()) else {
            return Err(line.error(name, "a broken line", "two names of nodes, then anything"));
        };
        names.push(first);
        names.push(second);
        notes.weights_ignored |= fields.next().is_some();
        lines += 1;
        if lines > EDGES_MAX {
            return Err(line.error(name, "too many edges", format!("up to {EDGES_MAX} lines")));
        }
    }
    if lines == 0 {
        return Err(empty(name, "it has no edges"));
    }
    let numbered = names.number(name)?;
    let pairs = numbered.nodes.chunks_exact(2).map(|ends| (ends[0], ends[1])).collect();
    Pairs { nodes: numbered.count.into(), pairs, labels: numbered.labels, notes }.into_loaded(name)
}

/// The edges of a list as they are written: first end, second end, and the weight that stands in the third column; 1 without
/// `has_weights`. Ends are numbered as [`parse`] numbers them. A line that is listed twice is two edges; self-loops are left out.
///
/// # Errors
///
/// As [`parse`]; a weight that is no whole number from 0 to 2^32.
pub fn weighted(path: &Path, has_weights: bool) -> Result<Vec<([u32; 2], u64)>, ReadError> {
    let name = path.display().to_string();
    let bytes = bytes_of(path)?;
    parse_weighted(text_of(&bytes, &name)?, &name, has_weights)
}

fn parse_weighted(text: &str, name: &str, has_weights: bool) -> Result<Vec<([u32; 2], u64)>, ReadError> {
    const WEIGHT_MAX: u64 = 1 << 32;
    let (mut names, mut weights) = (Names::default(), Vec::new());
    for line in Line::all(text).filter(|line| !line.is_silent(&['#', '%'])) {
        let mut fields = line.fields();
        let (Some(first), Some(second)) = (fields.next(), fields.next()) else {
            return Err(line.error(name, "a broken line", "two names of nodes, then a weight"));
        };
        names.push(first);
        names.push(second);
        let weight = match fields.next() {
            _ if !has_weights => Some(1),
            field => field.and_then(|field| field.parse().ok()).filter(|&weight| weight <= WEIGHT_MAX),
        };
        let accepted = "a whole number from 0 to 2^32 in the third column";
        weights.push(weight.ok_or_else(|| line.error(name, "a line without a weight", accepted))?);
        if weights.len() as u64 > EDGES_MAX {
            return Err(line.error(name, "too many edges", format!("up to {EDGES_MAX} lines")));
        }
    }
    if weights.is_empty() {
        return Err(empty(name, "it has no edges"));
    }
    let numbered = names.number(name)?;
    let ends = numbered.nodes.chunks_exact(2).map(|ends| [ends[0], ends[1]]);
    Ok(ends.zip(weights).filter(|([u, v], _)| u != v).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Labels;

    #[test]
    fn gaps_comments_separators_and_further_columns() {
        let text = "# SNAP\n% other\n\n30\t4\r\n4, 100\n 4;30 ; 0.5\n7 7\n";
        let Loaded { graph, notes } = parse(text, "f").unwrap();
        assert_eq!(graph.edges(), [(0, 2), (0, 3)]);
        assert_eq!(graph.labels(), Some(&Labels::Numbers(vec![4, 7, 30, 100])));
        assert_eq!((notes.self_loops_dropped, notes.duplicates_merged), (1, 1));
        assert!(notes.weights_ignored && !notes.was_directed);
    }

    #[test]
    fn weights_and_directions_are_as_written() {
        let text = "# a b weight\n30 4 7\n4;100;0\n 4, 30, 4294967296 x\n7 7 1\n";
        let expected = [([2, 0], 7), ([0, 3], 0), ([0, 2], 1 << 32)];
        assert_eq!(parse_weighted(text, "f", true).unwrap(), expected);
        assert_eq!(parse_weighted("b a\n", "f", false).unwrap(), [([1, 0], 1)]);
        for wrong in ["1 2 3\n1 2\n", "1 2 3\n1 2 0.5\n", "1 2 3\n1 2 -1\n", "1 2 3\n1 2 4294967297\n"] {
            let error = parse_weighted(wrong, "f", true).unwrap_err();
            assert_eq!(error.line(), Some(2), "{error}");
        }
        assert!(parse_weighted("#\n", "f", false).is_err());
    }

    #[test]
    fn names_that_are_not_numbers() {
        let graph = parse("bob alice\nalice 12\n", "f").unwrap().graph;
        assert_eq!(graph.edges(), [(0, 1), (1, 2)]);
        assert_eq!(
            (graph.label(0), graph.label(1), graph.label(2)),
            ("12".into(), "alice".into(), "bob".into())
        );
    }

    #[test]
    fn refused() {
        for (text, message) in [
            ("0 1\n\n2\n", "f:3: a broken line: `2`; accepted: two names of nodes, then anything"),
            ("0 1\n ,\n", "f:2: a broken line: ` ,`; accepted: two names of nodes, then anything"),
            ("# only\n", "f: empty file: it has no edges; accepted: at least one line of data"),
            ("", "f: empty file: it has no edges; accepted: at least one line of data"),
        ] {
            assert_eq!(parse(text, "f").unwrap_err().to_string(), message);
        }
    }
}
