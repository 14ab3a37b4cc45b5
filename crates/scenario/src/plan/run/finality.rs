//! Detection of outputs that are equal and cannot change any more.

use acrasin_protocols::analysis::is_silent;
use acrasin_protocols::locked::Way;
use acrasin_protocols::{GroupRule, Protocol as _, Table};

use super::super::transitions::reachable;

/// Decides whether the outputs are stable. They are stable if all states reachable from the present ones have the same
/// output. They are also stable if the present states have the same output and no pair of them changes. The set of
/// reachable states is cached until the set of present states changes.
#[derive(Clone, Debug)]
pub(super) struct Finality<'a> {
    table: &'a Table,
    way: Way,
    seen: Option<(Vec<bool>, bool)>,
}

impl<'a> Finality<'a> {
    pub(super) fn new(table: &'a Table, way: Way) -> Self {
        Self { table, way, seen: None }
    }

    /// Whether the outputs are stable. Cost: one pass over the counts; if the set of present states has changed, also
    /// the computation of the reachable states.
    pub(super) fn holds(&mut self, counts: &[u64]) -> bool {
        let support: Vec<bool> = counts.iter().map(|&count| count > 0).collect();
        if let Some((seen, answer)) = &self.seen
            && *seen == support
        {
            return *answer || self.rests(counts);
        }
        let reached = reachable(self.table, self.way, counts);
        let answer = self.agree(|state| reached[state]);
        self.seen = Some((support, answer));
        answer || self.rests(counts)
    }

    /// Whether the present states have the same output and no pair of them changes. False for groups that take the
    /// maximum or the mean.
    fn rests(&self, counts: &[u64]) -> bool {
        let by_pairs = self.way != Way::Group || self.table.group_rule() == GroupRule::EachOnce;
        by_pairs && self.agree(|state| counts[state] > 0) && is_silent(self.table, counts)
    }

    fn agree(&self, is_among: impl Fn(usize) -> bool) -> bool {
        let among = self.table.states().filter(|&state| is_among(usize::from(state)));
        let mut outputs = among.map(|state| self.table.output(state));
        let first = outputs.next();
        outputs.all(|output| Some(output) == first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use acrasin_protocols::library::{Averaging, ExactMajority};
    use acrasin_protocols::uniform::{Condition as _, OutputsStable};

    #[test]
    fn pairs_under_locks_are_judged_as_uniform_pairs_are() {
        let table = Table::compile(&ExactMajority).unwrap();
        let stable = OutputsStable::new(&table);
        let mut finality = Finality::new(&table, Way::AnyLocked);
        let (mut yes, mut no) = (0, 0);
        for support in 1..16_u32 {
            let counts: Vec<u64> = (0..4).map(|state| u64::from(support >> state & 1)).collect();
            let expected = stable.holds(&counts);
            assert_eq!(finality.holds(&counts), expected, "{counts:?}");
            *(if expected { &mut yes } else { &mut no }) += 1;
        }
        assert!(yes > 3 && no > 3);
    }

    #[test]
    fn a_group_that_takes_the_mean_stays_between_its_ends() {
        let table = Table::compile(&Averaging::new(3).unwrap()).unwrap();
        assert!(Finality::new(&table, Way::Group).holds(&[0, 0, 5, 0]));
        assert!(!Finality::new(&table, Way::Group).holds(&[1, 0, 0, 1]));
    }
}
