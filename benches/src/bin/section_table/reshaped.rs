//! [`Reshaped`]: the shipped rules, with the variations that rows of the specification need.

use acrasin_runtime::exclusion::critical_section::{
    Action, LocalSections, Memory, Message, MessageKind, ProcessPhase, Scheme, SectionErratum, SectionNote,
};
use acrasin_runtime::exclusion::{
    ActionEffects, Anomaly, AssumptionError, Assumptions, AtLeastAtMost, Call, Errata, Exclusion,
    InitialKnowledge, Input, NodeInput, Stamps, Status, Transit,
};
use acrasin_runtime::{Choices, CriticalSection, Topology};
use acrasin_verify::properties::{CheckedExclusion, Property};

/// The shipped rules, with the variations that rows of the specification need.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reshaped {
    sections: LocalSections,
    /// The maximum number of changes that each process may begin and that wait for grants. If set, messages other than
    /// requests carry clock 0.
    at_most: Option<i32>,
    /// Whether a process that has all grants enters or leaves in a separate step, if it still has them then.
    late: bool,
    /// Whether bounds and starts that the shipped rules refuse are accepted.
    unrefused: bool,
}

impl Reshaped {
    pub(crate) fn new(sections: LocalSections) -> Self {
        Self { sections, at_most: None, late: false, unrefused: false }
    }

    pub(crate) fn at_most(self, times: i32) -> Self {
        Self { at_most: Some(times), ..self }
    }

    pub(crate) fn late(self) -> Self {
        // The shipped code has the separate change as an erratum in which the decision remains although a grant is
        // returned. Here it does not remain.
        let sections = self.sections.with_errata(Errata::NONE.with(SectionErratum::ChangeApart));
        Self { sections, late: true, ..self }
    }

    pub(crate) fn unrefused(self) -> Self {
        Self { unrefused: true, ..self }
    }

    /// Whether a process that does not wait yet may enter or leave without requesting permissions.
    fn is_free(&self, memory: &Memory) -> bool {
        memory.excursion || self.sections.scheme() != Scheme::Leader && memory.inside != memory.home
    }
}

impl Exclusion for Reshaped {
    type Memory = Memory;
    type Message = Message;
    type Action = Action;
    type Note = SectionNote;
    type Promise = AtLeastAtMost;

    fn assumes(&self) -> Assumptions {
        self.sections.assumes()
    }

    fn check_start(&self, topology: &Topology, seating: &InitialKnowledge) -> Result<(), AssumptionError> {
        if self.unrefused {
            self.assumes().check_start(topology, seating)
        } else {
            self.sections.check_start(topology, seating)
        }
    }

    fn initial(&self, seat: NodeInput<'_>) -> Memory {
        self.sections.initial(seat)
    }

    fn enabled(&self, memory: &Memory, _disconnected: bool, into: &mut Vec<Action>) {
        let waits = matches!(memory.phase, ProcessPhase::Entering | ProcessPhase::Exiting);
        if self.late && waits && memory.got.len() == memory.members.len() {
            into.push(Action::Change);
        }
    }

    fn receives(&self, message: Message) -> Action {
        self.sections.receives(message)
    }

    fn calls(&self, call: Call) -> Action {
        self.sections.calls(call)
    }

    fn execute(
        &self,
        memory: &mut Memory,
        action: Action,
        input: Input<'_, Message>,
        choices: &mut dyn Choices,
        effects: &mut ActionEffects<Message, SectionNote>,
    ) {
        // Only the published text uses `count` for grants. Here it is the number of changes begun.
        let begun = memory.count;
        let is_free = self.is_free(memory);
        let begins =
            matches!(action, Action::Entry | Action::Exit) && memory.phase == ProcessPhase::Idle && !is_free;
        if begins && self.at_most == Some(begun) {
            effects.anomaly = Some(Anomaly::IgnoredCall);
            return;
        }
        self.sections.execute(memory, action, input, choices, effects);
        if self.late && memory.phase == ProcessPhase::Decided {
            memory.phase = if memory.inside { ProcessPhase::Exiting } else { ProcessPhase::Entering };
        }
        if self.at_most.is_some() {
            memory.count = begun + i32::from(begins);
            for (_, message) in &mut effects.sends {
                if message.kind != MessageKind::Request {
                    message.clock = 0;
                }
            }
        }
    }

    fn status(&self, memory: &Memory) -> Status {
        self.sections.status(memory)
    }

    fn heap_bytes(&self, memory: &Memory) -> usize {
        self.sections.heap_bytes(memory)
    }

    fn with_stamps(self, stamps: Stamps) -> Option<Self> {
        Some(Self { sections: self.sections.with_stamps(stamps)?, ..self })
    }

    fn stamps(&self) -> Stamps {
        self.sections.stamps()
    }

    fn normalise(&self, memories: &mut [Memory], messages: &mut [Transit<'_, Message>]) {
        self.sections.normalise(memories, messages);
    }
}

impl CheckedExclusion for Reshaped {
    fn properties<E, S>() -> Vec<Box<dyn Property<E, S>>>
    where
        E: Exclusion<Memory = Memory, Message = Message>,
        S: CriticalSection,
    {
        LocalSections::properties()
    }
}
