//! Whether a run is at its end: asked between turns.

use acrasin_report::record::{Exit, Outcome};
use acrasin_runtime::Demand;

use super::super::build::Labour;
use super::super::goal::{Goal, Limits};
use super::super::interaction_graph::InteractionGraph;
use super::super::uniform::{STABLE, agreed};
use super::finality::Finality;
use super::silence::{STEPS_BETWEEN, Silence};
use super::tally::Tally;
use crate::exclusion::AnyExclusion;
use crate::plan::Plan;
use crate::run::At;

/// The end of one run, and how far it is.
pub(super) struct Judge<'a> {
    goals: &'a [Goal],
    limits: Limits,
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
    /// The round in which the trace is over.
    trace_end: Option<u64>,
    /// How many Locks there are to serve in all; `None` if there is no end of them.
    demanded: Option<u64>,
    /// Of how many nodes all must go on if each is to, where some stop after their Locks.
    must_go_on: Option<u64>,
    /// Whether the graph changes for ever, so that there may always be something to clean up.
    is_disturbed: bool,
}

/// What the judge looks at.
pub(super) struct Sight<'a> {
    pub(super) at: At,
    pub(super) tally: &'a Tally,
    /// The states of the agents; empty if no protocol runs.
    pub(super) states: &'a [u16],
    /// Whether some node can act now.
    pub(super) is_active: bool,
}

impl<'a> Judge<'a> {
    pub(super) fn new(plan: &'a Plan, graph: &'a InteractionGraph) -> Self {
        let edges = match graph {
            InteractionGraph::Fixed(graph) => Some(graph.edges()),
            // Counts decide where everybody meets everybody.
            InteractionGraph::Contacts(_) | InteractionGraph::Complete(_) => None,
        };
        let wants_silence = plan.goals.iter().any(|goal| matches!(goal, Goal::Silent));
        let silence = match &plan.labour {
            Labour::Interactions { table, way, .. } => Some(Silence::new(table, *way, edges)),
            Labour::Locks { .. } => None,
        };
        let has_trace = graph.contacts().is_some();
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
            goals: &plan.goals,
            limits: plan.limits,
            must_go_on,
            silence,
            wants_silence,
            is_open: !has_trace && plan.bounds().is_empty(),
            next_look: (0, u64::MAX),
            finality,
            seen_changes: None,
            trace_end: graph.contacts().map(|contacts| contacts.end),
            demanded: demanded.filter(|&demanded| demanded > 0),
            is_disturbed: !plan.disturbances.is_empty(),
        }
    }

    /// The outcome, if the run is at its end: a goal, all Locks served, the end of the trace, a limit.
    pub(super) fn verdict(&mut self, sight: &Sight<'_>) -> Option<Outcome> {
        let goal = self.goal(sight).map(|(word, reason)| Outcome::new(word, reason, Exit::Done));
        // What was looked at does not change before the next change of a state.
        self.seen_changes = Some(sight.tally.changes());
        goal.or_else(|| self.served(sight))
            .or_else(|| self.trace_is_over(sight))
            .or_else(|| self.limit(&sight.at))
            .or_else(|| self.silent(sight))
    }

    /// The outcome of a silent run of which no goal holds. Silence is looked for once in [`STEPS_BETWEEN`] steps, and only if
    /// no state has changed since the last look.
    fn silent(&mut self, sight: &Sight<'_>) -> Option<Outcome> {
        let (next_look, changes) = self.next_look;
        if !self.is_open || self.wants_silence || sight.at.steps < next_look {
            return None;
        }
        self.next_look = (sight.at.steps + STEPS_BETWEEN, sight.tally.changes());
        let rests = changes == sight.tally.changes();
        let silence = self.silence.as_mut().filter(|_| rests)?;
        silence.holds(sight.tally, sight.states, sight.at.steps).then(|| {
            let reason = "no interaction changes anything any more, and no stop condition holds";
            Outcome::new("quiet", reason, Exit::Failed)
        })
    }

    fn goal(&mut self, sight: &Sight<'_>) -> Option<(&'static str, String)> {
        let Sight { at, tally, states, .. } = *sight;
        let changed = self.seen_changes != Some(tally.changes());
        let silence = &mut self.silence;
        self.goals.iter().find_map(|goal| match goal {
            Goal::OutputsAgree => {
                (changed && tally.outputs_agree()).then(|| ("agreed", agreed(at.steps == 0).to_owned()))
            }
            Goal::OutputsStable => {
                (changed && tally.outputs_agree() && self.finality.as_mut()?.holds(tally.counts()))
                    .then(|| ("stable", STABLE.to_owned()))
            }
            Goal::Silent => silence
                .as_mut()
                .is_some_and(|silence| silence.holds(tally, states, at.steps))
                .then(|| ("silent", "no interaction changes anything any more".to_owned())),
            Goal::Counts { predicate, text } => {
                (changed && predicate.holds(tally.counts())).then(|| ("counts", format!("{text} holds")))
            }
            Goal::Rounds(rounds) => {
                (at.rounds >= *rounds).then(|| ("rounds", format!("{} rounds are over", at.rounds)))
            }
            Goal::Interactions(wanted) => (at.interactions >= *wanted)
                .then(|| ("interactions", format!("{} interactions have happened", at.interactions))),
            Goal::Locks(locks) => {
                (at.locks >= *locks).then(|| ("locks", format!("{} Locks are completed", at.locks)))
            }
            Goal::TraceEnd => self
                .trace_end
                .is_some_and(|end| at.rounds >= end)
                .then(|| ("trace end", TRACE_OVER.to_owned())),
            // The plan refuses it.
            Goal::Settled => None,
        })
    }

    fn served(&self, sight: &Sight<'_>) -> Option<Outcome> {
        let served = self.demanded.is_some_and(|demanded| sight.tally.released() >= demanded);
        (served && (self.is_disturbed || !sight.is_active)).then(served_outcome)
    }

    /// The trace is over and no goal holds: without any goal that is what the run was for, with goals they were
    /// missed within the budget that the trace is.
    fn trace_is_over(&self, sight: &Sight<'_>) -> Option<Outcome> {
        self.trace_end.filter(|&end| sight.at.rounds >= end)?;
        Some(if self.goals.is_empty() {
            Outcome::new("trace end", TRACE_OVER, Exit::Done)
        } else {
            let reason = format!("{TRACE_OVER}, and no stop condition holds");
            Outcome::new("trace end", reason, Exit::BudgetExhausted)
        })
    }

    fn limit(&self, at: &At) -> Option<Outcome> {
        let Limits { rounds, steps, interactions } = self.limits;
        let reached = [
            (rounds, at.rounds, "rounds"),
            (steps, at.steps, "steps"),
            (interactions, at.interactions, "interactions"),
        ];
        let (_, _, what) =
            reached.into_iter().find(|&(limit, now, _)| limit.is_some_and(|limit| now >= limit))?;
        let reason = format!("the limit of {what} is reached before a stop condition holds");
        Some(Outcome::new("limit", reason, Exit::BudgetExhausted))
    }

    /// The outcome when no node can act and the graph does not change any more; `outstanding` nodes wait for ever.
    pub(super) fn quiet(&self, outstanding: u64, tally: &Tally) -> Outcome {
        if outstanding > 0 {
            // Whoever does not wait here has had all its Locks.
            let others_stopped = self.must_go_on.is_some_and(|nodes| outstanding < nodes);
            let (word, reason) =
                if others_stopped { ("left waiting", LEFT_WAITING) } else { ("deadlock", DEADLOCK) };
            return Outcome::new(word, reason, Exit::Failed);
        }
        match self.demanded {
            Some(demanded) if tally.released() >= demanded => served_outcome(),
            _ if self.goals.is_empty() => Outcome::new("quiet", "no node wants to do anything", Exit::Done),
            _ => Outcome::new(
                "quiet",
                "no node wants to do anything, and no stop condition holds: no node has a neighbour, or no node locks",
                Exit::Failed,
            ),
        }
    }

    /// How far the run is to the nearest of its bounds.
    pub(super) fn fraction(&self, at: &At, released: u64) -> Option<f64> {
        let goals = self.goals.iter().filter_map(|goal| match goal {
            Goal::Rounds(rounds) => Some((at.rounds, *rounds)),
            Goal::Interactions(interactions) => Some((at.interactions, *interactions)),
            Goal::Locks(locks) => Some((at.locks, *locks)),
            Goal::OutputsAgree
            | Goal::OutputsStable
            | Goal::Silent
            | Goal::Counts { .. }
            | Goal::TraceEnd
            | Goal::Settled => None,
        });
        let others = [
            (at.rounds, self.limits.rounds),
            (at.steps, self.limits.steps),
            (at.interactions, self.limits.interactions),
            (at.rounds, self.trace_end),
            (released, self.demanded),
        ];
        let others = others.into_iter().filter_map(|(now, bound)| Some((now, bound?)));
        let share =
            |(now, bound): (u64, u64)| if bound == 0 { 1.0 } else { (now as f64 / bound as f64).min(1.0) };
        goals.chain(others).map(share).reduce(f64::max)
    }
}

const TRACE_OVER: &str = "the trace is over";

/// The words of a dead configuration.
pub(super) const DEADLOCK: &str = "deadlock: no action is enabled";

/// The words of a configuration in which nobody acts, because those on whom others wait have had all their Locks.
pub(super) const LEFT_WAITING: &str = "left waiting: no action is enabled, and those who do not wait have had all their Locks; between l and k \
                                       of each neighbourhood inside is kept by nodes that all go on (each: Forever and a stop condition)";

/// Whether these are the words of a configuration in which some wait and nobody acts.
pub(super) fn is_at_rest(reason: &str) -> bool {
    [DEADLOCK, LEFT_WAITING].contains(&reason)
}

fn served_outcome() -> Outcome {
    Outcome::new("served", "all Locks are completed and released", Exit::Done)
}
