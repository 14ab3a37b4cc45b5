//! A user-defined amoebot algorithm: its actions, its description and its entry, in every mode of execution and in a
//! command of its own.
//!
//! `cargo run -p acrasin-examples --bin 25_your_own_amoebot_algorithm` runs and checks the algorithm without a
//! scenario, and prints:
//!
//! ```text
//! sequential true, waves true, tiles true, locks true, every schedule true
//! ```
//!
//! With arguments the program is the whole `acrasin` command, which knows the algorithm as `Wake`: `list amoebots`
//! lists it, and `run` and `check` take scenarios with `amoebots: (algorithm: Wake, start: Hexagon(count: 91))`.

use std::error::Error;
use std::process::ExitCode;

use acrasin::amoebot::algorithm::description::{Description, Facts, Placement};
use acrasin::amoebot::check::{Scope, explore};
use acrasin::amoebot::library::entry::{AlgorithmEntry, Construction, Needs};
use acrasin::amoebot::run::concurrent::{Concurrent, TryLocks};
use acrasin::amoebot::run::execution::{SequentialExecution, Uniform, UniformEnabled};
use acrasin::amoebot::run::{parallel::Waves, tiles::Tiles};
use acrasin::amoebot::start::{Contracted, StartError, spiral};
use acrasin::amoebot::{
    ActionError, ActionOrder, Algorithm, Cell, Convention, Direction, Effects, Shape, System, View,
};
use acrasin::prelude::*;
use acrasin::scenario::Catalogue;

/// An amoebot with an awake neighbour wakes up. It remembers its number of hops from the seed.
struct Wake;

/// The number of hops; `None` while asleep.
type Hops = Option<u32>;

/// The guarded actions. There is one, so its label is `()`.
impl Algorithm for Wake {
    type Memory = Hops;
    type Action = ();

    fn actions(&self) -> &[()] {
        &[()]
    }

    fn order(&self) -> ActionOrder {
        ActionOrder::AsListed
    }

    fn enabled(&self, (): (), a: &View<'_, Hops>) -> bool {
        a.own().is_none() && a.any_neighbour(|b| b.memory.is_some())
    }

    fn execute(&self, (): (), a: &View<'_, Hops>, _: &mut dyn Choices) -> Result<Effects<Hops>, ActionError> {
        let nearest = a.neighbours().filter_map(|b| *b.memory).min();
        Ok(Effects::none().write_own(nearest.map(|hops| hops + 1)))
    }

    /// Concurrent runs are sound only for algorithms that keep the conventions of the concurrency framework.
    fn conventions(&self) -> &'static [Convention] {
        Convention::ALL
    }
}

/// The description for scenarios, records and pictures.
impl Description for Wake {
    type Memory = Hops;
    type Algorithm = Self;

    fn algorithm(&self) -> &Self {
        self
    }

    fn facts(&self) -> Facts<'_> {
        Facts { states: &["asleep", "awake"], measures: &["hops"], is_static: true, ..Facts::default() }
    }

    fn state(&self, hops: &Hops) -> usize {
        usize::from(hops.is_some())
    }

    fn start(&self, placement: &Placement) -> Result<System<Hops>, String> {
        let start = Contracted::new(&placement.cells, &placement.orientations).with_seed(placement.seed);
        let system = start.system(|id| (id.index() == placement.seed).then_some(0));
        system.map_err(|error| error.to_string())
    }

    fn is_finished(&self, system: &System<Hops>) -> bool {
        system.ids().all(|id| system.memory(id).is_some())
    }

    fn measure(&self, system: &System<Hops>) -> Vec<u64> {
        vec![system.ids().filter_map(|id| *system.memory(id)).max().unwrap_or(0).into()]
    }
}

/// The entry of the catalogue.
const WAKE: AlgorithmEntry = AlgorithmEntry {
    name: "Wake",
    title: "waking up",
    summary: "amoebots: all wake up, and count their hops from the seed",
    parameters: &[],
    needs: Needs { seed: true, ..Needs::NOTHING },
    read: |_| Ok(Construction::algorithm(Wake)),
};

/// Contracted amoebots on these cells. The first one is awake.
fn start(cells: &[Cell]) -> Result<System<Hops>, StartError> {
    Contracted::new(cells, &[]).with_seed(0).system(|id| (id.index() == 0).then_some(0))
}

/// Runs a thousand amoebots in every mode of execution, and checks every sequential schedule of five.
fn run_in_every_mode() -> Result<(), Box<dyn Error>> {
    let (many, mut draws) = (start(&spiral(Cell::ORIGIN, Direction::East, 1_000)?)?, Seeded::new(7));
    let sequential = SequentialExecution::new(&Wake, many.clone()).run(1_000_000, &mut Uniform, &mut draws);
    let waves = Waves::new(&Wake, many.clone(), 7).run(1_000_000);
    let tiles = Tiles::new(&Wake, many.clone(), 7).run(1_000_000);
    let mut locked = Concurrent::new(&Wake, many, TryLocks::new(1_000));
    let locks = locked.run(1_000_000, &mut UniformEnabled, &mut draws);
    let shapes = Shape::all_connected(5)?;
    let starts: Vec<_> = shapes.iter().map(|shape| start(shape.cells())).collect::<Result<_, _>>()?;
    let is_done = |system: &System<Hops>| Wake.is_finished(system);
    let checked = explore(&Wake, starts, is_done, Scope::default())?.always_succeeds();
    println!(
        "sequential {sequential}, waves {waves}, tiles {tiles}, locks {locks}, every schedule {checked}"
    );
    assert!(sequential && waves && tiles && locks && checked);
    Ok(())
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    if std::env::args().len() == 1 {
        run_in_every_mode()?;
        return Ok(ExitCode::SUCCESS);
    }
    Ok(acrasin::cli::main(&Catalogue::shipped().with_amoebots(WAKE)?))
}
