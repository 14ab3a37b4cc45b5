//! Exploration of all runs of a plan: `acrasin check`.

use std::fmt::Write as _;
use std::ops::ControlFlow;

use acrasin_explore::{SearchControl, Truncated};
use acrasin_process::Ending;
use acrasin_runtime::World;
use acrasin_runtime::exclusion::{InitialKnowledge, Stamps};
use acrasin_verify::locks::{
    self, Instance, LockModel, LockReport, Options, PropertyVerdict, RefusedInstance, Walked, Walks, Witness,
    check_with, narrate,
};
use acrasin_verify::properties::{dead, promises_of};
use acrasin_verify::replay::{Header, ReplayEnd, ReplayWriter};

use super::super::exploration::{LockCounterexample, Manner};
use super::super::interaction_graph::InteractionGraph;
use super::algorithm::RunAlgorithm;
use super::prepared_run::PreparedRun;
use super::state_counts::CountedSection;
use super::world_run::shown;
use crate::check::{CheckFigure, CheckReport, CheckTruncation};
use crate::run::RunError;

pub(super) fn explore<E: RunAlgorithm, S: CountedSection>(
    beginning: PreparedRun<'_, E, S>,
    manner: Manner,
    options: &Options,
    control: &mut dyn SearchControl,
) -> Result<CheckReport<LockCounterexample>, RunError> {
    let header = beginning.header_of_counterexample();
    let (world, instance, seating, seed) = instance(beginning, manner)?;
    let refused = |refused: RefusedInstance| RunError::drawn(seed, refused.to_string());
    let properties = E::properties::<E, S>();
    let model = LockModel::with_knowledge(instance, &seating, &properties).map_err(refused)?;
    let model = model.with_reductions(manner.reductions).map_err(|error| refused(error.into()))?;
    let report = check_with(&model, options, control);
    let LockReport { exploration, answers } = report.map_err(|error| RunError::resumed(error.to_string()))?;
    let states = Some(exploration.configurations());
    Ok(CheckReport {
        states,
        transitions: Some(exploration.transitions()),
        depth: Some(exploration.depth().into()),
        truncated: exploration.truncated().map(|why| CheckTruncation::of_search(why, states)),
        exploration: Some(exploration),
        ..CheckReport::new(findings(&world, answers, &header)?)
    })
}

pub(super) fn walk<E: RunAlgorithm, S: CountedSection>(
    beginning: PreparedRun<'_, E, S>,
    manner: Manner,
    walks: &Walks,
    progress: &mut dyn FnMut(u64) -> ControlFlow<()>,
) -> Result<CheckReport<LockCounterexample>, RunError> {
    let header = beginning.header_of_counterexample();
    let (world, instance, seating, seed) = instance(beginning, manner)?;
    let properties = E::properties::<E, S>();
    if let Some(only) = &walks.only {
        let mut names: Vec<&str> = properties.iter().map(|property| property.name()).collect();
        names.extend(promises_of(world.exclusion().promises()).iter().map(|(name, _)| name));
        names.extend([dead::NAME, locks::LOCKOUT_FREE]);
        if !names.contains(&only.as_str()) {
            let message = format!("no property is called `{only}` (accepted: {})", names.join("; "));
            return Err(RunError::drawn(seed, message));
        }
    }
    let model = LockModel::with_knowledge(instance, &seating, &properties);
    let model = model.map_err(|refused| RunError::drawn(seed, refused.to_string()))?;
    let asked = walks.walks;
    let Walked { walks, steps, found } = model.walk(walks, progress);
    let is_stopped = walks < asked && found.is_none();
    let truncated = is_stopped.then(|| CheckTruncation::of_search(Truncated::Interrupted, None));
    let figures = vec![CheckFigure::new("walks", "walks", walks), CheckFigure::new("steps", "steps", steps)];
    Ok(CheckReport { truncated, figures, ..CheckReport::new(findings(&world, found, &header)?) })
}

/// The verdicts with counterexamples that can be shown and recorded.
fn findings<E: RunAlgorithm, S: CountedSection>(
    world: &World<E, S>,
    answers: impl IntoIterator<Item = PropertyVerdict<Witness<E>>>,
    header: &Header,
) -> Result<Vec<PropertyVerdict<LockCounterexample>>, RunError> {
    let tell = |answer: PropertyVerdict<Witness<E>>| {
        let property = answer.property;
        answer.try_map(|witness| tell(world, property, witness, header))
    };
    answers.into_iter().map(tell).collect()
}

/// A world with the request timestamps of an exploration, the explored instance, the initial knowledge of its nodes,
/// and its seed.
type Posed<E, S> = (World<E, S>, Instance<E, S>, InitialKnowledge, u64);

/// The instance to explore: algorithm, graph and states of the world, with the powers of the adversary.
fn instance<E: RunAlgorithm, S: CountedSection>(
    beginning: PreparedRun<'_, E, S>,
    manner: Manner,
) -> Result<Posed<E, S>, RunError> {
    let PreparedRun { graph, seed, world, seating, .. } = beginning;
    let Some(world) = world.with_stamps(manner.stamps) else {
        let message = "this algorithm has no request timestamps, so --stamps does not apply";
        return Err(RunError::drawn(seed, message));
    };
    let InteractionGraph::Fixed(graph) = graph else {
        let message = "acrasin check cannot explore Contacts or Mobility (accepted: another topology; with --connections \
                       and --disconnections its edges appear and vanish)";
        return Err(RunError::drawn(seed, message));
    };
    let instance = Instance {
        exclusion: world.exclusion().clone(),
        section: world.section().clone(),
        nodes: graph.nodes(),
        ports: world.topology().ports(),
        edges: graph.edges().to_vec(),
        states: world.states().to_vec(),
        lock_set: world.lock_set_rule(),
        timing: world.timing(),
        disconnections: manner.disconnections,
        connections: manner.connections,
        rewiring: manner.rewiring,
        misuse: manner.misuse,
    };
    Ok((world, instance, seating, seed))
}

/// Converts a counterexample to a description and a replay file.
fn tell<E: RunAlgorithm, S: CountedSection>(
    start: &World<E, S>,
    property: &str,
    witness: Witness<E>,
    header: &Header,
) -> Result<LockCounterexample, RunError> {
    let Witness { text, count, steps, round, waits } = witness;
    let mut world = start.clone();
    if matches!(world.exclusion().stamps(), Stamps::AnyOrder | Stamps::Ranked) {
        world.normalise();
    }
    let lines = narrate(&mut world, &steps);
    let is_dead = world.active().is_empty() && world.outstanding() > 0;
    let ending = match is_dead {
        true => Ending::Deadlock,
        false => Ending::Failed { property: property.to_owned(), what: text.clone() },
    };
    let end = ReplayEnd::of(&world, ending.to_string()).with_ending(ending);
    let written = ReplayWriter::under(world.exclusion(), Vec::new(), header).and_then(|mut writer| {
        let (there, once_round) = steps.split_at(round);
        for (step, picks) in there {
            writer.step(step, picks)?;
        }
        if let Some(node) = waits {
            writer.round(node)?;
        }
        for (step, picks) in once_round {
            writer.step(step, picks)?;
        }
        writer.end(&end)
    });
    let replay = written.map_err(RunError::recording)?;
    let mut configuration = shown(&world);
    if let Some(violation) = world.violation() {
        let _ = write!(configuration, "{violation}");
    }
    let fails_in_replay = is_dead || world.violation().is_some() || waits.is_some();
    Ok(LockCounterexample { text, count, steps: lines, round, fails_in_replay, configuration, replay })
}
