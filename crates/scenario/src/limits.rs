//! Every limit on what a scenario file may hold, each with its reason.

/// Bytes of a scenario file. A transition table of hundreds of states and a list of initial states of
/// a hundred thousand nodes fit; a trace given by mistake in place of a scenario is refused at once.
pub const MAX_FILE_BYTES: usize = 1 << 20;

/// Nested brackets in a scenario file. The schema needs about ten; the reader recurses once a level,
/// so the limit keeps its stack small whatever the file says.
pub const MAX_DEPTH: usize = 64;

/// Overrides (`--set`) of one scenario. The text is read again after each.
pub const MAX_SETS: usize = 256;

/// The largest count that a scenario can name: 10^18. Above any run that ends, and small enough that
/// a product of two counts and a sum of many such products fit in 128 bits.
pub const MAX_COUNT: u64 = 1_000_000_000_000_000_000;

/// Bytes of one predicate on counts: it is read by people.
pub const MAX_PREDICATE_BYTES: usize = 4096;

/// Nested parentheses and negations in a predicate: its reader recurses once a level.
pub const MAX_PREDICATE_DEPTH: usize = 64;

/// Different names on one side of a comparison. With counts and factors up to [`MAX_COUNT`] the sum
/// is at most 64 · 10^36 + 10^18, below 2^127 ≈ 1.7 · 10^38: evaluation cannot overflow.
pub const MAX_PREDICATE_NAMES: usize = 64;

/// Characters of a source line that an error message shows.
pub const EXCERPT_WIDTH: usize = 100;

/// Bytes that a run may take, by an estimate made before anything is allocated: 16 GiB. More than most machines of
/// a lab have left; what is above would rather be killed than finish.
pub const MEMORY_BYTES: u64 = 16 << 30;

/// Steps between two looks of a watch: often enough to end a run within milliseconds, seldom enough to cost nothing.
pub const LOOK_STEPS: u64 = 4096;

/// Bytes of a configuration in a report: it is read by people.
pub const CONFIGURATION_BYTES: usize = 64 << 10;

/// Lines of an effective table in a report: it is read by people.
pub const TABLE_LINES: usize = 200;
