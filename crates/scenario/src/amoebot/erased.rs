//! Subjects without their types: what need not be fast is compiled once with them, and not for every algorithm.

use acrasin_amoebot::System;
use acrasin_amoebot::algorithm::erased::{AnyAlgorithm, AnyMemory, erased, known};
use acrasin_report::record::Section;

use super::given::Given;
use super::subject::{Ground, Subject};

/// A subject without its type. It does what the subject does.
pub(super) type AnySubject<'a> = Given<AnyAlgorithm<'a>, &'a dyn Behind>;

/// A subject, without its type.
pub(super) fn any<S: Subject>(subject: &S) -> AnySubject<'_> {
    Given { algorithm: AnyAlgorithm::new(subject), parameters: subject }
}

/// The subject behind it.
pub(super) trait Behind: Sync {
    fn its_states(&self) -> &'static [&'static str];
    fn box_bytes(&self) -> usize;
    fn cycles(&self) -> bool;
    fn started(&self, ground: &Ground) -> Result<System<AnyMemory>, String>;
    fn has_finished(&self, system: &System<AnyMemory>) -> bool;
    fn state_of(&self, memory: &AnyMemory) -> usize;
    fn fault_of(&self, system: &System<AnyMemory>) -> Option<String>;
    fn further_of(&self, system: &System<AnyMemory>) -> Option<Section>;
}

const OWN: &str = "a subject sees its own memories alone";

impl<S: Subject> Behind for S {
    fn its_states(&self) -> &'static [&'static str] {
        self.states()
    }

    /// Each memory is in a box of its own, which the allocator rounds up.
    fn box_bytes(&self) -> usize {
        size_of::<S::Memory>() + 16
    }

    fn cycles(&self) -> bool {
        self.may_cycle()
    }

    fn started(&self, ground: &Ground) -> Result<System<AnyMemory>, String> {
        Ok(erased(&self.start(ground)?))
    }

    fn has_finished(&self, system: &System<AnyMemory>) -> bool {
        self.is_finished(&known(system).expect(OWN))
    }

    fn state_of(&self, memory: &AnyMemory) -> usize {
        self.state(memory.get().expect(OWN))
    }

    fn fault_of(&self, system: &System<AnyMemory>) -> Option<String> {
        self.fault(&known(system).expect(OWN))
    }

    fn further_of(&self, system: &System<AnyMemory>) -> Option<Section> {
        self.further(&known(system).expect(OWN))
    }
}

impl Subject for AnySubject<'_> {
    fn states(&self) -> &'static [&'static str] {
        self.parameters.its_states()
    }

    fn may_cycle(&self) -> bool {
        self.parameters.cycles()
    }

    fn start(&self, ground: &Ground) -> Result<System<AnyMemory>, String> {
        self.parameters.started(ground)
    }

    fn is_finished(&self, system: &System<AnyMemory>) -> bool {
        self.parameters.has_finished(system)
    }

    fn state(&self, memory: &AnyMemory) -> usize {
        self.parameters.state_of(memory)
    }

    fn fault(&self, system: &System<AnyMemory>) -> Option<String> {
        self.parameters.fault_of(system)
    }

    fn further(&self, system: &System<AnyMemory>) -> Option<Section> {
        self.parameters.further_of(system)
    }

    fn bytes_owned(&self) -> usize {
        self.parameters.box_bytes()
    }

    fn erased(&self) -> AnySubject<'_> {
        Self { algorithm: self.algorithm.clone(), parameters: self.parameters }
    }
}
