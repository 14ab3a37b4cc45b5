//! A round is cut into chunks of nodes: what one core does at a time.

use std::sync::atomic::AtomicU8;

use super::block::LANES;
use super::inputs::RoundInputs;
use super::word::Word;
use crate::pages::Pages;
use crate::round::Figures;
use crate::threads::each_part;
use crate::unchecked::shared_bytes;

/// Nodes of a chunk: some 50 microseconds of work at 3 nanoseconds a node, so that handing it to another core costs
/// little of it. Neither it nor the order in which figures are added depends on the number of threads.
pub(crate) const CHUNK: usize = 1 << 14;

/// Rounds of fewer nodes stay on the calling thread: they are over before another core has woken up.
pub(crate) const PARALLEL_FROM: usize = 4 * CHUNK;

/// Consecutive nodes in a round.
pub(crate) struct Chunk<'a, W> {
    /// The words of all nodes at the start of the round.
    pub(crate) words: &'a [W],
    /// Where the words of these nodes go.
    pub(crate) next: &'a mut [W],
    /// The first of these nodes: a multiple of 64.
    pub(crate) first: u32,
    /// What the nodes have been told, if the network has inboxes.
    pub(crate) inbox: &'a [u8],
    /// The round.
    pub(crate) inputs: &'a RoundInputs<'a>,
}

/// The same nodes after the round: what has changed is to be told.
#[derive(Clone, Copy)]
pub(crate) struct Done<'a, W> {
    /// The words of these nodes before the round.
    pub(crate) before: &'a [W],
    /// After it.
    pub(crate) after: &'a [W],
    /// Their words of edges after it, where the graph changes.
    pub(crate) edges: Option<&'a [W]>,
    /// The first of these nodes.
    pub(crate) first: u32,
}

/// The same nodes where the graph changes.
pub(crate) struct EdgeChunk<'a, W> {
    /// The words of edges of all nodes at the start of the round.
    pub(crate) edges: &'a [W],
    /// Where those of these nodes go.
    pub(crate) next: &'a mut [W],
}

/// Graphs on which chunks can be run.
pub(crate) trait Chunks<W>: Sync {
    /// Activates the nodes of a chunk; the graph is as the network has it.
    fn run(&self, chunk: Chunk<'_, W>) -> Figures;

    /// Activates the nodes of a chunk; the words of edges tell which of the network's edges are there.
    fn run_changing(&self, chunk: Chunk<'_, W>, edges: EdgeChunk<'_, W>) -> Figures;

    /// The inboxes at the start, if nodes are told what their neighbours publish instead of looking: empty otherwise.
    fn inbox(&self, _changing: bool) -> Pages<u8> {
        Pages::zeroed(0)
    }

    /// Tells the neighbours what the nodes of a chunk publish now.
    fn tell(&self, _done: Done<'_, W>, _inbox: &[AtomicU8]) {}

    /// Tells the neighbour on a port what a node publishes: nothing if `word` is none, as the edge is not there.
    fn tell_one(&self, _node: u32, _port: u16, _word: Option<(W, W)>, _inbox: &mut [u8]) {}
}

/// The words of a run: those of the configuration, and room for the next one.
pub(crate) struct Buffers<'a, W> {
    pub(crate) words: &'a [W],
    pub(crate) next: &'a mut [W],
}

/// Runs a round, chunk by chunk, on the threads of the current pool if it is large enough.
pub(crate) fn run_round<W: Word>(
    network: &dyn Chunks<W>,
    Buffers { words, next }: Buffers<'_, W>,
    edges: Option<Buffers<'_, W>>,
    inbox: &mut [u8],
    inputs: &RoundInputs<'_>,
) -> Figures {
    const { assert!(CHUNK.is_multiple_of(LANES)) };
    let parallel = words.len() >= PARALLEL_FROM;
    let chunk = |index, next| Chunk { words, next, first: (index * CHUNK) as u32, inbox, inputs };
    let (figures, next_edges) = match edges {
        None => {
            let chunks = next.chunks_mut(CHUNK).collect();
            (each_part(chunks, parallel, |index, next| network.run(chunk(index, next))), None)
        }
        Some(Buffers { words: edges, next: next_edges }) => {
            let chunks = next.chunks_mut(CHUNK).zip(next_edges.chunks_mut(CHUNK)).collect();
            let run = |index, (next, next_edges)| {
                network.run_changing(chunk(index, next), EdgeChunk { edges, next: next_edges })
            };
            (each_part(chunks, parallel, run), Some(&*next_edges))
        }
    };
    if !inbox.is_empty() {
        let inbox = shared_bytes(inbox);
        let tell = |index, (before, after): (&[W], &[W])| {
            let first = index * CHUNK;
            let edges = next_edges.map(|edges| &edges[first..][..after.len()]);
            network.tell(Done { before, after, edges, first: first as u32 }, inbox);
        };
        each_part(words.chunks(CHUNK).zip(next.chunks(CHUNK)).collect(), parallel, tell);
    }
    sum(figures)
}

/// The figures of a round from those of its chunks, in their order.
#[allow(clippy::needless_pass_by_value)]
pub(crate) fn sum(parts: Vec<Figures>) -> Figures {
    let mut figures = Figures { rounds: 1, ..Figures::default() };
    for part in parts {
        figures += part;
    }
    figures
}
