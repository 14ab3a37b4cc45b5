//! Schedulers without the type of what runs under the locks.

use acrasin_protocols::Table;
use acrasin_protocols::locked::Interactions;
use acrasin_runtime::LockOnly;
use acrasin_runtime::exclusion::local::Local;
use acrasin_runtime::scheduler::Scheduler;

/// A scheduler before its first turn, for whatever a scenario runs under locks. Every scheduler is one that is a value, can be
/// cloned, and looks at no state of a protocol.
pub trait AnyScheduler: Send + Sync {
    /// It, for the interactions of a protocol.
    fn of_interactions(&self) -> Box<dyn Scheduler<Local, Interactions<Table>>>;

    /// It, for Locks and nothing else.
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
