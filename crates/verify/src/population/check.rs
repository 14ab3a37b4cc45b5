//! Checks a claim for all inputs of all sizes.

use std::ops::ControlFlow;

use acrasin_protocols::Table;
use serde::{Deserialize, Serialize};

use super::claim::Claim;
use super::configuration::{Occurring, PopulationConfiguration};
use super::counterexample::PopulationCounterexample;
use super::counts::CountsModel;
use super::examine::{Examined, examine};
use super::inputs::inputs as all_inputs;
use super::nodes::NodesModel;
use super::populations::CheckedPopulation;
use acrasin_explore::{Limits, NotASearch, SearchControl, SearchProgress, Truncated};

/// The progress of a check, for callbacks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClaimProgress {
    /// The number of agents of the current inputs.
    pub agents: u32,
    /// The number of inputs checked so far, of all sizes.
    pub inputs: u64,
    /// The number of configurations explored so far, over all inputs.
    pub configurations: u64,
}

/// Controls a check of a claim, and stores checkpoints of it.
pub trait ClaimControl {
    /// Called regularly during the check, and may stop it.
    fn proceed(&mut self, at: &ClaimProgress) -> ControlFlow<()>;

    /// The state from which the check continues; `None` for a new check.
    fn resumed(&mut self) -> Option<ClaimState> {
        None
    }

    /// Whether the state should be stored now. `is_stopped` tells whether a limit or this control has stopped the
    /// check.
    fn is_due(&mut self, is_stopped: bool) -> bool {
        let _ = is_stopped;
        false
    }

    /// Stores the state of the check. Called when [`is_due`](Self::is_due) returns true.
    fn keep(&mut self, state: ClaimState) {
        let _ = state;
    }
}

/// The saved state of a check of a claim, between two blocks of an exploration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClaimState {
    /// The counts for all inputs checked so far, as JSON.
    pub counts: Vec<u8>,
    /// The exploration of the current input; `None` between two inputs.
    pub search: Option<Vec<u8>>,
}

/// A control that stores no checkpoints.
struct Unsaved<'p>(&'p mut dyn FnMut(&ClaimProgress) -> ControlFlow<()>);

impl ClaimControl for Unsaved<'_> {
    fn proceed(&mut self, at: &ClaimProgress) -> ControlFlow<()> {
        (self.0)(at)
    }
}

/// The counts of a check so far.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
struct SavedCounts {
    /// The counts of the populations that are explored completely.
    covered: Vec<PopulationCoverage>,
    /// The counts of the current population.
    here: PopulationCoverage,
    /// The number of inputs of the current population that have been explored or excluded.
    passed: u64,
    shortest: Option<PopulationCounterexample>,
    inputs: u64,
    configurations: u64,
}

/// Controls the exploration of one input, and passes its progress on to the control of the whole check.
struct InputControl<'a> {
    control: &'a mut dyn ClaimControl,
    counts: &'a SavedCounts,
    resumed: Option<Vec<u8>>,
}

impl SavedCounts {
    fn progress(&self) -> ClaimProgress {
        ClaimProgress { agents: self.here.agents, inputs: self.inputs, configurations: self.configurations }
    }

    fn state(&self, search: Option<Vec<u8>>) -> ClaimState {
        ClaimState { counts: serde_json::to_vec(self).expect("counts have a JSON form"), search }
    }
}

impl SearchControl for InputControl<'_> {
    fn proceed(&mut self, at: &SearchProgress) -> ControlFlow<()> {
        let now = self.counts.progress();
        self.control.proceed(&ClaimProgress { configurations: now.configurations + at.configurations, ..now })
    }

    fn resumed(&mut self) -> Option<Vec<u8>> {
        self.resumed.take()
    }

    fn is_due(&mut self, is_stopped: bool) -> bool {
        self.control.is_due(is_stopped)
    }

    fn keep(&mut self, state: Vec<u8>) {
        self.control.keep(self.counts.state(Some(state)));
    }
}

/// Counts for one population. The population was explored completely, unless a limit ended the check in it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct PopulationCoverage {
    /// The number of agents.
    pub agents: u32,
    /// The number of inputs explored completely. On a graph an input is the number of nodes in each state, and all its
    /// placements on the nodes are explored.
    pub inputs: u64,
    /// The number of inputs that the claim does not cover: see [`Claim::given`].
    pub excluded: u64,
    /// The number of configurations reached, summed over the inputs.
    pub configurations: u64,
    /// The number of interactions that change a configuration, summed over the inputs.
    pub transitions: u64,
    /// The largest distance of a configuration from its input, in interactions.
    pub depth: u32,
    /// The number of bottom components, summed over the inputs.
    pub bottoms: u64,
    /// The number of silent configurations reached, summed over the inputs.
    pub silent: u64,
    /// One of the silent configurations; `None` if there are none.
    pub silent_example: Option<PopulationConfiguration>,
}

/// The verdict of a check on a claim.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ClaimOutcome {
    /// The claim holds for every input.
    Holds,
    /// The claim fails. The counterexample is a shortest run to a wrong bottom component, among the explored inputs of
    /// the first population with such a component.
    Fails(Box<PopulationCounterexample>),
    /// A limit was reached before a failure was found.
    Truncated {
        /// The limit that was reached.
        why: Truncated,
        /// The index of the population in which the limit was reached; the populations before it are covered.
        population: usize,
    },
}

/// The result of a check of a claim.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PopulationReport {
    /// Counts for the explored populations, one element per population.
    pub covered: Vec<PopulationCoverage>,
    /// Whether the claim holds, fails, or is undecided because of a limit.
    pub outcome: ClaimOutcome,
    /// The limit that left inputs of the last population unexplored, even if the claim fails. `None` if all inputs were
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

/// Checks a claim: examines every bottom component reached from every input of every population. An input distributes
/// the agents over the states `inputs`.
///
/// Populations are checked in the given order, up to the first with a wrong input. The limits apply to each input
/// separately, because its memory is released before the next input is explored. `progress` is called regularly and may
/// stop the check. The answer does not depend on the number of threads. Explorations distinguish configurations by
/// 128-bit digests, so the answer is wrong with probability below Σ n² / 2^129 for inputs with n configurations.
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
    let control = &mut Unsaved(&mut progress);
    check_with(table, claim, inputs, populations, limits, control).expect("it continues nothing")
}

/// Checks like [`check`], and saves and continues the check as `control` says.
///
/// # Errors
///
/// The state from which to continue belongs to another check.
///
/// # Panics
///
/// Panics as [`check`] does.
pub fn check_with(
    table: &Table,
    claim: &Claim,
    inputs: &[u16],
    populations: &[CheckedPopulation],
    limits: &Limits,
    control: &mut dyn ClaimControl,
) -> Result<PopulationReport, NotASearch> {
    assert!(
        (1..inputs.len()).all(|place| !inputs[..place].contains(&inputs[place])),
        "each input state is given once"
    );
    let occurring = Occurring::new(table, inputs);
    let (mut all, mut search) = (SavedCounts::default(), None);
    let mut first = 0;
    if let Some(state) = control.resumed() {
        all = serde_json::from_slice(&state.counts).map_err(|_| NotASearch)?;
        search = state.search;
        first = all.covered.len();
        let is_same = |(covered, population): (&PopulationCoverage, &CheckedPopulation)| {
            covered.agents == population.agents
        };
        let known = all.covered.iter().chain([&all.here]);
        if first >= populations.len() || !known.zip(populations).all(is_same) {
            return Err(NotASearch);
        }
    }
    for (index, population) in populations.iter().enumerate().skip(first) {
        if all.passed == 0 && search.is_none() {
            all.here = PopulationCoverage { agents: population.agents, ..PopulationCoverage::default() };
        }
        let mut truncated = None;
        let passed = usize::try_from(all.passed).map_err(|_| NotASearch)?;
        for shares in all_inputs(population.agents, inputs.len()).skip(passed) {
            let mut input = vec![0; usize::from(table.state_count())];
            for (&state, &count) in inputs.iter().zip(&shares) {
                input[usize::from(state)] = u64::from(count);
            }
            if !claim.is_about(&input) {
                all.here.excluded += 1;
                all.passed += 1;
                continue;
            }
            if search.is_none() {
                let stops = control.proceed(&all.progress()).is_break();
                if control.is_due(stops) {
                    control.keep(all.state(None));
                }
                if stops {
                    truncated = Some(Truncated::Interrupted);
                    break;
                }
            }
            let mut ask = InputControl { control: &mut *control, counts: &all, resumed: search.take() };
            let examined = match &population.arcs {
                None => {
                    let model = CountsModel { table, claim, occurring: &occurring, input: &input };
                    examine(&model, claim, &input, limits, &mut ask)?
                }
                Some(arcs) => {
                    let model = NodesModel { table, claim, occurring: &occurring, arcs, input: &input };
                    examine(&model, claim, &input, limits, &mut ask)?
                }
            };
            match examined {
                Ok(examined) => {
                    all.passed += 1;
                    all.inputs += 1;
                    all.configurations += examined.configurations;
                    if let Some(wrong) = all.here.take_in(examined)
                        && all.shortest.as_ref().is_none_or(|known| wrong.run.len() < known.run.len())
                    {
                        all.shortest = Some(wrong);
                    }
                }
                Err(why) => {
                    truncated = Some(why);
                    break;
                }
            }
        }
        all.passed = 0;
        all.covered.push(std::mem::take(&mut all.here));
        let outcome = match (all.shortest.take(), truncated) {
            (Some(wrong), _) => ClaimOutcome::Fails(Box::new(wrong)),
            (None, Some(why)) => ClaimOutcome::Truncated { why, population: index },
            (None, None) => continue,
        };
        return Ok(PopulationReport { covered: all.covered, outcome, truncated });
    }
    Ok(PopulationReport { covered: all.covered, outcome: ClaimOutcome::Holds, truncated: None })
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
