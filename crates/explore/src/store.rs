//! The set of reached configurations, by digest, in shards that threads fill in parallel.

use hashbrown::HashTable;
use xxhash_rust::xxh3::xxh3_128;

use crate::model::MoveId;

/// The number of shards; a digest selects the shard. It is fixed, so the numbering of configurations does not depend on
/// the number of threads.
pub(crate) const SHARDS: usize = 32;
const SHARD_BITS: u32 = SHARDS.trailing_zeros();

/// The maximum number of configurations of a shard.
pub(crate) const SHARD_LEN_MAX: usize = 1 << (u32::BITS - SHARD_BITS);

/// The address of a configuration: its shard and its position there. Consecutive numbers are assigned after the
/// exploration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Address(pub(crate) u32);

impl Address {
    fn new(shard: usize, place: usize) -> Self {
        Self((shard << (u32::BITS - SHARD_BITS) | place) as u32)
    }
    pub(crate) fn shard(self) -> usize {
        (self.0 >> (u32::BITS - SHARD_BITS)) as usize
    }
    pub(crate) fn place(self) -> usize {
        self.0 as usize & (SHARD_LEN_MAX - 1)
    }
}

/// The digest of a configuration: 128 bits of XXH3. The probability that two of n configurations share a digest is
/// below n² / 2^129.
pub(crate) fn digest(configuration: &[u8]) -> u128 {
    xxh3_128(configuration)
}

/// The shard of a digest: its highest bits. The hash table in the shard uses the lowest bits.
pub(crate) fn shard_of(digest: u128) -> usize {
    (digest >> (u128::BITS - SHARD_BITS)) as usize
}

/// The predecessor from which a configuration was first reached, and the move from there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct MoveOrigin {
    pub(crate) from: Address,
    pub(crate) by: MoveId,
}

/// A part of the set of configurations.
#[derive(Debug)]
pub(crate) struct Shard {
    index: usize,
    /// The digests, stored separately from `origins`, because a struct of both would be padded to 32 bytes.
    digests: Vec<u128>,
    table: HashTable<u32>,
    /// The origin of each configuration; an initial one is its own origin.
    origins: Vec<MoveOrigin>,
}

impl Shard {
    pub(crate) fn new(index: usize) -> Self {
        Self { index, digests: Vec::new(), table: HashTable::new(), origins: Vec::new() }
    }

    pub(crate) fn address(&self, place: usize) -> Address {
        Address::new(self.index, place)
    }

    pub(crate) fn len(&self) -> usize {
        self.digests.len()
    }

    /// The digests, the origins, and the capacity of the table.
    pub(crate) fn parts(&self) -> (&Vec<u128>, &Vec<MoveOrigin>, usize) {
        (&self.digests, &self.origins, self.table.capacity())
    }

    /// Sets the configurations. Returns false if they do not belong to this shard.
    pub(crate) fn set(&mut self, digests: Vec<u128>, origins: Vec<MoveOrigin>, capacity: usize) -> bool {
        let is_own = |&digest: &u128| shard_of(digest) == self.index;
        if digests.len() != origins.len() || digests.len() > SHARD_LEN_MAX || !digests.iter().all(is_own) {
            return false;
        }
        let mut table = HashTable::with_capacity(capacity);
        for (place, &digest) in (0..).zip(&digests) {
            let digests = &digests;
            table.insert_unique(digest as u64, place, |&place: &u32| digests[place as usize] as u64);
        }
        (self.digests, self.origins, self.table) = (digests, origins, table);
        true
    }

    /// Inserts a configuration. Returns its address, and whether it is new.
    pub(crate) fn insert(&mut self, digest: u128, origin: Option<MoveOrigin>) -> (Address, bool) {
        let digests = &self.digests;
        let entry = self.table.entry(
            digest as u64,
            |&place| digests[place as usize] == digest,
            |&place| digests[place as usize] as u64,
        );
        match entry {
            hashbrown::hash_table::Entry::Occupied(found) => {
                (Address::new(self.index, *found.get() as usize), false)
            }
            hashbrown::hash_table::Entry::Vacant(vacant) => {
                let place = self.digests.len();
                let address = Address::new(self.index, place);
                vacant.insert(place as u32);
                self.digests.push(digest);
                self.origins
                    .push(origin.unwrap_or(MoveOrigin { from: address, by: MoveId { step: 0, outcome: 0 } }));
                (address, true)
            }
        }
    }

    /// The origin of a configuration; `None` if it is initial.
    pub(crate) fn origin(&self, place: usize) -> Option<MoveOrigin> {
        let origin = self.origins[place];
        (origin.from != Address::new(self.index, place)).then_some(origin)
    }

    pub(crate) fn bytes(&self) -> u64 {
        let vectors =
            self.digests.capacity() * size_of::<u128>() + self.origins.capacity() * size_of::<MoveOrigin>();
        (vectors + self.table.allocation_size()) as u64
    }

    /// Reserves room for `more` configurations, growing by an eighth, because doubling would temporarily need three
    /// times the memory.
    pub(crate) fn reserve(&mut self, more: usize) {
        let needed = self.len() + more;
        if needed > self.digests.capacity() {
            let capacity = grown(needed);
            self.digests.reserve_exact(capacity - self.len());
            self.origins.reserve_exact(capacity - self.len());
        }
        let digests = &self.digests;
        self.table.reserve(more, |&place| digests[place as usize] as u64);
    }

    /// The peak memory of [`reserve`](Self::reserve) in bytes beyond the current use, while old and new storage both
    /// exist.
    pub(crate) fn reserve_peak(&self, more: usize) -> u64 {
        let needed = self.len() + more;
        let mut bytes = 0;
        if needed > self.digests.capacity() {
            bytes += grown(needed) * (size_of::<u128>() + size_of::<MoveOrigin>());
        }
        if needed > self.table.capacity() {
            // Buckets are a power of two, at most 7/8 full, with four bytes and one control byte each.
            bytes += (needed * 8 / 7 + 1).next_power_of_two().max(16) * 5;
        }
        bytes as u64
    }
}

fn grown(needed: usize) -> usize {
    (needed + needed / 8).max(64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_configuration_is_new_once() {
        let mut shard = Shard::new(3);
        shard.reserve(100);
        for i in 0..100_u128 {
            let origin = MoveOrigin { from: Address(7), by: MoveId { step: i as u16, outcome: 1 } };
            assert_eq!(shard.insert(i, Some(origin)), (Address::new(3, i as usize), true));
            assert_eq!(shard.origin(i as usize), Some(origin));
        }
        for i in 0..100_u128 {
            assert_eq!(shard.insert(i, None), (Address::new(3, i as usize), false));
        }
        let (start, new) = shard.insert(1 << 127, None);
        assert_eq!((new, start.shard(), start.place(), shard.origin(100)), (true, 3, 100, None));
    }

    #[test]
    fn room_is_foreseen() {
        let mut shard = Shard::new(0);
        let mut digest = 0_u128;
        for more in [1, 10, 100, 1000, 20_000] {
            let (before, peak) = (shard.bytes(), shard.reserve_peak(more));
            shard.reserve(more);
            assert!(shard.bytes() <= before + peak, "{} after {before}, foreseen {peak} more", shard.bytes());
            let full = shard.bytes();
            for _ in 0..more {
                shard.insert(digest, None);
                digest += 1;
            }
            assert_eq!(shard.bytes(), full, "no allocation after reserve");
        }
    }
}
