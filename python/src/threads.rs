//! Threads for parallel work, also in a process that was forked.
//!
//! A forked process has one thread: those of the global pool stay behind in its parent, and work that waits for them
//! never ends. Such a process gets a pool when it first needs one.

use std::sync::{Mutex, OnceLock, PoisonError};

use rayon::{ThreadPool, ThreadPoolBuilder};

/// The process that imported the module: the only one in which the global pool has threads.
static IMPORTER: OnceLock<u32> = OnceLock::new();
/// The pool of a forked process, with the process it belongs to.
static FORKED: Mutex<Option<(u32, &'static ThreadPool)>> = Mutex::new(None);

/// Notes the current process as the one that imports the module.
pub(crate) fn note_importer() {
    IMPORTER.get_or_init(std::process::id);
}

/// Calls `work` where parallel iterators find threads of the current process.
pub(crate) fn run<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let process = std::process::id();
    if IMPORTER.get().is_none_or(|&importer| importer == process) {
        return work();
    }
    let pool = {
        let mut forked = FORKED.lock().unwrap_or_else(PoisonError::into_inner);
        match *forked {
            Some((owner, pool)) if owner == process => pool,
            // The pool of a forked parent is left alone: its threads are not here to be joined.
            _ => {
                let pool = ThreadPoolBuilder::new().build().expect("a process can start threads");
                let pool: &'static ThreadPool = Box::leak(Box::new(pool));
                *forked = Some((process, pool));
                pool
            }
        }
    };
    pool.install(work)
}
