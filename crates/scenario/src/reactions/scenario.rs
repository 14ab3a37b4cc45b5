//! All fields of a scenario of reactions.

use std::collections::BTreeMap;

use std::fmt;

use serde::de::{self, Deserializer, EnumAccess, MapAccess, SeqAccess, Unexpected, VariantAccess, Visitor};
use serde::ser::{SerializeTuple as _, Serializer};
use serde::{Deserialize, Serialize};

use crate::document::Named;
use crate::document::edges::{Initiator, Weights};
use crate::document::quantity::{Count, Integer, NodeName, NonNegative, Positive, Real, Seed};
use crate::document::stop::{as_written, predicate};
use crate::predicate::Predicate;

/// A scenario of reactions as it was written. Whether the parts fit together is not yet known.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ReactionScenario {
    /// One line for the report.
    pub title: Option<String>,
    /// What all draws start from; if it is not written, it is drawn and printed.
    pub seed: Option<Seed>,
    /// What reacts.
    pub reactions: Reactions,
    /// The graph on whose nodes the reactions happen, a family of the catalogue or a file; without it molecules are well mixed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub topology: Option<Named>,
    /// What ends the run as done.
    #[serde(default)]
    pub stop: Vec<Stop>,
    /// What ends the run as unfinished.
    #[serde(default)]
    pub limits: Limits,
    /// What is recorded.
    #[serde(default)]
    pub observe: Observe,
}

/// The network, and what is there at the start: `reactions: (…)`.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Reactions {
    /// The names of the species.
    pub species: Vec<String>,
    /// Reactions with their rates.
    pub rules: Vec<RatedRule>,
    /// Numbers that rates name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub parameters: BTreeMap<String, Real>,
    /// The volume of the vessel; 1 if it is not written.
    pub volume: Option<Positive>,
    /// What is there at the start.
    #[serde(default)]
    pub initial: ReactionStart,
    /// On a graph, the state of the nodes that `initial` does not name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rest: Option<String>,
    /// On a graph, what the rate of a pair is multiplied by along each edge; 1 if it is not written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weights: Option<Weights>,
    /// On a graph, the end of an edge that is the first reactant; either if it is not written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub direction: Option<Initiator>,
    /// What happens at given times.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<TimedChange>,
}

/// What is there at the start: `{"A": 10}`, or on a graph `Nodes(states: {"I": ["hub"]}, rest: "S")`.
#[derive(Debug, Clone, PartialEq)]
pub enum ReactionStart {
    /// How many molecules or nodes there are of each species; of those that are not named none.
    Counts(BTreeMap<String, Count>),
    /// Nodes by name.
    Nodes(NamedStates),
}

/// The states of the nodes of a graph, by name.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct NamedStates {
    /// For each state the nodes, by name or from 0, that have it.
    pub states: BTreeMap<String, Vec<NodeName>>,
    /// The state of all others.
    pub rest: String,
}

/// A reaction with its rate, `("A + B -> C", 1.0)`, or a reversible one with both, `("A + B <-> C", 1.0, 0.5)`.
#[derive(Debug, Clone, PartialEq)]
pub struct RatedRule {
    /// The reaction.
    pub text: String,
    /// Its rate.
    pub rate: RuleRate,
    /// The rate of the reverse reaction.
    pub reverse: Option<RuleRate>,
}

/// A rate: `1.0`, `"k * S / (K + S)"` or `MassAction("k * exp(-t)")`.
#[derive(Debug, Clone, PartialEq)]
pub enum RuleRate {
    /// The rate constant of mass action.
    Constant(f64),
    /// An expression of the propensity.
    Propensity(String),
    /// An expression of the rate constant of mass action.
    MassAction(String),
}

/// A change of counts at a given time: `(at: 5.0, add: {"A": 10})`.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct TimedChange {
    /// When it happens; at 0 before everything else.
    pub at: NonNegative,
    /// The time after which it happens again, and again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub every: Option<Positive>,
    /// Counts afterwards.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub set: BTreeMap<String, Count>,
    /// Molecules that are added, or taken away where negative.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub add: BTreeMap<String, Integer>,
    /// On a graph, the state that gives or takes the difference.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rest: Option<String>,
    /// On a graph, for each state nodes, by name or from 0, that have it afterwards.
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

/// A condition that ends the run as done. The first that holds ends it.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
pub enum Stop {
    /// No reaction can happen any more.
    Silent,
    /// A predicate on the counts of species, such as `"A == 0 || B >= 2 * C"`; `n` is the number of all molecules.
    Counts(#[serde(deserialize_with = "predicate", serialize_with = "as_written")] Predicate),
    /// So much time.
    Time(Positive),
    /// So many reactions.
    Reactions(Count),
}

/// What a run may cost. Reaching a limit ends the run as unfinished.
#[derive(Debug, Clone, PartialEq, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// Time.
    pub time: Option<Positive>,
    /// Reactions.
    pub reactions: Option<Count>,
}

/// What is recorded during the run.
#[derive(Debug, Clone, PartialEq, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Observe {
    /// How often the counts of all species are recorded; if it is not written, once in as many reactions as there are
    /// molecules at the start, but at least a hundred.
    pub counts_every: Option<Every>,
    /// Whether plots have the limit of large volumes beside the counts.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub mean_field: bool,
}

/// A distance between two samples.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, Serialize)]
pub enum Every {
    /// So much time.
    Time(Positive),
    /// So many reactions.
    Reactions(Count),
}
