//! The trait of algorithms, and which of their actions are enabled.

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
/// An action is a label with a guard and with operations. The guard is a predicate over what the amoebot sees; an
/// action whose guard holds is *enabled*. The operations come in two phases, as the concurrency framework for amoebots
/// demands (Daymude, Richa, Scheideler, DISC 2021): first the amoebot reads and computes, which changes nothing; the
/// result are writes and at most one movement, which are then done together. So an action that fails has no effect.
///
/// ```
/// use acrasin_amoebot::{ActionError, Algorithm, Effects, Order, View};
/// use acrasin_runtime::choice::Choices;
///
/// /// Who has a marked neighbour becomes marked.
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
///     fn order(&self) -> Order {
///         Order::AsListed
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
    /// The labels of the actions.
    type Action: Copy + Eq + Debug;

    /// All actions, in the order of the paper.
    fn actions(&self) -> &[Self::Action];

    /// Which of several enabled actions may be executed.
    fn order(&self) -> Order;

    /// The actions that can be enabled for an amoebot with this memory and form, whatever its neighbours are; in the order
    /// of the list. No guard of another action is asked, so most amoebots near an action are done with after one look.
    /// By default all actions. Guards say the same: debug builds check it whenever guards are asked.
    fn possible(&self, _own: &Self::Memory, _is_contracted: bool) -> &[Self::Action] {
        self.actions()
    }

    /// The guard of an action. It reads, and has no other effect.
    fn enabled(&self, action: Self::Action, view: &View<'_, Self::Memory>) -> bool;

    /// The operations of an enabled action. A randomised algorithm draws from `choices`, for
    /// [`Decision::Outcome`](acrasin_runtime::choice::Decision::Outcome).
    ///
    /// # Errors
    ///
    /// A read that failed and was not caught, or a step that the algorithm does not define: the action is aborted.
    /// An algorithm is *valid* if this never happens to an enabled action.
    fn execute(
        &self,
        action: Self::Action,
        view: &View<'_, Self::Memory>,
        choices: &mut dyn Choices,
    ) -> Result<Effects<Self::Memory>, ActionError>;

    /// What a memory is after a write: `read` is what the writer had read of it, `written` what it writes, `now` what the
    /// memory is by now. They differ only if others write at the same time, without locks. By default a write sets the
    /// whole memory; algorithms that run without locks keep the variables that the writer has not changed.
    fn after_write(&self, _read: &Self::Memory, written: Self::Memory, _now: &Self::Memory) -> Self::Memory {
        written
    }

    /// How far an action looks. Guards look at neighbours only: nobody else's changes wake an amoebot.
    fn looks(&self) -> Looks {
        Looks::AtNeighbours
    }

    /// The conventions of the concurrency framework that it meets, in every system that it is written for:
    /// [`conditions::conventions`](crate::check::conditions::conventions) finds out for small ones. By default none is promised.
    fn conventions(&self) -> &'static [Convention] {
        &[]
    }
}

/// How far an action looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Looks {
    /// At neighbours, whom locks on amoebots cover.
    AtNeighbours,
    /// At who is next to a neighbouring node, too ([`View::is_expanded_beyond`]), and at free nodes: it needs locks on cells, which
    /// [waves](crate::run::parallel) and [tiles](crate::run::tiles) have.
    Beyond,
}

/// Which of several enabled actions of one amoebot may be executed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// The first one in the list. Those after it count as disabled.
    AsListed,
    /// Any of them: the adversary decides.
    Any,
}

/// The actions that an amoebot may execute now, in the order of the list: with [`Order::AsListed`] at most one.
#[inline]
pub fn enabled_actions<'a, A: Algorithm + ?Sized>(
    algorithm: &'a A,
    view: View<'a, A::Memory>,
) -> impl Iterator<Item = A::Action> + 'a {
    let most = match algorithm.order() {
        Order::AsListed => 1,
        Order::Any => usize::MAX,
    };
    let possible = possible_actions(algorithm, &view);
    possible.iter().copied().filter(move |action| algorithm.enabled(*action, &view)).take(most)
}

/// The first of them: with [`Order::AsListed`] the only one.
#[inline]
pub(crate) fn first_enabled_action<A: Algorithm + ?Sized>(
    algorithm: &A,
    view: &View<'_, A::Memory>,
) -> Option<A::Action> {
    let possible = possible_actions(algorithm, view);
    possible.iter().copied().find(|action| algorithm.enabled(*action, view))
}

/// The same by its place in the list of those that are [possible](Algorithm::possible).
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

/// Why an action was aborted. Nothing has changed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum ActionError {
    /// An operation failed.
    Operation(OperationError),
    /// The algorithm does not say what to do here.
    Undefined(&'static str),
}

/// An enabled action that cannot be done, whatever the others do: an algorithm in which that happens is not valid, and a run of it
/// need not go on.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct FailedAction {
    /// Whose action.
    pub id: AmoebotId,
    /// The head of the amoebot.
    pub cell: Cell,
    /// The label of the action.
    pub label: String,
    /// The reason for which the action cannot be done.
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
