//! [`Wave`]: the figures of one wave.

/// Figures of one wave.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wave {
    /// The number of the wave.
    pub number: u64,
    /// The number of nodes that had their turn: all nodes, unless the wave was [cancelled](crate::RoundCancellation).
    pub turns: u64,
    /// The number of nodes that entered their critical section.
    pub entered: u64,
    /// The number of tiles; 0 if the network is not divided into tiles.
    pub tiles: u32,
    /// The number of phases that run one after another, for any number of threads: tiles, their borders, and nodes with
    /// far neighbours. The number is 1 if the network is not divided into tiles.
    pub phases: u32,
    /// The effort of finding nodes that may enter at the same time.
    pub effort: WaveEffort,
}

/// The effort of competing in batches. It depends on the number of threads, because one thread needs no competition.
///
/// All other figures and all states are the same for every number of threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct WaveEffort {
    /// The number of rounds of all batches.
    pub rounds: u64,
    /// The number of nodes that did not win in the first round of their batch.
    pub deferred: u64,
}
