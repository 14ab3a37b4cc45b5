//! The state of a search as bytes, from which it continues.
//!
//! Capacities of buffers are part of the state, so a resumed search reports the same memory as an uninterrupted one.

use crate::block::{ExpandedChunk, PackedList};
use crate::exploration::PropertyFinding;
use crate::graph::{ConfigurationGraph, MoveEdge};
use crate::limits::NotASearch;
use crate::model::{BrokenProperty, Duty, MoveId};
use crate::search::{BlockSearch, Level};
use crate::store::{Address, MoveOrigin, SHARDS};

/// The version of this layout, which every change increases.
const VERSION: u64 = 1;

/// A value of fixed width.
trait Fixed: Copy {
    const BYTES: usize;
    fn put(self, into: &mut Vec<u8>);
    fn get(bytes: &[u8]) -> Self;
}

macro_rules! fixed_numbers {
    ($($number:ty),+) => {$(
        impl Fixed for $number {
            const BYTES: usize = size_of::<$number>();
            fn put(self, into: &mut Vec<u8>) {
                into.extend(self.to_le_bytes());
            }
            fn get(bytes: &[u8]) -> Self {
                <$number>::from_le_bytes(bytes[..Self::BYTES].try_into().expect("enough bytes"))
            }
        }
    )+};
}

fixed_numbers!(u8, u16, u32, u64, u128);

impl Fixed for usize {
    const BYTES: usize = 8;
    fn put(self, into: &mut Vec<u8>) {
        (self as u64).put(into);
    }
    fn get(bytes: &[u8]) -> Self {
        u64::get(bytes) as usize
    }
}

/// Implements [`Fixed`] field by field.
macro_rules! fixed_fields {
    ($type:ident { $($field:tt: $kind:ty),+ }) => {
        impl Fixed for $type {
            const BYTES: usize = 0 $(+ <$kind>::BYTES)+;
            fn put(self, into: &mut Vec<u8>) {
                $(self.$field.put(into);)+
            }
            fn get(mut bytes: &[u8]) -> Self {
                $(
                    let $field = <$kind>::get(bytes);
                    bytes = &bytes[<$kind>::BYTES..];
                )+
                let _ = bytes;
                Self { $($field),+ }
            }
        }
    };
}

impl Fixed for Address {
    const BYTES: usize = u32::BYTES;
    fn put(self, into: &mut Vec<u8>) {
        self.0.put(into);
    }
    fn get(bytes: &[u8]) -> Self {
        Self(u32::get(bytes))
    }
}

impl Fixed for Duty {
    const BYTES: usize = u32::BYTES;
    fn put(self, into: &mut Vec<u8>) {
        self.0.put(into);
    }
    fn get(bytes: &[u8]) -> Self {
        Self(u32::get(bytes))
    }
}

fixed_fields!(MoveId { step: u16, outcome: u16 });
fixed_fields!(MoveOrigin { from: Address, by: MoveId });
fixed_fields!(MoveEdge { target: u32, step: u16, outcome: u16, duty: u16, weight: u16 });

/// Appends the length, capacity and elements of a list.
fn put_list<T: Fixed>(list: &Vec<T>, into: &mut Vec<u8>) {
    list.len().put(into);
    list.capacity().put(into);
    into.reserve(list.len() * T::BYTES);
    list.iter().for_each(|element| element.put(into));
}

/// Reads the values of a saved search one after the other.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn bytes(&mut self, count: usize) -> Result<&'a [u8], NotASearch> {
        let (bytes, rest) = self.0.split_at_checked(count).ok_or(NotASearch)?;
        self.0 = rest;
        Ok(bytes)
    }

    fn one<T: Fixed>(&mut self) -> Result<T, NotASearch> {
        self.bytes(T::BYTES).map(T::get)
    }

    /// Reads a list. Its capacity may exceed its length only by as much as a search reserves, and by at most `room`
    /// bytes.
    fn list<T: Fixed>(&mut self, room: u64) -> Result<Vec<T>, NotASearch> {
        let (length, capacity): (usize, usize) = (self.one()?, self.one()?);
        let bytes = self.bytes(length.checked_mul(T::BYTES).ok_or(NotASearch)?)?;
        let reserved = (capacity as u128) * (size_of::<T>() as u128);
        if capacity < length || reserved > u128::from(room) {
            return Err(NotASearch);
        }
        let mut list = Vec::new();
        list.try_reserve_exact(capacity).map_err(|_| NotASearch)?;
        list.extend(bytes.chunks_exact(T::BYTES).map(T::get));
        Ok(list)
    }

    fn packed(&mut self, room: u64) -> Result<PackedList, NotASearch> {
        let list =
            PackedList { bytes: self.list(room)?, ends: self.list(room)?, addresses: self.list(room)? };
        let is_sound = list.ends.is_sorted()
            && list.ends.last().copied().unwrap_or(0) == list.bytes.len()
            && list.addresses.len() == list.ends.len();
        if is_sound { Ok(list) } else { Err(NotASearch) }
    }

    fn text(&mut self) -> Result<String, NotASearch> {
        let length = self.one()?;
        String::from_utf8(self.bytes(length)?.to_vec()).map_err(|_| NotASearch)
    }
}

fn put_packed(list: &PackedList, into: &mut Vec<u8>) {
    put_list(&list.bytes, into);
    put_list(&list.ends, into);
    put_list(&list.addresses, into);
}

fn put_text(text: &str, into: &mut Vec<u8>) {
    text.len().put(into);
    into.extend(text.as_bytes());
}

/// The capacities of the vectors that count as memory of a chunk.
fn capacities(chunk: &ExpandedChunk) -> Vec<usize> {
    let ExpandedChunk { moves, sources, successors, by_shard, kept, targets } = chunk;
    let kept = [kept.bytes.capacity(), kept.ends.capacity(), kept.addresses.capacity()];
    let own = [moves.bytes.capacity(), sources.capacity(), successors.capacity(), targets.capacity()];
    own.into_iter().chain(kept).chain(by_shard.iter().map(Vec::capacity)).collect()
}

fn set_capacities(chunk: &mut ExpandedChunk, mut numbers: impl Iterator<Item = usize>) {
    let mut next = || numbers.next().unwrap_or_default();
    chunk.moves.bytes.reserve_exact(next());
    chunk.sources.reserve_exact(next());
    chunk.successors.reserve_exact(next());
    chunk.targets.reserve_exact(next());
    chunk.kept.bytes.reserve_exact(next());
    chunk.kept.ends.reserve_exact(next());
    chunk.kept.addresses.reserve_exact(next());
    chunk.by_shard.iter_mut().for_each(|list| list.reserve_exact(next()));
}

impl BlockSearch<'_> {
    /// The state of a search between two blocks of a level.
    pub(crate) fn save(&self, level: &Level, chunks: &[ExpandedChunk]) -> Vec<u8> {
        let mut bytes = Vec::new();
        let into = &mut bytes;
        VERSION.put(into);
        u64::from(self.limits.keep_graph).put(into);
        for number in [
            self.transitions,
            self.expanded,
            self.depth.into(),
            self.complete_levels.into(),
            self.packed_bytes,
            self.peak_bytes,
            self.broken_moves,
            self.bytes_a_source,
            level.at as u64,
        ] {
            number.put(into);
        }
        put_packed(&level.frontier, into);
        put_packed(&self.frontier, into);
        put_packed(&self.kept, into);
        put_list(&self.starts, into);
        put_list(&self.duties.duties, into);
        self.findings.len().put(into);
        for (finding, address) in &self.findings {
            let PropertyFinding { broken: BrokenProperty { property, text, by }, count, .. } = finding;
            put_text(property, into);
            put_text(text, into);
            u8::from(by.is_some()).put(into);
            by.unwrap_or(MoveId { step: 0, outcome: 0 }).put(into);
            count.put(into);
            address.put(into);
        }
        for part in &self.parts {
            let (digests, origins, table) = part.shard.parts();
            put_list(digests, into);
            put_list(origins, into);
            table.put(into);
            put_packed(&part.gained, into);
            part.resolved.capacity().put(into);
            let ConfigurationGraph { labels, ends, moves, .. } = &part.graph;
            put_list(labels, into);
            put_list(ends, into);
            put_list(moves, into);
        }
        for chunk in chunks {
            capacities(chunk).into_iter().for_each(|number| number.put(into));
        }
        bytes
    }

    /// Sets the state that [`save`](Self::save) wrote for a search of the same model and limits.
    pub(crate) fn load(&mut self, bytes: &[u8], chunks: &mut [ExpandedChunk]) -> Result<Level, NotASearch> {
        // No list can take more memory than the search may.
        let room = self.limits.bytes.max(4 * bytes.len() as u64);
        let mut from = Reader(bytes);
        if from.one::<u64>()? != VERSION || from.one::<u64>()? != u64::from(self.limits.keep_graph) {
            return Err(NotASearch);
        }
        let mut numbers = [0_u64; 9];
        for number in &mut numbers {
            *number = from.one()?;
        }
        let [transitions, expanded, depth, complete_levels, packed_bytes, peak_bytes, broken_moves, each, at] =
            numbers;
        let narrow = |number: u64| u32::try_from(number).map_err(|_| NotASearch);
        (self.transitions, self.expanded, self.depth) = (transitions, expanded, narrow(depth)?);
        (self.complete_levels, self.packed_bytes) = (narrow(complete_levels)?, packed_bytes);
        (self.peak_bytes, self.broken_moves, self.bytes_a_source) = (peak_bytes, broken_moves, each.max(1));
        let level = Level { frontier: from.packed(room)?, at: at as usize };
        if level.at > level.frontier.len() {
            return Err(NotASearch);
        }
        self.frontier = from.packed(room)?;
        self.kept = from.packed(room)?;
        self.starts = from.list(room)?;
        self.duties.duties = from.list(room)?;
        let findings: usize = from.one()?;
        self.findings.clear();
        for _ in 0..findings {
            // There is one name per property.
            let property: &'static str = from.text()?.leak();
            let text = from.text()?;
            let (has_move, by): (u8, MoveId) = (from.one()?, from.one()?);
            let broken = BrokenProperty { property, text, by: (has_move != 0).then_some(by) };
            let (count, address) = (from.one()?, from.one()?);
            self.findings.push((PropertyFinding { broken, configuration: 0, count }, address));
        }
        for part in &mut self.parts {
            let (digests, origins) = (from.list(room)?, from.list(room)?);
            let table: usize = from.one()?;
            if table as u64 > room || !part.shard.set(digests, origins, table) {
                return Err(NotASearch);
            }
            part.gained = from.packed(room)?;
            let resolved: usize = from.one()?;
            if resolved as u64 > room {
                return Err(NotASearch);
            }
            part.resolved.reserve_exact(resolved);
            let (labels, ends, moves) = (from.list(room)?, from.list(room)?, from.list(room)?);
            part.graph = ConfigurationGraph { labels, ends, moves, ..ConfigurationGraph::default() };
        }
        for chunk in chunks {
            let mut numbers = vec![0_usize; capacities(chunk).len()];
            for number in &mut numbers {
                *number = from.one()?;
            }
            if numbers.iter().any(|&number| number as u64 > room) {
                return Err(NotASearch);
            }
            set_capacities(chunk, numbers.into_iter());
        }
        let lengths: Vec<usize> = self.parts.iter().map(|part| part.shard.len()).collect();
        let is_known = |address: &Address| lengths[address.shard()] > address.place();
        let lists = [&level.frontier, &self.frontier, &self.kept];
        let is_sound = from.0.is_empty()
            && lists.iter().all(|list| list.addresses.iter().all(is_known))
            && self.starts.iter().all(is_known)
            && self.findings.iter().all(|(_, address)| is_known(address))
            && self.parts.iter().all(|part| part.shard.parts().1.iter().all(|origin| is_known(&origin.from)))
            && self.parts.len() == SHARDS;
        if is_sound { Ok(level) } else { Err(NotASearch) }
    }
}
