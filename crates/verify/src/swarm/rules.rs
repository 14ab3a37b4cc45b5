//! [`RulesUnderTest`]: the shipped rules or wrong ones, as one type.

use acrasin_runtime::exclusion::local::{Action, Local, Memory, Message, Note};
use acrasin_runtime::exclusion::{
    Assumptions, Call, DisjointLockSets, Effects, Exclusion, Input, LockSets, Role, Seat, Status,
};
use acrasin_runtime::{Choices, Port, PortNames, PortSet};

use crate::wrong::Wrong;

/// What a swarm run may run: the shipped algorithm, or a wrong one in its words.
///
/// One type for both, so that runs, checks and shrinking are compiled once, here, and not where they are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RulesUnderTest {
    /// The algorithm that ships, under any of its rules.
    Shipped(Local),
    /// A fault, or the wrapper for faults without one.
    Wrong(Wrong),
}

/// The same call of whichever it is.
macro_rules! either {
    ($rules:expr, $inner:ident => $call:expr) => {
        match $rules {
            RulesUnderTest::Shipped($inner) => $call,
            RulesUnderTest::Wrong($inner) => $call,
        }
    };
}

impl Exclusion for RulesUnderTest {
    type Memory = Memory;
    type Message = Message;
    type Action = Action;
    type Note = Note;
    type Promise = DisjointLockSets;

    fn assumes(&self) -> Assumptions {
        either!(self, rules => rules.assumes())
    }

    fn initial(&self, seat: Seat<'_>) -> Memory {
        either!(self, rules => rules.initial(seat))
    }

    fn enabled(&self, memory: &Memory, disconnected: bool, into: &mut Vec<Action>) {
        either!(self, rules => rules.enabled(memory, disconnected, into));
    }

    fn any_enabled(&self, memory: &Memory, disconnected: bool) -> bool {
        either!(self, rules => rules.any_enabled(memory, disconnected))
    }

    fn receives(&self, message: Message) -> Action {
        either!(self, rules => rules.receives(message))
    }

    fn calls(&self, call: Call) -> Action {
        either!(self, rules => rules.calls(call))
    }

    fn execute(
        &self,
        memory: &mut Memory,
        action: Action,
        input: Input<'_, Message>,
        choices: &mut dyn Choices,
        effects: &mut Effects<Message, Note>,
    ) {
        either!(self, rules => rules.execute(memory, action, input, choices, effects));
    }

    fn status(&self, memory: &Memory) -> Status {
        either!(self, rules => rules.status(memory))
    }

    fn heap_bytes(&self, memory: &Memory) -> usize {
        either!(self, rules => rules.heap_bytes(memory))
    }

    fn remark(&self, note: Note) -> Option<&'static str> {
        either!(self, rules => rules.remark(note))
    }

    fn rename(&self, memory: &Memory, ports: PortNames<'_>) -> Option<Memory> {
        either!(self, rules => rules.rename(memory, ports))
    }

    fn commutes(&self, memory: &Memory, port: Port, message: Message) -> bool {
        either!(self, rules => rules.commutes(memory, port, message))
    }
}

impl LockSets for RulesUnderTest {
    fn lock_set<'m>(&self, memory: &'m Memory) -> &'m PortSet {
        either!(self, rules => rules.lock_set(memory))
    }

    fn locked_by(&self, memory: &Memory) -> Option<Port> {
        either!(self, rules => rules.locked_by(memory))
    }

    fn role(&self, message: Message) -> Role {
        either!(self, rules => rules.role(message))
    }
}
