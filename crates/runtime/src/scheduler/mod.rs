//! Schedulers: the adversaries that decide which node acts next, and which of its steps it takes.
//!
//! | scheduler | a turn is |
//! |---|---|
//! | [`Sequential`] | one step of a uniformly random active node |
//! | [`RoundRobin`] | one step of the next active node in order, its messages first in, first out |
//! | [`SemiSynchronous`] | a round: one step of every node of a subset of the active ones ([`Activation`]) |
//! | [`Asynchronous`] | as sequential, but an execution spans time: its messages leave one by one |
//! | [`NewestFirst`] | the newest message in transit is received |
//! | [`Starve`] | one step of any node except the victim, as long as weak fairness allows |
//! | [`RandomPriorities`] | the active node of highest priority; priorities are random and change at random moments |
//!
//! All of them decide on the basis of the current configuration. [`WeaklyFair`] makes any of them weakly fair within a
//! stated bound.

mod adversary;
mod asynchronous;
mod fairness;
mod round_robin;
mod semi_synchronous;
mod sequential;

pub use adversary::{NewestFirst, RandomPriorities, Starve};
pub use asynchronous::Asynchronous;
pub use fairness::WeaklyFair;
pub use round_robin::RoundRobin;
pub use semi_synchronous::{Activation, SemiSynchronous};
pub use sequential::Sequential;

use crate::choice::Choices;
use crate::exclusion::Exclusion;
use crate::pack::PackError;
use crate::section::CriticalSection;
use crate::step::StepOf;
use crate::world::{Timing, World};

/// Decides which nodes act next and which steps they take. A scheduler is [`Send`], so that a run can move to another
/// thread.
pub trait Scheduler<E: Exclusion, S: CriticalSection>: Send {
    /// Plans one turn: steps of distinct nodes, all chosen in the current configuration. If `turn` stays empty, no node
    /// acts in this turn.
    fn plan(&mut self, world: &World<E, S>, choices: &mut dyn Choices, turn: &mut Vec<StepOf<E>>);

    /// Called after every step, also those that this scheduler did not plan, if its turns are [steps](Turns::Steps).
    fn applied(&mut self, _world: &World<E, S>, _step: &StepOf<E>) {}

    /// Whether a turn is a round, or one step.
    fn turns(&self) -> Turns;

    /// The timing with which the world must be set up.
    fn timing(&self) -> Timing {
        Timing::AtOnce
    }

    /// Appends the state on which later turns depend. Returns `false` if this scheduler cannot be saved; its runs then
    /// have no checkpoints.
    fn save(&self, into: &mut Vec<u8>) -> bool {
        let _ = into;
        false
    }

    /// Loads the state that [`save`](Self::save) wrote, for a world of `nodes` nodes.
    ///
    /// # Errors
    ///
    /// [`PackError`] if `from` does not begin with such a state.
    fn load(&mut self, nodes: u32, from: &mut &[u8]) -> Result<(), PackError> {
        let _ = (nodes, from);
        Err(PackError)
    }
}

/// The unit of a scheduler's turn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Turns {
    /// A turn is one step. A round is then the shortest interval in which every node that was active at its start has
    /// acted or become inactive.
    Steps,
    /// A turn is a whole round.
    Rounds,
}
