//! The array engine: one state an agent, interactions one after another.

use std::sync::Arc;

use acrasin_engine::{Pages, prefetch};

use super::draws::Draws;
use super::rules::Rules;
use super::torus_shape::EdgeNumbers;

/// Most agents of an array: an ordered pair is drawn with one word of 64 bits.
pub(super) const MAX_ARRAY: u64 = 1 << 32;

/// Pairs that are drawn before any of them interacts: draws do not wait for states, nor states for each other.
const BLOCK: usize = 1024;

/// Cells that are counted while interactions happen; with more it is cheaper to keep the counts of states.
const MAX_COUNTED: usize = 256;

/// From this many bytes on, the cache lines that a block needs are asked for before it reads the first of them.
const FAR: usize = 1 << 20;

/// How a state is stored.
trait Stored: bytemuck::Pod + Default + std::fmt::Debug {
    fn new(state: u16) -> Self;
    fn get(self) -> usize;
}

/// Streams that a block of pairs is drawn from in turn: a draw does not wait for the one before.
pub(super) const LANES: usize = 4;

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

/// Who may meet whom.
#[derive(Clone, Debug)]
pub(super) enum Meetings {
    /// Everybody everybody else.
    Everybody,
    /// The ends of a uniformly random edge, in a uniformly random direction. Populations on one graph share its edges.
    Edges(Arc<Pages<[u32; 2]>>),
    /// The same, by the numbers of edges alone.
    Torus(EdgeNumbers),
}

impl Meetings {
    /// Along these edges. They are moved piece by piece, so that hardly more than one of both lists is there at a time.
    pub(super) fn along(mut edges: Vec<[u32; 2]>) -> Self {
        /// Edges of a piece: 32 MiB.
        const PIECE: usize = 1 << 22;
        let mut pages = Pages::zeroed(edges.len());
        while !edges.is_empty() {
            let from = (edges.len() - 1) / PIECE * PIECE;
            pages[from..edges.len()].copy_from_slice(&edges[from..]);
            edges.truncate(from);
            edges.shrink_to_fit();
        }
        Self::Edges(Arc::new(pages))
    }
}

/// A population as one state an agent: a byte up to 256 states, two beyond.
#[derive(Clone, Debug)]
pub(super) struct Array {
    agents: Agents,
    meetings: Meetings,
    /// Pairs that were drawn, and how many of them have interacted.
    block: Vec<[u32; 2]>,
    used: usize,
}

#[derive(Clone, Debug)]
enum Agents {
    Bytes(Table<u8>),
    Words(Table<u16>),
}

#[derive(Clone, Debug)]
struct Table<S: Stored> {
    states: Pages<S>,
    cells: Vec<[S; 2]>,
    /// By cell, whether it changes how many agents are in some state; of use where nothing is drawn.
    changes: Vec<bool>,
    /// By cell, how often it was taken, in turn by four counters that do not wait for each other; empty if there are too many
    /// cells to go through.
    taken: Vec<[u32; 4]>,
    /// A row of cells has 2^shift of them.
    shift: u32,
}

impl Array {
    /// Agents in the order of their states: on the complete graph nobody can tell.
    pub(super) fn new(counts: &[u64], rules: &Rules) -> Self {
        let total = counts.iter().sum::<u64>() as usize;
        let states =
            (0_u16..).zip(counts).flat_map(|(state, &count)| std::iter::repeat_n(state, count as usize));
        Self::of(states, total, Meetings::Everybody, rules)
    }

    /// These agents, and who may meet whom.
    pub(super) fn meeting(states: &[u16], meetings: Meetings, rules: &Rules) -> Self {
        Self::of(states.iter().copied(), states.len(), meetings, rules)
    }

    fn of(states: impl Iterator<Item = u16>, total: usize, meetings: Meetings, rules: &Rules) -> Self {
        let agents = if rules.states() <= 256 {
            Agents::Bytes(Table::new(states, total, rules))
        } else {
            Agents::Words(Table::new(states, total, rules))
        };
        Self { agents, meetings, block: Vec::with_capacity(BLOCK), used: 0 }
    }

    /// Who may meet whom.
    pub(super) fn meetings(&self) -> &Meetings {
        &self.meetings
    }

    /// The pairs that were drawn and have not interacted yet.
    pub(super) fn pending(&self) -> &[[u32; 2]] {
        &self.block[self.used..]
    }

    /// Begins with these pairs, which were drawn elsewhere.
    pub(super) fn set_pending(&mut self, pairs: &[[u32; 2]]) {
        self.block.clear();
        self.block.extend_from_slice(pairs);
        self.used = 0;
    }

    /// The state of an agent.
    pub(super) fn state(&self, agent: u32) -> u16 {
        match &self.agents {
            Agents::Bytes(table) => table.states[agent as usize].get() as u16,
            Agents::Words(table) => table.states[agent as usize].get() as u16,
        }
    }

    /// Goes on for `interactions`.
    pub(super) fn run(
        &mut self,
        interactions: u64,
        rules: &Rules,
        draws: &mut [Draws; LANES],
        outcomes: &mut Draws,
    ) {
        match &mut self.agents {
            Agents::Bytes(table) => {
                table.run(
                    interactions,
                    &self.meetings,
                    (&mut self.block, &mut self.used),
                    rules,
                    draws,
                    outcomes,
                );
            }
            Agents::Words(table) => {
                table.run(
                    interactions,
                    &self.meetings,
                    (&mut self.block, &mut self.used),
                    rules,
                    draws,
                    outcomes,
                );
            }
        }
    }

    /// The same, with the counts kept.
    pub(super) fn run_counted(
        &mut self,
        interactions: u64,
        counts: &mut [u64],
        rules: &Rules,
        draws: &mut [Draws; LANES],
        outcomes: &mut Draws,
    ) {
        let Self { agents, meetings, block, used } = self;
        match agents {
            Agents::Bytes(table) => {
                table.run_counted(interactions, counts, meetings, (block, used), rules, draws, outcomes);
            }
            Agents::Words(table) => {
                table.run_counted(interactions, counts, meetings, (block, used), rules, draws, outcomes);
            }
        }
    }

    /// Goes on for at most `interactions`, with the counts kept, until one leaves at most one agent in a state that it has taken
    /// one from; tells how many there were, and whether it was that. Nothing may be drawn by the rules.
    pub(super) fn run_watched(
        &mut self,
        interactions: u64,
        counts: &mut [u64],
        draws: &mut [Draws; LANES],
    ) -> (u64, bool) {
        let Self { agents, meetings, block, used } = self;
        match agents {
            Agents::Bytes(table) => table.run_watched(interactions, counts, meetings, (block, used), draws),
            Agents::Words(table) => table.run_watched(interactions, counts, meetings, (block, used), draws),
        }
    }

    /// One interaction: the states before and after.
    pub(super) fn step(
        &mut self,
        rules: &Rules,
        draws: &mut [Draws; LANES],
        outcomes: &mut Draws,
    ) -> [[u16; 2]; 2] {
        match &mut self.agents {
            Agents::Bytes(table) => {
                table.step(&self.meetings, (&mut self.block, &mut self.used), rules, draws, outcomes)
            }
            Agents::Words(table) => {
                table.step(&self.meetings, (&mut self.block, &mut self.used), rules, draws, outcomes)
            }
        }
    }

    /// Whether keeping the counts costs next to nothing: cells are counted in place of states.
    pub(super) fn counts_cells(&self) -> bool {
        match &self.agents {
            Agents::Bytes(table) => !table.taken.is_empty(),
            Agents::Words(table) => !table.taken.is_empty(),
        }
    }

    /// Adds everybody to `counts`.
    pub(super) fn count(&self, counts: &mut [u64]) {
        match &self.agents {
            Agents::Bytes(table) => table.count(counts),
            Agents::Words(table) => table.count(counts),
        }
    }
}

impl<S: Stored> Table<S> {
    fn new(agents: impl Iterator<Item = u16>, total: usize, rules: &Rules) -> Self {
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
        // Four rows of counts: equal states in a row do not wait for each other.
        let mut rows = vec![[0_u64; 4]; counts.len()];
        let (fours, rest) = self.states.as_chunks::<4>();
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

    /// Draws the next block of pairs.
    fn refill(&self, meetings: &Meetings, block: &mut Vec<[u32; 2]>, draws: &mut [Draws; LANES]) {
        draw_block(meetings, self.states.len() as u64, block, draws);
        self.ask_for(block);
    }

    /// Asks for the states of a block, where they are far.
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
        meetings: &Meetings,
        (block, used): (&mut Vec<[u32; 2]>, &mut usize),
        rules: &Rules,
        draws: &mut [Draws; LANES],
        outcomes: &mut Draws,
    ) {
        let pending = (block.len() - *used).min(usize::try_from(interactions).unwrap_or(usize::MAX));
        self.interact_all(&block[*used..*used + pending], rules, outcomes);
        *used += pending;
        interactions -= pending as u64;
        while interactions > 0 {
            self.refill(meetings, block, draws);
            *used = (BLOCK as u64).min(interactions) as usize;
            self.interact_all(&block[..*used], rules, outcomes);
            interactions -= *used as u64;
        }
    }

    fn interact_all(&mut self, pairs: &[[u32; 2]], rules: &Rules, outcomes: &mut Draws) {
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

    #[allow(clippy::too_many_arguments, reason = "what one interaction needs, and the counts")]
    fn run_counted(
        &mut self,
        interactions: u64,
        counts: &mut [u64],
        meetings: &Meetings,
        (block, used): (&mut Vec<[u32; 2]>, &mut usize),
        rules: &Rules,
        draws: &mut [Draws; LANES],
        outcomes: &mut Draws,
    ) {
        if !self.taken.is_empty() {
            return self.run_taken(interactions, counts, meetings, (block, used), draws);
        }
        for _ in 0..interactions {
            let [before, after] = self.step(meetings, (&mut *block, &mut *used), rules, draws, outcomes);
            for (left, joined) in before.into_iter().zip(after) {
                counts[usize::from(left)] -= 1;
                counts[usize::from(joined)] += 1;
            }
        }
    }

    /// As [`run_counted`](Self::run_counted): cells are counted, and states at the end.
    fn run_taken(
        &mut self,
        mut interactions: u64,
        counts: &mut [u64],
        meetings: &Meetings,
        (block, used): (&mut Vec<[u32; 2]>, &mut usize),
        draws: &mut [Draws; LANES],
    ) {
        while interactions > 0 {
            if *used == block.len() {
                self.refill(meetings, block, draws);
                *used = 0;
            }
            let now = (block.len() - *used).min(usize::try_from(interactions).unwrap_or(usize::MAX));
            let states = &mut self.states[..];
            for (place, &[i, j]) in block[*used..*used + now].iter().enumerate() {
                let (i, j) = (i as usize, j as usize);
                let cell = states[i].get() << self.shift | states[j].get();
                [states[i], states[j]] = self.cells[cell];
                self.taken[cell][place % 4] += 1;
            }
            *used += now;
            interactions -= now as u64;
            // After every block: a counter has 32 bits.
            self.count_taken(counts);
        }
    }

    /// Brings counts up to date by the cells that were taken, and forgets those.
    fn count_taken(&mut self, counts: &mut [u64]) {
        let mask = (1 << self.shift) - 1;
        for (cell, taken) in self.taken.iter_mut().enumerate() {
            let times = std::mem::take(taken).iter().map(|&times| u64::from(times)).sum::<u64>();
            if times > 0 && self.changes[cell] {
                let after = self.cells[cell];
                // Between two cells a count may be below 0: all together are what is there.
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
        meetings: &Meetings,
        (block, used): (&mut Vec<[u32; 2]>, &mut usize),
        draws: &mut [Draws; LANES],
    ) -> (u64, bool) {
        let mut done = 0;
        while done < interactions {
            if *used == block.len() {
                self.refill(meetings, block, draws);
                *used = 0;
            }
            let now = (block.len() - *used).min(usize::try_from(interactions - done).unwrap_or(usize::MAX));
            let (mut last, mut seen) = (false, now);
            let states = &mut self.states[..];
            for (place, &[i, j]) in block[*used..*used + now].iter().enumerate() {
                let (i, j) = (i as usize, j as usize);
                let before = [states[i], states[j]];
                let cell = before[0].get() << self.shift | before[1].get();
                if !self.changes[cell] {
                    // Two who change places look the same; one by one they are not.
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
            *used += seen;
            done += seen as u64;
            if last {
                return (done, true);
            }
        }
        (done, false)
    }

    #[inline]
    fn step(
        &mut self,
        meetings: &Meetings,
        (block, used): (&mut Vec<[u32; 2]>, &mut usize),
        rules: &Rules,
        draws: &mut [Draws; LANES],
        outcomes: &mut Draws,
    ) -> [[u16; 2]; 2] {
        if *used == block.len() {
            self.refill(meetings, block, draws);
            *used = 0;
        }
        let [i, j] = block[*used];
        *used += 1;
        self.interact(i as usize, j as usize, rules, outcomes)
    }

    #[inline]
    fn interact(&mut self, i: usize, j: usize, rules: &Rules, outcomes: &mut Draws) -> [[u16; 2]; 2] {
        let before = [self.states[i].get() as u16, self.states[j].get() as u16];
        let after = rules.interact(before[0], before[1], outcomes);
        self.states[i] = S::new(after[0]);
        self.states[j] = S::new(after[1]);
        [before, after]
    }
}

/// Draws a block of pairs, without a look at states.
fn draw_block(meetings: &Meetings, agents: u64, block: &mut Vec<[u32; 2]>, draws: &mut [Draws; LANES]) {
    match meetings {
        Meetings::Everybody => {
            // One word a pair: the upper part of its product with n is the initiator, that of what is left with
            // n - 1 the responder among the others; what is left then says whether the word is one of the few that
            // would make the law uneven.
            let n = agents;
            let uneven = n.wrapping_mul(n - 1).wrapping_neg() % n.wrapping_mul(n - 1);
            fill(block, draws, |draws| {
                loop {
                    let word = u128::from(draws.word()) * u128::from(n);
                    let rest = u128::from(word as u64) * u128::from(n - 1);
                    if rest as u64 >= uneven {
                        let (initiator, other) = ((word >> 64) as u32, (rest >> 64) as u32);
                        return [initiator, other + u32::from(other >= initiator)];
                    }
                }
            });
        }
        Meetings::Edges(edges) => {
            let edges = &edges[..];
            fill_edges(block, draws, edges.len() as u64);
            if std::mem::size_of_val(edges) >= FAR {
                for &[edge, _] in &*block {
                    prefetch(edges, edge as usize);
                }
            }
            find_ends(block, |edge| edges[edge as usize]);
        }
        Meetings::Torus(numbers) => {
            fill_edges(block, draws, numbers.shape().edge_count());
            find_ends(block, |edge| numbers.ends(edge));
        }
    }
}

/// Fills a block from all lanes in turn.
#[inline]
fn fill(block: &mut Vec<[u32; 2]>, draws: &mut [Draws; LANES], pair: impl Fn(&mut Draws) -> [u32; 2]) {
    block.clear();
    // Copies, so that all lanes stay in registers.
    let [mut first, mut second, mut third, mut fourth] = draws.clone();
    for _ in 0..BLOCK / LANES {
        block.extend_from_slice(&[pair(&mut first), pair(&mut second), pair(&mut third), pair(&mut fourth)]);
    }
    *draws = [first, second, third, fourth];
}

/// Fills a block with the numbers of edges, each with a direction.
#[inline]
fn fill_edges(block: &mut Vec<[u32; 2]>, draws: &mut [Draws; LANES], edges: u64) {
    // The last bit is the direction.
    fill(block, draws, |draws| {
        let drawn = draws.below(2 * edges);
        [(drawn >> 1) as u32, (drawn & 1) as u32]
    });
}

/// Puts the ends of edges in their places, which so do not wait for draws.
#[inline]
fn find_ends(block: &mut [[u32; 2]], ends: impl Fn(u32) -> [u32; 2]) {
    for pair in block {
        let [edge, direction] = *pair;
        let [u, v] = ends(edge);
        // Without a branch: nobody can foresee a direction.
        let other_way = (u ^ v) & direction.wrapping_neg();
        *pair = [u ^ other_way, v ^ other_way];
    }
}
