//! The time until a condition holds permanently, and the probability that it ever does.

use super::chain::ExactChain;

impl ExactChain {
    /// One mark per configuration: whether `property` (of its counts) holds in it and in all configurations reachable
    /// from it.
    ///
    /// From the first marked configuration on, the property holds permanently. If the property is on the outputs of all
    /// agents, this is stabilisation as the literature defines it. Cost: linear in the number of possible steps.
    #[must_use]
    pub fn forever(&self, property: impl Fn(&[u32]) -> bool) -> Vec<bool> {
        let fails: Vec<bool> = self.configurations().iter().map(|counts| !property(counts)).collect();
        self.can_reach(&fails).into_iter().map(|can_fail| !can_fail).collect()
    }

    /// One mark per configuration: whether a marked configuration can be reached from it. Marked configurations are
    /// included.
    ///
    /// # Panics
    ///
    /// Panics if `marks` has another length than the configurations.
    #[must_use]
    pub fn can_reach(&self, marks: &[bool]) -> Vec<bool> {
        assert_eq!(marks.len(), self.configurations().len(), "one mark a configuration");
        let mut into: Vec<Vec<usize>> = vec![Vec::new(); marks.len()];
        for (from, row) in self.steps.iter().enumerate() {
            row.iter().for_each(|&(to, _)| into[to].push(from));
        }
        let mut reaches = marks.to_vec();
        let mut open: Vec<usize> = (0..marks.len()).filter(|&place| marks[place]).collect();
        while let Some(place) = open.pop() {
            for &from in &into[place] {
                if !std::mem::replace(&mut reaches[from], true) {
                    open.push(from);
                }
            }
        }
        reaches
    }

    /// One mark per configuration: the value of `property` for its counts.
    #[must_use]
    pub fn marked(&self, property: impl Fn(&[u32]) -> bool) -> Vec<bool> {
        self.configurations().iter().map(|counts| property(counts)).collect()
    }

    /// The probability that a marked configuration is ever reached, from the start.
    ///
    /// The relative error is about 1e-13 for the populations that fit. Cost: at most the third power of the number of
    /// configurations that are not marked but can reach a marked one.
    ///
    /// # Panics
    ///
    /// Panics if `marks` has another length than the configurations.
    #[must_use]
    pub fn chance(&self, marks: &[bool]) -> f64 {
        let can_reach = self.can_reach(marks);
        if !can_reach[0] {
            return 0.0;
        }
        // Decided: it has happened, or it cannot happen any more. One of the two is reached with probability 1.
        let decided: Vec<bool> = marks.iter().zip(&can_reach).map(|(&mark, &can)| mark || !can).collect();
        let before = self.before(&decided).expect("what is decided is reached with probability 1");
        let Some(before) = before else { return 1.0 };
        if can_reach.iter().all(|&can| can) {
            return 1.0;
        }
        let gains: Vec<f64> = before
            .into_target
            .iter()
            .map(|steps| steps.iter().filter(|(to, _)| marks[*to]).map(|(_, p)| p).sum())
            .collect();
        before.eliminated.solve(&gains)[0]
    }

    /// The probability that a marked configuration is reached within `interactions` interactions from the start: the
    /// distribution function of the time of [`hitting_marked`](Self::hitting_marked).
    ///
    /// Cost: interactions times possible steps.
    ///
    /// # Panics
    ///
    /// Panics if `marks` has another length than the configurations.
    #[must_use]
    pub fn chance_within(&self, marks: &[bool], interactions: u64) -> f64 {
        assert_eq!(marks.len(), self.configurations().len(), "one mark a configuration");
        if marks[0] {
            return 1.0;
        }
        let (mut now, mut reached) = (vec![0.0; marks.len()], 0.0);
        now[0] = 1.0;
        for _ in 0..interactions {
            let mut next = vec![0.0; now.len()];
            for (from, row) in self.steps.iter().enumerate().filter(|(from, _)| now[*from] > 0.0) {
                let leaves: f64 = row.iter().map(|&(_, probability)| probability).sum();
                next[from] += now[from] * (1.0 - leaves);
                for &(to, probability) in row {
                    let share = now[from] * probability;
                    if marks[to] { reached += share } else { next[to] += share }
                }
            }
            now = next;
        }
        reached
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::ExactError;
    use crate::library::{ApproximateMajority, Fratricide};
    use crate::table::Table;

    #[test]
    fn uncertain_stabilisation_has_its_probability() {
        let table = Table::compile(&ApproximateMajority).unwrap();
        let chain = ExactChain::explore(&table, &[6, 4, 0]).unwrap();
        let a_wins = chain.forever(|counts| counts[0] == 10);
        assert_eq!(chain.hitting_marked(&a_wins), Err(ExactError::NotCertain));
        let chance = chain.chance(&a_wins);
        assert!((chance - 0.886645).abs() < 5e-7, "{chance}");
        // The last A and the last B may meet, and then all agents are undecided.
        let other = chain.marked(|counts| counts[1] == 10 || counts[2] == 10);
        assert!((chance + chain.chance(&other) - 1.0).abs() < 1e-12);
        // Passing through a configuration is not staying there.
        assert_eq!(chain.chance(&chain.marked(|counts| counts[0] == 6)), 1.0);
        assert_eq!(chain.chance(&chain.forever(|counts| counts[0] == 6)), 0.0);
        assert_eq!(chain.chance(&vec![true; a_wins.len()]), 1.0);
    }

    /// Three leaders need two meetings: the time is a sum of two geometric times with probabilities 1 and 1/3.
    #[test]
    fn the_distribution_function_sums_to_the_mean() {
        let table = Table::compile(&Fratricide).unwrap();
        let chain = ExactChain::explore(&table, &[3, 0]).unwrap();
        let alone = chain.forever(|counts| counts[0] == 1);
        for time in 0..20_u64 {
            let expected = if time < 2 { 0.0 } else { 1.0 - (2.0_f64 / 3.0).powi(time as i32 - 1) };
            assert!((chain.chance_within(&alone, time) - expected).abs() < 1e-14, "{time}");
        }
        let mean: f64 = (0..400).map(|time| 1.0 - chain.chance_within(&alone, time)).sum();
        assert!((mean - chain.hitting_marked(&alone).unwrap().mean).abs() < 1e-10, "{mean}");
    }
}
