//! First hitting times of a chain, and the distribution over target configurations of the first one that is reached.

use super::chain::{ExactChain, ExactError};
use super::elimination::Eliminated;

/// Mean and variance of the number of interactions until a target first holds.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Hitting {
    /// The mean, in interactions.
    pub mean: f64,
    /// The variance, in interactions squared.
    pub variance: f64,
}

/// The configurations before the target, and the probabilities of leaving them.
pub(super) struct BeforeTarget {
    /// For each configuration before the target, the probabilities of the steps to target configurations.
    pub(super) into_target: Vec<Vec<(usize, f64)>>,
    pub(super) eliminated: Eliminated,
}

impl ExactChain {
    /// The number of interactions from the start until `target` first holds; 0 if it holds at the start.
    ///
    /// The relative error of the mean is about 1e-13 for the populations that fit. The variance is less exact: it is
    /// the second moment minus the squared mean, which loses digits.
    ///
    /// Cost: at most the third power of the number of configurations before the target.
    ///
    /// # Errors
    ///
    /// [`ExactError::NotCertain`] if the target may never hold.
    pub fn hitting(&self, target: impl Fn(&[u32]) -> bool) -> Result<Hitting, ExactError> {
        self.hitting_marked(&self.marked(target))
    }

    /// The number of interactions from the start until a marked configuration is first reached. `marks` has one mark
    /// for each of [`configurations`](Self::configurations). In all other respects like [`hitting`](Self::hitting).
    ///
    /// # Errors
    ///
    /// [`ExactError::NotCertain`] if a marked configuration may never be reached.
    ///
    /// # Panics
    ///
    /// Panics if `marks` has another length than the configurations.
    pub fn hitting_marked(&self, marks: &[bool]) -> Result<Hitting, ExactError> {
        let Some(before) = self.before(marks)? else { return Ok(Hitting { mean: 0.0, variance: 0.0 }) };
        let means = before.eliminated.solve(&vec![1.0; before.into_target.len()]);
        // E[T^2] = 1 + 2 E[T after one step] + E[T^2 after one step], and E[T after one step] = E[T] - 1.
        let gains: Vec<f64> = means.iter().map(|mean| 2.0 * mean - 1.0).collect();
        let second_moment = before.eliminated.solve(&gains)[0];
        Ok(Hitting { mean: means[0], variance: second_moment - means[0] * means[0] })
    }

    /// The probability that `event` holds in the first configuration in which `target` holds.
    ///
    /// # Errors
    ///
    /// [`ExactError::NotCertain`] if the target may never hold.
    pub fn probability(
        &self,
        target: impl Fn(&[u32]) -> bool,
        event: impl Fn(&[u32]) -> bool,
    ) -> Result<f64, ExactError> {
        let Some(before) = self.before(&self.marked(target))? else {
            return Ok(if event(&self.configurations()[0]) { 1.0 } else { 0.0 });
        };
        let wins = |steps: &Vec<(usize, f64)>| -> f64 {
            steps.iter().filter(|(to, _)| event(&self.configurations()[*to])).map(|(_, p)| p).sum()
        };
        let gains: Vec<f64> = before.into_target.iter().map(wins).collect();
        Ok(before.eliminated.solve(&gains)[0])
    }

    /// The configurations reachable before the target holds; `None` if the target holds at the start.
    pub(super) fn before(&self, is_target: &[bool]) -> Result<Option<BeforeTarget>, ExactError> {
        assert_eq!(is_target.len(), self.configurations().len(), "one mark a configuration");
        if is_target[0] {
            return Ok(None);
        }
        let mut place_of = vec![None; is_target.len()];
        place_of[0] = Some(0);
        let mut visited = vec![0];
        let mut inside = Vec::new();
        let mut into_target = Vec::new();
        while let Some(&from) = visited.get(inside.len()) {
            let (mut stays, mut leaves) = (Vec::new(), Vec::new());
            for &(to, probability) in &self.steps[from] {
                if is_target[to] {
                    leaves.push((to, probability));
                } else {
                    let place = *place_of[to].get_or_insert_with(|| {
                        visited.push(to);
                        visited.len() - 1
                    });
                    stays.push((place, probability));
                }
            }
            inside.push(stays);
            into_target.push(leaves);
        }
        let exit = into_target.iter().map(|steps| steps.iter().map(|&(_, p)| p).sum()).collect();
        let eliminated = Eliminated::new(&inside, exit).ok_or(ExactError::NotCertain)?;
        Ok(Some(BeforeTarget { into_target, eliminated }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::{ApproximateMajority, ExactMajority, Fratricide};
    use crate::table::Table;

    #[test]
    fn a_target_that_holds_at_once_takes_no_time() {
        let table = Table::compile(&Fratricide).unwrap();
        let chain = ExactChain::explore(&table, &[1, 4]).unwrap();
        assert_eq!(chain.hitting(|counts| counts[0] == 1), Ok(Hitting { mean: 0.0, variance: 0.0 }));
        assert_eq!(chain.probability(|_| true, |counts| counts[1] == 4), Ok(1.0));
    }

    #[test]
    fn a_target_that_may_be_missed_is_an_error() {
        let table = Table::compile(&ApproximateMajority).unwrap();
        let chain = ExactChain::explore(&table, &[3, 3, 0]).unwrap();
        assert_eq!(chain.hitting(|counts| counts[0] == 6), Err(ExactError::NotCertain));
        assert!(chain.hitting(|counts| counts.contains(&6)).is_ok());
        // What comes after the target does not matter: a tie never agrees, but its votes do cancel.
        let table = Table::compile(&ExactMajority).unwrap();
        let chain = ExactChain::explore(&table, &[2, 2, 0, 0]).unwrap();
        assert!(chain.hitting(|counts| counts[0] == 1).is_ok());
    }

    #[test]
    fn starts_that_make_no_sense_are_errors() {
        let table = Table::compile(&Fratricide).unwrap();
        let explore = |start: &[u32]| ExactChain::explore(&table, start).map(|_| ());
        assert_eq!(explore(&[3]), Err(ExactError::WrongLength { given: 1, states: 2 }));
        assert_eq!(explore(&[1, 0]), Err(ExactError::WrongPopulation { agents: 1 }));
        assert_eq!(
            explore(&[u32::MAX, u32::MAX]),
            Err(ExactError::WrongPopulation { agents: 2 * u64::from(u32::MAX) })
        );
        assert_eq!(explore(&[1, super::super::MAX_AGENTS - 1]), Ok(()));
        // From l leaders there are l configurations.
        assert_eq!(explore(&[4096, 0]), Ok(()));
        assert_eq!(explore(&[4097, 0]), Err(ExactError::TooManyConfigurations));
    }
}
