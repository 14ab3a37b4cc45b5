//! Storage for a run of single actions.

use acrasin_runtime::exclusion::ActionEffects;
use acrasin_runtime::exclusion::local::LockNote;

use super::act::execute;
use super::choose::{ChosenAction, choose};
use super::round_context::RoundContext;
use super::view::{ColumnSnapshot, NodeSets, private};
use crate::message::block::LANES;
use crate::message::chunk::{CHUNK, PARALLEL_FROM, sum};
use crate::message::configuration::Published;
use crate::message::network::MessageNetwork;
use crate::message::registers::PortLinks;
use crate::message::word::{LOCK, NodeWord, SENT};
use crate::pages::Pages;
use crate::round::Figures;
use crate::threads::each_part;

/// Three words per node (published, edges, private), and space for the three words of the next round.
#[derive(Debug)]
pub(super) struct ActionColumns<W> {
    words: Pages<W>,
    edges: Pages<W>,
    private: Pages<W>,
    next_words: Pages<W>,
    next_edges: Pages<W>,
    next_private: Pages<W>,
}

/// A range of nodes in all three columns.
type Columnwise<'a, W> = ((&'a mut [W], &'a mut [W]), &'a mut [W]);

impl<W: NodeWord> ActionColumns<W> {
    /// The memory of all words for `nodes` nodes, in bytes.
    pub(super) fn bytes(nodes: u64) -> u64 {
        nodes * 6 * size_of::<W>() as u64
    }

    pub(super) fn new(network: &impl MessageNetwork) -> Self {
        let nodes = network.nodes() as usize;
        let column = || Pages::<W>::zeroed(nodes);
        let mut edges = column();
        for (node, edges) in (0..).zip(edges.iter_mut()) {
            let there = (1..=network.ports()).filter(|&port| network.link(node, port).is_some());
            *edges = there.fold(W::NONE, |ports, port| ports | W::ONE << u32::from(port - 1));
        }
        Self {
            words: column(),
            edges,
            private: column(),
            next_words: column(),
            next_edges: column(),
            next_private: column(),
        }
    }

    fn snapshot<'a>(&'a self, links: &'a dyn PortLinks) -> ColumnSnapshot<'a, W> {
        ColumnSnapshot { words: &self.words, edges: &self.edges, private: &self.private, links }
    }

    pub(super) fn view(&self, links: &dyn PortLinks, node: u32) -> NodeSets<W> {
        NodeSets::of(&self.snapshot(links), node)
    }

    /// Replaces the words of a node.
    pub(super) fn put(&mut self, node: u32, view: &NodeSets<W>) {
        let at = node as usize;
        self.words[at] = view.word;
        self.edges[at] = view.edges;
        self.private[at] = private(view.seen, view.replies);
    }

    /// Runs a round: every active node executes one of its enabled actions.
    pub(super) fn round(&mut self, links: &dyn PortLinks, turn: &RoundContext<'_>) -> Figures {
        // All nodes read the columns of the start of the round, so results go to other columns, which are then swapped.
        let Self { words, edges, private, next_words, next_edges, next_private } = self;
        let snapshot = ColumnSnapshot { words, edges, private, links };
        let chunks = next_words.chunks_mut(CHUNK).zip(next_edges.chunks_mut(CHUNK));
        let chunks = chunks.zip(next_private.chunks_mut(CHUNK)).collect();
        let run = |index: usize, ((words, edges), private): Columnwise<'_, W>| {
            run_chunk(&snapshot, turn, index * CHUNK, [words, edges, private])
        };
        let figures = sum(each_part(chunks, snapshot.words.len() >= PARALLEL_FROM, run));
        std::mem::swap(&mut self.words, &mut self.next_words);
        std::mem::swap(&mut self.edges, &mut self.next_edges);
        std::mem::swap(&mut self.private, &mut self.next_private);
        figures
    }

    pub(super) fn published(&self, node: u32) -> Published {
        Published::of(self.words[node as usize])
    }

    pub(super) fn word(&self, node: u32) -> W {
        self.words[node as usize]
    }

    pub(super) fn edges(&self, node: u32) -> W {
        self.edges[node as usize]
    }

    /// Initialises one end of a new edge, with nothing in transit on it. `toggle_of_peer` is the neighbour's toggle as
    /// this node sees it.
    pub(super) fn connect(&mut self, node: u32, port: u16, toggle_of_peer: bool) {
        let (at, port) = (node as usize, u32::from(port));
        self.edges[at] |= W::ONE << (port - 1);
        let fields = W::ONE << (SENT + port) | W::ONE << (W::WON + port);
        self.words[at] = self.words[at] & !fields | (W::when(toggle_of_peer) & W::ONE) << (SENT + port);
    }

    /// Clears one end of an edge that vanishes. `owner` tells whether the neighbour holds the node's lock.
    pub(super) fn disconnect(&mut self, node: u32, port: u16, owner: bool) {
        let (at, port) = (node as usize, u32::from(port));
        let bit = W::ONE << (port - 1);
        self.edges[at] = self.edges[at] & !(bit | bit << W::MEMBER) | bit << W::DETECTOR;
        self.private[at] = self.private[at] & !private(W::ONE << port, W::ONE << port);
        if owner {
            self.words[at] = self.words[at] & !(W::ONE << LOCK);
        }
    }

    /// The columns, in the order of the digest.
    pub(super) fn columns(&self) -> [&[W]; 3] {
        [&self.words, &self.edges, &self.private]
    }
}

fn run_chunk<W: NodeWord>(
    snapshot: &ColumnSnapshot<'_, W>,
    turn: &RoundContext<'_>,
    start: usize,
    [words, edges, privates]: [&mut [W]; 3],
) -> Figures {
    let mut figures = Figures::default();
    let len = words.len();
    words.copy_from_slice(&snapshot.words[start..][..len]);
    edges.copy_from_slice(&snapshot.edges[start..][..len]);
    privates.copy_from_slice(&snapshot.private[start..][..len]);
    let mut effects = ActionEffects::new();
    for block in (0..len).step_by(LANES) {
        let activity = turn.inputs.activity(((start + block) / LANES) as u64);
        let mut rest = activity.active;
        figures.activations += u64::from(rest.count_ones());
        while rest != 0 {
            let lane = rest.trailing_zeros();
            rest &= rest - 1;
            let at = block + lane as usize;
            let node = (start + at) as u32;
            let mut view = NodeSets::of(snapshot, node);
            let wants = activity.wants >> lane & 1 == 1;
            let Some(ChosenAction { what, calls }) = choose(&view, turn, node, wants) else { continue };
            effects.clear();
            let mut draw = || turn.inputs.priorities.draw(turn.inputs.stream, node);
            execute(&mut view, what, &mut draw, &mut effects);
            figures.calls += u64::from(calls);
            count(&effects, &mut figures);
            (words[at], edges[at]) = (view.word, view.edges);
            privates[at] = private(view.seen, view.replies);
        }
    }
    figures
}

/// Adds the effects of an action to the figures.
pub(super) fn count<M>(effects: &ActionEffects<M, LockNote>, figures: &mut Figures) {
    figures.messages += effects.sends.len() as u64;
    figures.self_messages += effects.sends.iter().filter(|(port, _)| port.is_self()).count() as u64;
    for note in &effects.notes {
        match note {
            LockNote::Trial => figures.trials += 1,
            LockNote::LateRejection => figures.late_rejections += 1,
        }
    }
    figures.grants += u64::from(effects.granted.is_some());
    figures.releases += u64::from(effects.released);
}
