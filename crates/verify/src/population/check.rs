//! Checks a claim for all inputs of all sizes.

use std::ops::ControlFlow;

use acrasin_protocols::Table;

use super::claim::Claim;
use super::configuration::{Occurring, PopulationConfiguration};
use super::counterexample::PopulationCounterexample;
use super::counts::CountsModel;
use super::examine::{Examined, examine};
use super::inputs::inputs as all_inputs;
use super::nodes::NodesModel;
use super::populations::CheckedPopulation;
use acrasin_explore::{Limits, Truncated};

/// Progress of a check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClaimProgress {
    /// The number of agents of the current inputs.
    pub agents: u32,
    /// Inputs checked so far, of all sizes.
    pub inputs: u64,
    /// The number of configurations explored so far, over all inputs.
    pub configurations: u64,
}

/// Counts of one population, which was explored completely unless the check was truncated there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PopulationCoverage {
    /// The number of agents.
    pub agents: u32,
    /// Inputs explored completely. On a graph an input is the number of nodes in each state; all its placements are
    /// explored.
    pub inputs: u64,
    /// Inputs outside the claim: see [`Claim::given`].
    pub excluded: u64,
    /// The number of configurations reached, summed over the inputs.
    pub configurations: u64,
    /// The number of interactions that change a configuration, summed over the inputs.
    pub transitions: u64,
    /// The largest distance of a configuration from its input, in interactions.
    pub depth: u32,
    /// Bottom components, summed over the inputs.
    pub bottoms: u64,
    /// Silent configurations reached, summed over the inputs.
    pub silent: u64,
    /// One of the silent configurations.
    pub silent_example: Option<PopulationConfiguration>,
}

/// The verdict on a claim.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ClaimOutcome {
    /// The claim holds for every input.
    Holds,
    /// A shortest run to a wrong component among the explored inputs of the first population in which one was found.
    Fails(Box<PopulationCounterexample>),
    /// A limit was reached before a failure was found.
    Truncated {
        /// The limit that was reached.
        why: Truncated,
        /// The index of the population in which the limit was reached; the populations before it are covered.
        population: usize,
    },
}

/// The result of a check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PopulationReport {
    /// Counts of the explored populations, one element each.
    pub covered: Vec<PopulationCoverage>,
    /// The verdict.
    pub outcome: ClaimOutcome,
    /// The limit that left inputs of the last population unexplored, even if the claim fails. `None` if all were
    /// explored.
    pub truncated: Option<Truncated>,
}

impl PopulationReport {
    /// The number of inputs explored completely.
    #[must_use]
    pub fn inputs(&self) -> u64 {
        self.covered.iter().map(|covered| covered.inputs).sum()
    }

    /// The number of configurations, summed over the inputs.
    #[must_use]
    pub fn configurations(&self) -> u64 {
        self.covered.iter().map(|covered| covered.configurations).sum()
    }
}

/// Checks every bottom component reached from every input of every population. An input distributes the agents over
/// the states `inputs`.
///
/// Populations are checked in the given order, up to the first with a wrong input. The limits apply to one input at a
/// time: its memory is released before the next. `progress` is called now and then and may stop the check. The answer
/// does not depend on the number of threads. Explorations distinguish configurations by 128-bit digests, so the
/// answer is wrong with probability below Σ n² / 2^129 for inputs with n configurations.
///
/// # Panics
///
/// Panics if `inputs` has a state that is not in the table, or a state twice.
#[must_use]
pub fn check(
    table: &Table,
    claim: &Claim,
    inputs: &[u16],
    populations: &[CheckedPopulation],
    limits: &Limits,
    mut progress: impl FnMut(&ClaimProgress) -> ControlFlow<()>,
) -> PopulationReport {
    check_all(table, claim, inputs, populations, limits, &mut progress)
}

/// [`check`] without the type parameter, so that it is compiled once.
fn check_all(
    table: &Table,
    claim: &Claim,
    inputs: &[u16],
    populations: &[CheckedPopulation],
    limits: &Limits,
    progress: &mut dyn FnMut(&ClaimProgress) -> ControlFlow<()>,
) -> PopulationReport {
    assert!(
        (1..inputs.len()).all(|place| !inputs[..place].contains(&inputs[place])),
        "each input state is given once"
    );
    let occurring = Occurring::new(table, inputs);
    let mut covered = Vec::new();
    let mut done = ClaimProgress { agents: 0, inputs: 0, configurations: 0 };
    for (index, population) in populations.iter().enumerate() {
        let mut here = PopulationCoverage {
            agents: population.agents,
            inputs: 0,
            excluded: 0,
            configurations: 0,
            transitions: 0,
            depth: 0,
            bottoms: 0,
            silent: 0,
            silent_example: None,
        };
        done.agents = population.agents;
        let mut shortest: Option<PopulationCounterexample> = None;
        let mut truncated = None;
        for shares in all_inputs(population.agents, inputs.len()) {
            let mut input = vec![0; usize::from(table.state_count())];
            for (&state, &count) in inputs.iter().zip(&shares) {
                input[usize::from(state)] = u64::from(count);
            }
            if !claim.is_about(&input) {
                here.excluded += 1;
                continue;
            }
            if progress(&done).is_break() {
                truncated = Some(Truncated::Interrupted);
                break;
            }
            let mut ask = |now: &acrasin_explore::SearchProgress| {
                progress(&ClaimProgress { configurations: done.configurations + now.configurations, ..done })
            };
            let examined = match &population.arcs {
                None => {
                    let model = CountsModel { table, claim, occurring: &occurring, input: &input };
                    examine(&model, claim, &input, limits, &mut ask)
                }
                Some(arcs) => {
                    let model = NodesModel { table, claim, occurring: &occurring, arcs, input: &input };
                    examine(&model, claim, &input, limits, &mut ask)
                }
            };
            match examined {
                Ok(examined) => {
                    done.inputs += 1;
                    done.configurations += examined.configurations;
                    if let Some(wrong) = here.take_in(examined)
                        && shortest.as_ref().is_none_or(|known| wrong.run.len() < known.run.len())
                    {
                        shortest = Some(wrong);
                    }
                }
                Err(why) => {
                    truncated = Some(why);
                    break;
                }
            }
        }
        covered.push(here);
        let outcome = match (shortest, truncated) {
            (Some(wrong), _) => ClaimOutcome::Fails(Box::new(wrong)),
            (None, Some(why)) => ClaimOutcome::Truncated { why, population: index },
            (None, None) => continue,
        };
        return PopulationReport { covered, outcome, truncated };
    }
    PopulationReport { covered, outcome: ClaimOutcome::Holds, truncated: None }
}

impl PopulationCoverage {
    fn take_in(&mut self, examined: Examined) -> Option<PopulationCounterexample> {
        self.inputs += 1;
        self.configurations += examined.configurations;
        self.transitions += examined.transitions;
        self.depth = self.depth.max(examined.depth);
        self.bottoms += examined.bottoms;
        self.silent += examined.silent;
        if self.silent_example.is_none() {
            self.silent_example = examined.silent_example;
        }
        examined.wrong
    }
}
