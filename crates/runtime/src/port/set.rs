//! [`PortSet`]: a set of ports in 16 bytes.

use std::fmt;
use std::hash::{Hash, Hasher};

use super::{Iter, Port, PortsRef};

/// A set of ports: one machine word while all ports are below 64, otherwise a vector of words.
///
/// Equality and hashing depend on the elements only, not on the storage. All operations take O(1) for ports below 64
/// and O(Δ / 64) otherwise.
///
/// Written here because no bit-set library was found that stores the small case inline in 16 bytes and compares by
/// content. Sets in the memory of a node are stored more compactly; [`PortsRef`] reads both.
pub struct PortSet(SetWords);

enum SetWords {
    Small(u64),
    // Boxed twice, so that a set takes 16 bytes: large sets are rare.
    #[allow(clippy::box_collection)]
    Large(Box<Vec<u64>>),
}

impl Clone for PortSet {
    #[inline]
    fn clone(&self) -> Self {
        match &self.0 {
            SetWords::Small(word) => Self(SetWords::Small(*word)),
            SetWords::Large(words) => Self(SetWords::Large(words.clone())),
        }
    }
    #[inline]
    fn clone_from(&mut self, other: &Self) {
        match (&mut self.0, &other.0) {
            (SetWords::Small(mine), SetWords::Small(theirs)) => *mine = *theirs,
            _ => self.replace_by(other),
        }
    }
}

impl PortSet {
    /// Creates an empty set.
    #[inline]
    #[must_use]
    pub const fn new() -> Self {
        Self(SetWords::Small(0))
    }

    /// Creates a set with one element.
    #[inline]
    #[must_use]
    pub fn from_port(port: Port) -> Self {
        let mut set = Self::new();
        set.insert(port);
        set
    }

    /// The set as a [`PortsRef`].
    #[inline]
    #[must_use]
    pub fn as_ports(&self) -> PortsRef<'_> {
        match &self.0 {
            SetWords::Small(word) => PortsRef::of_word(*word),
            SetWords::Large(words) => PortsRef::of_words(words),
        }
    }

    #[inline]
    fn words(&self) -> &[u64] {
        match &self.0 {
            SetWords::Small(word) => std::slice::from_ref(word),
            SetWords::Large(words) => words,
        }
    }

    #[inline]
    fn words_mut(&mut self) -> &mut [u64] {
        match &mut self.0 {
            SetWords::Small(word) => std::slice::from_mut(word),
            SetWords::Large(words) => words,
        }
    }

    #[cold]
    fn replace_by(&mut self, other: &Self) {
        *self = other.clone();
    }

    fn reserve_words(&mut self, count: usize) -> &mut [u64] {
        if count > 1 {
            if let SetWords::Small(word) = self.0 {
                self.0 = SetWords::Large(Box::new(vec![word]));
            }
            if let SetWords::Large(words) = &mut self.0
                && words.len() < count
            {
                words.resize(count, 0);
            }
        }
        self.words_mut()
    }

    /// The set whose bits are these words, which have no trailing zeros unless there is only one word.
    pub(crate) fn from_words(words: &[u64]) -> Self {
        match words {
            [] => Self::new(),
            [word] => Self(SetWords::Small(*word)),
            words => Self(SetWords::Large(Box::new(words.to_vec()))),
        }
    }

    /// The set of the ports below 64 whose bits are set.
    #[inline]
    pub(crate) const fn of_word(word: u64) -> Self {
        Self(SetWords::Small(word))
    }

    /// The set as one word, if it is stored as one. Nearly all sets are.
    #[inline]
    pub(crate) fn word(&self) -> Option<u64> {
        match self.0 {
            SetWords::Small(word) => Some(word),
            SetWords::Large(_) => None,
        }
    }

    /// Mutable access to the set as one word, if it is stored as one.
    #[inline]
    pub(crate) fn word_mut(&mut self) -> Option<&mut u64> {
        match &mut self.0 {
            SetWords::Small(word) => Some(word),
            SetWords::Large(_) => None,
        }
    }

    /// The words without trailing zeros, so that equal sets compare equal.
    #[inline]
    pub(crate) fn trimmed(&self) -> &[u64] {
        let words = self.words();
        let len = words.iter().rposition(|&word| word != 0).map_or(0, |last| last + 1);
        &words[..len]
    }

    /// Whether `port` is in the set.
    #[inline]
    #[must_use]
    pub fn contains(&self, port: Port) -> bool {
        let (word, bit) = split(port);
        if let SetWords::Small(only) = self.0 {
            return word == 0 && only & bit != 0;
        }
        self.words().get(word).is_some_and(|&w| w & bit != 0)
    }

    /// Adds `port`; true if it was not in the set.
    #[inline]
    pub fn insert(&mut self, port: Port) -> bool {
        match (&mut self.0, split(port)) {
            (SetWords::Small(only), (0, bit)) => {
                let added = *only & bit == 0;
                *only |= bit;
                added
            }
            _ => self.insert_beyond(port),
        }
    }

    #[cold]
    fn insert_beyond(&mut self, port: Port) -> bool {
        let (word, bit) = split(port);
        let w = &mut self.reserve_words(word + 1)[word];
        let added = *w & bit == 0;
        *w |= bit;
        added
    }

    /// Removes `port`; true if it was in the set.
    #[inline]
    pub fn remove(&mut self, port: Port) -> bool {
        let (word, bit) = split(port);
        let w = match &mut self.0 {
            SetWords::Small(only) if word == 0 => only,
            SetWords::Small(_) => return false,
            SetWords::Large(words) => match words.get_mut(word) {
                Some(w) => w,
                None => return false,
            },
        };
        let removed = *w & bit != 0;
        *w &= !bit;
        removed
    }

    /// Removes all elements.
    #[inline]
    pub fn clear(&mut self) {
        match &mut self.0 {
            SetWords::Small(word) => *word = 0,
            SetWords::Large(words) => words.fill(0),
        }
    }

    /// Empties the set and returns its former elements.
    #[inline]
    pub fn take(&mut self) -> Self {
        std::mem::take(self)
    }

    /// Whether the set has no element.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        match &self.0 {
            SetWords::Small(word) => *word == 0,
            SetWords::Large(words) => words.iter().all(|&word| word == 0),
        }
    }

    /// The number of elements.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.as_ports().len()
    }

    /// Adds every element of `other`.
    #[inline]
    pub fn extend_from(&mut self, other: &Self) {
        if let (SetWords::Small(mine), SetWords::Small(theirs)) = (&mut self.0, &other.0) {
            *mine |= theirs;
            return;
        }
        let theirs = other.trimmed();
        let mine = self.reserve_words(theirs.len());
        for (mine, theirs) in mine.iter_mut().zip(theirs) {
            *mine |= theirs;
        }
    }

    /// Removes every element of `other`.
    #[inline]
    pub fn subtract(&mut self, other: &Self) {
        for (mine, theirs) in self.words_mut().iter_mut().zip(other.words()) {
            *mine &= !theirs;
        }
    }

    /// Whether every element is in `other`.
    #[inline]
    #[must_use]
    pub fn is_subset(&self, other: &Self) -> bool {
        if let (SetWords::Small(mine), SetWords::Small(theirs)) = (&self.0, &other.0) {
            return mine & !theirs == 0;
        }
        let theirs = other.words();
        self.trimmed().iter().enumerate().all(|(i, &word)| word & !theirs.get(i).copied().unwrap_or(0) == 0)
    }

    /// Whether the sets have no common element.
    #[inline]
    #[must_use]
    pub fn is_disjoint(&self, other: &Self) -> bool {
        if let (SetWords::Small(mine), SetWords::Small(theirs)) = (&self.0, &other.0) {
            return mine & theirs == 0;
        }
        self.words().iter().zip(other.words()).all(|(a, b)| a & b == 0)
    }

    /// The elements in increasing order.
    #[inline]
    pub fn iter(&self) -> Iter<'_> {
        match &self.0 {
            SetWords::Small(word) => Iter::of(*word, &[]),
            SetWords::Large(words) => Iter::of(0, words),
        }
    }

    /// The heap memory of the set in bytes, in addition to the 16 bytes of the value itself.
    #[must_use]
    pub fn heap_bytes(&self) -> usize {
        match &self.0 {
            SetWords::Small(_) => 0,
            SetWords::Large(words) => size_of::<Vec<u64>>() + words.capacity() * size_of::<u64>(),
        }
    }
}

#[inline]
fn split(port: Port) -> (usize, u64) {
    (usize::from(port.0 >> 6), 1 << (port.0 & 63))
}

impl Default for PortSet {
    fn default() -> Self {
        Self::new()
    }
}

impl PartialEq for PortSet {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (SetWords::Small(a), SetWords::Small(b)) => a == b,
            _ => self.trimmed() == other.trimmed(),
        }
    }
}

impl Eq for PortSet {}

impl Hash for PortSet {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // Word by word: a hasher takes slices of integers in the byte order of the machine.
        let words = self.trimmed();
        state.write_usize(words.len());
        for &word in words {
            state.write_u64(word);
        }
    }
}

impl fmt::Debug for PortSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// Written as `{0,1,5}`, as in the paper.
impl fmt::Display for PortSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("{")?;
        for (i, port) in self.iter().enumerate() {
            write!(f, "{}{port}", if i == 0 { "" } else { "," })?;
        }
        f.write_str("}")
    }
}

impl PartialEq<PortsRef<'_>> for PortSet {
    #[inline]
    fn eq(&self, other: &PortsRef<'_>) -> bool {
        self.as_ports() == *other
    }
}

impl PortsRef<'_> {
    /// An owned set with the same elements.
    #[inline]
    #[must_use]
    pub fn to_set(self) -> PortSet {
        match self.word() {
            Some(word) => PortSet::of_word(word),
            None => PortSet::from_words(self.trimmed()),
        }
    }
}

impl PartialEq<PortSet> for PortsRef<'_> {
    #[inline]
    fn eq(&self, other: &PortSet) -> bool {
        *self == other.as_ports()
    }
}

impl<'a> From<&'a PortSet> for PortsRef<'a> {
    fn from(set: &'a PortSet) -> Self {
        set.as_ports()
    }
}

impl FromIterator<Port> for PortSet {
    fn from_iter<I: IntoIterator<Item = Port>>(ports: I) -> Self {
        let mut set = Self::new();
        for port in ports {
            set.insert(port);
        }
        set
    }
}

impl<'a> IntoIterator for &'a PortSet {
    type Item = Port;
    type IntoIter = Iter<'a>;
    fn into_iter(self) -> Iter<'a> {
        self.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    #[test]
    fn a_set_is_sixteen_bytes() {
        assert_eq!(size_of::<PortSet>(), 16);
    }

    proptest! {
        #[test]
        fn behaves_like_a_set(operations in prop::collection::vec((0..3_u8, prop_oneof![0..70_u16, Just(4095), Just(u16::MAX)]), 0..60)) {
            let (mut set, mut model) = (PortSet::new(), BTreeSet::new());
            for (operation, port) in operations {
                match operation {
                    0 | 1 => assert_eq!(set.insert(Port(port)), model.insert(port)),
                    _ => assert_eq!(set.remove(Port(port)), model.remove(&port)),
                }
                prop_assert_eq!(set.len(), model.len());
                prop_assert_eq!(set.is_empty(), model.is_empty());
            }
            prop_assert!(set.iter().map(|port| port.0).eq(model.iter().copied()));
            let rebuilt: PortSet = model.iter().map(|&port| Port(port)).collect();
            prop_assert_eq!(&set, &rebuilt);
            prop_assert_eq!(crate::digest::Digest::of(&set), crate::digest::Digest::of(&rebuilt));
        }

        #[test]
        fn set_algebra(a in prop::collection::btree_set(0..200_u16, 0..20), b in prop::collection::btree_set(0..200_u16, 0..20)) {
            let set = |ports: &BTreeSet<u16>| ports.iter().map(|&port| Port(port)).collect::<PortSet>();
            let mut union = set(&a);
            union.extend_from(&set(&b));
            prop_assert_eq!(union, set(&(&a | &b)));
            let mut difference = set(&a);
            difference.subtract(&set(&b));
            prop_assert_eq!(&difference, &set(&(&a - &b)));
            prop_assert!(difference.is_disjoint(&set(&b)));
            prop_assert_eq!(set(&a).is_subset(&set(&b)), a.is_subset(&b));
        }
    }
}
