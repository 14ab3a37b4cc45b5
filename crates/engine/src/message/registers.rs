//! Explicit registers, for nodes with more ports or priorities than a word has bits for.
//!
//! A node has a header and, for every 64 ports, a few words with one bit per port. The header has the layout of a
//! 64-bit published word, with the priority in its upper half and without the bits of ports.

use acrasin_runtime::PackError;

use super::activation::{
    BitLayout, FaultInjection, Intent, NeighbourBits, NoFault, ParticipantState, PortRelations,
    RepliesReceived, Requests, TopPriority, advance, answers, contest, gather_bits, lowest, mask, replies,
    requests,
};
use super::chunk::{PARALLEL_FROM, sum};
use super::inputs::{RoundInputs, pick_partner};
use super::word::{LOCK, NodeWord, SENT, TOGGLE};
use crate::pages::Pages;
use crate::round::Figures;
use crate::saved::{load_words, save_words};
use crate::threads::each_part;

/// The number of nodes of a chunk. A node in registers takes about ten times as long as a node that is one word.
const CHUNK: usize = 1 << 11;

/// The number of ports in a block.
const BLOCK: usize = 64;

/// The index of each word of a block, by its content. The first two words of a block always exist, the other words only
/// if the graph changes.
const REPLIES: usize = 0;
const RESULTS: usize = 1;
const PRESENT: usize = 2;
const MEMBERS: usize = 3;
const DETECTOR: usize = 4;
const LASTING_FIELDS: usize = 2;
const SKIPPED: usize = 5;
const CHANGING_FIELDS: usize = 6;

/// The first bit of the priority in a header.
const PRIORITY: u32 = 32;

/// The bit layout of a header in which the two published bits of one port have been inserted.
struct HeaderBits;

impl FaultInjection for HeaderBits {}

impl BitLayout<u64> for HeaderBits {
    fn acked_at(_port: u32) -> u32 {
        SENT
    }
    fn won_at(_port: u32) -> u32 {
        u64::WON
    }
}

/// The neighbour on each port, for any network.
pub(crate) trait PortLinks: Sync {
    /// The neighbour on a port above 0, and its port for the same edge; `None` without an edge.
    fn peer(&self, node: u32, port: u16) -> Option<(u32, u16)>;
    /// The highest port on which the node has or may get an edge.
    fn room(&self, node: u32) -> u16;
    /// The highest port of any node that can own its edge. [`owns`](Self::owns) decides for each port up to this one.
    fn owning_ports(&self) -> u16;
    /// The other end of the edge on this port, if this end owns it. Exactly one end of each edge owns it.
    fn owns(&self, node: u32, port: u16) -> Option<(u32, u16)>;
}

/// The configuration of a run in explicit registers, and space for the next one.
#[derive(Debug)]
pub(crate) struct RegisterStore {
    fields: usize,
    /// The index of each node's first block, and the total number of blocks. Empty if every node has `stride` blocks.
    first: Vec<u32>,
    stride: usize,
    headers: Pages<u64>,
    next_headers: Pages<u64>,
    sets: Pages<u64>,
    next_sets: Pages<u64>,
}

/// The size of explicit registers, in bytes.
pub(crate) fn bytes(links: &dyn PortLinks, nodes: u32, changing: bool) -> u64 {
    let blocks: u64 = (0..nodes).map(|node| blocks_of(links.room(node)) as u64).sum();
    u64::from(nodes) * 20 + blocks * 16 * if changing { CHANGING_FIELDS } else { LASTING_FIELDS } as u64
}

fn blocks_of(room: u16) -> usize {
    usize::from(room) / BLOCK + 1
}

impl RegisterStore {
    /// Creates registers that are all zero. If the graph changes, the edges of `links` are marked as present.
    pub(crate) fn new(links: &dyn PortLinks, nodes: u32, changing: bool) -> Self {
        let fields = if changing { CHANGING_FIELDS } else { LASTING_FIELDS };
        let mut first = Vec::with_capacity(nodes as usize + 1);
        let mut offset = 0;
        for node in 0..nodes {
            first.push(offset);
            offset += blocks_of(links.room(node)) as u32;
        }
        first.push(offset);
        let stride = first.get(1).map_or(1, |&stride| stride as usize);
        if first.windows(2).all(|pair| (pair[1] - pair[0]) as usize == stride) {
            first = Vec::new();
        }
        let words = offset as usize * fields;
        let mut registers = Self {
            fields,
            first,
            stride,
            headers: Pages::zeroed(nodes as usize),
            next_headers: Pages::zeroed(nodes as usize),
            sets: Pages::zeroed(words),
            next_sets: Pages::zeroed(words),
        };
        if changing {
            for node in 0..nodes {
                registers.set_bit(node, PRESENT, 0, true);
                for port in (1..=links.room(node)).filter(|&port| links.peer(node, port).is_some()) {
                    registers.set_bit(node, PRESENT, port, true);
                }
            }
        }
        registers
    }

    pub(super) fn save(&self, into: &mut Vec<u8>) {
        save_words(&self.headers, into);
        save_words(&self.sets, into);
    }

    pub(super) fn load(&mut self, from: &mut &[u8]) -> Result<(), PackError> {
        load_words(&mut self.headers, from)?;
        load_words(&mut self.sets, from)
    }

    fn snapshot(&self) -> RegisterSnapshot<'_> {
        let Self { fields, first, stride, headers, sets, .. } = self;
        RegisterSnapshot { fields: *fields, first, stride: *stride, headers, sets }
    }

    fn bit(&self, node: u32, field: usize, port: u16) -> bool {
        self.snapshot().bit(node, field, port)
    }

    fn set_bit(&mut self, node: u32, field: usize, port: u16, value: bool) {
        let at = self.snapshot().at(node, usize::from(port) / BLOCK) + field;
        let bit = 1 << (port % 64);
        self.sets[at] = self.sets[at] & !bit | if value { bit } else { 0 };
    }

    /// Runs a round; `None` if the round was cancelled.
    pub(crate) fn round(&mut self, links: &dyn PortLinks, inputs: &RoundInputs<'_>) -> Option<Figures> {
        let nodes = self.headers.len();
        let Self { fields, first, stride, headers, next_headers, sets, next_sets } = self;
        let old = RegisterSnapshot { fields: *fields, first, stride: *stride, headers, sets };
        // Nodes have sets of different lengths, so the slice of sets is divided along the chunks of headers.
        let mut rest: &mut [u64] = next_sets;
        let mut chunks = Vec::new();
        for (index, headers) in next_headers.chunks_mut(CHUNK).enumerate() {
            let from = index * CHUNK;
            let len = old.at((from + headers.len()) as u32, 0) - old.at(from as u32, 0);
            let sets;
            (sets, rest) = std::mem::take(&mut rest).split_at_mut(len);
            chunks.push((from as u32, headers, sets));
        }
        let run = |_: usize, (from, headers, sets): (u32, &mut [u64], &mut [u64])| {
            if !inputs.cancellation.begins(headers.len() as u64) {
                return Figures::default();
            }
            run_chunk(links, &old, inputs, from, headers, sets)
        };
        let figures = sum(each_part(chunks, nodes >= PARALLEL_FROM / 8, run));
        if inputs.cancellation.is_cut() {
            return None;
        }
        std::mem::swap(&mut self.headers, &mut self.next_headers);
        std::mem::swap(&mut self.sets, &mut self.next_sets);
        Some(figures)
    }

    /// All words: first the headers, then the sets of ports.
    pub(crate) fn words(&self) -> [&[u64]; 2] {
        [&self.headers, &self.sets]
    }

    pub(crate) fn header(&self, node: u32) -> u64 {
        self.headers[node as usize]
    }

    pub(crate) fn priority(&self, node: u32) -> u32 {
        (self.header(node) >> PRIORITY) as u32
    }

    pub(crate) fn sent(&self, node: u32, port: u16) -> bool {
        self.bit(node, REPLIES, port)
    }

    pub(crate) fn won(&self, node: u32, port: u16) -> bool {
        self.bit(node, RESULTS, port)
    }

    /// Whether the edge on a port is present. Only for graphs that change.
    pub(crate) fn present(&self, node: u32, port: u16) -> bool {
        self.bit(node, PRESENT, port)
    }

    pub(crate) fn member(&self, node: u32, port: u16) -> bool {
        self.bit(node, MEMBERS, port)
    }

    pub(crate) fn skips(&self, node: u32, port: u16) -> bool {
        self.bit(node, SKIPPED, port)
    }

    pub(crate) fn detects(&self, node: u32, port: u16) -> bool {
        self.bit(node, DETECTOR, port)
    }

    /// Initialises one end of a new edge, with nothing pending on it.
    pub(crate) fn connect(&mut self, node: u32, port: u16, toggle_of_peer: bool) {
        self.set_bit(node, PRESENT, port, true);
        self.set_bit(node, REPLIES, port, toggle_of_peer);
        self.set_bit(node, RESULTS, port, false);
    }

    /// Clears one end of an edge that vanishes. `owner` tells whether the neighbour holds the node's lock.
    pub(crate) fn disconnect(&mut self, node: u32, port: u16, owner: bool) {
        self.set_bit(node, PRESENT, port, false);
        self.set_bit(node, MEMBERS, port, false);
        self.set_bit(node, DETECTOR, port, true);
        if owner {
            self.headers[node as usize] &= !(1 << LOCK);
        }
    }
}

/// The configuration at the start of a round.
#[derive(Clone, Copy)]
struct RegisterSnapshot<'a> {
    fields: usize,
    first: &'a [u32],
    stride: usize,
    headers: &'a [u64],
    sets: &'a [u64],
}

impl RegisterSnapshot<'_> {
    /// The index at which a block of a node begins.
    fn at(&self, node: u32, block: usize) -> usize {
        let first = match self.first.get(node as usize) {
            Some(&first) => first as usize,
            None => node as usize * self.stride,
        };
        (first + block) * self.fields
    }

    fn bit(&self, node: u32, field: usize, port: u16) -> bool {
        let block = usize::from(port) / BLOCK;
        // A node of small degree has fewer blocks than the widest one, and no edge on the ports beyond them.
        if let Some(&[first, next]) = self.first.get(node as usize..).and_then(|rest| rest.first_chunk())
            && block >= (next - first) as usize
        {
            return false;
        }
        self.sets[self.at(node, block) + field] >> (port % 64) & 1 == 1
    }

    fn changing(&self) -> bool {
        self.fields == CHANGING_FIELDS
    }

    /// The word of a neighbour, with the bits that it publishes on its port `back`.
    fn view(&self, peer: u32, back: u16) -> u64 {
        let at = self.at(peer, usize::from(back) / BLOCK);
        let bit = |field: usize| self.sets[at + field] >> (back % 64) & 1;
        self.headers[peer as usize] & !0xffff_fff0 | bit(REPLIES) << SENT | bit(RESULTS) << u64::WON
    }
}

/// The data gathered about one block of ports.
struct PortBlock {
    bits: NeighbourBits<u64>,
    requests: Requests<u64>,
    contest: TopPriority<u64>,
    present: u64,
    relations: PortRelations<u64>,
}

fn run_chunk(
    links: &dyn PortLinks,
    old: &RegisterSnapshot<'_>,
    inputs: &RoundInputs<'_>,
    from: u32,
    headers: &mut [u64],
    sets: &mut [u64],
) -> Figures {
    let mut figures = Figures::default();
    let start = old.at(from, 0);
    headers.copy_from_slice(&old.headers[from as usize..][..headers.len()]);
    sets.copy_from_slice(&old.sets[start..][..sets.len()]);
    let mut parts = Vec::new();
    for (index, headers) in headers.chunks_mut(64).enumerate() {
        let first = from + index as u32 * 64;
        let activity = inputs.activity(u64::from(first) / 64);
        for (header, lane) in headers.iter_mut().zip(0..64) {
            if activity.active >> lane & 1 == 1 {
                let node = first + lane;
                let range = old.at(node, 0) - start..old.at(node + 1, 0) - start;
                let intent =
                    Intent { wants: mask(activity.wants, lane), unlocks: mask(activity.unlocks, lane) };
                gather(links, old, node, &mut parts);
                activate(&parts, inputs, node, intent, header, &mut sets[range], old, &mut figures);
            }
        }
    }
    figures
}

/// Reads all blocks of a node.
fn gather(links: &dyn PortLinks, old: &RegisterSnapshot<'_>, node: u32, parts: &mut Vec<PortBlock>) {
    parts.clear();
    let room = usize::from(links.room(node));
    for block in 0..=room / BLOCK {
        let at = old.at(node, block);
        let mut near = [0; BLOCK];
        let (mut present, mut participant, mut skipped) = (0, 0, 0);
        let first = block * BLOCK;
        let len = BLOCK.min(room + 1 - first);
        for (view, bit) in near[..len].iter_mut().zip(0..) {
            let port = (first + bit) as u16;
            let there = !old.changing() || old.sets[at + PRESENT] >> bit & 1 == 1;
            let link = if port == 0 { Some((node, 0)) } else { links.peer(node, port).filter(|_| there) };
            if let Some((peer, back)) = link {
                *view = old.view(peer, back);
                present |= 1 << bit;
                if old.changing() && port != 0 {
                    participant |= u64::from(old.bit(peer, MEMBERS, back)) << bit;
                    skipped |= u64::from(old.bit(peer, SKIPPED, back)) << bit;
                } else {
                    participant |= 1 << bit;
                }
            }
        }
        let mut relations = PortRelations { participant, skipped, ..PortRelations::lasting(present) };
        if old.changing() {
            (relations.member, relations.skips) = (old.sets[at + MEMBERS], old.sets[at + SKIPPED]);
        }
        let bits = gather_bits::<u64, HeaderBits>(&near[..len]);
        let requests = requests::<u64, NoFault>(&bits, old.sets[at + REPLIES], &relations);
        let contest = contest(&near[..len], requests.compete, PRIORITY);
        parts.push(PortBlock { bits, requests, contest, present, relations });
    }
}

/// Executes one macro activation.
#[allow(clippy::too_many_arguments)]
fn activate(
    parts: &[PortBlock],
    inputs: &RoundInputs<'_>,
    node: u32,
    intent: Intent<u64>,
    header: &mut u64,
    sets: &mut [u64],
    old: &RegisterSnapshot<'_>,
    figures: &mut Figures,
) {
    let all = parts.iter().fold(Requests::NOTHING, |all, part| all.union(&part.requests));
    let highest = parts.iter().map(|part| part.contest.highest).max().unwrap_or(0);
    let top = |part: &PortBlock| if part.contest.highest == highest { part.contest.top } else { 0 };
    let unique = parts.iter().map(|part| top(part).count_ones()).sum::<u32>() == 1;
    let toggle = mask(*header, TOGGLE);
    let state = ParticipantState::new::<NoFault>(&all, mask(*header, LOCK));
    let mut answered = RepliesReceived { missing: 0, lost: 0 };
    let mut flips = 0;
    for (part, sets) in parts.iter().zip(sets.chunks_mut(old.fields)) {
        let reply = answers::<u64, NoFault>(&part.requests, &state, top(part) & u64::when(unique));
        let found = replies(&part.bits, toggle, &part.relations);
        answered =
            RepliesReceived { missing: answered.missing | found.missing, lost: answered.lost | found.lost };
        sets[REPLIES] ^= reply.answered;
        sets[RESULTS] = sets[RESULTS] & !reply.answered | reply.winner;
        flips += u64::from(reply.answered.count_ones());
        figures.late_rejections += u64::from(reply.late.count_ones());
    }
    let to_itself = (sets[REPLIES] ^ old.sets[old.at(node, 0) + REPLIES]) & 1;
    let step = advance::<u64, NoFault>(*header & 7, &answered, intent.wants, intent.unlocks);
    let calls = step.calls & 1;
    if calls == 1 && old.changing() {
        claim(parts, inputs, node, sets);
    }
    if old.changing() {
        for sets in sets.chunks_mut(CHANGING_FIELDS) {
            sets[DETECTOR] = 0;
            sets[SKIPPED] ^= step.sends & !sets[MEMBERS];
        }
    }
    let members: u64 = if old.changing() {
        sets.chunks(CHANGING_FIELDS).map(|sets| u64::from(sets[MEMBERS].count_ones())).sum()
    } else {
        parts.iter().map(|part| u64::from(part.present.count_ones())).sum()
    };
    let sends = step.sends & 1;
    let upper = *header & !0b1_1111;
    *header = upper | step.code | (toggle ^ step.sends) & 1 << TOGGLE | state.locked() & 1 << LOCK;
    if step.tries != 0 {
        let priority = inputs.priorities.draw(inputs.stream, node);
        *header = *header & !(u64::MAX << PRIORITY) | u64::from(priority) << PRIORITY;
    }
    figures.activations += 1;
    figures.calls += calls;
    figures.trials += step.tries & 1;
    figures.grants += step.granted & 1;
    figures.releases += step.released & 1;
    figures.messages += flips + members * sends;
    figures.self_messages += to_itself + sends;
}

/// Stores the lock set that a node gets by calling Lock now.
fn claim(parts: &[PortBlock], inputs: &RoundInputs<'_>, node: u32, sets: &mut [u64]) {
    for (part, sets) in parts.iter().zip(sets.chunks_mut(CHANGING_FIELDS)) {
        sets[MEMBERS] = if inputs.partners.is_some() { 0 } else { part.present };
    }
    sets[MEMBERS] |= 1;
    let Some(stream) = inputs.partners else { return };
    let neighbours = parts.iter().map(|part| part.present.count_ones() as usize).sum::<usize>() - 1;
    let Some(mut place) = pick_partner(stream, node, neighbours) else { return };
    for (block, part) in parts.iter().enumerate() {
        // Port 0 is the node itself.
        let mut present = if block == 0 { part.present & !1 } else { part.present };
        while present != 0 {
            let port = lowest(present);
            if place == 0 {
                sets[block * CHANGING_FIELDS + MEMBERS] |= port;
                return;
            }
            place -= 1;
            present &= !port;
        }
    }
}
