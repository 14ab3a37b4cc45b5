//! The cells of L1, which tasks and mutexes update alike.

use acrasin_runtime::Digest;

/// A cell of L1.
pub(crate) type Cell = u8;

/// The digest of cells, whatever their width.
pub(crate) fn digest_of(cells: impl Iterator<Item = u64>) -> Digest {
    Digest::of(&cells.collect::<Vec<u64>>())
}
