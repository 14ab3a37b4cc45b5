//! A small population on the complete graph: each pair interacts as soon as it is drawn, and a stretch that overshoots
//! a condition is undone.
//!
//! Makes the same interactions as [`Array`](super::array::Array) from the same draws, for few states and deterministic
//! rules. The states stay in the first-level cache, so pairs need not be drawn in advance. In a run with a condition, a
//! stretch of interactions is executed without evaluating the condition. If the condition may have begun to hold within
//! the stretch, the stretch is undone and a shorter one is tried.

use super::draws::RandomDraws;
use super::meetings::LANES;
use super::rules::TransitionRules;
use acrasin_process::Condition;

/// The maximum number of agents: at one byte per agent, their states fit in the first- and second-level caches.
const AGENTS_MAX: u64 = 1 << 16;

/// The maximum number of states. The number of a cell of the table then fits in a byte.
const STATES_MAX: usize = 16;

/// The number of pairs that the array engine draws at once. When the mode changes, the random streams continue at the
/// end of such a block.
pub(super) const BLOCK: usize = 1024;

/// The minimum number of interactions of a stretch. Fewer interactions are made one by one.
const STRETCH_MIN: u64 = 32;
/// The maximum number of interactions of a stretch.
const STRETCH_MAX: u64 = 4096;

/// A population as one byte per agent.
#[derive(Clone, Debug)]
pub(super) struct SmallArray {
    states: Vec<u8>,
    /// The result of each ordered pair of states, initiator times 16 plus responder.
    cells: Box<[[u8; 2]; 256]>,
    /// The cells of pairs of existing states.
    used: Vec<u8>,
    /// The number of interactions with each cell of the table, in `LANES` counters used in turn, so that increments do
    /// not wait for each other.
    taken: Box<[[u32; LANES]; 256]>,
    /// The number of pairs of the current block of draws that have interacted.
    place: usize,
    /// The states before the current stretch.
    before: Vec<u8>,
    /// The counts before the current stretch.
    start: Vec<u64>,
    /// The losses of each state in a stretch.
    lost: Vec<u64>,
    /// The gains of each state in a stretch.
    won: Vec<u64>,
    /// The lower bounds on the counts that follow from losses and gains.
    least: Vec<u64>,
    /// The upper bounds on the counts that follow from losses and gains.
    most: Vec<u64>,
    /// The length of the next stretch to try.
    stretch: u64,
    /// The number of interactions to make one by one if no stretch succeeds.
    single: u64,
}

/// Draws ordered pairs of different agents, with one word per pair.
#[derive(Clone, Copy)]
struct OrderedPairLaw {
    agents: u64,
    /// Words with a last part below this are rejected, so that pairs are exactly uniform.
    uneven: u64,
}

impl OrderedPairLaw {
    fn new(agents: u64) -> Self {
        let pairs = agents * (agents - 1);
        Self { agents, uneven: pairs.wrapping_neg() % pairs }
    }

    #[inline]
    fn draw(self, draws: &mut RandomDraws) -> [usize; 2] {
        loop {
            // The upper half of the first product is the initiator, and its lower half draws the other agent.
            let word = u128::from(draws.word()) * u128::from(self.agents);
            let rest = u128::from(word as u64) * u128::from(self.agents - 1);
            if rest as u64 >= self.uneven {
                let (initiator, other) = ((word >> 64) as usize, (rest >> 64) as usize);
                return [initiator, other + usize::from(other >= initiator)];
            }
        }
    }
}

impl SmallArray {
    /// Whether a population of this size with these rules can use this engine.
    pub(super) fn fits(agents: u64, rules: &TransitionRules) -> bool {
        agents <= AGENTS_MAX && rules.states() <= STATES_MAX && rules.is_deterministic()
    }

    /// Creates agents that are sorted by state.
    pub(super) fn new(counts: &[u64], rules: &TransitionRules) -> Self {
        let mut states = Vec::with_capacity(counts.iter().sum::<u64>() as usize);
        for (state, &count) in (0_u8..).zip(counts) {
            states.resize(states.len() + count as usize, state);
        }
        let mut cells = Box::new([[0; 2]; 256]);
        let mut used = Vec::with_capacity(rules.cells().len());
        for (number, outcome) in rules.cells().iter().enumerate() {
            let (a, b) = (number / rules.states(), number % rules.states());
            cells[a << 4 | b] = outcome.map(|state| state as u8);
            used.push((a << 4 | b) as u8);
        }
        Self {
            before: vec![0; states.len()],
            states,
            cells,
            used,
            taken: Box::new([[0; LANES]; 256]),
            place: 0,
            start: counts.to_vec(),
            lost: counts.to_vec(),
            won: counts.to_vec(),
            least: counts.to_vec(),
            most: counts.to_vec(),
            stretch: (counts.iter().sum::<u64>() / 4).min(STRETCH_MAX),
            single: 2 * STRETCH_MIN,
        }
    }

    /// The states of all agents, and the number of pairs of the current block that have interacted.
    pub(super) fn parts(&self) -> (&[u8], u16) {
        (&self.states, self.place as u16)
    }

    /// Replaces the states and the position in the block by those returned by [`parts`](Self::parts). The counts stay
    /// the same.
    pub(super) fn with_parts(mut self, states: Vec<u8>, place: u16) -> Self {
        assert_eq!(states.len(), self.states.len(), "as many agents");
        (self.states, self.place) = (states, usize::from(place) % BLOCK);
        self
    }

    /// Adds the number of agents in each state to `counts`.
    pub(super) fn count(&self, counts: &mut [u64]) {
        // A byte counts this many.
        for some in self.states.chunks(255) {
            for (state, count) in (0_u8..).zip(counts.iter_mut()) {
                let mut here = 0_u8;
                for &other in some {
                    here += u8::from(other == state);
                }
                *count += u64::from(here);
            }
        }
    }

    /// Draws the rest of the current block and discards it. The streams then have the same positions as after a run of
    /// the array engine.
    pub(super) fn leave(self, draws: &mut [RandomDraws; LANES]) {
        if self.place > 0 {
            let pairs = OrderedPairLaw::new(self.states.len() as u64);
            for place in self.place..BLOCK {
                pairs.draw(&mut draws[place % LANES]);
            }
        }
    }

    /// Advances by `interactions`.
    pub(super) fn run(&mut self, interactions: u64, draws: &mut [RandomDraws; LANES]) {
        self.go_on::<false>(interactions, draws);
    }

    fn go_on<const COUNTED: bool>(&mut self, mut interactions: u64, draws: &mut [RandomDraws; LANES]) {
        while interactions > 0 && !self.place.is_multiple_of(LANES) {
            self.single::<COUNTED>(draws);
            interactions -= 1;
        }
        let pairs = OrderedPairLaw::new(self.states.len() as u64);
        let (states, cells, taken) = (&mut self.states[..], &*self.cells, &mut *self.taken);
        // Copies, so that all lanes stay in registers.
        let mut lanes = draws.clone();
        for _ in 0..interactions / LANES as u64 {
            for (lane, draws) in lanes.iter_mut().enumerate() {
                let [i, j] = pairs.draw(draws);
                let cell = usize::from(states[i] << 4 | states[j]);
                let [a, b] = cells[cell];
                states[i] = a;
                states[j] = b;
                if COUNTED {
                    taken[cell][lane] += 1;
                }
            }
        }
        *draws = lanes;
        let whole = interactions - interactions % LANES as u64;
        self.place = ((self.place as u64 + whole) % BLOCK as u64) as usize;
        for _ in whole..interactions {
            self.single::<COUNTED>(draws);
        }
    }

    /// Makes one interaction; returns the index of its cell in the table.
    #[inline]
    fn single<const COUNTED: bool>(&mut self, draws: &mut [RandomDraws; LANES]) -> usize {
        let lane = self.place % LANES;
        let [i, j] = OrderedPairLaw::new(self.states.len() as u64).draw(&mut draws[lane]);
        let cell = usize::from(self.states[i] << 4 | self.states[j]);
        [self.states[i], self.states[j]] = self.cells[cell];
        if COUNTED {
            self.taken[cell][lane] += 1;
        }
        self.place = (self.place + 1) % BLOCK;
        cell
    }

    /// Advances until `condition` holds after an interaction, for at most `interactions`; keeps `counts` up to date.
    /// Returns the number of interactions made and whether the condition holds.
    pub(super) fn run_until(
        &mut self,
        condition: &dyn Condition,
        counts: &mut [u64],
        interactions: u64,
        draws: &mut [RandomDraws; LANES],
    ) -> (u64, bool) {
        let mut done = 0;
        while done < interactions {
            let left = interactions - done;
            if self.stretch >= STRETCH_MIN && left >= STRETCH_MIN {
                let stretch = self.stretch.min(left);
                if self.stretch_succeeds(stretch, condition, counts, draws) {
                    done += stretch;
                    self.stretch = self.next_stretch(stretch, condition, counts);
                    self.single = 2 * STRETCH_MIN;
                } else {
                    self.stretch = stretch / 2;
                }
                continue;
            }
            let (singles, holds) = self.watched(self.single.min(left), condition, counts, draws);
            done += singles;
            if holds {
                return (done, true);
            }
            self.stretch = STRETCH_MIN;
            self.single = (2 * self.single).min(BLOCK as u64);
        }
        (done, false)
    }

    /// Executes a stretch without evaluating the condition. If the condition may have begun to hold within the stretch,
    /// restores the state before it and returns `false`.
    fn stretch_succeeds(
        &mut self,
        stretch: u64,
        condition: &dyn Condition,
        counts: &mut [u64],
        draws: &mut [RandomDraws; LANES],
    ) -> bool {
        self.before.copy_from_slice(&self.states);
        self.start.copy_from_slice(counts);
        let (place, streams) = (self.place, draws.clone());
        self.go_on::<true>(stretch, draws);
        self.lost.fill(0);
        self.won.fill(0);
        for &cell in &self.used {
            let times: u32 = std::mem::take(&mut self.taken[usize::from(cell)]).iter().sum();
            let (before, after) = ([cell >> 4, cell & 15], self.cells[usize::from(cell)]);
            if times > 0 && before != after && before != [after[1], after[0]] {
                for (before, after) in before.into_iter().zip(after).filter(|(before, after)| before != after)
                {
                    self.lost[usize::from(before)] += u64::from(times);
                    self.won[usize::from(after)] += u64::from(times);
                }
            }
        }
        for ((count, &lost), &won) in counts.iter_mut().zip(&self.lost).zip(&self.won) {
            // More agents may leave a state than were in it at the start.
            *count = (*count + won) - lost;
        }
        let start = std::mem::take(&mut self.start);
        let is_certain = self.is_impossible(&start, (1, 1), condition);
        self.start = start;
        if !is_certain {
            std::mem::swap(&mut self.states, &mut self.before);
            counts.copy_from_slice(&self.start);
            (self.place, *draws) = (place, streams);
        }
        is_certain
    }

    /// Whether the condition cannot hold in a stretch that starts from `counts`. Assumes that each loss and gain is at
    /// most `times / parts` of its value in the last stretch.
    fn is_impossible(
        &mut self,
        counts: &[u64],
        (times, parts): (u64, u64),
        condition: &dyn Condition,
    ) -> bool {
        for (state, &count) in counts.iter().enumerate() {
            self.least[state] = count.saturating_sub(self.lost[state] * times / parts);
            self.most[state] = count + self.won[state] * times / parts;
        }
        !condition.possible(&self.least, &self.most)
    }

    /// The length of the next stretch, estimated from the losses and gains of the last stretch, with a margin of one
    /// half.
    fn next_stretch(&mut self, stretch: u64, condition: &dyn Condition, counts: &[u64]) -> u64 {
        for (longer, times) in [(32, (12, 2)), (16, (6, 2)), (8, (3, 2)), (4, (3, 4)), (2, (3, 8))] {
            if self.is_impossible(counts, times, condition) {
                return (stretch * longer / 8).min(STRETCH_MAX);
            }
        }
        stretch / 8
    }

    /// Makes interactions one by one and evaluates the condition after each.
    fn watched(
        &mut self,
        interactions: u64,
        condition: &dyn Condition,
        counts: &mut [u64],
        draws: &mut [RandomDraws; LANES],
    ) -> (u64, bool) {
        let is_of_last_agents = condition.is_of_last_agents();
        for done in 1..=interactions {
            let cell = self.single::<false>(draws);
            let (before, after) = ([cell >> 4, cell & 15], self.cells[cell].map(usize::from));
            if before == after || before == [after[1], after[0]] {
                continue;
            }
            for state in before {
                counts[state] -= 1;
            }
            for state in after {
                counts[state] += 1;
            }
            let asks = !is_of_last_agents || before.iter().any(|&state| counts[state] <= 1);
            if asks && condition.holds(counts) {
                return (done, true);
            }
        }
        (interactions, false)
    }
}

#[cfg(test)]
mod tests {
    use super::super::array::Array;
    use super::super::condition::{Agreed, Silent};
    use super::super::draws::StreamPurpose;
    use super::*;
    use crate::library::{ApproximateMajority, ApproximateMajorityOneWay, Cyclic, ExactMajority, Fratricide};
    use crate::table::Table;

    fn draws(seed: u64) -> [RandomDraws; LANES] {
        std::array::from_fn(|lane| RandomDraws::new(seed, StreamPurpose::Pairs, lane as u64))
    }

    fn tables() -> Vec<Table> {
        [
            Table::compile(&ApproximateMajority),
            Table::compile(&ApproximateMajorityOneWay),
            Table::compile(&Cyclic::ROCK_PAPER_SCISSORS),
            Table::compile(&ExactMajority),
            Table::compile(&Fratricide),
        ]
        .map(Result::unwrap)
        .into()
    }

    fn start(table: &Table, agents: u64) -> Vec<u64> {
        let mut counts = vec![0; usize::from(table.state_count())];
        (counts[0], counts[1]) = (agents - agents * 2 / 5, agents * 2 / 5);
        counts
    }

    /// The states of all agents equal those of the array engine, one by one. Later draws are equal as well.
    #[test]
    fn a_crowd_is_an_array_state_by_state() {
        for table in tables() {
            let rules = TransitionRules::new(&table);
            for agents in [2, 3, 5, 1000, 65_536] {
                let counts = start(&table, agents);
                assert!(SmallArray::fits(agents, &rules) && !SmallArray::fits(65_537, &rules));
                let (mut array, mut crowd) = (Array::new(&counts, &rules), SmallArray::new(&counts, &rules));
                let (mut left, mut right) = (draws(agents), draws(agents));
                let mut outcomes = RandomDraws::new(1, StreamPurpose::Outcomes, 0);
                for interactions in [0, 1, 2, 5, 1016, 1, 3, 2048, 777] {
                    array.run(interactions, &rules, &mut left, &mut outcomes);
                    crowd.run(interactions, &mut right);
                    let states: Vec<u16> = (0..agents as u32).map(|agent| array.state(agent)).collect();
                    let here: Vec<u16> = crowd.states.iter().map(|&state| state.into()).collect();
                    assert_eq!(states, here);
                    let mut counts = [vec![0; counts.len()], vec![0; counts.len()]];
                    array.count(&mut counts[0]);
                    crowd.count(&mut counts[1]);
                    assert_eq!(counts[0], counts[1]);
                }
                crowd.leave(&mut right);
                for (left, right) in left.iter_mut().zip(&mut right) {
                    assert_eq!(left.word(), right.word());
                }
            }
        }
    }

    /// A small array stops after the same interaction and in the same states as the array engine that evaluates the
    /// condition after every change.
    #[test]
    fn a_crowd_stops_where_an_array_does() {
        struct Level(u64);
        impl Condition for Level {
            fn holds(&self, counts: &[u64]) -> bool {
                counts[0] == self.0
            }
            fn possible(&self, least: &[u64], most: &[u64]) -> bool {
                (least[0]..=most[0]).contains(&self.0)
            }
        }
        /// A condition whose `possible` never excludes anything.
        struct Vague(u64);
        impl Condition for Vague {
            fn holds(&self, counts: &[u64]) -> bool {
                counts[1] == self.0
            }
        }
        for table in tables() {
            let rules = TransitionRules::new(&table);
            for (agents, seed) in [(5, 1), (60, 2), (1000, 3), (1000, 4)] {
                let conditions: [Box<dyn Condition>; 4] = [
                    Box::new(Agreed::new(&table)),
                    Box::new(Silent::new(&table)),
                    Box::new(Level(agents / 2)),
                    Box::new(Vague(agents / 3)),
                ];
                for condition in conditions {
                    let counts = start(&table, agents);
                    let (mut array, mut crowd) =
                        (Array::new(&counts, &rules), SmallArray::new(&counts, &rules));
                    let (mut left, mut right) = (draws(seed), draws(seed));
                    let mut outcomes = RandomDraws::new(1, StreamPurpose::Outcomes, 0);
                    let (mut counts, mut known) = (counts.clone(), counts);
                    let most = 30 * agents;
                    let (done, holds) = crowd.run_until(&*condition, &mut counts, most, &mut right);
                    let (mut steps, mut found) = (0, false);
                    while steps < most && !found {
                        let [before, after] = array.step(&rules, &mut left, &mut outcomes);
                        steps += 1;
                        if before != after && before != [after[1], after[0]] {
                            for state in before {
                                known[usize::from(state)] -= 1;
                            }
                            for state in after {
                                known[usize::from(state)] += 1;
                            }
                            found = condition.holds(&known);
                        }
                    }
                    assert_eq!((done, holds, &counts), (steps, found, &known));
                    let states: Vec<u16> = (0..agents as u32).map(|agent| array.state(agent)).collect();
                    let here: Vec<u16> = crowd.states.iter().map(|&state| state.into()).collect();
                    assert_eq!(states, here);
                }
            }
        }
    }
}
