//! [`Variants`]: several rule sets of an algorithm, one of which the seed of a run selects.

use acrasin_runtime::exclusion::critical_section::{LocalSections, Scheme};
use acrasin_runtime::exclusion::tree_token::{Queue, SchemeRule, TreeToken};
use acrasin_runtime::exclusion::{Exclusion, Mutant};

use super::SystemUnderTest;
use crate::wrong::{SectionFault, TokenFault, WrongSections, WrongToken};

/// One or more variants of an algorithm. The run of a seed uses the variant whose index is the seed modulo the number
/// of variants.
#[derive(Debug)]
pub struct Variants<E: Exclusion>(Vec<SystemUnderTest<E>>);

impl<E: Exclusion> Variants<E> {
    /// Collects variants; their order determines which seeds use them.
    ///
    /// # Panics
    ///
    /// Panics if the list is empty.
    #[must_use]
    pub fn new(subjects: Vec<SystemUnderTest<E>>) -> Self {
        assert!(!subjects.is_empty(), "at least one variant");
        Self(subjects)
    }

    /// Applies `change` to each variant.
    #[must_use]
    pub fn map(self, change: impl FnMut(SystemUnderTest<E>) -> SystemUnderTest<E>) -> Self {
        Self(self.0.into_iter().map(change).collect())
    }

    /// The variant that the run of a seed uses.
    #[must_use]
    pub fn of_seed(&self, seed: u64) -> &SystemUnderTest<E> {
        &self.0[(seed % self.0.len() as u64) as usize]
    }

    /// All variants, in order.
    pub fn iter(&self) -> impl Iterator<Item = &SystemUnderTest<E>> {
        self.0.iter()
    }
}

impl Variants<WrongToken> {
    /// The variants of the token that travels along a tree: four rules, each with two kinds of queue, all with this
    /// fault.
    #[must_use]
    pub fn tree_token(fault: TokenFault) -> Self {
        let rules =
            [SchemeRule::AllTransit, SchemeRule::AllProxy, SchemeRule::Raymond, SchemeRule::Adversarial];
        let schemes = rules
            .into_iter()
            .flat_map(|rule| [Queue::Fifo, Queue::Lift].map(|queue| TreeToken::new(rule).with_queue(queue)));
        let subjects = schemes.map(|scheme| {
            let name = format!("{:?}, {:?}, {fault:?}", scheme.rule(), scheme.queue());
            SystemUnderTest::of(name, move |_| Mutant::new(scheme.clone(), fault))
        });
        Self(subjects.collect())
    }
}

impl Variants<WrongSections> {
    /// The variants of local critical sections: four schemes, all with this fault.
    #[must_use]
    pub fn critical_section(fault: SectionFault) -> Self {
        let schemes = [Scheme::Inclusion, Scheme::Exclusion, Scheme::Home, Scheme::Leader];
        let subjects = schemes.map(|scheme| {
            let sections = LocalSections::new(scheme);
            SystemUnderTest::of(format!("{scheme:?}, {fault:?}"), move |_| Mutant::new(sections, fault))
        });
        Self(subjects.into())
    }
}
