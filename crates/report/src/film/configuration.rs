//! [`FrameConfiguration`]: the state of a run in one frame.

use std::collections::{BTreeMap, BTreeSet};

/// The value of a node in a column.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum NodeValue {
    /// A class, as its index among those of the column.
    Class(u32),
    /// A number within ±2^52.
    Number(i64),
    /// The number of a node, or no node.
    Node(Option<u32>),
    /// A text.
    Word(Box<str>),
}

impl NodeValue {
    /// A text value.
    #[must_use]
    pub fn word(text: impl Into<String>) -> Self {
        Self::Word(text.into().into_boxed_str())
    }
}

/// A message in transit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Message {
    /// The number of the sending node.
    pub from: u32,
    /// The number of the receiving node.
    pub to: u32,
    /// The kind of the message, as an index into [`Head::messages`](super::Head::messages).
    pub kind: u32,
}

/// Everything that a film shows in one frame.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FrameConfiguration {
    /// The values by column, then by node.
    pub columns: Vec<Vec<NodeValue>>,
    /// The edges, lower node first.
    pub edges: BTreeSet<(u32, u32)>,
    /// The messages in transit by number.
    pub messages: BTreeMap<u64, Message>,
}
