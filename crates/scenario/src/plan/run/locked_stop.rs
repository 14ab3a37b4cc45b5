//! When a run under locks ends: evaluated between turns.

use acrasin_process::{Ending, Progress, Quiescence, StopRule};
use acrasin_runtime::Demand;

use super::super::build::Labour;
use super::super::goal::{Goal, Rule};
use super::super::interaction_graph::InteractionGraph;
use super::finality::Finality;
use super::silence::{STEPS_BETWEEN, Silence};
use super::tally::Tally;
use crate::exclusion::AnyExclusion;
use crate::plan::Plan;

/// The stop rule of one run, with what its conditions need.
pub(super) struct LockedStop<'a> {
    rule: Rule,
    silence: Option<Silence<'a>>,
    /// Whether silence is a goal.
    wants_silence: bool,
    /// Whether all goals are about the states of agents and no limit is written: then a silent run has no other end.
    is_open: bool,
    /// The step from which on silence is looked for next, and the changes of states at the last look.
    next_look: (u64, u64),
    finality: Option<Finality<'a>>,
    /// The changes of states at which goals on counts were last looked at.
    seen_changes: Option<u64>,
    /// How many Locks there are to serve in all; `None` if there is no end of them.
    demanded: Option<u64>,
    /// Of how many nodes all must go on if each is to, where some stop after their Locks.
    must_go_on: Option<u64>,
    /// Whether the graph changes for ever, so that there may always be something to clean up.
    is_disturbed: bool,
}

/// The moment of a run at which its stop rule is evaluated.
pub(super) struct RunView<'a> {
    pub(super) at: Progress,
    pub(super) tally: &'a Tally,
    /// The states of the agents; empty if no protocol runs.
    pub(super) states: &'a [u16],
    /// Whether some node can act now.
    pub(super) is_active: bool,
}

impl<'a> LockedStop<'a> {
    pub(super) fn new(plan: &'a Plan, graph: &'a InteractionGraph) -> Self {
        let edges = match graph {
            InteractionGraph::Fixed(graph) => Some(graph.edges()),
            // Counts decide where everybody meets everybody.
            InteractionGraph::Contacts(_) | InteractionGraph::Complete(_) => None,
        };
        let wants_silence = plan.rule.wants(|goal| matches!(goal, Goal::Silent));
        let silence = match &plan.labour {
            Labour::Interactions { table, way, .. } => Some(Silence::new(table, *way, edges)),
            Labour::Locks { .. } => None,
        };
        let trace_end = graph.contacts().map(|contacts| contacts.end);
        let finality = match &plan.labour {
            Labour::Interactions { table, way, .. } => Some(Finality::new(table, *way)),
            Labour::Locks { .. } => None,
        };
        let demanded = match &plan.labour {
            Labour::Interactions { .. } => None,
            Labour::Locks { demands } => demands.iter().try_fold(0_u64, |sum, demand| match demand {
                Demand::Forever => None,
                Demand::Times(times) | Demand::Outings(times) => Some(sum + u64::from(*times)),
            }),
        };
        let must_go_on = match (&plan.labour, plan.exclusion.algorithm()) {
            (Labour::Locks { demands }, AnyExclusion::CriticalSections(_))
                if demands.iter().any(|&demand| demand != Demand::Forever) =>
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
            is_open: trace_end.is_none() && plan.rule.bounds().next().is_none(),
            next_look: (0, u64::MAX),
            finality,
            seen_changes: None,
            demanded: demanded.filter(|&demanded| demanded > 0),
            is_disturbed: !plan.disturbances.is_empty(),
        }
    }

    /// The ending, if the run is at its end: a goal, all Locks served, the end of the trace, a limit.
    pub(super) fn ending(&mut self, view: &RunView<'_>) -> Option<Ending> {
        let goal = self.goal(view);
        // Goals on counts keep their value until a state changes.
        self.seen_changes = Some(view.tally.changes());
        goal.or_else(|| self.served(view))
            .or_else(|| self.rule.trace(&view.at))
            .or_else(|| self.rule.limit(&view.at))
            .or_else(|| self.silent(view))
    }

    /// The ending of a silent run of which no goal holds. Silence is looked for once in [`STEPS_BETWEEN`] steps, and only if
    /// no state has changed since the last look.
    fn silent(&mut self, view: &RunView<'_>) -> Option<Ending> {
        let (next_look, changes) = self.next_look;
        if !self.is_open || self.wants_silence || view.at.steps < next_look {
            return None;
        }
        self.next_look = (view.at.steps + STEPS_BETWEEN, view.tally.changes());
        let rests = changes == view.tally.changes();
        let silence = self.silence.as_mut().filter(|_| rests)?;
        let is_silent = silence.holds(view.tally, view.states, view.at.steps);
        is_silent.then_some(Ending::Quiescent(Quiescence::NoInteraction))
    }

    fn goal(&mut self, view: &RunView<'_>) -> Option<Ending> {
        let RunView { at, tally, states, .. } = *view;
        let changed = self.seen_changes != Some(tally.changes());
        let Self { rule, silence, finality, .. } = self;
        rule.goal(&at, |_, goal| match goal {
            Goal::Agreed => changed && tally.outputs_agree(),
            Goal::Stable => {
                changed
                    && tally.outputs_agree()
                    && finality.as_mut().is_some_and(|finality| finality.holds(tally.counts()))
            }
            Goal::Silent => silence.as_mut().is_some_and(|silence| silence.holds(tally, states, at.steps)),
            Goal::Counts { predicate, .. } => changed && predicate.holds(tally.counts()),
            // The stop rule decides bounds and traces; the plan refuses `Settled`.
            Goal::Bound(_) | Goal::TraceEnd | Goal::Settled => false,
        })
    }

    fn served(&self, view: &RunView<'_>) -> Option<Ending> {
        let served = self.demanded.is_some_and(|demanded| view.tally.released() >= demanded);
        (served && (self.is_disturbed || !view.is_active)).then_some(Ending::Served)
    }

    /// The ending when no node can act and the graph does not change any more; `outstanding` nodes wait forever.
    pub(super) fn quiet(&self, outstanding: u64, tally: &Tally) -> Ending {
        if outstanding > 0 {
            // A node that does not wait here has had all its Locks.
            let others_stopped = self.must_go_on.is_some_and(|nodes| outstanding < nodes);
            return if others_stopped { Ending::LeftWaiting } else { Ending::Deadlock };
        }
        match self.demanded {
            Some(demanded) if tally.released() >= demanded => Ending::Served,
            _ if self.rule.goals.is_empty() => Ending::Quiescent(Quiescence::Idle),
            _ => Ending::Quiescent(Quiescence::NoNodeActs),
        }
    }

    /// The share of the way to the nearest bound.
    pub(super) fn fraction(&self, at: &Progress, released: u64) -> Option<f64> {
        let served = self.demanded.map(|demanded| (released as f64 / demanded as f64).min(1.0));
        self.rule.fraction(at).into_iter().chain(served).reduce(f64::max)
    }
}
