//! Cyclic dominance: rock, paper, scissors, and longer cycles of species.

use acrasin_catalogue::parameter::ParameterError;

use super::entry::{ProtocolEntry, ProtocolInstance, in_range, small, spread, whole};
use super::proved::ProvedClaim;
use crate::protocol::{FiniteProtocol, Protocol};
use crate::table::MAX_STATES;

/// The catalogue entry of cyclic dominance among any number of species.
pub(super) const CYCLIC_SPECIES: ProtocolEntry = ProtocolEntry::new(
    "cyclic-species",
    "k species in a circle, each of which eats the species before it",
    "0 to k-1 (R, P, S if k is 3)",
    |values| {
        let protocol = Cyclic { species: small(values[0]) };
        ProtocolInstance::of(&protocol, move |agents| protocol.initial_counts(agents))
    },
)
.with_parameters(const { &[whole("k", "the number of species", 3, Cyclic::MAX_SPECIES as i64, 5)] })
.with_proved(ProvedClaim::eventually(
    "('0' = 0 or '1' = 0) and ('1' = 0 or '2' = 0) and ('2' = 0 or '3' = 0) and ('3' = 0 or '4' = 0) \
         and ('4' = 0 or '0' = 0)",
    &["0", "1", "2", "3", "4"],
));

/// The catalogue entry of cyclic dominance among three species.
pub(super) const ROCK_PAPER_SCISSORS: ProtocolEntry = ProtocolEntry::new(
    "rock-paper-scissors",
    "three species, each of which eats another: cyclic Lotka-Volterra",
    "R, P, S",
    |_| {
        ProtocolInstance::of(&Cyclic::ROCK_PAPER_SCISSORS, |agents| {
            Cyclic::ROCK_PAPER_SCISSORS.initial_counts(agents)
        })
    },
)
.with_proved(ProvedClaim::eventually("R = n or P = n or S = n", &["R", "P", "S"]));

/// Species in a circle. Each species eats the previous one: with k species, i+1, i -> i+1, i+1 (mod k), symmetric.
///
/// Three species are called R, P, S, and form the cyclic Lotka-Volterra system. Their rules are R, S -> R, R; S, P ->
/// S, S; P, R -> P, P. If there are more species, they are called 0, 1, and so on.
///
/// - **Source:** folklore; as population dynamics Reichenbach, Mobilia, Frey, Phys. Rev. E 74 (2006).
/// - **Claim:** three species: E[r s p after t interactions] = r0 s0 p0 (1 - 6/(n (n-1)))^t exactly; a species is
///   extinct after Theta(n^2) interactions.
/// - **Oracle:** the formula.
/// - **Odd cases:** a species that is extinct stays extinct. Of three species one is left in the end. Of four or more,
///   several that do not eat each other may be left, silently (such as species 0 and 2 of four).
/// - **Group:** the holder of the lock meets every agent of its lock set once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cyclic {
    species: u16,
}

impl Cyclic {
    /// Three species: rock, paper, scissors.
    pub const ROCK_PAPER_SCISSORS: Self = Self { species: 3 };

    /// The maximum number of species that fit in a table.
    pub const MAX_SPECIES: u16 = MAX_STATES as u16;

    /// Creates the protocol with a circle of `species` species.
    ///
    /// # Errors
    ///
    /// Fewer than 3 (two species would eat each other) or more than [`MAX_SPECIES`](Self::MAX_SPECIES).
    pub fn new(species: u16) -> Result<Self, ParameterError> {
        Ok(Self { species: in_range("cyclic-species", "k", species, 3, Self::MAX_SPECIES)? })
    }

    /// Example initial counts: an equal number of agents for each species; the first species get one agent more if
    /// there is a remainder. One count per species; they sum to `agents`.
    #[must_use]
    pub fn initial_counts(&self, agents: u64) -> Vec<u64> {
        spread(agents, self.species.into(), 0..self.species.into())
    }

    fn eats(self, eater: u16, eaten: u16) -> bool {
        eater == (eaten + 1) % self.species
    }
}

impl Protocol for Cyclic {
    type State = u16;
    type Output = u16;

    fn transition(&self, initiator: u16, responder: u16) -> (u16, u16) {
        if self.eats(initiator, responder) {
            (initiator, initiator)
        } else if self.eats(responder, initiator) {
            (responder, responder)
        } else {
            (initiator, responder)
        }
    }

    fn output(&self, state: u16) -> u16 {
        state
    }
}

impl FiniteProtocol for Cyclic {
    fn states(&self) -> Vec<u16> {
        (0..self.species).collect()
    }

    fn state_name(&self, state: u16) -> String {
        match (self.species, state) {
            (3, 0) => "R".to_owned(),
            (3, 1) => "P".to_owned(),
            (3, 2) => "S".to_owned(),
            _ => state.to_string(),
        }
    }

    fn output_name(&self, output: &u16) -> String {
        self.state_name(*output)
    }
}
