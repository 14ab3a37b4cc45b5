//! Nodes as a scenario names them: by their names in the file of the graph, else by their numbers from 0.
//!
//! Where all names in the file are words, a number is also understood as that of a node: no node is called so.

use std::collections::BTreeMap;

use acrasin_graphs::Labels;

use crate::document::quantity::NodeName;
use crate::text::failure::quoted;
use crate::{Document, DocumentError};

/// Names that an error lists.
const SHOWN: usize = 6;

/// The nodes of a graph by their names.
pub(super) struct NodeNames {
    nodes: u32,
    /// `None` if they are called by their numbers.
    by_name: Option<BTreeMap<String, u32>>,
    /// Whether a node of the file is called by a number.
    has_numbers: bool,
}

impl NodeNames {
    pub(super) fn new(nodes: u32, labels: Option<&Labels>) -> Self {
        let by_name = labels.map(Labels::by_name);
        let is_number = |name: &String| name.starts_with(|c: char| c.is_ascii_digit());
        let has_numbers = by_name.as_ref().is_some_and(|names| names.keys().any(is_number));
        Self { nodes, by_name, has_numbers }
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
        let Some(by_name) = &self.by_name else {
            return by_number().ok_or_else(|| {
                let shown =
                    written.number().map_or_else(|| quoted(written.text()), |number| number.to_string());
                let message = format!("there is no node {shown}");
                document.error(place, message).accepting(format!("0 to {}", self.nodes - 1))
            });
        };
        let as_number = || by_name.get(&written.number()?.to_string());
        let named = by_name.get(written.text()).or_else(as_number).copied();
        named.or_else(|| by_number().filter(|_| !self.has_numbers)).ok_or_else(|| {
            let message = format!("the file of the graph has no node {}", quoted(written.text()));
            let mut listed: Vec<String> = by_name.keys().take(SHOWN).map(|name| quoted(name)).collect();
            if by_name.len() > SHOWN {
                listed.push(format!("… ({} names)", by_name.len()));
            }
            let names = by_name.keys().map(String::as_str);
            let accepted = format!("a name of the file: {}", listed.join(", "));
            document.error(place, message).accepting(accepted).suggesting(written.text(), names)
        })
    }
}
