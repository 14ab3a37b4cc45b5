//! The memory of runs with many amoebots: at most 100 bytes per amoebot, and 8 bytes per cell of the area they
//! occupy.

use std::collections::BTreeSet;

use acrasin_amoebot::library::hexagon;
use acrasin_amoebot::run::execution::{SequentialExecution, UniformEnabled};
use acrasin_amoebot::run::parallel::Waves;
use acrasin_amoebot::run::tiles::Tiles;
use acrasin_amoebot::{Amoebot, Cell, Direction, Hexagon, System, start};
use acrasin_runtime::{FixedProbability, Seeded};

const AMOEBOTS: usize = 10_000;

/// Limits of memory.
#[derive(Clone, Copy)]
struct Bound {
    bytes_per_amoebot: usize,
    bytes_per_cell: usize,
}

const BOUND: Bound = Bound { bytes_per_amoebot: 100, bytes_per_cell: 8 };

/// The occupied area, in cells: the area of all squares of 16 by 16 cells that contain an amoebot.
fn area(system: &System<hexagon::Memory>) -> usize {
    let squares: BTreeSet<(i32, i32)> =
        system.cells().iter().map(|cell| (cell.x() >> 4, cell.y() >> 4)).collect();
    squares.len() * 256
}

/// The bytes of a run, sampled.
#[derive(Default)]
struct Watch {
    /// The largest area so far.
    area: usize,
    most: usize,
}

impl Watch {
    /// Whether the bytes are within a bound, and at least the bytes of bodies and memories, and four bytes per cell.
    fn is_within(&mut self, bytes: usize, system: &System<hexagon::Memory>, bound: Bound) -> bool {
        let area = area(system);
        self.area = self.area.max(area);
        self.most = self.most.max(bytes);
        let least = system.len() * size_of::<Amoebot<hexagon::Memory>>() + 4 * area;
        assert!(bytes >= system.bytes() && system.bytes() >= least, "{bytes} bytes: not all are counted");
        bytes <= system.len() * bound.bytes_per_amoebot + self.area * bound.bytes_per_cell
    }
}

/// A blob, which is dense, and a line, which is not.
fn starts() -> [System<hexagon::Memory>; 2] {
    let acceptance = FixedProbability::new(0.8).unwrap();
    let blob = start::blob(Cell::ORIGIN, AMOEBOTS, acceptance, &mut Seeded::new(1)).unwrap();
    let line = start::line(Cell::ORIGIN, Direction::NorthEast, AMOEBOTS).unwrap();
    [blob, line].map(|cells| Hexagon::start(&cells, 0, &[]).unwrap())
}

fn one_at_a_time(start: System<hexagon::Memory>, bound: Bound) -> bool {
    let (mut run, mut choices) = (SequentialExecution::new(&Hexagon, start), Seeded::new(1));
    let mut watch = Watch::default();
    for _ in 0..20 {
        if !watch.is_within(run.bytes(), run.system(), bound) {
            return false;
        }
        run.run(10_000, &mut UniformEnabled, &mut choices);
    }
    println!("one at a time: {} bytes, {} cells", watch.most, watch.area);
    assert!(run.counts().moves > 1_000, "{:?}", run.counts());
    watch.is_within(run.bytes(), run.system(), bound)
}

fn in_waves(start: System<hexagon::Memory>, bound: Bound) -> bool {
    let mut run = Waves::new(&Hexagon, start, 1);
    let mut watch = Watch::default();
    for _ in 0..20 {
        if !watch.is_within(run.bytes(), run.system(), bound) {
            return false;
        }
        run.run(30);
    }
    println!("in waves: {} bytes, {} cells", watch.most, watch.area);
    assert!(run.counts().moves > 1_000, "{:?}", run.counts());
    watch.is_within(run.bytes(), run.system(), bound)
}

/// In addition to the amoebots, each thread stores the tile on which it works: some tens of kilobytes.
fn in_tiles(start: System<hexagon::Memory>, bound: Bound) -> bool {
    let mut run = Tiles::new(&Hexagon, start, 1);
    let mut watch = Watch::default();
    for _ in 0..20 {
        if !watch.is_within(run.bytes(), run.system(), bound) {
            return false;
        }
        run.run(3);
    }
    println!("in tiles: {} bytes, {} cells", watch.most, watch.area);
    assert!(run.counts().moves > 1_000, "{:?}", run.counts());
    watch.is_within(run.bytes(), run.system(), bound)
}

#[test]
fn ten_thousand_amoebots_take_a_hundred_bytes_each() {
    for start in starts() {
        assert!(one_at_a_time(start.clone(), BOUND));
        assert!(in_waves(start.clone(), BOUND));
        assert!(in_tiles(start, BOUND));
    }
}

/// Both parts of the bound are needed: a body and a memory take more than 10 bytes, and cells need memory as well.
#[test]
fn less_is_not_enough() {
    let bounds = [Bound { bytes_per_amoebot: 10, ..BOUND }, Bound { bytes_per_cell: 0, ..BOUND }];
    let [blob, line] = starts();
    for (start, bound) in [blob, line].into_iter().zip(bounds) {
        assert!(!one_at_a_time(start.clone(), bound));
        assert!(!in_waves(start.clone(), bound));
        assert!(!in_tiles(start, bound));
    }
}
