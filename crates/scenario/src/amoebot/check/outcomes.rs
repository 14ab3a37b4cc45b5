//! Checks of algorithms of other models in synchronous rounds, for all outcomes of coins.

use std::collections::BTreeSet;

use acrasin_amoebot::algorithm::synchronous::{
    CoinMoment, CoinOutcomes, CoinRoute, OutcomeBounds, OutcomesError, SynchronousDescription,
};
use acrasin_amoebot::{Body, Cell, Shape};
use acrasin_report::value::Value;

use super::found::{AmoebotState, OfStarts, RunMoment, RunToViolation, report};
use super::{Allowance, Starts};
use crate::check::{CheckFigure, CheckReport, CheckTruncation, TruncationReason};
use crate::limits::AMOEBOT_OUTCOMES;

/// Sums and extremes over all starts.
struct OutcomesOfStarts {
    sum: OfStarts<4>,
    /// The smallest probability, over all starts, that a run ends correctly.
    probability: f64,
    /// The largest expected number of rounds; `None` if some run does not end.
    rounds: Option<f64>,
}

/// Explores all outcomes of coins from all starts.
pub(super) fn check(
    description: &dyn SynchronousDescription,
    starts: &Starts<'_>,
    states_max: usize,
    allowance: &Allowance<'_>,
) -> Result<CheckReport<RunToViolation>, String> {
    if allowance.keeper.resumed().is_some() {
        return Err("a check of outcomes of coins has no checkpoints from which it continues".to_owned());
    }
    let mut all = OutcomesOfStarts { sum: OfStarts::NONE, probability: 1.0, rounds: Some(0.0) };
    let (mut started, mut refused, mut why) = (0, 0, None);
    let mut truncated = None;
    for placement in starts.placements() {
        if (allowance.is_stopped)() {
            truncated = Some(cut(TruncationReason::Interrupted, all.sum.states));
            break;
        }
        let bounds = OutcomeBounds {
            states_max: states_max.saturating_sub(all.sum.states),
            bytes_max: allowance.bytes_max,
            outcomes_max: AMOEBOT_OUTCOMES,
            is_stopped: allowance.is_stopped,
        };
        let before = all.sum.states;
        let (reason, states) = match description.explore(&placement, &bounds) {
            Ok(outcomes) => {
                all.add(outcomes, started as usize);
                started += 1;
                continue;
            }
            Err(OutcomesError::Start(message)) => {
                refused += 1;
                why = Some(message);
                continue;
            }
            Err(OutcomesError::States) => {
                (TruncationReason::States { states_max: states_max as u64 }, states_max)
            }
            Err(OutcomesError::Bytes { bytes, states }) => {
                (TruncationReason::Bytes { bytes, bytes_max: allowance.bytes_max }, before + states)
            }
            Err(OutcomesError::Outcomes) => {
                (TruncationReason::Outcomes { outcomes_max: AMOEBOT_OUTCOMES as u64 }, before)
            }
            Err(OutcomesError::Stopped { states }) => (TruncationReason::Interrupted, before + states),
        };
        started += 1;
        truncated = Some(cut(reason, states));
        break;
    }
    if allowance.keeper.is_due(truncated.is_some()) {
        allowance.keeper.keep(None);
    }
    if let (0, Some(message)) = (started, why) {
        return Err(message);
    }
    let violation = all.sum.way.clone();
    Ok(report([started, refused], truncated.map_or_else(|| Ok(all.report()), Err), violation))
}

fn cut(why: TruncationReason, states: usize) -> CheckTruncation {
    CheckTruncation { why, states: Some(states as u64) }
}

impl OutcomesOfStarts {
    fn add(&mut self, one: CoinOutcomes, start: usize) {
        self.probability = self.probability.min(one.probability);
        self.rounds = self.rounds.zip(one.rounds).map(|(most, rounds)| most.max(rounds));
        let counts = [one.ends, one.wrong_ends, one.conflicts, one.hopeless].map(|count| count as u64);
        let final_shapes: BTreeSet<Shape> = one
            .final_cells
            .iter()
            .filter_map(|cells| Shape::from_cells(cells.iter().copied()).ok())
            .collect();
        let one = OfStarts {
            states: one.states,
            moves: one.moves,
            depth: one.depth,
            disconnected: 0,
            faults: 0,
            counts,
            width: 0,
            way: one.way.map(run_to_violation),
            final_shapes,
        };
        self.sum.add(one, start);
    }

    fn report(self) -> CheckReport<RunToViolation> {
        let [ends, wrong_ends, conflicts, hopeless] = self.sum.counts;
        let figures = vec![
            CheckFigure::new("ends", "states in which a run ends", ends),
            CheckFigure::fault("wrong_ends", "final states with a wrong result", wrong_ends),
            CheckFigure::fault("conflicts", "states in which movements may be in conflict", conflicts),
            CheckFigure::fault("hopeless", "states from which no run ends", hopeless),
            CheckFigure::new(
                "probability",
                "least probability of a right end, over all starts",
                self.probability,
            ),
            CheckFigure::new(
                "rounds",
                "most expected rounds, over all starts",
                self.rounds.map_or(Value::Missing, Value::from),
            ),
        ];
        self.sum
            .report("under all outcomes of coins every run can end, and ends with the right result", figures)
    }
}

fn run_to_violation(route: CoinRoute) -> RunToViolation {
    let CoinRoute { to, moments, .. } = route;
    let cells = |moment: Option<&CoinMoment>| -> Vec<Cell> {
        let bodies = moment.map(|moment| moment.bodies.as_slice()).unwrap_or_default();
        bodies.iter().flat_map(|body| body.cells()).collect()
    };
    let state = |moment: &CoinMoment, number: usize| {
        let body: Body = moment.bodies[number];
        AmoebotState {
            number: number as u32,
            head: body.head(),
            tail: (!body.is_contracted()).then(|| body.tail()),
            memory: moment.memories[number].clone(),
        }
    };
    let changed = |at: usize, moment: &CoinMoment| {
        let is_changed = |number: &usize| {
            let before = at.checked_sub(1).map(|before| &moments[before]);
            before.is_none_or(|before| {
                before.bodies[*number] != moment.bodies[*number]
                    || before.memories[*number] != moment.memories[*number]
            })
        };
        (0..moment.bodies.len()).filter(is_changed).map(|number| state(moment, number)).collect()
    };
    let shown = moments
        .iter()
        .enumerate()
        .map(|(at, moment)| RunMoment { what: moment.what.clone(), amoebots: changed(at, moment) });
    RunToViolation {
        to,
        is_shortest: true,
        start: cells(moments.first()),
        steps: moments.iter().skip(1).map(|moment| moment.what.clone()).collect(),
        end: cells(moments.last()),
        moments: shown.collect(),
        ..RunToViolation::default()
    }
}
