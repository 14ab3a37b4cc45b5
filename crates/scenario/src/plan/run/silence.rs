//! Detection of silence at a bounded cost.

use acrasin_protocols::analysis::is_silent_on;
use acrasin_protocols::locked::Way;
use acrasin_protocols::{GroupRule, Table};
use acrasin_runtime::NodeId;

use super::state_counts::StateCounts;

/// Detects that no interaction can change a state any more.
///
/// On the complete graph, counts decide silence exactly; on other graphs, counts can prove it. Two present states that
/// change when they interact are kept as a witness; a new search starts only when one of them has vanished. On a static
/// graph, the m edges are inspected as well, at most once in m steps. Disturbances only remove edges, so the inspection
/// misses none. On a changing graph only counts decide, because agents that are not adjacent now may be later.
#[derive(Clone, Debug)]
pub(super) struct Silence<'a> {
    table: &'a Table,
    /// Whether the population is silent only if all states are equal: for groups that take the maximum or the mean.
    wants_equal: bool,
    edges: Option<&'a [(u32, u32)]>,
    witness: Option<(u16, u16)>,
    /// The numbers of steps and of state changes at the last inspection of the edges.
    looked: Option<(u64, u64)>,
}

/// The minimum number of steps between two inspections of the edges.
pub(super) const STEPS_BETWEEN: u64 = 1024;

impl<'a> Silence<'a> {
    /// Creates the test; `edges` is `None` for a graph that changes with time.
    pub(super) fn new(table: &'a Table, way: Way, edges: Option<&'a [(u32, u32)]>) -> Self {
        let wants_equal = way == Way::Group && table.group_rule() != GroupRule::EachOnce;
        Self { table, wants_equal, edges, witness: None, looked: None }
    }

    /// The steps and changes at the last inspection of the edges, for checkpoints. The witness is not saved, since it
    /// is only a shortcut.
    pub(super) fn looked(&self) -> Option<(u64, u64)> {
        self.looked
    }

    /// Restores the steps and changes at the last inspection of the edges.
    pub(super) fn set_looked(&mut self, looked: Option<(u64, u64)>) {
        self.looked = looked;
    }

    /// Whether the population is known to be silent at this step.
    pub(super) fn holds(&mut self, tally: &StateCounts, states: &[u16], steps: u64) -> bool {
        self.by_counts(tally.counts()) || self.by_edges(tally, states, steps)
    }

    fn by_counts(&mut self, counts: &[u64]) -> bool {
        let met =
            |&(a, b): &(u16, u16)| counts[usize::from(a)] > 0 && counts[usize::from(b)] > u64::from(a == b);
        if self.witness.as_ref().is_some_and(met) {
            return false;
        }
        let present: Vec<u16> = self.table.states().filter(|&state| counts[usize::from(state)] > 0).collect();
        let mut pairs =
            present.iter().enumerate().flat_map(|(place, &a)| present[place..].iter().map(move |&b| (a, b)));
        self.witness = pairs.find(|&(a, b)| met(&(a, b)) && !self.rests(a, b));
        self.witness.is_none()
    }

    fn rests(&self, a: u16, b: u16) -> bool {
        if self.wants_equal { a == b } else { self.table.pair_is_null(a, b) }
    }

    fn by_edges(&mut self, tally: &StateCounts, states: &[u16], steps: u64) -> bool {
        let Some(edges) = self.edges else { return false };
        let interval = STEPS_BETWEEN.max(edges.len() as u64);
        if let Some((at, changes)) = self.looked
            && (steps < at + interval || changes == tally.changes())
        {
            return false;
        }
        self.looked = Some((steps, tally.changes()));
        if self.wants_equal {
            edges.iter().all(|&(u, v)| states[u as usize] == states[v as usize])
        } else {
            is_silent_on(self.table, states, edges.iter().map(|&(u, v)| [NodeId(u), NodeId(v)]))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use acrasin_protocols::analysis::is_silent;
    use acrasin_protocols::library::{ApproximateMajority, Averaging};

    #[test]
    fn by_counts_it_says_what_the_analysis_says_whatever_came_before() {
        let table = Table::compile(&ApproximateMajority).unwrap();
        let mut silence = Silence::new(&table, Way::AnyLocked, None);
        let (mut yes, mut no) = (0, 0);
        for a in 0..4 {
            for b in 0..4 {
                for u in 0..4 {
                    let expected = is_silent(&table, &[a, b, u]);
                    assert_eq!(silence.by_counts(&[a, b, u]), expected, "{a} {b} {u}");
                    *(if expected { &mut yes } else { &mut no }) += 1;
                }
            }
        }
        assert!(yes > 5 && no > 5);
    }

    #[test]
    fn on_a_path_agents_that_never_meet_do_not_matter() {
        // A and U react; A with A and B with B do not.
        let table = Table::compile(&ApproximateMajority).unwrap();
        let [a, b] = ["A", "B"].map(|name| table.state(name).unwrap());
        let edges = [(0, 1), (2, 3)];
        let states = [a, a, b, b];
        let tally = StateCounts::new(&table, &states);
        assert!(Silence::new(&table, Way::AnyLocked, Some(&edges)).holds(&tally, &states, 0));
        assert!(!Silence::new(&table, Way::AnyLocked, None).holds(&tally, &states, 0));
        let joined = [(0, 1), (1, 2), (2, 3)];
        assert!(!Silence::new(&table, Way::AnyLocked, Some(&joined)).holds(&tally, &states, 0));
    }

    #[test]
    fn a_group_that_takes_the_mean_rests_when_all_are_equal() {
        let table = Table::compile(&Averaging::new(3).unwrap()).unwrap();
        let mut silence = Silence::new(&table, Way::Group, None);
        assert!(silence.by_counts(&[0, 5, 0, 0]));
        assert!(!silence.by_counts(&[0, 4, 1, 0]));
    }
}
