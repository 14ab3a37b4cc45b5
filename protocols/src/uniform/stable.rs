//! [`OutputsStable`]: the condition that all outputs agree and can no longer change.

use std::cell::RefCell;
use std::collections::BTreeMap;

use crate::analysis::{is_silent, reachable_states};
use crate::protocol::Protocol as _;
use crate::table::Table;
use acrasin_process::Condition;

/// The largest number of sets of states whose result is cached.
const KEPT: usize = 4096;

/// The condition that all agents have the same output and no interaction can change this. The condition holds if every
/// state reachable from the present states under any schedule has this output, or if no two agents can change a state.
///
/// Reachable states are the closure of the present states under all outcomes ([`reachable_states`]). The closure
/// ignores the numbers of agents. So if the condition holds, outputs are final on every graph. If it does not hold,
/// outputs may still be final: changing them may need more agents in a state than there can be.
///
/// The result of the closure depends only on the set of present states and is cached. Cost: one pass over the states. A
/// search for a pair that changes a state is added while outputs agree but may change. A set of states that was not
/// examined before costs one step per ordered pair of its closure.
///
/// ```
/// use acrasin_protocols::{Table, library::ExactMajority, uniform::{Condition, OutputsStable}};
///
/// let table = Table::compile(&ExactMajority)?;
/// let stable = OutputsStable::new(&table);
/// // A B a b: strong and weak votes for A convert no vote any more; a weak one alone could be converted by a strong B.
/// assert!(stable.holds(&[10, 0, 7, 0]) && stable.holds(&[0, 0, 7, 0]));
/// assert!(!stable.holds(&[1, 0, 0, 1]));
/// # Ok::<(), acrasin_protocols::TableError>(())
/// ```
#[derive(Clone, Debug)]
pub struct OutputsStable {
    table: Table,
    known: RefCell<BTreeMap<Vec<u16>, bool>>,
}

impl OutputsStable {
    /// Creates the condition for the transitions and outputs of this table.
    #[must_use]
    pub fn new(table: &Table) -> Self {
        Self { table: table.clone(), known: RefCell::default() }
    }

    fn agree(&self, mut states: impl Iterator<Item = u16>) -> bool {
        let first = states.next().map(|state| self.table.output(state));
        states.all(|state| Some(self.table.output(state)) == first)
    }

    fn of(&self, counts: &[u64]) -> bool {
        let present = || self.table.states().filter(|&state| counts[usize::from(state)] > 0);
        if !self.agree(present()) {
            return false;
        }
        let support: Vec<u16> = present().collect();
        let mut known = self.known.borrow_mut();
        if let Some(&answer) = known.get(&support) {
            return answer || is_silent(&self.table, counts);
        }
        let reached = reachable_states(&self.table, &support);
        let answer = self.agree(self.table.states().filter(|&state| reached[usize::from(state)]));
        if known.len() >= KEPT {
            known.clear();
        }
        known.insert(support, answer);
        answer || is_silent(&self.table, counts)
    }
}

impl Condition for OutputsStable {
    fn holds(&self, counts: &[u64]) -> bool {
        self.of(counts)
    }

    /// Returns true: a state that appears was in the closure before, so the closure shrinks only when a state loses its
    /// last agent. Silence also begins only when states lose their last agents.
    fn is_of_last_agents(&self) -> bool {
        true
    }

    /// Returns false if the closure of the states that are certainly present has several outputs.
    fn possible(&self, least: &[u64], _most: &[u64]) -> bool {
        self.of(least)
    }
}
