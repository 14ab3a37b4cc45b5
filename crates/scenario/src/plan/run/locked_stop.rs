//! The stop rule of a run under locks, evaluated between turns.

use acrasin_process::{Awaited, Ending, Progress, Quiescence, RunBound, StopCondition, StopRule};
use acrasin_runtime::Demand;

use super::super::build::NodeWork;
use super::super::goal::{PlanGoal, PlanStopRule};
use super::super::interaction_graph::InteractionGraph;
use super::finality::Finality;
use super::locked_process::LockedProcess;
use super::silence::{STEPS_BETWEEN, Silence};
use crate::plan::Plan;
use crate::run::{ProcessStop, SavedNumbers, push_option};

/// The stop rule of one run with the data that its conditions need.
pub(super) struct LockedStop<'a> {
    rule: PlanStopRule,
    silence: Option<Silence<'a>>,
    /// Whether silence is a goal.
    wants_silence: bool,
    /// Whether all goals are about the states of agents and there is no limit. Then a silent run without a reached goal
    /// would never end, and silence ends it.
    is_open: bool,
    /// The next step at which silence is tested, and the number of state changes at the last test.
    next_look: (u64, u64),
    finality: Option<Finality<'a>>,
    /// The number of state changes at the last test of goals on counts.
    seen_changes: Option<u64>,
    /// The total number of Locks to serve; `None` if it is unbounded.
    demanded: Option<u64>,
    /// The number of nodes, if some of them stop after their Locks and the algorithm assumes that all nodes continue.
    must_go_on: Option<u64>,
    /// Whether disturbances change the graph during the whole run, so that cleanup may never end.
    is_disturbed: bool,
}

impl<'a> LockedStop<'a> {
    pub(super) fn new(plan: &'a Plan, graph: &'a InteractionGraph) -> Self {
        let edges = match graph {
            InteractionGraph::Fixed(graph) => Some(graph.edges()),
            // If every agent can interact with every other one, counts decide silence.
            InteractionGraph::Contacts(_) | InteractionGraph::Complete(_) => None,
        };
        let wants_silence = plan.rule.wants(|goal| matches!(goal, PlanGoal::Silent));
        let silence = match &plan.labour {
            NodeWork::Interactions { table, way, .. } => Some(Silence::new(table, *way, edges)),
            NodeWork::Locks { .. } => None,
        };
        let trace_end = graph.contacts().map(|contacts| contacts.end);
        let finality = match &plan.labour {
            NodeWork::Interactions { table, way, .. } => Some(Finality::new(table, *way)),
            NodeWork::Locks { .. } => None,
        };
        let demanded = match &plan.labour {
            NodeWork::Interactions { .. } => None,
            NodeWork::Locks { demands } => demands.iter().try_fold(0_u64, |sum, demand| match demand {
                Demand::Forever => None,
                Demand::Times(times) | Demand::Outings(times) => Some(sum + u64::from(*times)),
            }),
        };
        let must_go_on = match &plan.labour {
            NodeWork::Locks { demands }
                if plan.exclusion.needs_all_to_go_on()
                    && demands.iter().any(|&demand| demand != Demand::Forever) =>
            {
                Some(demands.len() as u64)
            }
            _ => None,
        };
        Self {
            rule: StopRule { trace_end, ..plan.rule.clone() },
            must_go_on,
            silence,
            wants_silence,
            is_open: trace_end.is_none()
                && plan.rule.bounds().next().is_none()
                && !plan.rule.has_progress_condition(),
            next_look: (0, u64::MAX),
            finality,
            seen_changes: None,
            demanded: demanded.filter(|&demanded| demanded > 0),
            is_disturbed: !plan.disturbances.is_empty(),
        }
    }

    /// The ending of a silent run for which no goal holds. Silence is tested at most once in [`STEPS_BETWEEN`] steps,
    /// and only if no state has changed since the last test.
    #[inline(always)]
    fn silent(&mut self, process: &(impl LockedProcess + ?Sized), progress: &Progress) -> Option<Ending> {
        let (next_look, changes) = self.next_look;
        if !self.is_open || self.wants_silence || progress.steps < next_look {
            return None;
        }
        self.next_look = (progress.steps + STEPS_BETWEEN, process.tally().changes());
        let rests = changes == process.tally().changes();
        let silence = self.silence.as_mut().filter(|_| rests)?;
        let is_silent = silence.holds(process.tally(), process.agents(), progress.steps);
        is_silent.then_some(Ending::Quiescent(Quiescence::NoInteraction))
    }

    #[inline(always)]
    fn goal(&mut self, process: &(impl LockedProcess + ?Sized), progress: &Progress) -> Option<Ending> {
        let (tally, states) = (process.tally(), process.agents());
        let changed = self.seen_changes != Some(tally.changes());
        let Self { rule, silence, finality, .. } = self;
        rule.goal(progress, |_, goal| match goal {
            PlanGoal::Agreed => changed && tally.outputs_agree(),
            PlanGoal::Stable => {
                changed
                    && tally.outputs_agree()
                    && finality.as_mut().is_some_and(|finality| finality.holds(tally.counts()))
            }
            PlanGoal::Silent => {
                silence.as_mut().is_some_and(|silence| silence.holds(tally, states, progress.steps))
            }
            PlanGoal::Counts { predicate, .. } => changed && predicate.holds(tally.counts()),
            PlanGoal::Own { condition: StopCondition::Counts(condition), .. } => {
                changed && condition.holds(tally.counts())
            }
            PlanGoal::Own { condition: StopCondition::Progress(holds), .. } => {
                holds(progress, tally.counts())
            }
            // The stop rule evaluates bounds and traces; the plan refuses `Settled`.
            PlanGoal::Bound(_) | PlanGoal::TraceEnd | PlanGoal::Settled => false,
        })
    }

    #[inline(always)]
    fn served(&self, process: &(impl LockedProcess + ?Sized)) -> Option<Ending> {
        let served = self.demanded.is_some_and(|demanded| process.tally().released() >= demanded);
        (served && (self.is_disturbed || !process.is_active())).then_some(Ending::Served)
    }
}

impl<P: LockedProcess + ?Sized> ProcessStop<P> for LockedStop<'_> {
    /// Checks goals, completed Locks, the end of the trace, and limits, in this order.
    #[inline(always)]
    fn ending(&mut self, process: &P, progress: &Progress) -> Option<Ending> {
        // A chain of closures would create and drop an absent ending after every turn.
        let goal = self.goal(process, progress);
        // Goals on counts keep their value until a state changes.
        self.seen_changes = Some(process.tally().changes());
        if goal.is_some() {
            return goal;
        }
        if let Some(ending) = self.served(process) {
            return Some(ending);
        }
        if let Some(ending) = self.rule.trace(progress) {
            return Some(ending);
        }
        if let Some(ending) = self.rule.limit(progress) {
            return Some(ending);
        }
        self.silent(process, progress)
    }

    /// The ending when no node can act and the graph no longer changes; some nodes may wait forever.
    fn quiescent(&self, process: &P) -> Option<Ending> {
        let outstanding = process.outstanding();
        if outstanding > 0 {
            // Nodes that do not wait have completed all their Locks.
            let others_stopped = self.must_go_on.is_some_and(|nodes| outstanding < nodes);
            return Some(if others_stopped { Ending::LeftWaiting } else { Ending::Deadlock });
        }
        Some(match self.demanded {
            Some(demanded) if process.tally().released() >= demanded => Ending::Served,
            _ if self.rule.goals.is_empty() => Ending::Quiescent(Quiescence::Idle),
            _ => Ending::Quiescent(Quiescence::NoNodeActs),
        })
    }

    fn fraction(&self, process: &P, progress: &Progress) -> Option<f64> {
        let released = process.tally().released() as f64;
        let served = self.demanded.map(|demanded| (released / demanded as f64).min(1.0));
        self.rule.fraction(progress).into_iter().chain(served).reduce(f64::max)
    }

    fn awaited(&self) -> Awaited {
        self.rule.awaited
    }

    fn save(&self, into: &mut Vec<u64>) {
        let (next_look, changes) = self.next_look;
        into.extend([next_look, changes]);
        push_option(into, self.seen_changes);
        let looked = self.silence.as_ref().and_then(Silence::looked);
        push_option(into, looked.map(|(steps, _)| steps));
        push_option(into, looked.map(|(_, changes)| changes));
    }

    fn restore(&mut self, from: &mut SavedNumbers<'_>) -> Option<()> {
        self.next_look = (from.number()?, from.number()?);
        self.seen_changes = from.option()?;
        let looked = from.option()?.zip(from.option()?);
        if let Some(silence) = &mut self.silence {
            silence.set_looked(looked);
        }
        Some(())
    }

    /// Each call is one turn, because any turn can reach a goal.
    #[inline(always)]
    fn bound(&mut self, _: &P, _: &Progress) -> Result<RunBound, Ending> {
        Ok(RunBound::NONE)
    }
}
