//! [`CheckKeeper`]: keeps checkpoints of explorations.

/// Keeps checkpoints of an exploration, and provides the one from which it continues.
pub trait CheckKeeper: Sync {
    /// Whether checkpoints are kept. If so, a stopped exploration discards the unfinished block of states, with the
    /// faults found in that block.
    fn is_keeping(&self) -> bool {
        false
    }

    /// The saved state from which the exploration continues; `None` if it starts from the beginning. Called once.
    fn resumed(&self) -> Option<Vec<u8>> {
        None
    }

    /// Whether to keep the state of the exploration now. Called after every block of states, and once after a stop.
    fn is_due(&self, is_stopped: bool) -> bool {
        let _ = is_stopped;
        false
    }

    /// Receives the state of the exploration; `None` if the memories of the algorithm or its locks cannot be saved.
    fn keep(&self, state: Option<Vec<u8>>) {
        let _ = state;
    }

    /// Whether the state after the last block is needed, for an exploration with this number of states.
    fn needs_end(&self, states: u64) -> bool {
        let _ = states;
        false
    }

    /// Receives the state after the last block, like [`keep`](Self::keep), if it is [needed](Self::needs_end).
    fn keep_end(&self, state: Option<Vec<u8>>) {
        let _ = state;
    }
}

/// Keeps no checkpoints.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unkept;

impl CheckKeeper for Unkept {}
