//! Turns of a pair table: each node meets one of its neighbours, and the table gives the new states of both nodes.

use std::fmt;

use super::journal::Journal;
use super::neighbourhoods::wrap;
use super::pattern::Pattern;
use super::permutation::{BATCH, ElementBatch, Permutation};
use super::turns::{TurnOffsets, TurnResults, TurnRunner, begins, prefetch_part};
use crate::RoundCancellation;
use crate::draw::Stream;
use crate::threads::each_part;
use crate::unchecked::{Kernel, Vectors, run_widest};

/// The number of bits of a packed state.
const STATE_BITS: u32 = 6;
const STATE: u16 = (1 << STATE_BITS) - 1;
/// The bit of a packed result that is set if the encounter changes a state.
const CHANGED: u32 = 15;
const CELLS: usize = 1 << (2 * STATE_BITS);

/// The result of an encounter for each ordered pair of up to 64 states. The table takes 8 KiB and stays in the
/// first-level cache.
///
/// ```
/// use acrasin_engine::waves::PairTable;
///
/// // An epidemic: a node that meets state 1 takes it.
/// let table = PairTable::new(2, |own, other| (own.max(other), own.max(other))).unwrap();
/// assert_eq!(table.meet(0, 1), (1, 1));
/// assert!(PairTable::new(65, |own, other| (own, other)).is_none());
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct PairTable {
    states: u16,
    cells: Box<[u16; CELLS]>,
}

impl PairTable {
    /// The largest number of states.
    pub const STATES_MAX: u16 = 1 << STATE_BITS;

    /// Tabulates a function of the states of initiator and responder, for states `0..states`; `None` above
    /// [`STATES_MAX`](Self::STATES_MAX) states.
    ///
    /// # Panics
    ///
    /// Panics if a result is not a state.
    #[must_use]
    pub fn new(states: u16, result: impl Fn(u16, u16) -> (u16, u16)) -> Option<Self> {
        if states > Self::STATES_MAX {
            return None;
        }
        let mut cells = Box::new([0; CELLS]);
        for own in 0..states {
            for other in 0..states {
                let (first, second) = result(own, other);
                assert!(first < states && second < states, "{own} + {other} -> {first} + {second}");
                let changed = u16::from((first, second) != (own, other));
                cells[usize::from(own << STATE_BITS | other)] =
                    first | second << STATE_BITS | changed << CHANGED;
            }
        }
        Some(Self { states, cells })
    }

    /// The number of states.
    #[must_use]
    pub fn states(&self) -> u16 {
        self.states
    }

    /// The result of an ordered pair of states.
    ///
    /// # Panics
    ///
    /// Panics if an argument is not a state.
    #[must_use]
    pub fn meet(&self, own: u16, other: u16) -> (u16, u16) {
        assert!(own < self.states && other < self.states, "states {own} and {other} of {}", self.states);
        let cell = self.cell(own, other);
        (cell & STATE, cell >> STATE_BITS & STATE)
    }

    /// The packed result: both new states, and whether one of them changes. Arguments are not checked.
    #[inline(always)]
    pub(super) fn cell(&self, own: u16, other: u16) -> u16 {
        self.cells[usize::from(own << STATE_BITS | other) % CELLS]
    }

    /// Applies the table to two of these states. Returns whether a state changed.
    #[inline(always)]
    pub(super) fn apply(&self, states: &mut [u16], own: usize, other: usize) -> bool {
        let cell = self.cell(states[own], states[other]);
        states[own] = cell & STATE;
        states[other] = cell >> STATE_BITS & STATE;
        cell >> CHANGED == 1
    }
}

impl fmt::Debug for PairTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PairTable").field("states", &self.states).finish_non_exhaustive()
    }
}

/// The number of nodes in each state. States must be below 64: a larger number counts as its remainder modulo 64. O(n)
/// for n nodes; long slices are counted on all threads of the pool.
#[must_use]
pub fn count_states(states: &[u16]) -> [u64; PairTable::STATES_MAX as usize] {
    const SHARE: usize = 1 << 17;
    let shares = each_part(states.chunks(SHARE).collect(), states.len() > SHARE, |_, share| {
        // Four counters per state, so that consecutive increments do not wait for each other.
        let mut counts = [[0_u32; PairTable::STATES_MAX as usize]; 4];
        let (fours, rest) = share.as_chunks::<4>();
        for four in fours {
            for (counts, state) in counts.iter_mut().zip(four) {
                counts[usize::from(state % PairTable::STATES_MAX)] += 1;
            }
        }
        for state in rest {
            counts[0][usize::from(state % PairTable::STATES_MAX)] += 1;
        }
        counts
    });
    let mut sums = [0; PairTable::STATES_MAX as usize];
    for counts in shares.iter().flatten() {
        for (sum, count) in sums.iter_mut().zip(counts) {
            *sum += u64::from(*count);
        }
    }
    sums
}

/// A journal that counts the encounters that changed a state.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct ChangeCount(pub(super) u64);

impl Journal<bool> for ChangeCount {
    #[inline(always)]
    fn entered(&mut self, _node: u32, changed: bool) {
        self.0 += u64::from(changed);
    }
    #[inline(always)]
    fn append(&mut self, later: Self) {
        self.0 += later.0;
    }
}

/// The turns of nodes under a table. The first draw of a node selects the port of its partner.
pub(super) struct TableTurns<'w> {
    pub(super) pattern: &'w Pattern,
    pub(super) table: &'w PairTable,
    pub(super) section: Stream,
}

/// Computes the nodes and first draws of the turns at the positions `first + elements[i]`, counted from `base`.
struct TurnDraws<'a> {
    offset: u64,
    nodes: u64,
    section: Stream,
    elements: &'a ElementBatch,
    found: &'a mut ElementBatch,
    words: &'a mut [u64; BATCH],
}

impl Kernel for TurnDraws<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { offset, nodes, section, elements, found, words } = self;
        for (&element, (node_at, word)) in elements.iter().zip(found.iter_mut().zip(words)) {
            let node = offset + u64::from(element);
            let node = (if node >= nodes { node - nodes } else { node }) as u32;
            *node_at = node;
            *word = section.first_of_node(node);
        }
    }
}

impl TableTurns<'_> {
    /// The number of a node's partner minus the number of the node.
    #[inline(always)]
    fn step(&self, node: u32, word: u64) -> i32 {
        let class = self.pattern.class(node);
        let port = (u128::from(word) * u128::from(class.degree)) >> 64;
        class.steps[port as usize % class.steps.len()]
    }

    /// Runs the turns of all nodes in this order.
    pub(super) fn whole<J: Journal<bool>>(
        &self,
        states: &mut [u16],
        permutation: &Permutation,
        cancellation: &RoundCancellation<'_>,
    ) -> TurnResults<J> {
        let nodes = self.pattern.nodes;
        let offsets = TurnOffsets { base: 0, first: 0, nodes };
        let begins = |position, done| begins(cancellation, position, u64::from(nodes) - done);
        self.turns((states, offsets, permutation, &[]), begins, |node, _, step| {
            wrap(0, (i64::from(node) + i64::from(step)).rem_euclid(i64::from(nodes)) as usize, nodes) as usize
        })
    }

    #[inline(always)]
    fn turns<J: Journal<bool>>(
        &self,
        (states, offsets, permutation, next): (&mut [u16], TurnOffsets, &Permutation, &[u16]),
        begins: impl Fn(u32, u64) -> bool,
        partner: impl Fn(u32, usize, i32) -> usize,
    ) -> TurnResults<J> {
        let mut entered = TurnResults { count: 0, journal: J::default() };
        let mut batch = [0; BATCH];
        let (mut found, mut words) = ([0; BATCH], [0; BATCH]);
        let (section, nodes) = (self.section, u64::from(offsets.nodes));
        let offset = u64::from(offsets.base) + offsets.first as u64;
        let batches = (permutation.positions() as usize).div_ceil(BATCH);
        for first in (0..permutation.positions()).step_by(BATCH) {
            if !begins(first, entered.count) {
                break;
            }
            prefetch_part(next, first as usize / BATCH, batches);
            let count = permutation.read(first, &mut batch).min(BATCH);
            let (elements, found, words) = (&batch, &mut found, &mut words);
            run_widest(Vectors::widest(), TurnDraws { offset, nodes, section, elements, found, words });
            let turns = batch.iter().zip(&*found).zip(&*words);
            for ((&element, &node), &word) in turns.take(count) {
                let place = offsets.first + element as usize;
                let partner = partner(node, place, self.step(node, word));
                entered.journal.entered(node, self.table.apply(states, place, partner));
            }
            entered.count += count as u64;
        }
        entered
    }
}

impl TurnRunner for TableTurns<'_> {
    type State = u16;
    type Outcome = bool;

    fn consecutive<J: Journal<bool>>(
        &self,
        states: &mut [u16],
        offsets: TurnOffsets,
        permutation: &Permutation,
        next: &[u16],
    ) -> TurnResults<J> {
        // All neighbours of a node that has its turn in a tile are in the tile.
        let parts = (states, offsets, permutation, next);
        self.turns(parts, |_, _| true, |_, place, step| place.wrapping_add_signed(step as isize))
    }

    /// Never called, since tables are not used for networks with far nodes.
    fn listed<J: Journal<bool>>(
        &self,
        _states: &mut [u16],
        nodes: &[u32],
        _permutation: &Permutation,
    ) -> TurnResults<J> {
        assert!(nodes.is_empty(), "tables run where no node is far");
        TurnResults { count: 0, journal: J::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_the_function_and_counts_the_states() {
        let rule = |own: u16, other: u16| ((own * 7 + other) % 64, (own + other * 3) % 64);
        let table = PairTable::new(64, rule).unwrap();
        let mut states: Vec<u16> = (0..4096).map(|pair| pair / 64).collect();
        let others: Vec<u16> = (0..4096).map(|pair| pair % 64).collect();
        states.extend(&others);
        for pair in 0..4096 {
            let (own, other) = (states[pair], states[4096 + pair]);
            assert_eq!(table.meet(own, other), rule(own, other));
            let changed = table.apply(&mut states, pair, 4096 + pair);
            assert_eq!((states[pair], states[4096 + pair]), rule(own, other));
            assert_eq!(changed, rule(own, other) != (own, other));
        }
        for length in [0, 1, 5, 8192] {
            let counts = count_states(&states[..length]);
            for state in 0..64 {
                let expected = states[..length].iter().filter(|&&found| found == state).count();
                assert_eq!(counts[usize::from(state)], expected as u64);
            }
        }
    }
}
