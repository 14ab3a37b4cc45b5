//! [`ColumnColours`]: the colours that stand for values in a drawing.

use std::collections::{BTreeMap, BTreeSet};

use super::configuration::{FrameConfiguration, NodeValue};
use super::head::Head;

/// A column whose values are shown by colour: each class of values has one colour.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ColumnColours {
    column: Option<usize>,
    names: Vec<String>,
    /// For columns without classes, the class of each value that occurs.
    classes: BTreeMap<String, usize>,
}

impl ColumnColours {
    /// Colours by the column `key`, by default `state`. In a column of words, numbers or nodes, each value that occurs
    /// in these configurations becomes a class. A class has the same colour in all configurations.
    ///
    /// # Errors
    ///
    /// There is no such column: the message lists the available keys.
    pub fn new<'a>(
        head: &Head,
        key: Option<&str>,
        configurations: impl Iterator<Item = &'a FrameConfiguration>,
    ) -> Result<Self, String> {
        let column = match key {
            None => head.column("state"),
            Some(key) => Some(head.column(key).ok_or_else(|| {
                let keys: Vec<&str> = head.columns.iter().map(|column| column.key.as_str()).collect();
                keys.join(", ")
            })?),
        };
        let Some(place) = column else {
            return Ok(Self { column, names: Vec::new(), classes: BTreeMap::new() });
        };
        let of = &head.columns[place];
        if !of.values.is_empty() {
            return Ok(Self { column, names: of.values.clone(), classes: BTreeMap::new() });
        }
        let mut values: BTreeSet<(i64, String)> = BTreeSet::new();
        for configuration in configurations {
            for value in &configuration.columns[place] {
                // Numbers are sorted by size, words alphabetically.
                let order = match value {
                    NodeValue::Number(number) => *number,
                    NodeValue::Node(node) => node.map_or(-1, i64::from),
                    NodeValue::Class(_) | NodeValue::Word(_) => 0,
                };
                values.insert((order, value.told(of)));
            }
        }
        let names: Vec<String> = values.into_iter().map(|(_, value)| value).collect();
        let classes = names.iter().cloned().zip(0..).collect();
        Ok(Self { column, names, classes })
    }

    /// The names of the classes.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The class of a node; 0 if there is no column.
    #[must_use]
    pub fn class(&self, head: &Head, configuration: &FrameConfiguration, node: u32) -> usize {
        let Some(column) = self.column else { return 0 };
        match &configuration.columns[column][node as usize] {
            NodeValue::Class(class) => *class as usize,
            other => self.classes.get(&other.told(&head.columns[column])).copied().unwrap_or(0),
        }
    }
}
