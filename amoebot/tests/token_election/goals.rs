//! The goal under many schedules: one leader, on the outer boundary, with the greatest identifier.

use std::collections::BTreeSet;
use std::num::NonZeroU32;

use acrasin_amoebot::AmoebotId;
use acrasin_amoebot::check::{Identities, Scope};
use acrasin_amoebot::library::token_election::{Action, BASE, Memory};
use acrasin_amoebot::run::concurrent::{Concurrent, Locks, MessageLocks, TryLocks};
use acrasin_amoebot::run::execution::{
    Activated, Adversary, FromFn, RoundRobinActivation, SequentialExecution, Uniform, UniformEnabled,
};
use acrasin_amoebot::run::parallel::Waves;
use acrasin_amoebot::{
    ActionError, ActionOrder, Algorithm, Cell, Chirality, Direction, Effects, EnabledSet, Orientation,
    System, TokenElection, View, explore, start,
};
use acrasin_runtime::choice::{Choices, Decision};
use acrasin_runtime::scheduler::Sequential;
use acrasin_runtime::{FixedProbability, Seeded};

use super::oracle::{count_of_actions, fault, leading, shapes, tied, vectors_add_up};
use crate::refused::{cell, refuses_bad_cells, refuses_what_is_not_connected};
use acrasin_amoebot::start::StartError;

fn started(cells: &[Cell], orientations: &[Orientation]) -> System<Memory> {
    TokenElection::start(cells, orientations).expect("connected")
}

fn is_right(system: &System<Memory>) -> bool {
    fault(system).is_none()
}

/// Runs to the end and checks the result.
fn elected(start: System<Memory>, activation: &mut impl Adversary, seed: u64) -> System<Memory> {
    let mut execution = SequentialExecution::new(&TokenElection, start);
    assert!(execution.run(20_000_000, activation, &mut Seeded::new(seed)), "seed {seed} ends");
    let cells = execution.system().cells();
    assert_eq!(fault(execution.system()), None, "seed {seed}, {cells:?}");
    assert_eq!(execution.counts().failures, 0);
    execution.system().clone()
}

/// Of 2,940 runs on 245 shapes none fails, because the rules draw again after ties, and also if no coin makes a
/// candidate.
#[test]
fn every_shape_of_up_to_five() {
    let (mut runs, mut with_ties) = (0, 0);
    for n in 1..=5 {
        for shape in shapes(n) {
            for seed in 0..6 {
                let start = started(shape.cells(), &[]);
                for end in [
                    elected(start.clone(), &mut Uniform, seed),
                    elected(start, &mut RoundRobinActivation::default(), seed),
                ] {
                    runs += 1;
                    with_ties += usize::from(tied(&end) > 1);
                }
            }
        }
    }
    assert_eq!(runs, 2940);
    assert!((10..300).contains(&with_ties), "{with_ties} runs had to break a tie");
}

#[test]
fn shapes_with_holes() {
    let mut holed = 0;
    for shape in shapes(6).into_iter().chain(shapes(7)).filter(|shape| shape.holes() > 0) {
        holed += 1;
        for seed in 0..6 {
            elected(started(shape.cells(), &[]), &mut UniformEnabled, seed);
        }
    }
    // The ring of six around one cell, and that ring with a seventh amoebot outside.
    assert_eq!(holed, 1 + 12);
    for (hole_side, width) in [(1, 1), (1, 2), (2, 1), (3, 1), (2, 2)] {
        let cells = start::ring(Cell::ORIGIN, start::RingSize { hole_side, width }).expect("a ring");
        for seed in 0..6 {
            elected(started(&cells, &[]), &mut UniformEnabled, seed);
        }
    }
}

#[test]
fn blobs() {
    let acceptance = FixedProbability::new(0.6).expect("a probability");
    let mut holes = 0;
    for seed in 0..12 {
        let n = 20 + 4 * seed as usize;
        let cells = start::blob(Cell::ORIGIN, n, acceptance, &mut Seeded::new(seed)).expect("a blob");
        let end = elected(started(&cells, &[]), &mut UniformEnabled, seed);
        holes += end.shape().expect("a shape").holes();
    }
    assert!(holes > 5, "{holes} holes");
}

/// Each amoebot has another direction as port 1. All have the same chirality, standard or mirrored.
#[test]
fn own_directions_with_common_chirality() {
    for chirality in [Chirality::Standard, Chirality::Mirrored] {
        let orientation = |i: u8| Orientation { first: Direction::from_index(i * i + 2), chirality };
        let orientations: Vec<Orientation> = (0..12).map(orientation).collect();
        for shape in shapes(4) {
            for seed in 0..4 {
                elected(started(shape.cells(), &orientations), &mut Uniform, seed);
            }
        }
        let ring = start::ring(Cell::ORIGIN, start::RingSize { hole_side: 2, width: 1 }).expect("a ring");
        for seed in 0..6 {
            elected(started(&ring, &orientations), &mut Uniform, seed);
        }
    }
}

/// Unfair schedules: the first or the last amoebot of the list acts as long as it can.
#[test]
fn unfair_adversaries() {
    for shape in shapes(4).into_iter().chain(shapes(6).into_iter().filter(|shape| shape.holes() > 0)) {
        for seed in 0..4 {
            let last = |enabled: &EnabledSet| *enabled.ids().iter().max().expect("some");
            elected(started(shape.cells(), &[]), &mut FromFn(last), seed);
            let first = |enabled: &EnabledSet| *enabled.ids().iter().min().expect("some");
            elected(started(shape.cells(), &[]), &mut FromFn(first), seed);
        }
    }
}

/// At every moment at most one agent leads, a leader stays one, and vector tokens add up. All actions occur.
#[test]
fn at_every_moment() {
    let mut labels = BTreeSet::new();
    let ring = start::ring(Cell::ORIGIN, start::RingSize { hole_side: 1, width: 1 }).expect("a ring");
    let orientation = |i: u8| Orientation { first: Direction::from_index(5 * i), ..Orientation::COMMON };
    let orientations: Vec<Orientation> = (0..6).map(orientation).collect();
    let small = (1..=4).flat_map(shapes).map(|shape| shape.cells().to_vec());
    for (seed, cells) in (0..).zip(small.chain([ring.clone(), ring.clone(), ring])) {
        let mut choices = Seeded::new(seed);
        let mut execution = SequentialExecution::new(&TokenElection, started(&cells, &orientations));
        let mut led = Vec::new();
        while !execution.has_terminated() {
            let id = UniformEnabled.next(execution.enabled(), &mut choices);
            let Activated::Completed { action, movement: None } = execution.activate(id, &mut choices) else {
                panic!("an enabled action succeeds and moves no amoebot");
            };
            labels.insert(action);
            let leading = leading(execution.system());
            assert!(leading.len() <= 1 && leading.starts_with(&led), "{leading:?} after {led:?}");
            led = leading;
            assert!(vectors_add_up(execution.system()), "after {action:?}");
        }
        assert_eq!((led.len(), fault(execution.system())), (1, None));
    }
    assert_eq!(labels.len(), count_of_actions());
}

/// Every schedule and every draw, of one amoebot and of two. A run may draw equal numbers forever, but no state is
/// stuck.
#[test]
fn every_schedule_of_up_to_two() {
    let mut states = Vec::new();
    for n in 1..=2 {
        let starts = shapes(n).into_iter().map(|shape| started(shape.cells(), &[]));
        let scope = Scope { identities: Identities::Anonymous, states_max: 1 << 20 };
        let all = explore(&TokenElection, starts, is_right, scope).expect("few states");
        // The goal can be reached from every state.
        assert_eq!((all.stuck.len(), all.hopeless, all.aborted, all.disconnected), (0, 0, 0, 0));
        assert!(all.shortest_run.is_some() && all.is_cyclic() == (n > 1));
        states.push((all.states, all.finals.len()));
    }
    assert_eq!(states, [(2, 1), (7596, 156)]);
}

fn concurrently<L: Locks>(start: &System<Memory>, locks: L, seed: u64) {
    let mut run = Concurrent::new(&TokenElection, start.clone(), locks);
    assert!(run.run(20_000_000, &mut UniformEnabled, &mut Seeded::new(seed)), "terminates");
    assert_eq!((fault(run.system()), run.counts().invalid), (None, 0));
    assert!(run.log().replay(&TokenElection, start.clone()).expect("a replay") == *run.system());
}

#[test]
fn with_locks_and_in_waves() {
    let ring = start::ring(Cell::ORIGIN, start::RingSize { hole_side: 1, width: 1 }).expect("a ring");
    let line = start::line(Cell::ORIGIN, Direction::East, 7).expect("a line");
    for (seed, cells) in [(1, &ring), (2, &line), (3, &ring)] {
        let start = started(cells, &[]);
        concurrently(&start, TryLocks::new(start.len()), seed);
        concurrently(&start, MessageLocks::new(&start, Box::new(Sequential::new())), seed);
        let mut waves = Waves::new(&TokenElection, start.clone(), seed).with_log();
        assert!(waves.run(100_000), "terminates");
        assert_eq!((fault(waves.system()), waves.counts().invalid), (None, 0));
        assert!(
            waves.log().expect("a log").replay(&TokenElection, start).expect("a replay") == *waves.system()
        );
    }
}

#[test]
fn memory_is_constant() {
    assert!(size_of::<Memory>() <= 6 * 32, "{} bytes", size_of::<Memory>());
    assert_eq!(BASE, 4);
}

#[test]
fn starts_that_cannot_be_are_refused() {
    let refused = |cells: &[Cell], orientations: &[Orientation]| {
        TokenElection::start(cells, orientations).expect_err("a bad start")
    };
    refuses_bad_cells(|cells| refused(cells, &[]));
    refuses_what_is_not_connected(|cells| refused(cells, &[]));
    let mirrored = Orientation { chirality: Chirality::Mirrored, ..Orientation::COMMON };
    let mixed = refused(&[cell(0), cell(1)], &[mirrored]);
    assert_eq!(mixed, StartError::MixedChirality { first: AmoebotId(0), other: AmoebotId(1) });
}

/// Token election with digits from 0 to `digits` - 1 only, which has fewer states.
struct FewDigits {
    digits: u32,
}

/// Draws digits from a smaller range.
struct Fewer<'a> {
    digits: NonZeroU32,
    choices: &'a mut dyn Choices,
}

impl Choices for Fewer<'_> {
    fn pick(&mut self, bound: NonZeroU32, why: Decision) -> u32 {
        let bound = if bound.get() == BASE { self.digits } else { bound };
        self.choices.pick(bound, why)
    }
}

impl Algorithm for FewDigits {
    type Memory = Memory;
    type Action = Action;
    fn actions(&self) -> &[Action] {
        TokenElection.actions()
    }
    fn order(&self) -> ActionOrder {
        TokenElection.order()
    }
    fn enabled(&self, action: Action, view: &View<'_, Memory>) -> bool {
        TokenElection.enabled(action, view)
    }
    fn execute(
        &self,
        action: Action,
        view: &View<'_, Memory>,
        choices: &mut dyn Choices,
    ) -> Result<Effects<Memory>, ActionError> {
        let digits = NonZeroU32::new(self.digits).expect("some digit");
        TokenElection.execute(action, view, &mut Fewer { digits, choices })
    }
}

/// Every schedule of three: with two digits in a triangle, and with a single digit, so that all candidates are tied, in
/// a triangle and in a line.
#[test]
fn every_schedule_of_three_with_few_digits() {
    let triangle =
        shapes(3).into_iter().find(|shape| shape.edges() == 3).expect("a triangle").cells().to_vec();
    let line = start::line(Cell::ORIGIN, Direction::East, 3).expect("a line");
    let sizes = [(1, &triangle), (2, &triangle), (1, &line)].map(|(digits, cells)| {
        let scope = Scope { identities: Identities::Anonymous, states_max: 1 << 18 };
        let all = explore(&FewDigits { digits }, [started(cells, &[])], is_right, scope).expect("few states");
        // The goal can be reached from every state.
        assert_eq!((all.stuck.len(), all.hopeless, all.aborted, all.disconnected), (0, 0, 0, 0));
        (all.states, all.finals.len())
    });
    assert_eq!(sizes, [(3485, 9), (22_664, 63), (42_094, 20)]);
}
