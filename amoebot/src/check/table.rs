//! What the bytes of a state stand for.

use std::hash::Hash;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{PoisonError, RwLock};

use acrasin_runtime::Digest;
use hashbrown::HashTable;

/// Parts of a table: threads seldom wait for each other.
const PARTS: usize = 64;

/// Values by digest, of 128 bits, as the search tells states apart: in the bytes of a state a digest stands for its value.
/// So they do not depend on which thread met the value first, as numbers would.
pub(crate) struct Table<T> {
    parts: Vec<RwLock<Part<T>>>,
    /// How many values there are.
    values: AtomicU64,
    /// Bytes that a value takes, with what it owns elsewhere.
    bytes_each: usize,
    /// What one owns besides, if that differs from value to value.
    owned: fn(&T) -> usize,
    /// That of all values.
    owned_by_all: AtomicU64,
}

type Part<T> = HashTable<(Digest, T)>;

/// A digest is its own hash. The lowest bits say which part.
fn hash(digest: Digest) -> u64 {
    (digest.0 >> 64) as u64
}

impl<T: Clone + Hash> Table<T> {
    /// Of values that own so many bytes elsewhere.
    pub(crate) fn of_values_that_own(bytes: usize) -> Self {
        let bytes_each = size_of::<(Digest, T)>() + 1 + bytes;
        let parts = (0..PARTS).map(|_| RwLock::default()).collect();
        Self { parts, values: AtomicU64::new(0), bytes_each, owned: |_| 0, owned_by_all: AtomicU64::new(0) }
    }

    /// Of values that own what this says elsewhere.
    pub(crate) fn of_values_that_own_each(owned: fn(&T) -> usize) -> Self {
        Self { owned, ..Self::of_values_that_own(0) }
    }

    /// Appends what stands for the value.
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

    /// The value that stands at the beginning of `from`, which is shortened by that.
    ///
    /// # Panics
    ///
    /// Panics if it was not packed by this table.
    pub(crate) fn unpack(&self, from: &mut &[u8]) -> T {
        let (digest, rest) = from.split_first_chunk().expect("a digest");
        *from = rest;
        let digest = Digest(u128::from_le_bytes(*digest));
        let part = self.part(digest).read().unwrap_or_else(PoisonError::into_inner);
        let found = part.find(hash(digest), |(other, _)| *other == digest);
        found.expect("a value that was packed").1.clone()
    }

    /// The bytes of all values, of which there are the same whatever the order of the calls.
    pub(crate) fn bytes(&self) -> u64 {
        let values = self.values.load(Ordering::Relaxed);
        values * self.bytes_each as u64 + self.owned_by_all.load(Ordering::Relaxed)
    }

    fn part(&self, digest: Digest) -> &RwLock<Part<T>> {
        &self.parts[(digest.0 % PARTS as u128) as usize]
    }
}

/// Bytes of a digest.
pub(crate) const DIGEST_BYTES: usize = size_of::<Digest>();

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_packed_comes_back_and_is_held_once() {
        let table = Table::of_values_that_own(100);
        let words = ["a", "word", "a", "and another word"].map(str::to_owned);
        let mut packed = Vec::new();
        words.iter().for_each(|word| table.pack(word, &mut packed));
        assert_eq!(packed.len(), 4 * DIGEST_BYTES);
        let mut rest = &packed[..];
        assert_eq!([(); 4].map(|()| table.unpack(&mut rest)), words);
        assert!(rest.is_empty() && table.bytes() >= 300 && table.bytes() < 600);
        assert_eq!(packed[..DIGEST_BYTES], packed[2 * DIGEST_BYTES..3 * DIGEST_BYTES]);
    }
}
