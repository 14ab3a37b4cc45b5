//! Subjects without their types: what need not be fast is compiled once with them, and not for every algorithm.

use acrasin_amoebot::conditions::Convention;
use acrasin_amoebot::erased::{AnyAlgorithm, AnyMemory, erased, known};
use acrasin_amoebot::{ActionError, Algorithm, Effects, Order, System, View};
use acrasin_report::record::Section;
use acrasin_runtime::choice::Choices;

use super::subject::{Ground, Subject};

/// A subject without its type. It does what the subject does.
pub(super) struct AnySubject<'a> {
    subject: &'a dyn Behind,
    algorithm: AnyAlgorithm<'a>,
}

impl<'a> AnySubject<'a> {
    pub(super) fn new<S: Subject>(subject: &'a S) -> Self {
        Self { subject, algorithm: AnyAlgorithm::new(subject) }
    }
}

/// The subject behind it.
trait Behind: Sync {
    fn its_states(&self) -> &'static [&'static str];
    fn disconnects(&self) -> bool;
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

    fn disconnects(&self) -> bool {
        self.may_disconnect()
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

impl Algorithm for AnySubject<'_> {
    type Memory = AnyMemory;
    type Action = usize;

    fn actions(&self) -> &[usize] {
        self.algorithm.actions()
    }

    fn order(&self) -> Order {
        self.algorithm.order()
    }

    fn enabled(&self, action: usize, view: &View<'_, AnyMemory>) -> bool {
        self.algorithm.enabled(action, view)
    }

    fn execute(
        &self,
        action: usize,
        view: &View<'_, AnyMemory>,
        choices: &mut dyn Choices,
    ) -> Result<Effects<AnyMemory>, ActionError> {
        self.algorithm.execute(action, view, choices)
    }

    fn after_write(&self, read: &AnyMemory, written: AnyMemory, now: &AnyMemory) -> AnyMemory {
        self.algorithm.after_write(read, written, now)
    }

    fn conventions(&self) -> &'static [Convention] {
        self.algorithm.conventions()
    }
}

impl Subject for AnySubject<'_> {
    fn states(&self) -> &'static [&'static str] {
        self.subject.its_states()
    }

    fn may_disconnect(&self) -> bool {
        self.subject.disconnects()
    }

    fn may_cycle(&self) -> bool {
        self.subject.cycles()
    }

    fn start(&self, ground: &Ground) -> Result<System<AnyMemory>, String> {
        self.subject.started(ground)
    }

    fn is_finished(&self, system: &System<AnyMemory>) -> bool {
        self.subject.has_finished(system)
    }

    fn state(&self, memory: &AnyMemory) -> usize {
        self.subject.state_of(memory)
    }

    fn fault(&self, system: &System<AnyMemory>) -> Option<String> {
        self.subject.fault_of(system)
    }

    fn further(&self, system: &System<AnyMemory>) -> Option<Section> {
        self.subject.further_of(system)
    }
}
