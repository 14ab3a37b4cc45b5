//! Executes turns one after another: the inner loop of every tile, and of a whole network on one thread.

use super::journal::Journal;
use super::neighbourhoods::{IndexedNeighbourhoods, MemberBuffer, Neighbourhoods, RowNeighbourhoods, wrap};
use super::permutation::{BATCH, Permutation};
use super::task::{Held, WaveTask};
use super::tiling::Tiling;
use crate::RoundCancellation;
use crate::draw::Stream;
use crate::network::{LatticeKind, PortNetwork};
use crate::unchecked::prefetch;

/// The results of some turns: the number of entries, and the journal of these entries.
#[derive(Debug, Default)]
pub(super) struct TurnResults<J> {
    pub(super) count: u64,
    pub(super) journal: J,
}

impl<J> TurnResults<J> {
    pub(super) fn append<O>(&mut self, later: Self)
    where
        J: Journal<O>,
    {
        self.count += later.count;
        self.journal.append(later.journal);
    }
}

/// Code that runs turns: of any task over any network, or of a table over a network with a pattern.
pub(super) trait TurnRunner: Sync {
    type State: Clone + Send + Sync;
    type Outcome: Send;

    /// Runs the turns of consecutive nodes from `offsets.first` on, in the order of `permutation`. `next` are the
    /// states of the following turns, for prefetching.
    fn consecutive<J: Journal<Self::Outcome>>(
        &self,
        states: &mut [Self::State],
        offsets: TurnOffsets,
        permutation: &Permutation,
        next: &[Self::State],
    ) -> TurnResults<J>;

    /// Runs the turns of `nodes[i]` for each `i` in the order of `permutation`. `states` are the states of all nodes.
    fn listed<J: Journal<Self::Outcome>>(
        &self,
        states: &mut [Self::State],
        nodes: &[u32],
        permutation: &Permutation,
    ) -> TurnResults<J>;
}

/// The turns of a task in tiles.
pub(super) struct TaskTurns<'w, N, T> {
    pub(super) network: &'w N,
    pub(super) task: &'w T,
    pub(super) section: Stream,
    pub(super) tiling: &'w Tiling,
}

impl<N: PortNetwork, T: WaveTask> TurnRunner for TaskTurns<'_, N, T> {
    type State = T::State;
    type Outcome = T::Outcome;

    fn consecutive<J: Journal<T::Outcome>>(
        &self,
        states: &mut [T::State],
        offsets: TurnOffsets,
        permutation: &Permutation,
        next: &[T::State],
    ) -> TurnResults<J> {
        let task = (self.task, self.section);
        if let Some(lattice) = self.network.lattice() {
            match lattice.kind() {
                LatticeKind::Square => {
                    let rows = RowNeighbourhoods::<4>::new(lattice.width());
                    consecutive(&rows, states, offsets, permutation, next, task)
                }
                LatticeKind::Triangular => {
                    let rows = RowNeighbourhoods::<6>::new(lattice.width());
                    consecutive(&rows, states, offsets, permutation, next, task)
                }
            }
        } else {
            let near = self.tiling.has_far().then_some(self.tiling);
            let indexed = IndexedNeighbourhoods { network: self.network, base: offsets.base, near };
            consecutive(&indexed, states, offsets, permutation, next, task)
        }
    }

    fn listed<J: Journal<T::Outcome>>(
        &self,
        states: &mut [T::State],
        nodes: &[u32],
        permutation: &Permutation,
    ) -> TurnResults<J> {
        listed(self.network, states, nodes, permutation.elements(), (self.task, self.section))
    }
}

/// Runs the turn of one node.
#[inline(always)]
pub(super) fn turn<T: WaveTask, J: Journal<T::Outcome>>(
    task: &T,
    mut held: impl Held<State = T::State>,
    node: u32,
    section: Stream,
    entered: &mut TurnResults<J>,
) {
    if task.wants(&held) {
        let outcome = task.enter(&mut held, &mut section.of_node(node));
        entered.journal.entered(node, outcome);
        entered.count += 1;
    }
}

/// The offsets of consecutive turns among the states and the nodes.
#[derive(Clone, Copy, Debug)]
pub(super) struct TurnOffsets {
    /// The node of the first state.
    pub(super) base: u32,
    /// The index of the first turn among the states.
    pub(super) first: usize,
    /// The number of nodes of the network.
    pub(super) nodes: u32,
}

/// Prefetches part `part` of `parts` of these states, which the next turns use.
#[inline(always)]
pub(super) fn prefetch_part<S>(states: &[S], part: usize, parts: usize) {
    const LINE: usize = 64;
    let share = states.len().div_ceil(parts);
    let line = (LINE / size_of::<S>().max(1)).max(1);
    for at in (part * share..(part + 1) * share).step_by(line) {
        prefetch(states, at);
    }
}

/// Runs the turns of consecutive nodes from `offsets.first` on, in the order of `permutation`. `next` are the states of
/// the following turns, for prefetching.
fn consecutive<G: Neighbourhoods, T: WaveTask, J: Journal<T::Outcome>>(
    neighbourhoods: &G,
    states: &mut [T::State],
    offsets: TurnOffsets,
    permutation: &Permutation,
    next: &[T::State],
    (task, section): (&T, Stream),
) -> TurnResults<J> {
    let mut entered = TurnResults { count: 0, journal: J::default() };
    let (mut batch, mut members) = ([0; BATCH], MemberBuffer::new());
    let mut prepared = G::unprepared();
    let batches = (permutation.positions() as usize).div_ceil(BATCH);
    for first in (0..permutation.positions()).step_by(BATCH) {
        prefetch_part(next, first as usize / BATCH, batches);
        let count = permutation.read(first, &mut batch).min(BATCH);
        neighbourhoods.prepare(offsets.first, &batch, &mut prepared);
        for i in 0..count {
            let node = wrap(offsets.base, neighbourhoods.place(&prepared, i), offsets.nodes);
            if neighbourhoods.skips(node) {
                continue;
            }
            turn(task, neighbourhoods.hold(states, &prepared, i, &mut members), node, section, &mut entered);
        }
    }
    entered
}

/// The size of all states from which they are prefetched, in bytes. Smaller states stay in the second-level cache.
const PREFETCHED: usize = 1 << 20;

/// The number of turns between two checks for cancellation. If each turn waits for memory, these turns take a few
/// hundred microseconds.
pub(super) const POSITIONS_A_QUESTION: u32 = 1 << 14;

/// Whether the turns from this position on may run. `left` is the number of turns that are not run if the wave is
/// cancelled here.
#[inline(always)]
pub(super) fn begins(cancellation: &RoundCancellation<'_>, position: u32, left: u64) -> bool {
    // The first position is not checked, because the wave has not taken any time yet.
    position == 0 || !position.is_multiple_of(POSITIONS_A_QUESTION) || cancellation.begins(left)
}

/// Runs the turns of all nodes in the order of `permutation`.
pub(super) fn whole<N: PortNetwork, T: WaveTask, J: Journal<T::Outcome>>(
    network: &N,
    states: &mut [T::State],
    permutation: &Permutation,
    (task, section): (&T, Stream),
    cancellation: &RoundCancellation<'_>,
) -> TurnResults<J> {
    /// The number of turns by which prefetching is ahead of execution.
    const AHEAD: usize = 6;
    let neighbourhoods = IndexedNeighbourhoods { network, base: 0, near: None };
    let nodes = network.nodes();
    if size_of_val(states) as u64 + network.bytes() < PREFETCHED as u64 {
        let offsets = TurnOffsets { base: 0, first: 0, nodes };
        return consecutive(&neighbourhoods, states, offsets, permutation, &[], (task, section));
    }
    let mut entered = TurnResults { count: 0, journal: J::default() };
    let (mut batch, mut members) = ([0; BATCH], MemberBuffer::new());
    let mut left = u64::from(nodes);
    for first in (0..permutation.positions()).step_by(BATCH) {
        if !begins(cancellation, first, left) {
            break;
        }
        let count = permutation.read(first, &mut batch);
        left -= count as u64;
        let batch = &batch[..count];
        for &node in batch {
            network.prefetch(node);
        }
        for (i, &node) in batch.iter().enumerate() {
            if let Some(&soon) = batch.get(i + AHEAD) {
                prefetch(states, soon as usize);
                for peer in network.peers(soon).flatten() {
                    prefetch(states, peer as usize);
                }
            }
            turn(
                task,
                neighbourhoods.hold_at(states, node as usize, &mut members),
                node,
                section,
                &mut entered,
            );
        }
    }
    entered
}

/// Runs the turns of `nodes[i]` for each `i` of `order`.
fn listed<N: PortNetwork, T: WaveTask, J: Journal<T::Outcome>>(
    network: &N,
    states: &mut [T::State],
    nodes: &[u32],
    order: impl Iterator<Item = u32>,
    (task, section): (&T, Stream),
) -> TurnResults<J> {
    let mut entered = TurnResults { count: 0, journal: J::default() };
    let (neighbourhoods, mut members) =
        (IndexedNeighbourhoods { network, base: 0, near: None }, MemberBuffer::new());
    for i in order {
        let node = nodes[i as usize];
        turn(task, neighbourhoods.hold_at(states, node as usize, &mut members), node, section, &mut entered);
    }
    entered
}
