//! When a run ends, and what is looked at: `stop: […]`, `limits: (…)`, `observe: (…)`.

use std::fmt;

use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::quantity::Count;
use crate::predicate::Predicate;
use crate::text::decode::PREDICATE;

/// A condition that ends the run as done. The first that holds ends it.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
pub enum Stop {
    /// All nodes have the same output.
    OutputsAgree,
    /// All nodes have the same output, and so has every state that can still occur: decided by which states are present, where
    /// that decides it.
    OutputsStable,
    /// No interaction between any two of the present states changes anything.
    Silent,
    /// A predicate on the counts of states and outputs, such as `"A == 0 || B >= 2 * C"`.
    Counts(#[serde(deserialize_with = "predicate", serialize_with = "as_written")] Predicate),
    /// So many rounds.
    Rounds(Count),
    /// So many interactions.
    Interactions(Count),
    /// So many completed Locks, of all nodes together.
    Locks(Count),
    /// The contact trace or the mobility model is over.
    TraceEnd,
    /// What the protocol is for is reached, and stays: of protocols without a table that can tell. Looked at once in as many
    /// interactions as there are agents.
    Settled,
}

/// What a run may cost. Reaching a limit ends the run as unfinished.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// Rounds.
    pub rounds: Option<Count>,
    /// Steps: executed actions and changes of the topology.
    pub steps: Option<Count>,
    /// Interactions.
    pub interactions: Option<Count>,
}

/// What is recorded during the run.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Observe {
    /// How often the counts of all states are recorded; every round if not written, of uniform pairs once in parallel
    /// time 1 (of 100 000 agents and more ten times).
    pub counts_every: Option<Every>,
    /// Whether plots have the limit of many agents beside the counts: of uniform pairs on the complete graph, without faults.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub mean_field: bool,
}

/// A distance between two samples.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
pub enum Every {
    /// So many rounds.
    Rounds(Count),
    /// So many steps.
    Steps(Count),
    /// So many interactions.
    Interactions(Count),
}

pub(crate) fn predicate<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Predicate, D::Error> {
    deserializer.deserialize_newtype_struct(PREDICATE, PredicateVisitor)
}

pub(crate) fn as_written<S: Serializer>(predicate: &Predicate, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(predicate)
}

struct PredicateVisitor;

impl Visitor<'_> for PredicateVisitor {
    type Value = Predicate;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a predicate on counts")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Predicate, E> {
        Predicate::parse(text).map_err(E::custom)
    }
}
