//! The lock layer: `lock: (…)` and `ports: …`.

use serde::{Deserialize, Serialize};

use super::quantity::written_as_word_or_count;

/// The options of the lock layer. Every field is optional.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
#[serde(rename = "Lock")]
pub struct LockSettings {
    /// The mutual exclusion algorithm.
    #[serde(default)]
    pub algorithm: LockAlgorithm,
    /// The rules as published, or with the repairs.
    #[serde(default)]
    pub rules: LockRules,
    /// The nodes that a Lock locks.
    #[serde(default)]
    pub lock_set: LockSet,
    /// The transport of a node's messages to itself.
    #[serde(default)]
    pub self_messages: SelfMessageSetting,
    /// The number K of distinct priorities.
    #[serde(default)]
    pub priorities: PriorityCount,
}

/// A mutual exclusion algorithm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
pub enum LockAlgorithm {
    /// Local mutual exclusion of Daymude, Richa and Scheideler (SAND 2022).
    #[default]
    Local,
}

/// The repairs R1, R2 and R3 that are in force.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub enum LockRules {
    /// All three repairs.
    #[default]
    Repaired,
    /// No repair: the pseudo-code as printed, which can deadlock.
    Published,
    /// Each repair is switched on or off separately.
    Mixed {
        /// R1: a request that arrives after the competition has begun is rejected at once.
        reject_late_requests: bool,
        /// R2: CleanUp is enabled whenever the disconnection detector has something to report.
        clean_up_always: bool,
        /// R3: a call that is ignored still cleans up.
        clean_up_ignored_calls: bool,
    },
}

/// The nodes that a Lock locks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
pub enum LockSet {
    /// The smallest set that the work needs: the pair for `PickedPair`, otherwise the neighbourhood.
    #[default]
    Auto,
    /// The node and all its neighbours.
    Neighbourhood,
    /// The node and one neighbour, drawn uniformly when the Lock is called.
    Pair,
}

/// The transport of a node's messages to itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
pub enum SelfMessageSetting {
    /// As messages on port 0: the literal pseudo-code.
    #[default]
    Sent,
    /// Without messages, within the sending action.
    InMemory,
}

/// The number K of distinct priorities: `Auto` or a number from 2.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PriorityCount {
    /// Δ² + 1.
    #[default]
    Auto,
    /// Exactly this number.
    Exactly(u64),
}

written_as_word_or_count!(PriorityCount: Auto or Exactly from 2, "with only one priority two contenders tie forever");

/// The number Δ of ports of every node: `Auto` or a number from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PortCount {
    /// The largest degree that occurs.
    #[default]
    Auto,
    /// This number. If the graph needs more, a fixed graph is refused, and a contact of a changing graph is not
    /// connected.
    Exactly(u64),
}

written_as_word_or_count!(PortCount: Auto or Exactly from 1, "a node without ports cannot have neighbours");
