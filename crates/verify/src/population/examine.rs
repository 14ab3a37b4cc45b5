//! Explores the configuration graph of one input and checks its bottom components.

use std::ops::ControlFlow;

use super::claim::{Claim, RIGHT_IF_FALSE, RIGHT_IF_TRUE};
use super::configuration::{Configurations, PopulationConfiguration, PopulationInteraction, SILENT};
use super::counterexample::{Bottom, PopulationCounterexample};
use acrasin_explore::{Components, Exploration, Limits, NotASearch, SearchControl, Truncated};

/// The maximum number of configurations of a wrong component that a counterexample shows.
const SHOWN: usize = 6;

/// The counts for one input, and its counterexample if one was found.
pub(super) struct Examined {
    pub(super) configurations: u64,
    pub(super) transitions: u64,
    pub(super) depth: u32,
    pub(super) bottoms: u64,
    pub(super) silent: u64,
    pub(super) silent_example: Option<PopulationConfiguration>,
    pub(super) wrong: Option<PopulationCounterexample>,
}

pub(super) fn examine<M: Configurations>(
    model: &M,
    claim: &Claim,
    input: &[u64],
    limits: &Limits,
    control: &mut dyn SearchControl,
) -> Result<Result<Examined, Truncated>, NotASearch> {
    let limits = Limits { keep_graph: true, stop_at_first: false, ..*limits };
    let exploration = acrasin_explore::explore_with(model, &limits, control)?;
    let Some(graph) = exploration.graph() else {
        return Ok(Err(exploration.truncated().unwrap_or(Truncated::Memory)));
    };
    let components = Components::of(graph);
    let value = claim.value(input);
    let wanted = if value { RIGHT_IF_TRUE } else { RIGHT_IF_FALSE };
    let mut is_wrong = vec![false; components.count() as usize];
    let all = 0..graph.len() as u32;
    for configuration in all.clone() {
        let component = components.of_configuration(configuration);
        is_wrong[component as usize] |=
            components.is_bottom(component) && graph.label(configuration) & wanted == 0;
    }
    let silent = all.clone().filter(|&configuration| graph.label(configuration) & SILENT != 0);
    let first_silent = silent.clone().next();
    let replayed = |configuration| replay(model, &exploration, configuration);
    let wrong = is_wrong.contains(&true).then(|| {
        let depths = exploration.depths();
        let in_wrong = |configuration: &u32| is_wrong[components.of_configuration(*configuration) as usize];
        let entered = all
            .filter(in_wrong)
            .min_by_key(|&configuration| depths[configuration as usize])
            .expect("a wrong component has a configuration");
        let component = components.of_configuration(entered);
        let members: Vec<u32> = components.members(component).collect();
        let is_right = |configuration: &u32| graph.label(*configuration) & wanted != 0;
        let wrong = if is_right(&entered) {
            let nearest = members.iter().copied().filter(|member| !is_right(member));
            nearest.min_by_key(|&member| depths[member as usize]).expect("the component is wrong")
        } else {
            entered
        };
        let (start, run, end) = replayed(entered);
        PopulationCounterexample {
            input: input.to_vec(),
            value,
            is_eventual: claim.is_eventual(),
            start,
            run,
            bottom: Bottom {
                configurations: members.len() as u64,
                is_silent: graph.label(entered) & SILENT != 0,
                shown: members.iter().take(SHOWN).map(|&member| replayed(member).2).collect(),
                wrong: replayed(wrong).2,
                entered: end,
            },
        }
    });
    Ok(Ok(Examined {
        configurations: exploration.configurations(),
        transitions: exploration.transitions(),
        depth: exploration.depth(),
        bottoms: (0..components.count()).filter(|&component| components.is_bottom(component)).count() as u64,
        silent: silent.count() as u64,
        silent_example: first_silent.map(|configuration| replayed(configuration).2),
        wrong,
    }))
}

/// Replays a shortest run to a configuration. Returns the start, the interactions and the final configuration.
fn replay<M: Configurations>(
    model: &M,
    exploration: &Exploration,
    configuration: u32,
) -> (PopulationConfiguration, Vec<PopulationInteraction>, PopulationConfiguration) {
    let trace = exploration.trace(configuration);
    let (mut packed, mut position) = (Vec::new(), 0);
    model.starts(&mut model.workbench(), &mut |start| {
        if position == trace.start {
            packed = start.to_vec();
            return ControlFlow::Break(());
        }
        position += 1;
        ControlFlow::Continue(())
    });
    let start = model.unpacked(&packed);
    let mut run = Vec::with_capacity(trace.moves.len());
    for wanted in trace.moves {
        let mut taken = None;
        model.interactions(&packed, &mut |id, interaction, next| {
            if id == wanted {
                taken = Some((interaction, next.to_vec()));
            }
        });
        let (interaction, next) = taken.expect("a move of a trace can be made again");
        run.push(interaction);
        packed = next;
    }
    (start, run, model.unpacked(&packed))
}
