//! The workloads L1 and P6 of `acrasin bench`: critical sections in waves, without messages, and their baselines.

use acrasin_runtime::Digest;

use crate::cell::{CellByte, digest_of};
use crate::lock_rounds::{regular_nodes, regular_table, torus};
use crate::memory::Floor;
use crate::mutexes::MutexTasks;
use crate::partner::{RandomPartner, TransitionCost, random_hands};
use crate::row::{Ask, AskError, WorkloadRow};
use crate::work::{SampleCounts, Workload};
use acrasin_engine::draw::Draws;
use acrasin_engine::network::{Lattice, LatticeKind, PortNetwork, PortTable};
use acrasin_engine::waves::workload::{SpreadTask, random_cells, spread};
use acrasin_engine::waves::{Cost, TaskWaves, WaveTask};

/// The approximate number of tasks in a sample.
const SAMPLE_TASKS: u64 = 20_000_000;
/// The approximate total time of the transitions in a sample, in nanoseconds.
const SAMPLE_TRANSITIONS: u64 = 100_000_000;

/// The rows of L1: the plain loop, waves, and five mutexes per task.
pub(crate) fn closed_neighbourhoods(nodes: u64, ask: &Ask) -> Result<Vec<WorkloadRow>, AskError> {
    let lattice = torus(LatticeKind::Square, nodes)?;
    let cells = u64::from(lattice.nodes());
    // The cells, and the mutexes around them.
    ask.memory.check(cells, cells * 8)?;
    let draws = Draws::new(ask.seed);
    let check = ask.check;
    Ok(vec![
        WorkloadRow::new("plain loop in order, no isolation", move || {
            Ok(Box::new(InOrder::new(lattice, draws)))
        })
        .naive(),
        WorkloadRow::new("F1 waves", move || {
            let waves = TaskWaves::new(lattice, draws).with_checks(check);
            let states = random_cells::<CellByte>(draws, lattice.nodes());
            let floor = Floor { streamed: 2.0, lines: 0.0, footprint: cells };
            Ok(Box::new(WaveTasks::new(waves, SpreadTask::new(), states, SAMPLE_TASKS, floor)))
        }),
        WorkloadRow::new("five ordered parking_lot mutexes", move || {
            Ok(Box::new(MutexTasks::new(lattice, draws)))
        })
        .unordered(),
    ])
}

/// The rows of P6: waves of interactions on a torus and on a random 8-regular graph, with transitions of several costs.
pub(crate) fn interactions(nodes: u64, ask: &Ask) -> Result<Vec<WorkloadRow>, AskError> {
    let lattice = torus(LatticeKind::Square, nodes)?;
    let count = regular_nodes(nodes, ask.memory)?;
    let draws = Draws::new(ask.seed);
    let check = ask.check;
    let mut rows = Vec::new();
    for (cost, name, nanoseconds) in [
        (TransitionCost::Ns10, "10", 10),
        (TransitionCost::Ns100, "100", 100),
        (TransitionCost::Ns1000, "1000", 1000),
    ] {
        let task = RandomPartner { transition: cost };
        let sample = SAMPLE_TRANSITIONS / nanoseconds;
        let class = if cost >= TransitionCost::Ns100 { Cost::Expensive } else { Cost::Cheap };
        rows.push(WorkloadRow::new(format!("F1 torus, {name} ns"), move || {
            let waves = TaskWaves::new(lattice, draws).with_cost(class).with_checks(check);
            let states = random_hands(draws, lattice.nodes());
            let floor = Floor { streamed: 2.0, lines: 0.0, footprint: u64::from(lattice.nodes()) };
            Ok(Box::new(WaveTasks::new(waves, task, states, sample, floor)))
        }));
        rows.push(WorkloadRow::new(format!("F1 8-regular, {name} ns"), move || {
            let table = regular_table(count, draws)?;
            let footprint = table.bytes() + u64::from(count);
            let waves = TaskWaves::new(table, draws).with_cost(class).with_checks(check);
            let states = random_hands(draws, count);
            // The node's state, its ports, and the partner's state.
            let floor = Floor { streamed: 0.0, lines: 3.0, footprint };
            Ok(Box::new(WaveTasks::<PortTable, _>::new(waves, task, states, sample, floor)))
        }));
    }
    Ok(rows)
}

struct WaveTasks<N, T: WaveTask> {
    waves: TaskWaves<N>,
    task: T,
    states: Vec<T::State>,
    wave: u64,
    per_sample: u64,
    floor: Floor,
}

impl<N: PortNetwork, T: WaveTask> WaveTasks<N, T> {
    fn new(waves: TaskWaves<N>, task: T, states: Vec<T::State>, sample: u64, floor: Floor) -> Self {
        let per_sample = (sample / states.len() as u64).max(1);
        let mut work = Self { waves, task, states, wave: 0, per_sample, floor };
        work.run();
        work
    }

    fn run(&mut self) -> u64 {
        let wave = self.waves.run(self.wave, &self.task, &mut self.states);
        self.wave += 1;
        wave.entered
    }
}

impl<N: PortNetwork + Send, T: WaveTask + Send> Workload for WaveTasks<N, T>
where
    T::State: Into<u64> + Copy,
{
    fn part(&mut self, divisor: u64) -> SampleCounts {
        let items = (0..(self.per_sample / divisor).max(1)).map(|_| self.run()).sum();
        SampleCounts { items, locks: items, ..SampleCounts::default() }
    }

    fn nodes(&self) -> u64 {
        self.states.len() as u64
    }

    fn bytes(&self) -> u64 {
        self.waves.bytes() + size_of_val(&self.states[..]) as u64
    }

    fn digest(&self) -> Digest {
        digest_of(self.states.iter().map(|&state| state.into()))
    }

    fn floor(&self) -> Floor {
        self.floor
    }
}

/// A plain loop over rows and cells, which measures the cost of the task without isolation.
struct InOrder {
    lattice: Lattice,
    cells: Vec<CellByte>,
}

impl InOrder {
    fn new(lattice: Lattice, draws: Draws) -> Self {
        Self { lattice, cells: random_cells(draws, lattice.nodes()) }
    }
}

impl Workload for InOrder {
    fn part(&mut self, divisor: u64) -> SampleCounts {
        let passes = (SAMPLE_TASKS / divisor / self.cells.len() as u64).max(1);
        for _ in 0..passes {
            in_order(self.lattice, &mut self.cells);
        }
        SampleCounts { items: passes * self.cells.len() as u64, ..SampleCounts::default() }
    }

    fn nodes(&self) -> u64 {
        self.cells.len() as u64
    }

    fn bytes(&self) -> u64 {
        self.cells.len() as u64 * size_of::<CellByte>() as u64
    }

    fn digest(&self) -> Digest {
        digest_of(self.cells.iter().map(|&cell| cell.into()))
    }

    fn floor(&self) -> Floor {
        Floor { streamed: 2.0, lines: 0.0, footprint: self.bytes() }
    }
}

fn in_order(lattice: Lattice, cells: &mut [CellByte]) {
    let (width, height) = (lattice.width() as usize, lattice.height() as usize);
    for y in 0..height {
        let (north, south) = ((y + 1) % height * width, (y + height - 1) % height * width);
        let row = y * width;
        for x in 0..width {
            let (east, west) =
                (if x + 1 == width { 0 } else { x + 1 }, if x == 0 { width - 1 } else { x - 1 });
            let places = [row + x, row + east, north + x, row + west, south + x];
            let after = spread(places.map(|place| cells[place]));
            for (place, cell) in places.into_iter().zip(after) {
                cells[place] = cell;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_plain_loop_follows_the_lattice() {
        let lattice = Lattice::new(LatticeKind::Square, 7, 5).unwrap();
        let mut cells: Vec<CellByte> = random_cells(Draws::new(5), lattice.nodes());
        let mut expected = cells.clone();
        in_order(lattice, &mut cells);
        for node in 0..lattice.nodes() {
            let places = [node, 1, 2, 3, 4].map(|place| place as usize);
            let places: [usize; 5] = std::array::from_fn(|i| match i {
                0 => places[0],
                port => lattice.neighbour(node, port as u16) as usize,
            });
            let after = spread(places.map(|place| expected[place]));
            for (place, cell) in places.into_iter().zip(after) {
                expected[place] = cell;
            }
        }
        assert_eq!(cells, expected);
    }
}
