//! [`Wrong`]: the shipped rules with one fault.

use acrasin_runtime::exclusion::local::{Action, Local, Memory, Message, Note, Rules, SelfMessages};
use acrasin_runtime::exclusion::{
    Assumptions, Call, DisjointLockSets, Effects, Exclusion, Input, LockSets, Role, Seat, Status,
};
use acrasin_runtime::{Choices, Port, PortSet};

use super::{CleanUpFault, GuardFault, InitiatorFault, ParticipantFault};

/// One deviation from the repaired rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// Some of the repairs are missing.
    Rules(Rules),
    /// One action does not send the messages of one kind that it should: to nobody, or not to the node itself.
    Unsent {
        /// The action.
        by: Action,
        /// The kind of message, as in [`Message::kind`].
        kind: &'static str,
        /// Whether the neighbours get theirs.
        self_only: bool,
    },
    /// Another guard.
    Guard(GuardFault),
    /// CleanUp.
    CleanUp(CleanUpFault),
    /// Another body on the initiator's side.
    Initiator(InitiatorFault),
    /// Another body on the participant's side.
    Participant(ParticipantFault),
}

/// The local mutual exclusion that ships, with one fault or none.
///
/// ```
/// use acrasin_runtime::exclusion::{Exclusion, local::{Action, Local, Memory, State}};
/// use acrasin_verify::wrong::{Fault, GuardFault, Wrong};
/// // A node in state prepare, whom nobody has answered yet, must not start.
/// let waiting = Memory {
///     state: State::Prepare,
///     lock_set: [acrasin_runtime::Port(0)].into_iter().collect(),
///     ..Memory::default()
/// };
/// let wrong = Wrong::new(Local::new(1), Fault::Guard(GuardFault::StartInverted));
/// let (mut right_actions, mut wrong_actions) = (Vec::new(), Vec::new());
/// Local::new(1).enabled(&waiting, false, &mut right_actions);
/// wrong.enabled(&waiting, false, &mut wrong_actions);
/// assert_eq!((right_actions, wrong_actions), (vec![], vec![Action::CheckStart]));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wrong {
    local: Local,
    /// Handled here and not by `local`, so that a fault reaches the nested bodies too.
    self_messages: SelfMessages,
    fault: Option<Fault>,
}

impl Wrong {
    /// `local` with a fault.
    #[must_use]
    pub fn new(local: Local, fault: Fault) -> Self {
        let right = Self::without_fault(local);
        let local = match fault {
            Fault::Rules(rules) => right.local.with_rules(rules),
            _ => right.local,
        };
        Self { local, fault: Some(fault), ..right }
    }

    /// `local` as it is, through the same wrapper: to show that the wrapper itself changes nothing.
    #[must_use]
    pub fn without_fault(local: Local) -> Self {
        let self_messages = local.self_messages();
        Self { local: local.with_self_messages(SelfMessages::Sent), self_messages, fault: None }
    }

    fn execute_one(
        &self,
        memory: &mut Memory,
        action: Action,
        input: Input<'_, Message>,
        choices: &mut dyn Choices,
        effects: &mut Effects<Message, Note>,
    ) {
        let earlier = effects.sends.len();
        let mut run = Execution { local: &self.local, action, input, choices, effects, earlier };
        match self.fault {
            None | Some(Fault::Rules(_) | Fault::Guard(_)) => run.right(memory),
            Some(Fault::Unsent { by, kind, self_only }) => {
                run.right(memory);
                if by == action {
                    run.retain_sends(|port, message| {
                        message.kind() != kind || (self_only && !port.is_self())
                    });
                }
            }
            Some(Fault::CleanUp(fault)) => fault.execute(&mut run, memory),
            Some(Fault::Initiator(fault)) => fault.execute(&mut run, memory),
            Some(Fault::Participant(fault)) => fault.execute(&mut run, memory),
        }
    }
}

/// One action execution, for a fault to do otherwise.
pub(super) struct Execution<'a> {
    local: &'a Local,
    pub(super) action: Action,
    pub(super) input: Input<'a, Message>,
    choices: &'a mut dyn Choices,
    pub(super) effects: &'a mut Effects<Message, Note>,
    /// How many sends of the outer action there were before: not ours.
    earlier: usize,
}

impl Execution<'_> {
    /// What the shipped rules do.
    pub(super) fn right(&mut self, memory: &mut Memory) {
        self.local.execute(memory, self.action, self.input, self.choices, self.effects);
    }

    /// The same under other rules.
    pub(super) fn with_rules(&mut self, memory: &mut Memory, rules: Rules) {
        let local = self.local.with_rules(rules);
        local.execute(memory, self.action, self.input, self.choices, self.effects);
    }

    /// The same with other draws.
    pub(super) fn with_choices(&mut self, memory: &mut Memory, choices: &mut dyn Choices) {
        self.local.execute(memory, self.action, self.input, choices, self.effects);
    }

    /// The same as if the detector had reported nothing.
    pub(super) fn without_report(&mut self, memory: &mut Memory) {
        let input = Input { disconnected: &PortSet::new(), ..self.input };
        self.local.execute(memory, self.action, input, self.choices, self.effects);
    }

    /// CleanUp alone.
    pub(super) fn clean_up(&mut self, memory: &mut Memory) {
        let input = Input { message: None, ..self.input };
        self.local.execute(memory, Action::CleanUp, input, self.choices, self.effects);
    }

    /// What this execution has sent so far.
    pub(super) fn sends(&mut self) -> &mut [(Port, Message)] {
        &mut self.effects.sends[self.earlier..]
    }

    /// Takes back what it has sent, except what `keep` says.
    pub(super) fn retain_sends(&mut self, keep: impl Fn(Port, Message) -> bool) {
        let mut ours = self.effects.sends.split_off(self.earlier);
        ours.retain(|&(port, message)| keep(port, message));
        self.effects.sends.append(&mut ours);
    }
}

impl Exclusion for Wrong {
    type Memory = Memory;
    type Message = Message;
    type Action = Action;
    type Note = Note;
    /// What the right rules promise: a checker must find that this is false.
    type Promise = DisjointLockSets;

    fn assumes(&self) -> Assumptions {
        self.local.assumes()
    }

    fn initial(&self, seat: Seat<'_>) -> Memory {
        self.local.initial(seat)
    }

    fn enabled(&self, memory: &Memory, disconnected: bool, into: &mut Vec<Action>) {
        let mut enabled = Vec::new();
        self.local.enabled(memory, disconnected, &mut enabled);
        if let Some(Fault::Guard(fault)) = self.fault {
            fault.change(memory, &mut enabled);
        }
        into.append(&mut enabled);
    }

    fn receives(&self, message: Message) -> Action {
        self.local.receives(message)
    }

    fn calls(&self, call: Call) -> Action {
        self.local.calls(call)
    }

    fn execute(
        &self,
        memory: &mut Memory,
        action: Action,
        input: Input<'_, Message>,
        choices: &mut dyn Choices,
        effects: &mut Effects<Message, Note>,
    ) {
        self.execute_one(memory, action, input, choices, effects);
        if self.self_messages == SelfMessages::Sent {
            return;
        }
        let nothing = PortSet::new();
        let twice = self.fault == Some(Fault::CleanUp(CleanUpFault::Twice));
        let disconnected = if twice { input.disconnected } else { &nothing };
        while let Some(place) = effects.sends.iter().position(|&(port, _)| port.is_self()) {
            let (port, message) = effects.sends.remove(place);
            let nested = Input { disconnected, message: Some((port, message)), ..input };
            self.execute_one(memory, message.received_by(), nested, choices, effects);
        }
    }

    fn status(&self, memory: &Memory) -> Status {
        self.local.status(memory)
    }

    fn heap_bytes(&self, memory: &Memory) -> usize {
        self.local.heap_bytes(memory)
    }

    fn remark(&self, note: Note) -> Option<&'static str> {
        self.local.remark(note)
    }
}

impl LockSets for Wrong {
    fn lock_set<'m>(&self, memory: &'m Memory) -> &'m PortSet {
        self.local.lock_set(memory)
    }

    fn locked_by(&self, memory: &Memory) -> Option<Port> {
        self.local.locked_by(memory)
    }

    fn role(&self, message: Message) -> Role {
        self.local.role(message)
    }
}
