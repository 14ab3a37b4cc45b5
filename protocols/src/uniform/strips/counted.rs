//! Runs that keep the counts of states up to date.

use super::super::condition;
use super::execution::Strips;
use acrasin_process::Condition;

/// With at most one interaction per this number of agents, it is cheaper to run in order and update the counts. With
/// more interactions, it is cheaper to run in windows and count all agents at the end.
const AGENTS_PER_INTERACTION: u64 = 200;

impl Strips {
    fn agents(&self) -> u64 {
        self.shape().torus().nodes()
    }

    /// A number of interactions, at most `left`, during which `condition` certainly does not hold; 0 if no such number
    /// is known.
    pub(in super::super) fn calm(&self, condition: &dyn Condition, counts: &[u64], left: u64) -> u64 {
        [1, 4, 16, 64]
            .into_iter()
            .map(|part| (self.agents() / part).min(left))
            .find(|&stretch| {
                let least: Vec<u64> = counts.iter().map(|&count| count.saturating_sub(2 * stretch)).collect();
                let most: Vec<u64> = counts.iter().map(|&count| count.saturating_add(2 * stretch)).collect();
                !condition.possible(&least, &most)
            })
            .unwrap_or_else(|| condition::calm(condition, counts, left))
    }

    /// Advances by `interactions`.
    pub(in super::super) fn run_counted(&mut self, interactions: u64, counts: &mut [u64]) {
        if interactions < self.agents() / AGENTS_PER_INTERACTION {
            let mut left = interactions;
            while left > 0 {
                left -= self.run_in_order(left, counts, |_, _| false).0;
            }
        } else {
            self.run(interactions);
            counts.fill(0);
            self.count(counts);
        }
    }

    /// Advances until `condition` holds, by at most `interactions`. Returns the number of interactions made and whether
    /// the condition holds.
    pub(in super::super) fn run_asked(
        &mut self,
        interactions: u64,
        counts: &mut [u64],
        condition: &dyn Condition,
    ) -> (u64, bool) {
        let is_of_last = condition.is_of_last_agents();
        let (mut done, mut holds) = (0, false);
        while done < interactions && !holds {
            let (more, stopped) = self.run_in_order(interactions - done, counts, |left, counts| {
                let is_last = left.iter().any(|&state| counts[usize::from(state)] <= 1);
                (is_last || !is_of_last) && condition.holds(counts)
            });
            (done, holds) = (done + more, stopped);
        }
        (done, holds)
    }

    /// Makes interactions in order, at most `interactions`. After each interaction that changes the counts, calls
    /// `asks` with the states that agents have left, and stops if it returns `true`.
    fn run_in_order(
        &mut self,
        interactions: u64,
        counts: &mut [u64],
        mut asks: impl FnMut([u8; 2], &[u64]) -> bool,
    ) -> (u64, bool) {
        let outcomes = self.outcomes();
        self.make_in_order(interactions, |pairs, states| {
            for (&[i, j], number) in pairs.iter().zip(1..) {
                let before = [states[i as usize], states[j as usize]];
                let after = outcomes.of(before[0], before[1]);
                [states[i as usize], states[j as usize]] = after;
                if before == after || before == [after[1], after[0]] {
                    continue;
                }
                for state in before {
                    counts[usize::from(state)] -= 1;
                }
                for state in after {
                    counts[usize::from(state)] += 1;
                }
                if asks(before, counts) {
                    return (number, true);
                }
            }
            (pairs.len() as u64, false)
        })
    }
}
