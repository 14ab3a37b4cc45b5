//! [`Mutant`]: an algorithm with one behaviour overridden.

use std::marker::PhantomData;

use super::{
    ActionEffects, AlgorithmLabels, AssumptionError, Assumptions, AtLeastAtMost, Call, DisjointLockSets,
    Exclusion, InitialKnowledge, Input, LockSets, NodeInput, NoteLabels, OneAtATime, RequestOwnerOf, Role,
    Status,
};
use crate::choice::Choices;
use crate::node::NodeId;
use crate::port::{Port, PortNames, PortsRef};
use crate::topology::Topology;

/// A mutant: `E` with one behaviour overridden as [`Mutation`] says. The overridden behaviour is wrong on purpose, to
/// show that a check can fail, or it withdraws a claim such as [`Exclusion::commutes`]. Everything else is delegated to
/// `E`, including its promise `P`, which the mutant may break.
///
/// ```
/// use acrasin_runtime::exclusion::local::{Action, Local, Memory, Message, LockNote};
/// use acrasin_runtime::exclusion::{Mutant, Mutation, ActionEffects, Exclusion, Input};
/// use acrasin_runtime::Choices;
///
/// /// A participant acknowledges without setting its lock.
/// #[derive(Clone, Copy)]
/// struct LockNotSet;
///
/// impl Mutation<Local> for LockNotSet {
///     fn execute(
///         &self,
///         local: &Local,
///         memory: &mut Memory,
///         action: Action,
///         input: Input<'_, Message>,
///         choices: &mut dyn Choices,
///         effects: &mut ActionEffects<Message, LockNote>,
///     ) {
///         local.execute(memory, action, input, choices, effects);
///         if action == Action::ReceiveSetLock {
///             memory.lock = None;
///         }
///     }
/// }
///
/// let wrong = Mutant::new(Local::new(2), LockNotSet);
/// assert_eq!(wrong.assumes(), Local::new(2).assumes());
/// ```
#[derive(Debug)]
pub struct Mutant<E: Exclusion, A, P = <E as Exclusion>::Promise> {
    /// The correct algorithm.
    pub original: E,
    /// The behaviour that replaces that of `original`.
    pub mutation: A,
    promise: PhantomData<fn() -> P>,
}

impl<E: Exclusion, A> Mutant<E, A> {
    /// Creates a mutant of `original` with the behaviour of `mutation`.
    pub fn new(original: E, mutation: A) -> Self {
        Self { original, mutation, promise: PhantomData }
    }
}

impl<E: Exclusion + Clone, A: Clone, P> Clone for Mutant<E, A, P> {
    fn clone(&self) -> Self {
        Self { original: self.original.clone(), mutation: self.mutation.clone(), promise: PhantomData }
    }
}

impl<E: Exclusion + Copy, A: Copy, P> Copy for Mutant<E, A, P> {}

/// Overridden behaviour of a mutant. By default all methods delegate to the original, except
/// [`rename`](Self::rename) and [`commutes`](Self::commutes): a mutant makes no such claims unless it states
/// them.
pub trait Mutation<E: Exclusion> {
    /// Replaces [`Exclusion::enabled`].
    fn enabled(&self, original: &E, memory: &E::Memory, disconnected: bool, into: &mut Vec<E::Action>) {
        original.enabled(memory, disconnected, into);
    }

    /// Replaces [`Exclusion::any_enabled`].
    fn any_enabled(&self, original: &E, memory: &E::Memory, disconnected: bool) -> bool {
        let mut actions = Vec::new();
        self.enabled(original, memory, disconnected, &mut actions);
        !actions.is_empty()
    }

    /// Replaces [`Exclusion::execute`].
    fn execute(
        &self,
        original: &E,
        memory: &mut E::Memory,
        action: E::Action,
        input: Input<'_, E::Message>,
        choices: &mut dyn Choices,
        effects: &mut ActionEffects<E::Message, E::Note>,
    ) {
        original.execute(memory, action, input, choices, effects);
    }

    /// Replaces [`Exclusion::rename`]; by default the mutant cannot rename ports.
    fn rename(&self, _original: &E, _memory: &E::Memory, _ports: PortNames<'_>) -> Option<E::Memory> {
        None
    }

    /// Replaces [`Exclusion::commutes`]; by default no receipt is independent.
    fn commutes(&self, _original: &E, _memory: &E::Memory, _port: Port, _message: E::Message) -> bool {
        false
    }
}

/// Implements [`Exclusion`] for one promise. One implementation for all promises would be circular: whether a
/// type is a promise of `Mutant` may depend on other traits of `Mutant`, such as [`LockSets`].
macro_rules! mutant {
    ($of:ident promises $promise:ty) => {
        impl<E: $of, A: Mutation<E>> Exclusion for Mutant<E, A, $promise> {
            type Memory = E::Memory;
            type Message = E::Message;
            type Action = E::Action;
            type Note = E::Note;
            type Promise = $promise;

            #[inline]
            fn assumes(&self) -> Assumptions {
                self.original.assumes()
            }

            #[inline]
            fn check_start(
                &self,
                topology: &Topology,
                knowledge: &InitialKnowledge,
            ) -> Result<(), AssumptionError> {
                self.original.check_start(topology, knowledge)
            }

            #[inline]
            fn initial(&self, input: NodeInput<'_>) -> E::Memory {
                self.original.initial(input)
            }

            #[inline]
            fn enabled(&self, memory: &E::Memory, disconnected: bool, into: &mut Vec<E::Action>) {
                self.mutation.enabled(&self.original, memory, disconnected, into);
            }

            #[inline]
            fn any_enabled(&self, memory: &E::Memory, disconnected: bool) -> bool {
                self.mutation.any_enabled(&self.original, memory, disconnected)
            }

            #[inline]
            fn receives(&self, message: E::Message) -> E::Action {
                self.original.receives(message)
            }

            #[inline]
            fn calls(&self, call: Call) -> E::Action {
                self.original.calls(call)
            }

            #[inline]
            fn execute(
                &self,
                memory: &mut E::Memory,
                action: E::Action,
                input: Input<'_, E::Message>,
                choices: &mut dyn Choices,
                effects: &mut ActionEffects<E::Message, E::Note>,
            ) {
                self.mutation.execute(&self.original, memory, action, input, choices, effects);
            }

            #[inline]
            fn status(&self, memory: &E::Memory) -> Status {
                self.original.status(memory)
            }

            #[inline]
            fn heap_bytes(&self, memory: &E::Memory) -> usize {
                self.original.heap_bytes(memory)
            }

            #[inline]
            fn holds_neighbours(&self) -> bool {
                self.original.holds_neighbours()
            }

            #[inline]
            fn remark(&self, note: E::Note) -> Option<&'static str> {
                self.original.remark(note)
            }

            #[inline]
            fn fairness_class(&self, message: E::Message) -> u8 {
                self.original.fairness_class(message)
            }

            #[inline]
            fn rename(&self, memory: &E::Memory, ports: PortNames<'_>) -> Option<E::Memory> {
                self.mutation.rename(&self.original, memory, ports)
            }

            #[inline]
            fn commutes(&self, memory: &E::Memory, port: Port, message: E::Message) -> bool {
                self.mutation.commutes(&self.original, memory, port, message)
            }
        }
    };
}

mutant!(LockSets promises DisjointLockSets);
mutant!(Exclusion promises OneAtATime);
mutant!(Exclusion promises AtLeastAtMost);

impl<E: LockSets, A: Mutation<E>> LockSets for Mutant<E, A, DisjointLockSets> {
    fn lock_set<'m>(&self, memory: &'m E::Memory) -> PortsRef<'m> {
        self.original.lock_set(memory)
    }

    fn locked_by(&self, memory: &E::Memory) -> Option<Port> {
        self.original.locked_by(memory)
    }

    fn role(&self, message: E::Message) -> Role {
        self.original.role(message)
    }
}

impl<E: AlgorithmLabels, A, P> AlgorithmLabels for Mutant<E, A, P>
where
    Self: Exclusion<Message = E::Message, Action = E::Action, Note = E::Note>,
{
    const KINDS: &'static [&'static str] = E::KINDS;
    const ACTIONS: &'static [E::Action] = E::ACTIONS;
    const NOTES: &'static [NoteLabels] = E::NOTES;
    const LOCK: E::Action = E::LOCK;
    const UNLOCK: E::Action = E::UNLOCK;
    const ROLE: Option<fn(E::Message) -> Role> = E::ROLE;
    const REQUEST_OWNER: Option<RequestOwnerOf<E::Message>> = E::REQUEST_OWNER;
    const FORWARDS: bool = E::FORWARDS;
    const TRIAL: Option<usize> = E::TRIAL;

    #[inline]
    fn kind(message: E::Message) -> usize {
        E::kind(message)
    }

    #[inline]
    fn action(action: E::Action) -> usize {
        E::action(action)
    }

    #[inline]
    fn note(note: E::Note) -> usize {
        E::note(note)
    }

    fn guard(action: E::Action) -> Option<&'static str> {
        E::guard(action)
    }

    #[inline]
    fn asks_for(note: E::Note) -> Option<NodeId> {
        E::asks_for(note)
    }
}
