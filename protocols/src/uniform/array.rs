//! The array engine: one state per agent, interactions one after another.

use acrasin_engine::{Pages, prefetch};
use rayon::prelude::*;

use super::blocks::{Blocks, are_shared};
use super::draws::RandomDraws;
use super::meetings::{FAR, LANES, Meetings};
use super::rules::TransitionRules;

/// The maximum number of agents of an array: so that an ordered pair can be drawn with one word of 64 bits.
pub(super) const MAX_ARRAY: u64 = 1 << 32;

/// The largest number of table cells whose interactions are counted. For larger tables it is cheaper to update the
/// counts of states.
const MAX_COUNTED: usize = 256;

/// The number of agents whose states one task counts.
const COUNTED: usize = 1 << 17;

/// The integer type that stores a state.
trait Stored: bytemuck::Pod + Send + Sync + Default + std::fmt::Debug {
    fn new(state: u16) -> Self;
    fn get(self) -> usize;
}

impl Stored for u8 {
    #[inline]
    fn new(state: u16) -> Self {
        state as u8
    }
    #[inline]
    fn get(self) -> usize {
        usize::from(self)
    }
}

impl Stored for u16 {
    #[inline]
    fn new(state: u16) -> Self {
        state
    }
    #[inline]
    fn get(self) -> usize {
        usize::from(self)
    }
}

/// A population as one state per agent: one byte for up to 256 states, otherwise two.
#[derive(Clone, Debug)]
pub(super) struct Array {
    agents: ArrayAgents,
    meetings: Meetings,
    blocks: Blocks,
}

#[derive(Clone, Debug)]
enum ArrayAgents {
    Bytes(StoredTable<u8>),
    Words(StoredTable<u16>),
}

#[derive(Clone, Debug)]
struct StoredTable<S: Stored> {
    states: Pages<S>,
    cells: Vec<[S; 2]>,
    /// For each cell, whether it changes the counts; meaningful only if no outcome is random.
    changes: Vec<bool>,
    /// The number of interactions with each cell of the table, in four counters used in turn, so that increments do not
    /// wait for each other. Empty if there are too many cells.
    taken: Vec<[u32; 4]>,
    /// The binary logarithm of the number of cells in a row.
    shift: u32,
}

impl Array {
    /// Creates agents sorted by state: on the complete graph the order of agents has no effect on counts.
    pub(super) fn new(counts: &[u64], rules: &TransitionRules) -> Self {
        let total = counts.iter().sum::<u64>() as usize;
        let states =
            (0_u16..).zip(counts).flat_map(|(state, &count)| std::iter::repeat_n(state, count as usize));
        Self::of(states, total, Meetings::All, rules)
    }

    /// Creates agents with these states, which interact in these pairs.
    pub(super) fn meeting(states: &[u16], meetings: Meetings, rules: &TransitionRules) -> Self {
        Self::of(states.iter().copied(), states.len(), meetings, rules)
    }

    fn of(
        states: impl Iterator<Item = u16>,
        total: usize,
        meetings: Meetings,
        rules: &TransitionRules,
    ) -> Self {
        let agents = if rules.states() <= 256 {
            ArrayAgents::Bytes(StoredTable::new(states, total, rules))
        } else {
            ArrayAgents::Words(StoredTable::new(states, total, rules))
        };
        Self { agents, meetings, blocks: Blocks::new() }
    }

    /// The pairs that may interact.
    pub(super) fn meetings(&self) -> &Meetings {
        &self.meetings
    }

    /// The pairs that were drawn and have not interacted yet.
    pub(super) fn pending(&self) -> &[[u32; 2]] {
        self.blocks.pending()
    }

    /// Starts with these pairs, which were drawn elsewhere.
    pub(super) fn set_pending(&mut self, pairs: &[[u32; 2]]) {
        self.blocks.set_pending(pairs);
    }

    /// The state of an agent.
    pub(super) fn state(&self, agent: u32) -> u16 {
        match &self.agents {
            ArrayAgents::Bytes(table) => table.states[agent as usize].get() as u16,
            ArrayAgents::Words(table) => table.states[agent as usize].get() as u16,
        }
    }

    /// Makes `interactions` interactions, without counting states.
    pub(super) fn run(
        &mut self,
        interactions: u64,
        rules: &TransitionRules,
        draws: &mut [RandomDraws; LANES],
        outcomes: &mut RandomDraws,
    ) {
        self.fed(interactions, draws, |agents, source| match agents {
            ArrayAgents::Bytes(table) => table.run(interactions, source, rules, outcomes),
            ArrayAgents::Words(table) => table.run(interactions, source, rules, outcomes),
        });
    }

    /// Makes this number of interactions, and keeps the counts up to date.
    pub(super) fn run_counted(
        &mut self,
        interactions: u64,
        counts: &mut [u64],
        rules: &TransitionRules,
        draws: &mut [RandomDraws; LANES],
        outcomes: &mut RandomDraws,
    ) {
        self.fed(interactions, draws, |agents, source| match agents {
            ArrayAgents::Bytes(table) => table.run_counted(interactions, counts, source, rules, outcomes),
            ArrayAgents::Words(table) => table.run_counted(interactions, counts, source, rules, outcomes),
        });
    }

    /// Advances by at most `interactions`, and keeps `counts` up to date. Stops early after an interaction that removes
    /// an agent from a state in which at most one agent remains. Returns the number of interactions and whether it
    /// stopped early. The rules must be deterministic.
    pub(super) fn run_watched(
        &mut self,
        interactions: u64,
        counts: &mut [u64],
        draws: &mut [RandomDraws; LANES],
    ) -> (u64, bool) {
        let Self { agents, meetings, blocks } = self;
        let source = PairSource { meetings, blocks, draws };
        match agents {
            ArrayAgents::Bytes(table) => table.run_watched(interactions, counts, source),
            ArrayAgents::Words(table) => table.run_watched(interactions, counts, source),
        }
    }

    /// Makes one interaction; returns the states before and after.
    pub(super) fn step(
        &mut self,
        rules: &TransitionRules,
        draws: &mut [RandomDraws; LANES],
        outcomes: &mut RandomDraws,
    ) -> [[u16; 2]; 2] {
        let Self { agents, meetings, blocks } = self;
        let mut source = PairSource { meetings, blocks, draws };
        match agents {
            ArrayAgents::Bytes(table) => table.step(&mut source, rules, outcomes),
            ArrayAgents::Words(table) => table.step(&mut source, rules, outcomes),
        }
    }

    /// Calls `run`. Meanwhile another thread draws blocks of pairs, if there are several threads and enough agents.
    fn fed(
        &mut self,
        interactions: u64,
        draws: &mut [RandomDraws; LANES],
        run: impl FnOnce(&mut ArrayAgents, PairSource<'_>),
    ) {
        let Self { agents, meetings, blocks } = self;
        let number = agents.number();
        if !are_shared(number) {
            return run(agents, PairSource { meetings, blocks, draws });
        }
        blocks.fed(interactions, meetings, number as u64, draws, |blocks, draws| {
            run(agents, PairSource { meetings, blocks, draws });
        });
    }

    /// Whether interactions count cells instead of states, so that keeping counts up to date costs almost nothing.
    pub(super) fn counts_cells(&self) -> bool {
        match &self.agents {
            ArrayAgents::Bytes(table) => !table.taken.is_empty(),
            ArrayAgents::Words(table) => !table.taken.is_empty(),
        }
    }

    /// Adds the number of agents in each state to `counts`.
    pub(super) fn count(&self, counts: &mut [u64]) {
        match &self.agents {
            ArrayAgents::Bytes(table) => table.count(counts),
            ArrayAgents::Words(table) => table.count(counts),
        }
    }
}

/// The source of the next pairs.
struct PairSource<'a> {
    meetings: &'a Meetings,
    blocks: &'a mut Blocks,
    draws: &'a mut [RandomDraws; LANES],
}

impl ArrayAgents {
    fn number(&self) -> usize {
        match self {
            Self::Bytes(table) => table.states.len(),
            Self::Words(table) => table.states.len(),
        }
    }
}

impl<S: Stored> StoredTable<S> {
    fn new(agents: impl Iterator<Item = u16>, total: usize, rules: &TransitionRules) -> Self {
        let mut states = Pages::zeroed(total);
        for (place, state) in states.iter_mut().zip(agents) {
            *place = S::new(state);
        }
        let stride = rules.states().next_power_of_two();
        let shift = stride.trailing_zeros();
        let mut cells = vec![[S::default(); 2]; stride * stride];
        for (row, outcomes) in rules.cells().chunks(rules.states()).enumerate() {
            for (cell, &[a, b]) in cells[row * stride..].iter_mut().zip(outcomes) {
                *cell = [S::new(a), S::new(b)];
            }
        }
        let mut changes = vec![false; cells.len()];
        for (number, &outcome) in rules.cells().iter().enumerate() {
            let (a, b) = (number / rules.states(), number % rules.states());
            let (before, after) = ([a, b], outcome.map(usize::from));
            changes[a * stride + b] = before != after && before != [after[1], after[0]];
        }
        let is_counted = rules.is_deterministic() && cells.len() <= MAX_COUNTED;
        let taken = vec![[0; 4]; if is_counted { cells.len() } else { 0 }];
        Self { states, cells, changes, taken, shift }
    }

    fn count(&self, counts: &mut [u64]) {
        if !are_shared(self.states.len()) {
            return count(&self.states, counts);
        }
        let parts: Vec<Vec<u64>> = self
            .states
            .par_chunks(COUNTED)
            .map(|part| {
                let mut here = vec![0; counts.len()];
                count(part, &mut here);
                here
            })
            .collect();
        for part in parts {
            counts.iter_mut().zip(part).for_each(|(count, here)| *count += here);
        }
    }

    /// The next pairs, at most `most`. Prefetches the states of a new block.
    fn next<'a>(&self, most: u64, source: &'a mut PairSource<'_>) -> &'a [[u32; 2]] {
        let PairSource { meetings, blocks, draws } = source;
        if blocks.begins() {
            blocks.refill(meetings, self.states.len() as u64, draws);
            self.ask_for(blocks.pending());
        }
        blocks.next(most)
    }

    /// Prefetches the states of a block if the array does not fit in the first- and second-level caches.
    fn ask_for(&self, block: &[[u32; 2]]) {
        let states = &self.states[..];
        if std::mem::size_of_val(states) >= FAR {
            for &[i, j] in block {
                prefetch(states, i as usize);
                prefetch(states, j as usize);
            }
        }
    }

    fn run(
        &mut self,
        mut interactions: u64,
        mut source: PairSource<'_>,
        rules: &TransitionRules,
        outcomes: &mut RandomDraws,
    ) {
        while interactions > 0 {
            let pairs = self.next(interactions, &mut source);
            interactions -= pairs.len() as u64;
            self.interact_all(pairs, rules, outcomes);
        }
    }

    fn interact_all(&mut self, pairs: &[[u32; 2]], rules: &TransitionRules, outcomes: &mut RandomDraws) {
        if rules.is_deterministic() {
            let (states, cells, shift) = (&mut self.states[..], &self.cells[..], self.shift);
            for &[i, j] in pairs {
                let (i, j) = (i as usize, j as usize);
                [states[i], states[j]] = cells[states[i].get() << shift | states[j].get()];
            }
        } else {
            for &[i, j] in pairs {
                self.interact(i as usize, j as usize, rules, outcomes);
            }
        }
    }

    fn run_counted(
        &mut self,
        interactions: u64,
        counts: &mut [u64],
        mut source: PairSource<'_>,
        rules: &TransitionRules,
        outcomes: &mut RandomDraws,
    ) {
        if !self.taken.is_empty() {
            return self.run_taken(interactions, counts, source);
        }
        for _ in 0..interactions {
            let [before, after] = self.step(&mut source, rules, outcomes);
            for (left, joined) in before.into_iter().zip(after) {
                counts[usize::from(left)] -= 1;
                counts[usize::from(joined)] += 1;
            }
        }
    }

    /// Like [`run_counted`](Self::run_counted): counts cells during interactions, and states only at the end.
    fn run_taken(&mut self, mut interactions: u64, counts: &mut [u64], mut source: PairSource<'_>) {
        while interactions > 0 {
            let pairs = self.next(interactions, &mut source);
            let states = &mut self.states[..];
            for (place, &[i, j]) in pairs.iter().enumerate() {
                let (i, j) = (i as usize, j as usize);
                let cell = states[i].get() << self.shift | states[j].get();
                [states[i], states[j]] = self.cells[cell];
                self.taken[cell][place % 4] += 1;
            }
            interactions -= pairs.len() as u64;
            // After every block, so that 32-bit counters do not overflow.
            self.count_taken(counts);
        }
    }

    /// Updates the counts of states from the counters of cells, and resets these counters.
    fn count_taken(&mut self, counts: &mut [u64]) {
        let mask = (1 << self.shift) - 1;
        for (cell, taken) in self.taken.iter_mut().enumerate() {
            let times = std::mem::take(taken).iter().map(|&times| u64::from(times)).sum::<u64>();
            if times > 0 && self.changes[cell] {
                let after = self.cells[cell];
                // In the middle of the sum a count may be below 0; at its end it is not.
                for state in after {
                    counts[state.get()] = counts[state.get()].wrapping_add(times);
                }
                for state in [cell >> self.shift, cell & mask] {
                    counts[state] = counts[state].wrapping_sub(times);
                }
            }
        }
    }

    fn run_watched(
        &mut self,
        interactions: u64,
        counts: &mut [u64],
        mut source: PairSource<'_>,
    ) -> (u64, bool) {
        let mut done = 0;
        while done < interactions {
            let pairs = self.next(interactions - done, &mut source);
            let (mut last, mut seen) = (false, pairs.len());
            let states = &mut self.states[..];
            for (place, &[i, j]) in pairs.iter().enumerate() {
                let (i, j) = (i as usize, j as usize);
                let before = [states[i], states[j]];
                let cell = before[0].get() << self.shift | before[1].get();
                if !self.changes[cell] {
                    // Two agents that swap states: the counts are the same, the states are not.
                    [states[i], states[j]] = self.cells[cell];
                    continue;
                }
                let after = self.cells[cell];
                [states[i], states[j]] = after;
                for state in before {
                    counts[state.get()] -= 1;
                }
                for state in after {
                    counts[state.get()] += 1;
                }
                if before.iter().any(|state| counts[state.get()] <= 1) {
                    (last, seen) = (true, place + 1);
                    break;
                }
            }
            done += seen as u64;
            if last {
                let rest = pairs.len() - seen;
                source.blocks.give_back(rest);
                return (done, true);
            }
        }
        (done, false)
    }

    #[inline]
    fn step(
        &mut self,
        source: &mut PairSource<'_>,
        rules: &TransitionRules,
        outcomes: &mut RandomDraws,
    ) -> [[u16; 2]; 2] {
        let &[[i, j]] = self.next(1, source) else { unreachable!("one pair") };
        self.interact(i as usize, j as usize, rules, outcomes)
    }

    #[inline]
    fn interact(
        &mut self,
        i: usize,
        j: usize,
        rules: &TransitionRules,
        outcomes: &mut RandomDraws,
    ) -> [[u16; 2]; 2] {
        let before = [self.states[i].get() as u16, self.states[j].get() as u16];
        let after = rules.interact(before[0], before[1], outcomes);
        self.states[i] = S::new(after[0]);
        self.states[j] = S::new(after[1]);
        [before, after]
    }
}

/// Adds the number of these agents in each state to `counts`.
fn count<S: Stored>(states: &[S], counts: &mut [u64]) {
    // Four rows of counters, so that equal states in a row do not wait for each other.
    let mut rows = vec![[0_u64; 4]; counts.len()];
    let (fours, rest) = states.as_chunks::<4>();
    for [a, b, c, d] in fours {
        rows[a.get()][0] += 1;
        rows[b.get()][1] += 1;
        rows[c.get()][2] += 1;
        rows[d.get()][3] += 1;
    }
    for state in rest {
        rows[state.get()][0] += 1;
    }
    for (count, row) in counts.iter_mut().zip(rows) {
        *count += row.iter().sum::<u64>();
    }
}
