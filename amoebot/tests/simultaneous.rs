//! Several amoebots act in one step, without locks.

use acrasin_amoebot::check::ExploreError;
use acrasin_amoebot::check::simultaneous::explore_rounds;
use acrasin_amoebot::library::{erosion, hexagon};
use acrasin_amoebot::run::simultaneous::{Concurrency, Rounds};
use acrasin_amoebot::{
    ActionError, ActionOrder, Algorithm, Amoebot, AmoebotId, AmoebotPort, Body, Cell, Direction, Effects,
    EnergyDistribution, Erosion, ForestWalk, Hexagon, MaximalIndependentSet, Movement, Orientation, Shape,
    System, View, start,
};
use acrasin_runtime::choice::Choices;
use acrasin_runtime::{FixedProbability, Seeded};

fn leaders(system: &System<erosion::Memory>) -> usize {
    system.ids().filter(|id| *system.memory(*id) == erosion::Memory::Leader).count()
}

/// The number of hole-free shapes of n amoebots with exactly one leader at the end, and the number of all hole-free
/// shapes.
fn with_one_leader(n: usize, concurrency: Concurrency) -> (usize, usize) {
    let shapes = Shape::all_connected(n).unwrap();
    let starts = shapes.iter().filter(|shape| shape.holes() == 0);
    let starts = starts.map(|shape| Erosion::start(shape.cells(), &[]).unwrap());
    let ends = starts.map(|start| {
        let mut rounds = Rounds::new(&Erosion, start, concurrency);
        assert!(rounds.run(1000, &mut Seeded::new(n as u64)));
        leaders(rounds.system()) == 1
    });
    ends.fold((0, 0), |(right, all), end| (right + usize::from(end), all + 1))
}

#[test]
fn erosion_fails_if_all_act_at_once_and_not_if_they_are_isolated() {
    // The number of failing shapes among 3, 11 and 44 is as specified.
    for (n, failing, shapes) in [(2, 3, 3), (3, 2, 11), (4, 30, 44)] {
        let (right, all) = with_one_leader(n, Concurrency::Synchronous);
        assert_eq!((all - right, all), (failing, shapes), "{n}");
        assert_eq!(with_one_leader(n, Concurrency::Isolated(2)), (shapes, shapes), "{n}");
    }
    let (right, all) = with_one_leader(5, Concurrency::Isolated(0));
    assert_eq!((all - right, all), (84, 186));
}

#[test]
fn all_runs_in_rounds_of_erosion() {
    let explored = |shape: &Shape, concurrency| {
        let start = Erosion::start(shape.cells(), &[]).unwrap();
        explore_rounds(&Erosion, start, concurrency, Erosion::is_finished, 100_000).unwrap()
    };
    for (n, failing) in [(2, 3), (3, 2), (4, 30)] {
        let shapes = Shape::all_connected(n).unwrap();
        let found = shapes.iter().map(|shape| explored(shape, Concurrency::Synchronous));
        let mut wrong = 0;
        for found in found {
            assert_eq!((found.ends, found.failures, found.disconnected), (1, 0, 0), "nothing is drawn");
            let Some(way) = found.way else { continue };
            wrong += 1;
            assert_eq!((way.len(), found.wrong_ends), (found.states, 1));
            assert!(way.windows(2).all(|pair| pair[0] != pair[1]));
            assert_eq!(leaders(way.last().unwrap()), 0);
        }
        assert_eq!(wrong, failing, "{n}");
        for shape in &shapes {
            // Every order of the isolated amoebots.
            let found = explored(shape, Concurrency::Isolated(2));
            assert_eq!((found.wrong_ends, found.hopeless, found.way), (0, 0, None));
            assert!(found.states > found.ends);
        }
    }
    let pair = Erosion::start(&start::line(Cell::ORIGIN, Direction::East, 2).unwrap(), &[]).unwrap();
    let limit = explore_rounds(&Erosion, pair, Concurrency::Isolated(2), Erosion::is_finished, 2);
    assert_eq!(limit.unwrap_err(), ExploreError::TooManyStates { limit: 2 });
}

#[test]
fn the_end_is_seen_in_the_last_round() {
    let pair = Erosion::start(&start::line(Cell::ORIGIN, Direction::East, 2).unwrap(), &[]).unwrap();
    let run = |most| {
        let mut rounds = Rounds::new(&Erosion, pair.clone(), Concurrency::Synchronous);
        let has_ended = rounds.run(most, &mut Seeded::new(1));
        assert_eq!(rounds.run(0, &mut Seeded::new(1)), has_ended);
        (has_ended, rounds.counts().rounds)
    };
    // Both become candidates, then both erode.
    assert_eq!((run(1), run(2), run(3)), ((false, 1), (true, 2), (true, 2)));
}

/// An algorithm that flips its bit repeatedly.
struct Blink;

impl Algorithm for Blink {
    type Memory = bool;
    type Action = ();
    fn actions(&self) -> &[()] {
        &[()]
    }
    fn order(&self) -> ActionOrder {
        ActionOrder::AsListed
    }
    fn enabled(&self, (): (), _: &View<'_, bool>) -> bool {
        true
    }
    fn execute(
        &self,
        (): (),
        view: &View<'_, bool>,
        _: &mut dyn Choices,
    ) -> Result<Effects<bool>, ActionError> {
        Ok(Effects::none().write_own(!view.own()))
    }
}

#[test]
fn runs_without_an_end_are_hopeless() {
    let body = Body::contracted(Cell::ORIGIN);
    let system =
        System::new(vec![Amoebot { body, orientation: Orientation::COMMON, memory: false }]).unwrap();
    let found = explore_rounds(&Blink, system, Concurrency::Synchronous, |_| true, 10).unwrap();
    assert_eq!((found.states, found.ends, found.hopeless), (2, 0, 2));
}

#[test]
fn isolated_amoebots_do_what_one_after_the_other_does() {
    let acceptance = FixedProbability::new(0.8).unwrap();
    let cells = start::blob(Cell::ORIGIN, 60, acceptance, &mut Seeded::new(3)).unwrap();
    let mut rounds = Rounds::new(&Hexagon, Hexagon::start(&cells, 0, &[]).unwrap(), Concurrency::Isolated(2));
    assert!(rounds.run(100_000, &mut Seeded::new(3)));
    assert!(Hexagon::is_finished(rounds.system()));
    let mut hexagon = start::spiral(Cell::ORIGIN, Direction::East, 60).unwrap();
    hexagon.sort();
    assert_eq!(rounds.system().cells(), hexagon);
    assert!(rounds.counts().width > 2 && rounds.counts().rounds < rounds.counts().actions);

    let start = MaximalIndependentSet::start(&cells, &[]).unwrap();
    let mut isolated = Rounds::new(&MaximalIndependentSet, start.clone(), Concurrency::Isolated(1));
    assert!(isolated.run(1000, &mut Seeded::new(1)));
    assert!(MaximalIndependentSet::is_finished(isolated.system()));
    let mut together = Rounds::new(&MaximalIndependentSet, start, Concurrency::Synchronous);
    assert!(together.run(1000, &mut Seeded::new(1)));
    assert!(!MaximalIndependentSet::is_finished(together.system()));
}

fn spiral(centre: Cell, n: usize) -> Vec<Cell> {
    let mut cells = start::spiral(centre, Direction::East, n).unwrap();
    cells.sort();
    cells
}

/// All executions in rounds of an algorithm with the memories of hexagon formation, from every connected shape of n
/// amoebots with each amoebot as the seed. Returns the number of starts, the number of starts with an execution that
/// does not end in the hexagon of the seed, and the number of failed actions.
fn hexagons<A: Algorithm<Memory = hexagon::Memory> + Sync>(
    algorithm: &A,
    n: usize,
    concurrency: Concurrency,
) -> (usize, usize, u64) {
    let (mut starts, mut wrong, mut failures) = (0, 0, 0);
    for shape in Shape::all_connected(n).unwrap() {
        for seed in 0..n {
            let aim = spiral(shape.cells()[seed], n);
            let is_it =
                |system: &System<hexagon::Memory>| Hexagon::is_finished(system) && system.cells() == aim;
            let start = Hexagon::start(shape.cells(), seed, &[]).unwrap();
            let found = explore_rounds(algorithm, start, concurrency, is_it, 100_000).unwrap();
            starts += 1;
            wrong += usize::from((found.wrong_ends, found.hopeless, found.disconnected) != (0, 0, 0));
            failures += found.failures;
        }
    }
    (starts, wrong, failures)
}

/// In synchronous rounds without locks the final shape is the same as with locks, where it is the hexagon in every
/// interleaving (`concurrent/every_order.rs`). With neither locks nor rounds it differs, when other amoebots act
/// between the read and the pull of an amoebot. A synchronous round draws nothing: each start has one execution. With
/// isolation every maximal set of non-adjacent amoebots acts.
#[test]
fn hexagons_are_the_same_without_locks_if_rounds_are_synchronous() {
    for (n, starts) in [(1, 1), (2, 6), (3, 33), (4, 176), (5, 930)] {
        for concurrency in [Concurrency::Synchronous, Concurrency::Isolated(1)] {
            let found = hexagons(&Hexagon, n, concurrency);
            assert_eq!(found, (starts, 0, 0), "{n} {concurrency:?}");
        }
    }
}

/// A mutant: roots retire at once, at any position.
struct RootsRetireAnywhere;

impl Algorithm for RootsRetireAnywhere {
    type Memory = hexagon::Memory;
    type Action = hexagon::Action;
    fn actions(&self) -> &[hexagon::Action] {
        Hexagon.actions()
    }
    fn order(&self) -> ActionOrder {
        ActionOrder::AsListed
    }
    fn enabled(&self, action: hexagon::Action, view: &View<'_, hexagon::Memory>) -> bool {
        let is_root = view.own().state == hexagon::State::Root && view.is_contracted();
        if action == hexagon::Action::Alpha3 { is_root } else { Hexagon.enabled(action, view) }
    }
    fn execute(
        &self,
        action: hexagon::Action,
        view: &View<'_, hexagon::Memory>,
        choices: &mut dyn Choices,
    ) -> Result<Effects<hexagon::Memory>, ActionError> {
        Hexagon.execute(action, view, choices)
    }
}

#[test]
fn wrong_hexagon_formation_is_noticed_in_rounds() {
    for concurrency in [Concurrency::Synchronous, Concurrency::Isolated(1)] {
        assert_eq!(hexagons(&RootsRetireAnywhere, 3, concurrency), (33, 32, 0), "all but the hexagon itself");
    }
}

#[test]
fn larger_hexagons_are_the_same_without_locks_in_rounds() {
    let acceptance = FixedProbability::new(0.8).unwrap();
    for (seed, n) in (0..).zip([60, 80, 100, 120, 140, 160, 180, 200]) {
        let cells = start::blob(Cell::ORIGIN, n, acceptance, &mut Seeded::new(seed)).unwrap();
        for concurrency in [Concurrency::Synchronous, Concurrency::Isolated(1)] {
            let start = Hexagon::start(&cells, 0, &[]).unwrap();
            let mut rounds = Rounds::new(&Hexagon, start, concurrency);
            assert!(rounds.run(100_000, &mut Seeded::new(seed)), "{n} {concurrency:?}");
            assert!(Hexagon::is_finished(rounds.system()));
            assert_eq!(rounds.system().cells(), spiral(Cell::ORIGIN, n), "{n} {concurrency:?}");
            assert!(rounds.counts().width > 10 && rounds.counts().failures == 0);
        }
    }
}

/// A round that is cancelled before its amoebots act is discarded, and its draws are undone.
#[test]
fn a_round_that_is_cut_is_repeated() {
    let acceptance = FixedProbability::new(0.8).unwrap();
    let cells = start::blob(Cell::ORIGIN, 5000, acceptance, &mut Seeded::new(1)).unwrap();
    let start = Hexagon::start(&cells, 0, &[]).unwrap();
    for concurrency in [Concurrency::Synchronous, Concurrency::Isolated(1)] {
        let rounds = || (Rounds::new(&Hexagon, start.clone(), concurrency), Seeded::new(2));
        let ((mut whole, mut draws), (mut cut, mut draws_cut)) = (rounds(), rounds());
        let mut cuts = 0;
        for most in 0..200 {
            let calls = std::cell::Cell::new(0);
            cut.run_while(1, &mut draws_cut, &|| calls.replace(calls.get() + 1) < most % 20);
            if cut.counts().rounds == whole.counts().rounds {
                cuts += 1;
            } else {
                whole.run(1, &mut draws);
            }
            assert_eq!(cut.counts(), whole.counts());
            assert!(cut.system() == whole.system(), "after call {most}");
        }
        let rounds = whole.counts().rounds;
        assert!(cuts > 20 && rounds > 20, "{cuts} cut, {rounds} made");
    }
}

/// An algorithm in which every amoebot expands at the port in its memory.
struct Swell;

impl Algorithm for Swell {
    type Memory = AmoebotPort;
    type Action = ();
    fn actions(&self) -> &[()] {
        &[()]
    }
    fn order(&self) -> ActionOrder {
        ActionOrder::AsListed
    }
    fn enabled(&self, (): (), view: &View<'_, AmoebotPort>) -> bool {
        view.is_contracted() && !view.connected(*view.own())
    }
    fn execute(
        &self,
        (): (),
        view: &View<'_, AmoebotPort>,
        _: &mut dyn Choices,
    ) -> Result<Effects<AmoebotPort>, ActionError> {
        Ok(Effects::none().then(Movement::Expand(*view.own())))
    }
}

#[test]
fn exactly_one_of_colliding_amoebots_succeeds() {
    // Six amoebots around a free cell try to enter it.
    let around = Direction::ALL.map(|direction| Amoebot {
        body: Body::contracted(Cell::ORIGIN.neighbour(direction).unwrap()),
        orientation: Orientation::COMMON,
        memory: AmoebotPort::head(direction.opposite().index() + 1),
    });
    let mut rounds = Rounds::new(&Swell, System::new(around.to_vec()).unwrap(), Concurrency::Synchronous);
    assert!(rounds.run(10, &mut Seeded::new(1)));
    let counts = rounds.counts();
    assert_eq!((counts.width, counts.actions, counts.failures, counts.rounds), (6, 1, 5, 1));
    let expanded = rounds.system().ids().filter(|id| !rounds.system().body(*id).is_contracted());
    assert_eq!(expanded.count(), 1);
    assert_eq!(rounds.system().cells().len(), 7);
}

/// An amoebot that acts in a round, and the effects of its action.
type Acted<A> = (AmoebotId, Option<Effects<<A as Algorithm>::Memory>>);

/// All systems that are reached if the actions of each round are executed in every order, by the operations of
/// [`System`]. This is the expected result of an exploration.
fn reached_in_rounds<A: Algorithm>(algorithm: &A, start: &System<A::Memory>) -> Vec<System<A::Memory>> {
    let mut reached = vec![start.clone()];
    let mut at = 0;
    while let Some(system) = reached.get(at).cloned() {
        at += 1;
        // An acting amoebot takes any of its actions; these draw nothing.
        let mut rounds: Vec<Vec<Acted<A>>> = vec![Vec::new()];
        for id in system.ids() {
            let view = View::new(&system, id);
            let actions: Vec<A::Action> = acrasin_amoebot::enabled_actions(algorithm, view).collect();
            if actions.is_empty() {
                continue;
            }
            let all = rounds.iter().flat_map(|round| {
                actions.iter().map(|action| {
                    let effects = algorithm.execute(*action, &view, &mut Seeded::new(0)).ok();
                    round.iter().cloned().chain([(id, effects)]).collect()
                })
            });
            rounds = all.collect();
        }
        for round in rounds {
            let mut orders = vec![(system.clone(), round)];
            while let Some((system, left)) = orders.pop() {
                if left.is_empty() && !reached.contains(&system) {
                    reached.push(system.clone());
                }
                for place in 0..left.len() {
                    let (mut next, mut left) = (system.clone(), left.clone());
                    let (id, effects) = left.remove(place);
                    if let Some(effects) = effects {
                        let _ = effects.apply(&mut next, id);
                    }
                    orders.push((next, left));
                }
            }
        }
    }
    reached
}

/// Every order of the actions of a round is tried. Actions of amoebots that do not touch each other are applied in one
/// order only.
#[test]
fn explorations_let_each_of_those_that_conflict_win() {
    fn compared<A: Algorithm<Memory: Send + Sync> + Sync>(algorithm: &A, start: System<A::Memory>) -> usize {
        let all = reached_in_rounds(algorithm, &start);
        let found = explore_rounds(algorithm, start, Concurrency::Synchronous, |_| true, 100_000).unwrap();
        assert_eq!(found.states, all.len());
        found.failures as usize
    }
    let walk = ForestWalk::new(&[1, 2]).unwrap();
    let mut failures = 0;
    for shape in [Shape::all_connected(2).unwrap(), Shape::all_connected(3).unwrap()].concat() {
        let cells = shape.cells();
        for root in 0..cells.len() {
            failures += compared(&walk, walk.start(cells, AmoebotId(root as u32), &[]).unwrap());
            if cells.len() == 2 || root == 0 {
                failures += compared(&Hexagon, Hexagon::start(cells, root, &[]).unwrap());
            }
        }
        failures += compared(&MaximalIndependentSet, MaximalIndependentSet::start(cells, &[]).unwrap());
    }
    // Two amoebots that expand into one cell.
    let system = Grab::start();
    assert_eq!(compared(&Grab, system.clone()), 2);
    let found = explore_rounds(&Grab, system, Concurrency::Synchronous, |_| true, 100).unwrap();
    assert_eq!((found.states, found.ends, found.final_shapes.len()), (3, 2, 1));
    assert!(failures > 0, "some conflict");
}

/// The position of a cell in a list is not part of a system.
#[test]
fn an_exploration_in_rounds_does_not_depend_on_identities() {
    let distribution = EnergyDistribution::new(Hexagon, 2, |_| 1).unwrap();
    let explored = |cells: [(i32, i32); 3]| {
        let cells = cells.map(|(x, y)| Cell::new(x, y).unwrap());
        let start = distribution.start(&Hexagon::start(&cells, 0, &[]).unwrap(), &[0]).unwrap();
        let is_goal = |system: &System<_>| Hexagon::is_finished(&distribution.inner(system));
        let found =
            explore_rounds(&distribution, start, Concurrency::Synchronous, is_goal, 1_000_000).unwrap();
        (found.states, found.moves, found.depth, found.ends, found.wrong_ends, found.hopeless, found.failures)
    };
    let (one, other) = (explored([(0, 2), (1, 1), (2, 0)]), explored([(0, 2), (2, 0), (1, 1)]));
    assert_eq!(one, other);
}

/// An algorithm in which an amoebot without neighbours expands at the port in its memory.
struct Grab;

impl Grab {
    /// Two amoebots with an empty cell between them.
    fn start() -> System<u8> {
        let at = |(x, port)| Amoebot {
            body: Body::contracted(Cell::new(x, 0).unwrap()),
            orientation: Orientation::COMMON,
            memory: port,
        };
        System::new([(0, 1), (2, 4)].map(at).into()).unwrap()
    }
}

impl Algorithm for Grab {
    type Memory = u8;
    type Action = ();
    fn actions(&self) -> &[()] {
        &[()]
    }
    fn order(&self) -> ActionOrder {
        ActionOrder::AsListed
    }
    fn enabled(&self, (): (), view: &View<'_, u8>) -> bool {
        view.is_contracted() && view.neighbours().next().is_none()
    }
    fn execute(&self, (): (), view: &View<'_, u8>, _: &mut dyn Choices) -> Result<Effects<u8>, ActionError> {
        Ok(Effects::none().then(Movement::Expand(AmoebotPort::head(*view.own()))))
    }
}
