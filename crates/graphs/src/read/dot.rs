//! DOT, the language of Graphviz.
//!
//! The whole language is read: graphs and digraphs, node and edge statements, chains of edges, subgraphs as ends of
//! edges, ports, attributes, quoted and HTML strings, comments. The reader keeps nodes, edges, their directions in a
//! digraph, the positions of nodes, and optionally the weights of edges. All other attributes are ignored. Nodes are
//! numbered in increasing order of name, as in an [edge list](super::edge_list). As in Graphviz, subgraphs with the
//! same name and parent are one subgraph, and a `strict` graph keeps the last of several edges between two nodes.
//!
//! A weight is the attribute `weight` of an edge, or that of an earlier `edge [weight=…]` around it, else 1.
//!
//! An edge of a digraph leads from its first end to its second; an edge of a graph has no direction. The attribute
//! `dir` of an edge, or that of an earlier `edge [dir=…]` around it, overrides this. Its values are `forward`, `back`,
//! `both` and `none`; `both` and `none` make an edge without direction.
//!
//! A position is the attribute `pos` of a node, as Graphviz reads and writes it: `a [pos="3,4"]`. A third coordinate
//! is ignored, and a `!` may follow. Either all nodes have a position or none.
//!
//! ```
//! let text = "graph { a [pos=\"0,0\"]; b [pos=\"27,18!\"]; a -- b }";
//! let loaded = acrasin_graphs::read::dot::parse(text, "two.dot")?;
//! assert_eq!(loaded.positions, Some(vec![[0.0, 0.0], [27.0, 18.0]]));
//! # Ok::<(), acrasin_graphs::ReadError>(())
//! ```

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::dot_token::{DotToken, Id, TokenKind, Tokens};
use super::loaded::EdgeDirections;
use super::names::NumberedNodes;
use super::positions::{COORDINATE, coordinate};
use super::text::{self, WEIGHT, empty};
use super::{ListedGraph, Loaded, Names, ReadError, ReadNotes};
use crate::graph::NodeLabels;
use crate::limits::{DOT_NESTING_MAX, EDGES_MAX};

/// Reads one DOT graph as a simple graph. O((nodes + edges) log nodes), where edges include all those of chains of
/// subgraphs.
///
/// # Errors
///
/// As for [`list`].
pub fn parse(text: &str, name: &str) -> Result<Loaded, ReadError> {
    list(text, name, false)?.simple(name)
}

/// Reads the edges of one DOT graph, with their weights if `has_weights`. O((nodes + edges) log nodes), where edges
/// include all those of chains of subgraphs.
///
/// # Errors
///
/// - Text outside the grammar, `->` in a graph or `--` in a digraph, a graph without nodes, a second graph.
/// - Subgraphs nested deeper than [`DOT_NESTING_MAX`], more than [`EDGES_MAX`] edges.
/// - A malformed position, a second position of a node, positions of some nodes but not all.
/// - With `has_weights`, a weight that is not a number from 0 to 1e18, and a graph without any weight.
pub fn list(text: &str, name: &str, has_weights: bool) -> Result<ListedGraph, ReadError> {
    if text.trim().is_empty() {
        return Err(empty(name, "it has no graph"));
    }
    let mut tokens = Tokens::new(text, name);
    let next = tokens.next()?;
    let mut parser = DotParser {
        tokens,
        next,
        edge: "--",
        is_strict: false,
        depth: 0,
        numbers: BTreeMap::new(),
        names: Vec::new(),
        first_at: Vec::new(),
        positions: BTreeMap::new(),
        subgraphs: vec![Subgraph::default()],
        within: 0,
        pairs: Vec::new(),
        weights: has_weights.then(Vec::new),
        weight: None,
        has_weights: false,
        arrows: Vec::new(),
        arrow: None,
        ignores_attributes: false,
        notes: ReadNotes::default(),
    };
    parser.graph()?;
    if has_weights && !parser.has_weights {
        return Err(ReadError::of_file(name, "no edge has a weight", "edges with the attribute `weight`"));
    }
    if parser.ignores_attributes {
        parser.notes.ignored = Some(match (has_weights, parser.arrows.is_empty()) {
            (true, true) => "attributes of edges other than `weight`",
            (true, false) => "attributes of edges other than `weight` and `dir`",
            (false, true) => "attributes of edges",
            (false, false) => "attributes of edges other than `dir`",
        });
    }
    if parser.is_strict {
        parser.keep_last();
    }
    let (directions, has_direction) = parser.turn();
    let mut names = Names::default();
    parser.names.iter().for_each(|id| names.push(&id.text));
    let numbered = parser.number(&names, name)?;
    let node = |first_seen: u32| numbered.nodes[first_seen as usize];
    let edges = parser.pairs.iter().map(|&(u, v)| (node(u), node(v))).collect();
    let mut positions = None;
    if !parser.positions.is_empty() {
        let mut places = vec![[0.0, 0.0]; numbered.count as usize];
        for (seen, at) in (0..).zip(&parser.first_at) {
            places[node(seen) as usize] = *parser.positions.get(&seen).ok_or_else(|| {
                let accepted = "a position of every node, or of none";
                parser.tokens.error(*at, "a node without a position, although others have one", accepted)
            })?;
        }
        positions = Some(places);
    }
    Ok(ListedGraph {
        nodes: numbered.count.into(),
        edges,
        weights: parser.weights,
        labels: numbered.labels,
        directions,
        has_direction,
        notes: parser.notes,
        positions,
    })
}

struct DotParser<'t> {
    tokens: Tokens<'t>,
    next: DotToken<'t>,
    /// The edge operator: `--`, or `->` in a digraph.
    edge: &'static str,
    is_strict: bool,
    depth: u32,
    /// Nodes by name, in the order of first use.
    numbers: BTreeMap<Id<'t>, u32>,
    names: Vec<Id<'t>>,
    /// The byte at which each name is first used.
    first_at: Vec<usize>,
    /// The position of each node that has one.
    positions: BTreeMap<u32, [f64; 2]>,
    /// The whole graph, and its subgraphs in the order of first use.
    subgraphs: Vec<Subgraph<'t>>,
    /// The index of the subgraph that contains the next token.
    within: usize,
    pairs: Vec<(u32, u32)>,
    /// The weights by pair, if they were requested.
    weights: Option<Vec<f64>>,
    /// The default weight, as set by `edge [weight=…]`; `None` if it is not set.
    weight: Option<f64>,
    /// Whether any edge has a weight.
    has_weights: bool,
    /// The arrows by pair, where `dir` is set. Pairs after the end of the list have none.
    arrows: Vec<Option<EdgeArrow>>,
    /// The default arrow, as set by `edge [dir=…]`; `None` if it is not set.
    arrow: Option<EdgeArrow>,
    /// Whether an edge has attributes that are not used.
    ignores_attributes: bool,
    notes: ReadNotes,
}

#[derive(Default)]
struct Subgraph<'t> {
    nodes: BTreeSet<u32>,
    /// The named subgraphs of this subgraph, by index.
    named: BTreeMap<Id<'t>, usize>,
}

/// The direction that `dir` gives an edge.
#[derive(Clone, Copy, PartialEq, Eq)]
enum EdgeArrow {
    Forward,
    Back,
    /// `both` and `none`: an edge without direction.
    Undirected,
}

/// An end of an edge statement.
enum EdgeEnd {
    Node(u32),
    Subgraph(usize),
}

/// The attributes of a list that are used.
#[derive(Default)]
struct Attributes<'t> {
    /// Whether there are attributes that the reader does not use.
    others: bool,
    /// The byte at which the value of the last `pos` starts, and the value.
    position: Option<(usize, Cow<'t, str>)>,
    /// The byte at which the value of the last `weight` starts, and the value.
    weight: Option<(usize, Cow<'t, str>)>,
    /// The byte at which the value of the last `dir` starts, and the value.
    arrow: Option<(usize, Cow<'t, str>)>,
}

/// Parses a position: two coordinates, optionally a third, optionally a `!`.
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

impl<'t> DotParser<'t> {
    fn graph(&mut self) -> Result<(), ReadError> {
        const FORM: &str = "[strict] graph|digraph [name] { statements }";
        self.is_strict = self.take_keyword("strict")?;
        if self.take_keyword("digraph")? {
            self.edge = "->";
        } else if !self.take_keyword("graph")? {
            return Err(self.unexpected(FORM));
        }
        if let TokenKind::Id(_) = self.next.kind {
            self.id()?;
        }
        if self.next.kind != TokenKind::Sign("{") {
            return Err(self.unexpected(FORM));
        }
        self.statements()?;
        if self.next.kind != TokenKind::End {
            return Err(self.error("text after the graph", "one graph per file"));
        }
        if self.names.is_empty() {
            return Err(self.error("a graph without nodes", "at least one node"));
        }
        Ok(())
    }

    /// Reads `{ statements }` of the subgraph `within`.
    fn statements(&mut self) -> Result<(), ReadError> {
        if self.depth > DOT_NESTING_MAX {
            return Err(self.error("subgraphs nested too deep", format!("up to {DOT_NESTING_MAX} levels")));
        }
        self.depth += 1;
        // The defaults that `edge [weight=…, dir=…]` sets end with the subgraph.
        let (weight, arrow) = (self.weight, self.arrow);
        self.expect("{")?;
        while !self.take("}")? {
            if !self.take(";")? {
                self.statement()?;
            }
        }
        (self.weight, self.arrow) = (weight, arrow);
        self.depth -= 1;
        Ok(())
    }

    fn statement(&mut self) -> Result<(), ReadError> {
        let first = match &self.next.kind {
            &TokenKind::Keyword(what @ ("graph" | "node" | "edge")) => {
                self.advance()?;
                if self.next.kind != TokenKind::Sign("[") {
                    return Err(self.unexpected("`[` and attributes"));
                }
                let attributes = self.attributes()?;
                if what == "edge" {
                    self.weight = self.weight_of(&attributes)?.or(self.weight);
                    self.arrow = self.arrow_of(&attributes)?.or(self.arrow);
                }
                return Ok(());
            }
            TokenKind::Id(_) => {
                let at = self.next.at;
                let id = self.id()?;
                if self.take("=")? {
                    self.id()?;
                    return Ok(());
                }
                EdgeEnd::Node(self.node(at, id)?)
            }
            _ => self.end()?,
        };
        let mut ends = vec![first];
        while matches!(self.next.kind, TokenKind::Sign("--" | "->")) {
            if !self.take(self.edge)? {
                let accepted = format!("`{}`: `--` in a graph, `->` in a digraph", self.edge);
                return Err(self.error("the edge sign of the other kind of graph", accepted));
            }
            ends.push(self.end()?);
        }
        let attributes = self.attributes()?;
        if let [EdgeEnd::Node(node)] = ends[..]
            && let Some((at, position)) = attributes.position
        {
            let accepted = format!("`pos=\"X,Y\"`, each {COORDINATE}");
            let place =
                position_of(&position).ok_or_else(|| self.tokens.error(at, "not a position", accepted))?;
            if self.positions.insert(node, place).is_some() {
                return Err(self.tokens.error(at, "a second position of a node", "one position per node"));
            }
        } else if ends.len() > 1 {
            self.ignores_attributes |=
                attributes.others || (attributes.weight.is_some() && self.weights.is_none());
            let own = self.weight_of(&attributes)?;
            self.has_weights |= own.or(self.weight).is_some();
            let weight = own.or(self.weight).unwrap_or(1.0);
            let (first, arrow) = (self.pairs.len(), self.arrow_of(&attributes)?.or(self.arrow));
            // Edges are added after the statement is read, because only then does a subgraph have all its nodes.
            for pair in ends.windows(2) {
                self.connect(&pair[0], &pair[1], weight)?;
            }
            if arrow.is_some() {
                self.arrows.resize(first, None);
                self.arrows.resize(self.pairs.len(), arrow);
            }
        }
        Ok(())
    }

    /// The weight among attributes, if weights were requested.
    fn weight_of(&self, attributes: &Attributes<'t>) -> Result<Option<f64>, ReadError> {
        let Some((at, field)) = attributes.weight.as_ref().filter(|_| self.weights.is_some()) else {
            return Ok(None);
        };
        let weight = text::weight(field.trim());
        weight.map(Some).ok_or_else(|| self.tokens.error(*at, "not a weight", WEIGHT))
    }

    /// The direction that `dir` gives among attributes.
    fn arrow_of(&self, attributes: &Attributes<'t>) -> Result<Option<EdgeArrow>, ReadError> {
        let Some((at, word)) = &attributes.arrow else { return Ok(None) };
        Ok(Some(match &**word {
            "forward" => EdgeArrow::Forward,
            "back" => EdgeArrow::Back,
            "both" | "none" => EdgeArrow::Undirected,
            // An empty `dir` counts as absent.
            "" => return Ok(None),
            _ => return Err(self.tokens.error(*at, "not a direction", "forward, back, both or none")),
        }))
    }

    /// Swaps the ends of edges that lead from second to first end. Returns the directions; if they are mixed, also
    /// whether each edge has one.
    fn turn(&mut self) -> (EdgeDirections, Vec<bool>) {
        let is_digraph = self.edge == "->";
        let unless_written = if is_digraph { EdgeArrow::Forward } else { EdgeArrow::Undirected };
        if self.arrows.is_empty() {
            let directions = if is_digraph { EdgeDirections::Declared } else { EdgeDirections::Undirected };
            return (directions, Vec::new());
        }
        self.arrows.resize(self.pairs.len(), None);
        let mut has_direction = Vec::with_capacity(self.pairs.len());
        for (pair, arrow) in self.pairs.iter_mut().zip(&self.arrows) {
            let arrow = arrow.unwrap_or(unless_written);
            if arrow == EdgeArrow::Back {
                *pair = (pair.1, pair.0);
            }
            has_direction.push(arrow != EdgeArrow::Undirected);
        }
        match EdgeDirections::of_each(&has_direction) {
            EdgeDirections::Mixed => (EdgeDirections::Mixed, has_direction),
            alike => (alike, Vec::new()),
        }
    }

    /// Reads an end of an edge: a node or a subgraph.
    fn end(&mut self) -> Result<EdgeEnd, ReadError> {
        match &self.next.kind {
            TokenKind::Id(_) => {
                let at = self.next.at;
                let id = self.id()?;
                Ok(EdgeEnd::Node(self.node(at, id)?))
            }
            TokenKind::Keyword("subgraph") => {
                self.advance()?;
                let id = if let TokenKind::Id(_) = self.next.kind { Some(self.id()?) } else { None };
                self.subgraph(id)
            }
            TokenKind::Sign("{") => self.subgraph(None),
            _ => Err(self.unexpected("a node, an edge, an attribute, a subgraph or `}`")),
        }
    }

    /// Reads a subgraph from its brace on: the one of this name in the surrounding subgraph, or a new one.
    fn subgraph(&mut self, id: Option<Id<'t>>) -> Result<EdgeEnd, ReadError> {
        let (around, next) = (self.within, self.subgraphs.len());
        let number = match id {
            Some(id) => *self.subgraphs[around].named.entry(id).or_insert(next),
            None => next,
        };
        if number == next {
            self.subgraphs.push(Subgraph::default());
        }
        self.within = number;
        self.statements()?;
        self.within = around;
        let nodes = std::mem::take(&mut self.subgraphs[number].nodes);
        self.subgraphs[around].nodes.extend(&nodes);
        self.subgraphs[number].nodes = nodes;
        Ok(EdgeEnd::Subgraph(number))
    }

    fn connect(&mut self, end: &EdgeEnd, other: &EdgeEnd, weight: f64) -> Result<(), ReadError> {
        let nodes = |end: &EdgeEnd| match *end {
            EdgeEnd::Node(node) => vec![node],
            EdgeEnd::Subgraph(number) => self.subgraphs[number].nodes.iter().copied().collect(),
        };
        let (ends, others) = (nodes(end), nodes(other));
        let total = self.pairs.len() as u128 + ends.len() as u128 * others.len() as u128;
        if total > u128::from(EDGES_MAX) {
            return Err(self.error(format!("{total} edges"), format!("up to {EDGES_MAX} edges")));
        }
        for &u in &ends {
            self.pairs.extend(others.iter().map(|&v| (u, v)));
        }
        if let Some(weights) = &mut self.weights {
            weights.resize(self.pairs.len(), weight);
        }
        Ok(())
    }

    /// Keeps one of several edges between two nodes, at the position of the first and with the weight of the last.
    fn keep_last(&mut self) {
        let mut kept: BTreeMap<(u32, u32), usize> = BTreeMap::new();
        let (mut pairs, mut weights, mut arrows) = (Vec::new(), Vec::new(), Vec::new());
        for (edge, &(u, v)) in self.pairs.iter().enumerate() {
            let key = if self.edge == "->" { (u, v) } else { (u.min(v), u.max(v)) };
            let place = *kept.entry(key).or_insert(pairs.len());
            if place == pairs.len() {
                pairs.push((u, v));
                weights.push(1.0);
                arrows.push(None);
            }
            if let Some(all) = &self.weights {
                weights[place] = all[edge];
            }
            // In an undirected graph the last one may be written from its other end.
            let arrow = self.arrows.get(edge).copied().flatten();
            if arrow.is_some() {
                (arrows[place], pairs[place]) = (arrow, (u, v));
            }
        }
        self.pairs = pairs;
        self.arrows = if self.arrows.is_empty() { Vec::new() } else { arrows };
        self.weights = self.weights.is_some().then_some(weights);
    }

    /// Numbers nodes by their names. If an HTML string and a quoted string have the same text, the quoted one keeps
    /// its quotes in its label.
    fn number(&self, names: &Names<'_>, file: &str) -> Result<NumberedNodes, ReadError> {
        let html = |id: &Id<'t>| Id { is_html: true, ..id.clone() };
        if !self.names.iter().any(|id| !id.is_html && self.numbers.contains_key(&html(id))) {
            return names.number(file);
        }
        let mut nodes: Vec<u32> = (0..self.names.len() as u32).collect();
        nodes.sort_by_key(|&node| &self.names[node as usize]);
        let label = |&node: &u32| {
            let id = &self.names[node as usize];
            let is_taken = !id.is_html && self.numbers.contains_key(&html(id));
            if is_taken { format!("\"{}\"", id.text) } else { id.text.clone().into_owned() }
        };
        let labels = Some(NodeLabels::Names(nodes.iter().map(label).collect()));
        let mut numbers = vec![0; nodes.len()];
        nodes.iter().zip(0..).for_each(|(&node, number)| numbers[node as usize] = number);
        Ok(NumberedNodes { nodes: numbers, labels, count: nodes.len() as u32 })
    }

    /// The node of the name that starts at `at`, after its port if it has one.
    fn node(&mut self, at: usize, name: Id<'t>) -> Result<u32, ReadError> {
        for _ in 0..2 {
            if self.take(":")? {
                self.id()?;
            }
        }
        let next = self.names.len() as u32;
        let (names, first_at) = (&mut self.names, &mut self.first_at);
        let node = *self.numbers.entry(name).or_insert_with_key(|name| {
            names.push(name.clone());
            first_at.push(at);
            next
        });
        self.subgraphs[self.within].nodes.insert(node);
        Ok(node)
    }

    /// Reads any number of attribute lists.
    fn attributes(&mut self) -> Result<Attributes<'t>, ReadError> {
        let mut attributes = Attributes::default();
        while self.take("[")? {
            while !self.take("]")? {
                let key = self.id()?.text;
                attributes.others |= key != "weight" && key != "dir";
                if self.take("=")? {
                    let at = self.next.at;
                    let value = self.id()?.text;
                    match &*key {
                        "pos" => attributes.position = Some((at, value)),
                        "weight" => attributes.weight = Some((at, value)),
                        "dir" => attributes.arrow = Some((at, value)),
                        _ => {}
                    }
                }
                if !self.take(",")? {
                    self.take(";")?;
                }
            }
        }
        Ok(attributes)
    }

    /// Reads a name, or strings joined by `+`.
    fn id(&mut self) -> Result<Id<'t>, ReadError> {
        let TokenKind::Id(_) = self.next.kind else {
            return Err(self.unexpected("a name, a number or a string"));
        };
        let TokenKind::Id(mut id) = self.advance()? else { unreachable!("the token was looked at") };
        while self.take("+")? {
            match self.advance()? {
                TokenKind::Id(more) => id.text += more.text,
                _ => return Err(self.error("`+` without a string after it", "a string")),
            }
        }
        Ok(id)
    }

    fn advance(&mut self) -> Result<TokenKind<'t>, ReadError> {
        let next = self.tokens.next()?;
        Ok(std::mem::replace(&mut self.next, next).kind)
    }

    fn take(&mut self, sign: &'static str) -> Result<bool, ReadError> {
        let there = self.next.kind == TokenKind::Sign(sign);
        if there {
            self.advance()?;
        }
        Ok(there)
    }

    fn take_keyword(&mut self, keyword: &'static str) -> Result<bool, ReadError> {
        let there = self.next.kind == TokenKind::Keyword(keyword);
        if there {
            self.advance()?;
        }
        Ok(there)
    }

    fn expect(&mut self, sign: &'static str) -> Result<(), ReadError> {
        if self.take(sign)? { Ok(()) } else { Err(self.unexpected(&format!("`{sign}`"))) }
    }

    fn unexpected(&self, accepted: &str) -> ReadError {
        let ends = self.next.kind == TokenKind::End;
        self.error(if ends { "the file ends inside the graph" } else { "not expected here in DOT" }, accepted)
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
                repeated_pairs: 1,
                was_directed: true,
                ignored: Some("attributes of edges"),
                ..ReadNotes::default()
            }
        );
    }

    /// The edges of a list by the names of their nodes, with their weights.
    fn arcs(text: &str, has_weights: bool) -> Vec<(String, String, u64)> {
        let listed = list(text, "f", has_weights).unwrap();
        let arcs = listed.arcs(true);
        let graph = listed.simple("f").unwrap().graph;
        arcs.into_iter().map(|([u, v], weight)| (graph.label(u), graph.label(v), weight)).collect()
    }

    fn listed(arcs: &[(&str, &str, u64)]) -> Vec<(String, String, u64)> {
        arcs.iter().map(|&(u, v, weight)| (u.to_owned(), v.to_owned(), weight)).collect()
    }

    #[test]
    fn edges_are_kept_as_written() {
        let text = "digraph { 1 -> 0 -> 1; 1 -> 0 [weight=3]; 0 -> 0 }";
        assert_eq!(arcs(text, false), listed(&[("1", "0", 1), ("0", "1", 1), ("1", "0", 1)]));
        assert_eq!(arcs(text, true), listed(&[("1", "0", 1), ("0", "1", 1), ("1", "0", 3)]));
        let strict = text.replace("digraph", "strict digraph");
        assert_eq!(arcs(&strict, true), listed(&[("1", "0", 3), ("0", "1", 1)]));
        assert_eq!(arcs("digraph { {a b} -> c -> {d a} }", false), {
            listed(&[("a", "c", 1), ("b", "c", 1), ("c", "a", 1), ("c", "d", 1)])
        });
        assert_eq!(arcs("graph { b -- a }", false), listed(&[("b", "a", 1), ("a", "b", 1)]));
        let scoped = "digraph { edge [weight=2] a -> b; subgraph { edge [weight=\"7\"] b -> c -> d [weight=5]; c -> a } a -> d }";
        assert_eq!(arcs(scoped, true), {
            listed(&[("a", "b", 2), ("b", "c", 5), ("c", "d", 5), ("c", "a", 7), ("a", "d", 2)])
        });
        let error = list("digraph { a -> b }", "f", true).unwrap_err();
        assert_eq!(error.problem(), "no edge has a weight");
        let error = list("digraph { a -> b [weight=-1] }", "f", true).unwrap_err();
        assert_eq!(error.to_string(), "f:1:26: not a weight: `-1] }`; accepted: a number from 0 to 1e18");
    }

    #[test]
    fn subgraphs_of_one_name_in_one_parent_are_one() {
        assert_eq!(edges("graph { subgraph A {a b}; subgraph A {} -- d }"), named(&[("a", "d"), ("b", "d")]));
        assert_eq!(
            edges("graph { subgraph A {a} subgraph \"A\" {b} -- d }"),
            named(&[("a", "d"), ("b", "d")])
        );
        assert_eq!(edges("graph { subgraph {a} -- subgraph A {b} -- d; subgraph {} -- d }"), {
            named(&[("a", "b"), ("b", "d")])
        });
        // Graphviz looks up a name in the surrounding subgraph.
        assert_eq!(edges("graph { subgraph A {a b}; subgraph B { subgraph A {} -- d } }"), []);
        assert_eq!(edges("graph { subgraph A { subgraph B {a} } subgraph A {} -- d }"), named(&[("a", "d")]));
        assert_eq!(
            edges("graph { subgraph A { a -- b } -- d }"),
            named(&[("a", "b"), ("a", "d"), ("b", "d")])
        );
    }

    #[test]
    fn html_strings_and_quoted_strings_are_other_nodes() {
        let names = |text| {
            let graph = parse(text, "f").unwrap().graph;
            (0..graph.nodes()).map(|node| graph.label(node)).collect::<Vec<_>>()
        };
        assert_eq!(names("graph { <x> -- \"x\"; x }"), ["<x>", "x"]);
        assert_eq!(names("graph { <x> -- \"<x>\" -- x }"), ["\"<x>\"", "<x>", "x"]);
        assert_eq!(names("graph { \"<x>\" -- y }"), ["<x>", "y"]);
        assert_eq!(names("graph { 1 -- \"1\" -- 01 -- 1.0 }"), ["01", "1", "1.0"]);
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
            ("a -- b", "f:1:1: not expected here in DOT: `a -- b`; accepted: [strict] graph|digraph [name]"),
            ("graph {}", "f:1:9: a graph without nodes"),
            ("graph { a --", "f:1:13: the file ends inside the graph; accepted: a node"),
            (
                "graph { a\n-> b }",
                "f:2:1: the edge sign of the other kind of graph: `-> b }`; accepted: `--`",
            ),
            ("digraph { a -- b }", "f:1:13: the edge sign of the other kind of graph"),
            ("graph { a } graph { b }", "f:1:13: text after the graph"),
            ("graph { a [b=] }", "f:1:14: not expected here in DOT: `] }`; accepted: a name"),
            ("graph { node }", "f:1:14: not expected here in DOT: `}`; accepted: `[` and attributes"),
            ("graph { a + }", "f:1:14: `+` without a string"),
            ("graph { = }", "f:1:9: not expected here in DOT"),
            ("graph { subgraph s }", "f:1:20: not expected here in DOT: `}`; accepted: `{`"),
            (&deep, "f:1:73: subgraphs nested too deep"),
            (
                "graph { a [pos=\"1,inf\"] }",
                "f:1:16: not a position: `\"1,inf\"] }`; accepted: `pos=\"X,Y\"`, each a number from -1e9 to 1e9",
            ),
            ("graph { a [pos=\"1\"] }", "f:1:16: not a position"),
            ("graph { a [pos=\"1,2,3,4\"] }", "f:1:16: not a position"),
            ("graph { a [pos=\"1,2\"]\na [pos=\"1,2\"] }", "f:2:8: a second position of a node"),
            (
                "graph { a [pos=\"1,2\"]\na -- b }",
                "f:2:6: a node without a position, although others have one: `b }`; accepted: a position of \
                 every node, or of none",
            ),
        ] {
            let error = parse(text, "f").unwrap_err().to_string();
            assert!(error.starts_with(message), "{error}\n{message}");
        }
        let allowed = format!("graph {{ {} a {} }}", "{".repeat(64), "}".repeat(64));
        assert_eq!(parse(&allowed, "f").unwrap().graph.nodes(), 1);
    }

    /// Regression: `dir` was one of the ignored attributes.
    #[test]
    fn dir_says_where_an_edge_leads() {
        let arcs = |text: &str| {
            let listed = list(text, "f", false).unwrap();
            let ends = listed.arcs(true).into_iter().map(|(ends, _)| ends).collect::<Vec<_>>();
            (ends, listed.directions(), listed.notes.ignored)
        };
        let all = "digraph { a -> b; a -> b [dir=forward]; a -> b [dir=\"back\"]; a -> c [dir=both]; b -> c [dir=none, color=red] }";
        let ends = vec![[0, 1], [0, 1], [1, 0], [0, 2], [2, 0], [1, 2], [2, 1]];
        assert_eq!(arcs(all), (ends, EdgeDirections::Mixed, Some("attributes of edges other than `dir`")));
        let scoped = "digraph { subgraph { edge [dir=back] a -> b -> c; a -> c [dir=\"\"] } a -> d }";
        assert_eq!(arcs(scoped), (vec![[1, 0], [2, 1], [2, 0], [0, 3]], EdgeDirections::Declared, None));
        let graph = "graph { a -- b [dir=back]; c -- a }";
        assert_eq!(arcs(graph), (vec![[1, 0], [2, 0], [0, 2]], EdgeDirections::Mixed, None));
        assert_eq!(arcs("digraph { edge [dir=none] a -> b }").1, EdgeDirections::Undirected);
        // In a strict graph a repeated edge replaces the earlier attributes.
        assert_eq!(arcs("strict graph { a -- b [dir=back]; b -- a }").0, [[1, 0]]);
        assert_eq!(
            arcs("strict digraph { a -> b [dir=none]; b -> a; a -> b [dir=back] }").0,
            [[1, 0], [1, 0]]
        );
        let error = list("digraph {\n a -> b [dir=up\n] }", "f", false).unwrap_err();
        assert_eq!(error.to_string(), "f:2:14: not a direction: `up`; accepted: forward, back, both or none");
        assert_eq!(
            parse(all, "f").unwrap().notes.sentences(),
            [
                "attributes of edges other than `dir` are ignored",
                "1 pair of nodes has several edges, which count once",
                "its directed edges are used in both directions"
            ]
        );
    }
}
