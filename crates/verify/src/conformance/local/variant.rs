//! The rule sets of scenarios.

use std::fmt;

use acrasin_runtime::exclusion::local::{Local, Rules, SelfMessages};
use serde::{Deserialize, Deserializer};

use super::one_of::OneOf;

/// The rule set of a scenario, and the treatment of a node's messages to itself.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RuleSetVariant {
    /// `repaired`: repairs R1 to R3, self-messages on port 0.
    Repaired,
    /// `repaired-mem`: repairs R1 to R3, self-messages inside the action.
    RepairedInMemory,
    /// `paper`: the published rules, self-messages on port 0.
    Paper,
}

impl<'de> Deserialize<'de> for RuleSetVariant {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let all =
            &[("repaired", Self::Repaired), ("repaired-mem", Self::RepairedInMemory), ("paper", Self::Paper)];
        deserializer.deserialize_str(OneOf(all))
    }
}

impl RuleSetVariant {
    /// The algorithm with Δ = `ports` and K = `priorities`; `None` if K is below 2.
    #[must_use]
    pub fn algorithm(self, ports: u16, priorities: u32) -> Option<Local> {
        let (rules, self_messages) = match self {
            Self::Repaired => (Rules::REPAIRED, SelfMessages::Sent),
            Self::RepairedInMemory => (Rules::REPAIRED, SelfMessages::InMemory),
            Self::Paper => (Rules::PUBLISHED, SelfMessages::Sent),
        };
        Local::new(ports).with_rules(rules).with_self_messages(self_messages).with_priorities(priorities)
    }

    /// Whether every promise of the lock layer must hold.
    pub(super) fn keeps_promises(self) -> bool {
        self != Self::Paper
    }
}

/// Writes the word used in the file.
impl fmt::Display for RuleSetVariant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Repaired => "repaired",
            Self::RepairedInMemory => "repaired-mem",
            Self::Paper => "paper",
        })
    }
}
