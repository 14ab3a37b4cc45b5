//! [`Model`]: the system that is explored.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A system whose configurations can be listed from initial ones by following every move: the lock layer, a
/// population, amoebots.
///
/// A configuration is a byte string. Equal configurations must have equal strings, and different ones different
/// strings. With shorter strings more configurations fit into the memory. The explorer does not interpret the strings.
///
/// The results of all methods must depend only on their arguments: several threads call them at once, each with its own
/// workbench.
pub trait Model: Sync {
    /// Buffers into which configurations are unpacked. They are reused from call to call, but carry no information.
    type Workbench: Send;

    /// Creates a workbench.
    fn workbench(&self) -> Self::Workbench;

    /// Calls `start` with every initial configuration, in a fixed order, until it returns `Break`.
    fn starts(&self, workbench: &mut Self::Workbench, start: &mut dyn FnMut(&[u8]) -> ControlFlow<()>);

    /// Lists all moves of a configuration in a fixed order, its label, and its broken properties.
    fn expand(&self, workbench: &mut Self::Workbench, configuration: &[u8], moves: &mut Moves);

    /// The memory in bytes that the model itself currently uses for configurations, such as a table of values to which
    /// their bytes refer. It counts towards the memory ceiling, and must not depend on the order of the calls.
    fn held_bytes(&self) -> u64 {
        0
    }
}

/// A step, which the adversary chooses, and the outcome of the coins in it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MoveId {
    /// The position of the step among the steps of the configuration.
    pub step: u16,
    /// The position of the outcome among the outcomes of the step; 0 if nothing is drawn. [`Self::CHOSEN`] is
    /// added if the adversary chooses the outcome too.
    pub outcome: u16,
}

impl MoveId {
    /// Added to an outcome that the adversary chooses instead of a coin. Analyses of fairness treat such an outcome as
    /// a separate step. A step has fewer outcomes than this number.
    pub const CHOSEN: u16 = 1 << 15;

    /// The position of the outcome, without [`Self::CHOSEN`].
    #[must_use]
    pub fn place(self) -> u16 {
        self.outcome & !Self::CHOSEN
    }
}

/// An obligation of weak fairness: a step that may not be enabled forever without being taken. 0 means no
/// obligation, such as a call of Lock or a change of the graph. The model defines the other numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Duty(pub u32);

impl Duty {
    /// No obligation: no node has to take the step.
    pub const NONE: Self = Self(0);
}

/// A move and the end of its target's bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ListedMove {
    pub(crate) id: MoveId,
    pub(crate) duty: Duty,
    pub(crate) weight: u16,
    /// End of the target configuration in [`Moves::bytes`].
    pub(crate) end: usize,
}

/// A violation of a property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BrokenProperty {
    /// The name of the broken property.
    pub property: &'static str,
    /// A description of the violation.
    pub text: String,
    /// The move that breaks the property; `None` if the configuration itself does.
    pub by: Option<MoveId>,
}

/// The results of [`Model::expand`] for one configuration: its moves, label and broken properties.
#[derive(Clone, Debug, Default)]
pub struct Moves {
    pub(crate) label: u32,
    pub(crate) moves: Vec<ListedMove>,
    pub(crate) bytes: Vec<u8>,
    /// The start of the first move's bytes; earlier bytes belong to other configurations.
    first: usize,
    pub(crate) broken: Vec<BrokenProperty>,
    pub(crate) waiting: Vec<Duty>,
    pub(crate) too_many: bool,
    pub(crate) is_kept: bool,
    /// The memory shared by the buffers of a block; `None` outside a search.
    room: Option<Arc<BlockRoom>>,
    /// The number of listed bytes that are already taken from the room.
    taken: usize,
    /// The length of the longest configuration listed so far.
    longest: usize,
    is_full: bool,
    pub(crate) is_stopped: bool,
}

/// The memory that all threads together may use for the buffers of a block.
#[derive(Debug, Default)]
pub(crate) struct BlockRoom {
    bytes: AtomicU64,
    taken: AtomicU64,
}

impl BlockRoom {
    /// Sets the room for a new block.
    pub(crate) fn set(&self, bytes: u64) {
        self.bytes.store(bytes, Ordering::Relaxed);
        self.taken.store(0, Ordering::Relaxed);
    }

    /// Takes some of the room. Returns false if there is not enough left.
    fn take(&self, bytes: usize) -> bool {
        let before = self.taken.fetch_add(bytes as u64, Ordering::Relaxed);
        before.saturating_add(bytes as u64) <= self.bytes.load(Ordering::Relaxed)
    }

    /// Marks the room as used up.
    fn exhaust(&self) {
        self.bytes.store(0, Ordering::Relaxed);
    }
}

/// The number of bytes that a listed move takes besides its configuration: in this list, and in the search until the
/// block ends.
const MOVE_BYTES: usize = 96;
/// The number of bytes that are listed before they are taken from the room of a block. It is small enough for the sum
/// over threads, and large enough for speed.
const TAKEN_AT_ONCE: usize = 1 << 16;
/// Minimum growth of a buffer in bytes.
const GROWTH_LEAST: usize = 4096;

impl Moves {
    /// Creates an empty list, outside a search.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates an empty list for a search with this room.
    pub(crate) fn within(room: &Arc<BlockRoom>) -> Self {
        Self { room: Some(Arc::clone(room)), ..Self::default() }
    }

    /// Clears all contents and keeps the buffers.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.moves.clear();
        (self.taken, self.is_full, self.is_stopped) = (0, false, false);
        self.clear_for_next();
    }

    /// Clears all contents except the bytes of listed configurations, which saves a copy.
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

    /// Sets the configuration's label, which analyses of the whole graph use. The model defines its meaning.
    #[inline]
    pub fn label(&mut self, label: u32) {
        self.label = label;
    }

    /// Lists a move that leads to `configuration`. The outcomes of one step must be listed one after the other.
    #[inline]
    pub fn successor(&mut self, id: MoveId, duty: Duty, configuration: &[u8]) {
        self.successor_with(id, duty, |bytes| bytes.extend_from_slice(configuration));
    }

    /// Lists a move that leads to the configuration that `pack` appends, which saves a copy. Does nothing if
    /// the list is [full](Self::are_full).
    pub fn successor_with(&mut self, id: MoveId, duty: Duty, pack: impl FnOnce(&mut Vec<u8>)) {
        if self.is_full || !self.grow() {
            return;
        }
        let start = self.bytes.len();
        pack(&mut self.bytes);
        self.longest = self.longest.max(self.bytes.len() - start);
        self.moves.push(ListedMove { id, duty, weight: 0, end: self.bytes.len() });
        if self.listed_bytes() - self.taken > TAKEN_AT_ONCE {
            self.take_room();
        }
    }

    /// Whether the memory of the search is used up. Further moves are then ignored, and the search ends as truncated. A
    /// model whose configurations take long to list can stop listing.
    #[must_use]
    pub fn are_full(&self) -> bool {
        self.is_full
    }

    /// Marks the list as full, which ends the search as truncated. For models whose configurations refer to values
    /// stored elsewhere, once these values exceed the memory limit.
    pub fn fill(&mut self) {
        if let Some(room) = &self.room {
            room.exhaust();
            self.is_full = true;
        }
    }

    fn listed_bytes(&self) -> usize {
        self.bytes.len() + self.moves.len() * MOVE_BYTES
    }

    /// Takes the bytes that were listed since the last call from the room of the block.
    pub(crate) fn take_room(&mut self) {
        let listed = self.listed_bytes();
        if let Some(room) = &self.room {
            self.is_full |= !room.take(listed - self.taken);
        }
        self.taken = listed;
    }

    /// Reserves space for a configuration as long as the longest so far, growing by an eighth, because doubling would
    /// temporarily need three times the memory. Returns false if the system provides no memory.
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
            is_given &= moves
                .try_reserve_exact((moves.len() / 8).max(GROWTH_LEAST / size_of::<ListedMove>()))
                .is_ok();
        }
        if !is_given {
            self.fill();
        }
        is_given
    }

    /// Sets the weight of the last listed move, which [`longest_run`](crate::ConfigurationGraph::longest_run) adds up.
    /// The default is 0.
    #[inline]
    pub fn weigh(&mut self, weight: u16) {
        if let Some(last) = self.moves.last_mut() {
            last.weight = weight;
        }
    }

    /// Keeps the bytes of this configuration until the end of the search, in
    /// [`Exploration::kept`](crate::Exploration::kept). Of other configurations only digests are kept.
    pub fn keep(&mut self) {
        self.is_kept = true;
    }

    /// Lists a duty that is due and cannot be done now, such as a receipt by a busy node. Analyses of fairness count
    /// the duty as enabled.
    #[inline]
    pub fn waiting(&mut self, duty: Duty) {
        self.waiting.push(duty);
    }

    /// Reports that there are more steps or outcomes than a [`MoveId`] can number (65 535). The exploration ends as
    /// truncated.
    pub fn too_many(&mut self) {
        self.too_many = true;
    }

    /// Interrupts the search. The block of this configuration does not count; a resumed search explores it again.
    pub fn stop(&mut self) {
        self.is_stopped = true;
    }

    /// Reports a broken property. If a move breaks the property, its target is not explored: do not list it as a
    /// successor.
    #[inline]
    pub fn broken(&mut self, broken: BrokenProperty) {
        self.broken.push(broken);
    }

    /// The broken properties reported so far.
    #[must_use]
    pub fn findings(&self) -> &[BrokenProperty] {
        &self.broken
    }

    /// The moves listed so far, with their target configurations.
    pub fn iter(&self) -> impl Iterator<Item = (MoveId, Duty, &[u8])> {
        self.listed().map(|(m, bytes)| (m.id, m.duty, bytes))
    }

    pub(crate) fn listed(&self) -> impl Iterator<Item = (&ListedMove, &[u8])> {
        let mut start = self.first;
        self.moves.iter().map(move |m| {
            let bytes = &self.bytes[start..m.end];
            start = m.end;
            (m, bytes)
        })
    }
}
