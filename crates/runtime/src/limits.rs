//! Every limit of the runtime, with its reason.

/// The maximum number of ports of a node: port numbers are stored in 16 bits, and K = Δ² + 1 must fit in 32 bits.
pub const PORTS_MAX: u16 = u16::MAX;

/// The maximum number of nodes of a graph. Up to 2^28 nodes every flat offset fits in 32 bits for degrees up to 8, and
/// every count is exact in `f64`. In practice the memory estimate of a plan refuses far smaller runs.
pub const NODES_MAX: u32 = 1 << 28;

/// Minimum of K, the number of priorities: with K = 1 two contenders tie forever.
pub const PRIORITIES_MIN: u32 = 2;

/// The maximum number of port slots of a graph: offsets into the flat storage have 32 bits.
pub const SLOTS_MAX: u64 = u32::MAX as u64;
