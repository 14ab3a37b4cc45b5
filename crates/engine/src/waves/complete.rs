//! Waves of Locks on pairs of the complete graph, without a list of edges.

use acrasin_runtime::choice::{Choices, Decision};
use acrasin_runtime::section::{CriticalSection, Locked};
use acrasin_runtime::{NodeId, Port};

use super::encounters::PairTable;
use super::journal::Journal;
use super::order::shuffled;
use super::permutation::BATCH;
use super::turns::{TurnResults, begins};
use super::wave::{Wave, WaveEffort};
use crate::RoundCancellation;
use crate::draw::{Draws, NodeDraws, Purpose, Stream};
use crate::unchecked::{Kernel, Vectors, prefetch, run_widest};

/// Waves on the complete graph in which a node locks itself and one uniformly random other node. In each wave every
/// node has one turn, in a random order.
///
/// On the complete graph the closed neighbourhood of a node is the whole graph, so with locks on neighbourhoods no two
/// nodes could act at the same time. With locks on pairs they can. Order, draws and states equal those of
/// [`TaskWaves`](super::TaskWaves) on the graph as a port table, with a section that picks one of its neighbours. The
/// graph takes no memory. A wave runs on one thread, because finding disjoint pairs costs more than looking up a pair
/// in a table.
///
/// ```
/// use acrasin_engine::Draws;
/// use acrasin_engine::waves::{CompletePairs, PairTable};
///
/// let epidemic = PairTable::new(2, |own, other| (own.max(other), own.max(other))).unwrap();
/// let pairs = CompletePairs::new(10_000, Draws::new(1));
/// let mut states = vec![0; 10_000];
/// states[0] = 1;
/// for wave in 0..30 {
///     pairs.meet(wave, &epidemic, &mut states);
/// }
/// assert_eq!(states, [1; 10_000]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct CompletePairs {
    nodes: u32,
    draws: Draws,
}

/// The size of all states from which they are prefetched, in bytes. Smaller states stay in the second-level cache.
const PREFETCHED: usize = 1 << 20;

/// Draws the partners of a batch of nodes.
struct PartnerDraws<'a> {
    others: u64,
    section: Stream,
    nodes: &'a [u32; BATCH],
    partners: &'a mut [u32; BATCH],
}

impl Kernel for PartnerDraws<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { others, section, nodes, partners } = self;
        for (&node, partner) in nodes.iter().zip(partners) {
            let word = section.first_of_node(node);
            // `word * others >> 64`, in two 32-bit halves that vector instructions support.
            let low = ((word & u64::from(u32::MAX)) * others) >> 32;
            let other = (((word >> 32) * others + low) >> 32) as u32;
            *partner = other + u32::from(other >= node);
        }
    }
}

impl CompletePairs {
    /// Creates waves over `nodes` nodes, with all draws from `draws`.
    ///
    /// # Panics
    ///
    /// Panics if there are more than 2^31 nodes.
    #[must_use]
    pub fn new(nodes: u32, draws: Draws) -> Self {
        assert!(nodes <= 1 << 31, "{nodes} nodes: at most 2^31");
        Self { nodes, draws }
    }

    /// The number of nodes.
    #[must_use]
    pub fn nodes(&self) -> u32 {
        self.nodes
    }

    /// All nodes in the order of their turns in a wave.
    #[must_use]
    pub fn turns(&self, wave: u64) -> Vec<u32> {
        shuffled(self.draws, wave, self.nodes).elements().collect()
    }

    fn wave(&self, number: u64, entered: u64, left_out: u64) -> Wave {
        let (turns, effort) = (u64::from(self.nodes) - left_out, WaveEffort::default());
        Wave { number, turns, entered, tiles: 0, phases: 1, effort }
    }

    /// Runs a wave of a table: every node meets another node. Also returns the number of encounters that changed a
    /// state.
    ///
    /// # Panics
    ///
    /// Panics unless `states` has one entry per node.
    pub fn meet(&self, wave: u64, table: &PairTable, states: &mut [u16]) -> (Wave, u64) {
        self.meet_while(wave, table, states, &RoundCancellation::never())
    }

    /// Runs a wave that `cancellation` may end early. In that case only the first [`Wave::turns`] nodes of the order
    /// had their turn.
    ///
    /// # Panics
    ///
    /// As for [`meet`](Self::meet).
    pub fn meet_while(
        &self,
        wave: u64,
        table: &PairTable,
        states: &mut [u16],
        cancellation: &RoundCancellation<'_>,
    ) -> (Wave, u64) {
        assert_eq!(states.len(), self.nodes as usize, "one state a node");
        if self.nodes < 2 {
            return (self.wave(wave, 0, 0), 0);
        }
        let (permutation, section) =
            (shuffled(self.draws, wave, self.nodes), self.draws.stream(Purpose::Section, wave));
        let others = u64::from(self.nodes - 1);
        let (mut batch, mut partners) = ([0; BATCH], [0; BATCH]);
        let mut changes = 0;
        let is_large = size_of_val(states) >= PREFETCHED;
        let mut left = u64::from(self.nodes);
        for first in (0..permutation.positions()).step_by(BATCH) {
            if !begins(cancellation, first, left) {
                break;
            }
            let count = permutation.read(first, &mut batch).min(BATCH);
            left -= count as u64;
            // Partners are drawn for a whole batch, so that vectors draw them and their states can be prefetched.
            let (nodes, found) = (&batch, &mut partners);
            run_widest(Vectors::widest(), PartnerDraws { others, section, nodes, partners: found });
            let pairs = batch.iter().zip(&partners).take(count);
            if is_large {
                for (&node, &partner) in pairs.clone() {
                    prefetch(states, node as usize);
                    prefetch(states, partner as usize);
                }
            }
            for (&node, &partner) in pairs {
                changes += u64::from(table.apply(states, node as usize, partner as usize));
            }
        }
        (self.wave(wave, u64::from(self.nodes) - left, left), changes)
    }

    /// Runs a wave of any section and journals its entries. The lock set of a node contains one neighbour, which the
    /// node's first draw selects.
    ///
    /// # Panics
    ///
    /// Panics unless `states` has one entry per node.
    pub fn journaled<C: CriticalSection, J: Journal<C::Outcome>>(
        &self,
        wave: u64,
        section: &C,
        states: &mut [C::State],
    ) -> (Wave, J) {
        self.journaled_while(wave, section, states, &RoundCancellation::never())
    }

    /// Runs a wave of any section and journals its entries. `cancellation` may end the wave early, as in
    /// [`meet_while`](Self::meet_while).
    ///
    /// # Panics
    ///
    /// As for [`meet`](Self::meet).
    pub fn journaled_while<C: CriticalSection, J: Journal<C::Outcome>>(
        &self,
        wave: u64,
        section: &C,
        states: &mut [C::State],
        cancellation: &RoundCancellation<'_>,
    ) -> (Wave, J) {
        assert_eq!(states.len(), self.nodes as usize, "one state a node");
        let stream = self.draws.stream(Purpose::Section, wave);
        let mut entered = TurnResults { count: 0, journal: J::default() };
        // Sections only ask whether there are neighbours; port numbers have 16 bits.
        let degree = u16::try_from(self.nodes - 1).unwrap_or(u16::MAX);
        let mut left = self.nodes;
        for node in shuffled(self.draws, wave, self.nodes).elements() {
            if !begins(cancellation, left, left.into()) {
                break;
            }
            left -= 1;
            if degree == 0 || !section.wants(&states[node as usize], degree) {
                continue;
            }
            let mut draws = stream.of_node(node);
            let partner = [(Port(1), NodeId(self.partner(node, &mut draws)))];
            let mut held = Locked::new(states, NodeId(node), &partner);
            entered.journal.entered(node, section.enter(&mut held, &mut draws));
            entered.count += 1;
        }
        (self.wave(wave, entered.count, left.into()), entered.journal)
    }

    /// Draws the partner of a node.
    fn partner(&self, node: u32, draws: &mut NodeDraws) -> u32 {
        let other = match std::num::NonZeroU32::new(self.nodes - 1) {
            // A single other node takes no draw, as on any graph.
            None | Some(std::num::NonZeroU32::MIN) => 0,
            Some(others) => draws.pick(others, Decision::Partner),
        };
        other + u32::from(other >= node)
    }
}
