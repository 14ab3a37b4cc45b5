//! Windows of tiles: results equal those of sequential runs, for any number of threads, and waiting times are
//! bounded.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};

use acrasin_amoebot::algorithm::description::{Description, Placement};
use acrasin_amoebot::chain::ChainStart;
use acrasin_amoebot::chain::bridging::landscape::{Slope, v_shape};
use acrasin_amoebot::check::Scope;
use acrasin_amoebot::library::catalogue::{AlgorithmCatalogue, Visitor, visit};
use acrasin_amoebot::library::hexagon::Memory;
use acrasin_amoebot::library::parameter::{ParameterValue, Values};
use acrasin_amoebot::run::parallel::Waves;
use acrasin_amoebot::run::tiles::{SIDE_MIN, TileCounts, Tiles};
use acrasin_amoebot::{
    ActionError, ActionOrder, Algorithm, Amoebot, AmoebotId, Body, Cell, Direction, Effects, Erosion,
    Hexagon, Orientation, Shape, System, View, enabled_actions, explore, start,
};
use acrasin_runtime::choice::Choices;
use acrasin_runtime::{FixedProbability, Seeded};

fn blob(n: usize, seed: u64) -> Vec<Cell> {
    let acceptance = FixedProbability::new(0.8).unwrap();
    start::blob(Cell::ORIGIN, n, acceptance, &mut Seeded::new(seed)).unwrap()
}

fn spiral(n: usize) -> Vec<Cell> {
    let mut cells = start::spiral(Cell::ORIGIN, Direction::East, n).unwrap();
    cells.sort();
    cells
}

fn is_at_rest<A: Algorithm>(algorithm: &A, system: &System<A::Memory>) -> bool {
    system.ids().all(|id| enabled_actions(algorithm, View::new(system, id)).next().is_none())
}

#[test]
fn hexagons_are_those_of_one_at_a_time_and_equal_their_replay() {
    for (n, side, seed) in
        [(1, 8, 0), (2, 8, 0), (50, 8, 1), (50, 64, 2), (700, 8, 3), (700, 16, 4), (700, 64, 5)]
    {
        let start = Hexagon::start(&blob(n, seed), 0, &[]).unwrap();
        let mut tiles = Tiles::new(&Hexagon, start.clone(), seed).with_side(side).with_log().with_checks();
        assert!(tiles.run(1_000_000));
        assert!(Hexagon::is_finished(tiles.system()) && is_at_rest(&Hexagon, tiles.system()));
        assert_eq!(tiles.system().cells(), spiral(n));
        let counts = tiles.counts();
        assert_eq!((counts.invalid, tiles.overlap()), (0, None));
        assert!(n < 700 || side > 16 || counts.width > 3, "{counts:?}");
        let log = tiles.log().unwrap();
        assert_eq!(log.len() as u64, counts.actions);
        for replayed in [log.replay(&Hexagon, start.clone()), log.replay_in_full_view(&Hexagon, start)] {
            let replayed = replayed.unwrap();
            assert!(&replayed == tiles.system());
            assert_eq!(replayed.configuration().digest(), tiles.system().configuration().digest());
        }
    }
}

/// Compares the systems after every window, and checks that sleeping amoebots have no enabled action.
#[test]
fn each_window_equals_its_actions_one_after_the_other() {
    let start = Hexagon::start(&blob(300, 6), 0, &[]).unwrap();
    let mut tiles = Tiles::new(&Hexagon, start.clone(), 6).with_side(SIDE_MIN).with_log();
    while !tiles.has_terminated() {
        tiles.window();
        if tiles.counts().windows % 16 == 1 {
            let replayed = tiles.log().unwrap().replay_in_full_view(&Hexagon, start.clone());
            assert!(&replayed.unwrap() == tiles.system(), "window {}", tiles.counts().windows);
        }
    }
}

/// Runs an algorithm of the catalogue from its own start in tiles and in waves.
struct InBoth<'a> {
    name: &'a str,
    terminates: bool,
    placement: Placement,
}

impl Visitor for InBoth<'_> {
    type Output = ();

    fn visit<D: Description>(self, subject: &D) {
        let Self { name, terminates, placement } = self;
        let start = subject.start(&placement).unwrap_or_else(|error| panic!("{name}: {error}"));
        let most = if terminates { 200_000 } else { 200 };
        for side in [12, 64] {
            let mut tiles =
                Tiles::new(subject.algorithm(), start.clone(), 3).with_side(side).with_log().with_checks();
            assert_eq!(tiles.run(most), terminates, "{name} in tiles of {side}");
            assert!(!terminates || subject.is_finished(tiles.system()), "{name} in tiles of {side}");
            assert_eq!((subject.fault(tiles.system()), tiles.overlap()), (None, None), "{name}");
            assert!(tiles.counts().invalid == 0 && tiles.counts().actions > 0, "{name}");
            assert!(
                !subject.facts().is_static || tiles.counts().moves == 0,
                "{name} says that no amoebot moves"
            );
            let replayed = tiles.log().unwrap().replay_in_full_view(subject.algorithm(), start.clone());
            let replayed = replayed.unwrap_or_else(|error| panic!("{name} in tiles of {side}: {error}"));
            assert_eq!(replayed.configuration().digest(), tiles.system().configuration().digest(), "{name}");
        }
        let mut waves = Waves::new(subject.algorithm(), start.clone(), 3).with_log().with_checks();
        assert_eq!(waves.run(most), terminates, "{name} in waves");
        assert!(!terminates || subject.is_finished(waves.system()), "{name} in waves");
        // At the end all amoebots are in settled states, so progress reaches its end.
        let (states, settled) = (subject.facts().states, subject.facts().settled_states);
        let is_settled = |id| settled.contains(&states[subject.state(waves.system().memory(id))]);
        assert!(settled.iter().all(|state| states.contains(state)), "{name}");
        assert!(settled.is_empty() || waves.system().ids().all(is_settled), "{name}");
        assert_eq!((subject.fault(waves.system()), waves.overlap()), (None, None), "{name} in waves");
        assert!(waves.counts().invalid == 0 && waves.counts().actions > 0, "{name} in waves");
        let replayed = waves.log().unwrap().replay(subject.algorithm(), start);
        let replayed = replayed.unwrap_or_else(|error| panic!("{name} in waves: {error}"));
        assert_eq!(replayed.configuration().digest(), waves.system().configuration().digest(), "{name}");
    }
}

/// The parameters of an algorithm.
fn values(name: &str) -> Values {
    let with = |written: &[(&'static str, ParameterValue)]| {
        written.iter().fold(Values::default(), |values, (name, value)| values.with(name, value.clone()))
    };
    match name {
        "BasicShape" => with(&[("form", ParameterValue::Word("Triangle"))]),
        "ForestWalk" => with(&[("path", ParameterValue::Text("1122".into()))]),
        "BinaryCounter" => with(&[(
            "operations",
            ParameterValue::Steps(vec![("Increment", 20), ("Decrement", 9), ("TestZero", 1)]),
        )]),
        "EnergySharing" => with(&[
            ("capacity", ParameterValue::Count(10)),
            ("transfer", ParameterValue::Count(1)),
            ("demand", ParameterValue::Count(5)),
        ]),
        "EnergyDistribution" => with(&[
            ("algorithm", ParameterValue::Word("Hexagon")),
            ("capacity", ParameterValue::Count(4)),
            ("demand", ParameterValue::Count(2)),
        ]),
        "ForestRepair" => with(&[("crashed", ParameterValue::Counts(vec![6]))]),
        "LocalCompression" | "Compression" | "Phototaxis" => {
            with(&[("lambda", ParameterValue::Positive(4.0))])
        }
        "Foraging" => with(&[
            ("search", ParameterValue::Positive(1.0)),
            ("gather", ParameterValue::Positive(6.0)),
            ("every", ParameterValue::Count(1000)),
        ]),
        "Bridging" | "Separation" => {
            with(&[("lambda", ParameterValue::Positive(4.0)), ("gamma", ParameterValue::Positive(2.0))])
        }
        _ => Values::default(),
    }
}

#[test]
fn every_algorithm_of_the_catalogue_runs_in_tiles_and_in_waves() {
    let solid = start::spiral(Cell::ORIGIN, Direction::East, 30).unwrap();
    let wall = |length: i32| (0..length).map(|x| Cell::new(x - length / 2, -1).unwrap()).collect();
    let heap: Vec<Cell> = (0..5).flat_map(|y| (0..6).map(move |x| Cell::new(x, y).unwrap())).collect();
    let mut run = Vec::new();
    for entry in AlgorithmCatalogue::shipped().entries() {
        let needs = entry.needs;
        let chosen =
            entry.make(&values(entry.name)).unwrap_or_else(|error| panic!("{}: {error}", entry.name));
        if chosen.chain().is_some() {
            continue;
        }
        // A hull must be closed; the other objects are practically infinite.
        let length = if entry.name == "ConvexHull" { 9 } else { 81 };
        let (cells, object): (Vec<Cell>, Vec<Cell>) =
            if needs.object { (heap.clone(), wall(length)) } else { (solid.clone(), Vec::new()) };
        let placement = Placement {
            orientations: vec![Orientation::COMMON; cells.len()],
            cells,
            seed: 0,
            object,
            colours: None,
            ..Placement::default()
        };
        visit(&chosen, InBoth { name: entry.name, terminates: needs.terminates, placement });
        run.push(entry.name);
    }
    assert!(
        run.len() >= 14
            && run.contains(&"Hexagon")
            && run.contains(&"UniversalCoating")
            && run.contains(&"ConvexHull")
            && run.contains(&"LocalCompression"),
        "{run:?}"
    );
}

/// Chains select tiles and waves by their parameter `layout`.
#[test]
fn every_chain_of_the_catalogue_runs_in_tiles_and_in_waves() {
    let cells = start::spiral(Cell::ORIGIN, Direction::East, 60).unwrap();
    let mut run = Vec::new();
    for entry in AlgorithmCatalogue::shipped().entries() {
        let written = values(entry.name);
        if entry.make(&written).unwrap().chain().is_none() {
            continue;
        }
        let landscape = entry.needs.landscape.then(|| v_shape(20, Slope::SIXTY_DEGREES).unwrap());
        let placement = Placement {
            cells: cells.clone(),
            seed: 0,
            orientations: vec![Orientation::COMMON; cells.len()],
            object: Vec::new(),
            colours: entry.needs.colours.map(|_| (0..60).map(|i| i % 2).collect()),
            ..Placement::default()
        };
        for layout in ["Tiles", "Waves"] {
            assert!(entry.words_of("layout").is_some_and(|words| words.contains(&layout)), "{}", entry.name);
            let chosen = entry.make(&written.clone().with("layout", ParameterValue::Word(layout))).unwrap();
            let chain = chosen.chain().unwrap();
            assert!(chain.is_parallel(), "{} in {layout}", entry.name);
            let end_of = |seed| {
                let start = ChainStart { placement: &placement, landscape: landscape.as_ref(), seed };
                let mut running = chain.start(start).unwrap();
                let before = running.state().digest();
                running.advance(500, &mut Seeded::new(0)).unwrap();
                assert_eq!(running.advanced(), 500);
                assert_ne!(running.state().digest(), before, "{} in {layout}", entry.name);
                let shape = Shape::from_cells(
                    running.state().cells().into_iter().chain(running.state().objects().to_vec()),
                )
                .unwrap();
                assert!(shape.is_connected() && shape.holes() == 0, "{} in {layout}", entry.name);
                (running.state().digest(), running.state().counts())
            };
            assert!(end_of(5) == end_of(5) && end_of(5) != end_of(6), "{} in {layout}", entry.name);
        }
        run.push(entry.name);
    }
    assert_eq!(run, ["Compression", "Bridging", "Separation", "Phototaxis", "Foraging"]);
}

fn run_with(start: &System<Memory>, threads: usize, seed: u64, most: u64) -> (TileCounts, String) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        let mut tiles = Tiles::new(&Hexagon, start.clone(), seed).with_side(32);
        tiles.run(most);
        (tiles.counts(), tiles.system().configuration().digest().to_string())
    })
}

/// A window that is cancelled at any tile is discarded, so the run continues as if the window had not begun.
#[test]
fn a_window_that_is_cut_is_repeated() {
    let start = Hexagon::start(&blob(2_000, 6), 0, &[]).unwrap();
    let tiles = || Tiles::new(&Hexagon, start.clone(), 1).with_side(16);
    let (mut whole, mut cut) = (tiles(), tiles());
    let calls = AtomicU64::new(0);
    let mut cuts = 0;
    for most in 0..200 {
        calls.store(0, Ordering::Relaxed);
        cut.run_while(1, &|| calls.fetch_add(1, Ordering::Relaxed) < most % 30);
        if cut.counts().windows == whole.counts().windows {
            cuts += 1;
            assert_eq!(cut.system().digest(), whole.system().digest());
        } else {
            whole.run(1);
            assert_eq!(cut.counts(), whole.counts());
        }
    }
    assert!(cuts > 20 && cuts < 150, "{cuts}");
    whole.run(300);
    cut.run(300);
    assert_eq!((cut.counts(), cut.system().digest()), (whole.counts(), whole.system().digest()));
}

#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    let start = Hexagon::start(&blob(20_000, 6), 0, &[]).unwrap();
    for (most, actions) in [(1, 50), (600, 10_000)] {
        let one = run_with(&start, 1, 1, most);
        assert!(one.0.width > 10 && one.0.actions > actions, "{:?}", one.0);
        for threads in [2, 3, 7] {
            assert_eq!(run_with(&start, threads, 1, most), one);
        }
        assert_ne!(run_with(&start, 2, 2, most), one);
    }
}

/// If actors keep one cell less from the border of their tile, an amoebot at the border is locked in two tiles.
#[test]
fn a_margin_that_is_too_small_is_caught() {
    let overlaps = |reach| {
        (0..30).filter(move |seed| {
            let start = Hexagon::start(&blob(400, *seed), 0, &[]).unwrap();
            let mut tiles =
                Tiles::new(&Hexagon, start, *seed).with_side(SIDE_MIN).with_reach(reach).with_checks();
            while !tiles.has_terminated() && tiles.overlap().is_none() && tiles.counts().windows < 400 {
                tiles.window();
            }
            tiles.overlap().is_some()
        })
    };
    assert_eq!(overlaps(2).count(), 0);
    assert!(overlaps(1).count() > 20);
}

/// An algorithm in which every amoebot is always enabled.
struct Tick;

impl Algorithm for Tick {
    type Memory = u32;
    type Action = ();
    fn actions(&self) -> &[()] {
        &[()]
    }
    fn order(&self) -> ActionOrder {
        ActionOrder::AsListed
    }
    fn enabled(&self, (): (), _: &View<'_, u32>) -> bool {
        true
    }
    fn execute(&self, (): (), a: &View<'_, u32>, _: &mut dyn Choices) -> Result<Effects<u32>, ActionError> {
        Ok(Effects::none().write_own(a.own() + 1))
    }
}

/// The maximum number of windows in which an amoebot that is always enabled has not acted.
fn longest_wait(tiles: &mut Tiles<'_, Tick>, windows: u64) -> u64 {
    let mut since = vec![0; tiles.system().len()];
    let mut longest = 0;
    for _ in 0..windows {
        let before: Vec<u32> = tiles.system().ids().map(|id| *tiles.system().memory(id)).collect();
        tiles.window();
        for id in tiles.system().ids() {
            let waited = &mut since[id.index()];
            *waited = if *tiles.system().memory(id) > before[id.index()] { 0 } else { *waited + 1 };
            longest = longest.max(*waited);
        }
    }
    longest
}

#[test]
fn an_amoebot_always_enabled_acts_within_thirty_windows() {
    let at = |cell| Amoebot { body: Body::contracted(cell), orientation: Orientation::COMMON, memory: 0 };
    let system = System::new(spiral(2000).into_iter().map(at).collect()).unwrap();
    let mut tiles = Tiles::new(&Tick, system.clone(), 9);
    let longest = longest_wait(&mut tiles, 90);
    assert!(longest <= 30);
    assert!(tiles.counts().rounds >= 90 / 30 && tiles.counts().rounds < 90, "{:?}", tiles.counts());
    // Smaller tiles have more border: a contracted amoebot waits with probability 1 - (4 / 8)^2 in each window.
    let mut small = Tiles::new(&Tick, system.clone(), 9).with_side(SIDE_MIN);
    assert!(longest_wait(&mut small, 90) > longest);
    // Tiles without shifts keep some amoebots at their borders forever.
    let mut still = Tiles::new(&Tick, system, 9).without_shifts();
    assert_eq!(longest_wait(&mut still, 30), 30);
}

/// Each enabled amoebot of a tile is the first to act with equal probability: tested on 7 amoebots in one tile,
/// by their shares. Tiles are logged in order.
#[test]
fn the_first_to_act_is_drawn_uniformly() {
    let first = |seed, biased: bool| {
        let start = Erosion::start(&start::line(Cell::ORIGIN, Direction::East, 7).unwrap(), &[]).unwrap();
        let mut tiles = Tiles::new(&Erosion, start, seed).with_log();
        tiles.window();
        let first = tiles.log().unwrap().actors().next().filter(|_| tiles.has_terminated())?;
        Some(if biased && seed % 8 == 0 { AmoebotId(0) } else { first })
    };
    let chi_square = |biased| {
        let mut firsts = [0_u32; 7];
        for id in (0..12_000).filter_map(|seed| first(seed, biased)) {
            firsts[id.index()] += 1;
        }
        let expected = f64::from(firsts.iter().sum::<u32>()) / 7.0;
        assert!(expected > 700.0);
        firsts.iter().map(|first| (f64::from(*first) - expected).powi(2) / expected).sum::<f64>()
    };
    // 6 degrees of freedom, probability 1e-4.
    assert!(chi_square(false) < 27.9);
    assert!(chi_square(true) > 27.9);
}

/// Every final system of a run in tiles is also that of some sequential schedule, and not always the same one.
#[test]
fn ends_are_among_those_of_every_order() {
    let cells = start::spiral(Cell::ORIGIN, Direction::East, 5).unwrap();
    let start = Erosion::start(&cells, &[]).unwrap();
    let found = explore(&Erosion, vec![start.clone()], |_| true, Scope::default()).unwrap();
    let every: BTreeSet<_> = found.finals.iter().map(|end| end.normal_form().unwrap()).collect();
    let ends: BTreeSet<_> = (0..60)
        .map(|seed| {
            let mut tiles = Tiles::new(&Erosion, start.clone(), seed).with_side(SIDE_MIN);
            assert!(tiles.run(100_000));
            tiles.system().configuration().normal_form().unwrap()
        })
        .collect();
    assert!(ends.is_subset(&every) && ends.len() > 1, "{} of {}", ends.len(), every.len());

    let shapes = |n| Shape::all_connected(n).unwrap().into_iter();
    let starts: Vec<_> = shapes(4).map(|shape| Hexagon::start(shape.cells(), 0, &[]).unwrap()).collect();
    let every =
        explore(&Hexagon, starts.clone(), Hexagon::is_finished, Scope::default()).unwrap().final_shapes();
    for (seed, start) in (0..).zip(starts) {
        let mut tiles = Tiles::new(&Hexagon, start, seed).with_side(SIDE_MIN);
        assert!(tiles.run(100_000) && every.contains(&tiles.system().shape().unwrap()));
    }
}
