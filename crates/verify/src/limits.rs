//! Every limit on a file from a stranger, with its reason.

/// Bytes of one line of a conformance file, at most: a line is held in memory, and what it becomes takes about ten
/// times as much. Scenarios of a thousand steps on four-thousand-port nodes fit.
pub const SCENARIO_BYTES_MAX: usize = 32 << 20;

/// Nodes of a scenario times the ports of each, at most: that many slots are allocated in the worst case, at 32 bytes.
/// A thousand nodes of 4095 ports fit.
pub const SCENARIO_SLOTS_MAX: u64 = 1 << 22;

/// Nodes of a scenario, at most: each is listed at the end, with its memory.
pub const SCENARIO_NODES_MAX: u32 = 1 << 16;

/// Steps of a scenario, at most: longer runs are replays, which are not held in memory.
pub const SCENARIO_STEPS_MAX: usize = 1 << 20;

/// Differences of one scenario that a report keeps; all are counted. After the first, most are its consequences.
pub const DIFFERENCES_PER_SCENARIO: u64 = 16;

/// Differences that a report keeps; all are counted.
pub const DIFFERENCES_KEPT: usize = 1000;

/// Scenarios that a report names because they were not run; all are counted. A file may have any number of them.
pub const SKIPPED_KEPT: usize = 1000;

/// Bytes of one line of a replay, at most: the first line has the text of the scenario, and a step the picks of its
/// critical section.
pub const REPLAY_LINE_BYTES_MAX: usize = 16 << 20;

/// Nodes of a counterexample of a swarm run, at most: runs have 12, and a world is made before a step is read.
pub const SWARM_NODES_MAX: u32 = 1 << 10;

/// Ports of a counterexample of a swarm run, at most.
pub const SWARM_PORTS_MAX: u16 = 1 << 10;

/// Steps of a counterexample of a swarm run, at most: they are held in memory. The longest possible run has fewer.
pub const SWARM_STEPS_MAX: usize = 1 << 20;

/// Characters of what an error says about a file: a value that it quotes may have megabytes.
pub const MESSAGE_CHARS_MAX: usize = 600;
