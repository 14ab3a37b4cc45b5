//! A user-defined amoebot algorithm: one trait, and every mode of execution in one line each.

use acrasin::amoebot::check::{Scope, explore};
use acrasin::amoebot::run::concurrent::{Concurrent, TryLocks};
use acrasin::amoebot::run::execution::{SequentialExecution, Uniform, UniformEnabled};
use acrasin::amoebot::run::{parallel::Waves, tiles::Tiles};
use acrasin::amoebot::start::{Contracted, StartError, spiral};
use acrasin::amoebot::{ActionError, Algorithm, Cell, Direction, Effects, Order, Shape, System, View};
use acrasin::prelude::*;

/// An amoebot with an awake neighbour wakes up. It remembers its distance to the first one, as far as it can see.
struct Wake;

/// The distance; `None` while asleep.
type Seen = Option<u32>;

impl Algorithm for Wake {
    type Memory = Seen;
    type Action = ();
    fn actions(&self) -> &[()] {
        &[()]
    }
    fn order(&self) -> Order {
        Order::AsListed
    }
    fn enabled(&self, (): (), a: &View<'_, Seen>) -> bool {
        a.own().is_none() && a.any_neighbour(|b| b.memory.is_some())
    }
    fn execute(&self, (): (), a: &View<'_, Seen>, _: &mut dyn Choices) -> Result<Effects<Seen>, ActionError> {
        let nearest = a.neighbours().filter_map(|b| *b.memory).min();
        Ok(Effects::none().write_own(nearest.map(|distance| distance + 1)))
    }
}

fn start(cells: &[Cell]) -> Result<System<Seen>, StartError> {
    Contracted::on(cells, &[]).seeded(0).system(|id| (id.index() == 0).then_some(0))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (many, mut draws) = (start(&spiral(Cell::ORIGIN, Direction::East, 1_000)?)?, Seeded::new(7));
    let sequential = SequentialExecution::new(&Wake, many.clone()).run(1_000_000, &mut Uniform, &mut draws);
    let waves = Waves::new(&Wake, many.clone(), 7).run(1_000_000);
    let tiles = Tiles::new(&Wake, many.clone(), 7).run(1_000_000);
    let mut locked = Concurrent::new(&Wake, many, TryLocks::new(1_000));
    let locks = locked.run(1_000_000, &mut UniformEnabled, &mut draws);
    let shapes = Shape::all_connected(5)?;
    let starts: Vec<_> = shapes.iter().map(|shape| start(shape.cells())).collect::<Result<_, _>>()?;
    let is_done = |system: &System<Seen>| system.ids().all(|id| system.memory(id).is_some());
    let checked = explore(&Wake, starts, is_done, Scope::default())?.always_succeeds();
    println!(
        "one at a time {sequential}, waves {waves}, tiles {tiles}, locks {locks}, every schedule {checked}"
    );
    assert!(sequential && waves && tiles && locks && checked);
    Ok(())
}
