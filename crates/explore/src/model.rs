//! What the explorer explores: [`Model`].

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Something whose configurations can be listed, starting from some and following every move: the lock layer, a
/// population, amoebots.
///
/// A configuration is a string of bytes. Equal configurations must have equal strings and different ones different
/// strings; how short they are decides how much fits into the memory. The explorer never looks inside.
///
/// Everything must depend on the arguments alone: several threads call at once, each with a workbench of its own.
pub trait Model: Sync {
    /// Where a configuration is unpacked: buffers, reused from call to call, that carry nothing over.
    type Workbench: Send;

    /// A fresh workbench.
    fn workbench(&self) -> Self::Workbench;

    /// Calls `start` with every initial configuration, in a fixed order, until it breaks.
    fn starts(&self, workbench: &mut Self::Workbench, start: &mut dyn FnMut(&[u8]) -> ControlFlow<()>);

    /// Lists all moves of a configuration, in a fixed order, its label, and what is wrong with it.
    fn expand(&self, workbench: &mut Self::Workbench, configuration: &[u8], moves: &mut Moves);

    /// Bytes that the model itself holds by now for configurations, such as a table of what their bytes stand for: they
    /// count against the ceiling of the search. They must not depend on the order of the calls.
    fn held_bytes(&self) -> u64 {
        0
    }
}

/// A choice that the adversary makes, and how the coins inside it fall.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MoveId {
    /// The position of the step among the steps of the configuration.
    pub step: u16,
    /// The position of the outcome among the outcomes of the step: 0 if nothing is drawn; with [`Self::CHOSEN`] if the adversary
    /// chooses it, too.
    pub outcome: u16,
}

impl MoveId {
    /// Added to an outcome that no coin decides: to questions about fairness it is a step by itself. There are fewer outcomes.
    pub const CHOSEN: u16 = 1 << 15;

    /// The position of the outcome, whoever decides it.
    #[must_use]
    pub fn place(self) -> u16 {
        self.outcome & !Self::CHOSEN
    }
}

/// An obligation of weak fairness: a step that may not be enabled for ever without being taken. 0 is none: a step that
/// no node has to take, such as a call of Lock or a change of the graph. What the other numbers mean is the model's.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Duty(pub u32);

impl Duty {
    /// No node has to take the step.
    pub const NONE: Self = Self(0);
}

/// A move and where it leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Move {
    pub(crate) id: MoveId,
    pub(crate) duty: Duty,
    pub(crate) weight: u16,
    /// End of its configuration in [`Moves::bytes`].
    pub(crate) end: usize,
}

/// A property that does not hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Broken {
    /// The property's name.
    pub property: &'static str,
    /// What was seen.
    pub text: String,
    /// The move that breaks it; `None` if the configuration itself does.
    pub by: Option<MoveId>,
}

/// What [`Model::expand`] finds in one configuration.
#[derive(Clone, Debug, Default)]
pub struct Moves {
    pub(crate) label: u32,
    pub(crate) moves: Vec<Move>,
    pub(crate) bytes: Vec<u8>,
    /// Where the bytes of the first move begin: those before belong to other configurations.
    first: usize,
    pub(crate) broken: Vec<Broken>,
    pub(crate) waiting: Vec<Duty>,
    pub(crate) too_many: bool,
    pub(crate) is_kept: bool,
    /// What the buffers of a block may take; `None` for moves that no search asks for.
    room: Option<Arc<BlockRoom>>,
    /// How much of what is listed here is taken from the room.
    taken: usize,
    /// The longest configuration listed so far.
    longest: usize,
    is_full: bool,
}

/// Bytes that the buffers of a block may take together, on all threads.
#[derive(Debug, Default)]
pub(crate) struct BlockRoom {
    bytes: AtomicU64,
    taken: AtomicU64,
}

impl BlockRoom {
    /// Room for a new block.
    pub(crate) fn set(&self, bytes: u64) {
        self.bytes.store(bytes, Ordering::Relaxed);
        self.taken.store(0, Ordering::Relaxed);
    }

    /// Takes more of it; whether it was there.
    fn take(&self, bytes: usize) -> bool {
        let before = self.taken.fetch_add(bytes as u64, Ordering::Relaxed);
        before.saturating_add(bytes as u64) <= self.bytes.load(Ordering::Relaxed)
    }

    /// There is no more, whatever was said.
    fn exhaust(&self) {
        self.bytes.store(0, Ordering::Relaxed);
    }
}

/// Bytes that a listed move takes besides its configuration, here and where the search keeps it until the block ends.
const MOVE_BYTES: usize = 96;
/// Bytes that are listed before they are taken from the room of a block: few enough for a sum over threads, many enough for speed.
const TAKEN_AT_ONCE: usize = 1 << 16;
/// The least by which a buffer grows.
const GROWTH_LEAST: usize = 4096;

impl Moves {
    /// Nothing.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Nothing, for a search that gives this room.
    pub(crate) fn within(room: &Arc<BlockRoom>) -> Self {
        Self { room: Some(Arc::clone(room)), ..Self::default() }
    }

    /// Forgets everything and keeps the buffers.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.moves.clear();
        (self.taken, self.is_full) = (0, false);
        self.clear_for_next();
    }

    /// Forgets everything but the bytes of the configurations listed: saves a copy.
    pub(crate) fn clear_for_next(&mut self) {
        self.take_room();
        self.label = 0;
        self.moves.clear();
        self.taken = self.bytes.len();
        self.first = self.bytes.len();
        self.broken.clear();
        self.waiting.clear();
        self.too_many = false;
        self.is_kept = false;
    }

    /// The configuration's label: what an analysis of the whole graph is told of it. Its meaning is the model's.
    #[inline]
    pub fn label(&mut self, label: u32) {
        self.label = label;
    }

    /// A move that leads to `configuration`. The outcomes of one step come one after the other.
    #[inline]
    pub fn successor(&mut self, id: MoveId, duty: Duty, configuration: &[u8]) {
        self.successor_with(id, duty, |bytes| bytes.extend_from_slice(configuration));
    }

    /// A move that leads to the configuration that `pack` appends: saves a copy. Nothing happens if they are [full](Self::are_full).
    pub fn successor_with(&mut self, id: MoveId, duty: Duty, pack: impl FnOnce(&mut Vec<u8>)) {
        if self.is_full || !self.grow() {
            return;
        }
        let start = self.bytes.len();
        pack(&mut self.bytes);
        self.longest = self.longest.max(self.bytes.len() - start);
        self.moves.push(Move { id, duty, weight: 0, end: self.bytes.len() });
        if self.listed_bytes() - self.taken > TAKEN_AT_ONCE {
            self.take_room();
        }
    }

    /// Whether the memory that a search may take is used up: what is listed further is lost, and the search ends, truncated. A model whose
    /// configurations take long to list can stop there.
    #[must_use]
    pub fn are_full(&self) -> bool {
        self.is_full
    }

    /// The model has no memory left for what the bytes of configurations stand for: they are full.
    pub fn fill(&mut self) {
        if let Some(room) = &self.room {
            room.exhaust();
            self.is_full = true;
        }
    }

    fn listed_bytes(&self) -> usize {
        self.bytes.len() + self.moves.len() * MOVE_BYTES
    }

    /// Takes from the room of the block what has been listed since.
    pub(crate) fn take_room(&mut self) {
        let listed = self.listed_bytes();
        if let Some(room) = &self.room {
            self.is_full |= !room.take(listed - self.taken);
        }
        self.taken = listed;
    }

    /// Makes room for a configuration as long as any so far, in steps of an eighth: doubling would need three times the memory for a moment.
    /// False if the system gives none.
    fn grow(&mut self) -> bool {
        if self.room.is_none() {
            return true;
        }
        let (bytes, moves) = (&mut self.bytes, &mut self.moves);
        let mut is_given = true;
        if bytes.capacity() - bytes.len() < self.longest {
            is_given = bytes.try_reserve_exact((bytes.len() / 8).max(self.longest).max(GROWTH_LEAST)).is_ok();
        }
        if moves.len() == moves.capacity() {
            is_given &=
                moves.try_reserve_exact((moves.len() / 8).max(GROWTH_LEAST / size_of::<Move>())).is_ok();
        }
        if !is_given {
            self.fill();
        }
        is_given
    }

    /// What the move listed last counts in [`Graph::longest_run`](crate::Graph::longest_run); 0 if nothing is said.
    #[inline]
    pub fn weigh(&mut self, weight: u16) {
        if let Some(last) = self.moves.last_mut() {
            last.weight = weight;
        }
    }

    /// The bytes of this configuration are kept to the end: [`Exploration::kept`](crate::Exploration::kept). Of the
    /// others only digests are.
    pub fn keep(&mut self) {
        self.is_kept = true;
    }

    /// A duty that is due and cannot be done now, such as a receipt by a node that is busy: it counts as enabled when
    /// it is asked whether a run is fair.
    #[inline]
    pub fn waiting(&mut self, duty: Duty) {
        self.waiting.push(duty);
    }

    /// There are more steps or outcomes than a [`MoveId`] can tell apart (65 535): the exploration ends, truncated.
    pub fn too_many(&mut self) {
        self.too_many = true;
    }

    /// Something is wrong. If a move breaks a property, where it leads is not explored: do not report it as a
    /// successor.
    #[inline]
    pub fn broken(&mut self, broken: Broken) {
        self.broken.push(broken);
    }

    /// What is wrong, as listed so far.
    #[must_use]
    pub fn findings(&self) -> &[Broken] {
        &self.broken
    }

    /// The moves listed so far with the configurations they lead to.
    pub fn iter(&self) -> impl Iterator<Item = (MoveId, Duty, &[u8])> {
        self.listed().map(|(m, bytes)| (m.id, m.duty, bytes))
    }

    pub(crate) fn listed(&self) -> impl Iterator<Item = (&Move, &[u8])> {
        let mut start = self.first;
        self.moves.iter().map(move |m| {
            let bytes = &self.bytes[start..m.end];
            start = m.end;
            (m, bytes)
        })
    }
}
