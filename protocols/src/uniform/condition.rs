//! Conditions on the counts of states: equal outputs, and silence.

use acrasin_process::Condition;

use super::rules::TransitionRules;
use crate::table::Table;

/// A number of interactions, at most `left`, during which `condition` certainly does not hold. The bound follows
/// because an interaction removes at most two agents from their states. Returns 0 if the bound would save less than it
/// costs.
pub(super) fn calm(condition: &dyn Condition, counts: &[u64], left: u64) -> u64 {
    let (mut least, mut most) = (counts.to_vec(), counts.to_vec());
    for stretch in [1 << 16, 1 << 12, 1 << 9, 1 << 6] {
        if stretch > left {
            continue;
        }
        for ((least, most), &count) in least.iter_mut().zip(&mut most).zip(counts) {
            (*least, *most) = (count.saturating_sub(2 * stretch), count.saturating_add(2 * stretch));
        }
        if !condition.possible(&least, &most) {
            return stretch;
        }
    }
    0
}

/// Whether `condition` certainly does not hold within the next `interactions`.
pub(super) fn calm_for(condition: &dyn Condition, counts: &[u64], interactions: u64) -> bool {
    let agents = interactions.saturating_mul(2);
    let least: Vec<u64> = counts.iter().map(|count| count.saturating_sub(agents)).collect();
    let most: Vec<u64> = counts.iter().map(|count| count.saturating_add(agents)).collect();
    !condition.possible(&least, &most)
}

/// The condition that all agents have the same output.
#[derive(Clone, Debug)]
pub struct Agreed {
    output_of: Vec<u16>,
}

impl Agreed {
    /// Creates the condition for the outputs of this table.
    #[must_use]
    pub fn new(table: &Table) -> Self {
        use crate::protocol::Protocol as _;
        Self { output_of: table.states().map(|state| table.output(state)).collect() }
    }

    fn of(&self, counts: &[u64]) -> bool {
        let mut outputs =
            self.output_of.iter().zip(counts).filter(|&(_, &count)| count > 0).map(|(output, _)| output);
        let first = outputs.next();
        outputs.all(|output| Some(output) == first)
    }
}

impl Condition for Agreed {
    fn holds(&self, counts: &[u64]) -> bool {
        self.of(counts)
    }

    /// Returns true: agreement begins when the last agent leaves a state with another output.
    fn is_of_last_agents(&self) -> bool {
        true
    }

    /// Returns false if two states with different outputs are certainly present.
    fn possible(&self, least: &[u64], _most: &[u64]) -> bool {
        self.of(least)
    }
}

/// The condition that no interaction can change a state.
#[derive(Clone, Debug)]
pub struct Silent {
    active: Vec<[u16; 2]>,
}

impl Silent {
    /// Creates the condition for the transitions of this table.
    #[must_use]
    pub fn new(table: &Table) -> Self {
        Self { active: TransitionRules::new(table).active().to_vec() }
    }
}

impl Condition for Silent {
    fn holds(&self, counts: &[u64]) -> bool {
        self.active.iter().all(|&[a, b]| {
            let others = counts[usize::from(b)].saturating_sub(u64::from(a == b));
            counts[usize::from(a)] == 0 || others == 0
        })
    }

    /// Returns true: a pair of states becomes impossible when one of them loses its last agent. A pair of equal states
    /// becomes impossible when only one agent remains in that state.
    fn is_of_last_agents(&self) -> bool {
        true
    }

    /// Returns false if a pair that changes a state is certainly present.
    fn possible(&self, least: &[u64], _most: &[u64]) -> bool {
        self.holds(least)
    }
}
