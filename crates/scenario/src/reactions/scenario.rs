//! All fields of a scenario of reactions.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::document::quantity::{Count, NonNegative, Positive, Seed};
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
    pub rules: Vec<(String, NonNegative)>,
    /// The volume of the vessel; 1 if it is not written.
    pub volume: Option<Positive>,
    /// How many molecules there are of each species; of those that are not named none.
    #[serde(default)]
    pub initial: BTreeMap<String, Count>,
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
