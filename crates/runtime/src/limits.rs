//! Every limit of the runtime, with its reason.

/// Ports of a node, at most: port numbers are stored in 16 bits, and K = Δ² + 1 must fit in 32 bits.
pub const PORTS_MAX: u16 = u16::MAX;

/// Nodes of a graph, at most: one below 2^28 keeps every flat offset in 32 bits for degrees up to 8 and every
/// count in `f64` exact. The memory estimate of a plan stops a run long before.
pub const NODES_MAX: u32 = 1 << 28;

/// K, the number of priorities, at least: with K = 1 two contenders tie for ever.
pub const PRIORITIES_MIN: u32 = 2;

/// Port slots of a graph, at most: offsets into the flat storage have 32 bits.
pub const SLOTS_MAX: u64 = u32::MAX as u64;
