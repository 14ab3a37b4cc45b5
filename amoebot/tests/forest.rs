//! The spanning forest: parents are adjacent and lead to a root.

use std::collections::BTreeSet;

use crate::refused::{cell, refuses_bad_cells};
use acrasin_amoebot::AmoebotId;
use acrasin_amoebot::check::{Identities, Scope, SequentialExploration};
use acrasin_amoebot::library::forest::{Follow, Memory};
use acrasin_amoebot::run::execution::{RoundRobinActivation, SequentialExecution, Uniform};
use acrasin_amoebot::start::StartError;
use acrasin_amoebot::{
    ActionError, ActionOrder, Algorithm, Cell, Direction, Effects, Forest, Orientation, Shape, System, View,
    explore, start,
};
use acrasin_runtime::choice::Choices;
use acrasin_runtime::{FixedProbability, Seeded};

/// Whether parents, followed at most n times, lead over adjacent cells from every amoebot to a root.
fn is_forest(system: &System<Memory>) -> bool {
    let reaches_root = |id: AmoebotId| {
        let mut at = id;
        for _ in 0..system.len() {
            if *system.memory(at) == Memory::Root {
                return true;
            }
            let Some(parent) = Forest::parent(system, at) else { return false };
            if system.body(at).head().direction_to(system.body(parent).head()).is_none() {
                return false;
            }
            at = parent;
        }
        false
    };
    system.ids().all(reaches_root)
}

/// Every connected shape of n cells with every nonempty set of roots.
fn starts(n: usize, orientations: &[Orientation]) -> Vec<System<Memory>> {
    let of = |shape: &Shape| {
        let cells = shape.cells().to_vec();
        let with = move |roots: u32| {
            let roots: Vec<AmoebotId> =
                (0..n as u32).filter(|i| roots >> i & 1 == 1).map(AmoebotId).collect();
            Forest::start(&cells, &roots, orientations).expect("a connected shape with a root")
        };
        (1..1 << n).map(with)
    };
    Shape::all_connected(n).expect("few cells").iter().flat_map(of).collect()
}

fn explored(
    algorithm: &(impl Algorithm<Memory = Memory> + Sync),
    starts: impl IntoIterator<Item = System<Memory>>,
) -> SequentialExploration<Memory> {
    let scope = Scope { identities: Identities::Distinct, ..Scope::default() };
    explore(algorithm, starts, is_forest, scope).expect("few states")
}

#[test]
fn every_schedule_of_up_to_five() {
    let mut counts = Vec::new();
    for (n, shapes) in [(1, 1), (2, 3), (3, 11), (4, 44), (5, 186)] {
        let all = explored(&Forest, starts(n, &[]));
        assert!(all.always_succeeds());
        assert_eq!(all.initial, shapes * ((1 << n) - 1));
        // All are roots, or all but one: an action for each amoebot that is not a root.
        assert_eq!((all.shortest_run, all.longest_run), (Some(0), Some(n as u32 - 1)));
        assert_eq!(all.most_moves, Some(0));
        counts.push((all.states, all.finals.len()));
    }
    assert_eq!(counts, [(1, 1), (15, 9), (218, 104), (3260, 1312), (50550, 17403)]);
}

/// The adversary chooses the parents. From one root every spanning tree can result; their number agrees with
/// Kirchhoff's theorem.
#[test]
fn every_spanning_tree_can_be_the_result() {
    let trees = |cells: &[Cell]| {
        let start = Forest::start(cells, &[AmoebotId(0)], &[]).expect("a start");
        explored(&Forest, [start]).finals.len()
    };
    let spiral = |n| start::spiral(Cell::ORIGIN, Direction::East, n).expect("a spiral");
    // A triangle, two triangles with a common side, and the wheel with six spokes: L(12) - 2 = 322 - 2.
    assert_eq!([3, 4, 7].map(|n| trees(&spiral(n))), [3, 8, 320]);
    assert_eq!(trees(&start::line(Cell::ORIGIN, Direction::East, 6).expect("a line")), 1);
}

#[test]
fn any_orientations() {
    let every: Vec<Orientation> = Orientation::all().collect();
    for first in 0..12 {
        let mixed: Vec<Orientation> = (0..4).map(|i| every[(first + 5 * i) % 12]).collect();
        let (all, common) = (explored(&Forest, starts(4, &mixed)), explored(&Forest, starts(4, &[])));
        assert!(all.always_succeeds());
        assert_eq!((all.states, all.finals.len()), (common.states, common.finals.len()));
    }
}

#[test]
fn larger_blobs_with_several_roots() {
    let acceptance = FixedProbability::new(0.6).expect("a probability");
    let mut results = BTreeSet::new();
    for seed in 0..5 {
        let mut choices = Seeded::new(seed);
        let cells = start::blob(Cell::ORIGIN, 500, acceptance, &mut choices).expect("a blob");
        let roots = [AmoebotId(3), AmoebotId(250), AmoebotId(499)];
        let start = Forest::start(&cells, &roots, &[]).expect("connected");
        let mut random = SequentialExecution::new(&Forest, start.clone());
        assert!(random.run(10_000_000, &mut Uniform, &mut choices));
        let mut regular = SequentialExecution::new(&Forest, start);
        assert!(regular.run(1_000_000, &mut RoundRobinActivation::default(), &mut choices));
        for execution in [random, regular] {
            assert!(is_forest(execution.system()) && Forest::is_finished(execution.system()));
            assert_eq!((execution.counts().actions, execution.counts().moves), (497, 0));
            results.insert(execution.system().configuration().digest().to_string());
        }
    }
    assert_eq!(results.len(), 10, "other schedules, other trees");
}

/// A mutant: a forest in which amoebots follow any neighbour, idle or not.
struct FollowsAny;

impl Algorithm for FollowsAny {
    type Memory = Memory;
    type Action = Follow;
    fn actions(&self) -> &[Follow] {
        Forest.actions()
    }
    fn order(&self) -> ActionOrder {
        ActionOrder::Any
    }
    fn enabled(&self, Follow(port): Follow, view: &View<'_, Memory>) -> bool {
        *view.own() == Memory::Idle && view.connected(port)
    }
    fn execute(
        &self,
        action: Follow,
        view: &View<'_, Memory>,
        choices: &mut dyn Choices,
    ) -> Result<Effects<Memory>, ActionError> {
        Forest.execute(action, view, choices)
    }
}

#[test]
fn following_the_idle_makes_cycles() {
    let line = start::line(Cell::ORIGIN, Direction::East, 2).expect("a line");
    let pair = Forest::start(&line, &[AmoebotId(0)], &[]).expect("a start");
    assert!(explored(&FollowsAny, [pair]).always_succeeds(), "two are too few");
    let all = explored(&FollowsAny, starts(3, &[]));
    assert!(!all.is_cyclic() && all.aborted == 0);
    // No amoebot is idle any more, but two follow each other.
    assert!(!all.stuck.is_empty());
    for state in &all.stuck {
        let system = state.system();
        assert!(system.ids().all(|id| *system.memory(id) != Memory::Idle));
        assert!(!Forest::is_finished(&system));
    }
}

#[test]
fn starts_that_cannot_be_are_refused() {
    let refused =
        |cells: &[Cell], roots: &[AmoebotId]| Forest::start(cells, roots, &[]).expect_err("a bad start");
    refuses_bad_cells(|cells| refused(cells, &[AmoebotId(0)]));
    let none = refused(&[cell(0), cell(1)], &[AmoebotId(1), AmoebotId(2)]);
    assert_eq!(none, StartError::NoCell { role: "root", position: 2, cells: 2 });
    assert_eq!(
        none.to_string(),
        format!("root {} of 2 cells (accepted: below 2, counted from 0)", AmoebotId(2))
    );
    let apart = [cell(0), cell(1), cell(3)];
    let lost = refused(&apart, &[AmoebotId(0)]);
    assert_eq!(lost, StartError::OutOfReach { role: "root", cell: cell(3) });
    assert_eq!(lost.to_string(), "cell (3, 0) cannot be reached from a root: every connected part needs one");
    assert_eq!(refused(&apart, &[]), StartError::OutOfReach { role: "root", cell: cell(0) });
    assert!(Forest::start(&apart, &[AmoebotId(0), AmoebotId(2), AmoebotId(0)], &[]).is_ok());
}

#[test]
fn the_idle_and_the_roots_have_no_parent() {
    let line = start::line(Cell::ORIGIN, Direction::East, 2).expect("a line");
    let system = Forest::start(&line, &[AmoebotId(0)], &[]).expect("a start");
    assert_eq!(system.ids().map(|id| Forest::parent(&system, id)).collect::<Vec<_>>(), [None, None]);
    assert!(!Forest::is_finished(&system) && !is_forest(&system));
}
