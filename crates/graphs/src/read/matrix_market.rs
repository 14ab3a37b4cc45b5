//! Matrix Market coordinate files: one matrix entry per line.
//!
//! The file has the banner `%%MatrixMarket matrix coordinate FIELD SYMMETRY`, comment lines with `%`, a line `rows
//! columns entries`, then lines `row column [value]` counted from 1. FIELD is `pattern`, `real` or `integer`,
//! SYMMETRY `general`, `symmetric` or `skew-symmetric`. The matrix must be square.
//!
//! Every stored entry is an edge, even with the value 0. In a general matrix an edge leads from its row to its column;
//! in the others it has no direction. Values can be read as weights. Nodes are labelled by their rows, from 1. In a
//! symmetric file only the lower triangle may be stored; an entry above the diagonal is an error.

use super::loaded::EdgeDirections;
use super::text::empty;
use super::{ListedGraph, Loaded, ReadError, ReadNotes, TextLine};
use crate::graph::NodeLabels;
use crate::limits::{EDGES_MAX, NODES_MAX};

/// Reads a Matrix Market matrix as a simple graph. O(entries log entries).
///
/// # Errors
///
/// As for [`list`].
pub fn parse(text: &str, name: &str) -> Result<Loaded, ReadError> {
    list(text, name, false)?.simple(name)
}

/// Reads the entries of a Matrix Market matrix as edges, with their values as weights if `has_weights`. O(entries).
///
/// # Errors
///
/// Refuses a wrong banner, a matrix that is not square, and a number of entries other than announced. Also refuses an
/// index outside the matrix, a missing or unreadable value, and entries that the symmetry forbids. With `has_weights`
/// also a pattern, a skew-symmetric matrix, and a value that is not a number from 0 to 1e18.
pub fn list(text: &str, name: &str, has_weights: bool) -> Result<ListedGraph, ReadError> {
    let mut lines = TextLine::all(text);
    let banner = lines.next().ok_or_else(|| empty(name, "it has no banner"))?;
    let kind = MatrixKind::read(banner, name)?;
    if has_weights && !kind.has_values {
        return Err(banner.error(
            name,
            "a matrix without values",
            "real or integer, where the values are weights",
        ));
    }
    if has_weights && kind.lower_only && !kind.diagonal {
        return Err(banner.error(
            name,
            "a skew-symmetric matrix, where each value has a negative mirror",
            "general or symmetric, where the values are weights",
        ));
    }
    let mut lines = lines.filter(|line| !line.is_silent(&['%']));
    let size = lines.next().ok_or_else(|| empty(name, "it has no size line (rows columns entries)"))?;
    let [rows, columns, entries] = size.text.split_whitespace().collect::<Vec<_>>()[..] else {
        return Err(size.error(name, "an invalid size line", "rows columns entries"));
    };
    let nodes = size.number(name, rows, 1..=NODES_MAX.into(), "a number of rows")?;
    if size.number(name, columns, 1..=NODES_MAX.into(), "a number of columns")? != nodes {
        return Err(size.error(name, "a matrix that is not square", "as many columns as rows"));
    }
    // A general matrix may hold both directions of each edge, and the diagonal.
    let entries = size.number(name, entries, 0..=2 * EDGES_MAX, "a number of entries")?;
    let (mut pairs, mut weights) = (Vec::new(), has_weights.then(Vec::new));
    for line in lines {
        if pairs.len() as u64 == entries {
            return Err(line.error(
                name,
                format!("an extra line after {entries} entries"),
                "no further lines",
            ));
        }
        pairs.push(kind.read_entry(line, name, nodes)?);
        if let Some(weights) = &mut weights {
            weights.push(line.weight(name, line.text.split_whitespace().nth(2).unwrap_or_default())?);
        }
    }
    if pairs.len() as u64 != entries {
        let problem = format!("the file ends after {} of {entries} entries", pairs.len());
        return Err(ReadError::of_file(name, problem, "as many lines as the size line announces"));
    }
    let ignored = (kind.has_values && !has_weights).then_some("values of entries");
    Ok(ListedGraph {
        nodes,
        edges: pairs,
        weights,
        labels: Some(NodeLabels::Counted { first: 1, nodes: nodes as u32 }),
        has_direction: Vec::new(),
        directions: if kind.lower_only { EdgeDirections::Undirected } else { EdgeDirections::Declared },
        notes: ReadNotes { ignored, ..ReadNotes::default() },
        positions: None,
    })
}

struct MatrixKind {
    has_values: bool,
    whole_values: bool,
    lower_only: bool,
    diagonal: bool,
}

impl MatrixKind {
    fn read(banner: TextLine<'_>, name: &str) -> Result<Self, ReadError> {
        const FORM: &str =
            "%%MatrixMarket matrix coordinate pattern|real|integer general|symmetric|skew-symmetric";
        let words: Vec<String> = banner.text.split_whitespace().map(str::to_ascii_lowercase).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let ["%%matrixmarket", "matrix", "coordinate", field, symmetry] = words[..] else {
            return Err(banner.error(name, "not the banner of a coordinate matrix", FORM));
        };
        let (has_values, whole_values) = match field {
            "pattern" => (false, false),
            "real" => (true, false),
            "integer" => (true, true),
            _ => return Err(banner.error(name, "an unknown field", FORM)),
        };
        let (lower_only, diagonal) = match symmetry {
            "general" => (false, true),
            "symmetric" => (true, true),
            "skew-symmetric" => (true, false),
            _ => return Err(banner.error(name, "an unknown symmetry", FORM)),
        };
        Ok(Self { has_values, whole_values, lower_only, diagonal })
    }

    fn read_entry(&self, line: TextLine<'_>, name: &str, nodes: u64) -> Result<(u32, u32), ReadError> {
        let columns = if self.has_values { "row column value" } else { "row column" };
        let fields: Vec<&str> = line.text.split_whitespace().collect();
        let (row, column) = match (self.has_values, &fields[..]) {
            (false, &[row, column]) => (row, column),
            (true, &[row, column, value]) => {
                let readable = if self.whole_values {
                    value.parse::<i128>().is_ok()
                } else {
                    value.parse::<f64>().is_ok()
                };
                if !readable {
                    let accepted = if self.whole_values { "a whole number" } else { "a number" };
                    return Err(line.field_error(name, value, "not a value", accepted));
                }
                (row, column)
            }
            _ => return Err(line.error(name, "an invalid entry", columns)),
        };
        let u = line.number(name, row, 1..=nodes, "a row")?;
        let v = line.number(name, column, 1..=nodes, "a column")?;
        if (self.lower_only && u < v) || (!self.diagonal && u == v) {
            let problem = "an entry that the symmetry forbids";
            return Err(line.error(
                name,
                problem,
                "entries below the diagonal, or on it unless skew-symmetric",
            ));
        }
        Ok((u as u32 - 1, v as u32 - 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_and_symmetries() {
        let symmetric = "%%MatrixMarket matrix coordinate pattern symmetric\n% c\n\n3 3 3\n2 1\n3 2\n3 3\n";
        let Loaded { graph, notes, .. } = parse(symmetric, "f").unwrap();
        assert_eq!((graph.nodes(), graph.edges()), (3, &[(0, 1), (1, 2)][..]));
        assert_eq!(notes, ReadNotes { self_loops_dropped: 1, ..ReadNotes::default() });

        let general = "%%matrixmarket MATRIX coordinate Real General\n4 4 3\n1 2 -1.5e3\n2 1 0\n1 4 3\n";
        let Loaded { graph, notes, .. } = parse(general, "f").unwrap();
        assert_eq!((graph.nodes(), graph.edges()), (4, &[(0, 1), (0, 3)][..]));
        assert!(notes.was_directed && notes.duplicates_merged == 1);
        assert_eq!((notes.ignored, graph.label(3).as_str()), (Some("values of entries"), "4"));

        let skew = "%%MatrixMarket matrix coordinate integer skew-symmetric\n2 2 1\n2 1 -7\n";
        assert_eq!(parse(skew, "f").unwrap().graph.edges(), [(0, 1)]);
    }

    #[test]
    fn entries_lead_from_row_to_column_with_their_values() {
        let general =
            "%%MatrixMarket matrix coordinate real general\n3 3 4\n2 1 2\n1 2 0.5e1\n2 1 3\n3 3 9\n";
        let arcs = |text, has_weights| list(text, "f", has_weights).map(|listed| listed.arcs(true));
        assert_eq!(arcs(general, false).unwrap(), [([1, 0], 1), ([0, 1], 1), ([1, 0], 1)]);
        assert_eq!(arcs(general, true).unwrap(), [([1, 0], 2), ([0, 1], 5), ([1, 0], 3)]);
        assert_eq!(list(general, "f", true).unwrap().sentences(true), {
            [
                "1 edge from a node to itself is left out",
                "1 edge repeats an earlier one; their weights add up",
            ]
        });
        let symmetric = "%%MatrixMarket matrix coordinate integer symmetric\n2 2 1\n2 1 7\n";
        assert_eq!(arcs(symmetric, true).unwrap(), [([1, 0], 7), ([0, 1], 7)]);
        let negative = "%%MatrixMarket matrix coordinate integer general\n2 2 1\n2 1 -7\n";
        let error = arcs(negative, true).unwrap_err();
        assert_eq!(error.to_string(), "f:3:5: not a weight: `-7`; accepted: a number from 0 to 1e18");
        let pattern = "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n2 1\n";
        assert_eq!(arcs(pattern, true).unwrap_err().problem(), "a matrix without values");
        // Regression: the mirror of a skew-symmetric entry had the weight 7 instead of -7.
        let skew = "%%MatrixMarket matrix coordinate integer skew-symmetric\n2 2 1\n2 1 7\n";
        assert_eq!(arcs(skew, false).unwrap(), [([1, 0], 1), ([0, 1], 1)]);
        let error = arcs(skew, true).unwrap_err();
        assert_eq!(
            (error.line(), error.accepted()),
            (Some(1), "general or symmetric, where the values are weights")
        );
    }

    #[test]
    fn refused() {
        let pattern = "%%MatrixMarket matrix coordinate pattern symmetric\n";
        let integer = "%%MatrixMarket matrix coordinate integer general\n";
        let skew = "%%MatrixMarket matrix coordinate pattern skew-symmetric\n";
        for (banner, rest, message) in [
            ("", "", "f: empty file: it has no banner"),
            ("", "1 2\n", "f:1: not the banner of a coordinate matrix: `1 2`"),
            ("", "%%MatrixMarket matrix array real general\n", "f:1: not the banner of a coordinate matrix"),
            ("", "%%MatrixMarket matrix coordinate complex general\n", "f:1: an unknown field"),
            ("", "%%MatrixMarket matrix coordinate real hermitian\n", "f:1: an unknown symmetry"),
            (pattern, "% c\n", "f: empty file: it has no size line (rows columns entries)"),
            (pattern, "3 3\n", "f:2: an invalid size line: `3 3`"),
            (pattern, "3 4 0\n", "f:2: a matrix that is not square: `3 4 0`"),
            (pattern, "3 3 -1\n", "f:2:5: not a number of entries: `-1`"),
            (pattern, "3 3 2\n2 1\n", "f: the file ends after 1 of 2 entries"),
            (pattern, "3 3 1\n2 1\n3 1\n", "f:4: an extra line after 1 entries: `3 1`"),
            (pattern, "3 3 1\n4 1\n", "f:3:1: not a row: `4`; accepted: a whole number from 1 to 3"),
            (pattern, "3 3 1\n2 0\n", "f:3:3: not a column: `0`"),
            (pattern, "3 3 1\n1 2\n", "f:3: an entry that the symmetry forbids: `1 2`"),
            (skew, "3 3 1\n2 2\n", "f:3: an entry that the symmetry forbids: `2 2`"),
            (pattern, "3 3 1\n2 1 5\n", "f:3: an invalid entry: `2 1 5`; accepted: row column"),
            (integer, "3 3 1\n2 1\n", "f:3: an invalid entry: `2 1`; accepted: row column value"),
            (integer, "3 3 1\n2 1 0.5\n", "f:3:5: not a value: `0.5`; accepted: a whole number"),
        ] {
            let error = parse(&format!("{banner}{rest}"), "f").unwrap_err().to_string();
            assert!(error.starts_with(message), "{error}\n{message}");
        }
    }
}
