//! Deliberately wrong rules of all algorithms, by name.

use acrasin_verify::wrong::{
    FaultSample, SECTION_FAULTS, SectionFault, SectionInstance, TOKEN_FAULTS, TokenFault, TokenInstance,
    WrongEntry, catalogue,
};

/// A wrong rule set of one of the algorithms.
#[derive(Clone, Copy, Debug)]
pub(crate) enum WrongRules {
    /// Wrong rules of local mutual exclusion.
    Local(&'static WrongEntry),
    /// Wrong rules of the token that travels along a tree.
    Token(&'static FaultSample<TokenFault, TokenInstance>),
    /// Wrong rules of local critical sections.
    Section(&'static FaultSample<SectionFault, SectionInstance>),
}

impl WrongRules {
    /// All wrong rule sets.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        let others = TOKEN_FAULTS.iter().map(Self::Token).chain(SECTION_FAULTS.iter().map(Self::Section));
        catalogue().map(Self::Local).chain(others)
    }

    /// The name of the rules on the command line.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Local(entry) => entry.name,
            Self::Token(entry) => entry.name,
            Self::Section(entry) => entry.name,
        }
    }

    /// A description of the fault, in one sentence.
    pub(super) fn what(self) -> &'static str {
        match self {
            Self::Local(entry) => entry.what,
            Self::Token(entry) => entry.what,
            Self::Section(entry) => entry.what,
        }
    }

    /// The publication, section or erratum that the fault concerns.
    pub(super) fn about(self) -> &'static str {
        match self {
            Self::Local(entry) => entry.about,
            Self::Token(_) => "RR-1692",
            Self::Section(_) => "Algorithms 10(2):38",
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::WrongRules;

    #[test]
    fn no_two_wrong_rule_sets_have_one_name() {
        let names: BTreeSet<&str> = WrongRules::all().map(WrongRules::name).collect();
        assert_eq!(names.len(), WrongRules::all().count());
    }
}
