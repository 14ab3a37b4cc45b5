//! The cells of workload L1, for tasks and mutexes.

use acrasin_runtime::Digest;

/// The state of a node in workload L1.
pub(crate) type CellByte = u8;

/// The digest of cells, whatever their width in memory.
pub(crate) fn digest_of(cells: impl Iterator<Item = u64>) -> Digest {
    Digest::of(&cells.collect::<Vec<u64>>())
}
