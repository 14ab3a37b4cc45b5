//! A population that other threads can read while one thread runs it.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, ThreadId};
use std::time::Duration;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::threads;

/// The interval at which a run tests whether other threads wait for the value.
const PAUSE: Duration = Duration::from_micros(50);
/// The number of such tests after which the run continues even if threads still wait.
const PAUSES: u32 = 40;

/// A value behind a lock. Threads release the interpreter's lock before they take this lock, so that the two locks
/// cannot deadlock.
pub(crate) struct Shared<T> {
    value: Mutex<T>,
    /// The number of threads that wait for the value.
    waiting: AtomicUsize,
    /// The thread that holds the lock of the value; `None` if it is free.
    holder: Mutex<Option<ThreadId>>,
}

impl<T: Send> Shared<T> {
    pub(crate) fn new(value: T) -> Self {
        Self { value: Mutex::new(value), waiting: AtomicUsize::new(0), holder: Mutex::new(None) }
    }

    fn holder(&self) -> Option<ThreadId> {
        *self.holder.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn hold(&self, thread: Option<ThreadId>) {
        *self.holder.lock().unwrap_or_else(PoisonError::into_inner) = thread;
    }

    /// Calls `with` on the value, without the interpreter's lock. Waits while another thread holds the value.
    ///
    /// # Errors
    ///
    /// `ValueError` if the calling thread already holds the value. This happens if a rule reads the simulation that
    /// calls it.
    pub(crate) fn with<R: Send>(&self, py: Python<'_>, with: impl FnOnce(&mut T) -> R + Send) -> PyResult<R> {
        if self.holder() == Some(thread::current().id()) {
            return Err(PyValueError::new_err(
                "a rule reads the simulation that calls it (accepted: a rule that depends only on the two \
                 states)",
            ));
        }
        self.waiting.fetch_add(1, Ordering::SeqCst);
        Ok(py.detach(|| {
            threads::run(|| {
                let mut value = self.value.lock().unwrap_or_else(PoisonError::into_inner);
                self.waiting.fetch_sub(1, Ordering::SeqCst);
                self.hold(Some(thread::current().id()));
                let result = with(&mut value);
                self.hold(None);
                result
            })
        }))
    }

    /// Waits a moment while other threads wait for the value, so that one of them can lock it before the calling thread
    /// locks it again.
    pub(crate) fn give_way(&self, py: Python<'_>) {
        // A lock that is released only briefly is usually taken again by the same thread.
        for _ in 0..PAUSES {
            if self.waiting.load(Ordering::SeqCst) == 0 {
                return;
            }
            py.detach(|| thread::sleep(PAUSE));
        }
    }
}
