//! Mutual exclusion algorithms that amoebots run under, and the initial knowledge of their nodes.
//!
//! Local mutual exclusion supports changes of the graph and works for every algorithm. The others assume a static
//! graph: they work for algorithms in which no amoebot moves, provided that a node inside its critical section holds
//! its neighbours.

use std::fmt;
use std::path::Path;

use acrasin_amoebot::System;
use acrasin_amoebot::algorithm::description::{Description as _, Placement};
use acrasin_amoebot::library::entry::ChosenAlgorithm as Algorithm;
use acrasin_amoebot::run::concurrent::messages::{MessageLocks, NotCarried, contact_graph};
use acrasin_catalogue::parameter::ParameterError;
use acrasin_report::observer::EntryFigures;
use acrasin_runtime::Topology;
use acrasin_runtime::exclusion::{AlgorithmLabels, AssumptionError, Exclusion, InitialKnowledge};
use acrasin_runtime::lock::Outside;
use acrasin_runtime::scheduler;

use super::AmoebotDocument;
use super::scenario::{ExecutionKind, LocksSetting, MessageScheduler};
use crate::DocumentError;
use crate::document::ScenarioFields;
use crate::exclusion::{ExclusionSite, Exclusions, ResolvedExclusion};
use crate::node_names::NodeNames;

pub(super) const PATH: &str = "exclusion";

/// The mutual exclusion algorithm of the scenario: its fields with defaults, and the algorithm if it is not local
/// mutual exclusion.
///
/// An algorithm other than local mutual exclusion is refused if the locks do not pass messages. It is also refused if
/// amoebots move, because moves change the graph of neighbours.
pub(super) fn check(
    document: &AmoebotDocument,
    exclusions: &Exclusions,
    algorithm: &Algorithm,
    base: &Path,
) -> Result<Option<(ScenarioFields, Option<ResolvedExclusion>)>, DocumentError> {
    if document.scenario().exclusion.is_none() {
        return Ok(None);
    }
    let choice = document.choice(PATH);
    let chosen = choice.find(exclusions.entries(), &[]).and_then(|entry| choice.chosen(entry, &[]));
    let chosen = chosen.map_err(|failure| document.refused(failure))?;
    // Amoebots only have numbers, no names.
    let names = NodeNames::unknown();
    let values = names.of_values(document, PATH, &chosen.values)?;
    let site = ExclusionSite { folder: base, names: &names };
    let made = (chosen.entry.read)(&values, site).map_err(|error| document.misfit(PATH, &error))?;
    let (name, written) = (chosen.entry.name, chosen.fields());
    if made.is_local() {
        return Ok(Some((written, None)));
    }
    let refused = |why: String, accepted: &str| {
        Err(document.error(PATH, format!("{name}: {why}")).accepting(accepted.to_owned()))
    };
    let moves = algorithm.any().is_none_or(|description| !description.facts().is_static);
    if let (Err(unmet), true) = (made.assumes().check_changes(), moves) {
        let why = format!("{unmet}, but the graph of amoebots changes as they move in {}", algorithm.title());
        return refused(why, "Local, or omit this field; an algorithm in which no amoebot moves");
    }
    if !matches!(
        document.scenario().execution,
        ExecutionKind::Concurrent { locks: LocksSetting::Messages { .. } }
    ) {
        let accepted = "execution: Concurrent(locks: Messages(…)); Local, or omit this field";
        return refused("this execution does not lock by messages".to_owned(), accepted);
    }
    // An action reads and writes neighbours, so they must be held.
    Ok(Some((written, Some(made.for_interactions()))))
}

/// Refuses a start that violates an assumption of the mutual exclusion algorithm, at the responsible parameter.
pub(super) fn check_start(
    document: &AmoebotDocument,
    exclusion: &ResolvedExclusion,
    algorithm: &Algorithm,
    placement: &Placement,
) -> Result<(), DocumentError> {
    let description = algorithm.any().expect("a Markov chain uses no locks");
    // A start that the amoebot algorithm refuses is reported elsewhere.
    let Ok(system) = description.begin(placement) else { return Ok(()) };
    let refused = |error: ExclusionRefusal| match error {
        ExclusionRefusal::Parameter(error) => document.misfit(PATH, &error),
        ExclusionRefusal::Start(error) => {
            let (place, accepted) = match &error {
                NotCarried::Assumption(AssumptionError::NotComplete { .. }) => {
                    ("behaviour", "behaviour: Raymond")
                }
                NotCarried::Assumption(AssumptionError::NoTreeEdge { .. }) => {
                    ("fathers", "fathers that are neighbours")
                }
                NotCarried::StartsInside => {
                    ("inside", "no node inside at the start: scheme: Home or Exclusion")
                }
                _ => ("most", "most: 1, so that at most one node of each closed neighbourhood is inside"),
            };
            document.error(&format!("{PATH}.{place}"), error.to_string()).accepting(accepted)
        }
    };
    let (topology, seating) = seats(exclusion, &system).map_err(refused)?;
    let unmet = exclusion.check_start(&topology, &seating);
    unmet.map_err(|unmet| refused(ExclusionRefusal::Start(NotCarried::Assumption(unmet))))?;
    if seating.inside.contains(&true) {
        return Err(refused(ExclusionRefusal::Start(NotCarried::StartsInside)));
    }
    Ok(())
}

/// Reasons why a mutual exclusion algorithm cannot run on a system.
#[derive(Debug)]
pub(super) enum ExclusionRefusal {
    /// A parameter does not fit the graph of neighbours.
    Parameter(ParameterError),
    /// The start violates an assumption of the algorithm.
    Start(NotCarried),
}

impl fmt::Display for ExclusionRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Parameter(error) => error.fmt(f),
            Self::Start(error) => error.fmt(f),
        }
    }
}

/// The graph of neighbours of a system, and the initial knowledge that the algorithm gives to its nodes.
pub(super) fn seats<M>(
    exclusion: &ResolvedExclusion,
    system: &System<M>,
) -> Result<(Topology, InitialKnowledge), ExclusionRefusal> {
    let topology = contact_graph(system);
    let seating = exclusion.seating(&topology).map_err(ExclusionRefusal::Parameter)?;
    Ok((topology, seating))
}

/// Message-passing locks of this algorithm, with an observer of entries.
pub(super) fn carrying<E: AlgorithmLabels>(
    exclusion: E,
    (topology, seating): (Topology, InitialKnowledge),
    scheduler: MessageScheduler,
) -> Result<MessageLocks<E, EntryFigures>, ExclusionRefusal>
where
    E::Action: 'static,
{
    let nodes = topology.node_count();
    let locks = MessageLocks::with_knowledge(exclusion, (topology, &seating), below(scheduler));
    Ok(locks.map_err(ExclusionRefusal::Start)?.with_observer(EntryFigures::new(nodes)))
}

/// The scheduler for the nodes and messages of the lock algorithm.
pub(super) fn below<E: Exclusion>(
    scheduler: MessageScheduler,
) -> Box<dyn scheduler::Scheduler<E, Outside<()>>>
where
    E::Action: 'static,
{
    match scheduler {
        MessageScheduler::Sequential => Box::new(scheduler::Sequential::new()),
        MessageScheduler::Asynchronous => Box::new(scheduler::Asynchronous::new()),
        MessageScheduler::NewestFirst => Box::new(scheduler::NewestFirst::new()),
    }
}
