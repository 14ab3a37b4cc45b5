//! [`Wrong`]: the shipped rules with one fault.

use acrasin_runtime::exclusion::local::{Action, Local, Memory, Message, Note, SelfMessages};
use acrasin_runtime::exclusion::{
    Assumptions, Call, DisjointLockSets, Effects, Exclusion, Input, LockSets, Role, Seat, Status,
};
use acrasin_runtime::{Choices, Port, PortSet};

use super::action_run::ActionRun;
use super::fault::{CleanUpFault, Fault};

/// The local mutual exclusion that ships, with one fault or none.
///
/// ```
/// use acrasin_runtime::exclusion::{Exclusion, local::{Action, Local, Memory, State}};
/// use acrasin_verify::wrong::{Fault, GuardFault, Wrong};
/// // A node in state prepare, whom no node has answered yet, must not start.
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
        let mut run = ActionRun::new(&self.local, action, input, choices, effects);
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
