//! Storage of the nodes. Degree and number of priorities select the layout when a run starts.

use std::hash::Hasher as _;

use acrasin_runtime::digest::DigestWriter;
use acrasin_runtime::{Digest, PackError};

use super::chunk::{Buffers, ChunkedRounds, run_round};
use super::configuration::Published;
use super::inputs::RoundInputs;
use super::network::{MessageNetwork, sealed::Compiled};
use super::registers::{self, RegisterStore};
use super::word::{LOCK, NodeWord, SENT};
use crate::draw::Priorities;
use crate::pages::Pages;
use crate::round::Figures;
use crate::saved::{SavedWord, load_words, save_words};

/// The layout of a node in memory.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum NodeLayout {
    /// One word of 32 bits, for Δ up to 8 and K up to 512.
    Short,
    /// One word of 64 bits, for Δ up to 16 and K up to 65 536.
    Long,
    /// A header, and two bits per port, for any Δ and any K.
    Registers,
}

impl NodeLayout {
    /// The smallest layout that has room for ports `1..=ports` and these priorities.
    #[must_use]
    pub fn of(ports: u16, priorities: Priorities) -> Self {
        fn fits<W: NodeWord>(ports: u16, priorities: Priorities) -> bool {
            u32::from(ports) <= W::PORTS && priorities.bound() <= W::PRIORITIES
        }
        if fits::<u32>(ports, priorities) {
            Self::Short
        } else if fits::<u64>(ports, priorities) {
            Self::Long
        } else {
            Self::Registers
        }
    }

    /// The size in bytes of a configuration on `network` and of the space for the next configuration, without the
    /// network itself.
    #[must_use]
    pub fn bytes(self, network: &impl MessageNetwork, changing: bool) -> u64 {
        let buffers = if changing { 4 } else { 2 };
        let nodes = u64::from(network.nodes());
        match self {
            Self::Short => nodes * 4 * buffers + network.compiled().inbox_bytes,
            Self::Long => nodes * 8 * buffers + network.compiled().inbox_bytes,
            Self::Registers => registers::bytes(network.compiled().links, network.nodes(), changing),
        }
    }
}

/// The configuration of a run, and space for the next one.
#[derive(Debug)]
pub(crate) enum NodeStore {
    Short(WordStore<u32>),
    Long(WordStore<u64>),
    Registers(RegisterStore),
}

/// One word per node, or two if the graph changes.
#[derive(Debug)]
pub(crate) struct WordStore<W> {
    pub(crate) words: Pages<W>,
    next: Pages<W>,
    edges: Pages<W>,
    next_edges: Pages<W>,
    /// The inboxes, if the network has inboxes.
    inbox: Pages<u8>,
}

impl<W: NodeWord> WordStore<W> {
    fn new(network: &impl MessageNetwork, code: &dyn ChunkedRounds<W>, changing: bool) -> Self {
        let nodes = network.nodes() as usize;
        let room = if changing { nodes } else { 0 };
        let mut edges: Pages<W> = Pages::zeroed(room);
        for (node, edges) in (0..).zip(edges.iter_mut()) {
            let there = (1..=network.ports()).filter(|&port| network.link(node, port).is_some());
            *edges = there.fold(W::NONE, |ports, port| ports | W::ONE << u32::from(port - 1));
        }
        Self {
            words: Pages::zeroed(nodes),
            next: Pages::zeroed(nodes),
            edges,
            next_edges: Pages::zeroed(room),
            inbox: code.inbox(changing),
        }
    }

    fn round(&mut self, network: &dyn ChunkedRounds<W>, inputs: &RoundInputs<'_>) -> Option<Figures> {
        let Self { words, next, edges, next_edges, inbox } = self;
        let changing = !edges.is_empty();
        let edge_buffers = changing.then_some(Buffers { words: &edges[..], next: &mut next_edges[..] });
        let figures = run_round(network, Buffers { words, next }, edge_buffers, inbox, inputs)?;
        std::mem::swap(words, next);
        std::mem::swap(edges, next_edges);
        Some(figures)
    }

    fn save(&self, into: &mut Vec<u8>)
    where
        W: SavedWord,
    {
        save_words(&self.words, into);
        save_words(&self.edges, into);
        save_words(&self.inbox, into);
    }

    fn load(&mut self, from: &mut &[u8]) -> Result<(), PackError>
    where
        W: SavedWord,
    {
        load_words(&mut self.words, from)?;
        load_words(&mut self.edges, from)?;
        load_words(&mut self.inbox, from)
    }

    fn connect(&mut self, node: u32, port: u16, toggle_of_peer: bool) {
        let port = u32::from(port);
        self.edges[node as usize] |= W::ONE << (port - 1);
        let word = &mut self.words[node as usize];
        *word = *word & !(W::ONE << (SENT + port) | W::ONE << (W::WON + port))
            | (W::when(toggle_of_peer) & W::ONE) << (SENT + port);
    }

    fn deliver(&mut self, code: &dyn ChunkedRounds<W>, node: u32, port: u16, connected: bool) {
        let words = (self.words[node as usize], self.edges[node as usize]);
        code.deliver_one(node, port, connected.then_some(words), &mut self.inbox);
    }

    fn disconnect(&mut self, node: u32, port: u16, owner: bool) {
        let port = u32::from(port);
        let edges = &mut self.edges[node as usize];
        let bit = W::ONE << (port - 1);
        *edges = *edges & !(bit | bit << W::MEMBER) | bit << W::DETECTOR;
        if owner {
            let word = &mut self.words[node as usize];
            *word = *word & !(W::ONE << LOCK);
        }
    }
}

/// Evaluates one expression for words of either width, and another expression for registers.
macro_rules! for_each_layout {
    ($store:expr, words($words:ident) => $of_words:expr, registers($registers:ident) => $of_registers:expr) => {
        match $store {
            NodeStore::Short($words) => $of_words,
            NodeStore::Long($words) => $of_words,
            NodeStore::Registers($registers) => $of_registers,
        }
    };
}

impl NodeStore {
    pub(crate) fn new(layout: NodeLayout, network: &impl MessageNetwork, changing: bool) -> Self {
        match layout {
            NodeLayout::Short => Self::Short(WordStore::new(network, network.compiled().short, changing)),
            NodeLayout::Long => Self::Long(WordStore::new(network, network.compiled().long, changing)),
            NodeLayout::Registers => {
                Self::Registers(RegisterStore::new(network.compiled().links, network.nodes(), changing))
            }
        }
    }

    /// Runs one round; `None` if the round was cancelled, which leaves the configuration unchanged.
    pub(crate) fn round(&mut self, network: Compiled<'_>, inputs: &RoundInputs<'_>) -> Option<Figures> {
        match self {
            Self::Short(words) => words.round(network.short, inputs),
            Self::Long(words) => words.round(network.long, inputs),
            Self::Registers(registers) => registers.round(network.links, inputs),
        }
    }

    pub(crate) fn layout(&self) -> NodeLayout {
        match self {
            Self::Short(_) => NodeLayout::Short,
            Self::Long(_) => NodeLayout::Long,
            Self::Registers(_) => NodeLayout::Registers,
        }
    }

    pub(crate) fn published(&self, node: u32) -> Published {
        for_each_layout!(
            self,
            words(words) => Published::of(words.words[node as usize]),
            registers(registers) => {
                let header = registers.header(node);
                let (code, toggle, locked) = (header.code(), header.toggle(), header.is_locked());
                Published { code, toggle, locked, priority: registers.priority(node) }
            }
        )
    }

    pub(crate) fn sent(&self, node: u32, port: u16) -> bool {
        for_each_layout!(
            self,
            words(words) => words.words[node as usize].sent().has(port.into()),
            registers(registers) => registers.sent(node, port)
        )
    }

    pub(crate) fn won(&self, node: u32, port: u16) -> bool {
        for_each_layout!(
            self,
            words(words) => words.words[node as usize].won().has(port.into()),
            registers(registers) => registers.won(node, port)
        )
    }

    /// Whether the edge on a port is present. Only for graphs that change.
    pub(crate) fn present(&self, node: u32, port: u16) -> bool {
        for_each_layout!(
            self,
            words(words) => words.edges[node as usize].present().has(port.into()),
            registers(registers) => registers.present(node, port)
        )
    }

    /// Whether a port is in the node's lock set. Only for graphs that change.
    pub(crate) fn member(&self, node: u32, port: u16) -> bool {
        for_each_layout!(
            self,
            words(words) => words.edges[node as usize].members().has(port.into()),
            registers(registers) => registers.member(node, port)
        )
    }

    /// Whether the number of messages to the lock set that were not sent on a port is odd. Only for graphs that change.
    pub(crate) fn skips(&self, node: u32, port: u16) -> bool {
        for_each_layout!(
            self,
            words(words) => words.edges[node as usize].skipped().has(port.into()),
            registers(registers) => registers.skips(node, port)
        )
    }

    /// Whether the detector has a pending report about a port. Only for graphs that change.
    pub(crate) fn detects(&self, node: u32, port: u16) -> bool {
        for_each_layout!(
            self,
            words(words) => words.edges[node as usize].detector().has(port.into()),
            registers(registers) => registers.detects(node, port)
        )
    }

    /// Initialises one end of a new edge. `toggle_of_peer` is the neighbour's toggle as this node sees it.
    pub(crate) fn connect(&mut self, node: u32, port: u16, toggle_of_peer: bool) {
        for_each_layout!(
            self,
            words(words) => words.connect(node, port, toggle_of_peer),
            registers(registers) => registers.connect(node, port, toggle_of_peer)
        );
    }

    /// Updates the inbox of the neighbour on a port: clears it if the edge has vanished, otherwise delivers the node's
    /// published word.
    pub(crate) fn deliver(&mut self, network: &impl MessageNetwork, node: u32, port: u16, connected: bool) {
        let code = network.compiled();
        match self {
            Self::Short(words) => words.deliver(code.short, node, port, connected),
            Self::Long(words) => words.deliver(code.long, node, port, connected),
            Self::Registers(_) => {}
        }
    }

    /// Clears one end of an edge that vanishes. `owner` tells whether the neighbour holds the node's lock.
    pub(crate) fn disconnect(&mut self, node: u32, port: u16, owner: bool) {
        for_each_layout!(
            self,
            words(words) => words.disconnect(node, port, owner),
            registers(registers) => registers.disconnect(node, port, owner)
        );
    }

    /// Appends the words and inboxes.
    pub(crate) fn save(&self, into: &mut Vec<u8>) {
        for_each_layout!(self, words(words) => words.save(into), registers(registers) => registers.save(into));
    }

    /// Sets words and inboxes of the same layout.
    pub(crate) fn load(&mut self, from: &mut &[u8]) -> Result<(), PackError> {
        for_each_layout!(self, words(words) => words.load(from), registers(registers) => registers.load(from))
    }

    /// The digest of all words.
    pub(crate) fn digest(&self) -> Digest {
        match self {
            Self::Short(WordStore { words, edges, .. }) => digest::<u32>(&[words, edges]),
            Self::Long(WordStore { words, edges, .. }) => digest::<u64>(&[words, edges]),
            Self::Registers(registers) => digest(&registers.words()),
        }
    }
}

/// The digest of several columns of words.
pub(crate) fn digest<W: NodeWord>(columns: &[&[W]]) -> Digest {
    let mut writer = DigestWriter::new();
    columns.iter().for_each(|words| write_words(&mut writer, words));
    writer.digest()
}

/// Writes words to a digest: their number, then each in little-endian order on every platform.
fn write_words<W: NodeWord>(writer: &mut DigestWriter, words: &[W]) {
    writer.write_usize(words.len());
    let mut bytes = Vec::with_capacity(1 << 12);
    for words in words.chunks(1 << 9) {
        bytes.clear();
        for word in words {
            bytes.extend_from_slice(&word.number().to_le_bytes()[..size_of::<W>()]);
        }
        writer.write(&bytes);
    }
}

/// The digest of a configuration of short words. It equals [`WordRounds::digest`](super::WordRounds::digest) for
/// [`NodeLayout::Short`], regardless of which rung produced the words.
#[must_use]
pub fn digest_of_words(words: &[u32]) -> Digest {
    digest::<u32>(&[words, &[]])
}
