//! Schedulers without the type of the critical sections that run under the locks.

use acrasin_protocols::Table;
use acrasin_protocols::locked::Interactions;
use acrasin_runtime::LockOnly;
use acrasin_runtime::exclusion::local::Local;
use acrasin_runtime::scheduler::Scheduler;

/// A scheduler before its first turn, for any critical section that a scenario runs under locks. Implemented by every
/// scheduler that can be cloned and does not use the states of a protocol.
pub trait AnyScheduler: Send + Sync {
    /// The scheduler for the interactions of a protocol.
    fn of_interactions(&self) -> Box<dyn Scheduler<Local, Interactions<Table>>>;

    /// The scheduler for Locks without interactions.
    fn of_locks(&self) -> Box<dyn Scheduler<Local, LockOnly>>;
}

impl<T> AnyScheduler for T
where
    T: Scheduler<Local, Interactions<Table>> + Scheduler<Local, LockOnly> + Clone + Send + Sync + 'static,
{
    fn of_interactions(&self) -> Box<dyn Scheduler<Local, Interactions<Table>>> {
        Box::new(self.clone())
    }

    fn of_locks(&self) -> Box<dyn Scheduler<Local, LockOnly>> {
        Box::new(self.clone())
    }
}
