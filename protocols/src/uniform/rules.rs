//! The transition table in the layout of the engines: one look-up per interaction.

use acrasin_runtime::digest::Digest;

use crate::table::{Table, WeightedOutcome};

use super::draws::RandomDraws;
use super::hypergeometric::binomial;

/// The outcomes of a randomised pair of states.
#[derive(Clone, Debug)]
struct PairLottery {
    outcomes: Box<[WeightedOutcome]>,
    total: u64,
}

/// The transition function over states `0..states`.
#[derive(Clone, Debug)]
pub(super) struct TransitionRules {
    states: usize,
    /// The outcome of each ordered pair, initiator first; for randomised pairs the outcome with the largest weight.
    cells: Vec<[u16; 2]>,
    /// For each cell, 1 plus the number of its lottery, or 0 if it is deterministic. Empty if all pairs are
    /// deterministic.
    lottery_of: Vec<u32>,
    lotteries: Vec<PairLottery>,
    /// The ordered pairs of states whose interaction may change a state.
    active: Vec<[u16; 2]>,
}

impl TransitionRules {
    pub(super) fn new(table: &Table) -> Self {
        let states = usize::from(table.state_count());
        let mut rules = Self {
            states,
            cells: Vec::with_capacity(states * states),
            lottery_of: Vec::new(),
            lotteries: Vec::new(),
            active: Vec::new(),
        };
        for (a, b) in table.states().flat_map(|a| table.states().map(move |b| (a, b))) {
            let outcomes: Box<[WeightedOutcome]> = table.outcomes(a, b).collect();
            let heaviest =
                outcomes.iter().rev().max_by_key(|outcome| outcome.weight).expect("a pair has an outcome");
            if outcomes.len() > 1 {
                rules.lottery_of.resize(states * states, 0);
                let total = outcomes.iter().map(|outcome| u64::from(outcome.weight)).sum();
                rules.lottery_of[rules.cells.len()] = rules.lotteries.len() as u32 + 1;
                rules.lotteries.push(PairLottery { outcomes: outcomes.clone(), total });
            }
            rules.cells.push([heaviest.initiator, heaviest.responder]);
            if !table.is_null(a, b) {
                rules.active.push([a, b]);
            }
        }
        rules
    }

    /// A digest of the transition function.
    pub(super) fn digest(&self) -> Digest {
        let lotteries: Vec<_> = self
            .lotteries
            .iter()
            .map(|lottery| lottery.outcomes.iter().map(|of| (of.initiator, of.responder, of.weight)))
            .map(Iterator::collect::<Vec<_>>)
            .collect();
        Digest::of(&(self.states, &self.cells, &self.lottery_of, lotteries))
    }

    /// Creates deterministic rules from their outcomes: one row per initiator state, one cell per responder state.
    #[cfg(test)]
    pub(super) fn of_cells(states: usize, cells: Vec<[u16; 2]>) -> Self {
        Self { states, cells, lottery_of: Vec::new(), lotteries: Vec::new(), active: Vec::new() }
    }

    pub(super) fn states(&self) -> usize {
        self.states
    }

    /// The ordered pairs whose interaction may change a state.
    pub(super) fn active(&self) -> &[[u16; 2]] {
        &self.active
    }

    /// Whether no pair is randomised. If so, [`cells`](Self::cells) is the whole transition function.
    pub(super) fn is_deterministic(&self) -> bool {
        self.lotteries.is_empty()
    }

    /// The outcomes, one per ordered pair: one row per initiator state, one cell per responder state.
    pub(super) fn cells(&self) -> &[[u16; 2]] {
        &self.cells
    }

    /// The states after one interaction.
    #[inline]
    pub(super) fn interact(&self, initiator: u16, responder: u16, draws: &mut RandomDraws) -> [u16; 2] {
        let cell = usize::from(initiator) * self.states + usize::from(responder);
        match self.lottery(cell) {
            None => self.cells[cell],
            Some(lottery) => {
                let mut ticket = draws.below(lottery.total);
                for outcome in &lottery.outcomes {
                    match ticket.checked_sub(u64::from(outcome.weight)) {
                        None => return [outcome.initiator, outcome.responder],
                        Some(rest) => ticket = rest,
                    }
                }
                unreachable!("a ticket is below the sum of the weights")
            }
        }
    }

    #[inline]
    fn lottery(&self, cell: usize) -> Option<&PairLottery> {
        if self.lottery_of.is_empty() {
            return None;
        }
        let number = self.lottery_of[cell] as usize;
        (number > 0).then(|| &self.lotteries[number - 1])
    }

    /// Draws the outcomes of this number of independent interactions of one ordered pair of states. Calls `each` with
    /// every outcome and the number of times that it occurred.
    pub(super) fn interact_often(
        &self,
        initiator: u16,
        responder: u16,
        times: u64,
        draws: &mut RandomDraws,
        mut each: impl FnMut([u16; 2], u64),
    ) {
        let cell = usize::from(initiator) * self.states + usize::from(responder);
        let Some(lottery) = self.lottery(cell) else {
            return each(self.cells[cell], times);
        };
        let (mut times, mut total) = (times, lottery.total);
        for outcome in &lottery.outcomes {
            let weight = u64::from(outcome.weight);
            let came = binomial(times, weight, total, draws);
            if came > 0 {
                each([outcome.initiator, outcome.responder], came);
            }
            times -= came;
            total -= weight;
        }
    }
}
