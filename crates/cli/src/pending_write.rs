//! The write into a stream that is under way, if any: it waits for the reader of the stream.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

/// The name of the output that is being written to; `None` between two writes.
static WRITES_TO: Mutex<Option<Arc<str>>> = Mutex::new(None);
/// The number of writes so far.
static WRITES: AtomicU64 = AtomicU64::new(0);

fn writes_to() -> MutexGuard<'static, Option<Arc<str>>> {
    WRITES_TO.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Calls `write`, which writes to standard output. The program can be ended meanwhile.
pub(crate) fn to_standard_output<T>(write: impl FnOnce() -> T) -> T {
    static NAME: LazyLock<Arc<str>> = LazyLock::new(|| "standard output".into());
    guarded(Some(&NAME), write)
}

/// Calls `write`. If it writes to a stream, the program can be ended meanwhile.
pub(crate) fn guarded<T>(stream: Option<&Arc<str>>, write: impl FnOnce() -> T) -> T {
    if stream.is_none() {
        return write();
    }
    *writes_to() = stream.cloned();
    let result = write();
    WRITES.fetch_add(1, Ordering::Relaxed);
    *writes_to() = None;
    result
}

/// The name of the stream of the write under way, if any, and the number of writes before it. While the guard is held,
/// no write begins or ends.
pub(crate) fn pending() -> (MutexGuard<'static, Option<Arc<str>>>, u64) {
    let name = writes_to();
    (name, WRITES.load(Ordering::Relaxed))
}
