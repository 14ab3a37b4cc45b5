//! The limits on untrusted files, with their reasons.

/// The maximum number of bytes of one line of a conformance file. A line is held in memory, and its parsed form takes
/// about ten times as much. Scenarios of a thousand steps on nodes with 4000 ports fit.
pub const SCENARIO_BYTES_MAX: usize = 32 << 20;

/// The maximum product of a scenario's nodes and ports per node. At worst, 32 bytes are allocated for each port. A
/// thousand nodes with 4095 ports fit.
pub const SCENARIO_SLOTS_MAX: u64 = 1 << 22;

/// The maximum number of nodes of a scenario. The file lists the final memory of each node.
pub const SCENARIO_NODES_MAX: u32 = 1 << 16;

/// The maximum number of steps of a scenario. Longer runs should be replays, which are not held in memory.
pub const SCENARIO_STEPS_MAX: usize = 1 << 20;

/// The maximum number of differences of one scenario that a report stores; all are counted. Most differences are
/// consequences of the first.
pub const DIFFERENCES_PER_SCENARIO: u64 = 16;

/// The maximum number of differences that a report stores; all are counted.
pub const DIFFERENCES_KEPT: usize = 1000;

/// The maximum number of skipped scenarios that a report names; all are counted. A file may have any number of
/// scenarios.
pub const SKIPPED_KEPT: usize = 1000;

/// The maximum number of bytes of one line of a replay. The first line contains the text of the scenario; the line of a
/// step contains the picks of its critical section.
pub const REPLAY_LINE_BYTES_MAX: usize = 16 << 20;

/// The maximum number of nodes of a swarm counterexample. Swarm runs have at most 12 nodes. The world is built before
/// the first step is read.
pub const SWARM_NODES_MAX: u32 = 1 << 10;

/// The maximum number of ports of a swarm counterexample.
pub const SWARM_PORTS_MAX: u16 = 1 << 10;

/// The maximum number of steps of a swarm counterexample, which are held in memory. The longest possible run has fewer
/// steps.
pub const SWARM_STEPS_MAX: usize = 1 << 20;

/// The maximum number of characters of an error about a file, because a quoted value may be megabytes long.
pub const MESSAGE_CHARS_MAX: usize = 600;
