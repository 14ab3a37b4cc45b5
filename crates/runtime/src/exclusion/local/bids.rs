//! [`Bids`]: `P`, the priorities that arrived in a round, in compact form.

use std::fmt;
use std::hash::{Hash, Hasher};

use super::Priority;
use crate::port::Port;

/// A sorted set of pairs: a port, and the priority that arrived by it.
///
/// Up to ten pairs are stored inline while ports are below 16 and priorities below 4096, as on every graph of degree 9
/// or less with the usual K. Otherwise the pairs are a list on the heap. Equality and hashing do not depend on the
/// storage.
#[derive(Clone)]
pub struct Bids(BidStorage);

/// The number of pairs that are stored inline.
const FEW: usize = 10;

#[derive(Clone)]
enum BidStorage {
    /// Each pair as one number, with the port above the priority, so numbers have the order of the pairs.
    Few { count: u8, pairs: [u16; FEW] },
    // Boxed, so that the usual case is small.
    #[allow(clippy::box_collection)]
    Many(Box<Vec<(Port, Priority)>>),
}

/// The number of bits of an inline priority.
const PRIORITY_BITS: u32 = 12;

#[inline]
fn joined((port, Priority(priority)): (Port, Priority)) -> Option<u16> {
    (port.0 < 1 << (u16::BITS - PRIORITY_BITS) && priority < 1 << PRIORITY_BITS)
        .then_some(port.0 << PRIORITY_BITS | priority as u16)
}

#[inline]
fn parted(pair: u16) -> (Port, Priority) {
    (Port(pair >> PRIORITY_BITS), Priority(u32::from(pair & ((1 << PRIORITY_BITS) - 1))))
}

impl Bids {
    /// Creates an empty set.
    #[inline]
    #[must_use]
    pub const fn new() -> Self {
        Self(BidStorage::Few { count: 0, pairs: [0; FEW] })
    }

    /// The number of pairs.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        match &self.0 {
            BidStorage::Few { count, .. } => (*count).into(),
            BidStorage::Many(pairs) => pairs.len(),
        }
    }

    /// Whether there is no pair.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The pairs in increasing order of port, then of priority.
    pub fn iter(&self) -> impl Iterator<Item = (Port, Priority)> + '_ {
        let (few, many) = match &self.0 {
            BidStorage::Few { count, pairs } => (&pairs[..usize::from(*count)], &[][..]),
            BidStorage::Many(pairs) => (&[][..], &pairs[..]),
        };
        few.iter().map(|&pair| parted(pair)).chain(many.iter().copied())
    }

    /// Adds a pair, unless it is present.
    #[inline(always)] // Nearly one action of three.
    pub fn insert(&mut self, pair: (Port, Priority)) {
        if let BidStorage::Few { count, pairs } = &mut self.0
            && usize::from(*count) < FEW
            && let Some(new) = joined(pair)
        {
            let present = &pairs[..usize::from(*count)];
            if present.contains(&new) {
                return;
            }
            let mut place = usize::from(*count);
            while place > 0 && pairs[place - 1] > new {
                pairs[place] = pairs[place - 1];
                place -= 1;
            }
            pairs[place] = new;
            *count += 1;
        } else {
            self.insert_beyond(pair);
        }
    }

    #[cold]
    fn insert_beyond(&mut self, pair: (Port, Priority)) {
        let pairs = self.listed();
        if let Err(place) = pairs.binary_search(&pair) {
            if pairs.len() == pairs.capacity() {
                // Grow in small steps: a node never has more pairs than competing neighbours.
                pairs.reserve_exact(1 + pairs.len() / 8);
            }
            pairs.insert(place, pair);
        }
    }

    fn listed(&mut self) -> &mut Vec<(Port, Priority)> {
        if let BidStorage::Few { .. } = self.0 {
            self.0 = BidStorage::Many(Box::new(self.iter().collect()));
        }
        match &mut self.0 {
            BidStorage::Many(pairs) => pairs,
            BidStorage::Few { .. } => unreachable!("just listed"),
        }
    }

    /// Removes all pairs.
    #[inline]
    pub fn clear(&mut self) {
        match &mut self.0 {
            BidStorage::Few { count, .. } => *count = 0,
            BidStorage::Many(pairs) => pairs.clear(),
        }
    }

    /// Keeps the pairs whose port satisfies `wanted`.
    pub fn retain(&mut self, wanted: impl Fn(Port) -> bool) {
        if self.iter().any(|(port, _)| !wanted(port)) {
            *self = self.iter().filter(|&(port, _)| wanted(port)).collect();
        }
    }

    /// The port with the highest priority; `None` if several ports have it, or if there are no pairs.
    #[inline]
    #[must_use]
    pub fn unique_highest(&self) -> Option<Port> {
        fn among(mut pairs: impl Iterator<Item = (Port, Priority)>) -> Option<Port> {
            let (mut holder, mut highest) = pairs.next()?;
            let mut is_unique = true;
            for (port, priority) in pairs {
                if priority >= highest {
                    is_unique = priority > highest;
                    (holder, highest) = (port, priority);
                }
            }
            is_unique.then_some(holder)
        }
        match &self.0 {
            BidStorage::Few { count, pairs } => {
                among(pairs[..usize::from(*count)].iter().map(|&pair| parted(pair)))
            }
            BidStorage::Many(pairs) => among(pairs.iter().copied()),
        }
    }

    /// The heap memory of the pairs in bytes, in addition to the 24 bytes of the value itself.
    pub(super) fn heap_bytes(&self) -> usize {
        match &self.0 {
            BidStorage::Few { .. } => 0,
            BidStorage::Many(pairs) => {
                size_of::<Vec<(Port, Priority)>>() + pairs.capacity() * size_of::<(Port, Priority)>()
            }
        }
    }
}

impl Default for Bids {
    fn default() -> Self {
        Self::new()
    }
}

impl FromIterator<(Port, Priority)> for Bids {
    fn from_iter<I: IntoIterator<Item = (Port, Priority)>>(pairs: I) -> Self {
        let mut bids = Self::new();
        pairs.into_iter().for_each(|pair| bids.insert(pair));
        bids
    }
}

impl PartialEq for Bids {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().eq(other.iter())
    }
}

impl Eq for Bids {}

/// Hashed as a list of pairs.
impl Hash for Bids {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_usize(self.len());
        self.iter().for_each(|pair| pair.hash(state));
    }
}

impl fmt::Debug for Bids {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::digest::Digest;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    #[test]
    fn they_are_twenty_four_bytes() {
        assert_eq!(size_of::<Bids>(), 24);
    }

    proptest! {
        /// Bids behave like a sorted set, on both sides of each limit: port 16, priority 4096, ten pairs.
        #[test]
        fn behave_like_a_sorted_set(pairs in prop::collection::vec((0..18_u16, prop_oneof![0..4_u32, 4095..4098_u32]), 0..14), without in 0..18_u16) {
            let pairs: Vec<_> = pairs.into_iter().map(|(port, priority)| (Port(port), Priority(priority))).collect();
            let mut model: BTreeSet<_> = pairs.iter().copied().collect();
            let mut bids: Bids = pairs.iter().copied().collect();
            prop_assert!(bids.iter().eq(model.iter().copied()));
            prop_assert_eq!(bids.len(), model.len());
            let list: Vec<_> = model.iter().copied().collect();
            prop_assert_eq!(Digest::of(&bids), Digest::of(&list));
            let highest = list.iter().map(|&(_, priority)| priority).max();
            let mut holders = list.iter().filter(|&&(_, priority)| Some(priority) == highest);
            let unique = holders.next().filter(|_| holders.next().is_none()).map(|&(port, _)| port);
            prop_assert_eq!(bids.unique_highest(), unique);
            bids.retain(|port| port.0 != without);
            model.retain(|&(port, _)| port.0 != without);
            prop_assert!(bids == model.into_iter().collect());
            bids.clear();
            prop_assert!(bids == Bids::new());
        }
    }
}
