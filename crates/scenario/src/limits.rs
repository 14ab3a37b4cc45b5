//! Limits on scenario files and runs, each with its reason.

/// Bytes of a scenario file. A transition table of hundreds of states and a list of initial states of 100,000 nodes
/// fit; a trace given by mistake in place of a scenario is refused at once.
pub const MAX_FILE_BYTES: usize = 1 << 20;

/// Nested brackets in a scenario file. The schema needs about ten; the reader recurses once per level, so the limit
/// keeps its stack small whatever the file says.
pub const MAX_DEPTH: usize = 64;

/// Overrides (`--set`) of one scenario. Each one shifts positions in the text.
pub const MAX_SETS: usize = 256;

/// The largest count that a scenario can name: 10^18. Above any run that ends.
pub use acrasin_protocols::predicate::MAX_COUNT;
pub use acrasin_protocols::predicate::{MAX_PREDICATE_BYTES, MAX_PREDICATE_DEPTH, MAX_PREDICATE_NAMES};

/// Characters of a source line that an error message shows.
pub const EXCERPT_WIDTH: usize = 100;

/// Bytes that a run may take, by an estimate before anything is allocated: 16 GiB. Most lab machines have less left;
/// the operating system would kill a larger run before it finishes.
pub const MEMORY_BYTES: u64 = 16 << 30;

/// Bytes of a file of bounds: a million lines fit.
pub const BOUNDS_BYTES: u64 = 64 << 20;

/// Steps between two polls of a watch. A run ends within milliseconds, and the cost is negligible.
pub const LOOK_STEPS: u64 = 4096;

/// The maximum number of nodes in a film of agents; larger populations are filmed as counts. A page draws 10^5 nodes in
/// 0.2 s.
pub const FILMED: u32 = 1 << 18;

/// Bytes of a configuration in a report, which is read by people.
pub const CONFIGURATION_BYTES: usize = 64 << 10;

/// Lines of an effective table in a report, which is read by people.
pub const TABLE_LINES: usize = 200;

/// Steps of a concurrent run of amoebots. Its log has 48 bytes per action, and an action takes five steps: 5 GB.
pub const AMOEBOT_CONCURRENT_STEPS: u64 = 500_000_000;

/// Actions in the log of a run of amoebots in waves or tiles: about 120 bytes each, 5 GB in total.
pub const AMOEBOT_LOGGED_ACTIONS: usize = 40_000_000;

/// The largest isolation distance of amoebots in rounds. Each check visits all cells within this distance, about 200.
pub const AMOEBOT_ISOLATION: u64 = 8;

/// Bytes of a drawing of amoebots: twice the cells of the largest area, to leave room for comments and line ends.
pub const AMOEBOT_DRAWING_BYTES: u64 = 1 << 25;

/// Amoebots that lock by message passing. The node of each one and its messages take some kilobytes.
pub const AMOEBOT_MESSAGE_NODES: usize = 1 << 20;

/// The maximum number of moments at which amoebots are drawn.
pub const AMOEBOT_PICTURES: usize = 100;

/// States of a check of amoebots by default: about 1 GB for four amoebots.
pub const AMOEBOT_STATES: usize = 1 << 22;

/// Outcomes of one state that a check of amoebots follows: draws, and the choices of the amoebots that act in a round.
/// Each is a copy of the system.
pub const AMOEBOT_OUTCOMES: usize = 1 << 20;

/// The largest check, in states, that is repeated with distinguishable amoebots, for comparison with figures of the
/// literature.
pub const AMOEBOT_STATES_TOLD_APART: usize = 100_000;

/// The maximum number of amoebots of a run in waves or tiles that keeps a log and can be replayed. The log of hexagon
/// formation takes 90 MB at this size. At ten times the size it takes 1 GB, most of the memory of the run.
pub const AMOEBOT_LOGGED: usize = 1 << 14;

/// The maximum number of states that a scenario can allow for a check of amoebots: about 8 GB for four amoebots.
pub const AMOEBOT_STATES_MAX: usize = 1 << 25;

/// Rounds of fewer nodes are not interrupted: they end before a user would notice. The watch is polled between rounds.
pub(crate) const CUT_NODES_MIN: usize = 1 << 16;
