//! The lock layer: `lock: (…)` and `ports: …`.

use serde::{Deserialize, Serialize};

use super::quantity::written_as_word_or_count;

/// How nodes lock their surroundings. Every field may be left out.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Lock {
    /// The mutual exclusion algorithm.
    #[serde(default)]
    pub algorithm: LockAlgorithm,
    /// The rules as published, or with the repairs.
    #[serde(default)]
    pub rules: LockRules,
    /// What a Lock locks.
    #[serde(default)]
    pub lock_set: LockSet,
    /// How a node's messages to itself travel.
    #[serde(default)]
    pub self_messages: SelfMessages,
    /// The number K of different priorities.
    #[serde(default)]
    pub priorities: Priorities,
}

/// A mutual exclusion algorithm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
pub enum LockAlgorithm {
    /// Local mutual exclusion of Daymude, Richa and Scheideler (SAND 2022).
    #[default]
    Local,
}

/// Which of the repairs R1, R2, R3 are in force.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub enum LockRules {
    /// All three.
    #[default]
    Repaired,
    /// None: the pseudo-code as printed, which can deadlock.
    Published,
    /// Each repair by itself.
    Mixed {
        /// R1: late applicants are answered at once.
        reject_late_requests: bool,
        /// R2: CleanUp is enabled whenever the disconnection detector has something to report.
        clean_up_always: bool,
        /// R3: an ignored call cleans up all the same.
        clean_up_ignored_calls: bool,
    },
}

/// What a Lock locks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
pub enum LockSet {
    /// What the work needs: the pair for `PickedPair`, the neighbourhood for everything else.
    #[default]
    Auto,
    /// The node and all its neighbours.
    Neighbourhood,
    /// The node and one neighbour, picked uniformly when the Lock is called.
    Pair,
}

/// How a node's messages to itself travel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
pub enum SelfMessages {
    /// As messages on port 0: the literal pseudo-code.
    #[default]
    Sent,
    /// Inside the sending action.
    InMemory,
}

/// The number K of different priorities: `Auto` or a number from 2.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Priorities {
    /// Δ² + 1.
    #[default]
    Auto,
    /// This many.
    Exactly(u64),
}

written_as_word_or_count!(Priorities: Auto or Exactly from 2, "with one priority two contenders tie for ever");

/// The number Δ of ports of every node: `Auto` or a number from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ports {
    /// The largest degree that occurs.
    #[default]
    Auto,
    /// This many. Where the graph needs more, a fixed graph is refused and a contact is not connected.
    Exactly(u64),
}

written_as_word_or_count!(Ports: Auto or Exactly from 1, "a node without ports has no neighbour");
