//! Limits on scenario files and runs, each with the reason for it.

/// The maximum size of a scenario file, in bytes. A transition table of hundreds of states fits, and so does a list of
/// the initial states of 100,000 nodes. A contact trace given by mistake in place of a scenario is refused at once.
pub const MAX_FILE_BYTES: usize = 1 << 20;

/// The maximum depth of nested brackets in a scenario file. The format needs about ten. The reader recurses once per
/// level, so the limit bounds its stack for any file.
pub const MAX_DEPTH: usize = 64;

/// The maximum number of overrides (`--set`) of a scenario. Each override shifts positions in the text, which makes
/// later ones more expensive.
pub const MAX_SETS: usize = 256;

/// The largest count that a scenario can name: 10^18. No run reaches it.
pub use acrasin_protocols::predicate::MAX_COUNT;
pub use acrasin_protocols::predicate::{MAX_PREDICATE_BYTES, MAX_PREDICATE_DEPTH, MAX_PREDICATE_NAMES};

/// The maximum number of characters of a source line that an error message shows.
pub const EXCERPT_WIDTH: usize = 100;

/// The default memory limit of a run: 16 GiB. It is compared with an estimate before anything is allocated. Most lab
/// machines have less free memory; the operating system would kill a larger run before it finishes.
pub const MEMORY_BYTES: u64 = 16 << 30;

/// The maximum size of a file of bounds, in bytes: a million lines fit.
pub const BOUNDS_BYTES: u64 = 64 << 20;

/// The maximum length of a text in CSV, in bytes. Longer ones (lists of cells, tables of rules) are omitted, because
/// every row would repeat them.
pub const CSV_BYTES: usize = 1000;

/// The number of steps between two polls of a run control. A stopped run therefore ends within milliseconds, and
/// polling costs almost nothing.
pub const LOOK_STEPS: u64 = 4096;

/// The maximum number of steps, rounds or interactions in a checkpoint: more than a run makes in a century, and a
/// quarter of what their counters can hold.
pub(crate) const RESUMED_COUNT: u64 = 1 << 62;

/// The maximum number of nodes in a film of agents; larger populations are filmed as counts. A page draws 10^5 nodes in
/// 0.2 s.
pub const FILMED: u32 = 1 << 18;

/// The maximum number of bytes of a configuration in a report.
pub const CONFIGURATION_BYTES: usize = 64 << 10;

/// The maximum number of lines of an effective transition table in a report.
pub const TABLE_LINES: usize = 200;

/// The maximum number of steps of a concurrent run of amoebots. The log has 48 bytes per action, and an action takes
/// five steps, so the log has 5 GB at the limit.
pub const AMOEBOT_CONCURRENT_STEPS: u64 = 500_000_000;

/// The maximum number of actions in the log of a run of amoebots in waves or tiles: about 120 bytes each, 5 GB in
/// total.
pub const AMOEBOT_LOGGED_ACTIONS: usize = 40_000_000;

/// The largest isolation distance of amoebots in rounds. For each amoebot all cells within this distance are visited,
/// about 200.
pub const AMOEBOT_ISOLATION: u64 = 8;

/// The maximum size of a drawing of amoebots, in bytes: twice the number of cells of the largest area, to leave room
/// for comments and line ends.
pub const AMOEBOT_DRAWING_BYTES: u64 = 1 << 25;

/// The maximum number of amoebots that lock by message passing. The node of an amoebot and its messages take some
/// kilobytes.
pub const AMOEBOT_MESSAGE_NODES: usize = 1 << 20;

/// The maximum number of moments at which amoebots are drawn.
pub const AMOEBOT_PICTURES: usize = 100;

/// The default limit on the states of a check of amoebots. At this limit the states of four amoebots take about 1 GB.
pub const AMOEBOT_STATES: usize = 1 << 22;

/// The maximum number of outcomes of one state in a check of amoebots. Outcomes differ in random draws and in the set
/// of amoebots that act in a round. Each outcome is a copy of the system.
pub const AMOEBOT_OUTCOMES: usize = 1 << 20;

/// The maximum number of states of a check that is repeated with distinguishable amoebots, for comparison with figures
/// of the literature.
pub const AMOEBOT_STATES_TOLD_APART: usize = 100_000;

/// The maximum number of amoebots of a run in waves or tiles that keeps a log and can be replayed. The log of hexagon
/// formation takes 90 MB at this size. For ten times as many amoebots it takes 1 GB, most of the memory of the run.
pub const AMOEBOT_LOGGED: usize = 1 << 14;

/// The largest limit that a scenario can set on the states of a check of amoebots. At this limit the states of four
/// amoebots take about 8 GB.
pub const AMOEBOT_STATES_MAX: usize = 1 << 25;

/// Rounds of fewer nodes are not interrupted, because they are too short for a user to notice. The run control is then
/// polled only between rounds.
pub(crate) const CUT_NODES_MIN: usize = 1 << 16;
