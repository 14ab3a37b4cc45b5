//! What a page calls. Numbers go in and out, everything else lies in a buffer of the module's memory:
//!
//! 1. `room(bytes)` makes room for so many bytes and says where; the page writes there.
//! 2. `give(name)` takes the first `name` bytes as the path of a file and the others as what is in it; `run()` takes all as a
//!    [`Request`] in JSON.
//! 3. `told()` and `told_bytes()` say where the [`Answer`] lies, in JSON, and how long it is.
//!
//! While `run()` goes on it calls `page.show()` whenever there is more to see: then what `told()` names is [`More`]. That is all that
//! the module imports.
//!
//! A fault of the program itself stops the module, as WebAssembly cannot unwind; what it was is then the answer, which can still be read.

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
    /// There is more to see.
    safe fn show();
}

fn show_more(more: &More) {
    tell(more);
    #[cfg(target_family = "wasm")]
    show();
}

/// Makes room for so many bytes, and says where.
#[unsafe(no_mangle)]
pub extern "C" fn room(bytes: usize) -> *mut u8 {
    let mut buffer = of(&BUFFER);
    buffer.clear();
    buffer.resize(bytes, 0);
    buffer.as_mut_ptr()
}

/// Takes the first bytes of the buffer as the path of a file, and the others as what is in it.
#[unsafe(no_mangle)]
pub extern "C" fn give(name: usize) {
    let buffer = of(&BUFFER);
    let (name, bytes) = buffer.split_at(name.min(buffer.len()));
    #[cfg(target_family = "wasm")]
    acrasin_graphs::read::give(String::from_utf8_lossy(name).as_ref().as_ref(), bytes);
    #[cfg(not(target_family = "wasm"))]
    let _ = (name, bytes);
}

/// Runs what the buffer asks for.
#[unsafe(no_mangle)]
pub extern "C" fn run() {
    std::panic::set_hook(Box::new(|fault| tell(&Answer::of_fault(&fault.to_string()))));
    let asked = serde_json::from_slice::<Request>(&of(&BUFFER));
    tell(&match asked {
        Ok(asked) => answer(&asked, show_more),
        Err(error) => Answer::of_fault(&format!("the page asked for what is no request: {error}")),
    });
}

/// Where the answer lies.
#[unsafe(no_mangle)]
pub extern "C" fn told() -> *const u8 {
    of(&TOLD).as_ptr()
}

/// How long it is.
#[unsafe(no_mangle)]
pub extern "C" fn told_bytes() -> usize {
    of(&TOLD).len()
}
