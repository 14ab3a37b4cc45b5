//! Every limit on what a scenario file may hold, each with its reason.

/// Bytes of a scenario file. A transition table of hundreds of states and a list of initial states of
/// a hundred thousand nodes fit; a trace given by mistake in place of a scenario is refused at once.
pub const MAX_FILE_BYTES: usize = 1 << 20;

/// Nested brackets in a scenario file. The schema needs about ten; the reader recurses once a level,
/// so the limit keeps its stack small whatever the file says.
pub const MAX_DEPTH: usize = 64;

/// Overrides (`--set`) of one scenario. Places in the text move with each.
pub const MAX_SETS: usize = 256;

/// The largest count that a scenario can name: 10^18. Above any run that ends.
pub use acrasin_protocols::predicate::MAX_COUNT;
pub use acrasin_protocols::predicate::{MAX_PREDICATE_BYTES, MAX_PREDICATE_DEPTH, MAX_PREDICATE_NAMES};

/// Characters of a source line that an error message shows.
pub const EXCERPT_WIDTH: usize = 100;

/// Bytes that a run may take, by an estimate made before anything is allocated: 16 GiB. More than most machines of
/// a lab have left; what is above would rather be killed than finish.
pub const MEMORY_BYTES: u64 = 16 << 30;

/// Bytes of a file of bounds: a million lines fit.
pub const BOUNDS_BYTES: u64 = 64 << 20;

/// Steps between two looks of a watch: often enough to end a run within milliseconds, seldom enough to cost nothing.
pub const LOOK_STEPS: u64 = 4096;

/// Nodes that a film of agents has: of more of them it has the counts. A page draws 10^5 in a fifth of a second.
pub const FILMED: u32 = 1 << 18;

/// Bytes of a configuration in a report: it is read by people.
pub const CONFIGURATION_BYTES: usize = 64 << 10;

/// Lines of an effective table in a report: it is read by people.
pub const TABLE_LINES: usize = 200;

/// Steps of a concurrent run of amoebots. Its log has 48 bytes an action, and an action takes five steps: 5 GB.
pub const AMOEBOT_CONCURRENT_STEPS: u64 = 500_000_000;

/// Actions in the log of a run of amoebots in waves or tiles: some 120 bytes each, 5 GB.
pub const AMOEBOT_LOGGED_ACTIONS: usize = 40_000_000;

/// The farthest isolation of amoebots in rounds. Everybody within this distance is looked for each time: about 200.
pub const AMOEBOT_ISOLATION: u64 = 8;

/// Bytes of a drawing of amoebots: twice the characters of the largest area, for comments and line ends.
pub const AMOEBOT_DRAWING_BYTES: u64 = 1 << 25;

/// Amoebots that lock by message passing: below each stands a node with its messages, some kilobytes of them.
pub const AMOEBOT_MESSAGE_NODES: usize = 1 << 20;

/// Most moments at which there is a picture of amoebots.
pub const AMOEBOT_PICTURES: usize = 100;

/// States of a check of amoebots if the scenario says nothing: of four amoebots about 1 GB.
pub const AMOEBOT_STATES: usize = 1 << 22;

/// Ways on from one state that a check of amoebots follows: draws, and who acts in a round. Each is a copy of the system.
pub const AMOEBOT_OUTCOMES: usize = 1 << 20;

/// A check of up to so many states is done once more with the amoebots told apart, for the figures of the literature.
pub const AMOEBOT_STATES_TOLD_APART: usize = 100_000;

/// Runs in waves or tiles of up to so many amoebots keep a log, and are replayed: hexagon formation of as many has a log of 90
/// MB, and of ten times as many one of a gigabyte, which is most of what the run takes.
pub const AMOEBOT_LOGGED: usize = 1 << 14;

/// The most states of a check of amoebots that a scenario can ask for: of four amoebots about 8 GB.
pub const AMOEBOT_STATES_MAX: usize = 1 << 25;
