//! The task of P6: an interaction with a random neighbour.

use std::hint::black_box;
use std::num::NonZeroU32;

use acrasin_engine::draw::{Draws, NodeDraws, Purpose, mix};
use acrasin_engine::waves::{Held, WaveTask};
use acrasin_runtime::choice::{Choices, Decision};

/// The task of P6: a game of rock-paper-scissors with a uniformly random neighbour. The loser takes the winner's state.
///
/// The transition has an artificial additional cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct RandomPartner {
    /// The artificial additional cost of a transition.
    pub(crate) transition: TransitionCost,
}

/// An artificial cost: a fixed number of dependent arithmetic steps. Their time depends on the machine.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum TransitionCost {
    /// A cost of about 10 ns.
    Ns10,
    /// A cost of about 100 ns.
    Ns100,
    /// A cost of about 1000 ns.
    Ns1000,
}

impl TransitionCost {
    /// The number of dependent arithmetic steps, each a round of a 64-bit mixer.
    #[must_use]
    pub(crate) const fn steps(self) -> u32 {
        match self {
            Self::Ns10 => 2,
            Self::Ns100 => 20,
            Self::Ns1000 => 200,
        }
    }

    /// Executes the arithmetic steps of this cost.
    #[inline(always)]
    fn spend(self, seed: u64) {
        black_box((0..self.steps()).fold(seed, |word, _| mix(word)));
    }
}

/// The new states of initiator and responder, each 0, 1 or 2. The index consists of the two bits of the initiator's
/// state and the two bits of the responder's.
const ROCK_PAPER_SCISSORS: [(u8, u8); 16] = {
    let mut table = [(0, 0); 16];
    let (mut initiator, mut responder) = (0, 0);
    while initiator < 3 {
        // 1 beats 0, 2 beats 1, 0 beats 2.
        table[initiator << 2 | responder] = if responder == (initiator + 1) % 3 {
            (responder as u8, responder as u8)
        } else {
            let beaten = initiator == (responder + 1) % 3;
            (initiator as u8, if beaten { initiator as u8 } else { responder as u8 })
        };
        responder += 1;
        if responder == 3 {
            (initiator, responder) = (initiator + 1, 0);
        }
    }
    table
};

impl WaveTask for RandomPartner {
    /// A hand of rock-paper-scissors: 0, 1 or 2.
    type State = u8;
    type Outcome = ();

    #[inline(always)]
    fn enter<H: Held<State = u8>>(&self, held: &mut H, draws: &mut NodeDraws) {
        let Some(degree) = NonZeroU32::new(u32::from(held.degree())) else {
            return;
        };
        let nth = draws.pick(degree, Decision::Partner) as u16;
        let Some((port, &other)) = held.nth_port(nth).and_then(|port| Some((port, held.neighbour(port)?)))
        else {
            return;
        };
        let own = *held.own();
        self.transition.spend(u64::from(own));
        let (own, other) = ROCK_PAPER_SCISSORS[usize::from(own << 2 | other) % 16];
        *held.own_mut() = own;
        if let Some(neighbour) = held.neighbour_mut(port) {
            *neighbour = other;
        }
    }
}

/// Uniformly random initial states for [`RandomPartner`], a function of the seed ([`Purpose::Initial`]).
#[must_use]
pub(crate) fn random_hands(draws: Draws, nodes: u32) -> Vec<u8> {
    let stream = draws.stream(Purpose::Initial, 0);
    let three = NonZeroU32::new(3).expect("3 > 0");
    (0..u64::from(nodes)).map(|node| stream.below(node, three) as u8).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_loser_takes_the_hand_of_the_winner() {
        let of = |initiator: usize, responder: usize| ROCK_PAPER_SCISSORS[initiator << 2 | responder];
        assert_eq!([of(0, 0), of(1, 1), of(2, 2)], [(0, 0), (1, 1), (2, 2)]);
        assert_eq!([of(1, 0), of(2, 1), of(0, 2)], [(1, 1), (2, 2), (0, 0)]);
        assert_eq!([of(0, 1), of(1, 2), of(2, 0)], [(1, 1), (2, 2), (0, 0)]);
    }

    #[test]
    fn initial_states_are_golden() {
        let hands = random_hands(Draws::new(1), 3000);
        assert_eq!(hands[..6], GOLDEN_HANDS);
        for hand in 0..3 {
            let count = hands.iter().filter(|&&h| h == hand).count();
            // Standard deviation 26.
            assert!(count.abs_diff(1000) < 130, "{hand}: {count}");
        }
    }

    const GOLDEN_HANDS: [u8; 6] = [2, 1, 1, 0, 1, 0];
}
