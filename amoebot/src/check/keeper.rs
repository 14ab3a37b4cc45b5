//! [`CheckKeeper`]: keeps checkpoints of explorations.

/// Keeps checkpoints of an exploration, and has the one from which it continues.
pub trait CheckKeeper: Sync {
    /// Whether checkpoints are kept. An exploration that is stopped then forgets what it began after the last whole
    /// block of states, with the faults in it.
    fn is_keeping(&self) -> bool {
        false
    }

    /// The state from which the exploration continues; `None` if it starts. Asked once.
    fn resumed(&self) -> Option<Vec<u8>> {
        None
    }

    /// Whether the state is to be kept now. Asked after every block of states, and once after a stop.
    fn is_due(&self, is_stopped: bool) -> bool {
        let _ = is_stopped;
        false
    }

    /// Keeps the state; `None` if the memories of the algorithm or its locks cannot be saved.
    fn keep(&self, state: Option<Vec<u8>>) {
        let _ = state;
    }

    /// Whether the state after the last block is needed, of an exploration with this number of states.
    fn needs_end(&self, states: u64) -> bool {
        let _ = states;
        false
    }

    /// Receives the state after the last block, as for [`keep`](Self::keep), if it [needs](Self::needs_end) it.
    fn keep_end(&self, state: Option<Vec<u8>>) {
        let _ = state;
    }
}

/// Keeps no checkpoints.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unkept;

impl CheckKeeper for Unkept {}
