//! The work of the nodes: `work: …`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::protocol::ProtocolSource;
use super::quantity::{Count, NodeName, Probability, written_as_word_or_count};

/// The work of the nodes: their use of the lock layer.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub enum Work {
    /// A population protocol.
    Interactions {
        /// The transition function.
        protocol: ProtocolSource,
        /// The way in which a locked node chooses its partners.
        #[serde(default)]
        way: Partners,
        /// The initial states.
        initial: Initial,
    },
    /// Nodes lock and unlock, and do nothing in between.
    Locks {
        /// The number of Locks that each caller completes.
        each: Repeats,
        /// The nodes that call Lock, by name or by number from 0; all nodes by default.
        callers: Option<Vec<NodeName>>,
    },
    /// No node calls Lock: only the topology changes.
    Idle,
}

/// The partners of a locked node: `way`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
pub enum Partners {
    /// Lock the closed neighbourhood, then interact with a locked neighbour, drawn uniformly.
    #[default]
    AnyLocked,
    /// Pick a neighbour first and lock only these two.
    PickedPair,
    /// All locked nodes interact at once, according to the protocol's group rule.
    Group,
}

/// A number of repetitions: `Forever` or a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Repeats {
    /// Without end.
    Forever,
    /// This number of times.
    Times(u64),
}

written_as_word_or_count!(Repeats: Forever or Times from 0, "");

/// The initial states of the nodes.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub enum Initial {
    /// The fraction of the nodes in each state; the nodes of each state are drawn at random.
    Shares(BTreeMap<String, Probability>),
    /// The number of nodes in each state; the nodes of each state are drawn at random. A second value, written `rest:
    /// "F"`, is the state of all other nodes; the start then fits any number of nodes.
    Counts(
        BTreeMap<String, Count>,
        #[serde(default, skip_serializing_if = "Option::is_none")] Option<String>,
    ),
    /// All nodes are in this state.
    All(String),
    /// The nodes of each state as lists, and one state for all other nodes.
    Nodes {
        /// For each state, the nodes in it, by name or by number from 0.
        states: BTreeMap<String, Vec<NodeName>>,
        /// The state of all other nodes.
        rest: String,
    },
}
