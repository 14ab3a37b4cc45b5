//! [`PortsRef`]: a borrowed set of ports.

use std::fmt;
use std::hash::{Hash, Hasher};

use super::Port;

/// A borrowed set of ports: a [`PortSet`](crate::PortSet), or one of several sets that a node stores together.
///
/// Equality and hashing depend on the elements only, not on the storage. All operations take O(1) for ports below 64
/// and O(Δ / 64) otherwise.
#[derive(Clone, Copy)]
pub struct PortsRef<'a>(PortsView<'a>);

#[derive(Clone, Copy)]
enum PortsView<'a> {
    Word(u64),
    Words(&'a [u64]),
}

impl<'a> PortsRef<'a> {
    #[inline]
    pub(crate) const fn of_word(word: u64) -> Self {
        Self(PortsView::Word(word))
    }

    /// The set whose bits are these words.
    #[inline]
    pub(crate) const fn of_words(words: &'a [u64]) -> Self {
        match words {
            [] => Self(PortsView::Word(0)),
            [word] => Self(PortsView::Word(*word)),
            words => Self(PortsView::Words(words)),
        }
    }

    /// The set as one word, if it is stored as one. Nearly all sets are.
    #[inline]
    pub(crate) const fn word(self) -> Option<u64> {
        match self.0 {
            PortsView::Word(word) => Some(word),
            PortsView::Words(_) => None,
        }
    }

    #[inline]
    fn words(&self) -> &[u64] {
        match &self.0 {
            PortsView::Word(word) => std::slice::from_ref(word),
            PortsView::Words(words) => words,
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
    pub fn contains(self, port: Port) -> bool {
        let (place, bit) = (usize::from(port.0 >> 6), 1 << (port.0 & 63));
        match self.0 {
            PortsView::Word(word) => place == 0 && word & bit != 0,
            PortsView::Words(words) => words.get(place).is_some_and(|word| word & bit != 0),
        }
    }

    /// Whether the set has no element.
    #[inline]
    #[must_use]
    pub fn is_empty(self) -> bool {
        match self.0 {
            PortsView::Word(word) => word == 0,
            PortsView::Words(words) => words.iter().all(|&word| word == 0),
        }
    }

    /// The number of elements.
    #[inline]
    #[must_use]
    pub fn len(self) -> usize {
        match self.0 {
            PortsView::Word(word) => ones(word),
            PortsView::Words(words) => words.iter().map(|&word| ones(word)).sum(),
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
            PortsView::Word(word) => Iter::of(word, &[]),
            PortsView::Words(words) => Iter::of(0, words),
        }
    }
}

impl PartialEq for PortsRef<'_> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        match (self.0, other.0) {
            (PortsView::Word(mine), PortsView::Word(theirs)) => mine == theirs,
            _ => self.trimmed() == other.trimmed(),
        }
    }
}

impl Eq for PortsRef<'_> {}

impl Hash for PortsRef<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // Word by word: a hasher takes slices of integers in the byte order of the machine.
        let words = self.trimmed();
        state.write_usize(words.len());
        for &word in words {
            state.write_u64(word);
        }
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

/// Written as `{0,1,5}`, as in the paper.
impl fmt::Display for PortsRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("{")?;
        for (i, port) in self.iter().enumerate() {
            write!(f, "{}{port}", if i == 0 { "" } else { "," })?;
        }
        f.write_str("}")
    }
}

/// The elements of a set of ports in increasing order.
#[derive(Clone, Debug)]
pub struct Iter<'a> {
    rest: &'a [u64],
    word: u64,
    base: u16,
}

impl<'a> Iter<'a> {
    /// The elements of `word`, or of `more` if `more` is not empty.
    #[inline]
    pub(super) fn of(word: u64, more: &'a [u64]) -> Self {
        Self { rest: more, word, base: if more.is_empty() { 0 } else { 0_u16.wrapping_sub(64) } }
    }
}

impl Iterator for Iter<'_> {
    type Item = Port;

    #[inline]
    fn next(&mut self) -> Option<Port> {
        while self.word == 0 {
            let (&next, rest) = self.rest.split_first()?;
            (self.word, self.rest) = (next, rest);
            self.base = self.base.wrapping_add(64);
        }
        let bit = self.word.trailing_zeros() as u16;
        self.word &= self.word - 1;
        Some(Port(self.base + bit))
    }
}

/// The number of set bits of a word. Usually only its lowest byte has any.
#[inline]
fn ones(word: u64) -> usize {
    match BITS_OF_BYTE.get(word as usize) {
        Some(&count) => count.into(),
        None => word.count_ones() as usize,
    }
}

/// The number of set bits of each byte. Without this table the baseline instruction set needs fifteen instructions per
/// count, and every step counts sets.
static BITS_OF_BYTE: [u8; 256] = {
    let mut counts = [0; 256];
    let mut byte = 1;
    while byte < 256 {
        counts[byte] = counts[byte / 2] + (byte & 1) as u8;
        byte += 1;
    }
    counts
};
