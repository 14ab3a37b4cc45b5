//! [`ReactionPlan`]: everything checked.

use std::path::Path;

use acrasin_protocols::reactions::{
    MAX_MOLECULES, ReactionError, ReactionNetwork, SCALES, Vessel, VesselError,
};
use acrasin_report::series::MAX_TIME;

use super::ReactionDocument;
use super::scenario::{Every, Stop};
use crate::DocumentError;
use crate::document::quantity::Count;
use crate::document::{Written, parameters};
use crate::memory::readable;
use crate::predicate::BoundPredicate;
use crate::run::Source;

/// Fewest reactions between two samples if nothing is written.
const REACTIONS_A_SAMPLE: u64 = 100;

/// The law that time has.
pub(super) const LAW: &str = "continuous time: a reaction of rate k with m reactants happens at rate k V^(1-m) for each choice \
                              of its reactants";

/// A condition that ends a run as done.
#[derive(Clone, Debug)]
pub(super) enum Goal {
    Silent,
    Counts { predicate: BoundPredicate, text: String },
    Time(f64),
    Reactions(u64),
}

/// A scenario of reactions whose parts fit together. Only [`ReactionPlan::new`] makes one.
///
/// A plan is read only: any number of runs, on any number of threads, come from one. Memory is that of the network.
#[derive(Debug)]
pub struct ReactionPlan {
    pub(super) title: String,
    seed: Option<u64>,
    pub(super) source: Source,
    pub(super) network: ReactionNetwork,
    pub(super) counts: Vec<u64>,
    pub(super) volume: f64,
    pub(super) goals: Vec<Goal>,
    pub(super) limit_time: Option<f64>,
    pub(super) limit_reactions: Option<u64>,
    pub(super) every: Every,
    pub(super) has_mean_field: bool,
}

impl ReactionPlan {
    /// Checks everything that `document` says.
    ///
    /// # Errors
    ///
    /// The first thing that does not fit, at its place: species and reactions as
    /// [`ReactionNetwork::new`] refuses them, an unknown species, more than [`MAX_MOLECULES`] molecules, a run without an end.
    pub fn new(document: &ReactionDocument) -> Result<Self, DocumentError> {
        let scenario = document.scenario();
        let written = &scenario.reactions;
        let rules: Vec<(&str, f64)> =
            written.rules.iter().map(|(text, rate)| (text.as_str(), rate.0)).collect();
        let network =
            ReactionNetwork::new(&written.species, &rules).map_err(|error| refused(document, &error))?;
        let counts = counts(document, &network)?;
        let volume = written.volume.map_or(1.0, |volume| volume.0);
        // Refused at the start, and not in a run: what does not depend on a seed.
        Vessel::new(&network, &counts, volume, 0).map_err(|error| match error {
            VesselError::RateOutOfRange { reaction, scale } => {
                let order = network.reactions()[reaction].order();
                let message = format!(
                    "the rate {:e} of a reaction of {order} reactants in a volume of {volume:e} is {scale:e} for each choice of them",
                    written.rules[reaction].1.0
                );
                let accepted = format!("0, or {:e} to {:e} times V^{}", SCALES.start(), SCALES.end(), i64::from(order) - 1);
                document.error(&format!("reactions.rules[{reaction}][1]"), message).accepting(accepted)
            }
            other => document.error("reactions", other.to_string()),
        })?;
        let goals = goals(document, &network)?;
        let times = scenario.stop.iter().enumerate().filter_map(|(index, stop)| match stop {
            Stop::Time(time) => Some((format!("stop[{index}][0]"), time.0)),
            _ => None,
        });
        let limit_time = scenario.limits.time.map(|time| time.0);
        for (place, time) in times.chain(limit_time.map(|time| ("limits.time".to_owned(), time))) {
            if time > MAX_TIME {
                let message = format!("a time of {time:e}");
                return Err(document
                    .error(&place, message)
                    .accepting(format!("above 0, at most {MAX_TIME:e}")));
            }
        }
        let limit_reactions = scenario.limits.reactions.map(|reactions| reactions.0);
        if goals.is_empty() && limit_time.is_none() && limit_reactions.is_none() {
            let message = "the run has no end: neither a stop condition nor a limit is written";
            let accepted = "stop: [Time(100)] or limits: (reactions: 1e6), for example";
            return Err(document.error("", message).accepting(accepted));
        }
        let every = match scenario.observe.counts_every {
            Some(Every::Reactions(Count(0))) => {
                let message = "a distance of 0 between two samples";
                return Err(document.error("observe.counts_every", message).accepting("1 or more"));
            }
            Some(every) => every,
            None => Every::Reactions(Count(counts.iter().sum::<u64>().max(REACTIONS_A_SAMPLE))),
        };
        Ok(Self {
            title: scenario.title.clone().unwrap_or_else(|| document.file().to_owned()),
            seed: scenario.seed.map(|seed| seed.0),
            source: Source::new(
                document,
                Path::new(""),
                parameters::section(Written::of(scenario), Vec::new()),
            ),
            network,
            counts,
            volume,
            goals,
            limit_time,
            limit_reactions,
            every,
            has_mean_field: scenario.observe.mean_field,
        })
    }

    /// The title of the scenario, or the name of its file.
    #[must_use]
    pub fn title(&self) -> &str {
        &self.title
    }

    /// The seed that is written, if one is.
    #[must_use]
    pub fn seed(&self) -> Option<u64> {
        self.seed
    }

    /// What the words of the scenario came to, as (name, value).
    #[must_use]
    pub fn parameters(&self) -> Vec<(String, String)> {
        let present =
            self.network.species().iter().zip(&self.counts).filter(|&(_, &count)| count > 0).take(20);
        let start: Vec<String> = present.map(|(name, count)| format!("{name} {count}")).collect();
        [
            ("species", self.network.species().len().to_string()),
            ("reactions", self.network.reactions().len().to_string()),
            ("volume", self.volume.to_string()),
            ("time", LAW.to_owned()),
            ("start", if start.is_empty() { "nothing".to_owned() } else { start.join(", ") }),
            ("memory", format!("at most about {}", readable(self.bytes()))),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .into()
    }

    /// Bytes that a run takes, estimated from above.
    #[must_use]
    pub fn bytes(&self) -> u128 {
        let species = self.network.species().len();
        let mut takers = vec![0_u128; species];
        for reaction in self.network.reactions() {
            for &(species, _) in &reaction.reactants {
                takers[usize::from(species)] += 1;
            }
        }
        let affected = |changes: &[(u16, i64)]| {
            changes.iter().map(|&(species, _)| takers[usize::from(species)]).sum::<u128>()
        };
        let reactions = self.network.reactions().iter().map(|reaction| 400 + 8 * affected(&reaction.changes));
        (1 << 16) + 200 * species as u128 + reactions.sum::<u128>()
    }
}

/// What is wrong with a network, at its place.
fn refused(document: &ReactionDocument, error: &ReactionError) -> DocumentError {
    let at = match (error.species(), error.reaction(), error.column()) {
        (Some(species), _, _) => document.error(&format!("reactions.species[{species}]"), error.message()),
        (None, Some(reaction), _) if error.is_of_rate() => {
            document.error(&format!("reactions.rules[{reaction}][1]"), error.message())
        }
        (None, Some(reaction), column) => {
            let text = &document.scenario().reactions.rules[reaction].0;
            let part = column.map_or(0..text.len(), |column| token(text, column));
            document.error_in_text(&format!("reactions.rules[{reaction}][0]"), part, error.message())
        }
        (None, None, _) => document.error("reactions.species", error.message()),
    };
    match error.accepted().split_once("; did you mean") {
        Some((accepted, hint)) => at.accepting(accepted).hinting(format!("did you mean{hint}")),
        None => at.accepting(error.accepted()),
    }
}

/// The bytes of the token that begins with a character, counted from 1.
fn token(text: &str, column: usize) -> std::ops::Range<usize> {
    let start = text.char_indices().nth(column - 1).map_or(text.len(), |(at, _)| at);
    let length = text[start..].find(char::is_whitespace).unwrap_or(text.len() - start);
    start..start + length
}

fn counts(document: &ReactionDocument, network: &ReactionNetwork) -> Result<Vec<u64>, DocumentError> {
    let mut counts = vec![0; network.species().len()];
    for (name, count) in &document.scenario().reactions.initial {
        let place = format!("reactions.initial[{name:?}]");
        let number = network.species().iter().position(|species| species == name).ok_or_else(|| {
            let names = network.species().iter().map(String::as_str);
            document
                .error(&place, format!("unknown species `{}`", name.escape_debug()))
                .accepting(network.species().iter().take(20).cloned().collect::<Vec<_>>().join(", "))
                .suggesting(name, names)
        })?;
        counts[number] = count.0;
    }
    let molecules: u128 = counts.iter().map(|&count| u128::from(count)).sum();
    if molecules > MAX_MOLECULES.into() {
        let message = format!("{molecules} molecules");
        return Err(document
            .error("reactions.initial", message)
            .accepting(format!("at most {MAX_MOLECULES}")));
    }
    Ok(counts)
}

fn goals(document: &ReactionDocument, network: &ReactionNetwork) -> Result<Vec<Goal>, DocumentError> {
    let goal = |(index, stop): (usize, &Stop)| {
        Ok(match stop {
            Stop::Silent => Goal::Silent,
            Stop::Time(time) => Goal::Time(time.0),
            Stop::Reactions(Count(reactions)) => Goal::Reactions(*reactions),
            Stop::Counts(predicate) => {
                let bound = predicate.bind(network.species(), network.species()).map_err(|error| {
                    let place = format!("stop[{index}][0]");
                    let located = document.error_in_text(&place, error.span(), error.message());
                    let located = located.accepting(error.accepted());
                    error.hint().map_or(located.clone(), |hint| located.hinting(hint))
                })?;
                Goal::Counts { predicate: bound, text: predicate.text().to_owned() }
            }
        })
    };
    document.scenario().stop.iter().enumerate().map(goal).collect()
}
