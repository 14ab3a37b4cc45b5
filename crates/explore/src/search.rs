//! Breadth-first search, in blocks.
//!
//! A block is a fixed section of the frontier. Its configurations are expanded in parallel, chunk by chunk. Then every
//! shard takes its successors, chunk by chunk in order. So the position of each configuration depends only on the
//! model, not on the threads, and buffers are only as large as a block.

use std::mem::take;
use std::ops::ControlFlow;
use std::sync::Arc;

use rayon::prelude::*;

use crate::block::{ExpandedChunk, ExpandedSource, PackedList, reserve};
use crate::components::ANALYSIS_BYTES;
use crate::exploration::{Exploration, PropertyFinding};
use crate::graph::{ConfigurationGraph, MoveEdge, WAITING};
use crate::growing_shard::GrowingShard;
use crate::limits::{Limits, NotASearch, SearchProgress, Truncated};
use crate::model::{BlockRoom, Model};
use crate::store::{Address, SHARD_LEN_MAX, SHARDS, Shard, digest, shard_of};
use crate::unpacker::{DynModel, ErasedModel, Unpacker};

/// The maximum number of configurations that one thread expands in one chunk. It is fixed, because results must not
/// depend on the machine.
const CHUNK: usize = 128;
/// The number of chunks of a block.
const CHUNKS: usize = 64;
/// The buffers of a block may take the memory ceiling divided by this number. If configurations have many moves, blocks
/// are smaller.
const BLOCK_SHARE: u64 = 16;

/// The minimum room for the buffers of a block in bytes, even if little memory is left.
const ROOM_LEAST: u64 = 1 << 20;

/// Explores all reachable configurations breadth first, on the threads of the current rayon pool. `progress` is called
/// after every block (some thousands of configurations), and may stop the search.
///
/// The result is the same for any number of threads. Configurations are distinguished by 128-bit digests; see
/// [`Exploration::collision_bound`]. The search keeps about 30 bytes per configuration, and the whole frontier.
pub fn explore<M: Model>(
    model: &M,
    limits: &Limits,
    mut progress: impl FnMut(&SearchProgress) -> ControlFlow<()>,
) -> Exploration {
    let mut workbench = model.workbench();
    let starts: StartCalls<'_> = &mut |start| model.starts(&mut workbench, start);
    search(&ErasedModel(model), starts, limits, &mut UnsavedSearch(&mut progress))
        .expect("it continues nothing")
}

/// Controls a search, and keeps checkpoints of it.
pub trait SearchControl {
    /// Called after every block (some thousands of configurations); may stop the search.
    fn proceed(&mut self, at: &SearchProgress) -> ControlFlow<()>;

    /// The saved state from which the search continues; `None` if the search starts afresh.
    fn resumed(&mut self) -> Option<Vec<u8>> {
        None
    }

    /// Whether to keep the state of the search now. Called after every block, and once if a limit or the control has
    /// stopped the search.
    fn is_due(&mut self, is_stopped: bool) -> bool {
        let _ = is_stopped;
        false
    }

    /// Receives the state of the search.
    fn keep(&mut self, state: Vec<u8>) {
        let _ = state;
    }
}

/// A control that keeps no state and only reports progress.
pub struct UnsavedSearch<'p>(pub &'p mut dyn FnMut(&SearchProgress) -> ControlFlow<()>);

impl SearchControl for UnsavedSearch<'_> {
    fn proceed(&mut self, at: &SearchProgress) -> ControlFlow<()> {
        (self.0)(at)
    }
}

/// Like [`explore`], but `control` decides when the search is saved and from which state it continues. A resumed search
/// has the same result as an uninterrupted one with the same limits.
///
/// # Errors
///
/// The saved state is not that of a search with these limits.
pub fn explore_with<M: Model>(
    model: &M,
    limits: &Limits,
    control: &mut dyn SearchControl,
) -> Result<Exploration, NotASearch> {
    let mut workbench = model.workbench();
    search(&ErasedModel(model), &mut |start| model.starts(&mut workbench, start), limits, control)
}

/// Like [`explore_with`], but from other starts than the model's. `starts` calls its argument with each start in turn,
/// on the calling thread, until it returns `Break`. The starts may come from any source and need not be finite. A
/// resumed search does not use `starts`.
///
/// # Errors
///
/// As for [`explore_with`].
pub fn explore_from<M: Model>(
    model: &M,
    mut starts: impl FnMut(&mut dyn FnMut(&[u8]) -> ControlFlow<()>),
    limits: &Limits,
    control: &mut dyn SearchControl,
) -> Result<Exploration, NotASearch> {
    search(&ErasedModel(model), &mut starts, limits, control)
}

/// Calls its argument with each start.
type StartCalls<'s> = &'s mut dyn FnMut(&mut dyn FnMut(&[u8]) -> ControlFlow<()>);

fn search(
    explored: &dyn DynModel,
    starts: StartCalls<'_>,
    limits: &Limits,
    control: &mut dyn SearchControl,
) -> Result<Exploration, NotASearch> {
    let mut search = BlockSearch::new(explored, *limits);
    let room = Arc::new(BlockRoom::default());
    let mut chunks: Vec<ExpandedChunk> = (0..CHUNKS).map(|_| ExpandedChunk::new(&room)).collect();
    let mut continued = control.resumed().map(|state| search.load(&state, &mut chunks)).transpose()?;
    if continued.is_none() {
        search.start(starts, control);
    }
    let mut unpackers: Vec<Box<dyn Unpacker + '_>> = (0..CHUNKS).map(|_| explored.unpacker()).collect();
    while (continued.is_some() || !search.frontier.is_empty()) && search.truncated.is_none() {
        let begun = continued.take();
        let mut level = begun.unwrap_or_else(|| Level { frontier: take(&mut search.frontier), at: 0 });
        while level.at < level.frontier.len() && search.truncated.is_none() {
            let (frontier, at) = (&level.frontier, level.at);
            let size = search.chunk_size();
            let end = (at + size * CHUNKS).min(frontier.len());
            let used = (end - at).div_ceil(size);
            // Beyond four fifths of the rest the block would be refused, because its new configurations are
            // copied twice.
            let left = limits.bytes.saturating_sub(search.bytes() + frontier.bytes());
            room.set((left / 5 * 4).max(ROOM_LEAST));
            let work = chunks[..used].par_iter_mut().zip(&mut unpackers).enumerate();
            work.for_each(|(index, (chunk, unpacker))| {
                let first = at + index * size;
                chunk.expand(&mut **unpacker, frontier, first..(first + size).min(end));
            });
            if chunks[..used].iter().any(|chunk| chunk.moves.is_stopped) {
                search.truncated = Some(Truncated::Interrupted);
                break;
            }
            if !search.take_in(&mut chunks[..used], frontier) {
                search.truncated = Some(Truncated::Memory);
                break;
            }
            level.at = end;
            let left = (frontier.len() - end) as u64;
            if control.proceed(&search.progress(left, frontier.bytes())).is_break() {
                search.truncated.get_or_insert(Truncated::Interrupted);
            }
            if search.truncated.is_none() && control.is_due(false) {
                control.keep(search.save(&level, &chunks));
            }
        }
        // The search can continue with more time, memory or configurations.
        let is_cut = matches!(
            search.truncated,
            Some(Truncated::Interrupted | Truncated::Memory | Truncated::Configurations)
        );
        if is_cut && control.is_due(true) {
            control.keep(search.save(&level, &chunks));
        }
        if level.at == level.frontier.len() {
            search.complete_levels += 1;
        }
        if !search.frontier.is_empty() {
            search.depth += 1;
        }
    }
    Ok(search.finish())
}

/// The configurations at one distance from the start. Those before `at` are expanded.
pub(crate) struct Level {
    pub(crate) frontier: PackedList,
    pub(crate) at: usize,
}

pub(crate) struct BlockSearch<'m> {
    explored: &'m dyn DynModel,
    pub(crate) limits: Limits,
    pub(crate) parts: Vec<GrowingShard>,
    /// The numbers of duties, shared by all parts of the search.
    pub(crate) duties: ConfigurationGraph,
    pub(crate) frontier: PackedList,
    pub(crate) starts: Vec<Address>,
    /// The configurations that the model asked to keep.
    pub(crate) kept: PackedList,
    pub(crate) transitions: u64,
    pub(crate) expanded: u64,
    pub(crate) depth: u32,
    pub(crate) complete_levels: u32,
    pub(crate) packed_bytes: u64,
    pub(crate) peak_bytes: u64,
    /// The memory in bytes that the next block would have needed, if it exceeded the ceiling.
    wanted_bytes: u64,
    pub(crate) findings: Vec<(PropertyFinding, Address)>,
    pub(crate) broken_moves: u64,
    /// The largest size of a block's buffers so far, in bytes per configuration of the block.
    pub(crate) bytes_a_source: u64,
    truncated: Option<Truncated>,
}

impl<'m> BlockSearch<'m> {
    fn new(explored: &'m dyn DynModel, limits: Limits) -> Self {
        let part = |index| GrowingShard {
            shard: Shard::new(index),
            gained: PackedList::default(),
            resolved: Vec::new(),
            graph: ConfigurationGraph::default(),
        };
        Self {
            explored,
            limits,
            parts: (0..SHARDS).map(part).collect(),
            duties: ConfigurationGraph::from_moves(Vec::new(), &[]),
            frontier: PackedList::default(),
            starts: Vec::new(),
            kept: PackedList::default(),
            transitions: 0,
            expanded: 0,
            depth: 0,
            complete_levels: 0,
            packed_bytes: 0,
            peak_bytes: 0,
            wanted_bytes: 0,
            findings: Vec::new(),
            broken_moves: 0,
            // An estimate for the first block: ten moves of a hundred bytes.
            bytes_a_source: 1_000,
            truncated: None,
        }
    }

    /// The number of configurations in a chunk of the next block.
    fn chunk_size(&self) -> usize {
        let sources = self.limits.bytes / BLOCK_SHARE / self.bytes_a_source;
        (sources as usize / CHUNKS).clamp(1, CHUNK)
    }

    fn start(&mut self, starts: StartCalls<'_>, control: &mut dyn SearchControl) {
        starts(&mut |packed| {
            let digest = digest(packed);
            let shard = &mut self.parts[shard_of(digest)].shard;
            shard.reserve(1);
            let (address, new) = shard.insert(digest, None);
            self.starts.push(address);
            if new {
                self.packed_bytes += packed.len() as u64;
                self.frontier.push(address, packed);
            }
            // There may be millions, so the test runs as often as for blocks.
            if self.starts.len().is_multiple_of(CHUNK * CHUNKS) {
                self.peak_bytes = self.peak_bytes.max(self.bytes());
                if 2 * self.bytes() > self.limits.bytes {
                    self.wanted_bytes = 2 * self.bytes();
                    self.truncated = Some(Truncated::Memory);
                } else if control.proceed(&self.progress(0, 0)).is_break() {
                    self.truncated = Some(Truncated::Interrupted);
                }
            }
            if self.truncated.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        // Within a shard configurations are expanded in the order of their places, on which the rows of the
        // graph rely. The starts were pushed in that order.
    }

    fn configurations(&self) -> u64 {
        self.parts.iter().map(|part| part.shard.len() as u64).sum()
    }

    fn bytes(&self) -> u64 {
        let parts = self.parts.iter().map(|part| {
            let resolved = part.resolved.capacity() * size_of::<(u32, u32, Address)>();
            part.shard.bytes() + part.gained.bytes() + part.graph.bytes() + resolved as u64
        });
        let kept = self.kept.bytes() + self.explored.held_bytes();
        parts.sum::<u64>() + self.frontier.bytes() + kept
    }

    fn progress(&self, left: u64, frontier: u64) -> SearchProgress {
        SearchProgress {
            configurations: self.configurations(),
            transitions: self.transitions,
            depth: self.depth,
            waiting: left + self.frontier.len() as u64,
            bytes: self.bytes() + frontier,
        }
    }

    /// Stores the successors of a block. Returns false if there is not enough memory; the block then does not count.
    fn take_in(&mut self, chunks: &mut [ExpandedChunk], frontier: &PackedList) -> bool {
        if chunks.iter().any(|chunk| chunk.moves.are_full()) {
            // The amount depends on the threads, so it is not reported.
            self.wanted_bytes = self.limits.bytes.saturating_add(1);
            return false;
        }
        let sources: u64 = chunks.iter().map(|chunk| chunk.sources.len() as u64).sum();
        let buffers: u64 = chunks.iter().map(ExpandedChunk::memory).sum();
        // Bytes in use, not capacity: the buffers of a small block are as large as those of earlier blocks.
        let filled: u64 = chunks.iter().map(ExpandedChunk::filled).sum();
        self.bytes_a_source = self.bytes_a_source.max(filled / sources.max(1));
        if !self.room_for(chunks, frontier) {
            return false;
        }
        let keep_graph = self.limits.keep_graph;
        let shared: &[ExpandedChunk] = chunks;
        self.parts.par_iter_mut().enumerate().for_each(|(index, part)| part.gain(index, shared, keep_graph));
        for part in &mut self.parts {
            self.packed_bytes += part.gained.bytes.len() as u64;
            self.frontier.append(&mut part.gained);
            for (chunk, successor, address) in part.resolved.drain(..) {
                chunks[chunk as usize].targets[successor as usize] = address;
            }
        }
        for chunk in &mut *chunks {
            self.transitions += chunk.successors.len() as u64;
            self.expanded += chunk.sources.len() as u64;
            self.keep_findings(&mut chunk.sources);
            self.kept.append(&mut chunk.kept);
            if keep_graph {
                self.keep_moves(chunk);
            }
        }
        self.peak_bytes = self.peak_bytes.max(self.bytes() + frontier.bytes() + buffers);
        if self.configurations() >= self.limits.configurations {
            self.truncated.get_or_insert(Truncated::Configurations);
        }
        true
    }

    /// Whether the block fits below the memory ceiling if every successor is new.
    fn room_for(&mut self, chunks: &[ExpandedChunk], frontier: &PackedList) -> bool {
        let mut bytes = self.bytes() + frontier.bytes();
        let (mut packed, mut successors, mut sources, mut waiting, mut kept) = (0, 0, 0, 0, 0);
        for chunk in chunks {
            bytes += chunk.memory();
            kept += chunk.kept.bytes();
            packed += chunk.moves.bytes.len() as u64;
            successors += chunk.successors.len() as u64;
            sources += chunk.sources.len() as u64;
            waiting += chunk.sources.iter().map(|source| source.waiting.len() as u64).sum::<u64>();
        }
        let mut crowded = false;
        for (index, part) in self.parts.iter().enumerate() {
            let more: usize = chunks.iter().map(|chunk| chunk.by_shard[index].len()).sum();
            bytes += part.shard.reserve_peak(more);
            crowded |= part.shard.len() + more > SHARD_LEN_MAX;
        }
        // Gained configurations are copied from a part's frontier to the next frontier, which may double while
        // it grows.
        let gained = packed + successors * (size_of::<usize>() + size_of::<Address>()) as u64;
        bytes += 2 * gained + 2 * self.frontier.bytes();
        if kept > 0 {
            bytes += 2 * kept + self.kept.bytes();
        }
        if self.limits.keep_graph {
            let rows = (successors + waiting) * size_of::<MoveEdge>() as u64 + sources * 12 + successors * 12;
            let graph: u64 = self.parts.iter().map(|part| part.graph.bytes()).sum();
            // In the end the parts become one graph: both exist for a short time. After that the parts are freed, and
            // questions need one bit per move and some bytes per configuration.
            let known = self.configurations() + successors;
            let moves: u64 = self.parts.iter().map(|part| part.graph.moves.len() as u64).sum();
            let questions = known * ANALYSIS_BYTES + (moves + successors + waiting) / 8;
            bytes += 2 * rows + graph.max(questions);
        }
        let fits = bytes <= self.limits.bytes && !crowded;
        if !fits {
            self.wanted_bytes = bytes;
        }
        fits
    }

    fn keep_findings(&mut self, sources: &mut [ExpandedSource]) {
        for source in sources {
            if source.too_many {
                self.truncated = Some(Truncated::TooManyMoves);
            }
            for broken in source.broken.drain(..) {
                self.broken_moves += u64::from(broken.by.is_some());
                let known =
                    self.findings.iter_mut().find(|(known, _)| known.broken.property == broken.property);
                if let Some((known, _)) = known {
                    known.count += 1;
                } else {
                    // The number of the configuration is set in `finish`, when all are known.
                    self.findings
                        .push((PropertyFinding { broken, configuration: 0, count: 1 }, source.address));
                }
                if self.limits.stop_at_first {
                    self.truncated = Some(Truncated::Found);
                }
            }
        }
    }

    fn keep_moves(&mut self, chunk: &ExpandedChunk) {
        let mut start = 0;
        for source in &chunk.sources {
            let graph = &mut self.parts[source.address.shard()].graph;
            debug_assert_eq!(graph.labels.len(), source.address.place(), "rows come in the order of places");
            let successors = start..source.end;
            reserve(&mut graph.moves, successors.len());
            reserve(&mut graph.labels, 1);
            reserve(&mut graph.ends, 1);
            for (successor, target) in
                chunk.successors[successors.clone()].iter().zip(&chunk.targets[successors])
            {
                let duty = self.duties.duty_number(successor.duty);
                let by = successor.origin.by;
                let weight = successor.weight;
                graph.moves.push(MoveEdge {
                    target: target.0,
                    step: by.step,
                    outcome: by.outcome,
                    duty,
                    weight,
                });
            }
            reserve(&mut graph.moves, source.waiting.len());
            for &duty in &source.waiting {
                let duty = self.duties.duty_number(duty);
                graph.moves.push(MoveEdge {
                    target: source.address.0,
                    step: WAITING,
                    outcome: 0,
                    duty,
                    weight: 0,
                });
            }
            graph.labels.push(source.label);
            graph.ends.push(graph.moves.len() as u64);
            start = source.end;
        }
    }

    fn finish(mut self) -> Exploration {
        let mut first = Vec::with_capacity(SHARDS);
        let mut count = 0;
        for part in &self.parts {
            first.push(count);
            count += part.shard.len() as u32;
        }
        let complete = self.truncated.is_none();
        let graph = (self.limits.keep_graph && complete).then(|| {
            let mut graph = take(&mut self.duties);
            graph.labels.reserve_exact(count as usize);
            graph.ends.reserve_exact(count as usize);
            graph.moves.reserve_exact(self.parts.iter().map(|part| part.graph.moves.len()).sum());
            for part in &mut self.parts {
                let part = take(&mut part.graph);
                let base = graph.moves.len() as u64;
                graph.labels.extend(part.labels);
                graph.ends.extend(part.ends.iter().map(|end| base + end));
                graph.moves.extend(part.moves.iter().map(|edge| {
                    let target = Address(edge.target);
                    MoveEdge { target: first[target.shard()] + target.place() as u32, ..*edge }
                }));
            }
            graph
        });
        let mut exploration = Exploration {
            shards: self.parts.into_iter().map(|part| part.shard).collect(),
            first,
            starts: self.starts,
            transitions: self.transitions,
            levels: self.depth,
            expanded: self.expanded,
            complete_levels: self.complete_levels,
            broken_moves: self.broken_moves,
            truncated: self.truncated,
            findings: Vec::new(),
            graph,
            packed_bytes: self.packed_bytes,
            peak_bytes: self.peak_bytes,
            wanted_bytes: self.wanted_bytes,
            kept: self.kept,
        };
        let findings = self.findings.into_iter().map(|(finding, address)| PropertyFinding {
            configuration: exploration.number(address),
            ..finding
        });
        exploration.findings = findings.collect();
        exploration
    }
}
