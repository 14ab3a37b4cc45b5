//! Nodes as a scenario names them: by their names in the file of the graph, else by their numbers from 0.
//!
//! Numbers of which none is a name in the file count its nodes from 0, in the order of names. A list in which some are names and some
//! are not is refused.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use acrasin_graphs::Labels;

use crate::document::quantity::NodeName;
use crate::text::failure::quoted;
use crate::{Document, DocumentError};

/// Names that an error lists.
const SHOWN: u32 = 6;
/// Names among which an error looks for the one that was meant.
const COMPARED: u32 = 10_000;

/// The nodes of a graph by their names.
pub(super) struct NodeNames<'g> {
    nodes: u32,
    /// `None` if they are called by their numbers.
    labels: Option<&'g Labels>,
    note: OnceCell<String>,
}

impl<'g> NodeNames<'g> {
    pub(super) fn new(nodes: u32, labels: Option<&'g Labels>) -> Self {
        Self { nodes, labels, note: OnceCell::new() }
    }

    pub(super) fn nodes(&self) -> u32 {
        self.nodes
    }

    /// What the user should know of the numbers that were asked for.
    pub(super) fn note(&self) -> Option<String> {
        self.note.get().cloned()
    }

    /// The numbers of the nodes that are written at places of the scenario.
    pub(super) fn numbers(
        &self,
        document: &Document,
        written: &[(String, &NodeName)],
    ) -> Result<Vec<u32>, DocumentError> {
        let by_number = |name: &NodeName| {
            let number = name.number().filter(|&number| number < self.nodes.into());
            number.map(|number| number as u32)
        };
        let Some(labels) = self.labels.filter(|_| !written.is_empty()) else {
            let number = |(place, name): &(String, &NodeName)| {
                by_number(name).ok_or_else(|| {
                    let shown =
                        name.number().map_or_else(|| quoted(name.text()), |number| number.to_string());
                    let message = format!("there is no node {shown}");
                    document.error(place, message).accepting(format!("0 to {}", self.nodes - 1))
                })
            };
            return written.iter().map(number).collect();
        };
        let by_name: BTreeMap<String, u32> = (0..self.nodes).map(|node| (labels.of(node), node)).collect();
        let named = |name: &NodeName| {
            let as_number = || by_name.get(&name.number()?.to_string());
            by_name.get(name.text()).or_else(as_number).copied()
        };
        let found: Vec<Option<u32>> = written.iter().map(|(_, name)| named(name)).collect();
        if found.iter().all(Option::is_none)
            && let Some(numbers) =
                written.iter().map(|(_, name)| by_number(name)).collect::<Option<Vec<u32>>>()
        {
            let is_within = |name: &String| name.parse().is_ok_and(|number: u32| number < self.nodes);
            if by_name.keys().any(is_within) {
                let number = numbers[0];
                let note = format!(
                    "the file of the graph has no node {number}: numbers of nodes count from 0, and {number} is the node that it calls {}",
                    quoted(&labels.of(number))
                );
                let _ = self.note.set(note);
            }
            return Ok(numbers);
        }
        let number = |((place, name), found): (&(String, &NodeName), Option<u32>)| {
            found.ok_or_else(|| {
                let message = format!("the file of the graph has no node {}", quoted(name.text()));
                let mut listed: Vec<String> =
                    (0..self.nodes.min(SHOWN)).map(|node| quoted(&labels.of(node))).collect();
                if self.nodes > SHOWN {
                    listed.push(format!("… ({} names)", self.nodes));
                }
                let accepted = format!("a name of the file: {}", listed.join(", "));
                let error = document.error(place, message).accepting(accepted);
                if self.nodes > COMPARED {
                    return error;
                }
                error.suggesting(name.text(), by_name.keys().map(String::as_str))
            })
        };
        written.iter().zip(found).map(number).collect()
    }
}
