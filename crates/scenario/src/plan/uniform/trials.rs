//! Many runs of uniform pairs from one start, without records.

use acrasin_process::{Condition as _, Ending, Progress};
use acrasin_protocols::uniform::{Population, Silent, TOGETHER};

use super::agents::complete_population;
use super::side_by_side::{PopulationRun, advance_side_by_side};
use crate::run::{BareRun, Proceed, RunControl, RunError, TurnRule};

/// The end of one trial.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TrialEnd {
    /// Whether one of the goals was reached.
    pub holds: bool,
    /// The number of interactions at the end.
    pub interactions: u64,
    /// The number of agents in each state at the end.
    pub counts: Vec<u64>,
}

/// Runs the agents of `start` once with each seed, until `rule` ends the run; the rule must limit the interactions.
/// Several runs are advanced side by side if that is faster. `silent` decides whether counts are silent. The results
/// are in the order of the seeds. If the run control ends runs, the results stop before the first unfinished one.
///
/// # Errors
///
/// The agents cannot be started.
pub fn trials(
    start: &Population,
    (rule, silent): (&TurnRule, &Silent),
    seeds: &[u64],
    watch: &dyn RunControl,
) -> Result<Vec<TrialEnd>, RunError> {
    let mut finished = Vec::with_capacity(seeds.len());
    for seeds in seeds.chunks(if start.gains_together() { TOGETHER } else { 1 }) {
        let populations = seeds.iter().map(|&seed| complete_population(start, seed));
        let mut populations = populations.collect::<Result<Vec<Population>, RunError>>()?;
        let runs = populations.iter_mut();
        let runs = runs.map(|population| Some(Trial { run: rule.run_of(population), rule, silent, watch }));
        let mut ends = vec![None; seeds.len()];
        let conditions = rule.conditions.any().expect("a rule of trials has a condition on counts");
        advance_side_by_side(runs.collect(), conditions, |position, trial, ending| {
            ends[position] = (!ending.is_cut_short()).then(|| TrialEnd {
                holds: matches!(ending, Ending::Reached(_)),
                interactions: trial.run.process.interactions(),
                counts: trial.run.process.counts().to_vec(),
            });
        });
        finished.extend(ends.into_iter().map_while(|end| end));
        if watch.look(&Progress::START) != Proceed::Continue {
            break;
        }
    }
    Ok(finished)
}

struct Trial<'a> {
    run: BareRun<'a, Population>,
    rule: &'a TurnRule,
    silent: &'a Silent,
    watch: &'a dyn RunControl,
}

impl PopulationRun for Trial<'_> {
    fn next_limit(&mut self) -> Result<u64, Ending> {
        let Self { run, rule, silent, watch } = self;
        let progress = run.progress();
        if let Some(ending) = run.ending(&progress) {
            return Err(ending);
        }
        if watch.look(&progress) != Proceed::Continue {
            return Err(Ending::Interrupted);
        }
        let is_silent = silent.holds(run.process.counts());
        // In a silent population all interactions up to the limit can be skipped at once.
        let most = if is_silent { u64::MAX } else { run.stride() };
        let limit = run.bound(most)?.interactions;
        if let Some(condition) = rule.conditions.any().filter(|_| is_silent) {
            run.process.run_until(condition, limit);
            return run.ending(&run.progress()).map_or(Ok(limit), Err);
        }
        Ok(limit)
    }

    fn population(&mut self) -> &mut Population {
        self.run.process
    }
}
