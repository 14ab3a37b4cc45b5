//! The object: a set of cells that no amoebot can enter.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::model::lattice::Cell;

/// A set of cells, shared by all copies of a system. The empty set takes no storage and adds nothing to a hash, so it
/// does not change the digest of a system.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(crate) struct Object(Option<Arc<[Cell]>>);

impl Object {
    /// The object of these cells, in any order; duplicates count once.
    pub(crate) fn of(mut cells: Vec<Cell>) -> Self {
        cells.sort_unstable();
        cells.dedup();
        Self((!cells.is_empty()).then(|| cells.into()))
    }

    /// The cells, sorted.
    pub(crate) fn cells(&self) -> &[Cell] {
        self.0.as_deref().unwrap_or_default()
    }

    /// Whether a cell belongs to the object. O(log k) for k cells of the object.
    #[inline]
    pub(crate) fn contains(&self, cell: Cell) -> bool {
        self.0.as_ref().is_some_and(|cells| cells.binary_search(&cell).is_ok())
    }

    /// The object moved by (dx, dy); `None` beyond the limit of the lattice.
    pub(crate) fn translated(&self, dx: i32, dy: i32) -> Option<Self> {
        if (dx, dy) == (0, 0) {
            return Some(self.clone());
        }
        // A translation preserves the order.
        let moved = self.cells().iter().map(|cell| cell.translated(dx, dy)).collect::<Option<Vec<_>>>()?;
        Some(Self((!moved.is_empty()).then(|| moved.into())))
    }

    /// The bytes of the storage, counted in full although other copies share it.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(self.cells())
    }
}

impl Hash for Object {
    fn hash<H: Hasher>(&self, state: &mut H) {
        if let Some(cells) = &self.0 {
            cells.hash(state);
        }
    }
}
