//! Tables of the values to which the bytes of states refer.

use std::hash::Hash;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{PoisonError, RwLock};

use acrasin_runtime::{Digest, Pack, PackError};
use hashbrown::HashTable;

/// The number of shards of a table, large enough that threads rarely wait for each other.
const PARTS: usize = 64;

/// A table of values by their 128-bit digests. The bytes of a state contain the digest in place of the value. Unlike a
/// consecutive number, a digest does not depend on which thread found the value first.
pub(crate) struct ValueTable<T> {
    parts: Vec<RwLock<TableShard<T>>>,
    /// The number of values.
    values: AtomicU64,
    /// The number of bytes of a value, including its heap storage.
    bytes_each: usize,
    /// The additional heap bytes of a value, if they vary.
    owned: fn(&T) -> usize,
    /// The sum of the additional heap bytes over all values.
    owned_by_all: AtomicU64,
}

type TableShard<T> = HashTable<(Digest, T)>;

/// The hash of a digest, which is a part of the digest's bits. The lowest bits of a digest select the shard.
fn hash(digest: Digest) -> u64 {
    (digest.0 >> 64) as u64
}

impl<T: Clone + Hash> ValueTable<T> {
    /// A table of values with this many heap bytes each.
    pub(crate) fn of_values_that_own(bytes: usize) -> Self {
        let bytes_each = size_of::<(Digest, T)>() + 1 + bytes;
        let parts = (0..PARTS).map(|_| RwLock::default()).collect();
        Self { parts, values: AtomicU64::new(0), bytes_each, owned: |_| 0, owned_by_all: AtomicU64::new(0) }
    }

    /// A table of values; `owned` returns the heap bytes of each.
    pub(crate) fn of_values_that_own_each(owned: fn(&T) -> usize) -> Self {
        Self { owned, ..Self::of_values_that_own(0) }
    }

    /// Appends the digest of a value, and keeps the value.
    pub(crate) fn pack(&self, value: &T, into: &mut Vec<u8>) {
        let digest = Digest::of(value);
        let is_it = |(other, _): &(Digest, T)| *other == digest;
        let part = self.part(digest);
        if part.read().unwrap_or_else(PoisonError::into_inner).find(hash(digest), is_it).is_none() {
            let mut part = part.write().unwrap_or_else(PoisonError::into_inner);
            part.entry(hash(digest), is_it, |(other, _)| hash(*other)).or_insert_with(|| {
                self.values.fetch_add(1, Ordering::Relaxed);
                self.owned_by_all.fetch_add((self.owned)(value) as u64, Ordering::Relaxed);
                (digest, value.clone())
            });
        }
        into.extend_from_slice(&digest.0.to_le_bytes());
    }

    /// The value whose digest is at the beginning of `from`, which is removed there.
    ///
    /// # Panics
    ///
    /// Panics if this table did not pack the value.
    pub(crate) fn unpack(&self, from: &mut &[u8]) -> T {
        let (digest, rest) = from.split_first_chunk().expect("a digest");
        *from = rest;
        let digest = Digest(u128::from_le_bytes(*digest));
        let part = self.part(digest).read().unwrap_or_else(PoisonError::into_inner);
        let found = part.find(hash(digest), |(other, _)| *other == digest);
        found.expect("a value that was packed").1.clone()
    }

    /// Appends all values with their digests, in the order of the digests. Returns `false` if `save` returns `false`
    /// for a value.
    pub(crate) fn save(&self, save: &dyn Fn(&T, &mut Vec<u8>) -> bool, into: &mut Vec<u8>) -> bool {
        let parts: Vec<_> =
            self.parts.iter().map(|part| part.read().unwrap_or_else(PoisonError::into_inner)).collect();
        let mut all: Vec<&(Digest, T)> = parts.iter().flat_map(|part| part.iter()).collect();
        all.sort_unstable_by_key(|(digest, _)| digest.0);
        all.len().pack(into);
        all.into_iter().all(|(digest, value)| {
            digest.0.pack(into);
            save(value, into)
        })
    }

    /// Reads the values that [`save`](Self::save) wrote, and adds them to the table.
    pub(crate) fn load(
        &self,
        load: &dyn Fn(&mut &[u8]) -> Result<T, PackError>,
        from: &mut &[u8],
    ) -> Result<(), PackError> {
        for _ in 0..usize::unpack(from)? {
            let digest = u128::unpack(from)?;
            let value = load(from)?;
            if Digest::of(&value).0 != digest {
                return Err(PackError);
            }
            self.pack(&value, &mut Vec::new());
        }
        Ok(())
    }

    /// The bytes that all values take. The result does not depend on the order in which they were added.
    pub(crate) fn bytes(&self) -> u64 {
        let values = self.values.load(Ordering::Relaxed);
        values * self.bytes_each as u64 + self.owned_by_all.load(Ordering::Relaxed)
    }

    fn part(&self, digest: Digest) -> &RwLock<TableShard<T>> {
        &self.parts[(digest.0 % PARTS as u128) as usize]
    }
}

/// The number of bytes of a digest.
pub(crate) const DIGEST_BYTES: usize = size_of::<Digest>();

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_values_are_restored_and_kept_once() {
        let table = ValueTable::of_values_that_own(100);
        let words = ["a", "word", "a", "and another word"].map(str::to_owned);
        let mut packed = Vec::new();
        words.iter().for_each(|word| table.pack(word, &mut packed));
        assert_eq!(packed.len(), 4 * DIGEST_BYTES);
        let mut rest = &packed[..];
        assert_eq!([(); 4].map(|()| table.unpack(&mut rest)), words);
        assert!(rest.is_empty() && table.bytes() >= 300 && table.bytes() < 600);
        assert_eq!(packed[..DIGEST_BYTES], packed[2 * DIGEST_BYTES..3 * DIGEST_BYTES]);
        // Saved and loaded, the table has the same values.
        let save = |word: &String, into: &mut Vec<u8>| {
            word.as_bytes().to_vec().pack(into);
            true
        };
        let load = |from: &mut &[u8]| String::from_utf8(Pack::unpack(from)?).map_err(|_| PackError);
        let mut saved = Vec::new();
        assert!(table.save(&save, &mut saved) && !table.save(&|_, _| false, &mut Vec::new()));
        let other = ValueTable::of_values_that_own(100);
        let mut from = &saved[..];
        other.load(&load, &mut from).unwrap();
        let mut rest = &packed[..];
        assert_eq!([(); 4].map(|()| other.unpack(&mut rest)), words);
        assert_eq!((other.bytes(), from.len()), (table.bytes(), 0));
        // A value that does not match its digest is refused.
        *saved.last_mut().unwrap() ^= 1;
        other.load(&load, &mut &saved[..]).unwrap_err();
    }
}
