//! The expansion of a section of the frontier: one thread writes it, and the shards read it.

use std::mem::take;
use std::ops::Range;
use std::sync::Arc;

use crate::model::{BlockRoom, BrokenProperty, Duty, Moves};
use crate::store::{Address, MoveOrigin, SHARDS, digest, shard_of};
use crate::unpacker::Unpacker;

/// A list of packed configurations, stored one after another.
#[derive(Default, Debug)]
pub(crate) struct PackedList {
    pub(crate) bytes: Vec<u8>,
    pub(crate) ends: Vec<usize>,
    pub(crate) addresses: Vec<Address>,
}

impl PackedList {
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }
    pub(crate) fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }
    pub(crate) fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
        self.addresses.clear();
    }
    pub(crate) fn push(&mut self, address: Address, packed: &[u8]) {
        self.bytes.extend_from_slice(packed);
        self.ends.push(self.bytes.len());
        self.addresses.push(address);
    }
    pub(crate) fn packed(&self, index: usize) -> &[u8] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.bytes[start..self.ends[index]]
    }
    pub(crate) fn append(&mut self, other: &mut Self) {
        let base = self.bytes.len();
        self.bytes.append(&mut other.bytes);
        self.ends.extend(other.ends.drain(..).map(|end| base + end));
        self.addresses.append(&mut other.addresses);
    }
    pub(crate) fn bytes(&self) -> u64 {
        (self.bytes.capacity()
            + self.ends.capacity() * size_of::<usize>()
            + self.addresses.capacity() * size_of::<Address>()) as u64
    }
}

/// Reserves room for `more` elements, growing in steps of an eighth instead of doubling.
pub(crate) fn reserve<T>(vector: &mut Vec<T>, more: usize) {
    let needed = vector.len() + more;
    if needed > vector.capacity() {
        vector.reserve_exact((needed / 8).max(64) + more);
    }
}

/// The moves that one thread finds in one section of the frontier.
pub(crate) struct ExpandedChunk {
    /// The buffer of moves, which also holds the bytes of all successors of the section.
    pub(crate) moves: Moves,
    pub(crate) sources: Vec<ExpandedSource>,
    pub(crate) successors: Vec<Successor>,
    /// The successors of each shard, by index in `successors`.
    pub(crate) by_shard: Vec<Vec<u32>>,
    /// The configurations of the section that the model asked to keep.
    pub(crate) kept: PackedList,
    /// The address of each successor.
    pub(crate) targets: Vec<Address>,
}

pub(crate) struct ExpandedSource {
    pub(crate) address: Address,
    pub(crate) label: u32,
    /// The end of the configuration's successors in `successors`.
    pub(crate) end: usize,
    pub(crate) broken: Vec<BrokenProperty>,
    /// The duties that are due but cannot be done.
    pub(crate) waiting: Vec<Duty>,
    pub(crate) too_many: bool,
}

pub(crate) struct Successor {
    pub(crate) digest: u128,
    pub(crate) origin: MoveOrigin,
    pub(crate) duty: Duty,
    pub(crate) weight: u16,
    pub(crate) end: usize,
}

impl ExpandedChunk {
    pub(crate) fn new(room: &Arc<BlockRoom>) -> Self {
        Self {
            moves: Moves::within(room),
            sources: Vec::new(),
            successors: Vec::new(),
            by_shard: vec![Vec::new(); SHARDS],
            kept: PackedList::default(),
            targets: Vec::new(),
        }
    }

    pub(crate) fn expand(&mut self, unpacker: &mut dyn Unpacker, frontier: &PackedList, range: Range<usize>) {
        self.sources.clear();
        self.successors.clear();
        self.moves.clear();
        self.kept.clear();
        self.by_shard.iter_mut().for_each(Vec::clear);
        let mut end = 0;
        for index in range {
            let address = frontier.addresses[index];
            self.moves.clear_for_next();
            unpacker.expand(frontier.packed(index), &mut self.moves);
            self.moves.take_room();
            reserve(&mut self.successors, self.moves.moves.len());
            for (listed, packed) in self.moves.listed() {
                let digest = digest(packed);
                self.by_shard[shard_of(digest)].push(self.successors.len() as u32);
                end += packed.len();
                let origin = MoveOrigin { from: address, by: listed.id };
                let (duty, weight) = (listed.duty, listed.weight);
                self.successors.push(Successor { digest, origin, duty, weight, end });
            }
            if self.moves.are_full() || self.moves.is_stopped {
                return;
            }
            if self.moves.is_kept {
                self.kept.push(address, frontier.packed(index));
            }
            let broken = take(&mut self.moves.broken);
            let waiting = take(&mut self.moves.waiting);
            let (label, successors) = (self.moves.label, self.successors.len());
            let too_many = self.moves.too_many;
            self.sources.push(ExpandedSource { address, label, end: successors, broken, waiting, too_many });
        }
        self.targets.clear();
        self.targets.resize(self.successors.len(), Address(0));
    }

    pub(crate) fn packed(&self, index: usize) -> &[u8] {
        let start = if index == 0 { 0 } else { self.successors[index - 1].end };
        &self.moves.bytes[start..self.successors[index].end]
    }

    /// The approximate number of bytes in use.
    pub(crate) fn filled(&self) -> u64 {
        (self.moves.bytes.len() + self.successors.len() * (size_of::<Successor>() + 8)) as u64
    }

    pub(crate) fn memory(&self) -> u64 {
        let shards: usize = self.by_shard.iter().map(Vec::capacity).sum();
        (self.moves.bytes.capacity()
            + self.successors.capacity() * size_of::<Successor>()
            + self.sources.capacity() * size_of::<ExpandedSource>()
            + (self.targets.capacity() + shards) * 4) as u64
            + self.kept.bytes()
    }
}
