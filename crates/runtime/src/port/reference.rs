//! A set of ports that is kept elsewhere, to read.

use std::fmt;
use std::hash::{Hash, Hasher};

use super::{Iter, Port, PortSet};

/// A set of ports to read: a [`PortSet`], or one of several sets that a node keeps together.
///
/// Equality and hashing are those of the set. All operations take O(1) for ports below 64 and O(Δ / 64) otherwise.
#[derive(Clone, Copy)]
pub struct PortsRef<'a>(View<'a>);

#[derive(Clone, Copy)]
enum View<'a> {
    Word(u64),
    Words(&'a [u64]),
}

impl<'a> PortsRef<'a> {
    #[inline]
    pub(crate) const fn of_word(word: u64) -> Self {
        Self(View::Word(word))
    }

    /// The set with the elements of these words.
    #[inline]
    pub(crate) const fn of_words(words: &'a [u64]) -> Self {
        match words {
            [] => Self(View::Word(0)),
            [word] => Self(View::Word(*word)),
            words => Self(View::Words(words)),
        }
    }

    /// The set as one word, if it is kept as one: nearly always.
    #[inline]
    pub(crate) const fn word(self) -> Option<u64> {
        match self.0 {
            View::Word(word) => Some(word),
            View::Words(_) => None,
        }
    }

    #[inline]
    fn words(&self) -> &[u64] {
        match &self.0 {
            View::Word(word) => std::slice::from_ref(word),
            View::Words(words) => words,
        }
    }

    /// The words without trailing zeros, so that equal sets compare equal.
    #[inline]
    pub(crate) fn trimmed(&self) -> &[u64] {
        let words = self.words();
        let len = words.iter().rposition(|&word| word != 0).map_or(0, |last| last + 1);
        &words[..len]
    }

    /// A set of its own with the same elements.
    #[inline]
    #[must_use]
    pub fn to_set(self) -> PortSet {
        match self.0 {
            View::Word(word) => PortSet::of_word(word),
            View::Words(_) => PortSet::from_words(self.trimmed()),
        }
    }

    /// Whether `port` is in the set.
    #[inline]
    #[must_use]
    pub fn contains(self, port: Port) -> bool {
        let (place, bit) = (usize::from(port.0 >> 6), 1 << (port.0 & 63));
        match self.0 {
            View::Word(word) => place == 0 && word & bit != 0,
            View::Words(words) => words.get(place).is_some_and(|word| word & bit != 0),
        }
    }

    /// Whether the set has no element.
    #[inline]
    #[must_use]
    pub fn is_empty(self) -> bool {
        match self.0 {
            View::Word(word) => word == 0,
            View::Words(words) => words.iter().all(|&word| word == 0),
        }
    }

    /// The number of elements.
    #[inline]
    #[must_use]
    pub fn len(self) -> usize {
        match self.0 {
            View::Word(word) => super::set::ones(word),
            View::Words(words) => words.iter().map(|&word| super::set::ones(word)).sum(),
        }
    }

    /// Whether every element is in `other`.
    #[inline]
    #[must_use]
    pub fn is_subset(self, other: PortsRef<'_>) -> bool {
        let theirs = other.words();
        let inside = |(place, word): (usize, &u64)| word & !theirs.get(place).copied().unwrap_or(0) == 0;
        self.words().iter().enumerate().all(inside)
    }

    /// Whether the sets have no common element.
    #[inline]
    #[must_use]
    pub fn is_disjoint(self, other: PortsRef<'_>) -> bool {
        self.words().iter().zip(other.words()).all(|(mine, theirs)| mine & theirs == 0)
    }

    /// The elements in increasing order.
    #[inline]
    pub fn iter(self) -> Iter<'a> {
        match self.0 {
            View::Word(word) => Iter::of(word, &[]),
            View::Words(words) => Iter::of(0, words),
        }
    }
}

impl PartialEq for PortsRef<'_> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        match (self.0, other.0) {
            (View::Word(mine), View::Word(theirs)) => mine == theirs,
            _ => self.trimmed() == other.trimmed(),
        }
    }
}

impl Eq for PortsRef<'_> {}

impl PartialEq<PortSet> for PortsRef<'_> {
    #[inline]
    fn eq(&self, other: &PortSet) -> bool {
        *self == other.as_ports()
    }
}

impl Hash for PortsRef<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // Word by word: slices of integers go into a hasher in the byte order of the machine.
        let words = self.trimmed();
        state.write_usize(words.len());
        for &word in words {
            state.write_u64(word);
        }
    }
}

impl<'a> From<&'a PortSet> for PortsRef<'a> {
    fn from(set: &'a PortSet) -> Self {
        set.as_ports()
    }
}

impl<'a> IntoIterator for PortsRef<'a> {
    type Item = Port;
    type IntoIter = Iter<'a>;
    fn into_iter(self) -> Iter<'a> {
        self.iter()
    }
}

impl fmt::Debug for PortsRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// `{0,1,5}`, as the paper writes sets.
impl fmt::Display for PortsRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("{")?;
        for (i, port) in self.iter().enumerate() {
            write!(f, "{}{port}", if i == 0 { "" } else { "," })?;
        }
        f.write_str("}")
    }
}
