//! [`PortSets`]: several sets of the ports of one node, stored together.

use super::{Port, PortSet, PortsRef};

/// `N` sets of ports, addressed by index. Each takes two bytes while all ports are below 16, and is a
/// [`PortSet`] otherwise.
///
/// Equality depends on the elements only, not on the storage. A step of [`World`](crate::World) reads and writes a few
/// sets of one node, so its speed depends on the number of cache lines. Seven sets of a node of degree 6 take 16 bytes,
/// as much as one [`PortSet`].
#[derive(Clone)]
pub(crate) struct PortSets<const N: usize>(SetStorage<N>);

#[derive(Clone)]
enum SetStorage<const N: usize> {
    Narrow([u16; N]),
    // Boxed, so that the usual case is small.
    Wide(Box<[PortSet; N]>),
}

impl<const N: usize> PortSets<N> {
    /// Ports below this fit in two bytes per set.
    const NARROW: u16 = u16::BITS as u16;

    /// Creates `N` empty sets.
    #[inline]
    pub(crate) const fn new() -> Self {
        Self(SetStorage::Narrow([0; N]))
    }

    /// The sets as 16-bit words, if all ports are below 16.
    #[inline]
    pub(crate) const fn words(&self) -> Option<&[u16; N]> {
        match &self.0 {
            SetStorage::Narrow(words) => Some(words),
            SetStorage::Wide(_) => None,
        }
    }

    /// The set at this index, below `N`.
    #[inline]
    pub(crate) fn get(&self, place: usize) -> PortsRef<'_> {
        match &self.0 {
            SetStorage::Narrow(words) => PortsRef::of_word(words[place].into()),
            SetStorage::Wide(sets) => sets[place].as_ports(),
        }
    }

    /// Mutable access to the set at this index, below `N`.
    #[inline]
    pub(crate) fn get_mut(&mut self, place: usize) -> PortsMut<'_, N> {
        PortsMut { sets: self, place }
    }

    /// All sets, in the order of their indices.
    pub(crate) fn iter(&self) -> impl Iterator<Item = PortsRef<'_>> {
        (0..N).map(|place| self.get(place))
    }

    #[cold]
    fn widened(&mut self) -> &mut [PortSet; N] {
        if let SetStorage::Narrow(words) = self.0 {
            self.0 = SetStorage::Wide(Box::new(words.map(|word| PortSet::of_word(word.into()))));
        }
        match &mut self.0 {
            SetStorage::Wide(sets) => sets,
            SetStorage::Narrow(_) => unreachable!("just widened"),
        }
    }

    /// Heap memory of the sets in bytes.
    pub(crate) fn heap_bytes(&self) -> usize {
        match &self.0 {
            SetStorage::Narrow(_) => 0,
            SetStorage::Wide(sets) => {
                size_of::<[PortSet; N]>() + sets.iter().map(PortSet::heap_bytes).sum::<usize>()
            }
        }
    }
}

impl<const N: usize> Default for PortSets<N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const N: usize> PartialEq for PortSets<N> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (SetStorage::Narrow(mine), SetStorage::Narrow(theirs)) => mine == theirs,
            _ => self.iter().eq(other.iter()),
        }
    }
}

impl<const N: usize> Eq for PortSets<N> {}

/// Mutable access to one of the sets of ports that a node stores together.
pub struct PortsMut<'a, const N: usize> {
    sets: &'a mut PortSets<N>,
    place: usize,
}

impl<const N: usize> PortsMut<'_, N> {
    /// Adds `port`; true if it was not in the set.
    #[inline(always)] // Most actions do this or the next.
    pub fn insert(self, port: Port) -> bool {
        if let SetStorage::Narrow(words) = &mut self.sets.0
            && port.0 < PortSets::<N>::NARROW
        {
            let word = &mut words[self.place];
            let bit = 1 << port.0;
            let added = *word & bit == 0;
            *word |= bit;
            return added;
        }
        self.sets.widened()[self.place].insert(port)
    }

    /// Removes `port`; true if it was in the set.
    #[inline(always)]
    pub fn remove(self, port: Port) -> bool {
        match &mut self.sets.0 {
            SetStorage::Narrow(_) if port.0 >= PortSets::<N>::NARROW => false,
            SetStorage::Narrow(words) => {
                let word = &mut words[self.place];
                let bit = 1 << port.0;
                let removed = *word & bit != 0;
                *word &= !bit;
                removed
            }
            SetStorage::Wide(sets) => sets[self.place].remove(port),
        }
    }

    /// Removes all elements.
    #[inline]
    pub fn clear(self) {
        match &mut self.sets.0 {
            SetStorage::Narrow(words) => words[self.place] = 0,
            SetStorage::Wide(sets) => sets[self.place].clear(),
        }
    }

    /// Empties the set and returns its former elements.
    #[inline]
    #[must_use]
    pub fn take(self) -> PortSet {
        match &mut self.sets.0 {
            SetStorage::Narrow(words) => PortSet::of_word(std::mem::take(&mut words[self.place]).into()),
            SetStorage::Wide(sets) => sets[self.place].take(),
        }
    }

    /// Replaces the set by `other`.
    #[inline]
    pub fn assign(self, other: PortsRef<'_>) {
        if let SetStorage::Narrow(words) = &mut self.sets.0
            && let Some(word) = other.word().and_then(|word| u16::try_from(word).ok())
        {
            words[self.place] = word;
        } else {
            self.sets.widened()[self.place] = other.to_set();
        }
    }

    /// Adds every element of `other`.
    #[inline]
    pub fn extend_from(self, other: &PortSet) {
        if let SetStorage::Narrow(words) = &mut self.sets.0
            && let Some(word) = other.word().and_then(|word| u16::try_from(word).ok())
        {
            words[self.place] |= word;
        } else {
            self.sets.widened()[self.place].extend_from(other);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    #[test]
    fn seven_sets_are_sixteen_bytes() {
        assert_eq!(size_of::<PortSets<7>>(), 16);
    }

    proptest! {
        /// The sets behave like `BTreeSet`s in both kinds of storage, whenever the storage changes.
        #[test]
        fn behave_like_sets(operations in prop::collection::vec((0..2_usize, 0..6_u8, prop_oneof![0..20_u16, Just(63), Just(64), Just(400)]), 0..60)) {
            let (mut sets, mut models) = (PortSets::<2>::new(), [BTreeSet::new(), BTreeSet::new()]);
            for (place, operation, port) in operations {
                let other = models[1 - place].clone();
                let (set, model) = (sets.clone().get(1 - place).to_set(), &mut models[place]);
                match operation {
                    0 | 1 => assert_eq!(sets.get_mut(place).insert(Port(port)), model.insert(port)),
                    2 => assert_eq!(sets.get_mut(place).remove(Port(port)), model.remove(&port)),
                    3 => {
                        sets.get_mut(place).assign(set.as_ports());
                        *model = other;
                    }
                    4 => {
                        sets.get_mut(place).extend_from(&set);
                        model.extend(other);
                    }
                    _ => {
                        let taken = sets.get_mut(place).take();
                        prop_assert!(taken.iter().map(|port| port.0).eq(std::mem::take(model)));
                    }
                }
                prop_assert_eq!(sets.get(place).len(), models[place].len());
            }
            let mut rebuilt = PortSets::<2>::new();
            for (place, model) in models.iter().enumerate() {
                prop_assert!(sets.get(place).iter().map(|port| port.0).eq(model.iter().copied()));
                model.iter().for_each(|&port| { rebuilt.get_mut(place).insert(Port(port)); });
            }
            prop_assert!(rebuilt == sets);
        }
    }
}
