//! [`Wrong`]: the shipped rules with one fault.

use acrasin_runtime::exclusion::local::{Action, Local, LockNote, Memory, Message, SelfMessages};
use acrasin_runtime::exclusion::{ActionEffects, Exclusion as _, Input, Mutant, Mutation};
use acrasin_runtime::{Choices, Port, PortNames, PortSet};

use super::action_run::ActionRun;
use super::fault::{CleanUpFault, RuleFault};

/// The shipped local mutual exclusion with one fault or none. One type serves all rules, so that the code that runs and
/// checks them is compiled once.
///
/// ```
/// use acrasin_runtime::exclusion::{Exclusion, local::{Action, Local, Memory, Registers, State}};
/// use acrasin_verify::wrong::{RuleFault, GuardFault, with_fault};
/// // A node in state prepare that no node has answered yet must not start.
/// let waiting = Memory::from(Registers {
///     state: State::Prepare,
///     lock_set: [acrasin_runtime::Port(0)].into_iter().collect(),
///     ..Registers::default()
/// });
/// let wrong = with_fault(Local::new(1), RuleFault::Guard(GuardFault::StartInverted));
/// let (mut right_actions, mut wrong_actions) = (Vec::new(), Vec::new());
/// Local::new(1).enabled(&waiting, false, &mut right_actions);
/// wrong.enabled(&waiting, false, &mut wrong_actions);
/// assert_eq!((right_actions, wrong_actions), (vec![], vec![Action::CheckStart]));
/// ```
pub type Wrong = Mutant<Local, Deviation>;

/// Adds a fault to the algorithm `local`.
#[must_use]
pub fn with_fault(local: Local, fault: RuleFault) -> Wrong {
    let right = without_fault(local);
    let local = match fault {
        RuleFault::Rules(rules) => right.original.with_rules(rules),
        _ => right.original,
    };
    Mutant::new(local, Deviation { fault: Some(fault), ..right.mutation })
}

/// `local` without a fault, but executed like the wrong rules, to show that the wrapper itself does not change the
/// behaviour.
#[must_use]
pub fn without_fault(local: Local) -> Wrong {
    let deviation = Deviation { fault: None, nested: local.self_messages() == SelfMessages::InMemory };
    Mutant::new(local.with_self_messages(SelfMessages::Sent), deviation)
}

/// The wrapper around `local` without a fault. Every call is passed on unchanged to the shipped rules.
#[must_use]
pub fn shipped(local: Local) -> Wrong {
    Mutant::new(local, Deviation { fault: None, nested: false })
}

/// The deviation from the shipped rules that a [`Wrong`] executes: one fault or none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Deviation {
    fault: Option<RuleFault>,
    /// Whether this wrapper, instead of the shipped rules, handles a node's messages to itself inside the action, so
    /// that a fault also affects these nested executions.
    nested: bool,
}

impl Deviation {
    fn execute_one(
        self,
        local: &Local,
        memory: &mut Memory,
        action: Action,
        input: Input<'_, Message>,
        choices: &mut dyn Choices,
        effects: &mut ActionEffects<Message, LockNote>,
    ) {
        let mut run = ActionRun::new(local, action, input, choices, effects);
        match self.fault {
            None | Some(RuleFault::Rules(_) | RuleFault::Guard(_)) => run.right(memory),
            Some(RuleFault::Unsent { by, kind, self_only }) => {
                run.right(memory);
                if by == action {
                    run.retain_sends(|port, message| {
                        message.kind() != kind || (self_only && !port.is_self())
                    });
                }
            }
            Some(RuleFault::CleanUp(fault)) => fault.execute(&mut run, memory),
            Some(RuleFault::Initiator(fault)) => fault.execute(&mut run, memory),
            Some(RuleFault::Participant(fault)) => fault.execute(&mut run, memory),
        }
    }
}

impl Mutation<Local> for Deviation {
    #[inline]
    fn enabled(&self, local: &Local, memory: &Memory, disconnected: bool, into: &mut Vec<Action>) {
        let Some(RuleFault::Guard(fault)) = self.fault else {
            return local.enabled(memory, disconnected, into);
        };
        let mut enabled = Vec::new();
        local.enabled(memory, disconnected, &mut enabled);
        fault.change(memory, &mut enabled);
        into.append(&mut enabled);
    }

    #[inline]
    fn any_enabled(&self, local: &Local, memory: &Memory, disconnected: bool) -> bool {
        let Some(RuleFault::Guard(_)) = self.fault else { return local.any_enabled(memory, disconnected) };
        let mut enabled = Vec::new();
        self.enabled(local, memory, disconnected, &mut enabled);
        !enabled.is_empty()
    }

    #[inline]
    fn execute(
        &self,
        local: &Local,
        memory: &mut Memory,
        action: Action,
        input: Input<'_, Message>,
        choices: &mut dyn Choices,
        effects: &mut ActionEffects<Message, LockNote>,
    ) {
        // Most runs are of the shipped rules.
        if self.fault.is_none() && !self.nested {
            return local.execute(memory, action, input, choices, effects);
        }
        self.execute_one(local, memory, action, input, choices, effects);
        if !self.nested {
            return;
        }
        let nothing = PortSet::new();
        let twice = self.fault == Some(RuleFault::CleanUp(CleanUpFault::Twice));
        let disconnected = if twice { input.disconnected } else { &nothing };
        while let Some(place) = effects.sends.iter().position(|&(port, _)| port.is_self()) {
            let (port, message) = effects.sends.remove(place);
            let nested = Input { disconnected, message: Some((port, message)), ..input };
            self.execute_one(local, memory, message.received_by(), nested, choices, effects);
        }
    }

    #[inline]
    fn rename(&self, local: &Local, memory: &Memory, ports: PortNames<'_>) -> Option<Memory> {
        if self.fault.is_none() { local.rename(memory, ports) } else { None }
    }

    #[inline]
    fn commutes(&self, local: &Local, memory: &Memory, port: Port, message: Message) -> bool {
        self.fault.is_none() && local.commutes(memory, port, message)
    }
}
