//! Errors in printed papers that are left unrepaired.

use std::fmt;
use std::marker::PhantomData;

/// An error of a printed text that can be left unrepaired. Without any erratum, the rules are the repaired ones.
pub trait Erratum: Copy + Eq + fmt::Debug + 'static {
    /// All errata, in a fixed order: at most 32.
    const ALL: &'static [Self];

    /// The names by which scenarios select the errata, in the order of [`ALL`](Self::ALL).
    const NAMES: &'static [&'static str];

    /// The index of the erratum in [`ALL`](Self::ALL).
    fn place(self) -> usize;

    /// The name by which a scenario selects the erratum.
    #[must_use]
    fn name(self) -> &'static str {
        Self::NAMES[self.place()]
    }
}

/// A set of errors of a printed text that are left unrepaired.
///
/// ```
/// use acrasin_runtime::exclusion::Errata;
/// use acrasin_runtime::exclusion::tree_token::TokenErratum;
/// let printed = Errata::NONE.with(TokenErratum::MandatorItself);
/// assert!(printed.has(TokenErratum::MandatorItself) && !printed.has(TokenErratum::DrainedApart));
/// assert_eq!(printed.words(), ", as printed: MandatorItself");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Errata<M>(u32, PhantomData<M>);

impl<M: Erratum> Errata<M> {
    /// The empty set, which leaves the repaired rules.
    pub const NONE: Self = Self(0, PhantomData);

    /// Adds an erratum to the set.
    #[must_use]
    pub fn with(self, misprint: M) -> Self {
        const { assert!(M::ALL.len() <= u32::BITS as usize, "a set has a bit for each") }
        Self(self.0 | 1 << misprint.place(), PhantomData)
    }

    /// Creates the set of the errata with these names. Unknown names are ignored.
    #[must_use]
    pub fn from_names<'n>(names: impl IntoIterator<Item = &'n str>) -> Self {
        let one = |name: &str| M::ALL.iter().copied().find(|misprint| misprint.name() == name);
        names.into_iter().filter_map(one).fold(Self::NONE, Self::with)
    }

    /// Whether the set contains an erratum.
    #[inline]
    #[must_use]
    pub fn has(self, misprint: M) -> bool {
        self.0 >> misprint.place() & 1 == 1
    }

    /// The errata of the set, in the order of [`ALL`](Erratum::ALL).
    pub fn iter(self) -> impl Iterator<Item = M> {
        M::ALL.iter().copied().filter(move |&misprint| self.has(misprint))
    }

    /// The suffix that these errata add to the name of an algorithm; empty for the repaired rules.
    #[must_use]
    pub fn words(self) -> String {
        let names: Vec<&str> = self.iter().map(M::name).collect();
        if names.is_empty() { String::new() } else { format!(", as printed: {}", names.join(", ")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exclusion::{critical_section, tree_token};

    fn are_told_apart<M: Erratum>() {
        assert_eq!(M::ALL.len(), M::NAMES.len());
        for (place, &misprint) in M::ALL.iter().enumerate() {
            assert_eq!((misprint.place(), misprint.name()), (place, &*format!("{misprint:?}")));
            let alone = Errata::NONE.with(misprint);
            assert_eq!(alone.iter().collect::<Vec<_>>(), [misprint]);
            assert_eq!(Errata::from_names([misprint.name(), "Other"]), alone);
        }
    }

    #[test]
    fn errata_are_distinguished() {
        are_told_apart::<critical_section::SectionErratum>();
        are_told_apart::<tree_token::TokenErratum>();
    }
}
