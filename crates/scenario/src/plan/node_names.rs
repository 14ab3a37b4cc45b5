//! Nodes as a scenario names them: by their names in the file of the graph, else by their numbers from 0.
//!
//! Where all names in the file are words, a number is also understood as that of a node: no node is called so.

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
    /// Made when the first name is looked for: most scenarios name no node.
    by_name: OnceCell<BTreeMap<String, u32>>,
}

impl<'g> NodeNames<'g> {
    pub(super) fn new(nodes: u32, labels: Option<&'g Labels>) -> Self {
        Self { nodes, labels, by_name: OnceCell::new() }
    }

    pub(super) fn nodes(&self) -> u32 {
        self.nodes
    }

    /// The number of the node that is written at a place of the scenario.
    pub(super) fn number(
        &self,
        document: &Document,
        place: &str,
        written: &NodeName,
    ) -> Result<u32, DocumentError> {
        let by_number =
            || written.number().filter(|&number| number < self.nodes.into()).map(|number| number as u32);
        let Some(labels) = self.labels else {
            return by_number().ok_or_else(|| {
                let shown =
                    written.number().map_or_else(|| quoted(written.text()), |number| number.to_string());
                let message = format!("there is no node {shown}");
                document.error(place, message).accepting(format!("0 to {}", self.nodes - 1))
            });
        };
        let named = || (0..self.nodes).map(|node| (labels.of(node), node)).collect();
        let by_name = self.by_name.get_or_init(named);
        let found = by_name.get(written.text()).or_else(|| by_name.get(&written.number()?.to_string()));
        let is_number = |name: &String| name.starts_with(|c: char| c.is_ascii_digit());
        let counted = || by_number().filter(|_| !by_name.keys().any(is_number));
        found.copied().or_else(counted).ok_or_else(|| {
            let message = format!("the file of the graph has no node {}", quoted(written.text()));
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
            error.suggesting(written.text(), by_name.keys().map(String::as_str))
        })
    }
}
