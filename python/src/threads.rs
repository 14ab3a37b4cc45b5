//! Threads for parallel work, also in a forked process.
//!
//! A forked process has one thread: the threads of the global pool exist only in its parent, and work that waits for
//! them never ends. A forked process therefore gets its own pool when it first needs one.

use std::sync::{Mutex, OnceLock, PoisonError};

use rayon::{ThreadPool, ThreadPoolBuilder};

/// The identifier of the process that imported the module. Only in that process the global pool has threads.
static IMPORTER: OnceLock<u32> = OnceLock::new();
/// The pool of a forked process, with the identifier of that process.
static FORKED: Mutex<Option<(u32, &'static ThreadPool)>> = Mutex::new(None);

/// Records the current process as the one that imported the module.
pub(crate) fn note_importer() {
    IMPORTER.get_or_init(std::process::id);
}

/// Calls `work` with a pool that has threads of the current process.
pub(crate) fn run<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let process = std::process::id();
    if IMPORTER.get().is_none_or(|&importer| importer == process) {
        return work();
    }
    let pool = {
        let mut forked = FORKED.lock().unwrap_or_else(PoisonError::into_inner);
        match *forked {
            Some((owner, pool)) if owner == process => pool,
            // The pool of a forked parent is leaked: its threads do not exist here, so they cannot be joined.
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
