//! Runs the search in a thread with a large stack.

use std::io;
use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use crate::prove::ProofLimits;

/// The stack size of the search in bytes. The search recurses once per split and case.
const STACK: usize = 256 << 20;

/// The interval between two calls of `keep_going`.
const LOOK: Duration = Duration::from_millis(20);

/// Calls `search` in a thread with a stack for deep proofs. The search has the default limits. `keep_going` is called
/// every 20 ms in the thread of the caller, and stops the search by returning `Break`.
///
/// # Errors
///
/// The thread cannot be started.
///
/// # Panics
///
/// Panics if `search` does.
pub fn on_large_stack<T: Send>(
    mut keep_going: impl FnMut() -> ControlFlow<()>,
    search: impl FnOnce(&ProofLimits) -> T + Send,
) -> io::Result<T> {
    let limits = ProofLimits::default();
    let (send, receive) = mpsc::channel();
    thread::scope(|scope| {
        let searched = {
            let limits = &limits;
            move || {
                let found = search(limits);
                // The other end waits for exactly this.
                let _ = send.send(());
                found
            }
        };
        let thread = thread::Builder::new().name("proof".to_owned()).stack_size(STACK);
        let thread = thread.spawn_scoped(scope, searched)?;
        while receive.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
            if keep_going().is_break() {
                limits.stop.store(true, Ordering::Relaxed);
            }
        }
        Ok(thread.join().unwrap_or_else(|panic| resume_unwind(panic)))
    })
}
