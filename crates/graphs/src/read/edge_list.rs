//! Edge lists, and the SNAP collection's form of them: one edge a line.
//!
//! A line is two names of nodes, separated by blanks, tabs, commas or semicolons, and perhaps further columns, which are
//! ignored. Lines that are blank or start with `#` or `%` are skipped. Names may be anything without separators; nodes
//! are numbered in increasing order of name, as numbers if all names are numbers, and keep their names as labels. A node
//! without edges cannot be written in this format, except by a self-loop or a position.
//!
//! A line `@ NAME X Y` says where a node is drawn, in any unit, x to the right and y upwards. Either each node has one such line, at any
//! place of the file, or none has. So no node can be called `@`.
//!
//! ```
//! let loaded = acrasin_graphs::read::edge_list::parse("a b\n@ a 0 0\n@ b 3.5 -1e2\n", "two.txt")?;
//! assert_eq!(loaded.positions, Some(vec![[0.0, 0.0], [3.5, -100.0]]));
//!
//! let error = acrasin_graphs::read::edge_list::parse("a b\n@ a 0 0\n", "two.txt").unwrap_err();
//! assert_eq!(error.to_string(), "two.txt:1: no position for `b`, and others have one: `a b`; accepted: a line `@ b X Y`");
//! # Ok::<(), acrasin_graphs::ReadError>(())
//! ```

use std::path::Path;

use super::loaded::Pairs;
use super::positions::Positions;
use super::text::empty;
use super::{Line, Loaded, Names, ReadError, ReadNotes, bytes_of, text_of};
use crate::limits::EDGES_MAX;

/// Reads an edge list. O(edges log edges).
///
/// # Errors
///
/// Refuses a line with one name only, a text without edges, and more lines or nodes than the limits allow; a position that is no
/// two numbers, a second one of a node, and positions of some nodes and not of all.
pub fn parse(text: &str, name: &str) -> Result<Loaded, ReadError> {
    let mut names = Names::default();
    let mut notes = ReadNotes::default();
    let mut lines = 0u64;
    let mut positions = Positions::default();
    for line in lines_of(text) {
        let mut fields = line.fields();
        let (first, second) = (fields.next(), fields.next());
        if first == Some(POSITION) {
            positions.push(second, [fields.next(), fields.next(), fields.next()], line, name)?;
            continue;
        }
        let (Some(first), Some(second)) = (first, second) else {
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
    positions.names().for_each(|name| names.push(name));
    let numbered = names.number(name)?;
    let (ends, placed) = numbered.nodes.split_at(2 * lines as usize);
    let pairs = ends.chunks_exact(2).map(|ends| (ends[0], ends[1])).collect();
    let positions = positions.of_nodes(numbered.count, placed, name, |node| {
        let at = ends.iter().position(|&end| end == node).unwrap_or(0);
        let mut edges = lines_of(text).filter(|line| line.fields().next() != Some(POSITION));
        let line = edges.nth(at / 2).expect("the line was read");
        let missing = line.fields().nth(at % 2).expect("the field was read");
        line.error(
            name,
            format!("no position for `{missing}`, and others have one"),
            format!("a line `@ {missing} X Y`"),
        )
    })?;
    let loaded =
        Pairs { nodes: numbered.count.into(), pairs, labels: numbered.labels, notes }.into_loaded(name)?;
    Ok(Loaded { positions, ..loaded })
}

/// What a line begins with that has the position of a node.
const POSITION: &str = "@";

/// The lines that say something.
fn lines_of(text: &str) -> impl Iterator<Item = Line<'_>> {
    Line::all(text).filter(|line| !line.is_silent(&['#', '%']))
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
    let mut positions = Positions::default();
    for line in lines_of(text) {
        let mut fields = line.fields();
        let (first, second) = (fields.next(), fields.next());
        if first == Some(POSITION) {
            positions.push(second, [fields.next(), fields.next(), fields.next()], line, name)?;
            continue;
        }
        let (Some(first), Some(second)) = (first, second) else {
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
    positions.names().for_each(|name| names.push(name));
    let numbered = names.number(name)?;
    let ends = numbered.nodes[..2 * weights.len()].chunks_exact(2).map(|ends| [ends[0], ends[1]]);
    Ok(ends.zip(weights).filter(|([u, v], _)| u != v).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Labels;

    #[test]
    fn gaps_comments_separators_and_further_columns() {
        let text = "# SNAP\n% other\n\n30\t4\r\n4, 100\n 4;30 ; 0.5\n7 7\n";
        let Loaded { graph, notes, .. } = parse(text, "f").unwrap();
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
    fn positions_stand_anywhere_and_number_the_nodes_like_edges() {
        let text = "@ 9 -1 2.5\n4 9\n@\t7;3,1e3\n@ 4 0 0\n";
        let loaded = parse(text, "f").unwrap();
        // 7 has no edge, and is there by its position.
        assert_eq!((loaded.graph.nodes(), loaded.graph.edges()), (3, &[(0, 2)][..]));
        assert_eq!(loaded.positions, Some(vec![[0.0, 0.0], [3.0, 1000.0], [-1.0, 2.5]]));
        assert!(!loaded.notes.weights_ignored);
        assert_eq!(
            parse_weighted("@ 9 -1 2.5\n4 9 3\n@ 7 0 0\n@ 4 0 0\n", "f", true).unwrap(),
            [([0, 2], 3)]
        );
        assert_eq!(parse("4 9\n", "f").unwrap().positions, None);
    }

    #[test]
    fn refused() {
        let coordinate = "accepted: a number from -1e9 to 1e9";
        for (text, message) in [
            ("a b\n@ a 0 nan\n", format!("f:2:7: not a coordinate: `nan`; {coordinate}")),
            ("a b\n@ a inf 0\n", format!("f:2:5: not a coordinate: `inf`; {coordinate}")),
            ("a b\n@ a 1e10 0\n", format!("f:2:5: not a coordinate: `1e10`; {coordinate}")),
            ("a b\n@ a 1 x\n", format!("f:2:7: not a coordinate: `x`; {coordinate}")),
            ("a b\n@ a 1\n", "f:2: a broken line: `@ a 1`; accepted: `@ NAME X Y`, the position of a node".into()),
            ("a b\n@ a 1 2 3\n", "f:2: a broken line: `@ a 1 2 3`; accepted: `@ NAME X Y`, the position of a node".into()),
            (
                "@ a 1 2\na b\n@ b 1 2\n@ a 1 2\n",
                "f:4: a second position of `a`: `@ a 1 2`; accepted: one position a node; the first is on line 1".into(),
            ),
            (
                "@ b 1 2\n# x\na b\nb c\n@ a 1 2\n",
                "f:4: no position for `c`, and others have one: `b c`; accepted: a line `@ c X Y`".into(),
            ),
            ("@ a 0 0\n@ b 0 1\n", "f: empty file: it has no edges; accepted: at least one line of data".into()),
        ] {
            assert_eq!(parse(text, "f").unwrap_err().to_string(), message);
        }
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
