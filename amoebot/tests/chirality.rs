//! Chirality agreement, compared with its goal: with the help of their memories, all amoebots turn as the seed does.

use acrasin_amoebot::AmoebotId;
use acrasin_amoebot::check::{Identities, Scope, SequentialExploration};
use acrasin_amoebot::library::chirality::{Adopt, Memory};
use acrasin_amoebot::run::execution::{RoundRobinActivation, SequentialExecution, Uniform};
use acrasin_amoebot::{
    ActionError, ActionOrder, Algorithm, AmoebotPort, Cell, Chirality, ChiralityAgreement, Direction,
    Effects, Orientation, Rotation, Shape, System, View, explore, start,
};
use acrasin_runtime::choice::{Choices, Decision};
use acrasin_runtime::{FixedProbability, Seeded};

use crate::refused::refuses_bad_seeds;

/// Whether every amoebot turns as the seed does: port 1, turned, leads to the next direction of the lattice.
fn all_turn_as(system: &System<Memory>, seed: Chirality) -> bool {
    let lattice = match seed {
        Chirality::Standard => Rotation::Counterclockwise,
        Chirality::Mirrored => Rotation::Clockwise,
    };
    system.ids().all(|id| {
        let orientation = system.amoebot(id).orientation;
        let Some(own) = system.memory(id).own_rotation(Rotation::Counterclockwise) else { return false };
        let next = orientation.direction(AmoebotPort::head(1).turned(own).label());
        next == orientation.first.turned(lattice)
    })
}

/// Every schedule from every shape with given orientations; the first orientation is that of the seed, at every
/// position.
fn explored(
    algorithm: &(impl Algorithm<Memory = Memory> + Sync),
    shapes: &[Shape],
    orientations: &[Orientation],
) -> SequentialExploration<Memory> {
    let starts = shapes.iter().flat_map(|shape| {
        (0..shape.cells().len()).map(|seed| {
            let mut cells = shape.cells().to_vec();
            cells.swap(0, seed);
            ChiralityAgreement::start(&cells, 0, orientations).expect("a connected shape")
        })
    });
    let goal = |system: &System<Memory>| all_turn_as(system, orientations[0].chirality);
    let scope = Scope { identities: Identities::Distinct, ..Scope::default() };
    explore(algorithm, starts, goal, scope).expect("few states")
}

fn shapes(n: usize) -> Vec<Shape> {
    Shape::all_connected(n).expect("few cells")
}

/// All sequences of n of these orientations.
fn combinations(some: &[Orientation], n: usize) -> Vec<Vec<Orientation>> {
    (0..n).fold(vec![Vec::new()], |shorter, _| {
        let longer = |known: Vec<Orientation>| {
            some.iter().map(move |next| known.iter().copied().chain([*next]).collect::<Vec<_>>())
        };
        shorter.into_iter().flat_map(longer).collect()
    })
}

fn every_orientation() -> Vec<Orientation> {
    Orientation::all().collect()
}

fn assert_agrees(orientations: &[Orientation], shapes: &[Shape]) {
    let n = orientations.len();
    let all = explored(&ChiralityAgreement, shapes, orientations);
    assert!(all.always_succeeds(), "{orientations:?}");
    assert_eq!(all.initial, n * shapes.len());
    // One result for each start, whatever the schedule.
    assert_eq!(all.finals.len(), all.initial);
    let actions = Some(n as u32 - 1);
    assert_eq!((all.shortest_run, all.longest_run, all.most_moves), (actions, actions, Some(0)));
    assert!(all.finals.iter().all(|state| ChiralityAgreement::is_finished(&state.system())));
}

#[test]
fn every_orientation_of_up_to_three() {
    for n in 1..=3 {
        let combinations = combinations(&every_orientation(), n);
        assert_eq!(combinations.len(), 12_usize.pow(n as u32));
        let shapes = shapes(n);
        combinations.iter().for_each(|orientations| assert_agrees(orientations, &shapes));
    }
}

#[test]
fn every_chirality_of_four_and_drawn_directions() {
    let both = [Chirality::Standard, Chirality::Mirrored];
    let both = both.map(|chirality| Orientation { first: Direction::East, chirality });
    let mut choices = Seeded::new(4);
    let shapes = shapes(4);
    let six = std::num::NonZeroU32::new(6).expect("6 > 0");
    for chiralities in combinations(&both, 4) {
        for _ in 0..4 {
            let mut drawn = |orientation: &Orientation| {
                let first = Direction::from_index(choices.pick(six, Decision::Outcome) as u8);
                Orientation { first, ..*orientation }
            };
            let orientations: Vec<Orientation> = chiralities.iter().map(&mut drawn).collect();
            assert_agrees(&orientations, &shapes);
        }
    }
}

#[test]
fn larger_blobs() {
    let acceptance = FixedProbability::new(0.6).expect("a probability");
    let every = every_orientation();
    for seed in 0..5 {
        let mut choices = Seeded::new(seed);
        let cells = start::blob(Cell::ORIGIN, 500, acceptance, &mut choices).expect("a blob");
        let orientations: Vec<Orientation> = (0..500).map(|i| every[(i * i + 5 * i) % 12]).collect();
        let start = ChiralityAgreement::start(&cells, 7, &orientations).expect("connected");
        let mut random = SequentialExecution::new(&ChiralityAgreement, start.clone());
        assert!(random.run(10_000_000, &mut Uniform, &mut choices));
        let mut regular = SequentialExecution::new(&ChiralityAgreement, start);
        assert!(regular.run(1_000_000, &mut RoundRobinActivation::default(), &mut choices));
        for execution in [&random, &regular] {
            assert!(all_turn_as(execution.system(), orientations[7].chirality));
            assert_eq!((execution.counts().actions, execution.counts().failures), (499, 0));
        }
        assert_eq!(random.system(), regular.system(), "the result does not depend on the schedule");
    }
}

/// A mutant: chirality agreement with another rule for adopting a chirality.
struct Variant {
    adopted: fn(&View<'_, Memory>, AmoebotPort, Memory) -> Memory,
}

impl Algorithm for Variant {
    type Memory = Memory;
    type Action = Adopt;
    fn actions(&self) -> &[Adopt] {
        &[Adopt]
    }
    fn order(&self) -> ActionOrder {
        ActionOrder::AsListed
    }
    fn enabled(&self, action: Adopt, view: &View<'_, Memory>) -> bool {
        ChiralityAgreement.enabled(action, view)
    }
    fn execute(
        &self,
        _: Adopt,
        view: &View<'_, Memory>,
        _: &mut dyn Choices,
    ) -> Result<Effects<Memory>, ActionError> {
        let decided = view.neighbours().find(|b| *b.memory != Memory::Undecided).expect("enabled");
        Ok(Effects::none().write_own((self.adopted)(view, decided.port, *decided.memory)))
    }
}

#[test]
fn wrong_ways_to_adopt_are_detected() {
    let mirrored = Orientation { chirality: Chirality::Mirrored, ..Orientation::COMMON };
    let passes = |adopted, orientations: &[Orientation]| {
        explored(&Variant { adopted }, &shapes(orientations.len()), orientations).always_succeeds()
    };
    // Copies the neighbour's memory: correct only if all have the same chirality.
    let copies: fn(&View<'_, Memory>, AmoebotPort, Memory) -> Memory = |_, _, memory| memory;
    assert!(passes(copies, &[mirrored; 3]));
    assert!(!passes(copies, &[mirrored, mirrored, Orientation::COMMON]));
    // Compares with the neighbour, but ignores that the neighbour may mirror: correct only next to the seed.
    let forgets: fn(&View<'_, Memory>, AmoebotPort, Memory) -> Memory = |view, port, _| {
        let label = |own| view.label_of_neighbour(port, own).expect("a neighbour");
        if label(2) == label(1) % 6 + 1 { Memory::Keep } else { Memory::Mirror }
    };
    assert!(passes(forgets, &[Orientation::COMMON, mirrored]));
    assert!(!passes(forgets, &[Orientation::COMMON, mirrored, mirrored]));
}

#[test]
fn the_undecided_turn_no_way() {
    let line = start::line(Cell::ORIGIN, Direction::East, 2).expect("a line");
    let system = ChiralityAgreement::start(&line, 1, &[]).expect("a start");
    assert_eq!(ChiralityAgreement::effective(&system, AmoebotId(0)), None);
    assert_eq!(ChiralityAgreement::effective(&system, AmoebotId(1)), Some(Chirality::Standard));
    assert!(!ChiralityAgreement::is_finished(&system) && !all_turn_as(&system, Chirality::Standard));
}

#[test]
fn starts_that_cannot_be_are_refused() {
    refuses_bad_seeds("seed", |cells, seed| {
        ChiralityAgreement::start(cells, seed, &[]).expect_err("a bad start")
    });
}
