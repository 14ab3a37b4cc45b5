//! Access to the states of a closed neighbourhood: computed in rows of a torus, or by querying the network.

use std::num::NonZeroUsize;

use acrasin_runtime::section::Locked;
use acrasin_runtime::{NodeId, Port};

use super::permutation::{BATCH, ElementBatch};
use super::task::Held;
use super::tiling::Tiling;
use crate::network::{LatticeKind, PortNetwork};
use crate::unchecked::{Kernel, Nearby, Vectors, run_widest};

/// The members of a lock set in the runtime's types. The buffer is reused for every entry.
pub(super) type MemberBuffer = Vec<(Port, NodeId)>;

/// Closed neighbourhoods within a run of consecutive nodes.
pub(super) trait Neighbourhoods: Sync {
    /// Data computed for the positions of a batch before their turns.
    type Prepared;
    /// Access to one closed neighbourhood.
    type Held<'h, S: 'h>: Held<State = S>
    where
        Self: 'h;

    /// Whether the node has its turn in another phase.
    fn skips(&self, node: u32) -> bool;

    /// Creates an empty buffer for the data of a batch.
    fn unprepared() -> Self::Prepared;

    /// Prepares the turns at the positions `first + elements[i]`.
    fn prepare(&self, first: usize, elements: &ElementBatch, prepared: &mut Self::Prepared);

    /// The index in the states of the node that has the `i`th turn of a batch.
    fn place(&self, prepared: &Self::Prepared, i: usize) -> usize;

    /// The closed neighbourhood of the node that has the `i`th turn of a batch. All its members must be in `states`;
    /// otherwise this call or a later access panics or accesses a wrong node.
    fn hold<'h, S>(
        &'h self,
        states: &'h mut [S],
        prepared: &Self::Prepared,
        i: usize,
        members: &'h mut MemberBuffer,
    ) -> Self::Held<'h, S>;
}

/// Whole rows of a torus as consecutive states, starting at any row. The row before the first and the row after the
/// last must not be accessed.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowNeighbourhoods<const DEGREE: usize> {
    width: NonZeroUsize,
    /// 2^64 divided by the width, rounded up. With this value the first and the last cell of a row are detected by one
    /// multiplication (Lemire, Kaser, Kurz 2019), exact for positions below 2^32.
    inverse: u64,
}

impl<const DEGREE: usize> RowNeighbourhoods<DEGREE> {
    const KIND: LatticeKind = match DEGREE {
        4 => LatticeKind::Square,
        _ => LatticeKind::Triangular,
    };

    pub(super) fn new(width: u32) -> Self {
        assert_eq!(usize::from(Self::KIND.degree()), DEGREE);
        Self {
            width: NonZeroUsize::new(width as usize).expect("rows have cells"),
            inverse: u64::MAX / u64::from(width) + 1,
        }
    }
}

/// The positions of the turns of a batch in rows, with masks for those that are first or last in their row.
pub(super) struct PreparedRows {
    at: ElementBatch,
    first: ElementBatch,
    last: ElementBatch,
}

struct PrepareRows<'p> {
    width: u32,
    inverse: u64,
    offset: u32,
    elements: &'p ElementBatch,
    prepared: &'p mut PreparedRows,
}

impl Kernel for PrepareRows<'_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let Self { width, inverse, offset, elements, prepared: PreparedRows { at, first, last } } = self;
        // Powers of two are common and take a third of the work.
        if width.is_power_of_two() {
            let end = width - 1;
            for i in 0..BATCH {
                let place = offset.wrapping_add(elements[i]);
                at[i] = place;
                first[i] = if place & end == 0 { u32::MAX } else { 0 };
                last[i] = if place & end == end { u32::MAX } else { 0 };
            }
            return;
        }
        for i in 0..BATCH {
            let place = offset.wrapping_add(elements[i]);
            let rest = inverse.wrapping_mul(u64::from(place));
            at[i] = place;
            first[i] = if rest < inverse { u32::MAX } else { 0 };
            last[i] = if rest.wrapping_add(inverse) < inverse { u32::MAX } else { 0 };
        }
    }
}

impl<const DEGREE: usize> Neighbourhoods for RowNeighbourhoods<DEGREE> {
    type Prepared = PreparedRows;
    type Held<'h, S: 'h> = InRows<'h, S, DEGREE>;

    #[inline(always)]
    fn skips(&self, _node: u32) -> bool {
        false
    }

    fn unprepared() -> PreparedRows {
        PreparedRows { at: [0; BATCH], first: [0; BATCH], last: [0; BATCH] }
    }

    #[inline]
    fn prepare(&self, first: usize, elements: &ElementBatch, prepared: &mut PreparedRows) {
        let (width, inverse, offset) = (self.width.get() as u32, self.inverse, first as u32);
        run_widest(Vectors::widest(), PrepareRows { width, inverse, offset, elements, prepared });
    }

    #[inline(always)]
    fn place(&self, prepared: &PreparedRows, i: usize) -> usize {
        prepared.at[i] as usize
    }

    #[inline(always)]
    fn hold<'h, S>(
        &'h self,
        states: &'h mut [S],
        prepared: &PreparedRows,
        i: usize,
        members: &'h mut MemberBuffer,
    ) -> InRows<'h, S, DEGREE> {
        InRows {
            nearby: Nearby::new(states, prepared.at[i] as usize, self.width),
            first: prepared.first[i] as usize,
            last: prepared.last[i] as usize,
            width: self.width.get(),
            members,
        }
    }
}

/// Access to the closed neighbourhood of a cell in rows.
pub(super) struct InRows<'h, S, const DEGREE: usize> {
    nearby: Nearby<'h, S>,
    /// A mask: all bits set if the cell is the first in its row, otherwise none.
    first: usize,
    /// A mask: all bits set if the cell is the last in its row, otherwise none.
    last: usize,
    width: usize,
    members: &'h mut MemberBuffer,
}

impl<S, const DEGREE: usize> InRows<'_, S, DEGREE> {
    /// The distances ahead and back to the neighbour on `port`, if there is one. The distances come from a table,
    /// because a branch on a random port would often be mispredicted.
    #[inline(always)]
    fn step(&self, port: u16) -> Option<(usize, usize)> {
        let (width, first, last) = (self.width, self.width & self.first, self.width & self.last);
        let steps = match RowNeighbourhoods::<DEGREE>::KIND {
            LatticeKind::Square => ([1, width, first, 0, 0, 0], [last, 0, 1, width, 0, 0]),
            LatticeKind::Triangular => {
                ([1, width, first + width, first, 0, 1], [last, 0, 1, 1, width, last + width])
            }
        };
        let index = usize::from(port).wrapping_sub(1);
        (index < DEGREE).then(|| (steps.0[index], steps.1[index]))
    }

    /// The position of the neighbour on `port`, if there is one. On a triangular lattice some neighbours are more than
    /// a row away.
    #[inline(always)]
    fn place(&self, port: u16) -> Option<usize> {
        self.step(port).map(|(ahead, back)| self.nearby.place(0, 0) + ahead - back)
    }
}

impl<S, const DEGREE: usize> Held for InRows<'_, S, DEGREE> {
    type State = S;

    #[inline(always)]
    fn ports(&self) -> u16 {
        DEGREE as u16
    }
    #[inline(always)]
    fn own(&self) -> &S {
        self.nearby.get(0, 0)
    }
    #[inline(always)]
    fn own_mut(&mut self) -> &mut S {
        self.nearby.get_mut(0, 0)
    }
    #[inline(always)]
    fn neighbour(&self, port: u16) -> Option<&S> {
        if DEGREE == 4 {
            return self.step(port).map(|(ahead, back)| self.nearby.get(ahead, back));
        }
        self.place(port).map(|place| &self.nearby.all()[place])
    }
    #[inline(always)]
    fn neighbour_mut(&mut self, port: u16) -> Option<&mut S> {
        if DEGREE == 4 {
            return self.step(port).map(|(ahead, back)| self.nearby.get_mut(ahead, back));
        }
        self.place(port).map(|place| &mut self.nearby.all_mut()[place])
    }
    #[inline(always)]
    fn degree(&self) -> u16 {
        DEGREE as u16
    }
    #[inline(always)]
    fn nth_port(&self, nth: u16) -> Option<u16> {
        (nth < DEGREE as u16).then_some(nth + 1)
    }
    fn locked<R>(&mut self, section: impl FnOnce(&mut Locked<'_, S>) -> R) -> R {
        let mut members = std::mem::take(self.members);
        members.clear();
        for port in 1..=DEGREE as u16 {
            members.extend(self.place(port).map(|place| (Port(port), NodeId(place as u32))));
        }
        let own = NodeId(self.nearby.place(0, 0) as u32);
        let result = section(&mut Locked::new(self.nearby.all_mut(), own, &members));
        *self.members = members;
        result
    }
}

/// Consecutive nodes of any network from node `base` on. The last node is followed by node 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct IndexedNeighbourhoods<'n, N> {
    pub(super) network: &'n N,
    pub(super) base: u32,
    /// The tiling whose far nodes have no turn here, if the wave is tiled.
    pub(super) near: Option<&'n Tiling>,
}

/// The positions of the turns of a batch among consecutive nodes.
pub(super) struct PreparedIndices {
    first: usize,
    elements: ElementBatch,
}

impl<N: PortNetwork> Neighbourhoods for IndexedNeighbourhoods<'_, N> {
    type Prepared = PreparedIndices;
    type Held<'h, S: 'h>
        = InNetwork<'h, N, S>
    where
        Self: 'h;

    #[inline(always)]
    fn skips(&self, node: u32) -> bool {
        self.near.is_some_and(|tiling| tiling.is_far(node))
    }

    fn unprepared() -> PreparedIndices {
        PreparedIndices { first: 0, elements: [0; BATCH] }
    }

    #[inline]
    fn prepare(&self, first: usize, elements: &ElementBatch, prepared: &mut PreparedIndices) {
        *prepared = PreparedIndices { first, elements: *elements };
    }

    #[inline(always)]
    fn place(&self, prepared: &PreparedIndices, i: usize) -> usize {
        prepared.first + prepared.elements[i] as usize
    }

    #[inline(always)]
    fn hold<'h, S>(
        &'h self,
        states: &'h mut [S],
        prepared: &PreparedIndices,
        i: usize,
        members: &'h mut MemberBuffer,
    ) -> InNetwork<'h, N, S> {
        self.hold_at(states, self.place(prepared, i), members)
    }
}

impl<N: PortNetwork> IndexedNeighbourhoods<'_, N> {
    /// The closed neighbourhood of the node at a position.
    #[inline(always)]
    pub(super) fn hold_at<'h, S>(
        &'h self,
        states: &'h mut [S],
        at: usize,
        members: &'h mut MemberBuffer,
    ) -> InNetwork<'h, N, S> {
        let node = wrap(self.base, at, self.network.nodes());
        InNetwork { network: self.network, base: self.base, node, states, at, members }
    }
}

/// The node `at` positions after `base`, cyclically in `0..nodes`. `at` is at most `nodes`.
#[inline(always)]
pub(super) fn wrap(base: u32, at: usize, nodes: u32) -> u32 {
    let node = u64::from(base) + at as u64;
    (if node >= u64::from(nodes) { node - u64::from(nodes) } else { node }) as u32
}

/// Access to the closed neighbourhood of a node among consecutive nodes.
pub(super) struct InNetwork<'h, N, S> {
    network: &'h N,
    base: u32,
    node: u32,
    states: &'h mut [S],
    at: usize,
    members: &'h mut MemberBuffer,
}

impl<N: PortNetwork, S> InNetwork<'_, N, S> {
    /// The position of the neighbour on `port`, if there is one.
    #[inline(always)]
    fn place(&self, port: u16) -> Option<usize> {
        if port == 0 || port > self.network.ports() {
            return None;
        }
        self.network.link(self.node, port).map(|(peer, _)| {
            let place =
                if peer >= self.base { peer - self.base } else { peer + (self.network.nodes() - self.base) };
            place as usize
        })
    }
}

impl<N: PortNetwork, S> Held for InNetwork<'_, N, S> {
    type State = S;

    #[inline(always)]
    fn ports(&self) -> u16 {
        self.network.room(self.node)
    }
    #[inline(always)]
    fn own(&self) -> &S {
        &self.states[self.at]
    }
    #[inline(always)]
    fn own_mut(&mut self) -> &mut S {
        &mut self.states[self.at]
    }
    #[inline(always)]
    fn neighbour(&self, port: u16) -> Option<&S> {
        self.place(port).map(|place| &self.states[place])
    }
    #[inline(always)]
    fn neighbour_mut(&mut self, port: u16) -> Option<&mut S> {
        self.place(port).map(|place| &mut self.states[place])
    }
    #[inline(always)]
    fn degree(&self) -> u16 {
        self.network.degree(self.node)
    }
    #[inline(always)]
    fn nth_port(&self, nth: u16) -> Option<u16> {
        let room = self.ports();
        if self.network.degree(self.node) == room {
            return (nth < room).then_some(nth + 1);
        }
        let mut ports = (1..).zip(self.network.peers(self.node)).filter(|(_, peer)| peer.is_some());
        ports.nth(usize::from(nth)).map(|(port, _)| port)
    }
    fn locked<R>(&mut self, section: impl FnOnce(&mut Locked<'_, S>) -> R) -> R {
        let mut members = std::mem::take(self.members);
        members.clear();
        for port in 1..=self.ports() {
            members.extend(self.place(port).map(|place| (Port(port), NodeId(place as u32))));
        }
        let result = section(&mut Locked::new(self.states, NodeId(self.at as u32), &members));
        *self.members = members;
        result
    }
}
