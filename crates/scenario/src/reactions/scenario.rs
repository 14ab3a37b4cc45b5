//! All fields of a scenario of reactions.

use std::collections::BTreeMap;

use std::fmt;

use serde::de::{self, Deserializer, EnumAccess, MapAccess, SeqAccess, Unexpected, VariantAccess, Visitor};
use serde::ser::{SerializeTuple as _, Serializer};
use serde::{Deserialize, Serialize};

use crate::document::CatalogueRef;
use crate::document::edges::{EdgeWeights, Initiator};
use crate::document::quantity::{Count, Integer, NodeName, NonNegative, Positive, Real, Seed};
use crate::document::stop::{as_written, predicate};
use crate::predicate::Predicate;

/// A scenario of reactions as written. Its parts are not yet checked against each other.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ReactionScenario {
    /// A title of one line for the report.
    pub title: Option<String>,
    /// The seed of all random draws; if it is missing, one is drawn and printed.
    pub seed: Option<Seed>,
    /// The reaction network and its initial state.
    pub reactions: Reactions,
    /// The graph on whose nodes the reactions happen: a family of the catalogue or a file. Without this field molecules
    /// are well mixed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub topology: Option<CatalogueRef>,
    /// Conditions that end the run as done.
    #[serde(default)]
    pub stop: Vec<ReactionStop>,
    /// Limits that end the run as unfinished.
    #[serde(default)]
    pub limits: ReactionLimits,
    /// The data to record.
    #[serde(default)]
    pub observe: ReactionObserve,
}

/// The network and its initial state: `reactions: (…)`.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Reactions {
    /// The names of the species.
    pub species: Vec<String>,
    /// Reactions with their rates.
    pub rules: Vec<RatedRule>,
    /// Named numbers for use in rates.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub parameters: BTreeMap<String, Real>,
    /// The volume of the vessel; 1 by default.
    pub volume: Option<Positive>,
    /// The initial counts or states.
    #[serde(default)]
    pub initial: ReactionStart,
    /// On a graph, the state of the nodes that `initial` does not name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rest: Option<String>,
    /// On a graph, the weights of the edges: factors of the rates of pairs; 1 by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weights: Option<EdgeWeights>,
    /// On a graph, the end of an edge that is the first reactant; either end by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub direction: Option<Initiator>,
    /// Changes at given times.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<TimedChange>,
}

/// The initial state: `{"A": 10}`, or on a graph `Nodes(states: {"I": ["hub"]}, rest: "S")`.
#[derive(Debug, Clone, PartialEq)]
pub enum ReactionStart {
    /// The number of molecules or nodes of each species; 0 for species that are not named.
    Counts(BTreeMap<String, Count>),
    /// The nodes in each state, by name.
    Nodes(NamedStates),
}

/// The states of the nodes of a graph, by name.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct NamedStates {
    /// The nodes in each state, by name or by number from 0.
    pub states: BTreeMap<String, Vec<NodeName>>,
    /// The state of all other nodes.
    pub rest: String,
}

/// A reaction with its rate, `("A + B -> C", 1.0)`, or a reversible one with both, `("A + B <-> C", 1.0, 0.5)`.
#[derive(Debug, Clone, PartialEq)]
pub struct RatedRule {
    /// The reaction as text: `A + B -> C`, or `A + B <-> C` if it is reversible.
    pub text: String,
    /// The rate of the reaction.
    pub rate: RuleRate,
    /// The rate of the reverse reaction.
    pub reverse: Option<RuleRate>,
}

/// A rate: `1.0`, `"k * S / (K + S)"` or `MassAction("k * exp(-t)")`.
#[derive(Debug, Clone, PartialEq)]
pub enum RuleRate {
    /// The rate constant of mass action.
    Constant(f64),
    /// An expression for the propensity, that is the rate of all these reactions together.
    Propensity(String),
    /// An expression for the rate constant of mass action.
    MassAction(String),
}

/// A change of counts at a given time: `(at: 5.0, add: {"A": 10})`.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct TimedChange {
    /// The time of the change; at 0 it comes before everything else.
    pub at: NonNegative,
    /// The period after which the change repeats.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub every: Option<Positive>,
    /// The counts of these species after the change.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub set: BTreeMap<String, Count>,
    /// The numbers of molecules to add; negative numbers are removed.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub add: BTreeMap<String, Integer>,
    /// On a graph, the state that gives or takes the difference.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rest: Option<String>,
    /// On a graph, the nodes that have each state afterwards, by name or by number from 0.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub nodes: BTreeMap<String, Vec<NodeName>>,
}

impl Default for ReactionStart {
    fn default() -> Self {
        Self::Counts(BTreeMap::new())
    }
}

impl Serialize for ReactionStart {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Counts(counts) => counts.serialize(serializer),
            Self::Nodes(states) => serializer.serialize_newtype_variant("ReactionStart", 1, "Nodes", states),
        }
    }
}

impl<'de> Deserialize<'de> for ReactionStart {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(StartVisitor)
    }
}

struct StartVisitor;

impl<'de> Visitor<'de> for StartVisitor {
    type Value = ReactionStart;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map in braces: {...}, or on a graph Nodes(states: {...}, rest: \"...\")")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<ReactionStart, A::Error> {
        let mut counts = BTreeMap::new();
        while let Some((name, count)) = entries.next_entry()? {
            counts.insert(name, count);
        }
        Ok(ReactionStart::Counts(counts))
    }

    fn visit_enum<A: EnumAccess<'de>>(self, access: A) -> Result<ReactionStart, A::Error> {
        match access.variant::<String>()? {
            (word, variant) if word == "Nodes" => variant.newtype_variant().map(ReactionStart::Nodes),
            (word, _) => {
                let message = format!("unknown word {}", crate::text::failure::quoted(&word));
                Err(de::Error::invalid_value(Unexpected::Other(&message), &self))
            }
        }
    }
}

impl Serialize for RatedRule {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut tuple = serializer.serialize_tuple(2 + usize::from(self.reverse.is_some()))?;
        tuple.serialize_element(&self.text)?;
        tuple.serialize_element(&self.rate)?;
        if let Some(reverse) = &self.reverse {
            tuple.serialize_element(reverse)?;
        }
        tuple.end()
    }
}

impl<'de> Deserialize<'de> for RatedRule {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(RuleVisitor)
    }
}

struct RuleVisitor;

impl<'de> Visitor<'de> for RuleVisitor {
    type Value = RatedRule;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "a reaction with its rate, (\"A + B -> C\", 1.0), or with both rates, (\"A + B <-> C\", 1.0, 0.5)",
        )
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<RatedRule, A::Error> {
        let text = items.next_element()?.ok_or_else(|| de::Error::invalid_length(0, &self))?;
        let rate = items.next_element()?.ok_or_else(|| de::Error::invalid_length(1, &self))?;
        let reverse = items.next_element()?;
        if items.next_element::<de::IgnoredAny>()?.is_some() {
            return Err(de::Error::invalid_length(4, &self));
        }
        Ok(RatedRule { text, rate, reverse })
    }
}

impl Serialize for RuleRate {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Constant(rate) => serializer.serialize_f64(*rate),
            Self::Propensity(text) => serializer.serialize_str(text),
            Self::MassAction(text) => serializer.serialize_newtype_variant("RuleRate", 2, "MassAction", text),
        }
    }
}

impl<'de> Deserialize<'de> for RuleRate {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(RateVisitor)
    }
}

struct RateVisitor;

impl<'de> Visitor<'de> for RateVisitor {
    type Value = RuleRate;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "a finite number, 0 or above, an expression of the propensity in quotes, or MassAction(\"an expression\")",
        )
    }

    fn visit_f64<E: de::Error>(self, rate: f64) -> Result<RuleRate, E> {
        if (0.0..=f64::MAX).contains(&rate) {
            return Ok(RuleRate::Constant(rate));
        }
        Err(E::invalid_value(Unexpected::Other(&format!("`{rate}` is out of range")), &self))
    }

    fn visit_u64<E: de::Error>(self, rate: u64) -> Result<RuleRate, E> {
        self.visit_f64(rate as f64)
    }

    fn visit_i64<E: de::Error>(self, rate: i64) -> Result<RuleRate, E> {
        self.visit_f64(rate as f64)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<RuleRate, E> {
        Ok(RuleRate::Propensity(text.to_owned()))
    }

    fn visit_enum<A: EnumAccess<'de>>(self, access: A) -> Result<RuleRate, A::Error> {
        match access.variant::<String>()? {
            (word, variant) if word == "MassAction" => variant.newtype_variant().map(RuleRate::MassAction),
            (word, _) => {
                let message = format!("unknown word {}", crate::text::failure::quoted(&word));
                Err(de::Error::invalid_value(Unexpected::Other(&message), &self))
            }
        }
    }
}

/// A condition that ends the run as done. The run ends when the first of its conditions holds.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
pub enum ReactionStop {
    /// No reaction can happen any more.
    Silent,
    /// A predicate on the counts of species, such as `"A == 0 || B >= 2 * C"`; `n` is the total number of molecules.
    Counts(#[serde(deserialize_with = "predicate", serialize_with = "as_written")] Predicate),
    /// This time has passed.
    Time(Positive),
    /// This number of reactions has happened.
    Reactions(Count),
}

/// Limits of a run. Reaching one ends the run as unfinished.
#[derive(Debug, Clone, PartialEq, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
#[serde(rename = "Limits")]
pub struct ReactionLimits {
    /// The maximum time.
    pub time: Option<Positive>,
    /// The maximum number of reactions.
    pub reactions: Option<Count>,
}

/// Data that is recorded during the run.
#[derive(Debug, Clone, PartialEq, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
#[serde(rename = "Observe")]
pub struct ReactionObserve {
    /// The distance between two samples of all counts. The default is a number of reactions: the initial number of
    /// molecules, but at least 100.
    pub counts_every: Option<ReactionSampleInterval>,
    /// Whether plots show the large-volume limit next to the counts.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub mean_field: bool,
}

/// The distance between two samples.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, Serialize)]
pub enum ReactionSampleInterval {
    /// A span of time.
    Time(Positive),
    /// A number of reactions.
    Reactions(Count),
}
