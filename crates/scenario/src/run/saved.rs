//! Checkpoints of processes whose state is a sequence of [packed](acrasin_runtime::pack) values.

use acrasin_process::RestoreError;
use acrasin_runtime::{Digest, Pack as _, PackError};

/// The version of the byte layouts; increased when the layout of any of these processes changes.
const VERSION: u32 = 1;

/// A process that is saved value by value.
pub(crate) trait SavedProcess {
    /// The name of the kind of process. A checkpoint of another kind is refused.
    const KIND: &'static str;

    /// Appends the state. Returns `false` if the state cannot be saved, because the algorithm has no codec or the run
    /// is over.
    fn save_state(&self, into: &mut Vec<u8>) -> bool;

    /// Sets the state to the one at the front of `from`.
    ///
    /// # Errors
    ///
    /// [`PackError`] if `from` does not begin with a state of this run. The process is then unusable until a load
    /// succeeds.
    fn load_state(&mut self, from: &mut &[u8]) -> Result<(), PackError>;
}

/// Implements `save` and `restore` of a [`Process`](acrasin_process::Process) by a [`SavedProcess`].
macro_rules! save_and_restore {
    () => {
        fn save(&self) -> Option<Vec<u8>> {
            $crate::run::saved::save(self)
        }

        fn restore(&mut self, checkpoint: &[u8]) -> Result<(), acrasin_process::RestoreError> {
            $crate::run::saved::restore(self, checkpoint)
        }
    };
}

pub(crate) use save_and_restore;

/// Saves a process: its state, then a digest of version, kind and state.
pub(crate) fn save<P: SavedProcess + ?Sized>(process: &P) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    if !process.save_state(&mut bytes) {
        return None;
    }
    seal(P::KIND, &mut bytes);
    Some(bytes)
}

/// Appends the digest of version, kind and state.
pub(crate) fn seal(kind: &str, state: &mut Vec<u8>) {
    let digest = digest(kind, state);
    state.extend(digest.0.to_le_bytes());
}

pub(crate) fn restore<P: SavedProcess + ?Sized>(
    process: &mut P,
    checkpoint: &[u8],
) -> Result<(), RestoreError> {
    // The current state is set again if the checkpoint is refused.
    let mut before = Vec::new();
    if !process.save_state(&mut before) {
        return Err(RestoreError::Unsupported);
    }
    let refused = |sentence: &str| Err(RestoreError::Refused(sentence.to_owned()));
    let Some((state, expected)) = checkpoint.split_last_chunk() else {
        return refused("the checkpoint is cut off");
    };
    if digest(P::KIND, state).0.to_le_bytes() != *expected {
        return refused("the checkpoint is damaged, or not of a run of this kind");
    }
    let mut rest = state;
    let loaded = process.load_state(&mut rest);
    if loaded.is_ok() && rest.is_empty() {
        return Ok(());
    }
    process.load_state(&mut &before[..]).expect("the own state can be set again");
    refused("the checkpoint is of another scenario or seed")
}

fn digest(kind: &str, state: &[u8]) -> Digest {
    let mut head = Vec::new();
    VERSION.pack(&mut head);
    head.extend(kind.as_bytes());
    Digest::of(&(head, state))
}
