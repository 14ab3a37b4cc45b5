//! The functions that a page calls. Numbers are passed directly, everything else through a buffer in the module's
//! memory:
//!
//! 1. `room(bytes)` allocates the buffer and returns its address; the page writes there.
//! 2. `give(name)` takes the first `name` bytes as the path of a file and the others as its contents. `run()` takes the
//!    whole buffer as a [`Request`] in JSON.
//! 3. `told()` and `told_bytes()` return the address and length of the [`Answer`] in JSON.
//!
//! During a run, `run()` calls `page.show()` whenever there is something new to show; `told()` then refers to a
//! [`More`]. `page.show` is the only import of the module.
//!
//! A panic stops the module, because WebAssembly cannot unwind. The answer is then the message of the panic, and can
//! still be read.

#![expect(
    unsafe_code,
    reason = "names that a page can call are exported without mangling; no other unsafe code is here"
)]

use std::sync::{Mutex, PoisonError};

use serde::Serialize;

use crate::run::{Answer, More, Request, answer};

static BUFFER: Mutex<Vec<u8>> = Mutex::new(Vec::new());
static TOLD: Mutex<Vec<u8>> = Mutex::new(Vec::new());

fn of<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn tell(answer: &impl Serialize) {
    *of(&TOLD) = serde_json::to_vec(answer).unwrap_or_default();
}

#[cfg(target_family = "wasm")]
#[link(wasm_import_module = "page")]
unsafe extern "C" {
    /// Tells the page that the answer buffer has a new [`More`].
    safe fn show();
}

fn show_more(more: &More) {
    tell(more);
    #[cfg(target_family = "wasm")]
    show();
}

/// Allocates a buffer of this size and returns its address.
#[unsafe(no_mangle)]
pub extern "C" fn room(bytes: usize) -> *mut u8 {
    let mut buffer = of(&BUFFER);
    buffer.clear();
    buffer.resize(bytes, 0);
    buffer.as_mut_ptr()
}

/// Takes the first `name` bytes of the buffer as the path of a file, and the others as its contents.
#[unsafe(no_mangle)]
pub extern "C" fn give(name: usize) {
    let buffer = of(&BUFFER);
    let (name, bytes) = buffer.split_at(name.min(buffer.len()));
    #[cfg(target_family = "wasm")]
    acrasin_graphs::read::give(String::from_utf8_lossy(name).as_ref().as_ref(), bytes);
    #[cfg(not(target_family = "wasm"))]
    let _ = (name, bytes);
}

/// Runs the request in the buffer.
#[unsafe(no_mangle)]
pub extern "C" fn run() {
    std::panic::set_hook(Box::new(|fault| tell(&Answer::of_fault(&fault.to_string()))));
    let asked = serde_json::from_slice::<Request>(&of(&BUFFER));
    tell(&match asked {
        Ok(asked) => answer(&asked, show_more),
        Err(error) => Answer::of_fault(&format!("the page sent an invalid request: {error}")),
    });
}

/// The address of the answer.
#[unsafe(no_mangle)]
pub extern "C" fn told() -> *const u8 {
    of(&TOLD).as_ptr()
}

/// The length of the answer, in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn told_bytes() -> usize {
    of(&TOLD).len()
}
