//! The algorithms that come in variants: which one a run takes is drawn with the rest, by its seed.

use acrasin_runtime::exclusion::critical_section::{LocalSections, Scheme};
use acrasin_runtime::exclusion::tree_token::{Queue, Rule, TreeToken};
use acrasin_runtime::exclusion::{Altered, Exclusion};

use super::Subject;
use crate::wrong::{SectionFault, TokenFault, WrongSections, WrongToken};

/// One algorithm in several variants, at least one: the run of a seed takes that with the number of the seed modulo their
/// number.
#[derive(Debug)]
pub struct Variants<E: Exclusion>(Vec<Subject<E>>);

impl<E: Exclusion> Variants<E> {
    /// These.
    ///
    /// # Panics
    ///
    /// Panics if there are none.
    #[must_use]
    pub fn new(subjects: Vec<Subject<E>>) -> Self {
        assert!(!subjects.is_empty(), "at least one variant");
        Self(subjects)
    }

    /// The same, changed one by one.
    #[must_use]
    pub fn map(self, change: impl FnMut(Subject<E>) -> Subject<E>) -> Self {
        Self(self.0.into_iter().map(change).collect())
    }

    /// That of a seed.
    #[must_use]
    pub fn of_seed(&self, seed: u64) -> &Subject<E> {
        &self.0[(seed % self.0.len() as u64) as usize]
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &Subject<E>> {
        self.0.iter()
    }
}

impl Variants<WrongToken> {
    /// The token that travels along a tree: four rules with two queues, with a fault or none.
    #[must_use]
    pub fn tree_token(fault: TokenFault) -> Self {
        let rules = [Rule::AllTransit, Rule::AllProxy, Rule::Raymond, Rule::Adversarial];
        let schemes = rules
            .into_iter()
            .flat_map(|rule| [Queue::Fifo, Queue::Lift].map(|queue| TreeToken::new(rule).with_queue(queue)));
        let subjects = schemes.map(|scheme| {
            let name = format!("{:?}, {:?}, {fault:?}", scheme.rule(), scheme.queue());
            Subject::of(name, move |_| Altered::new(scheme.clone(), fault))
        });
        Self(subjects.collect())
    }
}

impl Variants<WrongSections> {
    /// Local critical sections: four schemes, with a fault or none.
    #[must_use]
    pub fn critical_section(fault: SectionFault) -> Self {
        let schemes = [Scheme::Inclusion, Scheme::Exclusion, Scheme::Home, Scheme::Leader];
        let subjects = schemes.map(|scheme| {
            let sections = LocalSections::new(scheme);
            Subject::of(format!("{scheme:?}, {fault:?}"), move |_| Altered::new(sections, fault))
        });
        Self(subjects.into())
    }
}
