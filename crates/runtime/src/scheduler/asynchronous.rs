//! The asynchronous scheduler.

use super::{Scheduler, Sequential, Turns};
use crate::choice::Choices;
use crate::exclusion::Exclusion;
use crate::pack::PackError;
use crate::section::CriticalSection;
use crate::step::StepOf;
use crate::world::{Timing, World};

/// The scheduler under which an execution of an action takes time (Section 5 of the paper). The action changes the
/// memory at its start, and its messages leave one by one at later instants. The node is busy until all have left, and
/// the graph may change meanwhile. The next node is uniformly random among those that can act or are still sending.
///
/// Weakly fair with probability 1.
///
/// ```
/// use acrasin_runtime::exclusion::Exclusion;
/// use acrasin_runtime::exclusion::local::Local;
/// use acrasin_runtime::scheduler::{Asynchronous, Scheduler};
/// use acrasin_runtime::{LockOnly, Timing};
///
/// let scheduler: Asynchronous<<Local as Exclusion>::Action> = Asynchronous::default();
/// assert_eq!(Scheduler::<Local, LockOnly>::timing(&scheduler), Timing::OneByOne);
/// ```
#[derive(Clone, Debug)]
pub struct Asynchronous<A>(Sequential<A>);

impl<A> Asynchronous<A> {
    /// Creates the asynchronous uniform scheduler.
    #[must_use]
    pub fn new() -> Self {
        Self(Sequential::new())
    }
}

// A derived implementation would require a default action, and there is none.
impl<A> Default for Asynchronous<A> {
    fn default() -> Self {
        Self::new()
    }
}

impl<E: Exclusion, S: CriticalSection> Scheduler<E, S> for Asynchronous<E::Action> {
    fn plan(&mut self, world: &World<E, S>, choices: &mut dyn Choices, turn: &mut Vec<StepOf<E>>) {
        self.0.plan(world, choices, turn);
    }

    fn turns(&self) -> Turns {
        Turns::Steps
    }

    fn timing(&self) -> Timing {
        Timing::OneByOne
    }

    fn save(&self, _into: &mut Vec<u8>) -> bool {
        true
    }

    fn load(&mut self, _nodes: u32, _from: &mut &[u8]) -> Result<(), PackError> {
        Ok(())
    }
}
