//! Edge lists, including the SNAP collection's form: one edge per line.
//!
//! A line has two names of nodes, and optionally further columns. The first line of data determines the separator of
//! the whole file: semicolons, commas or tabs, else blanks. A field may be quoted, as in CSV files; between commas,
//! semicolons or tabs a name may contain blanks. Lines end by LF, CR LF or CR. Lines that are blank or start with `#`
//! or `%` are skipped.
//!
//! Names are text: `1`, `01` and `1.0` are three different nodes. Nodes are numbered in increasing order of name, by
//! value if all names are whole numbers, and keep their names as labels. A node without edges cannot be written in this
//! format, except by a self-loop or a position.
//!
//! The first line can name the columns ([`ReadNotes::header_line`]). The line is read in this way if it has usual names
//! for the two ends, such as `Source,Target`, or if it has two words and all other names are numbers. The named columns
//! can be in any order. Weights are in the column `weight`, else in the third. A column `Type` with `Directed` or
//! `Undirected`, as Gephi writes it, gives the direction of each edge. With other words it is ignored, like all other
//! columns.
//!
//! A line `@ NAME X Y` gives the position of a node in a drawing, in any unit, x to the right and y upwards. Either
//! all nodes have one such line, anywhere in the file, or none. So no node can be called `@`.
//!
//! ```
//! let loaded = acrasin_graphs::read::edge_list::parse("a b\n@ a 0 0\n@ b 3.5 -1e2\n", "two.txt")?;
//! assert_eq!(loaded.positions, Some(vec![[0.0, 0.0], [3.5, -100.0]]));
//!
//! let error = acrasin_graphs::read::edge_list::parse("a b\n@ a 0 0\n", "two.txt").unwrap_err();
//! let message = "two.txt:1: no position for `b`, although other nodes have one: `a b`; accepted: a line `@ b X Y`";
//! assert_eq!(error.to_string(), message);
//! # Ok::<(), acrasin_graphs::ReadError>(())
//! ```
//!
//! The CSV library of the workspace is not used. It reads `"b"` after a comma and a blank as a name with quotes, and
//! an unclosed quote as a field up to the end of the file. It also does not count lines that end by CR.

use super::loaded::EdgeDirections;
use super::positions::PositionLines;
use super::text::{Separator, empty, is_number};
use super::{ListedGraph, Loaded, Names, ReadError, ReadNotes, TextLine};
use crate::graph::NodeLabels;
use crate::limits::EDGES_MAX;

/// Reads an edge list as a simple graph. O(edges log edges).
///
/// # Errors
///
/// As for [`list`].
pub fn parse(text: &str, name: &str) -> Result<Loaded, ReadError> {
    list(text, name, false)?.simple(name)
}

/// Reads the edges of a list, with their weights if `has_weights`. O(edges log edges).
///
/// # Errors
///
/// - A line with only one name, a text without edges, more lines or nodes than the limits allow.
/// - Ambiguous quotes, separators or headers.
/// - A weight that is not a number from 0 to 1e18.
/// - A position without two numbers, a second position of a node, positions of some nodes but not all.
pub fn list(text: &str, name: &str, has_weights: bool) -> Result<ListedGraph, ReadError> {
    let mut notes = ReadNotes::default();
    let form = ListForm::of(text, name)?;
    notes.header_line = form.header.map(|line| line.number);
    let (mut names, mut positions) = (Names::default(), PositionLines::default());
    let mut weights = has_weights.then(Vec::new);
    let [first, second, weight, kind] = form.columns;
    let columns = [first, second, weight.filter(|_| has_weights), kind];
    let mut kinds = EdgeKinds::default();
    let most = columns.iter().flatten().max().map_or(0, |last| last + 1);
    let (mut fields, mut placed, mut edges) = (Vec::new(), Vec::new(), 0u64);
    // Whether a line has more fields than are used.
    let mut has_more = false;
    for line in lines_of(text).filter(|line| Some(line.number) != notes.header_line) {
        if is_position(line) {
            line.fields(name, Separator::Any, 5, &mut placed)?;
            let field = |column: usize| placed.get(column).copied();
            positions.push(field(1), [field(2), field(3), field(4)], line, name)?;
            continue;
        }
        let more = line.fields(name, form.separator, most, &mut fields)?;
        let field = |column: Option<usize>| column.and_then(|at| fields.get(at).copied());
        let [Some(first), Some(second)] = [first, second].map(field) else {
            return Err(line.error(
                name,
                "an invalid line",
                "the names of two nodes, optionally followed by anything",
            ));
        };
        if first.is_empty() || second.is_empty() {
            return Err(line.error(
                name,
                "an edge without a name at one end",
                "the names of two nodes, optionally followed by anything",
            ));
        }
        names.push(first);
        names.push(second);
        has_more |= more || fields.len() > columns.iter().flatten().count();
        if let Some(weights) = &mut weights {
            let given = field(weight).filter(|field| !field.is_empty());
            let missing = || line.error(name, "a line without a weight", form.weight_accepted());
            weights.push(line.weight(name, given.ok_or_else(missing)?)?);
        }
        if kind.is_some() {
            kinds.push(line, field(kind).unwrap_or_default());
        }
        edges += 1;
        if edges > EDGES_MAX {
            return Err(line.error(name, "too many edges", format!("up to {EDGES_MAX} lines")));
        }
    }
    if edges == 0 {
        return Err(empty(name, "it has no edges"));
    }
    let (directions, has_direction) = kinds.directions(name)?;
    // A column `Type` without directions counts as an ignored column.
    has_more |= kind.is_some() && directions == EdgeDirections::AsWritten;
    if has_more {
        notes.ignored = Some(match (has_weights, form.header.is_some()) {
            (_, true) => "the other columns",
            (true, false) => "columns after the third",
            (false, false) => "weights or further columns",
        });
    }
    positions.names().for_each(|name| names.push(name));
    let numbered = names.number(name)?;
    let (ends, placed) = numbered.nodes.split_at(2 * edges as usize);
    let pairs: Vec<(u32, u32)> = ends.chunks_exact(2).map(|ends| (ends[0], ends[1])).collect();
    if let Some(header) = form.header {
        form.no_name_is_of_header(header, &names, name)?;
    } else if form.separator != Separator::Blanks && pairs.len() > 1 {
        let (first, others) = (pairs[0], &pairs[1..]);
        let ends = [first.0, first.1];
        let is_alone = others.iter().all(|(u, v)| !ends.contains(u) && !ends.contains(v));
        notes.first_edge_stands_alone = is_alone && !names.first().is_some_and(is_number);
    }
    let positions = positions.of_nodes(numbered.count, placed, name, |node| {
        let at = ends.iter().position(|&end| end == node).unwrap_or(0);
        let is_edge = |line: &TextLine<'_>| !is_position(*line) && Some(line.number) != notes.header_line;
        let line = lines_of(text).filter(is_edge).nth(at / 2).expect("the line was read");
        let missing = names.nth(at).unwrap_or_default();
        line.error(
            name,
            format!("no position for `{missing}`, although other nodes have one"),
            format!("a line `@ {missing} X Y`"),
        )
    })?;
    let labels = numbered.labels.map(without_quotes);
    let nodes = numbered.count.into();
    Ok(ListedGraph { nodes, edges: pairs, weights, labels, directions, has_direction, notes, positions })
}

/// The words of the column `Type`.
#[derive(Default)]
struct EdgeKinds<'t> {
    has_direction: Vec<bool>,
    /// The first line with a known direction, if any.
    known: Option<TextLine<'t>>,
    /// The first line with any other word, and the word, if any.
    other: Option<(TextLine<'t>, &'t str)>,
}

impl<'t> EdgeKinds<'t> {
    fn push(&mut self, line: TextLine<'t>, word: &'t str) {
        let is_directed = word.eq_ignore_ascii_case("directed");
        self.has_direction.push(is_directed);
        if is_directed || word.eq_ignore_ascii_case("undirected") {
            self.known.get_or_insert(line);
        } else {
            self.other.get_or_insert((line, word));
        }
    }

    /// The directions of all edges; if they are mixed, also whether each edge has one.
    fn directions(self, file: &str) -> Result<(EdgeDirections, Vec<bool>), ReadError> {
        match (self.known, self.other) {
            (None, _) => Ok((EdgeDirections::AsWritten, Vec::new())),
            (Some(known), Some((line, word))) => {
                let accepted = format!("Directed or Undirected, as on line {}", known.number);
                Err(line.field_error(file, word, "not a type of an edge", accepted))
            }
            (Some(_), None) => Ok(match EdgeDirections::of_each(&self.has_direction) {
                EdgeDirections::Mixed => (EdgeDirections::Mixed, self.has_direction),
                alike => (alike, Vec::new()),
            }),
        }
    }
}

/// The start of a line with the position of a node.
const POSITION: &str = "@";

/// The lines with data: those that are neither blank nor comments.
fn lines_of(text: &str) -> impl Iterator<Item = TextLine<'_>> {
    TextLine::all(text).filter(|line| !line.is_silent(&['#', '%']))
}

/// Whether a line gives the position of a node.
fn is_position(line: TextLine<'_>) -> bool {
    let rest = line.text.trim_start().strip_prefix(POSITION);
    rest.is_some_and(|rest| {
        rest.is_empty() || rest.starts_with(|c: char| c.is_whitespace() || matches!(c, ',' | ';'))
    })
}

/// Replaces each doubled quote in the names by one quote.
fn without_quotes(labels: NodeLabels) -> NodeLabels {
    match labels {
        NodeLabels::Names(names) => {
            NodeLabels::Names(names.into_iter().map(|name| name.replace("\"\"", "\"")).collect())
        }
        numbers => numbers,
    }
}

/// The form of the lines of a file: separator, header and columns.
#[derive(Clone, Copy, Debug)]
struct ListForm<'t> {
    separator: Separator,
    /// The line that names the columns, if there is one.
    header: Option<TextLine<'t>>,
    /// The columns of the two ends, the weight and the type of an edge, from 0.
    columns: [Option<usize>; 4],
}

impl<'t> ListForm<'t> {
    const PLAIN: [Option<usize>; 4] = [Some(0), Some(1), Some(2), None];

    fn of(text: &'t str, name: &str) -> Result<Self, ReadError> {
        let mut lines = lines_of(text).filter(|&line| !is_position(line));
        let Some(first) = lines.next() else {
            return Ok(Self { separator: Separator::Blanks, header: None, columns: Self::PLAIN });
        };
        let separator = Separator::of(first.text);
        // `a b x,y` is ambiguous: two names and a column with a comma, or one name of three words.
        let words = first.text.split([',', ';']).next().unwrap_or_default().trim_start();
        if matches!(separator, Separator::Sign(',' | ';'))
            && !words.starts_with('"')
            && words.split_whitespace().nth(2).is_some()
        {
            let problem = "blanks or another separator between names";
            return Err(first.error(
                name,
                problem,
                "names with blanks in quotes, and further columns as well",
            ));
        }
        let plain = Self { separator, header: None, columns: Self::PLAIN };
        let mut fields = Vec::new();
        // A line that cannot be split completely has attributes, or is refused when it is read as an edge.
        if first.fields(name, separator, usize::MAX, &mut fields).is_err() {
            return Ok(plain);
        }
        if fields.iter().any(|field| is_number(field)) {
            return Ok(plain);
        }
        if let Some(columns) = columns_of(&fields) {
            return Ok(Self { header: Some(first), columns, ..plain });
        }
        let mut others = lines.peekable();
        let has_others = others.peek().is_some();
        let mut ends = Vec::new();
        let mut are_numbers = |line: TextLine<'t>| {
            line.fields(name, separator, 2, &mut ends).is_ok() && ends.iter().all(|end| is_number(end))
        };
        let is_header = fields.len() > 1 && has_others && others.all(&mut are_numbers);
        Ok(Self { header: is_header.then_some(first), ..plain })
    }

    /// Refuses a node that has the name of a column: then the first line could be an edge.
    fn no_name_is_of_header(
        &self,
        header: TextLine<'_>,
        names: &Names<'_>,
        file: &str,
    ) -> Result<(), ReadError> {
        let mut fields = Vec::new();
        header.fields(file, self.separator, usize::MAX, &mut fields)?;
        let ends = self.columns[..2].iter().flatten().filter_map(|&column| fields.get(column));
        match ends.into_iter().find(|field| names.has(field)) {
            None => Ok(()),
            Some(column) => {
                let problem = format!("either names of columns or an edge: `{column}` is also a node");
                Err(header.error(
                    file,
                    problem,
                    "a # before names of columns; or another edge in the first line",
                ))
            }
        }
    }

    fn weight_accepted(&self) -> String {
        match self.columns[2] {
            None => "a column `weight`".to_owned(),
            Some(2) => "a number from 0 to 1e18 in the third column".to_owned(),
            Some(at) => format!("a number from 0 to 1e18 in column {}", at + 1),
        }
    }
}

/// Usual names of the columns of first and second ends, in lower case and without signs and blanks.
const ENDS: [[&str; 2]; 22] = [
    ["source", "target"],
    ["sourceid", "targetid"],
    ["source", "destination"],
    ["origin", "destination"],
    ["source", "dest"],
    ["src", "dst"],
    ["src", "dest"],
    ["from", "to"],
    ["fromid", "toid"],
    ["fromnode", "tonode"],
    ["fromnodeid", "tonodeid"],
    ["node1", "node2"],
    ["node1id", "node2id"],
    ["nodea", "nodeb"],
    ["id1", "id2"],
    ["n1", "n2"],
    ["v1", "v2"],
    ["vertex1", "vertex2"],
    ["person1", "person2"],
    ["user1", "user2"],
    ["tail", "head"],
    ["start", "end"],
];

/// The columns of ends, weights and types, if the fields are names of columns.
fn columns_of(fields: &[&str]) -> Option<[Option<usize>; 4]> {
    let plain =
        |field: &&str| field.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    let names: Vec<String> = fields.iter().map(plain).collect();
    let at = |wanted: &str| names.iter().position(|name| name == wanted);
    let (weight, kind) = (at("weight").or_else(|| at("weights")), at("type"));
    let ends = ENDS.iter().find_map(|[first, second]| Some([at(first)?, at(second)?]));
    match (ends, weight) {
        // Without a column `weight`, the third column may have the weights.
        (Some([0, 1]), None) => Some([Some(0), Some(1), Some(2).filter(|_| kind != Some(2)), kind]),
        (Some([first, second]), weight) => Some([Some(first), Some(second), weight, kind]),
        // Two arbitrary names and a weight.
        (None, Some(weight)) if weight >= 2 => {
            Some([Some(0), Some(1), Some(weight), kind.filter(|&at| at >= 2)])
        }
        (None, _) => None,
    }
}

/// Whether the names in a first line would be read as names of columns. The writer refuses such a graph.
pub(crate) fn is_header(fields: &[&str]) -> bool {
    columns_of(fields).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::NodeLabels;

    #[test]
    fn gaps_comments_separators_and_further_columns() {
        for text in [
            "# SNAP\n% other\n\n30\t4\r\n4\t 100\n 4\t30 \t 0.5\n7\t7\n",
            "30 4\n4   100\t\n\t4 30  0.5\n7 7\n",
            "30,4\r4, 100\r4 ,30,0.5\r7,7",
            "30,4,\r\n4,100,\r\n4,30,0.5\n\n7,7,\n",
            "\"30\";\"4\"\n4;\"100\"\n4;30;0,5\n7;7\n",
            "30 4 {}\n4 100 {'a': 1, 'b': \"x\"}\n4 30 {}\n7 7 {}\n",
        ] {
            let Loaded { graph, notes, .. } = parse(text, "f").unwrap();
            assert_eq!(graph.edges(), [(0, 2), (0, 3)], "{text:?}");
            assert_eq!(graph.labels(), Some(&NodeLabels::Numbers(vec![4, 7, 30, 100])));
            assert_eq!((notes.self_loops_dropped, notes.duplicates_merged), (1, 1));
            assert_eq!(notes.ignored, Some("weights or further columns"));
            assert!(!notes.was_directed);
        }
    }

    fn weighted(text: &str) -> Result<Vec<([u32; 2], u64)>, ReadError> {
        list(text, "f", true).map(|listed| listed.arcs(true))
    }

    #[test]
    fn weights_and_directions_are_as_written() {
        let text = "# a b weight\n30,4,7\n4,100,0\n 4, 30, 4294967296, x\n7,7,1\n";
        let expected = [([2, 0], 7), ([0, 3], 0), ([0, 2], 1 << 32)];
        assert_eq!(weighted(text).unwrap(), expected);
        assert_eq!(list(text, "f", true).unwrap().notes.ignored, Some("columns after the third"));
        assert_eq!(list("b a\n", "f", false).unwrap().arcs(true), [([1, 0], 1)]);
        for wrong in
            ["1 2 3\n1 2\n", "1 2 3\n1 2 0,5\n", "1 2 3\n1 2 -1\n", "1 2 3\n1 2 nan\n", "1,2,3\n1,2,\n"]
        {
            let error = weighted(wrong).unwrap_err();
            assert_eq!(error.line(), Some(2), "{error}");
        }
        assert!(list("#\n", "f", false).is_err());
        // Decimal weights keep their ratios.
        let arcs = weighted("a b 0.25\nb a 1e-1\n").unwrap();
        assert!((arcs[0].1 as f64 / arcs[1].1 as f64 - 2.5).abs() < 1e-15);
    }

    #[test]
    fn names_are_text() {
        let labels = |text| {
            let graph = parse(text, "f").unwrap().graph;
            (0..graph.nodes()).map(|node| graph.label(node)).collect::<Vec<_>>()
        };
        assert_eq!(labels("01 1\n2 10\n"), ["01", "1", "2", "10"]);
        assert_eq!(labels("\"a b\",\"c\"\nc,New York\n"), ["New York", "a b", "c"]);
        assert_eq!(labels("\"say \"\"x\"\"\" 1\n"), ["1", "say \"x\""]);
        assert_eq!(labels("New York\tRome\n\"a,b\"\tRome\n"), ["New York", "Rome", "a,b"]);
        assert_eq!(labels("1.0;1\n"), ["1", "1.0"]);
    }

    #[test]
    fn names_of_columns_are_no_nodes() {
        for (text, header) in [
            ("Source,Target\n10,20\n", Some(1)),
            ("\"Source\";\"Target\";\"Weight\"\n10;20;1\n", Some(1)),
            ("# x\n\nFrom Node ID\tTo-Node-ID\r10\t20\r", Some(3)),
            ("x y\n10 20\n", Some(1)),
            ("Id,TARGET,source\n1,20,10\n", Some(1)),
            ("10 20\n", None),
            ("# Source Target\n10 20\n", None),
        ] {
            let Loaded { graph, notes, .. } = parse(text, "f").unwrap();
            assert_eq!(graph.labels(), Some(&NodeLabels::Numbers(vec![10, 20])), "{text:?}");
            assert_eq!(notes.header_line, header, "{text:?}");
            assert!(!notes.first_edge_stands_alone);
        }
        let listed = list("id,target,source,weight\nq,b,a,0.5\n", "f", true).unwrap();
        assert_eq!(
            (listed.arcs(true).as_slice(), listed.notes.ignored),
            (&[([0, 1], 1 << 60)][..], Some("the other columns"))
        );
        let error = list("target,source\nb,a\n", "f", true).unwrap_err();
        assert_eq!(error.to_string(), "f:2: a line without a weight: `b,a`; accepted: a column `weight`");
        // Two words are an edge if all other names are words, too. A note is set if they could be names of columns.
        let told = parse("left,right\na,b\n", "f").unwrap();
        assert_eq!((told.graph.nodes(), told.notes.first_edge_stands_alone), (4, true));
        assert!(!parse("left right\na b\n", "f").unwrap().notes.first_edge_stands_alone);
        let error = parse("from to\nto from\n", "f").unwrap_err();
        assert_eq!(
            error.to_string(),
            "f:1: either names of columns or an edge: `from` is also a node: `from to`; \
             accepted: a # before names of columns; or another edge in the first line"
        );
    }

    /// Regression: Gephi's column `Type` was ignored, so an undirected edge led from its first end only.
    #[test]
    fn the_type_of_an_edge_says_whether_it_has_a_direction() {
        let arcs = |text| {
            let listed = list(text, "f", false).unwrap();
            let ends = listed.arcs(true).into_iter().map(|(ends, _)| ends).collect::<Vec<_>>();
            (ends, listed.directions(), listed.notes.ignored)
        };
        let mixed = "Source,Target,Type\na,b,Directed\nc,a,UNDIRECTED\n";
        assert_eq!(arcs(mixed), (vec![[0, 1], [2, 0], [0, 2]], EdgeDirections::Mixed, None));
        let undirected = "Id;type;Source;Target\n1;Undirected;b;a\n";
        assert_eq!(
            arcs(undirected),
            (vec![[1, 0], [0, 1]], EdgeDirections::Undirected, Some("the other columns"))
        );
        let directed = "Source,Target,Type,Weight\nb,a,Directed,2\n";
        assert_eq!(arcs(directed), (vec![[1, 0]], EdgeDirections::Declared, Some("the other columns")));
        assert_eq!(list(directed, "f", true).unwrap().arcs(true), [([1, 0], 2)]);
        // A column `Type` with other words has another meaning and is ignored.
        let friends = "Source,Target,Type\na,b,friends\nb,c,\n";
        assert_eq!(
            arcs(friends),
            (vec![[0, 1], [1, 2]], EdgeDirections::AsWritten, Some("the other columns"))
        );
        let error = list("Source,Target,Type\na,b,Directed\nb,c,Undirekted\n", "f", false).unwrap_err();
        assert_eq!(
            error.to_string(),
            "f:3:5: not a type of an edge: `Undirekted`; accepted: Directed or Undirected, as on line 2"
        );
        // Without a column of weights the third column may have them, unless it is the type.
        assert!(list("Source,Target,Type\na,b,Directed\n", "f", true).is_err());
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
        let text = "@ 9 -1 2.5\n4 9\n@\t7;3,1e3\n@ \"4\" 0 0\n";
        let loaded = parse(text, "f").unwrap();
        // Node 7 has no edge; its position creates it.
        assert_eq!((loaded.graph.nodes(), loaded.graph.edges()), (3, &[(0, 2)][..]));
        assert_eq!(loaded.positions, Some(vec![[0.0, 0.0], [3.0, 1000.0], [-1.0, 2.5]]));
        assert_eq!(loaded.notes, ReadNotes::default());
        assert_eq!(weighted("@ 9 -1 2.5\n4 9 3\n@ 7 0 0\n@ 4 0 0\n").unwrap(), [([0, 2], 3)]);
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
            ("a b\n@ a 1\n", "f:2: an invalid line: `@ a 1`; accepted: `@ NAME X Y`, the position of a \
              node".into()),
            ("a b\n@ a 1 2 3\n", "f:2: an invalid line: `@ a 1 2 3`; accepted: `@ NAME X Y`, the position \
              of a node".into()),
            (
                "@ a 1 2\na b\n@ b 1 2\n@ a 1 2\n",
                "f:4: a second position of `a`: `@ a 1 2`; accepted: one position per node; the first is on line 1".into(),
            ),
            (
                "@ b 1 2\n# x\na b\nb c\n@ a 1 2\n",
                "f:4: no position for `c`, although other nodes have one: `b c`; accepted: a line `@ c X Y`".into(),
            ),
            ("@ a 0 0\n@ b 0 1\n", "f: empty file: it has no edges; accepted: at least one line of data".into()),
        ] {
            assert_eq!(parse(text, "f").unwrap_err().to_string(), message);
        }
        for (text, message) in [
            (
                "0 1\n\n2\n",
                "f:3: an invalid line: `2`; accepted: the names of two nodes, optionally followed by anything",
            ),
            (
                "0,1\n ,\n",
                "f:2: an edge without a name at one end: ` ,`; accepted: the names of two nodes, optionally followed by anything",
            ),
            (
                "0,1\n1,,2\n",
                "f:2: an edge without a name at one end: `1,,2`; accepted: the names of two nodes, optionally followed by anything",
            ),
            (
                "0,1\n2\n",
                "f:2: an invalid line: `2`; accepted: the names of two nodes, optionally followed by anything",
            ),
            (
                "a b x,y\n",
                "f:1: blanks or another separator between names: `a b x,y`; accepted: names with blanks in quotes, and further columns as well",
            ),
            (
                "0,1\n\"a,b\n",
                "f:2:1: a quote that is not closed on its line: `\"a,b`; accepted: `\"…\"` around the whole field",
            ),
            (
                "0 1\n2, 3\n",
                "f:2:1: a ',' inside a field of a file whose separators are blanks: `2,`; accepted: one separator in the whole file, or the field in quotes",
            ),
            (
                "0,1\n2 3\n",
                "f:2:1: several numbers inside a field of a file whose separators are commas: `2 3`; accepted: one separator in the whole file, or the field in quotes",
            ),
            ("# only\n", "f: empty file: it has no edges; accepted: at least one line of data"),
            ("", "f: empty file: it has no edges; accepted: at least one line of data"),
        ] {
            assert_eq!(parse(text, "f").unwrap_err().to_string(), message);
        }
    }
}
