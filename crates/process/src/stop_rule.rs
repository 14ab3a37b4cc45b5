//! [`StopRule`]: the evaluation of stop conditions.

use crate::condition::StopCondition;
use crate::ending::{Awaited, Ending, Goal};
use crate::progress::{Measure, Progress, StopBound};

/// The stop conditions of a run as written: goals, limits, and the end of its trace.
///
/// Goals are evaluated in the order in which they are written. The first one that holds ends the run as done. If none
/// holds, the end of the trace ends the run, or else the first limit that is reached. `P` is a predicate on counts.
///
/// ```
/// use acrasin_process::{StopBound, Ending, Goal, Measure, Progress, StopGoal, StopRule};
///
/// let rule: StopRule<()> = StopRule {
///     goals: vec![StopGoal::Silent, StopGoal::Bound(StopBound::Count(Measure::Rounds, 10))],
///     ..StopRule::default()
/// };
/// let progress = Progress { rounds: 12, ..Progress::START };
/// let ending = rule.ending(&progress, |_, _| false).unwrap();
/// assert_eq!(ending.to_string(), "12 rounds are over");
/// let silent = rule.ending(&progress, |_, goal| matches!(goal, StopGoal::Silent));
/// assert_eq!(silent, Some(Ending::Reached(Goal::Silent)));
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct StopRule<P> {
    /// Conditions that end the run as done.
    pub goals: Vec<StopGoal<P>>,
    /// Bounds that end the run as unfinished.
    pub limits: Vec<StopBound>,
    /// The round in which the trace of contacts is over; `None` without a trace.
    pub trace_end: Option<u64>,
    /// The event that the run waits for. The message of a limit names it.
    pub awaited: Awaited,
}

/// A stop condition as written in a scenario.
#[derive(Clone, PartialEq, Debug)]
pub enum StopGoal<P> {
    /// All nodes have the same output.
    Agreed,
    /// All nodes have the same output, and no interaction can change it.
    Stable,
    /// No interaction, or reaction, changes anything.
    Silent,
    /// The protocol has reached its purpose, and no later interaction can undo this.
    Settled,
    /// A predicate on counts holds.
    Counts {
        /// The parsed predicate.
        predicate: P,
        /// The predicate as written in the scenario.
        text: String,
    },
    /// A condition of a user's crate holds.
    Own {
        /// The condition to evaluate.
        condition: StopCondition,
        /// The condition as it is written in the scenario.
        text: String,
    },
    /// A bound is reached.
    Bound(StopBound),
    /// The trace of contacts is over.
    TraceEnd,
}

impl<P> Default for StopRule<P> {
    fn default() -> Self {
        Self { goals: Vec::new(), limits: Vec::new(), trace_end: None, awaited: Awaited::StopCondition }
    }
}

impl<P> StopRule<P> {
    /// The ending, if the run is over. `holds` evaluates goals about states, given with their position in
    /// [`goals`](Self::goals): [`Agreed`](StopGoal::Agreed), [`Stable`](StopGoal::Stable),
    /// [`Silent`](StopGoal::Silent), [`Settled`](StopGoal::Settled), [`Counts`](StopGoal::Counts) and
    /// [`Own`](StopGoal::Own).
    pub fn ending(
        &self,
        progress: &Progress,
        holds: impl FnMut(usize, &StopGoal<P>) -> bool,
    ) -> Option<Ending> {
        self.goal(progress, holds).or_else(|| self.trace(progress)).or_else(|| self.limit(progress))
    }

    /// The ending by the first goal that holds; `None` if none holds.
    #[inline]
    pub fn goal(
        &self,
        progress: &Progress,
        mut holds: impl FnMut(usize, &StopGoal<P>) -> bool,
    ) -> Option<Ending> {
        let (_, goal) = self.goals.iter().enumerate().find(|(position, goal)| match goal {
            StopGoal::Bound(bound) => bound.is_reached(progress),
            StopGoal::TraceEnd => self.trace_is_over(progress),
            of_states => holds(*position, of_states),
        })?;
        Some(Ending::Reached(goal.reached(progress)))
    }

    /// The ending if the trace is over: done for a run without goals, otherwise unfinished.
    #[must_use]
    #[inline]
    pub fn trace(&self, progress: &Progress) -> Option<Ending> {
        let ending = if self.goals.is_empty() { Ending::Reached(Goal::TraceEnd) } else { Ending::TraceOver };
        self.trace_is_over(progress).then_some(ending)
    }

    /// The ending by the first limit that is reached; `None` if none is reached.
    #[must_use]
    #[inline]
    pub fn limit(&self, progress: &Progress) -> Option<Ending> {
        let of = *self.limits.iter().find(|limit| limit.is_reached(progress))?;
        Some(Ending::Limit { of, before: self.awaited })
    }

    /// The bounds of goals and limits, in the order in which they are written.
    pub fn bounds(&self) -> impl Iterator<Item = StopBound> {
        let goals = self.goals.iter().filter_map(|goal| match goal {
            StopGoal::Bound(bound) => Some(*bound),
            _ => None,
        });
        goals.chain(self.limits.iter().copied())
    }

    /// The smallest bound of a counter; `None` without one. The end of the trace counts as a bound of rounds.
    #[must_use]
    pub fn least(&self, measure: Measure) -> Option<u64> {
        let trace = self.trace_end.filter(|_| measure == Measure::Rounds);
        let counts = self.bounds().filter_map(|bound| match bound {
            StopBound::Count(of, count) if of == measure => Some(count),
            _ => None,
        });
        counts.chain(trace).min()
    }

    /// The smallest bound of each counter that goals or limits bound, in the order in which the counters are
    /// first named.
    #[must_use]
    pub fn least_counts(&self) -> Vec<(Measure, u64)> {
        let mut least: Vec<(Measure, u64)> = Vec::new();
        for bound in self.bounds() {
            let StopBound::Count(measure, count) = bound else { continue };
            match least.iter_mut().find(|(other, _)| *other == measure) {
                Some((_, fewest)) => *fewest = count.min(*fewest),
                None => least.push((measure, count)),
            }
        }
        least
    }

    /// The smallest time bound of goals and limits; infinite if there is none.
    #[must_use]
    pub fn earliest(&self) -> f64 {
        let times = self.bounds().filter_map(|bound| match bound {
            StopBound::Time(time) => Some(time),
            StopBound::Count(..) => None,
        });
        times.fold(f64::INFINITY, f64::min)
    }

    /// The fraction of the nearest bound that is reached, from 0 to 1; `None` if there is no bound.
    #[must_use]
    pub fn fraction(&self, progress: &Progress) -> Option<f64> {
        let trace = self.trace_end.map(|round| StopBound::Count(Measure::Rounds, round));
        self.bounds().chain(trace).map(|bound| bound.fraction(progress).min(1.0)).reduce(f64::max)
    }

    /// Whether a goal of a user's crate depends on progress, so that it can begin to hold although no state changes.
    #[must_use]
    pub fn has_progress_condition(&self) -> bool {
        self.wants(|goal| matches!(goal, StopGoal::Own { condition: StopCondition::Progress(_), .. }))
    }

    /// Whether the run has a goal for which `is_wanted` returns true.
    pub fn wants(&self, is_wanted: impl Fn(&StopGoal<P>) -> bool) -> bool {
        self.goals.iter().any(is_wanted)
    }

    fn trace_is_over(&self, progress: &Progress) -> bool {
        self.trace_end.is_some_and(|round| progress.rounds >= round)
    }
}

impl<P> StopGoal<P> {
    /// The reached goal that this stop condition becomes. Bounds on most counters get the value in `progress`.
    fn reached(&self, progress: &Progress) -> Goal {
        match self {
            Self::Agreed => Goal::Agreed { at_start: progress.is_at_start() },
            Self::Stable => Goal::Stable,
            Self::Silent if progress.time.is_some() => Goal::NoReaction,
            Self::Silent => Goal::Silent,
            Self::Settled => Goal::Settled,
            Self::Counts { text, .. } => Goal::Counts(text.clone()),
            Self::Own { text, .. } => Goal::Own(text.clone()),
            Self::Bound(bound @ (StopBound::Count(Measure::Reactions, _) | StopBound::Time(_))) => {
                Goal::Bound(*bound)
            }
            Self::Bound(StopBound::Count(measure, _)) => {
                Goal::Bound(StopBound::Count(*measure, progress.count(*measure)))
            }
            Self::TraceEnd => Goal::TraceEnd,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rounds(rounds: u64) -> StopBound {
        StopBound::Count(Measure::Rounds, rounds)
    }

    fn rule(goals: Vec<StopGoal<()>>, limits: Vec<StopBound>, trace_end: Option<u64>) -> StopRule<()> {
        StopRule { goals, limits, trace_end, ..StopRule::default() }
    }

    fn at(rounds: u64, interactions: u64) -> Progress {
        Progress { rounds, interactions, ..Progress::START }
    }

    #[test]
    fn a_bound_is_reached_exactly_at_its_value() {
        let rule =
            rule(vec![StopGoal::Bound(rounds(5))], vec![StopBound::Count(Measure::Interactions, 7)], None);
        let ending = |rounds, interactions| rule.ending(&at(rounds, interactions), |_, _| false);
        assert_eq!(ending(4, 6), None);
        assert_eq!(ending(5, 6), Some(Ending::Reached(Goal::Bound(rounds(5)))));
        let of = StopBound::Count(Measure::Interactions, 7);
        assert_eq!(ending(4, 7), Some(Ending::Limit { of, before: Awaited::StopCondition }));
        // A goal takes precedence over a limit.
        assert_eq!(ending(6, 9), Some(Ending::Reached(Goal::Bound(rounds(6)))));
    }

    #[test]
    fn the_first_goal_in_written_order_ends_the_run() {
        let holds = |_: usize, goal: &StopGoal<()>| *goal != StopGoal::Stable;
        let goals = [StopGoal::Stable, StopGoal::Agreed, StopGoal::Silent];
        let ending = |goals: &[StopGoal<()>]| rule(goals.to_vec(), vec![], None).ending(&at(0, 0), holds);
        assert_eq!(ending(&goals), Some(Ending::Reached(Goal::Agreed { at_start: true })));
        assert_eq!(ending(&[StopGoal::Silent, StopGoal::Agreed]), Some(Ending::Reached(Goal::Silent)));
        assert_eq!(ending(&goals[..1]), None);
    }

    #[test]
    fn the_end_of_a_trace_is_a_goal_without_others_and_a_budget_with_some() {
        let ending = |goals| rule(goals, vec![rounds(9)], Some(8)).ending(&at(9, 0), |_, _| false);
        assert_eq!(ending(vec![]), Some(Ending::Reached(Goal::TraceEnd)));
        assert_eq!(ending(vec![StopGoal::Silent]), Some(Ending::TraceOver));
        assert_eq!(ending(vec![StopGoal::Silent, StopGoal::TraceEnd]), Some(Ending::Reached(Goal::TraceEnd)));
    }

    #[test]
    fn the_nearest_bound_is_known() {
        let goals =
            vec![StopGoal::Bound(rounds(40)), StopGoal::Bound(StopBound::Time(8.0)), StopGoal::Silent];
        let rule = rule(goals, vec![rounds(30), StopBound::Count(Measure::Interactions, 10)], Some(50));
        assert_eq!((rule.least(Measure::Rounds), rule.least(Measure::Interactions)), (Some(30), Some(10)));
        assert_eq!(rule.least_counts(), [(Measure::Rounds, 30), (Measure::Interactions, 10)]);
        assert_eq!((rule.least(Measure::Steps), rule.earliest()), (None, 8.0));
        assert_eq!(rule.fraction(&at(15, 2)), Some(0.5));
        assert_eq!(rule.fraction(&at(15, 8)), Some(0.8));
        assert_eq!(rule.fraction(&Progress { time: Some(6.0), ..at(0, 0) }), Some(0.75));
        assert_eq!(rule.fraction(&at(99, 0)), Some(1.0));
        assert_eq!(StopRule::<()>::default().fraction(&at(1, 1)), None);
    }
}
