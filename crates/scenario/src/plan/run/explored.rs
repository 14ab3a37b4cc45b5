//! Every run of a plan's world at once: `acrasin check`.

use std::fmt::Write as _;
use std::ops::ControlFlow;

use acrasin_explore::Progress;
use acrasin_runtime::exclusion::Stamps;
use acrasin_runtime::{StepOf, World};
use acrasin_verify::locks::{Instance, Options, Verdict, Witness};
use acrasin_verify::replay::{End, ReplayWriter};

use super::super::exploration::{Answer, Answered, Explored, Manner, Shown};
use super::super::interaction_graph::InteractionGraph;
use super::beginning::Beginning;
use super::judge::DEADLOCK;
use super::turns::shown;
use super::under::{Algorithm, Under};
use crate::run::RunError;

pub(super) fn explore<E: Algorithm, S: Under<E>>(
    beginning: Beginning<'_, E, S>,
    manner: Manner,
    options: &Options,
    progress: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
) -> Result<Explored, RunError> {
    let header = beginning.header();
    let Beginning { graph, seed, world, seating, .. } = beginning;
    let Some(world) = world.with_stamps(manner.stamps) else {
        let message = "the requests of this algorithm have no stamps: there is nothing to take otherwise";
        return Err(RunError::drawn(seed, message));
    };
    let InteractionGraph::Fixed(graph) = graph else {
        let message = "contacts and mobility change the graph by themselves: check explores a graph and every change \
                       of it within a budget";
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
    let report = <S as Under<E>>::explore((instance, &seating), manner.reductions, options, progress);
    let report = report.map_err(|refused| RunError::drawn(seed, refused.to_string()))?;
    let mut answers = Vec::new();
    for answer in report.answers {
        let answered = match answer.verdict {
            Verdict::Holds => Answered::Holds,
            Verdict::Open => Answered::Open,
            Verdict::NotAsked(why) => Answered::NotAsked(why),
            Verdict::Broken(witness) => {
                let property = answer.property;
                Answered::Broken(Box::new(tell(&world, property, witness, |end, steps| {
                    let mut writer = ReplayWriter::under(world.exclusion(), Vec::new(), &header)?;
                    for (step, picks) in steps {
                        writer.step(step, picks)?;
                    }
                    writer.end(end)
                })?))
            }
        };
        answers.push(Answer { property: answer.property, source: answer.source, answered });
    }
    Ok(Explored { exploration: report.exploration, answers })
}

/// A witness in words, and as a replay.
fn tell<E: Algorithm, S: Under<E>>(
    start: &World<E, S>,
    property: &str,
    witness: Witness<E>,
    write: impl FnOnce(&End, &[(StepOf<E>, Vec<u32>)]) -> std::io::Result<Vec<u8>>,
) -> Result<Shown, RunError> {
    let Witness { text, count, steps, round } = witness;
    let mut world = start.clone();
    if world.exclusion().stamps() == Stamps::AnyOrder {
        world.normalise();
    }
    let lines = <S as Under<E>>::narrate(&mut world, &steps);
    let is_dead = world.active().is_empty() && world.outstanding() > 0;
    let outcome = if is_dead { DEADLOCK.to_owned() } else { format!("{property}: {text}") };
    let end = End::of(&world, outcome);
    let replay = write(&end, &steps).map_err(RunError::recording)?;
    let mut configuration = shown(&world);
    if let Some(violation) = world.violation() {
        let _ = write!(configuration, "{violation}");
    }
    let fails_in_replay = is_dead || world.violation().is_some();
    Ok(Shown { text, count, steps: lines, round, fails_in_replay, configuration, replay })
}
