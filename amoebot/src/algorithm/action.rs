//! The trait of algorithms, and the evaluation of their guards.

use acrasin_runtime::PackError;
use std::fmt::{self, Debug};
use std::hash::Hash;

use acrasin_runtime::choice::Choices;

use super::{Convention, Effects, View};
use crate::model::id::AmoebotId;
use crate::model::lattice::Cell;
use crate::model::operation::OperationError;
use crate::model::system::System;

/// An amoebot algorithm, written as if one amoebot acted at a time.
///
/// An action is a label with a guard and operations. The guard is a predicate over the view of the amoebot; an
/// action whose guard holds is *enabled*. The operations come in two phases, as the concurrency framework for
/// amoebots demands (Daymude, Richa, Scheideler, DISC 2021). First the amoebot reads and computes, which changes
/// nothing. The result is a list of writes and at most one movement, which are then carried out together. So an
/// action that fails has no effect.
///
/// ```
/// use acrasin_amoebot::{ActionError, Algorithm, Effects, ActionOrder, View};
/// use acrasin_runtime::choice::Choices;
///
/// /// An amoebot with a marked neighbour becomes marked.
/// struct Flood;
///
/// #[derive(Clone, Copy, PartialEq, Eq, Debug)]
/// struct Mark;
///
/// impl Algorithm for Flood {
///     type Memory = bool;
///     type Action = Mark;
///     fn actions(&self) -> &[Mark] {
///         &[Mark]
///     }
///     fn order(&self) -> ActionOrder {
///         ActionOrder::AsListed
///     }
///     fn enabled(&self, _: Mark, view: &View<'_, bool>) -> bool {
///         !view.own() && view.neighbours().any(|neighbour| *neighbour.memory)
///     }
///     fn execute(
///         &self,
///         _: Mark,
///         _: &View<'_, bool>,
///         _: &mut dyn Choices,
///     ) -> Result<Effects<bool>, ActionError> {
///         Ok(Effects::none().write_own(true))
///     }
/// }
/// ```
pub trait Algorithm {
    /// The public memory of an amoebot.
    type Memory: Clone + Eq + Hash + Debug;
    /// The label of an action.
    type Action: Copy + Eq + Debug;

    /// All actions, in the order of the paper.
    fn actions(&self) -> &[Self::Action];

    /// The rule by which an amoebot chooses among several enabled actions. By default it takes the first one in the
    /// list.
    fn order(&self) -> ActionOrder {
        ActionOrder::AsListed
    }

    /// The actions that can be enabled for an amoebot with this memory and shape, whatever its neighbours are, in
    /// listed order. This is an optimisation: the guards of other actions are not evaluated. The default is all
    /// actions. The list must contain every action whose guard holds: debug builds check this at every evaluation.
    fn possible(&self, _own: &Self::Memory, _is_contracted: bool) -> &[Self::Action] {
        self.actions()
    }

    /// Whether the guard of an action holds. The evaluation must have no side effects.
    fn enabled(&self, action: Self::Action, view: &View<'_, Self::Memory>) -> bool;

    /// Computes the effects of an enabled action. A randomised algorithm draws from `choices` with
    /// [`Decision::Outcome`](acrasin_runtime::choice::Decision::Outcome).
    ///
    /// # Errors
    ///
    /// A read failed and was not caught, or the algorithm does not define this step: the action is aborted. An
    /// algorithm is *valid* if this never happens to an enabled action.
    fn execute(
        &self,
        action: Self::Action,
        view: &View<'_, Self::Memory>,
        choices: &mut dyn Choices,
    ) -> Result<Effects<Self::Memory>, ActionError>;

    /// The value of a memory after a write. `read` is the value that the writer has read, `written` the value that it
    /// writes, and `now` the current value. `read` and `now` differ only when amoebots write concurrently without
    /// locks. By default a write sets the whole memory. Algorithms that run without locks keep the variables that the
    /// writer did not change.
    fn after_write(&self, _read: &Self::Memory, written: Self::Memory, _now: &Self::Memory) -> Self::Memory {
        written
    }

    /// The distance at which actions read. By default neighbours only: changes elsewhere never enable an action.
    fn looks(&self) -> Looks {
        Looks::AtNeighbours
    }

    /// The conventions of the concurrency framework that this algorithm satisfies in every system for which it is
    /// designed. [`conditions::conventions`](crate::check::conditions::conventions) checks them on small systems. By
    /// default the list is empty.
    fn conventions(&self) -> &'static [Convention] {
        &[]
    }

    /// Appends a memory for a checkpoint. Returns `false` if memories of this algorithm cannot be saved; runs of the
    /// algorithm then have no checkpoints. An algorithm whose memory implements [`Pack`](acrasin_runtime::Pack)
    /// overrides `save_memory` and `load_memory` to use that implementation.
    fn save_memory(&self, memory: &Self::Memory, into: &mut Vec<u8>) -> bool {
        let _ = (memory, into);
        false
    }

    /// The memory at the front of `from`, which [`save_memory`](Self::save_memory) wrote.
    ///
    /// # Errors
    ///
    /// [`PackError`] if `from` does not begin with a memory.
    fn load_memory(&self, from: &mut &[u8]) -> Result<Self::Memory, PackError> {
        let _ = from;
        Err(PackError)
    }
}

/// The distance at which the actions of an algorithm read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Looks {
    /// Neighbours only. Locks on amoebots are enough for such reads.
    AtNeighbours,
    /// Also amoebots next to a neighbouring node ([`View::is_expanded_beyond`]), and free nodes. Such reads need locks
    /// on cells, which [waves](crate::run::parallel) and [tiles](crate::run::tiles) have.
    Beyond,
}

/// The choice among several enabled actions of one amoebot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ActionOrder {
    /// Only the first enabled action in the list; the other enabled actions are ignored.
    AsListed,
    /// Any enabled action; the adversary chooses.
    Any,
}

/// Implements `save_memory` and `load_memory` by the [`Pack`](acrasin_runtime::Pack) implementation of the memory.
macro_rules! packed_memory {
    () => {
        fn save_memory(&self, memory: &Self::Memory, into: &mut Vec<u8>) -> bool {
            acrasin_runtime::Pack::pack(memory, into);
            true
        }

        fn load_memory(&self, from: &mut &[u8]) -> Result<Self::Memory, acrasin_runtime::PackError> {
            acrasin_runtime::Pack::unpack(from)
        }
    };
}

pub(crate) use packed_memory;

/// The actions that an amoebot may execute now, in listed order: at most one with [`ActionOrder::AsListed`].
#[inline]
pub fn enabled_actions<'a, A: Algorithm + ?Sized>(
    algorithm: &'a A,
    view: View<'a, A::Memory>,
) -> impl Iterator<Item = A::Action> + 'a {
    let most = match algorithm.order() {
        ActionOrder::AsListed => 1,
        ActionOrder::Any => usize::MAX,
    };
    let possible = possible_actions(algorithm, &view);
    possible.iter().copied().filter(move |action| algorithm.enabled(*action, &view)).take(most)
}

/// The first of the [`enabled_actions`]; `None` if no action is enabled.
#[inline]
pub(crate) fn first_enabled_action<A: Algorithm + ?Sized>(
    algorithm: &A,
    view: &View<'_, A::Memory>,
) -> Option<A::Action> {
    let possible = possible_actions(algorithm, view);
    possible.iter().copied().find(|action| algorithm.enabled(*action, view))
}

/// The first enabled action, as an index into the [possible](Algorithm::possible) ones.
#[inline]
pub(crate) fn first_enabled_place<A: Algorithm + ?Sized>(
    algorithm: &A,
    view: &View<'_, A::Memory>,
) -> Option<usize> {
    possible_actions(algorithm, view).iter().position(|action| algorithm.enabled(*action, view))
}

#[inline]
fn possible_actions<'a, A: Algorithm + ?Sized>(
    algorithm: &'a A,
    view: &View<'_, A::Memory>,
) -> &'a [A::Action] {
    let possible = algorithm.possible(view.own(), view.is_contracted());
    if cfg!(debug_assertions) {
        let mut others = algorithm.actions().iter().filter(|action| !possible.contains(action));
        let missed = others.find(|action| algorithm.enabled(**action, view));
        assert!(missed.is_none(), "{missed:?} is enabled, but not said to be possible for {:?}", view.own());
    }
    possible
}

/// Errors that abort an action. An aborted action changes nothing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum ActionError {
    /// An operation of the action failed.
    Operation(OperationError),
    /// The algorithm does not define this step, described in words.
    Undefined(&'static str),
}

/// An enabled action that cannot be carried out even when the amoebot acts alone. An algorithm with such an
/// action is not valid, and a run stops there.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct FailedAction {
    /// The identity of the amoebot whose action failed.
    pub id: AmoebotId,
    /// The cell of the amoebot's head.
    pub cell: Cell,
    /// The label of the action.
    pub label: String,
    /// The reason why the action was aborted.
    pub error: ActionError,
}

impl FailedAction {
    pub(crate) fn of<M>(system: &System<M>, id: AmoebotId, action: impl Debug, error: ActionError) -> Self {
        Self { id, cell: system.body(id).head(), label: format!("{action:?}"), error }
    }
}

impl fmt::Display for FailedAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { id, cell, label, error } = self;
        write!(f, "action {label} of amoebot {id} at {cell} cannot be done: {error}")
    }
}

impl From<OperationError> for ActionError {
    fn from(error: OperationError) -> Self {
        Self::Operation(error)
    }
}

impl fmt::Display for ActionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Operation(error) => write!(f, "an operation failed: {error}"),
            Self::Undefined(what) => write!(f, "not defined by the algorithm: {what}"),
        }
    }
}

impl std::error::Error for ActionError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Operation(error) => Some(error),
            Self::Undefined(_) => None,
        }
    }
}
