//! `rung`: the level of detail at which the lock algorithm is executed, and the features that each rung lacks.

use acrasin_catalogue::counted;
use acrasin_engine::Rung;

use super::schedule::ChosenScheduler;
use super::topology::ChosenTopology;
use crate::document::Scenario;
use crate::document::lock::{LockRules, LockSet, PortCount, PriorityCount, SelfMessageSetting};
use crate::document::scheduler::FairnessSetting;
use crate::document::stop::SampleInterval;
use crate::document::work::{Partners, Work};
use crate::{Document, DocumentError};

/// The accepted schedulers of F2 and F3.
const ROUNDS: &str =
    "SemiSynchronous(activation: Random(p)) or SemiSynchronous(activation: All); or rung: F4";

/// The accepted graphs of bit-sliced rounds.
const LATTICES: &str = "Torus(…) or TriangularTorus(…) with a multiple of 64 columns; or rung: F3 or F4";

/// A feature that a rung does not support: its path in the scenario, a message, and the accepted alternatives.
struct RungError {
    place: String,
    message: String,
    accepted: &'static str,
}

impl RungError {
    fn new(place: impl Into<String>, message: impl Into<String>, accepted: &'static str) -> Option<Self> {
        Some(Self { place: place.into(), message: message.into(), accepted })
    }
}

/// The rung of the scenario. Refuses a rung that does not support a feature of the scenario.
pub(super) fn rung(
    document: &Document,
    topology: &ChosenTopology,
    scheduler: &ChosenScheduler,
) -> Result<Rung, DocumentError> {
    let scenario = document.scenario();
    let rung = Rung::from(scenario.rung);
    let misfit = match rung {
        // Uniform pairs only reach this check together with a field that needs locks.
        _ if scheduler.entry.rungs == [Rung::F0] => RungError::new(
            "scheduler",
            "uniform pairs have no locks: they cannot be explored, recorded or replayed",
            "Sequential, RoundRobin, SemiSynchronous(…), Asynchronous or Waves; or `acrasin run`",
        ),
        Rung::F0 => RungError::new(
            "scheduler",
            "rung F0 has no locks, but this scheduler needs them",
            "UniformPairs; or rung: F1, F3 or F4",
        ),
        Rung::F1 => scheduler_of_waves(scheduler).or_else(|| without_messages(scenario, topology)),
        Rung::F2 => scheduler_of_rounds(scheduler, rung)
            .or_else(|| by_messages(scenario, rung))
            .or_else(|| by_planes(scenario, topology)),
        Rung::F3 => scheduler_of_rounds(scheduler, rung).or_else(|| by_messages(scenario, rung)),
        Rung::F4 => {
            waves(scheduler, rung, "Sequential, RoundRobin, SemiSynchronous(…) or Asynchronous; or rung: F1")
        }
    };
    let misfit = misfit.or_else(|| if rung == Rung::F4 { None } else { single_steps(scenario, rung) });
    match misfit {
        None => Ok(rung),
        Some(RungError { place, message, accepted }) => {
            Err(document.error(&place, message).accepting(accepted))
        }
    }
}

/// Refuses the scheduler of waves on rungs other than F1.
fn waves(scheduler: &ChosenScheduler, rung: Rung, accepted: &'static str) -> Option<RungError> {
    if scheduler.entry.rungs != [Rung::F1] {
        return None;
    }
    RungError::new("scheduler", format!("waves run on rung F1, but the rung here is {rung}"), accepted)
}

fn scheduler_of_waves(scheduler: &ChosenScheduler) -> Option<RungError> {
    if scheduler.entry.rungs.contains(&Rung::F1) {
        return None;
    }
    RungError::new("scheduler", "rung F1 does not run this scheduler", "Waves; or rung: F3 or F4")
}

fn scheduler_of_rounds(scheduler: &ChosenScheduler, rung: Rung) -> Option<RungError> {
    if scheduler.entry.rungs.contains(&rung) {
        let message = format!("rung {rung} has no adversary over the set of active nodes");
        let misfit =
            || RungError::new("scheduler.activation", message.clone(), "Random(p) or All; or rung: F4");
        return scheduler.has_adversary().then(misfit).flatten();
    }
    let accepted = "SemiSynchronous(activation: Random(p)) or SemiSynchronous(activation: All); or rung: F1";
    let message = format!("rung {rung} does not run this scheduler");
    waves(scheduler, rung, accepted).or_else(|| RungError::new("scheduler", message, ROUNDS))
}

/// Refuses fields that have no meaning on F1: those about messages, and changing graphs.
fn without_messages(scenario: &Scenario, topology: &ChosenTopology) -> Option<RungError> {
    let lock = &scenario.lock;
    if lock.rules != LockRules::Repaired {
        let message = "rung F1 executes the guarantees of the repaired rules, not the rules themselves";
        return RungError::new("lock.rules", message, "Repaired; or rung: F4");
    }
    if lock.self_messages != SelfMessageSetting::Sent {
        return RungError::new(
            "lock.self_messages",
            "rung F1 has no messages",
            "omit this field; or rung: F4",
        );
    }
    if lock.priorities != PriorityCount::Auto {
        let message = "rung F1 draws an order of all nodes for each wave, not priorities";
        return RungError::new("lock.priorities", message, "Auto; or rung: F3 or F4");
    }
    if lock.lock_set == LockSet::Pair {
        let message = "rung F1 locks closed neighbourhoods; pairs interact under them in stricter isolation";
        return RungError::new("lock.lock_set", message, "Auto; or rung: F3 or F4");
    }
    if topology.is_trace() {
        let message = "rung F1 does not support graphs that change";
        return RungError::new("topology", message, "a fixed graph; or rung: F3 or F4");
    }
    if !scenario.disturbances.is_empty() {
        let message = "rung F1 does not support graphs that change";
        return RungError::new("disturbances[0]", message, "no disturbances; or rung: F3 or F4");
    }
    None
}

fn by_messages(scenario: &Scenario, rung: Rung) -> Option<RungError> {
    let lock = &scenario.lock;
    if lock.rules != LockRules::Repaired {
        let message = format!("rung {rung} does not support rules that lack a repair");
        return RungError::new("lock.rules", message, "Repaired; or rung: F4");
    }
    if lock.self_messages != SelfMessageSetting::Sent {
        let message = format!("on rung {rung} messages of a node to itself are sent");
        return RungError::new("lock.self_messages", message, "Sent; or rung: F4");
    }
    None
}

/// Refuses scenarios that bit planes cannot represent. The graph must be a torus of one of two kinds, with a multiple
/// of 64 columns. Lock sets of pairs, changes of the graph, and numbers of priorities other than powers of two are
/// refused.
fn by_planes(scenario: &Scenario, topology: &ChosenTopology) -> Option<RungError> {
    let Some(kind) = topology.lattice_kind() else {
        return RungError::new("topology", "rung F2 does not support this graph", LATTICES);
    };
    // Invalid sides of a torus are refused when the torus is built.
    let lattice = topology.lattice()?;
    if !scenario.disturbances.is_empty() {
        let message = "rung F2 does not support graphs that change";
        return RungError::new("disturbances[0]", message, "no disturbances; or rung: F3 or F4");
    }
    if !lattice.width().is_multiple_of(64) {
        let message = format!("rung F2 takes 64 nodes of a row at a time, and a row has {}", lattice.width());
        return RungError::new("topology.columns", message, "a multiple of 64; or rung: F3 or F4");
    }
    let degree = u64::from(kind.degree());
    if let PortCount::Exactly(ports) = scenario.ports
        && ports != degree
    {
        let message = format!(
            "{}, and nodes of this torus have {degree} neighbours on rung F2",
            counted(ports, "port")
        );
        return RungError::new("ports", message, "Auto; or rung: F3 or F4");
    }
    if let PriorityCount::Exactly(number) = scenario.lock.priorities
        && !(number.is_power_of_two() && (2..=512).contains(&number))
    {
        let message =
            format!("rung F2 draws priorities bit by bit, and {number} is not a power of two from 2 to 512");
        return RungError::new(
            "lock.priorities",
            message,
            "Auto, or a power of two from 2 to 512; or rung: F3 or F4",
        );
    }
    let accepted = "AnyLocked or Group; or rung: F3 or F4";
    if let Work::Interactions { way: Partners::PickedPair, .. } = scenario.work {
        return RungError::new("work.way", "rung F2 locks closed neighbourhoods, not pairs", accepted);
    }
    if scenario.lock.lock_set == LockSet::Pair {
        let message = "rung F2 locks closed neighbourhoods, not pairs";
        return RungError::new("lock.lock_set", message, "Auto; or rung: F3 or F4");
    }
    None
}

/// Refuses fields that count single steps or turns on rungs that have none.
fn single_steps(scenario: &Scenario, rung: Rung) -> Option<RungError> {
    if matches!(scenario.fairness, FairnessSetting::Within(_)) {
        let message = format!("rung {rung} has no adversary to bound, and no turns to count");
        return RungError::new("fairness", message, "Auto; or rung: F4");
    }
    if scenario.limits.steps.is_some() {
        let message = format!("rung {rung} does not count single steps");
        return RungError::new("limits.steps", message, "rounds, interactions; or rung: F4");
    }
    if matches!(scenario.observe.counts_every, Some(SampleInterval::Steps(_))) {
        let message = format!("rung {rung} does not count single steps");
        return RungError::new("observe.counts_every", message, "Rounds(…) or Interactions(…); or rung: F4");
    }
    None
}
