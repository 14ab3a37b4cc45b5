//! What a wave came to.

/// What one wave came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wave {
    /// Its number.
    pub number: u64,
    /// Nodes that had their turn: all of them.
    pub turns: u64,
    /// Nodes that wanted, and entered their critical section.
    pub entered: u64,
    /// Tiles; 0 where the network is not cut.
    pub tiles: u32,
    /// Parts of the wave that follow each other whatever the number of threads: the tiles, their borders, the nodes
    /// with far neighbours. 1 where the network is not cut.
    pub phases: u32,
    /// What it took to find out who may enter at the same time.
    pub effort: Effort,
}

/// What competing in batches took. All other figures and all states are the same for every number of threads; these are
/// not: one thread needs no competition.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Effort {
    /// Rounds of all batches.
    pub rounds: u64,
    /// Nodes that did not win in the first round of their batch.
    pub deferred: u64,
}
