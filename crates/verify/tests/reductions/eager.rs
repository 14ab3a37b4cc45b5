//! The shipped algorithm with a wrong word on what commutes, and without other names.

use acrasin_runtime::exclusion::local::{Action, Local, Memory, Message, Note};
use acrasin_runtime::exclusion::{
    Assumptions, Call, DisjointLockSets, Effects, Exclusion, Input, LockSets, Role, Seat,
};
use acrasin_runtime::{Choices, Port, PortNames, PortSet, Status};

/// Says of whole kinds of messages that they commute, in every memory.
#[derive(Clone, Copy)]
pub(crate) struct Eager {
    pub(crate) local: Local,
    pub(crate) commutes: fn(Message) -> bool,
}

/// Offers no other names.
#[derive(Clone, Copy)]
pub(crate) struct Stiff(pub Local);

macro_rules! the_same_but_for {
    ($kind:ty, $local:ident => $path:expr, { $($own:item)* }) => {
        impl Exclusion for $kind {
            type Memory = Memory;
            type Message = Message;
            type Action = Action;
            type Note = Note;
            type Promise = DisjointLockSets;
            fn assumes(&self) -> Assumptions {
                let $local = self;
                $path.assumes()
            }
            fn initial(&self, seat: Seat<'_>) -> Memory {
                let $local = self;
                $path.initial(seat)
            }
            fn enabled(&self, memory: &Memory, disconnected: bool, into: &mut Vec<Action>) {
                let $local = self;
                $path.enabled(memory, disconnected, into);
            }
            fn receives(&self, message: Message) -> Action {
                let $local = self;
                $path.receives(message)
            }
            fn calls(&self, call: Call) -> Action {
                let $local = self;
                $path.calls(call)
            }
            fn execute(
                &self,
                memory: &mut Memory,
                action: Action,
                input: Input<'_, Message>,
                choices: &mut dyn Choices,
                effects: &mut Effects<Message, Note>,
            ) {
                let $local = self;
                $path.execute(memory, action, input, choices, effects);
            }
            fn status(&self, memory: &Memory) -> Status {
                let $local = self;
                $path.status(memory)
            }
            fn heap_bytes(&self, memory: &Memory) -> usize {
                let $local = self;
                $path.heap_bytes(memory)
            }
            $($own)*
        }

        impl LockSets for $kind {
            fn lock_set<'m>(&self, memory: &'m Memory) -> &'m PortSet {
                let $local = self;
                $path.lock_set(memory)
            }
            fn locked_by(&self, memory: &Memory) -> Option<Port> {
                let $local = self;
                $path.locked_by(memory)
            }
            fn role(&self, message: Message) -> Role {
                let $local = self;
                $path.role(message)
            }
        }
    };
}

the_same_but_for!(Eager, eager => eager.local, {
    fn rename(&self, memory: &Memory, ports: PortNames<'_>) -> Option<Memory> {
        self.local.rename(memory, ports)
    }
    fn commutes(&self, _memory: &Memory, _port: Port, message: Message) -> bool {
        (self.commutes)(message)
    }
});

the_same_but_for!(Stiff, stiff => stiff.0, {});
