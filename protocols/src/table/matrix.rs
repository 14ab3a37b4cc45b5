//! The table: one cell per ordered pair of states.

use std::num::NonZeroU32;

use acrasin_runtime::choice::{Choices, Decision};
use hashbrown::HashMap;

use crate::SeedlessHasher;
use crate::group::{GroupRule, share_equally, take_maximum};
use crate::protocol::{Protocol, WeightedOutcomes, each_once};

/// One possible result of an interaction.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct WeightedOutcome {
    /// The new state of the initiator.
    pub initiator: u16,
    /// The new state of the responder.
    pub responder: u16,
    /// The weight, at least 1. The probability is the weight divided by the sum of the weights of the pair.
    pub weight: u32,
}

/// The outcomes of one randomised pair: at least two, sorted and distinct, and their weights have no common factor.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Lottery {
    outcomes: Box<[WeightedOutcome]>,
    total: NonZeroU32,
}

/// A protocol as a table over numbered, named states. Every ordered pair of states has a cell.
///
/// States are `0..state_count()`, outputs `0..output_count()`. Methods that take a state panic if there is no such
/// state. Memory: 4 bytes per ordered pair, and more for randomised pairs only.
///
/// ```
/// use acrasin_protocols::{Missing, Protocol, Rule, TableSpec};
///
/// let table = TableSpec {
///     states: vec!["S".into(), "I".into()],
///     rules: vec![Rule::OneWay("I + S -> I + I".into())],
///     default: Some(Missing::Null),
///     ..TableSpec::default()
/// }
/// .build()?;
/// let (s, i) = (table.state("S").unwrap(), table.state("I").unwrap());
/// assert_eq!(table.transition(i, s), (i, i));
/// assert_eq!(table.transition(s, i), (s, i));
/// # Ok::<(), acrasin_protocols::TableError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Table {
    names: Vec<String>,
    outputs: Vec<String>,
    output_of: Vec<u16>,
    cells: Vec<[u16; 2]>,
    lotteries: HashMap<u32, Lottery, SeedlessHasher>,
    group: GroupRule,
}

/// The parts of a table; the caller has checked them.
pub(super) struct TableParts {
    pub(super) names: Vec<String>,
    pub(super) outputs: Vec<String>,
    pub(super) output_of: Vec<u16>,
    pub(super) group: GroupRule,
}

impl Table {
    /// Creates a table in which no interaction changes a state.
    pub(super) fn null(parts: TableParts) -> Self {
        let count = u16::try_from(parts.names.len()).expect("the number of states was checked");
        let cells = (0..count).flat_map(|a| (0..count).map(move |b| [a, b])).collect();
        let TableParts { names, outputs, output_of, group } = parts;
        Self { names, outputs, output_of, cells, lotteries: HashMap::default(), group }
    }

    /// Stores the outcomes of one pair, as [`normalised`] returns them.
    pub(super) fn set(&mut self, initiator: u16, responder: u16, outcomes: &[WeightedOutcome]) {
        let cell = self.cell(initiator, responder);
        // The heaviest outcome stands for the pair in `transition`; among equals the first.
        let heaviest = outcomes.iter().rev().max_by_key(|outcome| outcome.weight).expect("an outcome");
        self.cells[cell] = [heaviest.initiator, heaviest.responder];
        if outcomes.len() > 1 {
            let total = outcomes.iter().map(|outcome| outcome.weight).sum();
            let total = NonZeroU32::new(total).expect("weights are at least 1");
            self.lotteries.insert(cell as u32, Lottery { outcomes: outcomes.into(), total });
        }
    }

    #[inline]
    fn cell(&self, initiator: u16, responder: u16) -> usize {
        let count = self.names.len();
        let (a, b) = (usize::from(initiator), usize::from(responder));
        assert!(a < count && b < count, "states {a} and {b} of a table with {count} states");
        a * count + b
    }

    /// The number of states; at least 1.
    #[must_use]
    pub fn state_count(&self) -> u16 {
        self.names.len() as u16
    }

    /// All states, as numbers from 0.
    pub fn states(&self) -> impl DoubleEndedIterator<Item = u16> + ExactSizeIterator + Clone + use<> {
        0..self.state_count()
    }

    /// The names of the states, by number.
    #[must_use]
    pub fn state_names(&self) -> &[String] {
        &self.names
    }

    /// The name of a state.
    #[must_use]
    pub fn state_name(&self, state: u16) -> &str {
        &self.names[usize::from(state)]
    }

    /// The number of the state with this name; `None` if there is no such state. Cost: linear in the number of states.
    #[must_use]
    pub fn state(&self, name: &str) -> Option<u16> {
        self.names.iter().position(|known| known == name).map(|place| place as u16)
    }

    /// The number of outputs; at least 1.
    #[must_use]
    pub fn output_count(&self) -> u16 {
        self.outputs.len() as u16
    }

    /// The names of the outputs, by number.
    #[must_use]
    pub fn output_names(&self) -> &[String] {
        &self.outputs
    }

    /// The name of an output.
    #[must_use]
    pub fn output_name(&self, output: u16) -> &str {
        &self.outputs[usize::from(output)]
    }

    /// The joint interaction of a locked set.
    #[must_use]
    pub fn group_rule(&self) -> GroupRule {
        self.group
    }

    /// All possible outcomes of an ordered pair: exactly one outcome unless the pair is randomised.
    pub fn outcomes(&self, initiator: u16, responder: u16) -> impl Iterator<Item = WeightedOutcome> + '_ {
        let cell = self.cell(initiator, responder);
        let lottery = self.lottery(cell);
        let [a, b] = self.cells[cell];
        let only = lottery.is_none().then_some(WeightedOutcome { initiator: a, responder: b, weight: 1 });
        only.into_iter().chain(lottery.into_iter().flat_map(|lottery| lottery.outcomes.iter().copied()))
    }

    #[inline]
    fn lottery(&self, cell: usize) -> Option<&Lottery> {
        if self.lotteries.is_empty() { None } else { self.lotteries.get(&(cell as u32)) }
    }

    /// Whether the outcome of an ordered pair is random.
    #[must_use]
    pub fn is_randomised(&self, initiator: u16, responder: u16) -> bool {
        self.lottery(self.cell(initiator, responder)).is_some()
    }

    /// Whether an interaction of `initiator` with `responder` changes neither state.
    #[must_use]
    pub fn is_null(&self, initiator: u16, responder: u16) -> bool {
        let cell = self.cell(initiator, responder);
        // A lottery has two distinct outcomes, so one of them is a change.
        self.cells[cell] == [initiator, responder] && self.lottery(cell).is_none()
    }

    /// Whether an interaction of an agent in state `a` with an agent in state `b` changes neither of them, in either
    /// direction.
    #[must_use]
    pub fn pair_is_null(&self, a: u16, b: u16) -> bool {
        self.is_null(a, b) && self.is_null(b, a)
    }

    /// Whether no outcome of a pair, in either order, changes the counts. Then an interaction changes nothing, or the
    /// two agents swap their states.
    #[must_use]
    pub fn pair_keeps_counts(&self, a: u16, b: u16) -> bool {
        let keeps = |x, y| {
            self.outcomes(x, y)
                .all(|o| [o.initiator, o.responder] == [x, y] || (o.initiator, o.responder) == (y, x))
        };
        keeps(a, b) && keeps(b, a)
    }
}

impl Protocol for Table {
    type State = u16;
    type Output = u16;

    /// The outcome of the pair; for a randomised pair the outcome with the largest weight.
    #[inline]
    fn transition(&self, initiator: u16, responder: u16) -> (u16, u16) {
        let [a, b] = self.cells[self.cell(initiator, responder)];
        (a, b)
    }

    #[inline]
    fn output(&self, state: u16) -> u16 {
        self.output_of[usize::from(state)]
    }

    #[inline]
    fn interact(&self, initiator: u16, responder: u16, choices: &mut dyn Choices) -> (u16, u16) {
        let cell = self.cell(initiator, responder);
        let Some(lottery) = self.lottery(cell) else {
            let [a, b] = self.cells[cell];
            return (a, b);
        };
        let mut ticket = choices.pick(lottery.total, Decision::Outcome);
        for outcome in &lottery.outcomes {
            match ticket.checked_sub(outcome.weight) {
                None => return (outcome.initiator, outcome.responder),
                Some(rest) => ticket = rest,
            }
        }
        unreachable!("a pick is below its bound")
    }

    fn outcomes(&self, initiator: u16, responder: u16) -> WeightedOutcomes<u16> {
        // The inherent method of the same name.
        Self::outcomes(self, initiator, responder).map(|o| (o.weight, (o.initiator, o.responder))).collect()
    }

    fn group(&self, own: &mut u16, others: &mut [u16], choices: &mut dyn Choices) {
        match self.group {
            GroupRule::EachOnce => each_once(self, own, others, choices),
            GroupRule::Maximum => take_maximum(own, others),
            GroupRule::Mean => share_equally(own, others, choices),
        }
    }
}

/// The normal form of a list of outcomes: sorted by states, weights without a common factor. Two lists describe the
/// same distribution if and only if their normal forms are equal. The outcomes must be distinct.
pub(super) fn normalised(mut outcomes: Vec<WeightedOutcome>) -> Vec<WeightedOutcome> {
    outcomes.sort_unstable();
    let divisor =
        outcomes.iter().fold(0, |divisor, outcome| greatest_common_divisor(divisor, outcome.weight));
    for outcome in &mut outcomes {
        outcome.weight /= divisor;
    }
    outcomes
}

fn greatest_common_divisor(mut a: u32, mut b: u32) -> u32 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
