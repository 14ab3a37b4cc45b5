//! Claims on cells. If several amoebots expand into one cell, the best claim wins, in whatever order the claims arrive.

use std::sync::atomic::{AtomicU64, Ordering};

use acrasin_engine::draw::mix;

use crate::model::lattice::Cell;

/// The key of a free slot. It differs from all cells, whose keys have 62 bits.
const FREE: u64 = u64::MAX;

/// The claims of a wave on cells, in an open-addressing table that all threads write concurrently.
///
/// The slot of a cell depends on the order of threads; the result of a lookup does not.
#[derive(Debug, Default)]
pub(super) struct Targets {
    slots: Vec<TargetSlot>,
    /// The number of slots that this wave uses: a power of two, larger than the number of claims, so each search ends.
    used: usize,
}

#[derive(Debug)]
struct TargetSlot {
    cell: AtomicU64,
    claim: AtomicU64,
}

impl Targets {
    /// Prepares for a wave with at most this many claims. O(`claims`).
    pub(super) fn clear(&mut self, claims: usize) {
        self.used = (2 * claims).next_power_of_two();
        for slot in self.slots.iter_mut().take(self.used) {
            *slot.cell.get_mut() = FREE;
            *slot.claim.get_mut() = u64::MAX;
        }
        let missing = self.used.saturating_sub(self.slots.len());
        self.slots.reserve_exact(missing);
        let free = || TargetSlot { cell: AtomicU64::new(FREE), claim: AtomicU64::new(u64::MAX) };
        self.slots.extend(std::iter::repeat_with(free).take(missing));
    }

    /// Claims a cell. O(1) expected.
    ///
    /// # Panics
    ///
    /// May panic, or not return, if there are more claims than were announced to [`clear`](Self::clear).
    pub(super) fn claim(&self, cell: Cell, claim: u64) {
        let key = key(cell);
        for at in self.places(key) {
            let slot = &self.slots[at];
            // Cells are only added while claims are made, so a cell is in the first slot that it found free.
            let before = slot.cell.compare_exchange(FREE, key, Ordering::Relaxed, Ordering::Relaxed);
            if before.is_ok() || before == Err(key) {
                slot.claim.fetch_min(claim, Ordering::Relaxed);
                return;
            }
        }
    }

    /// Whether this claim on the cell is the best one. Called after all claims are made. O(1) expected.
    pub(super) fn holds(&self, cell: Cell, claim: u64) -> bool {
        let key = key(cell);
        let mut cells = self.places(key).map(|at| (at, self.slots[at].cell.load(Ordering::Relaxed)));
        let found = cells.find(|(_, found)| *found == key || *found == FREE);
        found.is_some_and(|(at, found)| found == key && self.slots[at].claim.load(Ordering::Relaxed) == claim)
    }

    /// The bytes of the storage.
    pub(super) fn bytes(&self) -> usize {
        self.slots.capacity() * size_of::<TargetSlot>()
    }

    /// The slots of this wave, in the order in which the search for a cell probes them.
    fn places(&self, key: u64) -> impl Iterator<Item = usize> + use<> {
        let (first, mask) = (mix(key) as usize, self.used - 1);
        (0..self.used).map(move |step| first.wrapping_add(step) & mask)
    }
}

fn key(cell: Cell) -> u64 {
    let above = |coordinate: i32| u64::from((coordinate + Cell::COORDINATE_MAX) as u32);
    above(cell.x()) << 31 | above(cell.y())
}

#[cfg(test)]
mod tests {
    use super::*;
    use rayon::prelude::*;
    use std::collections::{BTreeMap, BTreeSet};

    /// Distinct claims on a few cells, with many claims on each cell.
    fn claims(count: u64, cells: u64) -> Vec<(Cell, u64)> {
        let at = |n: u64| Cell::new((mix(n) % cells) as i32, -((mix(n) % 3) as i32)).unwrap();
        (0..count).map(|n| (at(n), mix(n + count))).collect()
    }

    fn best(claims: &[(Cell, u64)]) -> BTreeMap<Cell, u64> {
        let mut best = BTreeMap::new();
        for &(cell, claim) in claims {
            best.entry(cell).and_modify(|least: &mut u64| *least = claim.min(*least)).or_insert(claim);
        }
        best
    }

    #[test]
    fn the_best_claim_holds_for_any_number_of_threads() {
        let mut targets = Targets::default();
        // Fewer claims after more: the claims of the previous wave must be gone.
        for (count, cells) in [(20_000, 4_000), (3_000, 7), (1, 1), (50_000, 1_000_000)] {
            let claims = claims(count, cells);
            let best = best(&claims);
            assert!(best.len() > 1 || count == 1);
            for threads in [1, 2, 3, 7] {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                targets.clear(claims.len());
                pool.install(|| claims.par_iter().for_each(|&(cell, claim)| targets.claim(cell, claim)));
                for &(cell, claim) in &claims {
                    assert_eq!(targets.holds(cell, claim), best[&cell] == claim, "{cell} {claim}");
                }
            }
        }
    }

    #[test]
    fn an_amoebot_without_a_claim_holds_no_cell() {
        let mut targets = Targets::default();
        targets.clear(2);
        assert!(!targets.holds(Cell::ORIGIN, 7));
        targets.claim(Cell::ORIGIN, 7);
        assert!(targets.holds(Cell::ORIGIN, 7) && !targets.holds(Cell::ORIGIN, 6));
        targets.clear(2);
        assert!(!targets.holds(Cell::ORIGIN, 7), "that was another wave");
        assert!(targets.bytes() >= 4 * size_of::<TargetSlot>());
    }

    #[test]
    fn cells_have_distinct_keys() {
        let max = Cell::COORDINATE_MAX;
        let ends = [-max, -1, 0, 1, max];
        let cells = ends.iter().flat_map(|x| ends.map(|y| Cell::new(*x, y).unwrap()));
        let keys: BTreeSet<u64> = cells.map(key).collect();
        assert_eq!(keys.len(), 25);
        assert!(keys.last() < Some(&FREE));
    }
}
