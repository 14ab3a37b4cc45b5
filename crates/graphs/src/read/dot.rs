//! DOT, the language of Graphviz.
//!
//! The whole language is read: graphs and digraphs, node and edge statements, chains of edges, subgraphs as ends of
//! edges, ports, attributes, quoted and HTML strings, comments. Nodes, edges and the positions of nodes are kept; the direction of edges
//! and all other attributes are ignored. Nodes are numbered in increasing order of name, as in an [edge list](super::edge_list).
//!
//! A position is the attribute `pos` of a node, as Graphviz reads and writes it: `a [pos="3,4"]`, perhaps with a third coordinate, which
//! is ignored, and a `!`. Either each node has one or none has.
//!
//! ```
//! let text = "graph { a [pos=\"0,0\"]; b [pos=\"27,18!\"]; a -- b }";
//! let loaded = acrasin_graphs::read::dot::parse(text, "two.dot")?;
//! assert_eq!(loaded.positions, Some(vec![[0.0, 0.0], [27.0, 18.0]]));
//! # Ok::<(), acrasin_graphs::ReadError>(())
//! ```

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::dot_token::{Kind, Token, Tokens};
use super::loaded::Pairs;
use super::positions::{COORDINATE, coordinate};
use super::text::empty;
use super::{Loaded, Names, ReadError, ReadNotes};
use crate::limits::{DOT_NESTING_MAX, EDGES_MAX};

/// Reads one DOT graph. O((nodes + edges) log nodes), with the edges of chains of subgraphs counted out.
///
/// # Errors
///
/// Refuses what the grammar does not have, `->` in a graph and `--` in a digraph, a graph without nodes, a second graph,
/// subgraphs nested deeper than [`DOT_NESTING_MAX`], and more than [`EDGES_MAX`] edges; a position that is none, a second one of a
/// node, and positions of some nodes and not of all.
pub fn parse(text: &str, name: &str) -> Result<Loaded, ReadError> {
    if text.trim().is_empty() {
        return Err(empty(name, "it has no graph"));
    }
    let mut tokens = Tokens::new(text, name);
    let next = tokens.next()?;
    let mut parser = Parser {
        tokens,
        next,
        edge: "--",
        depth: 0,
        numbers: BTreeMap::new(),
        names: Vec::new(),
        first_at: Vec::new(),
        positions: BTreeMap::new(),
        pairs: Vec::new(),
        notes: ReadNotes::default(),
    };
    parser.graph()?;
    let mut names = Names::default();
    parser.names.iter().for_each(|name| names.push(name));
    let numbered = names.number(name)?;
    let node = |first_seen: u32| numbered.nodes[first_seen as usize];
    let pairs = parser.pairs.iter().map(|&(u, v)| (node(u), node(v))).collect();
    let mut positions = None;
    if !parser.positions.is_empty() {
        let mut places = vec![[0.0, 0.0]; numbered.count as usize];
        for (seen, at) in (0..).zip(&parser.first_at) {
            places[node(seen) as usize] = *parser.positions.get(&seen).ok_or_else(|| {
                let accepted = "a position of every node, or of none";
                parser.tokens.error(*at, "no position of a node, and others have one", accepted)
            })?;
        }
        positions = Some(places);
    }
    let nodes = numbered.count.into();
    let loaded = Pairs { nodes, pairs, labels: numbered.labels, notes: parser.notes }.into_loaded(name)?;
    Ok(Loaded { positions, ..loaded })
}

struct Parser<'t> {
    tokens: Tokens<'t>,
    next: Token<'t>,
    /// The sign of an edge: `--`, or `->` in a digraph.
    edge: &'static str,
    depth: u32,
    /// Nodes by name, in the order of first use.
    numbers: BTreeMap<Cow<'t, str>, u32>,
    names: Vec<Cow<'t, str>>,
    /// Where each name is first used.
    first_at: Vec<usize>,
    /// By node.
    positions: BTreeMap<u32, [f64; 2]>,
    pairs: Vec<(u32, u32)>,
    notes: ReadNotes,
}

/// What is kept of lists of attributes.
#[derive(Default)]
struct Attributes<'t> {
    any: bool,
    /// The last `pos`, and where it stands.
    position: Option<(usize, Cow<'t, str>)>,
}

/// Two coordinates, perhaps a third, perhaps a `!`.
fn position_of(value: &str) -> Option<[f64; 2]> {
    let value = value.trim();
    let mut fields =
        value.strip_suffix('!').unwrap_or(value).split(',').map(|field| coordinate(field.trim()));
    let place = [fields.next()??, fields.next()??];
    match (fields.next(), fields.next()) {
        (None | Some(Some(_)), None) => Some(place),
        _ => None,
    }
}

impl<'t> Parser<'t> {
    fn graph(&mut self) -> Result<(), ReadError> {
        const FORM: &str = "[strict] graph|digraph [name] { statements }";
        self.take_keyword("strict")?;
        if self.take_keyword("digraph")? {
            self.edge = "->";
            self.notes.was_directed = true;
        } else if !self.take_keyword("graph")? {
            return Err(self.unexpected(FORM));
        }
        if let Kind::Id(_) = self.next.kind {
            self.id()?;
        }
        if self.next.kind != Kind::Sign("{") {
            return Err(self.unexpected(FORM));
        }
        self.statements()?;
        if self.next.kind != Kind::End {
            return Err(self.error("text after the graph", "one graph a file"));
        }
        if self.names.is_empty() {
            return Err(self.error("a graph without nodes", "at least one node"));
        }
        Ok(())
    }

    /// `{ statements }`; returns the nodes that occur in them, increasing.
    fn statements(&mut self) -> Result<Vec<u32>, ReadError> {
        if self.depth > DOT_NESTING_MAX {
            return Err(self.error("subgraphs nested too deep", format!("up to {DOT_NESTING_MAX} levels")));
        }
        self.depth += 1;
        self.expect("{")?;
        let mut nodes = Vec::new();
        while !self.take("}")? {
            if !self.take(";")? {
                self.statement(&mut nodes)?;
            }
        }
        self.depth -= 1;
        nodes.sort_unstable();
        nodes.dedup();
        Ok(nodes)
    }

    fn statement(&mut self, nodes: &mut Vec<u32>) -> Result<(), ReadError> {
        let mut named = None;
        let mut end = match &self.next.kind {
            Kind::Keyword("graph" | "node" | "edge") => {
                self.advance()?;
                if self.next.kind != Kind::Sign("[") {
                    return Err(self.unexpected("`[` and attributes"));
                }
                self.attributes()?;
                return Ok(());
            }
            Kind::Id(_) => {
                let at = self.next.at;
                let id = self.id()?;
                if self.take("=")? {
                    self.id()?;
                    return Ok(());
                }
                let node = self.node(at, id)?;
                named = Some(node);
                vec![node]
            }
            _ => self.end()?,
        };
        let mut is_edge = false;
        loop {
            nodes.extend_from_slice(&end);
            if !matches!(self.next.kind, Kind::Sign("--" | "->")) {
                break;
            }
            is_edge = true;
            if !self.take(self.edge)? {
                let accepted = format!("`{}`: `--` in a graph, `->` in a digraph", self.edge);
                return Err(self.error("the edge sign of the other kind of graph", accepted));
            }
            let other = self.end()?;
            self.connect(&end, &other)?;
            end = other;
        }
        let attributes = self.attributes()?;
        self.notes.weights_ignored |= is_edge && attributes.any;
        if let (false, Some(node), Some((at, position))) = (is_edge, named, attributes.position) {
            let accepted = format!("`pos=\"X,Y\"`, each {COORDINATE}");
            let place =
                position_of(&position).ok_or_else(|| self.tokens.error(at, "not a position", accepted))?;
            if self.positions.insert(node, place).is_some() {
                return Err(self.tokens.error(at, "a second position of a node", "one position a node"));
            }
        }
        Ok(())
    }

    /// An end of an edge: a node or a subgraph.
    fn end(&mut self) -> Result<Vec<u32>, ReadError> {
        match &self.next.kind {
            Kind::Id(_) => {
                let at = self.next.at;
                let id = self.id()?;
                Ok(vec![self.node(at, id)?])
            }
            Kind::Keyword("subgraph") => {
                self.advance()?;
                if let Kind::Id(_) = self.next.kind {
                    self.id()?;
                }
                self.statements()
            }
            Kind::Sign("{") => self.statements(),
            _ => Err(self.unexpected("a node, an edge, an attribute, a subgraph or `}`")),
        }
    }

    fn connect(&mut self, ends: &[u32], others: &[u32]) -> Result<(), ReadError> {
        let total = self.pairs.len() as u128 + ends.len() as u128 * others.len() as u128;
        if total > u128::from(EDGES_MAX) {
            return Err(self.error(format!("{total} edges"), format!("up to {EDGES_MAX} edges")));
        }
        for &u in ends {
            self.pairs.extend(others.iter().map(|&v| (u, v)));
        }
        Ok(())
    }

    /// The node of a name that stands here, after its port if it has one.
    fn node(&mut self, at: usize, name: Cow<'t, str>) -> Result<u32, ReadError> {
        for _ in 0..2 {
            if self.take(":")? {
                self.id()?;
            }
        }
        let next = self.names.len() as u32;
        let (names, first_at) = (&mut self.names, &mut self.first_at);
        Ok(*self.numbers.entry(name).or_insert_with_key(|name| {
            names.push(name.clone());
            first_at.push(at);
            next
        }))
    }

    /// Attribute lists, none or more.
    fn attributes(&mut self) -> Result<Attributes<'t>, ReadError> {
        let mut attributes = Attributes::default();
        while self.take("[")? {
            while !self.take("]")? {
                let key = self.id()?;
                if self.take("=")? {
                    let at = self.next.at;
                    let value = self.id()?;
                    if key == "pos" {
                        attributes.position = Some((at, value));
                    }
                }
                attributes.any = true;
                if !self.take(",")? {
                    self.take(";")?;
                }
            }
        }
        Ok(attributes)
    }

    /// A name, or strings joined by `+`.
    fn id(&mut self) -> Result<Cow<'t, str>, ReadError> {
        let Kind::Id(_) = self.next.kind else { return Err(self.unexpected("a name, a number or a string")) };
        let Kind::Id(mut id) = self.advance()? else { unreachable!("the token was looked at") };
        while self.take("+")? {
            match self.advance()? {
                Kind::Id(more) => id += more,
                _ => return Err(self.error("`+` without a string after it", "a string")),
            }
        }
        Ok(id)
    }

    fn advance(&mut self) -> Result<Kind<'t>, ReadError> {
        let next = self.tokens.next()?;
        Ok(std::mem::replace(&mut self.next, next).kind)
    }

    fn take(&mut self, sign: &'static str) -> Result<bool, ReadError> {
        let there = self.next.kind == Kind::Sign(sign);
        if there {
            self.advance()?;
        }
        Ok(there)
    }

    fn take_keyword(&mut self, keyword: &'static str) -> Result<bool, ReadError> {
        let there = self.next.kind == Kind::Keyword(keyword);
        if there {
            self.advance()?;
        }
        Ok(there)
    }

    fn expect(&mut self, sign: &'static str) -> Result<(), ReadError> {
        if self.take(sign)? { Ok(()) } else { Err(self.unexpected(&format!("`{sign}`"))) }
    }

    fn unexpected(&self, accepted: &str) -> ReadError {
        let ends = self.next.kind == Kind::End;
        self.error(if ends { "the file ends inside the graph" } else { "not what DOT has here" }, accepted)
    }

    fn error(&self, problem: impl Into<String>, accepted: impl Into<String>) -> ReadError {
        self.tokens.error(self.next.at, problem, accepted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edges(text: &str) -> Vec<(String, String)> {
        let graph = parse(text, "f").unwrap().graph;
        graph.edges().iter().map(|&(u, v)| (graph.label(u), graph.label(v))).collect()
    }

    fn named(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        pairs.iter().map(|&(u, v)| (u.to_owned(), v.to_owned())).collect()
    }

    #[test]
    fn the_language() {
        assert_eq!(edges("graph { b -- a -- c; }"), named(&[("a", "b"), ("a", "c")]));
        assert_eq!(edges("graph { {a b} -- c -- subgraph s {d} }"), {
            named(&[("a", "c"), ("b", "c"), ("c", "d")])
        });
        assert_eq!(
            edges("strict graph \"G\" { node [shape=box] x = 1; edge[a=b,c;d]; a:p:n--b:w[weight=2][x=y] }"),
            { named(&[("a", "b")]) }
        );
        assert_eq!(edges("graph { a -- \"b\" + \" c\"; subgraph { a d } }"), named(&[("a", "b c")]));
        assert_eq!(edges("graph { a {b {c}} -- {} b }"), []);
        assert_eq!(edges("graph { 10 -- 9 -- 10.5 }"), named(&[("10", "9"), ("10.5", "9")]));
        assert_eq!(edges("graph { 10 -- 9 -- 11 }"), named(&[("9", "10"), ("9", "11")]));
    }

    #[test]
    fn notes() {
        let loaded = parse("digraph { a -> b -> a [weight=3]; b -> b; c }", "f").unwrap();
        assert_eq!((loaded.graph.nodes(), loaded.graph.edges()), (3, &[(0, 1)][..]));
        assert_eq!(
            loaded.notes,
            ReadNotes {
                self_loops_dropped: 1,
                duplicates_merged: 1,
                was_directed: true,
                weights_ignored: true,
            }
        );
    }

    #[test]
    fn positions_are_those_of_node_statements() {
        let text = "graph { graph [pos=\"9,9\"] node [pos=x] b [pos=\"1.5,-2,7!\"]; a -- b [pos=\"e,1,2 3,4\"]; a [w=1][pos=\"3 , 4\"] }";
        let loaded = parse(text, "f").unwrap();
        assert_eq!(loaded.positions, Some(vec![[3.0, 4.0], [1.5, -2.0]]));
        assert_eq!(parse("graph { a -- b [pos=\"1,2\"] }", "f").unwrap().positions, None);
    }

    #[test]
    fn refused() {
        let deep = format!("graph {{ {} a {} }}", "{".repeat(100), "}".repeat(100));
        for (text, message) in [
            (" \n", "f: empty file: it has no graph"),
            ("a -- b", "f:1:1: not what DOT has here: `a -- b`; accepted: [strict] graph|digraph [name]"),
            ("graph {}", "f:1:9: a graph without nodes"),
            ("graph { a --", "f:1:13: the file ends inside the graph; accepted: a node"),
            (
                "graph { a\n-> b }",
                "f:2:1: the edge sign of the other kind of graph: `-> b }`; accepted: `--`",
            ),
            ("digraph { a -- b }", "f:1:13: the edge sign of the other kind of graph"),
            ("graph { a } graph { b }", "f:1:13: text after the graph"),
            ("graph { a [b=] }", "f:1:14: not what DOT has here: `] }`; accepted: a name"),
            ("graph { node }", "f:1:14: not what DOT has here: `}`; accepted: `[` and attributes"),
            ("graph { a + }", "f:1:14: `+` without a string"),
            ("graph { = }", "f:1:9: not what DOT has here"),
            ("graph { subgraph s }", "f:1:20: not what DOT has here: `}`; accepted: `{`"),
            (&deep, "f:1:73: subgraphs nested too deep"),
            (
                "graph { a [pos=\"1,inf\"] }",
                "f:1:16: not a position: `\\\"1,inf\\\"] }`; accepted: `pos=\"X,Y\"`, each a number from -1e9 to 1e9",
            ),
            ("graph { a [pos=\"1\"] }", "f:1:16: not a position"),
            ("graph { a [pos=\"1,2,3,4\"] }", "f:1:16: not a position"),
            ("graph { a [pos=\"1,2\"]\na [pos=\"1,2\"] }", "f:2:8: a second position of a node"),
            (
                "graph { a [pos=\"1,2\"]\na -- b }",
                "f:2:6: no position of a node, and others have one: `b }`; accepted: a position of every node, or of none",
            ),
        ] {
            let error = parse(text, "f").unwrap_err().to_string();
            assert!(error.starts_with(message), "{error}\n{message}");
        }
        let allowed = format!("graph {{ {} a {} }}", "{".repeat(64), "}".repeat(64));
        assert_eq!(parse(&allowed, "f").unwrap().graph.nodes(), 1);
    }
}
