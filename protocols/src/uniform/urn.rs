//! A small population of few states as an urn: counts only, interactions one by one.
//!
//! An interaction draws an initiator from the urn, and then a responder from the rest. This takes one word of 32 bits,
//! two multiplications, and a comparison with each boundary between two states. Agents are not stored, so many urns can
//! run side by side in the lanes of vectors (`urn_lanes`). Each urn has the same result as alone.

use rand::SeedableRng as _;

use acrasin_runtime::choice::derived_seed;

use super::condition::calm;
use super::draws::StreamPurpose;
use super::rules::TransitionRules;
use super::stream::PcgStream;
use acrasin_process::Condition;

/// The maximum number of agents. With at most this many agents, fewer than one word in 256 must be rejected.
const AGENTS_MAX: u64 = 1 << 12;

/// The maximum number of states.
pub(super) const STATES_MAX: usize = 4;
pub(super) const BOUNDARIES_MAX: usize = STATES_MAX - 1;

/// The number of single interactions before it is computed again how many interactions certainly cannot fulfil the
/// condition.
const SINGLE: u64 = 32;

/// The number of bits that the change of a boundary takes in a word. A change is from -2 to 2, and is stored with 2
/// added.
pub(super) const FIELD: u32 = 3;
const UNCHANGED: u32 = 2;

/// The generator of an urn: xoshiro128++ (Blackman and Vigna, "Scrambled linear pseudorandom number generators", 2021).
/// It uses 32-bit words without multiplication, which suits the lanes of vectors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct UrnStream(pub(super) [u32; 4]);

impl UrnStream {
    /// Creates the stream for this seed.
    pub(super) fn new(seed: u64) -> Self {
        let mut words =
            PcgStream::seed_from_u64(derived_seed(derived_seed(seed, StreamPurpose::Urn as u64), 0));
        let state = u128::from(words.word()) << 64 | u128::from(words.word());
        // The one state in 2^128 from which the generator does not move is replaced.
        Self::from_state(state).unwrap_or(Self([1, 2, 3, 4]))
    }

    /// Creates a stream that continues from this state; `None` for state 0, which no stream has.
    pub(super) fn from_state(state: u128) -> Option<Self> {
        (state != 0).then(|| Self(std::array::from_fn(|word| (state >> (32 * word)) as u32)))
    }

    pub(super) fn state(self) -> u128 {
        self.0.iter().rev().fold(0, |state, &word| state << 32 | u128::from(word))
    }

    #[inline(always)]
    pub(super) fn word(&mut self) -> u32 {
        let [mut a, mut b, mut c, mut d] = self.0;
        let word = a.wrapping_add(d).rotate_left(7).wrapping_add(a);
        let shifted = b << 9;
        c ^= a;
        d ^= b;
        b ^= c;
        a ^= d;
        c ^= shifted;
        d = d.rotate_left(11);
        self.0 = [a, b, c, d];
        word
    }
}

/// The transitions of a table, and the constants for drawing pairs, in the layout of urns.
#[derive(Clone, Copy, Debug)]
pub(super) struct UrnRules {
    pub(super) agents: u32,
    /// Words with a last part below this are rejected, so that pairs are exactly uniform.
    pub(super) uneven: u32,
    /// The number of states.
    pub(super) states: usize,
    /// For each boundary and initiator state, the changes of the boundary, with a field for each responder state.
    pub(super) rows: [[u32; STATES_MAX]; BOUNDARIES_MAX],
}

impl UrnRules {
    /// Whether a population of this size with these rules can run as an urn.
    pub(super) fn fits(agents: u64, rules: &TransitionRules) -> bool {
        (2..=AGENTS_MAX).contains(&agents) && rules.states() <= STATES_MAX && rules.is_deterministic()
    }

    pub(super) fn new(agents: u64, rules: &TransitionRules) -> Self {
        assert!(Self::fits(agents, rules), "an urn has few agents of few states, and its rules draw nothing");
        let states = rules.states();
        let mut rows = [[0; STATES_MAX]; BOUNDARIES_MAX];
        for (boundary, row) in rows.iter_mut().enumerate() {
            for (initiator, word) in row.iter_mut().enumerate() {
                for responder in 0..STATES_MAX {
                    let known = initiator < states && responder < states;
                    let before = [initiator, responder];
                    let after = if known {
                        rules.cells()[initiator * states + responder].map(usize::from)
                    } else {
                        before
                    };
                    let below =
                        |pair: [usize; 2]| pair.iter().filter(|&&state| state <= boundary).count() as u32;
                    *word |= (UNCHANGED + below(after) - below(before)) << (FIELD * responder as u32);
                }
            }
        }
        let pairs = (agents * (agents - 1)) as u32;
        Self { agents: agents as u32, uneven: pairs.wrapping_neg() % pairs, states, rows }
    }

    /// The boundaries between states: for each state, the number of agents in this state and the states before it.
    pub(super) fn boundaries(counts: &[u64]) -> [u32; BOUNDARIES_MAX] {
        let mut below = 0;
        std::array::from_fn(|state| {
            below += counts.get(state).map_or(0, |&count| count as u32);
            below
        })
    }

    /// Converts boundaries back to counts.
    pub(super) fn count(&self, boundaries: [u32; BOUNDARIES_MAX], counts: &mut [u64]) {
        let mut before = 0;
        for (state, count) in counts.iter_mut().enumerate() {
            let below = if state + 1 == self.states { self.agents } else { boundaries[state] };
            *count = u64::from(below - before);
            before = below;
        }
    }

    /// Uses one word: makes an interaction, or rejects the word; returns whether it was accepted. `boundaries` are the
    /// boundaries between states.
    ///
    /// The upper part of the product of the word with n is the initiator. The lower part times n - 1 gives the
    /// responder among the others in the same way. The rest decides whether the word is one of the few that must be
    /// rejected for uniformity. Agents are numbered in the order of their states, so the boundaries determine the state
    /// of each agent. Without the initiator, the boundaries from its state on are one less.
    #[inline(always)]
    pub(super) fn turn(&self, boundaries: &mut [u32; BOUNDARIES_MAX], word: u32) -> bool {
        let (initiator, rest) = scaled(word, self.agents);
        let (responder, rest) = scaled(rest, self.agents - 1);
        if rest < self.uneven {
            return false;
        }
        let (mut row, mut shift) = (0, 0);
        for &boundary in &*boundaries {
            row += usize::from(initiator >= boundary);
            let before = u32::from(initiator < boundary);
            shift += FIELD * u32::from(responder + before >= boundary);
        }
        for (boundary, rows) in boundaries.iter_mut().zip(&self.rows) {
            *boundary = (*boundary + (rows[row] >> shift & 7)) - UNCHANGED;
        }
        true
    }

    /// Makes this number of interactions.
    pub(super) fn run(&self, interactions: u64, counts: &mut [u64], stream: &mut UrnStream) {
        let mut boundaries = Self::boundaries(counts);
        // Copies, so that everything stays in registers.
        let mut local = *stream;
        let mut left = interactions;
        while left > 0 {
            left -= u64::from(self.turn(&mut boundaries, local.word()));
        }
        *stream = local;
        self.count(boundaries, counts);
    }

    /// Advances until `condition` holds after an interaction, by at most `interactions`. Returns the number of
    /// interactions made and whether the condition holds.
    pub(super) fn run_until(
        &self,
        interactions: u64,
        counts: &mut [u64],
        stream: &mut UrnStream,
        condition: &dyn Condition,
    ) -> (u64, bool) {
        let is_of_last_agents = condition.is_of_last_agents();
        let mut done = 0;
        while done < interactions {
            let calm = calm(condition, counts, interactions - done);
            if calm > 0 {
                self.run(calm, counts, stream);
                done += calm;
                continue;
            }
            let mut boundaries = Self::boundaries(counts);
            for _ in 0..SINGLE.min(interactions - done) {
                let mut now = boundaries;
                while !self.turn(&mut now, stream.word()) {}
                done += 1;
                if now == boundaries {
                    continue;
                }
                let mut before = [0; STATES_MAX];
                before[..counts.len()].copy_from_slice(counts);
                boundaries = now;
                self.count(boundaries, counts);
                let is_last =
                    || counts.iter().zip(before).any(|(&count, before)| count < before && count <= 1);
                if (!is_of_last_agents || is_last()) && condition.holds(counts) {
                    return (done, true);
                }
            }
        }
        (done, false)
    }
}

/// The upper and the lower half of a word times a bound of at most 2^16. They are computed from the halves of the word,
/// so that no lane needs 64 bits.
#[inline(always)]
pub(super) fn scaled(word: u32, bound: u32) -> (u32, u32) {
    let sum = (word >> 16) * bound + (((word & 0xffff) * bound) >> 16);
    (sum >> 16, word.wrapping_mul(bound))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::{ApproximateMajority, ExactMajority, Fratricide};
    use crate::table::Table;

    /// The first words of the generator from the state 1, 2, 3, 4 are those that the authors' program prints.
    #[test]
    fn words_are_those_of_the_reference() {
        let mut stream = UrnStream([1, 2, 3, 4]);
        let known = [641, 1_573_767, 3_222_811_527, 3_517_856_514, 836_907_274, 4_247_214_768];
        assert_eq!(known.map(|_| stream.word()), known);
        assert_eq!(UrnStream::from_state(stream.state()), Some(stream));
        assert_eq!(UrnStream::from_state(0), None);
    }

    #[test]
    fn a_product_by_halves_is_the_product() {
        let mut stream = UrnStream([5, 6, 7, 8]);
        for bound in [1, 2, 999, 1000, 4095, 4096] {
            for word in [0, 1, 0xffff, 0x1_0000, u32::MAX, stream.word(), stream.word()] {
                let product = u64::from(word) * u64::from(bound);
                assert_eq!(scaled(word, bound), ((product >> 32) as u32, product as u32));
            }
        }
    }

    /// Every ordered pair of agents is selected by the same number of words, and its states change as the table says.
    /// The test checks 5 agents, with words in finer steps than the boundaries between pairs.
    #[test]
    fn a_word_is_a_pair_of_agents_and_the_pair_does_what_the_table_says() {
        for table in [
            Table::compile(&ApproximateMajority).unwrap(),
            Table::compile(&ExactMajority).unwrap(),
            Table::compile(&Fratricide).unwrap(),
        ] {
            let rules = TransitionRules::new(&table);
            for agents in [2_u64, 5, 9] {
                let urn = UrnRules::new(agents, &rules);
                let states = rules.states();
                let mut counts: Vec<u64> = vec![agents / states as u64; states];
                counts[0] += agents - counts.iter().sum::<u64>();
                let state_of: Vec<usize> = (0..states)
                    .flat_map(|state| std::iter::repeat_n(state, counts[state] as usize))
                    .collect();
                let pairs = agents * (agents - 1);
                for pair in 0..pairs {
                    // The middle of the words of this pair.
                    let word = (((2 * pair + 1) << 31) / pairs) as u32;
                    let mut boundaries = UrnRules::boundaries(&counts);
                    assert!(urn.turn(&mut boundaries, word));
                    let (initiator, other) = ((pair / (agents - 1)) as usize, (pair % (agents - 1)) as usize);
                    let responder = other + usize::from(other >= initiator);
                    let (a, b) = (state_of[initiator], state_of[responder]);
                    let mut expected = counts.clone();
                    expected[a] -= 1;
                    expected[b] -= 1;
                    for state in rules.cells()[a * states + b] {
                        expected[usize::from(state)] += 1;
                    }
                    let mut found = counts.clone();
                    urn.count(boundaries, &mut found);
                    assert_eq!(found, expected, "{agents} agents, {a} + {b}");
                }
            }
        }
    }

    /// Of all 2^32 words, the same number is accepted for each pair, counted at the ends of the pair's range.
    #[test]
    fn words_that_would_make_the_law_uneven_are_not_taken() {
        let table = Table::compile(&ApproximateMajority).unwrap();
        for agents in [3_u64, 1000, 4096] {
            let urn = UrnRules::new(agents, &TransitionRules::new(&table));
            let pairs = agents * (agents - 1);
            let range = (1_u64 << 32) / pairs;
            for pair in [0, 1, pairs / 2, pairs - 2, pairs - 1] {
                let (from, to) = ((pair << 32).div_ceil(pairs), ((pair + 1) << 32).div_ceil(pairs));
                let taken = (from..to).filter(|&word| {
                    let (_, rest) = scaled(word as u32, agents as u32);
                    scaled(rest, agents as u32 - 1).1 >= urn.uneven
                });
                // Where not all words can be tried: as many as may be rejected.
                if to - from < 1 << 24 {
                    assert_eq!(taken.count() as u64, range, "{agents} agents, pair {pair}");
                } else {
                    assert!(to - from - range <= 1);
                }
            }
        }
    }
}
