//! The workloads A1 to A3 of `acrasin bench`: chain M, hexagon formation, other algorithms.

use std::num::NonZeroU32;
use std::sync::LazyLock;

use acrasin_engine::round::MemoryLimit;
use acrasin_runtime::{Digest, FixedProbability, Seeded};

use acrasin_amoebot::chain::compression::{Chain, FastChain, StepDraws, TiledChain};
use acrasin_amoebot::model::lattice::{Cell, Direction};
use acrasin_amoebot::start::{self, CELLS_MAX, ObjectForm, Stand};
use acrasin_amoebot::{AmoebotId, EnergyDistribution, Erosion, Forest, Hexagon, UniversalCoating};

use crate::acting::AlgorithmRows;
use crate::hexagon_loop::HexagonLoop;
use crate::memory::Floor;
use crate::row::{Ask, AskError, WorkloadRow};
use crate::work::{SampleCounts, Workload};

/// The number of steps of chain M in a sample.
const SAMPLE_STEPS: u64 = 10_000_000;
/// The number of steps before the first sample: enough to leave the hexagon and to fill the caches.
const WARM_UP_STEPS: u64 = 20_000_000;
/// The minimum number of amoebots for a row with tiles. With fewer amoebots, most cells of a window are empty.
const TILED_MIN: usize = 100_000;
/// The number of actions in a sample of the hand-written loop.
const SAMPLE_ACTIONS: u64 = 200_000;

/// Checks that a system can have this number of amoebots, and returns it.
fn amoebots(nodes: u64) -> Result<usize, AskError> {
    let n = usize::try_from(nodes).ok().filter(|n| (1..=CELLS_MAX).contains(n));
    n.ok_or_else(|| AskError::new(format_args!("accepted: 1 to {CELLS_MAX} amoebots")))
}

fn refuse_above(limit: MemoryLimit, n: usize, bytes_each: u64) -> Result<(), AskError> {
    let n = n as u64;
    Ok(limit.check(n, n * bytes_each)?)
}

/// The rows of A1, chain M: a move table on a byte grid, bit masks of neighbours, and tiles.
pub(crate) fn chains(nodes: u64, ask: &Ask) -> Result<Vec<WorkloadRow>, AskError> {
    let n = amoebots(nodes)?;
    // Positions, and two copies of the rectangle around a hexagon with its margin.
    refuse_above(ask.memory, n, 4 + 2 * 3)?;
    let seed = ask.seed;
    let solid = move || start::spiral(Cell::ORIGIN, Direction::East, n).map_err(AskError::new);
    let mut rows = Vec::new();
    for lambda in [4.0, 2.0] {
        let naive = WorkloadRow::new(format!("table of 256, byte grid, lambda = {lambda}"), move || {
            let chain = Chain::new(&solid()?, lambda).map_err(AskError::new)?;
            let count = NonZeroU32::new(n as u32).expect("at least one amoebot");
            Ok(Box::new(PlainSteps { draws: StepDraws::new(seed, count), chain }.warm()))
        });
        // The first row is the baseline of the others.
        rows.push(if rows.is_empty() { naive.naive() } else { naive.alone() });
        let fast = WorkloadRow::new(format!("masks of neighbours, lambda = {lambda}"), move || {
            let chain = FastChain::new(&solid()?, lambda, seed).map_err(AskError::new)?;
            Ok(Box::new(FastSteps(chain).warm()))
        });
        rows.push(fast.alone());
        if n < TILED_MIN {
            continue;
        }
        rows.push(WorkloadRow::new(format!("tiles, lambda = {lambda}"), move || {
            let mut tiles = ChainTiles(TiledChain::new(&solid()?, lambda, seed).map_err(AskError::new)?);
            tiles.run(WARM_UP_STEPS);
            Ok(Box::new(tiles))
        }));
    }
    Ok(rows)
}

/// A chain that can run for a given number of steps.
trait ChainSteps: Workload + Sized {
    fn run(&mut self, steps: u64);

    fn warm(mut self) -> Self {
        self.run(WARM_UP_STEPS);
        self
    }
}

struct PlainSteps {
    draws: StepDraws,
    chain: Chain,
}

impl ChainSteps for PlainSteps {
    fn run(&mut self, steps: u64) {
        self.chain.run(steps, &mut self.draws).expect("a chain from a hexagon stays near it");
    }
}

struct FastSteps(FastChain);

impl ChainSteps for FastSteps {
    fn run(&mut self, steps: u64) {
        self.0.run(steps).expect("a chain from a hexagon stays near it");
    }
}

struct ChainTiles(TiledChain);

impl ChainTiles {
    /// Runs for at least this number of steps, up to the end of a window. Returns the number of steps.
    fn run(&mut self, steps: u64) -> u64 {
        let before = self.0.steps();
        while self.0.steps() - before < steps {
            self.0.run(1).expect("a chain from a hexagon stays near it");
        }
        self.0.steps() - before
    }
}

impl Workload for ChainTiles {
    fn part(&mut self, divisor: u64) -> SampleCounts {
        SampleCounts { items: self.run((SAMPLE_STEPS / divisor).max(1)), ..SampleCounts::default() }
    }
    fn nodes(&self) -> u64 {
        self.0.cells().len() as u64
    }
    fn bytes(&self) -> u64 {
        self.0.bytes() as u64
    }
    fn digest(&self) -> Digest {
        self.0.digest()
    }
    fn floor(&self) -> Floor {
        // A window makes two attempts per cell, half of them on amoebots. Each byte is read and written.
        Floor { streamed: 8.0, lines: 0.0, footprint: self.bytes() }
    }
}

macro_rules! work_in_steps {
    ($work:ty, $this:ident => $chain:expr, $bytes:expr) => {
        impl Workload for $work {
            fn part(&mut self, divisor: u64) -> SampleCounts {
                let items = (SAMPLE_STEPS / divisor).max(1);
                self.run(items);
                SampleCounts { items, ..SampleCounts::default() }
            }
            fn nodes(&self) -> u64 {
                let $this = self;
                $chain.cells().len() as u64
            }
            fn bytes(&self) -> u64 {
                let $this = self;
                $bytes as u64
            }
            fn digest(&self) -> Digest {
                let $this = self;
                $chain.digest()
            }
            fn floor(&self) -> Floor {
                // The amoebot and its cell; the neighbouring cell is close in memory.
                Floor { streamed: 0.0, lines: 2.0, footprint: self.bytes() }
            }
        }
    };
}

work_in_steps!(PlainSteps, work => work.chain, work.chain.bytes());
work_in_steps!(FastSteps, work => work.0.chain(), work.0.bytes());

/// The rows of A2, hexagon formation: a hand-written loop, one amoebot at a time, waves, and tiles.
pub(crate) fn hexagons(nodes: u64, ask: &Ask) -> Result<Vec<WorkloadRow>, AskError> {
    let n = amoebots(nodes)?;
    refuse_above(ask.memory, n, 100)?;
    let seed = ask.seed;
    let start = move || Hexagon::start(&blob(n, seed)?, 0, &[]).map_err(AskError::new);
    let mut rows = vec![
        WorkloadRow::new("hand-written loop, one at a time", move || {
            let start = HexagonLoop::new(&start()?);
            Ok(Box::new(HandWritten { run: start.clone(), start, choices: Seeded::new(seed) }))
        })
        .naive(),
    ];
    rows.extend(AlgorithmRows { algorithm: &Hexagon, title: None, start }.rows(ask));
    Ok(rows)
}

/// The rows of A3, other algorithms of the library: one amoebot at a time, in waves, and in tiles.
pub(crate) fn others(nodes: u64, ask: &Ask) -> Result<Vec<WorkloadRow>, AskError> {
    static POWERED: LazyLock<EnergyDistribution<Hexagon>> =
        LazyLock::new(|| EnergyDistribution::new(Hexagon, 10, |_| 5).expect("a battery holds two actions"));
    let n = amoebots(nodes)?;
    refuse_above(ask.memory, n, 200)?;
    let seed = ask.seed;
    let solid = move || start::spiral(Cell::ORIGIN, Direction::East, n).map_err(AskError::new);
    let erosion = move || Erosion::start(&solid()?, &[]).map_err(AskError::new);
    let title = Some("erosion of a hexagon");
    let mut rows = Vec::from(AlgorithmRows { algorithm: &Erosion, title, start: erosion }.rows(ask));
    let forest = move || Forest::start(&blob(n, seed)?, &[AmoebotId(0)], &[]).map_err(AskError::new);
    rows.extend(
        AlgorithmRows { algorithm: &Forest, title: Some("spanning forest of a blob"), start: forest }
            .rows(ask),
    );
    let coating = move || {
        let mut choices = Seeded::new(seed);
        let side = (n as f64 / 30.0).sqrt() as u32 + 1;
        let object = start::object(ObjectForm::Hexagon { side }, &mut choices).map_err(AskError::new)?;
        let heap = Stand::Heap { acceptance: FixedProbability::new(0.8).expect("a probability") };
        let cells = start::beside(&object, heap, n, &mut choices).map_err(AskError::new)?;
        UniversalCoating::start(&cells, &object, &[]).map_err(AskError::new)
    };
    let title = Some("universal coating of a hexagon");
    rows.extend(AlgorithmRows { algorithm: &UniversalCoating, title, start: coating }.rows(ask));
    let powered = move || {
        let hexagon = Hexagon::start(&blob(n, seed)?, 0, &[]).map_err(AskError::new)?;
        POWERED.start(&hexagon, &[0]).map_err(AskError::new)
    };
    let title = Some("hexagon formation with batteries");
    rows.extend(AlgorithmRows { algorithm: &*POWERED, title, start: powered }.rows(ask));
    Ok(rows)
}

fn blob(n: usize, seed: u64) -> Result<Vec<Cell>, AskError> {
    let acceptance = FixedProbability::new(0.8).expect("a probability");
    start::blob(Cell::ORIGIN, n, acceptance, &mut Seeded::new(seed)).map_err(AskError::new)
}

/// The hand-written loop, restarted when it has terminated.
struct HandWritten {
    start: HexagonLoop,
    run: HexagonLoop,
    choices: Seeded,
}

impl Workload for HandWritten {
    fn part(&mut self, divisor: u64) -> SampleCounts {
        let items = (SAMPLE_ACTIONS / divisor).max(1);
        let mut left = items;
        while left > 0 {
            let before = self.run.actions;
            self.run.run(left, &mut self.choices);
            left -= self.run.actions - before;
            if self.run.has_terminated() {
                self.run = self.start.clone();
            }
        }
        SampleCounts { items, ..SampleCounts::default() }
    }
    fn nodes(&self) -> u64 {
        self.run.amoebots() as u64
    }
    fn bytes(&self) -> u64 {
        self.run.bytes() as u64
    }
    fn digest(&self) -> Digest {
        self.run.digest()
    }
    fn floor(&self) -> Floor {
        Floor { streamed: 0.0, lines: 2.0, footprint: self.bytes() }
    }
}
