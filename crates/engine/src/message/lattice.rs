//! Rounds on tori: the neighbours of 64 consecutive nodes of a row on one port are consecutive as well, so their words
//! need not be gathered.

use std::marker::PhantomData;

use super::activation::{
    ActivationOutcome, BitLayout, FaultInjection, NeighbourAccess, NeighbourBits, PortRelations, favourite,
    gather_bits, moved,
};
use super::block::{LANES, NeighbourWords, activate_block, draw_priorities, keep, lane_words, whole};
use super::chunk::{ChunkedRounds, EdgeChunk, NodeChunk};
use super::word::{NodeWord, SENT};
use crate::network::{Lattice, LatticeKind};
use crate::round::Figures;
use crate::unchecked::{Kernel, Vectors, run_widest, run_widest_or_portable};

/// A lattice kind as a type, so that its degree and directions are compile-time constants.
pub(crate) trait LatticeShape {
    /// The kind of lattice: the neighbourhood of a cell.
    const KIND: LatticeKind;
}

pub(crate) struct SquareShape;
pub(crate) struct TriangularShape;

impl LatticeShape for SquareShape {
    const KIND: LatticeKind = LatticeKind::Square;
}

impl LatticeShape for TriangularShape {
    const KIND: LatticeKind = LatticeKind::Triangular;
}

/// The bit layout of a lattice: the neighbour on a port replies on the opposite port.
pub(crate) struct OppositePort<K>(PhantomData<K>);

impl<K> FaultInjection for OppositePort<K> {}

impl<W: NodeWord, K: LatticeShape> BitLayout<W> for OppositePort<K> {
    #[inline(always)]
    fn acked_at(port: u32) -> u32 {
        SENT + opposite(K::KIND, port)
    }
    #[inline(always)]
    fn won_at(port: u32) -> u32 {
        W::WON + opposite(K::KIND, port)
    }
}

#[inline(always)]
const fn opposite(kind: LatticeKind, port: u32) -> u32 {
    if port == 0 { 0 } else { kind.reverse(port as u16) as u32 }
}

/// The offset (dx, dy) of the neighbour on a port; (0, 0) for port 0.
#[inline(always)]
fn direction(lattice: Lattice, port: usize) -> (i32, i32) {
    port.checked_sub(1).map_or((0, 0), |index| lattice.kind().directions()[index])
}

macro_rules! lattice_chunks {
    ($word:ty) => {
        impl ChunkedRounds<$word> for Lattice {
            fn run(&self, chunk: NodeChunk<'_, $word>) -> Figures {
                match self.kind() {
                    LatticeKind::Square => rows::<_, OppositePort<SquareShape>, 5>(*self, chunk),
                    LatticeKind::Triangular => rows::<_, OppositePort<TriangularShape>, 7>(*self, chunk),
                }
            }

            fn run_changing(&self, chunk: NodeChunk<'_, $word>, edges: EdgeChunk<'_, $word>) -> Figures {
                match self.kind() {
                    LatticeKind::Square => changing_rows::<_, SquareShape, 5>(*self, chunk, edges),
                    LatticeKind::Triangular => changing_rows::<_, TriangularShape, 7>(*self, chunk, edges),
                }
            }
        }
    };
}

// The impls are not generic, so they are compiled in this crate with its optimisations, not where they are used.
lattice_chunks!(u32);
lattice_chunks!(u64);

/// Activates a chunk of a lattice. `PORTS` counts the node's own port.
fn rows<W: NodeWord, S: BitLayout<W>, const PORTS: usize>(
    lattice: Lattice,
    chunk: NodeChunk<'_, W>,
) -> Figures {
    let kernel = LatticeRows::<W, S, PORTS>::new(lattice, chunk);
    // Long words serve K above 512, which 18 contenders do not need. They are not worth code for every vector width.
    if const { W::PORTS == u32::PORTS } { run_widest(Vectors::widest(), kernel) } else { kernel.run() }
}

fn changing_rows<W: NodeWord, K: LatticeShape, const PORTS: usize>(
    lattice: Lattice,
    chunk: NodeChunk<'_, W>,
    edges: EdgeChunk<'_, W>,
) -> Figures {
    let kernel = ChangingRows::<W, K, PORTS> { lattice, chunk, edges, shape: PhantomData };
    if const { W::PORTS == u32::PORTS } {
        run_widest_or_portable(Vectors::widest(), kernel)
    } else {
        kernel.run()
    }
}

/// A chunk of a lattice whose edges never change.
pub(crate) struct LatticeRows<'a, W, S, const PORTS: usize> {
    lattice: Lattice,
    chunk: NodeChunk<'a, W>,
    sight: PhantomData<S>,
}

impl<'a, W, S, const PORTS: usize> LatticeRows<'a, W, S, PORTS> {
    pub(crate) fn new(lattice: Lattice, chunk: NodeChunk<'a, W>) -> Self {
        Self { lattice, chunk, sight: PhantomData }
    }
}

impl<W: NodeWord, S: BitLayout<W>, const PORTS: usize> Kernel for LatticeRows<'_, W, S, PORTS> {
    type Output = Figures;

    #[inline(always)]
    fn run(self) -> Figures {
        let Self { lattice, chunk: NodeChunk { words, next, first, inputs, .. }, .. } = self;
        let mut figures = Figures::default();
        let mut room = [[W::NONE; LANES]; PORTS];
        let mut partial = [W::NONE; LANES];
        for (index, next) in next.chunks_mut(LANES).enumerate() {
            let first = first + (index * LANES) as u32;
            let activity = inputs.activity(u64::from(first) / LANES as u64);
            if activity.active == 0 {
                next.copy_from_slice(&words[first as usize..][..next.len()]);
                continue;
            }
            let near = neighbours(lattice, words, first, next.len(), &mut room);
            let target = whole(next, &mut partial);
            let mut access = LatticeRow::<W, S, PORTS> { near, sight: PhantomData };
            let counts = activate_block::<W, S>(near[0], activity, target, &mut access);
            keep(next, &partial);
            draw_priorities(next, first, counts.tries, inputs.priorities, inputs.stream);
            counts.add_to(&mut figures, activity.active);
        }
        figures
    }
}

/// A chunk of a lattice whose edges appear and vanish.
struct ChangingRows<'a, W, K, const PORTS: usize> {
    lattice: Lattice,
    chunk: NodeChunk<'a, W>,
    edges: EdgeChunk<'a, W>,
    shape: PhantomData<K>,
}

impl<W: NodeWord, K: LatticeShape, const PORTS: usize> Kernel for ChangingRows<'_, W, K, PORTS> {
    type Output = Figures;

    #[inline(always)]
    fn run(self) -> Figures {
        let Self { lattice, chunk: NodeChunk { words, next, first, inputs, .. }, edges, .. } = self;
        let mut figures = Figures::default();
        let mut room = [[W::NONE; LANES]; PORTS];
        let mut edges_room = [[W::NONE; LANES]; PORTS];
        let mut partial = [W::NONE; LANES];
        let mut edges_partial = [W::NONE; LANES];
        let mut claims = [W::NONE; LANES];
        let blocks = next.chunks_mut(LANES).zip(edges.next.chunks_mut(LANES));
        for (index, (next, next_edges)) in blocks.enumerate() {
            let first = first + (index * LANES) as u32;
            let activity = inputs.activity(u64::from(first) / LANES as u64);
            if activity.active == 0 {
                next.copy_from_slice(&words[first as usize..][..next.len()]);
                next_edges.copy_from_slice(&edges.edges[first as usize..][..next.len()]);
                continue;
            }
            let near = neighbours(lattice, words, first, next.len(), &mut room);
            let links = neighbours(lattice, edges.edges, first, next.len(), &mut edges_room);
            inputs.claims(first, activity, near[0], links[0], &mut claims);
            let target_edges = whole(next_edges, &mut edges_partial);
            *target_edges = *links[0];
            let mut access = ChangingRow::<W, K, PORTS> {
                near,
                links,
                claims: &claims,
                next: target_edges,
                shape: PhantomData,
            };
            let target = whole(next, &mut partial);
            let counts = activate_block::<W, OppositePort<K>>(near[0], activity, target, &mut access);
            keep(next, &partial);
            keep(next_edges, &edges_partial);
            draw_priorities(next, first, counts.tries, inputs.priorities, inputs.stream);
            counts.add_to(&mut figures, activity.active);
        }
        figures
    }
}

/// A block of a lattice whose edges never change.
struct LatticeRow<'a, W, S, const PORTS: usize> {
    near: NeighbourWords<'a, W, PORTS>,
    sight: PhantomData<S>,
}

impl<W: NodeWord, S: BitLayout<W>, const PORTS: usize> NeighbourAccess<W> for LatticeRow<'_, W, S, PORTS> {
    #[inline(always)]
    fn bits(&self, lane: usize) -> NeighbourBits<W> {
        gather_bits::<W, S>(&lane_words(&self.near, lane))
    }
    #[inline(always)]
    fn relations(&self, _lane: usize) -> PortRelations<W> {
        PortRelations::lasting(W::ports(PORTS as u32 - 1))
    }
    #[inline(always)]
    fn favourite(&self, lane: usize, competitors: W) -> W {
        favourite::<W, S>(&lane_words(&self.near, lane), competitors)
    }
    #[inline(always)]
    fn after(&mut self, _lane: usize, _acts: W, _outcome: &ActivationOutcome<W>) {}
}

/// A block of a lattice whose edges appear and vanish.
struct ChangingRow<'a, W, K, const PORTS: usize> {
    near: NeighbourWords<'a, W, PORTS>,
    /// The edge words of the nodes and of their neighbours in the lattice.
    links: NeighbourWords<'a, W, PORTS>,
    claims: &'a [W; LANES],
    next: &'a mut [W; LANES],
    shape: PhantomData<K>,
}

impl<W: NodeWord, K: LatticeShape, const PORTS: usize> NeighbourAccess<W> for ChangingRow<'_, W, K, PORTS> {
    #[inline(always)]
    fn bits(&self, lane: usize) -> NeighbourBits<W> {
        gather_bits::<W, OppositePort<K>>(&lane_words(&self.near, lane))
    }

    #[inline(always)]
    fn favourite(&self, lane: usize, competitors: W) -> W {
        favourite::<W, OppositePort<K>>(&lane_words(&self.near, lane), competitors)
    }

    #[inline(always)]
    fn relations(&self, lane: usize) -> PortRelations<W> {
        // The neighbours publish whether this node is in their lock sets.
        let (mut participant, mut skipped) = (W::ONE, W::NONE);
        for (port, links) in (1..).zip(&self.links[1..]) {
            let back = opposite(K::KIND, port) - 1;
            participant |= moved(links[lane], W::MEMBER + back, port);
            skipped |= moved(links[lane], W::SKIPPED + back, port);
        }
        let own = self.links[0][lane];
        let (member, skips) = (own.members(), own.skipped());
        PortRelations { participant, member, neighbourhood: self.claims[lane], skipped, skips }
    }

    #[inline(always)]
    fn after(&mut self, lane: usize, acts: W, outcome: &ActivationOutcome<W>) {
        let edges = self.links[0][lane];
        self.next[lane] = edges.after(outcome.members, outcome.skips) & acts | edges & !acts;
    }
}

/// The words of the neighbours of `len` nodes from `first` on, by port. The words are borrowed, or copied to `room` if
/// the torus wraps around within them.
#[inline(always)]
fn neighbours<'a, W: NodeWord, const PORTS: usize>(
    lattice: Lattice,
    words: &'a [W],
    first: u32,
    len: usize,
    room: &'a mut [[W; LANES]; PORTS],
) -> NeighbourWords<'a, W, PORTS> {
    let mut near = [W::BLANK; PORTS];
    for ((port, near), room) in near.iter_mut().enumerate().zip(room) {
        *near = match run_of_neighbours(lattice, first, port) {
            Some(start) if len == LANES => words[start..].first_chunk().expect("64 words"),
            _ => {
                copy_neighbours(lattice, words, first, port, &mut room[..len]);
                room
            }
        };
    }
    near
}

/// The first index of the neighbours on `port` of the 64 nodes from `first` on, if they are consecutive.
#[inline(always)]
fn run_of_neighbours(lattice: Lattice, first: u32, port: usize) -> Option<usize> {
    let (dx, dy) = direction(lattice, port);
    let (width, height) = (lattice.width(), lattice.height());
    let (from, to) = (first % width, first % width + LANES as u32);
    let x = from.checked_add_signed(dx)?;
    let y = (first / width + height).wrapping_add_signed(dy) % height;
    // Both the nodes and their neighbours must stay within one row.
    let in_rows = to <= width && x + LANES as u32 <= width;
    in_rows.then(|| y as usize * width as usize + x as usize)
}

/// Copies the neighbours on `port` of the nodes from `first` on, row by row.
fn copy_neighbours<W: NodeWord>(lattice: Lattice, words: &[W], first: u32, port: usize, into: &mut [W]) {
    let (dx, dy) = direction(lattice, port);
    let (width, height) = (lattice.width() as usize, lattice.height() as usize);
    let (mut x, mut y) = (first as usize % width, first as usize / width);
    let mut rest = into;
    while !rest.is_empty() {
        let len = rest.len().min(width - x);
        let (row, after) = rest.split_at_mut(len);
        let from = (y + height).wrapping_add_signed(dy as isize) % height * width;
        let from = &words[from..][..width];
        match dx {
            1 if x + len == width => {
                row[..len - 1].copy_from_slice(&from[x + 1..]);
                row[len - 1] = from[0];
            }
            1 => row.copy_from_slice(&from[x + 1..][..len]),
            -1 if x == 0 => {
                row[0] = from[width - 1];
                row[1..].copy_from_slice(&from[..len - 1]);
            }
            -1 => row.copy_from_slice(&from[x - 1..][..len]),
            _ => row.copy_from_slice(&from[x..][..len]),
        }
        rest = after;
        (x, y) = (0, y + 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::PortNetwork;

    /// Regression: a block that ended one column beyond its row was treated like a block within the row.
    #[test]
    fn neighbours_are_those_of_the_lattice_wherever_a_block_begins() {
        for (width, height) in
            [(3, 3), (7, 40), (63, 5), (64, 5), (65, 70), (66, 5), (71, 64), (127, 9), (200, 9)]
        {
            let lattice = Lattice::new(LatticeKind::Triangular, width, height).unwrap();
            let words: Vec<u32> = (0..lattice.nodes()).collect();
            for first in (0..lattice.nodes()).step_by(LANES) {
                let len = LANES.min(words.len() - first as usize);
                let mut room = [[0; LANES]; 7];
                let near: NeighbourWords<'_, u32, 7> = neighbours(lattice, &words, first, len, &mut room);
                for (port, near) in (0..).zip(near) {
                    for (node, &word) in (first..).zip(&near[..len]) {
                        let expected = if port == 0 { node } else { lattice.neighbour(node, port) };
                        assert_eq!(word, expected, "{width} by {height}: node {node}, port {port}");
                    }
                }
            }
        }
    }
}
