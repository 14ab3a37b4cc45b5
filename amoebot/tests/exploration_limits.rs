//! Tests that questions and limits work alike in all kinds of exploration.

use std::cell::Cell as Counter;
use std::sync::atomic::{AtomicUsize, Ordering};

use acrasin_amoebot::AmoebotId;
use acrasin_amoebot::check::concurrent::{ConcurrencyFault, explore_concurrent_within};
use acrasin_amoebot::check::simultaneous::{explore_rounds, explore_rounds_within};
use acrasin_amoebot::check::waves::{LockSetExtent, explore_waves};
use acrasin_amoebot::check::{CheckLimits, ExploreError, Identities, Questions, explore_within};
use acrasin_amoebot::library::hexagon::{Memory, State};
use acrasin_amoebot::run::concurrent::{Concurrent, TryLocks};
use acrasin_amoebot::run::execution::UniformEnabled;
use acrasin_amoebot::run::simultaneous::Concurrency;
use acrasin_amoebot::{
    ActionError, ActionOrder, Algorithm, Amoebot, AmoebotPort, Body, Cell, Direction, Effects, Hexagon,
    Orientation, Shape, System, View, start,
};
use acrasin_runtime::Seeded;
use acrasin_runtime::choice::Choices;

fn line() -> System<Memory> {
    Hexagon::start(&start::line(Cell::ORIGIN, Direction::East, 3).unwrap(), 1, &[]).unwrap()
}

/// The results of an exploration of any kind.
struct Results {
    states: usize,
    faults: usize,
    fault: Option<String>,
    /// The system at the end of the shortest path to a fault, and the number of its steps or rounds.
    at_fault: Option<(System<Memory>, usize)>,
}

type Explorer = fn(&Questions<'_, Memory>, CheckLimits) -> Result<Results, ExploreError>;

fn sequential(questions: &Questions<'_, Memory>, limits: CheckLimits) -> Result<Results, ExploreError> {
    let all = explore_within(&Hexagon, [line()], questions, Identities::Anonymous, limits)?;
    let at_fault = all.way_to_fault.map(|way| (way.end.system(), way.steps.len()));
    Ok(Results { states: all.states, faults: all.faults, fault: all.fault, at_fault })
}

fn in_rounds(questions: &Questions<'_, Memory>, limits: CheckLimits) -> Result<Results, ExploreError> {
    let all = explore_rounds_within(&Hexagon, line(), Concurrency::Isolated(1), questions, limits)?;
    let at_fault = all.way_to_fault.map(|way| (way.last().unwrap().clone(), way.len() - 1));
    Ok(Results { states: all.states, faults: all.faults, fault: all.fault, at_fault })
}

fn concurrent(questions: &Questions<'_, Memory>, limits: CheckLimits) -> Result<Results, ExploreError> {
    let locks = |system: &System<Memory>| TryLocks::new(system.len());
    let all = explore_concurrent_within(&Hexagon, [line()], locks, questions, limits)?;
    let way = all.ways.iter().find(|way| way.fault == ConcurrencyFault::Broken);
    let at_fault = way.map(|way| (way.end.clone(), way.steps.len()));
    Ok(Results { states: all.states, faults: all.faults, fault: all.fault.clone(), at_fault })
}

const ALL: [Explorer; 3] = [sequential, in_rounds, concurrent];

fn roots(system: &System<Memory>) -> usize {
    system.ids().filter(|id| system.memory(*id).state == State::Root).count()
}

#[test]
fn faults_are_searched_in_every_state() {
    let fault = |system: &System<Memory>| (roots(system) > 0).then(|| format!("{} roots", roots(system)));
    for (explore, steps) in ALL.into_iter().zip([1, 1, 8]) {
        let questions = Questions { fault: &fault, ..Questions::from_goal(&Hexagon::is_finished) };
        let results = explore(&questions, CheckLimits::default()).unwrap();
        // In the end all amoebots are retired; there are only roots in between.
        assert!(
            0 < results.faults && results.faults < results.states,
            "{} of {}",
            results.faults,
            results.states
        );
        let (system, taken) = results.at_fault.unwrap();
        assert_eq!(results.fault, Some(format!("{} roots", roots(&system))));
        assert!(roots(&system) > 0 && taken <= steps, "{taken} steps");
        let none = explore(&Questions::from_goal(&Hexagon::is_finished), CheckLimits::default()).unwrap();
        assert_eq!((none.faults, none.fault, none.at_fault.is_none()), (0, None, true));
        assert_eq!(none.states, results.states);
    }
}

#[test]
fn bytes_are_limited() {
    for explore in ALL {
        let questions = Questions::from_goal(&Hexagon::is_finished);
        let within = |bytes_max| {
            explore(&questions, CheckLimits { bytes_max, ..CheckLimits::default() })
                .map(|results| results.states)
        };
        let states = within(1 << 20).unwrap();
        match within(1_500) {
            Err(ExploreError::TooManyBytes { bytes, states: few, limit: 1_500 }) => {
                assert!(bytes > 1_500 && 0 < few && few < states);
            }
            other => panic!("{other:?}"),
        }
        // Heap storage of memories counts.
        let owning = CheckLimits { bytes_owned: 1 << 20, bytes_max: 1 << 20, ..CheckLimits::default() };
        assert!(matches!(explore(&questions, owning), Err(ExploreError::TooManyBytes { .. })));
        let exact = CheckLimits { states_max: states, ..CheckLimits::default() };
        assert_eq!(explore(&questions, exact).unwrap().states, states);
        let less = CheckLimits { states_max: states - 1, ..CheckLimits::default() };
        assert_eq!(explore(&questions, less).err(), Some(ExploreError::TooManyStates { limit: states - 1 }));
    }
    let words = ExploreError::TooManyBytes { bytes: 1_516, states: 12, limit: 1_500 }.to_string();
    assert_eq!(words, "12 states take 1516 bytes (accepted: up to 1500)");
}

#[test]
fn an_exploration_can_be_stopped() {
    for explore in ALL {
        let asked = AtomicUsize::new(0);
        let is_stopped = || asked.fetch_add(1, Ordering::Relaxed) + 1 > 6;
        let questions = Questions { is_stopped: &is_stopped, ..Questions::from_goal(&Hexagon::is_finished) };
        match explore(&questions, CheckLimits::default()).err() {
            Some(ExploreError::Stopped { states }) => assert!(0 < states && states < 30, "{states}"),
            other => panic!("{other:?}"),
        }
        assert_eq!(asked.load(Ordering::Relaxed), 7);
    }
}

#[test]
fn starts_are_taken_one_by_one() {
    // Lines of 1, 2, 3 and so on amoebots, without an end.
    let taken = Counter::new(0);
    let lines = || {
        (1..).map(|n| {
            taken.set(n);
            Hexagon::start(&start::line(Cell::ORIGIN, Direction::East, n).unwrap(), 0, &[]).unwrap()
        })
    };
    let questions = Questions::from_goal(&Hexagon::is_finished);
    let limits = CheckLimits { states_max: 20, ..CheckLimits::default() };
    let too_many = Some(ExploreError::TooManyStates { limit: 20 });
    assert_eq!(explore_within(&Hexagon, lines(), &questions, Identities::Anonymous, limits).err(), too_many);
    assert_eq!(taken.replace(0), 21);
    let locks = |system: &System<Memory>| TryLocks::new(system.len());
    assert_eq!(explore_concurrent_within(&Hexagon, lines(), locks, &questions, limits).err(), too_many);
    assert_eq!(taken.get(), 21);
}

/// An algorithm that flips its bit, once or repeatedly.
struct Turn {
    forever: bool,
}

impl Algorithm for Turn {
    type Memory = bool;
    type Action = ();
    fn actions(&self) -> &[()] {
        &[()]
    }
    fn order(&self) -> ActionOrder {
        ActionOrder::AsListed
    }
    fn enabled(&self, (): (), view: &View<'_, bool>) -> bool {
        self.forever || !view.own()
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

/// Ten amoebots in a row, `by` cells apart.
fn apart(by: i32) -> System<bool> {
    let amoebot = |at| Amoebot {
        body: Body::contracted(Cell::new(at * by, 0).unwrap()),
        orientation: Orientation::COMMON,
        memory: false,
    };
    System::new((0..10).map(amoebot).collect()).unwrap()
}

#[test]
fn each_isolated_set_is_counted_once() {
    // Ten amoebots far apart can be drawn in 3,628,800 orders, but form one set.
    let is_goal = |system: &System<bool>| system.ids().all(|id| *system.memory(id));
    let within = |by, outcomes_max| {
        let limits = CheckLimits { outcomes_max, ..CheckLimits::default() };
        let turn = Turn { forever: false };
        explore_rounds_within(
            &turn,
            apart(by),
            Concurrency::Isolated(1),
            &Questions::from_goal(&is_goal),
            limits,
        )
    };
    let far = within(5, 1).unwrap();
    assert_eq!((far.states, far.ends, far.wrong_ends), (2, 1, 0));
    // The maximal sets of non-adjacent amoebots in a row of ten: 16.
    assert_eq!(within(1, 15).err(), Some(ExploreError::TooManyOutcomes { limit: 15 }));
    let row = within(1, 16).unwrap();
    assert_eq!((row.ends, row.wrong_ends, row.final_shapes.len()), (1, 0, 1));
    // At distance 0 every amoebot acts.
    let turn = || Turn { forever: false };
    let at_once = |concurrency| explore_rounds(&turn(), apart(1), concurrency, is_goal, 10).unwrap();
    assert_eq!(at_once(Concurrency::Isolated(0)), at_once(Concurrency::Synchronous));
}

#[test]
fn rounds_have_a_path_to_every_fault() {
    let forever = explore_rounds(
        &Turn { forever: true },
        apart(1),
        Concurrency::Synchronous,
        |_: &System<bool>| true,
        10,
    );
    let forever = forever.unwrap();
    assert_eq!((forever.hopeless, forever.way_to_hopeless), (2, Some(vec![apart(1)])));
    assert_eq!((forever.way, forever.way_to_disconnected, forever.disconnected), (None, None, 0));
    let parts = explore_rounds(
        &Turn { forever: false },
        apart(2),
        Concurrency::Synchronous,
        |_: &System<bool>| true,
        10,
    );
    let parts = parts.unwrap();
    assert_eq!((parts.disconnected, parts.way_to_disconnected), (2, Some(vec![apart(2)])));
    assert_eq!((parts.hopeless, parts.way_to_hopeless), (0, None));
}

#[test]
fn a_run_without_a_log_is_the_same_run() {
    let run = |logs: bool| {
        let run = Concurrent::new(&Hexagon, line(), TryLocks::new(3));
        let mut run = if logs { run } else { run.without_log() };
        assert!(run.run(100_000, &mut UniformEnabled, &mut Seeded::new(4)));
        (run.system().clone(), run.counts(), run.log().len() as u64)
    };
    let (logged, unlogged) = (run(true), run(false));
    assert_eq!((&logged.0, logged.1), (&unlogged.0, unlogged.1));
    assert_eq!((logged.2, unlogged.2), (logged.1.actions, 0));
}

/// An algorithm that moves once, in the direction of its port.
struct Step;

impl Algorithm for Step {
    type Memory = Option<AmoebotPort>;
    type Action = bool;
    fn actions(&self) -> &[bool] {
        &[false, true]
    }
    fn order(&self) -> ActionOrder {
        ActionOrder::AsListed
    }
    fn enabled(&self, contracts: bool, view: &View<'_, Option<AmoebotPort>>) -> bool {
        if contracts { !view.is_contracted() } else { view.is_contracted() && view.own().is_some() }
    }
    fn execute(
        &self,
        contracts: bool,
        view: &View<'_, Option<AmoebotPort>>,
        _: &mut dyn Choices,
    ) -> Result<Effects<Option<AmoebotPort>>, ActionError> {
        use acrasin_amoebot::{End, Movement};
        let movement = match (contracts, view.own()) {
            (true, _) => Movement::Contract(End::Tail),
            (false, Some(port)) => Movement::Expand(*port),
            (false, None) => unreachable!("it is not enabled"),
        };
        Ok(Effects::none().write_own(None).then(movement))
    }
}

/// Next to an object of two cells, (0, 0) and (1, 0), an amoebot moves from (0, 1) in a direction.
#[test]
fn an_amoebot_that_leaves_the_object_is_disconnected() {
    let explored = |direction: Direction| {
        let amoebot = |x, y, memory| Amoebot {
            body: Body::contracted(Cell::new(x, y).unwrap()),
            orientation: Orientation::COMMON,
            memory,
        };
        let walks = Some(AmoebotPort::head(direction.index() + 1));
        // The other one is on the far side: the two are never connected directly.
        let system = System::new(vec![amoebot(0, 1, walks), amoebot(1, -1, None)]).unwrap();
        let object = [Cell::ORIGIN, Cell::new(1, 0).unwrap()];
        let start = system.with_object(object).unwrap();
        assert!(!start.is_connected() && start.is_connected_with_object());
        let end = |system: &System<Option<AmoebotPort>>| system.body(AmoebotId(0)).is_contracted();
        let one = explore_within(
            &Step,
            [start.clone()],
            &Questions::from_goal(&end),
            Identities::Anonymous,
            CheckLimits::default(),
        );
        let one = one.unwrap();
        let steps = one.way_to_disconnected.map(|way| way.steps.len());
        let rounds = explore_rounds(&Step, start.clone(), Concurrency::Synchronous, end, 10).unwrap();
        assert_eq!(rounds.way_to_disconnected.map(|way| way.len() - 1), steps);
        let locks = |system: &System<_>| TryLocks::new(system.len());
        let steps_at_once = explore_concurrent_within(
            &Step,
            [start],
            locks,
            &Questions::from_goal(&end),
            CheckLimits::default(),
        );
        assert_eq!(steps_at_once.unwrap().disconnected > 0, one.disconnected > 0);
        (one.states, one.disconnected, steps)
    };
    assert_eq!(explored(Direction::West), (3, 0, None));
    // Expanded it still touches the object; contracted it has left it.
    assert_eq!(explored(Direction::NorthWest), (3, 1, Some(2)));
    assert_eq!(explored(Direction::NorthEast), (3, 1, Some(2)));
}

/// Counts how often an exploration asks whether to stop, which it does for each copy of a system.
fn asked<R>(explore: impl FnOnce(&(dyn Fn() -> bool + Sync)) -> R) -> (R, usize) {
    let asked = AtomicUsize::new(0);
    let is_stopped = || {
        asked.fetch_add(1, Ordering::Relaxed);
        false
    };
    let result = explore(&is_stopped);
    (result, asked.into_inner())
}

/// Regression: the check of sixty amoebots filled all of its memory with outcomes of the first state.
#[test]
fn too_many_orders_of_a_wave_are_refused_before_the_first_is_followed() {
    let is_goal = |system: &System<bool>| system.ids().all(|id| *system.memory(id));
    let within = |outcomes_max| {
        asked(|is_stopped| {
            let questions = Questions { is_stopped, ..Questions::from_goal(&is_goal) };
            let limits = CheckLimits { outcomes_max, ..CheckLimits::default() };
            let (turn, lock_sets) = (Turn { forever: false }, LockSetExtent::default());
            explore_waves(&turn, apart(1), lock_sets, &questions, limits).map(|all| all.states)
        })
    };
    // Ten amoebots have 10! = 3,628,800 orders.
    for limit in [1, 1 << 20, 3_628_799] {
        let (found, asked) = within(limit);
        assert_eq!(found, Err(ExploreError::TooManyOutcomes { limit }));
        assert!(asked < 5, "{limit}: {asked}");
    }
}

/// Pairs of amoebots in a row, each of which expands to the same cell as the other one of its pair.
fn pairs(count: i32) -> System<Option<AmoebotPort>> {
    let amoebot = |x, port| Amoebot {
        body: Body::contracted(Cell::new(x, 0).unwrap()),
        orientation: Orientation::COMMON,
        memory: Some(AmoebotPort::head(port)),
    };
    // Port 2 leads north-east, port 3 north-west.
    System::new((0..count).flat_map(|pair| [amoebot(2 * pair, 2), amoebot(2 * pair + 1, 3)]).collect())
        .unwrap()
}

/// Regression: a round with thirty conflicts took 4 GB where 64 MB were allowed.
#[test]
fn too_many_ends_of_a_round_are_refused_before_they_are_made() {
    let within = |count, limits| {
        asked(|is_stopped| {
            let is_goal = |_: &System<_>| false;
            let questions = Questions { is_stopped, ..Questions::from_goal(&is_goal) };
            explore_rounds_within(&Step, pairs(count), Concurrency::Synchronous, &questions, limits)
                .map(|all| all.states)
        })
    };
    // Each of n pairs has two ends: 2^n in all.
    let outcomes =
        |count, outcomes_max| within(count, CheckLimits { outcomes_max, ..CheckLimits::default() });
    assert!(outcomes(3, 1_000).0.is_ok());
    assert_eq!(outcomes(3, 7).0, Err(ExploreError::TooManyOutcomes { limit: 7 }));
    for (count, limit) in [(10, 1_023), (20, 1 << 19), (30, 1 << 20)] {
        let (found, asked) = outcomes(count, limit);
        assert_eq!(found, Err(ExploreError::TooManyOutcomes { limit }));
        assert!(asked < 10 * count as usize, "{count} pairs: {asked}");
    }
    // All ends together take twice as many bytes.
    let half = pairs(15).bytes() as u64 * (1 << 14);
    let (found, asked) = within(15, CheckLimits { bytes_max: half, ..CheckLimits::default() });
    let Err(ExploreError::TooManyBytes { bytes, limit, .. }) = found else { panic!("{found:?}") };
    assert!(bytes > half && limit == half, "{bytes} of {limit}");
    assert!(asked < 150, "{asked}");
}

#[test]
fn any_number_of_threads_finds_the_same() {
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let starts = || {
                let shapes = Shape::all_connected(3).unwrap();
                shapes.into_iter().map(|shape| Hexagon::start(shape.cells(), 0, &[]).unwrap())
            };
            let fault = |system: &System<Memory>| (roots(system) > 1).then(|| "roots".to_owned());
            let questions = Questions { fault: &fault, ..Questions::from_goal(&Hexagon::is_finished) };
            let limits = CheckLimits::default();
            let all = explore_within(&Hexagon, starts(), &questions, Identities::Distinct, limits).unwrap();
            let locks = |system: &System<Memory>| TryLocks::new(system.len());
            let orders = explore_concurrent_within(&Hexagon, starts(), locks, &questions, limits).unwrap();
            let rounds =
                explore_rounds_within(&Hexagon, line(), Concurrency::Isolated(1), &questions, limits);
            assert!(all.faults > 0 && orders.faults > 0);
            format!("{all:?} {orders:?} {:?}", rounds.unwrap())
        })
    };
    let one = on(1);
    for threads in [2, 3, 7] {
        assert!(on(threads) == one, "{threads} threads");
    }
}
