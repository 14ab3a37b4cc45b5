//! One moment of a run.

use std::collections::{BTreeMap, BTreeSet};

/// What a column says of a node.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Value {
    /// A class, by its position among those of the column.
    Class(u32),
    /// A number within ±2^52.
    Number(i64),
    /// A node, or none.
    Node(Option<u32>),
    /// A text.
    Word(Box<str>),
}

impl Value {
    /// A text.
    #[must_use]
    pub fn word(text: impl Into<String>) -> Self {
        Self::Word(text.into().into_boxed_str())
    }
}

/// A message under way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Message {
    /// The sender.
    pub from: u32,
    /// The receiver.
    pub to: u32,
    /// Its kind, by its position among those of the head.
    pub kind: u32,
}

/// Everything that a film shows of one moment.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Configuration {
    /// By column, then by node.
    pub columns: Vec<Vec<Value>>,
    /// The lower node first.
    pub edges: BTreeSet<(u32, u32)>,
    /// By their numbers.
    pub messages: BTreeMap<u64, Message>,
}
