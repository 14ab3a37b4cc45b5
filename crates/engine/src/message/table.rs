//! Rounds on port tables, in which nodes receive their neighbours' published bits in inboxes.
//!
//! If a node read the words of its neighbours, every activation would wait for one random memory access per neighbour,
//! although most words have not changed. To avoid this, each end of an edge has an entry: a byte in the inbox of the
//! node that reads it. When the published bits of a node change, the affected entries are written. This happens after
//! the round, because all nodes read the configuration at its start.
//!
//! | bits of an entry | content |
//! |---|---|
//! | 0-2 | the neighbour's code |
//! | 3 | its toggle, as seen on this edge |
//! | 4 | whether the number of its replies on this edge is odd |
//! | 5 | whether the last of them was win(true) |
//! | 6 | whether this node is in its lock set, if it has one |
//!
//! Entries do not contain priorities. These are looked up only at nodes where several neighbours compete and one of
//! them can win.

use std::sync::atomic::{AtomicU8, Ordering};

use super::activation::{
    ActivationOutcome, NeighbourAccess, NeighbourBits, NoFault, ParticipantState, PortRelations, Requests,
    lowest, mask, requests,
};
use super::block::{BlockActivity, LANES, activate_block, draw_priorities, keep, whole};
use super::chunk::{ChunkResult, ChunkedRounds, EdgeChunk, NodeChunk};
use super::word::{LOCK, NodeWord, SENT, TOGGLE};
use crate::network::{PortNetwork, PortTable};
use crate::pages::Pages;
use crate::round::Figures;
use crate::unchecked::{Kernel, Vectors, prefetch, run_widest, run_widest_or_portable};

/// The position of the bit for the parity of replies in an entry.
const REPLIES: u32 = 4;
const RESULT: u32 = 5;
const PARTICIPANT: u32 = 6;
const PLANES: usize = 7;

/// The number of entries that are read together: one 64-bit word.
const GROUP: usize = 8;

macro_rules! table_chunks {
    ($word:ty, $groups:literal) => {
        const _: () = assert!(<$word as NodeWord>::PORTS as usize == GROUP * $groups);

        impl ChunkedRounds<$word> for PortTable {
            fn run(&self, chunk: NodeChunk<'_, $word>) -> Figures {
                let edges = EdgeChunk { edges: &[], next: &mut [] };
                slots::<$word, $groups, false>(self, chunk, edges)
            }

            fn run_changing(&self, chunk: NodeChunk<'_, $word>, edges: EdgeChunk<'_, $word>) -> Figures {
                slots::<$word, $groups, true>(self, chunk, edges)
            }

            fn inbox(&self, changing: bool) -> Pages<u8> {
                let mut inbox: Pages<u8> = Pages::zeroed(self.slot_count());
                // Where the graph never changes, every node is in the lock sets of all its neighbours.
                if !changing {
                    for node in 0..self.nodes() {
                        let first = self.first_slot(node);
                        for (slot, entry) in self.packed(node).iter().zip(&mut inbox[first..]) {
                            *entry = u8::from(Self::peer(*slot).is_some()) << PARTICIPANT;
                        }
                    }
                }
                inbox
            }

            fn deliver(&self, done: ChunkResult<'_, $word>, inbox: &[AtomicU8]) {
                deliver(self, done, inbox);
            }

            fn deliver_one(&self, node: u32, port: u16, words: Option<($word, $word)>, inbox: &mut [u8]) {
                let link = PortTable::peer(self.packed(node)[usize::from(port) - 1]);
                let (peer, back) = link.expect("the edge is or was there");
                inbox[self.first_slot(peer) + back as usize - 1] =
                    words.map_or(0, |(word, edges)| entry(word, edges, port.into()));
            }
        }
    };
}

// The impls are not generic, so they are compiled in this crate with its optimisations, not where they are used.
table_chunks!(u32, 1);
table_chunks!(u64, 2);

/// The entry that a node with this word and this edge word writes to the neighbour on a port.
#[inline(always)]
fn entry<W: NodeWord>(word: W, edges: W, port: u32) -> u8 {
    let (word, edges) = (word.number(), edges.number() >> (port - 1));
    let toggle_and_code = word & 0b1111 ^ (edges >> W::SKIPPED & 1) << TOGGLE;
    let replies = (word >> (SENT + port) & 1) << REPLIES | (word >> (W::WON + port) & 1) << RESULT;
    (toggle_and_code | replies | (edges >> W::MEMBER & 1) << PARTICIPANT) as u8
}

/// The maximum number of entries of a block. The entries of a block are written together, so that their memory accesses
/// overlap.
const ENTRIES_MAX: usize = LANES * 16;

/// Writes the entries of the nodes of a chunk whose published bits have changed.
fn deliver<W: NodeWord>(table: &PortTable, done: ChunkResult<'_, W>, inbox: &[AtomicU8]) {
    let ChunkResult { before, after, edges, first } = done;
    let mut entries = [(0_u32, 0_u8); ENTRIES_MAX];
    let mut upcoming = changed_nodes(&before[..LANES.min(before.len())], &after[..LANES.min(after.len())]);
    let mut blocks = before.chunks(LANES).zip(after.chunks(LANES)).peekable();
    let mut start = 0;
    while let Some((before, after)) = blocks.next() {
        let mut new = upcoming;
        if let Some((before, after)) = blocks.peek() {
            upcoming = changed_nodes(before, after);
            prefetch_slots(table, first + (start + LANES) as u32, upcoming);
        }
        let mut count = 0;
        while new != 0 {
            let lane = new.trailing_zeros() as usize;
            new &= new - 1;
            let node = first + (start + lane) as u32;
            let (word, changed) = (after[lane], before[lane] ^ after[lane]);
            // Where the graph never changes, every edge of the table is present and in the lock set.
            let edges = edges.map_or(!(W::ALL << W::DETECTOR), |edges| edges[start + lane]);
            let to_all = changed & W::of(0b1111) != W::NONE;
            let ports = if to_all { W::ports(W::PORTS) } else { changed.sent() };
            let mut ports = (ports & edges.present() & !W::ONE).number();
            let slots = table.packed(node);
            while ports != 0 {
                let port = ports.trailing_zeros();
                ports &= ports - 1;
                let Some(&slot) = slots.get(port as usize - 1) else { break };
                if let Some((peer, back)) = PortTable::peer(slot) {
                    let place = table.first_slot(peer) + back as usize - 1;
                    prefetch(inbox, place);
                    entries[count] = (place as u32, entry(word, edges, port));
                    count += 1;
                }
            }
        }
        for &(place, entry) in &entries[..count] {
            inbox[place as usize].store(entry, Ordering::Relaxed);
        }
        start += LANES;
    }
}

/// The nodes of a block whose published bits have changed.
#[inline]
fn changed_nodes<W: NodeWord>(before: &[W], after: &[W]) -> u64 {
    let published = W::of(0b1111) | W::ports(W::PORTS) << SENT;
    let mut new = 0;
    for (lane, (&before, &after)) in before.iter().zip(after).enumerate() {
        new |= u64::from((before ^ after) & published != W::NONE) << lane;
    }
    new
}

/// Prefetches the slots of some nodes of a block.
#[inline(always)]
fn prefetch_slots(table: &PortTable, first: u32, mut nodes: u64) {
    while nodes != 0 {
        let slots = table.packed(first + nodes.trailing_zeros());
        nodes &= nodes - 1;
        prefetch(slots, 0);
        // The slots may begin in one cache line and end in the next.
        prefetch(slots, slots.len().wrapping_sub(1));
    }
}

/// Activates a chunk of a table with at most `8 * GROUPS` ports.
fn slots<W: NodeWord, const GROUPS: usize, const CHANGING: bool>(
    table: &PortTable,
    chunk: NodeChunk<'_, W>,
    edges: EdgeChunk<'_, W>,
) -> Figures {
    let kernel = Slots::<W, GROUPS, CHANGING> { table, chunk, edges };
    // Wide vectors do not pay off here: memory is the bottleneck where the graph changes, and long words are for
    // degrees above 8.
    if const { CHANGING || GROUPS > 1 } {
        run_widest_or_portable(Vectors::widest(), kernel)
    } else {
        run_widest(Vectors::widest(), kernel)
    }
}

struct Slots<'a, W, const GROUPS: usize, const CHANGING: bool> {
    table: &'a PortTable,
    chunk: NodeChunk<'a, W>,
    /// The edges of these nodes; empty unless the graph changes.
    edges: EdgeChunk<'a, W>,
}

/// A block of nodes: their words, their inboxes, and the results of their activation.
struct InboxBlock<W, const CHANGING: bool> {
    activity: BlockActivity,
    own: [W; LANES],
    own_edges: [W; LANES],
    claims: [W; LANES],
    /// The bits of the entries as sets of ports, one plane per bit.
    planes: [[W; LANES]; PLANES],
    /// The nodes at which one of several competitors can win, as bits.
    contested: u64,
    favourites: [W; LANES],
    next_edges: [W; LANES],
}

/// The competitors at the contested nodes of a block.
struct Contenders {
    /// Triples: a node in the block, its port to a competitor, and this competitor.
    list: [(u8, u8, u32); LANES * (2 * GROUP + 1)],
    count: usize,
}

impl<W: NodeWord, const GROUPS: usize, const CHANGING: bool> Kernel for Slots<'_, W, GROUPS, CHANGING> {
    type Output = Figures;

    #[inline(always)]
    fn run(self) -> Figures {
        let mut figures = Figures::default();
        let (mut entries, mut upcoming) =
            (InboxBlock::<W, CHANGING>::new(), InboxBlock::<W, CHANGING>::new());
        let (mut entries, mut upcoming) = (&mut entries, &mut upcoming);
        let mut contenders = Contenders { list: [(0, 0, 0); LANES * (2 * GROUP + 1)], count: 0 };
        let mut partial = [W::NONE; LANES];
        let blocks = self.chunk.next.len().div_ceil(LANES);
        self.read(0, entries);
        for block in 0..blocks {
            // Remote data of a block is prefetched before the next block is read, so that the latency overlaps.
            entries.find_contenders(self.table, self.chunk.first + (block * LANES) as u32, &mut contenders);
            for &(_, _, contender) in &contenders.list[..contenders.count] {
                prefetch(self.chunk.words, contender as usize);
            }
            if block + 1 < blocks {
                self.read(block + 1, upcoming);
            }
            entries.resolve_favourites(self.chunk.words, &contenders);
            let start = block * LANES;
            let first = self.chunk.first + start as u32;
            let len = LANES.min(self.chunk.next.len() - start);
            let next = &mut self.chunk.next[start..][..len];
            let inputs = self.chunk.inputs;
            let (own, activity) = (entries.own, entries.activity);
            if activity.active == 0 {
                next.copy_from_slice(&own[..len]);
            } else {
                let target = whole(next, &mut partial);
                let counts = activate_block::<W, NoFault>(&own, activity, target, entries);
                keep(next, &partial);
                draw_priorities(next, first, counts.tries, inputs.priorities, inputs.stream);
                counts.add_to(&mut figures, activity.active);
            }
            if CHANGING {
                self.edges.next[start..][..len].copy_from_slice(&entries.next_edges[..len]);
            }
            std::mem::swap(&mut entries, &mut upcoming);
        }
        figures
    }
}

impl<W: NodeWord, const GROUPS: usize, const CHANGING: bool> Slots<'_, W, GROUPS, CHANGING> {
    /// Gathers the inbox entries of a block of nodes.
    #[inline(always)]
    fn read(&self, block: usize, entries: &mut InboxBlock<W, CHANGING>) {
        let NodeChunk { words, next, first, inbox, inputs } = &self.chunk;
        let start = block * LANES;
        let (first, len) = (first + start as u32, LANES.min(next.len() - start));
        let at = first as usize;
        entries.activity = inputs.activity(u64::from(first) / LANES as u64);
        entries.own[..len].copy_from_slice(&words[at..][..len]);
        if CHANGING {
            entries.own_edges[..len].copy_from_slice(&self.edges.edges[at..][..len]);
            inputs.claims(first, entries.activity, &entries.own, &entries.own_edges, &mut entries.claims);
            entries.next_edges = entries.own_edges;
        }
        entries.contested = 0;
        if entries.activity.active != 0 {
            let mut groups = [[0; LANES]; GROUPS];
            collect(self.table, inbox, first, len, &mut groups);
            entries.transpose(&groups);
            entries.find_contested();
            prefetch_slots(self.table, first, entries.contested);
        }
    }
}

/// Collects the entries of `len` nodes from `first` on. The entry of port `p` is byte `(p - 1) % 8` of group `(p - 1)
/// / 8`.
#[inline(always)]
fn collect<const GROUPS: usize>(
    table: &PortTable,
    inbox: &[u8],
    first: u32,
    len: usize,
    groups: &mut [[u64; LANES]; GROUPS],
) {
    if table.stride() == Some(GROUPS * GROUP) && len == LANES {
        let entries = &inbox[first as usize * GROUPS * GROUP..][..LANES * GROUPS * GROUP];
        for (lane, entries) in entries.chunks_exact(GROUPS * GROUP).enumerate() {
            for (lanes, entries) in groups.iter_mut().zip(entries.chunks_exact(GROUP)) {
                lanes[lane] = u64::from_le_bytes(entries.try_into().expect("a group of letters"));
            }
        }
        return;
    }
    for lane in 0..len {
        let node = first + lane as u32;
        let (start, room) = (table.first_slot(node), usize::from(table.room(node)));
        for (group, lanes) in groups.iter_mut().enumerate() {
            let start = start + group * GROUP;
            let count = room.saturating_sub(group * GROUP).min(GROUP);
            lanes[lane] = if count == 0 {
                0
            } else if let Some(bytes) = inbox.get(start..).and_then(<[u8]>::first_chunk::<GROUP>) {
                u64::from_le_bytes(*bytes) & u64::MAX >> (8 * (GROUP - count))
            } else {
                let mut bytes = [0; GROUP];
                bytes[..count].copy_from_slice(&inbox[start..][..count]);
                u64::from_le_bytes(bytes)
            };
        }
    }
}

/// The lowest bit of every byte.
const LOWEST_BITS: u64 = 0x0101_0101_0101_0101;
/// A multiplication by this constant gathers the lowest bits of the bytes in the highest byte.
const SIDE_BY_SIDE: u64 = 0x0102_0408_1020_4080;

impl<W: NodeWord, const CHANGING: bool> InboxBlock<W, CHANGING> {
    fn new() -> Self {
        let none = [W::NONE; LANES];
        Self {
            activity: BlockActivity { active: 0, wants: 0, unlocks: 0 },
            own: none,
            own_edges: none,
            claims: none,
            planes: [none; PLANES],
            contested: 0,
            favourites: none,
            next_edges: none,
        }
    }

    /// Transposes the entries into bit planes.
    #[inline(always)]
    fn transpose<const GROUPS: usize>(&mut self, groups: &[[u64; LANES]; GROUPS]) {
        for (bit, plane) in self.planes.iter_mut().enumerate() {
            for (lane, set) in plane.iter_mut().enumerate() {
                let mut ports = 0;
                for (group, lanes) in groups.iter().enumerate() {
                    let bits = (lanes[lane] >> bit & LOWEST_BITS).wrapping_mul(SIDE_BY_SIDE) >> 56;
                    ports |= bits << (1 + GROUP * group);
                }
                *set = W::of(ports);
            }
        }
        // Port 0 reads the node's own word.
        for bit in 0..=TOGGLE {
            for (set, &own) in self.planes[bit as usize].iter_mut().zip(&self.own) {
                *set |= own >> bit & W::ONE;
            }
        }
        for (set, &own) in self.planes[REPLIES as usize].iter_mut().zip(&self.own) {
            *set |= own >> SENT & W::ONE;
        }
        for (set, &own) in self.planes[RESULT as usize].iter_mut().zip(&self.own) {
            *set |= own >> W::WON & W::ONE;
        }
        for set in &mut self.planes[PARTICIPANT as usize] {
            *set |= W::ONE;
        }
    }

    #[inline(always)]
    fn requests(&self, lane: usize) -> Requests<W> {
        requests::<W, NoFault>(&self.bits(lane), self.own[lane].sent(), &self.relations(lane))
    }

    /// Finds the nodes at which one of several competitors can win now. A single competitor is the favourite without
    /// further search.
    #[inline(always)]
    fn find_contested(&mut self) {
        let mut contested = [0_u32; LANES];
        for (lane, contested) in contested.iter_mut().enumerate() {
            let requests = self.requests(lane);
            let state = ParticipantState::new::<NoFault>(&requests, mask(self.own[lane], LOCK));
            let alone = W::when(requests.compete == lowest(requests.compete));
            self.favourites[lane] = requests.compete & alone;
            *contested = (state.decides() & !alone & W::ONE).number() as u32;
        }
        let mut nodes = 0;
        for (lane, &contested) in contested.iter().enumerate() {
            nodes |= u64::from(contested) << lane;
        }
        self.contested = nodes & self.activity.active;
    }

    /// Lists the competitors at the contested nodes, node by node.
    #[inline(always)]
    fn find_contenders(&self, table: &PortTable, first: u32, contenders: &mut Contenders) {
        contenders.count = 0;
        let mut rest = self.contested;
        while rest != 0 {
            let lane = rest.trailing_zeros();
            rest &= rest - 1;
            let slots = table.packed(first + lane);
            let mut competitors = self.requests(lane as usize).compete.number();
            while competitors != 0 {
                let port = competitors.trailing_zeros();
                competitors &= competitors - 1;
                let peer = (port as usize).checked_sub(1).and_then(|slot| PortTable::peer(slots[slot]));
                let peer = peer.map_or(first + lane, |(peer, _)| peer);
                contenders.list[contenders.count] = (lane as u8, port as u8, peer);
                contenders.count += 1;
            }
        }
    }

    /// Looks up the priorities of the contenders and selects the favourites.
    #[inline(always)]
    fn resolve_favourites(&mut self, words: &[W], contenders: &Contenders) {
        let mut highest = [0_u32; LANES];
        for &(lane, port, contender) in &contenders.list[..contenders.count] {
            // One more, so that every priority is above 0, which means none.
            let priority = words[contender as usize].priority() + 1;
            let (lane, bit) = (usize::from(lane), W::ONE << u32::from(port));
            let above = W::when(priority > highest[lane]);
            let equal = W::when(priority == highest[lane]);
            highest[lane] = highest[lane].max(priority);
            // A tie at the top leaves no favourite.
            self.favourites[lane] = above & bit | self.favourites[lane] & !above & !equal;
        }
    }
}

impl<W: NodeWord, const CHANGING: bool> NeighbourAccess<W> for InboxBlock<W, CHANGING> {
    #[inline(always)]
    fn bits(&self, lane: usize) -> NeighbourBits<W> {
        let [low, middle, high, toggle, acked, won, _] = &self.planes;
        NeighbourBits {
            toggle: toggle[lane],
            code: [low[lane], middle[lane], high[lane]],
            acked: acked[lane],
            won: won[lane],
        }
    }

    #[inline(always)]
    fn relations(&self, lane: usize) -> PortRelations<W> {
        let participant = self.planes[PARTICIPANT as usize][lane];
        if CHANGING {
            let own = self.own_edges[lane];
            PortRelations {
                participant,
                member: own.members(),
                neighbourhood: self.claims[lane],
                // The entries already account for skips in their toggles.
                skipped: W::NONE,
                skips: own.skipped(),
            }
        } else {
            PortRelations::lasting(participant)
        }
    }

    #[inline(always)]
    fn favourite(&self, lane: usize, _competitors: W) -> W {
        self.favourites[lane]
    }

    #[inline(always)]
    fn after(&mut self, lane: usize, acts: W, outcome: &ActivationOutcome<W>) {
        if CHANGING {
            let edges = self.own_edges[lane];
            self.next_edges[lane] = edges.after(outcome.members, outcome.skips) & acts | edges & !acts;
        }
    }
}
