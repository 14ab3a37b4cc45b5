//! A population protocol: by name, as a table, or in a file.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{self, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use super::quantity::{Count, Integer};

/// The transition function.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub enum ProtocolSource {
    /// A protocol of the library.
    Library {
        /// The name of the protocol, as `acrasin list` prints it.
        name: String,
        /// The values of the protocol's parameters, by name.
        #[serde(default)]
        parameters: BTreeMap<String, WrittenParameter>,
    },
    /// A table in the scenario itself.
    Table(ProtocolTable),
    /// A protocol in its own file, without a scenario.
    File {
        /// The path of the file, relative to the folder of the scenario.
        path: String,
    },
}

/// A protocol as a transition table. A rule is written `"A + B -> C + D"`, the initiator first.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
#[serde(rename = "Table")]
pub struct ProtocolTable {
    /// The names of the states.
    pub states: Vec<String>,
    /// The output of each state; by default the name of the state.
    #[serde(default)]
    pub outputs: BTreeMap<String, String>,
    /// The states that agents can start in as an input. Checks try all distributions of agents over them.
    #[serde(default)]
    pub inputs: Vec<String>,
    /// The rules: the outcomes of pairs of states.
    pub rules: Vec<WrittenRule>,
    /// The outcome of pairs without a rule; if it is missing, every pair needs a rule.
    pub default: Option<MissingSetting>,
    /// The joint action of a lock set (way `Group`).
    #[serde(default)]
    pub group: GroupRuleSetting,
    /// Sums of weighted counts that are claimed to be conserved; the claim is checked.
    #[serde(default)]
    pub conserved: Vec<BTreeMap<String, Integer>>,
}

/// One rule of a table.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
pub enum WrittenRule {
    /// Exactly this initiator and this responder.
    Ordered(String),
    /// Exactly this initiator and this responder; the initiator does not change.
    OneWay(String),
    /// The pair in either order; for the reversed pair, the outcome is reversed.
    Symmetric(String),
    /// A pair in this order (`"A + B"`), and its outcomes (`"C + D"`) with their weights.
    Randomised(String, Vec<(Count, String)>),
    /// A pair in either order, and its outcomes with their weights; for the reversed pair, the outcomes are reversed.
    SymmetricRandomised(String, Vec<(Count, String)>),
}

/// The outcome of pairs that no rule mentions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
pub enum MissingSetting {
    /// No change.
    Null,
}

/// The joint action of the members of a lock set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
pub enum GroupRuleSetting {
    /// The holder of the lock interacts with every other member once, in random order.
    #[default]
    EachOnce,
    /// All members take the highest state, in the order of the states.
    Maximum,
    /// The members share the sum of their state numbers as equally as whole numbers allow.
    Mean,
}

/// The value of a protocol's parameter.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum WrittenParameter {
    /// A whole number.
    Integer(i64),
    /// A real number.
    Real(f64),
    /// A text.
    Text(String),
    /// `true` or `false`.
    Flag(bool),
    /// Several values in brackets.
    List(Vec<WrittenParameter>),
}

impl<'de> Deserialize<'de> for WrittenParameter {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ParameterVisitor)
    }
}

struct ParameterVisitor;

impl<'de> Visitor<'de> for ParameterVisitor {
    type Value = WrittenParameter;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number, a text in double quotes, true, false, or a list of these in brackets")
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<WrittenParameter, E> {
        Ok(WrittenParameter::Integer(value))
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<WrittenParameter, E> {
        i64::try_from(value).map(WrittenParameter::Integer).map_err(|_| {
            let message = format!("`{value}` is above the limit {}", i64::MAX);
            E::invalid_value(de::Unexpected::Other(&message), &self)
        })
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<WrittenParameter, E> {
        if value.is_finite() {
            return Ok(WrittenParameter::Real(value));
        }
        Err(E::invalid_value(de::Unexpected::Other(&format!("`{value}` is not finite")), &self))
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<WrittenParameter, E> {
        Ok(WrittenParameter::Text(value.to_owned()))
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<WrittenParameter, E> {
        Ok(WrittenParameter::Flag(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<WrittenParameter, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(WrittenParameter::List(list))
    }
}
