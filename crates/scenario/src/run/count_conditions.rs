//! Stop conditions as conditions on counts.

use std::sync::Arc;

use acrasin_process::{Condition, StopCondition, StopGoal};
use acrasin_protocols::Table;
use acrasin_protocols::uniform::{Agreed, OutputsStable, Silent};

use crate::predicate::BoundPredicate;

/// The goals of a stop rule that are conditions on counts, with their positions in the rule.
pub(crate) struct CountConditions(Vec<(usize, Box<dyn Condition + Send>)>);

impl CountConditions {
    /// Creates the conditions. With a table, goals about outputs and silence are conditions on counts.
    pub(crate) fn new(goals: &[StopGoal<BoundPredicate>], table: Option<&Table>) -> Self {
        let condition = |goal: &StopGoal<BoundPredicate>| -> Option<Box<dyn Condition + Send>> {
            Some(match goal {
                StopGoal::Agreed => Box::new(Agreed::new(table?)),
                StopGoal::Stable => Box::new(OutputsStable::new(table?)),
                StopGoal::Silent => Box::new(Silent::new(table?)),
                StopGoal::Counts { predicate, .. } => Box::new(predicate.clone()),
                StopGoal::Own { condition: StopCondition::Counts(condition), .. } => {
                    Box::new(OwnCondition(Arc::clone(condition)))
                }
                StopGoal::Own { condition: StopCondition::Progress(_), .. }
                | StopGoal::Bound(_)
                | StopGoal::TraceEnd
                | StopGoal::Settled => return None,
            })
        };
        let conditions =
            goals.iter().enumerate().filter_map(|(position, goal)| Some((position, condition(goal)?)));
        Self(conditions.collect())
    }

    /// Adds the condition of the goal at this position.
    pub(crate) fn push(&mut self, position: usize, condition: Box<dyn Condition + Send>) {
        self.0.push((position, condition));
    }

    /// One condition that holds if any of these does; `None` if there are none. A single condition is returned without
    /// a wrapper, because it is evaluated after each interaction that changes a count.
    pub(crate) fn any(&self) -> Option<&dyn Condition> {
        match &self.0[..] {
            [] => None,
            [(_, only)] => Some(&**only),
            _ => Some(self),
        }
    }

    /// Whether the goal at this position holds; `None` if it is not a condition on counts.
    pub(crate) fn holds_at(&self, position: usize, counts: &[u64]) -> Option<bool> {
        let (_, condition) = self.0.iter().find(|(other, _)| *other == position)?;
        Some(condition.holds(counts))
    }
}

/// A condition of a user's crate.
struct OwnCondition(Arc<dyn Condition + Send + Sync>);

impl Condition for OwnCondition {
    fn holds(&self, counts: &[u64]) -> bool {
        self.0.holds(counts)
    }

    fn is_of_last_agents(&self) -> bool {
        self.0.is_of_last_agents()
    }

    fn possible(&self, least: &[u64], most: &[u64]) -> bool {
        self.0.possible(least, most)
    }
}

impl Condition for CountConditions {
    fn holds(&self, counts: &[u64]) -> bool {
        self.0.iter().any(|(_, condition)| condition.holds(counts))
    }

    fn is_of_last_agents(&self) -> bool {
        self.0.iter().all(|(_, condition)| condition.is_of_last_agents())
    }

    fn possible(&self, least: &[u64], most: &[u64]) -> bool {
        self.0.iter().any(|(_, condition)| condition.possible(least, most))
    }
}
