//! Stop conditions as conditions on counts.

use acrasin_protocols::Table;
use acrasin_protocols::uniform::{Agreed, Condition, OutputsStable, Silent};

use super::super::goal::Goal;
use crate::predicate::BoundPredicate;

/// What a run ends with whose outputs are final.
pub(in super::super) const STABLE: &str =
    "all nodes have the same output, and no interaction can change it any more";

/// The outcome of a run whose outputs agree: at the start that is rarely what was meant.
pub(in super::super) fn agreed(is_start: bool) -> &'static str {
    if is_start {
        "all nodes have the same output at the start already; OutputsStable may be meant, which waits until no interaction can \
         change it any more"
    } else {
        "all nodes have the same output"
    }
}

/// A stop condition on counts, with the words of its outcome.
pub(super) struct CountGoal {
    condition: Box<dyn Condition>,
    word: &'static str,
    reason: String,
}

/// Those of a plan. The first that holds ends the run.
pub(in super::super) struct CountGoals(Vec<CountGoal>);

impl CountGoals {
    pub(in super::super) fn new(goals: &[Goal], table: &Table) -> Self {
        let goal = |goal: &Goal| -> Option<CountGoal> {
            let (condition, word, reason): (Box<dyn Condition>, _, _) = match goal {
                Goal::OutputsAgree => (Box::new(Agreed::new(table)), "agreed", agreed(false).to_owned()),
                Goal::OutputsStable => (Box::new(OutputsStable::new(table)), "stable", STABLE.to_owned()),
                Goal::Silent => {
                    let reason = "no interaction changes anything any more".to_owned();
                    (Box::new(Silent::new(table)), "silent", reason)
                }
                Goal::Counts { predicate, text } => {
                    (Box::new(Stated(predicate.clone())), "counts", format!("{text} holds"))
                }
                Goal::Interactions(_) | Goal::Rounds(_) | Goal::Locks(_) | Goal::TraceEnd | Goal::Settled => {
                    return None;
                }
            };
            Some(CountGoal { condition, word, reason })
        };
        Self(goals.iter().filter_map(goal).collect())
    }

    pub(in super::super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The word and the reason of the first that holds after so many interactions.
    pub(in super::super) fn reached(
        &self,
        counts: &[u64],
        interactions: u64,
    ) -> Option<(&'static str, String)> {
        let goal = self.0.iter().find(|goal| goal.condition.holds(counts))?;
        let is_early = goal.word == "agreed" && interactions == 0;
        Some((goal.word, if is_early { agreed(true).to_owned() } else { goal.reason.clone() }))
    }
}

impl Condition for CountGoals {
    fn holds(&self, counts: &[u64]) -> bool {
        self.0.iter().any(|goal| goal.condition.holds(counts))
    }

    fn is_of_last_agents(&self) -> bool {
        self.0.iter().all(|goal| goal.condition.is_of_last_agents())
    }

    fn possible(&self, least: &[u64], most: &[u64]) -> bool {
        self.0.iter().any(|goal| goal.condition.possible(least, most))
    }
}

/// A predicate on counts.
struct Stated(BoundPredicate);

impl Condition for Stated {
    fn holds(&self, counts: &[u64]) -> bool {
        self.0.holds(counts)
    }

    fn possible(&self, least: &[u64], most: &[u64]) -> bool {
        self.0.possible(least, most)
    }
}
