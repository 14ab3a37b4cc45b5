//! [`ReactionPlan`]: a checked scenario of reactions.

use std::path::Path;

use acrasin_catalogue::counted;
use acrasin_process::{Measure, StopBound, StopGoal, StopRule};
use acrasin_protocols::reactions::{
    Expression, Gillespie, GraphRules, Rate, ReactionError, ReactionNetwork, SCALES, ScheduledChange,
    VesselError, WrittenRate, WrittenReaction,
};
use acrasin_report::series::MAX_TIME;

use super::ReactionDocument;
use super::graph::ReactionGraph;
use super::scenario::{ReactionSampleInterval, ReactionStart, ReactionStop, RuleRate};
use super::start::{counts_of, events_of};
use crate::document::ScenarioFields;
use crate::document::quantity::Count;
use crate::limits::MEMORY_BYTES;
use crate::memory::readable;
use crate::plan::topology::ChosenTopology;
use crate::predicate::BoundPredicate;
use crate::run::{PlanHeader, ScenarioSource, present};
use crate::{Catalogue, DocumentError};

/// The smallest default number of reactions between two samples.
const REACTIONS_A_SAMPLE: u64 = 100;

/// The description of the rates in a vessel, for the record.
const LAW: &str = "continuous time: a reaction of rate k with m reactants happens at rate k V^(1-m) for each choice \
                              of its reactants";

/// The description of the rates on a graph, without weights and directions.
const GRAPH_LAW: &str = "continuous time: a reaction of one node happens at its rate, one of two neighbours at its rate along each \
                         edge between them";

/// The reacting system: a vessel or a graph.
#[derive(Clone, Debug)]
pub(super) enum ReactionModel {
    /// Molecules in a well-mixed vessel.
    Vessel { network: ReactionNetwork, volume: f64, events: Vec<ScheduledChange> },
    /// The nodes of a graph and their neighbours.
    Graph { rules: GraphRules, graph: Box<ReactionGraph> },
}

impl ReactionModel {
    /// An upper estimate of the bytes of a run.
    fn bytes(&self, species: usize, has_mean_field: bool) -> u128 {
        let network = match self {
            Self::Vessel { network, .. } => network,
            Self::Graph { rules, graph } => {
                return (1 << 16) + graph.bytes(rules) + 4 * (species * species) as u128;
            }
        };
        let mut takers = vec![0_u128; species];
        for reaction in network.reactions() {
            let named = reaction.rate.expression().map_or(&[][..], Expression::species).iter();
            for &species in named.chain(reaction.reactants.iter().map(|(species, _)| species)) {
                takers[usize::from(species)] += 1;
            }
        }
        let affected = |changes: &[(u16, i64)]| {
            changes.iter().map(|&(species, _)| takers[usize::from(species)]).sum::<u128>()
        };
        let reactions = network.reactions().iter().map(|reaction| {
            let code =
                reaction.rate.expression().map_or(0, |expression| 40 * expression.text().len() as u128);
            400 + code + 8 * affected(&reaction.changes)
        });
        // The factors of implicit steps, and the points of the curves.
        let mean_field = if has_mean_field { 9 * species * species + 12_000 * species } else { 0 };
        (1 << 16) + (200 * species + mean_field) as u128 + reactions.sum::<u128>()
    }

    /// The description of the rates in continuous time, for the record.
    pub(super) fn law(&self) -> String {
        match self {
            Self::Vessel { .. } => LAW.to_owned(),
            Self::Graph { graph, .. } => format!("{GRAPH_LAW}{}", graph.law()),
        }
    }
}

/// A scenario of reactions whose parts fit together, made by [`ReactionPlan::new`].
///
/// A plan is read-only: any number of runs, on any number of threads, can start from it. A plan takes about as much
/// memory as its network and graph.
#[derive(Debug)]
pub struct ReactionPlan {
    pub(crate) header: PlanHeader,
    pub(super) species: Vec<String>,
    pub(super) counts: Vec<u64>,
    pub(super) model: ReactionModel,
    pub(super) rule: StopRule<BoundPredicate>,
    pub(super) every: ReactionSampleInterval,
    pub(super) has_mean_field: bool,
}

impl ReactionPlan {
    /// Checks everything that `document` says. Paths in it are relative to the current folder.
    ///
    /// # Errors
    ///
    /// The first mistake, with its position: species and reactions that [`ReactionNetwork::new`] refuses, an unknown
    /// species, more than [`MAX_MOLECULES`](acrasin_protocols::reactions::MAX_MOLECULES) molecules, a run without an
    /// end.
    pub fn new(document: &ReactionDocument) -> Result<Self, DocumentError> {
        Self::within(&Catalogue::shipped(), document, Path::new(""), MEMORY_BYTES)
    }

    /// Does the same as [`new`](Self::new), with the graph families of `catalogue`, paths relative to `base`, and a
    /// memory limit for a run, in bytes.
    ///
    /// # Errors
    ///
    /// As for [`new`](Self::new); also, a graph is too large.
    pub fn within(
        catalogue: &Catalogue,
        document: &ReactionDocument,
        base: &Path,
        memory: u64,
    ) -> Result<Self, DocumentError> {
        let scenario = document.scenario();
        let written = &scenario.reactions;
        let rules = written.rules.iter().map(|rule| WrittenReaction {
            text: &rule.text,
            rate: rate(&rule.rate),
            reverse: rule.reverse.as_ref().map(rate),
        });
        let rules: Vec<WrittenReaction<'_>> = rules.collect();
        let parameters: Vec<(&str, f64)> =
            written.parameters.iter().map(|(name, value)| (name.as_str(), value.0)).collect();
        let refused = |error: ReactionError| refused(document, &error);
        let names = &written.species;
        let mut fields = ScenarioFields::of(scenario);
        let mut notes = Vec::new();
        let (counts, model) = if scenario.topology.is_some() {
            let rules = GraphRules::with_rates(names, &parameters, &rules).map_err(refused)?;
            without_vessel(document)?;
            let chosen = ChosenTopology::new(document, catalogue)?;
            fields = fields.with("topology", chosen.1);
            let graph = ReactionGraph::new(document, chosen.0, base, memory, &rules, &mut notes)?;
            (graph.counts(names.len()), ReactionModel::Graph { rules, graph: Box::new(graph) })
        } else {
            let network = ReactionNetwork::with_rates(names, &parameters, &rules).map_err(refused)?;
            without_graph(document)?;
            let counts = counts(document)?;
            let volume = written.volume.map_or(1.0, |volume| volume.0);
            // Mistakes that do not depend on a seed are refused here, not in a run.
            let start = Gillespie::new(&network, &counts, volume, 0)
                .map_err(|error| misfit(document, &network, volume, &error))?;
            let events = events_of(document)?;
            if !events.is_empty() {
                // The effect of an event at time 0 can be checked before any run.
                if let Err(error @ VesselError::WrongEvent { event }) = start.with_events(events.clone()) {
                    return Err(document.error(&format!("reactions.events[{event}]"), error.to_string()));
                }
            }
            (counts, ReactionModel::Vessel { network, volume, events })
        };
        let goals = goals(document)?;
        let times = scenario.stop.iter().enumerate().filter_map(|(index, stop)| match stop {
            ReactionStop::Time(time) => Some((format!("stop[{index}][0]"), time.0)),
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
        let limits = [
            limit_time.map(StopBound::Time),
            limit_reactions.map(|reactions| StopBound::Count(Measure::Reactions, reactions)),
        ];
        let limits: Vec<StopBound> = limits.into_iter().flatten().collect();
        if goals.is_empty() && limits.is_empty() {
            let message = "the run has no end: neither a stop condition nor a limit is given";
            let accepted = "stop: [Time(100)] or limits: (reactions: 1e6), for example";
            return Err(document.error("", message).accepting(accepted));
        }
        let every = match scenario.observe.counts_every {
            Some(ReactionSampleInterval::Reactions(Count(0))) => {
                let message = "a distance of 0 between two samples";
                return Err(document.error("observe.counts_every", message).accepting("1 or more"));
            }
            Some(every) => every,
            None => {
                ReactionSampleInterval::Reactions(Count(counts.iter().sum::<u64>().max(REACTIONS_A_SAMPLE)))
            }
        };
        let title = scenario.title.clone().unwrap_or_else(|| document.file().to_owned());
        let source = ScenarioSource::new(document, base, fields.section(Vec::new()));
        let rule = StopRule { goals, limits, ..StopRule::default() };
        let header = PlanHeader {
            bytes: model.bytes(names.len(), scenario.observe.mean_field),
            counted: "molecules",
            unrecorded: Some((
                "runs of reactions cannot be recorded",
                "no --record for reactions: their seed gives the run again",
            )),
            notes,
            ..PlanHeader::new(title, scenario.seed.map(|seed| seed.0), source)
        };
        let mut plan = Self {
            header,
            species: names.clone(),
            counts,
            model,
            rule,
            every,
            has_mean_field: scenario.observe.mean_field,
        };
        plan.header.parameters = plan.resolved();
        Ok(plan)
    }

    fn resolved(&self) -> Vec<(String, String)> {
        let start = present(&self.species, &self.counts);
        let (reactions, place) = match &self.model {
            ReactionModel::Vessel { network, volume, .. } => {
                (network.reactions().len(), ("volume", volume.to_string()))
            }
            ReactionModel::Graph { rules, graph } => (rules.reactions().len(), ("graph", graph.text())),
        };
        let events = match &self.model {
            ReactionModel::Vessel { events, .. } => events.len(),
            ReactionModel::Graph { graph, .. } => graph.events(),
        };
        let events = (events > 0).then(|| ("events", events.to_string()));
        [("species", self.species.len().to_string()), ("reactions", reactions.to_string()), place]
            .into_iter()
            .chain(events)
            .chain([
                ("time", self.model.law()),
                ("start", if start.is_empty() { "nothing".to_owned() } else { start }),
                ("memory", format!("at most about {}", readable(self.header.bytes))),
            ])
            .map(|(name, value)| (name.to_owned(), value))
            .collect()
    }
}

/// Converts the error of a network that cannot run in a vessel. The new error points at the rate that causes it.
fn misfit(
    document: &ReactionDocument,
    network: &ReactionNetwork,
    volume: f64,
    error: &VesselError,
) -> DocumentError {
    let VesselError::RateOutOfRange { reaction, scale } = *error else {
        return document.error("reactions", error.to_string());
    };
    let rules = document.scenario().reactions.rules.iter().enumerate();
    let mut places = rules.flat_map(|(rule, written)| {
        let reverse = written.reverse.as_ref().map(|_| (rule, 2));
        [(rule, 1)].into_iter().chain(reverse)
    });
    let (rule, place) = places.nth(reaction).unwrap_or((0, 1));
    let order = network.reactions()[reaction].order();
    let rate = match network.reactions()[reaction].rate {
        Rate::Constant(rate) => format!("the rate {}", plain(rate)),
        _ => "the rate 1".to_owned(),
    };
    let message = format!(
        "{rate} of a reaction of {} in a volume of {} gives {} for each choice of reactants",
        counted(order, "reactant"),
        plain(volume),
        plain(scale)
    );
    let accepted =
        format!("0, or {:e} to {:e} times V^{}", SCALES.start(), SCALES.end(), i64::from(order) - 1);
    document.error(&format!("reactions.rules[{rule}][{place}]"), message).accepting(accepted)
}

/// A number in its usual notation: `1`, `0.5`, `1e-155`.
fn plain(number: f64) -> String {
    let digits = format!("{number:?}");
    digits.strip_suffix(".0").map_or(digits.clone(), str::to_owned)
}

/// Refuses fields that only apply to a graph.
fn without_graph(document: &ReactionDocument) -> Result<(), DocumentError> {
    let written = &document.scenario().reactions;
    for (is_written, field, what) in [
        (written.rest.is_some(), "rest", "the state of all other nodes"),
        (written.weights.is_some(), "weights", "a factor for each edge"),
        (written.direction.is_some(), "direction", "the end that is the first reactant of each edge"),
    ] {
        if is_written {
            let message = format!("`{field}` is {what} of a graph, but there is no graph");
            let accepted = format!("a field `topology`, or no `{field}`");
            return Err(document.error(&format!("reactions.{field}"), message).accepting(accepted));
        }
    }
    for (index, event) in written.events.iter().enumerate() {
        for (is_written, field) in [(event.rest.is_some(), "rest"), (!event.nodes.is_empty(), "nodes")] {
            if is_written {
                let place = format!("reactions.events[{index}].{field}");
                let message = format!("`{field}` applies to nodes of a graph, but there is no graph");
                let accepted = format!("a field `topology`, or no `{field}`");
                return Err(document.error(&place, message).accepting(accepted));
            }
        }
    }
    Ok(())
}

/// Refuses fields that only apply to a vessel.
fn without_vessel(document: &ReactionDocument) -> Result<(), DocumentError> {
    let scenario = document.scenario();
    for (is_written, place, message) in [
        (scenario.reactions.volume.is_some(), "reactions.volume", "nodes of a graph have no volume"),
        (
            scenario.observe.mean_field,
            "observe.mean_field",
            "the mean-field limit is not available on a graph",
        ),
    ] {
        if is_written {
            return Err(document.error(place, message).accepting("omit this field, or the topology"));
        }
    }
    Ok(())
}

fn rate(rate: &RuleRate) -> WrittenRate<'_> {
    match rate {
        RuleRate::Constant(rate) => WrittenRate::Constant(*rate),
        RuleRate::Propensity(text) => WrittenRate::Propensity(text),
        RuleRate::MassAction(text) => WrittenRate::MassAction(text),
    }
}

/// Converts an error of the network to an error with a position in the document.
fn refused(document: &ReactionDocument, error: &ReactionError) -> DocumentError {
    let written = &document.scenario().reactions;
    let at = if let Some(species) = error.species() {
        document.error(&format!("reactions.species[{species}]"), error.message())
    } else if let Some(parameter) = error.parameter() {
        let name = written.parameters.keys().nth(parameter).map_or("", String::as_str);
        let place = format!("reactions.parameters[{name:?}]");
        document.error_about_name(&place, name, error.message())
    } else if let Some(reaction) = error.reaction() {
        let rule = &written.rules[reaction];
        let (field, text) = match error.rate() {
            None => (format!("reactions.rules[{reaction}][0]"), Some(&rule.text)),
            Some(place) => {
                let field = format!("reactions.rules[{reaction}][{}]", place + 1);
                match rule.reverse.as_ref().filter(|_| place == 1).unwrap_or(&rule.rate) {
                    RuleRate::Constant(_) => (field, None),
                    RuleRate::Propensity(text) => (field, Some(text)),
                    RuleRate::MassAction(text) => (format!("{field}[0]"), Some(text)),
                }
            }
        };
        match text {
            None => document.error(&field, error.message()),
            Some(text) => {
                let part = error.column().map_or(0..text.len(), |column| token(text, column));
                document.error_in_text(&field, part, error.message())
            }
        }
    } else {
        document.error("reactions.species", error.message())
    };
    at.advising(error.accepted(), error.hint())
}

/// The byte range of the token that begins at a character, counted from 1.
fn token(text: &str, column: usize) -> std::ops::Range<usize> {
    let start = text.char_indices().nth(column - 1).map_or(text.len(), |(at, _)| at);
    let length = text[start..].find(char::is_whitespace).unwrap_or(text.len() - start);
    start..start + length
}

fn counts(document: &ReactionDocument) -> Result<Vec<u64>, DocumentError> {
    match &document.scenario().reactions.initial {
        ReactionStart::Counts(counts) => counts_of(document, counts),
        ReactionStart::Nodes(_) => {
            let error =
                document.error("reactions.initial", "states of single nodes need a graph, but there is none");
            Err(error.accepting("counts, such as {\"A\": 100}, or a field `topology`"))
        }
    }
}

fn goals(document: &ReactionDocument) -> Result<Vec<StopGoal<BoundPredicate>>, DocumentError> {
    let names = &document.scenario().reactions.species;
    let goal = |(index, stop): (usize, &ReactionStop)| {
        Ok(match stop {
            ReactionStop::Silent => StopGoal::Silent,
            ReactionStop::Time(time) => StopGoal::Bound(StopBound::Time(time.0)),
            ReactionStop::Reactions(Count(reactions)) => {
                StopGoal::Bound(StopBound::Count(Measure::Reactions, *reactions))
            }
            ReactionStop::Counts(predicate) => {
                let bound = predicate.bind(names, names).map_err(|error| {
                    let place = format!("stop[{index}][0]");
                    let located = document.error_in_text(&place, error.span(), error.message());
                    let located = located.accepting(error.accepted());
                    error.hint().map_or(located.clone(), |hint| located.hinting(hint))
                })?;
                StopGoal::Counts { predicate: bound, text: predicate.text().to_owned() }
            }
        })
    };
    document.scenario().stop.iter().enumerate().map(goal).collect()
}
