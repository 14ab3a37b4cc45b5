//! The maximal independent set compared with its definition, and its failure under simultaneous steps.

use std::collections::BTreeSet;

use acrasin_amoebot::AmoebotId;
use acrasin_amoebot::check::{Identities, Scope, SequentialExploration};
use acrasin_amoebot::library::maximal_independent_set::{Action, IndependenceViolation, Memory};
use acrasin_amoebot::run::execution::{FromFn, SequentialExecution, Uniform};
use acrasin_amoebot::{
    ActionError, ActionOrder, Algorithm, Cell, Direction, Effects, EnabledSet, MaximalIndependentSet,
    Orientation, Shape, System, View, enabled_actions, explore, start,
};
use acrasin_runtime::choice::{Choices, Enumerated};
use acrasin_runtime::{FixedProbability, Seeded};

/// Whether a set of cells of a shape, given by bits, is independent and maximal, by the definition.
fn is_maximal_independent(cells: &[Cell], set: u32) -> bool {
    let is_in = |i: usize| set >> i & 1 == 1;
    let has_neighbour_in =
        |i: usize| (0..cells.len()).any(|j| is_in(j) && cells[i].direction_to(cells[j]).is_some());
    (0..cells.len()).all(|i| is_in(i) != has_neighbour_in(i))
}

/// The cells of the amoebots that have joined, as bits by position in the sorted cells of the system.
fn joined(system: &System<Memory>) -> u32 {
    let cells = system.cells();
    let bit = |id: AmoebotId| 1 << cells.binary_search(&system.body(id).head()).expect("its cell");
    MaximalIndependentSet::joined(system).into_iter().map(bit).sum()
}

/// Whether every amoebot has decided correctly, by the definition instead of the crate's check.
fn is_right(system: &System<Memory>) -> bool {
    system.ids().all(|id| *system.memory(id) != Memory::Undecided)
        && is_maximal_independent(&system.cells(), joined(system))
}

fn explored(
    algorithm: &(impl Algorithm<Memory = Memory> + Sync),
    shapes: &[Shape],
    orientations: &[Orientation],
) -> SequentialExploration<Memory> {
    let start = |shape: &Shape| MaximalIndependentSet::start(shape.cells(), orientations).expect("a start");
    let scope = Scope { identities: Identities::Distinct, ..Scope::default() };
    explore(algorithm, shapes.iter().map(start), is_right, scope).expect("few states")
}

fn shapes(n: usize) -> Vec<Shape> {
    Shape::all_connected(n).expect("few cells")
}

#[test]
fn every_schedule_of_up_to_six_gives_every_maximal_independent_set() {
    let mut counts = Vec::new();
    for n in 1..=6 {
        let shapes = shapes(n);
        let all = explored(&MaximalIndependentSet, &shapes, &[]);
        assert!(all.always_succeeds(), "n = {n}");
        let actions = Some(n as u32);
        assert_eq!((all.shortest_run, all.longest_run, all.most_moves), (actions, actions, Some(0)));
        assert!(all.finals.iter().all(|state| MaximalIndependentSet::is_finished(&state.system())));
        // All maximal independent sets, by trying every set of cells.
        let sets =
            |shape: &Shape| (0..1 << n).filter(|set| is_maximal_independent(shape.cells(), *set)).count();
        assert_eq!(all.finals.len(), shapes.iter().map(sets).sum::<usize>(), "n = {n}");
        counts.push((shapes.len(), all.states, all.finals.len()));
    }
    let known =
        [(1, 2, 1), (3, 15, 6), (11, 125, 24), (44, 1132, 130), (186, 10902, 735), (814, 108_638, 4148)];
    assert_eq!(counts, known);
}

#[test]
fn any_orientations() {
    let every: Vec<Orientation> = Orientation::all().collect();
    let common = explored(&MaximalIndependentSet, &shapes(4), &[]);
    for first in 0..12 {
        let mixed: Vec<Orientation> = (0..4).map(|i| every[(first + 5 * i) % 12]).collect();
        let all = explored(&MaximalIndependentSet, &shapes(4), &mixed);
        assert!(all.always_succeeds());
        assert_eq!((all.states, all.finals.len()), (common.states, common.finals.len()));
    }
}

#[test]
fn larger_blobs() {
    let acceptance = FixedProbability::new(0.6).expect("a probability");
    let mut sizes = BTreeSet::new();
    for seed in 0..5 {
        let mut choices = Seeded::new(seed);
        let cells = start::blob(Cell::ORIGIN, 1000, acceptance, &mut choices).expect("a blob");
        let start = MaximalIndependentSet::start(&cells, &[]).expect("a start");
        let mut random = SequentialExecution::new(&MaximalIndependentSet, start.clone());
        assert!(random.run(10_000_000, &mut Uniform, &mut choices));
        let mut unfair = SequentialExecution::new(&MaximalIndependentSet, start);
        let last = |enabled: &EnabledSet| *enabled.ids().iter().max().expect("some");
        assert!(unfair.run(10_000, &mut FromFn(last), &mut choices));
        for execution in [random, unfair] {
            assert_eq!(MaximalIndependentSet::violation(execution.system()), None);
            assert!(MaximalIndependentSet::is_finished(execution.system()));
            assert_eq!((execution.counts().actions, execution.counts().failures), (1000, 0));
            sizes.insert(MaximalIndependentSet::joined(execution.system()).len());
        }
    }
    // A member dominates at most six others.
    assert!(sizes.iter().all(|size| (143..=1000).contains(size)) && sizes.len() > 1, "{sizes:?}");
}

/// One simultaneous step: all guards are evaluated, then at most `most` enabled amoebots act. `None` if none is
/// enabled.
fn step_together(system: &System<Memory>, most: usize) -> Option<System<Memory>> {
    let mut next = system.clone();
    let enabled = system.ids().filter_map(|id| {
        let view = View::new(system, id);
        Some((id, view, enabled_actions(&MaximalIndependentSet, view).next()?))
    });
    let mut acted = false;
    for (id, view, action) in enabled.take(most) {
        let effects = MaximalIndependentSet.execute(action, &view, &mut Enumerated::new());
        effects.expect("an enabled action succeeds").apply(&mut next, id).expect("a write to its own memory");
        acted = true;
    }
    acted.then_some(next)
}

/// The number of shapes on which such steps do not end in a maximal independent set.
fn failures(n: usize, most: usize) -> usize {
    let fails = |shape: &&Shape| {
        let mut system = MaximalIndependentSet::start(shape.cells(), &[]).expect("a start");
        while let Some(next) = step_together(&system, most) {
            system = next;
        }
        !is_right(&system)
    };
    shapes(n).iter().filter(fails).count()
}

/// Without locks every amoebot joins in the first step. On every shape of two or more amoebots this is wrong.
#[test]
fn simultaneous_steps_violate_independence() {
    assert_eq!([1, 2, 3, 4, 5, 6].map(|n| failures(n, n)), [0, 3, 11, 44, 186, 814]);
    assert_eq!([1, 2, 3, 4, 5, 6].map(|n| failures(n, 1)), [0; 6], "it is not the driver that fails");
}

/// A mutant that may overlook some neighbours of the acting amoebot.
struct Variant {
    sees: fn(&View<'_, Memory>) -> bool,
}

impl Algorithm for Variant {
    type Memory = Memory;
    type Action = Action;
    fn actions(&self) -> &[Action] {
        MaximalIndependentSet.actions()
    }
    fn order(&self) -> ActionOrder {
        ActionOrder::AsListed
    }
    fn enabled(&self, action: Action, view: &View<'_, Memory>) -> bool {
        *view.own() == Memory::Undecided && (self.sees)(view) == (action == Action::Yield)
    }
    fn execute(
        &self,
        action: Action,
        view: &View<'_, Memory>,
        choices: &mut dyn Choices,
    ) -> Result<Effects<Memory>, ActionError> {
        MaximalIndependentSet.execute(action, view, choices)
    }
}

#[test]
fn wrong_guards_are_detected() {
    let first_failure = |sees: fn(&View<'_, Memory>) -> bool| {
        (1..=4).find(|n| !explored(&Variant { sees }, &shapes(*n), &[]).always_succeeds())
    };
    assert_eq!(first_failure(|view| view.neighbours().any(|b| *b.memory == Memory::Joined)), None);
    // Looks at the first neighbour only: joins next to another member.
    let first_only = |view: &View<'_, Memory>| {
        view.neighbours().next().is_some_and(|first| *first.memory == Memory::Joined)
    };
    assert_eq!(first_failure(first_only), Some(3));
    // Yields to any neighbour that has decided: the set is not maximal.
    let any_decided = |view: &View<'_, Memory>| view.neighbours().any(|b| *b.memory != Memory::Undecided);
    assert_eq!(first_failure(any_decided), Some(3));
}

#[test]
fn violations_are_named() {
    let line = start::line(Cell::ORIGIN, Direction::East, 3).expect("a line");
    let mut system = MaximalIndependentSet::start(&line, &[]).expect("a start");
    let ids = [AmoebotId(0), AmoebotId(1), AmoebotId(2)];
    let mut checked = |memories: [Memory; 3]| {
        for (id, memory) in ids.into_iter().zip(memories) {
            system.write(id, None, memory).expect("its own memory");
        }
        (MaximalIndependentSet::violation(&system), MaximalIndependentSet::is_finished(&system))
    };
    use Memory::{Dominated, Joined, Undecided};
    assert_eq!(checked([Joined, Dominated, Joined]), (None, true));
    assert_eq!(checked([Joined, Dominated, Undecided]), (None, false));
    let adjacent = IndependenceViolation::Adjacent { id: ids[1], other: ids[2] };
    assert_eq!(checked([Dominated, Joined, Joined]), (Some(adjacent), false));
    let alone = IndependenceViolation::NotDominated { id: ids[2] };
    assert_eq!(checked([Joined, Dominated, Dominated]), (Some(alone), false));
    assert_eq!(
        [adjacent, alone].map(|violation| violation.to_string()),
        [
            format!("the neighbours {} and {} have both joined", ids[1], ids[2]),
            format!("{} is dominated, but none of its neighbours has joined", ids[2]),
        ]
    );
}

#[test]
fn starts_that_cannot_be_are_refused() {
    let refused =
        |cells: &[Cell]| MaximalIndependentSet::start(cells, &[]).expect_err("a bad start").to_string();
    assert_eq!(refused(&[]), "0 amoebots (accepted: 1 to 16777216)");
    assert_eq!(refused(&[Cell::ORIGIN; 2]), "amoebots 0 and 1 are both on cell (0, 0): a cell holds one");
}
