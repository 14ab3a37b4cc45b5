//! Stop conditions, limits and recorded data: `stop: […]`, `limits: (…)`, `observe: (…)`.

use std::fmt;

use serde::de::value::EnumAccessDeserializer;
use serde::de::{self, EnumAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::catalogue_ref::CatalogueRef;
use super::quantity::Count;
use crate::predicate::Predicate;
use crate::text::decode::{OPEN, PREDICATE};

/// A condition that ends the run as done. The run ends when the first of its conditions holds.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
pub enum Stop {
    /// All nodes have the same output.
    OutputsAgree,
    /// All nodes have the same output, and no interaction can change it. Decided from the set of states that are
    /// present, if that is sufficient.
    OutputsStable,
    /// No interaction between any two of the present states changes anything.
    Silent,
    /// A predicate on the counts of states and outputs, such as `"A == 0 || B >= 2 * C"`.
    Counts(#[serde(deserialize_with = "predicate", serialize_with = "as_written")] Predicate),
    /// This number of rounds has passed.
    Rounds(Count),
    /// This number of interactions has happened.
    Interactions(Count),
    /// All nodes together have completed this number of Locks.
    Locks(Count),
    /// The contact trace or the mobility model has ended.
    TraceEnd,
    /// The protocol has reached its goal permanently. Only protocols without a table that can decide this support the
    /// condition. The condition is tested once every n interactions of n agents.
    Settled,
}

impl Stop {
    /// The names of all conditions of the file format, which the catalogue does not contain.
    pub const NAMES: &'static [&'static str] = &[
        "OutputsAgree",
        "OutputsStable",
        "Silent",
        "Counts",
        "Rounds",
        "Interactions",
        "Locks",
        "TraceEnd",
        "Settled",
    ];
}

/// One entry of `stop: […]`.
#[derive(Debug, Clone, PartialEq)]
pub enum StopSetting {
    /// A condition of the file format.
    Word(Stop),
    /// A condition of the catalogue. Every other name is accepted when a file is read, because only the plan has the
    /// catalogue.
    Entry(CatalogueRef),
}

impl Serialize for StopSetting {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Word(stop) => stop.serialize(serializer),
            Self::Entry(entry) => entry.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for StopSetting {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct WordOrEntry;
        impl<'de> Visitor<'de> for WordOrEntry {
            type Value = StopSetting;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a stop condition")
            }

            fn visit_enum<A: EnumAccess<'de>>(self, access: A) -> Result<StopSetting, A::Error> {
                Stop::deserialize(EnumAccessDeserializer::new(access)).map(StopSetting::Word)
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<StopSetting, E> {
                Ok(StopSetting::Entry(CatalogueRef::unwritten(text)))
            }
        }
        deserializer.deserialize_enum(OPEN, Stop::NAMES, WordOrEntry)
    }
}

/// Limits of a run. A run that reaches one ends as unfinished.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
#[serde(rename = "Limits")]
pub struct RunLimits {
    /// The maximum number of rounds.
    pub rounds: Option<Count>,
    /// The maximum number of steps: executed actions and changes of the graph.
    pub steps: Option<Count>,
    /// The maximum number of interactions.
    pub interactions: Option<Count>,
}

/// Data that is recorded during the run.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Observe {
    /// The distance between two samples of all counts: by default one round. For uniform pairs the default is a
    /// parallel time of 1, and of 0.1 for 100,000 or more agents.
    pub counts_every: Option<SampleInterval>,
    /// Whether plots show the mean-field limit next to the counts. Only for uniform pairs on the complete graph,
    /// without faults.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub mean_field: bool,
}

/// The distance between two samples.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
pub enum SampleInterval {
    /// A number of rounds.
    Rounds(Count),
    /// A number of steps.
    Steps(Count),
    /// A number of interactions.
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
