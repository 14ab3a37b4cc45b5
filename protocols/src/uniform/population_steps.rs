//! Runs until a condition holds, interaction by interaction: on an array and from an urn.

use super::condition::calm;
use super::population::{AgentStore, Population, SINGLE, WATCHED};
use acrasin_process::Condition;

impl Population {
    /// Advances an urn, interaction by interaction.
    pub(super) fn urn_until(&mut self, condition: &dyn Condition, limit: u64) -> bool {
        self.last = None;
        let most = limit.min(self.decide_at) - self.computed;
        let urn = self.urn.as_ref().expect("the mode is the urn");
        let (done, holds) = urn.run_until(most, &mut self.computed_counts, &mut self.urn_stream, condition);
        self.computed += done;
        self.show(self.computed);
        holds
    }

    /// Advances an array, interaction by interaction, and keeps the counts up to date.
    pub(super) fn array_until(&mut self, condition: &dyn Condition, limit: u64) -> bool {
        self.settle();
        let end = limit.min(self.decide_at);
        let (draws, outcomes) = (&mut self.pair_draws, &mut self.outcome_draws);
        let array = match self.array.as_mut().expect("the mode is the array") {
            AgentStore::Array(array) => array,
            AgentStore::Crowd(crowd) => {
                let left = end - self.computed;
                let (done, holds) = crowd.run_until(condition, &mut self.computed_counts, left, draws);
                self.computed += done;
                self.shown = self.computed;
                self.shown_counts.clone_from(&self.computed_counts);
                return holds;
            }
        };
        let mut holds = false;
        let is_watched = condition.is_of_last_agents() && self.rules.is_deterministic();
        while is_watched && self.computed < end && !holds {
            let calm = calm(condition, &self.computed_counts, end - self.computed);
            if calm > 0 {
                array.run_counted(calm, &mut self.computed_counts, &self.rules, draws, outcomes);
                self.computed += calm;
                continue;
            }
            let stretch = WATCHED.min(end - self.computed);
            let (done, asks) = array.run_watched(stretch, &mut self.computed_counts, draws);
            self.computed += done;
            holds = asks && condition.holds(&self.computed_counts);
        }
        let mut ask_at = self.computed;
        while self.computed < end && !holds {
            if self.computed >= ask_at {
                let calm = calm(condition, &self.computed_counts, end - self.computed);
                if calm > 0 {
                    array.run_counted(calm, &mut self.computed_counts, &self.rules, draws, outcomes);
                    self.computed += calm;
                    ask_at = self.computed;
                    continue;
                }
                ask_at = self.computed + SINGLE;
            }
            let [before, after] = array.step(&self.rules, draws, outcomes);
            self.computed += 1;
            // An exchange of states changes no count.
            if before != after && before != [after[1], after[0]] {
                for state in before {
                    self.computed_counts[usize::from(state)] -= 1;
                }
                for state in after {
                    self.computed_counts[usize::from(state)] += 1;
                }
                holds = condition.holds(&self.computed_counts);
            }
        }
        self.shown = self.computed;
        self.shown_counts.clone_from(&self.computed_counts);
        holds
    }
}
