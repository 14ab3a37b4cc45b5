//! The model of a complete graph: counts of agents in each state.

use std::ops::ControlFlow;

use acrasin_protocols::Table;

use super::claim::Claim;
use super::configuration::{
    Configurations, Occurring, PopulationConfiguration, PopulationInteraction, SILENT,
};
use acrasin_explore::{Duty, Model, MoveId, Moves};

/// One input on the complete graph. A configuration has one byte for each state that can occur: its count.
pub(super) struct CountsModel<'a> {
    pub(super) table: &'a Table,
    pub(super) claim: &'a Claim,
    pub(super) occurring: &'a Occurring,
    /// The number of agents that start in each state of the table.
    pub(super) input: &'a [u64],
}

impl CountsModel<'_> {
    /// Unpacks a configuration into `counts`, with one number for each state of the table.
    fn unpack(&self, packed: &[u8], counts: &mut Vec<u64>) {
        counts.clear();
        counts.resize(self.input.len(), 0);
        for (&state, &count) in self.occurring.states.iter().zip(packed) {
            counts[usize::from(state)] = u64::from(count);
        }
    }
}

impl Configurations for CountsModel<'_> {
    fn interactions(&self, packed: &[u8], found: &mut dyn FnMut(MoveId, PopulationInteraction, &[u8])) {
        let states = &self.occurring.states;
        let present: Vec<usize> = (0..packed.len()).filter(|&place| packed[place] > 0).collect();
        let mut next = packed.to_vec();
        // At most 255 states are present, so the number of a pair fits 16 bits.
        let mut step = 0_u16;
        for (&i, &j) in present.iter().flat_map(|i| present.iter().map(move |j| (i, j))) {
            let id = |outcome| MoveId { step, outcome };
            let before = [states[i], states[j]];
            if i != j || packed[i] > 1 {
                for (outcome, drawn) in (0_u16..).zip(self.table.outcomes(before[0], before[1])) {
                    let after = [drawn.initiator, drawn.responder];
                    next.copy_from_slice(packed);
                    next[i] -= 1;
                    next[j] -= 1;
                    for state in after {
                        next[usize::from(self.occurring.place(state))] += 1;
                    }
                    if next != packed {
                        found(id(outcome), PopulationInteraction { before, after, nodes: None }, &next);
                    }
                }
            }
            step = step.wrapping_add(1);
        }
    }

    fn unpacked(&self, packed: &[u8]) -> PopulationConfiguration {
        let mut counts = Vec::new();
        self.unpack(packed, &mut counts);
        PopulationConfiguration { counts, nodes: None }
    }
}

impl Model for CountsModel<'_> {
    /// The number of agents in each state of the table.
    type Workbench = Vec<u64>;

    fn workbench(&self) -> Vec<u64> {
        Vec::new()
    }

    fn starts(&self, _: &mut Vec<u64>, start: &mut dyn FnMut(&[u8]) -> ControlFlow<()>) {
        // A count fits a byte: there are at most 255 agents.
        let packed: Vec<u8> =
            self.occurring.states.iter().map(|&state| self.input[usize::from(state)] as u8).collect();
        let _ = start(&packed);
    }

    fn expand(&self, counts: &mut Vec<u64>, configuration: &[u8], moves: &mut Moves) {
        self.unpack(configuration, counts);
        let is_silent = acrasin_protocols::analysis::is_silent(self.table, counts);
        moves.label(self.claim.label(counts) | if is_silent { SILENT } else { 0 });
        if !is_silent {
            self.interactions(configuration, &mut |id, _, next| moves.successor(id, Duty::NONE, next));
        }
    }
}
