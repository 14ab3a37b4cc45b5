//! Outputs that agree and can no longer change.

use std::cell::RefCell;
use std::collections::BTreeMap;

use crate::analysis::{is_silent, reachable_states};
use crate::protocol::Protocol as _;
use crate::table::Table;
use acrasin_process::Condition;

/// Supports whose answer is kept, at most; then they are evaluated again.
const KEPT: usize = 4096;

/// All agents give the same output, and no interaction can change that: every state that can occur from the states
/// present, for every schedule, has it, or no two agents can change a state at all.
///
/// What can occur is the closure of the present states under all outcomes ([`reachable_states`]). It does not look at
/// how many agents are in a state, so where it says yes, outputs are final on every graph. Where the condition says no,
/// they may be final nevertheless: a meeting that would change them may need more agents of a state than there ever
/// are.
///
/// The answer of the closure depends on which states are present and is kept. Cost: one pass over the states; while
/// outputs agree and may change, a look for a pair that does; of a new set of states one step an ordered pair of its
/// closure.
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
    /// For the transitions and outputs of this table.
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

    /// A state that comes in was in the closure before, so only one that is gone makes it smaller; and silence begins
    /// with the last agents, too.
    fn is_of_last_agents(&self) -> bool {
        true
    }

    /// States that are certainly present have a closure that is certainly there.
    fn possible(&self, least: &[u64], _most: &[u64]) -> bool {
        self.of(least)
    }
}
