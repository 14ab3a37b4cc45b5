//! Node names in scenarios: the names in the graph file, or numbers from 0.
//!
//! This applies to initial states, callers, adversaries, trees, critical sections and files of bounds. If none of the
//! numbers in a list is a name in the file, they count the nodes from 0, in the order of names. A list that mixes names
//! and such numbers is refused.

use std::cell::RefCell;
use std::collections::BTreeMap;

use acrasin_catalogue::parameter::Values;
use acrasin_graphs::NodeLabels;

use crate::document::quantity::NodeName;
use crate::text::failure::quoted;
use crate::{Document, DocumentError};

/// The maximum number of names that an error lists.
const SHOWN: u32 = 6;
/// The maximum number of names that an error compares with a misspelt one.
const COMPARED: u32 = 10_000;

/// The nodes of a graph by their names.
#[derive(Debug)]
pub(crate) struct NodeNames<'g> {
    /// The number of nodes; `None` if the graph is not known yet.
    nodes: Option<u32>,
    /// The names of the nodes; `None` if nodes are called by their numbers.
    labels: Option<&'g NodeLabels>,
    notes: RefCell<Vec<String>>,
}

/// A node that the graph does not have.
pub(crate) struct NoSuchNode {
    /// The index of the node in the list of requested nodes.
    pub(crate) at: usize,
    pub(crate) message: String,
    pub(crate) accepted: String,
    /// Similar names, one of which may have been meant.
    similar: Vec<String>,
}

impl<'g> NodeNames<'g> {
    pub(crate) fn new(nodes: u32, labels: Option<&'g NodeLabels>) -> Self {
        Self { nodes: Some(nodes), labels, notes: RefCell::default() }
    }

    /// The nodes of a graph that is not known yet; they have no names.
    pub(crate) fn unknown() -> Self {
        Self { nodes: None, labels: None, notes: RefCell::default() }
    }

    /// The node labels of the graph file, if it has any.
    pub(crate) fn labels(&self) -> Option<&'g NodeLabels> {
        self.labels
    }

    /// Adds names to a sentence with node numbers, such as `node 3 and its father 5` or `nodes 1 and 2`. If the graph
    /// file has names, each number is followed by the node's name.
    pub(crate) fn in_words(&self, sentence: &str) -> String {
        match self.labels {
            Some(labels) => with_names(sentence, labels, self.nodes.unwrap_or(0)),
            None => sentence.to_owned(),
        }
    }

    /// The number of nodes.
    ///
    /// # Panics
    ///
    /// Panics if the graph is not known yet.
    pub(crate) fn nodes(&self) -> u32 {
        self.nodes.expect("the graph is known")
    }

    /// Notes for the user on how node numbers were interpreted.
    pub(crate) fn notes(&self) -> Vec<String> {
        self.notes.borrow().clone()
    }

    /// The numbers of the nodes that are written at these paths of the scenario.
    pub(crate) fn numbers<S>(
        &self,
        document: &Document<S>,
        written: &[(String, &NodeName)],
    ) -> Result<Vec<u32>, DocumentError> {
        let names: Vec<&NodeName> = written.iter().map(|(_, name)| *name).collect();
        let found = self.find(&names).and_then(|numbers| {
            let is_none = |&number: &u64| self.nodes.is_some_and(|nodes| number >= nodes.into());
            match numbers.iter().position(is_none) {
                Some(at) => Err(self.no_such_number(at, &numbers[at].to_string())),
                None => Ok(numbers.into_iter().map(|number| number as u32).collect()),
            }
        });
        found.map_err(|none| none.refused(document, &written[none.at].0, names[none.at].text()))
    }

    /// The parameters of the entry at `path`, with numbers in place of names. If nodes have no names, numbers are not
    /// compared with the size of the graph; the entry does this.
    pub(crate) fn of_values<S>(
        &self,
        document: &Document<S>,
        path: &str,
        values: &Values,
    ) -> Result<Values, DocumentError> {
        let names: Vec<NodeName> = values.nodes().map(|(_, _, name)| NodeName::from(name)).collect();
        let numbers = self.find(&names.iter().collect::<Vec<_>>()).map_err(|none| {
            let (parameter, place, name) = values.nodes().nth(none.at).expect("it was asked for");
            let place = place.map_or_else(String::new, |place| format!("[{place}]"));
            none.refused(document, &format!("{path}.{parameter}{place}"), name)
        })?;
        Ok(values.clone().with_numbers(numbers))
    }

    /// The numbers of nodes by their names; if nodes have no names, the numbers as written.
    pub(crate) fn find(&self, written: &[&NodeName]) -> Result<Vec<u64>, NoSuchNode> {
        let Some(labels) = self.labels.filter(|_| !written.is_empty()) else {
            let number = |(at, name): (usize, &&NodeName)| {
                name.number().ok_or_else(|| self.no_such_number(at, &quoted(name.text())))
            };
            return written.iter().enumerate().map(number).collect();
        };
        let nodes = self.nodes();
        let by_name: BTreeMap<String, u32> = (0..nodes).map(|node| (labels.of(node), node)).collect();
        let named = |name: &NodeName| {
            let as_number = || by_name.get(&name.number()?.to_string());
            by_name.get(name.text()).or_else(as_number).map(|&node| u64::from(node))
        };
        let found: Vec<Option<u64>> = written.iter().map(|name| named(name)).collect();
        let by_number = |name: &&NodeName| name.number().filter(|&number| number < nodes.into());
        if found.iter().all(Option::is_none)
            && let Some(numbers) = written.iter().map(by_number).collect::<Option<Vec<u64>>>()
        {
            // If names in the file look like numbers, of any size, a node number is easily mistaken for one of them.
            if by_name.keys().any(|name| name.parse().is_ok_and(f64::is_finite)) {
                let number = numbers[0];
                let note = format!(
                    "the graph file has no node {number}: numbers of nodes count from 0, and {number} is \
                     the node with the name {}",
                    quoted(&labels.of(number as u32))
                );
                let mut notes = self.notes.borrow_mut();
                if !notes.contains(&note) {
                    notes.push(note);
                }
            }
            return Ok(numbers);
        }
        let number = |(at, found): (usize, Option<u64>)| {
            found.ok_or_else(|| {
                let mut listed: Vec<String> =
                    (0..nodes.min(SHOWN)).map(|node| quoted(&labels.of(node))).collect();
                if nodes > SHOWN {
                    listed.push(format!("… ({nodes} names)"));
                }
                NoSuchNode {
                    at,
                    message: format!("the graph file has no node {}", quoted(written[at].text())),
                    accepted: format!("a name in the graph file: {}", listed.join(", ")),
                    similar: if nodes > COMPARED { Vec::new() } else { by_name.keys().cloned().collect() },
                }
            })
        };
        found.into_iter().enumerate().map(number).collect()
    }

    fn no_such_number(&self, at: usize, shown: &str) -> NoSuchNode {
        let accepted = match self.nodes {
            Some(nodes) => format!("0 to {}", nodes - 1),
            None => "a number from 0".to_owned(),
        };
        NoSuchNode { at, message: format!("there is no node {shown}"), accepted, similar: Vec::new() }
    }
}

/// Words in runtime messages that are followed by a node number.
const BEFORE_NUMBERS: [&str; 6] = ["node", "nodes", "father", "root", "link", "leader"];

/// A sentence with names added after node numbers: the first number after one of [`BEFORE_NUMBERS`], and the second of
/// `nodes 1 and 2`.
fn with_names(sentence: &str, labels: &NodeLabels, nodes: u32) -> String {
    let mut words = Vec::new();
    let (mut before, mut is_list) = ("", false);
    for word in sentence.split(' ') {
        let end = word.trim_end_matches([',', ':', ';', '.', ')']).len();
        let (number, rest) = word.split_at(end);
        let is_number = number.bytes().all(|byte| byte.is_ascii_digit());
        let node = number.parse().ok().filter(|&node: &u32| is_number && node < nodes);
        let is_meant = BEFORE_NUMBERS.contains(&before) || is_list && before == "and";
        is_list = if is_meant { before == "nodes" } else { is_list && word == "and" };
        words.push(match node.filter(|_| is_meant) {
            Some(node) => format!("{node} ({} in its file){rest}", quoted(&labels.of(node))),
            None => word.to_owned(),
        });
        before = word;
    }
    words.join(" ")
}

impl NoSuchNode {
    fn refused<S>(&self, document: &Document<S>, place: &str, name: &str) -> DocumentError {
        let error = document.error(place, &*self.message).accepting(&*self.accepted);
        error.suggesting(name, self.similar.iter().map(String::as_str))
    }
}

#[cfg(test)]
mod tests {
    use acrasin_graphs::read;

    use super::NodeNames;

    #[test]
    fn names_stand_behind_the_numbers_of_nodes() {
        let graph = read::from_bytes(b"a b\nb hub\n", "g.edges", read::FileFormat::EdgeList).unwrap().graph;
        let names = NodeNames::new(3, graph.labels());
        for (sentence, expected) in [
            ("node 2, of whose 3", "node 2 (`hub` in its file), of whose 3"),
            (
                "node 0 and its father 1 are",
                "node 0 (`a` in its file) and its father 1 (`b` in its file) are",
            ),
            (
                "nodes 0 and 1 both hold node 2",
                "nodes 0 (`a` in its file) and 1 (`b` in its file) both hold node 2 (`hub` in its file)",
            ),
            (
                "node 7 and 2 bounds for 3 nodes: none for node 1",
                "node 7 and 2 bounds for 3 nodes: none for node 1 (`b` in its file)",
            ),
            ("bound of node 1 (accepted: 2)", "bound of node 1 (`b` in its file) (accepted: 2)"),
        ] {
            assert_eq!(names.in_words(sentence), expected);
            assert_eq!(NodeNames::new(3, None).in_words(sentence), sentence);
        }
    }
}
