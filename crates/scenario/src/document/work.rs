//! What the nodes do: `work: …`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::protocol::Protocol;
use super::quantity::{Count, NodeName, Probability, written_as_word_or_count};

/// What the nodes use the lock layer for.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub enum Work {
    /// A population protocol.
    Interactions {
        /// The transition function.
        protocol: Protocol,
        /// How a locked node interacts.
        #[serde(default)]
        way: Partners,
        /// The states at the start.
        initial: Initial,
    },
    /// Nodes lock and unlock, and do nothing in between.
    Locks {
        /// How often each caller locks.
        each: Repeats,
        /// The nodes that call Lock, by name or from 0; all of them if not written.
        callers: Option<Vec<NodeName>>,
    },
    /// No node locks: only the topology changes.
    Idle,
}

/// With whom a locked node interacts: `way`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
pub enum Partners {
    /// Lock the closed neighbourhood, then interact with one of the locked neighbours, uniformly picked.
    #[default]
    AnyLocked,
    /// Pick a neighbour first and lock only the two.
    PickedPair,
    /// All locked nodes interact at once, as the protocol's group rule says.
    Group,
}

/// How often something happens: `Forever` or a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Repeats {
    /// Again and again.
    Forever,
    /// This many times.
    Times(u64),
}

written_as_word_or_count!(Repeats: Forever or Times from 0, "");

/// The states of the nodes at the start.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub enum Initial {
    /// The share of each state; the nodes that have it are drawn.
    Shares(BTreeMap<String, Probability>),
    /// How many nodes have each state; which ones is drawn. With a second value, written `rest: "F"`, all others have that state: then
    /// the start fits any number of nodes.
    Counts(
        BTreeMap<String, Count>,
        #[serde(default, skip_serializing_if = "Option::is_none")] Option<String>,
    ),
    /// Every node has this state.
    All(String),
    /// Nodes by number.
    Nodes {
        /// For each state the nodes, by name or from 0, that have it.
        states: BTreeMap<String, Vec<NodeName>>,
        /// The state of all others.
        rest: String,
    },
}
