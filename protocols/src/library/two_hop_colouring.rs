//! Self-stabilising two-hop colouring of graphs of bounded degree.

use std::num::NonZeroU32;

use acrasin_catalogue::parameter::ParameterError;
use acrasin_runtime::choice::Choices;

use super::entry::in_range;
use crate::protocol::{Protocol, WeightedOutcomes, draw};

/// The state of an agent: its colour, and one bit for each colour that a neighbour may have.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Coloured {
    /// The agent's colour.
    pub colour: u8,
    /// The bits, one per colour. An agent compares bit c with the bit that a neighbour of colour c keeps for the
    /// agent's colour.
    pub shared: u64,
}

impl Coloured {
    fn bit(self, colour: u8) -> bool {
        self.shared >> colour & 1 == 1
    }

    fn toggled(self, colour: u8) -> Self {
        Self { shared: self.shared ^ 1 << colour, ..self }
    }
}

/// Agents u (initiator) and v compare the bits that they keep for each other's colour. If the bits differ, u takes a
/// uniformly random colour and copies the bit that v keeps for this colour. If the bits agree, both agents toggle their
/// bit. Two neighbours of v with equal colours share one bit of v, so each finds it changed by the other.
///
/// The protocol has k 2^k states for k colours, so it has no table: [`lazy`](crate::lazy) runs it.
///
/// - **Source:** after Angluin, Aspnes, Fischer, Jiang, "Self-stabilizing population protocols", ACM Transactions on
///   Autonomous and Adaptive Systems 3 (2008). The rules were not confirmed line by line against the paper.
/// - **Claim:** with k > d (d-1) colours on a graph of degree d, from any start, the neighbours of each agent finally
///   have different colours, with probability 1. No colour changes afterwards. Two adjacent agents may have the same
///   colour.
/// - **Oracle:** [`is_stable`](Self::is_stable) becomes true, and stays true under all interactions.
/// - **Odd cases:** bits are toggled forever, so the population is never silent. With too few colours for the graph,
///   colours never stop changing.
/// - **Group:** the holder of the lock meets every agent of its lock set once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TwoHopColouring {
    colours: u16,
}

impl TwoHopColouring {
    /// The maximum number of colours: a word has one bit for each.
    pub const MAX_COLOURS: u16 = 64;

    /// Creates the protocol with this number of colours.
    ///
    /// # Errors
    ///
    /// Fewer than 2 or more than [`MAX_COLOURS`](Self::MAX_COLOURS).
    pub fn new(colours: u16) -> Result<Self, ParameterError> {
        Ok(Self { colours: in_range("two-hop-colouring", "k", colours, 2, Self::MAX_COLOURS)? })
    }

    /// The number of colours.
    #[must_use]
    pub fn colours(&self) -> NonZeroU32 {
        NonZeroU32::new(self.colours.into()).expect("two colours or more")
    }

    /// Whether neighbours of one agent have different colours, and the two ends of each edge agree on their bits. If
    /// so, no colour ever changes again. Edges are pairs of indices into `states`, each once.
    #[must_use]
    pub fn is_stable(states: &[Coloured], edges: &[[usize; 2]]) -> bool {
        let mut taken = vec![0_u64; states.len()];
        edges.iter().flat_map(|&[u, v]| [[u, v], [v, u]]).all(|[u, v]| {
            let colour = 1 << states[v].colour;
            let is_new = taken[u] & colour == 0;
            taken[u] |= colour;
            is_new && states[u].bit(states[v].colour) == states[v].bit(states[u].colour)
        })
    }
}

impl Protocol for TwoHopColouring {
    type State = Coloured;
    type Output = u8;

    /// One possible outcome. If the initiator takes a random colour, this is colour 0.
    fn transition(&self, initiator: Coloured, responder: Coloured) -> (Coloured, Coloured) {
        self.outcomes(initiator, responder)[0].1
    }

    fn output(&self, state: Coloured) -> u8 {
        state.colour
    }

    fn outcomes(&self, initiator: Coloured, responder: Coloured) -> WeightedOutcomes<Coloured> {
        if initiator.bit(responder.colour) == responder.bit(initiator.colour) {
            return vec![(1, (initiator.toggled(responder.colour), responder.toggled(initiator.colour)))];
        }
        let recoloured = |colour: u8| {
            let fresh = Coloured { colour, ..initiator };
            let agrees = fresh.bit(responder.colour) == responder.bit(colour);
            (1, (if agrees { fresh } else { fresh.toggled(responder.colour) }, responder))
        };
        // At most 64 colours.
        (0..self.colours as u8).map(recoloured).collect()
    }

    fn interact(
        &self,
        initiator: Coloured,
        responder: Coloured,
        choices: &mut dyn Choices,
    ) -> (Coloured, Coloured) {
        draw(&self.outcomes(initiator, responder), choices)
    }
}
