//! The limits of this crate, each with its reason.
//!
//! They are checked on estimates, before anything is allocated. A limit on a product is checked on the product, not on
//! each factor.

/// The maximum number of nodes of a graph or trace: 2^26.
///
/// Node numbers are 32-bit, and twice the edge limit must be addressable by 32-bit offsets. Beyond this limit the
/// simulated nodes (about a hundred bytes each) would not fit in the memory of one machine anyway.
pub const NODES_MAX: u32 = 1 << 26;

/// The maximum number of edges of a graph: 2^27.
///
/// The edge list takes 8 bytes per edge and the adjacency as much again: 2 GiB at the limit. A complete graph reaches
/// it at 16 384 nodes.
pub const EDGES_MAX: u64 = 1 << 27;

/// The maximum number of bytes of an input file after decompression: 512 MiB.
///
/// The text is held in memory while it is read. A compressed file that unpacks to more is refused as soon as it passes
/// the limit, so a file of a few kilobytes cannot fill the memory.
pub const TEXT_BYTES_MAX: u64 = 1 << 29;

/// The number of bytes that any compressed file may unpack to: 32 MiB, which are read in a fraction of a second.
pub const UNPACKED_BYTES_FREE: u64 = 1 << 25;

/// The maximum ratio of the bytes above [`UNPACKED_BYTES_FREE`] to the size of the compressed file. Gzip shortens lists
/// of edges and contacts, even of paths, stars and lattices in order, to a third or a fifth. It shortens blanks to a
/// thousandth.
pub const UNPACKED_RATIO_MAX: u64 = 50;

/// The maximum number of bytes that a compressed file of this size may unpack to.
pub(crate) fn unpacked_bytes_max(compressed: u64) -> u64 {
    TEXT_BYTES_MAX.min(UNPACKED_BYTES_FREE.saturating_add(compressed.saturating_mul(UNPACKED_RATIO_MAX)))
}

/// The maximum number of nodes of a graph6 graph: 8192.
///
/// The format is a dense matrix. Decoding takes about 15 bytes for every six entries of it: 85 MB at the limit.
pub const GRAPH6_NODES_MAX: u32 = 8192;

/// The maximum nesting of subgraphs in a DOT file: 64.
///
/// The reader recurses into subgraphs, and the stack is finite.
pub const DOT_NESTING_MAX: u32 = 64;

/// The largest absolute value of a coordinate in a file: 10^9.
///
/// In millimetres this covers a continent. Products and squares of differences are far from overflow.
pub const COORDINATE_MAX: f64 = 1e9;

/// The maximum number of contacts of a trace, and of lines of a contact file: 2^24.
///
/// A contact takes 24 bytes, its schedule 16 more: 640 MiB at the limit. The largest published recordings of human
/// contacts have about 10^6 lines.
pub const CONTACTS_MAX: u64 = 1 << 24;

/// The largest absolute value of a time in a trace, in seconds: 2^53.
///
/// Sums and differences of two such times cannot overflow. Each time is exact as a floating-point number in a table or
/// plot.
pub const SECONDS_MAX: i64 = 1 << 53;

/// The maximum work of the mobility model: 2^32. The work is the number of samples times the sum of nodes and expected
/// pairs in range.
///
/// The limit is about a minute of work.
pub const MOBILITY_WORK_MAX: u64 = 1 << 32;
