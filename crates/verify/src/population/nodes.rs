//! The model of a given graph: the state of each node.

use std::ops::ControlFlow;

use acrasin_protocols::Table;

use super::claim::Claim;
use super::configuration::{
    Configurations, Occurring, PopulationConfiguration, PopulationInteraction, SILENT,
};
use super::inputs::next_placement;
use acrasin_explore::{Duty, Model, MoveId, Moves};

/// All placements of one input on the nodes of a graph. A configuration stores one number per node: its state, numbered
/// among the states that can occur. The number takes one byte for at most 256 states, otherwise two.
pub(super) struct NodesModel<'a> {
    pub(super) table: &'a Table,
    pub(super) claim: &'a Claim,
    pub(super) occurring: &'a Occurring,
    /// The directed edges, initiator first.
    pub(super) arcs: &'a [[u32; 2]],
    /// The number of agents that start in each state of the table.
    pub(super) input: &'a [u64],
}

impl NodesModel<'_> {
    fn width(&self) -> usize {
        if self.occurring.states.len() <= 256 { 1 } else { 2 }
    }

    fn put(&self, packed: &mut [u8], node: usize, place: u16) {
        let [low, high] = place.to_le_bytes();
        match self.width() {
            1 => packed[node] = low,
            _ => packed[2 * node..2 * node + 2].copy_from_slice(&[low, high]),
        }
    }

    fn states(&self, packed: &[u8]) -> Vec<u16> {
        let place = |node: &[u8]| u16::from_le_bytes([node[0], node.get(1).copied().unwrap_or(0)]);
        packed.chunks(self.width()).map(|node| self.occurring.states[usize::from(place(node))]).collect()
    }
}

impl Configurations for NodesModel<'_> {
    fn interactions(&self, packed: &[u8], found: &mut dyn FnMut(MoveId, PopulationInteraction, &[u8])) {
        let states = self.states(packed);
        let mut next = packed.to_vec();
        // At most 2^16 arcs, so the number fits 16 bits.
        for (step, &nodes) in (0_u32..).zip(self.arcs) {
            let before = nodes.map(|node| states[node as usize]);
            for (outcome, drawn) in (0_u16..).zip(self.table.outcomes(before[0], before[1])) {
                let after = [drawn.initiator, drawn.responder];
                if after != before {
                    next.copy_from_slice(packed);
                    for (node, state) in nodes.into_iter().zip(after) {
                        self.put(&mut next, node as usize, self.occurring.place(state));
                    }
                    let id = MoveId { step: step as u16, outcome };
                    found(id, PopulationInteraction { before, after, nodes: Some(nodes) }, &next);
                }
            }
        }
    }

    fn unpacked(&self, packed: &[u8]) -> PopulationConfiguration {
        let nodes = self.states(packed);
        let mut counts = vec![0; self.input.len()];
        nodes.iter().for_each(|&state| counts[usize::from(state)] += 1);
        PopulationConfiguration { counts, nodes: Some(nodes) }
    }
}

impl Model for NodesModel<'_> {
    type Workbench = ();

    fn workbench(&self) {}

    fn starts(&self, (): &mut (), start: &mut dyn FnMut(&[u8]) -> ControlFlow<()>) {
        let mut places: Vec<u16> = Vec::new();
        for (place, &state) in (0_u16..).zip(&self.occurring.states) {
            let count = self.input[usize::from(state)] as usize;
            places.extend(std::iter::repeat_n(place, count));
        }
        let mut packed = vec![0; places.len() * self.width()];
        loop {
            for (node, &place) in places.iter().enumerate() {
                self.put(&mut packed, node, place);
            }
            if start(&packed).is_break() || !next_placement(&mut places) {
                return;
            }
        }
    }

    fn expand(&self, (): &mut (), configuration: &[u8], moves: &mut Moves) {
        let mut is_silent = true;
        self.interactions(configuration, &mut |id, _, next| {
            is_silent = false;
            moves.successor(id, Duty::NONE, next);
        });
        let counts = self.unpacked(configuration).counts;
        moves.label(self.claim.label(&counts) | if is_silent { SILENT } else { 0 });
    }
}
