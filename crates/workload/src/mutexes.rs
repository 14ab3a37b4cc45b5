//! The task of L1 with one mutex per node: the obvious first implementation.

use parking_lot::Mutex;
use rayon::prelude::*;

use crate::cell::{CellByte, digest_of};
use crate::memory::Floor;
use crate::work::{SampleCounts, Workload};
use acrasin_engine::draw::Draws;
use acrasin_engine::network::{Lattice, PortNetwork};
use acrasin_engine::waves::workload::{random_cells, spread};
use acrasin_runtime::Digest;

/// The approximate number of tasks in a sample. A task with mutexes costs much more than one of the other rows.
const SAMPLE_TASKS: u64 = 2_000_000;

/// The task of L1 with a mutex per cell.
///
/// A task takes the five mutexes of its closed neighbourhood in increasing order of nodes, which prevents deadlocks. A
/// run is equivalent to some sequential order of the tasks. This order, and so the result, depends on the timing of the
/// threads.
pub(crate) struct MutexTasks {
    lattice: Lattice,
    cells: Vec<Mutex<CellByte>>,
}

impl MutexTasks {
    pub(crate) fn new(lattice: Lattice, draws: Draws) -> Self {
        let cells = random_cells::<CellByte>(draws, lattice.nodes()).into_iter().map(Mutex::new).collect();
        Self { lattice, cells }
    }

    fn task(&self, node: u32) {
        let places: [usize; 5] = std::array::from_fn(|i| match i {
            0 => node as usize,
            port => self.lattice.neighbour(node, port as u16) as usize,
        });
        let mut order = [0, 1, 2, 3, 4];
        order.sort_unstable_by_key(|&i: &usize| places[i]);
        let mut held = order.map(|i| self.cells[places[i]].lock());
        let mut before = [0; 5];
        for (i, cell) in order.into_iter().zip(&held) {
            before[i] = **cell;
        }
        let after = spread(before);
        for (i, cell) in order.into_iter().zip(&mut held) {
            **cell = after[i];
        }
    }
}

impl Workload for MutexTasks {
    fn part(&mut self, divisor: u64) -> SampleCounts {
        let nodes = self.lattice.nodes();
        let passes = (SAMPLE_TASKS / divisor / u64::from(nodes)).max(1);
        for _ in 0..passes {
            if rayon::current_num_threads() == 1 {
                (0..nodes).for_each(|node| self.task(node));
            } else {
                // Tasks are executed in order within large ranges, as separate threads would do.
                (0..nodes).into_par_iter().with_min_len(4096).for_each(|node| self.task(node));
            }
        }
        let items = passes * u64::from(nodes);
        SampleCounts { items, locks: items, ..SampleCounts::default() }
    }

    fn nodes(&self) -> u64 {
        self.cells.len() as u64
    }

    fn bytes(&self) -> u64 {
        size_of_val(&self.cells[..]) as u64
    }

    fn digest(&self) -> Digest {
        digest_of(self.cells.iter().map(|cell| u64::from(*cell.lock())))
    }

    fn floor(&self) -> Floor {
        Floor { streamed: 2.0 * size_of::<Mutex<CellByte>>() as f64, lines: 0.0, footprint: self.bytes() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use acrasin_engine::network::LatticeKind;

    #[test]
    fn one_thread_does_what_the_plain_loop_does() {
        let lattice = Lattice::new(LatticeKind::Square, 6, 5).unwrap();
        let tasks = MutexTasks::new(lattice, Draws::new(2));
        let mut expected: Vec<CellByte> = random_cells(Draws::new(2), lattice.nodes());
        for node in 0..lattice.nodes() {
            tasks.task(node);
            let places: [usize; 5] = std::array::from_fn(|i| match i {
                0 => node as usize,
                port => lattice.neighbour(node, port as u16) as usize,
            });
            let after = spread(places.map(|place| expected[place]));
            for (place, cell) in places.into_iter().zip(after) {
                expected[place] = cell;
            }
        }
        assert!(tasks.cells.iter().map(|cell| *cell.lock()).eq(expected));
    }
}
