//! Configurations as text and as JSON.

use std::fmt::Write as _;

use serde_json::{Map, Value as Json, json};

use super::configuration::{FrameConfiguration, NodeValue};
use super::head::{Head, NodeColumn};

impl NodeValue {
    /// The value as text: the name of a class, a number, or a word. The empty string for `Node(None)`.
    #[must_use]
    pub fn told(&self, column: &NodeColumn) -> String {
        match self {
            Self::Class(class) => column.values[*class as usize].clone(),
            Self::Number(number) => number.to_string(),
            Self::Node(node) => node.map_or_else(String::new, |node| node.to_string()),
            Self::Word(word) => word.to_string(),
        }
    }

    fn json(&self, column: &NodeColumn) -> Json {
        match self {
            Self::Class(_) | Self::Word(_) => self.told(column).into(),
            Self::Number(number) => (*number).into(),
            Self::Node(node) => (*node).into(),
        }
    }
}

impl FrameConfiguration {
    /// The configuration as one line of JSON:
    ///
    /// ```text
    /// {"step":7,"columns":{"state":["A",...],...},"edges":[[0,1],...],
    /// "messages":[{"from":0,"to":1,"kind":"ready"},...]}
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if the configuration does not belong to this head.
    #[must_use]
    pub fn to_json_line(&self, head: &Head, step: u64) -> String {
        let mut columns = Map::new();
        for (column, values) in head.columns.iter().zip(&self.columns) {
            let values: Vec<Json> = values.iter().map(|value| value.json(column)).collect();
            columns.insert(column.key.clone(), values.into());
        }
        let messages = self.messages.values();
        let messages: Vec<Json> = messages
            .map(|message| {
                let kind = &head.messages[message.kind as usize];
                json!({"from": message.from, "to": message.to, "kind": kind})
            })
            .collect();
        let edges: Vec<&(u32, u32)> = self.edges.iter().collect();
        let line = json!({"step": step, "columns": columns, "edges": edges, "messages": messages});
        crate::escape::json(format!("{line}\n"))
    }

    /// The configuration as text: a line for each node with its non-empty values, then edges and messages.
    ///
    /// # Panics
    ///
    /// Panics if the configuration does not belong to this head.
    #[must_use]
    pub fn to_text(&self, head: &Head, step: u64) -> String {
        let mut text = format!("{} {step}\n", head.time);
        for node in 0..head.nodes as usize {
            let _ = write!(text, "node {node}:");
            for (column, values) in head.columns.iter().zip(&self.columns) {
                let value = values[node].told(column).replace('\n', ", ");
                if !value.is_empty() {
                    let _ = write!(text, " {}={value};", column.key);
                }
            }
            text.push('\n');
        }
        let edges: Vec<String> = self.edges.iter().map(|(a, b)| format!("{a}-{b}")).collect();
        let _ = writeln!(text, "edges: {}", edges.join(" "));
        for message in self.messages.values() {
            let kind = &head.messages[message.kind as usize];
            let _ = writeln!(text, "in transit: {kind} from {} to {}", message.from, message.to);
        }
        text
    }
}
