//! Actions and steps that cannot be carried out: every driver ends with the actor, the action and the reason.

use acrasin_amoebot::algorithm::erased::{AnyAlgorithm, erased};
use acrasin_amoebot::algorithm::{FailedAction, Looks};
use acrasin_amoebot::chain::compression::{Chain, FastChain, TiledChain};
use acrasin_amoebot::chain::{ChainError, LockedChain};
use acrasin_amoebot::check::first_failed;
use acrasin_amoebot::run::concurrent::{Concurrent, TryLocks};
use acrasin_amoebot::run::execution::{SequentialExecution, UniformEnabled};
use acrasin_amoebot::run::parallel::Waves;
use acrasin_amoebot::run::simultaneous::{Concurrency, Rounds};
use acrasin_amoebot::run::tiles::Tiles;
use acrasin_amoebot::{
    ActionError, ActionOrder, Algorithm, Amoebot, AmoebotId, AmoebotPort, Body, Cell, Effects, Movement,
    OperationError, Orientation, System, View,
};
use acrasin_runtime::Seeded;
use acrasin_runtime::choice::Choices;

/// An algorithm with one action, which both expands and contracts.
struct MovesTwice(Looks);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Hop;

impl Algorithm for MovesTwice {
    type Memory = u8;
    type Action = Hop;

    fn actions(&self) -> &[Hop] {
        &[Hop]
    }

    fn order(&self) -> ActionOrder {
        ActionOrder::AsListed
    }

    fn enabled(&self, _: Hop, view: &View<'_, u8>) -> bool {
        view.is_contracted()
    }

    fn execute(&self, _: Hop, _: &View<'_, u8>, _: &mut dyn Choices) -> Result<Effects<u8>, ActionError> {
        let tail = acrasin_amoebot::End::Tail;
        Ok(Effects::none()
            .write_own(1)
            .then(Movement::Expand(AmoebotPort::head(2)))
            .then(Movement::Contract(tail)))
    }

    fn looks(&self) -> Looks {
        self.0
    }
}

fn pair() -> System<u8> {
    let at = |x| Amoebot {
        body: Body::contracted(Cell::new(x, 0).unwrap()),
        orientation: Orientation::COMMON,
        memory: 0,
    };
    System::new(vec![at(0), at(1)]).unwrap()
}

fn each_failure<A>(algorithm: &A, system: &System<A::Memory>) -> Vec<Option<FailedAction>>
where
    A: Algorithm<Memory: Send + Sync, Action: Send + Sync> + Sync,
{
    let mut failures = vec![first_failed(algorithm, system)];
    let mut run = SequentialExecution::new(algorithm, system.clone());
    run.run(100, &mut UniformEnabled, &mut Seeded::new(1));
    failures.push(run.failed().cloned());
    for concurrency in [Concurrency::Synchronous, Concurrency::Isolated(1), Concurrency::Isolated(2)] {
        let mut run = Rounds::new(algorithm, system.clone(), concurrency);
        run.run(10, &mut Seeded::new(1));
        failures.push(run.failed().cloned());
    }
    if algorithm.looks() == Looks::AtNeighbours {
        let mut run = Concurrent::new(algorithm, system.clone(), TryLocks::new(system.len()));
        run.run(1_000, &mut UniformEnabled, &mut Seeded::new(1));
        failures.push(run.failed().cloned());
    }
    let mut run = Waves::new(algorithm, system.clone(), 1);
    run.run(100);
    failures.push(run.failed().cloned());
    let mut run = Tiles::new(algorithm, system.clone(), 1);
    run.run(100);
    failures.push(run.failed().cloned());
    failures
}

/// Regression: the second movement caused a panic.
#[test]
fn an_action_that_moves_twice_ends_every_run() {
    for looks in [Looks::AtNeighbours, Looks::Beyond] {
        let algorithm = MovesTwice(looks);
        let typed = each_failure(&algorithm, &pair());
        let boxed = each_failure(&AnyAlgorithm::new(&algorithm), &erased(&pair()));
        for (at, failed) in typed.into_iter().chain(boxed).enumerate() {
            let failed = failed.unwrap_or_else(|| panic!("{looks:?}, run {at} has not failed"));
            assert_eq!(
                failed.error,
                ActionError::Operation(OperationError::MovesAgain),
                "{looks:?}, run {at}"
            );
            assert!(failed.id.index() < 2 && failed.label.contains("Hop"), "{failed}");
            assert!(failed.to_string().contains("the action moves twice"), "{failed}");
        }
    }
}

/// Regression: chains with a small bias spread and reach the limit of the lattice. At that limit tiles panicked, and
/// steps reported a wrong error: that a cell is occupied twice.
#[test]
fn a_chain_at_the_limit_of_the_lattice_ends_with_the_amoebot_and_its_cell() {
    let max = Cell::COORDINATE_MAX;
    let line = |x: i32| -> Vec<Cell> {
        let towards = if x > 0 { -1 } else { 1 };
        (0..12).map(|along| Cell::new(x + towards * along, 0).unwrap()).collect()
    };
    let near = |inside: i32| [line(max - inside), line(inside - max)];
    let within = |cells: &[Cell]| cells.iter().all(|cell| cell.x().abs() <= max && cell.y().abs() <= max);
    let check = |error: ChainError, cells: &[Cell], are_numbered: bool| {
        let ChainError::AtLimit { amoebot, cell, max: room } = error else { panic!("{error}") };
        assert!(cell.x().abs() > room || cell.y().abs() > room, "{error}");
        assert!(cells.contains(&cell) && within(cells), "{error}");
        assert_eq!(amoebot.is_some(), are_numbered);
        assert!(amoebot.is_none_or(|AmoebotId(number)| cells[number as usize] == cell), "{error}");
        assert!(
            error.to_string().contains("cannot be done: the cell is too close to the limit of the lattice"),
            "{error}"
        );
    };
    for cells in near(16) {
        let mut chain = Chain::new(&cells, 0.5).unwrap();
        let error = chain.run(10_000_000, &mut Seeded::new(1)).unwrap_err();
        check(error, &chain.cells(), true);
        let mut fast = FastChain::new(&cells, 0.5, 1).unwrap();
        let error = fast.run(10_000_000).unwrap_err();
        check(error, &fast.chain().cells(), true);
        let mut waves = LockedChain::new(Chain::new(&cells, 0.5).unwrap(), 1);
        let error = waves.run(1_000_000).unwrap_err();
        check(error, &waves.chain().cells(), true);
        let mut windows = LockedChain::with_tiles(Chain::new(&cells, 0.5).unwrap(), 1);
        let error = windows.run(1_000_000).unwrap_err();
        check(error, &windows.chain().cells(), true);
        assert!(matches!(TiledChain::new(&cells, 0.5, 1), Err(ChainError::NearLimit { .. })));
    }
    // Closer to the limit no chain can start.
    for cells in near(0) {
        assert!(matches!(Chain::new(&cells, 0.5), Err(ChainError::NearLimit { .. })));
    }
}
