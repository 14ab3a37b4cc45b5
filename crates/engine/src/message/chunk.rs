//! Chunks of nodes: the part of a round that one core runs at a time.

use std::sync::atomic::AtomicU8;

use super::block::LANES;
use super::inputs::RoundInputs;
use super::word::NodeWord;
use crate::pages::Pages;
use crate::round::Figures;
use crate::threads::each_part;
use crate::unchecked::shared_bytes;

/// The number of nodes of a chunk.
///
/// At 3 nanoseconds per node, a chunk is about 50 microseconds of work, so the cost of handing it to another core is
/// small. Neither the size of chunks nor the order in which figures are added depends on the number of threads.
pub(crate) const CHUNK: usize = 1 << 14;

/// The number of nodes from which a round uses several threads. Smaller rounds end before another core has woken up.
pub(crate) const PARALLEL_FROM: usize = 4 * CHUNK;

/// Consecutive nodes in a round.
pub(crate) struct NodeChunk<'a, W> {
    /// The published words of all nodes at the start of the round.
    pub(crate) words: &'a [W],
    /// The words of these nodes after the round.
    pub(crate) next: &'a mut [W],
    /// The first of these nodes: a multiple of 64.
    pub(crate) first: u32,
    /// The inboxes of all nodes; empty if the network has no inboxes.
    pub(crate) inbox: &'a [u8],
    /// The inputs of the round.
    pub(crate) inputs: &'a RoundInputs<'a>,
}

/// The words of a chunk's nodes before and after the round, from which changes are delivered.
#[derive(Clone, Copy)]
pub(crate) struct ChunkResult<'a, W> {
    /// The words of these nodes before the round.
    pub(crate) before: &'a [W],
    /// The words of these nodes after the round.
    pub(crate) after: &'a [W],
    /// The edge words of these nodes after the round, if the graph changes.
    pub(crate) edges: Option<&'a [W]>,
    /// The first of these nodes.
    pub(crate) first: u32,
}

/// The edge words of a chunk, for graphs that change.
pub(crate) struct EdgeChunk<'a, W> {
    /// The edge words of all nodes at the start of the round.
    pub(crate) edges: &'a [W],
    /// The edge words of these nodes after the round.
    pub(crate) next: &'a mut [W],
}

/// Graphs whose rounds can be run in chunks.
pub(crate) trait ChunkedRounds<W>: Sync {
    /// Activates the nodes of a chunk on a graph that does not change.
    fn run(&self, chunk: NodeChunk<'_, W>) -> Figures;

    /// Activates the nodes of a chunk. The edge words tell which of the network's edges are present.
    fn run_changing(&self, chunk: NodeChunk<'_, W>, edges: EdgeChunk<'_, W>) -> Figures;

    /// The initial inboxes. Empty if nodes read the published words of their neighbours instead of receiving them in
    /// inboxes.
    fn inbox(&self, _changing: bool) -> Pages<u8> {
        Pages::zeroed(0)
    }

    /// Delivers the new published words of a chunk's nodes to their neighbours.
    fn deliver(&self, _done: ChunkResult<'_, W>, _inbox: &[AtomicU8]) {}

    /// Delivers a node's published word to the inbox of the neighbour on a port. If `word` is `None`, the edge is
    /// absent, and the entry is cleared.
    fn deliver_one(&self, _node: u32, _port: u16, _word: Option<(W, W)>, _inbox: &mut [u8]) {}
}

/// The words of a run: the configuration, and space for the next one.
pub(crate) struct Buffers<'a, W> {
    pub(crate) words: &'a [W],
    pub(crate) next: &'a mut [W],
}

/// Runs a round chunk by chunk, on the threads of the current pool if the round is large enough. Returns `None` if the
/// round was cancelled; then the contents of `next` are undefined, and nothing was delivered.
pub(crate) fn run_round<W: NodeWord>(
    network: &dyn ChunkedRounds<W>,
    Buffers { words, next }: Buffers<'_, W>,
    edges: Option<Buffers<'_, W>>,
    inbox: &mut [u8],
    inputs: &RoundInputs<'_>,
) -> Option<Figures> {
    const { assert!(CHUNK.is_multiple_of(LANES)) };
    let parallel = words.len() >= PARALLEL_FROM;
    let begins = |chunk: &NodeChunk<'_, W>| inputs.cancellation.begins(chunk.next.len() as u64);
    let chunk = |index, next| NodeChunk { words, next, first: (index * CHUNK) as u32, inbox, inputs };
    let (figures, next_edges) = match edges {
        None => {
            let chunks = next.chunks_mut(CHUNK).collect();
            let run = |index, next| {
                let chunk = chunk(index, next);
                if begins(&chunk) { network.run(chunk) } else { Figures::default() }
            };
            (each_part(chunks, parallel, run), None)
        }
        Some(Buffers { words: edges, next: next_edges }) => {
            let chunks = next.chunks_mut(CHUNK).zip(next_edges.chunks_mut(CHUNK)).collect();
            let run = |index, (next, next_edges)| {
                let chunk = chunk(index, next);
                if begins(&chunk) {
                    network.run_changing(chunk, EdgeChunk { edges, next: next_edges })
                } else {
                    Figures::default()
                }
            };
            (each_part(chunks, parallel, run), Some(&*next_edges))
        }
    };
    if inputs.cancellation.is_cut() {
        return None;
    }
    if !inbox.is_empty() {
        let inbox = shared_bytes(inbox);
        let deliver = |index, (before, after): (&[W], &[W])| {
            let first = index * CHUNK;
            let edges = next_edges.map(|edges| &edges[first..][..after.len()]);
            network.deliver(ChunkResult { before, after, edges, first: first as u32 }, inbox);
        };
        each_part(words.chunks(CHUNK).zip(next.chunks(CHUNK)).collect(), parallel, deliver);
    }
    Some(sum(figures))
}

/// The figures of a round: the sum over the figures of its chunks, in their order.
#[allow(clippy::needless_pass_by_value)]
pub(crate) fn sum(parts: Vec<Figures>) -> Figures {
    let mut figures = Figures { rounds: 1, ..Figures::default() };
    for part in parts {
        figures += part;
    }
    figures
}
