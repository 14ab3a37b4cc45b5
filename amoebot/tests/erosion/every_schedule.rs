//! All schedules on all shapes without a hole.
//!
//! Systems of up to six amoebots are explored from the start, where all amoebots are null. Larger systems start with
//! candidates only, which is exact for the following reason. Becoming a candidate is always enabled for a null amoebot,
//! so it is part of every run that ends. This action can be moved before any action of another amoebot. Next to a null
//! amoebot no other action is enabled, and this action reads no neighbour. Amoebots further away do not see the
//! difference. So each run ends like a run in which all amoebots first become candidates.

use std::collections::BTreeSet;

use acrasin_amoebot::library::erosion::Memory;
use acrasin_amoebot::{Configuration, Erosion, Orientation, SequentialExploration, Shape, System};

use super::{explored, shapes, unchecked};

/// The known numbers of connected shapes without a hole, of 1 to 7 cells.
const SHAPES: [usize; 7] = [1, 3, 11, 44, 186, 813, 3640];

fn from_null(shapes: &[Shape], orientations: &[Orientation]) -> SequentialExploration<Memory> {
    let start = |shape: &Shape| Erosion::start(shape.cells(), orientations).expect("connected, no hole");
    explored(&Erosion, shapes.iter().map(start))
}

fn from_candidates(shapes: &[Shape]) -> SequentialExploration<Memory> {
    explored(&Erosion, shapes.iter().map(|shape| unchecked(shape, &[], Memory::Candidate)))
}

/// Asserts that every schedule ends with one leader and every other amoebot eroded, after this number of actions.
fn assert_elects(all: &SequentialExploration<Memory>, actions: usize) {
    assert!(all.always_succeeds(), "{} stuck, {} aborted", all.stuck.len(), all.aborted);
    assert!(all.finals.iter().all(|state| Erosion::leader(&state.system()).is_some()));
    let actions = Some(actions as u32);
    assert_eq!((all.shortest_run, all.longest_run, all.most_moves), (actions, actions, Some(0)));
}

fn finals(all: &SequentialExploration<Memory>) -> BTreeSet<&Configuration<Memory>> {
    all.finals.iter().collect()
}

#[test]
fn one_to_six_amoebots_from_the_start_and_so_from_candidates() {
    let mut counts = Vec::new();
    for (n, known) in (1..=6).zip(SHAPES) {
        let shapes = shapes(n, false);
        let (all, reduced) = (from_null(&shapes, &[]), from_candidates(&shapes));
        assert_eq!((all.initial, reduced.initial), (known, known));
        assert_elects(&all, 2 * n);
        assert_elects(&reduced, n);
        assert_eq!(finals(&all), finals(&reduced), "n = {n}");
        // Any amoebot may become the leader.
        assert_eq!(all.finals.len(), n * known);
        counts.push((all.states, reduced.states));
    }
    let known = [(3, 2), (24, 15), (196, 101), (1632, 654), (14106, 4179), (126_177, 26499)];
    assert_eq!(counts, known);
}

#[test]
fn seven_amoebots_from_candidates() {
    let all = from_candidates(&shapes(7, false));
    assert_eq!(all.initial, SHAPES[6]);
    assert_elects(&all, 7);
    assert_eq!((all.states, all.finals.len()), (167_528, 7 * SHAPES[6]));
}

/// Every combination of orientations: any port 1, either chirality.
fn all_orientations(n: usize) -> Vec<Vec<Orientation>> {
    (0..n).fold(vec![Vec::new()], |shorter, _| {
        let longer = |some: Vec<Orientation>| {
            Orientation::all().map(move |next| some.iter().copied().chain([next]).collect())
        };
        shorter.into_iter().flat_map(longer).collect()
    })
}

fn explored_with(orientations: &[Vec<Orientation>], shapes: &[Shape]) -> SequentialExploration<Memory> {
    let starts = orientations.iter().flat_map(|orientations| {
        let start = |shape: &Shape| Erosion::start(shape.cells(), orientations).expect("connected, no hole");
        shapes.iter().map(start).collect::<Vec<System<Memory>>>()
    });
    explored(&Erosion, starts)
}

#[test]
fn any_orientations_of_up_to_three() {
    for (n, known) in (1..=3).zip(SHAPES) {
        let all = explored_with(&all_orientations(n), &shapes(n, false));
        assert_eq!(all.initial, known * 12_usize.pow(n as u32));
        assert_elects(&all, 2 * n);
        // The same number of states for each combination: orientations change nothing.
        let common = from_null(&shapes(n, false), &[]);
        assert_eq!(all.states, common.states * 12_usize.pow(n as u32));
    }
}

#[test]
fn mixed_orientations_of_four_and_five() {
    let every: Vec<Orientation> = Orientation::all().collect();
    // Five apart of twelve: neighbours in the list differ in direction, and mostly in chirality.
    let mixed = |n: usize| -> Vec<Vec<Orientation>> {
        (0..12).map(|first| (0..n).map(|i| every[(first + 5 * i) % 12]).collect()).collect()
    };
    for n in [4, 5] {
        let all = explored_with(&mixed(n), &shapes(n, false));
        assert_eq!(all.initial, SHAPES[n - 1] * 12);
        assert_elects(&all, 2 * n);
    }
}
