//! Batches of competing nodes, for networks without locality.
//!
//! The turns of a batch are sorted into rounds, which are defined as follows. In each round every remaining node bids
//! its position in the order for all members of its closed neighbourhood. A node with the lowest bid for all these
//! members enters (deterministic reservations: Blelloch, Fineman, Gibbons, Shun, PPoPP 2012).
//!
//! The round of a node is one more than the last round of all earlier nodes that share a member. So one pass finds the
//! round of each node, without failed bids and without words that two threads write. Several batches are sorted in
//! parallel, each by one thread with its own words. All threads then execute the batches one after another, round by
//! round.

use acrasin_runtime::section::Locked;
use acrasin_runtime::{NodeId, Port};

use super::journal::Journal;
use super::neighbourhoods::MemberBuffer;
use super::permutation::{BATCH, Permutation};
use super::task::{Held, WaveTask};
use super::turns::TurnResults;
use super::wave::WaveEffort;
use crate::RoundCancellation;
use crate::draw::Stream;
use crate::network::PortNetwork;
use crate::threads::both;
use crate::unchecked::{DisjointRounds, SetAccess, SetShare};

/// The number of positions of the order in a batch.
pub(super) fn batch_size(nodes: u32) -> u32 {
    // A batch that is long compared with the graph has many rounds; a short one has little work for each thread.
    (nodes / 256).next_power_of_two().clamp(1 << 12, 1 << 15)
}

/// The number of nodes prefetched at a time.
const NEAR: usize = 32;

/// One wave over one network.
pub(super) struct Batches<'w, N, T> {
    pub(super) permutation: Permutation,
    pub(super) network: &'w N,
    pub(super) task: &'w T,
    pub(super) section: Stream,
    /// The number of positions of the order in a batch: a multiple of [`BATCH`].
    pub(super) size: u32,
    /// The number of turns up to which a share runs on one thread.
    pub(super) grain: usize,
    /// The cancellation, checked before each batch.
    pub(super) cancellation: &'w RoundCancellation<'w>,
    #[cfg(test)]
    pub(super) fault: Option<super::tests::WaveFault>,
}

impl<N: PortNetwork, T: WaveTask> Batches<'_, N, T> {
    /// Runs the wave. `check` receives the rounds of each batch before any node enters. One batch per worker is sorted
    /// at the same time.
    pub(super) fn run<J: Journal<T::Outcome>>(
        &self,
        workers: &mut [DisjointRounds],
        states: &mut [T::State],
        mut check: impl FnMut(&DisjointRounds),
    ) -> (TurnResults<J>, WaveEffort) {
        let (mut entered, mut effort) =
            (TurnResults { count: 0, journal: J::default() }, WaveEffort::default());
        let (mut first, mut turns) = (0, u64::from(self.network.nodes()));
        while first < self.permutation.positions() && self.cancellation.begins(turns) {
            let left = (self.permutation.positions() - first).div_ceil(self.size) as usize;
            let count = workers.len().min(left);
            let workers = &mut workers[..count];
            self.sort(first, workers);
            for rounds in workers {
                check(rounds);
                effort.rounds += rounds.count() as u64;
                effort.deferred +=
                    (1..rounds.count()).map(|round| rounds.sets(round).len() as u64).sum::<u64>();
                turns -= (0..rounds.count()).map(|round| rounds.sets(round).len() as u64).sum::<u64>();
                self.enter(rounds, states, &mut entered);
            }
            first += self.size * count as u32;
        }
        (entered, effort)
    }

    /// Sorts the batches from position `first` on, one per worker.
    fn sort(&self, first: u32, workers: &mut [DisjointRounds]) {
        if let [rounds] = workers {
            self.sort_one(first, rounds);
        } else {
            let middle = workers.len() / 2;
            let (left, right) = workers.split_at_mut(middle);
            let next = first + middle as u32 * self.size;
            both(|| self.sort(first, left), || self.sort(next, right));
        }
    }

    /// Sorts one batch. Memory is prefetched some nodes ahead, so that it is in the first-level cache when it is used.
    fn sort_one(&self, first: u32, rounds: &mut DisjointRounds) {
        rounds.clear();
        let mut batch = [0; BATCH];
        let end = self.permutation.positions().min(first + self.size);
        #[cfg(not(test))]
        let positions = (first..end).step_by(BATCH);
        #[cfg(test)]
        let positions = super::tests::WaveFault::positions(self.fault, (first..end).step_by(BATCH));
        for first in positions {
            let count = self.permutation.read(first, &mut batch);
            let nodes = &batch[..count];
            let ask = |nodes: &[u32]| nodes.iter().take(NEAR).for_each(|&node| self.network.prefetch(node));
            ask(nodes);
            for (i, some) in nodes.chunks(NEAR).enumerate() {
                ask(&nodes[nodes.len().min((i + 1) * NEAR)..]);
                for &node in some {
                    rounds.push(
                        node,
                        self.network.peers(node).map(|peer| peer.unwrap_or(DisjointRounds::EMPTY)),
                    );
                }
                rounds.settle(some.len());
            }
        }
        rounds.sort();
    }

    fn enter<J: Journal<T::Outcome>>(
        &self,
        rounds: &DisjointRounds,
        states: &mut [T::State],
        entered: &mut TurnResults<J>,
    ) {
        let mut kept = Vec::new();
        for round in 0..rounds.count() {
            let mut found = self.share::<J>(SetShare::new(rounds, round, states));
            entered.count += found.count;
            kept.append(&mut found.kept);
        }
        kept.sort_unstable_by_key(|&(set, _)| set);
        for (set, outcome) in kept {
            entered.journal.entered(rounds.members(set)[0], outcome);
        }
    }

    /// Runs the turns of a share, in two halves in parallel.
    fn share<J: Journal<T::Outcome>>(&self, mut share: SetShare<'_, T::State>) -> ShareResult<T::Outcome> {
        if share.len() > self.grain {
            let (left, right) = share.halves();
            let (mut found, mut later) = both(|| self.share::<J>(left), || self.share::<J>(right));
            found.count += later.count;
            found.kept.append(&mut later.kept);
            return found;
        }
        let mut found = ShareResult { count: 0, kept: Vec::new() };
        let mut buffers = (MemberBuffer::new(), Vec::new());
        while let Some((set, taken)) = share.next() {
            let node = taken.members()[0];
            let mut held = InRound { taken, buffers: &mut buffers };
            if self.task.wants(&held) {
                let outcome = self.task.enter(&mut held, &mut self.section.of_node(node));
                found.count += 1;
                if J::KEEPS {
                    found.kept.push((set, outcome));
                }
            }
        }
        found
    }
}

/// The result of a share: the number of entries, and the outcomes by position in the batch if the journal keeps them.
struct ShareResult<O> {
    count: u64,
    kept: Vec<(u32, O)>,
}

/// A node of a round. Its set consists of the node itself and the neighbours on its ports, in order.
struct InRound<'h, S> {
    taken: SetAccess<'h, S>,
    buffers: &'h mut (MemberBuffer, Vec<S>),
}

impl<S: Clone> Held for InRound<'_, S> {
    type State = S;

    #[inline(always)]
    fn ports(&self) -> u16 {
        (self.taken.members().len() - 1) as u16
    }
    #[inline(always)]
    fn own(&self) -> &S {
        self.taken.get(0).expect("a node is in its lock set")
    }
    #[inline(always)]
    fn own_mut(&mut self) -> &mut S {
        self.taken.get_mut(0).expect("a node is in its lock set")
    }
    #[inline(always)]
    fn neighbour(&self, port: u16) -> Option<&S> {
        if port == 0 { None } else { self.taken.get(usize::from(port)) }
    }
    #[inline(always)]
    fn neighbour_mut(&mut self, port: u16) -> Option<&mut S> {
        if port == 0 { None } else { self.taken.get_mut(usize::from(port)) }
    }
    #[inline(always)]
    fn degree(&self) -> u16 {
        self.taken.members()[1..].iter().filter(|&&peer| peer != DisjointRounds::EMPTY).count() as u16
    }
    #[inline(always)]
    fn nth_port(&self, nth: u16) -> Option<u16> {
        if self.degree() == self.ports() {
            return (nth < self.ports()).then_some(nth + 1);
        }
        let mut ports =
            (1..).zip(&self.taken.members()[1..]).filter(|&(_, &peer)| peer != DisjointRounds::EMPTY);
        ports.nth(usize::from(nth)).map(|(port, _)| port)
    }

    /// The runtime needs the states in one slice, so they are copied into a slice and back.
    fn locked<R>(&mut self, section: impl FnOnce(&mut Locked<'_, S>) -> R) -> R {
        let (mut members, mut states) = std::mem::take(self.buffers);
        members.clear();
        states.clear();
        for place in 0..=self.ports() {
            if let Some(state) = self.taken.get(usize::from(place)) {
                members.push((Port(place), NodeId(states.len() as u32)));
                states.push(state.clone());
            }
        }
        let result = section(&mut Locked::new(&mut states, NodeId(0), &members[1..]));
        for (&(place, _), state) in members.iter().zip(states.drain(..)) {
            *self.taken.get_mut(usize::from(place.0)).expect("it was copied") = state;
        }
        *self.buffers = (members, states);
        result
    }
}
